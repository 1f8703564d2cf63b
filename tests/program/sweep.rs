//! `azulejo sweep` as users meet it: nothing finished is lost, repeated or believed when it is damaged, and the way of
//! running the points changes nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::command_line::{azulejo, fails, json, stderr, stdout, succeeds};

const SWEEP: &str = r#"
    scenes = ["match3"]
    machines = ["valhall-libra", "valhall-khepri"]
    techniques = ["none", "re"]
    frames = 3
    [set]
    "screen.width" = [128]
    "screen.height" = [96]
    "l2.size" = ["512KiB", "1MiB"]
"#;

fn workshop(test: &str) -> PathBuf {
    let directory = crate::command_line::workshop(&format!("cli-sweep-{test}"));
    fs::write(directory.join("s.toml"), SWEEP).expect("writable");
    directory
}

fn read(file: impl AsRef<Path>) -> Vec<u8> {
    fs::read(file.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", file.as_ref().display()))
}

/// Results of points, by name.
fn results(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("points")).expect("a folder of points");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files
}

#[test]
fn sweep_runs_the_whole_system_where_the_machine_has_one() {
    let directory = workshop("system");
    let text = r#"
        scenes = ["lantern"]
        machines = ["emerald-soc"]
        techniques = ["none", "dash"]
        frames = 2
        [set]
        "screen.width" = [96]
        "screen.height" = [64]
        "soc.cpu.before_frame" = ["[20, 10, 5, 1]"]
        "soc.cpu.during_frame" = ["[20, 10, 5, 1]"]
    "#;
    fs::write(directory.join("soc.toml"), text).expect("writable");
    succeeds(&directory, "sweep soc.toml -q");
    let csv = String::from_utf8(read(directory.join("soc.sweep/results.csv"))).expect("text");
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let words = "simulate lantern -m emerald-soc -t dash --frames 2 --size 96x64 \
                 --set soc.cpu.before_frame=[20,10,5,1] --set soc.cpu.during_frame=[20,10,5,1] --json";
    let simulated = json(&directory, words);
    // Lists in quotation marks have commas of their own, so cells are counted from the end.
    let cell = |row: usize, name: &str| {
        let back = |column: usize| lines[0].len() - column;
        let column = lines[0].iter().position(|known| *known == name);
        let column = column.unwrap_or_else(|| panic!("{name} is no column"));
        lines[row][lines[row].len() - back(column)].to_owned()
    };
    for (row, machine) in simulated["machines"]
        .as_array()
        .expect("two")
        .iter()
        .enumerate()
    {
        let system = &machine["system"];
        let bursts = system["agents"][0]["counters"]["bursts"]
            .as_u64()
            .expect("bursts");
        assert_eq!(
            cell(row + 1, "system.gpu.bytes"),
            (bursts * 32).to_string(),
            "{row}"
        );
        let scans = system["display"]["scans"].to_string();
        assert_eq!(cell(row + 1, "system.display.scans"), scans, "{row}");
    }
    let dash = &simulated["machines"][1]["system"]["techniques"]["dash"];
    let name = "system.techniques.dash.cpu0_intensive_bursts";
    let counted = dash["cpu0_intensive_bursts"].to_string();
    assert!(counted.parse::<u64>().expect("a number") > 0, "{dash}");
    assert_eq!(cell(2, name), counted, "DASH's own");
    assert_eq!(cell(1, name), "", "nothing without it");
}

