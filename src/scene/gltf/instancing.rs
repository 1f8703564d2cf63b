//! `EXT_mesh_gpu_instancing`: the copies of a node's mesh, each with a placement of its own.

use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3, Vec4};
use gltf::json::Node as Json;
use gltf::json::accessor::{ComponentType, Type};
use serde::Deserialize;

use super::accessor::Accessor;
use super::error::LoadError;
use super::file::File;
use crate::sampling::unit;

const NAME: &str = "EXT_mesh_gpu_instancing";

/// The extension as it is written.
#[derive(Debug, Deserialize)]
struct Instancing {
    /// Accessors by semantic; those beside translation, rotation and scale are for programs of the file's author.
    attributes: BTreeMap<String, usize>,
}

/// `node_from_copy` of every copy of the node's mesh; `None` where it is drawn once, at the node.
pub(super) fn read(file: &File, json: &Json, name: &str) -> Result<Option<Vec<Mat4>>, LoadError> {
    let extensions = json.extensions.as_ref();
    let Some(value) = extensions.and_then(|extensions| extensions.others.get(NAME)) else {
        return Ok(None);
    };
    let instancing = Instancing::deserialize(value)
        .map_err(|error| LoadError::invalid(name, format!("{NAME}: {error}")))?;
    if json.skin.is_some() {
        file.warn(format!(
            "{name}: {NAME} with a skin, whose joints say where it is: drawn once"
        ));
        return Ok(None);
    }
    let translations = vectors(file, &instancing, "TRANSLATION", Vec3::from_array, name)?;
    let rotations = vectors(file, &instancing, "ROTATION", Vec4::from_array, name)?;
    let scales = vectors(file, &instancing, "SCALE", Vec3::from_array, name)?;
    let counts = [
        translations.as_ref().map(Vec::len),
        rotations.as_ref().map(Vec::len),
        scales.as_ref().map(Vec::len),
    ];
    let mut counts = counts.into_iter().flatten();
    let count = counts.next().unwrap_or(0);
    if let Some(other) = counts.find(|&other| other != count) {
        let problem = format!("{NAME}: {count} copies by one accessor, {other} by another");
        return Err(LoadError::invalid(name, problem));
    }
    let bytes = count as u64 * size_of::<Mat4>() as u64;
    file.reserve(bytes, name)?;
    let copy = |at: usize| {
        let translation = translations.as_ref().map_or(Vec3::ZERO, |list| list[at]);
        let rotation = rotations.as_ref().map_or(Vec4::W, |list| list[at]);
        let scale = scales.as_ref().map_or(Vec3::ONE, |list| list[at]);
        let rotation = unit(Quat::from_vec4(rotation));
        Mat4::from_scale_rotation_translation(scale, rotation, translation)
    };
    let mut copies: Vec<Mat4> = (0..count).map(copy).collect();
    copies.retain(Mat4::is_finite);
    if copies.len() < count {
        let lost = count - copies.len();
        file.warn(format!(
            "{name}: {lost} copies have no finite placement: left out"
        ));
    }
    Ok(Some(copies))
}

/// The elements of one attribute, as floats of its shape.
fn vectors<const N: usize, T: Clone>(
    file: &File,
    instancing: &Instancing,
    semantic: &str,
    make: fn([f32; N]) -> T,
    name: &str,
) -> Result<Option<Vec<T>>, LoadError> {
    let Some(&index) = instancing.attributes.get(semantic) else {
        return Ok(None);
    };
    let accessor = Accessor::new(file, index, &format!("{semantic} of copies of {name}"))?;
    if N == 4 {
        accessor.expect_shape(&[Type::Vec4])?;
        accessor.expect_component(&[ComponentType::F32, ComponentType::I8, ComponentType::I16])?;
    } else {
        accessor.expect_shape(&[Type::Vec3])?;
    }
    Ok(Some(accessor.vectors(make)))
}
