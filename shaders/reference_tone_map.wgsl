// Radiance to displayable linear colour: exposure and tone mapping, as src/render/output does it.

#if neutral
// Khronos PBR Neutral.
fn tone_mapped(color: vec3f) -> vec3f {
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
#endif

#if aces
// Stephen Hill's fit of the Academy's RRT and sRGB ODT.
fn tone_mapped(color: vec3f) -> vec3f {
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
#if aces_boosted
    let v = INPUT * (color / 0.6);
#else
    let v = INPUT * color;
#endif
    let a = v * (v + 0.0245786) - 0.000090537;
    let b = v * (0.983729 * v + 0.432951) + 0.238081;
    return OUTPUT * (a / b);
}
#endif

fn displayable(radiance: vec3f) -> vec3f {
#if exposed
    let color = max(radiance * frame.exposure, vec3f(0));
#else
    let color = max(radiance, vec3f(0));
#endif
#if tone_mapped
    return tone_mapped(color);
#else
    return color;
#endif
}
