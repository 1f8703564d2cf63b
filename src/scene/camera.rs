//! Cameras, and the view that a frame is drawn from.

use glam::{DMat4, DVec3, Mat4, Vec3};

use super::rotation::rigid;
use azulejo_math::{orthographic_vulkan, perspective_vulkan};

/// The projection of a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Central projection with a vanishing point.
    Perspective {
        /// Vertical field of view, radians.
        y_fov: f32,
        /// Width / height of the frame, all of which is seen; `None` leaves its width to the picture.
        aspect: Option<f32>,
        /// Near plane, metres, > 0.
        near: f32,
        /// Far plane; `None` is infinitely far.
        far: Option<f32>,
    },
    /// Parallel projection: size does not depend on distance.
    Orthographic {
        /// Half the width of the frame in metres.
        x_mag: f32,
        /// Half the height of the frame in metres.
        y_mag: f32,
        /// Distance of the near plane in metres; 0 is at the eye.
        near: f32,
        /// Far plane, beyond `near`.
        far: f32,
    },
}

/// Steps of the near plane between places that [`Projection::origin_near`] gives for eyes: within half of them, coordinates
/// of single precision are fine enough for what is seen through the lens.
const STEPS_OF_NEAR: f64 = (1 << 14) as f64;
/// Steps for a parallel lens, in halves of its frame's height.
const STEPS_OF_HEIGHT: f64 = (1 << 12) as f64;

impl Projection {
    /// `clip_from_view` for a picture of shape `aspect` (width / height): the whole frame of the lens is in it. A
    /// picture narrower than the frame shows more above and below, a wider one more at the sides (glTF 2.0,
    /// 3.10.3: "rendering SHOULD NOT crop").
    #[must_use]
    pub fn clip_from_view(&self, aspect: f32) -> Mat4 {
        match *self {
            Self::Perspective {
                y_fov,
                aspect: frame,
                near,
                far,
            } => {
                let mut clip_from_view = perspective_vulkan(y_fov, aspect, near, far);
                let part = frame.map_or(1.0, |frame| (aspect / frame).min(1.0));
                clip_from_view.x_axis.x *= part;
                clip_from_view.y_axis.y *= part;
                clip_from_view
            }
            Self::Orthographic { near, far, .. } => {
                let y_mag = self.half_height(aspect);
                orthographic_vulkan(y_mag * aspect, y_mag, near, far)
            }
        }
    }

    /// Half the height that a picture of shape `aspect` shows: metres of a parallel lens, metres at a metre's distance of a
    /// perspective.
    #[must_use]
    pub fn half_height(&self, aspect: f32) -> f32 {
        match *self {
            Self::Perspective {
                y_fov,
                aspect: frame,
                ..
            } => (y_fov * 0.5).tan() * frame.map_or(1.0, |frame| (frame / aspect).max(1.0)),
            Self::Orthographic { x_mag, y_mag, .. } => y_mag.max(x_mag / aspect),
        }
    }

    /// A place near the eye from which world positions can be told in single precision. It is zero for eyes that see well
    /// from there; for those farther away it keeps still while they move a little.
    #[must_use]
    pub fn origin_near(&self, eye_world: DVec3) -> DVec3 {
        let step = match *self {
            Self::Perspective { near, .. } => f64::from(near) * STEPS_OF_NEAR,
            Self::Orthographic { y_mag, .. } => f64::from(y_mag) * STEPS_OF_HEIGHT,
        };
        // A power of two, so that a multiple has few digits.
        let step = step.log2().floor().exp2();
        let origin = (eye_world / step).round() * step;
        if origin.is_finite() {
            origin
        } else {
            DVec3::ZERO
        }
    }
}

/// A camera of the scene; it looks along its node's -Z with +Y up.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Name from the file; may be empty.
    pub name: String,
    /// Perspective or parallel, with its planes.
    pub projection: Projection,
}

/// Viewpoint and lens of a frame. Its world is that of the frame's state, which is told from
/// [`FrameState::origin_world`](super::FrameState::origin_world).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// World to view space: right-handed, looking along -Z, +Y up.
    pub view_from_world: Mat4,
    /// View to Vulkan clip space: y down, depth 0..1.
    pub clip_from_view: Mat4,
    /// The eye in world space.
    pub eye_world: Vec3,
}

