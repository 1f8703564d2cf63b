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

/// A drawn map as a picture to save.
pub(super) fn picture_of(bitmap: Bitmap) -> Picture {
    Picture {
        width: bitmap.width,
        height: bitmap.height,
        pixels: bitmap.pixels,
    }
}
