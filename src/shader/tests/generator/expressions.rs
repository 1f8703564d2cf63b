//! Random expressions of each type.

use super::{T, Writer};

impl Writer<'_> {
    pub(super) fn expression(&mut self, ty: T, depth: usize) -> String {
        if depth == 0 || self.random.below(5) == 0 {
            let known = match self.random.below(4) {
                0 => None,
                _ => self.variable(ty, false),
            };
            return known.unwrap_or_else(|| self.leaf(ty));
        }
        let depth = depth - 1;
        if depth > 0
            && self.random.below(8) == 0
            && let Some(part) = self.part(ty, false)
        {
            return part;
        }
        let (value, quarters) = match ty {
            T::F => (self.float(depth), "q"),
            T::I => (self.signed(depth), ""),
            T::U => (self.unsigned(depth), ""),
            T::B => (self.boolean(depth), ""),
            T::V3 => (self.vector3(depth), "q3"),
            T::V2 => (self.vector2(depth), "q2"),
            T::M2 => (self.matrix(depth), "qm"),
            T::M32 => (self.wide_matrix(depth), "qm3"),
            T::I3 => (self.signed3(depth), ""),
            T::U2 => (self.unsigned2(depth), ""),
            _ => (self.structure(depth), ""),
        };
        // Parts of exact values are exact.
        let is_part = value.starts_with('(') && !value.starts_with("((");
        match self.is_exact && !quarters.is_empty() && !is_part {
            true => format!("{quarters}({value})"),
            false => value,
        }
    }

    /// An expression without operands.
    fn leaf(&mut self, ty: T) -> String {
        let number = self.random.below(9);
        match ty {
            // Sums with variables that are zero: constants alone would be refused where they divide by zero.
            T::F => format!("(zf + {:?})", number as f32 * 0.75),
            T::I if number == 8 => "(zi - K)".to_owned(),
            T::I => format!("(zi + {number}i)"),
            T::U => format!("(zu + {number}u)"),
            T::B => ["true", "false"][number % 2].to_owned(),
            T::V3 => format!("vec3<f32>({number}.5 + zf, 1.0, 2.0 - zf)"),
            T::V2 => format!("vec2<f32>({number}.25 + zf, 3.0)"),
            T::M2 => format!("mat2x2<f32>({number}.0 + zf, 1.0, 2.0, zf)"),
            T::M32 => format!("mat3x2<f32>({number}.0 + zf, 1.0, zf - 2.0, zf, 0.5, 3.0)"),
            T::I3 => format!("vec3<i32>({number} + zi, 3 - zi, zi - K)"),
            T::U2 => format!("vec2<u32>({number}u + zu, 5u)"),
            _ => format!(
                "S(zf + {number}.5, vec3<f32>(zf, 1.0, zf - 2.5), array<i32, 2>(zi, {number}), zu + 3u)"
            ),
        }
    }

    fn float(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        // The last ones have an error.
        let (functions, operators) = match self.is_exact {
            true => (8, 3),
            false => (10, 5),
        };
        match self.random.below(if self.is_exact { 11 } else { 10 }) {
            0 => format!(
                "{}({})",
                self.random.pick(
                    &[
                        "floor", "ceil", "abs", "fract", "round", "trunc", "sign", "saturate",
                        "sqrt", "sin"
                    ][..functions]
                ),
                e(self, T::F)
            ),
            1 => format!(
                "{}({}, {})",
                self.random.pick(&["min", "max"]),
                e(self, T::F),
                e(self, T::F)
            ),
            2 => format!(
                "fma({}, {}, {})",
                e(self, T::F),
                e(self, T::F),
                e(self, T::F)
            ),
            3 => format!(
                "f32({})",
                [e(self, T::I), e(self, T::U), e(self, T::B)][self.random.below(3)]
            ),
            4 => format!("dot({}, {})", e(self, T::V3), e(self, T::V3)),
            5 => format!(
                "select({}, {}, {})",
                e(self, T::F),
                e(self, T::F),
                e(self, T::B)
            ),
            6 => format!("({})[{}]", e(self, T::V3), self.random.below(3)),
            7 => format!("({}).f", e(self, T::S)),
            8 => format!("({})[{}]", e(self, T::V2), e(self, T::U)),
            10 => format!("determinant({})", e(self, T::M2)),
            _ => format!(
                "(({}) {} ({}))",
                e(self, T::F),
                self.random.pick(&["+", "-", "*", "/", "%"][..operators]),
                e(self, T::F)
            ),
        }
    }

    fn signed(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(13) {
            0 => format!(
                "i32({})",
                [e(self, T::F), e(self, T::U)][self.random.below(2)]
            ),
            1 => format!("{}({})", self.random.pick(&["abs", "sign"]), e(self, T::I)),
            2 => format!(
                "(({}) {} (({}) % 40u))",
                e(self, T::I),
                self.random.pick(&["<<", ">>"]),
                e(self, T::U)
            ),
            3 => format!("b[{}]", e(self, T::U)),
            4 => format!("clamp({}, -5, 9)", e(self, T::I)),
            5 => format!("-({})", e(self, T::I)),
            6 => format!(
                "{}({}, {})",
                self.random.pick(&["min", "max"]),
                e(self, T::I),
                e(self, T::I)
            ),
            7 => format!("dot({}, {})", e(self, T::I3), e(self, T::I3)),
            8 => format!("({})[{}]", e(self, T::I3), e(self, T::U)),
            9 => format!("({}).n[{}]", e(self, T::S), self.random.below(2)),
            _ => format!(
                "(({}) {} ({}))",
                e(self, T::I),
                self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]),
                e(self, T::I)
            ),
        }
    }

    fn unsigned(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(11) {
            0 => format!(
                "u32({})",
                [e(self, T::F), e(self, T::I), e(self, T::B)][self.random.below(3)]
            ),
            1 => format!(
                "{}({})",
                self.random
                    .pick(&["countOneBits", "reverseBits", "countLeadingZeros"]),
                e(self, T::U)
            ),
            2 => format!(
                "(({}) {} (({}) % 40u))",
                e(self, T::U),
                self.random.pick(&["<<", ">>"]),
                e(self, T::U)
            ),
            3 => format!("~({})", e(self, T::U)),
            4 => format!(
                "select({}, {}, {})",
                e(self, T::U),
                e(self, T::U),
                e(self, T::B)
            ),
            5 => format!("({}).{}", e(self, T::U2), self.random.pick(&["x", "y"])),
            6 => format!("dot({}, {})", e(self, T::U2), e(self, T::U2)),
            7 => format!("({}).k", e(self, T::S)),
            _ => format!(
                "(({}) {} ({}))",
                e(self, T::U),
                self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]),
                e(self, T::U)
            ),
        }
    }

    fn boolean(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(8) {
            0 => format!("!({})", e(self, T::B)),
            1 => format!(
                "(({}) {} ({}))",
                e(self, T::B),
                self.random.pick(&["&&", "||", "&", "|"]),
                e(self, T::B)
            ),
            2 => format!("any(({}) < ({}))", e(self, T::V3), e(self, T::V3)),
            3 => format!("all(({}) >= ({}))", e(self, T::I3), e(self, T::I3)),
            4 => format!("any(({}) != ({}))", e(self, T::U2), e(self, T::U2)),
            _ => {
                let of = [T::F, T::I, T::U][self.random.below(3)];
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("(({}) {op} ({}))", e(self, of), e(self, of))
            }
        }
    }

    fn vector3(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(12) {
            0 => format!("vec3<f32>({}, {})", e(self, T::V2), e(self, T::F)),
            1 => format!(
                "({}).{}",
                e(self, T::V3),
                self.random.pick(&["zyx", "xxy", "yzz"])
            ),
            2 => format!("(({}) * ({}))", e(self, T::V3), e(self, T::F)),
            3 => format!("max({}, {})", e(self, T::V3), e(self, T::V3)),
            4 => format!("(({}) * ({}))", e(self, T::V2), e(self, T::M32)),
            5 => format!("vec3<f32>({})", e(self, T::I3)),
            6 => format!("({}).v", e(self, T::S)),
            7 => format!(
                "select({}, {}, ({}) < ({}))",
                e(self, T::V3),
                e(self, T::V3),
                e(self, T::V3),
                e(self, T::V3)
            ),
            _ => format!(
                "(({}) {} ({}))",
                e(self, T::V3),
                self.random.pick(&["+", "-", "*"]),
                e(self, T::V3)
            ),
        }
    }

    fn vector2(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(10) {
            0 | 1 => format!("(({}) * ({}))", e(self, T::M2), e(self, T::V2)),
            2 => format!("(({}) * ({}))", e(self, T::V2), e(self, T::M2)),
            3 => format!("({}).{}", e(self, T::V3), self.random.pick(&["xy", "zx"])),
            4 => format!("({})[{}]", e(self, T::M2), self.random.below(2)),
            5 => format!("(({}) * ({}))", e(self, T::M32), e(self, T::V3)),
            6 => format!("({})[{}]", e(self, T::M32), e(self, T::U)),
            7 => format!("vec2<f32>({})", e(self, T::U2)),
            _ => format!("(({}) + ({}))", e(self, T::V2), e(self, T::V2)),
        }
    }

    fn matrix(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(8) {
            0 => format!("mat2x2<f32>({}, {})", e(self, T::V2), e(self, T::V2)),
            1 => format!("(({}) * ({}))", e(self, T::M2), e(self, T::F)),
            2 => format!("(({}) + ({}))", e(self, T::M2), e(self, T::M2)),
            3 => format!("transpose({})", e(self, T::M2)),
            _ => format!("(({}) * ({}))", e(self, T::M2), e(self, T::M2)),
        }
    }

    fn wide_matrix(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(5) {
            0 => format!(
                "mat3x2<f32>({}, {}, {})",
                e(self, T::V2),
                e(self, T::V2),
                e(self, T::V2)
            ),
            1 => format!("(({}) * ({}))", e(self, T::M32), e(self, T::F)),
            2 => format!("(({}) - ({}))", e(self, T::M32), e(self, T::M32)),
            3 => format!(
                "transpose(mat2x3<f32>({}, {}))",
                e(self, T::V3),
                e(self, T::V3)
            ),
            _ => format!("(({}) * ({}))", e(self, T::M2), e(self, T::M32)),
        }
    }

    fn signed3(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(8) {
            0 => format!("vec3<i32>({}, {}, -3)", e(self, T::I), e(self, T::I)),
            1 => format!("vec3<i32>({})", e(self, T::V3)),
            2 => format!(
                "({}).{}",
                e(self, T::I3),
                self.random.pick(&["zyx", "xxy", "yzz"])
            ),
            3 => format!(
                "{}({})",
                self.random.pick(&["abs", "-", "~"]),
                e(self, T::I3)
            ),
            4 => format!(
                "select({}, {}, {})",
                e(self, T::I3),
                e(self, T::I3),
                e(self, T::B)
            ),
            _ => format!(
                "(({}) {} ({}))",
                e(self, T::I3),
                self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]),
                e(self, T::I3)
            ),
        }
    }

    fn unsigned2(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(8) {
            0 => format!("vec2<u32>({}, {})", e(self, T::U), e(self, T::U)),
            1 => format!("vec2<u32>({})", e(self, T::V2)),
            2 => format!(
                "(({}) {} (({}) % vec2<u32>(40u)))",
                e(self, T::U2),
                self.random.pick(&["<<", ">>"]),
                e(self, T::U2)
            ),
            3 => format!(
                "select({}, {}, ({}) <= ({}))",
                e(self, T::U2),
                e(self, T::U2),
                e(self, T::U2),
                e(self, T::U2)
            ),
            _ => format!(
                "(({}) {} ({}))",
                e(self, T::U2),
                self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]),
                e(self, T::U2)
            ),
        }
    }

    fn structure(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        format!(
            "S({}, {}, array<i32, 2>({}, {}), {})",
            e(self, T::F),
            e(self, T::V3),
            e(self, T::I),
            e(self, T::I),
            e(self, T::U)
        )
    }
}
