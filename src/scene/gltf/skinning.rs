//! Joint indices and weights of vertices (glTF 2.0, 3.7.3.3).

use glam::Vec4;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::mesh::Semantic;

use super::error::LoadError;
use super::part::{Part, finite};

/// Influence sets, four joints a vertex in each.
pub(super) struct Influences {
    /// Joint indices by set and vertex.
    pub joints: Vec<Vec<[u16; 4]>>,
    /// Weights by set and vertex.
    pub weights: Vec<Vec<Vec4>>,
}

/// Most influence sets of a vertex; 64 joints pull at it then.
const MAX_SETS: u32 = 16;

/// All influence sets of a primitive; the weights of a vertex add up to 1.
pub(super) fn read(part: &Part<'_>, vertices: usize) -> Result<Influences, LoadError> {
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for set in 0..MAX_SETS {
        let joint_accessor = part.stream(Semantic::Joints(set), vertices)?;
        let weight_accessor = part.stream(Semantic::Weights(set), vertices)?;
        let (Some(joint_accessor), Some(weight_accessor)) = (joint_accessor, weight_accessor)
        else {
            break;
        };
        joint_accessor.expect_shape(&[Type::Vec4])?;
        joint_accessor.expect_component(&[ComponentType::U8, ComponentType::U16])?;
        weight_accessor.expect_shape(&[Type::Vec4])?;
        joints.push(joint_accessor.integers(|joints| joints.map(|joint| joint as u16)));
        let values = weight_accessor.vectors(Vec4::from_array);
        weights.push(finite(part.file, &weight_accessor, values, Vec4::is_finite));
    }
    for vertex in 0..vertices {
        normalize(&mut joints, &mut weights, vertex);
    }
    Ok(Influences { joints, weights })
}

/// Scales the weights of a vertex to a sum of 1; joints without weight become joint 0, as the file may name any there.
fn normalize(joints: &mut [Vec<[u16; 4]>], weights: &mut [Vec<Vec4>], vertex: usize) {
    let mut sum = 0.0;
    for (joints, weights) in joints.iter_mut().zip(weights.iter_mut()) {
        let weight = &mut weights[vertex];
        *weight = weight.max(Vec4::ZERO);
        for (joint, weight) in joints[vertex].iter_mut().zip(weight.to_array()) {
            *joint = if weight > 0.0 { *joint } else { 0 };
        }
        sum += weight.element_sum();
    }
    for (set, weights) in weights.iter_mut().enumerate() {
        weights[vertex] = match sum > 0.0 && sum.is_finite() {
            true => weights[vertex] / sum,
            false if set == 0 => Vec4::X,
            false => Vec4::ZERO,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_all_sets_add_up_to_one() {
        let mut joints = vec![vec![[1, 2, 9, 9]], vec![[3, 9, 9, 9]]];
        let mut weights = vec![
            vec![Vec4::new(1.0, 2.0, 0.0, 0.0)],
            vec![Vec4::new(1.0, 0.0, 0.0, 0.0)],
        ];
        normalize(&mut joints, &mut weights, 0);
        assert_eq!(weights[0][0], Vec4::new(0.25, 0.5, 0.0, 0.0), "first set");
        assert_eq!(weights[1][0], Vec4::new(0.25, 0.0, 0.0, 0.0), "second set");
        assert_eq!(joints[0][0], [1, 2, 0, 0], "joints without weight");
    }

    #[test]
    fn weights_that_are_all_zero_bind_to_the_first_joint() {
        let (mut joints, mut weights) = (vec![vec![[7; 4]]], vec![vec![Vec4::ZERO]]);
        normalize(&mut joints, &mut weights, 0);
        assert_eq!(weights[0][0], Vec4::X, "weight");
        assert_eq!(joints[0][0], [0; 4], "joint");
    }
}
