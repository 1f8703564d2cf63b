//! An image as a GPU's compressed format would have it: its levels through an encoder and back, with what is lost.

use std::fmt;

use rayon::prelude::*;

use super::blocks::{self, BlockFormat};
use super::{MipLevel, Scene, TextureImage};

/// Result of [`TextureImage::encoded`].
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedImage {
    /// The image as it is decoded from its blocks, stored in them.
    pub image: TextureImage,
    /// Peak signal-to-noise ratio of the largest level's channels as they are stored, in dB: infinite where nothing is lost.
    /// `None` where no encoder is at hand, and the texels are those that came in.
    pub psnr: Option<f64>,
}

/// Result of [`Scene::store_textures`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoredTextures {
    /// Format of images without alpha.
    pub format: BlockFormat,
    /// Images that are stored in a format now.
    pub images: usize,
    /// Images with alpha of these, which are in [`BlockFormat::with_alpha`].
    pub with_alpha: usize,
    /// Least and greatest [`EncodedImage::psnr`], in dB. `None` where no image went through an encoder.
    pub psnr: Option<[f64; 2]>,
}

impl fmt::Display for StoredTextures {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { format, images, .. } = *self;
        let textures = if images == 1 { "texture" } else { "textures" };
        write!(to, "{images} {textures} stored in {format}")?;
        let alpha = format.with_alpha();
        if self.with_alpha > 0 && alpha != format {
            write!(to, ", {} of them with alpha in {alpha}", self.with_alpha)?;
        }
        if let Some([least, most]) = self.psnr {
            write!(to, ", signal to noise {least:.1} to {most:.1} dB at peak")?;
        }
        let of_alpha = (self.with_alpha > 0).then_some(alpha);
        let of_others = (self.with_alpha < images).then_some(format);
        match of_alpha
            .into_iter()
            .chain(of_others)
            .find(|format| !format.is_encoded())
        {
            Some(format) => write!(
                to,
                "; no encoder for {format}: texels stay, memory traffic is its own"
            ),
            None => Ok(()),
        }
    }
}

impl Scene {
    /// Stores all uncompressed images of textures in a format, by [`TextureImage::encoded`]; images with alpha in its
    /// sibling that has alpha, if there is one.
    pub fn store_textures(&mut self, format: BlockFormat) -> StoredTextures {
        let plain = (self.images.par_iter_mut()).filter(|image| image.blocks().is_none());
        let stored: Vec<(bool, Option<f64>)> = plain
            .map(|image| {
                let has_alpha = image.has_alpha();
                let format = if has_alpha {
                    format.with_alpha()
                } else {
                    format
                };
                let encoded = image.encoded(format);
                *image = encoded.image;
                (has_alpha, encoded.psnr)
            })
            .collect();
        let psnr = || stored.iter().filter_map(|(_, psnr)| *psnr);
        let ends = psnr().reduce(f64::min).zip(psnr().reduce(f64::max));
        StoredTextures {
            format,
            images: stored.len(),
            with_alpha: stored.iter().filter(|(has_alpha, _)| *has_alpha).count(),
            psnr: ends.map(|(least, most)| [least, most]),
        }
    }
}

