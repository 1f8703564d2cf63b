//! Merged lists of a core: instructions of warps whose program branches, one list for each set of paths.
//!
//! The lists stand behind the frame's straight ones, so that a warp's next instruction is a position in either. A list is
//! kept for other warps with the same paths; when there are many, those that no resident warp runs make room.

use std::collections::BTreeMap;

use super::job::{MAX_THREADS, WarpJob};
use super::warps::Warp;
use crate::frame::{
    MAX_PATHS, MergedAccess, Op, PreparedFrame, ProgramShape, ProgramStore, Tree, add_list,
    between, merge,
};
use crate::statistics::WarpWork;
use azulejo_trace::PathIdx;

/// Instructions that lists of no resident warp may take, at least: a mebibyte.
const ROOM: usize = 1 << 16;

/// A merged list.
#[derive(Debug)]
struct List {
    shape: ProgramShape,
    samples: Vec<MergedAccess>,
    accesses: Vec<MergedAccess>,
    /// Resident warps that run it.
    n_warps: u32,
}

/// A resident warp's list, and the position of each quad's or vertex's path among the paths of the list.
#[derive(Debug, Clone, Copy)]
struct Running {
    list: u32,
    paths: [u8; MAX_THREADS],
}

/// A program, with a set of paths in rising order.
type Key = (u32, Box<[PathIdx]>);

/// The merged lists of a core.
#[derive(Debug)]
pub(super) struct MergedLists {
    /// Straight programs of a frame with others, and all lists; empty in frames of straight programs.
    pub(super) ops: Vec<Op>,
    n_straight: usize,
    /// Length of `ops` at which unused lists make room.
    limit: usize,
    lists: Vec<List>,
    known: BTreeMap<Key, u32>,
    /// By slot.
    running: Vec<Option<Running>>,
}

impl MergedLists {
    pub(super) fn new(n_warps: u32) -> Self {
        Self {
            ops: Vec::new(),
            n_straight: 0,
            limit: 0,
            lists: Vec::new(),
            known: BTreeMap::new(),
            running: vec![None; n_warps as usize],
        }
    }

    /// Another frame begins, without warps.
    pub(super) fn begin(&mut self, programs: &ProgramStore) {
        self.ops.clear();
        self.lists.clear();
        self.known.clear();
        if programs.branches() {
            self.ops.extend_from_slice(&programs.ops);
            self.n_straight = self.ops.len();
            self.limit = self.n_straight + ROOM;
        }
    }

    /// A warp with these paths of its quads or vertices begins in a slot: its list, and its work.
    pub(super) fn run(
        &mut self,
        (slot, warps): (usize, &mut [Warp]),
        (job, tree): (&WarpJob, Tree),
        paths: &[PathIdx],
        facts: &PreparedFrame<'_>,
    ) -> (ProgramShape, WarpWork) {
        let mut set = paths.to_vec();
        set.sort_unstable();
        set.dedup();
        let key = (job.program, set.into_boxed_slice());
        let known = self.known.get(&key).copied();
        let list = known.unwrap_or_else(|| {
            if self.ops.len() > self.limit {
                self.make_room(warps);
            }
            self.add(&key, tree, facts)
        });
        let place = |path: &PathIdx| key.1.binary_search(path).unwrap_or(0) as u8;
        let mut running = Running {
            list,
            paths: [0; MAX_THREADS],
        };
        for (place_of_member, path) in running.paths.iter_mut().zip(paths) {
            *place_of_member = place(path);
        }
        self.running[slot] = Some(running);
        let list = &mut self.lists[list as usize];
        list.n_warps += 1;
        (list.shape, work(&list.shape, (job, tree), paths, facts))
    }

    fn add(&mut self, key: &Key, tree: Tree, facts: &PreparedFrame<'_>) -> u32 {
        let program = &facts.trace.programs[tree.program as usize];
        let steps: Vec<&[u8]> = (key.1.iter())
            .map(|path| {
                facts
                    .trace
                    .paths
                    .get(*path)
                    .map_or(&[][..], |(_, steps)| steps)
            })
            .collect();
        let merged = merge(program, &steps[..steps.len().min(MAX_PATHS)]);
        let list = between(tree.before, &merged.instructions, tree.behind);
        let shape = add_list(&mut self.ops, &list);
        let number = self.lists.len() as u32;
        self.lists.push(List {
            shape,
            samples: merged.samples,
            accesses: merged.accesses,
            n_warps: 0,
        });
        self.known.insert(key.clone(), number);
        number
    }

    /// Drops lists that no warp runs; the others move to the front, and their warps with them.
    fn make_room(&mut self, warps: &mut [Warp]) {
        let mut ops = self.ops[..self.n_straight].to_vec();
        // Number and place of each list that is kept.
        let mut moved = vec![None; self.lists.len()];
        let mut kept = Vec::new();
        for (number, mut list) in std::mem::take(&mut self.lists).into_iter().enumerate() {
            if list.n_warps == 0 {
                continue;
            }
            let from = list.shape.first as usize;
            let end = from + list.shape.n_instructions as usize + 1;
            list.shape.first = ops.len() as u32;
            ops.extend_from_slice(&self.ops[from..end]);
            moved[number] = Some((
                kept.len() as u32,
                list.shape.first.wrapping_sub(from as u32),
            ));
            kept.push(list);
        }
        (self.ops, self.lists) = (ops, kept);
        self.known.retain(|_, number| {
            let new = moved[*number as usize];
            new.is_some_and(|(new, _)| {
                *number = new;
                true
            })
        });
        for (running, warp) in self.running.iter_mut().zip(warps) {
            let Some(running) = running else {
                continue;
            };
            if let Some((number, by)) = moved[running.list as usize] {
                running.list = number;
                warp.pc = warp.pc.wrapping_add(by);
            }
        }
        self.limit = self.n_straight + ROOM.max(2 * (self.ops.len() - self.n_straight));
    }

