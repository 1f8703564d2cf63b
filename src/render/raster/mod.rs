//! Raster: one tile at a time, from its triangle list to its colour buffer.
//!
//! Depth first, colour after: all triangles of the tile pass coverage and early depth test before the first fragment is
//! shaded. By then it is known which triangle each pixel belongs to, and quads that later ones replace are not shaded. The
//! picture is that of shading in program order, because a replaced colour leaves no trace. Observers see the
//! machine's order of events, in which every quad that passes the early test is shaded.
//!
//! Triangles without perspective or light (sprites, panels, text) are shaded block by block with what all of their pixels
//! share (the `flat` module); where their texture is transparent all over a tile or block it is left out, and where it is
//! opaque it hides the layers under it. Blocks of unlit triangles with perspective are left out, and hide, likewise, by
//! bounds of what their samples read (the `sift` module). Triangles behind everything in the tile are not walked unless an
//! observer counts their quads.
//!
//! # The stages by hand
//!
//! [`Renderer`](crate::Renderer) runs all stages on all cores. To measure one of them, or to put them together in
//! another way, call them one by one; each leaves plain values for the next:
//!
//! ```
//! # mod azulejo { pub use azulejo_grid as grid; pub use azulejo_render as render; pub use azulejo_scene as scene; pub use azulejo_simd as simd; }
//! use azulejo::grid::{Binning, SampleCount, TileGrid, TileId};
//! use azulejo::render::geometry::{Assembly, Chunk, ShadedVertices, Viewport};
//! use azulejo::render::raster::observe::CountingObserver;
//! use azulejo::render::raster::{Kernels, RasterDraw, RasterUnit, TileScene};
//! use azulejo::render::tiling::{BinTest, BinnedChunk, TileLists, bin_chunk};
//! # use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
//! # use azulejo::render::{Draw, SimdLevel};
//! # use azulejo::scene::Primitive;
//! # use azulejo::simd::Lanes;
//! # use glam::Vec3;
//! # struct White;
//! # impl FragmentProgram for White {
//! #     fn varyings(&self) -> VaryingLayout {
//! #         VaryingLayout::default()
//! #     }
//! #     fn shade<L: Lanes>(&self, l: L, _: &FragmentInputs<L>) -> FragmentOutput<L> {
//! #         FragmentOutput { rgba: [l.f(1.0); 4], keep: l.mask(0xffff) }
//! #     }
//! # }
//! # let triangle = Primitive {
//! #     positions: [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].map(|[x, y]| Vec3::new(x, y, 0.5)).into(),
//! #     indices: vec![0, 1, 2],
//! #     ..Primitive::default()
//! # };
//! # let draw = Draw { double_sided: true, ..Draw::new(&triangle, White) };
//!
//! // `draw` has one triangle that covers the picture.
//! let grid = TileGrid { width: 64, height: 32, tile_size: 32 };
//! let viewport = Viewport::of_screen(64, 32);
//! let backend = SimdLevel::Auto.backend()?;
//!
//! let mut vertices = ShadedVertices::default();
//! vertices.shade(&draw.vertex_program(), &viewport, backend);
//!
//! let mut chunk = Chunk::default(); // the first 512 primitives, here all
//! chunk.assemble(&Assembly {
//!     mirrored: draw.mirrored(),
//!     ..draw.vertex_program().assembly(&vertices, viewport)
//! });
//!
//! let (mut binned, mut lists) = (BinnedChunk::default(), TileLists::default());
//! let test = BinTest { grid, binning: Binning::Exact, samples: SampleCount::One };
//! bin_chunk(&chunk, &vertices, test, &mut binned);
//! lists.fill(&grid, &[binned]);
//!
//! let draws = [RasterDraw {
//!     program: &draw.program,
//!     mode: draw.mode,
//!     depth: draw.depth,
//!     vertices: &vertices,
//!     n_varyings: 0,
//!     state: 0,
//!     texture_samples: 0,
//!     triangle_bytes: 48,
//! }];
//! let samples = SampleCount::One;
//! let scene = TileScene { grid, draws: &draws, chunks: &[chunk], lists: &lists, samples };
//! let (mut unit, mut observer) = (RasterUnit::default(), CountingObserver::default());
//! unit.draw_tile(Kernels::new().on(backend), &scene, TileId(1), &mut observer);
//! assert_eq!(observer.tile().raster.fragments_written, 32 * 32);
//! # Ok::<(), azulejo::simd::UnavailableLevel>(())
//! ```

