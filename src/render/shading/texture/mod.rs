//! Texture sampling: coordinates to filtered colours, for all textures of a material together.
//!
//! Textures that a material samples at the same coordinates and that have the same shape (dimensions, sampler) form a
//! [`TextureGroup`]: level of detail, wrapping, addresses and weights are computed once for the group; each texture then
//! only fetches, decodes and sums.
//!
//! A program of your own samples a scene's texture so:
//!
//! ```
//! # mod azulejo { pub use azulejo_render as render; pub use azulejo_scene as scene; pub use azulejo_simd as simd; }
//! use azulejo::render::shading::texture::{Channels, TextureGroups};
//! use azulejo::render::shading::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
//! use azulejo::scene::{Material, Scene};
//! use azulejo::simd::Lanes;
//!
//! struct Decal<'a> {
//!     textures: TextureGroups<'a>,
//!     varyings: VaryingLayout,
//! }
//!
//! impl<'a> Decal<'a> {
//!     fn new(scene: &'a Scene, material: &Material) -> Self {
//!         let (mut textures, mut varyings) = (TextureGroups::default(), VaryingLayout::default());
//!         if let Some(texture) = &material.base_color_texture {
//!             textures.add(scene, texture, 0, Channels::RGBA); // its colour comes at place 0
//!         }
//!         for group in &textures.0 {
//!             varyings.tex_coords[group.tex_coord] = varyings.take(2);
//!         }
//!         Self { textures, varyings }
//!     }
//! }
//!
//! impl FragmentProgram for Decal<'_> {
//!     fn varyings(&self) -> VaryingLayout {
//!         self.varyings
//!     }
//!
//!     #[inline(always)]
//!     fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
//!         let mut colors = [[l.f(1.0); 4]];
//!         for group in &self.textures.0 {
//!             let first = usize::from(self.varyings.tex_coords[group.tex_coord].unwrap_or(0));
//!             let uv = [inputs.varyings[first], inputs.varyings[first + 1]];
//!             group.sample(l, uv, &mut colors);
//!         }
//!         FragmentOutput { rgba: colors[0], keep: l.mask(0xffff) }
//!     }
//! }
//! ```

mod block_alphas;
mod bound;
mod filter;
mod flat;
#[cfg(test)]
mod flat_tests;
mod footprint;
#[cfg(test)]
mod group_tests;
mod member;
mod packed;
mod row_layout;
mod rows;
mod shape;
#[cfg(test)]
mod tests;

pub(super) use block_alphas::BlockAlphas;
pub(crate) use block_alphas::SlantedTriangle;
pub use bound::{BoundTexture, Lookup, LookupRow, TexelNotes};
pub use filter::Channels;
pub(crate) use flat::{BlockCells, FlatMemo, FlatPlace, Reach};
pub(super) use flat::{FlatSample, FlatTexture, Plane};
pub(super) use footprint::LevelShape;

use azulejo_scene::{Scene, TextureRef};
use azulejo_simd::{Lanes, map};
use footprint::{SampleFootprint, sample_footprint};
use member::GroupTexture;
use packed::{ColumnPlan, Columns};
use rows::Rows;
use shape::TextureShape;

/// Textures that share coordinates and shape.
#[derive(Debug, Clone)]
pub struct TextureGroup<'a> {
    /// Number of the texture coordinate set.
    pub tex_coord: usize,
    /// `KHR_texture_transform`: rows that (u, v, 1) is multiplied with; `None` for the identity.
    transform: Option<[[f32; 3]; 2]>,
    /// Sampler and mip layout, on which the addresses depend.
    shape: TextureShape,
    /// Textures that are sampled, all at the same coordinates.
    textures: Vec<GroupTexture<'a>>,
    /// The slots of `textures`, for the recorder.
    slots: Vec<u8>,
    /// Copy of the texels in another arrangement.
    copy: Option<Copied>,
}

/// Copies of a group's texels.
#[derive(Debug, Clone)]
enum Copied {
    Columns(Columns),
    Rows(Rows),
}

/// Groups of a material's textures.
#[derive(Debug, Clone, Default)]
pub struct TextureGroups<'a>(pub Vec<TextureGroup<'a>>);

