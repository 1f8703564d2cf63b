//! Results on standard output.

use std::path::PathBuf;

use serde::{Serialize, Serializer};

use super::args::SimulateArgs;
use super::machines::LeftOut;
use super::run::Run;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::stamp::Stamp;
use azulejo_gpu::FrameReport;
use azulejo_report::{
    Simulation, frame_record, machines_table, simulation_table, system_record, system_table,
};
use azulejo_soc::SystemReport;
use azulejo_sweep::RESULTS_VERSION;

/// JSON output: the same bytes for the same frames and machines, so the command line (which may name threads) is not in it.
#[derive(Debug, Serialize)]
struct SimulateJson<'a> {
    generator: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    git: Option<&'static str>,
    results_version: u32,
    scene: &'a str,
    scene_hash: &'a str,
    changes: Vec<String>,
    /// Reason why these are not all frames, where they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<&'a str>,
    machines: Vec<MachineJson<'a>>,
    /// Machines that cannot carry techniques which others of the run do.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    left_out: &'a [LeftOut],
}

#[derive(Debug, Serialize)]
struct MachineJson<'a> {
    machine: &'a str,
    frames: Vec<Record<'a>>,
    /// Record of all agents that share the memory, where it is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<Shared>,
}

/// Report on a system, whose record is made when it is written.
#[derive(Debug)]
struct Shared(SystemReport);

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        system_record(&self.0).serialize(to)
    }
}

/// Report on a frame, whose record is made when it is written, so that there is one of them at a time.
#[derive(Debug)]
struct Record<'a>(&'a FrameReport);

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        frame_record(self.0).serialize(to)
    }
}

/// Results that are to be printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Results<'a> {
    pub(super) stamp: &'a Stamp,
    pub(super) left_out: &'a [LeftOut],
    pub(super) runs: &'a [Run],
    /// Reason why there are fewer frames than asked for, if there are.
    pub(super) cut: Option<&'a Failure>,
}

/// Prints the tables, or JSON.
pub(super) fn print(args: &SimulateArgs, results: &Results<'_>, console: Console) -> Outcome {
    if args.output.json {
        return console.print_json(&json(args, results));
    }
    let Results { stamp, runs, .. } = results;
    let sums: Vec<Simulation> = runs.iter().filter_map(|run| run.sum.clone()).collect();
    let mut texts = Vec::new();
    if !args.output.brief {
        for (sum, run) in sums.iter().zip(*runs) {
            let mut sum = sum.clone();
            // A phone's frames a second are those of all agents that share its memory: these first, and what techniques
            // counted there only there.
            if let Some(system) = run.system() {
                texts.push(system_table(&run.name, &system));
                let counted = |name| {
                    let mut there = system.techniques.iter();
                    there.any(|own| own.technique == name && !own.counters.is_empty())
                };
                sum.techniques.retain(|own| !counted(own.technique));
            }
            texts.push(simulation_table(&stamp.scene, &sum, &run.lines));
        }
    }
    if args.output.brief || sums.len() > 1 {
        let left_out = results.left_out.iter();
        let left_out: String = left_out
            .map(|LeftOut { machine, reason }| format!("  left out: {machine}: {reason}\n"))
            .collect();
        texts.push(machines_table(&sums) + &left_out);
    }
    console.print(&texts.join("\n"))
}

/// Reports the written files: with the table, or beside the JSON.
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

fn json<'a>(args: &SimulateArgs, results: &Results<'a>) -> SimulateJson<'a> {
    let Results {
        stamp,
        left_out,
        runs,
        cut,
    } = *results;
    let changes = args.hardware.set.iter();
    let machines = runs.iter().map(|run| MachineJson {
        machine: &run.name,
        frames: run.frames.iter().map(Record).collect(),
        system: run.system().map(Shared),
    });
    SimulateJson {
        generator: &stamp.generator,
        git: stamp.git,
        results_version: RESULTS_VERSION,
        scene: &stamp.scene,
        scene_hash: &stamp.scene_hash,
        changes: changes
            .map(|change| format!("{}={}", change.key, change.value))
            .collect(),
        partial: cut.map(|cut| cut.message.as_str()),
        machines: machines.collect(),
        left_out,
    }
}
