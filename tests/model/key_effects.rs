//! Every key that a machine file may have changes a number of a report, or is refused: one that is taken and read by nobody
//! would let a study vary nothing without a word.
//!
//! Each key is changed by itself on a machine that has it, which draws a few small frames. Keys that act only where others
//! have certain values are listed with those in [`CASES`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::machine_laws::{keys, overlay, shipped, values};
use azulejo::gpu::machine::{BUILT_IN, MachineSpec, Overlay, built_in, load_machine};
use azulejo::render::{Renderer, SimdLevel};
use azulejo::report::{frame_record, system_record};
use azulejo::shot::Shot;
use azulejo::soc::System;
use azulejo::technique::{Technique, machine_with};
use azulejo::trace::synthetic::{CoveredScreen, Kernel, TexelPattern, surface};
use azulejo::trace::{
    Assembled, FixedFunction, FrameTrace, Instruction, InstructionClass, VertexStream,
};
use serde_json::{Map, Value};

/// Frames that a machine draws one after the other.
#[derive(Debug, Clone, Copy)]
enum Frames {
    /// So many: of the game, then a screen covered by three layers, then by two, and anew.
    Mixed(u64),
    /// The game's first three times, then with other inputs of its tiles under the checksums that they had.
    Still,
}

/// Keys, and a machine with settings on which they act.
#[derive(Debug, Clone, Copy)]
struct Case {
    /// Keys, or whole tables of them.
    keys: &'static [&'static str],
    machine: &'static str,
    /// Changes that stay, `KEY=VALUE` and spaces.
    settings: [&'static str; 2],
    technique: Option<&'static str>,
    frames: Frames,
    /// Whether the machine works in its system on chip.
    is_system: bool,
}

