//! How near a stream of frames is to a circular trace, or to one that goes there and back: the order in which a frame uses
//! its lines first or last, beside the order in which the frame before used them last.
//!
//! The line used first should be the one that waited longest (circular), or the one just used (there and back). The measure
//! is the mean stack distance by set over the second order after the first: `s - 1` of a circular trace over `s` lines,
//! `(s - 1) / 2` of one that goes there and back, and nothing can be greater or smaller (Boustrophedonic Frames, section
//! III-D).

use serde::{Deserialize, Serialize};

use super::distance::StackDistances;
use crate::cache::ByAddress;
use crate::cache::offline::StreamFull;

/// Mean reuse distances from one frame to the next, each averaged over all sets and pairs of frames in which the set has
/// such reuses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SubTraces {
    /// Sets with reuses, over all pairs of frames.
    pub pairs: u64,
    /// Mean distance of a circular trace: lines of the set in the frame before, less one.
    pub max: Option<f64>,
    /// Mean distance of a trace that goes there and back: half of `max`.
    pub min: Option<f64>,
    /// From the last uses in a frame to the first uses in the next.
    pub last_first: Option<f64>,
    /// From the last uses in a frame to the last uses in the next, in their order.
    pub last_last: Option<f64>,
}

/// The lines of the frame under way, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct FrameLines {
    index_of_line: ByAddress<u32>,
    /// In the order of their first use.
    lines: Vec<u64>,
    /// When each was used last.
    last_at: Vec<u64>,
    uses: u64,
}

impl FrameLines {
    /// Takes a use; whether the frame has used the line before.
    pub(super) fn access(&mut self, line: u64) -> bool {
        self.uses += 1;
        let next = self.lines.len() as u32;
        let index = *self.index_of_line.entry(line).or_insert(next);
        if index == next {
            self.lines.push(line);
            self.last_at.push(self.uses);
            return false;
        }
        self.last_at[index as usize] = self.uses;
        true
    }

    /// In the order of their last use.
    fn by_last_use(&self) -> Vec<u64> {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_unstable_by_key(|at| self.last_at[*at]);
        order.into_iter().map(|at| self.lines[at]).collect()
    }
}

/// Reuses of a set from one order to the next.
#[derive(Debug, Clone, Copy, Default)]
struct SetReuses {
    n: u64,
    sum: u64,
}

/// Sums over pairs of frames.
#[derive(Debug, Clone)]
pub(super) struct SubTraceSums {
    n_sets: usize,
    /// Lines of the last frame in the order of their last use.
    before: Option<Vec<u64>>,
    pairs: u64,
    max: f64,
    last_first: f64,
    last_last: f64,
}

impl SubTraceSums {
    pub(super) fn new(n_sets: usize) -> Self {
        Self {
            n_sets: n_sets.max(1),
            before: None,
            pairs: 0,
            max: 0.0,
            last_first: 0.0,
            last_last: 0.0,
        }
    }

    /// Forgets the sums, and not the frame before.
    pub(super) fn restart(&mut self) {
        *self = Self {
            before: self.before.take(),
            ..Self::new(self.n_sets)
        };
    }

    /// A frame has ended.
    pub(super) fn end_frame(&mut self, frame: &FrameLines) -> Result<(), StreamFull> {
        let lasts = frame.by_last_use();
        if let Some(before) = &self.before {
            let of_set = self.lines_by_set(before);
            let last_first = self.reuses(before, &frame.lines)?;
            let last_last = self.reuses(before, &lasts)?;
            for (set, (first, last)) in last_first.iter().zip(&last_last).enumerate() {
                if first.n > 0 {
                    self.pairs += 1;
                    self.max += (of_set[set] - 1) as f64;
                    self.last_first += first.sum as f64 / first.n as f64;
                    self.last_last += last.sum as f64 / last.n as f64;
                }
            }
        }
        self.before = Some(lasts);
        Ok(())
    }

    fn set_of(&self, line: u64) -> usize {
        usize::try_from(line % self.n_sets as u64).unwrap_or(0)
    }

    fn lines_by_set(&self, lines: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; self.n_sets];
        for line in lines {
            counts[self.set_of(*line)] += 1;
        }
        counts
    }

    /// Distances of `next` after `before`, in each of which a line occurs once.
    fn reuses(&self, before: &[u64], next: &[u64]) -> Result<Vec<SetReuses>, StreamFull> {
        let mut distances = StackDistances::new(self.n_sets);
        for line in before {
            distances.access(*line)?;
        }
        let mut reuses = vec![SetReuses::default(); self.n_sets];
        for line in next {
            if let Some(distance) = distances.access(*line)? {
                let of_set = &mut reuses[self.set_of(*line)];
                of_set.n += 1;
                of_set.sum += u64::from(distance);
            }
        }
        Ok(reuses)
    }

    pub(super) fn report(&self) -> SubTraces {
        let mean = |sum: f64| (self.pairs > 0).then(|| sum / self.pairs as f64);
        SubTraces {
            pairs: self.pairs,
            max: mean(self.max),
            min: mean(self.max / 2.0),
            last_first: mean(self.last_first),
            last_last: mean(self.last_last),
        }
    }
}
