//! Random statements.

use std::fmt::Write as _;

use super::{T, TYPES, Writer};

impl Writer<'_> {
    pub(super) fn statements(&mut self, depth: usize) {
        let known = self.variables.len();
        for _ in 0..1 + self.random.below(4) {
            self.statement(depth);
        }
        self.variables.truncate(known);
    }

    fn statement(&mut self, depth: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let kinds = if depth == 0 { 9 } else { 17 };
        match self.random.below(kinds) {
            0..=2 => self.assign(),
            3 => {
                let ty = TYPES[self.random.below(TYPES.len())];
                let keyword = self.random.pick(&["let", "var"]);
                self.declare(ty, keyword);
            }
            4 => self.change(),
            5 => self.change_by_pointer(),
            6 => self.call(),
            7 => self.call_transform(),
            8 => self.jump(),
            9..=11 => self.branch(depth),
            12..=14 => self.repeat(depth),
            15 => self.switch(depth),
            _ => {
                self.text.push_str("{\n");
                self.statements(depth - 1);
                self.text.push_str("}\n");
            }
        }
    }

    /// Gives a variable or a part of one a new value.
    pub(super) fn assign(&mut self) {
        let ty = TYPES[self.random.below(TYPES.len())];
        let part = match self.random.below(2) {
            0 => self.part(ty, true),
            _ => None,
        };
        let Some(target) = part.or_else(|| self.variable(ty, true)) else {
            return self.declare(ty, "var");
        };
        let depth = 1 + self.random.below(3);
        let value = self.expression(ty, depth);
        let _ = writeln!(self.text, "{target} = {value};");
    }

    /// An assignment with an operator.
    fn change(&mut self) {
        let ty = [T::I, T::U, T::I3, T::U2][self.random.below(4)];
        let Some(target) = self.variable(ty, true) else {
            return self.assign();
        };
        if matches!(ty, T::I | T::U) && self.random.below(3) == 0 {
            let step = self.random.pick(&["++", "--"]);
            let _ = writeln!(self.text, "{target}{step};");
            return;
        }
        let op = self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]);
        let value = self.expression(ty, 2);
        let _ = writeln!(self.text, "{target} {op}= {value};");
    }

    /// An assignment by a pointer to a variable or into one.
    fn change_by_pointer(&mut self) {
        let (ty, way) = [
            (T::F, ""),
            (T::V3, ""),
            (T::M2, ""),
            (T::S, ".f"),
            (T::Integers, "[#]"),
            (T::Structs, "[#].v"),
            (T::Structs, "[#]"),
        ][self.random.below(7)];
        let Some(target) = self.variable(ty, true) else {
            return self.assign();
        };
        let way = match way.split_once('#') {
            Some((before, behind)) => {
                format!("{before}{}{behind}", self.expression(T::U, 1))
            }
            None => way.to_owned(),
        };
        let of = match (ty, way.ends_with(".v")) {
            (T::S, _) => T::F,
            (T::Integers, _) => T::I,
            (T::Structs, true) => T::V3,
            (T::Structs, false) => T::S,
            (whole, _) => whole,
        };
        let (name, value) = (self.name(), self.expression(of, 2));
        let _ = writeln!(self.text, "let {name} = &{target}{way};");
        // The value may be of another time than the place.
        self.assign_scoped();
        let _ = writeln!(self.text, "*{name} = {value};");
    }

    /// An assignment that declares nothing behind it.
    fn assign_scoped(&mut self) {
        let known = self.variables.len();
        self.text.push_str("{\n");
        self.assign();
        self.text.push_str("}\n");
        self.variables.truncate(known);
    }

    fn call(&mut self) {
        let targets = (self.variable(T::F, true), self.variable(T::F, true));
        let (Some(to), Some(from)) = targets else {
            return self.assign();
        };
        if self.functions == 0 {
            return self.assign();
        }
        let number = self.random.below(self.functions);
        let (x, n) = (self.expression(T::F, 2), self.expression(T::I, 2));
        let _ = writeln!(self.text, "{to} = f{number}({x}, {n}, &{from}, &b);");
    }

    fn call_transform(&mut self) {
        let targets = (self.variable(T::S, true), self.variable(T::S, true));
        let (Some(to), Some(from)) = targets else {
            return self.assign();
        };
        if self.transforms == 0 {
            return self.assign();
        }
        let number = self.random.below(self.transforms);
        let (s, u) = (self.expression(T::S, 2), self.expression(T::U, 2));
        let _ = writeln!(self.text, "{to} = g{number}({s}, &{from}, {u});");
    }

    /// Leaves a loop, a switch, a trip or the function.
    fn jump(&mut self) {
        let mut kinds = Vec::new();
        if self.loops > 0 {
            kinds.push("continue");
        }
        if self.breaks > 0 {
            kinds.push("break");
        }
        if self.returns.is_some() {
            kinds.push("return");
        }
        if kinds.is_empty() {
            return self.assign();
        }
        let kind = self.random.pick(&kinds);
        let condition = self.expression(T::B, 2);
        let _ = writeln!(self.text, "if {condition} {{");
        if self.random.below(2) == 0 {
            self.assign_scoped();
        }
        match self.returns {
            Some(ty) if kind == "return" => {
                let value = self.expression(ty, 2);
                let _ = writeln!(self.text, "return {value};\n}}");
            }
            _ => {
                let _ = writeln!(self.text, "{kind};\n}}");
            }
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.expression(T::B, 2);
        let _ = writeln!(self.text, "if {condition} {{");
        self.statements(depth - 1);
        while self.random.below(4) == 0 {
            let other = self.expression(T::B, 2);
            let _ = writeln!(self.text, "}} else if {other} {{");
            self.statements(depth - 1);
        }
        if self.random.below(2) == 0 {
            self.text.push_str("} else {\n");
            self.statements(depth - 1);
        }
        self.text.push_str("}\n");
    }

    /// A switch, whose default comes last or not.
    fn switch(&mut self, depth: usize) {
        let (ty, modulus, cases) = [
            (T::U, "4u", ["0u, 2u", "1u", "default"]),
            (T::U, "5u", ["default", "4u", "1u, 3u"]),
            (T::I, "3", ["-1", "2, default, 1", "0"]),
            (T::I, "4", ["K - 5", "0, -3", "default"]),
        ][self.random.below(4)];
        let selector = self.expression(ty, 2);
        let _ = writeln!(self.text, "switch ({selector}) % {modulus} {{");
        self.breaks += 1;
        for case in cases {
            let _ = match case {
                "default" => writeln!(self.text, "default: {{"),
                values => writeln!(self.text, "case {values}: {{"),
            };
            self.statements(depth - 1);
            self.text.push_str("}\n");
        }
        self.breaks -= 1;
        self.text.push_str("}\n");
    }

    /// A loop whose counter nothing else changes.
    fn repeat(&mut self, depth: usize) {
        let name = self.name();
        let has_index = self.variables[0].0 == "i";
        let trips = ["3u", "2u", "i % 5u"][self.random.below(if has_index { 3 } else { 2 })];
        let kind = self.random.below(5);
        // Another way out, from before the loop's own variables are known.
        let goes_on = self.expression(T::B, 2);
        let n_outside = self.variables.len();
        let _ = match kind {
            0 => writeln!(
                self.text,
                "for (var {name} = 0u; {name} < {trips}; {name}++) {{"
            ),
            1 => writeln!(
                self.text,
                "for (var {name} = {trips}; {name} > 0u; {name} -= 1u) {{"
            ),
            2 => writeln!(
                self.text,
                "var {name} = 0u;\nwhile {name} < {trips} && {goes_on} {{\n{name}++;"
            ),
            3 => writeln!(
                self.text,
                "var {name} = 0u;\nloop {{\nif {name} >= {trips} {{ break; }}\n{name}++;"
            ),
            _ => writeln!(self.text, "var {name} = 0u;\nloop {{"),
        };
        self.variables.push((name.clone(), T::U, false));
        self.loops += 1;
        self.breaks += 1;
        self.statements(depth - 1);
        if self.random.below(2) == 0 {
            self.jump();
        }
        self.statements(depth - 1);
        self.loops -= 1;
        self.breaks -= 1;
        if kind == 4 {
            self.variables.truncate(n_outside + 1);
            self.text.push_str("continuing {\n");
            self.assign_scoped();
            let leaves = self.expression(T::B, 1);
            let _ = writeln!(
                self.text,
                "{name}++;\nbreak if {name} >= 3u || {leaves};\n}}"
            );
        }
        self.variables.truncate(n_outside);
        self.text.push_str("}\n");
    }
}
