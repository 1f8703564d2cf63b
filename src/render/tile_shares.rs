//! Which tiles a Raster Unit draws next. Each has a share of the order in a row, so that it stays in one part of the
//! picture: the texels and triangles there are then in its core's cache, not in those of all. An idle unit steals the back
//! half of the largest share.

use std::sync::atomic::{AtomicU64, Ordering};

use super::output::TILES_TOGETHER;
use azulejo_grid::TileId;

/// Consecutive tiles that a Raster Unit takes at once: rows of neighbouring tiles share cache lines of the picture, which
/// two units that write them at the same time would pass to and fro, and a lock.
const TILES_AT_ONCE: u32 = TILES_TOGETHER;

/// The tiles of an order, shared out among Raster Units.
#[derive(Debug)]
pub(super) struct TileShares<'a> {
    order: &'a [TileId],
    /// Rest of each unit's share: the first position in the upper half and the end in the lower. A position that has been
    /// taken never comes back, so equal bits are the same share.
    left: Vec<AtomicU64>,
}

/// Positions in the order.
#[derive(Debug, Clone, Copy)]
struct Share {
    start: u32,
    end: u32,
}

impl Share {
    const fn of(bits: u64) -> Self {
        Self {
            start: (bits >> 32) as u32,
            end: bits as u32,
        }
    }

    const fn bits(self) -> u64 {
        (self.start as u64) << 32 | self.end as u64
    }

    const fn len(self) -> u32 {
        self.end - self.start
    }
}

impl<'a> TileShares<'a> {
    /// Equal shares for so many units.
    pub(super) fn new(order: &'a [TileId], units: usize) -> Self {
        let share = order.len().div_ceil(units.max(1));
        let share = share.next_multiple_of(TILES_AT_ONCE as usize);
        let end = |unit: usize| (unit * share).min(order.len()) as u32;
        let of_unit = |unit: usize| Share {
            start: end(unit),
            end: end(unit + 1),
        };
        Self {
            order,
            left: (0..units)
                .map(|unit| AtomicU64::new(of_unit(unit).bits()))
                .collect(),
        }
    }

    /// The next tiles of a unit; `None` once others draw all that are left.
    pub(super) fn next(&self, unit: usize) -> Option<&'a [TileId]> {
        loop {
            let take = |bits: u64| {
                let share = Share::of(bits);
                let start = share.end.min(share.start + TILES_AT_ONCE);
                (share.len() > 0).then(|| Share { start, ..share }.bits())
            };
            let taken = self.left[unit].try_update(Ordering::Relaxed, Ordering::Relaxed, take);
            if let Ok(bits) = taken {
                let Share { start, end } = Share::of(bits);
                let end = end.min(start + TILES_AT_ONCE);
                return Some(&self.order[start as usize..end as usize]);
            }
            self.take_half(unit)?;
        }
    }

    /// Gives a unit without tiles left the back half of the largest share; `None` if all shares are empty.
    fn take_half(&self, unit: usize) -> Option<()> {
        loop {
            let shares = (self.left.iter()).map(|of| (of, of.load(Ordering::Relaxed)));
            let (of, bits) = shares.max_by_key(|(_, bits)| Share::of(*bits).len())?;
            let share = Share::of(bits);
            if share.len() == 0 {
                return None;
            }
            let kept = (share.len() / 2).next_multiple_of(TILES_AT_ONCE);
            let kept = if kept < share.len() { kept } else { 0 };
            let middle = share.start + kept;
            let front = Share {
                end: middle,
                ..share
            };
            let rear = Share {
                start: middle,
                ..share
            };
            let given =
                of.compare_exchange(bits, front.bits(), Ordering::Relaxed, Ordering::Relaxed);
            if given.is_ok() {
                // No unit takes from a share that is empty.
                self.left[unit].store(rear.bits(), Ordering::Relaxed);
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order(n: u32) -> Vec<TileId> {
        (0..n).map(|at| TileId(at * 7 % 1009)).collect()
    }

    /// All that a unit gets from here on.
    fn drain(shares: &TileShares<'_>, unit: usize) -> Vec<TileId> {
        let runs = std::iter::from_fn(|| shares.next(unit));
        runs.flatten().copied().collect()
    }

    fn sorted(mut tiles: Vec<TileId>) -> Vec<TileId> {
        tiles.sort_unstable();
        tiles
    }

    #[test]
    fn tile_shares_of_one_unit_are_the_order() {
        let order = order(83);
        let shares = TileShares::new(&order, 1);
        assert_eq!(drain(&shares, 0), order, "from the first to the last");
    }

    #[test]
    fn tile_shares_of_a_unit_that_sleeps_are_drawn_by_another() {
        let order = order(83);
        let shares = TileShares::new(&order, 2);
        let drawn = drain(&shares, 1);
        assert_eq!(shares.next(0), None, "nothing is left");
        assert_eq!(drawn[..39], order[44..], "its own share first");
        assert_eq!(sorted(drawn), sorted(order), "each once");
    }

    proptest! {
        #[test]
        fn tile_shares_give_every_tile_once(n in 0_u32..300, units in 1_usize..9, turns in prop::collection::vec(0_usize..9, 400)) {
            let order = order(n);
            let shares = TileShares::new(&order, units);
            let mut drawn: Vec<TileId> = Vec::new();
            // Units at different speeds, then each until it finds nothing.
            for unit in turns.into_iter().filter(|unit| *unit < units) {
                drawn.extend(shares.next(unit).into_iter().flatten());
            }
            for unit in 0..units {
                drawn.extend(drain(&shares, unit));
            }
            prop_assert_eq!(sorted(drawn), sorted(order));
        }
    }

    #[test]
    fn tile_shares_give_every_tile_once_to_threads_that_race() {
        let order = order(1009);
        for _ in 0..20 {
            let shares = TileShares::new(&order, 8);
            let drawn = std::thread::scope(|scope| {
                let units = [0, 1, 2, 3, 4, 5, 6, 7].map(|unit| {
                    let shares = &shares;
                    scope.spawn(move || drain(shares, unit))
                });
                units
                    .map(|unit| unit.join().expect("nobody panics"))
                    .concat()
            });
            assert_eq!(sorted(drawn), sorted(order.clone()), "each once");
        }
    }
}
