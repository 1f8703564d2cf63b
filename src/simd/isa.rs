//! Operations that an instruction set adds to `fearless_simd` for [`super::Wide`]: a gather and permutations within 128-bit
//! blocks.
//!
//! The defaults are written with portable operations; AVX2 and AVX-512 have instructions for them. A block of four lanes
//! is one quad: lanes 0 1 above lanes 2 3.

use super::array::map;
use super::block::BlockSamples;
use super::each;
use fearless_simd::{Simd, f32x4, f32x8, f32x16, i32x16, mask32x16, prelude::*};

/// A `fearless_simd` level that the lanes are built on.
pub trait Isa: Simd {
    /// `a`, of which the compiler must not know where it was read from: else it makes a masked store of a selection that
    /// goes back there, which AMD's processors run as microcode where a set has no registers of masks.
    #[inline(always)]
    fn opaque(self, a: f32x16<Self>) -> f32x16<Self> {
        a
    }

    /// Implements [`super::Lanes::gather_4`] for this set.
    #[inline(always)]
    fn gather_4(self, table: &[u32], index: i32x16<Self>) -> [i32x16<Self>; 4] {
        let Some(last) = table.len().checked_sub(4) else {
            return [i32x16::splat(self, 0); 4];
        };
        let index: [i32; 16] = index.into();
        let first = map(
            index,
            #[inline(always)]
            |i| (i.cast_unsigned() as usize).min(last),
        );
        each!(4, k => {
            map(
                first,
                #[inline(always)]
                |first| table[first + k].cast_signed(),
            )
            .simd_into(self)
        })
    }

    /// [`super::Lanes::bilinear`] with the weights of both records of a row as halves, record by record; `None` where the
    /// instruction set has no use for that, or where records lie outside of the table.
    #[inline(always)]
    fn bilinear(
        self,
        table: &[u32],
        first: i32x16<Self>,
        stride: i32,
        (weights, y): (i32x16<Self>, f32x16<Self>),
    ) -> Option<[f32x16<Self>; 4]> {
        let _ = (table, first, stride, weights, y);
        None
    }

    /// Whether [`Isa::bilinear_block`] gives something. It needs halves to be permuted all over a register, which AVX-512
    /// alone has.
    const SHARES_WINDOWS: bool = false;

    /// See [`super::Lanes::bilinear_block`]; `None` where each lane has to read by itself.
    #[inline(always)]
    fn bilinear_block(self, block: &BlockSamples<'_>) -> Option<[f32x16<Self>; 4]> {
        let _ = block;
        None
    }

    /// Implements [`super::Lanes::dot_halves`] for this set.
    #[inline(always)]
    fn dot_halves(self, a: i32x16<Self>, b: i32x16<Self>) -> i32x16<Self> {
        let high = (a >> 16) * (b >> 16);
        ((a << 16) >> 16) * ((b << 16) >> 16) + high
    }

    /// Implements [`super::Lanes::lookup`] for this set.
    #[inline(always)]
    fn lookup(self, table: &[i32; 16], index: i32x16<Self>) -> i32x16<Self> {
        let index: [i32; 16] = index.into();
        map(
            index,
            #[inline(always)]
            |i| table[(i & 15) as usize],
        )
        .simd_into(self)
    }

    /// `table[index]` by lane, indices clamped to the table as unsigned numbers.
    #[inline(always)]
    fn gather(self, table: &[u32], index: i32x16<Self>) -> i32x16<Self> {
        let index: [i32; 16] = index.into();
        let last = table.len().saturating_sub(1);
        map(
            index,
            #[inline(always)]
            |i| {
                let clamped = (i.cast_unsigned() as usize).min(last);
                table.get(clamped).map_or(0, |value| value.cast_signed())
            },
        )
        .simd_into(self)
    }

    /// `a` where it is smaller, else `b`.
    #[inline(always)]
    fn min_lanes(self, a: f32x16<Self>, b: f32x16<Self>) -> f32x16<Self> {
        a.simd_lt(b).select(a, b)
    }

    /// `a` where it is larger, else `b`.
    #[inline(always)]
    fn max_lanes(self, a: f32x16<Self>, b: f32x16<Self>) -> f32x16<Self> {
        b.simd_lt(a).select(a, b)
    }

    /// Right minus left in both lanes of a row.
    #[inline(always)]
    fn ddx(self, a: f32x16<Self>) -> f32x16<Self> {
        let at_left = self.slide_within_blocks_f32x16::<1>(a, a) - a;
        let at_right = self.slide_within_blocks_f32x16::<3>(at_left, at_left);
        mask32x16::from_bitmask(self, 0x5555).select(at_left, at_right)
    }

    /// Vertical difference: below minus above in both lanes of a column.
    #[inline(always)]
    fn ddy(self, a: f32x16<Self>) -> f32x16<Self> {
        let above = self.slide_within_blocks_f32x16::<2>(a, a) - a;
        let below = self.slide_within_blocks_f32x16::<2>(above, above);
        mask32x16::from_bitmask(self, 0x3333).select(above, below)
    }

    /// Lane 0 of the quad in all its lanes.
    #[inline(always)]
    fn quad_first(self, a: f32x16<Self>) -> f32x16<Self> {
        let a: [f32; 16] = a.into();
        self.by_quad([a[0], a[4], a[8], a[12]])
    }

    /// Result `k` holds in every lane number `k` of the row of its quad.
    #[inline(always)]
    fn quad_columns(self, rows: [&[f32; 4]; 4]) -> [f32x16<Self>; 4] {
        each!(4, k => {
            self.by_quad(map(
                rows,
                #[inline(always)]
                |row| row[k],
            ))
        })
    }

    /// One number a quad.
    #[inline(always)]
    fn by_quad(self, values: [f32; 4]) -> f32x16<Self> {
        joined(map(
            values,
            #[inline(always)]
            |value| f32x4::splat(self, value),
        ))
    }

    /// Implements [`super::Lanes::quad_rows`] for this set.
    #[inline(always)]
    fn quad_rows(self, rows: [&[f32; 4]; 4]) -> f32x16<Self> {
        joined(map(
            rows,
            #[inline(always)]
            |row| f32x4::from_slice(self, row),
        ))
    }
}

/// Quads in the order of their lanes.
#[inline(always)]
fn joined<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> f32x16<S> {
    let (low, high): (f32x8<S>, f32x8<S>) = (a.combine(b), c.combine(d));
    low.combine(high)
}

#[cfg(target_arch = "aarch64")]
impl Isa for fearless_simd::Neon {}
