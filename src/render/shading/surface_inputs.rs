//! First steps of all surface programs: varyings, texture colours, base colour and alpha.

use glam::Vec4;

use super::flat::FlatSurface;
use super::source::ProgramSource;
use super::texture::{Channels, TextureGroups};
use super::{FragmentInputs, VaryingLayout};
use azulejo_scene::{AlphaMode, Scene, TextureRef};
use azulejo_simd::{Lanes, each};

/// The textures of a surface program. Their numbers are places in [`SurfaceInputs::sample`]'s result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
    Specular,
    SpecularColor,
    // Textures of layers: looked at by the layered program alone.
    Clearcoat,
    ClearcoatRoughness,
    ClearcoatNormal,
    SheenColor,
    SheenRoughness,
    Anisotropy,
    Film,
    FilmThickness,
    Transmission,
    DiffuseTransmission,
    DiffuseTransmissionColor,
    Thickness,
}

/// Number of slots that every surface program has: those before [`Slot::Clearcoat`].
pub(super) const CORE_SLOTS: usize = Slot::Clearcoat as usize;

/// Number of all slots.
pub(super) const ALL_SLOTS: usize = Slot::Thickness as usize + 1;

/// Colours of the core's slots, by [`Slot`].
pub(super) type TextureColors<L> = [[<L as Lanes>::F; 4]; CORE_SLOTS];

/// Which attributes a program reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Colours only, without lighting.
    Color,
    /// Position and normal, for lighting.
    Light,
}

/// The common part of surface programs, resolved for one material on one primitive.
#[derive(Debug, Clone)]
pub(super) struct SurfaceInputs<'a> {
    /// Varyings that the program reads, once [`Self::lay_out`] has run.
    pub(super) varyings: VaryingLayout,
    pub(super) alpha: AlphaMode,
    /// The alpha that a mask keeps leaves the program, and becomes coverage.
    pub(super) masks_by_alpha: bool,
    base_color: Vec4,
    textures: TextureGroups<'a>,
    has_vertex_colors: bool,
    /// Slots with a texture: a bit each.
    slots: u32,
    needs_tangents: bool,
    n_tex_coords: usize,
}

impl<'a> SurfaceInputs<'a> {
    /// Inputs with the base colour texture; the others are added by [`Self::add_texture`].
    pub(super) fn new(source: &ProgramSource<'a, '_>) -> Self {
        let ProgramSource {
            scene,
            material,
            primitive,
            ..
        } = *source;
        let mut inputs = Self {
            varyings: VaryingLayout::default(),
            alpha: material.alpha_mode,
            masks_by_alpha: false,
            base_color: material.base_color,
            textures: TextureGroups::default(),
            has_vertex_colors: !primitive.colors.is_empty(),
            slots: 0,
            needs_tangents: false,
            n_tex_coords: primitive.tex_coords.len().min(super::MAX_TEX_COORDS),
        };
        let channels = match material.alpha_mode {
            AlphaMode::Opaque => Channels::RGB,
            AlphaMode::Mask { .. } | AlphaMode::Blend => Channels::RGBA,
        };
        inputs.add_texture(
            scene,
            material.base_color_texture.as_ref(),
            Slot::BaseColor,
            channels,
        );
        inputs
    }

    /// Adds a texture if there is one and the primitive has its coordinates; its channels are 1 otherwise.
    pub(super) fn add_texture(
        &mut self,
        scene: &'a Scene,
        texture: Option<&TextureRef>,
        slot: Slot,
        channels: Channels,
    ) {
        let usable = texture.filter(|texture| (texture.tex_coord as usize) < self.n_tex_coords);
        if let Some(texture) = usable {
            self.textures.add(scene, texture, slot as u8, channels);
            self.slots |= 1 << slot as u32;
            self.needs_tangents |= matches!(slot, Slot::Normal | Slot::ClearcoatNormal);
        }
    }

    /// Whether there is a texture in the slot.
    #[inline(always)]
    pub(super) const fn has(&self, slot: Slot) -> bool {
        self.slots >> slot as u32 & 1 == 1
    }

    /// The program reads tangents, whether it has a normal map or not.
    pub(super) const fn add_tangents(&mut self) {
        self.needs_tangents = true;
    }

