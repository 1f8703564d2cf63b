//! The places at which a technique can change the machine, as one value: what it puts there; everything else stays the
//! baseline.
//!
//! A machine is built from the seams of any number of techniques. Eliders and observers of several work side by side; every
//! other seam has room for one, and two techniques that claim the same are refused by name.

use std::fmt;

use crate::gpu::cache::{
    CacheSpec, CacheSpecError, CacheTags, PolicyTags, Replacement, ReplacementPolicy, Victim,
};
use crate::gpu::dram::{Dram, DramSpec, DramSpecError, RequestScheduler};
use crate::gpu::elide::{Elider, ElisionStack};
use crate::gpu::failure::{NoSuchPart, SeamConflict};
use crate::gpu::machine::{L2Spec, MachineSpec, Pipeline};
use crate::gpu::memory::L2Observer;
use crate::gpu::schedule::{TileScheduler, WorkTiles};
use crate::grid::TileOrder;

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

/// Parts that a technique puts into a machine; `None` leaves the machine's own.
#[derive(Debug, Default)]
pub struct Seams {
    /// Elider, which decides on work to leave out of a frame.
    pub elider: Option<Box<dyn Elider>>,
    /// Which tile next, on which Raster Unit.
    pub scheduler: Option<Box<dyn TileScheduler>>,
    /// How large work tiles are, on a machine that renders immediately.
    pub work_tiles: Option<Box<dyn WorkTiles>>,
    /// The walk over the tiles that schedulers start from.
    pub order: Option<TileOrder>,
    /// Replacement policy of the vertex cache.
    pub vertex_cache: Option<PolicyMaker>,
    /// Replacement policy of the tile cache.
    pub tile_cache: Option<PolicyMaker>,
    /// Replacement policy of each core's texture cache.
    pub texture_caches: Option<PolicyMaker>,
    /// Replacement policy of the L2.
    pub l2: Option<PolicyMaker>,
    /// Observer of the L2's accesses; several work side by side.
    pub l2_observer: Option<Box<dyn L2Observer>>,
    /// In which order each channel of the DRAM serves requests.
    pub requests: Option<RequestSchedulerMaker>,
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

/// A part and the technique that brought it.
#[derive(Debug)]
struct Claimed<T> {
    technique: &'static str,
    part: T,
}

/// The seams of several techniques as one machine takes them.
#[derive(Debug, Default)]
pub(crate) struct Wiring {
    techniques: Vec<&'static str>,
    pub(crate) eliders: ElisionStack,
    pub(crate) l2_observers: Vec<Box<dyn L2Observer>>,
    scheduler: Option<Claimed<Box<dyn TileScheduler>>>,
    work_tiles: Option<Claimed<Box<dyn WorkTiles>>>,
    order: Option<Claimed<TileOrder>>,
    /// Techniques that leave something out of tiles.
    eliding: Vec<&'static str>,
    vertex_cache: Option<Claimed<PolicyMaker>>,
    tile_cache: Option<Claimed<PolicyMaker>>,
    texture_caches: Option<Claimed<PolicyMaker>>,
    l2: Option<Claimed<PolicyMaker>>,
    requests: Option<Claimed<RequestSchedulerMaker>>,
}

impl Wiring {
    /// Puts the seams of techniques together.
    pub(crate) fn new(
        techniques: impl IntoIterator<Item = TechniqueSeams>,
    ) -> Result<Self, SeamConflict> {
        let mut wiring = Self::default();
        for technique in techniques {
            wiring.add(technique)?;
        }
        Ok(wiring)
    }

    fn add(&mut self, added: TechniqueSeams) -> Result<(), SeamConflict> {
        let TechniqueSeams { technique, seams } = added;
        self.techniques.push(technique);
        if let Some(elider) = seams.elider {
            self.eliders.push(elider);
            self.eliding.push(technique);
        }
        self.l2_observers.extend(seams.l2_observer);
        let claim_policy = |place: &mut _, seam, part| claim(place, seam, technique, part);
        claim(
            &mut self.scheduler,
            "tile scheduler",
            technique,
            seams.scheduler,
        )?;
        claim(
            &mut self.work_tiles,
            WORK_TILES,
            technique,
            seams.work_tiles,
        )?;
        claim(&mut self.order, "tile order", technique, seams.order)?;
        claim_policy(&mut self.vertex_cache, VERTEX_CACHE, seams.vertex_cache)?;
        claim_policy(&mut self.tile_cache, TILE_CACHE, seams.tile_cache)?;
        claim_policy(&mut self.texture_caches, TEXTURE, seams.texture_caches)?;
        claim_policy(&mut self.l2, L2, seams.l2)?;
        let requests = seams.requests;
        claim(
            &mut self.requests,
            "DRAM's request scheduler",
            technique,
            requests,
        )
    }

