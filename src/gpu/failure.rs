//! Why a machine cannot be built, or cannot go on with a frame: errors of parameters, of a technique that breaks its
//! contract, or of the model itself.

use crate::cache::CacheSpecError;
use crate::dram::DramSpecError;
use crate::machine::{SampleStorageError, WorkgroupError};
use crate::parameters::ParameterError;
use azulejo_grid::TileId;
use azulejo_units::Cycles;

/// A machine that cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A cache of impossible shape.
    #[error(transparent)]
    Cache(#[from] CacheSpecError),
    /// A DRAM of impossible parameters.
    #[error(transparent)]
    Dram(#[from] DramSpecError),
    /// A technique refuses its parameters.
    #[error(transparent)]
    Technique(#[from] ParameterError),
    /// Two techniques claim the same seam.
    #[error(transparent)]
    Conflict(#[from] SeamConflict),
    /// A technique changes what the machine does not have.
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
}

/// A technique for a part that the machine does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{technique} changes the {seam}, and {machine} {lacks}: leave it out, or take another machine"
)]
pub struct NoSuchPart {
    /// Name of the technique refused.
    pub technique: &'static str,
    /// Part that the technique changes.
    pub seam: &'static str,
    /// Name of the machine, as its file gives it.
    pub machine: String,
    /// Why there is no such thing.
    pub lacks: &'static str,
}

/// Two techniques that claim the same seam of a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{first} and {second} both change the {seam}, which has room for one technique")]
pub struct SeamConflict {
    /// Seam that both techniques claim.
    pub seam: &'static str,
    /// The technique that came first.
    pub first: &'static str,
    /// The technique behind it.
    pub second: &'static str,
}

/// A frame that a machine could not execute. The machine stands in the middle of it and is of no further use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The machine cannot hold the frame's tiles.
    #[error(transparent)]
    Samples(#[from] SampleStorageError),
    /// No core holds a workgroup of the frame.
    #[error(transparent)]
    Workgroup(#[from] WorkgroupError),
    /// All units wait for each other.
    #[error(transparent)]
    Deadlock(#[from] Deadlock),
    /// The tile scheduler breaks its contract.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// Another thread requested that the frame be given up.
    #[error("the frame was given up")]
    Interrupted,
    /// Counters that must agree do not.
    #[error("an error of the model, please report it: {0}")]
    Conservation(#[from] ConservationError),
}

/// All units wait for each other: an error of the model, or of a technique that breaks its contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the machine stands still at cycle {} with work left: {waiting}", .cycle.0)]
pub struct Deadlock {
    /// GPU cycle since the machine was switched on.
    pub cycle: Cycles,
    /// Units that wait, and what each waits for, as far as the machine can say.
    pub waiting: String,
}

/// Breach of the tile scheduler's contract over one tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleBreach {
    /// Handed it out a second time in a frame.
    Twice,
    /// Handed it out though the grid has no such tile.
    Unknown,
    /// Said that all tiles are handed out, this one (and perhaps others) not.
    Dropped,
}

/// A tile scheduler that breaks its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleError {
    /// The technique whose scheduler breaks the contract; `None` for the machine's own.
    pub technique: Option<&'static str>,
    /// The first tile that it concerns.
    pub tile: TileId,
    /// Kind of breach over that tile.
    pub breach: ScheduleBreach,
}

impl std::fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.technique {
            Some(name) => write!(f, "the tile scheduler of technique {name} ")?,
            None => f.write_str("the machine's own tile scheduler ")?,
        }
        let tile = self.tile.0;
        match self.breach {
            ScheduleBreach::Twice => write!(f, "handed tile {tile} out twice in a frame"),
            ScheduleBreach::Unknown => {
                write!(f, "handed tile {tile} out, which the grid does not have")
            }
            ScheduleBreach::Dropped => write!(
                f,
                "says that all tiles are handed out, and tile {tile} is not"
            ),
        }
    }
}

impl std::error::Error for ScheduleError {}

/// A law that the counters of a frame break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {left} is not {right}")]
pub struct ConservationError {
    /// Equation that should hold, in words.
    pub law: &'static str,
    /// Count of one unit, or of one level.
    pub left: u64,
    /// Count of the other unit or level, or of the facts of the frame.
    pub right: u64,
}
