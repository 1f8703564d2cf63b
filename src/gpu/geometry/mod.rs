//! From draws to triangles: command processor, vertex fetch, vertex programs, assembly with culling and clipping.

mod assembly;
mod command;
mod pipeline;
mod vertices;

pub use command::CommandCounters;
pub use pipeline::GeometryCounters;
pub(crate) use pipeline::{GeometryPipeline, GeometryPorts};

#[cfg(test)]
mod tests;
