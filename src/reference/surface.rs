//! A material in, what the scene shader needs of it out: which textures, at which interpolated coordinates, which numbers.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Vec3};

use super::ReferenceError;
use super::adapter::Gpu;
use super::geometry::VertexStreams;
use super::layers::{LayerKinds, LayerUniform, layer_textures};
use super::layouts::{Layouts, bind, buffer};
use super::slots::{ALL_SLOTS, LAYER_SLOT_NAMES, N_SLOTS, SLOT_NAMES, SLOT_VARIABLES};
use super::specialize::Values;
use azulejo_scene::{AlphaMode, DepthState, Material, Shading, TextureId, TextureRef};

/// How a draw is shaded, as far as its material and vertex streams decide it; equal surfaces share a pipeline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Surface {
    lit: bool,
    /// Unlit, and emission is added to the colour, for it is no unlit material (glTF 2.0, 3.9.7).
    emits_unlit: bool,
    alpha: Alpha,
    pub(super) double_sided: bool,
    pub(super) depth: DepthState,
    color: bool,
    /// Interpolated coordinates by slot: which of `coords` samples it.
    slots: [Option<usize>; ALL_SLOTS],
    /// Interpolated coordinates: a set, and whether `KHR_texture_transform` moves it.
    coords: Vec<(usize, bool)>,
    /// The dielectric part has an index of refraction or a specular reflection of its own.
    dielectric: bool,
    /// The occlusion texture is the metallic-roughness texture, sampled once.
    shared_occlusion: bool,
    /// Layers of the material; `None` without any.
    layers: Option<LayerKinds>,
    /// Bound texture by slot, with layers: which of the bound textures it samples.
    bindings: [Option<usize>; ALL_SLOTS],
    /// Number of bound textures, with layers.
    n_textures: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
enum Alpha {
    #[default]
    Opaque,
    Mask,
    Blend,
}

impl Surface {
    /// The surface, and the transforms of its coordinates.
    pub(super) fn of(material: &Material, streams: &VertexStreams) -> (Self, Vec<Mat3>) {
        let lit = material.shading == Shading::MetallicRoughness && streams.normal;
        let emits =
            material.shading == Shading::MetallicRoughness && material.emissive != Vec3::ZERO;
        let layered = lit && material.has_layers();
        let layers = layered.then(|| LayerKinds::of(material, streams));
        let has_film = layers.is_some_and(|layers| layers.film);
        let mut surface = Self {
            lit,
            emits_unlit: emits && !lit,
            alpha: match material.alpha_mode {
                AlphaMode::Opaque => Alpha::Opaque,
                AlphaMode::Mask { .. } => Alpha::Mask,
                AlphaMode::Blend => Alpha::Blend,
            },
            double_sided: material.double_sided,
            depth: material.depth,
            color: streams.color,
            // A film changes what is left for the ground, so that must be known.
            dielectric: has_film || !material.has_core_dielectric(),
            shared_occlusion: material.occlusion_texture == material.metallic_roughness_texture,
            layers,
            ..Self::default()
        };
        let mut transforms: Vec<(usize, Mat3)> = Vec::new();
        for (slot, texture) in textures(material).into_iter().enumerate() {
            let used = |texture: &TextureRef| surface.samples(slot, texture, material, streams);
            let Some(texture) = texture.filter(used) else {
                continue;
            };
            let coord = (texture.tex_coord as usize, texture.transform);
            let known = transforms.iter().position(|known| *known == coord);
            surface.slots[slot] = Some(known.unwrap_or_else(|| {
                transforms.push(coord);
                surface.coords.push((coord.0, coord.1 != Mat3::IDENTITY));
                transforms.len() - 1
            }));
        }
        surface.bind_textures(material);
        (surface, transforms.into_iter().map(|(_, t)| t).collect())
    }

    /// Numbers the textures that are sampled, each once, with layers.
    fn bind_textures(&mut self, material: &Material) {
        if self.layers.is_none() {
            return;
        }
        let mut bound: Vec<TextureId> = Vec::new();
        for (slot, texture) in textures(material).into_iter().enumerate() {
            let Some(TextureRef { texture, .. }) = texture.filter(|_| self.slots[slot].is_some())
            else {
                continue;
            };
            let known = bound.iter().position(|known| *known == texture);
            self.bindings[slot] = Some(known.unwrap_or_else(|| {
                bound.push(texture);
                bound.len() - 1
            }));
        }
        self.n_textures = bound.len();
    }

