//! Inputs of a sweep, looked up: scenes, machines, techniques, light; and for each point a fingerprint of all that decides
//! its numbers.

use std::path::{Path, PathBuf};

use super::super::scene_input::{at_screen, of_file, of_scene};
use crate::cli::args::{EnvironmentArg, SceneArgs, ShotArgs, TechniqueSet, techniques};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::machine_input::{is_built_in, load_machine, machine_text, read_parameters};
use crate::cli::output::Inputs;
use azulejo_demo::DEFAULT_SEED;
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_gpu::parameters::ParameterError;
use azulejo_sweep::{Change, Fingerprint, NO_TECHNIQUE, Plan, Point, RESULTS_VERSION};

/// Name of the scene that comes with the program.
const BUILT_IN: &str = "built-in";

/// Sweep with everything that it names.
#[derive(Debug)]
pub(super) struct Sweep {
    pub(super) plan: Plan,
    scenes: Vec<SceneInput>,
    machines: Vec<MachineInput>,
    techniques: Vec<TechniqueSet>,
    environment: Option<EnvironmentArg>,
    environment_print: Fingerprint,
    /// All files that are read.
    pub(super) inputs: Inputs,
}

#[derive(Debug)]
struct SceneInput {
    args: SceneArgs,
    print: Fingerprint,
}

#[derive(Debug)]
struct MachineInput {
    /// Name by which it can be loaded from here.
    name: String,
    print: Fingerprint,
}

impl Sweep {
    /// Reads the file of a sweep and looks up what it names; what it names by a path is beside it.
    ///
    /// # Errors
    /// An error in the file or in something that it names, before any work.
    pub(super) fn load(file: &Path) -> Outcome<Self> {
        let text = read_parameters(file)
            .map_err(|error| Failure::of_file(file, format!("cannot read it: {error}")))?;
        let plan = Plan::read(&file.display().to_string(), &text).map_err(refused)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let inputs = Inputs::default().file(file, "the sweep");
        let mut sweep = Self {
            scenes: Vec::new(),
            machines: Vec::new(),
            techniques: Vec::new(),
            environment: None,
            environment_print: Fingerprint::of([]),
            plan,
            inputs,
        };
        sweep.find_scenes(folder)?;
        sweep.find_machines(folder)?;
        sweep.find_techniques()?;
        sweep.find_environment(folder)?;
        Ok(sweep)
    }

    fn find_scenes(&mut self, folder: &Path) -> Outcome {
        let seed = self.plan.seed.unwrap_or(DEFAULT_SEED);
        for name in &self.plan.scenes {
            let file = (name != BUILT_IN).then(|| PathBuf::from(name));
            let mut args = SceneArgs {
                file,
                choice: None,
                variant: None,
                animation: "all".to_owned(),
                time: 0.0,
                frame: Some(self.plan.first_frame),
                seed,
                textures: None,
            };
            let print = match (&args.file, args.demo()) {
                (None, _) => Fingerprint::of([("built-in scene", &[][..])]),
                (_, Some(demo)) => {
                    let seed = seed.to_le_bytes();
                    Fingerprint::of([("demo", demo.name.as_bytes()), ("seed", &seed)])
                }
                (Some(path), None) => {
                    let path = folder.join(path);
                    let print = of_scene(&path)?;
                    args.file = Some(path);
                    print
                }
            };
            self.inputs = std::mem::take(&mut self.inputs).scene(&args);
            self.scenes.push(SceneInput { args, print });
        }
        Ok(())
    }

    fn find_machines(&mut self, folder: &Path) -> Outcome {
        for place in 0..self.plan.machines.len() {
            let listed = &self.plan.machines[place];
            let name = match is_built_in(listed) {
                true => listed.clone(),
                false => folder.join(listed).display().to_string(),
            };
            let spec = load_machine(&name, &[])?;
            // One value of each range shows whether the machine has such a parameter.
            for range in &self.plan.ranges {
                let first = range.values.first().map(|value| Overlay {
                    key: range.key.clone(),
                    value: value.clone(),
                });
                load_machine(&name, first.as_slice())?;
            }
            let text = machine_text(&name)?;
            let print = Fingerprint::of([("machine", text.as_bytes())]);
            self.inputs = std::mem::take(&mut self.inputs).machines([&name]);
            // Results call a machine as it calls itself, where no other is called so.
            if spec.name != name && !self.plan.machines.contains(&spec.name) {
                self.plan.machines[place] = spec.name;
            }
            self.machines.push(MachineInput { name, print });
        }
        Ok(())
    }

