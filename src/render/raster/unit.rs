//! What one Raster Unit keeps while it draws a tile: on-chip buffers, triangles, and what waits for shading.

use super::buffers::{Farthest, TileBuffers};
use super::coverage::QueuedBlock;
use super::samples::SampleBuffers;
use super::setup::{Interpolants, TriangleSetup};
use crate::render::shading::{FlatMemo, FlatTriangle};
use crate::simd::Backend;

/// The buffers of one Raster Unit; it draws tile after tile.
#[derive(Debug, Default)]
pub struct RasterUnit {
    /// On-chip colour and depth.
    pub buffers: TileBuffers,
    pub(super) farthest: Farthest,
    pub(super) samples: SampleBuffers,
    pub(super) setups: Vec<TriangleSetup>,
    pub(super) interpolants: Interpolants,
    pub(super) flats: Vec<FlatTriangle>,
    pub(super) flat_memo: FlatMemo,
    pub(super) queue: Vec<QueuedBlock>,
    /// By place in the queue, how many quads passed before; only for observers of every quad.
    pub(super) quads_before: Vec<u32>,
    /// Quads that passed so far; only for the same.
    pub(super) quads_passed: u32,
}

impl RasterUnit {
    /// Forgets the last tile. Where pixels of the next one have four samples, `backend` tests and writes them.
    pub(super) fn clear(&mut self, tile_size: u32, backend: Option<Backend>) {
        self.buffers.clear(tile_size);
        match backend {
            Some(backend) => self.samples.clear(backend, self.buffers.owner.len()),
            None => self.samples.backend = None,
        }
        self.farthest = Farthest::default();
        self.setups.clear();
        self.interpolants.clear();
        self.flats.clear();
        self.flat_memo.clear();
        self.queue.clear();
        self.quads_before.clear();
        self.quads_passed = 0;
    }
}
