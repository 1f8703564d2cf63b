//! A traced frame is the frame that is drawn: the same picture, the same counts, and links that hold.

use azulejo::render::{Background, FrameInput, Recording, RenderSettings, Renderer};
use azulejo::scene::procedural::{Patch, ellipsoid};
use azulejo::scene::{
    AlphaMode, Encoding, Environment, FrameState, ImageId, Instance, Material, MaterialId, Mesh,
    MeshId, Sampler, Scene, Texture, TextureId, TextureImage, TextureRef, ThroughView, View,
};
use azulejo::simd::SimdLevel;
use azulejo::trace::{InstructionClass, RasterCounters};
use glam::{Mat3, Mat4, Vec3, Vec4};

/// Three textured spheres, one behind the other: opaque, masked, blended.
fn scene() -> Scene {
    let texels: Vec<u8> = (0..64 * 64)
        .flat_map(|at| {
            [
                (at % 64) as u8 * 4,
                (at / 64) as u8 * 4,
                90,
                (at % 7) as u8 * 40,
            ]
        })
        .collect();
    let image = TextureImage::from_rgba8("ramp", Encoding::Srgb, 64, 64, &texels);
    let base_color = TextureRef {
        texture: TextureId(0),
        tex_coord: 0,
        transform: Mat3::IDENTITY,
    };
    let modes = [
        AlphaMode::Opaque,
        AlphaMode::Mask { cutoff: 0.4 },
        AlphaMode::Blend,
    ];
    let materials = modes.map(|alpha_mode| Material {
        alpha_mode,
        base_color: Vec4::new(1.0, 1.0, 1.0, 0.8),
        base_color_texture: Some(base_color),
        ..Material::default()
    });
    Scene {
        meshes: vec![Mesh {
            primitives: vec![ellipsoid(Patch::new(24, 16), Vec3::ONE)],
            ..Mesh::default()
        }],
        materials: materials.to_vec(),
        textures: vec![Texture {
            image: ImageId(0),
            sampler: Sampler::default(),
        }],
        images: vec![image.expect("64 x 64 texels")],
        ..Scene::default()
    }
}

fn state() -> FrameState {
    let instance = |number: u32| Instance {
        mesh: MeshId(0),
        primitive: 0,
        material: MaterialId(number),
        world_from_local: Mat4::from_translation(Vec3::new(
            number as f32 * 0.7 - 0.7,
            0.0,
            number as f32,
        )),
        joints: 0..0,
        morph_weights: 0..0,
        through: ThroughView::Camera,
    };
    FrameState {
        instances: (0..3).map(instance).collect(),
        ..FrameState::default()
    }
}

fn with_input<T>(use_input: impl FnOnce(&FrameInput<'_>) -> T) -> T {
    let (scene, state, environment) = (scene(), state(), Environment::builtin());
    let settings = RenderSettings {
        width: 200,
        height: 150,
        background: Background::Environment,
        ..Default::default()
    };
    let projection = azulejo::scene::Projection::Perspective {
        y_fov: 0.8,
        aspect: None,
        near: 0.1,
        far: None,
    };
    let view = View::through(
        &projection,
        Mat4::from_translation(Vec3::new(0.0, 0.3, 6.0)),
        200,
        150,
    );
    use_input(&FrameInput {
        scene: &scene,
        state: &state,
        view: &view,
        environment: Some(&environment),
        settings: &settings,
    })
}

#[test]
fn trace_is_valid_and_counts_what_the_counters_count() {
    with_input(|input| {
        let mut renderer = Renderer::new(2, SimdLevel::Auto).unwrap();
        let frame = renderer.render(input, Recording::Counters);
        let (picture, trace) = renderer.trace(input);
        assert_eq!(picture, frame.picture, "tracing changes no pixel");
        trace.validate().unwrap();
        let counters = frame.counters.unwrap();
        let mut traced = RasterCounters::default();
        trace
            .tiles
            .iter()
            .for_each(|tile| traced += tile.counters());
        // The trace leaves samples to who multiplies instructions by fragments.
        traced.texture_samples = counters.raster.texture_samples;
        assert_eq!(traced, counters.raster, "the same events");
        assert_eq!(
            trace.n_primitives(),
            counters.geometry.primitives_binned,
            "the same triangles"
        );
    });
}

#[test]
fn trace_names_a_texture_for_every_texture_instruction() {
    with_input(|input| {
        let (_, trace) = Renderer::new(1, SimdLevel::Auto).unwrap().trace(input);
        for draw in &trace.draws {
            let program = &trace.programs[draw.fragment_program.0 as usize];
            assert_eq!(
                program.count(InstructionClass::Texture),
                draw.textures.len(),
                "{}",
                draw.name
            );
        }
        assert!(
            trace.tiles.iter().any(|tile| !tile.blocks.is_empty()),
            "some texels were read"
        );
    });
}

#[test]
fn trace_is_the_same_for_any_number_of_threads() {
    with_input(|input| {
        let (_, one) = Renderer::new(1, SimdLevel::Auto).unwrap().trace(input);
        let (_, three) = Renderer::new(3, SimdLevel::Auto).unwrap().trace(input);
        assert_eq!(one, three, "facts do not depend on who draws");
    });
}
