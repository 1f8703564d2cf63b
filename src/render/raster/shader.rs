//! Shading of a batch: interpolated inputs into a program, its output to the buffers. Queue and tracing stand on it.

use super::batch::{BATCH, Batch, Quad};
use super::buffers::TileBuffers;
use super::interpolate::{self, Depth, Source};
use super::samples::{self, ShadedBatch};
use super::scene::{FragmentMode, RasterDraw, TileScene};
use super::setup::{Interpolants, TriangleSetup};
use super::unit::RasterUnit;
use super::write::{KilledLate, LateDepth, blend, replace, replace_late, stored};
use crate::shading::{FragmentInputs, FragmentOutput, FragmentProgram};
use azulejo_math::PixelRect;
use azulejo_simd::{Lanes, each};

/// State kept from batch to batch.
pub(super) struct Shader<L: Lanes> {
    pub(super) lanes: L,
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

/// Makes sure that a triangle's varyings are there; returns its draw.
#[inline(always)]
pub(super) fn prepare<P>(unit: &mut RasterUnit, scene: &TileScene<'_, P>, setup: u32) -> u32 {
    let setup = &mut unit.setups[setup as usize];
    if setup.interpolants.is_none() {
        setup.interpolants = Some(store_varyings(scene, setup, &mut unit.interpolants));
    }
    scene.chunks[setup.chunk as usize].draw
}

/// Pixels of a block that nothing after this number in the queue replaces.
#[inline(always)]
pub(super) fn visible<L: Lanes>(l: L, buffers: &TileBuffers, block: u16, number: u32) -> u16 {
    let owners = l.load_i(bytemuck::cast_ref(&buffers.owner[usize::from(block)]));
    !l.mask_bits(l.lt_i(l.i(number.cast_signed()), owners)) as u16
}

/// Stores the varyings of a triangle's corners for interpolation.
fn store_varyings<P>(
    scene: &TileScene<'_, P>,
    setup: &TriangleSetup,
    to: &mut Interpolants,
) -> u32 {
    let chunk = &scene.chunks[setup.chunk as usize];
    let draw = &scene.draws[chunk.draw as usize];
    let [v0, v1, v2] = setup.triangle.vertices;
    let of = |vertex| chunk.varyings(draw.vertices, draw.n_varyings, vertex);
    to.push([of(v0), of(v1), of(v2)])
}

/// Runs the program of `draw` on the batch; returns what it says, and the depth.
#[inline(always)]
pub(super) fn run_program<L: Lanes, P: FragmentProgram>(
    shader: &mut Shader<L>,
    unit: &RasterUnit,
    draw: &RasterDraw<'_, P>,
    tile: PixelRect,
    batch: &Batch<'_>,
) -> (FragmentOutput<L>, L::F) {
    let depth = interpolate(shader, unit, draw, tile, batch);
    (draw.program.shade(shader.lanes, &shader.inputs), depth.z)
}

/// Puts the inputs of the batch's fragments into the shader; returns their depth.
#[inline(always)]
pub(super) fn interpolate<L: Lanes, P>(
    shader: &mut Shader<L>,
    unit: &RasterUnit,
    draw: &RasterDraw<'_, P>,
    tile: PixelRect,
    batch: &Batch<'_>,
) -> Depth<L> {
    let source = Source {
        interpolants: &unit.interpolants,
        tile,
        blocks_wide: unit.buffers.blocks_wide(),
        n_varyings: draw.n_varyings,
    };
    let setup = |quad: &Quad| &unit.setups[quad.setup as usize];
    let (l, inputs) = (shader.lanes, &mut shader.inputs);
    match batch {
        Batch::Block { block, .. } => {
            let setup = &unit.setups[block.setup as usize];
            interpolate::in_block(l, inputs, setup, block.block, source)
        }
        Batch::Quads(batch) => {
            // Empty places repeat the first quad, so that their lanes compute something harmless.
            let quads: [Quad; BATCH] =
                std::array::from_fn(|k| batch.quads[if k < batch.len { k } else { 0 }]);
            let [a, b, c, d] = &quads;
            let setups = [setup(a), setup(b), setup(c), setup(d)];
            interpolate::in_quads(l, inputs, setups, &quads, source)
        }
    }
}

/// Writes the output of `draw`'s program for the batch, at this depth, to the buffers.
#[inline(always)]
pub(super) fn write_batch<L: Lanes, P>(
    shader: &mut Shader<L>,
    unit: &mut RasterUnit,
    draw: &RasterDraw<'_, P>,
    tile: PixelRect,
    batch: &Batch<'_>,
    (output, depth): (&FragmentOutput<L>, L::F),
) {
    let l = shader.lanes;
    if let Some(backend) = unit.samples.backend {
        let shaded = ShadedBatch {
            batch,
            rgba: each!(4, k => stored(l, output.rgba[k])),
            keep: l.mask_bits(output.keep),
            mode: draw.mode,
            depth: draw.mode.depth(draw.depth),
            tile,
        };
        shader.killed.add(samples::write(backend, unit, &shaded));
        return;
    }
    match draw.mode {
        FragmentMode::Opaque => replace(l, &mut unit.buffers, batch, output),
        FragmentMode::Masked => {
            let killed = &mut shader.killed;
            let late = LateDepth::new(depth, draw);
            replace_late(l, &mut unit.buffers, batch, output, &late, killed);
        }
        FragmentMode::Blended => blend(l, &mut unit.buffers, batch, output),
    }
}
