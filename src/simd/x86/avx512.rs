//! AVX-512 (the Ice Lake set): one register holds all lanes.

use std::arch::x86_64::{
    __m512, __m512i, _mm_loadu_ps, _mm_loadu_si128, _mm_setr_epi32, _mm256_loadu_si256,
    _mm512_add_epi32, _mm512_broadcast_i32x4, _mm512_castpd_ps, _mm512_castps_pd,
    _mm512_castps128_ps512, _mm512_castsi128_si512, _mm512_cmpgt_epi32_mask, _mm512_cvtepi32_ps,
    _mm512_cvtepu16_epi32, _mm512_fmadd_ps, _mm512_i32gather_epi32, _mm512_insertf32x4,
    _mm512_inserti32x4, _mm512_mask_sub_epi32, _mm512_permute_ps, _mm512_permutex2var_ps,
    _mm512_permutexvar_epi32, _mm512_permutexvar_ps, _mm512_set1_epi32, _mm512_setr_epi32,
    _mm512_shuffle_f32x4, _mm512_slli_epi32, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_ps,
    _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpackhi_pd, _mm512_unpacklo_epi32,
    _mm512_unpacklo_epi64, _mm512_unpacklo_pd,
};

use fearless_simd::{Avx512, f32x16, i32x16, kernel, prelude::*};

use super::clamped;
use crate::simd::array::map;
use crate::simd::each;
use crate::simd::isa::Isa;

