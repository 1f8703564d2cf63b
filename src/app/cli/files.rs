//! Pictures as files, and maps as pictures.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, Limits, RgbaImage};

use super::args::MAX_PIXELS;
use super::failure::{Failure, Outcome};
use super::output::Outputs;
use super::stamp::Stamp;
use azulejo_render::Picture;
use azulejo_render::output::png;
use azulejo_report::Bitmap;
use azulejo_scene::read_file;

/// Bytes of a decoded picture, at most: those of the largest that is drawn.
const MAX_DECODED: u64 = 1 << 30;

/// Writes a PNG file that says how it came about; returns the name that it got.
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

/// Reads a PNG, JPEG or WebP file, of as many pixels as are drawn at most.
pub(super) fn picture_file(file: &Path) -> Outcome<Picture> {
    let bytes = read_file(file, MAX_DECODED).map_err(|error| Failure::of_file(file, error))?;
    let decoded = decode(bytes).map_err(|problem| Failure::of_file(file, problem))?;
    let (width, height) = decoded.dimensions();
    let pixels = decoded.pixels().map(|pixel| pixel.0).collect();
    Ok(Picture {
        width,
        height,
        pixels,
    })
}

fn decode(bytes: Vec<u8>) -> Result<RgbaImage, String> {
    let unreadable = |error: ImageError| format!("no picture: {error}");
    let mut reader = ImageReader::new(Cursor::new(bytes));
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED);
    reader.limits(limits);
    let decoder = reader
        .with_guessed_format()
        .map_err(ImageError::IoError)
        .and_then(ImageReader::into_decoder)
        .map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(format!(
            "{width}x{height} pixels; expected at most {MAX_PIXELS}, such as 8192x8192"
        ));
    }
    let decoded = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    Ok(decoded.into_rgba8())
}

/// Converts a drawn map to a picture to save.
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
    fn picture_of_more_pixels_than_are_drawn_is_refused_before_it_is_decoded() {
        let png = |width, height| {
            let mut bytes = Vec::new();
            let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
            let pixels = vec![0; width as usize * height as usize];
            image::ImageEncoder::write_image(
                encoder,
                &pixels,
                width,
                height,
                image::ExtendedColorType::L8,
            )
            .expect("a picture");
            bytes
        };
        // 64 MB and a few bytes more, of which the files have few.
        assert!(decode(png(8192, 8192)).is_ok(), "as many as are drawn");
        let error = decode(png(8192, 8193)).expect_err("a row more");
        assert_eq!(
            error,
            "8192x8193 pixels; expected at most 67108864, such as 8192x8192"
        );
    }
}
