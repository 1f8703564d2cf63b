//! Raster on one thread: whole frames of tiles through coverage, early-Z and a fragment program that does next to nothing,
//! with triangles from large to smaller than a pixel.

mod common;

use azulejo::grid::{SampleCount, TileId};
use azulejo::render::raster::observe::{CountingObserver, NullObserver, TileObserver};
use azulejo::render::raster::{Kernels, RasterUnit, TileScene};
use azulejo::render::tiling::TileLists;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn frame<O: TileObserver + Default>(
    unit: &mut RasterUnit,
    scene: &TileScene<'_, common::NormalColor>,
) {
    let kernels = Kernels::new().on(common::backend());
    for tile in (0..scene.grid.n_tiles()).map(TileId) {
        unit.draw_tile(kernels, scene, tile, &mut O::default());
    }
}

fn raster(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("raster");
    group.throughput(Throughput::Elements(u64::from(
        common::GRID.width * common::GRID.height,
    )));
    for n in [8, 64, 256] {
        let sphere = common::sphere(n);
        let draws = common::draws(&sphere, 3);
        let geometry = common::Geometry::of(&draws);
        let (mut binned, mut lists) = (Vec::new(), TileLists::default());
        geometry.bin(&mut binned, &mut lists);
        let raster_draws = common::raster_draws(&draws, &geometry);
        let scene = TileScene {
            grid: common::GRID,
            draws: &raster_draws,
            chunks: &geometry.chunks,
            lists: &lists,
            samples: SampleCount::One,
        };
        let triangles: usize = geometry
            .chunks
            .iter()
            .map(|chunk| chunk.triangles.len())
            .sum();
        let mut unit = RasterUnit::default();
        group.bench_function(BenchmarkId::new("frame", triangles), |bencher| {
            bencher.iter(|| frame::<NullObserver>(&mut unit, &scene));
        });
        group.bench_function(BenchmarkId::new("frame counted", triangles), |bencher| {
            bencher.iter(|| frame::<CountingObserver>(&mut unit, &scene));
        });
    }
    group.finish();
}

criterion_group!(benches, raster);
criterion_main!(benches);
