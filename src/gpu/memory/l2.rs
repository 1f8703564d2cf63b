//! The shared second-level cache: banks that look one request up a cycle, write-back, misses under way by bank. Lines are
//! dealt to the banks one by one. A miss that cannot go on (no miss register, no room towards the DRAM) steps aside into
//! the bank's waiting room, so that hits behind it pass; the waiting room is as deep as there are miss registers, and only
//! when it is full a miss holds its bank.

use std::collections::VecDeque;

use super::controller::MemoryController;
use super::map::WrittenAreas;
use super::observer::L2Observers;
use super::request::{LineRequest, NOBODY, Requester, Source, Traffic, TrafficCounts};
use super::way::RequestWay;
use crate::access::AccessKind;
#[cfg(test)]
use crate::cache::CacheSpecError;
use crate::cache::{Eviction, MshrFile, MshrOutcome, MshrSpec, PolicyTags};
use crate::machine::L2Spec;
use azulejo_units::Cycles;

/// A line on its way to a first-level cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Response {
    /// When it is there.
    pub(crate) at: Cycles,
    pub(crate) line: u64,
    pub(crate) source: Source,
}

#[derive(Debug)]
struct Bank {
    queue: VecDeque<LineRequest>,
    /// Misses that could not go on, oldest first; all have been counted.
    aside: VecDeque<LineRequest>,
    misses: MshrFile<Source>,
    /// The head of the queue has been looked up and counted, and waits.
    head_missed: bool,
}

/// A line that goes to or comes from the DRAM. Reads are charged to the first requester; for a written line that leaves the
/// cache, only its address tells the owner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) line: u64,
    pub(crate) requester: Requester,
}

/// Counters of the L2, by kind of traffic, in lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct L2Counters {
    pub(crate) reads: TrafficCounts,
    pub(crate) read_misses: TrafficCounts,
    pub(crate) writes: TrafficCounts,
    pub(crate) writebacks: u64,
    /// Bank-cycles in which the head of the queue could not go on.
    pub(crate) stalled: u64,
    /// Bank-cycles in which a request was accepted, or went on from the waiting room.
    pub(crate) accepted: u64,
}

/// The cache with its banks.
#[derive(Debug)]
pub(crate) struct L2Cache {
    spec: L2Spec,
    line_shift: u32,
    tags: PolicyTags,
    banks: Vec<Bank>,
    way: RequestWay,
    /// Bank that is first at the ports.
    first_bank: usize,
    /// Banks with something in their queue, as bits.
    waiting: u64,
    /// Waiting banks that could do nothing at their last cycle. Until a request or a line comes to the bank, or the way to
    /// the DRAM has room again, they cannot do anything either.
    stuck: u64,
    /// Stuck banks with a request in their queue.
    held: u64,
    /// Banks with a full queue, as bits.
    full: u64,
    /// Whether the way to the DRAM had room after the last tick, for reads and for writes.
    had_room: [bool; 2],
    /// Hit responses in flight, by due time.
    hits: VecDeque<Response>,
    /// Fill responses in flight, by due time.
    fills: VecDeque<Response>,
    n_misses: usize,
    waiters: Vec<Source>,
    /// Something changed since the heads that wait were tried.
    progress: bool,
    /// Heads that could not go on at the last tick, and when that was.
    n_stalled: u64,
    last_tick: Cycles,
    pub(crate) observers: L2Observers,
    pub(crate) counters: L2Counters,
    /// Areas that a machine without a Parameter Buffer writes, by address.
    pub(crate) written_areas: Option<WrittenAreas>,
    /// Lines sent to the DRAM since the last look.
    pub(crate) transfers: Vec<Transfer>,
}

impl L2Cache {
    /// An L2 that replaces as the machine does.
    #[cfg(test)]
    pub(crate) fn new(spec: &L2Spec, n_sources: usize) -> Result<Self, CacheSpecError> {
        let tags = PolicyTags::of_machine(spec.tags, spec.replacement)?;
        let observers = L2Observers::new(1, n_sources as u32);
        Ok(Self::with_tags(spec, tags, n_sources, observers))
    }

