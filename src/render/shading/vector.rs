//! Vectors and special functions on lanes.

use azulejo_simd::{Lanes, each, map};

/// A vector or colour by lane.
pub(super) type Vector<L> = [<L as Lanes>::F; 3];

/// Dot product, lane by lane.
#[inline(always)]
pub(super) fn dot<L: Lanes>(l: L, a: Vector<L>, b: Vector<L>) -> L::F {
    l.mul_add(a[2], b[2], l.mul_add(a[1], b[1], a[0] * b[0]))
}

/// Right-handed cross product, lane by lane.
#[inline(always)]
pub(super) fn cross<L: Lanes>(l: L, a: Vector<L>, b: Vector<L>) -> Vector<L> {
    map(
        [(1, 2), (2, 0), (0, 1)],
        #[inline(always)]
        |(i, j)| l.mul_add(a[i], b[j], -(a[j] * b[i])),
    )
}

/// Broadcast of a vector to all lanes.
#[inline(always)]
pub(super) fn splat<L: Lanes>(l: L, v: glam::Vec3) -> Vector<L> {
    [l.f(v.x), l.f(v.y), l.f(v.z)]
}

/// `a * factor + b`.
#[inline(always)]
pub(super) fn scale_add<L: Lanes>(l: L, a: Vector<L>, factor: L::F, b: Vector<L>) -> Vector<L> {
    each!(3, k => l.mul_add(a[k], factor, b[k]))
}

/// 1 / length of a vector with squared length `squared`; finite for the zero vector.
#[inline(always)]
pub(super) fn inverse_length<L: Lanes>(l: L, squared: L::F) -> L::F {
    l.f(1.0) / l.sqrt(l.max(squared, l.f(1e-30)))
}

/// Length 1; zero stays zero.
#[inline(always)]
pub(super) fn normalize<L: Lanes>(l: L, v: Vector<L>) -> Vector<L> {
    let inverse = inverse_length(l, dot(l, v, v));
    map(
        v,
        #[inline(always)]
        |component| component * inverse,
    )
}

/// Into 0..=1; NaN becomes 0.
#[inline(always)]
pub(super) fn saturate<L: Lanes>(l: L, a: L::F) -> L::F {
    l.min(l.max(a, l.f(0.0)), l.f(1.0))
}

/// Horner's rule, the highest power first.
#[inline(always)]
pub(super) fn polynomial<L: Lanes, const N: usize>(l: L, x: L::F, coefficients: &[f32; N]) -> L::F {
    let mut sum = l.f(coefficients[0]);
    for &coefficient in &coefficients[1..] {
        sum = l.mul_add(sum, x, l.f(coefficient));
    }
    sum
}

/// log2 of a positive normal number in two parts that sum to it, the exponent and the mantissa's logarithm; absolute error
/// below 3e-6. The second is a minimax polynomial of degree 6 that is exact at powers of two.
#[inline(always)]
pub(super) fn log2<L: Lanes>(l: L, x: L::F) -> (L::I, L::F) {
    const MANTISSA: [f32; 6] = [
        -0.025_841_469,
        0.121_797_98,
        -0.277_905_45,
        0.457_549_27,
        -0.718_145_3,
        1.442_544_9,
    ];
    let bits = l.to_bits(x);
    let exponent = l.shr::<23>(bits) - l.i(127);
    let mantissa = l.of_bits((bits & l.i(0x007f_ffff)) | l.i(0x3f80_0000)) - l.f(1.0);
    (exponent, mantissa * polynomial(l, mantissa, &MANTISSA))
}
