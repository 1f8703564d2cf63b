//! Runs of many frames take no more memory than runs of few, unless an output asks for every frame.

#![cfg(unix)]

use crate::workshop::Workshop;

/// More memory than a run may take that is thirty times as long, in KiB: a line for each frame, and what the allocator keeps.
const GROWTH: u64 = 8 << 10;

#[test]
fn long_simulation_takes_no_more_memory_than_a_short_one() {
    let workshop = Workshop::new("long-simulation");
    for output in ["", "--json"] {
        let peak = |frames: u32| {
            let words = format!("simulate lantern -m own.toml --frames {frames} {output}");
            let ended = workshop.run(&words);
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
