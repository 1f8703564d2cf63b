//! A shader core: greedy-then-oldest issue of several instructions a cycle, in order within a warp, through collector units
//! to the arithmetic and special-function units and the memory pipelines (KHEPRI, section II-B).
//!
//! When an instruction for the arithmetic side is issued, everything about its way is known: operands are collected a fixed
//! time later, units of a kind take instructions in order. So its completion time is worked out at once and noted in the
//! warp's window; only instructions that go to memory need events.

mod issue;

use super::counters::CoreCounters;
use super::data::DataUnit;
use super::job::WarpJob;
use super::merged::MergedLists;
use super::outcome::wait_of;
use super::pool::{AluPool, Releases, UnitPool};
use super::registers::Registers;
use super::texture::{TexturePorts, TextureUnit};
use super::warps::Warps;
use crate::cache::{CacheSpecError, PolicyTags};
use crate::frame::{Op, Pipe, PreparedFrame, ProgramShape, ProgramStore};
use crate::machine::{CoreSpec, IdealSpec};
use crate::memory::{MemorySystem, Source};
use crate::statistics::{Activity, State, WarpWork};
use azulejo_trace::PathIdx;
use azulejo_units::Cycles;

/// Shader core: its resident warps, units, collectors and texture path.
#[derive(Debug)]
pub(crate) struct Core {
    spec: CoreSpec,
    warps: Warps,
    pub(super) texture: TextureUnit,
    data: DataUnit,
    merged: MergedLists,
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
    /// Work of each slot's warp, from its first instruction to its last.
    works: Vec<WarpWork>,
    registers: Registers,
    /// Stalled = has warps. The cycles in which it issued something are counted apart and taken off.
    residence: Activity,
    n_busy: u64,
    counters: CoreCounters,
    /// No warp wakes or issues before this cycle unless a result of memory comes or a pipeline frees a collector unit.
    issue_at: Cycles,
    /// Nothing happens in this core before this cycle unless something comes from outside.
    pub(crate) wake: Cycles,
}

impl Core {
    pub(crate) fn with_tags(
        spec: &CoreSpec,
        tags: PolicyTags,
        source: Source,
        ideal: &IdealSpec,
    ) -> Result<Self, CacheSpecError> {
        let data = DataUnit::new(&spec.data_cache, spec.warps, source, ideal.data_caches)?;
        Ok(Self {
            spec: *spec,
            warps: Warps::new(spec.warps),
            texture: TextureUnit::new(spec, tags, source, ideal.texture_caches),
            data,
            merged: MergedLists::new(spec.warps),
            alus: AluPool::new(spec),
            transcendentals: UnitPool::new(spec.alus, spec.transcendental_interval),
            alu_wait: spec.collect_latency + spec.alu_latency,
            greedy: None,
            collectors_free: spec.collector_units,
            releases: Releases::default(),
            finished: Vec::with_capacity(spec.warps as usize),
            launched: vec![Cycles::ZERO; spec.warps as usize],
            works: vec![WarpWork::default(); spec.warps as usize],
            registers: Registers::new(spec),
            residence: Activity::default(),
            n_busy: 0,
            counters: CoreCounters::default(),
            issue_at: Cycles::MAX,
            wake: Cycles::MAX,
        })
    }

    pub(crate) fn spec(&self) -> &CoreSpec {
        &self.spec
    }

    /// Whether a warp of a program can become resident.
    pub(crate) fn has_room_for(&self, program: &ProgramShape) -> bool {
        self.warps.has_free() && self.registers.n_warps(program, 1) > 0
    }

    /// Places for warps, whatever registers they need.
    pub(crate) fn n_free_warps(&self) -> usize {
        self.spec.warps as usize - self.warps.n_resident
    }

    /// Warps of a program that can still become resident.
    pub(crate) fn n_free_warps_for(&self, program: &ProgramShape) -> usize {
        self.registers.n_warps(program, self.n_free_warps())
    }

    /// A pass begins, while the core has no warps. The data cache holds nothing that passes before may have changed.
    pub(crate) fn begin_pass(&mut self, programs: &ProgramStore) {
        self.merged.begin(programs);
        self.empty_data_cache();
    }

