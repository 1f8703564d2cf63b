//! The fragment queue's end: quads are gathered four at a time, interpolated, shaded, and written to the colour buffer.
//!
//! Four quads fill the lanes; they may come from different triangles of the same draw, so small triangles fill the lanes
//! as well as large ones.

use super::buffers::TileBuffers;
use super::coverage::Quad;
use super::observe::quads;
use super::scene::{DepthUse, FragmentMode, RasterDraw, TileScene};
use super::setup::{Interpolants, TriangleSetup};
use super::unit::RasterUnit;
use crate::math::PixelRect;
use crate::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram};
use crate::simd::{LANES, LaneJob, Lanes, each};

/// Quads that run together.
const BATCH: usize = LANES / 4;

/// Up to four quads of one draw with visible pixels, with their numbers in the queue (from 1).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Batch {
    pub(super) draw: u32,
    len: usize,
    quads: [Quad; BATCH],
    numbers: [u32; BATCH],
}

/// Shades the quads of the unit's queue with these positions, in order.
pub(super) struct ShadeQuads<'a, P> {
    pub(super) unit: &'a mut RasterUnit,
    pub(super) scene: &'a TileScene<'a, P>,
    pub(super) tile: PixelRect,
    pub(super) quads: std::ops::Range<usize>,
}

/// What discard and the late depth test dropped.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KilledLate {
    /// Quads without survivors.
    pub(super) quads: u32,
    /// Fragments that discard or depth dropped.
    pub(super) fragments: u32,
    /// Lanes of the last batch that survived.
    pub(super) survivors: u32,
}

/// What is kept from batch to batch.
pub(super) struct Shader<L: Lanes> {
    lanes: L,
    /// Written anew for each batch, as far as its program reads them: clearing them would cost as much as a light.
    pub(super) inputs: FragmentInputs<L>,
    pub(super) killed: KilledLate,
}

impl<L: Lanes> Shader<L> {
    #[inline(always)]
    pub(super) fn new(lanes: L) -> Self {
        Self {
            lanes,
            inputs: FragmentInputs::zero(lanes),
            killed: KilledLate::default(),
        }
    }
}

impl<P: FragmentProgram> LaneJob for ShadeQuads<'_, P> {
    type Output = KilledLate;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> KilledLate {
        let Self {
            unit,
            scene,
            tile,
            quads,
        } = self;
        let mut shader = Shader::new(l);
        let mut batch = Batch::default();
        let mut next = quads.start;
        // One call of the shader in the source is one copy of it in the program.
        while batch.fill(l, unit, scene, &mut next, quads.end) {
            let draw = &scene.draws[batch.draw as usize];
            shade_batch(&mut shader, unit, draw, tile, &batch);
        }
        shader.killed
    }
}

impl Batch {
    /// A batch of one quad.
    #[inline(always)]
    pub(super) fn single<P>(
        unit: &mut RasterUnit,
        scene: &TileScene<'_, P>,
        quad: Quad,
        number: u32,
    ) -> Self {
        let draw = Self::prepare(unit, scene, &quad);
        let mut batch = Self {
            draw,
            ..Self::default()
        };
        batch.push(quad, number);
        batch
    }

    /// Makes sure that the quad's varyings are there; returns its draw.
    #[inline(always)]
    fn prepare<P>(unit: &mut RasterUnit, scene: &TileScene<'_, P>, quad: &Quad) -> u32 {
        let setup = &mut unit.setups[quad.setup as usize];
        if setup.interpolants.is_none() {
            setup.interpolants = Some(store_varyings(scene, setup, &mut unit.interpolants));
        }
        scene.chunks[setup.chunk as usize].draw
    }

    #[inline(always)]
    const fn push(&mut self, quad: Quad, number: u32) {
        self.quads[self.len] = quad;
        self.numbers[self.len] = number;
        self.len += 1;
    }

