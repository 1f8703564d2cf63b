//! Instructions without those that only move values about; jumps find their targets last.

use super::super::code::{Code, ImageAccess, Instruction, NONE, Register};
use super::super::operation::{Alu, Op};

/// Reads and writes of registers, by position in the list.
struct Uses {
    reads: Vec<Vec<u32>>,
    writes: Vec<Vec<u32>>,
    /// Registers that more than instructions read or write: inputs, outputs, arrays.
    pinned: Vec<bool>,
    /// Arrays: registers in a row that are written by lane, with the positions of these writes.
    arrays: Vec<(std::ops::Range<Register>, Vec<u32>)>,
}

impl Uses {
    fn of(code: &Code, registers: usize) -> Self {
        let mut uses = Self {
            reads: vec![Vec::new(); registers],
            writes: vec![Vec::new(); registers],
            pinned: vec![false; registers],
            arrays: Vec::new(),
        };
        for interface in code.inputs.iter().chain(&code.outputs) {
            for &register in &interface.registers {
                uses.pinned[register as usize] = true;
            }
        }
        for (at, instruction) in (0_u32..).zip(&code.instructions) {
            for register in read(code, instruction) {
                uses.reads[register as usize].push(at);
            }
            for register in instruction.written() {
                uses.writes[register as usize].push(at);
            }
            match instruction.op {
                Op::ReadIndexed { base, length, .. } => uses.array(base, length, None),
                Op::WriteIndexed { base, length, .. } => uses.array(base, length, Some(at)),
                _ => {}
            }
        }
        uses
    }

    fn array(&mut self, base: Register, length: u32, written: Option<u32>) {
        let range = base..base + length;
        let known = self.arrays.iter().position(|(known, _)| *known == range);
        let known = known.unwrap_or_else(|| {
            self.pinned[base as usize..(base + length) as usize].fill(true);
            self.arrays.push((range, Vec::new()));
            self.arrays.len() - 1
        });
        self.arrays[known].1.extend(written);
    }

    /// Whether a register is written between two positions, the last one included.
    fn written_in(&self, register: Register, after: u32, last: u32) -> bool {
        let inside = |positions: &[u32]| positions.iter().any(|&at| at > after && at <= last);
        let arrays = self.arrays.iter();
        inside(&self.writes[register as usize])
            || arrays
                .filter(|(range, _)| range.contains(&register))
                .any(|(_, written)| inside(written))
    }
}

/// Registers that an instruction reads, those of its texture access too.
pub(in super::super) fn read<'a>(
    code: &'a Code,
    instruction: &'a Instruction,
) -> impl Iterator<Item = Register> + 'a {
    let image = match instruction.op {
        Op::Image(image) => Some(&code.images[image as usize]),
        _ => None,
    };
    let of_image = image.into_iter().flat_map(|image| image.read());
    instruction.read().chain(of_image)
}

/// Positions of loops: their first and last markers.
pub(super) fn loops(instructions: &[Instruction]) -> Vec<(u32, u32)> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    for (at, instruction) in (0_u32..).zip(instructions) {
        match instruction.op {
            Op::Loop { .. } => open.push(at),
            Op::EndLoop => found.extend(open.pop().map(|start| (start, at))),
            _ => {}
        }
    }
    // Outer loops last, as an interval grows from the inner to the outer.
    found
}

/// End of a value's life: the last use, or the end of a loop around the use that began after the value.
fn last_use(loops: &[(u32, u32)], from: u32, last: u32) -> u32 {
    loops.iter().fold(last, |last, &(start, end)| {
        if start > from && start <= last && last <= end {
            end
        } else {
            last
        }
    })
}

/// Takes out moves, first values that nobody sees, and results that nobody reads.
pub(super) fn optimize(code: &mut Code, uniform: &[bool]) {
    drop_first_values(code, uniform);
    forward_copies(code, uniform);
    write_in_place(code, uniform.len());
    drop_unread(code, uniform.len());
}

fn compact(instructions: &mut Vec<Instruction>, dead: &[bool]) {
    let mut dead = dead.iter();
    instructions.retain(|_| !dead.next().is_some_and(|&dead| dead));
}

