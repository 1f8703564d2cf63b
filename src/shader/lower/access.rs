//! Reads and writes of places.

use naga::{Span, TypeInner};

use super::super::code::{NONE, Register};
use super::super::layout::{Layout, MAX_NUMBERS, element, member, offsets, words};
use super::super::operation::{AtomicOp, IntegerOp, Op};
use super::place::{Place, Space};
use super::state::{Lowerer, Result};

impl Lowerer<'_> {
    /// The member or element of constant index.
    pub(super) fn member_place(
        &self,
        place: &Place,
        inner: &TypeInner,
        index: u32,
    ) -> Result<Place> {
        let Some((_, before)) = member(self.module, inner, index, place.layout()) else {
            return Err(self.unsupported("an index into this type"));
        };
        let mut inside = place.clone();
        inside.offset = inside
            .offset
            .saturating_add(u32::try_from(before).unwrap_or(u32::MAX));
        Ok(inside)
    }

    /// The element at an index, clamped to the array.
    pub(super) fn element_place(
        &mut self,
        place: &Place,
        inner: &TypeInner,
        index: Register,
    ) -> Result<Place> {
        let layout = place.layout();
        let Some((_, stride, count)) = element(self.module, inner, layout) else {
            return Err(self.unsupported("an index into this type"));
        };
        let stride = u32::try_from(stride).unwrap_or(u32::MAX);
        let length = match (count, place.space) {
            (Some(count), _) => self.constant(count),
            (None, Space::Buffer(buffer)) => {
                let op = Op::ArrayLength {
                    buffer,
                    offset: place.offset,
                    stride,
                };
                self.emit(op, &[], 1)?[0]
            }
            (None, _) => return Err(self.unsupported("an array without a length here")),
        };
        let before = match place.dynamic {
            Some(register) => register,
            None => self.constant(0),
        };
        let stride = self.constant(stride);
        let mut inside = place.clone();
        inside.dynamic = Some(self.alu(IntegerOp::Index, &[index, length, stride, before])?);
        Ok(inside)
    }

    /// Numbers of the value at a place.
    pub(super) fn load(&mut self, place: &Place, inner: &TypeInner) -> Result<Vec<Register>> {
        let numbers = words(self.module, inner, Layout::Dense);
        if numbers > MAX_NUMBERS {
            let message = format!("value of {numbers} numbers; expected at most {MAX_NUMBERS}");
            return Err(self.error(Span::UNDEFINED, message));
        }
        let mut at = Vec::new();
        offsets(self.module, inner, place.layout(), place.offset, &mut at);
        match (place.space, place.dynamic) {
            (Space::Registers { base, .. }, None) => {
                let copy = |&offset: &u32| {
                    let result = self.register(false);
                    self.assign(result, base + offset, false)?;
                    Ok(result)
                };
                at.iter().map(copy).collect()
            }
            (Space::Registers { base, length }, Some(index)) => {
                let read = |&offset: &u32| {
                    let op = Op::ReadIndexed {
                        base,
                        length,
                        offset,
                    };
                    Ok(self.emit(op, &[index], 1)?[0])
                };
                at.iter().map(read).collect()
            }
            (_, dynamic) => {
                let index = dynamic.unwrap_or_else(|| self.constant(0));
                let memory = place.memory();
                let mut values = Vec::with_capacity(at.len());
                let mut rest = at.as_slice();
                while let Some(&offset) = rest.first() {
                    let row = rest.iter().zip(offset..).take(4);
                    let count = row
                        .take_while(|&(&word, expected)| word == expected)
                        .count();
                    let results = self.emit(Op::Load { memory, offset }, &[index], count)?;
                    values.extend_from_slice(&results[..count]);
                    rest = &rest[count..];
                }
                Ok(values)
            }
        }
    }

    /// Writes a value to a place.
    pub(super) fn store(
        &mut self,
        place: &Place,
        inner: &TypeInner,
        values: &[Register],
    ) -> Result<()> {
        let mut at = Vec::new();
        offsets(self.module, inner, place.layout(), place.offset, &mut at);
        for (&offset, &value) in at.iter().zip(values) {
            match (place.space, place.dynamic) {
                (Space::Registers { base, .. }, None) => self.assign(base + offset, value, true)?,
                (Space::Registers { base, length }, Some(index)) => {
                    let op = Op::WriteIndexed {
                        base,
                        length,
                        offset,
                    };
                    self.control(op, &[index, value])?;
                }
                (_, dynamic) => {
                    let index = dynamic.unwrap_or_else(|| self.constant(0));
                    let memory = place.memory();
                    self.control(Op::Store { memory, offset }, &[index, value])?;
                }
            }
        }
        Ok(())
    }

    /// Changes the word at a place: its old value, and whether it was exchanged.
    pub(super) fn atomic(
        &mut self,
        place: &Place,
        op: AtomicOp,
        operands: &[Register],
    ) -> Result<[Register; 2]> {
        let index = place.dynamic.unwrap_or_else(|| self.constant(0));
        let op = Op::Atomic {
            memory: place.memory(),
            offset: place.offset,
            op,
        };
        let mut all = vec![index];
        all.extend_from_slice(operands);
        let [old, exchanged, ..] = self.emit(op, &all, 2)?;
        debug_assert!(old != NONE, "atomics have results");
        Ok([old, exchanged])
    }
}
