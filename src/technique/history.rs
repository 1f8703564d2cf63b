//! Digests of the tiles of earlier frames, as a Signature Buffer keeps them: for techniques that compare a tile with the
//! contents of its frame buffer.

use std::collections::VecDeque;

use azulejo_grid::{TileGrid, TileId};
use azulejo_trace::{FrameTrace, TargetTexture, TextureInfo, TileDigests};
use azulejo_units::Bytes;

/// Tile digests of the last frames, back to the one that used the same frame buffer before.
#[derive(Debug, Clone, Default)]
pub(super) struct TileHistory {
    /// The current frame's at the end; those of the frame in the same buffer at the front, if the history goes so far.
    frames: VecDeque<Option<Vec<TileDigests>>>,
    grid: Option<TileGrid>,
    /// Texture that frames draw to, and its part; none for a frame buffer.
    target: Option<(TextureInfo, u32)>,
    buffers: u32,
}

/// Whether a pass before the last draws to the texture of a target of the last.
fn draws_before(frame: &FrameTrace, target: TargetTexture) -> bool {
    let texture = |pass: &FrameTrace, target: TargetTexture| {
        let texture = pass.textures.get(target.texture.0 as usize);
        texture.cloned()
    };
    let drawn = texture(frame, target);
    let is_drawn = |pass: &FrameTrace| {
        let mut targets = pass.targets.iter().filter_map(|target| target.texture);
        targets.any(|target| texture(pass, target) == drawn)
    };
    frame.before.iter().any(is_drawn)
}

impl TileHistory {
    /// Begins a frame, whose last pass is compared. With several targets in memory (section III-E), or one that another pass
    /// of the frame draws to, tiles are not comparable.
    pub(super) fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32) {
        if self.grid.replace(frame.grid) != Some(frame.grid) {
            self.frames.clear();
        }
        let mut kept = frame.targets.iter().filter(|target| target.store);
        let texture = kept.next().and_then(|target| target.texture);
        let target = texture.and_then(|place| {
            let texture = frame.textures.get(place.texture.0 as usize)?;
            Some((texture.clone(), place.first_block))
        });
        if self.target != target {
            self.frames.clear();
            self.target = target;
        }
        let comparable = kept.next().is_none() && !texture.is_some_and(|t| draws_before(frame, t));
        // A texture is one buffer, however many the display has.
        self.buffers = texture.map_or(frame_buffers.max(1), |_| 1);
        let digests = || frame.tiles.iter().map(|tile| tile.digests).collect();
        self.frames.push_back(comparable.then(digests));
        while self.frames.len() > self.buffers as usize + 1 {
            self.frames.pop_front();
        }
    }

    /// The tile's digests when its frame buffer was last written; none if that is not known.
    pub(super) fn before(&self, tile: TileId) -> Option<TileDigests> {
        if self.frames.len() <= self.buffers as usize || self.frames.back()?.is_none() {
            return None;
        }
        let frame = self.frames.front()?.as_ref()?;
        frame.get(tile.0 as usize).copied()
    }

    /// A Signature Buffer that holds a signature of four bytes for each tile of `sets` frames.
    pub(super) fn signature_buffer(&self, sets: u32) -> Bytes {
        let n_tiles = self.grid.map_or(0, |grid| u64::from(grid.n_tiles()));
        Bytes(4 * n_tiles * u64::from(sets))
    }

    /// Frame buffers that frames take in turn.
    pub(super) const fn buffers(&self) -> u32 {
        self.buffers
    }
}
