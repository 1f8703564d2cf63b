//! Result files, each with how it came about.

use std::io::Write;
use std::path::PathBuf;

use super::args::{OutputArgs, SimulateArgs};
use super::machines::NamedSpec;
use super::run::Run;
use super::stream::{self, StreamFile};
use crate::cli::args::{MachineMap, Mapped, ScaleArg};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::files::{picture_of, save as save_picture};
use crate::cli::output::{Inputs, Named, Outputs, with_infix};
use crate::cli::stamp::Stamp;
use azulejo_gpu::{FrameReport, PassReport};
use azulejo_report::page::{Page, Section, html};
use azulejo_report::{
    MachineFrames, bandwidth_chart, draws_csv, frames_csv, intervals_csv, passes_csv, tiles_csv,
    write_perfetto, write_stats,
};
use azulejo_soc::SystemReport;

/// Files of the tables of `--csv`.
const TABLES: [&str; 6] = [
    "stamp.json",
    "frames.csv",
    "tiles.csv",
    "passes.csv",
    "draws.csv",
    "intervals.csv",
];
/// Frames whose names are checked before work begins; those after them are checked as they are written.
const CHECKED_FRAMES: u64 = 10_000;

/// Plans all files of the run, before anything slow.
pub(super) fn plan(args: &SimulateArgs, machines: &[NamedSpec]) -> Outcome<Outputs> {
    let inputs = Inputs::default()
        .scene(&args.scene)
        .environment(args.look.env.as_ref())
        .machines(&args.hardware.machines);
    let mut outputs = Outputs::of(inputs);
    let OutputArgs {
        csv,
        stats_txt,
        perfetto,
        bandwidth,
        heatmap,
        ..
    } = &args.output;
    if let Some(folder) = csv {
        outputs.plan_folder(folder, "--csv", TABLES)?;
    }
    for (file, option) in [
        (stats_txt, "--stats-txt"),
        (perfetto, "--perfetto"),
        (bandwidth, "--bandwidth"),
    ] {
        if let Some(file) = file {
            outputs.plan(file, option, Named::ByUser)?;
        }
    }
    let is_shared = |machine: &NamedSpec| machine.spec.soc.keys().next().is_some();
    if bandwidth.is_some() && !machines.iter().any(is_shared) {
        let problem = "--bandwidth: nobody shares the memory of these machines";
        return Err(Failure::usage(problem).hint("take --machine emerald-soc"));
    }
    if let Some(file) = &args.output.l2_stream {
        stream::plan(file, machines, &mut outputs)?;
    }
    let n_frames = args.output.frames.unwrap_or(1);
    let first = args.scene.first_frame();
    for map in heatmap {
        let shown: Vec<_> = machines.iter().filter(|m| m.shows(map.what)).collect();
        check_shown(map.what, shown.len())?;
        let names = MapNames::new(map, &args.scene.name(), machines.len(), n_frames as usize);
        if names.is_sequence() {
            Outputs::check_sequence(&names.base)?;
        }
        let role = format!("--heatmap {}", map.what.name());
        for machine in shown {
            for frame in first..first + n_frames.min(CHECKED_FRAMES) {
                outputs.plan(&names.of(&machine.label, frame), &role, names.named)?;
            }
        }
    }
    outputs.check()?;
    Ok(outputs)
}

/// Refuses the map of a technique that no machine has.
fn check_shown(map: MachineMap, n_machines: usize) -> Outcome {
    match map.technique() {
        Some(technique) if n_machines == 0 => {
            let (map, technique) = (map.name(), technique.name);
            let problem =
                format!("--heatmap {map} shows what {technique} decides, and no machine has it");
            Err(Failure::usage(problem).hint(format!("add `--technique {technique} --frames 3`")))
        }
        _ => Ok(()),
    }
}

/// Writes the files that were asked for; returns their names.
pub(super) fn write(
    args: &OutputArgs,
    outputs: &Outputs,
    stamp: &Stamp,
    runs: &[Run],
) -> Outcome<Vec<PathBuf>> {
    let systems: Vec<Option<SystemReport>> = runs.iter().map(Run::system).collect();
    let machines: Vec<MachineFrames<'_>> = (runs.iter().zip(&systems))
        .map(|(run, system)| MachineFrames {
            machine: &run.name,
            frames: &run.frames,
            system: system.as_ref(),
        })
        .collect();
    let mut written = Vec::new();
    if let Some(directory) = &args.csv {
        for name in TABLES {
            let text = table(name, stamp, &machines)?;
            written.push(outputs.write(&directory.join(name), text.as_bytes())?);
        }
    }
    if let Some(file) = &args.stats_txt {
        let stats = |to: &mut dyn Write| write_stats(to, &stamp.all_texts(), &machines);
        written.push(outputs.write_by(file, stats)?);
    }
    if let Some(file) = &args.perfetto {
        let stamp = serde_json::to_value(stamp).map_err(Failure::new)?;
        let trace = |to: &mut dyn Write| write_perfetto(to, &stamp, &machines);
        written.push(outputs.write_by(file, trace)?);
    }
    if let Some(file) = &args.bandwidth {
        written.push(outputs.write(file, bandwidth_page(stamp, &machines).as_bytes())?);
    }
    for stream in runs.iter().filter_map(|run| run.stream.as_ref()) {
        written.extend(StreamFile::finish(stream, outputs)?);
    }
    for map in &args.heatmap {
        let how = (args.heatmap_scale, args.pass.as_deref());
        written.extend(draw(map, how, outputs, stamp, runs)?);
    }
    Ok(written)
}

