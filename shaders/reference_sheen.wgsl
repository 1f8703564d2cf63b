// Fibres on a surface (KHR_materials_sheen), as src/render/shading/sheen.rs has them: Estevez' and Kulla's lobe.

#if sheen
struct Sheen {
    color: vec3f,
    // Perceptual roughness squared.
    alpha: f32,
    n_dot_v: f32,
    // What white sheen reflects of even light.
    albedo: f32,
}

fn sheen_at(in: Varyings, surface: Surface) -> Sheen {
    let roughness = clamp(material.layers.sheen_roughness * $sheen_roughness_sample.a, 0.07, 1.0);
    var sheen: Sheen;
    sheen.color = material.layers.sheen_color * $sheen_color_sample.rgb;
    sheen.alpha = roughness * roughness;
    sheen.n_dot_v = min(surface.n_dot_v, 1.0);
    sheen.albedo = sheen_albedo(roughness, sheen.n_dot_v);
    return sheen;
}

fn below_sheen(sheen: Sheen) -> f32 {
    return 1.0 - max(max(sheen.color.r, sheen.color.g), sheen.color.b) * sheen.albedo;
}

// A minimax fit, see there.
fn sheen_albedo(roughness: f32, n_dot_v: f32) -> f32 {
    let r = roughness;
    let r2 = r * r;
    let powers = vec4f(1.0, r, r2, r2 * r);
    let r4 = r2 * r2;
    let row_0 = dot(vec4f(0.04617, 1.06011, -7.82703, 12.26618), powers) - 5.73953 * r4;
    let row_1 = dot(vec4f(0.60759, -3.91339, 14.96095, -16.90141), powers) + 6.54476 * r4;
    let row_2 = dot(vec4f(-4.35522, 7.57147, -22.88005, 16.78251), powers) - 4.71531 * r4;
    let row_3 = dot(vec4f(3.99975, -16.63017, 36.81974, -28.08697), powers) + 8.02578 * r4;
    let root = sqrt(n_dot_v);
    let exponent = row_0 + root * (row_1 + root * (row_2 + root * row_3));
    return min(exp2(exponent / roughness), 1.0);
}

// The logarithm of lambda below a cosine of 1/2.
fn sheen_fit(alpha: f32, x: f32) -> f32 {
    let weight = (1.0 - alpha) * (1.0 - alpha);
    let p = mix(21.5473, 25.3245, weight);
    let q = mix(3.82987, 3.32435, weight);
    let r = mix(0.19823, 0.16801, weight);
    let s = mix(-1.97760, -1.27393, weight);
    let t = mix(-4.32054, -4.85967, weight);
    return p / (1.0 + q * pow(x, r)) + s * x + t;
}

fn sheen_lambda(alpha: f32, cosine: f32) -> f32 {
    if (cosine < 0.5) {
        return exp(sheen_fit(alpha, cosine));
    }
    return exp(2.0 * sheen_fit(alpha, 0.5) - sheen_fit(alpha, 1.0 - cosine));
}

// Times n dot l, which the visibility's denominator cancels.
fn sheen_reflected(surface: Surface, light: vec3f) -> vec3f {
    let cosine = dot(surface.normal, light);
    if (cosine <= 0.0) {
        return vec3f(0);
    }
    let sheen = surface.layers.sheen;
    let n_dot_l = clamp(cosine, 1e-4, 1.0);
    let aside = cross(surface.normal, normalize(light + surface.view));
    let distribution = (2.0 + 1.0 / sheen.alpha) * pow(dot(aside, aside), 0.5 / sheen.alpha) / (2.0 * PI);
    let masking = 1.0 + sheen_lambda(sheen.alpha, sheen.n_dot_v) + sheen_lambda(sheen.alpha, n_dot_l);
    return sheen.color * (distribution / (masking * 4.0 * sheen.n_dot_v));
}
#endif
