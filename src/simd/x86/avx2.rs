//! AVX2: two registers hold the lanes.

use std::arch::asm;
use std::arch::x86_64::{
    __m256, __m256i, _mm_loadu_ps, _mm_loadu_si128, _mm_setr_epi8, _mm256_add_epi32,
    _mm256_blendv_ps, _mm256_broadcastsi128_si256, _mm256_castps_si256, _mm256_castps128_ps256,
    _mm256_castsi128_si256, _mm256_castsi256_ps, _mm256_cvtepi32_ps, _mm256_fmadd_ps,
    _mm256_i32gather_epi32, _mm256_insertf128_ps, _mm256_inserti128_si256, _mm256_madd_epi16,
    _mm256_permute_ps, _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_shuffle_epi8,
    _mm256_shuffle_epi32, _mm256_slli_epi32, _mm256_storeu_si256, _mm256_sub_ps,
    _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
};

use fearless_simd::{Avx2, f32x8, f32x16, i32x8, i32x16, kernel, prelude::*};

use super::{clamped, records_inside};
use crate::array::map;
use crate::each;
use crate::isa::Isa;
use crate::lanes::BILINEAR_BIAS;

impl Isa for Avx2 {
    #[inline(always)]
    fn gather_4(self, table: &[u32], index: i32x16<Self>) -> [i32x16<Self>; 4] {
        kernel!(
            #[inline(always)]
            fn gather_4x8(avx2: Avx2, table: *const u32, index: __m256i) -> [__m256i; 4] {
                let mut first = [0_u32; 8];
                // SAFETY: the array holds eight integers; the caller clamped the indices so that four elements from each lie in
                // the table behind the pointer.
                unsafe {
                    _mm256_storeu_si256(first.as_mut_ptr().cast(), index);
                    // Volatile, lest the compiler takes the array apart: an index out of a register costs two operations, and out of
                    // memory one.
                    let at = |lane: usize| {
                        let index = first.as_ptr().add(lane).read_volatile();
                        _mm_loadu_si128(table.add(index as usize).cast())
                    };
                    each!(4, k => {
                        _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(k)), at(k + 4))
                    })
                }
            }
        );
        let Some(index) = clamped(self, table, 4, index) else {
            return [i32x16::splat(self, 0); 4];
        };
        let (low, high) = index.split();
        let low = gather_4x8(self, table.as_ptr(), low.into());
        let high = gather_4x8(self, table.as_ptr(), high.into());
        both_halves(self, low, high)
    }

    #[inline(always)]
    fn bilinear(
        self,
        table: &[u32],
        first: i32x16<Self>,
        stride: i32,
        (weights, y): (i32x16<Self>, f32x16<Self>),
    ) -> Option<[f32x16<Self>; 4]> {
        kernel!(
            #[inline(always)]
            fn bilinear_8(
                avx2: Avx2,
                table: *const u32,
                below: usize,
                index: __m256i,
                weights: __m256i,
                y: __m256,
            ) -> [__m256i; 4] {
                let mut first = [0_u32; 8];
                // SAFETY: the array holds eight integers.
                unsafe { _mm256_storeu_si256(first.as_mut_ptr().cast(), index) };
                // Left and right numbers of each channel side by side.
                let pairs = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
                let pairs = _mm256_broadcastsi128_si256(pairs);
                let bias = _mm256_set1_epi32(BILINEAR_BIAS);
                // Channels of every fourth lane, from number `$k` on: one in each 128 bits.
                macro_rules! every_fourth {
                    ($k:literal, $lane:literal) => {{
                        let weights = _mm256_shuffle_epi32::<$lane>(weights);
                        // SAFETY: the array has eight elements. Volatile, for the reason that `gather_4` gives.
                        let starts = each!(2, part => unsafe {
                            first.as_ptr().add($k + 4 * part).read_volatile() as usize
                        });
                        let [above, below] = each!(2, row => {
                            // SAFETY: the caller made sure that four words from each of these lie in the table, and four from each that
                            // is so far below.
                            let records = unsafe {
                                let at = |part: usize| {
                                    _mm_loadu_si128(table.add(starts[part] + row * below).cast())
                                };
                                _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(0)), at(1))
                            };
                            let numbers = _mm256_shuffle_epi8(records, pairs);
                            let sums = _mm256_madd_epi16(numbers, weights);
                            _mm256_cvtepi32_ps(_mm256_add_epi32(sums, bias))
                        });
                        let y = _mm256_permute_ps::<$lane>(y);
                        let mixed = _mm256_fmadd_ps(_mm256_sub_ps(below, above), y, above);
                        _mm256_castps_si256(mixed)
                    }};
                }
                let a = every_fourth!(0, 0b00_00_00_00);
                let b = every_fourth!(1, 0b01_01_01_01);
                let c = every_fourth!(2, 0b10_10_10_10);
                let d = every_fourth!(3, 0b11_11_11_11);
                [a, b, c, d]
            }
        );
        let (index, below) = records_inside(self, table, first, stride)?;
        let ((index, index_high), (weights, weights_high), (y, y_high)) =
            (index.split(), weights.split(), y.split());
        let table = table.as_ptr();
        let low = bilinear_8(self, table, below, index.into(), weights.into(), y.into());
        let (index, weights, y) = (index_high.into(), weights_high.into(), y_high.into());
        let high = bilinear_8(self, table, below, index, weights, y);
        let mixed = both_halves(self, low, high);
        Some(map(
            mixed,
            #[inline(always)]
            |channel| channel.bitcast(),
        ))
    }

    #[inline(always)]
    fn dot_halves(self, a: i32x16<Self>, b: i32x16<Self>) -> i32x16<Self> {
        kernel!(
            #[inline(always)]
            fn dot_8(avx2: Avx2, a: __m256i, b: __m256i) -> __m256i {
                _mm256_madd_epi16(a, b)
            }
        );
        let ((a, c), (b, d)) = (a.split(), b.split());
        let low: i32x8<Self> = dot_8(self, a.into(), b.into()).simd_into(self);
        let high: i32x8<Self> = dot_8(self, c.into(), d.into()).simd_into(self);
        low.combine(high)
    }

    #[inline(always)]
    fn lookup(self, table: &[i32; 16], index: i32x16<Self>) -> i32x16<Self> {
        kernel!(
            #[inline(always)]
            fn lookup_8(avx2: Avx2, low: __m256i, high: __m256i, index: __m256i) -> __m256i {
                let both = [
                    _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, index)),
                    _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, index)),
                ];
                // Bit 3 of the index, as the sign that chooses.
                let sign = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(index));
                _mm256_castps_si256(_mm256_blendv_ps(both[0], both[1], sign))
            }
        );
        let (low, high) = i32x16::from_slice(self, table).split();
        let (first, second) = index.split();
        let [first, second]: [i32x8<Self>; 2] = [
            lookup_8(self, low.into(), high.into(), first.into()).simd_into(self),
            lookup_8(self, low.into(), high.into(), second.into()).simd_into(self),
        ];
        first.combine(second)
    }

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
    fn opaque(self, a: f32x16<Self>) -> f32x16<Self> {
        kernel!(
            #[inline(always)]
            fn opaque_8(avx2: Avx2, a: __m256) -> __m256 {
                let mut a = a;
                // SAFETY: no instruction, and the register that it names holds `a` before and after.
                unsafe {
                    asm!("/* {0} */", inout(ymm_reg) a, options(pure, nomem, nostack, preserves_flags))
                };
                a
            }
        );
        by_halves(self, a, opaque_8)
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

/// Rows of four numbers, of every fourth lane each, to columns: one number of each lane.
#[inline(always)]
fn by_lane(simd: Avx2, rows: [__m256i; 4]) -> [__m256i; 4] {
    kernel!(
        #[inline(always)]
        fn by_lane_8(avx2: Avx2, rows: [__m256i; 4]) -> [__m256i; 4] {
            let [a, b, c, d] = rows;
            let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
            let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
            [
                _mm256_unpacklo_epi64(ab, cd),
                _mm256_unpackhi_epi64(ab, cd),
                _mm256_unpacklo_epi64(ab_high, cd_high),
                _mm256_unpackhi_epi64(ab_high, cd_high),
            ]
        }
    );
    by_lane_8(simd, rows)
}

/// Rows of the first eight lanes and of the others, as [`by_lane`] takes them, to columns of all.
#[inline(always)]
fn both_halves(simd: Avx2, low: [__m256i; 4], high: [__m256i; 4]) -> [i32x16<Avx2>; 4] {
    let (low, high) = (by_lane(simd, low), by_lane(simd, high));
    each!(4, k => {
        let (low, high): (i32x8<Avx2>, i32x8<Avx2>) =
            (low[k].simd_into(simd), high[k].simd_into(simd));
        low.combine(high)
    })
}
