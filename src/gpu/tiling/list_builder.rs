//! The Polygon List Builder: takes triangles, writes their attributes, then an entry into the list of each tile they
//! overlap. One access of the tile cache per port and cycle, and no two of one bank.

use std::collections::VecDeque;

use super::lists::TileLists;
use crate::elide::{BinningItem, Elider};
use crate::frame::PreparedFrame;
use crate::memory::{LineAccess, LineCache, MemoryMap, MemorySystem, NOBODY, Requester, Traffic};
use crate::statistics::{Activity, ActivityCounters, State};
use azulejo_grid::TileId;
use azulejo_units::Cycles;

/// Counters of the builder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ListBuilderCounters {
    /// Stalled = the tile cache does not take its write, or another unit makes it wait.
    pub activity: ActivityCounters,
    /// Triangles taken from assembly.
    pub primitives: u64,
    /// Entries written to lists.
    pub entries: u64,
    /// Bytes of attributes written.
    pub attribute_bytes: u64,
    /// Bytes of entries and links written.
    pub list_bytes: u64,
}

/// Progress of the builder with its triangle.
#[derive(Debug, Clone, Copy)]
struct Current {
    primitive: u32,
    /// Next attribute line, and the end of the attributes.
    line: u64,
    end: u64,
    /// Next of its tiles.
    tile: usize,
}

/// Polygon List Builder: its queue of triangles, the one under way, and the Parameter Buffer's end.
#[derive(Debug, Default)]
pub(crate) struct PolygonListBuilder {
    /// Triangles that wait: when they are there, and their numbers.
    pub(crate) queue: VecDeque<(Cycles, u32)>,
    current: Option<Current>,
    /// A technique's unit makes the builder wait.
    held_until: Cycles,
    /// End of what has been written of the attributes: a line that begins there or later holds nothing.
    written_to: u64,
    activity: Activity,
    counters: ListBuilderCounters,
    pub(crate) progress: bool,
}

/// Inputs and outputs of the builder.
#[derive(Debug)]
pub(crate) struct BuilderPorts<'a, 'f> {
    pub(crate) facts: &'a PreparedFrame<'f>,
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

    /// Grows with everything that the builder does in a frame.
    pub(crate) fn work_done(&self) -> u64 {
        let counters = &self.counters;
        counters.primitives + counters.entries + counters.attribute_bytes
    }

    /// Triangles that wait, and one that is being written.
    pub(crate) fn n_waiting(&self) -> usize {
        self.queue.len() + usize::from(self.current.is_some())
    }

    /// A new frame begins at the Parameter Buffer's start.
    pub(crate) fn begin_frame(&mut self) {
        self.written_to = 0;
    }

    pub(crate) fn tick(&mut self, now: Cycles, ports: &mut BuilderPorts<'_, '_>) {
        let mut state = State::Idle;
        self.progress = false;
        ports.cache.begin_cycle();
        for _ in 0..ports.ports {
            if self.current.is_none() && !self.take(now, ports) {
                if self.held_until > now {
                    state = state.max(State::Stalled);
                }
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

    /// Whether a technique lets the builder hand something over now.
    fn is_free(
        &mut self,
        item: BinningItem,
        now: Cycles,
        ports: &mut BuilderPorts<'_, '_>,
    ) -> bool {
        if self.held_until <= now {
            self.held_until = ports.elider.ready(item, now);
        }
        self.held_until <= now
    }

    fn take(&mut self, now: Cycles, ports: &mut BuilderPorts<'_, '_>) -> bool {
        if self.queue.front().is_none_or(|(at, _)| *at > now)
            || !self.is_free(BinningItem::Primitive, now, ports)
        {
            return false;
        }
        let Some((_, primitive)) = self.queue.pop_front() else {
            return false;
        };
        let (base, bytes) = ports.facts.attributes(primitive);
        let draw = ports.facts.draw_of_primitive[primitive as usize];
        let facts = &ports.facts.trace.draws[draw as usize];
        ports.elider.primitive(draw, facts, now);
        self.counters.primitives += 1;
        self.counters.attribute_bytes += bytes;
        self.current = Some(Current {
            primitive,
            line: ports.cache.line_of(base),
            end: base + bytes,
            tile: 0,
        });
        true
    }

    /// One write for the current triangle; false if it must wait.
    fn write(&mut self, now: Cycles, ports: &mut BuilderPorts<'_, '_>) -> bool {
        let Some(current) = self.current else {
            return false;
        };
        let tiles = ports.lists.tiles_of(current.primitive);
        let next_tile = (tiles.get(current.tile).copied()).filter(|_| current.line >= current.end);
        if next_tile.is_some() && !self.is_free(BinningItem::Tile, now, ports) {
            return false;
        }
        let Some(current) = &mut self.current else {
            return false;
        };
        let requester = Requester {
            traffic: Traffic::ParameterWrite,
            tile: NOBODY,
            draw: ports.facts.draw_of_primitive[current.primitive as usize],
        };
        if current.line < current.end {
            let fresh = current.line >= self.written_to;
            if !ports.cache.take_bank(current.line) {
                return false;
            }
            let access = ports
                .cache
                .write(current.line, fresh, requester, ports.memory);
            if access == LineAccess::Refused {
                return false;
            }
            current.line += ports.lists.block_bytes;
            self.written_to = self.written_to.max(current.line);
        } else if let Some(tile) = next_tile {
            let (block, fresh) = ports.lists.next_block(tile);
            let line = ports.map.lists + u64::from(block) * ports.lists.block_bytes;
            let requester = Requester { tile, ..requester };
            if !ports.cache.take_bank(line)
                || ports.cache.write(line, fresh, requester, ports.memory) == LineAccess::Refused
            {
                return false;
            }
            ports.lists.append(tile);
            ports.elider.overlap(TileId(tile), now);
            current.tile += 1;
            self.counters.entries += 1;
            self.counters.list_bytes += u64::from(ports.entry_bytes);
        }
        let done = current.line >= current.end
            && current.tile == ports.lists.tiles_of(current.primitive).len();
        if done {
            self.current = None;
        }
        true
    }

    /// The first cycle after `now` at which something can happen without anything from outside.
    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.progress {
            return now.next();
        }
        let queued = self.queue.front().map(|(at, _)| *at);
        let next = [Some(self.held_until), queued];
        let later = next.into_iter().flatten().filter(|at| *at > now);
        later.min().unwrap_or(Cycles::MAX)
    }

    /// Has nothing to do from `now` on.
    pub(crate) fn rest(&mut self, now: Cycles) {
        self.activity.set(State::Idle, now);
    }

    /// Counters since the last call.
    pub(crate) fn take_counters(&mut self, now: Cycles) -> ListBuilderCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.activity.take(now);
        counters
    }
}
