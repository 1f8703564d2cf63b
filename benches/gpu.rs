//! Speed of the hardware model: GPU cycles a second, on one host thread and by a machine on every core, for nine scenes
//! that load it differently. Each is the first frame of a new machine at that machine's screen. glTF files lie beside the
//! checkout; those that are not there are named and left out. Names after `--` choose scenes.

mod courtyard;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use azulejo::demo::{DEFAULT_SEED, Demo, Screen};
use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::render::{
    Background, FrameInput, RenderSettings, Renderer, SimdLevel, Traced, Tracing,
};
use azulejo::scene::gltf::{LoadOptions, load_path};
use azulejo::scene::{AnimationChoice, Environment};
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
        let settings = RenderSettings::of_screen(spec.screen.grid);
        let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("this machine has lanes");
        let mut trace_of = |input: FrameInput<'_>| {
            let Traced { trace, .. } = renderer.draw(&input.draws(), Tracing::default());
            trace
        };
        match self {
            Self::BuiltIn => {
                let courtyard = Courtyard::new(settings.width, settings.height);
                let settings = Courtyard::before_sky(settings);
                Some(trace_of(courtyard.input(&settings)))
            }
            Self::Demo(name, number) => {
                let show = Demo::find(name).expect("a demo").start(DEFAULT_SEED);
                let screen = Screen {
                    width: settings.width,
                    height: settings.height,
                };
                let frame = show.frame(number, screen);
                let settings = RenderSettings {
                    frame: number,
                    ..settings.of_game(show.background)
                };
                let input = FrameInput::new(&show.scene, &frame.state, &frame.view, &settings);
                Some(trace_of(input))
            }
            Self::Gltf(file) => {
                let path = gltf(file);
                path.exists()
                    .then(|| trace_of_file(&path, settings, trace_of))
            }
        }
    }
}

/// The start of a file's animations, framed, before the sky.
fn trace_of_file(
    path: &Path,
    settings: RenderSettings,
    trace_of: impl FnOnce(FrameInput<'_>) -> FrameTrace,
) -> FrameTrace {
    let scene = load_path(path, &LoadOptions::default()).expect("a valid model");
    let settings = RenderSettings {
        background: Background::Environment,
        ..settings
    };
    let RenderSettings { width, height, .. } = settings;
    let mut state = scene.state_at(AnimationChoice::All, 0.0);
    let camera = scene.framing_camera(&state, width as f32 / height as f32);
    let view = camera.view(width, height);
    state.sort_blended(&scene, view.eye_world);
    let environment = Environment::builtin();
    trace_of(FrameInput {
        environment: Some(&environment),
        ..FrameInput::new(&scene, &state, &view, &settings)
    })
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
