// A film as thin as light's wavelengths (KHR_materials_iridescence), as src/render/shading/film.rs has it.

#if film
// `surface` with the film over it: what it mirrors, and what that leaves to the ground of what is no metal.
fn below_film(in: Varyings, surface: Surface) -> Surface {
    let factor = material.layers.film * $film_sample.r;
    let range = material.layers.film_thickness;
    let thickness = range.x + range.y * $film_thickness_sample.g;
    var below = surface;
    if (thickness > 0.0) {
        below.f0 = mix(surface.f0, film_over(surface.f0, min(surface.n_dot_v, 1.0), thickness), factor);
    }
    let brightest = max(max(below.f0.r, below.f0.g), below.f0.b);
    below.ground_f0 = mix(surface.ground_f0, brightest, factor * (1.0 - surface.metallic));
    return below;
}

fn fifth_power(x: f32) -> f32 {
    let y = max(x, 0.0);
    return y * y * y * y * y;
}

// Reflectance at normal incidence of a surface of `f0` below the film.
fn film_over(f0: vec3f, n_dot_v: f32, thickness: f32) -> vec3f {
    let ior = material.layers.film_ior;
    let cosine_inside = sqrt(max(1.0 - (1.0 - n_dot_v * n_dot_v) / (ior * ior), 0.0));
    let path = 2.0 * ior * thickness * cosine_inside;
    let outer = (ior - 1.0) / (ior + 1.0);
    let glancing = fifth_power(1.0 - n_dot_v);
    let r12 = mix(outer * outer, 1.0, glancing);
    let through = 1.0 - r12;
    let root = sqrt(clamp(f0, vec3f(0), vec3f(0.9999)));
    let n3 = (1.0 + root) / (1.0 - root);
    let inner = (n3 - ior) / (n3 + ior);
    let r23 = mix(inner * inner, vec3f(1), fifth_power(1.0 - cosine_inside));
    let both = clamp(r12 * r23, vec3f(1e-5), vec3f(0.9999));
    let later = through * through * r23 / (1.0 - both);
    let turned = select(-sqrt(both), sqrt(both), n3 < vec3f(ior));
    let waves = turned * film_sensitivity(path) + both * film_sensitivity(2.0 * path);
    let reflectance = r12 + later + 2.0 * (later - through) * waves;
    return saturate((reflectance - glancing) / max(1.0 - glancing, 1e-4));
}

// Sensitivity of the eye to a cosine over the spectrum, in linear RGB; the path in nanometres.
fn film_sensitivity(path: f32) -> vec3f {
    // By X, Y, Z and the second hump of X: Belcour and Barla's Gaussians.
    const AMPLITUDE = vec4f(0.8465882, 1.0002159, 1.0011147, 0.1538693);
    const POSITION = vec4f(1.6810e-3, 1.7953e-3, 2.2084e-3, 2.2399e-3);
    const VARIANCE = vec4f(4.3278e-9, 9.3046e-9, 6.6121e-9, 4.5282e-9);
    const TAU = 2.0 * PI;
    const RGB_OF_XYZ = mat3x3f(
        vec3f(3.2404542, -0.9692660, 0.0556434),
        vec3f(-1.5371385, 1.8760108, -0.2040259),
        vec3f(-0.4985314, 0.0415560, 1.0572252),
    );
    let turns = POSITION * path;
    let waves = AMPLITUDE * cos(TAU * (turns - floor(turns))) * exp(-TAU * TAU * VARIANCE * (path * path));
    return RGB_OF_XYZ * vec3f(waves.x + waves.w, waves.y, waves.z);
}
#endif
