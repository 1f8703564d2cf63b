// One level of what lies behind surfaces from the level before, as src/render/output/radiance.rs makes it: each texel is the mean
// of 4x4 texels, the inner ones weighted by 9 to 3 to 1.

@group(0) @binding(0) var above: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) vertex_index: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(vertex_index & 1), f32(vertex_index >> 1)) * 4.0 - 1.0, 0, 1);
}

fn weight(tap: i32) -> f32 {
    return select(0.375, 0.125, tap == 0 || tap == 3);
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let first = 2 * vec2i(position.xy) - 1;
    let last = vec2i(textureDimensions(above)) - 1;
    var sum = vec3f();
    for (var row = 0; row < 4; row++) {
        for (var column = 0; column < 4; column++) {
            let at = clamp(first + vec2i(column, row), vec2i(), last);
            sum += textureLoad(above, at, 0).rgb * (weight(row) * weight(column));
        }
    }
    return vec4f($kept(sum), 1);
}
