//! Line-ups, sums and figures over games made for the test.

use super::*;
use crate::figures::{FigureRow, FigureSpec};
use azulejo_grid::TileGrid;
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};

fn machine(name: &str) -> MachineSpec {
    MachineSpec::built_in(name, &[]).expect("shipped")
}

#[test]
fn reshaped_baseline_is_the_shipped_machine() {
    let (made, shipped) = (
        shaped(&machine("valhall-libra-baseline"), 2, 4),
        machine("valhall-libra"),
    );
    assert_eq!(
        made.raster, shipped.raster,
        "two Raster Units of four cores"
    );
    assert_eq!(made.geometry, shipped.geometry, "all of which run vertices");
}

#[test]
fn homogeneous_half_of_a_khepri_machine_is_its_shipped_baseline() {
    let lineup = khepri_lineup(&machine("valhall-khepri")).expect("all core types");
    let shipped = machine("valhall-khepri-baseline");
    let types = |spec: &MachineSpec| -> Vec<_> {
        let units = spec.raster.units.iter();
        units
            .map(|unit| spec.raster.core_types[*unit].clone())
            .collect()
    };
    let made = &lineup[0].spec;
    assert_eq!(types(made), types(&shipped), "baseline cores");
    assert_eq!(made.geometry, shipped.geometry, "all of which run vertices");
    let error = khepri_lineup(&machine("valhall-libra")).expect_err("no such cores");
    assert!(error.to_string().contains("core.compute"), "{error}");
}

fn screen() -> CoveredScreen {
    let grid = TileGrid {
        width: 256,
        height: 128,
        tile_size: 32,
    };
    let mut screen = CoveredScreen::new(grid, independent(InstructionClass::Texture, 2));
    screen.texels = TexelPattern::ScreenAligned;
    screen
}

/// Three frames through a line-up, of which two count.
fn played(lineup: &[Contestant]) -> ScheduledGame {
    let mut study = SchedulingStudy::new(lineup).expect("valid machines");
    for (number, stands_for) in [(0, 0), (1, 1), (2, 3)] {
        let frame = screen().frame(number);
        study.model(&frame, stands_for).expect("it runs");
    }
    study.into_game()
}

fn check_figures(figures: &[FigureSpec<ScheduledGame>], game: &ScheduledGame) {
    let games = [
        ("a".to_owned(), game.clone()),
        ("b".to_owned(), game.clone()),
    ];
    for spec in figures {
        let figure = spec.draw(&games);
        for FigureRow { game, bars } in &figure.rows {
            assert_eq!(bars.len(), figure.columns.len(), "{} {game}", spec.id);
        }
    }
}

#[test]
fn libra_figures_have_a_bar_for_each_column() {
    let lineup = libra_lineup(&machine("valhall-libra-baseline")).expect("parameters");
    let game = played(&lineup);
    assert_eq!(
        (game.modelled_frames, game.costs.len()),
        (2, 13),
        "frames and machines"
    );
    assert_eq!(game.tile_changes.all, 4 * 32, "both frames follow another");
    check_figures(LIBRA_FIGURES, &game);
}

#[test]
fn sweep_figures_have_a_bar_for_each_threshold() {
    let lineup = sweep_lineup(&machine("valhall-libra-baseline")).expect("parameters");
    let game = played(&lineup);
    assert_eq!(game.costs.len(), 1 + 6 + 6, "a machine for each");
    check_figures(SWEEP_FIGURES, &game);
    // The thresholds of the shipped file are one of each.
    let [size, order] = [game.costs[2], game.costs[10]];
    assert_eq!(size, order, "0.25 % and 3 %");
}

#[test]
fn khepri_figures_have_a_bar_for_each_column() {
    let lineup = khepri_lineup(&machine("valhall-khepri")).expect("all core types");
    check_figures(KHEPRI_FIGURES, &played(&lineup));
}

/// Counters under another name would sum to zeros.
#[test]
fn techniques_count_what_figures_sum() {
    let lineup = khepri_lineup(&machine("valhall-khepri")).expect("all core types");
    let khepri = &lineup[2];
    let mut gpu = machine_with(&khepri.spec, &khepri.techniques).expect("carries KHEPRI");
    let report = gpu.run_frame(&screen().frame(0)).expect("it runs");
    for counter in ["ranking_cycles", "isolated_tiles", "joined_tiles"] {
        let found = report
            .techniques
            .iter()
            .find_map(|own| own.counter(counter));
        assert!(found.is_some(), "{counter}");
    }
    let game = played(&lineup);
    assert_eq!(
        game.costs[2].tiles,
        (1 + 3) * 32,
        "of the frames that count"
    );
}

