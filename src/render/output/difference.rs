//! Two pictures of the same frame in, how far they are apart out: figures, and a picture that shows where.

use crate::Picture;

/// How far two pictures are apart. A pixel's difference is the largest of its four channels', over 0..255.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Difference {
    /// Pixels of either picture.
    pub pixels: u64,
    /// Pixels that are not the same.
    pub differing: u64,
    /// Pixels with a difference above [`TOLERANCE`].
    pub off_by_more_than_2: u64,
    /// Largest difference of any channel of any pixel, of 255.
    pub max_diff: u8,
    /// Mean over all channels of all pixels.
    pub mean_diff: f64,
}

/// Differences up to here are put down to rounding: both sides round to eight bits, after textures filtered in eight.
pub const TOLERANCE: u8 = 2;

/// Factor on differences in [`side_by_side`], so that the smallest can be seen.
const AMPLIFICATION: u8 = 32;

impl Difference {
    /// Difference between two pictures of one size; pixels that only one of them has are left out.
    #[must_use]
    pub fn between(ours: &Picture, theirs: &Picture) -> Self {
        let mut found = Self::default();
        let mut sum = 0_u64;
        for (a, b) in ours.pixels.iter().zip(&theirs.pixels) {
            let channels = channel_differences(*a, *b);
            let largest = channels.into_iter().fold(0, u8::max);
            sum += channels.into_iter().map(u64::from).sum::<u64>();
            found.pixels += 1;
            found.differing += u64::from(largest > 0);
            found.off_by_more_than_2 += u64::from(largest > TOLERANCE);
            found.max_diff = found.max_diff.max(largest);
        }
        found.mean_diff = sum as f64 / (4 * found.pixels.max(1)) as f64;
        found
    }
}

fn channel_differences(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
    std::array::from_fn(|channel| a[channel].abs_diff(b[channel]))
}

/// Pixels that one picture covers (alpha above 0) and the other leaves empty; both drawn on a transparent background.
#[must_use]
pub fn coverage_mismatch(ours: &Picture, theirs: &Picture) -> u64 {
    let pairs = ours.pixels.iter().zip(&theirs.pixels);
    pairs.filter(|(a, b)| (a[3] > 0) != (b[3] > 0)).count() as u64
}

/// Ours | theirs | their difference, amplified 32 times, in one opaque picture three times as wide.
#[must_use]
pub fn side_by_side(ours: &Picture, theirs: &Picture) -> Picture {
    let width = ours.width as usize;
    let mut pixels = Vec::with_capacity(ours.pixels.len() * 3);
    let rows = ours.pixels.chunks(width.max(1));
    for (a, b) in rows.zip(theirs.pixels.chunks(width.max(1))) {
        pixels.extend(a.iter().copied().map(on_grey));
        pixels.extend(b.iter().copied().map(on_grey));
        pixels.extend(a.iter().zip(b).map(|(a, b)| amplified(*a, *b)));
    }
    Picture {
        width: ours.width * 3,
        height: ours.height,
        pixels,
    }
}

/// The pixel over a mid grey, so that transparent backgrounds show as background.
fn on_grey([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    const GREY: u16 = 64;
    let alpha = u16::from(a);
    let over = |channel: u8| ((u16::from(channel) * alpha + GREY * (255 - alpha)) / 255) as u8;
    [over(r), over(g), over(b), 255]
}

/// Differences of colour by channel; a difference of alpha lights all three.
fn amplified(a: [u8; 4], b: [u8; 4]) -> [u8; 4] {
    let [red, green, blue, alpha] = channel_differences(a, b);
    let bright = |channel: u8| channel.max(alpha).saturating_mul(AMPLIFICATION);
    [bright(red), bright(green), bright(blue), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(pixels: Vec<[u8; 4]>) -> Picture {
        Picture {
            width: 2,
            height: 1,
            pixels,
        }
    }

    #[test]
    fn difference_counts_pixels_beyond_the_tolerance() {
        let ours = picture(vec![[10, 10, 10, 255], [10, 10, 10, 255]]);
        let theirs = picture(vec![[12, 10, 10, 255], [10, 13, 10, 255]]);
        let found = Difference::between(&ours, &theirs);
        assert_eq!(found.differing, 2, "both");
        assert_eq!(found.off_by_more_than_2, 1, "only the second is above 2");
        assert_eq!(found.max_diff, 3, "largest channel");
        assert_eq!(
            found.mean_diff,
            5.0 / 8.0,
            "over both pixels' four channels"
        );
    }

    #[test]
    fn coverage_mismatch_counts_either_side() {
        let ours = picture(vec![[0, 0, 0, 0], [9, 9, 9, 1]]);
        let theirs = picture(vec![[9, 9, 9, 255], [0, 0, 0, 0]]);
        assert_eq!(coverage_mismatch(&ours, &theirs), 2, "one each");
        assert_eq!(coverage_mismatch(&ours, &ours), 0, "same picture");
    }

    #[test]
    fn side_by_side_is_three_pictures_wide() {
        let ours = picture(vec![[0, 0, 0, 255], [255; 4]]);
        let theirs = picture(vec![[1, 0, 0, 255], [255; 4]]);
        let sheet = side_by_side(&ours, &theirs);
        assert_eq!(
            (sheet.width, sheet.height),
            (6, 1),
            "ours, theirs, difference"
        );
        assert_eq!(
            sheet.pixels[4],
            [32, 0, 0, 255],
            "one step of red, amplified"
        );
        assert_eq!(sheet.pixels[5], [0, 0, 0, 255], "no difference is black");
    }
}
