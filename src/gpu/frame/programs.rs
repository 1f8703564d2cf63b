//! Instruction lists, prepared for issue: which earlier results an instruction must really be checked for.
//!
//! A warp issues in order. So a result that one instruction has waited for needs no check by any later one: each producer
//! is checked by its first reader only. Results of the last [`WINDOW`] instructions are remembered; an instruction
//! therefore also checks the result that it is about to overwrite, unless another has waited for it in between: a
//! scoreboard of [`WINDOW`] entries. Results of textures and of buffers have their own scoreboard, one bit each, because their
//! latency is not known in advance.
//!
//! A program that branches has no list of its own: the paths of a warp's quads are [merged](super::merge) to one.

use crate::statistics::WarpWork;
use azulejo_trace::{Instruction, InstructionClass, Program, Region};

/// Arithmetic results of a warp that can be outstanding.
pub(crate) const WINDOW: usize = 32;

/// Results that one instruction can be waiting for: four sources and the window's own.
const MAX_WAITS: usize = 5;

/// Waits that every instruction has, of `MAX_WAITS`; unused ones name the instruction's own place, which is complete by
/// then anyway.
pub(crate) const FIXED_WAITS: usize = 2;

/// Upper bound of [`Op::run`], in instructions.
const MAX_RUN: usize = 16;

/// The pipeline that an instruction takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Pipe {
    /// Arithmetic units, register moves included.
    Alu,
    /// Special-function units, for transcendental instructions.
    Transcendental,
    /// Memory pipelines, for texture instructions.
    Texture,
    /// Load/store unit, for loads, stores and atomics, and for memory of workgroups.
    Load,
    Store,
    Atomic,
    Shared,
    /// Workgroup's barrier, behind all that the warp has asked of memory.
    Barrier,
    /// No instruction: the warp is through once all results have come from memory.
    End,
}

/// An instruction as the issue stage sees it, in sixteen bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Op {
    pub(crate) pipe: Pipe,
    /// Scoreboard slot of its completion time: its position modulo [`WINDOW`].
    pub(crate) slot: u8,
    /// Number of wait slots in use.
    pub(crate) n_waits: u8,
    /// Window positions that must be complete before it issues.
    pub(crate) waits: [u8; MAX_WAITS],
    /// Number of its scoreboard bit, for an instruction that goes to memory.
    pub(crate) bit: u8,
    /// How many instructions from this one on can go in the same cycle if this one can and all arithmetic before it is
    /// complete: they are arithmetic, none of them reads another's result, none but the first waits for memory.
    pub(crate) run: u8,
    /// Copy of `run` if the instruction behind the run reads a result of it, and none of memory; else 0.
    pub(crate) chained_run: u8,
    /// Results of memory that it needs; for an instruction that goes there also its own bit.
    pub(crate) memory_waits: u32,
}

impl Op {
    /// The window positions that must be complete before it issues.
    fn waits(&self) -> &[u8] {
        &self.waits[..usize::from(self.n_waits)]
    }
}

/// The programs of a frame, one after the other, each closed by an [`Pipe::End`].
#[derive(Debug, Clone, Default)]
pub(crate) struct ProgramStore {
    pub(crate) ops: Vec<Op>,
    /// Place and statistics, by program number.
    pub(crate) programs: Vec<ProgramShape>,
}

/// A program that branches, with arithmetic instructions in front of it and behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tree {
    /// Position among the trace's programs.
    pub(crate) program: u32,
    pub(crate) before: u32,
    pub(crate) behind: u32,
}

/// Place of a program in the store, and statistics of its instructions; none of them where it branches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramShape {
    pub(crate) tree: Option<Tree>,
    pub(crate) first: u32,
    /// Instructions without the end mark.
    pub(crate) n_instructions: u32,
    pub(crate) n_transcendentals: u32,
    pub(crate) n_textures: u32,
    /// Loads, stores and atomics.
    pub(crate) n_accesses: u32,
    /// Registers of a thread.
    pub(crate) registers: u32,
}

