//! The lane interface that shader programs and the rasteriser are written against.
//!
//! Sixteen lanes = four quads; lane `4 q + 2 y + x` is pixel (x, y) of quad `q`. One source, several lane types:
//! SIMD registers that make pixels, an array of scalars that tests compare with, and a recorder that writes the
//! instruction list down.

use super::block::{Across, BlockSamples, Down};
use super::each;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

/// Lanes that run together: four quads of 2x2 pixels.
pub const LANES: usize = 16;

/// How much larger than its records the result of [`Lanes::bilinear`] is: weights are so many parts.
pub const BILINEAR_SCALE: i32 = 32_767;

/// Bias of stored records, times the sum of their weights.
pub(super) const BILINEAR_BIAS: i32 = 32_768 * BILINEAR_SCALE;

/// The weights of two neighbours, the second's from 0 to 1, as halves for [`Lanes::dot_halves`].
#[inline(always)]
pub(super) fn pair_weights<L: Lanes>(l: L, second: L::F) -> L::I {
    let parts = l.to_int(l.mul_add(second, l.f(BILINEAR_SCALE as f32), l.f(0.5)));
    (l.i(BILINEAR_SCALE) - parts) | l.shl::<16>(parts)
}

/// [`Lanes::bilinear`] with the weights of both records of a row as halves.
#[inline(always)]
pub(super) fn bilinear_of<L: Lanes>(
    l: L,
    table: &[u32],
    first: L::I,
    stride: i32,
    (weights, y): (L::I, L::F),
) -> [L::F; 4] {
    let rows = [
        l.gather_4(table, l.shl::<1>(first)),
        l.gather_4(table, l.shl::<1>(first + l.i(stride))),
    ];
    let (low, high) = (l.i(0xffff), l.i(!0xffff));
    each!(4, channel => {
        let [above, below] = each!(2, row => {
            let [left, right] = [rows[row][channel / 2], rows[row][channel / 2 + 2]];
            let pair = if channel.is_multiple_of(2) {
                (left & low) | l.shl::<16>(right)
            } else {
                l.shr::<16>(left) | (right & high)
            };
            l.to_float(l.dot_halves(pair, weights) + l.i(BILINEAR_BIAS))
        });
        l.mul_add(below - above, y, above)
    })
}

/// [`Lanes::across`]; `shares`: whether [`Lanes::bilinear_block`] has a use for windows.
#[inline(always)]
pub(super) fn across<L: Lanes>(l: L, first: L::I, x: L::F, shares: bool) -> Across {
    let (mut numbers, mut weights) = ([0; LANES], [0; LANES]);
    l.store_i(first, &mut numbers);
    l.store_i(pair_weights(l, x), &mut weights);
    Across::new(numbers, weights, shares)
}

/// [`Lanes::bilinear_block`], each lane by itself.
#[inline(always)]
pub(super) fn mixed_by_lane<L: Lanes>(l: L, block: &BlockSamples<'_>) -> [L::F; 4] {
    let BlockSamples {
        table,
        stride,
        across,
        down,
    } = *block;
    let first = l.load_i(&across.first) + l.load_i(&down.first);
    let weights = l.load_i(&across.weights);
    bilinear_of(l, table, first, stride, (weights, l.load(&down.y)))
}

/// The quads with at least one of these lanes or pixels, which go quad by quad: bit 4 q for quad q.
#[must_use]
pub const fn quads(lanes: u32) -> u32 {
    let pairs = lanes | (lanes >> 1);
    (pairs | (pairs >> 2)) & 0x1111
}

/// Arithmetic on [`LANES`] values at once.
///
/// Every implementation gives the same bits: IEEE 754 single precision, fused only in [`Lanes::mul_add`], exact division
/// and square root. `min` and `max` are `if a < b { a } else { b }` and `if a > b { a } else { b }`: the second operand
/// where either is NaN or both are zeros.
pub trait Lanes: Copy {
    /// Table reads are logged. Programs may use it to read less where they are not, never to change a result.
    const WATCHED: bool = false;
    /// Operations compute something; otherwise they are written down and that is all.
    const COMPUTES: bool = true;

