//! The tiles inside a Raster Unit and the stage that each of them may be in: the barrier between tiles.
//!
//! Tiles get consecutive numbers as the rasteriser meets them. For every stage there is the number of the tile that owns
//! it; a tile leaves a stage when nothing of it is left there, and then the next one may enter.

use std::collections::VecDeque;

use super::flush::LineWalk;
use azulejo_units::Cycles;

/// A quad under way between rasteriser and cores.
#[derive(Debug, Clone, Copy)]
pub(super) struct PipeQuad {
    pub(super) quad: azulejo_trace::Quad,
    pub(super) draw: u32,
    /// Number of its tile in this unit.
    pub(super) tile: u32,
    pub(super) cursor: crate::shading::TexelCursor,
    /// When it may leave the early depth test.
    pub(super) at: Cycles,
}

/// Position of a quad in its tile as an index: tiles are at most 64 quads wide.
pub(super) fn position(quad: azulejo_trace::Quad) -> usize {
    (quad.0 & 0xfff) as usize
}

/// Positions of a tile.
pub(super) const POSITIONS: usize = 4096;

/// The colour buffer of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColorBuffer {
    /// It has none yet.
    None,
    /// Its old colours are being read.
    Loading,
    /// Quads may be blended.
    Ready,
}

/// A tile inside the unit.
#[derive(Debug)]
pub(super) struct TileContext {
    /// Number on the screen.
    pub(super) tile: u32,
    pub(super) raster_done: bool,
    pub(super) in_early_z: u32,
    /// Quads that were let through and will be depth-tested late.
    pub(super) late_pending: u32,
    /// Quads in the fragment queue.
    pub(super) queued: u32,
    /// Warps of the tile that run.
    pub(super) warps: u32,
    /// Quads given to the cores and not yet blended.
    pub(super) unblended: u32,
    /// Quads ready to be blended: warp under way and number in it.
    pub(super) blend_ready: VecDeque<(u32, u8)>,
    pub(super) blended_until: Cycles,
    pub(super) color: ColorBuffer,
    /// Lines to load, then lines to flush.
    pub(super) walk: LineWalk,
    /// Lines requested and not there.
    pub(super) loading: Vec<u64>,
    /// When its first warp was dispatched.
    pub(super) fragment_start: Option<Cycles>,
}

/// Owners of the stages, and the tiles that are somewhere in the unit.
#[derive(Debug, Default)]
pub(super) struct Tiles {
    contexts: VecDeque<TileContext>,
    /// Number of the next tile to come.
    pub(super) next: u32,
    pub(super) early_z: u32,
    pub(super) fragment: u32,
    pub(super) blend: u32,
    /// The oldest tile that is not wholly flushed: the front of `contexts`.
    pub(super) flush: u32,
    /// Kept for their allocations.
    spare: Vec<VecDeque<(u32, u8)>>,
}

impl Tiles {
    /// A tile enters the unit.
    pub(super) fn begin(&mut self, tile: u32) -> u32 {
        let number = self.next;
        self.next += 1;
        self.contexts.push_back(TileContext {
            tile,
            raster_done: false,
            in_early_z: 0,
            late_pending: 0,
            queued: 0,
            warps: 0,
            unblended: 0,
            blend_ready: self.spare.pop().unwrap_or_default(),
            blended_until: Cycles::ZERO,
            color: ColorBuffer::None,
            walk: LineWalk::default(),
            loading: Vec::new(),
            fragment_start: None,
        });
        number
    }

    /// The tile of this number, which must be inside.
    pub(super) fn get(&mut self, number: u32) -> &mut TileContext {
        &mut self.contexts[(number - self.flush) as usize]
    }

    /// The owner of a stage, if it has come.
    pub(super) fn owner(&mut self, stage: u32) -> Option<&mut TileContext> {
        self.contexts.get_mut((stage - self.flush) as usize)
    }

    /// The oldest tile is flushed and leaves.
    pub(super) fn end(&mut self) -> Option<TileContext> {
        let mut context = self.contexts.pop_front()?;
        self.flush += 1;
        self.spare.push(std::mem::take(&mut context.blend_ready));
        Some(context)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.contexts.is_empty()
    }

    /// Moves early depth test and fragment stage on to their next tiles where the owners have left; returns the tile number
    /// on the screen and the start of a tile that left the fragment stage.
    pub(super) fn advance(&mut self) -> (bool, Option<(u32, Cycles)>) {
        let mut moved = false;
        let stage = self.early_z;
        if let Some(owner) = self.owner(stage)
            && owner.raster_done
            && owner.in_early_z == 0
            && owner.late_pending == 0
        {
            self.early_z += 1;
            moved = true;
        }
        let (stage, before) = (self.fragment, self.early_z);
        if stage < before
            && let Some(owner) = self.owner(stage)
            && owner.queued == 0
            && owner.warps == 0
        {
            let left = owner.fragment_start.map(|start| (owner.tile, start));
            self.fragment += 1;
            return (true, left);
        }
        (moved, None)
    }
}
