//! Dynamic fragment-shading load balancing (Gubran and Aamodt, Emerald, ISCA 2019, section 6, Algorithm 1): frames follow
//! each other with few changes, so the work tile that was fastest for one is good for those after it. An evaluation phase
//! draws a frame with work tiles of each size; a run phase draws many with the fastest; then the search begins anew.
//!
//! Small work tiles share the load out evenly, large ones keep neighbours, and with them texels, depths and colours, in one
//! core's caches.
//!
//! Differences: the algorithm's `EvalFrames = MaxWT - MinWT` would leave the largest size out, where the text says ten
//! frames for sizes 1 to 10; here one frame is drawn for each size. A frame's time is that of the whole frame, which the
//! driver can measure; the paper reports the fragment stage. `search = "hill-climb"` is no part of it: LIBRA's rule for the
//! size of supertiles (its section III-D, parameters `[technique.libra]`) on work tiles, by powers of two from the
//! smallest, to compare both on one machine.
//!
//! Seam: the size of work tiles, which machines have that render immediately.

use serde::{Deserialize, Deserializer};

use super::libra::{Adaptation, LibraOrder, LibraSpec, Observed, Plan};
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::parameters::{ParameterError, in_range};
use azulejo_gpu::schedule::{FrameStart, WorkTiles};
use azulejo_gpu::{CounterUnit, Seams, TechniqueCounter, TechniqueReport};
use azulejo_units::Cycles;

/// Name on the command line, in machine files and in reports.
pub const NAME: &str = "dfsl";

/// Search rule for sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// Each size once, then the fastest (Algorithm 1).
    Sweep,
    /// On in the same direction while frames get faster, then back (LIBRA, section III-D).
    HillClimb,
}

/// Parameters `[technique.dfsl]` of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DfslSpec {
    /// Search rule for sizes.
    pub search: Search,
    /// Edge of the smallest work tiles in TC tiles.
    #[serde(deserialize_with = "edge")]
    pub min_work_tile: u32,
    /// Edge of the largest work tiles in TC tiles.
    #[serde(deserialize_with = "edge")]
    pub max_work_tile: u32,
    /// Frames between two evaluations.
    #[serde(deserialize_with = "in_range::<0, 1_000_000, _, _>")]
    pub run_frames: u64,
}

fn edge<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    in_range::<1, 64, u32, D>(deserializer)
}

impl DfslSpec {
    /// Frames of an evaluation phase: one for each size.
    #[must_use]
    pub const fn evaluation_frames(&self) -> u64 {
        (self.max_work_tile - self.min_work_tile + 1) as u64
    }
}

/// Seams of the technique for a machine.
///
/// # Errors
/// If its parameters have no size, or LIBRA's are needed and missing.
pub(super) fn seams(spec: &MachineSpec) -> Result<Seams, ParameterError> {
    let table = spec.technique.part(NAME);
    if table.keys().next().is_none() {
        let expected =
            "its parameters, which machines that render immediately have, such as emerald-gpu";
        return Err(spec.technique.error(NAME, expected));
    }
    let parameters: DfslSpec = table.get()?;
    if parameters.max_work_tile < parameters.min_work_tile {
        let expected = format!("at least min_work_tile, {}", parameters.min_work_tile);
        return Err(table.error("max_work_tile", expected));
    }
    let chooser: Box<dyn WorkTiles> = match parameters.search {
        Search::Sweep => Box::new(Dfsl::new(parameters)),
        Search::HillClimb => {
            let libra = spec.technique.part(super::libra::NAME).get()?;
            Box::new(Climb::new(parameters, &libra))
        }
    };
    Ok(Seams {
        work_tiles: Some(chooser),
        ..Seams::default()
    })
}

/// State between two frames (Algorithm 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dfsl {
    spec: DfslSpec,
    /// Frames since the current evaluation began.
    frame: u64,
    /// Time of the fastest frame of the evaluation, and its size.
    best: Option<(Cycles, u32)>,
    /// Size of the last frame, whose time is not measured yet, if it was one of an evaluation.
    asked: Option<u32>,
    evaluates: bool,
}

