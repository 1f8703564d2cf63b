//! Paths of a warp's quads merged to one straight list: SIMT reconvergence, as GPGPU-Sim and Emerald have it.
//!
//! Lanes that part at a region's beginning meet again at its end, its immediate post-dominator. A block is in the list if
//! any quad executed it; arms and cases come one after the other, and a loop has the trips of the quad that makes most.
//! Each instruction reads the latest executions of its sources in the list; a source that no quad executed is no wait.

use azulejo_trace::{Instruction, InstructionClass, Program, Region};

/// Paths that a warp can have, one for each of its threads.
pub(crate) const MAX_PATHS: usize = 32;

/// Instruction of a merged list that goes to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MergedAccess {
    /// Number among the instructions of its kind in the program: textures, or accesses to buffers.
    pub(crate) number: u32,
    /// Paths on which it was executed, by bit.
    pub(crate) paths: u32,
}

/// A straight list with its texture instructions, and with its accesses to buffers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Merged {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) samples: Vec<MergedAccess>,
    pub(crate) accesses: Vec<MergedAccess>,
}

/// Merges up to [`MAX_PATHS`] paths of a program, which must fit it.
pub(crate) fn merge(program: &Program, paths: &[&[u8]]) -> Merged {
    let mut merge = Merge {
        program,
        paths,
        at: [0; MAX_PATHS],
        latest: vec![Instruction::NONE; program.instructions.len()],
        textures: program.counts_before(InstructionClass::is_texture),
        accesses: program.counts_before(InstructionClass::accesses_buffer),
        merged: Merged::default(),
    };
    let all = u32::MAX >> (MAX_PATHS - paths.len().clamp(1, MAX_PATHS));
    merge.sequence(&program.regions, all);
    merge.merged
}

/// Run of equal trips on a path, from its body on.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    body: usize,
    left: u8,
}

struct Merge<'a> {
    program: &'a Program,
    paths: &'a [&'a [u8]],
    /// Position in each path.
    at: [usize; MAX_PATHS],
    /// Last place of each instruction of the program in the list.
    latest: Vec<u32>,
    /// Texture instructions, and accesses to buffers, before each instruction of the program.
    textures: Vec<u32>,
    accesses: Vec<u32>,
    merged: Merged,
}

impl Merge<'_> {
    /// The next step of a path.
    fn step(&mut self, path: usize) -> u8 {
        let at = &mut self.at[path];
        let step = self.paths[path].get(*at).copied().unwrap_or(0);
        *at += 1;
        step
    }

    /// Those of these paths whose next step has lanes.
    fn taken(&mut self, paths: u32) -> u32 {
        let mut taken = 0;
        for path in each(paths) {
            taken |= u32::from(self.step(path) != 0) << path;
        }
        taken
    }

    fn sequence(&mut self, regions: &[Region], paths: u32) {
        if paths == 0 {
            return;
        }
        for region in regions {
            match region {
                Region::Block(instructions) => {
                    let executed = self.taken(paths);
                    if executed != 0 {
                        instructions
                            .clone()
                            .for_each(|at| self.execute(at as usize, executed));
                    }
                }
                Region::If([first, second]) => {
                    let [mut of_first, mut of_second] = [0; 2];
                    for path in each(paths) {
                        let step = self.step(path);
                        of_first |= u32::from(step & 15 != 0) << path;
                        of_second |= u32::from(step >> 4 != 0) << path;
                    }
                    self.sequence(first, of_first);
                    self.sequence(second, of_second);
                }
                Region::Loop(body) => self.trips(body, paths),
                Region::Switch(cases) => {
                    for case in cases {
                        let taken = self.taken(paths);
                        self.sequence(case, taken);
                    }
                }
            }
        }
    }

    /// Trip by trip of all paths, while any makes one.
    fn trips(&mut self, body: &[Region], paths: u32) {
        let mut runs = [Run::default(); MAX_PATHS];
        let mut looping = paths;
        loop {
            for path in each(looping) {
                if runs[path].left > 0 {
                    self.at[path] = runs[path].body;
                } else {
                    let left = self.step(path);
                    looping &= !(u32::from(left == 0) << path);
                    let body = self.at[path];
                    runs[path] = Run { body, left };
                }
                runs[path].left = runs[path].left.saturating_sub(1);
            }
            if looping == 0 {
                return;
            }
            self.sequence(body, looping);
        }
    }

    fn execute(&mut self, at: usize, paths: u32) {
        let instruction = self.program.instructions[at];
        let sources = instruction.sources.map(|source| {
            let latest = self.latest.get(source as usize);
            latest.copied().unwrap_or(Instruction::NONE)
        });
        self.latest[at] = self.merged.instructions.len() as u32;
        let class = instruction.class;
        if class.is_texture() {
            let number = self.textures[at];
            self.merged.samples.push(MergedAccess { number, paths });
        } else if class.accesses_buffer() {
            let number = self.accesses[at];
            self.merged.accesses.push(MergedAccess { number, paths });
        }
        self.merged
            .instructions
            .push(Instruction { class, sources });
    }
}