    /// Makes a warp resident, which must have a free place; it issues from the next cycle on. Its quads, or vertices, have
    /// these paths, none if its program is straight.
    pub(crate) fn launch(
        &mut self,
        job: WarpJob,
        paths: &[PathIdx],
        now: Cycles,
        facts: &PreparedFrame<'_>,
    ) {
        let mut program = facts.programs.programs[job.program as usize];
        let slot = self.warps.admit(job, program.first, now);
        self.launched[slot] = now;
        self.registers.take(slot, &program);
        let mut ops = facts.programs.ops.as_slice();
        if let Some(tree) = program.tree {
            let place = (slot, self.warps.warps.as_mut_slice());
            (program, self.works[slot]) = self.merged.run(place, (&job, tree), paths, facts);
            ops = &self.merged.ops;
        } else {
            self.works[slot] = program.work(job.n_quads);
        }
        if program.n_accesses > 0 {
            self.data.begin(slot, &job, facts);
        }
        if job.of_group {
            self.data.barriers.begin(job.ticket);
        }
        let warp = &mut self.warps.warps[slot];
        warp.pc = program.first;
        warp.chained_run = ops[program.first as usize].chained_run;
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

    /// Warp instructions issued in the frame but those of textures and buffers.
    pub(crate) fn arithmetic(&self) -> u64 {
        self.counters.instructions - self.texture.n_issued() - self.data.n_issued()
    }

    /// The job of a finished warp.
    pub(crate) fn job(&self, slot: u8) -> &WarpJob {
        &self.warps.jobs[usize::from(slot)]
    }

    /// Work of a finished warp.
    pub(crate) fn work(&self, slot: u8) -> &WarpWork {
        &self.works[usize::from(slot)]
    }

    /// Cycles from the launch of a warp to `now`.
    pub(crate) fn age(&self, slot: u8, now: Cycles) -> Cycles {
        now.since(self.launched[usize::from(slot)])
    }

    /// Frees the place of a finished warp.
    pub(crate) fn release(&mut self, slot: u8, now: Cycles) {
        let job = &self.warps.jobs[usize::from(slot)];
        if job.of_group {
            self.data.end(job, now);
            self.wake = self.wake.min(self.data.active_at);
        }
        self.warps.release(usize::from(slot));
        self.merged.end(usize::from(slot));
        self.registers.give_back(usize::from(slot));
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

    /// A line of a buffer has come: for the data cache, or for an atomic.
    pub(crate) fn fill_data(&mut self, line: u64, is_atomic: bool, now: Cycles) {
        self.wake = now;
        self.data.fill(line, is_atomic, now);
    }

    /// Drops what the data cache holds, while the core has no warps.
    pub(crate) fn empty_data_cache(&mut self) {
        self.data.tags.flush();
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
        counters.data = std::mem::take(&mut self.data.counters);
        counters
    }

    /// One cycle: results, texture pipelines, wake-ups, issue.
    pub(crate) fn tick(
        &mut self,
        now: Cycles,
        programs: &ProgramStore,
        ports: &mut TexturePorts<'_, '_>,
    ) {
        if self.merged.ops.is_empty() {
            self.tick_over(now, &programs.ops, ports);
            return;
        }
        // In a frame with programs that branch, all lists are the core's own.
        let ops = std::mem::take(&mut self.merged.ops);
        self.tick_over(now, &ops, ports);
        self.merged.ops = ops;
    }

    #[inline]
    fn tick_over(&mut self, now: Cycles, ops: &[Op], ports: &mut TexturePorts<'_, '_>) {
        if self.warps.is_wide() {
            self.tick_of_width::<true>(now, ops, ports);
        } else {
            self.tick_of_width::<false>(now, ops, ports);
        }
    }

    fn tick_of_width<const WIDE: bool>(
        &mut self,
        now: Cycles,
        ops: &[Op],
        ports: &mut TexturePorts<'_, '_>,
    ) {
        let mut concerns_warps = self.issue_at <= now;
        if self.texture.active_at <= now || self.texture.has_room_again(ports.memory) {
            concerns_warps |= self.take_results::<WIDE>(now, ops);
            let jobs = &mut self.warps.jobs;
            let collected = self.texture.tick(now, (jobs, &self.merged), ports);
            self.collectors_free += collected;
            concerns_warps |= collected > 0;
        }
        if self.data.active_at <= now {
            concerns_warps |= self.tick_data::<WIDE>(now, ops, ports);
        }
        // While pipelines only walk over lines, warps need not be looked at.
        if concerns_warps {
            self.collectors_free += self.releases.take(now);
            self.wake_warps::<WIDE>(now);
            let issued = self.issue::<WIDE>(now, ops);
            self.n_busy += u64::from(issued > 0);
            self.issue_at = self.next_issue::<WIDE>(now);
        }
        let active_at = self.texture.active_at.min(self.data.active_at);
        self.wake = self.issue_at.min(active_at.max(now.next()));
    }

    /// A cycle of the load/store unit; whether it concerns warps.
    #[inline(never)]
    fn tick_data<const WIDE: bool>(
        &mut self,
        now: Cycles,
        ops: &[Op],
        ports: &mut TexturePorts<'_, '_>,
    ) -> bool {
        let mut any = false;
        while let Some((slot, bit)) = self.data.pop_result(now) {
            any = true;
            self.take_result::<WIDE>((slot, bit), now, ops);
        }
        let jobs = &self.warps.jobs;
        let collected = self.data.tick(now, (jobs, &self.merged), ports);
        self.collectors_free += collected;
        any || collected > 0
    }

    /// Takes the texture results that have come; whether there are any.
    fn take_results<const WIDE: bool>(&mut self, now: Cycles, ops: &[Op]) -> bool {
        let mut any = false;
        while let Some((slot, bit)) = self.texture.pop_result(now) {
            any = true;
            self.take_result::<WIDE>((slot, bit), now, ops);
        }
        any
    }

    /// Takes a result of memory that has come.
    #[inline]
    fn take_result<const WIDE: bool>(
        &mut self,
        (slot, bit): (usize, u32),
        now: Cycles,
        ops: &[Op],
    ) {
        let warp = &mut self.warps.warps[slot];
        warp.of_memory &= !bit;
        if !warp.is_held {
            return;
        }
        let op = &ops[warp.pc as usize];
        if warp.of_memory & op.memory_waits == 0 {
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

    /// A warp has issued everything and no result of memory is outstanding.
    fn finish_when_complete<const WIDE: bool>(&mut self, slot: usize, now: Cycles) {
        let warp = &self.warps.warps[slot];
        let wait = Cycles(warp.incomplete_for(now).max(1).into());
        self.warps.finish::<WIDE>(slot, now.after(wait), now);
    }

    fn wake_warps<const WIDE: bool>(&mut self, now: Cycles) {
        let (finished, counters) = (&mut self.finished, &mut self.counters);
        let works = &self.works;
        self.warps.turn::<WIDE>(now, |slot| {
            finished.push(slot as u8);
            let work = &works[slot];
            counters.transcendentals += work.transcendentals;
            counters.thread_instructions += work.thread_instructions;
            counters.transcendental_threads += work.transcendental_threads;
            counters.texture_threads += work.texture_threads;
            counters.buffer_threads += work.buffer_threads;
        });
    }
}
