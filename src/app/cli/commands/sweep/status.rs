//! Status of a sweep: its points by state, and the time left.

use std::fs;
use std::time::{Duration, SystemTime};

use rayon::prelude::*;
use serde::Serialize;

use super::inputs::Sweep;
use super::store::{Failed, State, Store};
use azulejo_sweep::Point;

/// Most failed points that are shown.
const SHOWN: usize = 10;

/// Points of a sweep by state.
#[derive(Debug, Default, Serialize)]
pub(super) struct Status {
    pub(super) points: u64,
    pub(super) done: u64,
    pub(super) running: u64,
    /// Points neither done nor running nor failed.
    pub(super) left: u64,
    pub(super) failed: Vec<FailedPoint>,
    /// Points among those left whose results cannot be used and will be made again.
    pub(super) unusable: Vec<Unusable>,
    /// Time left at the rate of the results that there are; none where that says nothing.
    pub(super) seconds_left: Option<u64>,
    /// Numbers of the points that are not done.
    #[serde(skip)]
    pub(super) undone: Vec<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct FailedPoint {
    pub(super) point: u64,
    #[serde(flatten)]
    pub(super) why: Failed,
}

#[derive(Debug, Serialize)]
pub(super) struct Unusable {
    pub(super) point: u64,
    pub(super) problem: String,
}

impl Status {
    /// Status of the points with these numbers.
    pub(super) fn of(sweep: &Sweep, store: &Store, numbers: std::ops::Range<u64>) -> Self {
        let state = |number: u64| {
            let point: Point<'_> = sweep.plan.point(number)?;
            Some((number, store.state(sweep.print(&point))))
        };
        let states: Vec<_> = numbers.into_par_iter().filter_map(state).collect();
        let mut status = Self {
            points: states.len() as u64,
            ..Self::default()
        };
        for (point, state) in states {
            status.add(point, state);
        }
        status.seconds_left = status.seconds_left(store);
        status
    }

    fn add(&mut self, point: u64, state: State) {
        if state != State::Done {
            self.undone.push(point);
        }
        match state {
            State::Done => self.done += 1,
            State::Running => self.running += 1,
            State::Left => self.left += 1,
            State::Failed(why) => self.failed.push(FailedPoint { point, why }),
            State::Unusable(problem) => {
                self.left += 1;
                self.unusable.push(Unusable { point, problem });
            }
        }
    }

    fn seconds_left(&self, store: &Store) -> Option<u64> {
        let todo = self.left + self.running;
        let times = fs::read_dir(store.file("points")).ok()?;
        let times = times.filter_map(|entry| entry.ok()?.metadata().ok()?.modified().ok());
        let each = usual_gap(times.collect())?;
        (todo > 0).then(|| (each.as_secs_f64() * todo as f64).ceil() as u64)
    }

    /// Status in words, for people.
    pub(super) fn text(&self) -> String {
        let Self {
            points,
            done,
            running,
            left,
            failed,
            ..
        } = self;
        let mut text = format!(
            "{points} points: {done} done, {running} running, {} failed, {left} left\n",
            failed.len()
        );
        if let Some(seconds) = self.seconds_left {
            let left = indicatif::HumanDuration(Duration::from_secs(seconds));
            text.push_str(&format!("about {left:#} left at the rate so far\n"));
        }
        for Unusable { point, problem } in self.unusable.iter().take(SHOWN) {
            text.push_str(&format!("point {point} will be run again: {problem}\n"));
        }
        text + &failures(failed)
    }
}

/// Usual time from one result to the next: the mean without the longest tenth of all gaps, which are pauses, in which no
/// points ran, and clocks that were set. Nothing where there is but one gap, which may be such a pause.
fn usual_gap(mut times: Vec<SystemTime>) -> Option<Duration> {
    times.sort_unstable();
    let gaps = times.windows(2).map(|pair| pair[1].duration_since(pair[0]));
    let mut gaps: Vec<Duration> = gaps.collect::<Result<_, _>>().ok()?;
    gaps.sort_unstable();
    gaps.truncate(gaps.len() - gaps.len().div_ceil(10));
    let n_gaps = u32::try_from(gaps.len()).ok().filter(|n| *n > 0)?;
    Some(gaps.iter().sum::<Duration>() / n_gaps)
}

/// Reasons why points failed, for the first of them with the command that shows it again.
pub(super) fn failures(failed: &[FailedPoint]) -> String {
    let mut text = String::new();
    for FailedPoint { point, why } in failed.iter().take(SHOWN) {
        text.push_str(&format!(
            "point {point} failed: {}\n  {}\n",
            why.error, why.command
        ));
    }
    if failed.len() > SHOWN {
        text.push_str(&format!("{} more points failed\n", failed.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(seconds: &[u64]) -> Vec<SystemTime> {
        let time = |seconds: &u64| SystemTime::UNIX_EPOCH + Duration::from_secs(*seconds);
        seconds.iter().map(time).collect()
    }

    #[test]
    fn usual_gap_leaves_pauses_out() {
        let steady: Vec<u64> = (0..11).map(|number| 1000 + 3 * number).collect();
        let gap = |seconds: &[u64]| usual_gap(times(seconds));
        assert_eq!(gap(&steady), Some(Duration::from_secs(3)), "no pause");
        let mut paused = steady.clone();
        paused.push(9_999_999_999);
        assert_eq!(
            gap(&paused),
            Some(Duration::from_secs(3)),
            "a clock set back"
        );
        paused.rotate_right(4);
        assert_eq!(gap(&paused), Some(Duration::from_secs(3)), "in any order");
    }

    #[test]
    fn usual_gap_of_two_results_says_nothing() {
        for seconds in [&[][..], &[5], &[5, 900]] {
            assert_eq!(usual_gap(times(seconds)), None, "{seconds:?}");
        }
    }
}
