//! Coverage and early-Z of a draw's triangles in one tile: pixels that pass go to the fragment queue.

use super::buffers::TileBuffers;
use super::coverage::{Block, BlockSink, DepthTest, QueuedBlock, farthest, nearest, rasterise};
use super::flat::{WalkedFlat, flat_triangle};
use super::observe::{TileObserver, quads};
use super::scene::DepthUse;
use super::setup::{Planes, TriangleSetup};
use super::sift;
use super::unit::RasterUnit;
use super::walk::{Walk, blocks_of};
use super::write::stored;
use crate::geometry::{Chunk, ScreenVertex, ShadedVertices, Triangle};
use crate::shading::{FlatSurface, FlatTriangle};
use crate::tiling::{Edges, TileEntry, pixel_bounds};
use azulejo_grid::SampleCount;
use azulejo_math::PixelRect;
use azulejo_simd::{LaneJob, Lanes, each};

/// Blocks of a walk that takes longer than to find out whether it is needed.
const FEWEST_BLOCKS: i32 = 4;

/// Triangles that are read at once. A corner is found by four reads, each of which waits for the one before; those of
/// several triangles wait together.
const READ_AT_ONCE: usize = 8;

/// Coverage and early depth test of consecutive triangles of one draw; their blocks join the queue. Which program the draw
/// has does not matter yet.
pub(super) struct RasteriseRun<'a, O> {
    pub(super) unit: &'a mut RasterUnit,
    pub(super) chunks: &'a [Chunk],
    pub(super) vertices: &'a ShadedVertices,
    /// Varyings of each vertex, in floats.
    pub(super) n_varyings: usize,
    pub(super) triangle_bytes: u64,
    /// Flat surface of its program, if it is that simple.
    pub(super) flat: Option<&'a FlatSurface<'a>>,
    pub(super) opaque: bool,
    pub(super) depth: DepthUse,
    pub(super) tile: PixelRect,
    /// Whether to stop behind a triangle whose blocks are worth [`sift`]ing.
    pub(super) sifts: bool,
    pub(super) run: &'a [TileEntry],
    pub(super) observer: &'a mut O,
}

impl<O: TileObserver> LaneJob for RasteriseRun<'_, O> {
    /// How many triangles are done, if the last of them is to be sifted and others may follow; `None` if all are done.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) -> Option<usize> {
        let mut listed = [Listed::default(); READ_AT_ONCE];
        let mut done = 0;
        for entries in self.run.chunks(READ_AT_ONCE) {
            for (listed, entry) in listed.iter_mut().zip(entries) {
                *listed = self.read(entry);
            }
            for (listed, entry) in listed.iter().zip(entries) {
                let first = self.unit.queue.len();
                self.fetch(entry);
                self.triangle(l, entry.chunk, listed);
                done += 1;
                if self.sifts && sift::pays(self.unit, first) {
                    return Some(done);
                }
            }
        }
        None
    }
}

/// A triangle of the tile's list.
#[derive(Clone, Copy, Default)]
struct Listed {
    triangle: Triangle,
    corners: [ScreenVertex; 3],
    /// Pixels of the tile that it can touch.
    bounds: PixelRect,
    planes: Planes,
}

impl<'a, O: TileObserver> RasteriseRun<'a, O> {
    /// Says that a triangle comes from the tile's list.
    #[inline(always)]
    pub(super) fn fetch(&mut self, entry: &TileEntry) {
        if O::RECORDS {
            let first = self.chunks[entry.chunk as usize].first_primitive;
            let number = first + entry.triangle;
            self.observer.fetch(number, self.triangle_bytes);
        }
    }

    #[inline(always)]
    fn read(&self, entry: &TileEntry) -> Listed {
        let chunk = &self.chunks[entry.chunk as usize];
        let triangle = chunk.triangles[entry.triangle as usize];
        let corners = each!(3, k => *chunk.vertex(self.vertices, triangle.vertices[k]));
        Listed {
            triangle,
            corners,
            bounds: pixel_bounds(&corners, self.tile, SampleCount::One),
            planes: Planes::new(&corners),
        }
    }

    #[inline(always)]
    fn triangle<L: Lanes>(&mut self, l: L, chunk_number: u32, listed: &Listed) {
        let Listed {
            triangle,
            corners,
            bounds,
            planes,
        } = listed;
        if bounds.is_empty() || self.is_hidden(l, planes, bounds) {
            return;
        }
        let Some(walk) = Walk::new(&Edges::new(corners), *bounds, self.tile) else {
            return;
        };
        let flat = match self.flat {
            Some(surface) => {
                let chunk = &self.chunks[chunk_number as usize];
                let varyings = each!(3, k => {
                    chunk.varyings(self.vertices, self.n_varyings, triangle.vertices[k])
                });
                flat_triangle(l, surface, planes, corners, varyings)
            }
            None => None,
        };
        let Some(hides) = self.hides(flat.as_ref(), planes, bounds, walk.blocks()) else {
            return;
        };
        if self.enqueue(l, &walk, planes, hides) {
            let unit = &mut *self.unit;
            let place = flat.map(
                #[inline(always)]
                |flat| {
                    unit.flats.push(flat);
                    unit.flats.len() as u32 - 1
                },
            );
            unit.setups.push(TriangleSetup {
                chunk: chunk_number,
                triangle: *triangle,
                planes: *planes,
                interpolants: None,
                flat: place,
            });
        }
    }

