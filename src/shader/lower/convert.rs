//! Conversions between types, packing.

use naga::ScalarKind;

use super::super::code::{Register, ScalarType};
use super::super::operation::{BitOp, CompareOp, ConvertOp, FloatOp, IntegerOp, Special};
use super::state::{Lowerer, Result};

impl Lowerer<'_> {
    /// Values of another type; without a width the bits stay.
    pub(super) fn convert(
        &mut self,
        values: &[Register],
        from: Option<ScalarType>,
        (kind, width): (ScalarKind, Option<u8>),
    ) -> Result<Vec<Register>> {
        let Some(from) = from else {
            return Err(self.unsupported("a conversion of this type"));
        };
        if width.is_none() {
            return Ok(values.to_vec());
        }
        let zero = self.constant(0);
        let one = self.float(1.0);
        let change = |&value: &Register| {
            use ScalarType::{Bool, F32, I32, U32};
            match (from, kind) {
                (F32, ScalarKind::Sint) => self.alu(ConvertOp::FloatToI, &[value]),
                (F32, ScalarKind::Uint) => self.alu(ConvertOp::FloatToU, &[value]),
                (F32, ScalarKind::Bool) => self.alu(CompareOp::NeF, &[value, zero]),
                (I32 | U32, ScalarKind::Bool) => self.alu(CompareOp::NeI, &[value, zero]),
                (I32, ScalarKind::Float) => self.alu(ConvertOp::IToFloat, &[value]),
                (U32, ScalarKind::Float) => self.alu(ConvertOp::UToFloat, &[value]),
                (Bool, ScalarKind::Float) => self.alu(IntegerOp::Select, &[value, one, zero]),
                _ => Ok(value),
            }
        };
        values.iter().map(change).collect()
    }

    /// `bits` of each value, the first lowest.
    fn packed(&mut self, values: &[Register], bits: u32) -> Result<Register> {
        let mut word = values[0];
        if values.len() == 1 {
            return Ok(word);
        }
        let mask = self.constant((1 << bits) - 1);
        word = self.alu(BitOp::And, &[word, mask])?;
        for (k, &value) in (0_u32..).zip(values).skip(1) {
            let (offset, count) = (self.constant(k * bits), self.constant(bits));
            word = self.alu(BitOp::Insert, &[word, value, offset, count])?;
        }
        Ok(word)
    }

    /// Fields of a word, the lowest first.
    pub(super) fn fields(
        &mut self,
        word: Register,
        bits: u32,
        signed: bool,
    ) -> Result<Vec<Register>> {
        let op = match signed {
            true => BitOp::ExtractI,
            false => BitOp::ExtractU,
        };
        let field = |k: u32| {
            let (offset, count) = (self.constant(k * bits), self.constant(bits));
            self.alu(op, &[word, offset, count])
        };
        (0..32 / bits).map(field).collect()
    }

    /// `floor(0.5 + scale * clamp(v, low, 1))` in so many bits each.
    pub(super) fn pack_norm(
        &mut self,
        values: &[Register],
        bits: u32,
        signed: bool,
    ) -> Result<Register> {
        let (low, scale) = norm(bits, signed);
        let (low, high) = (self.float(low), self.float(1.0));
        let (scale, half) = (self.float(scale), self.float(0.5));
        let change = |&value: &Register| {
            let value = self.alu(FloatOp::MaxF, &[value, low])?;
            let value = self.alu(FloatOp::MinF, &[value, high])?;
            let value = self.alu(FloatOp::FmaF, &[value, scale, half])?;
            let value = self.alu(FloatOp::FloorF, &[value])?;
            self.alu(ConvertOp::FloatToI, &[value])
        };
        let parts: Vec<Register> = values.iter().map(change).collect::<Result<_>>()?;
        self.packed(&parts, bits)
    }

    pub(super) fn unpack_norm(
        &mut self,
        word: Register,
        bits: u32,
        signed: bool,
    ) -> Result<Vec<Register>> {
        let (low, scale) = norm(bits, signed);
        let (low, scale) = (self.float(low), self.float(scale));
        let parts = self.fields(word, bits, signed)?;
        let change = |part: Register| {
            let value = self.alu(ConvertOp::IToFloat, &[part])?;
            let value = self.special(Special::DivF, &[value, scale])?;
            match signed {
                true => self.alu(FloatOp::MaxF, &[value, low]),
                false => Ok(value),
            }
        };
        parts.into_iter().map(change).collect()
    }

    pub(super) fn pack_half(&mut self, values: &[Register]) -> Result<Register> {
        let change = |&value: &Register| self.alu(ConvertOp::FloatToHalf, &[value]);
        let parts: Vec<Register> = values.iter().map(change).collect::<Result<_>>()?;
        self.packed(&parts, 16)
    }

    pub(super) fn unpack_half(&mut self, word: Register) -> Result<Vec<Register>> {
        let parts = self.fields(word, 16, false)?;
        let change = |part: Register| self.alu(ConvertOp::HalfToFloat, &[part]);
        parts.into_iter().map(change).collect()
    }

    /// Four integers as bytes, cut or clamped.
    pub(super) fn pack_bytes(
        &mut self,
        values: &[Register],
        signed: bool,
        clamped: bool,
    ) -> Result<Register> {
        let (low, high) = match signed {
            true => (
                self.constant((-128_i32).cast_unsigned()),
                self.constant(127),
            ),
            false => (self.constant(0), self.constant(255)),
        };
        let change = |&value: &Register| match (clamped, signed) {
            (false, _) => Ok(value),
            (true, true) => {
                let value = self.alu(IntegerOp::MaxI, &[value, low])?;
                self.alu(IntegerOp::MinI, &[value, high])
            }
            (true, false) => self.alu(IntegerOp::MinU, &[value, high]),
        };
        let parts: Vec<Register> = values.iter().map(change).collect::<Result<_>>()?;
        self.packed(&parts, 8)
    }

    /// Sum of the products of four bytes.
    pub(super) fn dot_bytes(&mut self, a: Register, b: Register, signed: bool) -> Result<Register> {
        let (a, b) = (self.fields(a, 8, signed)?, self.fields(b, 8, signed)?);
        let mut sum = self.constant(0);
        for (a, b) in a.into_iter().zip(b) {
            let product = self.alu(IntegerOp::MulI, &[a, b])?;
            sum = self.alu(IntegerOp::AddI, &[sum, product])?;
        }
        Ok(sum)
    }
}

/// Smallest value and scale of a normalised format.
fn norm(bits: u32, signed: bool) -> (f32, f32) {
    match signed {
        true => (-1.0, ((1_u32 << (bits - 1)) - 1) as f32),
        false => (0.0, ((1_u32 << bits) - 1) as f32),
    }
}
