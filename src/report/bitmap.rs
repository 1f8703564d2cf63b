//! Bitmaps that reports draw: heat maps, legends, strips of tiles.

/// sRGB-encoded pixels, rows from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmap {
    /// Width of a row in pixels.
    pub width: u32,
    /// Number of rows, in pixels.
    pub height: u32,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 4]>,
}