    /// Whether the texture of `slot` would be looked at: its coordinates exist and its colour is of use.
    fn samples(
        &self,
        slot: usize,
        texture: &TextureRef,
        material: &Material,
        streams: &VertexStreams,
    ) -> bool {
        let exists = (texture.tex_coord as usize) < streams.tex_coords;
        if let Some(slot) = slot.checked_sub(N_SLOTS) {
            let layers = self.layers.unwrap_or_default();
            return exists && layers.samples(slot, streams);
        }
        let of_use = match SLOT_NAMES[slot].0 {
            "base_color_texture" => true,
            "normal_map" => self.lit && streams.tangent,
            "emissive_texture" => self.emits_unlit || (self.lit && material.emissive != Vec3::ZERO),
            _ => self.lit,
        };
        of_use && exists
    }

    pub(super) fn blends(&self) -> bool {
        self.alpha == Alpha::Blend
    }

    /// Whether fragments may be left out by their alpha.
    pub(super) fn is_masked(&self) -> bool {
        self.alpha == Alpha::Mask
    }

    /// Whether it shows what lies behind it.
    pub(super) fn looks_behind(&self) -> bool {
        self.layers.is_some_and(|layers| layers.transmission)
    }

    /// Whether it has layers.
    pub(super) const fn is_layered(&self) -> bool {
        self.layers.is_some()
    }

    /// Group 2 of its pipelines.
    ///
    /// # Errors
    /// If the driver does not allow as many textures.
    pub(super) fn layout<'a>(
        &self,
        gpu: &Gpu,
        layouts: &'a Layouts,
    ) -> Result<&'a wgpu::BindGroupLayout, ReferenceError> {
        match self.layers {
            None => Ok(&layouts.material),
            Some(_) => layouts.layered(gpu, self.n_textures),
        }
    }

    /// Tells the scene shader.
    pub(super) fn describe(&self, values: &mut Values) {
        values.flag("lit", self.lit);
        values.flag("emits_unlit", self.emits_unlit);
        values.flag("normal", self.lit);
        values.flag("tangent", self.needs_tangents());
        values.flag("color", self.color);
        values.flag("dielectric", self.dielectric);
        values.flag("mask", self.alpha == Alpha::Mask);
        values.flag("blend", self.alpha == Alpha::Blend);
        values.flag("occlusion_in_metallic_roughness", self.shared_occlusion);
        let names = SLOT_NAMES.into_iter().chain(LAYER_SLOT_NAMES);
        for (slot, (flag, sample)) in names.enumerate() {
            values.flag(flag, self.slots[slot].is_some());
            values.text(sample, self.sample(slot));
        }
        values.flag("layered", self.layers.is_some());
        let layers = self.layers.unwrap_or_default();
        layers.describe(values);
        values.count("material_textures", self.n_textures);
        values.count("coord_slots", self.n_slots());
        let reflected = match self.layers {
            None => "reflected",
            Some(_) => "reflected_by_layers",
        };
        values.text("reflected", reflected.to_owned());
        values.count("tex_coords", self.coords.len());
        values.text("tex_coord_assignments", self.assignments());
    }

    fn n_slots(&self) -> usize {
        match self.layers {
            None => N_SLOTS,
            Some(_) => ALL_SLOTS,
        }
    }

    fn needs_tangents(&self) -> bool {
        const NORMAL: usize = 2;
        const CLEARCOAT_NORMAL: usize = N_SLOTS + 2;
        let mapped = [NORMAL, CLEARCOAT_NORMAL];
        mapped.iter().any(|slot| self.slots[*slot].is_some())
            || self.layers.is_some_and(|layers| layers.needs_tangents())
    }

    /// The expression of the fragment shader that is the colour of `slot`; white where it is empty.
    fn sample(&self, slot: usize) -> String {
        match (self.slots[slot], self.bindings[slot]) {
            (None, _) => "vec4f(1)".to_owned(),
            (Some(coord), Some(bound)) => {
                format!("sampled(texture_{bound}, sampler_{bound}, in.tex_coord_{coord})")
            }
            (Some(coord), None) => {
                let name = SLOT_VARIABLES[slot];
                format!("sampled({name}_texture, {name}_sampler, in.tex_coord_{coord})")
            }
        }
    }

    /// Statements of the vertex shader that write the interpolated coordinates.
    fn assignments(&self) -> String {
        let statement = |(coord, &(set, moved)): (usize, &(usize, bool))| {
            if moved {
                format!(
                    "    out.tex_coord_{coord} = moved_tex_coord(local.tex_coord_{set}, {coord});\n"
                )
            } else {
                format!("    out.tex_coord_{coord} = local.tex_coord_{set};\n")
            }
        };
        self.coords.iter().enumerate().map(statement).collect()
    }
}

