//! Values of the second evaluator, and its arithmetic.

use naga::{BinaryOperator as B, Literal, MathFunction as M, ScalarKind};

/// Largest float that is an `i32`.
const LAST_SIGNED: f32 = 2_147_483_520.0;

/// Largest float that is a `u32`.
const LAST_UNSIGNED: f32 = 4_294_967_040.0;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum V {
    F(f32),
    I(i32),
    U(u32),
    B(bool),
    /// Vector, matrix, array, struct.
    C(Vec<Self>),
    /// Variable and the way to a part of it.
    P(usize, Vec<usize>),
}

impl V {
    /// Takes the value out; a boolean is left.
    pub(super) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::B(false))
    }
}

pub(super) fn part<'v>(value: &'v mut V, path: &[usize]) -> &'v mut V {
    path.iter().fold(value, |value, &at| match value {
        V::C(parts) => &mut parts[at],
        other => panic!("a part of {other:?}"),
    })
}

pub(super) fn flat(value: V) -> Vec<V> {
    match value {
        V::C(parts) => parts,
        other => vec![other],
    }
}

/// Numbers of a value, in order of its parts.
pub(super) fn leaves(value: &V) -> Vec<&V> {
    match value {
        V::C(parts) => parts.iter().flat_map(leaves).collect(),
        number => vec![number],
    }
}

pub(super) fn literal(literal: Literal) -> V {
    match literal {
        Literal::F32(v) => V::F(v),
        Literal::U32(v) => V::U(v),
        Literal::I32(v) => V::I(v),
        Literal::Bool(v) => V::B(v),
        other => panic!("literal {other:?}"),
    }
}

pub(super) fn each1(value: V, change: &dyn Fn(V) -> V) -> V {
    match value {
        V::C(parts) => V::C(parts.into_iter().map(|p| each1(p, change)).collect()),
        other => change(other),
    }
}

fn each2(a: V, b: V, change: &dyn Fn(V, V) -> V) -> V {
    match (a, b) {
        (V::C(a), V::C(b)) => V::C(
            a.into_iter()
                .zip(b)
                .map(|(a, b)| each2(a, b, change))
                .collect(),
        ),
        (V::C(a), b) => V::C(a.into_iter().map(|a| each2(a, b.clone(), change)).collect()),
        (a, V::C(b)) => V::C(b.into_iter().map(|b| each2(a.clone(), b, change)).collect()),
        (a, b) => change(a, b),
    }
}

pub(super) fn convert_to(v: V, kind: ScalarKind, converts: bool) -> V {
    if !converts {
        let bits = bits(&v);
        return match kind {
            ScalarKind::Float => V::F(f32::from_bits(bits)),
            ScalarKind::Sint => V::I(bits.cast_signed()),
            _ => V::U(bits),
        };
    }
    match (kind, v) {
        (ScalarKind::Float, V::I(a)) => V::F(a as f32),
        (ScalarKind::Float, V::U(a)) => V::F(a as f32),
        (ScalarKind::Float, V::B(a)) => V::F(f32::from(u8::from(a))),
        (ScalarKind::Sint, V::F(a)) if a >= LAST_SIGNED => V::I(LAST_SIGNED as i32),
        (ScalarKind::Sint, V::F(a)) => V::I(a as i32),
        (ScalarKind::Sint, V::U(a)) => V::I(a.cast_signed()),
        (ScalarKind::Sint, V::B(a)) => V::I(a.into()),
        (ScalarKind::Uint, V::F(a)) if a >= LAST_UNSIGNED => V::U(LAST_UNSIGNED as u32),
        (ScalarKind::Uint, V::F(a)) => V::U(a as u32),
        (ScalarKind::Uint, V::I(a)) => V::U(a.cast_unsigned()),
        (ScalarKind::Uint, V::B(a)) => V::U(a.into()),
        (ScalarKind::Bool, V::F(a)) => V::B(a != 0.0),
        (ScalarKind::Bool, V::I(a)) => V::B(a != 0),
        (ScalarKind::Bool, V::U(a)) => V::B(a != 0),
        (_, same) => same,
    }
}

/// Bits of a number.
pub(super) fn bits(v: &V) -> u32 {
    match *v {
        V::F(a) => a.to_bits(),
        V::I(a) => a.cast_unsigned(),
        V::U(a) => a,
        V::B(a) => a.into(),
        ref other => panic!("bits of {other:?}"),
    }
}

fn is_matrix(v: &V) -> bool {
    matches!(v, V::C(parts) if matches!(parts[0], V::C(_)))
}

