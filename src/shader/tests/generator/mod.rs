//! Random programs of WGSL that are valid and end.

mod expressions;

use std::fmt::Write as _;

/// A small generator of random numbers (`SplitMix64`).
#[derive(Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum T {
    F,
    I,
    U,
    B,
    V3,
    M2,
    V2,
}

impl T {
    fn name(self) -> &'static str {
        match self {
            Self::F => "f32",
            Self::I => "i32",
            Self::U => "u32",
            Self::B => "bool",
            Self::V3 => "vec3<f32>",
            Self::V2 => "vec2<f32>",
            Self::M2 => "mat2x2<f32>",
        }
    }
}

const TYPES: [T; 7] = [T::F, T::I, T::U, T::B, T::V3, T::M2, T::V2];

struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    variables: Vec<(String, T, bool)>,
    names: usize,
    loops: usize,
    budget: usize,
    functions: usize,
    is_exact: bool,
}

/// Functions that bring floats to multiples of 1/4 from -256 to 256: sums of four products of such have 24 bits, so that every
/// order of evaluation, fused or not, gives the same numbers.
const QUARTERS: &str = "fn q(x: f32) -> f32 { return floor(clamp(x, -256.0, 256.0) * 4.0) * 0.25; }
fn q2(v: vec2<f32>) -> vec2<f32> { return vec2<f32>(q(v.x), q(v.y)); }
fn q3(v: vec3<f32>) -> vec3<f32> { return vec3<f32>(q(v.x), q(v.y), q(v.z)); }
fn qm(m: mat2x2<f32>) -> mat2x2<f32> { return mat2x2<f32>(q2(m[0]), q2(m[1])); }
";

/// A program whose entry point `main` takes the invocation's index and stores a word in `words[i]`. An exact one leaves
/// out operations with an error, and its result shows no sign of a zero: there every evaluation has to give the same word.
pub(super) fn program(random: &mut Random, is_exact: bool) -> String {
    let mut writer = Writer {
        random,
        is_exact,
        text: String::new(),
        variables: Vec::new(),
        names: 0,
        loops: 0,
        budget: 60,
        functions: 0,
    };
    writer.text.push_str("@group(0) @binding(0) var<storage, read_write> words: array<u32>;\nvar<private> zf: f32;\nvar<private> zi: i32;\nvar<private> zu: u32;\n");
    if is_exact {
        writer.text.push_str(QUARTERS);
    }
    for number in 0..2 {
        writer.function(number);
    }
    writer.text.push_str(
        "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n",
    );
    writer.variables = vec![("i".into(), T::U, false)];
    writer
        .text
        .push_str("var a = array<f32, 4>(1.0, 2.5, f32(i), -4.0);\nvar b: array<i32, 3>;\n");
    for ty in TYPES {
        writer.declare(ty, "var");
    }
    writer.loops = 0;
    writer.budget = 60;
    writer.statements(3);
    let _ = writeln!(
        writer.text,
        "var out = {} ^ bitcast<u32>(b[i % 3u]);",
        writer.bits_of("a[i % 4u]")
    );
    for ty in TYPES {
        let value = writer.expression(ty, 2);
        let bits = match ty {
            T::F => writer.bits_of(&value),
            T::I => format!("bitcast<u32>({value})"),
            T::U => value,
            T::B => format!("u32({value})"),
            T::V3 if !is_exact => format!("bitcast<vec3<u32>>({value}).y"),
            T::V2 if !is_exact => format!("bitcast<vec2<u32>>({value}).x"),
            T::V3 => writer.bits_of(&format!("({value}).y")),
            T::V2 => writer.bits_of(&format!("({value}).x")),
            T::M2 => writer.bits_of(&format!("({value})[1].x")),
        };
        let _ = writeln!(writer.text, "out = out * 31u + ({bits});");
    }
    writer.text.push_str("words[i] = out;\n}\n");
    writer.text
}

