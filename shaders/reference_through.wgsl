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

// The share of a surface's roughness that is seen of what lies behind it: all of it for glass, and none where nothing is bent.
fn shown_of_roughness(ior: f32) -> f32 {
    return clamp(2.0 * ior - 2.0, 0.0, 1.0);
}

// All levels for a rough surface.
fn behind_at(at: vec2f, roughness: f32, ior: f32) -> vec3f {
    let size = vec2f(textureDimensions(behind));
    let levels = log2(max(size.x, size.y));
    let last = f32(textureNumLevels(behind) - 1);
    let level = clamp(roughness * levels * shown_of_roughness(ior), 0.0, last);
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
// Where the eye's ray ends, bent by one index of refraction.
fn way_end(in: Varyings, surface: Surface, length: f32, ior: f32) -> vec3f {
    let ratio = 1.0 / ior;
    let cosine = dot(surface.normal, surface.view);
    let below = sqrt(max(1.0 - ratio * ratio * (1.0 - cosine * cosine), 0.0));
    let towards = (ratio * cosine - below) * surface.normal - ratio * surface.view;
    return in.position_world + length * towards;
}

// By one index of refraction.
fn seen_refracted(in: Varyings, surface: Surface, length: f32, ior: f32) -> vec3f {
    let end = draw.clip_from_world * vec4f(way_end(in, surface, length, ior), 1);
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

// Where light falls on the other side.
fn exit_of(in: Varyings, surface: Surface) -> vec3f {
#if volume
    return way_end(in, surface, thickness_at(in), material.layers.iors.g);
#else
    return in.position_world;
#endif
}

// Of light from the other side, what comes through: src/render/shading/through_light.rs.
fn transmitted_of(surface: Surface, light: Incident) -> vec3f {
    let cosine = dot(surface.normal, light.towards);
    let n_dot_l = clamp(-cosine, 0.0, 1.0);
    let mirrored = light.towards - 2.0 * cosine * surface.normal;
    let shown = shown_of_roughness(material.layers.iors.g);
    let alpha = max(sqrt(surface.alpha_squared) * shown, MIN_ROUGHNESS * MIN_ROUGHNESS);
    let lobe = mirrored_by_facets(surface.normal, surface.view, mirrored, n_dot_l, alpha * alpha);
    let fresnel = surface.ground_f0 + (surface.ground_f90 - surface.ground_f0) * lobe.y;
    return light.radiance * surface.layers.passed * ((1.0 - fresnel) * lobe.x * n_dot_l);
}
#endif
