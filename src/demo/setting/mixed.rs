//! Short and long programs in one frame: surfaces of every second texture are [lit](super::lit), all others show their texels as they
//! are. Textures, unlike materials, are the same in all frames, and so is what is lit.

use super::lit;
use azulejo_scene::{FrameState, Material, Scene, Shading};

/// Makes half of a scene lit.
pub(super) fn scene(scene: &mut Scene) {
    scene.materials.iter_mut().for_each(material);
    scene.meshes.iter_mut().for_each(lit::mesh);
}

/// Makes half of what a frame brings lit, and adds the lamps.
pub(super) fn frame(state: &mut FrameState) {
    state.materials.iter_mut().for_each(material);
    state.meshes.iter_mut().for_each(lit::mesh);
    lit::add_lamps(state);
}

fn material(material: &mut Material) {
    let texture = material.base_color_texture.as_ref();
    if texture.is_some_and(|it| it.texture.0 % 2 == 1) {
        lit::material(material);
    } else {
        material.shading = Shading::Unlit;
    }
}
