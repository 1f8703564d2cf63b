//! Speed of the hardware model: GPU cycles a second over the first frame of the built-in scene, on one host thread, and by several
//! machines at once over the same trace.

mod courtyard;

use std::num::NonZero;
use std::thread::available_parallelism;

use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::render::{RenderSettings, Renderer, SimdLevel, Tracing};
use azulejo::trace::FrameTrace;
use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};

use courtyard::Courtyard;

fn machine() -> MachineSpec {
    MachineSpec::built_in("valhall-libra-baseline", &[]).expect("shipped")
}

/// The courtyard at the machine's screen.
fn courtyard(spec: &MachineSpec) -> FrameTrace {
    let grid = spec.screen.grid;
    let courtyard = Courtyard::new(grid.width, grid.height);
    let settings = Courtyard::before_sky(RenderSettings {
        width: grid.width,
        height: grid.height,
        tile_size: grid.tile_size,
        ..RenderSettings::default()
    });
    let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("this machine has lanes");
    let list = courtyard.input(&settings).draws();
    renderer.draw(&list, Tracing::default()).trace
}

/// The cycles of the first frame on a new machine.
fn cycles(spec: &MachineSpec, trace: &FrameTrace) -> u64 {
    let report = Gpu::new(spec).expect("valid").run_frame(trace);
    report.expect("it never stands still").cycles.0
}

fn simulated_cycles(criterion: &mut Criterion) {
    let spec = machine();
    let trace = courtyard(&spec);
    let cycles_of_frame = cycles(&spec, &trace);
    let mut group = criterion.benchmark_group("simulated_cycles");
    group.sample_size(10);
    group.sampling_mode(SamplingMode::Flat);
    let n_cores = available_parallelism().map_or(1, NonZero::get);
    let mut counts = vec![1, 2, n_cores];
    counts.sort_unstable();
    counts.dedup();
    for n_machines in counts.into_iter().filter(|n| *n <= n_cores) {
        group.throughput(Throughput::Elements(cycles_of_frame * n_machines as u64));
        group.bench_function(BenchmarkId::new("machines", n_machines), |bencher| {
            bencher.iter(|| {
                std::thread::scope(|scope| {
                    for _ in 0..n_machines {
                        scope.spawn(|| cycles(&spec, &trace));
                    }
                });
            });
        });
    }
    group.finish();
}

criterion_group!(benches, simulated_cycles);
criterion_main!(benches);
