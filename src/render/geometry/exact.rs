//! Exact positions of vertices of primitives that are cut: the vertex program's transforms in double-double arithmetic.
//!
//! Lanes round every product to 24 bits. That moves a vertex by less than it shows, as long as the vertex is seen: the
//! error is a part of its distance. If an edge of 40,000 km passes the eye, the same error is metres beside the eye.

use glam::{DVec3, Mat4};

use super::program::{Placement, VertexProgram};
use azulejo_math::DoubleDouble;
use azulejo_scene::Primitive;
use azulejo_simd::each;

/// Clip positions of a draw's vertices, as the clipper takes them.
pub trait ClipPositions: std::fmt::Debug + Sync {
    /// Position of a vertex, without rounding that shows.
    fn exact_position(&self, vertex: usize) -> ExactPosition;
}

/// Position of a vertex before the division by w.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExactPosition {
    /// Position in the world, metres.
    pub world: [DoubleDouble; 3],
    /// Homogeneous, in clip space, before the division by w.
    pub clip: [DoubleDouble; 4],
}

impl ExactPosition {
    /// The point at `t` on the way from here (0) to `to` (1).
    #[must_use]
    pub(super) fn toward(&self, to: &Self, t: DoubleDouble) -> Self {
        let between = |from: DoubleDouble, to: DoubleDouble| from + (to - from) * t;
        Self {
            world: each!(3, k => between(self.world[k], to.world[k])),
            clip: each!(4, k => between(self.clip[k], to.clip[k])),
        }
    }

    /// Every coordinate is a number.
    #[must_use]
    pub(super) fn is_finite(&self) -> bool {
        self.world.iter().chain(&self.clip).all(|it| it.is_finite())
    }
}

impl ClipPositions for VertexProgram<'_> {
    /// Morphed and skinned in double precision.
    fn exact_position(&self, vertex: usize) -> ExactPosition {
        let local = self.morphed(vertex).to_array().map(DoubleDouble::from);
        let columns = match self.placement {
            Placement::Rigid(matrix) => {
                (matrix.to_cols_array_2d()).map(|column| column.map(f64::from))
            }
            Placement::Skinned { joints, .. } => skinned(self.primitive, joints, vertex),
        };
        let world = each!(3, row => {
            let column = |k: usize| DoubleDouble::from(columns[k][row]);
            local[0] * column(0) + local[1] * column(1) + local[2] * column(2) + column(3)
        });
        let columns = self.clip_from_world_exact.to_cols_array_2d();
        let clip = each!(4, row => {
            let column = |k: usize| DoubleDouble::from(columns[k][row]);
            world[0] * column(0) + world[1] * column(1) + world[2] * column(2) + column(3)
        });
        ExactPosition { world, clip }
    }
}

impl VertexProgram<'_> {
    /// Position of a vertex in local space, metres.
    fn morphed(&self, vertex: usize) -> DVec3 {
        let at_rest = self.primitive.positions[vertex].as_dvec3();
        let targets = (self.primitive.morph_targets.iter()).zip(self.morph_weights);
        let shifts = targets.filter_map(|(target, &weight)| {
            let shift = target.positions.get(vertex)?;
            Some(shift.as_dvec3() * f64::from(weight))
        });
        shifts.fold(at_rest, |sum, shift| sum + shift)
    }
}

/// Columns of a vertex's weighted sum of joint matrices (glTF 2.0, 3.7.3.2).
fn skinned(primitive: &Primitive, joints: &[Mat4], vertex: usize) -> [[f64; 4]; 4] {
    let sets = primitive.joints.iter().zip(&primitive.weights);
    let influences = sets
        .flat_map(|(joints, weights)| (joints[vertex].into_iter()).zip(weights[vertex].to_array()));
    let mut sum = [[0.0; 4]; 4];
    for (joint, weight) in influences {
        if let Some(matrix) = joints.get(usize::from(joint)) {
            let elements = matrix.to_cols_array();
            for (sum, element) in sum.as_flattened_mut().iter_mut().zip(elements) {
                *sum += f64::from(element) * f64::from(weight);
            }
        }
    }
    sum
}
