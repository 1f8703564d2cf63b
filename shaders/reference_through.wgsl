// Light that comes through a surface (KHR_materials_transmission, KHR_materials_volume, KHR_materials_dispersion,
// KHR_materials_diffuse_transmission), as src/render/shading/through.rs has it.

#if lit
#if through
// Length in the world of the way below the surface.
fn thickness_at(in: Varyings) -> f32 {
    return material.layers.thickness * $thickness_sample.g * draw.scale;
}

// What is left of white light after `length` metres.
fn absorbed(length: f32) -> vec3f {
#if volume
    return exp(length * material.layers.absorption);
#else
    return vec3f(1);
#endif
}
#endif
#endif

#if transmission
// The radiance of a pass that was drawn before, with smaller levels.
@group(3) @binding(0) var behind: texture_2d<f32>;
@group(3) @binding(1) var behind_sampler: sampler;

// All levels for a rough surface, and none where nothing is bent.
fn behind_at(at: vec2f, roughness: f32, ior: f32) -> vec3f {
    let size = vec2f(textureDimensions(behind));
    let levels = log2(max(size.x, size.y));
    let last = f32(textureNumLevels(behind) - 1);
    let level = clamp(roughness * levels * clamp(2.0 * ior - 2.0, 0.0, 1.0), 0.0, last);
#if exact
    let lower = floor(level);
    let upper = min(lower + 1.0, last);
    let first = textureSampleLevel(behind, behind_sampler, at, lower).rgb;
    return mix(first, textureSampleLevel(behind, behind_sampler, at, upper).rgb, level - lower);
#else
    return textureSampleLevel(behind, behind_sampler, at, level).rgb;
#endif
}

#if volume
// By one index of refraction.
fn seen_refracted(in: Varyings, surface: Surface, length: f32, ior: f32) -> vec3f {
    let ratio = 1.0 / ior;
    let cosine = dot(surface.normal, surface.view);
    let below = sqrt(max(1.0 - ratio * ratio * (1.0 - cosine * cosine), 0.0));
    let towards = (ratio * cosine - below) * surface.normal - ratio * surface.view;
    let end = draw.clip_from_world * vec4f(in.position_world + length * towards, 1);
    let at = vec2f(end.x, -end.y) * (0.5 / max(end.w, 1e-6)) + 0.5;
    return behind_at(at, surface.roughness, ior);
}
#endif

// Before base colour and factors.
fn seen_through(in: Varyings, surface: Surface) -> vec3f {
    let iors = material.layers.iors;
#if volume
    let length = thickness_at(in);
#if dispersion
    let seen = vec3f(
        seen_refracted(in, surface, length, iors.r).r,
        seen_refracted(in, surface, length, iors.g).g,
        seen_refracted(in, surface, length, iors.b).b,
    );
#else
    let seen = seen_refracted(in, surface, length, iors.g);
#endif
    return seen * absorbed(length);
#else
    return behind_at(in.position.xy / vec2f(textureDimensions(behind)), surface.roughness, iors.g);
#endif
}
#endif
