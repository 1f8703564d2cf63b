//! The strip below a heat map: title and unit, the colour scale, its ends and the mean.

use super::{Bitmap, HeatMap, font, viridis};

const BACKGROUND: [u8; 4] = [0x18, 0x18, 0x1c, 0xff];
const INK: [u8; 4] = [0xe8, 0xe8, 0xe8, 0xff];

/// Widths from which on letters are twice as large.
const WIDE: u32 = 900;
/// Distance from the edges and between the lines, at scale 1.
const MARGIN: u32 = 5;
/// Height of the colour scale, at scale 1.
const BAR: u32 = 8;

/// The legend, as wide as the map.
pub(super) fn draw(map: &HeatMap) -> Bitmap {
    let width = map.grid.width;
    let scale = if width < WIDE { 1 } else { 2 };
    let margin = MARGIN * scale;
    let line = font::HEIGHT * scale;
    let height = 2 * line + BAR * scale + 4 * margin;
    let mut canvas = Canvas {
        bitmap: Bitmap {
            width,
            height,
            pixels: vec![BACKGROUND; width as usize * height as usize],
        },
        scale,
    };
    let right = width.saturating_sub(margin);
    canvas.text(margin, margin, &format!("{}: {}", map.title, map.unit));
    let bar_top = 2 * margin + line;
    canvas.bar(margin..right, bar_top..bar_top + BAR * scale);
    let low_line = height - margin - line;
    canvas.text(margin, low_line, "0");
    let mean = format!("mean {}  min {}", number(map.mean()), number(map.min()));
    let middle = (width / 2).saturating_sub(font::width(&mean, scale) / 2);
    canvas.text(middle, low_line, &mean);
    let max = number(map.max());
    let start = right.saturating_sub(font::width(&max, scale));
    canvas.text(start, low_line, &max);
    canvas.bitmap
}

/// Whole numbers as they are, others with two decimals.
fn number(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

struct Canvas {
    bitmap: Bitmap,
    scale: u32,
}

impl Canvas {
    /// A pixel; nothing happens outside.
    fn plot(&mut self, x: u32, y: u32, color: [u8; 4]) {
        if x < self.bitmap.width && y < self.bitmap.height {
            self.bitmap.pixels[(y * self.bitmap.width + x) as usize] = color;
        }
    }

    fn text(&mut self, left: u32, top: u32, text: &str) {
        font::draw(text, self.scale, |x, y| self.plot(left + x, top + y, INK));
    }

    /// The colour scale from low (left) to high.
    fn bar(&mut self, columns: std::ops::Range<u32>, rows: std::ops::Range<u32>) {
        let length = f64::from(columns.end.saturating_sub(columns.start + 1).max(1));
        for x in columns.clone() {
            let [r, g, b] = viridis(f64::from(x - columns.start) / length);
            for y in rows.clone() {
                self.plot(x, y, [r, g, b, 255]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::TileGrid;

    fn map(width: u32) -> HeatMap {
        HeatMap {
            grid: TileGrid {
                width,
                height: 8,
                tile_size: 8,
            },
            values: vec![1.0, 2.5],
            title: "quads".to_owned(),
            unit: "quads".to_owned(),
        }
    }

    #[test]
    fn legend_scale_runs_from_low_to_high() {
        let legend = draw(&map(200));
        let row = (legend.height / 2 * legend.width) as usize;
        let inside = |x: usize| &legend.pixels[row + x][..3];
        assert_eq!(inside(5), viridis(0.0), "left end");
        assert_eq!(inside(194), viridis(1.0), "right end");
    }

    #[test]
    fn legend_of_a_tiny_map_is_cut_off() {
        for width in [1, 3, 11] {
            let legend = draw(&map(width));
            let pixels = legend.width as usize * legend.height as usize;
            assert_eq!(legend.pixels.len(), pixels, "width {width}");
        }
    }

    #[test]
    fn legend_numbers_are_short() {
        assert_eq!(
            [3.0, 0.123].map(number),
            ["3", "0.12"],
            "decimals only where there are any"
        );
    }
}
