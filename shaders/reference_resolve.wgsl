// Radiance to picture: straight alpha, exposure, tone mapping; the target encodes sRGB. See src/render/output.

@group(1) @binding(0) var radiance: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) vertex_index: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(vertex_index & 1), f32(vertex_index >> 1)) * 4.0 - 1.0, 0, 1);
}

fn unmapped(color: vec3f) -> vec3f {
    return color;
}

// Khronos PBR Neutral.
fn neutral(color: vec3f) -> vec3f {
    const START = 0.8 - 0.04;
    const ROOM = 1.0 - START;
    let darkest = min(color.r, min(color.g, color.b));
    let offset = select(0.04, darkest - 6.25 * darkest * darkest, darkest < 0.08);
    let base = color - offset;
    let peak = max(base.r, max(base.g, base.b));
    if (peak < START) {
        return base;
    }
    let new_peak = 1.0 - ROOM * ROOM / (peak + ROOM - START);
    let keep = 1.0 / (0.15 * (peak - new_peak) + 1.0);
    return mix(vec3f(new_peak), base * (new_peak / peak), keep);
}

// Stephen Hill's fit of the Academy's RRT and sRGB ODT.
fn aces(color: vec3f) -> vec3f {
    const INPUT = mat3x3f(
        vec3f(0.59719, 0.07600, 0.02840),
        vec3f(0.35458, 0.90834, 0.13383),
        vec3f(0.04823, 0.01566, 0.83777),
    );
    const OUTPUT = mat3x3f(
        vec3f(1.60475, -0.10208, -0.00327),
        vec3f(-0.53108, 1.10813, -0.07276),
        vec3f(-0.07367, -0.00605, 1.07602),
    );
    let v = INPUT * color;
    let a = v * (v + 0.0245786) - 0.000090537;
    let b = v * (0.983729 * v + 0.432951) + 0.238081;
    return OUTPUT * (a / b);
}

@fragment
fn fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let premultiplied = textureLoad(radiance, vec2u(position.xy), 0);
    if (premultiplied.a <= 0.0) {
        return vec4f(0);
    }
    let alpha = min(premultiplied.a, 1.0);
    let straight = max(premultiplied.rgb * (frame.exposure / alpha), vec3f(0));
    return vec4f($tone_map(straight), alpha);
}
