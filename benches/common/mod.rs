//! A scene for the stage benches: spheres before the eye, small triangles and large ones, nothing from files.
#![allow(
    dead_code,
    reason = "each bench uses the part of the pipeline before its own stage"
)]

use azulejo::demo::procedural::{Patch, ellipsoid};
use azulejo::grid::{Binning, SampleCount, TileGrid};
use azulejo::math::perspective_vulkan;
use azulejo::render::geometry::{
    Assembly, CHUNK_PRIMITIVES, Chunk, Cull, Placement, ShadedVertices, VaryingLayout, Viewport,
};
use azulejo::render::raster::FragmentMode;
use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram};
use azulejo::render::tiling::{BinTest, BinnedChunk, TileLists, bin_chunk};
use azulejo::render::{Draw, DrawIdentity, raster::RasterDraw};
use azulejo::scene::{DepthState, Primitive};
use azulejo::simd::{Backend, Lanes, SimdLevel, map};
use glam::{Mat4, Vec3};

/// Full HD in tiles of 32 pixels.
pub(crate) const GRID: TileGrid = TileGrid {
    width: 1920,
    height: 1080,
    tile_size: 32,
};

/// The normal as a colour: next to no shading.
#[derive(Debug)]
pub(crate) struct NormalColor;

impl FragmentProgram for NormalColor {
    fn varyings(&self) -> VaryingLayout {
        let mut layout = VaryingLayout::default();
        layout.normal_world = layout.take(3);
        layout.tex_coords[0] = layout.take(2);
        layout
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let [x, y, z] = map(
            [0, 1, 2],
            #[inline(always)]
            |k: usize| l.abs(inputs.varyings[k]),
        );
        FragmentOutput {
            rgba: [x, y, z, l.f(1.0)],
            keep: l.mask(0xffff),
        }
    }
}

/// The best lanes of this machine.
pub(crate) fn backend() -> Backend {
    SimdLevel::Auto.backend().expect("this machine has lanes")
}

/// A sphere of `2 n^2` triangles.
pub(crate) fn sphere(n: u32) -> Primitive {
    ellipsoid(Patch::new(n, n), Vec3::ONE)
}

/// Draws of the sphere, one behind the other from front to back.
pub(crate) fn draws(primitive: &Primitive, count: u32) -> Vec<Draw<'_, NormalColor>> {
    let clip_from_world = perspective_vulkan(0.8, 16.0 / 9.0, 0.1, None);
    (0..count)
        .map(|k| Draw {
            name: format!("sphere {k}").into(),
            primitive,
            placement: Placement::Rigid(Mat4::from_translation(Vec3::new(
                0.5 * k as f32 - 0.5,
                0.0,
                -2.6 - 0.5 * k as f32,
            ))),
            morph_weights: &[],
            clip_from_world,
            program: NormalColor,
            mode: FragmentMode::Opaque,
            depth: DepthState::default(),
            double_sided: false,
            identity: DrawIdentity::default(),
        })
        .collect()
}

/// Vertices and triangles of some draws.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    pub(crate) vertices: Vec<ShadedVertices>,
    pub(crate) chunks: Vec<Chunk>,
}

pub(crate) const VIEWPORT: Viewport = Viewport::of_screen(GRID.width, GRID.height);

impl Geometry {
    /// Geometry of some draws, shaded and assembled.
    pub(crate) fn of(draws: &[Draw<'_, NormalColor>]) -> Self {
        let mut geometry = Self::default();
        geometry.shade(draws);
        geometry.assemble(draws);
        geometry
    }

    /// Runs the vertex program on all vertices.
    pub(crate) fn shade(&mut self, draws: &[Draw<'_, NormalColor>]) {
        self.vertices
            .resize_with(draws.len(), ShadedVertices::default);
        for (vertices, draw) in self.vertices.iter_mut().zip(draws) {
            vertices.shade(&draw.vertex_program(), &VIEWPORT, backend());
        }
    }

    /// Assembles the triangles of all draws.
    pub(crate) fn assemble(&mut self, draws: &[Draw<'_, NormalColor>]) {
        self.chunks.clear();
        for (number, draw) in draws.iter().enumerate() {
            let indices = &draw.primitive.indices;
            for first in (0..indices.len()).step_by(3 * CHUNK_PRIMITIVES) {
                let mut chunk = Chunk::default();
                chunk.reset(number as u32, first);
                let program = draw.vertex_program();
                chunk.assemble(&Assembly {
                    cull: Cull::Back,
                    ..program.assembly(&self.vertices[number], VIEWPORT)
                });
                self.chunks.push(chunk);
            }
        }
    }

    /// Sorts all triangles into tiles.
    pub(crate) fn bin(&self, binned: &mut Vec<BinnedChunk>, lists: &mut TileLists) {
        binned.resize_with(self.chunks.len(), BinnedChunk::default);
        let test = BinTest {
            grid: GRID,
            binning: Binning::Exact,
            samples: SampleCount::One,
        };
        for (chunk, binned) in self.chunks.iter().zip(binned.iter_mut()) {
            let vertices = &self.vertices[chunk.draw as usize];
            bin_chunk(chunk, vertices, test, binned);
        }
        lists.fill(&GRID, binned);
    }
}

/// The draws as Raster Units see them.
pub(crate) fn raster_draws<'a>(
    draws: &'a [Draw<'a, NormalColor>],
    geometry: &'a Geometry,
) -> Vec<RasterDraw<'a, NormalColor>> {
    draws
        .iter()
        .zip(&geometry.vertices)
        .map(|(draw, vertices)| RasterDraw {
            program: &draw.program,
            mode: draw.mode,
            depth: draw.depth,
            vertices,
            n_varyings: usize::from(draw.program.varyings().len),
            state: 0,
            texture_samples: 0,
            triangle_bytes: 144,
        })
        .collect()
}
