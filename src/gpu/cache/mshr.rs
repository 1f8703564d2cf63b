//! Misses on their way (miss status holding registers): line requests in, whether one must go to the next level out, and
//! when the line arrives, all waiters for it.
//!
//! Kroft, *Lockup-Free Instruction Fetch/Prefetch Cache Organization*, ISCA 1981. One register a line; later misses to the
//! same line join it (merging) and cost no traffic.

use crate::cache::bucket;

/// How many misses can be under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MshrSpec {
    /// Lines under way at the same time.
    pub entries: u32,
    /// Waiters that one line can have, the first included.
    pub targets_per_entry: u32,
}

/// Outcome of registering a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MshrOutcome {
    /// A register was taken: the line must be requested.
    Allocated,
    /// The line was under way already: nothing to send.
    Merged,
    /// No register free, or the line's register takes no more waiters: try again later. Nothing changed.
    Full,
}

/// Counters since the last reset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct MshrCounters {
    /// Misses that took a register: lines requested.
    pub allocated: u64,
    /// Misses that joined a line under way.
    pub merged: u64,
    /// Attempts that found no room.
    pub refused: u64,
    /// Most lines under way at the same time.
    pub peak_entries: u64,
}

/// Index of no register: the end of a chain.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone)]
struct Register<T> {
    line: u64,
    waiters: Vec<T>,
    /// The next one of the same bucket, or the next free one.
    next: u32,
}

/// The registers of one cache. `T` is what a waiter needs to go on, such as a warp and an instruction.
#[derive(Debug, Clone)]
pub struct MshrFile<T> {
    spec: MshrSpec,
    /// Those that have ever been used; a free one keeps its allocation.
    registers: Vec<Register<T>>,
    free: u32,
    n_pending: usize,
    /// Registers in use as chains, by a hash of their line.
    buckets: Vec<u32>,
    /// Counters so far; assign the default to reset them.
    pub counters: MshrCounters,
}

impl<T> MshrFile<T> {
    /// An empty file; zero entries or targets count as one.
    #[must_use]
    pub fn new(spec: MshrSpec) -> Self {
        let entries = spec.entries.max(1);
        // More would not make chains shorter in any run that memory allows.
        let n_buckets = entries.next_power_of_two().min(1 << 16) as usize;
        Self {
            spec: MshrSpec {
                entries,
                targets_per_entry: spec.targets_per_entry.max(1),
            },
            registers: Vec::new(),
            free: NONE,
            n_pending: 0,
            buckets: vec![NONE; n_buckets],
            counters: MshrCounters::default(),
        }
    }

    /// Registers a miss. `line_address` is the address of the line's first byte.
    pub fn request(&mut self, line_address: u64, waiter: T) -> MshrOutcome {
        let outcome = match self.find(line_address) {
            Some(at) => self.merge(at, waiter),
            None => self.allocate(line_address, waiter),
        };
        match outcome {
            MshrOutcome::Allocated => self.counters.allocated += 1,
            MshrOutcome::Merged => self.counters.merged += 1,
            MshrOutcome::Full => self.counters.refused += 1,
        }
        outcome
    }

    /// The line has arrived: appends its waiters to `waiters`, first come first, and frees the register. Returns whether
    /// the line was under way.
    pub fn complete(&mut self, line_address: u64, waiters: &mut Vec<T>) -> bool {
        let Some(at) = self.unlink(line_address) else {
            return false;
        };
        let register = &mut self.registers[at as usize];
        if waiters.is_empty() {
            std::mem::swap(waiters, &mut register.waiters);
        } else {
            waiters.append(&mut register.waiters);
        }
        register.next = std::mem::replace(&mut self.free, at);
        self.n_pending -= 1;
        true
    }

    /// Whether the line is under way.
    #[must_use]
    pub fn is_pending(&self, line_address: u64) -> bool {
        self.find(line_address).is_some()
    }

    /// Whether [`request`](Self::request) would be [`MshrOutcome::Full`].
    #[must_use]
    pub fn is_full_for(&self, line_address: u64) -> bool {
        match self.find(line_address) {
            Some(at) => self.registers[at].waiters.len() >= self.spec.targets_per_entry as usize,
            None => self.n_pending >= self.spec.entries as usize,
        }
    }

    /// Number of lines under way, one a register.
    #[must_use]
    pub fn n_pending(&self) -> usize {
        self.n_pending
    }

    fn bucket_of(&self, line_address: u64) -> usize {
        bucket(line_address, self.buckets.len())
    }

