//! Eyes of a shot: the viewpoint of a frame, as a value that can be kept and compared.

use glam::{Mat4, Vec3};

use super::content::Content;
use azulejo_scene::{Bounds, NodeId, PlacedCamera, Pose, View, frame};

/// Bounds to frame where nobody says what is looked at.
const UNIT_BOX: Bounds = Bounds {
    min: Vec3::NEG_ONE,
    max: Vec3::ONE,
};

/// Viewpoint that a frame is seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Eye {
    /// The camera that a demo brings.
    Own,
    /// A demo's lens at another place: view from world, and the place.
    Moved(Mat4, Vec3),
    /// A camera of the scene, which may move.
    Node(NodeId),
    /// A camera that stands where it is put: on an orbit ([`Content::orbit_camera`]), or anywhere.
    Placed(PlacedCamera),
    /// A camera that stands where it sees all of the scene, whatever the shape of the picture.
    Whole,
}

impl Eye {
    /// Eye that content is seen from at first: a demo's own camera, the scene's first, or one that frames all of it.
    #[must_use]
    pub fn first(content: &Content) -> Self {
        if content.is_demo() {
            return Self::Own;
        }
        match content.scene.camera_nodes().next() {
            Some((node, _)) => Self::Node(node),
            None => Self::Whole,
        }
    }

    /// Camera in a pose of a scene; the pose counts from a place near the camera from now on.
    pub(super) fn look(self, content: &Content, pose: &mut Pose, aspect: f32) -> PlacedCamera {
        let placed = match self {
            Self::Placed(camera) => Some(camera),
            Self::Node(node) => content.scene.look_through(pose, node),
            Self::Whole => Some(content.framing_camera(aspect)),
            Self::Own | Self::Moved(..) => None,
        };
        let camera = placed.unwrap_or_else(|| frame(UNIT_BOX, aspect));
        pose.origin_world = camera.origin_world;
        camera
    }

    /// View of a demo from here: its own, unless the eye has been moved.
    #[cfg_attr(not(feature = "demos"), expect(dead_code, reason = "for demos"))]
    pub(super) fn over(self, own: View) -> View {
        match self {
            Self::Moved(view_from_world, eye_world) => View {
                view_from_world,
                eye_world,
                ..own
            },
            _ => own,
        }
    }
}
