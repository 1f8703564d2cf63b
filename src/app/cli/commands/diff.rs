//! `azulejo diff`: two results, two machines or two pictures side by side, for people and for a build that must not get
//! worse.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::{Console, Outcome};
use crate::cli::args::png_paths;
use crate::cli::failure::Failure;
use crate::cli::files::{picture_file, save};
use crate::cli::machine_input::machine_parameters;
use crate::cli::output::{Inputs, Named, Outputs};
use crate::cli::stamp::Stamp;
use azulejo_gpu::machine::built_in;
use azulejo_render::output::{Difference, side_by_side};
use azulejo_report::{Change, Changes, Threshold, changes_table, number_text};

/// Say what changed between two results, machines or pictures, and by how much
///
/// Results are what `simulate`, `study`, `characterize` or `render` print with --json; numbers are compared by name, the
/// largest relative change first. Machines are named, or are TOML files; what they include is compared too. Pictures are
/// PNG, JPEG or WebP files.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct DiffArgs {
    /// Before: a result's JSON file, a machine by name or TOML file, or a picture
    #[arg(value_name = "A")]
    before: PathBuf,
    /// After, of the same kind
    #[arg(value_name = "B")]
    after: PathBuf,
    /// Change that is allowed: 1%, or by name, cycles=0.5%; may be repeated
    ///
    /// It is how far a number may be from what it was; a NAME is for the numbers whose dotted name has it in. Numbers that
    /// are further, and those that only one side has, end the command with code 1. If several fit a number, the longest
    /// counts. For pictures, pixels=PERCENT that differ (or PERCENT alone), and mean= and max= difference of a channel, of
    /// 255.
    #[arg(long, value_name = "[NAME=]PERCENT")]
    threshold: Vec<Threshold>,
    /// Most lines of each kind in the table
    #[arg(long, value_name = "N", default_value_t = 40)]
    top: usize,
    /// For pictures: A | B | their difference, brightened 32 times, in one PNG
    #[arg(short, long, value_name = "FILE.png", value_parser = png_paths())]
    output: Option<PathBuf>,
    /// Print all of it as JSON
    #[arg(long)]
    json: bool,
}

/// Most bytes of a result: as a tree it takes several times as many.
const MAX_RESULT: u64 = 256 << 20;

/// JSON output of a comparison.
#[derive(Debug, Serialize)]
struct DiffJson<'a, T> {
    before: String,
    after: String,
    #[serde(flatten)]
    found: &'a T,
    /// Names of what is further than a threshold allows.
    beyond: &'a [String],
}

pub(super) fn run(args: &DiffArgs, console: Console) -> Outcome {
    let (before, after) = (&args.before, &args.after);
    match (is_picture(before), is_picture(after)) {
        (true, true) => return pictures(args, console),
        (false, false) => {}
        _ => {
            let problem = format!(
                "{}, {}: one of them is a picture",
                before.display(),
                after.display()
            );
            return Err(Failure::usage(problem).hint("compare two of the same kind"));
        }
    }
    if args.output.is_some() {
        return Err(Failure::usage(
            "-o is for pictures: there is none of numbers",
        ));
    }
    let changes = Changes::between(&tree(before)?, &tree(after)?);
    let beyond = beyond(&args.threshold, &changes);
    if args.json {
        print_json(args, &changes, &beyond, console)?;
    } else {
        let is_beyond = |change: &Change| is_beyond(&args.threshold, change);
        let table = changes_table(&changes, args.top, is_beyond);
        let title = format!("{} -> {}: ", before.display(), after.display());
        console.print(&(title + &table))?;
    }
    judged(&beyond)
}

fn print_json<T: Serialize>(
    args: &DiffArgs,
    found: &T,
    beyond: &[String],
    console: Console,
) -> Outcome {
    console.print_json(&DiffJson {
        before: args.before.display().to_string(),
        after: args.after.display().to_string(),
        found,
        beyond,
    })
}

/// Outcome of a command that found these numbers beyond what thresholds allow.
fn judged(beyond: &[String]) -> Outcome {
    const NAMED: usize = 3;
    let (first, rest) = beyond.split_at(beyond.len().min(NAMED));
    let more = match rest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match beyond.len() {
        0 => Ok(()),
        _ => Err(Failure::new(format!(
            "beyond what --threshold allows: {}{more}",
            first.join(", ")
        ))),
    }
}

fn is_beyond(thresholds: &[Threshold], change: &Change) -> bool {
    Threshold::allowed(thresholds, &change.name).is_some_and(|most| change.size() > most)
}

/// Names of numbers that changed further than allowed, and of parts that one side alone has and a threshold is for.
fn beyond(thresholds: &[Threshold], changes: &Changes) -> Vec<String> {
    let changed = changes.changed.iter();
    let changed = changed.filter(|change| is_beyond(thresholds, change));
    let parts = changes.only_before.iter().chain(&changes.only_after);
    let parts = parts.filter(|part| Threshold::allowed(thresholds, &part.name).is_some());
    changed
        .map(|change| change.name.clone())
        .chain(parts.map(|part| part.name.clone()))
        .collect()
}

/// Reads a result or a machine as a tree.
fn tree(name: &Path) -> Outcome<Value> {
    let is_machine_file = name.extension().is_some_and(|ending| ending == "toml");
    let text = name.to_string_lossy();
    if is_machine_file || built_in(&text).is_some() {
        return machine_parameters(&text);
    }
    if !name.exists() {
        let problem = "no machine of this name and no such file";
        let hint = "expected a result that a command printed with --json, a machine of `azulejo list` or its TOML file, or a picture";
        return Err(Failure::of_file(name, problem).hint(hint));
    }
    result(name)
}

