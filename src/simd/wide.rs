//! Lanes in vector registers: [`Lanes`] on any level of `fearless_simd`. Sixteen lanes at every level: one register of
//! AVX-512, two of AVX2, four of SSE and NEON, so that the order of operations is the same everywhere.

use fearless_simd::{f32x16, i32x16, mask32x16, prelude::*, u32x16};

use super::block::{Across, BlockSamples};
use super::isa::Isa;
use super::lanes::{LANES, Lanes, across, bilinear_of, mixed_by_lane, pair_weights};

/// Lanes in the registers of `S`.
#[derive(Debug, Clone, Copy)]
pub struct Wide<S>(pub(super) S);

impl<S: Isa> Wide<S> {
    #[inline(always)]
    fn unsigned(self, a: i32x16<S>) -> u32x16<S> {
        a.bitcast()
    }
}

impl<S: Isa> Lanes for Wide<S> {
    type F = f32x16<S>;
    type I = i32x16<S>;
    type M = mask32x16<S>;
    type Unwatched = Self;

    #[inline(always)]
    fn unwatched(self) -> Self {
        self
    }

    #[inline(always)]
    fn f(self, value: f32) -> Self::F {
        f32x16::splat(self.0, value)
    }

    #[inline(always)]
    fn i(self, value: i32) -> Self::I {
        i32x16::splat(self.0, value)
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> Self::F {
        f32x16::from_slice(self.0, values)
    }

    #[inline(always)]
    fn load_i(self, values: &[i32; LANES]) -> Self::I {
        i32x16::from_slice(self.0, values)
    }

    #[inline(always)]
    fn store(self, value: Self::F, to: &mut [f32; LANES]) {
        value.store_slice(to);
    }

    #[inline(always)]
    fn store_i(self, value: Self::I, to: &mut [i32; LANES]) {
        value.store_slice(to);
    }

    #[inline(always)]
    fn store_where(self, mask: Self::M, value: Self::F, to: &mut [f32; LANES]) {
        let under = self.0.opaque(self.load(to));
        self.store(self.select(mask, value, under), to);
    }

    #[inline(always)]
    fn store_where_i(self, mask: Self::M, value: Self::I, to: &mut [i32; LANES]) {
        let under = self.to_bits(self.0.opaque(self.of_bits(self.load_i(to))));
        self.store_i(self.select_i(mask, value, under), to);
    }

    #[inline(always)]
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        a.sqrt()
    }

    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        self.0.min_lanes(a, b)
    }

    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        self.0.max_lanes(a, b)
    }

    #[inline(always)]
    fn abs(self, a: Self::F) -> Self::F {
        a.abs()
    }

    #[inline(always)]
    fn floor(self, a: Self::F) -> Self::F {
        a.floor()
    }

    #[inline(always)]
    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        a.simd_lt(b)
    }

    #[inline(always)]
    fn le(self, a: Self::F, b: Self::F) -> Self::M {
        a.simd_le(b)
    }

    #[inline(always)]
    fn select(self, mask: Self::M, a: Self::F, b: Self::F) -> Self::F {
        mask.select(a, b)
    }

    #[inline(always)]
    fn to_int(self, a: Self::F) -> Self::I {
        a.to_int()
    }

    #[inline(always)]
    fn to_float(self, a: Self::I) -> Self::F {
        a.to_float()
    }

    #[inline(always)]
    fn to_bits(self, a: Self::F) -> Self::I {
        a.bitcast()
    }

    #[inline(always)]
    fn of_bits(self, a: Self::I) -> Self::F {
        a.bitcast()
    }

    #[inline(always)]
    fn shl<const N: u32>(self, a: Self::I) -> Self::I {
        a << N
    }

    #[inline(always)]
    fn shr<const N: u32>(self, a: Self::I) -> Self::I {
        (self.unsigned(a) >> N).bitcast()
    }

    #[inline(always)]
    fn shr_by(self, a: Self::I, by: Self::I) -> Self::I {
        (self.unsigned(a) >> self.unsigned(by)).bitcast()
    }

    #[inline(always)]
    fn sar<const N: u32>(self, a: Self::I) -> Self::I {
        a >> N
    }

    #[inline(always)]
    fn min_i(self, a: Self::I, b: Self::I) -> Self::I {
        a.min(b)
    }

    #[inline(always)]
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I {
        a.max(b)
    }

    #[inline(always)]
    fn min_u(self, a: Self::I, b: Self::I) -> Self::I {
        self.unsigned(a).min(self.unsigned(b)).bitcast()
    }

    #[inline(always)]
    fn lt_i(self, a: Self::I, b: Self::I) -> Self::M {
        a.simd_lt(b)
    }

    #[inline(always)]
    fn eq_i(self, a: Self::I, b: Self::I) -> Self::M {
        a.simd_eq(b)
    }

    #[inline(always)]
    fn select_i(self, mask: Self::M, a: Self::I, b: Self::I) -> Self::I {
        mask.select(a, b)
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> Self::M {
        mask32x16::from_bitmask(self.0, u64::from(bits & 0xffff))
    }

    #[inline(always)]
    fn mask_bits(self, mask: Self::M) -> u32 {
        mask.to_bitmask() as u32
    }

    #[inline(always)]
    fn not(self, mask: Self::M) -> Self::M {
        !mask
    }

    #[inline(always)]
    fn any(self, mask: Self::M) -> bool {
        mask.any_true()
    }

    #[inline(always)]
    fn gather(self, table: &[u32], index: Self::I) -> Self::I {
        self.0.gather(table, index)
    }

    #[inline(always)]
    fn ddx(self, a: Self::F) -> Self::F {
        self.0.ddx(a)
    }

    #[inline(always)]
    fn ddy(self, a: Self::F) -> Self::F {
        self.0.ddy(a)
    }

    #[inline(always)]
    fn quad_first(self, a: Self::F) -> Self::F {
        self.0.quad_first(a)
    }

    #[inline(always)]
    fn quad_columns(self, rows: [&[f32; 4]; 4]) -> [Self::F; 4] {
        self.0.quad_columns(rows)
    }

    #[inline(always)]
    fn quad_rows(self, rows: [&[f32; 4]; 4]) -> Self::F {
        self.0.quad_rows(rows)
    }

    #[inline(always)]
    fn gather_4(self, table: &[u32], index: Self::I) -> [Self::I; 4] {
        self.0.gather_4(table, index)
    }

    #[inline(always)]
    fn bilinear(
        self,
        table: &[u32],
        first: Self::I,
        stride: i32,
        [x, y]: [Self::F; 2],
    ) -> [Self::F; 4] {
        let weights = (pair_weights(self, x), y);
        match self.0.bilinear(table, first, stride, weights) {
            Some(mixed) => mixed,
            None => bilinear_of(self, table, first, stride, weights),
        }
    }

    #[inline(always)]
    fn across(self, first: Self::I, x: Self::F) -> Across {
        across(self, first, x, S::SHARES_WINDOWS)
    }

    #[inline(always)]
    fn bilinear_block(self, block: &BlockSamples<'_>) -> [Self::F; 4] {
        match self.0.bilinear_block(block) {
            Some(mixed) => mixed,
            None => mixed_by_lane(self, block),
        }
    }

    #[inline(always)]
    fn dot_halves(self, a: Self::I, b: Self::I) -> Self::I {
        self.0.dot_halves(a, b)
    }

    #[inline(always)]
    fn lookup(self, table: &[i32; LANES], index: Self::I) -> Self::I {
        self.0.lookup(table, index)
    }

    #[inline(always)]
    fn call<R>(self, part: impl FnOnce() -> R) -> R {
        // A function of its own, with the instruction set's features.
        self.0.vectorize(part)
    }
}
