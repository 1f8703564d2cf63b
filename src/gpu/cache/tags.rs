//! Tag array: addresses in, hit or miss and the line that had to leave out. Write-back, write-allocate; no data, no time.
//!
//! `set = (address / line) mod sets`. A hit of either kind refreshes recency.

use std::ops::{AddAssign, Range};

use super::replacement::{Recency, Replacement, ReplacementPolicy, Victim};
use super::spec::{CacheSpec, CacheSpecError};
use crate::access::AccessKind;

/// A line that had to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Eviction {
    /// Address of its first byte.
    pub address: u64,
    /// It was written to: it must go to the next level.
    pub dirty: bool,
}

/// Outcome of an access that allocates at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheAccess {
    /// The line was there.
    Hit,
    /// The line was not there and is now; perhaps another had to leave.
    Miss(Option<Eviction>),
}

/// Counters since the last reset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CacheCounters {
    /// Reads that found their line.
    pub read_hits: u64,
    /// Reads that did not.
    pub read_misses: u64,
    /// Writes that found their line.
    pub write_hits: u64,
    /// Writes that did not.
    pub write_misses: u64,
    /// Lines that left for another.
    pub evictions: u64,
    /// Those of them that had been written.
    pub dirty_writebacks: u64,
}

impl CacheCounters {
    /// Accesses of both kinds.
    #[must_use]
    pub const fn accesses(&self) -> u64 {
        self.hits() + self.misses()
    }

    /// Hits of both kinds.
    #[must_use]
    pub const fn hits(&self) -> u64 {
        self.read_hits + self.write_hits
    }

    /// Misses of both kinds.
    #[must_use]
    pub const fn misses(&self) -> u64 {
        self.read_misses + self.write_misses
    }

    /// Counts one access as a hit or a miss of its kind.
    pub const fn count(&mut self, kind: AccessKind, hit: bool) {
        match (kind, hit) {
            (AccessKind::Read, true) => self.read_hits += 1,
            (AccessKind::Read, false) => self.read_misses += 1,
            (AccessKind::Write, true) => self.write_hits += 1,
            (AccessKind::Write, false) => self.write_misses += 1,
        }
    }
}

impl AddAssign for CacheCounters {
    fn add_assign(&mut self, other: Self) {
        self.read_hits += other.read_hits;
        self.read_misses += other.read_misses;
        self.write_hits += other.write_hits;
        self.write_misses += other.write_misses;
        self.evictions += other.evictions;
        self.dirty_writebacks += other.dirty_writebacks;
    }
}

/// An empty slot. No line has this number, because a line has at least 4 bytes.
const EMPTY: u64 = u64::MAX;

/// The tag array of one cache.
#[derive(Debug, Clone)]
pub struct CacheTags<P = Recency> {
    spec: CacheSpec,
    line_shift: u32,
    /// `Some` when the number of sets is a power of two: a mask is several times faster than a division.
    set_mask: Option<u64>,
    /// Line number (address / line size) by slot, or [`EMPTY`].
    lines: Vec<u64>,
    /// A byte of each line, by set in words of eight ways, so that a set is searched without its lines.
    short: ShortTags,
    /// Slots without a line.
    n_empty: usize,
    dirty: Vec<bool>,
    policy: P,
    /// Counters so far; assign the default to reset them.
    pub counters: CacheCounters,
}

impl CacheTags {
    /// An empty cache that replaces by recency.
    ///
    /// # Errors
    /// If the specification does not [validate](CacheSpec::validate).
    pub fn new(spec: CacheSpec, victim: Victim) -> Result<Self, CacheSpecError> {
        spec.validate()?;
        Self::with_policy(spec, Recency::new(victim, &spec))
    }
}

/// Tags of a cache in the machine, whose policy a technique may have brought.
pub(crate) type PolicyTags = CacheTags<Replacement>;

impl PolicyTags {
    /// An empty cache of the machine with its own policy.
    pub(crate) fn of_machine(spec: CacheSpec, victim: Victim) -> Result<Self, CacheSpecError> {
        spec.validate()?;
        let policy = Recency::new(victim, &spec);
        Self::with_policy(spec, Replacement::Machine(policy))
    }
}

impl<P: ReplacementPolicy> CacheTags<P> {
    /// An empty cache with its own replacement policy.
    ///
    /// # Errors
    /// If the specification does not [validate](CacheSpec::validate).
    pub fn with_policy(spec: CacheSpec, policy: P) -> Result<Self, CacheSpecError> {
        spec.validate()?;
        let n_lines = usize::try_from(spec.n_lines()).unwrap_or(usize::MAX);
        let n_sets = spec.n_sets();
        Ok(Self {
            spec,
            line_shift: spec.line.0.trailing_zeros(),
            set_mask: n_sets.is_power_of_two().then(|| n_sets - 1),
            lines: vec![EMPTY; n_lines],
            short: ShortTags::new(n_sets, spec.ways),
            n_empty: n_lines,
            dirty: vec![false; n_lines],
            policy,
            counters: CacheCounters::default(),
        })
    }

