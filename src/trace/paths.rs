//! Paths: the blocks that a quad or a vertex executed of a program that branches, in order, with the lanes that did.
//!
//! A path is a string of bytes, read along the program's tree of [regions](Region). A mask is that of a quad's lanes, bit
//! `2 y + x`, with its helper lanes while they run, or that of four invocations; a vertex has the one lane 0. Lanes that jumped to the end of a region,
//! or were discarded, are missing in the masks up to there.
//!
//! | region | bytes |
//! |---|---|
//! | block | mask of the lanes that executed it, perhaps none |
//! | if | mask of the first arm + 16 x mask of the second; then the bytes of each arm whose mask is not 0 |
//! | loop | runs of equal trips: their number, 1 to 255, and the bytes of the body once; 0 behind the last |
//! | switch | for each case its mask, and behind it the bytes of the case if that is not 0 |
//!
//! A frame has few different paths, so it keeps each once, and quads name theirs by number.
//!
//! ```
//! # mod azulejo { pub use azulejo_trace as trace; }
//! use azulejo::trace::{PathInterner, PathRecorder, ProgramId};
//!
//! // A block, and a loop around another: two lanes make three trips, the others five.
//! let mut path = PathRecorder::default();
//! path.block(0b1111);
//! path.begin_loop();
//! for trip in 0..5 {
//!     path.trip();
//!     path.block(if trip < 3 { 0b1111 } else { 0b1100 });
//! }
//! path.end_loop();
//! assert_eq!(path.steps(), [0b1111, 3, 0b1111, 2, 0b1100, 0]);
//!
//! let mut paths = PathInterner::default();
//! let first = paths.intern(ProgramId(0), path.steps());
//! assert_eq!(paths.intern(ProgramId(0), path.steps()), first, "kept once");
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use super::{PathIdx, Program, ProgramId, Region, ShaderStage};

/// The paths of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathTable {
    programs: Vec<ProgramId>,
    /// Bytes up to each path's end.
    ends: Vec<usize>,
    steps: Vec<u8>,
}

impl PathTable {
    /// Number of paths.
    #[must_use]
    pub fn len(&self) -> usize {
        self.programs.len()
    }

    /// Whether there is none, as in frames of straight programs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// Adds a path, which may be known already; [`PathInterner`] keeps each once.
    pub fn push(&mut self, program: ProgramId, steps: &[u8]) -> PathIdx {
        let number = u32::try_from(self.programs.len()).unwrap_or(u32::MAX);
        self.programs.push(program);
        self.steps.extend_from_slice(steps);
        self.ends.push(self.steps.len());
        PathIdx(number)
    }

    /// Program and bytes of a path.
    #[must_use]
    pub fn get(&self, path: PathIdx) -> Option<(ProgramId, &[u8])> {
        let at = path.0 as usize;
        let program = self.programs.get(at)?;
        let first = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some((*program, &self.steps[first..self.ends[at]]))
    }

    /// Programs and bytes of all paths, in order.
    pub fn iter(&self) -> impl Iterator<Item = (ProgramId, &[u8])> {
        let numbers = (0..).map(PathIdx).take(self.len());
        numbers.filter_map(|path| self.get(path))
    }
}

/// Collects the paths of a frame, each once.
#[derive(Debug, Clone, Default)]
pub struct PathInterner {
    table: PathTable,
    known: BTreeMap<(ProgramId, Box<[u8]>), PathIdx>,
}

impl PathInterner {
    /// Number of a path, new or known.
    pub fn intern(&mut self, program: ProgramId, steps: &[u8]) -> PathIdx {
        let table = &mut self.table;
        let path = self.known.entry((program, steps.into()));
        *path.or_insert_with(|| table.push(program, steps))
    }

    /// All paths.
    #[must_use]
    pub fn finish(self) -> PathTable {
        self.table
    }
}

/// A loop of a path that is being recorded.
#[derive(Debug, Clone, Copy)]
struct OpenLoop {
    /// Position of the number of the last run of equal trips.
    run: Option<usize>,
    /// Position of the trip under way.
    trip: Option<usize>,
}

/// Records a path, called along the program's tree in the order of execution.
#[derive(Debug, Clone, Default)]
pub struct PathRecorder {
    steps: Vec<u8>,
    loops: Vec<OpenLoop>,
}

impl PathRecorder {
    /// A block, executed by these lanes.
    pub fn block(&mut self, lanes: u8) {
        self.steps.push(lanes & 15);
    }

    /// An `if`; the regions of each arm that has lanes follow.
    pub fn branch(&mut self, first: u8, second: u8) {
        self.steps.push((first & 15) | second << 4);
    }

