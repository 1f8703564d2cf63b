//! Coverage and early-Z by sample: which samples of a triangle go to the fragment queue.
//!
//! An edge function has the same slopes at all samples and another constant at each, so a block is tested four times with
//! different constants. Depth is the triangle's plane at the sample.

use super::super::block_row::BlockRow;
use super::super::coverage::{Block, DepthTest, QueuedBlock, farthest, nearest, pixels_inside};
use super::super::observe::{TileObserver, quads};
use super::super::run::RasteriseRun;
use super::super::setup::{LANE_X, LANE_Y, Planes, TriangleSetup};
use super::super::unit::RasterUnit;
use super::super::walk::Walk;
use super::super::write::stored;
use super::masks::{SAMPLES, SampleMasks};
use crate::geometry::ScreenVertex;
use crate::tiling::{Edges, SampleEdges, TileEntry, pixel_bounds};
use azulejo_grid::{FOUR_OFFSETS, SampleCount};
use azulejo_math::{PixelRect, SUBPIXELS};
use azulejo_simd::{LANES, LaneJob, Lanes, each};

/// [`RasteriseRun`] at the samples of pixels.
pub(in crate::raster) struct RasteriseSamples<'a, O>(pub(in crate::raster) RasteriseRun<'a, O>);

impl<O: TileObserver> LaneJob for RasteriseSamples<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        for entry in self.0.run {
            self.0.fetch(entry);
            self.triangle(l, entry);
        }
    }
}

/// Samples that a triangle covers in a 4x4 block, with their depths.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoveredBlock {
    /// Column and row of its first pixel on the target.
    pub at: [i32; 2],
    /// Covered samples; of pixels with one sample the first.
    pub samples: SampleMasks,
    /// Depths by sample and pixel, covered or not; a pixel's lane is that of its quad, then of its place in the quad.
    pub depths: [[f32; LANES]; SAMPLES],
}

/// Coverage of one triangle in one tile, without a depth test.
#[doc(hidden)]
#[derive(Debug)]
pub struct Cover<'a> {
    /// Corners, in the order that makes the area positive.
    pub corners: &'a [ScreenVertex; 3],
    /// Planes of these corners.
    pub planes: &'a Planes,
    /// Samples of a pixel.
    pub samples: SampleCount,
    /// The tile's whole square.
    pub square: PixelRect,
    /// Pixels of the tile that can be covered.
    pub within: PixelRect,
    /// Takes the blocks, row by row.
    pub blocks: &'a mut Vec<CoveredBlock>,
}

impl LaneJob for Cover<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self {
            corners,
            planes,
            samples,
            square,
            within,
            blocks: found,
        } = self;
        let Some(walk) = SampleWalk::of(corners, square, samples) else {
            return;
        };
        let offsets = samples.offsets();
        let edge_rows = BlockRow::new(l, &walk.walk, walk.farthest);
        let beside = BesideCentres::new(l, &walk);
        let plane = DepthPlane::new(l, planes);
        let (lane_x, lane_y) = (l.load_i(&LANE_X), l.load_i(&LANE_Y));
        let centre = [l.to_float(lane_x) + l.f(0.5), l.to_float(lane_y) + l.f(0.5)];
        for block_y in walk.walk.blocks().y0..walk.walk.blocks().y1 {
            let mut blocks = edge_rows.blocks(l, &walk.walk, block_y);
            while let Some(block_x) = edge_rows.next(l, &walk.walk, &mut blocks) {
                let at = [square.x0 + block_x * 4, square.y0 + block_y * 4];
                let inside = beside.inside(l, &edge_rows.edges(l, &blocks, block_x));
                let kept = pixels_within(l, within, at);
                let samples = SampleMasks(each!(4, sample => {
                    if sample < offsets.len() { inside[sample] & kept } else { 0 }
                }));
                if samples.pixels() == 0 {
                    continue;
                }
                let mut depths = [[0.0; LANES]; SAMPLES];
                for (depths, [x, y]) in depths.iter_mut().zip(offsets) {
                    let pixels = |part: i32| part as f32 / SUBPIXELS as f32;
                    let dx = centre[0] + l.f(at[0] as f32 - plane.corner[0]) + l.f(pixels(*x));
                    let dy = centre[1] + l.f(at[1] as f32 - plane.corner[1]) + l.f(pixels(*y));
                    l.store(plane.at(l, dx, plane.row(l, dy)), depths);
                }
                found.push(CoveredBlock {
                    at,
                    samples,
                    depths,
                });
            }
        }
    }
}

