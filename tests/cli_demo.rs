//! Demos from the command line: listed, drawn, measured, and refused what only scenes have.

mod command_line;

use azulejo::demo::DEMOS;

use command_line::{fails, json, stdout, succeeds, workshop};

#[test]
fn list_names_every_demo() {
    let text = stdout(&succeeds(&workshop("cli-demo-list"), "list"));
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
    let directory = workshop("cli-demo-threads");
    for demo in DEMOS {
        let picture = |threads: u32| {
            let file = format!("{}-{threads}.png", demo.name);
            let words = format!(
                "render {} --frame 77 --size 320x180 --threads {threads} -q -o {file}",
                demo.name
            );
            succeeds(&directory, &words);
            let picture = image::open(directory.join(file)).expect("a PNG file");
            picture.to_rgba8().into_raw()
        };
        assert!(picture(1) == picture(3), "{}", demo.name);
    }
}

#[test]
fn demo_has_no_camera_to_choose() {
    let directory = workshop("cli-demo-camera");
    fails(&directory, "render match3 --orbit 0,90,3", 2, &["--orbit"]);
}

#[test]
fn characterize_is_the_same_for_one_and_three_threads() {
    let directory = workshop("cli-demo-characterize");
    let words = "characterize match3 --frames 3 --modelled 2 --json";
    let size = "--set screen.width=320 --set screen.height=180";
    let report = |threads: u32| {
        stdout(&succeeds(
            &directory,
            &format!("{words} {size} --threads {threads}"),
        ))
    };
    let one = report(1);
    assert_eq!(one, report(3), "three threads");
    let rows = json(&directory, &format!("{words} {size}"));
    assert_eq!(rows[0]["modelled_frames"], 2, "as many as asked for");
}

#[test]
fn characterize_refuses_what_is_no_demo() {
    let directory = workshop("cli-demo-unknown");
    fails(&directory, "characterize chess", 2, &["chess", "match3"]);
}
