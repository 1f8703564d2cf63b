//! One unlit primitive with one texture, drawn through a camera at the origin.

use azulejo::render::{Background, FrameInput, RenderSettings, ToneMap};
use azulejo::scene::{
    AlphaMode, ImageId, Material, Mesh, Primitive, Projection, Sampler, Scene, Shading, Texture,
    TextureId, TextureImage, TextureRef, View,
};
use glam::{Mat3, Mat4, Vec3, Vec4};

use crate::instance::state_of_one;

/// Seen from both sides; it multiplies the texture by its vertex colours.
pub(crate) fn unlit(
    primitive: Primitive,
    alpha_mode: AlphaMode,
    (image, sampler): (TextureImage, Sampler),
    transform: Mat3,
) -> Scene {
    Scene {
        meshes: vec![Mesh {
            primitives: vec![primitive].into(),
            ..Mesh::default()
        }],
        materials: vec![Material {
            shading: Shading::Unlit,
            alpha_mode,
            base_color: Vec4::ONE,
            base_color_texture: Some(TextureRef {
                texture: TextureId(0),
                tex_coord: 0,
                transform,
            }),
            double_sided: true,
            ..Material::default()
        }],
        textures: vec![Texture {
            image: ImageId(0),
            sampler,
        }],
        images: vec![image],
        ..Scene::default()
    }
}

/// A picture of this size without tone map, over one colour.
pub(crate) fn settings_over(behind: Vec3, [width, height]: [u32; 2]) -> RenderSettings {
    RenderSettings {
        width,
        height,
        tone_map: ToneMap::None,
        background: Background::Color(behind),
        ..RenderSettings::default()
    }
}

/// The scene's one instance as a frame.
pub(crate) fn with_input<T>(
    scene: &Scene,
    projection: &Projection,
    settings: &RenderSettings,
    use_input: impl FnOnce(&FrameInput<'_>) -> T,
) -> T {
    let view = View::through(projection, Mat4::IDENTITY, settings.width, settings.height);
    use_input(&FrameInput {
        scene,
        state: &state_of_one(),
        view: &view,
        environment: None,
        settings,
    })
}
