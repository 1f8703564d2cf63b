//! A device: runs passes over a memory.

use azulejo_grid::{Binning, TileId};
use azulejo_math::PixelRect;
use azulejo_render::geometry::Chunk;
use azulejo_render::tiling::{BinTest, BinnedChunk, TileEntry, TileLists, bin_chunk};
use azulejo_shader::Runner;
use azulejo_simd::{Backend, SimdLevel};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use wgpu_types::Extent3d;

use crate::attach::Targets;
use crate::bind::{Bound, Written};
use crate::copy::copy;
use crate::error::{Result, fault};
use crate::memory::{Memory, TextureId, TexturePlace};
use crate::pass::{Dispatch, Pass, PassDraw, RenderPass, ViewportRect};
use crate::run::{Binned, DrawRun, FragmentCounts, Prepared};
use crate::tile::{Stored, Tile};
use crate::vertex::{Geometry, sample_count};

/// Most workgroups along an axis, as WebGPU has them by default.
const MOST_ALONG: u32 = 65_535;

/// Most workgroups of a dispatch.
const MOST_WORKGROUPS: u64 = 1 << 24;

/// Tiles that are drawn before their content is written to memory.
const TILES_AT_ONCE: usize = 256;

/// Counts of a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassCounters {
    /// Edge of a tile, pixels; 0 of a pass without tiles.
    pub tile_size: u32,
    /// Vertices that programs ran for.
    pub vertices: u64,
    /// Triangles after culling and clipping.
    pub triangles: u64,
    /// Entries of the tiles' lists.
    pub tile_entries: u64,
    /// Quads that went to the fragment program, and those of passes without one.
    pub quads: u64,
    /// Fragments that programs ran for, helpers left out.
    pub fragments: u64,
    /// Samples that got a colour.
    pub samples_written: u64,
    /// Bytes that tiles loaded from attachments.
    pub loaded_bytes: u64,
    /// Bytes that they stored, resolved content included.
    pub stored_bytes: u64,
}

/// Runs passes: on so many threads, with one instruction set. Their results are the same for all of them.
#[derive(Debug)]
pub struct Device {
    pool: ThreadPool,
    backend: Backend,
}

