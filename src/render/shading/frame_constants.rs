//! What the built-in programs of a frame have in common: eye and light.

use glam::Vec3;

use crate::scene::{Environment, LightInstance};

/// What is the same for all draws of a frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameConstants<'a> {
    /// The eye in world space.
    pub eye_world: Vec3,
    /// Lights that shine.
    pub lights: &'a [LightInstance],
    /// Image-based light, if any.
    pub environment: Option<&'a Environment>,
}
