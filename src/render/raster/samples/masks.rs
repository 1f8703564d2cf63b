//! Which samples of a block are set.

/// Samples of a pixel with MSAA.
pub(super) const SAMPLES: usize = 4;

/// A bit a pixel of a block, by sample.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SampleMasks(pub [u16; SAMPLES]);

impl SampleMasks {
    /// Pixels of which any sample is set.
    #[must_use]
    pub const fn pixels(self) -> u16 {
        let [a, b, c, d] = self.0;
        a | b | c | d
    }

    /// Samples that are set.
    #[must_use]
    pub const fn count(self) -> u32 {
        let [a, b, c, d] = self.0;
        let (low, high) = (a as u32 | (b as u32) << 16, c as u32 | (d as u32) << 16);
        low.count_ones() + high.count_ones()
    }

    /// Pixels of which all samples are set.
    pub(super) const fn whole_pixels(self) -> u16 {
        let [a, b, c, d] = self.0;
        a & b & c & d
    }
}
