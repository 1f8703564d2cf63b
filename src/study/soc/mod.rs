//! Emerald's first case study: a phone whose GPU, display and CPU cores share a memory, with four ways to share it, under
//! two loads.
//!
//! A game goes through eight systems: the baseline (BAS), DASH with the cores' bandwidth for its clusters (DCB) and with
//! the whole system's (DTB), and a channel for each kind of source (HMC), each with the machine's memory and with one of a
//! tenth of its speed. The first frame warms the systems up and does not count.
//!
//! A smaller screen is a smaller system in everything: it is refreshed as many times more often as it has fewer pixels than
//! the paper's, the cores have as many times less to do for a frame, and DASH's periods and quantum are as many times
//! shorter.

mod figures;
mod study;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use figures::{EM1_FIGURES, em1_trends};
pub use study::EM1_STUDY;

use super::sampling::FrameSource;
use azulejo_gpu::dram::AgentId;
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_gpu::parameters::ParameterError;
use azulejo_soc::{SocSpec, System, SystemError, SystemReport};
use azulejo_technique::{DASH, Technique, machine_with};

/// Pixels of the paper's screen.
const PIXELS: u64 = 1024 * 768;
/// Ways to share the memory, in the order of [`SocGame::regular`].
pub(super) const WAYS: [&str; 4] = ["BAS", "DCB", "DTB", "HMC"];

/// System of the line-up with its techniques.
#[derive(Debug, Clone)]
pub struct SharedMachine {
    /// Specification of the machine.
    pub spec: MachineSpec,
    /// Techniques that it runs with.
    pub techniques: Vec<&'static Technique>,
}

/// Returns the eight systems of a machine: the ways to share in their order, with its own memory and then with the slow
/// one.
///
/// # Errors
/// If the machine is no system on chip, or has no parameters of DASH.
pub fn em1_lineup(machine: &MachineSpec) -> Result<Vec<SharedMachine>, SystemError> {
    let scaled = scaled(machine)?;
    let mut slow = scaled.clone();
    slow.dram.timing = MachineSpec::built_in("emerald-soc-133", &[])?.dram.timing;
    let mut lineup = Vec::new();
    for spec in [&scaled, &slow] {
        for way in WAYS {
            lineup.push(shared(spec, way)?);
        }
    }
    Ok(lineup)
}

/// The machine with the memory shared in this way.
fn shared(machine: &MachineSpec, way: &str) -> Result<SharedMachine, SystemError> {
    let mut spec = machine.clone();
    let bandwidth = match way {
        "DCB" => Some("cpu"),
        "DTB" => Some("system"),
        _ => None,
    };
    if let Some(bandwidth) = bandwidth {
        spec.technique.set(&Overlay {
            key: "dash.bandwidth".to_owned(),
            value: bandwidth.to_owned(),
        })?;
    }
    if way == "HMC" {
        spec.dram.groups = MachineSpec::built_in("emerald-soc-hmc", &[])?.dram.groups;
    }
    let techniques: &[&Technique] = if bandwidth.is_some() { &[&DASH] } else { &[] };
    let techniques = techniques.to_vec();
    Ok(SharedMachine { spec, techniques })
}

