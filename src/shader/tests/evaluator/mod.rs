//! A second evaluator: walks naga's tree, one invocation at a time, as plainly as can be. It shares nothing with the lowering.
//!
//! Barriers part a run into phases. For each phase every invocation runs from its begin anew, on the shared memory that
//! the phases before began with, up to the barrier that ends the phase.

mod expressions;

use std::collections::HashMap;

use naga::{
    AddressSpace, ArraySize, AtomicFunction, Block, Expression, Function, Handle, Module,
    ScalarKind, Statement, SwitchValue, Type, TypeInner,
};

use super::value::{V, binary, bits, leaves, math, part};

enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<V>),
    /// At a barrier, till all are there.
    Wait,
}

/// Invocation: variables, and steps that are left.
pub(super) struct Evaluator<'m> {
    module: &'m Module,
    memory: Vec<V>,
    globals: HashMap<Handle<naga::GlobalVariable>, usize>,
    /// Positions in the memory of variables that invocations share.
    shared: Vec<usize>,
    /// Shared variables at the begin of each phase that all have reached.
    phases: Vec<Vec<V>>,
    /// Shared variables as the invocations before have left them in the last phase.
    now: Vec<V>,
    /// Barriers passed.
    passed: usize,
    /// Whether it has come to the end of the last phase, and not of the program.
    waits: bool,
    steps: u64,
}

struct Frame<'m> {
    function: &'m Function,
    values: Vec<Option<V>>,
    arguments: Vec<V>,
    locals: Vec<usize>,
}

impl<'m> Evaluator<'m> {
    /// Words of the storage buffer, zeros before, after a workgroup has run; its array without a length has so many elements.
    /// `None` if an invocation takes too long.
    pub(super) fn run(module: &'m Module, elements: usize) -> Option<Vec<u32>> {
        let mut it = Self {
            module,
            memory: Vec::new(),
            globals: HashMap::new(),
            shared: Vec::new(),
            phases: Vec::new(),
            now: Vec::new(),
            passed: 0,
            waits: true,
            steps: 0,
        };
        let (mut fresh, mut output) = (Vec::new(), None);
        for (handle, variable) in module.global_variables.iter() {
            it.globals.insert(handle, fresh.len());
            if variable.space != AddressSpace::Private {
                it.shared.push(fresh.len());
            }
            if matches!(variable.space, AddressSpace::Storage { .. }) {
                output = Some((it.shared.len() - 1, variable.ty));
            }
            fresh.push(match variable.init {
                Some(init) => it.global_value(init),
                None => it.zero_of_length(variable.ty, elements),
            });
        }
        it.now = it.shared.iter().map(|&at| fresh[at].take()).collect();
        while it.waits {
            it.phases.push(it.now.clone());
            it.phase(&fresh)?;
        }
        let (output, ty) = output?;
        let mut words = Vec::new();
        it.lay(ty, &it.now[output], (0, &mut words));
        Some(words)
    }

    /// Puts a value's words where its type has them.
    fn lay(&self, ty: Handle<Type>, value: &V, (at, words): (usize, &mut Vec<u32>)) {
        let inner = &self.module.types[ty].inner;
        match (inner, value) {
            (TypeInner::Struct { members, .. }, V::C(parts)) => {
                for (member, part) in members.iter().zip(parts) {
                    self.lay(member.ty, part, (at + member.offset as usize / 4, words));
                }
            }
            (TypeInner::Array { base, stride, .. }, V::C(parts)) => {
                for (number, part) in parts.iter().enumerate() {
                    self.lay(*base, part, (at + number * *stride as usize / 4, words));
                }
            }
            (TypeInner::Matrix { rows, .. }, V::C(columns)) => {
                // Three numbers take the place of four.
                let stride = (*rows as usize).next_multiple_of(2);
                for (number, column) in columns.iter().enumerate() {
                    put(column, at + number * stride, words);
                }
            }
            _ => put(value, at, words),
        }
    }

    /// Runs all invocations to the next barrier or the end.
    fn phase(&mut self, fresh: &[V]) -> Option<()> {
        let entry = &self.module.entry_points[0];
        for index in 0..entry.workgroup_size[0] {
            (self.passed, self.waits, self.steps) = (0, false, 2_000_000);
            self.memory = fresh.to_vec();
            self.enter_phase();
            self.call(&entry.function, vec![V::U(index)])?;
            let shared = self.shared.iter().map(|&at| self.memory[at].take());
            self.now = shared.collect();
        }
        Some(())
    }