impl Dfsl {
    /// Returns the state before the first frame.
    #[must_use]
    pub const fn new(spec: DfslSpec) -> Self {
        Self {
            spec,
            frame: 0,
            best: None,
            asked: None,
            evaluates: false,
        }
    }

    /// Returns the size for the next frame; `last` is the time of the one before, if it is known.
    pub fn next(&mut self, last: Option<Cycles>) -> u32 {
        if let (Some(size), Some(time)) = (self.asked.take(), last)
            && self.best.is_none_or(|(fastest, _)| time < fastest)
        {
            self.best = Some((time, size));
        }
        let evaluation = self.spec.evaluation_frames();
        if self.frame == evaluation + self.spec.run_frames {
            self.frame = 0;
            self.best = None;
        }
        self.evaluates = self.frame < evaluation;
        let nth = u32::try_from(self.frame).unwrap_or(u32::MAX);
        self.frame += 1;
        if self.evaluates {
            let size = self.spec.min_work_tile + nth;
            self.asked = Some(size);
            return size;
        }
        self.best.map_or(self.spec.min_work_tile, |(_, size)| size)
    }
}

impl WorkTiles for Dfsl {
    fn begin_frame(&mut self, start: &FrameStart<'_>) -> u32 {
        self.next(start.previous.map(|previous| previous.cycles))
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        Some(report(self.evaluates))
    }
}

/// LIBRA's rule on work tiles.
#[derive(Debug)]
struct Climb {
    adaptation: Adaptation,
    resized: bool,
}

impl Climb {
    fn new(spec: DfslSpec, libra: &LibraSpec) -> Self {
        let sizes = spec.min_work_tile..=spec.max_work_tile;
        let mut edges: Vec<u32> = (0..7)
            .map(|power| 1 << power)
            .filter(|edge| sizes.contains(edge))
            .collect();
        if edges.is_empty() {
            edges.push(spec.min_work_tile);
        }
        let libra = LibraSpec {
            order: LibraOrder::ZOrder,
            supertile_edges: edges,
            first_edge: 0,
            ..libra.clone()
        };
        Self {
            adaptation: Adaptation::new(&libra),
            resized: false,
        }
    }
}

impl WorkTiles for Climb {
    fn begin_frame(&mut self, start: &FrameStart<'_>) -> u32 {
        let observed = start.previous.map(|previous| Observed {
            raster_cycles: previous.cycles,
            hit_ratio: previous.texture_hit_ratio().unwrap_or(1.0),
        });
        let plan = self.adaptation.plan(observed);
        self.resized = self.adaptation.has_resized();
        match plan {
            Plan::Supertiles { edge } | Plan::Temperature { edge } => edge,
            Plan::Conventional => 1,
        }
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        Some(report(self.resized))
    }
}