    /// The next case of a switch; its regions follow if it has lanes.
    pub fn case(&mut self, lanes: u8) {
        self.steps.push(lanes & 15);
    }

    /// A loop; [`PathRecorder::trip`] begins each of its trips.
    pub fn begin_loop(&mut self) {
        let nothing = OpenLoop {
            run: None,
            trip: None,
        };
        self.loops.push(nothing);
    }

    /// The next trip of the innermost open loop.
    pub fn trip(&mut self) {
        self.end_trip();
        if let Some(open) = self.loops.last_mut() {
            open.trip = Some(self.steps.len());
            self.steps.push(1);
        }
    }

    /// The end of the innermost open loop.
    pub fn end_loop(&mut self) {
        self.end_trip();
        self.loops.pop();
        self.steps.push(0);
    }

    /// A trip like the one before it makes the run longer.
    fn end_trip(&mut self) {
        let Some(open) = self.loops.last_mut() else {
            return;
        };
        let Some(trip) = open.trip.take() else {
            return;
        };
        let last = open.run.filter(|&run| {
            let (run, trip) = self.steps[run..].split_at(trip - run);
            run[0] < u8::MAX && run[1..] == trip[1..]
        });
        match last {
            Some(run) => {
                self.steps[run] += 1;
                self.steps.truncate(trip);
            }
            None => open.run = Some(trip),
        }
    }

    /// Bytes so far.
    #[must_use]
    pub fn steps(&self) -> &[u8] {
        &self.steps
    }

    /// Begins another path.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.loops.clear();
    }
}

/// Instructions that lanes executed on a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// Positions in the program.
    pub instructions: Range<u32>,
    /// Lanes, a bit each; at least one.
    pub lanes: u8,
    /// How often in a row of equal trips.
    pub times: u64,
}

/// A path that is none of its program's, with the first step at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathMisfit {
    /// Fewer bytes than the tree asks for.
    #[error(
        "ends after {0} steps inside a region; expected a step for every region that it enters"
    )]
    Short(usize),
    /// More bytes than the tree asks for.
    #[error("goes on behind the last region, {0} steps in all; expected {1}")]
    Long(usize, usize),
    /// Lanes that never came here, or that take two ways.
    #[error("step {step} has lanes {found:#06b}; expected each once, and among {expected:#06b}")]
    Lanes {
        /// Position in the path.
        step: usize,
        /// Lanes that the path has.
        found: u8,
        /// Lanes that may be there.
        expected: u8,
    },
}

impl Program {
    /// Lanes that a quad or a vertex may have.
    const fn lanes(&self) -> u8 {
        match self.stage {
            ShaderStage::Fragment | ShaderStage::Compute => 15,
            ShaderStage::Vertex => 1,
        }
    }

    /// Goes along a path: `visit` gets the blocks that lanes executed, those of equal trips once. Takes as long as the path
    /// has bytes. Gives the steps of a machine that does it: each instruction, decision and trip.
    ///
    /// # Errors
    /// If the path does not fit the tree.
    pub fn follow(&self, steps: &[u8], visit: impl FnMut(Executed)) -> Result<u64, PathMisfit> {
        self.walk(steps, &mut EachBlock(visit))
    }

    /// Instructions of some classes that a quad executes on a path, trip by trip, by their number among those of the program;
    /// `numbers` has those [before each position](Self::counts_before).
    pub(super) fn executions(&self, numbers: &[u32], steps: &[u8]) -> Result<Vec<u32>, PathMisfit> {
        let mut list = ExecutionList {
            numbers,
            executed: Vec::new(),
            runs: Vec::new(),
        };
        self.walk(steps, &mut list)?;
        Ok(list.executed)
    }

    fn walk(&self, steps: &[u8], visitor: &mut impl Visitor) -> Result<u64, PathMisfit> {
        let mut walk = Walk {
            steps,
            at: 0,
            length: 0,
            visitor,
        };
        walk.sequence(&self.regions, self.lanes(), 1)?;
        if walk.at < steps.len() {
            return Err(PathMisfit::Long(steps.len(), walk.at));
        }
        Ok(walk.length)
    }
}

/// Calls of a walk along a path.
trait Visitor {
    fn block(&mut self, executed: Executed);
    fn begin_run(&mut self) {}
    fn end_run(&mut self, _trips: u8) {}
}

struct EachBlock<F>(F);

impl<F: FnMut(Executed)> Visitor for EachBlock<F> {
    fn block(&mut self, executed: Executed) {
        (self.0)(executed);
    }
}

/// Collects instructions of some classes; a run's are there once until it ends.
struct ExecutionList<'n> {
    /// Those before each position.
    numbers: &'n [u32],
    executed: Vec<u32>,
    /// Executions before each open run.
    runs: Vec<usize>,
}

