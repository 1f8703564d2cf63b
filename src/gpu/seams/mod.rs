//! The places at which a technique can change the machine, a row each, as one value: what it puts there; everything else
//! stays the baseline.

mod wiring;

use std::fmt;

pub(crate) use wiring::Wiring;

use crate::cache::{CacheSpec, ReplacementPolicy};
use crate::dram::RequestScheduler;
use crate::elide::Elider;
use crate::memory::L2Observer;
use crate::schedule::{TileScheduler, WorkTiles};
use azulejo_grid::TileOrder;

/// Makes a part for each place in the machine that needs one of its own: `A` says which place.
pub struct Maker<A, T: ?Sized>(Box<dyn Fn(A) -> Box<T> + Send>);

/// A replacement policy for a cache of this shape.
pub type PolicyMaker = Maker<CacheSpec, dyn ReplacementPolicy>;

/// A request scheduler for a channel of the DRAM, by its number from 0 on.
pub type RequestSchedulerMaker = Maker<u32, dyn RequestScheduler>;

impl<A, T: ?Sized> Maker<A, T> {
    /// Makes parts by `make`.
    pub fn new(make: impl Fn(A) -> Box<T> + Send + 'static) -> Self {
        Self(Box::new(make))
    }

    pub(crate) fn make(&self, place: A) -> Box<T> {
        (self.0)(place)
    }
}

impl<A, T: ?Sized> fmt::Debug for Maker<A, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Maker")
    }
}

/// Number of techniques that a seam has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    One,
    Several,
}

/// Machines that have a seam.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    All,
    Tiled,
    Immediate,
}

/// A seam: its name in errors, its room, the machines that have it, and whether a technique changes it.
#[derive(Debug)]
struct Seam {
    name: &'static str,
    room: Room,
    on: On,
    is_claimed: fn(&Seams) -> bool,
}

/// Makes a field of [`Seams`] and an entry of [`SEAMS`] of each row: part, room, machines, name in errors.
macro_rules! seams {
    ($($(#[$about:meta])* $field:ident: $part:ty, $room:ident, $on:ident, $name:literal;)*) => {
        /// Parts that a technique puts into a machine; `None` leaves the machine's own.
        #[derive(Debug, Default)]
        pub struct Seams {
            $($(#[$about])* pub $field: Option<$part>,)*
        }

        /// All seams, in the order in which claims are checked.
        const SEAMS: &[Seam] = &[$(Seam {
            name: $name,
            room: Room::$room,
            on: On::$on,
            is_claimed: |seams| seams.$field.is_some(),
        },)*];
    };
}

seams! {
    /// Which tile next, on which Raster Unit.
    scheduler: Box<dyn TileScheduler>, One, Tiled, "tile scheduler";
    /// How large work tiles are, on a machine that renders immediately.
    work_tiles: Box<dyn WorkTiles>, One, Immediate, "size of work tiles";
    /// The walk over the tiles that schedulers start from.
    order: TileOrder, One, Tiled, "tile order";
    /// Elider, which decides on work to leave out of a frame; several work side by side.
    elider: Box<dyn Elider>, Several, Tiled, "work on a tile";
    /// Replacement policy of the vertex cache.
    vertex_cache: PolicyMaker, One, All, "vertex cache's replacement policy";
    /// Replacement policy of the tile cache.
    tile_cache: PolicyMaker, One, Tiled, "tile cache's replacement policy";
    /// Replacement policy of each core's texture cache.
    texture_caches: PolicyMaker, One, All, "texture caches' replacement policy";
    /// Replacement policy of the L2.
    l2: PolicyMaker, One, All, "L2's replacement policy";
    /// Observer of the L2's accesses; several work side by side.
    l2_observer: Box<dyn L2Observer>, Several, All, "L2's accesses";
    /// In which order each channel of the DRAM serves requests.
    requests: RequestSchedulerMaker, One, All, "DRAM's request scheduler";
}

impl Seams {
    /// An elider and nothing else.
    #[must_use]
    pub fn of_elider(elider: impl Elider + 'static) -> Self {
        Self {
            elider: Some(Box::new(elider)),
            ..Self::default()
        }
    }

    /// A tile scheduler and nothing else.
    #[must_use]
    pub fn of_scheduler(scheduler: impl TileScheduler + 'static) -> Self {
        Self {
            scheduler: Some(Box::new(scheduler)),
            ..Self::default()
        }
    }
}

/// The seams of a technique, by its name.
#[derive(Debug)]
pub struct TechniqueSeams {
    /// Name of the technique, for errors and reports.
    pub technique: &'static str,
    /// Parts that it puts into the machine.
    pub seams: Seams,
}
