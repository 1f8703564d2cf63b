//! Affinity of tiles for a type of core (section III-B): profiles of the frame before in, an affinity for each tile out.

use std::cmp::Reverse;

use azulejo_gpu::statistics::TileCost;

/// Type of core that a tile is better drawn by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Affinity {
    Compute,
    Memory,
}

impl Affinity {
    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::Compute => Self::Memory,
            Self::Memory => Self::Compute,
        }
    }
}

/// Bits behind the point of a tile's MPKI.
const MPKI_FRACTION: u32 = 6;

/// Entry of a tile in the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Profile {
    /// Cycles in the fragment stage.
    pub(super) cycles: u16,
    /// Misses per thousand instructions, in 64ths.
    pub(super) mpki: u16,
}

impl Profile {
    pub(super) fn of(tile: &TileCost) -> Self {
        let cycles = if tile.skipped {
            0
        } else {
            tile.fragment_cycles.0
        };
        Self {
            cycles: u16::try_from(cycles).unwrap_or(u16::MAX),
            mpki: mpki(tile.cost.texture_misses, tile.cost.instructions),
        }
    }

    /// MPKI as a number.
    pub(super) fn misses_per_thousand(&self) -> f64 {
        f64::from(self.mpki) / f64::from(1 << MPKI_FRACTION)
    }
}

/// MPKI in 64ths; misses without instructions saturate.
fn mpki(misses: u64, instructions: u64) -> u16 {
    let scaled = (u128::from(misses) * 1000) << MPKI_FRACTION;
    let mpki = match (misses, instructions) {
        (0, _) => 0,
        (_, 0) => u128::MAX,
        _ => scaled / u128::from(instructions),
    };
    u16::try_from(mpki).unwrap_or(u16::MAX)
}

/// Ranks tiles by MPKI and deals them from both ends: whichever side has less time takes the next of its end, memory first.
pub(super) fn affinities(profiles: &[Profile]) -> Vec<Affinity> {
    let mut ranking: Vec<usize> = (0..profiles.len()).collect();
    ranking.sort_by_key(|tile| Reverse(profiles[*tile].mpki));
    let mut affinities = vec![Affinity::Compute; profiles.len()];
    // Time and tiles of each side: where times are equal, as of tiles that were left out, both take as many.
    let (mut memory, mut compute) = ((0_u64, 0_u64), (0_u64, 0_u64));
    let mut left = ranking.into_iter();
    loop {
        let memory_takes = memory <= compute;
        let tile = if memory_takes {
            left.next()
        } else {
            left.next_back()
        };
        let Some(tile) = tile else {
            return affinities;
        };
        let cycles = u64::from(profiles[tile].cycles);
        let side = if memory_takes {
            affinities[tile] = Affinity::Memory;
            &mut memory
        } else {
            &mut compute
        };
        *side = (side.0 + cycles, side.1 + 1);
    }
}
