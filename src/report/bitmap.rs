//! A picture that reports draw: heat maps, legends, strips of tiles.

/// sRGB-encoded pixels, rows from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmap {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `width * height` pixels.
    pub pixels: Vec<[u8; 4]>,
}