impl ProgramShape {
    /// Work of a warp of so many quads from its first instruction to its last.
    pub(crate) fn work(&self, n_quads: u32) -> WarpWork {
        let threads = 4 * u64::from(n_quads);
        let [instructions, transcendentals, textures, accesses] = [
            self.n_instructions,
            self.n_transcendentals,
            self.n_textures,
            self.n_accesses,
        ]
        .map(u64::from);
        WarpWork {
            instructions,
            transcendentals,
            thread_instructions: threads * instructions,
            transcendental_threads: threads * transcendentals,
            texture_threads: threads * textures,
            buffer_threads: threads * accesses,
        }
    }
}

impl ProgramStore {
    pub(crate) fn new(programs: &[Program]) -> Self {
        let mut store = Self::default();
        for (number, program) in (0..).zip(programs) {
            let tree = Tree {
                program: number,
                before: 0,
                behind: 0,
            };
            if program.branches() {
                store.add_tree(tree, program);
            } else {
                store.add(program);
            }
        }
        store
    }

    /// Whether a program branches.
    pub(crate) fn branches(&self) -> bool {
        self.programs.iter().any(|shape| shape.tree.is_some())
    }

    /// Adds a program that branches; its number.
    pub(crate) fn add_tree(&mut self, tree: Tree, program: &Program) -> u32 {
        self.programs.push(ProgramShape {
            tree: Some(tree),
            first: 0,
            n_instructions: 0,
            n_transcendentals: 0,
            n_textures: 0,
            n_accesses: 0,
            registers: registers(program),
        });
        self.programs.len() as u32 - 1
    }

    /// Adds a straight program; its number.
    pub(crate) fn add(&mut self, program: &Program) -> u32 {
        let shape = add_list(&mut self.ops, &program.instructions);
        self.programs.push(ProgramShape {
            registers: registers(program),
            ..shape
        });
        self.programs.len() as u32 - 1
    }
}

/// Appends a list of instructions, ready for issue, and the end mark; its place and statistics.
pub(crate) fn add_list(ops: &mut Vec<Op>, instructions: &[Instruction]) -> ProgramShape {
    let first = ops.len() as u32;
    let mut list = List {
        instructions,
        waited: vec![false; instructions.len()],
        number: vec![0; instructions.len()],
        n_of_memory: 0,
    };
    let mut counts = [0; 3];
    for (position, instruction) in instructions.iter().enumerate() {
        let mut op = list.op(position);
        let before = position.checked_sub(1);
        let before = before.map(|before| ops[first as usize + before]);
        if let Some(barrier) = before.filter(|before| before.pipe == Pipe::Barrier) {
            op.memory_waits |= 1 << barrier.bit;
        }
        let is_counted = [
            op.pipe == Pipe::Transcendental,
            op.pipe == Pipe::Texture,
            instruction.class.accesses_buffer(),
        ];
        (counts.iter_mut().zip(is_counted)).for_each(|(sum, one)| *sum += u32::from(one));
        ops.push(op);
    }
    ops.push(end(instructions.len()));
    find_runs(&mut ops[first as usize..]);
    let [n_transcendentals, n_textures, n_accesses] = counts;
    ProgramShape {
        tree: None,
        first,
        n_instructions: instructions.len() as u32,
        n_transcendentals,
        n_textures,
        n_accesses,
        registers: 1,
    }
}

/// A list of instructions on its way to the issue stage.
struct List<'i> {
    instructions: &'i [Instruction],
    /// Whether a result has been waited for.
    waited: Vec<bool>,
    /// Number of each instruction that goes to memory among its kind, by position.
    number: Vec<u32>,
    n_of_memory: u32,
}