    /// The techniques by name, in the order in which they were given.
    pub(crate) fn techniques(&self) -> &[&'static str] {
        &self.techniques
    }

    /// The tile scheduler and the technique that brought it, if one did.
    pub(crate) fn take_scheduler(&mut self) -> Option<(&'static str, Box<dyn TileScheduler>)> {
        let claimed = self.scheduler.take();
        claimed.map(|claimed| (claimed.technique, claimed.part))
    }

    /// The technique's choice of work tile sizes, if one has any.
    pub(crate) fn take_work_tiles(&mut self) -> Option<Box<dyn WorkTiles>> {
        self.work_tiles.take().map(|claimed| claimed.part)
    }

    /// Refuses techniques for a part that this machine does not have.
    pub(crate) fn check_pipeline(&self, spec: &MachineSpec) -> Result<(), NoSuchPart> {
        let no_tiles = "draws no tiles on the chip (pipeline = \"immediate\")";
        let no_work_tiles = "has no work tiles (pipeline = \"tiled\")";
        let absent = match spec.pipeline {
            Pipeline::Immediate(_) => [
                (name_of(self.scheduler.as_ref()), "tile scheduler", no_tiles),
                (name_of(self.order.as_ref()), "tile order", no_tiles),
                (self.eliding.first().copied(), "work on a tile", no_tiles),
                (name_of(self.tile_cache.as_ref()), TILE_CACHE, no_tiles),
            ],
            Pipeline::Tiled => {
                let name = name_of(self.work_tiles.as_ref());
                [
                    (name, WORK_TILES, no_work_tiles),
                    (None, "", ""),
                    (None, "", ""),
                    (None, "", ""),
                ]
            }
        };
        let refused = absent.into_iter().find_map(|(name, seam, lacks)| {
            name.map(|technique| NoSuchPart {
                technique,
                seam,
                machine: spec.name.clone(),
                lacks,
            })
        });
        refused.map_or(Ok(()), Err)
    }

    /// Tags of a cache with the machine's own replacement, which no technique changes.
    pub(crate) fn own_cache(&self, spec: CacheSpec) -> Result<PolicyTags, CacheSpecError> {
        tags(None, spec, Victim::Lru)
    }

    /// The tile order, `own` unless a technique has another.
    pub(crate) fn order(&self, own: TileOrder) -> TileOrder {
        self.order.as_ref().map_or(own, |claimed| claimed.part)
    }

    /// Tags of the vertex cache.
    pub(crate) fn vertex_cache(&self, spec: CacheSpec) -> Result<PolicyTags, CacheSpecError> {
        tags(self.vertex_cache.as_ref(), spec, Victim::Lru)
    }

    /// Tags of the tile cache.
    pub(crate) fn tile_cache(&self, spec: CacheSpec) -> Result<PolicyTags, CacheSpecError> {
        tags(self.tile_cache.as_ref(), spec, Victim::Lru)
    }

    /// Tags of one core's texture cache.
    pub(crate) fn texture_cache(&self, spec: CacheSpec) -> Result<PolicyTags, CacheSpecError> {
        tags(self.texture_caches.as_ref(), spec, Victim::Lru)
    }

    /// Tags of the L2.
    pub(crate) fn l2(&self, spec: &L2Spec) -> Result<PolicyTags, CacheSpecError> {
        tags(self.l2.as_ref(), spec.tags, spec.replacement)
    }

    /// The DRAM with its request schedulers.
    pub(crate) fn dram(&self, spec: &DramSpec) -> Result<Dram, DramSpecError> {
        match &self.requests {
            Some(claimed) => Dram::with_schedulers(spec, |channel| claimed.part.make(channel)),
            None => Dram::new(spec),
        }
    }
}

fn name_of<T>(claimed: Option<&Claimed<T>>) -> Option<&'static str> {
    claimed.map(|claimed| claimed.technique)
}