impl TextureImage {
    /// The image encoded in a format, level by level, and decoded again. Formats without an encoder
    /// ([`BlockFormat::is_encoded`]) leave the texels as they are: traffic alone is that of the format.
    ///
    /// ```
    /// # mod azulejo { pub use azulejo_scene as scene; }
    /// use azulejo::scene::{BlockFormat, Encoding, TextureImage};
    ///
    /// let ramp: Vec<u8> = (0..64).flat_map(|at| [at as u8 * 4, 99, 0, 255]).collect();
    /// let image = TextureImage::from_rgba8("ramp", Encoding::Srgb, 8, 8, &ramp)?;
    /// let encoded = image.encoded(BlockFormat::Bc1Rgb);
    /// assert_eq!(encoded.image.blocks(), Some(BlockFormat::Bc1Rgb));
    /// assert!(encoded.psnr.is_some_and(|psnr| psnr > 30.0));
    /// # Ok::<(), azulejo::scene::TextureError>(())
    /// ```
    #[must_use]
    pub fn encoded(&self, format: BlockFormat) -> EncodedImage {
        let levels: Option<Vec<Vec<u8>>> = (self.levels.iter())
            .map(|level| {
                let (width, height) = (level.width, level.height);
                let blocks = blocks::encode(format, width, height, &self.rows_of(level))?;
                Some(blocks::decode(format, width, height, &blocks))
            })
            .collect();
        let decoded = levels
            .as_deref()
            .and_then(|levels| self.with_levels(levels));
        let psnr = decoded.as_ref().map(|decoded| self.psnr(decoded, format));
        EncodedImage {
            image: decoded.unwrap_or_else(|| self.clone()).stored_as(format),
            psnr,
        }
    }

    /// Whether any texel of the largest level is not opaque.
    fn has_alpha(&self) -> bool {
        let level = self.levels.first();
        let rows = level.map(|level| self.rows_of(level)).unwrap_or_default();
        rows.iter().any(|texel| texel[3] < u8::MAX)
    }

    /// Texels of a level, row by row.
    fn rows_of(&self, level: &MipLevel) -> Vec<[u8; 4]> {
        let places = (0..level.height).flat_map(|y| (0..level.width).map(move |x| (x, y)));
        let texel = |(x, y)| self.texels[level.texel_index(x, y)].to_le_bytes();
        places.map(texel).collect()
    }

    fn with_levels(&self, levels: &[Vec<u8>]) -> Option<Self> {
        let first = self.levels.first()?;
        let levels: Vec<&[u8]> = levels.iter().map(Vec::as_slice).collect();
        let (width, height) = (first.width, first.height);
        Self::from_mips(&self.name, self.encoding, width, height, &levels).ok()
    }

