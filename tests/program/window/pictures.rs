//! Pictures of the window in README and guides, made by windows: opened with a command, worked by keys and clicks, and
//! photographed from the X server. Texts must be those of the picture, to the digit, and pixels nearly.
//! `UPDATE_REFERENCES=1` writes the pictures anew, and still fails.

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Shown, edges, texts};
use crate::command_line::workshop;
use crate::x_client::wait_for;

/// The window's size.
const WIDTH: u16 = 1120;
const HEIGHT: u16 = 663;

/// Step of a user.
enum Step {
    Key(char),
    /// Clicks a text.
    Text(&'static str),
    /// Clicks a pixel of the picture.
    Pixel([u32; 2]),
    /// Waits for a text.
    Wait(&'static str),
}
use Step::{Key, Pixel, Text, Wait};

/// Picture in `assets`, command line of its window, and the steps that follow.
struct Scenario {
    name: &'static str,
    command: &'static str,
    steps: &'static [Step],
}

/// The frame, then the next two, so that tiles of both frame buffers can be skipped.
const SKIPPING: &str = "match3 --machine mali450-re --technique re+te --size 598x384 --frame 122";

const SCENARIOS: [Scenario; 4] = [
    Scenario {
        name: "window.overlay.png",
        command: SKIPPING,
        steps: &[
            Key('o'),
            Wait("of frame 122"),
            Key('.'),
            Wait("of frame 123"),
            Key('.'),
            Wait("of frame 124"),
            Key('o'),
            Wait("flushes skipped"),
        ],
    },
    Scenario {
        name: "window.skipped.png",
        command: SKIPPING,
        steps: &[
            Key('t'),
            Key('.'),
            Wait("123"),
            Key('.'),
            Wait("124"),
            Text("overdraw"),
            Text("skipped"),
            Wait("1 where the tile kept its pixels"),
        ],
    },
    Scenario {
        name: "window.tiles.png",
        command: "corridor --size 960x540 --frame 300",
        steps: &[Key('t'), Wait("shaded fragments / pixel")],
    },
    Scenario {
        name: "window.inspector.png",
        command: "circuit --size 960x540 --frame 300",
        steps: &[
            Key('i'),
            Wait("draw  kind"),
            Pixel([420, 330]),
            Wait("depth: bright is near"),
        ],
    },
];

/// Parts of texts that depend on the computer: times and rates, threads, lanes, presenter.
const HOST: [&str; 6] = [
    " ms",
    "fps",
    "milliseconds",
    "Raster Units on",
    "presented by",
    "overdraw, last",
];

/// Parts of texts of work under way.
const UNDER_WAY: [&str; 3] = ["modelling", "taking the frame apart", "loading"];

/// Largest distance of pixels, in levels of 255 on average.
const MEAN_LEVELS: f64 = 0.5;

/// The keyword under which a picture carries its texts.
const TEXTS: &str = "Texts";

fn is_of_host(text: &str) -> bool {
    HOST.iter().any(|part| text.contains(part))
}

/// Photograph of a window, and its texts.
struct Photograph {
    pixels: Vec<[u8; 3]>,
    texts: String,
    /// Left, top, right and bottom, points, of texts that depend on the computer.
    host: Vec<[f64; 4]>,
}

fn photograph(scenario: &Scenario) -> Option<Photograph> {
    let directory = workshop(scenario.name);
    let options = format!(
        "{} --window {WIDTH}x{HEIGHT} --present soft",
        scenario.command
    );
    let screen = [u32::from(WIDTH) + 16, u32::from(HEIGHT) + 16];
    let shown = Shown::open_on(&directory, screen, &options, (WIDTH, 1))?;
    for step in scenario.steps {
        match step {
            Key(letter) => shown.client.press(*letter),
            Text(text) => shown.click_text(text),
            Pixel(pixel) => {
                shown.click_pixel(*pixel);
            }
            Wait(text) => {
                shown.wait_for_text(text);
            }
        }
    }
    // Nothing lies under the pointer, which would be said.
    shown
        .client
        .point_at([f32::from(WIDTH) + 8.0, f32::from(HEIGHT) + 8.0]);
    let mut last = (Value::Null, Vec::new());
    wait_for("the window to come to rest", || {
        let now = shown.now()?;
        let is_busy = texts(&now).any(|text| UNDER_WAY.iter().any(|part| text.contains(part)));
        let pixels = shown.client.pixels(WIDTH, HEIGHT);
        let is_left = now["pointer"].is_null();
        let is_same = last.0["texts"] == now["texts"] && last.1 == pixels;
        last = (now, pixels);
        std::thread::sleep(std::time::Duration::from_millis(150));
        (is_same && is_left && !is_busy && last.0["picture"]["finished"] == true).then_some(())
    });
    let (now, pixels) = last;
    let own: Vec<&str> = texts(&now).filter(|text| !is_of_host(text)).collect();
    Some(Photograph {
        pixels,
        // PNG's texts are Latin-1.
        texts: own.join("\n").replace(|c: char| !c.is_ascii(), "?"),
        host: host_areas(&now),
    })
}

/// Boxes of times, with room for wider ones to their left and for the plots below.
fn host_areas(now: &Value) -> Vec<[f64; 4]> {
    let all = now["texts"].as_array().into_iter().flatten();
    let host = all.filter(|text| is_of_host(text["text"].as_str().unwrap_or_default()));
    let areas = host.map(|text| {
        let [left, top, right, bottom] = edges(&text["rect"]);
        let below = if text["text"]
            .as_str()
            .is_some_and(|text| text.contains("last"))
        {
            70.0
        } else {
            0.0
        };
        [
            left - 40.0,
            top - 2.0,
            right.max(left + 300.0),
            bottom + below,
        ]
    });
    areas.collect()
}

fn is_covered(areas: &[[f64; 4]], at: usize) -> bool {
    let width = usize::from(WIDTH);
    let (x, y) = ((at % width) as f64, (at / width) as f64);
    areas
        .iter()
        .any(|[left, top, right, bottom]| x >= *left && x < *right && y >= *top && y < *bottom)
}

/// Levels by which pixels differ, on average, outside the boxes that depend on the computer.
fn distance(ours: &[[u8; 3]], photograph: &Photograph) -> f64 {
    if ours.len() != photograph.pixels.len() {
        return f64::INFINITY;
    }
    let pairs = ours.iter().zip(&photograph.pixels).enumerate();
    let pairs = pairs.filter(|(at, _)| !is_covered(&photograph.host, *at));
    let sum: u64 = pairs
        .flat_map(|(_, (a, b))| [0, 1, 2].map(|k| u64::from(a[k].abs_diff(b[k]))))
        .sum();
    sum as f64 / (3 * ours.len()) as f64
}

/// Pixels and texts of a picture in `assets`; `None` of one that is not there.
fn shown_picture(path: &Path) -> Option<(Vec<[u8; 3]>, String)> {
    let file = std::io::BufReader::new(fs::File::open(path).ok()?);
    let mut reader = png::Decoder::new(file).read_info().ok()?;
    let chunks = &reader.info().uncompressed_latin1_text;
    let texts = chunks.iter().find(|chunk| chunk.keyword == TEXTS);
    let texts = texts.map(|chunk| chunk.text.clone()).unwrap_or_default();
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let is_rgb = info.color_type == png::ColorType::Rgb;
    let pixels = bytes.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]);
    Some((pixels.filter(|_| is_rgb).collect(), texts))
}

