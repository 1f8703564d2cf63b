//! Caches against the reference counts: LRU, OPT and OPT with bypass on two traces of a million accesses, and the exact
//! fractions of circular and back-and-forth streams. Skipped, with a message, where the data is not beside the checkout.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;

use crate::shared::shared;
use azulejo::gpu::access::AccessKind;
use azulejo::gpu::cache::{
    AccessStream, CacheAccess, CacheSpec, CacheTags, OfflineOutcome, OfflinePolicy, Victim,
    simulate_offline,
};
use azulejo::units::Bytes;
use flate2::read::GzDecoder;
use serde_json::{Value, json};

/// Size of the reference: two traces by four caches and by two pairs of caches, and nine cyclic streams.
const CASES: usize = 8;
const PAIRS: usize = 4;
const ROWS: usize = 9;

fn reference(name: &str) -> Option<PathBuf> {
    shared(&format!("reference/cache/{name}"))
}

fn reference_json(name: &str) -> Option<Value> {
    let text = fs::read_to_string(reference(name)?).expect("readable");
    Some(serde_json::from_str(&text).expect("JSON"))
}

fn trace(name: &str) -> Vec<(u64, AccessKind)> {
    let path = reference(&format!("{name}.u32.gz")).expect("trace beside results.json");
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(path).expect("readable"))
        .read_to_end(&mut bytes)
        .expect("gzip");
    let words = bytes.as_chunks::<4>().0.iter();
    words
        .map(|word| access(u32::from_le_bytes(*word)))
        .collect()
}

