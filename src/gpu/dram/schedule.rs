//! Seam: in which order requests are served. In: what could legally be done now; out: what is done.

use std::fmt::Debug;

use super::bank_set::BankSet;
use super::banks::Banks;
use super::queues::{BankQueues, QueuedRequest};
use super::request::AgentId;
use super::timing::DramCommand;
use crate::report::TechniqueReport;
use azulejo_units::DramCycles;

/// Request scheduler of one channel.
///
/// The controller keeps timing, refresh, the write drain and the precharge rule (only a queue's oldest entry closes a row,
/// and not while the row is needed and its cap not reached, unless the scheduler [closes rows itself](Self::closes_rows));
/// the scheduler only orders what is legal. Contract: it is asked only when something is legal, answers with one of the
/// things offered or with `None` to let the cycle pass (it is then asked again in the next), never declines for ever, and
/// depends on nothing but the calls and cycles it has seen. It is not called every cycle: changes with time must be worked
/// out from `now`.
pub trait RequestScheduler: Debug + Send {
    /// The command to issue, one of `candidates`.
    fn choose(&mut self, now: DramCycles, candidates: &Candidates<'_>) -> Option<Candidate>;

    /// The waiting request that moves to its bank's queue: an index into `waiting` (oldest first, at least one), to a bank
    /// not in `full`.
    fn admit(&mut self, now: DramCycles, waiting: &[QueuedRequest], full: BankSet)
    -> Option<usize>;

    /// Whether the scheduler itself decides which rows are closed: it is then offered a precharge for every entry that
    /// needs another row than the open one, and [`Candidate::is_by_rule`] tells which of them the controller's rule would
    /// have offered. Always the same answer.
    fn closes_rows(&self) -> bool {
        false
    }

    /// Counters since the last call, if the scheduler is a technique's.
    fn take_report(&mut self) -> Option<TechniqueReport> {
        None
    }

    /// Notice of an agent that uses this channel; schedulers that treat all alike need not listen.
    fn notice(&mut self, _now: DramCycles, _notice: &AgentNotice) {}
}

/// Notices of agents to those schedulers that tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentNotice {
    /// A piece of work with a deadline begins, such as a frame.
    PeriodBegins {
        /// Agent with the deadline.
        agent: AgentId,
        /// Bursts that the work needs, if the number is known in advance; to a channel's scheduler, those of the channel.
        bursts: Option<u64>,
    },
    /// The work is done, or given up.
    PeriodEnds {
        /// Agent with the deadline.
        agent: AgentId,
    },
    /// A core has got on.
    Retired {
        /// Core that retired instructions.
        agent: AgentId,
        /// Instructions since it said so last.
        instructions: u64,
    },
}

impl AgentNotice {
    /// Agent that gives the notice.
    #[must_use]
    pub const fn agent(&self) -> AgentId {
        match *self {
            Self::PeriodBegins { agent, .. }
            | Self::PeriodEnds { agent }
            | Self::Retired { agent, .. } => agent,
        }
    }

    /// The notice to each of `n_channels` channels, which share the work evenly.
    pub(super) fn of_channel(self, n_channels: u32) -> Self {
        match self {
            Self::PeriodBegins {
                agent,
                bursts: Some(bursts),
            } => Self::PeriodBegins {
                agent,
                bursts: Some(bursts.div_ceil(u64::from(n_channels.max(1)))),
            },
            other => other,
        }
    }
}

/// A legal command for a queued request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub(super) command: DramCommand,
    pub(super) bank: usize,
    pub(super) entry: usize,
    pub(super) by_rule: bool,
}

impl Candidate {
    /// Command that would be issued.
    #[must_use]
    pub const fn command(&self) -> DramCommand {
        self.command
    }

    /// Bank of the channel.
    #[must_use]
    pub const fn bank(&self) -> usize {
        self.bank
    }

    /// Whether the controller's own rule allows it: everything but some precharges, see [`RequestScheduler::closes_rows`].
    #[must_use]
    pub const fn is_by_rule(&self) -> bool {
        self.by_rule
    }
}

/// All legal commands of a channel in one cycle; at least one.
#[derive(Debug)]
pub struct Candidates<'a> {
    pub(super) now: DramCycles,
    pub(super) ready: BankSet,
    pub(super) queues: &'a BankQueues,
    pub(super) banks: &'a Banks,
}

impl Candidates<'_> {
    /// Banks that have a legal command; never empty.
    #[must_use]
    pub const fn ready_banks(&self) -> BankSet {
        self.ready
    }

    /// The legal commands of all banks.
    pub fn all(&self) -> impl Iterator<Item = (Candidate, &QueuedRequest)> {
        (self.ready.iter()).flat_map(|bank| self.of_bank(bank))
    }

    /// Entries of a bank that wait for no other entry, oldest first, whether or not a command of theirs is legal now: all
    /// but writes behind a read of the same burst.
    pub fn unblocked(&self, bank: usize) -> impl Iterator<Item = &QueuedRequest> {
        self.queues.unblocked(bank)
    }

    /// Unblocked entries of a bank to the row that is open.
    pub fn hits(&self, bank: usize) -> impl Iterator<Item = &QueuedRequest> {
        let open = self.banks.open_row(bank);
        let unblocked = self.unblocked(bank);
        unblocked.filter(move |request| Some(request.row) == open)
    }

    /// The legal commands of one bank, for its oldest entry first.
    pub fn of_bank(&self, bank: usize) -> impl Iterator<Item = (Candidate, &QueuedRequest)> {
        let legal = move |(entry, request)| {
            let command = self
                .queues
                .legal_command(bank, entry, self.banks, self.now)?;
            let is_precharge = command == DramCommand::Precharge;
            let candidate = Candidate {
                command,
                bank,
                entry,
                by_rule: !is_precharge || self.queues.closes_by_rule(bank, entry),
            };
            Some((candidate, request))
        };
        let in_bank = self.ready.contains(bank);
        let entries: &[QueuedRequest] = if in_bank {
            self.queues.entries(bank)
        } else {
            &[]
        };
        entries.iter().enumerate().filter_map(legal)
    }
}

/// The first of some candidates by `rank`, the least; within a rank column commands go before others, and the oldest first
/// (Rixner et al., ISCA 2000: first ready, first come first served).
pub fn first_ready<'a, R: Ord>(
    candidates: impl Iterator<Item = (Candidate, &'a QueuedRequest)>,
    rank: impl Fn(&QueuedRequest) -> R,
) -> Option<(Candidate, &'a QueuedRequest)> {
    candidates.min_by_key(|(candidate, request)| {
        let is_hit = matches!(candidate.command, DramCommand::Read | DramCommand::Write);
        (rank(request), !is_hit, request.arrival)
    })
}

/// The oldest request to a bank whose queue has room: the choice of a scheduler without a rule of its own.
#[must_use]
pub fn oldest_admissible(waiting: &[QueuedRequest], full: BankSet) -> Option<usize> {
    let admissible = |request: &QueuedRequest| !full.contains(request.bank_idx());
    waiting.iter().position(admissible)
}
