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

use self::args::{Ask, AskArgs, Engine, Numbers, Place};
use self::engines::{Caller, Task};
use self::frames::Frames;
use self::inputs::Sweep;
use self::local::Ran;
use self::status::{FailedPoint, Status, failures};
use self::store::{Failed, State, Store};
use super::{Console, Outcome};
use crate::cli::failure::Failure;
use crate::cli::interrupt;
use crate::cli::output::{Inputs, Outputs};
pub(in crate::cli) use args::SweepArgs;
use azulejo_sweep::Plan;

/// Most points of a sweep whose table is printed after a run.
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
    let folder = &place.folder;
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::of_file(folder, "is a file; expected a folder"));
    }
    Ok((Sweep::load(&place.file)?, Store::new(folder)))
}

fn report_again(ask: &AskArgs, console: Console) -> Outcome {
    let place = ask.place();
    let (mut sweep, store) = open(&place)?;
    let outputs = outputs(&mut sweep, &store)?;
    let table = report::table(&sweep, &store)?;
    if table.is_empty() {
        let failure = Failure::of_file(&place.folder, "holds no finished point of this sweep");
        return Err(failure.hint("`azulejo sweep FILE` runs it; -o names another folder"));
    }
    let inputs = sweep.fingerprint();
    report::say(&table, inputs, ask.json, console)?;
    let written = report::write(&table, inputs, &place, &outputs)?;
    report::say_written(&written, ask.json, console)
}

/// Runs the points that are not done.
fn sweep(args: &SweepArgs, console: Console) -> Outcome {
    let place = args.place();
    let (mut sweep, store) = open(&place)?;
    let outputs = outputs(&mut sweep, &store)?;
    let numbers = numbers(&sweep.plan, args.run.point)?;
    let caller = Caller::new(&place)?;
    let status = Status::of(&sweep, &store, numbers);
    if args.run.on == Engine::Print {
        if status.undone.is_empty() {
            console.note("no point is left: all are done");
        }
        let lines = status.undone.iter();
        let lines = lines.map(|&point| caller.line(Task::of(point)) + "\n");
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
        return ended(false, draw(&frames, &status.undone, &caller, console));
    }
    let ran = match args.run.on {
        Engine::Slurm | Engine::Hyperqueue => {
            elsewhere(args, &frames, &caller, &status.undone, console)?
        }
        Engine::Local | Engine::Print => {
            let command = |point| caller.line(Task::of(point));
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
    // Points whose frames cannot be drawn fail as others do, and say so in the folder.
    draw(frames, undone, caller, console);
    let tasks = engines::tasks(undone, args.run.chunk);
    match args.run.on {
        Engine::Slurm => engines::slurm(caller, frames.store, &tasks, console)?,
        _ => engines::hyperqueue(caller, frames.store, &tasks, console)?,
    }
    Ok(Ran {
        failed: without_result(frames, caller, undone),
        interrupted: false,
    })
}

/// Those of `points` that have no result, and why: a task that was stopped with its computer cannot report it.
fn without_result(frames: &Frames<'_>, caller: &Caller, points: &[u64]) -> Vec<(u64, Failed)> {
    let why = |number: u64| {
        let point = frames.sweep.plan.point(number)?;
        let failed = match frames.store.state(frames.sweep.print(&point)) {
            State::Done => return None,
            State::Failed(failed) => failed,
            State::Left | State::Running | State::Unusable(_) => Failed {
                error: "its task ended without a result".to_owned(),
                command: caller.line(Task::of(number)),
            },
        };
        Some((number, failed))
    };
    points.iter().filter_map(|number| why(*number)).collect()
}

/// Draws the frames of points, of which many have the same; returns the points that have none, and why.
fn draw(
    frames: &Frames<'_>,
    points: &[u64],
    caller: &Caller,
    console: Console,
) -> Vec<(u64, Failed)> {
    let spinner = console.spinner("drawing frames");
    let mut failed = Vec::new();
    let points = points.iter();
    for point in points.filter_map(|number| frames.sweep.plan.point(*number)) {
        let drawn = frames.sweep.spec(&point);
        let drawn = drawn.and_then(|spec| frames.prepared(&point, &spec));
        if let Err(failure) = drawn {
            let command = caller.line(Task::of(point.number));
            let error = failure.message;
            failed.push((point.number, Failed { error, command }));
        }
    }
    spinner.finish_and_clear();
    failed
}

/// Outcome of the points: for failed ones what failed, and how to go on.
fn ended(interrupted: bool, failed: Vec<(u64, Failed)>) -> Outcome {
    if interrupted {
        return Err(interrupt::failure(
            "what is finished is kept; start it again to go on",
        ));
    }
    if failed.is_empty() {
        return Ok(());
    }
    let failed: Vec<_> = (failed.into_iter())
        .map(|(point, why)| FailedPoint { point, why })
        .collect();
    let problem = format!(
        "{} of the points failed\n{}",
        failed.len(),
        failures(&failed)
    );
    let hint = "they are run again when the sweep is started again";
    Err(Failure::new(problem.trim_end()).hint(hint))
}

/// Reports the outcome, and writes the table of all that is done.
fn end(
    args: &SweepArgs,
    frames: &Frames<'_>,
    ran: Ran,
    outputs: &Outputs,
    console: Console,
) -> Outcome {
    // A task of some points leaves the table to the run of all.
    if args.run.point.is_none() && !ran.interrupted {
        let table = report::table(frames.sweep, frames.store)?;
        let inputs = frames.sweep.fingerprint();
        let is_short = frames.sweep.plan.n_points() <= SHOWN;
        if is_short || args.run.json {
            report::say(&table, inputs, args.run.json, console)?;
        }
        let written = report::write(&table, inputs, &args.place(), outputs)?;
        report::say_written(&written, args.run.json, console)?;
    }
    ended(ran.interrupted, ran.failed)
}

/// Outputs of table and page, checked to be no input of the sweep.
fn outputs(sweep: &mut Sweep, store: &Store) -> Outcome<Outputs> {
    let inputs: Inputs = std::mem::take(&mut sweep.inputs);
    let mut outputs = Outputs::of(inputs);
    let files = report::files();
    outputs.plan_folder(&store.file(""), "-o", files.iter().map(String::as_str))?;
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
