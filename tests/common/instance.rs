//! Scenes of one thing.

use azulejo::scene::{FrameState, Instance, MaterialId, MeshId, ThroughView};
use glam::Mat4;

/// The first primitive of the first mesh with the first material, where it was modelled.
pub(crate) fn state_of_one() -> FrameState {
    let instance = Instance {
        mesh: MeshId(0),
        primitive: 0,
        material: MaterialId(0),
        world_from_local: Mat4::IDENTITY,
        joints: 0..0,
        morph_weights: 0..0,
        through: ThroughView::Camera,
    };
    FrameState {
        instances: vec![instance],
        ..FrameState::default()
    }
}
