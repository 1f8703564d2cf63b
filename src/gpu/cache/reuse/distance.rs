//! Stack distances: line numbers in, out how many other lines of the same set were used since the line was used last
//! (Mattson et al., *Evaluation techniques for storage hierarchies*, IBM Systems Journal 9(2), 1970). An LRU set of that
//! many ways or fewer has lost it.
//!
//! Every set keeps its uses in order of time, marks the last use of each line, and counts marks with a binary indexed tree:
//! O(log n) an access. Uses that are no line's last are thrown out now and then, so that memory grows with lines and not
//! with accesses.

use crate::cache::ByAddress;
use crate::cache::offline::StreamFull;

/// Most different lines: about 1 GB with what is kept beside each.
const MAX_LINES: usize = 1 << 24;
/// Fewest uses that a set has room for.
const LEAST_ROOM: usize = 16;
/// A use that is no line's last.
const NO_LINE: u64 = u64::MAX;

/// The distances of a stream, as it comes.
#[derive(Debug, Clone)]
pub struct StackDistances {
    sets: Vec<SetStack>,
    /// Place of each line's last use in its set.
    last_use: ByAddress<u32>,
    max_lines: usize,
}

impl StackDistances {
    /// Distances in a cache of `n_sets` sets, at least one; set `line modulo n_sets` is a line's.
    #[must_use]
    pub fn new(n_sets: usize) -> Self {
        Self {
            sets: vec![SetStack::default(); n_sets.max(1)],
            last_use: ByAddress::default(),
            max_lines: MAX_LINES,
        }
    }

    /// Takes the next access: how many other lines of its set were used since the line was used last; nothing if it never
    /// was.
    ///
    /// # Errors
    /// After 2^24 different lines.
    pub fn access(&mut self, line: u64) -> Result<Option<u32>, StreamFull> {
        let set = usize::try_from(line % self.sets.len() as u64).unwrap_or(0);
        let before = self.last_use.get(&line).copied();
        if before.is_none() && self.last_use.len() >= self.max_lines {
            return Err(StreamFull::Lines);
        }
        let distance = before.map(|at| self.sets[set].take(at));
        if self.sets[set].is_full() {
            let last_use = &mut self.last_use;
            self.sets[set].make_room(|line, at| {
                last_use.insert(line, at);
            });
        }
        let at = self.sets[set].push(line);
        self.last_use.insert(line, at);
        Ok(distance)
    }

    /// Different lines so far.
    #[must_use]
    pub fn n_lines(&self) -> usize {
        self.last_use.len()
    }
}

/// The uses of one set by time.
#[derive(Debug, Clone, Default)]
struct SetStack {
    /// Line for which each use is the last, or [`NO_LINE`].
    uses: Vec<u64>,
    /// Marks of last uses, as a binary indexed tree: entry i (from 1) sums the `i & -i` places up to i.
    tree: Vec<u32>,
    /// Lines of the set.
    n_marks: u32,
}

impl SetStack {
    fn is_full(&self) -> bool {
        self.uses.len() == self.tree.len()
    }

    /// Unmarks a use; how many later ones are marked.
    fn take(&mut self, at: u32) -> u32 {
        let up_to = self.marks_up_to(at);
        let later = self.n_marks - up_to;
        self.uses[at as usize] = NO_LINE;
        self.n_marks -= 1;
        self.add(at, |mark| mark - 1);
        later
    }

    /// Marks a use that comes now, for which there is room.
    fn push(&mut self, line: u64) -> u32 {
        let at = self.uses.len() as u32;
        self.uses.push(line);
        self.n_marks += 1;
        self.add(at, |mark| mark + 1);
        at
    }

    /// Throws out all uses that are not marked, and has room for as many as are left: `moved` is called with their new
    /// places.
    fn make_room(&mut self, mut moved: impl FnMut(u64, u32)) {
        self.uses.retain(|line| *line != NO_LINE);
        let room = (2 * self.uses.len()).max(LEAST_ROOM);
        self.tree.clear();
        self.tree.resize(room, 0);
        for at in 0..self.uses.len() {
            moved(self.uses[at], at as u32);
            self.add(at as u32, |mark| mark + 1);
        }
    }

