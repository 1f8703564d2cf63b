//! Parameters of Rendering Elimination in a machine file: sizes of the Signature Unit, and its switches.

use serde::Deserialize;

use azulejo_gpu::parameters::{flag_or_false, in_range, in_range_or_default};

/// The technique's parameters (section III), `[technique.re]` of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReSpec {
    /// Entries of the OT Queue: overlapped tiles whose signature is still to be updated.
    #[serde(deserialize_with = "in_range::<1, 65_536, _, _>")]
    pub ot_queue: u32,
    /// Primitives that may wait for Compute CRC.
    #[serde(deserialize_with = "in_range::<1, 65_536, _, _>")]
    pub primitive_queue: u32,
    /// Shift subunits of Accumulate CRC, each at work on another tile, by one sub-block a cycle (Algorithm 3).
    #[serde(deserialize_with = "in_range::<1, 256, _, _>")]
    pub shift_subunits: u32,
    /// Frames whose signatures the Signature Buffer holds.
    #[serde(deserialize_with = "in_range::<2, 4, _, _>")]
    pub signature_sets: u32,
    /// Frames from one whole drawing of a frame buffer to the next (section III-E); 0: never.
    #[serde(deserialize_with = "in_range_or_default::<0, 1_000_000, _, _>")]
    pub refresh: u32,
    /// Whether tiles are left out by their CRC alone, as the chip does: one changed tile in four billion stays as it was
    /// (section VI).
    #[serde(deserialize_with = "flag_or_false")]
    pub trust_signatures: bool,
}
