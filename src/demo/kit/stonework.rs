//! Round towers and castle walls as painters of sprites build them: drums of masonry, merlons, pointed roofs, lit windows.

use glam::{Vec2, Vec3, vec2};

use super::paint::{Canvas, Cushion, rgb};
use super::pattern::{masonry, shingles};
use super::shape::{circle, rounded_box};

/// Round stonework between two heights, `half` wide below and `top` wide above.
pub(crate) fn drum(canvas: &mut Canvas, upper: f32, lower: f32, top: f32, half: f32, color: Vec3) {
    let shape = move |p: Vec2| {
        let t = ((p.y - upper) / (lower - upper)).clamp(0.0, 1.0);
        let wide = top + (half - top) * t;
        let foot = lower - 0.12 * wide * (p.x / wide).powi(2);
        (p.x.abs() - wide).max(p.y - foot).max(upper - p.y)
    };
    let tone = move |p: Vec2| {
        // Courses bend around the drum.
        let bent = vec2(p.x, p.y + 0.12 * half * (p.x / half).powi(2));
        color * masonry(bent, vec2(0.2, 0.12)) * (1.0 - 0.3 * (p.x / half + 0.3).max(0.0))
    };
    let look = Cushion {
        bevel: 0.3 * half,
        gloss: 0.0,
        outline: 0.028,
        ..Cushion::DULL
    };
    canvas.cushion(shape, tone, look);
}

/// Merlons on a wall's upper edge.
pub(crate) fn merlons(canvas: &mut Canvas, y: f32, half: f32, n: u32, color: Vec3) {
    for k in 0..n {
        let x = half * (2.0 * (k as f32 + 0.5) / n as f32 - 1.0);
        let wide = half / n as f32 * 0.68;
        let bow = 0.08 * half * (1.0 - (x / half).powi(2));
        let shape = move |p: Vec2| rounded_box(p - vec2(x, y + bow), vec2(wide, 0.08), 0.02);
        let tone = color * (1.05 - 0.25 * (x / half + 0.3).max(0.0));
        let look = Cushion {
            bevel: 0.05,
            outline: 0.024,
            ..Cushion::DULL
        };
        canvas.cushion(shape, move |_| tone, look);
    }
}

/// A pointed roof of shingles with its eaves at `y`.
pub(crate) fn spire(canvas: &mut Canvas, x: f32, y: f32, half: f32, height: f32, color: Vec3) {
    let shape = move |p: Vec2| {
        let q = p - vec2(x, y);
        let t = (-q.y / height).clamp(0.0, 1.0);
        // A little hollow, as tents hang.
        let wide = half * (1.0 - t) * (1.0 - 0.28 * t);
        let eaves = 0.16 * half * (1.0 - (q.x / half).powi(2));
        ((q.x.abs() - wide) * 0.8)
            .max(q.y - eaves)
            .max(-q.y - height)
    };
    let tone = move |p: Vec2| {
        let q = p - vec2(x, y);
        let bent = vec2(q.x, q.y + 0.16 * half * (q.x / half).powi(2));
        color * shingles(bent, vec2(0.13, 0.11)) * (1.04 - 0.4 * (q.x / half + 0.1).max(0.0))
    };
    let look = Cushion {
        bevel: 0.16,
        outline: 0.028,
        gloss: 0.05,
        ..Cushion::DULL
    };
    canvas.cushion(shape, tone, look);
    let knob = move |p: Vec2| circle(p - vec2(x, y - height), 0.035 + 0.05 * half);
    canvas.cushion(knob, |_| rgb(0x00ff_d24a), Cushion::PAINTED.scaled(0.4));
}

/// A narrow window, lit from within.
pub(crate) fn slit(canvas: &mut Canvas, at: Vec2) {
    let shape = move |p: Vec2| rounded_box(p - at, vec2(0.032, 0.075), 0.032);
    canvas.flat(move |p| shape(p) - 0.018, rgb(0x0060_5a5c));
    canvas.fill(shape, |_| rgb(0x00ff_d070).extend(1.0));
}
