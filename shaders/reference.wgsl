// The reference renderer's scene shader: one draw of a glTF primitive, shaded as src/render/shading does it.
// Groups: 0 the frame (reference_frame.wgsl), 1 the draw and its geometry, 2 the material, 3 what lies behind it.
//
// Materials with layers add to it: reference_layers.wgsl has the order of the layers and names their files.

struct Draw {
    clip_from_world: mat4x4f,
    world_from_local: mat4x4f,
    // Inverse transpose of world_from_local's upper 3x3, up to a positive factor.
    world_from_local_normal: mat3x3f,
    first_joint: u32,
    first_morph_weight: u32,
    morph_targets: u32,
    vertices: u32,
    // Length in the world of what has length 1 in the mesh's space.
    scale: f32,
}

struct Material {
    base_color: vec4f,
    emissive: vec3f,
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    // Of what is no metal: reflectance at normal incidence, and the weight of its reflection.
    dielectric_f0: vec3f,
    specular: f32,
    // By interpolated coordinate: rows of the 2x3 matrix that KHR_texture_transform gives.
    tex_coord_transforms: array<array<vec4f, 2>, $coord_slots>,
#if layered
    layers: Layers,
#endif
}

struct Influence {
    joints: vec4u,
    weights: vec4f,
}

@group(1) @binding(0) var<uniform> draw: Draw;
@group(1) @binding(1) var<storage, read> influences: array<Influence>;
@group(1) @binding(2) var<storage, read> displacements: array<f32>;

@group(2) @binding(0) var<uniform> material: Material;
#if layered
// Only those that the material has: there are more slots than a stage may have textures.
#each material_textures
@group(2) @binding(1 + 2 * $i) var texture_$i: texture_2d<f32>;
@group(2) @binding(2 + 2 * $i) var sampler_$i: sampler;
#endeach
#else
@group(2) @binding(1) var base_color_texture: texture_2d<f32>;
@group(2) @binding(2) var base_color_sampler: sampler;
@group(2) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(2) @binding(4) var metallic_roughness_sampler: sampler;
@group(2) @binding(5) var normal_texture: texture_2d<f32>;
@group(2) @binding(6) var normal_sampler: sampler;
@group(2) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(2) @binding(8) var occlusion_sampler: sampler;
@group(2) @binding(9) var emissive_texture: texture_2d<f32>;
@group(2) @binding(10) var emissive_sampler: sampler;
@group(2) @binding(11) var specular_texture: texture_2d<f32>;
@group(2) @binding(12) var specular_sampler: sampler;
@group(2) @binding(13) var specular_color_texture: texture_2d<f32>;
@group(2) @binding(14) var specular_color_sampler: sampler;
#endif

struct Vertex {
    @location(0) position: vec3f,
#if normal
    @location(1) normal: vec3f,
#endif
#if tangent
    @location(2) tangent: vec4f,
#endif
#if color
    @location(3) color: vec4f,
#endif
#each vertex_tex_coords
    @location(4 + $i) tex_coord_$i: vec2f,
#endeach
}

struct Varyings {
    @builtin(position) position: vec4f,
#if normal
    @location(0) position_world: vec3f,
    @location(1) normal_world: vec3f,
#endif
#if tangent
    @location(2) tangent_world: vec4f,
#endif
#if color
    @location(3) color: vec4f,
#endif
#each tex_coords
    @location(4 + $i) tex_coord_$i: vec2f,
#endeach
}

#if skin_sets
fn skin_matrix(vertex_index: u32) -> mat4x4f {
    var world_from_mesh = mat4x4f();
    for (var four = 0u; four < $skin_sets; four++) {
        let influence = influences[vertex_index * $skin_sets + four];
        let at = draw.first_joint + influence.joints;
        world_from_mesh += influence.weights.x * joints[at.x] + influence.weights.y * joints[at.y]
            + influence.weights.z * joints[at.z] + influence.weights.w * joints[at.w];
    }
    return world_from_mesh;
}
#endif

#if morph
fn displacement(at: u32) -> vec3f {
    return vec3f(displacements[at], displacements[at + 1], displacements[at + 2]);
}

