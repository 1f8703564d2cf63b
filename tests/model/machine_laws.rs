//! Laws that every machine keeps, on shipped machines with any of their keys changed: whatever a machine file says, it is
//! refused by its key or draws every frame, and its reports stay within what the machine can do.
//!
//! [`Gpu::run_frame`](azulejo::gpu::Gpu::run_frame) checks the laws of conservation; the tests here check those of the
//! machine as a whole.

use crate::bodies::choices::Choices;
use crate::bodies::frames;
use azulejo::gpu::machine::{
    BUILT_IN, BuiltIn, MachineSpec, Overlay, Peaks, built_in, load_machine, machine_parameters,
};
use azulejo::gpu::{FrameReport, Gpu};
use azulejo::report::frame_record;
use azulejo::technique::{TECHNIQUES, machine_with};
use serde_json::Value;

/// Machines that are drawn by chance; more where `AZULEJO_MACHINES` says how many.
const MACHINES: u64 = 24;

pub(crate) fn shipped(name: &str) -> Result<String, String> {
    built_in(name)
        .map(str::to_owned)
        .ok_or_else(|| "a shipped machine".to_owned())
}

fn machine(name: &str, overlays: &[Overlay]) -> Option<MachineSpec> {
    let text = built_in(name).expect("shipped");
    load_machine(name, text, &shipped, overlays).ok()
}

pub(crate) fn overlay(key: &str, value: impl ToString) -> Overlay {
    Overlay {
        key: key.to_owned(),
        value: value.to_string(),
    }
}

/// Every key of a machine with its value, but for what a frame brings along.
pub(crate) fn keys(name: &str) -> Vec<(String, Value)> {
    fn walk(path: &str, value: &Value, keys: &mut Vec<(String, Value)>) {
        match value.as_object() {
            Some(fields) => {
                for (key, value) in fields {
                    let dot = if path.is_empty() { "" } else { "." };
                    walk(&format!("{path}{dot}{key}"), value, keys);
                }
            }
            None => keys.push((path.to_owned(), value.clone())),
        }
    }
    let text = built_in(name).expect("shipped");
    let tree = machine_parameters(name, text, &shipped).expect("valid");
    let mut keys = Vec::new();
    walk("", &tree, &mut keys);
    keys
}

/// Words that a key of text can have.
const WORDS: &[(&str, &[&str])] = &[
    ("name", &["another"]),
    ("screen.tile_order", &["scanline", "z-order", "hilbert:2x2"]),
    ("screen.binning", &["exact", "bounding-box"]),
    (
        "screen.first_corner",
        &["top-left", "top-right", "bottom-left", "bottom-right"],
    ),
    (
        "raster.dispatch",
        &["alternating", "strict-alternating", "least-occupied"],
    ),
    ("raster.traversal", &["rows", "morton"]),
    ("raster.quad_mapping", &["round-robin", "interleave-8"]),
    ("l2.replacement", &["lru", "mru", "plru", "random", "fifo"]),
    ("pipeline", &["tiled", "immediate"]),
    ("dram.controller.order", &["first-ready", "banks-in-turn"]),
    ("dram.structure.mapping", &["rochrababgco", "rorababgcoch"]),
    ("dram.base", &["lpddr3_1ch", "lpddr4_2ch"]),
    ("energy.technology", &["cacti-22nm-lop", "cacti-32nm-lop"]),
];

/// Other values for a key, from near ones to those at the ends of what is allowed.
pub(crate) fn values(key: &str, value: &Value) -> Vec<String> {
    let near = |n: i64| [2 * n, n / 2, n + 1, n - 1, 4 * n, 7 * n + 3, 1, 0];
    if let Some(flag) = value.as_bool() {
        return vec![(!flag).to_string()];
    }
    if let Some(whole) = value.as_i64() {
        return near(whole).map(|n| n.to_string()).to_vec();
    }
    if let Some(number) = value.as_f64() {
        return [2.0, 0.5].map(|by| format!("{:?}", by * number)).to_vec();
    }
    if let Some(items) = value.as_array() {
        let twice = items.iter().filter_map(Value::as_i64).map(|n| 2 * n);
        return vec![format!("{:?}", twice.collect::<Vec<_>>())];
    }
    let text = value.as_str().unwrap_or_default();
    if let Some((_, words)) = WORDS.iter().find(|(known, _)| *known == key) {
        let others = words.iter().filter(|word| **word != text);
        return others.map(|word| (*word).to_owned()).collect();
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = text.split_at(digits);
    let sizes = |n: i64| [2 * n, n / 2, n / 8, 16 * n].map(|n| format!("{n}{unit}"));
    digits
        .parse()
        .map_or(Vec::new(), |n: i64| sizes(n).to_vec())
}

/// Bytes as good as chance, always the same ones for a number.
fn bytes(number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..4000).map(|_| next()).collect()
}