/// Pixels of a block, a bit each, that lie in a rectangle.
#[inline(always)]
fn pixels_within<L: Lanes>(l: L, rect: PixelRect, [x, y]: [i32; 2]) -> u16 {
    let (lane_x, lane_y) = (l.load_i(&LANE_X), l.load_i(&LANE_Y));
    let before = l.lt_i(lane_x, l.i(rect.x0 - x)) | l.lt_i(lane_y, l.i(rect.y0 - y));
    pixels_inside(l, rect, x - rect.x0, y - rect.y0) as u16 & !l.mask_bits(before) as u16
}

/// The walk over a triangle's blocks, with an edge's constant at each sample. Edges that are not tested have the whole walk
/// on their inside: their value stays 0.
struct SampleWalk {
    walk: Walk,
    /// Offset from the constant of an edge of `walk`, by edge and sample.
    further: [[i32; SAMPLES]; 3],
    /// Largest offset of each edge.
    farthest: [i32; 3],
}

impl SampleWalk {
    /// The walk at so many samples of a pixel.
    fn of(corners: &[ScreenVertex; 3], tile: PixelRect, samples: SampleCount) -> Option<Self> {
        if samples == SampleCount::Four {
            return Self::new(corners, tile);
        }
        let bounds = pixel_bounds(corners, tile, samples);
        if bounds.is_empty() {
            return None;
        }
        Some(Self {
            walk: Walk::new(&Edges::new(corners), bounds, tile)?,
            further: [[0; SAMPLES]; 3],
            farthest: [0; 3],
        })
    }

    /// Sets the walk up, as [`Walk::new`] does for centres.
    fn new(corners: &[ScreenVertex; 3], tile: PixelRect) -> Option<Self> {
        let bounds = pixel_bounds(corners, tile, SampleCount::Four);
        if bounds.is_empty() {
            return None;
        }
        let edges = SampleEdges::new(corners);
        let walk = Walk::up_to(&edges.innermost, edges.farthest, bounds, tile)?;
        let tested = [0, 1, 2].map(|k| if walk.tests(k) { -1 } else { 0 });
        Some(Self {
            walk,
            further: [0, 1, 2].map(|k: usize| edges.further[k].map(|further| further & tested[k])),
            farthest: [0, 1, 2].map(|k: usize| edges.farthest[k] & tested[k]),
        })
    }
}

impl<O: TileObserver> RasteriseSamples<'_, O> {
    #[inline(always)]
    fn triangle<L: Lanes>(&mut self, l: L, entry: &TileEntry) {
        let job = &mut self.0;
        let chunk = &job.chunks[entry.chunk as usize];
        let triangle = chunk.triangles[entry.triangle as usize];
        let corners = (triangle.vertices).map(|vertex| *chunk.vertex(job.vertices, vertex));
        let Some(walk) = SampleWalk::new(&corners, job.tile) else {
            return;
        };
        let planes = Planes::new(&corners);
        let first = job.unit.queue.len();
        let number = job.unit.setups.len() as u32;
        rasterise(l, job, &walk, &planes, number);
        if job.unit.queue.len() > first {
            job.unit.setups.push(TriangleSetup {
                chunk: entry.chunk,
                triangle,
                planes,
                interpolants: None,
                flat: None,
            });
        }
    }
}

