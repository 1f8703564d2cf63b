//! State of a channel's banks: which row is open, how often it was hit, and when each command may come next.
//!
//! A delay by one command for all banks alike is one time for all of them; beyond that, times are stored by command and
//! bank, so that it is a few short runs of neighbours. Banks are numbered rank, group, bank: those of a group are adjacent,
//! and so are those of a rank.

use std::ops::Range;

use super::bank_set::BankSet;
use super::spec::DramSpec;
use super::timing::{COMMANDS, DramCommand, N_COMMANDS, NEVER, Relation, TimingTable};
use azulejo_units::DramCycles;

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
    delays: Vec<Delays>,
    all: BankSet,
    per_rank: usize,
    /// Open row by bank.
    open_row: Vec<Option<u32>>,
    /// Column commands since the activate, by bank.
    n_hits: Vec<u32>,
    /// First cycle at which a command may come to any bank; the bank's state is another matter.
    floors: [DramCycles; N_COMMANDS],
    /// First cycle at which a command may come to each bank, by command and bank.
    own: [Vec<DramCycles>; N_COMMANDS],
    /// Banks with a time of their own that may not have come, by command.
    later: [BankSet; N_COMMANDS],
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
            floors: [DramCycles::ZERO; N_COMMANDS],
            own: std::array::from_fn(|_| vec![DramCycles::ZERO; n]),
            later: [BankSet::EMPTY; N_COMMANDS],
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
        let command = command as usize;
        self.own[command][bank].max(self.floors[command])
    }

    /// Those of `banks` to which the command may come at `now`.
    #[inline]
    pub(super) fn in_time(
        &mut self,
        command: DramCommand,
        banks: BankSet,
        now: DramCycles,
    ) -> BankSet {
        let command = command as usize;
        if self.floors[command] > now {
            return BankSet::EMPTY;
        }
        let later = &mut self.later[command];
        let own = &self.own[command];
        let mut passed = BankSet::EMPTY;
        for bank in later.and(banks).iter() {
            passed = passed.or(BankSet::of(bank, own[bank] <= now));
        }
        *later = later.without(passed);
        banks.without(*later)
    }

    /// The first cycle in which the command may come to one of `banks`, or one that has passed; [`NEVER`] if there are
    /// none.
    #[inline]
    pub(super) fn first_of(&self, command: DramCommand, banks: BankSet) -> DramCycles {
        if banks.is_empty() {
            return NEVER;
        }
        let command = command as usize;
        let floor = self.floors[command];
        if !banks.without(self.later[command]).is_empty() {
            return floor;
        }
        let own = banks.iter().map(|bank| self.own[command][bank]);
        own.min().map_or(floor, |first| first.max(floor))
    }

    pub(super) const fn rank_of(&self, bank: usize) -> usize {
        bank / self.per_rank
    }

    pub(super) fn set_of_rank(&self, rank: usize) -> BankSet {
        BankSet(self.all.0 >> (self.len() - self.per_rank) << (rank * self.per_rank))
    }

    pub(super) const fn banks_of_rank(&self, rank: usize) -> Range<usize> {
        rank * self.per_rank..(rank + 1) * self.per_rank
    }

    pub(super) fn is_rank_active(&self, rank: usize) -> bool {
        self.n_open[rank] > 0
    }

    /// Whether all banks are closed and every rank could be refreshed at `now`.
    pub(super) fn can_all_refresh(&self, now: DramCycles) -> bool {
        let refresh = DramCommand::Refresh as usize;
        let may_come = self.floors[refresh] <= now && self.own[refresh].iter().all(|at| *at <= now);
        may_come && self.n_open.iter().all(|open| *open == 0)
    }

    /// Changes state and times for a command issued `now`; `row` matters to an activate only. A refresh names any bank of
    /// its rank.
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
            let (activate, banks) = (DramCommand::Activate as usize, self.banks_of_rank(rank));
            if banks.len() == self.len() {
                self.floors[activate] = self.floors[activate].max(from);
            } else {
                raise(&mut self.own[activate][banks], from);
                self.later[activate] = self.later[activate].or(self.set_of_rank(rank));
            }
        }
    }

    fn delay_neighbours(&mut self, command: DramCommand, bank: usize, now: DramCycles) {
        let after = &self.delays[command as usize * self.len() + bank];
        for (next, distance) in &after.of_all {
            let floor = &mut self.floors[*next as usize];
            *floor = (*floor).max(now + *distance);
        }
        for delay in &after.beyond {
            let next = delay.next as usize;
            raise(
                &mut self.own[next][delay.banks.clone()],
                now + delay.distance,
            );
            self.later[next] = self.later[next].or(delay.set);
        }
    }
}

/// Delays of later commands by a command to a bank.
#[derive(Debug, Clone)]
struct Delays {
    /// Least distances to the next commands to any bank, where there are any.
    of_all: Vec<(DramCommand, DramCycles)>,
    /// Longer distances for some banks.
    beyond: Vec<Delay>,
}

/// The next `command` to any of `banks`, which are `set`, must come at least `distance` after the one to which this
/// belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Delay {
    next: DramCommand,
    banks: Range<usize>,
    set: BankSet,
    distance: DramCycles,
}

/// The timing table worked out for each bank: neighbouring banks with the same distance together.
fn delays_after(command: DramCommand, bank: usize, spec: &DramSpec, table: &TimingTable) -> Delays {
    let n_banks = spec.n_banks() as usize;
    let distance_of = |next, other| {
        let relation = match relation_of(bank, other, spec) {
            // A bank that has been closed is opened first, which takes longer: what holds for its neighbours may hold for
            // it too.
            Relation::SameBank if is_reopened(command, next, table) => Relation::SameGroup,
            relation => relation,
        };
        table.distance(command, next, relation)
    };
    let mut of_all = Vec::new();
    let mut beyond: Vec<Delay> = Vec::new();
    for next in COMMANDS {
        let distances = (0..n_banks).map(|other| distance_of(next, other));
        let least = distances.min().unwrap_or_default();
        if least > DramCycles::ZERO {
            of_all.push((next, least));
        }
        let farther = |other: &usize| distance_of(next, *other) > least;
        for other in (0..n_banks).filter(farther) {
            let distance = distance_of(next, other);
            match beyond.last_mut() {
                Some(last)
                    if (last.next, last.banks.end, last.distance) == (next, other, distance) =>
                {
                    last.banks.end += 1;
                    last.set.insert(other);
                }
                _ => beyond.push(Delay {
                    next,
                    banks: other..other + 1,
                    set: BankSet::of(other, true),
                    distance,
                }),
            }
        }
    }
    Delays { of_all, beyond }
}

/// Whether both commands close a bank, and its neighbours may be closed again before it could be opened.
fn is_reopened(command: DramCommand, next: DramCommand, table: &TimingTable) -> bool {
    let precharge = DramCommand::Precharge;
    let distance = |next, relation| table.distance(precharge, next, relation);
    (command, next) == (precharge, precharge)
        && distance(precharge, Relation::SameGroup)
            <= distance(DramCommand::Activate, Relation::SameBank)
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
