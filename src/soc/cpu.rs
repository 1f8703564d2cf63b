//! A core of a CPU as the memory sees it: jobs of so many instructions in, misses out. Between two misses it computes for a
//! while; with as many reads under way as it can have, it stalls until one is served. A job is over when its instructions
//! are done and its reads there.
//!
//! The instructions between two misses are random, evenly from 1 to twice their mean less 1; where the mean is no whole
//! number, it is by turns the one below and the one above, as often as it takes. They go on from one job to the next. Time
//! is counted in instructions since a cycle of the GPU's clock, in which the core is ticked: exact, whatever the two
//! frequencies. Misses go to runs of consecutive lines, each run at a random place of the core's memory; with so many in a
//! hundred a line is written back, half a memory away.

use serde::Serialize;

use super::spec::CpuSpec;
use azulejo_gpu::access::AccessKind;
use azulejo_gpu::dram::{AgentId, AgentNotice};
use azulejo_gpu::memory::AgentPort;
use azulejo_units::{Cycles, Hertz, Picoseconds, Ratio};

/// Instructions after which a core says how far it is.
const NOTICE: u64 = 10_000;

/// Counters of a core since the system was switched on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CoreCounters {
    /// Instructions that are done.
    pub instructions: u64,
    /// Reads that it missed.
    pub misses: u64,
    /// Lines that it wrote back.
    pub writebacks: u64,
    /// From the beginning of each job to its end.
    pub job_time: Picoseconds,
    /// Part of `job_time` without room for another miss.
    pub stalled: Picoseconds,
}

/// First byte of the cores' memory among the rows of the DRAM: a GiB above the GPU's first byte, far from all that it
/// allocates.
const FIRST_BYTE: u64 = (1 << 48) + (1 << 30);

/// A moment: so many instructions after a cycle of the GPU's clock.
#[derive(Debug, Clone, Copy)]
struct Moment {
    from: Cycles,
    instructions: u64,
}

impl Moment {
    const fn at(from: Cycles) -> Self {
        Self {
            from,
            instructions: 0,
        }
    }
}

/// Next step of a core: it computes until a time, and then may miss.
#[derive(Debug, Clone, Copy)]
struct Step {
    until: Moment,
    instructions: u64,
    misses: bool,
}

/// A job under way.
#[derive(Debug, Clone, Copy)]
struct Job {
    began: Cycles,
    /// Instructions behind the step.
    left: u64,
    /// Nothing once all instructions are done.
    step: Option<Step>,
    /// Whether there was no room for the step's miss when it was due.
    is_stalled: bool,
}

/// Core with its jobs, its stream of misses and its counters.
#[derive(Debug)]
pub(super) struct Core {
    /// Its place among the agents.
    place: usize,
    id: AgentId,
    spec: CpuSpec,
    /// Misses of ten thousand instructions.
    misses_per_10k: u64,
    /// Instructions until the next miss, once they are drawn.
    to_miss: Option<u64>,
    /// Instructions of a step at most, so that it shows how far it is.
    most: u64,
    /// The GPU's clock, in which the core is ticked, and its cycles in an instruction.
    clock: Hertz,
    cycles_per_instruction: Ratio,
    /// Cycles of all jobs that are over.
    job_cycles: Cycles,
    /// Time stalled, in parts of a cycle: the denominator of the ratio says how many there are in one.
    stalled_parts: u128,
    random: Random,
    base: u64,
    /// The next line of the run under way, and how many are left of it.
    next_line: u64,
    run_left: u32,
    reads: u32,
    writes: u32,
    job: Option<Job>,
    unsaid: u64,
    pub(super) counters: CoreCounters,
}

impl Core {
    /// The core of a number, at its place among the agents.
    pub(super) fn new(
        number: usize,
        place: usize,
        spec: &CpuSpec,
        clock: Hertz,
        seed: u64,
    ) -> Self {
        let rate = u128::from(spec.instructions_per_100_cycles) * u128::from(spec.clock().0);
        let per_millisecond = spec.instructions_per_100_cycles * spec.clock_mhz * 10;
        Self {
            place,
            id: AgentId::cpu(number as u8),
            spec: spec.clone(),
            misses_per_10k: spec.misses_per_10k[number],
            to_miss: None,
            most: per_millisecond.clamp(1, NOTICE),
            clock,
            cycles_per_instruction: Ratio::new(100 * u128::from(clock.0), rate),
            job_cycles: Cycles::ZERO,
            stalled_parts: 0,
            random: Random(seed.wrapping_add(number as u64 + 1)),
            base: FIRST_BYTE + number as u64 * spec.footprint.0,
            next_line: 0,
            run_left: 0,
            reads: 0,
            writes: 0,
            job: None,
            unsaid: 0,
            counters: CoreCounters::default(),
        }
    }

    pub(super) const fn id(&self) -> AgentId {
        self.id
    }

    /// Gives it a job of so many thousands of instructions, which may be none.
    pub(super) fn begin(&mut self, now: Cycles, kilo_instructions: u64) {
        let mut left = kilo_instructions * 1000;
        let step = self.next_step(Moment::at(now), &mut left);
        self.job = step.map(|step| Job {
            began: now,
            left,
            step: Some(step),
            is_stalled: false,
        });
    }

