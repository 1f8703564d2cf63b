//! Edge functions of a triangle in exact integers.
//!
//! For an edge from a to b, E(p) = (b - a) x (p - a) is positive on the inside. A pixel centre is covered if every E is
//! positive, or zero on a top or left edge (Vulkan 1.3, 28.12.1); subtracting 1 from the others makes that E >= 0.
//!
//! Centres are 256 sub-pixels apart, so E changes from pixel to pixel by multiples of 256 and the sign of E is that of
//! E >> 8: a value that steps by `a` a column and `b` a row.

use crate::grid::{FOUR_OFFSETS, SampleCount};
use crate::math::{PixelRect, SUBPIXEL_BITS, Subpixel};
use crate::render::geometry::ScreenVertex;

/// Three edge functions: E >> 8 at the centre of pixel (x, y), or at the same sample of all pixels, is `a * x + b * y + c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::render) struct Edges {
    /// Step from a column to the next.
    pub(in crate::render) a: [i32; 3],
    /// Step from a row to the next.
    pub(in crate::render) b: [i32; 3],
    /// Value at pixel (0, 0).
    pub(in crate::render) c: [i64; 3],
}

impl Edges {
    /// Edge k runs from corner k to corner k + 1; the triangle's area must be positive.
    #[must_use]
    pub(in crate::render) fn new(corners: &[ScreenVertex; 3]) -> Self {
        let [centres] = Self::beside_centres(corners, [[0, 0]]);
        centres
    }

    /// The same functions at samples that lie this far from pixel centres, in sub-pixels; they differ in [`Self::c`].
    #[must_use]
    pub(in crate::render) fn beside_centres<const N: usize>(
        corners: &[ScreenVertex; 3],
        offsets: [[i32; 2]; N],
    ) -> [Self; N] {
        let mut edges = [Self {
            a: [0; 3],
            b: [0; 3],
            c: [0; 3],
        }; N];
        for k in 0..3 {
            let (from, to) = (&corners[k], &corners[(k + 1) % 3]);
            let (a, b) = (from.y.0 - to.y.0, to.x.0 - from.x.0);
            let top_left = a > 0 || (a == 0 && b > 0);
            let first = i64::from(Subpixel::pixel_centre(0).0);
            let at_first_centre = i64::from(a) * (first - i64::from(from.x.0))
                + i64::from(b) * (first - i64::from(from.y.0));
            for (edges, [dx, dy]) in edges.iter_mut().zip(offsets) {
                let step = i64::from(a) * i64::from(dx) + i64::from(b) * i64::from(dy);
                edges.a[k] = a;
                edges.b[k] = b;
                edges.c[k] = (at_first_centre + step - i64::from(!top_left)) >> SUBPIXEL_BITS;
            }
        }
        edges
    }

    /// At each pixel the largest value of any of its samples.
    #[must_use]
    pub(in crate::render) fn outermost(corners: &[ScreenVertex; 3], samples: SampleCount) -> Self {
        match samples {
            SampleCount::One => Self::new(corners),
            SampleCount::Four => {
                let [first, rest @ ..] = Self::beside_centres(corners, FOUR_OFFSETS);
                (rest.iter()).fold(first, |edges, other| edges.joined(other, i64::max))
            }
        }
    }

    /// The edges with that of each two constants which `choose` takes.
    #[must_use]
    pub(in crate::render) fn joined(self, other: &Self, choose: fn(i64, i64) -> i64) -> Self {
        let c = [0, 1, 2].map(|k: usize| choose(self.c[k], other.c[k]));
        Self { c, ..self }
    }

    /// Value of edge `k` at a pixel.
    #[must_use]
    pub(in crate::render) fn at(&self, k: usize, x: i32, y: i32) -> i64 {
        i64::from(self.a[k]) * i64::from(x) + i64::from(self.b[k]) * i64::from(y) + self.c[k]
    }

    /// Largest and smallest value of edge `k` over the pixels of a rectangle that is not empty.
    #[must_use]
    pub(in crate::render) fn range(&self, k: usize, rect: PixelRect) -> (i64, i64) {
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
    pub(in crate::render) fn exclude(&self, rect: PixelRect) -> bool {
        (0..3).any(|k| self.range(k, rect).0 < 0)
    }
}

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
