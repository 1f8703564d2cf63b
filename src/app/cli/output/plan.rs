//! All outputs of a run, named and checked before work begins, then written one by one.
//!
//! Refused are: a name that leads to an input, however the name is written; two outputs of one name; folders that cannot be
//! written; more than one file to standard output; and a name that the user did not choose where a file is that this
//! program did not make.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::inputs::Inputs;
use super::place::{Kind, Place};
use super::write::{Growing, probe};
use crate::cli::failure::{Failure, Outcome};

/// Standard output as a file name.
const STANDARD: &str = "-";
/// Other names of standard output. A file may stand behind them, which opening by name would empty.
const STANDARD_DEVICES: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
/// Bytes at the start of a file of ours within which it says that it is ours.
const MARK_WITHIN: u64 = 4096;

/// Origin of an output's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Named {
    /// Output named on the command line.
    ByUser,
    /// Output named after the scene.
    ByDefault,
}

/// Files that a run writes.
#[derive(Debug, Default)]
pub(in crate::cli) struct Outputs {
    inputs: Inputs,
    /// Role of each output, by place.
    planned: BTreeMap<PathBuf, String>,
    /// Folders that were found to be writable.
    probed: BTreeSet<PathBuf>,
    /// Places of the files that the run has begun.
    written: Mutex<BTreeSet<PathBuf>>,
    /// Planned outputs whose files are whole.
    in_place: Mutex<BTreeSet<PathBuf>>,
    /// Role of the output that goes to standard output.
    to_standard: Option<String>,
    /// Whether results are not whole.
    is_partial: bool,
}

impl Outputs {
    /// Outputs of a run that reads `inputs`, none planned yet.
    pub(in crate::cli) fn of(inputs: Inputs) -> Self {
        Self {
            inputs,
            ..Self::default()
        }
    }

    /// Adds the output `file`, which is for `role`, such as `--perfetto`.
    ///
    /// # Errors
    /// A file that must not or cannot be written.
    pub(in crate::cli) fn plan(&mut self, file: &Path, role: &str, named: Named) -> Outcome {
        if is_standard(file) {
            if let Some(other) = self.to_standard.replace(role.to_owned()) {
                let problem = format!("{other} and {role} both go to standard output");
                return Err(Failure::usage(problem).hint("name a file for one of them"));
            }
            return Ok(());
        }
        let place = self.checked(file, role)?;
        if matches!(place.kind, Kind::Pipe | Kind::Device) {
            return Ok(());
        }
        if named == Named::ByDefault && place.kind == Kind::Regular && !is_ours(&place.path) {
            let problem = format!(
                "there is such a file, and azulejo did not make it; {role} would replace it"
            );
            let hint = format!("name it ({} FILE) if that is meant", option_of(role));
            return Err(Failure::of_file(file, problem).hint(hint));
        }
        if let Some(other) = self.planned.insert(place.path.clone(), role.to_owned()) {
            return Err(twice(file, &other, role));
        }
        self.check_folder(file, &place)
    }

    /// Adds the output `folder` with the files `names`.
    ///
    /// # Errors
    /// As for [`Self::plan`].
    pub(in crate::cli) fn plan_folder<'a>(
        &mut self,
        folder: &Path,
        role: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Outcome {
        let unusable = |error: io::Error| Failure::of_file(folder, error);
        match Place::of(folder).map_err(unusable)?.kind {
            Kind::Missing | Kind::Directory => {}
            _ => return Err(Failure::of_file(folder, "is a file; expected a folder")),
        }
        let mut names = names.into_iter();
        names.try_for_each(|name| self.plan(&folder.join(name), role, Named::ByUser))
    }

    /// Refuses a sequence where only one file fits.
    ///
    /// # Errors
    /// A `file` that is standard output.
    pub(in crate::cli) fn check_sequence(file: &Path) -> Outcome {
        if is_standard(file) {
            let problem = "a sequence is many files, and standard output takes one";
            return Err(
                Failure::usage(problem).hint("name the files, such as f.png for f.0000.png and on")
            );
        }
        Ok(())
    }

    /// Checks the outputs against each other, once all are planned.
    ///
    /// # Errors
    /// An output that is a folder of another.
    pub(in crate::cli) fn check(&self) -> Outcome {
        for (file, role) in &self.planned {
            let mut folders = file.ancestors().skip(1);
            if let Some(folder) = folders.find(|folder| self.planned.contains_key(*folder)) {
                return Err(twice(folder, &self.planned[folder], role));
            }
        }
        Ok(())
    }

    /// Whether a file goes to standard output, where then no words may go.
    pub(in crate::cli) fn take_standard_output(&self) -> bool {
        self.to_standard.is_some()
    }

    /// Makes these the outputs of results that are not whole: they get names of their own, `f.partial.png` for `f.png`, and
    /// replace nothing.
    pub(in crate::cli) fn partial(self) -> Self {
        Self {
            is_partial: true,
            ..self
        }
    }

    /// Writes a file, whole or not at all; returns the name that it got.
    ///
    /// # Errors
    /// Those of the system; where a file of this name was, it is still there.
    pub(in crate::cli) fn write(&self, file: &Path, bytes: &[u8]) -> Outcome<PathBuf> {
        self.write_by(file, |to| to.write_all(bytes))
    }

