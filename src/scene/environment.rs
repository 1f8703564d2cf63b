//! Light from all around: radiance by direction, its diffuse part and its prefiltered mip chain.
//!
//! Directions map to an octahedron unfolded into a square (Cigolle et al., "A Survey of Efficient Representations for
//! Independent Unit Vectors", JCGT 2014), which needs no trigonometry and no cube faces.

use glam::Vec3;

/// Image-based lighting of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    /// Edge of specular level 0 in texels, the one-texel border on each side included.
    pub size: u32,
    /// Specular radiance by roughness: level `l` of `levels` has edge `size >> l` and holds GGX-filtered radiance for
    /// perceptual roughness l / (levels - 1). Octahedral, +Y is the centre; RGB9E5, row by row, one texel of border that
    /// repeats what lies across the edge, so that bilinear sampling needs no special case.
    pub levels: Vec<Vec<u32>>,
    /// Irradiance / pi in spherical harmonics of bands 0 to 2, the cosine lobe folded in (Ramamoorthi and Hanrahan,
    /// "An Efficient Representation for Irradiance Environment Maps", SIGGRAPH 2001).
    pub irradiance: [Vec3; 9],
}
