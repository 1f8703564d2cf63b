//! Folder of a sweep: `points/PRINT.json` a result, `.failed` why there is none, `.running` the process that is at it;
//! `frames/PRINT.azt` the frames that machines are fed with. Files come by a rename, so that each is whole or not there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::Outputs;
use azulejo_sweep::{Fingerprint, PointResult, ResultError};

/// Folder of a sweep's results and frames.
#[derive(Debug, Clone)]
pub(super) struct Store {
    root: PathBuf,
}

/// State of a point, as far as the folder shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    Done,
    /// Not begun, or begun by a process that was stopped.
    Left,
    Running,
    Failed(Failed),
    /// File under its name that is no result of it, for this reason.
    Unusable(String),
}

/// Reason why a point has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failed {
    pub(super) error: String,
    /// Command that shows the error again.
    pub(super) command: String,
}

/// Process that runs a point.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Runner {
    host: String,
    process: u32,
}

impl Store {
    /// Store in a folder that need not be there yet.
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Path of a file that is not of one point.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Path of the trace of these frames.
    pub(super) fn frames(&self, print: Fingerprint) -> PathBuf {
        self.root.join("frames").join(format!("{print}.azt"))
    }

    fn point(&self, print: Fingerprint, ending: &str) -> PathBuf {
        self.root.join("points").join(format!("{print}.{ending}"))
    }

    /// Reads the state of a point.
    pub(super) fn state(&self, print: Fingerprint) -> State {
        match fs::read(self.point(print, "json")) {
            Ok(bytes) => match PointResult::verify(&bytes, print) {
                Ok(_) => return State::Done,
                Err(error) => return State::Unusable(error.to_string()),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return State::Unusable(error.to_string()),
        }
        if self.is_running(print) {
            return State::Running;
        }
        let failed = fs::read(self.point(print, "failed"));
        let failed = failed
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        failed.map_or(State::Left, State::Failed)
    }

    /// Reads the result of a point.
    ///
    /// # Errors
    /// Those of the system, and a file there that is no result.
    pub(super) fn result(&self, print: Fingerprint) -> Outcome<PointResult> {
        let file = self.point(print, "json");
        let bytes = fs::read(&file).map_err(|error| Failure::of_file(&file, error))?;
        PointResult::decode(&bytes, print)
            .map_err(|error: ResultError| Failure::of_error(&file, &error))
    }

    /// Keeps a result: from now on the point is done.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn keep(&self, print: Fingerprint, result: &PointResult) -> Outcome {
        let bytes = result.encode(print).map_err(Failure::new)?;
        self.write(&self.point(print, "json"), &bytes)?;
        remove(&self.point(print, "failed"))
    }

    /// Keeps the reason why there is no result.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn fail(&self, print: Fingerprint, failed: &Failed) -> Outcome {
        let text = serde_json::to_vec(failed).map_err(Failure::new)?;
        self.write(&self.point(print, "failed"), &text)
    }

    /// Marks a point as run by this process until the returned value is dropped.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn begin(&self, print: Fingerprint) -> Outcome<Begun> {
        let runner = serde_json::to_vec(&Runner::own()).map_err(Failure::new)?;
        let file = self.point(print, "running");
        self.write(&file, &runner)?;
        Ok(Begun { file })
    }

    /// Whether the process of a `.running` file is there: one of this computer that is no more is not running; those of
    /// other computers are believed.
    fn is_running(&self, print: Fingerprint) -> bool {
        let text = fs::read(self.point(print, "running")).ok();
        let runner = text.and_then(|text| serde_json::from_slice::<Runner>(&text).ok());
        let own = Runner::own();
        runner.is_some_and(|runner| {
            let is_gone = runner.host == own.host && !is_process(runner.process);
            !is_gone
        })
    }

    /// Writes a file of the folder, whole or not at all.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn write(&self, file: &Path, bytes: &[u8]) -> Outcome {
        Outputs::default().write(file, bytes).map(drop)
    }
}

/// Mark of a point that is being run.
#[derive(Debug)]
pub(super) struct Begun {
    file: PathBuf,
}

impl Drop for Begun {
    fn drop(&mut self) {
        // A file that stays is seen to be of a process that is no more.
        let _ = fs::remove_file(&self.file);
    }
}

impl Runner {
    fn own() -> Self {
        Self {
            host: host(),
            process: std::process::id(),
        }
    }
}

/// Name of this computer; nothing where it cannot be found out.
fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname");
    name.map_or_else(|_| String::new(), |name| name.trim().to_owned())
}

/// Whether there is such a process; true where that cannot be found out.
fn is_process(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}

/// Removes a file, if it is there.
fn remove(file: &Path) -> Outcome {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::of_file(file, error)),
        _ => Ok(()),
    }
}
