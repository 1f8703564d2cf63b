//! DASH: H. Usui, L. Subramanian, K. Chang and O. Mutlu, "DASH: Deadline-Aware High-Performance Memory Scheduler for
//! Heterogeneous Systems with Hardware Accelerators", TACO 2016, as Emerald evaluates it (Gubran and Aamodt, ISCA 2019,
//! section 5.1.1 and Table 3).
//!
//! The DRAM serves requests by agent: accelerators that are late for their deadline first, then cores that need little
//! memory, then accelerators that are in time and cores that need much, one before the other by a probability that follows
//! the accelerators' progress. Cores are told apart by clustering (Kim et al., "Thread Cluster Memory Scheduling", MICRO
//! 2010): in order of their misses for each instruction, as many as together use no more than a share of the bandwidth.
//! Emerald takes this share of the cores' own bandwidth (its DCB) or of the whole system's (DTB): `bandwidth`.
//!
//! Choices made here where the papers leave something open:
//! - Progress is bursts served of bursts due, against time elapsed of the period. The bursts due are known for the display;
//!   for the GPU they are those of its last frame, and its first frame is in time. An accelerator is urgent when more of
//!   its period has elapsed than its threshold, or when its progress is not ahead; this is judged every scheduling unit,
//!   and none is urgent before the first.
//! - The probability of cores before an accelerator begins at 0. Every switching unit it rises by a hundredth where the
//!   accelerator is ahead and falls by five where it is not, and a coin is thrown: the rule of the authors' own simulator,
//!   one probability for each accelerator. Emerald writes that it "balances requests serviced": `balance = "served"` raises
//!   it by a hundredth where cores with much traffic were served less than the accelerator in the last unit, and lowers it
//!   by one where they were served more.
//! - Every channel judges by its own counts; consecutive lines lie in different channels, so all see the same. Work that is
//!   due is shared by the channels that the agent uses.
//! - Cores with much traffic change places every shuffling interval: by insertion where their bank parallelism (banks in
//!   which they could be served, at each choice) differs by more than a tenth of the banks, else by rotation. Misses for
//!   each instruction and bank parallelism are smoothed, seven eighths old. Row locality has no part in it.
//! - Rank goes before row hits: at a bank the first in rank goes, and closes the row that lower ranks still need. Beyond
//!   that the memory controller keeps its rules: within a rank the oldest entry closes a row that was used often enough,
//!   and writes wait for a drain, ranked among themselves. Within a rank row hits go first, then the oldest, as under
//!   [`FirstReady`](azulejo_gpu::dram::FirstReady): an agent that has the memory to itself sees no difference.
//!
//! Seam: the DRAM's request scheduler. Parameters: `[technique.dash]`.

mod clusters;
mod counters;
mod progress;
mod scheduler;
mod spec;
#[cfg(test)]
mod tests;

pub(super) use counters::NAME;
pub use scheduler::Dash;
pub use spec::{Balance, Bandwidth, DashSpec};

use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::parameters::ParameterError;
use azulejo_gpu::{Maker, Seams};

/// A scheduler for each channel of the machine's DRAM.
///
/// # Errors
/// If the machine has no `[technique.dash]`, or one that cannot be.
pub(super) fn seams(machine: &MachineSpec) -> Result<Seams, ParameterError> {
    let spec: DashSpec = machine.technique.part(NAME).get()?;
    let tick = machine.dram.timing.t_ck;
    let n_banks = machine.dram.n_banks_per_rank();
    Ok(Seams {
        requests: Some(Maker::new(move |channel: u32| {
            Box::new(Dash::new(&spec, tick, n_banks, channel)) as _
        })),
        ..Seams::default()
    })
}
