//! Streams with reuse by a formula, and random streams against looking back over all accesses.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::access::AccessKind;
use crate::cache::reuse::distance::tests::naive;
use crate::cache::stream::TilePlace;
use azulejo_grid::{TileGrid, TileId};
use azulejo_units::Bytes;

const GRID: TileGrid = TileGrid {
    width: 256,
    height: 32,
    tile_size: 32,
};

/// A cache of two ways.
fn cache(n_sets: u64) -> CacheSpec {
    CacheSpec {
        size: Bytes(64 * 2 * n_sets),
        ways: 2,
        line: Bytes(64),
    }
}

fn access(line: u64, tile: u32) -> StreamEvent {
    StreamEvent::Access(StreamAccess {
        address: 64 * line,
        kind: AccessKind::Read,
        place: Some(TilePlace {
            tile: TileId(tile),
            raster_unit: 0,
        }),
    })
}

/// Frames of (line, tile).
fn analyse(n_sets: u64, warm_up: usize, frames: &[Vec<(u64, u32)>]) -> ReuseReport {
    let mut analysis = ReuseAnalysis::new(cache(n_sets)).expect("valid");
    for (number, frame) in frames.iter().enumerate() {
        if number == warm_up && warm_up > 0 {
            analysis.count_from_here().expect("room");
        }
        let number = number as u64;
        let mark = StreamEvent::Frame { number, grid: GRID };
        analysis.offer(&mark).expect("room");
        for (line, tile) in frame {
            analysis.offer(&access(*line, *tile)).expect("room");
        }
    }
    analysis.finish().expect("room")
}

fn lines(lines: impl IntoIterator<Item = u64>) -> Vec<(u64, u32)> {
    lines.into_iter().map(|line| (line, 0)).collect()
}

#[test]
fn circular_frames_have_the_greatest_distances_there_are() {
    let frames: Vec<_> = (0..5).map(|_| lines(0..70)).collect();
    let report = analyse(7, 0, &frames);
    assert_eq!((report.frames, report.accesses), (5, 350), "all");
    assert_eq!(
        (report.new, report.distinct_lines),
        (70, 70),
        "the first frame"
    );
    assert_eq!(
        report.within_frame.distances.n(),
        0,
        "each line once a frame"
    );
    assert_eq!(report.between_frames.distances.n(), 280, "all others");
    assert_eq!(
        report.between_frames.distances.mean(),
        Some(9.0),
        "s - 1, 10 a set"
    );
    let expected = SubTraces {
        pairs: 4 * 7,
        max: Some(9.0),
        min: Some(4.5),
        last_first: Some(9.0),
        last_last: Some(9.0),
    };
    assert_eq!(report.sub_traces, expected, "a circular trace");
}

#[test]
fn frames_there_and_back_have_the_least_distances_there_are() {
    let frames: Vec<_> = (0..5)
        .map(|frame| match frame % 2 {
            0 => lines(0..70),
            _ => lines((0..70).rev()),
        })
        .collect();
    let report = analyse(7, 0, &frames);
    assert_eq!(
        report.between_frames.distances.mean(),
        Some(4.5),
        "(s - 1) / 2"
    );
    assert_eq!(
        report.sub_traces.last_first, report.sub_traces.min,
        "the least"
    );
    assert_eq!(report.sub_traces.max, Some(9.0), "where the most is s - 1");
    // 0 to 9 in each set and pair of frames.
    let bins: Vec<u64> = (report.between_frames.distances.bins().iter())
        .map(|bin| bin.n)
        .collect();
    assert_eq!(bins, [28, 28, 56, 112, 56], "evenly");
}

#[test]
fn insertion_lengthens_the_way_back_by_one_and_deletion_shortens_it() {
    let of = |second: Vec<u64>| {
        let frames = [lines(0..10), lines(second)];
        analyse(1, 0, &frames).sub_traces.last_first
    };
    assert_eq!(of((0..10).collect()), Some(9.0), "s - 1");
    let inserted = std::iter::once(77).chain(0..10);
    assert_eq!(of(inserted.collect()), Some(10.0), "one more before all");
    assert_eq!(of((1..10).collect()), Some(8.0), "one less between all");
    assert_eq!(of((0..9).collect()), Some(9.0), "or is never missed");
}

#[test]
fn reuses_within_a_frame_are_told_from_those_between_frames() {
    let frames = [lines([1, 2, 1, 1, 3]), lines([3, 2, 2, 4, 1])];
    let report = analyse(1, 0, &frames);
    assert_eq!(report.new, 4, "1, 2, 3, and 4");
    assert_eq!(report.lines_per_frame, Some(3.5), "three, and four");
    let distances = |reuses: &Reuses| (reuses.distances.n(), reuses.distances.mean());
    assert_eq!(
        distances(&report.within_frame),
        (3, Some(1.0 / 3.0)),
        "1, 0 and 0"
    );
    assert_eq!(
        distances(&report.between_frames),
        (3, Some(5.0 / 3.0)),
        "0, 2 and 3"
    );
    let sub_traces = report.sub_traces;
    // After 2, 1, 3: 3, 2, 4, 1 at 0, 2 and 3.
    assert_eq!(
        sub_traces.last_first,
        Some(5.0 / 3.0),
        "last uses, first uses"
    );
    assert_eq!(
        (sub_traces.max, sub_traces.pairs),
        (Some(2.0), 1),
        "three lines"
    );
}

