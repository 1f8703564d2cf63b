//! Canvas to write and draw on: pixels, letters, other pictures.

use super::bitmap::Bitmap;
use super::font;

/// Colour behind letters, RGBA.
pub const BACKGROUND: [u8; 4] = [0x18, 0x18, 0x1c, 0xff];
const INK: [u8; 4] = [0xe8, 0xe8, 0xe8, 0xff];

/// Bitmap under construction; drawing outside is cut off.
#[derive(Debug)]
pub struct Canvas {
    /// Pixels drawn so far.
    pub bitmap: Bitmap,
    /// Pixels of the bitmap for a glyph's pixel, along each axis.
    scale: u32,
}

impl Canvas {
    /// Returns a canvas of one colour.
    pub fn new(width: u32, height: u32, color: [u8; 4], scale: u32) -> Self {
        Self {
            bitmap: Bitmap {
                width,
                height,
                pixels: vec![color; width as usize * height as usize],
            },
            scale,
        }
    }

    /// Colours one pixel; does nothing beyond the edges.
    pub fn plot(&mut self, x: u32, y: u32, color: [u8; 4]) {
        if x < self.bitmap.width && y < self.bitmap.height {
            let at = y as usize * self.bitmap.width as usize + x as usize;
            self.bitmap.pixels[at] = color;
        }
    }

    /// Draws a line of text with this upper left corner.
    pub fn text(&mut self, left: u32, top: u32, text: &str) {
        font::draw(text, self.scale, |x, y| self.plot(left + x, top + y, INK));
    }

    /// Draws rows of `width` pixels with this upper left corner, each pixel a square of `edge` pixels.
    pub fn enlarged(&mut self, [left, top]: [u32; 2], pixels: &[[u8; 4]], width: u32, edge: u32) {
        for (at, color) in (0..).zip(pixels) {
            let (x, y) = (left + at % width * edge, top + at / width * edge);
            for dot in 0..edge * edge {
                self.plot(x + dot % edge, y + dot / edge, *color);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canvas_cuts_off_what_lies_outside() {
        let mut canvas = Canvas::new(4, 3, [0; 4], 1);
        canvas.enlarged([2, 1], &[[1; 4], [2; 4]], 1, 2);
        let rows: Vec<Vec<u8>> = (canvas.bitmap.pixels.chunks(4))
            .map(|row| row.iter().map(|pixel| pixel[0]).collect())
            .collect();
        assert_eq!(
            rows,
            [[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]],
            "the second pixel lies below"
        );
    }
}
