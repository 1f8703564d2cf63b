//! Recording lanes: a program written for [`Lanes`](azulejo_simd::Lanes) runs on them once and leaves its instruction list
//! on a tape; other lanes compute as usual and log the texels that they fetch.
//!
//! ```
//! # mod azulejo { pub use azulejo_record as record; pub use azulejo_simd as simd; }
//! use azulejo::record::{Tape, Unit};
//! use azulejo::simd::Lanes;
//!
//! #[inline(always)]
//! fn length<L: Lanes>(l: L, x: L::F, y: L::F) -> L::F {
//!     l.sqrt(l.mul_add(x, x, y * y))
//! }
//!
//! let tape = Tape::record(|l| {
//!     let [x, y] = l.varying();
//!     l.output(&[length(l, x, y)]);
//! });
//! assert_eq!(tape.count(Unit::Transcendental), 1, "the square root");
//! ```

mod recorder;
mod tape;
mod texel_log;

#[doc(hidden)]
pub use recorder::count_textures;
pub use recorder::{Recorded, Recorder};
pub use tape::{Table, Tape, TapeInstruction, TapeLog, TapeWriter, Unit};

pub use texel_log::{ExecutedTexels, QuadTexels, Tap};
#[doc(hidden)]
pub use texel_log::{TexelLog, TexelLogging};
