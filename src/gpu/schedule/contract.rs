//! Public test of the contract of tile schedulers: [`check`] plays Raster Units that take tiles at different speeds, on
//! many grids, over frames with costs of all kinds, and says what a scheduler did wrong.

use super::{FrameStart, TileScheduler};
use crate::machine::MachineSpec;
use crate::statistics::TileCost;
use crate::{FrameReport, Gpu};
use azulejo_grid::{TileGrid, TileId, TileOrder};
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, independent};
use azulejo_units::Cycles;

/// Tiles in a row and in a column of the screens that are tried: single ones, lines, prime numbers, powers of two.
const SCREENS: [[u32; 2]; 8] = [
    [1, 1],
    [7, 1],
    [1, 5],
    [2, 2],
    [4, 4],
    [7, 5],
    [8, 8],
    [13, 11],
];

/// Raster Units that are tried.
const UNITS: [usize; 4] = [1, 2, 3, 6];

/// Frames after each other, each after a report of the one before.
const FRAMES: u64 = 4;

/// Pixels of a tile's edge.
const TILE: u32 = 16;

/// A contract that a scheduler breaks: on which screen, and how.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{units} Raster Units on {columns}x{rows} tiles, frame {frame}: {problem}")]
pub struct ContractBreach {
    /// Raster Units that took tiles.
    pub units: usize,
    /// Tiles in a row.
    pub columns: u32,
    /// Tiles in a column.
    pub rows: u32,
    /// Number of the frame, from 0 on.
    pub frame: u64,
    /// Breach of the contract, in words.
    pub problem: String,
}

/// Tries schedulers that `make` gives: every tile of every frame is handed out exactly once, [`TileScheduler::is_done`]
/// says so then and not before, a scheduler that refuses all units while no tile is under way never goes on, and two of
/// them that see the same calls answer the same.
///
/// # Errors
/// The first breach.
pub fn check<S: TileScheduler>(make: impl Fn() -> S) -> Result<(), ContractBreach> {
    for [columns, rows] in SCREENS {
        let reports = Reports::new(columns, rows);
        for units in UNITS {
            let mut play = Play {
                scheduler: make(),
                twin: make(),
                units,
                random: Random(u64::from(columns * 1000 + rows * 10) + units as u64),
            };
            let mut previous = None;
            for frame in 0..FRAMES {
                let played = play.frame(frame, reports.grid(), previous.as_ref());
                played.map_err(|problem| ContractBreach {
                    units,
                    columns,
                    rows,
                    frame,
                    problem,
                })?;
                previous = reports.report(frame, &mut play.random);
            }
        }
    }
    Ok(())
}

/// A number that depends on those before it alone (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit.max(1)
    }
}

/// Reports of one screen with tiles of random costs.
struct Reports(Option<FrameReport>, TileGrid);

impl Reports {
    /// The report of a real frame, for everything but its tiles.
    fn new(columns: u32, rows: u32) -> Self {
        let grid = TileGrid {
            width: columns * TILE,
            height: rows * TILE,
            tile_size: TILE,
        };
        let machine = MachineSpec::built_in("valhall-libra", &[]).ok();
        let gpu = machine.and_then(|machine| Gpu::new(&machine).ok());
        let frame = CoveredScreen::new(grid, independent(InstructionClass::Alu, 1)).frame(0);
        Self(gpu.and_then(|mut gpu| gpu.run_frame(&frame).ok()), grid)
    }

    fn grid(&self) -> TileGrid {
        self.1
    }

    /// Tiles of nothing, of a little and of much, a few left out; now and then all alike.
    fn report(&self, frame: u64, random: &mut Random) -> Option<FrameReport> {
        let mut report = self.0.clone()?;
        report.frame = frame;
        let largest = [1, 1 << 10, 1 << 40][random.below(3) as usize];
        for tile in &mut report.tiles {
            *tile = TileCost {
                skipped: random.below(4) == 0,
                fragment_cycles: Cycles(random.below(largest)),
                ..TileCost::default()
            };
            let cost = &mut tile.cost;
            for counter in [
                &mut cost.warps,
                &mut cost.instructions,
                &mut cost.texture_accesses,
                &mut cost.texture_misses,
            ] {
                *counter = random.below(largest);
            }
            for lines in &mut cost.dram_lines.0 {
                *lines = random.below(largest);
            }
        }
        Some(report)
    }
}

/// Raster Units that take tiles of a scheduler, and of its twin, which must answer the same.
struct Play<S> {
    scheduler: S,
    twin: S,
    units: usize,
    random: Random,
}

impl<S: TileScheduler> Play<S> {
    fn frame(
        &mut self,
        frame: u64,
        grid: TileGrid,
        previous: Option<&FrameReport>,
    ) -> Result<(), String> {
        let now = Cycles(frame * 1_000_000);
        let named = self.random.below(TileOrder::NAMED.len() as u64) as usize;
        let (order, _) = TileOrder::NAMED[named];
        let alternates = self.random.below(2) == 1;
        let start = FrameStart {
            frame,
            now,
            grid,
            drawn: frame,
            order: if alternates {
                order.alternating()
            } else {
                order
            },
            n_raster_units: self.units,
            previous,
        };
        self.scheduler.begin_frame(&start);
        self.twin.begin_frame(&start);
        if self.scheduler.ready_at() != self.twin.ready_at() {
            return Err("two schedulers that see the same are ready at different times".to_owned());
        }
        if self.scheduler.ready_at() == Cycles(u64::MAX) {
            return Err("it is never ready".to_owned());
        }
        self.hand_out(grid)
    }