    /// Marks at places from 0 to `at`.
    fn marks_up_to(&self, at: u32) -> u32 {
        let mut sum = 0;
        let mut entry = at as usize + 1;
        while entry > 0 {
            sum += self.tree[entry - 1];
            entry &= entry - 1;
        }
        sum
    }

    fn add(&mut self, at: u32, change: impl Fn(u32) -> u32) {
        let mut entry = at as usize + 1;
        while entry <= self.tree.len() {
            self.tree[entry - 1] = change(self.tree[entry - 1]);
            entry += entry & entry.wrapping_neg();
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::access::AccessKind;
    use crate::cache::{CacheSpec, CacheTags, Victim};
    use azulejo_units::Bytes;

    /// Reference distances, by looking back over all accesses.
    pub(in crate::cache::reuse) fn naive(n_sets: u64, lines: &[u64]) -> Vec<Option<u32>> {
        let distance = |at: usize| {
            let before = lines[..at].iter().rposition(|line| *line == lines[at])?;
            let mut between: Vec<u64> = lines[before + 1..at].to_vec();
            between.retain(|line| line % n_sets == lines[at] % n_sets);
            between.sort_unstable();
            between.dedup();
            Some(between.len() as u32)
        };
        (0..lines.len()).map(distance).collect()
    }

    fn distances(n_sets: usize, lines: &[u64]) -> Vec<Option<u32>> {
        let mut distances = StackDistances::new(n_sets);
        let each = lines.iter().map(|line| distances.access(*line));
        each.collect::<Result<_, _>>().expect("few lines")
    }

    #[test]
    fn distance_counts_other_lines_since_the_last_use() {
        let lines = [1, 2, 3, 3, 2, 2, 1, 4, 1];
        let expected = [
            None,
            None,
            None,
            Some(0),
            Some(1),
            Some(0),
            Some(2),
            None,
            Some(1),
        ];
        assert_eq!(distances(1, &lines), expected, "by hand");
        let of_two = distances(2, &[0, 1, 3, 2, 0, 1]);
        let expected = [None, None, None, None, Some(1), Some(1)];
        assert_eq!(of_two, expected, "even and odd lines apart");
    }

    #[test]
    fn distance_in_a_circular_trace_is_its_length_less_one() {
        let lines: Vec<u64> = (0..10).flat_map(|_| 0..100).collect();
        let distances = distances(1, &lines);
        assert!(distances[..100].iter().all(Option::is_none), "new");
        assert!(distances[100..].iter().all(|d| *d == Some(99)), "s - 1");
    }

    #[test]
    fn distances_of_more_lines_than_are_told_apart_are_refused() {
        let mut distances = StackDistances::new(2);
        distances.max_lines = 3;
        for line in [1, 2, 3, 1, 2, 3] {
            assert!(distances.access(line).is_ok(), "three lines");
        }
        assert_eq!(distances.access(4), Err(StreamFull::Lines), "a fourth");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn distances_are_those_of_looking_back(n_sets in 1..6_usize, lines in prop::collection::vec(0..30_u64, 0..300)) {
            prop_assert_eq!(distances(n_sets, &lines), naive(n_sets as u64, &lines));
        }

        #[test]
        fn distances_say_what_lru_hits(ways in 1..9_u32, n_sets in 1..4_u64, lines in prop::collection::vec(0..40_u64, 0..300)) {
            let spec = CacheSpec { size: Bytes(64 * n_sets * u64::from(ways)), ways, line: Bytes(64) };
            let mut tags = CacheTags::new(spec, Victim::Lru).expect("valid");
            for line in &lines {
                tags.access(64 * line, AccessKind::Read);
            }
            let distances = distances(n_sets as usize, &lines);
            let near = distances.iter().filter(|d| d.is_some_and(|d| d < ways)).count();
            prop_assert_eq!(tags.counters.hits(), near as u64);
        }
    }
}
