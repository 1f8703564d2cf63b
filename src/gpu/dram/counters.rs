//! Counters of a channel: counts, cycles and latency distributions, all integers, so that sums and differences are exact.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use azulejo_units::DramCycles;

/// Latencies below this are counted one by one in an array; a run rarely leaves it.
const DENSE: usize = 1 << 14;

/// How often each latency occurred, exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LatencyHistogram {
    /// Occurrences by latency, as far as needed.
    dense: Vec<u64>,
    /// Occurrences of latencies from [`DENSE`] on.
    sparse: BTreeMap<u64, u64>,
    count: u64,
    sum: u64,
}

impl LatencyHistogram {
    /// Adds one occurrence of a latency.
    pub fn record(&mut self, latency: DramCycles) {
        self.add(latency.0, 1);
    }

    /// Number of occurrences recorded.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Sum of the latencies.
    #[must_use]
    pub const fn sum(&self) -> DramCycles {
        DramCycles(self.sum)
    }

    /// Average in cycles; none of nothing.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Forgets which latencies occurred and keeps how many there were and their sum, to save memory.
    pub fn forget_latencies(&mut self) {
        (self.dense, self.sparse) = (Vec::new(), BTreeMap::new());
    }

    /// Smallest latency that occurred; none of nothing.
    #[must_use]
    pub fn min(&self) -> Option<DramCycles> {
        self.entries().next().map(|(latency, _)| latency)
    }

    /// Largest latency that occurred; none of nothing.
    #[must_use]
    pub fn max(&self) -> Option<DramCycles> {
        let sparse = self.sparse.keys().next_back().copied();
        let dense = || self.dense.iter().rposition(|n| *n > 0);
        sparse
            .or_else(|| dense().map(|at| at as u64))
            .map(DramCycles)
    }

    /// The smallest latency that at least `percent` % of the occurrences do not exceed (nearest rank); none of nothing.
    #[must_use]
    pub fn percentile(&self, percent: u64) -> Option<DramCycles> {
        let rank = (self.count * percent).div_ceil(100).saturating_sub(1);
        self.at_rank(rank)
    }

    /// The latency at `rank` (from 0) of all occurrences in ascending order.
    #[must_use]
    pub fn at_rank(&self, rank: u64) -> Option<DramCycles> {
        let mut below = 0;
        self.entries().find_map(|(latency, n)| {
            below += n;
            (rank < below).then_some(latency)
        })
    }

    /// The latencies that occurred, ascending, and how often.
    pub fn entries(&self) -> impl Iterator<Item = (DramCycles, u64)> {
        let dense = (0..).zip(self.dense.iter().copied());
        let sparse = self.sparse.iter().map(|(latency, n)| (*latency, *n));
        dense
            .chain(sparse)
            .filter(|(_, n)| *n > 0)
            .map(|(latency, n)| (DramCycles(latency), n))
    }

    fn add(&mut self, latency: u64, n: u64) {
        self.count += n;
        self.sum += latency * n;
        match usize::try_from(latency) {
            Ok(at) if at < DENSE => {
                if at >= self.dense.len() {
                    self.dense.resize((at + 1).next_power_of_two(), 0);
                }
                self.dense[at] += n;
            }
            _ => *self.sparse.entry(latency).or_insert(0) += n,
        }
    }
}

impl AddAssign<&Self> for LatencyHistogram {
    fn add_assign(&mut self, other: &Self) {
        for (latency, n) in other.entries() {
            self.add(latency.0, n);
        }
    }
}

/// Counters of one channel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChannelCounters {
    /// Cycles that all other counters are over.
    pub cycles: DramCycles,
    /// Reads answered, forwarded and merged ones included.
    pub reads_done: u64,
    /// Writes acknowledged, merged ones included.
    pub writes_done: u64,
    /// Reads that a pending write answered.
    pub reads_forwarded: u64,
    /// Reads that joined a pending read of their address.
    pub reads_merged: u64,
    /// Writes that joined a pending write to their address, which then moves both.
    pub writes_merged: u64,
    /// Writes taken over and without an issued command at the end: of the writes done so far, these have moved nothing yet.
    pub writes_waiting: u64,
    /// Read commands issued, each of one burst.
    pub read_cmds: u64,
    /// Write commands issued, each of one burst.
    pub write_cmds: u64,
    /// Activates issued: rows opened.
    pub activates: u64,
    /// Precharges, for requests and for refreshes.
    pub precharges: u64,
    /// Precharges for requests, those for refreshes not included.
    pub on_demand_precharges: u64,
    /// All-bank refreshes issued, each of one rank.
    pub refreshes: u64,
    /// Reads that were not the first column command since their row's activate.
    pub read_row_hits: u64,
    /// Writes that were not the first column command since their row's activate.
    pub write_row_hits: u64,
    /// Cycles with an open bank at the end of the command step, by rank.
    pub rank_active: Vec<DramCycles>,
    /// The other cycles, by rank.
    pub rank_idle: Vec<DramCycles>,
    /// Arrival to data, of every read done.
    pub read_latency: LatencyHistogram,
    /// Arrival to end of data on the bus, of every write command. The requester does not wait for it.
    pub write_latency: LatencyHistogram,
}

impl ChannelCounters {
    /// All zero, for a channel of `n_ranks`.
    #[must_use]
    pub fn new(n_ranks: usize) -> Self {
        Self {
            rank_active: vec![DramCycles::ZERO; n_ranks],
            rank_idle: vec![DramCycles::ZERO; n_ranks],
            ..Self::default()
        }
    }

    /// Requests done of both kinds, merged and forwarded ones included.
    #[must_use]
    pub const fn requests_done(&self) -> u64 {
        self.reads_done + self.writes_done
    }

    /// Column commands of both kinds: the bursts that have moved over the pins.
    #[must_use]
    pub const fn column_commands(&self) -> u64 {
        self.read_cmds + self.write_cmds
    }
}
