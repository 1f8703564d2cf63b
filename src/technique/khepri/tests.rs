//! The paper's constants, maps small enough to work out by hand, and the whole scheduler.

use super::affinity::{Affinity, Profile, affinities};
use super::regions::{TypeMap, join_small_regions, regions, swap_isolated};
use super::*;
use crate::{KHEPRI, RE, machine_with};
use azulejo_gpu::Gpu;
use azulejo_gpu::schedule::contract;
use azulejo_gpu::statistics::TileCost;
use azulejo_grid::{TileGrid, TileOrder};
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use proptest::prelude::*;

fn grid(columns: u32, rows: u32) -> TileGrid {
    TileGrid {
        width: 32 * columns,
        height: 32 * rows,
        tile_size: 32,
    }
}

/// `M` for memory, anything else for compute; one row a text.
fn map(rows: &[&str]) -> TypeMap {
    let letters = rows.concat();
    let types = letters.chars().map(|letter| match letter {
        'M' => Affinity::Memory,
        _ => Affinity::Compute,
    });
    TypeMap::new(
        &grid(rows[0].len() as u32, rows.len() as u32),
        types.collect(),
    )
}

fn text(map: &TypeMap, columns: usize) -> Vec<String> {
    let letter = |affinity: &Affinity| match affinity {
        Affinity::Memory => 'M',
        Affinity::Compute => '.',
    };
    let rows = map.types.chunks(columns);
    rows.map(|row| row.iter().map(letter).collect()).collect()
}

/// Section V-C: 2040 tiles, 71,365 and 18,360 cycles, 16.4 KB.
#[test]
fn ranking_and_tables_are_those_of_the_paper() {
    assert_eq!(ranking_cycles(2040), 71_365, "affinity");
    assert_eq!(locality_cycles(2040, 1), 18_360, "locality");
    let memories = memories(&FrameCounters {
        n_tiles: 2040,
        passes: 1,
        ranking: 89_725,
        ..FrameCounters::default()
    });
    let bytes: Vec<_> = memories
        .iter()
        .map(|memory| memory.size.0 * u64::from(memory.count))
        .collect();
    assert_eq!(bytes[0], 2040 * 44 / 8, "16 + 16 + 1 + 11 bits a tile");
    let kib = (bytes[0] + bytes[1]) as f64 / 1024.0;
    assert!((kib - 16.4).abs() < 0.05, "table and queues: {kib:.2} KiB");
}

#[test]
fn tiles_are_dealt_from_both_ends_to_whichever_side_has_less_time() {
    let tile = |cycles, mpki| Profile { cycles, mpki };
    let profiles = [
        tile(10, 1),
        tile(40, 9),
        tile(10, 3),
        tile(20, 7),
        tile(10, 2),
    ];
    // Memory: 40. Compute: 10, 20, 30, 50 from the cold end, as it has less until the end.
    let expected = [
        Affinity::Compute,
        Affinity::Memory,
        Affinity::Compute,
        Affinity::Compute,
        Affinity::Compute,
    ];
    assert_eq!(affinities(&profiles), expected, "50 against 40");
    let skipped = [tile(0, 5); 4];
    let n_memory = affinities(&skipped)
        .iter()
        .filter(|a| **a == Affinity::Memory)
        .count();
    assert_eq!(n_memory, 2, "without time, by number");
}

proptest! {
    /// Neither side has more than the other and the longest tile on top, and no tile for compute is hotter than one for
    /// memory.
    #[test]
    fn affinities_balance_and_respect_the_ranking(
        tiles in prop::collection::vec((0..1000_u16, 0..50_u16), 1..200),
    ) {
        let profiles: Vec<_> = tiles.iter().map(|(cycles, mpki)| Profile { cycles: *cycles, mpki: *mpki }).collect();
        let affinities = affinities(&profiles);
        let of = |side: Affinity| {
            profiles.iter().zip(&affinities).filter(move |(_, a)| **a == side).map(|(p, _)| *p)
        };
        let sum = |side| of(side).map(|p| u64::from(p.cycles)).sum::<u64>();
        let longest = profiles.iter().map(|p| u64::from(p.cycles)).max().unwrap_or(0);
        prop_assert!(sum(Affinity::Memory).abs_diff(sum(Affinity::Compute)) <= longest);
        let coldest_memory = of(Affinity::Memory).map(|p| p.mpki).min();
        let hottest_compute = of(Affinity::Compute).map(|p| p.mpki).max();
        if let (Some(memory), Some(compute)) = (coldest_memory, hottest_compute) {
            prop_assert!(memory >= compute);
        }
    }

    /// Swapping keeps the numbers of both types; joining leaves no small region; every tile is in one region of its type.
    #[test]
    fn regions_cover_the_screen_and_none_is_small(
        columns in 1..12_u32, rows in 1..12_u32, seed in any::<u64>(), least in 1..12_usize,
    ) {
        let grid = grid(columns, rows);
        let mut bits = seed;
        let types = (0..grid.n_tiles()).map(|_| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if bits >> 63 == 0 { Affinity::Memory } else { Affinity::Compute }
        });
        let mut map = TypeMap::new(&grid, types.collect());
        let n_memory = |map: &TypeMap| map.types.iter().filter(|a| **a == Affinity::Memory).count();
        let before = n_memory(&map);
        swap_isolated(&mut map);
        prop_assert_eq!(n_memory(&map), before);
        join_small_regions(&mut map, least);
        let found = regions(&map);
        let mut tiles: Vec<_> = found.iter().flat_map(|region| region.in_s_order(&grid)).collect();
        tiles.sort_unstable();
        prop_assert_eq!(tiles, (0..grid.n_tiles()).map(TileId).collect::<Vec<_>>());
        for region in &found {
            let tiles = region.in_s_order(&grid);
            prop_assert!(found.len() == 1 || tiles.len() >= least);
            prop_assert!(tiles.iter().all(|tile| map.types[tile.0 as usize] == region.affinity));
        }
    }
}

