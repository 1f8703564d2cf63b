//! Pictures as files, and their names.

use std::io;
use std::path::{Path, PathBuf};

use super::failure::{Failure, Outcome};
use super::output::Outputs;
use super::stamp::Stamp;
use crate::render::Picture;
use crate::render::output::png;
use crate::report::Bitmap;

/// Bytes of a decoded picture, at most: those of the largest that is drawn.
const MAX_DECODED: u64 = 1 << 30;

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

/// The picture in a PNG, JPEG or WebP file.
pub(super) fn picture_file(file: &Path) -> Outcome<Picture> {
    let bytes = std::fs::metadata(file).and_then(|metadata| {
        if !metadata.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        std::fs::read(file)
    });
    let bytes = bytes.map_err(|error| Failure::of_file(file, error))?;
    let mut reader = image::ImageReader::new(io::Cursor::new(bytes));
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MAX_DECODED);
    reader.limits(limits);
    let decoded = reader
        .with_guessed_format()
        .map_err(image::ImageError::IoError)
        .and_then(image::ImageReader::decode)
        .map_err(|error| Failure::of_file(file, format!("no picture: {error}")))?
        .into_rgba8();
    let (width, height) = decoded.dimensions();
    let pixels = decoded.pixels().map(|pixel| pixel.0).collect();
    Ok(Picture {
        width,
        height,
        pixels,
    })
}

/// A drawn map as a picture to save.
pub(super) fn picture_of(bitmap: Bitmap) -> Picture {
    Picture {
        width: bitmap.width,
        height: bitmap.height,
        pixels: bitmap.pixels,
    }
}
