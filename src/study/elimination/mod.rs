//! Work that Rendering Elimination, Transaction Elimination and fragment memoization leave out of a game, and its worth:
//! the figures of Anglada et al., HPCA 2019, section V.
//!
//! Facts come from every frame; cycles and energies from the frames that go through three machines side by side, each as
//! often as the number of frames that it stands for.

mod figures;
mod study;

use serde::{Deserialize, Serialize};

pub use figures::{FIGURES, trends};
pub(super) use study::LEAST;
pub use study::RE_STUDY;

use crate::sampling::{ELIMINATION_WARM_UP, FRAME_BUFFERS, Observer};
use azulejo_gpu::energy::EnergyReport;
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::{BuildError, FrameError, FrameReport, Gpu};
use azulejo_technique::memoization::MemoTable;
use azulejo_technique::{RE, TE, Technique, machine_with};
use azulejo_trace::{FrameTrace, TileDigests};

/// Fewest frames of a game with any result of the machines: those that fill the frame buffers, and one that counts.
pub const LEAST_FRAMES: u64 = FRAME_BUFFERS + 1;

/// Error that ends a study.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// The machine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A machine cannot go on.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

/// Cycles, energies and accesses of one machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Cycles of the Geometry Pipeline and tiling.
    pub geometry_cycles: u64,
    /// Cycles of the Raster Pipeline.
    pub raster_cycles: u64,
    /// Energy of the GPU in pJ.
    pub gpu: f64,
    /// Energy of main memory in pJ.
    pub dram: f64,
    /// Energy of the technique's own hardware in pJ; part of `gpu`.
    pub technique: f64,
    /// DRAM lines of the Raster Pipeline: Parameter Buffer reads, texels, colour flushes.
    pub raster_lines: [u64; 3],
    /// DRAM lines of all kinds, read and written.
    pub dram_lines: u64,
    /// Lines that the first-level caches asked of the L2 or wrote to it.
    pub l2_accesses: u64,
    /// Accesses of the tile cache.
    pub tile_cache_accesses: u64,
    /// Accesses of texture caches that did not hit.
    pub texture_misses: u64,
}

impl Spent {
    /// Cycles of both pipelines.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.geometry_cycles + self.raster_cycles
    }

    /// Energy of GPU and memory in pJ.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.gpu + self.dram
    }

    /// Cost of a single frame.
    pub(super) fn of(report: &FrameReport) -> Self {
        let energy = report.energy.as_ref();
        let own = |energy: &EnergyReport| {
            let own = energy.techniques.iter();
            own.map(|part| part.total().0).sum()
        };
        let lines = |kind| report.dram.reads[kind] + report.dram.writes[kind];
        let textures = report.cores.iter().map(|core| core.texture);
        Self {
            geometry_cycles: report.geometry_cycles.0,
            raster_cycles: report.raster_cycles.0,
            gpu: energy.map_or(0.0, |energy| energy.gpu.0),
            dram: energy.map_or(0.0, |energy| energy.dram.0),
            technique: energy.map_or(0.0, own),
            raster_lines: [
                Traffic::ParameterRead,
                Traffic::Texture,
                Traffic::ColorFlush,
            ]
            .map(lines),
            dram_lines: report.dram.reads.total() + report.dram.writes.total(),
            l2_accesses: report.l2.reads.total() + report.l2.writes.total(),
            tile_cache_accesses: report.tile_cache.accesses(),
            texture_misses: textures
                .map(|texture| texture.accesses - texture.hits)
                .sum(),
        }
    }

    /// Adds a frame that stands for `times`.
    pub(super) fn add(&mut self, frame: &Self, times: u64) {
        self.geometry_cycles += times * frame.geometry_cycles;
        self.raster_cycles += times * frame.raster_cycles;
        self.gpu += times as f64 * frame.gpu;
        self.dram += times as f64 * frame.dram;
        self.technique += times as f64 * frame.technique;
        for (sum, lines) in self.raster_lines.iter_mut().zip(frame.raster_lines) {
            *sum += times * lines;
        }
        self.dram_lines += times * frame.dram_lines;
        self.l2_accesses += times * frame.l2_accesses;
        self.tile_cache_accesses += times * frame.tile_cache_accesses;
        self.texture_misses += times * frame.texture_misses;
    }
}

/// Comparison of a game's tiles with those of the frame before (Fig. 14a).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tiles {
    /// Tiles compared with the frame before.
    pub all: u64,
    /// Tiles of equal inputs and equal colours.
    pub equal: u64,
    /// Tiles of other inputs and equal colours: false negatives.
    pub equal_colors_only: u64,
    /// Tiles of equal inputs and other colours, of which there must be none.
    pub equal_inputs_only: u64,
    /// Tiles of equal signatures and other inputs: false positives.
    pub collisions: u64,
}

/// Fragments of a game, shaded, eliminated and reused (Fig. 15).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fragments {
    /// Fragments that run the program.
    pub all: u64,
    /// Fragments among `all` in tiles whose inputs are those of the frame two before.
    pub eliminated: u64,
    /// Fragments looked up by memoization.
    pub asked: u64,
    /// Fragments among `asked` found in a table of 2048 entries.
    pub reused_2048: u64,
    /// Fragments among `asked` found in a table of 512 entries.
    pub reused_512: u64,
}

