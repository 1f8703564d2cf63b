//! Encoded pictures (PNG, JPEG, WebP, KTX 2.0, DDS) to textures with mip chains, on all cores.
//!
//! A picture that cannot be had costs a warning, not the scene: it becomes one white texel.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use rayon::prelude::*;

use super::error::{LoadError, element};
use super::file::File;
use super::uri::{self, Resolve};
use super::{dds, ktx2};
use crate::{BlockFormat, Encoding, MAX_IMAGE_EDGE, TextureImage};

/// Most bytes that one decoded picture may take: 8192 x 8192 texels of 16-bit RGBA.
const MAX_DECODED_BYTES: u64 = 512 << 20;

/// How a material reads a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Reading {
    pub encoding: Encoding,
    /// Alpha is glossiness, to be multiplied by a factor of 255ths and turned into roughness.
    pub gloss: Option<u8>,
}

impl From<Encoding> for Reading {
    fn from(encoding: Encoding) -> Self {
        Self {
            encoding,
            gloss: None,
        }
    }
}

impl Reading {
    /// One minus the glossiness in alpha times `factor`, which is 0 to 1.
    pub(super) fn roughness_of_gloss(factor: f32) -> Self {
        Self {
            encoding: Encoding::Linear,
            gloss: Some((factor * 255.0).round() as u8),
        }
    }
}

/// One picture in the ways in which materials read it.
#[derive(Debug)]
pub(super) struct Wanted {
    /// Index of the file's image.
    pub image: usize,
    /// How materials read it.
    pub readings: Vec<Reading>,
}

/// One picture as textures.
#[derive(Debug)]
pub(super) struct Loaded {
    /// Textures in the order of [`Wanted::readings`].
    pub textures: Vec<TextureImage>,
    /// Why the textures are one white texel each, where they are.
    pub problem: Option<String>,
}

/// A decoded picture and its mip levels, if any came with it.
#[derive(Debug)]
pub(super) struct Picture {
    name: String,
    pub width: u32,
    pub height: u32,
    /// RGBA8, the largest level first; those that are missing are made.
    pub mips: Vec<Vec<u8>>,
    /// Format of the file's compressed blocks.
    pub blocks: Option<BlockFormat>,
}

/// Decodes every picture of `wanted`, in its order.
pub(super) fn load(wanted: &[Wanted], file: &File, resolve: &Resolve<'_>) -> Vec<Loaded> {
    let load = |wanted: &Wanted| {
        let white = Picture {
            name: "unreadable".to_owned(),
            width: 1,
            height: 1,
            mips: vec![vec![255; 4]],
            blocks: None,
        };
        let (picture, problem) = match decode(wanted, file, resolve) {
            Ok(picture) => (picture, None),
            Err(error) => (white, Some(error.to_string())),
        };
        Loaded {
            textures: textures(&picture, &wanted.readings),
            problem,
        }
    };
    wanted.par_iter().with_max_len(1).map(load).collect()
}

/// The picture that is wanted, whose image the file has.
pub(super) fn decode(
    wanted: &Wanted,
    file: &File,
    resolve: &Resolve<'_>,
) -> Result<Picture, LoadError> {
    let json = &file.root.images[wanted.image];
    let uri = json.uri.as_deref();
    let path = uri.filter(|uri| !uri.starts_with("data:"));
    let name = json.name.as_deref().or(path).unwrap_or_default();
    let element = element("image", wanted.image, Some(name));
    let fetched;
    let bytes = match (json.buffer_view, uri) {
        (Some(view), _) => file.buffers.view(&file.root, view.value(), &element)?.0,
        (None, Some(uri)) => {
            fetched = uri::fetch(uri, &element, resolve)?;
            &fetched
        }
        (None, None) => {
            return Err(LoadError::invalid(
                element,
                "has neither URI nor buffer view",
            ));
        }
    };
    let reserve = |width: u32, height: u32, scratch: u64| {
        let texels = u64::from(width) * u64::from(height);
        // A third more for the mip chain.
        let textures = texels * 16 / 3 * wanted.readings.len() as u64;
        file.reserve(textures.saturating_add(scratch), &element)
    };
    let error = |problem: String| LoadError::invalid(&*element, problem);
    let name = name.to_owned();
    if let Some(container) = Container::read(bytes) {
        let container = container.map_err(error)?;
        let ktx2::Size { width, height, .. } = container.size();
        // All levels decoded, and about as much again for what is unpacked on the way.
        reserve(width, height, u64::from(width) * u64::from(height) * 12)?;
        return Ok(Picture {
            name,
            width,
            height,
            mips: container.decode(bytes).map_err(error)?,
            blocks: container.blocks(),
        });
    }
    let decoder = open(bytes).map_err(error)?;
    let (width, height) = decoder.dimensions();
    reserve(width, height, decoder.total_bytes())?;
    let picture = DynamicImage::from_decoder(decoder);
    let picture = picture.map_err(|problem| error(cannot_decode(&problem)))?;
    Ok(Picture {
        name,
        width,
        height,
        mips: vec![picture.into_rgba8().into_raw()],
        blocks: None,
    })
}

