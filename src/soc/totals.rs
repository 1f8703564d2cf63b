//! Everything that a system has counted since it was switched on, by dotted names, for tables that have a column for each
//! number.

use std::collections::BTreeMap;

use super::system::System;
use azulejo_units::Cycles;

/// Numbers that only grow, by name: times in cycles of the GPU's clock or in picoseconds (`_ps`), lines, bursts, events.
pub type Totals = BTreeMap<String, u64>;

/// How far numbers have grown from one look to another; what was not there before has grown from 0.
#[must_use]
pub fn growth(before: &Totals, after: &Totals) -> Totals {
    let grown = after.iter().map(|(name, value)| {
        let old = before.get(name).copied().unwrap_or_default();
        (name.clone(), value.saturating_sub(old))
    });
    grown.collect()
}

impl System {
    /// All numbers at present, by name.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::new();
        let mut add = |name: String, value: u64| {
            totals.insert(format!("system.{name}"), value);
        };
        let last = self.frames().last();
        add("cycles".to_owned(), last.map_or(0, |frame| frame.queued.0));
        let sum = |of: fn(&super::FrameTimes) -> u64| self.frames().iter().map(of).sum();
        let frames = sum(|frame| frame.whole().0);
        add("frame_cycles".to_owned(), frames);
        let time = self.gpu().spec().clock.time_of(Cycles(frames));
        add("frame_time_ps".to_owned(), time.0);
        add("gpu_cycles".to_owned(), sum(|frame| frame.gpu().0));
        for (name, value) in self.memory_numbers() {
            add(name.to_owned(), value);
        }
        let traffic = self.gpu().agent_traffic();
        for (agent, own) in traffic.agents.iter().zip(self.gpu().agent_counters()) {
            let numbers = [
                ("asked", own.asked),
                ("served", own.served),
                ("bytes", own.moved_bursts * traffic.burst.0),
                ("read_bursts", own.read_bursts),
                ("read_time_ps", own.read_time.0),
            ];
            for (name, value) in numbers {
                add(format!("{agent}.{name}"), value);
            }
        }
        for report in self.techniques() {
            for counter in &report.counters {
                add(
                    format!("techniques.{}.{}", report.technique, counter.name),
                    counter.value,
                );
            }
        }
        totals
    }
}
