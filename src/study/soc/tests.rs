//! Line-up, measurements of a small game on it, and figures of given numbers.

use super::*;
use crate::suites::PaperSuite;
use azulejo_grid::TileGrid;
use azulejo_soc::{Totals, growth};
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use azulejo_trace::{FrameTrace, InstructionClass};

/// The paper's machine at a screen of 1/64 of its pixels.
fn small() -> MachineSpec {
    let mut spec = MachineSpec::built_in("emerald-soc", &[]).expect("shipped");
    (spec.screen.grid.width, spec.screen.grid.height) = (128, 96);
    spec
}

/// Frames of a screen that one triangle covers.
struct Covered(CoveredScreen);

impl FrameSource for Covered {
    fn n_frames(&self) -> u64 {
        3
    }

    fn draw(&mut self, frame: u64) -> FrameTrace {
        self.0.frame(frame)
    }

    fn expect(&mut self, _: u64) {}
}

#[test]
fn lineup_has_each_way_with_each_memory_and_scales_with_the_screen() {
    let lineup = em1_lineup(&small()).expect("a system");
    assert_eq!(lineup.len(), 8, "four ways, two loads");
    for (at, shared) in lineup.iter().enumerate() {
        assert_eq!(shared.spec.display.refresh, 3840, "64 times as often");
        let soc = SocSpec::of(&shared.spec).expect("valid").expect("there");
        assert_eq!(soc.cpu.before_frame[0], 3000_u64.div_ceil(64), "less to do");
        let is_dash = matches!(at % 4, 1 | 2);
        assert_eq!(shared.techniques.len(), usize::from(is_dash), "{at}");
        assert_eq!(
            shared.spec.dram.groups.len(),
            if at % 4 == 3 { 2 } else { 0 },
            "{at}"
        );
        let tick = if at < 4 { 1500 } else { 15_000 };
        assert_eq!(shared.spec.dram.timing.t_ck.0, tick, "{at}");
    }
    let whole = MachineSpec::built_in("emerald-soc", &[]).expect("shipped");
    let lineup = em1_lineup(&whole).expect("a system");
    let parts = |spec: &MachineSpec| {
        let soc = SocSpec::of(spec).expect("valid");
        (soc, spec.dram.clone(), spec.display, spec.screen)
    };
    assert_eq!(
        parts(&lineup[0].spec),
        parts(&whole),
        "the baseline is the machine"
    );
    let alone = MachineSpec::built_in("mali450-re", &[]).expect("shipped");
    assert!(em1_lineup(&alone).is_err(), "nobody shares");
}

#[test]
fn game_counts_frames_behind_the_first_on_every_system() {
    let lineup = em1_lineup(&small()).expect("a system");
    let grid = TileGrid {
        width: 128,
        height: 96,
        tile_size: 32,
    };
    // More texels than the L2 holds.
    let screen = CoveredScreen {
        texels: TexelPattern::AlwaysNew,
        ..CoveredScreen::new(grid, independent(InstructionClass::Texture, 8))
    };
    let game = em1_game(&lineup, &mut Covered(screen)).expect("runs");
    for cost in game.regular.iter().chain(&game.high) {
        assert_eq!(cost.frames, 2, "without the first");
        assert!(cost.gpu_cycles <= cost.frame_cycles, "{cost:?}");
        assert!(cost.row_hits <= cost.column_commands, "{cost:?}");
        assert!(cost.core_bytes[0] > 0.0 && cost.gpu_reads > 0, "{cost:?}");
    }
    let games = [("covered".to_owned(), game)];
    for spec in EM1_FIGURES {
        let figure = spec.draw(&games);
        assert_eq!(figure.rows[0].bars.len(), spec.columns.len(), "{}", spec.id);
        assert!(
            figure.rows[0].bars.iter().any(Option::is_some),
            "{}",
            spec.id
        );
    }
    assert_eq!(em1_trends(&games).len(), 11, "each is judged");
}

