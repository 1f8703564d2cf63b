//! One channel with its memory controller: requests in, completions out, one command a cycle. [`tick`](Channel::tick) is
//! the controller's cycle as a list of steps; [`run_until`](Channel::run_until) does only the cycles in which something
//! happens.
//!
//! A cycle without event changes nothing but cycle counts, and those are kept as differences, so both ways give the same
//! counts. While a channel rests, refreshes are counted in one step, however many there are.

use super::address::Location;
use super::bank_set::BankSet;
use super::banks::Banks;
use super::counters::ChannelCounters;
use super::pending::{Pending, PendingRead};
use super::queues::{BankQueues, QueuedRequest, WaitingQueue};
use super::refresh::RefreshCounter;
use super::request::{DramCompletion, DramRequest};
use super::returning::Returning;
use super::schedule::{AgentNotice, Candidate, Candidates, RequestScheduler};
use super::spec::DramSpec;
use super::timing::{DramCommand, IssuedCommand, NEVER};
use crate::access::AccessKind;
use crate::report::TechniqueReport;
use azulejo_units::DramCycles;

/// Row and burst within it that a command is for.
#[derive(Debug, Clone, Copy)]
struct Burst {
    row: u32,
    column: u32,
}

/// Placeholder in commands that are for a bank or a rank as a whole.
const NO_BURST: Burst = Burst { row: 0, column: 0 };

/// A channel's controller, queues and banks, up to its clock.
#[derive(Debug)]
pub(super) struct Channel {
    index: u32,
    per_rank: u32,
    per_group: u32,
    drain_low: usize,
    /// The first cycle that has not run.
    clock: DramCycles,
    /// The first cycle from `clock` on in which the controller does something.
    next_event: DramCycles,
    banks: Banks,
    refresh: RefreshCounter,
    reads: WaitingQueue,
    writes: WaitingQueue,
    /// Writes to move before reads do again.
    drain: usize,
    at_banks: BankQueues,
    pending: Pending,
    returning: Returning,
    scheduler: Box<dyn RequestScheduler>,
    counters: ChannelCounters,
    /// Per rank, the cycle up to which its active and idle cycles are counted.
    counted_until: Vec<DramCycles>,
    /// When the counters were last taken.
    counted_from: DramCycles,
    /// Commands issued, if they are logged.
    log: Option<Vec<IssuedCommand>>,
}

impl Channel {
    pub(super) fn new(index: u32, spec: &DramSpec, scheduler: Box<dyn RequestScheduler>) -> Self {
        let banks = Banks::new(spec);
        let (n_banks, n_ranks) = (banks.len(), banks.n_ranks());
        let queues = &spec.controller;
        Self {
            index,
            per_rank: spec.n_banks_per_rank(),
            per_group: spec.structure.banks_per_group,
            drain_low: queues.drain_low as usize,
            clock: DramCycles::ZERO,
            next_event: spec.refresh_interval(),
            banks,
            refresh: RefreshCounter::new(spec.refresh_interval(), n_ranks),
            reads: WaitingQueue::new(queues.read_queue, n_banks),
            writes: WaitingQueue::new(queues.write_buffer, n_banks),
            drain: 0,
            at_banks: BankQueues::new(queues, scheduler.closes_rows(), n_banks),
            pending: Pending::default(),
            returning: Returning::default(),
            scheduler,
            counters: ChannelCounters::new(n_ranks),
            counted_until: vec![DramCycles::ZERO; n_ranks],
            counted_from: DramCycles::ZERO,
            log: None,
        }
    }

    /// The first cycle that has not run.
    pub(super) const fn clock(&self) -> DramCycles {
        self.clock
    }

    /// The first cycle that has not run and in which the controller does something.
    pub(super) const fn next_event(&self) -> DramCycles {
        self.next_event
    }

    pub(super) fn log_commands(&mut self) {
        self.log.get_or_insert_default();
    }

    pub(super) fn commands(&self) -> &[IssuedCommand] {
        self.log.as_deref().unwrap_or_default()
    }

    /// Counters of a technique's scheduler since the last call.
    pub(super) fn take_report(&mut self) -> Option<TechniqueReport> {
        self.scheduler.take_report()
    }

    /// Passes on to the scheduler what an agent says of itself.
    pub(super) fn notice(&mut self, notice: &AgentNotice) {
        self.scheduler.notice(self.clock, notice);
    }

