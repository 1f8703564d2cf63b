//! KTX 2.0 (`KHR_texture_basisu`, and formats of GPUs): ETC1S, UASTC or compressed blocks to RGBA8 mip levels.
//!
//! Decoders allocate what the header says, so the header is read here first and held against the file's own length:
//! one flat picture, of a size that textures may have, with levels that lie inside the file.

use std::borrow::Cow;
use std::ops::Range;
use std::panic::catch_unwind;

use basisu::{DecodeFlags, TargetFormat, Transcoder};

use super::block_formats::{of_vulkan, rgba};
use super::zstandard;
use crate::MAX_IMAGE_EDGE;
use crate::blocks::BlockFormat;

const MAGIC: &[u8; 12] = b"\xABKTX 20\xBB\r\n\x1A\n";

/// Most texels of the largest level: 8192 x 8192.
const MAX_TEXELS: u64 = 1 << 26;

/// Offset of the level index, and bytes of one of its entries.
const LEVEL_INDEX: usize = 80;
const LEVEL_ENTRY: usize = 24;

/// Bytes of a block of 4x4 texels in UASTC.
const UASTC_BLOCK: u64 = 16;

/// Models of the data format descriptor (Khronos Data Format 1.4, 5.6).
const MODEL_ETC1S: u32 = 163;
const MODEL_UASTC: u32 = 166;

/// Whether bytes begin as a KTX 2.0 file does.
pub(super) fn is_ktx2(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Size of a picture in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// Width and height of the largest level in texels.
    pub width: u32,
    pub height: u32,
    /// Number of levels in the file.
    pub levels: u32,
}

/// Checked properties of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub size: Size,
    coding: Coding,
    /// Supercompression scheme.
    scheme: u32,
}

/// Coding of texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Etc1s,
    Uastc,
    Blocks(BlockFormat),
}

/// Words of the header that the checks need (KTX 2.0, 3.1), in bytes from the start.
mod at {
    pub(super) const FORMAT: usize = 12;
    pub(super) const WIDTH: usize = 20;
    pub(super) const HEIGHT: usize = 24;
    pub(super) const DEPTH: usize = 28;
    pub(super) const LAYERS: usize = 32;
    pub(super) const FACES: usize = 36;
    pub(super) const LEVELS: usize = 40;
    pub(super) const SCHEME: usize = 44;
    pub(super) const DESCRIPTOR: usize = 48;
    pub(super) const KEY_VALUES: usize = 56;
    pub(super) const GLOBAL: usize = 64;
}

/// Supercompression schemes, numbers in the header.
const NONE: u32 = 0;
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;

impl Header {
    /// Reads and checks the header of `file`.
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let cut = || "its header is cut off".to_owned();
        let word = |at| u32_at(file, at).ok_or_else(cut);
        let size = Size {
            width: word(at::WIDTH)?,
            height: word(at::HEIGHT)?,
            levels: word(at::LEVELS)?,
        };
        size.check()?;
        let (depth, layers, faces) = (word(at::DEPTH)?, word(at::LAYERS)?, word(at::FACES)?);
        if depth != 0 || layers > 1 || faces != 1 {
            return Err(format!(
                "has depth {depth}, {layers} layers and {faces} faces; a flat picture has 0, at most 1, and 1"
            ));
        }
        let (descriptor, length) = (word(at::DESCRIPTOR)?, word(at::DESCRIPTOR + 4)?);
        inside(file, descriptor.into(), u64::from(length).max(44)).ok_or_else(cut)?;
        let model = word(descriptor as usize + 12)? & 0xff;
        let scheme = word(at::SCHEME)?;
        let header = Self {
            size,
            coding: Coding::of(word(at::FORMAT)?, model, scheme)?,
            scheme,
        };
        let (start, length) = (word(at::KEY_VALUES)?, word(at::KEY_VALUES + 4)?);
        inside(file, start.into(), length.into()).ok_or_else(cut)?;
        check_key_values(file, start as usize..start as usize + length as usize)?;
        let global = u64_at(file, at::GLOBAL).zip(u64_at(file, at::GLOBAL + 8));
        let global = global.and_then(|(start, length)| inside(file, start, length));
        global.ok_or("its global data leave the file")?;
        for level in 0..size.levels {
            header.check_level(file, level)?;
        }
        Ok(header)
    }

    /// Format of the blocks that a GPU would keep; `None` where texels are coded for transport.
    pub(super) const fn blocks(self) -> Option<BlockFormat> {
        match self.coding {
            Coding::Blocks(format) => Some(format),
            Coding::Etc1s | Coding::Uastc => None,
        }
    }

    /// Bytes of a level before supercompression; `None` where they cannot be known.
    fn level_bytes(self, level: u32) -> Option<u64> {
        let (width, height) = self.size.of_level(level);
        match self.coding {
            Coding::Etc1s => None,
            Coding::Uastc => {
                let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
                Some(blocks * UASTC_BLOCK)
            }
            Coding::Blocks(format) => Some(format.level_bytes(width, height)),
        }
    }

    fn check_level(self, file: &[u8], level: u32) -> Result<(), String> {
        let [start, length, plain] = level_entry(file, level)?;
        inside(file, start, length).ok_or_else(|| format!("level {level} leaves the file"))?;
        let found = match self.scheme {
            NONE => length,
            _ => plain,
        };
        match self
            .level_bytes(level)
            .filter(|expected| *expected != found)
        {
            None => Ok(()),
            Some(expected) => {
                let (width, height) = self.size.of_level(level);
                Err(format!(
                    "level {level} has {found} bytes where {width}x{height} texels take {expected}"
                ))
            }
        }
    }
}

