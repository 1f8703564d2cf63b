//! From a frame's instances to draws: geometry, placement, fragment program and fixed-function state.

use std::sync::LazyLock;

use glam::{Mat4, Vec3};

use super::constants::{SceneDraw, light_bytes, put_environment, range, sky_bytes};
use super::geometry::{Placement, VertexProgram};
use super::identity::{DrawIdentity, StateBytes};
use super::raster::FragmentMode;
use super::shading::{DrawProgram, FragmentProgram, FrameConstants};
use super::{Background, FrameInput};
use crate::scene::{AlphaMode, DepthState, Environment, Instance, Primitive};

/// One draw of a frame, ready for the pipeline.
#[derive(Debug, Clone)]
pub struct Draw<'a, P> {
    /// Shown in tables; need not be unique.
    pub name: String,
    /// Vertices and indices.
    pub primitive: &'a Primitive,
    /// Local space to world space.
    pub placement: Placement<'a>,
    /// One weight a morph target.
    pub morph_weights: &'a [f32],
    /// World to clip space.
    pub clip_from_world: Mat4,
    /// Its fragment program; the fields of the value are its constants.
    pub program: P,
    /// What becomes of its fragments.
    pub mode: FragmentMode,
    /// What it does with the depth buffer.
    pub depth: DepthState,
    /// Back faces are drawn too.
    pub double_sided: bool,
    /// What distinguishes it from a draw that looks different; the default is right for draws made by hand.
    pub identity: DrawIdentity,
}

impl<'a, P> Draw<'a, P> {
    /// A draw of opaque triangles that lie in clip space already; give it what else it has by
    /// `Draw { placement, ..Draw::new(primitive, program) }`.
    #[must_use]
    pub fn new(primitive: &'a Primitive, program: P) -> Self {
        Self {
            name: String::new(),
            primitive,
            placement: Placement::Rigid(Mat4::IDENTITY),
            morph_weights: &[],
            clip_from_world: Mat4::IDENTITY,
            program,
            mode: FragmentMode::Opaque,
            depth: DepthState::default(),
            double_sided: false,
            identity: DrawIdentity::default(),
        }
    }
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
pub(super) fn draws_of<'a>(input: &FrameInput<'a>) -> Vec<Draw<'a, DrawProgram<'a>>> {
    let constants = FrameConstants {
        eye_world: input.view.eye_world,
        lights: &input.state.lights,
        environment: input.environment,
    };
    let light = light_bytes(&constants);
    let instances = input.state.instances.iter();
    let mut draws: Vec<_> = instances
        .map(|instance| draw_of(input, instance, &constants, &light))
        .collect();
    if let (Background::Environment, Some(environment)) =
        (input.settings.background, input.environment)
    {
        let first_blended = draws
            .iter()
            .position(|draw| draw.mode == FragmentMode::Blended);
        let sky = sky(input, environment);
        draws.insert(first_blended.unwrap_or(draws.len()), sky);
    }
    draws
}

/// The draw of one instance; `light` is [`light_bytes`] of `constants`.
fn draw_of<'a>(
    input: &FrameInput<'a>,
    instance: &'a Instance,
    constants: &FrameConstants<'a>,
    light: &[u8],
) -> Draw<'a, DrawProgram<'a>> {
    let (scene, state) = (input.scene, input.state);
    let mesh = state.mesh(scene, instance.mesh);
    let primitive = &mesh.primitives[instance.primitive as usize];
    let material = state.material(scene, instance.material);
    let view = state.view(input.view, instance);
    let clip_from_world = view.clip_from_view * view.view_from_world;
    let program = DrawProgram::new(scene, material, primitive, constants);
    let scene_draw = SceneDraw {
        scene,
        state,
        instance,
        primitive,
        material,
        program: &program,
        clip_from_world,
    };
    let bytes = StateBytes {
        constants: scene_draw.constants(light),
        bindings: scene_draw.bindings(constants.environment),
    };
    Draw {
        name: draw_name(&mesh.name, instance.primitive, &material.name),
        primitive,
        placement: placement(instance, &state.joints),
        morph_weights: &state.morph_weights[range(&instance.morph_weights)],
        clip_from_world,
        mode: match material.alpha_mode {
            AlphaMode::Opaque => FragmentMode::Opaque,
            AlphaMode::Mask { .. } => FragmentMode::Masked,
            AlphaMode::Blend => FragmentMode::Blended,
        },
        depth: material.depth,
        double_sided: material.double_sided,
        identity: bytes.into(),
        program,
    }
}

/// The environment behind everything.
fn sky<'a>(input: &FrameInput<'a>, environment: &'a Environment) -> Draw<'a, DrawProgram<'a>> {
    Draw {
        name: "sky".to_owned(),
        primitive: &SKY,
        placement: Placement::Rigid(Mat4::IDENTITY),
        morph_weights: &[],
        clip_from_world: Mat4::IDENTITY,
        program: DrawProgram::sky(environment, input.view, input.settings),
        mode: FragmentMode::Opaque,
        depth: DepthState::Test,
        double_sided: true,
        identity: StateBytes {
            constants: sky_bytes(input.view),
            bindings: {
                let mut bytes = Vec::new();
                put_environment(&mut bytes, environment);
                bytes
            },
        }
        .into(),
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

fn draw_name(mesh: &str, primitive: u32, material: &str) -> String {
    match (mesh, material) {
        ("", "") => format!("primitive {primitive}"),
        (mesh, "") => format!("{mesh}[{primitive}]"),
        ("", material) => material.to_owned(),
        (mesh, material) => format!("{mesh}[{primitive}] {material}"),
    }
}
