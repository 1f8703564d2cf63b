//! Outputs that would destroy something, and outputs that cannot be written.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::workshop::Workshop;

/// Every option that names a file to write, with a command that reads all kinds of inputs; `@` is the name.
const OUTPUTS: [&str; 9] = [
    "render model.gltf --env sky.hdr --size 64x48 --heatmap overdraw=heat.png -m own.toml -o @",
    "render model.gltf --env sky.hdr --size 64x48 -m own.toml -o out.png --heatmap overdraw=@",
    "render model.gltf --env sky.hdr --size 64x48 -m own.toml -o out.png --view depth=@",
    "compare model.gltf --env sky.hdr --size 64x48 -o @",
    "inspect model.gltf --env sky.hdr --size 64x48 -m own.toml -o @",
    "capture model.gltf --env sky.hdr --size 64x48 -o @",
    "simulate model.gltf --env sky.hdr -m own.toml --perfetto @",
    "simulate model.gltf --env sky.hdr -m own.toml --stats-txt @",
    "simulate model.gltf --env sky.hdr -m own.toml --heatmap fragment-cycles=@",
];

/// Names that all lead to `input`.
fn names_of(workshop: &Workshop, input: &str) -> Vec<String> {
    let file = workshop.file(input);
    let (soft, hard) = ("soft.png", "hard.png");
    for name in [soft, hard] {
        // Left over from the input before.
        let _ = fs::remove_file(workshop.file(name));
    }
    symlink(&file, workshop.file(soft)).expect("links can be made");
    fs::hard_link(&file, workshop.file(hard)).expect("links can be made");
    let plain = [
        input.to_owned(),
        format!("./{input}"),
        format!("sub/../{input}"),
        format!("new/../{input}"),
        file.display().to_string(),
    ];
    // Names with blanks cannot be typed here, and most options need .png; links have other names.
    let typed = plain
        .into_iter()
        .filter(|name| name.ends_with(".png") && !name.contains(' '));
    typed.chain([soft, hard].map(str::to_owned)).collect()
}

#[test]
fn no_output_goes_over_an_input() {
    let workshop = Workshop::new("over-input");
    for input in ["model.gltf", "model data.bin", "model.png", "sky.hdr"] {
        for name in names_of(&workshop, input) {
            for command in OUTPUTS {
                workshop.refuses(&command.replace('@', &name), 2, &["this run reads"]);
            }
        }
    }
    for input in ["own.toml", "base.toml"] {
        for name in names_of(&workshop, input) {
            for command in OUTPUTS
                .iter()
                .filter(|command| command.contains("own.toml"))
            {
                workshop.refuses(&command.replace('@', &name), 2, &["this run reads"]);
            }
            let characterize = format!("characterize lantern -m own.toml --csv {name}");
            workshop.refuses(&characterize, 2, &["this run reads"]);
        }
    }
}

#[test]
fn no_output_goes_over_a_trace() {
    let workshop = Workshop::new("over-trace");
    for name in ["trace.azt", "./trace.azt", "sub/../trace.azt"] {
        for option in ["--perfetto", "--stats-txt"] {
            let words = format!("simulate trace.azt -m own.toml {option} {name}");
            workshop.refuses(&words, 2, &["trace.azt", "this run reads"]);
        }
    }
    fs::create_dir(workshop.file("tables")).expect("writable");
    symlink("../trace.azt", workshop.file("tables/tiles.csv")).expect("links can be made");
    let words = "simulate trace.azt -m own.toml --csv tables";
    workshop.refuses(words, 2, &["tiles.csv", "this run reads"]);
    fs::hard_link(
        workshop.file("own.toml"),
        workshop.file("tables/re.fig13a.csv"),
    )
    .expect("links");
    let words = "study re.fig13a --demos lantern -m own.toml --csv tables";
    workshop.refuses(words, 2, &["re.fig13a.csv", "this run reads"]);
}

