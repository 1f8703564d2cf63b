//! Geometry of a pass: its draws checked, their vertices run, their triangles listed by tile.

use std::sync::Arc;

use azulejo_grid::Binning;
use azulejo_math::PixelRect;
use azulejo_render::geometry::Chunk;
use azulejo_render::tiling::{BinTest, BinnedChunk, TileLists, bin_chunk};
use azulejo_shader::TracedCode;
use azulejo_simd::Backend;
use rayon::prelude::*;

use crate::attach::Targets;
use crate::bind::Bound;
use crate::error::{Result, fault};
use crate::memory::{Memory, TextureId};
use crate::observe::TracedPipeline;
use crate::pass::{PassDraw, RenderPass, ViewportRect};
use crate::run::{Binned, Prepared};
use crate::vertex::{Geometry, sample_count};

/// Programs that note their paths, of each draw of a pass; none if no trace is wanted.
pub(crate) type TracedPipelines = Option<Vec<Arc<TracedPipeline>>>;

/// Vertices of all draws to triangles in tiles.
pub(crate) fn bin<'p>(
    memory: &mut Memory,
    pass: &'p RenderPass<'p>,
    (targets, backend): (&Targets, Backend),
    traced: &TracedPipelines,
) -> Result<Binned<'p>> {
    let (mut draws, mut chunks) = (Vec::new(), Vec::new());
    for (number, draw) in pass.draws.iter().enumerate() {
        let entry = &draw.pipeline.spec.vertex.entry;
        let place = |error: crate::PassError| error.within(format!("draw {number} (`{entry}`)"));
        let traced = traced.as_ref().map(|traced| &traced[number].vertex);
        let prepared = prepare(memory, draw, (targets, backend), traced).map_err(place)?;
        chunks.extend(
            prepared
                .geometry
                .assemble(draw, number as u32, &prepared.viewport),
        );
        draws.push(prepared);
    }
    let test = BinTest {
        grid: targets.grid,
        binning: Binning::Exact,
        samples: sample_count(targets.samples),
    };
    let bin = |chunk: &Chunk| {
        let mut binned = BinnedChunk::default();
        let vertices = &draws[chunk.draw as usize].geometry.vertices;
        bin_chunk(chunk, vertices, test, &mut binned);
        binned
    };
    let overlaps: Vec<BinnedChunk> = chunks.par_iter().map(bin).collect();
    let mut lists = TileLists::default();
    lists.fill(&targets.grid, &overlaps);
    let mut n_triangles = 0;
    let firsts = chunks.iter().map(|chunk| {
        n_triangles += chunk.triangles.len() as u32;
        n_triangles - chunk.triangles.len() as u32
    });
    Ok(Binned {
        first_triangles: firsts.collect(),
        primitives: chunks
            .iter()
            .map(|chunk| primitives(chunk, &draws))
            .collect(),
        draws,
        chunks,
        lists,
    })
}

fn prepare<'p>(
    memory: &mut Memory,
    draw: &'p PassDraw<'p>,
    (targets, backend): (&Targets, Backend),
    traced: Option<&TracedCode>,
) -> Result<Prepared<'p>> {
    let spec = &draw.pipeline.spec;
    let vertex = Bound::new(memory, &spec.vertex, &draw.groups)?;
    let fragment = spec.fragment.as_ref();
    let fragment = fragment.map(|code| Bound::new(memory, code, &draw.groups));
    let fragment = fragment.transpose()?;
    let of_fragment = fragment.iter().flat_map(Bound::textures);
    let textures: Vec<TextureId> = vertex.textures().chain(of_fragment).collect();
    targets.check(draw, &textures)?;
    let (width, height) = (targets.grid.width, targets.grid.height);
    let viewport = draw.viewport.unwrap_or(ViewportRect {
        origin: [0.0; 2],
        size: [width as f32, height as f32],
        depth: [0.0, 1.0],
    });
    check_viewport(&viewport)?;
    let scissor = draw.scissor.unwrap_or([0, 0, width, height]);
    Ok(Prepared {
        geometry: Geometry::new(memory, draw, (&viewport, backend), traced)?,
        within: covered(&viewport).intersect(rect_of(scissor)),
        viewport,
        vertex,
        fragment,
        draw,
    })
}

/// Primitive of its draw that each triangle of a chunk comes from.
fn primitives(chunk: &Chunk, draws: &[Prepared<'_>]) -> Vec<u32> {
    let corners = draws[chunk.draw as usize].geometry.corners();
    let first = (chunk.first_index / corners) as u32;
    let of = (first..).zip(&chunk.binned_of);
    of.flat_map(|(number, &triangles)| std::iter::repeat_n(number, triangles.into()))
        .collect()
}

fn check_viewport(viewport: &ViewportRect) -> Result<()> {
    let ViewportRect {
        origin,
        size,
        depth,
    } = viewport;
    let is_within = |value: &f32, most: f32| (-most..=most).contains(value);
    let fits = origin.iter().all(|edge| is_within(edge, 16384.0))
        && size.iter().all(|edge| (0.0..=16384.0).contains(edge))
        && depth.iter().all(|z| (0.0..=1.0).contains(z));
    match fits {
        true => Ok(()),
        false => Err(fault!(
            "viewport {size:?} at {origin:?}, depths {depth:?}; expected at most 16384 pixels and depths of 0 to 1"
        )),
    }
}

/// Pixels whose centres lie in a viewport.
fn covered(viewport: &ViewportRect) -> PixelRect {
    let edge = |at: f32| (at - 0.5).ceil() as i32;
    let [x, y] = viewport.origin;
    let [width, height] = viewport.size;
    PixelRect {
        x0: edge(x),
        y0: edge(y),
        x1: edge(x + width),
        y1: edge(y + height),
    }
}

fn rect_of([x, y, width, height]: [u32; 4]) -> PixelRect {
    PixelRect {
        x0: x.cast_signed(),
        y0: y.cast_signed(),
        x1: (x + width).cast_signed(),
        y1: (y + height).cast_signed(),
    }
}
