//! Choice of the frames that stand for a game: each with the number it stands for, and the frames to draw for them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::activity::Activities;
use super::clusters::cluster;

/// Frame that stands for others, and the number of them, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Representative {
    /// Number of the frame.
    pub frame: u64,
    /// Number of frames that it stands for, itself included.
    pub stands_for: u64,
}

/// Representative frames of a game, with their shares of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Frames of the game, from number 0 on.
    pub frames: u64,
    /// Frames that must go through a machine before one that counts, to warm it up.
    pub warm_up: u64,
    /// First of the frames that count; those before it only fill frame buffers and caches.
    pub first: u64,
    /// Frames in order of their numbers; the numbers that they stand for sum to the frames that count.
    pub representatives: Vec<Representative>,
}

impl Sample {
    /// Takes each `step`-th frame, which stands for itself and those up to the next; with a step of 1, all.
    ///
    /// # Panics
    /// If the step is 0.
    #[must_use]
    pub fn every(frames: u64, step: u64, warm_up: u64) -> Self {
        assert!(step > 0, "no step, no next frame");
        let first = first_that_counts(frames, warm_up);
        let starts = (first..frames).step_by(usize::try_from(step).unwrap_or(usize::MAX));
        let representatives = starts.map(|frame| Representative {
            frame,
            stands_for: step.min(frames - frame),
        });
        Self {
            frames,
            warm_up,
            first,
            representatives: representatives.collect(),
        }
    }

    /// Takes a frame from the middle of each group of frames of like activity, of which there are at most so many.
    pub(super) fn of_groups(
        activities: &Activities,
        frames: u64,
        most: usize,
        warm_up: u64,
    ) -> Self {
        let first = first_that_counts(frames, warm_up);
        let vectors = activities.vectors(first as usize);
        let groups = cluster(&vectors, most);
        let both = groups.middles(&vectors).into_iter().zip(groups.sizes());
        let mut representatives: Vec<_> = both
            .map(|(middle, stands_for)| Representative {
                frame: first + middle as u64,
                stands_for,
            })
            .collect();
        representatives.sort_by_key(|representative| representative.frame);
        Self {
            frames,
            warm_up,
            first,
            representatives,
        }
    }

    /// Number of frames that representatives stand for: all from the first that counts on.
    #[must_use]
    pub const fn frames_that_count(&self) -> u64 {
        self.frames - self.first
    }

    /// Lists the frames that must go through a machine, in order, each with the number of frames that it stands for: 0 for
    /// those that only warm it up.
    #[must_use]
    pub fn runs(&self) -> Vec<Representative> {
        let mut runs = BTreeMap::new();
        for &Representative { frame, stands_for } in &self.representatives {
            for before in frame.saturating_sub(self.warm_up)..frame {
                runs.entry(before).or_insert(0);
            }
            runs.insert(frame, stands_for);
        }
        let runs = runs.into_iter();
        runs.map(|(frame, stands_for)| Representative { frame, stands_for })
            .collect()
    }
}

/// First frame that has enough before it, or the last if none has.
const fn first_that_counts(frames: u64, warm_up: u64) -> u64 {
    if frames > warm_up {
        warm_up
    } else {
        frames.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(representatives: &[Representative]) -> Vec<(u64, u64)> {
        let of = |r: &Representative| (r.frame, r.stands_for);
        representatives.iter().map(of).collect()
    }

    #[test]
    fn sample_of_every_nth_frame_stands_for_all_that_count() {
        let sample = Sample::every(10, 3, 3);
        let expected = [(3, 3), (6, 3), (9, 1)];
        assert_eq!(pairs(&sample.representatives), expected, "to the end");
        assert_eq!(sample.frames_that_count(), 7, "without the first three");
    }

    #[test]
    fn sample_of_few_frames_counts_the_last() {
        for (frames, expected) in [(1, (0, 1)), (2, (1, 1)), (3, (2, 1)), (4, (3, 1))] {
            let sample = Sample::every(frames, 1, 3);
            assert_eq!(pairs(&sample.representatives), [expected], "{frames}");
        }
    }

    #[test]
    fn sample_runs_each_representative_behind_three_others() {
        let representative = |frame| Representative {
            frame,
            stands_for: 4,
        };
        let sample = Sample {
            frames: 22,
            warm_up: 3,
            first: 3,
            representatives: [1, 8, 9, 11, 20].map(representative).to_vec(),
        };
        let runs = sample.runs();
        let frames: Vec<u64> = runs.iter().map(|run| run.frame).collect();
        assert_eq!(
            frames,
            [0, 1, 5, 6, 7, 8, 9, 10, 11, 17, 18, 19, 20],
            "each once"
        );
        let counting = runs.into_iter().filter(|run| run.stands_for > 0);
        assert_eq!(
            counting.collect::<Vec<_>>(),
            sample.representatives,
            "a representative that warms another up still counts"
        );
    }

    #[test]
    fn sample_of_all_runs_each_frame_once() {
        let frames: Vec<u64> = Sample::every(6, 1, 3)
            .runs()
            .iter()
            .map(|r| r.frame)
            .collect();
        assert_eq!(frames, [0, 1, 2, 3, 4, 5], "the first three to warm up");
    }
}
