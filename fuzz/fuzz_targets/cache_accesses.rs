//! Fuzz target of `bodies::cache_accesses`.
#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::cache_accesses(data));
