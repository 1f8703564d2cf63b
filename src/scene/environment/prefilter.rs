//! From radiance to what the split-sum approximation samples: GGX-filtered levels and irradiance.
//!
//! Importance sampling with filtered lookups (Křivánek and Colbert, "Real-Time Shading with Filtered Importance Sampling",
//! EGSR 2008) of the prefiltered term of Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013: normal, view and
//! reflection coincide and samples weigh with N·L. The sample set is the same for all texels, so it is made once a level.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3A};
use rayon::prelude::*;

use super::octahedral::{
    RadianceMap, octahedron_from_square, solid_angle_density, square_from_direction,
    square_from_node, square_from_texels,
};

/// Samples of a level: fewer where it has many texels, which rough levels have not.
fn sample_count(edge: usize) -> u32 {
    (16_384 / edge).clamp(64, 512) as u32
}

/// Added to the level that a sample's solid angle asks for: the maps of the pyramid are a little wider than their texels.
const OVERLAP: f32 = -0.5;

/// The map at full, half, quarter ... size, averaged, down to `smallest` texels an edge.
pub(super) fn pyramid(radiance: RadianceMap, smallest: usize) -> Vec<RadianceMap> {
    let mut maps = vec![radiance];
    while let Some(above) = maps.last().filter(|map| map.size / 2 >= smallest) {
        maps.push(half(above));
    }
    maps
}

/// Half the edge; with the border the grids do not align, so four bilinear taps stand for the texel's area.
fn half(above: &RadianceMap) -> RadianceMap {
    let size = above.size / 2;
    // A quarter of a texel in units of the square, -1..1.
    let offset = 0.5 / (size - 2) as f32;
    RadianceMap::from_fn(size, |square| {
        let (mut sum, mut total) = (Vec3A::ZERO, 0.0);
        for corner in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let tap = square + Vec2::from(corner) * offset;
            let weight = solid_angle_density(tap);
            sum += above.sample(tap) * weight;
            total += weight;
        }
        sum / total
    })
}

/// One direction of the GGX lobe around +Z, and how it is looked up.
#[derive(Debug, Clone, Copy)]
struct LobeSample {
    direction: Vec3A,
    weight: f32,
    /// Which map of the pyramid has texels of the sample's size.
    map: usize,
}

/// The GGX-filtered map of level `level` in `1..n_levels`.
pub(super) fn filter_level(pyramid: &[RadianceMap], level: usize, n_levels: usize) -> RadianceMap {
    let roughness = level as f32 / (n_levels - 1) as f32;
    let edge = pyramid[0].size >> level;
    let lobe = lobe_samples(roughness, sample_count(edge), pyramid);
    RadianceMap::from_fn(edge, |square| {
        let normal = Vec3A::from(octahedron_from_square(square)).normalize();
        let (tangent, bitangent) = normal.any_orthonormal_pair();
        lobe.iter()
            .map(|sample| {
                let d = sample.direction;
                let direction = tangent * d.x + bitangent * d.y + normal * d.z;
                pyramid[sample.map].sample(square_from_direction(direction)) * sample.weight
            })
            .sum()
    })
}

/// The lobe of perceptual `roughness` as `count` importance samples; weights add up to 1.
fn lobe_samples(roughness: f32, count: u32, pyramid: &[RadianceMap]) -> Vec<LobeSample> {
    let alpha2 = roughness.powi(4);
    let texel = 4.0 * PI / ((pyramid[0].size - 2) as f32).powi(2);
    let last = (pyramid.len() - 1) as f32;
    let mut samples: Vec<_> = (0..count)
        .filter_map(|i| {
            let [u, v] = hammersley(i, count);
            // The half vector of Walter et al. 2007, eq. 35, mirrored about the view direction +Z.
            let cos2 = (1.0 - v) / (1.0 + (alpha2 - 1.0) * v);
            let cos_light = 2.0 * cos2 - 1.0;
            let sin_light = (1.0 - cos_light * cos_light).max(0.0).sqrt();
            let (sin, cos) = (u * TAU).sin_cos();
            // Density of the half vector, D N·H, over the Jacobian 4 V·H, with V = N.
            let density = alpha2 / (PI * (cos2 * (alpha2 - 1.0) + 1.0).powi(2)) * 0.25;
            let solid_angle = 1.0 / (count as f32 * density);
            (cos_light > 0.0).then(|| LobeSample {
                direction: Vec3A::new(sin_light * cos, sin_light * sin, cos_light),
                weight: cos_light,
                map: (0.5 * (solid_angle / texel).log2() + OVERLAP)
                    .round()
                    .clamp(0.0, last) as usize,
            })
        })
        .collect();
    let total: f32 = samples.iter().map(|sample| sample.weight).sum();
    for sample in &mut samples {
        sample.weight /= total;
    }
    samples
}

/// Point `i` of the Hammersley set of `count`, shifted by half a step so that no sample is the pole.
fn hammersley(i: u32, count: u32) -> [f32; 2] {
    let radical_inverse = (i.reverse_bits() >> 8) as f32 / (1 << 24) as f32;
    [radical_inverse, (i as f32 + 0.5) / count as f32]
}

/// Irradiance / pi for normals over the sphere: the cosine-weighted mean of the map's upper half about each, summed over its texels. Harmonics
/// of bands 0 to 2 would be a quarter off around a window in a room, and several times the light on the side away from a low sun. The result
/// are the nodes of a grid, row by row, see [`square_from_node`].
pub(super) fn irradiance(map: &RadianceMap, edge: usize) -> Vec<Vec3A> {
    let inner = 1..map.size - 1;
    let texels: Vec<(Vec3A, Vec3A, f32)> = inner
        .clone()
        .flat_map(|y| inner.clone().map(move |x| (x, y)))
        .map(|(x, y)| {
            let square = square_from_texels(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), map.size);
            let direction = Vec3A::from(octahedron_from_square(square)).normalize();
            let weight = solid_angle_density(square);
            (direction, map.texels[y * map.size + x] * weight, weight)
        })
        .collect();
    let nodes = (0..edge * edge).into_par_iter();
    let irradiance = nodes.map(|node| {
        let square = square_from_node(node % edge, node / edge, edge);
        let normal = Vec3A::from(octahedron_from_square(square)).normalize();
        let (mut sum, mut total) = (Vec3A::ZERO, 0.0);
        for &(direction, radiance, weight) in &texels {
            let cosine = normal.dot(direction).max(0.0);
            sum += radiance * cosine;
            total += weight * cosine;
        }
        sum / total
    });
    irradiance.collect()
}
