//! Viewpoints: the file's cameras, an orbit around a point, or a view that shows everything.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{DVec3, Mat4, Vec3};

use super::{Bounds, Camera, FrameState, NodeId, Pose, Projection, Scene, View};

/// A lens at a place in the world; it looks along -Z with +Y up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedCamera {
    /// Perspective or parallel, with its planes.
    pub projection: Projection,
    /// Camera space to world space as told from [`Self::origin_world`]; the camera looks along -Z.
    pub world_from_camera: Mat4,
    /// Position of zero in the world, metres; that of the [`FrameState`] that it sees.
    pub origin_world: DVec3,
}

impl PlacedCamera {
    /// The view for a picture of `width` x `height` pixels.
    #[must_use]
    pub fn view(&self, width: u32, height: u32) -> View {
        View::through(&self.projection, self.world_from_camera, width, height)
    }

    /// Moves zero near the camera's eye, or to the middle of the world if that is near enough: a [`Pose`] with its
    /// [`origin_world`](Pose::origin_world) has what the camera sees as exact as it can be.
    #[must_use]
    pub fn with_origin_near(mut self) -> Self {
        let eye = self.origin_world + self.world_from_camera.w_axis.truncate().as_dvec3();
        let origin = self.projection.origin_near(eye);
        if origin != self.origin_world {
            self.world_from_camera.w_axis = (eye - origin).as_vec3().extend(1.0);
            self.origin_world = origin;
        }
        self
    }
}

/// A camera on a sphere around a point.
///
/// ```
/// # mod azulejo { pub use azulejo_scene as scene; }
/// use azulejo::scene::Orbit;
/// use glam::Vec3;
/// use std::f32::consts::FRAC_PI_2;
///
/// let orbit = Orbit { theta: 0.0, phi: FRAC_PI_2, radius: 3.0, target_world: Vec3::ZERO, y_fov: 0.8 };
/// let view = orbit.camera(None).view(1920, 1080);
/// assert!(view.eye_world.distance(Vec3::new(0.0, 0.0, 3.0)) < 1e-5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// Radians around +Y, from +Z towards +X.
    pub theta: f32,
    /// Radians from +Y down; a quarter turn is level.
    pub phi: f32,
    /// Metres from the point; 0 looks out of it.
    pub radius: f32,
    /// The middle of the sphere, in world space, metres.
    pub target_world: Vec3,
    /// Vertical field of view, radians.
    pub y_fov: f32,
}

/// Nearest thing that is seen, as a part of the scene's size or of the distance to it.
const NEAR_PART: f32 = 1e-3;

impl Orbit {
    /// The camera at `target + radius (sin phi sin theta, cos phi, sin phi cos theta)`, looking back at the target.
    ///
    /// Its right is (cos theta, 0, -sin theta) everywhere, so that nothing is undefined at the poles. `bounds` is what
    /// must not be cut off by the near plane; both may be told from another origin than zero.
    #[must_use]
    pub fn camera(&self, bounds: Option<Bounds>) -> PlacedCamera {
        let (sin_theta, cos_theta) = self.theta.sin_cos();
        let (sin_phi, cos_phi) = self.phi.sin_cos();
        let back = Vec3::new(sin_phi * sin_theta, cos_phi, sin_phi * cos_theta);
        let right = Vec3::new(cos_theta, 0.0, -sin_theta);
        let eye = self.target_world + back * self.radius;
        PlacedCamera {
            projection: Projection::Perspective {
                y_fov: self.y_fov,
                aspect: None,
                near: near_plane(eye, bounds),
                far: None,
            },
            world_from_camera: Mat4::from_cols(
                right.extend(0.0),
                back.cross(right).extend(0.0),
                back.extend(0.0),
                eye.extend(1.0),
            ),
            origin_world: DVec3::ZERO,
        }
    }
}

/// A near plane that lies before everything in `bounds` and leaves depth some precision.
fn near_plane(eye: Vec3, bounds: Option<Bounds>) -> f32 {
    const NOTHING_TO_SEE: f32 = 0.01;
    let near = bounds.map_or(NOTHING_TO_SEE, |bounds| {
        let within = NEAR_PART * bounds.diagonal();
        within.max(0.25 * bounds.distance(eye))
    });
    match near > 0.0 {
        true => near.clamp(f32::MIN_POSITIVE, f32::MAX),
        false => NOTHING_TO_SEE,
    }
}

/// Vertical field of view of a framing camera, radians.
const FRAMING_FOV: f32 = PI / 5.0;
/// Part of the picture's width or height that a framed scene fills.
const FRAMING_FILL: f32 = 0.92;

/// Depth below which something is a panel, as a part of the shorter of its width and height; twice that is solid.
const PANEL_DEPTH: f32 = 0.2;

