//! Build script: names the commit of the sources in `AZULEJO_GIT_ID`, where they lie in a git repository of their own. A
//! `+` behind it says that they were changed since. A variable that is set already stays; without git or
//! repository there is none.
//!
//! It runs again only when sources have changed: a commit by itself costs no build, and `main.rs` alone is compiled for
//! another name. So a program that was built, then committed, keeps saying what it was built from.

use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Files and folders that the program is built from; pictures of texts are not among them.
const SOURCES: [&str; 7] = [
    "src",
    "assets/dram",
    "assets/energy",
    "assets/machines",
    "shaders",
    "Cargo.toml",
    "Cargo.lock",
];

const VARIABLE: &str = "AZULEJO_GIT_ID";

fn main() -> std::io::Result<()> {
    let mut cargo = std::io::stdout().lock();
    writeln!(cargo, "cargo::rerun-if-env-changed={VARIABLE}")?;
    for source in SOURCES.iter().filter(|source| Path::new(source).exists()) {
        writeln!(cargo, "cargo::rerun-if-changed={source}")?;
    }
    if std::env::var_os(VARIABLE).is_none()
        && let Some(commit) = commit()
    {
        writeln!(cargo, "cargo::rustc-env={VARIABLE}={commit}")?;
    }
    Ok(())
}

/// Commit that is checked out, with `+` where sources were changed since; nothing where the package is only a part of
/// another repository, such as a folder of dependencies.
fn commit() -> Option<String> {
    if !git(&["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(SOURCES);
    let changed = if git(&status)?.is_empty() { "" } else { "+" };
    Some(format!("{commit}{changed}"))
}

/// Standard output of git, run in the package's folder as build scripts are.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
