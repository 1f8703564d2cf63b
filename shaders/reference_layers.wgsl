// Metallic-roughness with what glTF's extensions lay over it, as src/render/shading/layered.rs does it, from the ground up:
// grain (reference_grain.wgsl), a thin film (reference_film.wgsl), light that comes through (reference_through.wgsl), sheen
// (reference_sheen.wgsl) and a coat (reference_coat.wgsl).
//
// radiance = ((base of environment, lights and what comes through) (sheen's share for what lies below) + sheen + emission)
//            (coat's share) + coat

// Of a material; in the order of src/reference/layers.rs.
struct Layers {
    sheen_color: vec3f,
    sheen_roughness: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal_scale: f32,
    anisotropy: f32,
    // Cosine and sine.
    anisotropy_rotation: vec2f,
    film: f32,
    film_ior: f32,
    // Nanometres where the texture is 0, and what is added where it is 1.
    film_thickness: vec2f,
    transmission: f32,
    // In the mesh's space.
    thickness: f32,
    // ln(attenuation color) / attenuation distance, by metre.
    absorption: vec3f,
    diffuse_transmission: f32,
    diffuse_transmission_color: vec3f,
    // Indices of refraction of red, green and blue.
    iors: vec3f,
}

// The layers at a point, for one view.
struct SurfaceLayers {
    // What sheen and coat leave to what lies below them.
    below_sheen: f32,
    below_coat: f32,
#if grain
    grain: Grain,
#endif
#if sheen
    sheen: Sheen,
#endif
#if coat
    coat: Coat,
#endif
#if transmission
    // Where light falls on the other side, and the share of it between facets that leaves towards the eye.
    exit: vec3f,
    passed: vec3f,
#endif
#if diffuse_transmission
    // Share of light from the other side that leaves towards the eye, times pi.
    other_side: vec3f,
#endif
}

// What ground and layers reflect of light from one direction, times n dot l.
fn reflected_by_layers(surface: Surface, light: vec3f) -> vec3f {
    var below = reflected(surface, light);
#if diffuse_transmission
    below += surface.layers.other_side * (max(-dot(surface.normal, light), 0.0) / PI);
#endif
    below *= surface.layers.below_sheen;
#if sheen
    below += sheen_reflected(surface, light);
#endif
    below *= surface.layers.below_coat;
#if coat
    below += coat_reflected(surface.layers.coat, surface.view, light);
#endif
    return below;
}

// The same of the environment, occlusion left out.
fn image_based_light_by_layers(surface: Surface) -> vec3f {
#if grain
    let prefiltered = gathered_along_grain(surface);
#else
    let prefiltered = gathered(surface.normal, surface.view, surface.n_dot_v, surface.roughness);
#endif
    var around = image_based_light(surface, prefiltered);
#if grain
    // Of later bounces, those that stay in the groove.
    let widths = surface.layers.grain.alpha;
    let later = multiple_scattering(surface, single_scattering(surface, surface.f0));
    around += (1.0 - widths.y / widths.x) * later * (prefiltered - irradiance(surface.normal));
#endif
#if diffuse_transmission
    around += irradiance(-surface.normal) * surface.layers.other_side;
#endif
    around *= surface.layers.below_sheen;
#if sheen
    around += surface.layers.sheen.color * surface.layers.sheen.albedo * irradiance(surface.normal);
#endif
    around *= surface.layers.below_coat;
#if coat
    let coat = surface.layers.coat;
    around += coat.share * gathered(coat.normal, surface.view, coat.n_dot_v, coat.roughness);
#endif
    return around;
}

#if lit
fn shade(in: Varyings, front: bool, base_color: vec3f) -> vec3f {
    let facing = select(-1.0, 1.0, front);
    var surface = surface_at(in, facing, base_color);
    surface.layers.below_sheen = 1.0;
    surface.layers.below_coat = 1.0;
#if sheen
    surface.layers.sheen = sheen_at(in, surface);
    surface.layers.below_sheen = below_sheen(surface.layers.sheen);
#endif
#if coat
    surface.layers.coat = coat_at(in, facing, surface);
    surface.layers.below_coat = 1.0 - surface.layers.coat.share;
#endif
#if film
    surface = below_film(in, surface);
#endif
    var radiance = emitted(in);
    let left = left_for_ground(surface);
    var kept = 1.0;
#if transmission
    let through = material.layers.transmission * $transmission_sample.r;
    let passed = surface.diffuse_color * (through * surface.layers.below_sheen);
    radiance += seen_through(in, surface) * passed * left;
    surface.layers.passed = passed * absorbed(thickness_at(in)) * surface.layers.below_coat;
    surface.layers.exit = exit_of(in, surface);
    kept -= through;
#endif
#if diffuse_transmission
    let scattered = material.layers.diffuse_transmission * $diffuse_transmission_sample.a;
    surface.layers.other_side = material.layers.diffuse_transmission_color * $diffuse_transmission_color_sample.rgb
        * absorbed(thickness_at(in)) * (scattered * kept * left * (1.0 - surface.metallic));
    kept *= 1.0 - scattered;
#endif
    surface.diffuse_color *= kept;
    radiance *= surface.layers.below_coat;
#if environment
    radiance += image_based_light_by_layers(surface) * surface.openness;
#endif
    return with_lights(surface, in.position_world, radiance);
}
#endif
