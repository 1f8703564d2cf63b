//! Ctrl-C and termination, at ten moments of every kind of work.

#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::workshop::{Ended, Workshop, ended};

/// Milliseconds after the start.
const MOMENTS: [u64; 10] = [0, 5, 20, 50, 100, 200, 400, 700, 1000, 1500];

/// Longest wait for a command to have done something.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the command and sends it `signal` after `moment` milliseconds.
fn interrupted(workshop: &Workshop, words: &str, signal: &str, moment: u64) -> Ended {
    let child = workshop.start(words);
    thread::sleep(Duration::from_millis(moment));
    send(&child, signal);
    ended(child, words)
}

/// Runs the command and interrupts it as soon as a file beyond `before` has so many bytes.
fn interrupted_at_work(workshop: &Workshop, words: &str, bytes: u64) -> Ended {
    let before = workshop.content();
    let is_new = |file: &PathBuf| !before.contains_key(file);
    let is_there = || {
        let mut files = workshop.files().into_iter().filter(is_new);
        files.any(|file| fs::metadata(file).is_ok_and(|file| file.len() >= bytes))
    };
    let child = workshop.start(words);
    let since = Instant::now();
    while !is_there() {
        assert!(since.elapsed() < PATIENCE, "{words}: nothing is written");
        thread::sleep(Duration::from_millis(5));
    }
    send(&child, "-INT");
    ended(child, words)
}

fn send(child: &Child, signal: &str) {
    // It may have ended by itself.
    let _ = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .output();
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
    // Drawn for longer than the last moment, so that each signal meets the work.
    let words = "render --size 6400x3600 -o old.png";
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
fn interrupted_picture_is_done_once_it_has_its_name() {
    let workshop = Workshop::new("interrupt-done");
    let old = b"azulejo made this";
    let words = "render lantern --size 640x360 -o old.png";
    for nth in 0..12 {
        workshop.put("old.png", old);
        let child = workshop.start(words);
        let since = Instant::now();
        // Without a pause: the signal is to fall between the name and the end.
        while fs::metadata(workshop.file("old.png"))
            .is_ok_and(|file| file.len() == old.len() as u64)
        {
            assert!(since.elapsed() < PATIENCE, "{words}: nothing is written");
        }
        send(&child, ["-INT", "-TERM"][nth % 2]);
        let end = ended(child, words);
        assert_eq!(end.code, 0, "run {nth}: {end:?}");
        assert!(
            image::open(workshop.file("old.png")).is_ok(),
            "run {nth}: whole"
        );
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
        assert!(
            is_end(end.code, signal) && end.code != 0,
            "{moment} ms: {end:?}"
        );
        workshop.keeps(&before, "", words);
        for (file, bytes) in workshop.content() {
            if !before.contains_key(&file) {
                let whole = image::load_from_memory(&bytes).is_ok();
                assert!(whole, "{moment} ms: {} is whole", file.display());
            }
        }
    }
    let end = interrupted_at_work(&workshop, &words.replace("f.png", "g.png"), 1);
    assert!(
        end.stderr.contains("of 100000 frames are written"),
        "{}",
        end.stderr
    );
    let printed = String::from_utf8_lossy(&end.stdout);
    assert!(
        printed.contains("wrote"),
        "counters of what there is: {printed}"
    );
}

#[test]
fn interrupted_capture_keeps_its_frames_under_another_name() {
    let workshop = Workshop::new("interrupt-capture");
    workshop.put("old.azt", b"azulejo made this");
    let before = workshop.content();
    let words = "capture lantern --size 320x180 --frames 100000 -o old.azt";
    let check = |end: &Ended, moment: &str| {
        assert!(end.code == 130 || end.code == 143, "{moment}: {end:?}");
        workshop.keeps(&before, "", words);
        for file in workshop.files() {
            if before.contains_key(&file) {
                continue;
            }
            let name = file.display();
            assert!(
                end.stderr.contains("old.partial.azt: kept"),
                "{name}: {}",
                end.stderr
            );
            let read = workshop.run(&format!("simulate {name} -m mali450-re --frames 1 --json"));
            assert_eq!(read.code, 0, "{moment}: it is a trace: {}", read.stderr);
            fs::remove_file(&file).expect("there");
        }
    };
    for (nth, moment) in MOMENTS.into_iter().enumerate() {
        let signal = ["-INT", "-TERM"][nth % 2];
        let end = interrupted(&workshop, words, signal, moment);
        check(&end, &format!("{moment} ms"));
    }
    let end = interrupted_at_work(&workshop, words, 1000);
    assert!(
        end.stderr.contains("old.partial.azt: kept"),
        "{}",
        end.stderr
    );
    check(&end, "at work");
}

#[test]
fn interrupted_simulation_prints_what_it_has() {
    let workshop = Workshop::new("interrupt-simulate");
    workshop.put("old.txt", b"azulejo made this");
    let before = workshop.content();
    let words =
        "simulate lantern -m mali450-re --size 160x90 --frames 100000 --json --stats-txt old.txt";
    // No file says when there is a frame, so longer and longer times are tried.
    let mut moments = [500, 1000, 2000, 4000, 8000, 16_000, 32_000].into_iter();
    let end = moments.find_map(|moment| {
        let end = interrupted(&workshop, words, "-INT", moment);
        workshop.keeps(&before, "", words);
        (!end.stdout.is_empty()).then_some(end)
    });
    let end = end.expect("frames in half a minute");
    assert_eq!(end.code, 130, "{}", end.stderr);
    let report: serde_json::Value = serde_json::from_slice(&end.stdout).expect("JSON");
    let partial = report["partial"].as_str().unwrap_or_default();
    assert!(partial.contains("interrupted"), "{partial}");
    let frames = report["machines"][0]["frames"]
        .as_array()
        .map_or(0, Vec::len);
    assert!(frames > 0, "frames");
    assert!(
        workshop.file("old.partial.txt").is_file(),
        "files are not whole either"
    );
}
