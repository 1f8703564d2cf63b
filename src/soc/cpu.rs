//! A core of a CPU as the memory sees it: jobs of so many instructions in, misses out. Between two misses it computes for a while; with as
//! many reads under way as it can have, it stalls until one is served. A job is over when its instructions are done and its reads there.
//!
//! The instructions between two misses are random, evenly from 1 to twice their mean less 1; where the mean is no whole number, it is by
//! turns the one below and the one above, as often as it takes. They go on from one job to the next. Misses go to runs of consecutive
//! lines, each run at a random place of the core's memory; with so many in a hundred a line is written back, half a memory away.

use serde::Serialize;

use super::spec::CpuSpec;
use crate::gpu::access::AccessKind;
use crate::gpu::dram::{AgentId, AgentNotice};
use crate::gpu::memory::AgentPort;
use crate::units::{Cycles, Picoseconds};

/// Instructions after which a core says how far it is.
const NOTICE: u64 = 10_000;

/// What a core did.
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
    /// Of this, without room for another miss.
    pub stalled: Picoseconds,
}

/// Where the memory of cores begins among the rows of the DRAM: a GiB above the GPU's first byte, far from all that it allocates.
const FIRST_BYTE: u64 = (1 << 48) + (1 << 30);

/// What the core does next: it computes until a time, and then may miss.
#[derive(Debug, Clone, Copy)]
struct Step {
    until: Picoseconds,
    instructions: u64,
    misses: bool,
}

/// A job under way.
#[derive(Debug, Clone, Copy)]
struct Job {
    began: Picoseconds,
    /// Instructions behind the step.
    left: u64,
    /// Nothing once all instructions are done.
    step: Option<Step>,
    /// Since when there is no room for the step's miss.
    stalled_since: Option<Picoseconds>,
}

/// A core.
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
    /// Period of the GPU's clock, in which the core is ticked.
    tick: Picoseconds,
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
        tick: Picoseconds,
        seed: u64,
    ) -> Self {
        let per_millisecond = spec.instructions_per_100_cycles * spec.clock_mhz * 10;
        Self {
            place,
            id: AgentId::cpu(number as u8),
            spec: spec.clone(),
            misses_per_10k: spec.misses_per_10k[number],
            to_miss: None,
            most: per_millisecond.clamp(1, NOTICE),
            tick,
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
        let began = self.tick * now.0;
        let mut left = kilo_instructions * 1000;
        let step = self.next_step(began, &mut left);
        self.job = step.map(|step| Job {
            began,
            left,
            step: Some(step),
            stalled_since: None,
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
            Some((job, step)) if job.stalled_since.is_none() => {
                Cycles(step.until.0.div_ceil(self.tick.0))
            }
            _ => Cycles::MAX,
        }
    }

    /// One of its lines is served.
    pub(super) fn served(&mut self, kind: AccessKind) {
        match kind {
            AccessKind::Read => self.reads -= 1,
            AccessKind::Write => self.writes -= 1,
        }
    }

    pub(super) fn tick(&mut self, now: Cycles, port: &mut dyn AgentPort) {
        let time = self.tick * now.0;
        let Some(mut job) = self.job else {
            return;
        };
        while let Some(step) = job.step {
            if step.until > time {
                break;
            }
            let mut went_on = step.until;
            if step.misses {
                if !self.has_room() {
                    job.stalled_since.get_or_insert(step.until);
                    break;
                }
                if let Some(since) = job.stalled_since.take() {
                    self.counters.stalled += time - since;
                    went_on = time;
                }
                self.miss(port);
            }
            self.retire(step.instructions, port);
            job.step = self.next_step(went_on, &mut job.left);
        }
        self.job = Some(job);
        if job.step.is_none() && self.reads == 0 {
            self.counters.job_time += time - job.began;
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
    fn next_step(&mut self, from: Picoseconds, left: &mut u64) -> Option<Step> {
        if *left == 0 {
            return None;
        }
        self.to_miss = self.to_miss.or_else(|| self.draw_gap());
        let to_miss = self.to_miss.unwrap_or(u64::MAX);
        let instructions = to_miss.min(*left).min(self.most);
        let misses = instructions == to_miss;
        self.to_miss = (self.to_miss).and_then(|gap| (!misses).then(|| gap - instructions));
        *left -= instructions;
        let cycles = instructions * 100;
        let rate = self.spec.instructions_per_100_cycles;
        let time = (self.spec.clock().period() * cycles).0 / rate;
        Some(Step {
            until: from + Picoseconds(time),
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
            // What was read half a memory ago is old enough to leave a cache.
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
