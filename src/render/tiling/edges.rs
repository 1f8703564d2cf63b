//! Edge functions of a triangle in exact integers.
//!
//! For an edge from a to b, E(p) = (b - a) x (p - a) is positive on the inside. A pixel centre is covered if every E is
//! positive, or zero on a top or left edge (Vulkan 1.3, 28.12.1); subtracting 1 from the others makes that E >= 0.
//!
//! Centres are 256 sub-pixels apart, so E changes from pixel to pixel by multiples of 256 and the sign of E is that of
//! E >> 8: a value that steps by `a` a column and `b` a row.

use crate::geometry::ScreenVertex;
use azulejo_grid::{FOUR_OFFSETS, SampleCount};
use azulejo_math::{PixelRect, SUBPIXEL_BITS, SUBPIXELS, Subpixel};
use azulejo_simd::each;

/// Three edge functions: E >> 8 at the centre of pixel (x, y), or at the same sample of all pixels, is `a * x + b * y + c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edges {
    /// Step from a column to the next.
    pub(crate) a: [i32; 3],
    /// Step from a row to the next.
    pub(crate) b: [i32; 3],
    /// Value at pixel (0, 0).
    pub(crate) c: [i64; 3],
}

impl Edges {
    /// Edge k runs from corner k to corner k + 1; the triangle's area must be positive.
    #[must_use]
    pub(crate) fn new(corners: &[ScreenVertex; 3]) -> Self {
        Self::beside_centre(corners, [0, 0])
    }

    /// Edge functions at samples that lie this far from pixel centres, in sub-pixels; they differ in [`Self::c`].
    #[must_use]
    pub(crate) fn beside_centre(corners: &[ScreenVertex; 3], offset: [i32; 2]) -> Self {
        let edges = each!(3, k => Edge::new(corners, k));
        Self {
            a: each!(3, k => edges[k].a),
            b: each!(3, k => edges[k].b),
            c: each!(3, k => edges[k].constant(offset)),
        }
    }

    /// Edges with the largest value of any sample of each pixel.
    #[must_use]
    pub(crate) fn outermost(corners: &[ScreenVertex; 3], samples: SampleCount) -> Self {
        match samples {
            SampleCount::One => Self::new(corners),
            SampleCount::Four => SampleEdges::new(corners).outermost(),
        }
    }

    /// Value of edge `k` at a pixel.
    #[must_use]
    pub(crate) fn at(&self, k: usize, x: i32, y: i32) -> i64 {
        i64::from(self.a[k]) * i64::from(x) + i64::from(self.b[k]) * i64::from(y) + self.c[k]
    }

    /// Largest and smallest value of edge `k` over the pixels of a rectangle that is not empty.
    #[must_use]
    pub(crate) fn range(&self, k: usize, rect: PixelRect) -> (i64, i64) {
        let span = |step: i32, low: i32, high: i32| {
            let (p, q) = (
                i64::from(step) * i64::from(low),
                i64::from(step) * i64::from(high),
            );
            (p.max(q), p.min(q))
        };
        let (x, y) = (
            span(self.a[k], rect.x0, rect.x1 - 1),
            span(self.b[k], rect.y0, rect.y1 - 1),
        );
        (x.0 + y.0 + self.c[k], x.1 + y.1 + self.c[k])
    }

    /// Whether some edge has the whole rectangle on its outside.
    #[must_use]
    pub(crate) fn exclude(&self, rect: PixelRect) -> bool {
        (0..3).any(|k| self.range(k, rect).0 < 0)
    }
}

/// An edge in sub-pixels.
#[derive(Debug, Clone, Copy)]
struct Edge {
    a: i32,
    b: i32,
    /// Value at the centre of pixel (0, 0), at least 0 where the top-left rule has it inside.
    at_centre: i64,
}

impl Edge {
    #[inline]
    fn new(corners: &[ScreenVertex; 3], k: usize) -> Self {
        let (from, to) = (&corners[k], &corners[(k + 1) % 3]);
        let (a, b) = (from.y.0 - to.y.0, to.x.0 - from.x.0);
        let top_left = a > 0 || (a == 0 && b > 0);
        let first = i64::from(Subpixel::pixel_centre(0).0);
        let value = i64::from(a) * (first - i64::from(from.x.0))
            + i64::from(b) * (first - i64::from(from.y.0));
        Self {
            a,
            b,
            at_centre: value - i64::from(!top_left),
        }
    }

