//! A frame with every fragment mode: three textured spheres, one behind the other.

use azulejo::demo::procedural::{Patch, ellipsoid};
use azulejo::render::{Background, FrameInput, RenderSettings};
use azulejo::scene::{
    AlphaMode, Encoding, Environment, FrameState, ImageId, Instance, Material, MaterialId, Mesh,
    MeshId, Sampler, Scene, Texture, TextureId, TextureImage, TextureRef, ThroughView, View,
};
use glam::{Mat3, Mat4, Vec3, Vec4};

/// Three textured spheres, one behind the other: opaque, masked, blended.
pub(crate) fn scene() -> Scene {
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
            primitives: vec![ellipsoid(Patch::new(24, 16), Vec3::ONE)].into(),
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

pub(crate) fn state() -> FrameState {
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

/// The spheres before the sky, 200x150 pixels.
pub(crate) fn with_input<T>(use_input: impl FnOnce(&FrameInput<'_>) -> T) -> T {
    with_scene(&scene(), &state(), use_input)
}

/// This scene as the spheres are seen.
pub(crate) fn with_scene<T>(
    scene: &Scene,
    state: &FrameState,
    use_input: impl FnOnce(&FrameInput<'_>) -> T,
) -> T {
    let environment = Environment::builtin();
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
        scene,
        state,
        view: &view,
        environment: Some(&environment),
        settings: &settings,
    })
}
