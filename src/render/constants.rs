//! State bytes of a scene's draws beside geometry: constants, which their two programs read and an engine sets for every
//! draw, and bindings, which tell programs, textures and samplers apart. Draws made by hand are recorded instead
//! (`identity.rs`); a test holds both against each other.
//!
//! Equality of these bytes decides whether a tile's inputs count as unchanged, so a draw that no light reaches holds no
//! light, and one through a layer's view nothing of the camera. Textures count by content: an upload changes the inputs
//! of the tiles that read it, and of no others.

use std::ops::Range;

use super::identity::{StateBytes, faces};
use super::{Background, FrameInput, RenderSettings};
use azulejo_grid::SampleCount;
use azulejo_scene::{
    AlphaMode, DepthState, Environment, Instance, LightKind, Material, Primitive, Sampler, Scene,
    TextureRef, View,
};

/// Source of a scene draw's bytes: the environment, or an instance.
#[derive(Debug, Clone, Copy)]
pub(super) enum SceneDraw<'a> {
    /// The environment behind everything.
    Sky(&'a View, &'a Environment),
    /// A primitive of a scene with its placement and material.
    Instance(InstanceDraw<'a>),
}

/// An instance of a scene with what its program says of itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct InstanceDraw<'a> {
    pub(super) input: FrameInput<'a>,
    pub(super) instance: &'a Instance,
    /// Lighting is computed by its program.
    pub(super) is_lit: bool,
    /// Emission shows, though no light reaches the surface.
    pub(super) emits_unlit: bool,
    /// Light comes through it.
    pub(super) lets_light_through: bool,
    /// Picture behind the surface is sampled by its program; it counts by content like any texture, which is unknown before
    /// it is drawn.
    pub(super) looks_behind: bool,
}

impl SceneDraw<'_> {
    /// Appends the bytes that tell the draw from another, but for the picture behind it.
    pub(super) fn put_bytes(&self, to: &mut StateBytes) {
        let StateBytes {
            constants,
            bindings,
        } = to;
        match self {
            Self::Sky(view, environment) => {
                put_sky(constants, view);
                put_environment(bindings, environment);
            }
            Self::Instance(instance) => {
                instance.put_constants(constants);
                instance.put_bindings(bindings);
            }
        }
    }

    /// The digest of a primitive's geometry, if it is the scene's own of this draw.
    pub(super) fn geometry_digest(&self, primitive: &Primitive) -> Option<u64> {
        let Self::Instance(InstanceDraw {
            input, instance, ..
        }) = self
        else {
            return None;
        };
        let of_scene = &input.state.mesh(input.scene, instance.mesh).primitives;
        let number = instance.primitive as usize;
        let is_own = std::ptr::eq(of_scene.get(number)?, primitive);
        is_own.then(|| of_scene.geometry_digest(number))
    }

    /// View that transforms the world into clip space; none for the background, whose triangle lies there already.
    pub(super) fn view(&self) -> Option<&View> {
        match self {
            Self::Sky(..) => None,
            Self::Instance(InstanceDraw {
                input, instance, ..
            }) => Some(input.state.view(input.view, instance)),
        }
    }

    /// Whether its program samples the picture behind the surface.
    pub(super) const fn looks_behind(&self) -> bool {
        matches!(self, Self::Instance(instance) if instance.looks_behind)
    }
}

impl InstanceDraw<'_> {
    /// Transforms, what its fragment program reads of material and light, fixed-function state.
    fn put_constants(&self, bytes: &mut Vec<u8>) {
        let FrameInput {
            scene, state, view, ..
        } = self.input;
        let instance = self.instance;
        let material = state.material(scene, instance.material);
        let clip_from_world = state.view(view, instance).clip_from_world();
        put(bytes, clip_from_world.to_cols_array());
        match &state.joints[range(&instance.joints)] {
            [] => put(bytes, instance.world_from_local.to_cols_array()),
            joints => bytes.extend_from_slice(bytemuck::cast_slice(joints)),
        }
        let weights = &state.morph_weights[range(&instance.morph_weights)];
        bytes.extend_from_slice(bytemuck::cast_slice(weights));
        put(bytes, material.base_color.to_array());
        if let AlphaMode::Mask { cutoff } = material.alpha_mode {
            put(bytes, [cutoff]);
        }
        if self.is_lit {
            lit_material(bytes, material, state.primitive(scene, instance));
            if self.lets_light_through {
                put(bytes, [instance.volume()]);
            }
            put_light(bytes, &self.input);
        }
        if self.emits_unlit {
            put(bytes, material.emissive.to_array());
        }
        let mirrored = !instance.joints.is_empty() && instance.mirrored();
        bytes.extend(fixed_function(material, mirrored));
    }

    /// Programs, textures and samplers.
    fn put_bindings(&self, bytes: &mut Vec<u8>) {
        let FrameInput { scene, state, .. } = self.input;
        let material = state.material(scene, self.instance.material);
        let primitive = state.primitive(scene, self.instance);
        let lit = self.is_lit;
        bytes.extend([
            u8::from(lit) | u8::from(self.emits_unlit) << 1,
            u8::from(!primitive.tangents.is_empty()),
            u8::from(!primitive.colors.is_empty()),
            primitive.tex_coords.len().min(255) as u8,
        ]);
        let read = if lit { usize::MAX } else { 1 };
        let emission = self.emits_unlit.then_some(material.emissive_texture);
        for slot in material.texture_slots().take(read).chain(emission) {
            bytes.push(u8::from(slot.is_some()));
            if let Some(texture) = slot {
                put_texture(bytes, scene, &texture);
            }
        }
        if lit && material.has_layers() {
            bytes.push(layer_set(material));
        }
        if let Some(environment) = self.input.environment.filter(|_| lit) {
            put_environment(bytes, environment);
        }
    }
}

/// Constants that all lit draws of a frame share: eye and lights.
fn put_light(bytes: &mut Vec<u8>, input: &FrameInput<'_>) {
    put(bytes, input.view.eye_world.to_array());
    for light in &input.state.lights {
        put(bytes, light.radiance.to_array());
        put(bytes, light.position_world.to_array());
        put(bytes, light.direction_world.to_array());
        let (inner, outer) = match light.kind {
            LightKind::Directional => (0.0, -1.0),
            LightKind::Point => (0.0, 0.0),
            LightKind::Spot {
                inner_angle,
                outer_angle,
            } => (inner_angle, outer_angle),
        };
        put(bytes, [light.range, inner, outer]);
    }
}

/// Bytes that tell an environment from another.
fn put_environment(bytes: &mut Vec<u8>, environment: &Environment) {
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
fn put_sky(bytes: &mut Vec<u8>, view: &View) {
    put(bytes, view.clip_from_world().to_cols_array());
}

/// Constants of metallic-roughness shading beside the base colour.
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

/// Constants of the layers over the base: clearcoat, sheen, anisotropy and the like.
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

/// `mirrored` is for skinned instances: matrices of others say it.
fn fixed_function(material: &Material, mirrored: bool) -> [u8; 3] {
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
    [mode, depth, faces(material.double_sided, mirrored)]
}

/// A range of a frame's list.
pub(super) fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn put<const N: usize>(bytes: &mut Vec<u8>, values: [f32; N]) {
    bytes.extend_from_slice(bytemuck::cast_slice(&values));
}
