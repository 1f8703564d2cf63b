//! A tile's steps as one picture: the tile after each primitive that changed it, enlarged, colour above depth.

use super::tile_history::{TileHistory, TileState};
use azulejo_report::Bitmap;
use azulejo_report::canvas::{BACKGROUND, Canvas};

/// Room for a line of text, and between cells.
const GAP: u32 = 12;
/// Checkerboard behind transparent pixels: squares of two greys.
const CHECKS: [u8; 2] = [0x60, 0x80];

/// How a strip is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StripSettings {
    /// Edge of a tile's pixel in the strip.
    pub enlarge: u32,
    /// Most steps that are shown; of more, an even choice with the last.
    pub max_steps: usize,
    /// Steps in a row.
    pub columns: u32,
    /// Only steps with a fragment in this pixel of the tile, whatever became of it.
    pub only: Option<[u32; 2]>,
}

impl Default for StripSettings {
    fn default() -> Self {
        Self {
            enlarge: 4,
            max_steps: 24,
            columns: 6,
            only: None,
        }
    }
}

/// The tile after each of its steps that changed it, in program order; each labelled with its number and draw.
#[must_use]
pub fn tile_strip(history: &TileHistory, settings: &StripSettings) -> Bitmap {
    let shown = shown_steps(history, settings);
    let [width, height] = history.size;
    let edge = settings.enlarge.clamp(1, 64);
    let columns = settings.columns.clamp(1, 64).min(shown.len().max(1) as u32);
    let cell = [
        (width * edge).max(13 * 6) + GAP,
        2 * height * edge + GAP * 2,
    ];
    let rows = (shown.len().max(1) as u32).div_ceil(columns);
    let size = [columns * cell[0] + GAP, rows * cell[1] + GAP];
    let mut canvas = Canvas::new(size[0], size[1], BACKGROUND, 1);
    let mut state = history.after(0);
    let mut done = 0;
    let depths = DepthRange::of(history);
    for (nth, number) in (0..).zip(shown) {
        history.steps[done..=number]
            .iter()
            .for_each(|step| state.apply(step));
        done = number + 1;
        let (left, top) = (GAP + nth % columns * cell[0], GAP + nth / columns * cell[1]);
        let label = format!("{number}: draw {}", history.steps[number].of.draw);
        canvas.text(left, top, &label);
        let top = top + GAP;
        canvas.enlarged([left, top], &over_checks(history, &state), width, edge);
        let below = top + height * edge;
        canvas.enlarged([left, below], &depth_pixels(&state, depths), width, edge);
    }
    canvas.bitmap
}

/// Numbers of the steps that matter, thinned out.
fn shown_steps(history: &TileHistory, settings: &StripSettings) -> Vec<usize> {
    let matters = |number: &usize| {
        let mut fragments = history.steps[*number].fragments.iter();
        fragments.any(|fragment| match settings.only {
            Some(pixel) => fragment.at.map(u32::from) == pixel,
            None => fragment.outcome.survived(),
        })
    };
    let all: Vec<usize> = (0..history.steps.len()).filter(matters).collect();
    let max_steps = settings.max_steps.max(1);
    let n = all.len();
    if n <= max_steps {
        return all;
    }
    // The last of each of `max_steps` nearly equal parts.
    (1..=max_steps)
        .map(|part| all[part * n / max_steps - 1])
        .collect()
}

/// The pixels of a state on a checkerboard.
fn over_checks(history: &TileHistory, state: &TileState) -> Vec<[u8; 4]> {
    let pixels = (0..).zip(history.encode(state));
    pixels
        .map(|(at, [r, g, b, a])| {
            let (x, y) = (at % state.width, at / state.width);
            let check = CHECKS[((x / 4 + y / 4) % 2) as usize];
            let over = |channel: u8| {
                let (channel, check, a) = (u32::from(channel), u32::from(check), u32::from(a));
                ((channel * a + check * (255 - a) + 127) / 255) as u8
            };
            [over(r), over(g), over(b), 255]
        })
        .collect()
}

/// Nearest and farthest depth that any step leaves in the tile, the cleared depth left out.
#[derive(Debug, Clone, Copy)]
struct DepthRange {
    near: f32,
    far: f32,
}

impl DepthRange {
    fn of(history: &TileHistory) -> Self {
        let fragments = history.steps.iter().flat_map(|step| &step.fragments);
        let depths = fragments
            .map(|fragment| fragment.depth_after)
            .filter(|depth| *depth < 1.0);
        let empty = Self {
            near: 1.0,
            far: 0.0,
        };
        depths.fold(empty, |range, depth| Self {
            near: depth.min(range.near),
            far: depth.max(range.far),
        })
    }
}

/// Near is light, far is dark, nothing is black.
fn depth_pixels(state: &TileState, DepthRange { near, far }: DepthRange) -> Vec<[u8; 4]> {
    let grey = |depth: &f32| {
        if *depth >= 1.0 {
            return [0, 0, 0, 255];
        }
        let share = (far - depth) / (far - near).max(1e-9);
        let light = (40.0 + 215.0 * share.clamp(0.0, 1.0)) as u8;
        [light, light, light, 255]
    };
    state.depths.iter().map(grey).collect()
}
