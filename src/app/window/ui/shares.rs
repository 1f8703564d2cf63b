//! Shares of the window: bar and inspector below, the short overlay as a strip above, the full overlay to the left, tiles
//! and keys to the right, and the picture in what they leave. Nothing covers anything. A window too narrow for two
//! sides has both on the right one, the overlay below; one too narrow for a column has the full overlay above, too.

use super::overlay;
use crate::window::state::{Overlay, State};

/// Width of the right side with tiles, and with keys, points.
const TILES: f32 = 282.0;
const KEYS: f32 = 360.0;
/// Part of a narrow window's width that is kept for the picture.
const PICTURE_SHARE: f32 = 0.4;

/// Widths of the sides in points, 0 where there is nothing to show.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Shares {
    /// Width of the side with the full overlay.
    pub(super) left: f32,
    /// Width of the side with tiles and keys.
    pub(super) right: f32,
    /// Columns of the overlay, from 1 on.
    pub(super) columns: usize,
    /// Whether the overlay stands on the right side, below what else is there.
    pub(super) is_overlay_right: bool,
}

impl Shares {
    /// Shares of a window that is `width` points wide; the overlay's parts fill `parts` columns at most.
    pub(super) fn new(width: f32, state: &State, parts: usize) -> Self {
        let is_overlay = state.overlay == Overlay::Full && !overlay::is_small(width);
        let wanted = match (state.help, state.tiles.on) {
            (true, _) => KEYS,
            (false, true) => TILES,
            (false, false) => 0.0,
        };
        let room = width - overlay::PICTURE.min(PICTURE_SHARE * width);
        let right = wanted.min(room);
        let left_room = room - right;
        let fitting = (left_room / overlay::COLUMN).floor() as usize;
        // One for each part where the picture keeps half of the window, else two parts in one if that fits.
        let spare = (0.5 * width / overlay::COLUMN).floor() as usize;
        let columns = spare.max(fitting.min(parts - 1)).clamp(1, parts);
        let is_overlay_right = is_overlay && fitting == 0 && right > 0.0;
        let left = match is_overlay && !is_overlay_right {
            true => (columns as f32 * overlay::COLUMN).min(left_room),
            false => 0.0,
        };
        Self {
            left,
            right,
            columns,
            is_overlay_right,
        }
    }
}
