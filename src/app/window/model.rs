//! The model thread: a plan is drawn once more with a full trace, which the machine executes. Takes seconds where drawing
//! takes milliseconds, so it follows the picture at its own pace.
//!
//! Numbers of a frame are those that `azulejo simulate` gives: a machine goes on from frame to frame as a display shows
//! them, and anything else begins with a new machine, which executes the frames before it too where techniques compare
//! frames.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use super::plan::FramePlan;
use super::render_thread::step_back;
use crate::model::Model;
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::{FrameError, FrameReport};
use azulejo_render::{Renderer, SimdLevel};
use azulejo_report::Bandwidth;
use azulejo_shot::facts;
use azulejo_soc::{SystemError, SystemReport};
use azulejo_technique::Technique;
use azulejo_trace::FrameTrace;

/// Machine and its name.
#[derive(Debug, Clone)]
pub(crate) struct NamedMachine {
    /// Name as the user typed it.
    pub(crate) name: String,
    /// The parameters of its file, overlays applied.
    pub(crate) spec: MachineSpec,
    /// Techniques that leave out work, in the order of the command line.
    pub(crate) techniques: Vec<&'static Technique>,
}

/// Frame that a machine has executed.
#[derive(Debug)]
pub(super) struct ModelledFrame {
    /// The plan by which the frame was drawn and modelled.
    pub(super) plan: FramePlan,
    /// Frames that the machine executed before it, one after the other, since it was switched on.
    pub(super) n_before: usize,
    /// The machine's report of the frame.
    pub(super) report: FrameReport,
    /// Memory traffic by source over time: of a system since the frame before this one, of a GPU by itself while it drew.
    pub(super) bandwidth: Bandwidth,
}

/// Window's end of the model thread.
#[derive(Debug)]
pub(super) struct Modeller {
    /// Names of the machine and its techniques.
    pub(super) name: String,
    /// Techniques that the machine carries.
    pub(super) techniques: Vec<&'static Technique>,
    plans: Sender<FramePlan>,
    /// The plan under way, or the last one if idle.
    pub(super) asked: Option<FramePlan>,
    /// Instant at which the plan under way was begun.
    pub(super) since: Option<Instant>,
    shared: Arc<Shared>,
}

