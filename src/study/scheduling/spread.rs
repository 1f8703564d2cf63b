//! Evenness over time: values of intervals in, their deviation out.

use serde::{Deserialize, Serialize};

use azulejo_gpu::{FrameReport, Interval};

/// Sums over intervals, each as often as its frame stands for others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Number of intervals added.
    pub count: u64,
    /// Sum of their values.
    pub sum: f64,
    /// Sum of the values' squares.
    pub squares: f64,
}

impl Spread {
    /// Adds the value of an interval, `times` over.
    pub(crate) fn add(&mut self, value: f64, times: u64) {
        self.count += times;
        self.sum += value * times as f64;
        self.squares += value * value * times as f64;
    }

    /// Standard deviation as a share of the mean; `None` without intervals.
    pub(crate) fn deviation(&self) -> Option<f64> {
        let n = self.count as f64;
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean).max(0.0);
        (mean > 0.0).then(|| variance.sqrt() / mean)
    }
}

/// Intervals of the Raster Pipeline that are as long as all others.
pub(super) fn raster_intervals(report: &FrameReport) -> impl Iterator<Item = &Interval> {
    let (_, whole) = report.intervals.split_last().unzip();
    let whole: &[Interval] = whole.unwrap_or_default();
    let begin = report.geometry_cycles;
    whole.iter().filter(move |interval| interval.start >= begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_the_deviation_of_the_mean() {
        let mut spread = Spread::default();
        assert_eq!(spread.deviation(), None, "nothing");
        for (value, times) in [(2.0, 1), (4.0, 3), (5.0, 2), (7.0, 1), (9.0, 1)] {
            spread.add(value, times);
        }
        // Mean 5; squares of the distances 9, 3 x 1, 0, 4, 16: 32 of 8.
        assert_eq!(spread.deviation(), Some(2.0 / 5.0), "two of five");
    }
}
