//! The warps of a core: their state, their order of age, and the wheel that wakes them.
//!
//! Issue needs the oldest warp that is ready, every cycle. So the ready set is a bit mask by *rank* (0 = oldest resident), and
//! warps that wait for a known cycle sit in a wheel of 64 cycles as bit masks by slot.

use super::program::WINDOW;
use super::texture::TexelCursor;

/// Quads of a warp, at most.
pub(crate) const MAX_QUADS: usize = 8;

/// Cycles that the wheel looks ahead; who waits longer is woken to wait again.
const WHEEL: u64 = 64;

/// What a warp runs, and for whom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WarpJob {
    /// Position among the frame's programs.
    pub(crate) program: u32,
    pub(crate) draw: u32,
    /// Tile, or [`crate::gpu::memory::NOBODY`] for vertices.
    pub(crate) tile: u32,
    /// Texture instructions already in the pipelines.
    pub(crate) next_texture: u32,
    pub(crate) n_quads: u32,
    pub(crate) quads: [TexelCursor; MAX_QUADS],
    /// Comes back with the finished warp.
    pub(crate) ticket: u32,
}

/// Why a warp does not issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// It is ready, or in the wheel.
    None,
    /// For texture results.
    Texture,
    /// It has issued everything and waits for its last results.
    Finishing,
    /// It is through and waits to be released.
    Finished,
}

/// Up to 128 slots or ranks, as bits.
#[derive(Debug, Clone, Copy, Default)]
struct Set([u64; 2]);

impl Set {
    fn below(n: u32) -> Self {
        let bits = |n: u32| if n >= 64 { u64::MAX } else { (1 << n) - 1 };
        Self([bits(n), bits(n.saturating_sub(64))])
    }

    const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    const fn has(self, at: usize) -> bool {
        self.0[at >> 6 & 1] >> (at & 63) & 1 != 0
    }

    const fn insert(&mut self, at: usize) {
        self.0[at >> 6 & 1] |= 1 << (at & 63);
    }

    const fn remove(&mut self, at: usize) {
        self.0[at >> 6 & 1] &= !(1 << (at & 63));
    }

    /// The lowest element of a set that is not empty.
    const fn first(self) -> usize {
        if self.0[0] != 0 {
            self.0[0].trailing_zeros() as usize
        } else {
            64 + (self.0[1].trailing_zeros() as usize & 63)
        }
    }

    const fn take_first(&mut self) -> usize {
        let first = self.first();
        self.remove(first);
        first
    }

    /// Without `at`; all above it move down by one.
    const fn close_gap(&mut self, at: usize) {
        let bits = (self.0[1] as u128) << 64 | self.0[0] as u128;
        let below = (1_u128 << at) - 1;
        let bits = (bits & below) | (bits >> 1 & !below);
        self.0 = [bits as u64, (bits >> 64) as u64];
    }
}

/// The part of a warp that issue touches.
#[derive(Debug, Clone)]
pub(super) struct Warp {
    /// Position in the frame's program store.
    pub(super) pc: u32,
    /// Texture results under way, by bit.
    pub(super) textures: u32,
    pub(super) hold: Hold,
    /// When it may go on, low 32 bits, while it is in the wheel.
    pub(super) wake: u32,
    /// Completion times of its last results, low 32 bits.
    pub(super) window: [u32; WINDOW],
}

impl Warp {
    /// The result of `op` will be there at `at`.
    #[inline]
    pub(super) fn complete(&mut self, op: &super::program::Op, at: u64) {
        self.window[usize::from(op.slot) % WINDOW] = at as u32;
    }
}

/// All warps of a core.
#[derive(Debug)]
pub(super) struct Warps {
    pub(super) warps: Vec<Warp>,
    pub(super) jobs: Vec<WarpJob>,
    /// Slots by rank.
    pub(super) order: [u8; 128],
    rank_of: [u8; 128],
    pub(super) n_resident: usize,
    /// By slot.
    free: Set,
    /// By rank.
    ready: Set,
    /// By slot.
    wheel: [Set; WHEEL as usize],
    /// Places of the wheel that hold somebody, by cycle modulo 64.
    occupied: u64,
    /// The wheel has been emptied up to and including this cycle.
    turned_to: u64,
}

const NO_CURSOR: TexelCursor = TexelCursor { count: 0, block: 0 };

impl Warps {
    pub(super) fn new(n_warps: u32) -> Self {
        let warp = Warp {
            pc: 0,
            textures: 0,
            hold: Hold::Finished,
            wake: 0,
            window: [0; WINDOW],
        };
        let job = WarpJob {
            program: 0,
            draw: 0,
            tile: 0,
            next_texture: 0,
            n_quads: 0,
            quads: [NO_CURSOR; MAX_QUADS],
            ticket: 0,
        };
        Self {
            warps: vec![warp; n_warps as usize],
            jobs: vec![job; n_warps as usize],
            order: [0; 128],
            rank_of: [0; 128],
            n_resident: 0,
            free: Set::below(n_warps.min(128)),
            ready: Set::default(),
            wheel: [Set::default(); WHEEL as usize],
            occupied: 0,
            turned_to: 0,
        }
    }

    pub(super) fn has_free(&self) -> bool {
        !self.free.is_empty()
    }