    pub(crate) fn with_tags(
        spec: &L2Spec,
        tags: PolicyTags,
        n_sources: usize,
        observers: L2Observers,
    ) -> Self {
        let misses = MshrSpec {
            entries: spec.mshrs_per_bank,
            // Each first-level cache requests a line once.
            targets_per_entry: n_sources as u32,
        };
        let bank = || Bank {
            queue: VecDeque::with_capacity(spec.bank_queue as usize),
            aside: VecDeque::new(),
            misses: MshrFile::new(misses),
            head_missed: false,
        };
        Self {
            spec: *spec,
            line_shift: spec.tags.line.0.trailing_zeros(),
            tags,
            banks: (0..spec.banks).map(|_| bank()).collect(),
            way: RequestWay::new(spec.request_latency, spec.banks),
            first_bank: 0,
            waiting: 0,
            full: 0,
            stuck: 0,
            held: 0,
            had_room: [true; 2],
            hits: VecDeque::new(),
            fills: VecDeque::new(),
            n_misses: 0,
            waiters: Vec::new(),
            progress: false,
            n_stalled: 0,
            last_tick: Cycles::ZERO,
            observers,
            counters: L2Counters::default(),
            written_areas: None,
            transfers: Vec::new(),
        }
    }

    fn bank_of(&self, line: u64) -> usize {
        ((line >> self.line_shift) & u64::from(self.spec.banks - 1)) as usize
    }

    /// The line's bank, as a bit.
    #[inline]
    pub(crate) fn bank_bit(&self, line: u64) -> u64 {
        1 << self.bank_of(line)
    }

    /// Whether any of these banks, as bits, takes another request.
    #[inline]
    pub(crate) fn has_room_in(&self, banks: u64) -> bool {
        banks & !self.full != 0
    }

    /// Sends a request to its bank, which must have room.
    pub(crate) fn push(&mut self, request: LineRequest) {
        let bank = self.bank_of(request.line);
        if self.way.is_none() {
            self.arrive(bank, request);
        } else {
            self.way.send(bank, request);
        }
        self.note_room(bank);
    }

    /// Puts a request into its bank's queue.
    fn arrive(&mut self, bank: usize, request: LineRequest) {
        self.banks[bank].queue.push_back(request);
        self.waiting |= 1 << bank;
        self.stuck &= !(1 << bank);
        self.progress = true;
    }

    /// Notes whether a bank takes another request: into its queue, or onto the way there.
    fn note_room(&mut self, bank: usize) {
        let n_places = u64::from(self.spec.bank_queue) + self.way.n_places();
        let n_requests = self.banks[bank].queue.len() + self.way.n_coming(bank);
        let is_full = n_requests as u64 >= n_places;
        self.full = (self.full & !(1 << bank)) | (u64::from(is_full) << bank);
    }

    /// Whether no request waits and no line is on its way.
    pub(crate) fn is_idle(&self) -> bool {
        let is_quiet = self.waiting == 0 && self.way.is_empty();
        is_quiet && self.n_misses == 0 && self.hits.is_empty() && self.fills.is_empty()
    }

    /// Whether any request waits at a bank or is on its way. Without one, a cycle of the banks changes nothing.
    #[inline]
    pub(crate) fn has_requests(&self) -> bool {
        self.waiting != 0 || !self.way.is_empty()
    }

    /// Lets all banks try in the next tick, as a cache without memory of its banks would.
    #[cfg(test)]
    pub(super) fn try_all_banks(&mut self) {
        self.stuck = 0;
    }

    /// Each bank does one thing: the oldest miss that waits aside goes on, or the head of the queue is looked up.
    pub(crate) fn tick(&mut self, now: Cycles, memory: &mut MemoryController) {
        self.counters.stalled += self.n_stalled * (now - self.last_tick).0;
        self.last_tick = now;
        self.progress = false;
        if !self.way.is_empty() {
            self.way.set_out(now);
            while let Some((bank, request)) = self.way.arrive(now) {
                self.arrive(bank, request);
            }
        }
        let [reads, writes] = room_of(memory);
        let [had_reads, had_writes] = self.had_room;
        if (reads && !had_reads) || (writes && !had_writes) {
            self.stuck = 0;
        }
        self.n_stalled = (self.stuck & self.held).count_ones().into();
        let banks = self.waiting & !self.stuck;
        match self.spec.ports {
            0 => each(banks, |bank| self.tick_bank(bank, now, memory)),
            n_ports => self.tick_through_ports(n_ports, banks, now, memory),
        }
        self.had_room = room_of(memory);
    }

