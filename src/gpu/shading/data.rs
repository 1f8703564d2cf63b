//! A core's load/store unit: loads, stores and atomics of warps, with the data cache and its miss registers; memory of
//! workgroups, and their barriers.
//!
//! The unit takes one instruction after the other, merges equal lines of its threads, and makes one access a cycle: a warp
//! that stays in one line keeps it for one (Arm, "The Valhall shader core"). Loads look their lines up; what is missing
//! comes from the L2. Stores go through to the L2 and leave the data cache as it is. Atomics are done in the L2, where they
//! take two accesses: the line is read, and written when it has come. Memory of workgroups answers as the data cache does, and
//! an access of a warp takes a cycle whatever its threads ask for. A load or an atomic is complete when its last line
//! is there, a store when the L2 has taken its last line.

use std::collections::VecDeque;

use super::barrier::Barriers;
use super::job::{MAX_THREADS, WarpJob};
use super::merged::MergedLists;
use super::texture::TexturePorts;
use crate::access::AccessKind;
use crate::cache::{CacheSpecError, MshrFile, MshrOutcome, MshrSpec, PolicyTags, Victim};
use crate::frame::{LineCursor, Pipe, PreparedFrame};
use crate::machine::CacheUnitSpec;
use crate::memory::{LineRequest, MemorySystem, NOBODY, Requester, Source, Traffic};
use azulejo_trace::BLOCK_BYTES;
use azulejo_units::Cycles;

/// Counters of the load/store unit of one core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct DataCounters {
    /// Loads, stores and atomics of warps, and accesses to memory of workgroups.
    pub instructions: u64,
    /// Lines accessed, after merging within a warp: hits, hits on pending lines, misses, lines stored and lines changed.
    pub accesses: u64,
    /// Lines of loads that the data cache held.
    pub hits: u64,
    /// Lines of loads that were under way already.
    pub pending_hits: u64,
    /// Lines of loads that had to be requested.
    pub misses: u64,
    /// Lines that stores wrote to the L2.
    pub stored: u64,
    /// Lines that atomics changed in the L2.
    pub changed: u64,
    /// Cycles without a free miss register, or without room towards the L2.
    pub stalled: u64,
    /// From entering the unit to completion, summed over instructions, in cycles.
    pub latency_sum: u64,
}

impl DataCounters {
    /// Lines that loads looked up.
    #[must_use]
    pub const fn loaded(&self) -> u64 {
        self.hits + self.pending_hits + self.misses
    }

    /// Whether nothing was accessed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// An instruction of a warp that has been issued and waits for the unit.
#[derive(Debug, Clone, Copy)]
struct Issued {
    slot: u8,
    bit: u32,
    pipe: Pipe,
    /// Cycle in which the operands are collected.
    from: Cycles,
}

/// An instruction in the unit, or waiting for its lines.
#[derive(Debug, Clone, Copy)]
struct Access {
    slot: u8,
    bit: u32,
    pipe: Pipe,
    since: Cycles,
    /// Lines that are under way for it.
    pending: u32,
    /// Still in the unit.
    open: bool,
    requester: Requester,
}

/// The load/store unit of a core.
#[derive(Debug)]
pub(super) struct DataUnit {
    spec: CacheUnitSpec,
    source: Source,
    line_mask: u64,
    ideal: bool,
    pub(super) tags: PolicyTags,
    misses: MshrFile<u16>,
    issued: VecDeque<Issued>,
    accesses: Vec<Access>,
    free: Vec<u16>,
    /// The instruction in the unit.
    current: Option<u16>,
    lines: Vec<u64>,
    next: usize,
    /// The line at `next` has been looked up and waits, since this cycle.
    held: Option<Cycles>,
    /// Lines of atomics under way, oldest first.
    atomics: Vec<(u64, u16)>,
    /// Atomics whose lines have come and wait for their way back.
    writes: VecDeque<(u64, u16)>,
    pub(super) barriers: Barriers,
    /// Results in flight, by due time.
    results: VecDeque<(Cycles, u16)>,
    /// Next accesses of each slot's threads, and accesses that its warp has made.
    cursors: Vec<([LineCursor; MAX_THREADS], u32)>,
    waiters: Vec<u16>,
    /// Nothing happens here before this cycle unless a line comes.
    pub(super) active_at: Cycles,
    pub(super) counters: DataCounters,
}

impl DataUnit {
    pub(super) fn new(
        cache: &CacheUnitSpec,
        n_warps: u32,
        source: Source,
        ideal: bool,
    ) -> Result<Self, CacheSpecError> {
        Ok(Self {
            spec: *cache,
            source,
            line_mask: !(cache.tags.line.0 - 1),
            ideal,
            tags: PolicyTags::of_machine(cache.tags, Victim::Lru)?,
            misses: MshrFile::new(MshrSpec {
                entries: cache.mshrs,
                targets_per_entry: u32::MAX,
            }),
            issued: VecDeque::new(),
            accesses: Vec::new(),
            free: Vec::new(),
            current: None,
            lines: Vec::new(),
            next: 0,
            held: None,
            atomics: Vec::new(),
            writes: VecDeque::new(),
            barriers: Barriers::default(),
            results: VecDeque::new(),
            cursors: vec![([LineCursor::default(); MAX_THREADS], 0); n_warps as usize],
            waiters: Vec::new(),
            active_at: Cycles::MAX,
            counters: DataCounters::default(),
        })
    }

