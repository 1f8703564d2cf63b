//! Filter of a picture enlarged or reduced by the CPU: neighbours mixed in linear light, as `shaders/present.wgsl` mixes
//! them. A line of the picture is mixed across once for all lines of the window that lie on it. Also how a pixel looks in
//! the window's memory.

use std::sync::LazyLock;

use super::paint::Canvas;
use super::presented::BACKDROP;
use crate::window::placement::Placement;
use azulejo_render::Picture;
use azulejo_render::output::{linear_from_srgb, srgb_from_linear};

/// Edge of a square of the chequered ground, in pixels of the window, and the codes of its two greys;
/// `shaders/present.wgsl` draws the same.
const SQUARE: usize = 12;
const GREYS: [f32; 2] = [41.0, 56.0];

/// Linear light by sRGB code, and back by its upper twelve bits.
static DECODED: LazyLock<[u16; 256]> =
    LazyLock::new(|| std::array::from_fn(|code| decode(code as u8)));
static ENCODED: LazyLock<[u8; 4096]> = LazyLock::new(|| std::array::from_fn(encode));

/// Linear light of an sRGB code, scaled to 16 bits.
fn decode(code: u8) -> u16 {
    (linear_from_srgb(f32::from(code) / 255.0) * 65535.0).round() as u16
}

/// sRGB code of the middle of a step of linear light.
fn encode(step: usize) -> u8 {
    (srgb_from_linear((step as f32 + 0.5) / 4096.0) * 255.0).round() as u8
}

/// Position of a point between two neighbours of `n`: the first, the second, and the second's share in 256ths; none
/// outside.
fn between(at: f32, n: usize) -> Option<(usize, usize, u32)> {
    if n == 0 || at < 0.0 || at >= n as f32 {
        return None;
    }
    let corner = (at - 0.5).floor();
    let share = ((at - 0.5 - corner) * 256.0) as u32;
    let inside = |at: f32| (at.max(0.0) as usize).min(n - 1);
    Some((inside(corner), inside(corner + 1.0), share.min(256)))
}

fn mixed(a: u32, b: u32, share: u32) -> u32 {
    (a * (256 - share) + b * share) >> 8
}

/// Line of the picture mixed across, for window lines of one kind of ground.
struct Line {
    key: (usize, usize),
    light: Vec<[u32; 3]>,
}

/// Puts the picture on the canvas.
pub(super) fn blit_mixed(canvas: &mut Canvas<'_>, picture: &Picture, placement: &Placement) {
    let (width, n_columns) = (canvas.width, picture.width as usize);
    let columns: Vec<_> = (0..width)
        .map(|x| between(placement.point([x as f32 + 0.5, 0.0])[0], n_columns))
        .collect();
    let mut lines: [Option<Line>; 2] = [None, None];
    for (y, row) in canvas.pixels.chunks_mut(width).enumerate() {
        let at = placement.point([0.0, y as f32 + 0.5])[1];
        let Some((upper, lower, share)) = between(at, picture.height as usize) else {
            row.fill(packed(BACKDROP));
            continue;
        };
        for (line, number) in lines.iter_mut().zip([upper, lower]) {
            let key = (number, y / SQUARE % 2);
            if line.as_ref().is_none_or(|line| line.key != key) {
                let light = mixed_across(picture, &columns, number, y);
                *line = Some(Line { key, light });
            }
        }
        if let [Some(upper), Some(lower)] = &lines {
            mix_down(row, &columns, [&upper.light, &lower.light], share);
        }
    }
}

/// Linear light of a line of the picture for each column of the window, in whose line `y` it stands; black outside.
fn mixed_across(
    picture: &Picture,
    columns: &[Option<(usize, usize, u32)>],
    number: usize,
    y: usize,
) -> Vec<[u32; 3]> {
    let first = number * picture.width as usize;
    let texels = &picture.pixels[first..first + picture.width as usize];
    let light = |column: usize, x: usize| {
        let [_, r, g, b] = over_ground(texels[column], x, y).to_be_bytes();
        [r, g, b].map(|code| u32::from(DECODED[usize::from(code)]))
    };
    let columns = columns.iter().enumerate();
    columns
        .map(|(x, column)| {
            column.map_or([0; 3], |(left, right, share)| {
                let (left, right) = (light(left, x), light(right, x));
                std::array::from_fn(|channel| mixed(left[channel], right[channel], share))
            })
        })
        .collect()
}

fn mix_down(
    row: &mut [u32],
    columns: &[Option<(usize, usize, u32)>],
    [upper, lower]: [&[[u32; 3]]; 2],
    share: u32,
) {
    for (x, pixel) in row.iter_mut().enumerate() {
        *pixel = match columns[x] {
            None => packed(BACKDROP),
            Some(_) => packed(std::array::from_fn(|channel| {
                let light = mixed(upper[x][channel], lower[x][channel], share);
                ENCODED[(light >> 4).min(4095) as usize]
            })),
        };
    }
}

/// Red, green and blue of a window pixel as its memory has them, from a pixel over the chequered ground.
pub(super) fn over_ground([r, g, b, alpha]: [u8; 4], x: usize, y: usize) -> u32 {
    if alpha == 255 {
        return packed([r, g, b]);
    }
    let ground = GREYS[(x / SQUARE + y / SQUARE) % 2];
    let share = f32::from(alpha) / 255.0;
    packed([r, g, b].map(|code| (ground + (f32::from(code) - ground) * share).round() as u8))
}

pub(super) fn packed([r, g, b]: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, r, g, b])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes of red on a line of the window, where `codes` lie `scale` pixels wide.
    fn shown(codes: &[u8], scale: f32) -> Vec<u8> {
        let picture = Picture {
            width: codes.len() as u32,
            height: 1,
            pixels: codes.iter().map(|code| [*code, 0, 0, 255]).collect(),
        };
        let width = (codes.len() as f32 * scale) as usize;
        let mut pixels = vec![0; width];
        let mut canvas = Canvas {
            width,
            height: 1,
            pixels: &mut pixels,
        };
        let placement = Placement {
            scale,
            size: [codes.len() as u32, 1],
            is_coarse: true,
            ..Placement::default()
        };
        blit_mixed(&mut canvas, &picture, &placement);
        pixels.iter().map(|pixel| (pixel >> 16) as u8).collect()
    }

    #[test]
    fn filter_leaves_equal_neighbours_as_they_are() {
        for code in [0, 1, 2, 20, 128, 200, 254, 255] {
            let row = shown(&[code; 3], 4.0);
            assert!(row.iter().all(|red| red.abs_diff(code) <= 1), "{row:?}");
        }
    }

    #[test]
    fn filter_climbs_from_one_pixel_to_the_next_in_linear_light() {
        let row = shown(&[0, 255], 8.0);
        assert!(row.is_sorted(), "no block: {row:?}");
        let steps = row.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(steps >= 7, "a step each pixel: {row:?}");
        // The middle of black and white light is code 188, not 128.
        let middle = u32::from(row[7]) + u32::from(row[8]);
        assert!((360..=390).contains(&middle), "{row:?}");
    }
}
