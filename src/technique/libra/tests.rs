//! The paper's constants, the state machine step by step, and the tiles that each unit gets.

use super::adaptation::{Adaptation, Observed, Plan};
use super::ranking::{memory, ranking_cycles, ratio};
use super::*;
use crate::{LIBRA, RE, machine_with};
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::schedule::contract;
use azulejo_gpu::{Gpu, statistics::TileCost};
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use azulejo_units::Bytes;

fn spec(order: LibraOrder, edges: &[u32]) -> LibraSpec {
    let machine = MachineSpec::built_in("valhall-libra", &[]).expect("shipped");
    let shipped: LibraSpec = machine.technique.part(NAME).get().expect("shipped");
    LibraSpec {
        order,
        supertile_edges: edges.to_vec(),
        ..shipped
    }
}

fn adaptive() -> LibraSpec {
    spec(LibraOrder::Adaptive, &[2, 4, 8, 16])
}

const FULL_HD: TileGrid = TileGrid {
    width: 1920,
    height: 1080,
    tile_size: 32,
};

/// Section III-E: 510 entries of 64 bits, 4080 bytes; 4587 comparisons, 13,761 cycles.
#[test]
fn table_and_ranking_are_those_of_the_paper() {
    let n = [2, 4, 8, 16].map(|edge| n_supertiles(&FULL_HD, edge));
    assert_eq!(n, [510, 135, 40, 12], "supertiles of a full HD screen");
    assert_eq!(ranking_cycles(510), Cycles(13_761), "3 x 4587");
    let table = memory(510, 13_761);
    assert_eq!(table.size, Bytes(4080), "16 + 24 + 15 + 9 bits an entry");
    assert_eq!((table.reads, table.writes), (9174, 9174), "2 x 4587");
}

#[test]
fn supertiles_hold_every_tile_once_in_squares() {
    for edge in [1, 2, 4, 8, 16, 64] {
        let supertiles = supertiles(&FULL_HD, edge, Corner::TopLeft);
        assert_eq!(
            supertiles.len() as u64,
            n_supertiles(&FULL_HD, edge),
            "{edge}"
        );
        let mut seen = vec![false; FULL_HD.n_tiles() as usize];
        for supertile in &supertiles {
            let places = supertile.iter().map(|tile| FULL_HD.column_row(*tile));
            let squares: Vec<_> = places.map(|(x, y)| (x / edge, y / edge)).collect();
            assert!(
                squares.iter().all(|square| *square == squares[0]),
                "one square"
            );
            for tile in supertile {
                let before = std::mem::replace(&mut seen[tile.0 as usize], true);
                assert!(!before, "{edge}: {tile:?} is in two");
            }
        }
        assert!(seen.iter().all(|seen| *seen), "{edge}: all");
    }
}

#[test]
fn ratio_has_fifteen_bits_behind_the_point_and_saturates() {
    assert_eq!(ratio(1, 2), 1 << 14, "a half");
    assert_eq!(ratio(3, 1000), 98, "32768 x 0.003 = 98.3");
    assert_eq!(ratio(5, 5), 32_767, "one is too much");
    assert_eq!(ratio(7, 0), 32_767, "without instructions");
    assert_eq!(ratio(0, 0), 0, "nothing at all");
    assert_eq!(
        ratio(1 << 40, 1 << 24),
        ratio(65_535, (1 << 24) - 1),
        "16 and 24 bits"
    );
}

/// The plans after frames with these raster cycles and hit ratios, the first of which follows nothing.
fn plans(spec: &LibraSpec, frames: &[(u64, f64)]) -> Vec<Plan> {
    let mut adaptation = Adaptation::new(spec);
    assert_eq!(
        adaptation.plan(None),
        Plan::Conventional,
        "nothing is known"
    );
    let frames = frames.iter().map(|(cycles, hit_ratio)| Observed {
        raster_cycles: Cycles(*cycles),
        hit_ratio: *hit_ratio,
    });
    frames.map(|frame| adaptation.plan(Some(frame))).collect()
}

fn hot(edge: u32) -> Plan {
    Plan::Temperature { edge }
}

