//! Legend as the strip below a map: title and unit, the colour scale, and the meaning of its ends.

use super::color_map::viridis;
use crate::Bitmap;
use crate::canvas::{BACKGROUND, Canvas};
use crate::font;

/// Widths from which on letters are twice as large.
const WIDE: u32 = 900;
/// Distance from the edges and between the lines, at scale 1.
const MARGIN: u32 = 5;
/// Height of the colour scale, at scale 1.
const BAR: u32 = 8;

/// Contents of a legend.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Legend {
    /// Shown quantity, with its unit.
    pub title: String,
    /// Text under the low (left), the middle and the high end of the colour scale; `None` where colours are mere names.
    pub scale: Option<[String; 3]>,
    /// Names of colours, where there are few.
    pub kinds: Vec<Swatch>,
}

/// Colour with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swatch {
    /// Colour in sRGB encoding.
    pub color: [u8; 3],
    /// Name of the kind in this colour.
    pub name: String,
}

impl Legend {
    /// Draws the legend as a strip of this width.
    #[must_use]
    pub fn draw(&self, width: u32) -> Bitmap {
        let scale = if width < WIDE { 1 } else { 2 };
        let (margin, line) = (MARGIN * scale, font::HEIGHT * scale);
        let below = match (&self.scale, self.kinds.as_slice()) {
            (Some(_), _) => 2 * margin + line + BAR * scale,
            (None, []) => 0,
            (None, _) => margin + line,
        };
        let mut canvas = Canvas::new(width, 2 * margin + line + below, BACKGROUND, scale);
        canvas.text(margin, margin, &self.title);
        match &self.scale {
            Some(ends) => draw_scale(&mut canvas, ends, scale),
            None => draw_kinds(&mut canvas, &self.kinds, scale),
        }
        canvas.bitmap
    }
}

/// Draws the colour scale below the title, with the meaning of its ends.
fn draw_scale(canvas: &mut Canvas, [low, middle, high]: &[String; 3], scale: u32) {
    let (margin, line) = (MARGIN * scale, font::HEIGHT * scale);
    let Bitmap { width, height, .. } = canvas.bitmap;
    let right = width.saturating_sub(margin);
    let bar_top = 2 * margin + line;
    bar(canvas, margin..right, bar_top..bar_top + BAR * scale);
    let low_line = height - margin - line;
    canvas.text(margin, low_line, low);
    let centred = (width / 2).saturating_sub(font::width(middle, scale) / 2);
    canvas.text(centred, low_line, middle);
    canvas.text(
        right.saturating_sub(font::width(high, scale)),
        low_line,
        high,
    );
}

/// Draws squares of the colours below the title, each with its name.
fn draw_kinds(canvas: &mut Canvas, kinds: &[Swatch], scale: u32) {
    let (margin, edge) = (MARGIN * scale, font::HEIGHT * scale);
    let (mut left, top) = (margin, 2 * margin + edge);
    for Swatch {
        color: [r, g, b],
        name,
    } in kinds
    {
        canvas.enlarged([left, top], &[[*r, *g, *b, 255]], 1, edge);
        canvas.text(left + edge + margin, top, name);
        left += edge + font::width(name, scale) + 3 * margin;
    }
}

/// Whole numbers as they are, others with two decimals.
#[must_use]
#[doc(hidden)]
pub fn short_number(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

/// Draws the colour scale from low (left) to high.
fn bar(canvas: &mut Canvas, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) {
    let length = f64::from(columns.end.saturating_sub(columns.start + 1).max(1));
    for x in columns.clone() {
        let [r, g, b] = viridis(f64::from(x - columns.start) / length);
        for y in rows.clone() {
            canvas.plot(x, y, [r, g, b, 255]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legend() -> Legend {
        Legend {
            title: "quads: quads".to_owned(),
            scale: Some(["0", "mean 1.75", "2.50"].map(str::to_owned)),
            kinds: Vec::new(),
        }
    }

    #[test]
    fn legend_of_kinds_shows_each_colour_before_its_name() {
        let swatch = |color, name: &str| Swatch {
            color,
            name: name.to_owned(),
        };
        let kinds = vec![swatch([200, 10, 10], "compute"), swatch([10, 200, 10], "m")];
        let legend = Legend {
            scale: None,
            kinds,
            ..legend()
        };
        let strip = legend.draw(200);
        let row = strip.pixels[(strip.height - MARGIN - 1) as usize * 200..].iter();
        let colored: Vec<usize> = (0..200)
            .zip(row)
            .filter(|(_, pixel)| pixel[0].abs_diff(pixel[1]) > 100)
            .map(|(x, _)| x)
            .collect();
        let second = 5 + 15 + font::HEIGHT as usize + font::width("compute", 1) as usize;
        let expected = (0..2).flat_map(|n| {
            let left = [5, second][n];
            left..left + font::HEIGHT as usize
        });
        assert_eq!(colored, expected.collect::<Vec<_>>(), "squares");
    }

    #[test]
    fn legend_scale_runs_from_low_to_high() {
        let legend = legend().draw(200);
        let row = (legend.height / 2 * legend.width) as usize;
        let inside = |x: usize| &legend.pixels[row + x][..3];
        assert_eq!(inside(5), viridis(0.0), "left end");
        assert_eq!(inside(194), viridis(1.0), "right end");
    }

    #[test]
    fn legend_of_a_tiny_map_is_cut_off() {
        for width in [1, 3, 11] {
            let legend = legend().draw(width);
            let pixels = legend.width as usize * legend.height as usize;
            assert_eq!(legend.pixels.len(), pixels, "width {width}");
        }
    }

    #[test]
    fn legend_without_a_scale_is_one_line() {
        let title = Legend {
            scale: None,
            ..legend()
        };
        let (short, long) = (title.draw(200), legend().draw(200));
        assert!(2 * short.height <= long.height, "a title alone");
    }

    #[test]
    fn legend_numbers_are_short() {
        assert_eq!(
            [3.0, 0.123].map(short_number),
            ["3", "0.12"],
            "decimals only where there are any"
        );
    }
}
