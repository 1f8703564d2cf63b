//! Processes with a limit on their time and on the memory that they may ask for: the cost of a broken file is part of the
//! test.
//!
//! The limit on memory is that of the shell's `ulimit -v`, which Linux keeps; on other systems only time is limited.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Limits on the resources of a process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Wall-clock time, in seconds.
    pub seconds: u64,
    /// Address space in MiB, code and thread stacks included.
    pub mebibytes: u64,
}

/// How a process ended that kept to its time.
#[derive(Debug)]
pub(crate) struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Limits {
    /// `program` under the limit on memory, to be given arguments.
    pub(crate) fn command(&self, program: &str) -> Command {
        if cfg!(not(target_os = "linux")) {
            return Command::new(program);
        }
        let mut shell = Command::new("sh");
        let kibibytes = self.mebibytes * 1024;
        shell.arg("-c").arg("ulimit -v \"$0\" && exec \"$@\"");
        shell.arg(kibibytes.to_string()).arg(program);
        shell
    }

    /// Runs `command` to its end, or stops it when its time is over: an error then, with the last that it said.
    pub(crate) fn run(&self, command: &mut Command) -> Result<Ended, String> {
        let command = command.stdin(Stdio::null());
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the program starts");
        let stdout = text_of(child.stdout.take());
        let stderr = text_of(child.stderr.take());
        let status = self.wait(&mut child);
        let (stdout, stderr) = (
            stdout.join().expect("standard output is read"),
            stderr.join().expect("standard error is read"),
        );
        match status {
            Some(status) => Ok(Ended {
                status,
                stdout,
                stderr,
            }),
            None => Err(format!(
                "not done in {} s\n{}",
                self.seconds,
                end_of(&stderr)
            )),
        }
    }

    fn wait(&self, child: &mut Child) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(self.seconds) {
            if let Some(status) = child.try_wait().expect("a child of ours") {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("a child of ours");
        child.wait().expect("a child of ours");
        None
    }
}

fn text_of(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Output of a killed process is read as far as it goes.
        let _ = pipe.expect("piped").read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The last lines of a text.
pub(crate) fn end_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

/// Set in the process that runs a test's body.
const INSIDE: &str = "AZULEJO_TEST_INSIDE_LIMITS";

/// Runs the body of the test at `path`, from its crate on, in a process of its own under `limits`; fails if it fails, goes
/// beyond them, or if no such test ran. The body names its cases by [`note`].
pub(crate) fn bounded(path: &str, limits: Limits, body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return body();
    }
    let test = path.split_once("::").map_or(path, |(_, test)| test);
    let program = std::env::current_exe().expect("a test has a file");
    let mut command = limits.command(&program.to_string_lossy());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    let ended = limits.run(command.env(INSIDE, "1"));
    let ended = ended.unwrap_or_else(|problem| panic!("{test}: {problem}"));
    let (status, said) = (ended.status, end_of(&ended.stderr));
    assert!(
        status.success(),
        "{test}: {status} under {limits:?}\n{said}"
    );
    assert!(ended.stdout.contains("1 passed"), "{test} is a test");
}

/// Says which case comes next, so that a process that is stopped has named it last.
pub(crate) fn note(case: &str) {
    // A closed standard error changes no test.
    let _ = writeln!(std::io::stderr(), "{case}");
}