/// The first value of a variable is lost where a store precedes every use and all uses lie in the store's region.
fn drop_first_values(code: &mut Code, uniform: &[bool]) {
    let uses = Uses::of(code, uniform.len());
    let ends = region_ends(&code.instructions);
    let mut dead = vec![false; code.instructions.len()];
    for register in 0..uniform.len() {
        let &[first, second, ..] = &uses.writes[register][..] else {
            continue;
        };
        let value = &code.instructions[first as usize];
        let is_first = value.op == Op::Alu(Alu::Move) && uniform[value.operands[0] as usize];
        if uses.pinned[register] || !is_first || value.masked {
            continue;
        }
        let end = ends[second as usize];
        let inside = |&at: &u32| at > second && at < end;
        let reads = uses.reads[register].iter().all(inside);
        let writes = uses.writes[register][2..].iter().all(inside);
        let store = &code.instructions[second as usize];
        let single = store.written().count() == 1;
        if reads && writes && single {
            dead[first as usize] = true;
            code.instructions[second as usize].masked = false;
        }
    }
    compact(&mut code.instructions, &dead);
}

/// Position of the marker that ends the innermost region around each instruction.
fn region_ends(instructions: &[Instruction]) -> Vec<u32> {
    let mut ends = vec![instructions.len() as u32; instructions.len()];
    let mut open = vec![instructions.len() as u32];
    for (at, instruction) in instructions.iter().enumerate().rev() {
        match instruction.op {
            Op::EndIf | Op::EndLoop | Op::EndSwitch | Op::EndScope => open.push(at as u32),
            Op::If | Op::Loop { .. } | Op::Switch | Op::Scope => drop(open.pop()),
            Op::Else | Op::Continuing | Op::Case(_) => {
                if let Some(last) = open.last_mut() {
                    *last = at as u32;
                }
            }
            _ => {}
        }
        ends[at] = open.last().copied().unwrap_or(0);
    }
    ends
}

/// Reads of a copy become reads of the register it was made of, as long as that keeps its value.
fn forward_copies(code: &mut Code, uniform: &[bool]) {
    let uses = Uses::of(code, uniform.len());
    let loops = loops(&code.instructions);
    let mut alias: Vec<Register> = (0..uniform.len() as Register).collect();
    let mut dead = vec![false; code.instructions.len()];
    for at in 0..code.instructions.len() {
        let instruction = &mut code.instructions[at];
        for operand in instruction
            .operands
            .iter_mut()
            .filter(|operand| **operand != NONE)
        {
            *operand = alias[*operand as usize];
        }
        if let Op::Image(image) = instruction.op {
            for register in code.images[image as usize].read_mut() {
                *register = alias[*register as usize];
            }
        }
        let (to, from) = (instruction.results[0], instruction.operands[0]);
        if instruction.op != Op::Alu(Alu::Move) || instruction.masked {
            continue;
        }
        if uses.pinned[to as usize] || uses.writes[to as usize].len() != 1 {
            continue;
        }
        let at = at as u32;
        let last = uses.reads[to as usize].last().copied().unwrap_or(at);
        let last = last_use(&loops, at, last);
        if !uses.written_in(from, at, last.saturating_sub(1)) && !changes(code, (from, last), &uses)
        {
            alias[to as usize] = from;
            dead[at as usize] = true;
        }
    }
    compact(&mut code.instructions, &dead);
}

/// Whether the instruction at a position writes a register and could do so before it has read it.
fn changes(code: &Code, (register, at): (Register, u32), uses: &Uses) -> bool {
    let Some(instruction) = code.instructions.get(at as usize) else {
        return false;
    };
    uses.written_in(register, at.saturating_sub(1), at) && !matches!(instruction.op, Op::Alu(_))
}

/// An instruction writes a variable itself where its result is only moved there.
fn write_in_place(code: &mut Code, registers: usize) {
    let uses = Uses::of(code, registers);
    let mut dead = vec![false; code.instructions.len()];
    let mut segment = 0_u32;
    for at in 0..code.instructions.len() as u32 {
        let instruction = code.instructions[at as usize];
        if !is_straight(instruction.op) {
            segment = at + 1;
        }
        let (to, from) = (instruction.results[0], instruction.operands[0]);
        if instruction.op != Op::Alu(Alu::Move) {
            continue;
        }
        let (&[made], &[_]) = (
            &uses.writes[from as usize][..],
            &uses.reads[from as usize][..],
        ) else {
            continue;
        };
        let maker = code.instructions[made as usize];
        let single = maker.written().count() == 1;
        let plain = maker.op.is_pure() && single && !maker.masked && !dead[made as usize];
        let quiet = |positions: &[u32]| !positions.iter().any(|&p| p > made && p < at);
        let array = uses.arrays.iter().any(|(range, _)| range.contains(&to));
        let alone = quiet(&uses.reads[to as usize]) && quiet(&uses.writes[to as usize]) && !array;
        if plain && alone && made >= segment && !uses.pinned[from as usize] {
            code.instructions[made as usize].results[0] = to;
            code.instructions[made as usize].masked = instruction.masked;
            dead[at as usize] = true;
        }
    }
    compact(&mut code.instructions, &dead);
}

