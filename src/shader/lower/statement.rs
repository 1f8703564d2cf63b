//! Statements: regions with markers, stores, calls, atomics.

use naga::{
    AtomicFunction, Block, Expression, Function, Handle, Range, Span, Statement, SwitchValue,
    TypeInner,
};

use super::super::code::{NONE, Register, ScalarType};
use super::super::layout::{pointee, scalar_of};
use super::super::operation::{AtomicOp, Op};
use super::state::{Frame, Lowerer, Result, Value};
use super::trips::trips;

impl<'a> Lowerer<'a> {
    /// Lowers a block; `at_end`: behind it the function ends.
    pub(super) fn block(
        &mut self,
        frame: &mut Frame<'a>,
        block: &'a Block,
        at_end: bool,
    ) -> Result<()> {
        self.deeper()?;
        let last = block.len().saturating_sub(1);
        for (position, (statement, span)) in block.span_iter().enumerate() {
            self.at(*span);
            let before = &block[..position];
            self.statement(frame, statement, (before, at_end && position == last))?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Instructions from here on come from this span's line.
    pub(super) fn at(&mut self, span: Span) {
        let start = span.to_range().map(|range| range.start);
        if let Some(start) = start.filter(|start| self.source.is_char_boundary(*start)) {
            self.line = self.line_starts.partition_point(|line| *line <= start) as u32;
        }
    }

    fn statement(
        &mut self,
        frame: &mut Frame<'a>,
        statement: &'a Statement,
        (before, at_end): (&[Statement], bool),
    ) -> Result<()> {
        match *statement {
            Statement::Emit(ref range) => self.emit_range(frame, range),
            Statement::Block(ref block) => self.block(frame, block, at_end),
            Statement::If {
                condition,
                ref accept,
                ref reject,
            } => self.branch(frame, condition, (accept, reject), at_end),
            Statement::Switch {
                selector,
                ref cases,
            } => self.switch(frame, selector, (cases, at_end)),
            Statement::Loop {
                ref body,
                ref continuing,
                break_if,
            } => self.repeat(frame, before, (body, continuing), break_if),
            Statement::Break => self.control(Op::Break, &[]),
            Statement::Continue => self.control(Op::Continue, &[]),
            Statement::Return { value } => self.return_value(frame, value, at_end),
            Statement::Kill => self.control(Op::Kill, &[]),
            Statement::ControlBarrier(_) => self.control(Op::Barrier, &[]),
            Statement::MemoryBarrier(_) => Ok(()),
            Statement::Store { pointer, value } => self.store_statement(frame, pointer, value),
            Statement::ImageStore {
                image,
                coordinate,
                array_index,
                value,
            } => self.image_store(frame, image, (coordinate, array_index), value),
            Statement::Atomic {
                pointer,
                ref fun,
                value,
                result,
            } => self.atomic_statement(frame, pointer, fun, (value, result)),
            Statement::Call {
                function,
                ref arguments,
                result,
            } => self.call_statement(frame, function, (arguments, result)),
            Statement::WorkGroupUniformLoad { pointer, result } => {
                self.uniform_load(frame, pointer, result)
            }
            ref other => Err(self.unsupported(construct(other))),
        }
    }

    /// Evaluates expressions.
    fn emit_range(&mut self, frame: &mut Frame<'a>, range: &Range<Expression>) -> Result<()> {
        let line = self.line;
        for handle in range.clone() {
            self.at(frame.function.expressions.get_span(handle));
            let value = self.expression(frame, handle)?;
            frame.values.insert(handle, value);
        }
        self.line = line;
        Ok(())
    }

    fn branch(
        &mut self,
        frame: &mut Frame<'a>,
        condition: Handle<Expression>,
        (accept, reject): (&'a Block, &'a Block),
        at_end: bool,
    ) -> Result<()> {
        let condition = self.number(frame, condition)?;
        self.control(Op::If, &[condition])?;
        self.block(frame, accept, at_end)?;
        if !reject.is_empty() {
            self.control(Op::Else, &[])?;
            self.block(frame, reject, at_end)?;
        }
        self.control(Op::EndIf, &[])
    }

    fn repeat(
        &mut self,
        frame: &mut Frame<'a>,
        before: &[Statement],
        (body, continuing): (&'a Block, &'a Block),
        break_if: Option<Handle<Expression>>,
    ) -> Result<()> {
        let trips = trips(self.module, frame.function, before, (body, continuing));
        let line = self.line;
        self.control(Op::Loop { trips }, &[])?;
        self.loops += 1;
        self.block(frame, body, false)?;
        self.control(Op::Continuing, &[])?;
        self.block(frame, continuing, false)?;
        if let Some(condition) = break_if {
            let condition = self.number(frame, condition)?;
            self.control(Op::BreakIf, &[condition])?;
        }
        self.loops -= 1;
        self.line = line;
        self.control(Op::EndLoop, &[])
    }

    fn store_statement(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        value: Handle<Expression>,
    ) -> Result<()> {
        let inner = pointee(self.module, self.type_of(frame, pointer));
        let place = self.pointer(frame, pointer)?;
        let values = self.numbers(frame, value)?;
        self.store(&place, &inner, &values)
    }

    fn call_statement(
        &mut self,
        frame: &mut Frame<'a>,
        function: Handle<Function>,
        (arguments, result): (&[Handle<Expression>], Option<Handle<Expression>>),
    ) -> Result<()> {
        let line = self.line;
        let values: Result<Vec<Value>> = arguments.iter().map(|&a| self.value(frame, a)).collect();
        let (function, info) = (&self.module.functions[function], &self.info[function]);
        let outcome = self.call(function, info, values?)?;
        if let Some(result) = result {
            frame.values.insert(result, Value::Numbers(outcome));
        }
        self.line = line;
        Ok(())
    }

    /// A load between two barriers.
    fn uniform_load(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        result: Handle<Expression>,
    ) -> Result<()> {
        self.control(Op::Barrier, &[])?;
        let inner = pointee(self.module, self.type_of(frame, pointer));
        let place = self.pointer(frame, pointer)?;
        let values = self.load(&place, &inner)?;
        frame.values.insert(result, Value::Numbers(values));
        self.control(Op::Barrier, &[])
    }

    fn switch(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Handle<Expression>,
        (cases, at_end): (&'a [naga::SwitchCase], bool),
    ) -> Result<()> {
        let selector = self.number(frame, selector)?;
        self.control(Op::Switch, &[selector])?;
        // Selectors with one body; the default comes last, as it takes the lanes that no other case has.
        let mut bodies: Vec<(Option<Vec<u32>>, &'a Block)> = Vec::new();
        let mut selectors = Some(Vec::new());
        for case in cases {
            match (case.value, &mut selectors) {
                (SwitchValue::I32(value), Some(known)) => known.push(value.cast_unsigned()),
                (SwitchValue::U32(value), Some(known)) => known.push(value),
                (SwitchValue::Default, _) => selectors = None,
                (_, None) => {}
            }
            if case.fall_through {
                if !case.body.is_empty() {
                    return Err(self.unsupported("a case that falls through"));
                }
                continue;
            }
            bodies.push((selectors.replace(Vec::new()), &case.body));
        }
        bodies.sort_by_key(|(selectors, _)| selectors.is_none());
        for (selectors, body) in bodies {
            let position = self.cases.len() as u32;
            self.cases.push(selectors);
            self.control(Op::Case(position), &[selector])?;
            self.block(frame, body, at_end)?;
        }
        self.control(Op::EndSwitch, &[])
    }

    fn return_value(
        &mut self,
        frame: &mut Frame<'a>,
        value: Option<Handle<Expression>>,
        at_end: bool,
    ) -> Result<()> {
        if let Some(value) = value {
            let values = self.numbers(frame, value)?;
            let masked = frame.returned || self.loops > frame.loops;
            for (to, from) in frame.result.clone().into_iter().zip(values) {
                self.assign(to, from, masked)?;
            }
            frame.returned = true;
        }
        match at_end {
            true => Ok(()),
            false => self.control(Op::Return, &[]),
        }
    }

    fn atomic_statement(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        fun: &AtomicFunction,
        (value, result): (Handle<Expression>, Option<Handle<Expression>>),
    ) -> Result<()> {
        let inner = pointee(self.module, self.type_of(frame, pointer));
        let signed = match scalar_of(&inner) {
            Some(ScalarType::I32) => true,
            Some(ScalarType::U32) => false,
            _ => return Err(self.unsupported("an atomic of this type")),
        };
        let op = match (*fun, signed) {
            (AtomicFunction::Add, _) => AtomicOp::Add,
            (AtomicFunction::Subtract, _) => AtomicOp::Subtract,
            (AtomicFunction::And, _) => AtomicOp::And,
            (AtomicFunction::ExclusiveOr, _) => AtomicOp::Xor,
            (AtomicFunction::InclusiveOr, _) => AtomicOp::Or,
            (AtomicFunction::Min, true) => AtomicOp::MinI,
            (AtomicFunction::Min, false) => AtomicOp::MinU,
            (AtomicFunction::Max, true) => AtomicOp::MaxI,
            (AtomicFunction::Max, false) => AtomicOp::MaxU,
            (AtomicFunction::Exchange { compare: None }, _) => AtomicOp::Exchange,
            (AtomicFunction::Exchange { compare: Some(_) }, _) => AtomicOp::CompareExchange,
        };
        let place = self.pointer(frame, pointer)?;
        let mut operands: Vec<Register> = vec![self.number(frame, value)?];
        if let AtomicFunction::Exchange {
            compare: Some(compare),
        } = *fun
        {
            operands.push(self.number(frame, compare)?);
        }
        let [old, exchanged] = self.atomic(&place, op, &operands)?;
        if let Some(result) = result {
            let compound = matches!(self.type_of(frame, result), TypeInner::Struct { .. });
            let values = match compound {
                true => vec![old, exchanged],
                false => vec![old],
            };
            debug_assert!(values.iter().all(|&value| value != NONE), "both are there");
            frame.values.insert(result, Value::Numbers(values));
        }
        Ok(())
    }
}

/// Names a statement that has no lowering.
fn construct(statement: &Statement) -> &'static str {
    match statement {
        Statement::ImageAtomic { .. } => "an atomic access of a texture",
        Statement::RayQuery { .. } | Statement::RayPipelineFunction(_) => "ray tracing",
        Statement::SubgroupBallot { .. }
        | Statement::SubgroupGather { .. }
        | Statement::SubgroupCollectiveOperation { .. } => "a subgroup operation",
        Statement::CooperativeStore { .. } => "a cooperative matrix",
        _ => "this statement",
    }
}