impl Device {
    /// A device with so many threads, 0 for one a core.
    ///
    /// # Errors
    /// If the machine lacks the instruction set, or threads cannot be started.
    pub fn new(threads: usize, level: SimdLevel) -> Result<Self> {
        let backend = level.backend().map_err(|error| fault!("{error}"))?;
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self {
            pool: pool.map_err(|error| fault!("{error}"))?,
            backend,
        })
    }

    /// Runs passes one after the other; returns the counts of each.
    ///
    /// # Errors
    /// If one of them is not valid, or a program has no end: pass and draw are named. Passes before it have run.
    pub fn run(&self, memory: &mut Memory, passes: &[Pass<'_>]) -> Result<Vec<PassCounters>> {
        let run = |(number, pass): (usize, &Pass<'_>)| {
            let counters = match pass {
                Pass::Render(pass) => self.render(memory, pass),
                Pass::Compute(dispatches) => self.compute(memory, dispatches),
                Pass::Copy(content) => copy(memory, content).map(|()| PassCounters::default()),
            };
            counters.map_err(|error| error.within(format!("pass {number}")))
        };
        passes.iter().enumerate().map(run).collect()
    }

    fn compute(&self, memory: &mut Memory, dispatches: &[Dispatch<'_>]) -> Result<PassCounters> {
        for (number, dispatch) in dispatches.iter().enumerate() {
            let code = &dispatch.pipeline.code;
            let place = || format!("dispatch {number} (`{}`)", code.entry);
            let run = |memory: &mut Memory| {
                check_workgroups(dispatch.workgroups)?;
                let bound = Bound::new(memory, code, &dispatch.groups)?;
                let mut written = bound.take(memory)?;
                let done = self.dispatch(memory, dispatch, (&bound, &mut written));
                written.give_back(memory)?;
                done
            };
            run(memory).map_err(|error| error.within(place()))?;
        }
        Ok(PassCounters::default())
    }

    fn dispatch(
        &self,
        memory: &Memory,
        dispatch: &Dispatch<'_>,
        (bound, written): (&Bound, &mut Written),
    ) -> Result<()> {
        let code = &dispatch.pipeline.code;
        let (buffers, textures) = written.parts();
        let images = bound.images(memory, code, textures)?;
        let mut resources = bound.resources(memory, code, (buffers, &images))?;
        let runner = Runner::new(code, self.backend, &mut resources)?;
        Ok(runner.dispatch(dispatch.workgroups, &mut resources)?)
    }

    fn render(&self, memory: &mut Memory, pass: &RenderPass<'_>) -> Result<PassCounters> {
        let targets = Targets::new(memory, pass)?;
        self.pool.install(|| {
            let binned = self.geometry(memory, pass, &targets)?;
            let mut counters = PassCounters {
                tile_size: targets.grid.tile_size,
                vertices: binned
                    .draws
                    .iter()
                    .map(|draw| draw.geometry.n_vertices())
                    .sum(),
                triangles: binned
                    .chunks
                    .iter()
                    .map(|chunk| chunk.triangles.len() as u64)
                    .sum(),
                ..PassCounters::default()
            };
            count_bytes(&targets, &mut counters);
            let fragments = self.tiles(memory, &binned, &targets, &mut counters)?;
            counters.quads = fragments.quads;
            counters.fragments = fragments.invocations;
            counters.samples_written = fragments.samples_written;
            Ok(counters)
        })
    }

    /// Vertices of all draws to triangles in tiles.
    fn geometry<'p>(
        &self,
        memory: &mut Memory,
        pass: &'p RenderPass<'p>,
        targets: &Targets,
    ) -> Result<Binned<'p>> {
        let (mut draws, mut chunks) = (Vec::new(), Vec::new());
        for (number, draw) in pass.draws.iter().enumerate() {
            let entry = &draw.pipeline.spec.vertex.entry;
            let place =
                |error: crate::PassError| error.within(format!("draw {number} (`{entry}`)"));
            let prepared = self.prepare(memory, draw, targets).map_err(place)?;
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
            bin_chunk(
                chunk,
                &draws[chunk.draw as usize].geometry.vertices,
                test,
                &mut binned,
            );
            binned
        };
        let overlaps: Vec<BinnedChunk> = chunks.par_iter().map(bin).collect();
        let mut lists = TileLists::default();
        lists.fill(&targets.grid, &overlaps);
        Ok(Binned {
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
        &self,
        memory: &mut Memory,
        draw: &'p PassDraw<'p>,
        targets: &Targets,
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
            geometry: Geometry::new(memory, draw, (&viewport, self.backend))?,
            within: covered(&viewport).intersect(rect_of(scissor)),
            viewport,
            fragment,
            draw,
        })
    }

    /// Draws all tiles. Those of a pass whose programs write to memory are drawn one after the other.
    fn tiles(
        &self,
        memory: &mut Memory,
        binned: &Binned<'_>,
        targets: &Targets,
        counters: &mut PassCounters,
    ) -> Result<FragmentCounts> {
        let mut counts = FragmentCounts::default();
        let all: Vec<TileId> = (0..targets.grid.n_tiles()).map(TileId).collect();
        let writes = binned.writes();
        for some in all.chunks(if writes { 1 } else { TILES_AT_ONCE }) {
            let done: Vec<(Stored, FragmentCounts)> = if writes {
                vec![self.writing_tile(memory, binned, targets, some[0])?]
            } else {
                let memory = &*memory;
                let draw = |tile: &TileId| self.tile(memory, binned, targets, *tile);
                some.par_iter().map(draw).collect::<Result<_>>()?
            };
            for (stored, of_tile) in done {
                counts += of_tile;
                put(memory, targets, &stored)?;
            }
        }
        counters.tile_entries = all
            .iter()
            .map(|tile| binned.lists.entries(*tile).len() as u64)
            .sum();
        Ok(counts)
    }

    fn tile(
        &self,
        memory: &Memory,
        binned: &Binned<'_>,
        targets: &Targets,
        tile: TileId,
    ) -> Result<(Stored, FragmentCounts)> {
        let mut buffers = Tile::load(memory, targets, targets.grid.rect(tile))?;
        let counts = binned.sum_of_draws(tile, |prepared, entries| {
            let run = (prepared, entries, &mut Written::default());
            self.draw(memory, binned, (targets, &mut buffers), run)
        })?;
        Ok((buffers.store(targets), counts))
    }

    /// Draws a tile whose programs write to memory, which each draw takes while it runs.
    fn writing_tile(
        &self,
        memory: &mut Memory,
        binned: &Binned<'_>,
        targets: &Targets,
        tile: TileId,
    ) -> Result<(Stored, FragmentCounts)> {
        let mut buffers = Tile::load(memory, targets, targets.grid.rect(tile))?;
        let counts = binned.sum_of_draws(tile, |prepared, entries| {
            let mut written = match &prepared.fragment {
                Some(bound) => bound.take(memory)?,
                None => Written::default(),
            };
            let run = (prepared, entries, &mut written);
            let done = self.draw(memory, binned, (targets, &mut buffers), run);
            written.give_back(memory)?;
            done
        })?;
        Ok((buffers.store(targets), counts))
    }

    /// One draw's triangles of one tile.
    fn draw(
        &self,
        memory: &Memory,
        binned: &Binned<'_>,
        (targets, tile): (&Targets, &mut Tile),
        (prepared, entries, written): (&Prepared<'_>, &[TileEntry], &mut Written),
    ) -> Result<FragmentCounts> {
        let run = |program, tile, resources: Option<azulejo_shader::Resources<'_>>| {
            let mut run = DrawRun {
                prepared,
                targets,
                tile,
                backend: self.backend,
                program,
                setups: Vec::new(),
                quads: Vec::new(),
                counts: FragmentCounts::default(),
            };
            run.run(binned, entries, resources)?;
            Ok(run.counts)
        };
        let code = prepared.draw.pipeline.spec.fragment.as_ref();
        let (Some(code), Some(bound)) = (code, &prepared.fragment) else {
            return run(None, tile, None);
        };
        let (buffers, textures) = written.parts();
        let images = bound.images(memory, code, textures)?;
        let mut resources = bound.resources(memory, code, (buffers, &images))?;
        let runner = Runner::new(code, self.backend, &mut resources)?;
        let batch = runner.batch();
        run(Some((&runner, batch)), tile, Some(resources))
    }
}

