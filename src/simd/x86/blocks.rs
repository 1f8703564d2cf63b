//! Fetching 2x2 neighbourhoods from tables of 4x4 blocks without a gather.
//!
//! A gather costs two cycles a lane. But the pixels of a quad sample texels that lie close together: all sixteen in two
//! columns and two rows of blocks, unless the coordinates run steeply. Then four registers, one cache line each, hold all
//! that the quad needs, and two permutations pick the texels out. What the picking needs depends on coordinates alone, so it
//! is prepared once for all textures of the same shape.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmpneq_epi32_mask,
    _mm512_loadu_si512, _mm512_mask_blend_epi32, _mm512_mask_cmpneq_epi32_mask,
    _mm512_mask_or_epi32, _mm512_max_epu32, _mm512_min_epu32, _mm512_or_si512,
    _mm512_permutex2var_epi32, _mm512_reduce_max_epu32, _mm512_set1_epi32, _mm512_shuffle_epi32,
    _mm512_shuffle_i32x4, _mm512_storeu_si512, _mm512_test_epi32_mask,
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
    corners: [[u32; 4]; 4],
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
        let columns = axis(avx512, x, 3, RIGHT);
        let rows = axis(avx512, y, 12, LOWER);
        let corner = _mm512_add_epi32(
            _mm512_mask_blend_epi32(0b1010_1010_1010_1010, columns.low, columns.high),
            _mm512_mask_blend_epi32(0b1100_1100_1100_1100, rows.low, rows.high),
        );
        let mut corners = [[0_u32; 4]; 4];
        // SAFETY: the array holds sixteen integers.
        unsafe { _mm512_storeu_si512(corners.as_mut_ptr().cast(), corner) };
        let [sx, sy] = [columns.select, rows.select];
        let select = transposed(
            avx512,
            [
                _mm512_or_si512(sx[0], sy[0]),
                _mm512_or_si512(sx[1], sy[0]),
                _mm512_or_si512(sx[0], sy[1]),
                _mm512_or_si512(sx[1], sy[1]),
            ],
        );
        let in_lower = _mm512_set1_epi32(LOWER);
        BlockFootprint {
            x,
            y,
            corners,
            select,
            lower: [
                _mm512_test_epi32_mask(select[0], in_lower),
                _mm512_test_epi32_mask(select[1], in_lower),
                _mm512_test_epi32_mask(select[2], in_lower),
                _mm512_test_epi32_mask(select[3], in_lower),
            ],
            last_corner: _mm512_reduce_max_epu32(corner),
            fits: columns.strays | rows.strays == 0,
        }
    }
);

/// One axis of a footprint: columns or rows of blocks.
#[derive(Clone, Copy)]
struct Axis {
    /// Index of the quad's first column, and of its last.
    low: __m512i,
    high: __m512i,
    /// Position within the block, with a bit for the last column.
    select: [__m512i; 2],
    /// Lanes that need a column between these two.
    strays: u16,
}

kernel!(
    // `within` are the bits of the index that lie in the block, `bit` is set for neighbours in the last column.
    #[inline(always)]
    fn axis(avx512: Avx512, index: [__m512i; 2], within: i32, bit: i32) -> Axis {
        let [first, second] = index;
        let bit = _mm512_set1_epi32(bit);
        let inside = _mm512_set1_epi32(within);
        let [first_block, second_block] = [
            _mm512_andnot_si512(inside, first),
            _mm512_andnot_si512(inside, second),
        ];

        let low = _mm512_min_epu32(first_block, second_block);
        let low = _mm512_min_epu32(low, _mm512_shuffle_epi32::<0b10_11_00_01>(low));
        let low = _mm512_min_epu32(low, _mm512_shuffle_epi32::<0b01_00_11_10>(low));
        let high = _mm512_max_epu32(first_block, second_block);
        let high = _mm512_max_epu32(high, _mm512_shuffle_epi32::<0b10_11_00_01>(high));
        let high = _mm512_max_epu32(high, _mm512_shuffle_epi32::<0b01_00_11_10>(high));

        let first_is_high = _mm512_cmpneq_epi32_mask(first_block, low);
        let second_is_high = _mm512_cmpneq_epi32_mask(second_block, low);
        let strays = _mm512_mask_cmpneq_epi32_mask(first_is_high, first_block, high)
            | _mm512_mask_cmpneq_epi32_mask(second_is_high, second_block, high);
        let [first, second] = [
            _mm512_and_si512(first, inside),
            _mm512_and_si512(second, inside),
        ];
        let select = [
            _mm512_mask_or_epi32(first, first_is_high, first, bit),
            _mm512_mask_or_epi32(second, second_is_high, second, bit),
        ];
        Axis {
            low,
            high,
            select,
            strays,
        }
    }
);

kernel!(
    #[inline(always)]
    fn pick(avx512: Avx512, table: *const u32, footprint: &BlockFootprint) -> [__m512i; 4] {
        let quads = [
            pick_quad(avx512, table, footprint, 0),
            pick_quad(avx512, table, footprint, 1),
            pick_quad(avx512, table, footprint, 2),
            pick_quad(avx512, table, footprint, 3),
        ];
        transposed(avx512, quads)
    }
);

kernel!(
    // The caller checked that a whole block from the last of the corners lies in the table.
    #[inline(always)]
    fn pick_quad(
        avx512: Avx512,
        table: *const u32,
        footprint: &BlockFootprint,
        quad: usize,
    ) -> __m512i {
        let [a, b, c, d] = footprint.corners[quad];
        // SAFETY: see above.
        let [a, b, c, d] = unsafe {
            [
                _mm512_loadu_si512(table.add(a as usize).cast()),
                _mm512_loadu_si512(table.add(b as usize).cast()),
                _mm512_loadu_si512(table.add(c as usize).cast()),
                _mm512_loadu_si512(table.add(d as usize).cast()),
            ]
        };
        let select = footprint.select[quad];
        let upper = _mm512_permutex2var_epi32(a, select, b);
        let lower = _mm512_permutex2var_epi32(c, select, d);
        _mm512_mask_blend_epi32(footprint.lower[quad], upper, lower)
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
