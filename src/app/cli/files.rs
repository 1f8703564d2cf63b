//! Writing pictures.

use std::path::{Path, PathBuf};

use super::failure::{Failure, Outcome};
use super::stamp::Stamp;
use crate::render::Picture;
use crate::render::output::png;
use crate::report::Bitmap;

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

/// `a/f.png` with `x` is `a/f.x.png`.
pub(super) fn with_infix(file: &Path, infix: &str) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(infix);
    name.push(".");
    name.push(file.extension().unwrap_or_default());
    file.with_file_name(name)
}

/// A drawn map as a picture to save.
pub(super) fn picture_of(bitmap: Bitmap) -> Picture {
    Picture {
        width: bitmap.width,
        height: bitmap.height,
        pixels: bitmap.pixels,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infix_goes_before_the_ending() {
        assert_eq!(
            with_infix(Path::new("a/f.png"), "0007"),
            Path::new("a/f.0007.png"),
            "number"
        );
        assert_eq!(
            with_infix(Path::new("v1.2.PNG"), "x"),
            Path::new("v1.2.x.PNG"),
            "last dot"
        );
    }
}