mod batch;
mod block_row;
mod buffers;
mod coverage;
mod flat;
mod interpolate;
mod kernels;
pub mod observe;
mod run;
mod samples;
mod scene;
mod setup;
mod shade;
mod shader;
mod sift;
mod trace;
mod trace_observer;
mod unit;
mod waiting;
mod walk;
mod write;

pub use buffers::{PixelPlace, TileBuffers};
pub use coverage::Block;
pub use kernels::{BoundKernels, Kernels};
use observe::TileObserver;
use run::RasteriseRun;
use samples::RasteriseSamples;
pub use samples::SampleMasks;
#[doc(hidden)]
pub use samples::{Cover, CoveredBlock};
pub use scene::{DepthUse, FragmentMode, RasterDraw, TileScene};
#[doc(hidden)]
pub use setup::Planes;
use shade::ShadeQuads;
use sift::SiftBlocks;
use trace::{QuadObserver, TraceQuads, TraceRoom};
pub(crate) use trace_observer::{TraceObserver, TracedDraws};
pub use unit::RasterUnit;
use write::KilledLate;

use crate::shading::FragmentProgram;
use crate::tiling::TileEntry;
use azulejo_grid::{SampleCount, TileId};
use azulejo_math::PixelRect;
use azulejo_simd::{Backend, dispatch};

impl RasterUnit {
    /// Draws `tile` over transparency into [`RasterUnit::buffers`]; returns whether anything was drawn.
    pub fn draw_tile<P: FragmentProgram, O: TileObserver>(
        &mut self,
        bound: BoundKernels<P>,
        scene: &TileScene<'_, P>,
        tile: TileId,
        observer: &mut O,
    ) -> bool {
        let sampled = scene.samples == SampleCount::Four;
        self.clear(scene.grid.tile_size, sampled.then_some(bound.backend));
        if sampled || O::EVERY_QUAD {
            // Others than the owners are shaded too, or samples have colours of their own.
            self.end_opaque();
        }
        let rect = scene.grid.rect(tile);
        // Blocks queued from this number on have not been shaded.
        let mut pending = 0;
        for run in scene
            .lists
            .entries(tile)
            .chunk_by(|a, b| draw_of(scene, a) == draw_of(scene, b))
        {
            let draw_number = draw_of(scene, &run[0]);
            let draw = &scene.draws[draw_number as usize];
            if O::RECORDS {
                observer.begin_draw(
                    draw_number,
                    draw.texture_samples,
                    draw.mode == FragmentMode::Blended,
                );
            }
            if O::STEPS {
                self.step(bound, scene, rect, run, observer);
                pending = self.queue.len();
                continue;
            }
            let first = self.queue.len();
            if draw.mode != FragmentMode::Opaque {
                self.end_opaque();
            }
            self.rasterise(bound.backend, scene, rect, run, observer);
            if draw.mode == FragmentMode::Masked {
                // Later triangles need the depth that these fragments leave, so they cannot wait.
                let blocks = first..self.queue.len();
                let killed = self.shade(bound, scene, rect, blocks.clone(), observer);
                observer.killed_late(killed.quads, killed.fragments);
                self.queue[blocks]
                    .iter_mut()
                    .for_each(|block| block.mask = 0);
                if pending == first {
                    pending = self.queue.len();
                }
            }
        }
        self.shade(bound, scene, rect, pending..self.queue.len(), observer);
        self.resolve(observer);
        if O::RECORDS {
            observer.finished(&self.buffers);
        }
        !self.queue.is_empty()
    }

