//! A scene's file by its path: glTF, or OBJ where its name says so.

use std::path::{Path, PathBuf};

use super::gltf::{self, LoadError, LoadOptions};
use super::{Scene, obj};

/// Loads the .gltf, .glb or .obj at `path`; what it refers to is looked for beside it.
///
/// # Errors
/// As [`gltf::load_path`] and [`obj::load_path`].
pub fn load_path(path: &Path, options: &LoadOptions) -> Result<Scene, LoadError> {
    match obj::is_obj(path) {
        true => obj::load_path(path, options),
        false => gltf::load_path(path, options),
    }
}

/// The files that the .gltf, .glb or .obj at `path` names, whether they exist or not.
#[must_use]
pub fn referenced_files(path: &Path) -> Vec<PathBuf> {
    match obj::is_obj(path) {
        true => obj::referenced_files(path),
        false => gltf::referenced_files(path),
    }
}
