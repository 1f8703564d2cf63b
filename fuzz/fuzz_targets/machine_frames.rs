//! Fuzz target of `bodies::machine_frames`.
#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::machine_frames(data));