impl List<'_> {
    /// The next instruction, by position.
    fn op(&mut self, position: usize) -> Op {
        let (instructions, instruction) = (self.instructions, &self.instructions[position]);
        let slot = (position % WINDOW) as u8;
        let mut op = Op {
            pipe: pipe_of(instruction.class),
            slot,
            n_waits: 0,
            waits: [slot; MAX_WAITS],
            bit: 0,
            run: 0,
            chained_run: 0,
            memory_waits: 0,
        };
        // An instruction that goes to memory keeps nothing in the window.
        let overwritten = position
            .checked_sub(WINDOW)
            .filter(|&source| !goes_to_memory(instructions, source));
        for source in instruction.reads().chain(overwritten) {
            if std::mem::replace(&mut self.waited[source], true) {
                continue;
            }
            if goes_to_memory(instructions, source) {
                // Beyond 32 the bit has been taken over by a later one, which waited for this one.
                if self.n_of_memory - self.number[source] <= u32::BITS {
                    op.memory_waits |= 1 << (self.number[source] % u32::BITS);
                }
            } else {
                op.waits[usize::from(op.n_waits)] = (source % WINDOW) as u8;
                op.n_waits += 1;
            }
        }
        if goes_to_memory(instructions, position) {
            self.number[position] = self.n_of_memory;
            op.bit = (self.n_of_memory % u32::BITS) as u8;
            op.memory_waits |= 1 << op.bit;
            self.n_of_memory += 1;
        }
        if op.pipe == Pipe::Barrier {
            op.memory_waits = u32::MAX;
        }
        op
    }
}

/// The mark behind so many instructions.
fn end(n_instructions: usize) -> Op {
    Op {
        pipe: Pipe::End,
        slot: 0,
        n_waits: 0,
        // Complete when the mark is reached: the place that the next instruction would take.
        waits: [(n_instructions.saturating_sub(1) % WINDOW) as u8; MAX_WAITS],
        bit: 0,
        run: 0,
        chained_run: 0,
        memory_waits: u32::MAX,
    }
}

/// Registers that a thread needs at least: the most values that later instructions read at one time, four of a texture, one
/// of a load; one where nothing is read. A value from before a loop that is read in it is kept to the loop's end, and one of the trip
/// before from the loop's beginning on.
fn registers(program: &Program) -> u32 {
    let instructions = &program.instructions;
    let mut loops = Vec::new();
    find_loops(&program.regions, &mut loops);
    let mut first_kept: Vec<usize> = (0..instructions.len()).collect();
    let mut last_reader = vec![0; instructions.len()];
    for (position, instruction) in instructions.iter().enumerate() {
        for source in instruction.reads() {
            let mut last = position;
            for &(begin, end) in loops
                .iter()
                .filter(|(begin, end)| (*begin..*end).contains(&position))
            {
                if source < begin {
                    last = last.max(end - 1);
                } else if source >= position && source < end {
                    first_kept[source] = first_kept[source].min(begin);
                    last = last.max(end - 1);
                }
            }
            last_reader[source] = last.max(last_reader[source]);
        }
    }
    // Values that become live behind each instruction, less those that end there.
    let size = |position: usize| {
        if instructions[position].class.is_texture() {
            4
        } else {
            1
        }
    };
    let mut change = vec![0_i64; instructions.len()];
    for (position, last) in last_reader
        .iter()
        .enumerate()
        .filter(|(_, last)| **last > 0)
    {
        change[first_kept[position]] += size(position);
        change[*last] -= size(position);
    }
    let live = change.iter().scan(0, |live, change| {
        *live += change;
        Some(*live)
    });
    u32::try_from(live.max().unwrap_or(0)).unwrap_or(0).max(1)
}

/// First instruction and end of each loop.
fn find_loops(regions: &[Region], loops: &mut Vec<(usize, usize)>) -> Option<(usize, usize)> {
    let mut all: Option<(usize, usize)> = None;
    for region in regions {
        let own = match region {
            Region::Block(range) => Some((range.start as usize, range.end as usize)),
            Region::If(arms) => around(arms.iter(), loops),
            Region::Switch(cases) => around(cases.iter(), loops),
            Region::Loop(body) => {
                let body = find_loops(body, loops);
                loops.extend(body);
                body
            }
        };
        all = match (all, own) {
            (Some((begin, _)), Some((_, end))) => Some((begin, end)),
            (all, own) => all.or(own),
        };
    }
    all
}