impl Coding {
    /// Coding by Vulkan's format, none for Basis Universal, with the colour model and the supercompression scheme.
    fn of(format: u32, model: u32, scheme: u32) -> Result<Self, String> {
        match (format, model, scheme) {
            (0, MODEL_ETC1S, BASIS_LZ) => Ok(Self::Etc1s),
            (0, MODEL_UASTC, NONE | ZSTANDARD) => Ok(Self::Uastc),
            (0, ..) => Err(format!(
                "has colour model {model} with supercompression {scheme}; expected ETC1S ({MODEL_ETC1S} with 1) or UASTC ({MODEL_UASTC} with 0 or 2)"
            )),
            (_, _, NONE | ZSTANDARD) => of_vulkan(format).map(Self::Blocks),
            _ => Err(format!(
                "has VkFormat {format} with supercompression {scheme}; expected none (0) or Zstandard (2)"
            )),
        }
    }
}

impl Size {
    /// Size of a level in texels.
    pub(super) fn of_level(self, level: u32) -> (u32, u32) {
        let Self { width, height, .. } = self;
        ((width >> level).max(1), (height >> level).max(1))
    }

    /// Whether textures may be as large, and have as many levels.
    pub(super) fn check(self) -> Result<(), String> {
        let Self {
            width,
            height,
            levels,
        } = self;
        let edges = 1..=MAX_IMAGE_EDGE;
        let texels = u64::from(width) * u64::from(height);
        if !edges.contains(&width) || !edges.contains(&height) || texels > MAX_TEXELS {
            return Err(format!(
                "is {width}x{height} texels large; edges must be 1 to {MAX_IMAGE_EDGE}, and texels {MAX_TEXELS} at most"
            ));
        }
        let most = width.max(height).ilog2() + 1;
        if !(1..=most).contains(&levels) {
            return Err(format!(
                "has {levels} levels; {width}x{height} texels have 1 to {most}"
            ));
        }
        Ok(())
    }
}

/// Offset, length, and length before supercompression of a level, in bytes.
fn level_entry(file: &[u8], level: u32) -> Result<[u64; 3], String> {
    let entry = LEVEL_INDEX + level as usize * LEVEL_ENTRY;
    let field = |number: usize| u64_at(file, entry + 8 * number);
    match (field(0), field(1), field(2)) {
        (Some(start), Some(length), Some(plain)) => Ok([start, length, plain]),
        _ => Err("its level index is cut off".to_owned()),
    }
}

/// Key/value data are entries of a length, so many bytes, and padding to the next word of the file (KTX 2.0, 3.11). The
/// decoder walks over them and would leave the file where the last padding does.
fn check_key_values(file: &[u8], mut rest: Range<usize>) -> Result<(), String> {
    while !rest.is_empty() {
        let length = u32_at(&file[..rest.end], rest.start);
        let end = length.and_then(|length| (rest.start + 4).checked_add(length as usize));
        let end = end.and_then(|end| end.checked_next_multiple_of(4));
        rest.start = end.filter(|&end| end <= rest.end).ok_or_else(|| {
            let at = rest.start;
            format!("the entry of its key/value data at byte {at} leaves them")
        })?;
    }
    Ok(())
}

/// The RGBA8 texels of every level of `file`, whose header has been read, the largest first.
pub(super) fn decode(file: &[u8], header: Header) -> Result<Vec<Vec<u8>>, String> {
    if let Coding::Blocks(format) = header.coding {
        let level = |level| {
            let blocks = level_blocks(file, header, level)?;
            rgba(format, header.size.of_level(level), &blocks)
        };
        return (0..header.size.levels).map(level).collect();
    }
    // In builds that check for overflow the decoder can panic over sums that are meant to wrap.
    let levels = catch_unwind(|| decode_levels(file, header));
    levels.unwrap_or_else(|_| Err("its texels cannot be decoded".to_owned()))
}

/// The blocks of a level, whose lengths have been checked.
fn level_blocks(file: &[u8], header: Header, level: u32) -> Result<Cow<'_, [u8]>, String> {
    let [start, length, plain] = level_entry(file, level)?;
    let stored = inside(file, start, length).unwrap_or_default();
    if header.scheme == NONE {
        return Ok(Cow::Borrowed(stored));
    }
    let blocks = zstandard::unpack(stored, plain as usize);
    let blocks = blocks.map_err(|problem| format!("level {level} {problem}"))?;
    Ok(Cow::Owned(blocks))
}

fn decode_levels(file: &[u8], header: Header) -> Result<Vec<Vec<u8>>, String> {
    let text = |error: basisu::Error| format!("cannot be decoded: {error:?}");
    let transcoder = Transcoder::new(file).map_err(text)?;
    let level = |level| {
        let texels = transcoder.transcode(level, TargetFormat::Rgba32, DecodeFlags::NONE);
        let texels = texels.map_err(text)?;
        let (width, height) = header.size.of_level(level);
        let expected = width as usize * height as usize * 4;
        match texels.len() == expected {
            true => Ok(texels),
            false => Err(format!(
                "level {level} became {} bytes, not {expected}",
                texels.len()
            )),
        }
    };
    (0..header.size.levels).map(level).collect()
}

/// The part of `file` that begins at `start` and is `length` long; `None` where it leaves the file.
fn inside(file: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    let end = usize::try_from(start.checked_add(length)?).ok()?;
    file.get(usize::try_from(start).ok()?..end)
}

/// The little-endian word at an offset in bytes; `None` where it leaves the file.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
