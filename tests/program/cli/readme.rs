//! Every command that README.md, a guide or the page for contributors shows, run as it stands there, on smaller pictures and
//! fewer frames: none names an option, a demo or a machine that is gone. Commands shown to contributors are those of
//! `.ci/run`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::texts::{Shown, Text, root, text_of, texts};
use crate::command_line::{azulejo, stderr, workshop};
use crate::common::skipped;
use azulejo::guide::TOPICS;

/// Most lines of README.md: the manual is the guides.
const README_LINES: usize = 200;

/// Reduces a command to a size at which a test can run it. The words that a reader would type stay: only numbers get
/// smaller.
fn smaller(command: &str) -> String {
    let mut words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let has = |words: &[String], word: &str| words.iter().any(|found| found == word);
    if let Some(at) = words.iter().position(|word| word == "--frames") {
        let frames: u32 = words[at + 1].parse().expect("a number after --frames");
        words[at + 1] = frames.min(4).to_string();
    }
    let verb = words[1].clone();
    let trace = words.iter().any(|word| word.ends_with(".azt")) && verb == "simulate";
    let drawn = ["render", "simulate", "capture", "compare", "check"].contains(&verb.as_str());
    if let Some(at) = words.iter().position(|word| word == "--size")
        && verb == "simulate"
    {
        words[at + 1] = "192x108".to_owned();
    } else if drawn && !trace && !has(&words, "--size") {
        words.extend(["--size", "192x108"].map(str::to_owned));
    }
    if verb == "study" || verb == "characterize" {
        let small = "--set screen.width=256 --set screen.height=160";
        words.extend(small.split(' ').map(str::to_owned));
        // Schedulers learn from frame to frame: none of theirs stands for others.
        let paper = words[2].split('.').next().unwrap_or_default();
        let learns = ["libra", "khepri", "boustro", "em1", "em2", "assumptions"].contains(&paper);
        for (option, value) in [("--frames", "4"), ("--modelled", "1")] {
            let is_refused = learns && option == "--modelled";
            if !has(&words, option) && !is_refused {
                words.extend([option, value].map(str::to_owned));
            }
        }
    }
    if verb == "study" && !has(&words, "--demos") && !has(&words, "--scene") {
        words.extend(["--demos", "match3"].map(str::to_owned));
    }
    words.join(" ")
}

/// Path of a model that a text names, if the file is there.
fn model(name: &str) -> Option<PathBuf> {
    let folder = root().join("../shared/gltf");
    let file = folder
        .join(name.strip_suffix(".glb")?)
        .join("glTF-Binary")
        .join(name);
    file.is_file().then_some(file)
}

/// Puts the files that a command reads beside it; the first that cannot be had.
fn provide(directory: &Path, command: &str, toml: impl Fn(&str) -> String) -> Result<(), String> {
    for word in command.split_whitespace().filter(|w| w.ends_with(".glb")) {
        let from = model(word).ok_or_else(|| word.to_owned())?;
        fs::copy(from, directory.join(word)).expect("a copy");
    }
    for word in command.split_whitespace().filter(|w| w.ends_with(".wgsl")) {
        fs::copy(root().join("shaders").join(word), directory.join(word)).expect("a copy");
    }
    if command.contains("studio.hdr") {
        fs::write(directory.join("studio.hdr"), grey_sky()).expect("writable");
    }
    if command.contains("trace.gz") {
        let trace = if command.contains(" dram ") {
            b"0x0 READ 0\n0x40 READ 0\n0x1000 WRITE 9\n".to_vec()
        } else {
            [0_u32, 0x40, 0x80, 0]
                .map(u32::to_le_bytes)
                .as_flattened()
                .to_vec()
        };
        let file = fs::File::create(directory.join("trace.gz")).expect("writable");
        let mut zipped = GzEncoder::new(file, Compression::default());
        zipped.write_all(&trace).expect("writable");
        zipped.finish().expect("writable");
    }
    for name in ["l2.toml", "load.toml", "phone.toml"] {
        if command.contains(name) {
            fs::write(directory.join(name), smaller_file(&toml(name))).expect("writable");
        }
    }
    let is_read = !command.contains(" capture ");
    if command.contains("helmet.azt") && is_read && !directory.join("helmet.azt").exists() {
        return Err("helmet.azt".to_owned());
    }
    Ok(())
}

/// File that a text shows: its own where it has one of the name, else another text's.
fn toml_of(text: &Text, all: &[Text], name: &str) -> String {
    let others = all.iter().find_map(|text| text.toml(name));
    let found = text.toml(name).or(others);
    found
        .expect("a block that begins with the file's name")
        .to_owned()
}

/// A file that a guide shows; if it is a sweep, whose last table is `[set]`, on a smaller screen and one frame a point.
fn smaller_file(file: &str) -> String {
    if !file.contains("[set]") {
        return file.to_owned();
    }
    let lines = file.lines().map(|line| match line.split(' ').next() {
        Some("frames") => "frames = 1",
        Some("\"screen.width\"" | "\"screen.height\"") => "",
        _ => line,
    });
    let lines: Vec<&str> = lines.collect();
    let lines = lines.join("\n");
    format!("{lines}\n\"screen.width\" = 192\n\"screen.height\" = 108\n")
}

