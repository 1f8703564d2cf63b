//! A material in, what the scene shader needs of it out: which textures, at which interpolated coordinates, which numbers.

use bytemuck::{Pod, Zeroable};
use glam::{Mat3, Vec3};

use super::adapter::Gpu;
use super::geometry::VertexStreams;
use super::layouts::{Layouts, N_SLOTS, bind, buffer};
use super::specialize::Values;
use crate::scene::{AlphaMode, DepthState, Material, Shading, TextureRef};

/// The slots' names in the shader: a flag, and the coordinate that is sampled.
const SLOT_NAMES: [(&str, &str); N_SLOTS] = [
    ("base_color_texture", "base_color_coord"),
    ("metallic_roughness_texture", "metallic_roughness_coord"),
    ("normal_map", "normal_coord"),
    ("occlusion_texture", "occlusion_coord"),
    ("emissive_texture", "emissive_coord"),
    ("specular_texture", "specular_coord"),
    ("specular_color_texture", "specular_color_coord"),
];

/// How a draw is shaded, as far as its material and vertex streams decide it; equal surfaces share a pipeline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Surface {
    lit: bool,
    alpha: Alpha,
    pub(super) double_sided: bool,
    pub(super) depth: DepthState,
    color: bool,
    /// By slot: which of `coords` samples it.
    slots: [Option<usize>; N_SLOTS],
    /// Interpolated coordinates: a set, and whether `KHR_texture_transform` moves it.
    coords: Vec<(usize, bool)>,
    /// What is no metal has an index of refraction or a specular reflection of its own.
    dielectric: bool,
    /// The occlusion texture is the metallic-roughness texture, sampled once.
    shared_occlusion: bool,
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
        let mut surface = Self {
            lit,
            alpha: match material.alpha_mode {
                AlphaMode::Opaque => Alpha::Opaque,
                AlphaMode::Mask { .. } => Alpha::Mask,
                AlphaMode::Blend => Alpha::Blend,
            },
            double_sided: material.double_sided,
            depth: material.depth,
            color: streams.color,
            dielectric: !material.has_core_dielectric(),
            shared_occlusion: material.occlusion_texture == material.metallic_roughness_texture,
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
        (surface, transforms.into_iter().map(|(_, t)| t).collect())
    }

    /// Whether the texture of `slot` would be looked at: its coordinates exist and its colour is of use.
    fn samples(
        &self,
        slot: usize,
        texture: &TextureRef,
        material: &Material,
        streams: &VertexStreams,
    ) -> bool {
        let of_use = match SLOT_NAMES[slot].0 {
            "base_color_texture" => true,
            "normal_map" => self.lit && streams.tangent,
            "emissive_texture" => self.lit && material.emissive != Vec3::ZERO,
            _ => self.lit,
        };
        of_use && (texture.tex_coord as usize) < streams.tex_coords
    }

    pub(super) fn blends(&self) -> bool {
        self.alpha == Alpha::Blend
    }

    /// Tells the scene shader.
    pub(super) fn describe(&self, values: &mut Values) {
        values.flag("lit", self.lit);
        values.flag("normal", self.lit);
        values.flag("tangent", self.slots[2].is_some());
        values.flag("color", self.color);
        values.flag("dielectric", self.dielectric);
        values.flag("mask", self.alpha == Alpha::Mask);
        values.flag("blend", self.alpha == Alpha::Blend);
        values.flag("occlusion_in_metallic_roughness", self.shared_occlusion);
        for ((flag, coord_name), coord) in SLOT_NAMES.into_iter().zip(self.slots) {
            values.flag(flag, coord.is_some());
            values.text(
                coord_name,
                format!("in.tex_coord_{}", coord.unwrap_or_default()),
            );
        }
        values.count("tex_coords", self.coords.len());
        values.text("tex_coord_assignments", self.assignments());
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

const fn textures(material: &Material) -> [Option<TextureRef>; N_SLOTS] {
    material.core_texture_slots()
}

/// `Material` of the scene shader.
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
    tex_coord_transforms: [[[f32; 4]; 2]; N_SLOTS],
}

impl MaterialUniform {
    fn of(material: &Material, transforms: &[Mat3]) -> Self {
        let mut rows = [[[0.0; 4]; 2]; N_SLOTS];
        for (rows, transform) in rows.iter_mut().zip(transforms) {
            *rows = [0, 1].map(|row| transform.row(row).extend(0.0).to_array());
        }
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
            tex_coord_transforms: rows,
        }
    }
}

/// Textures with their samplers by [`crate::scene::TextureId`], and white for empty slots at the end.
pub(super) type BoundTextures = [(wgpu::TextureView, wgpu::Sampler)];

/// Binds the numbers and textures of `material`.
pub(super) fn bind_material(
    gpu: &Gpu,
    layouts: &Layouts,
    material: &Material,
    transforms: &[Mat3],
    bound: &BoundTextures,
) -> wgpu::BindGroup {
    let numbers = MaterialUniform::of(material, transforms);
    let numbers = buffer(gpu, wgpu::BufferUsages::UNIFORM, &[numbers]);
    let mut resources = vec![numbers.as_entire_binding()];
    let white = bound.len() - 1;
    for texture in textures(material) {
        let index = texture.map_or(white, |texture| texture.texture.index());
        let (view, sampler) = &bound[index.min(white)];
        resources.push(wgpu::BindingResource::TextureView(view));
        resources.push(wgpu::BindingResource::Sampler(sampler));
    }
    bind(gpu, &layouts.material, resources)
}