    /// As many of the banks as there are ports do something; next time those behind the last of them are first.
    fn tick_through_ports(
        &mut self,
        n_ports: u32,
        banks: u64,
        now: Cycles,
        memory: &mut MemoryController,
    ) {
        let before = self.counters.accepted;
        let from_first = u64::MAX << self.first_bank;
        for banks in [banks & from_first, banks & !from_first] {
            each(banks, |bank| {
                let n_used = self.counters.accepted - before;
                if n_used >= u64::from(n_ports) {
                    let holds_one = !self.banks[bank].queue.is_empty();
                    self.n_stalled += u64::from(holds_one);
                    return;
                }
                self.tick_bank(bank, now, memory);
                if self.counters.accepted - before > n_used {
                    self.first_bank = (bank + 1) % self.banks.len();
                }
            });
        }
    }

    fn tick_bank(&mut self, bank: usize, now: Cycles, memory: &mut MemoryController) {
        // Requests aside are older than those in the queue, so they go first where both could.
        let oldest = self.banks[bank].aside.front().copied();
        if oldest.is_some_and(|request| self.go_on(&request, now, memory)) {
            self.banks[bank].aside.pop_front();
            self.note_work();
        } else if let Some(request) = self.banks[bank].queue.front().copied() {
            if self.accept(bank, &request, now, memory) {
                self.banks[bank].queue.pop_front();
                self.note_room(bank);
                self.banks[bank].head_missed = false;
                self.note_work();
            } else {
                self.n_stalled += 1;
                self.stuck |= 1 << bank;
                self.held |= 1 << bank;
            }
        } else {
            self.stuck |= 1 << bank;
            self.held &= !(1 << bank);
        }
        let bank_now = &self.banks[bank];
        if bank_now.queue.is_empty() && bank_now.aside.is_empty() {
            self.waiting &= !(1 << bank);
        }
    }

    fn note_work(&mut self) {
        self.counters.accepted += 1;
        self.progress = true;
    }

    /// Looks the head of a queue up and does what can be done; false if it has to stay.
    fn accept(
        &mut self,
        bank: usize,
        request: &LineRequest,
        now: Cycles,
        memory: &mut MemoryController,
    ) -> bool {
        let first_look = !self.banks[bank].head_missed;
        if first_look {
            if self.look_up(request) {
                self.answer(request, now);
                return true;
            }
            self.banks[bank].head_missed = true;
        }
        let goes_on = self.may_pass(bank, request)
            && match first_look {
                true => self.ask_memory(request, now, memory),
                false => self.go_on(request, now, memory),
            };
        if goes_on {
            return true;
        }
        let waiting = &mut self.banks[bank].aside;
        let room = waiting.len() < self.spec.mshrs_per_bank as usize;
        if room {
            waiting.push_back(*request);
        }
        room
    }

    /// Whether a miss may go before the older ones aside: none is for its line, and it takes no register that they wait
    /// for.
    fn may_pass(&self, bank: usize, request: &LineRequest) -> bool {
        let Bank { aside, misses, .. } = &self.banks[bank];
        let takes_none = request.is_write || misses.is_pending(request.line);
        aside.is_empty() || (takes_none && aside.iter().all(|older| older.line != request.line))
    }

    /// Counts a request; whether its line is there.
    fn look_up(&mut self, request: &LineRequest) -> bool {
        self.observers.access(request);
        let traffic = request.requester.traffic;
        if request.is_write {
            self.counters.writes[traffic] += 1;
            return self.tags.lookup(request.line, AccessKind::Write);
        }
        self.counters.reads[traffic] += 1;
        let hit = self.tags.lookup(request.line, AccessKind::Read);
        self.counters.read_misses[traffic] += u64::from(!hit);
        hit
    }

    /// The line of a read goes to the requester; a write is done.
    fn answer(&mut self, request: &LineRequest, now: Cycles) {
        if !request.is_write {
            self.hits.push_back(Response {
                at: now + self.spec.latency,
                line: request.line,
                source: request.source,
            });
        }
    }

