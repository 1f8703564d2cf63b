//! What Rendering Elimination, Transaction Elimination and fragment memoization leave out of a game, and what that is worth:
//! the figures of Anglada et al., HPCA 2019, section V.
//!
//! Facts come from every frame; cycles and energies from the frames that go through three machines side by side. Of frames that
//! follow each other, the first [`WARM_UP`] fill caches and frame buffers and are not counted.

use serde::Serialize;

use crate::gpu::machine::MachineSpec;
use crate::gpu::memory::Traffic;
use crate::gpu::{BuildError, FrameError, FrameReport, Gpu};
use crate::technique::memoization::MemoTable;
use crate::technique::{RE, TE, Technique, machine_with};
use crate::trace::{FrameTrace, TileDigests};

/// Modelled frames that only fill both frame buffers.
const WARM_UP: u64 = 2;

/// Fewest frames of a game of which the machines can say anything: those that fill the frame buffers, and one that counts.
pub const LEAST_FRAMES: u64 = WARM_UP + 1;

/// Frames that count, behind those.
const PART: u64 = 2;

/// Whether frame number `frame` of `frames` goes through the machines if `counted` of them are to count: a few after each other, with
/// those that fill the frame buffers before them, from parts of the game that are spread evenly.
#[must_use]
pub fn is_modelled(frame: u64, frames: u64, counted: u64) -> bool {
    let counted = counted.min(frames);
    let parts = counted.div_ceil(PART);
    let is_in = |part: u64| {
        let start = part * frames / parts;
        let counts = PART.min(counted - part * PART);
        (start..start + WARM_UP + counts).contains(&frame)
    };
    frame < frames && (0..parts).any(is_in)
}

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
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
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

    fn add(&mut self, report: &FrameReport) {
        self.geometry_cycles += report.geometry_cycles.0;
        self.raster_cycles += report.raster_cycles.0;
        if let Some(energy) = &report.energy {
            self.gpu += energy.gpu.0;
            self.dram += energy.dram.0;
            let own = energy.parts.iter().filter(|part| part.name == "techniques");
            self.technique += own.map(|part| (part.dynamic + part.leakage).0).sum::<f64>();
        }
        let kinds = [
            Traffic::ParameterRead,
            Traffic::Texture,
            Traffic::ColorFlush,
        ];
        for (sum, kind) in self.raster_lines.iter_mut().zip(kinds) {
            *sum += report.dram.reads[kind] + report.dram.writes[kind];
        }
    }
}

/// Tiles of a game beside the frame before (Fig. 14a).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Game {
    /// Frames looked at.
    pub frames: u64,
    /// Frames that went through the machines and count.
    pub modelled_frames: u64,
    /// Tiles of these frames.
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
    machines: [Gpu; 3],
    /// Number of the last frame that went through them, and of frames that followed each other until then.
    sent: (Option<u64>, u64),
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
            sent: (None, 0),
            tables: [2048, 512].map(MemoTable::new),
            before: Vec::new(),
            first: None,
            game: Game::default(),
        })
    }

    /// Looks at the next frame, traced with fragment hashes.
    pub fn look(&mut self, frame: &FrameTrace) {
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

    /// Runs a frame through the three machines; it counts if enough came before it, one after the other.
    ///
    /// # Errors
    /// If a machine cannot execute it, which is an error of the model or of a technique.
    pub fn model(&mut self, frame: &FrameTrace) -> Result<(), StudyError> {
        let [baseline, re, te] = &mut self.machines;
        let (baseline, (re, te)) = rayon::join(
            || baseline.run_frame(frame),
            || rayon::join(|| re.run_frame(frame), || te.run_frame(frame)),
        );
        let reports = [baseline?, re?, te?];
        let (last, run) = self.sent;
        let follows = last.is_some_and(|last| last + 1 == frame.frame);
        let run = if follows { run + 1 } else { 1 };
        self.sent = (Some(frame.frame), run);
        if run > WARM_UP {
            self.game.modelled_frames += 1;
            self.game.modelled_tiles += u64::from(frame.grid.n_tiles());
            self.game.eliminated_tiles += reports[1].tiles_skipped();
            let Game {
                baseline, re, te, ..
            } = &mut self.game;
            for (spent, report) in [baseline, re, te].into_iter().zip(&reports) {
                spent.add(report);
            }
        }
        Ok(())
    }

    /// What has been seen so far.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.game
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

#[cfg(test)]
mod tests {
    use super::*;

    fn modelled(frames: u64, counted: u64) -> Vec<u64> {
        let all = 0..frames;
        all.filter(|frame| is_modelled(*frame, frames, counted))
            .collect()
    }

    #[test]
    fn study_models_parts_of_a_game_spread_evenly() {
        assert_eq!(
            modelled(50, 4),
            [0, 1, 2, 3, 25, 26, 27, 28],
            "two that count after two that fill the buffers, twice"
        );
        assert_eq!(modelled(50, 3), [0, 1, 2, 3, 25, 26, 27], "an odd number");
        assert_eq!(modelled(3, 1), [0, 1, 2], "as few as possible");
        assert_eq!(modelled(6, 4).len(), 6, "parts that touch are one");
        assert_eq!(modelled(6, u64::MAX).len(), 6, "no more than there are");
    }
}