#[test]
fn size_climbs_while_it_gets_faster_and_turns_when_it_gets_slower() {
    // Less than 3 % each, so that the order stays; 2 of 1000 is less than a quarter per cent.
    let cycles = [1000, 990, 980, 970, 960, 958, 968, 975, 966, 956];
    let frames = cycles.map(|cycles| (cycles, 0.5));
    let expected = [2, 4, 8, 16, 16, 16, 8, 16, 16, 16].map(hot);
    assert_eq!(plans(&adaptive(), &frames), expected, "up, stay, down, up");
}

#[test]
fn size_begins_where_the_machine_says() {
    let begun_at = |first_edge| {
        let own = LibraSpec {
            first_edge,
            ..adaptive()
        };
        plans(&own, &[(1000, 0.5), (990, 0.5), (980, 0.5)])
    };
    assert_eq!(begun_at(0), [2, 4, 8].map(hot), "at the smallest");
    assert_eq!(begun_at(2), [2, 4, 8].map(hot), "which is this");
    assert_eq!(begun_at(8), [8, 16, 16].map(hot), "on from there");
    let change = "technique.libra.first_edge=3".parse().expect("KEY=VALUE");
    let machine = MachineSpec::built_in("valhall-libra", &[change]).expect("a number");
    let error = machine_with(&machine, &[&LIBRA]).expect_err("not listed");
    assert!(error.to_string().contains("first_edge"), "{error}");
}

#[test]
fn supertiles_lie_at_the_corner_where_the_walk_begins() {
    let grid = TileGrid {
        width: 96,
        height: 64,
        tile_size: 32,
    };
    let tiles = |first| -> Vec<Vec<u32>> {
        let groups = supertiles(&grid, 2, first).into_iter();
        groups
            .map(|group| group.into_iter().map(|tile| tile.0).collect())
            .collect()
    };
    assert_eq!(tiles(Corner::TopLeft), [vec![0, 1, 3, 4], vec![2, 5]]);
    assert_eq!(tiles(Corner::TopRight), [vec![2, 1, 5, 4], vec![0, 3]]);
    assert_eq!(tiles(Corner::BottomLeft), [vec![3, 4, 0, 1], vec![5, 2]]);
}

#[test]
fn size_alone_is_never_changed() {
    let fixed = spec(LibraOrder::Temperature, &[8]);
    let frames = [(1000, 0.5), (900, 0.9), (1200, 0.4)];
    assert_eq!(
        plans(&fixed, &frames),
        [hot(8); 3],
        "neither size nor order"
    );
}

#[test]
fn order_follows_the_hit_ratio_where_time_changed_and_toggles_where_both_got_worse() {
    let frames = [
        (1000, 0.90), // one frame: temperature to begin with, whatever hits
        (1020, 0.90), // 2 %: no look at the order; slower, and there is nothing smaller
        (1100, 0.91), // 8 %, more hits than 80 %: conventional
        (1300, 0.60), // slower, fewer hits: the other one
        (1500, 0.50), // again
        (1300, 0.60), // faster, and few hits: temperature, at the size that was left
        (1310, 0.99), // less than 3 %: stays
        (1100, 0.81), // faster, many hits: conventional
    ];
    let expected = [
        hot(2),
        hot(2),
        Plan::Conventional,
        hot(2),
        Plan::Conventional,
        hot(2),
        hot(4),
        Plan::Conventional,
    ];
    let plans = plans(&adaptive(), &frames);
    // The seventh frame is slower by 0.77 %: smaller is not possible, so the direction, downwards since the second, turns
    // up.
    assert_eq!(plans, expected, "step by step");
}

/// A report whose tiles moved `lines` and ran `instructions`.
fn report(grid: TileGrid, cost: impl Fn(usize) -> (u64, u64)) -> FrameReport {
    let machine = MachineSpec::built_in("valhall-libra", &[]).expect("shipped");
    let frame = CoveredScreen::new(grid, independent(InstructionClass::Alu, 1)).frame(0);
    let mut gpu = Gpu::new(&machine).expect("valid");
    let mut report = gpu.run_frame(&frame).expect("runs");
    for (number, tile) in report.tiles.iter_mut().enumerate() {
        let (lines, instructions) = cost(number);
        *tile = TileCost::default();
        tile.cost.instructions = instructions;
        tile.cost.dram_lines[Traffic::Texture] = lines;
        // Geometry is no part of a temperature.
        tile.cost.dram_lines[Traffic::ParameterWrite] = 1000;
    }
    report
}

