//! Late depth test and blending: quads of the tile that owns the colour buffer, a number per cycle.

use super::early_z::EarlyZ;
use super::fragment::FragmentStage;
use super::tiles::{ColorBuffer, Tiles, position};
use crate::frame::PreparedFrame;
use crate::machine::RasterSpec;
use crate::shading::Core;
use crate::statistics::State;
use azulejo_units::Cycles;

/// The stage's counters; its state is the tile's.
#[derive(Debug, Default)]
pub(super) struct BlendStage {
    pub(super) quads: u64,
    pub(super) killed_late: u64,
    pub(super) tested_late: u64,
}

impl BlendStage {
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        spec: &RasterSpec,
        facts: &PreparedFrame<'_>,
        tiles: &mut Tiles,
        stages: (&mut FragmentStage, &mut EarlyZ, &mut [Core]),
    ) -> State {
        let (fragments, early_z, cores) = stages;
        let stage = tiles.blend;
        let mut state = State::Idle;
        for _ in 0..spec.blend_quads_per_cycle {
            let Some(tile) = tiles.owner(stage) else {
                break;
            };
            if tile.blend_ready.is_empty() {
                break;
            }
            if tile.color != ColorBuffer::Ready {
                return State::Stalled;
            }
            let Some((id, quad)) = tile.blend_ready.pop_front() else {
                break;
            };
            tile.unblended -= 1;
            tile.blended_until = now.after(spec.blend_latency);
            let flight = fragments.flight(id);
            let facts_of_quad = flight.quads[usize::from(quad)];
            let fixed = facts.trace.draws[flight.draw as usize].state;
            if fixed.late_depth && fixed.depth_test {
                tile.late_pending -= 1;
                early_z.late_done(position(facts_of_quad));
                self.tested_late += 1;
            }
            self.quads += 1;
            self.killed_late += u64::from(facts_of_quad.written() == 0);
            fragments.blended(now, id, quad, tiles, cores);
            state = State::Busy;
        }
        state
    }
}
