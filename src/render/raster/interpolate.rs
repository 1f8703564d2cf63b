//! Interpolation: from a triangle's planes and corner values to position, depth and varyings of sixteen lanes.
//!
//! Perspective-correct barycentric coordinates (Vulkan 1.3, 28.12.2). A block of one triangle takes everything by
//! broadcast; quads of several triangles take a row each. Both compute the same expressions, so it does not show which of
//! them ran.

use super::batch::{BATCH, Quad};
use super::buffers::column_and_row;
use super::setup::{Interpolants, LANE_X, LANE_Y, TriangleSetup};
use crate::shading::FragmentInputs;
use azulejo_math::PixelRect;
use azulejo_simd::{LANES, Lanes, each};

/// Source of blocks and varyings.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Varyings of the tile's triangles.
    pub(super) interpolants: &'a Interpolants,
    /// The tile's first pixel.
    pub(super) tile: PixelRect,
    /// Blocks in a row of the tile.
    pub(super) blocks_wide: u32,
    /// Varyings of each vertex, in floats.
    pub(super) n_varyings: usize,
}

/// Numbers of [`super::setup::Planes`] by lane.
struct Planes<L: Lanes> {
    corner_b1: [L::F; 4],
    b2_w01: [L::F; 4],
    w2_depth: [L::F; 4],
}

/// Shares of corners 1 and 2, and the fragment's place beside x and y.
struct Weights<L: Lanes> {
    corner: [L::F; 2],
    depth: Depth<L>,
}

/// Third and fourth component of fragments' positions.
#[derive(Clone, Copy)]
pub(super) struct Depth<L: Lanes> {
    pub(super) z: L::F,
    /// 1/w of clip space.
    pub(super) inv_w: L::F,
}

impl<L: Lanes> Planes<L> {
    #[inline(always)]
    fn weights(&self, l: L, [x_px, y_px]: [L::F; 2]) -> Weights<L> {
        let [x0, y0, b1_dx, b1_dy] = self.corner_b1;
        let [b2_dx, b2_dy, w0, w1] = self.b2_w01;
        let [w2, z0, z_dx, z_dy] = self.w2_depth;
        let (dx, dy) = (x_px - x0, y_px - y0);
        // As in the early depth test, term by term, so that both see one depth.
        let z = l.mul_add(z_dx, dx, l.mul_add(z_dy, dy, z0));
        let b1 = l.mul_add(b1_dx, dx, b1_dy * dy);
        let b2 = l.mul_add(b2_dx, dx, b2_dy * dy);
        let b0 = l.f(1.0) - b1 - b2;
        let (p1, p2) = (b1 * w1, b2 * w2);
        let inv_w = l.mul_add(b0, w0, p1 + p2);
        let w = l.f(1.0) / inv_w;
        Weights {
            corner: [p1 * w, p2 * w],
            depth: Depth { z, inv_w },
        }
    }
}

/// Broadcast of four numbers to all lanes.
#[inline(always)]
fn splat<L: Lanes>(l: L, row: &[f32; 4]) -> [L::F; 4] {
    [l.f(row[0]), l.f(row[1]), l.f(row[2]), l.f(row[3])]
}

/// Interpolates in a whole block of one triangle; returns the depth.
#[inline(always)]
pub(super) fn in_block<L: Lanes>(
    l: L,
    inputs: &mut FragmentInputs<L>,
    setup: &TriangleSetup,
    block: u16,
    source: Source<'_>,
) -> Depth<L> {
    let [x_px, y_px] = block_centres(l, source.tile, block, source.blocks_wide);
    let planes = Planes::<L> {
        corner_b1: splat(l, &setup.planes.corner_b1),
        b2_w01: splat(l, &setup.planes.b2_w01),
        w2_depth: splat(l, &setup.planes.w2_depth),
    };
    let Weights { corner, depth } = planes.weights(l, [x_px, y_px]);
    let n_groups = source.n_varyings.div_ceil(4);
    let first = setup.interpolants.unwrap_or_default();
    let varyings = inputs.varyings.chunks_exact_mut(4);
    for (group, to) in source.interpolants.groups(first, n_groups).zip(varyings) {
        for k in 0..4 {
            let [value, to_1, to_2] = [l.f(group[0][k]), l.f(group[1][k]), l.f(group[2][k])];
            to[k] = l.mul_add(to_2, corner[1], l.mul_add(to_1, corner[0], value));
        }
    }
    let front = setup.triangle.front_facing;
    inputs.front_facing = l.mask(if front { 0xffff } else { 0 });
    inputs.position_px = [x_px, y_px];
    depth
}

