//! A frame on a machine that renders immediately: geometry and clusters side by side in one phase, then lines held in
//! caches go to the L2.

use super::{DrawOrder, ImmediatePipeline, ImmediatePorts};
use crate::gpu::engine::{FrameRun, Gpu, Phase};
use crate::gpu::failure::FrameError;
use crate::gpu::frame::PreparedFrame;
use crate::gpu::memory::FrameNeeds;
use crate::trace::FrameTrace;
use crate::units::Cycles;

impl Gpu {
    /// Executes one pass on a machine without tiles: geometry and rasterisation side by side.
    pub(in crate::gpu) fn run_immediate(
        &mut self,
        trace: &FrameTrace,
        run: &mut FrameRun,
        begin: fn(&mut Self, &FrameTrace),
    ) -> Result<Cycles, FrameError> {
        run.order = DrawOrder::new(trace);
        run.geometry_end = None;
        let frame_buffers = self.spec.display.frame_buffers;
        let line = self.spec.l2.tags.line.0;
        let needs = FrameNeeds::without_tiles(frame_buffers, line);
        self.map.place(trace, &needs);
        let depth_bytes = ImmediatePipeline::depth_bytes(trace, &needs);
        (self.map).place_immediate(depth_bytes, run.order.output_bytes());
        self.memory.l2.written_areas = Some(self.map.written_areas());
        let mut facts = PreparedFrame::new(trace, &self.map);
        if let Some(immediate) = &self.immediate {
            facts.add_operations(immediate.operation_instructions());
        }
        let start = self.now;
        begin(self, trace);
        if let Some(immediate) = &mut self.immediate {
            immediate.begin_pass(&facts, &self.map);
        }
        self.run_phase(Phase::Immediate, &facts, run)?;
        if let Some(immediate) = &mut self.immediate {
            immediate.flush();
        }
        self.run_phase(Phase::Flush, &facts, run)?;
        Ok(run.geometry_end.unwrap_or(self.now).since(start))
    }

    /// Whether all draws have become pixels in the cores' caches.
    pub(in crate::gpu) fn is_drawn_immediately(
        &self,
        facts: &PreparedFrame<'_>,
        run: &FrameRun,
    ) -> bool {
        run.geometry_end.is_some()
            && self.builder.queue.is_empty()
            && self.memory.is_idle()
            && (self.immediate.as_ref()).is_none_or(|unit| unit.is_idle(facts, &run.order))
    }

    /// One cycle of everything but cores and memory: clusters first, then geometry, which fills the queue that they empty.
    pub(in crate::gpu) fn tick_immediate(&mut self, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let now = self.now;
        let Some(immediate) = &mut self.immediate else {
            return;
        };
        let mut ports = ImmediatePorts {
            facts,
            order: &run.order,
            memory: &mut self.memory,
            cores: &mut self.cores,
            attribution: &mut run.attribution,
            triangles: &mut self.builder.queue,
            vertices_done: self.geometry.vertices_done(),
            frame_start: run.start,
        };
        immediate.tick(now, &mut ports);
        if run.geometry_end.is_none() {
            let threads = self.cores[self.vertex_cores[0]].spec().warp_threads;
            let ahead = immediate.vertices_ahead(threads);
            self.tick_pipeline(facts, run, Some(ahead));
            if self.geometry.is_done(facts) {
                run.geometry_end = Some(now);
                self.geometry.rest(now.next());
            }
        }
    }
}
