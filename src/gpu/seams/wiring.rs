//! The seams of any number of techniques as one machine takes them: two techniques that claim the same seam are refused by
//! name, but for seams where several work side by side.

use super::{On, PolicyMaker, Room, SEAMS, Seam, Seams, TechniqueSeams};
use crate::cache::{CacheSpec, CacheSpecError, CacheTags, PolicyTags, Replacement, Victim};
use crate::failure::{NoSuchPart, SeamConflict};
use crate::machine::{MachineSpec, Pipeline};

/// Techniques in the order in which they were given, with the parts that nobody has taken yet.
#[derive(Debug, Default)]
pub(crate) struct Wiring(Vec<TechniqueSeams>);

impl Wiring {
    /// Puts the seams of techniques together.
    pub(crate) fn new(
        techniques: impl IntoIterator<Item = TechniqueSeams>,
    ) -> Result<Self, SeamConflict> {
        let mut wiring = Self::default();
        for added in techniques {
            let claims = SEAMS.iter().filter(|seam| seam.room == Room::One);
            for seam in claims.filter(|seam| (seam.is_claimed)(&added.seams)) {
                if let Some(first) = wiring.claimant(seam) {
                    return Err(SeamConflict {
                        seam: seam.name,
                        first,
                        second: added.technique,
                    });
                }
            }
            wiring.0.push(added);
        }
        Ok(wiring)
    }

    /// The first technique that changes a seam.
    fn claimant(&self, seam: &Seam) -> Option<&'static str> {
        let mut techniques = self.0.iter();
        let claimant = techniques.find(|added| (seam.is_claimed)(&added.seams));
        claimant.map(|added| added.technique)
    }

    /// Names of the techniques, in the order in which they were given.
    pub(crate) fn techniques(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|added| added.technique)
    }

    /// Refuses techniques for a part that this machine does not have.
    pub(crate) fn check_pipeline(&self, spec: &MachineSpec) -> Result<(), NoSuchPart> {
        let (absent, lacks) = match spec.pipeline {
            Pipeline::Immediate(_) => (
                On::Tiled,
                "draws no tiles on the chip (pipeline = \"immediate\")",
            ),
            Pipeline::Tiled => (On::Immediate, "has no work tiles (pipeline = \"tiled\")"),
        };
        for seam in SEAMS.iter().filter(|seam| seam.on == absent) {
            if let Some(technique) = self.claimant(seam) {
                return Err(NoSuchPart {
                    technique,
                    seam: seam.name,
                    machine: spec.name.clone(),
                    lacks,
                });
            }
        }
        Ok(())
    }

    /// Parts of a seam with the techniques that brought them, in their order.
    pub(crate) fn take_all<T>(
        &mut self,
        seam: fn(&mut Seams) -> &mut Option<T>,
    ) -> impl Iterator<Item = (&'static str, T)> {
        let techniques = self.0.iter_mut();
        techniques.filter_map(move |added| Some((added.technique, seam(&mut added.seams).take()?)))
    }

    /// The part of a seam that has room for one, if a technique brought it.
    pub(crate) fn take<T>(
        &mut self,
        seam: fn(&mut Seams) -> &mut Option<T>,
    ) -> Option<(&'static str, T)> {
        self.take_all(seam).next()
    }

    /// Tags of a cache with the policy that a technique brought, or with the machine's own.
    pub(crate) fn tags(
        &self,
        seam: fn(&Seams) -> &Option<PolicyMaker>,
        spec: CacheSpec,
        own: Victim,
    ) -> Result<PolicyTags, CacheSpecError> {
        match self.0.iter().find_map(|added| seam(&added.seams).as_ref()) {
            Some(maker) => {
                // Makers get shapes that caches can have.
                spec.validate()?;
                CacheTags::with_policy(spec, Replacement::Technique(maker.make(spec)))
            }
            None => CacheTags::of_machine(spec, own),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::ReplacementPolicy;
    use crate::dram::RequestScheduler;
    use crate::elide::KeepAll;
    use crate::schedule::{Alternating, LeastOccupied};
    use crate::seams::Maker;
    use azulejo_grid::TileOrder;

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
            Box::<crate::dram::FrFcfs>::default()
        }
        fn policy(spec: CacheSpec) -> Box<dyn ReplacementPolicy> {
            Box::new(crate::cache::Recency::new(Victim::Lru, &spec))
        }
        let claims: [fn(&mut Seams); 6] = [
            |seams| seams.order = Some(TileOrder::SCAN_LINE),
            |seams| seams.vertex_cache = Some(Maker::new(policy)),
            |seams| seams.tile_cache = Some(Maker::new(policy)),
            |seams| seams.texture_caches = Some(Maker::new(policy)),
            |seams| seams.l2 = Some(Maker::new(policy)),
            |seams| seams.requests = Some(Maker::new(requests)),
        ];
        let mut seen = std::collections::BTreeSet::new();
        for claim in claims {
            let twice = ["a", "b"].map(|technique| {
                let mut seams = Seams::default();
                claim(&mut seams);
                TechniqueSeams { technique, seams }
            });
            let conflict = Wiring::new(twice).expect_err("twice");
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
        let mut wiring = wiring.expect("no conflict");
        assert!(wiring.techniques().eq(["a", "b"]), "both");
        let eliders = wiring.take_all(|seams| &mut seams.elider);
        assert_eq!(eliders.count(), 2, "side by side");
    }
}
