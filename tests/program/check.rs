//! `azulejo diff`, `azulejo check` and the report of `azulejo study` as users meet them: their findings, their files, and
//! how they end.

use std::fs;
use std::path::Path;

use crate::command_line::{azulejo, fails, json, stderr, stdout, succeeds, workshop};
use azulejo::study::{Value, numbers};

/// A frame that is quick to draw and to model.
const FRAME: &str = "match3 --frame 90 --size 192x108";

/// The command ends with 1 after it has said all on standard output.
#[track_caller]
fn refuses(directory: &Path, words: &str) -> (String, String) {
    let output = azulejo(directory, words);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{words}\n{}",
        stderr(&output)
    );
    (stdout(&output), stderr(&output))
}

#[test]
fn check_blesses_a_budget_that_is_then_kept() {
    let directory = workshop("check-bless");
    fails(
        &directory,
        &format!("check b.toml {FRAME}"),
        1,
        &["b.toml", "--bless"],
    );
    let said = stdout(&succeeds(
        &directory,
        &format!("check b.toml {FRAME} --bless --machine mali450-re"),
    ));
    assert!(said.contains("wrote b.png\nwrote b.toml"), "{said}");
    let budget = fs::read_to_string(directory.join("b.toml")).unwrap();
    let simulated = json(
        &directory,
        &format!("simulate {FRAME} --machine mali450-re --json"),
    );
    let cycles = &simulated["machines"][0]["frames"][0]["cycles"];
    assert!(
        budget.contains(&format!("cycles = {cycles}\n")),
        "as simulate says {cycles}: {budget}"
    );
    let drawn = json(&directory, &format!("render {FRAME} -o drawn.png --json"));
    let bytes = &drawn["frames"][0]["counters"]["geometry"]["parameter_buffer_bytes"];
    assert!(
        budget.contains(&format!("parameter_buffer_bytes = {bytes}\n")),
        "{budget}"
    );
    let kept = json(&directory, &format!("check b.toml {FRAME} --json"));
    assert_eq!(kept["holds"], true, "what was just measured: {kept}");
    assert_eq!(
        kept["verdicts"].as_array().map(Vec::len),
        Some(8),
        "5 numbers, 3 of the picture"
    );
    let same = succeeds(&directory, "diff b.png drawn.png --threshold max=0");
    assert!(
        stdout(&same).contains("0 of 20736 pixels differ"),
        "{}",
        stdout(&same)
    );
}

#[test]
fn check_with_samples_is_held_against_the_tiles_that_a_machine_has_for_them() {
    let directory = workshop("check-samples");
    let frame = format!("{FRAME} --msaa 4");
    let bless = format!("check b.toml {frame} --bless --machine mali450-re");
    succeeds(&directory, &bless);
    let budget = fs::read_to_string(directory.join("b.toml")).unwrap();
    let words = format!("simulate {frame} --machine mali450-re --json");
    let simulated = json(&directory, &words);
    let modelled = &simulated["machines"][0]["frames"][0];
    assert_eq!(modelled["samples"], 4, "{modelled}");
    let cycles = &modelled["cycles"];
    assert!(
        budget.contains(&format!("cycles = {cycles}\n")),
        "as simulate says {cycles}: {budget}"
    );
    succeeds(&directory, &format!("render {frame} -o drawn.png"));
    succeeds(&directory, "diff b.png drawn.png --threshold max=0");
    succeeds(&directory, &format!("check b.toml {frame}"));
    let refused = format!("check c.toml {frame} --bless --machine emerald-gpu");
    fails(&directory, &refused, 2, &["--msaa 4", "emerald-gpu"]);
}