// A vertex's displacements lie together, in the order of the streams below.
fn morphed(vertex: Vertex, vertex_index: u32) -> Vertex {
    var out = vertex;
    for (var shape = 0u; shape < draw.morph_targets; shape++) {
        let weight = morph_weights[draw.first_morph_weight + shape];
        let at = (shape * draw.vertices + vertex_index) * $morph_stride;
        out.position += weight * displacement(at);
#if normal
        out.normal += weight * displacement(at + 3);
#endif
#if tangent
        out.tangent += weight * vec4f(displacement(at + 6), 0);
#endif
#if color
        out.color += weight * vec4f(displacement(at + 9), displacements[at + 12]);
#endif
#each vertex_tex_coords
        out.tex_coord_$i += weight * vec2f(displacements[at + 13 + 2 * $i], displacements[at + 14 + 2 * $i]);
#endeach
    }
#if color
#if morph_color
    // glTF 2.0, 3.7.2.2: a colour's deltas may leave the range that colours have.
    out.color = saturate(out.color);
#endif
#endif
    return out;
}
#endif

// KHR_texture_transform.
fn moved_tex_coord(tex_coord: vec2f, coord: u32) -> vec2f {
    let row_u = material.tex_coord_transforms[coord][0];
    let row_v = material.tex_coord_transforms[coord][1];
    return vec2f(dot(row_u.xy, tex_coord) + row_u.z, dot(row_v.xy, tex_coord) + row_v.z);
}

@vertex
fn vertex(attributes: Vertex, @builtin(vertex_index) vertex_index: u32) -> Varyings {
#if morph
    let local = morphed(attributes, vertex_index);
#else
    let local = attributes;
#endif
#if skin_sets
    let world_from_local = skin_matrix(vertex_index);
    let world_from_local_normal = normal_matrix(world_from_local);
#else
    let world_from_local = draw.world_from_local;
    let world_from_local_normal = draw.world_from_local_normal;
#endif
    let position_world = world_from_local * vec4f(local.position, 1);
    var out: Varyings;
    out.position = draw.clip_from_world * position_world;
#if normal
    out.position_world = position_world.xyz;
    out.normal_world = world_from_local_normal * local.normal;
#endif
#if tangent
    out.tangent_world = vec4f((world_from_local * vec4f(local.tangent.xyz, 0)).xyz, local.tangent.w);
#endif
#if color
    out.color = local.color;
#endif
$tex_coord_assignments
    return out;
}

#if skin_sets
// The inverse transpose of the upper 3x3, times its determinant's absolute value.
fn normal_matrix(m: mat4x4f) -> mat3x3f {
    let cofactors = mat3x3f(cross(m[1].xyz, m[2].xyz), cross(m[2].xyz, m[0].xyz), cross(m[0].xyz, m[1].xyz));
    return cofactors * select(1.0, -1.0, dot(m[0].xyz, cofactors[0]) < 0.0);
}
#endif

// A texture's colour. Drivers may round the level of detail; where pictures must be exact it is computed as Vulkan states it.
fn sampled(image: texture_2d<f32>, filtering: sampler, coord: vec2f) -> vec4f {
#if exact
    let size = vec2f(textureDimensions(image));
    let along_x = dpdxCoarse(coord) * size;
    let along_y = dpdyCoarse(coord) * size;
    let scale_squared = max(max(dot(along_x, along_x), dot(along_y, along_y)), 1e-12);
    return textureSampleLevel(image, filtering, coord, 0.5 * log2(scale_squared));
#else
    return textureSample(image, filtering, coord);
#endif
}

const PI = 3.14159265358979;
const MIN_ROUGHNESS = 0.045;

struct Surface {
    // Unit vectors in world space; view points to the eye.
    normal: vec3f,
    view: vec3f,
    n_dot_v: f32,
    diffuse_color: vec3f,
    f0: vec3f,
    f90: f32,
    // What is no metal, before `metallic` mixes it: the largest channel of f0, and f90.
    ground_f0: f32,
    ground_f90: f32,
    roughness: f32,
    // roughness^4, the square of GGX's alpha.
    alpha_squared: f32,
    // What the specular lobe reflects of even light in one bounce: total and grazing part (src/render/shading/albedo.rs).
    albedo: vec2f,
    metallic: f32,
    // How open the point is to its surroundings.
    openness: f32,
#if layered
    layers: SurfaceLayers,
#endif
}

// Minimax fits, see there.
fn lobe_albedo(roughness: f32, n_dot_v: f32) -> vec2f {
    let alpha = roughness * roughness;
    let t = n_dot_v / (n_dot_v + alpha);
    let t2 = t * t;
    let powers = vec4f(1.0, t, t2, t2 * t);
    let smooth_part = 0.9912 - 1.2836 * t2 + 1.974 * t2 * t - 0.6762 * t2 * t2 * t;
    let rough = dot(vec4f(-5.7632, 27.6198, -80.4376, 100.7852), powers) - 41.2464 * t2 * t2;
    let roughest = dot(vec4f(2.2357, -12.6317, 37.2575, -34.9895), powers);
    let total = min(smooth_part + alpha * alpha * t * (rough + alpha * roughest), 1.0);
    let r = vec4f(1.0, roughness, alpha, roughness * alpha);
    let grazing = dot(vec4f(1.1928, -3.646, 4.0692, -1.5744), r) + t2 * (
        dot(vec4f(-3.4885, 24.1473, -37.675, 16.4206), r)
        + t * dot(vec3f(6.5081, -36.5767, 31.8239), r.xyz)
        + t2 * dot(vec2f(-3.2475, 16.6888), r.xy));
    let x = 1.0 - min(n_dot_v, 1.0);
    let x2 = x * x;
    return vec2f(total, clamp(grazing * (x2 * x2 * x), 0.0, total));
}

