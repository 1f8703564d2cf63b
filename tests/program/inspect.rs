//! `azulejo inspect`, and the heat maps and views of `render`: headless, with the numbers that a window shows.

use std::path::Path;

use serde_json::Value;

use azulejo::inspect::{DRAW_COLUMNS, MODELLED_COLUMNS, STEP_COLUMNS};

use crate::command_line::{fails, json, stdout, succeeds, workshop};

/// A small frame that has sprites, blending and text.
const FRAME: &str = "match3 --frame 77 --size 320x180";

fn sum(rows: &Value, path: &[&str]) -> u64 {
    let rows = rows.as_array().expect("an array").iter();
    rows.map(|row| {
        let cell = path.iter().fold(row, |value, key| &value[*key]);
        cell.as_u64().expect("a count")
    })
    .sum()
}

fn size_of(file: &Path) -> (u32, u32) {
    let picture = image::open(file).expect("a PNG file");
    (picture.width(), picture.height())
}

#[test]
fn inspect_lists_the_draws_that_render_counts() {
    let directory = workshop("cli-inspect-draws");
    let text = stdout(&succeeds(&directory, &format!("inspect {FRAME}")));
    assert!(
        text.contains("tiles/tri") && text.contains("hint"),
        "{text}"
    );
    let found = json(&directory, &format!("inspect {FRAME} --json"));
    let drawn = json(&directory, &format!("render {FRAME} --json -o a.png"));
    let (costs, counters) = (&found["draws"]["costs"], &drawn["frames"][0]["counters"]);
    for (stage, counter) in [
        ("raster", "fragments_shaded"),
        ("raster", "quads_killed_early"),
        ("geometry", "primitives_binned"),
    ] {
        let total = counters[stage][counter].as_u64();
        assert_eq!(Some(sum(costs, &[stage, counter])), total, "{counter}");
    }
}

/// Numbers of a table's column, found by its header.
fn column(table: &str, header: &str) -> Vec<f64> {
    let rows: Vec<Vec<&str>> = (table.lines())
        .map(|line| {
            line.split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .collect()
        })
        .collect();
    let place = |row: &Vec<&str>| row.iter().position(|cell| *cell == header);
    let head = rows.iter().position(|row| place(row).is_some());
    let head = head.unwrap_or_else(|| panic!("{header}: {table}"));
    let at = place(&rows[head]).expect("found above");
    let numbers = rows[head + 1..].iter().map_while(|row| {
        let number = row.get(at)?.trim_end_matches(" %").replace(',', "");
        // Nothing was measured: behind all that was.
        if number == "-" {
            Some(-1.0)
        } else {
            number.parse().ok()
        }
    });
    numbers.collect()
}

#[test]
fn inspect_sorts_draws_and_steps_by_a_cost() {
    let directory = workshop("cli-inspect-sort");
    let draws = "arena --frame 100 --size 320x180";
    let on = format!("{draws} --machine valhall-libra-baseline");
    let steps = format!("{FRAME} --tile 4,2");
    for (subject, sort, header) in [
        (draws, "fragments", "fragments"),
        (draws, "pixels/tri", "pixels/tri"),
        (&on, "warp-cycles", "warp cycles"),
        (&on, "l1-misses", "L1 misses"),
        (&steps, "quads", "quads"),
        (&steps, "texel-blocks", "texel blocks"),
    ] {
        let words = format!("inspect {subject}");
        let table = |words: &str| stdout(&succeeds(&directory, words));
        let plain = column(&table(&words), header);
        let sorted = column(&table(&format!("{words} --sort {sort}")), header);
        let mut expected = plain.clone();
        expected.sort_by(|a, b| b.total_cmp(a));
        assert!(
            plain.len() > 3 && plain != expected,
            "{sort}: not sorted by chance"
        );
        assert_eq!(sorted, expected, "{sort}");
    }
}

#[test]
fn inspect_names_the_costs_that_there_are_to_sort_by() {
    let directory = workshop("cli-inspect-sort-names");
    let fails = |words: &str, says: &[&str]| {
        fails(&directory, &format!("inspect {FRAME} {words}"), 2, says);
    };
    fails(
        "--sort fragmets",
        &[
            "draws",
            "did you mean fragments?",
            "tiles/tri",
            "warp-cycles",
        ],
    );
    fails(
        "--tile 4,2 --sort vertices",
        &["a tile's steps", "texel-blocks"],
    );
    fails("--sort dram", &["--sort dram", "--machine"]);
    fails("--sort quads --pixel 5,5", &["--sort", "--pixel"]);
    let help = stdout(&succeeds(&directory, "inspect --help"));
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let draws = DRAW_COLUMNS.iter().chain(MODELLED_COLUMNS);
    let names = draws.map(|column| column.name);
    for name in names.chain(STEP_COLUMNS.iter().map(|column| column.name)) {
        assert!(help.contains(name), "{name}: {help}");
    }
}

