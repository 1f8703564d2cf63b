//! State of a channel's banks: which row is open, how often it was hit, and when each command may come next.
//!
//! Times are stored by command and bank, so that one command's constraints are a few short loops over neighbours. Banks are numbered
//! rank, group, bank: those of a group are adjacent, and so are those of a rank.

use std::ops::Range;

use super::spec::DramSpec;
use super::timing::{DramCommand, N_COMMANDS, Relation, TimingTable};
use crate::units::Cycles;

/// Times of the last four activates of a rank, oldest first once four have happened.
#[derive(Debug, Clone, Default)]
struct ActivateWindow {
    times: [Cycles; 4],
    n_activates: usize,
}

impl ActivateWindow {
    /// Notes an activate; returns the fourth-last, if there were four.
    fn push(&mut self, now: Cycles) -> Option<Cycles> {
        self.times[self.n_activates % 4] = now;
        self.n_activates += 1;
        (self.n_activates >= 4).then(|| self.times[self.n_activates % 4])
    }
}

/// All banks of one channel.
#[derive(Debug, Clone)]
pub(super) struct Banks {
    table: TimingTable,
    per_group: usize,
    per_rank: usize,
    /// Open row by bank.
    open_row: Vec<Option<u32>>,
    /// Column commands since the activate, by bank.
    n_hits: Vec<u32>,
    /// First cycle at which a command may come, by command and bank; the bank's state is another matter.
    earliest: [Vec<Cycles>; N_COMMANDS],
    windows: Vec<ActivateWindow>,
    /// Open banks by rank.
    n_open: Vec<u32>,
}

impl Banks {
    pub(super) fn new(spec: &DramSpec) -> Self {
        let per_rank = spec.n_banks_per_rank() as usize;
        let n_ranks = spec.n_ranks() as usize;
        let n = per_rank * n_ranks;
        Self {
            table: TimingTable::new(spec),
            per_group: spec.structure.banks_per_group as usize,
            per_rank,
            open_row: vec![None; n],
            n_hits: vec![0; n],
            earliest: std::array::from_fn(|_| vec![Cycles::ZERO; n]),
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

    pub(super) fn earliest(&self, command: DramCommand, bank: usize) -> Cycles {
        self.earliest[command as usize][bank]
    }

    pub(super) const fn rank_of(&self, bank: usize) -> usize {
        bank / self.per_rank
    }

    pub(super) const fn banks_of_rank(&self, rank: usize) -> Range<usize> {
        rank * self.per_rank..(rank + 1) * self.per_rank
    }

    pub(super) fn is_rank_active(&self, rank: usize) -> bool {
        self.n_open[rank] > 0
    }

    /// Changes state and times for a command issued `now`; `row` matters to an activate only. A refresh names any bank of its rank.
    pub(super) fn apply(&mut self, command: DramCommand, bank: usize, row: u32, now: Cycles) {
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

    fn limit_activates(&mut self, rank: usize, now: Cycles) {
        if let Some(fourth_last) = self.windows[rank].push(now) {
            let from = fourth_last + self.table.four_activates;
            let banks = self.banks_of_rank(rank);
            raise(
                &mut self.earliest[DramCommand::Activate as usize][banks],
                from,
            );
        }
    }

    fn delay_neighbours(&mut self, command: DramCommand, bank: usize, now: Cycles) {
        let rank = self.banks_of_rank(self.rank_of(bank));
        let first_in_group = bank / self.per_group * self.per_group;
        let group = first_in_group..first_in_group + self.per_group;
        for constraint in &self.table.after[command as usize] {
            let times = &mut self.earliest[constraint.next as usize];
            let from = now + constraint.distance;
            match constraint.relation {
                Relation::SameBank => times[bank] = times[bank].max(from),
                Relation::SameGroup => raise_around(times, group.clone(), bank..bank + 1, from),
                Relation::OtherGroup => raise_around(times, rank.clone(), group.clone(), from),
                Relation::OtherRank => {
                    let all = 0..times.len();
                    raise_around(times, all, rank.clone(), from);
                }
            }
        }
    }
}

fn raise(times: &mut [Cycles], from: Cycles) {
    for time in times {
        *time = (*time).max(from);
    }
}

/// Raises the times of `outer` that are not in `inner`, which lies within.
fn raise_around(times: &mut [Cycles], outer: Range<usize>, inner: Range<usize>, from: Cycles) {
    raise(&mut times[outer.start..inner.start], from);
    raise(&mut times[inner.end..outer.end], from);
}