fn single_scattering(surface: Surface, f0: vec3f) -> vec3f {
    return f0 * (surface.albedo.x - surface.albedo.y) + surface.f90 * surface.albedo.y;
}

// Of the light that left a facet, the share that meets another one and is reflected there too.
fn reflected_again(surface: Surface, f0: vec3f) -> vec3f {
    return min(f0 * (20.0 / 21.0) + surface.f90 / 21.0, vec3f(1)) * (1.0 - surface.albedo.x);
}

// As masking and shadowing take it.
fn lobe_n_dot_v(normal: vec3f, view: vec3f) -> f32 {
    return max(abs(dot(normal, view)), 1e-4);
}

// Of light at cosine `n_dot_l` what a GGX lobe with the square `a2` of its width mirrors, D Vis, and Schlick's (1 - V.H)^5.
fn mirrored_by_facets(normal: vec3f, view: vec3f, light: vec3f, n_dot_l: f32, a2: f32) -> vec2f {
    let half = normalize(light + view);
    let n_dot_h = clamp(dot(normal, half), 0.0, 1.0);
    // 1 - (n . h)^2 is |n x h|^2, which does not cancel where the highlight is.
    let aside = cross(normal, half);
    let f = dot(aside, aside) + a2 * (n_dot_h * n_dot_h);
    // The normal may face away from the eye, but not from a facet.
    let distribution = select(0.0, a2 / (PI * f * f), n_dot_h > 0.0);
    let n_dot_v = lobe_n_dot_v(normal, view);
    let smith_v = n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2);
    let smith_l = n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2);
    let visibility = 0.5 / max(smith_v + smith_l, 1e-6);
    let x = 1.0 - clamp(dot(view, half), 0.0, 1.0);
    let x2 = x * x;
    return vec2f(distribution * visibility, x2 * x2 * x);
}

// Lambert and GGX with height-correlated Smith visibility and Schlick's Fresnel term (glTF 2.0, appendix B), times
// n dot l.
fn reflected(surface: Surface, light: vec3f) -> vec3f {
    let n_dot_l = clamp(dot(surface.normal, light), 0.0, 1.0);
    let lobe = mirrored_by_facets(surface.normal, surface.view, light, n_dot_l, surface.alpha_squared);
#if grain
    let mirrored = mirrored_along_grain(surface, light, n_dot_l);
#else
    let mirrored = lobe.x;
#endif
    let fresnel = surface.f0 + (surface.f90 - surface.f0) * lobe.y;
#if dielectric
    let covered = vec3f(surface.ground_f0 + (surface.ground_f90 - surface.ground_f0) * lobe.y);
#else
    let covered = fresnel;
#endif
    let diffuse = (1.0 - covered) * surface.diffuse_color * (1.0 / PI);
    let later_bounces = 1.0 + surface.f0 * (1.0 / surface.albedo.x - 1.0);
    return (diffuse + fresnel * mirrored * later_bounces) * n_dot_l;
}

// Light of one source where it falls on a surface.
struct Incident {
    // Unit vector to where it comes from, world space.
    towards: vec3f,
    radiance: vec3f,
}

fn directional_light(position_world: vec3f, light: Light) -> Incident {
    return Incident(-light.direction_world, light.radiance);
}

// KHR_lights_punctual: inverse square, windowed by the range.
fn point_light(position_world: vec3f, light: Light) -> Incident {
    let to_light = light.position_world - position_world;
    let distance_squared = dot(to_light, to_light);
    let falloff = distance_squared * light.inverse_range_squared;
    let window = clamp(1.0 - falloff * falloff, 0.0, 1.0);
    let attenuation = window / max(distance_squared, 1e-8);
    return Incident(to_light * inverseSqrt(max(distance_squared, 1e-8)), light.radiance * attenuation);
}

