//! The warps of a core: their state, their order of age, and the wheel that wakes them.
//!
//! Issue needs the oldest warp that is ready, every cycle. So sets of warps are bit masks by *rank* (0 = oldest resident),
//! and warps that wait for a known cycle sit as such masks in a wheel of 64 cycles: waking them is one union, however many
//! they are.

use super::job::{MAX_QUADS, TexelCursor, WarpJob};
use crate::frame::WINDOW;
use azulejo_units::Cycles;

/// Cycles that the wheel looks ahead; warps that wait longer are woken to wait again.
const WHEEL: u64 = 64;

/// Up to 128 slots or ranks, as bits of two words. Operations of every cycle come in two forms: a core of up to 64 warps is
/// not `WIDE` and has nothing in the second word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Set([u64; 2]);

impl Set {
    fn below(n: u32) -> Self {
        Self::of_bits(u128::MAX.checked_shr(128 - n).unwrap_or(0))
    }

    const fn of_bits(bits: u128) -> Self {
        Self([bits as u64, (bits >> 64) as u64])
    }

    const fn bits(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << 64
    }

    pub(super) const fn is_empty<const WIDE: bool>(self) -> bool {
        self.0[0] | self.high::<WIDE>() == 0
    }

    /// Second word, which is 0 unless `WIDE`.
    const fn high<const WIDE: bool>(self) -> u64 {
        if WIDE { self.0[1] } else { 0 }
    }

    /// The set of `at` alone. No word is chosen by its index, so that sets stay in registers.
    const fn of<const WIDE: bool>(at: usize) -> Self {
        let bit = 1 << (at & 63);
        if !WIDE {
            return Self([bit, 0]);
        }
        let in_high = ((at >> 6 & 1) as u64).wrapping_neg();
        Self([bit & !in_high, bit & in_high])
    }

    const fn has<const WIDE: bool>(self, at: usize) -> bool {
        !self.and::<WIDE>(Self::of::<WIDE>(at)).is_empty::<WIDE>()
    }

    pub(super) const fn insert<const WIDE: bool>(&mut self, at: usize) {
        *self = self.or::<WIDE>(Self::of::<WIDE>(at));
    }

    pub(super) const fn remove<const WIDE: bool>(&mut self, at: usize) {
        *self = self.without::<WIDE>(Self::of::<WIDE>(at));
    }

    /// The lowest element of a set that is not empty.
    pub(super) const fn first<const WIDE: bool>(self) -> usize {
        match self.0 {
            [0, high] if WIDE => 64 | high.trailing_zeros() as usize & 63,
            [low, _] => low.trailing_zeros() as usize & 63,
        }
    }

    /// Removes the lowest element of a set that is not empty.
    const fn take_first<const WIDE: bool>(&mut self) -> usize {
        let first = self.first::<WIDE>();
        self.remove::<WIDE>(first);
        first
    }

    const fn and<const WIDE: bool>(self, other: Self) -> Self {
        let high = self.high::<WIDE>() & other.high::<WIDE>();
        Self([self.0[0] & other.0[0], high])
    }

    const fn without<const WIDE: bool>(self, other: Self) -> Self {
        let high = self.high::<WIDE>() & !other.high::<WIDE>();
        Self([self.0[0] & !other.0[0], high])
    }

    const fn or<const WIDE: bool>(self, other: Self) -> Self {
        let high = self.high::<WIDE>() | other.high::<WIDE>();
        Self([self.0[0] | other.0[0], high])
    }

    /// Without `at`; all above it move down by one.
    const fn close_gap(&mut self, at: usize) {
        let bits = self.bits();
        let below = (1 << (at & 127)) - 1;
        *self = Self::of_bits((bits & below) | (bits >> 1 & !below));
    }
}

/// Completion times of a warp's last arithmetic results by [`Op::slot`](crate::frame::Op::slot), low 32 bits.
pub(super) type Window = [u32; WINDOW];

/// The part of a warp that issue touches every time: small, so that those of all cores stay in the host's nearest cache.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Warp {
    /// Position in the frame's program store.
    pub(super) pc: u32,
    /// Results of memory under way, by bit.
    pub(super) of_memory: u32,
    /// When the last of its arithmetic results will be there, low 32 bits.
    pub(super) complete_at: u32,
    /// It waits for results of memory: neither ready nor asleep.
    pub(super) is_held: bool,
    /// [`Op::chained_run`](crate::frame::Op::chained_run) of its next instruction.
    pub(super) chained_run: u8,
}