impl Isa for Avx512 {
    #[inline(always)]
    fn gather_4(self, table: &[u32], index: i32x16<Self>) -> [i32x16<Self>; 4] {
        kernel!(
            #[inline(always)]
            fn gather_4x16(avx512: Avx512, table: *const u32, index: __m512i) -> [__m512i; 4] {
                let mut first = [0_u32; 16];
                // SAFETY: the array holds sixteen integers; the caller clamped the indices so that four elements from each
                // lie in the table behind the pointer.
                let [a, b, c, d] = unsafe {
                    _mm512_storeu_si512(first.as_mut_ptr().cast(), index);
                    // Volatile, lest the compiler takes the array apart: an index out of a register costs two operations, and out of
                    // memory one.
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
                };
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
        match clamped(self, table, 4, index) {
            Some(index) => from_registers(self, gather_4x16(self, table.as_ptr(), index.into())),
            None => [i32x16::splat(self, 0); 4],
        }
    }

    #[inline(always)]
    fn bilinear_block(
        self,
        table: &[u32],
        first: i32x16<Self>,
        stride: i32,
        [x, y]: [f32x16<Self>; 2],
    ) -> Option<[f32x16<Self>; 4]> {
        kernel!(
            #[inline(always)]
            fn bilinear_16(
                avx512: Avx512,
                windows: [[*const u32; 2]; 4],
                below: usize,
                taps: [__m512i; 2],
                weights: [__m512; 2],
            ) -> [__m512; 4] {
                let four = |at: *const u32| {
                    // SAFETY: the caller made sure that the table holds eight words from here.
                    let words = unsafe { _mm256_loadu_si256(at.cast()) };
                    _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(words))
                };
                let [x, y] = weights;
                let x =
                    _mm512_permutexvar_ps(_mm512_broadcast_i32x4(_mm_setr_epi32(0, 1, 4, 5)), x);
                let rows = each!(4, row => {
                    const FIRST: [i32; 4] = [0, 2, 8, 10];
                    let y = _mm512_permutexvar_ps(_mm512_set1_epi32(FIRST[row]), y);
                    let mixed = each!(2, half => {
                        let at = windows[row][half];
                        let above = four(at);
                        let below = four(at.wrapping_add(below));
                        _mm512_fmadd_ps(_mm512_sub_ps(below, above), y, above)
                    });
                    let left = _mm512_permutex2var_ps(mixed[0], taps[0], mixed[1]);
                    let right = _mm512_permutex2var_ps(mixed[0], taps[1], mixed[1]);
                    _mm512_castps_pd(_mm512_fmadd_ps(_mm512_sub_ps(right, left), x, left))
                });
                // A row holds four pixels of each channel in turn: first pairs of rows to quads, then the quads of each channel.
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
        let windows = Windows::of(first.into(), table.len(), stride)?;
        let mixed = bilinear_16(
            self,
            windows.pointers(table),
            windows.below,
            windows.taps(self, first),
            [x.into(), y.into()],
        );
        Some(each!(4, channel => mixed[channel].simd_into(self)))
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

/// Records that a window holds.
const WINDOW: i32 = 4;

/// The records that a block filters ([`Isa::bilinear_block`]): in each row of pixels, two windows of them hold those of all columns, and
/// as many lie a row of records below.
#[derive(Debug, Clone, Copy)]
struct Windows {
    /// First records of both, in the first row of pixels.
    starts: [i32; 2],
    /// From the first row of pixels to each.
    rows: [i32; 4],
    /// Words to the records below.
    below: usize,
}

impl Windows {
    /// For the left upper records of a block's lanes in a table of so many words; `None` if they do not fit, or the table does not hold
    /// all of the windows.
    #[inline(always)]
    fn of(first: [i32; 16], n_words: usize, stride: i32) -> Option<Self> {
        let [a, b, c, d] = [first[0], first[1], first[4], first[5]];
        let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
        let in_a_row = i64::from(high) - i64::from(low) < i64::from(2 * WINDOW - 1);
        // Else some columns lie before a gap, and the others behind it.
        let second = if in_a_row {
            low.wrapping_add(WINDOW)
        } else {
            high.wrapping_sub(WINDOW - 2)
        };
        let held = |column: i32| column < low.wrapping_add(WINDOW - 1) || column >= second;
        if !(in_a_row || held(a) && held(b) && held(c) && held(d)) {
            return None;
        }
        let [e, f, g] = [
            first[2].wrapping_sub(first[0]),
            first[8].wrapping_sub(first[0]),
            first[10].wrapping_sub(first[0]),
        ];
        let lowest = i64::from(low) + i64::from(e.min(f).min(g.min(0)));
        let highest = i64::from(second) + i64::from(e.max(f).max(g.max(0))) + i64::from(stride);
        let below = 2 * usize::try_from(stride).ok()?;
        let n_records = (n_words / 2) as i64;
        let inside = second > low && lowest >= 0 && highest + i64::from(WINDOW) <= n_records;
        inside.then_some(Self {
            starts: [low, second],
            rows: [0, e, f, g],
            below,
        })
    }

    /// Where the windows begin, by row.
    #[inline(always)]
    fn pointers(&self, table: &[u32]) -> [[*const u32; 2]; 4] {
        each!(4, row => each!(2, window => {
            let record = self.starts[window] + self.rows[row];
            table.as_ptr().wrapping_add(2 * record as usize)
        }))
    }

    /// Places of the left and the right numbers in the windows, by channel and column.
    #[inline(always)]
    fn taps(&self, simd: Avx512, first: i32x16<Avx512>) -> [__m512i; 2] {
        kernel!(
            #[inline(always)]
            fn places(avx512: Avx512, first: __m512i, low: i32, gap: i32) -> [__m512i; 2] {
                let columns = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 1, 4, 5));
                let at = _mm512_sub_epi32(
                    _mm512_permutexvar_epi32(columns, first),
                    _mm512_set1_epi32(low),
                );
                let behind = _mm512_cmpgt_epi32_mask(at, _mm512_set1_epi32(WINDOW - 2));
                let at = _mm512_mask_sub_epi32(at, behind, at, _mm512_set1_epi32(gap));
                let channels = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
                let left = _mm512_add_epi32(_mm512_slli_epi32::<2>(at), channels);
                [left, _mm512_add_epi32(left, _mm512_set1_epi32(4))]
            }
        );
        let [low, second] = self.starts;
        places(simd, first.into(), low, second - low - WINDOW)
    }
}