impl View {
    /// World to clip space.
    #[must_use]
    pub fn clip_from_world(&self) -> Mat4 {
        self.clip_from_view * self.view_from_world
    }

    /// World to clip space, without the rounding of single precision: z and w of a perspective stay in proportion.
    #[must_use]
    pub fn clip_from_world_exact(&self) -> DMat4 {
        self.clip_from_view.as_dmat4() * self.view_from_world.as_dmat4()
    }

    /// The view through `projection` placed at `world_from_camera`, for a picture of `width` x `height` pixels.
    ///
    /// Position and rotation of the placement count alone: cameras are not scaled (glTF 2.0, 3.10.2).
    #[must_use]
    pub fn through(
        projection: &Projection,
        world_from_camera: Mat4,
        width: u32,
        height: u32,
    ) -> Self {
        let (rotation, eye_world) = rigid(world_from_camera);
        Self {
            view_from_world: Mat4::from_rotation_translation(rotation, eye_world).inverse(),
            clip_from_view: projection.clip_from_view(width as f32 / height as f32),
            eye_world,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn camera_shows_all_of_its_frame_and_as_little_more_as_the_picture_allows(
            y_fov in 0.05_f32..3.0, frame in 0.1_f32..10.0, height in 1e-6_f32..1e6,
            size in [1_u32..3000, 1_u32..3000],
        ) {
            let [width_px, height_px] = size;
            let aspect = width_px as f32 / height_px as f32;
            let perspective = Projection::Perspective { y_fov, aspect: Some(frame), near: 0.5, far: None };
            let parallel = Projection::Orthographic {
                x_mag: height * frame, y_mag: height, near: 0.5, far: 2.0,
            };
            let half = (y_fov * 0.5).tan();
            for (lens, half) in [(perspective, half), (parallel, height)] {
                let view = View::through(&lens, Mat4::IDENTITY, width_px, height_px);
                let corner = view.clip_from_view.project_point3(Vec3::new(half * frame, half, -1.0));
                let reach = corner.x.abs().max(corner.y.abs());
                prop_assert!((reach - 1.0).abs() < 1e-4, "{lens:?}: its corner lies at {corner}");
                prop_assert!(corner.x > 0.0 && corner.y < 0.0, "right and above");
                let pixels = Vec3::new(width_px as f32, height_px as f32, 0.0) * corner;
                prop_assert!((pixels.x / -pixels.y / frame - 1.0).abs() < 1e-4, "{lens:?}: nothing is stretched");
                prop_assert!((lens.half_height(aspect) * -corner.y / half - 1.0).abs() < 1e-4, "{lens:?}: height");
            }
        }
    }

    #[test]
    fn camera_without_a_frame_keeps_its_height() {
        let lens = Projection::Perspective {
            y_fov: 1.0,
            aspect: None,
            near: 0.1,
            far: None,
        };
        for aspect in [0.2, 1.0, 5.0] {
            let scale = lens.clip_from_view(aspect).y_axis.y;
            assert_eq!(scale, lens.clip_from_view(1.0).y_axis.y, "{aspect}");
        }
    }

    #[test]
    fn origin_is_zero_for_eyes_nearby_and_keeps_still_far_away() {
        let lens = Projection::Perspective {
            y_fov: 1.0,
            aspect: None,
            near: 0.1,
            far: None,
        };
        let origin = |x: f64| lens.origin_near(DVec3::new(x, 1.0, -2.0));
        assert_eq!(origin(500.0), DVec3::ZERO, "half a kilometre away");
        let far = origin(6_378_137.3);
        assert!(
            (far.x - 6_378_137.3).abs() < 1024.0,
            "beside the eye: {far}"
        );
        assert_eq!(origin(6_378_138.9), far, "a step farther");
        assert_eq!(f64::from(far.x as f32), far.x, "of few digits");
        assert_eq!(origin(f64::INFINITY), DVec3::ZERO, "of no place");
    }
}
