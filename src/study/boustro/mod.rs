//! Boustrophedonic Frames (Joseph et al., PACT 2023) over games: what reversing every second frame is worth in the whole machine, and over
//! the texture streams of its L2 what any policy could make of them.
//!
//! Every frame of a game goes through two machines, one that walks each frame forwards and one that goes there and back. Two more are like
//! them but for first-level caches that always hit, except those of texels (section V-A): the texture streams of these are recorded, and
//! replayed from the second frame on under LRU, MRU and the optima, in an L2 that sees texels alone. How streams reuse their lines is
//! measured in the machines as they are.

mod figures;
mod game;
mod loops;
mod study;

pub use figures::{BOUSTRO_FIGURES, boustro_trends};
pub use game::{BoustroError, BoustroGame, BoustroStudy, Direction, LEAST_BOUSTRO_FRAMES, Misses};
pub use loops::{LOOP_FIGURES, loop_figure};
pub use study::BOUSTRO_STUDY;
