//! The command line as users meet it: the built program is run, and its exit code, its words and its files are looked at.

mod readme;
mod samples;
mod texts;

use std::path::{Path, PathBuf};

use azulejo::simd::SimdLevel;

use crate::command_line::{azulejo, fails, json, stderr, stdout, succeeds};

/// A triangle that moves to the right within a second, seen by a camera called `front`: no file beside it.
const TRIANGLE: &str = r#"{
  "asset": { "version": "2.0" },
  "scenes": [{ "nodes": [0, 1], "name": "stage" }],
  "nodes": [{ "mesh": 0, "name": "flag" }, { "camera": 0, "translation": [0, 0, 4] }],
  "cameras": [{ "name": "front", "type": "perspective", "perspective": { "yfov": 0.8, "znear": 0.1 } }],
  "meshes": [{ "name": "triangle", "primitives": [{ "attributes": { "POSITION": 0 } }] }],
  "animations": [{
    "name": "slide",
    "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
    "samplers": [{ "input": 1, "output": 2 }]
  }],
  "accessors": [
    { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0] },
    { "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
    { "bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3" }
  ],
  "bufferViews": [
    { "buffer": 0, "byteOffset": 0, "byteLength": 36 },
    { "buffer": 0, "byteOffset": 36, "byteLength": 8 },
    { "buffer": 0, "byteOffset": 44, "byteLength": 24 }
  ],
  "buffers": [{ "byteLength": 68, "uri": "data:application/octet-stream;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAA/AAAAAAAAAAA=" }]
}"#;

/// A directory for a test with nothing but the triangle.
fn workshop(test: &str) -> PathBuf {
    let directory = crate::command_line::workshop(&format!("cli-{test}"));
    std::fs::write(directory.join("triangle.gltf"), TRIANGLE).expect("a writable directory");
    directory
}

#[track_caller]
fn picture(file: &Path) -> image::RgbaImage {
    let bytes = std::fs::read(file).expect("the picture was written");
    image::load_from_memory(&bytes)
        .expect("the picture is a PNG")
        .into_rgba8()
}

/// Small and without environment, so that tests are quick.
const QUICK: &str = "render triangle.gltf --env none --size 64x48 --tile-size 16 --quiet";

#[test]
fn nothing_asked_gives_an_overview() {
    let directory = workshop("overview");
    let text = stdout(&succeeds(&directory, ""));
    for word in [
        "azulejo render",
        "azulejo compare",
        "azulejo list",
        "--help",
    ] {
        assert!(text.contains(word), "{word} is missing in\n{text}");
    }
}

#[test]
fn help_and_version_succeed() {
    let directory = workshop("help");
    for words in [
        "--help",
        "--version",
        "render --help",
        "compare -h",
        "list --help",
    ] {
        assert!(!succeeds(&directory, words).stdout.is_empty(), "{words}");
    }
}

