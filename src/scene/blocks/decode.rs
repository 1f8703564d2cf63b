//! Levels of compressed blocks to RGBA8. Any bytes decode: a block that a format reserves becomes its error colour.

use basisu::astc::decode::decode_block_ldr8;
use basisu::astc::unpack::unpack_block;
use rayon::prelude::*;

use super::{AstcSize, BlockFormat, eac};

/// Texels of the largest block, 12x12.
const MOST_TEXELS: usize = 144;

/// Texels of blocks that the LDR profile of ASTC reserves (Khronos Data Format 1.4, 23.2): magenta.
const ASTC_ERROR: [u8; 4] = [255, 0, 255, 255];

/// Texels of a block, row by row.
type Texels = [[u8; 4]; MOST_TEXELS];

/// RGBA8 texels, row by row, of a level of `width` x `height` texels whose blocks lie row by row; they must be complete.
pub(crate) fn decode(format: BlockFormat, width: u32, height: u32, blocks: &[u8]) -> Vec<u8> {
    let shape = format.shape();
    let [block_width, block_height, bytes] =
        [shape.width, shape.height, shape.bytes].map(|size| size as usize);
    let row = 4 * width as usize;
    let mut rgba = vec![0; row * height as usize];
    let row_of_blocks = width.div_ceil(shape.width) as usize * bytes;
    rgba.par_chunks_mut(row * block_height)
        .zip(blocks.par_chunks(row_of_blocks))
        .for_each(|(rows, blocks)| {
            let mut texels = [[0; 4]; MOST_TEXELS];
            for (column, block) in blocks.chunks_exact(bytes).enumerate() {
                decode_block(format, block, &mut texels);
                let start = 4 * block_width * column;
                let end = row.min(start + 4 * block_width);
                let from = texels.as_flattened().chunks_exact(4 * block_width);
                for (row, from) in rows.chunks_exact_mut(row).zip(from) {
                    row[start..end].copy_from_slice(&from[..end - start]);
                }
            }
        });
    rgba
}

fn decode_block(format: BlockFormat, block: &[u8], texels: &mut Texels) {
    const PITCH: usize = 16;
    let to = texels.as_flattened_mut();
    match format {
        BlockFormat::Bc1 => bcdec_rs::bc1(block, to, PITCH),
        BlockFormat::Bc1Rgb => {
            bcdec_rs::bc1(block, to, PITCH);
            texels.iter_mut().for_each(|texel| texel[3] = u8::MAX);
        }
        BlockFormat::Bc2 => bcdec_rs::bc2(block, to, PITCH),
        BlockFormat::Bc3 => bcdec_rs::bc3(block, to, PITCH),
        BlockFormat::Bc4 => {
            let mut red = [0; 16];
            bcdec_rs::bc4(block, &mut red, 4, false);
            put(texels, |at| [red[at], 0, 0, u8::MAX]);
        }
        BlockFormat::Bc5 => {
            let mut both = [[0; 2]; 16];
            bcdec_rs::bc5(block, both.as_flattened_mut(), 8, false);
            put(texels, |at| [both[at][0], both[at][1], 0, u8::MAX]);
        }
        BlockFormat::Bc7 => bcdec_rs::bc7(block, to, PITCH),
        BlockFormat::Etc2Rgb => etc2(texture2ddecoder::decode_etc2_rgb_block, block, texels),
        BlockFormat::Etc2PunchThrough => {
            etc2(texture2ddecoder::decode_etc2_rgba1_block, block, texels);
            // Transparent texels are black (Khronos Data Format 1.4, 22.3), which the crate leaves out.
            let transparent = texels.iter_mut().filter(|texel| texel[3] == 0);
            transparent.for_each(|texel| *texel = [0; 4]);
        }
        BlockFormat::Etc2Rgba => etc2(texture2ddecoder::decode_etc2_rgba8_block, block, texels),
        BlockFormat::EacR => {
            let red = eac::channel(half(block, 0));
            put(texels, |at| [red[at], 0, 0, u8::MAX]);
        }
        BlockFormat::EacRg => {
            let [red, green] = [0, 8].map(|start| eac::channel(half(block, start)));
            put(texels, |at| [red[at], green[at], 0, u8::MAX]);
        }
        BlockFormat::Astc(size) => astc(size, block, texels),
    }
}

/// Writes a block of 4x4 texels.
fn put(texels: &mut Texels, texel: impl Fn(usize) -> [u8; 4]) {
    for (at, to) in texels[..16].iter_mut().enumerate() {
        *to = texel(at);
    }
}

/// Eight bytes of a block; zeros where it is shorter, which none is.
fn half(block: &[u8], start: usize) -> [u8; 8] {
    let bytes = block.get(start..).and_then(|rest| rest.first_chunk());
    bytes.copied().unwrap_or_default()
}

/// A block by a decoder that gives blue in the low byte.
fn etc2(decoder: impl Fn(&[u8], &mut [u32]), block: &[u8], texels: &mut Texels) {
    let mut words = [u32::from_le_bytes([0, 0, 0, u8::MAX]); 16];
    decoder(block, &mut words);
    put(texels, |at| {
        let [blue, green, red, alpha] = words[at].to_le_bytes();
        [red, green, blue, alpha]
    });
}

fn astc(size: AstcSize, block: &[u8], texels: &mut Texels) {
    let (width, height) = (u32::from(size.width), u32::from(size.height));
    let unpacked = (block.first_chunk()).and_then(|block| unpack_block(block, width, height));
    let decoded =
        unpacked.and_then(|block| decode_block_ldr8(&block, width, height, false, texels));
    if decoded.is_none() {
        texels.fill(ASTC_ERROR);
    }
}
