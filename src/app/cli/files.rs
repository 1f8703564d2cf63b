//! Pictures as files, and their names.

use std::path::{Path, PathBuf};

use super::failure::{Failure, Outcome};
use super::output::Outputs;
use super::stamp::Stamp;
use crate::render::Picture;
use crate::render::output::png;
use crate::report::Bitmap;

/// Writes a PNG file that says how it came about; the name that it got.
pub(super) fn save(
    outputs: &Outputs,
    file: &Path,
    picture: &Picture,
    stamp: &Stamp,
) -> Outcome<PathBuf> {
    let bytes =
        png::encode(picture, &stamp.texts()).map_err(|error| Failure::of_file(file, error))?;
    outputs.write(file, &bytes)
}

/// `a/f.png` with `x` is `a/f.x.png`.
pub(super) fn with_infix(file: &Path, infix: &str) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(infix);
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
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
        assert_eq!(
            with_infix(Path::new("a/f"), "x"),
            Path::new("a/f.x"),
            "none"
        );
    }
}
