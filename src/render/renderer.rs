//! The frame loop: draws in, picture out; owns the worker threads and all buffers that live from frame to frame.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::constants::frame_bytes;
use super::draw_list::DrawList;
use super::draws::Draw;
use super::elimination::{Signer, Signing};
use super::geometry::{Assembly, CHUNK_PRIMITIVES, Chunk, Cull, ShadedVertices, Viewport};
use super::output::{PatchRows, TileTarget, Transfer, resolve_tile};
use super::raster::observe::{CountingObserver, NullObserver, ObservedTile, TileObserver};
use super::raster::{RasterDraw, RasterUnit, TileScene};
use super::shading::FragmentProgram;
use super::tile_shares::TileShares;
use super::tiling::{BinTest, BinnedChunk, TileLists, bin_chunk};
use super::{ListedTriangle, Picture, Recording, RenderSettings};
use azulejo_grid::{TileGrid, TileId};
use azulejo_simd::{Backend, SimdLevel};
use azulejo_trace::{
    ATTRIBUTE_BYTES, DrawCounters, FrameCounters, GeometryCounters, RasterCounters, TileCounters,
};

/// Bytes of a worker's stack. A program with all that runs it is one function: compiled without optimisation, as a user's
/// own build may be, it keeps every value of sixteen lanes on the stack, which the usual 2 MiB do not hold.
const WORKER_STACK: usize = 64 << 20;

/// Pieces that work is cut into for each thread.
const PIECES_A_THREAD: usize = 16;

/// Why a renderer could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RendererError {
    /// The operating system refused.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Not on this machine.
    #[error(transparent)]
    Simd(#[from] azulejo_simd::UnavailableLevel),
}

/// Draws frames; keeps its buffers and worker threads from one to the next.
#[derive(Debug)]
pub struct Renderer {
    /// Once set, from any thread, the Raster Units take no more tiles: the frame under way is left unfinished. The thread
    /// that sets it throws that frame away and clears the flag again.
    pub interrupt: Arc<AtomicBool>,
    /// Tiles of the frame under way that are drawn, so that other threads can see how far a long frame is.
    pub tiles_drawn: Arc<AtomicU64>,
    pub(super) pool: rayon::ThreadPool,
    pub(super) backend: Backend,
    units: Vec<Mutex<RasterUnit>>,
    pub(super) vertices: Vec<ShadedVertices>,
    pub(super) chunks: Vec<Chunk>,
    binned: Vec<BinnedChunk>,
    pub(super) lists: TileLists,
    pub(super) signer: Signer,
    spare_pixels: Vec<[u8; 4]>,
    pub(super) frames_drawn: u64,
}

