//! Writing pictures.

use std::path::Path;

use super::failure::{Failure, Outcome};
use super::stamp::Stamp;
use crate::render::Picture;
use crate::render::output::png;

/// Refuses a file whose directory does not exist; asked before work begins, so that none is lost.
pub(super) fn check_directory(file: &Path) -> Outcome {
    let directory = match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if file.is_dir() {
        return Err(Failure::of_file(
            file,
            "is a directory; expected a file to write",
        ));
    }
    if !directory.is_dir() {
        let problem = format!("the directory {} does not exist", directory.display());
        let hint = format!("mkdir -p {}", directory.display());
        return Err(Failure::of_file(file, problem).hint(hint));
    }
    Ok(())
}

/// Writes a PNG file that says how it came about.
pub(super) fn save(file: &Path, picture: &Picture, stamp: &Stamp) -> Outcome {
    let bytes =
        png::encode(picture, &stamp.texts()).map_err(|error| Failure::of_file(file, error))?;
    std::fs::write(file, bytes)
        .map_err(|error| Failure::of_file(file, format!("cannot write it: {error}")))
}
