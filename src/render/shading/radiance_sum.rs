//! Radiance on lanes: weighted sums of RGB9E5 words, four after four.

use super::vector::Vector;
use crate::rgb9e5::step;
use azulejo_simd::{Lanes, each};

/// Sums of words times their weights.
#[derive(Clone, Copy)]
pub(super) struct RadianceSum<L: Lanes>([L::F; 3]);

impl<L: Lanes> RadianceSum<L> {
    /// Sum of no words: black.
    #[inline(always)]
    pub(super) fn zero(l: L) -> Self {
        Self([l.f(0.0); 3])
    }

    /// Adds four words times their weights.
    #[inline(always)]
    pub(super) fn add(&mut self, l: L, words: [L::I; 4], weights: &[L::F; 4]) {
        for tap in 0..4 {
            let scaled = weights[tap] * step(l, words[tap]);
            self.0 = each!(3, k => {
                let mantissa = words[tap] & l.i(0x1ff << (9 * k));
                l.mul_add(l.to_float(mantissa), scaled, self.0[k])
            });
        }
    }

    /// The radiance: until now the mantissas of green and blue were left where they lie in the word.
    #[inline(always)]
    pub(super) fn radiance(self, l: L) -> Vector<L> {
        let [r, g, b] = self.0;
        [r, g * l.f(1.0 / 512.0), b * l.f(1.0 / 262_144.0)]
    }
}
