//! Reference for the rules of the DRAM, written down as plainly as possible and sharing nothing with the model: every cycle
//! is executed, every pair of commands is compared, nothing is cached. The model must equal it on any trace and
//! configuration.

use azulejo::gpu::access::AccessKind;
use azulejo::gpu::dram::{AddressField, DramSpec, TraceRequest};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Act,
    Rd,
    Wr,
    Pre,
    Ref,
}

/// Cycle, command, bank over all ranks, row, column.
pub(crate) type Issued = (u64, Kind, usize, u32, u32);

#[derive(Debug, Clone, Copy)]
struct Entry {
    address: u64,
    write: bool,
    arrival: u64,
    bank: usize,
    row: u32,
    column: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Channel {
    pub(crate) commands: Vec<Issued>,
    pub(crate) read_latencies: Vec<u64>,
    pub(crate) write_latencies: Vec<u64>,
    pub(crate) writes_done: u64,
    pub(crate) hits: u64,
    pub(crate) active: Vec<u64>,
    reads: Vec<Entry>,
    writes: Vec<Entry>,
    pending_reads: Vec<(u64, u64)>,
    pending_writes: Vec<u64>,
    queues: Vec<Vec<Entry>>,
    open: Vec<Option<u32>>,
    columns_since_act: Vec<u32>,
    /// Completion, arrival, is write.
    returning: Vec<(u64, u64, bool)>,
    drain: usize,
    pointer: usize,
    refreshes: Vec<usize>,
    next_rank: usize,
}

/// All times as signed numbers, so that differences need no thought.
struct Times {
    rl: i64,
    wl: i64,
    b: i64,
}

impl Times {
    fn of(spec: &DramSpec) -> Self {
        let t = &spec.timing;
        Self {
            rl: signed(t.al.0 + t.cl.0),
            wl: signed(t.al.0 + t.cwl.0),
            b: i64::from(spec.structure.burst_length) / 2,
        }
    }
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).expect("small")
}

/// Place of the later command's bank, seen from the earlier one's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Bank,
    Group,
    Rank,
    Other,
}

/// Least distance, or none where there is no rule.
fn distance(spec: &DramSpec, before: Kind, after: Kind, place: Where) -> Option<i64> {
    let t = &spec.timing;
    let Times { rl, wl, b } = Times::of(spec);
    let long = |short: u64, long: u64| {
        let one_group = spec.structure.bankgroups == 1;
        let near = place == Where::Bank || place == Where::Group;
        signed(if near && !one_group { long } else { short })
    };
    let (ccd, wtr) = (
        long(t.t_ccd_s.0, t.t_ccd_l.0).max(b),
        long(t.t_wtr_s.0, t.t_wtr_l.0),
    );
    let rtrs = signed(t.t_rtrs.0);
    let (same_bank, other) = (place == Where::Bank, place == Where::Other);
    let value = match (before, after) {
        (Kind::Act, Kind::Act) if same_bank => signed(t.t_ras.0 + t.t_rp.0),
        (Kind::Act, Kind::Act) if !other => long(t.t_rrd_s.0, t.t_rrd_l.0),
        (Kind::Act, Kind::Rd | Kind::Wr) if same_bank => signed(t.t_rcd.0) - signed(t.al.0),
        (Kind::Act, Kind::Pre) if same_bank => signed(t.t_ras.0),
        (Kind::Rd, Kind::Rd) if other => b + rtrs,
        (Kind::Rd, Kind::Rd) => ccd,
        (Kind::Rd, Kind::Wr) if other => rl + b + b + rtrs - wl - b,
        (Kind::Rd, Kind::Wr) => rl + b - wl + rtrs,
        (Kind::Rd, Kind::Pre) if same_bank => signed(t.al.0 + t.t_rtp.0),
        (Kind::Wr, Kind::Rd) if other => wl + b + b + rtrs - rl - b,
        (Kind::Wr, Kind::Rd) => wl + b + wtr,
        (Kind::Wr, Kind::Wr) if other => b,
        (Kind::Wr, Kind::Wr) => ccd,
        (Kind::Wr, Kind::Pre) if same_bank => wl + b + signed(t.t_wr.0),
        (Kind::Pre, Kind::Act | Kind::Ref) if same_bank => signed(t.t_rp.0),
        (Kind::Pre, Kind::Pre) if !same_bank && !other => signed(t.t_ppd.0),
        (Kind::Ref, Kind::Act | Kind::Ref) if !other => signed(t.t_rfc.0),
        _ => return None,
    };
    Some(value)
}

