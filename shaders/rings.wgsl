// Rings around the middle of a picture, as sharp as pixels allow; `examples/wgsl.rs` draws them.

override rings: i32 = 6;

fn ring(distance: f32, radius: f32) -> f32 {
    let width = fwidth(distance);
    return 1.0 - smoothstep(0.01, 0.01 + width, abs(distance - radius));
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let place = uv * 2.0 - 1.0;
    let distance = length(place);
    var color = vec3<f32>(0.02, 0.03, 0.05);
    for (var i = 1; i <= rings; i++) {
        let share = f32(i) / f32(rings);
        let hue = vec3<f32>(share, 0.5 + 0.5 * sin(6.28 * share), 1.0 - share);
        color += hue * ring(distance, 0.9 * share);
    }
    if place.y > 0.0 {
        color *= 0.6;
    }
    return vec4<f32>(color, 1.0);
}
