//! Fuzz target of `bodies::programs::wgsl`.
#![no_main]

#[path = "../bodies/mod.rs"]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::programs::wgsl(data));
