//! Frames of several passes through the program: a trace of two screens, a smaller one before the shown one.

use std::fs::File;
use std::path::{Path, PathBuf};

use azulejo::grid::TileGrid;
use azulejo::trace::synthetic::{CoveredScreen, independent};
use azulejo::trace::{FrameTrace, InstructionClass, TraceWriter};

use crate::command_line::{self, azulejo, json, stderr, stdout, succeeds};

/// A directory with the trace `two.azt`: pass `small` of 64x32 pixels, then `shown` of 96x64.
fn workshop(test: &str) -> PathBuf {
    let directory = command_line::workshop(&format!("passes-{test}"));
    let pass = |name: &str, width, height| {
        let grid = TileGrid {
            width,
            height,
            tile_size: 32,
        };
        let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 4));
        FrameTrace {
            name: name.to_owned(),
            ..screen.frame(0)
        }
    };
    let frame = FrameTrace {
        before: vec![pass("small", 64, 32)],
        ..pass("shown", 96, 64)
    };
    let file = File::create(directory.join("two.azt")).expect("writable");
    let mut writer = TraceWriter::new(file).expect("a new file");
    writer.write(&frame).expect("room on the disk");
    writer.finish().expect("room on the disk");
    directory
}

const SIMULATE: &str = "simulate two.azt -m valhall-libra-baseline";

fn size(picture: &Path) -> (u32, u32) {
    image::image_dimensions(picture).expect("a picture")
}

#[test]
fn passes_have_a_table_and_sum_to_their_frame() {
    let directory = workshop("table");
    let text = stdout(&succeeds(&directory, SIMULATE));
    let lines = text.lines().skip_while(|line| *line != "passes");
    let names = lines
        .skip(2)
        .take(2)
        .map(|line| line.split_whitespace().next());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [Some("small"), Some("shown")],
        "{text}"
    );
    let report = json(&directory, &format!("{SIMULATE} --json --csv tables"));
    let frame = &report["machines"][0]["frames"][0];
    let passes = frame["passes"].as_array().expect("a list");
    let cycles = passes.iter().filter_map(|pass| pass["cycles"].as_u64());
    assert_eq!(Some(cycles.sum()), frame["cycles"].as_u64(), "of the frame");
    assert_eq!(passes[0]["targets"][0]["stored"], 64 * 32 * 4);
    let table = std::fs::read_to_string(directory.join("tables/passes.csv")).expect("written");
    let rows: Vec<_> = table.lines().skip(1).collect();
    assert!(rows[0].contains(",0,small,64,32,32,0,"), "{table}");
    assert!(rows[1].contains(",1,shown,96,64,32,"), "{table}");
}

#[test]
fn passes_each_have_heat_maps_of_their_tiles() {
    let directory = workshop("heat");
    let map = format!("{SIMULATE} --heatmap warps=map.png");
    succeeds(&directory, &map);
    let shown = size(&directory.join("map.png"));
    for pass in ["small", "0"] {
        let file = directory.join("map.png");
        std::fs::remove_file(&file).expect("it was written");
        succeeds(&directory, &format!("{map} --pass {pass}"));
        assert!(size(&file).0 < shown.0, "{pass}: two tiles and no six");
    }
    let output = azulejo(&directory, &format!("{map} --pass third"));
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("--pass third: no pass of frame 0"), "{said}");
    assert!(said.contains("small, shown"), "{said}");
    assert!(stdout(&output).contains("passes"), "results are kept");
}
