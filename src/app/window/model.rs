//! The model thread: a plan is drawn once more with a full trace, which the machine executes. Takes seconds where drawing takes
//! milliseconds, so it follows the picture at its own pace.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use super::plan::FramePlan;
use super::render_thread::step_back;
use crate::app::facts;
use crate::app::model::Model;
use crate::gpu::FrameReport;
use crate::gpu::machine::MachineSpec;
use crate::render::{Renderer, SimdLevel};
use crate::report::Bandwidth;
use crate::soc::{SystemError, SystemReport};
use crate::technique::Technique;
use crate::trace::FrameTrace;

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
    /// Frames right before it that the machine executed only to be where a chip would be.
    pub(super) n_leading: usize,
    /// The machine's report of the frame.
    pub(super) report: FrameReport,
    /// Who moved what meanwhile: of a system since the frame before this one, of a GPU by itself while it drew.
    pub(super) bandwidth: Bandwidth,
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
        let model = Model::new(&machine.spec, &machine.techniques);
        let machine_at_work = Machine {
            model: model.map_err(|error| named(error.to_string()))?,
            system: None,
            last: None,
            n_leading: match machine.techniques[..] {
                [] => 0,
                _ => machine.spec.display.frame_buffers + 1,
            },
        };
        let (plans, inbox) = channel();
        let body = move || {
            step_back();
            // One Raster Unit: the others draw what is seen.
            match Renderer::new(1, simd) {
                Ok(renderer) => work(&inbox, renderer, machine_at_work, deliver),
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
    mut machine: Machine,
    deliver: impl Fn(Result<ModelledFrame, String>),
) {
    for plan in inbox {
        deliver(machine.follow(&plan, &mut renderer));
    }
}

/// A machine under way, and what it did until the last frame.
struct Machine {
    model: Model,
    /// All of a system.
    system: Option<SystemReport>,
    /// The last frame.
    last: Option<FramePlan>,
    /// Frames to execute before one that is not the next, if techniques compare frames: those that fill the frame buffers, and one
    /// that finds them filled and leaves caches as a chip has them (measured by `azulejo study sampling`).
    n_leading: u32,
}

impl Machine {
    /// Executes the frame. Playback goes on meanwhile, so others may lie between the last one and this: techniques would compare
    /// it with what no chip has in its frame buffers, so the machine executes those right before it first.
    fn follow(
        &mut self,
        plan: &FramePlan,
        renderer: &mut Renderer,
    ) -> Result<ModelledFrame, String> {
        let is_next = (self.last.as_ref()).is_none_or(|last| plan.is_next_after(last));
        let n_leading = if is_next { 0 } else { self.n_leading };
        let leading: Vec<_> = (1..=n_leading)
            .rev()
            .filter_map(|n| plan.earlier(n))
            .collect();
        for earlier in &leading {
            self.execute(earlier, renderer)?;
        }
        let (report, bandwidth) = self.execute(plan, renderer)?;
        self.last = Some(plan.clone());
        Ok(ModelledFrame {
            plan: plan.clone(),
            n_leading: leading.len(),
            report,
            bandwidth,
        })
    }

    fn execute(
        &mut self,
        plan: &FramePlan,
        renderer: &mut Renderer,
    ) -> Result<(FrameReport, Bandwidth), String> {
        let moment = plan.moment();
        let trace = facts::trace(renderer, &plan.input(&moment).draws());
        let trace = trace.map_err(|error| error.to_string())?;
        self.run_frame(&trace).map_err(|error| error.to_string())
    }

    fn run_frame(&mut self, trace: &FrameTrace) -> Result<(FrameReport, Bandwidth), SystemError> {
        let report = self.model.run_frame(trace)?;
        let system = self.model.system();
        let bandwidth = match (&self.system, &system) {
            (_, None) => Bandwidth::of_frame(&report),
            (None, Some(now)) => Bandwidth::of_system(now).with_cores_joined(now),
            (Some(before), Some(now)) => Bandwidth::between(before, now).with_cores_joined(now),
        };
        self.system = system;
        Ok((report, bandwidth))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::window::content::tests::demo;
    use crate::app::window::plan::{Extras, Eye};
    use crate::demo::FRAMES_PER_SECOND;
    use crate::gpu::dram::AgentId;
    use crate::grid::TileGrid;
    use crate::render::RenderSettings;
    use crate::scene::AnimationChoice;
    use crate::technique::RE;
    use crate::trace::InstructionClass;
    use crate::trace::synthetic::{CoveredScreen, independent};

    fn screen() -> CoveredScreen {
        let grid = TileGrid {
            width: 128,
            height: 64,
            tile_size: 32,
        };
        CoveredScreen::new(grid, independent(InstructionClass::Alu, 10))
    }

    fn machine(name: &str, techniques: &[&Technique]) -> Machine {
        let spec = MachineSpec::built_in(name, &[]).expect("built in");
        Machine {
            model: Model::new(&spec, techniques).expect("a machine"),
            system: None,
            last: None,
            n_leading: 0,
        }
    }

    #[test]
    fn machine_of_a_system_says_what_agents_moved_since_the_frame_before() {
        let (mut machine, mut alone) = (
            machine("emerald-soc", &[]),
            machine("emerald-soc", &[]).model,
        );
        let mut before = [0; 3];
        for number in 0..3 {
            let trace = screen().frame(number);
            let (_, bandwidth) = machine.run_frame(&trace).expect("a frame");
            alone.run_frame(&trace).expect("the same frame");
            let report = alone.system().expect("a system");
            let sum = |is_meant: fn(AgentId) -> bool| -> u64 {
                let agents = report.agents.iter().filter(|own| is_meant(own.agent));
                agents.map(|own| own.bytes).sum()
            };
            let now = [
                sum(|agent| agent == AgentId::GPU),
                sum(|agent| agent == AgentId::DISPLAY),
                sum(AgentId::is_cpu),
            ];
            assert_eq!(bandwidth.sources, ["GPU", "display", "cores"], "from below");
            for source in 0..3 {
                let moved = now[source] - before[source];
                assert_eq!(bandwidth.bytes(source), moved, "{number}: {source}");
            }
            assert!(bandwidth.bytes(2) > 0, "{number}: cores prepare a frame");
            // The L2 may hold all that the later ones need.
            let is_moved = bandwidth.bytes(0) > 0;
            assert!(
                is_moved || number > 0,
                "{number}: the GPU reads its commands"
            );
            assert_eq!(bandwidth.phases.len(), 3, "of one frame");
            before = now;
        }
    }

    #[test]
    fn machine_of_a_gpu_by_itself_says_what_kinds_of_traffic_it_moved() {
        let mut machine = machine("mali450-re", &[]);
        let (report, bandwidth) = machine.run_frame(&screen().frame(0)).expect("a frame");
        let all: u64 = (0..bandwidth.sources.len())
            .map(|source| bandwidth.bytes(source))
            .sum();
        assert!(all > 0, "it moves something");
        assert_eq!(all, report.dram.bytes().0, "all of it");
    }

    /// Frames of a demo that a machine with Rendering Elimination executes; of each, those that led up to it and the tiles skipped.
    fn followed(n_leading: u32, numbers: &[u32]) -> Vec<(usize, u64)> {
        let content = Arc::new(demo());
        let mut machine = Machine {
            n_leading,
            ..machine("mali450-re", &[&RE])
        };
        let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("one thread");
        let plans = numbers.iter().map(|number| FramePlan {
            content: Arc::clone(&content),
            eye: Eye::Own,
            animation: AnimationChoice::All,
            seconds: f64::from(*number) / f64::from(FRAMES_PER_SECOND),
            settings: RenderSettings {
                width: 320,
                height: 192,
                tile_size: 16,
                frame: u64::from(*number),
                ..content.settings
            },
            extras: Extras::default(),
        });
        let reports = plans.map(|plan| machine.follow(&plan, &mut renderer).expect("runs"));
        (reports.map(|modelled| (modelled.n_leading, modelled.report.tiles_skipped()))).collect()
    }

    #[test]
    fn machine_with_techniques_is_led_up_to_a_frame_that_is_not_the_next() {
        let [first, _, third] = followed(3, &[198, 199, 200])[..] else {
            panic!("three frames")
        };
        assert_eq!(first, (0, 0), "a machine begins with what is seen first");
        assert_eq!(third.0, 0, "each frame is the next");
        assert!(third.1 > 0, "some tiles stay as they are");
        for earlier in [10, 300] {
            let [.., last] = followed(3, &[earlier, 200])[..] else {
                panic!("two frames")
            };
            assert_eq!(last, (3, third.1), "what a chip skips there");
            let [.., alone] = followed(0, &[earlier - 1, earlier, 200])[..] else {
                panic!("three frames")
            };
            assert_ne!(alone.1, third.1, "frames from far away have other tiles");
        }
        assert_eq!(followed(3, &[9, 1])[1].0, 1, "no frame before the first");
    }
}