#[test]
fn isolated_tiles_change_sides_in_pairs() {
    // One M alone among compute tiles, one compute tile alone among M.
    let mut both = map(&["......", ".M....", "......", "MMMMMM", "MMMM.M", "MMMMMM"]);
    assert_eq!(swap_isolated(&mut both), 2, "a pair");
    assert_eq!(
        text(&both, 6),
        ["......", "......", "......", "MMMMMM", "MMMMMM", "MMMMMM"],
        "both have joined what is around them"
    );
    let mut single = map(&["......", ".M....", "......"]);
    assert_eq!(swap_isolated(&mut single), 0, "nobody to change with");
}

#[test]
fn highly_isolated_are_tiles_with_six_of_eight_neighbours_of_the_other_type() {
    // Both tiles of each pair touch one of their own and seven others.
    let mut pairs = map(&["......", ".MM...", "......", "MMMMMM", "MM..MM", "MMMMMM"]);
    assert_eq!(swap_isolated(&mut pairs), 4, "two pairs");
    let mut blocks = map(&[
        "......", ".MMM..", ".MMM..", "......", "......", "MMMMMM", "MMMMMM", "M...MM", "M...MM",
        "MMMMMM",
    ]);
    // Corners of a block of 3x2 touch three of their own: five of eight are others.
    assert_eq!(swap_isolated(&mut blocks), 0, "5/8 is less than 75 %");
}

#[test]
fn small_regions_join_what_surrounds_them() {
    let mut island = map(&["......", ".MMM..", ".MMM..", "......"]);
    assert_eq!(
        join_small_regions(&mut island, 8).tiles,
        6,
        "six are too few"
    );
    assert_eq!(regions(&island).len(), 1, "all compute");
    let mut large = map(&["......", ".MMMM.", ".MMMM.", "......"]);
    assert_eq!(
        join_small_regions(&mut large, 8).tiles,
        0,
        "eight are enough"
    );
    assert_eq!(regions(&large).len(), 2, "ring and block");
}

#[test]
fn regions_come_in_scan_order_and_are_walked_in_s_order() {
    let map = map(&[".MMM", ".M.M", "..MM"]);
    let grid = grid(4, 3);
    let walks: Vec<Vec<u32>> = regions(&map)
        .iter()
        .map(|region| region.in_s_order(&grid).iter().map(|tile| tile.0).collect())
        .collect();
    let expected = [vec![0, 4, 8, 9], vec![1, 2, 3, 7, 5, 10, 11], vec![6]];
    assert_eq!(
        walks, expected,
        "left to right, right to left, left to right"
    );
}

#[test]
fn flood_fills_are_made_until_no_region_is_small() {
    let cases: [(&[&str], u64, &str); 5] = [
        (&["MMMM....", "MMMM...."], 1, "nothing to join"),
        (&["........", "...M...."], 2, "an island, and then nothing"),
        (
            &["........", ".MMM....", ".M.M....", ".MMM...."],
            2,
            "the tile within the ring goes nowhere: the ring comes to it",
        ),
        (
            &["M.MMMM", "..MMMM", "MMMMMM"],
            3,
            "a corner joins three tiles, the four of them all others",
        ),
        (&["M.", "MM"], 2, "a screen of one small region"),
    ];
    for (rows, passes, why) in cases {
        let joined = join_small_regions(&mut map(rows), 8);
        assert_eq!(joined.passes, passes, "{why}: {rows:?}");
    }
}

