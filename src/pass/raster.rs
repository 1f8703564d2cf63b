//! Raster: a tile's triangles through coverage, tests, the fragment program and blending.
//!
//! Triangles come in program order. Sixteen quads of a draw run together; what they write lands in their order.

use azulejo_math::PixelRect;
use azulejo_render::geometry::{Chunk, ScreenVertex, Triangle};
use azulejo_render::raster::{Cover, CoveredBlock, Planes};
use azulejo_render::tiling::TileEntry;
use azulejo_shader::Resources;
use azulejo_simd::dispatch;

use crate::blocks::QUADS;
use crate::error::Result;
use crate::pipeline::Tests;
use crate::run::{Binned, DrawRun, Quad, Setup};
use crate::vertex::sample_count;

impl<'t, 'p> DrawRun<'t, 'p> {
    /// Draws triangles of the tile's list.
    pub(crate) fn run(
        &mut self,
        binned: &'t Binned<'p>,
        entries: &[TileEntry],
        mut resources: Option<Resources<'_>>,
    ) -> Result<()> {
        let mut blocks = Vec::new();
        for entry in entries {
            let chunk = &binned.chunks[entry.chunk as usize];
            let triangle = &chunk.triangles[entry.triangle as usize];
            let primitive = binned.primitives[entry.chunk as usize][entry.triangle as usize];
            blocks.clear();
            let setup = self.cover(chunk, (triangle, primitive), &mut blocks);
            self.note_triangle(binned, entry, &setup);
            self.setups.push(setup);
            for block in &blocks {
                self.block(block);
                if self.quads.len() + 4 > QUADS {
                    self.flush(resources.as_mut())?;
                }
            }
        }
        self.flush(resources.as_mut())
    }

    /// Tells a trace of a triangle, and what its fragments come from.
    fn note_triangle(&mut self, binned: &Binned<'_>, entry: &TileEntry, setup: &Setup<'_>) {
        let Some(facts) = &mut self.facts else {
            return;
        };
        let number = binned.first_triangles[entry.chunk as usize] + entry.triangle;
        let chunk = &binned.chunks[entry.chunk as usize];
        let triangle = &chunk.triangles[entry.triangle as usize];
        let vertices = &self.prepared.geometry.vertices;
        let corners = triangle
            .vertices
            .map(|vertex| *chunk.vertex(vertices, vertex));
        let [a, b, c] = setup.varyings;
        let content = [
            bytemuck::bytes_of(&corners),
            bytemuck::cast_slice(a),
            bytemuck::cast_slice(b),
            bytemuck::cast_slice(c),
            bytemuck::cast_slice(setup.flats),
            &[setup.front.into()],
            &setup.primitive.to_le_bytes(),
        ];
        facts.primitive(number, &content);
    }

    /// Tells a trace of a quad: pixels that it covers, and those for which the program runs.
    fn note_quad(&mut self, quad: &mut Quad, covered: [u8; 4]) {
        let Some(facts) = &mut self.facts else {
            return;
        };
        let pipeline = self.prepared.draw.pipeline;
        let has_program = pipeline.spec.fragment.is_some();
        let live = |left: u8| if has_program { left } else { 0 };
        if !pipeline.by_sample {
            let all = covered.iter().fold(0, |all, covered| all | covered);
            quad.names[0] = Some(facts.quad(quad.at, all, live(quad.pixels())));
            return;
        }
        for (sample, covered) in covered.into_iter().enumerate() {
            if covered != 0 {
                let left = live(quad.covered[sample]);
                quad.names[sample] = Some(facts.quad(quad.at, covered, left));
            }
        }
    }

    /// Blocks that a triangle covers, and what its fragments are interpolated from.
    fn cover(
        &self,
        chunk: &'t Chunk,
        (triangle, primitive): (&Triangle, u32),
        blocks: &mut Vec<CoveredBlock>,
    ) -> Setup<'t> {
        let geometry = &self.prepared.geometry;
        let n_varyings = self.prepared.draw.pipeline.varyings.len();
        let corners = triangle
            .vertices
            .map(|vertex| *chunk.vertex(&geometry.vertices, vertex));
        let mut planes = Planes::new(&corners);
        if geometry.corners() == 3 {
            planes.w2_depth[1] += self.bias(&planes, &corners);
        }
        let rect = self.tile.rect;
        let edge = self.targets.grid.tile_size.cast_signed();
        let cover = Cover {
            corners: &corners,
            planes: &planes,
            samples: sample_count(self.targets.samples),
            square: PixelRect {
                x0: rect.x0,
                y0: rect.y0,
                x1: rect.x0 + edge,
                y1: rect.y0 + edge,
            },
            within: self.prepared.within.intersect(rect),
            blocks,
        };
        if !cover.within.is_empty() {
            dispatch(self.backend, cover);
        }
        Setup {
            planes,
            varyings: triangle
                .vertices
                .map(|vertex| chunk.varyings(&geometry.vertices, n_varyings, vertex)),
            flats: geometry.flats(primitive as usize),
            front: triangle.front_facing,
            primitive: geometry.number(primitive as usize),
        }
    }

    /// Depth bias of a triangle (Vulkan 1.3, 28.13.3).
    fn bias(&self, planes: &Planes, corners: &[ScreenVertex; 3]) -> f32 {
        let Some(state) = &self.prepared.draw.pipeline.spec.depth_stencil else {
            return 0.0;
        };
        let bias = state.bias;
        if !bias.is_enabled() {
            return 0.0;
        }
        let [_, _, dx, dy] = planes.w2_depth;
        let slope = dx.abs().max(dy.abs());
        let unit = match self.depth_format() {
            Some(format) if format.has_fixed_depth() => 1.0 / 65536.0,
            _ => {
                let farthest = corners
                    .iter()
                    .map(|corner| corner.z.abs())
                    .fold(0.0, f32::max);
                // One step of the largest depth's exponent.
                let exponent = farthest.to_bits() & 0x7f80_0000;
                f32::from_bits(exponent) * f32::EPSILON
            }
        };
        let offset = slope * bias.slope_scale + unit * bias.constant as f32;
        match bias.clamp {
            clamp if clamp > 0.0 => offset.min(clamp),
            clamp if clamp < 0.0 => offset.max(clamp),
            _ => offset,
        }
    }

    /// Adds the quads of a block that are left after early tests.
    fn block(&mut self, block: &CoveredBlock) {
        let pipeline = self.prepared.draw.pipeline;
        let samples = self.targets.samples as usize;
        let [near, far] = self.prepared.viewport.depth;
        for quad in 0..4 {
            let [x, y] = [block.at[0] + 2 * (quad % 2), block.at[1] + quad / 2 * 2];
            let first = 4 * quad as usize;
            let mut found = Quad {
                setup: self.setups.len() as u32 - 1,
                at: [x, y],
                covered: [0; 4],
                depths: [[0.0; 4]; 4],
                names: [None; 4],
            };
            for sample in 0..samples {
                let masked = pipeline.spec.multisample.mask >> sample & 1 == 1;
                let covered = (block.samples.0[sample] >> first) as u8 & 0xf;
                found.covered[sample] = if masked { covered } else { 0 };
                for pixel in 0..4 {
                    let z = block.depths[sample][first + pixel];
                    found.depths[sample][pixel] = z.max(near.min(far)).min(near.max(far));
                }
            }
            if found.covered == [0; 4] {
                continue;
            }
            let covered = found.covered;
            if pipeline.tests == Tests::Early {
                self.test(&mut found);
            }
            self.note_quad(&mut found, covered);
            if found.covered != [0; 4] {
                self.quads.push(found);
            }
        }
    }
}
