//! Machines by name or file, with the changes of the command line.

use std::path::Path;

use super::HardwareArgs;
use crate::app::cli::failure::{Failure, Outcome};
use crate::gpu::machine::{BUILT_IN, MachineError, MachineSpec, Overlay, built_in, load_machine};

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
                spec: load_one(name, &overlays)?,
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

/// A machine by name or file, with changes.
pub(in crate::app::cli::commands) fn load_one(
    name: &str,
    overlays: &[Overlay],
) -> Outcome<MachineSpec> {
    if built_in(name).is_some() {
        return MachineSpec::built_in(name, overlays).map_err(refused);
    }
    let path = Path::new(name);
    if !path.is_file() {
        let message = format!("--machine {name}: no machine of this name and no such file");
        let names: Vec<_> = BUILT_IN.iter().map(|machine| machine.name).collect();
        let hint = format!("expected a TOML file or one of {}", names.join(", "));
        return Err(Failure::usage(message).hint(hint));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::of_file(path, format!("cannot read it: {error}")))?;
    let directory = path.parent().unwrap_or(Path::new(""));
    // An include is a machine that comes with the program, or a file beside this one.
    let resolve = |include: &str| {
        let shipped = built_in(include).map(str::to_owned);
        shipped.or_else(|| std::fs::read_to_string(directory.join(include)).ok())
    };
    load_machine(name, &text, &resolve, overlays).map_err(refused)
}

fn refused(error: MachineError) -> Failure {
    let hint = "assets/machines/valhall-libra-baseline.toml shows every key with its meaning";
    Failure::new(error).hint(hint)
}
