//! What Rendering Elimination, Transaction Elimination and fragment memoization leave out of a game, and what that is worth:
//! the figures of Anglada et al., HPCA 2019, section V.
//!
//! Facts come from every frame; cycles and energies from the frames that go through three machines side by side, each as often as
//! the number of frames that it stands for.

mod figures;

use serde::{Deserialize, Serialize};

pub use figures::{FIGURES, trends};

use crate::gpu::energy::EnergyReport;
use crate::gpu::machine::MachineSpec;
use crate::gpu::memory::Traffic;
use crate::gpu::{BuildError, FrameError, FrameReport, Gpu};
use crate::study::sampling::{ELIMINATION_WARM_UP, FRAME_BUFFERS, Observer};
use crate::technique::memoization::MemoTable;
use crate::technique::{RE, TE, Technique, machine_with};
use crate::trace::{FrameTrace, TileDigests};

/// Fewest frames of a game of which the machines can say anything: those that fill the frame buffers, and one that counts.
pub const LEAST_FRAMES: u64 = FRAME_BUFFERS + 1;

/// A study that cannot go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// The machine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A machine cannot go on.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

/// What one machine spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Of the Geometry Pipeline and tiling.
    pub geometry_cycles: u64,
    /// Of the Raster Pipeline.
    pub raster_cycles: u64,
    /// Energy of the GPU in pJ.
    pub gpu: f64,
    /// Energy of main memory in pJ.
    pub dram: f64,
    /// Energy of what the technique brings along in pJ; part of `gpu`.
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

    /// GPU and memory in pJ.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.gpu + self.dram
    }

    /// What a frame cost.
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

/// Tiles of a game beside the frame before (Fig. 14a).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tiles {
    /// Tiles compared with the frame before.
    pub all: u64,
    /// Equal inputs, equal colours.
    pub equal: u64,
    /// Other inputs, equal colours: false negatives.
    pub equal_colors_only: u64,
    /// Equal inputs, other colours, of which there must be none.
    pub equal_inputs_only: u64,
    /// Equal signatures, other inputs: false positives.
    pub collisions: u64,
}

/// Fragments of a game (Fig. 15).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fragments {
    /// That run the program.
    pub all: u64,
    /// Of these, in tiles whose inputs are those of the frame two before.
    pub eliminated: u64,
    /// Fragments that memoization saw.
    pub asked: u64,
    /// Of these, found in a table of 2048 entries.
    pub reused_2048: u64,
    /// Of these, found in a table of 512 entries.
    pub reused_512: u64,
}

/// A game, measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Frames looked at.
    pub frames: u64,
    /// Frames that went through the machines and count.
    pub modelled_frames: u64,
    /// Frames that these stand for. All that follows of machines is of so many frames.
    pub stands_for: u64,
    /// Their tiles.
    pub modelled_tiles: u64,
    /// Of these, left out by Rendering Elimination.
    pub eliminated_tiles: u64,
    /// Beside the frame before.
    pub tiles: Tiles,
    /// Shaded, and spared.
    pub fragments: Fragments,
    /// Cost on the machine without techniques.
    pub baseline: Spent,
    /// With Rendering Elimination.
    pub re: Spent,
    /// With Transaction Elimination.
    pub te: Spent,
}

/// A game under study.
#[derive(Debug)]
pub struct GameStudy {
    /// The baseline, with Rendering Elimination, with Transaction Elimination.
    machines: [Gpu; 3],
    tables: [MemoTable; 2],
    /// Digests of the last two frames, the later one behind.
    before: Vec<Vec<TileDigests>>,
    /// The first frame of a pair.
    first: Option<FrameTrace>,
    game: Game,
}

impl GameStudy {
    /// Nothing seen yet.
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

    /// Looks at the next frame.
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

    /// What has been seen so far.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.game
    }
}

/// Frames are traced with fragment hashes.
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
