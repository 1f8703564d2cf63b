//! Table of the assumptions: numbers that no paper states, our reading of each, and values that others might read.

use serde::Serialize;

use super::headline::Headline;
use super::headline::Headline::{Boustro, Khepri, Libra, Ptr, Re, ZOrder};

/// Number that no paper states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Assumption {
    /// Name in figures.
    pub name: &'static str,
    /// Key of machine files; a star is each type of cores.
    pub key: &'static str,
    /// Value that machines have of it: our reading.
    pub reading: &'static str,
    /// Other values that are tried.
    pub others: &'static [&'static str],
    /// Meaning of the values.
    pub about: &'static str,
    /// Source of the reading, or "assumed".
    pub source: &'static str,
    /// Headlines that it may touch; the machines of the others state it, or have no part that it would change.
    pub touches: &'static [Headline],
}

/// Headlines of machines with tiles.
const TILED: &[Headline] = &[Re, Ptr, Libra, Khepri, ZOrder, Boustro];
/// Headlines of machines with cores as of Arm's Valhall.
const VALHALL: &[Headline] = &[Ptr, Libra, Khepri, ZOrder, Boustro];
/// Headlines of machines with several Raster Units.
const PARALLEL: &[Headline] = &[Ptr, Libra, Khepri, ZOrder];

/// Headlines of machines with two types of cores.
const TWO_TYPES: &[Headline] = &[Khepri, ZOrder];

/// Assumptions in the order in which a frame meets them.
pub const ASSUMPTIONS: &[Assumption] = &[
    Assumption {
        name: "binning",
        key: "screen.binning",
        reading: "exact",
        others: &["bounding-box"],
        about: "tiles that a triangle is listed in: those that it touches, or those of its box",
        source: "assumed",
        touches: TILED,
    },
    Assumption {
        name: "first corner",
        key: "screen.first_corner",
        reading: "top-left",
        others: &["top-right", "bottom-left", "bottom-right"],
        about: "corner where tile orders begin",
        source: "assumed",
        touches: TILED,
    },
    Assumption {
        name: "fetch contexts",
        key: "tiling.fetch_contexts",
        reading: "0",
        others: &["1"],
        about: "tiles that the Tile Fetcher reads at a time; 0: one for each Raster Unit",
        source: "assumed",
        touches: PARALLEL,
    },
    Assumption {
        name: "dispatch",
        key: "raster.dispatch",
        reading: "alternating",
        others: &["strict-alternating"],
        about: "whether a unit waits while it is another one's turn to get a tile",
        source: "LIBRA, section III-A: in an alternating manner",
        touches: &[Ptr, Libra],
    },
    Assumption {
        name: "traversal",
        key: "raster.traversal",
        reading: "morton",
        others: &["rows"],
        about: "order of a primitive's quads within a tile",
        source: "assumed",
        touches: TILED,
    },
    Assumption {
        name: "quad mapping",
        key: "raster.quad_mapping",
        reading: "round-robin",
        others: &[
            "interleave-4",
            "interleave-8",
            "interleave-16",
            "interleave-32",
        ],
        about: "core of a Raster Unit that shades a quad: whichever has room, or that of its square of so many pixels",
        source: "assumed: schedulers favour balance (DTexL, MICRO 2022)",
        touches: TILED,
    },
    Assumption {
        name: "quads a cycle",
        key: "raster.quads_per_cycle",
        reading: "2",
        others: &["1", "4"],
        about: "quads that a Raster Unit rasterises, tests and hands to its four cores in a cycle",
        source: "Arm, Mali-G77: two fragments a clock and core; no paper states a rate",
        touches: TWO_TYPES,
    },
    Assumption {
        name: "quads blended",
        key: "raster.blend_quads_per_cycle",
        reading: "2",
        others: &["1", "4"],
        about: "quads that a Raster Unit blends in a cycle",
        source: "Arm, Mali-G77: two pixels a clock and core; no paper states a rate",
        touches: TWO_TYPES,
    },
    Assumption {
        name: "warp width",
        key: "core.*.warp_threads",
        reading: "16",
        others: &["4", "8"],
        about: "threads of a warp; 4: a quad",
        source: "Arm, the Valhall shader core: 16-wide warps; Bifrost's have 4 and 8",
        touches: VALHALL,
    },
    Assumption {
        name: "waiters of a miss",
        key: "core.*.mshr_waiters",
        reading: "0",
        others: &["1", "4", "8"],
        about: "accesses that wait for one line of a texture cache; 0: as many as come",
        source: "assumed",
        touches: &Headline::ALL,
    },
    Assumption {
        name: "way to the L2",
        key: "l2.request_latency",
        reading: "0",
        others: &["8", "16"],
        about: "cycles of a request from L1 to L2, beside the latency that papers state",
        source: "assumed",
        touches: &Headline::ALL,
    },
    Assumption {
        name: "ports of the L2",
        key: "l2.ports",
        reading: "0",
        others: &["1", "2"],
        about: "requests that the L2 accepts a cycle; 0: one by each bank",
        source: "assumed",
        touches: &Headline::ALL,
    },
    Assumption {
        name: "misses of the L2",
        key: "l2.mshrs_per_bank",
        reading: "64",
        others: &["16", "256"],
        about: "lines that each of the L2's four banks can have under way to the DRAM",
        source: "assumed: a quarter of what the texture caches can have under way",
        touches: PARALLEL,
    },
    Assumption {
        name: "way to the DRAM",
        key: "l2.memory_latency",
        reading: "33",
        others: &["83"],
        about: "cycles to the DRAM and back beside its own: unloaded, 50 to 70 in all, or 100 and more",
        source: "LIBRA and KHEPRI, Table I: 50 to 100 cycles, no word on which part of them",
        touches: PARALLEL,
    },
    Assumption {
        name: "channels of the DRAM",
        key: "dram.structure.channels",
        reading: "2",
        others: &["1", "4"],
        about: "channels of 32 bits",
        source: "assumed: 64 bits in all, as phones have; LIBRA and KHEPRI, Table I state kind and clock alone",
        touches: PARALLEL,
    },
    Assumption {
        name: "first supertile",
        key: "technique.libra.first_edge",
        reading: "0",
        others: &["4", "8", "16"],
        about: "edge of LIBRA's supertiles in its first frame, in tiles; 0: the smallest, 2",
        source: "assumed",
        touches: &[Libra],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_have_names_and_keys_of_their_own() {
        let mut known = std::collections::BTreeSet::new();
        for own in ASSUMPTIONS {
            assert!(
                known.insert(own.name) && known.insert(own.key),
                "{}",
                own.key
            );
            assert!(!own.touches.is_empty(), "{} touches something", own.key);
        }
        assert!(
            Headline::WorkTiles.paper().is_none(),
            "no such mean is stated"
        );
    }
}
