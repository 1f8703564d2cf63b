//! Every sample of output in README.md and the guides, made by the command above it: run as it stands there, its output
//! holds the lines shown, to the digit. So are the pictures, by a tolerance. `UPDATE_REFERENCES=1` writes what commands print and draw now,
//! and still fails.
//!
//! A sample is a block of the language `console`: commands after `$ `, and below each what it prints. A line of nothing but
//! `...` stands for any number of lines, `...` at a line's end for the rest of it. Only words of [`HOST`] depend on the
//! computer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::readme::in_a_shell;
use super::texts::{Text, root, texts};
use crate::command_line::{stderr, stdout, workshop};

/// Placeholder for any number of lines.
const GAP: &str = "...";

/// Words of a line that depend on the computer: threads and lanes of the renderer.
const HOST: [(&str, &str); 1] = [(" Raster Units on ", "host")];

/// Pictures in README.md and named by guides that a command of their own draws: the file in `assets`, the command, and what the command calls
/// it.
const PICTURES: [(&str, &str, &str); 9] = [
    ("courtyard.png", COURTYARD, "courtyard.png"),
    (
        "courtyard.quads_shaded.png",
        COURTYARD,
        "courtyard.quads_shaded.png",
    ),
    (
        "courtyard.steps.png",
        "azulejo inspect --size 960x540 --tile 6,5 -o steps.png",
        "steps.png",
    ),
    ("libra.temperature.png", LIBRA, "libra.temperature.png"),
    ("libra.order.png", LIBRA, "libra.order.png"),
    ("libra.raster_unit.png", LIBRA, "libra.raster_unit.png"),
    ("khepri.mpki.png", KHEPRI, "khepri.mpki.png"),
    ("khepri.order.png", KHEPRI, "khepri.order.png"),
    ("khepri.core_type.png", KHEPRI, "khepri.core_type.png"),
];
const COURTYARD: &str =
    "azulejo render --size 1120x630 --heatmap quads_shaded -o courtyard.png --stats=none";
const LIBRA: &str = "azulejo render circuit --frame 300 --size 480x270 --tile-size 16 --machine valhall-libra --technique libra --heatmap temperature --heatmap order --heatmap raster-unit -o libra.png";
const KHEPRI: &str = "azulejo render circuit --frame 300 --size 480x270 --tile-size 16 --machine valhall-khepri --technique khepri --heatmap mpki --heatmap order --heatmap core-type -o khepri.png";

/// How far a picture may be: levels of 255 on average. Pictures of one program are equal bytes; this is for what an encoder
/// may change.
const MEAN_LEVELS: f64 = 0.25;

fn is_update() -> bool {
    std::env::var_os("UPDATE_REFERENCES").is_some_and(|value| value == "1")
}

fn is_gap(line: &str) -> bool {
    line.trim() == GAP
}

/// The line with what depends on the computer taken out.
fn without_host(line: &str) -> String {
    let mut line = line.to_owned();
    for (around, instead) in HOST {
        if let Some(at) = line.find(around) {
            let before = line[..at].rfind(' ').map_or(0, |blank| blank + 1);
            let after = at + around.len();
            let end = line[after..]
                .find(' ')
                .map_or(line.len(), |blank| after + blank);
            line.replace_range(before..end, instead);
        }
    }
    line
}

/// Whether the line that is shown stands for the one that was printed.
fn stands_for(shown: &str, printed: &str) -> bool {
    let [shown, printed] = [shown, printed].map(without_host);
    match shown.strip_suffix(GAP) {
        Some(start) => {
            printed.starts_with(start.trim_end()) && printed.trim_end() != start.trim_end()
        }
        None => printed.trim_end() == shown.trim_end(),
    }
}

/// The first line that is shown and not printed, where one is not. Lines between two gaps are neighbours.
fn missing<'s>(shown: &'s [String], printed: &[&str]) -> Option<&'s str> {
    let mut rest = printed;
    for (nth, part) in shown.split(|line| is_gap(line)).enumerate() {
        let is_there = |at: &usize| {
            rest.len() >= at + part.len()
                && part
                    .iter()
                    .zip(&rest[*at..])
                    .all(|(shown, printed)| stands_for(shown, printed))
        };
        let last = if nth == 0 { 0 } else { rest.len() };
        let Some(at) = (0..=last).find(is_there) else {
            // The line that is to blame, as far as one is.
            let is_nowhere =
                |line: &&String| !printed.iter().any(|printed| stands_for(line, printed));
            return part
                .iter()
                .find(is_nowhere)
                .or(part.first())
                .map(String::as_str);
        };
        rest = &rest[at + part.len()..];
    }
    let is_whole =
        shown.is_empty() || shown.last().is_some_and(|line| is_gap(line)) || rest.is_empty();
    (!is_whole).then_some("a gap at the end: more is printed")
}