#[test]
fn uses_of_a_set_are_counted_by_tile_and_frame() {
    // Tile 0 uses set 0 three times and set 1 once, tile 1 set 0 once; then tile 0 again in another frame.
    let frame = vec![(0, 0), (2, 0), (1, 0), (0, 1), (0, 0)];
    let report = analyse(2, 0, &[frame, vec![(0, 0)]]);
    let bins: Vec<_> = (report.per_tile_and_set.iter())
        .map(|bin| (bin.from, bin.to, bin.n))
        .collect();
    assert_eq!(bins, [(1, 1, 3), (2, 2, 0), (3, 3, 1)], "pairs by uses");
    let often = analyse(2, 0, &[vec![(0, 0); 40]]).per_tile_and_set;
    let last = often.last().map(|bin| (bin.from, bin.to, bin.n));
    assert_eq!(last, Some((16, u32::MAX, 1)), "16 or more");
}

#[test]
fn frames_that_warm_up_are_known_and_not_counted() {
    let frames: Vec<_> = (0..4).map(|_| lines(0..30)).collect();
    let report = analyse(3, 2, &frames);
    assert_eq!((report.frames, report.accesses), (2, 60), "the last two");
    assert_eq!(report.new, 0, "all lines are known");
    assert_eq!(report.between_frames.distances.n(), 60, "and reused");
    assert_eq!(report.sub_traces.pairs, 2 * 3, "each with the frame before");
}

#[test]
fn bare_accesses_are_one_frame_for_no_tile() {
    let mut analysis = ReuseAnalysis::new(cache(1)).expect("valid");
    for address in [0, 64, 0] {
        let access = StreamAccess {
            address,
            kind: AccessKind::Write,
            place: None,
        };
        analysis.offer(&StreamEvent::Access(access)).expect("room");
    }
    let report = analysis.finish().expect("room");
    assert_eq!((report.frames, report.new), (1, 2), "a frame");
    assert_eq!(report.within_frame.distances.mean(), Some(1.0), "of 0");
    assert!(report.per_tile_and_set.is_empty(), "nobody's");
    assert_eq!(
        report.sub_traces,
        SubTraces::default(),
        "and no other frame"
    );
}

#[test]
fn more_tiles_and_sets_than_are_told_apart_are_refused() {
    let mut analysis = ReuseAnalysis::new(cache(1)).expect("valid");
    analysis.max_tile_sets = 2;
    for tile in [0, 1, 0, 1] {
        analysis.offer(&access(0, tile)).expect("two tiles");
    }
    assert_eq!(
        analysis.offer(&access(0, 2)),
        Err(StreamFull::TileSets),
        "a third"
    );
}

/// Mean distances of `next` after `before`, by set; by looking back.
fn naive_reuses(n_sets: u64, before: &[u64], next: &[u64]) -> BTreeMap<u64, f64> {
    let all: Vec<u64> = before.iter().chain(next).copied().collect();
    let mut by_set: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (line, distance) in all.iter().zip(naive(n_sets, &all)).skip(before.len()) {
        if let Some(distance) = distance {
            by_set.entry(line % n_sets).or_default().push(distance);
        }
    }
    let mean = |distances: Vec<u32>| {
        let sum: u32 = distances.iter().sum();
        f64::from(sum) / distances.len() as f64
    };
    by_set.into_iter().map(|(set, d)| (set, mean(d))).collect()
}

/// Each line once, where it comes first.
fn firsts(frame: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut seen = BTreeSet::new();
    frame.filter(|line| seen.insert(*line)).collect()
}

fn lasts(frame: &[u64]) -> Vec<u64> {
    let mut lasts = firsts(frame.iter().rev().copied());
    lasts.reverse();
    lasts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn analysis_is_that_of_looking_back(n_sets in 1..5_u64, frames in prop::collection::vec(prop::collection::vec(0..25_u64, 0..60), 1..5)) {
        let report = analyse(n_sets, 0, &frames.iter().map(|frame| lines(frame.iter().copied())).collect::<Vec<_>>());
        let all = frames.concat();
        let mut distances = naive(n_sets, &all).into_iter();
        let (mut new, mut within, mut between) = (0, Vec::new(), Vec::new());
        for frame in &frames {
            for (at, line) in frame.iter().enumerate() {
                match distances.next().expect("as many") {
                    None => new += 1,
                    Some(distance) if frame[..at].contains(line) => within.push(distance),
                    Some(distance) => between.push(distance),
                }
            }
        }
        prop_assert_eq!(report.new, new);
        for (ours, theirs) in [(&report.within_frame, &within), (&report.between_frames, &between)] {
            prop_assert_eq!(ours.distances.n(), theirs.len() as u64);
            for bound in [1, 2, 4, 8, 16, 32] {
                let below = theirs.iter().filter(|d| **d < bound).count();
                prop_assert_eq!(ours.distances.n_below(bound), below as u64);
            }
        }
        let (mut pairs, mut sums) = (0, [0.0; 3]);
        for pair in frames.windows(2) {
            let before = lasts(&pair[0]);
            let first = naive_reuses(n_sets, &before, &firsts(pair[1].iter().copied()));
            let last = naive_reuses(n_sets, &before, &lasts(&pair[1]));
            for (set, mean) in &first {
                let of_set = before.iter().filter(|line| *line % n_sets == *set).count();
                pairs += 1;
                sums[0] += of_set as f64 - 1.0;
                sums[1] += mean;
                sums[2] += last[set];
            }
        }
        prop_assert_eq!(report.sub_traces.pairs, pairs);
        let ours = [report.sub_traces.max, report.sub_traces.last_first, report.sub_traces.last_last];
        for (ours, sum) in ours.into_iter().zip(sums) {
            let theirs = (pairs > 0).then(|| sum / pairs as f64);
            prop_assert!((ours.unwrap_or(0.0) - theirs.unwrap_or(0.0)).abs() < 1e-9, "{:?} {:?}", ours, theirs);
            prop_assert_eq!(ours.is_some(), theirs.is_some());
        }
    }
}