#[test]
fn default_name_spares_what_the_scene_needs() {
    let workshop = Workshop::new("default-input");
    // The picture of model.gltf would be model.png, its own image.
    let words = "render model.gltf --env none --size 64x48";
    workshop.refuses(words, 2, &["model.png", "model.gltf", "-o FILE"]);
}

#[test]
fn default_name_spares_what_others_made() {
    let workshop = Workshop::new("default-others");
    fs::rename(workshop.file("model.gltf"), workshop.file("other.gltf")).expect("writable");
    workshop.put("other.png", b"a photograph");
    workshop.put("other.azt", b"a book");
    workshop.put("other.overdraw.png", b"a drawing");
    workshop.put("other.fragment_cycles.png", b"a map");
    let scene = "other.gltf --env none --size 64x48";
    workshop.refuses(
        &format!("render {scene}"),
        1,
        &["other.png", "did not make it"],
    );
    workshop.refuses(
        &format!("capture {scene}"),
        1,
        &["other.azt", "did not make it"],
    );
    let words =
        format!("render {scene} -o mine.png --heatmap overdraw=other.png --heatmap overdraw");
    let ended = workshop.run(&words);
    assert_eq!(ended.code, 0, "named: {}", ended.stderr);
    workshop.put("mine.overdraw.png", b"a drawing");
    workshop.refuses(&words, 1, &["mine.overdraw.png", "did not make it"]);
    let words = format!("render {scene} -o twice.png");
    for _ in 0..2 {
        assert_eq!(workshop.run(&words).code, 0, "what we made is replaced");
    }
    fs::rename(workshop.file("twice.png"), workshop.file("other.png")).expect("writable");
    let ended = workshop.run(&format!("render {scene}"));
    assert_eq!(
        ended.code, 0,
        "ours, so the default name may: {}",
        ended.stderr
    );
}

#[test]
fn two_outputs_have_two_names() {
    let workshop = Workshop::new("two-outputs");
    symlink("a.png", workshop.file("alias.png")).expect("links can be made");
    let render = "render model.gltf --env none --size 64x48";
    let simulate = "simulate model.gltf --env none -m own.toml";
    let commands = [
        format!("{render} -o a.png --heatmap overdraw=a.png"),
        format!("{render} -o a.png --view depth=./sub/../a.png"),
        format!("{render} -o a.png --view depth=alias.png"),
        format!("{render} -o a.png --heatmap overdraw --view overdraw"),
        format!("{render} -o a.png --heatmap overdraw --heatmap overdraw"),
        format!("{render} --frames 3 -o a.png --view depth=a.png"),
        format!("{render} -o - --view depth=-"),
        format!("{simulate} --perfetto t --stats-txt ./t"),
        format!("{simulate} --csv t --stats-txt t/frames.csv"),
        format!("{simulate} --csv t --stats-txt t"),
        format!("{simulate} --perfetto - --stats-txt /dev/stdout"),
        format!("{simulate} --heatmap fragment-cycles --heatmap fragment-cycles"),
    ];
    for command in commands {
        workshop.refuses(&command, 2, &["both"]);
    }
}

#[test]
fn heat_maps_of_machines_have_distinct_names() {
    let workshop = Workshop::new("labels");
    fs::copy(workshop.file("own.toml"), workshop.file("sub/own.toml")).expect("writable");
    fs::copy(workshop.file("base.toml"), workshop.file("sub/base.toml")).expect("writable");
    let words = "simulate model.gltf --env none -m own.toml -m sub/own.toml --technique re \
                 --frames 2 --heatmap fragment-cycles=heat.png";
    let ended = workshop.run(words);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let printed = String::from_utf8_lossy(&ended.stdout);
    for label in ["own", "own+re", "own-2", "own+re-2"] {
        for frame in ["0000", "0001"] {
            let name = format!("heat.{label}.{frame}.png");
            assert!(workshop.file(&name).is_file(), "{name}");
            assert!(
                printed.contains(&format!("wrote {name}\n")),
                "{name} in\n{printed}"
            );
        }
    }
}