/// The textures of all slots.
fn textures(material: &Material) -> [Option<TextureRef>; ALL_SLOTS] {
    let mut all = [None; ALL_SLOTS];
    let (core, layers) = all.split_at_mut(N_SLOTS);
    core.copy_from_slice(&material.core_texture_slots());
    layers.copy_from_slice(&layer_textures(material));
    all
}

/// `Material` of the scene shader up to the transforms of coordinates, a pair of rows for each slot; the layers' numbers
/// follow.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct MaterialUniform {
    base_color: [f32; 4],
    emissive: [f32; 3],
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    dielectric_f0: [f32; 3],
    specular: f32,
}

impl MaterialUniform {
    fn of(material: &Material) -> Self {
        Self {
            base_color: material.base_color.to_array(),
            emissive: material.emissive.to_array(),
            alpha_cutoff: match material.alpha_mode {
                AlphaMode::Mask { cutoff } => cutoff,
                AlphaMode::Opaque | AlphaMode::Blend => 0.0,
            },
            metallic: material.metallic,
            roughness: material.roughness,
            normal_scale: material.normal_scale,
            occlusion_strength: material.occlusion_strength,
            dielectric_f0: material.dielectric_f0().to_array(),
            specular: material.specular,
        }
    }
}

/// Textures with their samplers by [`azulejo_scene::TextureId`], and white for empty slots at the end.
pub(super) type BoundTextures = [(wgpu::TextureView, wgpu::Sampler)];

/// The numbers of `material` as the scene shader has them.
fn numbers(material: &Material, surface: &Surface, transforms: &[Mat3]) -> Vec<u8> {
    let mut rows = [[[0.0_f32; 4]; 2]; ALL_SLOTS];
    for (rows, transform) in rows.iter_mut().zip(transforms) {
        *rows = [0, 1].map(|row| transform.row(row).extend(0.0).to_array());
    }
    let mut bytes = bytemuck::bytes_of(&MaterialUniform::of(material)).to_vec();
    bytes.extend_from_slice(bytemuck::cast_slice(&rows[..surface.n_slots()]));
    if surface.layers.is_some() {
        bytes.extend_from_slice(bytemuck::bytes_of(&LayerUniform::of(material)));
    }
    bytes
}

/// Binds the numbers and textures of `material`, which is drawn as `surface`.
///
/// # Errors
/// If the driver does not allow as many textures.
pub(super) fn bind_material(
    gpu: &Gpu,
    layouts: &Layouts,
    material: &Material,
    surface: &Surface,
    transforms: &[Mat3],
    bound: &BoundTextures,
) -> Result<wgpu::BindGroup, ReferenceError> {
    let layout = surface.layout(gpu, layouts)?;
    let numbers = numbers(material, surface, transforms);
    let numbers = buffer(gpu, wgpu::BufferUsages::UNIFORM, &numbers);
    let mut resources = vec![numbers.as_entire_binding()];
    let white = bound.len() - 1;
    let textures = textures(material);
    let slots: Vec<usize> = match surface.layers {
        None => (0..N_SLOTS).collect(),
        // The first slot that samples each.
        Some(_) => (0..surface.n_textures)
            .filter_map(|at| surface.bindings.iter().position(|b| *b == Some(at)))
            .collect(),
    };
    for slot in slots {
        let index = textures[slot].map_or(white, |texture| texture.texture.index());
        let (view, sampler) = &bound[index.min(white)];
        resources.push(wgpu::BindingResource::TextureView(view));
        resources.push(wgpu::BindingResource::Sampler(sampler));
    }
    Ok(bind(gpu, layout, resources))
}
