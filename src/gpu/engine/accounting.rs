//! After a frame: counters of all units into a [`FrameReport`].

use super::passes::PassCosts;
use super::{FrameRun, Gpu};
use crate::dram::{ChannelCounters, DramEnergy, LatencyHistogram};
use crate::pipeline::Common;
use crate::report::{DramReport, FrameReport, L2Report, TechniqueReport};
use azulejo_trace::FrameTrace;
use azulejo_units::{Cycles, DramCycles};

impl Gpu {
    pub(super) fn take_report(
        &mut self,
        trace: &FrameTrace,
        run: FrameRun,
        passes: PassCosts,
    ) -> FrameReport {
        let now = self.now;
        let l2 = std::mem::take(&mut self.common.memory.l2.counters);
        let costs = passes.of_frame(trace);
        let geometry = costs.geometry;
        let behind_assembly = self.pipeline.take_counters(now);
        let mut report = FrameReport {
            frame: trace.frame,
            grid: trace.grid,
            samples: trace.samples,
            clock: self.spec().clock,
            cycles: now.since(run.start),
            geometry_cycles: geometry,
            raster_cycles: now.since(run.start).saturating_sub(geometry),
            geometry: self.common.geometry.take_counters(now),
            list_builder: behind_assembly.list_builder,
            tile_fetcher: behind_assembly.tile_fetcher,
            tile_cache: behind_assembly.tile_cache,
            raster_units: behind_assembly.raster_units,
            immediate: behind_assembly.immediate,
            cores: (self.common.cores.iter_mut())
                .map(|core| core.take_counters(now))
                .collect(),
            l2: L2Report {
                reads: l2.reads,
                read_misses: l2.read_misses,
                writes: l2.writes,
                writebacks: l2.writebacks,
                busy_bank_cycles: Cycles(l2.accepted),
                stalled_bank_cycles: Cycles(l2.stalled),
            },
            dram: self.dram_report(),
            display: self.display.take_counters(),
            energy: None,
            techniques: self.technique_reports(),
            passes: costs.passes,
            draws: costs.draws,
            tiles: costs.tiles,
            intervals: run.intervals,
        };
        let spec = self.spec();
        report.energy = (spec.energy.as_ref()).map(|energy| energy.of_frame(spec, &report));
        report
    }

    /// One of each technique, in their order.
    fn technique_reports(&mut self) -> Vec<TechniqueReport> {
        let silent = self.techniques.iter().map(|technique| TechniqueReport {
            technique,
            ..TechniqueReport::default()
        });
        let said = self.pipeline.take_reports();
        let requests = self.common.memory.controller.take_scheduler_reports();
        TechniqueReport::collect(silent.chain(said).chain(requests))
    }

    pub(super) fn dram_report(&mut self) -> DramReport {
        let Common { spec, memory, .. } = &mut self.common;
        let channels = memory.take_dram_counters(self.now);
        let counters = std::mem::take(&mut memory.controller.counters);
        let (line_bytes, spec) = (spec.l2.tags.line, &spec.dram);
        let sum = |f: fn(&ChannelCounters) -> u64| channels.iter().map(f).sum::<u64>();
        let mut latency = LatencyHistogram::default();
        for channel in &channels {
            latency += &channel.read_latency;
        }
        let energy = channels
            .iter()
            .map(|channel| DramEnergy::of_activity(spec, channel).in_picojoules(spec))
            .fold(DramEnergy::default(), |sum, energy| sum.plus(&energy));
        DramReport {
            line_bytes,
            burst_bytes: spec.request_bytes(),
            reads: counters.reads,
            writes: counters.writes,
            bursts: sum(ChannelCounters::requests_done),
            row_hits: sum(|channel| channel.read_row_hits + channel.write_row_hits),
            column_commands: sum(ChannelCounters::column_commands),
            bursts_merged: sum(|channel| {
                channel.reads_forwarded + channel.reads_merged + channel.writes_merged
            }),
            bursts_waiting: sum(|channel| channel.writes_waiting),
            activates: sum(|channel| channel.activates),
            refreshes: sum(|channel| channel.refreshes),
            read_latency_mean: latency.mean().unwrap_or(0.0),
            read_latency_p95: latency.percentile(95).unwrap_or_default(),
            read_wait_sum: counters.read_wait_sum,
            read_wait_count: counters.read_bursts,
            cycles: channels
                .first()
                .map_or(DramCycles::ZERO, |channel| channel.cycles),
            period: spec.timing.t_ck,
            energy,
            channels,
        }
    }
}
