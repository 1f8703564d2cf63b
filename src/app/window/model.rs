//! The thread that models: a plan is drawn once more with everything told, and the machine executes what was told. Takes seconds
//! where drawing takes milliseconds, so it follows the picture at its own pace.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::artist::step_back;
use super::plan::FramePlan;
use crate::gpu::machine::MachineSpec;
use crate::gpu::{FrameReport, Gpu};
use crate::render::{Renderer, SimdLevel};

/// A machine and what it is called.
#[derive(Debug, Clone)]
pub(in crate::app) struct NamedMachine {
    /// As the user calls it.
    pub(in crate::app) name: String,
    /// Its parameters.
    pub(in crate::app) spec: MachineSpec,
}

/// A frame that a machine has executed.
#[derive(Debug)]
pub(super) struct ModelledFrame {
    /// Which.
    pub(super) plan: FramePlan,
    /// What it cost.
    pub(super) report: FrameReport,
}

/// The window's end of the modelling thread.
#[derive(Debug)]
pub(super) struct Modeller {
    /// The machine's name.
    pub(super) name: String,
    plans: Sender<FramePlan>,
    /// The plan under way, or the last one if idle.
    pub(super) asked: Option<FramePlan>,
    /// Whether it is under way.
    pub(super) busy: bool,
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
        let gpu = Gpu::new(&machine.spec).map_err(|error| named(error.to_string()))?;
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
        Ok(Self {
            name: machine.name.clone(),
            plans,
            asked: None,
            busy: false,
        })
    }

    /// Asks for a frame, unless one is under way or this was the last.
    pub(super) fn want(&mut self, plan: &FramePlan) {
        if self.busy || self.asked.as_ref() == Some(plan) {
            return;
        }
        // A thread that ended has said why.
        self.busy = self.plans.send(plan.clone()).is_ok();
        self.asked = Some(plan.clone());
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
        let (picture, trace) = renderer.trace(&plan.input(&moment));
        renderer.recycle(picture);
        let report = gpu.run_frame(&trace).map_err(|error| error.to_string());
        deliver(report.map(|report| ModelledFrame { plan, report }));
    }
}
