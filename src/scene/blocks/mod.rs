//! Formats of compressed textures, as GPUs keep them in memory: blocks of 8 or 16 bytes for 4x4 to 12x12 texels.
//!
//! Textures are decoded at load and sampled as RGBA8; the format stays with them as a fact, since memory traffic depends on
//! it. Block decoders are crates (`bcdec_rs`, `texture2ddecoder`, `basisu`) with one exception, in [`eac`].

mod decode;
mod eac;
mod encode;
mod layout;

use std::fmt;

pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub use layout::BlockLayout;

/// Texels and bytes of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlockShape {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Size in memory.
    pub bytes: u32,
}

/// A compressed texture format. Colours may be linear or sRGB: [`super::Encoding`] says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockFormat {
    /// Colours alone.
    Bc1Rgb,
    /// Colours with one bit of alpha.
    Bc1,
    /// Colours with four bits of alpha.
    Bc2,
    /// Colours with interpolated alpha.
    Bc3,
    /// Red alone.
    Bc4,
    /// Red and green.
    Bc5,
    /// Colours with alpha, in eight modes.
    Bc7,
    /// Colours alone; blocks of ETC1 are such blocks.
    Etc2Rgb,
    /// Colours with one bit of alpha ("punch-through").
    Etc2PunchThrough,
    /// Colours with alpha by EAC.
    Etc2Rgba,
    /// Red alone, 11 bits.
    EacR,
    /// Red and green, 11 bits each.
    EacRg,
    /// Colours with alpha in blocks of any of fourteen sizes, LDR profile.
    Astc(AstcSize),
}

/// Size of an ASTC block in texels, one of the fourteen of two dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AstcSize {
    width: u8,
    height: u8,
}

impl AstcSize {
    /// Sizes in the order of Vulkan's formats.
    pub const ALL: [Self; 14] = {
        const fn size(width: u8, height: u8) -> AstcSize {
            AstcSize { width, height }
        }
        [
            size(4, 4),
            size(5, 4),
            size(5, 5),
            size(6, 5),
            size(6, 6),
            size(8, 5),
            size(8, 6),
            size(8, 8),
            size(10, 5),
            size(10, 6),
            size(10, 8),
            size(10, 10),
            size(12, 10),
            size(12, 12),
        ]
    };
}

impl BlockFormat {
    /// Formats other than ASTC.
    pub const FIXED: [Self; 12] = [
        Self::Bc1Rgb,
        Self::Bc1,
        Self::Bc2,
        Self::Bc3,
        Self::Bc4,
        Self::Bc5,
        Self::Bc7,
        Self::Etc2Rgb,
        Self::Etc2PunchThrough,
        Self::Etc2Rgba,
        Self::EacR,
        Self::EacRg,
    ];

    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        let astc = AstcSize::ALL.into_iter().map(Self::Astc);
        Self::FIXED.into_iter().chain(astc)
    }

    /// Sibling for images with alpha: BC3 of BC1 RGB, ETC2 RGBA of ETC2 RGB, else the format.
    #[must_use]
    pub const fn with_alpha(self) -> Self {
        match self {
            Self::Bc1Rgb => Self::Bc3,
            Self::Etc2Rgb => Self::Etc2Rgba,
            other => other,
        }
    }

    /// Texels and bytes of a block.
    #[must_use]
    pub const fn shape(self) -> BlockShape {
        let (width, height, bytes) = match self {
            Self::Bc1Rgb
            | Self::Bc1
            | Self::Bc4
            | Self::Etc2Rgb
            | Self::Etc2PunchThrough
            | Self::EacR => (4, 4, 8),
            Self::Bc2 | Self::Bc3 | Self::Bc5 | Self::Bc7 | Self::Etc2Rgba | Self::EacRg => {
                (4, 4, 16)
            }
            Self::Astc(size) => (size.width as u32, size.height as u32, 16),
        };
        BlockShape {
            width,
            height,
            bytes,
        }
    }

    /// Bytes of a level of `width` x `height` texels without padding, as files hold it.
    pub(crate) fn level_bytes(self, width: u32, height: u32) -> u64 {
        let shape = self.shape();
        let blocks = |edge: u32, of: u32| u64::from(edge.div_ceil(of));
        blocks(width, shape.width) * blocks(height, shape.height) * u64::from(shape.bytes)
    }
}

impl fmt::Display for BlockFormat {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Bc1Rgb => "BC1 RGB",
            Self::Bc1 => "BC1",
            Self::Bc2 => "BC2",
            Self::Bc3 => "BC3",
            Self::Bc4 => "BC4",
            Self::Bc5 => "BC5",
            Self::Bc7 => "BC7",
            Self::Etc2Rgb => "ETC2 RGB",
            Self::Etc2PunchThrough => "ETC2 RGB A1",
            Self::Etc2Rgba => "ETC2 RGBA",
            Self::EacR => "EAC R",
            Self::EacRg => "EAC RG",
            Self::Astc(AstcSize { width, height }) => {
                return write!(to, "ASTC {width}x{height}");
            }
        })
    }
}

#[cfg(test)]
mod tests;
