//! Built-in functions, made of the units' operations as WGSL defines them.

use naga::{Expression, Handle, MathFunction, TypeInner};

use super::super::code::{Register, ScalarType};
use super::super::layout::scalar_of;
use super::super::operation::{Alu, BitOp, CompareOp, ConvertOp, FloatOp, IntegerOp, Special};
use super::state::{Frame, Lowerer, Result};

impl<'a> Lowerer<'a> {
    pub(super) fn math(
        &mut self,
        frame: &mut Frame<'a>,
        fun: MathFunction,
        arguments: &[Handle<Expression>],
    ) -> Result<Vec<Register>> {
        let scalar = scalar_of(self.type_of(frame, arguments[0]));
        let Some(scalar) = scalar else {
            return Err(self.unsupported(&format!("{fun:?} of this type")));
        };
        if fun == MathFunction::Transpose {
            let numbers = self.numbers(frame, arguments[0])?;
            if let TypeInner::Matrix { rows, .. } = *self.type_of(frame, arguments[0]) {
                let rows = rows as usize;
                let row = |row| numbers.iter().skip(row).step_by(rows).copied();
                return Ok((0..rows).flat_map(row).collect());
            }
        }
        let mut values = Vec::new();
        for &argument in arguments {
            values.push(self.numbers(frame, argument)?);
        }
        if let Some(whole) = self.vector_function(fun, scalar, &values)? {
            return Ok(whole);
        }
        let count = values.iter().map(Vec::len).max().unwrap_or(0);
        (0..count)
            .map(|k| {
                let part: Vec<Register> = values.iter().map(|v| v[k.min(v.len() - 1)]).collect();
                self.component(fun, scalar, &part)
            })
            .collect()
    }

    /// Functions that are more than their components'.
    fn vector_function(
        &mut self,
        fun: MathFunction,
        scalar: ScalarType,
        values: &[Vec<Register>],
    ) -> Result<Option<Vec<Register>>> {
        use MathFunction as F;
        let first = &values[0];
        Ok(Some(match fun {
            F::Dot if scalar == ScalarType::F32 => vec![self.dot(first, &values[1])?],
            F::Dot => vec![self.integer_dot(first, &values[1])?],
            F::Cross => {
                let (a, b) = (first, &values[1]);
                let term = |[i, j]: [usize; 2]| self.cross_term([a[i], b[j], b[i], a[j]]);
                let terms = [[1, 2], [2, 0], [0, 1]].into_iter().map(term);
                terms.collect::<Result<_>>()?
            }
            F::Length => vec![self.length(first)?],
            F::Distance => {
                let pairs = first.iter().zip(&values[1]);
                let difference = pairs.map(|(&a, &b)| self.alu(FloatOp::SubF, &[a, b]));
                let difference: Vec<Register> = difference.collect::<Result<_>>()?;
                vec![self.length(&difference)?]
            }
            F::Normalize => {
                let square = self.dot(first, first)?;
                let scale = self.special(Special::InverseSqrt, &[square])?;
                let scaled = first.iter().map(|&a| self.alu(FloatOp::MulF, &[a, scale]));
                scaled.collect::<Result<_>>()?
            }
            F::FaceForward => self.face_forward(first, &values[1], &values[2])?,
            F::Reflect => {
                let dot = self.dot(&values[1], first)?;
                let minus_two = self.float(-2.0);
                let factor = self.alu(FloatOp::MulF, &[dot, minus_two])?;
                let pairs = first.iter().zip(&values[1]);
                let reflected = pairs.map(|(&a, &n)| self.alu(FloatOp::FmaF, &[factor, n, a]));
                reflected.collect::<Result<_>>()?
            }
            F::Refract => self.refract(first, &values[1], values[2][0])?,
            F::Determinant => vec![self.determinant(first)?],
            F::Modf => self.modf(first)?,
            F::Frexp => self.frexp(first)?,
            _ => return self.packing(fun, values),
        }))
    }

    /// Functions between vectors and words that hold their components.
    fn packing(
        &mut self,
        fun: MathFunction,
        values: &[Vec<Register>],
    ) -> Result<Option<Vec<Register>>> {
        use MathFunction as F;
        let first = &values[0];
        Ok(Some(match fun {
            F::Pack4x8snorm => vec![self.pack_norm(first, 8, true)?],
            F::Pack4x8unorm => vec![self.pack_norm(first, 8, false)?],
            F::Pack2x16snorm => vec![self.pack_norm(first, 16, true)?],
            F::Pack2x16unorm => vec![self.pack_norm(first, 16, false)?],
            F::Pack2x16float => vec![self.pack_half(first)?],
            F::Pack4xI8 => vec![self.pack_bytes(first, true, false)?],
            F::Pack4xU8 => vec![self.pack_bytes(first, false, false)?],
            F::Pack4xI8Clamp => vec![self.pack_bytes(first, true, true)?],
            F::Pack4xU8Clamp => vec![self.pack_bytes(first, false, true)?],
            F::Unpack4x8snorm => self.unpack_norm(first[0], 8, true)?,
            F::Unpack4x8unorm => self.unpack_norm(first[0], 8, false)?,
            F::Unpack2x16snorm => self.unpack_norm(first[0], 16, true)?,
            F::Unpack2x16unorm => self.unpack_norm(first[0], 16, false)?,
            F::Unpack2x16float => self.unpack_half(first[0])?,
            F::Unpack4xI8 => self.fields(first[0], 8, true)?,
            F::Unpack4xU8 => self.fields(first[0], 8, false)?,
            F::Dot4I8Packed => vec![self.dot_bytes(first[0], values[1][0], true)?],
            F::Dot4U8Packed => vec![self.dot_bytes(first[0], values[1][0], false)?],
            _ => return Ok(None),
        }))
    }

