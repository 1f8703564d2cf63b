//! A first-level cache with its miss registers and write-back buffer, for units that wait for single lines: vertex fetch,
//! Polygon List Builder, Tile Fetcher. (Texture caches are part of a core's texture path.)

use std::collections::VecDeque;

use super::request::{LineRequest, NOBODY, Requester, Source, Traffic};
use super::system::MemorySystem;
use crate::access::AccessKind;
use crate::cache::{CacheCounters, Eviction, MshrFile, MshrSpec, PolicyTags};
#[cfg(test)]
use crate::cache::{CacheSpecError, Victim};
use crate::machine::CacheUnitSpec;
use azulejo_units::Cycles;

/// Dirty lines that may wait for room towards the L2 before accesses must.
const WRITEBACK_BUFFER: usize = 8;

/// Waiter for a line; its meaning is the user's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waiter(pub(crate) u64);

/// Waits for a line only to write into it.
const WRITER: Waiter = Waiter(u64::MAX);

/// Outcome of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineAccess {
    /// The data are there after the cache's latency.
    Hit,
    /// The line is under way: the waiter comes back with its fill.
    Pending,
    /// No room: try again. Nothing has changed.
    Refused,
}

/// Tags, miss registers and write-back buffer of one first-level cache.
#[derive(Debug)]
pub(crate) struct LineCache {
    spec: CacheUnitSpec,
    source: Source,
    /// Lines that are read to be written into, and lines that are written back.
    fetches: Traffic,
    writes: Traffic,
    ideal: bool,
    tags: PolicyTags,
    misses: MshrFile<Waiter>,
    writebacks: VecDeque<LineRequest>,
    waiters: Vec<Waiter>,
    /// Lines that have been counted as misses and refused, so that trying again counts nothing: one for each requester, at
    /// most.
    refused: Vec<u64>,
    /// Banks, and those that have taken an access in this cycle, as bits.
    n_banks: u32,
    taken: u64,
}

impl LineCache {
    /// A cache that replaces as the machine does.
    #[cfg(test)]
    pub(crate) fn new(
        spec: &CacheUnitSpec,
        source: Source,
        ideal: bool,
    ) -> Result<Self, CacheSpecError> {
        let tags = PolicyTags::of_machine(spec.tags, Victim::Lru)?;
        Ok(Self::with_tags(spec, tags, source, ideal))
    }

    pub(crate) fn with_tags(
        spec: &CacheUnitSpec,
        tags: PolicyTags,
        source: Source,
        ideal: bool,
    ) -> Self {
        Self {
            spec: *spec,
            source,
            fetches: Traffic::ParameterRead,
            writes: Traffic::ParameterWrite,
            ideal,
            tags,
            misses: MshrFile::new(MshrSpec {
                entries: spec.mshrs,
                targets_per_entry: u32::MAX,
            }),
            writebacks: VecDeque::new(),
            waiters: Vec::new(),
            refused: Vec::new(),
            n_banks: 1,
            taken: 0,
        }
    }

    /// The cache with this kind of traffic for its lines, read and written.
    pub(crate) fn of_traffic(self, kind: Traffic) -> Self {
        Self {
            fetches: kind,
            writes: kind,
            ..self
        }
    }

    /// Empties the cache: what has been written waits for its way to the L2.
    pub(crate) fn flush(&mut self) {
        for address in self.tags.flush() {
            self.write_back(Some(Eviction {
                address,
                dirty: true,
            }));
        }
    }

    /// Empties the cache; written lines are dropped.
    pub(crate) fn discard(&mut self) {
        self.tags.flush();
    }

    /// The cache with so many banks, a power of two, at most 64.
    pub(crate) fn with_banks(self, n_banks: u32) -> Self {
        Self { n_banks, ..self }
    }

    /// Begins a cycle in which each bank takes one access, for units that make more than one access a cycle.
    pub(crate) fn begin_cycle(&mut self) {
        self.taken = 0;
    }

    /// Takes the line's bank for this cycle; false if another access has it.
    pub(crate) fn take_bank(&mut self, line: u64) -> bool {
        let nth = (line / self.spec.tags.line.0) & u64::from(self.n_banks - 1);
        let free = self.taken >> nth & 1 == 0;
        self.taken |= 1 << nth;
        free
    }

    /// From a hit to its data.
    pub(crate) fn latency(&self) -> Cycles {
        self.spec.latency
    }

    pub(crate) fn line_bytes(&self) -> u64 {
        self.spec.tags.line.0
    }

    /// First byte of the line of `address`.
    pub(crate) fn line_of(&self, address: u64) -> u64 {
        address & !(self.spec.tags.line.0 - 1)
    }

    pub(crate) fn read(
        &mut self,
        line: u64,
        requester: Requester,
        waiter: Waiter,
        memory: &mut MemorySystem,
    ) -> LineAccess {
        if self.ideal || self.look_up(line, AccessKind::Read) {
            return LineAccess::Hit;
        }
        self.miss(line, requester, waiter, memory)
    }

