//! Equirectangular radiance maps, as Radiance `.hdr` files hold them, to an [`Environment`].
//!
//! A direction (x, y, z) lies at u = atan2(z, x) / 2π + 1/2, v = 1/2 - asin(y) / π.

use std::f32::consts::{PI, TAU};
use std::io::{self, Read};

use glam::{Vec2, Vec3, Vec3A};
use image::ImageDecoder;
use image::codecs::hdr::HdrDecoder;
use rayon::prelude::*;

use super::Environment;
use super::octahedral::{RadianceMap, octahedron_from_square};
use super::rgb9e5::channel;

/// Widest map taken, in pixels; the height may be as much. It bounds the memory that a file can ask for.
pub const MAX_EQUIRECT_WIDTH: u32 = 8192;

/// Longest Radiance file taken, in bytes: the largest map without compression, and a quarter more for run lengths and the
/// header.
pub const MAX_HDR_BYTES: u64 = 5 * MAX_EQUIRECT_WIDTH as u64 * MAX_EQUIRECT_WIDTH as u64;

/// Fewest bytes of a row of pixels in a Radiance file: its first pixel is always there.
const MIN_ROW_BYTES: usize = 4;

/// Smallest and largest edge of level 0; in between it follows the map's resolution.
const SIZES: [u32; 2] = [64, 1024];

/// Why a radiance map makes no environment.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// The file is not a readable Radiance file.
    #[error("not a readable Radiance .hdr file: {0}")]
    Hdr(#[from] image::ImageError),
    /// More rows than bytes for them.
    #[error("Radiance .hdr file of {found} bytes: too short for {height} rows of pixels")]
    Short {
        /// Bytes of the file.
        found: usize,
        /// Rows that the header promises.
        height: u32,
    },
    /// No pixels, or too many.
    #[error(
        "radiance map of {width}x{height} pixels: width and height must be 1 to {MAX_EQUIRECT_WIDTH}"
    )]
    Size {
        /// Width of the map, pixels.
        width: u32,
        /// Height of the map, pixels.
        height: u32,
    },
    /// More or fewer pixels than width x height.
    #[error("radiance map has {found} pixels, not {expected}")]
    Pixels {
        /// Number of pixels given.
        found: usize,
        /// Pixels that its size asks for.
        expected: usize,
    },
}

impl Environment {
    /// An environment from linear radiance, row by row from the top (+Y); the middle of the picture looks along +X.
    ///
    /// Negative and NaN channels count as 0; very large ones are cut to [`super::RGB9E5_MAX`].
    ///
    /// # Errors
    /// If an edge is 0 or beyond [`MAX_EQUIRECT_WIDTH`], or `radiance` has not `width * height` pixels.
    pub fn from_equirect(
        width: u32,
        height: u32,
        radiance: &[Vec3],
    ) -> Result<Self, EnvironmentError> {
        check_size(width, height)?;
        let expected = width as usize * height as usize;
        if radiance.len() != expected {
            return Err(EnvironmentError::Pixels {
                found: radiance.len(),
                expected,
            });
        }
        Ok(Self::from_pixels(width, height, radiance.to_vec()))
    }

    /// An environment from as many pixels as its size says.
    fn from_pixels(width: u32, height: u32, mut pixels: Vec<Vec3>) -> Self {
        let clean = |c: &mut Vec3| *c = Vec3::from_array(c.to_array().map(channel));
        pixels.par_iter_mut().for_each(clean);
        let mut map = Equirect {
            width: width as usize,
            height: height as usize,
            pixels,
        };
        let size = octahedron_size(width);
        // An octahedral map of edge n resolves about as much as an equirectangular one of width 2 n.
        while map.width >= 4 * size && map.height >= 2 {
            map = map.halved();
        }
        Self::from_radiance(map.to_octahedral(size))
    }