    fn integer_dot(&mut self, left: &[Register], right: &[Register]) -> Result<Register> {
        let mut sum = self.alu(IntegerOp::MulI, &[left[0], right[0]])?;
        for (&a, &b) in left.iter().zip(right).skip(1) {
            let product = self.alu(IntegerOp::MulI, &[a, b])?;
            sum = self.alu(IntegerOp::AddI, &[sum, product])?;
        }
        Ok(sum)
    }

    fn face_forward(
        &mut self,
        vector: &[Register],
        incident: &[Register],
        reference: &[Register],
    ) -> Result<Vec<Register>> {
        let dot = self.dot(incident, reference)?;
        let zero = self.float(0.0);
        let toward = self.alu(CompareOp::LtF, &[dot, zero])?;
        let turned = vector.iter().map(|&a| {
            let negative = self.alu(FloatOp::NegF, &[a])?;
            self.alu(IntegerOp::Select, &[toward, a, negative])
        });
        turned.collect()
    }

    /// Fractions, then whole parts.
    fn modf(&mut self, vector: &[Register]) -> Result<Vec<Register>> {
        let whole = vector.iter().map(|&a| self.alu(FloatOp::TruncF, &[a]));
        let whole: Vec<Register> = whole.collect::<Result<_>>()?;
        let pairs = vector.iter().zip(&whole);
        let parts = pairs.map(|(&a, &whole)| self.alu(FloatOp::SubF, &[a, whole]));
        let mut parts: Vec<Register> = parts.collect::<Result<_>>()?;
        parts.extend(whole);
        Ok(parts)
    }

    /// Mantissas, then exponents.
    fn frexp(&mut self, vector: &[Register]) -> Result<Vec<Register>> {
        let mut parts = Vec::new();
        for op in [FloatOp::FrexpMantissa, FloatOp::FrexpExponent] {
            for &value in vector {
                parts.push(self.alu(op, &[value])?);
            }
        }
        Ok(parts)
    }

    fn length(&mut self, vector: &[Register]) -> Result<Register> {
        if let &[only] = vector {
            return self.alu(FloatOp::AbsF, &[only]);
        }
        let square = self.dot(vector, vector)?;
        self.special(Special::Sqrt, &[square])
    }

    fn refract(
        &mut self,
        incident: &[Register],
        normal: &[Register],
        eta: Register,
    ) -> Result<Vec<Register>> {
        let (zero, one) = (self.float(0.0), self.float(1.0));
        let dot = self.dot(normal, incident)?;
        let square = self.alu(FloatOp::MulF, &[dot, dot])?;
        let rest = self.alu(FloatOp::SubF, &[one, square])?;
        let eta_square = self.alu(FloatOp::MulF, &[eta, eta])?;
        let product = self.alu(FloatOp::MulF, &[eta_square, rest])?;
        let k = self.alu(FloatOp::SubF, &[one, product])?;
        let total = self.alu(CompareOp::LtF, &[k, zero])?;
        let root = self.special(Special::Sqrt, &[k])?;
        let along = self.alu(FloatOp::FmaF, &[eta, dot, root])?;
        let along = self.alu(FloatOp::NegF, &[along])?;
        let component = |(&i, &n): (&Register, &Register)| {
            let bent = self.alu(FloatOp::MulF, &[eta, i])?;
            let bent = self.alu(FloatOp::FmaF, &[along, n, bent])?;
            self.alu(IntegerOp::Select, &[total, zero, bent])
        };
        incident.iter().zip(normal).map(component).collect()
    }