#[test]
fn sweep_says_of_each_point_what_simulate_says() {
    let directory = workshop("simulate");
    let result = json(&directory, "sweep s.toml --json");
    for stamp in ["generator", "results_version", "command", "inputs"] {
        assert!(!result[stamp].is_null(), "no {stamp}");
    }
    let points = result["points"].as_array().expect("a list");
    assert_eq!(points.len(), 8, "two machines, two techniques, two sizes");
    let words =
        "simulate match3 --frames 3 -m valhall-libra -t re --size 128x96 --set l2.size=1MiB --json";
    let simulated = json(&directory, words);
    let frames = simulated["machines"][1]["frames"]
        .as_array()
        .expect("frames");
    let cycles: f64 = frames
        .iter()
        .filter_map(|frame| frame["cycles"].as_f64())
        .sum();
    // Machine, technique, size: 0, 1, 1.
    let point = &points[3];
    assert_eq!(
        (&point["technique"], &point["changes"]["l2.size"]),
        (&"re".into(), &"1MiB".into())
    );
    assert_eq!(
        point["counters"]["cycles"].as_f64(),
        Some(cycles),
        "the same frames on the same machine"
    );
    let table = String::from_utf8(read(directory.join("s.sweep/results.csv"))).expect("text");
    assert_eq!(table.lines().count(), 9, "a row each");
}

#[test]
fn report_page_draws_what_each_choice_does() {
    let directory = workshop("page");
    let sweep = SWEEP.replace("frames = 3", "frames = 1");
    let sweep = format!("{sweep}\n    \"l2.ways\" = [4, 8]\n");
    fs::write(directory.join("s.toml"), sweep).expect("writable");
    succeeds(&directory, "sweep s.toml");
    let said = stdout(&succeeds(&directory, "sweep report s.toml"));
    assert!(said.contains("index.html"), "{said}");
    let page = String::from_utf8(read(directory.join("s.sweep/index.html"))).expect("text");
    for chart in [
        "machine.speedup",
        "technique.dram",
        "l2.size.energy",
        "l2.size.l2.ways.speedup",
    ] {
        assert!(page.contains(chart), "{chart}");
    }
    assert!(page.contains("16 of 16 are done"), "how much it stands on");
}

#[test]
fn sweep_killed_and_started_again_gives_the_same_bytes() {
    let directory = workshop("killed");
    succeeds(&directory, "sweep s.toml -o whole --threads 2");
    for wait in [30, 300, 900] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_azulejo"))
            .args(["sweep", "s.toml", "-o", "killed"])
            .current_dir(&directory)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(wait));
        // It may have come to its end.
        let _ = child.kill();
        child.wait().expect("a child of ours");
    }
    let before = match directory.join("killed/points").exists() {
        true => results(&directory.join("killed")),
        false => Vec::new(),
    };
    let times: Vec<_> = before.iter().map(|file| modified(file)).collect();
    succeeds(&directory, "sweep s.toml -o killed");
    let after: Vec<_> = before.iter().map(|file| modified(file)).collect();
    assert_eq!(times, after, "what was finished is not run again");
    for file in results(&directory.join("whole")) {
        let name = file.file_name().expect("a name");
        let other = directory.join("killed/points").join(name);
        assert!(read(&file) == read(&other), "{}", other.display());
    }
    let table = |folder: &str| read(directory.join(folder).join("results.csv"));
    assert!(table("whole") == table("killed"), "the table as well");
}

/// A study of two demos, small and short.
const STUDY: &str =
    "study re --demos match3,catapult --frames 6 --set screen.width=192 --set screen.height=128";

#[test]
fn study_killed_and_started_again_gives_the_same_bytes() {
    // Folders of one name, since the command line is part of the report.
    let [whole, killed] = ["study-whole", "study-killed"].map(workshop);
    succeeds(&whole, &format!("{STUDY} -o report"));
    for wait in [200, 1000, 3000] {
        let words = format!("{STUDY} -o report --threads 1");
        let mut child = Command::new(env!("CARGO_BIN_EXE_azulejo"))
            .args(words.split_whitespace())
            .current_dir(&killed)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(wait));
        // It may have come to its end.
        let _ = child.kill();
        child.wait().expect("a child of ours");
    }
    succeeds(&killed, &format!("{STUDY} -o report"));
    let measured = |directory: &Path| {
        let folder = fs::read_dir(directory.join("report/measured"));
        let files = folder
            .expect("kept")
            .map(|entry| entry.expect("readable").path());
        let mut files: Vec<_> = files.collect();
        files.sort();
        let contents: Vec<_> = files.iter().map(read).collect();
        let names: Vec<_> = files
            .iter()
            .map(|file| file.file_name().map(ToOwned::to_owned))
            .collect();
        (names, contents)
    };
    assert_eq!(measured(&whole).0.len(), 2, "a file a demo");
    assert!(measured(&whole) == measured(&killed), "what was measured");
    for name in ["study.json", "re.fig16b.csv", "studies.md", "index.html"] {
        let file = |directory: &Path| read(directory.join("report").join(name));
        assert!(file(&whole) == file(&killed), "{name}");
    }
}

