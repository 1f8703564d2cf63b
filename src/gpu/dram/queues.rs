//! Queues of waiting requests: the controller's read queue and write buffer (one type), and behind them a short queue at
//! every bank. A bank's queue keeps at any time the commands that its entries need, so that choosing need not look into it.

use super::bank_set::BankSet;
use super::banks::Banks;
use super::request::AgentId;
use super::spec::DramController;
use super::timing::{DramCommand, NEVER};
use crate::access::AccessKind;
use azulejo_units::DramCycles;

/// A request in a queue, with its place in the DRAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuedRequest {
    /// Byte address as requested.
    pub address: u64,
    /// When the controller saw it first.
    pub arrival: DramCycles,
    /// Row of the bank.
    pub row: u32,
    /// Burst within the row.
    pub column: u32,
    /// Bank of the channel, over all ranks and groups.
    pub bank: u32,
    /// Direction of the access.
    pub kind: AccessKind,
    /// Agent that made the request: for schedulers that tell agents apart.
    pub agent: AgentId,
}

impl QueuedRequest {
    /// The bank as an index.
    #[must_use]
    pub const fn bank_idx(&self) -> usize {
        self.bank as usize
    }

    /// The column command that serves it.
    #[must_use]
    pub const fn column_command(&self) -> DramCommand {
        match self.kind {
            AccessKind::Read => DramCommand::Read,
            AccessKind::Write => DramCommand::Write,
        }
    }
}

/// Requests that wait for a place at their bank, oldest first.
#[derive(Debug, Clone)]
pub(super) struct WaitingQueue {
    entries: Vec<QueuedRequest>,
    capacity: usize,
    per_bank: Vec<u32>,
    banks: BankSet,
}

impl WaitingQueue {
    pub(super) fn new(capacity: u32, n_banks: usize) -> Self {
        Self {
            entries: Vec::with_capacity(capacity as usize),
            capacity: capacity as usize,
            per_bank: vec![0; n_banks],
            banks: BankSet::EMPTY,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.entries.len() >= self.capacity
    }

    pub(super) fn entries(&self) -> &[QueuedRequest] {
        &self.entries
    }

    /// Banks for which something waits.
    pub(super) const fn banks(&self) -> BankSet {
        self.banks
    }

    pub(super) fn push(&mut self, request: QueuedRequest) {
        self.per_bank[request.bank_idx()] += 1;
        self.banks.insert(request.bank_idx());
        self.entries.push(request);
    }

    pub(super) fn remove(&mut self, at: usize) -> QueuedRequest {
        let request = self.entries.remove(at);
        let left = &mut self.per_bank[request.bank_idx()];
        *left -= 1;
        if *left == 0 {
            self.banks.remove(request.bank_idx());
        }
        request
    }
}

/// Commands that a bank's queue needs: for a closed bank an activate; for an open one column commands and perhaps a
/// precharge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Wants {
    /// By number of the command.
    commands: [bool; N_WANTED],
    /// Whether the oldest entry may close the row.
    oldest_closes: bool,
}

/// The commands that requests can need, by number: all but the refresh.
const WANTED: [DramCommand; N_WANTED] = [
    DramCommand::Activate,
    DramCommand::Read,
    DramCommand::Write,
    DramCommand::Precharge,
];
const N_WANTED: usize = 4;

/// The queues at the banks of one channel.
#[derive(Debug, Clone)]
pub(super) struct BankQueues {
    queues: Vec<Vec<QueuedRequest>>,
    capacity: usize,
    row_hit_cap: u32,
    /// Whether every entry may close a row, not only the oldest.
    any_closes: bool,
    /// Banks with a queue that needs a command, by its number.
    wanted: [BankSet; N_WANTED],
    /// Banks in which the oldest entry may close the row.
    closing: BankSet,
    full: BankSet,
    occupied: BankSet,
}

impl BankQueues {
    pub(super) fn new(queues: &DramController, any_closes: bool, n_banks: usize) -> Self {
        let capacity = queues.bank_queue;
        Self {
            queues: vec![Vec::with_capacity(capacity as usize); n_banks],
            capacity: capacity as usize,
            row_hit_cap: queues.row_hit_cap,
            any_closes,
            wanted: [BankSet::EMPTY; N_WANTED],
            closing: BankSet::EMPTY,
            full: BankSet::EMPTY,
            occupied: BankSet::EMPTY,
        }
    }

    pub(super) fn entries(&self, bank: usize) -> &[QueuedRequest] {
        &self.queues[bank]
    }

    /// Banks with a full queue.
    pub(super) const fn full(&self) -> BankSet {
        self.full
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.occupied.is_empty()
    }

    pub(super) fn push(&mut self, request: QueuedRequest, banks: &Banks) {
        let bank = request.bank_idx();
        let queue = &mut self.queues[bank];
        queue.push(request);
        if queue.len() >= self.capacity {
            self.full.insert(bank);
        }
        self.occupied.insert(bank);
        self.bank_changed(bank, banks);
    }