    /// A warp that makes accesses begins in a slot.
    pub(super) fn begin(&mut self, slot: usize, job: &WarpJob, facts: &PreparedFrame<'_>) {
        let (cursors, n_made) = &mut self.cursors[slot];
        *n_made = 0;
        for (cursor, member) in cursors.iter_mut().zip(0..job.n_members) {
            *cursor = match job.tile {
                NOBODY => facts.accesses.vertex(job.draw, job.quads[0].quad + member),
                tile => {
                    let quad = job.quads[member as usize].quad;
                    facts.accesses.quad(tile, quad)
                }
            };
        }
    }

    /// An instruction has been issued; its operands are there at `from`. It keeps its collector unit until the unit takes it.
    pub(super) fn issue(&mut self, slot: usize, (bit, pipe): (u32, Pipe), from: Cycles) {
        let slot = slot as u8;
        self.issued.push_back(Issued {
            slot,
            bit,
            pipe,
            from,
        });
        self.active_at = self.active_at.min(from);
    }

    /// A warp of a workgroup has come to a barrier.
    pub(super) fn arrive(&mut self, job: &WarpJob, warp: (usize, u32), at: Cycles) {
        self.barriers.arrive(job.ticket, warp, at);
        self.active_at = self.active_at.min(self.barriers.next());
    }

    /// A warp of a workgroup has ended.
    pub(super) fn end(&mut self, job: &WarpJob, now: Cycles) {
        self.barriers.end(job.ticket, now);
        self.active_at = self.active_at.min(self.barriers.next());
    }

    /// Instructions issued in the frame, with those that wait for the unit.
    pub(super) fn n_issued(&self) -> u64 {
        self.counters.instructions + self.issued.len() as u64
    }

    /// The results that are there at `now`: warp slot and scoreboard bit.
    pub(super) fn pop_result(&mut self, now: Cycles) -> Option<(usize, u32)> {
        if let Some(passed) = self.barriers.pop(now) {
            return Some(passed);
        }
        let (at, access) = self.results.pop_front_if(|(at, _)| *at <= now)?;
        self.free.push(access);
        let access = self.accesses[usize::from(access)];
        self.counters.latency_sum += at.since(access.since).0;
        Some((usize::from(access.slot), access.bit))
    }

    /// One cycle; returns the collector units that became free.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        (jobs, merged): (&[WarpJob], &MergedLists),
        ports: &mut TexturePorts<'_, '_>,
    ) -> u32 {
        if let Some((line, index)) = self.writes.front().copied()
            && ports.memory.has_room(line)
        {
            let source = self.source.atomics();
            ports.memory.push(self.request(index, (line, source), true));
            self.writes.pop_front();
            self.line_is_there(index, now);
        }
        let mut collected = 0;
        if self.current.is_none()
            && let Some(issued) = self.issued.pop_front_if(|issued| issued.from <= now)
        {
            self.take(&issued, now, (jobs, merged), ports);
            collected = 1;
        }
        if let Some(access) = self.current {
            self.access(access, now, ports);
        }
        self.active_at = self.next_active(now);
        collected
    }

    /// Gathers the lines of an instruction.
    fn take(
        &mut self,
        issued: &Issued,
        now: Cycles,
        (jobs, merged): (&[WarpJob], &MergedLists),
        ports: &mut TexturePorts<'_, '_>,
    ) {
        let slot = usize::from(issued.slot);
        let job = &jobs[slot];
        let (cursors, n_made) = &mut self.cursors[slot];
        let facts = ports.facts;
        self.lines.clear();
        if issued.pipe != Pipe::Shared {
            let (number, members) = merged.access(slot, *n_made, job.n_members);
            *n_made += 1;
            let origin = (job.tile, job.draw);
            let (base, all) = (facts.buffer(origin, number), facts.lines(origin));
            let cursors = cursors[..job.n_members as usize].iter_mut().zip(0_u32..);
            for (cursor, _) in cursors.filter(|(_, member)| members >> member & 1 == 1) {
                for line in cursor.next(all) {
                    let line = (base + u64::from(*line) * BLOCK_BYTES) & self.line_mask;
                    if !self.lines.contains(&line) {
                        self.lines.push(line);
                    }
                }
            }
        }
        self.next = 0;
        let access = Access {
            slot: issued.slot,
            bit: issued.bit,
            pipe: issued.pipe,
            since: now,
            pending: 0,
            open: true,
            requester: Requester {
                traffic: Traffic::Buffer,
                tile: job.tile,
                draw: job.draw,
            },
        };
        let index = match self.free.pop() {
            Some(index) => {
                self.accesses[usize::from(index)] = access;
                index
            }
            None => {
                self.accesses.push(access);
                (self.accesses.len() - 1) as u16
            }
        };
        self.current = Some(index);
        self.counters.instructions += 1;
        let n_lines = self.lines.len() as u64;
        self.counters.accesses += n_lines;
        (ports.attribution).buffer_accesses(job.tile, job.draw, n_lines);
    }

