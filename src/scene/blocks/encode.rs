//! RGBA8 texels to compressed blocks, for formats that a crate encodes: BC1 to BC5 by `texpresso`, BC7 and ETC1 by `basisu`.

use basisu::fastenc::bc7f::{fast_pack_bc7_auto_rgba, flags};
use basisu::fastenc::etc1f::{PackEtc1State, pack_etc1};
use rayon::prelude::*;
use texpresso::{Format, Params};

use super::BlockFormat;

/// Texels of a block of 4x4, row by row.
type Texels = [[u8; 4]; 16];

impl BlockFormat {
    /// Whether [`crate::TextureImage::encoded`] makes blocks of this format, and does not only count them.
    #[must_use]
    pub const fn is_encoded(self) -> bool {
        match self {
            Self::Bc1Rgb
            | Self::Bc1
            | Self::Bc2
            | Self::Bc3
            | Self::Bc4
            | Self::Bc5
            | Self::Bc7
            | Self::Etc2Rgb => true,
            Self::Etc2PunchThrough | Self::Etc2Rgba | Self::EacR | Self::EacRg | Self::Astc(_) => {
                false
            }
        }
    }

    /// Channels of a texel, red first.
    pub(crate) const fn channels(self) -> usize {
        match self {
            Self::Bc4 | Self::EacR => 1,
            Self::Bc5 | Self::EacRg => 2,
            Self::Bc1Rgb | Self::Etc2Rgb => 3,
            Self::Bc1
            | Self::Bc2
            | Self::Bc3
            | Self::Bc7
            | Self::Etc2PunchThrough
            | Self::Etc2Rgba
            | Self::Astc(_) => 4,
        }
    }
}

/// Blocks, row by row, of a level of RGBA8 texels; blocks at the edge repeat its texels. `None` where no crate encodes the
/// format.
pub(crate) fn encode(
    format: BlockFormat,
    width: u32,
    height: u32,
    rgba: &[[u8; 4]],
) -> Option<Vec<u8>> {
    if !format.is_encoded() {
        return None;
    }
    let bytes = format.shape().bytes as usize;
    let mut blocks = vec![0; format.level_bytes(width, height) as usize];
    let row_of_blocks = width.div_ceil(4) as usize * bytes;
    let rows = blocks.par_chunks_mut(row_of_blocks).enumerate();
    rows.for_each(|(row, blocks)| {
        let mut etc1 = PackEtc1State::new();
        for (column, block) in blocks.chunks_exact_mut(bytes).enumerate() {
            let texels: Texels = std::array::from_fn(|at| {
                let x = (4 * column + at % 4).min(width as usize - 1);
                let y = (4 * row + at / 4).min(height as usize - 1);
                rgba[y * width as usize + x]
            });
            encode_block(format, texels, &mut etc1, block);
        }
    });
    Some(blocks)
}

fn encode_block(format: BlockFormat, texels: Texels, etc1: &mut PackEtc1State, to: &mut [u8]) {
    let opaque = texels.map(|[r, g, b, _]| [r, g, b, u8::MAX]);
    let (theirs, texels) = match format {
        BlockFormat::Bc7 => {
            if let Some(block) = to.first_chunk_mut() {
                fast_pack_bc7_auto_rgba(block, &texels, flags::DEFAULT_PARTIALLY_ANALYTICAL);
            }
            return;
        }
        BlockFormat::Etc2Rgb => {
            if let Some(block) = to.first_chunk_mut() {
                pack_etc1(block, &opaque, etc1);
            }
            return;
        }
        BlockFormat::Bc1Rgb => (Format::Bc1, opaque),
        BlockFormat::Bc1 => (Format::Bc1, texels),
        BlockFormat::Bc2 => (Format::Bc2, texels),
        BlockFormat::Bc3 => (Format::Bc3, texels),
        BlockFormat::Bc4 => (Format::Bc4, texels),
        BlockFormat::Bc5 => (Format::Bc5, texels),
        BlockFormat::Etc2PunchThrough
        | BlockFormat::Etc2Rgba
        | BlockFormat::EacR
        | BlockFormat::EacRg
        | BlockFormat::Astc(_) => return,
    };
    theirs.compress(texels.as_flattened(), 4, 4, Params::default(), to);
}
