//! The version of all numbers is raised whenever numbers change: sweeps keep results by it, and must not mix those of two
//! programs.

mod probe;

use azulejo::gpu::machine::{BUILT_IN, MachineSpec};
use azulejo::grid::{SampleCount, TileGrid};
use azulejo::render::{Renderer, SimdLevel, Tracing};
use azulejo::report::{frame_record, system_record};
use azulejo::shot::Shot;
use azulejo::soc::{SocSpec, System};
use azulejo::sweep::{Fingerprint, RESULTS_VERSION};
use azulejo::technique::{TECHNIQUES, Technique, machine_with};
use azulejo::trace::FrameTrace;
use probe::Probe;

/// Digest of the results of each version, the newest last.
const KNOWN: &[(u32, &str)] = &[
    (1, "74cfd4c6290fa9bd80a997f2863ceef0"),
    (2, "113629103746a12eee818f55dd997837"),
    (3, "b033215438df0d8a5a3b55c3f6cf164b"),
    (4, "430e32c593d36e599a3a7143236ee35a"),
    (5, "225c486cdfa163c35765cb1d683178e8"),
    (6, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Lamps shine through glass: the scenes counted here have none.
    (7, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Brushed surfaces look the environment up eight times: nothing here is brushed.
    (8, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Irradiance is looked up in the environment: nothing here has one.
    (9, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // Brushed surfaces look where facets that the eye sees mirror.
    (10, "ef5f1a9a62787bc51becc53650ffd7ba"),
    // From here on every kind of program, pass, sample count and system is counted.
    (11, "1792627abab73fd777af62829b722060"),
    // The picture behind glass is a texture that goes through the L2: nothing else has moved.
    (12, "127e6a13b80117749d1313314a0beea1"),
];

/// Frames of a game, small enough to be quick.
fn frames(demo: &str, n_frames: u64, grid: TileGrid, renderer: &mut Renderer) -> Vec<FrameTrace> {
    let shot = Shot::demo(demo).expect("a demo").on_screen(grid);
    (0..n_frames)
        .map(|number| shot.draw(renderer, number, Tracing::default()).trace)
        .collect()
}

/// The probe's frame, with one sample a pixel or more.
fn probed(grid: TileGrid, samples: SampleCount, renderer: &mut Renderer) -> FrameTrace {
    let probe = Probe::new();
    probe.with_input(grid, samples, |input| {
        renderer.draw(&input.draws(), Tracing::default()).trace
    })
}

/// Reports of a GPU by itself on frames, one after the other; none if it cannot carry the techniques.
fn of_gpu(spec: &MachineSpec, techniques: &[&Technique], traces: &[FrameTrace]) -> Option<Vec<u8>> {
    let mut gpu = machine_with(spec, techniques).ok()?;
    let mut bytes = Vec::new();
    for trace in traces {
        let report = gpu.run_frame(trace).expect("runs");
        bytes.extend(serde_json::to_vec(&frame_record(&report)).expect("JSON"));
    }
    Some(bytes)
}

/// Report of a system on a frame, and on everything before it.
fn of_system(spec: &MachineSpec, techniques: &[&Technique], trace: &FrameTrace) -> Option<Vec<u8>> {
    SocSpec::of(spec).expect("shipped")?;
    let mut system = System::new(machine_with(spec, techniques).ok()?).expect("a system");
    system.run_frame(trace).expect("runs");
    Some(serde_json::to_vec(&system_record(&system.report())).expect("JSON"))
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
        // Three, so that the first buffer comes again; triangles that are lit; everything that is drawn in its own way.
        let mut traces = frames("match3", 3, grid, &mut renderer);
        traces.extend(frames("arena", 1, grid, &mut renderer));
        traces.push(probed(grid, SampleCount::One, &mut renderer));
        let alone = TECHNIQUES.iter().map(|technique| vec![technique]);
        for techniques in std::iter::once(Vec::new()).chain(alone) {
            let names: String = techniques.iter().map(|technique| technique.name).collect();
            let name = format!("{}+{names}", machine.name);
            if let Some(bytes) = of_gpu(&spec, &techniques, &traces) {
                numbers.push((name.clone(), bytes));
            }
            if let Some(bytes) = of_system(&spec, &techniques, &traces[0]) {
                numbers.push((name + " as a system", bytes));
            }
        }
        // Tiles are smaller, so this is another screen.
        if let Ok(tile_size) = spec.tile_size_for(SampleCount::Four) {
            let grid = TileGrid { tile_size, ..grid };
            let trace = probed(grid, SampleCount::Four, &mut renderer);
            let bytes = of_gpu(&spec, &[], &[trace]).expect("it has none");
            numbers.push((format!("{} with samples", machine.name), bytes));
        }
    }
    numbers
}

#[test]
fn version_is_raised_when_numbers_change() {
    let numbers = numbers();
    for machine in BUILT_IN {
        let own = numbers
            .iter()
            .filter(|(name, _)| name.starts_with(machine.name));
        assert!(own.count() > 1, "{}: alone and with more", machine.name);
    }
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

#[test]
fn changelog_says_of_each_version_what_moved() {
    let changelog = include_str!("../../.github/CHANGELOG.md");
    for (version, _) in KNOWN {
        let row = format!("| {version} | ");
        assert!(
            changelog.lines().any(|line| line.starts_with(&row)),
            "a line of .github/CHANGELOG.md begins with `{row}`"
        );
    }
}