/// Whether a command may follow all that were issued: timing and the four-activate window, not the bank's state.
pub(crate) fn is_legal(
    spec: &DramSpec,
    issued: &[Issued],
    kind: Kind,
    bank: usize,
    now: u64,
) -> bool {
    let per_group = spec.structure.banks_per_group as usize;
    let per_rank = per_group * spec.structure.bankgroups as usize;
    // Commands farther back than the longest rule reaches cannot matter.
    let t = &spec.timing;
    let reach = 4 * (t.t_rfc.0 + t.t_ras.0 + t.t_rp.0 + t.t_wr.0 + t.t_faw.0 + 100);
    let recent = || {
        issued
            .iter()
            .rev()
            .take_while(|command| command.0 + reach >= now)
    };
    let distances_hold = recent().all(|(at, before, other, ..)| {
        let place = match () {
            () if *other == bank => Where::Bank,
            () if other / per_group == bank / per_group => Where::Group,
            () if other / per_rank == bank / per_rank => Where::Rank,
            () => Where::Other,
        };
        let place = match before {
            // A refresh names one bank and means all of its rank.
            Kind::Ref if place != Where::Other => Where::Bank,
            _ => place,
        };
        distance(spec, *before, kind, place).is_none_or(|least| signed(now) >= signed(*at) + least)
    });
    let same_rank = |other: usize| other / per_rank == bank / per_rank;
    let activates = recent().filter(|(_, kind, other, ..)| *kind == Kind::Act && same_rank(*other));
    let in_window = activates.filter(|(at, ..)| at + t.t_faw.0 > now).count();
    distances_hold && (kind != Kind::Act || in_window < 4)
}

impl Channel {
    fn new(spec: &DramSpec) -> Self {
        let n_banks = spec.n_banks() as usize;
        Self {
            queues: vec![Vec::new(); n_banks],
            open: vec![None; n_banks],
            columns_since_act: vec![0; n_banks],
            active: vec![0; spec.n_ranks() as usize],
            ..Self::default()
        }
    }

    fn hand_back(&mut self, now: u64) -> bool {
        let before = self.returning.len();
        for (at, arrival, is_write) in &self.returning {
            if *at <= now && *is_write {
                self.writes_done += 1;
            } else if *at <= now {
                self.read_latencies.push(at - arrival);
            }
        }
        self.returning.retain(|(at, ..)| *at > now);
        self.returning.len() != before
    }

    fn control(&mut self, spec: &DramSpec, now: u64) {
        let ranks = spec.n_ranks() as usize;
        let interval = spec.timing.t_refi.0 / ranks as u64;
        if now > 0 && now.is_multiple_of(interval) {
            self.refreshes.push(self.next_rank);
            self.next_rank = (self.next_rank + 1) % ranks;
        }
        if !self.refresh(spec, now) {
            self.serve(spec, now);
        }
        let per_rank = self.open.len() / ranks;
        for (rank, active) in self.active.iter_mut().enumerate() {
            let banks = &self.open[rank * per_rank..(rank + 1) * per_rank];
            *active += u64::from(banks.iter().any(Option::is_some));
        }
        self.transfer(spec);
    }

    fn refresh(&mut self, spec: &DramSpec, now: u64) -> bool {
        let Some(rank) = self.refreshes.first().copied() else {
            return false;
        };
        let per_rank = self.open.len() / spec.n_ranks() as usize;
        let banks = rank * per_rank..(rank + 1) * per_rank;
        for bank in banks.clone() {
            if self.open[bank].is_some() && is_legal(spec, &self.commands, Kind::Pre, bank, now) {
                self.open[bank] = None;
                self.commands.push((now, Kind::Pre, bank, 0, 0));
                return true;
            }
        }
        let ready = banks.clone().all(|bank| {
            self.open[bank].is_none() && is_legal(spec, &self.commands, Kind::Ref, bank, now)
        });
        if ready {
            self.commands.push((now, Kind::Ref, banks.start, 0, 0));
            self.refreshes.remove(0);
        }
        ready
    }

