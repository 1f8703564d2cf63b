//! Measurements of demos, kept in a folder under a fingerprint of all that decides them, so that a study that was stopped
//! goes on where it was.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::cli::failure::Failure;
use crate::cli::output::Outputs;
use azulejo_study::{Keep, Problem};
use azulejo_sweep::{Fingerprint, seal, unseal};

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

    fn warn(&self, demo: &str, problem: &str) {
        let file = self.file(self.print(demo));
        log::warn!("{}: {demo} is measured again: {problem}", file.display());
    }
}

impl Keep for Keeper {
    /// Kept measurement of the demo; nothing where there is none, or where it cannot be used, which is logged.
    fn recall(&self, demo: &str) -> Option<Vec<u8>> {
        let print = self.print(demo);
        let bytes = match fs::read(self.file(print)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                self.warn(demo, &error.to_string());
                return None;
            }
        };
        unseal(KIND, print, &bytes)
            .map(<[u8]>::to_vec)
            .map_err(|error| self.warn(demo, &error.to_string()))
            .ok()
    }

    fn keep(&self, demo: &str, measured: &[u8]) -> Result<(), Problem> {
        let print = self.print(demo);
        let bytes = seal(KIND, print, measured).map_err(Failure::new)?;
        Outputs::default().write(&self.file(print), &bytes)?;
        Ok(())
    }

    fn unreadable(&self, demo: &str, problem: &str) {
        self.warn(demo, problem);
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
        let measured = b"[0.1,1e-300]".to_vec();
        assert_eq!(keeper(1).recall("arena"), None, "nothing yet");
        keeper(1).keep("arena", &measured).expect("writable");
        assert_eq!(keeper(1).recall("arena"), Some(measured), "every byte");
        assert_eq!(keeper(2).recall("arena"), None, "other inputs");
        assert_eq!(keeper(1).recall("royal"), None, "another demo");
    }

    #[test]
    fn measurement_that_is_cut_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = Keeper {
            folder: folder.path().to_owned(),
            inputs: Fingerprint(1),
        };
        keeper.keep("arena", b"[1,2,3]").expect("writable");
        let file = keeper.file(keeper.print("arena"));
        let bytes = fs::read(&file).expect("kept");
        fs::write(&file, &bytes[..bytes.len() - 2]).expect("writable");
        assert_eq!(keeper.recall("arena"), None, "measured again");
    }
}
