//! Says that the machine stands still although time goes on: a display that refreshes, or a technique that puts work off
//! for ever, keeps the clock running while nothing is done.
//!
//! Every unit counts the work that it does. If the sum stands still over [`PATIENCE`] visited cycles, in which nothing but
//! the display has lines under way in the memory, no unit can ever go on. Cycles that the clock jumps over are not visited,
//! so a wait for a known time, however long, is one visit. With lines under way the memory gets [`MEMORY_PATIENCE`] visits
//! to bring one.

/// Visited cycles without any work after which a machine with an idle memory stands still.
const PATIENCE: u32 = 1 << 18;

/// Visited cycles without any work after which a machine whose memory has something to do stands still.
const MEMORY_PATIENCE: u32 = 1 << 22;

/// Visited cycles between two looks at the counters.
const INTERVAL: u32 = 1 << 12;

/// Watches one phase of a frame.
#[derive(Debug, Default)]
pub(super) struct Watchdog {
    visits: u32,
    work_done: u64,
}

impl Watchdog {
    /// Counts a visited cycle; whether it is time to look at the counters.
    pub(super) fn is_due(&mut self) -> bool {
        self.visits += 1;
        self.visits.is_multiple_of(INTERVAL)
    }

    /// Whether nothing has been done for too long: `work_done` grows with everything that is done, `memory_is_idle` leaves
    /// the display out.
    pub(super) fn is_stuck(&mut self, work_done: u64, memory_is_idle: bool) -> bool {
        if work_done != self.work_done {
            self.work_done = work_done;
            self.visits = 0;
        }
        let patience = if memory_is_idle {
            PATIENCE
        } else {
            MEMORY_PATIENCE
        };
        self.visits >= patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Visits until the dog barks, of a machine that does something every `period` visits; none within a million looks.
    fn visits(period: Option<u32>, memory_is_idle: bool) -> Option<u32> {
        let mut watchdog = Watchdog::default();
        (1..=MEMORY_PATIENCE * 2).find(|visit| {
            let work_done = period.map_or(1, |period| u64::from(visit / period));
            watchdog.is_due() && watchdog.is_stuck(work_done, memory_is_idle)
        })
    }

    #[test]
    fn watchdog_bears_with_a_memory_that_has_something_to_do() {
        assert_eq!(visits(None, true), Some(PATIENCE + INTERVAL), "idle");
        assert_eq!(
            visits(None, false),
            Some(MEMORY_PATIENCE + INTERVAL),
            "busy"
        );
    }

    #[test]
    fn watchdog_is_quiet_while_something_is_done_now_and_then() {
        assert_eq!(visits(Some(PATIENCE / 2), true), None, "rarely");
    }
}