fn dot(a: &[V], b: &[V]) -> V {
    let mut sum = None;
    for (a, b) in a.iter().zip(b) {
        sum = Some(match (a, b, sum) {
            (V::F(a), V::F(b), None) => V::F(a * b),
            (V::F(a), V::F(b), Some(V::F(sum))) => V::F(a.mul_add(*b, sum)),
            (V::I(a), V::I(b), None) => V::I(a.wrapping_mul(*b)),
            (V::I(a), V::I(b), Some(V::I(sum))) => V::I(sum.wrapping_add(a.wrapping_mul(*b))),
            (V::U(a), V::U(b), None) => V::U(a.wrapping_mul(*b)),
            (V::U(a), V::U(b), Some(V::U(sum))) => V::U(sum.wrapping_add(a.wrapping_mul(*b))),
            other => panic!("dot of {other:?}"),
        });
    }
    sum.expect("components")
}

fn matrix_vector(matrix: &[V], vector: &[V]) -> V {
    let rows = flat(matrix[0].clone()).len();
    let row = |r: usize| {
        matrix
            .iter()
            .map(|c| flat(c.clone())[r].clone())
            .collect::<Vec<V>>()
    };
    V::C((0..rows).map(|r| dot(&row(r), vector)).collect())
}

pub(super) fn binary(op: B, a: V, b: V) -> V {
    if op == B::Multiply
        && let Some(product) = matrix_product(&a, &b)
    {
        return product;
    }
    each2(a, b, &|a, b| match (a, b) {
        (V::F(a), V::F(b)) => floats(op, a, b),
        (V::I(a), V::U(b)) if op == B::ShiftLeft => V::I(a << (b % 32)),
        (V::I(a), V::U(b)) => V::I(a >> (b % 32)),
        (V::I(a), V::I(b)) => signed(op, a, b),
        (V::U(a), V::U(b)) => unsigned(op, a, b),
        (V::B(a), V::B(b)) => booleans(op, a, b),
        other => panic!("{op:?} of {other:?}"),
    })
}

fn matrix_product(a: &V, b: &V) -> Option<V> {
    match (a, b) {
        (V::C(m), V::C(n)) if is_matrix(a) && is_matrix(b) => Some(V::C(
            n.iter()
                .map(|column| matrix_vector(m, &flat(column.clone())))
                .collect(),
        )),
        (V::C(m), V::C(v)) if is_matrix(a) => Some(matrix_vector(m, v)),
        (V::C(v), V::C(m)) if is_matrix(b) => Some(V::C(
            m.iter()
                .map(|column| dot(v, &flat(column.clone())))
                .collect(),
        )),
        _ => None,
    }
}

fn floats(op: B, a: f32, b: f32) -> V {
    match op {
        B::Add => V::F(a + b),
        B::Subtract => V::F(a - b),
        B::Multiply => V::F(a * b),
        B::Divide => V::F(a / b),
        B::Modulo => V::F(a - b * (a / b).trunc()),
        B::Equal => V::B(a == b),
        B::NotEqual => V::B(a != b),
        B::Less => V::B(a < b),
        B::LessEqual => V::B(a <= b),
        B::Greater => V::B(a > b),
        B::GreaterEqual => V::B(a >= b),
        other => panic!("{other:?} of floats"),
    }
}

fn signed(op: B, a: i32, b: i32) -> V {
    match op {
        B::Add => V::I(a.wrapping_add(b)),
        B::Subtract => V::I(a.wrapping_sub(b)),
        B::Multiply => V::I(a.wrapping_mul(b)),
        B::Divide => V::I(if b == 0 { a } else { a.wrapping_div(b) }),
        B::Modulo => V::I(if b == 0 { 0 } else { a.wrapping_rem(b) }),
        B::And => V::I(a & b),
        B::InclusiveOr => V::I(a | b),
        B::ExclusiveOr => V::I(a ^ b),
        other => compare(other, &a, &b),
    }
}

fn unsigned(op: B, a: u32, b: u32) -> V {
    match op {
        B::Add => V::U(a.wrapping_add(b)),
        B::Subtract => V::U(a.wrapping_sub(b)),
        B::Multiply => V::U(a.wrapping_mul(b)),
        B::Divide => V::U(a.checked_div(b).unwrap_or(a)),
        B::Modulo => V::U(a.checked_rem(b).unwrap_or(0)),
        B::And => V::U(a & b),
        B::InclusiveOr => V::U(a | b),
        B::ExclusiveOr => V::U(a ^ b),
        B::ShiftLeft => V::U(a << (b % 32)),
        B::ShiftRight => V::U(a >> (b % 32)),
        other => compare(other, &a, &b),
    }
}

