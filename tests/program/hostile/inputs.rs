//! Inputs that are none: endless, empty, pipes, folders, names that are no text; and numbers beyond all sense.

#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::process::Command;

use super::workshop::{Ended, Workshop};

/// Every place where a file is read; `@` is its name.
const INPUTS: [&str; 12] = [
    "render @ --size 64x48 -o out.png",
    "render model.gltf --size 64x48 -o out.png --env @",
    "inspect @ --size 64x48",
    "compare @ --size 64x48",
    "capture @ --size 64x48 -o out.azt",
    "simulate @ -m own.toml",
    "simulate @.azt -m own.toml",
    "simulate model.gltf -m @",
    "characterize lantern -m @",
    "study re -m @",
    "dram @",
    "cache @",
];

/// The command ends in a short reason, in time and memory, and changes nothing.
fn is_refused(workshop: &Workshop, words: &str) {
    let before = workshop.content();
    let ended = workshop.run(words);
    assert!(matches!(ended.code, 1 | 2), "{words}: {ended:?}");
    assert!(!ended.stderr.is_empty(), "{words}: says why");
    let stderr = &ended.stderr;
    assert!(stderr.len() < 2000, "{words}: short\n{stderr}");
    assert!(workshop.content() == before, "{words}: changes nothing");
}

fn is_refused_everywhere(workshop: &Workshop, input: &str) {
    // A trace of no words is a trace: nothing is asked of the cache or DRAM.
    let is_empty_trace =
        |command: &&str| input == "empty" && matches!(*command, "cache @" | "dram @");
    let (accepted, refused): (Vec<&str>, Vec<&str>) =
        INPUTS.iter().copied().partition(is_empty_trace);
    for command in refused {
        is_refused(workshop, &command.replace('@', input));
    }
    for command in accepted {
        let before = workshop.content();
        let ended = workshop.run(&command.replace('@', input));
        assert_eq!(ended.code, 0, "{command}: {ended:?}");
        assert!(workshop.content() == before, "{command}: changes nothing");
    }
}

#[test]
fn empty_file_is_refused_everywhere() {
    let workshop = Workshop::new("empty");
    workshop.put("empty", b"");
    workshop.put("empty.azt", b"");
    is_refused_everywhere(&workshop, "empty");
}

#[test]
fn folder_is_refused_everywhere() {
    let workshop = Workshop::new("folder");
    fs::create_dir(workshop.file("sub.azt")).expect("writable");
    is_refused_everywhere(&workshop, "sub");
}

#[test]
fn endless_device_is_refused_for_scenes_machines_and_traces() {
    let workshop = Workshop::new("endless");
    symlink("/dev/zero", workshop.file("zero.azt")).expect("links");
    for command in [
        "render @",
        "inspect @",
        "capture @ -o out.azt",
        "simulate @",
        "simulate zero.azt",
    ] {
        workshop.refuses(&command.replace('@', "/dev/zero"), 1, &["regular file"]);
    }
    let ended = workshop.run("simulate model.gltf -m /dev/zero");
    assert!(matches!(ended.code, 1 | 2), "{}", ended.stderr);
}

/// Places where a file is read beside scenes and traces of frames; `@` is its name, and `@.toml` a machine or DRAM that
/// includes it.
const BESIDE: [&str; 9] = [
    "render model.gltf --size 64x48 --env @ -o out.png",
    "inspect model.gltf --size 64x48 --env @",
    "simulate model.gltf -m own.toml --env @",
    "dram @",
    "cache @",
    "dram some.trace --config @",
    "dram some.trace --config dram.toml",
    "simulate model.gltf -m machine.toml",
    "list --machine machine.toml",
];

fn is_refused_beside(workshop: &Workshop, input: &str) {
    workshop.put("some.trace", b"0x0 READ 0\n");
    let toml = |key: &str| format!("{key} = \"{input}\"\n");
    workshop.put("machine.toml", toml("include").as_bytes());
    workshop.put("dram.toml", toml("base").as_bytes());
    for command in BESIDE {
        is_refused(workshop, &command.replace('@', input));
    }
}

#[test]
fn endless_device_is_refused_for_light_drams_and_includes() {
    let workshop = Workshop::new("endless-beside");
    is_refused_beside(&workshop, "/dev/zero");
}