#[test]
fn first_unit_takes_the_hottest_supertile_and_the_others_the_coldest() {
    let grid = TileGrid {
        width: 4 * 32,
        height: 4 * 32,
        tile_size: 32,
    };
    // Supertiles of 2x2 tiles: the right upper one is hottest, then the left lower, the left upper, the right lower.
    let heat = [[2, 9], [5, 1]];
    let previous = report(grid, |tile| (heat[tile / 8][tile % 4 / 2], 100));
    let mut libra = Libra::new(&adaptive());
    libra.begin_frame(&FrameStart {
        frame: 1,
        drawn: 1,
        now: Cycles(5000),
        grid,
        order: TileOrder::SCAN_LINE,
        n_raster_units: 3,
        previous: Some(&previous),
    });
    let mut next = |unit| libra.next_tile(unit).map(|tile| tile.0);
    assert_eq!(
        [next(0), next(1), next(0)],
        [Some(2), Some(10), Some(3)],
        "Z-order inside"
    );
    assert_eq!(
        [next(2), next(1)],
        [Some(0), Some(11)],
        "the third unit is cold too"
    );
    let rest: Vec<_> = std::iter::from_fn(|| next(0)).collect();
    assert_eq!(rest, [6, 7, 8, 9, 12, 13], "its own, then the next hottest");
    assert_eq!(
        [next(1), next(1), next(1)],
        [Some(14), Some(15), None],
        "nothing is left"
    );
    // 4 x 2 comparisons of three cycles.
    assert_eq!(libra.ready_at(), Cycles(5024), "ranked beside the geometry");
}

#[test]
fn libra_keeps_the_contract_of_schedulers_with_any_parameters() {
    for order in [
        LibraOrder::Adaptive,
        LibraOrder::Temperature,
        LibraOrder::ZOrder,
    ] {
        for edges in [&[2, 4, 8, 16][..], &[1], &[8]] {
            let spec = spec(order, edges);
            assert_eq!(contract::check(|| Libra::new(&spec)), Ok(()), "{spec:?}");
        }
    }
}

#[test]
fn libra_and_rendering_elimination_work_side_by_side() {
    // Skipped tiles are not sampled, and the adaptive order would be the conventional one.
    let always = "technique.libra.order=temperature"
        .parse()
        .expect("KEY=VALUE");
    let machine = MachineSpec::built_in("valhall-libra", &[always]).expect("shipped");
    let mut gpu = machine_with(&machine, &[&RE, &LIBRA]).expect("one scheduler");
    let mut screen = CoveredScreen::new(FULL_HD, independent(InstructionClass::Texture, 2));
    screen.texels = TexelPattern::ScreenAligned;
    for number in 0..4 {
        let frame = screen.frame(number);
        let report = gpu.run_frame(&frame).expect("runs");
        assert_eq!(report.check(&frame), Ok(()), "conservation");
        let own = report.techniques.iter().find(|own| own.technique == NAME);
        let own = own.expect("it reports");
        let is_ranked = own.counter("temperature_frames");
        assert_eq!(is_ranked, Some(u64::from(number > 0)), "frame {number}");
    }
}

#[test]
fn parameters_that_cannot_be_are_refused_by_key() {
    for (change, words) in [
        ("technique.libra.supertile_edges=[3]", "powers of two"),
        ("technique.libra.supertile_edges=[4, 2]", "ascending"),
        ("technique.libra.supertile_edges=[]", "edges in tiles"),
        ("technique.libra.resize_threshold=2", "from 0 to 1"),
        ("technique.libra.order=hot", "temperature"),
        ("technique.libra.sizes=3", "sizes"),
    ] {
        let overlay = change.parse().expect("KEY=VALUE");
        let machine = MachineSpec::built_in("valhall-libra", &[overlay]).expect("read later");
        let error = machine_with(&machine, &[&LIBRA])
            .expect_err(change)
            .to_string();
        assert!(
            error.contains("technique.libra") && error.contains(words),
            "{change}: {error}"
        );
    }
}

/// 4 x 3 tiles; by supertile of 2x2 tiles 3, 6, 12 and 3 lines a thousand instructions.
fn heated() -> FrameReport {
    let grid = TileGrid {
        width: 4 * 32,
        height: 3 * 32,
        tile_size: 32,
    };
    let lines = [2, 4, 0, 6, 4, 2, 12, 6, 9, 15, 1, 5];
    report(grid, |tile| (lines[tile], 1000))
}