impl Renderer {
    /// A renderer of `threads` Raster Units; 0 takes one for each core.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or the machine lacks the SIMD level.
    pub fn new(threads: usize, simd: SimdLevel) -> Result<Self, RendererError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(WORKER_STACK)
            .build()?;
        let units = (0..pool.current_num_threads())
            .map(|_| Mutex::default())
            .collect();
        let backend = simd.backend()?;
        let (vertices, chunks, binned) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self {
            interrupt: Arc::default(),
            tiles_drawn: Arc::default(),
            pool,
            backend,
            units,
            vertices,
            chunks,
            binned,
            lists: TileLists::default(),
            signer: Signer::default(),
            spare_pixels: Vec::new(),
            frames_drawn: 0,
        })
    }

    /// Raster Units at work.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.units.len()
    }

    /// The instruction set at work; never [`SimdLevel::Auto`].
    #[must_use]
    pub fn simd(&self) -> SimdLevel {
        self.backend.level()
    }

    /// Takes back a picture that is no longer needed: the next frame is drawn into its memory.
    pub fn recycle(&mut self, picture: Picture) {
        self.spare_pixels = picture.pixels;
    }

    /// The triangles in a tile's list, in its order, as the last frame left them.
    #[must_use]
    pub fn listed(&self, tile: TileId) -> Vec<ListedTriangle> {
        let mut first_of_draw = vec![u32::MAX; self.vertices.len()];
        for chunk in &self.chunks {
            let first = &mut first_of_draw[chunk.draw as usize];
            *first = chunk.first_primitive.min(*first);
        }
        let entries = self.lists.entries(tile).iter();
        entries
            .map(|entry| {
                let chunk = &self.chunks[entry.chunk as usize];
                let triangle = chunk.triangles[entry.triangle as usize];
                let vertices = &self.vertices[chunk.draw as usize];
                let primitive = chunk.first_primitive + entry.triangle;
                ListedTriangle {
                    draw: chunk.draw,
                    primitive,
                    of_draw: primitive - first_of_draw[chunk.draw as usize],
                    corners: (triangle.vertices).map(|vertex| *chunk.vertex(vertices, vertex)),
                    front_facing: triangle.front_facing,
                }
            })
            .collect()
    }

    /// Frames whose tiles it has drawn, the one that was left unfinished included.
    #[must_use]
    pub fn frames_drawn(&self) -> u64 {
        self.frames_drawn
    }

    /// All tiles in the order of the settings, for a frame that is drawn now.
    pub(super) fn begin_order(&mut self, settings: &RenderSettings) -> Vec<TileId> {
        let drawn = self.frames_drawn;
        self.frames_drawn += 1;
        settings.tile_order.walk(&settings.grid(), drawn)
    }

    /// Tiles in this order, and what there is to count.
    pub(super) fn draw_tiles<P: FragmentProgram + Sync>(
        &self,
        list: &DrawList<'_, P>,
        recording: Recording,
        order: &[TileId],
        picture: &mut Picture,
    ) -> Option<FrameCounters> {
        match recording {
            Recording::Off => {
                self.run_raster(list, order, picture, &|_| NullObserver);
                None
            }
            Recording::Counters => {
                let observer = |_| CountingObserver::default();
                let tiles = self.run_raster(list, order, picture, &observer);
                Some(self.collect(&list.draws, list.settings.grid(), &tiles))
            }
        }
    }

    /// A picture to draw into, in recycled memory if there is some.
    pub(super) fn picture(&mut self, grid: &TileGrid) -> Picture {
        let mut picture = Picture {
            pixels: std::mem::take(&mut self.spare_pixels),
            ..Picture::default()
        };
        picture.resize(grid);
        picture
    }

    /// Vertices to triangles on the screen.
    pub(super) fn run_geometry<P: FragmentProgram + Sync>(&mut self, list: &DrawList<'_, P>) {
        let (draws, settings) = (&list.draws, &list.settings);
        let Self {
            pool,
            backend,
            vertices,
            chunks,
            ..
        } = self;
        let viewport = Viewport::of_screen(settings.width, settings.height);
        vertices.resize_with(draws.len(), ShadedVertices::default);
        lay_out_chunks(draws, chunks);
        pool.install(|| {
            vertices
                .par_iter_mut()
                .with_max_len(piece(draws.len()))
                .zip(draws)
                .for_each(|(vertices, draw)| {
                    vertices.shade(&draw.vertex_program(), &viewport, *backend);
                });
            let most = piece(chunks.len());
            chunks.par_iter_mut().with_max_len(most).for_each(|chunk| {
                let (draw, vertices) =
                    (&draws[chunk.draw as usize], &vertices[chunk.draw as usize]);
                chunk.assemble(&Assembly {
                    cull: if draw.double_sided {
                        Cull::None
                    } else {
                        Cull::Back
                    },
                    mirrored: draw.mirrored(),
                    samples: settings.samples,
                    ..draw.vertex_program().assembly(vertices, viewport)
                });
            });
        });
    }

    /// Triangles to per-tile lists, and signatures of what is in them.
    pub(super) fn run_tiling<P: FragmentProgram + Sync>(
        &mut self,
        list: &DrawList<'_, P>,
        signing: Signing<'_>,
    ) {
        let (draws, grid) = (&list.draws, list.settings.grid());
        let test = BinTest {
            grid,
            binning: list.settings.binning,
            samples: list.settings.samples,
        };
        let Self {
            pool,
            vertices,
            chunks,
            binned,
            lists,
            signer,
            ..
        } = self;
        binned.resize_with(chunks.len(), BinnedChunk::default);
        pool.install(|| {
            let most = piece(chunks.len());
            let tasks = chunks.par_iter_mut().zip(&mut *binned);
            tasks.with_max_len(most).for_each(|(chunk, binned)| {
                let vertices = &vertices[chunk.draw as usize];
                let layout = draws[chunk.draw as usize].program.varyings();
                bin_chunk(chunk, vertices, test, binned);
                let attributes = u64::from(layout.attributes());
                chunk.counters.tile_entries = binned.overlaps.len() as u64;
                chunk.counters.parameter_buffer_bytes =
                    chunk.counters.primitives_binned * attributes * ATTRIBUTE_BYTES;
            });
            match signing {
                Signing::Off => lists.fill(&grid, binned),
                Signing::On(draws) => {
                    // Lists are filled by one thread: others may sign the triangles meanwhile.
                    rayon::join(
                        || lists.fill(&grid, binned),
                        || signer.sign_triangles(draws, vertices, chunks),
                    );
                    signer.sign_tiles(&frame_bytes(&list.settings), draws, chunks, lists, &grid);
                }
            }
        });
        let mut n_primitives = 0;
        for chunk in chunks {
            chunk.first_primitive = n_primitives;
            n_primitives += chunk.triangles.len() as u32;
        }
    }

    /// Lists to pixels: each Raster Unit draws its share of this order, then what others have left. Observers come by tile
    /// number.
    pub(super) fn run_raster<P: FragmentProgram + Sync, O: TileObserver>(
        &self,
        list: &DrawList<'_, P>,
        order: &[TileId],
        picture: &mut Picture,
        observer: &(impl Fn(TileId) -> O + Sync),
    ) -> Vec<ObservedTile<O>> {
        if order.is_empty() {
            return Vec::new();
        }
        let grid = list.settings.grid();
        let mut rows = PatchRows::new(&mut picture.pixels, grid);
        let targets = rows.targets();
        let transfer = Transfer::new(&list.settings);
        let flush = |tile, unit: &RasterUnit, drawn| {
            targets.write(tile, |target: &mut TileTarget<'_, '_>| {
                resolve_tile(self.backend, &unit.buffers, drawn, &transfer, target);
            });
        };
        self.run_tiles(list, order, observer, &|tile| targets.expect(tile), &flush)
    }

    /// Draws lists to tile buffers, which `flush` takes, with whether anything was drawn. `expect` is called for each tile
    /// before that is drawn.
    pub(super) fn run_tiles<P: FragmentProgram + Sync, O: TileObserver>(
        &self,
        list: &DrawList<'_, P>,
        order: &[TileId],
        observer: &(impl Fn(TileId) -> O + Sync),
        expect: &(impl Fn(TileId) + Sync),
        flush: &(impl Fn(TileId, &RasterUnit, bool) + Sync),
    ) -> Vec<ObservedTile<O>> {
        let raster_draws = raster_draws::<P, O>(list, &self.vertices);
        let scene = TileScene {
            grid: list.settings.grid(),
            draws: &raster_draws,
            chunks: &self.chunks,
            lists: &self.lists,
            samples: list.settings.samples,
        };
        let kernels = list.kernels.on(self.backend);
        let shares = TileShares::new(order, self.units.len());
        self.tiles_drawn.store(0, Ordering::Relaxed);
        let observed = self.pool.broadcast(|context| {
            let mut observed = Vec::new();
            let mut unit = lock(&self.units[context.index()]);
            while let Some(tiles) = shares.next(context.index()) {
                for &tile in tiles {
                    if self.interrupt.load(Ordering::Relaxed) {
                        return observed;
                    }
                    expect(tile);
                    let mut observer = observer(tile);
                    let drawn = unit.draw_tile(kernels, &scene, tile, &mut observer);
                    flush(tile, &unit, drawn);
                    if O::RECORDS {
                        observed.push(ObservedTile { tile, observer });
                    }
                    self.tiles_drawn.fetch_add(1, Ordering::Relaxed);
                }
            }
            observed
        });
        let mut observed: Vec<_> = observed.into_iter().flatten().collect();
        observed.sort_by_key(|observed| observed.tile);
        observed
    }

    /// Sums up what chunks and tiles counted.
    pub(super) fn collect<P>(
        &self,
        draws: &[Draw<'_, P>],
        grid: TileGrid,
        tiles: &[ObservedTile<CountingObserver>],
    ) -> FrameCounters {
        let mut counters = no_counters(draws, grid);
        for (draw, vertices) in counters.draws.iter_mut().zip(&self.vertices) {
            draw.geometry.vertices_shaded = vertices.screen.len() as u64;
        }
        for chunk in &self.chunks {
            counters.draws[chunk.draw as usize].geometry += chunk.counters;
        }
        for tile in (0..grid.n_tiles()).map(TileId) {
            let list_bytes = TileLists::list_bytes(self.lists.entries(tile).len()).0;
            counters.geometry.parameter_buffer_bytes += list_bytes;
        }
        for ObservedTile { tile, observer } in tiles {
            for run in &observer.draws {
                counters.draws[run.draw as usize].raster += run.counters;
            }
            let mut tile_counters = observer.tile();
            let list_bytes = TileLists::list_bytes(self.lists.entries(*tile).len()).0;
            tile_counters.parameter_buffer_bytes += list_bytes;
            counters.raster += tile_counters.raster;
            counters.tiles[tile.0 as usize] = tile_counters;
        }
        for draw in &counters.draws {
            counters.geometry += draw.geometry;
        }
        counters
    }
}

