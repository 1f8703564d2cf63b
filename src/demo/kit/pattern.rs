//! Tones of built surfaces, to multiply a painter's colour with: blocks of stone, planks, shingles. About 1, darker in joints.

use glam::{Vec2, vec2};

use crate::procedural::{random, smooth_step};

/// Courses of stone blocks, each `block` wide and high, every second course shifted by half a block.
#[must_use]
pub(crate) fn masonry(p: Vec2, block: Vec2) -> f32 {
    let row = (p.y / block.y).floor();
    let q = vec2(p.x / block.x + 0.5 * row.rem_euclid(2.0), p.y / block.y);
    let cell = q.floor();
    let t = q - cell;
    let to_edge = t.min(1.0 - t) * block / block.y;
    let joint = smooth_step(0.03, 0.14, to_edge.min_element());
    let own = random(cell.x as i32, cell.y as i32, 3);
    // The upper edge of a block catches light.
    let lit = 0.08 * smooth_step(0.4, 0.15, t.y);
    (0.6 + 0.4 * joint) * (0.9 + 0.18 * own + lit)
}

/// Upright planks of a width, with grain.
#[must_use]
pub(crate) fn planks(p: Vec2, width: f32) -> f32 {
    let x = p.x / width;
    let t = x - x.floor();
    let own = random(x.floor() as i32, 5, 9);
    let grain = (t * 17.0 + 9.0 * own + 0.6 * (p.y / width * 1.3 + 7.0 * own).sin()).sin();
    let joint = smooth_step(0.0, 0.14, t.min(1.0 - t));
    (0.62 + 0.38 * joint) * (0.9 + 0.16 * own + 0.05 * grain)
}

/// Rows of round shingles, each `size` wide and high.
#[must_use]
pub(crate) fn shingles(p: Vec2, size: Vec2) -> f32 {
    let row = (p.y / size.y).floor();
    let q = vec2(p.x / size.x + 0.5 * row.rem_euclid(2.0), p.y / size.y);
    let cell = q.floor();
    let t = q - cell;
    let own = random(cell.x as i32, cell.y as i32, 7);
    // The lower edge is an arc; below it lies the shadow on the next row.
    let arc = 0.62 + 0.36 * (1.0 - (2.0 * t.x - 1.0).powi(2)).max(0.0).sqrt();
    let edge = smooth_step(0.0, 0.12, arc - t.y);
    (0.66 + 0.34 * edge) * (0.9 + 0.16 * own - 0.12 * t.y)
}
