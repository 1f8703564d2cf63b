// The environment as background: one triangle over the whole picture at the far plane, drawn after what hides it.

struct Varyings {
    @builtin(position) position: vec4f,
    @location(0) direction_world: vec3f,
}

@vertex
fn vertex(@builtin(vertex_index) vertex_index: u32) -> Varyings {
    let corner = vec2f(f32(vertex_index & 1), f32(vertex_index >> 1)) * 4.0 - 1.0;
    var out: Varyings;
    out.position = vec4f(corner, 1, 1);
    out.direction_world =
        (frame.sky_center_world + corner.x * frame.sky_right_world + corner.y * frame.sky_up_world).xyz;
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4f {
    let radiance = environment_level(octahedral(in.direction_world), 0.0);
#if displayed
    return vec4f(displayable(radiance), 1);
#else
    return vec4f($kept(radiance), 1);
#endif
}