    /// Whether a request of this kind would be taken.
    pub(super) fn has_room(&self, kind: AccessKind) -> bool {
        match kind {
            AccessKind::Read => !self.reads.is_full(),
            AccessKind::Write => !self.writes.is_full(),
        }
    }

    /// Takes a request that arrives in the cycle that runs next; false if there is no room.
    pub(super) fn try_push(&mut self, request: &DramRequest, location: &Location) -> bool {
        if !self.has_room(request.kind) {
            return false;
        }
        match request.kind {
            AccessKind::Read => self.push_read(request, location),
            AccessKind::Write => self.push_write(request, location),
        }
        if self.moves_next() {
            self.next_event = self.clock;
        }
        true
    }

    fn push_read(&mut self, request: &DramRequest, location: &Location) {
        if self.pending.has(AccessKind::Write, request.address) {
            self.counters.reads_forwarded += 1;
            self.complete_at_once(request, true);
            return;
        }
        let read = PendingRead {
            tag: request.tag,
            arrival: self.clock,
        };
        if self.pending.add_read(request.address, read) {
            self.reads.push(self.queued(request, location));
        } else {
            self.counters.reads_merged += 1;
        }
    }

    fn push_write(&mut self, request: &DramRequest, location: &Location) {
        let is_merged = !self.pending.add_write(request.address);
        if is_merged {
            self.counters.writes_merged += 1;
        } else {
            self.writes.push(self.queued(request, location));
        }
        self.complete_at_once(request, is_merged);
    }

    fn queued(&self, request: &DramRequest, at: &Location) -> QueuedRequest {
        QueuedRequest {
            address: request.address,
            arrival: self.clock,
            row: at.row,
            column: at.column,
            bank: at.rank * self.per_rank + at.bank_group * self.per_group + at.bank,
            kind: request.kind,
            agent: request.agent,
        }
    }

    fn complete_at_once(&mut self, request: &DramRequest, is_merged: bool) {
        self.returning.push_at_once(DramCompletion {
            tag: request.tag,
            kind: request.kind,
            arrival: self.clock,
            at: self.clock + DramCycles(1),
            channel: self.index,
            is_merged,
        });
    }

    /// Runs every cycle before `end`, skipping those in which the controller does nothing.
    pub(super) fn run_until(&mut self, end: DramCycles, completions: &mut Vec<DramCompletion>) {
        while self.next_event < end {
            if self.rests_until_refresh() {
                self.counters.refreshes += self.refresh.pass_until(end);
                self.next_event = self.refresh.next_at();
            }
            self.clock = self.next_event;
            self.control();
        }
        self.clock = self.clock.max(end);
        if self.returning.next_at() < self.clock {
            self.hand_back(completions);
        }
    }

    /// Whether nothing happens but refreshes, each in the cycle in which it is due, as long as nothing is pushed. Requests
    /// may wait (a few writes do until more come), but none moves. A log needs every refresh by itself.
    fn rests_until_refresh(&self) -> bool {
        self.next_event == self.refresh.next_at()
            && self.refresh.due_rank().is_none()
            && self.at_banks.is_empty()
            && !self.moves_next()
            && self.log.is_none()
            && self.banks.can_all_refresh(self.next_event)
    }

    /// Runs one cycle: the controller, then completions.
    pub(super) fn tick(&mut self, completions: &mut Vec<DramCompletion>) {
        self.control();
        self.hand_back(completions);
    }

    /// Cycle of the controller as a list of steps.
    fn control(&mut self) {
        let now = self.clock;
        self.refresh.tick(now);
        self.issue_command(now);
        self.move_request(now);
        self.clock = now + DramCycles(1);
        self.next_event = self.find_next_event();
    }

    /// Hands back what is done before the clock, in the order of its cycles. The controller doesn't depend on it: a request
    /// leaves its queues when its command issues.
    fn hand_back(&mut self, completions: &mut Vec<DramCompletion>) {
        while let Some(done) = self.returning.pop_before(self.clock) {
            self.count_done(&done);
            completions.push(done);
        }
    }

    fn count_done(&mut self, done: &DramCompletion) {
        match done.kind {
            AccessKind::Read => {
                self.counters.reads_done += 1;
                self.counters.read_latency.record(done.at - done.arrival);
            }
            AccessKind::Write => self.counters.writes_done += 1,
        }
    }

