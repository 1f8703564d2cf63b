//! Bandwidth over time: bytes over the DRAM's pins by source, which are the agents of a system, or the kinds of traffic of
//! a GPU by itself. Charts, traces and the window all show these numbers.

use super::simulation::DRAM_SPLIT;
use azulejo_gpu::dram::AgentId;
use azulejo_gpu::memory::{AgentTraffic, Traffic};
use azulejo_gpu::{FrameReport, Interval};
use azulejo_soc::{FrameTimes, SystemReport};
use azulejo_units::{Cycles, Picoseconds};

/// Sources of a system where all cores are one.
const KINDS: [&str; 3] = ["GPU", "display", "cores"];

/// Bytes over the DRAM's pins by source, part after part of a span of time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bandwidth {
    /// Names of the agents that moved them, or of the kinds of traffic.
    pub sources: Vec<String>,
    /// Parts of the time, one after the other, without gaps.
    pub parts: Vec<BandwidthPart>,
    /// Phases of frames in the same time.
    pub phases: Vec<BandwidthPhase>,
}

/// Part of the time, with its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BandwidthPart {
    /// Start of the part, in simulated time.
    pub from: Picoseconds,
    /// End of the part, in simulated time.
    pub to: Picoseconds,
    /// Bytes moved, by source.
    pub bytes: Vec<u64>,
}

/// Named phase of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BandwidthPhase {
    /// Name of the phase, for people.
    pub name: &'static str,
    /// Start of the phase, in simulated time.
    pub from: Picoseconds,
    /// End of the phase, in simulated time.
    pub to: Picoseconds,
}

impl BandwidthPart {
    /// Bandwidth of a source, in GB/s.
    #[must_use]
    pub fn gigabytes_per_second(&self, source: usize) -> f64 {
        let bytes = self.bytes.get(source).copied().unwrap_or(0);
        bytes as f64 * 1e3 / self.to.saturating_sub(self.from).0.max(1) as f64
    }

    /// Bandwidth of all sources together, in GB/s.
    #[must_use]
    pub fn all(&self) -> f64 {
        let sources = 0..self.bytes.len();
        sources
            .map(|source| self.gigabytes_per_second(source))
            .sum()
    }

    fn add(&mut self, bytes: &[u64]) {
        for (sum, bytes) in self.bytes.iter_mut().zip(bytes) {
            *sum += bytes;
        }
    }
}

impl Bandwidth {
    /// Bandwidth of a system from its first cycle on, a source for each agent: the GPU, the display, then the cores.
    #[must_use]
    pub fn of_system(report: &SystemReport) -> Self {
        let mut bandwidth = Self::of_agents(report, &report.traffic, Picoseconds(0));
        bandwidth.phases = phases(report, &report.frames);
        bandwidth
    }

    /// Bandwidth between two reports of a system, of which the later comes second.
    #[must_use]
    pub fn between(before: &SystemReport, after: &SystemReport) -> Self {
        let traffic = after.traffic.since(&before.traffic);
        let mut bandwidth = Self::of_agents(after, &traffic, before.time);
        let frames = after.frames.get(before.frames.len()..);
        bandwidth.phases = phases(after, frames.unwrap_or_default());
        bandwidth
    }

    /// Bandwidth by agent, in intervals of the traffic from `start` on; the first and the last are cut off where the time
    /// begins and ends.
    fn of_agents(report: &SystemReport, traffic: &AgentTraffic, start: Picoseconds) -> Self {
        let mut parts: Vec<BandwidthPart> = Vec::new();
        // Bytes of intervals before the start.
        let mut earlier = vec![0; traffic.agents.len()];
        for (at, bursts) in (0_u64..).zip(&traffic.bursts) {
            let mut part = BandwidthPart {
                from: (traffic.interval * at).max(start),
                to: traffic.interval * (at + 1),
                bytes: bursts.iter().map(|n| n * traffic.burst.0).collect(),
            };
            if part.to <= start {
                earlier
                    .iter_mut()
                    .zip(&part.bytes)
                    .for_each(|(sum, bytes)| *sum += bytes);
                continue;
            }
            if parts.is_empty() {
                part.add(&earlier);
            }
            // The last ends with the run, except for requests that are still on their way then.
            let end = part.to.min(report.time);
            part.to = if end > part.from { end } else { part.to };
            parts.push(part);
        }
        Self {
            sources: traffic.agents.iter().map(AgentId::to_string).collect(),
            parts,
            phases: Vec::new(),
        }
    }

