//! Colours of the tile buffer to colours of the picture, by the renderer's own resolve.

use azulejo_render::output::{TileTarget, Transfer, resolve_tile};
use azulejo_render::raster::{PixelPlace, TileBuffers};
use azulejo_simd::{Backend, LANES, SimdLevel};

/// Edge of the block that is resolved at once.
const EDGE: u32 = 4;

/// Linear premultiplied RGBA as sRGB-encoded RGBA8, exactly as a tile with these colours would leave the chip.
#[must_use]
pub(super) fn encode(colors: &[[f32; 4]], transfer: &Transfer) -> Vec<[u8; 4]> {
    // Every machine has the scalar level, and all levels give the same bytes.
    let Ok(backend) = SimdLevel::Scalar.backend() else {
        return Vec::new();
    };
    let mut buffers = TileBuffers::default();
    buffers.clear(EDGE);
    let blocks = colors.chunks(LANES);
    blocks
        .flat_map(|block| encode_block(backend, block, transfer, &mut buffers))
        .collect()
}

/// Encodes up to sixteen colours.
fn encode_block(
    backend: Backend,
    colors: &[[f32; 4]],
    transfer: &Transfer,
    buffers: &mut TileBuffers,
) -> Vec<[u8; 4]> {
    for (at, color) in (0..).zip(colors) {
        let PixelPlace { block, lane } = buffers.place(at % EDGE, at / EDGE);
        for (plane, value) in buffers.color.iter_mut().zip(color) {
            plane[block][lane] = *value;
        }
    }
    let mut pixels = [[0; 4]; LANES];
    let mut rows: Vec<_> = pixels.chunks_mut(EDGE as usize).collect();
    let mut target = TileTarget {
        rows: &mut rows,
        column: 0,
        width: EDGE as usize,
    };
    resolve_tile(backend, buffers, true, transfer, &mut target);
    pixels[..colors.len()].to_vec()
}
