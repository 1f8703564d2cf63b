//! Fuzz target of `bodies::machine_toml`.
#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::machine_toml(data));
