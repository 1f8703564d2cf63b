//! The lanes: arithmetic on sixteen numbers at once, written once and run by the vector registers of x86 and Arm, by plain
//! arrays, or by a recorder that lists the instructions. The only room that may hold `unsafe`.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "gathers and loads of x86 take pointers; the indices are clamped here"
    )
)]

mod array;
mod dispatch;
mod each;
mod isa;
mod lanes;
mod recorder;
mod scalar;
mod tape;
#[cfg(test)]
mod tests;
mod texel_logging;
mod wide;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use each::each;

pub use array::map;
pub(crate) use dispatch::dispatch_common;
pub use dispatch::{Backend, LaneJob, SimdLevel, UnavailableLevel, dispatch};
pub use lanes::{LANES, Lanes};
pub(crate) use recorder::count_textures;
pub use recorder::{Recorded, Recorder};
pub use scalar::{Scalar, ScalarF, ScalarI, ScalarM};
pub use tape::{Table, Tape, TapeInstruction, TapeLog, TapeWriter, Unit};

pub use texel_logging::TexelLog;
pub(crate) use texel_logging::TexelLogging;
pub use wide::Wide;
