//! Measurements of one game: frames in, counts of both directions out.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use azulejo_gpu::cache::{
    CachePolicy, CacheReplay, CacheReport, CacheSpec, CacheSpecError, ReuseAnalysis, ReuseReport,
    StreamError, StreamEvent, StreamFull,
};
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::memory::{L2Recording, Traffic, TrafficCounts};
use azulejo_gpu::{BuildError, FrameError, FrameReport, Gpu};
use azulejo_technique::{BOUSTRO, Technique, machine_with};
use azulejo_trace::FrameTrace;

/// Frames that only fill the caches.
const WARM_UP: u64 = 1;

/// Fewest frames of a game that say anything: one that fills the caches, and one each way.
pub const LEAST_BOUSTRO_FRAMES: u64 = WARM_UP + 2;

/// Techniques that set the direction of a machine's frames: forward, reversed.
const DIRECTIONS: [&[&Technique]; 2] = [&[], &[&BOUSTRO]];

/// Units whose energy is the memory hierarchy's, beside the DRAM.
const HIERARCHY: [&str; 4] = ["vertex cache", "tile cache", "texture caches", "L2"];

/// Error that ends the study of a game.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BoustroError {
    /// The machine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A machine cannot go on.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The L2 has no shape that can be replayed.
    #[error(transparent)]
    Cache(#[from] CacheSpecError),
    /// A stream is too long to be kept.
    #[error("{0}; take fewer frames")]
    Full(#[from] StreamFull),
    /// A recording cannot be read.
    #[error("recorded stream: {0}")]
    Stream(#[from] StreamError),
}

/// L2 misses of texels alone, by policy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misses {
    /// Texture accesses to the L2.
    pub accesses: u64,
    /// Misses when the least recently used line leaves.
    pub lru: u64,
    /// Misses when the most recently used line leaves.
    pub mru: u64,
    /// Misses of Belady's optimum.
    pub opt: u64,
    /// Misses of the optimum that may leave lines out.
    pub opt_bypass: u64,
}

/// Counts of a game in one direction, or there and back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Direction {
    /// Cycles of all frames that count.
    pub cycles: u64,
    /// Lines to and from DRAM, by kind.
    pub dram: TrafficCounts,
    /// Reads that the L2 missed in the machine, by kind.
    pub l2_misses: TrafficCounts,
    /// Energy of the GPU, pJ; 0 where the machine has no energy model.
    pub gpu_energy: f64,
    /// Energy of caches and DRAM, pJ; 0 where the machine has no energy model.
    pub memory_energy: f64,
    /// Misses of the stream that a machine sends its L2 whose other first-level caches always hit (section V-A), replayed.
    pub misses: Misses,
    /// Reuse of lines in the stream.
    pub reuse: ReuseReport,
}

/// Measured game: both directions, and the L2 that they ran on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoustroGame {
    /// Frames that count: all but those that fill the caches.
    pub frames: u64,
    /// Size of the L2 in bytes.
    pub l2_bytes: u64,
    /// Associativity of the L2: lines in a set.
    pub l2_ways: u32,
    /// Counts with every frame walked alike.
    pub forward: Direction,
    /// Counts with every second frame backwards.
    pub reversed: Direction,
}

/// Machine with the recording of its L2, and its sums.
#[derive(Debug)]
struct Run {
    gpu: Gpu,
    recording: Arc<Mutex<L2Recording>>,
    cycles: u64,
    dram: TrafficCounts,
    l2_misses: TrafficCounts,
    gpu_energy: f64,
    memory_energy: f64,
}

/// Game under study: the machines that its frames go through.
#[derive(Debug)]
pub struct BoustroStudy {
    l2: CacheSpec,
    /// Runs of the machine forward and reversed, and then with ideal first-level caches.
    runs: [Run; 4],
    frames: u64,
}

