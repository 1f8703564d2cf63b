//! Demos from the command line: listed, drawn, measured, and refused what only scenes have.

use azulejo::demo::{DEMOS, MODELS, Setting};

use crate::command_line::{fails, json, stdout, succeeds, workshop};

#[test]
fn list_names_every_demo() {
    let directory = workshop("cli-demo-list");
    let text = stdout(&succeeds(&directory, "list"));
    let listed = json(&directory, "list --json");
    for (list, demos) in [("demos", DEMOS), ("models", MODELS)] {
        for (nth, demo) in demos.iter().enumerate() {
            assert!(
                text.contains(demo.name) && text.contains(demo.about),
                "{}",
                demo.name
            );
            assert_eq!(listed[list][nth]["name"], demo.name, "in JSON");
        }
    }
    for setting in Setting::ALL {
        let name = format!("GAME-{}", setting.name());
        assert!(
            text.contains(&name) && text.contains(setting.about()),
            "{name}"
        );
    }
}

#[test]
fn list_names_games_of_papers_and_their_demos() {
    let directory = workshop("cli-demo-suites");
    let listed = json(&directory, "list --suites --json");
    let libra = &listed[1];
    assert_eq!(
        (&libra["study"], &libra["paper"]),
        (&"libra".into(), &"LIBRA".into())
    );
    let games = libra["games"].as_array().expect("its table");
    assert_eq!(games.len(), 32, "all of Table II");
    assert_eq!(games[6]["stand_in"]["demo"], "match3", "for CCS");
    let text = stdout(&succeeds(&directory, "list --suites"));
    for words in ["8 2D, 7 2.5D, 17 3D; 13 demos", "Air Attack", "no stand-in"] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

/// Largest difference of a channel, and how many pixels differ by more than 2.
fn difference(directory: &std::path::Path, words: [&str; 2]) -> (u8, usize) {
    let [one, other] = words.map(|words| {
        succeeds(
            directory,
            &format!("render {words} --size 320x180 -q -o p.png"),
        );
        let picture = image::open(directory.join("p.png")).expect("a PNG file");
        picture.to_rgba8().into_raw()
    });
    let pixels = one.chunks_exact(4).zip(other.chunks_exact(4));
    let furthest = pixels.map(|(a, b)| {
        let channels = a.iter().zip(b).map(|(&a, &b)| a.abs_diff(b));
        channels.max().unwrap_or(0)
    });
    let furthest: Vec<_> = furthest.collect();
    let many = furthest.iter().filter(|&&by| by > 2).count();
    (furthest.into_iter().max().unwrap_or(0), many)
}

#[test]
fn fine_games_look_like_the_games_and_lit_ones_do_not() {
    let directory = workshop("cli-demo-variants");
    for game in ["match3", "corridor"] {
        let fine = format!("{game}-fine --frame 40");
        let lit = format!("{game}-lit --frame 40");
        let plain = format!("{game} --frame 40");
        let (_, many) = difference(&directory, [&plain, &fine]);
        assert!(many <= 320 * 180 / 200, "{game}: {many} pixels");
        let (furthest, many) = difference(&directory, [&plain, &lit]);
        assert!(
            furthest > 2 && many > 320 * 180 / 20,
            "{game}: {many} pixels"
        );
    }
    fails(
        &directory,
        "render match3-shiny",
        2,
        &["match3-shiny", "match3-"],
    );
}

/// A pyramid under a texture, and the same study of it wherever its numbers are kept.
#[test]
fn study_takes_scene_files_instead_of_demos() {
    let directory = workshop("cli-demo-study-scene");
    let obj = "mtllib p.mtl\nv 0 1 0\nv -1 -1 1\nv 1 -1 1\nv 0 -1 -1\nusemtl p\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n";
    std::fs::write(directory.join("pyramid.obj"), obj).expect("writable");
    std::fs::write(directory.join("p.mtl"), "newmtl p\nKd 0.8 0.5 0.2\n").expect("writable");
    let small = "--frames 3 --set screen.width=96 --set screen.height=64";
    let words = format!("study em2 --scene pyramid.obj {small} --keep kept --json");
    let first = stdout(&succeeds(&directory, &words));
    assert!(first.contains("\"pyramid\""), "named: {first}");
    assert_eq!(
        stdout(&succeeds(&directory, &words)),
        first,
        "as it was kept"
    );
    let bad = "study em2 --scene lost.obj";
    fails(&directory, bad, 1, &["lost.obj", "cannot read"]);
    let both = "study em2 --scene pyramid.obj --demos match3";
    fails(&directory, both, 2, &["--scene", "--demos"]);
}

#[test]
fn obj_is_drawn_like_a_gltf() {
    let directory = workshop("cli-demo-obj");
    let obj = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n";
    std::fs::write(directory.join("square.obj"), obj).expect("writable");
    let words = "render square.obj --size 64x64 --env none --background 0000ff -q -o square.png";
    succeeds(&directory, words);
    let picture = image::open(directory.join("square.png")).expect("a PNG file");
    let picture = picture.to_rgb8();
    let [middle, corner, other] =
        [(32, 32), (0, 0), (63, 0)].map(|(x, y)| picture.get_pixel(x, y).0);
    assert_eq!(corner, other, "the background");
    assert_ne!(middle, corner, "the square before it");
    std::fs::write(directory.join("broken.obj"), "v 1 2\n").expect("writable");
    fails(
        &directory,
        "render broken.obj",
        1,
        &["broken.obj", "line 1", "v X Y Z"],
    );
}

#[test]
fn demo_picture_is_the_same_for_one_and_three_threads() {
    let directory = workshop("cli-demo-threads");
    for demo in DEMOS {
        let picture = |threads: u32| {
            let file = format!("{}-{threads}.png", demo.name);
            let words = format!(
                "render {} --frame 77 --size 320x180 --threads {threads} -q -o {file}",
                demo.name
            );
            succeeds(&directory, &words);
            let picture = image::open(directory.join(file)).expect("a PNG file");
            picture.to_rgba8().into_raw()
        };
        assert!(picture(1) == picture(3), "{}", demo.name);
    }
}

#[test]
fn demo_has_no_camera_to_choose() {
    let directory = workshop("cli-demo-camera");
    fails(&directory, "render match3 --orbit 0,90,3", 2, &["--orbit"]);
}

/// Report that these words print for a small screen on so many threads.
fn report_on(threads: u32, words: &str) -> String {
    let size = "--set screen.width=320 --set screen.height=180";
    let directory = workshop(&format!("cli-demo-{}", words.replace(' ', "-")));
    stdout(&succeeds(
        &directory,
        &format!("{words} {size} --threads {threads}"),
    ))
}

#[test]
fn characterize_is_the_same_for_one_and_three_threads() {
    let words = "characterize match3 --frames 4 --sample all --json";
    let one = report_on(1, words);
    assert_eq!(one, report_on(3, words), "three threads");
    let report: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    let rows = &report["demos"];
    for stamp in ["generator", "results_version", "command", "inputs"] {
        assert!(!report[stamp].is_null(), "no {stamp}");
    }
    assert_eq!(rows[0]["modelled_frames"], 3, "all behind the first");
    assert_eq!(rows[0]["stands_for"], 3, "each for itself");
}

#[test]
fn characterize_of_two_demos_is_the_same_in_a_row_and_side_by_side() {
    let words = "characterize rope match3 --frames 2 --json";
    let one = report_on(1, words);
    assert_eq!(one, report_on(2, words), "a demo for each of two threads");
    let report: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    let rows = &report["demos"];
    assert_eq!(rows[0]["demo"], "rope", "in the order asked for");
    assert_eq!(rows[1]["demo"], "match3", "in the order asked for");
}

#[test]
fn characterize_sets_published_targets_beside_ours() {
    let words = "characterize match3 arena --frames 3 --modelled 1 --published --json";
    let report: serde_json::Value = serde_json::from_str(&report_on(2, words)).expect("JSON");
    let targets = report["published"].as_array().expect("targets");
    let of = |key: &str, over: &str| {
        let mut found = targets.iter();
        let is_it = |own: &&serde_json::Value| own["key"] == key && own["over"] == over;
        found.find(is_it).expect("a target").clone()
    };
    for own in targets {
        assert!(own["source"].is_string(), "{own}");
        let is_measured = own["key"] != "eight_core_speed";
        assert_eq!(own["ours"].is_number(), is_measured, "{own}");
    }
    let geometry = of("geometry_cycles", "mean");
    let cycles = |demo: usize| report["demos"][demo]["geometry_cycles"].as_f64();
    let ours = (cycles(0).expect("match3") + cycles(1).expect("arena")) / 2.0;
    assert_eq!(geometry["demos"], 2, "both stand for games of KHEPRI");
    let found =
        [&geometry["ours"], &geometry["distance"]].map(|own| own.as_f64().expect("a number"));
    assert!((found[0] - ours).abs() < 1e-6, "{ours}");
    assert!(
        (found[1] - (270e3 - ours).abs() / 270e3).abs() < 1e-9,
        "{geometry}"
    );
    let footprint = of("texture_bytes", "median");
    assert_eq!(footprint["basis"], "derived", "from Table II");
}

#[test]
fn characterize_refuses_what_is_no_demo() {
    let directory = workshop("cli-demo-unknown");
    fails(&directory, "characterize chess", 2, &["chess", "match3"]);
}

#[test]
fn study_measures_figures_the_same_for_one_and_three_threads() {
    let words = "study re --demos lantern,corridor --frames 6 --modelled 2 --json";
    let one = report_on(1, words);
    assert_eq!(one, report_on(3, words), "three threads");
    let study: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    for stamp in ["generator", "results_version", "command", "inputs"] {
        assert!(!study[stamp].is_null(), "no {stamp}");
    }
    let suite = &study["suite"];
    assert_eq!(suite["choice"], "named", "two of ten");
    assert_eq!(
        suite["games"].as_array().map(Vec::len),
        Some(10),
        "Table II"
    );
    for game in 0..2 {
        let representatives = study["samples"][game]["representatives"].as_array();
        let representatives = representatives.expect("the frames that were modelled");
        assert!((1..=2).contains(&representatives.len()), "at most two");
        let stands_for = representatives.iter().map(|r| r["stands_for"].as_u64());
        let all: Option<u64> = stands_for.sum();
        assert_eq!(all, Some(3), "for all frames that count");
        assert_eq!(study["games"][game][1]["stands_for"], 3, "as weights");
    }
    let figures = study["figures"].as_array().expect("figures");
    assert_eq!(figures.len(), 13, "all of the paper");
    let time = figures.iter().find(|figure| figure["id"] == "re.fig16a");
    let time = &time.expect("all of the paper")["rows"];
    let cycles = |game: usize| time[game][1][1].as_f64().expect("RE");
    assert!(cycles(0) < 0.9, "lantern stands still: {}", cycles(0));
    assert!(cycles(1) > 0.9, "corridor does not: {}", cycles(1));
}

#[test]
fn study_refuses_fewer_frames_than_can_say_anything() {
    let directory = workshop("cli-demo-study-frames");
    for frames in [1, 2] {
        let words = format!("study re --demos match3 --frames {frames}");
        fails(&directory, &words, 2, &["at least 3", "frame buffers"]);
    }
}

#[test]
fn study_of_samples_holds_them_against_all_frames() {
    let words = "study sampling --demos lantern --frames 8 --json";
    let one = report_on(1, words);
    assert_eq!(one, report_on(3, words), "three threads");
    let study: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    let [error, warm_up] = [0, 1].map(|number| study["figures"][number].clone());
    assert_eq!(error["id"], "sampling.error");
    let cycles = error["rows"][0][1][0].as_f64().expect("measured");
    assert!(cycles < 0.1, "lantern hardly moves: {cycles}");
    assert_eq!(warm_up["id"], "sampling.warmup");
    let with_re = |frames: usize| warm_up["rows"][0][1][5 + frames].as_f64();
    assert!(
        with_re(0) > Some(0.5) && with_re(3) < Some(0.02),
        "signatures must be there before a frame counts: {warm_up}"
    );
}

#[test]
fn study_refuses_groups_of_frames_where_a_sample_has_none() {
    let directory = workshop("cli-demo-study-sample");
    let all = "--demos match3 --frames 3 --sample all";
    let words = format!("study re {all} --modelled 2");
    fails(&directory, &words, 2, &["--modelled", "--sample auto"]);
    fails(
        &directory,
        &format!("study sampling {all}"),
        2,
        &["--sample auto"],
    );
    let words = "characterize match3 --sample every:0";
    fails(&directory, words, 2, &["every:N"]);
}

#[test]
fn study_refuses_a_figure_of_energies_that_nobody_knows() {
    let directory = workshop("cli-demo-study-energy");
    let on = "--machine emerald-gpu --demos match3 --frames 3";
    let words = format!("study re.fig16b {on}");
    fails(&directory, &words, 2, &["re.fig16b", "energy.technology"]);
}

#[test]
fn characterize_of_one_frame_knows_no_equal_tiles() {
    let directory = workshop("cli-demo-one-frame");
    let size = "--set screen.width=160 --set screen.height=96";
    let words = format!("characterize match3 --frames 1 {size}");
    let json = stdout(&succeeds(&directory, &format!("{words} --json")));
    let rows: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(rows[0]["equal_colors"].is_null(), "{rows}");
    let table = stdout(&succeeds(&directory, &words));
    let row = table.lines().find(|line| line.contains("match3"));
    assert!(row.expect("a row").contains(" - "), "{table}");
}

#[test]
fn study_writes_a_table_for_each_figure() {
    let directory = workshop("cli-demo-study-csv");
    let size = "--set screen.width=160 --set screen.height=96";
    let words = "study re.fig14a --demos match3 --frames 3 --modelled 1 --csv out";
    let text = stdout(&succeeds(&directory, &format!("{words} {size}")));
    assert!(
        text.contains("the paper's mean 50.0 %"),
        "the paper's: {text}"
    );
    assert!(
        !text.contains("points"),
        "one demo is no mean to hold against ten games: {text}"
    );
    let csv = std::fs::read_to_string(directory.join("out/re.fig14a.csv")).expect("written");
    assert!(
        csv.starts_with("demo,equal inputs,equal colours only,different\nmatch3,"),
        "{csv}"
    );
    fails(&directory, "study re.fig99", 2, &["re.fig99", "re.fig13a"]);
}

/// A lit triangle as glTF, with its buffer in it.
const TRIANGLE: &str = r#"{
    "asset": {"version": "2.0"},
    "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]
}"#;

