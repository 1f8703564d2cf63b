//! A material's layers in, what the scene shader needs of them out: which there are, their numbers, their textures.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use super::geometry::VertexStreams;
use super::slots::{LAYER_SLOT_NAMES, N_LAYER_SLOTS};
use super::specialize::Values;
use azulejo_scene::{Material, TextureRef, Volume};

/// The textures in the order of [`LAYER_SLOT_NAMES`].
pub(super) fn layer_textures(material: &Material) -> [Option<TextureRef>; N_LAYER_SLOTS] {
    let coat = material.clearcoat.unwrap_or_default();
    let sheen = material.sheen.unwrap_or_default();
    let film = material.iridescence.unwrap_or_default();
    let scattered = material.diffuse_transmission.unwrap_or_default();
    [
        coat.texture,
        coat.roughness_texture,
        coat.normal_texture,
        sheen.color_texture,
        sheen.roughness_texture,
        material.anisotropy.and_then(|grain| grain.texture),
        film.texture,
        film.thickness_texture,
        material.transmission.and_then(|it| it.texture),
        scattered.texture,
        scattered.color_texture,
        material.volume.and_then(|volume| volume.thickness_texture),
    ]
}

/// Which layers a lit surface has; those that could not be seen are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct LayerKinds {
    coat: bool,
    sheen: bool,
    /// Roughness depends on the direction.
    grain: bool,
    /// Iridescence: a thin film.
    pub(super) film: bool,
    /// Surfaces behind it can be seen.
    pub(super) transmission: bool,
    diffuse_transmission: bool,
    /// The way below the surface is longer than 0.
    volume: bool,
    dispersion: bool,
}

impl LayerKinds {
    pub(super) fn of(material: &Material, streams: &VertexStreams) -> Self {
        let [red, _, blue] = iors(material);
        let scattered = material.diffuse_transmission.unwrap_or_default();
        Self {
            coat: material.clearcoat.is_some(),
            sheen: material.sheen.is_some(),
            grain: material.anisotropy.is_some() && streams.tangent,
            film: material.iridescence.is_some(),
            transmission: material.transmission.unwrap_or_default().factor > 0.0,
            diffuse_transmission: scattered.factor != 0.0,
            volume: volume(material).thickness != 0.0,
            dispersion: red != blue,
        }
    }

    /// Whether the texture of a slot would be looked at.
    pub(super) fn samples(&self, slot: usize, streams: &VertexStreams) -> bool {
        match LAYER_SLOT_NAMES[slot].0 {
            "clearcoat_normal_texture" => self.coat && streams.tangent,
            "clearcoat_texture" | "clearcoat_roughness_texture" => self.coat,
            "sheen_color_texture" | "sheen_roughness_texture" => self.sheen,
            "anisotropy_texture" => self.grain,
            "film_texture" | "film_thickness_texture" => self.film,
            "transmission_texture" => self.transmission,
            "thickness_texture" => self.volume && (self.transmission || self.diffuse_transmission),
            _ => self.diffuse_transmission,
        }
    }

    /// Whether the shader reads tangents, with normal maps or without.
    pub(super) const fn needs_tangents(&self) -> bool {
        self.grain
    }

    /// Tells the scene shader.
    pub(super) fn describe(&self, values: &mut Values) {
        values.flag("coat", self.coat);
        values.flag("sheen", self.sheen);
        values.flag("grain", self.grain);
        values.flag("film", self.film);
        values.flag("transmission", self.transmission);
        values.flag("diffuse_transmission", self.diffuse_transmission);
        values.flag("through", self.transmission || self.diffuse_transmission);
        values.flag("volume", self.volume);
        values.flag("dispersion", self.dispersion);
    }
}

fn volume(material: &Material) -> Volume {
    material.volume.unwrap_or_default()
}

/// Indices of refraction of red, green and blue (`KHR_materials_dispersion`).
fn iors(material: &Material) -> [f32; 3] {
    // glTF takes 0 for a surface that mirrors everything; light that comes through is bent as by glass.
    let ior = if material.ior == 0.0 {
        1.5
    } else {
        material.ior
    };
    let half_spread = (ior - 1.0) * 0.025 * volume(material).dispersion;
    [ior - half_spread, ior, ior + half_spread].map(|ior| ior.max(1.0))
}

/// `Layers` of the scene shader.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LayerUniform {
    sheen_color: [f32; 3],
    sheen_roughness: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal_scale: f32,
    anisotropy: f32,
    anisotropy_rotation: [f32; 2],
    film: f32,
    film_ior: f32,
    film_thickness: [f32; 2],
    transmission: f32,
    thickness: f32,
    absorption: [f32; 3],
    diffuse_transmission: f32,
    diffuse_transmission_color: [f32; 3],
    padding: f32,
    iors: [f32; 3],
    end: f32,
}

impl LayerUniform {
    pub(super) fn of(material: &Material) -> Self {
        let coat = material.clearcoat.unwrap_or_default();
        let sheen = material.sheen.unwrap_or_default();
        let grain = material.anisotropy.unwrap_or_default();
        let film = material.iridescence.unwrap_or_default();
        let scattered = material.diffuse_transmission.unwrap_or_default();
        let volume = volume(material);
        let color = volume.attenuation_color.max(Vec3::splat(1e-6));
        let absorption = color.map(f32::ln) / volume.attenuation_distance;
        Self {
            sheen_color: sheen.color.to_array(),
            sheen_roughness: sheen.roughness,
            clearcoat: coat.factor,
            clearcoat_roughness: coat.roughness,
            clearcoat_normal_scale: coat.normal_scale,
            anisotropy: grain.strength,
            anisotropy_rotation: Vec2::from_angle(grain.rotation).to_array(),
            film: film.factor,
            film_ior: film.ior,
            film_thickness: [
                film.thickness_minimum,
                film.thickness_maximum - film.thickness_minimum,
            ],
            transmission: material.transmission.unwrap_or_default().factor,
            thickness: volume.thickness,
            absorption: absorption.to_array(),
            diffuse_transmission: scattered.factor,
            diffuse_transmission_color: scattered.color.to_array(),
            padding: 0.0,
            iors: iors(material),
            end: 0.0,
        }
    }
}
