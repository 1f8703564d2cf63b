//! Triangles of a cut polygon: the fan, and the first corner of each triangle, with the least rounding in the lanes.
//!
//! Lanes take shares of corners from the distance to the first one, in single precision. A thin triangle across the guard
//! band has steep shares, and a product of 16,384 pixels with a steep gradient loses pixels of the place. All triangles of
//! the polygon lie in one plane, so any fan shows it: the one that loses least is taken.

use super::screen_vertex::ScreenVertex;
use super::viewport::Viewport;
use azulejo_math::SUBPIXELS;

/// Corners of the triangles of a convex polygon on the screen.
#[must_use]
pub(super) fn triangles(polygon: &[ScreenVertex], viewport: &Viewport) -> Vec<[usize; 3]> {
    let of_apex = |apex: usize| {
        let turned = (1..polygon.len().max(2) - 1).map(|nth| {
            let corners = [0, nth, nth + 1].map(|at| (apex + at) % polygon.len());
            first_corner(corners, polygon, viewport)
        });
        let worst = turned.clone().map(|(loss, _)| loss).fold(0.0, f64::max);
        (worst, turned.map(|(_, corners)| corners).collect())
    };
    let fans = (0..polygon.len()).map(of_apex);
    let least = fans.min_by(|a, b| a.0.total_cmp(&b.0));
    least.map_or_else(Vec::new, |(_, fan)| fan)
}

/// The triangle turned so that it loses least, and its loss.
fn first_corner(
    [a, b, c]: [usize; 3],
    polygon: &[ScreenVertex],
    viewport: &Viewport,
) -> (f64, [usize; 3]) {
    let turns = [[a, b, c], [b, c, a], [c, a, b]];
    let losses = turns.map(|turn| (loss(turn.map(|at| &polygon[at]), viewport), turn));
    let [first, second, third] = losses;
    [second, third].into_iter().fold(
        first,
        |least, turn| {
            if turn.0 < least.0 { turn } else { least }
        },
    )
}

/// Largest rounding of 1/w on the screen, in units of the last place, as a share of the smallest 1/w; 0 where nothing of
/// the triangle is on the screen.
fn loss(corners: [&ScreenVertex; 3], viewport: &Viewport) -> f64 {
    let px = |at: i32| f64::from(at) / f64::from(SUBPIXELS);
    let [xs, ys] = [
        corners.map(|corner| px(corner.x.0)),
        corners.map(|corner| px(corner.y.0)),
    ];
    let [left, top] = viewport.origin;
    let (dx, dy) = (way(xs, left, viewport.width), way(ys, top, viewport.height));
    let ([x1, x2], [y1, y2]) = (
        [xs[1] - xs[0], xs[2] - xs[0]],
        [ys[1] - ys[0], ys[2] - ys[0]],
    );
    let area = (x1 * y2 - x2 * y1).abs();
    let (Some(dx), Some(dy)) = (dx, dy) else {
        return 0.0;
    };
    if area == 0.0 {
        return 0.0;
    }
    let share = |x: f64, y: f64| (y.abs() * dx + x.abs() * dy) / area;
    let (share_1, share_2) = (share(x2, y2), share(x1, y1));
    let [w0, w1, w2] = corners.map(|corner| f64::from(corner.inv_w));
    let sum = w0 * (1.0 + share_1 + share_2) + w1 * share_1 + w2 * share_2;
    sum / w0.min(w1).min(w2)
}

/// Longest way along an axis from the first corner to a part of the triangle's bounds on the screen, pixels.
fn way([first, second, third]: [f64; 3], origin: f32, extent: f32) -> Option<f64> {
    let (start, end) = (f64::from(origin), f64::from(origin) + f64::from(extent));
    let low = first.min(second).min(third).max(start);
    let high = first.max(second).max(third).min(end);
    (low <= high).then(|| (first - low).abs().max((first - high).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_math::Subpixel;

    const VIEWPORT: Viewport = Viewport::of_screen(64, 64);

    fn corners(px: &[[i32; 2]]) -> Vec<ScreenVertex> {
        let corner = |[x, y]: &[i32; 2]| ScreenVertex {
            x: Subpixel(x * SUBPIXELS),
            y: Subpixel(y * SUBPIXELS),
            z: 0.5,
            inv_w: 1.0,
        };
        px.iter().map(corner).collect()
    }

    #[test]
    fn fan_covers_the_polygon_once() {
        let polygon = corners(&[[0, 0], [40, -5], [60, 20], [50, 50], [-10, 30]]);
        let area = |at: [usize; 3]| {
            let [a, b, c] = at.map(|at| &polygon[at]);
            let side = |v: &ScreenVertex| (i64::from(v.x.0 - a.x.0), i64::from(v.y.0 - a.y.0));
            let ((bx, by), (cx, cy)) = (side(b), side(c));
            bx * cy - cx * by
        };
        let fan = triangles(&polygon, &VIEWPORT);
        assert_eq!(fan.len(), 3, "two fewer than corners");
        assert!(fan.iter().all(|&at| area(at) > 0), "all turn one way");
        let whole: i64 = (1..4).map(|nth| area([0, nth, nth + 1])).sum();
        assert_eq!(fan.iter().map(|&at| area(at)).sum::<i64>(), whole, "area");
    }

    #[test]
    fn fan_avoids_a_thin_triangle_across_the_screen() {
        // Triangles of the first corner are one pixel high and 20,000 long, and the rest.
        let polygon = corners(&[[-10_000, 9], [0, 8], [10_000, 9], [0, 10_000]]);
        let fan = triangles(&polygon, &VIEWPORT);
        let is_thin = |at: &&[usize; 3]| !at.contains(&3);
        assert_eq!(fan.iter().find(is_thin), None, "{fan:?}");
    }

    #[test]
    fn fan_of_less_than_a_triangle_is_empty() {
        for n in 0..=2 {
            let polygon = corners(&[[0, 0], [9, 9]][..n]);
            assert!(triangles(&polygon, &VIEWPORT).is_empty(), "{n} corners");
        }
    }
}
