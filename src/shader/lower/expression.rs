//! Expressions: constants, composition, access.

use naga::{Expression, Handle, Literal, TypeInner};

use super::super::code::Register;
use super::super::layout::{Layout, MAX_NUMBERS, element, member, pointee, words};
use super::super::operation::Op;
use super::place::{Place, Space};
use super::state::{Frame, Lowerer, Result, Value};

impl<'a> Lowerer<'a> {
    pub(super) fn type_of(&self, frame: &Frame<'a>, handle: Handle<Expression>) -> &'a TypeInner {
        frame.info[handle].ty.inner_with(&self.module.types)
    }

    /// Value of an expression that was evaluated, or needs no evaluation.
    pub(super) fn value(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Result<Value> {
        if let Some(known) = frame.values.get(&handle) {
            return Ok(known.clone());
        }
        let value = self.expression(frame, handle)?;
        frame.values.insert(handle, value.clone());
        Ok(value)
    }

    pub(super) fn numbers(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Result<Vec<Register>> {
        match self.value(frame, handle)? {
            Value::Numbers(numbers) => Ok(numbers),
            _ => Err(self.unsupported("a pointer or a resource as a value")),
        }
    }

    pub(super) fn number(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Result<Register> {
        let numbers = self.numbers(frame, handle)?;
        let first = numbers.first().copied();
        first.ok_or_else(|| self.unsupported("an empty value"))
    }

    pub(super) fn pointer(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Result<Place> {
        match self.value(frame, handle)? {
            Value::Pointer(place) => Ok(place),
            _ => Err(self.unsupported("a value as a pointer")),
        }
    }

    fn literal(&mut self, literal: Literal) -> Result<Register> {
        Ok(match literal {
            Literal::F32(value) => self.float(value),
            Literal::U32(value) => self.constant(value),
            Literal::I32(value) => self.constant(value.cast_unsigned()),
            Literal::Bool(value) => self.constant(value.into()),
            other => return Err(self.unsupported(&format!("literal {other:?}"))),
        })
    }

    fn zeros(&mut self, ty: Handle<naga::Type>) -> Result<Vec<Register>> {
        let numbers = words(self.module, &self.module.types[ty].inner, Layout::Dense);
        if numbers > MAX_NUMBERS {
            let message = format!("value of {numbers} numbers; expected at most {MAX_NUMBERS}");
            return Err(self.error(naga::Span::UNDEFINED, message));
        }
        Ok(vec![self.constant(0); numbers as usize])
    }

    /// Value of an expression of the module.
    pub(super) fn global_numbers(&mut self, handle: Handle<Expression>) -> Result<Vec<Register>> {
        self.deeper()?;
        let module = self.module;
        let numbers = match module.global_expressions[handle] {
            Expression::Literal(literal) => vec![self.literal(literal)?],
            Expression::Constant(constant) => {
                self.global_numbers(module.constants[constant].init)?
            }
            Expression::ZeroValue(ty) => self.zeros(ty)?,
            Expression::Compose { ref components, .. } => {
                let mut all = Vec::new();
                for &component in components {
                    all.extend(self.global_numbers(component)?);
                }
                all
            }
            Expression::Splat { size, value } => {
                let one = self.global_numbers(value)?;
                one.repeat(size as usize)
            }
            _ => {
                let span = module.global_expressions.get_span(handle);
                return Err(self.error(span, "a constant that is not evaluated: not supported"));
            }
        };
        self.depth -= 1;
        Ok(numbers)
    }

    /// Evaluates an expression.
    pub(super) fn expression(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Result<Value> {
        let numbers = match frame.function.expressions[handle] {
            Expression::Access { base, index } => return self.at_index(frame, base, index),
            Expression::AccessIndex { base, index } => return self.at_member(frame, base, index),
            Expression::FunctionArgument(index) => {
                return Ok(frame.arguments[index as usize].clone());
            }
            Expression::GlobalVariable(variable) => return self.global(variable),
            Expression::LocalVariable(variable) => {
                return Ok(Value::Pointer(frame.locals[variable.index()].clone()));
            }
            Expression::Literal(literal) => vec![self.literal(literal)?],
            Expression::Constant(constant) => {
                self.global_numbers(self.module.constants[constant].init)?
            }
            Expression::ZeroValue(ty) => self.zeros(ty)?,
            Expression::Compose { ref components, .. } => {
                let mut all = Vec::new();
                for &component in components {
                    all.extend(self.numbers(frame, component)?);
                }
                all
            }
            Expression::Splat { size, value } => vec![self.number(frame, value)?; size as usize],
            Expression::Swizzle {
                size,
                vector,
                pattern,
            } => {
                let vector = self.numbers(frame, vector)?;
                let chosen = pattern.iter().take(size as usize);
                chosen
                    .map(|&component| vector[component as usize])
                    .collect()
            }
            Expression::Load { pointer } => {
                let inner = pointee(self.module, self.type_of(frame, pointer));
                let place = self.pointer(frame, pointer)?;
                self.load(&place, &inner)?
            }
            Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. } => self.image(frame, handle)?,
            Expression::ArrayLength(pointer) => vec![self.array_length(frame, pointer)?],
            ref operation => self.operation(frame, operation)?,
        };
        Ok(Value::Numbers(numbers))
    }

    /// Part of a value, or of a variable, at an index that is known only when it runs.
    fn at_index(
        &mut self,
        frame: &mut Frame<'a>,
        base: Handle<Expression>,
        index: Handle<Expression>,
    ) -> Result<Value> {
        let index = self.number(frame, index)?;
        let inner = self.type_of(frame, base);
        match self.value(frame, base)? {
            Value::Pointer(place) => {
                let inner = pointee(self.module, inner);
                Ok(Value::Pointer(self.element_place(&place, &inner, index)?))
            }
            Value::Numbers(numbers) => Ok(Value::Numbers(self.element(inner, &numbers, index)?)),
            Value::Resource(_) => Err(self.unsupported("an array of resources")),
        }
    }

    /// Part of a value, or of a variable, at a constant index.
    fn at_member(
        &mut self,
        frame: &mut Frame<'a>,
        base: Handle<Expression>,
        index: u32,
    ) -> Result<Value> {
        let inner = self.type_of(frame, base);
        match self.value(frame, base)? {
            Value::Pointer(place) => {
                let inner = pointee(self.module, inner);
                Ok(Value::Pointer(self.member_place(&place, &inner, index)?))
            }
            Value::Numbers(numbers) => {
                let found = member(self.module, inner, index, Layout::Dense);
                let part = found.and_then(|(ty, before)| {
                    let count = words(self.module, &ty, Layout::Dense);
                    numbers.get(before as usize..(before + count) as usize)
                });
                let part = part.map(|part| Value::Numbers(part.to_vec()));
                part.ok_or_else(|| self.unsupported("an index into this type"))
            }
            Value::Resource(_) => Err(self.unsupported("an array of resources")),
        }
    }

    /// The element of a value at an index that is known only when it runs: read from a copy in a row of registers.
    fn element(
        &mut self,
        inner: &TypeInner,
        numbers: &[Register],
        index: Register,
    ) -> Result<Vec<Register>> {
        let place = self.variable("value", numbers.len() as u64, naga::Span::UNDEFINED)?;
        if let Space::Registers { base, .. } = place.space {
            for (to, &from) in (base..).zip(numbers) {
                self.assign(to, from, false)?;
            }
        }
        let inside = self.element_place(&place, inner, index)?;
        match element(self.module, inner, Layout::Dense) {
            Some((ty, _, _)) => self.load(&inside, &ty),
            None => Err(self.unsupported("an index into this type")),
        }
    }

    fn array_length(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
    ) -> Result<Register> {
        let inner = pointee(self.module, self.type_of(frame, pointer));
        let place = self.pointer(frame, pointer)?;
        let stride = element(self.module, &inner, Layout::Buffer).map(|(_, stride, _)| stride);
        let (Space::Buffer(buffer), Some(stride)) = (place.space, stride) else {
            return Err(self.unsupported("the length of this array"));
        };
        let op = Op::ArrayLength {
            buffer,
            offset: place.offset,
            stride: stride as u32,
        };
        Ok(self.emit(op, &[], 1)?[0])
    }
}
