//! Gathers and permutations of x86: the only instructions that `fearless_simd` does not offer.

use fearless_simd::{i32x16, prelude::*, u32x16};

use super::isa::Isa;

/// Minimum and maximum by one instruction: MINPS and MAXPS give the second operand where a comparison with NaN or of two zeros
/// fails, which is the lanes' rule.
macro_rules! min_max_in_one_instruction {
    () => {
        #[inline(always)]
        fn min_lanes(self, a: f32x16<Self>, b: f32x16<Self>) -> f32x16<Self> {
            a.min(b)
        }

        #[inline(always)]
        fn max_lanes(self, a: f32x16<Self>, b: f32x16<Self>) -> f32x16<Self> {
            a.max(b)
        }
    };
}
mod avx2;
mod avx512;

/// `index` clamped so that `n` elements from there lie inside the table, which makes reading safe; `None` where the table
/// is smaller.
#[inline(always)]
fn clamped<S: Isa>(simd: S, table: &[u32], n: usize, index: i32x16<S>) -> Option<i32x16<S>> {
    let last = table.len().checked_sub(n)?.min(i32::MAX as usize);
    let index: u32x16<S> = index.bitcast();
    Some(index.min(u32x16::splat(simd, last as u32)).bitcast())
}

/// First words of the records with these numbers, and words from there to the records below, for [`Isa::bilinear`]; `None` unless all of
/// them, those beside them and those below lie in the table.
#[inline(always)]
fn records_inside<S: Isa>(
    simd: S,
    table: &[u32],
    first: i32x16<S>,
    stride: i32,
) -> Option<(i32x16<S>, usize)> {
    // A record is two words.
    let below = 2 * usize::try_from(stride).ok()?;
    let last = table.len().checked_sub(below + 4)?.min(i32::MAX as usize);
    let index: u32x16<S> = (first << 1).bitcast();
    let are_inside = index.simd_le(u32x16::splat(simd, last as u32)).all_true();
    are_inside.then_some((index.bitcast(), below))
}
