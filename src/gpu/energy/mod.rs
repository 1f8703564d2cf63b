//! Energy of a frame: events of every unit times the energy of one, plus leakage times time, plus the DRAM by its currents.
//!
//! Arrays are CACTI's (`assets/energy`, with a source beside every figure): caches, register files, operand collectors,
//! tile buffers, queues. Arithmetic counts by operation, instruction control by warp instruction: a warp's instruction is
//! fetched, decoded and issued once. Logic leaks by its area, which follows from the machine's rates. Lines go over wires
//! with lengths that follow from the areas of L2 and cores, and over the memory's pins, with which both sides' drivers are
//! charged to the chip: the currents of the DRAM hold no energy of pins. The clock tree takes a share of the energy of all
//! events but those of wires, and of instruction control and the memory's interface, the sources of which have the clock in
//! them; its gates are closed where nothing happens, so that it needs nothing when all units rest. Techniques have parts of
//! their own, each with its branch of the tree.
//!
//! Not in it, so that GPU totals are a floor: commands, addresses and clock of the memory's pins, the schedulers of its
//! controllers, wires within and between the Raster Pipeline's units, and what a technique adds to them.

mod account;
mod area;
mod cores;
mod fixed;
mod link_tables;
mod links;
mod logic;
mod memories;
mod report;
mod technology;

#[cfg(test)]
mod tests;

pub use area::ChipArea;
pub use report::{EnergyPart, EnergyReport, EventEnergies};
pub use technology::{EnergySpec, Sram, TECHNOLOGIES, built_in};
