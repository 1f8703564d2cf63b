// Radiance to picture as src/render/output does it: straight alpha, exposure, tone mapping. The target encodes sRGB.

@group(1) @binding(0) var radiance: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) vertex_index: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(vertex_index & 1), f32(vertex_index >> 1)) * 4.0 - 1.0, 0, 1);
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let premultiplied = textureLoad(radiance, vec2u(position.xy), 0);
    if (premultiplied.a <= 0.0) {
        return vec4f(0);
    }
    let alpha = min(premultiplied.a, 1.0);
    return vec4f(displayable(premultiplied.rgb / alpha), alpha);
}
