//! Surfaces: glTF's metallic-roughness model and the fixed-function state of a draw.

use glam::{Vec3, Vec4};

use super::{
    Anisotropy, Clearcoat, DiffuseTransmission, Iridescence, Sheen, TextureRef, Transmission,
    Volume,
};

/// The lighting model of a material.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Shading {
    /// glTF 2.0, Appendix B.
    #[default]
    MetallicRoughness,
    /// `KHR_materials_unlit`: base colour as it is.
    Unlit,
}

/// Use of alpha in a draw.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum AlphaMode {
    /// Alpha is ignored; every fragment covers what lies behind it.
    #[default]
    Opaque,
    /// Fragments with alpha below the cutoff are discarded, the others opaque.
    Mask {
        /// Smallest alpha that is kept, 0 or more.
        cutoff: f32,
    },
    /// Source-over blending; depth is tested, not written.
    Blend,
}

/// Use of the depth buffer in a draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum DepthState {
    /// Fragments are tested, and those that pass replace the depth; blended ones ([`AlphaMode::Blend`]) are tested only.
    #[default]
    TestAndWrite,
    /// Fragments are tested, the depth stays: decals, glows.
    Test,
    /// Neither: sprites and displays, which cover what was submitted before them.
    Off,
}

/// A surface. Factors multiply what the textures give (glTF 2.0, 3.9).
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name from the file; may be empty.
    pub name: String,
    /// How the values below become a colour.
    pub shading: Shading,
    /// Linear RGBA, each 0 to 1; multiplies texture and vertex colour.
    pub base_color: Vec4,
    /// sRGB colour, linear alpha.
    pub base_color_texture: Option<TextureRef>,
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// Perceptual roughness, 0 (mirror) to 1; its square is the GGX alpha.
    pub roughness: f32,
    /// Roughness in green, metallic in blue.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Tangent-space normal map, linear.
    pub normal_texture: Option<TextureRef>,
    /// Scales x and y of the mapped normal.
    pub normal_scale: f32,
    /// Ambient occlusion, in the red channel.
    pub occlusion_texture: Option<TextureRef>,
    /// 0 ignores the occlusion texture, 1 takes it whole.
    pub occlusion_strength: f32,
    /// Linear RGB, `KHR_materials_emissive_strength` multiplied in.
    pub emissive: Vec3,
    /// Texture in sRGB that multiplies `emissive`.
    pub emissive_texture: Option<TextureRef>,
    /// Index of refraction of what is no metal (`KHR_materials_ior`): 1 or more, or 0 for what reflects everything.
    pub ior: f32,
    /// Weight of the reflection of what is no metal (`KHR_materials_specular`), 0 to 1.
    pub specular: f32,
    /// Multiplies `specular`, in alpha.
    pub specular_texture: Option<TextureRef>,
    /// Linear RGB, 0 or more; multiplies the reflectance at normal incidence of what is no metal
    /// (`KHR_materials_specular`).
    pub specular_color: Vec3,
    /// Texture in sRGB that multiplies `specular_color`.
    pub specular_color_texture: Option<TextureRef>,
    /// A varnish over everything else.
    pub clearcoat: Option<Clearcoat>,
    /// Fibres on the surface.
    pub sheen: Option<Sheen>,
    /// Roughness that depends on the direction.
    pub anisotropy: Option<Anisotropy>,
    /// A thin film between surface and coat.
    pub iridescence: Option<Iridescence>,
    /// Light that goes through.
    pub transmission: Option<Transmission>,
    /// Light that is scattered through.
    pub diffuse_transmission: Option<DiffuseTransmission>,
    /// Medium that this light passes through.
    pub volume: Option<Volume>,
    /// Use of alpha: opaque, masked or blended.
    pub alpha_mode: AlphaMode,
    /// Depth test and write.
    pub depth: DepthState,
    /// Back faces are drawn too, with their normals turned.
    pub double_sided: bool,
}

impl Material {
    /// The seven texture slots that every material has: base colour, metallic-roughness, normal, occlusion, emissive,
    /// specular, specular colour.
    #[must_use]
    pub const fn core_texture_slots(&self) -> [Option<TextureRef>; 7] {
        [
            self.base_color_texture,
            self.metallic_roughness_texture,
            self.normal_texture,
            self.occlusion_texture,
            self.emissive_texture,
            self.specular_texture,
            self.specular_color_texture,
        ]
    }

    /// All texture slots: [`Self::core_texture_slots`], then those of the layers that the material has, in the order of
    /// their fields.
    pub fn texture_slots(&self) -> impl Iterator<Item = Option<TextureRef>> {
        let clearcoat = self.clearcoat.map(|coat| {
            let Clearcoat {
                texture,
                roughness_texture,
                normal_texture,
                ..
            } = coat;
            [texture, roughness_texture, normal_texture]
        });
        let sheen = self.sheen;
        let sheen = sheen.map(|sheen| [sheen.color_texture, sheen.roughness_texture]);
        let anisotropy = self.anisotropy.map(|anisotropy| anisotropy.texture);
        let film = self.iridescence;
        let film = film.map(|film| [film.texture, film.thickness_texture]);
        let layers = clearcoat.into_iter().flatten();
        let layers = layers.chain(sheen.into_iter().flatten()).chain(anisotropy);
        let layers = layers.chain(film.into_iter().flatten());
        let through = self.transmission.map(|transmission| transmission.texture);
        let scattered = self.diffuse_transmission;
        let scattered = scattered.map(|scattered| [scattered.texture, scattered.color_texture]);
        let volume = self.volume.map(|volume| volume.thickness_texture);
        let layers = layers.chain(through);
        let layers = layers.chain(scattered.into_iter().flatten()).chain(volume);
        self.core_texture_slots().into_iter().chain(layers)
    }

