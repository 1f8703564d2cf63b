//! Textures: RGBA8 texels in the layout of [`MipLevel`] with their mip chain, the format in which a GPU stores them, and how
//! they are sampled.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use super::blocks::{BlockFormat, BlockLayout};
use super::mip_chain::{fill_levels, level_table};
use super::texel_copies::TexelCopies;
use super::texel_rows::TexelRows;
use super::{Encoding, ImageId, MipLevel};

/// Texels of one image in one encoding, all mip levels, largest first.
///
/// ```
/// # mod azulejo { pub use azulejo_scene as scene; }
/// use azulejo::scene::{Encoding, TextureImage};
///
/// let checks = [[0, 0, 0, 255], [255; 4], [255; 4], [0, 0, 0, 255]];
/// let image = TextureImage::from_rgba8("checks", Encoding::Linear, 2, 2, checks.as_flattened())?;
/// assert_eq!(image.texel(1, 0, 0), [128, 128, 128, 255], "the smaller level is the mean");
/// # Ok::<(), azulejo::scene::TextureError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextureImage {
    /// Name or file for people; may be empty.
    pub name: String,
    /// How colours are stored.
    pub encoding: Encoding,
    /// The mip chain down to 1x1; each level is half the one before, rounded down.
    pub levels: Vec<MipLevel>,
    /// RGBA8 texels, red in the low byte; padding repeats nothing and is never sampled.
    pub(crate) texels: Vec<u32>,
    /// Value of [`TextureImage::digest`], computed once.
    digest: u64,
    /// Format of the blocks that a GPU stores; `None` for RGBA8.
    blocks: Option<BlockFormat>,
    /// Rearranged texels, for frequent sampling.
    pub(crate) copies: TexelCopies,
}

/// Largest edge of an image in texels: what Vulkan drivers commonly take (`maxImageDimension2D`).
pub const MAX_IMAGE_EDGE: u32 = 16384;

/// Why texels do not make a [`TextureImage`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextureError {
    /// An edge of no texels, or longer than [`MAX_IMAGE_EDGE`].
    #[error("image '{name}' of {width}x{height} texels: edges must be 1 to {MAX_IMAGE_EDGE}")]
    Size {
        /// Name or file of the image.
        name: String,
        /// Width of the image, texels.
        width: u32,
        /// Height of the image, texels.
        height: u32,
    },
    /// More or fewer bytes than width x height x 4 of a level.
    #[error("image '{name}' has {found} bytes of RGBA8 texels, not {expected}")]
    Bytes {
        /// Name or file of the image.
        name: String,
        /// Number of bytes given.
        found: usize,
        /// Bytes that its size asks for.
        expected: usize,
    },
}

