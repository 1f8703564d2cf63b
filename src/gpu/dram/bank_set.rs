//! Sets of the banks of one channel, of which there are at most 64: one bit a bank.

/// A set of the banks of a channel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BankSet(pub(super) u64);

impl BankSet {
    /// The set without banks.
    pub const EMPTY: Self = Self(0);

    /// Whether no bank is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `bank` is in the set.
    #[must_use]
    pub const fn contains(self, bank: usize) -> bool {
        self.0 >> bank & 1 == 1
    }

    /// The first member after `bank`, going round; `bank` itself if the set is empty.
    #[must_use]
    pub const fn next_after(self, bank: usize) -> usize {
        let above = self.0 & (u64::MAX << bank) & !(1 << bank);
        if above != 0 {
            above.trailing_zeros() as usize
        } else if self.0 != 0 {
            self.0.trailing_zeros() as usize
        } else {
            bank
        }
    }

    /// The members in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let bank = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bank < 64).then_some(bank)
        })
    }

    pub(super) const fn insert(&mut self, bank: usize) {
        self.0 |= 1 << bank;
    }

    pub(super) const fn remove(&mut self, bank: usize) {
        self.0 &= !(1 << bank);
    }

    /// The set of `bank` alone, if so.
    pub(super) const fn of(bank: usize, is_in: bool) -> Self {
        Self((is_in as u64) << bank)
    }

    /// Puts `bank` in or takes it out.
    pub(super) const fn set(&mut self, bank: usize, is_in: bool) {
        self.0 = self.0 & !(1 << bank) | Self::of(bank, is_in).0;
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The first `n` banks, at most 64.
    pub(super) const fn first(n: usize) -> Self {
        Self(u64::MAX >> (64 - n))
    }
}
