//! The least misses that any policy could have: a recorded stream of accesses in, counters of Belady's OPT out. Needs the
//! future, so it runs over a stream in memory and beside the machine, never in it.
//!
//! OPT (Belady, *A study of replacement algorithms for a virtual-storage computer*, IBM Systems Journal 5(2), 1966)
//! replaces the line with the farthest next use; it always allocates. OPT with bypass may also leave the incoming line out,
//! when its next use is not earlier than that of every resident line of its set. Both per set, reads and writes alike, from
//! a cold start. O(n log ways) time, 8 bytes an access.

use std::collections::BTreeSet;

use super::spec::{CacheSpec, CacheSpecError};
use super::tags::CacheCounters;
use crate::access::AccessKind;
use crate::cache::ByAddress;
use azulejo_units::Bytes;

/// Variant of the optimum, by its treatment of an incoming line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfflinePolicy {
    /// Belady's OPT, where every miss allocates.
    Opt,
    /// A line that would be used last may be left out.
    OptBypass,
}

/// Counters of an offline run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OfflineCounters {
    /// As an online cache counts them. A bypassed access is a miss.
    pub cache: CacheCounters,
    /// Misses that did not allocate.
    pub bypasses: u64,
    /// Lines written and still resident at the end.
    pub dirty_lines_left: u64,
}

/// Outcome of one access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfflineOutcome {
    /// The line was there.
    Hit,
    /// It was not, and is now.
    Miss,
    /// It was not and was left out.
    Bypass,
}

/// The stream is too long to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StreamFull {
    /// More accesses than the future of an optimal policy may hold.
    #[error(
        "more than {MAX_ACCESSES} accesses, too many to keep in memory, as an optimal policy needs them"
    )]
    Accesses,
    /// More different lines than are told apart.
    #[error("more different lines than can be kept in memory")]
    Lines,
    /// More pairs of a tile and a set in a frame than are told apart.
    #[error("more pairs of a tile and a set in a frame than can be kept in memory")]
    TileSets,
    /// More words than a recording in memory holds.
    #[error("more accesses than a recording in memory holds")]
    Recording,
}

/// Keeps a stream and what the optimum needs beside it below about 3 GB, at worst.
const MAX_ACCESSES: usize = 1 << 26;
const NEVER: u32 = u32::MAX;

/// Accesses in order, at line granularity: 4 bytes each.
#[derive(Debug, Clone)]
pub struct AccessStream {
    line: Bytes,
    /// Number of the line in order of first use, shifted left, or 1 if a write.
    accesses: Vec<u32>,
    /// Line number (address / line size) by order of first use.
    lines: Vec<u64>,
    index_of_line: ByAddress<u32>,
    /// Accesses before this one warm the cache.
    counted_from: usize,
}

impl AccessStream {
    /// An empty stream of accesses to lines of `line` bytes (rounded up to a power of two).
    #[must_use]
    pub fn new(line: Bytes) -> Self {
        Self {
            line: Bytes(line.0.max(1).next_power_of_two()),
            accesses: Vec::new(),
            lines: Vec::new(),
            index_of_line: ByAddress::default(),
            counted_from: 0,
        }
    }

    /// All accesses so far only warm the cache: those after them are counted.
    pub fn count_from_here(&mut self) {
        self.counted_from = self.accesses.len();
    }

    /// Appends an access.
    ///
    /// # Errors
    /// After 2^26 accesses.
    pub fn push(&mut self, address: u64, kind: AccessKind) -> Result<(), StreamFull> {
        if self.accesses.len() >= MAX_ACCESSES {
            return Err(StreamFull::Accesses);
        }
        let line = address >> self.line.0.trailing_zeros();
        let next = u32::try_from(self.lines.len()).map_err(|_| StreamFull::Accesses)?;
        let index = *self.index_of_line.entry(line).or_insert(next);
        if index == next {
            self.lines.push(line);
        }
        self.accesses.push(index << 1 | u32::from(kind.is_write()));
        Ok(())
    }