#[test]
fn inspect_prints_the_same_bytes_for_any_number_of_threads() {
    let directory = workshop("cli-inspect-threads");
    for subject in ["", "--tile 4,2", "--pixel 150,90"] {
        let text = |threads: u32| {
            let words = format!("inspect {FRAME} {subject} --json --threads {threads}");
            stdout(&succeeds(&directory, &words))
        };
        assert_eq!(text(1), text(3), "{subject}");
    }
}

#[test]
fn inspect_pixel_ends_in_the_pixel_of_the_picture() {
    let directory = workshop("cli-inspect-pixel");
    succeeds(&directory, &format!("render {FRAME} -q -o a.png"));
    let picture = image::open(directory.join("a.png")).expect("a PNG file");
    let picture = picture.to_rgba8();
    for (x, y) in [(0, 0), (150, 90), (319, 179)] {
        let words = format!("inspect {FRAME} --pixel {x},{y} --json");
        let last = &json(&directory, &words)["pixel"]["history"]["last"];
        let shown: Vec<_> = picture.get_pixel(x, y).0.map(Value::from).into();
        assert_eq!(last["encoded"], Value::from(shown), "{x},{y}");
    }
}

#[test]
fn inspect_tile_sums_to_the_counters_of_the_tile() {
    let directory = workshop("cli-inspect-tile");
    let found = json(&directory, &format!("inspect {FRAME} --tile 4,2 --json"));
    let drawn = json(&directory, &format!("render {FRAME} --json -o a.png"));
    let story = &found["tile"]["story"];
    let tile = story["tile"].as_u64().expect("a number") as usize;
    let counters = &drawn["frames"][0]["counters"]["tiles"][tile];
    let steps = &story["steps"];
    let n_steps = steps.as_array().map(Vec::len);
    assert_eq!(
        n_steps,
        counters["primitives"].as_u64().map(|n| n as usize),
        "list"
    );
    let shaded = counters["raster"]["fragments_shaded"].as_u64();
    assert_eq!(
        Some(sum(steps, &["raster", "fragments_shaded"])),
        shaded,
        "shaded"
    );
}

#[test]
fn inspect_on_a_machine_says_what_it_spent() {
    let directory = workshop("cli-inspect-machine");
    let machine = "--machine valhall-libra-baseline --json";
    let found = json(&directory, &format!("inspect {FRAME} {machine}"));
    let costs = &found["draws"]["costs"];
    assert!(sum(costs, &["modelled", "instructions"]) > 0, "shaders ran");
    let traffic = |cost: &Value| cost["modelled"]["dram_bytes"]["texture"].is_u64();
    let mut costs = costs.as_array().expect("an array").iter();
    assert!(costs.any(traffic), "texels came from the DRAM");
    let tile = json(&directory, &format!("inspect {FRAME} --tile 4,2 {machine}"));
    assert!(tile["tile"]["cost"]["end"].is_u64(), "cycles of the tile");
}

#[test]
fn inspect_draws_what_it_tells() {
    let directory = workshop("cli-inspect-picture");
    for subject in [
        "",
        "--tile 4,2",
        "--pixel 150,90",
        "--draw 1",
        "--texture 0",
    ] {
        succeeds(&directory, &format!("inspect {FRAME} {subject} -o a.png"));
        let (width, height) = size_of(&directory.join("a.png"));
        assert!(width >= 128 && height >= 180, "{subject}: {width}x{height}");
    }
}

#[test]
fn inspect_refuses_what_the_frame_does_not_have() {
    let directory = workshop("cli-inspect-refused");
    let fails = |words: &str, says: &[&str]| {
        fails(&directory, &format!("inspect {FRAME} {words}"), 2, says);
    };
    fails("--tile 10,0", &["tile 10,0", "0,0 to 9,5"]);
    fails("--pixel 0,180", &["pixel 0,180", "0,0 to 319,179"]);
    fails("--draw 9999", &["draw 9999", "counted from 0"]);
    fails("--texture 9999", &["texture 9999", "counted from 0"]);
    fails("--pixel 5", &["--pixel", "X,Y"]);
    fails("--tile -1,0", &["-1"]);
    fails("--tile 0,0 --draw 1", &["--draw"]);
    fails("--machine toaster", &["toaster"]);
    fails("--set l2.size=1MiB", &["--machine"]);
}