    fn find(&self, line_address: u64) -> Option<usize> {
        let mut at = self.buckets[self.bucket_of(line_address)];
        while at != NONE {
            let register = &self.registers[at as usize];
            if register.line == line_address {
                return Some(at as usize);
            }
            at = register.next;
        }
        None
    }

    /// Takes the line's register out of its chain.
    fn unlink(&mut self, line_address: u64) -> Option<u32> {
        let bucket = self.bucket_of(line_address);
        let mut before = NONE;
        let mut at = self.buckets[bucket];
        while at != NONE {
            let register = &self.registers[at as usize];
            let next = register.next;
            if register.line == line_address {
                match before {
                    NONE => self.buckets[bucket] = next,
                    before => self.registers[before as usize].next = next,
                }
                return Some(at);
            }
            before = at;
            at = next;
        }
        None
    }

    fn merge(&mut self, at: usize, waiter: T) -> MshrOutcome {
        let waiters = &mut self.registers[at].waiters;
        if waiters.len() >= self.spec.targets_per_entry as usize {
            return MshrOutcome::Full;
        }
        waiters.push(waiter);
        MshrOutcome::Merged
    }

    fn allocate(&mut self, line_address: u64, waiter: T) -> MshrOutcome {
        if self.n_pending >= self.spec.entries as usize {
            return MshrOutcome::Full;
        }
        if self.free == NONE {
            self.free = self.registers.len() as u32;
            self.registers.push(Register {
                line: line_address,
                waiters: Vec::new(),
                next: NONE,
            });
        }
        let bucket = self.bucket_of(line_address);
        let at = self.free;
        let register = &mut self.registers[at as usize];
        self.free = register.next;
        register.line = line_address;
        register.next = std::mem::replace(&mut self.buckets[bucket], at);
        register.waiters.push(waiter);
        self.n_pending += 1;
        self.counters.peak_entries = self.counters.peak_entries.max(self.n_pending as u64);
        MshrOutcome::Allocated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(entries: u32, targets_per_entry: u32) -> MshrFile<u32> {
        MshrFile::new(MshrSpec {
            entries,
            targets_per_entry,
        })
    }

    #[test]
    fn mshr_second_miss_to_the_same_line_merges() {
        let mut mshrs = file(4, 4);
        assert_eq!(mshrs.request(64, 1), MshrOutcome::Allocated, "first");
        assert_eq!(mshrs.request(64, 2), MshrOutcome::Merged, "same line");
        assert_eq!(mshrs.request(128, 3), MshrOutcome::Allocated, "other line");
        let mut waiters = Vec::new();
        assert!(mshrs.complete(64, &mut waiters), "was under way");
        assert_eq!(waiters, [1, 2], "in order of arrival");
        assert!(mshrs.is_pending(128), "the other line stays");
        assert!(!mshrs.complete(64, &mut waiters), "only once");
    }

    #[test]
    fn mshr_file_without_room_refuses_and_changes_nothing() {
        let mut mshrs = file(2, 2);
        for (line, waiter) in [(0, 0), (64, 1), (64, 2)] {
            assert_ne!(mshrs.request(line, waiter), MshrOutcome::Full, "room");
        }
        assert!(mshrs.is_full_for(128), "no register");
        assert_eq!(mshrs.request(128, 3), MshrOutcome::Full, "no register");
        assert!(mshrs.is_full_for(64), "no target");
        assert_eq!(mshrs.request(64, 4), MshrOutcome::Full, "no target");
        assert_eq!(mshrs.request(0, 5), MshrOutcome::Merged, "one target free");
        let mut waiters = Vec::new();
        mshrs.complete(64, &mut waiters);
        assert_eq!(waiters, [1, 2], "the refused waiter is not there");
        assert_eq!(mshrs.request(128, 3), MshrOutcome::Allocated, "freed");
        assert_eq!(mshrs.counters.refused, 2, "both attempts counted");
        assert_eq!(mshrs.counters.peak_entries, 2, "never more than two");
    }

    #[test]
    fn mshr_registers_are_reused_without_mixing_waiters() {
        let mut mshrs = file(3, 8);
        let mut waiters = Vec::new();
        for round in 0..100_u32 {
            let line = u64::from(round % 3) * 64;
            if mshrs.is_pending(line) {
                waiters.clear();
                mshrs.complete(line, &mut waiters);
                assert_eq!(waiters, [round - 3], "the waiter of three rounds ago");
            }
            mshrs.request(line, round);
        }
        assert_eq!(mshrs.n_pending(), 3, "one for each line");
    }
}