    fn issue_command(&mut self, now: DramCycles) {
        if let Some((command, bank)) = self.refresh_command(now) {
            self.issue_for_refresh(command, bank, now);
            return;
        }
        let ready = self.at_banks.ready(now, &mut self.banks);
        let ready = ready.without(self.blocked());
        if ready.is_empty() {
            return;
        }
        let candidates = Candidates {
            now,
            ready,
            queues: &self.at_banks,
            banks: &self.banks,
        };
        if let Some(chosen) = self.scheduler.choose(now, &candidates) {
            self.issue(&chosen, now);
        }
    }

    /// Banks of the rank that waits for its refresh.
    fn blocked(&self) -> BankSet {
        let rank = self.refresh.due_rank();
        rank.map_or(BankSet::EMPTY, |rank| self.banks.set_of_rank(rank))
    }

    /// The first open bank that may close, or the refresh once all banks are closed and allow it.
    fn refresh_command(&self, now: DramCycles) -> Option<(DramCommand, usize)> {
        let rank = self.banks.banks_of_rank(self.refresh.due_rank()?);
        let is_open = |bank: &usize| self.banks.open_row(*bank).is_some();
        let closes = |bank: &usize| self.banks.earliest(DramCommand::Precharge, *bank) <= now;
        let refreshes = |bank: usize| self.banks.earliest(DramCommand::Refresh, bank) <= now;
        if let Some(bank) = rank.clone().find(|bank| is_open(bank) && closes(bank)) {
            return Some((DramCommand::Precharge, bank));
        }
        let first = rank.start;
        let all = rank.clone().all(|bank| !is_open(&bank) && refreshes(bank));
        all.then_some((DramCommand::Refresh, first))
    }

    /// When [`refresh_command`](Self::refresh_command) will have something to issue.
    fn next_refresh_command(&self) -> DramCycles {
        let Some(rank) = self.refresh.due_rank() else {
            return NEVER;
        };
        let rank = self.banks.banks_of_rank(rank);
        let open = rank
            .clone()
            .filter(|bank| self.banks.open_row(*bank).is_some());
        let closes = open.map(|bank| self.banks.earliest(DramCommand::Precharge, bank));
        let refreshes = rank.map(|bank| self.banks.earliest(DramCommand::Refresh, bank));
        closes.min().or_else(|| refreshes.max()).unwrap_or(NEVER)
    }

    fn issue_for_refresh(&mut self, command: DramCommand, bank: usize, now: DramCycles) {
        if command == DramCommand::Refresh {
            self.refresh.done();
            self.counters.refreshes += 1;
        } else {
            self.counters.precharges += 1;
        }
        self.apply(command, bank, NO_BURST, now);
    }

    fn issue(&mut self, chosen: &Candidate, now: DramCycles) {
        let bank = chosen.bank;
        match chosen.command {
            DramCommand::Read | DramCommand::Write => self.issue_column(chosen, now),
            DramCommand::Activate => {
                let row = self.at_banks.entries(bank)[chosen.entry].row;
                self.counters.activates += 1;
                self.apply(DramCommand::Activate, bank, Burst { row, column: 0 }, now);
            }
            DramCommand::Precharge | DramCommand::Refresh => {
                self.counters.precharges += 1;
                self.counters.on_demand_precharges += 1;
                self.apply(DramCommand::Precharge, bank, NO_BURST, now);
            }
        }
    }

    fn issue_column(&mut self, chosen: &Candidate, now: DramCycles) {
        let request = self.at_banks.remove(chosen.bank, chosen.entry);
        let is_hit = u64::from(self.banks.n_hits(chosen.bank) > 0);
        match request.kind {
            AccessKind::Read => {
                self.counters.read_cmds += 1;
                self.counters.read_row_hits += is_hit;
                self.return_reads(request.address, now);
            }
            AccessKind::Write => {
                self.counters.write_cmds += 1;
                self.counters.write_row_hits += is_hit;
                let done = now + self.banks.table().write_done;
                self.counters.write_latency.record(done - request.arrival);
                self.pending.remove_write(request.address);
            }
        }
        let burst = Burst {
            row: request.row,
            column: request.column,
        };
        self.apply(chosen.command, chosen.bank, burst, now);
    }

    fn return_reads(&mut self, address: u64, now: DramCycles) {
        let at = now + self.banks.table().read_done;
        let (returning, channel) = (&mut self.returning, self.index);
        let mut is_merged = false;
        self.pending.take_reads(address, |read| {
            returning.push_read(DramCompletion {
                tag: read.tag,
                kind: AccessKind::Read,
                arrival: read.arrival,
                at,
                channel,
                is_merged,
            });
            is_merged = true;
        });
    }

