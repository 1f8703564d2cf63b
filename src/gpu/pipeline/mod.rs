//! The ways from triangles to pixels, each a value that one engine runs.

pub mod immediate;