/// First instruction and end of all of these, with their loops.
fn around<'r>(
    parts: impl Iterator<Item = &'r Vec<Region>>,
    loops: &mut Vec<(usize, usize)>,
) -> Option<(usize, usize)> {
    let parts = parts.filter_map(|part| find_loops(part, loops));
    parts.reduce(|(begin, _), (_, end)| (begin, end))
}

/// A list with `before` arithmetic instructions in front of it and `behind` after it, each of which reads the one before;
/// the first of those behind reads the list's last.
pub(crate) fn between(before: u32, list: &[Instruction], behind: u32) -> Vec<Instruction> {
    let alu = |source: Option<u32>| {
        let sources: &[u32] = source.as_slice();
        Instruction::new(InstructionClass::Alu, sources)
    };
    let chain = |from: u32, n: u32| (from..from + n).map(move |at| alu(at.checked_sub(1)));
    let shift = |instruction: &Instruction| {
        let mut shifted = *instruction;
        let sources = shifted.sources.iter_mut();
        let sources = sources.filter(|source| **source != Instruction::NONE);
        sources.for_each(|source| *source += before);
        shifted
    };
    let mut instructions: Vec<_> = chain(0, before).collect();
    instructions.extend(list.iter().map(shift));
    instructions.extend(chain(instructions.len() as u32, behind));
    instructions
}

/// Fills [`Op::run`] and [`Op::chained_run`].
fn find_runs(ops: &mut [Op]) {
    for first in 0..ops.len() {
        if ops[first].pipe != Pipe::Alu {
            continue;
        }
        // Window places of the results of the run; a run is shorter than the window, so each stands for one instruction.
        let mut results = 0_u32;
        let mut run = 0;
        let reads = |op: &Op, results: u32| op.waits().iter().any(|at| results >> at & 1 != 0);
        for op in &ops[first..] {
            let goes_on = run == 0 || op.memory_waits == 0 && !reads(op, results);
            if op.pipe != Pipe::Alu || !goes_on || run == MAX_RUN {
                break;
            }
            results |= 1 << op.slot;
            run += 1;
        }
        let next = &ops[first + run];
        let is_chained = next.memory_waits == 0 && reads(next, results);
        ops[first].run = run as u8;
        ops[first].chained_run = if is_chained { run as u8 } else { 0 };
    }
}

/// Whether an instruction's result comes from memory.
fn goes_to_memory(instructions: &[Instruction], position: usize) -> bool {
    let class = instructions[position].class;
    let of_groups = [InstructionClass::Shared, InstructionClass::Barrier];
    class.is_texture() || class.accesses_buffer() || of_groups.contains(&class)
}

