//! Requests to a DRAM, completions from it, and the agents that make requests.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::access::AccessKind;
use azulejo_units::DramCycles;

/// Agent that makes a request: the GPU, the display, or a core of a CPU. Only schedulers and groups of channels look at it.
///
/// ```
/// # mod azulejo { pub use azulejo_gpu as gpu; }
/// use azulejo::gpu::dram::AgentId;
///
/// assert_eq!("cpu3".parse(), Ok(AgentId::cpu(3)));
/// assert_eq!(AgentId::DISPLAY.to_string(), "display");
/// ```
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct AgentId(u8);

/// Error of a text that names no agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?}: expected gpu, display, or cpu0 to cpu{last}", last = AgentId::MAX_CPU)]
pub struct ParseAgentError(String);

impl AgentId {
    /// All units of the GPU.
    pub const GPU: Self = Self(0);
    /// Display controller of a system on chip.
    pub const DISPLAY: Self = Self(1);
    /// How many there may be.
    pub const N: usize = 64;
    /// Highest number of a CPU core.
    pub const MAX_CPU: u8 = Self::N as u8 - 3;

    /// Agent of a CPU core, 0 to [`MAX_CPU`](Self::MAX_CPU); higher numbers are the last.
    #[must_use]
    pub const fn cpu(core: u8) -> Self {
        let core = if core < Self::MAX_CPU {
            core
        } else {
            Self::MAX_CPU
        };
        Self(2 + core)
    }

    /// Its place among all agents, below [`N`](Self::N).
    #[must_use]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

impl AgentId {
    /// Whether it is a core of a CPU.
    #[must_use]
    pub const fn is_cpu(self) -> bool {
        self.0 >= 2
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::GPU => f.write_str("gpu"),
            Self::DISPLAY => f.write_str("display"),
            Self(other) => write!(f, "cpu{}", other - 2),
        }
    }
}

impl FromStr for AgentId {
    type Err = ParseAgentError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let core = || -> Option<Self> {
            let core = name.strip_prefix("cpu")?.parse().ok()?;
            (core <= Self::MAX_CPU).then(|| Self::cpu(core))
        };
        match name {
            "gpu" => Ok(Self::GPU),
            "display" => Ok(Self::DISPLAY),
            _ => core().ok_or_else(|| ParseAgentError(name.chars().take(40).collect())),
        }
    }
}

impl TryFrom<String> for AgentId {
    type Error = ParseAgentError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

impl From<AgentId> for String {
    fn from(agent: AgentId) -> Self {
        agent.to_string()
    }
}

/// One burst asked of the DRAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DramRequest {
    /// Byte address. Bits below a burst and above the capacity don't select anything, but requests merge only if all bits
    /// agree.
    pub address: u64,
    /// Direction of the access.
    pub kind: AccessKind,
    /// Agent that makes the request.
    pub agent: AgentId,
    /// Comes back with the completion; the DRAM doesn't look at it.
    pub tag: u64,
}

/// A request that is done: read data has arrived, or a write was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DramCompletion {
    /// The request's tag, as it was given.
    pub tag: u64,
    /// Whether it was a read or a write.
    pub kind: AccessKind,
    /// When the controller first saw the request.
    pub arrival: DramCycles,
    /// When it is done.
    pub at: DramCycles,
    /// Channel that served it.
    pub channel: u32,
    /// Whether it moved nothing over the pins: another request's command served it, or a write that waits answered it.
    pub is_merged: bool,
}