    fn psnr(&self, decoded: &Self, format: BlockFormat) -> f64 {
        let Some(level) = self.levels.first() else {
            return f64::INFINITY;
        };
        let channels = format.channels();
        let (ours, theirs) = (self.rows_of(level), decoded.rows_of(level));
        let squares: u64 = (ours.iter().zip(&theirs))
            .flat_map(|(a, b)| a[..channels].iter().zip(&b[..channels]))
            .map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2))
            .sum();
        let mean = squares as f64 / (ours.len() * channels) as f64;
        10.0 * (f64::from(u8::MAX).powi(2) / mean).log10()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Encoding;

    const EDGE: u32 = 61;

    /// A soft picture with a hard edge in it, and alpha of its own.
    fn picture() -> TextureImage {
        let texel = |at: u32| {
            let (x, y) = (at % EDGE, at / EDGE);
            let edge = if x + y > 60 { 90 } else { 0 };
            [
                (2 * x + edge) as u8,
                (2 * y + edge) as u8,
                (x + y + edge) as u8,
                (255 - x * 3) as u8,
            ]
        };
        let rgba: Vec<u8> = (0..EDGE * EDGE).flat_map(texel).collect();
        let image = TextureImage::from_rgba8("picture", Encoding::Srgb, EDGE, EDGE, &rgba);
        image.expect("a lawful size")
    }

    #[test]
    fn encoded_images_are_near_their_source_in_every_format_that_is_encoded() {
        let source = picture();
        for (format, least) in [
            (BlockFormat::Bc1Rgb, 35.0),
            (BlockFormat::Bc3, 35.0),
            (BlockFormat::Bc4, 40.0),
            (BlockFormat::Bc5, 40.0),
            (BlockFormat::Bc7, 38.0),
            (BlockFormat::Etc2Rgb, 30.0),
        ] {
            let encoded = source.encoded(format);
            assert_eq!(encoded.image.blocks(), Some(format));
            assert_eq!(encoded.image.levels, source.levels, "{format}");
            let psnr = encoded.psnr.expect("an encoder");
            assert!(psnr > least, "{format}: {psnr:.1} dB");
            assert_ne!(
                encoded.image.digest(),
                source.digest(),
                "{format}: some loss"
            );
            let smallest = encoded.image.levels.len() - 1;
            let [a, b] = [&encoded.image, &source].map(|image| image.texel(smallest, 0, 0)[0]);
            assert!(
                a.abs_diff(b) < 24,
                "{format}: {a} for {b} in the smallest level"
            );
        }
    }

    #[test]
    fn encoded_images_of_one_colour_lose_nothing_in_bc7() {
        let image = TextureImage::from_rgba8("flat", Encoding::Srgb, 8, 8, &[255; 256]);
        let encoded = image.expect("a lawful size").encoded(BlockFormat::Bc7);
        assert_eq!(encoded.psnr, Some(f64::INFINITY));
    }

    #[test]
    fn encoded_images_without_an_encoder_keep_their_texels() {
        let source = picture();
        let formats = BlockFormat::all().filter(|format| !format.is_encoded());
        for format in formats {
            let encoded = source.encoded(format);
            assert_eq!(encoded.psnr, None, "{format}");
            assert_eq!(encoded.image.digest(), source.digest(), "{format}");
            assert_eq!(encoded.image.blocks(), Some(format));
        }
    }

    /// [`picture`] without alpha.
    fn opaque() -> TextureImage {
        let rgba: Vec<u8> = (0..EDGE * EDGE)
            .flat_map(|at| [at as u8, (at / 3) as u8, 7, 255])
            .collect();
        let image = TextureImage::from_rgba8("opaque", Encoding::Srgb, EDGE, EDGE, &rgba);
        image.expect("a lawful size")
    }

    /// A scene with these images.
    fn scene(images: Vec<TextureImage>) -> Scene {
        Scene {
            images,
            ..Scene::default()
        }
    }

    #[test]
    fn stored_textures_leave_images_that_have_a_format() {
        let kept = picture().stored_as(BlockFormat::Bc7);
        let mut scene = scene(vec![opaque(), kept.clone()]);
        let stored = scene.store_textures(BlockFormat::Etc2Rgb);
        assert_eq!(scene.images[0].blocks(), Some(BlockFormat::Etc2Rgb));
        assert_eq!(scene.images[1], kept);
        let [least, most] = stored.psnr.expect("an encoder");
        assert_eq!((stored.images, least), (1, most), "of the one image");
        let text = stored.to_string();
        assert!(
            text.starts_with("1 texture stored in ETC2 RGB, signal"),
            "{text}"
        );
    }

    #[test]
    fn stored_textures_keep_alpha_in_the_format_that_has_it() {
        let mut scene = scene(vec![picture(), opaque()]);
        let stored = scene.store_textures(BlockFormat::Bc1Rgb);
        let formats: Vec<_> = scene.images.iter().map(TextureImage::blocks).collect();
        assert_eq!(formats, [Some(BlockFormat::Bc3), Some(BlockFormat::Bc1Rgb)]);
        assert!(scene.images[0].has_alpha());
        let text = stored.to_string();
        assert!(
            text.starts_with("2 textures stored in BC1 RGB, 1 of them with alpha in BC3, signal"),
            "{text}"
        );
    }

    #[test]
    fn stored_textures_say_where_no_encoder_is() {
        let mut scene = scene(vec![picture()]);
        let stored = scene.store_textures(BlockFormat::Etc2Rgb);
        assert_eq!(scene.images[0].texels, picture().texels);
        assert_eq!(scene.images[0].blocks(), Some(BlockFormat::Etc2Rgba));
        let text = stored.to_string();
        assert!(
            text.ends_with("; no encoder for ETC2 RGBA: texels stay, memory traffic is its own"),
            "{text}"
        );
    }
}
