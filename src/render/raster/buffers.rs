//! The on-chip buffers of one tile: depth, colour, and which triangle each pixel belongs to.
//!
//! Pixels lie in 4x4 blocks, sixteen lanes each, in the lane order of [`azulejo_simd::Lanes`]; blocks row by row.

use azulejo_simd::{LANES, LaneJob, Lanes, each};

/// Buffers of one tile; colours are premultiplied and scene-linear.
#[derive(Debug, Clone, Default)]
pub struct TileBuffers {
    /// Edge in pixels, a power of two from 4 on.
    pub size: u32,
    /// Depth by block and lane, 0 near to 1 far.
    pub depth: Vec<[f32; LANES]>,
    /// Number of the last block of the queue that replaces the pixel's colour, 0 for none. Those before it cannot be seen
    /// there.
    pub owner: Vec<[u32; LANES]>,
    /// Red, green, blue and alpha by block.
    pub color: [Vec<[f32; LANES]>; 4],
}

/// Position of a pixel in a tile's buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelPlace {
    /// Number of its 4x4 block, row by row.
    pub block: usize,
    /// Lane of the pixel in the block, below 16.
    pub lane: usize,
}

impl TileBuffers {
    /// Blocks in a row.
    #[must_use]
    pub const fn blocks_wide(&self) -> u32 {
        self.size / 4
    }

    /// Position of the pixel in this column and row of the tile.
    #[must_use]
    pub const fn place(&self, x: u32, y: u32) -> PixelPlace {
        let block = y / 4 * self.blocks_wide() + x / 4;
        let lane = y / 2 % 2 * 8 + x / 2 % 2 * 4 + y % 2 * 2 + x % 2;
        PixelPlace {
            block: block as usize,
            lane: lane as usize,
        }
    }

    /// Makes the block of the queue with this number the owner of these pixels of a block.
    #[inline(always)]
    pub(super) fn own<L: Lanes>(&mut self, l: L, block: usize, pixels: L::M, number: u32) {
        let owner: &mut [i32; LANES] = bytemuck::cast_mut(&mut self.owner[block]);
        l.store_where_i(pixels, l.i(number.cast_signed()), owner);
    }

    /// Gives these pixels of a block other colours.
    #[inline(always)]
    pub(super) fn set_colors<L: Lanes>(
        &mut self,
        l: L,
        block: usize,
        pixels: L::M,
        colors: [L::F; 4],
    ) {
        for (plane, color) in self.color.iter_mut().zip(colors) {
            l.store_where(pixels, color, &mut plane[block]);
        }
    }

    /// The greatest depth of all pixels.
    #[inline(always)]
    fn farthest<L: Lanes>(&self, l: L) -> f32 {
        let (fours, rest) = self.depth.as_chunks::<4>();
        // Four at once: each maximum waits for the one before.
        let mut farthest = [l.f(0.0); 4];
        for depths in fours {
            farthest = each!(4, k => l.max(farthest[k], l.load(&depths[k])));
        }
        for depths in rest {
            farthest[0] = l.max(farthest[0], l.load(depths));
        }
        let [a, b, c, d] = farthest;
        let mut by_lane = [0.0; LANES];
        l.store(l.max(l.max(a, b), l.max(c, d)), &mut by_lane);
        let [a, b, c, d]: [[f32; 4]; 4] = bytemuck::cast(by_lane);
        let [a, b, c, d] = each!(4, k => larger(larger(a[k], b[k]), larger(c[k], d[k])));
        larger(larger(a, b), larger(c, d))
    }

    /// Makes all pixels transparent and as far away as can be.
    ///
    /// # Panics
    /// If `size` is no power of two from 4 on.
    pub fn clear(&mut self, size: u32) {
        self.clear_depths(size);
        for plane in &mut self.color {
            plane.fill([0.0; LANES]);
        }
    }

    /// Sets all pixels to the far plane, without an owner; colours may be those of the tile before, and are left to
    /// [`ClearColors`].
    pub(super) fn clear_depths(&mut self, size: u32) {
        assert!(
            size >= 4 && size.is_power_of_two(),
            "a tile's edge is a power of two from 4 on, not {size}"
        );
        self.size = size;
        let n_blocks = (size / 4).pow(2) as usize;
        refill(&mut self.depth, n_blocks, [1.0; LANES]);
        refill(&mut self.owner, n_blocks, [0; LANES]);
        for plane in &mut self.color {
            plane.resize(n_blocks, [0.0; LANES]);
        }
    }
}

/// Makes blocks transparent, but for those whose every pixel is owned by one of the first `n_opaque` of the queue: these
/// get a colour before their old one is read.
pub(super) struct ClearColors<'a> {
    pub(super) buffers: &'a mut TileBuffers,
    pub(super) n_opaque: usize,
}

impl LaneJob for ClearColors<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let TileBuffers { owner, color, .. } = self.buffers;
        let last = l.i(i32::try_from(self.n_opaque).unwrap_or(i32::MAX));
        for (block, owners) in owner.iter().enumerate() {
            let owners = l.load_i(bytemuck::cast_ref(owners));
            if l.any(l.lt_i(owners, l.i(1)) | l.lt_i(last, owners)) {
                for plane in color.iter_mut() {
                    plane[block] = [0.0; LANES];
                }
            }
        }
    }
}

/// The greatest depth in a tile, as of an earlier look-up: depths only become smaller, so anything behind it is hidden.
#[derive(Debug, Clone, Copy)]
pub(super) struct Farthest {
    depth: f32,
    /// Queries since it was looked up.
    age: usize,
}

/// Blocks whose depths are read for one query, which takes no longer than to set a walk up: all are looked up again after
/// so many queries as that makes.
const BLOCKS_A_QUESTION: usize = 16;

impl Default for Farthest {
    fn default() -> Self {
        Self {
            depth: f32::INFINITY,
            age: 0,
        }
    }
}

impl Farthest {
    /// A depth that no pixel of the buffers lies behind.
    #[inline(always)]
    pub(super) fn of<L: Lanes>(&mut self, l: L, buffers: &TileBuffers) -> f32 {
        self.age += 1;
        if self.age * BLOCKS_A_QUESTION >= buffers.depth.len() {
            *self = Self {
                depth: buffers.farthest(l),
                age: 0,
            };
        }
        self.depth
    }
}

/// Column and row of a block with this number in a tile that is so many blocks across.
#[inline(always)]
pub(super) fn column_and_row(block: u32, blocks_wide: u32) -> [u32; 2] {
    // A power of two: a division would be the first step of every block's work, which all others wait for.
    debug_assert!(blocks_wide.is_power_of_two(), "{blocks_wide} blocks across");
    [
        block & (blocks_wide - 1),
        block >> blocks_wide.trailing_zeros(),
    ]
}

/// One instruction, where [`f32::max`] looks for NaN first.
#[inline(always)]
const fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

fn refill<T: Copy>(buffer: &mut Vec<T>, len: usize, value: T) {
    buffer.clear();
    buffer.resize(len, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::setup::{LANE_X, LANE_Y};

    #[test]
    fn buffers_place_pixels_as_lanes_go() {
        let mut buffers = TileBuffers::default();
        buffers.clear(8);
        for lane in 0..LANES {
            let (x, y) = (LANE_X[lane].cast_unsigned(), LANE_Y[lane].cast_unsigned());
            let of = |block| PixelPlace { block, lane };
            assert_eq!(buffers.place(x, y), of(0), "first block");
            assert_eq!(buffers.place(4 + x, 4 + y), of(3), "last block");
        }
    }
}
