//! First ready, first come first served over a whole channel: a request to an open row goes before any that needs another
//! command, then the oldest (Rixner et al., *Memory Access Scheduling*, ISCA 2000). gem5's controller does so, where
//! DRAMsim3's lets banks take turns.

use super::bank_set::BankSet;
use super::queues::QueuedRequest;
use super::schedule::{Candidate, Candidates, RequestScheduler, first_ready, oldest_admissible};
use azulejo_units::DramCycles;

/// The oldest request that needs no row opened, else the oldest.
#[derive(Debug, Clone, Copy, Default)]
pub struct FirstReady;

impl RequestScheduler for FirstReady {
    fn choose(&mut self, _now: DramCycles, candidates: &Candidates<'_>) -> Option<Candidate> {
        first_ready(candidates.all(), |_| ()).map(|(candidate, _)| candidate)
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

#[cfg(test)]
mod tests {
    use crate::access::AccessKind;
    use crate::dram::{AgentId, Dram, DramCommand, DramRequest, DramSpec};
    use azulejo_units::DramCycles;

    /// Banks in the order of their reads: two of bank 0, one of bank 1, then two of bank 0, which all arrive together.
    fn banks(order: &str) -> Vec<usize> {
        let text = format!(
            "base = \"lpddr3_b32_2ch_fine\"\nstructure.channels = 1\nstructure.mapping = \"rorababgcoch\"\ncontroller.order = \"{order}\""
        );
        let spec = DramSpec::from_toml("file", &text).expect("valid");
        let mut dram = Dram::new(&spec).expect("valid");
        dram.log_commands();
        let row = 4096;
        for address in [0, 32, row, 64, 96] {
            let request = DramRequest {
                address,
                kind: AccessKind::Read,
                agent: AgentId::GPU,
                tag: address,
            };
            assert!(dram.try_push(DramCycles(0), &request), "room");
        }
        let mut done = Vec::new();
        dram.run_until(DramCycles(200), &mut done);
        assert_eq!(done.len(), 5, "all are served");
        let commands = dram.commands(0).iter();
        let reads = commands.filter(|issued| issued.command == DramCommand::Read);
        reads.map(|issued| issued.bank).collect()
    }

    #[test]
    fn first_ready_takes_no_turns_among_open_rows() {
        // The row of bank 1 is open before the last of bank 0 are read.
        assert_eq!(banks("first-ready"), [0, 0, 0, 0, 1], "the first of equals");
        let in_turn = banks("banks-in-turn");
        assert_ne!(in_turn[4], 1, "bank 1 has its turn before: {in_turn:?}");
    }
}