    /// Sixteen `f32`, one a lane.
    type F: Copy
        + Add<Output = Self::F>
        + Sub<Output = Self::F>
        + Mul<Output = Self::F>
        + Div<Output = Self::F>
        + Neg<Output = Self::F>;
    /// Sixteen `i32` with wrapping arithmetic.
    type I: Copy
        + Add<Output = Self::I>
        + Sub<Output = Self::I>
        + Mul<Output = Self::I>
        + BitAnd<Output = Self::I>
        + BitOr<Output = Self::I>
        + BitXor<Output = Self::I>;
    /// Sixteen booleans, a lane mask.
    type M: Copy + BitAnd<Output = Self::M> + BitOr<Output = Self::M>;

    /// Lanes with equal values whose table reads are not logged.
    type Unwatched: Lanes<F = Self::F, I = Self::I, M = Self::M>;

    /// Lanes for work of the host that the program does not ask for: its table reads are not logged.
    fn unwatched(self) -> Self::Unwatched;

    /// Whether texel values matter; logging lanes may need no more than which texels are read.
    #[inline(always)]
    fn wants_texels(self) -> bool {
        true
    }

    /// One number in every lane.
    fn f(self, value: f32) -> Self::F;
    /// One integer in every lane.
    fn i(self, value: i32) -> Self::I;
    /// Sixteen numbers from memory.
    fn load(self, values: &[f32; LANES]) -> Self::F;
    /// Sixteen integers from memory.
    fn load_i(self, values: &[i32; LANES]) -> Self::I;
    /// Writes sixteen numbers to memory.
    fn store(self, value: Self::F, to: &mut [f32; LANES]);
    /// Writes sixteen integers to memory.
    fn store_i(self, value: Self::I, to: &mut [i32; LANES]);

    /// Stores the lanes of the mask; the others keep what they hold.
    #[inline(always)]
    fn store_where(self, mask: Self::M, value: Self::F, to: &mut [f32; LANES]) {
        let under = self.load(to);
        self.store(self.select(mask, value, under), to);
    }

    /// [`Lanes::store_where`] for integers.
    #[inline(always)]
    fn store_where_i(self, mask: Self::M, value: Self::I, to: &mut [i32; LANES]) {
        let under = self.load_i(to);
        self.store_i(self.select_i(mask, value, under), to);
    }

