//! Reuse of lines by a stream, as a table: shares, distances in bins, and the distances from frame to frame.

use super::table::{Align, aligned};
use super::text::{bytes, grouped, percent};
use azulejo_gpu::cache::{Bin, ReuseReport};

/// Table of the report; `ways` is the end of a cache's reach.
#[must_use]
pub fn reuse_table(report: &ReuseReport, ways: u32) -> String {
    format!(
        "{} sets of {ways} lines of {}\n{} accesses to {} different lines in {} frames\n\n{}\n{}\n{}{}",
        grouped(report.sets),
        bytes(report.line),
        grouped(report.accesses),
        grouped(report.distinct_lines),
        grouped(report.frames),
        shares(report),
        distances(report, ways),
        from_frame_to_frame(report),
        per_tile(report),
    )
}

fn mean(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |mean| format!("{mean:.2}"))
}

fn shares(report: &ReuseReport) -> String {
    let (within, between) = (
        &report.within_frame.distances,
        &report.between_frames.distances,
    );
    let row = |name: &str, n: u64, distance: String| {
        let share = percent(n, report.accesses);
        vec![name.to_owned(), grouped(n), share, distance]
    };
    let head = ["", "accesses", "of all", "mean distance"].map(str::to_owned);
    let rows = [
        head.to_vec(),
        row("new", report.new, "-".to_owned()),
        row("reused within the frame", within.n(), mean(within.mean())),
        row(
            "reused from an earlier frame",
            between.n(),
            mean(between.mean()),
        ),
    ];
    aligned(&rows, &NUMBERS)
}

const NUMBERS: [Align; 4] = [Align::Left, Align::Right, Align::Right, Align::Right];

/// Text of a bin's distances: `3`, `4 to 7`, `16 or more`.
fn range(bin: &Bin) -> String {
    match bin {
        Bin { from, to, .. } if from == to => grouped((*from).into()),
        Bin { from, to, .. } if *to == u32::MAX => format!("{} or more", grouped((*from).into())),
        Bin { from, to, .. } => format!("{} to {}", grouped((*from).into()), grouped((*to).into())),
    }
}

fn distances(report: &ReuseReport, ways: u32) -> String {
    let (within, between) = (
        report.within_frame.distances.bins(),
        report.between_frames.distances.bins(),
    );
    let longest = if within.len() > between.len() {
        &within
    } else {
        &between
    };
    let share = |bins: &[Bin], at: usize| {
        let n = bins.get(at).map_or(0, |bin| bin.n);
        percent(n, report.accesses)
    };
    let head = [
        "lines of the set between",
        "within the frame",
        "from an earlier frame",
        "",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(longest.iter().enumerate().map(|(at, bin)| {
        let reach = if bin.to < ways { "LRU hits" } else { "" };
        vec![
            range(bin),
            share(&within, at),
            share(&between, at),
            reach.to_owned(),
        ]
    }));
    aligned(&rows, &NUMBERS)
}

fn from_frame_to_frame(report: &ReuseReport) -> String {
    let found = &report.sub_traces;
    let row = |name: &str, value: Option<f64>, meaning: &str| {
        vec![name.to_owned(), mean(value), meaning.to_owned()]
    };
    let rows = [
        row("of a circular trace", found.max, "the most there can be"),
        row("of one there and back", found.min, "the least"),
        row(
            "last uses, then first uses",
            found.last_first,
            "what this order gives",
        ),
        row(
            "last uses, then last uses",
            found.last_last,
            "near the most, the reverse of every second frame would go back",
        ),
    ];
    let text = aligned(&rows, &[Align::Left, Align::Right, Align::Left]);
    format!("from frame to frame, mean distance\n{text}")
}

fn per_tile(report: &ReuseReport) -> String {
    let bins = &report.per_tile_and_set;
    if bins.is_empty() {
        return String::new();
    }
    let all = bins.iter().map(|bin| bin.n).sum();
    let rows: Vec<_> = (bins.iter())
        .map(|bin| vec![range(bin), grouped(bin.n), percent(bin.n, all)])
        .collect();
    let text = aligned(&rows, &[Align::Left, Align::Right, Align::Right]);
    format!("\naccesses of a tile to a set that it uses\n{text}")
}