    /// Size and shape, as checked at construction.
    #[must_use]
    pub const fn spec(&self) -> &CacheSpec {
        &self.spec
    }

    /// Looks up and, on a miss, allocates at once.
    pub fn access(&mut self, address: u64, kind: AccessKind) -> CacheAccess {
        if self.lookup(address, kind) {
            CacheAccess::Hit
        } else {
            CacheAccess::Miss(self.insert(address >> self.line_shift, kind.is_write()))
        }
    }

    /// Looks up and counts; a hit refreshes recency and a write marks the line dirty. A miss changes no line.
    pub fn lookup(&mut self, address: u64, kind: AccessKind) -> bool {
        let slot = self.find(address >> self.line_shift);
        self.counters.count(kind, slot.is_some());
        if let Some(slot) = slot {
            self.policy.touch(slot);
            self.dirty[slot] |= kind.is_write();
        }
        slot.is_some()
    }

    /// Puts a line in that has arrived, `dirty` if a write waited for it. A line that is already there stays (a second fill
    /// is no error) and takes the mark.
    pub fn fill(&mut self, address: u64, dirty: bool) -> Option<Eviction> {
        let line = address >> self.line_shift;
        if let Some(slot) = self.find(line) {
            self.policy.touch(slot);
            self.dirty[slot] |= dirty;
            return None;
        }
        self.insert(line, dirty)
    }

    /// Puts a line in that has arrived and is known not to be there.
    pub(crate) fn fill_missing(&mut self, address: u64) -> Option<Eviction> {
        debug_assert!(!self.contains(address), "it was asked for once");
        self.insert(address >> self.line_shift, false)
    }

    /// Whether the line of `address` is there. Changes nothing.
    #[must_use]
    pub fn contains(&self, address: u64) -> bool {
        self.find(address >> self.line_shift).is_some()
    }

    /// Resident lines that have been written.
    #[must_use]
    pub fn n_dirty_lines(&self) -> u64 {
        self.dirty.iter().filter(|dirty| **dirty).count() as u64
    }

    /// Empties the cache and returns the addresses of the dirty lines, by slot. Not counted as evictions.
    pub fn flush(&mut self) -> Vec<u64> {
        let mut addresses = Vec::new();
        for (line, dirty) in self.lines.iter_mut().zip(&mut self.dirty) {
            if *dirty {
                addresses.push(*line << self.line_shift);
            }
            *line = EMPTY;
            *dirty = false;
        }
        self.short.clear();
        self.n_empty = self.lines.len();
        addresses
    }

    fn set_of(&self, line: u64) -> usize {
        let set = match self.set_mask {
            Some(mask) => line & mask,
            None => line % self.spec.n_sets(),
        };
        // Below the number of lines, which a usize holds.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "set < sets, checked at construction"
        )]
        let set = set as usize;
        set
    }

    fn slots_of(&self, set: usize) -> Range<usize> {
        let ways = self.spec.ways as usize;
        set * ways..(set + 1) * ways
    }

    #[inline]
    fn find(&self, line: u64) -> Option<usize> {
        let set = self.set_of(line);
        let first = self.slots_of(set).start;
        for (nth, word) in self.short.of_set(set).iter().enumerate() {
            // Most often none or one.
            let mut alike = ShortTags::alike(*word, line);
            while alike != 0 {
                let slot = first + nth * WAYS_IN_WORD + alike.trailing_zeros() as usize / 8;
                if self.lines[slot] == line {
                    return Some(slot);
                }
                alike &= alike - 1;
            }
        }
        None
    }

    /// Puts a line in that is not there.
    fn insert(&mut self, line: u64, dirty: bool) -> Option<Eviction> {
        let set = self.set_of(line);
        let slots = self.slots_of(set);
        let first = slots.start;
        let free = (self.n_empty > 0)
            .then(|| self.lines[slots.clone()].iter().position(|at| *at == EMPTY))
            .flatten();
        self.n_empty -= usize::from(free.is_some());
        let slot = free.map_or_else(|| self.policy.victim(slots), |way| first + way);
        let evicted = free.is_none().then(|| Eviction {
            address: self.lines[slot] << self.line_shift,
            dirty: self.dirty[slot],
        });
        if let Some(evicted) = evicted {
            self.counters.evictions += 1;
            self.counters.dirty_writebacks += u64::from(evicted.dirty);
        }
        self.lines[slot] = line;
        self.short.put(set, slot - first, line);
        self.dirty[slot] = dirty;
        self.policy.fill(slot);
        evicted
    }
}

/// Ways in a word of short tags.
const WAYS_IN_WORD: usize = 8;

