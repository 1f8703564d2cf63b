//! An image as a GPU's compressed format would have it: its levels through an encoder and back, with what is lost.

use super::blocks::{self, BlockFormat};
use super::{MipLevel, TextureImage};

/// Result of [`TextureImage::encoded`].
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedImage {
    /// The image as it is decoded from its blocks, stored in them.
    pub image: TextureImage,
    /// Peak signal-to-noise ratio of the largest level's channels as they are stored, in dB: infinite where nothing is lost.
    /// `None` where no encoder is at hand, and the texels are those that came in.
    pub psnr: Option<f64>,
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
}