/// Rasterises one triangle and tests its depth; its blocks join the queue under this number of a setup.
#[inline(always)]
fn rasterise<L: Lanes, O: TileObserver>(
    l: L,
    job: &mut RasteriseRun<'_, O>,
    samples: &SampleWalk,
    planes: &Planes,
    setup: u32,
) {
    let (tile, walk) = (job.tile, &samples.walk);
    let (lane_x, lane_y) = (l.load_i(&LANE_X), l.load_i(&LANE_Y));
    let edge_rows = BlockRow::new(l, walk, samples.farthest);
    let beside = BesideCentres::new(l, samples);
    let plane = DepthPlane::new(l, planes);
    let (centre_x, centre_y) = (l.to_float(lane_x) + l.f(0.5), l.to_float(lane_y) + l.f(0.5));
    let size = job.unit.buffers.size.cast_signed();
    let is_cut = tile.x1 - tile.x0 != size || tile.y1 - tile.y0 != size;
    let blocks_wide = job.unit.buffers.blocks_wide();
    let depth_test = DepthTest {
        planes,
        compare: job.depth.test,
        update: job.opaque && job.depth.write,
    };
    for block_y in walk.blocks().y0..walk.blocks().y1 {
        let y = block_y * 4;
        let dy = centre_y + l.f((tile.y0 + y) as f32 - plane.corner[1]);
        let rows = each!(4, sample => plane.row(l, dy + l.f(offset(sample)[1])));
        let mut blocks = edge_rows.blocks(l, walk, block_y);
        while let Some(block_x) = edge_rows.next(l, walk, &mut blocks) {
            let x = block_x * 4;
            let inside = beside.inside(l, &edge_rows.edges(l, &blocks, block_x));
            let mut covered = SampleMasks(inside);
            if is_cut {
                let on_screen = pixels_inside(l, tile, x, y) as u16;
                covered.0 = each!(4, sample => inside[sample] & on_screen);
            }
            if covered.pixels() == 0 {
                continue;
            }
            let number = (block_y.cast_unsigned() * blocks_wide + block_x.cast_unsigned()) as usize;
            let dx = centre_x + l.f((tile.x0 + x) as f32 - plane.corner[0]);
            let z = each!(4, sample => plane.at(l, dx + l.f(offset(sample)[0]), rows[sample]));
            let passed = test_depth(l, job.unit, &depth_test, number, covered, &z);
            if O::STEPS {
                let centre = plane.at(l, dx, plane.row(l, dy));
                job.observer.depths(&stored(l, centre));
            }
            let behind = O::EVERY_QUAD
                && passed.pixels() == 0
                && is_behind(l, covered, &z, &job.unit.samples.depth[number]);
            let block = Block {
                number,
                covered: covered.pixels().into(),
                passed: passed.pixels().into(),
                samples_covered: covered,
                samples_passed: passed,
                behind,
            };
            enqueue(l, job, &block, setup);
        }
    }
}

/// Offset from the value of each edge, by sample.
struct BesideCentres<L: Lanes> {
    by_sample: [[L::I; 3]; SAMPLES],
    /// Largest offset of each edge.
    farthest: [L::I; 3],
}

impl<L: Lanes> BesideCentres<L> {
    #[inline(always)]
    fn new(l: L, samples: &SampleWalk) -> Self {
        Self {
            by_sample: each!(4, sample => each!(3, k => l.i(samples.further[k][sample]))),
            farthest: each!(3, k => l.i(samples.farthest[k])),
        }
    }

    /// Pixels of a block, a bit each, whose samples lie inside the edges of these values. Most blocks lie inside or outside
    /// with all samples, which one test says.
    #[inline(always)]
    fn inside(&self, l: L, edges: &[L::I; 3]) -> [u16; SAMPLES] {
        if pixels_inside_edges(l, edges, &self.farthest) == 0 {
            return [0; SAMPLES];
        }
        match pixels_inside_edges(l, edges, &[l.i(0); 3]) {
            u16::MAX => [u16::MAX; SAMPLES],
            _ => each!(4, sample => pixels_inside_edges(l, edges, &self.by_sample[sample])),
        }
    }
}

#[inline(always)]
fn pixels_inside_edges<L: Lanes>(l: L, edges: &[L::I; 3], further: &[L::I; 3]) -> u16 {
    let [e0, e1, e2] = each!(3, k => edges[k] + further[k]);
    !l.mask_bits(l.lt_i(e0 | e1 | e2, l.i(0))) as u16
}

