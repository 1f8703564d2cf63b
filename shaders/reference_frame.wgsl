// What the reference renderer's shaders share: the frame's values and the environment.
//
// These files are templates: src/reference/specialize.rs resolves `#if NAME`, `#else`, `#endif`, `#each NAME` .. `#endeach`
// (with $i) and $names for one pipeline, so that the driver compiles neither inputs nor branches that a draw has no use for.

struct Light {
    position_world: vec3f,
    // 1 / range^2; 0 reaches everywhere.
    inverse_range_squared: f32,
    direction_world: vec3f,
    // Spot: attenuation = saturate(cos * scale + offset)^2.
    angle_scale: f32,
    radiance: vec3f,
    angle_offset: f32,
}

struct Frame {
    // Directions of the picture's centre, right edge and upper edge, for the sky.
    sky_center_world: vec4f,
    sky_right_world: vec4f,
    sky_up_world: vec4f,
    eye_world: vec3f,
    exposure: f32,
    // Irradiance / pi by normal, the nodes of an octahedral grid of edge 33, row by row.
    irradiance: array<vec4f, 1089>,
    // Edge of level 0 in texels, and the highest level.
    environment_size: f32,
    environment_top_level: f32,
    lights: array<Light, $light_slots>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> joints: array<mat4x4f>;
@group(0) @binding(2) var<storage, read> morph_weights: array<f32>;
@group(0) @binding(3) var environment: texture_2d<f32>;
@group(0) @binding(4) var environment_sampler: sampler;

// A direction's place in the octahedral square, -1..1; +Y is the centre.
fn octahedral(direction: vec3f) -> vec2f {
    let d = direction / (abs(direction.x) + abs(direction.y) + abs(direction.z));
    let folded = (1.0 - abs(d.zx)) * select(vec2f(-1), vec2f(1), d.xz >= vec2f(0));
    return select(folded, d.xz, d.y >= 0.0);
}

// One level of the environment, whose outermost texels repeat what lies across the edge.
fn environment_level(square: vec2f, level: f32) -> vec3f {
    let edge = frame.environment_size * exp2(-level);
    let uv = (square * 0.5 + 0.5) * ((edge - 2.0) / edge) + 1.0 / edge;
    return textureSampleLevel(environment, environment_sampler, uv, level).rgb;
}

