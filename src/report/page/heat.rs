//! Heat maps: a cell for each row and column, its colour by the value and the number in it, and a bar with the values of
//! the colours.
//!
//! If there are more columns than numbers fit beside each other, they go on below, in blocks; where even that is too many,
//! cells have no numbers, which the table below the chart has.

use std::ops::Range;

use super::chart::{Chart, Form, capital};
use super::svg::{Anchor, Area, Drawing, LETTER, Label, at, id};
use crate::heatmap::viridis;

/// Height of a cell with a number, pixels.
const CELL: f64 = 24.0;
/// Height of a cell without a number, pixels.
const BARE_CELL: f64 = 10.0;
/// Most blocks of columns below each other.
const MOST_BLOCKS: usize = 4;
/// Most rows whose cells have numbers.
const MOST_ROWS: usize = 48;
/// Height of the bar of colours, pixels.
const BAR: f64 = 12.0;
/// Height of a line of text, pixels.
const LINE: f64 = 18.0;
/// Pieces of the bar, each of one colour.
const PIECES: u32 = 60;
/// Steps between the numbers below the bar.
const MARKS: u32 = 4;

/// Draws the map for pages of 640 pixels and more.
pub(super) fn wide(chart: &Chart) -> String {
    Map::of(chart, 920.0).draw("wide")
}

/// Draws the map for pages of 375 pixels.
pub(super) fn narrow(chart: &Chart) -> String {
    Map::of(chart, 340.0).draw("narrow")
}

/// Range of values, from which colours are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Span {
    low: f64,
    high: f64,
}

impl Span {
    /// Range of all values of a chart.
    fn of(chart: &Chart) -> Self {
        let values = chart
            .rows
            .iter()
            .flat_map(|row| row.values.iter().flatten());
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(*value);
            high = high.max(*value);
        }
        match low <= high {
            true => Self { low, high },
            false => Self {
                low: 0.0,
                high: 0.0,
            },
        }
    }

    /// Position of a value from 0 to 1; half-way where all values are alike.
    fn share(self, value: f64) -> f64 {
        match self.high > self.low {
            true => (value - self.low) / (self.high - self.low),
            false => 0.5,
        }
    }
}

/// Layout of a chart with the places of its cells.
struct Map<'a> {
    chart: &'a Chart,
    /// Names of rows and columns.
    down: &'a str,
    across: &'a str,
    span: Span,
    width: f64,
    /// Width of the rows' names in pixels.
    left: f64,
    /// Number of columns beside each other.
    columns: usize,
    cell_width: f64,
    cell_height: f64,
    has_numbers: bool,
}

impl<'a> Map<'a> {
    fn of(chart: &'a Chart, width: f64) -> Self {
        let (down, across) = match &chart.form {
            Form::Heat { down, across } => (down.as_str(), across.as_str()),
            _ => ("", ""),
        };
        let letters = |text: &str| text.chars().count() as f64 * LETTER;
        let names = chart.rows.iter().map(|row| letters(&row.name));
        let left = names.fold(letters(down), f64::max).min(0.4 * width) + 10.0;
        let cells = chart.rows.iter().flat_map(|row| &row.values);
        let cells = cells.map(|value| letters(&chart.unit.number(*value)));
        let heads = chart.columns.iter().map(|name| letters(name));
        let needed = cells.chain(heads).fold(0.0, f64::max) + 8.0;
        let n_columns = chart.columns.len().max(1);
        let fit = (((width - left) / needed) as usize).clamp(1, n_columns);
        let blocks = n_columns.div_ceil(fit);
        let has_numbers = blocks <= MOST_BLOCKS && chart.rows.len() <= MOST_ROWS;
        // Blocks of about equal length, so that the last is no lonely column.
        let columns = n_columns.div_ceil(if has_numbers { blocks } else { 1 });
        let most = if has_numbers { 3.0 * needed } else { width };
        Self {
            chart,
            down,
            across,
            span: Span::of(chart),
            width,
            left,
            columns,
            cell_width: ((width - left) / columns as f64).min(most),
            cell_height: if has_numbers { CELL } else { BARE_CELL },
            has_numbers,
        }
    }

    fn draw(&self, class: &str) -> String {
        let mut drawing = Drawing::default();
        let mut top = self.legend(&mut drawing);
        let columns = self.chart.columns.len();
        for first in (0..columns).step_by(self.columns) {
            top = self.block(&mut drawing, first..columns.min(first + self.columns), top);
        }
        let label = Label {
            id: &format!("{}-{class}", id(&self.chart.id)),
            class,
            title: &self.chart.title,
            description: &self.chart.words(),
        };
        drawing.finish(label, self.width, top)
    }