impl Visitor for ExecutionList<'_> {
    fn block(&mut self, executed: Executed) {
        let Range { start, end } = executed.instructions;
        let number = |at: u32| self.numbers[at as usize];
        self.executed.extend(number(start)..number(end));
    }

    fn begin_run(&mut self) {
        self.runs.push(self.executed.len());
    }

    fn end_run(&mut self, trips: u8) {
        let trip = self.runs.pop().unwrap_or(0)..self.executed.len();
        for _ in 1..trips {
            self.executed.extend_from_within(trip.clone());
        }
    }
}

struct Walk<'s, 'v, V> {
    steps: &'s [u8],
    at: usize,
    length: u64,
    visitor: &'v mut V,
}

impl<V: Visitor> Walk<'_, '_, V> {
    /// The next byte, a step that is made so many times.
    fn step(&mut self, times: u64) -> Result<u8, PathMisfit> {
        let step = self.steps.get(self.at).copied();
        let step = step.ok_or(PathMisfit::Short(self.at))?;
        self.at += 1;
        self.length = self.length.saturating_add(times);
        Ok(step)
    }

    /// Refuses lanes of the last step that are not among those that came.
    fn among(&self, found: u8, expected: u8) -> Result<(), PathMisfit> {
        if found & !expected == 0 {
            return Ok(());
        }
        Err(PathMisfit::Lanes {
            step: self.at - 1,
            found,
            expected,
        })
    }