/// The machine with all its periods as much shorter as its screen is smaller than the paper's.
fn scaled(machine: &MachineSpec) -> Result<MachineSpec, SystemError> {
    let soc = SocSpec::of(machine)?;
    let soc = soc.ok_or_else(|| SystemError::NotShared(machine.name.clone()))?;
    let grid = machine.screen.grid;
    let pixels = u64::from(grid.width) * u64::from(grid.height);
    let scale = |value: u64| (value * pixels).div_ceil(PIXELS);
    let mut spec = machine.clone();
    let refresh = u64::from(spec.display.refresh) * PIXELS / pixels.max(1);
    // Above a million refreshes a second nothing is shown.
    spec.display.refresh = refresh.clamp(1, 1_000_000) as u32;
    let mut set = |key: &str, value: String| -> Result<(), ParameterError> {
        let key = key.to_owned();
        spec.soc.set(&Overlay { key, value })
    };
    for (key, jobs) in [
        ("cpu.before_frame", &soc.cpu.before_frame),
        ("cpu.during_frame", &soc.cpu.during_frame),
    ] {
        let jobs: Vec<u64> = jobs.iter().map(|job| scale(*job)).collect();
        set(key, format!("{jobs:?}"))?;
    }
    let dash: azulejo_technique::dash::DashSpec = machine.technique.part("dash").get()?;
    for (key, value) in [
        ("dash.display_period_us", dash.display_period_us),
        ("dash.gpu_period_us", dash.gpu_period_us),
        ("dash.quantum", dash.quantum),
    ] {
        let (key, value) = (key.to_owned(), scale(value).to_string());
        spec.technique.set(&Overlay { key, value })?;
    }
    Ok(spec)
}

/// Counts of a system over the frames that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SharedCost {
    /// Number of frames that count.
    pub frames: u64,
    /// Cycles of the GPU from the first frame's beginning to the last one's end.
    pub cycles: u64,
    /// Cycles of the GPU from the end of the frame before the first, in which display, DRAM and agents are counted.
    pub counted_cycles: u64,
    /// Cycles of frames, from their beginning to their end, summed.
    pub frame_cycles: u64,
    /// Cycles of frames on the GPU, summed.
    pub gpu_cycles: u64,
    /// Column commands that found their row open.
    pub row_hits: u64,
    /// Column commands in all.
    pub column_commands: u64,
    /// Rows opened by activate commands.
    pub activates: u64,
    /// Lines served to the display.
    pub display_lines: u64,
    /// Scans of the display begun.
    pub scans: u64,
    /// Scans of the display aborted.
    pub aborted: u64,
    /// Refreshes that showed an old frame.
    pub missed: u64,
    /// Bursts read by the GPU.
    pub gpu_reads: u64,
    /// Picoseconds from request to data of the GPU's read bursts, summed.
    pub gpu_read_time: u64,
    /// Bytes of the cores while frames were prepared, and while they were drawn.
    pub core_bytes: [f64; 2],
    /// Cycles of the GPU in which frames were prepared, and in which they were drawn.
    pub phase_cycles: [u64; 2],
}

impl SharedCost {
    /// Counts from one report to the next, the first of which has the frames that do not count.
    fn between(before: &SystemReport, after: &SystemReport) -> Self {
        let frames = &after.frames[before.frames.len()..];
        let sum = |of: fn(&azulejo_soc::FrameTimes) -> u64| frames.iter().map(of).sum::<u64>();
        let (first, last) = (frames.first(), frames.last());
        let agent = |report: &SystemReport, id| {
            let agent = report.agent(id).map(|agent| agent.counters);
            agent.unwrap_or_default()
        };
        let lines = |report| agent(report, AgentId::DISPLAY).served;
        let gpu = [agent(before, AgentId::GPU), agent(after, AgentId::GPU)];
        let phase = |drawing: bool| {
            let spans = frames.iter().map(|frame| match drawing {
                false => (frame.begun.0, frame.drawing.0),
                true => (frame.drawing.0, frame.drawn.0),
            });
            spans.collect::<Vec<_>>()
        };
        let phases = [phase(false), phase(true)];
        Self {
            frames: frames.len() as u64,
            cycles: match (first, last) {
                (Some(first), Some(last)) => (last.queued - first.begun).0,
                _ => 0,
            },
            counted_cycles: match (before.frames.last(), last) {
                (Some(before), Some(last)) => (last.queued - before.queued).0,
                _ => 0,
            },
            frame_cycles: sum(|frame| frame.whole().0),
            gpu_cycles: sum(|frame| frame.gpu().0),
            row_hits: after.row_hits - before.row_hits,
            column_commands: after.column_commands - before.column_commands,
            activates: after.activates - before.activates,
            display_lines: lines(after) - lines(before),
            scans: after.display.scans - before.display.scans,
            aborted: after.display.aborted - before.display.aborted,
            missed: after.missed_frames() - before.missed_frames(),
            gpu_reads: gpu[1].read_bursts - gpu[0].read_bursts,
            gpu_read_time: gpu[1].read_time.0 - gpu[0].read_time.0,
            core_bytes: phases.each_ref().map(|spans| core_bytes(after, spans)),
            phase_cycles: phases.map(|spans| spans.iter().map(|(from, to)| to - from).sum()),
        }
    }
}

