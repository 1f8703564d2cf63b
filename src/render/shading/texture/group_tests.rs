//! Which textures of a material share one computation of addresses.

use glam::Mat3;

use super::{Channels, TextureGroups};
use azulejo_scene::{
    Encoding, Filter, ImageId, Sampler, Scene, Texture, TextureId, TextureImage, TextureRef,
};

/// Two images of 2x2 texels and one of 4x2; texture 3 samples the first image by its nearest texel.
fn scene() -> Scene {
    let image = |width, height| {
        let texels = vec![0; 4 * width as usize * height as usize];
        TextureImage::from_rgba8("image", Encoding::Linear, width, height, &texels)
            .expect("as many bytes as texels")
    };
    let texture = |image, mag| Texture {
        image: ImageId(image),
        sampler: Sampler {
            mag,
            ..Sampler::default()
        },
    };
    Scene {
        images: vec![image(2, 2), image(2, 2), image(4, 2)],
        textures: vec![
            texture(0, Filter::Linear),
            texture(1, Filter::Linear),
            texture(2, Filter::Linear),
            texture(0, Filter::Nearest),
        ],
        ..Scene::default()
    }
}

const FIRST: TextureRef = TextureRef {
    texture: TextureId(0),
    tex_coord: 0,
    transform: Mat3::IDENTITY,
};

/// Groups that the first texture and `other` form.
fn groups_with(other: TextureRef) -> usize {
    let scene = scene();
    let mut groups = TextureGroups::default();
    groups.add(&scene, &FIRST, 0, Channels::RGBA);
    groups.add(&scene, &other, 1, Channels::RGBA);
    groups.0.len()
}

#[test]
fn textures_of_one_shape_and_coordinate_share_a_group() {
    let other = TextureRef {
        texture: TextureId(1),
        ..FIRST
    };
    assert_eq!(groups_with(other), 1, "another image of the same size");
}

#[test]
fn textures_that_differ_in_addresses_are_apart() {
    let of_texture = |index| TextureRef {
        texture: TextureId(index),
        ..FIRST
    };
    assert_eq!(groups_with(of_texture(2)), 2, "another size");
    assert_eq!(groups_with(of_texture(3)), 2, "another sampler");
    let second_set = TextureRef {
        tex_coord: 1,
        ..FIRST
    };
    assert_eq!(groups_with(second_set), 2, "another coordinate set");
    let scaled = TextureRef {
        transform: Mat3::from_scale(glam::Vec2::splat(2.0)),
        ..FIRST
    };
    assert_eq!(groups_with(scaled), 2, "another transform");
}

#[test]
fn texture_that_the_scene_lacks_is_left_out() {
    let missing = TextureRef {
        texture: TextureId(9),
        ..FIRST
    };
    assert_eq!(groups_with(missing), 1, "only the first");
}