#[test]
fn help_prints_guides_and_options() {
    let directory = workshop("guides");
    for (words, parts) in [
        ("help", &["Commands:", "describe-a-machine", "formats"][..]),
        ("help formats", &["KHR_materials_sheen", "Exit codes"]),
        (
            "help render",
            &["--msaa", "`azulejo render --help` lists the options."],
        ),
        (
            "help dram",
            &["--config", "`azulejo help memory` is the guide."],
        ),
        ("help machine check", &["--measure"]),
        ("machine help check", &["--measure"]),
        ("help list", &["--technology"]),
        ("help help", &["TOPIC", "write-a-technique"]),
        ("help write-a-technique", &["TileScheduler"]),
    ] {
        let output = succeeds(&directory, words);
        assert!(output.stderr.is_empty(), "{words}: {}", stderr(&output));
        let text = stdout(&output);
        for part in parts {
            assert!(text.contains(part), "{words}: no {part:?} in\n{text}");
        }
        assert!(!text.contains('\u{1b}'), "{words}: no escapes in a pipe");
    }
    let meant = "(did you mean techniques?)";
    fails(&directory, "help technique", 2, &["error: ", meant]);
    fails(
        &directory,
        "help machine chek",
        2,
        &["(did you mean check?)"],
    );
    fails(
        &directory,
        "help zzz",
        2,
        &["topic or command 'zzz'", "azulejo help"],
    );
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_was_expected() {
    let directory = workshop("usage");
    let wrong = [
        ("rendr", "'render'"),
        ("render --sise 1x1", "--size"),
        ("render --size 0x5", "each from 1 to 16384"),
        ("render --size 20000x5", "1920x1080"),
        ("render -o out.jpg", "ends in .png"),
        ("render --tile-size 17", "32"),
        ("render --tile-order spiral", "hilbert"),
        ("render --tile-order hilbrt", "did you mean hilbert?"),
        ("render --tile-order hilbert:0x4", "hilbert:4x4"),
        ("render --tonemap filmic", "neutral"),
        ("render --msaa 2", "expected 1 (off) or 4"),
        ("render --background pink", "RRGGBB"),
        ("render --orbit 1,2", "THETA,PHI,RADIUS"),
        ("render --target 0,0,0", "--orbit"),
        (
            "render --orbit 0,90,3 --camera front",
            "cannot be used with",
        ),
        ("render --frames 0", "from 1"),
        ("render --heatmap heat", "azulejo list"),
        ("render --env none --background env", "--env is none"),
        ("list --jsn", "--json"),
    ];
    for (words, expected) in wrong {
        fails(&directory, words, 2, &[expected]);
    }
}

#[test]
fn missing_file_exits_with_1_and_a_hint() {
    let directory = workshop("missing");
    fails(
        &directory,
        "render nowhere.glb",
        1,
        &["nowhere.glb", "hint"],
    );
    fails(
        &directory,
        "render triangle.gltf --env nowhere.hdr",
        1,
        &["nowhere.hdr", "--env"],
    );
}

#[test]
fn missing_directory_is_made() {
    let directory = workshop("directory");
    succeeds(
        &directory,
        &format!("{QUICK} -o a/b/out.png --heatmap overdraw=c/map.png"),
    );
    for name in ["a/b/out.png", "c/map.png"] {
        assert!(picture(&directory.join(name)).width() == 64, "{name}");
    }
}

#[test]
fn negative_number_is_refused_by_the_option_that_it_is_given_to() {
    let directory = workshop("negative");
    for (option, expects) in [
        ("--exposure -1", "--exposure <FACTOR>"),
        ("--frames -1", "--frames <N>"),
        ("--fov -5.5", "--fov <DEGREES>"),
    ] {
        fails(&directory, &format!("render {option}"), 2, &[expects]);
    }
    fails(&directory, "simulate --set -1", 2, &["--set <KEY=VALUE>"]);
}

#[test]
fn trace_in_place_of_a_scene_is_pointed_to_simulate() {
    let directory = workshop("trace_for_scene");
    std::fs::write(directory.join("a.azt"), b"azulejo\0").unwrap();
    fails(
        &directory,
        "render a.azt",
        1,
        &["a.azt: not a glTF file", "azulejo simulate"],
    );
}

#[test]
fn broken_file_is_named_with_what_is_wrong() {
    let directory = workshop("broken");
    std::fs::write(directory.join("noise.glb"), "no glTF at all").unwrap();
    fails(
        &directory,
        "render noise.glb",
        1,
        &["noise.glb: not a glTF file"],
    );
    let beyond = TRIANGLE.replace("\"byteOffset\": 44", "\"byteOffset\": 60");
    std::fs::write(directory.join("beyond.gltf"), beyond).unwrap();
    fails(&directory, "render beyond.gltf", 1, &["beyond.gltf: ", "2"]);
}

#[test]
fn required_extension_is_named() {
    let directory = workshop("extension");
    let needy = TRIANGLE.replace(
        r#""scenes""#,
        r#""extensionsUsed": ["EXT_magic"], "extensionsRequired": ["EXT_magic"], "scenes""#,
    );
    std::fs::write(directory.join("needy.gltf"), needy).unwrap();
    fails(
        &directory,
        "render needy.gltf",
        1,
        &["needy.gltf", "EXT_magic", "azulejo list"],
    );
}

#[test]
fn unknown_names_list_the_known_ones() {
    let directory = workshop("names");
    fails(
        &directory,
        &format!("{QUICK} --camera back"),
        1,
        &["back", "0 'front'"],
    );
    fails(
        &directory,
        &format!("{QUICK} --animation jump"),
        1,
        &["jump", "0 'slide'"],
    );
    fails(
        &directory,
        &format!("{QUICK} --scene third"),
        1,
        &["third", "scene 0 'stage'"],
    );
    succeeds(
        &directory,
        &format!("{QUICK} --scene stage --animation 0 --camera 0"),
    );
}

#[test]
fn render_writes_a_picture_that_says_how_it_was_made() {
    let directory = workshop("picture");
    succeeds(
        &directory,
        &format!("{QUICK} -o out.png --background 102030"),
    );
    let pixels = picture(&directory.join("out.png"));
    assert_eq!(pixels.dimensions(), (64, 48), "size");
    assert_eq!(
        pixels.get_pixel(0, 0).0,
        [0x10, 0x20, 0x30, 255],
        "background"
    );
    let bytes = std::fs::read(directory.join("out.png")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(
        text.contains("azulejo render triangle.gltf --env none"),
        "command line"
    );
    assert!(text.contains("Scene hash"), "scene hash");
}

#[test]
fn render_is_short_for_a_scene_alone() {
    let directory = workshop("short");
    succeeds(&directory, "triangle.gltf --env none --size 32x32");
    assert_eq!(
        picture(&directory.join("triangle.png")).dimensions(),
        (32, 32),
        "named after the scene"
    );
}

#[test]
fn pipes_get_counters_and_no_progress() {
    let directory = workshop("pipe");
    let words = "render triangle.gltf --background 000000 --size 64x48 --frames 3";
    let output = succeeds(&directory, words);
    assert_eq!(stderr(&output), "", "nothing to warn of, no terminal");
    assert_eq!(
        stdout(&output).lines().count(),
        1 + 1 + 3 + 2,
        "title, header, frames, mean, files"
    );
    let output = succeeds(&directory, "render triangle.gltf --size 64x48");
    assert_eq!(stderr(&output), "", "nothing to warn of, no terminal");
    for word in [
        "vertices in",
        "quads rasterised",
        "overdraw",
        "triangle",
        "wrote triangle.png",
    ] {
        assert!(
            stdout(&output).contains(word),
            "{word} is missing in\n{}",
            stdout(&output)
        );
    }
}

#[test]
fn darkness_is_announced_unless_quiet() {
    let directory = workshop("dark");
    let words = QUICK.replace("--quiet", "");
    let output = succeeds(&directory, &words);
    assert!(
        stderr(&output).starts_with("warning: triangle: no light"),
        "{}",
        stderr(&output)
    );
    assert_eq!(stderr(&succeeds(&directory, QUICK)), "", "quiet");
}

#[test]
fn json_has_every_counter_by_frame_draw_and_tile() {
    let directory = workshop("json");
    let report = json(&directory, &format!("{QUICK} --stats=json"));
    let frame = &report["frames"][0];
    let counters = &frame["counters"];
    assert_eq!(counters["geometry"]["vertices_in"], 3, "one triangle");
    assert_eq!(counters["geometry"]["primitives_binned"], 1, "one triangle");
    assert!(
        counters["raster"]["fragments_shaded"].as_u64() > Some(100),
        "it is seen"
    );
    assert_eq!(
        counters["draws"].as_array().map(Vec::len),
        Some(1),
        "one draw"
    );
    assert_eq!(
        counters["tiles"].as_array().map(Vec::len),
        Some(12),
        "4 x 3 tiles"
    );
    for field in ["time", "file", "draw_ms", "overdraw", "tiles_per_primitive"] {
        assert!(!frame[field].is_null(), "{field} of a frame");
    }
    for field in [
        "generator",
        "command",
        "scene",
        "scene_hash",
        "settings",
        "threads",
        "simd",
    ] {
        assert!(!report[field].is_null(), "{field} of the run");
    }
    let short = json(&directory, &format!("{QUICK} --json"));
    assert_eq!(
        &short["frames"][0]["counters"], counters,
        "--json is --stats=json"
    );
}

#[test]
fn stats_none_says_nothing() {
    let directory = workshop("none");
    let output = succeeds(&directory, &format!("{QUICK} --stats=none -o out.png"));
    assert!(output.stdout.is_empty(), "no counters");
    picture(&directory.join("out.png"));
}

#[test]
fn sequence_is_numbered_and_moves() {
    let directory = workshop("sequence");
    succeeds(
        &directory,
        &format!("{QUICK} --background 808080 --frames 3 --fps 4 --heatmap quads-shaded -o f.png"),
    );
    let frames =
        ["f.0000.png", "f.0001.png", "f.0002.png"].map(|name| picture(&directory.join(name)));
    assert!(frames[0] != frames[1], "the flag moves");
    assert!(!directory.join("f.0003.png").exists(), "three frames");
    assert!(
        directory.join("f.0002.quads_shaded.png").exists(),
        "heat maps are numbered too"
    );
    succeeds(
        &directory,
        &format!("{QUICK} --background 808080 --time 0.25 --animation slide -o one.png"),
    );
    assert!(
        picture(&directory.join("one.png")) == frames[1],
        "frame 1 at 4 a second"
    );
    succeeds(
        &directory,
        &format!("{QUICK} --background 808080 --time 0.25 --animation none -o rest.png"),
    );
    assert!(picture(&directory.join("rest.png")) == frames[0], "at rest");
}

#[test]
fn heat_map_is_written_with_a_legend() {
    let directory = workshop("heat");
    succeeds(
        &directory,
        &format!("{QUICK} -o out.png --heatmap overdraw --heatmap primitives=p.png"),
    );
    for name in ["out.overdraw.png", "p.png"] {
        let (width, height) = picture(&directory.join(name)).dimensions();
        assert!(width == 64 && height > 48, "{name}: {width}x{height}");
    }
}

#[test]
fn picture_is_the_same_on_every_machine_setting() {
    let directory = workshop("same");
    let words = format!("{QUICK} --background 336699");
    succeeds(
        &directory,
        &format!("{words} --threads 1 --simd scalar -o a.png"),
    );
    succeeds(
        &directory,
        &format!("{words} --threads 3 --tile-order hilbert --tile-size 8 -o b.png"),
    );
    let [a, b] = ["a.png", "b.png"].map(|name| picture(&directory.join(name)));
    assert!(a == b, "settings of the machine change no pixel");
}

#[test]
fn orbit_sees_the_other_side() {
    let directory = workshop("orbit");
    let words = format!("{QUICK} --background 000000 --stats=json");
    let culled = |orbit: &str| {
        let report = json(&directory, &format!("{words} --orbit {orbit}"));
        let geometry = &report["frames"][0]["counters"]["geometry"];
        geometry["primitives_culled_facing"].as_u64()
    };
    assert_eq!(culled("0,90,4 --target 0,0,0"), Some(0), "from the front");
    assert_eq!(
        culled("180,90,4 --target 0,0,0 --fov 30"),
        Some(1),
        "from behind"
    );
    assert_eq!(
        culled("-10,85,4"),
        Some(0),
        "negative angles are no options"
    );
}

#[test]
fn list_names_all_choices_for_people_and_programs() {
    let directory = workshop("list");
    let text = stdout(&succeeds(&directory, "list"));
    let lists = json(&directory, "list --json");
    for (id, name) in [
        ("heatmaps", "overdraw"),
        ("technique_maps", "temperature"),
        ("tone_maps", "aces"),
        ("tile_orders", "boustrophedonic"),
        ("binning", "bounding-box"),
        ("tile_sizes", "128"),
        ("simd_levels", "scalar"),
        ("gltf_extensions", "KHR_lights_punctual"),
    ] {
        assert!(text.contains(name), "{name} is missing in\n{text}");
        let choices = lists[id].as_array().into_iter().flatten();
        let found = choices.filter(|choice| choice["name"] == name).count();
        assert_eq!(found, 1, "{name} in {id}");
    }
}

#[test]
fn compare_gives_figures_or_says_what_is_missing() {
    let directory = workshop("compare");
    let words = QUICK.replace("render", "compare") + " --json -o diff.png";
    let output = azulejo(&directory, &words);
    if output.status.code() == Some(1) {
        assert!(
            std::env::var_os("AZULEJO_REQUIRE_VULKAN").is_none(),
            "{}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains("driver") || cfg!(not(feature = "reference")),
            "{}",
            stderr(&output)
        );
        crate::common::skipped(stderr(&output).trim());
        return;
    }
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("standard output is JSON");
    for field in [
        "pixels",
        "coverage_mismatch",
        "off_by_more_than_2",
        "max_diff",
        "mean_diff",
        "ours_ms",
        "theirs_ms",
        "ratio",
        "driver",
    ] {
        assert!(!report[field].is_null(), "{field}");
    }
    for field in ["min", "median", "max"] {
        assert!(
            report["ours_ms"][field].as_f64() > Some(0.0),
            "{field} of ours"
        );
    }
    assert_eq!(
        picture(&directory.join("diff.png")).height(),
        48,
        "three pictures beside each other"
    );
}

#[test]
fn built_in_scene_is_drawn_and_counted() {
    let directory = workshop("builtin");
    let output = succeeds(&directory, "render -o out.png --size 320x180");
    assert_eq!(
        picture(&directory.join("out.png")).dimensions(),
        (320, 180),
        "drawn"
    );
    assert!(
        stdout(&output).contains("fragments shaded"),
        "{}",
        stdout(&output)
    );
    assert_eq!(stderr(&output), "", "nothing to warn of");
}

#[test]
fn built_in_scene_is_the_same_bytes_on_every_instruction_set() {
    let directory = workshop("builtin-simd");
    let draw = |name: &str, words: &str| {
        let shot = "render --size 200x112 --time 0.6 --stats=none";
        succeeds(&directory, &format!("{shot} {words} -o {name}.png"));
        picture(&directory.join(format!("{name}.png")))
    };
    let plain = draw("plain", "--threads 1 --simd scalar");
    let orders = ["z-order", "s-order", "hilbert", "boustrophedonic"];
    for (level, order) in SimdLevel::available()
        .into_iter()
        .zip(orders.iter().cycle())
    {
        let words = format!("--threads 2 --tile-size 16 --simd {level} --tile-order {order}");
        assert!(
            draw("other", &words) == plain,
            "physically based shading by {level} lanes, {order}"
        );
    }
}

#[test]
fn technique_that_only_a_machine_can_do_is_refused_where_there_is_none() {
    let directory = workshop("host-technique");
    fails(
        &directory,
        "render --frames 3 --technique te -o none.png",
        2,
        &["te decides on a machine", "--heatmap order --machine"],
    );
}

#[test]
fn machine_check_says_peaks_and_which_techniques_are_carried() {
    let directory = workshop("machine-check");
    let checked = json(
        &directory,
        "machine check valhall-libra valhall-libra-baseline --set clock_mhz=1000 --json",
    );
    let [two_units, one_unit] = [&checked[0], &checked[1]];
    assert_eq!(
        (&two_units["raster_units"], &one_unit["raster_units"]),
        (&2.into(), &1.into())
    );
    // Two accesses of a quad in two cycles: four texels a cycle in each of eight cores.
    assert_eq!(one_unit["peaks"]["textured_Gtexel/s"], 32.0);
    let refused = |machine: &serde_json::Value, technique: &str| {
        let list = machine["techniques"].as_array().expect("a list").clone();
        let found = list
            .iter()
            .find(|carried| carried["technique"] == technique);
        found.expect("all are named")["refused"].is_string()
    };
    assert!(!refused(two_units, "libra") && refused(two_units, "khepri"));
    let text = stdout(&succeeds(&directory, "machine check mali450-re"));
    assert!(
        text.contains("can run") && text.contains("Gpixel/s"),
        "{text}"
    );
}

#[test]
fn machine_check_measures_rates_beside_peaks_and_a_chip() {
    let directory = workshop("machine-check-measure");
    let words = "machine check --measure mali450-re emerald-gpu";
    let checked = json(&directory, &format!("{words} --json"));
    let rates = |nth: usize| checked[nth]["rates"].as_array().expect("a list").clone();
    for rate in [rates(0), rates(1)].concat() {
        let [measured, peak] = ["measured", "peak"].map(|key| rate[key].as_f64().expect(key));
        assert!(measured > 0.0 && measured <= peak * 1.000_001, "{rate}");
    }
    assert_eq!(rates(0)[0]["published"]["chip"], "Mali-450 MP8");
    assert!(rates(1)[0]["published"].is_null(), "none is known");
    let text = stdout(&succeeds(&directory, words));
    assert!(
        text.contains("of peak") && text.contains("no chip"),
        "{text}"
    );
}

#[test]
fn machine_check_refuses_a_key_that_no_machine_has() {
    let directory = workshop("machine-check-key");
    let text = "include = \"valhall-libra\"\n[l2]\nsise = \"1MiB\"\n";
    std::fs::write(directory.join("mine.toml"), text).expect("writable");
    fails(
        &directory,
        "machine check mine.toml",
        1,
        &["mine.toml", "l2.sise"],
    );
}

#[test]
fn techniques_of_one_picture_are_one_set() {
    let directory = crate::command_line::workshop("one_set");
    for command in ["render", "view"] {
        let words = format!("{command} match3 --technique re,te");
        fails(&directory, &words, 2, &["one set", "re+te"]);
    }
}

#[test]
fn system_speaks_before_its_gpu_and_of_its_techniques_once() {
    let directory = crate::command_line::workshop("system_first");
    let words = "simulate lantern --machine emerald-soc --technique dash --size 64x64";
    let said = stdout(&succeeds(&directory, words));
    for machine in ["emerald-soc", "emerald-soc+dash"] {
        let place = |text: String| said.find(&text).expect("a table");
        let system = place(format!("{machine}: who used the memory"));
        let gpu = place(format!("lantern on {machine}: "));
        assert!(system < gpu, "{machine}:\n{said}");
    }
    assert!(said.contains("dash, over all of the time"), "{said}");
    assert!(!said.contains("  dash: "), "a second time:\n{said}");
}

#[test]
fn sweep_of_which_nothing_is_left_says_so() {
    let directory = crate::command_line::workshop("nothing_left");
    let sweep = "scenes = [\"match3\"]\nmachines = [\"mali450-re\"]\nframes = 1\n[set]\n\"screen.width\" = [64]\n\"screen.height\" = [64]\n";
    std::fs::write(directory.join("one.toml"), sweep).expect("writable");
    succeeds(&directory, "sweep one.toml");
    let output = succeeds(&directory, "sweep one.toml --on print");
    assert_eq!(stdout(&output), "", "no command is left");
    assert!(
        stderr(&output).contains("no point is left"),
        "{}",
        stderr(&output)
    );
}
