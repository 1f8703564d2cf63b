//! Screen coordinates in fixed point: whole sub-pixels, so that edge tests are exact.

/// Bits below the pixel (Vulkan's `subPixelPrecisionBits`).
pub const SUBPIXEL_BITS: u32 = 8;

/// Sub-pixel steps in one pixel.
pub const SUBPIXELS: i32 = 1 << SUBPIXEL_BITS;

/// One screen coordinate in 1/256 pixel; pixel centres lie at odd multiples of 128.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    bytemuck::Pod,
    bytemuck::Zeroable,
)]
#[repr(transparent)]
pub struct Subpixel(pub i32);

impl Subpixel {
    /// The sub-pixel step nearest to `px` (ties to even). `px` must lie within the guard band, ±32768.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the guard band keeps the product within 24 bits"
    )]
    pub fn from_px(px: f32) -> Self {
        Self((px * SUBPIXELS as f32).round_ties_even() as i32)
    }

    /// The coordinate in pixels.
    #[must_use]
    pub fn to_px(self) -> f32 {
        self.0 as f32 / SUBPIXELS as f32
    }

    /// The centre of pixel `px`.
    #[must_use]
    pub const fn pixel_centre(px: i32) -> Self {
        Self((px << SUBPIXEL_BITS) + SUBPIXELS / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subpixel_rounds_to_nearest_step() {
        assert_eq!(
            Subpixel::from_px(1.5),
            Subpixel(384),
            "halves are representable"
        );
        assert_eq!(
            Subpixel::from_px(-0.001),
            Subpixel(0),
            "a quarter of a step rounds to zero"
        );
        assert_eq!(
            Subpixel::pixel_centre(0),
            Subpixel(128),
            "the first pixel's centre is at .5"
        );
    }
}
