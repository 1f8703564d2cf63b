//! Random programs whose invocations share memory. Between two barriers an element is written by one invocation and read by
//! no other, or changed by atomic operations that give one result in any order.

use std::fmt::Write as _;

use super::{Random, T, Writer};

/// Invocations of a program: a batch and an eighth.
pub(in super::super) const SHARED_INVOCATIONS: usize = 72;

/// Words of its buffer: sums of all invocations, then a row of each, then a word of each.
pub(in super::super) const SHARED_WORDS: usize = SUMS + (ROW.len() + 1) * SHARED_INVOCATIONS;

/// Words before the rows.
pub(in super::super) const SUMS: usize = 4;

/// Words of a row: floats, integers, and those that are nothing's.
pub(in super::super) const ROW: &[u8; 32] = b"fff.fff.iii.iii.f...fffiii..ii..";

const BINDINGS: &str = "struct Row { m: mat2x3<f32>, n: array<vec3<i32>, 2>, s: S, w: vec2<u32> }
struct Output { sums: array<atomic<u32>, 4>, rows: array<Row, 72>, words: array<u32> }
@group(0) @binding(0) var<storage, read_write> output: Output;
struct Cell { n: i32, v: vec3<f32> }
var<workgroup> cells: array<Cell, 72>;
var<workgroup> marks: array<atomic<i32>, 4>;
var<workgroup> own: array<atomic<u32>, 72>;
var<workgroup> chosen: u32;
";

/// A program of one workgroup that exchanges values by workgroup memory, and counts in its buffer.
pub(in super::super) fn shared_program(random: &mut Random, is_exact: bool) -> String {
    let mut writer = Writer::new(random, (BINDINGS, is_exact));
    writer.main(SHARED_INVOCATIONS);
    writer.statements(2);
    writer.exchange();
    if writer.random.below(3) == 0 {
        let name = writer.name();
        let _ = writeln!(
            writer.text,
            "for (var {name} = 0u; {name} < 2u; {name}++) {{"
        );
        let known = writer.variables.len();
        writer.variables.push((name, T::U, false));
        writer.exchange();
        writer.statements(1);
        writer.variables.truncate(known);
        writer.text.push_str("}\n");
    }
    writer.statements(1);
    writer.digest("output.words");
    writer.text
}

impl Writer<'_> {
    /// Writes, a barrier, reads of what others wrote, and a barrier before they write again.
    fn exchange(&mut self) {
        let (n, v) = (self.expression(T::I, 2), self.expression(T::V3, 2));
        let _ = writeln!(self.text, "cells[i].n = {n};\ncells[i].v = {v};");
        for _ in 0..2 {
            self.count();
            self.write_row();
        }
        self.read_row();
        let function = self.random.pick(&[
            "atomicExchange",
            "atomicAdd",
            "atomicSub",
            "atomicMin",
            "atomicMax",
            "atomicAnd",
            "atomicOr",
            "atomicXor",
        ]);
        let (old, value) = (self.name(), self.expression(T::U, 2));
        let _ = writeln!(self.text, "let {old} = {function}(&own[i], {value});");
        self.variables.push((old, T::U, false));
        let (writes, value) = (self.random.below(72), self.expression(T::U, 2));
        let chosen = self.name();
        let _ = writeln!(self.text, "if i == {writes}u {{ chosen = {value}; }}");
        let _ = match self.random.below(2) {
            0 => writeln!(self.text, "let {chosen} = workgroupUniformLoad(&chosen);"),
            _ => writeln!(self.text, "workgroupBarrier();\nlet {chosen} = chosen;"),
        };
        let at = [(); 2].map(|()| self.expression(T::U, 2));
        let [n, v, mark] = [(); 3].map(|()| self.name());
        let number = self.random.below(4);
        let _ = writeln!(
            self.text,
            "var {n} = cells[({}) % 72u].n;\nlet {v} = cells[({}) % 72u].v;\nvar {mark} = atomicLoad(&marks[{number}]);",
            at[0], at[1]
        );
        self.variables.push((n, T::I, true));
        self.variables.push((v, T::V3, false));
        self.variables.push((mark, T::I, true));
        self.variables.push((chosen, T::U, false));
        self.text.push_str("workgroupBarrier();\n");
    }

    /// Writes a part of the invocation's row, at indices within.
    fn write_row(&mut self) {
        let (way, ty) = [
            ("m[#].y", T::F),
            ("m[#]", T::V3),
            ("n[#]", T::I3),
            ("n[1][#]", T::I),
            ("s", T::S),
            ("s.v", T::V3),
            ("s.n[#]", T::I),
            ("w", T::U2),
        ][self.random.below(8)];
        let index = format!("({}) % 2u", self.expression(T::U, 1));
        let (way, value) = (way.replace('#', &index), self.expression(ty, 2));
        let condition = self.expression(T::B, 1);
        let _ = writeln!(
            self.text,
            "if {condition} {{ output.rows[i].{way} = {value}; }}"
        );
    }

    /// Names a part of the invocation's row.
    fn read_row(&mut self) {
        let (way, ty) = [
            ("m[#]", T::V3),
            ("n[#]", T::I3),
            ("s", T::S),
            ("s.v[#]", T::F),
            ("w", T::U2),
        ][self.random.below(5)];
        let index = format!("({}) % 2u", self.expression(T::U, 1));
        let (way, name) = (way.replace('#', &index), self.name());
        let _ = writeln!(self.text, "let {name} = output.rows[i].{way};");
        self.variables.push((name, ty, false));
    }

    /// An atomic operation of some invocations: each element knows one operation.
    fn count(&mut self) {
        let element = self.random.below(4);
        let condition = self.expression(T::B, 2);
        let statement = match self.random.below(2) {
            0 => {
                let function = ["atomicAdd", "atomicMax", "atomicXor", "atomicOr"][element];
                let value = self.expression(T::U, 2);
                format!("{function}(&output.sums[{element}], {value});")
            }
            _ => {
                let function = ["atomicMin", "atomicMax", "atomicSub", "atomicAdd"][element];
                let value = self.expression(T::I, 2);
                format!("{function}(&marks[{element}], {value});")
            }
        };
        let _ = writeln!(self.text, "if {condition} {{ {statement} }}");
    }
}
