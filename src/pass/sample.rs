//! Samples and gathers of textures (Vulkan 1.3, 16, "Image Operations").
//!
//! Levels come from the derivatives of a quad's first row and column, as float arithmetic of 32 bits; weights are not
//! rounded. Filters reach over the edges of a cube's faces; where three faces meet, the fourth texel is the mean of the
//! others.

use azulejo_shader::{ImageAccess, LANES_OF_BATCH, SampleRequest};
use wgpu_types::{
    AddressMode, CompareFunction, FilterMode, MipmapFilterMode, SamplerBorderColor,
    SamplerDescriptor, TextureViewDimension,
};

use crate::blocks::ImageNotes;
use crate::cube;
use crate::memory::Texture;
use crate::texel::Texel;
use crate::view::View;

/// Filters, edges, levels and comparison of a sampled texture.
pub type Sampler = SamplerDescriptor<()>;

/// A texture as an instruction of a code reads it.
#[derive(Debug)]
pub(crate) struct Image<'a> {
    pub(crate) view: &'a View,
    /// `None` where the code writes it.
    pub(crate) texture: Option<&'a Texture>,
    pub(crate) sampler: Option<&'a Sampler>,
    /// Notes of the texels that are read, if a trace wants them.
    pub(crate) notes: Option<ImageNotes<'a>>,
}

impl Image<'_> {
    /// A texel of a level of the view.
    pub(crate) fn texel(&self, texture: &Texture, mip: u32, place: [u32; 3], sample: u32) -> Texel {
        if let Some(notes) = &self.notes {
            notes.read(self.view.first_mip + mip, self.view.place(place));
        }
        self.view.texel(texture, mip, place, sample)
    }
}

pub(crate) const fn faces(view: &View) -> u32 {
    match is_cube(view) {
        true => 6,
        false => 1,
    }
}

const fn is_cube(view: &View) -> bool {
    matches!(
        view.dimension,
        TextureViewDimension::Cube | TextureViewDimension::CubeArray
    )
}

/// Coordinates of a sample, a face chosen.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// 0 to 1 over the texture.
    at: [f32; 3],
    /// Derivatives along x and y of the target.
    along: [[f32; 3]; 2],
    /// Layer, or slice's face.
    layer: u32,
}

/// One sample of an image.
pub(crate) struct Sampling<'a> {
    pub(crate) image: &'a Image<'a>,
    pub(crate) view: &'a View,
    pub(crate) texture: &'a Texture,
    pub(crate) sampler: &'a Sampler,
    pub(crate) request: &'a SampleRequest<'a>,
}