/// Words of a line without its numbers.
fn shape(line: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in line.trim_end().trim_end_matches(GAP).split_whitespace() {
        let word: String = word
            .chars()
            .filter(|c| !"0123456789.,+-".contains(*c))
            .collect();
        if !word.is_empty() {
            words.push(word);
        }
    }
    words.join(" ")
}

/// The lines that are shown, as they are printed now: those behind a gap are found by what they say beside numbers, all
/// others are neighbours.
fn renewed(shown: &[String], printed: &[&str]) -> Vec<String> {
    let (mut at, mut behind_gap) = (0, false);
    let mut renewed = Vec::new();
    for line in shown {
        if is_gap(line) {
            behind_gap = true;
            renewed.push(line.clone());
            continue;
        }
        if behind_gap {
            let wanted = shape(line);
            let is_same = |printed: &&str| match line.ends_with(GAP) {
                true => shape(printed).starts_with(&wanted),
                false => shape(printed) == wanted,
            };
            let found = printed[at.min(printed.len())..].iter().position(is_same);
            at += found.unwrap_or_else(|| {
                panic!(
                    "nothing is printed like {line:?}; write it anew from\n{}",
                    printed.join("\n")
                )
            });
            behind_gap = false;
        }
        let now = printed
            .get(at)
            .unwrap_or_else(|| panic!("nothing more is printed for {line:?}"));
        at += 1;
        renewed.push(match line.strip_suffix(GAP) {
            Some(_) if now.chars().count() > line.chars().count() => {
                let start: String = now.chars().take(line.chars().count() - GAP.len()).collect();
                format!("{} {GAP}", start.trim_end())
            }
            _ => now.trim_end().to_owned(),
        });
    }
    renewed
}

#[test]
fn readme_samples_are_what_their_commands_print() {
    let directory = workshop("readme_samples");
    let mut printed = BTreeMap::new();
    let mut problems = Vec::new();
    let mut samples = 0;
    for text in texts() {
        samples += text.samples().len();
        problems.extend(problems_of(&text, &directory, &mut printed));
    }
    assert!(samples >= 5, "there are samples");
    assert!(
        problems.is_empty(),
        "not what commands print; UPDATE_REFERENCES=1 writes it anew:\n{}",
        problems.join("\n")
    );
}

/// Samples of a text that are not what their commands print, which is written anew where that is asked for. A command that
/// an earlier text shows is not run again.
fn problems_of(
    text: &Text,
    directory: &Path,
    printed: &mut BTreeMap<String, String>,
) -> Vec<String> {
    let mut problems = Vec::new();
    let mut blocks = Vec::new();
    for sample in text.samples() {
        let mut block = Vec::new();
        for step in &sample.steps {
            let printed = printed
                .entry(step.command.clone())
                .or_insert_with(|| output_of(directory, &step.command));
            let printed: Vec<&str> = printed.lines().collect();
            block.push(format!("$ {}", step.command));
            let Some(missing) = missing(&step.shown, &printed) else {
                block.extend(step.shown.iter().cloned());
                continue;
            };
            let place = format!("{}:{}", text.name, sample.lines.start + 1);
            problems.push(format!("{place}: {}: {missing:?}", step.command));
            if is_update() {
                block.extend(renewed(&step.shown, &printed));
            }
        }
        blocks.push((sample.lines, block));
    }
    if is_update() && !problems.is_empty() {
        let mut lines: Vec<String> = text.text.lines().map(str::to_owned).collect();
        // From the end, so that lines before keep their numbers.
        for (range, block) in blocks.into_iter().rev() {
            lines.splice(range, block);
        }
        let path = root().join(&text.name);
        fs::write(&path, lines.join("\n") + "\n").expect("a text can be written");
    }
    problems
}

/// Standard output of a command that ends well.
fn output_of(directory: &Path, command: &str) -> String {
    let output = in_a_shell(directory, command);
    let (printed, errors) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{command}\n{errors}");
    printed
}