    /// Draws the colours from the least to the greatest value, with numbers and unit; returns their lower end.
    fn legend(&self, drawing: &mut Drawing) -> f64 {
        let (Span { low, high }, unit) = (self.span, &self.chart.unit);
        let length = self.width.min(360.0);
        drawing.text(at(0.0, 12.0), Anchor::Start, "muted", &unit.axis);
        let piece = length / f64::from(PIECES);
        for number in 0..PIECES {
            let is_last = number + 1 == PIECES;
            let area = Area {
                x: f64::from(number) * piece,
                y: LINE,
                // Below the next one, so that no seam is seen.
                width: if is_last { piece } else { piece + 0.5 },
                height: BAR,
            };
            let share = (f64::from(number) + 0.5) / f64::from(PIECES);
            drawing.colored(area, viridis(share), "");
        }
        let numbers = LINE + BAR + 14.0;
        for mark in 0..=MARKS {
            let share = f64::from(mark) / f64::from(MARKS);
            let anchor = match mark {
                0 => Anchor::Start,
                MARKS => Anchor::End,
                _ => Anchor::Middle,
            };
            let words = unit.number(Some(low + share * (high - low)));
            drawing.text(at(share * length, numbers), anchor, "muted small", &words);
        }
        numbers + 1.5 * LINE
    }

    /// Draws columns of a range with their names, and all rows; returns their lower end.
    fn block(&self, drawing: &mut Drawing, block: Range<usize>, top: f64) -> f64 {
        let (first, names) = (at(self.left, top), top + LINE);
        drawing.text(first, Anchor::Start, "muted", self.across);
        drawing.text(at(0.0, names), Anchor::Start, "muted", self.down);
        let top = names + 6.0;
        let every = self.columns_a_name();
        for (place, column) in block.clone().enumerate().step_by(every) {
            let x = self.left + (place as f64 + 0.5) * self.cell_width;
            drawing.text(at(x, names), Anchor::Middle, "", self.chart.column(column));
        }
        let every = (14.0 / self.cell_height).ceil() as usize;
        for (number, row) in self.chart.rows.iter().enumerate() {
            let y = top + number as f64 * self.cell_height;
            if number % every == 0 {
                let end = at(self.left - 8.0, y + self.cell_height / 2.0 + 4.0);
                drawing.text(end, Anchor::End, "", &row.name);
            }
            for (place, column) in block.clone().enumerate() {
                let area = Area {
                    x: self.left + place as f64 * self.cell_width,
                    y,
                    width: self.cell_width,
                    height: self.cell_height,
                };
                self.cell(drawing, area, number, column);
            }
        }
        top + self.chart.rows.len() as f64 * self.cell_height + 1.5 * LINE
    }

    /// Number of columns for each one that has its name above it.
    fn columns_a_name(&self) -> usize {
        let lengths = self.chart.columns.iter().map(|name| name.chars().count());
        let room = lengths.max().unwrap_or(0) as f64 * LETTER + 8.0;
        (room / self.cell_width).ceil().max(1.0) as usize
    }

    /// Draws a cell; one that was not measured has no colour.
    fn cell(&self, drawing: &mut Drawing, area: Area, row: usize, column: usize) {
        let (chart, unit) = (self.chart, &self.chart.unit);
        let row = &chart.rows[row];
        let value = row.values.get(column).copied().flatten();
        let (down, across) = (capital(self.down), self.across);
        let (of_column, words) = (chart.column(column), unit.value(value));
        let tip = format!("{down} {}, {across} {of_column}: {words}", row.name);
        let class = if let Some(value) = value {
            let color = viridis(self.span.share(value));
            drawing.colored(area, color, &tip);
            if is_light(color) { "black" } else { "white" }
        } else {
            drawing.area(area, "band", &tip);
            "muted"
        };
        if self.has_numbers {
            let middle = at(area.x + area.width / 2.0, area.y + area.height / 2.0 + 4.0);
            drawing.text(middle, Anchor::Middle, class, &unit.number(value));
        }
    }
}

/// Whether black is read more easily on it than white: by the relative luminance of WCAG 2.2, at which both contrasts are
/// alike.
fn is_light([r, g, b]: [u8; 3]) -> bool {
    const EVEN: f64 = 0.179;
    let linear = |channel: u8| {
        let encoded = f64::from(channel) / 255.0;
        match encoded <= 0.040_45 {
            true => encoded / 12.92,
            false => ((encoded + 0.055) / 1.055).powf(2.4),
        }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) > EVEN
}