#[test]
fn each_flood_fill_costs_seven_cycles_a_tile() {
    // 16 of 32 tiles are hot: 14 at the left, and two apart from them at the right, which are no tiles that lie alone.
    let rows = ["MMMM....", "MMMM....", "MMM...MM", "MMM....."];
    let hot = |tile: usize| rows[tile / 8].as_bytes()[tile % 8] == b'M';
    let previous = report(grid(8, 4), |tile| if hot(tile) { 90 } else { 10 });
    let mut khepri = begun(&previous, TileOrder::Z_ORDER, 1);
    let ready = khepri.ready_at();
    let own = khepri.take_report().expect("it reports");
    let counted = |name| own.counter(name).expect("counted");
    assert_eq!((counted("isolated_tiles"), counted("joined_tiles")), (0, 2));
    assert_eq!(counted("passes"), 2, "with the pair, and without");
    // 3 x 160 comparisons, two cycles a tile to deal them, two to look for isolated ones, seven in each of two flood fills.
    let cycles = 480 + (2 + 2 + 2 * 7) * 32;
    assert_eq!(counted("ranking_cycles"), cycles);
    assert_eq!(ready, Cycles(100 + cycles), "beside the geometry");
    let visited = own
        .memories
        .iter()
        .find(|memory| memory.name == "Visited Tiles");
    assert_eq!(visited.map(|memory| memory.writes), Some(2 * 32), "marks");
}

fn shipped() -> MachineSpec {
    MachineSpec::built_in("valhall-khepri", &[]).expect("shipped")
}

fn scheduler(spec: &MachineSpec) -> Khepri {
    Khepri::new(spec, &spec.technique.part(NAME)).expect("a machine for it")
}

/// A report of tiles that took 100 cycles each, with these misses a thousand instructions.
fn report(grid: TileGrid, mpki: impl Fn(usize) -> u64) -> FrameReport {
    let frame = CoveredScreen::new(grid, independent(InstructionClass::Alu, 1)).frame(0);
    let mut gpu = Gpu::new(&shipped()).expect("valid");
    let mut report = gpu.run_frame(&frame).expect("runs");
    for (number, tile) in report.tiles.iter_mut().enumerate() {
        *tile = TileCost {
            fragment_cycles: Cycles(100),
            ..TileCost::default()
        };
        tile.cost.instructions = 1000;
        tile.cost.texture_misses = mpki(number);
    }
    report
}

/// The scheduler at the beginning of the frame after `previous`, before which `drawn` frames were drawn.
fn begun(previous: &FrameReport, order: TileOrder, drawn: u64) -> Khepri {
    let mut khepri = scheduler(&shipped());
    khepri.begin_frame(&FrameStart {
        frame: 1,
        drawn,
        now: Cycles(100),
        grid: previous.grid,
        order,
        n_raster_units: 2,
        previous: Some(previous),
    });
    khepri
}

/// Tiles handed to both units: the one with compute cores, the one with memory cores.
fn walks(khepri: &mut Khepri) -> [Vec<u32>; 2] {
    [0, 1].map(|unit| {
        let tiles = std::iter::from_fn(|| khepri.next_tile(unit));
        tiles.map(|tile| tile.0).collect()
    })
}

#[test]
fn hot_half_goes_to_the_memory_cores() {
    let previous = report(grid(8, 4), |tile| if tile % 8 < 4 { 90 } else { 10 });
    let mut khepri = begun(&previous, TileOrder::Z_ORDER, 1);
    let cold = [4, 5, 6, 7, 15, 14, 13, 12, 20, 21, 22, 23, 31, 30, 29, 28];
    let hot = [0, 1, 2, 3, 11, 10, 9, 8, 16, 17, 18, 19, 27, 26, 25, 24];
    assert_eq!(walks(&mut khepri), [cold, hot], "each half row by row");
    assert!(khepri.is_done(), "all");
    // 32 tiles: 3 x 160 comparisons, 2 x 32, 9 x 32.
    assert_eq!(
        khepri.ready_at(),
        Cycles(100 + 480 + 64 + 288),
        "beside the geometry"
    );
}

#[test]
fn alternating_walk_goes_through_regions_backwards_in_every_second_frame() {
    // Four regions: two of each type, of eight tiles each.
    let previous = report(grid(8, 4), |tile| if tile % 4 < 2 { 90 } else { 10 });
    let there_and_back = TileOrder::Z_ORDER.alternating();
    let [there, back] = [2, 3].map(|drawn| walks(&mut begun(&previous, there_and_back, drawn)));
    let compute = [2, 3, 11, 10, 18, 19, 27, 26, 6, 7, 15, 14, 22, 23, 31, 30];
    let memory = [0, 1, 9, 8, 16, 17, 25, 24, 4, 5, 13, 12, 20, 21, 29, 28];
    assert_eq!(there, [compute, memory], "region by region");
    let backwards = there.map(|walk| walk.into_iter().rev().collect::<Vec<_>>());
    assert_eq!(back, backwards, "the last tile of the last region first");
    let stays = walks(&mut begun(&previous, TileOrder::Z_ORDER, 3));
    assert_eq!(
        stays,
        [compute, memory],
        "not where the machine's walk stays"
    );
}

