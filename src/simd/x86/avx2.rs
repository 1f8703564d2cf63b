//! AVX2: two registers hold the lanes.

use std::arch::x86_64::{
    __m256, __m256i, _mm_loadu_ps, _mm256_castps128_ps256, _mm256_i32gather_epi32,
    _mm256_insertf128_ps, _mm256_permute_ps, _mm256_sub_ps,
};

use fearless_simd::{Avx2, f32x8, f32x16, i32x8, i32x16, kernel, prelude::*};

use super::clamped;
use crate::simd::array::map;
use crate::simd::each;
use crate::simd::isa::Isa;

impl Isa for Avx2 {
    min_max_in_one_instruction!();

    #[inline(always)]
    fn gather(self, table: &[u32], index: i32x16<Self>) -> i32x16<Self> {
        kernel!(
            #[inline(always)]
            fn gather_8(avx2: Avx2, table: *const i32, index: __m256i) -> __m256i {
                // SAFETY: the caller clamped every index to the table behind the pointer.
                unsafe { _mm256_i32gather_epi32::<4>(table, index) }
            }
        );
        let Some(index) = clamped(self, table, 1, index) else {
            return i32x16::splat(self, 0);
        };
        let halves: [i32x8<Self>; 2] = index.split().into();
        let [low, high] = map(
            halves,
            #[inline(always)]
            |half| -> i32x8<Self> {
                gather_8(self, table.as_ptr().cast(), half.into()).simd_into(self)
            },
        );
        low.combine(high)
    }

    #[inline(always)]
    fn ddx(self, a: f32x16<Self>) -> f32x16<Self> {
        kernel!(
            #[inline(always)]
            fn ddx_8(avx2: Avx2, a: __m256) -> __m256 {
                _mm256_sub_ps(
                    _mm256_permute_ps::<0b11_11_01_01>(a),
                    _mm256_permute_ps::<0b10_10_00_00>(a),
                )
            }
        );
        by_halves(self, a, ddx_8)
    }

    #[inline(always)]
    fn ddy(self, a: f32x16<Self>) -> f32x16<Self> {
        kernel!(
            #[inline(always)]
            fn ddy_8(avx2: Avx2, a: __m256) -> __m256 {
                _mm256_sub_ps(
                    _mm256_permute_ps::<0b11_10_11_10>(a),
                    _mm256_permute_ps::<0b01_00_01_00>(a),
                )
            }
        );
        by_halves(self, a, ddy_8)
    }

    #[inline(always)]
    fn quad_first(self, a: f32x16<Self>) -> f32x16<Self> {
        kernel!(
            #[inline(always)]
            fn first_8(avx2: Avx2, a: __m256) -> __m256 {
                _mm256_permute_ps::<0>(a)
            }
        );
        by_halves(self, a, first_8)
    }

    #[inline(always)]
    fn quad_columns(self, rows: [&[f32; 4]; 4]) -> [f32x16<Self>; 4] {
        kernel!(
            #[inline(always)]
            fn columns_8(avx2: Avx2, first: &[f32; 4], second: &[f32; 4]) -> [__m256; 4] {
                // SAFETY: each pointer is to four floats.
                let [a, b] = map(
                    [first, second],
                    #[inline(always)]
                    |row| unsafe { _mm_loadu_ps(row.as_ptr()) },
                );
                let both = _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(a), b);
                [
                    _mm256_permute_ps::<0b00_00_00_00>(both),
                    _mm256_permute_ps::<0b01_01_01_01>(both),
                    _mm256_permute_ps::<0b10_10_10_10>(both),
                    _mm256_permute_ps::<0b11_11_11_11>(both),
                ]
            }
        );
        let low = columns_8(self, rows[0], rows[1]);
        let high = columns_8(self, rows[2], rows[3]);
        each!(4, k => {
            let (low, high): (f32x8<Self>, f32x8<Self>) =
                (low[k].simd_into(self), high[k].simd_into(self));
            low.combine(high)
        })
    }
}

/// `operation` on each half of sixteen lanes.
#[inline(always)]
fn by_halves(
    simd: Avx2,
    a: f32x16<Avx2>,
    operation: impl Fn(Avx2, __m256) -> __m256,
) -> f32x16<Avx2> {
    let (low, high) = a.split();
    let low: f32x8<Avx2> = operation(simd, low.into()).simd_into(simd);
    let high: f32x8<Avx2> = operation(simd, high.into()).simd_into(simd);
    low.combine(high)
}
