//! Vertex Processing and Operations: the clusters that receive a triangle.

use proptest::prelude::*;

use super::super::order::PixelBox;
use super::super::screen::{Clusters, ScreenMap};
use super::{ALU, immediate, machine, run, screen};
use azulejo_grid::TileGrid;
use azulejo_trace::FrameTrace;
use azulejo_trace::synthetic::{CoveredScreen, independent};

/// Primitives that each of six clusters receives, one TC tile of 8 x 8 pixels a cluster in turn.
fn concerned(trace: &FrameTrace) -> Vec<u64> {
    let report = run(&machine(&["immediate.work_tile=1"]), trace);
    let own = report.immediate.expect("renders immediately");
    let clusters = own.clusters.iter();
    clusters.map(|cluster| cluster.front.primitives).collect()
}

#[test]
fn vpo_sends_a_triangle_to_all_clusters_of_its_bounding_box() {
    let mut trace = CoveredScreen::new(screen(48, 8), independent(ALU, 1)).frame(0);
    assert_eq!(concerned(&trace), [1; 6], "all of the row");
    for tile in &mut trace.tiles[1..5] {
        tile.primitives.clear();
        tile.quads.clear();
    }
    assert_eq!(concerned(&trace), [1; 6], "both ends: all between them");
    let last = &mut trace.tiles[5];
    last.primitives.clear();
    last.quads.clear();
    assert_eq!(concerned(&trace), [1, 0, 0, 0, 0, 0], "the first alone");
}

#[test]
fn vpo_sends_a_small_triangle_to_one_cluster_whatever_the_tiles_of_the_trace() {
    let grid = TileGrid {
        tile_size: 32,
        ..screen(32, 32)
    };
    let mut trace = CoveredScreen::new(grid, independent(ALU, 1)).frame(0);
    let tile = &mut trace.tiles[0];
    // The TC tile of row 1, column 2 is number 6 of 16.
    tile.quads
        .retain(|quad| quad.column() / 4 == 2 && quad.row() / 4 == 1);
    tile.primitives[0].n_quads = tile.quads.len() as u32;
    assert_eq!(concerned(&trace), [1, 0, 0, 0, 0, 0], "6 mod 6");
    tile_without_quads(&mut trace);
    assert_eq!(
        concerned(&trace),
        [1, 0, 0, 0, 0, 0],
        "no pixel: one of them"
    );
}

fn tile_without_quads(trace: &mut FrameTrace) {
    let tile = &mut trace.tiles[0];
    tile.quads.clear();
    tile.primitives[0].n_quads = 0;
}

proptest! {
    /// Compares a box's clusters with those of its pixels, one by one.
    #[test]
    fn clusters_of_a_box_are_those_of_its_pixels(
        x in 0..70_u32, y in 0..50_u32, wide in 1..30_u32, high in 1..30_u32, work_tile in 1..5_u32, n in 1..8_u32,
    ) {
        let grid = screen(70, 50);
        let map = ScreenMap::new(grid, &immediate(), work_tile, Clusters { n, cores_of_each: 1 });
        let max = [(x + wide).min(70) - 1, (y + high).min(50) - 1];
        let pixels = (x..=max[0]).flat_map(|x| (y..=max[1]).map(move |y| [x, y]));
        let naive = pixels.fold(0, |bits, at| bits | 1 << map.cluster(map.place(at)));
        prop_assert_eq!(map.clusters_of_box(PixelBox { min: [x, y], max }), naive);
    }
}
