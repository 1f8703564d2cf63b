//! Whole systems by what must hold of them: conservation, pace, dependence, the same numbers every time, and standstills
//! that are named.

mod units;

use super::{SocSpec, System, SystemError, SystemReport};
use azulejo_gpu::Gpu;
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_grid::TileGrid;
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, independent};
use azulejo_units::Cycles;

/// The paper's machine with changes, at a screen so small that frames are quick, refreshed as often as its pixels are
/// fewer.
fn machine(changes: &[(&str, &str)]) -> MachineSpec {
    let small = [
        ("screen.width", "128"),
        ("screen.height", "96"),
        ("display.refresh", "960"),
        ("soc.cpu.before_frame", "[60, 30, 10, 5]"),
        ("soc.cpu.during_frame", "[60, 30, 10, 5]"),
    ];
    let overlays = small.iter().chain(changes).map(|(key, value)| Overlay {
        key: (*key).to_owned(),
        value: (*value).to_owned(),
    });
    MachineSpec::built_in("emerald-soc", &overlays.collect::<Vec<_>>()).expect("a machine")
}

fn run(machine: &MachineSpec, n_frames: u64) -> Result<SystemReport, SystemError> {
    let mut system = System::new(Gpu::new(machine)?)?;
    let program = independent(InstructionClass::Alu, 40);
    let screen = CoveredScreen::new(machine.screen.grid, program);
    for number in 0..n_frames {
        system.run_frame(&screen.frame(number))?;
    }
    Ok(system.report())
}

#[test]
fn system_serves_every_line_once_and_its_parts_are_the_dram() {
    let report = run(&machine(&[]), 5).expect("runs");
    for agent in &report.agents {
        let counters = agent.counters;
        assert!(counters.served > 0, "{}", agent.agent);
        // Lines of agents beside the GPU may still be under way: writes of cores, the display's next lines.
        assert!(counters.served <= counters.asked, "{}", agent.agent);
    }
    for (core, agent) in report.cores.iter().zip(&report.agents[2..]) {
        assert_eq!(
            core.misses + core.writebacks,
            agent.counters.asked,
            "each miss"
        );
    }
    let bursts: u64 = report
        .agents
        .iter()
        .map(|agent| agent.counters.moved_bursts)
        .sum();
    let over_time: u64 = report.traffic.bursts.iter().flatten().sum();
    assert_eq!(bursts, over_time, "by time as by agent");
}

#[test]
fn system_gives_the_same_numbers_every_time() {
    assert_eq!(run(&machine(&[]), 4), run(&machine(&[]), 4), "bit for bit");
    let other = machine(&[("soc.seed", "2")]);
    assert_ne!(run(&machine(&[]), 4), run(&other, 4), "of another seed");
}

#[test]
fn system_that_is_fast_enough_is_paced_by_the_display() {
    let report = run(&machine(&[]), 8).expect("runs");
    // With three buffers, two frames are ahead at the beginning; from then on each waits for a refresh.
    let period = Cycles(950_000_000 / 960);
    for pair in report.frames[3..].windows(2) {
        let between = pair[1].begun - pair[0].begun;
        assert!(
            between.0.abs_diff(period.0) <= 2,
            "{between:?} of {period:?}"
        );
    }
    assert_eq!(report.display.aborted, 0, "in time");
}

#[test]
fn system_prepares_then_draws_and_then_waits() {
    let report = run(&machine(&[]), 3).expect("runs");
    for frame in &report.frames {
        assert!(frame.begun < frame.drawing, "cores first: {frame:?}");
        assert!(frame.drawn <= frame.queued, "then all are done: {frame:?}");
    }
    let more = [("soc.cpu.during_frame", "[2000, 30, 10, 5]")];
    let late = run(&machine(&more), 3).expect("runs");
    let frame = late.frames[1];
    assert!(
        frame.queued.0 > frame.drawn.0 + 100_000,
        "cores hold it up: {frame:?}"
    );
}

#[test]
fn display_of_a_slow_memory_aborts_and_misses_frames() {
    // Tiles are flushed in bursts, before which the display waits.
    let slow = machine(&[("pipeline", "tiled"), ("dram.timing.tCK_ps", "60000")]);
    let report = run(&slow, 3).expect("runs");
    assert!(report.display.aborted > 0, "{:?}", report.display);
    assert!(report.missed_frames() > 0, "{:?}", report.display);
}