/// Whether the lanes behind an instruction are those before it.
fn is_straight(op: Op) -> bool {
    matches!(
        op,
        Op::Alu(_)
            | Op::Special(_)
            | Op::Derivative(_)
            | Op::ArrayLength { .. }
            | Op::ReadIndexed { .. }
            | Op::WriteIndexed { .. }
            | Op::Image(_)
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Atomic { .. }
    )
}

/// Takes out what nobody reads.
fn drop_unread(code: &mut Code, registers: usize) {
    loop {
        let uses = Uses::of(code, registers);
        let mut read_by_prologue = vec![false; registers];
        for register in code.prologue.iter().flat_map(Instruction::read) {
            read_by_prologue[register as usize] = true;
        }
        let unread = |instruction: &Instruction| {
            instruction.written().all(|register| {
                let register = register as usize;
                let read = !uses.reads[register].is_empty() || read_by_prologue[register];
                !read && !uses.pinned[register]
            })
        };
        let removable = |instruction: &Instruction| match instruction.op {
            Op::Image(image) => code.images[image as usize].access != ImageAccess::Store,
            op => op.is_pure(),
        };
        let goes = |instruction: &Instruction| removable(instruction) && unread(instruction);
        let dead: Vec<bool> = code.instructions.iter().map(goes).collect();
        let dead_prologue: Vec<bool> = code.prologue.iter().map(goes).collect();
        if !dead.contains(&true) && !dead_prologue.contains(&true) {
            break;
        }
        compact(&mut code.instructions, &dead);
        compact(&mut code.prologue, &dead_prologue);
    }
}

/// Gives markers their other ends, jumps their targets and the stack's entry that they refer to.
pub(in super::super) fn link(code: &mut Code) {
    let count = code.instructions.len();
    let mut open: Vec<usize> = Vec::new();
    // The marker that a region of instructions ends with.
    let ends = region_ends(&code.instructions);
    let enclosing = |open: &[usize]| open.len() as u32;
    for at in 0..count {
        let op = code.instructions[at].op;
        let (mut target, mut frame) = (ends[at], 0);
        match op {
            Op::If | Op::Switch | Op::Scope | Op::Loop { .. } => {
                open.push(at);
                frame = enclosing(&open);
            }
            Op::Else | Op::Continuing | Op::Case(_) => {
                target = next_marker(&ends, at, count);
            }
            Op::EndIf | Op::EndSwitch | Op::EndScope | Op::EndLoop => {
                let opened = open.pop().unwrap_or(0);
                target = opened as u32;
                frame = outer_end(&ends, opened, count);
            }
            Op::Break => {
                let found = open.iter().rposition(|&o| {
                    matches!(code.instructions[o].op, Op::Loop { .. } | Op::Switch)
                });
                let found = found.unwrap_or(0);
                let switch = open
                    .get(found)
                    .is_some_and(|&o| code.instructions[o].op == Op::Switch);
                frame = found as u32 * 2 + u32::from(switch);
            }
            Op::Continue => frame = nearest(code, &open, |op| matches!(op, Op::Loop { .. })),
            Op::Return => frame = nearest(code, &open, |op| op == Op::Scope),
            _ => {}
        }
        code.instructions[at].target = target;
        code.instructions[at].frame = frame;
    }
    first_markers(code);
}

fn nearest(code: &Code, open: &[usize], is: impl Fn(Op) -> bool) -> u32 {
    let found = open.iter().rposition(|&o| is(code.instructions[o].op));
    found.unwrap_or(0) as u32
}

/// The marker behind this one in the same construct.
fn next_marker(ends: &[u32], at: usize, count: usize) -> u32 {
    ends.get(at + 1).map_or(count as u32, |&end| end)
}

/// The marker that ends the region in which a construct stands.
fn outer_end(ends: &[u32], opened: usize, count: usize) -> u32 {
    ends.get(opened).map_or(count as u32, |&end| end)
}

/// Openings point to the first marker of their construct.
fn first_markers(code: &mut Code) {
    let mut open: Vec<(usize, bool)> = Vec::new();
    for at in 0..code.instructions.len() {
        let op = code.instructions[at].op;
        let ends = matches!(op, Op::EndIf | Op::EndSwitch | Op::EndScope | Op::EndLoop);
        let splits = matches!(op, Op::Else | Op::Continuing | Op::Case(_));
        if (ends || splits)
            && let Some((opened, pointed)) = open.last_mut()
            && !*pointed
        {
            code.instructions[*opened].target = at as u32;
            *pointed = true;
        }
        if ends {
            open.pop();
        }
        if matches!(op, Op::If | Op::Switch | Op::Scope | Op::Loop { .. }) {
            open.push((at, false));
        }
    }
}
