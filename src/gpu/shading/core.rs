//! A shader core: greedy-then-oldest issue of several instructions a cycle, in order within a warp, through collector units
//! to the arithmetic and special-function units and the memory pipelines (KHEPRI, section II-B).
//!
//! When an instruction for the arithmetic side is issued, everything about its way is known: operands are collected a fixed
//! time later, units of a kind take instructions in order. So its completion time is worked out at once and noted in the
//! warp's window; only texture instructions need events.

use super::job::WarpJob;
use super::outcome::{Outcome, stop, wait_of};
use super::pool::{AluPool, Releases, UnitPool};
use super::texture::{TextureCounters, TexturePorts, TextureUnit};
use super::warps::{Set, Warps};
use crate::cache::PolicyTags;
#[cfg(test)]
use crate::cache::{CacheSpecError, Victim};
use crate::frame::{Op, Pipe, ProgramShape, ProgramStore, WINDOW};
use crate::machine::CoreSpec;
use crate::memory::{MemorySystem, Source};
use crate::statistics::{Activity, ActivityCounters, State};
use azulejo_units::Cycles;

/// Counters of one core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CoreCounters {
    /// Busy = issued something; stalled = had warps and issued nothing; idle = had none.
    pub activity: ActivityCounters,
    /// Warp instructions issued, one for all threads of a warp.
    pub instructions: u64,
    /// Warp instructions for the special-function units.
    pub transcendentals: u64,
    /// Threads of all instructions, helper lanes included.
    pub thread_instructions: u64,
    /// Threads of special functions.
    pub transcendental_threads: u64,
    /// Threads of texture instructions.
    pub texture_threads: u64,
    /// Warps launched on the core.
    pub warps: u64,
    /// Texture path: samples, accesses and latencies.
    pub texture: TextureCounters,
}

/// Shader core: its resident warps, units, collectors and texture path.
#[derive(Debug)]
pub(crate) struct Core {
    spec: CoreSpec,
    warps: Warps,
    pub(super) texture: TextureUnit,
    alus: AluPool,
    transcendentals: UnitPool,
    /// Cycles from the issue of an arithmetic instruction to that of one that reads its result, where units are always
    /// free.
    alu_wait: Cycles,
    /// The warp that issued last.
    greedy: Option<usize>,
    collectors_free: u32,
    releases: Releases,
    /// Slots of warps that are through, oldest finish first.
    pub(crate) finished: Vec<u8>,
    /// When the warp of each slot was launched.
    launched: Vec<Cycles>,
    /// Registers of each slot's warp, and of all.
    registers: Vec<u32>,
    registers_used: u32,
    /// Stalled = has warps. The cycles in which it issued something are counted apart and taken off.
    residence: Activity,
    n_busy: u64,
    counters: CoreCounters,
    /// No warp wakes or issues before this cycle unless a texture result comes or a pipeline frees a collector unit.
    issue_at: Cycles,
    /// Nothing happens in this core before this cycle unless something comes from outside.
    pub(crate) wake: Cycles,
}

impl Core {
    /// A core with the machine's own replacement in its texture cache.
    #[cfg(test)]
    pub(crate) fn new(
        spec: &CoreSpec,
        source: Source,
        ideal: bool,
    ) -> Result<Self, CacheSpecError> {
        let tags = PolicyTags::of_machine(spec.texture_cache.tags, Victim::Lru)?;
        Ok(Self::with_tags(spec, tags, source, ideal))
    }

    pub(crate) fn with_tags(
        spec: &CoreSpec,
        tags: PolicyTags,
        source: Source,
        ideal: bool,
    ) -> Self {
        Self {
            spec: *spec,
            warps: Warps::new(spec.warps),
            texture: TextureUnit::new(spec, tags, source, ideal),
            alus: AluPool::new(spec),
            transcendentals: UnitPool::new(spec.alus, spec.transcendental_interval),
            alu_wait: spec.collect_latency + spec.alu_latency,
            greedy: None,
            collectors_free: spec.collector_units,
            releases: Releases::default(),
            finished: Vec::with_capacity(spec.warps as usize),
            launched: vec![Cycles::ZERO; spec.warps as usize],
            registers: vec![0; spec.warps as usize],
            registers_used: 0,
            residence: Activity::default(),
            n_busy: 0,
            counters: CoreCounters::default(),
            issue_at: Cycles::MAX,
            wake: Cycles::MAX,
        }
    }

    pub(crate) fn spec(&self) -> &CoreSpec {
        &self.spec
    }

    /// Whether a warp of a program can become resident.
    pub(crate) fn has_room_for(&self, program: &ProgramShape) -> bool {
        let room = self.spec.registers - self.registers_used;
        self.warps.has_free() && self.registers_of(program) <= room
    }