    fn serve(&mut self, spec: &DramSpec, now: u64) {
        let n = self.queues.len();
        let per_rank = n / spec.n_ranks() as usize;
        for step in 1..=n {
            let bank = (self.pointer + step) % n;
            if self.refreshes.first() == Some(&(bank / per_rank)) {
                continue;
            }
            for at in 0..self.queues[bank].len() {
                if let Some(kind) = self.wanted(spec, bank, at)
                    && is_legal(spec, &self.commands, kind, bank, now)
                {
                    self.issue(spec, kind, bank, at, now);
                    self.pointer = bank;
                    return;
                }
            }
        }
    }

    fn wanted(&self, spec: &DramSpec, bank: usize, at: usize) -> Option<Kind> {
        let queue = &self.queues[bank];
        let entry = queue[at];
        let Some(open) = self.open[bank] else {
            return Some(Kind::Act);
        };
        if entry.row != open {
            let hit_waits = queue.iter().any(|other| other.row == open);
            let capped = self.columns_since_act[bank] >= spec.controller.row_hit_cap;
            return (at == 0 && (!hit_waits || capped)).then_some(Kind::Pre);
        }
        let older_read = queue[..at]
            .iter()
            .any(|old| !old.write && old.row == entry.row && old.column == entry.column);
        match (entry.write, older_read) {
            (false, _) => Some(Kind::Rd),
            (true, false) => Some(Kind::Wr),
            (true, true) => None,
        }
    }

    fn issue(&mut self, spec: &DramSpec, kind: Kind, bank: usize, at: usize, now: u64) {
        let entry = self.queues[bank][at];
        let Times { rl, wl, b } = Times::of(spec);
        let after = |cycles: i64| now + u64::try_from(cycles).expect("positive");
        let (row, column) = match kind {
            Kind::Act => {
                self.open[bank] = Some(entry.row);
                self.columns_since_act[bank] = 0;
                (entry.row, 0)
            }
            Kind::Pre => {
                self.open[bank] = None;
                (0, 0)
            }
            _ => {
                self.hits += u64::from(self.columns_since_act[bank] > 0);
                self.columns_since_act[bank] += 1;
                self.queues[bank].remove(at);
                (entry.row, entry.column)
            }
        };
        self.commands.push((now, kind, bank, row, column));
        if kind == Kind::Rd {
            let done = after(rl + b);
            for (address, arrival) in &self.pending_reads {
                if *address == entry.address {
                    self.returning.push((done, *arrival, false));
                }
            }
            self.pending_reads
                .retain(|(address, _)| *address != entry.address);
        } else if kind == Kind::Wr {
            self.write_latencies.push(after(wl + b) - entry.arrival);
            self.pending_writes
                .retain(|address| *address != entry.address);
        }
    }

    fn transfer(&mut self, spec: &DramSpec) {
        let idle = self.queues.iter().all(Vec::is_empty);
        let full = self.writes.len() >= spec.controller.write_buffer as usize;
        let many = self.writes.len() > spec.controller.drain_low as usize;
        if self.drain == 0 && (full || (many && idle)) {
            self.drain = self.writes.len();
        }
        let room = |queues: &[Vec<Entry>], entry: &Entry| {
            queues[entry.bank].len() < spec.controller.bank_queue as usize
        };
        if self.drain > 0 {
            let first = self
                .writes
                .iter()
                .position(|entry| room(&self.queues, entry));
            let Some(first) = first else {
                return;
            };
            let address = self.writes[first].address;
            if self.pending_reads.iter().all(|(read, _)| *read != address) {
                self.drain -= 1;
                let entry = self.writes.remove(first);
                self.queues[entry.bank].push(entry);
                return;
            }
            self.drain = 0;
            if !idle {
                return;
            }
        }
        if let Some(first) = self
            .reads
            .iter()
            .position(|entry| room(&self.queues, entry))
        {
            let entry = self.reads.remove(first);
            self.queues[entry.bank].push(entry);
        }
    }

