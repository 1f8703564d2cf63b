//! A scene in, everything of it that the driver needs and that no frame changes out.

use glam::Mat3;

use super::adapter::Gpu;
use super::geometry::PrimitiveBuffers;
use super::layouts::Layouts;
use super::surface::{BoundTextures, Surface, bind_material};
use super::texture::{
    create_environment_sampler, create_sampler, upload_environment, upload_image, upload_white,
};
use super::{Quality, ReferenceError};
use crate::scene::{Environment, Instance, Material, Sampler, Scene};

/// A scene and an environment that the driver holds.
#[derive(Debug)]
pub struct UploadedScene {
    /// By mesh, then primitive.
    primitives: Vec<Vec<UploadedPrimitive>>,
    pub(super) quality: Quality,
    pub(super) environment: wgpu::TextureView,
    pub(super) environment_sampler: wgpu::Sampler,
}

#[derive(Debug)]
struct UploadedPrimitive {
    buffers: PrimitiveBuffers,
    surface: BoundSurface,
}

/// How a primitive's material shades it, and the material's numbers and textures.
#[derive(Debug)]
pub(super) struct BoundSurface {
    pub(super) surface: Surface,
    pub(super) group: wgpu::BindGroup,
}

impl UploadedScene {
    pub(super) fn upload(
        gpu: &Gpu,
        layouts: &Layouts,
        scene: &Scene,
        environment: Option<&Environment>,
        quality: Quality,
    ) -> Result<Self, ReferenceError> {
        let textures = upload_textures(gpu, scene, quality)?;
        let default_material = Material::default();
        let upload = |primitive| {
            let primitive: &crate::scene::Primitive = primitive;
            let material = primitive
                .material
                .and_then(|id| scene.materials.get(id.index()));
            let buffers = PrimitiveBuffers::upload(gpu, primitive);
            let material = material.unwrap_or(&default_material);
            let (surface, transforms): (Surface, Vec<Mat3>) =
                Surface::of(material, &buffers.streams);
            let group = bind_material(gpu, layouts, material, &transforms, &textures);
            UploadedPrimitive {
                buffers,
                surface: BoundSurface { surface, group },
            }
        };
        let meshes = scene.meshes.iter();
        let uploaded = Self {
            primitives: meshes
                .map(|mesh| mesh.primitives.iter().map(upload).collect())
                .collect(),
            quality,
            environment: upload_environment(gpu, environment)?,
            environment_sampler: create_environment_sampler(gpu),
        };
        gpu.queue.submit([]);
        Ok(uploaded)
    }

    /// The geometry of `instance`.
    pub(super) fn primitive(&self, instance: &Instance) -> Option<&PrimitiveBuffers> {
        Some(&self.uploaded(instance)?.buffers)
    }

    /// The material of `instance` on its geometry.
    pub(super) fn surface(&self, instance: &Instance) -> Option<&BoundSurface> {
        Some(&self.uploaded(instance)?.surface)
    }

    fn uploaded(&self, instance: &Instance) -> Option<&UploadedPrimitive> {
        let mesh = self.primitives.get(instance.mesh.index())?;
        mesh.get(instance.primitive as usize)
    }
}

/// Every texture with its sampler, white at the end.
fn upload_textures(
    gpu: &Gpu,
    scene: &Scene,
    quality: Quality,
) -> Result<Box<BoundTextures>, ReferenceError> {
    let images = scene
        .images
        .iter()
        .map(|image| upload_image(gpu, image, quality));
    let images: Vec<wgpu::TextureView> = images.collect::<Result<_, _>>()?;
    let bound = scene.textures.iter().filter_map(|texture| {
        let view = images.get(texture.image.index())?.clone();
        Some((view, create_sampler(gpu, &texture.sampler)))
    });
    let white = (upload_white(gpu)?, create_sampler(gpu, &Sampler::default()));
    Ok(bound.chain([white]).collect())
}