    /// Places for warps, whatever registers they need.
    pub(crate) fn n_free_warps(&self) -> usize {
        self.spec.warps as usize - self.warps.n_resident
    }

    /// Warps of a program that can still become resident.
    pub(crate) fn n_free_warps_for(&self, program: &ProgramShape) -> usize {
        let room = self.spec.registers - self.registers_used;
        let fit = room.checked_div(self.registers_of(program));
        let places = self.n_free_warps();
        fit.map_or(places, |fit| places.min(fit as usize))
    }

    /// Registers that a warp takes; one that needs more than there are has all of them.
    fn registers_of(&self, program: &ProgramShape) -> u32 {
        let needed = program.registers.saturating_mul(self.spec.warp_threads);
        needed.min(self.spec.registers)
    }

    /// Makes a warp resident, which must have a free place; it issues from the next cycle on.
    pub(crate) fn launch(&mut self, job: WarpJob, now: Cycles, programs: &ProgramStore) {
        let program = programs.programs[job.program as usize];
        let slot = self.warps.admit(job, program.first, now);
        self.warps.warps[slot].chained_run = programs.ops[program.first as usize].chained_run;
        self.launched[slot] = now;
        self.registers[slot] = self.registers_of(&program);
        self.registers_used += self.registers[slot];
        self.counters.warps += 1;
        self.residence.set(State::Stalled, now.next());
        if program.n_instructions == 0 {
            self.warps.finish::<true>(slot, now.next(), now);
        } else {
            self.warps.sleep::<true>(slot, now.next(), now);
        }
        self.issue_at = self.issue_at.min(now.next());
        self.wake = self.wake.min(now.next());
    }

    /// Grows with everything that the core does in a frame.
    pub(crate) fn work_done(&self) -> u64 {
        self.n_busy + self.counters.warps
    }

    /// Cycles of the frame in which it issued something.
    pub(crate) fn busy(&self) -> Cycles {
        Cycles(self.n_busy)
    }

    /// Warp instructions issued in the frame but those of textures.
    pub(crate) fn arithmetic(&self) -> u64 {
        self.counters.instructions - self.texture.n_issued()
    }

    /// The job of a finished warp.
    pub(crate) fn job(&self, slot: u8) -> &WarpJob {
        &self.warps.jobs[usize::from(slot)]
    }

    /// Cycles from the launch of a warp to `now`.
    pub(crate) fn age(&self, slot: u8, now: Cycles) -> Cycles {
        now.since(self.launched[usize::from(slot)])
    }

    /// Frees the place of a finished warp.
    pub(crate) fn release(&mut self, slot: u8, now: Cycles) {
        self.warps.release(usize::from(slot));
        self.registers_used -= self.registers[usize::from(slot)];
        if self.greedy == Some(usize::from(slot)) {
            self.greedy = None;
        }
        if self.warps.n_resident == 0 {
            self.residence.set(State::Idle, now.next());
        }
    }

    /// Whether the texture cache holds a line.
    pub(crate) fn holds(&self, line: u64) -> bool {
        self.texture.holds(line)
    }

    /// A line has come for the texture cache, which may be a copy of what another core holds; the address of the line that
    /// had to leave.
    pub(crate) fn fill(&mut self, line: u64, copy: bool, now: Cycles) -> Option<u64> {
        self.wake = now;
        self.texture.fill(line, copy, now)
    }

    /// Whether a cycle at `now` could change anything.
    pub(crate) fn is_due(&self, now: Cycles, memory: &MemorySystem) -> bool {
        self.wake <= now || self.texture.has_room_again(memory)
    }

