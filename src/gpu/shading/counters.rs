//! Counters of a core.

use super::data::DataCounters;
use super::texture::TextureCounters;
use crate::statistics::{ActivityCounters, is_zero};

/// Counters of one core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CoreCounters {
    /// Busy = issued something; stalled = had warps and issued nothing; idle = had none.
    pub activity: ActivityCounters,
    /// Warp instructions issued, one for all threads of a warp.
    pub instructions: u64,
    /// Warp instructions for the special-function units.
    pub transcendentals: u64,
    /// Threads of all instructions, helper lanes included.
    pub thread_instructions: u64,
    /// Threads of special functions.
    pub transcendental_threads: u64,
    /// Threads of texture instructions.
    pub texture_threads: u64,
    /// Threads of loads, stores and atomics.
    #[serde(skip_serializing_if = "is_zero")]
    pub buffer_threads: u64,
    /// Warps launched on the core.
    pub warps: u64,
    /// Texture path: samples, accesses and latencies.
    pub texture: TextureCounters,
    /// Load/store unit: accesses to buffers.
    #[serde(skip_serializing_if = "DataCounters::is_empty")]
    pub data: DataCounters,
}
