//! A frame's values in, a list of draws with all that they bind out: what remains is to submit it, any number of times.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Mat4, Vec3, Vec4};

use super::ReferenceError;
use super::adapter::Gpu;
use super::frame_kind::FrameKind;
use super::geometry::{PrimitiveBuffers, VertexStreams};
use super::layouts::{Layouts, bind, buffer, storage_buffer};
use super::program::Pipelines;
use super::quality::Quality;
use super::shader_text::Program;
use super::upload::{BoundSurface, UploadedScene, upload_meshes};
use azulejo_grid::SampleCount;
use azulejo_render::{Background, FrameInput, ToneMap};
use azulejo_scene::{
    AlphaMode, Environment, IRRADIANCE_EDGE, Instance, LightInstance, LightKind, MaterialId, View,
    linear_from_rgb9e5,
};

/// Bytes from one draw's uniform to the next: WebGPU's greatest `minUniformBufferOffsetAlignment`.
const DRAW_STRIDE: usize = 256;

/// `Light` of the shaders.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct LightUniform {
    position_world: [f32; 3],
    inverse_range_squared: f32,
    direction_world: [f32; 3],
    angle_scale: f32,
    radiance: [f32; 3],
    angle_offset: f32,
}

impl LightUniform {
    fn of(light: &LightInstance) -> Self {
        let limited = light.range.is_finite() && light.range > 0.0;
        let (angle_scale, angle_offset) = match light.kind {
            LightKind::Spot {
                inner_angle,
                outer_angle,
            } => spot_falloff(inner_angle, outer_angle),
            LightKind::Directional | LightKind::Point => (0.0, 1.0),
        };
        Self {
            position_world: light.position_world.to_array(),
            inverse_range_squared: if limited {
                (light.range * light.range).recip()
            } else {
                0.0
            },
            direction_world: light.direction_world.to_array(),
            angle_scale,
            radiance: light.radiance.to_array(),
            angle_offset,
        }
    }
}

/// Scale and offset of the cosine (`KHR_lights_punctual`, "Inner and Outer Cone Angles").
fn spot_falloff(inner_angle: f32, outer_angle: f32) -> (f32, f32) {
    let scale = 1.0 / (inner_angle.cos() - outer_angle.cos()).max(0.001);
    (scale, -outer_angle.cos() * scale)
}

/// Directional, point, spot: the order of the shader's loops.
fn light_class(light: &LightInstance) -> usize {
    match light.kind {
        LightKind::Directional => 0,
        LightKind::Point => 1,
        LightKind::Spot { .. } => 2,
    }
}

/// `Frame` of the shaders without the lights, which follow.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FrameUniform {
    sky_center_world: Vec4,
    sky_right_world: Vec4,
    sky_up_world: Vec4,
    eye_world: Vec3,
    exposure: f32,
    /// Irradiance / pi, the texels of the octahedral map.
    irradiance: [[f32; 4]; IRRADIANCE_EDGE * IRRADIANCE_EDGE],
    environment_size: f32,
    environment_top_level: f32,
    padding: [f32; 2],
}

impl FrameUniform {
    fn of(input: &FrameInput<'_>) -> Self {
        let [center, right, up] = sky_directions(input.view);
        let environment = input.environment;
        let texel = |at: usize| {
            environment.map_or(Vec3::ZERO, |it| linear_from_rgb9e5(it.irradiance()[at]))
        };
        let levels = environment.map_or(1, |e| e.levels().len());
        Self {
            sky_center_world: center.extend(0.0),
            sky_right_world: right.extend(0.0),
            sky_up_world: up.extend(0.0),
            eye_world: input.view.eye_world,
            exposure: input.settings.exposure,
            irradiance: std::array::from_fn(|at| texel(at).extend(0.0).to_array()),
            environment_size: environment.map_or(1, |e: &Environment| e.size) as f32,
            environment_top_level: levels.saturating_sub(1) as f32,
            padding: [0.0; 2],
        }
    }
}

/// WebGPU's clip space is Vulkan's with y upwards; its implementation on Vulkan turns the viewport around, so that both
/// signs cancel exactly.
fn webgpu_clip(clip_from_view: Mat4) -> Mat4 {
    Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0)) * clip_from_view
}