/// Keys of the screen that a frame does not bring along.
const ORDER: [&str; 2] = ["screen.tile_order", "screen.first_corner"];

/// A shipped machine at a frame's grid with up to twelve keys changed.
fn random_machine(choices: &mut Choices<'_>, changed: &mut Vec<Overlay>) -> Option<MachineSpec> {
    let grid = frames::grid(choices);
    let name = BUILT_IN[usize::from(choices.byte()) % BUILT_IN.len()].name;
    let keys = keys(name);
    *changed = vec![
        overlay("screen.width", grid.width),
        overlay("screen.height", grid.height),
        overlay("screen.tile_size", grid.tile_size),
    ];
    for _ in 0..choices.up_to(12) {
        let (key, value) = &keys[choices.up_to(keys.len() as u32 - 1) as usize];
        let values = values(key, value);
        if values.is_empty() || key.starts_with("screen.") && !ORDER.contains(&key.as_str()) {
            continue;
        }
        let chosen = &values[usize::from(choices.byte()) % values.len()];
        changed.push(overlay(key, chosen));
        // A value that does not go with the others is left out: it is refused.
        if machine(name, changed).is_none() {
            changed.pop();
        }
    }
    machine(name, changed)
}

/// Checks the numbers of a report against the capabilities of the machine.
fn keeps_its_laws(spec: &MachineSpec, report: &FrameReport, waiting_before: u64, what: &str) {
    let record = frame_record(report);
    for ratio in [
        "raster_share",
        "texture_hit_ratio",
        "texture_quad_hit_ratio",
    ] {
        let value = record["derived"][ratio].as_f64().unwrap_or_default();
        assert!((0.0..=1.0).contains(&value), "{what}: {ratio} {value}");
    }
    // Bursts that waited before the frame have been over the link already, as may have been some lines of the display. A
    // burst longer than a line moves whole over the pins, for the line that goes over the link.
    let burst = report.dram.burst_bytes.0;
    let link = u64::from(spec.l2.memory_bytes_per_cycle) * report.cycles.0;
    let bursts = report.dram.column_commands;
    let lines = bursts.saturating_sub(waiting_before) * burst.min(spec.l2.tags.line.0);
    let is_free = link == 0;
    assert!(
        is_free || lines <= link + (64 << 9),
        "{what}: {lines} over a link of {link}"
    );
    let time = report.time().0 as f64;
    // GB/s are bytes in a thousandth of a nanosecond times a thousand; the edges of a frame hold a few bursts of each
    // channel.
    let pins = spec.dram.peak_gbps_per_channel() * f64::from(spec.dram.structure.channels);
    let most = pins * time / 1e3 + (64 * burst) as f64 * f64::from(spec.dram.structure.channels);
    let moved = report.dram.bytes().0 as f64;
    assert!(moved <= most, "{what}: {moved} bytes of {most}");
    assert!(Peaks::of(spec).dram <= pins * 1.000_001, "{what}: peak");
}

fn runs_and_keeps_laws(number: u64) {
    let bytes = bytes(number);
    let mut choices = Choices(&bytes);
    let mut changed = Vec::new();
    let Some(spec) = random_machine(&mut choices, &mut changed) else {
        return;
    };
    let grid = spec.screen.grid;
    let techniques: Vec<_> = TECHNIQUES
        .iter()
        .filter(|_| choices.up_to(9) == 0)
        .collect();
    let Ok(mut gpu) = machine_with(&spec, &techniques) else {
        return;
    };
    let changes: Vec<_> = (changed.iter())
        .map(|change| format!("{}={}", change.key, change.value))
        .collect();
    let names: Vec<_> = techniques.iter().map(|technique| technique.name).collect();
    let what = format!("machine {number}: {} {names:?} {changes:?}", spec.name);
    let mut waiting = 0;
    for nth in 0..=u64::from(choices.up_to(2)) {
        let frame = frames::frame(&mut choices, grid, nth);
        if frame.validate().is_err() || crate::bodies::work(&frame) > crate::bodies::MOST_WORK {
            return;
        }
        let report = gpu.run_frame(&frame);
        let report = report.unwrap_or_else(|error| panic!("{what}, frame {nth}: {error}"));
        keeps_its_laws(&spec, &report, waiting, &what);
        waiting = report.dram.bursts_waiting;
    }
}

