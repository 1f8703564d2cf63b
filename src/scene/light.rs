//! Punctual lights of the scene (`KHR_lights_punctual`).

use glam::Vec3;

/// Shape of a light's emission: direction, point or cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightKind {
    /// Parallel light along the node's -Z; intensity in lux.
    Directional,
    /// Light from the node's origin to all sides; intensity in candela.
    Point,
    /// A cone along the node's -Z; intensity in candela.
    Spot {
        /// Radians from the axis to where the falloff begins.
        inner_angle: f32,
        /// Radians from the axis to where the light ends.
        outer_angle: f32,
    },
}

/// A light of the scene; its node gives position and direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Light {
    /// Name from the file; may be empty.
    pub name: String,
    /// Linear RGB, each 0 or more, usually 1 at most.
    pub color: Vec3,
    /// Intensity in lux or candela, by `kind`.
    pub intensity: f32,
    /// Distance in metres at which it ends; `None` reaches everywhere.
    pub range: Option<f32>,
    /// Directional, point or spot.
    pub kind: LightKind,
}