#[test]
fn frame_counts_as_often_as_it_stands_for_others() {
    let lineup = [Contestant::plain(machine("valhall-libra"))];
    let game = played(&lineup);
    let mut gpu = Gpu::new(&lineup[0].spec).expect("valid");
    let one = gpu
        .run_frame(&screen().frame(0))
        .expect("it runs")
        .instructions();
    // One of the second, three of the third, none of the first; all run the same.
    assert_eq!(game.costs[0].instructions, 4 * one, "1 + 3");
}

#[test]
fn trends_of_nothing_are_not_measured() {
    let trends = [
        libra_trends(&[]),
        khepri_trends(&[]),
        sensitivity_trends(&[]),
        sweep_trends(&[]),
    ];
    for trend in trends.into_iter().flatten() {
        assert_eq!(trend.holds, None, "{}: {}", trend.claim, trend.found);
    }
}

#[test]
fn masks_of_units_go_up_to_all_that_a_machine_may_have() {
    assert_eq!([1, 2, 32].map(all_units), [1, 3, u32::MAX], "a bit each");
}

fn bar(figures: &[FigureSpec<ScheduledGame>], game: &ScheduledGame, id: &str) -> f64 {
    let spec = figures.iter().find(|spec| spec.id == id).expect("known");
    let figure = spec.draw(&[("a".to_owned(), game.clone())]);
    figure.rows[0].bars[0].expect("measured")
}

/// The geometry of a triangle a screen is shorter than any ranking: a machine that ranks begins its raster when that is
/// done, and the figures have the geometry of those that do not.
#[test]
fn geometry_is_that_of_machines_that_rank_nothing() {
    let khepri = played(&khepri_lineup(&machine("valhall-khepri")).expect("all core types"));
    let [homogeneous, z_order, ranked] = [0, 1, 2].map(|at| khepri.costs[at]);
    assert!(
        ranked.ranking_cycles > z_order.geometry_cycles(),
        "{ranked:?} {z_order:?}"
    );
    assert_eq!(ranked.geometry_cycles(), ranked.ranking_cycles, "the wait");
    let of = |id: &str| bar(KHEPRI_FIGURES, &khepri, id);
    let geometry = z_order.geometry_cycles() as f64;
    let added = geometry / homogeneous.geometry_cycles() as f64;
    assert_eq!(of("khepri.txt.geometry"), added, "the cores' own");
    let shown = ranked.ranking_cycles as f64 / geometry;
    assert!(shown > 1.0, "more than can be hidden: {shown}");
    assert_eq!(of("khepri.txt.hw"), shown, "not cut at 100 %");

    let libra = played(&libra_lineup(&machine("valhall-libra-baseline")).expect("parameters"));
    let (ptr, ranked) = (libra.costs[5], libra.costs[6]);
    let shown = ranked.ranking_cycles as f64 / ptr.geometry_cycles() as f64;
    assert_eq!(bar(LIBRA_FIGURES, &libra, "libra.txt.hw"), shown, "PTR's");
}

/// On cores alike, an access waits as long as its latency is above a hit's: nothing where the memory has no part.
#[test]
fn accesses_wait_for_lines_where_there_is_a_memory() {
    let lineup = khepri_lineup(&machine("valhall-khepri")).expect("all core types");
    let game = played(&lineup);
    let (real, ideal) = (game.costs[0], game.costs[5]);
    let latency = lineup[0].spec.raster.core_types[lineup[0].spec.raster.units[0]]
        .core
        .texture_cache
        .latency;
    let beyond = real.texture_latency - real.texture_accesses * latency.0;
    assert_eq!(real.texture_waits, beyond, "beyond {latency:?} each");
    assert!(real.texture_waits > 0, "some miss");
    assert_eq!(ideal.texture_waits, 0, "none misses");
}

/// A game is on one side of the quarter, and its figure has one of both bars.
#[test]
fn games_are_sorted_by_the_time_that_memory_takes() {
    let cost = |cycles| Cost {
        cycles,
        raster_cycles: cycles,
        ..Cost::default()
    };
    for (ideal, expected) in [(75, [Some(2.0), None]), (76, [None, Some(0.5)])] {
        let mut costs = vec![cost(100); 3];
        costs.extend([cost(80), cost(40), cost(ideal)]);
        let game = ScheduledGame {
            costs,
            ..ScheduledGame::default()
        };
        let spec = KHEPRI_FIGURES
            .iter()
            .find(|spec| spec.id == "khepri.txt.motiv");
        let figure = spec.expect("known").draw(&[("a".to_owned(), game)]);
        assert_eq!(
            figure.rows[0].bars, expected,
            "{ideal} of 100 with ideal memory"
        );
    }
}

