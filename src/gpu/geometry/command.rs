//! The command processor: parses draws one after the other, reads their commands and constants, and hands them to the
//! vertex fetcher; it runs one draw ahead.

use crate::frame::PreparedFrame;
use crate::machine::CommandSpec;
use crate::memory::{
    COMMAND_AREA, COMMAND_BYTES, LineAccess, LineCache, MemoryMap, MemorySystem, NOBODY, Requester,
    Traffic, Waiter,
};
use crate::statistics::{Activity, ActivityCounters, State};
use azulejo_units::Cycles;

/// Counters of the command processor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CommandCounters {
    /// Stalled = waits for constants, or for the vertex fetcher.
    pub activity: ActivityCounters,
    /// Draws handed on to the vertex fetcher.
    pub draws: u64,
    /// Bytes of commands and constants.
    pub bytes: u64,
}

/// Draws parsed ahead of the vertex fetcher.
const AHEAD: u32 = 2;

/// Inputs and outputs of the command processor in a cycle.
#[derive(Debug)]
pub(super) struct CommandPorts<'a, 'f> {
    pub(super) facts: &'a PreparedFrame<'f>,
    pub(super) map: &'a MemoryMap,
    pub(super) cache: &'a mut LineCache,
    pub(super) memory: &'a mut MemorySystem,
}

/// Command processor: the draw that it parses, and its place in the commands.
#[derive(Debug, Default)]
pub(super) struct CommandProcessor {
    /// The draw that is parsed.
    draw: u32,
    parsed_at: Option<Cycles>,
    line: u64,
    end: u64,
    /// Offset of the next draw's commands from the start of the area.
    offset: u64,
    pub(super) pending: u32,
    /// Draws wholly parsed in the frame.
    pub(super) ready: u32,
    activity: Activity,
    counters: CommandCounters,
    pub(super) progress: bool,
}

impl CommandProcessor {
    pub(super) fn begin_frame(&mut self) {
        self.draw = 0;
        self.ready = 0;
        self.offset = 0;
        self.parsed_at = None;
    }

    /// One cycle; `fetching` is the draw of the vertices that are fetched.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        spec: &CommandSpec,
        fetching: u32,
        ports: &mut CommandPorts<'_, '_>,
    ) {
        let CommandPorts { facts, map, .. } = *ports;
        self.progress = false;
        let Some(draw) = facts.trace.draws.get(self.draw as usize) else {
            self.activity.set(State::Idle, now);
            return;
        };
        if self.draw >= fetching + AHEAD {
            self.activity.set(State::Stalled, now);
            return;
        }
        let Some(parsed_at) = self.parsed_at else {
            let bytes = COMMAND_BYTES + u64::from(draw.constant_bytes);
            self.parsed_at = Some(now.after(spec.cycles_per_draw));
            self.line = ports
                .cache
                .line_of(map.commands + self.offset % COMMAND_AREA);
            self.end = map.commands + self.offset % COMMAND_AREA + bytes;
            self.offset += bytes.next_multiple_of(COMMAND_BYTES);
            self.counters.bytes += bytes;
            self.progress = true;
            self.activity.set(State::Busy, now);
            return;
        };
        if self.line < self.end {
            let requester = Requester {
                traffic: Traffic::Command,
                tile: NOBODY,
                draw: self.draw,
            };
            let access = (ports.cache).read(self.line, requester, WAITER, ports.memory);
            if access != LineAccess::Refused {
                self.pending += u32::from(access == LineAccess::Pending);
                self.line += ports.cache.line_bytes();
                self.progress = true;
            }
        } else if self.pending == 0 && now >= parsed_at {
            self.draw += 1;
            self.ready = self.draw;
            self.parsed_at = None;
            self.counters.draws += 1;
            self.progress = true;
        }
        let busy = self.progress || now < parsed_at;
        let state = if busy { State::Busy } else { State::Stalled };
        self.activity.set(state, now);
    }

    /// Grows with everything that the unit does in a frame.
    pub(super) fn work_done(&self) -> u64 {
        self.counters.draws + self.counters.bytes
    }

    /// The first cycle after `now` at which time alone lets it go on.
    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.progress {
            return now.next();
        }
        self.parsed_at.filter(|at| *at > now).unwrap_or(Cycles::MAX)
    }

    /// Has nothing to do from `now` on.
    pub(super) fn rest(&mut self, now: Cycles) {
        self.activity.set(State::Idle, now);
        self.progress = false;
    }

    pub(super) fn take_counters(&mut self, now: Cycles) -> CommandCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.activity.take(now);
        counters
    }
}

/// How the command processor's lines are told from those of vertices.
pub(super) const WAITER: Waiter = Waiter(u64::MAX - 1);
