//! What a scene's draws are made of beside geometry, as bytes: constants, which their two programs read and an engine sets
//! for every draw, and bindings, which tell programs, textures and samplers apart. Draws made by hand are recorded instead
//! (`identity.rs`); a test holds both against each other.
//!
//! Equality of these bytes decides whether a tile's inputs count as unchanged, so a draw that no light reaches holds no
//! light, and one through a layer's view nothing of the camera. Textures count by content: an upload changes the inputs
//! of the tiles that read it, and of no others.

use std::ops::Range;

use glam::Mat4;

use super::shading::{DrawProgram, FrameConstants, ProgramSource};
use super::{Background, RenderSettings};
use crate::grid::SampleCount;
use crate::scene::{
    AlphaMode, DepthState, Environment, FrameState, Instance, LightKind, Material, Primitive,
    Sampler, Scene, TextureRef, View,
};

/// Bytes of what all lit draws of a frame share: eye and lights.
pub(super) fn light_bytes(frame: &FrameConstants<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, frame.eye_world.to_array());
    for light in frame.lights {
        put(&mut bytes, light.radiance.to_array());
        put(&mut bytes, light.position_world.to_array());
        put(&mut bytes, light.direction_world.to_array());
        let (inner, outer) = match light.kind {
            LightKind::Directional => (0.0, -1.0),
            LightKind::Point => (0.0, 0.0),
            LightKind::Spot {
                inner_angle,
                outer_angle,
            } => (inner_angle, outer_angle),
        };
        put(&mut bytes, [light.range, inner, outer]);
    }
    bytes
}

/// An instance of a scene with all that its draw is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct SceneDraw<'a> {
    pub(super) source: ProgramSource<'a, 'a>,
    pub(super) program: &'a DrawProgram<'a>,
    pub(super) state: &'a FrameState,
    pub(super) instance: &'a Instance,
    pub(super) clip_from_world: Mat4,
}

impl SceneDraw<'_> {
    /// Transforms, what its fragment program reads of material and light, fixed-function state; `light` is [`light_bytes`].
    pub(super) fn constants(&self, light: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (material, state) = (self.source.material, self.state);
        put(&mut bytes, self.clip_from_world.to_cols_array());
        match &state.joints[range(&self.instance.joints)] {
            [] => put(&mut bytes, self.instance.world_from_local.to_cols_array()),
            joints => bytes.extend_from_slice(bytemuck::cast_slice(joints)),
        }
        let weights = &state.morph_weights[range(&self.instance.morph_weights)];
        bytes.extend_from_slice(bytemuck::cast_slice(weights));
        put(&mut bytes, material.base_color.to_array());
        if let AlphaMode::Mask { cutoff } = material.alpha_mode {
            put(&mut bytes, [cutoff]);
        }
        if self.is_lit() {
            lit_material(&mut bytes, material, self.source.primitive);
            if self.program.lets_light_through() {
                put(&mut bytes, [self.instance.world_from_local.determinant()]);
            }
            bytes.extend_from_slice(light);
        }
        bytes.extend(fixed_function(material));
        bytes
    }

    /// Programs, textures and samplers.
    pub(super) fn bindings(&self) -> Vec<u8> {
        let ProgramSource {
            scene,
            material,
            primitive,
            frame,
        } = self.source;
        let lit = self.is_lit();
        let streams = [
            u8::from(lit),
            u8::from(!primitive.tangents.is_empty()),
            u8::from(!primitive.colors.is_empty()),
            primitive.tex_coords.len().min(255) as u8,
        ];
        let mut bytes = streams.to_vec();
        let read = if lit { usize::MAX } else { 1 };
        for slot in material.texture_slots().take(read) {
            bytes.push(u8::from(slot.is_some()));
            if let Some(texture) = slot {
                put_texture(&mut bytes, scene, &texture);
            }
        }
        if lit && material.has_layers() {
            bytes.push(layer_set(material));
        }
        if let Some(environment) = frame.environment.filter(|_| lit) {
            put_environment(&mut bytes, environment);
        }
        bytes
    }

    const fn is_lit(&self) -> bool {
        matches!(
            self.program,
            DrawProgram::MetallicRoughness(_) | DrawProgram::Layered(_)
        )
    }
}

/// Bytes that tell an environment from another.
pub(super) fn put_environment(bytes: &mut Vec<u8>, environment: &Environment) {
    bytes.extend(environment.size.to_le_bytes());
    bytes.extend(environment.digest().to_le_bytes());
}

