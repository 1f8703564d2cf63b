//! From a frame's instances to draws: those of the frame, and of the pass that lies behind it.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use foldhash::fast::FixedState;
use glam::{Mat4, Vec3};

use super::constants::{InstanceDraw, SceneDraw, range};
use super::draw_list::{BehindPass, DrawList, TextureSet};
use super::draws::{Draw, DrawIdentity, DrawName};
use super::geometry::Placement;
use super::raster::{FragmentMode, Kernels};
use super::shading::{Behind, BehindView, DrawProgram, FrameConstants, ProgramSource};
use super::{Background, FrameInput, RenderSettings};
use azulejo_grid::SampleCount;
use azulejo_scene::{
    AlphaMode, DepthState, Environment, Instance, Material, MaterialId, MeshId, Primitive,
};

/// Programs by what they are made of: mesh, primitive in it, material.
type Programs<'a> = HashMap<(MeshId, u32, MaterialId), DrawProgram<'a>, FixedState>;

impl<'a> FrameInput<'a> {
    /// The draws of a scene's frame in submission order, with the built-in programs.
    ///
    /// A background of the environment is a draw of its own, behind the opaque ones and before the blended ones. If a
    /// material lets light through, all that is neither blended nor such a material is drawn once more before, for it to be
    /// looked at.
    #[must_use]
    pub fn draws(&self) -> DrawList<'a, DrawProgram<'a>> {
        let target = LazyCell::new(|| {
            let RenderSettings { width, height, .. } = *self.settings;
            Arc::new(Behind::new(width, height))
        });
        let instances = self.state.instances.iter();
        let mut programs = Programs::default();
        let mut draws = Vec::with_capacity(self.state.instances.len() + 1);
        let mut lies_behind = Vec::with_capacity(self.state.instances.len());
        let mut is_looked_at = false;
        for instance in instances {
            let (draw, looks_behind) = draw_of(self, instance, &mut programs, &target);
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
            kernels: DrawProgram::kernels(),
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

impl DrawProgram<'_> {
    /// Compiled code of the built-in programs, the renderer's own copy.
    #[must_use]
    #[inline(never)]
    pub fn kernels() -> Kernels<Self> {
        Kernels::new()
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

/// The draw of one instance, and whether it samples the picture behind its surface, which is drawn to `target`.
fn draw_of<'a>(
    input: &FrameInput<'a>,
    instance: &'a Instance,
    programs: &mut Programs<'a>,
    target: &LazyCell<Arc<Behind>, impl FnOnce() -> Arc<Behind>>,
) -> (Draw<'a, DrawProgram<'a>>, bool) {
    let (scene, state) = (input.scene, input.state);
    let mesh = state.mesh(scene, instance.mesh);
    let primitive = &mesh.primitives[instance.primitive as usize];
    let material = state.material(scene, instance.material);
    let clip_from_world = state.view(input.view, instance).clip_from_world();
    let key = (instance.mesh, instance.primitive, instance.material);
    let program = programs.entry(key);
    let mut program = program
        .or_insert_with(|| program_of(input, material, primitive))
        .clone();
    let lets_light_through = program.lets_light_through();
    let looks_behind = lets_light_through
        && program.look_through(BehindView {
            target: Arc::clone(target),
            clip_from_world,
            scale: instance.volume().abs().cbrt(),
        });
    let identity = SceneDraw::Instance(InstanceDraw {
        input: *input,
        instance,
        is_lit: program.is_lit(),
        emits_unlit: program.emits_unlit(),
        lets_light_through,
        looks_behind,
    });
    let draw = Draw {
        name: DrawName::OfScene {
            mesh: &mesh.name,
            primitive: instance.primitive,
            material: &material.name,
        },
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
        identity: DrawIdentity(Some(identity)),
        program,
    };
    (draw, looks_behind)
}

/// The program of a material on a primitive in this frame.
fn program_of<'a>(
    input: &FrameInput<'a>,
    material: &Material,
    primitive: &Primitive,
) -> DrawProgram<'a> {
    let program = DrawProgram::new(&ProgramSource {
        scene: input.scene,
        material,
        primitive,
        frame: &FrameConstants {
            eye_world: input.view.eye_world,
            lights: &input.state.lights,
            environment: input.environment,
        },
    });
    match input.settings.samples {
        SampleCount::One => program,
        SampleCount::Four => program.masked_by_alpha(),
    }
}

/// The environment behind everything.
fn sky<'a>(input: &FrameInput<'a>, environment: &'a Environment) -> Draw<'a, DrawProgram<'a>> {
    Draw {
        name: "sky".into(),
        primitive: &SKY,
        placement: Placement::Rigid(Mat4::IDENTITY),
        morph_weights: &[],
        clip_from_world: Mat4::IDENTITY,
        program: DrawProgram::sky(environment, input.view, input.settings),
        mode: FragmentMode::Opaque,
        depth: DepthState::Test,
        double_sided: true,
        identity: DrawIdentity(Some(SceneDraw::Sky(input.view, environment))),
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
        joints => Placement::Skinned {
            joints,
            mirrored: instance.mirrored(),
        },
    }
}