/// Header of a file of mip levels.
#[derive(Debug, Clone, Copy)]
enum Container {
    Ktx2(ktx2::Header),
    Dds(dds::Header),
}

impl Container {
    /// The checked header of a file that begins as one of these does.
    fn read(bytes: &[u8]) -> Option<Result<Self, String>> {
        if ktx2::is_ktx2(bytes) {
            return Some(ktx2::Header::read(bytes).map(Self::Ktx2));
        }
        dds::is_dds(bytes).then(|| dds::Header::read(bytes).map(Self::Dds))
    }

    const fn size(&self) -> ktx2::Size {
        match self {
            Self::Ktx2(header) => header.size,
            Self::Dds(header) => header.size,
        }
    }

    const fn blocks(&self) -> Option<BlockFormat> {
        match self {
            Self::Ktx2(header) => header.blocks(),
            Self::Dds(header) => Some(header.format),
        }
    }

    fn decode(self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        match self {
            Self::Ktx2(header) => ktx2::decode(bytes, header),
            Self::Dds(header) => dds::decode(bytes, header),
        }
    }
}

/// The picture as textures; its size has been checked when it was opened.
fn textures(picture: &Picture, readings: &[Reading]) -> Vec<TextureImage> {
    let Picture {
        name,
        width,
        height,
        mips,
        blocks,
    } = picture;
    let plain: Vec<&[u8]> = mips.iter().map(Vec::as_slice).collect();
    let texture = |reading: &Reading| {
        let encoding = reading.encoding;
        let Some(factor) = reading.gloss else {
            return TextureImage::from_mips(name, encoding, *width, *height, &plain);
        };
        let turned: Vec<Vec<u8>> = (mips.iter())
            .map(|mip| roughness_of_gloss(mip, factor))
            .collect();
        let turned: Vec<&[u8]> = turned.iter().map(Vec::as_slice).collect();
        TextureImage::from_mips(name, encoding, *width, *height, &turned)
    };
    let stored = |texture: TextureImage| match *blocks {
        Some(format) => texture.stored_as(format),
        None => texture,
    };
    let textures = readings.iter().map(texture).filter_map(Result::ok);
    textures.map(stored).collect()
}

/// Glossiness in alpha, times a factor of 255ths, as roughness in green and no metal in blue.
fn roughness_of_gloss(rgba: &[u8], factor: u8) -> Vec<u8> {
    let roughness = |gloss: u8| 255 - ((u32::from(gloss) * u32::from(factor) + 127) / 255) as u8;
    let texels = rgba.as_chunks::<4>().0.iter();
    texels
        .flat_map(|&[_, _, _, gloss]| [0, roughness(gloss), 0, 255])
        .collect()
}

/// A decoder of `bytes` that has read the header and keeps to the limits.
fn open(bytes: &[u8]) -> Result<impl ImageDecoder, String> {
    let format = image::guess_format(bytes)
        .ok()
        .filter(|format| {
            matches!(
                format,
                ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP
            )
        })
        .ok_or("is no PNG, JPEG, WebP, KTX 2.0 or DDS")?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_IMAGE_EDGE);
    limits.max_image_height = Some(MAX_IMAGE_EDGE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(|e| cannot_decode(&e))?;
    decoder.set_limits(limits).map_err(|e| cannot_decode(&e))?;
    if decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(format!(
            "would take {} bytes decoded",
            decoder.total_bytes()
        ));
    }
    Ok(decoder)
}

fn cannot_decode(error: &ImageError) -> String {
    format!("cannot be decoded: {error}")
}

#[cfg(test)]
mod tests;
