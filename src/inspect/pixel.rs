//! History of a pixel: every fragment in program order, the state before and after it, and why it cannot be seen.

use serde::Serialize;

use super::encode::encode;
use super::tile_history::{Outcome, StepTriangle, TileHistory, TileState};
use super::{OutsidePicture, tile_of_pixel};
use azulejo_grid::TileGrid;

/// A pixel of the tile buffers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PixelState {
    /// Colour buffer, linear premultiplied RGBA.
    pub color: [f32; 4],
    /// Colour as the picture would show it: sRGB-encoded RGBA8 with straight alpha.
    pub encoded: [u8; 4],
    /// 1 where nothing has been drawn.
    pub depth: f32,
}

/// A fragment that touched the pixel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PixelEvent {
    /// Position in the tile's list, from 0.
    pub step: usize,
    /// The triangle that touched the pixel.
    #[serde(flatten)]
    pub of: StepTriangle,
    /// Depth of the triangle here.
    pub depth: f32,
    /// Outcome of the fragment.
    pub outcome: Outcome,
    /// Output of the program, linear RGBA with straight alpha; `None` if it did not run.
    pub program_color: Option<[f32; 4]>,
    /// The pixel before the fragment.
    pub before: PixelState,
    /// The pixel after the fragment.
    pub after: PixelState,
    /// The event (position in [`PixelHistory::events`]) that replaced what this one had left; `None` for what can be seen
    /// and for what left nothing.
    pub replaced_by: Option<usize>,
}

/// History of one pixel in a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PixelHistory {
    /// Column and row in the picture.
    pub pixel: [u32; 2],
    /// Column and row of its tile.
    pub tile: [u32; 2],
    /// The pixel after the clear, before any fragment.
    pub cleared: PixelState,
    /// Fragments in program order.
    pub events: Vec<PixelEvent>,
    /// Final state in the picture: `after` of the last event.
    pub last: PixelState,
}

impl TileHistory {
    /// History of a pixel of the picture, which must lie in this tile.
    ///
    /// # Errors
    /// If it lies elsewhere.
    pub fn pixel(&self, x: u32, y: u32) -> Result<PixelHistory, OutsidePicture> {
        let grid: TileGrid = self.grid;
        if tile_of_pixel(grid, x, y)? != self.tile {
            return Err(OutsidePicture::Pixel { x, y, grid });
        }
        let at = [(x - self.origin[0]) as u8, (y - self.origin[1]) as u8];
        let cleared = TileState {
            width: 1,
            colors: vec![[0.0; 4]],
            depths: vec![1.0],
        };
        let mut now = self.pixel_state(cleared.colors[0], cleared.depths[0]);
        let mut history = PixelHistory {
            pixel: [x, y],
            tile: self.column_row,
            cleared: now,
            events: Vec::new(),
            last: now,
        };
        for (number, step) in self.steps.iter().enumerate() {
            let touched = step.fragments.iter().find(|fragment| fragment.at == at);
            let Some(fragment) = touched else { continue };
            let after = self.pixel_state(fragment.color_after, fragment.depth_after);
            history.events.push(PixelEvent {
                step: number,
                of: step.of.clone(),
                depth: fragment.depth,
                outcome: fragment.outcome,
                program_color: fragment.program_color,
                before: now,
                after,
                replaced_by: None,
            });
            now = after;
        }
        history.last = now;
        history.link();
        Ok(history)
    }

    fn pixel_state(&self, color: [f32; 4], depth: f32) -> PixelState {
        let encoded = encode(&[color], &self.transfer);
        PixelState {
            color,
            encoded: encoded.first().copied().unwrap_or_default(),
            depth,
        }
    }
}

impl PixelHistory {
    /// Fills in `replaced_by`, from the last event to the first.
    fn link(&mut self) {
        let mut replacer = None;
        for at in (0..self.events.len()).rev() {
            let event = &mut self.events[at];
            if !event.outcome.survived() {
                continue;
            }
            event.replaced_by = replacer;
            if event.outcome == Outcome::Written {
                replacer = Some(at);
            }
        }
    }
}

impl PixelEvent {
    /// Outcome of the fragment, in words.
    #[must_use]
    pub fn verdict(&self) -> String {
        match self.replaced_by {
            Some(by) => format!("{}, covered by event {by}", self.outcome.words()),
            None => self.outcome.words().to_owned(),
        }
    }
}
