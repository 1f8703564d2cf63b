//! Random programs of WGSL that are valid and end.

mod expressions;
pub(super) mod shared;
mod statements;

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

/// Type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum T {
    F,
    I,
    U,
    B,
    V3,
    V2,
    M2,
    M32,
    I3,
    U2,
    /// Struct of [`TYPES_OF_MODULE`].
    S,
    /// Array of floats.
    Floats,
    /// Array of integers.
    Integers,
    /// Array of structs.
    Structs,
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
            Self::M32 => "mat3x2<f32>",
            Self::I3 => "vec3<i32>",
            Self::U2 => "vec2<u32>",
            Self::S => "S",
            Self::Floats => "array<f32, 4>",
            Self::Integers => "array<i32, 3>",
            Self::Structs => "array<S, 2>",
        }
    }
}

/// Types that have expressions.
const TYPES: [T; 11] = [
    T::F,
    T::I,
    T::U,
    T::B,
    T::V3,
    T::V2,
    T::M2,
    T::M32,
    T::I3,
    T::U2,
    T::S,
];

/// Variable: its name, its type, and whether it can change.
type Variable = (String, T, bool);

/// Program that is being written, and what a statement in it may name.
struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    variables: Vec<Variable>,
    names: usize,
    /// Loops around a statement.
    loops: usize,
    /// Loops and switches around it.
    breaks: usize,
    /// Type that it may return.
    returns: Option<T>,
    budget: usize,
    functions: usize,
    transforms: usize,
    is_exact: bool,
}

const TYPES_OF_MODULE: &str = "struct S { f: f32, v: vec3<f32>, n: array<i32, 2>, k: u32 }
const K: i32 = 7;
var<private> zf: f32;
var<private> zi: i32;
var<private> zu: u32;
var<private> gi: i32 = K;
var<private> gu: u32;
";

/// Functions that bring floats to multiples of 1/4 from -256 to 256: sums of four products of such have 24 bits, so that every
/// order of evaluation, fused or not, gives the same numbers.
const QUARTERS: &str = "fn q(x: f32) -> f32 { return floor(clamp(x, -256.0, 256.0) * 4.0) * 0.25; }
fn q2(v: vec2<f32>) -> vec2<f32> { return vec2<f32>(q(v.x), q(v.y)); }
fn q3(v: vec3<f32>) -> vec3<f32> { return vec3<f32>(q(v.x), q(v.y), q(v.z)); }
fn qm(m: mat2x2<f32>) -> mat2x2<f32> { return mat2x2<f32>(q2(m[0]), q2(m[1])); }
fn qm3(m: mat3x2<f32>) -> mat3x2<f32> { return mat3x2<f32>(q2(m[0]), q2(m[1]), q2(m[2])); }
";

/// A program whose entry point `main` takes the invocation's index and stores a word in `words[i]`. An exact one leaves
/// out operations with an error, and its result shows no sign of a zero: there every evaluation has to give the same word.
pub(super) fn program(random: &mut Random, is_exact: bool) -> String {
    let bindings = "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n";
    let mut writer = Writer::new(random, (bindings, is_exact));
    writer.main(64);
    writer.statements(3);
    writer.digest("words");
    writer.text
}

impl<'r> Writer<'r> {
    /// A module with types, functions and these bindings.
    fn new(random: &'r mut Random, (bindings, is_exact): (&str, bool)) -> Self {
        let mut writer = Self {
            random,
            text: format!("{bindings}{TYPES_OF_MODULE}"),
            variables: Vec::new(),
            names: 0,
            loops: 0,
            breaks: 0,
            returns: None,
            budget: 0,
            functions: 0,
            transforms: 0,
            is_exact,
        };
        if is_exact {
            writer.text.push_str(QUARTERS);
        }
        for number in 0..2 {
            writer.function(number);
            writer.transform(number);
        }
        writer
    }

    /// The begin of the entry point, with a variable of each type.
    fn main(&mut self, invocations: usize) {
        let _ = writeln!(
            self.text,
            "@compute @workgroup_size({invocations}) fn main(@builtin(local_invocation_index) i: u32) {{"
        );
        self.variables = vec![("i".into(), T::U, false)];
        self.globals();
        self.text
            .push_str("var a = array<f32, 4>(1.0, 2.5, f32(i), -4.0);\n");
        self.variables.push(("a".into(), T::Floats, true));
        self.arrays();
        self.returns = None;
        for ty in TYPES {
            self.declare(ty, "var");
        }
        self.budget = 30;
    }

    /// The end of the entry point: a word of all variables goes to element `i` of an array.
    fn digest(&mut self, array: &str) {
        let _ = writeln!(
            self.text,
            "var out = {} ^ bitcast<u32>(b[i % 3u]) ^ bitcast<u32>(gi) ^ gu;",
            self.bits_of("a[i % 4u]")
        );
        let _ = writeln!(
            self.text,
            "out = out * 31u + t[i % 2u].k + bitcast<u32>(t[1].n[0]) + {};",
            self.bits_of("t[0].v.y")
        );
        for ty in TYPES {
            let value = self.expression(ty, 1);
            let bits = match ty {
                T::F => self.bits_of(&value),
                T::I => format!("bitcast<u32>({value})"),
                T::U => value,
                T::B => format!("u32({value})"),
                T::V3 => self.bits_of(&format!("({value}).y")),
                T::V2 => self.bits_of(&format!("({value}).x")),
                T::M2 | T::M32 => self.bits_of(&format!("({value})[1].x")),
                T::I3 => format!("bitcast<vec3<u32>>({value}).z"),
                T::U2 => format!("({value}).y"),
                _ => {
                    let _ = writeln!(self.text, "let last = {value};");
                    let floats = self.bits_of("last.f + last.v.z");
                    format!("({floats} ^ last.k ^ bitcast<u32>(last.n[0] - last.n[1]))")
                }
            };
            let _ = writeln!(self.text, "out = out * 31u + ({bits});");
        }
        let _ = writeln!(self.text, "{array}[i] = out;\n}}");
    }

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

