//! The machines of the command line, with its changes.

use super::HardwareArgs;
use crate::app::cli::failure::Outcome;
use crate::app::cli::machine_input::load_machine;
use crate::gpu::machine::{MachineSpec, Overlay};
use crate::technique::{TECHNIQUES, Technique};

/// A machine with techniques, and what it is called.
#[derive(Debug, Clone)]
pub(super) struct NamedSpec {
    pub(super) name: String,
    pub(super) spec: MachineSpec,
    pub(super) techniques: TechniqueSet,
}

/// Techniques that work side by side on one machine.
#[derive(Debug, Clone, Default)]
pub(in crate::app::cli::commands) struct TechniqueSet(
    pub(in crate::app::cli::commands) Vec<&'static Technique>,
);

/// Techniques as users write them: `re`, or `re+te` for both at once.
pub(in crate::app::cli::commands) fn techniques(text: &str) -> Result<TechniqueSet, String> {
    let known = || {
        let names: Vec<_> = TECHNIQUES.iter().map(|technique| technique.name).collect();
        format!("expected {}, or some joined by +", names.join(", "))
    };
    let found = text.split('+').map(Technique::find);
    let set = found.collect::<Option<Vec<_>>>().ok_or_else(known)?;
    Ok(TechniqueSet(set))
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
            let parts: Vec<_> = std::iter::once(name.as_str()).chain(added).collect();
            machines.push(NamedSpec {
                name: parts.join("+"),
                spec: spec.clone(),
                techniques: techniques.clone(),
            });
        }
    }
    Ok(machines)
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