    /// Bandwidth of a frame on a GPU by itself, from its first cycle on, a source for each kind of traffic.
    #[must_use]
    pub fn of_frame(report: &FrameReport) -> Self {
        let time = |cycles: Cycles| report.clock.time_of(cycles);
        let line = report.dram.line_bytes.0;
        // Most programs access no buffers.
        let dram = &report.dram;
        let has_buffers = dram.reads[Traffic::Buffer] + dram.writes[Traffic::Buffer] > 0;
        let split = DRAM_SPLIT.iter();
        let split = split.filter(|(_, kinds)| has_buffers || *kinds != [Traffic::Buffer]);
        let bytes = |interval: &Interval| {
            let kinds = split.clone().map(|(_, kinds)| {
                let lines = kinds.iter().map(|kind| interval.dram_lines[*kind]);
                lines.sum::<u64>() * line
            });
            kinds.collect()
        };
        let ends = report.intervals.iter().skip(1).map(|next| next.start);
        let intervals = report.intervals.iter().zip(ends.chain([report.cycles]));
        let part = |(interval, end): (&Interval, Cycles)| BandwidthPart {
            from: time(interval.start),
            to: time(end),
            bytes: bytes(interval),
        };
        let drawn = report.geometry_cycles;
        let phase = |name, from, to| BandwidthPhase {
            name,
            from: time(from),
            to: time(to),
        };
        Self {
            sources: split.clone().map(|(name, _)| (*name).to_owned()).collect(),
            parts: intervals.map(part).collect(),
            phases: vec![
                phase("geometry and tiling", Cycles::ZERO, drawn),
                phase("raster", drawn, drawn + report.raster_cycles),
            ],
        }
    }

    /// Joins parts into at most `most`, each of as many of these, but the last.
    #[must_use]
    pub fn in_parts(&self, most: usize) -> Self {
        let length = self.parts.len().div_ceil(most.max(1)).max(1);
        let joined = self.parts.chunks(length).map(|parts| {
            let mut sum = parts[0].clone();
            for part in &parts[1..] {
                sum.add(&part.bytes);
                sum.to = part.to;
            }
            sum
        });
        Self {
            parts: joined.collect(),
            ..self.clone()
        }
    }

    /// Sums the agents' bytes with all cores in one: the GPU, the display and the cores.
    #[must_use]
    pub fn with_cores_joined(&self, report: &SystemReport) -> Self {
        let agents = &report.traffic.agents;
        let kind = |agent: AgentId| match agent {
            AgentId::GPU => 0,
            AgentId::DISPLAY => 1,
            _ => 2,
        };
        let sum = |part: &BandwidthPart, source: usize| {
            let bytes = agents.iter().zip(&part.bytes);
            let bytes = bytes.filter(|(agent, _)| kind(**agent) == source);
            bytes.map(|(_, bytes)| bytes).sum()
        };
        let part = |part: &BandwidthPart| BandwidthPart {
            bytes: (0..KINDS.len()).map(|source| sum(part, source)).collect(),
            ..part.clone()
        };
        Self {
            sources: KINDS.map(str::to_owned).to_vec(),
            parts: self.parts.iter().map(part).collect(),
            phases: self.phases.clone(),
        }
    }

    /// Bytes of a source over all of the time.
    #[must_use]
    pub fn bytes(&self, source: usize) -> u64 {
        let parts = self.parts.iter();
        parts.filter_map(|part| part.bytes.get(source)).sum()
    }

    /// Start and end of the time; `None` where nothing was moved.
    #[must_use]
    pub fn span(&self) -> Option<(Picoseconds, Picoseconds)> {
        let (first, last) = (self.parts.first()?, self.parts.last()?);
        Some((first.from, last.to))
    }
}

