//! The memory controller offers waiting lines to the DRAM: of every channel a line of each agent in turn, until it refuses.

use super::controller::MemoryController;
use super::waiting::{GPU, Lane};
use crate::access::AccessKind;
use crate::dram::DramRequest;
use azulejo_units::{Cycles, DramCycles};

impl MemoryController {
    /// Offers waiting lines, channel by channel, until each refuses.
    pub(super) fn offer(&mut self, now: Cycles, cycle: DramCycles) {
        let mut retry = Cycles::MAX;
        for channel in 0..self.turns.len() {
            for kind in [AccessKind::Read, AccessKind::Write] {
                retry = retry.min(self.offer_lane(Lane { channel, kind }, now, cycle));
            }
        }
        self.retry = retry;
    }

    /// Offers the oldest line of each agent in turn until the channel refuses; when to try again.
    fn offer_lane(&mut self, lane: Lane, now: Cycles, cycle: DramCycles) -> Cycles {
        let (mut later, mut n_without) = (Cycles::MAX, 0);
        while n_without < self.agents.len() {
            let turn = self.turn(lane);
            let front = self.agents.queue(turn, lane).front().copied();
            let Some(waiting) = front.filter(|waiting| waiting.from <= now) else {
                later = later.min(front.map_or(Cycles::MAX, |waiting| waiting.from));
                n_without += 1;
                self.next_turn(lane);
                continue;
            };
            n_without = 0;
            let address = waiting.line + u64::from(waiting.bursts_taken) * self.burst_bytes;
            let request = DramRequest {
                address,
                kind: lane.kind,
                agent: self.agents.id(waiting.asker),
                tag: waiting.asker.tag(address),
            };
            if !self.dram.try_push(cycle, &request) {
                let channel = self.dram.locate(request.agent, address).channel;
                let event = self.dram.next_event_of(channel) + DramCycles(1);
                return later.min(self.clocks.gpu_cycle(event).max(now + Cycles(1)));
            }
            self.taken(lane, now);
        }
        later
    }

    /// Number of the agent that is offered next.
    fn turn(&self, lane: Lane) -> usize {
        self.turns[lane.channel][lane.kind as usize]
    }

    fn next_turn(&mut self, lane: Lane) {
        let next = (self.turn(lane) + 1) % self.agents.len();
        self.turns[lane.channel][lane.kind as usize] = next;
    }

    /// One burst of the line offered has gone; with the last, it is another queue's turn.
    fn taken(&mut self, lane: Lane, now: Cycles) {
        let turn = self.turn(lane);
        let bursts_per_line = self.agents.bursts_per_line(turn);
        let queue = self.agents.queue(turn, lane);
        let Some(front) = queue.front_mut() else {
            return;
        };
        front.bursts_taken += 1;
        let (wait, is_last) = (now - front.since, front.bursts_taken == bursts_per_line);
        if is_last {
            queue.pop_front();
            self.next_turn(lane);
        }
        if turn == GPU {
            self.n_waiting[lane.kind as usize] -= usize::from(is_last);
        }
        if lane.kind == AccessKind::Read {
            self.count_wait(turn, wait);
        }
    }

    /// A burst of a read was accepted after this wait.
    fn count_wait(&mut self, turn: usize, wait: Cycles) {
        if turn == GPU {
            self.counters.read_wait_sum += wait;
            self.counters.read_bursts += 1;
        }
        self.agents.count_wait(turn, wait, self.clocks.gpu);
    }
}