/// Bytes that the cores moved in spans of GPU cycles; intervals of the traffic count by the part of them that lies in a
/// span.
fn core_bytes(report: &SystemReport, spans: &[(u64, u64)]) -> f64 {
    let traffic = &report.traffic;
    let length = traffic.interval.0 as f64;
    let time = |cycle: u64| report.clock.time_of(azulejo_units::Cycles(cycle)).0 as f64 / length;
    let is_core: Vec<bool> = traffic.agents.iter().map(|agent| agent.is_cpu()).collect();
    let mut bytes = 0.0;
    for (from, to) in spans {
        let (from, to) = (time(*from), time(*to));
        let intervals = traffic.bursts.iter().enumerate();
        let touched = intervals.skip(from as usize).take((to - from) as usize + 2);
        for (at, bursts) in touched {
            let at = at as f64;
            let part = (to.min(at + 1.0) - from.max(at)).max(0.0);
            let of_cores = bursts.iter().zip(&is_core).filter(|(_, is_core)| **is_core);
            let bursts: u64 = of_cores.map(|(bursts, _)| *bursts).sum();
            bytes += part * (bursts * traffic.burst.0) as f64;
        }
    }
    bytes
}

/// Measured game on all systems of a line-up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SocGame {
    /// Costs of BAS, DCB, DTB and HMC with the machine's memory.
    pub regular: Vec<SharedCost>,
    /// Costs of BAS, DCB, DTB and HMC with the slow memory.
    pub high: Vec<SharedCost>,
    /// Peak bandwidth of the machine's memory in bytes a second.
    pub peak: f64,
    /// The GPU's clock in Hz.
    pub clock: u64,
}

/// Runs a game of frames on every system of a line-up.
///
/// # Errors
/// The first in order of a system that cannot be built or cannot go on.
pub fn em1_game(
    lineup: &[SharedMachine],
    frames: &mut dyn FrameSource,
) -> Result<SocGame, SystemError> {
    let system = |shared: &SharedMachine| {
        let gpu = machine_with(&shared.spec, &shared.techniques)?;
        System::new(gpu)
    };
    let systems = lineup.iter().map(system);
    let mut systems = systems.collect::<Result<Vec<_>, SystemError>>()?;
    let mut warm = Vec::new();
    for number in 0..frames.n_frames() {
        let trace = frames.draw(number);
        let step = |system: &mut System| system.run_frame(&trace).map(|_| ());
        systems
            .par_iter_mut()
            .map(step)
            .collect::<Result<(), SystemError>>()?;
        if number == 0 {
            warm = systems.iter().map(System::report).collect();
        }
    }
    let costs = warm.iter().zip(&systems);
    let costs = costs.map(|(warm, system)| SharedCost::between(warm, &system.report()));
    let mut costs: Vec<SharedCost> = costs.collect();
    let high = costs.split_off(costs.len().min(WAYS.len()));
    let spec = lineup.first().map(|shared| &shared.spec);
    Ok(SocGame {
        regular: costs,
        high,
        peak: spec.map_or(0.0, |spec| {
            let channels = f64::from(spec.dram.structure.channels);
            spec.dram.peak_gbps_per_channel() * channels * 1e9
        }),
        clock: spec.map_or(0, |spec| spec.clock.0),
    })
}

#[cfg(test)]
mod tests;