    /// [`Self::texture_slots`], to be changed.
    pub(crate) fn texture_slots_mut(&mut self) -> Vec<&mut Option<TextureRef>> {
        let mut slots = vec![
            &mut self.base_color_texture,
            &mut self.metallic_roughness_texture,
            &mut self.normal_texture,
            &mut self.occlusion_texture,
            &mut self.emissive_texture,
            &mut self.specular_texture,
            &mut self.specular_color_texture,
        ];
        if let Some(coat) = &mut self.clearcoat {
            slots.push(&mut coat.texture);
            slots.push(&mut coat.roughness_texture);
            slots.push(&mut coat.normal_texture);
        }
        if let Some(sheen) = &mut self.sheen {
            slots.push(&mut sheen.color_texture);
            slots.push(&mut sheen.roughness_texture);
        }
        if let Some(anisotropy) = &mut self.anisotropy {
            slots.push(&mut anisotropy.texture);
        }
        if let Some(film) = &mut self.iridescence {
            slots.push(&mut film.texture);
            slots.push(&mut film.thickness_texture);
        }
        if let Some(transmission) = &mut self.transmission {
            slots.push(&mut transmission.texture);
        }
        if let Some(scattered) = &mut self.diffuse_transmission {
            slots.push(&mut scattered.texture);
            slots.push(&mut scattered.color_texture);
        }
        if let Some(volume) = &mut self.volume {
            slots.push(&mut volume.thickness_texture);
        }
        slots
    }

    /// The glTF extensions behind the layers that the material has.
    #[must_use]
    pub fn layers(&self) -> Vec<&'static str> {
        let layers = [
            (self.clearcoat.is_some(), "KHR_materials_clearcoat"),
            (self.sheen.is_some(), "KHR_materials_sheen"),
            (self.anisotropy.is_some(), "KHR_materials_anisotropy"),
            (self.iridescence.is_some(), "KHR_materials_iridescence"),
            (self.transmission.is_some(), "KHR_materials_transmission"),
            (
                self.diffuse_transmission.is_some(),
                "KHR_materials_diffuse_transmission",
            ),
        ];
        let present = layers.into_iter().filter(|(present, _)| *present);
        present.map(|(_, name)| name).collect()
    }

    /// Whether a layer or a direction lies over the metallic-roughness model.
    #[must_use]
    pub const fn has_layers(&self) -> bool {
        self.clearcoat.is_some()
            || self.sheen.is_some()
            || self.anisotropy.is_some()
            || self.iridescence.is_some()
            || self.transmission.is_some()
            || self.diffuse_transmission.is_some()
    }

    /// Drops the layers that cover nothing, as if the file had not named them.
    #[must_use]
    pub fn without_empty_layers(&self) -> Self {
        let mut material = self.clone();
        material.clearcoat = self.clearcoat.filter(|coat| coat.factor > 0.0);
        material.sheen = self.sheen.filter(|sheen| sheen.color.max_element() > 0.0);
        material.anisotropy = self.anisotropy.filter(|grain| grain.strength > 0.0);
        material.iridescence = self.iridescence.filter(|film| film.factor > 0.0);
        material.transmission = self.transmission.filter(|through| through.factor > 0.0);
        material.diffuse_transmission =
            (self.diffuse_transmission).filter(|through| through.factor > 0.0);
        let goes_through =
            material.transmission.is_some() || material.diffuse_transmission.is_some();
        material.volume = self.volume.filter(|_| goes_through);
        material
    }

    /// Reflectance at normal incidence of what is no metal, before `specular` and the textures: ((ior - 1) / (ior + 1))^2
    /// times `specular_color`.
    #[must_use]
    pub fn dielectric_f0(&self) -> Vec3 {
        let ratio = (self.ior - 1.0) / (self.ior + 1.0);
        self.specular_color * (ratio * ratio)
    }

    /// Whether what is no metal reflects as glTF's core says: 4 % at normal incidence.
    #[must_use]
    pub fn has_core_dielectric(&self) -> bool {
        let plain = Self::default();
        self.ior == plain.ior
            && self.specular == plain.specular
            && self.specular_color == plain.specular_color
            && self.specular_texture.is_none()
            && self.specular_color_texture.is_none()
    }
}

impl Default for Material {
    /// glTF's default material: white, metallic 1, roughness 1.
    fn default() -> Self {
        Self {
            name: String::new(),
            shading: Shading::default(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_texture: None,
            ior: 1.5,
            specular: 1.0,
            specular_texture: None,
            specular_color: Vec3::ONE,
            specular_color_texture: None,
            clearcoat: None,
            sheen: None,
            anisotropy: None,
            iridescence: None,
            transmission: None,
            diffuse_transmission: None,
            volume: None,
            alpha_mode: AlphaMode::default(),
            depth: DepthState::default(),
            double_sided: false,
        }
    }
}
