//! Radiance behind surfaces that let light through: a pass that was drawn before, with smaller levels, as a texture.
//!
//! [`Behind`] is made with the draw list, filled when its pass has been drawn, and read by the programs of the pass after
//! it. Words are RGB9E5 in the layout of [`MipLevel`].

use std::sync::OnceLock;

use super::radiance_sum::RadianceSum;
use super::roughness::shown_of_roughness;
use super::texture::LevelShape;
use super::vector::Vector;
use azulejo_scene::{MipLevel, digest, level_table};
use azulejo_simd::Lanes;

/// A picture of radiance, with levels down to one texel.
#[derive(Debug)]
pub struct Behind {
    /// Layout of the mip levels, largest first.
    pub(crate) levels: Vec<MipLevel>,
    /// Words of all levels.
    pub(crate) n_words: usize,
    shape: LevelShape,
    drawn: OnceLock<Vec<u32>>,
    /// Digest of the drawn words, from its first use on.
    digest: OnceLock<u64>,
}

impl Behind {
    /// Target for pictures of `width` x `height` pixels; nothing is drawn yet.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        let (levels, n_words) = level_table(width.max(1), height.max(1));
        Self {
            shape: LevelShape::new(&levels),
            levels,
            n_words,
            drawn: OnceLock::new(),
            digest: OnceLock::new(),
        }
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        (self.levels.first()).map_or([1; 2], |level| [level.width, level.height])
    }

    /// All words; none before the pass is drawn.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        self.drawn.get().map_or(&[], Vec::as_slice)
    }

    /// A 64-bit digest of the words; 0 before the pass is drawn.
    #[must_use]
    pub fn digest(&self) -> u64 {
        (self.drawn.get()).map_or(0, |words| *self.digest.get_or_init(|| digest(words)))
    }

    /// Takes the words of all levels. One pass always gives equal words, so only the first call counts.
    pub(crate) fn fill(&self, words: Vec<u32>) {
        self.drawn.get_or_init(|| words);
    }

    /// The level that a lobe of this perceptual roughness sees through a surface of this index of refraction: all levels
    /// for a rough one ([`shown_of_roughness`]).
    #[inline(always)]
    pub(super) fn level<L: Lanes>(&self, l: L, roughness: L::F, ior: f32) -> L::F {
        let [width, height] = self.size();
        let levels = (width.max(height) as f32).log2();
        roughness * l.f(levels * shown_of_roughness(ior))
    }

    /// Radiance at a point of the picture, both coordinates 0 to 1, at a position among the levels.
    #[inline(always)]
    pub(super) fn sample<L: Lanes>(&self, l: L, at: [L::F; 2], level: L::F) -> Vector<L> {
        let mut colors = [[l.f(0.0); 4]];
        l.textures(
            &[0],
            &[at[0], at[1], level],
            &mut colors,
            #[inline(always)]
            |colors| {
                l.samples(0);
                let footprint = self.shape.footprint(l, at, level);
                let mut sum = RadianceSum::zero(l);
                let (mut level, mut next) = (footprint.first, footprint.second);
                loop {
                    sum.add(l, l.fetch(self.words(), &level.texels), &level.weights);
                    match next.take() {
                        Some(second) => level = second,
                        None => break,
                    }
                }
                let [r, g, b] = sum.radiance(l);
                colors[0] = [r, g, b, l.f(0.0)];
            },
        );
        [colors[0][0], colors[0][1], colors[0][2]]
    }
}
