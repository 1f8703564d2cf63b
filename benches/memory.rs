//! Speed of the memory models: DRAM cycles a second under light and heavy load, cache accesses a second, online and
//! offline.

use std::hint::black_box;

use azulejo::gpu::access::AccessKind;
use azulejo::gpu::cache::{
    AccessStream, CacheSpec, CacheTags, OfflinePolicy, Victim, simulate_offline,
};
use azulejo::gpu::dram::{DramSpec, Replay, ReplayOutcome, TraceRequest};
use azulejo::units::{Bytes, DramCycles};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014): equal requests in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

const N_REQUESTS: u64 = 20_000;

/// A stream that asks for one line after the other every `spacing` cycles.
fn sequential(spacing: u64) -> Vec<TraceRequest> {
    (0..N_REQUESTS)
        .map(|at| TraceRequest {
            address: at * 64,
            kind: AccessKind::Read,
            cycle: DramCycles(at * spacing),
        })
        .collect()
}

/// Half a tile renderer's traffic: eight streams that jump now and then, a third of them writes.
fn mixed(spacing: u64) -> Vec<TraceRequest> {
    let mut random = Random(7);
    let mut streams: Vec<u64> = (0..8).map(|_| random.below(1 << 24) * 64).collect();
    (0..N_REQUESTS)
        .map(|at| {
            let stream = usize::try_from(random.below(8)).unwrap_or(0);
            streams[stream] = match random.below(8) {
                0 => random.below(1 << 24) * 64,
                _ => streams[stream] + 64,
            };
            let kind = match random.below(3) {
                0 => AccessKind::Write,
                _ => AccessKind::Read,
            };
            TraceRequest {
                address: streams[stream],
                kind,
                cycle: DramCycles(at * spacing),
            }
        })
        .collect()
}

fn replay(spec: &DramSpec, requests: &[TraceRequest]) -> ReplayOutcome {
    let mut replay = Replay::new(spec).expect("shipped");
    for request in requests {
        replay.offer(request);
    }
    replay.finish()
}

fn dram_cycles(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dram_cycles");
    for (load, requests) in [
        ("sequential_saturated", sequential(1)),
        ("mixed_saturated", mixed(1)),
        ("mixed_every_20", mixed(20)),
        ("mixed_every_200", mixed(200)),
    ] {
        for config in ["lpddr3_1ch", "lpddr4_2ch"] {
            let spec = DramSpec::named(config).expect("shipped");
            let ticks = replay(&spec, &requests).total_ticks;
            group.throughput(Throughput::Elements(ticks.0));
            group.bench_function(BenchmarkId::new(load, config), |bencher| {
                bencher.iter(|| black_box(replay(&spec, &requests)));
            });
        }
    }
    group.finish();
}

/// Texture-like locality: short runs in one of many blocks.
fn cache_addresses() -> Vec<u64> {
    let mut random = Random(11);
    let mut address = 0;
    (0..1_000_000)
        .map(|_| {
            address = match random.below(16) {
                0 => random.below(1 << 22) * 4,
                _ => address + 16,
            };
            address
        })
        .collect()
}

fn cache_accesses(criterion: &mut Criterion) {
    let addresses = cache_addresses();
    let mut group = criterion.benchmark_group("cache_accesses");
    group.throughput(Throughput::Elements(addresses.len() as u64));
    for (name, size, ways) in [("8KiB_2w", 8 << 10, 2), ("2MiB_8w", 2 << 20, 8)] {
        let spec = CacheSpec {
            size: Bytes(size),
            ways,
            line: Bytes(64),
        };
        group.bench_function(BenchmarkId::new("lru", name), |bencher| {
            bencher.iter(|| {
                let mut tags = CacheTags::new(spec, Victim::Lru).expect("valid");
                for address in &addresses {
                    black_box(tags.access(*address, AccessKind::Read));
                }
                tags.counters
            });
        });
        let mut stream = AccessStream::new(spec.line);
        for address in &addresses {
            stream.push(*address, AccessKind::Read).expect("room");
        }
        group.bench_function(BenchmarkId::new("opt", name), |bencher| {
            bencher.iter(|| simulate_offline(&stream, &spec, OfflinePolicy::Opt, |_| {}));
        });
    }
    group.finish();
}

criterion_group!(benches, dram_cycles, cache_accesses);
criterion_main!(benches);
