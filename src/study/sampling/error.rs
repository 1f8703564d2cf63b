//! Error of a sample: a game's frames in, errors of the sums that its [`Sample`] gives out.
//!
//! Every frame goes through the machine with and without Rendering Elimination, one after the other: the truth. Then the
//! sample goes through fresh ones as a study would send it. An open question is the number of frames that must go before
//! one that counts: each representative runs behind none to [`MOST_WARM_UP`] others, and is held against the same frame in
//! the run of all.

use serde::{Deserialize, Serialize};

use super::ELIMINATION_WARM_UP;
use super::activity::Activities;
use super::choice::Sample;
use super::walk::FrameSource;
use crate::elimination::{Spent, StudyError};
use crate::figures::{FigureSpec, ratio};
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::{FrameError, Gpu};
use azulejo_technique::{RE, machine_with};
use azulejo_trace::FrameTrace;

/// Most frames before a representative that are tried, one more than studies take.
const MOST_WARM_UP: u64 = ELIMINATION_WARM_UP + 1;

/// Sums of a game by a sample, beside those of all frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SamplingError {
    /// Representative frames, with the number that each stands for.
    pub sample: Sample,
    /// Frames that must go through a machine for the sample, with those that only warm it up.
    pub runs: u64,
    /// Cost of each frame, one after the other, on the machine without and with Rendering Elimination.
    pub costs: Vec<[Spent; 2]>,
    /// Cost of all frames that count, on the machine without and with Rendering Elimination.
    pub truth: [Spent; 2],
    /// Cost of all frames that count, by the sample, on the same machines.
    pub estimate: [Spent; 2],
    /// Error of a representative's cycles behind 0, 1, ... frames, on the same machines; `None` where it was not measured.
    pub by_warm_up: [[Option<f64>; MOST_WARM_UP as usize + 1]; 2],
}

