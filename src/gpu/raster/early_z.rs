//! The early depth test: a pipeline of bounded depth in front of the fragment queue. Which fragments pass is a fact of the
//! trace; here it costs time, and a quad waits for an earlier one of the same place that will be tested late.

use std::collections::VecDeque;

use super::queue::FragmentQueue;
use super::tiles::{POSITIONS, PipeQuad, Tiles, position};
use crate::frame::PreparedFrame;
use crate::machine::RasterSpec;
use crate::statistics::State;
use azulejo_units::Cycles;

/// State of the early depth test: its pipeline, and late tests to come by place.
#[derive(Debug)]
pub(super) struct EarlyZ {
    pipeline: VecDeque<PipeQuad>,
    /// Quads of each place that are to be tested late.
    late: Vec<u16>,
    /// The front waits for a late test.
    pub(super) waits_for_late: bool,
    pub(super) tested: u64,
    pub(super) killed: u64,
}

impl Default for EarlyZ {
    fn default() -> Self {
        Self {
            pipeline: VecDeque::new(),
            late: vec![0; POSITIONS],
            waits_for_late: false,
            tested: 0,
            killed: 0,
        }
    }
}

impl EarlyZ {
    pub(super) fn has_room(&self, spec: &RasterSpec) -> bool {
        self.pipeline.len() < spec.early_z_in_flight as usize
    }

    pub(super) fn push(&mut self, quad: PipeQuad) {
        self.pipeline.push_back(quad);
    }

    pub(super) fn len(&self) -> usize {
        self.pipeline.len()
    }

    /// A quad that was let through has been tested late.
    pub(super) fn late_done(&mut self, place: usize) {
        self.late[place] -= 1;
    }

    /// Moves what has passed to the fragment queue.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        spec: &RasterSpec,
        facts: &PreparedFrame<'_>,
        tiles: &mut Tiles,
        queue: &mut FragmentQueue,
    ) -> State {
        self.waits_for_late = false;
        let mut state = if self.pipeline.is_empty() {
            State::Idle
        } else {
            State::Stalled
        };
        for _ in 0..spec.quads_per_cycle {
            let Some(front) = self.pipeline.front().copied().filter(|quad| quad.at <= now) else {
                break;
            };
            let tile = tiles.get(front.tile);
            if front.quad.is_shaded() {
                let fixed = facts.trace.draws[front.draw as usize].state;
                let is_late = fixed.late_depth && fixed.depth_test;
                let place = position(front.quad);
                if fixed.depth_test && !is_late && self.late[place] > 0 {
                    self.waits_for_late = true;
                    break;
                }
                if queue.is_full() {
                    break;
                }
                if is_late {
                    self.late[place] += 1;
                    tile.late_pending += 1;
                }
                self.tested += u64::from(fixed.depth_test && !is_late);
                tile.queued += 1;
                queue.push(front, tile.tile, &facts.trace.grid);
            } else {
                self.tested += 1;
                self.killed += 1;
            }
            tile.in_early_z -= 1;
            self.pipeline.pop_front();
            state = State::Busy;
        }
        state
    }

    /// The first cycle after `now` at which the front is through the pipeline.
    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        let front = self.pipeline.front().map(|quad| quad.at);
        front.filter(|at| *at > now).unwrap_or(Cycles::MAX)
    }
}
