//! Measurements of demos, kept in a folder under a fingerprint of all that decides them, so that a study that was stopped
//! goes on where it was.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Outcome;
use crate::app::cli::failure::Failure;
use crate::app::cli::output::Outputs;
use crate::sweep::{Fingerprint, seal, unseal};

/// Kind of content that files state.
const KIND: &str = "measured demo";

/// Folder of measurements with these inputs.
#[derive(Debug)]
pub(super) struct Keeper {
    pub(super) folder: PathBuf,
    /// Fingerprint of all that decides the numbers but the demo.
    pub(super) inputs: Fingerprint,
}

impl Keeper {
    fn print(&self, demo: &str) -> Fingerprint {
        let inputs = self.inputs.bytes();
        Fingerprint::of([("inputs", &inputs[..]), ("demo", demo.as_bytes())])
    }

    fn file(&self, print: Fingerprint) -> PathBuf {
        self.folder.join(format!("{print}.json"))
    }

    /// Kept measurement of the demo; nothing where there is none, or where it cannot be used, which is logged.
    pub(super) fn recall<T: DeserializeOwned>(&self, demo: &str) -> Option<T> {
        let print = self.print(demo);
        let file = self.file(print);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                log::warn!("{}: {demo} is measured again: {error}", file.display());
                return None;
            }
        };
        let content = unseal(KIND, print, &bytes).map_err(|error| error.to_string());
        let read = |content| serde_json::from_slice(content).map_err(|error| error.to_string());
        content.and_then(read).map_or_else(
            |problem| {
                log::warn!("{}: {demo} is measured again: {problem}", file.display());
                None
            },
            Some,
        )
    }

    /// Keeps the measurement of the demo.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn keep<T: Serialize>(&self, demo: &str, measured: &T) -> Outcome {
        let print = self.print(demo);
        let content = serde_json::to_vec(measured).map_err(Failure::new)?;
        let bytes = seal(KIND, print, &content).map_err(Failure::new)?;
        Outputs::default()
            .write(&self.file(print), &bytes)
            .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_come_back_with_equal_inputs_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = |inputs| Keeper {
            folder: folder.path().join("kept"),
            inputs: Fingerprint(inputs),
        };
        let measured = vec![0.1_f64, 2.0 / 3.0, 1e-300];
        assert_eq!(keeper(1).recall::<Vec<f64>>("arena"), None, "nothing yet");
        keeper(1).keep("arena", &measured).expect("writable");
        assert_eq!(keeper(1).recall("arena"), Some(measured), "every bit");
        assert_eq!(keeper(2).recall::<Vec<f64>>("arena"), None, "other inputs");
        assert_eq!(keeper(1).recall::<Vec<f64>>("royal"), None, "another demo");
    }

    #[test]
    fn measurement_that_is_cut_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = Keeper {
            folder: folder.path().to_owned(),
            inputs: Fingerprint(1),
        };
        keeper.keep("arena", &[1, 2, 3]).expect("writable");
        let file = keeper.file(keeper.print("arena"));
        let bytes = fs::read(&file).expect("kept");
        fs::write(&file, &bytes[..bytes.len() - 2]).expect("writable");
        assert_eq!(keeper.recall::<Vec<u8>>("arena"), None, "measured again");
    }
}
