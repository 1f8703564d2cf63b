//! Both sides drawn, compared, timed and reported.

use std::time::Instant;

use serde::Serialize;

use super::args::CompareArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::files;
use crate::cli::output::{Inputs, Named, Outputs};
use crate::cli::shot::{self, PreparedShot};
use crate::cli::stamp::Stamp;
use azulejo_reference::{
    AdapterChoice, CompareReport, Reference, Schedule, TOLERANCE, compare, side_by_side,
};
use azulejo_report::{Align, aligned, grouped};
use azulejo_shot::{Moment, Shot};

/// Figures of the comparison and their provenance.
#[derive(Debug, Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    figures: &'a CompareReport,
    #[serde(flatten)]
    stamp: &'a Stamp,
    threads: usize,
    simd: String,
}

pub(in crate::cli::commands) fn run(args: &CompareArgs, console: Console) -> Outcome {
    let mut outputs = Outputs::of(Inputs::of_shot(&args.shot));
    if let Some(file) = &args.output {
        outputs.plan(file, "-o", Named::ByUser)?;
    }
    let console = console.beside_file(outputs.take_standard_output());
    let mut renderer = shot::renderer(&args.shot.machine)?;
    let reference = Reference::new(AdapterChoice::Best).map_err(Failure::new)?;
    let PreparedShot { shot, stamp, .. } = PreparedShot::new(&args.shot, console)?;
    let still = shot.at(Moment::at(args.shot.scene.start()));
    let schedule = if args.bench {
        Schedule::BENCH
    } else {
        Schedule::SHORT
    };
    let spinner = console.spinner("drawing on both sides");
    let start = Instant::now();
    let comparison = compare(&reference, &mut renderer, &still.input(), schedule, &|| {
        start.elapsed()
    })
    .map_err(Failure::new)?;
    spinner.finish_and_clear();
    let printed = if args.json {
        console.print_json(&Report {
            figures: &comparison.report,
            stamp: &stamp,
            threads: renderer.threads(),
            simd: renderer.simd().to_string(),
        })
    } else {
        console.print(&text(&comparison.report, &shot))
    };
    if let Some(file) = &args.output {
        let picture = side_by_side(&comparison.ours, &comparison.theirs);
        files::save(&outputs, file, &picture, &stamp)?;
    }
    printed
}

fn text(report: &CompareReport, shot: &Shot) -> String {
    let share = |count: u64| 100.0 * count as f64 / report.pixels as f64;
    let of_pixels = |count| format!("{} ({:.4} %)", grouped(count), share(count));
    let differences = [
        ("pixels", grouped(report.pixels)),
        (
            "covered by one side only",
            of_pixels(report.coverage_mismatch),
        ),
        (
            &*format!("off by more than {TOLERANCE} of 255"),
            of_pixels(report.off_by_more_than_2),
        ),
        ("largest difference", format!("{} of 255", report.max_diff)),
        ("mean difference", format!("{:.4} of 255", report.mean_diff)),
    ]
    .map(|(name, value)| vec![name.to_owned(), value]);
    let header = ["ms a frame", "min", "median", "max"].map(str::to_owned);
    let sides = [("azulejo", report.ours_ms), ("driver", report.theirs_ms)];
    let mut times = vec![header.to_vec()];
    times.extend(sides.map(|(side, times)| {
        let ms = |value: f64| format!("{value:.2}");
        vec![
            side.to_owned(),
            ms(times.min),
            ms(times.median),
            ms(times.max),
        ]
    }));
    let align = [Align::Left, Align::Right, Align::Right, Align::Right];
    format!(
        "{}: {}x{} pixels, against {}\n{}{}azulejo is {:.2} times as fast as the driver (medians)\n",
        shot.content.scene.name,
        shot.settings.width,
        shot.settings.height,
        report.driver,
        aligned(&differences, &[]),
        aligned(&times, &align),
        report.ratio
    )
}