impl Warp {
    /// Another arithmetic result will be there at `at`.
    #[inline]
    pub(super) fn complete(&mut self, at: Cycles, now: Cycles) {
        if self.incomplete_for(now) < at.since(now).0 as u32 {
            self.complete_at = at.0 as u32;
        }
    }

    /// Cycles until all arithmetic results are there.
    #[inline]
    pub(super) fn incomplete_for(&self, now: Cycles) -> u32 {
        let left = self.complete_at.wrapping_sub(now.0 as u32).cast_signed();
        left.max(0).unsigned_abs()
    }

    /// Whether all arithmetic results are there.
    #[inline]
    pub(super) fn is_complete(&self, now: Cycles) -> bool {
        self.incomplete_for(now) == 0
    }
}

/// All warps of a core.
#[derive(Debug)]
pub(super) struct Warps {
    pub(super) warps: Vec<Warp>,
    pub(super) windows: Vec<Window>,
    pub(super) jobs: Vec<WarpJob>,
    /// Slots of resident warps by rank.
    pub(super) order: [u8; 128],
    ranks: [u8; 128],
    pub(super) n_resident: usize,
    /// Free places, by slot.
    free: Set,
    /// By rank, as all that follow.
    pub(super) ready: Set,
    /// Those that have issued everything; they sleep until their last result is there.
    finishing: Set,
    /// Those that sleep for longer than the wheel looks ahead.
    long_asleep: Set,
    /// When they may go on, low 32 bits, by slot.
    long_until: [u32; 128],
    wheel: [Set; WHEEL as usize],
    /// Places of the wheel that hold a warp, by cycle modulo 64.
    occupied: u64,
}

const NO_CURSOR: TexelCursor = TexelCursor {
    count: 0,
    block: 0,
    path: 0,
    quad: 0,
};

impl Warps {
    pub(super) fn new(n_warps: u32) -> Self {
        let job = WarpJob::of_quads(0, (0, 0), ([NO_CURSOR; MAX_QUADS], 0), 0);
        Self {
            warps: vec![Warp::default(); n_warps as usize],
            windows: vec![[0; WINDOW]; n_warps as usize],
            jobs: vec![job; n_warps as usize],
            order: [0; 128],
            ranks: [0; 128],
            n_resident: 0,
            free: Set::below(n_warps.min(128)),
            ready: Set::default(),
            finishing: Set::default(),
            long_asleep: Set::default(),
            long_until: [0; 128],
            wheel: [Set::default(); WHEEL as usize],
            occupied: 0,
        }
    }

    /// Whether there are more than one word of a [`Set`] holds.
    pub(super) fn is_wide(&self) -> bool {
        self.warps.len() > u64::BITS as usize
    }

    pub(super) fn has_free(&self) -> bool {
        !self.free.is_empty::<true>()
    }

    pub(super) fn is_ready<const WIDE: bool>(&self, slot: usize) -> bool {
        self.ready.has::<WIDE>(self.rank_of(slot))
    }

    pub(super) fn any_ready<const WIDE: bool>(&self) -> bool {
        !self.ready.is_empty::<WIDE>()
    }

    pub(super) fn rank_of(&self, slot: usize) -> usize {
        usize::from(self.ranks[slot])
    }

    pub(super) fn slot_of(&self, rank: usize) -> usize {
        usize::from(self.order[rank])
    }

    pub(super) fn set_ready<const WIDE: bool>(&mut self, slot: usize) {
        self.ready.insert::<WIDE>(self.rank_of(slot));
    }

    pub(super) fn set_waiting<const WIDE: bool>(&mut self, slot: usize) {
        self.ready.remove::<WIDE>(self.rank_of(slot));
    }

