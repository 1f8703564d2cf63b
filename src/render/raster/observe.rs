//! Reports of a Raster Unit while it draws a tile: nothing, counters, a trace, or whatever an observer of yours records.
//!
//! This is the seam between the picture and everything that is known about it. A unit is generic over its [`TileObserver`]:
//! with [`NullObserver`] the compiler removes every call.
//!
//! ```
//! # mod azulejo { pub use azulejo_grid as grid; pub use azulejo_render as render; pub use azulejo_scene as scene; pub use azulejo_simd as simd; }
//! use azulejo::grid::TileId;
//! use azulejo::render::Observing;
//! use azulejo::render::raster::Block;
//! use azulejo::render::raster::observe::TileObserver;
//! # use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
//! # use azulejo::render::{Draw, DrawList, RenderSettings, Renderer, SimdLevel};
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
//! # let settings = RenderSettings { width: 64, height: 32, ..RenderSettings::default() };
//! # let draw = Draw { double_sided: true, ..Draw::new(&triangle, White) };
//! # let list = DrawList::new(vec![draw], settings);
//! # let mut renderer = Renderer::new(1, SimdLevel::Auto)?;
//!
//! /// Counts covered pixels, also those that the depth test drops.
//! #[derive(Default)]
//! struct Covered(u32);
//!
//! impl TileObserver for Covered {
//!     const RECORDS: bool = true;
//!     fn begin_draw(&mut self, _: u32, _: u32, _: bool) {}
//!     fn fetch(&mut self, _: u32, _: u64) {}
//!     fn rasterised(&mut self, block: &Block, _: u32) {
//!         self.0 += block.covered.count_ones();
//!     }
//!     fn killed_late(&mut self, _: u32, _: u32) {}
//! }
//!
//! // `list` has one triangle that covers the picture.
//! let observed = renderer.draw(&list, Observing { tiles: &[TileId(1)], observer: |_| Covered::default() });
//! assert_eq!(observed.tiles[0].observer.0, 32 * 32);
//! # Ok::<(), azulejo::render::RendererError>(())
//! ```

use super::buffers::TileBuffers;
use super::coverage::Block;
use crate::shading::CodeQuad;
use azulejo_grid::TileId;
use azulejo_record::QuadTexels;
use azulejo_simd::LANES;
pub use azulejo_simd::quads;
use azulejo_trace::{RasterCounters, TileCounters};

/// Called for everything that happens in one tile. Masks have one bit a pixel of a 4x4 block, four bits a quad.
pub trait TileObserver: Send {
    /// Whether anything is recorded; if not, the compiler removes the calls.
    const RECORDS: bool;

    /// Whether hidden quads are shaded as well, and every quad is reported.
    const EVERY_QUAD: bool = false;

    /// Whether triangles are shaded one after the other, in program order, and [`TileObserver::stepped`] is called after
    /// each; needs [`TileObserver::EVERY_QUAD`]. Picture and counts are those of any other order.
    const STEPS: bool = false;

    /// The triangles that follow belong to the draw with this number, whose fragments take `texture_samples` samples each;
    /// that many at most, and loops once, where the program branches.
    fn begin_draw(&mut self, draw: u32, texture_samples: u32, blends: bool);

    /// A triangle was fetched from the tile's list: its number in the Parameter Buffer, and the bytes of its attributes.
    fn fetch(&mut self, primitive: u32, parameter_buffer_bytes: u64);

    /// A block was rasterised, in a tile that is `blocks_wide` blocks across; pixels that passed go to shading.
    fn rasterised(&mut self, block: &Block, blocks_wide: u32);

    /// Tile done, with four samples a pixel: this many of its pixels have samples of different colours.
    fn resolved(&mut self, pixels: u32) {
        let _ = pixels;
    }

    /// Some of the shaded quads had a late test: `quads` without survivors, `fragments` dropped.
    fn killed_late(&mut self, quads: u32, fragments: u32);

    /// Execution of a quad by a program that executes itself, with [`TileObserver::EVERY_QUAD`], before
    /// [`TileObserver::shaded`].
    fn executed(&mut self, position: usize, quad: &CodeQuad) {
        let _ = (position, quad);
    }

    /// Quad shaded, with [`TileObserver::EVERY_QUAD`]: its position in the queue (the order in which quads passed), which
    /// of its live fragments survived, one bit each, and the texels that it fetched.
    fn shaded(&mut self, position: usize, live: u32, survivors: u32, texels: QuadTexels<'_>) {
        let _ = (position, live, survivors, texels);
    }

    /// Whether shader inputs are wanted, with [`TileObserver::EVERY_QUAD`].
    fn wants_inputs(&self) -> bool {
        false
    }

    /// Hashes of the shader inputs of a shaded quad's four fragments, screen coordinates left out.
    fn inputs(&mut self, position: usize, live: u32, hashes: &[u32; 4]) {
        let _ = (position, live, hashes);
    }

    /// Depth of the triangle in every pixel of the block, with [`TileObserver::STEPS`], before
    /// [`TileObserver::rasterised`].
    fn depths(&mut self, depths: &[f32; LANES]) {
        let _ = depths;
    }

    /// Colours of the program for the quad's four fragments, with [`TileObserver::STEPS`], before [`TileObserver::shaded`]:
    /// linear RGBA with straight alpha (undefined where no fragment lives), and which fragments it keeps.
    fn colored(&mut self, position: usize, rgba: &[[f32; 4]; 4], kept: u32) {
        let _ = (position, rgba, kept);
    }

    /// Step of one triangle, with [`TileObserver::STEPS`]: all quads of the next triangle (in the order of
    /// [`TileObserver::fetch`]) are shaded, and these are the tile's present contents.
    fn stepped(&mut self, buffers: &TileBuffers) {
        let _ = buffers;
    }

