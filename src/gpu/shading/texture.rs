//! A core's texture path: memory pipelines that walk over the lines of a warp's sample, the texture L1 with its miss
//! registers, and the filter.
//!
//! A pipeline takes one texture instruction of a warp, merges equal lines of its quads, and makes one cache access a cycle.
//! It keeps the instruction until its last line has been looked up, and at least as long as the filter needs for the quads.
//! The result is there when the last line is.

use std::collections::VecDeque;

use super::job::WarpJob;
use super::merged::MergedLists;
use super::touches::{Touch, gather_lines};
use crate::access::AccessKind;
use crate::cache::{MshrFile, MshrOutcome, MshrSpec, PolicyTags};
use crate::frame::PreparedFrame;
use crate::machine::CoreSpec;
use crate::memory::{LineRequest, MemorySystem, Requester, Source, Traffic};
use crate::statistics::Attribution;
use azulejo_units::Cycles;

/// Inputs and outputs of the texture path in a cycle.
#[derive(Debug)]
pub(crate) struct TexturePorts<'a, 'f> {
    pub(crate) facts: &'a PreparedFrame<'f>,
    pub(crate) memory: &'a mut MemorySystem,
    pub(crate) attribution: &'a mut Attribution,
}

/// Counters of the texture path of one core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct TextureCounters {
    /// Texture instructions of warps.
    pub instructions: u64,
    /// Cache accesses, after merging within a warp: hits, hits on pending lines and misses.
    pub accesses: u64,
    /// Accesses that found their line in the cache.
    pub hits: u64,
    /// Accesses to lines that were under way already.
    pub pending_hits: u64,
    /// Accesses to lines that had to be requested.
    pub misses: u64,
    /// Lines that came while another core's cache held them: block replication (LIBRA, section V-B).
    pub copies: u64,
    /// Accesses of these samples without merging: each quad makes one to each of its lines. As many of them miss as above.
    pub quad_accesses: u64,
    /// Accesses of quads that found their line in the cache.
    pub quad_hits: u64,
    /// Accesses of quads to lines that were under way already, or that a quad before in the same warp has requested.
    pub quad_pending_hits: u64,
    /// Pipeline-cycles without a free miss register, or without room towards the L2.
    pub stalled: u64,
    /// From entering a pipeline to the result, summed over instructions, in cycles.
    pub latency_sum: u64,
    /// From the look-up to the line's arrival and out of the cache, summed over the accesses of quads, in cycles.
    pub quad_latency_sum: u64,
    /// Lines under way, summed over cycles: each from its request to its arrival, whoever waits for it. Not in reports, for
    /// studies alone.
    #[serde(skip)]
    pub under_way_sum: u64,
}

/// A texture instruction of a warp that has been issued and has no pipeline yet.
#[derive(Debug, Clone, Copy)]
struct Issued {
    slot: u8,
    bit: u32,
    /// Cycle in which the operands are collected.
    from: Cycles,
}

/// A texture instruction in a pipeline or waiting for its lines.
#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    slot: u8,
    bit: u32,
    since: Cycles,
    /// Lines that are under way for it.
    pending: u32,
    /// Still in the pipeline.
    open: bool,
    tile: u32,
    draw: u32,
}

/// A sample that waits for a line.
#[derive(Debug, Clone, Copy)]
struct Waiter {
    sample: u16,
    /// How many of its quads do.
    quads: u16,
    /// Cycle of the look-up that missed.
    since: Cycles,
}

/// Condition for another try of a line that missed and could not be requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// Nothing that is known: it has to be tried.
    Untried,
    /// A miss register, or room for a waiter on the line's: the next line that comes may bring it.
    Register,
    /// Room in this bank of the L2, as a bit.
    Bank(u64),
}

#[derive(Debug)]
struct Pipeline {
    /// The sample it walks over, if any.
    sample: Option<u16>,
    touches: Vec<Touch>,
    next: usize,
    /// The line at `next` has been looked up and waits.
    missed: bool,
    /// Cycle of the look-up that missed.
    missed_at: Cycles,
    /// Condition for another try of the line.
    held: Held,
    /// When it may take another instruction.
    free_at: Cycles,
}