/// World directions through the picture's centre, and from there to its right and upper edges.
fn sky_directions(view: &View) -> [Vec3; 3] {
    let projection = view.clip_from_view;
    let world_from_view = Mat3::from_mat4(view.view_from_world).transpose();
    let right = Vec3::X / projection.x_axis.x;
    let up = Vec3::Y / -projection.y_axis.y;
    if projection.w_axis.w == 0.0 {
        [Vec3::NEG_Z, right, up].map(|direction| world_from_view * direction)
    } else {
        // Parallel rays all meet the sky at one point.
        [world_from_view * Vec3::NEG_Z, Vec3::ZERO, Vec3::ZERO]
    }
}

/// `Draw` of the scene shader.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct DrawUniform {
    clip_from_world: Mat4,
    world_from_local: Mat4,
    world_from_local_normal: [[f32; 4]; 3],
    first_joint: u32,
    first_morph_weight: u32,
    morph_targets: u32,
    vertices: u32,
    scale: f32,
    padding: [f32; 3],
}

impl DrawUniform {
    fn of(instance: &Instance, primitive: &PrimitiveBuffers, view: &View) -> Self {
        Self {
            clip_from_world: webgpu_clip(view.clip_from_view) * view.view_from_world,
            world_from_local: instance.world_from_local,
            world_from_local_normal: normal_matrix(instance.world_from_local),
            first_joint: instance.joints.start,
            first_morph_weight: instance.morph_weights.start,
            morph_targets: (instance.morph_weights.len() as u32).min(primitive.n_morph_targets),
            vertices: primitive.n_vertices,
            scale: instance.volume().abs().cbrt(),
            padding: [0.0; 3],
        }
    }
}

/// The inverse transpose of the upper 3x3 by columns, times the determinant's absolute value.
fn normal_matrix(world_from_local: Mat4) -> [[f32; 4]; 3] {
    let [x, y, z] = [
        world_from_local.x_axis.truncate(),
        world_from_local.y_axis.truncate(),
        world_from_local.z_axis.truncate(),
    ];
    let sign = if x.dot(y.cross(z)) < 0.0 { -1.0 } else { 1.0 };
    [y.cross(z), z.cross(x), x.cross(y)].map(|column| (column * sign).extend(0.0).to_array())
}

/// One draw call with all that it binds.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    pub(super) pipeline: wgpu::RenderPipeline,
    /// Key that the pipeline was built for.
    pub(super) program: Program,
    pub(super) group: wgpu::BindGroup,
    pub(super) offset: u32,
    pub(super) material: wgpu::BindGroup,
    pub(super) vertices: wgpu::Buffer,
    pub(super) indices: wgpu::Buffer,
    pub(super) n_indices: u32,
}

/// The draws of a frame, in order.
#[derive(Debug)]
pub(super) struct DrawList {
    pub(super) frame: wgpu::BindGroup,
    /// Draws in submission order.
    pub(super) draws: Vec<Draw>,
    /// Sky behind everything that is not blended.
    pub(super) sky: Option<wgpu::RenderPipeline>,
    /// How many draws precede the sky.
    pub(super) before_sky: usize,
    pub(super) clear: wgpu::Color,
    /// Turns radiance into the picture; `None` where the draws make the picture themselves.
    pub(super) resolve: Option<wgpu::RenderPipeline>,
    /// Pass before this one, for surfaces that are looked through.
    pub(super) behind: Option<BehindList>,
    /// Samples a pixel in the targets.
    pub(super) samples: SampleCount,
}

/// The draws of the pass that shows what lies behind surfaces.
#[derive(Debug)]
pub(super) struct BehindList {
    /// Draws in submission order.
    pub(super) draws: Vec<Draw>,
    /// Sky behind all draws.
    pub(super) sky: Option<wgpu::RenderPipeline>,
    pub(super) clear: wgpu::Color,
    /// Fills the smaller levels of the picture.
    pub(super) halve: wgpu::RenderPipeline,
}

