//! The memory models' reports as tables: a DRAM run with a column for each channel, cache policies side by side.

use super::table::{Align, aligned};
use super::text::{bytes, grouped, percent};
use azulejo_gpu::cache::{CacheReport, PolicyReport};
use azulejo_gpu::dram::{CountReport, DramEnergy, DramReport, DramSpec};
use azulejo_units::Bytes;

/// Summary of a DRAM in one line.
#[must_use]
pub fn dram_summary(spec: &DramSpec) -> String {
    let plural = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!(
        "{} of {}, {} in {}, {} a burst, {:.0} MHz, peak {:.2} GB/s a channel",
        plural(spec.structure.channels, "channel"),
        plural(spec.n_ranks(), "rank"),
        plural(spec.n_banks_per_rank(), "bank"),
        plural(spec.structure.bankgroups, "group"),
        bytes(spec.request_bytes().0),
        1e3 / spec.t_ck_ns(),
        spec.peak_gbps_per_channel(),
    )
}

/// Table of a run: its course, then counts, latencies, bandwidth and energy, in total and by channel.
#[must_use]
pub fn dram_table(report: &DramReport, spec: &DramSpec) -> String {
    let cycles = |cycles: u64| {
        let us = cycles as f64 * spec.t_ck_ns() / 1e3;
        vec![grouped(cycles), format!("cycles  {us:.1} us")]
    };
    let row = |name: &str, values: Vec<String>| [vec![name.to_owned()], values].concat();
    let run = [
        row("simulated", cycles(report.total_ticks)),
        row("all done after", cycles(report.drain_tick)),
        row("last request accepted", cycles(report.last_accept_cycle)),
        row("last read returned", cycles(report.last_read_return_cycle)),
        row(
            "requests that had to wait",
            vec![grouped(report.stalled_requests)],
        ),
    ];
    let mut rows = vec![header(report)];
    rows.extend(count_rows(report));
    rows.extend(latency_rows(report));
    rows.extend(energy_rows(report));
    let align = [
        vec![Align::Left],
        vec![Align::Right; report.channels.len() + 1],
    ]
    .concat();
    let run = aligned(&run, &[Align::Left, Align::Right]);
    format!("{run}\n{}", aligned(&rows, &align))
}

/// Row of a name, a value for all channels together and one for each.
fn values(name: &str, total: String, channels: impl Iterator<Item = String>) -> Vec<String> {
    [name.to_owned(), total]
        .into_iter()
        .chain(channels)
        .collect()
}

fn header(report: &DramReport) -> Vec<String> {
    let channels = (0..report.channels.len()).map(|at| format!("channel {at}"));
    values("", "total".to_owned(), channels)
}

