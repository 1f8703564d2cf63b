//! Primitive assembly: takes shaded vertices in order, drops what is culled, and hands triangles (several of a clipped
//! primitive) to the Polygon List Builder's queue.

use std::collections::VecDeque;

use crate::frame::PreparedFrame;
use crate::machine::GeometrySpec;
use crate::statistics::{Activity, ActivityCounters, State};
use azulejo_units::Cycles;

/// Counters of primitive assembly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct AssemblyCounters {
    /// Stalled = waits for vertices, or for room in the triangle queue.
    pub activity: ActivityCounters,
    /// Primitives assembled, culled ones included.
    pub primitives_in: u64,
    /// Primitives culled: no triangle is handed on.
    pub culled: u64,
    /// Triangles handed on, several of a clipped primitive.
    pub primitives_out: u64,
}

/// How far vertices are in the frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shaded {
    /// Vertices shaded so far.
    pub(super) vertices: u64,
    /// Draws with all commands parsed.
    pub(super) draws_ready: u32,
}

/// Primitive assembly, culling and clipping.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    draw: usize,
    /// Next primitive of the draw that comes in.
    next: usize,
    /// Vertices used since the start of the frame.
    pub(super) vertices: u64,
    /// Number of the next triangle, and those of the current primitive that are still to go.
    triangle: u32,
    left: u32,
    activity: Activity,
    counters: AssemblyCounters,
    pub(super) progress: bool,
}

impl Assembly {
    pub(super) fn begin_frame(&mut self) {
        self.draw = 0;
        self.next = 0;
        self.vertices = 0;
        self.triangle = 0;
    }

    pub(super) fn is_done(&self, facts: &PreparedFrame<'_>) -> bool {
        self.draw >= facts.trace.draws.len()
    }

    /// One cycle of the machine.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        spec: &GeometrySpec,
        facts: &PreparedFrame<'_>,
        Shaded {
            vertices,
            draws_ready,
        }: Shaded,
        queue: &mut VecDeque<(Cycles, u32)>,
    ) {
        self.progress = false;
        let mut state = State::Idle;
        let mut budget = spec.primitives_per_cycle;
        while budget > 0 && !self.is_done(facts) {
            state = state.max(State::Stalled);
            let assembled = &facts.trace.draws[self.draw].assembled;
            if self.left > 0 {
                if queue.len() >= spec.triangle_queue as usize {
                    break;
                }
                queue.push_back((now.after(spec.assembly_latency), self.triangle));
                self.triangle += 1;
                self.left -= 1;
                self.counters.primitives_out += 1;
                // The first triangle left together with its primitive.
                budget -= 1;
            } else if let Some(primitive) = assembled.get(self.next) {
                let needed = self.vertices + u64::from(primitive.new_vertices);
                if needed > vertices {
                    break;
                }
                if primitive.binned > 0 && queue.len() >= spec.triangle_queue as usize {
                    break;
                }
                self.vertices = needed;
                self.next += 1;
                self.left = u32::from(primitive.binned);
                self.counters.primitives_in += 1;
                self.counters.culled += u64::from(primitive.binned == 0);
                // A triangle that comes through costs its cycle above, a culled one here.
                budget -= u32::from(primitive.binned == 0);
            } else if (self.draw as u32) < draws_ready {
                self.draw += 1;
                self.next = 0;
            } else {
                break;
            }
            state = State::Busy;
            self.progress = true;
        }
        self.activity.set(state, now);
    }

    /// Grows with everything that the unit does in a frame.
    pub(super) fn work_done(&self) -> u64 {
        self.counters.primitives_in + self.counters.primitives_out
    }

    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.progress {
            now.next()
        } else {
            Cycles::MAX
        }
    }

    /// Has nothing to do from `now` on.
    pub(super) fn rest(&mut self, now: Cycles) {
        self.activity.set(State::Idle, now);
        self.progress = false;
    }

    pub(super) fn take_counters(&mut self, now: Cycles) -> AssemblyCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.activity.take(now);
        counters
    }
}
