//! Light from all around: radiance by direction, its diffuse part and its prefiltered mip chain.
//!
//! Directions map to an octahedron unfolded into a square (Cigolle et al., "A Survey of Efficient Representations for
//! Independent Unit Vectors", JCGT 2014), which needs no trigonometry and no cube faces. Everything here runs once, when
//! an environment is chosen; frames only sample [`Environment::levels`].

mod cube;
mod equirect;
mod octahedral;
mod prefilter;
mod rgb9e5;
mod sky;

pub use cube::MAX_CUBE_EDGE;
pub use equirect::{EnvironmentError, MAX_EQUIRECT_WIDTH, MAX_HDR_BYTES};
pub use rgb9e5::RGB9E5_MAX;
pub(crate) use rgb9e5::{linear_from_rgb9e5, rgb9e5_from_linear};

use glam::{Vec2, Vec3, Vec3A};

use octahedral::{RadianceMap, bilinear, octahedron_from_square, square_from_direction};

use super::texture::digest;

/// Image-based lighting of a frame.
///
/// A direction d becomes a texture coordinate so: divide by |x| + |y| + |z|; p = (x, z) where y >= 0, else
/// ((1 - |z|) sign x, (1 - |x|) sign z); uv = (p / 2 + 1/2) (n - 2)/n + 1/n in a level of edge n.
///
/// ```
/// use azulejo::scene::Environment;
/// use glam::Vec3;
///
/// // Grey from below, bright from above: two rows of an equirectangular map.
/// let radiance = [[Vec3::splat(4.0); 4], [Vec3::splat(0.5); 4]].concat();
/// let environment = Environment::from_equirect(4, 2, &radiance)?;
/// assert!(environment.irradiance_over_pi(Vec3::Y).x > environment.irradiance_over_pi(Vec3::NEG_Y).x);
/// # Ok::<(), azulejo::scene::EnvironmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    /// Edge of specular level 0 in texels, the one-texel border on each side included.
    pub size: u32,
    /// Specular radiance by roughness: level `l` of `levels` has edge `size >> l` and holds GGX-filtered radiance for
    /// perceptual roughness l / (levels - 1). Octahedral, +Y is the centre; RGB9E5, row by row, one texel of border that
    /// repeats what lies across the edge, so that bilinear sampling needs no special case.
    pub(crate) levels: Vec<Vec<u32>>,
    /// The texels of all levels once more, level after level, each followed by the texel below it (in a level's last row by
    /// itself): four consecutive words are a bilinear footprint, columns first, for sampling by SIMD.
    pub(crate) footprints: Vec<u32>,
    /// Irradiance / pi in spherical harmonics of bands 0 to 2, the cosine lobe and the basis' constants folded in
    /// (Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance Environment Maps", SIGGRAPH 2001): for unit
    /// normal n the sum of these times 1, y, z, x, xy, yz, 3z² - 1, xz, x² - y².
    pub irradiance: [Vec3; 9],
    /// See [`Environment::digest`].
    digest: u64,
}

/// Edge of the roughest level.
const SMALLEST_LEVEL: usize = 16;

/// Edge of the map that irradiance is summed over; its texels are averages, and band 2 is smooth.
const IRRADIANCE_MAP: usize = 64;

/// Edge of the built-in environment's level 0.
const BUILTIN_SIZE: usize = 512;

impl Environment {
    /// The environment that comes with azulejo: a bright afternoon sky with soft clouds of light, a low warm sun and pale
    /// ground. Its average is near 1 from above, so that exposure 1 suits it.
    #[must_use]
    pub fn builtin() -> Self {
        let sky = sky::Sky::new();
        Self::from_radiance(RadianceMap::from_fn(BUILTIN_SIZE, |square| {
            let towards = octahedron_from_square(square).normalize();
            sky.radiance(towards).into()
        }))
    }

    /// A 64-bit digest of the specular levels: environments of equal size, irradiance and digest give the same light.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// All that frames need, from radiance at level 0.
    fn from_radiance(radiance: RadianceMap) -> Self {
        let size = radiance.size;
        let n_levels = (size / SMALLEST_LEVEL).ilog2() as usize + 1;
        let pyramid = prefilter::pyramid(radiance, SMALLEST_LEVEL / 2);
        let levels: Vec<_> = (0..n_levels)
            .map(|level| match level {
                0 => encode(&pyramid[0]),
                _ => encode(&prefilter::filter_level(&pyramid, level, n_levels)),
            })
            .collect();
        let irradiance_map = pyramid.iter().find(|map| map.size <= IRRADIANCE_MAP);
        let footprints = footprints(&levels, size);
        Self {
            size: size as u32,
            digest: digest(&footprints),
            footprints,
            levels,
            irradiance: prefilter::irradiance(irradiance_map.unwrap_or(&pyramid[0])),
        }
    }

    /// Radiance from `direction` (any length but zero) at a position among the levels, bilinear in each and linear
    /// between two: the scalar twin of what shader programs do.
    #[must_use]
    pub fn sample(&self, level: f32, direction: Vec3) -> Vec3 {
        let last = self.levels.len() - 1;
        let level = level.max(0.0).min(last as f32);
        let square = square_from_direction(Vec3A::from(direction));
        let lower = level as usize;
        let upper = (lower + 1).min(last);
        let lower_radiance = self.sample_level(lower, square);
        lower_radiance.lerp(self.sample_level(upper, square), level.fract())
    }

    fn sample_level(&self, level: usize, square: Vec2) -> Vec3 {
        let size = (self.size >> level) as usize;
        let (corner, [x, y]) = bilinear(square, size);
        let texel = |at: usize| linear_from_rgb9e5(self.levels[level][at]);
        let row = |at: usize| texel(at).lerp(texel(at + 1), x);
        row(corner).lerp(row(corner + size), y)
    }

    /// Irradiance / pi on a surface with unit normal `normal`; may undershoot zero opposite very bright light.
    #[must_use]
    pub fn irradiance_over_pi(&self, normal: Vec3) -> Vec3 {
        let terms = self.irradiance.iter().zip(prefilter::polynomials(normal));
        terms.map(|(coefficient, value)| *coefficient * value).sum()
    }
}

/// See [`Environment::footprints`].
fn footprints(levels: &[Vec<u32>], size: usize) -> Vec<u32> {
    let mut words = Vec::with_capacity(levels.iter().map(|texels| texels.len() * 2).sum());
    for (level, texels) in levels.iter().enumerate() {
        let edge = size >> level;
        for (at, &texel) in texels.iter().enumerate() {
            words.extend([texel, *texels.get(at + edge).unwrap_or(&texel)]);
        }
    }
    words
}

fn encode(map: &RadianceMap) -> Vec<u32> {
    let texels = map.texels.iter();
    texels
        .map(|&texel| rgb9e5_from_linear(texel.into()))
        .collect()
}

#[cfg(test)]
mod tests;