/// The texture path of a core.
#[derive(Debug)]
pub(super) struct TextureUnit {
    spec: CoreSpec,
    source: Source,
    line_mask: u64,
    ideal: bool,
    issued: VecDeque<Issued>,
    pipelines: Vec<Pipeline>,
    samples: Vec<Sample>,
    free_samples: Vec<u16>,
    pub(super) tags: PolicyTags,
    misses: MshrFile<Waiter>,
    waiters: Vec<Waiter>,
    /// Cycle up to which lines under way have been summed.
    summed_to: Cycles,
    /// Results in flight, by due time.
    results: VecDeque<(Cycles, u16)>,
    /// Banks of the L2, as bits, in which pipelines wait for room, which comes without telling.
    polled: u64,
    /// Pipelines that have an instruction.
    n_busy: u32,
    /// Pipelines with an instruction that could not go on.
    n_held: u64,
    last_tick: Cycles,
    /// When the first idle pipeline may take an instruction.
    idle_from: Cycles,
    /// Nothing happens here before this cycle unless a line comes.
    pub(super) active_at: Cycles,
    pub(super) counters: TextureCounters,
}

/// Waiters of one line in a texture cache that has no limit of them: bounded by samples under way, so this is never
/// reached.
const ALL_WAITERS: u32 = 1 << 16;

impl TextureUnit {
    pub(super) fn new(spec: &CoreSpec, tags: PolicyTags, source: Source, ideal: bool) -> Self {
        let cache = &spec.texture_cache;
        let pipeline = || Pipeline {
            sample: None,
            touches: Vec::with_capacity(64),
            next: 0,
            missed: false,
            missed_at: Cycles::ZERO,
            held: Held::Untried,
            free_at: Cycles::ZERO,
        };
        Self {
            spec: *spec,
            source,
            line_mask: !(cache.tags.line.0 - 1),
            ideal,
            issued: VecDeque::with_capacity(spec.collector_units as usize),
            pipelines: (0..spec.memory_pipelines).map(|_| pipeline()).collect(),
            samples: Vec::new(),
            free_samples: Vec::new(),
            tags,
            misses: MshrFile::new(MshrSpec {
                entries: cache.mshrs,
                targets_per_entry: match spec.mshr_waiters {
                    0 => ALL_WAITERS,
                    n_waiters => n_waiters,
                },
            }),
            waiters: Vec::new(),
            summed_to: Cycles::ZERO,
            results: VecDeque::new(),
            polled: 0,
            n_busy: 0,
            n_held: 0,
            last_tick: Cycles::ZERO,
            idle_from: Cycles::ZERO,
            active_at: Cycles::MAX,
            counters: TextureCounters::default(),
        }
    }

    /// An instruction has been issued; its operands are there at `from`. It keeps its collector unit until a pipeline takes
    /// it.
    pub(super) fn issue(&mut self, slot: usize, bit: u32, from: Cycles) {
        let slot = slot as u8;
        self.issued.push_back(Issued { slot, bit, from });
        if self.issued.len() == 1 {
            self.active_at = self.active_at.min(from.max(self.idle_from));
        }
    }

    /// Instructions issued in the frame, with those that wait for a pipeline.
    pub(super) fn n_issued(&self) -> u64 {
        self.counters.instructions + self.issued.len() as u64
    }

    /// The results that are there at `now`: warp slot and texture bit.
    pub(super) fn pop_result(&mut self, now: Cycles) -> Option<(usize, u32)> {
        let (at, sample) = *self.results.front()?;
        if at > now {
            return None;
        }
        self.results.pop_front();
        self.free_samples.push(sample);
        let sample = self.samples[usize::from(sample)];
        self.counters.latency_sum += at.since(sample.since).0;
        Some((usize::from(sample.slot), sample.bit))
    }

