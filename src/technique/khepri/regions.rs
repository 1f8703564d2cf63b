//! Locality after affinity (section III-C): a map of types in, smoother, and its regions out.

use std::collections::VecDeque;

use super::affinity::Affinity;
use azulejo_grid::{TileGrid, TileId};

/// Share of a tile's neighbours of the other type from which on it is highly isolated.
const HIGHLY_ISOLATED: [usize; 2] = [3, 4];

/// A type for each tile of a screen.
#[derive(Debug, Clone)]
pub(super) struct TypeMap {
    columns: usize,
    rows: usize,
    pub(super) types: Vec<Affinity>,
}

impl TypeMap {
    pub(super) fn new(grid: &TileGrid, types: Vec<Affinity>) -> Self {
        Self {
            columns: grid.tiles_wide() as usize,
            rows: grid.tiles_high() as usize,
            types,
        }
    }

    /// Neighbours above, left, right and below, as far as there are any.
    fn adjacent(&self, tile: usize) -> impl Iterator<Item = usize> {
        let place = |tile: usize| (tile % self.columns, tile / self.columns);
        self.around(tile).filter(move |other| {
            place(*other).0 == place(tile).0 || place(*other).1 == place(tile).1
        })
    }

    /// Neighbours all around, up to eight tiles.
    fn around(&self, tile: usize) -> impl Iterator<Item = usize> {
        let (column, row) = (tile % self.columns, tile / self.columns);
        let near = |at: usize, n: usize| at.saturating_sub(1)..(at + 2).min(n);
        let rows = near(row, self.rows);
        rows.flat_map(move |y| near(column, self.columns).map(move |x| y * self.columns + x))
            .filter(move |other| *other != tile)
    }

    /// Number of these tiles, and number of those that are of the other type than `tile`.
    fn opposite(&self, tile: usize, among: impl Iterator<Item = usize>) -> [usize; 2] {
        among.fold([0, 0], |[all, opposite], other| {
            let is_opposite = self.types[other] != self.types[tile];
            [all + 1, opposite + usize::from(is_opposite)]
        })
    }

    fn is_totally_isolated(&self, tile: usize) -> bool {
        let [all, opposite] = self.opposite(tile, self.adjacent(tile));
        all > 0 && opposite == all
    }

    fn is_highly_isolated(&self, tile: usize) -> bool {
        let [all, opposite] = self.opposite(tile, self.around(tile));
        let [part, whole] = HIGHLY_ISOLATED;
        all > 0 && opposite * whole >= all * part
    }

    /// Swaps the k-th candidate of a type with the k-th of the other; returns the number of tiles changed.
    fn swap(&mut self, is_candidate: impl Fn(&Self, usize) -> bool) -> u64 {
        let all = 0..self.types.len();
        let candidates: Vec<usize> = all.filter(|tile| is_candidate(self, *tile)).collect();
        let (memory, compute): (Vec<_>, Vec<_>) = candidates
            .into_iter()
            .partition(|tile| self.types[*tile] == Affinity::Memory);
        let n_pairs = memory.len().min(compute.len());
        for tile in memory
            .into_iter()
            .take(n_pairs)
            .chain(compute.into_iter().take(n_pairs))
        {
            self.types[tile] = self.types[tile].opposite();
        }
        2 * n_pairs as u64
    }
}

/// Swaps tiles that lie alone, in pairs: first those that are totally or highly isolated, then those that are totally
/// isolated after that. Returns the number of tiles changed.
pub(super) fn swap_isolated(map: &mut TypeMap) -> u64 {
    let first = map.swap(|map, tile| map.is_totally_isolated(tile) || map.is_highly_isolated(tile));
    first + map.swap(TypeMap::is_totally_isolated)
}

/// Connected tiles of one type.
#[derive(Debug, Clone)]
pub(super) struct Region {
    pub(super) affinity: Affinity,
    /// Tiles in the order in which the flood fill found them.
    tiles: Vec<usize>,
}

impl Region {
    /// Tiles row by row, in alternate directions.
    pub(super) fn in_s_order(&self, grid: &TileGrid) -> Vec<TileId> {
        let columns = grid.tiles_wide() as usize;
        let mut tiles = self.tiles.clone();
        tiles.sort_unstable();
        for (number, row) in tiles
            .chunk_by_mut(|a, b| a / columns == b / columns)
            .enumerate()
        {
            if number % 2 == 1 {
                row.reverse();
            }
        }
        tiles.into_iter().map(|tile| TileId(tile as u32)).collect()
    }
}

/// All regions, in scan order of their first tiles: a flood fill, breadth first.
pub(super) fn regions(map: &TypeMap) -> Vec<Region> {
    let mut visited = vec![false; map.types.len()];
    let mut regions = Vec::new();
    for first in 0..map.types.len() {
        if visited[first] {
            continue;
        }
        visited[first] = true;
        let affinity = map.types[first];
        let (mut tiles, mut queue) = (Vec::new(), VecDeque::from([first]));
        while let Some(tile) = queue.pop_front() {
            tiles.push(tile);
            for other in map.adjacent(tile) {
                if !visited[other] && map.types[other] == affinity {
                    visited[other] = true;
                    queue.push_back(other);
                }
            }
        }
        regions.push(Region { affinity, tiles });
    }
    regions
}

/// Result of joining: a map without small regions.
#[derive(Debug)]
pub(super) struct Joined {
    /// Regions in scan order of their first tiles.
    pub(super) regions: Vec<Region>,
    /// Tiles that changed sides.
    pub(super) tiles: u64,
    /// Flood fills that it took, each over all tiles: the one that finds no small region is the last.
    pub(super) passes: u64,
}

/// Gives regions of fewer than `least` tiles the type of their surroundings, in scan order, until there are none or there
/// is one region. With two types, all neighbours of a region are of the other one.
pub(super) fn join_small_regions(map: &mut TypeMap, least: usize) -> Joined {
    let (mut tiles, mut passes) = (0, 0);
    loop {
        let regions = regions(map);
        passes += 1;
        if regions.len() == 1 || regions.iter().all(|region| region.tiles.len() >= least) {
            return Joined {
                regions,
                tiles,
                passes,
            };
        }
        // When two small regions touch, only the first joins the other; the next pass shows their union.
        let mut settled = vec![false; map.types.len()];
        for region in regions.iter().filter(|region| region.tiles.len() < least) {
            let touches = |tile: &usize| map.adjacent(*tile).any(|other| settled[other]);
            if region.tiles.iter().any(touches) {
                continue;
            }
            tiles += region.tiles.len() as u64;
            for &tile in &region.tiles {
                map.types[tile] = map.types[tile].opposite();
                settled[tile] = true;
            }
        }
    }
}
