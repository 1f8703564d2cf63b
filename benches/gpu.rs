//! Speed of the hardware model: GPU cycles a second, on one host thread and by a machine on every core, for nine scenes
//! that load it differently. Each is the first frame of a new machine at that machine's screen. glTF files lie beside the
//! checkout; those that are not there are named and left out. Names after `--` choose scenes.

mod courtyard;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::render::{RenderSettings, Renderer, SimdLevel, Tracing};
use azulejo::scene::Environment;
use azulejo::scene::gltf::{LoadOptions, load_path};
use azulejo::shot::{Content, Eye, Shot};
use azulejo::trace::FrameTrace;
use mimalloc::MiMalloc;

use courtyard::Courtyard;

/// Allocator of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Runs of which the median counts.
const RUNS: usize = 5;

/// Source of a benchmark's scene.
#[derive(Debug, Clone, Copy)]
enum Source {
    BuiltIn,
    /// A demo, and the number of its frame.
    Demo(&'static str, u64),
    /// A file below the folder of glTF models.
    Gltf(&'static str),
}

/// Much geometry and long programs, large textures, many short blended programs, little of anything.
const SCENES: &[(&str, Source)] = &[
    ("courtyard", Source::BuiltIn),
    (
        "DamagedHelmet",
        Source::Gltf("DamagedHelmet/glTF-Binary/DamagedHelmet.glb"),
    ),
    ("match3", Source::Demo("match3", 0)),
    ("climb", Source::Demo("climb", 300)),
    ("Avocado", Source::Gltf("Avocado/glTF/Avocado.gltf")),
    (
        "BoxTextured",
        Source::Gltf("BoxTextured/glTF-Binary/BoxTextured.glb"),
    ),
    ("lantern", Source::Demo("lantern", 300)),
    ("corridor", Source::Demo("corridor", 300)),
    (
        "FlightHelmet",
        Source::Gltf("FlightHelmet/FlightHelmet.gltf"),
    ),
];

fn machine() -> MachineSpec {
    MachineSpec::built_in("valhall-libra-baseline", &[]).expect("shipped")
}

/// The models beside the checkout.
fn gltf(file: &str) -> PathBuf {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
    checkout.join("../shared/gltf").join(file)
}

impl Source {
    /// The frame at the machine's screen; nothing where its file is absent.
    fn trace(self, spec: &MachineSpec) -> Option<FrameTrace> {
        let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("this machine has lanes");
        let (shot, number) = match self {
            Self::BuiltIn => {
                let settings = RenderSettings::of_screen(spec.screen.grid);
                let courtyard = Courtyard::new(settings.width, settings.height);
                let settings = Courtyard::before_sky(settings);
                let list = courtyard.input(&settings).draws();
                return Some(renderer.draw(&list, Tracing::default()).trace);
            }
            Self::Demo(name, number) => (Shot::demo(name).expect("a demo"), number),
            Self::Gltf(file) => (framed(&gltf(file))?, 0),
        };
        let trace = shot.trace(&mut renderer, spec, number);
        Some(trace.expect("few quads"))
    }
}

/// All of a file's scene, before the sky; nothing where the file is absent.
fn framed(path: &Path) -> Option<Shot> {
    let load = || load_path(path, &LoadOptions::default()).expect("a valid model");
    let content = |scene| Content::scene(scene, Some(Environment::builtin()));
    path.exists()
        .then(|| Shot::new(content(load())).seen_from(Eye::Whole))
}

/// The cycles of the first frame on a new machine.
fn cycles(spec: &MachineSpec, trace: &FrameTrace) -> u64 {
    let report = Gpu::new(spec).expect("valid").run_frame(trace);
    report.expect("it never stands still").cycles.0
}

/// Seconds of the median run of so many machines at once, each in its own thread.
fn seconds(spec: &MachineSpec, trace: &FrameTrace, n_machines: usize) -> f64 {
    let run = || {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..n_machines {
                scope.spawn(|| cycles(spec, trace));
            }
        });
        start.elapsed().as_secs_f64()
    };
    let mut seconds: Vec<f64> = (0..RUNS).map(|_| run()).collect();
    seconds.sort_by(f64::total_cmp);
    seconds[RUNS / 2]
}

/// Measures a scene and prints its line; millions of cycles a second on one thread, or nothing where its file is absent.
#[expect(clippy::print_stdout, reason = "what a bench is for")]
fn measure(name: &str, source: Source, spec: &MachineSpec) -> Option<f64> {
    let Some(trace) = source.trace(spec) else {
        println!("{name:14} left out: its file is not in ../shared/gltf");
        return None;
    };
    let millions = cycles(spec, &trace) as f64 / 1e6;
    let rate = |n_machines| n_machines as f64 * millions / seconds(spec, &trace, n_machines);
    let one = rate(1);
    let n_cores = available_parallelism().map_or(1, NonZero::get);
    let all = rate(n_cores);
    println!("{name:14} {millions:9.3} {one:12.3} {all:12.3}");
    Some(one)
}

#[expect(clippy::print_stdout, reason = "what a bench is for")]
fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<_> = asked.iter().filter(|word| !word.starts_with('-')).collect();
    let is_asked = |name: &str| names.is_empty() || names.iter().any(|asked| *asked == name);
    let spec = machine();
    println!(
        "millions of cycles: of the frame; a second on one thread; a second by a machine on every core"
    );
    let scenes = SCENES.iter().filter(|(name, _)| is_asked(name));
    let measured = scenes.filter_map(|(name, source)| measure(name, *source, &spec));
    let rates: Vec<f64> = measured.collect();
    let mean = rates.iter().sum::<f64>() / rates.len().max(1) as f64;
    println!("{:14} {:9} {mean:12.3}", "mean", "");
}