/// State that window and model thread share beside plans and frames.
#[derive(Debug, Default)]
struct Shared {
    /// Order to give the frame under way up. Set and cleared by the window alone.
    interrupt: Arc<AtomicBool>,
    /// Frames executed for the plan under way, and all that it takes.
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Modeller {
    /// Starts the thread; `deliver` is called on it with each frame, with nothing for one that was given up, or with a
    /// sentence that says why there is none.
    ///
    /// # Errors
    /// If the machine cannot be built or the operating system refuses a thread.
    pub(super) fn start(
        machine: &NamedMachine,
        simd: SimdLevel,
        deliver: impl Fn(Result<Option<ModelledFrame>, String>) + Send + 'static,
    ) -> Result<Self, String> {
        let named = |error: String| format!("{}: {error}", machine.name);
        let shared = Arc::new(Shared::default());
        let worker = Worker::new(machine, Arc::clone(&shared));
        // A machine that cannot be built is refused before the window opens.
        worker
            .switch_on()
            .map_err(|error| named(error.to_string()))?;
        let (plans, inbox) = channel();
        let body = move || {
            step_back();
            // One Raster Unit: the others draw what is seen.
            match Renderer::new(1, simd) {
                Ok(renderer) => work(&inbox, renderer, worker, deliver),
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
            shared,
        })
    }

    /// Asks for a frame, unless this was the last. While time passes, one that is under way is finished first; where it
    /// stands still, or where pictures have become others, that one is given up.
    pub(super) fn want(&mut self, plan: &FramePlan, time_passes: bool) {
        let asked = self.asked.as_ref();
        if asked.is_some_and(|asked| asked.is_same_frame(plan)) {
            return;
        }
        if self.since.is_some() {
            let follows = asked.is_some_and(|asked| plan.is_of_shot(asked));
            if !(time_passes && follows) {
                self.shared.interrupt.store(true, Ordering::Relaxed);
            }
            return;
        }
        self.shared.interrupt.store(false, Ordering::Relaxed);
        self.shared.all.store(0, Ordering::Relaxed);
        // A thread that ended has said why.
        let is_begun = self.plans.send(plan.clone()).is_ok();
        self.since = is_begun.then(Instant::now);
        self.asked = Some(plan.clone());
    }

    /// Notes that the thread has answered: with a frame or an error, or not at all, as it was told to give up.
    pub(super) fn answered(&mut self, gave_up: bool) {
        self.since = None;
        if gave_up {
            self.asked = None;
        }
    }

    /// Frame that is under way, and for how long, in words.
    pub(super) fn progress(&self) -> Option<String> {
        let (since, plan) = (self.since?, self.asked.as_ref()?);
        let seconds = since.elapsed().as_secs_f64();
        let load = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let (done, all) = (load(&self.shared.done), load(&self.shared.all));
        let step = match all {
            0 | 1 => String::new(),
            _ => format!(", {} of {all}", (done + 1).min(all)),
        };
        Some(format!("modelling {}{step} … {seconds:.1} s", plan.name()))
    }
}

fn work(
    inbox: &Receiver<FramePlan>,
    mut renderer: Renderer,
    mut worker: Worker,
    deliver: impl Fn(Result<Option<ModelledFrame>, String>),
) {
    for plan in inbox {
        deliver(worker.follow(&plan, &mut renderer));
    }
}

/// Worker of the model thread.
struct Worker {
    spec: MachineSpec,
    techniques: Vec<&'static Technique>,
    /// Machine that is switched on, with the last frame that it executed.
    under_way: Option<(Machine, FramePlan)>,
    /// Frames to execute before one that is not the next, if techniques compare frames: those that fill the frame buffers,
    /// and one that finds them filled and leaves caches as a chip has them (measured by `azulejo study sampling`).
    n_leading: u32,
    shared: Arc<Shared>,
}

impl Worker {
    fn new(machine: &NamedMachine, shared: Arc<Shared>) -> Self {
        Self {
            spec: machine.spec.clone(),
            techniques: machine.techniques.clone(),
            under_way: None,
            n_leading: match machine.techniques[..] {
                [] => 0,
                _ => machine.spec.display.frame_buffers + 1,
            },
            shared,
        }
    }

    fn switch_on(&self) -> Result<Machine, SystemError> {
        let mut model = Model::new(&self.spec, &self.techniques)?;
        model
            .gpu_mut()
            .interrupt_by(Arc::clone(&self.shared.interrupt));
        Ok(Machine {
            model,
            system: None,
            n_executed: 0,
        })
    }

