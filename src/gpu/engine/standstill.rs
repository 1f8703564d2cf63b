//! Diagnosis of a machine that stands still: how much work its units have done, and which unit waits for what.

use super::{Gpu, Phase};
use crate::gpu::failure::Deadlock;
use crate::gpu::frame::PreparedFrame;

impl Gpu {
    /// Grows with everything that is done in a frame, but for what the display does.
    pub(super) fn work_done(&self) -> u64 {
        let cores = self.cores.iter().map(|core| core.work_done());
        let units = self.units.iter().map(|unit| unit.work_done());
        let tiling = self.builder.work_done() + self.fetcher.work_done();
        let rest = self.geometry.work_done() + tiling + self.memory.work_done();
        let immediate = self.immediate.iter().map(|unit| unit.work_done());
        cores.chain(units).chain(immediate).sum::<u64>() + rest
    }

    /// Deadlock report: the waits of all units, as far as one can say from outside.
    pub(super) fn deadlock(&self, phase: Phase, facts: &PreparedFrame<'_>) -> Deadlock {
        let mut waiting = match phase {
            Phase::Geometry => self.waiting_geometry(facts),
            Phase::Raster => self.waiting_tiles(),
            Phase::Immediate | Phase::Flush => {
                let mut waiting = self.waiting_geometry(facts);
                waiting.push("clusters have primitives, raster tiles or warps left".to_owned());
                waiting
            }
        };
        if !self.memory.is_idle() {
            waiting.push("the memory has lines under way".to_owned());
        }
        if !self.techniques.is_empty() {
            waiting.push(format!("techniques: {}", self.techniques.join(", ")));
        }
        Deadlock {
            cycle: self.now,
            waiting: waiting.join("; "),
        }
    }

    fn waiting_geometry(&self, facts: &PreparedFrame<'_>) -> Vec<String> {
        let mut waiting = Vec::new();
        if !self.geometry.is_done(facts) {
            waiting.push("the Geometry Pipeline has draws left".to_owned());
        }
        let n_waiting = self.builder.n_waiting();
        if n_waiting > 0 {
            waiting.push(format!(
                "the Polygon List Builder has {n_waiting} triangles left"
            ));
        }
        let ready = self.techniques_ready_at();
        if ready > self.now {
            waiting.push(format!("a technique is ready in cycle {ready}"));
        }
        waiting
    }

    fn waiting_tiles(&self) -> Vec<String> {
        let n_left = self.scheduler.n_left();
        let busy = (0..).zip(&self.units).filter(|(_, unit)| !unit.is_idle());
        let busy: Vec<String> = busy.map(|(nth, _): (u32, _)| nth.to_string()).collect();
        let mut waiting = vec![format!("{n_left} tiles are not handed out")];
        if !busy.is_empty() {
            waiting.push(format!("Raster Units with a tile: {}", busy.join(", ")));
        }
        waiting
    }
}