impl TextureImage {
    /// An image from RGBA8 bytes, row by row from the top; the mip chain is filtered in linear light.
    ///
    /// # Errors
    /// If an edge is 0 or beyond [`MAX_IMAGE_EDGE`], or `rgba` has not `width * height * 4` bytes.
    pub fn from_rgba8(
        name: &str,
        encoding: Encoding,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<Self, TextureError> {
        Self::from_mips(name, encoding, width, height, &[rgba])
    }

    /// An image whose mip levels, or the first of them, are given as RGBA8 bytes, the largest first; the smaller ones are
    /// filtered from the last that is given. Levels beyond 1x1 are left out.
    ///
    /// # Errors
    /// As [`TextureImage::from_rgba8`], for every level; a level is half as wide and high as the one before, rounded down.
    pub fn from_mips(
        name: &str,
        encoding: Encoding,
        width: u32,
        height: u32,
        mips: &[&[u8]],
    ) -> Result<Self, TextureError> {
        let edges = 1..=MAX_IMAGE_EDGE;
        if !edges.contains(&width) || !edges.contains(&height) {
            let name = name.to_owned();
            return Err(TextureError::Size {
                name,
                width,
                height,
            });
        }
        let (levels, n_texels) = level_table(width, height);
        let found = |at: usize| mips.get(at).map_or(0, |level| level.len());
        for (at, level) in levels.iter().enumerate().take(mips.len().max(1)) {
            let expected = level.width as usize * level.height as usize * 4;
            if found(at) != expected {
                return Err(TextureError::Bytes {
                    name: name.to_owned(),
                    found: found(at),
                    expected,
                });
            }
        }
        let given: Vec<&[[u8; 4]]> = mips.iter().map(|rgba| rgba.as_chunks().0).collect();
        let mut texels = vec![0; n_texels];
        fill_levels(encoding, &levels, &given, &mut texels);
        Ok(Self {
            name: name.to_owned(),
            encoding,
            levels,
            digest: digest(&texels),
            blocks: None,
            copies: TexelCopies::default(),
            texels,
        })
    }

    /// The image stored in blocks of `format`, which are decoded as it is sampled: texels and pictures are the same, traffic is
    /// that of the blocks. All levels are stored so, also those that were not given.
    #[must_use]
    pub fn stored_as(self, format: BlockFormat) -> Self {
        let blocks = Some(format);
        Self { blocks, ..self }
    }

    /// Format of the blocks that a GPU stores; `None` for RGBA8.
    #[must_use]
    pub const fn blocks(&self) -> Option<BlockFormat> {
        self.blocks
    }

    /// Places of the stored blocks; `None` for RGBA8, whose texels lie as [`TextureImage::texels`] does.
    #[doc(hidden)]
    #[must_use]
    pub fn block_layout(&self) -> Option<BlockLayout> {
        let format = self.blocks?;
        Some(BlockLayout::new(format.shape(), &self.levels))
    }

    /// All texels in the layout that [`MipLevel::texel_index`] describes; they never change, a new picture is a new image.
    #[must_use]
    pub fn texels(&self) -> &[u32] {
        &self.texels
    }

    /// A 64-bit digest of the texels: images of equal size, encoding and digest are the same picture.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// The RGBA8 texel at (x, y) of `level`.
    #[must_use]
    pub fn texel(&self, level: usize, x: u32, y: u32) -> [u8; 4] {
        self.texels[self.levels[level].texel_index(x, y)].to_le_bytes()
    }

    /// The copy of the texels under this key, from its second request on.
    #[doc(hidden)]
    pub fn copy(&self, key: &[u64], make: impl FnOnce() -> Vec<u32>) -> Option<Arc<[u32]>> {
        self.copies.get(key, make)
    }

    /// The texels in rows, if the image repeats along u and v or does not.
    #[doc(hidden)]
    pub fn rows(&self, repeats: [bool; 2]) -> Arc<TexelRows> {
        let make = || TexelRows::new(self.encoding, &self.levels, &self.texels, repeats);
        self.copies.rows(repeats, make)
    }
}

/// A 64-bit digest of words, the same on every run.
#[doc(hidden)]
pub fn digest(words: &[u32]) -> u64 {
    let mut hasher = foldhash::quality::FixedState::default().build_hasher();
    hasher.write(bytemuck::cast_slice(words));
    hasher.finish()
}

/// Texel selection within a level or between levels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest texel, or level.
    Nearest,
    /// Weighted mean of the neighbours.
    #[default]
    Linear,
}

/// Wrapping of coordinates outside 0..1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The image repeats without end.
    #[default]
    Repeat,
    /// Every second repetition is mirrored.
    MirroredRepeat,
    /// The edge texel continues.
    ClampToEdge,
}

/// How a texture is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Magnification filter, where a texel is larger than a pixel.
    pub mag: Filter,
    /// Minification filter, where a texel is smaller than a pixel.
    pub min: Filter,
    /// Filter between mip levels; `None` always takes the largest level.
    pub mip: Option<Filter>,
    /// Wrapping of u, to the right.
    pub wrap_u: Wrap,
    /// Wrapping of v, downwards.
    pub wrap_v: Wrap,
}

impl Default for Sampler {
    /// Trilinear, repeating: what glTF leaves to the implementation.
    fn default() -> Self {
        Self {
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: Some(Filter::Linear),
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Repeat,
        }
    }
}

