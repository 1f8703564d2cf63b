//! Runs of many frames take no more memory than runs of few, unless an output asks for every frame.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::process::Command;

use super::workshop::Workshop;

/// More memory than a run may take that is thirty times as long, in KiB: a line for each frame, and what the allocator
/// keeps.
const GROWTH: u64 = 8 << 10;

#[test]
fn long_simulation_takes_no_more_memory_than_a_short_one() {
    let workshop = Workshop::new("long-simulation");
    for output in ["", "--json"] {
        let peak = |frames: u32| {
            let words = format!("simulate lantern -m own.toml --frames {frames} {output}");
            let ended = workshop.run_in_small_pages(&words);
            assert_eq!(ended.code, 0, "{}", ended.stderr);
            ended.peak
        };
        let (short, long) = (peak(20), peak(600));
        assert!(
            long < short + GROWTH,
            "{output}: {short} KiB for 20 frames, {long} for 600"
        );
    }
}

#[test]
fn simulation_says_the_same_whatever_is_kept_of_its_frames() {
    let workshop = Workshop::new("kept-frames");
    let simulate = "simulate lantern -m own.toml -m valhall-libra --size 96x64 --frames 4";
    let printed = |options: &str| {
        let ended = workshop.run(&format!("{simulate} {options}"));
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let text = String::from_utf8_lossy(&ended.stdout).into_owned();
        let lines = text.lines().filter(|line| !line.starts_with("wrote "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let plain = printed("");
    for options in [
        "--csv tables",
        "--perfetto time.json",
        "--stats-txt stats.txt",
        "--heatmap warps=h.png",
        "--csv all --perfetto all.json --stats-txt all.txt --heatmap warps=all.png",
    ] {
        assert_eq!(printed(options), plain, "{options}");
    }
    let read = |name: &str| std::fs::read(workshop.file(name)).expect("written");
    for name in ["frames.csv", "tiles.csv", "draws.csv", "intervals.csv"] {
        let one = read(&format!("tables/{name}"));
        assert!(
            one == read(&format!("all/{name}")),
            "{name}: whatever else is kept"
        );
        assert!(
            one.iter().filter(|byte| **byte == b'\n').count() > 8,
            "rows"
        );
    }
    for (one, other) in [("time.json", "all.json"), ("stats.txt", "all.txt")] {
        // They differ in the command line that they name.
        let rows = |name: &str| -> Vec<String> {
            let text = String::from_utf8_lossy(&read(name)).into_owned();
            let lines = text.lines().filter(|line| !line.contains("azulejo"));
            lines.map(str::to_owned).collect()
        };
        assert!(rows(one) == rows(other), "{one}");
    }
}

/// Output of the program to a terminal, which `script` of util-linux lends it.
fn on_terminal(workshop: &Workshop, words: &str) -> String {
    let line = format!("{} {words}", env!("CARGO_BIN_EXE_azulejo"));
    let ended = Command::new("script")
        .args(["--quiet", "--return", "--flush", "--command", &line])
        .arg("/dev/null")
        .current_dir(&workshop.folder)
        .env("TERM", "xterm")
        .output()
        .expect("script of util-linux");
    assert!(ended.status.success(), "{words}: {ended:?}");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

/// Positions that a bar showed, such as 12 of `12/3600 tiles`.
fn positions(shown: &str, of: &str) -> BTreeSet<u64> {
    let parts = shown.split(of);
    let numbers = parts.filter_map(|part| {
        let digits = part.rsplit(|letter: char| !letter.is_ascii_digit()).next();
        digits?.parse().ok()
    });
    numbers.collect()
}

#[test]
fn progress_of_one_long_frame_counts_its_tiles() {
    let workshop = Workshop::new("progress");
    for (words, all) in [
        // Tiles of 32 pixels: 120 in a row, 68 rows.
        (
            "render kingdom --size 3840x2160 --threads 1 --stats=none -o out.png",
            "/8160 tiles",
        ),
        // Tiles of 16 pixels: 80 in a row, 45 rows.
        (
            "simulate lantern -m mali450-re --size 1280x720",
            "/3600 tiles",
        ),
    ] {
        let shown = on_terminal(&workshop, words);
        let seen = positions(&shown, all);
        assert!(seen.len() >= 2, "{words}: {seen:?} in {shown}");
        assert!(shown.contains("ETA"), "{words}: {shown}");
        let piped = workshop.run(words);
        assert_eq!(piped.code, 0, "{words}: {}", piped.stderr);
        assert_eq!(piped.stderr, "", "{words}: quiet in a pipe");
    }
}
