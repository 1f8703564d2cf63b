//! From where the courtyard is seen.

use glam::{Mat3, Quat, Vec3};

use super::stage::{Stage, placed};
use azulejo_scene::{Camera, Node, Projection};

/// Eye position, world space, metres.
pub(super) const EYE: Vec3 = Vec3::new(0.06, 0.50, 2.16);

pub(super) fn camera(stage: &mut Stage) {
    let eye = EYE;
    let backward = (eye - Vec3::new(0.03, 0.265, -0.05)).normalize();
    let right = Vec3::Y.cross(backward).normalize();
    let world_from_view = Mat3::from_cols(right, backward.cross(right), backward);
    stage.scene.cameras.push(Camera {
        name: "front page".to_owned(),
        projection: Projection::Perspective {
            y_fov: 25.0_f32.to_radians(),
            aspect: Some(16.0 / 9.0),
            near: 0.05,
            far: Some(20.0),
        },
    });
    stage.node(Node {
        name: "front page".to_owned(),
        transform: placed(eye, Quat::from_mat3(&world_from_view), 1.0),
        camera: Some(0),
        ..Node::default()
    });
}