/// An image with a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    /// Image of [`super::Scene::images`] whose texels are sampled.
    pub image: ImageId,
    /// How they are sampled.
    pub sampler: Sampler,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(encoding: Encoding, width: u32, height: u32, rgba: &[u8]) -> TextureImage {
        TextureImage::from_rgba8("test", encoding, width, height, rgba).unwrap()
    }

    #[test]
    fn image_level_zero_keeps_every_texel() {
        let (width, height) = (37, 21);
        let rgba: Vec<u8> = (0..width * height * 4)
            .map(|i| (i * 7 % 251) as u8)
            .collect();
        let image = image(Encoding::Srgb, width, height, &rgba);
        for y in 0..height {
            for x in 0..width {
                let at = ((y * width + x) * 4) as usize;
                assert_eq!(image.texel(0, x, y), rgba[at..at + 4], "texel ({x}, {y})");
            }
        }
    }

    #[test]
    fn image_layout_gives_every_texel_of_odd_sizes_a_place_of_its_own() {
        for (width, height) in [(1, 1), (5, 3), (17, 33), (100, 1), (31, 64)] {
            let image = image(
                Encoding::Linear,
                width,
                height,
                &vec![0; (width * height * 4) as usize],
            );
            let mut taken = vec![false; image.texels.len()];
            for level in &image.levels {
                for (x, y) in (0..level.height).flat_map(|y| (0..level.width).map(move |x| (x, y)))
                {
                    let index = level.texel_index(x, y);
                    assert!(
                        !taken[index],
                        "{width}x{height}: ({x}, {y}) shares index {index}"
                    );
                    taken[index] = true;
                }
            }
        }
    }

    #[test]
    fn image_levels_halve_down_to_one_texel() {
        let image = image(Encoding::Linear, 37, 5, &[9; 37 * 5 * 4]);
        let sizes: Vec<_> = image.levels.iter().map(|l| (l.width, l.height)).collect();
        assert_eq!(
            sizes,
            [(37, 5), (18, 2), (9, 1), (4, 1), (2, 1), (1, 1)],
            "each level is half the one before, rounded down"
        );
        assert!(
            image.levels.iter().enumerate().all(|(l, level)| {
                (0..level.width).all(|x| image.texel(l, x, level.height - 1) == [9; 4])
            }),
            "a constant image is constant at all levels"
        );
    }

    #[test]
    fn image_mips_average_in_linear_light() {
        let black_and_white = [0, 0, 0, 0, 255, 255, 255, 255];
        let srgb = image(Encoding::Srgb, 2, 1, &black_and_white);
        assert_eq!(
            srgb.texel(1, 0, 0),
            [188, 188, 188, 128],
            "half of white light in sRGB"
        );
        let linear = image(Encoding::Linear, 2, 1, &black_and_white);
        assert_eq!(linear.texel(1, 0, 0), [128; 4], "half as it is");
    }

    #[test]
    fn image_mips_of_odd_size_weigh_exact_shares() {
        let rgba: Vec<u8> = [30u8, 60, 90].iter().flat_map(|&v| [v; 4]).collect();
        let image = image(Encoding::Linear, 3, 1, &rgba);
        assert_eq!(image.texel(1, 0, 0), [60; 4], "a third of each");
    }

    #[test]
    fn image_srgb_bytes_survive_filtering_of_equal_texels() {
        for byte in 0..=255 {
            let image = image(Encoding::Srgb, 2, 2, &[byte; 16]);
            assert_eq!(image.texel(1, 0, 0), [byte; 4], "encode inverts decode");
        }
    }

    #[test]
    fn image_digest_tells_pictures_apart() {
        let a = image(Encoding::Srgb, 2, 2, &[7; 16]);
        let mut rgba = [7; 16];
        rgba[13] = 8;
        let b = image(Encoding::Srgb, 2, 2, &rgba);
        assert_eq!(a.digest(), a.clone().digest(), "a copy is the same");
        assert_ne!(a.digest(), b.digest(), "one channel of one texel differs");
    }

    #[test]
    fn image_of_wrong_size_is_refused() {
        let empty = TextureImage::from_rgba8("a", Encoding::Linear, 0, 4, &[]);
        assert!(matches!(empty, Err(TextureError::Size { .. })), "no texels");
        let long = TextureImage::from_rgba8("b", Encoding::Linear, MAX_IMAGE_EDGE + 1, 1, &[]);
        assert!(
            matches!(long, Err(TextureError::Size { .. })),
            "edge beyond the limit"
        );
        let short = TextureImage::from_rgba8("c", Encoding::Linear, 2, 2, &[0; 15]);
        assert!(
            matches!(short, Err(TextureError::Bytes { .. })),
            "a byte is missing"
        );
    }
}
