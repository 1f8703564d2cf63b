//! State of one Raster Unit while it draws a tile: on-chip buffers, triangles, and the queue of blocks to shade.

use super::buffers::{ClearColors, Farthest, TileBuffers};
use super::coverage::QueuedBlock;
use super::samples::SampleBuffers;
use super::setup::{Interpolants, TriangleSetup};
use crate::shading::{FlatMemo, FlatTriangle};
use azulejo_simd::{Backend, dispatch};

/// The buffers of one Raster Unit; it draws tile after tile.
#[derive(Debug, Default)]
pub struct RasterUnit {
    /// On-chip colour and depth.
    pub buffers: TileBuffers,
    /// Colours are those of the tile before.
    colors_are_old: bool,
    /// How many of the queue are of opaque draws with none of others before them, once there are others.
    n_opaque: Option<usize>,
    pub(super) farthest: Farthest,
    pub(super) samples: SampleBuffers,
    pub(super) setups: Vec<TriangleSetup>,
    pub(super) interpolants: Interpolants,
    pub(super) flats: Vec<FlatTriangle>,
    pub(super) flat_memo: FlatMemo,
    pub(super) queue: Vec<QueuedBlock>,
    /// Quads that passed before, by place in the queue; only for observers of every quad.
    pub(super) quads_before: Vec<u32>,
    /// Quads that passed so far; only for such observers.
    pub(super) quads_passed: u32,
}

impl RasterUnit {
    /// Forgets the last tile, but for its colours, which [`Self::clear_colors`] does. If pixels of the next one have
    /// four samples, `backend` tests and writes them.
    pub(super) fn clear(&mut self, tile_size: u32, backend: Option<Backend>) {
        self.buffers.clear_depths(tile_size);
        self.colors_are_old = true;
        self.n_opaque = None;
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

    /// Says that what is queued from here on may be seen through, or dropped.
    pub(super) fn end_opaque(&mut self) {
        self.n_opaque.get_or_insert(self.queue.len());
    }

    /// Forgets the last tile's colours where they would show, now that the visible owner of each pixel is known. To be
    /// called before anything is shaded.
    pub(super) fn clear_colors(&mut self, backend: Backend) {
        if std::mem::take(&mut self.colors_are_old) {
            let n_opaque = self.n_opaque.unwrap_or(usize::MAX);
            let buffers = &mut self.buffers;
            dispatch(backend, ClearColors { buffers, n_opaque });
        }
    }
}
