//! The built program as tests run it: in a directory of its own, with its exit code, its words and its files to be looked at.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// An empty directory of this name for a test.
pub(crate) fn workshop(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Left over from an earlier run, or not there at all.
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a fresh directory");
    directory
}

/// Runs the program in `directory`; `words` are split at blanks.
pub(crate) fn azulejo(directory: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(words.split_whitespace())
        .current_dir(directory)
        .env_remove("RUST_LOG")
        // No test of words and files opens a window.
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The command ends well.
#[track_caller]
pub(crate) fn succeeds(directory: &Path, words: &str) -> Output {
    let output = azulejo(directory, words);
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{words}\n{errors}");
    output
}

/// The command ends well and prints JSON.
#[track_caller]
pub(crate) fn json(directory: &Path, words: &str) -> Value {
    let text = stdout(&succeeds(directory, words));
    serde_json::from_str(&text).expect("standard output is JSON")
}

/// The command ends with `code` and says every one of `says`, in a few short lines.
#[track_caller]
pub(crate) fn fails(directory: &Path, words: &str, code: i32, says: &[&str]) {
    let output = azulejo(directory, words);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{words}\n{text}");
    for part in says {
        assert!(text.contains(part), "{words}: no {part:?} in\n{text}");
    }
    assert!(text.len() < 2000, "{words}: short\n{text}");
    assert!(output.stdout.is_empty(), "{words}: no half result");
}
