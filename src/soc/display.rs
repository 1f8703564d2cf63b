//! A display controller: finished frames in, reads of the frame shown out, a scan each refresh. Pixels leave at a constant
//! rate and come from a FIFO that reads ahead; a line that is not there when its first pixel is due is the deadline missed.
//! The scan is then aborted, and the same frame is tried again at the next refresh. If no new frame is queued, the old
//! one is scanned again.
//!
//! A scan is `n` lines of the memory system. After the blanking, line `k` is due at `blanking + k x active / n` of the
//! refresh, in ticks of the GPU's clock rounded up, and leaves the FIFO then.

use std::collections::VecDeque;

use serde::Serialize;

use super::spec::ScanSpec;
use azulejo_gpu::FrameBuffer;
use azulejo_gpu::access::AccessKind;
use azulejo_gpu::dram::{AgentId, AgentNotice};
use azulejo_gpu::memory::AgentPort;
use azulejo_units::{Bytes, Cycles, Hertz};

/// Counters of the display since the system was switched on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ScanCounters {
    /// Scans begun: new frames, rescans and retries together.
    pub scans: u64,
    /// Scans begun of a frame that had not been begun before.
    pub new_frames: u64,
    /// Scans begun of a frame whose scan was finished before: nothing new was there.
    pub rescans: u64,
    /// Scans begun of a frame whose last scan was aborted.
    pub retries: u64,
    /// Scans given up because a line was late.
    pub aborted: u64,
    /// Scans that came to their end.
    pub finished: u64,
}

/// Fixed properties of the display: its scan parameters, its rates and its line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    pub(super) spec: ScanSpec,
    /// Refresh rate, in scans a second.
    pub(super) refresh: u32,
    /// The GPU's clock, in which the display is ticked.
    pub(super) clock: Hertz,
    /// Bytes of a line, and bursts of the DRAM in it.
    pub(super) line: Bytes,
    pub(super) bursts_per_line: u64,
}

/// A scan under way.
#[derive(Debug, Clone, Default)]
struct Scan {
    n_lines: u64,
    asked: u64,
    /// Lines that have left the FIFO.
    shown: u64,
    /// From `shown` on, whether each requested line is there.
    there: VecDeque<bool>,
    /// Whether the first line has been due: from then on the deadline runs.
    has_begun: bool,
}

/// A read under way: of which scan, and which line of it.
#[derive(Debug, Clone, Copy)]
struct Read {
    address: u64,
    scan: u64,
    line: u64,
}

/// Display controller: its queue of finished frames, the scan under way and its reads.
#[derive(Debug)]
pub(super) struct DisplayController {
    place: usize,
    screen: Screen,
    /// Number of the next refresh, counted from switching on.
    refresh: u64,
    shown: Option<FrameBuffer>,
    /// Whether the last scan of `shown` was aborted.
    was_aborted: bool,
    queue: VecDeque<FrameBuffer>,
    scan: Option<Scan>,
    under_way: VecDeque<Read>,
    /// Frames that have been taken from the queue.
    pub(super) n_taken: u64,
    pub(super) counters: ScanCounters,
}

impl DisplayController {
    pub(super) const fn new(place: usize, screen: Screen) -> Self {
        Self {
            place,
            screen,
            refresh: 0,
            shown: None,
            was_aborted: false,
            queue: VecDeque::new(),
            scan: None,
            under_way: VecDeque::new(),
            n_taken: 0,
            counters: ScanCounters {
                scans: 0,
                new_frames: 0,
                rescans: 0,
                retries: 0,
                aborted: 0,
                finished: 0,
            },
        }
    }

    /// A frame is finished; it is shown from a refresh to come on.
    pub(super) fn queue(&mut self, frame: FrameBuffer) {
        self.queue.push_back(frame);
    }

    /// The cycle in which a refresh begins.
    fn begin_of(&self, refresh: u64) -> Cycles {
        let cycles = u128::from(refresh) * u128::from(self.screen.clock.0);
        Cycles(cycles.div_ceil(u128::from(self.screen.refresh)) as u64)
    }