#[test]
fn missing_folders_are_made_for_every_output() {
    let workshop = Workshop::new("folders");
    let commands = OUTPUTS
        .iter()
        .filter(|command| !command.starts_with("compare"));
    for (nth, command) in commands.enumerate() {
        let name = format!("made/{nth}/deep/out.png");
        let ended = workshop.run(&command.replace('@', &name));
        assert_eq!(ended.code, 0, "{command}\n{}", ended.stderr);
        assert!(workshop.file(&name).is_file(), "{command}");
    }
    workshop.refuses("render nowhere.glb -o unmade/out.png", 1, &["nowhere.glb"]);
    assert!(
        !workshop.file("unmade").exists(),
        "nothing to write, no folder"
    );
}

#[test]
fn folder_that_cannot_be_written_is_refused_before_work() {
    let workshop = Workshop::new("read-only");
    // No user can make files there, not even root. The scene is missing: had work begun, it would be named.
    for command in OUTPUTS {
        let words = command.replace("model.gltf", "nowhere.glb");
        let refused = words.replace('@', "/proc/azulejo/out.png");
        workshop.refuses(&refused, 1, &["/proc", "cannot be written"]);
        if !command.starts_with("compare") {
            workshop.refuses(&words.replace('@', "sub.png/x.png"), 1, &["nowhere.glb"]);
        }
    }
    workshop.put("file", b"no folder");
    let words = "simulate nowhere.glb -m own.toml --csv file";
    workshop.refuses(words, 1, &["file", "expected a folder"]);
    let words = "simulate nowhere.glb -m own.toml --stats-txt file/stats.txt";
    workshop.refuses(words, 1, &["file"]);
    workshop.refuses("capture model.gltf -o sub", 1, &["sub", "is a folder"]);
    workshop.put("locked.azt", b"azulejo");
    let locked = fs::Permissions::from_mode(0o444);
    fs::set_permissions(workshop.file("locked.azt"), locked).expect("ours");
    workshop.refuses(
        "capture nowhere.glb -o locked.azt",
        1,
        &["write-protected", "chmod"],
    );
}

#[test]
fn replaced_file_keeps_permissions_and_links() {
    let workshop = Workshop::new("permissions");
    workshop.put("old.png", b"old");
    let secret = fs::Permissions::from_mode(0o600);
    fs::set_permissions(workshop.file("old.png"), secret).expect("ours");
    fs::hard_link(workshop.file("old.png"), workshop.file("kept.png")).expect("links");
    symlink("old.png", workshop.file("link.png")).expect("links");
    symlink("sub/later.png", workshop.file("dangling.png")).expect("links");
    for name in ["link.png", "dangling.png"] {
        let words = format!("render model.gltf --env none --size 64x48 -o {name}");
        assert_eq!(workshop.run(&words).code, 0, "{words}");
        let link = fs::symlink_metadata(workshop.file(name)).expect("there");
        assert!(link.is_symlink(), "{name} stays a link");
        assert!(
            image::open(workshop.file(name)).is_ok(),
            "{name} leads to the picture"
        );
    }
    let mode = |name: &str| {
        fs::metadata(workshop.file(name))
            .expect("there")
            .permissions()
            .mode()
    };
    assert_eq!(mode("old.png") & 0o777, 0o600, "permissions are handed on");
    assert_eq!(
        mode("sub/later.png") & 0o111,
        0,
        "a new file is like any other"
    );
    let kept = fs::read(workshop.file("kept.png")).expect("there");
    assert_eq!(kept, b"old", "the other hard link keeps the old content");
}

