//! Distances gathered in bins that double: 0, 1, 2 to 3, 4 to 7 and so on, so that the bins below the ways of a cache end
//! at its ways where these are a power of two.

use serde::{Deserialize, Serialize};

/// How many distances lie between two bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// Least distance of the bin.
    pub from: u32,
    /// Greatest distance of the bin.
    pub to: u32,
    /// Number of distances in the bin.
    pub n: u64,
}

/// Numbers from 0 on by their size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DistanceHistogram {
    /// By the number of significant bits.
    by_bits: Vec<u64>,
    sum: u64,
    n: u64,
}

impl DistanceHistogram {
    /// The distances of these bins with this mean; their sum is exact to a whole number while it is below 2^52.
    pub(super) fn of_bins(bins: &[Bin], mean: f64) -> Self {
        let n = bins.iter().map(|bin| bin.n).sum();
        Self {
            by_bits: bins.iter().map(|bin| bin.n).collect(),
            sum: (mean * n as f64).round() as u64,
            n,
        }
    }

    pub(super) fn add(&mut self, distance: u32) {
        let bits = (u32::BITS - distance.leading_zeros()) as usize;
        if self.by_bits.len() <= bits {
            self.by_bits.resize(bits + 1, 0);
        }
        self.by_bits[bits] += 1;
        self.sum += u64::from(distance);
        self.n += 1;
    }

    /// How many numbers there are.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.n
    }

    /// Their mean; nothing of none.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64)
    }

    /// The bins up to the last that is not empty, in order.
    #[must_use]
    pub fn bins(&self) -> Vec<Bin> {
        let bin = |(bits, n): (u32, &u64)| Bin {
            from: if bits == 0 { 0 } else { 1 << (bits - 1) },
            to: u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0),
            n: *n,
        };
        (0..).zip(&self.by_bits).map(bin).collect()
    }

    /// How many are below `bound`, which is 0 or a power of two.
    #[must_use]
    pub fn n_below(&self, bound: u32) -> u64 {
        let bins = self.bins();
        let below = bins.iter().take_while(|bin| bin.to < bound);
        below.map(|bin| bin.n).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_double() {
        let mut histogram = DistanceHistogram::default();
        for distance in [0, 0, 1, 3, 2, 7, 4, 8, u32::MAX] {
            histogram.add(distance);
        }
        let bins: Vec<_> = histogram
            .bins()
            .iter()
            .map(|b| (b.from, b.to, b.n))
            .collect();
        let first = [(0, 0, 2), (1, 1, 1), (2, 3, 2), (4, 7, 2), (8, 15, 1)];
        assert_eq!(bins[..5], first, "from 0 on");
        let mean = histogram.mean().expect("nine");
        let again = DistanceHistogram::of_bins(&histogram.bins(), mean);
        assert_eq!(again, histogram, "bins and mean are all of it");
        assert_eq!(bins[32], (1 << 31, u32::MAX, 1), "to the last");
        assert_eq!((bins.len(), histogram.n()), (33, 9), "and all of them");
        let below = [0, 1, 2, 4, 8, 16].map(|bound| histogram.n_below(bound));
        assert_eq!(below, [0, 2, 3, 5, 7, 8], "sums");
    }

    #[test]
    fn mean_of_nothing_is_none() {
        let mut histogram = DistanceHistogram::default();
        assert_eq!(
            (histogram.mean(), histogram.bins().len()),
            (None, 0),
            "empty"
        );
        histogram.add(3);
        histogram.add(6);
        assert_eq!(histogram.mean(), Some(4.5), "of two");
    }
}
