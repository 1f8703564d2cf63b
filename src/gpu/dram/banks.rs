//! State of a channel's banks: which row is open, how often it was hit, and when each command may come next.
//!
//! Times are stored by command and bank, so that what one command delays is a few short runs of neighbours. Banks are numbered rank,
//! group, bank: those of a group are adjacent, and so are those of a rank.

use std::ops::Range;

use super::bank_set::BankSet;
use super::spec::DramSpec;
use super::timing::{COMMANDS, DramCommand, N_COMMANDS, Relation, TimingTable};
use crate::units::DramCycles;

/// Times of the last four activates of a rank, oldest first once four have happened.
#[derive(Debug, Clone, Default)]
struct ActivateWindow {
    times: [DramCycles; 4],
    n_activates: usize,
}

impl ActivateWindow {
    /// Notes an activate; returns the fourth-last, if there were four.
    fn push(&mut self, now: DramCycles) -> Option<DramCycles> {
        self.times[self.n_activates % 4] = now;
        self.n_activates += 1;
        (self.n_activates >= 4).then(|| self.times[self.n_activates % 4])
    }
}

/// All banks of one channel.
#[derive(Debug, Clone)]
pub(super) struct Banks {
    table: TimingTable,
    /// By command and bank.
    delays: Vec<Vec<Delay>>,
    all: BankSet,
    per_rank: usize,
    /// Open row by bank.
    open_row: Vec<Option<u32>>,
    /// Column commands since the activate, by bank.
    n_hits: Vec<u32>,
    /// First cycle at which a command may come, by command and bank; the bank's state is another matter.
    earliest: [Vec<DramCycles>; N_COMMANDS],
    windows: Vec<ActivateWindow>,
    /// Open banks by rank.
    n_open: Vec<u32>,
}

impl Banks {
    pub(super) fn new(spec: &DramSpec) -> Self {
        let per_rank = spec.n_banks_per_rank() as usize;
        let n_ranks = spec.n_ranks() as usize;
        let n = per_rank * n_ranks;
        let table = TimingTable::new(spec);
        let delays_of = |command| (0..n).map(move |bank| (command, bank));
        let delays = COMMANDS.into_iter().flat_map(delays_of);
        let delays = delays.map(|(command, bank)| delays_after(command, bank, spec, &table));
        Self {
            delays: delays.collect(),
            table,
            all: BankSet::first(n),
            per_rank,
            open_row: vec![None; n],
            n_hits: vec![0; n],
            earliest: std::array::from_fn(|_| vec![DramCycles::ZERO; n]),
            windows: vec![ActivateWindow::default(); n_ranks],
            n_open: vec![0; n_ranks],
        }
    }

    pub(super) const fn table(&self) -> &TimingTable {
        &self.table
    }

    pub(super) fn len(&self) -> usize {
        self.open_row.len()
    }

    pub(super) fn n_ranks(&self) -> usize {
        self.n_open.len()
    }

    pub(super) fn open_row(&self, bank: usize) -> Option<u32> {
        self.open_row[bank]
    }

    pub(super) fn n_hits(&self, bank: usize) -> u32 {
        self.n_hits[bank]
    }

    pub(super) fn earliest(&self, command: DramCommand, bank: usize) -> DramCycles {
        self.earliest[command as usize][bank]
    }

    pub(super) const fn rank_of(&self, bank: usize) -> usize {
        bank / self.per_rank
    }

    pub(super) fn set_of_rank(&self, rank: usize) -> BankSet {
        BankSet(self.all.0 >> (self.len() - self.per_rank) << (rank * self.per_rank))
    }

    /// Every bank of the channel.
    pub(super) const fn all(&self) -> BankSet {
        self.all
    }

    pub(super) const fn banks_of_rank(&self, rank: usize) -> Range<usize> {
        rank * self.per_rank..(rank + 1) * self.per_rank
    }

    pub(super) fn is_rank_active(&self, rank: usize) -> bool {
        self.n_open[rank] > 0
    }

    /// Whether all banks are closed and every rank could be refreshed at `now`.
    pub(super) fn can_all_refresh(&self, now: DramCycles) -> bool {
        let refresh = &self.earliest[DramCommand::Refresh as usize];
        self.n_open.iter().all(|open| *open == 0) && refresh.iter().all(|from| *from <= now)
    }

    /// Changes state and times for a command issued `now`; `row` matters to an activate only. A refresh names any bank of its rank.
    pub(super) fn apply(&mut self, command: DramCommand, bank: usize, row: u32, now: DramCycles) {
        let rank = self.rank_of(bank);
        match command {
            DramCommand::Activate => {
                self.open_row[bank] = Some(row);
                self.n_hits[bank] = 0;
                self.n_open[rank] += 1;
                self.limit_activates(rank, now);
            }
            DramCommand::Read | DramCommand::Write => self.n_hits[bank] += 1,
            DramCommand::Precharge => {
                self.open_row[bank] = None;
                self.n_hits[bank] = 0;
                self.n_open[rank] -= 1;
            }
            DramCommand::Refresh => {}
        }
        self.delay_neighbours(command, bank, now);
    }

    fn limit_activates(&mut self, rank: usize, now: DramCycles) {
        if let Some(fourth_last) = self.windows[rank].push(now) {
            let from = fourth_last + self.table.four_activates;
            let banks = self.banks_of_rank(rank);
            raise(
                &mut self.earliest[DramCommand::Activate as usize][banks],
                from,
            );
        }
    }

    fn delay_neighbours(&mut self, command: DramCommand, bank: usize, now: DramCycles) {
        for delay in &self.delays[command as usize * self.open_row.len() + bank] {
            let times = &mut self.earliest[delay.next as usize];
            raise(&mut times[delay.banks.clone()], now + delay.distance);
        }
    }
}

/// The next `command` to any of `banks` must come at least `distance` after the one to which this belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Delay {
    next: DramCommand,
    banks: Range<usize>,
    distance: DramCycles,
}

/// The timing table worked out for each bank: neighbouring banks with the same distance together.
fn delays_after(
    command: DramCommand,
    bank: usize,
    spec: &DramSpec,
    table: &TimingTable,
) -> Vec<Delay> {
    let mut delays: Vec<Delay> = Vec::new();
    for next in COMMANDS {
        for other in 0..spec.n_banks() as usize {
            let distance = table.distance(command, next, relation_of(bank, other, spec));
            match delays.last_mut() {
                Some(last)
                    if (last.next, last.banks.end, last.distance) == (next, other, distance) =>
                {
                    last.banks.end += 1;
                }
                _ => delays.push(Delay {
                    next,
                    banks: other..other + 1,
                    distance,
                }),
            }
        }
    }
    delays.retain(|delay| delay.distance > DramCycles::ZERO);
    delays
}

fn relation_of(bank: usize, other: usize, spec: &DramSpec) -> Relation {
    let per_group = spec.structure.banks_per_group as usize;
    let per_rank = spec.n_banks_per_rank() as usize;
    if bank == other {
        Relation::SameBank
    } else if bank / per_group == other / per_group {
        Relation::SameGroup
    } else if bank / per_rank == other / per_rank {
        Relation::OtherGroup
    } else {
        Relation::OtherRank
    }
}

fn raise(times: &mut [DramCycles], from: DramCycles) {
    for time in times {
        *time = (*time).max(from);
    }
}

#[cfg(test)]
mod tests;