    /// An environment from the bytes of a Radiance `.hdr` file with an equirectangular picture.
    ///
    /// # Errors
    /// If the bytes are no complete Radiance file or its size is out of range.
    pub fn from_hdr_bytes(bytes: &[u8]) -> Result<Self, EnvironmentError> {
        let decoder = HdrDecoder::new(CheckedRuns::new(bytes))?;
        let (width, height) = decoder.dimensions();
        check_size(width, height)?;
        if bytes.len() < height as usize * MIN_ROW_BYTES {
            return Err(EnvironmentError::Short {
                found: bytes.len(),
                height,
            });
        }
        let mut pixels = vec![Vec3::ZERO; width as usize * height as usize];
        decoder.read_image(bytemuck::cast_slice_mut(&mut pixels))?;
        Ok(Self::from_pixels(width, height, pixels))
    }
}

/// Most run markers in a row: each stands for 256 times as many pixels as the one before, and no row has so many.
const MAX_MARKERS: u32 = 7;

/// The bytes of a Radiance file on their way to the decoder, which multiplies the lengths of runs without looking whether
/// the product fits. It reads pixels, and so run markers, four bytes at a time, and everything else of rows otherwise.
struct CheckedRuns<'a> {
    bytes: &'a [u8],
    /// Run markers that came last.
    markers: u32,
}

impl<'a> CheckedRuns<'a> {
    const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, markers: 0 }
    }
}

impl Read for CheckedRuns<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(to)?;
        self.markers = match to[..read] {
            [1, 1, 1, _] => self.markers + 1,
            _ => 0,
        };
        if self.markers > MAX_MARKERS {
            let problem = "a run longer than any row of pixels";
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        Ok(read)
    }
}

fn check_size(width: u32, height: u32) -> Result<(), EnvironmentError> {
    let edges = 1..=MAX_EQUIRECT_WIDTH;
    if edges.contains(&width) && edges.contains(&height) {
        Ok(())
    } else {
        Err(EnvironmentError::Size { width, height })
    }
}

/// The power of two near half the width.
pub(super) fn octahedron_size(width: u32) -> usize {
    (width / 2).next_power_of_two().clamp(SIZES[0], SIZES[1]) as usize
}

/// A radiance map on the latitude-longitude grid.
struct Equirect {
    width: usize,
    height: usize,
    pixels: Vec<Vec3>,
}

impl Equirect {
    /// Half the size; an odd last row or column is dropped.
    fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut pixels = vec![Vec3::ZERO; width * height];
        pixels
            .par_chunks_mut(width)
            .enumerate()
            .for_each(|(y, row)| {
                for (x, pixel) in row.iter_mut().enumerate() {
                    let at = 2 * y * self.width + 2 * x;
                    let pair = |at: usize| self.pixels[at] + self.pixels[at + 1];
                    *pixel = (pair(at) + pair(at + self.width)) * 0.25;
                }
            });
        Self {
            width,
            height,
            pixels,
        }
    }

    /// The octahedral map of edge `size`: four bilinear taps a texel.
    fn to_octahedral(&self, size: usize) -> RadianceMap {
        let offset = 0.5 / (size - 2) as f32;
        RadianceMap::from_fn(size, |square| {
            let tap = |x: f32, y: f32| {
                let square = square + Vec2::new(x, y) * offset;
                self.sample(octahedron_from_square(square).normalize())
            };
            (tap(-1.0, -1.0) + tap(1.0, -1.0) + tap(-1.0, 1.0) + tap(1.0, 1.0)) * 0.25
        })
    }

    /// Bilinear radiance from a unit direction; columns wrap around, rows end at the poles.
    fn sample(&self, direction: Vec3) -> Vec3A {
        let u = direction.z.atan2(direction.x) / TAU + 0.5;
        let v = 0.5 - direction.y.clamp(-1.0, 1.0).asin() / PI;
        let x = u * self.width as f32 - 0.5;
        let y = (v * self.height as f32 - 0.5).clamp(0.0, (self.height - 1) as f32);
        let column = |x: f32| (x as isize).rem_euclid(self.width as isize) as usize;
        let (left, right) = (column(x.floor()), column(x.floor() + 1.0));
        let (above, below) = (y as usize, (y as usize + 1).min(self.height - 1));
        let row = |y: usize| {
            let row = &self.pixels[y * self.width..][..self.width];
            Vec3A::from(row[left]).lerp(Vec3A::from(row[right]), x - x.floor())
        };
        row(above).lerp(row(below), y.fract())
    }
}