    pub(super) fn is_ready(&self, slot: usize) -> bool {
        self.ready.has(usize::from(self.rank_of[slot]))
    }

    pub(super) fn any_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The oldest warp that is ready; some must be.
    pub(super) fn oldest_ready(&self) -> usize {
        usize::from(self.order[self.ready.first()])
    }

    pub(super) fn set_ready(&mut self, slot: usize) {
        self.ready.insert(usize::from(self.rank_of[slot]));
    }

    pub(super) fn set_waiting(&mut self, slot: usize) {
        self.ready.remove(usize::from(self.rank_of[slot]));
    }

    /// Makes a warp resident; it must have a free place. It is the youngest and not yet ready.
    pub(super) fn admit(&mut self, job: WarpJob, first: u32, now: u64) -> usize {
        let slot = self.free.take_first();
        let warp = &mut self.warps[slot];
        warp.pc = first;
        warp.textures = 0;
        warp.hold = Hold::None;
        warp.window = [now as u32; WINDOW];
        self.jobs[slot] = job;
        self.order[self.n_resident] = slot as u8;
        self.rank_of[slot] = self.n_resident as u8;
        self.n_resident += 1;
        slot
    }

    /// Frees a place; all younger warps move up.
    pub(super) fn release(&mut self, slot: usize) {
        let rank = usize::from(self.rank_of[slot]);
        self.order.copy_within(rank + 1..self.n_resident, rank);
        self.n_resident -= 1;
        for moved in &self.order[rank..self.n_resident] {
            self.rank_of[usize::from(*moved)] -= 1;
        }
        self.ready.close_gap(rank);
        self.free.insert(slot);
    }

    /// Puts a warp to sleep until `at`, which is after `now`.
    pub(super) fn sleep(&mut self, slot: usize, at: u64, now: u64) {
        self.warps[slot].wake = at as u32;
        let place = at.min(now + WHEEL - 1) % WHEEL;
        self.wheel[place as usize].insert(slot);
        self.occupied |= 1 << place;
    }

    /// Hands over every warp whose cycle has come, in order of slots within a cycle.
    #[inline]
    pub(super) fn turn(&mut self, now: u64, mut woken: impl FnMut(&mut Self, usize)) {
        let mut cycle = (self.turned_to + 1).max((now + 1).saturating_sub(WHEEL));
        self.turned_to = now;
        loop {
            // Jump to the next place that holds somebody.
            let ahead = self.occupied.rotate_right((cycle % WHEEL) as u32);
            cycle += u64::from(ahead.trailing_zeros());
            if ahead == 0 || cycle > now {
                return;
            }
            let place = (cycle % WHEEL) as usize;
            let mut slots = std::mem::take(&mut self.wheel[place]);
            self.occupied &= !(1 << place);
            while !slots.is_empty() {
                let slot = slots.take_first();
                let left = self.warps[slot].wake.wrapping_sub(now as u32).cast_signed();
                if left > 0 {
                    self.sleep(slot, now + u64::from(left.unsigned_abs()), now);
                } else {
                    woken(self, slot);
                }
            }
            cycle += 1;
        }
    }

    /// The next cycle after `now` for which somebody sits in the wheel.
    pub(super) fn next_wake(&self, now: u64) -> u64 {
        if self.occupied == 0 {
            return u64::MAX;
        }
        let next = now + 1;
        let ahead = self.occupied.rotate_right((next % WHEEL) as u32);
        next + u64::from(ahead.trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(ticket: u32) -> WarpJob {
        WarpJob {
            ticket,
            ..Warps::new(1).jobs[0]
        }
    }

    fn woken_at(warps: &mut Warps, now: u64) -> Vec<usize> {
        let mut woken = Vec::new();
        warps.turn(now, |_, slot| woken.push(slot));
        woken
    }

    #[test]
    fn warps_keep_their_order_of_age() {
        let mut warps = Warps::new(4);
        for ticket in 0..4 {
            let slot = warps.admit(job(ticket), 0, 0);
            warps.set_ready(slot);
        }
        assert!(!warps.has_free(), "all places taken");
        warps.release(1);
        let slot = warps.admit(job(4), 0, 0);
        assert_eq!(slot, 1, "the freed place");
        assert_eq!(
            warps.order[..4],
            [0, 2, 3, 1],
            "the newcomer is the youngest"
        );
        assert_eq!(warps.ready.0, [0b0111, 0], "the three old ones are ready");
    }

    #[test]
    fn warps_wake_at_their_cycle() {
        let mut warps = Warps::new(4);
        for ticket in 0..3 {
            warps.admit(job(ticket), 0, 0);
        }
        warps.turn(10, |_, _| {});
        warps.sleep(0, 13, 10);
        warps.sleep(1, 90, 10);
        warps.sleep(2, 13, 10);
        assert_eq!(warps.next_wake(10), 13, "the nearest");
        assert_eq!(woken_at(&mut warps, 12), [0_usize; 0], "not at t - 1");
        assert_eq!(woken_at(&mut warps, 13), [0, 2], "yes at t");
        assert_eq!(
            woken_at(&mut warps, 89),
            [0_usize; 0],
            "beyond the wheel, not at t - 1"
        );
        assert_eq!(woken_at(&mut warps, 90), [1], "beyond the wheel, yes at t");
        assert_eq!(warps.next_wake(90), u64::MAX, "nobody sleeps");
    }
}
