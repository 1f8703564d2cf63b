//! Reason that keeps a warp from issuing: its next instruction and what it has under way in, the reason and how long out.

use super::warps::{Warp, Window};
use crate::frame::{FIXED_WAITS, Op, Pipe, WINDOW};
use azulejo_units::Cycles;

/// Why a warp stopped issuing in a cycle.
pub(super) enum Outcome {
    /// The core's width is used up.
    Ready,
    /// A result of memory is missing.
    Held,
    /// A result is due in so many cycles.
    Wait(u32),
    /// The program has ended.
    End,
}

/// Reason why a warp with `op` as its next instruction issues no more in this cycle, if there is one.
#[inline]
pub(super) fn stop(
    op: &Op,
    warp: &Warp,
    window: &Window,
    now: Cycles,
    nothing_left: bool,
) -> Option<Outcome> {
    let held = warp.of_memory & op.memory_waits;
    let is_end = op.pipe == Pipe::End;
    let wait = wait_of(op, window, now);
    // One branch, which is hard to predict, instead of four.
    if held | wait | u32::from(is_end) | u32::from(nothing_left) == 0 {
        return None;
    }
    Some(if held != 0 {
        Outcome::Held
    } else if is_end {
        Outcome::End
    } else if wait > 0 {
        Outcome::Wait(wait)
    } else {
        Outcome::Ready
    })
}

/// Cycles until the results that `op` reads are there; 0 if they are.
#[inline]
pub(super) fn wait_of(op: &Op, window: &Window, now: Cycles) -> u32 {
    let now = now.0 as u32;
    let left = |place: u8| {
        window[usize::from(place) % WINDOW]
            .wrapping_sub(now)
            .cast_signed()
    };
    let mut wait = left(op.waits[0]).max(left(op.waits[1])).max(0);
    if usize::from(op.n_waits) > FIXED_WAITS {
        for place in &op.waits[FIXED_WAITS..] {
            wait = wait.max(left(*place));
        }
    }
    wait.unsigned_abs()
}