#[test]
fn pipe_without_writer_is_refused_for_light_drams_and_includes() {
    let workshop = Workshop::new("fifo-beside");
    let made = Command::new("mkfifo").arg(workshop.file("pipe")).status();
    assert!(made.expect("mkfifo").success(), "a pipe");
    is_refused_beside(&workshop, "pipe");
}

#[test]
fn pipe_without_writer_is_refused() {
    let workshop = Workshop::new("fifo");
    for name in ["pipe", "pipe.azt"] {
        let made = Command::new("mkfifo").arg(workshop.file(name)).status();
        assert!(made.expect("mkfifo").success(), "a pipe");
    }
    for command in [
        "render @",
        "inspect @",
        "capture @ -o out.azt",
        "simulate @",
        "simulate @.azt",
    ] {
        workshop.refuses(&command.replace('@', "pipe"), 1, &["regular file"]);
    }
    let ended = workshop.run("simulate model.gltf -m pipe");
    assert!(matches!(ended.code, 1 | 2), "{}", ended.stderr);
}

#[test]
fn standard_input_is_a_scene_or_a_trace() {
    let workshop = Workshop::new("stdin");
    let trace = fs::File::open(workshop.file("trace.azt")).expect("there");
    let ended = workshop.run_reading("simulate - -m own.toml --json", trace);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert_eq!(report["scene"], "stdin", "its name");
    let frames = report["machines"][0]["frames"].as_array().map(Vec::len);
    assert_eq!(frames, Some(2), "both frames");
    let model = fs::File::open(workshop.file("model.gltf")).expect("there");
    let ended = workshop.run_reading("render - -o out.png", model);
    assert_eq!(ended.code, 1, "its buffer is not there: {}", ended.stderr);
    assert!(ended.stderr.contains("standard input"), "{}", ended.stderr);
    for words in ["render - -o out.png", "simulate -"] {
        let zero = fs::File::open("/dev/zero").expect("a device");
        let ended = workshop.run_reading(words, zero);
        assert_eq!(ended.code, 1, "{words}: {}", ended.stderr);
        assert!(
            ended.stderr.contains("neither"),
            "{words}: {}",
            ended.stderr
        );
    }
}

/// A name that is no UTF-8, with an ending.
fn no_text(ending: &str) -> OsString {
    let mut name = OsString::from(OsStr::from_bytes(b"caf\xe9"));
    name.push(ending);
    name
}

/// The words of a command, where `@` and an ending stand for [`no_text`].
fn words_without_text(command: &str) -> Vec<OsString> {
    let words = command.split(' ');
    words
        .map(|word| match word.strip_prefix('@') {
            Some(ending) => no_text(ending),
            None => word.into(),
        })
        .collect()
}

/// Runs such a command.
fn run_without_text(workshop: &Workshop, command: &str) -> Ended {
    let words = words_without_text(command);
    let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
    workshop.run_words(&words)
}

#[test]
fn names_that_are_no_text_are_names() {
    let workshop = Workshop::new("names");
    for (known, ending) in [
        ("model.gltf", ".gltf"),
        ("sky.hdr", ".hdr"),
        ("base.toml", ".toml"),
        ("trace.azt", ".azt"),
    ] {
        fs::copy(workshop.file(known), workshop.file(no_text(ending))).expect("writable");
    }
    for command in [
        "render @.gltf --size 64x48 --env @.hdr -o @.png",
        "capture @.gltf --size 64x48 -o caught.azt",
        "simulate @.azt -m own.toml --csv @.csv",
        "inspect @.gltf --size 64x48 -o @.png",
        "render @.gltf --size 64x48 --env none",
    ] {
        let ended = run_without_text(&workshop, command);
        assert_eq!(ended.code, 0, "{command}: {}", ended.stderr);
    }
    let ended = run_without_text(&workshop, "simulate @.gltf -m @.toml");
    assert!(
        matches!(ended.code, 0 | 2),
        "drawn or refused: {}",
        ended.stderr
    );
}

