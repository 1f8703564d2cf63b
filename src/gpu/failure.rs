//! Why a machine cannot be built, or cannot go on with a frame: errors of parameters, of a technique that breaks its contract, or of the
//! model itself.

use crate::gpu::cache::CacheSpecError;
use crate::gpu::dram::DramSpecError;
use crate::gpu::machine::SampleStorageError;
use crate::gpu::parameters::ParameterError;
use crate::grid::TileId;
use crate::units::Cycles;

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
    /// Two techniques want the same seam.
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
    /// The technique.
    pub technique: &'static str,
    /// What it changes.
    pub seam: &'static str,
    /// The machine's name.
    pub machine: String,
    /// Why there is no such thing.
    pub lacks: &'static str,
}

/// Two techniques that want the same seam of a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{first} and {second} both change the {seam}, which has room for one technique")]
pub struct SeamConflict {
    /// What both want.
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
    /// All units wait for each other.
    #[error(transparent)]
    Deadlock(#[from] Deadlock),
    /// The tile scheduler breaks its contract.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// Another thread asked for the frame to be given up.
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
    /// Who waits for what, as far as the machine can say.
    pub waiting: String,
}

/// What a tile scheduler did with a tile that it must not do.
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
    /// The technique whose scheduler it is; `None` for the machine's own.
    pub technique: Option<&'static str>,
    /// The first tile that it concerns.
    pub tile: TileId,
    /// What was done with it.
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
    /// What should be equal.
    pub law: &'static str,
    /// What one unit, or one level, counted.
    pub left: u64,
    /// What the other, or the facts of the frame, say.
    pub right: u64,
}
