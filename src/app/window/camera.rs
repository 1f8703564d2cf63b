//! Camera that a user moves: on a sphere around a point, which pans, zooms, looks around and flies. It begins where the
//! frame's own camera stands, so that the first drag does not jump.

use std::f32::consts::PI;

use glam::{DVec3, Mat4, Vec3};

use azulejo_scene::{AnimationChoice, Bounds, Orbit, PlacedCamera, Projection, View};
use azulejo_shot::{Content, Eye};

/// Radians that the camera turns for each point of a drag.
const RADIANS_PER_POINT: f32 = 0.006;
/// Factor on the distance for each notch of the wheel.
const ZOOM_PER_NOTCH: f32 = 0.88;
/// Part of the scene's size that flying covers in a second.
const FLIGHT_PER_SECOND: f32 = 0.25;
/// Least angle between an orbit and the poles, radians.
const POLE: f32 = 1e-3;

/// Camera of the window: its seat, and the rig that the user moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CameraState {
    /// Camera that is gone back to: the choice of the command line or of the list.
    pub(super) seat: Eye,
    /// Camera in the user's hand; none until it is moved.
    pub(super) rig: Option<Rig>,
}

/// Camera in the user's hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rig {
    /// Angles, distance and middle of the orbit.
    pub(super) orbit: Orbit,
    /// The projection; its aspect follows the picture.
    pub(super) lens: Projection,
    /// Box that must not be cut off; nothing for a demo, whose lens stays.
    pub(super) bounds: Option<Bounds>,
    /// Origin of the middle and the box, in the world, metres.
    pub(super) origin_world: DVec3,
}

impl CameraState {
    /// The camera at rest on `seat`.
    pub(super) fn new(seat: Eye) -> Self {
        Self { seat, rig: None }
    }

    /// Camera of a plan for the next frame.
    pub(super) fn eye(&self) -> Eye {
        match (&self.rig, self.seat) {
            (None, seat) => seat,
            (Some(rig), Eye::Own) => {
                let world_from_camera = rig.camera().world_from_camera;
                Eye::Moved(
                    world_from_camera.inverse(),
                    world_from_camera.w_axis.truncate(),
                )
            }
            (Some(rig), _) => Eye::Placed(rig.camera()),
        }
    }
}

impl Rig {
    /// Rig that stands where `view` looks from, around the middle of the view; view and box count from `origin_world`.
    pub(super) fn of(
        view: &View,
        lens: Projection,
        bounds: Option<Bounds>,
        origin_world: DVec3,
    ) -> Self {
        let world_from_camera = view.view_from_world.inverse();
        let back = world_from_camera.z_axis.truncate().normalize_or(Vec3::Z);
        let eye = view.eye_world;
        let middle = bounds.map_or(eye - back * 4.0, |bounds| bounds.center());
        let size = bounds.map_or(4.0, |bounds| bounds.size().length());
        let radius = (eye - middle).dot(back).max(0.05 * size);
        Self {
            orbit: Orbit {
                theta: back.x.atan2(back.z),
                phi: back.y.clamp(-1.0, 1.0).acos(),
                radius,
                target_world: eye - back * radius,
                y_fov: y_fov(&view.clip_from_view),
            },
            lens,
            bounds,
            origin_world,
        }
    }

    /// Camera where the rig stands.
    pub(super) fn camera(&self) -> PlacedCamera {
        let camera = self.orbit.camera(self.bounds);
        let projection = match self.lens {
            Projection::Perspective { .. } => camera.projection,
            Projection::Orthographic { .. } => self.lens,
        };
        PlacedCamera {
            projection,
            origin_world: self.origin_world,
            ..camera
        }
        .with_origin_near()
    }

    /// Turns around the middle by a drag of `x`, `y` points.
    pub(super) fn turn(&mut self, x: f32, y: f32) {
        self.orbit.theta -= x * RADIANS_PER_POINT;
        self.orbit.phi = (self.orbit.phi - y * RADIANS_PER_POINT).clamp(POLE, PI - POLE);
    }

    /// Turns around the eye.
    pub(super) fn look(&mut self, x: f32, y: f32) {
        let eye = self.eye();
        self.turn(-x, -y);
        self.orbit.target_world += eye - self.eye();
    }

    /// Moves eye and middle with a drag of `x`, `y` points in a picture of `width` x `height` points.
    pub(super) fn pan(&mut self, x: f32, y: f32, [width, height]: [f32; 2]) {
        let (right, up, _) = self.axes();
        let height = height.max(1.0);
        let metres = match self.lens {
            Projection::Perspective { .. } => {
                2.0 * self.orbit.radius * (self.orbit.y_fov * 0.5).tan()
            }
            Projection::Orthographic { .. } => 2.0 * self.lens.half_height(width.max(1.0) / height),
        } / height;
        self.orbit.target_world += (up * y - right * x) * metres;
    }

