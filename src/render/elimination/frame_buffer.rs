//! Frame buffers with a record of the inputs that each of their tiles was drawn from, and chains of them as a display has.

use super::motion::Motion;
use super::outcomes::{Equality, TileOutcomes, TileReason};
use super::signature::Signature;
use crate::{Draw, Picture};
use azulejo_grid::TileGrid;

/// A picture with what each of its tiles was drawn from.
#[derive(Debug, Clone)]
pub struct FrameBuffer {
    picture: Picture,
    /// The grid that `signatures` is for, or why the pixels are of unknown origin.
    grid: Result<TileGrid, TileReason>,
    /// Signatures by tile; none where a draw has moved.
    signatures: Vec<Option<Signature>>,
    motion: Motion,
    inputs: FrameInputs,
}

/// Digests of the inputs that all tiles were drawn from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FrameInputs {
    /// A digest of the draws' state, where all were signed.
    pub(super) state: Option<u64>,
    /// A digest of their vertex data, where it was looked at.
    pub(super) geometry: Option<u64>,
}

impl Default for FrameBuffer {
    fn default() -> Self {
        Self {
            picture: Picture::default(),
            grid: Err(TileReason::FirstFrame),
            signatures: Vec::new(),
            motion: Motion::default(),
            inputs: FrameInputs::default(),
        }
    }
}

impl FrameBuffer {
    /// Picture of the last frame drawn into it.
    #[must_use]
    pub const fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Forgets what the pixels were drawn from: the next frame is drawn whole. A chip's driver does so when several render
    /// targets are in use, and from time to time to be safe (section III-E).
    pub fn invalidate(&mut self) {
        self.forget(TileReason::Invalidated);
    }

    /// Invalidates all tiles, with the reason that the next frame's tiles will have; a new buffer stays one.
    fn forget(&mut self, reason: TileReason) {
        if self.grid != Err(TileReason::FirstFrame) {
            self.grid = Err(reason);
        }
    }

    /// Takes the draws of the next frame and returns, for each, whether tiles that it reaches have changed for certain, as
    /// none of the frame before stood there. Empty where that is unknown, or holds for too few.
    pub(super) fn moved<P>(&mut self, grid: TileGrid, draws: &[Draw<'_, P>]) -> Vec<bool> {
        let moved = self.motion.next(draws);
        if self.grid == Ok(grid) {
            moved
        } else {
            Vec::new()
        }
    }

    /// Whether a frame of draws in this state may be what the buffer holds, so that it is worth to look at vertex data.
    pub(super) fn has_state(&self, grid: TileGrid, state: u64) -> bool {
        self.grid == Ok(grid) && self.inputs.state == Some(state)
    }

    /// Takes the digests of the next frame's draws; true if they are what the buffer was drawn from.
    pub(super) fn holds(&mut self, grid: TileGrid, inputs: FrameInputs) -> bool {
        let before = std::mem::replace(&mut self.inputs, inputs);
        self.grid == Ok(grid) && inputs.geometry.is_some() && before == inputs
    }

    /// Takes the signatures of the next frame, none for tiles that moved draws reach; the answer says which tiles can stay.
    pub(super) fn begin(
        &mut self,
        grid: TileGrid,
        signatures: Vec<Option<Signature>>,
        equality: Equality,
    ) -> TileOutcomes {
        let before = std::mem::replace(&mut self.signatures, signatures);
        let reasons = match std::mem::replace(&mut self.grid, Ok(grid)) {
            Ok(known) if known == grid => {
                let pairs = before.iter().zip(&self.signatures);
                pairs
                    .map(|(before, now)| reason(*before, *now, equality))
                    .collect()
            }
            Ok(_) => vec![TileReason::OtherGrid; self.signatures.len()],
            Err(why) => vec![why; self.signatures.len()],
        };
        TileOutcomes { reasons }
    }

    /// The picture, to be drawn into.
    pub(super) fn target(&mut self) -> &mut Picture {
        &mut self.picture
    }
}

/// Reason to draw or to keep a tile that was signed so before and is signed so now.
fn reason(before: Option<Signature>, now: Option<Signature>, equality: Equality) -> TileReason {
    let Some(now) = now else {
        return TileReason::ChangedInputs;
    };
    let Some(before) = before else {
        return TileReason::Unsigned;
    };
    match (before.crc == now.crc, before.digest == now.digest) {
        (true, true) => TileReason::EqualInputs,
        (true, false) if equality == Equality::Signature => TileReason::TrustedCollision,
        (true, false) => TileReason::Collision,
        (false, _) => TileReason::ChangedInputs,
    }
}

/// Frame buffers in turn, as a display shows them.
#[derive(Debug, Clone)]
pub struct SwapChain {
    buffers: Vec<FrameBuffer>,
    frames: u64,
    refresh: Option<u64>,
}

impl SwapChain {
    /// `buffers` frame buffers, at least one; with `refresh`, frames are drawn whole with that period: one for each buffer
    /// in a row, so that every buffer has its turn.
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
            buffer.forget(TileReason::Refresh);
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