    /// A request that has been counted goes on, if it can: a line that has come meanwhile answers it.
    fn go_on(&mut self, request: &LineRequest, now: Cycles, memory: &mut MemoryController) -> bool {
        if !request.is_write && self.tags.contains(request.line) {
            self.answer(request, now);
            return true;
        }
        self.ask_memory(request, now, memory)
    }

    /// A request that missed goes on, if it can.
    fn ask_memory(
        &mut self,
        request: &LineRequest,
        now: Cycles,
        memory: &mut MemoryController,
    ) -> bool {
        if request.is_write {
            return self.write_whole(request, now, memory);
        }
        let bank = self.bank_of(request.line);
        let misses = &mut self.banks[bank].misses;
        // A line under way can be joined without room.
        if !memory.has_room(AccessKind::Read) && !misses.is_pending(request.line) {
            return false;
        }
        match misses.request(request.line, request.source) {
            MshrOutcome::Full => false,
            MshrOutcome::Merged => true,
            MshrOutcome::Allocated => {
                self.n_misses += 1;
                memory.push(
                    now + self.spec.latency,
                    request.line,
                    AccessKind::Read,
                    request.requester.traffic,
                );
                self.transfers.push(Transfer {
                    line: request.line,
                    requester: request.requester,
                });
                true
            }
        }
    }

    /// A whole line: nothing has to be read first.
    fn write_whole(
        &mut self,
        request: &LineRequest,
        now: Cycles,
        memory: &mut MemoryController,
    ) -> bool {
        if !memory.has_room(AccessKind::Write) {
            return false;
        }
        let evicted = self.tags.fill(request.line, true);
        self.write_back(evicted, now, memory);
        true
    }

    fn write_back(
        &mut self,
        evicted: Option<Eviction>,
        now: Cycles,
        memory: &mut MemoryController,
    ) {
        if let Some(line) = evicted.filter(|line| line.dirty) {
            self.counters.writebacks += 1;
            // On a machine with a Parameter Buffer, only its lines are written through caches.
            let areas = self.written_areas.as_ref();
            let traffic = areas.map_or(Traffic::ParameterWrite, |areas| {
                areas.traffic_of(line.address)
            });
            memory.push(now, line.address, AccessKind::Write, traffic);
            self.transfers.push(Transfer {
                line: line.address,
                requester: Requester {
                    traffic,
                    tile: NOBODY,
                    draw: NOBODY,
                },
            });
        }
    }

    /// A line has come from the DRAM: all waiters get it.
    pub(crate) fn fill(&mut self, line: u64, now: Cycles, memory: &mut MemoryController) {
        let evicted = self.tags.fill(line, false);
        self.write_back(evicted, now, memory);
        let bank = self.bank_of(line);
        self.stuck &= !(1 << bank);
        let mut waiters = std::mem::take(&mut self.waiters);
        if self.banks[bank].misses.complete(line, &mut waiters) {
            self.n_misses -= 1;
        }
        for source in waiters.drain(..) {
            self.fills.push_back(Response {
                at: now + Cycles(1),
                line,
                source,
            });
        }
        self.waiters = waiters;
    }

    /// The next response that is there at `now`: hits first, then fills.
    pub(crate) fn pop_response(&mut self, now: Cycles) -> Option<Response> {
        self.hits
            .pop_front_if(|response| response.at <= now)
            .or_else(|| self.fills.pop_front_if(|response| response.at <= now))
    }

    /// The first cycle after `now` at which something can happen here without the DRAM.
    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        let next = now + Cycles(1);
        if self.waiting != 0 && self.progress {
            return next;
        }
        let at = |queue: &VecDeque<Response>| queue.front().map_or(Cycles::MAX, |r| r.at);
        let coming = self.way.next_wake(next);
        at(&self.hits).min(at(&self.fills)).min(coming).max(next)
    }
}

/// Calls `work` with each of the banks, as bits, lowest first.
fn each(mut banks: u64, mut work: impl FnMut(usize)) {
    while banks != 0 {
        work(banks.trailing_zeros() as usize);
        banks &= banks - 1;
    }
}

/// Whether the way to the DRAM has room for reads, and for writes.
fn room_of(memory: &MemoryController) -> [bool; 2] {
    [AccessKind::Read, AccessKind::Write].map(|kind| memory.has_room(kind))
}