    /// One component of a function that works by component.
    fn component(
        &mut self,
        fun: MathFunction,
        scalar: ScalarType,
        v: &[Register],
    ) -> Result<Register> {
        use MathFunction as F;
        if let Some(special) = special(fun) {
            return self.special(special, v);
        }
        if let Some(op) = one_operation(fun, scalar) {
            return self.alu(op, v);
        }
        match fun {
            F::Abs => Ok(v[0]),
            F::Clamp => {
                let above = self.component(F::Max, scalar, &v[..2])?;
                self.component(F::Min, scalar, &[above, v[2]])
            }
            F::Saturate => {
                let (zero, one) = (self.float(0.0), self.float(1.0));
                self.component(F::Clamp, scalar, &[v[0], zero, one])
            }
            F::Radians | F::Degrees => {
                let factor = match fun {
                    F::Radians => std::f32::consts::PI / 180.0,
                    _ => 180.0 / std::f32::consts::PI,
                };
                let factor = self.float(factor);
                self.alu(FloatOp::MulF, &[v[0], factor])
            }
            F::Fract => {
                let floor = self.alu(FloatOp::FloorF, v)?;
                self.alu(FloatOp::SubF, &[v[0], floor])
            }
            F::Mix => {
                let one = self.float(1.0);
                let rest = self.alu(FloatOp::SubF, &[one, v[2]])?;
                let first = self.alu(FloatOp::MulF, &[v[0], rest])?;
                self.alu(FloatOp::FmaF, &[v[1], v[2], first])
            }
            F::Step => {
                let (zero, one) = (self.float(0.0), self.float(1.0));
                let reached = self.alu(CompareOp::LeF, &[v[0], v[1]])?;
                self.alu(IntegerOp::Select, &[reached, one, zero])
            }
            F::SmoothStep => {
                let (three, minus_two) = (self.float(3.0), self.float(-2.0));
                let above = self.alu(FloatOp::SubF, &[v[2], v[0]])?;
                let width = self.alu(FloatOp::SubF, &[v[1], v[0]])?;
                let t = self.special(Special::DivF, &[above, width])?;
                let t = self.component(F::Saturate, scalar, &[t])?;
                let square = self.alu(FloatOp::MulF, &[t, t])?;
                let rest = self.alu(FloatOp::FmaF, &[minus_two, t, three])?;
                self.alu(FloatOp::MulF, &[square, rest])
            }
            F::QuantizeToF16 => {
                let half = self.alu(ConvertOp::FloatToHalf, v)?;
                self.alu(ConvertOp::HalfToFloat, &[half])
            }
            other => Err(self.unsupported(&format!("{other:?}"))),
        }
    }
}

/// Functions of the special-function unit.
fn special(fun: MathFunction) -> Option<Special> {
    use MathFunction as F;
    Some(match fun {
        F::Cos => Special::Cos,
        F::Cosh => Special::Cosh,
        F::Sin => Special::Sin,
        F::Sinh => Special::Sinh,
        F::Tan => Special::Tan,
        F::Tanh => Special::Tanh,
        F::Acos => Special::Acos,
        F::Asin => Special::Asin,
        F::Atan => Special::Atan,
        F::Atan2 => Special::Atan2,
        F::Asinh => Special::Asinh,
        F::Acosh => Special::Acosh,
        F::Atanh => Special::Atanh,
        F::Exp => Special::Exp,
        F::Exp2 => Special::Exp2,
        F::Log => Special::Log,
        F::Log2 => Special::Log2,
        F::Pow => Special::Pow,
        F::Sqrt => Special::Sqrt,
        F::InverseSqrt => Special::InverseSqrt,
        _ => return None,
    })
}

/// Functions that are one operation of the arithmetic unit.
fn one_operation(fun: MathFunction, scalar: ScalarType) -> Option<Alu> {
    use MathFunction as F;
    use ScalarType::{F32, I32, U32};
    Some(match (fun, scalar) {
        (F::Abs, F32) => FloatOp::AbsF.into(),
        (F::Abs, I32) => IntegerOp::AbsI.into(),
        (F::Min, F32) => FloatOp::MinF.into(),
        (F::Min, I32) => IntegerOp::MinI.into(),
        (F::Min, U32) => IntegerOp::MinU.into(),
        (F::Max, F32) => FloatOp::MaxF.into(),
        (F::Max, I32) => IntegerOp::MaxI.into(),
        (F::Max, U32) => IntegerOp::MaxU.into(),
        (F::Sign, F32) => FloatOp::SignF.into(),
        (F::Sign, I32) => IntegerOp::SignI.into(),
        (F::Ceil, F32) => FloatOp::CeilF.into(),
        (F::Floor, F32) => FloatOp::FloorF.into(),
        (F::Round, F32) => FloatOp::RoundF.into(),
        (F::Trunc, F32) => FloatOp::TruncF.into(),
        (F::Fma, F32) => FloatOp::FmaF.into(),
        (F::Ldexp, F32) => FloatOp::Ldexp.into(),
        (F::CountOneBits, _) => BitOp::CountOnes.into(),
        (F::CountLeadingZeros, _) => BitOp::LeadingZeros.into(),
        (F::CountTrailingZeros, _) => BitOp::TrailingZeros.into(),
        (F::ReverseBits, _) => BitOp::ReverseBits.into(),
        (F::ExtractBits, I32) => BitOp::ExtractI.into(),
        (F::ExtractBits, _) => BitOp::ExtractU.into(),
        (F::InsertBits, _) => BitOp::Insert.into(),
        (F::FirstTrailingBit, _) => BitOp::FirstTrailing.into(),
        (F::FirstLeadingBit, I32) => BitOp::FirstLeadingI.into(),
        (F::FirstLeadingBit, _) => BitOp::FirstLeadingU.into(),
        _ => return None,
    })
}