    fn sequence(&mut self, regions: &[Region], lanes: u8, times: u64) -> Result<(), PathMisfit> {
        for region in regions {
            match region {
                Region::Block(instructions) => self.block(instructions, lanes, times)?,
                Region::If(arms) => {
                    let step = self.step(times)?;
                    let taken = [step & 15, step >> 4];
                    self.among(taken[0], lanes)?;
                    self.among(taken[1], lanes & !taken[0])?;
                    for (arm, taken) in arms.iter().zip(taken) {
                        self.arm(arm, taken, times)?;
                    }
                }
                Region::Loop(body) => loop {
                    let trips = self.step(times)?;
                    if trips == 0 {
                        break;
                    }
                    let times = times.saturating_mul(trips.into());
                    self.length = self.length.saturating_add(times);
                    self.visitor.begin_run();
                    self.sequence(body, lanes, times)?;
                    self.visitor.end_run(trips);
                },
                Region::Switch(cases) => {
                    let mut left = lanes;
                    for case in cases {
                        let taken = self.step(times)?;
                        self.among(taken, left)?;
                        left &= !taken;
                        self.arm(case, taken, times)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn arm(&mut self, regions: &[Region], lanes: u8, times: u64) -> Result<(), PathMisfit> {
        match lanes {
            0 => Ok(()),
            _ => self.sequence(regions, lanes, times),
        }
    }

    fn block(
        &mut self,
        instructions: &Range<u32>,
        expected: u8,
        times: u64,
    ) -> Result<(), PathMisfit> {
        let lanes = self.step(times)?;
        self.among(lanes, expected)?;
        if lanes != 0 {
            let n = u64::from(instructions.end.saturating_sub(instructions.start));
            self.length = self.length.saturating_add(times.saturating_mul(n));
            self.visitor.block(Executed {
                instructions: instructions.clone(),
                lanes,
                times,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::fragment_program;
    use crate::{Instruction, InstructionClass};

    /// Ten instructions, each a block: one before, an `if` with a loop in its first arm, a switch, one behind; the loop's
    /// second block and the switch's second case are textures.
    fn program() -> Program {
        let block = |at: u32| Region::Block(at..at + 1);
        let class = |at| match at {
            2 | 6 => InstructionClass::Texture,
            _ => InstructionClass::Alu,
        };
        let list = (0..9).map(|at| Instruction::new(class(at), &[]));
        let mut program = fragment_program("tree", list.collect());
        let body = vec![block(1), block(2)];
        program.regions = vec![
            block(0),
            Region::If([vec![Region::Loop(body), block(3)], vec![block(4)]]),
            Region::Switch(vec![vec![block(5)], vec![block(6), block(7)]]),
            block(8),
        ];
        program
    }

    /// Two lanes take the first arm and make 300 trips, of which one lane skips the end of each but the last two.
    fn path() -> PathRecorder {
        let mut path = PathRecorder::default();
        path.block(15);
        path.branch(3, 12);
        path.begin_loop();
        for trip in 0..300 {
            path.trip();
            path.block(3);
            path.block(if trip < 298 { 1 } else { 3 });
        }
        path.end_loop();
        path.block(3);
        path.block(12);
        path.case(0);
        path.case(5);
        path.block(5);
        path.block(4);
        path.block(15);
        path
    }

    #[test]
    fn path_keeps_equal_trips_once() {
        let recorded = path();
        let trips = [255, 3, 1, 43, 3, 1, 2, 3, 3, 0];
        let around: [&[u8]; 3] = [&[15, 0xc3], &trips, &[3, 12, 0, 5, 5, 4, 15]];
        assert_eq!(recorded.steps(), around.concat(), "255 + 43 + 2 trips");
    }

    #[test]
    fn path_in_a_loop_of_a_loop_keeps_equal_trips_once() {
        let mut path = PathRecorder::default();
        path.begin_loop();
        for outer in 0..4 {
            path.trip();
            path.begin_loop();
            for _ in 0..if outer == 3 { 5 } else { 9 } {
                path.trip();
                path.block(1);
            }
            path.end_loop();
        }
        path.end_loop();
        assert_eq!(path.steps(), [3, 9, 1, 0, 1, 5, 1, 0, 0], "3 x 9, 1 x 5");
    }

    #[test]
    fn path_is_followed_block_by_block() {
        let mut lanes = [0; 9];
        let mut times = [0; 9];
        let length = program().follow(path().steps(), |executed| {
            for at in executed.instructions {
                times[at as usize] += executed.times;
                lanes[at as usize] += executed.times * u64::from(executed.lanes.count_ones());
            }
        });
        assert_eq!(times, [1, 300, 300, 1, 1, 0, 1, 1, 1], "executions");
        assert_eq!(lanes, [4, 600, 302, 2, 2, 0, 2, 1, 4], "by lanes");
        // Behind each block: its step; the decisions of `if` and switch; of each run its number, of each trip its begin.
        let steps = 1 + 1 + (3 + 1 + 300 + 2 * 300) + 1 + 1 + 2 + 2 + 1;
        let instructions: u64 = times.iter().sum();
        assert_eq!(length, Ok(steps + instructions), "steps of a machine");
    }

    #[test]
    fn path_executes_textures_trip_by_trip() {
        let program = program();
        let samples = program.executions(
            &program.counts_before(InstructionClass::is_texture),
            path().steps(),
        );
        let expected = [vec![0; 300], vec![1]].concat();
        assert_eq!(samples, Ok(expected), "the loop's, then the case's");
    }

    #[test]
    fn path_that_does_not_fit_is_told_by_its_step() {
        let told = |steps: &[u8]| {
            let followed = program().follow(steps, |_| ());
            followed.expect_err("no path of the tree").to_string()
        };
        let whole = path().steps().to_vec();
        let n = whole.len();
        assert!(told(&whole[..n - 1]).starts_with(&format!("ends after {} steps", n - 1)));
        let long = told(&[whole.as_slice(), &[0]].concat());
        let expected = format!(
            "goes on behind the last region, {} steps in all; expected {n}",
            n + 1
        );
        assert_eq!(long, expected, "one too many");
        let mut twice = whole.clone();
        twice[1] = 0xc7;
        let expected = "step 1 has lanes 0b1100; expected each once, and among 0b1000";
        assert_eq!(told(&twice), expected, "lane 2 in both arms");
        let mut from_outside = whole;
        from_outside[3] = 4;
        let expected = "step 3 has lanes 0b0100; expected each once, and among 0b0011";
        assert_eq!(told(&from_outside), expected, "lane 2 is in the other arm");
    }

    #[test]
    fn path_of_a_vertex_has_one_lane() {
        let mut program = program();
        program.stage = ShaderStage::Vertex;
        let short = |steps: &[u8]| program.follow(steps, |_| ());
        assert_eq!(
            short(&[1, 0x10, 1, 0, 0, 1]),
            Ok(9),
            "five steps and three instructions"
        );
        let refused = short(&[2, 0, 0, 0, 1]);
        assert!(
            matches!(refused, Err(PathMisfit::Lanes { step: 0, .. })),
            "lane 1"
        );
    }

    #[test]
    fn path_table_keeps_what_was_interned() {
        let mut interner = PathInterner::default();
        let paths = [(0, &[1, 2][..]), (1, &[1, 2]), (0, &[]), (0, &[1, 2])];
        let numbers = paths.map(|(program, steps)| interner.intern(ProgramId(program), steps).0);
        assert_eq!(numbers, [0, 1, 2, 0], "by program and steps");
        let table = interner.finish();
        assert_eq!(table.len(), 3, "each once");
        assert_eq!(table.get(PathIdx(1)), Some((ProgramId(1), &[1, 2][..])));
        assert_eq!(table.get(PathIdx(2)), Some((ProgramId(0), &[][..])));
        assert_eq!(table.get(PathIdx(3)), None, "beyond the last");
        assert_eq!(table.iter().count(), 3, "all of them");
    }
}
