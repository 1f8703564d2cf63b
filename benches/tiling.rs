//! Tiling on one thread: triangles a second into the tiles' lists, and their signatures.

mod common;

use azulejo::render::elimination::sign_triangles;
use azulejo::render::shading::FragmentProgram;
use azulejo::render::tiling::TileLists;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn tiling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tiling");
    for n in [8, 64, 256] {
        let sphere = common::sphere(n);
        let draws = common::draws(&sphere, 1);
        let geometry = common::Geometry::of(&draws);
        let (mut binned, mut lists) = (Vec::new(), TileLists::default());
        let triangles = geometry.chunks.iter().map(|chunk| chunk.triangles.len());
        let triangles: usize = triangles.sum();
        group.throughput(Throughput::Elements(triangles as u64));
        group.bench_function(BenchmarkId::new("triangles", triangles), |bencher| {
            bencher.iter(|| geometry.bin(&mut binned, &mut lists));
        });
        // Additional work of Rendering Elimination.
        let n_varyings = usize::from(draws[0].program.varyings().len);
        let mut signatures = Vec::new();
        group.bench_function(BenchmarkId::new("signatures", triangles), |bencher| {
            bencher.iter(|| {
                for chunk in &geometry.chunks {
                    let vertices = &geometry.vertices[chunk.draw as usize];
                    sign_triangles(chunk, vertices, n_varyings, &mut signatures);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, tiling);
criterion_main!(benches);
