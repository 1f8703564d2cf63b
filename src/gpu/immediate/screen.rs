//! The screen in TC tiles, and which cluster and core each belongs to: squares of `work_tile` TC tiles are dealt to the clusters in turn,
//! row by row; inside a cluster neighbours go to different cores.

use crate::gpu::machine::{ImmediateSpec, RASTER_TILE};
use crate::grid::{TileGrid, TileId};

/// Who draws where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScreenMap {
    pub(super) grid: TileGrid,
    /// Edge of a TC tile in pixels.
    pub(super) tc_pixels: u32,
    /// TC tiles in a row, and rows.
    columns: u32,
    rows: u32,
    work_tile: u32,
    n_clusters: u32,
    cores: u32,
}

/// Clusters and their cores.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clusters {
    pub(super) n: u32,
    pub(super) cores_of_each: u32,
}

impl ScreenMap {
    pub(super) fn new(
        grid: TileGrid,
        spec: &ImmediateSpec,
        work_tile: u32,
        clusters: Clusters,
    ) -> Self {
        let tc_pixels = spec.tc_pixels();
        Self {
            grid,
            tc_pixels,
            columns: grid.width.div_ceil(tc_pixels),
            rows: grid.height.div_ceil(tc_pixels),
            work_tile: work_tile.max(1),
            n_clusters: clusters.n,
            cores: clusters.cores_of_each,
        }
    }

    /// Edge of a work tile in TC tiles.
    pub(super) const fn work_tile(&self) -> u32 {
        self.work_tile
    }

    /// TC tiles of the screen.
    pub(super) const fn n_places(&self) -> u32 {
        self.columns * self.rows
    }

    /// The TC tile of a pixel.
    pub(super) const fn place(&self, [x, y]: [u32; 2]) -> u32 {
        y / self.tc_pixels * self.columns + x / self.tc_pixels
    }

    /// The cluster of a TC tile.
    pub(super) const fn cluster(&self, place: u32) -> u32 {
        let (column, row) = (place % self.columns, place / self.columns);
        let work_columns = self.columns.div_ceil(self.work_tile);
        let nth = row / self.work_tile * work_columns + column / self.work_tile;
        nth % self.n_clusters
    }

    /// The core of a TC tile, in its cluster.
    pub(super) const fn core(&self, place: u32) -> u32 {
        (place % self.columns + place / self.columns) % self.cores
    }

    /// The clusters that have TC tiles of a tile of the trace, as bits.
    pub(super) fn clusters_of_tile(&self, tile: u32) -> u32 {
        let rect = self.grid.rect(TileId(tile));
        let (x0, y0) = (rect.x0.unsigned_abs(), rect.y0.unsigned_abs());
        let (x1, y1) = (rect.x1.unsigned_abs(), rect.y1.unsigned_abs());
        let step = self.tc_pixels as usize;
        let places = (y0..y1)
            .step_by(step)
            .flat_map(|y| (x0..x1).step_by(step).map(move |x| [x, y]));
        places.fold(0, |bits, at| bits | 1 << self.cluster(self.place(at)))
    }

    /// Raster tiles of the screen in a row.
    pub(super) const fn raster_columns(&self) -> u32 {
        self.grid.width.div_ceil(RASTER_TILE)
    }

    /// The raster tile of a pixel, on the screen.
    pub(super) const fn raster_tile(&self, [x, y]: [u32; 2]) -> u32 {
        y / RASTER_TILE * self.raster_columns() + x / RASTER_TILE
    }
}