fn booleans(op: B, a: bool, b: bool) -> V {
    match op {
        B::And | B::LogicalAnd => V::B(a && b),
        B::InclusiveOr | B::LogicalOr => V::B(a || b),
        other => compare(other, &a, &b),
    }
}

fn compare<T: Ord + ?Sized>(op: B, a: &T, b: &T) -> V {
    V::B(match op {
        B::Equal => a == b,
        B::NotEqual => a != b,
        B::Less => a < b,
        B::LessEqual => a <= b,
        B::Greater => a > b,
        B::GreaterEqual => a >= b,
        other => panic!("{other:?} is no comparison"),
    })
}

/// Parts of parts: numbers of a matrix's columns.
fn columns(matrix: &V) -> Vec<Vec<V>> {
    flat(matrix.clone()).into_iter().map(flat).collect()
}

fn transpose(matrix: &V) -> V {
    let columns = columns(matrix);
    let row = |at: usize| V::C(columns.iter().map(|column| column[at].clone()).collect());
    V::C((0..columns[0].len()).map(row).collect())
}

/// Determinant of a matrix of two columns, where it has no rounding.
fn determinant(matrix: &V) -> V {
    let columns = columns(matrix);
    let number = |column: usize, row: usize| match columns[column][row] {
        V::F(number) => number,
        ref other => panic!("{other:?} in a matrix"),
    };
    V::F(number(0, 0) * number(1, 1) - number(0, 1) * number(1, 0))
}

pub(super) fn math(fun: M, a: V, b: Option<V>, c: Option<V>) -> V {
    if fun == M::Dot {
        return dot(&flat(a), &flat(b.expect("two")));
    }
    match fun {
        M::Transpose => return transpose(&a),
        M::Determinant => return determinant(&a),
        _ => {}
    }
    match (b, c) {
        (None, _) => each1(a, &|a| match (fun, a) {
            (M::Abs, V::F(a)) => V::F(a.abs()),
            (M::Abs, V::I(a)) => V::I(a.wrapping_abs()),
            (M::Abs, V::U(a)) => V::U(a),
            (M::Floor, V::F(a)) => V::F(a.floor()),
            (M::Ceil, V::F(a)) => V::F(a.ceil()),
            (M::Trunc, V::F(a)) => V::F(a.trunc()),
            (M::Round, V::F(a)) => V::F(a.round_ties_even()),
            (M::Fract, V::F(a)) => V::F(a - a.floor()),
            (M::Sqrt, V::F(a)) => V::F(a.sqrt()),
            (M::Sin, V::F(a)) => V::F(libm::sinf(a)),
            (M::Saturate, V::F(a)) => math(M::Clamp, V::F(a), Some(V::F(0.0)), Some(V::F(1.0))),
            (M::Sign, V::F(a)) if a > 0.0 => V::F(1.0),
            (M::Sign, V::F(a)) if a < 0.0 => V::F(-1.0),
            (M::Sign, V::F(_)) => V::F(0.0),
            (M::Sign, V::I(a)) => V::I(a.signum()),
            (M::CountOneBits, V::U(a)) => V::U(a.count_ones()),
            (M::ReverseBits, V::U(a)) => V::U(a.reverse_bits()),
            (M::CountLeadingZeros, V::U(a)) => V::U(a.leading_zeros()),
            other => panic!("not generated: {other:?}"),
        }),
        (Some(b), None) => each2(a, b, &|a, b| match (fun, a, b) {
            (M::Min, V::F(a), V::F(b)) => V::F(if a < b { a } else { b }),
            (M::Max, V::F(a), V::F(b)) => V::F(if a > b { a } else { b }),
            (M::Min, V::I(a), V::I(b)) => V::I(a.min(b)),
            (M::Max, V::I(a), V::I(b)) => V::I(a.max(b)),
            (M::Min, V::U(a), V::U(b)) => V::U(a.min(b)),
            (M::Max, V::U(a), V::U(b)) => V::U(a.max(b)),
            other => panic!("not generated: {other:?}"),
        }),
        (Some(b), Some(c)) => match fun {
            M::Clamp => math(M::Min, math(M::Max, a, Some(b), None), Some(c), None),
            M::Fma => {
                let pairs = each2(a, b, &|a, b| V::C(vec![a, b]));
                match (pairs, c) {
                    (V::C(ab), V::F(c)) => match (&ab[0], &ab[1]) {
                        (V::F(a), V::F(b)) => V::F(a.mul_add(*b, c)),
                        other => panic!("fma of {other:?}"),
                    },
                    other => panic!("fma of {other:?}"),
                }
            }
            other => panic!("not generated: {other:?}"),
        },
    }
}
