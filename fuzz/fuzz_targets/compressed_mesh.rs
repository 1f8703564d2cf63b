//! Fuzz target of `bodies::compressed_mesh`.
#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::compressed_mesh(data));
