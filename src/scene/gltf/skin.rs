//! Skins: joints and their inverse bind matrices (glTF 2.0, 3.7.3).

use glam::Mat4;
use gltf::json::accessor::{ComponentType, Type};

use super::accessor::Accessor;
use super::error::{LoadError, element};
use super::file::File;
use super::hierarchy::Hierarchy;
use crate::{Mesh, NodeId, Skin};

/// Reads skin `index` of the file; its joints are part of `hierarchy`.
pub(super) fn read(file: &File, index: usize, hierarchy: &Hierarchy) -> Result<Skin, LoadError> {
    let json = &file.root.skins[index];
    let name = element("skin", index, json.name.as_deref());
    let joint = |joint: usize| -> Result<NodeId, LoadError> {
        let id = hierarchy.ids.get(joint).copied().flatten();
        id.ok_or_else(|| {
            let count = hierarchy.ids.len();
            LoadError::invalid(&*name, format!("refers to joint node {joint} of {count}"))
        })
    };
    let joints: Vec<NodeId> = json
        .joints
        .iter()
        .map(|j| joint(j.value()))
        .collect::<Result<_, _>>()?;
    let mut inverse_bind = match json.inverse_bind_matrices {
        Some(matrices) => inverse_bind(file, matrices.value(), &name)?,
        None => vec![Mat4::IDENTITY; joints.len()],
    };
    if inverse_bind.len() < joints.len() {
        let (matrices, joints) = (inverse_bind.len(), joints.len());
        return Err(LoadError::invalid(
            name,
            format!("{matrices} inverse bind matrices for {joints} joints"),
        ));
    }
    inverse_bind.truncate(joints.len());
    Ok(Skin {
        joints,
        inverse_bind,
    })
}

fn inverse_bind(file: &File, accessor: usize, name: &str) -> Result<Vec<Mat4>, LoadError> {
    let accessor = Accessor::new(file, accessor, &format!("inverse bind matrices of {name}"))?;
    accessor.expect_shape(&[Type::Mat4])?;
    accessor.expect_component(&[ComponentType::F32])?;
    let mut matrices = accessor.vectors(|columns| Mat4::from_cols_array(&columns));
    for matrix in matrices.iter_mut().filter(|matrix| !matrix.is_finite()) {
        file.warn(format!(
            "{name}: inverse bind matrices that are not finite are ignored"
        ));
        *matrix = Mat4::IDENTITY;
    }
    Ok(matrices)
}

/// The largest joint index that vertices of a mesh name.
pub(super) fn max_joint(mesh: &Mesh) -> Option<u16> {
    let primitives = mesh.primitives.iter();
    let joints = primitives.flat_map(|primitive| primitive.joints.iter().flatten().flatten());
    joints.max().copied()
}

/// Refuses a mesh whose vertices name joints that its skin has not.
pub(super) fn check_joints(
    max_joint: Option<u16>,
    skin: Option<&Skin>,
    user: &str,
) -> Result<(), LoadError> {
    match (max_joint, skin.map(|skin| skin.joints.len())) {
        (Some(joint), Some(count)) if usize::from(joint) >= count => {
            let problem = format!("its mesh names joint {joint}; its skin has {count}");
            Err(LoadError::invalid(user, problem))
        }
        _ => Ok(()),
    }
}