    /// Executes the frame; nothing if it was given up. Playback goes on meanwhile, so others may lie between the last one
    /// and this: techniques would compare it with what no chip has in its frame buffers. So a machine that has just been
    /// switched on executes those right before it first.
    fn follow(
        &mut self,
        plan: &FramePlan,
        renderer: &mut Renderer,
    ) -> Result<Option<ModelledFrame>, String> {
        let before = self.under_way.take();
        let before = before.filter(|(_, last)| plan.is_next_after(last));
        let (mut machine, n_leading) = match before {
            Some((machine, _)) => (machine, 0),
            None => {
                let machine = self.switch_on().map_err(|error| error.to_string())?;
                (machine, self.n_leading)
            }
        };
        let leading = (1..=n_leading).rev().filter_map(|n| plan.earlier(n));
        let leading: Vec<_> = leading.collect();
        let store = |count: &AtomicUsize, n| count.store(n, Ordering::Relaxed);
        store(&self.shared.done, 0);
        store(&self.shared.all, leading.len() + 1);
        for (nth, earlier) in leading.iter().enumerate() {
            if machine.execute(earlier, renderer)?.is_none() {
                return Ok(None);
            }
            store(&self.shared.done, nth + 1);
        }
        let n_before = machine.n_executed;
        let Some((report, bandwidth)) = machine.execute(plan, renderer)? else {
            return Ok(None);
        };
        self.under_way = Some((machine, plan.clone()));
        Ok(Some(ModelledFrame {
            plan: plan.clone(),
            n_before,
            report,
            bandwidth,
        }))
    }
}

/// Machine that is switched on.
struct Machine {
    model: Model,
    /// Report of a system up to the last frame.
    system: Option<SystemReport>,
    /// Frames since it was switched on.
    n_executed: usize,
}

impl Machine {
    /// Executes a frame; nothing if it was given up, and then the machine is of no further use.
    fn execute(
        &mut self,
        plan: &FramePlan,
        renderer: &mut Renderer,
    ) -> Result<Option<(FrameReport, Bandwidth)>, String> {
        let trace = facts::trace(renderer, &plan.still().draws());
        let trace = trace.map_err(|error| error.to_string())?;
        match self.run_frame(&trace) {
            Ok(executed) => Ok(Some(executed)),
            Err(SystemError::Frame(FrameError::Interrupted)) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
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
        self.n_executed += 1;
        Ok((report, bandwidth))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::window::opened::Opened;
    use crate::window::opened::tests::demo;
    use crate::window::plan::Extras;
    use azulejo_demo::FRAMES_PER_SECOND;
    use azulejo_gpu::dram::AgentId;
    use azulejo_grid::TileGrid;
    use azulejo_technique::RE;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, independent};

    fn screen() -> CoveredScreen {
        let grid = TileGrid {
            width: 128,
            height: 64,
            tile_size: 32,
        };
        CoveredScreen::new(grid, independent(InstructionClass::Alu, 10))
    }

    fn worker(name: &str, techniques: &[&'static Technique]) -> Worker {
        let machine = NamedMachine {
            name: name.to_owned(),
            spec: MachineSpec::built_in(name, &[]).expect("built in"),
            techniques: techniques.to_vec(),
        };
        Worker::new(&machine, Arc::default())
    }

    fn machine(name: &str) -> Machine {
        worker(name, &[]).switch_on().expect("a machine")
    }

    #[test]
    fn machine_of_a_system_says_what_agents_moved_since_the_frame_before() {
        let (mut machine, mut alone) = (machine("emerald-soc"), machine("emerald-soc").model);
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
        let mut machine = machine("mali450-re");
        let (report, bandwidth) = machine.run_frame(&screen().frame(0)).expect("a frame");
        let all: u64 = (0..bandwidth.sources.len())
            .map(|source| bandwidth.bytes(source))
            .sum();
        assert!(all > 0, "it moves something");
        let lines = report.dram.reads.total() + report.dram.writes.total();
        assert_eq!(all, lines * report.dram.line_bytes.0, "all of it");
    }

    /// Frame `number` of a demo, on a small screen.
    fn plan(opened: &Opened, number: u32) -> FramePlan {
        let Opened { shot, texts } = opened.clone();
        let screen = TileGrid {
            width: 320,
            height: 192,
            tile_size: 16,
        };
        FramePlan {
            shot: shot.on_screen(screen),
            texts,
            seconds: f64::from(number) / f64::from(FRAMES_PER_SECOND),
            extras: Extras::default(),
        }
    }

    fn renderer() -> Renderer {
        Renderer::new(1, SimdLevel::Auto).expect("one thread")
    }

    /// Answers of the window to frames of a demo, asked for one after the other.
    fn followed(techniques: &[&'static Technique], numbers: &[u32]) -> Vec<ModelledFrame> {
        let opened = demo();
        let (mut worker, mut renderer) = (worker("mali450-re", techniques), renderer());
        let plans = numbers.iter().map(|number| plan(&opened, *number));
        let modelled = plans.map(|plan| {
            worker
                .follow(&plan, &mut renderer)
                .expect("runs")
                .expect("whole")
        });
        modelled.collect()
    }

    /// Report of a machine that is switched on, and executes these frames and no others: as `azulejo simulate` does.
    fn simulated(
        techniques: &[&'static Technique],
        numbers: std::ops::RangeInclusive<u32>,
    ) -> FrameReport {
        let opened = demo();
        let spec = MachineSpec::built_in("mali450-re", &[]).expect("built in");
        let (mut model, mut renderer) = (
            Model::new(&spec, techniques).expect("a machine"),
            renderer(),
        );
        let mut reports = numbers.map(|number| {
            let plan = plan(&opened, number);
            let trace = facts::trace(&mut renderer, &plan.still().draws());
            model.run_frame(&trace.expect("small")).expect("runs")
        });
        reports.by_ref().last().expect("a frame")
    }

    #[test]
    fn frame_is_said_of_what_a_machine_says_that_executes_those_before_it() {
        // The first one, the next, one far ahead, one far back, one near the beginning.
        let numbers = [200, 201, 300, 10, 1];
        let found = followed(&[&RE], &numbers);
        let runs = [197..=200, 197..=201, 297..=300, 7..=10, 0..=1];
        for (modelled, run) in found.iter().zip(runs) {
            assert_eq!(modelled.n_before as u32, run.end() - run.start(), "{run:?}");
            let expected = simulated(&[&RE], run.clone());
            assert_eq!(modelled.report, expected, "{run:?}");
        }
        assert!(found[0].report.tiles_skipped() > 0, "the first too");
    }

    #[test]
    fn frame_without_techniques_is_modelled_alone_unless_it_is_the_next() {
        let found = followed(&[], &[200, 201, 203]);
        for (modelled, run) in found.iter().zip([200..=200, 200..=201, 203..=203]) {
            assert_eq!(modelled.report, simulated(&[], run.clone()), "{run:?}");
        }
    }

    #[test]
    fn frame_that_nobody_waits_for_is_given_up_and_the_next_is_as_if_it_had_never_been() {
        let opened = demo();
        let (mut worker, mut renderer) = (worker("mali450-re", &[&RE]), renderer());
        worker.shared.interrupt.store(true, Ordering::Relaxed);
        let given_up = worker.follow(&plan(&opened, 100), &mut renderer);
        assert!(given_up.expect("no error").is_none(), "given up");
        worker.shared.interrupt.store(false, Ordering::Relaxed);
        let after = worker.follow(&plan(&opened, 101), &mut renderer);
        let after = after.expect("no error").expect("whole");
        assert_eq!(after.report, simulated(&[&RE], 98..=101), "led up to");
    }

    #[test]
    fn modeller_drops_a_frame_that_is_no_longer_shown_once_time_stands_still() {
        let opened = demo();
        let machine = NamedMachine {
            name: "mali450-re".to_owned(),
            spec: MachineSpec::built_in("mali450-re", &[]).expect("built in"),
            techniques: Vec::new(),
        };
        let mut modeller = Modeller::start(&machine, SimdLevel::Auto, |_| ()).expect("a thread");
        let is_dropped = |modeller: &Modeller| modeller.shared.interrupt.load(Ordering::Relaxed);
        modeller.want(&plan(&opened, 100), true);
        modeller.want(&plan(&opened, 150), true);
        assert!(!is_dropped(&modeller), "while time passes it is finished");
        modeller.want(&plan(&opened, 100), false);
        assert!(!is_dropped(&modeller), "it is the one shown");
        modeller.want(&plan(&opened, 160), false);
        assert!(is_dropped(&modeller), "it stands still elsewhere");
        modeller.answered(true);
        modeller.want(&plan(&opened, 160), false);
        assert!(!is_dropped(&modeller), "the next is begun");
        modeller.want(&plan(&demo(), 160), true);
        assert!(is_dropped(&modeller), "of another scene");
    }
}