#[test]
fn gpu_without_neighbours_is_the_same_on_a_machine_that_has_them() {
    let with = machine(&[("display.refresh", "0")]);
    let mut without = with.clone();
    without.soc = MachineSpec::built_in("mali450-re", &[])
        .expect("shipped")
        .soc;
    let frame =
        CoveredScreen::new(with.screen.grid, independent(InstructionClass::Alu, 40)).frame(0);
    let run = |spec: &MachineSpec| {
        Gpu::new(spec)
            .expect("a GPU")
            .run_frame(&frame)
            .expect("runs")
    };
    assert_eq!(run(&with), run(&without), "attached agents alone change it");
}

#[test]
fn rest_names_a_standstill_instead_of_waiting_for_ever() {
    // A display scans the same frame for ever, and no other agent does anything.
    let machine = machine(&[]);
    let mut system = System::new(Gpu::new(&machine).expect("a GPU")).expect("a system");
    let grid = TileGrid {
        width: 32,
        height: 32,
        tile_size: 32,
    };
    let frame = CoveredScreen::new(grid, independent(InstructionClass::Alu, 1)).frame(0);
    system.run_frame(&frame).expect("runs");
    let began = std::time::Instant::now();
    let error = system
        .gpu_mut()
        .rest_until(Cycles::MAX, || false, "cpu0 waits for cpu1");
    let message = error.expect_err("for ever").to_string();
    assert!(message.contains("cpu0 waits for cpu1"), "{message}");
    assert!(began.elapsed().as_secs() < 30, "within seconds");
}

/// Changes that no system can work with: key, value, the key that is named, and what is expected.
const REFUSED: &[[&str; 4]] = &[
    [
        "soc.cpu.before_frame",
        "[1, 2]",
        "soc.cpu.before_frame",
        "4 numbers",
    ],
    [
        "soc.cpu.misses_per_10k",
        "[]",
        "soc.cpu.misses_per_10k",
        "1 to 16 cores",
    ],
    [
        "soc.cpu.during_frame",
        "[1, 2, 3, -4]",
        "soc.cpu.during_frame",
        "integers from 0",
    ],
    [
        "soc.cpu.misses_per_10k",
        "[1, 2, 3, 10001]",
        "soc.cpu.misses_per_10k",
        "integers from 0 to 10000",
    ],
    ["soc.cpu.line", "16B", "soc.cpu.line", "from 32B, a burst"],
    [
        "soc.cpu.footprint",
        "64B",
        "soc.cpu.footprint",
        "from a run of lines",
    ],
    [
        "soc.display.fifo",
        "64B",
        "soc.display.fifo",
        "from a line, 128B",
    ],
    [
        "soc.cpu.reads_under_way",
        "0",
        "soc.cpu.reads_under_way",
        "from 1 to 64",
    ],
    [
        "display.refresh",
        "0",
        "soc.display",
        "display.refresh is not 0",
    ],
    ["display.frame_buffers", "1", "soc.display", "2 or 3"],
    ["soc.gpu", "1", "soc.gpu", ""],
];

#[test]
fn soc_that_cannot_be_is_refused_with_key_and_reason() {
    for &[key, value, at, why] in REFUSED {
        let machine = machine(&[(key, value)]);
        let error = SocSpec::of(&machine).expect_err(key).to_string();
        assert!(error.contains(at) && error.contains(why), "{key}: {error}");
    }
    let slow = machine(&[
        ("soc.cpu.clock_mhz", "1"),
        ("soc.cpu.before_frame", "[10001, 1, 1, 1]"),
    ]);
    let error = SocSpec::of(&slow).expect_err("10 s and more").to_string();
    assert!(
        error.contains("at most 10 s at this clock: 10000"),
        "{error}"
    );
    let alone = MachineSpec::built_in("mali450-re", &[]).expect("shipped");
    assert_eq!(SocSpec::of(&alone), Ok(None), "no neighbours");
    let error = System::new(Gpu::new(&alone).expect("a GPU")).expect_err("none");
    assert!(
        error.to_string().contains("mali450-re has no [soc]"),
        "{error}"
    );
}
