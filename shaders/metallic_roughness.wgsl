// glTF's metallic-roughness surface (glTF 2.0, section 3.9 and appendix B) in the light of one sun, without light from around:
// the formulas of azulejo's own program.

struct Frame {
    // World space.
    eye: vec3<f32>,
    normal_scale: f32,
    // Unit vector, world space.
    towards_sun: vec3<f32>,
    metallic: f32,
    // Lux, linear.
    sun: vec3<f32>,
    roughness: f32,
    base_color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var filtered: sampler;
@group(0) @binding(2) var base_color: texture_2d<f32>;
@group(0) @binding(3) var metallic_roughness: texture_2d<f32>;
@group(0) @binding(4) var normal_map: texture_2d<f32>;

const PI = 3.14159265;
const LEAST_ROUGHNESS = 0.045;
const LEAST_COSINE = 1e-4;

// sqrt(cosine^2 (1 - alpha^2) + alpha^2), of Smith's masking.
fn smith(cosine: f32, a2: f32) -> f32 {
    return sqrt(cosine * cosine * (1.0 - a2) + a2);
}

// Share of even light that a perfect mirror of this roughness reflects in one bounce, a fit.
fn albedo(alpha: f32, cosine: f32) -> f32 {
    let t = cosine / (cosine + alpha);
    let smooth_part = ((-0.6762 * t * t + 1.974) * t - 1.2836) * t * t + 0.9912;
    let roughest = ((-34.9895 * t + 37.2575) * t - 12.6317) * t + 2.2357;
    let rough = (((-41.2464 * t + 100.7852) * t - 80.4376) * t + 27.6198) * t - 5.7632;
    return min((roughest * alpha + rough) * alpha * alpha * t + smooth_part, 1.0);
}

@fragment
fn main(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(4) uv: vec2<f32>,
    @builtin(front_facing) front: bool,
) -> @location(0) vec4<f32> {
    let color = frame.base_color.rgb * textureSample(base_color, filtered, uv).rgb;
    let surface = textureSample(metallic_roughness, filtered, uv);
    let map = (textureSample(normal_map, filtered, uv).xyz * 2.0 - 1.0) * vec3(frame.normal_scale, frame.normal_scale, 1.0);

    let geometric = normalize(normal);
    let along_u = normalize(tangent.xyz);
    let mapped = map.x * along_u + map.y * tangent.w * cross(geometric, along_u) + map.z * geometric;
    let n = normalize(mapped) * select(-1.0, 1.0, front);
    let v = normalize(frame.eye - position);
    let facing = dot(n, v);
    let cosine = dot(n, frame.towards_sun);
    if cosine <= 0.0 {
        return vec4(0.0, 0.0, 0.0, 1.0);
    }

    let metallic = frame.metallic * surface.b;
    let roughness = clamp(frame.roughness * surface.g, LEAST_ROUGHNESS, 1.0);
    let alpha = roughness * roughness;
    let a2 = alpha * alpha;
    let f0 = mix(vec3(0.04), color, metallic);

    // GGX with Smith's masking; |h|^2 - (n . h)^2 is |n x h|^2, which does not cancel where the highlight is.
    let half = frame.towards_sun + v;
    let aside = cross(n, half);
    let across = dot(aside, aside);
    let along = cosine + facing;
    let length_squared = across + along * along;
    let spread = along * along * a2 + across;
    let seen = max(abs(facing), LEAST_COSINE);
    let masking = cosine * smith(seen, a2) + seen * smith(cosine, a2);
    var specular = 0.0;
    if along >= LEAST_COSINE {
        specular = a2 * length_squared * length_squared * cosine * (0.5 / PI) / (spread * spread * masking);
    }
    let grazing = max(1.0 - 0.5 * sqrt(length_squared), 0.0);
    let grazing_squared = grazing * grazing;
    let fresnel = f0 + (1.0 - f0) * (grazing_squared * grazing_squared * grazing);

    let given_back = 1.0 + f0 * (1.0 / albedo(alpha, max(facing, LEAST_COSINE)) - 1.0);
    let diffuse = color * (1.0 - metallic) * (cosine / PI);
    let reflected = fresnel * (specular * given_back - diffuse) + diffuse;
    return vec4(reflected * frame.sun, 1.0);
}
