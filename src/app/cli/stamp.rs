//! Provenance of results: program, version, command line and scene, for JSON and for the text chunks of pictures; for
//! results about demos and traces all that decides them, as a fingerprint.

use std::sync::OnceLock;

use serde::Serialize;

use azulejo_sweep::{Fingerprint, RESULTS_VERSION};

/// Provenance of a result that is not of one scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Provenance {
    /// Program and version, [`GENERATOR`].
    generator: String,
    /// Commit, with `+` where sources were changed since, as far as the build knew it (`src/build.rs`).
    #[serde(skip_serializing_if = "Option::is_none")]
    git: Option<&'static str>,
    /// Version of all numbers: the same inputs give the same result as long as it stays.
    results_version: u32,
    /// The command line, quoted for a shell; without the number of threads, which changes nothing.
    command: String,
    /// Fingerprint of all that decides the result, hexadecimal.
    inputs: String,
}

impl Provenance {
    /// Provenance of a result of these inputs, made by this process.
    pub(super) fn of(inputs: Fingerprint) -> Self {
        Self {
            generator: GENERATOR.to_owned(),
            git: commit(),
            results_version: RESULTS_VERSION,
            command: shell_line(&without_threads(&words())),
            inputs: inputs.to_string(),
        }
    }
}

/// Program and version, as results name them.
const GENERATOR: &str = concat!("azulejo ", env!("CARGO_PKG_VERSION"));
/// Commit, as far as the build of the program knew it.
static COMMIT: OnceLock<&str> = OnceLock::new();

/// Names the commit in the results of this process.
pub(super) fn know_commit(commit: Option<&'static str>) {
    if let Some(commit) = commit {
        COMMIT.get_or_init(|| commit);
    }
}

/// Commit that results name.
fn commit() -> Option<&'static str> {
    COMMIT.get().copied()
}

/// Command line of this process, with `azulejo` as its first word.
fn words() -> Vec<String> {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    std::iter::once("azulejo".to_owned()).chain(words).collect()
}

/// Drops the number of threads, so that the command line gives the same result on any.
fn without_threads(words: &[String]) -> Vec<String> {
    const THREADS: &str = "--threads";
    let (mut line, mut words) = (Vec::new(), words.iter());
    while let Some(word) = words.next() {
        if word == THREADS {
            // The number behind the option.
            words.next();
        } else if !word.starts_with("--threads=") {
            line.push(word.clone());
        }
    }
    line
}

/// Provenance of a result about one scene, which every result file carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Stamp {
    /// Program and version, [`GENERATOR`].
    pub(super) generator: String,
    /// Commit, with `+` where sources were changed since, as far as the build knew it (`src/build.rs`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) git: Option<&'static str>,
    /// The command line, quoted for a shell.
    pub(super) command: String,
    /// Name of the scene.
    pub(super) scene: String,
    /// CRC-32 of the decoded scene, hexadecimal.
    pub(super) scene_hash: String,
}

impl Stamp {
    /// Stamp of a result about the scene of this name and hash, made by this process.
    pub(super) fn new(scene: &str, hash: u32) -> Self {
        Self {
            generator: GENERATOR.to_owned(),
            git: commit(),
            command: shell_line(&words()),
            scene: scene.to_owned(),
            scene_hash: format!("{hash:08x}"),
        }
    }

    /// Keywords and texts of a PNG file; without the commit, so that commits which draw the same pixels write the same
    /// bytes.
    pub(super) fn texts(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("Software", self.generator.as_str()),
            ("Command", &self.command),
            ("Scene", &self.scene),
            ("Scene hash", &self.scene_hash),
        ]
    }

    /// [`Self::texts`] and the commit.
    pub(super) fn all_texts(&self) -> Vec<(&'static str, &str)> {
        let git = self.git.map(|git| ("Git", git));
        self.texts().into_iter().chain(git).collect()
    }
}

/// Joins words into a command line that a POSIX shell splits into them again.
pub(super) fn shell_line(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// Quotes a word such that a POSIX shell takes it back.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+,./:@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_of_a_result_is_the_same_on_any_number_of_threads() {
        for line in [
            "azulejo study re --quick",
            "azulejo study re --threads 3 --quick",
            "azulejo study re --quick --threads=0",
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let kept = without_threads(&words).join(" ");
            assert_eq!(kept, "azulejo study re --quick", "{line}");
        }
    }

    #[test]
    fn stamp_quotes_what_a_shell_would_split() {
        let words = ["-o", "out.png", "Box With Spaces.glb", "it's", ""].map(quoted);
        assert_eq!(
            words,
            ["-o", "out.png", "'Box With Spaces.glb'", r"'it'\''s'", "''"],
            "only where needed"
        );
    }
}
