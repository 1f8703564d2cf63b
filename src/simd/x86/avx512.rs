//! AVX-512 (the Ice Lake set): one register holds all lanes.

use std::arch::x86_64::{
    __m512, __m512i, _mm_loadu_ps, _mm_loadu_si128, _mm_setr_epi8, _mm256_loadu_si256,
    _mm512_broadcast_i32x4, _mm512_castpd_ps, _mm512_castps_pd, _mm512_castps_si512,
    _mm512_castps128_ps512, _mm512_castsi128_si512, _mm512_castsi256_si512, _mm512_cvtepi32_ps,
    _mm512_dpwssd_epi32, _mm512_fmadd_ps, _mm512_i32gather_epi32, _mm512_insertf32x4,
    _mm512_inserti32x4, _mm512_inserti64x4, _mm512_madd_epi16, _mm512_permute_ps,
    _mm512_permutexvar_epi16, _mm512_permutexvar_epi32, _mm512_set1_epi32, _mm512_set1_ps,
    _mm512_shuffle_epi8, _mm512_shuffle_epi32, _mm512_shuffle_f32x4, _mm512_storeu_si512,
    _mm512_sub_ps, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpackhi_pd,
    _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_unpacklo_pd,
};

use fearless_simd::{Avx512, f32x16, i32x16, kernel, prelude::*};

use super::{clamped, records_inside};
use crate::array::map;
use crate::block::{BlockSamples, ROWS};
use crate::each;
use crate::isa::Isa;
use crate::lanes::BILINEAR_BIAS;

impl Isa for Avx512 {
    const SHARES_WINDOWS: bool = true;