    /// Writes into a line; `fresh` lines hold nothing that would have to be read first.
    pub(crate) fn write(
        &mut self,
        line: u64,
        fresh: bool,
        requester: Requester,
        memory: &mut MemorySystem,
    ) -> LineAccess {
        if self.ideal || self.look_up(line, AccessKind::Write) {
            return LineAccess::Hit;
        }
        if !fresh {
            let traffic = self.fetches;
            return self.miss(
                line,
                Requester {
                    traffic,
                    ..requester
                },
                WRITER,
                memory,
            );
        }
        if self.writebacks.len() >= WRITEBACK_BUFFER {
            return LineAccess::Refused;
        }
        self.refused.retain(|known| *known != line);
        let evicted = self.tags.fill(line, true);
        self.write_back(evicted);
        LineAccess::Hit
    }

    /// Whether a line that was refused is refused until another has come: all miss registers are taken.
    pub(crate) fn waits_for_line(&self, line: u64) -> bool {
        self.misses.is_full_for(line)
    }

    fn look_up(&mut self, line: u64, kind: AccessKind) -> bool {
        let Some(at) = self.refused.iter().position(|known| *known == line) else {
            let hit = self.tags.lookup(line, kind);
            if !hit {
                self.refused.push(line);
            }
            return hit;
        };
        let hit = self.tags.contains(line);
        if hit {
            self.refused.swap_remove(at);
        }
        hit
    }

    fn miss(
        &mut self,
        line: u64,
        requester: Requester,
        waiter: Waiter,
        memory: &mut MemorySystem,
    ) -> LineAccess {
        let joins = self.misses.is_pending(line);
        let room = !self.misses.is_full_for(line)
            && self.writebacks.len() < WRITEBACK_BUFFER
            && (joins || memory.has_room(line));
        if !room {
            return LineAccess::Refused;
        }
        self.refused.retain(|known| *known != line);
        if !joins {
            memory.push(LineRequest {
                line,
                source: self.source,
                requester,
                is_write: false,
            });
        }
        self.misses.request(line, waiter);
        LineAccess::Pending
    }

    /// A line has come from the L2: appends its waiters, writers left out.
    pub(crate) fn fill(&mut self, line: u64, waiters: &mut Vec<Waiter>) {
        let mut all = std::mem::take(&mut self.waiters);
        self.misses.complete(line, &mut all);
        let dirty = all.contains(&WRITER);
        let evicted = self.tags.fill(line, dirty);
        self.write_back(evicted);
        waiters.extend(all.drain(..).filter(|waiter| *waiter != WRITER));
        self.waiters = all;
    }

    fn write_back(&mut self, evicted: Option<Eviction>) {
        if let Some(line) = evicted.filter(|line| line.dirty) {
            self.writebacks.push_back(LineRequest {
                line: line.address,
                source: self.source,
                requester: Requester {
                    traffic: self.writes,
                    tile: NOBODY,
                    draw: NOBODY,
                },
                is_write: true,
            });
        }
    }

    /// One cycle: a dirty line goes to the L2 if there is room.
    #[inline]
    pub(crate) fn tick(&mut self, memory: &mut MemorySystem) {
        if let Some(front) = self.writebacks.front().copied()
            && memory.has_room(front.line)
        {
            memory.push(front);
            self.writebacks.pop_front();
        }
    }

    /// Whether dirty lines wait for their way to the L2.
    pub(crate) fn has_writes(&self) -> bool {
        !self.writebacks.is_empty()
    }

    /// Whether nothing waits here.
    pub(crate) fn is_idle(&self) -> bool {
        self.writebacks.is_empty() && self.misses.n_pending() == 0
    }

    /// Accesses since the last call.
    pub(crate) fn take_counters(&mut self) -> CacheCounters {
        std::mem::take(&mut self.tags.counters)
    }

    /// Misses since the last call with their line under way already.
    pub(crate) fn take_joined(&mut self) -> u64 {
        std::mem::take(&mut self.misses.counters.merged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MachineSpec;
    use crate::memory::{L2Cache, MemoryController};

    const REQUESTER: Requester = Requester {
        traffic: Traffic::Vertex,
        tile: NOBODY,
        draw: 0,
    };

    #[test]
    fn line_cache_counts_a_refused_line_once_whoever_else_asks() {
        let spec = MachineSpec::built_in("valhall-libra-baseline", &[]).expect("shipped");
        let l2 = L2Cache::new(&spec.l2, 1).expect("valid");
        let controller = MemoryController::new(&spec.dram, spec.clock, &spec.l2).expect("valid");
        let mut memory = MemorySystem::new(l2, controller);
        let mut cache =
            LineCache::new(&spec.geometry.vertex_cache, Source(0), false).expect("valid");
        let mshrs = u64::from(spec.geometry.vertex_cache.mshrs);
        for line in 0..mshrs {
            cache.read(line * 64, REQUESTER, Waiter(0), &mut memory);
        }
        for _ in 0..10 {
            for line in [mshrs, mshrs + 1] {
                let access = cache.read(line * 64, REQUESTER, Waiter(0), &mut memory);
                assert_eq!(access, LineAccess::Refused, "no miss register");
            }
        }
        assert_eq!(cache.take_counters().read_misses, mshrs + 2, "one a line");
    }
}
