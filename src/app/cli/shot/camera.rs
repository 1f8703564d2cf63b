//! Choice of the camera that sees the shot.

use glam::{DVec3, Vec3};

use super::known::known;
use super::{Failure, Outcome, ShotArgs};
use crate::app::cli::args::CameraArgs;
use crate::render::RenderSettings;
use crate::scene::{
    AnimationChoice, Bounds, FrameState, NodeId, Orbit, PlacedCamera, Pose, Scene, frame,
};

/// Bounds to frame where nothing is drawn.
const UNIT_BOX: Bounds = Bounds {
    min: Vec3::NEG_ONE,
    max: Vec3::ONE,
};

/// Viewpoint of a scene's frames.
#[derive(Debug, Clone, Copy)]
pub(in crate::app::cli) enum Viewpoint {
    /// A camera of the scene, which may move.
    Node(NodeId),
    /// A camera that the program places, which stands still.
    Placed(PlacedCamera),
    /// A camera that stands still where all of the scene is to be seen in a picture of the requested shape.
    Whole(PlacedCamera),
}

impl Viewpoint {
    /// Chooses the orbit if one is asked for, else the named camera, else the scene's first, else one that frames what is
    /// drawn at the start.
    pub(super) fn choose(
        args: &ShotArgs,
        scene: &Scene,
        animation: AnimationChoice,
        settings: &RenderSettings,
    ) -> Outcome<Self> {
        let state = || scene.state_from_middle(animation, args.scene.start() as f32);
        let aspect = settings.width as f32 / settings.height as f32;
        if let Some(angles) = args.camera.orbit {
            return Ok(Self::Placed(orbit(&args.camera, angles, scene, &state())));
        }
        if let Some(name) = &args.camera.camera {
            return named(scene, name).map(Self::Node);
        }
        Ok(match scene.camera_nodes().next() {
            Some((node, _)) => Self::Node(node),
            None => Self::Whole(scene.framing_camera(&state(), aspect).with_origin_near()),
        })
    }

    /// Camera in a pose of the scene; the pose counts from a place near the camera from now on.
    pub(super) fn look(self, scene: &Scene, pose: &mut Pose, aspect: f32) -> PlacedCamera {
        let placed = match self {
            Self::Placed(camera) | Self::Whole(camera) => Some(camera),
            Self::Node(node) => scene.look_through(pose, node),
        };
        let camera = placed.unwrap_or_else(|| frame(UNIT_BOX, aspect));
        pose.origin_world = camera.origin_world;
        camera
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
    scene: &Scene,
    state: &FrameState,
) -> PlacedCamera {
    let bounds = scene.bounds(state);
    let middle = bounds.map_or(Vec3::ZERO, |bounds| bounds.center());
    let target = args.target.map(|target| {
        let from_zero = DVec3::from_array(target.map(f64::from));
        (from_zero - state.origin_world).as_vec3()
    });
    let camera = Orbit {
        theta: theta.to_radians(),
        phi: phi.to_radians(),
        radius,
        target_world: target.unwrap_or(middle),
        y_fov: args.fov.to_radians(),
    }
    .camera(bounds);
    PlacedCamera {
        origin_world: state.origin_world,
        ..camera
    }
    .with_origin_near()
}
