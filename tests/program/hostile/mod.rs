//! Mistakes of users and faults of systems: outputs over inputs, two outputs of one name, full disks, interruptions, files
//! that are none. Every command ends within ten seconds and one gibibyte, says why, and changes no file but its output.

mod inputs;
mod interruption;
mod long_runs;
mod outputs;
mod workshop;