#[test]
fn check_of_what_became_worse_ends_with_1_and_annotates_its_line() {
    let directory = workshop("check-worse");
    succeeds(&directory, &format!("check b.toml {FRAME} --bless"));
    let blessed = fs::read_to_string(directory.join("b.toml")).unwrap();
    let commented = format!("# low tier\n{blessed}");
    fs::write(directory.join("b.toml"), &commented).unwrap();
    let later = FRAME.replace("90", "150");
    let (text, errors) = refuses(
        &directory,
        &format!("check b.toml {later} --format github -o seen.png"),
    );
    let line = 1 + commented
        .lines()
        .position(|line| line.starts_with("golden"))
        .unwrap();
    let annotation = format!(
        "::error file=b.toml,line={line},title=picture%3A pixels that differ%2C in percent over budget::match3: "
    );
    assert!(text.contains(&annotation), "{text}");
    assert!(text.contains("OVER"), "{text}");
    assert!(
        errors.contains("limits are not kept") && errors.contains("--bless"),
        "{errors}"
    );
    assert!(
        directory.join("seen.png").exists(),
        "golden | ours | difference"
    );
    succeeds(&directory, &format!("check b.toml {later} --bless"));
    let again = fs::read_to_string(directory.join("b.toml")).unwrap();
    assert!(again.starts_with("# low tier\n"), "comments stay: {again}");
    succeeds(&directory, &format!("check b.toml {later}"));
}

#[test]
fn check_refuses_what_is_no_budget_and_never_goes_over_a_scene() {
    let directory = workshop("check-refuses");
    fs::write(directory.join("b.toml"), "overdrw = 3\n").unwrap();
    fails(
        &directory,
        &format!("check b.toml {FRAME}"),
        1,
        &["b.toml:1: overdrw", "did you mean overdraw?"],
    );
    fs::write(directory.join("b.toml"), "[machine.mali-450]\ncycles = 3\n").unwrap();
    fails(
        &directory,
        &format!("check b.toml {FRAME}"),
        2,
        &["mali-450", "did you mean mali450-re?"],
    );
    fs::write(
        directory.join("b.toml"),
        "[picture]\ngolden = \"gone.png\"\n",
    )
    .unwrap();
    fails(
        &directory,
        &format!("check b.toml {FRAME}"),
        1,
        &["gone.png", "--bless"],
    );
    let scene = "{\"asset\": {\"version\": \"2.0\"}}";
    fs::write(directory.join("s.gltf"), scene).unwrap();
    fails(&directory, "check s.gltf s.gltf --bless", 1, &["s.gltf"]);
    assert_eq!(
        fs::read_to_string(directory.join("s.gltf")).unwrap(),
        scene,
        "untouched"
    );
}

#[test]
fn diff_of_results_names_what_changed_and_by_how_much() {
    let directory = workshop("diff-results");
    for (name, change) in [("a", ""), ("b", "--set l2.size=16KiB")] {
        let said = stdout(&succeeds(
            &directory,
            &format!("simulate {FRAME} {change} --json"),
        ));
        fs::write(directory.join(format!("{name}.json")), said).unwrap();
    }
    let text = stdout(&succeeds(&directory, "diff a.json a.json --threshold 0"));
    assert!(text.contains("0 numbers changed"), "{text}");
    let (text, errors) = refuses(&directory, "diff a.json b.json --threshold l2=0");
    assert!(
        text.contains("all in machines.valhall-libra-baseline.frames.90\n"),
        "{text}"
    );
    assert!(
        errors.contains("beyond what --threshold allows"),
        "{errors}"
    );
    let changes = json(&directory, "diff a.json b.json --threshold frame=0 --json");
    let all = changes["changed"].as_array().unwrap();
    let sizes: Vec<f64> = (all.iter())
        .map(|change| change["relative"].as_f64().map_or(f64::INFINITY, f64::abs))
        .collect();
    assert!(
        sizes.len() > 5 && sizes.is_sorted_by(|a, b| a >= b),
        "largest first: {sizes:?}"
    );
    assert_eq!(
        changes["beyond"],
        serde_json::json!([]),
        "no frame has another number"
    );
}

