//! From a frame's instances to draws: those of the frame, and of the pass that lies behind it.

use std::cell::LazyCell;
use std::sync::{Arc, LazyLock};

use glam::{Mat4, Vec3};

use super::constants::{SceneDraw, light_bytes, put_environment, range, sky_bytes};
use super::draw_list::{BehindPass, DrawList, TextureSet};
use super::draws::Draw;
use super::geometry::Placement;
use super::identity::StateBytes;
use super::raster::{FragmentMode, Kernels};
use super::shading::{Behind, BehindView, DrawProgram, FrameConstants, ProgramSource};
use super::{Background, FrameInput, RenderSettings};
use crate::grid::SampleCount;
use crate::scene::{AlphaMode, DepthState, Environment, Instance, Primitive};

impl<'a> FrameInput<'a> {
    /// The draws of a scene's frame in submission order, with the built-in programs.
    ///
    /// A background of the environment is a draw of its own, behind the opaque ones and before the blended ones. Where a material lets
    /// light through, all that is neither blended nor such a material is drawn once more before, for it to be looked at.
    #[must_use]
    pub fn draws(&self) -> DrawList<'a, DrawProgram<'a>> {
        let constants = FrameConstants {
            eye_world: self.view.eye_world,
            lights: &self.state.lights,
            environment: self.environment,
        };
        let light = light_bytes(&constants);
        let target = LazyCell::new(|| {
            let RenderSettings { width, height, .. } = *self.settings;
            Arc::new(Behind::new(width, height))
        });
        let instances = self.state.instances.iter();
        let (mut draws, mut lies_behind) = (Vec::new(), Vec::new());
        let mut is_looked_at = false;
        for instance in instances {
            let (draw, looks_behind) = draw_of(self, instance, &constants, &light, &target);
            lies_behind.push(!looks_behind && draw.mode != FragmentMode::Blended);
            is_looked_at |= looks_behind;
            draws.push(draw);
        }
        let list = |draws, behind| DrawList {
            draws: before_sky(self, draws),
            settings: *self.settings,
            textures: TextureSet {
                images: &self.scene.images,
                environment: self.environment,
            },
            behind,
            kernels: Kernels::new(),
        };
        let behind = is_looked_at.then(|| {
            let draws = draws.iter().zip(&lies_behind);
            let draws = draws.filter(|(_, lies_behind)| **lies_behind);
            let draws = draws.map(|(draw, _)| draw.clone()).collect();
            Box::new(BehindPass {
                list: list(draws, None),
                target: Arc::clone(&target),
            })
        });
        list(draws, behind)
    }
}

/// The draws with the environment behind the opaque ones, where it is to be seen.
fn before_sky<'a>(
    input: &FrameInput<'a>,
    mut draws: Vec<Draw<'a, DrawProgram<'a>>>,
) -> Vec<Draw<'a, DrawProgram<'a>>> {
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

/// The draw of one instance, and whether it looks at what lies behind its surface, which is drawn to `target`; `light` is
/// [`light_bytes`] of `constants`.
fn draw_of<'a>(
    input: &FrameInput<'a>,
    instance: &'a Instance,
    constants: &FrameConstants<'a>,
    light: &[u8],
    target: &LazyCell<Arc<Behind>, impl FnOnce() -> Arc<Behind>>,
) -> (Draw<'a, DrawProgram<'a>>, bool) {
    let (scene, state) = (input.scene, input.state);
    let mesh = state.mesh(scene, instance.mesh);
    let primitive = &mesh.primitives[instance.primitive as usize];
    let material = state.material(scene, instance.material);
    let view = state.view(input.view, instance);
    let clip_from_world = view.clip_from_view * view.view_from_world;
    let source = ProgramSource {
        scene,
        material,
        primitive,
        frame: constants,
    };
    let mut program = DrawProgram::new(&source);
    if input.settings.samples != SampleCount::One {
        program = program.masked_by_alpha();
    }
    let looks_behind = program.lets_light_through()
        && program.look_through(BehindView {
            target: Arc::clone(target),
            clip_from_world,
            scale: instance.world_from_local.determinant().abs().cbrt(),
        });
    let scene_draw = SceneDraw {
        source,
        program: &program,
        state,
        instance,
        clip_from_world,
    };
    let bytes = StateBytes {
        constants: scene_draw.constants(light),
        bindings: scene_draw.bindings(),
        looks_behind,
    };
    let draw = Draw {
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
    };
    (draw, looks_behind)
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
            looks_behind: false,
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
