//! Instructions as text.

use super::code::{Code, Instruction, NONE, Register};
use super::operation::{Alu, Op};

/// An instruction as a line: results, operation, operands. Registers by lane are `r0`, those that are the same in all lanes
/// `u0`, constants their values.
#[must_use]
pub fn listing_line(code: &Code, instruction: &Instruction) -> String {
    let results: Vec<String> = instruction.written().map(|r| name(code, r)).collect();
    let image = match instruction.op {
        Op::Image(image) => code.images.get(image as usize),
        _ => None,
    };
    let of_image = image.into_iter().flat_map(|image| image.read());
    let operands: Vec<String> = instruction
        .read()
        .chain(of_image)
        .map(|r| name(code, r))
        .collect();
    let mut line = String::new();
    if !results.is_empty() {
        line.push_str(&results.join(", "));
        line.push_str(" = ");
    }
    line.push_str(&operation(code, instruction.op));
    if !operands.is_empty() {
        line.push(' ');
        line.push_str(&operands.join(", "));
    }
    line
}

fn name(code: &Code, register: Register) -> String {
    if register == NONE {
        return "-".to_owned();
    }
    if register < code.first_uniform {
        return format!("r{register}");
    }
    let constant = code.constants.iter().find(|&&(known, _)| known == register);
    match constant {
        Some(&(_, bits)) => constant_text(bits),
        None => format!("u{}", register - code.first_uniform),
    }
}

/// A constant as the number that it most likely is: few integers of programs look like floats.
fn constant_text(bits: u32) -> String {
    let value = f32::from_bits(bits);
    let exponent = (bits >> 23) & 0xff;
    match exponent {
        64..=190 => format!("{value:?}"),
        _ => format!("{}", bits.cast_signed()),
    }
}

fn operation(code: &Code, op: Op) -> String {
    let resource = |position: u32| {
        let binding = code.bindings.get(position as usize);
        binding.map_or("?", |binding| binding.name.as_str())
    };
    let memory = |memory| match memory {
        super::operation::Memory::Buffer(position) => resource(position),
        super::operation::Memory::Workgroup => "workgroup",
    };
    match op {
        Op::Alu(op) => arithmetic(op).to_lowercase(),
        Op::Special(op) => format!("{op:?}").to_lowercase(),
        Op::Derivative(op) => format!("derivative.{op:?}").to_lowercase(),
        Op::ReadIndexed { base, offset, .. } => format!("read r{base}+{offset}"),
        Op::WriteIndexed { base, offset, .. } => format!("write r{base}+{offset}"),
        Op::Load {
            memory: from,
            offset,
        } => format!("load {}+{offset}", memory(from)),
        Op::Store { memory: to, offset } => format!("store {}+{offset}", memory(to)),
        Op::Atomic {
            memory: at,
            offset,
            op,
        } => format!(
            "atomic.{} {}+{offset}",
            format!("{op:?}").to_lowercase(),
            memory(at)
        ),
        Op::ArrayLength { buffer, .. } => format!("length {}", resource(buffer)),
        Op::Image(image) => {
            let image = &code.images[image as usize];
            format!("{:?} {}", image.access, resource(image.texture)).to_lowercase()
        }
        Op::Loop { trips: 0 } => "loop".to_owned(),
        Op::Loop { trips } => format!("loop ({trips} trips)"),
        Op::Case(position) => match &code.cases[position as usize] {
            Some(selectors) => {
                let texts: Vec<String> = selectors.iter().map(u32::to_string).collect();
                format!("case {} of", texts.join(" "))
            }
            None => "default of".to_owned(),
        },
        Op::EndIf => "end if".to_owned(),
        Op::EndLoop => "end loop".to_owned(),
        Op::EndSwitch => "end switch".to_owned(),
        Op::EndScope => "end scope".to_owned(),
        Op::BreakIf => "break if".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn arithmetic(op: Alu) -> String {
    match op {
        Alu::Move => format!("{op:?}"),
        Alu::Float(op) => format!("{op:?}"),
        Alu::Compare(op) => format!("{op:?}"),
        Alu::Integer(op) => format!("{op:?}"),
        Alu::Bits(op) => format!("{op:?}"),
        Alu::Convert(op) => format!("{op:?}"),
    }
}