#[test]
fn names_that_are_no_text_and_no_files_are_refused() {
    let workshop = Workshop::new("no-names");
    let missing = OsStr::from_bytes(b"\xff\xfe.glb");
    for command in ["render", "simulate", "inspect", "capture"] {
        let ended = workshop.run_words(&[OsStr::new(command), missing]);
        assert_eq!(ended.code, 1, "{command}: {}", ended.stderr);
    }
}

/// Commands with every option that takes a number; `@` is the number.
const NUMBERS: [&str; 29] = [
    "render model.gltf --size @ -o out.png",
    "render model.gltf --size @x@ -o out.png",
    "render model.gltf --threads @ --size 64x48 --env none -o out.png",
    "render model.gltf --tile-size @ -o out.png",
    "render model.gltf --time @ --size 64x48 --env none -o out.png",
    "render model.gltf --frame @ --size 64x48 --env none -o out.png",
    "render lantern --seed @ --size 64x48 -o out.png",
    "render lantern --frame @ --size 64x48 -o out.png",
    "render model.gltf --fps @ --frames 2 --size 64x48 --env none -o out.png",
    "render model.gltf --exposure @ --size 64x48 --env none -o out.png",
    "render model.gltf --orbit @,@,@ --size 64x48 --env none -o out.png",
    "render model.gltf --orbit 0,90,3 --target @,@,@ --size 64x48 --env none -o out.png",
    "render model.gltf --orbit 0,90,3 --fov @ --size 64x48 --env none -o out.png",
    "render model.gltf --frames 2 --technique re --frame-buffers @ --size 64x48 --env none -o out.png",
    "render model.gltf --frames 2 --technique re --refresh @ --size 64x48 --env none -o out.png",
    "inspect model.gltf --size 64x48 --env none --tile @,@",
    "inspect model.gltf --size 64x48 --env none --pixel @,@",
    "inspect model.gltf --size 64x48 --env none --draw @",
    "inspect model.gltf --size 64x48 --env none --texture @",
    "inspect model.gltf --size 64x48 --env none --tile 0,0 --steps @ -o out.png",
    "capture model.gltf --size 64x48 --env none --frame @ -o out.azt",
    "simulate model.gltf -m own.toml --env none --threads @",
    "simulate model.gltf -m own.toml --env none --frame @",
    "simulate model.gltf -m own.toml --env none --set clock_mhz=@",
    "simulate trace.azt -m own.toml --frames @",
    "characterize lantern -m own.toml --frames 1 --modelled @",
    "characterize lantern -m own.toml --frames 1 --sample every:@",
    "cache trace.azt --size @ --ways 1",
    "cache trace.azt --ways @",
];

/// Words that people and scripts put in place of a number.
const ABSURD: [&str; 12] = [
    "0",
    "-1",
    "1",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999999",
    "1e38",
    "1e400",
    "NaN",
    "-inf",
    "0x10",
];

#[test]
fn absurd_numbers_end_in_a_result_or_a_reason() {
    let workshop = Workshop::new("numbers");
    let before = workshop.content();
    for command in NUMBERS {
        for number in ABSURD {
            let words = command.replace('@', number);
            let ended = workshop.run(&words);
            assert!(matches!(ended.code, 0..=2), "{words}: {ended:?}");
            assert!(
                ended.code == 0 || !ended.stderr.is_empty(),
                "{words}: says why"
            );
            for output in ["out.png", "out.azt"] {
                // The next command finds the folder as it was.
                let _ = fs::remove_file(workshop.file(output));
            }
            workshop.keeps(&before, "", &words);
            for extra in workshop.files() {
                if !before.contains_key(&extra) {
                    fs::remove_file(extra).expect("there");
                }
            }
        }
    }
}

#[test]
fn absurd_sizes_are_refused_before_memory_is_taken() {
    let workshop = Workshop::new("sizes");
    for words in ["render --size 16384x16384", "inspect --size 16000x8000"] {
        workshop.refuses(words, 2, &["8192x8192"]);
    }
}

#[test]
fn many_threads_are_fewer() {
    let workshop = Workshop::new("threads");
    let words = "render model.gltf --threads 1000 --size 64x48 --env none -o out.png";
    let ended = workshop.run(words);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if 4 * cores < 1000 {
        assert!(ended.stderr.contains("--threads 1000"), "{}", ended.stderr);
    }
}

