//! From a frame's instances to draws: geometry, placement, fragment program and fixed-function state.

use std::sync::LazyLock;

use glam::{Mat4, Vec3};

use super::geometry::{Placement, VertexProgram};
use super::raster::Fate;
use super::shading::{DrawProgram, FragmentProgram, FrameConstants};
use super::{Background, FrameInput};
use crate::scene::{AlphaMode, Environment, Instance, LightKind, Material, Primitive};

/// One draw of a frame, ready for the pipeline.
#[derive(Debug, Clone)]
pub struct Draw<'a, P> {
    /// For people.
    pub name: String,
    /// Vertices and indices.
    pub primitive: &'a Primitive,
    /// Local space to world space.
    pub placement: Placement<'a>,
    /// One weight a morph target.
    pub morph_weights: &'a [f32],
    /// World to clip space.
    pub clip_from_world: Mat4,
    /// Constants bound.
    pub program: P,
    /// What becomes of its fragments.
    pub fate: Fate,
    /// Back faces are drawn too.
    pub double_sided: bool,
    /// What an engine would set for this draw (uniforms of both programs, fixed-function state), as bytes: its size and
    /// digest are facts for the hardware model.
    pub constants: Vec<u8>,
}

impl<P: FragmentProgram> Draw<'_, P> {
    /// The draw's vertex program.
    #[must_use]
    pub fn vertex_program(&self) -> VertexProgram<'_> {
        let layout = self.program.varyings();
        VertexProgram::new(
            self.primitive,
            layout,
            self.clip_from_world,
            self.placement,
            self.morph_weights,
        )
    }

    /// Whether the placement turns counter-clockwise triangles into clockwise ones.
    #[must_use]
    pub fn mirrored(&self) -> bool {
        match self.placement {
            Placement::Rigid(world_from_local) => world_from_local.determinant() < 0.0,
            Placement::Skinned(joints) => joints
                .first()
                .is_some_and(|joint| joint.determinant() < 0.0),
        }
    }
}

/// The draws of a frame in submission order, with the built-in programs.
///
/// A background of the environment is a draw of its own, behind the opaque ones and before the blended ones.
#[must_use]
pub fn draws_of<'a>(input: &FrameInput<'a>) -> Vec<Draw<'a, DrawProgram<'a>>> {
    let FrameInput {
        scene,
        state,
        view,
        environment,
        ..
    } = *input;
    let constants = FrameConstants {
        eye_world: view.eye_world,
        lights: &state.lights,
        environment,
    };
    let clip_from_world = view.clip_from_view * view.view_from_world;
    let frame_constants = frame_bytes(&constants);
    let mut draws: Vec<_> = state
        .instances
        .iter()
        .map(|instance| {
            let mesh = &scene.meshes[instance.mesh.index()];
            let primitive = &mesh.primitives[instance.primitive as usize];
            let material = &scene.materials[instance.material.index()];
            Draw {
                name: draw_name(&mesh.name, instance.primitive, &material.name),
                primitive,
                placement: placement(instance, &state.joints),
                morph_weights: &state.morph_weights[range(&instance.morph_weights)],
                clip_from_world,
                program: DrawProgram::new(scene, material, primitive, &constants),
                fate: match material.alpha_mode {
                    AlphaMode::Opaque => Fate::Opaque,
                    AlphaMode::Mask { .. } => Fate::Masked,
                    AlphaMode::Blend => Fate::Blended,
                },
                double_sided: material.double_sided,
                constants: draw_bytes(
                    instance,
                    &state.joints,
                    clip_from_world,
                    material,
                    &frame_constants,
                ),
            }
        })
        .collect();
    if let (Background::Environment, Some(environment)) = (input.settings.background, environment) {
        let first_blended = draws.iter().position(|draw| draw.fate == Fate::Blended);
        let sky = sky(input, environment, &frame_constants);
        draws.insert(first_blended.unwrap_or(draws.len()), sky);
    }
    draws
}