/// Case of keys that act on a machine as it is.
const fn case(machine: &'static str, keys: &'static [&'static str]) -> Case {
    Case {
        keys,
        machine,
        settings: ["", ""],
        technique: None,
        frames: Frames::Mixed(2),
        is_system: false,
    }
}

impl Case {
    const fn with(mut self, settings: &'static str) -> Self {
        self.settings[1] = settings;
        self
    }

    const fn under(mut self, technique: &'static str, frames: Frames) -> Self {
        (self.technique, self.frames) = (Some(technique), frames);
        self
    }

    /// In a system with a refresh and jobs about as short as its frames.
    const fn in_system(mut self) -> Self {
        self.settings[0] = "clock_mhz=100 display.refresh=1000 soc.cpu.clock_mhz=50 soc.cpu.before_frame=[60,30,10,5] soc.cpu.during_frame=[60,30,10,5]";
        (self.is_system, self.frames) = (true, Frames::Mixed(3));
        self
    }
}

/// Screen of all cases.
const SCREEN: &str = "screen.width=64 screen.height=64";

/// Cases; the first that names a key, or a table with it, is the key's.
static CASES: &[Case] = &[
    // Parameters of techniques, and the memories that only these have.
    case("mali450-re", &["technique.re", "energy.rom"]).under("re", Frames::Still),
    case("valhall-libra", &["technique.libra"])
        .with("screen.tile_size=8")
        .under("libra", Frames::Mixed(8)),
    case("valhall-khepri", &["technique.khepri"])
        .with("screen.tile_size=8")
        .under("khepri", Frames::Mixed(2)),
    case("emerald-gpu", &["technique.dfsl"])
        .with("technique.dfsl.max_work_tile=2 technique.dfsl.run_frames=1")
        .under("dfsl", Frames::Mixed(5)),
    // Clusters and deadlines within three frames.
    case("emerald-soc", &["technique.dash"])
        .under("dash", Frames::Mixed(3))
        .in_system()
        .with("technique.dash.quantum=100000 technique.dash.display_period_us=1000 technique.dash.gpu_period_us=1000"),
    // Agents beside the GPU. Groups of channels have an interleave of their own.
    case("emerald-soc", &["dram.controller.order", "dram.structure.interleave"]).in_system(),
    // One group and no more has no agents.
    case("emerald-soc-hmc", &["dram.group.ip.agents"])
        .in_system()
        .with("dram.structure.channels=4 dram.group.rest.agents=[] dram.group.rest.channels=2 dram.group.rest.mapping=rorababgcoch dram.group.ip.agents=[\"gpu\"]"),
    case("emerald-soc-hmc", &["soc", "dram.group", "display"]).in_system(),
    // Caches so small that what a small frame leaves in them is not all that it needs.
    case("emerald-gpu", &["immediate.depth_cache", "immediate.color_cache"])
        .with("immediate.depth_cache.size=1KiB immediate.color_cache.size=1KiB"),
    case("emerald-gpu", &["immediate.vertex_buffer.ways"])
        .with("immediate.vertex_buffer.size=512B immediate.vertex_buffer.ways=4"),
    case("valhall-libra", &["l2.replacement", "l2.ways"]).with("l2.size=8KiB"),
    case("valhall-libra", &["core.baseline.data_cache"])
        .with("core.baseline.data_cache.size=1KiB core.baseline.data_cache.mshrs=4"),
    case("emerald-gpu", &["core.cluster.data_cache"])
        .with("core.cluster.data_cache.size=1KiB core.cluster.data_cache.mshrs=4"),
    // Stages behind others that are as slow, or ahead enough.
    case("emerald-gpu", &["immediate.fine_tiles_per_cycle"])
        .with("immediate.coarse_tiles_per_cycle=16 immediate.hi_z_tiles_per_cycle=16"),
    case("emerald-gpu", &["core.cluster.warps"]).with("raster.units=1"),
    case("valhall-libra", &["geometry.vertex_cache.latency"]).with("geometry.vertex_queue=1"),
    // Vertices sample no textures: the vertex processor's core draws fragments here.
    case("mali450-re", &["core.vertex"]).with("raster.cores=vertex"),
    // Machines with these units as they are.
    case("emerald-gpu", &["immediate", "pipeline", "core.cluster"]),
    case("valhall-khepri", &["core.compute", "core.memory", "geometry.vertex_cores"]),
    case("mali450-re", &["core.fragment", "raster.cores"]),
    // All others.
    case("valhall-libra", &[""]).with("screen.tile_size=16"),
];

/// Keys of which every other value alone is refused: groups have as many channels as the structure, each a power of two.
const REFUSED: [&str; 2] = ["dram.group.cpu.channels", "dram.group.ip.channels"];

/// Values for keys that the machines' common ones do not suit.
const VALUES: &[(&str, &[&str])] = &[
    ("dram.group.cpu.agents", &["[\"cpu0\", \"cpu1\"]"]),
    ("dram.group.cpu.mapping", &["rocorababgch"]),
    ("dram.group.ip.agents", &["[\"display\"]"]),
    ("dram.group.ip.mapping", &["rorababgcoch"]),
    ("geometry.vertex_cores", &["memory"]),
    ("l2.replacement", &["mru"]),
    ("raster.cores", &["vertex"]),
    ("screen.height", &["48"]),
    ("screen.width", &["48"]),
    ("soc.cpu.before_frame", &["[90, 30, 10, 5]"]),
    ("soc.cpu.during_frame", &["[90, 30, 10, 5]"]),
    ("technique.dash.balance", &["served"]),
    ("technique.dash.bandwidth", &["system"]),
    ("technique.dfsl.search", &["hill-climb"]),
    ("technique.khepri.memory_cores", &["compute"]),
    ("technique.libra.first_edge", &["4"]),
    ("technique.libra.hit_threshold", &["0.0", "1.0"]),
    ("technique.libra.order", &["z-order"]),
    ("technique.libra.order_threshold", &["1.0", "0.0"]),
    ("technique.libra.resize_threshold", &["1.0", "0.0"]),
];

/// Values to try for a key.
fn others(key: &str, value: &Value) -> Vec<String> {
    if let Some((_, own)) = VALUES.iter().find(|(known, _)| *known == key) {
        return own.iter().map(|text| (*text).to_owned()).collect();
    }
    if let Some(rows) = rows(value) {
        let columns = rows.first().into_iter().flat_map(|row| row.keys());
        return columns
            .map(|column| with_column_doubled(&rows, column))
            .collect();
    }
    let mut seen = vec![value.to_string()];
    let mut others = values(key, value);
    others.retain(|other| {
        let is_new = !seen.contains(other);
        seen.push(other.clone());
        is_new
    });
    others
}

/// Rows of a value that is a list of tables.
fn rows(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    let rows: Option<Vec<_>> = value.as_array()?.iter().map(Value::as_object).collect();
    rows.filter(|rows| !rows.is_empty())
}

/// Such a list as TOML has it, each number of a column doubled.
fn with_column_doubled(rows: &[&Map<String, Value>], column: &str) -> String {
    let field = |(key, value): (&String, &Value)| {
        let doubled = match value.as_i64() {
            _ if key != column => value.to_string(),
            Some(whole) => (2 * whole).to_string(),
            None => format!("{:?}", 2.0 * value.as_f64().unwrap_or_default()),
        };
        format!("{key} = {doubled}")
    };
    let row = |row: &&Map<String, Value>| {
        let fields: Vec<_> = row.iter().map(field).collect();
        format!("{{{}}}", fields.join(", "))
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    format!("[{}]", rows.join(", "))
}

/// Place of a key's case.
fn case_of(key: &str) -> usize {
    let names = |part: &&str| {
        key.strip_prefix(*part)
            .is_some_and(|rest| part.is_empty() || rest.is_empty() || rest.starts_with('.'))
    };
    let found = CASES.iter().position(|case| case.keys.iter().any(names));
    found.expect("the last one names all")
}

/// Changes of a case, those of one key behind them.
fn changes(case: &Case, last: Option<Overlay>) -> Vec<Overlay> {
    let [first, second] = case.settings;
    let settings = [SCREEN, first, second].join(" ");
    let settings = settings.split_ascii_whitespace();
    let settings = settings.map(|text| text.parse().expect("KEY=VALUE"));
    settings.chain(last).collect()
}

fn spec(case: &Case, last: Option<Overlay>) -> Result<MachineSpec, String> {
    let text = built_in(case.machine).expect("shipped");
    let spec = load_machine(case.machine, text, &shipped, &changes(case, last));
    spec.map_err(|error| error.to_string())
}

/// Traces that were made, by frames, screen and binning, and the game that they are of.
struct Traces {
    shot: Shot,
    made: Mutex<HashMap<String, Arc<Vec<FrameTrace>>>>,
}

impl Traces {
    fn of(&self, frames: Frames, spec: &MachineSpec) -> Arc<Vec<FrameTrace>> {
        let screen = &spec.screen;
        let name = format!("{frames:?} {:?} {:?}", screen.grid, screen.binning);
        let mut known = self.made.lock().expect("no test panics here");
        let made = known
            .entry(name)
            .or_insert_with(|| Arc::new(traced(&self.shot, frames, spec)));
        Arc::clone(made)
    }
}

fn traced(shot: &Shot, frames: Frames, spec: &MachineSpec) -> Vec<FrameTrace> {
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("one thread");
    let mut trace = |number: u64| shot.trace(&mut renderer, spec, number).expect("few quads");
    match frames {
        Frames::Mixed(n) => (0..n)
            .map(|number| match number % 3 {
                0 => trace(number),
                nth => covered(spec, 4 - nth as u32, number),
            })
            .collect(),
        Frames::Still => {
            let first = trace(0);
            let mut all = vec![first; 4];
            for (number, frame) in (0..).zip(&mut all) {
                frame.frame = number;
            }
            for tile in &mut all[3].tiles {
                tile.digests.inputs ^= 1;
            }
            all
        }
    }
}

/// Primitives of a covered screen that are culled.
const CULLED: u32 = 40;

/// A covered screen with what the game's frames lack: special functions, texels that are all new, depth and blending at
/// once, vertices that come again and lie in streams which fall on the same sets, and a kernel before.
fn covered(spec: &MachineSpec, layers: u32, number: u64) -> FrameTrace {
    let mut screen = CoveredScreen::new(spec.screen.grid, surface(2, 32));
    screen.layers = layers;
    screen.n_attributes = 6;
    screen.texels = TexelPattern::AlwaysNew;
    screen.state = FixedFunction {
        depth_test: true,
        depth_write: true,
        late_depth: false,
        blend: true,
    };
    let mut frame = screen.frame(number);
    let draw = &mut frame.draws[0];
    let n_vertices = 3 * (layers + CULLED);
    draw.vertices = (0..n_vertices).map(|nth| nth % 12).collect();
    for _ in 0..CULLED {
        draw.assembled.push(Assembled {
            new_vertices: 3,
            binned: 0,
        });
    }
    draw.counters.vertices_in = n_vertices.into();
    draw.counters.vertices_shaded = n_vertices.into();
    draw.counters.primitives_in = (layers + CULLED).into();
    let first = draw.vertex_streams[0];
    draw.vertex_streams = [0, 1, 2]
        .map(|nth| VertexStream {
            offset: 8192 * nth,
            ..first
        })
        .to_vec();
    frame.buffers[0].bytes = 3 * 8192;
    frame.before = vec![kernel()];
    frame
}

/// A kernel of workgroups that any core holds, whose loads come back to 61 lines in no order.
fn kernel() -> FrameTrace {
    let load = Instruction::new(InstructionClass::Load, &[]);
    let mut kernel = Kernel::new("kernel", vec![load; 96]);
    (kernel.group_threads, kernel.n_groups) = (4, 16);
    kernel.texels = TexelPattern::AlwaysNew;
    let mut pass = kernel.pass();
    let lines = &mut pass.dispatches[0].accesses.lines;
    lines.iter_mut().for_each(|line| *line = *line * *line % 61);
    pass
}

/// Numbers that repeat what the machine says of itself.
const ECHOES: [&str; 3] = ["clock", "grid", "burst_bytes"];

/// Numbers of a report, but for echoes.
fn numbers(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Number(number) => all.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| numbers(item, all)),
        Value::Object(fields) => {
            let counted = fields
                .iter()
                .filter(|(key, _)| !ECHOES.contains(&key.as_str()));
            counted.for_each(|(_, value)| numbers(value, all));
        }
        _ => {}
    }
}

