//! Layout of the rows of an image's levels ([`azulejo_scene::TexelRows`]): tables for lanes, and which texels of them a
//! sample filters.

use super::footprint::second_of;
use super::shape::TextureShape;
use azulejo_scene::{RowLevel, STRIP, STRIP_STRIDE};
use azulejo_simd::{LANES, Lanes};

/// Positions of the rows of each level, as tables for [`Lanes::lookup`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowLayout {
    /// The border's first texel, which lies before the level's first column and row.
    pub(super) origins: [i32; LANES],
    /// Texels from a strip to the next.
    pub(super) strips: [i32; LANES],
}

impl RowLayout {
    /// Layout of these levels.
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

/// Texels that a sample filters in one level.
#[derive(Clone, Copy)]
pub(super) struct RowPlace<L: Lanes> {
    /// Left upper one of the four texels.
    pub(super) first: L::I,
    /// Weights of the right ones, and of the lower ones.
    pub(super) weights: [L::F; 2],
}

impl RowLayout {
    /// Texels and weights of a sample at wrapped coordinates in this level.
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

/// Term of the column in the number of a texel before it.
#[inline(always)]
pub(super) fn column_before<L: Lanes>(l: L, column: L::I, origin: L::I, strip: L::I) -> L::I {
    // Columns go on from strip to strip, but for the gap between them.
    let strips = l.shr::<{ STRIP.ilog2() }>(column) * (strip - l.i(STRIP as i32));
    origin + column + strips
}

/// Term of the row in that number.
#[inline(always)]
pub(super) fn row_before<L: Lanes>(l: L, row: L::I) -> L::I {
    row * l.i(STRIP_STRIDE as i32)
}
