//! Textures as the caller has them: a program asks for all lanes of a batch at once.

use std::fmt;

use super::super::code::ImageAccess;
use super::batch::LANES_OF_BATCH;

/// Up to four numbers of each lane, as bits; floats of sampled textures, integers of integer textures.
pub type Texels = [[u32; LANES_OF_BATCH]; 4];

/// Most rows of an access: derivatives of three coordinates along two axes.
pub(super) const MOST_ROWS: usize = 6;

pub(super) const NO_ROW: [u32; LANES_OF_BATCH] = [0; LANES_OF_BATCH];

/// Access of a texture by a batch.
#[derive(Debug)]
pub struct SampleRequest<'a> {
    /// Position in [`Code::images`](super::super::Code::images).
    pub image: u32,
    /// Access.
    pub access: ImageAccess,
    /// Group and binding of the texture.
    pub texture: (u32, u32),
    /// Group and binding of the sampler.
    pub sampler: Option<(u32, u32)>,
    /// Number of the batch in its workgroup; 0 in other stages.
    pub batch: u32,
    /// Lanes that ask, a bit each; quads of four lanes lie together, so derivatives can be taken.
    pub lanes: u64,
    /// Lanes that are neither discarded nor helpers, a bit each.
    pub alive: u64,
    /// Coordinates as bits: floats for samples, integers for loads and stores.
    pub coordinates: &'a [&'a [u32; LANES_OF_BATCH]],
    /// Layer of an array.
    pub layer: Option<&'a [u32; LANES_OF_BATCH]>,
    /// Level, bias, or sample number.
    pub level: Option<&'a [u32; LANES_OF_BATCH]>,
    /// Derivatives along x, then along y.
    pub gradients: &'a [&'a [u32; LANES_OF_BATCH]],
    /// Reference of a comparison.
    pub reference: Option<&'a [u32; LANES_OF_BATCH]>,
    /// Texels added.
    pub offset: [i32; 3],
    /// Texel to store.
    pub value: &'a [&'a [u32; LANES_OF_BATCH]],
    /// Coordinates are clamped half a texel inside.
    pub clamp_to_edge: bool,
}

/// Textures and samplers of a draw.
pub trait Textures: fmt::Debug {
    /// Answers an access; what it leaves is zero.
    fn access(&self, request: &SampleRequest<'_>, texels: &mut Texels);
}

/// No textures: every access gives zeros.
#[derive(Debug, Clone, Copy)]
pub struct NoTextures;

impl Textures for NoTextures {
    fn access(&self, _request: &SampleRequest<'_>, _texels: &mut Texels) {}
}
