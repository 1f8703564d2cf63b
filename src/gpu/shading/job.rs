//! Job of a warp: its program and its origin, handed to a core, and back with the finished warp.

/// Quads of a warp, at most.
pub(crate) const MAX_QUADS: usize = 8;

/// Cursor to the blocks of a quad's next texture instruction in the tile's trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TexelCursor {
    pub(crate) count: u32,
    pub(crate) block: u32,
}

/// Program and origin of a warp.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WarpJob {
    /// Position among the frame's programs.
    pub(crate) program: u32,
    pub(crate) draw: u32,
    /// Tile, or [`crate::memory::NOBODY`] for vertices.
    pub(crate) tile: u32,
    /// Texture instructions already in the pipelines.
    pub(crate) next_texture: u32,
    pub(crate) n_quads: u32,
    pub(crate) quads: [TexelCursor; MAX_QUADS],
    /// Comes back with the finished warp.
    pub(crate) ticket: u32,
}
