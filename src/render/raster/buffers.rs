//! The on-chip buffers of one tile: depth, colour, and which quad each pixel belongs to.
//!
//! Pixels lie in 4x4 blocks, sixteen lanes each, in the lane order of [`crate::simd::Lanes`]; blocks row by row.

use crate::simd::LANES;

/// Buffers of one tile; colours are premultiplied and scene-linear.
#[derive(Debug, Clone, Default)]
pub struct TileBuffers {
    /// Edge in pixels, a multiple of 4.
    pub size: u32,
    /// Depth by block.
    pub depth: Vec<[f32; LANES]>,
    /// Number of the last quad that replaces the pixel's colour, 0 for none. Quads before it cannot be seen there.
    pub owner: Vec<[u32; LANES]>,
    /// Red, green, blue and alpha by block.
    pub color: [Vec<[f32; LANES]>; 4],
}

impl TileBuffers {
    /// Blocks in a row.
    #[must_use]
    pub const fn blocks_wide(&self) -> u32 {
        self.size / 4
    }

    /// Makes all pixels transparent and as far away as can be.
    pub fn clear(&mut self, size: u32) {
        self.size = size;
        let n_blocks = (size / 4).pow(2) as usize;
        refill(&mut self.depth, n_blocks, [1.0; LANES]);
        refill(&mut self.owner, n_blocks, [0; LANES]);
        for plane in &mut self.color {
            refill(plane, n_blocks, [0.0; LANES]);
        }
    }
}

fn refill<T: Copy>(buffer: &mut Vec<T>, len: usize, value: T) {
    buffer.clear();
    buffer.resize(len, value);
}