/// The draws as Raster Units see them; fields for an observer are computed only for one.
fn raster_draws<'a, P: FragmentProgram, O: TileObserver>(
    list: &'a DrawList<'_, P>,
    vertices: &'a [ShadedVertices],
) -> Vec<RasterDraw<'a, P>> {
    let states = if O::EVERY_QUAD {
        list.states()
    } else {
        Vec::new()
    };
    let draws = list.draws.iter().zip(vertices).enumerate();
    draws
        .map(|(number, (draw, vertices))| {
            let layout = draw.program.varyings();
            RasterDraw {
                program: &draw.program,
                mode: draw.mode,
                depth: draw.depth,
                vertices,
                n_varyings: usize::from(layout.len),
                state: states.get(number).map_or(0, |state| state.crc()),
                texture_samples: if O::RECORDS {
                    (list.kernels.count_texture_instructions)(&draw.program)
                } else {
                    0
                },
                triangle_bytes: u64::from(layout.attributes()) * ATTRIBUTE_BYTES,
            }
        })
        .collect()
}

/// The counters of a frame of which nothing was done.
pub(super) fn no_counters<P>(draws: &[Draw<'_, P>], grid: TileGrid) -> FrameCounters {
    let draws = draws.iter().map(|draw| DrawCounters {
        name: draw.name.to_string(),
        ..Default::default()
    });
    FrameCounters {
        grid,
        geometry: GeometryCounters::default(),
        raster: RasterCounters::default(),
        draws: draws.collect(),
        tiles: vec![TileCounters::default(); grid.n_tiles() as usize],
    }
}

/// Largest number of draws or chunks of these `n` in one piece of work. Rayon alone cuts work into about two pieces a
/// thread, and the last of them, which one thread does while all others wait, may be a quarter of it.
fn piece(n: usize) -> usize {
    n.div_ceil(PIECES_A_THREAD * rayon::current_num_threads())
        .max(1)
}

/// Cuts every draw into chunks; buffers are reused.
fn lay_out_chunks<P>(draws: &[Draw<'_, P>], chunks: &mut Vec<Chunk>) {
    let mut n_chunks = 0;
    for (number, draw) in draws.iter().enumerate() {
        let step = CHUNK_PRIMITIVES * draw.primitive.topology.vertices();
        for first_index in (0..draw.primitive.indices.len()).step_by(step) {
            if n_chunks == chunks.len() {
                chunks.push(Chunk::default());
            }
            chunks[n_chunks].reset(number as u32, first_index);
            n_chunks += 1;
        }
    }
    chunks.truncate(n_chunks);
}

/// No holder of these locks panics half-way through a write that matters: every frame starts from a cleared state.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileOrder;

    #[test]
    fn alternating_order_turns_with_every_frame_that_is_drawn() {
        let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("threads");
        let mut orders = Vec::new();
        for frame in [0, 2, 10, 11] {
            let settings = RenderSettings {
                tile_order: TileOrder::BOUSTROPHEDONIC,
                frame,
                ..RenderSettings::default()
            };
            orders.push(renderer.begin_order(&settings));
        }
        let mut backwards = orders[0].clone();
        backwards.reverse();
        assert_eq!(orders[1], backwards, "back");
        assert_eq!(orders[2], orders[0], "there, whatever the frame's number");
        assert_eq!(orders[3], backwards, "and back");
        assert_eq!(renderer.frames_drawn(), 4, "are counted");
    }
}
