//! Misses on their way (miss status holding registers): line requests in, whether one must go to the next level out, and when
//! the line arrives, everybody who waited for it.
//!
//! Kroft, *Lockup-Free Instruction Fetch/Prefetch Cache Organization*, ISCA 1981. One register a line; later misses to the same
//! line join it (merging) and cost no traffic.

/// How many misses can be under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MshrSpec {
    /// Lines under way at the same time.
    pub entries: u32,
    /// Waiters that one line can have, the first included.
    pub targets_per_entry: u32,
}

/// What became of a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MshrOutcome {
    /// A register was taken: the line must be asked for.
    Allocated,
    /// The line was under way already: nothing to send.
    Merged,
    /// No register free, or the line's register takes no more waiters: try again later. Nothing changed.
    Full,
}

/// What happened so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct MshrCounters {
    /// Lines asked for.
    pub allocated: u64,
    /// Misses that joined a line under way.
    pub merged: u64,
    /// Attempts that found no room.
    pub refused: u64,
    /// Most lines under way at the same time.
    pub peak_entries: u64,
}

#[derive(Debug, Clone)]
struct Entry<T> {
    waiters: Vec<T>,
}

/// The registers of one cache. `T` is what a waiter needs to go on, such as a warp and an instruction.
#[derive(Debug, Clone)]
pub struct MshrFile<T> {
    spec: MshrSpec,
    /// Addresses of the lines under way, dense, so that the search reads one short array. As long as the registers in use.
    lines: Vec<u64>,
    /// In step with `lines`; entries beyond are free and keep their allocation.
    entries: Vec<Entry<T>>,
    /// What happened so far; reset it by assigning the default.
    pub counters: MshrCounters,
}

impl<T> MshrFile<T> {
    /// An empty file; zero entries or targets count as one.
    #[must_use]
    pub fn new(spec: MshrSpec) -> Self {
        Self {
            spec: MshrSpec {
                entries: spec.entries.max(1),
                targets_per_entry: spec.targets_per_entry.max(1),
            },
            lines: Vec::new(),
            entries: Vec::new(),
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

    /// The line has arrived: appends its waiters to `waiters`, first come first, and frees the register. Returns whether the line was
    /// under way.
    pub fn complete(&mut self, line_address: u64, waiters: &mut Vec<T>) -> bool {
        let Some(at) = self.find(line_address) else {
            return false;
        };
        waiters.append(&mut self.entries[at].waiters);
        let last = self.lines.len() - 1;
        self.lines.swap_remove(at);
        self.entries.swap(at, last);
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
            Some(at) => self.entries[at].waiters.len() >= self.spec.targets_per_entry as usize,
            None => self.lines.len() >= self.spec.entries as usize,
        }
    }

    /// Lines under way.
    #[must_use]
    pub fn n_pending(&self) -> usize {
        self.lines.len()
    }

    fn find(&self, line_address: u64) -> Option<usize> {
        self.lines.iter().position(|line| *line == line_address)
    }

    fn merge(&mut self, at: usize, waiter: T) -> MshrOutcome {
        let waiters = &mut self.entries[at].waiters;
        if waiters.len() >= self.spec.targets_per_entry as usize {
            return MshrOutcome::Full;
        }
        waiters.push(waiter);
        MshrOutcome::Merged
    }

    fn allocate(&mut self, line_address: u64, waiter: T) -> MshrOutcome {
        let at = self.lines.len();
        if at >= self.spec.entries as usize {
            return MshrOutcome::Full;
        }
        self.lines.push(line_address);
        if at == self.entries.len() {
            let waiters = Vec::new();
            self.entries.push(Entry { waiters });
        }
        self.entries[at].waiters.push(waiter);
        self.counters.peak_entries = self.counters.peak_entries.max(self.lines.len() as u64);
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
