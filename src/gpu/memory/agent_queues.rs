//! The memory controller's side of its agents, the GPU first. In: lines with their agents; out: served lines, and counts
//! by agent that together are the DRAM's own. Each agent has a queue of lines for each channel and kind of access.

use std::collections::VecDeque;

use serde::Serialize;

use super::request::Traffic;
use super::waiting::{Asker, GPU, Lane, Waiting};
use crate::access::AccessKind;
use crate::dram::{AgentId, DramCompletion};
use azulejo_units::{Bytes, Cycles, Hertz, Picoseconds};

/// An agent beside the GPU, with the size of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// Its name; not the GPU's.
    pub id: AgentId,
    /// Bytes of its lines: a power of two, and no less than a burst of the DRAM.
    pub line: Bytes,
}

/// A line that has been served: its data is there, or it was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServedLine {
    /// Agent of the line, as a place among [`MemoryAgents::agents`](super::MemoryAgents::agents).
    pub agent: usize,
    /// Direction of the access.
    pub kind: AccessKind,
    /// Address of its first byte.
    pub line: u64,
}

/// Counters of an agent's accesses to the memory; the GPU is one of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AgentCounters {
    /// Lines requested, read and written.
    pub asked: u64,
    /// Lines served, read and written.
    pub served: u64,
    /// Bursts of the DRAM, of reads and of writes, those included that needed no command.
    pub bursts: u64,
    /// Bursts moved over the pins by a command of their own, at once or later.
    pub moved_bursts: u64,
    /// Bursts of reads among all bursts.
    pub read_bursts: u64,
    /// From asking to data, summed over bursts of reads.
    pub read_time: Picoseconds,
}

impl AgentCounters {
    /// Mean time from asking to data in nanoseconds; nothing without reads.
    #[must_use]
    pub fn read_latency_ns(&self) -> Option<f64> {
        (self.read_bursts > 0).then(|| self.read_time.0 as f64 / self.read_bursts as f64 / 1e3)
    }
}

impl std::ops::AddAssign for AgentCounters {
    fn add_assign(&mut self, other: Self) {
        self.asked += other.asked;
        self.served += other.served;
        self.bursts += other.bursts;
        self.moved_bursts += other.moved_bursts;
        self.read_bursts += other.read_bursts;
        self.read_time += other.read_time;
    }
}

/// Bursts by agent over time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AgentTraffic {
    /// Length of an interval; doubled whenever there would be too many.
    pub interval: Picoseconds,
    /// Bytes of a burst.
    pub burst: Bytes,
    /// Agents in the order of the columns of `bursts`: the GPU, then the others in their order.
    pub agents: Vec<AgentId>,
    /// By interval from the machine's first cycle on, by agent: bursts that were done in it, but for those that needed no
    /// command.
    pub bursts: Vec<Vec<u64>>,
}

/// Intervals at most: beyond, two and two become one, so that a long run takes no more memory than a short one.
const MAX_INTERVALS: usize = 1 << 14;

impl AgentTraffic {
    /// A burst of the agent in this column was done at `at`.
    fn count(&mut self, column: usize, at: Picoseconds) {
        let interval = loop {
            let interval = at.0 / self.interval.0.max(1);
            match usize::try_from(interval) {
                Ok(interval) if interval < MAX_INTERVALS => break interval,
                _ => self.join_pairs(),
            }
        };
        let n = self.agents.len();
        if self.bursts.len() <= interval {
            self.bursts.resize_with(interval + 1, || vec![0; n]);
        }
        self.bursts[interval][column] += 1;
    }

    /// Bursts counted after an earlier moment of the same machine, `before`, in intervals as long as these.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let mut before = before.clone();
        while before.interval < self.interval {
            before.join_pairs();
        }
        let mut added = self.clone();
        for (now, before) in added.bursts.iter_mut().zip(&before.bursts) {
            for (now, before) in now.iter_mut().zip(before) {
                *now -= before;
            }
        }
        added
    }

    /// Makes intervals twice as long.
    fn join_pairs(&mut self) {
        let sum = |pair: &[Vec<u64>]| match pair {
            [one, other] => one.iter().zip(other).map(|(a, b)| a + b).collect(),
            rest => rest.concat(),
        };
        self.bursts = self.bursts.chunks(2).map(sum).collect();
        self.interval = Picoseconds(self.interval.0.max(1) * 2);
    }
}