    /// Variables of the module that functions change.
    fn globals(&mut self) {
        self.variables.push(("gi".into(), T::I, true));
        self.variables.push(("gu".into(), T::U, true));
    }

    fn arrays(&mut self) {
        self.text
            .push_str("var b: array<i32, 3>;\nvar t: array<S, 2>;\n");
        self.variables.push(("b".into(), T::Integers, true));
        self.variables.push(("t".into(), T::Structs, true));
    }

    /// A function of a float that changes others by pointers.
    fn function(&mut self, number: usize) {
        let _ = writeln!(
            self.text,
            "fn f{number}(x: f32, n: i32, p: ptr<function, f32>, c: ptr<function, array<i32, 3>>) -> f32 {{"
        );
        self.variables = vec![
            ("x".into(), T::F, false),
            ("n".into(), T::I, false),
            ("(*p)".into(), T::F, true),
            ("(*c)".into(), T::Integers, true),
        ];
        self.globals();
        self.arrays();
        self.declare(T::F, "var");
        self.declare(T::U, "var");
        let sum = match self.is_exact {
            true => "q(*p + x)",
            false => "*p + x",
        };
        let _ = writeln!(self.text, "*p = {sum};\n(*c)[n] = n * 3;");
        self.body(T::F);
        self.functions = number + 1;
    }

    /// A function of a struct that changes another.
    fn transform(&mut self, number: usize) {
        let _ = writeln!(
            self.text,
            "fn g{number}(s: S, p: ptr<function, S>, u: u32) -> S {{"
        );
        self.variables = vec![
            ("s".into(), T::S, false),
            ("(*p)".into(), T::S, true),
            ("u".into(), T::U, false),
        ];
        self.globals();
        self.arrays();
        self.declare(T::V3, "var");
        self.declare(T::I, "var");
        self.body(T::S);
        self.transforms = number + 1;
    }

    /// Statements that return early or at the end.
    fn body(&mut self, ty: T) {
        self.returns = Some(ty);
        self.budget = 8;
        self.statements(2);
        let early = (self.expression(T::B, 2), self.expression(ty, 2));
        let _ = writeln!(self.text, "if {} {{ return {}; }}", early.0, early.1);
        self.statements(1);
        let value = self.expression(ty, 3);
        let _ = writeln!(self.text, "return {value};\n}}");
    }

    fn declare(&mut self, ty: T, keyword: &str) {
        let name = self.name();
        if keyword == "var" && self.random.below(8) == 0 {
            // Zero, in a loop again and again.
            let _ = writeln!(self.text, "var {name}: {};", ty.name());
        } else {
            let depth = 1 + self.random.below(2);
            let value = self.expression(ty, depth);
            let _ = writeln!(self.text, "{keyword} {name}: {} = {value};", ty.name());
        }
        self.variables.push((name, ty, keyword == "var"));
    }

    /// Some variable of a type, or some that can change.
    fn variable(&mut self, ty: T, can_change: bool) -> Option<String> {
        let of_type = |v: &&Variable| v.1 == ty && (v.2 || !can_change);
        let known: Vec<&Variable> = self.variables.iter().filter(of_type).collect();
        match known.len() {
            0 => None,
            count => Some(known[self.random.below(count)].0.clone()),
        }
    }

    /// Part of a variable, of a type.
    fn part(&mut self, ty: T, can_change: bool) -> Option<String> {
        // `#` stands for an index.
        let ways: &[(T, &str)] = match ty {
            T::F => &[
                (T::S, ".f"),
                (T::S, ".v.y"),
                (T::S, ".v[#]"),
                (T::V3, ".z"),
                (T::V3, "[#]"),
                (T::V2, "[#]"),
                (T::M2, "[#].x"),
                (T::M32, "[#][#]"),
                (T::Floats, "[#]"),
                (T::Structs, "[#].v[#]"),
            ],
            T::I => &[
                (T::I3, ".y"),
                (T::I3, "[#]"),
                (T::S, ".n[#]"),
                (T::Integers, "[#]"),
                (T::Structs, "[#].n[#]"),
            ],
            T::U => &[
                (T::U2, ".x"),
                (T::U2, "[#]"),
                (T::S, ".k"),
                (T::Structs, "[#].k"),
            ],
            T::V3 => &[(T::S, ".v"), (T::Structs, "[#].v")],
            T::V2 => &[(T::M2, "[#]"), (T::M32, "[#]"), (T::M32, "[1]")],
            T::S => &[(T::Structs, "[#]"), (T::Structs, "[1]")],
            _ => return None,
        };
        let (owner, way) = ways[self.random.below(ways.len())];
        let mut place = self.variable(owner, can_change)?;
        for (number, piece) in way.split('#').enumerate() {
            if number > 0 {
                place += &self.expression(T::U, 1);
            }
            place += piece;
        }
        Some(place)
    }
}
