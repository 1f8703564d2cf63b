//! Barriers of a core's workgroups: warps arrive and wait, and go on in the cycle after the last of their workgroup has arrived.

use std::collections::VecDeque;

use azulejo_units::Cycles;

/// Warps of a workgroup that wait at a barrier: slots, with the bits of their scoreboards.
#[derive(Debug)]
struct Waiting {
    group: u32,
    warps: Vec<(usize, u32)>,
}

/// Barriers under way.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    waiting: Vec<Waiting>,
    /// Warps that go on, by due time.
    passed: VecDeque<(Cycles, usize, u32)>,
}

impl Barriers {
    /// A warp arrives at `at`, one of so many of its workgroup.
    pub(super) fn arrive(&mut self, (group, n_warps): (u32, u32), warp: (usize, u32), at: Cycles) {
        let known = self.waiting.iter().position(|one| one.group == group);
        let place = known.unwrap_or_else(|| {
            let warps = Vec::with_capacity(n_warps as usize);
            self.waiting.push(Waiting { group, warps });
            self.waiting.len() - 1
        });
        let warps = &mut self.waiting[place].warps;
        warps.push(warp);
        if warps.len() >= n_warps as usize {
            let all = self.waiting.swap_remove(place);
            let on = all.warps.into_iter();
            self.passed
                .extend(on.map(|(slot, bit)| (at.next(), slot, bit)));
        }
    }

    /// Slot and bit of a warp that goes on.
    pub(super) fn pop(&mut self, now: Cycles) -> Option<(usize, u32)> {
        let (_, slot, bit) = self.passed.pop_front_if(|(at, ..)| *at <= now)?;
        Some((slot, bit))
    }

    /// When the next warp goes on, if nothing else arrives.
    pub(super) fn next(&self) -> Cycles {
        self.passed.front().map_or(Cycles::MAX, |(at, ..)| *at)
    }
}
