//! What one Raster Unit keeps while it draws a tile: on-chip buffers, triangles, and the quads that wait for shading.

use super::buffers::TileBuffers;
use super::coverage::Quad;
use super::setup::{Interpolants, TriangleSetup};

/// The buffers of one Raster Unit; it draws tile after tile.
#[derive(Debug, Default)]
pub struct RasterUnit {
    /// On-chip colour and depth.
    pub buffers: TileBuffers,
    pub(super) setups: Vec<TriangleSetup>,
    pub(super) interpolants: Interpolants,
    pub(super) queue: Vec<Quad>,
}

impl RasterUnit {
    /// Forgets the last tile.
    pub(super) fn clear(&mut self, tile_size: u32) {
        self.buffers.clear(tile_size);
        self.setups.clear();
        self.interpolants.clear();
        self.queue.clear();
    }
}