    /// Decides which varyings the program reads, when all textures are known.
    pub(super) fn lay_out(mut self, needs: Needs) -> Self {
        self.textures.pack();
        let mut layout = VaryingLayout::default();
        if needs == Needs::Light {
            layout.position_world = layout.take(3);
            layout.normal_world = layout.take(3);
        }
        if self.needs_tangents {
            layout.tangent_world = layout.take(4);
        }
        if self.has_vertex_colors {
            layout.color = layout.take(4);
        }
        for set in 0..self.n_tex_coords {
            if self.textures.0.iter().any(|group| group.tex_coord == set) {
                layout.tex_coords[set] = layout.take(2);
            }
        }
        self.varyings = layout;
        self
    }

    /// `N` floats of a varying; the first ones where the program does not read it.
    #[inline(always)]
    pub(super) fn varying<L: Lanes, const N: usize>(
        inputs: &FragmentInputs<L>,
        at: Option<u8>,
    ) -> [L::F; N] {
        let first = usize::from(at.unwrap_or(0)).min(super::MAX_VARYINGS - N);
        let mut values = [inputs.varyings[first]; N];
        values.copy_from_slice(&inputs.varyings[first..first + N]);
        values
    }

    /// The colours of all textures, which have slots below `SLOTS`; 1 where there is none.
    #[inline(always)]
    pub(super) fn sample<L: Lanes, const SLOTS: usize>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
    ) -> [[L::F; 4]; SLOTS] {
        let mut colors = [[l.f(1.0); 4]; SLOTS];
        for group in &self.textures.0 {
            let uv = Self::varying::<L, 2>(inputs, self.varyings.tex_coords[group.tex_coord]);
            group.sample(l, uv, &mut colors);
        }
        colors
    }

    /// The colour of the surface as data, if its textures are laid out so.
    pub(super) fn flat(&self) -> Option<FlatSurface<'_>> {
        let (opaque, masked) = match self.alpha {
            AlphaMode::Opaque => (true, false),
            AlphaMode::Blend => (false, false),
            // Alpha 0 is dropped, and alpha 1 is kept.
            AlphaMode::Mask { cutoff } if cutoff > 0.0 && cutoff <= 1.0 && !self.masks_by_alpha => {
                (false, true)
            }
            AlphaMode::Mask { .. } => return None,
        };
        let texture = match self.textures.0.as_slice() {
            [] => None,
            [group] => {
                let first = self.varyings.tex_coords[group.tex_coord]?;
                Some(group.flat(first.into())?)
            }
            _ => return None,
        };
        Some(FlatSurface {
            base_color: self.base_color.to_array(),
            vertex_color: self.varyings.color.map(usize::from),
            opaque,
            masked,
            texture,
        })
    }

    /// Base colour and alpha: material, texture ([`Slot::BaseColor`]) and vertex colour multiplied.
    #[inline(always)]
    pub(super) fn base_color<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        texture: [L::F; 4],
    ) -> [L::F; 4] {
        let material = self.base_color.to_array();
        let mut color = each!(4, k => texture[k] * l.f(material[k]));
        if self.varyings.color.is_some() {
            let vertex = Self::varying::<L, 4>(inputs, self.varyings.color);
            for k in 0..4 {
                color[k] = color[k] * vertex[k];
            }
        }
        color
    }

    /// Alpha as it leaves the program, and which fragments stay.
    #[inline(always)]
    pub(super) fn coverage<L: Lanes>(&self, l: L, alpha: L::F) -> (L::F, L::M) {
        match self.alpha {
            AlphaMode::Opaque => (l.f(1.0), l.mask(0xffff)),
            AlphaMode::Mask { cutoff } if self.masks_by_alpha => {
                let share = share_kept(l, alpha, cutoff);
                (share, l.lt(l.f(0.0), share))
            }
            AlphaMode::Mask { cutoff } => (l.f(1.0), l.le(l.f(cutoff), alpha)),
            AlphaMode::Blend => (alpha, l.mask(0xffff)),
        }
    }
}

/// The share of a pixel in which alpha is not below `cutoff`: alpha as a plane over the pixel, half of it where it meets
/// the cutoff in the centre. If alpha is the same all around, the pixel is kept whole or not at all, as without samples
/// (Golus, "Anti-aliased Alpha Test: The Esoteric Alpha To Coverage", 2017; Filament does the same).
#[inline(always)]
fn share_kept<L: Lanes>(l: L, alpha: L::F, cutoff: f32) -> L::F {
    let (zero, one) = (l.f(0.0), l.f(1.0));
    let slope = l.abs(l.ddx(alpha)) + l.abs(l.ddy(alpha));
    let beyond = (alpha - l.f(cutoff)) / slope;
    let share = l.min(l.max(beyond + l.f(0.5), zero), one);
    let whole = l.select(l.le(l.f(cutoff), alpha), one, zero);
    l.select(l.lt(zero, slope), share, whole)
}
