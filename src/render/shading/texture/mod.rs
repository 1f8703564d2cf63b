//! Texture sampling: coordinates to filtered colours, for all textures of a material together.
//!
//! Textures that a material samples at the same coordinates and that have the same shape (dimensions, sampler) form a
//! [`TextureGroup`]: level of detail, wrapping, addresses and weights are computed once for the group; each texture then
//! only fetches, decodes and sums.
//!
//! A program of your own samples a scene's texture so:
//!
//! ```
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

mod filter;
mod footprint;
#[cfg(test)]
mod group_tests;
mod member;
mod packed;
mod row_copy;
mod shape;
#[cfg(test)]
mod tests;

pub use filter::Channels;
pub(super) use footprint::LevelShape;

use crate::scene::{Scene, TextureRef};
use crate::simd::{Lanes, each, map};
use footprint::{LevelFootprint, SampleFootprint, sample_footprint};
use member::GroupTexture;
use packed::Columns;
use row_copy::Rows;
use shape::TextureShape;

/// Textures that share coordinates and shape.
#[derive(Debug, Clone)]
pub struct TextureGroup<'a> {
    /// Number of the texture coordinate set.
    pub tex_coord: usize,
    /// `KHR_texture_transform`: rows that (u, v, 1) is multiplied with; `None` for the identity.
    transform: Option<[[f32; 3]; 2]>,
    /// What the addresses depend on.
    shape: TextureShape,
    /// What is sampled, all at the same coordinates.
    textures: Vec<GroupTexture<'a>>,
    /// The slots of `textures`, for the recorder.
    slots: Vec<u8>,
    /// The same texels in another arrangement.
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

    /// Once all textures are there: lets the groups read copies of their texels that are faster to sample, side by side where
    /// several are sampled together, else in rows where they are filtered linearly. They are made when a program asks for the
    /// second time, and kept by the scene's images.
    pub fn pack(&mut self) {
        for group in &mut self.0 {
            let columns = Columns::of(&group.textures).map(Copied::Columns);
            group.copy = columns.or_else(|| {
                let images = group.textures.iter().map(|texture| texture.image);
                Rows::of(&group.shape, images).map(Copied::Rows)
            });
        }
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
            || {
                let copy = self.copy.as_ref().filter(|_| !L::WATCHED);
                let rows = match copy {
                    Some(Copied::Rows(rows)) => Some(rows),
                    _ => None,
                };
                let layout = rows.map(|rows| &rows.layout);
                let footprint = sample_footprint(l, &self.shape, layout, uv);
                if let Some(Copied::Columns(columns)) = copy {
                    columns.sample(l, &self.textures, &footprint, colors);
                    return;
                }
                let SampleFootprint { first, second } = &footprint;
                for (member, texture) in self.textures.iter().enumerate() {
                    l.samples(member);
                    let near = fetch(l, texture, rows, member, first);
                    let far = second.as_ref().map(
                        #[inline(always)]
                        |level| (level, fetch(l, texture, rows, member, level)),
                    );
                    let mut sums = [l.f(0.0); 4];
                    let all = match &far {
                        Some((_, far)) => each!(4, k => near[k] | far[k]),
                        None => near,
                    };
                    if texture.shows(l, all) {
                        sums = texture.filter(l, first, near, sums);
                        if let Some((level, far)) = far {
                            sums = texture.filter(l, level, far, sums);
                        }
                    }
                    colors[usize::from(texture.slot)] = texture.normalized(l, sums);
                }
            },
        )
    }
}

/// The texels of a footprint in a texture, which is this member of its group.
#[inline(always)]
fn fetch<L: Lanes>(
    l: L,
    texture: &GroupTexture<'_>,
    rows: Option<&Rows>,
    member: usize,
    footprint: &LevelFootprint<L>,
) -> [L::I; 4] {
    let [above, _, below, _] = footprint.texels;
    match rows {
        Some(rows) => rows.fetch(l, member, [above, below]),
        None => l.fetch(texture.image.texels(), &footprint.texels),
    }
}