#[test]
fn study_takes_scenes_of_the_command_line_instead_of_demos() {
    let directory = workshop("cli-demo-study-scene");
    for name in ["one.gltf", "two.gltf"] {
        std::fs::write(directory.join(name), TRIANGLE).expect("writable");
    }
    let small = "--frames 3 --modelled 1 --set screen.width=64 --set screen.height=48";
    let words = format!("study re --scene one.gltf --scene two.gltf {small} --keep kept --json");
    let study = json(&directory, &words);
    let rows = study["figures"][0]["rows"].as_array().expect("rows");
    let games: Vec<_> = rows.iter().map(|row| row[0].clone()).collect();
    assert_eq!(games, ["one", "two"], "by the files' names");
    let trends = study["trends"].as_array().expect("a list");
    assert!(trends.is_empty(), "they were declared of demos: {trends:?}");
    let kept = || {
        std::fs::read_dir(directory.join("kept"))
            .expect("kept")
            .count()
    };
    assert_eq!(kept(), 2, "by scene");
    std::fs::write(
        directory.join("two.gltf"),
        TRIANGLE.replace("[1, 1, 0]", "[1.0, 1, 0]"),
    )
    .expect("writable");
    json(&directory, &words);
    assert_eq!(kept(), 3, "a file that changed is another scene");
    let both = format!("study re --scene one.gltf --demos lantern {small}");
    fails(&directory, &both, 2, &["--scene", "--demos"]);
    let absent = format!("study re --scene three.glb {small}");
    fails(&directory, &absent, 1, &["three.glb"]);
}