    /// One cycle of the pipelines; returns the collector units that became free.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        (jobs, merged): (&mut [WarpJob], &MergedLists),
        ports: &mut TexturePorts<'_, '_>,
    ) -> u32 {
        self.counters.stalled += self.n_held * now.since(self.last_tick).0;
        self.last_tick = now;
        self.n_held = 0;
        self.polled = 0;
        let mut collected = 0;
        for at in 0..self.pipelines.len() {
            if self.pipelines[at].sample.is_none() {
                if self.issued.is_empty() {
                    continue;
                }
                collected += u32::from(self.take_issued(at, now, (jobs, merged), ports));
            }
            if let Some(sample) = self.pipelines[at].sample {
                self.access(at, sample, now, ports);
            }
        }
        self.active_at = self.next_active(now);
        collected
    }

    /// An idle pipeline takes the oldest instruction with all operands there.
    fn take_issued(
        &mut self,
        at: usize,
        now: Cycles,
        (jobs, merged): (&mut [WarpJob], &MergedLists),
        ports: &mut TexturePorts<'_, '_>,
    ) -> bool {
        if self.pipelines[at].free_at > now {
            return false;
        }
        let Some(issued) = self.issued.pop_front_if(|issued| issued.from <= now) else {
            return false;
        };
        let job = &mut jobs[usize::from(issued.slot)];
        let pipeline = &mut self.pipelines[at];
        pipeline.next = 0;
        pipeline.missed = false;
        let slot = usize::from(issued.slot);
        let sample = merged.sample(slot, job.next_texture, job.n_quads);
        let facts = ports.facts;
        let touched = gather_lines(job, sample, facts, self.line_mask, &mut pipeline.touches);
        let n_lines = pipeline.touches.len() as u64;
        pipeline.free_at =
            now.after(self.spec.texture_cycles_per_quad * u64::from(sample.1.count_ones()));
        let sample = Sample {
            slot: issued.slot,
            bit: issued.bit,
            since: now,
            pending: 0,
            open: true,
            tile: job.tile,
            draw: job.draw,
        };
        let index = self.free_samples.pop().unwrap_or_else(|| {
            self.samples.push(Sample::default());
            (self.samples.len() - 1) as u16
        });
        self.samples[usize::from(index)] = sample;
        pipeline.sample = Some(index);
        self.n_busy += 1;
        self.counters.instructions += 1;
        self.counters.accesses += n_lines;
        self.counters.quad_accesses += touched;
        ports
            .attribution
            .texture_accesses(sample.tile, sample.draw, n_lines);
        true
    }

    /// Looks the next line up.
    fn access(&mut self, at: usize, index: u16, now: Cycles, ports: &mut TexturePorts<'_, '_>) {
        if self.is_held(at, ports.memory) {
            self.n_held += 1;
            return;
        }
        let pipeline = &mut self.pipelines[at];
        if let Some(&touch) = pipeline.touches.get(pipeline.next) {
            let missed_at = pipeline.missed.then_some(pipeline.missed_at);
            let hit = match missed_at {
                Some(_) => self.tags.contains(touch.line),
                None => self.ideal || self.tags.lookup(touch.line, AccessKind::Read),
            };
            if hit {
                self.count_hit(touch, missed_at, now);
            } else if !self.miss(at, index, now, ports) {
                self.n_held += 1;
                return;
            }
        }
        let pipeline = &mut self.pipelines[at];
        pipeline.missed = false;
        pipeline.held = Held::Untried;
        pipeline.next += 1;
        if pipeline.next >= pipeline.touches.len() {
            pipeline.sample = None;
            self.n_busy -= 1;
            pipeline.free_at = pipeline.free_at.max(now.next());
            let sample = &mut self.samples[usize::from(index)];
            sample.open = false;
            if sample.pending == 0 {
                self.finish(index, now);
            }
        }
    }

    /// Whether the condition that held a pipeline's line still holds. No other try would end otherwise.
    fn is_held(&mut self, at: usize, memory: &MemorySystem) -> bool {
        match self.pipelines[at].held {
            Held::Untried => false,
            Held::Register => true,
            Held::Bank(bank) if memory.has_room_in(bank) => false,
            Held::Bank(bank) => {
                self.polled |= bank;
                true
            }
        }
    }

    /// Lines or miss registers have changed: pipelines that are held have to try.
    fn try_all(&mut self) {
        for pipeline in &mut self.pipelines {
            pipeline.held = Held::Untried;
        }
    }

    /// A line is there, at once or since a miss waited.
    fn count_hit(&mut self, touch: Touch, missed_at: Option<Cycles>, now: Cycles) {
        let quads = u64::from(touch.quads);
        if missed_at.is_none() {
            self.counters.hits += 1;
            self.counters.quad_hits += quads;
        } else {
            self.counters.pending_hits += 1;
            self.counters.quad_pending_hits += quads;
        }
        let latency = self.latency_since(missed_at.unwrap_or(now), now);
        self.counters.quad_latency_sum += quads * latency;
    }

    /// Registers a miss of the pipeline's next line; false if that must wait.
    fn miss(
        &mut self,
        at: usize,
        index: u16,
        now: Cycles,
        ports: &mut TexturePorts<'_, '_>,
    ) -> bool {
        self.sum_under_way(now);
        let sample = &mut self.samples[usize::from(index)];
        let pipeline = &mut self.pipelines[at];
        let Touch { line, quads } = pipeline.touches[pipeline.next];
        if !pipeline.missed {
            (pipeline.missed, pipeline.missed_at) = (true, now);
            ports.attribution.texture_miss(sample.tile, sample.draw);
        }
        // A line under way can be joined without room.
        let bank = ports.memory.bank_bit(line);
        if !ports.memory.has_room_in(bank) && !self.misses.is_pending(line) {
            pipeline.held = Held::Bank(bank);
            self.polled |= bank;
            return false;
        }
        let waiter = Waiter {
            sample: index,
            quads: quads as u16,
            since: pipeline.missed_at,
        };
        let quads = u64::from(quads);
        match self.misses.request(line, waiter) {
            MshrOutcome::Full => {
                pipeline.held = Held::Register;
                return false;
            }
            MshrOutcome::Merged => {
                self.counters.pending_hits += 1;
                self.counters.quad_pending_hits += quads;
            }
            MshrOutcome::Allocated => {
                self.counters.misses += 1;
                self.counters.quad_pending_hits += quads - 1;
                ports.memory.push(LineRequest {
                    line,
                    source: self.source,
                    requester: Requester {
                        traffic: Traffic::Texture,
                        tile: sample.tile,
                        draw: sample.draw,
                    },
                    is_write: false,
                });
                // Pipelines that wait for room to request this line can join now.
                self.try_all();
            }
        }
        self.samples[usize::from(index)].pending += 1;
        true
    }

    /// Brings the sum of lines under way up to `now`, before a line is asked for or comes.
    fn sum_under_way(&mut self, now: Cycles) {
        let since = now.since(self.summed_to).0;
        self.counters.under_way_sum += since * self.misses.n_pending() as u64;
        self.summed_to = now;
    }

    /// Cycles of an access that was looked up at `since` and has its line at `now`.
    fn latency_since(&self, since: Cycles, now: Cycles) -> u64 {
        now.since(since).0 + self.spec.texture_cache.latency.0
    }

    fn finish(&mut self, index: u16, now: Cycles) {
        let delay = self
            .spec
            .texture_cache
            .latency
            .after(self.spec.filter_latency);
        self.results.push_back((now.after(delay), index));
    }

    /// Whether the cache holds a line.
    pub(super) fn holds(&self, line: u64) -> bool {
        self.tags.contains(line)
    }

    /// A line has come from the L2, which may be a copy of what another core holds; the address of the line that had to
    /// leave.
    pub(super) fn fill(&mut self, line: u64, copy: bool, now: Cycles) -> Option<u64> {
        let evicted = self.tags.fill_missing(line);
        self.try_all();
        self.counters.copies += u64::from(copy);
        self.sum_under_way(now);
        let mut waiters = std::mem::take(&mut self.waiters);
        self.misses.complete(line, &mut waiters);
        for waiter in waiters.drain(..) {
            let latency = self.latency_since(waiter.since, now);
            self.counters.quad_latency_sum += u64::from(waiter.quads) * latency;
            let sample = &mut self.samples[usize::from(waiter.sample)];
            sample.pending -= 1;
            if sample.pending == 0 && !sample.open {
                self.finish(waiter.sample, now);
            }
        }
        self.waiters = waiters;
        self.active_at = now;
        evicted.map(|evicted| evicted.address)
    }

    /// Whether a pipeline that waited for room towards the L2 has it now.
    pub(super) fn has_room_again(&self, memory: &MemorySystem) -> bool {
        memory.has_room_in(self.polled)
    }

    /// The first cycle after `now` at which something can happen without a fill.
    fn next_active(&mut self, now: Cycles) -> Cycles {
        let idle = self.pipelines.iter().filter(|p| p.sample.is_none());
        self.idle_from = idle.map(|p| p.free_at).min().unwrap_or(Cycles::MAX);
        if u64::from(self.n_busy) > self.n_held {
            return now.next();
        }
        let result = self.results.front().map_or(Cycles::MAX, |(at, _)| *at);
        let issued = self.issued.front();
        let start = issued.map_or(Cycles::MAX, |issued| issued.from.max(self.idle_from));
        result.min(start).max(now.next())
    }
}
