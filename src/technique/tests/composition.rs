//! Schedulers beside eliders and a walk that goes there and back, on machines: random frames, and invariants that hold in
//! any combination. The test keeps the books on its own.

use super::*;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::statistics::TileCost;
use azulejo_trace::synthetic::{TexelPattern, independent};

const SCREEN: TileGrid = TileGrid {
    width: 128,
    height: 96,
    tile_size: 16,
};

/// Frames whose tiles mostly stay, of one to three layers.
fn random_frames(seed: u64) -> Vec<FrameTrace> {
    let mut random = seed;
    let mut below = |limit: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let frames = (0..6).map(|number| {
        let mut screen = CoveredScreen::new(SCREEN, independent(InstructionClass::Texture, 2));
        screen.texels = TexelPattern::ScreenAligned;
        screen.layers = 1 + below(3) as u32;
        let mut frame = screen.frame(number);
        for tile in &mut frame.tiles {
            let input = u32::from(below(4) == 0) * below(3) as u32;
            tile.digests.inputs = input.into();
            tile.digests.input_crc = input;
            tile.digests.color_crc = input / 2;
        }
        frame
    });
    frames.collect()
}

/// A machine with both types of cores; LIBRA ranks single tiles, always.
fn both_types() -> MachineSpec {
    let changes = [
        "technique.libra.order=temperature",
        "technique.libra.supertile_edges=[1]",
    ];
    let overlays = changes.map(|change| change.parse().expect("KEY=VALUE"));
    MachineSpec::built_in("valhall-khepri", &overlays).expect("valid")
}

/// Each frame's report, and the costs of every tile as it was drawn last, before that frame.
fn played(techniques: &[&Technique], frames: &[FrameTrace]) -> Vec<(FrameReport, Vec<TileCost>)> {
    let mut gpu = machine_with(&both_types(), techniques).expect("one scheduler");
    let mut books = vec![TileCost::default(); SCREEN.n_tiles() as usize];
    let mut played = Vec::new();
    for frame in frames {
        let report = gpu.run_frame(frame).expect("it runs");
        assert_eq!(report.check(frame), Ok(()), "conservation");
        let before = books.clone();
        for (book, tile) in books.iter_mut().zip(&report.tiles) {
            book.skipped = tile.skipped;
            if !tile.skipped {
                *book = *tile;
            }
        }
        played.push((report, before));
    }
    played
}

/// The scheduler alone, with each elider and both, and all of these there and back.
fn companies(scheduler: &'static Technique) -> Vec<Vec<&'static Technique>> {
    let eliders = [vec![], vec![&RE], vec![&TE], vec![&RE, &TE]];
    let mut companies = Vec::new();
    for eliders in eliders {
        companies.push([&[scheduler], &*eliders].concat());
        companies.push([&[scheduler, &BOUSTRO], &*eliders].concat());
    }
    companies
}

fn names(company: &[&Technique]) -> String {
    let names: Vec<_> = company.iter().map(|technique| technique.name).collect();
    names.join("+")
}

#[test]
fn what_is_left_out_does_not_depend_on_the_scheduler_or_the_direction() {
    let frames = random_frames(1);
    for scheduler in [&LIBRA, &KHEPRI] {
        for company in companies(scheduler) {
            let rest: Vec<_> = (company.iter().copied())
                .filter(|technique| {
                    technique.name != scheduler.name && technique.name != BOUSTRO.name
                })
                .collect();
            let left_out = |techniques: &[&Technique]| -> Vec<Vec<(bool, bool)>> {
                let of_tile = |tile: &TileCost| (tile.skipped, tile.flush_skipped);
                let reports = played(techniques, &frames).into_iter();
                reports
                    .map(|(report, _)| report.tiles.iter().map(of_tile).collect())
                    .collect()
            };
            assert_eq!(left_out(&company), left_out(&rest), "{}", names(&company));
        }
    }
}

#[test]
fn libra_ranks_tiles_by_what_they_cost_as_they_were_drawn_last() {
    for seed in 1..4 {
        let frames = random_frames(seed);
        for company in companies(&LIBRA) {
            for (number, (report, before)) in played(&company, &frames).iter().enumerate().skip(1) {
                let own = report.technique("libra").expect("on");
                let temperatures = &own.map("temperature").expect("ranked").values;
                let exact = before.iter().map(|tile| {
                    let kinds = [
                        Traffic::Texture,
                        Traffic::ParameterRead,
                        Traffic::ColorLoad,
                        Traffic::ColorFlush,
                    ];
                    let lines: u64 = kinds.iter().map(|kind| tile.cost.dram_lines[*kind]).sum();
                    1000.0 * lines as f64 / tile.cost.instructions as f64
                });
                for (tile, (map, exact)) in temperatures.iter().zip(exact).enumerate() {
                    // Cut off behind 15 bits, below one.
                    let expected = exact.min(1000.0);
                    assert!(
                        (expected - 0.04..=expected).contains(map),
                        "{}: frame {number}, tile {tile}: {map} of {exact}",
                        names(&company)
                    );
                }
                let places = &own.map("supertile").expect("ranked").values;
                let mut by_place: Vec<usize> = (0..places.len()).collect();
                by_place.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
                let falls = by_place
                    .windows(2)
                    .all(|pair| temperatures[pair[0]] >= temperatures[pair[1]]);
                assert!(falls, "{}: hottest first", names(&company));
            }
        }
    }
}

#[test]
fn khepri_ranks_by_last_misses_and_balances_what_was_really_drawn() {
    for seed in 1..4 {
        let frames = random_frames(seed);
        for company in companies(&KHEPRI) {
            for (number, (report, before)) in played(&company, &frames).iter().enumerate().skip(1) {
                let context = format!("{}: frame {number}", names(&company));
                let own = report.technique("khepri").expect("on");
                let map = |name| &own.map(name).expect("ranked").values;
                for (tile, book) in before.iter().enumerate() {
                    let exact =
                        1000.0 * book.cost.texture_misses as f64 / book.cost.instructions as f64;
                    let mpki = map("mpki")[tile];
                    assert!(
                        (exact - 1.0 / 64.0..=exact).contains(&mpki),
                        "{context}, tile {tile}"
                    );
                }
                let drawn = before.iter().filter(|book| !book.skipped);
                let cycles: u64 = drawn.map(|book| book.fragment_cycles.0.min(65_535)).sum();
                let balance = ["compute_balance_cycles", "memory_balance_cycles"]
                    .map(|name| own.counter(name).expect("counted"));
                assert_eq!(
                    balance.iter().sum::<u64>(),
                    cycles,
                    "{context}: skipped tiles weigh nothing"
                );
                for (tile, cost) in report
                    .tiles
                    .iter()
                    .enumerate()
                    .filter(|(_, cost)| !cost.skipped)
                {
                    let kind = map("core_type")[tile];
                    assert_eq!(
                        f64::from(cost.raster_unit),
                        kind,
                        "{context}, tile {tile}: unit 1 has memory cores"
                    );
                }
            }
        }
    }
}