    /// Tile done, with [`TileObserver::RECORDS`].
    fn finished(&mut self, buffers: &TileBuffers) {
        let _ = buffers;
    }
}

/// Records nothing; its calls are compiled away.
#[derive(Debug, Clone, Copy, Default)]
pub struct NullObserver;

impl TileObserver for NullObserver {
    const RECORDS: bool = false;

    #[inline(always)]
    fn begin_draw(&mut self, _: u32, _: u32, _: bool) {}
    #[inline(always)]
    fn fetch(&mut self, _: u32, _: u64) {}
    #[inline(always)]
    fn rasterised(&mut self, _: &Block, _: u32) {}
    #[inline(always)]
    fn killed_late(&mut self, _: u32, _: u32) {}
}

/// A tile that was drawn under an observer, which saw all of it.
#[derive(Debug, Clone, Copy)]
pub struct ObservedTile<O> {
    /// The tile that was drawn.
    pub tile: TileId,
    /// Observer of the tile, after the last call.
    pub observer: O,
}

/// Counters of consecutive triangles of one draw in a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRun {
    /// Number of the draw, in submission order.
    pub draw: u32,
    /// Sums over its triangles.
    pub counters: RasterCounters,
}

/// Observer that counts, by draw.
#[derive(Debug, Clone, Default)]
pub struct CountingObserver {
    /// Counts of draws in program order; a draw may occur more than once.
    pub draws: Vec<DrawRun>,
    primitives: u64,
    parameter_buffer_bytes: u64,
    texture_samples: u64,
    pixels_resolved: u64,
    blends: bool,
}

impl CountingObserver {
    /// Counters of the tile, summed over its draws.
    #[must_use]
    pub fn tile(&self) -> TileCounters {
        let mut raster = RasterCounters::default();
        for run in &self.draws {
            raster += run.counters;
        }
        TileCounters {
            primitives: self.primitives,
            parameter_buffer_bytes: self.parameter_buffer_bytes,
            pixels_resolved: self.pixels_resolved,
            raster,
        }
    }

    fn replaced(&mut self, change: impl FnOnce(&mut u64)) {
        let blends = self.blends;
        if let Some(DrawRun { counters, .. }) = self.draws.last_mut() {
            change(if blends {
                &mut counters.fragments_blended
            } else {
                &mut counters.fragments_written
            });
        }
    }
}

impl TileObserver for CountingObserver {
    const RECORDS: bool = true;

    fn begin_draw(&mut self, draw: u32, texture_samples: u32, blends: bool) {
        let counters = RasterCounters::default();
        self.draws.push(DrawRun { draw, counters });
        self.texture_samples = u64::from(texture_samples);
        self.blends = blends;
    }

    fn fetch(&mut self, _: u32, parameter_buffer_bytes: u64) {
        self.primitives += 1;
        self.parameter_buffer_bytes += parameter_buffer_bytes;
    }

    #[inline]
    fn rasterised(
        &mut self,
        &Block {
            covered,
            passed,
            samples_covered,
            samples_passed,
            ..
        }: &Block,
        _: u32,
    ) {
        let Some(DrawRun { counters, .. }) = self.draws.last_mut() else {
            return;
        };
        let (n_covered, n_passed) = (
            u64::from(quads(covered).count_ones()),
            u64::from(quads(passed).count_ones()),
        );
        let fragments = u64::from(passed.count_ones());
        counters.quads_rasterised += n_covered;
        counters.quads_killed_early += n_covered - n_passed;
        counters.quads_shaded += n_passed;
        counters.fragments_rasterised += u64::from(covered.count_ones());
        counters.fragments_shaded += fragments;
        counters.samples_covered += u64::from(samples_covered.count());
        counters.samples_passed += u64::from(samples_passed.count());
        counters.texture_samples += fragments * self.texture_samples;
        self.replaced(|replaced| *replaced += fragments);
    }

    fn resolved(&mut self, pixels: u32) {
        self.pixels_resolved += u64::from(pixels);
    }

    fn killed_late(&mut self, quads: u32, fragments: u32) {
        if let Some(DrawRun { counters, .. }) = self.draws.last_mut() {
            counters.quads_killed_late += u64::from(quads);
            counters.fragments_killed_late += u64::from(fragments);
        }
        self.replaced(|replaced| *replaced -= u64::from(fragments));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::SampleMasks;

    #[test]
    fn quads_collapse_four_pixels_each() {
        assert_eq!(
            quads(0b0000_1000_0010_0001),
            0b0000_0001_0001_0001 & 0x1111,
            "three quads with one pixel each"
        );
        assert_eq!(
            quads(0x8000),
            0x1000,
            "the last pixel belongs to the last quad"
        );
    }

    #[test]
    fn counting_observer_keeps_quads_in_balance() {
        let mut observer = CountingObserver::default();
        observer.begin_draw(3, 2, false);
        let block = Block {
            number: 0,
            covered: 0xffff,
            passed: 0x00f1,
            samples_covered: SampleMasks::default(),
            samples_passed: SampleMasks::default(),
            behind: false,
        };
        observer.rasterised(&block, 8);
        observer.killed_late(1, 2);
        let DrawRun { draw, counters } = observer.draws[0];
        assert_eq!(draw, 3, "the draw that was begun");
        assert_eq!(
            counters.quads_rasterised,
            counters.quads_killed_early + counters.quads_shaded,
            "conservation"
        );
        assert_eq!(
            counters.texture_samples, 10,
            "two samples for each of five fragments"
        );
        assert_eq!(counters.fragments_written, 3, "two of five were dropped");
    }
}
