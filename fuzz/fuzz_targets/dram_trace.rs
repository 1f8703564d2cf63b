//! Fuzz target of `bodies::dram_trace`.
#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::dram_trace(data));
