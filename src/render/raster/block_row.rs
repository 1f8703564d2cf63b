//! Which blocks of a row a triangle can touch, sixteen at once: most blocks of a large or slanting triangle's bounds lie
//! outside of one of its edges, and need not be looked at one by one.

use super::setup::{LANE_X, LANE_Y};
use super::walk::Walk;
use azulejo_simd::{LANES, Lanes, each};

/// The edges of a walk over a row of blocks.
#[derive(Clone, Copy)]
pub(super) struct BlockRow<L: Lanes> {
    /// Steps from an edge's value at the first pixel of a block to its greatest values in that block and the fifteen beside
    /// it.
    across: [L::I; 3],
    /// Steps from a block's greatest value to that at each of its pixels.
    within: [L::I; 3],
}

/// Sixteen blocks side by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlocksAcross {
    /// Column and row of the first one.
    first: [i32; 2],
    /// Blocks that no edge excludes and that have not been taken, a bit each.
    left: u32,
    /// Greatest value of each edge by block.
    greatest: [[i32; LANES]; 3],
}

/// Number of each lane.
const NUMBERS: [i32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

impl<L: Lanes> BlockRow<L> {
    /// Edges of a walk, at most `farthest` larger at some sample of a pixel.
    #[inline(always)]
    pub(super) fn new(l: L, walk: &Walk, farthest: [i32; 3]) -> Self {
        let (a, b) = walk.slopes();
        let (lane_x, lane_y) = (l.load_i(&LANE_X), l.load_i(&LANE_Y));
        let (a, b) = (each!(3, k => l.i(a[k])), each!(3, k => l.i(b[k])));
        // From a block's first pixel to the one that lies farthest inside.
        let reach = each!(3, k => {
            let up = l.max_i(a[k], l.i(0)) + l.max_i(b[k], l.i(0));
            up + up + up + l.i(farthest[k])
        });
        let numbers = l.load_i(&NUMBERS);
        Self {
            across: each!(3, k => l.shl::<2>(numbers * a[k]) + reach[k]),
            within: each!(3, k => lane_x * a[k] + lane_y * b[k] - reach[k]),
        }
    }

    /// The blocks of the walk in this row that no edge excludes.
    #[inline(always)]
    pub(super) fn blocks(&self, l: L, walk: &Walk, row: i32) -> BlocksAcross {
        self.sixteen(l, walk, [walk.blocks().x0, row])
    }

    /// Column of the next block, from left to right.
    #[inline(always)]
    pub(super) fn next(&self, l: L, walk: &Walk, blocks: &mut BlocksAcross) -> Option<i32> {
        while blocks.left == 0 {
            let [first, row] = blocks.first;
            let next = first + LANES as i32;
            if next >= walk.blocks().x1 {
                return None;
            }
            *blocks = self.sixteen(l, walk, [next, row]);
        }
        let [first, _] = blocks.first;
        let column = first + blocks.left.trailing_zeros().cast_signed();
        blocks.left &= blocks.left - 1;
        Some(column)
    }

    /// Sixteen blocks from this one on.
    #[inline(always)]
    fn sixteen(&self, l: L, walk: &Walk, [x, y]: [i32; 2]) -> BlocksAcross {
        let greatest = each!(3, k => self.across[k] + l.i(walk.at(k, x * 4, y * 4)));
        let [e0, e1, e2] = greatest;
        let excluded = l.mask_bits(l.lt_i(e0 | e1 | e2, l.i(0)));
        let mut blocks = BlocksAcross {
            first: [x, y],
            left: !excluded & lowest_bits((walk.blocks().x1 - x).cast_unsigned()),
            greatest: [[0; LANES]; 3],
        };
        for (to, values) in blocks.greatest.iter_mut().zip(greatest) {
            l.store_i(values, to);
        }
        blocks
    }

    /// Values of the edges, of each the smallest of any sample, at the pixels of a block that was taken from `blocks`.
    #[inline(always)]
    pub(super) fn edges(&self, l: L, blocks: &BlocksAcross, block_x: i32) -> [L::I; 3] {
        let lane = (block_x - blocks.first[0]).cast_unsigned() as usize % LANES;
        each!(3, k => self.within[k] + l.i(blocks.greatest[k][lane]))
    }
}

/// The lowest `n` of sixteen bits.
const fn lowest_bits(n: u32) -> u32 {
    if n < LANES as u32 {
        (1 << n) - 1
    } else {
        0xffff
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::ScreenVertex;
    use crate::tiling::{Edges, pixel_bounds};
    use azulejo_grid::SampleCount;
    use azulejo_math::PixelRect;
    use azulejo_simd::{LaneJob, SimdLevel, dispatch};

    /// Column and row of each block with pixels inside all edges, and these pixels, a bit each.
    type Covered = Vec<([i32; 2], u32)>;

    /// The walk over all rows.
    struct Rows<'a>(&'a Walk);

    impl LaneJob for Rows<'_> {
        type Output = Covered;

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Covered {
            let walk = self.0;
            let rows = BlockRow::new(l, walk, [0; 3]);
            let mut covered = Covered::new();
            for row in walk.blocks().y0..walk.blocks().y1 {
                let mut blocks = rows.blocks(l, walk, row);
                while let Some(column) = rows.next(l, walk, &mut blocks) {
                    let [e0, e1, e2] = rows.edges(l, &blocks, column);
                    let pixels = !l.mask_bits(l.lt_i(e0 | e1 | e2, l.i(0))) & 0xffff;
                    if pixels != 0 {
                        covered.push(([column, row], pixels));
                    }
                }
            }
            covered
        }
    }

    /// Coverage by edge functions, pixel by pixel.
    fn expected(edges: &Edges, tile: PixelRect, blocks: PixelRect) -> Covered {
        let mut covered = Covered::new();
        for row in blocks.y0..blocks.y1 {
            for column in blocks.x0..blocks.x1 {
                let is_inside = |lane: &usize| {
                    let x = tile.x0 + column * 4 + LANE_X[*lane];
                    let y = tile.y0 + row * 4 + LANE_Y[*lane];
                    (0..3).all(|k| edges.at(k, x, y) >= 0)
                };
                let inside = (0..LANES).filter(is_inside);
                let pixels = inside.fold(0, |bits, lane| bits | 1 << lane);
                if pixels != 0 {
                    covered.push(([column, row], pixels));
                }
            }
        }
        covered
    }

    fn corner() -> impl Strategy<Value = ScreenVertex> {
        ScreenVertex::any_within(-40_000..90_000)
    }

    proptest! {
        #[test]
        fn block_rows_have_every_covered_block_in_order(
            corners in [corner(), corner(), corner()],
            size in prop::sample::select(vec![4, 16, 32, 64, 128, 256]),
            place in [0..3_i32, 0..3_i32],
        ) {
            let [x0, y0] = place.map(|place| place * size);
            let tile = PixelRect { x0, y0, x1: x0 + size, y1: y0 + size };
            // Whichever way round has a positive area; the other one has no pixels inside.
            for corners in [corners, [corners[0], corners[2], corners[1]]] {
                let edges = Edges::new(&corners);
                let bounds = pixel_bounds(&corners, tile, SampleCount::One);
                if bounds.is_empty() {
                    continue;
                }
                let walk = Walk::new(&edges, bounds, tile);
                let found = |backend| walk.as_ref().map_or(Covered::new(), |walk| dispatch(backend, Rows(walk)));
                let blocks = PixelRect {
                    x0: (bounds.x0 - x0) / 4,
                    y0: (bounds.y0 - y0) / 4,
                    x1: (bounds.x1 - x0 + 3) / 4,
                    y1: (bounds.y1 - y0 + 3) / 4,
                };
                let expected = expected(&edges, tile, blocks);
                for level in SimdLevel::available() {
                    let backend = level.backend().expect("available");
                    prop_assert_eq!(&found(backend), &expected, "{}", level);
                }
            }
        }
    }
}
