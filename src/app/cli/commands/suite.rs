//! What `characterize` and `study` share: the options that say which frames of which demos go through which machine, and the walk
//! over the demos. What is measured is the command's own.

use std::fmt::Display;

use indicatif::ProgressBar;

use super::{Console, Outcome};
use crate::app::cli::args::{DemoChoice, count};
use crate::app::cli::failure::Failure;
use crate::app::cli::machine_input::load_machine;
use crate::app::cli::shot::{Shot, start_renderer};
use crate::demo::{DEFAULT_SEED, Demo, FRAMES_PER_SECOND};
use crate::gpu::machine::{MachineSpec, Overlay};
use crate::render::{RenderSettings, Renderer, SimdLevel};
use crate::trace::FrameTrace;

/// Frames of demos and the machine that they go through.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct SuiteArgs {
    /// A machine by name or a TOML file
    #[arg(
        short,
        long,
        value_name = "NAME|FILE",
        default_value = "valhall-libra-baseline"
    )]
    pub(super) machine: String,
    /// Change a value of the machine, such as l2.size=1MiB
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<Overlay>,
    /// Frames to draw, from the first on
    #[arg(long, value_name = "N", default_value = "50", value_parser = count)]
    pub(super) frames: u64,
    /// Of these, how many go through the machine
    #[arg(long, value_name = "N", default_value = "4", value_parser = count)]
    pub(super) modelled: u64,
    /// Another number, another course of the demos
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u32,
    /// Threads that draw; 0 takes one for each core. Results are the same for any number
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: u16,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// A demo that is being measured.
pub(super) struct Measured<'a> {
    /// The machine, at whose screen the demo is drawn.
    pub(super) machine: &'a MachineSpec,
    n_frames: u64,
    shot: Shot,
    renderer: &'a mut Renderer,
    bar: &'a ProgressBar,
}

impl SuiteArgs {
    /// What `measure` says of each demo, in their order.
    ///
    /// # Errors
    /// Without the machine or its threads, and the first that `measure` gives, with the demo's name.
    pub(super) fn measure<T, E: Display>(
        &self,
        demos: &[DemoChoice],
        console: Console,
        measure: impl Fn(Measured<'_>) -> Result<T, E>,
    ) -> Outcome<Vec<(&'static str, T)>> {
        let machine = load_machine(&self.machine, &self.set)?;
        let mut renderer = start_renderer(usize::from(self.threads), SimdLevel::Auto)?;
        let demos: Vec<&Demo> = demos.iter().flat_map(|choice| choice.0.clone()).collect();
        let bar = console.progress(demos.len() as u64 * self.frames, "frames");
        let of_demo = |demo: &&'static Demo| {
            let settings = RenderSettings::of_screen(machine.screen.grid);
            let measured = Measured {
                machine: &machine,
                n_frames: self.frames,
                shot: Shot::of_show(demo.start(self.seed), settings),
                renderer: &mut renderer,
                bar: &bar,
            };
            match measure(measured) {
                Ok(result) => Ok((demo.name, result)),
                Err(error) => Err(Failure::new(format!("{}: {error}", demo.name))),
            }
        };
        let results = demos.iter().map(of_demo).collect();
        bar.finish_and_clear();
        results
    }
}

impl Measured<'_> {
    /// Draws every frame by `trace` and shows `look` its number and what the pipeline did.
    ///
    /// # Errors
    /// The first that `look` gives.
    pub(super) fn frames<E>(
        self,
        trace: impl Fn(&Shot, &mut Renderer, u64, f64) -> FrameTrace,
        mut look: impl FnMut(u64, &FrameTrace) -> Result<(), E>,
    ) -> Result<(), E> {
        for frame in 0..self.n_frames {
            let seconds = frame as f64 / f64::from(FRAMES_PER_SECOND);
            look(frame, &trace(&self.shot, self.renderer, frame, seconds))?;
            self.bar.inc(1);
        }
        Ok(())
    }
}