    /// The warp of a slot has ended.
    pub(super) fn end(&mut self, slot: usize) {
        if let Some(running) = self.running[slot].take() {
            self.lists[running.list as usize].n_warps -= 1;
        }
    }

    /// Number in the program, and quads by bit, of the texture instruction of a slot's warp that is the `nth` to be executed.
    pub(super) fn sample(&self, slot: usize, nth: u32, n_quads: u32) -> (u32, u32) {
        self.executed(slot, (nth, n_quads), |list| &list.samples)
    }

    /// Number in the program, and quads or vertices by bit, of the access to a buffer of a slot's warp that is the `nth` to be
    /// executed.
    pub(super) fn access(&self, slot: usize, nth: u32, n_members: u32) -> (u32, u32) {
        self.executed(slot, (nth, n_members), |list| &list.accesses)
    }

    fn executed(
        &self,
        slot: usize,
        (nth, n_members): (u32, u32),
        of: fn(&List) -> &Vec<MergedAccess>,
    ) -> (u32, u32) {
        let all = u32::MAX >> (u32::BITS - n_members.clamp(1, u32::BITS));
        let Some(running) = &self.running[slot] else {
            return (nth, all);
        };
        let executed = of(&self.lists[running.list as usize])[nth as usize];
        let places = running.paths.iter().zip(0..n_members);
        let members = places.map(|(path, member)| (executed.paths >> path & 1) << member);
        (executed.number, members.fold(0, |all, member| all | member))
    }
}

/// Work of a warp: of its list once, of each path's lanes, and of all threads at depth tests and blending.
fn work(
    list: &ProgramShape,
    (job, tree): (&WarpJob, Tree),
    paths: &[PathIdx],
    facts: &PreparedFrame<'_>,
) -> WarpWork {
    let operations = u64::from(tree.before + tree.behind);
    let mut work = WarpWork {
        instructions: list.n_instructions.into(),
        transcendentals: list.n_transcendentals.into(),
        thread_instructions: 4 * u64::from(job.n_quads) * operations,
        transcendental_threads: 0,
        texture_threads: 0,
        buffer_threads: 0,
    };
    for path in paths {
        let of_path = facts.path_works[path.0 as usize];
        work.thread_instructions += of_path.threads;
        work.transcendental_threads += of_path.transcendental_threads;
        work.texture_threads += of_path.texture_threads;
        work.buffer_threads += of_path.buffer_threads;
    }
    work
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_QUADS, TexelCursor};
    use super::*;
    use crate::test_support::{Placed, machine, one_tile};
    use azulejo_trace::synthetic::{CoveredScreen, fragment_program};
    use azulejo_trace::{Instruction, InstructionClass, Region};

    /// A program with a texture in a loop of up to four trips.
    fn placed() -> Placed {
        let texture = Instruction::new(InstructionClass::Texture, &[]);
        let mut program = fragment_program("loop", vec![texture]);
        program.regions = vec![Region::Loop(vec![Region::Block(0..1)])];
        let mut screen = CoveredScreen::new(one_tile(8, 2), program);
        screen.paths = (1..5).map(|trips| vec![trips, 15, 0]).collect();
        Placed::new(&machine(), screen.frame(0))
    }

    fn job(n_quads: u32) -> WarpJob {
        let quads = [TexelCursor::default(); MAX_QUADS];
        WarpJob::of_quads(1, (0, 0), (quads, n_quads), 0)
    }

    #[test]
    fn merged_lists_keep_those_of_resident_warps_when_they_make_room() {
        let placed = placed();
        let facts = placed.facts();
        let tree = facts.programs.programs[1].tree.expect("it branches");
        let mut lists = MergedLists::new(3);
        lists.begin(&facts.programs);
        let mut warps = [Warp::default(); 3];
        let sets: [&[u32]; 3] = [&[2], &[1, 3], &[0]];
        for (slot, set) in sets.into_iter().enumerate() {
            let paths: Vec<_> = set.iter().map(|path| PathIdx(*path)).collect();
            let job = job(paths.len() as u32);
            let (shape, _) = lists.run((slot, &mut warps), (&job, tree), &paths, &facts);
            warps[slot].pc = shape.first;
        }
        warps[1].pc += 2;
        let left = |lists: &MergedLists, warp: Warp| {
            let ops = &lists.ops[warp.pc as usize..];
            ops.iter()
                .take_while(|op| op.pipe != crate::frame::Pipe::End)
                .count()
        };
        let lengths = warps.map(|warp| left(&lists, warp));
        assert_eq!(lengths, [3, 2, 1], "trips that are left of each");
        let length = lists.ops.len();
        lists.end(0);
        lists.make_room(&mut warps);
        assert_eq!(lists.ops.len(), length - 4, "three textures and an end");
        assert_eq!(
            [1, 2].map(|slot| left(&lists, warps[slot])),
            [2, 1],
            "moved"
        );
        let samples = (0..4).map(|nth| lists.sample(1, nth, 2).1);
        assert_eq!(samples.collect::<Vec<_>>(), [3, 3, 2, 2], "quads of each");
        assert_eq!(lists.known.len(), 2, "lists by paths");
        let again = [PathIdx(3), PathIdx(1)];
        let (shape, work) = lists.run((0, &mut warps), (&job(2), tree), &again, &facts);
        assert_eq!(shape.first + 2, warps[1].pc, "known by its set");
        assert_eq!(work.texture_threads, 4 * (2 + 4), "of both quads");
        assert_eq!(lists.sample(0, 3, 2).1, 1, "now the first makes four trips");
    }
}