    /// Takes the next visible quads of one draw, from position `next` of the queue up to `end`; false if there are none.
    #[inline(always)]
    fn fill<L: Lanes, P>(
        &mut self,
        l: L,
        unit: &mut RasterUnit,
        scene: &TileScene<'_, P>,
        next: &mut usize,
        end: usize,
    ) -> bool {
        self.len = 0;
        while *next < end {
            let mut quad = unit.queue[*next];
            let number = *next as u32 + 1;
            quad.mask &= visible(l, &unit.buffers, quad.at, number);
            if quad.mask != 0 {
                let draw = scene.chunks[unit.setups[quad.setup as usize].chunk as usize].draw;
                if self.len == BATCH || (self.len > 0 && draw != self.draw) {
                    break;
                }
                self.draw = Self::prepare(unit, scene, &quad);
                self.push(quad, number);
            }
            *next += 1;
        }
        self.len > 0
    }
}

/// Pixels of a quad that no later quad replaces.
#[inline(always)]
pub(super) fn visible<L: Lanes>(l: L, buffers: &TileBuffers, at: u16, number: u32) -> u8 {
    let owners = l.load_i(bytemuck::cast_ref(&buffers.owner[usize::from(at / 4)]));
    let hidden = l.mask_bits(l.lt_i(l.i(number.cast_signed()), owners));
    !(hidden >> (at % 4 * 4)) as u8 & 0xf
}

/// Stores the varyings of a triangle's corners for interpolation.
fn store_varyings<P>(
    scene: &TileScene<'_, P>,
    setup: &TriangleSetup,
    to: &mut Interpolants,
) -> u32 {
    let chunk = &scene.chunks[setup.chunk as usize];
    let draw = &scene.draws[chunk.draw as usize];
    to.push(
        setup
            .triangle
            .vertices
            .map(|vertex| chunk.varyings(draw.vertices, draw.n_varyings, vertex)),
    )
}

/// Runs the program of `draw` on the batch and writes what it says to the buffers; also returns it.
#[inline(always)]
pub(super) fn shade_batch<L: Lanes, P: FragmentProgram>(
    shader: &mut Shader<L>,
    unit: &mut RasterUnit,
    draw: &RasterDraw<'_, P>,
    tile: PixelRect,
    batch: &Batch,
) -> FragmentOutput<L> {
    // Empty places repeat the first quad, so that their lanes compute something harmless.
    let quads: [Quad; BATCH] =
        std::array::from_fn(|k| batch.quads[if k < batch.len { k } else { 0 }]);
    let setup = |k: usize| &unit.setups[quads[k].setup as usize];
    let setups = [setup(0), setup(1), setup(2), setup(3)];
    let depth = interpolate(shader, unit, setups, &quads, tile, draw.n_varyings);
    let l = shader.lanes;
    let output = draw.program.shade(l, &shader.inputs);
    match draw.mode {
        FragmentMode::Opaque => replace(l, &mut unit.buffers, batch, &output),
        FragmentMode::Masked => {
            let killed = &mut shader.killed;
            let late = LateDepth::new(l, depth, draw);
            replace_late(l, &mut unit.buffers, batch, &output, &late, killed);
        }
        FragmentMode::Blended => blend(l, &mut unit.buffers, batch, &output),
    }
    output
}

