//! A technique for each seam, made for the test: each replacement really acts.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::*;
use azulejo_gpu::cache::{CacheSpec, ReplacementPolicy};
use azulejo_gpu::dram::{
    BankSet, Candidate, Candidates, QueuedRequest, RequestScheduler, oldest_admissible,
};
use azulejo_gpu::machine::Overlay;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::schedule::{FrameStart, LeastOccupied, TileScheduler, contract};
use azulejo_gpu::{CounterUnit, Maker, TechniqueCounter, TechniqueReport};
use azulejo_grid::TileOrder;
use azulejo_trace::synthetic::{TexelPattern, independent};
use azulejo_units::{Cycles, DramCycles};

/// Constructor of a technique's seams.
pub(super) type Build = fn(&MachineSpec) -> Result<Seams, ParameterError>;

pub(super) fn machine(name: &str, changes: &[&str]) -> MachineSpec {
    let overlays: Vec<Overlay> = (changes.iter())
        .map(|change| change.parse().expect("KEY=VALUE"))
        .collect();
    MachineSpec::built_in(name, &overlays).expect("a valid machine")
}

/// A technique of these seams.
pub(super) const fn technique(name: &'static str, build: Build) -> Technique {
    Technique {
        name,
        title: "Test",
        about: "for tests",
        paper: "none",
        build,
        maps: &[],
        host: None,
    }
}

/// A textured screen, covered `layers` times.
pub(super) fn textured(layers: u32) -> CoveredScreen {
    let mut screen = CoveredScreen::new(GRID, independent(InstructionClass::Texture, 1));
    screen.layers = layers;
    screen.texels = TexelPattern::ScreenAligned;
    screen
}

/// The reports of frames 0, 1, ... of a screen.
fn play(
    spec: &MachineSpec,
    techniques: &[&Technique],
    screen: &CoveredScreen,
    n_frames: u64,
) -> Vec<FrameReport> {
    let mut gpu = machine_with(spec, techniques).expect("valid");
    let frames = (0..n_frames).map(|number| gpu.run_frame(&screen.frame(number)));
    frames.collect::<Result<_, _>>().expect("it runs")
}

/// Tiles by the cycle in which they were begun.
fn order_of(report: &FrameReport) -> Vec<u32> {
    let mut order: Vec<u32> = (0..report.tiles.len() as u32).collect();
    order.sort_by_key(|tile| report.tiles[*tile as usize].start);
    order
}

/// Scheduler that hands out the machine's walk backwards.
#[derive(Debug, Default)]
struct Reversed(Vec<TileId>);

impl TileScheduler for Reversed {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.0 = start.walk();
    }

    fn next_tile(&mut self, _: usize) -> Option<TileId> {
        self.0.pop()
    }

    fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        Some(TechniqueReport {
            technique: "reversed",
            counters: vec![TechniqueCounter {
                name: "frames",
                about: "frames walked backwards",
                unit: CounterUnit::Events,
                value: 1,
            }],
            ..TechniqueReport::default()
        })
    }
}

const REVERSED: Technique = technique("reversed", |_| Ok(Seams::of_scheduler(Reversed::default())));

#[test]
fn scheduler_of_a_technique_changes_the_order_of_tiles() {
    let spec = machine("valhall-libra-baseline", &[]);
    let baseline = play(&spec, &[], &textured(1), 1);
    let walk = spec.screen.order.walk(&GRID, 0);
    let walk: Vec<u32> = walk.iter().map(|tile| tile.0).collect();
    assert_eq!(order_of(&baseline[0]), walk, "the machine's own");
    let reversed = play(&spec, &[&REVERSED], &textured(1), 1);
    let backwards: Vec<u32> = walk.into_iter().rev().collect();
    assert_eq!(order_of(&reversed[0]), backwards, "the last first");
    let own = reversed[0].technique("reversed").expect("on");
    assert_eq!(own.counter("frames"), Some(1), "its own counter");
}

#[test]
fn scheduler_of_a_test_keeps_the_contract() {
    assert_eq!(contract::check(Reversed::default), Ok(()), "backwards");
}

#[test]
fn order_of_a_technique_is_the_walk_of_the_scheduler() {
    let spec = machine("valhall-libra-baseline", &[]);
    let s_order = technique("s-order", |_| {
        Ok(Seams {
            order: Some(TileOrder::S_ORDER),
            ..Seams::default()
        })
    });
    let report = &play(&spec, &[&s_order], &textured(1), 1)[0];
    let walk: Vec<u32> = TileOrder::S_ORDER
        .walk(&GRID, 0)
        .iter()
        .map(|tile| tile.0)
        .collect();
    assert_eq!(order_of(report), walk, "every second row backwards");
    let both = &play(&spec, &[&s_order, &REVERSED], &textured(1), 1)[0];
    let backwards: Vec<u32> = walk.into_iter().rev().collect();
    assert_eq!(order_of(both), backwards, "both seams act");
}

