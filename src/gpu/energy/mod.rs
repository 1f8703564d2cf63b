//! Energy of a frame: events of every unit times the energy of one, plus leakage times time, plus the DRAM by its currents.
//!
//! What has an array is an array of CACTI's (`assets/energy`, with a source beside every figure): caches, register files, operand
//! collectors, tile buffers, queues. Arithmetic counts by operation, instruction control by warp instruction: a warp's instruction is
//! fetched, decoded and issued once. Logic leaks by its area, which follows from the machine's rates. The clock tree takes a share of the
//! energy of all events but those of instruction control, whose source has the clock in it; its gates are closed where nothing happens, so
//! that it needs nothing when all units rest. Techniques have parts of their own, each with its branch of the tree.
//!
//! Not in it, so that GPU totals are a floor: set-up of triangles, the command processor, miss registers and bank queues, wires between
//! first level and L2, and the interface to the DRAM, whose currents hold no energy of pins either.

mod account;
mod cores;
mod fixed;
mod logic;
mod memories;
mod report;
mod technology;

#[cfg(test)]
mod tests;

pub use report::{EnergyPart, EnergyReport};
pub use technology::{EnergySpec, Sram, TECHNOLOGIES, built_in};