    fn accept(&mut self, spec: &DramSpec, entry: Entry) -> bool {
        let waiting = if entry.write {
            &self.writes
        } else {
            &self.reads
        };
        let capacity = match entry.write {
            true => spec.controller.write_buffer,
            false => spec.controller.read_queue,
        };
        if waiting.len() >= capacity as usize {
            return false;
        }
        let written = self.pending_writes.contains(&entry.address);
        if entry.write || written {
            self.returning
                .push((entry.arrival + 1, entry.arrival, entry.write));
        }
        if entry.write && !written {
            self.pending_writes.push(entry.address);
            self.writes.push(entry);
        }
        if !entry.write && !written {
            let joins = self
                .pending_reads
                .iter()
                .any(|(address, _)| *address == entry.address);
            self.pending_reads.push((entry.address, entry.arrival));
            if !joins {
                self.reads.push(entry);
            }
        }
        true
    }
}

/// Channel and queue entry of a request that arrives at `arrival`.
fn locate(spec: &DramSpec, request: &TraceRequest, arrival: u64) -> (usize, Entry) {
    let s = &spec.structure;
    let mut rest = request.address / spec.request_bytes().0;
    let together = u64::from(s.interleave.unwrap_or(1)).div_ceil(spec.request_bytes().0);
    let low_column = rest % together;
    rest /= together;
    let mut of = std::collections::BTreeMap::new();
    for field in s.mapping.0.iter().rev() {
        let (name, count) = match field {
            AddressField::Row => ("ro", s.rows),
            AddressField::Channel => ("ch", s.channels),
            AddressField::Rank => ("ra", spec.n_ranks()),
            AddressField::Bank => ("ba", s.banks_per_group),
            AddressField::BankGroup => ("bg", s.bankgroups),
            AddressField::Column => ("co", s.columns / s.burst_length / together as u32),
        };
        of.insert(name, u32::try_from(rest % u64::from(count)).expect("small"));
        rest /= u64::from(count);
    }
    let bank = (of["ra"] * s.bankgroups + of["bg"]) * s.banks_per_group + of["ba"];
    let entry = Entry {
        address: request.address,
        write: request.kind == AccessKind::Write,
        arrival,
        bank: bank as usize,
        row: of["ro"],
        column: of["co"] * together as u32 + low_column as u32,
    };
    (of["ch"] as usize, entry)
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) channels: Vec<Channel>,
    pub(crate) drain_tick: u64,
    pub(crate) total_ticks: u64,
    pub(crate) last_accept: u64,
    pub(crate) stalled: u64,
    pub(crate) delay: u64,
}

pub(crate) fn run(spec: &DramSpec, requests: &[TraceRequest]) -> Run {
    let channels = (0..spec.structure.channels).map(|_| Channel::new(spec));
    let mut run = Run {
        channels: channels.collect(),
        drain_tick: 0,
        total_ticks: 1000,
        last_accept: 0,
        stalled: 0,
        delay: 0,
    };
    let mut next = 0;
    let mut now = 0;
    while now < run.total_ticks {
        for channel in &mut run.channels {
            if channel.hand_back(now) {
                run.drain_tick = now + 1;
            }
        }
        for channel in &mut run.channels {
            channel.control(spec, now);
        }
        if let Some(request) = requests.get(next)
            && request.cycle.0 <= now
        {
            let (channel, entry) = locate(spec, request, now + 1);
            if run.channels[channel].accept(spec, entry) {
                next += 1;
                run.last_accept = now;
                run.stalled += u64::from(now > request.cycle.0);
                run.delay += now - request.cycle.0;
            }
        }
        now += 1;
        let busy = run
            .channels
            .iter()
            .any(|channel| !channel.returning.is_empty() || !channel.pending_reads.is_empty());
        if next < requests.len() || busy {
            run.total_ticks = now + 1;
        } else {
            run.total_ticks = run.drain_tick + 1000;
        }
    }
    run
}
