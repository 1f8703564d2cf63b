//! Where the rows of an image's levels lie ([`crate::scene::TexelRows`]): tables for lanes, and the two texels of a column that are
//! filtered.

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

/// The texel in this column and row of a level, and the one below it.
#[inline(always)]
pub(super) fn pair<L: Lanes>(
    l: L,
    [column, row]: [L::I; 2],
    origin: L::I,
    strip: L::I,
) -> [L::I; 2] {
    // Columns go on from strip to strip, but for what lies between.
    let strips = l.shr::<{ STRIP.ilog2() }>(column) * (strip - l.i(STRIP as i32));
    let above = origin + column + strips + row * l.i(STRIP_STRIDE as i32);
    [above, above + l.i(STRIP_STRIDE as i32)]
}
