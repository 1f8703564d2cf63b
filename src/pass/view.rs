//! Views: the part of a texture that a program or an attachment sees, and as what.

use azulejo_shader::{ImageDimension, ScalarType, TextureContent, TextureKind};
use wgpu_types::{Extent3d, TextureAspect, TextureDimension, TextureFormat, TextureViewDimension};

use crate::blocks::TexelBlocks;
use crate::error::{Result, fault};
use crate::memory::{Memory, Texture, TextureId, TextureSpec};
use crate::texel::{Texel, TexelFormat};

/// Part of a texture; what is `None` is as the texture has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextureView {
    /// The texture.
    pub texture: TextureId,
    /// Axes, layers, cube.
    pub dimension: Option<TextureViewDimension>,
    /// The texture's format, or its twin with or without sRGB.
    pub format: Option<TextureFormat>,
    /// Depth or stencil of a format with both.
    pub aspect: TextureAspect,
    /// First level.
    pub first_mip: u32,
    /// Levels.
    pub mips: Option<u32>,
    /// First layer.
    pub first_layer: u32,
    /// Layers.
    pub layers: Option<u32>,
}

impl TextureView {
    /// All of a texture.
    #[must_use]
    pub const fn of(texture: TextureId) -> Self {
        Self {
            texture,
            dimension: None,
            format: None,
            aspect: TextureAspect::All,
            first_mip: 0,
            mips: None,
            first_layer: 0,
            layers: None,
        }
    }
}

/// A view whose fields are all known and lie in its texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) texture: TextureId,
    pub(crate) dimension: TextureViewDimension,
    pub(crate) format: TexelFormat,
    pub(crate) is_stencil: bool,
    pub(crate) first_mip: u32,
    pub(crate) mips: u32,
    pub(crate) first_layer: u32,
    /// Layers of an array or faces of cubes; 1 otherwise.
    pub(crate) layers: u32,
    /// Samples of a texel.
    pub(crate) samples: u32,
    /// Texels of the view's first level: width, height, depth.
    pub(crate) size: [u32; 3],
}

impl View {
    pub(crate) fn new(memory: &Memory, view: &TextureView) -> Result<Self> {
        Self::within(memory, view)
            .map_err(|error| error.within(format!("view of texture {}", view.texture.0)))
    }

    fn within(memory: &Memory, view: &TextureView) -> Result<Self> {
        let spec = memory.spec(view.texture)?;
        let format = view.format.unwrap_or(spec.format);
        if format.remove_srgb_suffix() != spec.format.remove_srgb_suffix() {
            return Err(fault!(
                "format {format:?}; expected {:?} or its twin",
                spec.format
            ));
        }
        let all_layers = match spec.dimension {
            TextureDimension::D3 => 1,
            _ => spec.size.depth_or_array_layers,
        };
        let dimension = view.dimension.unwrap_or(match spec.dimension {
            TextureDimension::D1 => TextureViewDimension::D1,
            TextureDimension::D2 if all_layers > 1 => TextureViewDimension::D2Array,
            TextureDimension::D2 => TextureViewDimension::D2,
            TextureDimension::D3 => TextureViewDimension::D3,
        });
        let (mips, layers) = (
            part("levels", view.first_mip, view.mips, spec.mips)?,
            part(
                "layers",
                view.first_layer,
                view.layers.or(single(dimension)),
                all_layers,
            )?,
        );
        if dimension.compatible_texture_dimension() != spec.dimension || !fits(dimension, layers) {
            return Err(fault!(
                "{dimension:?} of {layers} layers; expected what a texture of {:?} has",
                spec.dimension
            ));
        }
        check_faces(dimension, spec.size)?;
        let first = spec.level(view.first_mip);
        let depth = match spec.dimension {
            TextureDimension::D3 => first.depth_or_array_layers,
            _ => 1,
        };
        Ok(Self {
            texture: view.texture,
            dimension,
            format: TexelFormat::new(format)?,
            is_stencil: view.aspect == TextureAspect::StencilOnly
                || format == TextureFormat::Stencil8,
            first_mip: view.first_mip,
            mips,
            first_layer: view.first_layer,
            layers,
            samples: spec.samples,
            size: [first.width, first.height, depth],
        })
    }