/// Tests covered samples of a block against its depths `z`, and updates those that it holds; returns the samples that
/// passed.
#[inline(always)]
fn test_depth<L: Lanes>(
    l: L,
    unit: &mut RasterUnit,
    test: &DepthTest<'_>,
    block: usize,
    covered: SampleMasks,
    z: &[L::F; SAMPLES],
) -> SampleMasks {
    let depths = &mut unit.samples.depth[block];
    let SampleMasks(covered) = covered;
    let old = each!(4, sample => l.load(&depths[sample]));
    let passed = SampleMasks(if test.compare {
        each!(4, sample => covered[sample] & l.mask_bits(l.le(z[sample], old[sample])) as u16)
    } else {
        covered
    });
    if test.update && passed.pixels() != 0 {
        for sample in 0..SAMPLES {
            let mask = l.mask(u32::from(passed.0[sample]));
            l.store(l.select(mask, z[sample], old[sample]), &mut depths[sample]);
        }
    }
    passed
}

/// Whether the nearest covered sample of a block lies behind the farthest of all.
fn is_behind<L: Lanes>(
    l: L,
    SampleMasks(covered): SampleMasks,
    z: &[L::F; SAMPLES],
    stored: &[[f32; LANES]; SAMPLES],
) -> bool {
    let mut nearest_covered = f32::INFINITY;
    for (covered, z) in covered.into_iter().zip(z) {
        nearest_covered = nearest_covered.min(nearest(l, covered.into(), *z));
    }
    stored
        .iter()
        .all(|depths| nearest_covered > farthest(depths))
}

/// Puts a block of the triangle into the queue, if anything of it passed, and says so.
#[inline(always)]
fn enqueue<L: Lanes, O: TileObserver>(
    l: L,
    job: &mut RasteriseRun<'_, O>,
    block: &Block,
    setup: u32,
) {
    let unit = &mut *job.unit;
    if O::RECORDS {
        job.observer.rasterised(block, unit.buffers.blocks_wide());
    }
    if block.passed == 0 {
        return;
    }
    if O::EVERY_QUAD {
        unit.quads_before.push(unit.quads_passed);
        unit.quads_passed += quads(block.passed).count_ones();
    }
    if job.opaque {
        let number = l.i((unit.queue.len() as u32 + 1).cast_signed());
        let owners = &mut unit.samples.owner[block.number];
        for (owner, passed) in owners.iter_mut().zip(block.samples_passed.0) {
            let owner = bytemuck::cast_mut(owner);
            let owned = l.select_i(l.mask(u32::from(passed)), number, l.load_i(owner));
            l.store_i(owned, owner);
        }
    }
    unit.samples.masks.push(block.samples_passed);
    unit.queue.push(QueuedBlock {
        setup,
        block: block.number as u16,
        mask: block.passed as u16,
    });
}

/// How far a sample lies from its pixel's centre, in pixels.
#[inline(always)]
pub(super) const fn offset(sample: usize) -> [f32; 2] {
    let [x, y] = FOUR_OFFSETS[sample];
    [x as f32 / SUBPIXELS as f32, y as f32 / SUBPIXELS as f32]
}

/// Depth over the screen; one expression before and after shading, so that both tests see the same depth.
struct DepthPlane<L: Lanes> {
    /// Corner 0, in pixels.
    corner: [f32; 2],
    at_corner: L::F,
    gradient: [L::F; 2],
}

impl<L: Lanes> DepthPlane<L> {
    #[inline(always)]
    fn new(l: L, planes: &Planes) -> Self {
        let [x, y, ..] = planes.corner_b1;
        let [_, z0, z_dx, z_dy] = planes.w2_depth;
        Self {
            corner: [x, y],
            at_corner: l.f(z0),
            gradient: [l.f(z_dx), l.f(z_dy)],
        }
    }

    /// The part of places this far below the corner.
    #[inline(always)]
    fn row(&self, l: L, dy: L::F) -> L::F {
        l.mul_add(self.gradient[1], dy, self.at_corner)
    }

    /// Depth of places this far to the right of the corner, with what [`Self::row`] says of them.
    #[inline(always)]
    fn at(&self, l: L, dx: L::F, row: L::F) -> L::F {
        l.mul_add(self.gradient[0], dx, row)
    }
}