#[test]
fn diff_of_machines_looks_through_what_they_include() {
    let directory = workshop("diff-machines");
    fs::write(
        directory.join("own.toml"),
        "include = \"valhall-libra\"\nname = \"own\"\nl2.size = \"4MiB\"\n",
    )
    .unwrap();
    let changes = json(&directory, "diff valhall-libra own.toml --json");
    let found = &changes["changed"];
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{changes}");
    assert_eq!(
        (&found[0]["name"], found[0]["relative"].as_f64()),
        (&"l2.size".into(), Some(1.0)),
        "2 MiB before"
    );
    let text = stdout(&succeeds(
        &directory,
        "diff mali450-re valhall-libra --top 1000",
    ));
    for key in ["raster.units", "dram.timing", "energy"] {
        assert!(text.contains(key), "{key}: {text}");
    }
    fails(
        &directory,
        "diff mali450-re nothing.json",
        1,
        &["nothing.json", "--json"],
    );
}

#[test]
fn diff_of_pictures_counts_pixels() {
    let directory = workshop("diff-pictures");
    for (name, frame) in [("a", 90), ("b", 150)] {
        succeeds(
            &directory,
            &format!("render match3 --frame {frame} --size 96x64 -o {name}.png --quiet"),
        );
    }
    let same = json(&directory, "diff a.png a.png --threshold 0 --json");
    assert_eq!(same["pixels_that_differ"], 0, "{same}");
    let (text, errors) = refuses(
        &directory,
        "diff a.png b.png --threshold pixels=0.1 -o d.png",
    );
    assert!(text.contains("of 6144 pixels differ"), "{text}");
    assert!(errors.contains("allows: pixels"), "{errors}");
    let sheet = image::open(directory.join("d.png")).expect("a PNG");
    assert_eq!((sheet.width(), sheet.height()), (288, 64), "three wide");
    fails(
        &directory,
        "diff a.png d.png",
        1,
        &["288x64 pixels; expected 96x64"],
    );
    fails(
        &directory,
        "diff a.png mali450-re",
        2,
        &["one of them is a picture"],
    );
}

#[test]
fn study_folder_holds_one_page_with_the_numbers_of_its_json() {
    let directory = workshop("study-folder");
    succeeds(&directory, "study boustro.fig9 -o report");
    let read = |name: &str| fs::read_to_string(directory.join("report").join(name)).unwrap();
    let (page, text, table) = (
        read("index.html"),
        read("studies.md"),
        read("boustro.fig9.csv"),
    );
    let found: serde_json::Value = serde_json::from_str(&read("study.json")).unwrap();
    let figure = &found["studies"][0]["figures"][0];
    assert_eq!(figure["id"], "boustro.fig9", "{found}");
    for bar in figure["rows"][0][1].as_array().unwrap() {
        let percent = format!("{:.1}", 100.0 * bar.as_f64().unwrap());
        assert!(
            page.contains(&format!("<td>{percent}</td>")),
            "{percent} in the page"
        );
        assert!(
            text.contains(&format!(" {percent} |")),
            "{percent} in the text"
        );
    }
    assert!(table.starts_with("demo,s = 7"), "{table}");
    assert!(
        page.contains("azulejo study boustro.fig9 -o report"),
        "the command"
    );
    assert!(!page.contains("http"), "nothing is asked of a network");
    let before = page;
    succeeds(&directory, "study boustro.fig9 -o report");
    assert_eq!(read("index.html"), before, "the same bytes again");
}

/// The printed numeral: the number of games, or both ends of a range.
fn printed(value: Value) -> Vec<f64> {
    match value {
        Value::Games(n, _) => vec![f64::from(n)],
        Value::Between(least, most) => vec![least, most],
        other => vec![other.number()],
    }
}

