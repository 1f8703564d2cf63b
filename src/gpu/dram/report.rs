//! A run as the reference files state it: the names, units and rounding of `results.json`, for JSON and for comparison. One
//! name differs: their bandwidth, which counts requests that no command served, is `requests_GBps` here.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counters::{ChannelCounters, LatencyHistogram};
use super::energy::DramEnergy;
use super::replay::ReplayOutcome;
use super::spec::DramSpec;
use azulejo_units::DramCycles;

/// Report of a whole run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DramReport {
    /// Memory cycles run; all statistics are over these.
    pub total_ticks: u64,
    /// Cycles until everything was done.
    pub drain_tick: u64,
    /// When the last request was accepted.
    pub last_accept_cycle: u64,
    /// When the last read returned.
    pub last_read_return_cycle: u64,
    /// Requests accepted later than their cycle in the trace.
    pub stalled_requests: u64,
    /// Sum over all requests of accept cycle - trace cycle.
    pub sum_accept_delay: u64,
    /// Sums over all channels.
    pub total: TotalReport,
    /// Each channel, in order.
    pub channels: Vec<ChannelReport>,
}

/// Statistics of all channels together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TotalReport {
    /// Requests, commands and row hits.
    #[serde(flatten)]
    pub counts: CountReport,
    /// Latency of the reads, in cycles.
    pub read_latency: TotalLatencyReport,
    /// Bytes that column commands moved over the time of the run.
    #[serde(rename = "bandwidth_GBps")]
    pub bandwidth_gbps: f64,
    /// Bytes of all requests done over the time of the run, merged and forwarded ones included: what DRAMsim3 calls
    /// bandwidth. It can exceed what the pins move.
    #[serde(rename = "requests_GBps")]
    pub requests_gbps: f64,
    /// Energy in pJ, by cause and in all.
    #[serde(rename = "energy_pJ")]
    pub energy_pj: TotalEnergyReport,
    /// Average power in mW over the run.
    #[serde(rename = "power_mW")]
    pub power_mw: f64,
}

/// Counts that channels and total share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CountReport {
    /// Reads answered, merged and forwarded ones included.
    pub reads_done: u64,
    /// Writes acknowledged, merged ones included.
    pub writes_done: u64,
    /// Read commands, each of one burst.
    pub read_cmds: u64,
    /// Write commands, each of one burst.
    pub write_cmds: u64,
    /// Activate commands: rows opened.
    pub act: u64,
    /// Precharges, for requests and refreshes.
    pub pre: u64,
    /// All-bank refreshes, each of one rank.
    #[serde(rename = "ref")]
    pub refreshes: u64,
    /// Precharges for requests; stated for each channel, absent in the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ondemand_pre_grants: Option<u64>,
    /// Read commands to a row already used since its activate.
    pub read_row_hits: u64,
    /// Write commands to a row already used since its activate.
    pub write_row_hits: u64,
}

/// Read latencies of all channels together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TotalLatencyReport {
    /// Requests whose latency is known.
    pub count: u64,
    /// Average in cycles; null of nothing.
    pub mean: Option<f64>,
    /// Median in cycles, nearest rank.
    pub p50: Option<u64>,
    /// 90th percentile in cycles, nearest rank.
    pub p90: Option<u64>,
    /// 95th percentile in cycles, nearest rank.
    pub p95: Option<u64>,
    /// 99th percentile in cycles, nearest rank.
    pub p99: Option<u64>,
    /// Largest, in cycles; null of nothing.
    pub max: Option<u64>,
}

/// Read latencies of a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadLatencyReport {
    /// Requests whose latency is known.
    pub count: u64,
    /// Average in cycles; null of nothing.
    pub mean: Option<f64>,
    /// Smallest, in cycles; null of nothing.
    pub min: Option<u64>,
    /// Median in cycles, nearest rank.
    pub p50: Option<u64>,
    /// 90th percentile in cycles, nearest rank.
    pub p90: Option<u64>,
    /// 95th percentile in cycles, nearest rank.
    pub p95: Option<u64>,
    /// 99th percentile in cycles, nearest rank.
    pub p99: Option<u64>,
    /// Largest, in cycles; null of nothing.
    pub max: Option<u64>,
    /// Occurrences by the lower edge of a bin of 10 cycles.
    pub hist10: BTreeMap<u64, u64>,
}

/// Write latencies of a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WriteLatencyReport {
    /// Requests whose latency is known.
    pub count: u64,
    /// Average in cycles; null of nothing.
    pub mean: Option<f64>,
    /// Median in cycles, nearest rank.
    pub p50: Option<u64>,
    /// 99th percentile in cycles, nearest rank.
    pub p99: Option<u64>,
    /// Largest, in cycles; null of nothing.
    pub max: Option<u64>,
}

