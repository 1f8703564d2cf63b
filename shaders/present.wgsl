// The frame onto the window. Texels hold sRGB codes with straight alpha; what leaves here are codes again, or linear values
// where the surface encodes them itself. One texel on one pixel is copied bit by bit; anything else is filtered in linear light.

struct Placement {
    // Where the picture's upper left corner lies on the window, in pixels.
    origin: vec2<f32>,
    // Window pixels for each pixel of the picture.
    scale: vec2<f32>,
    // Of the picture.
    size: vec2<f32>,
    // Behind the picture, as codes.
    backdrop: vec4<f32>,
}

// Whether the surface encodes what it is given. Fixed with the pipeline, as are the ways to fetch: drivers that draw on the CPU execute
// both sides of a branch.
override surface_encodes: bool = false;

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var<uniform> placement: Placement;

// A triangle over the whole window.
@vertex
fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0);
}

fn decode(code: vec3<f32>) -> vec3<f32> {
    let curve = pow((code + 0.055) / 1.055, vec3<f32>(2.4));
    return select(curve, code / 12.92, code <= vec3<f32>(0.04045));
}

fn encode(linear: vec3<f32>) -> vec3<f32> {
    let curve = 1.055 * pow(linear, vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(curve, linear * 12.92, linear <= vec3<f32>(0.0031308));
}

// Over a chequered ground where it is transparent.
fn texel(at: vec2<i32>, pixel: vec2<f32>) -> vec3<f32> {
    let last = vec2<i32>(placement.size) - 1;
    let color = textureLoad(picture, clamp(at, vec2<i32>(0), last), 0);
    if color.a == 1.0 {
        return color.rgb;
    }
    let cell = vec2<i32>(floor(pixel / 12.0));
    let ground = select(0.16, 0.22, ((cell.x + cell.y) & 1) == 1);
    return mix(vec3<f32>(ground), color.rgb, color.a);
}

fn mixed(at: vec2<f32>, pixel: vec2<f32>) -> vec3<f32> {
    let corner = floor(at - 0.5);
    let share = at - 0.5 - corner;
    let first = vec2<i32>(corner);
    let upper = mix(decode(texel(first, pixel)), decode(texel(first + vec2<i32>(1, 0), pixel)), share.x);
    let lower = mix(decode(texel(first + vec2<i32>(0, 1), pixel)), decode(texel(first + vec2<i32>(1, 1), pixel)), share.x);
    return encode(mix(upper, lower, share.y));
}

fn framed(at: vec2<f32>, code: vec3<f32>) -> vec4<f32> {
    let inside = all(at >= vec2<f32>(0.0)) && all(at < placement.size);
    let shown = select(placement.backdrop.rgb, code, inside);
    if surface_encodes {
        return vec4<f32>(decode(shown), 1.0);
    }
    return vec4<f32>(shown, 1.0);
}

// The nearest texel.
@fragment
fn copy(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = (position.xy - placement.origin) / placement.scale;
    return framed(at, texel(vec2<i32>(floor(at)), position.xy));
}

// Neighbours mixed.
@fragment
fn filtered(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = (position.xy - placement.origin) / placement.scale;
    return framed(at, mixed(at, position.xy));
}
