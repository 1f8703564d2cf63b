//! Helpers that test files share.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of tests that this run has left out so far.
static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Says that a test, or a part of one, cannot run here, and how many could not; past the test harness, which swallows what
/// passing tests print.
pub(crate) fn skipped(why: &str) {
    let number = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
    // A closed standard error changes no test.
    let _ = writeln!(std::io::stderr(), "skipped ({number} in this run): {why}");
}
