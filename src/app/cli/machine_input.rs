//! A machine as users name it: one that comes with the program, or a TOML file.

use std::path::Path;

use super::failure::{Failure, Outcome};
use crate::gpu::machine::{self, BUILT_IN, MachineSpec, Overlay};
use crate::gpu::parameters::ParameterError;

/// A machine by name or file, with changes.
pub(super) fn load_machine(name: &str, overlays: &[Overlay]) -> Outcome<MachineSpec> {
    if machine::built_in(name).is_some() {
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
    let find = |include: &str| {
        let shipped = machine::built_in(include).map(str::to_owned);
        let read = || std::fs::read_to_string(directory.join(include));
        let text = shipped.map_or_else(read, Ok);
        text.map_err(|error| format!("a machine by name, or a TOML file ({error})"))
    };
    machine::load_machine(name, &text, &find, overlays).map_err(refused)
}

fn refused(error: ParameterError) -> Failure {
    let hint = "assets/machines/valhall-libra-baseline.toml shows every key with its meaning";
    Failure::new(error).hint(hint)
}
