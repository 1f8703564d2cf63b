//! Values of expressions.

use naga::{Expression, Handle, Type, TypeInner, UnaryOperator};

use super::super::value::{V, binary, convert_to, each1, flat, literal, math, part};
use super::{Evaluator, Frame};

impl<'m> Evaluator<'m> {
    pub(super) fn value(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> V {
        match &frame.values[handle.index()] {
            Some(value) => value.clone(),
            None => self.evaluate(frame, handle),
        }
    }

    pub(super) fn global_value(&self, handle: Handle<Expression>) -> V {
        match &self.module.global_expressions[handle] {
            Expression::Literal(l) => literal(*l),
            Expression::ZeroValue(ty) => self.zero(*ty),
            Expression::Compose { components, ty } => {
                let parts = components.iter().map(|&c| self.global_value(c)).collect();
                self.compose(*ty, parts)
            }
            Expression::Splat { size, value } => {
                V::C(vec![self.global_value(*value); *size as usize])
            }
            other => panic!("not evaluated: {other:?}"),
        }
    }

    pub(super) fn compose(&self, ty: Handle<Type>, parts: Vec<V>) -> V {
        match self.module.types[ty].inner {
            TypeInner::Vector { .. } => V::C(parts.into_iter().flat_map(flat).collect()),
            _ => V::C(parts),
        }
    }

    pub(super) fn evaluate(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> V {
        let function = frame.function;
        match &function.expressions[handle] {
            Expression::Literal(l) => literal(*l),
            Expression::Constant(c) => self.global_value(self.module.constants[*c].init),
            Expression::ZeroValue(ty) => self.zero(*ty),
            Expression::Compose { ty, components } => {
                let parts = components.iter().map(|&c| self.value(frame, c)).collect();
                self.compose(*ty, parts)
            }
            Expression::Access { base, index } => {
                let index = match self.value(frame, *index) {
                    V::U(i) => i,
                    V::I(i) => i.cast_unsigned(),
                    other => panic!("index {other:?}"),
                };
                let base = self.value(frame, *base);
                self.inside(base, index as usize)
            }
            Expression::AccessIndex { base, index } => {
                let base = self.value(frame, *base);
                self.inside(base, *index as usize)
            }
            Expression::Splat { size, value } => {
                V::C(vec![self.value(frame, *value); *size as usize])
            }
            Expression::Swizzle {
                size,
                vector,
                pattern,
            } => {
                let vector = flat(self.value(frame, *vector));
                V::C(
                    pattern[..*size as usize]
                        .iter()
                        .map(|&c| vector[c as usize].clone())
                        .collect(),
                )
            }
            Expression::FunctionArgument(index) => frame.arguments[*index as usize].clone(),
            Expression::GlobalVariable(v) => V::P(self.globals[v], Vec::new()),
            Expression::LocalVariable(v) => V::P(frame.locals[v.index()], Vec::new()),
            Expression::Load { pointer } => self.load(frame, *pointer),
            Expression::ArrayLength(pointer) => {
                let V::P(root, path) = self.value(frame, *pointer) else {
                    panic!("a pointer")
                };
                V::U(flat(part(&mut self.memory[root], &path).clone()).len() as u32)
            }
            operation => self.operation(frame, operation),
        }
    }

    fn operation(&mut self, frame: &mut Frame<'m>, expression: &'m Expression) -> V {
        match expression {
            Expression::Unary { op, expr } => each1(self.value(frame, *expr), &|v| match (op, v) {
                (UnaryOperator::Negate, V::F(a)) => V::F(-a),
                (UnaryOperator::Negate, V::I(a)) => V::I(a.wrapping_neg()),
                (UnaryOperator::LogicalNot, V::B(a)) => V::B(!a),
                (_, V::I(a)) => V::I(!a),
                (_, V::U(a)) => V::U(!a),
                (_, other) => panic!("unary on {other:?}"),
            }),
            Expression::Binary { op, left, right } => {
                let (a, b) = (self.value(frame, *left), self.value(frame, *right));
                binary(*op, a, b)
            }
            Expression::Select {
                condition,
                accept,
                reject,
            } => self.select(frame, *condition, (*accept, *reject)),
            Expression::Relational { fun, argument } => {
                let parts = flat(self.value(frame, *argument));
                V::B(match fun {
                    naga::RelationalFunction::All => parts.iter().all(|p| *p == V::B(true)),
                    _ => parts.contains(&V::B(true)),
                })
            }
            Expression::Math {
                fun,
                arg,
                arg1,
                arg2,
                ..
            } => {
                let a = self.value(frame, *arg);
                let b = arg1.map(|b| self.value(frame, b));
                let c = arg2.map(|c| self.value(frame, c));
                math(*fun, a, b, c)
            }
            Expression::As {
                expr,
                kind,
                convert,
            } => {
                let value = self.value(frame, *expr);
                each1(value, &|v| convert_to(v, *kind, convert.is_some()))
            }
            other => panic!("not generated: {other:?}"),
        }
    }

    fn select(
        &mut self,
        frame: &mut Frame<'m>,
        condition: Handle<Expression>,
        (accept, reject): (Handle<Expression>, Handle<Expression>),
    ) -> V {
        let condition = self.value(frame, condition);
        let (a, b) = (self.value(frame, accept), self.value(frame, reject));
        let masks = match condition {
            V::B(true) => return a,
            V::B(false) => return b,
            masks => flat(masks),
        };
        let parts = masks.into_iter().zip(flat(a).into_iter().zip(flat(b)));
        V::C(
            parts
                .map(|(m, (a, b))| if m == V::B(true) { a } else { b })
                .collect(),
        )
    }

    pub(super) fn inside(&mut self, base: V, index: usize) -> V {
        match base {
            V::P(root, mut path) => {
                let V::C(parts) = part(&mut self.memory[root], &path) else {
                    panic!("a composite")
                };
                path.push(index.min(parts.len() - 1));
                V::P(root, path)
            }
            V::C(parts) => parts[index.min(parts.len() - 1)].clone(),
            other => panic!("an index into {other:?}"),
        }
    }
}
