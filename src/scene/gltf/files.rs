//! The one place of the scene that touches the file system: a path to its scene, for callers without a store of their own.

use std::path::Path;

use super::error::{LoadError, printable};
use super::load::{LoadOptions, load};
use crate::{Scene, read_file};

/// Loads the .gltf or .glb at `path`; buffers and images are looked for beside it.
///
/// # Errors
/// As [`load`], and if the file cannot be read.
pub fn load_path(path: &Path, options: &LoadOptions) -> Result<Scene, LoadError> {
    let read = |path: &Path| read_file(path, options.memory_limit);
    let bytes = read(path).map_err(|source| LoadError::Unreadable {
        element: "scene".to_owned(),
        uri: printable(&path.to_string_lossy()),
        source,
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut scene = load(bytes, &|uri| read(&folder.join(uri)), options)?;
    let stem = path.file_stem().unwrap_or_default();
    scene.name = stem.to_string_lossy().into_owned();
    Ok(scene)
}
