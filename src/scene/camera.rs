//! Cameras, and the view that a frame is drawn from.

use glam::{DMat4, Mat4, Vec3};

use crate::math::{orthographic_vulkan, perspective_vulkan};

/// The projection of a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// With vanishing point.
    Perspective {
        /// Vertical field of view, radians.
        y_fov: f32,
        /// Width / height the author framed for; the picture's own shape decides.
        aspect: Option<f32>,
        /// Near plane, metres, > 0.
        near: f32,
        /// Far plane; `None` is infinitely far.
        far: Option<f32>,
    },
    /// Parallel projection: size does not depend on distance.
    Orthographic {
        /// Half the visible width in metres.
        x_mag: f32,
        /// Half the visible height in metres.
        y_mag: f32,
        /// Distance of the near plane in metres; 0 is at the eye.
        near: f32,
        /// Far plane, beyond `near`.
        far: f32,
    },
}

/// A camera of the scene; it looks along its node's -Z with +Y up.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Name from the file; may be empty.
    pub name: String,
    /// Perspective or parallel, with its planes.
    pub projection: Projection,
}

/// From where and through which lens a frame is seen.
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
    /// The vertical extent is kept; the horizontal one follows the picture's shape.
    #[must_use]
    pub fn through(
        projection: &Projection,
        world_from_camera: Mat4,
        width: u32,
        height: u32,
    ) -> Self {
        let shape = width as f32 / height as f32;
        let clip_from_view = match *projection {
            Projection::Perspective {
                y_fov, near, far, ..
            } => perspective_vulkan(y_fov, shape, near, far),
            Projection::Orthographic {
                y_mag, near, far, ..
            } => orthographic_vulkan(y_mag * shape, y_mag, near, far),
        };
        let (_, rotation, eye_world) = world_from_camera.to_scale_rotation_translation();
        let view_from_world = Mat4::from_rotation_translation(rotation, eye_world).inverse();
        Self {
            view_from_world,
            clip_from_view,
            eye_world,
        }
    }
}
