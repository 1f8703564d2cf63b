//! Programs that bring their own list of instructions, with branches and loops, and execute it themselves. Their fragments
//! come in batches of sixteen quads, as an interpreter wants them.
//!
//! `azulejo::shader` makes such programs of WGSL. The picture of one is the same bytes however its quads are put together.

use std::fmt;

use super::fragment::{FragmentInputs, FragmentOutput};
use crate::geometry::MAX_VARYINGS;
use azulejo_record::{ExecutedTexels, Tape};
use azulejo_simd::{Backend, LANES, Lanes, each};
use azulejo_trace::Region;

/// Blocks of sixteen fragments in a batch.
pub const CODE_BLOCKS: usize = 4;

/// A number of each fragment of a batch; quads of four lie together.
pub type CodeRow = [[f32; LANES]; CODE_BLOCKS];

/// Fragments of one draw, with what goes into its code and what comes out.
#[derive(Debug, Clone)]
pub struct CodeBatch {
    /// Interpolated floats, at the positions of the program's [`VaryingLayout`](super::VaryingLayout).
    pub varyings: [CodeRow; MAX_VARYINGS],
    /// Pixel centre on the screen, depth, and 1/w of clip space.
    pub position: [CodeRow; 4],
    /// Fragments of front faces, a bit each.
    pub front_facing: u64,
    /// Fragments that are drawn, a bit each; others of their quads are helpers.
    pub covered: u64,
    /// Scene-linear radiance and alpha (straight), to be filled in.
    pub rgba: [CodeRow; 4],
    /// Fragments that are not discarded, to be filled in.
    pub kept: u64,
}

impl Default for CodeBatch {
    fn default() -> Self {
        Self {
            varyings: [[[0.0; LANES]; CODE_BLOCKS]; MAX_VARYINGS],
            position: [[[0.0; LANES]; CODE_BLOCKS]; 4],
            front_facing: 0,
            covered: 0,
            rgba: [[[0.0; LANES]; CODE_BLOCKS]; 4],
            kept: 0,
        }
    }
}

/// Execution by one quad.
#[derive(Debug, Clone, Default)]
pub struct CodeQuad {
    /// Its [path](azulejo_trace::PathTable) through a program that branches.
    pub steps: Vec<u8>,
    /// Texels that its covered fragments fetched, by executed instruction.
    pub texels: ExecutedTexels,
}

/// Executions of a batch's quads.
pub type CodeQuads = [CodeQuad; CODE_BLOCKS * LANES / 4];

/// A fragment program as code that executes itself.
pub trait FragmentCode: fmt::Debug + Sync {
    /// Instructions, uniforms and digest, as of [`record`](super::record).
    fn tape(&self, tables: &[&[u32]]) -> Tape;

    /// Tree over the tape's instructions; empty for a straight program.
    fn regions(&self) -> &[Region];

    /// Whether fragments may be discarded.
    fn discards(&self) -> bool;

    /// Shades the batch; says what its quads executed if that is asked for.
    fn run(&self, backend: Backend, batch: &mut CodeBatch, quads: Option<&mut CodeQuads>);

    /// Reason why it gave up, if it did: nothing is drawn by it from then on.
    fn failure(&self) -> Option<String>;
}

impl CodeBatch {
    /// Puts sixteen fragments into a block: the first `n_varyings` floats, depth and 1/w, and which are drawn.
    #[inline(always)]
    pub(crate) fn put<L: Lanes>(
        &mut self,
        l: L,
        block: usize,
        (inputs, n_varyings): (&FragmentInputs<L>, usize),
        depth: [L::F; 2],
        covered: u32,
    ) {
        for (row, value) in self.varyings.iter_mut().zip(&inputs.varyings[..n_varyings]) {
            l.store(*value, &mut row[block]);
        }
        let [x, y] = inputs.position_px;
        for (row, value) in self.position.iter_mut().zip([x, y, depth[0], depth[1]]) {
            l.store(value, &mut row[block]);
        }
        set_bits(
            &mut self.front_facing,
            block,
            l.mask_bits(inputs.front_facing),
        );
        set_bits(&mut self.covered, block, covered);
    }

    /// Output of a block.
    #[inline(always)]
    pub(crate) fn output<L: Lanes>(&self, l: L, block: usize) -> FragmentOutput<L> {
        FragmentOutput {
            rgba: each!(4, k => l.load(&self.rgba[k][block])),
            keep: l.mask((self.kept >> (block * LANES)) as u32 & 0xffff),
        }
    }
}

/// The sixteen bits of a block.
fn set_bits(bits: &mut u64, block: usize, of_block: u32) {
    let place = block * LANES;
    *bits = *bits & !(0xffff << place) | u64::from(of_block & 0xffff) << place;
}

/// Shades sixteen fragments alone, at depth 0 and w 1.
#[inline(always)]
pub fn shade_by_code<L: Lanes>(
    (l, backend): (L, Backend),
    code: &dyn FragmentCode,
    inputs: &FragmentInputs<L>,
) -> FragmentOutput<L> {
    let mut batch = Box::<CodeBatch>::default();
    batch.put(l, 0, (inputs, MAX_VARYINGS), [l.f(0.0), l.f(1.0)], 0xffff);
    code.run(backend, &mut batch, None);
    batch.output(l, 0)
}
