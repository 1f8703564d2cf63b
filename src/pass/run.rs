//! A draw's triangles of one tile on their way: quads that wait for the fragment program, and the tests of their samples.

use azulejo_math::PixelRect;
use azulejo_render::geometry::Chunk;
use azulejo_render::raster::Planes;
use azulejo_render::tiling::TileLists;
use azulejo_shader::{Batch, Runner};
use azulejo_simd::Backend;
use azulejo_trace::QuadIdx;

use crate::attach::Targets;
use crate::bind::Bound;
use crate::fixed::DepthStencil;
use crate::observe::DrawFacts;
use crate::pass::{PassDraw, ViewportRect};
use crate::texel::TexelFormat;
use crate::tile::{Tile, steps};
use crate::vertex::Geometry;

/// A triangle's planes and values at its corners.
#[derive(Debug)]
pub(crate) struct Setup<'t> {
    pub(crate) planes: Planes,
    pub(crate) varyings: [&'t [f32]; 3],
    pub(crate) flats: &'t [u32],
    pub(crate) front: bool,
    pub(crate) primitive: u32,
}

/// Four pixels of a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quad {
    /// Position of its triangle in the run's setups.
    pub(crate) setup: u32,
    /// Column and row of its first pixel.
    pub(crate) at: [i32; 2],
    /// Covered pixels by sample, bit `2 y + x`.
    pub(crate) covered: [u8; 4],
    /// Depths by sample and pixel.
    pub(crate) depths: [[f32; 4]; 4],
    /// Its number in the tile's trace, by sample where the program runs once a sample.
    pub(crate) names: [Option<QuadIdx>; 4],
}

impl Quad {
    /// Column and row of a pixel of it.
    pub(crate) const fn pixel(&self, pixel: usize) -> [i32; 2] {
        [self.at[0] + pixel as i32 % 2, self.at[1] + pixel as i32 / 2]
    }

    pub(crate) fn pixels(&self) -> u8 {
        self.covered.iter().fold(0, |all, covered| all | covered)
    }
}

/// A draw after its vertex stage.
#[derive(Debug)]
pub(crate) struct Prepared<'p> {
    pub(crate) draw: &'p PassDraw<'p>,
    pub(crate) geometry: Geometry,
    pub(crate) viewport: ViewportRect,
    /// Resources of the vertex program.
    pub(crate) vertex: Bound,
    /// Resources of the fragment program.
    pub(crate) fragment: Option<Bound>,
    /// Pixels that it may change.
    pub(crate) within: PixelRect,
}

/// A pass after tiling.
#[derive(Debug)]
pub(crate) struct Binned<'p> {
    pub(crate) draws: Vec<Prepared<'p>>,
    pub(crate) chunks: Vec<Chunk>,
    /// Number of each chunk's first primitive in its draw, and of each triangle's primitive from there.
    pub(crate) primitives: Vec<Vec<u32>>,
    /// Number of each chunk's first triangle in the pass.
    pub(crate) first_triangles: Vec<u32>,
    pub(crate) lists: TileLists,
}

/// Counts of a tile, or of a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FragmentCounts {
    pub(crate) quads: u64,
    pub(crate) invocations: u64,
    pub(crate) samples_written: u64,
}

impl std::ops::AddAssign for FragmentCounts {
    fn add_assign(&mut self, other: Self) {
        self.quads += other.quads;
        self.invocations += other.invocations;
        self.samples_written += other.samples_written;
    }
}

/// One draw's triangles of one tile.
pub(crate) struct DrawRun<'t, 'p> {
    pub(crate) prepared: &'t Prepared<'p>,
    pub(crate) targets: &'t Targets,
    pub(crate) tile: &'t mut Tile,
    pub(crate) backend: Backend,
    /// Fragment program with a batch of its own; none if there is no program.
    pub(crate) program: Option<(&'t Runner<'t>, Batch)>,
    pub(crate) setups: Vec<Setup<'t>>,
    pub(crate) quads: Vec<Quad>,
    pub(crate) counts: FragmentCounts,
    /// Facts for a trace, if one is wanted.
    pub(crate) facts: Option<DrawFacts<'t>>,
}

impl DrawRun<'_, '_> {
    pub(crate) fn depth_format(&self) -> Option<TexelFormat> {
        self.targets.depth_stencil.map(|target| target.view.format)
    }

    /// Tests the samples of a quad, and drops those that fail.
    pub(crate) fn test(&mut self, quad: &mut Quad) {
        let draw = self.prepared.draw;
        let (Some(state), Some(format)) = (&draw.pipeline.spec.depth_stencil, self.depth_format())
        else {
            return;
        };
        let test = DepthStencil {
            state,
            reference: draw.stencil_reference,
            is_front: self.setups[quad.setup as usize].front,
        };
        let (mut no_depth, mut no_stencil) = (0.0, 0);
        for sample in 0..self.tile.samples {
            for pixel in 0..4 {
                if quad.covered[sample] >> pixel & 1 == 0 {
                    continue;
                }
                let [x, y] = quad.pixel(pixel);
                let at = self.tile.at(x, y, sample);
                let depth = self.tile.depth.get_mut(at).unwrap_or(&mut no_depth);
                let stencil = self.tile.stencil.get_mut(at).unwrap_or(&mut no_stencil);
                let z = steps(format, quad.depths[sample][pixel]);
                if !test.test(z, depth, stencil) {
                    quad.covered[sample] &= !(1 << pixel);
                }
            }
        }
    }
}
