//! Ctrl-C and termination, at ten moments of every kind of work.

#![cfg(unix)]

use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::workshop::{Ended, Workshop, ended};

/// Milliseconds after the start.
const MOMENTS: [u64; 10] = [0, 5, 20, 50, 100, 200, 400, 700, 1000, 1500];

/// Runs the command and sends it `signal` after `moment` milliseconds.
fn interrupted(workshop: &Workshop, words: &str, signal: &str, moment: u64) -> Ended {
    let child = workshop.start(words);
    thread::sleep(Duration::from_millis(moment));
    let sent = Command::new("kill").args([signal, &child.id().to_string()]);
    // It may have ended by itself.
    let _ = { sent }.output();
    ended(child, words)
}

/// Ended by itself, before there was anything to finish, or in order.
fn is_end(code: i32, signal: &str) -> bool {
    let number = if signal == "-INT" { 2 } else { 15 };
    code == 0 || code == 128 + number
}

#[test]
fn interrupted_picture_leaves_the_old_one() {
    let workshop = Workshop::new("interrupt-render");
    workshop.put("old.png", b"azulejo made this");
    let words = "render lantern --size 1600x900 -o old.png";
    for (nth, moment) in MOMENTS.into_iter().enumerate() {
        workshop.put("old.png", b"azulejo made this");
        let before = workshop.content();
        let signal = ["-INT", "-TERM"][nth % 2];
        let end = interrupted(&workshop, words, signal, moment);
        assert!(is_end(end.code, signal), "{moment} ms: {end:?}");
        workshop.keeps(&before, "old.png", words);
        let is_new = image::open(workshop.file("old.png")).is_ok();
        let is_old = workshop.content()[&workshop.file("old.png")] == b"azulejo made this";
        assert!(is_new || is_old, "{moment} ms: one or the other, whole");
        assert_eq!(is_new, end.code == 0, "{moment} ms: as the exit code says");
    }
}

#[test]
fn interrupted_sequence_leaves_whole_frames() {
    let workshop = Workshop::new("interrupt-sequence");
    let before = workshop.content();
    let words = "render lantern --size 320x180 --frames 100000 -o f.png";
    for (nth, moment) in MOMENTS.into_iter().enumerate() {
        let signal = ["-INT", "-TERM"][nth % 2];
        let end = interrupted(&workshop, words, signal, moment);
        assert!(is_end(end.code, signal) && end.code != 0, "{moment} ms: {end:?}");
        workshop.keeps(&before, "", words);
        for (file, bytes) in workshop.content() {
            if !before.contains_key(&file) {
                let whole = image::load_from_memory(&bytes).is_ok();
                assert!(whole, "{moment} ms: {} is whole", file.display());
            }
        }
    }
    let frames = workshop.content().len() - before.len();
    assert!(frames > 0, "after a second there are frames");
}

#[test]
fn interrupted_capture_keeps_its_frames_under_another_name() {
    let workshop = Workshop::new("interrupt-capture");
    workshop.put("old.azt", b"azulejo made this");
    let before = workshop.content();
    let words = "capture lantern --size 320x180 --frames 100000 -o old.azt";
    let mut kept = 0;
    for (nth, moment) in MOMENTS.into_iter().enumerate() {
        let signal = ["-INT", "-TERM"][nth % 2];
        let end = interrupted(&workshop, words, signal, moment);
        assert!(is_end(end.code, signal) && end.code != 0, "{moment} ms: {end:?}");
        workshop.keeps(&before, "", words);
        let said = end.stderr.contains("kept");
        assert_eq!(said, end.stderr.contains("interrupted"), "{moment} ms: {}", end.stderr);
        for file in workshop.content().into_keys() {
            if before.contains_key(&file) {
                continue;
            }
            kept += 1;
            let name = file.display();
            assert!(end.stderr.contains("old.partial.azt: kept"), "{name}: {}", end.stderr);
            let read = workshop.run(&format!("simulate {name} -m mali450-re --frames 1 --json"));
            assert_eq!(read.code, 0, "{moment} ms: it is a trace: {}", read.stderr);
            std::fs::remove_file(&file).expect("there");
        }
    }
    assert!(kept > 0, "after a second there are frames");
}

#[test]
fn interrupted_simulation_prints_what_it_has() {
    let workshop = Workshop::new("interrupt-simulate");
    workshop.put("old.txt", b"azulejo made this");
    let before = workshop.content();
    let words = "simulate lantern -m mali450-re --size 160x90 --frames 100000 --json --stats-txt old.txt";
    let end = interrupted(&workshop, words, "-INT", 1500);
    assert_eq!(end.code, 130, "{}", end.stderr);
    workshop.keeps(&before, "", words);
    let report: serde_json::Value = serde_json::from_slice(&end.stdout).expect("JSON");
    let partial = report["partial"].as_str().unwrap_or_default();
    assert!(partial.contains("interrupted"), "{partial}");
    let frames = report["machines"][0]["frames"].as_array().map_or(0, Vec::len);
    assert!(frames > 0, "after a second there are frames");
    assert!(workshop.file("old.partial.txt").is_file(), "files are not whole either");
}
