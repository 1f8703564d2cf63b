//! Barriers of a core's workgroups: warps arrive and wait, and go on in the cycle after the last of their workgroup has arrived.
//! A warp that has ended is waited for no more, so that whatever warps do no workgroup waits for ever.

use std::collections::VecDeque;

use azulejo_units::Cycles;

/// A workgroup on the core.
#[derive(Debug)]
struct Group {
    number: u32,
    /// Warps that have not ended.
    n_warps: usize,
    /// Those of them that wait: slots, with the bits of their scoreboards.
    waiting: Vec<(usize, u32)>,
}

/// Barriers of the workgroups on a core.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    groups: Vec<Group>,
    /// Warps that go on, by due time.
    passed: VecDeque<(Cycles, usize, u32)>,
}

impl Barriers {
    /// Another warp of a workgroup is launched, all of them before the first arrives.
    pub(super) fn begin(&mut self, number: u32) {
        let known = self.groups.iter_mut().find(|group| group.number == number);
        match known {
            Some(group) => group.n_warps += 1,
            None => self.groups.push(Group {
                number,
                n_warps: 1,
                waiting: Vec::new(),
            }),
        }
    }

    /// A warp of a workgroup arrives at `at`.
    pub(super) fn arrive(&mut self, number: u32, warp: (usize, u32), at: Cycles) {
        self.change(number, at, |group| group.waiting.push(warp));
    }

    /// A warp of a workgroup has ended.
    pub(super) fn end(&mut self, number: u32, now: Cycles) {
        self.change(number, now, |group| group.n_warps -= 1);
        self.groups.retain(|group| group.n_warps > 0);
    }

    /// Changes a workgroup; its warps go on if all of them wait then.
    fn change(&mut self, number: u32, at: Cycles, change: impl FnOnce(&mut Group)) {
        let mut groups = self.groups.iter_mut();
        let Some(group) = groups.find(|group| group.number == number) else {
            return;
        };
        change(group);
        if group.waiting.len() == group.n_warps {
            let on = group.waiting.drain(..);
            let on = on.map(|(slot, bit)| (at.next(), slot, bit));
            self.passed.extend(on);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barrier_lets_those_that_are_left_pass_when_the_others_have_ended() {
        let mut barriers = Barriers::default();
        for group in [7, 7, 7, 8] {
            barriers.begin(group);
        }
        barriers.arrive(7, (0, 1), Cycles(10));
        barriers.arrive(7, (1, 1), Cycles(12));
        assert_eq!(barriers.next(), Cycles::MAX, "one is missing");
        barriers.end(7, Cycles(20));
        assert_eq!(barriers.next(), Cycles(21), "which has ended");
        assert_eq!(barriers.pop(Cycles(20)), None, "a cycle later");
        let passed = [(); 3].map(|()| barriers.pop(Cycles(21)));
        assert_eq!(passed, [Some((0, 1)), Some((1, 1)), None]);
        barriers.arrive(8, (3, 2), Cycles(30));
        assert_eq!(barriers.next(), Cycles(31), "alone in its workgroup");
    }
}