    /// Takes the shared variables that a phase begins with; in the last phase, those that the invocations before have left.
    fn enter_phase(&mut self) {
        let variables = match self.passed + 1 == self.phases.len() {
            true => std::mem::take(&mut self.now),
            false => self.phases[self.passed].clone(),
        };
        for (&at, value) in self.shared.iter().zip(variables) {
            self.memory[at] = value;
        }
    }

    fn barrier(&mut self) {
        self.passed += 1;
        self.waits = self.passed == self.phases.len();
        if !self.waits {
            self.enter_phase();
        }
    }

    /// Zero of a module's variable; an array without a length has so many elements.
    fn zero_of_length(&self, ty: Handle<Type>, elements: usize) -> V {
        match self.module.types[ty].inner {
            TypeInner::Array {
                base,
                size: ArraySize::Dynamic,
                ..
            } => V::C(vec![self.zero(base); elements]),
            TypeInner::Struct { ref members, .. } => {
                let parts = members.iter();
                V::C(parts.map(|m| self.zero_of_length(m.ty, elements)).collect())
            }
            _ => self.zero(ty),
        }
    }

    fn zero(&self, ty: Handle<Type>) -> V {
        self.zero_of(&self.module.types[ty].inner)
    }

    fn zero_of(&self, inner: &TypeInner) -> V {
        let scalar = |kind| match kind {
            ScalarKind::Float => V::F(0.0),
            ScalarKind::Sint => V::I(0),
            ScalarKind::Bool => V::B(false),
            _ => V::U(0),
        };
        match *inner {
            TypeInner::Scalar(s) | TypeInner::Atomic(s) => scalar(s.kind),
            TypeInner::Vector { size, scalar: s } => V::C(vec![scalar(s.kind); size as usize]),
            TypeInner::Matrix {
                columns,
                rows,
                scalar: s,
            } => V::C(vec![
                V::C(vec![scalar(s.kind); rows as usize]);
                columns as usize
            ]),
            TypeInner::Array {
                base,
                size: ArraySize::Constant(n),
                ..
            } => V::C(vec![self.zero(base); n.get() as usize]),
            TypeInner::Struct { ref members, .. } => {
                V::C(members.iter().map(|m| self.zero(m.ty)).collect())
            }
            ref other => panic!("no zero of {other:?}"),
        }
    }

    fn call(&mut self, function: &'m Function, arguments: Vec<V>) -> Option<Option<V>> {
        let mut frame = Frame {
            function,
            values: vec![None; function.expressions.len()],
            arguments,
            locals: Vec::new(),
        };
        for (_, local) in function.local_variables.iter() {
            let value = match local.init {
                Some(init) => self.value(&mut frame, init),
                None => self.zero(local.ty),
            };
            self.memory.push(value);
            frame.locals.push(self.memory.len() - 1);
        }
        let flow = self.block(&mut frame, &function.body)?;
        Some(match flow {
            Flow::Return(value) => value,
            _ => None,
        })
    }

    fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block) -> Option<Flow> {
        for statement in block.iter() {
            self.steps = self.steps.checked_sub(1)?;
            match self.statement(frame, statement)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn statement(&mut self, frame: &mut Frame<'m>, statement: &'m Statement) -> Option<Flow> {
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    let value = self.evaluate(frame, handle);
                    frame.values[handle.index()] = Some(value);
                }
            }
            Statement::Block(block) => return self.block(frame, block),
            Statement::If {
                condition,
                accept,
                reject,
            } => {
                let taken = self.value(frame, *condition) == V::B(true);
                return self.block(frame, if taken { accept } else { reject });
            }
            Statement::Switch { selector, cases } => return self.switch(frame, *selector, cases),
            Statement::Loop {
                body,
                continuing,
                break_if,
            } => return self.repeat(frame, (body, continuing), *break_if),
            Statement::Break => return Some(Flow::Break),
            Statement::Continue => return Some(Flow::Continue),
            Statement::Return { value } => {
                let value = value.map(|value| self.value(frame, value));
                return Some(Flow::Return(value));
            }
            Statement::Call {
                function,
                arguments,
                result,
            } => {
                let values = arguments.iter().map(|&a| self.value(frame, a)).collect();
                let outcome = self.call(&self.module.functions[*function], values)?;
                if self.waits {
                    return Some(Flow::Wait);
                }
                if let (Some(result), Some(outcome)) = (result, outcome) {
                    frame.values[result.index()] = Some(outcome);
                }
            }
            other => self.memory_statement(frame, other),
        }
        Some(match self.waits {
            true => Flow::Wait,
            false => Flow::Next,
        })
    }

    /// A write, or a barrier.
    fn memory_statement(&mut self, frame: &mut Frame<'m>, statement: &'m Statement) {
        match statement {
            Statement::Store { pointer, value } => {
                let value = self.value(frame, *value);
                let V::P(root, path) = self.value(frame, *pointer) else {
                    panic!("a pointer")
                };
                *part(&mut self.memory[root], &path) = value;
            }
            Statement::Atomic {
                pointer,
                fun,
                value,
                result,
            } => self.atomic(frame, *pointer, (fun, *value, *result)),
            Statement::ControlBarrier(_) => self.barrier(),
            Statement::WorkGroupUniformLoad { pointer, result } => {
                self.barrier();
                if !self.waits {
                    let value = self.load(frame, *pointer);
                    frame.values[result.index()] = Some(value);
                    self.barrier();
                }
            }
            other => panic!("not generated: {other:?}"),
        }
    }

    /// Changes a word; the result is the old one.
    fn atomic(
        &mut self,
        frame: &mut Frame<'m>,
        pointer: Handle<Expression>,
        (fun, value, result): (
            &AtomicFunction,
            Handle<Expression>,
            Option<Handle<Expression>>,
        ),
    ) {
        use naga::{BinaryOperator as B, MathFunction as M};
        let (old, value) = (self.load(frame, pointer), self.value(frame, value));
        if let Some(result) = result {
            frame.values[result.index()] = Some(old.clone());
        }
        let new = match fun {
            AtomicFunction::Add => binary(B::Add, old, value),
            AtomicFunction::Subtract => binary(B::Subtract, old, value),
            AtomicFunction::And => binary(B::And, old, value),
            AtomicFunction::Exchange { compare: None } => value,
            AtomicFunction::InclusiveOr => binary(B::InclusiveOr, old, value),
            AtomicFunction::ExclusiveOr => binary(B::ExclusiveOr, old, value),
            AtomicFunction::Min => math(M::Min, old, Some(value), None),
            AtomicFunction::Max => math(M::Max, old, Some(value), None),
            other => panic!("not generated: {other:?}"),
        };
        let V::P(root, path) = self.value(frame, pointer) else {
            panic!("a pointer")
        };
        *part(&mut self.memory[root], &path) = new;
    }

    fn load(&mut self, frame: &mut Frame<'m>, pointer: Handle<Expression>) -> V {
        let V::P(root, path) = self.value(frame, pointer) else {
            panic!("a pointer")
        };
        part(&mut self.memory[root], &path).clone()
    }

    fn switch(
        &mut self,
        frame: &mut Frame<'m>,
        selector: Handle<Expression>,
        cases: &'m [naga::SwitchCase],
    ) -> Option<Flow> {
        let selector = self.value(frame, selector);
        let is = |value: &SwitchValue| match (value, &selector) {
            (SwitchValue::I32(a), V::I(b)) => a == b,
            (SwitchValue::U32(a), V::U(b)) => a == b,
            _ => false,
        };
        let default = |c: &naga::SwitchCase| c.value == SwitchValue::Default;
        let found = cases
            .iter()
            .position(|c| is(&c.value))
            .or(cases.iter().position(default))?;
        for case in &cases[found..] {
            match self.block(frame, &case.body)? {
                Flow::Next if case.fall_through => {}
                Flow::Next | Flow::Break => break,
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn repeat(
        &mut self,
        frame: &mut Frame<'m>,
        (body, continuing): (&'m Block, &'m Block),
        break_if: Option<Handle<Expression>>,
    ) -> Option<Flow> {
        loop {
            self.steps = self.steps.checked_sub(1)?;
            match self.block(frame, body)? {
                Flow::Break => break,
                Flow::Next | Flow::Continue => {}
                other => return Some(other),
            }
            self.block(frame, continuing)?;
            if break_if.is_some_and(|b| self.value(frame, b) == V::B(true)) {
                break;
            }
        }
        Some(Flow::Next)
    }
}

/// Puts the numbers of a value in a row.
fn put(value: &V, at: usize, words: &mut Vec<u32>) {
    for (place, number) in (at..).zip(leaves(value)) {
        words.resize(words.len().max(place + 1), 0);
        words[place] = bits(number);
    }
}
