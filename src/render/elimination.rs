//! Rendering Elimination on the host: tiles whose inputs are those that a frame buffer's pixels were drawn from are not drawn
//! again (`rendering-elimination`, section III; what the chip saves is the hardware model's business).
//!
//! A [`FrameBuffer`] keeps what each of its tiles was drawn from. Whoever draws alternately into two or three of them, as a
//! display's swap chain does, compares with the frame that the buffer held, not with the one before.

use super::Picture;
use super::tiling::Signature;
use crate::grid::{TileGrid, TileId};
use crate::trace::FrameCounters;

/// When two tiles' inputs count as equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Equality {
    /// CRC32 and a 64-bit digest agree: a collision of the CRC is seen, and the tile drawn.
    #[default]
    Inputs,
    /// The CRC32 agrees, as on the chip; one changed tile in four billion stays as it was.
    Signature,
}

/// A picture with what each of its tiles was drawn from.
#[derive(Debug, Clone, Default)]
pub struct FrameBuffer {
    picture: Picture,
    /// The grid that `signatures` is for; none if the pixels are of unknown origin.
    grid: Option<TileGrid>,
    signatures: Vec<Signature>,
    /// Digests of the draws' state and, where it was looked at, of their vertex data.
    inputs: (u64, Option<u64>),
}

impl FrameBuffer {
    /// What was drawn last.
    #[must_use]
    pub const fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Gives the picture away.
    #[must_use]
    pub fn into_picture(self) -> Picture {
        self.picture
    }

    /// Forgets what the pixels were drawn from: the next frame is drawn whole. A chip's driver does so when several render
    /// targets are in use, and from time to time to be safe (section III-E).
    pub fn invalidate(&mut self) {
        self.grid = None;
    }

    /// Whether a frame of draws in this state may be what the buffer holds, so that it is worth to look at vertex data.
    pub(super) fn has_state(&self, grid: TileGrid, state: u64) -> bool {
        self.grid == Some(grid) && self.inputs.0 == state
    }

    /// Takes the digests of the next frame's draws; true if they are what the buffer was drawn from.
    pub(super) fn holds(&mut self, grid: TileGrid, state: u64, geometry: Option<u64>) -> bool {
        let before = std::mem::replace(&mut self.inputs, (state, geometry));
        self.grid == Some(grid) && geometry.is_some() && before == self.inputs
    }

    /// Takes the signatures of the next frame; the answer tells which tiles can stay.
    pub(super) fn begin(
        &mut self,
        grid: TileGrid,
        signatures: Vec<Signature>,
        equality: Equality,
    ) -> Kept {
        let comparable = self.grid.replace(grid) == Some(grid);
        let before = std::mem::replace(&mut self.signatures, signatures);
        let mut kept = Kept {
            tiles: vec![false; grid.n_tiles() as usize],
            collisions: 0,
        };
        if comparable {
            let pairs = before.iter().zip(&self.signatures);
            for (stays, (before, now)) in kept.tiles.iter_mut().zip(pairs) {
                let collides = before.crc == now.crc && before.digest != now.digest;
                kept.collisions += u64::from(collides);
                *stays = before.crc == now.crc && (!collides || equality == Equality::Signature);
            }
        }
        kept
    }

    /// The picture, to be drawn into.
    pub(super) fn target(&mut self) -> &mut Picture {
        &mut self.picture
    }
}

/// What became of the tiles of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// By [`TileId`]: the tile was not drawn, because the buffer has it already.
    pub tiles: Vec<bool>,
    /// Tiles whose CRC32 was that of other inputs.
    pub collisions: u64,
}

impl Kept {
    /// Every tile of a grid.
    pub(super) fn all(grid: &TileGrid) -> Self {
        Self {
            tiles: vec![true; grid.n_tiles() as usize],
            collisions: 0,
        }
    }

    /// Whether a tile was left out.
    #[must_use]
    pub fn contains(&self, tile: TileId) -> bool {
        self.tiles.get(tile.0 as usize).is_some_and(|kept| *kept)
    }

    /// Tiles left out.
    #[must_use]
    pub fn count(&self) -> usize {
        self.tiles.iter().filter(|kept| **kept).count()
    }
}

/// What drawing over a frame buffer did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redrawn {
    /// Present if counters were asked for; of the tiles that were drawn.
    pub counters: Option<FrameCounters>,
    /// Which were not.
    pub kept: Kept,
}

/// Frame buffers in turn, as a display shows them.
#[derive(Debug, Clone)]
pub struct SwapChain {
    buffers: Vec<FrameBuffer>,
    frames: u64,
    refresh: Option<u64>,
}

impl SwapChain {
    /// `buffers` frame buffers, at least one; with `refresh`, every so many frames are drawn whole: that many in a row, so
    /// that every buffer has its turn.
    #[must_use]
    pub fn new(buffers: usize, refresh: Option<u64>) -> Self {
        Self {
            buffers: vec![FrameBuffer::default(); buffers.max(1)],
            frames: 0,
            refresh,
        }
    }

    /// The buffer of the next frame: the one that was drawn longest ago.
    pub fn next_buffer(&mut self) -> &mut FrameBuffer {
        let n_buffers = self.buffers.len() as u64;
        let whole = self
            .refresh
            .is_some_and(|period| self.frames % period.max(1) < n_buffers);
        let buffer = &mut self.buffers[(self.frames % n_buffers) as usize];
        if whole {
            buffer.invalidate();
        }
        self.frames += 1;
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: TileGrid = TileGrid {
        width: 64,
        height: 32,
        tile_size: 32,
    };

    fn signed(pairs: [(u32, u64); 2]) -> Vec<Signature> {
        pairs.map(|(crc, digest)| Signature { crc, digest }).into()
    }

    #[test]
    fn elimination_keeps_tiles_of_equal_inputs() {
        let mut buffer = FrameBuffer::default();
        let first = buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        assert_eq!(first.count(), 0, "nothing is known of a new buffer");
        let second = buffer.begin(GRID, signed([(1, 1), (3, 3)]), Equality::Inputs);
        assert_eq!(second.tiles, [true, false], "the second tile changed");
    }

    #[test]
    fn elimination_counts_collisions_and_draws_them() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        let kept = buffer.begin(GRID, signed([(1, 9), (2, 2)]), Equality::Inputs);
        assert_eq!((kept.tiles, kept.collisions), (vec![false, true], 1));
    }

    #[test]
    fn elimination_trusts_the_signature_where_asked_to() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Signature);
        let kept = buffer.begin(GRID, signed([(1, 9), (2, 2)]), Equality::Signature);
        assert_eq!((kept.tiles, kept.collisions), (vec![true, true], 1));
    }

    #[test]
    fn elimination_begins_anew_on_another_grid() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        let other = TileGrid { width: 40, ..GRID };
        let kept = buffer.begin(other, signed([(1, 1), (2, 2)]), Equality::Inputs);
        assert_eq!(kept.count(), 0, "the tiles are other tiles");
    }

    #[test]
    fn elimination_invalidated_draws_the_next_frame_whole() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        buffer.invalidate();
        let kept = buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        assert_eq!(kept.count(), 0, "forgotten");
    }

    #[test]
    fn swap_chain_refreshes_every_buffer_in_turn() {
        let mut chain = SwapChain::new(2, Some(5));
        let mut whole = Vec::new();
        for frame in 0..10 {
            let buffer = chain.next_buffer();
            let kept = buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
            if kept.count() == 0 {
                whole.push(frame);
            }
        }
        assert_eq!(whole, [0, 1, 5, 6], "two of every five");
    }
}