/// Energies of all channels together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TotalEnergyReport {
    /// Each cause by itself.
    #[serde(flatten)]
    pub parts: DramEnergy,
    /// Sum over all causes, standby included.
    pub total: f64,
    /// Standby of both kinds.
    pub background: f64,
}

/// Energies of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EnergyReport {
    /// Each cause by itself.
    #[serde(flatten)]
    pub parts: DramEnergy,
    /// Sum over all causes, standby included.
    pub total: f64,
}

/// One channel over the whole run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelReport {
    /// Requests, commands and row hits.
    #[serde(flatten)]
    pub counts: CountReport,
    /// Cycles with an open bank, by rank.
    pub rank_active_cycles: BTreeMap<usize, u64>,
    /// The other cycles, by rank.
    pub rank_idle_cycles: BTreeMap<usize, u64>,
    /// Latency of the reads, in cycles.
    pub read_latency: ReadLatencyReport,
    /// Latency of the write commands, in cycles.
    pub write_latency: WriteLatencyReport,
    /// Bytes that column commands moved over the time of the run.
    #[serde(rename = "bandwidth_GBps")]
    pub bandwidth_gbps: f64,
    /// Bytes of all requests done over the time of the run, merged and forwarded ones included: what DRAMsim3 calls
    /// bandwidth. It can exceed what the pins move.
    #[serde(rename = "requests_GBps")]
    pub requests_gbps: f64,
    /// As DRAMsim3 prints it: V x mA x cycles.
    pub energy_reported: EnergyReport,
    /// Energy in pJ, by cause and in all.
    #[serde(rename = "energy_pJ")]
    pub energy_pj: EnergyReport,
    /// Average power in mW over the run.
    #[serde(rename = "power_mW")]
    pub power_mw: f64,
}

impl DramReport {
    /// States an outcome with the names, units and rounding of the reference files.
    #[must_use]
    pub fn new(outcome: &ReplayOutcome) -> Self {
        let (spec, ticks) = (&outcome.spec, outcome.total_ticks);
        let channels = outcome.channels.iter();
        let channels: Vec<_> = channels
            .map(|counters| channel_report(spec, ticks, counters))
            .collect();
        Self {
            total_ticks: ticks.0,
            drain_tick: outcome.drain_tick.0,
            last_accept_cycle: outcome.last_accept.0,
            last_read_return_cycle: outcome.last_read_return.0,
            stalled_requests: outcome.stalled_requests,
            sum_accept_delay: outcome.sum_accept_delay.0,
            total: total_report(spec, &outcome.channels, &channels),
            channels,
        }
    }
}

/// Bandwidth and power are sums of the channels' as stated, rounding included.
fn total_report(
    spec: &DramSpec,
    channels: &[ChannelCounters],
    stated: &[ChannelReport],
) -> TotalReport {
    let mut counts = CountReport::default();
    let mut latency = LatencyHistogram::default();
    let mut energy = DramEnergy::default();
    for channel in channels {
        add_counts(&mut counts, channel);
        latency += &channel.read_latency;
        energy = energy.plus(&DramEnergy::of_activity(spec, channel));
    }
    let picojoules = energy.in_picojoules(spec);
    let sum = |of: fn(&ChannelReport) -> f64| round(stated.iter().map(of).sum(), 5);
    TotalReport {
        counts,
        read_latency: TotalLatencyReport {
            count: latency.count(),
            mean: rounded_mean(&latency),
            p50: percentile(&latency, 50),
            p90: percentile(&latency, 90),
            p95: percentile(&latency, 95),
            p99: percentile(&latency, 99),
            max: latency.max().map(|cycles| cycles.0),
        },
        bandwidth_gbps: sum(|channel| channel.bandwidth_gbps),
        requests_gbps: sum(|channel| channel.requests_gbps),
        energy_pj: TotalEnergyReport {
            parts: picojoules.map(|part| round(part, 6)),
            total: round(picojoules.total(), 6),
            background: round(picojoules.background(), 6),
        },
        power_mw: round(stated.iter().map(|channel| channel.power_mw).sum(), 4),
    }
}

