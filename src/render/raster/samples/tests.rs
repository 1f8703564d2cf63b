//! Tests of edges at samples, against exact products of corners.

use proptest::prelude::*;

use crate::geometry::{ScreenVertex, doubled_area};
use crate::tiling::{Edges, SampleEdges};
use azulejo_grid::FOUR_OFFSETS;
use azulejo_math::{SUBPIXELS, Subpixel};

fn corner() -> impl Strategy<Value = ScreenVertex> {
    // About twenty pixels across, so that many edges meet samples.
    (-512..4096_i32, -512..4096_i32).prop_map(|(x, y)| ScreenVertex {
        x: Subpixel(x / 16 * 16),
        y: Subpixel(y / 16 * 16),
        z: 0.5,
        inv_w: 1.0,
    })
}

/// Whether a place in sub-pixels lies in the triangle, edges by the top-left rule.
fn covers(corners: &[ScreenVertex; 3], [x, y]: [i32; 2]) -> bool {
    (0..3).all(|k| {
        let (from, to) = (corners[k], corners[(k + 1) % 3]);
        let [dx, dy] = [to.x.0 - from.x.0, to.y.0 - from.y.0].map(i64::from);
        let side = dx * i64::from(y - from.y.0) - dy * i64::from(x - from.x.0);
        side > 0 || (side == 0 && (dy < 0 || (dy == 0 && dx > 0)))
    })
}

proptest! {
    #[test]
    fn edges_at_samples_are_those_of_exact_products(corners in [corner(), corner(), corner()]) {
        let [a, b, c] = corners;
        let corners = if doubled_area(&corners) < 0 { [a, c, b] } else { corners };
        prop_assume!(doubled_area(&corners) > 0);
        let SampleEdges { innermost, further, farthest } = SampleEdges::new(&corners);
        prop_assert_eq!(further.map(|edge| edge.into_iter().max()), farthest.map(Some));
        prop_assert_eq!(further.map(|edge| edge.into_iter().min()), [Some(0); 3]);
        for (sample, offset) in FOUR_OFFSETS.iter().enumerate() {
            let c = [0, 1, 2].map(|k: usize| innermost.c[k] + i64::from(further[k][sample]));
            let edges = Edges { c, ..innermost };
            for (x, y) in (-2..17).flat_map(|y| (-2..17).map(move |x| (x, y))) {
                let place = [x * SUBPIXELS + SUBPIXELS / 2 + offset[0], y * SUBPIXELS + SUBPIXELS / 2 + offset[1]];
                let inside = (0..3).all(|k| edges.at(k, x, y) >= 0);
                prop_assert_eq!(inside, covers(&corners, place), "pixel {}, {}, sample at {:?}", x, y, offset);
            }
        }
    }
}
