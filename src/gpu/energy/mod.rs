//! Energy of a frame: events of every unit times the energy of one, plus leakage times time, plus the DRAM by its currents.
//!
//! What has an array is an array of CACTI's (`assets/energy`): caches, register files, tile buffers. Arithmetic is counted by thread; queues, wires
//! and control are not in it, so GPU totals are a floor. `docs` of the fields say which events count.

mod account;
mod report;
mod technology;

pub use report::{EnergyPart, EnergyReport};
pub use technology::{EnergySpec, Sram, TECHNOLOGIES};
