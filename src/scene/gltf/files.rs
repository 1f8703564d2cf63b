//! The one place of the scene that touches the file system: a path to its scene, for those who have no store of their own.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::error::{LoadError, printable};
use super::{LoadOptions, load};
use crate::scene::Scene;

/// Loads the .gltf or .glb at `path`; buffers and images are looked for beside it.
///
/// # Errors
/// As [`load`], and if the file cannot be read.
pub fn load_path(path: &Path, options: &LoadOptions) -> Result<Scene, LoadError> {
    let bytes = read_file(path).map_err(|source| LoadError::Unreadable {
        element: "scene".to_owned(),
        uri: printable(&path.to_string_lossy()),
        source,
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut scene = load(bytes, &|uri| read_file(&folder.join(uri)), options)?;
    let stem = path.file_stem().unwrap_or_default();
    scene.name = stem.to_string_lossy().into_owned();
    Ok(scene)
}

/// The content of a regular file; a pipe or a device could go on for ever.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        let kind = io::ErrorKind::InvalidInput;
        return Err(io::Error::new(kind, "it is not a regular file"));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    File::open(path)?
        .take(metadata.len())
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