    /// Accesses the next line.
    fn access(&mut self, index: u16, now: Cycles, ports: &mut TexturePorts<'_, '_>) {
        if let Some(&line) = self.lines.get(self.next) {
            let goes_on = match self.accesses[usize::from(index)].pipe {
                Pipe::Store => self.store(index, line, ports.memory),
                Pipe::Atomic => self.change(index, line, ports.memory),
                _ => self.load(index, line, ports.memory),
            };
            if !goes_on {
                self.held.get_or_insert(now);
                return;
            }
        }
        if let Some(since) = self.held.take() {
            self.counters.stalled += now.since(since).0;
        }
        self.next += 1;
        if self.next >= self.lines.len() {
            self.current = None;
            let access = &mut self.accesses[usize::from(index)];
            access.open = false;
            if access.pending == 0 {
                self.finish(index, now);
            }
        }
    }

    /// Looks a line up; false if it is missing and cannot be requested.
    fn load(&mut self, index: u16, line: u64, memory: &mut MemorySystem) -> bool {
        let hit = match self.held {
            // It was missing when it was looked up.
            Some(_) => self.tags.contains(line),
            None => self.ideal || self.tags.lookup(line, AccessKind::Read),
        };
        if hit {
            match self.held {
                Some(_) => self.counters.pending_hits += 1,
                None => self.counters.hits += 1,
            }
            return true;
        }
        // A line under way can be joined without room.
        if !memory.has_room(line) && !self.misses.is_pending(line) {
            return false;
        }
        match self.misses.request(line, index) {
            MshrOutcome::Full => return false,
            MshrOutcome::Merged => self.counters.pending_hits += 1,
            MshrOutcome::Allocated => {
                self.counters.misses += 1;
                let source = self.source.data();
                memory.push(self.request(index, (line, source), false));
            }
        }
        self.accesses[usize::from(index)].pending += 1;
        true
    }

    /// Writes a line to the L2; false if that has no room.
    fn store(&mut self, index: u16, line: u64, memory: &mut MemorySystem) -> bool {
        if !self.ideal {
            if !memory.has_room(line) {
                return false;
            }
            let source = self.source.data();
            memory.push(self.request(index, (line, source), true));
        }
        self.counters.stored += 1;
        true
    }

    /// Asks the L2 for a line that is changed there; false if it has no room.
    fn change(&mut self, index: u16, line: u64, memory: &mut MemorySystem) -> bool {
        if !self.ideal {
            // One atomic of the core at a time on a line.
            if self.atomics.iter().any(|(known, _)| *known == line) || !memory.has_room(line) {
                return false;
            }
            let source = self.source.atomics();
            memory.push(self.request(index, (line, source), false));
            self.atomics.push((line, index));
            self.accesses[usize::from(index)].pending += 1;
        }
        self.counters.changed += 1;
        true
    }

    fn request(&self, index: u16, (line, source): (u64, Source), is_write: bool) -> LineRequest {
        LineRequest {
            line,
            source,
            requester: self.accesses[usize::from(index)].requester,
            is_write,
        }
    }

    /// An access is complete: a store at once, the others when the line is out of the cache.
    fn finish(&mut self, index: u16, now: Cycles) {
        let access = &self.accesses[usize::from(index)];
        let at = match access.pipe {
            Pipe::Store => now.next(),
            _ => now.after(self.spec.latency),
        };
        let place = self.results.partition_point(|(due, _)| *due <= at);
        self.results.insert(place, (at, index));
    }

    /// A line has come from the L2, for loads or for an atomic.
    pub(super) fn fill(&mut self, line: u64, is_atomic: bool, now: Cycles) {
        let mut waiters = std::mem::take(&mut self.waiters);
        if is_atomic {
            let place = self.atomics.iter().position(|(known, _)| *known == line);
            let changed = place.map(|place| self.atomics.remove(place));
            self.writes.extend(changed);
        } else {
            self.tags.fill_missing(line);
            self.misses.complete(line, &mut waiters);
        }
        for index in waiters.drain(..) {
            self.line_is_there(index, now);
        }
        self.waiters = waiters;
        self.active_at = now;
    }

    /// A line that an access waits for is there.
    fn line_is_there(&mut self, index: u16, now: Cycles) {
        let access = &mut self.accesses[usize::from(index)];
        access.pending -= 1;
        if access.pending == 0 && !access.open {
            self.finish(index, now);
        }
    }

    /// The first cycle after `now` at which something can happen without a line that comes.
    fn next_active(&self, now: Cycles) -> Cycles {
        if self.current.is_some() || !self.writes.is_empty() {
            return now.next();
        }
        let result = self.results.front().map_or(Cycles::MAX, |(at, _)| *at);
        let issued = self.issued.front().map_or(Cycles::MAX, |next| next.from);
        let passed = self.barriers.next();
        result.min(issued).min(passed).max(now.next())
    }
}