fn access(word: u32) -> (u64, AccessKind) {
    let kind = match word & 1 {
        1 => AccessKind::Write,
        _ => AccessKind::Read,
    };
    (u64::from(word & !3), kind)
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

fn spec_of(result: &Value) -> CacheSpec {
    let (sets, ways) = (number(&result["sets"]), number(&result["ways"]));
    let line = number(&result["line"]);
    CacheSpec {
        size: Bytes(sets * ways * line),
        ways: u32::try_from(ways).expect("few"),
        line: Bytes(line),
    }
}

/// Runs `check` for each trace and cache of results.json.
fn for_each_case(check: impl Fn(&str, &[(u64, AccessKind)], &Value)) {
    let Some(results) = reference_json("results.json") else {
        return;
    };
    let mut n_cases = 0;
    for (name, expected) in results["traces"].as_object().expect("traces") {
        let accesses = trace(name);
        assert!(accesses.len() > 100_000, "{name} is whole");
        for (cache, result) in expected["results"].as_object().expect("caches") {
            check(&format!("{name} {cache}"), &accesses, result);
            n_cases += 1;
        }
    }
    assert_eq!(n_cases, CASES, "traces and caches");
}

#[test]
fn lru_equals_the_reference_counts() {
    for_each_case(|case, accesses, result| {
        let mut tags = CacheTags::new(spec_of(result), Victim::Lru).expect("valid");
        for (address, kind) in accesses {
            tags.access(*address, *kind);
        }
        let mut ours = serde_json::to_value(tags.counters).expect("JSON");
        ours["misses"] = json!(tags.counters.misses());
        ours["dirty_lines_left"] = json!(tags.n_dirty_lines());
        assert_eq!(ours, result["lru"], "{case}");
    });
}

#[test]
fn opt_and_opt_with_bypass_equal_the_reference_counts() {
    for_each_case(|case, accesses, result| {
        let spec = spec_of(result);
        let mut stream = AccessStream::new(spec.line);
        for (address, kind) in accesses {
            stream.push(*address, *kind).expect("room");
        }
        let opt = simulate_offline(&stream, &spec, OfflinePolicy::Opt, |_| {}).expect("valid");
        let bypass =
            simulate_offline(&stream, &spec, OfflinePolicy::OptBypass, |_| {}).expect("valid");
        let ours = [
            opt.cache.misses(),
            bypass.cache.misses(),
            bypass.bypasses,
            stream.len() as u64,
        ];
        let theirs = [
            number(&result["opt_misses"]),
            number(&result["opt_bypass_misses"]),
            number(&result["opt_bypass_count"]),
            accesses.len() as u64,
        ];
        assert_eq!(ours, theirs, "{case}");
        assert_eq!(opt.bypasses, 0, "{case}: OPT always allocates");
    });
}

#[test]
fn two_levels_composed_of_tags_equal_the_reference_counts() {
    let Some(results) = reference_json("results.json") else {
        return;
    };
    let mut n_pairs = 0;
    for (name, expected) in results["traces"].as_object().expect("traces") {
        let accesses = trace(name);
        for (pair, counts) in expected["two_level"].as_object().expect("pairs") {
            let (l1, l2) = pair.split_once('+').expect("two caches");
            let caches = [&expected["results"][l1], &expected["results"][l2]];
            assert_eq!(
                two_level_counts(&accesses, caches),
                *counts,
                "{name} {pair}"
            );
            n_pairs += 1;
        }
    }
    assert_eq!(n_pairs, PAIRS, "traces and pairs of caches");
}

/// A dirty line that leaves L1 is written to L2, where it allocates without a fetch; then the miss reads L2.
fn two_level_counts(accesses: &[(u64, AccessKind)], specs: [&Value; 2]) -> Value {
    let [mut l1, mut l2] =
        specs.map(|spec| CacheTags::new(spec_of(spec), Victim::Lru).expect("valid"));
    for (address, kind) in accesses {
        if let CacheAccess::Miss(evicted) = l1.access(*address, *kind) {
            if let Some(evicted) = evicted.filter(|evicted| evicted.dirty) {
                l2.access(evicted.address, AccessKind::Write);
            }
            l2.access(*address, AccessKind::Read);
        }
    }
    json!({
        "l1_misses": l1.counters.misses(),
        "l1_writebacks": l1.counters.dirty_writebacks,
        "l2_reads": l2.counters.read_hits + l2.counters.read_misses,
        "l2_writes": l2.counters.write_hits + l2.counters.write_misses,
        "l2_read_misses": l2.counters.read_misses,
        "l2_write_misses": l2.counters.write_misses,
        "dram_reads": l2.counters.read_misses,
        "dram_writes": l2.counters.dirty_writebacks,
    })
}

#[derive(Clone, Copy)]
enum Policy {
    Lru,
    Opt,
    OptBypass,
}

#[test]
fn circular_and_back_and_forth_streams_miss_the_exact_fractions() {
    let Some(circular) = reference_json("circular.json") else {
        return;
    };
    let rows = circular["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), ROWS, "streams and cache sizes");
    for row in rows {
        let (s, j) = (number(&row["s"]), number(&row["j"]));
        let around: Vec<u64> = (0..s).collect();
        let sweep: Vec<u64> = (0..s).chain((0..s).rev()).collect();
        for (stream, name) in [(around, "circular"), (sweep, "back_and_forth")] {
            for (policy, suffix) in [
                (Policy::Lru, "lru"),
                (Policy::Opt, "opt"),
                (Policy::OptBypass, "optb"),
            ] {
                let expected = row[format!("{name}_{suffix}")].as_str().expect("fraction");
                let ours = steady_misses(&stream, j, policy);
                let (over, under) = parse_fraction(expected);
                assert_eq!(
                    ours.0 * under,
                    over * ours.1,
                    "{name} {suffix} s={s} j={j}: {ours:?} against {expected}"
                );
            }
        }
    }
}

fn parse_fraction(text: &str) -> (u64, u64) {
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    (
        over.parse().expect("integer"),
        under.parse().expect("integer"),
    )
}

/// Misses and accesses of a fully associative cache of `j` lines over whole super-periods, after a warm-up and before the
/// end (where the optimum sees that nothing follows).
fn steady_misses(period: &[u64], j: u64, policy: Policy) -> (u64, u64) {
    let s = period.len() as u64;
    let window = s * (s - 1) * 2;
    let (first, end) = (window, 2 * window);
    let addresses: Vec<u64> = (0..end + window)
        .map(|at| period[usize::try_from(at % s).expect("small")] * 64)
        .collect();
    let spec = CacheSpec {
        size: Bytes(j * 64),
        ways: u32::try_from(j).expect("small"),
        line: Bytes(64),
    };
    let missed = misses_of(&addresses, &spec, policy);
    let steady = missed
        [usize::try_from(first).expect("small")..usize::try_from(end).expect("small")]
        .iter()
        .filter(|missed| **missed);
    (steady.count() as u64, end - first)
}

fn misses_of(addresses: &[u64], spec: &CacheSpec, policy: Policy) -> Vec<bool> {
    let offline = |policy| {
        let mut stream = AccessStream::new(spec.line);
        for address in addresses {
            stream.push(*address, AccessKind::Read).expect("room");
        }
        let mut missed = Vec::new();
        simulate_offline(&stream, spec, policy, |outcome| {
            missed.push(outcome != OfflineOutcome::Hit);
        })
        .expect("valid");
        missed
    };
    match policy {
        Policy::Opt => offline(OfflinePolicy::Opt),
        Policy::OptBypass => offline(OfflinePolicy::OptBypass),
        Policy::Lru => {
            let mut tags = CacheTags::new(*spec, Victim::Lru).expect("valid");
            let accesses = addresses.iter();
            accesses
                .map(|address| tags.access(*address, AccessKind::Read) != CacheAccess::Hit)
                .collect()
        }
    }
}
