//! Fetching 2x2 neighbourhoods from tables of 4x4 blocks without a gather.
//!
//! A gather costs two cycles a lane. But the pixels of a quad sample texels that lie close together: all sixteen in two
//! columns and two rows of blocks, unless the coordinates run steeply. Then four registers, one cache line each, hold all
//! that the quad needs, and two permutations pick the texels out. What the picking needs depends on coordinates alone, so it
//! is prepared once for all textures of the same shape.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_and_si512, _mm512_cmpneq_epi32_mask, _mm512_loadu_si512,
    _mm512_mask_blend_epi32, _mm512_mask_cmpneq_epi32_mask, _mm512_mask_or_epi32, _mm512_max_epu32,
    _mm512_min_epu32, _mm512_or_si512, _mm512_permutex2var_epi32, _mm512_reduce_max_epu32,
    _mm512_set1_epi32, _mm512_shuffle_epi32, _mm512_shuffle_i32x4, _mm512_storeu_si512,
    _mm512_test_epi32_mask,
};

use fearless_simd::{Avx512, kernel};

/// Elements of a block.
const BLOCK: usize = 16;

/// Bit of a selector: the right one of two blocks.
const RIGHT: i32 = 16;

/// Bit of a selector: the lower row of blocks.
const LOWER: i32 = 32;

/// Where the neighbourhoods of four quads lie.
#[derive(Debug, Clone, Copy)]
pub struct BlockFootprint {
    /// What it was made from, for quads that reach too far.
    pub(super) x: [__m512i; 2],
    pub(super) y: [__m512i; 2],
    /// First elements of the blocks: upper left, upper right, lower left, lower right of quad 0, then of quad 1, ...
    corners: [u32; 16],
    /// By quad: position in two neighbouring blocks, neighbour by neighbour, four pixels each.
    select: [__m512i; 4],
    /// By quad: which of these lie in the lower row of blocks.
    lower: [u16; 4],
    /// The largest of the corners.
    last_corner: u32,
    /// Whether four blocks hold all neighbours, in every quad.
    fits: bool,
}

impl BlockFootprint {
    #[inline(always)]
    pub(super) fn new(simd: Avx512, x: [__m512i; 2], y: [__m512i; 2]) -> Self {
        prepare(simd, x, y)
    }

    /// Whether [`Self::fetch`] may read `table`.
    #[inline(always)]
    pub(super) const fn lies_in(&self, table: &[u32]) -> bool {
        self.fits && self.last_corner as usize + BLOCK <= table.len()
    }

    /// The neighbours, upper left, upper right, lower left, lower right.
    #[inline(always)]
    pub(super) fn fetch(&self, simd: Avx512, table: &[u32]) -> [__m512i; 4] {
        assert!(self.lies_in(table), "the caller asks first");
        pick(simd, table.as_ptr(), self)
    }
}