    /// Whether it waits for a job.
    pub(super) const fn is_waiting(&self) -> bool {
        self.job.is_none()
    }

    /// The first tick in which it goes on without a line that it waits for.
    pub(super) fn next_wake(&self) -> Cycles {
        let step = self.job.and_then(|job| job.step.map(|step| (job, step)));
        match step {
            Some((job, step)) if !job.is_stalled => self.cycle_of(step.until),
            _ => Cycles::MAX,
        }
    }

    /// The first cycle that is not before a moment.
    fn cycle_of(&self, moment: Moment) -> Cycles {
        let cycles = self.cycles_per_instruction.ceil_of(moment.instructions);
        moment.from + Cycles(cycles)
    }

    /// The core has stalled from a moment until `now`.
    fn count_stall(&mut self, since: Moment, now: Cycles) {
        let (per_instruction, parts) = self.cycles_per_instruction.terms();
        let all = u128::from((now - since.from).0) * u128::from(parts);
        self.stalled_parts += all - u128::from(since.instructions) * u128::from(per_instruction);
        let parts_per_second = u128::from(parts) * u128::from(self.clock.0.max(1));
        let time = self.stalled_parts * u128::from(Picoseconds::SECOND.0) / parts_per_second;
        self.counters.stalled = Picoseconds(time as u64);
    }

    /// One of its lines is served.
    pub(super) fn served(&mut self, kind: AccessKind) {
        match kind {
            AccessKind::Read => self.reads -= 1,
            AccessKind::Write => self.writes -= 1,
        }
    }

    pub(super) fn tick(&mut self, now: Cycles, port: &mut dyn AgentPort) {
        let Some(mut job) = self.job else {
            return;
        };
        while let Some(step) = job.step {
            if self.cycle_of(step.until) > now {
                break;
            }
            let mut went_on = step.until;
            if step.misses {
                if !self.has_room() {
                    job.is_stalled = true;
                    break;
                }
                if std::mem::take(&mut job.is_stalled) {
                    self.count_stall(step.until, now);
                    went_on = Moment::at(now);
                }
                self.miss(port);
            }
            self.retire(step.instructions, port);
            job.step = self.next_step(went_on, &mut job.left);
        }
        self.job = Some(job);
        if job.step.is_none() && self.reads == 0 {
            self.job_cycles += now - job.began;
            self.counters.job_time = self.clock.time_of(self.job_cycles);
            self.job = None;
        }
    }

    const fn has_room(&self) -> bool {
        self.reads < self.spec.reads_under_way && self.writes < self.spec.writes_under_way
    }

    /// Instructions to the next miss; none where it never misses.
    fn draw_gap(&mut self) -> Option<u64> {
        let misses = self.misses_per_10k;
        let below = 10_000_u64.checked_div(misses)?;
        let rest = 10_000 % misses;
        let mean = below + u64::from(rest > 0 && self.random.below(misses) < rest);
        Some(1 + self.random.below(2 * mean - 1))
    }

    /// The way to the next miss, or to the end of the job, or a part of it; nothing at its end.
    fn next_step(&mut self, from: Moment, left: &mut u64) -> Option<Step> {
        if *left == 0 {
            return None;
        }
        self.to_miss = self.to_miss.or_else(|| self.draw_gap());
        let to_miss = self.to_miss.unwrap_or(u64::MAX);
        let instructions = to_miss.min(*left).min(self.most);
        let misses = instructions == to_miss;
        self.to_miss = (self.to_miss).and_then(|gap| (!misses).then(|| gap - instructions));
        *left -= instructions;
        Some(Step {
            until: Moment {
                instructions: from.instructions + instructions,
                ..from
            },
            instructions,
            misses,
        })
    }

    fn miss(&mut self, port: &mut dyn AgentPort) {
        let line_bytes = self.spec.line.0;
        let n_lines = self.spec.footprint.0 / line_bytes;
        if self.run_left == 0 {
            self.run_left = self.spec.run;
            self.next_line = self.random.below(n_lines);
        }
        let at = |line: u64| self.base + line % n_lines * line_bytes;
        port.ask(self.place, AccessKind::Read, at(self.next_line));
        self.reads += 1;
        self.counters.misses += 1;
        if self.random.below(100) < u64::from(self.spec.writes_per_100_misses) {
            // A line read half a memory ago is old enough to leave a cache.
            let old = self.next_line + n_lines / 2;
            port.ask(self.place, AccessKind::Write, at(old));
            self.writes += 1;
            self.counters.writebacks += 1;
        }
        self.next_line += 1;
        self.run_left -= 1;
    }

    fn retire(&mut self, instructions: u64, port: &mut dyn AgentPort) {
        self.counters.instructions += instructions;
        self.unsaid += instructions;
        if self.unsaid >= NOTICE {
            port.notice(&AgentNotice::Retired {
                agent: self.id,
                instructions: std::mem::take(&mut self.unsaid),
            });
        }
    }
}

/// Numbers each of which depends on those before it alone (`SplitMix64`).
#[derive(Debug, Clone, Copy)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to `n` - 1, as evenly as 64 bits can have it.
    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}
