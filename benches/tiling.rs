//! Tiling on one thread: triangles a second into the tiles' lists.

mod common;

use azulejo::render::shading::FragmentProgram;
use azulejo::render::tiling::{TileLists, sign_triangles};
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
        let triangles = geometry.n_triangles();
        group.throughput(Throughput::Elements(triangles as u64));
        group.bench_function(BenchmarkId::new("triangles", triangles), |bencher| {
            bencher.iter(|| geometry.bin(&mut binned, &mut lists));
        });
    }
    group.finish();
}

/// What Rendering Elimination adds: the signatures of all triangles.
fn signing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("signing");
    for n in [8, 64, 256] {
        let sphere = common::sphere(n);
        let draws = common::draws(&sphere, 1);
        let mut geometry = common::Geometry::default();
        geometry.shade(&draws);
        geometry.assemble(&draws);
        let n_varyings = usize::from(draws[0].program.varyings().len);
        let triangles = geometry.n_triangles();
        let mut signatures = Vec::new();
        group.throughput(Throughput::Elements(triangles as u64));
        group.bench_function(BenchmarkId::new("triangles", triangles), |bencher| {
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

criterion_group!(benches, tiling, signing);
criterion_main!(benches);