fn report(evaluates: bool) -> TechniqueReport {
    TechniqueReport {
        technique: NAME,
        counters: vec![TechniqueCounter {
            name: "evaluation_frames",
            about: "frames drawn to try a size of work tiles",
            unit: CounterUnit::Events,
            value: u64::from(evaluates),
        }],
        ..TechniqueReport::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DFSL, LIBRA, RE, Technique, machine_with};
    use azulejo_gpu::FrameReport;
    use azulejo_gpu::machine::Overlay;
    use azulejo_grid::TileGrid;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

    fn spec(run_frames: u64) -> DfslSpec {
        DfslSpec {
            search: Search::Sweep,
            min_work_tile: 1,
            max_work_tile: 4,
            run_frames,
        }
    }

    #[test]
    fn dfsl_tries_each_size_once_then_runs_with_the_fastest() {
        let mut dfsl = Dfsl::new(spec(3));
        // Time by size: 3 is the fastest.
        let time = |size: u32| Cycles([90, 80, 60, 70][size as usize - 1]);
        let mut last = None;
        let sizes: Vec<u32> = (0..14)
            .map(|_| {
                let size = dfsl.next(last);
                last = Some(time(size));
                size
            })
            .collect();
        assert_eq!(sizes, [1, 2, 3, 4, 3, 3, 3, 1, 2, 3, 4, 3, 3, 3], "twice");
    }

    #[test]
    fn dfsl_forgets_the_best_of_the_evaluation_before() {
        let mut dfsl = Dfsl::new(spec(1));
        // Frames become slower: the first evaluation's best would win for ever.
        let mut last = None;
        let mut run = Vec::new();
        for frame in 0..10_u64 {
            let size = dfsl.next(last);
            let of_size = if frame < 5 {
                [5, 6, 7, 8]
            } else {
                [58, 57, 56, 55]
            };
            last = Some(Cycles(of_size[size as usize - 1]));
            if frame % 5 == 4 {
                run.push(size);
            }
        }
        assert_eq!(run, [1, 4], "each evaluation's own");
    }

    #[test]
    fn dfsl_takes_the_smaller_of_sizes_that_are_as_fast() {
        let mut dfsl = Dfsl::new(spec(1));
        let mut last = None;
        let mut size = 0;
        for _ in 0..5 {
            size = dfsl.next(last);
            last = Some(Cycles(100));
        }
        assert_eq!(size, 1, "strictly less, as line 21 says");
    }

    /// Frames of a small screen, on Emerald's machine with changes.
    fn play(changes: &[&str], n_frames: u64) -> Vec<FrameReport> {
        let overlays: Vec<Overlay> = (["pipeline=immediate"].iter().chain(changes))
            .map(|change| change.parse().expect("KEY=VALUE"))
            .collect();
        let spec = MachineSpec::built_in("emerald-gpu", &overlays).expect("valid");
        let grid = TileGrid {
            width: 128,
            height: 96,
            tile_size: 8,
        };
        let mut screen = CoveredScreen::new(grid, independent(InstructionClass::Texture, 1));
        screen.texels = TexelPattern::ScreenAligned;
        let mut gpu = machine_with(&spec, &[&DFSL]).expect("valid");
        (0..n_frames)
            .map(|frame| gpu.run_frame(&screen.frame(frame)).expect("runs"))
            .collect()
    }

    fn sizes(frames: &[FrameReport]) -> Vec<u32> {
        let own = frames.iter().filter_map(|frame| frame.immediate.as_ref());
        own.map(|own| own.work_tile).collect()
    }

    #[test]
    fn dfsl_draws_the_run_phase_as_fast_as_the_fastest_evaluation() {
        let frames = play(&["technique.dfsl.max_work_tile=4"], 6);
        let sizes = sizes(&frames);
        assert_eq!(sizes[..4], [1, 2, 3, 4], "evaluation");
        let times: Vec<u64> = frames.iter().map(|frame| frame.cycles.0).collect();
        let fastest = (0..4).min_by_key(|at| times[*at]).expect("four");
        assert_eq!(sizes[4], sizes[fastest], "by {times:?}");
        let evaluations = frames.iter().map(|frame| {
            let own = frame.technique(NAME).expect("named");
            own.counter("evaluation_frames")
        });
        let expected = [1, 1, 1, 1, 0, 0].map(Some);
        assert_eq!(evaluations.collect::<Vec<_>>(), expected, "counted");
    }

    #[test]
    fn dfsl_climbs_by_powers_of_two_where_it_is_told_to() {
        let frames = play(&["technique.dfsl.search=hill-climb"], 4);
        let sizes = sizes(&frames);
        assert_eq!(sizes[..2], [1, 1], "two frames are compared first");
        assert!([1, 2].contains(&sizes[2]), "one step: {sizes:?}");
    }

    #[test]
    fn techniques_of_the_other_pipeline_are_refused_by_name() {
        let refused = |pipeline: &str, technique: &Technique| {
            let change: Overlay = format!("pipeline={pipeline}").parse().expect("KEY=VALUE");
            let spec = MachineSpec::built_in("emerald-gpu", &[change]).expect("valid");
            let error = machine_with(&spec, &[technique]).expect_err("no such part");
            error.to_string()
        };
        let tiles = refused("immediate", &LIBRA);
        assert!(
            tiles.starts_with("libra changes the tile scheduler, and emerald-gpu draws no tiles"),
            "{tiles}"
        );
        let elider = refused("immediate", &RE);
        assert!(
            elider.starts_with("re changes the work on a tile"),
            "{elider}"
        );
        let sizes = refused("tiled", &DFSL);
        let expected = "dfsl changes the size of work tiles, and emerald-gpu has no work tiles";
        assert!(sizes.starts_with(expected), "{sizes}");
    }
}
