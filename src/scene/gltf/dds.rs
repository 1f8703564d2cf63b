//! DDS files (`MSFT_texture_dds`): compressed blocks with their mip levels to RGBA8.
//!
//! The header (Microsoft, `DDS_HEADER` and `DDS_HEADER_DXT10`) is held against the file's length before anything is
//! allocated: one flat picture, whose levels follow each other.

use super::block_formats::{of_dxgi, of_four_letters, rgba};
use super::ktx2::{Size, u32_at};
use crate::blocks::BlockFormat;

const MAGIC: &[u8; 4] = b"DDS ";

/// Words of the header, in bytes from the start of the file.
mod at {
    pub(super) const HEADER_BYTES: usize = 4;
    pub(super) const HEIGHT: usize = 12;
    pub(super) const WIDTH: usize = 16;
    pub(super) const LEVELS: usize = 28;
    pub(super) const FORMAT_BYTES: usize = 76;
    pub(super) const FORMAT_FLAGS: usize = 80;
    pub(super) const FOUR_LETTERS: usize = 84;
    pub(super) const KIND: usize = 112;
    pub(super) const LEGACY_END: usize = 128;
    pub(super) const DXGI: usize = 128;
    pub(super) const DIMENSION: usize = 132;
    pub(super) const MISC: usize = 136;
    pub(super) const ARRAY: usize = 140;
    pub(super) const END: usize = 148;
}

/// Sizes that the header and the description of its format must give themselves.
const HEADER_BYTES: u32 = 124;
const FORMAT_BYTES: u32 = 32;

/// Flag: the format has four letters.
const HAS_LETTERS: u32 = 4;

/// Bits of cube maps and volumes in the surface's kind, and of cube maps in the newer header.
const CUBE_OR_VOLUME: u32 = 0x0020_0200;
const CUBE: u32 = 4;

/// A surface of two dimensions.
const FLAT: u32 = 3;

/// Whether bytes begin as a DDS file does.
pub(super) fn is_dds(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Checked properties of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub size: Size,
    pub format: BlockFormat,
    /// Offset of the largest level, in bytes.
    start: usize,
}

impl Header {
    /// Reads and checks the header of `file`.
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let word = |at| u32_at(file, at).ok_or_else(|| "its header is cut off".to_owned());
        let sizes = (word(at::HEADER_BYTES)?, word(at::FORMAT_BYTES)?);
        if sizes != (HEADER_BYTES, FORMAT_BYTES) {
            return Err(format!(
                "has a header of {} bytes and a format of {}; expected {HEADER_BYTES} and {FORMAT_BYTES}",
                sizes.0, sizes.1
            ));
        }
        let size = Size {
            width: word(at::WIDTH)?,
            height: word(at::HEIGHT)?,
            // Files of one level may say none.
            levels: word(at::LEVELS)?.max(1),
        };
        size.check()?;
        if word(at::KIND)? & CUBE_OR_VOLUME != 0 {
            return Err("is a cube map or a volume; expected a flat picture".to_owned());
        }
        if word(at::FORMAT_FLAGS)? & HAS_LETTERS == 0 {
            return Err("has no compressed format; try PNG, or KTX 2.0".to_owned());
        }
        let letters = word(at::FOUR_LETTERS)?.to_le_bytes();
        let (format, start) = match &letters {
            b"DX10" => (Self::newer_format(word)?, at::END),
            _ => (of_four_letters(letters)?, at::LEGACY_END),
        };
        let header = Self {
            size,
            format,
            start,
        };
        let expected = header.level_ends().last().unwrap_or(0);
        let found = file.len() as u64;
        match found >= expected {
            true => Ok(header),
            false => Err(format!(
                "has {found} bytes; expected {expected} for {} levels of {format}",
                size.levels
            )),
        }
    }

    /// Format of the newer header, which is one picture.
    fn newer_format(word: impl Fn(usize) -> Result<u32, String>) -> Result<BlockFormat, String> {
        let (dimension, count) = (word(at::DIMENSION)?, word(at::ARRAY)?);
        if dimension != FLAT || count != 1 || word(at::MISC)? & CUBE != 0 {
            return Err(format!(
                "has {count} pictures of dimension {dimension} or a cube's faces; a flat picture has 1 of {FLAT}"
            ));
        }
        of_dxgi(word(at::DXGI)?)
    }

    /// Offsets behind each level, in bytes.
    fn level_ends(self) -> impl Iterator<Item = u64> {
        (0..self.size.levels).scan(self.start as u64, move |end, level| {
            let (width, height) = self.size.of_level(level);
            *end += self.format.level_bytes(width, height);
            Some(*end)
        })
    }
}

/// The RGBA8 texels of every level of `file`, whose header has been read, the largest first.
pub(super) fn decode(file: &[u8], header: Header) -> Result<Vec<Vec<u8>>, String> {
    let mut start = header.start;
    let level = |(level, end): (u32, u64)| {
        let blocks = file.get(start..end as usize).unwrap_or_default();
        start = end as usize;
        rgba(header.format, header.size.of_level(level), blocks)
    };
    (0..).zip(header.level_ends()).map(level).collect()
}