    /// Units with and without a tile, until no tile is left.
    fn hand_out(&mut self, grid: TileGrid) -> Result<(), String> {
        let mut handed_out = vec![false; grid.n_tiles() as usize];
        let mut n_left = handed_out.len();
        // A unit with a tile is busy; one that was refused waits for another's tile to end.
        let mut busy = vec![false; self.units];
        let mut refused = vec![false; self.units];
        loop {
            if self.scheduler.is_done() != (n_left == 0) {
                return Err(format!(
                    "is_done says {} with {n_left} tiles left",
                    n_left > 0
                ));
            }
            if n_left == 0 {
                return Ok(());
            }
            let asks = |unit: &usize| !busy[*unit] && !refused[*unit];
            let asking: Vec<usize> = (0..self.units).filter(asks).collect();
            let ends: Vec<usize> = (0..self.units).filter(|unit| busy[*unit]).collect();
            // Some units are slow, some fast: either one asks or a tile ends.
            let turn = self.random.below((asking.len() + ends.len()) as u64) as usize;
            if let Some(&unit) = asking.get(turn) {
                match self.next_tile(unit)? {
                    Some(tile) => {
                        mark(&mut handed_out, tile)?;
                        n_left -= 1;
                        busy[unit] = true;
                    }
                    None => refused[unit] = true,
                }
            } else if let Some(&unit) = ends.get(turn - asking.len()) {
                busy[unit] = false;
                refused.fill(false);
            } else {
                return Err(format!(
                    "it refuses every unit with {n_left} tiles left and none under way"
                ));
            }
        }
    }

    /// Next tile of both schedulers, which must agree.
    fn next_tile(&mut self, unit: usize) -> Result<Option<TileId>, String> {
        let (tile, other) = (self.scheduler.next_tile(unit), self.twin.next_tile(unit));
        if tile != other {
            return Err(format!(
                "two schedulers that see the same give unit {unit} {tile:?} and {other:?}"
            ));
        }
        Ok(tile)
    }
}

/// Notes that a tile was handed out.
fn mark(handed_out: &mut [bool], tile: TileId) -> Result<(), String> {
    match handed_out.get_mut(tile.0 as usize) {
        None => Err(format!("tile {} is not on the screen", tile.0)),
        Some(true) => Err(format!("tile {} is handed out twice", tile.0)),
        Some(handed_out) => {
            *handed_out = true;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Alternating, LeastOccupied, StrictAlternating};

    #[test]
    fn baselines_keep_the_contract() {
        assert_eq!(check(Alternating::default), Ok(()), "in turn");
        let strictly = check(StrictAlternating::default);
        assert_eq!(strictly, Ok(()), "in turn, one after the other");
        assert_eq!(check(LeastOccupied::default), Ok(()), "to the emptier unit");
    }

    /// The baseline with a fault.
    #[derive(Debug)]
    struct Faulty {
        inner: LeastOccupied,
        fault: Fault,
        calls: u64,
        last: Option<TileId>,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Fault {
        Twice,
        Unknown,
        Dropped,
        Starved,
        NeverDone,
        NeverReady,
    }

    impl TileScheduler for Faulty {
        fn begin_frame(&mut self, start: &FrameStart<'_>) {
            self.inner.begin_frame(start);
            self.calls = 0;
        }

        fn ready_at(&self) -> Cycles {
            match self.fault {
                Fault::NeverReady => Cycles(u64::MAX),
                _ => Cycles::ZERO,
            }
        }

        fn next_tile(&mut self, unit: usize) -> Option<TileId> {
            self.calls += 1;
            let second = self.calls == 2;
            match self.fault {
                Fault::Twice if second => self.last,
                Fault::Unknown if second => Some(TileId(9999)),
                Fault::Starved if self.calls > 1 => None,
                Fault::Dropped if second => {
                    self.inner.next_tile(unit)?;
                    self.inner.next_tile(unit)
                }
                _ => {
                    self.last = self.inner.next_tile(unit);
                    self.last
                }
            }
        }

        fn is_done(&self) -> bool {
            self.fault != Fault::NeverDone && self.inner.is_done()
        }
    }

    #[test]
    fn contract_finds_every_fault() {
        for (fault, words) in [
            (Fault::Twice, "twice"),
            (Fault::Unknown, "not on the screen"),
            (Fault::Dropped, "is_done says true"),
            (Fault::Starved, "refuses every unit"),
            (Fault::NeverDone, "is_done says false"),
            (Fault::NeverReady, "never ready"),
        ] {
            let breach = check(|| Faulty {
                inner: LeastOccupied::default(),
                fault,
                calls: 0,
                last: None,
            });
            let breach = breach.expect_err("a fault").to_string();
            assert!(breach.contains(words), "{fault:?}: {breach}");
        }
    }
}
