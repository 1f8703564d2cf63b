//! A shader core: greedy-then-oldest issue of several instructions a cycle, in order within a warp, through collector units to the
//! arithmetic and special-function units and the memory pipelines (KHEPRI, section II-B).
//!
//! When an instruction for the arithmetic side is issued, everything about its way is known: operands are collected a fixed time
//! later, units of a kind take instructions in order. So its completion time is worked out at once and noted in the warp's
//! window; only texture instructions need events.

use super::pool::{AluPool, Releases, UnitPool};
use super::program::{FIXED_WAITS, Op, Pipe, ProgramStore, WINDOW};
use super::texture::{TextureCounters, TexturePorts, TextureUnit};
use super::warps::{Hold, WarpJob, Warps};
use crate::gpu::cache::CacheSpecError;
use crate::gpu::machine::CoreSpec;
use crate::gpu::memory::{MemorySystem, Source};
use crate::gpu::statistics::{Activity, ActivityCounters, State};

/// Why a warp stopped issuing in a cycle.
enum Outcome {
    /// The core's width is used up.
    Ready,
    /// A texture result is missing.
    Held,
    /// A result will be there in so many cycles.
    Wait(u32),
    /// Its program is through.
    End,
}

/// What one core counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CoreCounters {
    /// Busy = issued something; stalled = had warps and issued nothing; idle = had none.
    pub activity: ActivityCounters,
    /// Warp instructions issued.
    pub instructions: u64,
    /// Of these, for the special-function units.
    pub transcendentals: u64,
    /// Threads of all instructions, helper lanes included.
    pub thread_instructions: u64,
    /// Of these, those of special functions.
    pub transcendental_threads: u64,
    /// Warps run.
    pub warps: u64,
    /// Texture path.
    pub texture: TextureCounters,
}

/// A core.
#[derive(Debug)]
pub(crate) struct Core {
    spec: CoreSpec,
    warps: Warps,
    texture: TextureUnit,
    alus: AluPool,
    transcendentals: UnitPool,
    /// The warp that issued last.
    greedy: Option<usize>,
    collectors_free: u32,
    releases: Releases,
    /// Slots of warps that are through, oldest finish first.
    pub(crate) finished: Vec<u8>,
    activity: Activity,
    counters: CoreCounters,
    /// Nothing happens in this core before this cycle unless something comes from outside.
    pub(crate) wake: u64,
}

impl Core {
    pub(crate) fn new(
        spec: &CoreSpec,
        source: Source,
        ideal: bool,
    ) -> Result<Self, CacheSpecError> {
        Ok(Self {
            spec: *spec,
            warps: Warps::new(spec.warps),
            texture: TextureUnit::new(spec, source, ideal)?,
            alus: AluPool::new(spec.alus, spec.alu_interval),
            transcendentals: UnitPool::new(spec.alus, spec.transcendental_interval),
            greedy: None,
            collectors_free: spec.collector_units,
            releases: Releases::default(),
            finished: Vec::with_capacity(spec.warps as usize),
            activity: Activity::default(),
            counters: CoreCounters::default(),
            wake: u64::MAX,
        })
    }

    pub(crate) fn spec(&self) -> &CoreSpec {
        &self.spec
    }

    /// Whether another warp can become resident.
    pub(crate) fn has_free_warp(&self) -> bool {
        self.warps.has_free()
    }

    /// Makes a warp resident, which must have a free place; it issues from the next cycle on.
    pub(crate) fn launch(&mut self, job: WarpJob, now: u64, programs: &ProgramStore) {
        let program = programs.programs[job.program as usize];
        let slot = self.warps.admit(job, program.first, now);
        self.counters.warps += 1;
        if program.n_instructions == 0 {
            self.warps.warps[slot].hold = Hold::Finishing;
        }
        self.warps.sleep(slot, now + 1, now);
        self.wake = self.wake.min(now + 1);
    }

    /// The job of a finished warp.
    pub(crate) fn job(&self, slot: u8) -> &WarpJob {
        &self.warps.jobs[usize::from(slot)]
    }