    /// Makes a warp resident; it must have a free place. It is the youngest and not yet ready.
    pub(super) fn admit(&mut self, job: WarpJob, first: u32, now: Cycles) -> usize {
        let slot = self.free.take_first::<true>();
        self.warps[slot] = Warp {
            pc: first,
            of_memory: 0,
            complete_at: now.0 as u32,
            is_held: false,
            chained_run: 0,
        };
        self.windows[slot] = [now.0 as u32; WINDOW];
        self.jobs[slot] = job;
        self.order[self.n_resident] = slot as u8;
        self.ranks[slot] = self.n_resident as u8;
        self.n_resident += 1;
        slot
    }

    /// Frees a place; all younger warps move up.
    pub(super) fn release(&mut self, slot: usize) {
        let rank = self.rank_of(slot);
        self.order.copy_within(rank + 1..self.n_resident, rank);
        self.n_resident -= 1;
        for moved in &self.order[rank..self.n_resident] {
            self.ranks[usize::from(*moved)] -= 1;
        }
        self.ready.close_gap(rank);
        self.finishing.close_gap(rank);
        self.long_asleep.close_gap(rank);
        let mut places = self.occupied;
        while places != 0 {
            self.wheel[places.trailing_zeros() as usize].close_gap(rank);
            places &= places - 1;
        }
        self.free.insert::<true>(slot);
    }

    /// Puts a warp to sleep until `at`, which is after `now`.
    #[inline]
    pub(super) fn sleep<const WIDE: bool>(&mut self, slot: usize, at: Cycles, now: Cycles) {
        let rank = self.rank_of(slot);
        let mut place = at.0;
        if at.since(now).0 >= WHEEL {
            self.long_until[slot] = at.0 as u32;
            self.long_asleep.insert::<WIDE>(rank);
            place = now.0 + WHEEL - 1;
        }
        place %= WHEEL;
        self.wheel[place as usize].insert::<WIDE>(rank);
        self.occupied |= 1 << place;
    }

    /// Puts those of these ranks to sleep until `at`.
    #[inline]
    pub(super) fn sleep_together<const WIDE: bool>(
        &mut self,
        mut ranks: Set,
        at: Cycles,
        now: Cycles,
    ) {
        if at.since(now).0 >= WHEEL {
            while !ranks.is_empty::<WIDE>() {
                let slot = self.slot_of(ranks.take_first::<WIDE>());
                self.sleep::<WIDE>(slot, at, now);
            }
            return;
        }
        let place = at.0 % WHEEL;
        self.wheel[place as usize] = self.wheel[place as usize].or::<WIDE>(ranks);
        self.occupied |= u64::from(!ranks.is_empty::<WIDE>()) << place;
    }

    /// Puts a warp to sleep until `at`, when it is through.
    pub(super) fn finish<const WIDE: bool>(&mut self, slot: usize, at: Cycles, now: Cycles) {
        self.finishing.insert::<WIDE>(self.rank_of(slot));
        self.sleep::<WIDE>(slot, at, now);
    }

    /// Makes all warps ready that are due, but hands those that are through to `finished`, in order of slots. To be called
    /// in every cycle that [`next_wake`](Self::next_wake) names.
    #[inline]
    pub(super) fn turn<const WIDE: bool>(&mut self, now: Cycles, finished: impl FnMut(usize)) {
        let place = now.0 % WHEEL;
        let mut woken = std::mem::take(&mut self.wheel[place as usize]);
        self.occupied &= !(1 << place);
        if !woken.and::<WIDE>(self.long_asleep).is_empty::<WIDE>() {
            woken = self.sleep_on(woken, now);
        }
        let through = woken.and::<WIDE>(self.finishing);
        self.ready = self.ready.or::<WIDE>(woken.without::<WIDE>(through));
        if !through.is_empty::<WIDE>() {
            self.end(through, finished);
        }
    }

    /// Puts those back to sleep that are due beyond the wheel's range; the others are left.
    #[cold]
    fn sleep_on(&mut self, mut woken: Set, now: Cycles) -> Set {
        let mut long = woken.and::<true>(self.long_asleep);
        while !long.is_empty::<true>() {
            let rank = long.take_first::<true>();
            self.long_asleep.remove::<true>(rank);
            let slot = usize::from(self.order[rank]);
            let left = self.long_until[slot]
                .wrapping_sub(now.0 as u32)
                .cast_signed();
            if left > 0 {
                woken.remove::<true>(rank);
                self.sleep::<true>(slot, now.after(Cycles(left.unsigned_abs().into())), now);
            }
        }
        woken
    }

