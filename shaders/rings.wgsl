// Rings around a tube, as sharp as pixels allow, in a light; `examples/wgsl.rs` draws them.

override rings: i32 = 6;

struct Light {
    // Unit vector towards it.
    towards: vec3<f32>,
    ambient: f32,
}

@group(0) @binding(0) var<uniform> light: Light;

fn hue(share: f32) -> vec3<f32> {
    return vec3<f32>(share, 0.5 + 0.5 * sin(6.28 * share), 1.0 - share);
}

@fragment
fn main(@location(1) normal: vec3<f32>, @location(4) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let pixel = fwidth(uv.y);
    var color = vec3<f32>(0.02, 0.03, 0.05);
    for (var i = 0; i < rings; i++) {
        let distance = abs(uv.y - (f32(i) + 0.5) / f32(rings));
        if distance > 0.03 + pixel {
            continue;
        }
        color = mix(hue(f32(i) / f32(rings)), color, smoothstep(0.03, 0.03 + pixel, distance));
    }
    let towards = dot(normalize(normal), light.towards);
    var lit = light.ambient;
    if towards > 0.0 {
        lit += towards + 0.5 * pow(towards, 32.0);
    }
    return vec4<f32>(color * lit, 1.0);
}
