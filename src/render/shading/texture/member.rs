//! One texture of a group: from texels to colours.

use super::filter::{Channels, accumulate, full_scale};
use super::footprint::{LevelFootprint, SampleFootprint};
use azulejo_scene::TextureImage;
use azulejo_simd::{Lanes, each};

/// One texture of a group.
#[derive(Debug, Clone)]
pub(super) struct GroupTexture<'a> {
    /// Slot of its colour; also its name for the recorder.
    pub(super) slot: u8,
    /// Image whose texels are sampled.
    pub(super) image: &'a TextureImage,
    /// Channels that the program reads; the others are undefined.
    pub(super) channels: Channels,
}

impl GroupTexture<'_> {
    /// The colour at a footprint of four texels a level.
    #[inline(always)]
    pub(super) fn filtered<L: Lanes>(&self, l: L, footprint: &SampleFootprint<L>) -> [L::F; 4] {
        let SampleFootprint { first, second, .. } = footprint;
        let texels = self.image.texels();
        let near = l.fetch(texels, &first.texels);
        let far = second.as_ref().map(
            #[inline(always)]
            |level| (level, l.fetch(texels, &level.texels)),
        );
        let mut sums = [l.f(0.0); 4];
        self.add::<L, 4>(l, first, near, &mut sums);
        if let Some((level, far)) = far {
            self.add::<L, 4>(l, level, far, &mut sums);
        }
        self.normalized(l, sums)
    }

    /// Colour where no lane filters within a level.
    #[inline(always)]
    pub(super) fn nearest<L: Lanes>(&self, l: L, footprint: &SampleFootprint<L>) -> [L::F; 4] {
        let mut sums = [l.f(0.0); 4];
        let (mut level, mut next) = (footprint.first, footprint.second);
        loop {
            let texel = l.gather(self.image.texels(), level.texels[0]);
            self.add::<L, 1>(l, &level, [texel; 4], &mut sums);
            match next.take() {
                Some(second) => level = second,
                None => break,
            }
        }
        self.normalized(l, sums)
    }

    /// Adds the weighted texels of a level; see [`accumulate`].
    #[inline(always)]
    fn add<L: Lanes, const TAPS: usize>(
        &self,
        l: L,
        level: &LevelFootprint<L>,
        texels: [L::I; 4],
        sums: &mut [L::F; 4],
    ) {
        let (encoding, channels) = (self.image.encoding, self.channels);
        accumulate::<L, TAPS>(l, encoding, channels, texels, &level.weights, sums);
    }

    #[inline(always)]
    pub(super) fn normalized<L: Lanes>(&self, l: L, sums: [L::F; 4]) -> [L::F; 4] {
        let white = full_scale(self.image.encoding);
        each!(4, k => sums[k] * l.f(1.0 / white[k]))
    }
}