#[test]
fn sensitivity_figures_have_a_bar_for_each_column() {
    let lineup = sensitivity_lineup(&machine("valhall-khepri")).expect("all core types");
    let game = played(&lineup);
    assert_eq!(game.costs.len(), 8, "a machine for each");
    check_figures(SENSITIVITY_FIGURES, &game);
    let error = sensitivity_lineup(&machine("valhall-libra")).expect_err("no such cores");
    assert!(error.to_string().contains("core.compute"), "{error}");
}

/// Each machine of the sensitivities is another in the one thing that its figure is about.
#[test]
fn sensitivity_machines_differ_by_what_is_measured() {
    let lineup = sensitivity_lineup(&machine("valhall-khepri")).expect("all core types");
    let core = |at: usize| {
        let raster = &lineup[at].spec.raster;
        raster.core_types[raster.units[0]].core
    };
    let [baseline, compute, memory, small] = [0, 1, 2, 5].map(core);
    let bytes = |core: azulejo_gpu::machine::CoreSpec| core.texture_cache.tags.size.0;
    assert_eq!(
        [baseline, compute, memory].map(bytes),
        [32 << 10, 8 << 10, 32 << 10],
        "KHEPRI, Table II"
    );
    let registers = [baseline, compute, memory].map(|core| core.texture_cache.mshrs);
    assert_eq!(registers, [128, 32, 128], "KHEPRI, Table II");
    let mut grown = small;
    grown.texture_cache.tags.size = baseline.texture_cache.tags.size;
    assert_eq!(bytes(small), 8 << 10, "as compute cores have it");
    assert_eq!(grown, baseline, "nothing else");
    for (at, cores) in [(6, 4), (7, 8)] {
        let raster = &lineup[at].spec.raster;
        assert_eq!((raster.units.len(), raster.cores_per_unit), (1, cores));
        assert_eq!(core(at), baseline, "baseline cores");
    }
}

/// Lines under way are no more than there are miss registers, and each for as long as the way to the L2 and back at least.
#[test]
fn lines_under_way_are_bounded_by_registers_and_by_latency() {
    let lineup = sensitivity_lineup(&machine("valhall-khepri")).expect("all core types");
    let game = played(&lineup);
    for (contestant, cost) in lineup.iter().zip(&game.costs) {
        let raster = &contestant.spec.raster;
        let cores = raster
            .units
            .iter()
            .map(|unit| raster.core_types[*unit].core);
        let registers: u32 = cores.map(|core| core.texture_cache.mshrs).sum();
        let registers = u64::from(registers * raster.cores_per_unit);
        assert!(
            cost.texture_lines_under_way <= registers * cost.cycles,
            "{cost:?}"
        );
        let way = contestant.spec.l2.latency.0;
        assert!(
            cost.texture_lines_under_way >= way * cost.texture_misses,
            "{cost:?}"
        );
    }
    assert_eq!(
        game.costs[4].texture_lines_under_way, 0,
        "with ideal memory none is asked for"
    );
}

fn sensitive(raster_cycles: [u64; 8], texture_misses: u64) -> ScheduledGame {
    let cost = |cycles| Cost {
        cycles,
        raster_cycles: cycles,
        instructions: 1000,
        texture_misses,
        ..Cost::default()
    };
    ScheduledGame {
        costs: raster_cycles.map(cost).into(),
        ..ScheduledGame::default()
    }
}

/// A game stands on one side by its time and on one, or neither, by its misses.
#[test]
fn sensitivity_sorts_games_by_time_and_by_misses() {
    for (ideal, misses, expected) in [
        (75, 65, [Some(0.5), Some(0.5), None, Some(0.5), None]),
        (76, 15, [Some(0.5), None, Some(2.0), None, Some(2.0)]),
        (76, 16, [Some(0.5), None, Some(2.0), None, None]),
        (75, 64, [Some(0.5), Some(0.5), None, None, None]),
    ] {
        let game = sensitive([100, 40, 80, 100, ideal, 100, 150, 100], misses);
        let spec = &SENSITIVITY_FIGURES[0];
        assert_eq!((spec.bars)(&game), expected, "{ideal} {misses}");
    }
}

/// The middle one of three games is in neither half.
#[test]
fn sensitivity_trend_compares_the_halves_by_misses() {
    let game = |memory, misses| sensitive([100, 60, memory, 100, 50, 100, 150, 100], misses);
    let games = [(30, 90), (60, 50), (120, 10)].map(|(memory, misses)| {
        let game = game(memory, misses);
        (misses.to_string(), game)
    });
    let claim = "games that miss more gain more by memory cores";
    let trends = sensitivity_trends(&games);
    let trend = trends.iter().find(|trend| trend.claim == claim);
    let trend = trend.expect("declared");
    assert_eq!(trend.holds, Some(true), "{}", trend.found);
    assert_eq!(
        trend.found, "200.0 % and 50.0 %",
        "of the first, of the last"
    );
}