fn write(path: &Path, scenario: &Scenario, photograph: &Photograph) {
    let file = BufWriter::new(fs::File::create(path).expect("assets can be written"));
    let mut encoder = png::Encoder::new(file, WIDTH.into(), HEIGHT.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let command = format!("azulejo view {}", scenario.command);
    for (keyword, text) in [("Command", &command), (TEXTS, &photograph.texts)] {
        let added = encoder.add_text_chunk(keyword.to_owned(), text.clone());
        added.expect("a keyword and a text");
    }
    let mut writer = encoder.write_header().expect("written");
    let pixels = photograph.pixels.as_flattened();
    writer.write_image_data(pixels).expect("written");
    writer.finish().expect("written");
}

/// The first line that only one of two texts has.
fn first_difference(shown: &str, now: &str) -> Option<String> {
    let (shown, now): (Vec<_>, Vec<_>) = (shown.lines().collect(), now.lines().collect());
    let n = shown.len().max(now.len());
    let differs = (0..n).find(|at| shown.get(*at) != now.get(*at))?;
    Some(format!(
        "shows {:?}, now {:?}",
        shown.get(differs),
        now.get(differs)
    ))
}

#[test]
fn readme_pictures_of_windows_are_what_windows_show() {
    let is_update = std::env::var_os("UPDATE_REFERENCES").is_some_and(|value| value == "1");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut problems = Vec::new();
    for scenario in &SCENARIOS {
        let Some(photograph) = photograph(scenario) else {
            return;
        };
        let path: PathBuf = assets.join(scenario.name);
        let (pixels, texts) = shown_picture(&path).unwrap_or_default();
        let text = first_difference(&texts, &photograph.texts);
        let far = distance(&pixels, &photograph);
        let problem = match text {
            Some(text) => text,
            None if far > MEAN_LEVELS => format!("{far:.2} levels away"),
            None => continue,
        };
        problems.push(format!("assets/{}: {problem}", scenario.name));
        if is_update {
            write(&path, scenario, &photograph);
        }
    }
    assert!(
        problems.is_empty(),
        "not what windows show; UPDATE_REFERENCES=1 writes it anew:\n{}",
        problems.join("\n")
    );
}
