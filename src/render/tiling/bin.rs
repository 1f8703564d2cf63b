//! Which tiles a triangle overlaps.

use super::edges::Edges;
use crate::geometry::{
    Chunk, ScreenVertex, ShadedVertices, give_back_spare, pixel_at_or_after, pixel_at_or_before,
};
use azulejo_grid::{Binning, SampleCount, TileGrid, TileId};
use azulejo_math::PixelRect;
use azulejo_simd::each;

/// The tiles of one chunk's triangles.
#[derive(Debug, Clone, Default)]
pub struct BinnedChunk {
    /// A tile with the position of a triangle in [`Chunk::triangles`]; ascending by triangle.
    pub overlaps: Vec<(TileId, u32)>,
}

/// Test of triangles against tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinTest {
    /// The picture and its tiles, which triangles are tested against.
    pub grid: TileGrid,
    /// Exact edges, or bounding boxes.
    pub binning: Binning,
    /// Samples of a pixel, one of which a triangle must be able to cover in a tile.
    pub samples: SampleCount,
}

/// Finds the tiles of every triangle of `chunk`, whose vertices lie in `vertices` and in itself.
pub fn bin_chunk(chunk: &Chunk, vertices: &ShadedVertices, test: BinTest, out: &mut BinnedChunk) {
    out.overlaps.clear();
    for (number, triangle) in chunk.triangles.iter().enumerate() {
        let corners = each!(3, k => *chunk.vertex(vertices, triangle.vertices[k]));
        for_each_tile(&corners, &test, |tile| {
            out.overlaps.push((tile, number as u32))
        });
    }
    give_back_spare(&mut out.overlaps);
}

/// Pixels with samples in columns and rows within the triangle's bounds, and on the screen.
#[must_use]
pub(crate) fn pixel_bounds(
    corners: &[ScreenVertex; 3],
    screen: PixelRect,
    samples: SampleCount,
) -> PixelRect {
    let (xs, ys) = (each!(3, k => corners[k].x.0), each!(3, k => corners[k].y.0));
    let low = |[a, b, c]: [i32; 3]| pixel_at_or_after(a.min(b).min(c), samples);
    let high = |[a, b, c]: [i32; 3]| pixel_at_or_before(a.max(b).max(c), samples) + 1;
    PixelRect {
        x0: low(xs),
        y0: low(ys),
        x1: high(xs),
        y1: high(ys),
    }
    .intersect(screen)
}

/// Calls `visit` with every tile that the triangle overlaps, in scan-line order.
fn for_each_tile(corners: &[ScreenVertex; 3], test: &BinTest, mut visit: impl FnMut(TileId)) {
    let BinTest {
        grid,
        binning,
        samples,
    } = test;
    let screen = PixelRect::of_size(grid.width, grid.height);
    let bounds = pixel_bounds(corners, screen, *samples);
    if bounds.is_empty() {
        return;
    }
    let size = grid.tile_size.cast_signed();
    let (columns, rows) = (
        bounds.x0 / size..=(bounds.x1 - 1) / size,
        bounds.y0 / size..=(bounds.y1 - 1) / size,
    );
    if columns.start() == columns.end() && rows.start() == rows.end() {
        visit(grid.tile_at(
            columns.start().cast_unsigned(),
            rows.start().cast_unsigned(),
        ));
        return;
    }
    let edges = Edges::outermost(corners, *samples);
    for row in rows {
        for column in columns.clone() {
            let (x0, y0) = (column * size, row * size);
            // Only the part within the bounds matters: a tile's far corner may tempt an edge that ends before it.
            let rect = PixelRect {
                x0,
                y0,
                x1: x0 + size,
                y1: y0 + size,
            }
            .intersect(bounds);
            if *binning == Binning::BoundingBox || !edges.exclude(rect) {
                visit(grid.tile_at(column.cast_unsigned(), row.cast_unsigned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::doubled_area;
    use azulejo_math::Subpixel;

    const GRID: TileGrid = TileGrid {
        width: 100,
        height: 70,
        tile_size: 16,
    };

    /// Tiles of [`GRID`], one sample a pixel.
    fn test(binning: Binning) -> BinTest {
        BinTest {
            grid: GRID,
            binning,
            samples: SampleCount::One,
        }
    }

    fn corner() -> impl Strategy<Value = ScreenVertex> {
        ScreenVertex::any_within(-20_000..40_000)
    }

    proptest! {
        #[test]
        fn binning_finds_every_tile_with_a_covered_pixel(corners in [corner(), corner(), corner()]) {
            let [a, b, c] = corners;
            let corners = if doubled_area(&corners) < 0 { [a, c, b] } else { corners };
            prop_assume!(doubled_area(&corners) > 0);
            for samples in SampleCount::ALL {
                let mut listed = Vec::new();
                let test = BinTest { samples, ..test(Binning::Exact) };
                for_each_tile(&corners, &test, |tile| listed.push(tile));
                prop_assert!(listed.windows(2).all(|pair| pair[0] < pair[1]), "scan-line order, none twice");
                let edges = samples.offsets().iter().map(|offset| Edges::beside_centre(&corners, *offset));
                let edges: Vec<_> = edges.collect();
                let covers = |x, y| edges.iter().any(|edges| (0..3).all(|k| edges.at(k, x, y) >= 0));
                for tile in (0..GRID.n_tiles()).map(TileId) {
                    let rect = GRID.rect(tile);
                    let covered = (rect.y0..rect.y1).any(|y| (rect.x0..rect.x1).any(|x| covers(x, y)));
                    prop_assert!(!covered || listed.contains(&tile), "{tile:?} has covered samples");
                }
            }
        }

        #[test]
        fn binning_by_bounding_box_lists_the_tiles_that_the_box_overlaps(corners in [corner(), corner(), corner()]) {
            let screen = PixelRect::of_size(GRID.width, GRID.height);
            let bounds = pixel_bounds(&corners, screen, SampleCount::One);
            let mut listed = Vec::new();
            for_each_tile(&corners, &test(Binning::BoundingBox), |tile| listed.push(tile));
            let overlapped = (0..GRID.n_tiles()).map(TileId);
            let overlapped: Vec<_> = overlapped.filter(|tile| !GRID.rect(*tile).intersect(bounds).is_empty()).collect();
            prop_assert_eq!(listed, overlapped);
        }
    }

    #[test]
    fn binning_leaves_out_tiles_beside_a_diagonal() {
        let at = |x: f32, y: f32| ScreenVertex {
            x: Subpixel::from_px(x),
            y: Subpixel::from_px(y),
            z: 0.5,
            inv_w: 1.0,
        };
        let mut listed = Vec::new();
        for_each_tile(
            &[at(0.0, 0.0), at(64.0, 62.0), at(62.0, 64.0)],
            &test(Binning::Exact),
            |tile| listed.push(tile),
        );
        let corner = GRID.tile_at(3, 0);
        assert!(
            !listed.contains(&corner),
            "a sliver along the diagonal does not touch {corner:?}: {listed:?}"
        );
    }
}