/// Interpolates position, depth and varyings of four quads: perspective-correct barycentric coordinates
/// (Vulkan 1.3, 28.12.2).
#[inline(always)]
fn interpolate<L: Lanes>(
    shader: &mut Shader<L>,
    unit: &RasterUnit,
    setups: [&TriangleSetup; BATCH],
    quads: &[Quad; BATCH],
    tile: PixelRect,
    n_varyings: usize,
) -> L::F {
    let l = shader.lanes;
    let origin = |k: usize| {
        let (x, y) = quad_origin(quads[k].at, unit.buffers.blocks_wide());
        [
            (tile.x0 + x) as f32 + 0.5,
            (tile.y0 + y) as f32 + 0.5,
            0.0,
            0.0,
        ]
    };
    let [quad_x, quad_y, ..] = l.quad_columns([&origin(0), &origin(1), &origin(2), &origin(3)]);
    let x_px = quad_x + l.load(&QUAD_LANE_X);
    let y_px = quad_y + l.load(&QUAD_LANE_Y);

    let [p0, p1, p2, p3] = [0, 1, 2, 3].map(|k: usize| &setups[k].planes);
    let [x0, y0, b1_dx, b1_dy] =
        l.quad_columns([&p0.corner_b1, &p1.corner_b1, &p2.corner_b1, &p3.corner_b1]);
    let [b2_dx, b2_dy, w0, w1] = l.quad_columns([&p0.b2_w01, &p1.b2_w01, &p2.b2_w01, &p3.b2_w01]);
    let [w2, z0, z_dx, z_dy] =
        l.quad_columns([&p0.w2_depth, &p1.w2_depth, &p2.w2_depth, &p3.w2_depth]);
    let (dx, dy) = (x_px - x0, y_px - y0);
    // The same expression as in the early depth test, so that both see the same depth.
    let depth = l.mul_add(z_dx, dx, l.mul_add(z_dy, dy, z0));

    let b1 = l.mul_add(b1_dx, dx, b1_dy * dy);
    let b2 = l.mul_add(b2_dx, dx, b2_dy * dy);
    let b0 = l.f(1.0) - b1 - b2;
    let (p1, p2) = (b1 * w1, b2 * w2);
    let w = l.f(1.0) / l.mul_add(b0, w0, p1 + p2);
    let (l1, l2) = (p1 * w, p2 * w);

    let varyings = &mut shader.inputs.varyings;
    let first = |k: usize| setups[k].interpolants.unwrap_or_default();
    let firsts = [first(0), first(1), first(2), first(3)];
    for group in 0..n_varyings.div_ceil(4) {
        let at = |k: usize, row: usize| unit.interpolants.row(firsts[k], group, row);
        let row = |row: usize| [at(0, row), at(1, row), at(2, row), at(3, row)];
        let values = l.quad_columns(row(0));
        let to_1 = l.quad_columns(row(1));
        let to_2 = l.quad_columns(row(2));
        for k in 0..4 {
            varyings[group * 4 + k] = l.mul_add(to_2[k], l2, l.mul_add(to_1[k], l1, values[k]));
        }
    }
    let front = (0..BATCH).fold(0, |bits, k| {
        bits | if setups[k].triangle.front_facing {
            0xf << (4 * k)
        } else {
            0
        }
    });
    shader.inputs.front_facing = l.mask(front);
    shader.inputs.position_px = [x_px, y_px];
    depth
}

const QUAD_LANE_X: [f32; LANES] = [
    0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0,
];
const QUAD_LANE_Y: [f32; LANES] = [
    0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0,
];

/// First pixel of a quad in its tile.
#[inline(always)]
fn quad_origin(at: u16, blocks_wide: u32) -> (i32, i32) {
    let (block, quad) = (u32::from(at / 4), u32::from(at % 4));
    let (block_x, block_y) = (block % blocks_wide, block / blocks_wide);
    (
        (block_x * 4 + (quad & 1) * 2).cast_signed(),
        (block_y * 4 + (quad >> 1) * 2).cast_signed(),
    )
}

/// The batch's visible pixels: place in the buffers (block, lane), and lane of the batch.
#[inline(always)]
fn for_each_pixel(batch: &Batch, mut visit: impl FnMut(usize, usize, usize, u32)) {
    for k in 0..batch.len {
        let quad = batch.quads[k];
        let (block, first) = (usize::from(quad.at / 4), usize::from(quad.at % 4) * 4);
        for lane in 0..4 {
            if quad.mask & (1 << lane) != 0 {
                visit(block, first + lane, 4 * k + lane, batch.numbers[k]);
            }
        }
    }
}

impl Batch {
    /// The block whose four quads the batch is, lane for lane, with its visible pixels; the rule inside of large triangles.
    #[inline(always)]
    fn block(&self) -> Option<(usize, u32)> {
        let first = self.quads[0].at;
        let mut quads = (0_u16..).zip(&self.quads);
        let whole = self.len == BATCH && first.is_multiple_of(4);
        if !whole || !quads.all(|(k, quad)| quad.at == first + k) {
            return None;
        }
        let [a, b, c, d] = self.quads;
        let mask = u32::from_le_bytes([a.mask | b.mask << 4, c.mask | d.mask << 4, 0, 0]);
        Some((usize::from(first / 4), mask))
    }
}

