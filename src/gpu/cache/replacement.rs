//! Seam: who leaves a full set. In: which line was used and filled when; out: the way to replace. Online policies only; those
//! that know the future need the whole stream and are in `offline`.

use std::fmt::Debug;
use std::ops::Range;

/// What a replacement policy must do.
///
/// A slot is `set x ways + way`. Contract: [`victim`](Self::victim) is asked only for a set whose every slot is filled, and returns
/// one of the slots given; the answer depends on nothing but the calls before, so that runs repeat.
pub trait ReplacementPolicy: Debug + Send {
    /// A resident line was hit.
    fn touch(&mut self, slot: usize);
    /// A line was put into the slot.
    fn fill(&mut self, slot: usize);
    /// The slot that gives way.
    fn victim(&mut self, set: Range<usize>) -> usize;
}

/// Which end of the recency order gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Victim {
    /// The least recently used line (LRU).
    Lru,
    /// The most recently used line (MRU): keeps an old part of a circular stream that is longer than the cache.
    Mru,
}

/// LRU and MRU: every slot remembers its last use.
#[derive(Debug, Clone)]
pub struct Recency {
    victim: Victim,
    last_use: Vec<u64>,
    uses: u64,
}

impl Recency {
    /// For a cache of `n_lines` slots.
    #[must_use]
    pub fn new(victim: Victim, n_lines: usize) -> Self {
        Self {
            victim,
            last_use: vec![0; n_lines],
            uses: 0,
        }
    }

    fn stamp(&mut self, slot: usize) {
        self.uses += 1;
        self.last_use[slot] = self.uses;
    }
}

impl ReplacementPolicy for Recency {
    fn touch(&mut self, slot: usize) {
        self.stamp(slot);
    }

    fn fill(&mut self, slot: usize) {
        self.stamp(slot);
    }

    fn victim(&mut self, set: Range<usize>) -> usize {
        let first = set.start;
        let ages = self.last_use[set].iter().enumerate();
        let way = match self.victim {
            Victim::Lru => ages.min_by_key(|(_, use_)| **use_),
            Victim::Mru => ages.max_by_key(|(_, use_)| **use_),
        };
        first + way.map_or(0, |(way, _)| way)
    }
}

/// The policy of a cache in the machine: its own, or one that a technique brought.
#[derive(Debug)]
pub enum Replacement {
    /// What the machine has without techniques.
    Machine(Recency),
    /// What a technique put in its place.
    Technique(Box<dyn ReplacementPolicy>),
}

impl ReplacementPolicy for Replacement {
    #[inline]
    fn touch(&mut self, slot: usize) {
        match self {
            Self::Machine(policy) => policy.touch(slot),
            Self::Technique(policy) => policy.touch(slot),
        }
    }

    #[inline]
    fn fill(&mut self, slot: usize) {
        match self {
            Self::Machine(policy) => policy.fill(slot),
            Self::Technique(policy) => policy.fill(slot),
        }
    }

    #[inline]
    fn victim(&mut self, set: Range<usize>) -> usize {
        match self {
            Self::Machine(policy) => policy.victim(set),
            Self::Technique(policy) => policy.victim(set),
        }
    }
}