/// The environment behind everything.
fn sky<'a>(
    input: &FrameInput<'a>,
    environment: &'a Environment,
    frame_constants: &[u8],
) -> Draw<'a, DrawProgram<'a>> {
    let clip_from_world = input.view.clip_from_view * input.view.view_from_world;
    Draw {
        name: "sky".to_owned(),
        primitive: &SKY,
        placement: Placement::Rigid(Mat4::IDENTITY),
        morph_weights: &[],
        clip_from_world: Mat4::IDENTITY,
        program: DrawProgram::sky(environment, input.view, input.settings),
        fate: Fate::Opaque,
        double_sided: true,
        constants: floats(frame_constants, clip_from_world.to_cols_array()),
    }
}

/// A triangle over the whole screen at the far plane, in clip space.
static SKY: LazyLock<Primitive> = LazyLock::new(|| Primitive {
    indices: vec![0, 1, 2],
    positions: vec![
        Vec3::new(-1.0, -1.0, 1.0),
        Vec3::new(-1.0, 3.0, 1.0),
        Vec3::new(3.0, -1.0, 1.0),
    ],
    ..Primitive::default()
});

fn placement<'a>(instance: &Instance, joints: &'a [Mat4]) -> Placement<'a> {
    match &joints[range(&instance.joints)] {
        [] => Placement::Rigid(instance.world_from_local),
        joints => Placement::Skinned(joints),
    }
}

fn range(range: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    range.start as usize..range.end as usize
}

fn draw_name(mesh: &str, primitive: u32, material: &str) -> String {
    match (mesh, material) {
        ("", "") => format!("primitive {primitive}"),
        (mesh, "") => format!("{mesh}[{primitive}]"),
        ("", material) => material.to_owned(),
        (mesh, material) => format!("{mesh}[{primitive}] {material}"),
    }
}

/// Bytes of what all draws of a frame share: eye, lights, irradiance.
fn frame_bytes(frame: &FrameConstants<'_>) -> Vec<u8> {
    let mut bytes = floats(&[], frame.eye_world.to_array());
    for light in frame.lights {
        bytes = floats(&bytes, light.radiance.to_array());
        bytes = floats(&bytes, light.position_world.to_array());
        bytes = floats(&bytes, light.direction_world.to_array());
        let (inner, outer) = match light.kind {
            LightKind::Directional => (0.0, -1.0),
            LightKind::Point => (0.0, 0.0),
            LightKind::Spot {
                inner_angle,
                outer_angle,
            } => (inner_angle, outer_angle),
        };
        bytes = floats(&bytes, [light.range, inner, outer]);
    }
    for coefficient in frame
        .environment
        .iter()
        .flat_map(|environment| environment.irradiance)
    {
        bytes = floats(&bytes, coefficient.to_array());
    }
    bytes
}

/// Bytes of one draw: transforms, the frame's, material factors, fixed-function state.
fn draw_bytes(
    instance: &Instance,
    joints: &[Mat4],
    clip_from_world: Mat4,
    material: &Material,
    frame: &[u8],
) -> Vec<u8> {
    let mut bytes = floats(frame, clip_from_world.to_cols_array());
    bytes = floats(&bytes, instance.world_from_local.to_cols_array());
    for joint in &joints[range(&instance.joints)] {
        bytes = floats(&bytes, joint.to_cols_array());
    }
    bytes = floats(&bytes, material.base_color.to_array());
    bytes = floats(&bytes, material.emissive.to_array());
    let (mode, cutoff) = match material.alpha_mode {
        AlphaMode::Opaque => (0, 0.0),
        AlphaMode::Mask { cutoff } => (1, cutoff),
        AlphaMode::Blend => (2, 0.0),
    };
    let Material {
        metallic,
        roughness,
        normal_scale,
        occlusion_strength,
        ..
    } = *material;
    bytes = floats(
        &bytes,
        [
            metallic,
            roughness,
            normal_scale,
            occlusion_strength,
            cutoff,
        ],
    );
    bytes.extend([mode, u8::from(material.double_sided)]);
    bytes.extend(instance.material.0.to_le_bytes());
    bytes
}

/// `bytes` with more floats behind.
fn floats<const N: usize>(bytes: &[u8], values: [f32; N]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&values));
    bytes
}