/// Tiles that touch, with the smallest number of those that they are connected with: spread until nothing changes.
fn connected(kinds: &[f64], columns: usize) -> Vec<usize> {
    let mut names: Vec<usize> = (0..kinds.len()).collect();
    loop {
        let before = names.clone();
        for tile in 0..kinds.len() {
            let right = (tile % columns + 1 < columns).then_some(tile + 1);
            let below = Some(tile + columns).filter(|below| *below < kinds.len());
            for other in right.into_iter().chain(below) {
                if kinds[tile] == kinds[other] {
                    let least = names[tile].min(names[other]);
                    (names[tile], names[other]) = (least, least);
                }
            }
        }
        if names == before {
            return names;
        }
    }
}

#[test]
fn maps_say_which_cores_and_region_each_tile_got() {
    // One hot tile alone among cold ones and the other way round: they change sides.
    let rows = [
        [9, 9, 9, 9, 1, 1, 1, 1],
        [9, 2, 9, 9, 1, 1, 8, 1],
        [9, 9, 9, 9, 1, 1, 1, 1],
    ];
    let previous = report(grid(8, 3), |tile| rows[tile / 8][tile % 8]);
    let mut khepri = begun(&previous, TileOrder::Z_ORDER, 1);
    let walks = walks(&mut khepri);
    let own = khepri.take_report().expect("it reports");
    let map = |name| &own.map(name).expect("ranked").values;
    let flat = rows.concat();
    assert_eq!(
        map("mpki"),
        &flat.iter().map(|n| *n as f64).collect::<Vec<_>>(),
        "as counted"
    );
    let alone: Vec<f64> = flat.iter().map(|n| f64::from(u8::from(*n > 7))).collect();
    assert_eq!(map("affinity"), &alone, "twelve hottest, twelve coldest");
    let halves: Vec<f64> = (0..24)
        .map(|tile| f64::from(u8::from(tile % 8 < 4)))
        .collect();
    assert_eq!(map("core_type"), &halves, "without the isolated ones");
    for (unit, walk) in walks.iter().enumerate() {
        for tile in walk {
            assert_eq!(map("core_type")[*tile as usize], unit as f64, "tile {tile}");
        }
    }
    let regions = map("region");
    let names = connected(map("core_type"), 8);
    for a in 0..24 {
        for b in 0..24 {
            assert_eq!(
                regions[a] == regions[b],
                names[a] == names[b],
                "{a} and {b}"
            );
        }
    }
}

#[test]
fn khepri_keeps_the_contract_of_schedulers_on_its_machine() {
    for units in ["2", "3", "6"] {
        let overlay = format!("raster.units={units}").parse().expect("KEY=VALUE");
        let machine = MachineSpec::built_in("valhall-khepri", &[overlay]).expect("valid");
        assert_eq!(contract::check(|| scheduler(&machine)), Ok(()), "{units}");
    }
}

#[test]
fn khepri_and_rendering_elimination_work_side_by_side() {
    let mut gpu = machine_with(&shipped(), &[&RE, &KHEPRI]).expect("one scheduler");
    let mut screen = CoveredScreen::new(grid(20, 12), independent(InstructionClass::Texture, 2));
    screen.texels = TexelPattern::ScreenAligned;
    for number in 0..4 {
        let frame = screen.frame(number);
        let report = gpu.run_frame(&frame).expect("runs");
        assert_eq!(report.check(&frame), Ok(()), "conservation");
        let own = report.techniques.iter().find(|own| own.technique == NAME);
        let own = own.expect("it reports");
        let dealt = own
            .counter("compute_tiles")
            .zip(own.counter("memory_tiles"));
        let expected = if number > 0 { 240 } else { 0 };
        assert_eq!(dealt.map(|(c, m)| c + m), Some(expected), "frame {number}");
    }
}

#[test]
fn machine_without_two_kinds_of_cores_is_refused_with_the_reason() {
    for (name, change) in [
        ("valhall-libra", None),
        (
            "valhall-khepri",
            Some("technique.khepri.memory_cores=tensor"),
        ),
        ("valhall-khepri", Some("raster.units=1")),
    ] {
        let overlays: Vec<_> = change
            .iter()
            .map(|change| change.parse().expect("KEY=VALUE"))
            .collect();
        let machine = MachineSpec::built_in(name, &overlays).expect("read later");
        let error = machine_with(&machine, &[&KHEPRI])
            .expect_err(name)
            .to_string();
        let words = "technique.khepri.memory_cores";
        assert!(
            error.contains(words) && error.contains("valhall-khepri"),
            "{error}"
        );
    }
}
