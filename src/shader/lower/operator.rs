//! Operators and other operations on numbers.

use naga::{BinaryOperator, Expression, Handle, RelationalFunction, UnaryOperator};

use super::super::code::{Register, ScalarType};
use super::super::layout::scalar_of;
use super::super::operation::{Alu, Derivative, Op, Special};
use super::state::{Frame, Lowerer, Result};

impl<'a> Lowerer<'a> {
    /// Evaluates an expression that computes numbers from numbers.
    pub(super) fn operation(
        &mut self,
        frame: &mut Frame<'a>,
        expression: &Expression,
    ) -> Result<Vec<Register>> {
        match *expression {
            Expression::Unary { op, expr } => {
                let scalar = scalar_of(self.type_of(frame, expr));
                let values = self.numbers(frame, expr)?;
                self.unary(op, scalar, &values)
            }
            Expression::Binary { op, left, right } => self.binary(frame, op, (left, right)),
            Expression::Select {
                condition,
                accept,
                reject,
            } => self.select(frame, condition, (accept, reject)),
            Expression::Derivative { axis, ctrl, expr } => {
                let values = self.numbers(frame, expr)?;
                self.derivative((axis, ctrl), &values)
            }
            Expression::Relational { fun, argument } => self.relational(frame, fun, argument),
            Expression::Math {
                fun,
                arg,
                arg1,
                arg2,
                arg3,
            } => {
                let arguments = [Some(arg), arg1, arg2, arg3];
                let arguments: Vec<_> = arguments.into_iter().flatten().collect();
                self.math(frame, fun, &arguments)
            }
            Expression::As {
                expr,
                kind,
                convert,
            } => {
                let from = scalar_of(self.type_of(frame, expr));
                let values = self.numbers(frame, expr)?;
                self.convert(&values, from, (kind, convert))
            }
            ref other => Err(self.unsupported(construct(other))),
        }
    }

    fn select(
        &mut self,
        frame: &mut Frame<'a>,
        condition: Handle<Expression>,
        (accept, reject): (Handle<Expression>, Handle<Expression>),
    ) -> Result<Vec<Register>> {
        let condition = self.numbers(frame, condition)?;
        let accept = self.numbers(frame, accept)?;
        let reject = self.numbers(frame, reject)?;
        let pairs = accept.into_iter().zip(reject).enumerate();
        let choose = |(k, (a, b)): (usize, (Register, Register))| {
            let mask = condition[k.min(condition.len() - 1)];
            self.alu(Alu::Select, &[mask, a, b])
        };
        pairs.map(choose).collect()
    }

    fn relational(
        &mut self,
        frame: &mut Frame<'a>,
        fun: RelationalFunction,
        argument: Handle<Expression>,
    ) -> Result<Vec<Register>> {
        let values = self.numbers(frame, argument)?;
        let op = match fun {
            RelationalFunction::All => Alu::And,
            RelationalFunction::Any => Alu::Or,
            other => return Err(self.unsupported(&format!("{other:?}"))),
        };
        let mut all = values[0];
        for &value in &values[1..] {
            all = self.alu(op, &[all, value])?;
        }
        Ok(vec![all])
    }

    fn unary(
        &mut self,
        op: UnaryOperator,
        scalar: Option<ScalarType>,
        values: &[Register],
    ) -> Result<Vec<Register>> {
        let zero = self.constant(0);
        let one = self.constant(1);
        let change = |&value: &Register| match (op, scalar) {
            (UnaryOperator::Negate, Some(ScalarType::F32)) => self.alu(Alu::NegF, &[value]),
            (UnaryOperator::Negate, _) => self.alu(Alu::SubI, &[zero, value]),
            (UnaryOperator::LogicalNot, _) => self.alu(Alu::Xor, &[value, one]),
            (UnaryOperator::BitwiseNot, _) => self.alu(Alu::Not, &[value]),
        };
        values.iter().map(change).collect()
    }

    fn binary(
        &mut self,
        frame: &mut Frame<'a>,
        op: BinaryOperator,
        (left, right): (Handle<Expression>, Handle<Expression>),
    ) -> Result<Vec<Register>> {
        let (left_type, right_type) = (self.type_of(frame, left), self.type_of(frame, right));
        let a = self.numbers(frame, left)?;
        let b = self.numbers(frame, right)?;
        if op == BinaryOperator::Multiply
            && let Some(product) = self.matrix_product((left_type, &a), (right_type, &b))?
        {
            return Ok(product);
        }
        let Some(scalar) = scalar_of(left_type) else {
            return Err(self.unsupported("an operator on this type"));
        };
        let count = a.len().max(b.len());
        let pair = |k: usize| (a[k.min(a.len() - 1)], b[k.min(b.len() - 1)]);
        (0..count)
            .map(|k| self.operator(op, scalar, pair(k)))
            .collect()
    }