/// Measured game: its facts, and its cost on three machines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Frames whose facts were counted.
    pub frames: u64,
    /// Frames that went through the machines and count.
    pub modelled_frames: u64,
    /// Frames that the modelled ones stand for. All sums of machines below are over as many frames.
    pub stands_for: u64,
    /// Tiles of the frames that the modelled ones stand for.
    pub modelled_tiles: u64,
    /// Tiles among them left out by Rendering Elimination.
    pub eliminated_tiles: u64,
    /// Tiles compared with the frame before.
    pub tiles: Tiles,
    /// Fragments shaded, and those spared.
    pub fragments: Fragments,
    /// Cost on the machine without techniques.
    pub baseline: Spent,
    /// Cost on the machine with Rendering Elimination.
    pub re: Spent,
    /// Cost on the machine with Transaction Elimination.
    pub te: Spent,
}

/// Game under study: the machines and tables that its frames go through.
#[derive(Debug)]
pub struct GameStudy {
    /// Machines: the baseline, with Rendering Elimination, with Transaction Elimination.
    machines: [Gpu; 3],
    tables: [MemoTable; 2],
    /// Digests of the last two frames, the later one behind.
    before: Vec<Vec<TileDigests>>,
    /// First frame of a pair.
    first: Option<FrameTrace>,
    game: Game,
}

impl GameStudy {
    /// Returns the study before its first frame.
    ///
    /// # Errors
    /// If the machine cannot be built.
    pub fn new(machine: &MachineSpec) -> Result<Self, StudyError> {
        let with = |techniques: &[&Technique]| machine_with(machine, techniques);
        Ok(Self {
            machines: [with(&[])?, with(&[&RE])?, with(&[&TE])?],
            tables: [2048, 512].map(MemoTable::new),
            before: Vec::new(),
            first: None,
            game: Game::default(),
        })
    }

    /// Counts the facts of the next frame.
    fn compare(&mut self, frame: &FrameTrace) {
        self.game.frames += 1;
        let now: Vec<_> = frame.tiles.iter().map(|tile| tile.digests).collect();
        if let Some(last) = self.before.last() {
            for (before, now) in last.iter().zip(&now) {
                self.game.tiles.add(before, now);
            }
        }
        let buffer = self.before.len().checked_sub(2);
        let buffer = buffer.map(|at| &self.before[at]);
        for (number, tile) in frame.tiles.iter().enumerate() {
            let live = tile.quads.iter().map(|quad| quad.live().count_ones());
            let fragments = u64::from(live.sum::<u32>());
            self.game.fragments.all += fragments;
            let held = buffer.is_some_and(|tiles| tiles[number].inputs == tile.digests.inputs);
            self.game.fragments.eliminated += if held { fragments } else { 0 };
        }
        self.before.push(now);
        if self.before.len() > 2 {
            self.before.remove(0);
        }
        self.memoize(frame);
    }

    fn memoize(&mut self, frame: &FrameTrace) {
        let Some(first) = self.first.take() else {
            self.first = Some(frame.clone());
            return;
        };
        for table in &mut self.tables {
            table.draw_pair(&first, frame);
        }
        let [large, small] = self.tables.each_ref().map(MemoTable::reuse);
        self.game.fragments.asked = large.fragments;
        self.game.fragments.reused_2048 = large.reused;
        self.game.fragments.reused_512 = small.reused;
    }

    /// Measurements of the frames so far.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.game
    }
}

/// Observer of frames that are traced with fragment hashes.
impl Observer for GameStudy {
    type Error = StudyError;
    const WARM_UP: u64 = ELIMINATION_WARM_UP;

    fn look(&mut self, frame: &FrameTrace) {
        self.compare(frame);
    }

    fn model(&mut self, frame: &FrameTrace, stands_for: u64) -> Result<(), StudyError> {
        let [baseline, re, te] = &mut self.machines;
        let (baseline, (re, te)) = rayon::join(
            || baseline.run_frame(frame),
            || rayon::join(|| re.run_frame(frame), || te.run_frame(frame)),
        );
        let reports = [baseline?, re?, te?];
        if stands_for == 0 {
            return Ok(());
        }
        self.game.modelled_frames += 1;
        self.game.stands_for += stands_for;
        self.game.modelled_tiles += stands_for * u64::from(frame.grid.n_tiles());
        self.game.eliminated_tiles += stands_for * reports[1].tiles_skipped();
        let Game {
            baseline, re, te, ..
        } = &mut self.game;
        for (spent, report) in [baseline, re, te].into_iter().zip(&reports) {
            spent.add(&Spent::of(report), stands_for);
        }
        Ok(())
    }
}

impl Tiles {
    fn add(&mut self, before: &TileDigests, now: &TileDigests) {
        let inputs = before.inputs == now.inputs;
        let colors = before.color_crc == now.color_crc;
        self.all += 1;
        self.equal += u64::from(inputs && colors);
        self.equal_colors_only += u64::from(!inputs && colors);
        self.equal_inputs_only += u64::from(inputs && !colors);
        self.collisions += u64::from(!inputs && before.input_crc == now.input_crc);
    }
}
