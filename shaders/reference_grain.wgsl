// A surface that is rougher along one direction than across (KHR_materials_anisotropy), as src/render/shading/grain.rs has it.

#if grain
struct Grain {
    // Unit vectors in world space.
    along: vec3f,
    across: vec3f,
    // The lobe's width along and across.
    alpha: vec2f,
}

// `surface` has normal and roughness only.
fn grain_at(in: Varyings, surface: Surface) -> Grain {
    let tangent = normalize(in.tangent_world.xyz);
    let bitangent = cross(normalize(in.normal_world), tangent) * in.tangent_world.w;
    let rotation = material.layers.anisotropy_rotation;
    var direction = rotation;
    var strength = material.layers.anisotropy;
#if anisotropy_texture
    let texel = $anisotropy_sample.rgb;
    let turn = texel.rg * 2.0 - 1.0;
    direction = vec2f(rotation.x * turn.x - rotation.y * turn.y, rotation.y * turn.x + rotation.x * turn.y);
    strength *= texel.b;
#endif
    let along = direction.x * tangent + direction.y * bitangent;
    var grain: Grain;
    grain.along = normalized(along - dot(along, surface.normal) * surface.normal);
    grain.across = cross(surface.normal, grain.along);
    let across = surface.roughness * surface.roughness;
    grain.alpha = vec2f(mix(across, 1.0, strength * strength), across);
    return grain;
}

// Zero stays zero.
fn normalized(v: vec3f) -> vec3f {
    return v * inverseSqrt(max(dot(v, v), 1e-30));
}

// Of an isotropic surface of about the same albedo.
fn equivalent_roughness(grain: Grain) -> f32 {
    return clamp(sqrt(sqrt(0.5 * dot(grain.alpha, grain.alpha))), MIN_ROUGHNESS, 1.0);
}

fn grain_smith(grain: Grain, direction: vec3f, cosine: f32) -> f32 {
    return length(vec3f(grain.alpha * vec2f(dot(grain.along, direction), dot(grain.across, direction)), cosine));
}

// Distribution times visibility.
fn mirrored_along_grain(surface: Surface, light: vec3f, n_dot_l: f32) -> f32 {
    let grain = surface.layers.grain;
    let half = light + surface.view;
    let product = grain.alpha.x * grain.alpha.y;
    let along = n_dot_l + dot(surface.normal, surface.view);
    if (along <= 0.0) {
        return 0.0;
    }
    let n_dot_v = lobe_n_dot_v(surface.normal, surface.view);
    let stretched = vec3f(
        grain.alpha.y * dot(grain.along, half),
        grain.alpha.x * dot(grain.across, half),
        product * along,
    );
    let spread = product * dot(half, half) / dot(stretched, stretched);
    let smith = n_dot_l * grain_smith(grain, surface.view, n_dot_v)
        + n_dot_v * grain_smith(grain, light, n_dot_l);
    return product * spread * spread * 0.5 / (PI * smith);
}

// The environment in the mirror directions of eight facets that lean along the grain, of which the eye sees as much of each.
fn gathered_along_grain(surface: Surface) -> vec3f {
    let grain = surface.layers.grain;
    let a2 = grain.alpha * grain.alpha;
    let width = sqrt(max(a2.x - a2.y, 0.0));
    let blur = 0.06 * width;
    let n_dot_v = max(dot(surface.normal, surface.view), 1e-4);
    let away = bent(sqrt(grain.alpha.y), n_dot_v);
    // Angles whose tangent is a facet's slope over the width; the eye sees those within a right angle of its own.
    let eye = atan2(width * dot(surface.view, grain.along), n_dot_v);
    let first = sin(max(-0.5 * PI - eye, -0.5 * PI));
    let last = sin(min(0.5 * PI - eye, 0.5 * PI));
    var sum = vec4f();
    for (var nth = 0; nth < 8; nth++) {
        let lean = eye + asin(mix(first, last, (f32(nth) + 0.5) / 8.0));
        let leaning = cos(lean) * surface.normal + width * sin(lean) * grain.along;
        let facet = normalized(leaning);
        let towards_eye = max(dot(surface.view, facet), 0.0);
        let mirror = 2.0 * towards_eye * facet - surface.view;
        let above = max(dot(mirror, surface.normal), 1e-6);
        let weight = above / (above + grain_smith(grain, mirror, above));
        let leaned = sin(lean) * grain.alpha.y / grain.alpha.x;
        let across = grain.alpha.y * sqrt(max(1.0 - leaned * leaned, 0.0)) / length(leaning);
        let roughness = min(sqrt(length(vec2f(blur, across))), 1.0);
        let direction = mix(mirror, surface.normal, away);
        sum += weight * vec4f(prefiltered_radiance(direction, roughness), 1.0);
    }
    return sum.rgb / sum.a;
}
#endif
