//! Seam: the victim of a full set. In: which line was used and filled when; out: the way to replace. Online policies only;
//! those that look into the future need the whole stream and are in `offline`.

use std::fmt::Debug;
use std::ops::Range;

use super::spec::CacheSpec;

/// Replacement policy of a set-associative cache.
///
/// A slot is `set x ways + way`. Contract: [`victim`](Self::victim) is called only for a set whose every slot is filled,
/// and returns one of the slots given; the answer depends on nothing but the calls before, so that runs repeat.
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

/// LRU and MRU: every set keeps the order in which its slots were used.
#[derive(Debug, Clone)]
pub struct Recency {
    victim: Victim,
    order: UseOrder,
}

/// The order of use, in the form that the number of ways allows.
#[derive(Debug, Clone)]
enum UseOrder {
    /// Up to sixteen ways, a power of two.
    Packed(PackedOrders),
    /// Any number: the time of each slot's last use.
    Stamped { last_use: Vec<u64>, uses: u64 },
}

impl Recency {
    /// For a cache of this shape.
    #[must_use]
    pub fn new(victim: Victim, spec: &CacheSpec) -> Self {
        let order = match spec.ways {
            1 | 2 | 4 | 8 | 16 => UseOrder::Packed(PackedOrders::new(spec)),
            _ => Self::stamped(spec),
        };
        Self { victim, order }
    }

    fn stamped(spec: &CacheSpec) -> UseOrder {
        let n_lines = usize::try_from(spec.n_lines()).unwrap_or(usize::MAX);
        UseOrder::Stamped {
            last_use: vec![0; n_lines],
            uses: 0,
        }
    }

    #[inline]
    fn used(&mut self, slot: usize) {
        match &mut self.order {
            UseOrder::Packed(orders) => orders.used(slot),
            UseOrder::Stamped { last_use, uses } => {
                *uses += 1;
                last_use[slot] = *uses;
            }
        }
    }
}

impl ReplacementPolicy for Recency {
    #[inline]
    fn touch(&mut self, slot: usize) {
        self.used(slot);
    }

    #[inline]
    fn fill(&mut self, slot: usize) {
        self.used(slot);
    }

    #[inline]
    fn victim(&mut self, set: Range<usize>) -> usize {
        let first = set.start;
        let way = match &self.order {
            UseOrder::Packed(orders) => orders.victim(first, self.victim),
            UseOrder::Stamped { last_use, .. } => {
                let ages = last_use[set].iter().enumerate();
                let way = match self.victim {
                    Victim::Lru => ages.min_by_key(|(_, use_)| **use_),
                    Victim::Mru => ages.max_by_key(|(_, use_)| **use_),
                };
                way.map_or(0, |(way, _)| way)
            }
        };
        first + way
    }
}

/// The ways of each set from the one used last to the one not used for longest, four bits each, the first in the lowest. So
/// the orders of a whole cache are few enough to stay near the host's core.
#[derive(Debug, Clone)]
struct PackedOrders {
    orders: Vec<u64>,
    way_bits: u32,
}

impl PackedOrders {
    /// One in each group of four bits.
    const ONES: u64 = 0x1111_1111_1111_1111;
    /// Sixteen ways in their own order. If a set has fewer, the upper ones are never used and never move.
    const IN_TURN: u64 = 0xfedc_ba98_7654_3210;

    fn new(spec: &CacheSpec) -> Self {
        let n_sets = usize::try_from(spec.n_sets()).unwrap_or(usize::MAX);
        Self {
            orders: vec![Self::IN_TURN; n_sets],
            way_bits: spec.ways.trailing_zeros(),
        }
    }

    /// The slot's way goes to the front.
    #[inline]
    fn used(&mut self, slot: usize) {
        let way = (slot & ((1 << self.way_bits) - 1)) as u64;
        let order = &mut self.orders[slot >> self.way_bits];
        // Its place is that of the lowest group of zeros in the difference; the subtraction may borrow above that, which is
        // not read.
        let difference = *order ^ (way * Self::ONES);
        let zeros = difference.wrapping_sub(Self::ONES) & !difference & (Self::ONES << 3);
        let place = zeros.trailing_zeros() & !3;
        let before = *order & ((1 << place) - 1);
        let behind = *order & (u64::MAX << place << 4);
        // Shifted twice, because the last way's place and four are the whole word.
        *order = behind | before << 4 | way;
    }

    /// The way that leaves the set that begins with a slot.
    #[inline]
    fn victim(&self, first: usize, victim: Victim) -> usize {
        let order = self.orders[first >> self.way_bits];
        let place = match victim {
            Victim::Lru => (1_u32 << self.way_bits) - 1,
            Victim::Mru => 0,
        };
        (order >> (4 * place) & 15) as usize
    }
}

/// The policy of a cache in the machine: its own, or one that a technique brought.
#[derive(Debug)]
pub enum Replacement {
    /// The machine's own policy, without techniques.
    Machine(Recency),
    /// The policy that a technique put in its place.
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

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_units::Bytes;

    /// The order in packed words against a stamp for each slot, over random uses of random sets.
    #[test]
    fn recency_in_packed_words_chooses_as_stamps_do() {
        let mut random = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) as usize % below
        };
        for ways in [1_u32, 2, 4, 8, 16] {
            for victim in [Victim::Lru, Victim::Mru] {
                let n_sets = 5;
                let spec = CacheSpec {
                    size: Bytes(64 * u64::from(ways) * n_sets),
                    ways,
                    line: Bytes(64),
                };
                let mut packed = Recency::new(victim, &spec);
                let order = Recency::stamped(&spec);
                let mut stamped = Recency { victim, order };
                assert!(matches!(packed.order, UseOrder::Packed(_)), "it can be");
                let n_slots = ways as usize * n_sets as usize;
                for slot in 0..n_slots {
                    packed.fill(slot);
                    stamped.fill(slot);
                }
                for _ in 0..2000 {
                    let slot = next(n_slots);
                    packed.touch(slot);
                    stamped.touch(slot);
                    let first = next(n_sets as usize) * ways as usize;
                    let set = first..first + ways as usize;
                    let leaves = packed.victim(set.clone());
                    assert_eq!(leaves, stamped.victim(set), "{ways} ways, {victim:?}");
                    packed.fill(leaves);
                    stamped.fill(leaves);
                }
            }
        }
    }
}
