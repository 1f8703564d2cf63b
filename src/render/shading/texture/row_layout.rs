//! Where the rows of an image's levels lie ([`crate::scene::TexelRows`]): tables for lanes, and which texels
//! of them a sample filters.

use super::footprint::second_of;
use super::shape::TextureShape;
use crate::scene::{RowLevel, STRIP, STRIP_STRIDE};
use crate::simd::{LANES, Lanes};

/// Where the rows of each level lie, as tables for [`Lanes::lookup`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowLayout {
    /// The border's first texel, which lies before the level's first column and row.
    pub(super) origins: [i32; LANES],
    /// Texels from a strip to the next.
    pub(super) strips: [i32; LANES],
}

impl RowLayout {
    /// Of these levels.
    pub(super) fn new(levels: &[RowLevel]) -> Self {
        let table = |value: fn(&RowLevel) -> u32| {
            std::array::from_fn(|level| levels.get(level).map_or(0, value).cast_signed())
        };
        Self {
            origins: table(|level| level.origin),
            strips: table(|level| level.strip),
        }
    }
}

/// What a sample filters in one level.
#[derive(Clone, Copy)]
pub(super) struct RowPlace<L: Lanes> {
    /// Left upper one of the four texels.
    pub(super) first: L::I,
    /// Of the right ones, and of the lower ones.
    pub(super) weights: [L::F; 2],
}

impl RowLayout {
    /// Where a sample at wrapped coordinates lies in this level.
    #[inline(always)]
    pub(super) fn place<L: Lanes>(
        &self,
        l: L,
        shape: &TextureShape,
        level: L::I,
        wrapped: [L::F; 2],
    ) -> RowPlace<L> {
        let (column, x) = second_of(l, wrapped[0], l.lookup(&shape.widths, level));
        let (row, y) = second_of(l, wrapped[1], l.lookup(&shape.heights, level));
        let origin = l.lookup(&self.origins, level);
        let strip = l.lookup(&self.strips, level);
        RowPlace {
            first: texel_before(l, [column, row], origin, strip),
            weights: [x, y],
        }
    }
}

/// The texel before this column and row of a level: the border moves all texels by one.
#[inline(always)]
pub(super) fn texel_before<L: Lanes>(
    l: L,
    [column, row]: [L::I; 2],
    origin: L::I,
    strip: L::I,
) -> L::I {
    column_before(l, column, origin, strip) + row_before(l, row)
}

/// What the column adds to the number of a texel before it.
#[inline(always)]
pub(super) fn column_before<L: Lanes>(l: L, column: L::I, origin: L::I, strip: L::I) -> L::I {
    // Columns go on from strip to strip, but for what lies between.
    let strips = l.shr::<{ STRIP.ilog2() }>(column) * (strip - l.i(STRIP as i32));
    origin + column + strips
}

/// What the row adds.
#[inline(always)]
pub(super) fn row_before<L: Lanes>(l: L, row: L::I) -> L::I {
    row * l.i(STRIP_STRIDE as i32)
}
