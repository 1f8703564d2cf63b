//! Files of `shaders/` against the renderer's own programs.

use azulejo_render::shading::{DrawProgram, FrameConstants, ProgramSource};
use azulejo_scene::{LightInstance, LightKind, Material, Shading};
use glam::Vec4;

use super::*;

/// Images by binding in group 0; a sampler is bound where there is none.
type Images = [Option<u32>; 5];

/// A scene of three textures, the last two of them linear.
fn scene() -> Scene {
    let mut linear = noise();
    linear.encoding = Encoding::Linear;
    let texture = |image| Texture {
        image: ImageId(image),
        sampler: Sampler::default(),
    };
    Scene {
        images: vec![noise(), linear.clone(), linear],
        textures: (0..3).map(texture).collect(),
        ..Scene::default()
    }
}

fn texture(id: u32) -> Option<TextureRef> {
    Some(TextureRef {
        texture: TextureId(id),
        tex_coord: 0,
        transform: Mat3::IDENTITY,
    })
}

/// [`waves`] with tangents of another direction.
fn mesh() -> Primitive {
    let mesh = waves();
    Primitive {
        tangents: vec![Vec4::new(1.0, 0.2, 0.1, -1.0); mesh.positions.len()],
        ..mesh
    }
}

fn sun() -> LightInstance {
    LightInstance {
        kind: LightKind::Directional,
        radiance: Vec3::new(3.0, 2.8, 2.5),
        position_world: Vec3::ZERO,
        direction_world: -Vec3::new(0.3, 0.8, 0.5).normalize(),
        range: f32::INFINITY,
    }
}

/// Pixels of a mesh in the renderer's program of a material.
fn own(scene: &Scene, material: &Material) -> Vec<[u8; 4]> {
    let (mesh, lights) = (mesh(), [sun()]);
    let frame = FrameConstants {
        eye_world: view().eye_world,
        lights: &lights,
        environment: None,
    };
    let program = DrawProgram::new(&ProgramSource {
        scene,
        material,
        primitive: &mesh,
        frame: &frame,
    });
    let draw = (program, FragmentMode::Opaque);
    let list = list(
        &mesh,
        &scene.images[0],
        draw,
        (settings(32, SampleCount::One), DrawProgram::kernels()),
    );
    pixels(&list, 1, SimdLevel::Auto)
}

/// Pixels of the same mesh in a program in WGSL.
fn twin(scene: &Scene, source: &str, uniforms: &[f32], images: Images) -> Vec<[u8; 4]> {
    let (mesh, shader) = (mesh(), shader(source));
    let places = (0..5).map(|binding| (0, binding));
    let textures: Vec<_> = places
        .zip(images)
        .filter_map(|(place, image)| Some((place, &scene.images[image? as usize])))
        .collect();
    let samplers = [1, 2].map(|binding| ((0, binding), Sampler::default()));
    let bindings = Bindings {
        buffers: &[((0, 0), bytemuck::cast_slice(uniforms))],
        textures: &textures,
        samplers: &samplers,
    };
    let draw = (
        shader.bind(&bindings).expect("all is bound"),
        FragmentMode::Opaque,
    );
    let list = list(
        &mesh,
        &scene.images[0],
        draw,
        (settings(32, SampleCount::One), BoundFragment::kernels()),
    );
    pixels(&list, 1, SimdLevel::Auto)
}

/// Pixels that are drawn, and the largest difference of a channel in levels.
fn compare(own: &[[u8; 4]], twin: &[[u8; 4]]) -> (usize, u8) {
    let drawn = own.iter().filter(|pixel| pixel[3] > 0).count();
    let channels = own.as_flattened().iter().zip(twin.as_flattened());
    let largest = channels.map(|(own, twin)| own.abs_diff(*twin)).max();
    (drawn, largest.unwrap_or(0))
}

#[test]
fn flat_in_wgsl_is_the_unlit_program() {
    let scene = scene();
    let color = Vec4::new(0.9, 0.8, 0.7, 1.0);
    let material = Material {
        base_color: color,
        base_color_texture: texture(0),
        shading: Shading::Unlit,
        ..Material::default()
    };
    let source = include_str!("../../../../shaders/flat.wgsl");
    let images = [None, Some(0), None, None, None];
    let twin = twin(&scene, source, &color.to_array(), images);
    let (drawn, largest) = compare(&own(&scene, &material), &twin);
    assert!(drawn > 3000, "{drawn} pixels");
    assert_eq!(largest, 0, "levels");
}

#[test]
fn metallic_roughness_in_wgsl_is_the_program_of_that_name_but_for_rounding() {
    let scene = scene();
    let material = Material {
        base_color: Vec4::new(0.9, 0.8, 0.7, 1.0),
        base_color_texture: texture(0),
        metallic: 0.8,
        roughness: 0.7,
        metallic_roughness_texture: texture(1),
        normal_texture: texture(2),
        normal_scale: 0.4,
        ..Material::default()
    };
    let sun = sun();
    let rows = [
        view().eye_world.extend(material.normal_scale),
        (-sun.direction_world).extend(material.metallic),
        sun.radiance.extend(material.roughness),
        material.base_color,
    ];
    let uniforms = rows.map(|row| row.to_array());
    let source = include_str!("../../../../shaders/metallic_roughness.wgsl");
    let images = [None, None, Some(0), Some(1), Some(2)];
    let twin = twin(&scene, source, uniforms.as_flattened(), images);
    let (drawn, largest) = compare(&own(&scene, &material), &twin);
    assert!(drawn > 3000, "{drawn} pixels");
    assert!(largest <= 1, "{largest} levels");
}
