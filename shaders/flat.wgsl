// A texture times a colour, without light: sprites, panels and text.

@group(0) @binding(0) var<uniform> color: vec4<f32>;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var filtered: sampler;

@fragment
fn main(@location(4) uv: vec2<f32>) -> @location(0) vec4<f32> {
    return color * textureSample(image, filtered, uv);
}