impl BoustroStudy {
    /// Returns the study before its first frame.
    ///
    /// # Errors
    /// If the machine cannot be built.
    pub fn new(machine: &MachineSpec) -> Result<Self, BoustroError> {
        let ideal = with_ideal_l1s(machine);
        let [forward, reversed] = DIRECTIONS;
        Ok(Self {
            l2: machine.l2.tags,
            runs: [
                Run::new(machine, forward)?,
                Run::new(machine, reversed)?,
                Run::new(&ideal, forward)?,
                Run::new(&ideal, reversed)?,
            ],
            frames: 0,
        })
    }

    /// Sends the next frame through all machines.
    ///
    /// # Errors
    /// If a machine cannot go on.
    pub fn model(&mut self, frame: &FrameTrace) -> Result<(), BoustroError> {
        let counts = self.frames >= WARM_UP;
        let model = |run: &mut Run| -> Result<(), FrameError> {
            let report = run.gpu.run_frame(frame)?;
            if counts {
                run.add(&report);
            }
            Ok(())
        };
        let results: Vec<_> = self.runs.par_iter_mut().map(model).collect();
        results.into_iter().collect::<Result<(), _>>()?;
        self.frames += 1;
        Ok(())
    }

    /// Returns the measurements of the frames so far.
    ///
    /// # Errors
    /// If a stream is too long to be replayed.
    pub fn game(self) -> Result<BoustroGame, BoustroError> {
        let [forward, reversed, ideal_forward, ideal_reversed] = self.runs;
        Ok(BoustroGame {
            frames: self.frames.saturating_sub(WARM_UP),
            l2_bytes: self.l2.size.0,
            l2_ways: self.l2.ways,
            forward: forward.direction(&ideal_forward, self.l2)?,
            reversed: reversed.direction(&ideal_reversed, self.l2)?,
        })
    }
}

impl Run {
    fn new(machine: &MachineSpec, techniques: &[&Technique]) -> Result<Self, BoustroError> {
        let mut gpu = machine_with(machine, techniques)?;
        let recording = Arc::new(Mutex::new(L2Recording::new(gpu.l2_stream_header())));
        gpu.observe_l2(Arc::clone(&recording));
        Ok(Self {
            gpu,
            recording,
            cycles: 0,
            dram: TrafficCounts::default(),
            l2_misses: TrafficCounts::default(),
            gpu_energy: 0.0,
            memory_energy: 0.0,
        })
    }

    fn add(&mut self, report: &FrameReport) {
        self.cycles += report.cycles.0;
        self.dram += report.dram.reads;
        self.dram += report.dram.writes;
        self.l2_misses += report.l2.read_misses;
        if let Some(energy) = &report.energy {
            let caches = energy.parts.iter();
            let caches = caches.filter(|part| HIERARCHY.contains(&part.name));
            let caches: f64 = caches.map(|part| (part.dynamic + part.leakage).0).sum();
            self.gpu_energy += energy.gpu.0;
            self.memory_energy += caches + energy.dram.0;
        }
    }

    fn recording(&self) -> MutexGuard<'_, L2Recording> {
        (self.recording.lock()).unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts of this machine, with the misses that policies make of the stream of `ideal`.
    fn direction(&self, ideal: &Self, l2: CacheSpec) -> Result<Direction, BoustroError> {
        let recording = self.recording();
        Ok(Direction {
            cycles: self.cycles,
            dram: self.dram,
            l2_misses: self.l2_misses,
            gpu_energy: self.gpu_energy,
            memory_energy: self.memory_energy,
            misses: misses(&ideal.recording(), l2)?,
            reuse: reuse(&recording, l2)?,
        })
    }
}

/// The machine with first-level caches that always hit, but for those of texels: its L2 gets neither geometry nor the
/// Parameter Buffer.
fn with_ideal_l1s(machine: &MachineSpec) -> MachineSpec {
    let mut ideal = machine.clone();
    ideal.ideal.vertex_cache = true;
    ideal.ideal.tile_cache = true;
    ideal
}

