//! Axes with their ticks, and names below them: level where there is room, else slanted.

use std::ops::Range;

use super::scale::Scale;
use super::svg::{Anchor, Drawing, LETTER, Point, at};

/// Distance of the unit above an upright axis, pixels: the number of a bar that reaches the top has room below.
const UNIT_ABOVE: f64 = 20.0;
/// Pixels between a legend and the plot below it.
pub(super) const BELOW_LEGEND: f64 = 32.0;

/// Draws level lines over `across` pixels with their values on the left, and the unit above; `y` places a value.
pub(super) fn upright(
    drawing: &mut Drawing,
    scale: &Scale,
    unit: &str,
    across: Range<f64>,
    y: &dyn Fn(f64) -> f64,
) {
    drawing.text(
        at(0.0, y(scale.high) - UNIT_ABOVE),
        Anchor::Start,
        "muted",
        unit,
    );
    for tick in scale.ticks() {
        let level = y(tick);
        drawing.line(at(across.start, level), at(across.end, level), class(tick));
        let words = at(across.start - 6.0, level + 4.0);
        drawing.text(words, Anchor::End, "muted", &scale.label(tick));
    }
}

/// Draws upright lines over `along` pixels; `x` places a value.
pub(super) fn lying(
    drawing: &mut Drawing,
    scale: &Scale,
    along: Range<f64>,
    x: &dyn Fn(f64) -> f64,
) {
    for tick in scale.ticks() {
        let place = x(tick);
        drawing.line(at(place, along.start), at(place, along.end), class(tick));
    }
}

fn class(tick: f64) -> &'static str {
    if tick == 0.0 { "zero" } else { "grid" }
}

/// Layout of names below an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Names {
    /// Length of the longest in pixels.
    longest: f64,
    is_slanted: bool,
}

impl Names {
    /// Lays out `names` that have `room` pixels each.
    pub(super) fn of<'a>(names: impl Iterator<Item = &'a str>, room: f64) -> Self {
        let longest = names.map(|name| name.chars().count()).max();
        let longest = longest.unwrap_or(0) as f64 * LETTER;
        Self {
            longest,
            is_slanted: longest > room - 4.0,
        }
    }

    /// Whether the names have to stand askew.
    pub(super) const fn are_slanted(self) -> bool {
        self.is_slanted
    }

    /// Writes one name below a place of the axis.
    pub(super) fn write(&self, drawing: &mut Drawing, below: Point, class: &str, name: &str) {
        if self.is_slanted {
            drawing.slanted(at(below.x + 4.0, below.y + 14.0), class, name);
        } else {
            drawing.text(at(below.x, below.y + 17.0), Anchor::Middle, class, name);
        }
    }

    /// Height of the names in pixels.
    pub(super) fn height(&self) -> f64 {
        if self.is_slanted {
            20.0 + self.longest * 0.65
        } else {
            24.0
        }
    }
}
