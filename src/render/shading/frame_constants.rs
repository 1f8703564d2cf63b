//! Constants that the built-in programs of a frame have in common: eye and light.

use glam::Vec3;

use azulejo_scene::{Environment, LightInstance};

/// Constants that are the same for all draws of a frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameConstants<'a> {
    /// The eye in world space.
    pub eye_world: Vec3,
    /// Punctual lights that shine in this frame.
    pub lights: &'a [LightInstance],
    /// Image-based light, if any.
    pub environment: Option<&'a Environment>,
}
