//! Our counters beside Arm's, by the names of Arm's libGPUCounters specification (Mali-G77), so that tables can be read
//! next to a profiler's. If the quantities differ, the meaning says how.

/// Pair of one of our counters and Arm's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// Dotted name in JSON; `*` stands for the number of a unit, or for every kind of traffic.
    pub own: &'static str,
    /// Arm's counter, without the prefix that tools add.
    pub arm: &'static str,
    /// Meaning of the counter, and the difference to Arm's figure.
    pub meaning: &'static str,
}

const fn alias(own: &'static str, arm: &'static str, meaning: &'static str) -> Alias {
    Alias { own, arm, meaning }
}

/// Aliases of all counters that have a counterpart.
pub const ALIASES: &[Alias] = &[
    alias("cycles", "MaliGPUActiveCy", "cycles of the frame"),
    alias(
        "geometry_cycles",
        "MaliNonFragQueueActiveCy",
        "until the last list entry is written",
    ),
    alias(
        "raster_cycles",
        "MaliFragQueueActiveCy",
        "the rest of the frame",
    ),
    alias(
        "list_builder.activity.busy",
        "MaliTilerActiveCy",
        "cycles in which the Polygon List Builder wrote",
    ),
    alias(
        "geometry.assembly.primitives_in",
        "MaliGeomTotalPrim",
        "primitives assembled",
    ),
    alias(
        "geometry.assembly.primitives_out",
        "MaliGeomVisiblePrim",
        "triangles after culling; a clipped primitive may give several",
    ),
    alias(
        "geometry.assembly.culled",
        "MaliGeomFaceXYPlaneCullPrim + MaliGeomZPlaneCullPrim + MaliGeomSampleCullPrim",
        "primitives dropped, all causes",
    ),
    alias(
        "geometry.vertices.vertices",
        "MaliGeomPosShadThread",
        "vertices shaded; positions and varyings at once",
    ),
    alias("raster_units.*.tiles", "MaliFragTile", "tiles drawn"),
    alias(
        "raster_units.*.flushes_skipped",
        "MaliFragTileKill",
        "tiles that were not written",
    ),
    alias(
        "tile_fetcher.primitives",
        "MaliFragRdPrim",
        "primitives read from tile lists",
    ),
    alias(
        "raster_units.*.primitives",
        "MaliFragRastPrim",
        "primitives rasterised",
    ),
    alias(
        "raster_units.*.quads_rasterised",
        "MaliFragRastQd",
        "quads with a covered pixel",
    ),
    alias(
        "raster_units.*.early_z_tested",
        "MaliFragEZSTestQd",
        "quads tested before shading",
    ),
    alias(
        "raster_units.*.early_z_killed",
        "MaliFragEZSKillQd",
        "quads dropped by it",
    ),
    alias(
        "raster_units.*.late_z_tested",
        "MaliFragLZSTestQd",
        "quads tested after shading",
    ),
    alias(
        "raster_units.*.late_killed",
        "MaliFragLZSKillQd",
        "quads with nothing left to blend",
    ),
    alias(
        "raster_units.*.quads_shaded",
        "MaliFragShadedQd",
        "quads that ran the fragment program",
    ),
    alias("raster_units.*.warps", "MaliFragWarp", "fragment warps"),
    alias(
        "raster_units.*.flush_bytes",
        "MaliSCBusTileWrBy",
        "bytes of finished tiles",
    ),
    alias(
        "cores.*.transcendentals",
        "MaliEngSFUInstr",
        "warp instructions for the special-function units",
    ),
    alias(
        "cores.*.texture.stalled",
        "MaliTexDataFetchStallCy",
        "pipeline-cycles without a free miss register or room towards the L2",
    ),
    alias(
        "l2.reads.*",
        "MaliL2CacheRdLookup",
        "read lookups, summed over kinds",
    ),
    alias(
        "l2.reads.texture",
        "MaliSCBusTexL2RdBy",
        "texture lines from the L2, times bytes of a line",
    ),
    alias(
        "dram.reads.*",
        "MaliExtBusRdBy",
        "lines read, summed over kinds, times bytes of a line",
    ),
    alias(
        "dram.reads.texture",
        "MaliSCBusTexExtRdBy",
        "texture lines from the DRAM, times bytes of a line",
    ),
    alias(
        "dram.writes.*",
        "MaliExtBusWrBy",
        "lines written, summed over kinds, times bytes of a line",
    ),
];

impl Alias {
    /// Whether the alias is for the counter `name`.
    #[must_use]
    fn is_about(&self, name: &str) -> bool {
        let (mut own, mut parts) = (self.own.split('.'), name.split('.'));
        loop {
            match (own.next(), parts.next()) {
                (None, None) => return true,
                (Some("*"), Some(_)) => {}
                (Some(own), Some(part)) if own == part => {}
                _ => return false,
            }
        }
    }

    /// Finds the closest alias of a counter: a name before a pattern.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        let exact = ALIASES.iter().find(|alias| alias.own == name);
        exact.or_else(|| ALIASES.iter().find(|alias| alias.is_about(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::small_report;
    use crate::{flat, frame_record};

    #[test]
    fn alias_names_a_counter_of_the_report() {
        let counters = flat(&frame_record(&small_report()));
        for alias in ALIASES {
            let found = counters.iter().any(|(name, _)| alias.is_about(name));
            assert!(found, "{} is no counter", alias.own);
        }
    }

    #[test]
    fn alias_takes_the_closest() {
        let arm = |name| Alias::of(name).map(|alias| alias.arm);
        assert_eq!(
            arm("dram.reads.texture"),
            Some("MaliSCBusTexExtRdBy"),
            "exact"
        );
        assert_eq!(arm("dram.reads.vertex"), Some("MaliExtBusRdBy"), "pattern");
        assert_eq!(arm("dram.period"), None, "none");
    }
}
