//! Agents to the cycle on a port that only writes down; whole systems by what must hold of them: conservation, pace, dependence, the same
//! numbers every time, and standstills that are named.

use super::cpu::Core;
use super::display::{DisplayController, Screen};
use super::{CpuSpec, ScanSpec, SocSpec, System, SystemError, SystemReport};
use crate::gpu::access::AccessKind;
use crate::gpu::dram::{AgentId, AgentNotice};
use crate::gpu::machine::{MachineSpec, Overlay};
use crate::gpu::memory::AgentPort;
use crate::gpu::{FrameBuffer, Gpu};
use crate::grid::TileGrid;
use crate::trace::InstructionClass;
use crate::trace::synthetic::{CoveredScreen, independent};
use crate::units::{Bytes, Cycles, Hertz, Picoseconds};

/// Writes down what agents ask for.
#[derive(Debug, Default)]
struct Paper {
    asked: Vec<(AccessKind, u64)>,
    notices: Vec<AgentNotice>,
}

impl AgentPort for Paper {
    fn ask(&mut self, _: usize, kind: AccessKind, line: u64) {
        self.asked.push((kind, line));
    }

    fn notice(&mut self, notice: &AgentNotice) {
        self.notices.push(*notice);
    }
}

/// Ten lines of 64 bytes at 1000 refreshes of 1000 cycles; a tenth is blank, so line `k` is due at 100 + 90 `k`; room for two lines.
fn display() -> DisplayController {
    let mut display = DisplayController::new(
        0,
        Screen {
            spec: ScanSpec {
                fifo: Bytes(128),
                blanking_per_mille: 100,
            },
            refresh: 1000,
            clock: Hertz(1_000_000),
            line: Bytes(64),
            bursts_per_line: 2,
        },
    );
    display.queue(FrameBuffer {
        base: 4096,
        bytes: Bytes(640),
    });
    display
}

/// Ticks the display whenever it wants until `end`; of every line asked for, `delay` says after how many cycles it is there.
fn run_display(
    display: &mut DisplayController,
    end: u64,
    delay: impl Fn(u64) -> u64,
) -> (Vec<(u64, u64)>, Paper) {
    let (mut paper, mut asked) = (Paper::default(), Vec::new());
    let mut coming: Vec<(u64, u64)> = Vec::new();
    for now in 0..end {
        let there = coming.iter().filter(|(at, _)| *at == now);
        let there: Vec<u64> = there.map(|(_, line)| *line).collect();
        for line in &there {
            display.served(*line);
        }
        if there.is_empty() && display.next_wake().0 > now {
            continue;
        }
        let before = paper.asked.len();
        display.tick(Cycles(now), &mut paper);
        for (_, line) in &paper.asked[before..] {
            asked.push((now, *line));
            coming.push((now + delay((line - 4096) / 64), *line));
        }
    }
    (asked, paper)
}

#[test]
fn display_asks_for_a_line_when_one_leaves_its_fifo() {
    let mut display = display();
    let (asked, paper) = run_display(&mut display, 1000, |_| 50);
    let lines: Vec<(u64, u64)> = asked
        .iter()
        .map(|(at, line)| (*at, (line - 4096) / 64))
        .collect();
    let expected = [
        (0, 0),
        (0, 1),
        (100, 2),
        (190, 3),
        (280, 4),
        (370, 5),
        (460, 6),
        (550, 7),
        (640, 8),
        (730, 9),
    ];
    assert_eq!(lines, expected, "two at once, then each as a line leaves");
    assert_eq!(display.counters.finished, 1, "a whole scan");
    let agent = AgentId::DISPLAY;
    let bursts = Some(20);
    assert_eq!(
        paper.notices,
        [
            AgentNotice::PeriodBegins { agent, bursts },
            AgentNotice::PeriodEnds { agent }
        ],
        "with the first line that is due, and the last"
    );
}