impl Sampling<'_> {
    /// Texel of a lane.
    pub(crate) fn lane(&self, lane: usize) -> Texel {
        let place = self.place(lane);
        if let ImageAccess::Gather(component) = self.request.access {
            return self.gather(&place, component, lane);
        }
        let level = self.level(&place, lane);
        let clamped = level.clamp(self.sampler.lod_min_clamp, self.sampler.lod_max_clamp);
        let filter = if clamped <= 0.0 {
            self.sampler.mag_filter
        } else {
            self.sampler.min_filter
        };
        let last = (self.view.mips - 1) as f32;
        let level = clamped.clamp(0.0, last);
        let color = match self.sampler.mipmap_filter {
            MipmapFilterMode::Nearest => {
                let nearest = ((level + 0.5).ceil() - 1.0).clamp(0.0, last);
                self.filtered(&place, nearest as u32, filter, lane)
            }
            MipmapFilterMode::Linear => {
                let (lower, share) = (level.floor(), level - level.floor());
                let fine = self.filtered(&place, lower as u32, filter, lane);
                if share == 0.0 {
                    fine
                } else {
                    let coarse = self.filtered(&place, lower as u32 + 1, filter, lane);
                    [0, 1, 2, 3].map(|k| fine[k] + (coarse[k] - fine[k]) * share)
                }
            }
        };
        color.map(f32::to_bits)
    }

    /// Floats of a row set, by axis.
    fn vector(rows: &[&[u32; LANES_OF_BATCH]], lane: usize) -> [f32; 3] {
        let mut vector = [0.0; 3];
        for (part, row) in vector.iter_mut().zip(rows) {
            *part = f32::from_bits(row[lane]);
        }
        vector
    }

    fn place(&self, lane: usize) -> Place {
        let request = self.request;
        let at = Self::vector(request.coordinates, lane);
        let along = match request.access {
            ImageAccess::SampleGradient => {
                let (x, y) = request.gradients.split_at(request.gradients.len() / 2);
                [Self::vector(x, lane), Self::vector(y, lane)]
            }
            ImageAccess::Sample | ImageAccess::SampleBias => {
                let quad = lane & !3;
                let [first, right, below] =
                    [quad, quad + 1, quad + 2].map(|lane| Self::vector(request.coordinates, lane));
                [right, below].map(|to| std::array::from_fn(|k| to[k] - first[k]))
            }
            _ => [[0.0; 3]; 2],
        };
        let layers = self.view.layers / faces(self.view);
        let layer = request.layer.map_or(0, |row| row[lane].cast_signed());
        let layer = layer.clamp(0, layers.cast_signed() - 1).cast_unsigned();
        if is_cube(self.view) {
            let face = cube::face(at);
            let (at, along) = cube::on_face(face, at, along);
            return Place {
                at,
                along,
                layer: 6 * layer + face as u32,
            };
        }
        let at = if request.clamp_to_edge {
            let half = self.view.size.map(|edge| 0.5 / edge as f32);
            std::array::from_fn(|k| at[k].clamp(half[k], 1.0 - half[k]))
        } else {
            at
        };
        Place { at, along, layer }
    }

    fn level(&self, place: &Place, lane: usize) -> f32 {
        let request = self.request;
        let given = request.level.map_or(0.0, |row| f32::from_bits(row[lane]));
        if request.access == ImageAccess::SampleLevel {
            return given;
        }
        let size = self.view.size;
        let longest = place.along.map(|along| {
            let texels = (0..3).map(|k| along[k] * size[k] as f32);
            texels.map(|part| part * part).sum::<f32>()
        });
        let longest = longest[0].max(longest[1]);
        let bias = if request.access == ImageAccess::SampleBias {
            given
        } else {
            0.0
        };
        0.5 * libm::log2f(longest) + bias
    }

    /// Axes that are filtered.
    fn axes(&self) -> usize {
        match self.view.dimension {
            TextureViewDimension::D1 => 1,
            TextureViewDimension::D3 => 3,
            _ => 2,
        }
    }

    /// Texels of a level around a place, with their weights.
    fn filtered(&self, place: &Place, mip: u32, filter: FilterMode, lane: usize) -> [f32; 4] {
        let size = self.view.level(mip);
        let axes = self.axes();
        let scaled: [f32; 3] =
            std::array::from_fn(|k| place.at[k] * size[k] as f32 + self.request.offset[k] as f32);
        if filter == FilterMode::Nearest {
            let texel = std::array::from_fn(|k| if k < axes { floor(scaled[k]) } else { 0 });
            return self.compared(self.texel(mip, texel, place.layer), lane);
        }
        let low = scaled.map(|part| part - 0.5);
        let share: [f32; 3] = std::array::from_fn(|k| low[k] - low[k].floor());
        let mut sum = [0.0; 4];
        let mut missing = 0.0;
        for corner in 0..1_usize << axes {
            let beyond = |k: usize| (corner >> k & 1) as i32;
            let texel = std::array::from_fn(|k| {
                if k < axes {
                    floor(low[k]).saturating_add(beyond(k))
                } else {
                    0
                }
            });
            let weight: f32 = (0..axes)
                .map(|k| {
                    if beyond(k) == 1 {
                        share[k]
                    } else {
                        1.0 - share[k]
                    }
                })
                .product();
            if is_cube(self.view) && cube::is_corner(texel, size[0]) {
                missing = weight;
                continue;
            }
            let color = self.compared(self.texel(mip, texel, place.layer), lane);
            for (sum, color) in sum.iter_mut().zip(color) {
                *sum += color * weight;
            }
        }
        if missing > 0.0 {
            return self.with_corner(place, mip, &low, (sum, missing), lane);
        }
        sum
    }

    /// The mean of three texels in place of the one that a corner of a cube lacks.
    fn with_corner(
        &self,
        place: &Place,
        mip: u32,
        low: &[f32; 3],
        (sum, missing): ([f32; 4], f32),
        lane: usize,
    ) -> [f32; 4] {
        let size = self.view.level(mip);
        let around = [[0, 0], [1, 0], [0, 1], [1, 1]]
            .map(|[x, y]| {
                [
                    floor(low[0]).saturating_add(x),
                    floor(low[1]).saturating_add(y),
                    0,
                ]
            })
            .into_iter()
            .filter(|texel| !cube::is_corner(*texel, size[0]))
            .map(|texel| self.compared(self.texel(mip, texel, place.layer), lane));
        let mut mean = sum;
        for color in around {
            for (mean, color) in mean.iter_mut().zip(color) {
                *mean += color * missing / 3.0;
            }
        }
        mean
    }

    /// The four texels that a bilinear filter would weigh, of one component.
    fn gather(&self, place: &Place, component: u8, lane: usize) -> Texel {
        let size = self.view.size;
        let low: [f32; 3] = std::array::from_fn(|k| {
            place.at[k] * size[k] as f32 + self.request.offset[k] as f32 - 0.5
        });
        [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[x, y]| {
            let texel = [
                floor(low[0]).saturating_add(x),
                floor(low[1]).saturating_add(y),
                0,
            ];
            let texel = self.texel(0, texel, place.layer);
            match self.sampler.compare {
                Some(_) => self.compared(texel, lane)[0].to_bits(),
                None => texel[usize::from(component)],
            }
        })
    }

    /// A texel's floats, or whether the reference compares with it.
    fn compared(&self, texel: Texel, lane: usize) -> [f32; 4] {
        let texel = texel.map(f32::from_bits);
        match (self.sampler.compare, self.request.reference) {
            (Some(compare), Some(reference)) => {
                let reference = f32::from_bits(reference[lane]);
                // Fixed-point depths hold 0 to 1.
                let reference = match self.view.format.has_fixed_depth() {
                    true => reference.clamp(0.0, 1.0),
                    false => reference,
                };
                let passes = holds(compare, reference, texel[0]);
                [f32::from(u8::from(passes)), 0.0, 0.0, 1.0]
            }
            _ => texel,
        }
    }

    /// A texel of a layer by column and row, which may lie beyond the edges.
    fn texel(&self, mip: u32, texel: [i32; 3], layer: u32) -> Texel {
        let size = self.view.level(mip);
        if is_cube(self.view) {
            let (face, [x, y]) = cube::wrapped(layer % 6, texel, size[0]);
            let place = [x, y, layer / 6 * 6 + face];
            return self.image.texel(self.texture, mip, place, 0);
        }
        let modes = [
            self.sampler.address_mode_u,
            self.sampler.address_mode_v,
            self.sampler.address_mode_w,
        ];
        let mut place = [0; 3];
        for k in 0..self.axes() {
            match wrapped(modes[k], texel[k], size[k]) {
                Some(at) => place[k] = at,
                None => return self.border(),
            }
        }
        if self.view.dimension != TextureViewDimension::D3 {
            place[2] = layer;
        }
        self.image.texel(self.texture, mip, place, 0)
    }

    fn border(&self) -> Texel {
        let color = match self.sampler.border_color {
            Some(SamplerBorderColor::OpaqueBlack) => [0.0, 0.0, 0.0, 1.0],
            Some(SamplerBorderColor::OpaqueWhite) => [1.0; 4],
            _ => [0.0; 4],
        };
        color.map(f32::to_bits)
    }
}

/// Largest whole number that is no larger.
fn floor(value: f32) -> i32 {
    value.floor() as i32
}

/// Texel of an axis; `None` for the border.
fn wrapped(mode: AddressMode, at: i32, size: u32) -> Option<u32> {
    let size = size.cast_signed();
    let inside = match mode {
        AddressMode::ClampToEdge => at.clamp(0, size - 1),
        AddressMode::Repeat => at.rem_euclid(size),
        AddressMode::MirrorRepeat => {
            let at = at.rem_euclid(2 * size);
            at.min(2 * size - 1 - at)
        }
        AddressMode::ClampToBorder => return (0..size).contains(&at).then_some(at.cast_unsigned()),
    };
    Some(inside.cast_unsigned())
}

/// Whether a comparison holds between what comes and what is there.
pub(crate) fn holds<T: PartialOrd>(compare: CompareFunction, new: T, old: T) -> bool {
    match compare {
        CompareFunction::Never => false,
        CompareFunction::Less => new < old,
        CompareFunction::Equal => new == old,
        CompareFunction::LessEqual => new <= old,
        CompareFunction::Greater => new > old,
        CompareFunction::NotEqual => new != old,
        CompareFunction::GreaterEqual => new >= old,
        CompareFunction::Always => true,
    }
}