    /// Issues the command: changes bank states and times, and the commands that the bank's queue needs.
    fn apply(&mut self, command: DramCommand, bank: usize, burst: Burst, now: DramCycles) {
        let rank = self.banks.rank_of(bank);
        if matches!(command, DramCommand::Activate | DramCommand::Precharge) {
            self.count_activity(rank, now);
        }
        self.banks.apply(command, bank, burst.row, now);
        self.at_banks.bank_changed(bank, &self.banks);
        if let Some(log) = &mut self.log {
            log.push(IssuedCommand {
                at: now,
                command,
                bank,
                row: burst.row,
                column: burst.column,
            });
        }
    }

    /// Counts a rank's cycles before `now` as active or idle, by the state it has been in.
    fn count_activity(&mut self, rank: usize, now: DramCycles) {
        let cycles = now - self.counted_until[rank];
        self.counted_until[rank] = now;
        let counter = match self.banks.is_rank_active(rank) {
            true => &mut self.counters.rank_active,
            false => &mut self.counters.rank_idle,
        };
        counter[rank] += cycles;
    }

    /// The drain that starts in the next move step, if one does.
    fn starting_drain(&self) -> Option<usize> {
        let waiting = self.writes.entries().len();
        let idle = self.at_banks.is_empty() && waiting > self.drain_low;
        (self.drain == 0 && (self.writes.is_full() || idle)).then_some(waiting)
    }

    /// Moves at most one request to its bank's queue.
    fn move_request(&mut self, now: DramCycles) {
        if let Some(drain) = self.starting_drain() {
            self.drain = drain;
        }
        if self.drain == 0 {
            self.move_read(now);
        } else {
            self.move_write(now);
        }
    }

    fn move_read(&mut self, now: DramCycles) {
        let (waiting, full) = (&mut self.reads, self.at_banks.full());
        if waiting.entries().is_empty() {
            return;
        }
        if let Some(at) = self.scheduler.admit(now, waiting.entries(), full) {
            self.at_banks.push(waiting.remove(at), &self.banks);
        }
    }

    fn move_write(&mut self, now: DramCycles) {
        let (waiting, full) = (&mut self.writes, self.at_banks.full());
        if waiting.entries().is_empty() {
            return;
        }
        let Some(at) = self.scheduler.admit(now, waiting.entries(), full) else {
            return;
        };
        let address = waiting.entries()[at].address;
        if !self.pending.has(AccessKind::Read, address) {
            self.drain -= 1;
            self.at_banks.push(waiting.remove(at), &self.banks);
            return;
        }
        self.drain = 0;
        // With nothing at the banks, the read that this write waits for is held up by the drain, which would start again in
        // every cycle to come (in DRAMsim3 it does). Letting a read go changes no run that has an end there.
        if self.at_banks.is_empty() {
            self.move_read(now);
        }
    }

    /// Whether the next move step changes anything.
    fn moves_next(&self) -> bool {
        let waiting = match self.drain {
            0 => &self.reads,
            _ => &self.writes,
        };
        let movable = waiting.banks().without(self.at_banks.full());
        !movable.is_empty() || self.starting_drain().is_some()
    }

    fn find_next_event(&self) -> DramCycles {
        if self.moves_next() {
            return self.clock;
        }
        let refresh = self.refresh.next_at().min(self.next_refresh_command());
        let ready = self.at_banks.next_ready(self.blocked(), &self.banks);
        refresh.min(ready).max(self.clock)
    }

    /// A cycle before which nothing completes without further requests: exact if something is on its way back.
    pub(super) fn no_completion_before(&self) -> DramCycles {
        let returns = self.returning.next_at();
        if returns == NEVER && self.pending.any_read() {
            self.next_event + self.banks.table().read_done
        } else {
            returns
        }
    }

    /// Counters since they were last taken, up to the clock.
    pub(super) fn take_counters(&mut self) -> ChannelCounters {
        for rank in 0..self.banks.n_ranks() {
            self.count_activity(rank, self.clock);
        }
        self.counters.cycles = self.clock - self.counted_from;
        self.counters.writes_waiting = self.pending.n_writes();
        self.counted_from = self.clock;
        let fresh = ChannelCounters::new(self.banks.n_ranks());
        std::mem::replace(&mut self.counters, fresh)
    }
}