    fn signed(pairs: [(u32, u64); 2]) -> Vec<Option<Signature>> {
        let signature = |(crc, digest)| Some(Signature { crc, digest });
        pairs.map(signature).into()
    }

    #[test]
    fn elimination_keeps_tiles_of_equal_inputs() {
        let mut buffer = FrameBuffer::default();
        let first = buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        assert_eq!(first.reasons, [TileReason::FirstFrame; 2], "a new buffer");
        let second = buffer.begin(GRID, signed([(1, 1), (3, 3)]), Equality::Inputs);
        let reasons = [TileReason::EqualInputs, TileReason::ChangedInputs];
        assert_eq!(second.reasons, reasons, "the second tile changed");
    }

    #[test]
    fn elimination_counts_collisions_and_draws_them() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        let kept = buffer.begin(GRID, signed([(1, 9), (2, 2)]), Equality::Inputs);
        assert_eq!((kept.n_kept(), kept.n_collisions()), (1, 1));
        assert_eq!(kept.reasons[0], TileReason::Collision, "drawn");
    }

    #[test]
    fn elimination_trusts_the_signature_where_asked_to() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Signature);
        let kept = buffer.begin(GRID, signed([(1, 9), (2, 2)]), Equality::Signature);
        assert_eq!((kept.n_kept(), kept.n_collisions()), (2, 1));
        assert_eq!(kept.reasons[0], TileReason::TrustedCollision, "kept");
    }

    #[test]
    fn elimination_draws_tiles_that_were_or_are_not_signed() {
        let mut buffer = FrameBuffer::default();
        let first_moved = || vec![None, signed([(1, 1), (2, 2)])[1]];
        buffer.begin(GRID, first_moved(), Equality::Inputs);
        let moved = buffer.begin(GRID, first_moved(), Equality::Inputs);
        let reasons = [TileReason::ChangedInputs, TileReason::EqualInputs];
        assert_eq!(moved.reasons, reasons, "a draw moved over the first");
        let stands = buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        let reasons = [TileReason::Unsigned, TileReason::EqualInputs];
        assert_eq!(stands.reasons, reasons, "and stands");
    }

    #[test]
    fn elimination_begins_anew_on_another_grid() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        let other = TileGrid { width: 40, ..GRID };
        let kept = buffer.begin(other, signed([(1, 1), (2, 2)]), Equality::Inputs);
        assert_eq!(kept.reasons, [TileReason::OtherGrid; 2], "other tiles");
    }

    #[test]
    fn elimination_invalidated_draws_the_next_frame_whole() {
        let mut buffer = FrameBuffer::default();
        buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        buffer.invalidate();
        let kept = buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
        assert_eq!(kept.reasons, [TileReason::Invalidated; 2], "forgotten");
    }

    #[test]
    fn swap_chain_refreshes_every_buffer_in_turn() {
        let mut chain = SwapChain::new(2, Some(5));
        let mut whole = Vec::new();
        for frame in 0..10 {
            let buffer = chain.next_buffer();
            let kept = buffer.begin(GRID, signed([(1, 1), (2, 2)]), Equality::Inputs);
            if kept.n_kept() == 0 {
                whole.push((frame, kept.reasons[0]));
            }
        }
        let (first, refresh) = (TileReason::FirstFrame, TileReason::Refresh);
        let expected = [(0, first), (1, first), (5, refresh), (6, refresh)];
        assert_eq!(whole, expected, "two of every five");
    }
}
