//! Signs the tiles of a frame: draws before any stage, triangles chunk by chunk while lists are filled, then tiles list by
//! list, on all worker threads.

use rayon::prelude::*;

use super::signature::{
    DrawState, Shifts, Signature, SignedChunk, SignedDraw, SignedFrame, sign_triangles,
};
use crate::geometry::{Chunk, ShadedVertices};
use crate::identity::StateBytes;
use crate::shading::FragmentProgram;
use crate::tiling::TileLists;
use crate::{Draw, DrawList};
use azulejo_grid::{TileGrid, TileId};

/// Tiles that one piece of work signs.
const TILES_AT_ONCE: usize = 32;

/// Whether tiling signs the tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Signing<'a> {
    /// Tiles are not signed.
    Off,
    /// Tiles are signed, with this state of the draws; those that a draw without it reaches are not.
    On(&'a [Option<DrawState>]),
}

/// Buffers that live from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Signer {
    /// Signatures of triangles, by chunk.
    triangles: Vec<Vec<Signature>>,
    shifts: Shifts,
    /// Signatures by tile; none where a tile is not signed.
    tiles: Vec<Option<Signature>>,
}

impl Signer {
    /// Signs the triangles of a frame.
    pub(crate) fn sign_triangles(
        &mut self,
        draws: &[Option<DrawState>],
        vertices: &[ShadedVertices],
        chunks: &[Chunk],
    ) {
        self.triangles.resize_with(chunks.len(), Vec::new);
        let chunks = chunks.par_iter().zip(&mut self.triangles);
        chunks.for_each(|(chunk, signatures)| {
            let number = chunk.draw as usize;
            if let Some(draw) = &draws[number] {
                sign_triangles(chunk, &vertices[number], draw.n_varyings, signatures);
            }
        });
    }

    /// The signatures of all tiles of a frame whose shared bytes are `frame`, from those of its draws and triangles.
    pub(crate) fn sign_tiles(
        &mut self,
        frame: &[u8],
        draws: &[Option<DrawState>],
        chunks: &[Chunk],
        lists: &TileLists,
        grid: &TileGrid,
    ) {
        let lengths = draws.iter().flatten().flat_map(DrawState::lengths);
        self.shifts.prepare(lengths);
        let signed = |draw| SignedDraw::new(draw, &self.shifts);
        let draws: Vec<_> = (draws.iter())
            .map(|draw| draw.as_ref().map(signed))
            .collect();
        let chunks: Vec<_> = (chunks.iter().zip(&self.triangles))
            .map(|(chunk, triangles)| SignedChunk {
                draw: chunk.draw,
                triangles,
            })
            .collect();
        let signed = SignedFrame {
            frame: Signature::of(frame),
            draws: &draws,
            chunks: &chunks,
        };
        self.tiles.clear();
        self.tiles.resize(grid.n_tiles() as usize, None);
        let pieces = self.tiles.par_chunks_mut(TILES_AT_ONCE).enumerate();
        pieces.for_each(|(piece, tiles)| {
            for (nth, tile) in tiles.iter_mut().enumerate() {
                let id = TileId((piece * TILES_AT_ONCE + nth) as u32);
                *tile = signed.tile(lists.entries(id));
            }
        });
    }

    /// The signatures of the frame's tiles, given away.
    pub(crate) fn take_tiles(&mut self) -> Vec<Option<Signature>> {
        std::mem::take(&mut self.tiles)
    }
}

/// Signed state of every draw, contents of passes drawn before left out; on all threads of the pool that this is called in.
pub(crate) fn signed_before_passes<P: FragmentProgram + Sync>(
    list: &DrawList<'_, P>,
) -> Vec<Option<DrawState>> {
    list.of_states_before_passes(|draw, state| Some(signed(draw, state)))
}

/// Signed state of the draws that have not `moved`, by the calling thread alone: they are few.
pub(crate) fn signed_unless_moved<P: FragmentProgram>(
    list: &DrawList<'_, P>,
    moved: &[bool],
) -> Vec<Option<DrawState>> {
    list.of_some_states_before_passes(|number| !moved[number], signed)
}

/// Signed state of every draw, from its bytes.
pub(crate) fn signed_draws<P: FragmentProgram>(
    draws: &[Draw<'_, P>],
    states: &[StateBytes],
) -> Vec<Option<DrawState>> {
    let draws = draws.iter().zip(states);
    draws
        .map(|(draw, state)| Some(signed(draw, state)))
        .collect()
}

/// Signed state of a draw: constants and bindings as one part.
fn signed<P: FragmentProgram>(draw: &Draw<'_, P>, state: &StateBytes) -> DrawState {
    let length = state.constants.len() + size_of::<u32>() + state.bindings.len();
    let mut bytes = Vec::with_capacity(length);
    bytes.extend_from_slice(&state.constants);
    // So that what moves from one to the other is not the same.
    bytes.extend((state.constants.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&state.bindings);
    DrawState {
        signature: Signature::of(&bytes),
        length: bytes.len() as u64,
        n_varyings: usize::from(draw.program.varyings().len),
    }
}