/// Numbers of all reports of a case on a machine; an error where the machine cannot be built.
fn reported(case: &Case, spec: &MachineSpec, traces: &Traces) -> Result<Vec<String>, String> {
    let technique = case
        .technique
        .map(|name| Technique::find(name).expect("a technique"));
    let techniques: Vec<_> = technique.into_iter().collect();
    let mut gpu = machine_with(spec, &techniques).map_err(|error| error.to_string())?;
    // Under this name a report is shown and kept.
    let mut all = vec![spec.name.clone()];
    let frames = traces.of(case.frames, spec);
    if case.is_system {
        let mut system = System::new(gpu).map_err(|error| error.to_string())?;
        for frame in frames.iter() {
            let report = system.run_frame(frame).expect("runs").report;
            numbers(&frame_record(&report), &mut all);
        }
        let record = serde_json::to_value(system_record(&system.report()));
        numbers(&record.expect("JSON"), &mut all);
    } else {
        for frame in frames.iter() {
            let report = gpu.run_frame(frame).expect("runs");
            numbers(&frame_record(&report), &mut all);
        }
    }
    Ok(all)
}

/// Whether a key acts; not if all its other values are refused. An error where they are taken and change nothing, in a list
/// of tables those of any column.
fn acts(key: &str, value: &Value, own: &[String], traces: &Traces) -> Result<bool, String> {
    let case = &CASES[case_of(key)];
    let is_table = rows(value).is_some();
    let (mut idle, mut is_felt) = (Vec::new(), false);
    for other in others(key, value) {
        let changed = spec(case, Some(overlay(key, &other)));
        match changed.and_then(|spec| reported(case, &spec, traces)) {
            Ok(all) if all == own => idle.push(other),
            Ok(_) if is_table => is_felt = true,
            Ok(_) => return Ok(true),
            Err(_) => {}
        }
    }
    if idle.is_empty() {
        Ok(is_felt)
    } else {
        Err(format!("{key} = {}", idle.join(", ")))
    }
}

