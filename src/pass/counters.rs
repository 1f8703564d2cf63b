//! Counts of a pass.

use azulejo_grid::TileId;

use crate::attach::Targets;
use crate::run::{Binned, FragmentCounts};

/// Counts of a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassCounters {
    /// Edge of a tile, pixels; 0 of a pass without tiles.
    pub tile_size: u32,
    /// Vertices that programs ran for.
    pub vertices: u64,
    /// Triangles after culling and clipping.
    pub triangles: u64,
    /// Entries of the tiles' lists.
    pub tile_entries: u64,
    /// Quads that went to the fragment program, and those of passes without one.
    pub quads: u64,
    /// Fragments that programs ran for, helpers left out.
    pub fragments: u64,
    /// Samples that got a colour.
    pub samples_written: u64,
    /// Bytes that tiles loaded from attachments.
    pub loaded_bytes: u64,
    /// Bytes that they stored, resolved content included.
    pub stored_bytes: u64,
}

impl PassCounters {
    pub(crate) fn new(targets: &Targets, binned: &Binned<'_>, fragments: FragmentCounts) -> Self {
        let grid = targets.grid;
        let pixels = u64::from(grid.width) * u64::from(grid.height);
        let attachments = targets.attachments();
        let loaded = attachments.iter().filter(|target| target.loads);
        let stored = attachments.iter().filter(|target| target.stores);
        let entries = |tile| binned.lists.entries(TileId(tile)).len() as u64;
        let triangles = |chunk: &azulejo_render::geometry::Chunk| chunk.triangles.len() as u64;
        let draws = binned.draws.iter();
        Self {
            tile_size: grid.tile_size,
            vertices: draws.map(|draw| draw.geometry.n_vertices()).sum(),
            triangles: binned.chunks.iter().map(triangles).sum(),
            tile_entries: (0..grid.n_tiles()).map(entries).sum(),
            quads: fragments.quads,
            fragments: fragments.invocations,
            samples_written: fragments.samples_written,
            loaded_bytes: pixels * loaded.map(|target| target.bytes).sum::<u64>(),
            stored_bytes: pixels * stored.map(|target| target.bytes).sum::<u64>(),
        }
    }
}