#[test]
fn random_machines_draw_every_frame_and_keep_the_laws() {
    let asked = std::env::var("AZULEJO_MACHINES").ok();
    let n_machines = asked.and_then(|text| text.parse().ok());
    let mut broken = Vec::new();
    for number in 0..n_machines.unwrap_or(MACHINES) {
        if std::panic::catch_unwind(|| runs_and_keeps_laws(number)).is_err() {
            broken.push(number);
        }
    }
    assert!(broken.is_empty(), "machines {broken:?}");
}

#[test]
fn every_key_of_a_machine_is_refused_or_changes_it() {
    for BuiltIn { name, .. } in BUILT_IN {
        let base = machine(name, &[]).expect("shipped");
        let mut n_taken = 0;
        for (key, value) in keys(name) {
            let own = value.to_string();
            let plain = |text: &str| text.replace([' ', '"'], "");
            let others = values(&key, &value).into_iter();
            let mut others = others.filter(|other| plain(other) != plain(&own));
            let taken = others.find_map(|other| {
                let changed = machine(name, &[overlay(&key, &other)])?;
                Some((other, changed))
            });
            if let Some((other, changed)) = taken {
                assert!(
                    changed != base,
                    "{name}: {key} = {other} is taken and changes nothing"
                );
                n_taken += 1;
            }
        }
        assert!(n_taken > 80, "{name}: {n_taken} keys");
    }
}

#[test]
fn immediate_machine_without_room_for_a_tc_tile_is_refused_by_key() {
    for (warps, threads, tc_tile) in [
        (1, 32, 2),
        (3, 16, 2),
        (15, 4, 2),
        (7, 8, 2),
        (3, 4, 1),
        (1, 8, 1),
    ] {
        let changes = [
            overlay("core.cluster.warps", warps),
            overlay("core.cluster.warp_threads", threads),
            overlay("immediate.tc_tile", tc_tile),
        ];
        let text = built_in("emerald-gpu").expect("shipped");
        let refused = load_machine("emerald-gpu", text, &shipped, &changes);
        let message = refused.expect_err("must be refused").to_string();
        let all = (4 * tc_tile) * (4 * tc_tile);
        let room =
            format!("core.cluster.warps x warp_threads, {warps} x {threads}, of at least {all}");
        assert!(message.contains(&room), "{message}");
    }
}

#[test]
fn immediate_machine_with_room_for_one_tc_tile_draws() {
    for (warps, threads, tc_tile) in [(2, 32, 2), (4, 16, 2), (16, 4, 2), (4, 4, 1), (1, 16, 1)] {
        let changes = [
            overlay("screen.width", 40),
            overlay("screen.height", 40),
            overlay("core.cluster.warps", warps),
            overlay("core.cluster.warp_threads", threads),
            overlay("immediate.tc_tile", tc_tile),
        ];
        let spec = machine("emerald-gpu", &changes).expect("it fits");
        let mut gpu = Gpu::new(&spec).expect("valid");
        let program = azulejo::trace::synthetic::chain(azulejo::trace::InstructionClass::Alu, 5);
        let mut screen = azulejo::trace::synthetic::CoveredScreen::new(spec.screen.grid, program);
        screen.layers = 3;
        let report = gpu.run_frame(&screen.frame(0));
        let report = report.unwrap_or_else(|error| panic!("{warps} x {threads}: {error}"));
        let shaded: u64 = report
            .raster_units
            .iter()
            .map(|unit| unit.quads_shaded)
            .sum();
        assert!(shaded >= 400, "{warps} x {threads}: {shaded} quads");
    }
}
