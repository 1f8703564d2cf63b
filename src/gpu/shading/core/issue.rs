//! Issue of a core: greedy-then-oldest, several instructions a cycle, in order within a warp.

use super::super::outcome::{Outcome, stop};
use super::super::warps::Set;
use super::Core;
use crate::frame::{Op, Pipe, WINDOW};
use azulejo_units::Cycles;

impl Core {
    pub(super) fn issue<const WIDE: bool>(&mut self, now: Cycles, ops: &[Op]) -> u32 {
        let width = self.spec.issue_width.min(self.collectors_free);
        if width == 0 || !self.warps.any_ready::<WIDE>() {
            return 0;
        }
        let mut left = width;
        let mut ready = self.warps.ready;
        let mut rank = match self.greedy {
            Some(slot) if self.warps.is_ready::<WIDE>(slot) => self.warps.rank_of(slot),
            _ => ready.first::<WIDE>(),
        };
        // Warps that issue a whole run and wait for its last result: nearly all, and all for the same time.
        let mut n_chained = 0;
        let mut chained = Set::default();
        let slot = loop {
            let slot = self.warps.slot_of(rank);
            let warp = &mut self.warps.warps[slot];
            let run = u32::from(warp.chained_run);
            if (1..=left).contains(&run) && self.alus.is_unbounded() && warp.is_complete(now) {
                // No instruction of this warp can be issued before these results are there, so their own times are not
                // read.
                warp.complete_at = now.after(self.alu_wait).0 as u32;
                warp.pc += run;
                warp.chained_run = ops[warp.pc as usize].chained_run;
                left -= run;
                n_chained += run;
                chained.insert::<WIDE>(rank);
                ready.remove::<WIDE>(rank);
            } else {
                self.warps.ready = ready;
                left = self.issue_warp::<WIDE>(slot, left, now, ops);
                ready = self.warps.ready;
            }
            if left == 0 || ready.is_empty::<WIDE>() {
                break slot;
            }
            rank = ready.first::<WIDE>();
        };
        self.warps.ready = ready;
        self.warps
            .sleep_together::<WIDE>(chained, now.after(self.alu_wait), now);
        if n_chained > 0 {
            let collected = now.after(self.spec.collect_latency);
            self.releases.add(collected, n_chained as u8);
        }
        self.greedy = Some(slot);
        let issued = width - left;
        self.collectors_free -= issued;
        self.counters.instructions += u64::from(issued);
        issued
    }

    /// Issues from a ready warp until it has to wait or nothing is left; returns what is left.
    fn issue_warp<const WIDE: bool>(
        &mut self,
        slot: usize,
        left: u32,
        now: Cycles,
        ops: &[Op],
    ) -> u32 {
        let warp = &self.warps.warps[slot];
        let ops = &ops[warp.pc as usize..];
        let first = &ops[0];
        let mut n_issued = 0;
        let mut outcome = None;
        if first.run > 0 && warp.is_complete(now) && self.alus.is_unbounded() {
            n_issued = left.min(u32::from(first.run));
            self.issue_run(slot, n_issued, now, first.slot);
            outcome = if n_issued < u32::from(first.run) {
                Some(Outcome::Ready)
            } else {
                let warp = &self.warps.warps[slot];
                let window = &self.warps.windows[slot];
                stop(&ops[n_issued as usize], warp, window, now, n_issued == left)
            };
        }
        let outcome = outcome.unwrap_or_else(|| {
            let ops = &ops[n_issued as usize..];
            let (n, outcome) = self.issue_singly(slot, left - n_issued, now, ops);
            n_issued += n;
            outcome
        });
        let warp = &mut self.warps.warps[slot];
        warp.pc += n_issued;
        warp.chained_run = ops[n_issued as usize].chained_run;
        self.settle::<WIDE>(slot, &outcome, now);
        left - n_issued
    }

