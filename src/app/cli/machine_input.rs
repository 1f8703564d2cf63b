//! Machines as users name them: one that comes with the program, or a TOML file. Files of parameters are small, regular
//! files.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::failure::{Failure, Outcome};
use super::likeness::did_you_mean;
use azulejo_gpu::machine::{self, BUILT_IN, MachineSpec, Overlay};
use azulejo_gpu::parameters::ParameterError;
use azulejo_soc::SocSpec;
use azulejo_technique as technique;

/// Loads a machine by name or file, with changes; its parameters of techniques and of a system on chip are valid.
pub(super) fn load_machine(name: &str, overlays: &[Overlay]) -> Outcome<MachineSpec> {
    let machine = load_without_techniques(name, overlays)?;
    technique::check_parameters(&machine).map_err(refused)?;
    SocSpec::of(&machine).map_err(refused)?;
    Ok(machine)
}

/// Whether a machine of this name comes with the program.
pub(super) fn is_built_in(name: &str) -> bool {
    machine::built_in(name).is_some()
}

/// Joins all text that a machine comes from: its file's and those of the files that it includes.
///
/// # Errors
/// As for [`load_machine`].
pub(super) fn machine_text(name: &str) -> Outcome<String> {
    if let Some(text) = machine::built_in(name) {
        return Ok(text.to_owned());
    }
    let text = text_of(name)?;
    let path = Path::new(name);
    let texts = RefCell::new(text.clone());
    let find = |include: &str| {
        let text = included(path, include)?;
        texts.borrow_mut().push_str(&text);
        Ok(text)
    };
    machine::load_machine(name, &text, &find, &[]).map_err(refused)?;
    Ok(texts.into_inner())
}

fn load_without_techniques(name: &str, overlays: &[Overlay]) -> Outcome<MachineSpec> {
    let text = text_of(name)?;
    let find = |include: &str| included(Path::new(name), include);
    machine::load_machine(name, &text, &find, overlays).map_err(refused)
}

/// Every parameter of a machine by name or file, as a tree by key.
pub(super) fn machine_parameters(name: &str) -> Outcome<serde_json::Value> {
    let text = text_of(name)?;
    let find = |include: &str| included(Path::new(name), include);
    machine::machine_parameters(name, &text, &find).map_err(refused)
}

/// The text of a machine by name or file.
fn text_of(name: &str) -> Outcome<String> {
    if let Some(text) = machine::built_in(name) {
        return Ok(text.to_owned());
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<_> = BUILT_IN.iter().map(|machine| machine.name).collect();
        let meant = did_you_mean(name, names.iter().copied());
        let message = format!("--machine {name}: no machine of this name and no such file{meant}");
        let hint = format!("expected a TOML file or one of {}", names.join(", "));
        return Err(Failure::usage(message).hint(hint));
    }
    read_parameters(path)
        .map_err(|error| Failure::of_file(path, format!("cannot read it: {error}")))
}

/// The text of an include of the machine in `file`: a machine that comes with the program, or a file beside this one.
fn included(file: &Path, include: &str) -> Result<String, String> {
    let directory = file.parent().unwrap_or(Path::new(""));
    let shipped = machine::built_in(include).map(str::to_owned);
    let read = || read_parameters(&directory.join(include));
    let text = shipped.map_or_else(read, Ok);
    text.map_err(|error| format!("a machine by name, or a TOML file ({error})"))
}

/// Reads the text of a file of parameters; refuses one that is no regular file or longer than a megabyte.
pub(super) fn read_parameters(path: &Path) -> io::Result<String> {
    const MOST: u64 = 1 << 20;
    let no_file = || io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file");
    // Before it is opened: a pipe without a writer would not open.
    if !std::fs::metadata(path)?.is_file() {
        return Err(no_file());
    }
    let mut text = String::new();
    File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST {
        let problem = format!("it is longer than {MOST} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    Ok(text)
}

/// Failure by parameters of a machine.
pub(super) fn refused(error: ParameterError) -> Failure {
    // A wrong change on the command line is wrong usage, as a wrong name is; a wrong file is a file's fault.
    let failure = if error.file == "--set" {
        Failure::usage(error)
    } else {
        Failure::new(error)
    };
    failure.hint("`azulejo list --machine valhall-libra-baseline` shows every key with its meaning")
}
