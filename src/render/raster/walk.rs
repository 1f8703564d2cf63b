//! The 4x4 blocks of a tile that a triangle's bounds touch, with edge functions that are small enough for 32-bit lanes.

use crate::tiling::Edges;
use azulejo_math::PixelRect;

/// First and one past the last block of a tile, across and down, that these bounds touch.
#[inline(always)]
pub(super) const fn blocks_of(bounds: &PixelRect, tile: PixelRect) -> PixelRect {
    PixelRect {
        x0: (bounds.x0 - tile.x0) >> 2,
        y0: (bounds.y0 - tile.y0) >> 2,
        x1: (bounds.x1 - tile.x0 + 3) >> 2,
        y1: (bounds.y1 - tile.y0 + 3) >> 2,
    }
}

/// Edge values that step over a tile; origin is the tile's first pixel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk {
    a: [i32; 3],
    b: [i32; 3],
    c: [i32; 3],
    /// First and one past the last block across and down.
    blocks: PixelRect,
}

impl Walk {
    /// The walk over the blocks of `tile` (its full square) that touch `bounds`; `None` if an edge excludes them all.
    #[must_use]
    pub(super) fn new(edges: &Edges, bounds: PixelRect, tile: PixelRect) -> Option<Self> {
        Self::up_to(edges, [0; 3], bounds, tile)
    }

    /// The walk where an edge has several values at a pixel: `edges` has the smallest, and others are at most `farthest`
    /// larger.
    #[must_use]
    #[inline(always)]
    pub(super) fn up_to(
        edges: &Edges,
        farthest: [i32; 3],
        bounds: PixelRect,
        tile: PixelRect,
    ) -> Option<Self> {
        let blocks = blocks_of(&bounds, tile);
        let walked = PixelRect {
            x0: tile.x0 + blocks.x0 * 4,
            y0: tile.y0 + blocks.y0 * 4,
            x1: tile.x0 + blocks.x1 * 4,
            y1: tile.y0 + blocks.y1 * 4,
        };
        let mut walk = Self {
            a: [0; 3],
            b: [0; 3],
            c: [0; 3],
            blocks,
        };
        for (k, farthest) in farthest.into_iter().enumerate() {
            let (highest, lowest) = edges.range(k, walked);
            if highest + i64::from(farthest) < 0 {
                return None;
            }
            if lowest < 0 {
                (walk.a[k], walk.b[k]) = (edges.a[k], edges.b[k]);
                // An edge that crosses the tile stays within 31 bits all over it: see the guard band's size.
                walk.c[k] = edges.at(k, tile.x0, tile.y0) as i32;
            }
        }
        Some(walk)
    }

    /// Steps of each edge from a column to the next and from a row to the next.
    pub(super) const fn slopes(&self) -> ([i32; 3], [i32; 3]) {
        (self.a, self.b)
    }

    /// First and one past the last block across and down.
    pub(super) const fn blocks(&self) -> PixelRect {
        self.blocks
    }

    /// Whether edge `k` is tested: it has not the whole walk on its inside.
    pub(super) const fn tests(&self, k: usize) -> bool {
        self.a[k] != 0 || self.b[k] != 0
    }

    /// Value of edge `k` at a pixel of the tile.
    #[inline(always)]
    pub(super) const fn at(&self, k: usize, x: i32, y: i32) -> i32 {
        self.a[k]
            .wrapping_mul(x)
            .wrapping_add(self.b[k].wrapping_mul(y))
            .wrapping_add(self.c[k])
    }
}
