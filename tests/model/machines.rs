//! Every game and model on a machine with tiles and on one without: frames run to their end, and counters keep the laws of conservation,
//! which [`Gpu::run_frame`](azulejo::gpu::Gpu::run_frame) holds them against.

use azulejo::demo::{DEFAULT_SEED, DEMOS, Demo, MODELS};
use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::render::{Renderer, SimdLevel};
use azulejo::shot::Shot;
use azulejo::trace::RasterCounters;

/// A machine of this name with a small screen.
fn machine(name: &str) -> MachineSpec {
    let small = ["screen.width=160", "screen.height=120"].map(|text| text.parse());
    let small: Vec<_> = small.into_iter().map(|at| at.expect("a key")).collect();
    MachineSpec::built_in(name, &small).expect("shipped")
}

fn shades_what_the_renderer_shaded(demo: &Demo, machines: &[MachineSpec], renderer: &mut Renderer) {
    let shot = Shot::show(demo.start(DEFAULT_SEED));
    for spec in machines {
        let mut gpu = Gpu::new(spec).expect("a machine");
        for number in [0, 300] {
            let trace = shot.trace(renderer, spec, number).expect("few quads");
            let what = format!("{}, frame {number}, {}", demo.name, spec.name);
            let report = gpu.run_frame(&trace);
            let report = report.unwrap_or_else(|error| panic!("{what}: {error}"));
            let mut drawn = RasterCounters::default();
            (trace.tiles.iter()).for_each(|tile| drawn += tile.counters());
            let units = report.raster_units.iter();
            let shaded: u64 = units.map(|unit| unit.quads_shaded).sum();
            assert_eq!(shaded, drawn.quads_shaded, "{what}");
        }
    }
}

#[test]
fn machines_of_both_pipelines_run_every_game_and_model() {
    let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("this machine has lanes");
    let machines = ["valhall-libra-baseline", "emerald-gpu"].map(machine);
    for demo in DEMOS.iter().chain(MODELS) {
        shades_what_the_renderer_shaded(demo, &machines, &mut renderer);
    }
}
