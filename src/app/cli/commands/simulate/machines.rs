//! The machines of the command line, with its changes.

use std::path::Path;

use super::args::HardwareArgs;
use crate::app::cli::args::{MachineMap, TechniqueSet};
use crate::app::cli::failure::Outcome;
use crate::app::cli::machine_input::load_machine;
use crate::gpu::machine::{MachineSpec, Overlay};

/// A machine with techniques, and what it is called.
#[derive(Debug, Clone)]
pub(super) struct NamedSpec {
    pub(super) name: String,
    /// The same in file names: no two machines of a run have it in common.
    pub(super) label: String,
    pub(super) spec: MachineSpec,
    pub(super) techniques: TechniqueSet,
}

impl NamedSpec {
    /// Whether it can say what a map shows.
    pub(super) fn shows(&self, map: MachineMap) -> bool {
        let mut own = self.techniques.0.iter();
        (map.technique()).is_none_or(|asked| own.any(|technique| technique.name == asked.name))
    }
}

/// All machines of the command line, in its order, each as it is and then with each set of techniques.
pub(super) fn load(args: &HardwareArgs) -> Outcome<Vec<NamedSpec>> {
    let overlays = overlays(args);
    let mut machines = Vec::new();
    for name in &args.machines {
        let spec = load_machine(name, &overlays)?;
        let baseline = TechniqueSet::default();
        for techniques in std::iter::once(&baseline).chain(&args.techniques) {
            let added = techniques.0.iter().map(|technique| technique.name);
            let suffix: String = added.map(|technique| format!("+{technique}")).collect();
            let label = free_label(stem_of(name) + &suffix, &machines);
            machines.push(NamedSpec {
                name: format!("{name}{suffix}"),
                label,
                spec: spec.clone(),
                techniques: techniques.clone(),
            });
        }
    }
    Ok(machines)
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

/// `--size` is a change like any other, and the last.
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
