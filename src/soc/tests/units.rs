//! The display and the cores by hand: asked, served and ticked one by one.

use super::super::cpu::Core;
use super::super::display::{DisplayController, Screen};
use super::super::spec::{CpuSpec, ScanSpec};
use azulejo_gpu::FrameBuffer;
use azulejo_gpu::access::AccessKind;
use azulejo_gpu::dram::{AgentId, AgentNotice};
use azulejo_gpu::memory::AgentPort;
use azulejo_units::{Bytes, Cycles, Hertz, Picoseconds};

/// Records the requests of agents.
#[derive(Debug, Default)]
struct Paper {
    asked: Vec<(AccessKind, u64)>,
    notices: Vec<AgentNotice>,
    /// Lines that have been served.
    served: u64,
}

impl AgentPort for Paper {
    fn ask(&mut self, _: usize, kind: AccessKind, line: u64) {
        self.asked.push((kind, line));
    }

    fn notice(&mut self, notice: &AgentNotice) {
        self.notices.push(*notice);
    }
}

/// Ten lines of 64 bytes at 1000 refreshes of 1000 cycles; a tenth is blank, so line `k` is due at 100 + 90 `k`; room for
/// two lines.
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

/// Ticks the display at each of its wakes until `end`; `delay` gives, for every requested line, the cycles after which it
/// is there.
fn run_display(
    display: &mut DisplayController,
    end: u64,
    delay: impl Fn(u64) -> u64,
) -> (Vec<(u64, u64)>, Paper) {
    let (mut paper, mut asked) = (Paper::default(), Vec::new());
    let mut coming: Vec<(u64, u64)> = Vec::new();
    for cycle in 0..end {
        let there = coming.iter().filter(|(at, _)| *at == cycle);
        let there: Vec<u64> = there.map(|(_, line)| *line).collect();
        for line in &there {
            display.served(*line);
        }
        if there.is_empty() && display.next_wake().0 > cycle {
            continue;
        }
        let before = paper.asked.len();
        display.tick(Cycles(cycle), &mut paper);
        for (_, line) in &paper.asked[before..] {
            asked.push((cycle, *line));
            coming.push((cycle + delay((line - 4096) / 64), *line));
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
    // Line 3 is requested at 190 and due at 370.
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

#[test]
fn display_that_is_never_served_asks_for_no_more_than_its_fifo_holds() {
    let mut display = display();
    let (asked, _) = run_display(&mut display, 9999, |_| 1_000_000);
    assert_eq!(asked.len(), 2, "two lines are on their way for ever");
    assert_eq!(display.counters.aborted, 10, "every scan");
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

/// A core of 1 GHz, ticked every nanosecond, that misses with every instruction: a gap is 1 instruction, and never another
/// number.
fn core(spec: &CpuSpec) -> Core {
    Core::new(0, 0, spec, Hertz::from_mhz(1000), 7)
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

#[test]
fn core_takes_the_exact_time_at_any_two_clocks() {
    for (gpu, cpu, per_100) in [
        (950, 7000, 100),
        (950, 2000, 130),
        (600, 1999, 77),
        (1000, 3, 100),
    ] {
        let spec = CpuSpec {
            clock_mhz: cpu,
            instructions_per_100_cycles: per_100,
            misses_per_10k: vec![0],
            ..cpu_spec()
        };
        let mut core = Core::new(0, 0, &spec, Hertz::from_mhz(gpu), 7);
        core.begin(Cycles(5), 1000);
        let mut now = Cycles(5);
        while !core.is_waiting() {
            now = core.next_wake();
            core.tick(now, &mut Paper::default());
        }
        let cycles = (1_000_000 * 100 * gpu).div_ceil(cpu * per_100);
        assert_eq!(now, Cycles(5 + cycles), "{cpu} beside {gpu} MHz");
        let time = Hertz::from_mhz(gpu).time_of(Cycles(cycles));
        assert_eq!(core.counters.job_time, time, "{cpu} beside {gpu} MHz");
    }
}

#[test]
fn core_misses_as_often_as_it_should_over_many_short_jobs() {
    // Gaps of 1.67 on average, which is no whole number, and of 3333, longer than a job.
    for (misses, kilo, n_jobs) in [(6000, 10, 4), (3, 1, 4000)] {
        let spec = CpuSpec {
            reads_under_way: 64,
            misses_per_10k: vec![misses],
            ..cpu_spec()
        };
        let mut core = core(&spec);
        let mut paper = Paper::default();
        for job in 0..n_jobs {
            let mut now = job * 1_000_000;
            core.begin(Cycles(now), kilo);
            while !core.is_waiting() {
                now = now.max(core.next_wake().0.min(now + 100));
                core.tick(Cycles(now), &mut paper);
                while core.counters.misses > paper.served {
                    core.served(AccessKind::Read);
                    paper.served += 1;
                }
                now += 1;
            }
        }
        let instructions = core.counters.instructions;
        assert_eq!(instructions, kilo * 1000 * n_jobs, "all are done");
        let expected = (instructions * misses) as f64 / 10_000.0;
        let share = core.counters.misses as f64 / expected;
        assert!((0.95..1.05).contains(&share), "{misses}: {share}");
    }
}

#[test]
fn core_that_never_misses_says_on_its_way_how_far_it_is() {
    let spec = CpuSpec {
        misses_per_10k: vec![0],
        ..cpu_spec()
    };
    let mut core = core(&spec);
    let mut paper = Paper::default();
    core.begin(Cycles(0), 35);
    let mut wakes = Vec::new();
    while !core.is_waiting() {
        let now = core.next_wake();
        wakes.push(now.0);
        core.tick(now, &mut paper);
    }
    assert_eq!(wakes, [10_000, 20_000, 30_000, 35_000], "part by part");
    assert_eq!(paper.notices.len(), 3, "each ten thousand");
}
