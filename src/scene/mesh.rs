//! Meshes: what a node draws.

use super::Primitives;

/// A mesh: one or more primitives, each with a material of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Name from the file; may be empty.
    pub name: String,
    /// The parts, in file order.
    pub primitives: Primitives,
    /// Default weights of the morph targets.
    pub morph_weights: Vec<f32>,
}
