//! Which camera sees the shot.

use glam::Vec3;

use super::known::known;
use super::{Failure, Outcome, ShotArgs};
use crate::app::cli::args::CameraArgs;
use crate::render::RenderSettings;
use crate::scene::{
    AnimationChoice, Bounds, NodeId, Orbit, PlacedCamera, Pose, Scene, View, frame,
};

/// Framed where nothing is drawn.
const UNIT_BOX: Bounds = Bounds {
    min: Vec3::NEG_ONE,
    max: Vec3::ONE,
};

/// From where frames are seen.
#[derive(Debug, Clone, Copy)]
pub(in crate::app::cli) enum Viewpoint {
    /// A camera of the scene, which may move.
    Node(NodeId),
    /// A camera of ours, which stands still.
    Placed(PlacedCamera),
    /// The same, where it stands because all of the scene is to be seen in a picture of this shape.
    Whole(PlacedCamera),
}

impl Viewpoint {
    /// The orbit if one is asked for, else the named camera, else the scene's first, else one that frames what is drawn at
    /// the start.
    pub(super) fn choose(
        args: &ShotArgs,
        scene: &Scene,
        animation: AnimationChoice,
        settings: &RenderSettings,
    ) -> Outcome<Self> {
        let state = || scene.state_at(animation, args.scene.start() as f32);
        let aspect = settings.width as f32 / settings.height as f32;
        if let Some(angles) = args.camera.orbit {
            return Ok(Self::Placed(orbit(
                &args.camera,
                angles,
                scene.bounds(&state()),
            )));
        }
        if let Some(name) = &args.camera.camera {
            return named(scene, name).map(Self::Node);
        }
        Ok(match scene.camera_nodes().next() {
            Some((node, _)) => Self::Node(node),
            None => Self::Whole(scene.framing_camera(&state(), aspect)),
        })
    }

    /// The view in a pose of the scene.
    pub(super) fn view(self, scene: &Scene, pose: &Pose, width: u32, height: u32) -> View {
        let of_node = |node| scene.placed_camera(pose, node);
        let camera = match self {
            Self::Placed(camera) | Self::Whole(camera) => camera,
            Self::Node(node) => {
                of_node(node).unwrap_or_else(|| frame(UNIT_BOX, width as f32 / height as f32))
            }
        };
        camera.view(width, height)
    }
}

fn named(scene: &Scene, name: &str) -> Outcome<NodeId> {
    scene.find_camera(name).ok_or_else(|| {
        let names = scene.camera_nodes().map(|(_, camera)| camera.name.as_str());
        Failure::new(format!("{}: no camera '{name}'", scene.name)).hint(known("cameras", names))
    })
}

fn orbit(
    args: &CameraArgs,
    [theta, phi, radius]: [f32; 3],
    bounds: Option<Bounds>,
) -> PlacedCamera {
    let middle = bounds.map_or(Vec3::ZERO, |bounds| bounds.center());
    Orbit {
        theta: theta.to_radians(),
        phi: phi.to_radians(),
        radius,
        target_world: args.target.map_or(middle, Vec3::from_array),
        y_fov: args.fov.to_radians(),
    }
    .camera(bounds)
}
