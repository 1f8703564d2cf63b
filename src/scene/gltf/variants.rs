//! `KHR_materials_variants`: other materials for the same meshes, by the name of a variant.

use serde::Deserialize;

use gltf::json::Index;
use gltf::json::mesh::Primitive;

use super::error::{LoadError, element};
use super::file::File;

const NAME: &str = "KHR_materials_variants";

/// The file's list, as it is written.
#[derive(Debug, Deserialize)]
struct List {
    variants: Vec<Variant>,
}

#[derive(Debug, Deserialize)]
struct Variant {
    #[serde(default)]
    name: String,
}

/// Materials of a primitive by variant.
#[derive(Debug, Deserialize)]
struct Wardrobe {
    mappings: Vec<Mapping>,
}

#[derive(Debug, Deserialize)]
struct Mapping {
    material: u32,
    variants: Vec<usize>,
}

/// The names of the file's variants, in its order.
pub(super) fn names(file: &File) -> Result<Vec<String>, LoadError> {
    let extensions = file.root.extensions.as_ref();
    let Some(value) = extensions.and_then(|extensions| extensions.others.get(NAME)) else {
        return Ok(Vec::new());
    };
    let list =
        List::deserialize(value).map_err(|error| LoadError::invalid(NAME, error.to_string()))?;
    Ok(list.variants.into_iter().map(|v| v.name).collect())
}

/// Gives every primitive the material that it has in variant `choice`: its name, or else its position.
pub(super) fn choose(file: &mut File, names: &[String], choice: &str) -> Result<(), LoadError> {
    let by_name = names.iter().position(|name| name == choice);
    let by_position = || choice.parse().ok().filter(|&at| at < names.len());
    let Some(variant) = by_name.or_else(by_position) else {
        let listed: Vec<String> = (names.iter().enumerate().take(32))
            .map(|(at, name)| element("variant", at, Some(name)))
            .collect();
        let problem = format!(
            "'{choice}' is asked for; the file has {}: {}",
            names.len(),
            listed.join(", ")
        );
        return Err(LoadError::invalid("material variants", problem));
    };
    for (number, mesh) in file.root.meshes.iter_mut().enumerate() {
        for (at, primitive) in mesh.primitives.iter_mut().enumerate() {
            let material = material_of(primitive, variant).map_err(|error| {
                let name = element("mesh", number, mesh.name.as_deref());
                LoadError::invalid(
                    format!("{name}, primitive {at}"),
                    format!("{NAME}: {error}"),
                )
            })?;
            if let Some(material) = material {
                primitive.material = Some(Index::new(material));
            }
        }
    }
    Ok(())
}

/// The material of a primitive in a variant; `None` where it keeps its own.
fn material_of(primitive: &Primitive, variant: usize) -> Result<Option<u32>, serde_json::Error> {
    let extensions = primitive.extensions.as_ref();
    let Some(value) = extensions.and_then(|extensions| extensions.others.get(NAME)) else {
        return Ok(None);
    };
    let wardrobe = Wardrobe::deserialize(value)?;
    let mut mappings = wardrobe.mappings.into_iter();
    let mapping = mappings.find(|mapping| mapping.variants.contains(&variant));
    Ok(mapping.map(|mapping| mapping.material))
}
