//! Requests by address, from arrival until their column command issues: how reads find a pending write or an earlier read,
//! and writes an earlier write. Full byte addresses are compared, not bursts.

use std::collections::hash_map::Entry;

use crate::access::AccessKind;
use crate::cache::ByAddress;
use azulejo_units::DramCycles;

/// A read that waits for data.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingRead {
    pub(super) tag: u64,
    pub(super) arrival: DramCycles,
}

#[derive(Debug, Clone, Copy)]
struct Waiter {
    read: PendingRead,
    /// The next read of the same address, by index.
    next: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Chain {
    first: u32,
    last: u32,
}

/// The pending requests of one channel.
#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    reads: ByAddress<Chain>,
    writes: ByAddress<()>,
    waiters: Vec<Waiter>,
    free: Vec<u32>,
}

impl Pending {
    pub(super) fn has(&self, kind: AccessKind, address: u64) -> bool {
        match kind {
            AccessKind::Read => self.reads.contains_key(&address),
            AccessKind::Write => self.writes.contains_key(&address),
        }
    }

    pub(super) fn any_read(&self) -> bool {
        !self.reads.is_empty()
    }

    /// Addresses with a pending write, the command of which has not issued.
    pub(super) fn n_writes(&self) -> u64 {
        self.writes.len() as u64
    }

    /// Adds a write; false if one to the address is pending already.
    pub(super) fn add_write(&mut self, address: u64) -> bool {
        self.writes.insert(address, ()).is_none()
    }

    pub(super) fn remove_write(&mut self, address: u64) {
        self.writes.remove(&address);
    }

    /// Adds a read; false if it joins one of the same address.
    pub(super) fn add_read(&mut self, address: u64, read: PendingRead) -> bool {
        let at = self.new_waiter(read);
        match self.reads.entry(address) {
            Entry::Vacant(entry) => {
                entry.insert(Chain {
                    first: at,
                    last: at,
                });
                true
            }
            Entry::Occupied(mut entry) => {
                let chain = entry.get_mut();
                self.waiters[chain.last as usize].next = Some(at);
                chain.last = at;
                false
            }
        }
    }

    /// Removes all reads of an address and hands them over in order of arrival.
    pub(super) fn take_reads(&mut self, address: u64, mut take: impl FnMut(PendingRead)) {
        let mut next = self.reads.remove(&address).map(|chain| chain.first);
        while let Some(at) = next {
            let waiter = self.waiters[at as usize];
            self.free.push(at);
            take(waiter.read);
            next = waiter.next;
        }
    }

    fn new_waiter(&mut self, read: PendingRead) -> u32 {
        let waiter = Waiter { read, next: None };
        if let Some(at) = self.free.pop() {
            self.waiters[at as usize] = waiter;
            return at;
        }
        self.waiters.push(waiter);
        u32::try_from(self.waiters.len() - 1).unwrap_or(u32::MAX)
    }
}
