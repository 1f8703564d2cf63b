//! Outcomes of a frame's tiles, drawn or kept, and their reasons.

use azulejo_grid::{TileGrid, TileId};
use azulejo_trace::FrameCounters;

/// When two tiles' inputs count as equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Equality {
    /// CRC32 and a 64-bit digest agree: a collision of the CRC is seen, and the tile drawn. If the camera has been
    /// moving for some frames, tiles that moved draws reach count as changed without being signed, and are drawn once more
    /// when it stops.
    #[default]
    Inputs,
    /// The CRC32 agrees, as on the chip; one changed tile in four billion stays as it was.
    Signature,
}

/// Why a tile was drawn or left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TileReason {
    /// Left out: its inputs are those that the buffer's pixels were drawn from.
    EqualInputs,
    /// Left out with all others, before geometry: the frame's draws are those that the buffer was drawn from.
    EqualFrame,
    /// Left out although its inputs changed: their CRC32 is the same, and was to be trusted.
    TrustedCollision,
    /// Drawn: its inputs changed.
    ChangedInputs,
    /// Drawn: its inputs changed, although their CRC32 is the same.
    Collision,
    /// Drawn: its inputs before are unknown, as it was not signed while the camera moved.
    Unsigned,
    /// Drawn: the first frame in this buffer.
    FirstFrame,
    /// Drawn: the buffer held a picture of another size, or in other tiles.
    OtherGrid,
    /// Drawn: the buffer's turn to be refreshed.
    Refresh,
    /// Drawn: the buffer's contents were not to be relied on, as after a frame that was given up half-way.
    Invalidated,
}

impl TileReason {
    /// Each with its name in JSON and in words, those of tiles that were left out first.
    pub const ALL: [(Self, &'static str, &'static str); 10] = [
        (Self::EqualInputs, "equal_inputs", "inputs did not change"),
        (
            Self::EqualFrame,
            "equal_frame",
            "no draw of the frame changed",
        ),
        (
            Self::TrustedCollision,
            "trusted_collision",
            "equal CRC, trusted",
        ),
        (Self::ChangedInputs, "changed_inputs", "inputs changed"),
        (Self::Collision, "collision", "inputs changed, equal CRC"),
        (Self::Unsigned, "unsigned", "not signed before, in motion"),
        (Self::FirstFrame, "first_frame", "first frame of the buffer"),
        (Self::OtherGrid, "other_grid", "other size or tiles before"),
        (Self::Refresh, "refresh", "refresh of the buffer"),
        (
            Self::Invalidated,
            "invalidated",
            "buffer not to be relied on",
        ),
    ];

    /// Whether the tile kept its pixels.
    #[must_use]
    pub const fn is_kept(self) -> bool {
        matches!(
            self,
            Self::EqualInputs | Self::EqualFrame | Self::TrustedCollision
        )
    }

    /// Identifier of the reason in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Meaning of the reason, in words for people.
    #[must_use]
    pub const fn words(self) -> &'static str {
        Self::ALL[self as usize].2
    }
}

/// Outcome of each tile of a frame: drawn or kept, with the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TileOutcomes {
    /// One for each tile, by [`TileId`].
    pub reasons: Vec<TileReason>,
}

impl TileOutcomes {
    /// Every tile of a grid.
    pub(super) fn all(grid: &TileGrid) -> Self {
        Self {
            reasons: vec![TileReason::EqualFrame; grid.n_tiles() as usize],
        }
    }

    /// Whether a tile was left out, because the buffer has it already.
    #[must_use]
    pub fn is_kept(&self, tile: TileId) -> bool {
        let reason = self.reasons.get(tile.0 as usize);
        reason.is_some_and(|reason| reason.is_kept())
    }

    /// Number of tiles that keep their pixels and are not drawn.
    #[must_use]
    pub fn n_kept(&self) -> usize {
        let kept = self.reasons.iter().filter(|reason| reason.is_kept());
        kept.count()
    }

    /// Tiles whose CRC32 was that of other inputs.
    #[must_use]
    pub fn n_collisions(&self) -> usize {
        let collides = |reason: &&TileReason| {
            matches!(reason, TileReason::Collision | TileReason::TrustedCollision)
        };
        self.reasons.iter().filter(collides).count()
    }

    /// Tiles by reason, in the order of [`TileReason::ALL`]; reasons that no tile has are left out.
    #[must_use]
    pub fn by_reason(&self) -> Vec<(TileReason, usize)> {
        let count = |(reason, ..): (TileReason, _, _)| {
            let same = self.reasons.iter().filter(|of_tile| **of_tile == reason);
            (reason, same.count())
        };
        let counts = TileReason::ALL.map(count);
        counts.into_iter().filter(|(_, n)| *n > 0).collect()
    }
}

/// Result of drawing over a frame buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redrawn {
    /// Present if counters were asked for; they cover the tiles that were drawn.
    pub counters: Option<FrameCounters>,
    /// Outcome of each tile of the frame.
    pub tiles: TileOutcomes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tile_reasons_stand_where_their_names_are_looked_up() {
        for (place, (reason, name, words)) in TileReason::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, place, "{name}");
            assert_eq!((reason.name(), reason.words()), (name, words), "{name}");
        }
    }

    #[test]
    fn tile_outcomes_are_counted_by_reason() {
        let kept = TileOutcomes {
            reasons: vec![
                TileReason::Collision,
                TileReason::EqualInputs,
                TileReason::Collision,
            ],
        };
        let counts = [(TileReason::EqualInputs, 1), (TileReason::Collision, 2)];
        assert_eq!(kept.by_reason(), counts, "kept ones first");
    }
}