/// Phases of frames as cores and display see them.
fn phases(report: &SystemReport, frames: &[FrameTimes]) -> Vec<BandwidthPhase> {
    let of_frame = |times: &FrameTimes| {
        [
            ("cores prepare", times.begun, times.drawing),
            ("GPU draws", times.drawing, times.drawn),
            ("cores go on", times.drawn, times.queued),
        ]
        .map(|(name, from, to)| BandwidthPhase {
            name,
            from: report.clock.time_of(from),
            to: report.clock.time_of(to),
        })
    };
    frames.iter().flat_map(of_frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::small_report;
    use azulejo_gpu::memory::{AgentCounters, Traffic};
    use azulejo_soc::{AgentReport, ScanCounters};
    use azulejo_units::{Bytes, Hertz};

    const MICROSECOND: u64 = 1_000_000;

    /// A system after `tenths` tenths of a microsecond, at 1 GHz; `bursts` of 32 bytes by agent in each microsecond.
    fn system(tenths: u64, bursts: &[[u64; 4]]) -> SystemReport {
        let agents = [
            AgentId::GPU,
            AgentId::DISPLAY,
            AgentId::cpu(0),
            AgentId::cpu(1),
        ];
        let sum = |column: usize| bursts.iter().map(|bursts| bursts[column]).sum::<u64>();
        let agent = |(column, agent)| AgentReport {
            agent,
            counters: AgentCounters::default(),
            bytes: 32 * sum(column),
            read_latency_ns: None,
        };
        SystemReport {
            clock: Hertz(1_000_000_000),
            refresh: 60,
            time: Picoseconds(tenths * MICROSECOND / 10),
            frames: vec![FrameTimes {
                frame: 0,
                begun: Cycles(100),
                drawing: Cycles(300),
                drawn: Cycles(800),
                queued: Cycles(900),
            }],
            agents: agents.into_iter().enumerate().map(agent).collect(),
            display: ScanCounters::default(),
            cores: Vec::new(),
            row_hits: 0,
            column_commands: 0,
            activates: 0,
            traffic: AgentTraffic {
                interval: Picoseconds(MICROSECOND),
                burst: Bytes(32),
                agents: agents.to_vec(),
                bursts: bursts.iter().map(|bursts| bursts.to_vec()).collect(),
            },
            techniques: Vec::new(),
            technique_phases: Vec::new(),
            slowdowns: Vec::new(),
        }
    }

    fn times(bandwidth: &Bandwidth) -> Vec<[u64; 2]> {
        let parts = bandwidth.parts.iter();
        parts.map(|part| [part.from.0, part.to.0]).collect()
    }

    #[test]
    fn bandwidth_of_a_system_is_what_its_agents_moved() {
        let report = system(25, &[[100, 1, 2, 3], [0, 0, 0, 0], [50, 4, 5, 6]]);
        let bandwidth = Bandwidth::of_system(&report);
        for (source, agent) in report.agents.iter().enumerate() {
            assert_eq!(bandwidth.bytes(source), agent.bytes, "{}", agent.agent);
            assert_eq!(bandwidth.sources[source], agent.agent.to_string(), "named");
        }
        let expected = [
            [0, 1_000_000],
            [1_000_000, 2_000_000],
            [2_000_000, 2_500_000],
        ];
        assert_eq!(times(&bandwidth), expected, "the last ends with the run");
        let rates = [0, 1, 2].map(|part| bandwidth.parts[part].gigabytes_per_second(0));
        assert_eq!(rates, [3.2, 0.0, 3.2], "of its own time");
    }

    #[test]
    fn bandwidth_between_reports_begins_where_the_first_ended_and_has_only_what_came_after() {
        let before = system(15, &[[100, 0, 0, 0], [10, 0, 0, 0]]);
        let mut after = system(
            32,
            &[[100, 0, 0, 0], [13, 1, 0, 0], [7, 0, 0, 2], [0, 1, 0, 0]],
        );
        after.frames.extend(before.frames.clone());
        let bandwidth = Bandwidth::between(&before, &after);
        let expected = [
            [1_500_000, 2_000_000],
            [2_000_000, 3_000_000],
            [3_000_000, 3_200_000],
        ];
        assert_eq!(times(&bandwidth), expected, "cut off at both ends");
        let bytes: Vec<_> = (0..4).map(|source| bandwidth.bytes(source)).collect();
        assert_eq!(bytes, [10, 2, 0, 2].map(|bursts: u64| 32 * bursts), "added");
        assert_eq!(bandwidth.phases.len(), 3, "of the later frame");
        assert_eq!(bandwidth.phases[1].from, Picoseconds(300_000), "GPU draws");
    }

    #[test]
    fn bandwidth_loses_nothing_that_was_done_before_the_end_and_counted_after_it() {
        let before = system(20, &[[100, 0, 0, 0], [10, 0, 0, 0]]);
        let after = system(30, &[[100, 0, 0, 0], [12, 0, 0, 0], [5, 0, 0, 0]]);
        let bandwidth = Bandwidth::between(&before, &after);
        assert_eq!(times(&bandwidth), [[2_000_000, 3_000_000]], "after it");
        assert_eq!(bandwidth.bytes(0), 32 * 7, "all");
    }

    #[test]
    fn bandwidth_in_parts_and_of_joined_cores_keeps_every_byte() {
        let report = system(
            50,
            &[[1, 2, 3, 4], [5, 6, 7, 8], [0; 4], [9; 4], [1, 0, 0, 1]],
        );
        let whole = Bandwidth::of_system(&report).with_cores_joined(&report);
        assert_eq!(whole.sources, ["GPU", "display", "cores"], "three");
        for most in [0, 1, 2, 3, 5, 100] {
            let joined = whole.in_parts(most);
            assert!(joined.parts.len() <= most.max(1), "{most}");
            assert_eq!(joined.span(), whole.span(), "{most}: the same time");
            let bytes: Vec<_> = (0..3).map(|source| joined.bytes(source)).collect();
            assert_eq!(bytes, [16, 17, 41].map(|bursts: u64| 32 * bursts), "{most}");
        }
    }

    #[test]
    fn bandwidth_of_a_frame_is_the_dram_traffic_of_its_kinds() {
        let report = small_report();
        let bandwidth = Bandwidth::of_frame(&report);
        for (source, name) in bandwidth.sources.iter().enumerate() {
            let (_, kinds) = DRAM_SPLIT[source];
            let lines = |kind: &Traffic| report.dram.reads[*kind] + report.dram.writes[*kind];
            let lines: u64 = kinds.iter().map(lines).sum();
            let bytes = lines * report.dram.line_bytes.0;
            assert_eq!(bandwidth.bytes(source), bytes, "{name}");
        }
        let end = report.clock.time_of(report.cycles);
        assert_eq!(bandwidth.span(), Some((Picoseconds(0), end)), "all of it");
    }
}