/// Opaque pixels take the fragment's colour.
#[inline(always)]
fn replace<L: Lanes>(l: L, buffers: &mut TileBuffers, batch: &Batch, output: &FragmentOutput<L>) {
    let [r, g, b, _] = output.rgba;
    if let Some((block, mask)) = batch.block() {
        let mask = l.mask(mask);
        for (plane, value) in buffers.color.iter_mut().zip([r, g, b, l.f(1.0)]) {
            let under = l.load(&plane[block]);
            l.store(l.select(mask, value, under), &mut plane[block]);
        }
        return;
    }
    let (r, g, b) = (stored(l, r), stored(l, g), stored(l, b));
    for_each_pixel(batch, |block, pixel, lane, _| {
        set_opaque(buffers, block, pixel, [r[lane], g[lane], b[lane]]);
    });
}

#[inline(always)]
fn set_opaque(buffers: &mut TileBuffers, block: usize, pixel: usize, rgb: [f32; 3]) {
    for (plane, value) in buffers.color.iter_mut().zip([rgb[0], rgb[1], rgb[2], 1.0]) {
        plane[block][pixel] = value;
    }
}

/// The depth test after the fragment program.
struct LateDepth {
    /// By lane.
    depth: [f32; LANES],
    compare: bool,
    write: bool,
}

impl LateDepth {
    #[inline(always)]
    fn new<L: Lanes, P>(l: L, depth: L::F, draw: &RasterDraw<'_, P>) -> Self {
        let DepthUse { test, write } = draw.mode.depth(draw.depth);
        Self {
            depth: stored(l, depth),
            compare: test,
            write,
        }
    }
}

/// Fragments that the program keeps are tested against the depth buffer now, one after the other, and update it.
#[inline(always)]
fn replace_late<L: Lanes>(
    l: L,
    buffers: &mut TileBuffers,
    batch: &Batch,
    output: &FragmentOutput<L>,
    late: &LateDepth,
    killed: &mut KilledLate,
) {
    let [r, g, b, _] = output.rgba;
    let (r, g, b) = (stored(l, r), stored(l, g), stored(l, b));
    let z = &late.depth;
    let keep = l.mask_bits(output.keep);
    let (mut alive, mut shaded) = (0_u32, 0_u32);
    for_each_pixel(batch, |block, pixel, lane, number| {
        shaded |= 1 << lane;
        let passes = !late.compare || z[lane] <= buffers.depth[block][pixel];
        if keep & (1 << lane) != 0 && passes {
            alive |= 1 << lane;
            if late.write {
                buffers.depth[block][pixel] = z[lane];
            }
            buffers.owner[block][pixel] = number;
            set_opaque(buffers, block, pixel, [r[lane], g[lane], b[lane]]);
        }
    });
    killed.quads += quads(shaded).count_ones() - quads(alive).count_ones();
    killed.fragments += (shaded & !alive).count_ones();
    killed.survivors = alive;
}

/// Source-over in linear light on premultiplied colours (Porter and Duff, 1984), in program order.
#[inline(always)]
fn blend<L: Lanes>(l: L, buffers: &mut TileBuffers, batch: &Batch, output: &FragmentOutput<L>) {
    let alpha = l.min(l.max(output.rgba[3], l.f(0.0)), l.f(1.0));
    let [r, g, b, _] = output.rgba;
    let keep = l.f(1.0) - alpha;
    let sources = [r * alpha, g * alpha, b * alpha, alpha];
    if let Some((block, mask)) = batch.block() {
        let mask = l.mask(mask);
        for (plane, source) in buffers.color.iter_mut().zip(sources) {
            let under = l.load(&plane[block]);
            let mixed = under * keep + source;
            l.store(l.select(mask, mixed, under), &mut plane[block]);
        }
        return;
    }
    let keep = stored(l, keep);
    let sources = each!(4, k => stored(l, sources[k]));
    for_each_pixel(batch, |block, pixel, lane, _| {
        for (plane, source) in buffers.color.iter_mut().zip(&sources) {
            let under = &mut plane[block][pixel];
            *under = *under * keep[lane] + source[lane];
        }
    });
}

#[inline(always)]
pub(super) fn stored<L: Lanes>(l: L, lanes: L::F) -> [f32; LANES] {
    let mut values = [0.0; LANES];
    l.store(lanes, &mut values);
    values
}
