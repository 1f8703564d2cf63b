//! Results to standard output.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::args::SimulateArgs;
use super::run::Run;
use crate::app::cli::console::Console;
use crate::app::cli::failure::{Failure, Outcome};
use crate::app::cli::stamp::Stamp;
use crate::report::{Simulation, frame_record, machines_table, simulation_table};

/// The JSON: the same bytes for the same frames and machines, so the command line (which may name threads) is not in it.
#[derive(Debug, Serialize)]
struct SimulateJson<'a> {
    generator: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    git: Option<&'static str>,
    scene: &'a str,
    scene_hash: &'a str,
    changes: Vec<String>,
    /// Why these are not all frames, where they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<&'a str>,
    machines: Vec<MachineJson<'a>>,
}

#[derive(Debug, Serialize)]
struct MachineJson<'a> {
    machine: &'a str,
    frames: Vec<Value>,
}

/// The table, or JSON.
pub(super) fn print(
    args: &SimulateArgs,
    (stamp, cut): (&Stamp, Option<&Failure>),
    runs: &[Run],
    console: Console,
) -> Outcome {
    if args.output.json {
        let partial = cut.map(|cut| cut.message.as_str());
        return console.print_json(&SimulateJson {
            partial,
            ..json(args, stamp, runs)
        });
    }
    let sums: Vec<_> = (runs.iter())
        .filter_map(|run| Simulation::of(&run.name, &run.frames))
        .collect();
    let mut texts: Vec<String> = (sums.iter().zip(runs))
        .map(|(sum, run)| simulation_table(&stamp.scene, sum, &run.frames))
        .collect();
    if sums.len() > 1 {
        texts.push(machines_table(&sums));
    }
    console.print(&texts.join("\n"))
}

/// Which files there are now: with the table, or beside the JSON.
pub(super) fn say_written(args: &SimulateArgs, files: &[PathBuf], console: Console) -> Outcome {
    let lines = files
        .iter()
        .map(|file| format!("wrote {}\n", file.display()));
    let text: String = lines.collect();
    if text.is_empty() {
        return Ok(());
    }
    if args.output.json {
        console.note(text.trim_end());
        return Ok(());
    }
    console.print(&text)
}

fn json<'a>(args: &SimulateArgs, stamp: &'a Stamp, runs: &'a [Run]) -> SimulateJson<'a> {
    let changes = args.hardware.set.iter();
    let machines = runs.iter().map(|run| MachineJson {
        machine: &run.name,
        frames: run.frames.iter().map(frame_record).collect(),
    });
    SimulateJson {
        generator: &stamp.generator,
        git: stamp.git,
        scene: &stamp.scene,
        scene_hash: &stamp.scene_hash,
        changes: changes
            .map(|change| format!("{}={}", change.key, change.value))
            .collect(),
        partial: None,
        machines: machines.collect(),
    }
}
