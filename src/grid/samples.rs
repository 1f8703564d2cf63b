//! Samples of a pixel: how many, and where they lie.

use std::fmt;

use azulejo_math::SUBPIXELS;

/// Samples that coverage and depth are tested at in each pixel. A fragment is shaded once, whatever their number.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(into = "u32", try_from = "u32")]
pub enum SampleCount {
    /// The pixel's centre: no anti-aliasing.
    #[default]
    One,
    /// Multi-sampling (MSAA) with four.
    Four,
}

/// The standard positions of four samples (Vulkan 1.3, 26.4 "Multisampling", table of standard sample locations): in a
/// pixel, in 1/256 of its edge.
const FOUR: [[i32; 2]; 4] = [[96, 32], [224, 96], [32, 160], [160, 224]];

impl SampleCount {
    /// Every sample count that is supported.
    pub const ALL: [Self; 2] = [Self::One, Self::Four];

    /// Whether there is one.
    #[must_use]
    pub const fn is_one(&self) -> bool {
        matches!(self, Self::One)
    }

    /// Number of samples a pixel.
    #[must_use]
    pub const fn get(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }

    /// Offsets of the samples from the pixel's centre, in sub-pixels.
    #[doc(hidden)]
    pub const fn offsets(self) -> &'static [[i32; 2]] {
        match self {
            Self::One => &[[0, 0]],
            Self::Four => &FOUR_OFFSETS,
        }
    }

    /// Bits of the number of columns of a pixel, each as far from the next, that samples lie in the middle of; rows alike.
    #[must_use]
    #[doc(hidden)]
    pub const fn column_bits(self) -> u32 {
        match self {
            Self::One => 0,
            Self::Four => 2,
        }
    }
}

/// Offsets of the four samples from the pixel's centre, in sub-pixels.
#[doc(hidden)]
pub const FOUR_OFFSETS: [[i32; 2]; 4] = {
    let mut offsets = FOUR;
    let mut sample = 0;
    while sample < 4 {
        offsets[sample][0] -= SUBPIXELS / 2;
        offsets[sample][1] -= SUBPIXELS / 2;
        sample += 1;
    }
    offsets
};

impl fmt::Display for SampleCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl From<SampleCount> for u32 {
    fn from(samples: SampleCount) -> Self {
        samples.get()
    }
}

/// A number of samples that nothing here draws with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} samples a pixel: expected 1 or 4")]
pub struct SampleCountError(pub u32);

impl TryFrom<u32> for SampleCount {
    type Error = SampleCountError;

    fn try_from(number: u32) -> Result<Self, SampleCountError> {
        let known = Self::ALL
            .into_iter()
            .find(|samples| samples.get() == number);
        known.ok_or(SampleCountError(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_lie_where_vulkan_has_them() {
        let standard = [
            [0.375, 0.125],
            [0.875, 0.375],
            [0.125, 0.625],
            [0.625, 0.875],
        ];
        for (offset, standard) in FOUR_OFFSETS.iter().zip(standard) {
            let place = offset.map(|part| f64::from(part) / f64::from(SUBPIXELS) + 0.5);
            assert_eq!(place, standard, "in pixels from the pixel's corner");
        }
    }

    #[test]
    fn samples_lie_in_the_middle_of_columns_and_rows_of_their_own() {
        for samples in SampleCount::ALL {
            let width = SUBPIXELS >> samples.column_bits();
            for axis in [0, 1] {
                let mut columns: Vec<i32> = (samples.offsets().iter())
                    .map(|offset| (offset[axis] + SUBPIXELS / 2 - width / 2) / width)
                    .collect();
                columns.sort_unstable();
                let all: Vec<i32> = (0..samples.get().cast_signed()).collect();
                assert_eq!(columns, all, "{samples:?}, axis {axis}");
                let middle =
                    |offset: &[i32; 2]| (offset[axis] + SUBPIXELS / 2) % width == width / 2;
                assert!(samples.offsets().iter().all(middle), "{samples:?}");
            }
        }
    }

    #[test]
    fn samples_are_one_or_four() {
        assert_eq!(SampleCount::try_from(4), Ok(SampleCount::Four));
        let error = SampleCount::try_from(2).unwrap_err();
        assert_eq!(error.to_string(), "2 samples a pixel: expected 1 or 4");
    }
}