#[test]
fn display_aborts_a_scan_whose_line_comes_a_cycle_late() {
    // Line 3 is asked for at 190 and due at 370.
    for (delay, aborted) in [(180, 0), (181, 1)] {
        let mut display = display();
        let slow = |line| if line == 3 { delay } else { 10 };
        let (asked, _) = run_display(&mut display, 1000, slow);
        assert_eq!(display.counters.aborted, aborted, "after {delay}");
        assert_eq!(display.counters.finished, 1 - aborted, "after {delay}");
        let n_asked = if aborted == 1 { 5 } else { 10 };
        assert_eq!(asked.len(), n_asked, "nothing is asked for behind it");
    }
}

#[test]
fn display_tries_an_aborted_frame_again_and_scans_an_old_one_again() {
    let mut display = display();
    run_display(&mut display, 1999, |line| if line == 3 { 400 } else { 10 });
    let counters = display.counters;
    assert_eq!(counters.aborted, 2, "both scans");
    assert_eq!((counters.new_frames, counters.retries), (1, 1), "one frame");
    let mut display = self::display();
    run_display(&mut display, 2999, |_| 10);
    let counters = display.counters;
    assert_eq!(
        (counters.new_frames, counters.rescans),
        (1, 2),
        "nothing new"
    );
    assert_eq!(counters.finished, 3, "in time");
}

#[test]
fn display_ignores_what_comes_for_an_aborted_scan() {
    let mut display = display();
    // The first line needs more than a refresh: it comes in the second scan, where its place waits for a read of its own.
    let (asked, _) = run_display(&mut display, 1200, |line| if line == 0 { 1050 } else { 10 });
    let second: Vec<_> = asked.iter().filter(|(at, _)| *at >= 1000).collect();
    assert_eq!(second.len(), 2, "the second scan asked");
    assert_eq!(display.counters.aborted, 2, "and was aborted too");
}

fn cpu_spec() -> CpuSpec {
    CpuSpec {
        clock_mhz: 1000,
        instructions_per_100_cycles: 100,
        line: Bytes(64),
        reads_under_way: 2,
        writes_under_way: 1,
        run: 4,
        writes_per_100_misses: 0,
        footprint: Bytes(1 << 20),
        misses_per_10k: vec![10_000],
        before_frame: vec![1],
        during_frame: vec![0],
    }
}

/// A core of 1 GHz, ticked every nanosecond, that misses with every instruction: a gap is 1 instruction, and never another number.
fn core(spec: &CpuSpec) -> Core {
    Core::new(0, 0, spec, Picoseconds(1000), 7)
}

#[test]
fn core_misses_until_its_parallelism_is_used_up_and_stalls() {
    let mut core = core(&cpu_spec());
    let mut paper = Paper::default();
    core.begin(Cycles(10), 1);
    assert_eq!(core.next_wake(), Cycles(11), "an instruction is a cycle");
    core.tick(Cycles(10), &mut paper);
    assert!(paper.asked.is_empty(), "not before");
    core.tick(Cycles(11), &mut paper);
    assert_eq!(paper.asked.len(), 1, "in time");
    core.tick(Cycles(12), &mut paper);
    core.tick(Cycles(13), &mut paper);
    assert_eq!(paper.asked.len(), 2, "two under way at most");
    assert_eq!(core.next_wake(), Cycles::MAX, "it waits for a line");
    core.served(AccessKind::Read);
    core.tick(Cycles(20), &mut paper);
    assert_eq!(paper.asked.len(), 3, "as soon as there is room");
    assert_eq!(core.counters.stalled, Picoseconds(7000), "from 13 to 20");
    assert_eq!(core.next_wake(), Cycles(21), "and goes on from there");
    let lines: Vec<u64> = paper.asked.iter().map(|(_, line)| *line).collect();
    assert_eq!(
        [lines[1] - lines[0], lines[2] - lines[1]],
        [64, 64],
        "a run"
    );
}