#[test]
fn totals_grow_from_frame_to_frame_to_what_the_report_says() {
    let machine = scaled(&small()).expect("a system");
    let gpu = machine_with(&machine, &[&DASH]).expect("a GPU");
    let mut system = System::new(gpu).expect("a system");
    let program = independent(InstructionClass::Alu, 40);
    let screen = CoveredScreen::new(machine.screen.grid, program);
    let (mut before, mut sums) = (Totals::default(), Totals::default());
    for number in 0..3 {
        system.run_frame(&screen.frame(number)).expect("runs");
        let after = system.totals();
        for (name, value) in growth(&before, &after) {
            *sums.entry(name).or_default() += value;
        }
        before = after;
    }
    assert_eq!(sums, before, "frame by frame as all together");
    let report = system.report();
    let of_cores: u64 = report.cores.iter().map(|core| core.misses).sum();
    assert_eq!(before["system.cores.misses"], of_cores, "of all cores");
    let gpu = report.agent(AgentId::GPU).expect("there").bytes;
    assert_eq!(before["system.gpu.bytes"], gpu, "of the GPU");
    // DASH's counts, in frames and between them, are all that was served to the agents but for requests that needed no
    // command.
    let dash = &report.techniques[0];
    let bursts = dash.counters.iter();
    let bursts = bursts.filter(|counter| counter.name.ends_with("_bursts"));
    let bursts: u64 = bursts.map(|counter| counter.value).sum();
    assert_eq!(bursts, report.column_commands, "each column command");
    let name = "system.techniques.dash.gpu_other_bursts";
    assert_eq!(
        Some(before[name]),
        dash.counter("gpu_other_bursts"),
        "by name"
    );
    let phases = report.technique_phases.iter();
    let phases = phases.flat_map(|phase| phase.techniques.first()?.counter("gpu_other_bursts"));
    assert_eq!(phases.sum::<u64>(), before[name], "phase by phase");
}

#[test]
fn trends_of_nothing_are_not_measured() {
    for trend in em1_trends(&[]) {
        assert_eq!(trend.holds, None, "{}: {}", trend.claim, trend.found);
    }
    let empty = [("empty".to_owned(), SocGame::default())];
    for trend in em1_trends(&empty) {
        assert_eq!(trend.holds, None, "{}: {}", trend.claim, trend.found);
    }
}

/// A model of which the display gets these lines under BAS, DCB, DTB and HMC.
fn shown(demo: &str, lines: [u64; 4]) -> (String, SocGame) {
    let cost = |display_lines| SharedCost {
        display_lines,
        counted_cycles: 100,
        ..SharedCost::default()
    };
    let game = SocGame {
        high: lines.map(cost).to_vec(),
        ..SocGame::default()
    };
    (demo.to_owned(), game)
}

/// As section 5.2.2 has it of four models, and with one of them otherwise.
#[test]
fn display_has_its_trends_by_model() {
    let suite = PaperSuite::of("em1").expect("its models");
    let [m1, m2, m3, m4] =
        ["M1", "M2", "M3", "M4"].map(|model| suite.stand_in(model).expect("a demo"));
    let games = |small: [u64; 4], large: [u64; 4]| {
        [
            shown(m1, [100, 80, 15, 90]),
            shown(m2, [100, 90, 95, 140]),
            shown(m3, large),
            shown(m4, small),
        ]
    };
    let held = |games: &[(String, SocGame)]| {
        let trends = em1_trends(games);
        [trends[9].holds, trends[10].holds]
    };
    let (small, large) = ([100, 120, 110, 130], [100, 70, 60, 90]);
    assert_eq!(held(&games(small, large)), [Some(true); 2], "as stated");
    let beaten = [100, 120, 140, 130];
    assert_eq!(
        held(&games(beaten, large)),
        [Some(false), Some(true)],
        "DTB"
    );
    let more = [100, 70, 101, 90];
    assert_eq!(held(&games(small, more)), [Some(true), Some(false)], "DTB");
    assert_eq!(held(&games(small, large)[..2]), [None; 2], "half of them");
}