    /// Frees the place of a finished warp.
    pub(crate) fn release(&mut self, slot: u8, now: u64) {
        self.warps.release(usize::from(slot));
        if self.greedy == Some(usize::from(slot)) {
            self.greedy = None;
        }
        if self.warps.n_resident == 0 {
            self.activity.set(State::Idle, now + 1);
        }
    }

    /// A line has come for the texture cache.
    pub(crate) fn fill(&mut self, line: u64, now: u64) {
        self.texture.fill(line, now);
        self.wake = now;
    }

    /// Whether a cycle at `now` could change anything.
    pub(crate) fn is_due(&self, now: u64, memory: &MemorySystem) -> bool {
        self.wake <= now || self.texture.has_room_again(memory)
    }

    /// What happened since the last call.
    pub(crate) fn take_counters(&mut self, now: u64) -> CoreCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.activity.take(now);
        counters.texture = std::mem::take(&mut self.texture.counters);
        counters
    }

    /// One cycle: results, texture pipelines, wake-ups, issue.
    pub(crate) fn tick(
        &mut self,
        now: u64,
        programs: &ProgramStore,
        ports: &mut TexturePorts<'_, '_>,
    ) {
        if self.texture.active_at <= now || self.texture.has_room_again(ports.memory) {
            self.take_results(now, programs);
            self.collectors_free += self.texture.tick(now, &mut self.warps.jobs, ports);
        }
        self.collectors_free += self.releases.take(now);
        self.wake_warps(now, programs);
        let issued = self.issue(now, programs);
        let state = if issued > 0 {
            State::Busy
        } else if self.warps.n_resident > 0 {
            State::Stalled
        } else {
            State::Idle
        };
        self.activity.set(state, now);
        self.wake = self.next_wake(now);
        if issued > 0 && self.wake > now + 1 {
            self.activity.set(State::Stalled, now + 1);
        }
    }

    fn take_results(&mut self, now: u64, programs: &ProgramStore) {
        while let Some((slot, bit)) = self.texture.pop_result(now) {
            let warp = &mut self.warps.warps[slot];
            warp.textures &= !bit;
            if warp.hold == Hold::None {
                continue;
            }
            let op = &programs.ops[warp.pc as usize];
            if warp.textures & op.texture_waits == 0 {
                warp.hold = Hold::None;
                let wait = wait_of(op, &warp.window, now);
                if op.pipe == Pipe::End {
                    self.finish_when_complete(slot, now);
                } else if wait > 0 {
                    self.warps.sleep(slot, now + u64::from(wait), now);
                } else {
                    self.warps.set_ready(slot);
                }
            }
        }
    }

    /// A warp has issued everything and no texture result is outstanding.
    fn finish_when_complete(&mut self, slot: usize, now: u64) {
        let warp = &mut self.warps.warps[slot];
        warp.hold = Hold::Finishing;
        let last = warp
            .window
            .iter()
            .map(|at| at.wrapping_sub(now as u32).cast_signed())
            .max();
        let wait = u64::from(last.unwrap_or(0).max(1).unsigned_abs());
        self.warps.sleep(slot, now + wait, now);
    }

    fn wake_warps(&mut self, now: u64, programs: &ProgramStore) {
        let (finished, counters) = (&mut self.finished, &mut self.counters);
        self.warps.turn(now, |warps, slot| {
            if warps.warps[slot].hold != Hold::Finishing {
                warps.set_ready(slot);
                return;
            }
            warps.warps[slot].hold = Hold::Finished;
            finished.push(slot as u8);
            let job = &warps.jobs[slot];
            let program = programs.programs[job.program as usize];
            counters.transcendentals += u64::from(program.n_transcendentals);
            let threads = 4 * u64::from(job.n_quads);
            counters.thread_instructions += threads * u64::from(program.n_instructions);
            counters.transcendental_threads += threads * u64::from(program.n_transcendentals);
        });
    }

    fn issue(&mut self, now: u64, programs: &ProgramStore) -> u32 {
        let width = self.spec.issue_width.min(self.collectors_free);
        if width == 0 || !self.warps.any_ready() {
            return 0;
        }
        let mut left = width;
        let mut slot = match self.greedy {
            Some(slot) if self.warps.is_ready(slot) => slot,
            _ => self.warps.oldest_ready(),
        };
        loop {
            left = self.issue_warp(slot, left, now, programs);
            if left == 0 || !self.warps.any_ready() {
                break;
            }
            slot = self.warps.oldest_ready();
        }
        self.greedy = Some(slot);
        let issued = width - left;
        self.collectors_free -= issued;
        self.counters.instructions += u64::from(issued);
        issued
    }

    /// Issues from a ready warp until it has to wait or nothing is left; returns what is left.
    fn issue_warp(&mut self, slot: usize, mut left: u32, now: u64, programs: &ProgramStore) -> u32 {
        let collected = now + self.spec.collect_latency.0;
        let alu_latency = self.spec.alu_latency.0;
        let warp = &mut self.warps.warps[slot];
        let ops = &programs.ops[warp.pc as usize..];
        let mut n_issued = 0;
        // Units that are free as soon as the operands are collected: nearly all.
        let mut n_at_once = 0;
        let outcome = loop {
            let op = &ops[n_issued as usize];
            match op.pipe {
                Pipe::Alu => {
                    let start = self.alus.start(collected);
                    if start == collected {
                        n_at_once += 1;
                    } else {
                        self.releases.add(start, 1);
                    }
                    warp.complete(op, start + alu_latency);
                }
                Pipe::Transcendental => {
                    let start = self.transcendentals.start(collected);
                    self.releases.add(start, 1);
                    warp.complete(op, start + self.spec.transcendental_latency.0);
                }
                Pipe::Memory => {
                    warp.textures |= op.texture_bit;
                    self.texture.issue(slot, op.texture_bit, collected);
                }
                // A warp at its end is never ready.
                Pipe::End => {}
            }
            n_issued += 1;
            left -= 1;
            let op = &ops[n_issued as usize];
            if warp.textures & op.texture_waits != 0 {
                break Outcome::Held;
            }
            if op.pipe == Pipe::End {
                break Outcome::End;
            }
            let wait = wait_of(op, &warp.window, now);
            if wait > 0 {
                break Outcome::Wait(wait);
            }
            if left == 0 {
                break Outcome::Ready;
            }
        };
        warp.pc += n_issued;
        self.releases.add(collected, n_at_once);
        self.settle(slot, &outcome, now);
        left
    }

    /// What becomes of a warp after it has issued.
    fn settle(&mut self, slot: usize, outcome: &Outcome, now: u64) {
        match *outcome {
            Outcome::Ready => {}
            Outcome::Held => {
                self.warps.warps[slot].hold = Hold::Texture;
                self.warps.set_waiting(slot);
            }
            Outcome::Wait(wait) => {
                self.warps.set_waiting(slot);
                self.warps.sleep(slot, now + u64::from(wait), now);
            }
            Outcome::End => {
                self.warps.set_waiting(slot);
                self.finish_when_complete(slot, now);
            }
        }
    }

    fn next_wake(&self, now: u64) -> u64 {
        let any_ready = self.warps.any_ready();
        if any_ready && self.collectors_free > 0 {
            return now + 1;
        }
        let wake = self
            .warps
            .next_wake(now)
            .min(self.texture.active_at.max(now + 1));
        if any_ready {
            wake.min(self.releases.next(now))
        } else {
            wake
        }
    }
}

/// Cycles until the results that `op` reads are there; 0 if they are.
#[inline]
fn wait_of(op: &Op, window: &[u32; WINDOW], now: u64) -> u32 {
    let now = now as u32;
    let left = |place: u8| {
        window[usize::from(place) % WINDOW]
            .wrapping_sub(now)
            .cast_signed()
    };
    let mut wait = left(op.waits[0]).max(left(op.waits[1])).max(0);
    if usize::from(op.n_waits) > FIXED_WAITS {
        for place in &op.waits[FIXED_WAITS..] {
            wait = wait.max(left(*place));
        }
    }
    wait.unsigned_abs()
}
