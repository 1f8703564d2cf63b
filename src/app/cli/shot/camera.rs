//! Choice of the eye that sees the shot.

use glam::DVec3;

use super::known::known;
use super::{Failure, Outcome};
use crate::cli::args::CameraArgs;
use azulejo_scene::{NodeId, Orbit, Scene};
use azulejo_shot::{Content, Eye};

/// Chooses the orbit if one is asked for, else the named camera, else that which the content is first seen from.
pub(super) fn choose(args: &CameraArgs, content: &Content) -> Outcome<Eye> {
    if let Some([theta, phi, radius]) = args.orbit {
        let target = args.target.map(|at| DVec3::from_array(at.map(f64::from)));
        let camera = content.orbit_camera(target, |target_world| Orbit {
            theta: theta.to_radians(),
            phi: phi.to_radians(),
            radius,
            target_world,
            y_fov: args.fov.to_radians(),
        });
        return Ok(Eye::Placed(camera));
    }
    match &args.camera {
        Some(name) => named(&content.scene, name).map(Eye::Node),
        None => Ok(Eye::first(content)),
    }
}

fn named(scene: &Scene, name: &str) -> Outcome<NodeId> {
    scene.find_camera(name).ok_or_else(|| {
        let names = scene.camera_nodes().map(|(_, camera)| camera.name.as_str());
        Failure::new(format!("{}: no camera '{name}'", scene.name)).hint(known("cameras", names))
    })
}