impl<'a> TextureGroups<'a> {
    /// Adds the texture to the group that it fits, or to a new one.
    pub fn add(&mut self, scene: &'a Scene, texture: &TextureRef, slot: u8, channels: Channels) {
        let found = scene.textures.get(texture.texture.index());
        let Some((texture_of_scene, image)) =
            found.and_then(|t| Some((t, scene.images.get(t.image.index())?)))
        else {
            return;
        };
        let member = GroupTexture {
            slot,
            image,
            channels,
        };
        let group = TextureGroup {
            tex_coord: texture.tex_coord as usize,
            transform: rows(texture),
            shape: TextureShape::new(image, texture_of_scene.sampler),
            textures: Vec::new(),
            slots: Vec::new(),
            copy: None,
        };
        let fits = |other: &&mut TextureGroup<'_>| {
            (other.tex_coord, other.transform, &other.shape)
                == (group.tex_coord, group.transform, &group.shape)
        };
        let to = if let Some(existing) = self.0.iter_mut().find(fits) {
            existing
        } else {
            self.0.push(group);
            let last = self.0.len() - 1;
            &mut self.0[last]
        };
        to.slots.push(slot);
        to.textures.push(member);
        to.copy = None;
    }

    /// Once all textures are there: lets the groups read texels that are arranged to be sampled fast, side by side where
    /// several are sampled together, else in rows where they are filtered linearly. The scene's images keep them.
    pub fn pack(&mut self) {
        self.0.iter_mut().for_each(TextureGroup::pack);
    }
}

/// The transform's first two rows, unless it does nothing.
fn rows(texture: &TextureRef) -> Option<[[f32; 3]; 2]> {
    if texture.transform == glam::Mat3::IDENTITY {
        return None;
    }
    let m = texture.transform.transpose();
    Some([m.x_axis.to_array(), m.y_axis.to_array()])
}

impl TextureGroup<'_> {
    fn pack(&mut self) {
        self.copy = match ColumnPlan::new(&self.textures) {
            Some(plan) => plan.copy(&self.textures).map(Copied::Columns),
            None => Rows::of(&self.shape, &self.textures).map(Copied::Rows),
        };
    }

    /// The group's texture, if it has one alone and in rows; `first_varying` is where its coordinates are.
    pub(super) fn flat(&self, first_varying: usize) -> Option<FlatTexture<'_>> {
        match &self.copy {
            Some(Copied::Rows(rows)) if self.textures.len() == 1 => Some(FlatTexture {
                shape: &self.shape,
                rows,
                transform: self.transform,
                first_varying,
            }),
            _ => None,
        }
    }

    /// Samples every texture at `uv` (before the group's transform) and puts the colours into `colors[slot]`; channels not
    /// in use keep their value times a constant.
    #[inline(always)]
    pub fn sample<L: Lanes>(&self, l: L, uv: [L::F; 2], colors: &mut [[L::F; 4]]) {
        let mut uv = uv;
        if let Some(rows) = self.transform {
            uv = map(
                rows,
                #[inline(always)]
                |[a, b, c]| l.mul_add(uv[0], l.f(a), l.mul_add(uv[1], l.f(b), l.f(c))),
            );
        }
        l.textures(
            &self.slots,
            &uv,
            colors,
            #[inline(always)]
            |colors| self.sample_all(l, uv, colors),
        );
    }

    #[inline(always)]
    fn sample_all<L: Lanes>(&self, l: L, uv: [L::F; 2], colors: &mut [[L::F; 4]]) {
        l.part(
            #[inline(always)]
            || match &self.copy {
                // A recorded program names the texels of the plain layout, which are known.
                Some(Copied::Rows(rows)) if L::COMPUTES => {
                    if L::WATCHED {
                        self.read_plain(l, uv);
                    }
                    if l.wants_texels() {
                        let (shape, textures) = (&self.shape, &self.textures);
                        rows.sample(l.unwatched(), shape, textures, uv, colors);
                    }
                }
                Some(Copied::Columns(columns)) if !L::WATCHED => {
                    let footprint = sample_footprint(l, &self.shape, uv);
                    columns.sample(l, &self.textures, &footprint, colors);
                }
                _ => self.sample_plain(l, uv, colors),
            },
        );
    }

    /// Samples from the plain layout.
    #[inline(always)]
    fn sample_plain<L: Lanes>(&self, l: L, uv: [L::F; 2], colors: &mut [[L::F; 4]]) {
        let footprint = sample_footprint(l, &self.shape, uv);
        for (member, texture) in self.textures.iter().enumerate() {
            l.samples(member);
            colors[usize::from(texture.slot)] = if footprint.is_one_texel {
                texture.nearest(l, &footprint)
            } else {
                texture.filtered(l, &footprint)
            };
        }
    }

    /// Repeats a sample's reads in the plain layout, for lanes that watch reads.
    #[inline(always)]
    fn read_plain<L: Lanes>(&self, l: L, uv: [L::F; 2]) {
        self.read(l, &sample_footprint(l, &self.shape, uv));
    }

    /// Reads the texels of a footprint, for lanes that watch reads.
    #[inline(always)]
    fn read<L: Lanes>(&self, l: L, footprint: &SampleFootprint<L>) {
        let SampleFootprint { first, second, .. } = footprint;
        for (member, texture) in self.textures.iter().enumerate() {
            l.samples(member);
            let texels = texture.image.texels();
            l.fetch(texels, &first.texels);
            if let Some(second) = second {
                l.fetch(texels, &second.texels);
            }
        }
    }
}