    /// Whether all of a triangle lies behind everything in the tile. An observer of quads counts those too, and short walks
    /// are not worth the question.
    #[inline(always)]
    fn is_hidden<L: Lanes>(&mut self, l: L, planes: &Planes, bounds: &PixelRect) -> bool {
        let blocks = blocks_of(bounds, self.tile);
        let n_blocks = (blocks.x1 - blocks.x0) * (blocks.y1 - blocks.y0);
        if O::RECORDS || !self.depth.test || n_blocks < FEWEST_BLOCKS {
            return false;
        }
        let unit = &mut *self.unit;
        planes.nearest_depth(bounds) > unit.farthest.of(l, &unit.buffers)
    }

    /// Extent to which a triangle with these bounds in the tile hides the draws before it; `None` if nothing of it can be
    /// seen, and its quads are not counted.
    #[inline(always)]
    fn hides<'b>(
        &self,
        flat: Option<&'b FlatTriangle>,
        planes: &Planes,
        bounds: &PixelRect,
        blocks: PixelRect,
    ) -> Option<Hides<'b>>
    where
        'a: 'b,
    {
        if self.opaque {
            return Some(Hides::Everywhere);
        }
        let (Some(surface), Some(triangle), false) = (self.flat, flat, O::EVERY_QUAD) else {
            return Some(Hides::Nothing);
        };
        let walked = WalkedFlat::new(surface, triangle, planes, self.tile);
        let alphas = walked.alphas_in(self.tile, bounds);
        if alphas.all_zero() && !O::RECORDS {
            None
        } else if alphas.all_one() {
            Some(Hides::Everywhere)
        } else {
            Some(Hides::WhereOpaque(walked.by_block(blocks)))
        }
    }

    /// Walks over a triangle; whether any of its blocks joins the queue.
    #[inline(always)]
    fn enqueue<L: Lanes>(&mut self, l: L, walk: &Walk, planes: &Planes, hides: Hides<'_>) -> bool {
        let Self { unit, tile, .. } = self;
        let depth_test = DepthTest {
            planes,
            compare: self.depth.test,
            update: self.opaque && self.depth.write,
        };
        let first = unit.queue.len();
        let mut sink = Enqueue {
            queue: &mut unit.queue,
            quads_before: &mut unit.quads_before,
            quads_passed: &mut unit.quads_passed,
            setup: unit.setups.len() as u32,
            hides,
            observer: &mut *self.observer,
        };
        rasterise(l, walk, *tile, depth_test, &mut unit.buffers, &mut sink);
        unit.queue.len() > first
    }
}

/// Part of a triangle that hides the draws before it.
enum Hides<'a> {
    Everywhere,
    Nothing,
    /// Blocks that are opaque all over hide; where nothing of the triangle can be seen, it need not be shaded.
    WhereOpaque(WalkedFlat<'a>),
}

/// Puts the blocks of a triangle into the queue.
struct Enqueue<'a, O> {
    queue: &'a mut Vec<QueuedBlock>,
    quads_before: &'a mut Vec<u32>,
    quads_passed: &'a mut u32,
    setup: u32,
    hides: Hides<'a>,
    observer: &'a mut O,
}

impl<O: TileObserver> BlockSink for Enqueue<'_, O> {
    const WANTS_DEPTHS: bool = O::STEPS;

    #[inline(always)]
    fn block<L: Lanes>(&mut self, l: L, buffers: &mut TileBuffers, block: Block, depths: L::F) {
        if O::STEPS {
            self.observer.depths(&stored(l, depths));
        }
        if O::RECORDS {
            let behind = O::EVERY_QUAD
                && block.passed == 0
                && nearest(l, block.covered, depths) > farthest(&buffers.depth[block.number]);
            let block = Block { behind, ..block };
            self.observer.rasterised(&block, buffers.blocks_wide());
        }
        if block.passed == 0 {
            return;
        }
        if O::EVERY_QUAD {
            self.quads_before.push(*self.quads_passed);
            *self.quads_passed += quads(block.passed).count_ones();
        }
        let hides = match &self.hides {
            Hides::Everywhere => true,
            Hides::Nothing => false,
            Hides::WhereOpaque(flat) => {
                let alphas = flat.alphas(block.number, buffers.blocks_wide());
                if alphas.all_zero() {
                    return;
                }
                alphas.all_one()
            }
        };
        if hides {
            // It is about to get this number.
            let number = self.queue.len() as u32 + 1;
            buffers.own(l, block.number, l.mask(block.passed), number);
        }
        self.queue.push(QueuedBlock {
            setup: self.setup,
            block: block.number as u16,
            mask: block.passed as u16,
        });
    }
}
