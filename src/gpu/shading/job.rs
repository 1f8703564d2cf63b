//! Job of a warp: its program and its origin, handed to a core, and back with the finished warp.

use crate::frame::{PreparedFrame, QuadCounts};
use crate::memory::NOBODY;
use azulejo_trace::{PathIdx, TileTrace};

/// Quads of a warp, at most.
pub(crate) const MAX_QUADS: usize = 8;

/// Threads of the widest warp.
pub(crate) const MAX_THREADS: usize = 4 * MAX_QUADS;

/// Cursor to the blocks of a quad's next texture instruction in the tile's trace, and to its path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TexelCursor {
    pub(crate) count: u32,
    pub(crate) block: u32,
    /// Paths of quads before it, where its program branches.
    pub(crate) path: u32,
    /// Shaded quads of the tile before it; of a warp's first vertex, vertices of the draw before it.
    pub(crate) quad: u32,
}

impl TexelCursor {
    /// Goes on behind a shaded quad with this many texture instructions.
    #[inline]
    pub(crate) fn pass_quad(&mut self, tile: &TileTrace, counts: QuadCounts<'_>) {
        self.quad += 1;
        let first = self.count as usize;
        let n = counts.next(tile, &mut self.path);
        let counts = &tile.block_counts[first..first + n as usize];
        self.count += n;
        self.block += counts.iter().map(|&n| u32::from(n)).sum::<u32>();
    }
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
    /// Quads, or vertices: as many have facts of their own.
    pub(crate) n_members: u32,
    pub(crate) quads: [TexelCursor; MAX_QUADS],
    /// Comes back with the finished warp; of a compute program, its workgroup.
    pub(crate) ticket: u32,
    /// Whether it is a workgroup's.
    pub(crate) of_group: bool,
}

impl WarpJob {
    /// Fragments of so many quads of a tile.
    pub(crate) const fn of_quads(
        program: u32,
        (tile, draw): (u32, u32),
        (quads, n): ([TexelCursor; MAX_QUADS], u32),
        ticket: u32,
    ) -> Self {
        Self {
            program,
            draw,
            tile,
            next_texture: 0,
            n_quads: n,
            n_members: n,
            quads,
            ticket,
            of_group: false,
        }
    }

    /// Paths of a fragment warp's quads; none if its program is straight.
    pub(crate) fn paths(&self, facts: &PreparedFrame<'_>) -> Vec<PathIdx> {
        let shape = &facts.programs.programs[self.program as usize];
        if shape.tree.is_none() || self.tile == NOBODY {
            return Vec::new();
        }
        let tile = facts.tile(self.tile);
        let quads = &self.quads[..self.n_quads as usize];
        quads
            .iter()
            .map(|quad| tile.paths[quad.path as usize])
            .collect()
    }
}