/// A line of which some bursts are done, and how many are not.
#[derive(Debug, Clone, Copy)]
struct Partial {
    line: u64,
    asker: Asker,
    kind: AccessKind,
    left: u8,
}

/// Lines of an agent that wait for the DRAM, by kind and channel, and those that are there in part.
#[derive(Debug)]
struct Queues {
    agent: Agent,
    bursts_per_line: u8,
    waiting: [Vec<VecDeque<Waiting>>; 2],
    partial: Vec<Partial>,
}

impl Queues {
    fn new(agent: Agent, n_channels: usize, burst: Bytes) -> Self {
        Self {
            agent,
            // A line of at most 512 bytes has at most 256 bursts of at least 2; burst >= 4 bytes in every valid DRAM.
            bursts_per_line: (agent.line.0 / burst.0).clamp(1, 128) as u8,
            waiting: [(); 2].map(|()| vec![VecDeque::new(); n_channels]),
            partial: Vec::new(),
        }
    }

    /// A burst is done; with the last of a line, the line.
    fn burst_done(&mut self, asker: Asker, address: u64, kind: AccessKind) -> Option<u64> {
        let line = address & !(self.agent.line.0 - 1);
        if self.bursts_per_line == 1 {
            return Some(line);
        }
        let key = (line, asker, kind);
        let mut known = self.partial.iter();
        let at = known.position(|partial| (partial.line, partial.asker, partial.kind) == key);
        let at = at.unwrap_or_else(|| {
            self.partial.push(Partial {
                line,
                asker,
                kind,
                left: self.bursts_per_line,
            });
            self.partial.len() - 1
        });
        self.partial[at].left -= 1;
        if self.partial[at].left > 0 {
            return None;
        }
        self.partial.swap_remove(at);
        Some(line)
    }
}

/// The memory controller's side of its agents.
#[derive(Debug)]
pub(crate) struct AgentQueues {
    queues: Vec<Queues>,
    n_channels: usize,
    /// By agent; none while the GPU is alone.
    counters: Vec<AgentCounters>,
    /// Waits in `read_time`, in the GPU's cycles: their sum becomes time, so that no wait is rounded by itself.
    waits: Vec<Cycles>,
    traffic: AgentTraffic,
    served: Vec<ServedLine>,
}

impl AgentQueues {
    /// The GPU alone, with lines of so many bytes.
    pub(super) fn new(line: Bytes, burst: Bytes, n_channels: usize) -> Self {
        let id = AgentId::GPU;
        Self {
            queues: vec![Queues::new(Agent { id, line }, n_channels, burst)],
            n_channels,
            counters: Vec::new(),
            waits: Vec::new(),
            traffic: AgentTraffic {
                burst,
                ..AgentTraffic::default()
            },
            served: Vec::new(),
        }
    }

    /// Agents beside the GPU from now on; `interval` is that of [`AgentTraffic`].
    pub(super) fn attach(&mut self, agents: Vec<Agent>, interval: Picoseconds) {
        let (n_channels, burst) = (self.n_channels, self.traffic.burst);
        let queues = |agent| Queues::new(agent, n_channels, burst);
        self.queues.truncate(1);
        self.queues.extend(agents.into_iter().map(queues));
        self.counters = vec![AgentCounters::default(); self.queues.len()];
        self.waits = vec![Cycles::ZERO; self.queues.len()];
        self.traffic = AgentTraffic {
            interval,
            burst,
            agents: self.queues.iter().map(|queues| queues.agent.id).collect(),
            bursts: Vec::new(),
        };
        self.served.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.queues.len()
    }

    /// The agent as the DRAM's schedulers see it: the GPU's requests for its display are the display's.
    pub(super) fn id(&self, asker: Asker) -> AgentId {
        let own = || self.queues[asker.agent()].agent.id;
        asker.traffic().map_or_else(own, Traffic::agent)
    }

    pub(super) fn bursts_per_line(&self, number: usize) -> u8 {
        self.queues[number].bursts_per_line
    }

    pub(super) fn queue(&mut self, number: usize, lane: Lane) -> &mut VecDeque<Waiting> {
        &mut self.queues[number].waiting[lane.kind as usize][lane.channel]
    }

    /// An agent has requested a line.
    pub(super) fn count_asked(&mut self, number: usize) {
        if let Some(counters) = self.counters.get_mut(number) {
            counters.asked += 1;
        }
    }

