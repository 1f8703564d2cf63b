//! The machines of the command line, with its changes.

use super::HardwareArgs;
use crate::app::cli::failure::Outcome;
use crate::app::cli::machine_input::load_machine;
use crate::gpu::machine::{MachineSpec, Overlay};

/// A machine and what the user called it.
#[derive(Debug, Clone)]
pub(super) struct NamedSpec {
    pub(super) name: String,
    pub(super) spec: MachineSpec,
}

/// All machines of the command line, in its order.
pub(super) fn load(args: &HardwareArgs) -> Outcome<Vec<NamedSpec>> {
    let overlays = overlays(args);
    let machines = args.machines.iter();
    machines
        .map(|name| {
            Ok(NamedSpec {
                name: name.clone(),
                spec: load_machine(name, &overlays)?,
            })
        })
        .collect()
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
