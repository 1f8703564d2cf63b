//! Animations: keyframes on node properties, sampled at a time.

use super::{NodeId, Property};

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

/// Node property that a channel animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// The node's translation, metres.
    Translation,
    /// The node's rotation, a quaternion.
    Rotation,
    /// The node's scale, a factor by axis.
    Scale,
    /// The node's morph weights.
    MorphWeights,
    /// One of the node's morph weights, by its morph target; the others stay as they are.
    MorphWeight(u32),
}

/// Times with values: `values` holds per key `components` floats, three times as many (in-tangent, value, out-tangent)
/// for cubic splines.
#[derive(Debug, Clone, Default)]
pub struct Keyframes {
    /// Times of the keys in seconds, strictly ascending.
    pub times: Vec<f32>,
    /// Values, key after key.
    pub values: Vec<f32>,
    /// Floats of one value: 3, 4, or the number of morph targets.
    pub components: usize,
    /// Interpolation between the keys.
    pub interpolation: Interpolation,
}

/// One property of one node over time.
#[derive(Debug, Clone)]
pub struct Channel {
    /// The node that is animated.
    pub node: NodeId,
    /// The property of the node that is animated.
    pub target: Target,
    /// The property's value at each key.
    pub keyframes: Keyframes,
}

/// One property of something else over time.
#[derive(Debug, Clone)]
pub struct PropertyChannel {
    /// The property that is animated.
    pub property: Property,
    /// Value of the property at each key.
    pub keyframes: Keyframes,
}

/// A named set of channels.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    /// Name from the file; may be empty.
    pub name: String,
    /// One channel for each animated property of a node; a later one replaces what an earlier one has set.
    pub channels: Vec<Channel>,
    /// One for each other animated property (`KHR_animation_pointer`).
    pub properties: Vec<PropertyChannel>,
    /// Last key time, seconds; time wraps around it.
    pub duration: f32,
}

/// Choice of the animations that play.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnimationChoice {
    /// The scene at rest.
    None,
    /// Every animation at once.
    #[default]
    All,
    /// One animation, by its index in [`super::Scene::animations`].
    One(usize),
}