    pub(super) fn remove(&mut self, bank: usize, at: usize) -> QueuedRequest {
        let queue = &mut self.queues[bank];
        let request = queue.remove(at);
        self.full.remove(bank);
        if queue.is_empty() {
            self.occupied.remove(bank);
        }
        request
    }

    /// The bank's state or queue changed: works out again the commands that it needs.
    pub(super) fn bank_changed(&mut self, bank: usize, banks: &Banks) {
        let wants = self.wants_of(bank, banks);
        for (set, wanted) in self.wanted.iter_mut().zip(wants.commands) {
            set.set(bank, wanted);
        }
        self.closing.set(bank, wants.oldest_closes);
    }

    /// Banks that can issue something at `now`.
    pub(super) fn ready(&self, now: DramCycles, banks: &mut Banks) -> BankSet {
        let of_command = |(command, wanted)| banks.in_time(command, wanted, now);
        let sets = WANTED.into_iter().zip(self.wanted).map(of_command);
        sets.fold(BankSet::EMPTY, BankSet::or)
    }

    /// First cycle at which a bank outside `blocked` can issue something.
    pub(super) fn next_ready(&self, blocked: BankSet, banks: &Banks) -> DramCycles {
        let of_command = |(command, wanted): (_, BankSet)| {
            let wanted = wanted.without(blocked);
            banks.first_of(command, wanted)
        };
        let times = WANTED.into_iter().zip(self.wanted).map(of_command);
        times.fold(NEVER, DramCycles::min)
    }

    fn wants_of(&self, bank: usize, banks: &Banks) -> Wants {
        let queue = &self.queues[bank];
        let mut wants = Wants::default();
        let Some(oldest) = queue.first() else {
            return wants;
        };
        let Some(open_row) = banks.open_row(bank) else {
            wants.commands[DramCommand::Activate as usize] = true;
            return wants;
        };
        let (mut n_reads, mut n_writes) = (0, 0);
        for request in queue {
            let is_hit = request.row == open_row;
            n_reads += usize::from(is_hit & !request.kind.is_write());
            n_writes += usize::from(is_hit & request.kind.is_write());
        }
        let n_hits = n_reads + n_writes;
        // Without a read in the open row, no write there waits for one.
        let is_free = |at: usize| {
            let request = &queue[at];
            request.row == open_row && request.kind.is_write() && !self.waits_for_read(bank, at)
        };
        let writes = n_writes > 0 && (n_reads == 0 || (0..queue.len()).any(is_free));
        // The oldest entry may close the row if no entry of the queue needs it, or it has been used often enough.
        let used_up = || banks.n_hits(bank) >= self.row_hit_cap;
        wants.oldest_closes = oldest.row != open_row && (n_hits == 0 || used_up());
        let precharges = wants.oldest_closes || self.any_closes && n_hits < queue.len();
        wants.commands = [false, n_reads > 0, writes, precharges];
        wants
    }

    /// Whether the controller's rule lets the entry close the row that is open.
    pub(super) fn closes_by_rule(&self, bank: usize, at: usize) -> bool {
        at == 0 && self.closing.contains(bank)
    }

    /// Entries that wait for no other, oldest first.
    pub(super) fn unblocked(&self, bank: usize) -> impl Iterator<Item = &QueuedRequest> {
        let is_free = move |at: usize, request: &QueuedRequest| match request.kind {
            AccessKind::Read => true,
            AccessKind::Write => !self.waits_for_read(bank, at),
        };
        let entries = self.queues[bank].iter().enumerate();
        entries.filter_map(move |(at, request)| is_free(at, request).then_some(request))
    }

    /// A write waits for an older read of the same burst.
    fn waits_for_read(&self, bank: usize, at: usize) -> bool {
        let (older, write) = (&self.queues[bank][..at], &self.queues[bank][at]);
        let burst = (write.row, write.column);
        let mut reads = older.iter().filter(|old| old.kind == AccessKind::Read);
        reads.any(|read| (read.row, read.column) == burst)
    }

    /// Command that the entry at `at` can issue at `now`, if any.
    pub(super) fn legal_command(
        &self,
        bank: usize,
        at: usize,
        banks: &Banks,
        now: DramCycles,
    ) -> Option<DramCommand> {
        let request = &self.queues[bank][at];
        let command = match banks.open_row(bank) {
            None => DramCommand::Activate,
            Some(row) if row == request.row => request.column_command(),
            Some(_) => DramCommand::Precharge,
        };
        let allowed = match command {
            DramCommand::Write => !self.waits_for_read(bank, at),
            DramCommand::Precharge => self.any_closes || self.closes_by_rule(bank, at),
            _ => true,
        };
        (allowed && banks.earliest(command, bank) <= now).then_some(command)
    }
}