impl Writer<'_> {
    /// Word of a float: its bits, or as many quarters as it is.
    fn bits_of(&self, float: &str) -> String {
        match self.is_exact {
            true => format!("u32(i32(({float}) * 4.0))"),
            false => format!("bitcast<u32>({float})"),
        }
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn function(&mut self, number: usize) {
        let _ = writeln!(
            self.text,
            "fn f{number}(x: f32, n: i32, p: ptr<function, f32>, a: ptr<function, array<i32, 3>>) -> f32 {{\nvar b: array<i32, 3>;"
        );
        self.variables = vec![("x".into(), T::F, false), ("n".into(), T::I, false)];
        self.declare(T::F, "var");
        self.declare(T::U, "var");
        let sum = match self.is_exact {
            true => "q(*p + x)",
            false => "*p + x",
        };
        let _ = writeln!(self.text, "*p = {sum};\n(*a)[n] = n * 3;");
        self.budget = 12;
        self.statements(2);
        let early = (self.expression(T::B, 2), self.expression(T::F, 2));
        let _ = writeln!(self.text, "if {} {{ return {}; }}", early.0, early.1);
        self.statements(1);
        let value = self.expression(T::F, 3);
        let _ = writeln!(self.text, "return {value};\n}}");
        self.functions = number + 1;
    }

    fn declare(&mut self, ty: T, keyword: &str) {
        let value = self.expression(ty, 2);
        let name = self.name();
        let _ = writeln!(self.text, "{keyword} {name}: {} = {value};", ty.name());
        self.variables.push((name, ty, keyword == "var"));
    }

    fn statements(&mut self, depth: usize) {
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
        let kinds = if depth == 0 { 5 } else { 10 };
        match self.random.below(kinds) {
            0 | 1 => self.assign(),
            2 => {
                let ty = TYPES[self.random.below(TYPES.len())];
                let keyword = self.random.pick(&["let", "var"]);
                self.declare(ty, keyword);
            }
            3 => {
                let (index, value) = (self.expression(T::U, 1), self.expression(T::I, 2));
                let _ = writeln!(self.text, "b[{index}] = {value};");
            }
            4 => self.call(),
            5 | 6 => self.branch(depth),
            7 | 8 => self.repeat(depth),
            _ => self.switch(depth),
        }
    }

    /// Gives a variable that can change a new value.
    fn assign(&mut self) {
        let ty = TYPES[self.random.below(TYPES.len())];
        let targets: Vec<String> = self
            .variables
            .iter()
            .filter(|v| v.1 == ty && v.2)
            .map(|v| v.0.clone())
            .collect();
        if targets.is_empty() {
            return self.declare(ty, "var");
        }
        let target = targets[self.random.below(targets.len())].clone();
        let value = self.expression(ty, 3);
        let _ = writeln!(self.text, "{target} = {value};");
    }

    fn call(&mut self) {
        let floats: Vec<String> = self
            .variables
            .iter()
            .filter(|v| v.1 == T::F && v.2)
            .map(|v| v.0.clone())
            .collect();
        if self.functions == 0 || floats.is_empty() {
            return;
        }
        let to = floats[self.random.below(floats.len())].clone();
        let from = floats[self.random.below(floats.len())].clone();
        let number = self.random.below(self.functions);
        let (x, n) = (self.expression(T::F, 2), self.expression(T::I, 2));
        let _ = writeln!(self.text, "{to} = f{number}({x}, {n}, &{from}, &b);");
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.expression(T::B, 2);
        let _ = writeln!(self.text, "if {condition} {{");
        self.statements(depth - 1);
        if self.random.below(2) == 0 {
            self.text.push_str("} else {\n");
            self.statements(depth - 1);
        }
        self.text.push_str("}\n");
    }

    fn switch(&mut self, depth: usize) {
        let selector = self.expression(T::U, 2);
        let _ = writeln!(self.text, "switch ({selector}) % 4u {{\ncase 0u, 2u: {{");
        self.statements(depth - 1);
        self.text.push_str("}\ncase 1u: {\n");
        self.statements(depth - 1);
        if self.random.below(2) == 0 {
            let condition = self.expression(T::B, 1);
            let _ = writeln!(self.text, "if {condition} {{ break; }}");
            self.statements(0);
        }
        self.text.push_str("}\ndefault: {\n");
        self.statements(depth - 1);
        self.text.push_str("}\n}\n");
    }

    /// A loop whose counter nothing else changes.
    fn repeat(&mut self, depth: usize) {
        let name = self.name();
        let trips = ["3u", "i % 5u", "2u"][self.random.below(if self.variables[0].0 == "i" {
            2
        } else {
            1
        })];
        let plain = self.random.below(2) == 0;
        match plain {
            true => {
                let _ = writeln!(
                    self.text,
                    "for (var {name} = 0u; {name} < {trips}; {name}++) {{"
                );
            }
            false => {
                let _ = writeln!(self.text, "var {name} = 0u;\nloop {{");
            }
        }
        self.variables.push((name.clone(), T::U, false));
        self.loops += 1;
        self.statements(depth - 1);
        let jump = self.random.pick(&["break", "continue", "continue"]);
        let condition = self.expression(T::B, 2);
        if plain || jump == "break" {
            let _ = writeln!(self.text, "if {condition} {{ {jump}; }}");
        }
        self.statements(depth - 1);
        self.loops -= 1;
        if !plain {
            let _ = writeln!(
                self.text,
                "continuing {{ {name}++; break if {name} >= 3u; }}"
            );
        }
        self.text.push_str("}\n");
    }
}