fn channel_report(spec: &DramSpec, ticks: DramCycles, channel: &ChannelCounters) -> ChannelReport {
    let mut counts = CountReport::default();
    add_counts(&mut counts, channel);
    counts.ondemand_pre_grants = Some(channel.on_demand_precharges);
    let energy = DramEnergy::of_activity(spec, channel);
    ChannelReport {
        counts,
        rank_active_cycles: by_rank(&channel.rank_active),
        rank_idle_cycles: by_rank(&channel.rank_idle),
        read_latency: read_latency(&channel.read_latency),
        write_latency: write_latency(&channel.write_latency),
        bandwidth_gbps: bandwidth(spec, ticks, counts.read_cmds + counts.write_cmds),
        requests_gbps: bandwidth(spec, ticks, counts.reads_done + counts.writes_done),
        energy_reported: energy_report(&energy),
        energy_pj: energy_report(&energy.in_picojoules(spec)),
        power_mw: round(energy.total() / ticks.0 as f64, 4),
    }
}

const fn add_counts(counts: &mut CountReport, channel: &ChannelCounters) {
    counts.reads_done += channel.reads_done;
    counts.writes_done += channel.writes_done;
    counts.read_cmds += channel.read_cmds;
    counts.write_cmds += channel.write_cmds;
    counts.act += channel.activates;
    counts.pre += channel.precharges;
    counts.refreshes += channel.refreshes;
    counts.read_row_hits += channel.read_row_hits;
    counts.write_row_hits += channel.write_row_hits;
}

fn by_rank(cycles: &[DramCycles]) -> BTreeMap<usize, u64> {
    let ranks = cycles.iter().map(|cycles| cycles.0);
    ranks.enumerate().collect()
}

fn read_latency(latency: &LatencyHistogram) -> ReadLatencyReport {
    let mut hist10 = BTreeMap::new();
    for (cycles, n) in latency.entries() {
        *hist10.entry(cycles.0 / 10 * 10).or_insert(0) += n;
    }
    ReadLatencyReport {
        count: latency.count(),
        mean: rounded_mean(latency),
        min: latency.min().map(|cycles| cycles.0),
        p50: percentile(latency, 50),
        p90: percentile(latency, 90),
        p95: percentile(latency, 95),
        p99: percentile(latency, 99),
        max: latency.max().map(|cycles| cycles.0),
        hist10,
    }
}

fn write_latency(latency: &LatencyHistogram) -> WriteLatencyReport {
    WriteLatencyReport {
        count: latency.count(),
        mean: rounded_mean(latency),
        p50: percentile(latency, 50),
        p99: percentile(latency, 99),
        max: latency.max().map(|cycles| cycles.0),
    }
}

fn energy_report(energy: &DramEnergy) -> EnergyReport {
    EnergyReport {
        parts: energy.map(|part| round(part, 6)),
        total: round(energy.total(), 6),
    }
}

/// Bytes of so many bursts over the time of the run.
fn bandwidth(spec: &DramSpec, ticks: DramCycles, bursts: u64) -> f64 {
    let bytes = bursts * spec.request_bytes().0;
    round(bytes as f64 / (ticks.0 as f64 * spec.t_ck_ns()), 5)
}

fn rounded_mean(latency: &LatencyHistogram) -> Option<f64> {
    latency.mean().map(|mean| round(mean, 4))
}

fn percentile(latency: &LatencyHistogram, percent: u64) -> Option<u64> {
    latency.percentile(percent).map(|cycles| cycles.0)
}

/// Decimal rounding as the shortest text that reads back the same, so that equal values print equally.
fn round(value: f64, decimals: usize) -> f64 {
    format!("{value:.decimals$}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::AccessKind;
    use crate::dram::{Replay, TraceRequest};

    #[test]
    fn bandwidth_of_merged_requests_is_what_the_pins_move() {
        for (name, kind) in ["lpddr3_1ch", "lpddr4_2ch"]
            .into_iter()
            .flat_map(|name| [(name, AccessKind::Read), (name, AccessKind::Write)])
        {
            let spec = DramSpec::named(name).expect("shipped");
            let mut replay = Replay::new(&spec).expect("valid");
            // Each cycle the same burst again.
            for cycle in 0..2000 {
                replay.offer(&TraceRequest {
                    address: 0x1000,
                    kind,
                    cycle: DramCycles(cycle),
                });
            }
            let report = DramReport::new(&replay.finish());
            let (total, ticks) = (&report.total, report.total_ticks);
            let peak = spec.peak_gbps_per_channel() * f64::from(spec.structure.channels);
            assert!(total.bandwidth_gbps <= peak, "{name} {kind:?}");
            let commands = total.counts.read_cmds + total.counts.write_cmds;
            let bytes = (commands * spec.request_bytes().0) as f64;
            let moved = bytes / (ticks as f64 * spec.t_ck_ns());
            assert!(
                (total.bandwidth_gbps - moved).abs() < 1e-5,
                "{name} {kind:?}"
            );
            assert!(
                total.requests_gbps > peak,
                "{name} {kind:?}: asked for more"
            );
        }
    }
}
