//! Console output: results to standard output, everything else to standard error, and progress only to a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::failure::{Failure, Outcome};

/// Interval between two looks at how far work is.
const TICK: Duration = Duration::from_millis(120);
/// Warnings of one source that are shown unless all are asked for.
const WARNINGS_SHOWN: usize = 8;

/// Verbosity of the program, and the stream that takes its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Console {
    quiet: bool,
    verbose: bool,
    /// Results go to standard error, as a file takes standard output.
    aside: bool,
}

impl Console {
    /// Creates the console and sets up the logger, by which libraries speak; `RUST_LOG` overrides what it lets through.
    pub(super) fn new(quiet: bool, verbose: bool) -> Self {
        let filter = match (quiet, verbose) {
            (true, _) => "off",
            (_, true) => "warn,azulejo=debug",
            // Drivers complain of much that does not matter; a failure that does comes back as an error.
            _ => "off,azulejo=warn",
        };
        let environment = env_logger::Env::default().default_filter_or(filter);
        // Only a second logger in the process could refuse, and then that one speaks.
        let _ = env_logger::Builder::from_env(environment)
            .format(|out, record| {
                let level = record.level().as_str().to_ascii_lowercase();
                writeln!(out, "{level}: {}", record.args())
            })
            .try_init();
        Self {
            quiet,
            verbose,
            aside: false,
        }
    }

    /// Switches warnings and progress off.
    pub(super) fn silent(self) -> Self {
        Self {
            quiet: true,
            ..self
        }
    }

    /// Moves results to standard error if a file `takes` standard output.
    pub(super) fn beside_file(self, takes: bool) -> Self {
        Self {
            aside: takes,
            ..self
        }
    }

    /// Prints a result as it is.
    pub(super) fn print(self, text: &str) -> Outcome {
        if self.aside {
            self.say(text.trim_end());
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    /// Prints a value as JSON, indented.
    pub(super) fn print_json(self, value: &impl serde::Serialize) -> Outcome {
        if self.aside {
            let text = serde_json::to_string_pretty(value).map_err(Failure::new)?;
            return self.print(&text);
        }
        // Piece by piece: the text of a long run is much larger than the run.
        let mut out = io::BufWriter::new(io::stdout().lock());
        serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        Ok(out.flush()?)
    }

    /// Prints warnings about `source`, one sentence each; past the first [`WARNINGS_SHOWN`] only with --verbose.
    pub(super) fn warn(self, source: &str, warnings: &[String]) {
        if self.quiet {
            return;
        }
        let shown = if self.verbose {
            warnings.len()
        } else {
            WARNINGS_SHOWN
        };
        for warning in warnings.iter().take(shown) {
            self.say(&format!("warning: {source}: {warning}"));
        }
        if warnings.len() > shown {
            let more = warnings.len() - shown;
            self.say(&format!(
                "warning: {source}: {more} more warnings; --verbose shows all"
            ));
        }
    }

    /// Prints a note on finished work to standard error, unless quiet.
    pub(super) fn note(self, text: &str) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// Prints why the command ends early, with the hint.
    pub(super) fn error(self, failure: &Failure) {
        self.say(&format!("error: {}", failure.message));
        if let Some(hint) = &failure.hint {
            self.say(&format!("  hint: {hint}"));
        }
    }

    #[expect(clippy::unused_self, reason = "all words go through the console")]
    fn say(self, text: &str) {
        // Nothing is left to report to if standard error is gone.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Progress bar with rate and time left for `steps` steps of the same kind; nothing unless on a terminal.
    pub(super) fn progress(self, steps: u64, what: &str) -> ProgressBar {
        if steps <= 1 {
            // A bar of one step would stand at its beginning until all is done.
            return self.spinner(what.trim_end_matches('s'));
        }
        let style = "{msg} [{bar:32}] {pos}/{len}  {per_sec}  ETA {left}";
        let bar = self.bar(Some(steps), style).with_message(what.to_owned());
        bar.tick();
        bar
    }

    /// Progress bar with rate, time so far and time left for `tiles` of a frame or of frames, to be moved by [`watched`];
    /// nothing unless on a terminal.
    pub(super) fn tiles(self, tiles: u64, what: &str) -> ProgressBar {
        let style = "{msg} [{bar:32}] {pos}/{len} tiles  {per_sec}  {elapsed}  ETA {left}";
        let bar = self.bar(Some(tiles), style).with_message(what.to_owned());
        bar.tick();
        bar
    }

    /// Progress bar with rate and time left for `bytes` to read; nothing unless on a terminal.
    pub(super) fn reading(self, bytes: u64, what: &str) -> ProgressBar {
        let style = "{msg} [{bar:32}] {bytes}/{total_bytes}  {bytes_per_sec}  ETA {eta}";
        self.bar(Some(bytes), style).with_message(what.to_owned())
    }

    /// Spinner with the time so far, for work of unknown length; nothing unless on a terminal.
    pub(super) fn spinner(self, what: &str) -> ProgressBar {
        let bar = self.bar(None, "{spinner} {msg}  {elapsed}");
        bar.enable_steady_tick(TICK);
        bar.with_message(what.to_owned())
    }

    fn bar(self, steps: Option<u64>, style: &str) -> ProgressBar {
        let target = if self.quiet || !io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let style = ProgressStyle::with_template(style);
        ProgressBar::with_draw_target(steps, target).with_style(
            style
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .with_key("left", time_left),
        )
    }
}

/// Runs `work` and meanwhile moves the bar to the step that `position` returns.
pub(super) fn watched<T>(
    bar: &ProgressBar,
    position: impl Fn() -> u64 + Sync,
    work: impl FnOnce() -> T,
) -> T {
    if bar.is_hidden() {
        return work();
    }
    let position = &position;
    std::thread::scope(|scope| {
        let (under_way, ended) = channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(position());
                bar.tick();
            }
        });
        let outcome = work();
        drop(under_way);
        outcome
    })
}

/// Time left by the steps so far, which say nothing before the first.
fn time_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // A line that cannot be shown is no loss.
    let _ = match state.pos() {
        0 => out.write_str("unknown before the first"),
        _ => write!(out, "{:#}", indicatif::HumanDuration(state.eta())),
    };
}
