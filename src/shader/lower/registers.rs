//! Few registers instead of one for every value: those whose lives do not meet share one.

use super::super::code::{Code, NONE, Register};
use super::super::operation::Op;
use super::optimize::{loops, read};

/// A register's life, from position to position; arrays live as one.
#[derive(Debug, Clone)]
struct Life {
    registers: std::ops::Range<Register>,
    start: u32,
    end: u32,
}

/// Renumbers registers: those by lane first, those that are the same in all lanes behind them.
pub(super) fn allocate(code: &mut Code, uniform: &[bool]) {
    let mut lives = lives(code, uniform);
    let loops = loops(&code.instructions);
    for life in &mut lives {
        // Inner loops come first, so that a life grows from inside to outside.
        for &(start, end) in &loops {
            if life.start < start && (start..=end).contains(&life.end) {
                life.end = end;
            }
            if (start..=end).contains(&life.start) && life.end > end {
                life.start = start;
            }
        }
    }
    lives.sort_by_key(|life| (life.start, life.registers.start));
    let mut numbers = vec![NONE; uniform.len()];
    let mut free_at: Vec<u32> = Vec::new();
    for life in &lives {
        let size = life.registers.len();
        let first = place(&mut free_at, life.start, size);
        free_at[first..first + size].fill(life.end.max(life.start + 1));
        for (register, number) in life.registers.clone().zip(first as Register..) {
            numbers[register as usize] = number;
        }
    }
    code.alive = alive(&lives);
    code.first_uniform = free_at.len() as Register;
    let mut next = code.first_uniform;
    let prologue = code.prologue.iter().flat_map(|instruction| {
        let results = instruction.results.into_iter().filter(|&r| r != NONE);
        results.chain(instruction.read()).collect::<Vec<_>>()
    });
    let read_here = code
        .instructions
        .iter()
        .flat_map(|i| read(code, i).collect::<Vec<_>>());
    let used: Vec<Register> = prologue.chain(read_here).collect();
    let interfaces = code.inputs.iter().chain(&code.outputs);
    let shown: Vec<Register> = interfaces.flat_map(|i| i.registers.clone()).collect();
    for register in used.into_iter().chain(shown) {
        let number = &mut numbers[register as usize];
        if *number == NONE {
            *number = next;
            next += 1;
        }
    }
    code.registers = next;
    renumber(code, &numbers);
}

/// Lives of all registers by lane that occur.
fn lives(code: &Code, uniform: &[bool]) -> Vec<Life> {
    let mut span: Vec<Option<(u32, u32)>> = vec![None; uniform.len()];
    let last = code.instructions.len() as u32;
    let mut see = |register: Register, at: u32| {
        let (start, end) = span[register as usize].get_or_insert((at, at));
        *start = (*start).min(at);
        *end = (*end).max(at);
    };
    for (interfaces, at) in [(&code.inputs, 0), (&code.outputs, last)] {
        for &register in interfaces.iter().flat_map(|i| &i.registers) {
            see(register, at);
        }
    }
    let mut arrays: Vec<(std::ops::Range<Register>, u32)> = Vec::new();
    for (at, instruction) in (0_u32..).zip(&code.instructions) {
        for register in read(code, instruction).chain(instruction.written()) {
            see(register, at);
        }
        if let Op::ReadIndexed { base, length, .. } | Op::WriteIndexed { base, length, .. } =
            instruction.op
        {
            let range = base..base + length;
            for register in range.clone() {
                see(register, at);
            }
            if !arrays.iter().any(|(known, _)| *known == range) {
                arrays.push((range, at));
            }
        }
    }
    let mut lives = Vec::new();
    let mut taken = vec![false; uniform.len()];
    for (range, _) in arrays {
        let spans = span[range.start as usize..range.end as usize]
            .iter()
            .flatten();
        let (start, end) = spans.fold((u32::MAX, 0), |(start, end), &(s, e)| {
            (start.min(s), end.max(e))
        });
        taken[range.start as usize..range.end as usize].fill(true);
        lives.push(Life {
            registers: range,
            start,
            end,
        });
    }
    for (register, span) in (0..).zip(span) {
        let index = register as usize;
        if let Some((start, end)) = span.filter(|_| !taken[index] && !uniform[index]) {
            lives.push(Life {
                registers: register..register + 1,
                start,
                end,
            });
        }
    }
    lives
}

/// Lowest place for so many registers in a row.
fn place(free_at: &mut Vec<u32>, start: u32, size: usize) -> usize {
    let mut run = 0;
    for (at, &free) in free_at.iter().enumerate() {
        run = if free <= start { run + 1 } else { 0 };
        if run == size {
            return at + 1 - size;
        }
    }
    let first = free_at.len() - run;
    free_at.resize(first + size, 0);
    first
}

/// Most registers alive at the same time.
fn alive(lives: &[Life]) -> u32 {
    let mut changes: Vec<(u32, i64)> = Vec::new();
    for life in lives {
        let size = life.registers.len() as i64;
        changes.push((life.start, size));
        changes.push((life.end.max(life.start + 1), -size));
    }
    changes.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, change) in changes {
        now += change;
        most = most.max(now);
    }
    most as u32
}

fn renumber(code: &mut Code, numbers: &[Register]) {
    let change = |register: &mut Register| {
        if *register != NONE {
            *register = numbers[*register as usize];
        }
    };
    for instruction in code.instructions.iter_mut().chain(&mut code.prologue) {
        instruction
            .results
            .iter_mut()
            .chain(&mut instruction.operands)
            .for_each(change);
        if let Op::ReadIndexed { base, .. } | Op::WriteIndexed { base, .. } = &mut instruction.op {
            change(base);
        }
    }
    for image in &mut code.images {
        image.read_mut().for_each(change);
    }
    for interface in code.inputs.iter_mut().chain(&mut code.outputs) {
        interface.registers.iter_mut().for_each(change);
    }
    code.constants.retain_mut(|(register, _)| {
        change(register);
        *register != NONE
    });
}
