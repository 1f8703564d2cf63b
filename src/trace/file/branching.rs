//! Payloads of frames with programs that branch: trees of regions, and paths. Frames of straight programs have neither.

use super::draws::{SOURCE, put_choice, put_head, take_list, take_program};
use super::wire::{Decoder, Encoder, Malformed};
use crate::path_check::MAX_DEPTH;
use crate::{Instruction, InstructionClass, PathTable, Program, ProgramId, Region};

/// Subject of messages on a tree.
const REGIONS: &str = "a program's regions";

/// Subject of messages on paths.
const PATHS: &str = "a frame's paths";

pub(super) fn put_programs(to: &mut Encoder, programs: &[Program]) {
    to.count(programs.len());
    for program in programs {
        put_head(to, program);
        for (position, instruction) in (0_u32..).zip(&program.instructions) {
            put_choice(to, &InstructionClass::ALL, &instruction.class);
            for source in instruction.sources {
                to.unsigned(match position.checked_sub(source) {
                    _ if source == Instruction::NONE => 0,
                    Some(back @ 1..) => 2 * u64::from(back),
                    _ => 2 * u64::from(source - position) + 1,
                });
            }
        }
        put_regions(to, &program.regions);
    }
}

pub(super) fn take_programs(from: &mut Decoder<'_>) -> Result<Vec<Program>, Malformed> {
    take_list(from, "a program", |from| {
        // Even: back to an earlier instruction; odd: on to a later one, or to itself.
        let program = take_program(from, |number, position| {
            let (distance, ahead) = (number / 2, number % 2 == 1);
            let source = match ahead {
                true => position.checked_add(distance),
                false => position.checked_sub(distance),
            };
            let source = source.filter(|source| *source != Instruction::NONE);
            source.ok_or(Malformed::Content(SOURCE))
        })?;
        let regions = take_regions(from, &mut 0, 0)?;
        Ok(Program { regions, ..program })
    })
}

fn put_regions(to: &mut Encoder, regions: &[Region]) {
    to.count(regions.len());
    for region in regions {
        match region {
            Region::Block(instructions) => {
                to.byte(0);
                to.unsigned(u64::from(instructions.end) - u64::from(instructions.start));
            }
            Region::If(arms) => {
                to.byte(1);
                arms.iter().for_each(|arm| put_regions(to, arm));
            }
            Region::Loop(body) => {
                to.byte(2);
                put_regions(to, body);
            }
            Region::Switch(cases) => {
                to.byte(3);
                to.count(cases.len());
                cases.iter().for_each(|case| put_regions(to, case));
            }
        }
    }
}

/// Regions whose first block begins at `next`.
fn take_regions(
    from: &mut Decoder<'_>,
    next: &mut u32,
    depth: usize,
) -> Result<Vec<Region>, Malformed> {
    if depth > MAX_DEPTH {
        return Err(Malformed::Content(REGIONS));
    }
    take_list(from, REGIONS, |from| {
        Ok(match from.byte(REGIONS)? {
            0 => {
                let first = *next;
                let end = first.checked_add(from.small(REGIONS)?);
                *next = end.ok_or(Malformed::Content(REGIONS))?;
                Region::Block(first..*next)
            }
            1 => {
                let first = take_regions(from, next, depth + 1)?;
                Region::If([first, take_regions(from, next, depth + 1)?])
            }
            2 => Region::Loop(take_regions(from, next, depth + 1)?),
            3 => Region::Switch(take_list(from, REGIONS, |from| {
                take_regions(from, next, depth + 1)
            })?),
            _ => return Err(Malformed::Content(REGIONS)),
        })
    })
}

pub(super) fn put_paths(to: &mut Encoder, paths: &PathTable) {
    to.count(paths.len());
    for (program, steps) in paths.iter() {
        to.unsigned(program.0.into());
        to.count(steps.len());
    }
    for (_, steps) in paths.iter() {
        to.bytes.extend_from_slice(steps);
    }
}

/// Bytes that a machine takes for each path, beside its steps.
type OfPath = [u64; 8];

pub(super) fn take_paths(from: &mut Decoder<'_>) -> Result<PathTable, Malformed> {
    let count = from.count(2, PATHS)?;
    from.reserve::<OfPath>(count, PATHS)?;
    let mut heads = Vec::with_capacity(count);
    for _ in 0..count {
        heads.push((ProgramId(from.small(PATHS)?), from.small(PATHS)?));
    }
    let mut paths = PathTable::default();
    for (program, length) in heads {
        from.reserve::<u8>(length, PATHS)?;
        paths.push(program, from.take(length, PATHS)?);
    }
    Ok(paths)
}
