//! Boustrophedonic Frames (Joseph et al., PACT 2023) over games: what reversing every second frame is worth in the whole machine, and over
//! the texture streams of its L2 what any policy could make of them.
//!
//! Every frame of a game goes through two machines, one that walks each frame forwards and one that goes there and back; the streams of
//! both are recorded, and replayed from the second frame on under LRU, MRU and the optima. An L2 that sees texels alone is thereby
//! the replay's; in the machines it holds everything.

mod figures;
mod game;
mod loops;

pub use figures::{BOUSTRO_FIGURES, boustro_trends};
pub use game::{BoustroError, BoustroGame, BoustroStudy, Direction, LEAST_BOUSTRO_FRAMES, Misses};
pub use loops::{LOOP_FIGURES, loop_figure};