    /// Checks that it is a texture of this kind.
    pub(crate) fn check(&self, kind: &TextureKind) -> Result<()> {
        let expected = match (kind.dimension, kind.arrayed) {
            (ImageDimension::D1, _) => TextureViewDimension::D1,
            (ImageDimension::D2, false) => TextureViewDimension::D2,
            (ImageDimension::D2, true) => TextureViewDimension::D2Array,
            (ImageDimension::D3, _) => TextureViewDimension::D3,
            (ImageDimension::Cube, false) => TextureViewDimension::Cube,
            (ImageDimension::Cube, true) => TextureViewDimension::CubeArray,
        };
        if self.dimension != expected {
            return Err(fault!(
                "a view of {:?}; expected {expected:?}",
                self.dimension
            ));
        }
        let name = self.format.name;
        let has_depth = self.format.depth_stencil()[0] && !self.is_stencil;
        let is_integer = self.is_stencil || self.format.is_integer();
        let (fits, is_multisampled) = match kind.content {
            TextureContent::Sampled {
                scalar,
                multisampled,
            } => {
                let found = match (is_integer, self.format.is_signed_integer()) {
                    (false, _) => ScalarType::F32,
                    (true, false) => ScalarType::U32,
                    (true, true) => ScalarType::I32,
                };
                (found == scalar, multisampled)
            }
            TextureContent::Depth { multisampled } => (has_depth, multisampled),
            TextureContent::Storage(format) => {
                (format!("{format:?}") == format!("{name:?}"), false)
            }
        };
        if !fits {
            return Err(fault!("{name:?}; expected {:?}", kind.content));
        }
        if is_multisampled != (self.samples > 1) {
            return Err(fault!(
                "{} samples; expected {}",
                self.samples,
                if is_multisampled { 4 } else { 1 }
            ));
        }
        Ok(())
    }

    /// Blocks of the texture, or of the plane of it that is seen.
    pub(crate) fn blocks(&self, spec: &TextureSpec) -> TexelBlocks {
        TexelBlocks::new(spec, self.format.plane_bytes(self.is_stencil))
    }

    /// Texels of a level of the view.
    pub(crate) fn level(&self, mip: u32) -> [u32; 3] {
        self.size.map(|edge| (edge >> mip.min(31)).max(1))
    }

    /// Numbers of a texel: column, row, and slice or layer, all within the view.
    pub(crate) fn texel(&self, texture: &Texture, mip: u32, place: [u32; 3], sample: u32) -> Texel {
        let texel = texture.texel(self.format, self.first_mip + mip, self.place(place), sample);
        match (self.format.depth_stencil(), self.is_stencil) {
            ([true, true], true) => [texel[1], 0, 0, 1],
            ([true, _], false) => [texel[0], 0, 0, 1.0_f32.to_bits()],
            _ => texel,
        }
    }

    /// Replaces a texel likewise.
    pub(crate) fn put(&self, texture: &mut Texture, mip: u32, place: [u32; 3], texel: Texel) {
        texture.put(
            self.format,
            (self.first_mip + mip, self.place(place), 0),
            texel,
        );
    }

    /// Place in the texture.
    pub(crate) const fn place(&self, [x, y, z]: [u32; 3]) -> [u32; 3] {
        [x, y, z + self.first_layer]
    }
}

/// How many of the texture's levels or layers a view has.
fn part(what: &str, first: u32, count: Option<u32>, all: u32) -> Result<u32> {
    let left = all.saturating_sub(first);
    let count = count.unwrap_or(left);
    if count == 0 || count > left {
        return Err(fault!(
            "{count} {what} from {first} on; expected them within {all}"
        ));
    }
    Ok(count)
}

/// Layers of a view that can have no other number.
const fn single(dimension: TextureViewDimension) -> Option<u32> {
    match dimension {
        TextureViewDimension::D2 | TextureViewDimension::D1 | TextureViewDimension::D3 => Some(1),
        TextureViewDimension::Cube => Some(6),
        _ => None,
    }
}

/// Checks that faces of a cube are squares.
fn check_faces(dimension: TextureViewDimension, size: Extent3d) -> Result<()> {
    use TextureViewDimension::{Cube, CubeArray};
    if matches!(dimension, Cube | CubeArray) && size.width != size.height {
        return Err(fault!(
            "a cube of {} x {} texels; expected squares",
            size.width,
            size.height
        ));
    }
    Ok(())
}

fn fits(dimension: TextureViewDimension, layers: u32) -> bool {
    match dimension {
        TextureViewDimension::D2Array => true,
        TextureViewDimension::Cube => layers == 6,
        TextureViewDimension::CubeArray => layers.is_multiple_of(6),
        _ => layers == 1,
    }
}
