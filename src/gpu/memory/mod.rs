//! The way of a line: first-level caches ask the shared, banked L2; the L2 asks the DRAM; tile flush, tile load and display
//! go to the DRAM directly. Requests carry their kind of traffic, tile and draw.

mod agent_queues;
mod agents;
mod controller;
mod l2;
mod line_cache;
mod map;
mod observer;
mod offer;
mod recording;
mod request;
mod system;
mod target;
mod waiting;
mod way;

pub use agent_queues::{Agent, AgentCounters, AgentTraffic, ServedLine};
pub use agents::{AgentPort, MemoryAgents};
pub(crate) use controller::MemoryController;
pub(crate) use l2::L2Cache;
pub(crate) use line_cache::{LineAccess, LineCache, Waiter};
pub use map::MemoryMap;
pub(crate) use map::{COMMAND_AREA, COMMAND_BYTES, FrameNeeds, written_by};
pub(crate) use observer::L2Observers;
pub use observer::{L2Access, L2Observer};
pub use recording::L2Recording;
pub(crate) use request::{LineRequest, NOBODY, Requester, Source};
pub use request::{Traffic, TrafficCounts};
pub(crate) use system::MemorySystem;
pub(crate) use target::{TargetLayout, TargetWrites};

#[cfg(test)]
mod tests;
