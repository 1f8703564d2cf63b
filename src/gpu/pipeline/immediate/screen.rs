//! The screen in TC tiles, and which cluster and core each belongs to: squares of `work_tile` TC tiles are dealt to the
//! clusters in turn, row by row; inside a cluster neighbours go to different cores.

use super::order::PixelBox;
use crate::machine::{ImmediateSpec, RASTER_TILE};
use azulejo_grid::{TileGrid, TileId};

/// Map of the screen: the cluster and core that draw each TC tile.
#[derive(Debug)]
pub(super) struct ScreenMap {
    pub(super) grid: TileGrid,
    /// Edge of a TC tile in pixels, a power of two.
    pub(super) tc_pixels: u32,
    /// TC tiles in a row.
    columns: u32,
    work_tile: u32,
    n_clusters: u32,
    /// Cluster, and core there, of each TC tile.
    owners: Vec<(u8, u8)>,
    /// The clusters that have TC tiles of each tile of the trace, as bits.
    clusters_of_tile: Vec<u32>,
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
        let (columns, rows) = [grid.width, grid.height]
            .map(|edge| edge.div_ceil(tc_pixels))
            .into();
        let work_tile = work_tile.max(1);
        let work_columns = columns.div_ceil(work_tile);
        let owner = |place: u32| {
            let (column, row) = (place % columns, place / columns);
            let work = row / work_tile * work_columns + column / work_tile;
            let core = (column + row) % clusters.cores_of_each;
            ((work % clusters.n) as u8, core as u8)
        };
        let mut map = Self {
            grid,
            tc_pixels,
            columns,
            work_tile,
            n_clusters: clusters.n,
            owners: (0..columns * rows).map(owner).collect(),
            clusters_of_tile: Vec::new(),
        };
        let tiles = 0..grid.n_tiles();
        map.clusters_of_tile = tiles.map(|tile| map.find_clusters(tile)).collect();
        map
    }

    /// Edge of a work tile in TC tiles.
    pub(super) const fn work_tile(&self) -> u32 {
        self.work_tile
    }

    /// TC tiles of the screen.
    pub(super) const fn n_places(&self) -> u32 {
        self.owners.len() as u32
    }

    /// The TC tile of a pixel.
    pub(super) const fn place(&self, [x, y]: [u32; 2]) -> u32 {
        let shift = self.tc_pixels.trailing_zeros();
        (y >> shift) * self.columns + (x >> shift)
    }

    /// The cluster of a TC tile: work tiles are dealt in turn, row by row.
    pub(super) fn cluster(&self, place: u32) -> u32 {
        self.owners[place as usize].0.into()
    }

    /// The core of a TC tile, in its cluster.
    pub(super) fn core(&self, place: u32) -> u32 {
        self.owners[place as usize].1.into()
    }

    /// The clusters that have TC tiles of a tile of the trace, as bits.
    pub(super) fn clusters_of_tile(&self, tile: u32) -> u32 {
        self.clusters_of_tile[tile as usize]
    }

    /// The clusters that have TC tiles of a box, as bits: its work tiles, one by one until there is one of each cluster.
    pub(super) fn clusters_of_box(&self, of: PixelBox) -> u32 {
        let edge = self.tc_pixels * self.work_tile;
        let work_columns = self.columns.div_ceil(self.work_tile);
        let [first, last] = [of.min, of.max].map(|at| at.map(|pixel| pixel / edge));
        let last_column = last[0].min(work_columns - 1);
        let all = u32::MAX >> (u32::BITS - self.n_clusters);
        let mut found = 0;
        for row in first[1]..=last[1] {
            for column in first[0]..=last_column {
                found |= 1 << ((row * work_columns + column) % self.n_clusters);
                if found == all {
                    return found;
                }
            }
        }
        found
    }

    fn find_clusters(&self, tile: u32) -> u32 {
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