impl DrawList {
    pub(super) fn build(
        gpu: &Gpu,
        layouts: &Layouts,
        pipelines: &mut Pipelines,
        scene: &UploadedScene,
        input: &FrameInput<'_>,
    ) -> Result<Self, ReferenceError> {
        let kind = frame_kind(scene, input);
        let streamed = upload_meshes(gpu, &input.state.meshes);
        let geometry = Geometry {
            still: &scene.primitives,
            streamed: &streamed,
        };
        let instances = &input.state.instances;
        let uniforms = draw_uniforms(gpu, &geometry, input);
        let mut surfaces: HashMap<(MaterialId, VertexStreams), BoundSurface> = HashMap::new();
        let mut draws = Vec::with_capacity(instances.len());
        let mut before_sky = None;
        for (at, instance) in instances.iter().enumerate() {
            let material = input.state.material(input.scene, instance.material);
            let Some(primitive) = geometry.primitive(instance) else {
                continue;
            };
            if material.alpha_mode == AlphaMode::Blend {
                before_sky.get_or_insert(draws.len());
            }
            if primitive.n_indices == 0 {
                continue;
            }
            let bound = match surfaces.entry((instance.material, primitive.streams)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    new.insert(scene.surface(gpu, layouts, material, &primitive.streams)?)
                }
            };
            let program = Program {
                frame: kind,
                surface: bound.surface.clone(),
                streams: primitive.streams,
                topology: primitive.topology,
                mirrored: winds_clockwise(&instance.world_from_local),
            };
            draws.push(Draw {
                pipeline: pipelines.scene(gpu, layouts, &program)?,
                program,
                group: bind_draw(gpu, layouts, &uniforms, primitive),
                offset: (at * DRAW_STRIDE) as u32,
                material: bound.group.clone(),
                vertices: primitive.vertices.clone(),
                indices: primitive.indices.clone(),
                n_indices: primitive.n_indices,
            });
        }
        Ok(Self {
            frame: bind_frame(gpu, layouts, scene, input),
            before_sky: before_sky.unwrap_or(draws.len()),
            sky: has_sky(input).then(|| pipelines.sky(gpu, layouts, kind)),
            clear: clear_color(input, kind),
            resolve: (!kind.displayed).then(|| pipelines.resolve(gpu, layouts, kind)),
            samples: kind.samples,
            behind: BehindList::build(gpu, layouts, pipelines, input, &draws)?,
            draws,
        })
    }
}

impl BehindList {
    /// Collects the `draws` that are neither blended nor looked through, if any is looked through.
    fn build(
        gpu: &Gpu,
        layouts: &Layouts,
        pipelines: &mut Pipelines,
        input: &FrameInput<'_>,
        draws: &[Draw],
    ) -> Result<Option<Self>, ReferenceError> {
        let mut looking = draws.iter().filter(|d| d.program.surface.looks_behind());
        let Some(looks) = looking.next() else {
            return Ok(None);
        };
        let kind = looks.program.frame.lies_behind();
        let lies_behind = |draw: &&Draw| {
            let surface = &draw.program.surface;
            !surface.looks_behind() && !surface.blends()
        };
        let again = draws.iter().filter(lies_behind).map(|draw| {
            let program = Program {
                frame: kind,
                ..draw.program.clone()
            };
            Ok(Draw {
                pipeline: pipelines.scene(gpu, layouts, &program)?,
                program,
                ..draw.clone()
            })
        });
        Ok(Some(Self {
            draws: again.collect::<Result<_, _>>()?,
            sky: has_sky(input).then(|| pipelines.sky(gpu, layouts, kind)),
            clear: backdrop(input),
            halve: pipelines.halve(gpu, layouts, kind),
        }))
    }
}

/// Clear colour as radiance: once exposed, a colour is as it was chosen.
fn backdrop(input: &FrameInput<'_>) -> wgpu::Color {
    let exposure = input.settings.exposure;
    let color = match input.settings.background {
        Background::Color(color) if exposure > 0.0 => color / exposure,
        _ => Vec3::ZERO,
    };
    let [r, g, b] = color.to_array().map(f64::from);
    wgpu::Color { r, g, b, a: 1.0 }
}

/// Vertices and indices of the scene, and of this frame alone.
struct Geometry<'a> {
    still: &'a [Vec<PrimitiveBuffers>],
    streamed: &'a [Vec<PrimitiveBuffers>],
}

impl<'a> Geometry<'a> {
    fn primitive(&self, instance: &Instance) -> Option<&'a PrimitiveBuffers> {
        let mesh = instance.mesh.index();
        let primitives = match mesh.checked_sub(self.still.len()) {
            None => self.still.get(mesh),
            Some(streamed) => self.streamed.get(streamed),
        };
        primitives?.get(instance.primitive as usize)
    }
}

/// Whether front faces wind clockwise: where the determinant of the node's global transform is negative (glTF 2.0, 3.7.4),
/// which is that of three axes, whatever their lengths.
fn winds_clockwise(world_from_node: &Mat4) -> bool {
    let [x, y, z] = [
        world_from_node.x_axis,
        world_from_node.y_axis,
        world_from_node.z_axis,
    ]
    .map(|axis| axis.truncate().as_dvec3());
    x.dot(y.cross(z)) < 0.0
}

