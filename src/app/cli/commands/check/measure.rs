//! A frame in, its numbers out: those of the pipeline, and those of each machine, by the names that budgets use.

use std::collections::BTreeMap;

use super::budget::{self, Budget, Limit, Subject};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::likeness::did_you_mean;
use crate::cli::machine_input::load_machine;
use azulejo_gpu::Gpu;
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_grid::SampleCount;
use azulejo_render::{Frame, Picture, Recording, Renderer, Tracing};
use azulejo_report::{flat, frame_record};
use azulejo_shot::{Moment, Shot, facts};
use azulejo_trace::FrameCounters;

/// Numbers of a frame or a machine, by name.
type Numbers = BTreeMap<String, f64>;

/// Frame as it was drawn, with its numbers.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) picture: Picture,
    frame: Numbers,
    /// Numbers by machine, as the budget names it.
    machines: BTreeMap<String, Numbers>,
}

/// Loads the machines of a budget at the picture's size, before anything is drawn.
///
/// # Errors
/// A machine that is wrong, or whose tile buffers do not hold so many samples a pixel.
pub(super) fn machines(
    budget: &Budget,
    size: (u32, u32),
    samples: SampleCount,
) -> Outcome<Vec<(String, MachineSpec)>> {
    let edge = |key: &str, value: u32| Overlay {
        key: key.to_owned(),
        value: value.to_string(),
    };
    let size = [edge("screen.width", size.0), edge("screen.height", size.1)];
    let load = |name: &str| {
        let spec = load_machine(&budget::machine_file(&budget.file, name), &size)?;
        spec.tile_size_for(samples)
            .map_err(|error| Failure::usage(format!("--msaa {samples}: {error}")))?;
        Ok((name.to_owned(), spec))
    };
    budget.machines().into_iter().map(load).collect()
}

/// Draws the frame, and runs it on each machine.
///
/// # Errors
/// Those of the model.
pub(super) fn measure(
    shot: &Shot,
    at: Moment,
    renderer: &mut Renderer,
    machines: &[(String, MachineSpec)],
) -> Outcome<Measured> {
    let Frame { picture, counters } = shot.draw(renderer, at, Recording::Counters);
    let mut measured = Measured {
        picture,
        frame: counters.as_ref().map(of_frame).unwrap_or_default(),
        machines: BTreeMap::new(),
    };
    if let Some(counters) = counters.filter(|_| !machines.is_empty()) {
        facts::check_counted(&counters.raster)?;
    }
    for (name, spec) in machines {
        let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{name}: {error}"));
        let shot = shot.on_machine(spec).map_err(|error| failed(&error))?;
        let trace = facts::trace_checked(renderer, &shot.at(at).draws(), Tracing::default());
        let mut gpu = Gpu::new(spec).map_err(|error| failed(&error))?;
        let report = gpu.run_frame(&trace).map_err(|error| failed(&error))?;
        let numbers = of_machine(flat(&frame_record(&report)));
        measured.machines.insert(name.clone(), numbers);
    }
    Ok(measured)
}

fn of_frame(counters: &FrameCounters) -> Numbers {
    let geometry = counters.geometry.entries();
    let all = geometry.into_iter().chain(counters.raster.entries());
    let mut numbers: Numbers = all
        .map(|(name, value)| (name.to_owned(), value as f64))
        .collect();
    numbers.insert("overdraw".to_owned(), counters.overdraw());
    if let Some(tiles) = counters.tiles_per_primitive() {
        numbers.insert("tiles_per_primitive".to_owned(), tiles);
    }
    numbers
}

/// Numbers of a machine's record, and short names for those that are asked for most.
fn of_machine(record: Vec<(String, serde_json::Number)>) -> Numbers {
    let number = |(name, number): (String, serde_json::Number)| Some((name, number.as_f64()?));
    let mut numbers: Numbers = record.into_iter().filter_map(number).collect();
    if let Some(bytes) = numbers.get("derived.bytes_per_pixel").copied() {
        numbers.insert("dram_bytes_per_pixel".to_owned(), bytes);
    }
    let energy = |part: &str| numbers.get(part).copied();
    if let (Some(gpu), Some(dram)) = (energy("energy.gpu_pJ"), energy("energy.dram_pJ")) {
        numbers.insert("energy_pJ".to_owned(), gpu + dram);
    }
    numbers
}

impl Measured {
    /// Number that a limit is on; none where there is no such number.
    pub(super) fn get(&self, subject: &Subject, name: &str) -> Option<f64> {
        self.numbers(subject)?.get(name).copied()
    }

    fn numbers(&self, subject: &Subject) -> Option<&Numbers> {
        match subject {
            Subject::Frame => Some(&self.frame),
            Subject::Machine(machine) => self.machines.get(machine),
        }
    }

    /// Looks up one number for each limit.
    ///
    /// # Errors
    /// The first limit that is on no number that there is, with the most similar name.
    pub(super) fn of_limits(&self, budget: &Budget) -> Outcome<Vec<f64>> {
        let number = |limit: &Limit| {
            let known = self.numbers(&limit.subject);
            self.get(&limit.subject, &limit.name).ok_or_else(|| {
                let names = known.into_iter().flat_map(Numbers::keys);
                let meant = did_you_mean(&limit.name, names.map(String::as_str));
                let (file, line) = (budget.file.display(), limit.line);
                let problem = format!("{file}:{line}: {}: no such number{meant}", limit.title());
                Failure::new(problem).hint(
                    "expected overdraw or a counter of `render --json`; of a machine cycles, dram_bytes_per_pixel, energy_pJ \
                     (where it knows its energy) or a number of `simulate --json` such as dram.reads.texture",
                )
            })
        };
        budget.limits.iter().map(number).collect()
    }
}
