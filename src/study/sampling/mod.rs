//! Sampling of a game: frames in, a [`Sample`] out; only its frames need to go through a machine.
//!
//! The idea is that of `MEGsim` (Ortiz et al., ISPASS 2022), which is `SimPoint`'s (Sherwood et al., ASPLOS 2002) for
//! graphics: the work of a frame can be counted without a model, by program and by stage (`activity`). Frames of like
//! activity cost alike, so they are grouped (`clusters`), and the frame in the middle of each group stands for all of it.
//! The error against the truth is measured by [`SamplingError`], which runs every frame.
//!
//! Differences from `MEGsim`: Rendering Elimination and its kin cost by the changes of a frame, which `MEGsim`'s counts
//! cannot see, so work in tiles whose inputs are those of their frame buffer counts apart. And each representative runs
//! behind the frames before it that fill caches, signatures and frame buffers ([`Observer::WARM_UP`]), which are not
//! counted.

mod activity;
mod choice;
mod clusters;
mod error;
mod study;
mod walk;

pub use choice::{Representative, Sample};
pub use error::{SAMPLING_FIGURES, SamplingError};
pub use study::SAMPLING_STUDY;
pub use walk::{FrameSource, Observer, Sampling, walk};

/// Frame buffers of a chip that shows one while it draws the other: a frame is compared with the one so many before it.
pub const FRAME_BUFFERS: u64 = 2;

/// Frames that go through a machine before one that counts, if techniques of it leave out what frames before have done:
/// those that leave their signatures in the frame buffers, and one more that finds them there, so that the next finds the
/// caches as a frame leaves them of which much was left out. One less is wrong by up to a fifth of the cycles with
/// Rendering Elimination, one more changes nothing: `study sampling.warmup`. Caches alone are warm behind a single frame.
pub const ELIMINATION_WARM_UP: u64 = FRAME_BUFFERS + 1;
