//! Tests of the hardware model: exact rules of its memories, laws on random machines, results that may not change unannounced.

#[path = "../../fuzz/bodies/mod.rs"]
mod bodies;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../fuzz/bodies/seeds.rs"]
mod seeds;
#[path = "../common/shared.rs"]
mod shared;

mod cache_reference;
mod corpus;
mod dram_reference;
mod dram_rules;
mod key_effects;
mod machine_laws;
mod machines;
mod results_version;
