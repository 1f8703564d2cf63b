// A clear varnish (KHR_materials_clearcoat), as src/render/shading/coat.rs has it: 4 % at normal incidence.

#if coat
struct Coat {
    // Unit vector in world space.
    normal: vec3f,
    n_dot_v: f32,
    factor: f32,
    roughness: f32,
    // Of even light, what it reflects, later bounces included, times the factor.
    share: f32,
    // What later bounces add to its lobe.
    later_bounces: f32,
}

fn coat_at(in: Varyings, facing: f32, surface: Surface) -> Coat {
    const F0 = 0.04;
    var coat: Coat;
    coat.factor = material.layers.clearcoat * $clearcoat_sample.r;
    coat.roughness = clamp(material.layers.clearcoat_roughness * $clearcoat_roughness_sample.g, MIN_ROUGHNESS, 1.0);
#if clearcoat_normal_texture
    coat.normal = mapped_normal(in, facing, $clearcoat_normal_sample.xyz, material.layers.clearcoat_normal_scale);
#else
    coat.normal = facing * normalize(in.normal_world);
#endif
    coat.n_dot_v = max(dot(coat.normal, surface.view), 1e-4);
    let albedo = lobe_albedo(coat.roughness, coat.n_dot_v);
    let single = F0 * (albedo.x - albedo.y) + albedo.y;
    let again = (F0 * 20.0 + 1.0) / 21.0 * (1.0 - albedo.x);
    coat.share = single / (1.0 - again) * coat.factor;
    coat.later_bounces = 1.0 + F0 * (1.0 / albedo.x - 1.0);
    return coat;
}

// GGX and Schlick's term as the ground has them.
fn coat_reflected(coat: Coat, view: vec3f, light: vec3f) -> f32 {
    let n_dot_l = clamp(dot(coat.normal, light), 0.0, 1.0);
    let alpha = coat.roughness * coat.roughness;
    let lobe = mirrored_by_facets(coat.normal, view, light, n_dot_l, alpha * alpha);
    let fresnel = 0.04 + 0.96 * lobe.y;
    return coat.factor * fresnel * lobe.x * coat.later_bounces * n_dot_l;
}
#endif
