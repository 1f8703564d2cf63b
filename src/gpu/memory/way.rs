//! Way of requests from the first level to the banks of the L2: each takes as many cycles as it is long, from the first
//! cycle of the L2 after it was sent, and it holds a request of each bank a cycle.

use std::collections::VecDeque;

use super::request::LineRequest;
use azulejo_units::Cycles;

/// Requests on their way.
#[derive(Debug)]
pub(super) struct RequestWay {
    latency: Cycles,
    /// In the order of their arrival; the last `n_sent` have been sent since the last cycle.
    requests: VecDeque<(Cycles, usize, LineRequest)>,
    n_sent: usize,
    /// Requests for each bank.
    by_bank: Vec<usize>,
}

impl RequestWay {
    pub(super) fn new(latency: Cycles, n_banks: u32) -> Self {
        Self {
            latency,
            requests: VecDeque::new(),
            n_sent: 0,
            by_bank: vec![0; n_banks as usize],
        }
    }

    /// Whether requests are at their banks at once.
    pub(super) fn is_none(&self) -> bool {
        self.latency == Cycles::ZERO
    }

    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Requests of a bank that have not come.
    pub(super) fn n_coming(&self, bank: usize) -> usize {
        self.by_bank[bank]
    }

    /// Length of the way in requests of one bank.
    pub(super) const fn n_places(&self) -> u64 {
        self.latency.0
    }

    pub(super) fn send(&mut self, bank: usize, request: LineRequest) {
        self.requests.push_back((Cycles::MAX, bank, request));
        self.n_sent += 1;
        self.by_bank[bank] += 1;
    }

    /// Requests that were sent before this cycle set out.
    pub(super) fn set_out(&mut self, now: Cycles) {
        let first = self.requests.len() - self.n_sent;
        for (at, ..) in self.requests.range_mut(first..) {
            *at = now + self.latency;
        }
        self.n_sent = 0;
    }

    /// The next request that has come to its bank.
    pub(super) fn arrive(&mut self, now: Cycles) -> Option<(usize, LineRequest)> {
        let (_, bank, request) = self.requests.pop_front_if(|(at, ..)| *at <= now)?;
        self.by_bank[bank] -= 1;
        Some((bank, request))
    }

    /// The first cycle, `next` or later, in which something comes or sets out.
    pub(super) fn next_wake(&self, next: Cycles) -> Cycles {
        match self.n_sent {
            0 => self.requests.front().map_or(Cycles::MAX, |(at, ..)| *at),
            _ => next,
        }
    }
}