    fn end(&mut self, through: Set, mut finished: impl FnMut(usize)) {
        self.finishing = self.finishing.without::<true>(through);
        let mut ranks = through;
        let mut slots = Set::default();
        while !ranks.is_empty::<true>() {
            slots.insert::<true>(usize::from(self.order[ranks.take_first::<true>()]));
        }
        while !slots.is_empty::<true>() {
            let slot = slots.take_first::<true>();
            finished(slot);
        }
    }

    /// The next cycle after `now` with a warp in the wheel.
    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.occupied == 0 {
            return Cycles::MAX;
        }
        let next = now.next();
        let ahead = self.occupied.rotate_right((next.0 % WHEEL) as u32);
        next.after(Cycles(ahead.trailing_zeros().into()))
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

    fn ready(warps: &Warps) -> Vec<usize> {
        let mut ready = warps.ready;
        let mut slots = Vec::new();
        while !ready.is_empty::<true>() {
            slots.push(usize::from(warps.order[ready.take_first::<true>()]));
        }
        slots
    }

    /// Turns the wheel at each of its wakes, up to `to`.
    fn turn_to(warps: &mut Warps, from: u64, to: u64) {
        let mut now = Cycles(from);
        while warps.next_wake(now) <= Cycles(to) {
            now = warps.next_wake(now);
            warps.turn::<true>(now, |_| {});
        }
    }

    #[test]
    fn warps_keep_their_order_of_age() {
        let mut warps = Warps::new(4);
        for ticket in 0..4 {
            let slot = warps.admit(job(ticket), 0, Cycles::ZERO);
            warps.set_ready::<true>(slot);
        }
        assert!(!warps.has_free(), "all places taken");
        warps.release(1);
        let slot = warps.admit(job(4), 0, Cycles::ZERO);
        assert_eq!(slot, 1, "the freed place");
        assert_eq!(
            warps.order[..4],
            [0, 2, 3, 1],
            "the newcomer is the youngest"
        );
        assert_eq!(
            warps.ready,
            Set([0b0111, 0]),
            "the three old ones are ready"
        );
    }

    #[test]
    fn warps_wake_at_their_cycle() {
        let mut warps = Warps::new(4);
        for ticket in 0..3 {
            warps.admit(job(ticket), 0, Cycles::ZERO);
        }
        warps.sleep::<true>(0, Cycles(13), Cycles(10));
        warps.sleep::<true>(1, Cycles(90), Cycles(10));
        warps.sleep::<true>(2, Cycles(13), Cycles(10));
        assert_eq!(warps.next_wake(Cycles(10)), Cycles(13), "the nearest");
        turn_to(&mut warps, 10, 12);
        assert_eq!(ready(&warps), [0_usize; 0], "not at t - 1");
        turn_to(&mut warps, 12, 13);
        assert_eq!(ready(&warps), [0, 2], "yes at t");
        turn_to(&mut warps, 13, 89);
        assert_eq!(ready(&warps), [0, 2], "beyond the wheel, not at t - 1");
        turn_to(&mut warps, 89, 90);
        assert_eq!(ready(&warps), [0, 1, 2], "beyond the wheel, yes at t");
        assert_eq!(warps.next_wake(Cycles(90)), Cycles::MAX, "nobody sleeps");
    }

    #[test]
    fn warps_asleep_keep_their_cycle_when_an_older_one_leaves() {
        let mut warps = Warps::new(128);
        for ticket in 0..100 {
            warps.admit(job(ticket), 0, Cycles::ZERO);
        }
        warps.sleep::<true>(70, Cycles(5), Cycles(0));
        warps.sleep::<true>(99, Cycles(200), Cycles(0));
        warps.finish::<true>(98, Cycles(6), Cycles(0));
        warps.release(3);
        turn_to(&mut warps, 0, 5);
        assert_eq!(ready(&warps), [70], "its own cycle");
        let mut through = Vec::new();
        warps.turn::<true>(Cycles(6), |slot| through.push(slot));
        assert_eq!(through, [98], "through, not ready");
        turn_to(&mut warps, 6, 200);
        assert_eq!(ready(&warps), [70, 99], "the long sleeper too");
    }
}