    /// Rasterises and shades triangles of one draw one after the other. Those of a program that may discard are tested
    /// early all together, as they always are.
    fn step<P: FragmentProgram, O: TileObserver>(
        &mut self,
        bound: BoundKernels<P>,
        scene: &TileScene<'_, P>,
        tile: PixelRect,
        run: &[TileEntry],
        observer: &mut O,
    ) {
        let late = scene.draws[draw_of(scene, &run[0]) as usize].mode == FragmentMode::Masked;
        let mut waiting = Vec::new();
        for triangle in run.chunks(1) {
            let first = self.queue.len();
            self.rasterise(bound.backend, scene, tile, triangle, observer);
            waiting.push(first..self.queue.len());
            if late && waiting.len() < run.len() {
                continue;
            }
            for blocks in waiting.drain(..) {
                let killed = self.shade(bound, scene, tile, blocks, observer);
                if late {
                    observer.killed_late(killed.quads, killed.fragments);
                }
                self.mean_samples();
                observer.stepped(&self.buffers);
            }
        }
    }

    /// The tile is done: pixels become the mean of their samples, if they have several.
    fn resolve<O: TileObserver>(&mut self, observer: &mut O) {
        if let Some(pixels) = self.mean_samples()
            && O::RECORDS
        {
            observer.resolved(pixels);
        }
    }

    /// Brings [`RasterUnit::buffers`] up to date with the samples, if there are several; returns how many pixels' samples
    /// differ.
    fn mean_samples(&mut self) -> Option<u32> {
        let backend = self.samples.backend?;
        Some(samples::resolve(backend, self))
    }

    /// Coverage and early depth test of consecutive triangles of one draw.
    fn rasterise<P: FragmentProgram, O: TileObserver>(
        &mut self,
        backend: Backend,
        scene: &TileScene<'_, P>,
        tile: PixelRect,
        run: &[TileEntry],
        observer: &mut O,
    ) {
        let draw = &scene.draws[draw_of(scene, &run[0]) as usize];
        let flat = draw.program.flat();
        let sampled = self.samples.backend.is_some();
        let sifted = (flat.as_ref()).filter(|surface| {
            draw.mode != FragmentMode::Opaque && surface.has_alphas() && !sampled && !O::EVERY_QUAD
        });
        let mut rest = run;
        loop {
            let job = RasteriseRun {
                unit: self,
                chunks: scene.chunks,
                vertices: draw.vertices,
                triangle_bytes: draw.triangle_bytes,
                n_varyings: draw.n_varyings,
                flat: flat.as_ref(),
                opaque: draw.mode == FragmentMode::Opaque,
                depth: draw.mode.depth(draw.depth),
                tile,
                sifts: sifted.is_some(),
                run: rest,
                observer,
            };
            if sampled {
                dispatch(backend, RasteriseSamples(job));
                return;
            }
            let (Some(done), Some(surface)) = (dispatch(backend, job), sifted) else {
                return;
            };
            let job = SiftBlocks {
                unit: self,
                chunks: scene.chunks,
                vertices: draw.vertices,
                n_varyings: draw.n_varyings,
                surface,
                tile,
                observer,
            };
            dispatch(backend, job);
            rest = &rest[done..];
        }
    }

    /// Shades these blocks of the queue: their visible pixels, or every quad.
    fn shade<P: FragmentProgram, O: TileObserver>(
        &mut self,
        bound: BoundKernels<P>,
        scene: &TileScene<'_, P>,
        tile: PixelRect,
        blocks: std::ops::Range<usize>,
        observer: &mut O,
    ) -> KilledLate {
        let (unit, BoundKernels { backend, kernels }) = (self, bound);
        unit.clear_colors(backend);
        if let Some(backend) = unit.samples.backend {
            samples::hide_replaced(backend, unit, blocks.clone(), O::EVERY_QUAD);
        }
        if O::EVERY_QUAD {
            // Behind a pointer: shading, the largest part of this program, is then compiled once for all observers.
            let observer: &mut dyn QuadObserver = observer;
            (kernels.trace)(
                backend,
                TraceQuads {
                    backend,
                    unit,
                    scene,
                    tile,
                    blocks,
                    observer,
                    room: &mut TraceRoom::default(),
                },
            )
        } else {
            (kernels.shade)(
                backend,
                ShadeQuads {
                    backend,
                    unit,
                    scene,
                    tile,
                    blocks,
                    waiting: &mut None,
                },
            )
        }
    }
}

fn draw_of<P>(scene: &TileScene<'_, P>, entry: &TileEntry) -> u32 {
    scene.chunks[entry.chunk as usize].draw
}