    /// Comes nearer by `notches` of the wheel.
    pub(super) fn zoom(&mut self, notches: f32) {
        let factor = ZOOM_PER_NOTCH.powf(notches);
        // Never through the middle, nor out of sight.
        let size = self.bounds.map_or(1.0, |bounds| bounds.diagonal());
        let nearest = (1e-5 * size).max(f32::MIN_POSITIVE);
        self.orbit.radius = (self.orbit.radius * factor).clamp(nearest, (1e6 * size).max(nearest));
        if let Projection::Orthographic { x_mag, y_mag, .. } = &mut self.lens {
            *x_mag *= factor;
            *y_mag *= factor;
        }
    }

    /// Flies for `seconds` along right, up and back, each -1..=1 (more is faster).
    pub(super) fn fly(&mut self, [x, y, z]: [f32; 3], seconds: f32) {
        let (right, up, back) = self.axes();
        let size = self.bounds.map_or(20.0, |bounds| bounds.size().length());
        let way = right * x + up * y + back * z;
        self.orbit.target_world += way * (size * FLIGHT_PER_SECOND * seconds);
    }

    fn eye(&self) -> Vec3 {
        self.orbit.camera(None).world_from_camera.w_axis.truncate()
    }

    fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let axes = self.orbit.camera(None).world_from_camera;
        (
            axes.x_axis.truncate(),
            axes.y_axis.truncate(),
            axes.z_axis.truncate(),
        )
    }
}

/// Box around everything at rest, of a metre where nothing is drawn, and its origin in the world.
pub(super) fn bounds_at_rest(content: &Content) -> (Bounds, DVec3) {
    let state = (content.scene).state_from_middle(AnimationChoice::All, 0.0);
    let drawn = (!content.is_demo()).then(|| content.scene.bounds(&state));
    let bounds = drawn.flatten().unwrap_or(Bounds {
        min: Vec3::splat(-0.5),
        max: Vec3::splat(0.5),
    });
    (bounds, state.origin_world)
}

/// Vertical field of view of a projection: its y scale is 1 / tan(fov / 2), y pointing down.
fn y_fov(clip_from_view: &Mat4) -> f32 {
    let scale = clip_from_view.y_axis.y.abs().max(1e-3);
    2.0 * (1.0 / scale).atan()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds {
        min: Vec3::NEG_ONE,
        max: Vec3::ONE,
    };

    fn rig(theta: f32, phi: f32) -> (Rig, PlacedCamera) {
        let orbit = Orbit {
            theta,
            phi,
            radius: 5.0,
            target_world: Vec3::ZERO,
            y_fov: 0.8,
        };
        let camera = orbit.camera(Some(BOUNDS));
        let view = camera.view(640, 480);
        let rig = Rig::of(&view, camera.projection, Some(BOUNDS), DVec3::ZERO);
        (rig, camera)
    }

    #[test]
    fn camera_taken_in_hand_does_not_jump() {
        for (theta, phi) in [(0.3, 1.2), (-2.0, 2.5), (3.0, 0.2)] {
            let (rig, camera) = rig(theta, phi);
            let taken = rig.camera().world_from_camera;
            assert!(
                taken.abs_diff_eq(camera.world_from_camera, 1e-4),
                "({theta}, {phi}): {taken}"
            );
            assert!((rig.orbit.y_fov - 0.8).abs() < 1e-5, "the same lens");
        }
    }

    #[test]
    fn camera_orbits_around_its_middle_and_looks_around_its_eye() {
        let (mut rig, _) = rig(0.3, 1.2);
        let (middle, eye) = (rig.orbit.target_world, rig.eye());
        rig.turn(40.0, -25.0);
        assert_eq!(rig.orbit.target_world, middle, "the middle stays");
        let eye_after = rig.eye();
        assert!(eye.distance(eye_after) > 0.1, "the eye moves");
        rig.look(-30.0, 10.0);
        assert!(rig.eye().distance(eye_after) < 1e-4, "the eye stays");
        assert!(rig.orbit.target_world.distance(middle) > 0.1, "looks away");
    }

    #[test]
    fn camera_pans_with_the_pointer() {
        let (mut rig, _) = rig(0.0, PI / 2.0);
        let before = rig.camera().view(640, 480);
        rig.pan(48.0, 0.0, [640.0, 480.0]);
        let after = rig.camera().view(640, 480);
        let screen = |view: &View| {
            let clip = view.clip_from_view * view.view_from_world * Vec3::ZERO.extend(1.0);
            240.0 * clip.x / clip.w * 640.0 / 480.0
        };
        let moved = screen(&after) - screen(&before);
        assert!((moved - 48.0).abs() < 0.5, "what was under it: {moved}");
    }

    #[test]
    fn camera_zoom_keeps_the_middle_ahead() {
        let (mut rig, _) = rig(0.3, 1.2);
        rig.zoom(3.0);
        let expected = 5.0 * ZOOM_PER_NOTCH.powi(3);
        assert!((rig.orbit.radius - expected).abs() < 1e-4, "nearer");
        rig.zoom(1e4);
        assert!(rig.orbit.radius > 0.0, "never through it");
    }
}