fn modified(file: &Path) -> std::time::SystemTime {
    let metadata = fs::metadata(file).and_then(|metadata| metadata.modified());
    metadata.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn results_that_are_damaged_or_of_others_are_named_and_made_again() {
    let directory = workshop("damaged");
    succeeds(&directory, "sweep s.toml");
    let files = results(&directory.join("s.sweep"));
    let whole: Vec<_> = files.iter().map(read).collect();
    let cut = &whole[0][..whole[0].len() / 2];
    fs::write(&files[0], cut).expect("writable");
    let mut flipped = whole[1].clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 4;
    fs::write(&files[1], flipped).expect("writable");
    fs::write(&files[2], &whole[3]).expect("writable");
    fs::write(&files[4], "my notes").expect("writable");
    let status = json(&directory, "sweep status s.toml --json");
    assert_eq!(
        (&status["done"], &status["left"]),
        (&4.into(), &4.into()),
        "{status}"
    );
    let output = succeeds(&directory, "sweep s.toml");
    let said = stderr(&output);
    for problem in [
        "damaged",
        "checksum",
        "other inputs",
        "no result of this kind",
    ] {
        assert!(said.contains(problem), "no {problem:?} in {said}");
    }
    for (file, whole) in files.iter().zip(whole) {
        assert!(read(file) == whole, "{}", file.display());
    }
}

#[test]
fn frames_that_are_damaged_are_drawn_again() {
    let directory = workshop("frames");
    succeeds(&directory, "sweep s.toml --frames-only");
    let frames = fs::read_dir(directory.join("s.sweep/frames")).expect("a folder of frames");
    let frames: Vec<_> = frames
        .map(|entry| entry.expect("readable").path())
        .collect();
    assert_eq!(frames.len(), 1, "one scene at one screen is drawn once");
    let whole = read(&frames[0]);
    fs::write(&frames[0], &whole[..whole.len() / 3]).expect("writable");
    let output = succeeds(&directory, "sweep s.toml");
    assert!(
        stderr(&output).contains("drawn again"),
        "{}",
        stderr(&output)
    );
    assert!(read(&frames[0]) == whole, "as they were");
}

#[test]
fn commands_of_points_run_by_a_shell_give_the_same_results() {
    let directory = workshop("print");
    let commands = stdout(&succeeds(&directory, "sweep s.toml -o shell --on print"));
    assert_eq!(commands.lines().count(), 8, "{commands}");
    for command in commands.lines() {
        let ran = Command::new("sh")
            .args(["-c", command])
            .current_dir("/")
            .output();
        let ran = ran.expect("a shell");
        assert!(
            ran.status.success(),
            "{command}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
    let left = stdout(&succeeds(&directory, "sweep s.toml -o shell --on print"));
    assert_eq!(left, "", "nothing is left");
    succeeds(&directory, "sweep report s.toml -o shell");
    succeeds(&directory, "sweep s.toml -o local");
    let table = |folder: &str| read(directory.join(folder).join("results.csv"));
    assert!(
        table("shell") == table("local"),
        "who ran them does not matter"
    );
}

#[test]
fn point_that_fails_says_its_command_and_the_rest_goes_on() {
    let directory = workshop("failing");
    let text = SWEEP.replace("\"1MiB\"]", "\"1MiB\", \"1000B\"]");
    fs::write(directory.join("s.toml"), text).expect("writable");
    let output = azulejo(&directory, "sweep s.toml");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stderr(&output);
    for word in [
        "4 of the points failed",
        "l2.size",
        "--point 2",
        "started again",
    ] {
        assert!(said.contains(word), "no {word:?} in {said}");
    }
    let status = json(&directory, "sweep status s.toml --json");
    assert_eq!(status["done"], 8, "the others: {status}");
    assert_eq!(
        status["failed"].as_array().map(Vec::len),
        Some(4),
        "{status}"
    );
}

/// A stand-in for Slurm, which runs all tasks of an array but one as soon as it is submitted.
#[cfg(unix)]
fn cluster(directory: &Path, lost: &str) {
    use std::os::unix::fs::PermissionsExt;
    let folder = directory.join("bin");
    fs::create_dir(&folder).expect("writable");
    let sbatch = format!(
        "#!/bin/sh\nlast=$(sed -n 's/^#SBATCH --array=0-//p' \"$2\")\nfor task in $(seq 0 \"$last\"); do\n\
         [ \"$task\" = '{lost}' ] || SLURM_ARRAY_TASK_ID=$task sh \"$2\" >/dev/null 2>&1\ndone\necho 7\n"
    );
    for (name, text) in [("sbatch", sbatch.as_str()), ("squeue", "#!/bin/sh\n")] {
        let file = folder.join(name);
        fs::write(&file, text).expect("writable");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("ours");
    }
}

/// Output of the program with that cluster on its path.
#[cfg(unix)]
fn on_cluster(directory: &Path, words: &str) -> std::process::Output {
    let path = std::env::var("PATH").expect("a path");
    Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(words.split_whitespace())
        .env("PATH", format!("{}/bin:{path}", directory.display()))
        .current_dir(directory)
        .output()
        .expect("the program starts")
}

#[cfg(unix)]
#[test]
fn scene_that_fails_on_an_engine_leaves_the_rest_alone() {
    let directory = workshop("engine-scene");
    cluster(&directory, "none");
    fs::write(directory.join("junk.glb"), "no model").expect("writable");
    let text = "scenes = [\"junk.glb\", \"match3\"]\n[set]\nscreen.width = 64\nscreen.height = 32\nl2.size = [\"1MiB\", \"3B\"]\n";
    fs::write(directory.join("s.toml"), text).expect("writable");
    let output = on_cluster(&directory, "sweep s.toml --on slurm --chunk 1");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stderr(&output);
    for word in ["3 of the points failed", "not a glTF file", "expected size"] {
        assert!(said.contains(word), "no {word:?} in {said}");
    }
    let status = json(&directory, "sweep status s.toml --json");
    assert_eq!((&status["done"], &status["left"]), (&1.into(), &0.into()));
}

#[cfg(unix)]
#[test]
fn task_that_an_engine_loses_is_named_and_run_again() {
    let directory = workshop("engine-task");
    cluster(&directory, "1");
    let text = "scenes = [\"match3\"]\n[set]\nscreen.width = 64\nscreen.height = 32\nl2.size = [\"1MiB\", \"2MiB\", \"4MiB\"]\n";
    fs::write(directory.join("s.toml"), text).expect("writable");
    let output = on_cluster(&directory, "sweep s.toml --on slurm --chunk 1");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stderr(&output);
    for word in [
        "1 of the points failed",
        "ended without a result",
        "--point 1",
    ] {
        assert!(said.contains(word), "no {word:?} in {said}");
    }
    succeeds(&directory, "sweep s.toml");
    let status = json(&directory, "sweep status s.toml --json");
    assert_eq!(status["done"], 3, "{status}");
}

#[test]
fn frames_are_drawn_for_the_scenes_that_can_be() {
    let directory = workshop("frames-only");
    fs::write(directory.join("junk.glb"), "no model").expect("writable");
    let text =
        "scenes = [\"junk.glb\", \"match3\"]\n[set]\nscreen.width = 64\nscreen.height = 32\n";
    fs::write(directory.join("s.toml"), text).expect("writable");
    fails(
        &directory,
        "sweep s.toml --frames-only",
        1,
        &["1 of the points failed", "junk.glb"],
    );
    let frames = fs::read_dir(directory.join("s.sweep/frames")).expect("a folder");
    assert_eq!(frames.count(), 1, "those of the other");
}

#[test]
fn report_of_nothing_is_refused() {
    let directory = workshop("report-of-nothing");
    fails(
        &directory,
        "sweep report s.toml",
        1,
        &["s.sweep", "no finished point"],
    );
    assert!(!directory.join("s.sweep").exists(), "nothing is written");
    fs::write(directory.join("taken"), "").expect("writable");
    for ask in ["sweep status s.toml -o taken", "sweep s.toml -o taken"] {
        fails(&directory, ask, 1, &["taken: is a file"]);
    }
}

#[test]
fn changed_inputs_are_other_points() {
    let directory = workshop("changed");
    let own = "include = \"valhall-libra\"\nname = \"own\"\n";
    fs::write(directory.join("own.toml"), own).expect("writable");
    let sweep = "scenes = [\"match3\"]\nmachines = [\"own.toml\"]\n[set]\nscreen.width = 64\nscreen.height = 64\n";
    fs::write(directory.join("s.toml"), sweep).expect("writable");
    succeeds(&directory, "sweep s.toml");
    let status = |left: u64| {
        let status = json(&directory, "sweep status s.toml --json");
        assert_eq!(status["left"], left, "{status}");
    };
    status(0);
    fs::write(
        directory.join("own.toml"),
        format!("{own}[l2]\nsize = \"256KiB\"\n"),
    )
    .expect("writable");
    status(1);
    fs::write(directory.join("own.toml"), own).expect("writable");
    fs::write(directory.join("s.toml"), format!("seed = 2\n{sweep}")).expect("writable");
    status(1);
    fs::write(directory.join("s.toml"), sweep).expect("writable");
    status(0);
}

#[test]
fn sweeps_that_cannot_be_run_are_refused_before_any_work() {
    let directory = workshop("refused");
    let refused = |text: &str, code: i32, says: &[&str]| {
        fs::write(directory.join("s.toml"), text).expect("writable");
        fails(&directory, "sweep s.toml", code, says);
        assert!(!directory.join("s.sweep").exists(), "no folder for {text}");
    };
    refused("scenes = [\"macth3\"]", 1, &["macth3"]);
    refused(
        "scenes = [\"match3\"]\nmachines = [\"valhal-libra\"]",
        2,
        &["valhal-libra"],
    );
    refused(
        "scenes = [\"match3\"]\ntechniques = [\"er\"]",
        2,
        &["er", "re"],
    );
    refused(
        "scenes = [\"match3\"]\n[set]\nl2.sise = [\"1MiB\"]",
        2,
        &["l2.sise", "did you mean size?"],
    );
    refused(
        "scenes = [\"match3\"]\nframes = 0",
        1,
        &["s.toml", "frames"],
    );
    fails(&directory, "sweep none.toml", 1, &["none.toml"]);
    fs::write(directory.join("s.toml"), SWEEP).expect("writable");
    fails(
        &directory,
        "sweep s.toml --point 8",
        2,
        &["--point 8", "8 points"],
    );
    fails(&directory, "sweep s.toml --point 5-3", 2, &["--point"]);
    fails(
        &directory,
        "sweep s.toml -o s.toml",
        1,
        &["s.toml", "folder"],
    );
    assert!(
        read(directory.join("s.toml")) == SWEEP.as_bytes(),
        "as it was"
    );
}