/// Replacement policy that keeps the first lines; all later ones share a way.
#[derive(Debug)]
struct FirstWay;

impl ReplacementPolicy for FirstWay {
    fn touch(&mut self, _: usize) {}

    fn fill(&mut self, _: usize) {}

    fn victim(&mut self, set: Range<usize>) -> usize {
        set.start
    }
}

fn first_way(_: CacheSpec) -> Box<dyn ReplacementPolicy> {
    Box::new(FirstWay)
}

/// Hits of each cache over three frames: vertex cache, tile cache, texture caches, L2.
fn hits(technique: Option<&Technique>) -> [u64; 4] {
    let small = [
        "geometry.vertex_cache.size=1KiB",
        "tiling.tile_cache.size=1KiB",
        "core.baseline.texture_cache.size=256B",
        "l2.size=16KiB",
    ];
    let spec = machine("valhall-libra-baseline", &small);
    let techniques: Vec<&Technique> = technique.into_iter().collect();
    let mut hits = [0; 4];
    for report in play(&spec, &techniques, &textured(40), 3) {
        let texture: u64 = report.cores.iter().map(|core| core.texture.hits).sum();
        let l2 = &report.l2;
        let of_l2 = l2.reads.total() - l2.read_misses.total();
        let vertex = report.geometry.vertex_cache.hits();
        for (sum, n) in hits
            .iter_mut()
            .zip([vertex, report.tile_cache.hits(), texture, of_l2])
        {
            *sum += n;
        }
    }
    hits
}

#[test]
fn policy_of_a_technique_changes_the_hits_of_its_cache() {
    let seams: [Build; 4] = [
        |_| {
            Ok(Seams {
                vertex_cache: Some(Maker::new(first_way)),
                ..Seams::default()
            })
        },
        |_| {
            Ok(Seams {
                tile_cache: Some(Maker::new(first_way)),
                ..Seams::default()
            })
        },
        |_| {
            Ok(Seams {
                texture_caches: Some(Maker::new(first_way)),
                ..Seams::default()
            })
        },
        |_| {
            Ok(Seams {
                l2: Some(Maker::new(first_way)),
                ..Seams::default()
            })
        },
    ];
    let baseline = hits(None);
    for (cache, build) in seams.into_iter().enumerate() {
        let changed = hits(Some(&technique("first-way", build)));
        assert_ne!(changed[cache], baseline[cache], "cache {cache}");
    }
}

/// First come, first served: no request passes an older one.
#[derive(Debug)]
struct Fcfs;

impl RequestScheduler for Fcfs {
    fn choose(&mut self, _: DramCycles, candidates: &Candidates<'_>) -> Option<Candidate> {
        let banks = candidates.ready_banks();
        let of_banks = banks.iter().flat_map(|bank| candidates.of_bank(bank));
        let oldest = of_banks.min_by_key(|(_, request)| request.arrival);
        oldest.map(|(candidate, _)| candidate)
    }

    fn admit(&mut self, _: DramCycles, waiting: &[QueuedRequest], full: BankSet) -> Option<usize> {
        oldest_admissible(waiting, full).filter(|at| *at == 0)
    }
}

#[test]
fn request_scheduler_of_a_technique_changes_row_hits() {
    let fcfs = technique("fcfs", |_| {
        fn make(_: u32) -> Box<dyn RequestScheduler> {
            Box::new(Fcfs)
        }
        Ok(Seams {
            requests: Some(Maker::new(make)),
            ..Seams::default()
        })
    });
    let spec = machine("valhall-libra", &[]);
    let mut screen = textured(4);
    screen.texels = TexelPattern::AlwaysNew;
    let [baseline, changed] =
        [vec![], vec![&fcfs]].map(|techniques| play(&spec, &techniques, &screen, 1).remove(0));
    let texels = |report: &FrameReport| report.dram.reads[Traffic::Texture];
    assert_eq!(texels(&changed), texels(&baseline), "the same lines");
    assert_ne!(changed.dram.row_hits, baseline.dram.row_hits, "row hits");
    assert_ne!(changed.cycles, baseline.cycles, "and time");
}

/// The baseline, with `CYCLES` cycles to rank tiles.
#[derive(Debug, Default)]
struct Ranking<const CYCLES: u64> {
    inner: LeastOccupied,
    ready_at: Cycles,
}

impl<const CYCLES: u64> TileScheduler for Ranking<CYCLES> {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.inner.begin_frame(start);
        self.ready_at = start.now + Cycles(CYCLES);
    }

    fn ready_at(&self) -> Cycles {
        self.ready_at
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        self.inner.next_tile(unit)
    }

    fn is_done(&self) -> bool {
        self.inner.is_done()
    }
}