    /// When a line of the scan under way leaves the FIFO.
    fn due(&self, n_lines: u64, line: u64) -> Cycles {
        let scan = self.refresh - 1;
        let blanking = u128::from(self.screen.spec.blanking_per_mille);
        // In thousandths of a line's share of the refresh.
        let parts = blanking * u128::from(n_lines) + (1000 - blanking) * u128::from(line);
        let parts = u128::from(scan) * u128::from(n_lines) * 1000 + parts;
        let whole = u128::from(self.screen.refresh) * u128::from(n_lines) * 1000;
        Cycles((parts * u128::from(self.screen.clock.0)).div_ceil(whole) as u64)
    }

    /// The next cycle in which it does something even if no line arrives.
    pub(super) fn next_wake(&self) -> Cycles {
        let refresh = self.begin_of(self.refresh);
        let due =
            (self.scan.as_ref()).map_or(Cycles::MAX, |scan| self.due(scan.n_lines, scan.shown));
        refresh.min(due)
    }

    /// A line has arrived; of an aborted scan it is of no use.
    pub(super) fn served(&mut self, address: u64) {
        let Some(at) = (self.under_way.iter()).position(|read| read.address == address) else {
            return;
        };
        let read = self.under_way.remove(at);
        let (Some(read), Some(scan)) = (read, &mut self.scan) else {
            return;
        };
        if read.scan + 1 == self.refresh
            && let Some(place) = read.line.checked_sub(scan.shown)
        {
            scan.there[place as usize] = true;
        }
    }

    pub(super) fn tick(&mut self, now: Cycles, port: &mut dyn AgentPort) {
        self.show(now, port);
        while self.begin_of(self.refresh) <= now {
            self.begin_scan();
        }
        self.ask(port);
    }

    /// Lines that are due leave the FIFO; one that is not there ends the scan.
    fn show(&mut self, now: Cycles, port: &mut dyn AgentPort) {
        let Some(mut scan) = self.scan.take() else {
            return;
        };
        while self.due(scan.n_lines, scan.shown) <= now {
            if !scan.has_begun {
                scan.has_begun = true;
                port.notice(&AgentNotice::PeriodBegins {
                    agent: AgentId::DISPLAY,
                    bursts: Some(scan.n_lines * self.screen.bursts_per_line),
                });
            }
            if scan.there.pop_front() != Some(true) {
                self.was_aborted = true;
                self.counters.aborted += 1;
                self.end(port);
                return;
            }
            scan.shown += 1;
            if scan.shown == scan.n_lines {
                self.was_aborted = false;
                self.counters.finished += 1;
                self.end(port);
                return;
            }
        }
        self.scan = Some(scan);
    }

    fn end(&self, port: &mut dyn AgentPort) {
        let agent = AgentId::DISPLAY;
        port.notice(&AgentNotice::PeriodEnds { agent });
    }

    fn begin_scan(&mut self) {
        self.refresh += 1;
        let next = self.queue.pop_front();
        let is_new = next.is_some();
        if is_new {
            self.shown = next;
            self.n_taken += 1;
        }
        let Some(frame) = self.shown else {
            return;
        };
        let n_lines = frame.bytes.0.div_ceil(self.screen.line.0);
        if n_lines == 0 {
            return;
        }
        let counters = &mut self.counters;
        counters.scans += 1;
        match (is_new, self.was_aborted) {
            (true, _) => counters.new_frames += 1,
            (false, true) => counters.retries += 1,
            (false, false) => counters.rescans += 1,
        }
        self.scan = Some(Scan {
            n_lines,
            ..Scan::default()
        });
    }

    /// Requests lines as long as the FIFO has room for what is not yet shown.
    fn ask(&mut self, port: &mut dyn AgentPort) {
        let (Some(scan), Some(frame)) = (&mut self.scan, self.shown) else {
            return;
        };
        let room = (self.screen.spec.fifo.0 / self.screen.line.0).max(1);
        let current = self.refresh - 1;
        // A read of an aborted scan keeps its place until its line comes.
        let stale = self.under_way.iter().filter(|read| read.scan != current);
        let room = room.saturating_sub(stale.count() as u64);
        while scan.asked < scan.n_lines && scan.asked - scan.shown < room {
            let address = frame.base + scan.asked * self.screen.line.0;
            port.ask(self.place, AccessKind::Read, address);
            self.under_way.push_back(Read {
                address,
                scan: current,
                line: scan.asked,
            });
            scan.there.push_back(false);
            scan.asked += 1;
        }
    }
}