/// Bytes that decide what sampling a slot gives.
fn put_texture(bytes: &mut Vec<u8>, scene: &Scene, slot: &TextureRef) {
    put(bytes, slot.transform.to_cols_array());
    bytes.extend(slot.tex_coord.to_le_bytes());
    let Some(texture) = scene.textures.get(slot.texture.index()) else {
        return;
    };
    let Sampler {
        mag,
        min,
        mip,
        wrap_u,
        wrap_v,
    } = texture.sampler;
    let mip = mip.map_or(2, |filter| filter as u8);
    bytes.extend([mag as u8, min as u8, mip, wrap_u as u8, wrap_v as u8]);
    if let Some(image) = scene.images.get(texture.image.index()) {
        bytes.push(image.encoding as u8);
        let size = image
            .levels
            .first()
            .map(|level| [level.width, level.height]);
        bytes.extend(
            size.unwrap_or_default()
                .map(u32::to_le_bytes)
                .as_flattened(),
        );
        bytes.extend(image.digest().to_le_bytes());
    }
}

/// Bytes of what a whole frame shares: how tiles leave the chip.
pub(super) fn frame_bytes(settings: &RenderSettings) -> Vec<u8> {
    let mut bytes = vec![settings.tone_map as u8];
    put(&mut bytes, [settings.exposure]);
    match settings.background {
        Background::Transparent => bytes.push(0),
        Background::Color(rgb) => {
            bytes.push(1);
            put(&mut bytes, rgb.to_array());
        }
        Background::Environment => bytes.push(2),
    }
    if settings.samples != SampleCount::One {
        bytes.push(settings.samples.get() as u8);
    }
    bytes
}

/// Bytes of the background's draw: the rays through its corners follow from this.
pub(super) fn sky_bytes(view: &View) -> Vec<u8> {
    let clip_from_world = view.clip_from_view * view.view_from_world;
    let mut bytes = Vec::new();
    put(&mut bytes, clip_from_world.to_cols_array());
    bytes
}

/// What metallic-roughness shading reads beside the base colour.
fn lit_material(bytes: &mut Vec<u8>, material: &Material, primitive: &Primitive) {
    put(bytes, [material.metallic, material.roughness]);
    put(bytes, material.emissive.to_array());
    if !material.has_core_dielectric() {
        put(bytes, material.dielectric_f0().to_array());
        put(bytes, [material.specular]);
    }
    if material.normal_texture.is_some() && !primitive.tangents.is_empty() {
        put(bytes, [material.normal_scale]);
    }
    if material.occlusion_texture.is_some() {
        put(bytes, [material.occlusion_strength]);
    }
    layers(bytes, material);
}

/// What the layers over it read.
fn layers(bytes: &mut Vec<u8>, material: &Material) {
    if let Some(coat) = &material.clearcoat {
        put(bytes, [coat.factor, coat.roughness, coat.normal_scale]);
    }
    if let Some(sheen) = &material.sheen {
        put(bytes, sheen.color.to_array());
        put(bytes, [sheen.roughness]);
    }
    if let Some(anisotropy) = &material.anisotropy {
        put(bytes, [anisotropy.strength, anisotropy.rotation]);
    }
    if let Some(film) = &material.iridescence {
        let thickness = [film.thickness_minimum, film.thickness_maximum];
        put(bytes, [film.factor, film.ior]);
        put(bytes, thickness);
    }
    if let Some(transmission) = &material.transmission {
        put(bytes, [transmission.factor, material.ior]);
    }
    if let Some(scattered) = &material.diffuse_transmission {
        put(bytes, [scattered.factor]);
        put(bytes, scattered.color.to_array());
    }
    if let Some(volume) = &material.volume {
        let absorption = [volume.attenuation_distance, volume.dispersion];
        put(bytes, [volume.thickness]);
        put(bytes, volume.attenuation_color.to_array());
        put(bytes, absorption);
    }
}

/// Which layers there are, a bit each: they decide which constants are read.
fn layer_set(material: &Material) -> u8 {
    let layers = [
        material.clearcoat.is_some(),
        material.sheen.is_some(),
        material.anisotropy.is_some(),
        material.iridescence.is_some(),
        material.transmission.is_some(),
        material.diffuse_transmission.is_some(),
        material.volume.is_some(),
    ];
    let bits = (0..).zip(layers);
    bits.fold(0, |set, (bit, present)| set | u8::from(present) << bit)
}

fn fixed_function(material: &Material) -> [u8; 3] {
    let mode = match material.alpha_mode {
        AlphaMode::Opaque => 0,
        AlphaMode::Mask { .. } => 1,
        AlphaMode::Blend => 2,
    };
    let depth = match material.depth {
        DepthState::TestAndWrite => 0,
        DepthState::Test => 1,
        DepthState::Off => 2,
    };
    [mode, depth, u8::from(material.double_sided)]
}

/// A range of a frame's list.
pub(super) fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn put<const N: usize>(bytes: &mut Vec<u8>, values: [f32; N]) {
    bytes.extend_from_slice(bytemuck::cast_slice(&values));
}