    #[inline(always)]
    fn gather_4(self, table: &[u32], index: i32x16<Self>) -> [i32x16<Self>; 4] {
        kernel!(
            #[inline(always)]
            fn gather_4x16(avx512: Avx512, table: *const u32, index: __m512i) -> [__m512i; 4] {
                let mut first = [0_u32; 16];
                // SAFETY: the array holds sixteen integers; the caller clamped the indices so that four elements from each
                // lie in the table behind the pointer.
                unsafe {
                    _mm512_storeu_si512(first.as_mut_ptr().cast(), index);
                    // Volatile, lest the compiler takes the array apart: an index out of a register costs two operations,
                    // and out of memory one.
                    let at = |lane: usize| {
                        let index = first.as_ptr().add(lane).read_volatile();
                        _mm_loadu_si128(table.add(index as usize).cast())
                    };
                    each!(4, k => {
                        let row = _mm512_castsi128_si512(at(k));
                        let row = _mm512_inserti32x4::<1>(row, at(k + 4));
                        let row = _mm512_inserti32x4::<2>(row, at(k + 8));
                        _mm512_inserti32x4::<3>(row, at(k + 12))
                    })
                }
            }
        );
        match clamped(self, table, 4, index) {
            Some(index) => {
                let rows = gather_4x16(self, table.as_ptr(), index.into());
                from_registers(self, by_lane(self, rows))
            }
            None => [i32x16::splat(self, 0); 4],
        }
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
            fn bilinear_16(
                avx512: Avx512,
                table: *const u32,
                below: usize,
                index: __m512i,
                weights: __m512i,
                y: __m512,
            ) -> [__m512i; 4] {
                let mut first = [0_u32; 16];
                // SAFETY: the array holds sixteen integers.
                unsafe { _mm512_storeu_si512(first.as_mut_ptr().cast(), index) };
                // Left and right numbers of each channel side by side.
                let pairs = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
                let pairs = _mm512_broadcast_i32x4(pairs);
                let bias = _mm512_set1_epi32(BILINEAR_BIAS);
                // Channels of every fourth lane, from number `$k` on: one in each 128 bits.
                macro_rules! every_fourth {
                    ($k:literal, $lane:literal) => {{
                        let weights = _mm512_shuffle_epi32::<$lane>(weights);
                        // SAFETY: the array has sixteen elements. Volatile, for the reason that `gather_4` gives.
                        let starts = each!(4, part => unsafe {
                            first.as_ptr().add($k + 4 * part).read_volatile() as usize
                        });
                        let [above, below] = each!(2, row => {
                            // SAFETY: the caller made sure that four words from each of these lie in the table, and four
                            // from each that is so far below.
                            let records = unsafe {
                                let at = |part: usize| {
                                    _mm_loadu_si128(table.add(starts[part] + row * below).cast())
                                };
                                let records = _mm512_castsi128_si512(at(0));
                                let records = _mm512_inserti32x4::<1>(records, at(1));
                                let records = _mm512_inserti32x4::<2>(records, at(2));
                                _mm512_inserti32x4::<3>(records, at(3))
                            };
                            let numbers = _mm512_shuffle_epi8(records, pairs);
                            _mm512_cvtepi32_ps(_mm512_dpwssd_epi32(bias, numbers, weights))
                        });
                        let y = _mm512_permute_ps::<$lane>(y);
                        let mixed = _mm512_fmadd_ps(_mm512_sub_ps(below, above), y, above);
                        _mm512_castps_si512(mixed)
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
        let (weights, y) = (weights.into(), y.into());
        let rows = bilinear_16(self, table.as_ptr(), below, index.into(), weights, y);
        let mixed: [i32x16<Self>; 4] = from_registers(self, by_lane(self, rows));
        Some(map(
            mixed,
            #[inline(always)]
            |channel| channel.bitcast(),
        ))
    }

    #[inline(always)]
    fn bilinear_block(self, block: &BlockSamples<'_>) -> Option<[f32x16<Self>; 4]> {
        kernel!(
            #[inline(always)]
            fn bilinear_rows(
                avx512: Avx512,
                windows: [[*const u32; 2]; 4],
                below: usize,
                taps: __m512i,
                weights: __m512i,
                y: [f32; 4],
            ) -> [__m512; 4] {
                // A row of records, mixed along it.
                let mixed = |[a, b]: [*const u32; 2]| {
                    // SAFETY: the caller made sure that the table holds eight words from each.
                    let (a, b) =
                        unsafe { (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast())) };
                    let records = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b);
                    let pairs = _mm512_permutexvar_epi16(taps, records);
                    let sum = _mm512_dpwssd_epi32(_mm512_set1_epi32(BILINEAR_BIAS), pairs, weights);
                    _mm512_cvtepi32_ps(sum)
                };
                each!(4, row => {
                    let y = _mm512_set1_ps(y[row]);
                    let [a, b] = windows[row];
                    let above = mixed([a, b]);
                    let below = mixed([a.wrapping_add(below), b.wrapping_add(below)]);
                    _mm512_fmadd_ps(_mm512_sub_ps(below, above), y, above)
                })
            }
        );
        let BlockSamples {
            table,
            stride,
            across,
            down,
        } = *block;
        let windows = (across.windows.as_ref()).filter(
            #[inline(always)]
            |windows| windows.lie_in(block),
        )?;
        let pointers = each!(4, row => each!(2, window => {
            let record = windows.starts[window] + down.first[ROWS[row]];
            table.as_ptr().wrapping_add(2 * record as usize)
        }));
        let load = |numbers| i32x16::from_slice(self, numbers).into();
        let rows = bilinear_rows(
            self,
            pointers,
            2 * stride as usize,
            load(&windows.taps),
            load(&windows.weights),
            each!(4, row => down.y[ROWS[row]]),
        );
        let mixed = by_channel(self, rows);
        Some(each!(4, channel => mixed[channel].simd_into(self)))
    }

    #[inline(always)]
    fn dot_halves(self, a: i32x16<Self>, b: i32x16<Self>) -> i32x16<Self> {
        kernel!(
            #[inline(always)]
            fn dot_16(avx512: Avx512, a: __m512i, b: __m512i) -> __m512i {
                _mm512_madd_epi16(a, b)
            }
        );
        dot_16(self, a.into(), b.into()).simd_into(self)
    }

    #[inline(always)]
    fn lookup(self, table: &[i32; 16], index: i32x16<Self>) -> i32x16<Self> {
        kernel!(
            #[inline(always)]
            fn lookup_16(avx512: Avx512, table: __m512i, index: __m512i) -> __m512i {
                _mm512_permutexvar_epi32(index, table)
            }
        );
        let table = i32x16::from_slice(self, table);
        lookup_16(self, table.into(), index.into()).simd_into(self)
    }

    min_max_in_one_instruction!();

    #[inline(always)]
    fn gather(self, table: &[u32], index: i32x16<Self>) -> i32x16<Self> {
        kernel!(
            #[inline(always)]
            fn gather_16(avx512: Avx512, table: *const i32, index: __m512i) -> __m512i {
                // SAFETY: the caller clamped every index to the table behind the pointer.
                unsafe { _mm512_i32gather_epi32::<4>(index, table) }
            }
        );
        match clamped(self, table, 1, index) {
            Some(index) => gather_16(self, table.as_ptr().cast(), index.into()).simd_into(self),
            None => i32x16::splat(self, 0),
        }
    }

    #[inline(always)]
    fn ddx(self, a: f32x16<Self>) -> f32x16<Self> {
        kernel!(
            #[inline(always)]
            fn ddx_16(avx512: Avx512, a: __m512) -> __m512 {
                _mm512_sub_ps(
                    _mm512_permute_ps::<0b11_11_01_01>(a),
                    _mm512_permute_ps::<0b10_10_00_00>(a),
                )
            }
        );
        ddx_16(self, a.into()).simd_into(self)
    }

    #[inline(always)]
    fn ddy(self, a: f32x16<Self>) -> f32x16<Self> {
        kernel!(
            #[inline(always)]
            fn ddy_16(avx512: Avx512, a: __m512) -> __m512 {
                _mm512_sub_ps(
                    _mm512_permute_ps::<0b11_10_11_10>(a),
                    _mm512_permute_ps::<0b01_00_01_00>(a),
                )
            }
        );
        ddy_16(self, a.into()).simd_into(self)
    }

    #[inline(always)]
    fn quad_first(self, a: f32x16<Self>) -> f32x16<Self> {
        kernel!(
            #[inline(always)]
            fn first_16(avx512: Avx512, a: __m512) -> __m512 {
                _mm512_permute_ps::<0>(a)
            }
        );
        first_16(self, a.into()).simd_into(self)
    }

    #[inline(always)]
    fn quad_columns(self, rows: [&[f32; 4]; 4]) -> [f32x16<Self>; 4] {
        kernel!(
            #[inline(always)]
            fn columns_16(avx512: Avx512, rows: [&[f32; 4]; 4]) -> [__m512; 4] {
                // SAFETY: each pointer is to four floats.
                let [a, b, c, d] = map(
                    rows,
                    #[inline(always)]
                    |row| unsafe { _mm_loadu_ps(row.as_ptr()) },
                );
                let all = _mm512_insertf32x4::<1>(_mm512_castps128_ps512(a), b);
                let all = _mm512_insertf32x4::<3>(_mm512_insertf32x4::<2>(all, c), d);
                [
                    _mm512_permute_ps::<0b00_00_00_00>(all),
                    _mm512_permute_ps::<0b01_01_01_01>(all),
                    _mm512_permute_ps::<0b10_10_10_10>(all),
                    _mm512_permute_ps::<0b11_11_11_11>(all),
                ]
            }
        );
        map(
            columns_16(self, rows),
            #[inline(always)]
            |column| column.simd_into(self),
        )
    }
}

#[inline(always)]
fn from_registers<const N: usize>(simd: Avx512, registers: [__m512i; N]) -> [i32x16<Avx512>; N] {
    map(
        registers,
        #[inline(always)]
        |register| register.simd_into(simd),
    )
}

/// Transposes rows of a block, which hold four pixels of each channel in turn, to the channels in the order of lanes.
#[inline(always)]
fn by_channel(simd: Avx512, rows: [__m512; 4]) -> [__m512; 4] {
    kernel!(
        #[inline(always)]
        fn by_channel_16(avx512: Avx512, rows: [__m512; 4]) -> [__m512; 4] {
            let rows = each!(4, row => _mm512_castps_pd(rows[row]));
            // Pairs of rows to quads, then the quads of each channel.
            let [a, b] = [
                _mm512_castpd_ps(_mm512_unpacklo_pd(rows[0], rows[1])),
                _mm512_castpd_ps(_mm512_unpackhi_pd(rows[0], rows[1])),
            ];
            let [c, d] = [
                _mm512_castpd_ps(_mm512_unpacklo_pd(rows[2], rows[3])),
                _mm512_castpd_ps(_mm512_unpackhi_pd(rows[2], rows[3])),
            ];
            let (ab, cd) = (
                _mm512_shuffle_f32x4::<0b01_00_01_00>(a, b),
                _mm512_shuffle_f32x4::<0b01_00_01_00>(c, d),
            );
            let (ab_high, cd_high) = (
                _mm512_shuffle_f32x4::<0b11_10_11_10>(a, b),
                _mm512_shuffle_f32x4::<0b11_10_11_10>(c, d),
            );
            [
                _mm512_shuffle_f32x4::<0b10_00_10_00>(ab, cd),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(ab, cd),
                _mm512_shuffle_f32x4::<0b10_00_10_00>(ab_high, cd_high),
                _mm512_shuffle_f32x4::<0b11_01_11_01>(ab_high, cd_high),
            ]
        }
    );
    by_channel_16(simd, rows)
}

/// Rows of four numbers, of every fourth lane each, to columns: one number of each lane.
#[inline(always)]
fn by_lane(simd: Avx512, rows: [__m512i; 4]) -> [__m512i; 4] {
    kernel!(
        #[inline(always)]
        fn by_lane_16(avx512: Avx512, rows: [__m512i; 4]) -> [__m512i; 4] {
            let [a, b, c, d] = rows;
            let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
            let (ab_high, cd_high) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
            [
                _mm512_unpacklo_epi64(ab, cd),
                _mm512_unpackhi_epi64(ab, cd),
                _mm512_unpacklo_epi64(ab_high, cd_high),
                _mm512_unpackhi_epi64(ab_high, cd_high),
            ]
        }
    );
    by_lane_16(simd, rows)
}
