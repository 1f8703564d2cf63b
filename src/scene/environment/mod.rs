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
#[doc(hidden)]
pub use rgb9e5::{linear_from_rgb9e5, rgb9e5_from_linear};

use glam::{Vec2, Vec3, Vec3A};

use octahedral::{
    RadianceMap, bilinear, bilinear_of_nodes, octahedron_from_square, square_from_direction,
};

use super::texture::digest;

/// Image-based lighting of a frame.
///
/// A direction d becomes a texture coordinate so: divide by |x| + |y| + |z|; p = (x, z) where y >= 0, else
/// ((1 - |z|) sign x, (1 - |x|) sign z); uv = (p / 2 + 1/2) (n - 2)/n + 1/n in a level of edge n.
///
/// ```
/// # mod azulejo { pub use azulejo_scene as scene; }
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
    levels: Vec<Vec<u32>>,
    /// The texels of all levels and of `irradiance` once more, map after map, each followed by the texel below it (in a
    /// map's last row by itself): four consecutive words are a bilinear footprint, columns first, for sampling by SIMD.
    footprints: Vec<u32>,
    /// Irradiance / pi by normal: RGB9E5, the nodes of an octahedral grid of edge [`IRRADIANCE_EDGE`] without border, row
    /// by row.
    irradiance: Vec<u32>,
    /// Value of [`Environment::digest`], computed once.
    digest: u64,
}

/// Edge of the roughest level.
const SMALLEST_LEVEL: usize = 16;

/// Edge of the map that irradiance is summed over; its texels are averages, and the cosine is smooth.
const IRRADIANCE_SOURCE: usize = 64;

/// Edge of the map of irradiance; odd, so that its folds lie on nodes.
#[doc(hidden)]
pub const IRRADIANCE_EDGE: usize = 33;

/// Edge of the built-in environment's level 0.
const BUILTIN_SIZE: usize = 512;

/// Levels of the built-in environment but level 0, then its irradiance: RGB9E5 words, least significant byte first. Filtering takes
/// a quarter of a second, which no frame need wait for; a test holds them against [`Environment::from_radiance`].
const BUILTIN_FILTERED: &[u8] = include_bytes!("../../../assets/sky.rgb9e5");

impl Environment {
    /// The environment that comes with azulejo: a bright afternoon sky with soft clouds of light, a low warm sun and pale
    /// ground. Its average is near 1 from above, so that exposure 1 suits it.
    #[must_use]
    pub fn builtin() -> Self {
        let (words, _) = BUILTIN_FILTERED.as_chunks();
        let mut words = words.iter().map(|&word| u32::from_le_bytes(word));
        let mut map = |edge: usize| words.by_ref().take(edge * edge).collect::<Vec<_>>();
        let sharp = encode(&builtin_radiance().texels);
        let filtered = (1..n_levels(BUILTIN_SIZE)).map(|level| map(BUILTIN_SIZE >> level));
        let levels = std::iter::once(sharp).chain(filtered).collect();
        Self::from_maps(BUILTIN_SIZE, levels, map(IRRADIANCE_EDGE))
    }

    /// A 64-bit digest of the levels and the irradiance: environments of equal size and digest give the same light.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// Computes all maps of the environment from radiance at level 0.
    fn from_radiance(radiance: RadianceMap) -> Self {
        let size = radiance.size;
        let n_levels = n_levels(size);
        let pyramid = prefilter::pyramid(radiance, SMALLEST_LEVEL / 2);
        let levels = (0..n_levels).map(|level| match level {
            0 => encode(&pyramid[0].texels),
            _ => encode(&prefilter::filter_level(&pyramid, level, n_levels).texels),
        });
        let source = pyramid.iter().find(|map| map.size <= IRRADIANCE_SOURCE);
        let source = source.unwrap_or(&pyramid[0]);
        let irradiance = encode(&prefilter::irradiance(source, IRRADIANCE_EDGE));
        Self::from_maps(size, levels.collect(), irradiance)
    }

    fn from_maps(size: usize, levels: Vec<Vec<u32>>, irradiance: Vec<u32>) -> Self {
        let footprints = footprints(&levels, &irradiance, size);
        Self {
            size: size as u32,
            digest: digest(&footprints),
            footprints,
            levels,
            irradiance,
        }
    }

    /// Specular radiance, a map a level of roughness: RGB9E5, octahedral, row by row with a border of a texel.
    #[doc(hidden)]
    #[must_use]
    pub fn levels(&self) -> &[Vec<u32>] {
        &self.levels
    }

    /// Bilinear footprints of all maps, levels first, two words a texel.
    #[doc(hidden)]
    #[must_use]
    pub fn footprints(&self) -> &[u32] {
        &self.footprints
    }

    /// Irradiance / pi by normal: RGB9E5, the nodes of an octahedral grid of edge [`IRRADIANCE_EDGE`], row by row.
    #[doc(hidden)]
    #[must_use]
    pub fn irradiance(&self) -> &[u32] {
        &self.irradiance
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
        mixed(&self.levels[level], size, bilinear(square, size))
    }

    /// Irradiance / pi on a surface with normal `normal`, of any length but zero.
    #[must_use]
    pub fn irradiance_over_pi(&self, normal: Vec3) -> Vec3 {
        let square = square_from_direction(Vec3A::from(normal));
        let around = bilinear_of_nodes(square, IRRADIANCE_EDGE);
        mixed(&self.irradiance, IRRADIANCE_EDGE, around)
    }
}

/// Levels of an environment whose level 0 has this edge.
fn n_levels(size: usize) -> usize {
    (size / SMALLEST_LEVEL).ilog2() as usize + 1
}

/// Level 0 of the built-in environment.
fn builtin_radiance() -> RadianceMap {
    let sky = sky::Sky::new();
    RadianceMap::from_fn(BUILTIN_SIZE, |square| {
        let towards = octahedron_from_square(square).normalize();
        sky.radiance(towards).into()
    })
}

/// The bilinear colour among four texels: the first, and the weights of the right and lower ones.
fn mixed(texels: &[u32], edge: usize, (corner, [x, y]): (usize, [f32; 2])) -> Vec3 {
    let texel = |at: usize| linear_from_rgb9e5(texels[at]);
    let row = |at: usize| texel(at).lerp(texel(at + 1), x);
    row(corner).lerp(row(corner + edge), y)
}

/// Computes [`Environment::footprints`] of all maps.
fn footprints(levels: &[Vec<u32>], irradiance: &[u32], size: usize) -> Vec<u32> {
    let levels = levels.iter().enumerate();
    let edges = levels.map(|(level, texels)| (size >> level, texels.as_slice()));
    let maps = edges.chain([(IRRADIANCE_EDGE, irradiance)]);
    let mut words = Vec::new();
    for (edge, texels) in maps {
        for (at, &texel) in texels.iter().enumerate() {
            words.extend([texel, *texels.get(at + edge).unwrap_or(&texel)]);
        }
    }
    // The last node's footprint has a right column too, of no weight.
    words.extend([0; 2]);
    words
}

fn encode(texels: &[Vec3A]) -> Vec<u32> {
    let texels = texels.iter();
    texels
        .map(|&texel| rgb9e5_from_linear(texel.into()))
        .collect()
}

#[cfg(test)]
mod tests;