fn spot_light(position_world: vec3f, light: Light) -> Incident {
    let incident = point_light(position_world, light);
    let cosine = dot(light.direction_world, -incident.towards);
    let cone = clamp(cosine * light.angle_scale + light.angle_offset, 0.0, 1.0);
    return Incident(incident.towards, incident.radiance * (cone * cone));
}

// Bilinear among the nodes of a grid of edge 33.
fn irradiance(n: vec3f) -> vec3f {
    let at = octahedral(n) * 16.0 + 16.0;
    let corner = min(vec2i(at), vec2i(31));
    let part = at - vec2f(corner);
    let first = 33 * corner.y + corner.x;
    let map = &frame.irradiance;
    let upper = mix(map[first].xyz, map[first + 1].xyz, part.x);
    let lower = mix(map[first + 33].xyz, map[first + 34].xyz, part.x);
    return mix(upper, lower, part.y);
}

fn prefiltered_radiance(direction: vec3f, roughness: f32) -> vec3f {
    let square = octahedral(direction);
    let level = roughness * frame.environment_top_level;
    let lower = floor(level);
    let upper = min(lower + 1.0, frame.environment_top_level);
    return mix(environment_level(square, lower), environment_level(square, upper), level - lower);
}

// How far a lobe points from the mirror direction towards the normal.
fn bent(roughness: f32, n_dot_v: f32) -> f32 {
    return roughness * roughness * (1.0 - (1.0 - roughness) * n_dot_v);
}

// What a lobe gathers: the environment where it points, as blurred as it is wide.
fn gathered(normal: vec3f, view: vec3f, n_dot_v: f32, roughness: f32) -> vec3f {
    let reflection = reflect(-view, normal);
    return prefiltered_radiance(mix(reflection, normal, bent(roughness, n_dot_v)), roughness);
}

// Of even light, what the lobe leaves to the ground.
fn left_for_ground(surface: Surface) -> f32 {
    let ground = vec3f(surface.ground_f0);
    return (1.0 - single_scattering(surface, ground) / (1.0 - reflected_again(surface, ground))).x;
}

// What later bounces between facets reflect of even light.
fn multiple_scattering(surface: Surface, single: vec3f) -> vec3f {
    let again = reflected_again(surface, surface.f0);
    return single * again / (1.0 - again);
}

fn image_based_light(surface: Surface, prefiltered: vec3f) -> vec3f {
    let even = irradiance(surface.normal);
    let single = single_scattering(surface, surface.f0);
    let around = multiple_scattering(surface, single) + left_for_ground(surface) * surface.diffuse_color;
    return prefiltered * single + even * around;
}

// Radiance that the surface sends out by itself.
fn emitted(in: Varyings) -> vec3f {
    var radiance = material.emissive;
#if emissive_texture
    radiance *= $emissive_sample.rgb;
#endif
    return radiance;
}

#if lit
#if tangent
// A normal map's texel in world space (glTF 2.0, 3.9.3); `facing` is -1 on back faces.
fn mapped_normal(in: Varyings, facing: f32, color: vec3f, scale: f32) -> vec3f {
    let texel = color * 2.0 - 1.0;
    let normal = normalize(in.normal_world);
    let tangent = normalize(in.tangent_world.xyz);
    let bitangent = cross(normal, tangent) * in.tangent_world.w;
    let scaled = texel * vec3f(scale, scale, 1.0);
    return facing * normalize(scaled.x * tangent + scaled.y * bitangent + scaled.z * normal);
}
#endif

// The metallic-roughness material at a point.
fn surface_at(in: Varyings, facing: f32, base_color: vec3f) -> Surface {
#if metallic_roughness_texture
    let orm = $metallic_roughness_sample;
    let metallic = material.metallic * orm.b;
    let roughness = clamp(material.roughness * orm.g, MIN_ROUGHNESS, 1.0);
#else
    let metallic = material.metallic;
    let roughness = clamp(material.roughness, MIN_ROUGHNESS, 1.0);
#endif
    var surface: Surface;
#if normal_map
    surface.normal = mapped_normal(in, facing, $normal_sample.xyz, material.normal_scale);
#else
    surface.normal = facing * normalize(in.normal_world);
#endif
    surface.view = normalize(frame.eye_world - in.position_world);
    surface.n_dot_v = max(dot(surface.normal, surface.view), 1e-4);
    surface.diffuse_color = base_color * (1.0 - metallic);
    surface.metallic = metallic;
#if dielectric
    surface.ground_f90 = material.specular;
#if specular_texture
    surface.ground_f90 *= $specular_sample.a;
#endif
    var dielectric_f0 = material.dielectric_f0;
#if specular_color_texture
    dielectric_f0 *= $specular_color_sample.rgb;
#endif
    dielectric_f0 = min(dielectric_f0, vec3f(1)) * surface.ground_f90;
    surface.ground_f0 = max(max(dielectric_f0.r, dielectric_f0.g), dielectric_f0.b);
    surface.f0 = mix(dielectric_f0, base_color, metallic);
    surface.f90 = mix(surface.ground_f90, 1.0, metallic);
#else
    surface.f0 = mix(vec3f(0.04), base_color, metallic);
    surface.f90 = 1.0;
    surface.ground_f0 = 0.04;
    surface.ground_f90 = 1.0;
#endif
    surface.roughness = roughness;
#if grain
    surface.layers.grain = grain_at(in, surface);
    surface.roughness = equivalent_roughness(surface.layers.grain);
#endif
    let alpha = surface.roughness * surface.roughness;
    surface.alpha_squared = alpha * alpha;
    surface.albedo = lobe_albedo(surface.roughness, surface.n_dot_v);
    surface.openness = 1.0;
#if environment
#if occlusion_texture
#if occlusion_in_metallic_roughness
    let occlusion = orm.r;
#else
    let occlusion = $occlusion_sample.r;
#endif
    surface.openness = 1.0 + material.occlusion_strength * (occlusion - 1.0);
#endif
#endif
    return surface;
}

