//! `azulejo simulate` as users meet it: equal reports twice, for every number of threads, and from a saved trace; errors
//! that name the fault.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command_line::{azulejo, fails, json, stderr, stdout, succeeds};

/// A directory for a test with nothing but a scene: two overlapping triangles, small enough to be quick.
fn workshop(test: &str) -> PathBuf {
    let directory = crate::command_line::workshop(&format!("cli-simulate-{test}"));
    fs::write(directory.join("leaf.gltf"), scene()).expect("writable");
    directory
}

/// Standard output of a command, which must succeed.
#[track_caller]
fn prints(directory: &Path, words: &str) -> String {
    stdout(&succeeds(directory, words))
}

/// A glTF file that holds everything: a mesh that is drawn opaque and masked.
fn scene() -> String {
    let positions = uri(&[-1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0]);
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0,
        "scenes": [{{"nodes": [0, 1]}}],
        "nodes": [{{"mesh": 0}}, {{"mesh": 1, "translation": [0.3, 0.1, 0.2]}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "material": 0}}]}},
                   {{"primitives": [{{"attributes": {{"POSITION": 0}}, "material": 1}}]}}],
        "materials": [{{"doubleSided": true}}, {{"alphaMode": "MASK"}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                        "min": [-1, -1, 0], "max": [1, 1, 0]}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
        "buffers": [{{"byteLength": 36, "uri": "{positions}"}}]}}"#
    )
}

/// The bytes of a buffer.
fn uri(values: &[f32]) -> String {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes());
    bytes.fold("data:application/octet-stream,".to_owned(), |text, byte| {
        text + &format!("%{byte:02X}")
    })
}

const SMALL: &str = "simulate leaf.gltf --env none --size 160x90";

/// Few bytes that ask for much: the triangle 500 times at one place, on 16 million pixels.
fn layers() -> String {
    let node = r#"{"mesh": 0}"#;
    let copied = r#"{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1}}}}"#;
    let bounds = r#""max": [1, 1, 0]}"#;
    let with_places =
        bounds.to_owned() + r#", {"componentType": 5126, "count": 500, "type": "VEC3"}"#;
    scene().replace(node, copied).replace(bounds, &with_places)
}

#[test]
fn frame_of_more_quads_than_memory_holds_is_refused_before_it_is_traced() {
    let directory = workshop("many-quads");
    fs::write(directory.join("layers.gltf"), layers()).expect("writable");
    for command in ["simulate", "capture"] {
        let words = format!("{command} layers.gltf --env none --size 4096x4096");
        fails(
            &directory,
            &words,
            1,
            &["quads", "expected at most 8.00 GiB", "--size"],
        );
    }
    assert!(!directory.join("layers.azt").exists(), "nothing begun");
}