#[test]
fn core_ends_a_job_when_its_last_read_is_there() {
    let mut core = core(&CpuSpec {
        reads_under_way: 64,
        misses_per_10k: vec![20],
        ..cpu_spec()
    });
    let mut paper = Paper::default();
    core.begin(Cycles(0), 1);
    core.tick(Cycles(1000), &mut paper);
    assert_eq!(core.counters.instructions, 1000, "all are done");
    assert_eq!(core.counters.misses, paper.asked.len() as u64, "counted");
    assert!(
        !paper.asked.is_empty() && !core.is_waiting(),
        "reads are under way"
    );
    for _ in 0..paper.asked.len() {
        core.tick(Cycles(1400), &mut paper);
        assert!(!core.is_waiting(), "not all are there");
        core.served(AccessKind::Read);
    }
    core.tick(Cycles(1500), &mut paper);
    assert!(core.is_waiting(), "all are there");
    assert_eq!(core.counters.job_time, Picoseconds(1_500_000), "of the job");
}

#[test]
fn core_that_never_misses_only_takes_time() {
    let spec = CpuSpec {
        misses_per_10k: vec![0],
        instructions_per_100_cycles: 200,
        ..cpu_spec()
    };
    let mut core = core(&spec);
    core.begin(Cycles(0), 1);
    assert_eq!(core.next_wake(), Cycles(500), "two instructions a cycle");
    let mut paper = Paper::default();
    core.tick(Cycles(500), &mut paper);
    assert!(core.is_waiting() && paper.asked.is_empty(), "done");
    core.begin(Cycles(600), 0);
    assert!(core.is_waiting(), "no instructions are no job");
}

/// The paper's machine with changes, at a screen so small that frames are quick, refreshed as often as its pixels are fewer.
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
        // Of agents beside the GPU lines may still be under way: writes of cores, the display's next lines.
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
        .map(|agent| agent.counters.bursts)
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
    let slow = machine(&[("dram.timing.tCK_ps", "60000")]);
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
    // A display scans the same frame for ever, and nobody does anything else.
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

#[test]
fn soc_that_cannot_be_is_refused_with_key_and_reason() {
    for (key, value, at, why) in [
        (
            "soc.cpu.before_frame",
            "[1, 2]",
            "soc.cpu.before_frame",
            "4 numbers",
        ),
        (
            "soc.cpu.misses_per_10k",
            "[]",
            "soc.cpu.misses_per_10k",
            "1 to 16 cores",
        ),
        (
            "soc.cpu.during_frame",
            "[1, 2, 3, -4]",
            "soc.cpu.during_frame",
            "integers from 0",
        ),
        ("soc.cpu.line", "16B", "soc.cpu.line", "from 32B, a burst"),
        (
            "soc.cpu.footprint",
            "64B",
            "soc.cpu.footprint",
            "from a run of lines",
        ),
        (
            "soc.display.fifo",
            "64B",
            "soc.display.fifo",
            "from a line, 128B",
        ),
        (
            "soc.cpu.reads_under_way",
            "0",
            "soc.cpu.reads_under_way",
            "from 1 to 64",
        ),
        (
            "display.refresh",
            "0",
            "soc.display",
            "display.refresh is not 0",
        ),
        ("display.frame_buffers", "1", "soc.display", "2 or 3"),
        ("soc.gpu", "1", "soc.gpu", ""),
    ] {
        let machine = machine(&[(key, value)]);
        let error = SocSpec::of(&machine).expect_err(key).to_string();
        assert!(error.contains(at) && error.contains(why), "{key}: {error}");
    }
    let alone = MachineSpec::built_in("mali450-re", &[]).expect("shipped");
    assert_eq!(SocSpec::of(&alone), Ok(None), "no neighbours");
    let error = System::new(Gpu::new(&alone).expect("a GPU")).expect_err("none");
    assert!(
        error.to_string().contains("mali450-re has no [soc]"),
        "{error}"
    );
}