/// Numbers of the bits of a set.
fn each(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (first < u32::BITS).then_some(first as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_trace::synthetic::fragment_program;

    /// Instruction n of the program reads n - 1 and, in the loop, its own last result; 2, 4 and 6 are textures.
    fn program() -> Program {
        let block = |at: u32| Region::Block(at..at + 1);
        let one = |at: u32| {
            let class = match at {
                2 | 4 | 6 => InstructionClass::Texture,
                _ => InstructionClass::Alu,
            };
            let own = [at.wrapping_sub(1), at];
            let n = if at == 1 { 2 } else { 1 };
            Instruction::new(class, &own[..n])
        };
        let mut program = fragment_program("tree", (0..8).map(one).collect());
        program.regions = vec![
            block(0),
            Region::Loop(vec![block(1), block(2)]),
            Region::If([vec![block(3)], vec![block(4)]]),
            Region::Switch(vec![vec![block(5)], vec![block(6)]]),
            block(7),
        ];
        program
    }

    /// Places in the list that each instruction reads; texture instructions and their paths.
    fn list(paths: &[&[u8]]) -> (Vec<Vec<usize>>, Vec<(u32, u32)>) {
        let merged = merge(&program(), paths);
        let reads = merged.instructions.iter();
        let samples = merged.samples.iter();
        (
            reads.map(|read| read.reads().collect()).collect(),
            samples.map(|one| (one.number, one.paths)).collect(),
        )
    }

    const ONE_TRIP: &[u8] = &[15, 1, 15, 15, 0, 15, 15, 0, 0, 15];
    const TWO_TRIPS: &[u8] = &[15, 1, 15, 0, 1, 3, 3, 0, 0xf0, 15, 0, 15, 15, 15];

    #[test]
    fn merge_of_one_path_is_its_instructions() {
        // 0; the trip 1 2; the first arm 3; no case; 7, whose source 6 was not executed.
        let (reads, samples) = list(&[ONE_TRIP]);
        assert_eq!(reads, [vec![], vec![0], vec![1], vec![2], vec![]]);
        assert_eq!(samples, [(0, 1)], "the loop's");
    }

    #[test]
    fn merge_of_two_paths_has_what_any_executed() {
        // 0; trip 1: 1, and 2 of the first path alone; trip 2 of the other path; both arms; the other's case; 7.
        let (reads, samples) = list(&[ONE_TRIP, TWO_TRIPS]);
        let trips = [vec![], vec![0], vec![1], vec![0, 1], vec![3]];
        assert_eq!(reads[..5], trips, "the second trip reads the first");
        let behind = [vec![4], vec![5], vec![], vec![7]];
        assert_eq!(reads[5..], behind, "5 was not executed, and 6 was");
        let (first, second) = (0b01, 0b10);
        let expected = [(0, first), (0, second), (1, second), (2, second)];
        assert_eq!(samples, expected, "by path");
    }

    #[test]
    fn merge_makes_the_trips_of_runs_one_by_one() {
        let [short, long]: [&[u8]; 2] = [
            &[15, 3, 15, 0, 0, 0, 0, 0, 15],
            &[15, 2, 15, 0, 3, 1, 0, 0, 0, 0, 0, 15],
        ];
        let n = |paths: &[&[u8]]| list(paths).0.len();
        assert_eq!(n(&[short]), 1 + 3 + 1, "three trips");
        assert_eq!(n(&[short, long]), 1 + 5 + 1, "two and three");
    }
}