fn result(file: &Path) -> Outcome<Value> {
    let unreadable = |error: std::io::Error| Failure::of_error(file, &error);
    let metadata = std::fs::metadata(file).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(Failure::of_file(file, "is no regular file"));
    }
    if metadata.len() > MAX_RESULT {
        let problem = format!("has more than {MAX_RESULT} bytes");
        return Err(Failure::of_file(file, problem).hint("compare results of fewer frames"));
    }
    let open = File::open(file).map_err(unreadable)?;
    serde_json::from_reader(BufReader::new(open.take(MAX_RESULT))).map_err(|error| {
        Failure::of_file(file, format!("no JSON: {error}"))
            .hint("expected what `simulate`, `study` or `characterize` print with --json")
    })
}

fn is_picture(name: &Path) -> bool {
    let ending = name.extension().unwrap_or_default();
    ["png", "jpg", "jpeg", "webp"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// Differences of two pictures in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct PictureChanges {
    /// Pixels of either picture.
    pixels: u64,
    /// Pixels that are not equal in both.
    pixels_that_differ: u64,
    /// Mean difference of a channel, of 255.
    mean_difference: f64,
    /// Largest difference of a channel, of 255.
    max_difference: u8,
}

fn pictures(args: &DiffArgs, console: Console) -> Outcome {
    let inputs = Inputs::default().file(&args.before, "the picture");
    let mut outputs = Outputs::of(inputs.file(&args.after, "the picture"));
    if let Some(file) = &args.output {
        outputs.plan(file, "-o", Named::ByUser)?;
    }
    let console = console.beside_file(outputs.take_standard_output());
    let (before, after) = (picture_file(&args.before)?, picture_file(&args.after)?);
    let sizes = [&before, &after].map(|picture| (picture.width, picture.height));
    if sizes[0] != sizes[1] {
        let [(w0, h0), (w1, h1)] = sizes;
        let problem = format!(
            "{w1}x{h1} pixels; expected {w0}x{h0}, as {}",
            args.before.display()
        );
        return Err(Failure::of_file(&args.after, problem));
    }
    let difference = Difference::between(&before, &after);
    let found = PictureChanges {
        pixels: difference.pixels,
        pixels_that_differ: difference.differing,
        mean_difference: difference.mean_diff,
        max_difference: difference.max_diff,
    };
    let beyond = beyond_pictures(&args.threshold, &found)?;
    if let Some(file) = &args.output {
        let sheet = side_by_side(&before, &after);
        let content = crc32fast::hash(sheet.pixels.as_flattened());
        save(&outputs, file, &sheet, &Stamp::new("two pictures", content))?;
    }
    if args.json {
        print_json(args, &found, &beyond, console)?;
    } else {
        let [before, after] = [&args.before, &args.after].map(|file| file.display());
        let share = 100.0 * found.share();
        console.print(&format!(
            "{before} -> {after}: {} of {} pixels differ ({share:.4} %), by {} of 255 at most and {} on average\n",
            found.pixels_that_differ,
            found.pixels,
            found.max_difference,
            number_text(found.mean_difference)
        ))?;
    }
    judged(&beyond)
}

impl PictureChanges {
    /// Share of the pixels that differ.
    fn share(&self) -> f64 {
        self.pixels_that_differ as f64 / self.pixels.max(1) as f64
    }
}

/// Names of the differences that are larger than allowed.
fn beyond_pictures(thresholds: &[Threshold], found: &PictureChanges) -> Outcome<Vec<String>> {
    let mut beyond = Vec::new();
    for threshold in thresholds {
        // Thresholds are shares of 1; differences of 255 are meant as they are typed.
        let typed = 100.0 * threshold.most;
        let (name, value) = match threshold.names.as_deref() {
            None | Some("pixels") => ("pixels", 100.0 * found.share()),
            Some("mean") => ("mean", found.mean_difference),
            Some("max") => ("max", f64::from(found.max_difference)),
            Some(other) => {
                let problem = format!("--threshold {other}: pictures have none of this name");
                return Err(Failure::usage(problem).hint("expected pixels, mean or max"));
            }
        };
        if value > typed {
            beyond.push(name.to_owned());
        }
    }
    Ok(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beyond_of(texts: &[&str]) -> Outcome<Vec<String>> {
        let thresholds: Vec<_> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let found = PictureChanges {
            pixels: 200,
            pixels_that_differ: 3,
            mean_difference: 0.25,
            max_difference: 7,
        };
        beyond_pictures(&thresholds, &found)
    }

    #[test]
    fn thresholds_of_pictures_are_those_of_their_numbers() {
        assert_eq!(
            beyond_of(&["1.5%", "mean=0.25", "max=7"]),
            Ok(vec![]),
            "at most"
        );
        let beyond = beyond_of(&["1.4", "mean=0.2", "max=6.9"]).unwrap();
        assert_eq!(beyond, ["pixels", "mean", "max"], "each");
        let failure = beyond_of(&["cycles=1"]).unwrap_err();
        assert!(failure.message.contains("cycles"), "{}", failure.message);
    }

    #[test]
    fn parts_of_one_side_count_where_a_threshold_is_for_them() {
        let changes = Changes::between(
            &serde_json::json!({"a": {"x": 1}, "b": 4}),
            &serde_json::json!({"b": 4}),
        );
        let found = |text: &str| beyond(&[text.parse().unwrap()], &changes);
        assert_eq!(found("5%"), ["a"], "it is gone");
        assert!(found("b=5%").is_empty(), "of another");
    }
}