/// A camera that shows all of `bounds` in a picture of shape `aspect` (width / height): from a little to the right and
/// above, or from the front where it is a panel.
#[must_use]
pub fn frame(bounds: Bounds, aspect: f32) -> PlacedCamera {
    let corners = bounds.corners();
    fit(bounds, aspect, |directions| {
        directions.map(|direction| {
            let extents = corners.map(|corner| corner.dot(direction));
            extents.into_iter().fold(f32::NEG_INFINITY, f32::max)
        })
    })
}

/// The camera that sees something with `bounds` as large as the picture's shape allows, in its middle.
///
/// `support` gives how far that something reaches along each of four directions. A camera basis (right, up, back) and the
/// frustum's slopes t turn "inside" into four half spaces, such as `up + t back` for the upper plane: the eye has to lie as
/// far along each normal as the farthest point, which two by two fixes where it is across and how far away.
fn fit(bounds: Bounds, aspect: f32, support: impl Fn([Vec3; 4]) -> [f32; 4]) -> PlacedCamera {
    let size = bounds.size();
    // 0 for a panel that faces +Z, 1 for something with a depth of its own.
    let panel = PANEL_DEPTH * size.x.min(size.y);
    let solid = ((size.z - panel) / panel.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    let orbit = Orbit {
        theta: 0.55 * solid,
        phi: FRAC_PI_2 - 0.32 * solid,
        radius: 0.0,
        target_world: bounds.center(),
        y_fov: FRAMING_FOV,
    };
    let axes = orbit.camera(None).world_from_camera;
    let [right, up, back] = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.truncate());
    let slope_y = (FRAMING_FOV * 0.5).tan() * FRAMING_FILL;
    let slope_x = slope_y * aspect;
    let [x_max, x_min, y_max, y_min] = support([
        right + back * slope_x,
        back * slope_x - right,
        up + back * slope_y,
        back * slope_y - up,
    ]);
    let across = (x_max - x_min) * 0.5;
    let upward = (y_max - y_min) * 0.5;
    let away = ((x_max + x_min) * 0.5 / slope_x).max((y_max + y_min) * 0.5 / slope_y);
    // A single point has to be seen from some distance too, at which it is not rounded into the eye.
    let of_point = (1e-6 * orbit.target_world.length()).max(1e-3);
    let least = if size == Vec3::ZERO { of_point } else { 0.0 };
    let away = away.max(orbit.target_world.dot(back) + least);
    let eye = right * across + up * upward + back * away;
    Orbit {
        target_world: eye,
        ..orbit
    }
    .camera(Some(bounds))
}

impl Scene {
    /// The nodes with a camera, in document order, each with its camera.
    pub fn camera_nodes(&self) -> impl Iterator<Item = (NodeId, &Camera)> {
        let nodes = (0..).map(NodeId).zip(&self.nodes);
        nodes.filter_map(|(id, node)| Some((id, &self.cameras[node.camera? as usize])))
    }

    /// The node whose camera, or else which itself, is called `name`; else the one at position `name` of
    /// [`Scene::camera_nodes`].
    #[must_use]
    pub fn find_camera(&self, name: &str) -> Option<NodeId> {
        let mut nodes = self.camera_nodes();
        let by_camera = || self.camera_nodes().find(|(_, camera)| camera.name == name);
        let by_node = || {
            self.camera_nodes()
                .find(|(id, _)| self.nodes[id.index()].name == name)
        };
        let by_position = || nodes.nth(name.parse().ok()?);
        let found = by_camera().or_else(by_node).or_else(by_position);
        found.map(|(id, _)| id)
    }

    /// A camera that shows all that `state` draws in a picture of shape `aspect` (width / height), as [`frame`] does but by
    /// the vertices instead of a box around them. If nothing is drawn it looks at the origin. It is told from the
    /// state's origin.
    #[must_use]
    pub fn framing_camera(&self, state: &FrameState, aspect: f32) -> PlacedCamera {
        let unit = Bounds {
            min: Vec3::NEG_ONE,
            max: Vec3::ONE,
        };
        let Some(bounds) = self.bounds(state) else {
            return PlacedCamera {
                origin_world: state.origin_world,
                ..frame(unit, aspect)
            };
        };
        let camera = fit(bounds, aspect, |directions| {
            self.support(state, &directions).unwrap_or_default()
        });
        PlacedCamera {
            origin_world: state.origin_world,
            ..camera
        }
    }

    /// The camera of `node` where `pose` puts it, told from the pose's origin; `None` if it has none.
    #[must_use]
    pub fn placed_camera(&self, pose: &Pose, node: NodeId) -> Option<PlacedCamera> {
        let camera = self.nodes.get(node.index())?.camera?;
        let changed = pose.changes.cameras.get(&camera);
        let mut world_from_camera = pose.placement(node)?;
        if let Some(rotation) = pose.camera_rotations.get(&node) {
            let eye = world_from_camera.w_axis.truncate();
            world_from_camera = Mat4::from_rotation_translation(rotation.as_quat(), eye);
        }
        Some(PlacedCamera {
            projection: changed.unwrap_or(&self.cameras[camera as usize]).projection,
            world_from_camera,
            origin_world: pose.origin_world,
        })
    }

