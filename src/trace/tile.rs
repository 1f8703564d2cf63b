//! One tile: its primitive list, every quad of every primitive, and the texel blocks that the quads' texture instructions
//! touched. Plain columns, about 4 bytes a quad and 4 a block, because a Full HD frame has a million quads.
//! A quad whose program branches has 4 more.

use super::{BufferAccesses, PathIdx, RasterCounters};

/// A rasterised quad: where it is and what became of its four fragments.
///
/// | bits | content |
/// |---|---|
/// | 0-5 | column in the tile, in quads |
/// | 6-11 | row in the tile, in quads |
/// | 12-15 | fragments covered, bit `2 y + x` |
/// | 16-19 | of these, fragments that ran the program; none = killed early |
/// | 20-23 | of these, fragments that changed the colour; none = killed late |
/// | 24 | these were blended |
/// | 25 | all that its primitive covers of its 4x4 pixels lay behind the farthest depth there |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Quad(pub u32);

impl Quad {
    /// A quad before shading: position in the tile in quads (0..64), coverage, and which fragments the early test left.
    /// With a late test, all that are covered run.
    #[must_use]
    pub const fn new(column: u32, row: u32, covered: u32, live: u32) -> Self {
        Self((column & 63) | (row & 63) << 6 | (covered & 15) << 12 | (live & covered & 15) << 16)
    }

    /// Returns the quad after shading: which fragments were written, and whether by blending.
    #[must_use]
    pub const fn with_written(self, written: u32, blended: bool) -> Self {
        let kept = self.0 & 0x020f_ffff;
        Self(kept | (written & self.live()) << 20 | (blended as u32) << 24)
    }

    /// Column in the tile, in quads.
    #[must_use]
    pub const fn column(self) -> u32 {
        self.0 & 63
    }

    /// Row in the tile, in quads.
    #[must_use]
    pub const fn row(self) -> u32 {
        self.0 >> 6 & 63
    }

    /// Covered fragments, bit `2 y + x`.
    #[must_use]
    pub const fn covered(self) -> u32 {
        self.0 >> 12 & 15
    }

    /// Fragments that ran the program.
    #[must_use]
    pub const fn live(self) -> u32 {
        self.0 >> 16 & 15
    }

    /// Fragments that changed the colour buffer.
    #[must_use]
    pub const fn written(self) -> u32 {
        self.0 >> 20 & 15
    }

    /// Whether they were mixed with the colour there.
    #[must_use]
    pub const fn blended(self) -> bool {
        self.0 >> 24 & 1 == 1
    }

    /// Returns the quad with its `behind` bit: whether all that its primitive covers of the 4x4 pixels around it lay behind
    /// the farthest depth of these when it came, so that one stored depth tells. No fragment of such a quad runs.
    #[must_use]
    pub const fn with_behind(self, behind: bool) -> Self {
        let behind = behind && !self.is_shaded();
        Self(self.0 & !(1 << 25) | (behind as u32) << 25)
    }

    /// Whether one stored depth of its 4x4 pixels tells that it is hidden.
    #[must_use]
    pub const fn is_behind(self) -> bool {
        self.0 >> 25 & 1 == 1
    }

    /// Whether any fragment ran the program.
    #[must_use]
    pub const fn is_shaded(self) -> bool {
        self.live() != 0
    }
}

/// An entry of a tile's list, in program order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct TilePrimitive {
    /// Primitive number in the frame.
    pub primitive: u32,
    /// Number of its quads in this tile: as many of the next of [`TileTrace::quads`]; 0 where it only seemed to overlap.
    pub n_quads: u32,
}

/// Digests of all that went into a tile, and of what came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TileDigests {
    /// CRC32 of all that determines the tile's colours: constants, state and attributes, in program order.
    pub input_crc: u32,
    /// 64 bits of the same: equal where the inputs are equal, also where a collision makes the CRCs equal.
    pub inputs: u64,
    /// CRC32 of the tile's pixels as they leave the chip.
    pub color_crc: u32,
}

/// The facts of one tile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TileTrace {
    /// Entries of the tile's list.
    pub primitives: Vec<TilePrimitive>,
    /// All rasterised quads, primitive by primitive, in raster order.
    pub quads: Vec<Quad>,
    /// Path of each shaded quad whose program branches, in order.
    pub paths: Vec<PathIdx>,
    /// Distinct blocks touched, for each shaded quad and each texture instruction that it executed, in that order.
    pub block_counts: Vec<u8>,
    /// The blocks themselves, in the same order: block numbers in the texture that the draw binds to the instruction.
    pub blocks: Vec<u32>,
    /// Lines of buffers that each shaded quad accessed.
    pub accesses: BufferAccesses,
    /// Digests by which the tile is compared with itself in another frame.
    pub digests: TileDigests,
    /// Hashes on demand, else empty: one of the shader inputs (screen coordinates left out) for every fragment that ran, by
    /// quad and bit.
    pub fragment_hashes: Vec<u32>,
}

impl TileTrace {
    /// Quads that ran the program.
    #[must_use]
    pub fn n_shaded(&self) -> usize {
        self.quads.iter().filter(|quad| quad.is_shaded()).count()
    }

    /// Each entry of the list with its quads.
    pub fn entries(&self) -> impl Iterator<Item = (TilePrimitive, &[Quad])> {
        let mut rest = self.quads.as_slice();
        self.primitives.iter().map(move |&entry| {
            let (quads, tail) = rest.split_at((entry.n_quads as usize).min(rest.len()));
            rest = tail;
            (entry, quads)
        })
    }

    /// Sums over the quads, as [`RasterCounters`] has them; texture samples are counted from `block_counts` by the caller,
    /// which has the programs, so they stay zero.
    #[must_use]
    pub fn counters(&self) -> RasterCounters {
        let mut sum = RasterCounters::default();
        for quad in &self.quads {
            let (live, written) = (quad.live(), quad.written());
            sum.quads_rasterised += 1;
            sum.quads_killed_early += u64::from(live == 0);
            sum.quads_shaded += u64::from(live != 0);
            sum.quads_killed_late += u64::from(live != 0 && written == 0);
            sum.fragments_rasterised += u64::from(quad.covered().count_ones());
            sum.fragments_shaded += u64::from(live.count_ones());
            sum.fragments_killed_late += u64::from((live & !written).count_ones());
            let changed = u64::from(written.count_ones());
            if quad.blended() {
                sum.fragments_blended += changed;
            } else {
                sum.fragments_written += changed;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quad_keeps_its_fields() {
        let quad = Quad::new(63, 17, 0b1110, 0b0110).with_written(0b0100, true);
        assert_eq!(
            (quad.column(), quad.row(), quad.covered()),
            (63, 17, 0b1110),
            "position and coverage"
        );
        assert_eq!((quad.live(), quad.written()), (0b0110, 0b0100), "fates");
        assert!(quad.blended(), "blend flag");
    }

    #[test]
    fn quad_writes_only_live_fragments() {
        let quad = Quad::new(0, 0, 0b0011, 0b1111).with_written(0b1111, false);
        assert_eq!(
            quad.live(),
            0b0011,
            "a fragment outside the coverage cannot live"
        );
        assert_eq!(quad.written(), 0b0011, "a dead fragment cannot write");
    }
}
