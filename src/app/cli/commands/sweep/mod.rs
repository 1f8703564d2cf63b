//! `azulejo sweep`: every combination of scenes, machines, techniques and changes, kept point by point.

mod args;
mod engines;
mod frames;
mod inputs;
mod local;
mod report;
mod status;
mod store;
mod work;

use std::path::PathBuf;

use self::args::{Ask, AskArgs, Engine, Numbers, Place};
use self::engines::{Caller, Task};
use self::frames::Frames;
use self::inputs::Sweep;
use self::local::Ran;
use self::status::{FailedPoint, Status, failures};
use self::store::Store;
use super::{Console, Outcome};
use crate::app::cli::failure::Failure;
use crate::app::cli::interrupt;
use crate::app::cli::output::{Inputs, Outputs};
use crate::sweep::Plan;
pub(in crate::app::cli) use args::SweepArgs;

/// Points of a sweep whose table is printed after a run.
const SHOWN: u64 = 60;

pub(super) fn run(args: &SweepArgs, console: Console) -> Outcome {
    match &args.ask {
        None => sweep(args, console),
        Some(Ask::Status(ask)) => {
            let (sweep, store) = open(&ask.place())?;
            let status = Status::of(&sweep, &store, 0..sweep.plan.n_points());
            match ask.json {
                true => console.print_json(&status),
                false => console.print(&status.text()),
            }
        }
        Some(Ask::Report(ask)) => report_again(ask, console),
    }
}

fn open(place: &Place) -> Outcome<(Sweep, Store)> {
    Ok((Sweep::load(&place.file)?, Store::new(&place.folder)))
}

fn report_again(ask: &AskArgs, console: Console) -> Outcome {
    let place = ask.place();
    let (mut sweep, store) = open(&place)?;
    let outputs = outputs(&mut sweep, &store)?;
    let table = report::table(&sweep, &store)?;
    report::say(&table, ask.json, console)?;
    report::write(&table, &place, &outputs, ask.json, console)
}

/// Runs what is not done.
fn sweep(args: &SweepArgs, console: Console) -> Outcome {
    let place = args.place();
    let (mut sweep, store) = open(&place)?;
    let outputs = outputs(&mut sweep, &store)?;
    let numbers = numbers(&sweep.plan, args.run.point)?;
    let caller = Caller::new(&place)?;
    let status = Status::of(&sweep, &store, numbers);
    if args.run.on == Engine::Print {
        let lines = status.undone.iter().map(|&point| {
            caller.line(Task {
                first: point,
                last: point,
            }) + "\n"
        });
        return console.print(&lines.collect::<String>());
    }
    for unusable in &status.unusable {
        log::warn!(
            "point {} is run again: {}",
            unusable.point,
            unusable.problem
        );
    }
    let frames = Frames::new(&sweep, &store, args.run.threads, console);
    if args.run.frames_only {
        return draw(&frames, &status.undone, console);
    }
    let ran = match args.run.on {
        Engine::Slurm | Engine::Hyperqueue => {
            elsewhere(args, &frames, &caller, &status.undone, console)?
        }
        Engine::Local | Engine::Print => {
            let command = |point| {
                caller.line(Task {
                    first: point,
                    last: point,
                })
            };
            local::run(&frames, &status.undone, args.run.threads, &command, console)?
        }
    };
    end(args, &frames, ran, &outputs, console)
}

/// Hands the points to an engine. Frames are drawn first, so that tasks do not all draw them.
fn elsewhere(
    args: &SweepArgs,
    frames: &Frames<'_>,
    caller: &Caller,
    undone: &[u64],
    console: Console,
) -> Outcome<Ran> {
    if undone.is_empty() {
        return Ok(Ran::default());
    }
    draw(frames, undone, console)?;
    let tasks = engines::tasks(undone, args.run.chunk);
    match args.run.on {
        Engine::Slurm => engines::slurm(caller, frames.store, &tasks, console)?,
        _ => engines::hyperqueue(caller, frames.store, &tasks, console)?,
    }
    let points = 0..frames.sweep.plan.n_points();
    let status = Status::of(frames.sweep, frames.store, points);
    let failed = status
        .failed
        .into_iter()
        .map(|failed| (failed.point, failed.why));
    Ok(Ran {
        failed: failed.collect(),
        interrupted: false,
    })
}

/// Draws the frames of points, of which many have the same.
fn draw(frames: &Frames<'_>, points: &[u64], console: Console) -> Outcome {
    let spinner = console.spinner("drawing frames");
    let drawn = points
        .iter()
        .filter_map(|number| frames.sweep.plan.point(*number));
    let drawn = drawn.map(|point| {
        let spec = frames.sweep.spec(&point)?;
        frames.prepared(&point, &spec)
    });
    let drawn = drawn.collect::<Outcome<Vec<PathBuf>>>();
    spinner.finish_and_clear();
    drawn.map(drop)
}

/// Says what came of it, and writes the table of all that is done.
fn end(
    args: &SweepArgs,
    frames: &Frames<'_>,
    ran: Ran,
    outputs: &Outputs,
    console: Console,
) -> Outcome {
    let failed: Vec<_> = (ran.failed.into_iter())
        .map(|(point, why)| FailedPoint { point, why })
        .collect();
    let ended = if ran.interrupted {
        Err(interrupt::failure(
            "what is finished is kept; start it again to go on",
        ))
    } else if failed.is_empty() {
        Ok(())
    } else {
        let problem = format!(
            "{} of the points failed\n{}",
            failed.len(),
            failures(&failed)
        );
        Err(Failure::new(problem.trim_end())
            .hint("they are run again when the sweep is started again"))
    };
    // A task of some points leaves the table to who runs all.
    if args.run.point.is_none() && !ran.interrupted {
        let table = report::table(frames.sweep, frames.store)?;
        let is_short = frames.sweep.plan.n_points() <= SHOWN;
        if is_short || args.run.json {
            report::say(&table, args.run.json, console)?;
        }
        report::write(&table, &args.place(), outputs, args.run.json, console)?;
    }
    ended
}

/// Table and page, checked to be no input of the sweep.
fn outputs(sweep: &mut Sweep, store: &Store) -> Outcome<Outputs> {
    let inputs: Inputs = std::mem::take(&mut sweep.inputs);
    let mut outputs = Outputs::of(inputs);
    outputs.plan_folder(&store.file(""), "-o", report::FILES)?;
    Ok(outputs)
}

fn numbers(plan: &Plan, chosen: Option<Numbers>) -> Outcome<std::ops::Range<u64>> {
    let n_points = plan.n_points();
    let Some(Numbers { first, last }) = chosen else {
        return Ok(0..n_points);
    };
    if last < n_points {
        return Ok(first..last + 1);
    }
    let problem = format!("--point {last}: the sweep has {n_points} points, from 0 on");
    Err(Failure::usage(problem))
}
