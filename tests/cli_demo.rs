//! Demos from the command line: listed, drawn, and refused what only scenes have.

use std::path::Path;
use std::process::{Command, Output};

use azulejo::demo::DEMOS;

/// Runs the program where tests may write; `words` are split at blanks.
fn azulejo(words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(words.split_whitespace())
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env_remove("RUST_LOG")
        .output()
        .expect("the program starts")
}

#[test]
fn list_names_every_demo() {
    let output = azulejo("list");
    let text = String::from_utf8_lossy(&output.stdout);
    for demo in DEMOS {
        assert!(
            text.contains(demo.name) && text.contains(demo.about),
            "{}",
            demo.name
        );
    }
}

#[test]
fn demo_picture_is_the_same_for_one_and_three_threads() {
    for demo in DEMOS {
        let picture = |threads: u32| {
            let file = format!("demo-{}-{threads}.png", demo.name);
            let words = format!(
                "render {} --frame 77 --size 320x180 --threads {threads} -o {file}",
                demo.name
            );
            let output = azulejo(&words);
            assert!(output.status.success(), "{}: {output:?}", demo.name);
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
            let picture = image::open(path).expect("a PNG file").to_rgba8();
            picture.into_raw()
        };
        assert!(picture(1) == picture(3), "{}", demo.name);
    }
}

#[test]
fn demo_has_no_camera_to_choose() {
    let output = azulejo("render match3 --orbit 0,90,3");
    assert_eq!(output.status.code(), Some(2), "a usage error");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("--orbit"), "{words}");
}

#[test]
fn characterize_is_the_same_for_one_and_three_threads() {
    let line = |threads: u32| {
        let words = format!(
            "characterize match3 --frames 3 --modelled 2 --set screen.width=320 --set screen.height=180 --threads {threads} --json"
        );
        let output = azulejo(&words);
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    let report = line(1);
    let text = String::from_utf8_lossy(&report);
    assert!(text.contains("\"modelled_frames\": 2"), "{text}");
    assert!(report == line(3), "three threads");
}

#[test]
fn characterize_refuses_what_is_no_demo() {
    let output = azulejo("characterize chess");
    assert_eq!(output.status.code(), Some(2), "a usage error");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("match3"), "it names the demos: {words}");
}