/// Centres of the pixels of a block, screen space, pixels.
#[inline(always)]
pub(super) fn block_centres<L: Lanes>(
    l: L,
    tile: PixelRect,
    block: u16,
    blocks_wide: u32,
) -> [L::F; 2] {
    let (x, y) = quad_origin(block * 4, blocks_wide);
    let centre = |pixel: i32| l.f(pixel as f32 + 0.5);
    [
        centre(tile.x0 + x) + l.to_float(l.load_i(&LANE_X)),
        centre(tile.y0 + y) + l.to_float(l.load_i(&LANE_Y)),
    ]
}

/// Interpolates in four quads; returns the depth.
#[inline(always)]
pub(super) fn in_quads<L: Lanes>(
    l: L,
    inputs: &mut FragmentInputs<L>,
    setups: [&TriangleSetup; BATCH],
    quads: &[Quad; BATCH],
    source: Source<'_>,
) -> Depth<L> {
    let origin = |k: usize| {
        let (x, y) = quad_origin(quads[k].at, source.blocks_wide);
        [
            (source.tile.x0 + x) as f32 + 0.5,
            (source.tile.y0 + y) as f32 + 0.5,
            0.0,
            0.0,
        ]
    };
    let [quad_x, quad_y, ..] = l.quad_columns([&origin(0), &origin(1), &origin(2), &origin(3)]);
    let x_px = quad_x + l.load(&QUAD_LANE_X);
    let y_px = quad_y + l.load(&QUAD_LANE_Y);

    let [p0, p1, p2, p3] = each!(4, k => &setups[k].planes);
    let planes = Planes::<L> {
        corner_b1: l.quad_columns([&p0.corner_b1, &p1.corner_b1, &p2.corner_b1, &p3.corner_b1]),
        b2_w01: l.quad_columns([&p0.b2_w01, &p1.b2_w01, &p2.b2_w01, &p3.b2_w01]),
        w2_depth: l.quad_columns([&p0.w2_depth, &p1.w2_depth, &p2.w2_depth, &p3.w2_depth]),
    };
    let Weights { corner, depth } = planes.weights(l, [x_px, y_px]);
    let varyings = &mut inputs.varyings;
    let first = |k: usize| setups[k].interpolants.unwrap_or_default();
    let firsts = [first(0), first(1), first(2), first(3)];
    for group in 0..source.n_varyings.div_ceil(4) {
        let at = |k: usize, row: usize| source.interpolants.row(firsts[k], group, row);
        let row = |row: usize| [at(0, row), at(1, row), at(2, row), at(3, row)];
        let values = l.quad_columns(row(0));
        let to_1 = l.quad_columns(row(1));
        let to_2 = l.quad_columns(row(2));
        for k in 0..4 {
            varyings[group * 4 + k] =
                l.mul_add(to_2[k], corner[1], l.mul_add(to_1[k], corner[0], values[k]));
        }
    }
    let front = (0..BATCH).fold(0, |bits, k| {
        bits | if setups[k].triangle.front_facing {
            0xf << (4 * k)
        } else {
            0
        }
    });
    inputs.front_facing = l.mask(front);
    inputs.position_px = [x_px, y_px];
    depth
}

/// Column of each lane in its quad.
pub(super) const QUAD_LANE_X: [f32; LANES] = [
    0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0,
];
/// Row of each lane in its quad.
pub(super) const QUAD_LANE_Y: [f32; LANES] = [
    0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0,
];

/// First pixel of a quad in its tile.
#[inline(always)]
pub(super) fn quad_origin(at: u16, blocks_wide: u32) -> (i32, i32) {
    let (block, quad) = (u32::from(at / 4), u32::from(at % 4));
    let [block_x, block_y] = column_and_row(block, blocks_wide);
    (
        (block_x * 4 + (quad & 1) * 2).cast_signed(),
        (block_y * 4 + (quad >> 1) * 2).cast_signed(),
    )
}
