//! Traces on disk (`.azt`): frames one after the other, so that neither writer nor reader holds more than one.
//!
//! Layout, all integers little-endian:
//!
//! ```text
//! "azulejo\0"  version: u32
//! chunk*       kind: 4 bytes, raw length: u32, stored length: u32, CRC32 of the 12 bytes before and the payload: u32,
//!              payload: LZ4 block
//! ```
//!
//! A frame is the chunks `FRAM` (screen, targets, counts), `RSRC` (textures, buffers), `PROG`, one `DRAW` for each draw, `TILE`
//! (a run of tiles each), in that order. The passes before the last come first, and each begins with `BHND` instead. Between
//! draws and tiles stands `PASS` where a pass has a name, tile buffers of its own, textures for targets, or instances. If some
//! program of a frame branches, `BRCH` (programs with their trees of regions) and `PATH` stand in the place of `PROG`, and
//! draws and tiles end with the numbers of paths; and with accesses to buffers, if some program makes any. A
//! pass that computes has one chunk `DISP` in the place of tiles.
//!
//! `DONE` with the number of frames closes the trace, so a cut file is always noticed. Behind it the file ends, or another
//! trace begins.
//!
//! Payloads are variable-length integers; counts are checked against the bytes that are left before anything is allocated,
//! and the finished frame against [`super::FrameTrace::validate`].

mod accesses;
mod branching;
mod chunk;
mod dispatches;
mod draws;
mod frames;
mod passes;
mod tiles;
mod wire;

pub use chunk::TraceFileError;
pub use frames::{TraceReader, TraceWriter};

#[cfg(test)]
mod tests;
