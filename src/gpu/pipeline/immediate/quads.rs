//! Quads on their way from set-up to warps: those of a raster tile, each with its place on the screen and its texels.

use crate::shading::TexelCursor;
use azulejo_trace::Quad;

/// A quad in a TC tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TcQuad {
    pub(super) quad: Quad,
    pub(super) cursor: TexelCursor,
    /// Its left upper pixel on the screen.
    pub(super) at: [u32; 2],
}

/// Quads of a raster tile.
pub(super) const QUADS: usize = 4;

/// A primitive's quads in 4x4 pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct RasterTile {
    /// TC tile of the screen.
    pub(super) place: u32,
    /// Its positions in the TC tile, as bits.
    pub(super) positions: u32,
    pub(super) draw: u32,
    pub(super) tile: u32,
    pub(super) n: u8,
    pub(super) quads: [TcQuad; QUADS],
}

impl RasterTile {
    pub(super) fn quads(&self) -> &[TcQuad] {
        &self.quads[..usize::from(self.n)]
    }
}

/// A quad for tests of the stages behind.
#[cfg(test)]
pub(super) fn raster_tile(place: u32, positions: u32, draw: u32) -> RasterTile {
    let quad = TcQuad {
        quad: Quad::new(0, 0, 15, 15),
        cursor: TexelCursor::default(),
        at: [0, 0],
    };
    RasterTile {
        place,
        positions,
        draw,
        tile: place,
        n: positions.count_ones() as u8,
        quads: [quad; QUADS],
    }
}
