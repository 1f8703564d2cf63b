//! The lane interface that shader programs and the rasteriser are written against.
//!
//! Sixteen lanes = four quads; lane `4 q + 2 y + x` is pixel (x, y) of quad `q`. One source, several lane types:
//! SIMD registers that make pixels, an array of scalars that tests compare with, and a recorder that writes the
//! instruction list down.

use super::each;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

/// Lanes that run together: four quads of 2x2 pixels.
pub const LANES: usize = 16;

/// Arithmetic on [`LANES`] values at once.
///
/// Every implementation gives the same bits: IEEE 754 single precision, fused only in [`Lanes::mul_add`], exact division
/// and square root. `min` and `max` are `if a < b { a } else { b }` and `if a > b { a } else { b }`: the second operand where
/// either is NaN or both are zeros.
pub trait Lanes: Copy {
    /// Somebody watches which elements of tables the lanes read. Programs may use it to read less where nobody does, never to change
    /// a result.
    const WATCHED: bool = false;
    /// Operations compute something; otherwise they are written down and that is all.
    const COMPUTES: bool = true;

    /// Sixteen `f32`.
    type F: Copy
        + Add<Output = Self::F>
        + Sub<Output = Self::F>
        + Mul<Output = Self::F>
        + Div<Output = Self::F>
        + Neg<Output = Self::F>;
    /// Sixteen `i32`, wrapping.
    type I: Copy
        + Add<Output = Self::I>
        + Sub<Output = Self::I>
        + Mul<Output = Self::I>
        + BitAnd<Output = Self::I>
        + BitOr<Output = Self::I>
        + BitXor<Output = Self::I>;
    /// Sixteen booleans.
    type M: Copy + BitAnd<Output = Self::M> + BitOr<Output = Self::M>;

    /// The same lanes, but nobody watches them.
    type Unwatched: Lanes<F = Self::F, I = Self::I, M = Self::M>;

    /// For work of the host that the program does not ask for: nobody watches what it reads.
    fn unwatched(self) -> Self::Unwatched;

    /// Whether what textures say matters; who watches may want to know no more than what is read.
    #[inline(always)]
    fn wants_texels(self) -> bool {
        true
    }

    /// The same number in every lane.
    fn f(self, value: f32) -> Self::F;
    /// The same integer in every lane.
    fn i(self, value: i32) -> Self::I;
    /// Sixteen numbers from memory.
    fn load(self, values: &[f32; LANES]) -> Self::F;
    /// Sixteen integers from memory.
    fn load_i(self, values: &[i32; LANES]) -> Self::I;
    /// Writes sixteen numbers to memory.
    fn store(self, value: Self::F, to: &mut [f32; LANES]);
    /// Writes sixteen integers to memory.
    fn store_i(self, value: Self::I, to: &mut [i32; LANES]);

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
    /// a < b.
    fn lt(self, a: Self::F, b: Self::F) -> Self::M;
    /// a <= b.
    fn le(self, a: Self::F, b: Self::F) -> Self::M;
    /// `a` where the mask is set, else `b`.
    fn select(self, mask: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// Towards zero; values beyond the range of `i32` give an unspecified integer, the same on no two machines, so don't.
    fn to_int(self, a: Self::F) -> Self::I;
    /// The nearest `f32`, ties to even.
    fn to_float(self, a: Self::I) -> Self::F;
    /// The same bits.
    fn to_bits(self, a: Self::F) -> Self::I;
    /// The same bits.
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
    /// a = b.
    fn eq_i(self, a: Self::I, b: Self::I) -> Self::M;
    /// `a` where the mask is set, else `b`.
    fn select_i(self, mask: Self::M, a: Self::I, b: Self::I) -> Self::I;

    /// A mask from the low sixteen bits, lane 0 lowest.
    fn mask(self, bits: u32) -> Self::M;
    /// The mask as sixteen bits, lane 0 lowest.
    fn mask_bits(self, mask: Self::M) -> u32;
    /// Set where the mask is not.
    fn not(self, mask: Self::M) -> Self::M;
    /// Whether any lane is set. Programs may use it to skip work, never to change a result; lanes that record or log texels say
    /// yes, so that the instructions of a program do not depend on its inputs.
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

    /// Bilinear filtering of records of four unsigned 16-bit numbers, two words each, the first number in the low half: by lane the
    /// records `first`, `first + 1`, `first + stride` and `first + stride + 1` of the table, mixed by `x` along the first step and by `y`
    /// along the second, y first. Records outside the table are read as [`Lanes::gather_4`] reads.
    #[inline(always)]
    fn bilinear(
        self,
        table: &[u32],
        first: Self::I,
        stride: i32,
        [x, y]: [Self::F; 2],
    ) -> [Self::F; 4] {
        let above = self.gather_4(table, self.shl::<1>(first));
        let below = self.gather_4(table, self.shl::<1>(first + self.i(stride)));
        let low = self.i(0xffff);
        each!(4, channel => {
            let mixed = each!(2, right => {
                let word = 2 * right + channel / 2;
                let [above, below] = if channel % 2 == 0 {
                    [above[word] & low, below[word] & low]
                } else {
                    [self.shr::<16>(above[word]), self.shr::<16>(below[word])]
                };
                let above = self.to_float(above);
                self.mul_add(self.to_float(below) - above, y, above)
            });
            let [left, right] = mixed;
            self.mul_add(right - left, x, left)
        })
    }

    /// The same for the pixels of a 4x4 block, quads row by row, where `first` is a sum of a number for each column and one for each row,
    /// `x` depends on the column alone, and `y` on the row: neighbours share what they read. `None` where that is not faster; whether it
    /// is never shows in a result.
    #[inline(always)]
    fn bilinear_block(
        self,
        table: &[u32],
        first: Self::I,
        stride: i32,
        weights: [Self::F; 2],
    ) -> Option<[Self::F; 4]> {
        let _ = (table, first, stride, weights);
        None
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

    /// A part of programs that stands for itself, such as a texture sample. Vector registers copy it into the program, lest values go
    /// through memory; arrays and recorders, whose every operation is a call, call it: it is compiled once for all programs.
    #[inline(always)]
    fn part<R>(self, part: impl FnOnce() -> R) -> R {
        part()
    }

    /// The same, but vector registers call it too: for code whose speed matters less than the time to compile it.
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
