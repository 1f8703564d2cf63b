//! The memory controller offers waiting lines to the DRAM: of every channel a line of the GPU and of each agent in turn,
//! until it refuses.

use std::collections::VecDeque;

use super::agent_queues::OF_GPU;
use super::controller::MemoryController;
use super::waiting::{Asker, Lane, Waiting};
use crate::gpu::access::AccessKind;
use crate::gpu::dram::{AgentId, DramRequest};
use crate::units::{Cycles, DramCycles};

impl MemoryController {
    /// Offers waiting lines, channel by channel, until each refuses.
    pub(super) fn offer(&mut self, now: Cycles, cycle: DramCycles) {
        let mut retry = Cycles::MAX;
        for channel in 0..self.reads.len() {
            for kind in [AccessKind::Read, AccessKind::Write] {
                retry = retry.min(self.offer_lane(Lane { channel, kind }, now, cycle));
            }
        }
        self.retry = retry;
    }

    /// Offers the oldest line of the GPU and of each agent in turn until the channel refuses; when to try again.
    fn offer_lane(&mut self, lane: Lane, now: Cycles, cycle: DramCycles) -> Cycles {
        let (mut later, mut n_without) = (Cycles::MAX, 0);
        while n_without <= self.agents.len() {
            let front = self.front(lane).copied();
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
                agent: self.agent_of(waiting.asker),
                tag: address | u64::from(waiting.asker.0) << 56,
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

    pub(super) fn agent_of(&self, asker: Asker) -> AgentId {
        match asker.who() {
            Ok(traffic) => traffic.agent(),
            Err(number) => self.agents.agent(number).id,
        }
    }

    /// The queue that is offered next.
    fn queue(&mut self, lane: Lane) -> &mut VecDeque<Waiting> {
        match (self.turns[lane.channel][lane.kind as usize], lane.kind) {
            (OF_GPU, AccessKind::Read) => &mut self.reads[lane.channel],
            (OF_GPU, AccessKind::Write) => &mut self.writes[lane.channel],
            (agent, _) => self.agents.queue(agent - 1, lane),
        }
    }

    fn front(&mut self, lane: Lane) -> Option<&Waiting> {
        self.queue(lane).front()
    }

    fn next_turn(&mut self, lane: Lane) {
        let turn = &mut self.turns[lane.channel][lane.kind as usize];
        *turn = (*turn + 1) % (self.agents.len() + 1);
    }

    /// One burst of the line offered has gone; with the last, it is another queue's turn.
    fn taken(&mut self, lane: Lane, now: Cycles) {
        let turn = self.turns[lane.channel][lane.kind as usize];
        let bursts_per_line = self.bursts_of(turn);
        let Some(front) = self.queue(lane).front_mut() else {
            return;
        };
        front.bursts_taken += 1;
        let (wait, is_last) = (now - front.since, front.bursts_taken == bursts_per_line);
        if lane.kind == AccessKind::Read {
            self.count_wait(turn, wait);
        }
        if !is_last {
            return;
        }
        self.queue(lane).pop_front();
        if turn == OF_GPU {
            match lane.kind {
                AccessKind::Read => self.n_reads -= 1,
                AccessKind::Write => self.n_writes -= 1,
            }
        }
        self.next_turn(lane);
    }

    /// Bursts of a line of the GPU's, or of an agent's.
    fn bursts_of(&self, turn: usize) -> u8 {
        match turn {
            OF_GPU => self.bursts_per_line,
            agent => {
                let line = self.agents.agent(agent - 1).line.0;
                (line / self.burst_bytes).clamp(1, 128) as u8
            }
        }
    }

    /// A burst of a read was accepted after this wait.
    fn count_wait(&mut self, turn: usize, wait: Cycles) {
        if turn == OF_GPU {
            self.counters.read_wait_sum += wait;
            self.counters.read_bursts += 1;
        }
        self.agents.count_wait(turn, wait, self.clocks.gpu);
    }
}
