//! Machines of the command line, with its changes.

use std::path::Path;

use serde::Serialize;

use super::args::HardwareArgs;
use crate::cli::args::{MachineMap, TechniqueSet};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::machine_input::load_machine;
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_technique::machine_with;

/// Machine with techniques, and its name: its own where it says one.
#[derive(Debug, Clone)]
pub(super) struct NamedSpec {
    pub(super) name: String,
    /// Name in file names, which no two machines of a run have in common.
    pub(super) label: String,
    pub(super) spec: MachineSpec,
    pub(super) techniques: TechniqueSet,
}

impl NamedSpec {
    /// Whether the machine has the numbers of a map.
    pub(super) fn shows(&self, map: MachineMap) -> bool {
        let mut own = self.techniques.0.iter();
        (map.technique()).is_none_or(|asked| own.any(|technique| technique.name == asked.name))
    }
}

/// Machines that run side by side.
#[derive(Debug, Clone, Default)]
pub(super) struct Lineup {
    /// Machines in the order of the command line, at least one.
    pub(super) machines: Vec<NamedSpec>,
    pub(super) left_out: Vec<LeftOut>,
}

/// Techniques that a machine cannot carry, while another of the run can.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LeftOut {
    pub(super) machine: String,
    pub(super) reason: String,
}

/// Loads all machines of the command line, in its order, each as it is and then with each set of techniques that it can
/// carry.
///
/// # Errors
/// If there is no such machine, or a set of techniques that none of them can carry.
pub(super) fn load(args: &HardwareArgs) -> Outcome<Lineup> {
    let overlays = overlays(args);
    let mut lineup = Lineup::default();
    let baseline = TechniqueSet::default();
    let mut carried = vec![false; args.techniques.len()];
    for name in &args.machines {
        let spec = load_machine(name, &overlays)?;
        lineup.add(name, &spec, &baseline);
        for (techniques, carried) in args.techniques.iter().zip(&mut carried) {
            match machine_with(&spec, &techniques.0) {
                Ok(_) => {
                    lineup.add(name, &spec, techniques);
                    *carried = true;
                }
                Err(error) => lineup.left_out.push(LeftOut {
                    machine: format!("{name}{}", techniques.suffix()),
                    reason: error.to_string(),
                }),
            }
        }
    }
    let nowhere = (args.techniques.iter().zip(carried)).find(|(_, carried)| !carried);
    match nowhere {
        None => Ok(lineup),
        Some((techniques, _)) => Err(lineup.refusal(techniques)),
    }
}

impl Lineup {
    fn add(&mut self, name: &str, spec: &MachineSpec, techniques: &TechniqueSet) {
        let suffix = techniques.suffix();
        let label = free_label(stem_of(name) + &suffix, &self.machines);
        let own = format!("{}{suffix}", spec.name);
        // Two files may give themselves one name; then the later one is named after its file.
        let is_taken = (self.machines.iter()).any(|known| known.name == own && known.spec != *spec);
        self.machines.push(NamedSpec {
            name: if is_taken {
                format!("{name}{suffix}")
            } else {
                own
            },
            label,
            spec: spec.clone(),
            techniques: techniques.clone(),
        });
    }

    /// Failure of a set that no machine carries: the refusal of the first of them.
    fn refusal(&self, techniques: &TechniqueSet) -> Failure {
        let suffix = techniques.suffix();
        let first = (self.left_out.iter()).find(|left_out| left_out.machine.ends_with(&suffix));
        let text = first.map_or_else(String::new, |left_out| {
            format!("{}: {}", left_out.machine, left_out.reason)
        });
        Failure::new(text)
    }
}

/// The machine's own name, or its file's without folder and `.toml`.
fn stem_of(name: &str) -> String {
    let path = Path::new(name);
    let is_file = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    let part = if is_file {
        path.file_stem()
    } else {
        path.file_name()
    };
    part.unwrap_or_default().to_string_lossy().into_owned()
}

/// `label`, with a number where an earlier machine has it.
fn free_label(label: String, machines: &[NamedSpec]) -> String {
    let is_free = |label: &String| machines.iter().all(|machine| machine.label != *label);
    let numbered = (2..).map(|number| format!("{label}-{number}"));
    let mut labels = std::iter::once(label.clone()).chain(numbered);
    labels.find(is_free).unwrap_or(label)
}

/// Changes of the command line; `--size` is a change like any other, and the last.
fn overlays(args: &HardwareArgs) -> Vec<Overlay> {
    let edge = |key: &str, value: u32| Overlay {
        key: key.to_owned(),
        value: value.to_string(),
    };
    let size = args
        .size
        .map(|(width, height)| [edge("screen.width", width), edge("screen.height", height)]);
    let size = size.into_iter().flatten();
    args.set.iter().cloned().chain(size).collect()
}