    /// Writes a file piece by piece, whole or not at all; returns the name that it got.
    ///
    /// # Errors
    /// As for [`Self::write`].
    pub(in crate::cli) fn write_by(
        &self,
        file: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Outcome<PathBuf> {
        let mut growing = self.begin(file)?;
        write(&mut growing).map_err(|error| unwritable(file, &error))?;
        self.finish(growing, file)
    }

    /// Closes a file that was written piece by piece; returns the name that it got.
    ///
    /// # Errors
    /// Those of the system; where a file of this name was, it is still there.
    pub(in crate::cli) fn finish(&self, growing: Growing, file: &Path) -> Outcome<PathBuf> {
        let finished = match growing {
            Growing::Beside(growing) if self.is_partial => growing.finish_partial(file),
            growing => {
                let finished = growing.finish(|name| self.is_last(name));
                finished.map(|()| file.to_owned())
            }
        };
        finished.map_err(|error| unwritable(file, &error))
    }

    /// Begins a file that is written piece by piece.
    ///
    /// # Errors
    /// A file that must not or cannot be written.
    pub(in crate::cli) fn begin(&self, file: &Path) -> Outcome<Growing> {
        if is_standard(file) {
            return Ok(Growing::standard());
        }
        // The plan may lack names that follow from what was read, and files may have moved since.
        let place = self.checked(file, "the output")?;
        let is_content = matches!(place.kind, Kind::Missing | Kind::Regular);
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if is_content && !written.insert(place.path.clone()) {
            return Err(twice(file, "an output", "another"));
        }
        drop(written);
        Growing::begin(&place).map_err(|error| unwritable(file, &error))
    }

    /// Whether all that was planned is in place, now that `name` is.
    fn is_last(&self, name: &Path) -> bool {
        let mut in_place = self.in_place.lock().unwrap_or_else(PoisonError::into_inner);
        let is_planned = self.planned.contains_key(name) && in_place.insert(name.to_owned());
        is_planned && in_place.len() == self.planned.len()
    }

    /// Place of an output, if it may be written.
    fn checked(&self, file: &Path, role: &str) -> Outcome<Place> {
        let place = Place::of(file).map_err(|error| Failure::of_file(file, error))?;
        if let Some(input) = self.inputs.overwritten_by(&place) {
            let problem = format!("{role} would go over {}, which this run reads", input.role);
            let hint = format!("choose another name: {} FILE", option_of(role));
            return Err(Failure::usage(format!("{}: {problem}", file.display())).hint(hint));
        }
        match place.kind {
            Kind::Directory => Err(Failure::of_file(
                file,
                "is a folder; expected a file to write",
            )),
            Kind::Other => Err(Failure::of_file(
                file,
                "is neither a file nor a pipe; expected a file to write",
            )),
            Kind::Regular if is_protected(&place.path) => {
                let hint = format!("chmod u+w {}", file.display());
                Err(Failure::of_file(file, "is write-protected").hint(hint))
            }
            _ => Ok(place),
        }
    }

    /// Checks that the folder of an output can be written. Folders are made when something is written; until then the first
    /// that exists must be one where that can be done.
    fn check_folder(&mut self, file: &Path, place: &Place) -> Outcome {
        let folder = place.path.parent().unwrap_or(Path::new("/"));
        if self.probed.contains(folder) {
            return Ok(());
        }
        let mut folders = folder.ancestors();
        let existing = folders.find(|folder| fs::symlink_metadata(folder).is_ok());
        let existing = existing.unwrap_or(Path::new("/"));
        probe(existing).map_err(|error| {
            let problem = format!(
                "the folder {} cannot be written: {error}",
                existing.display()
            );
            Failure::of_file(file, problem)
                .hint("choose a folder that can be written, or change its permissions")
        })?;
        self.probed.insert(folder.to_owned());
        Ok(())
    }
}

/// Whether `file` names standard output.
pub(in crate::cli) fn is_standard(file: &Path) -> bool {
    file == Path::new(STANDARD) || STANDARD_DEVICES.iter().any(|name| file == Path::new(name))
}

/// Option in a role such as `--heatmap overdraw`.
fn option_of(role: &str) -> &str {
    match role.split_whitespace().next() {
        Some(option) if option.starts_with('-') => option,
        _ => "-o",
    }
}

fn twice(file: &Path, one: &str, other: &str) -> Failure {
    let problem = format!(
        "{}: {one} and {other} would both be written here",
        file.display()
    );
    Failure::usage(problem).hint("give each a name of its own")
}

/// Failure of a file that could not be written, with a hint by the kind of error.
pub(in crate::cli) fn unwritable(file: &Path, error: &io::Error) -> Failure {
    let failure = Failure::of_file(file, format!("cannot be written: {error}"));
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure {
            is_broken_pipe: true,
            ..failure
        },
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => failure.hint(
            "make room, or write to another disk; what was there under this name is unchanged",
        ),
        _ => failure,
    }
}

fn is_protected(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().readonly())
}

/// Whether the file begins like a trace of ours, or says that this program made it, as our pictures do.
fn is_ours(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(MARK_WITHIN).read_to_end(&mut start));
    let mark = b"azulejo";
    read.is_ok() && start.windows(mark.len()).any(|part| part == mark)
}
