//! The built program as tests run it: in a directory of its own, with its exit code, its words and its files to be looked
//! at.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// An empty directory of this name for a test.
pub(crate) fn workshop(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Left over from an earlier run, or not there at all.
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a fresh directory");
    directory
}

/// Time limit of a command: one that takes longer has hung.
const LIMIT: Duration = Duration::from_secs(300);

/// Runs the program in `directory`; `words` are split at blanks.
pub(crate) fn azulejo(directory: &Path, words: &str) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_azulejo"))
        .args(words.split_whitespace())
        .current_dir(directory)
        .env_remove("RUST_LOG")
        // No test of words and files opens a window.
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    ended(child, words)
}

/// Output and exit status of a program; one that hangs is stopped and fails the test.
fn ended(mut child: Child, words: &str) -> Output {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let stdout = thread::spawn(move || bytes_of(stdout));
    let stderr = thread::spawn(move || bytes_of(stderr));
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().expect("a child of ours") {
            Some(status) => break status,
            None if begun.elapsed() > LIMIT => {
                let _ = child.kill();
                panic!("hangs: still running after {LIMIT:?}: {words}");
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    Output {
        status,
        stdout: stdout.join().expect("a reader"),
        stderr: stderr.join().expect("a reader"),
    }
}

fn bytes_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    pipe.expect("a pipe")
        .read_to_end(&mut bytes)
        .expect("a pipe that ends");
    bytes
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