    /// Value at pixel (0, 0), in pixels, of the sample that lies so far from its centre.
    #[inline]
    fn constant(&self, [dx, dy]: [i32; 2]) -> i64 {
        let step = i64::from(self.a) * i64::from(dx) + i64::from(self.b) * i64::from(dy);
        (self.at_centre + step) >> SUBPIXEL_BITS
    }
}

/// The edges of a triangle at the four samples of pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleEdges {
    /// Edges with the smallest value of any sample of each pixel.
    pub(crate) innermost: Edges,
    /// How much larger than the smallest the value of an edge is, by edge and sample.
    pub(crate) further: [[i32; 4]; 3],
    /// The largest of these, by edge.
    pub(crate) farthest: [i32; 3],
}

impl SampleEdges {
    /// Edge functions at samples of these corners, ordered as for [`Edges::new`].
    #[must_use]
    pub(crate) fn new(corners: &[ScreenVertex; 3]) -> Self {
        let edges = [0, 1, 2].map(|k| Edge::new(corners, k));
        // Fraction of a centre's value beyond whole pixels, in steps between samples; samples add only whole steps.
        let steps = edges.map(|edge| {
            let beyond = (edge.at_centre & (i64::from(SUBPIXELS) - 1)) as i32 >> STEP_BITS;
            FOUR_OFFSETS.map(|[dx, dy]| {
                let step = edge.a * (dx >> STEP_BITS) + edge.b * (dy >> STEP_BITS);
                (beyond + step) >> (SUBPIXEL_BITS - STEP_BITS)
            })
        });
        let smallest = steps.map(|[a, b, c, d]| a.min(b).min(c.min(d)));
        let largest = steps.map(|[a, b, c, d]| a.max(b).max(c.max(d)));
        let c = [0, 1, 2]
            .map(|k: usize| (edges[k].at_centre >> SUBPIXEL_BITS) + i64::from(smallest[k]));
        Self {
            innermost: Edges {
                a: edges.map(|edge| edge.a),
                b: edges.map(|edge| edge.b),
                c,
            },
            further: [0, 1, 2].map(|k: usize| steps[k].map(|step| step - smallest[k])),
            farthest: [0, 1, 2].map(|k: usize| largest[k] - smallest[k]),
        }
    }

    /// Edges with the largest value of any sample of each pixel.
    #[must_use]
    fn outermost(&self) -> Edges {
        let Edges { a, b, c } = self.innermost;
        let c = [0, 1, 2].map(|k: usize| c[k] + i64::from(self.farthest[k]));
        Edges { a, b, c }
    }
}

/// Bits of the step between samples: they lie beside centres by whole multiples of 2^5 sub-pixels, both across and down.
const STEP_BITS: u32 = 5;

const _: () = {
    let mut sample = 0;
    while sample < 4 {
        let [dx, dy] = FOUR_OFFSETS[sample];
        let is_whole = dx % (1 << STEP_BITS) == 0 && dy % (1 << STEP_BITS) == 0;
        assert!(is_whole, "samples lie on whole steps");
        sample += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(x: f32, y: f32) -> ScreenVertex {
        ScreenVertex {
            x: Subpixel::from_px(x),
            y: Subpixel::from_px(y),
            z: 0.0,
            inv_w: 1.0,
        }
    }

    fn covered(edges: &Edges, x: i32, y: i32) -> bool {
        (0..3).all(|k| edges.at(k, x, y) >= 0)
    }

    #[test]
    fn edges_give_a_centre_on_a_shared_diagonal_to_one_triangle() {
        let upper = Edges::new(&[corner(0.0, 0.0), corner(4.0, 0.0), corner(4.0, 4.0)]);
        let lower = Edges::new(&[corner(0.0, 0.0), corner(4.0, 4.0), corner(0.0, 4.0)]);
        for y in 0..4 {
            for x in 0..4 {
                assert!(
                    covered(&upper, x, y) != covered(&lower, x, y),
                    "pixel {x}, {y} belongs to exactly one"
                );
            }
        }
    }

    #[test]
    fn edges_top_left_rule_takes_top_and_left() {
        let edges = Edges::new(&[corner(0.5, 0.5), corner(4.5, 0.5), corner(0.5, 4.5)]);
        assert!(
            covered(&edges, 0, 0),
            "the corner of top and left edge is covered"
        );
        assert!(covered(&edges, 2, 0), "a centre on the top edge is covered");
        assert!(
            covered(&edges, 0, 2),
            "a centre on the left edge is covered"
        );
        assert!(
            !covered(&edges, 2, 2),
            "a centre on the diagonal, a right edge, is not"
        );
        assert!(!covered(&edges, 4, 0), "nor the end of the top edge");
    }
}