#[test]
fn ranking_hides_behind_geometry_and_holds_the_tiles_back_beyond_it() {
    let spec = machine("valhall-khepri-baseline", &[]);
    let quick = technique("quick", |_| {
        Ok(Seams::of_scheduler(Ranking::<50>::default()))
    });
    let slow = technique("slow", |_| {
        Ok(Seams::of_scheduler(Ranking::<100_000>::default()))
    });
    let [baseline, quick, slow] = [vec![], vec![&quick], vec![&slow]]
        .map(|techniques| play(&spec, &techniques, &textured(1), 3));
    for frame in 0..3 {
        let geometry = baseline[frame].geometry_cycles;
        assert!((Cycles(50)..Cycles(100_000)).contains(&geometry), "between");
        assert_eq!(quick[frame].cycles, baseline[frame].cycles, "hidden");
        assert_eq!(
            slow[frame].geometry_cycles,
            Cycles(100_000),
            "the tiles wait for the ranking"
        );
    }
}

/// Scheduler that serves unit 0 alone until half of the tiles are gone.
#[derive(Debug, Default)]
struct LateUnit {
    inner: LeastOccupied,
    n_tiles: u32,
    n_given: u32,
}

impl TileScheduler for LateUnit {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.inner.begin_frame(start);
        self.n_tiles = start.grid.n_tiles();
        self.n_given = 0;
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        if unit > 0 && self.n_given < self.n_tiles / 2 {
            return None;
        }
        self.n_given += 1;
        self.inner.next_tile(unit)
    }

    fn is_done(&self) -> bool {
        self.inner.is_done()
    }
}

#[test]
fn unit_that_got_no_tile_is_asked_about_again() {
    assert_eq!(contract::check(LateUnit::default), Ok(()), "it is lawful");
    let late = technique("late", |_| Ok(Seams::of_scheduler(LateUnit::default())));
    let spec = machine("valhall-libra", &[]);
    for techniques in [vec![&late], vec![&late, &RE]] {
        for report in play(&spec, &techniques, &textured(4), 2) {
            let drawn = |unit: usize| report.raster_units[unit].tiles;
            assert!(drawn(1) > 0, "unit 1 in the second half");
            assert!(drawn(0) > drawn(1), "unit 0 all the time");
        }
    }
}

/// Tile in the report that a scheduler gets.
#[derive(Debug)]
struct SeenTile {
    instructions: u64,
    skipped: bool,
}

/// Reports that a scheduler gets, frame by frame: the tiles of the one before.
type SeenFrames = Arc<Mutex<Vec<Vec<SeenTile>>>>;

/// Scheduler that records the reports it gets.
#[derive(Debug, Default)]
struct Spy {
    inner: LeastOccupied,
    seen: SeenFrames,
}

impl TileScheduler for Spy {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.inner.begin_frame(start);
        let tiles = start.previous.iter().flat_map(|report| &report.tiles);
        let seen = tiles.map(|tile| SeenTile {
            instructions: tile.cost.instructions,
            skipped: tile.skipped,
        });
        self.seen.lock().expect("alone").push(seen.collect());
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        self.inner.next_tile(unit)
    }

    fn is_done(&self) -> bool {
        self.inner.is_done()
    }
}

#[test]
fn scheduler_sees_the_last_counters_of_tiles_that_were_left_out() {
    let spy = Spy::default();
    let seen = Arc::clone(&spy.seen);
    let spec = spec();
    let seams = [("spy", Seams::of_scheduler(spy)), ("re", seams(&RE))];
    let seams = seams.map(|(technique, seams)| TechniqueSeams { technique, seams });
    let mut gpu = Gpu::with_seams(&spec, seams).expect("valid");
    for frame in mostly_still() {
        gpu.run_frame(&frame).expect("it runs");
    }
    let seen = seen.lock().expect("alone");
    assert!(seen[0].is_empty(), "nothing came before the first");
    for (number, tiles) in seen.iter().enumerate().skip(1) {
        // Frames 2 to 4 are left out as a whole.
        let left_out = (3..=5).contains(&number);
        for tile in tiles {
            assert_eq!(tile.skipped, left_out, "before frame {number}");
            let drawn = tile.instructions;
            assert_eq!(drawn, tiles[0].instructions, "all tiles are alike");
            assert!(drawn > 0, "before frame {number}: as last drawn");
        }
    }
}

#[test]
fn techniques_that_want_one_seam_are_refused_by_name() {
    let late = technique("late", |_| Ok(Seams::of_scheduler(LateUnit::default())));
    let error = machine_with(&spec(), &[&REVERSED, &late]).expect_err("one scheduler");
    assert_eq!(
        error.to_string(),
        "reversed and late both change the tile scheduler, which has room for one technique"
    );
}

#[test]
fn seams_of_different_techniques_act_together() {
    let [alone, both] =
        [vec![&RE], vec![&RE, &REVERSED]].map(|techniques| run(&techniques, &mostly_still()));
    for (alone, both) in alone.iter().zip(&both) {
        assert_eq!(
            alone.tiles_skipped(),
            both.tiles_skipped(),
            "the same tiles"
        );
    }
    let first = &both[0];
    let backwards: Vec<u32> = (0..GRID.n_tiles()).rev().collect();
    assert_eq!(order_of(first), backwards, "in the other order");
}
