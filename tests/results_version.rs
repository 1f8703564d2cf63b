//! The version of all numbers is raised whenever numbers change: sweeps keep results by it, and must not mix those of two programs.

use azulejo::demo::{DEFAULT_SEED, Demo, Screen};
use azulejo::gpu::machine::{BUILT_IN, MachineSpec};
use azulejo::grid::TileGrid;
use azulejo::render::{FrameInput, RenderSettings, Renderer, SimdLevel, Traced, Tracing};
use azulejo::report::frame_record;
use azulejo::sweep::{Fingerprint, RESULTS_VERSION};
use azulejo::technique::{TECHNIQUES, machine_with};
use azulejo::trace::FrameTrace;

/// What the program of each version says, the newest last.
const KNOWN: &[(u32, &str)] = &[
    (1, "74cfd4c6290fa9bd80a997f2863ceef0"),
    (2, "113629103746a12eee818f55dd997837"),
    (3, "b033215438df0d8a5a3b55c3f6cf164b"),
    (4, "430e32c593d36e599a3a7143236ee35a"),
    (5, "225c486cdfa163c35765cb1d683178e8"),
    (6, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Lamps shine through glass: what this counts has none.
    (7, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Brushed surfaces look the environment up eight times: nothing here is brushed.
    (8, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Irradiance is looked up in the environment: nothing here has one.
    (9, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Brushed surfaces look where facets that the eye sees mirror.
    (10, "ef5f1a9a62787bc51becc53650ffd7ba"),
];

/// Frames of a game, small enough to be quick.
fn frames(demo: &str, n_frames: u64, grid: TileGrid, renderer: &mut Renderer) -> Vec<FrameTrace> {
    let show = Demo::find(demo).expect("a demo").start(DEFAULT_SEED);
    let settings = RenderSettings::of_screen(grid).of_game(show.background);
    let screen = Screen {
        width: grid.width,
        height: grid.height,
    };
    let frame = |number| {
        let frame = show.frame(number, screen);
        let settings = RenderSettings {
            frame: number,
            ..settings
        };
        let input = FrameInput::new(&show.scene, &frame.state, &frame.view, &settings);
        let Traced { trace, .. } = renderer.draw(&input.draws(), Tracing::default());
        trace
    };
    (0..n_frames).map(frame).collect()
}

/// Every machine that comes with the program, with every technique that it can carry.
fn numbers() -> Vec<(String, Vec<u8>)> {
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("this machine has lanes");
    let mut numbers = Vec::new();
    for machine in BUILT_IN {
        let spec = MachineSpec::built_in(machine.name, &[]).expect("shipped");
        let grid = TileGrid {
            width: 96,
            height: 64,
            ..spec.screen.grid
        };
        // Three, so that the first buffer comes again; then triangles that are lit.
        let mut traces = frames("match3", 3, grid, &mut renderer);
        traces.extend(frames("arena", 1, grid, &mut renderer));
        let alone = TECHNIQUES.iter().map(|technique| vec![technique]);
        for techniques in std::iter::once(Vec::new()).chain(alone) {
            let Ok(mut gpu) = machine_with(&spec, &techniques) else {
                continue;
            };
            let mut bytes = Vec::new();
            for trace in &traces {
                let report = gpu.run_frame(trace).expect("runs");
                let record = serde_json::to_vec(&frame_record(&report));
                bytes.extend(record.expect("JSON"));
            }
            let names: String = techniques.iter().map(|technique| technique.name).collect();
            numbers.push((format!("{}+{names}", machine.name), bytes));
        }
    }
    numbers
}

#[test]
fn version_is_raised_when_numbers_change() {
    let numbers = numbers();
    assert!(numbers.len() > BUILT_IN.len(), "with techniques");
    let parts = numbers
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    let found = Fingerprint::of(parts).to_string();
    let (version, known) = KNOWN.last().expect("a version");
    assert_eq!(
        *version, RESULTS_VERSION,
        "every version has its line: this one's is ({RESULTS_VERSION}, \"{found}\")"
    );
    assert_eq!(
        found,
        *known,
        "numbers are not those of version {version}: if that is meant, raise RESULTS_VERSION and add a line ({}, \"{found}\")",
        version + 1
    );
}