/// Every key of the shipped machines, with its value on the machine of its case.
fn all_keys() -> Vec<(String, Value)> {
    let of = |name: &str| keys(name).into_iter().collect::<BTreeMap<_, _>>();
    let on: BTreeMap<&str, _> = CASES
        .iter()
        .map(|case| (case.machine, of(case.machine)))
        .collect();
    let every: BTreeSet<String> = (BUILT_IN.iter())
        .flat_map(|machine| of(machine.name).into_keys())
        .collect();
    let own = |key: String| {
        let machine = CASES[case_of(&key)].machine;
        let value = on[machine].get(&key).cloned();
        let value = value.unwrap_or_else(|| panic!("{machine} has no {key}: a case for it"));
        (key, value)
    };
    every.into_iter().map(own).collect()
}

#[test]
fn every_key_of_a_machine_is_refused_or_changes_a_number() {
    let traces = Traces {
        shot: Shot::demo("match3").expect("a game"),
        made: Mutex::default(),
    };
    let own = |case: &Case| {
        let own = spec(case, None).and_then(|spec| reported(case, &spec, &traces));
        own.unwrap_or_else(|error| panic!("{case:?}: {error}"))
    };
    let own: Vec<_> = CASES.iter().map(own).collect();
    let keys = all_keys();
    assert!(keys.len() > 330, "{} keys", keys.len());
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((key, value)) = keys.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let acts = acts(key, value, &own[case_of(key)], &traces);
            let mut found = found.lock().expect("nobody panics");
            found.push((start.elapsed(), key.as_str(), acts));
        }
    };
    std::thread::scope(|scope| {
        let n = std::thread::available_parallelism().map_or(1, usize::from);
        (0..n).for_each(|_| drop(scope.spawn(work)));
    });
    let mut found = found.into_inner().expect("nobody panicked");
    assert_eq!(found.len(), keys.len(), "none is left out");
    found.sort_unstable_by_key(|(time, ..)| std::cmp::Reverse(*time));
    for (time, key, _) in &found[..5] {
        println!("{key}: {} ms", time.as_millis());
    }
    let idle: Vec<&String> = (found.iter())
        .filter_map(|(.., acts)| acts.as_ref().err())
        .collect();
    assert!(idle.is_empty(), "taken, and change no number: {idle:#?}");
    let mut refused: Vec<&str> = (found.iter())
        .filter(|(.., acts)| *acts == Ok(false))
        .map(|(_, key, _)| *key)
        .collect();
    refused.sort_unstable();
    assert_eq!(refused, REFUSED, "every other value is refused");
}