    /// Issues arithmetic with all operands there and free units, the first with this place in the window.
    #[inline]
    fn issue_run(&mut self, slot: usize, n: u32, now: Cycles, first: u8) {
        let collected = now.after(self.spec.collect_latency);
        let done = collected.after(self.spec.alu_latency);
        let window = &mut self.warps.windows[slot];
        for nth in 0..n as usize {
            window[(usize::from(first) + nth) % WINDOW] = done.0 as u32;
        }
        self.warps.warps[slot].complete_at = done.0 as u32;
        self.releases.add(collected, n as u8);
    }

    /// Issues one after the other whatever there is; returns how many, and why no more.
    fn issue_singly(&mut self, slot: usize, left: u32, now: Cycles, ops: &[Op]) -> (u32, Outcome) {
        let collected = now.after(self.spec.collect_latency);
        let warp = &mut self.warps.warps[slot];
        let window = &mut self.warps.windows[slot];
        let mut n_issued = 0;
        // Units that are free as soon as the operands are collected: nearly all.
        let mut n_at_once = 0;
        let outcome = loop {
            let op = &ops[n_issued as usize];
            let done = match op.pipe {
                Pipe::Alu => {
                    let start = self.alus.start(collected);
                    if start == collected {
                        n_at_once += 1;
                    } else {
                        self.releases.add(start, 1);
                    }
                    Some(start.after(self.spec.alu_latency))
                }
                Pipe::Transcendental => {
                    let start = self.transcendentals.start(collected);
                    self.releases.add(start, 1);
                    Some(start.after(self.spec.transcendental_latency))
                }
                Pipe::Texture => {
                    let bit = 1 << op.bit;
                    warp.of_memory |= bit;
                    self.texture.issue(slot, bit, collected);
                    None
                }
                Pipe::Barrier => {
                    let bit = 1 << op.bit;
                    warp.of_memory |= bit;
                    n_at_once += 1;
                    let job = &self.warps.jobs[slot];
                    self.data.arrive(job, (slot, bit), collected);
                    None
                }
                Pipe::Load | Pipe::Store | Pipe::Atomic | Pipe::Shared => {
                    let bit = 1 << op.bit;
                    warp.of_memory |= bit;
                    self.data.issue(slot, (bit, op.pipe), collected);
                    None
                }
                // A warp at its end is never ready.
                Pipe::End => None,
            };
            if let Some(at) = done {
                window[usize::from(op.slot) % WINDOW] = at.0 as u32;
                warp.complete(at, now);
            }
            n_issued += 1;
            let next = &ops[n_issued as usize];
            if let Some(outcome) = stop(next, warp, window, now, n_issued == left) {
                break outcome;
            }
        };
        self.releases.add(collected, n_at_once);
        (n_issued, outcome)
    }

    /// Puts a warp into its state after it has issued.
    fn settle<const WIDE: bool>(&mut self, slot: usize, outcome: &Outcome, now: Cycles) {
        match *outcome {
            Outcome::Ready => {}
            Outcome::Held => {
                self.warps.warps[slot].is_held = true;
                self.warps.set_waiting::<WIDE>(slot);
            }
            Outcome::Wait(wait) => {
                self.warps.set_waiting::<WIDE>(slot);
                self.warps
                    .sleep::<WIDE>(slot, now.after(Cycles(wait.into())), now);
            }
            Outcome::End => {
                self.warps.set_waiting::<WIDE>(slot);
                self.finish_when_complete::<WIDE>(slot, now);
            }
        }
    }

    /// The next cycle in which a warp wakes or issues without anything from the texture path.
    pub(super) fn next_issue<const WIDE: bool>(&self, now: Cycles) -> Cycles {
        let any_ready = self.warps.any_ready::<WIDE>();
        if any_ready && self.collectors_free > 0 {
            return now.next();
        }
        let wake = self.warps.next_wake(now);
        if any_ready {
            wake.min(self.releases.next(now))
        } else {
            wake
        }
    }
}