fn misses(recording: &L2Recording, l2: CacheSpec) -> Result<Misses, BoustroError> {
    let policies = [
        CachePolicy::Lru,
        CachePolicy::Mru,
        CachePolicy::Opt,
        CachePolicy::OptBypass,
    ];
    let mut replay = CacheReplay::new(l2, &policies)?;
    let mut n_frames = 0;
    for event in recording.events()? {
        match event? {
            StreamEvent::Frame { .. } => {
                if n_frames == WARM_UP {
                    replay.count_from_here();
                }
                n_frames += 1;
            }
            StreamEvent::Access(access) => replay.offer(access.address, access.kind)?,
        }
    }
    let CacheReport {
        accesses,
        lru,
        mru,
        opt,
        opt_bypass,
        ..
    } = replay.finish()?;
    let [lru, mru, opt, opt_bypass] =
        [lru, mru, opt, opt_bypass].map(|policy| policy.map_or(0, |policy| policy.misses));
    Ok(Misses {
        accesses,
        lru,
        mru,
        opt,
        opt_bypass,
    })
}

fn reuse(recording: &L2Recording, l2: CacheSpec) -> Result<ReuseReport, BoustroError> {
    let mut analysis = ReuseAnalysis::new(l2)?;
    let mut n_frames = 0;
    for event in recording.events()? {
        let event = event?;
        if let StreamEvent::Frame { .. } = event {
            if n_frames == WARM_UP {
                analysis.count_from_here()?;
            }
            n_frames += 1;
        }
        analysis.offer(&event)?;
    }
    Ok(analysis.finish()?)
}

impl Direction {
    /// DRAM lines of texels.
    #[must_use]
    pub fn texture_lines(&self) -> u64 {
        self.dram[Traffic::Texture]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileGrid;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

    #[test]
    fn still_screen_of_twice_the_l2_is_a_loop_of_which_reversal_saves_half() {
        let changes = ["l2.size=512KiB", "core.baseline.texture_cache.size=4KiB"];
        let changes = changes.map(|change| change.parse().expect("KEY=VALUE"));
        let machine = MachineSpec::built_in("boustrophedonic", &changes).expect("shipped");
        let grid = TileGrid {
            width: 256,
            height: 256,
            tile_size: 32,
        };
        let program = independent(InstructionClass::Texture, 1);
        let mut screen = CoveredScreen::new(grid, program);
        screen.texels = TexelPattern::AlwaysNew;
        let mut study = BoustroStudy::new(&machine).expect("valid");
        for number in 0..5 {
            study.model(&screen.frame(number)).expect("it runs");
        }
        let game = study.game().expect("short");
        let lines = 4 * 64 * 64 * 4;
        let (forward, reversed) = (&game.forward, &game.reversed);
        assert_eq!(
            (game.frames, forward.misses.accesses),
            (4, lines),
            "all new"
        );
        // 16 lines a set in 8 ways, s = 16 and j = 8.
        assert_eq!(forward.misses.lru, lines, "LRU finds nothing");
        assert!(
            forward.misses.opt < lines * 10 / 17,
            "(s - j) / (s - 1) in the long run"
        );
        assert_eq!(forward.misses.opt_bypass, lines / 2, "(s - j) / s");
        let near_half = lines / 2..lines * 21 / 40;
        assert!(near_half.contains(&reversed.misses.lru), "{reversed:?}");
        assert!(reversed.misses.opt_bypass <= reversed.misses.lru, "at best");
        let of_forward = forward.reuse.sub_traces;
        assert_eq!(of_forward.max, Some(15.0), "s - 1");
        assert!(
            of_forward.last_first > Some(14.0),
            "circular but for a tile"
        );
        let between = &forward.reuse.between_frames.distances;
        let far = between.n() - between.n_below(8);
        assert_eq!(far, forward.misses.lru, "distances say what LRU misses");
        assert!(
            reversed.reuse.sub_traces.last_first < Some(8.5),
            "there and back"
        );
        assert!(
            reversed.texture_lines() < forward.texture_lines(),
            "in the machine too"
        );
        assert!(
            reversed.memory_energy < forward.memory_energy,
            "which costs less"
        );
    }
}
