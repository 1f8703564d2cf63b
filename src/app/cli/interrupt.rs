//! Ctrl-C and termination: temporary files go, old files stay as they were, and a command that can finish what is half done
//! gets the time for it.
//!
//! A thread waits for SIGINT and SIGTERM. It removes all temporary files and ends the program as the signal would. If a
//! command has asked for it ([`finish_frames`]), the first signal only raises a flag that the command's loop looks at
//! between frames; a second signal, or [`PATIENCE`] without an end, ends the program at once. Once all files of a run are
//! in place ([`all_in_place`]) the run is done and may end by itself, as its exit code then says. A disk that does not
//! answer is waited for no longer than [`DISK_PATIENCE`]: what it is still writing is then left under its temporary name.
//! Other systems than Unix end the program as they always do.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::failure::Failure;

/// Time that a command may take to finish what is half done, before it is ended.
#[cfg(unix)]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(5);

/// Time that a command may take to end once its files are all in place.
#[cfg(unix)]
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(1);

/// Time that the end waits for a file that is just being made, renamed or removed.
#[cfg(unix)]
const DISK_PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);
/// Poll interval of these waits.
#[cfg(unix)]
const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_millis(20);

/// Files that must not outlive the program. The lock is held while one is made, removed or renamed.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Number of the signal that asks for the end; 0 before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Whether the command has asked to finish by itself.
static FINISHING: AtomicBool = AtomicBool::new(false);
/// Whether all files of the run have their names. Changes only while [`TEMPORARIES`] is locked.
static IN_PLACE: AtomicBool = AtomicBool::new(false);

/// Locks the set of temporary files. While it is held, a signal waits a while before it ends the program.
pub(super) fn temporaries() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Marks all files of the run as in place, as the last one has got its name: what is left is to print and to end.
/// `temporaries` is still locked, so that no signal comes between the name and this.
pub(super) fn all_in_place(_temporaries: &MutexGuard<'static, BTreeSet<PathBuf>>) {
    IN_PLACE.store(true, Ordering::SeqCst);
}

/// Lets the command come to an end by itself: from now on it looks at the flag that this gives between frames.
pub(super) fn finish_frames() -> Flag {
    FINISHING.store(true, Ordering::SeqCst);
    Flag(())
}

/// Interrupt flag, which a command that finishes by itself reads between frames.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flag(());

impl Flag {
    /// Whether a signal has asked for the end.
    #[expect(
        clippy::unused_self,
        reason = "only who has promised to finish may ask"
    )]
    pub(super) fn is_raised(self) -> bool {
        SIGNAL.load(Ordering::SeqCst) != 0
    }
}

/// Failure of an interrupted command; `done` says which results there are.
pub(super) fn failure(done: &str) -> Failure {
    let signal = SIGNAL.load(Ordering::SeqCst);
    Failure {
        // As shells report a program that a signal ended.
        exit_code: u8::try_from(128 + signal).unwrap_or(super::failure::FAILED),
        ..Failure::new(format!("interrupted: {done}"))
    }
}

/// Starts the thread that waits for signals. Without it, as where the system has no more threads, signals end the program
/// and may leave temporary files.
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
        std::thread::sleep(LOOK_AGAIN);
        if signals.pending().next().is_some() {
            break;
        }
    }
    end(first)
}

/// Removes the temporary files and ends the program as the signal does.
#[cfg(unix)]
fn end(signal: i32) -> ! {
    let mut files = held_within(&TEMPORARIES, DISK_PATIENCE);
    if files.is_some() && IN_PLACE.load(Ordering::SeqCst) {
        drop(files);
        // Returning from `main` ends the program meanwhile.
        std::thread::sleep(LAST_WORDS);
        files = held_within(&TEMPORARIES, DISK_PATIENCE);
    }
    // Held to the end, so that nothing is made meanwhile.
    match &files {
        Some(files) => files.iter().for_each(|file| {
            // The file is gone, or its folder is: nothing more can be done.
            let _ = std::fs::remove_file(file);
        }),
        None => say_left(),
    }
    // Returns only for signals that do nothing by default, of which these are none.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}

/// Takes the lock, unless another thread holds it for as long as `patience`.
#[cfg(unix)]
fn held_within<T>(mutex: &Mutex<T>, patience: std::time::Duration) -> Option<MutexGuard<'_, T>> {
    use std::sync::TryLockError;
    let since = std::time::Instant::now();
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if since.elapsed() >= patience => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK_AGAIN),
        }
    }
}

/// Reports that a temporary file may be left. A rename is done or not: the content there before is whole in both cases.
#[cfg(unix)]
fn say_left() {
    use std::io::Write;
    let text = "error: interrupted while the disk did not answer; what was there before is unchanged or replaced as a whole, and a \
        file named .azulejo-*.part may be left";
    // Nothing is left to report to if standard error is gone.
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    /// Lets another thread hold `mutex` until the answer is in.
    fn held_by_another(mutex: &Mutex<u8>, patience: Duration) -> Option<u8> {
        let (is_held, wait) = channel();
        let (release, until_released) = channel();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let guard = mutex.lock();
                is_held.send(()).expect("waited for");
                until_released.recv().expect("released");
                drop(guard);
            });
            wait.recv().expect("held");
            let got = held_within(mutex, patience).map(|guard| *guard);
            release.send(()).expect("waits");
            got
        })
    }

    #[test]
    fn end_does_not_wait_for_a_disk_that_hangs() {
        let mutex = Mutex::new(7);
        let since = Instant::now();
        let got = held_by_another(&mutex, Duration::from_millis(100));
        assert_eq!(got, None, "given up while it is held");
        assert!(since.elapsed() >= Duration::from_millis(100), "not before");
        let all = PATIENCE + 2 * DISK_PATIENCE + LAST_WORDS;
        assert!(all <= Duration::from_secs(10), "users wait no ten seconds");
    }

    #[test]
    fn end_gets_temporaries_that_nobody_holds() {
        let mutex = Mutex::new(7);
        let got = held_within(&mutex, Duration::ZERO).map(|guard| *guard);
        assert_eq!(got, Some(7), "at once");
        let panic = std::thread::scope(|scope| {
            let holder = scope.spawn(|| {
                let _guard = mutex.lock();
                panic!("while it is held");
            });
            holder.join()
        });
        assert!(panic.is_err(), "as meant");
        let got = held_within(&mutex, Duration::ZERO).map(|guard| *guard);
        assert_eq!(got, Some(7), "also after a panic");
    }
}