fn pipe_of(class: InstructionClass) -> Pipe {
    match class {
        // Varyings are interpolated by the rasteriser and attributes fetched by the vertex fetcher: in the core both are
        // register moves, as is handing a result over.
        InstructionClass::Alu
        | InstructionClass::Varying
        | InstructionClass::Attribute
        | InstructionClass::Output => Pipe::Alu,
        InstructionClass::Transcendental => Pipe::Transcendental,
        InstructionClass::Texture => Pipe::Texture,
        InstructionClass::Load => Pipe::Load,
        InstructionClass::Store => Pipe::Store,
        InstructionClass::Atomic => Pipe::Atomic,
        InstructionClass::Shared => Pipe::Shared,
        InstructionClass::Barrier => Pipe::Barrier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_trace::synthetic::{chain, fragment_program, independent};

    #[test]
    fn program_between_operations_reads_what_it_read_before() {
        let read = |sources: &[u32]| Instruction::new(InstructionClass::Alu, sources);
        let program = fragment_program("", vec![read(&[]), read(&[0]), read(&[0, 1])]);
        let sources = |list: &[Instruction]| -> Vec<Vec<usize>> {
            list.iter().map(|i| i.reads().collect()).collect()
        };
        let program = program.instructions;
        let all = between(2, &program, 3);
        let expected: [&[usize]; 8] = [&[], &[0], &[], &[2], &[2, 3], &[4], &[5], &[6]];
        assert_eq!(sources(&all), expected, "a chain, the program, a chain");
        assert_eq!(between(0, &program, 0), program, "as it was");
    }

    #[test]
    fn registers_hold_what_is_read_later() {
        let op = |class, sources: &[u32]| Instruction::new(class, sources);
        let alu = |sources: &[u32]| op(InstructionClass::Alu, sources);
        let of = |list: Vec<Instruction>| registers(&fragment_program("", list));
        assert_eq!(of(vec![]), 1, "nothing");
        assert_eq!(of(vec![alu(&[]), alu(&[0]), alu(&[1])]), 1, "a chain");
        let sum = vec![alu(&[]), alu(&[]), alu(&[]), alu(&[0, 1, 2])];
        assert_eq!(of(sum), 3, "three at a time");
        let texture = op(InstructionClass::Texture, &[0, 1]);
        let sampled = vec![alu(&[]), alu(&[]), texture, alu(&[2]), alu(&[0, 3])];
        assert_eq!(of(sampled), 5, "four components and a coordinate");
    }

    #[test]
    fn program_checks_a_result_once() {
        let read = |sources: &[u32]| Instruction::new(InstructionClass::Alu, sources);
        let program = fragment_program("", vec![read(&[]), read(&[0]), read(&[0, 1]), read(&[0])]);
        let ops = ProgramStore::new(&[program]).ops;
        assert_eq!(ops[1].waits(), [0], "first reader of 0");
        assert_eq!(ops[2].waits(), [1], "0 was complete when 1 issued");
        assert_eq!(ops[3].waits(), [0_u8; 0], "nothing left to check");
    }

    #[test]
    fn program_checks_the_window_place_it_takes() {
        let ops = ProgramStore::new(&[independent(InstructionClass::Alu, 40)]).ops;
        assert_eq!(ops[31].waits(), [0_u8; 0], "window not yet full");
        assert_eq!(ops[32].waits(), [0], "takes the place of instruction 0");
        let ops = ProgramStore::new(&[chain(InstructionClass::Alu, 40)]).ops;
        assert_eq!(
            ops[32].waits(),
            [31],
            "instruction 0 was waited for long ago"
        );
    }

    #[test]
    fn program_checks_textures_by_bit() {
        let mut instructions = vec![Instruction::new(InstructionClass::Texture, &[]); 33];
        instructions.push(Instruction::new(InstructionClass::Alu, &[0, 32]));
        let ops = ProgramStore::new(&[fragment_program("", instructions)]).ops;
        assert_eq!(ops[1].memory_waits, 0b10, "its own bit must be free");
        assert_eq!(
            ops[33].memory_waits, 1,
            "bit 0 is that of texture 32, which waited for texture 0"
        );
    }

    #[test]
    fn program_runs_end_where_a_result_is_read() {
        let alu = |sources: &[u32]| Instruction::new(InstructionClass::Alu, sources);
        let instructions = vec![
            alu(&[]),
            alu(&[]),
            alu(&[1]),
            Instruction::new(InstructionClass::Texture, &[0]),
            alu(&[2]),
            alu(&[3]),
            alu(&[0]),
        ];
        let ops = ProgramStore::new(&[fragment_program("", instructions)]).ops;
        let runs: Vec<_> = ops.iter().map(|op| (op.run, op.chained_run)).collect();
        assert_eq!(runs[0], (2, 2), "the third reads the second");
        assert_eq!(runs[1], (1, 1), "at once");
        assert_eq!(runs[2], (1, 0), "a texture instruction ends it");
        assert_eq!(runs[3], (0, 0), "no arithmetic");
        assert_eq!(runs[4], (1, 0), "what follows waits for a texture");
        assert_eq!(runs[5], (2, 0), "which has come when the run begins");
        assert_eq!(runs[7], (0, 0), "the end mark");
    }

    #[test]
    fn program_runs_are_bounded() {
        let ops = ProgramStore::new(&[independent(InstructionClass::Alu, 40)]).ops;
        assert_eq!(ops[0].run, 16, "no more than this");
        assert_eq!(ops[39].run, 1, "the last");
    }
}