    /// A burst of a read was accepted by the DRAM after this wait.
    pub(super) fn count_wait(&mut self, number: usize, wait: Cycles, clock: Hertz) {
        let counters = self.counters.get_mut(number);
        if let (Some(counters), Some(sum)) = (counters, self.waits.get_mut(number)) {
            let before = clock.time_of(*sum);
            *sum += wait;
            counters.read_time += clock.time_of(*sum) - before;
        }
    }

    /// A burst is done; with the last of a line, the line is served: its requester and address.
    pub(super) fn burst_done(
        &mut self,
        done: &DramCompletion,
        period: Picoseconds,
    ) -> (Asker, Option<u64>) {
        let (asker, address) = Asker::of_tag(done.tag);
        let number = asker.agent();
        let line = self.queues[number].burst_done(asker, address, done.kind);
        if let Some(counters) = self.counters.get_mut(number) {
            counters.bursts += 1;
            counters.served += u64::from(line.is_some());
            if !done.kind.is_write() {
                counters.read_bursts += 1;
                counters.read_time += period * (done.at - done.arrival).0;
            }
            if !done.is_merged {
                counters.moved_bursts += 1;
                self.traffic.count(number, period * done.at.0);
            }
        }
        if let (Some(line), Some(agent)) = (line, number.checked_sub(GPU + 1)) {
            let kind = done.kind;
            self.served.push(ServedLine { agent, kind, line });
        }
        (asker, line)
    }

    /// Lines of agents beside the GPU that were served since the last call.
    pub(super) fn take_served(&mut self) -> Vec<ServedLine> {
        std::mem::take(&mut self.served)
    }

    /// Counters so far, in the order of the traffic's columns; none while the GPU is alone.
    pub(crate) fn all_counters(&self) -> &[AgentCounters] {
        &self.counters
    }

    pub(crate) fn traffic(&self) -> &AgentTraffic {
        &self.traffic
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_of_a_long_run_has_longer_intervals_and_loses_nothing() {
        let mut traffic = AgentTraffic {
            interval: Picoseconds(10),
            burst: Bytes(32),
            agents: vec![AgentId::GPU, AgentId::DISPLAY],
            bursts: Vec::new(),
        };
        // Each interval until there are too many, and then one far away.
        let many = MAX_INTERVALS as u64;
        for interval in 0..=many {
            traffic.count((interval % 2) as usize, Picoseconds(interval * 10 + 9));
        }
        assert_eq!(traffic.interval, Picoseconds(20), "twice as long");
        assert_eq!(traffic.bursts.len() as u64, many / 2 + 1, "half as many");
        assert_eq!(traffic.bursts[0], [1, 1], "of two and two");
        assert_eq!(traffic.bursts[many as usize / 2], [1, 0], "and the last");
        traffic.count(0, Picoseconds(u64::MAX));
        assert!(traffic.bursts.len() <= MAX_INTERVALS, "whenever it is");
        let all: u64 = traffic.bursts.iter().flatten().sum();
        assert_eq!(all, many + 2, "each is there");
    }

    #[test]
    fn traffic_since_a_moment_is_what_was_counted_after_it_although_intervals_grew() {
        let mut traffic = AgentTraffic {
            interval: Picoseconds(10),
            burst: Bytes(32),
            agents: vec![AgentId::GPU, AgentId::DISPLAY],
            bursts: Vec::new(),
        };
        for (column, at) in [(0, 5), (1, 12), (0, 25)] {
            traffic.count(column, Picoseconds(at));
        }
        let before = traffic.clone();
        assert_eq!(
            before.since(&before).bursts,
            vec![vec![0, 0]; 3],
            "nothing yet"
        );
        traffic.count(0, Picoseconds(29));
        traffic.count(1, Picoseconds(31));
        let added = traffic.since(&before);
        let expected = [[0, 0], [0, 0], [1, 0], [0, 1]];
        assert_eq!(added.bursts, expected, "in their intervals");
        traffic.count(1, Picoseconds(10 * MAX_INTERVALS as u64));
        let added = traffic.since(&before);
        assert_eq!(added.interval, Picoseconds(20), "as they are now");
        assert_eq!(added.bursts[..2], [[0, 0], [1, 1]], "two and two");
        let all: u64 = added.bursts.iter().flatten().sum();
        assert_eq!(all, 3, "nothing else");
    }
}
