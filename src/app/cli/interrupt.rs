//! Ctrl-C and termination: temporary files go, old files stay as they were, and a command that can finish what is half done gets the
//! time for it.
//!
//! A thread waits for SIGINT and SIGTERM. It removes all temporary files and ends the program as the signal would. Where a command has
//! asked for it ([`finish_frames`]), the first signal only raises a flag that the command's loop looks at between frames; a second
//! signal, or [`PATIENCE`] without an end, ends the program at once. Other systems than Unix end the program as they always do.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::failure::Failure;

/// How long a command may take to finish what is half done, before it is ended.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);

/// Files that must not outlive the program. Who makes, removes or renames one holds the lock meanwhile.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Number of the signal that asks for the end; 0 before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Whether the command wants to finish.
static FINISHING: AtomicBool = AtomicBool::new(false);

/// The set of temporary files. While it is held, no signal ends the program.
pub(super) fn temporaries() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the command come to an end by itself: from now on it looks at the flag that this gives between frames.
pub(super) fn finish_frames() -> Flag {
    FINISHING.store(true, Ordering::SeqCst);
    Flag(())
}

/// What a command looks at that finishes by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flag(());

impl Flag {
    /// Whether it is time to come to an end.
    #[expect(
        clippy::unused_self,
        reason = "only who has promised to finish may ask"
    )]
    pub(super) fn is_raised(self) -> bool {
        SIGNAL.load(Ordering::SeqCst) != 0
    }
}

/// What a command that was interrupted ends with; `done` says what there is.
pub(super) fn failure(done: &str) -> Failure {
    let signal = SIGNAL.load(Ordering::SeqCst);
    Failure {
        // As shells report a program that a signal ended.
        exit_code: u8::try_from(128 + signal).unwrap_or(super::failure::FAILED),
        ..Failure::new(format!("interrupted: {done}"))
    }
}

/// Starts the thread. Without it, as where the system has no more threads, signals end the program and may leave temporary files.
#[cfg(unix)]
pub(super) fn install() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let Ok(signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    let watch = std::thread::Builder::new().name("signals".to_owned());
    // The handle is of no use: the thread lives as long as the program.
    let _ = watch.spawn(move || wait(signals));
}

#[cfg(not(unix))]
pub(super) fn install() {}

#[cfg(unix)]
fn wait(mut signals: signal_hook::iterator::Signals) {
    let Some(first) = signals.forever().next() else {
        return;
    };
    SIGNAL.store(first, Ordering::SeqCst);
    let since = std::time::Instant::now();
    // A command that finishes in time returns from `main` meanwhile, with an exit code of its own.
    while FINISHING.load(Ordering::SeqCst) && since.elapsed() < PATIENCE {
        std::thread::sleep(std::time::Duration::from_millis(20));
        if signals.pending().next().is_some() {
            break;
        }
    }
    end(first)
}

/// Removes what must not stay and ends the program as the signal does.
#[cfg(unix)]
fn end(signal: i32) -> ! {
    let files = temporaries();
    for file in files.iter() {
        // It is gone, or its folder is: nothing more can be done.
        let _ = std::fs::remove_file(file);
    }
    // Returns only for signals that do nothing by default, of which these are none.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}
