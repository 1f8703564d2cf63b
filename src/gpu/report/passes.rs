//! Passes of a frame: the time, the traffic and the attachments of each.

use serde::Serialize;

use super::interval::Interval;
use super::statistics::TileCost;
use azulejo_grid::{SampleCount, TileGrid, TileId};
use azulejo_trace::{FrameTrace, TargetInfo};
use azulejo_units::{Bytes, Cycles};

/// One pass of a frame that has several.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassReport {
    /// Name of the pass; `frame` where it has none.
    pub name: String,
    /// Size of its targets and of its tiles in pixels; no pixels of a compute pass.
    pub grid: TileGrid,
    /// Samples of a pixel.
    pub samples: SampleCount,
    /// Bytes of a pixel in the tile buffers.
    pub pixel_bytes: u32,
    /// Cycles from its first command to its last tile.
    pub cycles: Cycles,
    /// Cycles until its last list entry was written.
    pub geometry_cycles: Cycles,
    /// Activity while it ran; it starts so many cycles behind the frame's first command. Lines that caches hold back at its
    /// end go to the DRAM in a later pass.
    pub activity: Interval,
    /// Its attachments as memory sees them.
    pub targets: Vec<TargetReport>,
    /// Its draws or dispatches, in [`FrameReport::draws`](crate::FrameReport::draws): the first of them, and how many.
    pub draws: [usize; 2],
    /// Cost of each of its tiles, by [`azulejo_grid::TileId`].
    #[serde(skip)]
    pub tiles: Vec<TileCost>,
}

impl PassReport {
    /// Whether it is a compute pass: it has no pixels, and its draws are dispatches.
    #[must_use]
    pub const fn is_compute(&self) -> bool {
        self.grid.width == 0
    }
}

/// One attachment of a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TargetReport {
    /// Texture that it is part of, or `frame buffer`.
    pub name: String,
    /// Size of a pixel in memory, bytes.
    pub bytes_per_pixel: u32,
    /// Bytes that tiles began with.
    pub loaded: Bytes,
    /// Bytes that tiles left in memory; 0 of a transient attachment.
    pub stored: Bytes,
}

impl TargetReport {
    /// Attachments of a pass whose tiles cost this much: what a technique left out is neither loaded nor stored.
    pub(crate) fn of_pass(trace: &FrameTrace, tiles: &[TileCost]) -> Vec<Self> {
        let (mut drawn, mut flushed) = (0, 0);
        for (id, cost) in (0..).map(TileId).zip(tiles) {
            let area = trace.grid.rect(id).area();
            drawn += if cost.skipped { 0 } else { area };
            flushed += if cost.skipped || cost.flush_skipped {
                0
            } else {
                area
            };
        }
        let report = |target: &TargetInfo| {
            let bytes = |pixels: u64, wanted| {
                Bytes(if wanted { pixels } else { 0 } * u64::from(target.bytes_per_pixel))
            };
            let texture = target.texture.map(|place| place.texture.0 as usize);
            let texture = texture.and_then(|texture| trace.textures.get(texture));
            Self {
                name: texture.map_or("frame buffer".to_owned(), |texture| texture.name.clone()),
                bytes_per_pixel: target.bytes_per_pixel,
                loaded: bytes(drawn, target.load),
                stored: bytes(flushed, target.store),
            }
        };
        trace.targets.iter().map(report).collect()
    }
}