    /// Number of accesses, those that warm the cache included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.accesses.len()
    }

    /// Whether nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }

    /// Number of different lines touched.
    #[must_use]
    pub fn n_distinct_lines(&self) -> usize {
        self.lines.len()
    }

    /// For every access the position of the next one to its line, or [`NEVER`].
    fn next_uses(&self) -> Vec<u32> {
        let mut next_of_line = vec![NEVER; self.lines.len()];
        let mut next_uses = vec![NEVER; self.accesses.len()];
        let mut at = u32::try_from(self.accesses.len()).unwrap_or(NEVER);
        for (access, next_use) in self.accesses.iter().zip(&mut next_uses).rev() {
            at -= 1;
            let next = &mut next_of_line[(access >> 1) as usize];
            *next_use = std::mem::replace(next, at);
        }
        next_uses
    }
}

/// Runs the stream through an optimal cache; `observe` is called with every access in order.
///
/// # Errors
/// If the specification does not validate; its line must be the stream's.
pub fn simulate_offline(
    stream: &AccessStream,
    spec: &CacheSpec,
    policy: OfflinePolicy,
    mut observe: impl FnMut(OfflineOutcome),
) -> Result<OfflineCounters, CacheSpecError> {
    spec.validate()?;
    if spec.line != stream.line {
        return Err(CacheSpecError::Line(spec.line));
    }
    let mut cache = OptimalCache::new(stream, spec, policy);
    for ((at, access), next_use) in (0_u32..).zip(&stream.accesses).zip(stream.next_uses()) {
        if at as usize == stream.counted_from {
            cache.counters = OfflineCounters::default();
        }
        observe(cache.access(at, *access, next_use));
    }
    if stream.counted_from >= stream.len() {
        cache.counters = OfflineCounters::default();
    }
    cache.counters.dirty_lines_left = cache.dirty.iter().filter(|dirty| **dirty).count() as u64;
    Ok(cache.counters)
}

struct OptimalCache<'a> {
    lines: &'a [u64],
    n_sets: u64,
    ways: usize,
    policy: OfflinePolicy,
    /// Resident lines of each set as (next use, index of the line): the last is the farthest.
    sets: Vec<BTreeSet<(u32, u32)>>,
    resident: Vec<bool>,
    dirty: Vec<bool>,
    counters: OfflineCounters,
}

impl<'a> OptimalCache<'a> {
    fn new(stream: &'a AccessStream, spec: &CacheSpec, policy: OfflinePolicy) -> Self {
        let n_sets = spec.n_sets();
        let n_lines = stream.lines.len();
        Self {
            lines: &stream.lines,
            n_sets,
            ways: spec.ways as usize,
            policy,
            sets: vec![BTreeSet::new(); usize::try_from(n_sets).unwrap_or(usize::MAX)],
            resident: vec![false; n_lines],
            dirty: vec![false; n_lines],
            counters: OfflineCounters::default(),
        }
    }

    fn access(&mut self, at: u32, access: u32, next_use: u32) -> OfflineOutcome {
        let (index, is_write) = (access >> 1, access & 1 == 1);
        let kind = match is_write {
            true => AccessKind::Write,
            false => AccessKind::Read,
        };
        let line = index as usize;
        let hit = self.resident[line];
        self.counters.cache.count(kind, hit);
        let set = usize::try_from(self.lines[line] % self.n_sets).unwrap_or(usize::MAX);
        if hit {
            self.sets[set].remove(&(at, index));
        } else if self.sets[set].len() >= self.ways && !self.make_room(set, next_use) {
            self.counters.bypasses += 1;
            return OfflineOutcome::Bypass;
        }
        self.sets[set].insert((next_use, index));
        self.resident[line] = true;
        self.dirty[line] |= is_write;
        if hit {
            OfflineOutcome::Hit
        } else {
            OfflineOutcome::Miss
        }
    }

    /// Takes the farthest line out of a full set, unless the incoming one is to be left out.
    fn make_room(&mut self, set: usize, incoming_next_use: u32) -> bool {
        let Some(&(farthest, index)) = self.sets[set].last() else {
            return true;
        };
        if self.policy == OfflinePolicy::OptBypass && incoming_next_use >= farthest {
            return false;
        }
        self.sets[set].pop_last();
        self.resident[index as usize] = false;
        let dirty = std::mem::take(&mut self.dirty[index as usize]);
        self.counters.cache.evictions += 1;
        self.counters.cache.dirty_writebacks += u64::from(dirty);
        true
    }
}
