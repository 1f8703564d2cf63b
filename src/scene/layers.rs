//! Layers that glTF's material extensions put around the metallic-roughness model, as the files say it: factors with the
//! textures that multiply them. Formulas stand with the programs that draw them.

use glam::Vec3;

use super::TextureRef;

/// A clear varnish over everything else (`KHR_materials_clearcoat`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clearcoat {
    /// How much of the surface it covers, 0 to 1.
    pub factor: f32,
    /// Multiplies `factor`, in red.
    pub texture: Option<TextureRef>,
    /// Perceptual roughness of the coat, 0 to 1.
    pub roughness: f32,
    /// Multiplies `roughness`, in green.
    pub roughness_texture: Option<TextureRef>,
    /// Tangent-space normal map of the coat; without one it follows the mesh, whatever the surface below does.
    pub normal_texture: Option<TextureRef>,
    /// Scales x and y of the mapped normal.
    pub normal_scale: f32,
}

impl Default for Clearcoat {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        }
    }
}

/// Fibres that stand on the surface, such as velvet's (`KHR_materials_sheen`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sheen {
    /// Linear RGB, each 0 to 1.
    pub color: Vec3,
    /// Texture in sRGB that multiplies `color`.
    pub color_texture: Option<TextureRef>,
    /// How far the fibres lean from the normal, 0 to 1.
    pub roughness: f32,
    /// Multiplies `roughness`, in alpha.
    pub roughness_texture: Option<TextureRef>,
}

/// Roughness that depends on the direction, such as that of brushed metal (`KHR_materials_anisotropy`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Anisotropy {
    /// 0 (none) to 1: how much rougher the surface is along the direction than across.
    pub strength: f32,
    /// Angle from the tangent to the direction, radians counter-clockwise.
    pub rotation: f32,
    /// The direction in red and green, -1 to 1, turned by `rotation`; the factor on `strength` in blue.
    pub texture: Option<TextureRef>,
}

/// A film as thin as light's wavelengths (`KHR_materials_iridescence`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iridescence {
    /// How much of the surface it covers, 0 to 1.
    pub factor: f32,
    /// Multiplies `factor`, in red.
    pub texture: Option<TextureRef>,
    /// Index of refraction of the film, 1 or more.
    pub ior: f32,
    /// Thickness in nanometres where `thickness_texture` is 0.
    pub thickness_minimum: f32,
    /// Thickness in nanometres where `thickness_texture` is 1, or missing.
    pub thickness_maximum: f32,
    /// Thickness from the minimum to the maximum, in green.
    pub thickness_texture: Option<TextureRef>,
}

impl Default for Iridescence {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            ior: 1.3,
            thickness_minimum: 100.0,
            thickness_maximum: 400.0,
            thickness_texture: None,
        }
    }
}

/// Light that goes through the surface instead of being scattered back below it (`KHR_materials_transmission`).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Transmission {
    /// The share of it, 0 to 1.
    pub factor: f32,
    /// Multiplies `factor`, in red.
    pub texture: Option<TextureRef>,
}

/// Medium below the surface (`KHR_materials_volume`, `KHR_materials_dispersion`); without it walls are infinitely thin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Volume {
    /// Length of light's way below the surface, in the mesh's space; 0 for a thin wall.
    pub thickness: f32,
    /// Multiplies `thickness`, in green.
    pub thickness_texture: Option<TextureRef>,
    /// Metres after which white light has `attenuation_color`; infinite where nothing is absorbed.
    pub attenuation_distance: f32,
    /// Linear RGB, each above 0 to 1.
    pub attenuation_color: Vec3,
    /// 20 over the Abbe number: how far the indices of refraction of red and blue lie apart; 0 for not at all.
    pub dispersion: f32,
}

impl Default for Volume {
    fn default() -> Self {
        Self {
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: f32::INFINITY,
            attenuation_color: Vec3::ONE,
            dispersion: 0.0,
        }
    }
}

/// Light that is scattered through to the other side (`KHR_materials_diffuse_transmission`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiffuseTransmission {
    /// The share of what would be scattered back, 0 to 1.
    pub factor: f32,
    /// Multiplies `factor`, in alpha.
    pub texture: Option<TextureRef>,
    /// Linear RGB, each 0 to 1.
    pub color: Vec3,
    /// Texture in sRGB that multiplies `color`.
    pub color_texture: Option<TextureRef>,
}

impl Default for DiffuseTransmission {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            color: Vec3::ONE,
            color_texture: None,
        }
    }
}
