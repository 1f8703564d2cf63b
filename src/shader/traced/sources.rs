//! Sources of a program's instructions: the writes of the registers that each one reads.
//!
//! Lanes that do not run keep a register's old value, so that behind a masked write both may be read. A loop's end leads to its
//! beginning. An instruction has four sources at most: of each register the nearest write before it comes first, in a loop
//! that of the trip before.

use std::collections::BTreeMap;

use azulejo_trace::Instruction as TracedInstruction;

use super::super::code::{Code, Instruction, Register};
use super::super::lower::read;
use super::super::operation::Op;

/// Writes of a register that may be read here, the nearest first.
type Writes = Vec<u32>;

/// Most writes of a register that are remembered: more than an instruction has sources.
const REMEMBERED: usize = 8;

/// Sources of each instruction of the program, by its position in the code or as input or output.
pub(super) fn of(code: &Code, positions: &[Option<u32>]) -> Vec<[u32; 4]> {
    let mut flow = Flow {
        code,
        numbers: BTreeMap::new(),
        writes: BTreeMap::new(),
        carried: BTreeMap::new(),
        sources: vec![[TracedInstruction::NONE; 4]; positions.len()],
    };
    for (number, position) in (0..).zip(positions) {
        if let Some(position) = position {
            flow.numbers.insert(*position, number);
        }
    }
    // Another round for each loop around a loop: what its end knows comes to its beginning.
    loop {
        let before = flow.carried.clone();
        flow.round(positions.len());
        if flow.carried == before {
            return flow.sources;
        }
    }
}

struct Flow<'c> {
    code: &'c Code,
    /// Number in the program by position in the code.
    numbers: BTreeMap<u32, u32>,
    writes: BTreeMap<Register, Writes>,
    /// Writes that loops' ends bring to their beginnings, by the loop's position.
    carried: BTreeMap<u32, BTreeMap<Register, Writes>>,
    sources: Vec<[u32; 4]>,
}

impl Flow<'_> {
    fn round(&mut self, n: usize) {
        self.writes.clear();
        for (number, input) in (0..).zip(self.code.located_inputs()) {
            for register in &input.registers {
                self.writes.insert(*register, vec![number]);
            }
        }
        let mut loops = Vec::new();
        for (at, instruction) in (0_u32..).zip(&self.code.instructions) {
            if let Some(&number) = self.numbers.get(&at) {
                self.instruction(instruction, number);
            }
            match instruction.op {
                Op::Loop { .. } => {
                    loops.push(at);
                    let carried = self.carried.get(&at).cloned().unwrap_or_default();
                    for (register, mut writes) in carried {
                        let known = self.writes.entry(register).or_default();
                        extend(&mut writes, known);
                        *known = writes;
                    }
                }
                Op::EndLoop => {
                    if let Some(begin) = loops.pop() {
                        self.carry(begin);
                    }
                }
                _ => {}
            }
        }
        let first = n - self.code.outputs.len();
        for (nth, output) in self.code.outputs.iter().enumerate() {
            let reads = output.registers.iter().copied();
            self.sources[first + nth] = self.nearest(reads.collect());
        }
    }

    /// Writes inside of a loop that its beginning sees.
    fn carry(&mut self, begin: u32) {
        let first = self.numbers.range(begin..).next().map_or(0, |(_, n)| *n);
        let carried = self.carried.entry(begin).or_default();
        for (register, writes) in &self.writes {
            let inside: Writes = writes.iter().copied().filter(|n| *n >= first).collect();
            if !inside.is_empty() {
                extend(carried.entry(*register).or_default(), &inside);
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction, number: u32) {
        let mut reads: Vec<Register> = read(self.code, instruction).collect();
        let mut written: Vec<Register> = instruction.written().collect();
        let mut masked = instruction.masked;
        match instruction.op {
            Op::ReadIndexed { base, length, .. } => reads.extend(base..base + length),
            Op::WriteIndexed { base, length, .. } => {
                written.extend(base..base + length);
                masked = true;
            }
            _ => {}
        }
        self.sources[number as usize] = self.nearest(reads);
        for register in written {
            let writes = self.writes.entry(register).or_default();
            if !masked {
                writes.clear();
            }
            writes.retain(|known| *known != number);
            writes.insert(0, number);
            writes.truncate(REMEMBERED);
        }
    }

    /// The nearest write of each register, then the second nearest, up to four.
    fn nearest(&self, reads: Vec<Register>) -> [u32; 4] {
        let mut sources = [TracedInstruction::NONE; 4];
        let mut n = 0;
        for rank in 0..REMEMBERED {
            for register in &reads {
                let writes = self.writes.get(register);
                let write = writes.and_then(|writes| writes.get(rank));
                if let Some(write) = write.filter(|write| !sources.contains(write))
                    && n < sources.len()
                {
                    sources[n] = *write;
                    n += 1;
                }
            }
        }
        sources
    }
}

/// Adds writes that are farther than those known.
fn extend(known: &mut Writes, others: &[u32]) {
    for write in others {
        if known.len() < REMEMBERED && !known.contains(write) {
            known.push(*write);
        }
    }
}
