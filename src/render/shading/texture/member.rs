//! One texture of a group: what its texels become.

use super::filter::{Channels, accumulate, full_scale};
use super::footprint::LevelFootprint;
use crate::scene::TextureImage;
use crate::simd::{Lanes, each};

/// One texture of a group.
#[derive(Debug, Clone)]
pub(super) struct GroupTexture<'a> {
    /// Where its colour goes; also its name for the recorder.
    pub(super) slot: u8,
    /// What is sampled.
    pub(super) image: &'a TextureImage,
    /// Channels that the program reads; the others are undefined.
    pub(super) channels: Channels,
}

impl GroupTexture<'_> {
    /// Adds the weighted texels of a footprint.
    #[inline(always)]
    pub(super) fn filter<L: Lanes>(
        &self,
        l: L,
        footprint: &LevelFootprint<L>,
        texels: [L::I; 4],
        mut sums: [L::F; 4],
    ) -> [L::F; 4] {
        accumulate(
            l,
            self.image.encoding,
            self.channels,
            texels,
            &footprint.weights,
            &mut sums,
        );
        sums
    }

    #[inline(always)]
    pub(super) fn normalized<L: Lanes>(&self, l: L, sums: [L::F; 4]) -> [L::F; 4] {
        let white = full_scale(self.image.encoding);
        each!(4, k => sums[k] * l.f(1.0 / white[k]))
    }
}