#[test]
fn render_draws_heat_maps_of_everything_that_a_tile_has() {
    let directory = workshop("cli-inspect-heatmaps");
    let names = [
        "primitives",
        "texture_blocks",
        "instructions",
        "order",
        "dram-texture",
    ];
    let maps: String = names
        .iter()
        .map(|name| format!(" --heatmap {name}"))
        .collect();
    let report = json(&directory, &format!("render {FRAME} --json -o a.png{maps}"));
    for name in names {
        let name = name.replace('-', "_");
        let file = format!("a.{name}.png");
        assert_eq!(report["frames"][0]["heat_maps"][&name], *file, "{name}");
        let (width, height) = size_of(&directory.join(file));
        assert!(width == 320 && height > 180, "{name}: legend below");
    }
    let picture = |name: &str| std::fs::read(directory.join(name)).expect("a file");
    let log = "--heatmap primitives=log.png --heatmap-scale log";
    succeeds(&directory, &format!("render {FRAME} -q -o a.png {log}"));
    assert!(
        picture("log.png") != picture("a.primitives.png"),
        "another scale"
    );
    fails(&directory, "render --heatmap heat", 2, &["azulejo list"]);
}

#[test]
fn render_draws_what_techniques_decide_of_tiles() {
    let directory = workshop("cli-inspect-decisions");
    for (technique, names) in [
        ("libra", &["temperature", "supertile"][..]),
        ("khepri", &["mpki", "affinity", "core-type", "region"]),
    ] {
        let maps: String = names
            .iter()
            .map(|name| format!(" --heatmap {name}"))
            .collect();
        let on = format!("--machine valhall-{technique} --technique {technique}");
        let words = format!("render {FRAME} --json -o a.png {on}{maps}");
        let report = json(&directory, &words);
        for name in names {
            let name = name.replace('-', "_");
            let file = format!("a.{name}.png");
            assert_eq!(report["frames"][0]["heat_maps"][&name], *file, "{name}");
            let (width, height) = size_of(&directory.join(file));
            assert!(width == 320 && height > 180, "{name}: legend below");
        }
    }
    for (words, code, says) in [
        ("--heatmap temperature", 2, "--technique libra"),
        ("--technique khepri", 2, "--heatmap order"),
        ("--technique khepri --heatmap order", 1, "memory_cores"),
        ("--technique libra --heatmap skipped", 1, "--technique re"),
    ] {
        fails(
            &directory,
            &format!("render {FRAME} {words}"),
            code,
            &[says],
        );
    }
}

#[test]
fn render_draws_every_view() {
    let directory = workshop("cli-inspect-views");
    let names = [
        "wireframe",
        "depth",
        "overdraw",
        "quad-overdraw",
        "mip",
        "primitive",
        "draw",
    ];
    let views: String = names.iter().map(|name| format!(" --view {name}")).collect();
    let report = json(
        &directory,
        &format!("render {FRAME} --json -o a.png{views}"),
    );
    for name in names {
        let file = format!("a.{name}.png");
        assert_eq!(report["frames"][0]["views"][name], *file, "{name}");
        let (width, height) = size_of(&directory.join(file));
        assert!(width == 320 && height > 180, "{name}: legend below");
    }
    fails(&directory, "render --view heat", 2, &["wireframe"]);
}

#[test]
fn render_says_which_tiles_it_left_out_and_why() {
    let directory = workshop("cli-inspect-skipped");
    let words =
        format!("render {FRAME} --frames 6 --technique re --refresh 4 --heatmap skipped -o a.png");
    let drawn = json(&directory, &format!("{words} --json"));
    let reasons = |frame: usize| &drawn["frames"][frame]["elimination"]["by_reason"];
    for (frame, reason) in [
        (0, "first_frame"),
        (1, "first_frame"),
        (4, "refresh"),
        (5, "refresh"),
    ] {
        assert_eq!(reasons(frame)[reason], 60, "frame {frame}: all of 10 by 6");
    }
    let of = |reason: &str| reasons(2)[reason].as_u64().unwrap_or(0);
    let (kept, changed) = (of("equal_inputs"), of("changed_inputs"));
    assert!(kept > 0 && changed > 0, "some of each: {}", reasons(2));
    let elimination = &drawn["frames"][2]["elimination"];
    assert_eq!(elimination["tiles_kept"], kept, "no other reason to stay");
    let tiles = elimination["tiles"].as_array().expect("a list").iter();
    let named = tiles.filter(|reason| **reason == "equal_inputs");
    assert_eq!(named.count() as u64, kept, "each tile has its reason");
    let map = drawn["frames"][2]["heat_maps"]["skipped"].as_str();
    let (width, height) = size_of(&directory.join(map.expect("a map")));
    assert!(width == 320 && height > 180, "with its legend");
    let text = stdout(&succeeds(&directory, &words));
    for part in [
        "tiles kept their pixels",
        "kept: inputs did not change",
        "drawn: first frame of the buffer",
        "drawn: refresh of the buffer",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn heat_map_of_skipped_tiles_needs_a_technique() {
    let directory = workshop("cli-inspect-skipped-nothing");
    let says = ["skipped", "--technique re", "simulate"];
    fails(
        &directory,
        &format!("render {FRAME} --heatmap skipped"),
        1,
        &says,
    );
}