/// Common state of the draws. With nothing blended, draws write displayable colour at once, which is cheaper than a resolve
/// pass and gives the same picture: nothing reads what was clamped and rounded. Only a coloured background would have to be
/// tone mapped apart. Samples are averaged before the tone map, as azulejo does.
fn frame_kind(scene: &UploadedScene, input: &FrameInput<'_>) -> FrameKind {
    let settings = input.settings;
    let mut lights = [0; 3];
    for light in &input.state.lights {
        lights[light_class(light)] += 1;
    }
    let mut instances = input.state.instances.iter();
    let blends = instances.any(|instance| {
        let material = input.state.material(input.scene, instance.material);
        material.alpha_mode == AlphaMode::Blend
    });
    let colored = matches!(settings.background, Background::Color(_));
    FrameKind {
        lights,
        environment: input.environment.is_some(),
        exposed: settings.exposure != 1.0,
        tone_map: settings.tone_map,
        displayed: settings.samples == SampleCount::One
            && match settings.tone_map {
                ToneMap::None => !blends || scene.quality == Quality::Fastest,
                ToneMap::Neutral | ToneMap::Aces | ToneMap::AcesBoosted => !blends && !colored,
            },
        samples: settings.samples,
        behind: false,
        exact: scene.quality == Quality::Exact,
    }
}

fn has_sky(input: &FrameInput<'_>) -> bool {
    input.settings.background == Background::Environment && input.environment.is_some()
}

fn clear_color(input: &FrameInput<'_>, kind: FrameKind) -> wgpu::Color {
    let (color, alpha) = match input.settings.background {
        Background::Transparent => (Vec3::ZERO, 0.0),
        Background::Color(color) => (color, 1.0),
        Background::Environment => (Vec3::ZERO, 1.0),
    };
    let exposure = if kind.displayed {
        input.settings.exposure
    } else {
        1.0
    };
    let [r, g, b] = (color * exposure).to_array().map(f64::from);
    wgpu::Color { r, g, b, a: alpha }
}

fn bind_frame(
    gpu: &Gpu,
    layouts: &Layouts,
    scene: &UploadedScene,
    input: &FrameInput<'_>,
) -> wgpu::BindGroup {
    let mut sorted = input.state.lights.clone();
    sorted.sort_by_key(light_class);
    let mut lights: Vec<LightUniform> = sorted.iter().map(LightUniform::of).collect();
    if lights.is_empty() {
        lights.push(LightUniform::default());
    }
    let mut bytes = bytemuck::bytes_of(&FrameUniform::of(input)).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&lights));
    let uniform = buffer(gpu, wgpu::BufferUsages::UNIFORM, &bytes);
    let joints: &[f32] = bytemuck::cast_slice(&input.state.joints);
    let joints = storage_buffer(gpu, joints, 16);
    let morph_weights = storage_buffer(gpu, &input.state.morph_weights, 1);
    bind(
        gpu,
        &layouts.frame,
        vec![
            uniform.as_entire_binding(),
            joints.as_entire_binding(),
            morph_weights.as_entire_binding(),
            wgpu::BindingResource::TextureView(&scene.environment),
            wgpu::BindingResource::Sampler(&scene.environment_sampler),
        ],
    )
}

/// All instances' `Draw`s, [`DRAW_STRIDE`] apart.
fn draw_uniforms(gpu: &Gpu, geometry: &Geometry<'_>, input: &FrameInput<'_>) -> wgpu::Buffer {
    let instances = &input.state.instances;
    let mut bytes = vec![0; instances.len().max(1) * DRAW_STRIDE];
    for (slot, instance) in bytes.chunks_exact_mut(DRAW_STRIDE).zip(instances) {
        if let Some(primitive) = geometry.primitive(instance) {
            let view = input.state.view(input.view, instance);
            let uniform = DrawUniform::of(instance, primitive, view);
            slot[..size_of::<DrawUniform>()].copy_from_slice(bytemuck::bytes_of(&uniform));
        }
    }
    buffer(gpu, wgpu::BufferUsages::UNIFORM, &bytes)
}

fn bind_draw(
    gpu: &Gpu,
    layouts: &Layouts,
    uniforms: &wgpu::Buffer,
    primitive: &PrimitiveBuffers,
) -> wgpu::BindGroup {
    let uniform = wgpu::BufferBinding {
        buffer: uniforms,
        offset: 0,
        size: std::num::NonZeroU64::new(size_of::<DrawUniform>() as u64),
    };
    bind(
        gpu,
        &layouts.draw,
        vec![
            wgpu::BindingResource::Buffer(uniform),
            primitive.influences.as_entire_binding(),
            primitive.displacements.as_entire_binding(),
        ],
    )
}
