//! Which models a folder has.

use std::path::{Path, PathBuf};

/// All .gltf and .glb files below `folder`, sorted.
pub(crate) fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(|e| e == "gltf" || e == "glb") {
            found.push(path);
        }
    }
    found.sort();
    found
}
