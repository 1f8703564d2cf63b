//! Animations: keyframes on node properties, sampled at a time.

use super::NodeId;

/// How values between keyframes arise (glTF 2.0, 3.11).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value of the last keyframe.
    Step,
    /// Linear; spherical for rotations.
    #[default]
    Linear,
    /// Hermite with in- and out-tangents beside each value.
    CubicSpline,
}

/// What a channel moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// The node's translation.
    Translation,
    /// The node's rotation, a quaternion.
    Rotation,
    /// The node's scale.
    Scale,
    /// The node's morph weights.
    MorphWeights,
}

/// Times with values: `values` holds per key `components` floats, three times as many (in-tangent, value, out-tangent)
/// for cubic splines.
#[derive(Debug, Clone, Default)]
pub struct Keyframes {
    /// Seconds, ascending.
    pub times: Vec<f32>,
    /// Values by key.
    pub values: Vec<f32>,
    /// Floats of one value: 3, 4, or the number of morph targets.
    pub components: usize,
    /// Between the keys.
    pub interpolation: Interpolation,
}

/// One property of one node over time.
#[derive(Debug, Clone)]
pub struct Channel {
    /// Whose property.
    pub node: NodeId,
    /// Which property.
    pub target: Target,
    /// Its values.
    pub keyframes: Keyframes,
}

/// A named set of channels.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    /// Name from the file; may be empty.
    pub name: String,
    /// What moves.
    pub channels: Vec<Channel>,
    /// Last key time, seconds; time wraps around it.
    pub duration: f32,
}

/// Which animations play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnimationChoice {
    /// The scene at rest.
    None,
    /// Every animation at once.
    #[default]
    All,
    /// One of [`super::Scene::animations`].
    One(usize),
}