    /// Counters since the last call.
    pub(crate) fn take_counters(&mut self, now: Cycles) -> CoreCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.residence.take(now);
        let busy = Cycles(std::mem::take(&mut self.n_busy));
        counters.activity.busy = busy;
        counters.activity.stalled = counters.activity.stalled - busy;
        counters.texture = std::mem::take(&mut self.texture.counters);
        counters
    }

    /// One cycle: results, texture pipelines, wake-ups, issue.
    pub(crate) fn tick(
        &mut self,
        now: Cycles,
        programs: &ProgramStore,
        ports: &mut TexturePorts<'_, '_>,
    ) {
        if self.warps.is_wide() {
            self.tick_of_width::<true>(now, programs, ports);
        } else {
            self.tick_of_width::<false>(now, programs, ports);
        }
    }

    fn tick_of_width<const WIDE: bool>(
        &mut self,
        now: Cycles,
        programs: &ProgramStore,
        ports: &mut TexturePorts<'_, '_>,
    ) {
        let mut concerns_warps = self.issue_at <= now;
        if self.texture.active_at <= now || self.texture.has_room_again(ports.memory) {
            concerns_warps |= self.take_results::<WIDE>(now, programs);
            let collected = self.texture.tick(now, &mut self.warps.jobs, ports);
            self.collectors_free += collected;
            concerns_warps |= collected > 0;
        }
        // While pipelines only walk over lines, warps need not be looked at.
        if concerns_warps {
            self.collectors_free += self.releases.take(now);
            self.wake_warps::<WIDE>(now, programs);
            let issued = self.issue::<WIDE>(now, programs);
            self.n_busy += u64::from(issued > 0);
            self.issue_at = self.next_issue::<WIDE>(now);
        }
        self.wake = self.issue_at.min(self.texture.active_at.max(now.next()));
    }

    /// Takes the texture results that have come; whether there are any.
    fn take_results<const WIDE: bool>(&mut self, now: Cycles, programs: &ProgramStore) -> bool {
        let mut any = false;
        while let Some((slot, bit)) = self.texture.pop_result(now) {
            any = true;
            let warp = &mut self.warps.warps[slot];
            warp.textures &= !bit;
            if !warp.is_held {
                continue;
            }
            let op = &programs.ops[warp.pc as usize];
            if warp.textures & op.texture_waits == 0 {
                warp.is_held = false;
                let wait = wait_of(op, &self.warps.windows[slot], now);
                if op.pipe == Pipe::End {
                    self.finish_when_complete::<WIDE>(slot, now);
                } else if wait > 0 {
                    self.warps
                        .sleep::<WIDE>(slot, now.after(Cycles(wait.into())), now);
                } else {
                    self.warps.set_ready::<WIDE>(slot);
                }
            }
        }
        any
    }

    /// A warp has issued everything and no texture result is outstanding.
    fn finish_when_complete<const WIDE: bool>(&mut self, slot: usize, now: Cycles) {
        let warp = &self.warps.warps[slot];
        let wait = Cycles(warp.incomplete_for(now).max(1).into());
        self.warps.finish::<WIDE>(slot, now.after(wait), now);
    }

    fn wake_warps<const WIDE: bool>(&mut self, now: Cycles, programs: &ProgramStore) {
        let (finished, counters) = (&mut self.finished, &mut self.counters);
        self.warps.turn::<WIDE>(now, |job, slot| {
            finished.push(slot as u8);
            let work = programs.programs[job.program as usize].work(job.n_quads);
            counters.transcendentals += work.transcendentals;
            counters.thread_instructions += work.thread_instructions;
            counters.transcendental_threads += work.transcendental_threads;
            counters.texture_threads += work.texture_threads;
        });
    }

    fn issue<const WIDE: bool>(&mut self, now: Cycles, programs: &ProgramStore) -> u32 {
        let width = self.spec.issue_width.min(self.collectors_free);
        if width == 0 || !self.warps.any_ready::<WIDE>() {
            return 0;
        }
        let mut left = width;
        let mut ready = self.warps.ready;
        let mut rank = match self.greedy {
            Some(slot) if self.warps.is_ready::<WIDE>(slot) => self.warps.rank_of(slot),
            _ => ready.first::<WIDE>(),
        };
        // Warps that issue a whole run and wait for its last result: nearly all, and all for the same time.
        let mut n_chained = 0;
        let mut chained = Set::default();
        let slot = loop {
            let slot = self.warps.slot_of(rank);
            let warp = &mut self.warps.warps[slot];
            let run = u32::from(warp.chained_run);
            if (1..=left).contains(&run) && self.alus.is_unbounded() && warp.is_complete(now) {
                // No instruction of this warp can be issued before these results are there, so their own times are not
                // read.
                warp.complete_at = now.after(self.alu_wait).0 as u32;
                warp.pc += run;
                warp.chained_run = programs.ops[warp.pc as usize].chained_run;
                left -= run;
                n_chained += run;
                chained.insert::<WIDE>(rank);
                ready.remove::<WIDE>(rank);
            } else {
                self.warps.ready = ready;
                left = self.issue_warp::<WIDE>(slot, left, now, programs);
                ready = self.warps.ready;
            }
            if left == 0 || ready.is_empty::<WIDE>() {
                break slot;
            }
            rank = ready.first::<WIDE>();
        };
        self.warps.ready = ready;
        self.warps
            .sleep_together::<WIDE>(chained, now.after(self.alu_wait), now);
        if n_chained > 0 {
            let collected = now.after(self.spec.collect_latency);
            self.releases.add(collected, n_chained as u8);
        }
        self.greedy = Some(slot);
        let issued = width - left;
        self.collectors_free -= issued;
        self.counters.instructions += u64::from(issued);
        issued
    }

    /// Issues from a ready warp until it has to wait or nothing is left; returns what is left.
    fn issue_warp<const WIDE: bool>(
        &mut self,
        slot: usize,
        left: u32,
        now: Cycles,
        programs: &ProgramStore,
    ) -> u32 {
        let warp = &self.warps.warps[slot];
        let ops = &programs.ops[warp.pc as usize..];
        let first = &ops[0];
        let mut n_issued = 0;
        let mut outcome = None;
        if first.run > 0 && warp.is_complete(now) && self.alus.is_unbounded() {
            n_issued = left.min(u32::from(first.run));
            self.issue_run(slot, n_issued, now, first.slot);
            outcome = if n_issued < u32::from(first.run) {
                Some(Outcome::Ready)
            } else {
                let warp = &self.warps.warps[slot];
                let window = &self.warps.windows[slot];
                stop(&ops[n_issued as usize], warp, window, now, n_issued == left)
            };
        }
        let outcome = outcome.unwrap_or_else(|| {
            let ops = &ops[n_issued as usize..];
            let (n, outcome) = self.issue_singly(slot, left - n_issued, now, ops);
            n_issued += n;
            outcome
        });
        let warp = &mut self.warps.warps[slot];
        warp.pc += n_issued;
        warp.chained_run = ops[n_issued as usize].chained_run;
        self.settle::<WIDE>(slot, &outcome, now);
        left - n_issued
    }

    /// Issues arithmetic with all operands there and free units, the first with this place in the window.
    #[inline]
    fn issue_run(&mut self, slot: usize, n: u32, now: Cycles, first: u8) {
        let collected = now.after(self.spec.collect_latency);
        let done = collected.after(self.spec.alu_latency);
        let window = &mut self.warps.windows[slot];
        for nth in 0..n as usize {
            window[(usize::from(first) + nth) % WINDOW] = done.0 as u32;
        }
        self.warps.warps[slot].complete_at = done.0 as u32;
        self.releases.add(collected, n as u8);
    }

    /// Issues one after the other whatever there is; returns how many, and why no more.
    fn issue_singly(&mut self, slot: usize, left: u32, now: Cycles, ops: &[Op]) -> (u32, Outcome) {
        let collected = now.after(self.spec.collect_latency);
        let warp = &mut self.warps.warps[slot];
        let window = &mut self.warps.windows[slot];
        let mut n_issued = 0;
        // Units that are free as soon as the operands are collected: nearly all.
        let mut n_at_once = 0;
        let outcome = loop {
            let op = &ops[n_issued as usize];
            let done = match op.pipe {
                Pipe::Alu => {
                    let start = self.alus.start(collected);
                    if start == collected {
                        n_at_once += 1;
                    } else {
                        self.releases.add(start, 1);
                    }
                    Some(start.after(self.spec.alu_latency))
                }
                Pipe::Transcendental => {
                    let start = self.transcendentals.start(collected);
                    self.releases.add(start, 1);
                    Some(start.after(self.spec.transcendental_latency))
                }
                Pipe::Memory => {
                    let bit = 1 << op.texture;
                    warp.textures |= bit;
                    self.texture.issue(slot, bit, collected);
                    None
                }
                // A warp at its end is never ready.
                Pipe::End => None,
            };
            if let Some(at) = done {
                window[usize::from(op.slot) % WINDOW] = at.0 as u32;
                warp.complete(at, now);
            }
            n_issued += 1;
            let next = &ops[n_issued as usize];
            if let Some(outcome) = stop(next, warp, window, now, n_issued == left) {
                break outcome;
            }
        };
        self.releases.add(collected, n_at_once);
        (n_issued, outcome)
    }

    /// Puts a warp into its state after it has issued.
    fn settle<const WIDE: bool>(&mut self, slot: usize, outcome: &Outcome, now: Cycles) {
        match *outcome {
            Outcome::Ready => {}
            Outcome::Held => {
                self.warps.warps[slot].is_held = true;
                self.warps.set_waiting::<WIDE>(slot);
            }
            Outcome::Wait(wait) => {
                self.warps.set_waiting::<WIDE>(slot);
                self.warps
                    .sleep::<WIDE>(slot, now.after(Cycles(wait.into())), now);
            }
            Outcome::End => {
                self.warps.set_waiting::<WIDE>(slot);
                self.finish_when_complete::<WIDE>(slot, now);
            }
        }
    }

    /// The next cycle in which a warp wakes or issues without anything from the texture path.
    fn next_issue<const WIDE: bool>(&self, now: Cycles) -> Cycles {
        let any_ready = self.warps.any_ready::<WIDE>();
        if any_ready && self.collectors_free > 0 {
            return now.next();
        }
        let wake = self.warps.next_wake(now);
        if any_ready {
            wake.min(self.releases.next(now))
        } else {
            wake
        }
    }
}