/// A Radiance picture of 32x16 equal pixels.
fn grey_sky() -> Vec<u8> {
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16 +X 32\n".to_vec();
    bytes.extend([128, 128, 128, 129].repeat(32 * 16));
    bytes
}

#[test]
fn readme_commands_run() {
    let directory = workshop("readme");
    let all = texts();
    // A command that several texts show runs once.
    let mut seen = BTreeSet::new();
    let mut ran = 0;
    for text in &all {
        let toml = |name: &str| toml_of(text, &all, name);
        for Shown { place, command } in text.shown() {
            if !command.starts_with("azulejo ") && command != "azulejo" {
                continue;
            }
            if !seen.insert(command.clone()) {
                continue;
            }
            match provide(&directory, &command, toml) {
                Ok(()) => ran += usize::from(runs(&directory, &place, &command)),
                Err(file) => skipped(&format!("{place}: {command}: {file} is not there")),
            }
        }
    }
    assert!(ran >= 20, "{ran} commands ran");
}

/// Runs a command, which must succeed; false where this computer cannot.
fn runs(directory: &Path, place: &str, command: &str) -> bool {
    let words = command["azulejo".len()..].trim();
    let output = match words.split_whitespace().next() {
        Some("view") => {
            says_that_there_is_no_display(directory, command);
            return false;
        }
        _ if words.contains(['<', '>']) => in_a_shell(directory, &smaller(command)),
        _ => azulejo(directory, &smaller(command)["azulejo".len()..]),
    };
    let errors = stderr(&output);
    let no_driver = words.starts_with("compare") && errors.contains("driver");
    if no_driver && std::env::var_os("AZULEJO_REQUIRE_VULKAN").is_none() {
        skipped(&format!("{place}: {command}: no Vulkan driver"));
        return false;
    }
    assert_eq!(
        output.status.code(),
        Some(0),
        "{place}: {command}\n{errors}"
    );
    true
}

/// Runs a command line as a shell does, where no window opens.
pub(crate) fn in_a_shell(directory: &Path, command: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_azulejo"));
    let folder = program.parent().expect("a program lies in a folder");
    Command::new("sh")
        .args(["-c", &format!("PATH=\"$0:$PATH\"; {command}")])
        .arg(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .current_dir(directory)
        .output()
        .expect("a shell starts")
}

/// `view` finds nothing wrong with its words, and then no display. On a display, `window.rs` opens windows.
fn says_that_there_is_no_display(directory: &Path, command: &str) {
    if !cfg!(all(feature = "window", target_os = "linux")) {
        return;
    }
    let output = azulejo(directory, &command["azulejo ".len()..]);
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{command}\n{errors}");
    assert!(errors.contains("display"), "{command}\n{errors}");
}

#[test]
fn readme_contributors_run_what_ci_runs() {
    let ci: BTreeSet<&str> = include_str!("../../../.ci/run")
        .lines()
        .map(str::trim)
        .collect();
    let contributors = |shown: &Shown| {
        let first = shown.command.split_whitespace().next();
        ["cargo", "RUSTDOCFLAGS=\"-D"].contains(&first.unwrap_or_default())
            && !shown.command.starts_with("cargo run")
            && !shown.command.starts_with("cargo bench")
    };
    let shown = text_of(".github/CONTRIBUTING.md").shown();
    let lines: Vec<Shown> = shown.into_iter().filter(contributors).collect();
    assert!(lines.len() >= 4, "checks that contributors are shown");
    for Shown { place, command } in lines {
        assert!(
            ci.contains(command.as_str()),
            "{place}: `.ci/run` has no line `{command}`"
        );
    }
}

#[test]
fn readme_names_every_example() {
    let readme = text_of("README.md").text;
    let examples = root().join("examples");
    let ci = include_str!("../../../.ci/run");
    let mut known = 0;
    for entry in fs::read_dir(examples).expect("examples") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let name = name.expect("an example has a name");
        assert!(
            ci.contains(&format!("example {name} ")),
            "`.ci/run` runs {name}"
        );
        let sheets = name.ends_with("_sheet");
        assert!(
            sheets || readme.contains(&format!("--example {name}")),
            "README.md names {name}"
        );
        known += 1;
    }
    assert!(known > 0, "there are examples");
}

#[test]
fn readme_is_short_and_names_every_guide() {
    let readme = text_of("README.md").text;
    let lines = readme.lines().count();
    assert!(
        lines <= README_LINES,
        "README.md has {lines} lines; expected {README_LINES} at most; move details to src/guide"
    );
    let all = texts();
    for topic in TOPICS {
        let name = topic.name;
        assert!(
            readme.contains(&format!("[{name}](src/")),
            "{name} has a link"
        );
        let is_tested = all.iter().any(|text| text.text == topic.text);
        assert!(is_tested, "{name} is one of the texts whose commands run");
    }
}