/// A byte of each resident line, eight ways in a word: most searches, found or not, look at one or two words instead of a
/// row of line numbers.
#[derive(Debug, Clone)]
struct ShortTags {
    words: Vec<u64>,
    words_in_set: usize,
}

impl ShortTags {
    /// One in each byte.
    const ONES: u64 = 0x0101_0101_0101_0101;
    /// The lower seven bits of each byte.
    const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    fn new(n_sets: u64, ways: u32) -> Self {
        let words_in_set = (ways as usize).div_ceil(WAYS_IN_WORD);
        let n_sets = usize::try_from(n_sets).unwrap_or(usize::MAX);
        Self {
            words: vec![0; n_sets * words_in_set],
            words_in_set,
        }
    }

    /// A line's byte: never 0, which is that of an empty slot.
    #[inline]
    fn of_line(line: u64) -> u8 {
        // The upper bits of the product depend on all bits of the line (Fibonacci hashing).
        let [.., byte] = line.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
        byte.max(1)
    }

    fn clear(&mut self) {
        self.words.fill(0);
    }

    #[inline]
    fn put(&mut self, set: usize, way: usize, line: u64) {
        let word = &mut self.words[set * self.words_in_set + way / WAYS_IN_WORD];
        let shift = 8 * (way % WAYS_IN_WORD);
        *word = *word & !(0xff << shift) | u64::from(Self::of_line(line)) << shift;
    }

    #[inline]
    fn of_set(&self, set: usize) -> &[u64] {
        let first = set * self.words_in_set;
        &self.words[first..first + self.words_in_set]
    }

    /// The top bit of each byte of a word that is the line's: these ways may hold it, and no other does.
    #[inline]
    fn alike(word: u64, line: u64) -> u64 {
        let difference = word ^ (u64::from(Self::of_line(line)) * Self::ONES);
        // A sum of seven bits reaches the eighth unless they are zero.
        let sums = (difference & Self::LOW_BITS) + Self::LOW_BITS;
        !(sums | difference | Self::LOW_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_units::Bytes;

    /// A cache as one would first write it: each set its lines, the one used last at the end.
    struct Naive {
        spec: CacheSpec,
        victim: Victim,
        sets: Vec<Vec<(u64, bool)>>,
    }

    impl Naive {
        fn access(&mut self, address: u64, kind: AccessKind) -> CacheAccess {
            let line = address / self.spec.line.0;
            let set = &mut self.sets[(line % self.spec.n_sets()) as usize];
            let known = set.iter().position(|(at, _)| *at == line);
            let dirty = known.is_some_and(|at| set.remove(at).1);
            let evicted = (known.is_none() && set.len() == self.spec.ways as usize).then(|| {
                let leaves = match self.victim {
                    Victim::Lru => 0,
                    Victim::Mru => set.len() - 1,
                };
                let (line, dirty) = set.remove(leaves);
                let address = line * self.spec.line.0;
                Eviction { address, dirty }
            });
            set.push((line, dirty || kind.is_write()));
            match known {
                Some(_) => CacheAccess::Hit,
                None => CacheAccess::Miss(evicted),
            }
        }
    }

    /// Sets of any number of ways, one of whose words of short tags may be partly used; addresses of all 64 bits; a flush
    /// in between.
    #[test]
    fn tags_do_what_lists_of_lines_do() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for (ways, n_sets) in [(1, 7), (2, 8), (3, 4), (4, 16), (8, 4), (16, 2), (24, 3)] {
            for victim in [Victim::Lru, Victim::Mru] {
                let spec = CacheSpec {
                    size: Bytes(64 * u64::from(ways) * n_sets),
                    ways,
                    line: Bytes(64),
                };
                let mut tags = CacheTags::new(spec, victim).expect("valid");
                let sets = vec![Vec::new(); n_sets as usize];
                let mut naive = Naive { spec, victim, sets };
                let far = next() >> 1 & !63;
                for nth in 0..20_000 {
                    if nth == 10_000 {
                        let mut flushed = tags.flush();
                        let lines = naive.sets.iter_mut().flat_map(std::mem::take);
                        let dirty = lines.filter(|(_, dirty)| *dirty);
                        let mut dirty: Vec<u64> = dirty.map(|(line, _)| line * 64).collect();
                        flushed.sort_unstable();
                        dirty.sort_unstable();
                        assert_eq!(flushed, dirty, "what was written");
                    }
                    let line = next() % (3 * u64::from(ways) * n_sets);
                    let address = far + line * 64 + next() % 64;
                    let kind = match next() % 3 {
                        0 => AccessKind::Write,
                        _ => AccessKind::Read,
                    };
                    let expected = naive.access(address, kind);
                    assert_eq!(tags.access(address, kind), expected, "{ways} ways, {nth}");
                }
            }
        }
    }
}