/// Figures of sampling errors, in the order in which lists show them.
pub const SAMPLING_FIGURES: &[FigureSpec<SamplingError>] = &[
    FigureSpec {
        id: "sampling.error",
        title: "error of what the sample says, of what all frames say",
        columns: &[
            "cycles",
            "DRAM accesses",
            "L2 accesses",
            "tile cache accesses",
            "texture misses",
            "energy",
            "cycles with RE",
            "energy with RE",
            "frames modelled",
        ],
        bars: |error| {
            let of = |machine: usize, of: fn(&Spent) -> f64| {
                deviation(of(&error.estimate[machine]), of(&error.truth[machine]))
            };
            vec![
                of(0, |spent| spent.cycles() as f64),
                of(0, |spent| spent.dram_lines as f64),
                of(0, |spent| spent.l2_accesses as f64),
                of(0, |spent| spent.tile_cache_accesses as f64),
                of(0, |spent| spent.texture_misses as f64),
                of(0, Spent::energy),
                of(1, |spent| spent.cycles() as f64),
                of(1, Spent::energy),
                ratio(error.runs as f64, error.sample.frames as f64),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "sampling.warmup",
        title: "error of a frame's cycles behind so many others, of its cycles behind all",
        columns: &[
            "0", "1", "2", "3", "4", "RE, 0", "RE, 1", "RE, 2", "RE, 3", "RE, 4",
        ],
        bars: |error| error.by_warm_up.iter().flatten().copied().collect(),
        ..FigureSpec::BARS
    },
];

/// Relative deviation of `found` from `truth`; `None` where that is 0.
fn deviation(found: f64, truth: f64) -> Option<f64> {
    ratio((found - truth).abs(), truth)
}

/// Machines without and with Rendering Elimination.
struct Machines([Gpu; 2]);

impl Machines {
    fn new(machine: &MachineSpec) -> Result<Self, StudyError> {
        let re = machine_with(machine, &[&RE])?;
        Ok(Self([machine_with(machine, &[])?, re]))
    }

    fn run(&mut self, frame: &FrameTrace) -> Result<[Spent; 2], FrameError> {
        let [baseline, re] = &mut self.0;
        let (baseline, re) = rayon::join(|| baseline.run_frame(frame), || re.run_frame(frame));
        Ok([Spent::of(&baseline?), Spent::of(&re?)])
    }
}

impl SamplingError {
    /// Runs all frames of `source`, and then those that stand for them, at most `most`; with `warm_ups`, behind different
    /// numbers of others too.
    ///
    /// # Errors
    /// If the machine cannot be built or cannot go on.
    pub fn measure(
        machine: &MachineSpec,
        source: &mut dyn FrameSource,
        most: usize,
        warm_ups: bool,
    ) -> Result<Self, StudyError> {
        let frames = source.n_frames();
        let mut activities = Activities::new(ELIMINATION_WARM_UP);
        let mut machines = Machines::new(machine)?;
        let mut costs = Vec::new();
        for frame in 0..frames {
            let trace = source.draw(frame);
            activities.add(&trace);
            costs.push(machines.run(&trace)?);
        }
        let sample = Sample::of_groups(&activities, frames, most, ELIMINATION_WARM_UP);
        let mut truth = [Spent::default(); 2];
        for cost in &costs[sample.first as usize..] {
            add(&mut truth, cost, 1);
        }
        let estimate = estimate(machine, source, &sample)?;
        let by_warm_up = if warm_ups {
            by_warm_up(machine, source, &sample, &costs)?
        } else {
            Default::default()
        };
        Ok(Self {
            runs: sample.runs().len() as u64,
            sample,
            costs,
            truth,
            estimate,
            by_warm_up,
        })
    }
}

fn add(sums: &mut [Spent; 2], frame: &[Spent; 2], times: u64) {
    for (sum, spent) in sums.iter_mut().zip(frame) {
        sum.add(spent, times);
    }
}

/// Estimates the cost of all frames by those of the sample.
fn estimate(
    machine: &MachineSpec,
    source: &mut dyn FrameSource,
    sample: &Sample,
) -> Result<[Spent; 2], StudyError> {
    let runs = sample.runs();
    source.expect(runs.len() as u64);
    let mut machines = Machines::new(machine)?;
    let mut sums = [Spent::default(); 2];
    for run in runs {
        let cost = machines.run(&source.draw(run.frame))?;
        add(&mut sums, &cost, run.stands_for);
    }
    Ok(sums)
}

/// Mean error of the representatives' cycles, each as often as it stands for frames, behind 0, 1, ... frames.
fn by_warm_up(
    machine: &MachineSpec,
    source: &mut dyn FrameSource,
    sample: &Sample,
    costs: &[[Spent; 2]],
) -> Result<[[Option<f64>; MOST_WARM_UP as usize + 1]; 2], StudyError> {
    let with_all = |frame: u64| frame >= MOST_WARM_UP;
    let known = || {
        let all = sample.representatives.iter();
        all.filter(|representative| with_all(representative.frame))
    };
    source.expect(known().count() as u64 * (MOST_WARM_UP + 1));
    let mut errors = [[0.0; MOST_WARM_UP as usize + 1]; 2];
    let mut frames = 0;
    for representative in known() {
        let last = representative.frame;
        let window: Vec<_> = (last - MOST_WARM_UP..=last)
            .map(|frame| source.draw(frame))
            .collect();
        for warm_up in 0..=MOST_WARM_UP as usize {
            let mut machines = Machines::new(machine)?;
            let mut found = [Spent::default(); 2];
            for trace in &window[window.len() - 1 - warm_up..] {
                found = machines.run(trace)?;
            }
            for (errors, (found, truth)) in
                (errors.iter_mut()).zip(found.iter().zip(&costs[last as usize]))
            {
                let error = found.cycles().abs_diff(truth.cycles()) as f64 / truth.cycles() as f64;
                errors[warm_up] += representative.stands_for as f64 * error;
            }
        }
        frames += representative.stands_for;
    }
    Ok(errors.map(|errors| errors.map(|error| ratio(error, frames as f64))))
}

#[cfg(test)]
mod tests {
    use super::super::walk::{Observer, Sampling, walk};
    use super::*;
    use crate::Survey;
    use azulejo_grid::TileGrid;
    use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, fragment_program};
    use azulejo_trace::{Instruction, InstructionClass};

    /// Game whose frames have as many layers as the list says, with counts of draws.
    struct Layers {
        layers: Vec<u32>,
        drawn: u64,
        expected: u64,
    }

    impl Layers {
        fn new(layers: &[u32]) -> Self {
            Self {
                layers: layers.to_vec(),
                drawn: 0,
                expected: layers.len() as u64,
            }
        }
    }

    impl FrameSource for Layers {
        fn n_frames(&self) -> u64 {
            self.layers.len() as u64
        }

        fn draw(&mut self, frame: u64) -> FrameTrace {
            self.drawn += 1;
            let grid = TileGrid {
                width: 64,
                height: 64,
                tile_size: 32,
            };
            let texture = Instruction::new(InstructionClass::Texture, &[]);
            let mut screen = CoveredScreen::new(grid, fragment_program("one", vec![texture]));
            screen.texels = TexelPattern::ScreenAligned;
            screen.layers = self.layers[frame as usize];
            let mut trace = screen.frame(frame);
            // Contents of a tile depend on the layers.
            for tile in &mut trace.tiles {
                tile.digests.inputs = u64::from(screen.layers);
                tile.digests.input_crc = screen.layers;
            }
            trace
        }

        fn expect(&mut self, frames: u64) {
            self.expected += frames;
        }
    }

    fn machine() -> MachineSpec {
        MachineSpec::built_in("mali450-re", &[]).expect("shipped")
    }

    fn measure(layers: &[u32], most: usize) -> SamplingError {
        let mut source = Layers::new(layers);
        let error = SamplingError::measure(&machine(), &mut source, most, true).expect("it runs");
        assert_eq!(source.drawn, source.expected, "what is said beforehand");
        error
    }

    #[test]
    fn sampling_of_frames_that_repeat_is_exact() {
        let error = measure(&[3; 12], 4);
        assert_eq!(error.sample.representatives.len(), 1, "one stands for all");
        assert_eq!(error.sample.representatives[0].stands_for, 9, "that count");
        for (estimate, truth) in error.estimate.iter().zip(&error.truth) {
            assert_eq!(estimate.dram_lines, truth.dram_lines, "DRAM");
            assert_eq!(estimate.l2_accesses, truth.l2_accesses, "L2");
            assert_eq!(estimate.texture_misses, truth.texture_misses, "texels");
            let tile_cache = [estimate, truth].map(|spent| spent.tile_cache_accesses);
            assert_eq!(tile_cache[0], tile_cache[1], "tile cache");
        }
        assert_eq!(error.runs, 4, "with three to warm up");
    }

    #[test]
    fn sampling_of_two_phases_is_nearly_exact_and_knows_both() {
        let mut layers = vec![1; 12];
        layers.extend([6; 20]);
        let error = measure(&layers, 6);
        let by_layers = |layers: u32| -> u64 {
            let all = error.sample.representatives.iter();
            let own = all.filter(|r| (r.frame < 12) == (layers == 1));
            own.map(|r| r.stands_for).sum()
        };
        assert_eq!((by_layers(1), by_layers(6)), (9, 20), "their frames");
        let figure = SAMPLING_FIGURES[0].draw(&[("two phases".to_owned(), error)]);
        // With RE a frame takes few microseconds, into which a refresh of the DRAM falls or not: its energy says little.
        let bars = &figure.rows[0].bars[..7];
        assert!(
            bars.iter().all(|bar| bar.is_some_and(|error| error < 0.02)),
            "{bars:?}"
        );
    }

    #[test]
    fn sampling_with_too_few_groups_is_seen_to_be_wrong() {
        let error = measure(&[1, 1, 1, 1, 6, 6, 6, 6], 1);
        let figure = SAMPLING_FIGURES[0].draw(&[("one group".to_owned(), error)]);
        let cycles = figure.rows[0].bars[0].expect("measured");
        assert!(cycles > 0.1, "one frame is not the mean of both: {cycles}");
    }

    #[test]
    fn sampling_behind_no_other_frame_is_seen_to_be_wrong() {
        let mut layers = vec![1; 8];
        layers.extend([3; 24]);
        let error = measure(&layers, 6);
        let [baseline, re] = error.by_warm_up;
        let measured = re.map(|error| error.expect("measured"));
        let (cold, warm) = (measured[0], measured[ELIMINATION_WARM_UP as usize]);
        assert!(cold > 0.5, "nothing is left out without signatures: {cold}");
        assert!(warm < 0.02, "signatures and caches are there: {warm}");
        let warm = baseline[ELIMINATION_WARM_UP as usize];
        assert!(warm < baseline[0], "caches are warm: {baseline:?}");
    }

    #[test]
    fn walk_over_groups_is_that_over_all_where_frames_repeat() {
        let characters = [Sampling::Every(1), Sampling::Groups { most: 3 }].map(|sampling| {
            let mut survey = Survey::new(&machine()).expect("valid");
            let sample = walk(&mut Layers::new(&[2; 9]), sampling, &mut survey).expect("it runs");
            let stands_for = survey.character().stands_for;
            assert_eq!(stands_for, sample.frames_that_count(), "for all");
            survey.character()
        });
        let [all, one] = characters;
        assert_eq!(
            (all.modelled_frames, one.modelled_frames),
            (8, 1),
            "of nine"
        );
        assert_eq!(all.dram, one.dram, "shares of the same lines");
        assert_eq!(all.l1_mpki, one.l1_mpki, "misses");
        assert_eq!(all.equal_inputs, one.equal_inputs, "facts are of all");
    }

    #[test]
    fn walk_models_each_frame_of_the_sample_once_and_counts_by_weight() {
        #[derive(Default)]
        struct Seen(u64, Vec<(u64, u64)>);
        impl Observer for Seen {
            type Error = ();
            const WARM_UP: u64 = 3;
            fn look(&mut self, _: &FrameTrace) {
                self.0 += 1;
            }
            fn model(&mut self, frame: &FrameTrace, stands_for: u64) -> Result<(), ()> {
                self.1.push((frame.frame, stands_for));
                Ok(())
            }
        }
        let mut seen = Seen::default();
        let sample = walk(&mut Layers::new(&[1; 9]), Sampling::Every(4), &mut seen);
        assert_eq!(seen.0, 9, "all looked at");
        let expected = [
            (0, 0),
            (1, 0),
            (2, 0),
            (3, 4),
            (4, 0),
            (5, 0),
            (6, 0),
            (7, 2),
        ];
        assert_eq!(seen.1, expected, "in order, warm-ups count nothing");
        assert_eq!(
            sample.map(|sample| sample.frames_that_count()),
            Ok(6),
            "9 - 3"
        );
    }
}
