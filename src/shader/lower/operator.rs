//! Operators and other operations on numbers.

use naga::{BinaryOperator, Expression, Handle, RelationalFunction, UnaryOperator};

use super::super::code::{Register, ScalarType};
use super::super::layout::scalar_of;
use super::super::operation::{Alu, BitOp, CompareOp, Derivative, FloatOp, IntegerOp, Op, Special};
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
            self.alu(IntegerOp::Select, &[mask, a, b])
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
            RelationalFunction::All => BitOp::And,
            RelationalFunction::Any => BitOp::Or,
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
            (UnaryOperator::Negate, Some(ScalarType::F32)) => self.alu(FloatOp::NegF, &[value]),
            (UnaryOperator::Negate, _) => self.alu(IntegerOp::SubI, &[zero, value]),
            (UnaryOperator::LogicalNot, _) => self.alu(BitOp::Xor, &[value, one]),
            (UnaryOperator::BitwiseNot, _) => self.alu(BitOp::Not, &[value]),
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
        let (op, swapped): (Alu, bool) = match op {
            B::Add if float => (FloatOp::AddF.into(), false),
            B::Add => (IntegerOp::AddI.into(), false),
            B::Subtract if float => (FloatOp::SubF.into(), false),
            B::Subtract => (IntegerOp::SubI.into(), false),
            B::Multiply if float => (FloatOp::MulF.into(), false),
            B::Multiply => (IntegerOp::MulI.into(), false),
            B::Equal if float => (CompareOp::EqF.into(), false),
            B::Equal => (CompareOp::EqI.into(), false),
            B::NotEqual if float => (CompareOp::NeF.into(), false),
            B::NotEqual => (CompareOp::NeI.into(), false),
            B::Less | B::Greater if float => (CompareOp::LtF.into(), op == B::Greater),
            B::Less | B::Greater if signed => (CompareOp::LtI.into(), op == B::Greater),
            B::Less | B::Greater => (CompareOp::LtU.into(), op == B::Greater),
            B::LessEqual | B::GreaterEqual if float => {
                (CompareOp::LeF.into(), op == B::GreaterEqual)
            }
            B::LessEqual | B::GreaterEqual if signed => {
                (CompareOp::LeI.into(), op == B::GreaterEqual)
            }
            B::LessEqual | B::GreaterEqual => (CompareOp::LeU.into(), op == B::GreaterEqual),
            B::And | B::LogicalAnd => (BitOp::And.into(), false),
            B::InclusiveOr | B::LogicalOr => (BitOp::Or.into(), false),
            B::ExclusiveOr => (BitOp::Xor.into(), false),
            B::ShiftLeft => (BitOp::Shl.into(), false),
            B::ShiftRight if signed => (BitOp::ShrI.into(), false),
            B::ShiftRight => (BitOp::ShrU.into(), false),
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
                    let (x, y) = (
                        self.alu(FloatOp::AbsF, &[x])?,
                        self.alu(FloatOp::AbsF, &[y])?,
                    );
                    self.alu(FloatOp::AddF, &[x, y])
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