/// The scheduler at the beginning of the frame after `previous`, with `drawn` frames before it.
fn begun(spec: &LibraSpec, previous: &FrameReport, order: TileOrder, drawn: u64) -> Libra {
    let mut libra = Libra::new(spec);
    libra.begin_frame(&FrameStart {
        frame: 1,
        drawn,
        now: Cycles(0),
        grid: previous.grid,
        order,
        n_raster_units: 2,
        previous: Some(previous),
    });
    libra
}

fn walk(libra: &mut Libra, unit: usize) -> Vec<u32> {
    let tiles = std::iter::from_fn(|| libra.next_tile(unit));
    tiles.map(|tile| tile.0).collect()
}

#[test]
fn maps_say_what_supertiles_were_ranked_by_and_which_place_they_got() {
    let previous = heated();
    let fixed = spec(LibraOrder::Temperature, &[2]);
    let mut libra = begun(&fixed, &previous, TileOrder::Z_ORDER, 1);
    let report = libra.take_report().expect("it reports");
    let map = |name| &report.map(name).expect("ranked").values;
    let places = [2, 2, 1, 1, 2, 2, 1, 1, 0, 0, 3, 3].map(f64::from);
    assert_eq!(map("supertile"), &places, "12, 6, 3 and 3 in Z-order");
    // In 32768ths, rounded down.
    let per_thousand = |lines: u64| 1000.0 * (lines * 32_768 / 1000) as f64 / 32_768.0;
    let temperatures = [3, 3, 6, 6, 3, 3, 6, 6, 12, 12, 3, 3].map(per_thousand);
    assert_eq!(map("temperature"), &temperatures, "of whole supertiles");
    // Replayed: all tiles of unit 0 come in order of place, all tiles of unit 1 against it.
    let [hot, cold] = [0, 1].map(|unit| {
        let mut libra = begun(&fixed, &previous, TileOrder::Z_ORDER, 1);
        let tiles = walk(&mut libra, unit).into_iter();
        tiles.map(|tile| places[tile as usize]).collect::<Vec<_>>()
    });
    assert!(hot.is_sorted(), "unit 0: {hot:?}");
    assert!(cold.iter().rev().is_sorted(), "unit 1: {cold:?}");
}

#[test]
fn maps_of_the_conventional_order_are_of_single_tiles() {
    let previous = heated();
    let spec = spec(LibraOrder::ZOrder, &[1]);
    let mut libra = begun(&spec, &previous, TileOrder::S_ORDER, 1);
    let report = libra.take_report().expect("it reports");
    let places = [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11].map(f64::from);
    let map = |name| &report.map(name).expect("known").values;
    assert_eq!(map("supertile"), &places, "place in the machine's walk");
    assert!(map("temperature")[6] > map("temperature")[7], "12 and 6");
}

#[test]
fn nothing_is_known_of_temperatures_before_the_first_frame() {
    let mut libra = Libra::new(&adaptive());
    libra.begin_frame(&FrameStart {
        frame: 0,
        drawn: 0,
        now: Cycles(0),
        grid: FULL_HD,
        order: TileOrder::Z_ORDER,
        n_raster_units: 2,
        previous: None,
    });
    let report = libra.take_report().expect("it reports");
    assert_eq!(report.map("temperature"), None, "no frame before");
    assert!(report.map("supertile").is_some(), "the walk is known");
}

#[test]
fn alternating_walk_turns_supertiles_around_and_leaves_the_ranking() {
    let previous = heated();
    let there_and_back = TileOrder::Z_ORDER.alternating();
    let walks = |order, edges: &[u32]| {
        let spec = spec(order, edges);
        [0, 1].map(|drawn| {
            let mut libra = begun(&spec, &previous, there_and_back, drawn);
            walk(&mut libra, 0)
        })
    };
    let [there, back] = walks(LibraOrder::Temperature, &[2]);
    assert_eq!(
        there,
        [8, 9, 2, 3, 6, 7, 0, 1, 4, 5, 10, 11],
        "hottest first"
    );
    let expected = [9, 8, 7, 6, 3, 2, 11, 10, 5, 4, 1, 0];
    assert_eq!(back, expected, "equal ones and tiles of each turned around");
    let [there, back] = walks(LibraOrder::ZOrder, &[2]);
    assert_eq!(there, [0, 1, 4, 5, 8, 9], "every second supertile");
    assert_eq!(back, [11, 10, 7, 6, 3, 2], "from the last one on");
}