#[test]
fn options_that_a_trace_cannot_honour_are_refused() {
    let workshop = Workshop::new("trace-options");
    for option in [
        "--frame 1",
        "--time 2",
        "--orbit 1,2,3",
        "--camera front",
        "--scene 0",
        "--animation none",
        "--seed 5",
        "--env none",
        "--exposure 2",
        "--tonemap aces",
        "--background 102030",
        "--fps 30",
        "--size 32x32",
    ] {
        let words = format!("simulate trace.azt -m own.toml {option}");
        let name = option.split(' ').next().unwrap_or_default();
        workshop.refuses(&words, 2, &[name, "a trace holds frames"]);
    }
}

#[test]
fn cut_trace_gives_its_whole_frames_and_says_so() {
    let workshop = Workshop::new("cut");
    let bytes = fs::read(workshop.file("trace.azt")).expect("there");
    workshop.put("cut.azt", &bytes[..bytes.len() - 40]);
    let ended = workshop.run("simulate cut.azt -m own.toml --json --stats-txt stats.txt");
    assert_eq!(ended.code, 1, "it was cut: {}", ended.stderr);
    assert!(ended.stderr.contains("cut.azt"), "{}", ended.stderr);
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    let frames = report["machines"][0]["frames"]
        .as_array()
        .map_or(0, Vec::len);
    assert!(frames >= 1, "the first frame is whole");
    assert!(report["partial"].is_string(), "says so");
    assert!(
        workshop.file("stats.partial.txt").is_file(),
        "files say so too"
    );
    assert!(
        !workshop.file("stats.txt").exists(),
        "nothing takes the name of the whole"
    );
}

#[test]
fn mistyped_names_are_suggested() {
    let workshop = Workshop::new("likeness");
    for (words, meant) in [
        ("render mach3", "(did you mean match3?)"),
        ("characterize coridor", "(did you mean corridor?)"),
        ("study re.fig13", "re.fig13"),
        ("simulate model.gltf --technique tee", "(did you mean te?)"),
        (
            "render model.gltf --heatmap overdrw",
            "(did you mean overdraw?)",
        ),
        ("render model.gltf --view dpeth", "(did you mean depth?)"),
        ("list --machine mali450", "(did you mean mali450-re?)"),
        (
            "list --technology cacti-22nm",
            "(did you mean cacti-22nm-lop?)",
        ),
        ("rendr model.gltf", "render"),
    ] {
        workshop.refuses(words, 2, &[meant]);
    }
    workshop.refuses("man rendr", 2, &["(did you mean render?)"]);
    workshop.refuses("render --stats json", 1, &["--stats=json"]);
    let ended = workshop.run("lantern --size 64x48 -o out.png");
    assert_eq!(ended.code, 0, "a demo is a scene: {}", ended.stderr);
    for (words, part) in [
        ("help render", "--heatmap"),
        ("completions bash", "complete"),
        ("man", "azulejo"),
        ("man render", "heatmap"),
        ("list --machine mali450-re", "clock_mhz"),
        ("list --technology cacti-32nm-lop", "array_voltage_V"),
    ] {
        let ended = workshop.run(words);
        let text = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(ended.code == 0 && text.contains(part), "{words}: {text}");
    }
}

#[test]
fn frames_are_numbered_as_the_demo_counts_them() {
    let workshop = Workshop::new("frame-numbers");
    let words = "render lantern --frame 300 --frames 2 --size 64x48 -o f.png --json";
    let ended = workshop.run(words);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    for (nth, frame) in [300, 301].into_iter().enumerate() {
        assert!(
            workshop.file(format!("f.0{frame}.png")).is_file(),
            "frame {frame}"
        );
        assert_eq!(report["frames"][nth]["frame"], frame, "in JSON");
    }
    let words = "simulate lantern -m own.toml --frame 300 --frames 2 --json --heatmap fragment-cycles=h.png";
    let ended = workshop.run(words);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    let frames = &report["machines"][0]["frames"];
    assert_eq!(frames[1]["frame"], 301, "in JSON");
    assert!(workshop.file("h.0301.png").is_file(), "in names");
}