    /// One number of an operator's result.
    pub(super) fn operator(
        &mut self,
        op: BinaryOperator,
        scalar: ScalarType,
        (a, b): (Register, Register),
    ) -> Result<Register> {
        use BinaryOperator as B;
        let float = scalar == ScalarType::F32;
        let signed = scalar == ScalarType::I32;
        let special = match op {
            B::Divide if float => Some(Special::DivF),
            B::Divide if signed => Some(Special::DivI),
            B::Divide => Some(Special::DivU),
            B::Modulo if float => Some(Special::RemF),
            B::Modulo if signed => Some(Special::RemI),
            B::Modulo => Some(Special::RemU),
            _ => None,
        };
        if let Some(special) = special {
            return self.special(special, &[a, b]);
        }
        let (op, swapped) = match op {
            B::Add if float => (Alu::AddF, false),
            B::Add => (Alu::AddI, false),
            B::Subtract if float => (Alu::SubF, false),
            B::Subtract => (Alu::SubI, false),
            B::Multiply if float => (Alu::MulF, false),
            B::Multiply => (Alu::MulI, false),
            B::Equal if float => (Alu::EqF, false),
            B::Equal => (Alu::EqI, false),
            B::NotEqual if float => (Alu::NeF, false),
            B::NotEqual => (Alu::NeI, false),
            B::Less | B::Greater if float => (Alu::LtF, op == B::Greater),
            B::Less | B::Greater if signed => (Alu::LtI, op == B::Greater),
            B::Less | B::Greater => (Alu::LtU, op == B::Greater),
            B::LessEqual | B::GreaterEqual if float => (Alu::LeF, op == B::GreaterEqual),
            B::LessEqual | B::GreaterEqual if signed => (Alu::LeI, op == B::GreaterEqual),
            B::LessEqual | B::GreaterEqual => (Alu::LeU, op == B::GreaterEqual),
            B::And | B::LogicalAnd => (Alu::And, false),
            B::InclusiveOr | B::LogicalOr => (Alu::Or, false),
            B::ExclusiveOr => (Alu::Xor, false),
            B::ShiftLeft => (Alu::Shl, false),
            B::ShiftRight if signed => (Alu::ShrI, false),
            B::ShiftRight => (Alu::ShrU, false),
            B::Divide | B::Modulo => return Err(self.unsupported("this operator")),
        };
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        self.alu(op, &[a, b])
    }

    fn derivative(
        &mut self,
        (axis, control): (naga::DerivativeAxis, naga::DerivativeControl),
        values: &[Register],
    ) -> Result<Vec<Register>> {
        use naga::{DerivativeAxis as Axis, DerivativeControl as Control};
        let coarse = control == Control::Coarse;
        let (x, y) = match coarse {
            true => (Derivative::XCoarse, Derivative::YCoarse),
            false => (Derivative::X, Derivative::Y),
        };
        let change = |&value: &Register| {
            let mut of = |derivative| Ok(self.emit(Op::Derivative(derivative), &[value], 1)?[0]);
            match axis {
                Axis::X => of(x),
                Axis::Y => of(y),
                Axis::Width => {
                    let (x, y) = (of(x)?, of(y)?);
                    let (x, y) = (self.alu(Alu::AbsF, &[x])?, self.alu(Alu::AbsF, &[y])?);
                    self.alu(Alu::AddF, &[x, y])
                }
            }
        };
        values.iter().map(change).collect()
    }
}

/// Names an expression that has no lowering.
fn construct(expression: &Expression) -> &'static str {
    match expression {
        Expression::Override(_) => "an override without a value",
        // Statements give these their values; one without is never executed.
        Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. } => "a result before its statement",
        Expression::SubgroupBallotResult | Expression::SubgroupOperationResult { .. } => {
            "a subgroup operation"
        }
        Expression::CooperativeLoad { .. } | Expression::CooperativeMultiplyAdd { .. } => {
            "a cooperative matrix"
        }
        Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. } => "ray tracing",
        _ => "this expression",
    }
}