#[test]
fn standard_output_and_pipes_take_a_file() {
    let workshop = Workshop::new("pipes");
    let render = "render model.gltf --env none --size 64x48 -o";
    for name in ["-", "/dev/stdout"] {
        let ended = workshop.run(&format!("{render} {name}"));
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let picture = image::load_from_memory(&ended.stdout).expect("nothing but a PNG");
        assert_eq!(picture.height(), 48, "the picture");
        assert!(
            ended.stderr.contains("quads rasterised"),
            "words go aside: {}",
            ended.stderr
        );
    }
    workshop.refuses(
        &format!("{render} - --frames 2"),
        2,
        &["standard output takes one"],
    );
    let ended = workshop.run("simulate model.gltf --env none -m own.toml --perfetto -");
    let trace: Result<serde_json::Value, _> = serde_json::from_slice(&ended.stdout);
    assert!(trace.is_ok(), "nothing but JSON");
    let ended = workshop.run(&format!("{render} /dev/null"));
    assert_eq!(ended.code, 0, "a device: {}", ended.stderr);
    let pipe = workshop.file("pipe.png");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success(), "a pipe");
    workshop.refuses(
        &format!("{render} pipe.png"),
        1,
        &["pipe.png", "no program reads"],
    );
    let reader = std::thread::spawn(move || fs::read(pipe).expect("readable"));
    let ended = workshop.run(&format!("{render} pipe.png"));
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let bytes = reader.join().expect("no panic");
    assert!(
        image::load_from_memory(&bytes).is_ok(),
        "the picture came through"
    );
}

/// A disk of 192 KiB, as long as it lives.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Only root can have one.
    fn at(folder: &Path) -> Option<Self> {
        let size = ["-t", "tmpfs", "-o", "size=192k", "tmpfs"];
        let mounted = Command::new("mount").args(size).arg(folder).output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        mounted.then(|| Self(folder.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // If it is busy, it goes with the machine.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn full_disk_costs_nothing_that_was_there() {
    let workshop = Workshop::new("full-disk");
    let Some(_disk) = SmallDisk::at(&workshop.file("sub")) else {
        eprintln!("skipped: a full disk needs root, who can mount a small one");
        return;
    };
    for name in ["old.png", "old.azt", "old.json"] {
        workshop.put(Path::new("sub").join(name), b"azulejo made this");
    }
    workshop.put("sub/filler", &vec![7; 150 << 10]);
    let full = ["sub/old", "No space left", "unchanged"];
    let render = "render lantern --size 400x300 --stats=none -o sub/old.png";
    workshop.refuses(render, 1, &full);
    workshop.refuses("capture lantern --size 400x300 -o sub/old.azt", 1, &full);
    let before = workshop.content();
    let words = "simulate lantern -m mali450-re --size 400x300 --frames 2 --perfetto sub/old.json";
    let ended = workshop.run(words);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    let printed = String::from_utf8_lossy(&ended.stdout);
    assert!(
        printed.contains("cycles"),
        "results are printed first: {printed}"
    );
    workshop.keeps(&before, "", words);
}

#[test]
fn full_disk_leaves_the_frames_before_it() {
    let workshop = Workshop::new("full-sequence");
    let Some(_disk) = SmallDisk::at(&workshop.file("sub")) else {
        eprintln!("skipped: a full disk needs root, who can mount a small one");
        return;
    };
    let words = "capture model.gltf --env none --size 160x120 --frames 1000 -o sub/l.azt";
    let ended = workshop.run(words);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(
        !workshop.file("sub/l.azt").exists(),
        "not under the name of the whole"
    );
    assert!(
        ended.stderr.contains("l.partial.azt: kept"),
        "{}",
        ended.stderr
    );
    let summary = workshop.run("simulate sub/l.partial.azt -m mali450-re --json");
    assert_eq!(summary.code, 0, "it is a trace: {}", summary.stderr);
    fs::remove_file(workshop.file("sub/l.partial.azt")).expect("there");
    let words =
        "render model.gltf --env none --size 160x120 --frames 1000 -o sub/f.png --stats=none";
    assert_eq!(workshop.run(words).code, 1, "{words}");
    workshop.is_tidy(words);
    let pictures: Vec<_> = (workshop.content().into_iter())
        .filter(|(file, _)| file.starts_with(workshop.file("sub")))
        .collect();
    assert!(!pictures.is_empty(), "some frames had room");
    for (file, bytes) in pictures {
        assert!(
            image::load_from_memory(&bytes).is_ok(),
            "{} is whole",
            file.display()
        );
    }
}