/// Levels of 255 by which two pictures differ, on average over all pixels and colours; infinite for two sizes.
fn distance(ours: &Path, theirs: &Path) -> f64 {
    let read = |path: &Path| image::open(path).map(image::DynamicImage::into_rgba8);
    let (Ok(ours), Ok(theirs)) = (read(ours), read(theirs)) else {
        return f64::INFINITY;
    };
    if ours.dimensions() != theirs.dimensions() {
        return f64::INFINITY;
    }
    let pairs = ours.as_raw().iter().zip(theirs.as_raw());
    let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / ours.as_raw().len() as f64
}

#[test]
fn readme_pictures_are_what_their_commands_draw() {
    let directory = workshop("readme_pictures");
    let mut drawn: Vec<&str> = Vec::new();
    let mut problems = Vec::new();
    for (name, command, file) in PICTURES {
        if !drawn.contains(&command) {
            let output = in_a_shell(&directory, command);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{command}\n{}",
                stderr(&output)
            );
            drawn.push(command);
        }
        let (shown, now) = (root().join("assets").join(name), directory.join(file));
        let far = distance(&shown, &now);
        if far > MEAN_LEVELS {
            problems.push(format!("assets/{name}: {far:.2} levels from {command}"));
            if is_update() {
                fs::copy(&now, &shown).expect("assets can be written");
            }
        }
    }
    assert!(
        problems.is_empty(),
        "not what commands draw; UPDATE_REFERENCES=1 writes it anew:\n{}",
        problems.join("\n")
    );
}

#[test]
fn readme_pictures_have_a_command_or_a_test_each() {
    // Pictures of windows, taken by hand, and one by `.ci/run`, from an example.
    let elsewhere = |name: &str| name.starts_with("window.") || name == "demos.jpg";
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let mut names = BTreeSet::new();
    for text in texts() {
        for part in text.text.split("assets/").skip(1) {
            let end = part.find(|c| !is_part(c)).unwrap_or(part.len());
            let name = &part[..end];
            if !name.ends_with(".png") && !name.ends_with(".jpg") {
                continue;
            }
            let is_known = PICTURES.iter().any(|(known, ..)| *known == name);
            let place = format!("{}: assets/{name}", text.name);
            assert!(is_known || elsewhere(name), "{place}: made by what?");
            assert!(root().join("assets").join(name).is_file(), "{place} exists");
            names.insert(name.to_owned());
        }
    }
    for (name, ..) in PICTURES {
        assert!(names.contains(name), "assets/{name} is shown or named");
    }
}

#[test]
fn sample_shows_neighbours_and_gaps() {
    let printed = ["head 1", "a 2", "b 3", "c 4", "a 5", "foot of a table"];
    let check = |shown: &[&str]| {
        let shown: Vec<String> = shown.iter().map(|line| (*line).to_owned()).collect();
        missing(&shown, &printed).map(str::to_owned)
    };
    assert_eq!(check(&printed), None, "all");
    assert_eq!(check(&["head 1", "..."]), None, "the beginning");
    assert_eq!(
        check(&["head 1", "  ...", "c 4", "a 5", "..."]),
        None,
        "some"
    );
    assert_eq!(
        check(&["...", "foot of ..."]),
        None,
        "the beginning of a line"
    );
    assert_eq!(check(&[]), None, "a command alone");
    assert!(check(&["head 1", "b 3", "..."]).is_some(), "no neighbours");
    assert!(check(&["a 2", "..."]).is_some(), "not the first line");
    assert!(check(&["head 1"]).is_some(), "more is printed");
    assert_eq!(
        check(&["head 1", "...", "b 4", "..."]),
        Some("b 4".to_owned()),
        "a digit"
    );
    let host = "scene: 4 tiles, 2 Raster Units on avx2";
    assert!(
        stands_for("scene: 4 tiles, 16 Raster Units on avx512", host),
        "lanes"
    );
    assert!(
        !stands_for("scene: 5 tiles, 2 Raster Units on avx2", host),
        "tiles"
    );
}

#[test]
fn sample_is_renewed_where_its_lines_are() {
    let shown = ["head 1", "...", "b 9,3 %", "...", "a 7 of ..."].map(str::to_owned);
    let printed = [
        "head 2",
        "a 2 of what",
        "b 13.5 %",
        "c 4",
        "a 5 of tables and chairs",
    ];
    let renewed = renewed(&shown, &printed);
    assert_eq!(
        renewed,
        ["head 2", "...", "b 13.5 %", "...", "a 5 of ..."],
        "digits change, gaps stay"
    );
}
