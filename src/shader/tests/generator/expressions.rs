//! Random expressions of each type.

use super::{T, Writer};

impl Writer<'_> {
    pub(super) fn expression(&mut self, ty: T, depth: usize) -> String {
        let known: Vec<String> = self
            .variables
            .iter()
            .filter(|v| v.1 == ty)
            .map(|v| v.0.clone())
            .collect();
        if depth == 0 || self.random.below(5) == 0 {
            if !known.is_empty() && self.random.below(4) > 0 {
                return known[self.random.below(known.len())].clone();
            }
            return self.leaf(ty);
        }
        let depth = depth - 1;
        let (value, quarters) = match ty {
            T::F => (self.float(depth), "q"),
            T::I => (self.signed(depth), ""),
            T::U => (self.unsigned(depth), ""),
            T::B => (self.boolean(depth), ""),
            T::V3 => (self.vector3(depth), "q3"),
            T::V2 => (self.vector2(depth), "q2"),
            T::M2 => (self.matrix(depth), "qm"),
        };
        match self.is_exact && !quarters.is_empty() {
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
            T::I => format!("(zi + {number}i)"),
            T::U => format!("(zu + {number}u)"),
            T::B => ["true", "false"][number % 2].to_owned(),
            T::V3 => format!("vec3<f32>({number}.5 + zf, 1.0, 2.0 - zf)"),
            T::V2 => format!("vec2<f32>({number}.25 + zf, 3.0)"),
            T::M2 => format!("mat2x2<f32>({number}.0 + zf, 1.0, 2.0, zf)"),
        }
    }

    fn float(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        // The last ones have an error.
        let (functions, operators) = match self.is_exact {
            true => (6, 3),
            false => (8, 5),
        };
        match self.random.below(8) {
            0 => format!(
                "{}({})",
                self.random.pick(
                    &[
                        "floor", "ceil", "abs", "fract", "round", "trunc", "sqrt", "sin"
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
        match self.random.below(8) {
            0 => format!(
                "i32({})",
                [e(self, T::F), e(self, T::U)][self.random.below(2)]
            ),
            1 => format!("abs({})", e(self, T::I)),
            2 => format!(
                "(({}) {} (({}) % 40u))",
                e(self, T::I),
                self.random.pick(&["<<", ">>"]),
                e(self, T::U)
            ),
            3 => format!("b[{}]", e(self, T::U)),
            4 => format!("clamp({}, -5, 9)", e(self, T::I)),
            5 => format!("-({})", e(self, T::I)),
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
        match self.random.below(8) {
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
            _ => {
                let of = [T::F, T::I, T::U][self.random.below(3)];
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("(({}) {op} ({}))", e(self, of), e(self, of))
            }
        }
    }

    fn vector3(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(8) {
            0 => format!("vec3<f32>({}, {})", e(self, T::V2), e(self, T::F)),
            1 => format!(
                "({}).{}",
                e(self, T::V3),
                self.random.pick(&["zyx", "xxy", "yzz"])
            ),
            2 => format!("(({}) * ({}))", e(self, T::V3), e(self, T::F)),
            3 => format!("max({}, {})", e(self, T::V3), e(self, T::V3)),
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
        match self.random.below(8) {
            0 | 1 => format!("(({}) * ({}))", e(self, T::M2), e(self, T::V2)),
            2 => format!("(({}) * ({}))", e(self, T::V2), e(self, T::M2)),
            3 => format!("({}).{}", e(self, T::V3), self.random.pick(&["xy", "zx"])),
            4 => format!("({})[{}]", e(self, T::M2), self.random.below(2)),
            _ => format!("(({}) + ({}))", e(self, T::V2), e(self, T::V2)),
        }
    }

    fn matrix(&mut self, d: usize) -> String {
        let e = |writer: &mut Self, ty: T| writer.expression(ty, d);
        match self.random.below(8) {
            0 => format!("mat2x2<f32>({}, {})", e(self, T::V2), e(self, T::V2)),
            1 => format!("(({}) * ({}))", e(self, T::M2), e(self, T::F)),
            2 => format!("(({}) + ({}))", e(self, T::M2), e(self, T::M2)),
            _ => format!("(({}) * ({}))", e(self, T::M2), e(self, T::M2)),
        }
    }
}
