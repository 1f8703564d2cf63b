//! Geometry on one thread: vertices a second through the vertex program, triangles a second through assembly.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn geometry(criterion: &mut Criterion) {
    let sphere = common::sphere(256);
    let draws = common::draws(&sphere, 1);
    let mut group = criterion.benchmark_group("geometry");
    let mut geometry = common::Geometry::default();
    group.throughput(Throughput::Elements(sphere.positions.len() as u64));
    group.bench_function("vertices", |bencher| {
        bencher.iter(|| geometry.shade(&draws));
    });
    geometry.shade(&draws);
    group.throughput(Throughput::Elements(sphere.indices.len() as u64 / 3));
    group.bench_function("triangles", |bencher| {
        bencher.iter(|| geometry.assemble(&draws));
    });
    group.finish();
}

criterion_group!(benches, geometry);
criterion_main!(benches);