    /// The camera of `node`, with the pose told from a place near its eye from now on.
    pub fn look_through(&self, pose: &mut Pose, node: NodeId) -> Option<PlacedCamera> {
        let eye = pose.world_from_node.get(node.index())?.w_axis.truncate();
        let projection = self.placed_camera(pose, node)?.projection;
        pose.origin_world = projection.origin_near(eye);
        self.placed_camera(pose, node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orbit(theta: f32, phi: f32, radius: f32) -> Orbit {
        Orbit {
            theta: theta.to_radians(),
            phi: phi.to_radians(),
            radius,
            target_world: Vec3::new(1.0, 2.0, 3.0),
            y_fov: 1.0,
        }
    }

    #[test]
    fn orbit_puts_the_eye_where_the_formula_says() {
        let eye = |orbit: Orbit| orbit.camera(None).world_from_camera.w_axis.truncate();
        let off = eye(orbit(90.0, 90.0, 2.0)) - Vec3::new(3.0, 2.0, 3.0);
        assert!(off.length() < 1e-5, "from +X: {off}");
        let off = eye(orbit(0.0, 0.0, 2.0)) - Vec3::new(1.0, 4.0, 3.0);
        assert!(off.length() < 1e-5, "from above: {off}");
    }

    #[test]
    fn orbit_shows_its_target_in_the_middle_and_up_above() {
        for (theta, phi) in [(0.0, 90.0), (30.0, 60.0), (200.0, 0.0), (77.0, 180.0)] {
            let orbit = orbit(theta, phi, 2.0);
            let view = orbit.camera(None).view(64, 64);
            let seen = view.view_from_world.transform_point3(orbit.target_world);
            assert!(
                (seen - Vec3::NEG_Z * 2.0).length() < 1e-5,
                "({theta}, {phi}): {seen}"
            );
            let up = view.view_from_world.transform_vector3(Vec3::Y);
            assert!(up.y >= -1e-5, "({theta}, {phi}): +Y does not point down");
        }
    }

    #[test]
    fn frame_shows_every_corner_and_wastes_no_space() {
        let bounds = Bounds {
            min: Vec3::new(-1.0, 5.0, 2.0),
            max: Vec3::new(3.0, 6.0, 9.0),
        };
        for (width, height) in [(1920, 1080), (100, 400)] {
            let view = frame(bounds, width as f32 / height as f32).view(width, height);
            let seen = bounds.corners().map(|corner| {
                let clip = view.clip_from_view * view.view_from_world * corner.extend(1.0);
                assert!(clip.z >= 0.0, "{corner} lies behind the near plane");
                clip.truncate().truncate().abs() / clip.w
            });
            let edge = seen
                .into_iter()
                .fold(0.0, |edge: f32, p| edge.max(p.x.max(p.y)));
            let off = (edge - FRAMING_FILL).abs();
            assert!(
                off < 1e-3,
                "{width} x {height}: reaches {edge} of the picture"
            );
        }
    }

    #[test]
    fn frame_of_a_point_is_finite() {
        for at in [Vec3::ZERO, Vec3::ONE, Vec3::splat(1e9)] {
            let point = Bounds { min: at, max: at };
            let view = frame(point, 1.5).view(30, 20);
            let seen = view.clip_from_world().project_point3(at);
            assert!((0.0..1.0).contains(&seen.z), "{at} lies at {seen}");
        }
    }

    #[test]
    fn frame_is_the_same_at_every_scale() {
        let of_size = |size: f32| {
            let bounds = Bounds {
                min: Vec3::new(-1.0, 5.0, 2.0) * size,
                max: Vec3::new(3.0, 6.0, 9.0) * size,
            };
            (frame(bounds, 1.5), bounds)
        };
        let (camera, bounds) = of_size(1.0);
        let orbit = |bounds: Bounds, size: f32| {
            let orbit = Orbit {
                target_world: bounds.center(),
                ..orbit(30.0, 70.0, 12.0 * size)
            };
            orbit.camera(Some(bounds)).view(30, 20)
        };
        for exponent in [-60, -40, -27, -10, 10, 27, 40] {
            let size = 2.0_f32.powi(exponent);
            let (scaled, scaled_bounds) = of_size(size);
            let [seen, expected] = [(scaled, size), (camera, 1.0)].map(|(camera, size)| {
                let view = camera.view(30, 20);
                (view.clip_from_world() * Vec3::ONE.extend(1.0 / size)).to_array()
            });
            assert_eq!(seen, expected, "2^{exponent}: the whole");
            let [seen, expected] = [(scaled_bounds, size), (bounds, 1.0)].map(|(bounds, size)| {
                (orbit(bounds, size).clip_from_world() * Vec3::ONE.extend(1.0 / size)).to_array()
            });
            assert_eq!(seen, expected, "2^{exponent}: from an orbit");
        }
    }
}
