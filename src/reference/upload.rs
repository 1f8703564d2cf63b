//! A scene in, everything of it that the driver needs and that no frame changes out.

use glam::Mat3;

use super::adapter::Gpu;
use super::geometry::{PrimitiveBuffers, VertexStreams};
use super::layouts::Layouts;
use super::surface::{BoundTextures, Surface, bind_material};
use super::texture::{
    create_environment_sampler, create_sampler, upload_environment, upload_image, upload_white,
};
use super::{Quality, ReferenceError};
use azulejo_scene::{Environment, Material, Mesh, Sampler, Scene};

/// A scene and an environment that the driver holds.
#[derive(Debug)]
pub struct UploadedScene {
    /// Buffers by mesh, then primitive.
    pub(super) primitives: Vec<Vec<PrimitiveBuffers>>,
    textures: Box<BoundTextures>,
    pub(super) quality: Quality,
    pub(super) environment: wgpu::TextureView,
    pub(super) environment_sampler: wgpu::Sampler,
}

/// How a material shades vertices of some streams, and the material's numbers and textures.
#[derive(Debug, Clone)]
pub(super) struct BoundSurface {
    pub(super) surface: Surface,
    pub(super) group: wgpu::BindGroup,
}

impl UploadedScene {
    pub(super) fn upload(
        gpu: &Gpu,
        scene: &Scene,
        environment: Option<&Environment>,
        quality: Quality,
    ) -> Result<Self, ReferenceError> {
        let uploaded = Self {
            primitives: upload_meshes(gpu, &scene.meshes),
            textures: upload_textures(gpu, scene, quality)?,
            quality,
            environment: upload_environment(gpu, environment)?,
            environment_sampler: create_environment_sampler(gpu),
        };
        gpu.queue.submit([]);
        Ok(uploaded)
    }

    /// `material` bound for vertices of `streams`.
    ///
    /// # Errors
    /// If it has more textures than the driver allows.
    pub(super) fn surface(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        material: &Material,
        streams: &VertexStreams,
    ) -> Result<BoundSurface, ReferenceError> {
        let (surface, transforms): (Surface, Vec<Mat3>) = Surface::of(material, streams);
        let group = bind_material(
            gpu,
            layouts,
            material,
            &surface,
            &transforms,
            &self.textures,
        )?;
        Ok(BoundSurface { surface, group })
    }
}

/// Vertices and indices by mesh, then primitive.
pub(super) fn upload_meshes(gpu: &Gpu, meshes: &[Mesh]) -> Vec<Vec<PrimitiveBuffers>> {
    let of_mesh = |mesh: &Mesh| {
        let primitives = mesh.primitives.iter();
        primitives
            .map(|primitive| PrimitiveBuffers::upload(gpu, primitive))
            .collect()
    };
    meshes.iter().map(of_mesh).collect()
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
