//! Functions that graphics hardware has a unit for, on lanes: powers, logarithms and cosines. One instruction each for the
//! recorder; here polynomials, minimax by linear programming.

use super::vector::{log2, polynomial};
use azulejo_simd::Lanes;

/// (2^x - 1) / x on 0..=1, exact at both ends, highest power first; relative error of the power below 1e-7.
const EXP2: [f32; 5] = [
    0.001_875_909_8,
    0.009_000_56,
    0.055_809_77,
    0.240_162_31,
    0.693_151_5,
];

/// cos(2 pi x) on -1/2..=1/2 as a polynomial in x^2, highest power first; absolute error below 1e-6.
const COSINE: [f32; 6] = [
    -21.077_678,
    58.795_58,
    -85.273_04,
    64.928_82,
    -19.738_987,
    0.999_999_3,
];

/// 2^`x`; below 2^-126 it is 2^-126, above 2^126 that.
#[inline(always)]
pub(super) fn exp2<L: Lanes>(l: L, x: L::F) -> L::F {
    special(
        l,
        x,
        #[inline(always)]
        |x| {
            let x = l.min(l.max(x, l.f(-126.0)), l.f(126.0));
            let whole = l.floor(x);
            let rest = x - whole;
            let mantissa = l.mul_add(rest, polynomial(l, rest, &EXP2), l.f(1.0));
            let exponent = l.shl::<23>(l.to_int(whole) + l.i(127));
            mantissa * l.of_bits(exponent)
        },
    )
}

/// e^`x` within the bounds of [`exp2`].
#[inline(always)]
pub(super) fn exp<L: Lanes>(l: L, x: L::F) -> L::F {
    exp2(l, x * l.f(std::f32::consts::LOG2_E))
}

/// log2 of a positive number; for 0 and less, that of the smallest normal number.
#[inline(always)]
pub(super) fn logarithm<L: Lanes>(l: L, x: L::F) -> L::F {
    special(
        l,
        x,
        #[inline(always)]
        |x| {
            let (exponent, rest) = log2(l, l.max(x, l.f(f32::MIN_POSITIVE)));
            l.to_float(exponent) + rest
        },
    )
}

/// `base`^`exponent` for a base of 0 or more and an exponent above 0.
#[inline(always)]
pub(super) fn power<L: Lanes>(l: L, base: L::F, exponent: L::F) -> L::F {
    exp2(l, logarithm(l, base) * exponent)
}

/// The cosine of `turns` full turns, up to a million of them.
#[inline(always)]
pub(super) fn cosine<L: Lanes>(l: L, turns: L::F) -> L::F {
    special(
        l,
        turns,
        #[inline(always)]
        |turns| {
            let rest = turns - l.floor(turns + l.f(0.5));
            polynomial(l, rest * rest, &COSINE)
        },
    )
}

/// One instruction for the recorder; here `host` of `x`, compiled once for lanes that call their parts.
#[inline(always)]
fn special<L: Lanes>(l: L, x: L::F, host: impl FnOnce(L::F) -> L::F) -> L::F {
    l.part(
        #[inline(always)]
        || {
            l.special(
                &[x],
                #[inline(always)]
                || host(x),
            )
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_simd::{LANES, LaneJob, SimdLevel, dispatch};

    struct All(f32, f32);

    impl LaneJob for All {
        type Output = [f64; 4];

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [f64; 4] {
            let (x, y) = (l.f(self.0), l.f(self.1));
            [
                exp2(l, x),
                logarithm(l, y),
                power(l, y, l.f(0.17)),
                cosine(l, x),
            ]
            .map(|value| {
                let mut lanes = [0.0; LANES];
                l.store(value, &mut lanes);
                f64::from(lanes[0])
            })
        }
    }

    #[test]
    fn special_functions_are_those_of_double_precision() {
        let backend = SimdLevel::Auto.backend().expect("runs everywhere");
        for step in -400..=400 {
            let (x, y) = (step as f32 * 0.137, 1.04_f32.powi(step));
            let found = dispatch(backend, All(x, y));
            let (x, y) = (f64::from(x), f64::from(y));
            let exact = [
                x.exp2(),
                y.log2(),
                y.powf(0.17),
                (x * std::f64::consts::TAU).cos(),
            ];
            // Absolute for logarithm and cosine.
            let scales = [exact[0], 1.0, exact[2], 1.0];
            for ((found, exact), scale) in found.into_iter().zip(exact).zip(scales) {
                assert!(
                    (found - exact).abs() < 5e-6 * scale,
                    "of {x} and {y}: {found}, not {exact}"
                );
            }
        }
    }
}
