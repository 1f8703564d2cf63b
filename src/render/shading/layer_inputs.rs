//! Inputs of a program from the layers of a material: constants and textures.

use glam::{Vec2, Vec3};

use super::source::ProgramSource;
use super::surface_inputs::{Slot, SurfaceInputs};
use super::texture::Channels;
use azulejo_scene::{Clearcoat, Iridescence, Sheen};

#[derive(Debug, Clone, Copy)]
pub(super) struct CoatConstants {
    pub(super) factor: f32,
    pub(super) roughness: f32,
    pub(super) normal_scale: f32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct SheenConstants {
    pub(super) color: Vec3,
    pub(super) roughness: f32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct GrainConstants {
    pub(super) strength: f32,
    /// Cosine and sine of the rotation.
    pub(super) rotation: Vec2,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct FilmConstants {
    pub(super) factor: f32,
    pub(super) ior: f32,
    /// Nanometres where the texture is 0, and what is added where it is 1.
    pub(super) thickness: [f32; 2],
}

/// The textures of the layers, and tangents where they are needed.
pub(super) fn add_inputs<'a>(inputs: &mut SurfaceInputs<'a>, source: &ProgramSource<'a, '_>) {
    let (scene, material) = (source.scene, source.material);
    let mut add = |texture, slot, channels| inputs.add_texture(scene, texture, slot, channels);
    if let Some(Clearcoat {
        texture,
        roughness_texture,
        normal_texture,
        ..
    }) = &material.clearcoat
    {
        add(texture.as_ref(), Slot::Clearcoat, Channels::R);
        let roughness = roughness_texture.as_ref();
        add(roughness, Slot::ClearcoatRoughness, Channels::G);
        if source.has_tangents() {
            let normal = normal_texture.as_ref();
            add(normal, Slot::ClearcoatNormal, Channels::RGB);
        }
    }
    if let Some(Sheen {
        color_texture,
        roughness_texture,
        ..
    }) = &material.sheen
    {
        add(color_texture.as_ref(), Slot::SheenColor, Channels::RGB);
        add(
            roughness_texture.as_ref(),
            Slot::SheenRoughness,
            Channels::A,
        );
    }
    if let Some(film) = &material.iridescence {
        add(film.texture.as_ref(), Slot::Film, Channels::R);
        let thickness = film.thickness_texture.as_ref();
        add(thickness, Slot::FilmThickness, Channels::G);
    }
    if let Some(transmission) = &material.transmission {
        let texture = transmission.texture.as_ref();
        add(texture, Slot::Transmission, Channels::R);
    }
    if let Some(scattered) = &material.diffuse_transmission {
        let color = scattered.color_texture.as_ref();
        add(
            scattered.texture.as_ref(),
            Slot::DiffuseTransmission,
            Channels::A,
        );
        add(color, Slot::DiffuseTransmissionColor, Channels::RGB);
    }
    if let Some(volume) = &material.volume {
        let thickness = volume.thickness_texture.as_ref();
        add(thickness, Slot::Thickness, Channels::G);
    }
    if let Some(anisotropy) = material.anisotropy.filter(|_| source.has_tangents()) {
        let texture = anisotropy.texture.as_ref();
        add(texture, Slot::Anisotropy, Channels::RGB);
        inputs.add_tangents();
    }
}

/// Nanometres where the texture is 0, and what is added where it is 1, as it is where there is none.
pub(super) fn thickness(film: &Iridescence) -> [f32; 2] {
    let (thinnest, thickest) = (film.thickness_minimum, film.thickness_maximum);
    [thinnest, thickest - thinnest]
}
