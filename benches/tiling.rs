//! Tiling on one thread: triangles a second into the tiles' lists.

mod common;

use azulejo::render::tiling::TileLists;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn tiling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tiling");
    for n in [8, 64, 256] {
        let sphere = common::sphere(n);
        let draws = common::draws(&sphere, 1);
        let mut geometry = common::Geometry::default();
        geometry.shade(&draws);
        geometry.assemble(&draws);
        let (mut binned, mut lists) = (Vec::new(), TileLists::default());
        let triangles: usize = geometry
            .chunks
            .iter()
            .map(|chunk| chunk.triangles.len())
            .sum();
        group.throughput(Throughput::Elements(triangles as u64));
        group.bench_function(BenchmarkId::new("triangles", triangles), |bencher| {
            bencher.iter(|| geometry.bin(&mut binned, &mut lists));
        });
    }
    group.finish();
}

criterion_group!(benches, tiling);
criterion_main!(benches);