    fn find_techniques(&mut self) -> Outcome {
        for text in &self.plan.techniques {
            let set = match text.as_str() {
                NO_TECHNIQUE => TechniqueSet::default(),
                text => techniques(text).map_err(Failure::usage)?,
            };
            self.techniques.push(set);
        }
        Ok(())
    }

    fn find_environment(&mut self, folder: &Path) -> Outcome {
        let Some(name) = &self.plan.env else {
            return Ok(());
        };
        let (choice, print) = match name.as_str() {
            "none" => (EnvironmentArg::None, Fingerprint::of([("none", &[][..])])),
            "builtin" => (
                EnvironmentArg::Builtin,
                Fingerprint::of([("builtin", &[][..])]),
            ),
            name => {
                let file = folder.join(name);
                let print = of_file(&file)?;
                (EnvironmentArg::File(file), print)
            }
        };
        self.inputs = std::mem::take(&mut self.inputs).environment(Some(&choice));
        self.environment_print = print;
        self.environment = Some(choice);
        Ok(())
    }

    /// Machine of a point, with its changes.
    ///
    /// # Errors
    /// A value that it does not take.
    pub(super) fn spec(&self, point: &Point<'_>) -> Outcome<MachineSpec> {
        let overlay = |change: &Change<'_>| Overlay {
            key: change.key.to_owned(),
            value: change.value.to_owned(),
        };
        let overlays: Vec<_> = point.changes.iter().map(overlay).collect();
        load_machine(&self.machine(point).name, &overlays)
    }

    /// The techniques of a point.
    pub(super) fn techniques(&self, point: &Point<'_>) -> &TechniqueSet {
        &self.techniques[place(&self.plan.techniques, point.technique)]
    }

    fn machine(&self, point: &Point<'_>) -> &MachineInput {
        &self.machines[place(&self.plan.machines, point.machine)]
    }

    fn scene(&self, point: &Point<'_>) -> &SceneInput {
        &self.scenes[place(&self.plan.scenes, point.scene)]
    }

    /// Fingerprint of all that decides the point's numbers, the program's version included.
    pub(super) fn print(&self, point: &Point<'_>) -> Fingerprint {
        let shown = self.shown(point).bytes();
        let machine = self.machine(point).print.bytes();
        let fixed = [
            ("frames", &shown[..]),
            ("machine", &machine),
            ("technique", point.technique.as_bytes()),
        ];
        let changes = point.changes.iter();
        let changes = changes.map(|change| (change.key, change.value.as_bytes()));
        Fingerprint::of(fixed.into_iter().chain(changes))
    }

    /// Fingerprint of all that decides the numbers of all points.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        self.plan
            .points()
            .fold(Fingerprint::of([]), |before, point| {
                let point = self.print(&point).bytes();
                Fingerprint::of([("before", &before.bytes()[..]), ("point", &point)])
            })
    }

    /// Fingerprint of what is drawn, the screen left out.
    fn shown(&self, point: &Point<'_>) -> Fingerprint {
        let Plan {
            frames,
            first_frame,
            ..
        } = &self.plan;
        Fingerprint::of([
            ("version", &RESULTS_VERSION.to_le_bytes()[..]),
            ("scene", &self.scene(point).print.bytes()),
            ("frames", &frames.to_le_bytes()),
            ("first frame", &first_frame.to_le_bytes()),
            ("environment", &self.environment_print.bytes()),
        ])
    }

    /// Fingerprint of the frames that a point's machine is fed with.
    pub(super) fn frames_print(&self, point: &Point<'_>, spec: &MachineSpec) -> Fingerprint {
        let shown = self.shown(point).bytes();
        let screen = format!("{:?} {}", spec.screen.grid, spec.screen.binning);
        Fingerprint::of([("shown", &shown[..]), ("screen", screen.as_bytes())])
    }

    /// Options by which the frames of a point are drawn.
    pub(super) fn shot(&self, point: &Point<'_>, spec: &MachineSpec, threads: u16) -> ShotArgs {
        let scene = self.scene(point).args.clone();
        at_screen(scene, &spec.screen, self.environment.clone(), threads)
    }
}

/// Index of a name in its list: every name of a point is one of its plan's.
fn place(names: &[String], name: &str) -> usize {
    names
        .iter()
        .position(|known| known == name)
        .unwrap_or_default()
}

fn refused(error: ParameterError) -> Failure {
    Failure::new(error).hint("`azulejo sweep --help` shows a file with every key")
}
