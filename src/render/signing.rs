//! Signs the tiles of a frame: triangles chunk by chunk, while lists are filled, then tiles list by list, on all worker threads.

use rayon::prelude::*;

use super::draws::Draw;
use super::geometry::{Chunk, ShadedVertices};
use super::shading::FragmentProgram;
use super::tiling::{
    DrawState, Shifts, Signature, SignedDraw, SignedFrame, TileLists, sign_triangles,
};
use crate::grid::{TileGrid, TileId};

/// Tiles that one piece of work signs.
const TILES_AT_ONCE: usize = 32;

/// Whether tiling signs the tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signing {
    Off,
    On,
}

/// Buffers that live from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Signer {
    draws: Vec<DrawState>,
    /// By chunk.
    triangles: Vec<Vec<Signature>>,
    shifts: Shifts,
    /// By tile.
    tiles: Vec<Signature>,
}

impl Signer {
    /// Signs the draws of a frame, and the triangles of each chunk.
    pub(super) fn sign_triangles<P: FragmentProgram + Sync>(
        &mut self,
        draws: &[Draw<'_, P>],
        vertices: &[ShadedVertices],
        chunks: &[Chunk],
    ) {
        let Self {
            draws: states,
            triangles,
            shifts,
            ..
        } = self;
        states.clear();
        states.extend(draws.iter().map(state));
        shifts.prepare((states.iter()).flat_map(|draw| [draw.length, draw.triangle_bytes()]));
        triangles.resize_with(chunks.len(), Vec::new);
        let pairs = triangles.par_iter_mut().zip(chunks);
        pairs.for_each(|(signatures, chunk)| {
            let draw = chunk.draw as usize;
            sign_triangles(chunk, &vertices[draw], states[draw].n_varyings, signatures);
        });
    }

    /// The signatures of all tiles of a frame whose shared bytes are `frame`, from those of its triangles.
    pub(super) fn sign_tiles(
        &mut self,
        frame: &[u8],
        (chunks, lists): (&[Chunk], &TileLists),
        grid: &TileGrid,
    ) {
        let draws: Vec<_> = (self.draws.iter())
            .map(|draw| SignedDraw::new(draw, &self.shifts))
            .collect();
        let signed = SignedFrame {
            frame: Signature::of(frame),
            draws: &draws,
            chunks,
            triangles: &self.triangles,
        };
        self.tiles.clear();
        self.tiles
            .resize(grid.n_tiles() as usize, Signature::default());
        let pieces = self.tiles.par_chunks_mut(TILES_AT_ONCE).enumerate();
        pieces.for_each(|(piece, tiles)| {
            for (nth, tile) in tiles.iter_mut().enumerate() {
                let id = TileId((piece * TILES_AT_ONCE + nth) as u32);
                *tile = signed.tile(lists.entries(id));
            }
        });
    }

    /// The signatures of the frame's tiles, given away.
    pub(super) fn take_tiles(&mut self) -> Vec<Signature> {
        std::mem::take(&mut self.tiles)
    }
}

/// What tiles are signed with of a draw: constants and bindings as one part.
fn state<P: FragmentProgram>(draw: &Draw<'_, P>) -> DrawState {
    let mut bytes = draw.constants.clone();
    // So that what moves from one to the other is not the same.
    bytes.extend((draw.constants.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&draw.bindings);
    DrawState {
        signature: Signature::of(&bytes),
        length: bytes.len() as u64,
        n_varyings: usize::from(draw.program.varyings().len),
    }
}