    /// `a * b + c`, rounded once.
    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// Correctly rounded square root.
    fn sqrt(self, a: Self::F) -> Self::F;
    /// The smaller of both, by lane; the trait's page has the rule for NaN.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger of both, by lane; the trait's page has the rule for NaN.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// The number without its sign.
    fn abs(self, a: Self::F) -> Self::F;
    /// Largest whole number not above.
    fn floor(self, a: Self::F) -> Self::F;
    /// Compares a < b, by lane.
    fn lt(self, a: Self::F, b: Self::F) -> Self::M;
    /// Compares a <= b, by lane.
    fn le(self, a: Self::F, b: Self::F) -> Self::M;
    /// `a` where the mask is set, else `b`.
    fn select(self, mask: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// Rounds towards zero; values beyond the range of `i32` give an unspecified integer, the same on no two machines, so
    /// don't.
    fn to_int(self, a: Self::F) -> Self::I;
    /// The nearest `f32`, ties to even.
    fn to_float(self, a: Self::I) -> Self::F;
    /// Reinterprets the bits as integers.
    fn to_bits(self, a: Self::F) -> Self::I;
    /// Reinterprets the bits as numbers.
    fn of_bits(self, a: Self::I) -> Self::F;

    /// Shift left by `N`, 0..=31.
    fn shl<const N: u32>(self, a: Self::I) -> Self::I;
    /// Shift right by `N`, 0..=31, zeros in.
    fn shr<const N: u32>(self, a: Self::I) -> Self::I;
    /// Shift right by lane, zeros in; `by` is 0..=31.
    fn shr_by(self, a: Self::I, by: Self::I) -> Self::I;
    /// Shift right by `N`, 0..=31, sign in.
    fn sar<const N: u32>(self, a: Self::I) -> Self::I;
    /// The smaller of two signed integers, by lane.
    fn min_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// The larger of two signed integers, by lane.
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// The smaller of both, read as unsigned integers, by lane.
    fn min_u(self, a: Self::I, b: Self::I) -> Self::I;
    /// a < b, signed.
    fn lt_i(self, a: Self::I, b: Self::I) -> Self::M;
    /// Compares a = b, by lane.
    fn eq_i(self, a: Self::I, b: Self::I) -> Self::M;
    /// `a` where the mask is set, else `b`.
    fn select_i(self, mask: Self::M, a: Self::I, b: Self::I) -> Self::I;

    /// A mask from the low sixteen bits, lane 0 lowest.
    fn mask(self, bits: u32) -> Self::M;
    /// The mask as sixteen bits, lane 0 lowest.
    fn mask_bits(self, mask: Self::M) -> u32;
    /// Set where the mask is not.
    fn not(self, mask: Self::M) -> Self::M;
    /// Whether any lane is set. Programs may use it to skip work, never to change a result; lanes that record or log texels
    /// say yes, so that the instructions of a program do not depend on its inputs.
    fn any(self, mask: Self::M) -> bool;

    /// `table[index]` by lane; an index outside the table (seen as unsigned) reads its last element, an empty table zero.
    /// The table has at most `i32::MAX` elements.
    ///
    /// For the recorder a texture instruction, wherever the index comes from.
    fn gather(self, table: &[u32], index: Self::I) -> Self::I;
    /// A number of a table of uniforms, such as joint matrices: the same as [`Lanes::gather`], but for the recorder what is
    /// read at a uniform index is a uniform too, and an instruction of the ALU otherwise.
    #[inline(always)]
    fn uniform(self, table: &[u32], index: Self::I) -> Self::I {
        self.gather(table, index)
    }
    /// Difference along x in the lane's quad, by row: right minus left in both lanes of the row.
    fn ddx(self, a: Self::F) -> Self::F;
    /// Difference along y in the lane's quad, by column: below minus above in both lanes of the column.
    fn ddy(self, a: Self::F) -> Self::F;
    /// Lane 0 of the quad in all its lanes.
    fn quad_first(self, a: Self::F) -> Self::F;

    /// Four rows of four numbers, one row a quad; result `k` holds in every lane number `k` of the row of its quad.
    fn quad_columns(self, rows: [&[f32; 4]; 4]) -> [Self::F; 4];
    /// Four rows of four numbers, one row a quad: each lane of a quad holds its own number of the row.
    #[inline(always)]
    fn quad_rows(self, rows: [&[f32; 4]; 4]) -> Self::F {
        let [a, b, c, d] = rows;
        self.load(bytemuck::cast_ref(&[*a, *b, *c, *d]))
    }

    /// Four neighbours each: `table[index + k]` by lane in result `k`. Indices (seen as unsigned) are clamped so that all
    /// four lie inside; a table of less than four elements gives zeros.
    fn gather_4(self, table: &[u32], index: Self::I) -> [Self::I; 4];
    /// `table[index & 15]` by lane.
    fn lookup(self, table: &[i32; LANES], index: Self::I) -> Self::I;
    /// The texels that a texture sample filters: result `k` is `table[texels[k]]` by lane, indices clamped as in
    /// [`Lanes::gather`]. One instruction for the recorder.
    #[inline(always)]
    fn fetch(self, table: &[u32], texels: &[Self::I; 4]) -> [Self::I; 4] {
        each!(4, k => self.gather(table, texels[k]))
    }

    /// The sum of two products: of the low halves and of the high halves, as signed numbers of 16 bits. It wraps where all
    /// four are
    /// -32768.
    #[inline(always)]
    fn dot_halves(self, a: Self::I, b: Self::I) -> Self::I {
        let high = self.sar::<16>(a) * self.sar::<16>(b);
        let [a, b] = [self.shl::<16>(a), self.shl::<16>(b)];
        self.sar::<16>(a) * self.sar::<16>(b) + high
    }

    /// Bilinear filtering of records of four numbers from 0 to 65535. Each is stored in 16 bits less 32768, two in a word,
    /// the first in the low half. By lane the records `first`, `first + 1`, `first + stride` and `first + stride + 1` of
    /// the table are mixed, by `x` (0 to 1, in steps of 1 / [`BILINEAR_SCALE`]) along the first step and then by `y` along
    /// the second; the result is [`BILINEAR_SCALE`] times as large. Records outside the table are read as
    /// [`Lanes::gather_4`] reads.
    #[inline(always)]
    fn bilinear(
        self,
        table: &[u32],
        first: Self::I,
        stride: i32,
        [x, y]: [Self::F; 2],
    ) -> [Self::F; 4] {
        bilinear_of(self, table, first, stride, (pair_weights(self, x), y))
    }

    /// Positions of the columns of a 4x4 block whose samples go along the axes: offsets in record numbers from the left
    /// upper record, and weights along the first step.
    #[inline(always)]
    fn across(self, first: Self::I, x: Self::F) -> Across {
        across(self, first, x, false)
    }

    /// Positions of the block's rows: offsets in record numbers, and weights along the second step.
    #[inline(always)]
    fn down(self, first: Self::I, y: Self::F) -> Down {
        let (mut numbers, mut weights) = ([0; LANES], [0.0; LANES]);
        self.store_i(first, &mut numbers);
        self.store(y, &mut weights);
        Down::new(numbers, weights)
    }

    /// [`Lanes::bilinear`] for the pixels of a block, quads row by row.
    #[inline(always)]
    fn bilinear_block(self, block: &BlockSamples<'_>) -> [Self::F; 4] {
        mixed_by_lane(self, block)
    }

    /// A vertex attribute of `N` elements: those from `N * vertex` on. One instruction for the recorder, address included.
    #[inline(always)]
    fn attribute<const N: usize>(self, stream: &[u32], vertex: Self::I) -> [Self::F; N] {
        let first = vertex * self.i(N as i32);
        let mut values = [self.f(0.0); N];
        for (k, value) in values.iter_mut().enumerate() {
            *value = self.of_bits(self.gather(stream, first + self.i(k as i32)));
        }
        values
    }

    /// A part of programs that stands for itself, such as a texture sample. Vector registers copy it into the program, lest
    /// values go through memory; arrays and recorders, whose every operation is a call, call it: it is compiled once for
    /// all programs.
    #[inline(always)]
    fn part<R>(self, part: impl FnOnce() -> R) -> R {
        part()
    }

    /// Runs a part as [`Lanes::part`] does, but vector registers call it too: for code whose speed matters less than the
    /// time to compile it.
    #[inline(always)]
    fn call<R>(self, part: impl FnOnce() -> R) -> R {
        self.part(part)
    }

    /// A function that hardware has a unit for: `host` computes it here, the recorder writes one instruction instead.
    #[inline(always)]
    fn special(self, operands: &[Self::F], host: impl FnOnce() -> Self::F) -> Self::F {
        let _ = operands;
        host()
    }

    /// The texture unit samples at `coordinates` once for each number in `slots` and puts the colours into
    /// `colors[slot]`: `host` does it here, the recorder writes one instruction a slot instead. Each slot reads one table.
    #[inline(always)]
    fn textures(
        self,
        slots: &[u8],
        coordinates: &[Self::F],
        colors: &mut [[Self::F; 4]],
        host: impl FnOnce(&mut [[Self::F; 4]]),
    ) {
        let _ = (slots, coordinates);
        host(colors);
    }

    /// Within `host` of [`Lanes::textures`]: the reads that follow are for the slot at this position.
    #[inline(always)]
    fn samples(self, member: usize) {
        let _ = member;
    }
}
