//! DRAM to the cycle: requests in, completions, commands, latencies and energy out. Banks, timing, refresh and queues are the
//! controller's; the order of requests is a seam.
//!
//! The rules are DRAMsim3's (Li, Yang, Reddy, Srivastava and Jacob, *DRAMsim3: A Cycle-Accurate, Thermal-Capable DRAM Simulator*, IEEE
//! Computer Architecture Letters 19(2), 2020), open page and all-bank refresh; with the shipped configurations every count equals
//! that tool's. A channel's cycle: completions go back; refresh counter; at most one command; at most one request moves to its
//! bank's queue; then new requests arrive.
//!
//! Two users: the GPU model pushes and runs a [`Dram`] beside its own clock.

mod address;
mod bank_set;
mod banks;
mod channel;
mod counters;
mod energy;
mod first_ready;
mod fr_fcfs;
mod groups;
mod mapping;
mod order;
mod pending;
mod queues;
mod ranges;
mod refresh;
mod replay;
mod report;
mod request;
mod returning;
mod routes;
mod schedule;
mod shipped;
mod spec;
mod system;
mod timing;

pub use address::{AddressMap, Location};
pub use bank_set::BankSet;
pub use counters::{ChannelCounters, LatencyHistogram};
pub use energy::DramEnergy;
pub use first_ready::FirstReady;
pub use fr_fcfs::FrFcfs;
pub use groups::{ChannelGroup, ChannelGroups};
pub use mapping::{AddressField, Mapping, ParseMappingError};
pub use order::RequestOrder;
pub use queues::QueuedRequest;
pub use ranges::DramSpecError;
pub use replay::{Replay, ReplayOutcome, TraceRequest};
pub use report::{
    ChannelReport, CountReport, DramReport, EnergyReport, ReadLatencyReport, TotalEnergyReport,
    TotalLatencyReport, TotalReport, WriteLatencyReport,
};
pub use request::{AgentId, DramCompletion, DramRequest, ParseAgentError};
pub use schedule::{
    AgentNotice, Candidate, Candidates, RequestScheduler, first_ready, oldest_admissible,
};
pub use shipped::shipped_names;
pub use spec::{DramController, DramCurrent, DramSpec, DramStructure, DramTiming};
pub use system::Dram;
pub use timing::{DramCommand, IssuedCommand};
