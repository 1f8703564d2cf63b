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

impl Mesh {
    /// Morph targets of the part that has most.
    #[must_use]
    pub fn n_morph_targets(&self) -> usize {
        let of_parts = self.primitives.iter().map(|part| part.morph_targets.len());
        of_parts.max().unwrap_or(0)
    }
}