fn reflected_of(surface: Surface, light: Incident) -> vec3f {
    return $reflected(surface, light.towards) * light.radiance;
}

// Adds what is reflected of all punctual lights, and what comes through of those behind the surface.
fn with_lights(surface: Surface, at: vec3f, others: vec3f) -> vec3f {
    var radiance = others;
#each directional_lights
    radiance += reflected_of(surface, directional_light(at, frame.lights[$i]));
#if transmission
    radiance += transmitted_of(surface, directional_light(surface.layers.exit, frame.lights[$i]));
#endif
#endeach
#each point_lights
    radiance += reflected_of(surface, point_light(at, frame.lights[$directional_lights + $i]));
#if transmission
    radiance += transmitted_of(surface, point_light(surface.layers.exit, frame.lights[$directional_lights + $i]));
#endif
#endeach
#each spot_lights
    radiance += reflected_of(surface, spot_light(at, frame.lights[$directional_lights + $point_lights + $i]));
#if transmission
    radiance += transmitted_of(surface, spot_light(surface.layers.exit, frame.lights[$directional_lights + $point_lights + $i]));
#endif
#endeach
    return radiance;
}

#if layered
#else
fn shade(in: Varyings, front: bool, base_color: vec3f) -> vec3f {
    let surface = surface_at(in, select(-1.0, 1.0, front), base_color);
    var radiance = emitted(in);
#if environment
    let prefiltered = gathered(surface.normal, surface.view, surface.n_dot_v, surface.roughness);
    radiance += image_based_light(surface, prefiltered) * surface.openness;
#endif
    return with_lights(surface, in.position_world, radiance);
}
#endif
#endif

#if masks_samples
struct Masked {
    @location(0) color: vec4f,
    @builtin(sample_mask) samples: u32,
}
#endif

@fragment
#if masks_samples
fn fragment(in: Varyings, @builtin(front_facing) front: bool) -> Masked {
#else
fn fragment(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4f {
#endif
    var base_color = material.base_color;
#if color
    base_color *= in.color;
#endif
#if base_color_texture
    base_color *= $base_color_sample;
#endif
#if masks_samples
    // The share of the pixel in which alpha is not below the cutoff.
    let slope = abs(dpdxFine(base_color.a)) + abs(dpdyFine(base_color.a));
    var share = select(0.0, 1.0, base_color.a >= material.alpha_cutoff);
    if (slope > 0.0) {
        share = saturate((base_color.a - material.alpha_cutoff) / slope + 0.5);
    }
    if (share <= 0.0) {
        discard;
    }
#else
#if mask
    if (base_color.a < material.alpha_cutoff) {
        discard;
    }
#endif
#endif
#if blend
    let alpha = saturate(base_color.a);
#else
    let alpha = 1.0;
#endif
#if lit
    let radiance = shade(in, front, base_color.rgb);
#else
#if emits_unlit
    let radiance = base_color.rgb + emitted(in);
#else
    let radiance = base_color.rgb;
#endif
#endif
#if displayed
    let color = vec4f(displayable(radiance) * alpha, alpha);
#else
    let color = vec4f($kept(radiance) * alpha, alpha);
#endif
#if masks_samples
    // Of a share above 0, 1/4, 1/2 and 3/4 the first, second, third and fourth.
    return Masked(color, (1u << u32(ceil(share * 4.0))) - 1u);
#else
    return color;
#endif
}