#[test]
fn frame_that_grows_beyond_what_memory_holds_ends_a_capture_that_keeps_those_before() {
    let directory = workshop("growing-quads");
    let moves = uri(&[0.0, 1.0, 0.001, 0.001, 0.001, 1.0, 1.0, 1.0]);
    let buffer = format!(r#"}}, {{"byteLength": 32, "uri": "{moves}"}}]}}"#);
    let parts = [
        (
            r#"{"asset""#,
            r#"{"animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}],
                "samplers": [{"input": 2, "output": 3}]}], "asset""#,
        ),
        (
            r#""count": 500, "type": "VEC3"}"#,
            r#""count": 500, "type": "VEC3"},
               {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
               {"bufferView": 1, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"}"#,
        ),
        (
            r#""byteLength": 36}]"#,
            r#""byteLength": 36}, {"buffer": 1, "byteLength": 32}]"#,
        ),
    ];
    let growing = parts.iter().fold(layers(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    });
    let growing = growing
        .strip_suffix("}]}")
        .expect("buffers last")
        .to_owned();
    fs::write(directory.join("growing.gltf"), growing + &buffer).expect("writable");
    let words = "capture growing.gltf --env none --size 4096x4096 --fps 1 --frames 3";
    let output = azulejo(&directory, words);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for part in ["quads", "kept 1 of 3 frames", "--size"] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(directory.join("growing.partial.azt").exists(), "{text}");
}

#[test]
fn json_is_the_same_for_every_number_of_threads() {
    let directory = workshop("threads");
    let machines = "-m valhall-libra -m mali450-re --frames 2 --json";
    let first = prints(&directory, &format!("{SMALL} {machines} --threads 1"));
    for threads in [1, 2, 5] {
        let words = format!("{SMALL} {machines} --threads {threads}");
        assert_eq!(prints(&directory, &words), first, "{threads} threads");
    }
    let report: Value = serde_json::from_str(&first).expect("JSON");
    let names = ["valhall-libra", "mali450-re"];
    for (nth, name) in names.into_iter().enumerate() {
        let machine = &report["machines"][nth];
        assert_eq!(machine["machine"], name, "in the order of the command line");
        assert_eq!(
            machine["frames"].as_array().map(Vec::len),
            Some(2),
            "frames"
        );
    }
}

#[test]
fn json_holds_fractions_only_of_ratios_and_these_follow_from_its_counters() {
    let directory = workshop("fractions");
    let mut report = json(&directory, &format!("{SMALL} --json"));
    let frame = &mut report["machines"][0]["frames"][0];
    let derived = frame["derived"].take();
    let part = |name: &str| frame[name].as_f64().expect("a number");
    let dram = |name: &str| frame["dram"][name].as_f64().expect("a number");
    let lines = |kind: &str| -> f64 {
        let lines = frame["dram"][kind].as_object().expect("by kind");
        lines.values().filter_map(Value::as_f64).sum()
    };
    // Over the pins goes what was handed to the memory, less what was merged or still waits.
    let handed = (lines("reads") + lines("writes")) * dram("line_bytes");
    let bytes = handed - (dram("bursts_merged") + dram("bursts_waiting")) * dram("burst_bytes");
    assert_eq!(bytes, dram("column_commands") * dram("burst_bytes"));
    for (name, expected) in [
        ("frames_per_second", part("clock") / part("cycles")),
        ("raster_share", part("raster_cycles") / part("cycles")),
        ("bytes_per_pixel", bytes / (160.0 * 90.0)),
    ] {
        let ratio = derived[name].as_f64().expect("a ratio");
        assert!(
            (ratio - expected).abs() < 1e-6,
            "{name}: {ratio} {expected}"
        );
    }
    // All else is counted.
    let text = report.to_string();
    let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    let fractions: Vec<&str> = numbers
        .filter(|word| word.contains('.') && word.parse::<f64>().is_ok())
        .collect();
    assert!(fractions.is_empty(), "{fractions:?}");
}

#[test]
fn saved_trace_gives_the_same_report() {
    let directory = workshop("saved");
    let capture = "capture leaf.gltf --env none --size 160x90 --frames 2 -o leaf.azt";
    prints(&directory, capture);
    let of_scene = json(&directory, &format!("{SMALL} --frames 2 --json"));
    let of_trace = json(&directory, "simulate leaf.azt --json");
    assert_eq!(of_scene["machines"], of_trace["machines"], "bit for bit");
    let one = json(&directory, "simulate leaf.azt --frames 1 --json");
    let frames = &one["machines"][0]["frames"];
    assert_eq!(frames.as_array().map(Vec::len), Some(1), "--frames");
    assert_eq!(frames[0], of_scene["machines"][0]["frames"][0], "the first");
}

#[test]
fn trace_of_another_screen_is_simulated_with_a_warning() {
    let directory = workshop("screen");
    prints(
        &directory,
        "capture leaf.gltf --env none --size 96x64 -o leaf.azt",
    );
    let output = azulejo(&directory, "simulate leaf.azt --json");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("96x64"), "{text}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let grid = &report["machines"][0]["frames"][0]["grid"];
    assert_eq!(grid["width"], 96, "the trace's own screen");
}

#[test]
fn counters_are_those_of_the_scene() {
    let directory = workshop("counters");
    let report = json(&directory, &format!("{SMALL} --json"));
    let frame = &report["machines"][0]["frames"][0];
    assert_eq!(frame["list_builder"]["primitives"], 2, "two triangles");
    assert_eq!(
        frame["raster_units"][0]["flush_bytes"],
        160 * 90 * 4,
        "every pixel once"
    );
    let rendered = json(
        &directory,
        "render leaf.gltf --env none --size 160x90 -o leaf.png --json",
    );
    assert_eq!(
        frame["raster_units"][0]["quads_shaded"],
        rendered["frames"][0]["counters"]["raster"]["quads_shaded"],
        "as the renderer counts"
    );
}

#[test]
fn table_says_what_frames_cost() {
    let directory = workshop("table");
    let words = format!("{SMALL} --frames 2 -m mali450-re -m valhall-libra-baseline");
    let text = prints(&directory, &words);
    for part in [
        "leaf on mali450-re: 160x90 pixels",
        "mean of 2 frames",
        "Raster Pipeline",
        "shader cores",
        "Parameter Buffer",
        "row hits",
        "machines",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn unknown_machine_is_refused_with_the_known_ones() {
    let directory = workshop("unknown");
    fails(
        &directory,
        "simulate -m mali451",
        2,
        &["mali451", "valhall-libra-baseline"],
    );
}

#[test]
fn value_out_of_range_is_refused_with_the_range() {
    let directory = workshop("range");
    fails(
        &directory,
        "simulate leaf.gltf --set raster.cores_per_unit=0",
        2,
        &["--set", "raster.cores_per_unit", "0", "from 1 to"],
    );
    fails(&directory, "simulate leaf.gltf --set 5", 2, &["KEY=VALUE"]);
    fs::write(
        directory.join("own.toml"),
        "include = \"mali450-re\"\nclock_mhz = \"fast\"\n",
    )
    .expect("writable");
    fails(
        &directory,
        "simulate leaf.gltf -m own.toml",
        1,
        &["own.toml", "clock_mhz", "\"fast\"", "1 to 10000"],
    );
}

#[test]
fn machine_file_includes_a_shipped_machine() {
    let directory = workshop("include");
    let own = "include = \"valhall-libra-baseline\"\n[screen]\nwidth = 64\nheight = 32\n";
    fs::write(directory.join("own.toml"), own).expect("writable");
    let report = json(
        &directory,
        "simulate leaf.gltf --env none -m own.toml --json",
    );
    let machine = &report["machines"][0];
    assert_eq!(machine["machine"], "own.toml", "as typed");
    assert_eq!(
        machine["frames"][0]["grid"]["width"], 64,
        "the file's screen"
    );
}

#[test]
fn parameters_of_techniques_are_refused_as_the_machines_are() {
    let directory = workshop("technique-parameters");
    let simulate = "simulate leaf.gltf --technique re --set";
    for (change, words) in [
        (
            "technique.re.shift_subunits=0",
            ["technique.re.shift_subunits = 0", "from 1 to 256"],
        ),
        (
            "technique.re.ot_qeue=16",
            ["technique.re.ot_qeue", "did you mean ot_queue?"],
        ),
        (
            "technique.er.ot_queue=16",
            ["technique.er", "a technique by name: re, te"],
        ),
    ] {
        fails(&directory, &format!("{simulate} {change}"), 2, &words);
    }
}

#[test]
fn technique_reports_under_its_name() {
    let directory = workshop("technique-report");
    let words = "simulate leaf.gltf -m mali450-re --technique re,te --size 64x64 --json";
    let report = json(&directory, words);
    let of_machine = |nth: usize| report["machines"][nth]["frames"][0]["techniques"].clone();
    assert_eq!(of_machine(0), serde_json::json!({}), "none at the baseline");
    let re = of_machine(1)["re"].clone();
    assert!(
        re["busy_cycles"].as_u64() > Some(0),
        "signing takes time: {re}"
    );
    assert!(re["memories"][0]["size"].is_u64(), "its tables: {re}");
    assert!(of_machine(2)["te"].is_object(), "the other machine's");
}

#[test]
fn damaged_trace_is_refused() {
    let directory = workshop("damaged");
    fs::write(directory.join("cut.azt"), b"azulejo\0").expect("writable");
    fails(&directory, "simulate cut.azt", 1, &["cut.azt"]);
    fails(&directory, "simulate none.azt", 1, &["none.azt"]);
}

/// The sum of a column of numbers.
#[track_caller]
fn column_sum(file: &Path, column: &str) -> u64 {
    let text = fs::read_to_string(file).expect("written");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let at = header.split(',').position(|name| name == column);
    let at = at.expect("a column of this name");
    let cell = |line: &str| {
        line.split(',')
            .nth(at)
            .and_then(|cell| cell.parse::<u64>().ok())
    };
    lines.map(|line| cell(line).expect("a number")).sum()
}

/// A textured scene on two Raster Units.
const TABLES: &str = "simulate match3 -m valhall-libra --size 160x90 --json --csv tables";

#[test]
fn csv_rows_sum_to_frames() {
    let directory = workshop("csv");
    let report = json(&directory, TABLES);
    let frame = &report["machines"][0]["frames"][0];
    let number = |value: &Value| value.as_u64().expect("a number");
    let sum = |table: &str, column: &str| column_sum(&directory.join("tables").join(table), column);
    assert_eq!(
        sum("frames.csv", "cycles"),
        number(&frame["cycles"]),
        "frames"
    );
    assert_eq!(
        sum("draws.csv", "instructions"),
        number(&frame["derived"]["instructions"]),
        "draws do all work"
    );
    let units = frame["raster_units"].as_array().expect("a list");
    let warps: u64 = units.iter().map(|unit| number(&unit["warps"])).sum();
    assert_eq!(sum("tiles.csv", "warps"), warps, "fragment warps by tile");
    assert_eq!(
        sum("draws.csv", "warps"),
        warps + number(&frame["geometry"]["vertices"]["warps"]),
        "all warps by draw"
    );
    let parts = ["instructions", "arithmetic", "texture_filters"];
    let energy: u64 = (parts.iter())
        .map(|part| number(&frame["energy"][*part]["dynamic_pJ"]))
        .sum();
    // Every row and every part is rounded to whole pJ.
    let programs = sum("draws.csv", "programs_pJ");
    assert!(programs.abs_diff(energy) < 100, "{programs}: {energy}");
    assert!(energy > 1_000_000, "{energy} pJ");
    let texture = number(&frame["dram"]["reads"]["texture"]);
    assert!(texture > 0, "the frame has textures");
    assert_eq!(sum("tiles.csv", "dram_texture"), texture, "lines by tile");
    assert_eq!(
        sum("intervals.csv", "dram_texture"),
        texture,
        "lines over time"
    );
    assert_eq!(
        sum("intervals.csv", "dram_color_flush"),
        number(&frame["dram"]["writes"]["color-flush"]),
        "writes as well"
    );
    let stamp = directory.join("tables").join("stamp.json");
    let stamp = fs::read_to_string(stamp).expect("written");
    assert!(stamp.contains("--csv tables"), "the command line: {stamp}");
}

#[test]
fn draws_and_tiles_account_for_every_line_of_the_dram() {
    let directory = workshop("traffic");
    let report = json(&directory, TABLES);
    let dram = &report["machines"][0]["frames"][0]["dram"];
    let number = |value: &Value| value.as_u64().expect("a number");
    let sum = |table: &str, column: &str| column_sum(&directory.join("tables").join(table), column);
    for kind in ["command", "vertex", "texture"] {
        let draws = sum("draws.csv", &format!("dram_{kind}"));
        assert_eq!(draws, number(&dram["reads"][kind]), "{kind}: some draw's");
        assert!(draws > 0, "{kind}: something was read");
    }
    let color = sum("tiles.csv", "dram_color_flush");
    let flushed = number(&dram["writes"]["color-flush"]);
    assert_eq!(color, flushed, "colours: some tile's");
    let attributes = sum("draws.csv", "dram_parameter_write");
    let lists = sum("tiles.csv", "dram_parameter_write");
    let written = number(&dram["writes"]["parameter-write"]);
    assert_eq!(
        attributes + lists,
        written,
        "Parameter Buffer: attributes are a draw's, lists a tile's"
    );
}

#[test]
fn stats_and_timeline_carry_the_command_line() {
    let directory = workshop("files");
    let words = format!("{SMALL} --stats-txt stats.txt --perfetto time.json --frames 2");
    prints(&directory, &words);
    let stats = fs::read_to_string(directory.join("stats.txt")).expect("written");
    assert!(
        stats.contains("# Command: azulejo simulate leaf.gltf"),
        "stamp"
    );
    assert_eq!(
        stats.matches("Begin Simulation").count(),
        2,
        "a block a frame"
    );
    let time = fs::read_to_string(directory.join("time.json")).expect("written");
    let time: Value = serde_json::from_str(&time).expect("JSON");
    assert_eq!(time["otherData"]["scene"], "leaf", "stamp");
    let events = time["traceEvents"].as_array().expect("a list");
    let tiles = events.iter().filter(|event| {
        let name = event["name"].as_str();
        name.is_some_and(|name| name.starts_with("tile "))
    });
    assert_eq!(tiles.count(), 2 * 15, "5 x 3 tiles in two frames");
}

#[test]
fn file_in_a_missing_directory_makes_it() {
    let directory = workshop("missing");
    let printed = prints(&directory, &format!("{SMALL} --stats-txt none/stats.txt"));
    assert!(
        printed.contains("wrote none/stats.txt\n"),
        "said: {printed}"
    );
    assert!(directory.join("none/stats.txt").is_file(), "written");
}

#[test]
fn list_names_machines_and_counters() {
    let directory = workshop("list");
    let all = prints(&directory, "list");
    assert!(all.contains("valhall-khepri-baseline"), "machines: {all}");
    let counters = prints(&directory, "list --counters");
    assert!(
        counters.contains("MaliFragRastQd"),
        "Arm's names: {counters}"
    );
}

#[test]
fn heat_map_is_drawn_for_each_machine() {
    let directory = workshop("heat");
    let machines = "-m valhall-libra -m mali450-re";
    let words = format!("{SMALL} {machines} --heatmap fragment-cycles=heat.png");
    prints(&directory, &words);
    for machine in ["valhall-libra", "mali450-re"] {
        let file = directory.join(format!("heat.{machine}.png"));
        let bytes = fs::read(&file).expect("written");
        assert!(bytes.starts_with(b"\x89PNG"), "{machine}: a picture");
    }
    fails(
        &directory,
        "simulate leaf.gltf --heatmap heat",
        2,
        &["azulejo list"],
    );
}

#[test]
fn heat_map_of_a_technique_is_drawn_where_the_technique_has_decided() {
    let directory = workshop("heat-technique");
    let map = "--heatmap temperature=t.png";
    let words = format!("{SMALL} -m valhall-libra --technique libra --frames 3 {map}");
    let text = prints(&directory, &words);
    let is_drawn = |file: &str| directory.join(file).exists();
    for frame in ["0001", "0002"] {
        let file = format!("t.valhall-libra+libra.{frame}.png");
        assert!(is_drawn(&file) && text.contains(&file), "{file}: {text}");
    }
    assert!(
        !is_drawn("t.valhall-libra+libra.0000.png"),
        "nothing is known before the first frame"
    );
    assert!(!is_drawn("t.valhall-libra.0001.png"), "nobody ranks there");
    let without = format!("{SMALL} -m valhall-libra {map}");
    fails(&directory, &without, 2, &["--technique libra"]);
    let alone = format!("{SMALL} -m valhall-libra --technique libra {map}");
    // The table comes first: the model's results are not lost with the map.
    let output = azulejo(&directory, &alone);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("no frame has it") && said.contains("--frames"),
        "{said}"
    );
    assert!(stdout(&output).contains("cycles by stage"), "the table");
}

/// Bytes of a stream as the words that it is.
fn words_of(file: &Path) -> Vec<u32> {
    let bytes = fs::read(file).expect("written");
    let (words, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty(), "whole words");
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

#[test]
fn l2_stream_is_what_cache_replays() {
    let directory = workshop("l2-stream");
    let size = "--size 320x180 --frames 3";
    let machines = "-m boustrophedonic -m valhall-libra";
    let report = json(
        &directory,
        &format!("simulate match3 {size} {machines} --l2-stream s.bin --json"),
    );
    for (nth, name) in ["boustrophedonic", "valhall-libra"].into_iter().enumerate() {
        let frames = report["machines"][nth]["frames"].as_array().expect("three");
        let reads = |frame: &Value| frame["l2"]["reads"]["texture"].as_u64().expect("counted");
        let replay = format!("cache s.{name}.bin --size 1MiB --ways 8 --json");
        let all = json(&directory, &replay);
        assert_eq!(
            all["accesses"],
            frames.iter().map(reads).sum::<u64>(),
            "{name}"
        );
        let warm = json(
            &directory,
            &format!("{replay} --warm-up 2 --policy lru,mru,opt"),
        );
        assert_eq!(
            warm["accesses"],
            reads(&frames[2]),
            "{name}: the last frame"
        );
        let hits = warm["lru"]["read_hits"]
            .as_u64()
            .zip(warm["lru"]["misses"].as_u64());
        let (hits, misses) = hits.expect("counted");
        assert_eq!(hits + misses, reads(&frames[2]), "{name}: of it alone");
        assert!(
            misses < all["lru"]["misses"].as_u64().expect("counted"),
            "{name}: warm"
        );
    }
    // A machine alone writes the file that was named, and the same bytes.
    let alone = format!("simulate match3 {size} -m boustrophedonic --l2-stream a.bin");
    assert!(prints(&directory, &alone).contains("wrote a.bin"), "named");
    let [alone, among] =
        ["a.bin", "s.boustrophedonic.bin"].map(|name| words_of(&directory.join(name)));
    assert_eq!(alone, among, "word for word");
    assert_eq!(
        alone[..4],
        [0x5332_4C8E, 1, 64, 1],
        "a line of 64 bytes, one Raster Unit"
    );
    assert_eq!(alone[4..10], [3, 0, 0, 320, 180, 32], "frame 0");
}

#[test]
fn l2_stream_that_is_broken_or_does_not_fit_is_refused() {
    let directory = workshop("l2-stream-broken");
    let command = "simulate match3 --size 64x64 -m boustrophedonic --l2-stream s.bin";
    prints(&directory, command);
    let bytes = fs::read(directory.join("s.bin")).expect("written");
    let write =
        |name: &str, bytes: &[u8]| fs::write(directory.join(name), bytes).expect("writable");
    write("cut.bin", &bytes[..24]);
    fails(
        &directory,
        "cache cut.bin",
        1,
        &["cut.bin: ", "it ends after word 6"],
    );
    let mut other = bytes.clone();
    other[4] = 9;
    write("version.bin", &other);
    fails(
        &directory,
        "cache version.bin",
        1,
        &["word 1: 0x00000009; expected version 1"],
    );
    let narrow = "cache s.bin --line 32";
    fails(
        &directory,
        narrow,
        1,
        &["s.bin: its lines have 64", "--line 64"],
    );
    let warm = "cache s.bin --warm-up 1";
    fails(&directory, warm, 1, &["has 1 frames", "smaller --warm-up"]);
    write("bare.u32", &[0; 16]);
    let bare = "cache bare.u32 --warm-up 1";
    fails(&directory, bare, 1, &["bare.u32: has no marks of frames"]);
    let twice = "simulate match3 --size 64x64 --l2-stream s.bin --perfetto s.bin";
    fails(&directory, twice, 2, &["would both be written here"]);
}

/// A stream of one Raster Unit over frames of lines, which are all for tile 0.
fn stream_of(frames: &[&[u32]]) -> Vec<u8> {
    let mut words = vec![0x5332_4C8E, 1, 64, 1];
    for (number, lines) in (0..).zip(frames) {
        words.extend([3, number, 0, 64, 64, 32, 2]);
        words.extend(lines.iter().map(|line| line << 2));
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn reuse_tells_frames_there_and_back_from_circular_ones() {
    let directory = workshop("reuse");
    let (there, back) = (&[0, 1, 2, 3, 4][..], &[4, 3, 2, 1, 0][..]);
    let write = |name: &str, frames: &[&[u32]]| {
        fs::write(directory.join(name), stream_of(frames)).expect("writable");
    };
    write("circular.bin", &[there; 4]);
    write("back.bin", &[there, back, there, back]);
    let one_set = "--size 128 --ways 2 --json";
    let circular = json(&directory, &format!("reuse circular.bin {one_set}"));
    assert_eq!(
        (&circular["frames"], &circular["accesses"]),
        (&4.into(), &20.into())
    );
    assert_eq!(
        (&circular["new"], &circular["sets"]),
        (&5.into(), &1.into())
    );
    assert_eq!(circular["between_frames"]["mean_distance"], 4.0, "s - 1");
    assert_eq!(circular["sub_traces"]["last_first"], 4.0, "the most");
    let back = json(&directory, &format!("reuse back.bin {one_set} --warm-up 1"));
    assert_eq!(
        (&back["frames"], &back["new"]),
        (&3.into(), &0.into()),
        "warm"
    );
    assert_eq!(back["between_frames"]["mean_distance"], 2.0, "(s - 1) / 2");
    assert_eq!(
        back["sub_traces"]["last_first"], back["sub_traces"]["min"],
        "the least"
    );
    // Distances 0 and 1 are what two ways hold.
    let replay = json(
        &directory,
        "cache back.bin --size 128 --ways 2 --warm-up 1 --json",
    );
    assert_eq!(replay["lru"]["read_hits"], 6, "two of each frame");
    let bins = back["between_frames"]["distances"]
        .as_array()
        .expect("bins");
    let near: u64 = bins[..2].iter().filter_map(|bin| bin["n"].as_u64()).sum();
    assert_eq!(near, 6, "as the distances say");
}

#[test]
fn reuse_is_a_table_for_people_and_refuses_what_does_not_fit() {
    let directory = workshop("reuse-table");
    let frames = [&[0, 1, 2, 3, 4][..]; 4];
    fs::write(directory.join("circular.bin"), stream_of(&frames)).expect("writable");
    let text = prints(&directory, "reuse circular.bin --size 128 --ways 2");
    for part in [
        "20 accesses to 5 different lines in 4 frames",
        "LRU hits",
        "75.0 %",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    fails(
        &directory,
        "reuse circular.bin --warm-up 4",
        1,
        &["has 4 frames"],
    );
    fails(
        &directory,
        "reuse circular.bin --line 32",
        1,
        &["--line 64"],
    );
    fails(
        &directory,
        "reuse circular.bin --ways 3",
        2,
        &["multiple of ways x line"],
    );
}

#[test]
fn reversed_frames_bring_fewer_texels_from_dram() {
    let directory = workshop("boustro");
    let shot = "--size 640x360 --frames 3 -m boustrophedonic --set l2.size=128KiB";
    let words = format!("simulate corridor {shot} --technique boustro --l2-stream s.bin --json");
    let report = json(&directory, &words);
    let machines = report["machines"].as_array().expect("two");
    let reads = |machine: &Value| {
        let frame = &machine["frames"][2];
        frame["dram"]["reads"]["texture"].as_u64().expect("counted")
    };
    assert_eq!(
        machines[1]["machine"], "boustrophedonic+boustro",
        "beside it"
    );
    let (forward, reversed) = (reads(&machines[0]), reads(&machines[1]));
    assert!(reversed < forward, "{reversed} of {forward} lines");
    // The streams tell the same.
    let replayed = ["boustrophedonic", "boustrophedonic+boustro"].map(|name| {
        let replay = format!(
            "cache s.{name}.bin --size 128KiB --ways 8 --warm-up 2 --policy lru,opt --json"
        );
        json(&directory, &replay)
    });
    let misses = |of: usize, policy: &str| replayed[of][policy]["misses"].as_u64().expect("ran");
    assert!(
        misses(1, "lru") < misses(0, "lru"),
        "LRU misses less in reverse"
    );
    assert!(
        misses(1, "opt") <= misses(1, "lru"),
        "and the optimum no more"
    );
}

#[test]
fn techniques_run_on_the_machines_that_carry_them_and_others_are_said() {
    let directory = workshop("lineup");
    let words = format!("{SMALL} -m valhall-libra,valhall-khepri -t khepri,boustro+re --frames 2");
    let report = json(&directory, &format!("{words} --json"));
    let names: Vec<_> = (report["machines"].as_array().into_iter().flatten())
        .map(|machine| machine["machine"].as_str().unwrap_or_default())
        .collect();
    let ran = [
        "valhall-libra",
        "valhall-libra+boustro+re",
        "valhall-khepri",
        "valhall-khepri+khepri",
        "valhall-khepri+boustro+re",
    ];
    assert_eq!(names, ran, "each machine without and with what it carries");
    let left_out = &report["left_out"];
    assert_eq!(left_out[0]["machine"], "valhall-libra+khepri");
    let table = prints(&directory, &format!("{words} --brief"));
    assert_eq!(
        table.lines().count(),
        2 + ran.len() + 1,
        "a title, headings, a line each and what is left out: {table}"
    );
    assert!(
        table.contains("left out: valhall-libra+khepri: "),
        "{table}"
    );
    assert!(table.contains("technique.khepri.memory_cores"), "{table}");
}

#[test]
fn technique_that_no_machine_carries_is_refused() {
    let directory = workshop("no-carrier");
    let words = "simulate leaf.gltf -m valhall-libra,mali450-re -t re,khepri";
    let named = ["valhall-libra+khepri", "memory_cores", "valhall-khepri"];
    fails(&directory, words, 1, &named);
}

#[test]
fn system_says_who_used_the_memory_in_text_json_page_and_perfetto() {
    let directory = workshop("system");
    let words = format!("{SMALL} -m emerald-soc -t dash --frames 3");
    let files = "--bandwidth bandwidth.html --perfetto soc.json";
    let said = prints(&directory, &format!("{words} {files}"));
    for expected in [
        "emerald-soc+dash: who used the memory",
        "cpu3",
        "missed",
        "GB/s over time",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let page = fs::read_to_string(directory.join("bandwidth.html")).expect("written");
    assert!(
        page.contains("<svg") && page.contains("emerald-soc+dash"),
        "a chart each"
    );
    let perfetto = fs::read_to_string(directory.join("soc.json")).expect("written");
    let perfetto: Value = serde_json::from_str(&perfetto).expect("JSON");
    let events = perfetto["traceEvents"].as_array().expect("events");
    let named = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    assert_eq!(named("cores prepare"), 2 * 3, "each frame of both machines");
    assert!(named("GB/s by agent") > 2, "over time");
    let report = json(&directory, &format!("{words} --json"));
    let system = &report["machines"][1]["system"];
    assert_eq!(
        system["frames"].as_array().map(Vec::len),
        Some(3),
        "{system}"
    );
    let agents = system["agents"].as_array().expect("agents");
    let names: Vec<_> = agents.iter().map(|agent| agent["agent"].as_str()).collect();
    let expected = ["gpu", "display", "cpu0", "cpu1", "cpu2", "cpu3"];
    assert_eq!(names, expected.map(Some), "in order");
    assert!(
        system["slowdowns"][0]["slowdown"].as_f64().is_some(),
        "of the GPU"
    );
    let again = json(&directory, &format!("{words} --json --threads 1"));
    assert_eq!(again, report, "the same for any number of threads");
}

#[test]
fn system_that_cannot_be_is_refused_with_its_key() {
    let directory = workshop("no-system");
    let on = format!("{SMALL} -m emerald-soc --set");
    let short = format!("{on} soc.cpu.before_frame=[1,2]");
    fails(
        &directory,
        &short,
        2,
        &["soc.cpu.before_frame", "4 numbers"],
    );
    let single = format!("{on} display.frame_buffers=1");
    fails(
        &directory,
        &single,
        1,
        &["soc.display", "display.frame_buffers is 2 or 3"],
    );
    let alone = format!("{SMALL} -m mali450-re --bandwidth page.html");
    fails(&directory, &alone, 2, &["--bandwidth", "emerald-soc"]);
}

#[test]
fn samples_are_drawn_in_tiles_that_the_tile_buffers_hold() {
    let directory = workshop("samples");
    let words = format!("{SMALL} -m valhall-libra-baseline --json");
    let simulated =
        |words: &str| -> Value { serde_json::from_str(&prints(&directory, words)).expect("JSON") };
    let frame = |words: &str| simulated(words)["machines"][0]["frames"][0].clone();
    let (one, four) = (frame(&words), frame(&format!("{words} --msaa 4")));
    assert_eq!(one["grid"]["tile_size"], 32, "the machine's own: {one}");
    assert_eq!(four["grid"]["tile_size"], 16, "a quarter of the pixels");
    assert_eq!(four["samples"], 4, "{four}");
    let flushed = |frame: &Value| -> u64 {
        let units = frame["raster_units"].as_array().into_iter().flatten();
        units.filter_map(|unit| unit["flush_bytes"].as_u64()).sum()
    };
    assert_eq!(flushed(&one), 160 * 90 * 4, "every pixel once");
    assert_eq!(flushed(&four), flushed(&one), "resolved pixels alone");
    // A trace keeps its samples, and its tiles must fit as well.
    succeeds(
        &directory,
        "capture leaf.gltf --env none --size 160x90 --tile-size 32 --msaa 4 -o four.azt",
    );
    let words = "simulate four.azt -m valhall-libra-baseline";
    fails(&directory, words, 1, &["draw it in tiles of 16"]);
}

#[test]
fn textures_of_a_format_take_its_bytes_from_memory() {
    let directory = workshop("textures");
    let of = |format: &str| {
        let words = format!("simulate match3 --machine mali450-re --size 160x96 --json {format}");
        let report = json(&directory, &words);
        let reads = &report["machines"][0]["frames"][0]["dram"]["reads"];
        reads["texture"].as_u64().expect("lines")
    };
    let (plain, bc7, bc1) = (of(""), of("--textures bc7"), of("--textures bc1"));
    assert!(
        2 * bc7 < plain,
        "a quarter of the bytes: {bc7} of {plain} lines"
    );
    assert!(bc1 < bc7, "half as many again: {bc1} of {bc7}");
    let words = "render match3 -o out.png --size 64x48 --textures bc1-rgb";
    let said = stderr(&succeeds(&directory, words));
    assert!(
        said.contains("with alpha in BC3, signal to noise"),
        "{said}"
    );
    let expected = [
        "--textures",
        "bc9",
        "expected one of bc1-rgb, bc1",
        "astc-12x12",
    ];
    fails(
        &directory,
        "render match3 -o out.png --textures bc9",
        2,
        &expected,
    );
}