impl<'p> Binned<'p> {
    /// Whether a fragment program writes to memory.
    fn writes(&self) -> bool {
        let mut bound = self.draws.iter().filter_map(|draw| draw.fragment.as_ref());
        bound.any(Bound::writes)
    }

    /// Counts of a tile's draws, each drawn by `draw`; a fault names it.
    fn sum_of_draws(
        &self,
        tile: TileId,
        mut draw: impl FnMut(&Prepared<'p>, &[TileEntry]) -> Result<FragmentCounts>,
    ) -> Result<FragmentCounts> {
        let mut counts = FragmentCounts::default();
        for (number, entries) in self.runs(tile) {
            counts += draw(&self.draws[number], entries)
                .map_err(|error| error.within(format!("draw {number}")))?;
        }
        Ok(counts)
    }

    /// A tile's triangles by draw.
    fn runs(&self, tile: TileId) -> impl Iterator<Item = (usize, &[TileEntry])> {
        let draw = |entry: &TileEntry| self.chunks[entry.chunk as usize].draw;
        let runs = self
            .lists
            .entries(tile)
            .chunk_by(move |a, b| draw(a) == draw(b));
        runs.map(move |entries| (draw(&entries[0]) as usize, entries))
    }
}

fn check_workgroups(workgroups: [u32; 3]) -> Result<()> {
    let all = workgroups.map(u64::from).iter().product::<u64>();
    if workgroups.iter().any(|&along| along > MOST_ALONG) || all > MOST_WORKGROUPS {
        return Err(fault!(
            "workgroups {workgroups:?}; expected at most {MOST_ALONG} along an axis, and {MOST_WORKGROUPS} in all"
        ));
    }
    Ok(())
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

/// Bytes that tiles of all the pass load and store.
fn count_bytes(targets: &Targets, counters: &mut PassCounters) {
    let pixels = u64::from(targets.grid.width) * u64::from(targets.grid.height);
    let samples = pixels * u64::from(targets.samples);
    for target in targets.colors.iter().flatten() {
        let bytes = target.view.format.bytes() as u64;
        if !matches!(target.ops.load, wgpu_types::LoadOp::Clear(_)) {
            counters.loaded_bytes += samples * bytes;
        }
        if target.stores() {
            counters.stored_bytes += samples * bytes;
        }
        if target.resolve.is_some() {
            counters.stored_bytes += pixels * bytes;
        }
    }
    if let Some(target) = &targets.depth_stencil {
        let [has_depth, has_stencil] = target.view.format.depth_stencil();
        let bytes = target.view.format.bytes() as u64;
        // Depth has four bytes in a format with both, stencil one.
        let depth_bytes = if has_depth { bytes.min(4) } else { 0 };
        let is_loaded = [
            target
                .depth
                .is_none_or(|ops| !matches!(ops.load, wgpu_types::LoadOp::Clear(_))),
            target
                .stencil
                .is_none_or(|ops| !matches!(ops.load, wgpu_types::LoadOp::Clear(_))),
        ];
        let is_stored = [
            target
                .depth
                .is_some_and(|ops| ops.store == wgpu_types::StoreOp::Store),
            target
                .stencil
                .is_some_and(|ops| ops.store == wgpu_types::StoreOp::Store),
        ];
        for (part, bytes) in [depth_bytes, u64::from(has_stencil)]
            .into_iter()
            .enumerate()
        {
            counters.loaded_bytes += u64::from(is_loaded[part]) * samples * bytes;
            counters.stored_bytes += u64::from(is_stored[part]) * samples * bytes;
        }
    }
}

/// Writes a tile's content to memory.
fn put(memory: &mut Memory, targets: &Targets, stored: &Stored) -> Result<()> {
    let PixelRect { x0, y0, .. } = stored.rect;
    for (view, content) in targets.stores().iter().zip(&stored.contents) {
        let place = TexturePlace {
            texture: view.texture,
            mip: view.first_mip,
            origin: view.place([x0.cast_unsigned(), y0.cast_unsigned(), 0]),
        };
        let size = Extent3d {
            width: stored.rect.width(),
            height: stored.rect.height(),
            depth_or_array_layers: 1,
        };
        let row_bytes = content.len() / size.height.max(1) as usize;
        let contents = content.chunks_exact(row_bytes.max(1));
        for ((_, row), content) in memory.rows_mut(place, size)?.into_iter().zip(contents) {
            row.copy_from_slice(content);
        }
    }
    Ok(())
}