/// Page of the bandwidth of all agents that share the memory, a chart for each machine that is a system.
fn bandwidth_page(stamp: &Stamp, machines: &[MachineFrames<'_>]) -> String {
    let systems = machines.iter();
    let systems = systems.filter_map(|machine| Some((machine.machine, machine.system?)));
    let charts: Vec<_> = systems
        .map(|(name, system)| bandwidth_chart(name, system))
        .collect();
    let section = Section {
        id: "bandwidth".to_owned(),
        title: "Bandwidth by agent over time".to_owned(),
        charts,
        ..Section::default()
    };
    html(&Page {
        title: stamp.scene.clone(),
        sections: vec![section],
        ..Page::default()
    })
}

/// Names of the maps of one cost: they tell apart machines and frames of which there are several.
struct MapNames {
    base: PathBuf,
    named: Named,
    by_machine: bool,
    by_frame: bool,
}

impl MapNames {
    fn new(map: &Mapped<MachineMap>, scene: &str, machines: usize, frames: usize) -> Self {
        let unnamed = || format!("{scene}.{}.png", map.what.name()).into();
        Self {
            base: map.file.clone().unwrap_or_else(unnamed),
            named: map
                .file
                .as_ref()
                .map_or(Named::ByDefault, |_| Named::ByUser),
            by_machine: machines != 1,
            by_frame: frames != 1,
        }
    }

    fn is_sequence(&self) -> bool {
        self.by_machine || self.by_frame
    }

    fn of(&self, label: &str, frame: u64) -> PathBuf {
        let mut file = self.base.clone();
        if self.by_machine {
            file = with_infix(&file, label);
        }
        if self.by_frame {
            file = with_infix(&file, &format!("{frame:04}"));
        }
        file
    }
}

/// Draws a map for each frame of each machine that has one: a technique that learns from frames says nothing of the first.
fn draw(
    arg: &Mapped<MachineMap>,
    (scale, pass): (ScaleArg, Option<&str>),
    outputs: &Outputs,
    stamp: &Stamp,
    runs: &[Run],
) -> Outcome<Vec<PathBuf>> {
    let n_frames = runs.first().map_or(0, |run| run.lines.len());
    let names = MapNames::new(arg, &stamp.scene, runs.len(), n_frames);
    let mut written = Vec::new();
    for run in runs {
        for frame in &run.frames {
            let map = match pass {
                None => arg.what.of(frame),
                Some(name) => arg.what.of_pass(pass_of(frame, name)?),
            };
            let Some(map) = map else {
                continue;
            };
            let file = names.of(&run.label, frame.frame);
            let picture = picture_of(map.scaled(scale.into()).draw(&[]));
            written.push(save_picture(outputs, &file, &picture, stamp)?);
        }
    }
    if written.is_empty() {
        let map = arg.what.name();
        if pass.is_some() {
            let problem = format!("--heatmap {map}: techniques have maps of the last pass alone");
            return Err(Failure::new(problem).hint("try it without --pass"));
        }
        let problem = format!("--heatmap {map}: no frame has it, as none comes after another");
        return Err(Failure::new(problem).hint("add --frames 3"));
    }
    Ok(written)
}

/// Pass of a frame by name or number.
fn pass_of<'f>(frame: &'f FrameReport, name: &str) -> Outcome<&'f PassReport> {
    let number: Option<usize> = name.parse().ok();
    let by_number = || number.and_then(|number| frame.passes.get(number));
    let found = frame.passes.iter().find(|pass| pass.name == name);
    found.or_else(by_number).ok_or_else(|| {
        let names: Vec<_> = frame.passes.iter().map(|pass| pass.name.as_str()).collect();
        let hint = match names.as_slice() {
            [] => "the frame has one pass: try it without --pass".to_owned(),
            names => format!("its passes are {}", names.join(", ")),
        };
        Failure::usage(format!("--pass {name}: no pass of frame {}", frame.frame)).hint(hint)
    })
}

/// One of [`TABLES`]: made when it is written, as all of them take much memory.
fn table(name: &str, stamp: &Stamp, machines: &[MachineFrames<'_>]) -> Outcome<String> {
    Ok(match name {
        "frames.csv" => frames_csv(machines),
        "tiles.csv" => tiles_csv(machines),
        "passes.csv" => passes_csv(machines),
        "draws.csv" => draws_csv(machines),
        "intervals.csv" => intervals_csv(machines),
        _ => serde_json::to_string_pretty(stamp).map_err(Failure::new)? + "\n",
    })
}