const WORK_TILES: &str = "size of work tiles";
const VERTEX_CACHE: &str = "vertex cache's replacement policy";
const TILE_CACHE: &str = "tile cache's replacement policy";
const TEXTURE: &str = "texture caches' replacement policy";
const L2: &str = "L2's replacement policy";

/// Tags with the policy that a technique brought, or with the machine's own.
fn tags(
    policy: Option<&Claimed<PolicyMaker>>,
    spec: CacheSpec,
    own: Victim,
) -> Result<PolicyTags, CacheSpecError> {
    match policy {
        Some(claimed) => {
            // Makers get shapes that caches can have.
            spec.validate()?;
            let policy = claimed.part.make(spec);
            CacheTags::with_policy(spec, Replacement::Technique(policy))
        }
        None => CacheTags::of_machine(spec, own),
    }
}

/// Puts a part into its place, which must be empty.
fn claim<T>(
    place: &mut Option<Claimed<T>>,
    seam: &'static str,
    technique: &'static str,
    part: Option<T>,
) -> Result<(), SeamConflict> {
    let Some(part) = part else {
        return Ok(());
    };
    match place.replace(Claimed { technique, part }) {
        None => Ok(()),
        Some(first) => Err(SeamConflict {
            seam,
            first: first.technique,
            second: technique,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::elide::KeepAll;
    use crate::gpu::schedule::{Alternating, LeastOccupied};

    fn named<const N: usize>(parts: [(&'static str, Seams); N]) -> [TechniqueSeams; N] {
        parts.map(|(technique, seams)| TechniqueSeams { technique, seams })
    }

    #[test]
    fn wiring_refuses_two_schedulers_by_name() {
        let first = Seams::of_scheduler(Alternating::default());
        let second = Seams::of_scheduler(LeastOccupied::default());
        let conflict = Wiring::new(named([("libra", first), ("khepri", second)]));
        assert_eq!(
            conflict.expect_err("one scheduler").to_string(),
            "libra and khepri both change the tile scheduler, which has room for one technique",
            "both names"
        );
    }

    #[test]
    fn wiring_refuses_each_seam_that_is_wanted_twice() {
        fn requests(_: u32) -> Box<dyn RequestScheduler> {
            Box::<crate::gpu::dram::FrFcfs>::default()
        }
        fn policy(spec: CacheSpec) -> Box<dyn ReplacementPolicy> {
            Box::new(crate::gpu::cache::Recency::new(Victim::Lru, &spec))
        }
        let seams: [fn() -> Seams; 6] = [
            || Seams {
                order: Some(TileOrder::SCAN_LINE),
                ..Seams::default()
            },
            || Seams {
                vertex_cache: Some(Maker::new(policy)),
                ..Seams::default()
            },
            || Seams {
                tile_cache: Some(Maker::new(policy)),
                ..Seams::default()
            },
            || Seams {
                texture_caches: Some(Maker::new(policy)),
                ..Seams::default()
            },
            || Seams {
                l2: Some(Maker::new(policy)),
                ..Seams::default()
            },
            || Seams {
                requests: Some(Maker::new(requests)),
                ..Seams::default()
            },
        ];
        let mut seen = std::collections::BTreeSet::new();
        for seam in seams {
            let conflict = Wiring::new(named([("a", seam()), ("b", seam())])).expect_err("twice");
            assert_eq!((conflict.first, conflict.second), ("a", "b"), "both names");
            assert!(
                seen.insert(conflict.seam),
                "{} is another seam",
                conflict.seam
            );
        }
    }

    #[test]
    fn wiring_stacks_eliders_and_joins_different_seams() {
        let order = Seams {
            order: Some(TileOrder::SCAN_LINE),
            ..Seams::of_elider(KeepAll)
        };
        let wiring = Wiring::new(named([("a", Seams::of_elider(KeepAll)), ("b", order)]));
        assert_eq!(
            wiring.expect("no conflict").techniques(),
            ["a", "b"],
            "both"
        );
    }
}
