//! The Polygon List Builder: takes triangles, writes their attributes, then an entry into the list of each tile they overlap. One access of
//! the tile cache per port and cycle.

use std::collections::VecDeque;

use super::lists::TileLists;
use crate::gpu::elide::Elider;
use crate::gpu::frame::FrameFacts;
use crate::gpu::memory::{Asker, LineAccess, LineCache, MemoryMap, MemorySystem, NOBODY, Traffic};
use crate::gpu::statistics::{Activity, ActivityCounters, State};
use crate::units::Cycles;

/// What the builder counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ListBuilderCounters {
    /// Stalled = the tile cache does not take its write, or another unit makes it wait.
    pub activity: ActivityCounters,
    /// Triangles taken.
    pub primitives: u64,
    /// Entries written to lists.
    pub entries: u64,
    /// Bytes of attributes written.
    pub attribute_bytes: u64,
    /// Bytes of entries and links written.
    pub list_bytes: u64,
}

/// Where the builder is with its triangle.
#[derive(Debug, Clone, Copy)]
struct Current {
    primitive: u32,
    /// Next attribute line, and the end of the attributes.
    line: u64,
    end: u64,
    /// Next of its tiles.
    tile: usize,
    /// Another unit makes the builder wait.
    held_until: u64,
}

/// The builder.
#[derive(Debug, Default)]
pub(crate) struct PolygonListBuilder {
    /// Triangles that wait: when they are there, and their numbers.
    pub(crate) queue: VecDeque<(u64, u32)>,
    current: Option<Current>,
    /// End of what has been written of the attributes: a line that begins there or later holds nothing.
    written_to: u64,
    activity: Activity,
    counters: ListBuilderCounters,
    pub(crate) progress: bool,
}

/// What the builder needs from outside.
#[derive(Debug)]
pub(crate) struct BuilderPorts<'a, 'f> {
    pub(crate) facts: &'a FrameFacts<'f>,
    pub(crate) map: &'a MemoryMap,
    pub(crate) lists: &'a mut TileLists,
    pub(crate) cache: &'a mut LineCache,
    pub(crate) memory: &'a mut MemorySystem,
    pub(crate) elider: &'a mut dyn Elider,
    pub(crate) ports: u32,
    pub(crate) entry_bytes: u32,
}

impl PolygonListBuilder {
    pub(crate) fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.current.is_none()
    }

    /// A new frame begins at the Parameter Buffer's start.
    pub(crate) fn begin_frame(&mut self) {
        self.written_to = 0;
    }

    pub(crate) fn tick(&mut self, now: u64, ports: &mut BuilderPorts<'_, '_>) {
        let mut state = State::Idle;
        self.progress = false;
        for _ in 0..ports.ports {
            if self.current.is_none() && !self.take(now, ports) {
                break;
            }
            if self.write(now, ports) {
                state = State::Busy;
                self.progress = true;
            } else {
                state = state.max(State::Stalled);
                break;
            }
        }
        self.activity.set(state, now);
    }

    fn take(&mut self, now: u64, ports: &mut BuilderPorts<'_, '_>) -> bool {
        let Some((_, primitive)) = self.queue.pop_front_if(|(at, _)| *at <= now) else {
            return false;
        };
        let (base, bytes) = ports.facts.attributes(primitive);
        let draw = ports.facts.draw_of_primitive[primitive as usize] as usize;
        let draw = &ports.facts.trace.draws[draw];
        let n_tiles = ports.lists.tiles_of(primitive).len();
        let hold = ports.elider.primitive(draw, n_tiles, Cycles(now));
        self.counters.primitives += 1;
        self.counters.attribute_bytes += bytes;
        self.current = Some(Current {
            primitive,
            line: ports.cache.line_of(base),
            end: base + bytes,
            tile: 0,
            held_until: now + hold.0,
        });
        true
    }

    /// One write for the current triangle; false if it must wait.
    fn write(&mut self, now: u64, ports: &mut BuilderPorts<'_, '_>) -> bool {
        let Some(current) = &mut self.current else {
            return false;
        };
        let tiles = ports.lists.tiles_of(current.primitive);
        let asker = Asker {
            traffic: Traffic::ParameterWrite,
            tile: NOBODY,
            draw: ports.facts.draw_of_primitive[current.primitive as usize],
        };
        if current.line < current.end {
            let fresh = current.line >= self.written_to;
            let access = ports.cache.write(current.line, fresh, asker, ports.memory);
            if access == LineAccess::Refused {
                return false;
            }
            current.line += ports.lists.block_bytes;
            self.written_to = self.written_to.max(current.line);
        } else if let Some(&tile) = tiles.get(current.tile) {
            let (block, fresh) = ports.lists.next_block(tile);
            let line = ports.map.lists + u64::from(block) * ports.lists.block_bytes;
            let asker = Asker { tile, ..asker };
            if ports.cache.write(line, fresh, asker, ports.memory) == LineAccess::Refused {
                return false;
            }
            ports.lists.append(tile);
            current.tile += 1;
            self.counters.entries += 1;
            self.counters.list_bytes += u64::from(ports.entry_bytes);
        } else if now < current.held_until {
            return false;
        }
        let done = current.line >= current.end
            && current.tile == ports.lists.tiles_of(current.primitive).len()
            && now >= current.held_until;
        if done {
            self.current = None;
        }
        true
    }

    /// The first cycle after `now` at which something can happen without anything from outside.
    pub(crate) fn next_wake(&self, now: u64) -> u64 {
        if self.progress {
            return now + 1;
        }
        let held = self.current.map(|current| current.held_until);
        let queued = self.queue.front().map(|(at, _)| *at);
        let next = held.or(queued).filter(|at| *at > now);
        next.unwrap_or(u64::MAX)
    }

    /// Has nothing to do from `now` on.
    pub(crate) fn rest(&mut self, now: u64) {
        self.activity.set(State::Idle, now);
    }

    /// What happened since the last call.
    pub(crate) fn take_counters(&mut self, now: u64) -> ListBuilderCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.activity.take(now);
        counters
    }
}
