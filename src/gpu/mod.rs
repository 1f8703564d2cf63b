//! What the picture costs: the hardware, fed with the facts of a frame. Units are values with a specification, a state and
//! counters; nothing here knows how a pixel gets its colour.

pub mod access;

mod by_address;

pub mod cache;

pub mod dram;
