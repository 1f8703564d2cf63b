//! Breaches of a seam by a technique are errors that name it: tiles that come twice or never, and machines that stand
//! still.

use super::seams::{Build, machine, technique, textured};
use super::*;
use azulejo_gpu::elide::BinningItem;
use azulejo_gpu::schedule::{FrameStart, LeastOccupied, TileScheduler};
use azulejo_gpu::{FrameError, ScheduleBreach};
use azulejo_units::Cycles;

/// Error of a machine whose scheduler breaks the contract.
fn refused(spec: &MachineSpec, build: Build) -> FrameError {
    let mut gpu = machine_with(spec, &[&technique("faulty", build)]).expect("valid");
    let outcome = gpu.run_frame(&textured(1).frame(0));
    outcome.expect_err("a breach")
}

/// The baseline with a fault: one breach of the contract.
#[derive(Debug)]
struct Faulty {
    inner: LeastOccupied,
    fault: ScheduleBreach,
    calls: u32,
}

impl Faulty {
    fn seams(fault: ScheduleBreach) -> Seams {
        Seams::of_scheduler(Self {
            inner: LeastOccupied::default(),
            fault,
            calls: 0,
        })
    }
}

impl TileScheduler for Faulty {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.inner.begin_frame(start);
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        self.calls += 1;
        let tile = self.inner.next_tile(unit);
        match self.fault {
            ScheduleBreach::Twice if self.calls == 2 => Some(TileId(0)),
            ScheduleBreach::Unknown if self.calls == 2 => Some(TileId(GRID.n_tiles())),
            ScheduleBreach::Dropped if self.calls == 2 => self.inner.next_tile(unit),
            _ => tile,
        }
    }

    fn is_done(&self) -> bool {
        self.inner.is_done()
    }
}

#[test]
fn tile_handed_out_wrongly_is_an_error_that_names_it_and_the_technique() {
    let spec = machine("valhall-libra-baseline", &[]);
    let twice = refused(&spec, |_| Ok(Faulty::seams(ScheduleBreach::Twice)));
    assert_eq!(
        twice.to_string(),
        "the tile scheduler of technique faulty handed tile 0 out twice in a frame"
    );
    let unknown = refused(&spec, |_| Ok(Faulty::seams(ScheduleBreach::Unknown)));
    assert_eq!(
        unknown.to_string(),
        "the tile scheduler of technique faulty handed tile 12 out, which the grid does not have"
    );
    let dropped = refused(&spec, |_| Ok(Faulty::seams(ScheduleBreach::Dropped)));
    assert_eq!(
        dropped.to_string(),
        "the tile scheduler of technique faulty says that all tiles are handed out, and tile 1 is not"
    );
}

/// Scheduler that never hands anything out.
#[derive(Debug, Default)]
struct Miser;

impl TileScheduler for Miser {
    fn begin_frame(&mut self, _: &FrameStart<'_>) {}

    fn next_tile(&mut self, _: usize) -> Option<TileId> {
        None
    }

    fn is_done(&self) -> bool {
        false
    }
}

/// Tiled machines without and with a display that reads all the time.
fn without_and_with_display() -> [(&'static str, MachineSpec); 2] {
    [
        ("valhall-libra", &[][..]),
        ("emerald-soc", &["pipeline=tiled"]),
    ]
    .map(|(name, changes)| (name, machine(name, changes)))
}

#[test]
fn scheduler_that_hands_nothing_out_is_a_deadlock_by_name() {
    for (name, spec) in without_and_with_display() {
        let error = refused(&spec, |_| Ok(Seams::of_scheduler(Miser)));
        let text = error.to_string();
        let words = "the tile scheduler of technique faulty has 12 tiles left and none";
        assert!(text.contains(words), "{name}: {text}");
    }
}

/// Elider that puts the Polygon List Builder off from cycle to cycle.
#[derive(Debug)]
struct Procrastinator;

impl Elider for Procrastinator {
    fn begin_frame(&mut self, _: &FrameTrace, _: u32) {}

    fn ready(&mut self, _: BinningItem, now: Cycles) -> Cycles {
        now + Cycles(1)
    }
}

/// Elider that is never done with the geometry.
#[derive(Debug)]
struct NeverDone;

impl Elider for NeverDone {
    fn begin_frame(&mut self, _: &FrameTrace, _: u32) {}

    fn done_at(&self) -> Cycles {
        Cycles(u64::MAX)
    }
}

#[test]
fn elider_that_never_goes_on_is_a_deadlock_also_where_a_display_refreshes() {
    for (name, spec) in without_and_with_display() {
        let put_off = refused(&spec, |_| Ok(Seams::of_elider(Procrastinator))).to_string();
        let words = "the Polygon List Builder has 1 triangles left";
        assert!(put_off.contains(words), "{name}: {put_off}");
        let never = refused(&spec, |_| Ok(Seams::of_elider(NeverDone))).to_string();
        assert!(never.contains("faulty"), "{name}: {never}");
    }
}