fn count_rows(report: &DramReport) -> Vec<Vec<String>> {
    type Count = (&'static str, fn(&CountReport) -> String);
    let rows: [Count; 9] = [
        ("reads done", |c| grouped(c.reads_done)),
        ("writes done", |c| grouped(c.writes_done)),
        ("read commands", |c| grouped(c.read_cmds)),
        ("write commands", |c| grouped(c.write_cmds)),
        ("read row hits", |c| percent(c.read_row_hits, c.read_cmds)),
        ("write row hits", |c| {
            percent(c.write_row_hits, c.write_cmds)
        }),
        ("activates", |c| grouped(c.act)),
        ("precharges", |c| grouped(c.pre)),
        ("refreshes", |c| grouped(c.refreshes)),
    ];
    let row = |(name, count): Count| {
        let channels = report.channels.iter().map(|channel| count(&channel.counts));
        values(name, count(&report.total.counts), channels)
    };
    rows.into_iter().map(row).collect()
}

fn latency_rows(report: &DramReport) -> Vec<Vec<String>> {
    let mean = |value: Option<f64>| value.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
    let cycles = |value: Option<u64>| value.map_or("-".to_owned(), grouped);
    let all = &report.total.read_latency;
    let reads = || report.channels.iter().map(|channel| &channel.read_latency);
    let writes = || report.channels.iter().map(|channel| &channel.write_latency);
    let none = String::new;
    vec![
        values(
            "read latency, mean cycles",
            mean(all.mean),
            reads().map(|l| mean(l.mean)),
        ),
        values("  median", cycles(all.p50), reads().map(|l| cycles(l.p50))),
        values(
            "  99 of 100 within",
            cycles(all.p99),
            reads().map(|l| cycles(l.p99)),
        ),
        values("  longest", cycles(all.max), reads().map(|l| cycles(l.max))),
        values(
            "write latency, mean cycles",
            none(),
            writes().map(|l| mean(l.mean)),
        ),
        values("  longest", none(), writes().map(|l| cycles(l.max))),
    ]
}

fn energy_rows(report: &DramReport) -> Vec<Vec<String>> {
    let fixed = |value: f64| format!("{value:.3}");
    let uj = |pj: f64| format!("{:.3}", pj / 1e6);
    let channels = || report.channels.iter();
    let total = &report.total;
    let mut rows = vec![
        values(
            "bandwidth, GB/s",
            fixed(total.bandwidth_gbps),
            channels().map(|c| fixed(c.bandwidth_gbps)),
        ),
        values(
            "requests, GB/s",
            fixed(total.requests_gbps),
            channels().map(|c| fixed(c.requests_gbps)),
        ),
        values(
            "power, mW",
            fixed(total.power_mw),
            channels().map(|c| fixed(c.power_mw)),
        ),
        values(
            "energy, uJ",
            uj(total.energy_pj.total),
            channels().map(|c| uj(c.energy_pj.total)),
        ),
    ];
    type Part = (&'static str, fn(&DramEnergy) -> f64);
    let parts: [Part; 6] = [
        ("  activates", |energy| energy.act),
        ("  reads", |energy| energy.read),
        ("  writes", |energy| energy.write),
        ("  refreshes", |energy| energy.refresh),
        ("  standby with open rows", |energy| energy.act_standby),
        ("  standby without", |energy| energy.pre_standby),
    ];
    for (name, part) in parts {
        let parts = channels().map(|c| uj(part(&c.energy_pj.parts)));
        rows.push(values(name, uj(part(&total.energy_pj.parts)), parts));
    }
    rows
}

/// Table of policies side by side over one trace.
#[must_use]
pub fn cache_table(report: &CacheReport, size: Bytes) -> String {
    let policies: Vec<_> = [
        ("LRU", report.lru),
        ("MRU", report.mru),
        ("OPT", report.opt),
        ("OPT, bypass", report.opt_bypass),
    ]
    .into_iter()
    .filter_map(|(name, policy)| Some((name, policy?)))
    .collect();
    let mut rows = vec![
        ["".to_owned()]
            .into_iter()
            .chain(policies.iter().map(|(name, _)| (*name).to_owned()))
            .collect(),
    ];
    type Count = (&'static str, fn(&PolicyReport) -> u64);
    let counts: [Count; 8] = [
        ("read hits", |p| p.counters.read_hits),
        ("read misses", |p| p.counters.read_misses),
        ("write hits", |p| p.counters.write_hits),
        ("write misses", |p| p.counters.write_misses),
        ("misses", |p| p.misses),
        ("evictions", |p| p.counters.evictions),
        ("dirty write-backs", |p| p.counters.dirty_writebacks),
        ("dirty lines left", |p| p.dirty_lines_left),
    ];
    let row = |name: &str, cell: &dyn Fn(&PolicyReport) -> String| {
        let cells = policies.iter().map(|(_, policy)| cell(policy));
        [name.to_owned()]
            .into_iter()
            .chain(cells)
            .collect::<Vec<_>>()
    };
    for (name, count) in counts {
        rows.push(row(name, &|policy| grouped(count(policy))));
    }
    rows.push(row("miss rate", &|policy| {
        percent(policy.misses, report.accesses)
    }));
    let align = [vec![Align::Left], vec![Align::Right; policies.len()]].concat();
    let bypasses = report
        .opt_bypass_count
        .map(|count| format!("  {} misses bypassed the cache\n", grouped(count)));
    format!(
        "{} cache: {} sets of {} lines of {}\n{} accesses, {} of them writes, to {} different lines\n\n{}{}",
        bytes(size.0),
        grouped(report.sets),
        report.ways,
        bytes(report.line),
        grouped(report.accesses),
        grouped(report.writes),
        grouped(report.distinct_lines),
        aligned(&rows, &align),
        bypasses.unwrap_or_default(),
    )
}