kernel!(
    #[inline(always)]
    fn prepare(avx512: Avx512, x: [__m512i; 2], y: [__m512i; 2]) -> BlockFootprint {
        let splat = |value: i32| _mm512_set1_epi32(value);
        let min_of_quad = |v: __m512i| {
            let v = _mm512_min_epu32(v, _mm512_shuffle_epi32::<0b10_11_00_01>(v));
            _mm512_min_epu32(v, _mm512_shuffle_epi32::<0b01_00_11_10>(v))
        };
        let max_of_quad = |v: __m512i| {
            let v = _mm512_max_epu32(v, _mm512_shuffle_epi32::<0b10_11_00_01>(v));
            _mm512_max_epu32(v, _mm512_shuffle_epi32::<0b01_00_11_10>(v))
        };
        let [left, right] = [
            _mm512_and_si512(x[0], splat(!3)),
            _mm512_and_si512(x[1], splat(!3)),
        ];
        let [top, bottom] = [
            _mm512_and_si512(y[0], splat(!12)),
            _mm512_and_si512(y[1], splat(!12)),
        ];
        let x_low = min_of_quad(_mm512_min_epu32(left, right));
        let x_high = max_of_quad(_mm512_max_epu32(left, right));
        let y_low = min_of_quad(_mm512_min_epu32(top, bottom));
        let y_high = max_of_quad(_mm512_max_epu32(top, bottom));

        let corner_x = _mm512_mask_blend_epi32(0b1010_1010_1010_1010, x_low, x_high);
        let corner_y = _mm512_mask_blend_epi32(0b1100_1100_1100_1100, y_low, y_high);
        let corner = _mm512_add_epi32(corner_x, corner_y);
        let mut corners = [0_u32; 16];
        // SAFETY: the array holds sixteen integers.
        unsafe { _mm512_storeu_si512(corners.as_mut_ptr().cast(), corner) };

        let mut strays = 0;
        let mut selector =
            |v: __m512i, within: i32, block: __m512i, low: __m512i, high: __m512i, bit: i32| {
                let is_high = _mm512_cmpneq_epi32_mask(block, low);
                strays |= _mm512_mask_cmpneq_epi32_mask(is_high, block, high);
                let within = _mm512_and_si512(v, splat(within));
                _mm512_mask_or_epi32(within, is_high, within, splat(bit))
            };
        let sx = [
            selector(x[0], 3, left, x_low, x_high, RIGHT),
            selector(x[1], 3, right, x_low, x_high, RIGHT),
        ];
        let sy = [
            selector(y[0], 12, top, y_low, y_high, LOWER),
            selector(y[1], 12, bottom, y_low, y_high, LOWER),
        ];
        let select = transposed(
            avx512,
            [
                _mm512_or_si512(sx[0], sy[0]),
                _mm512_or_si512(sx[1], sy[0]),
                _mm512_or_si512(sx[0], sy[1]),
                _mm512_or_si512(sx[1], sy[1]),
            ],
        );
        let lower = select.map(|select| _mm512_test_epi32_mask(select, splat(LOWER)));
        BlockFootprint {
            x,
            y,
            corners,
            select,
            lower,
            last_corner: _mm512_reduce_max_epu32(corner),
            fits: strays == 0,
        }
    }
);

kernel!(
    #[inline(always)]
    fn pick(avx512: Avx512, table: *const u32, footprint: &BlockFootprint) -> [__m512i; 4] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|quad: usize| {
            let block = |k: usize| {
                let corner = footprint.corners[4 * quad + k] as usize;
                // SAFETY: the caller checked that a whole block from the last of the corners lies in the table.
                unsafe { _mm512_loadu_si512(table.add(corner).cast()) }
            };
            let select = footprint.select[quad];
            let upper = _mm512_permutex2var_epi32(block(0), select, block(1));
            let lower = _mm512_permutex2var_epi32(block(2), select, block(3));
            _mm512_mask_blend_epi32(footprint.lower[quad], upper, lower)
        });
        transposed(avx512, [a, b, c, d])
    }
);

kernel!(
    // 128-bit block i of result j is block j of operand i.
    #[inline(always)]
    fn transposed(avx512: Avx512, v: [__m512i; 4]) -> [__m512i; 4] {
        let low_01 = _mm512_shuffle_i32x4::<0b01_00_01_00>(v[0], v[1]);
        let high_01 = _mm512_shuffle_i32x4::<0b11_10_11_10>(v[0], v[1]);
        let low_23 = _mm512_shuffle_i32x4::<0b01_00_01_00>(v[2], v[3]);
        let high_23 = _mm512_shuffle_i32x4::<0b11_10_11_10>(v[2], v[3]);
        [
            _mm512_shuffle_i32x4::<0b10_00_10_00>(low_01, low_23),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(low_01, low_23),
            _mm512_shuffle_i32x4::<0b10_00_10_00>(high_01, high_23),
            _mm512_shuffle_i32x4::<0b11_01_11_01>(high_01, high_23),
        ]
    }
);
