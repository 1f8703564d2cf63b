//! The baseline scheduler: first ready, first come first served, round-robin over banks.
//!
//! Rixner, Dally, Kapasi, Mattson and Owens, *Memory Access Scheduling*, ISCA 2000. Here as DRAMsim3 does it: banks take turns, starting
//! behind the last that issued; within a bank the oldest entry with a legal command goes, so younger row hits pass older conflicts.

use super::bank_set::BankSet;
use super::queues::QueuedRequest;
use super::schedule::{Candidate, Candidates, RequestScheduler, oldest_admissible};
use azulejo_units::DramCycles;

/// Round-robin FR-FCFS. Bank 1 is the first to be visited.
#[derive(Debug, Clone, Default)]
pub struct FrFcfs {
    last_bank: usize,
}

impl RequestScheduler for FrFcfs {
    fn choose(&mut self, _now: DramCycles, candidates: &Candidates<'_>) -> Option<Candidate> {
        let bank = candidates.ready_banks().next_after(self.last_bank);
        self.last_bank = bank;
        let oldest = candidates.of_bank(bank).next();
        oldest.map(|(candidate, _)| candidate)
    }

    fn admit(
        &mut self,
        _now: DramCycles,
        waiting: &[QueuedRequest],
        full: BankSet,
    ) -> Option<usize> {
        oldest_admissible(waiting, full)
    }
}