/// A list of the papers' numbers that was made by reading them, row by row.
#[test]
fn study_numbers_are_those_of_the_checklist() {
    let Some(list) = crate::shared::shared("guide/paper-checklist.md") else {
        return;
    };
    let text = fs::read_to_string(list).expect("a text");
    let rows = text.lines().skip_while(|line| *line != "```csv").skip(1);
    let rows = rows.take_while(|line| *line != "```");
    let listed = rows.map(|row| {
        let cells: Vec<_> = row.split(',').collect();
        let numerals = cells[3].trim_start_matches(['<', '>']).split("..");
        let numerals = numerals.map(|numeral| numeral.parse().expect("a number"));
        (cells[0], numerals.collect::<Vec<f64>>())
    });
    let listed: Vec<_> = listed.collect();
    assert_eq!(listed.len(), 138, "rows of the list");
    let ours = numbers().map(|number| (number.id, printed(number.value)));
    let ours: Vec<_> = ours.collect();
    for row in &listed {
        let of = |all: &[(&str, Vec<f64>)]| all.iter().filter(|other| *other == row).count();
        assert_eq!(of(&ours), of(&listed), "{row:?}");
    }
}

#[test]
fn study_all_is_every_study_in_one_page() {
    let directory = workshop("study-all");
    let small =
        "--frames 4 --modelled 1 --demos match3 --set screen.width=64 --set screen.height=64";
    let said = stdout(&succeeds(
        &directory,
        &format!("study all {small} -o report"),
    ));
    let page = fs::read_to_string(directory.join("report/index.html")).unwrap();
    for study in [
        "re", "libra", "khepri", "boustro", "em1", "em2", "sampling", "area",
    ] {
        assert!(
            page.contains(&format!("<h2 id=\"{study}\">")),
            "{study} in the page"
        );
        let repeat = format!("<code>azulejo study {study} {small}</code>");
        assert!(page.contains(&repeat), "{repeat}");
    }
    let alone = stdout(&succeeds(&directory, &format!("study re {small}")));
    assert!(
        said.contains(alone.trim_end()),
        "the same as alone:\n{alone}"
    );
    fails(
        &directory,
        &format!("study all {small} --machine mali450-re"),
        2,
        &["--machine", "one study"],
    );
    fails(&directory, "study al", 2, &["expected all, re"]);
    // The papers' numbers before all figures, each once, as in the JSON.
    let json = fs::read_to_string(directory.join("report/study.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let numbers = json["numbers"].as_array().unwrap();
    let first = page.split("<h2 ").next().unwrap();
    assert_eq!(
        first.matches("<tr><td>").count(),
        numbers.len(),
        "a row each"
    );
    let table = fs::read_to_string(directory.join("report/numbers.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + numbers.len(), "and a line each");
    let verdicts: Vec<_> = numbers.iter().map(|number| &number["verdict"]).collect();
    assert!(verdicts.iter().all(|verdict| verdict.is_string()), "judged");
    assert!(
        first.contains("64x64 pixels, not 1196x768"),
        "unlike the paper"
    );
}

/// A figure that needs no game has no trend of games; its numbers are those of the figure alone.
#[test]
fn study_of_figures_without_games_judges_no_trend() {
    let directory = workshop("study-loops");
    for id in ["boustro.fig4", "boustro.fig9"] {
        let said = stdout(&succeeds(&directory, &format!("study {id}")));
        assert!(!said.contains("DOES NOT HOLD"), "{said}");
        assert_eq!(said.matches(": not measured").count(), 5, "{said}");
        let json = stdout(&succeeds(&directory, &format!("study {id} --json")));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        for trend in json["trends"].as_array().unwrap() {
            assert!(trend["holds"].is_null(), "{trend}");
        }
        succeeds(&directory, &format!("study {id} -o report"));
        let page = fs::read_to_string(directory.join("report/index.html")).unwrap();
        assert!(!page.contains("does not hold"), "{id} in the page");
    }
}

#[test]
fn study_area_says_what_techniques_add() {
    let directory = workshop("study-area");
    let said = stdout(&succeeds(&directory, "study area"));
    for words in [
        "libra",
        "Temperature Table",
        "4080",
        "khepri",
        "Signature Buffer",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    // 510 entries of 64 bits are 3.98 KiB.
    assert!(
        said.contains("the paper's about 4 KB, ours 4.0 KB"),
        "{said}"
    );
    fails(
        &directory,
        "study area --machine emerald-soc",
        2,
        &["carries no technique"],
    );
}
