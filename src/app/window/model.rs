//! The model thread: a plan is drawn once more with a full trace, which the machine executes. Takes seconds where drawing takes
//! milliseconds, so it follows the picture at its own pace.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use super::plan::FramePlan;
use super::render_thread::step_back;
use crate::gpu::machine::MachineSpec;
use crate::gpu::{FrameReport, Gpu};
use crate::render::{Renderer, SimdLevel, Traced, Tracing};
use crate::technique::{Technique, machine_with};

/// A machine and what it is called.
#[derive(Debug, Clone)]
pub(in crate::app) struct NamedMachine {
    /// Name as the user typed it.
    pub(in crate::app) name: String,
    /// The parameters of its file, overlays applied.
    pub(in crate::app) spec: MachineSpec,
    /// Techniques that leave out work, in the order of the command line.
    pub(in crate::app) techniques: Vec<&'static Technique>,
}

/// A frame that a machine has executed.
#[derive(Debug)]
pub(super) struct ModelledFrame {
    /// The plan by which the frame was drawn and modelled.
    pub(super) plan: FramePlan,
    /// The machine's report of the frame.
    pub(super) report: FrameReport,
}

/// The window's end of the modelling thread.
#[derive(Debug)]
pub(super) struct Modeller {
    /// The machine's name, and its techniques'.
    pub(super) name: String,
    /// The machine's techniques.
    pub(super) techniques: Vec<&'static Technique>,
    plans: Sender<FramePlan>,
    /// The plan under way, or the last one if idle.
    pub(super) asked: Option<FramePlan>,
    /// When the one under way was begun.
    pub(super) since: Option<Instant>,
}

impl Modeller {
    /// Starts the thread; `deliver` is called on it with each frame, or with a sentence that says why there is none.
    ///
    /// # Errors
    /// If the machine cannot be built or the operating system refuses a thread.
    pub(super) fn start(
        machine: &NamedMachine,
        simd: SimdLevel,
        deliver: impl Fn(Result<ModelledFrame, String>) + Send + 'static,
    ) -> Result<Self, String> {
        let named = |error: String| format!("{}: {error}", machine.name);
        let gpu = machine_with(&machine.spec, &machine.techniques);
        let gpu = gpu.map_err(|error| named(error.to_string()))?;
        let (plans, inbox) = channel();
        let body = move || {
            step_back();
            // One Raster Unit: the others draw what is seen.
            match Renderer::new(1, simd) {
                Ok(renderer) => work(&inbox, renderer, gpu, deliver),
                Err(error) => deliver(Err(error.to_string())),
            }
        };
        thread::Builder::new()
            .name("modeller".to_owned())
            .spawn(body)
            .map_err(|error| named(error.to_string()))?;
        let techniques = machine.techniques.iter().map(|technique| technique.name);
        let parts: Vec<_> = std::iter::once(machine.name.as_str())
            .chain(techniques)
            .collect();
        Ok(Self {
            name: parts.join("+"),
            techniques: machine.techniques.clone(),
            plans,
            asked: None,
            since: None,
        })
    }

    /// Asks for a frame, unless one is under way or this was the last.
    pub(super) fn want(&mut self, plan: &FramePlan) {
        let asked = self.asked.as_ref();
        if self.since.is_some() || asked.is_some_and(|asked| asked.is_same_frame(plan)) {
            return;
        }
        // A thread that ended has said why.
        let is_begun = self.plans.send(plan.clone()).is_ok();
        self.since = is_begun.then(Instant::now);
        self.asked = Some(plan.clone());
    }

    /// Which frame is under way, and for how long.
    pub(super) fn progress(&self) -> Option<String> {
        let (since, plan) = (self.since?, self.asked.as_ref()?);
        let seconds = since.elapsed().as_secs_f64();
        Some(format!("modelling {} … {seconds:.1} s", plan.name()))
    }
}

fn work(
    inbox: &Receiver<FramePlan>,
    mut renderer: Renderer,
    mut gpu: Gpu,
    deliver: impl Fn(Result<ModelledFrame, String>),
) {
    for plan in inbox {
        let moment = plan.moment();
        let Traced { picture, trace } =
            renderer.draw(&plan.input(&moment).draws(), Tracing::default());
        renderer.recycle(picture);
        let report = gpu.run_frame(&trace).map_err(|error| error.to_string());
        deliver(report.map(|report| ModelledFrame { plan, report }));
    }
}
