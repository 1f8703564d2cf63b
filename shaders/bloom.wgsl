// A frame of seven passes: shadow map, scene in high dynamic range, measure of its light, light that spills over bright pixels,
// tone map.
// `examples/passes.rs` draws it.

struct Frame {
    clip_from_world: mat4x4f,
    clip_of_light_from_world: mat4x4f,
    towards_light: vec4f,
    eye: vec4f,
}

struct Body {
    world_from_local: mat4x4f,
    color: vec4f,
    // Radiance of its own.
    glow: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var shadow: texture_depth_2d;
@group(0) @binding(3) var nearer: sampler_comparison;

struct Vertex {
    @builtin(instance_index) body: u32,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
}

@vertex
fn seen_by_light(in: Vertex) -> @builtin(position) vec4f {
    return frame.clip_of_light_from_world * bodies[in.body].world_from_local * vec4f(in.position, 1.0);
}

struct Fragment {
    @builtin(position) at: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) @interpolate(flat) body: u32,
}

@vertex
fn seen_by_eye(in: Vertex) -> Fragment {
    let world = bodies[in.body].world_from_local * vec4f(in.position, 1.0);
    let normal = bodies[in.body].world_from_local * vec4f(in.normal, 0.0);
    return Fragment(frame.clip_from_world * world, world.xyz, normal.xyz, in.body);
}

// Share of the light that arrives: nine comparisons around the place in the shadow map.
fn arriving(world: vec3f) -> f32 {
    let clip = frame.clip_of_light_from_world * vec4f(world, 1.0);
    let place = vec2f(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y);
    let texel = 1.0 / vec2f(textureDimensions(shadow));
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let beside = place + vec2f(vec2i(x, y)) * texel;
            sum += textureSampleCompareLevel(shadow, nearer, beside, clip.z);
        }
    }
    return sum / 9.0;
}

@fragment
fn lit(in: Fragment) -> @location(0) vec4f {
    let body = bodies[in.body];
    let normal = normalize(in.normal);
    let towards_eye = normalize(frame.eye.xyz - in.world);
    let middle = normalize(towards_eye + frame.towards_light.xyz);
    let diffuse = max(dot(normal, frame.towards_light.xyz), 0.0);
    let shine = pow(max(dot(normal, middle), 0.0), 60.0);
    var light = vec3f(0.06, 0.08, 0.12);
    if diffuse > 0.0 {
        light += arriving(in.world) * (diffuse + shine) * vec3f(1.5, 1.4, 1.2);
    }
    return vec4f(body.color.rgb * light + body.glow.rgb, 1.0);
}

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var filtered: sampler;
@group(0) @binding(2) var spilled: texture_2d<f32>;

struct Screen {
    @builtin(position) at: vec4f,
    @location(0) uv: vec2f,
}

// One triangle over the whole target.
@vertex
fn everywhere(@builtin(vertex_index) corner: u32) -> Screen {
    let uv = vec2f(f32(corner / 2u), f32(corner % 2u)) * 2.0;
    return Screen(vec4f(uv.x * 2.0 - 1.0, 1.0 - uv.y * 2.0, 0.0, 1.0), uv);
}

// Sum of the logarithms of luminances, in parts of 256.
@group(0) @binding(3) var<storage, read_write> measured: atomic<i32>;

var<workgroup> logarithms: array<f32, 256>;

@compute @workgroup_size(16, 16)
fn measure(@builtin(global_invocation_id) at: vec3u, @builtin(local_invocation_index) number: u32) {
    let is_inside = all(at.xy < textureDimensions(image));
    let radiance = textureLoad(image, at.xy, 0).rgb;
    let luminance = dot(radiance, vec3f(0.2126, 0.7152, 0.0722));
    logarithms[number] = select(0.0, log2(max(luminance, 0.001)), is_inside);
    workgroupBarrier();
    for (var n = 128u; n > 0u; n /= 2u) {
        if number < n {
            logarithms[number] += logarithms[number + n];
        }
        workgroupBarrier();
    }
    if number == 0u {
        atomicAdd(&measured, i32(logarithms[0] * 256.0));
    }
}

// Radiance above 1, at a quarter of the size.
@fragment
fn bright(in: Screen) -> @location(0) vec4f {
    return max(textureSampleLevel(image, filtered, in.uv, 0.0) - 1.0, vec4f(0.0));
}

const WEIGHTS = array(0.227, 0.194, 0.121, 0.054, 0.016);

fn blurred(uv: vec2f, along: vec2f) -> vec4f {
    let step = along / vec2f(textureDimensions(image));
    var sum = textureSampleLevel(image, filtered, uv, 0.0) * WEIGHTS[0];
    for (var k = 1; k < 5; k++) {
        let beside = step * f32(k);
        let pair = textureSampleLevel(image, filtered, uv + beside, 0.0) + textureSampleLevel(image, filtered, uv - beside, 0.0);
        sum += pair * WEIGHTS[k];
    }
    return sum;
}

@fragment
fn across(in: Screen) -> @location(0) vec4f { return blurred(in.uv, vec2f(1.0, 0.0)); }

@fragment
fn down(in: Screen) -> @location(0) vec4f { return blurred(in.uv, vec2f(0.0, 1.0)); }

@group(0) @binding(3) var<storage, read> light: i32;

// Factor that makes the geometric mean of luminances a dark grey, within two stops.
fn exposure() -> f32 {
    let size = vec2f(textureDimensions(image));
    let mean = f32(light) / 256.0 / (size.x * size.y);
    return clamp(0.03 * exp2(-mean), 0.25, 4.0);
}

// ACES as fitted by Krzysztof Narkowicz (2016).
@fragment
fn toned(in: Screen) -> @location(0) vec4f {
    let radiance = textureSampleLevel(image, filtered, in.uv, 0.0) + textureSampleLevel(spilled, filtered, in.uv, 0.0);
    let x = radiance.rgb * exposure();
    let color = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    return vec4f(clamp(color, vec3f(0.0), vec3f(1.0)), 1.0);
}
