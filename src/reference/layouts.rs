//! What the shaders' bindings look like: the same four groups for every draw, so that pipelines change and bindings stay.

use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::adapter::Gpu;

/// Textures of a material: base colour, metallic-roughness, normal, occlusion, emissive, specular, specular colour.
pub(super) const N_SLOTS: usize = 7;

/// Bind group layouts by group of `shaders/reference.wgsl`, and of the resolve pass.
#[derive(Debug)]
pub(super) struct Layouts {
    /// Group 0: the frame.
    pub(super) frame: wgpu::BindGroupLayout,
    /// Group 1: one draw; its uniform at a dynamic offset.
    pub(super) draw: wgpu::BindGroupLayout,
    /// Group 2: one material.
    pub(super) material: wgpu::BindGroupLayout,
    /// Group 1 of the resolve pass: the radiance.
    pub(super) resolve: wgpu::BindGroupLayout,
}

const VERTEX: wgpu::ShaderStages = wgpu::ShaderStages::VERTEX;
const FRAGMENT: wgpu::ShaderStages = wgpu::ShaderStages::FRAGMENT;

impl Layouts {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let mut material = vec![(both, uniform(false))];
        material.extend([(FRAGMENT, texture(true)), (FRAGMENT, SAMPLER)].repeat(N_SLOTS));
        Self {
            frame: layout(
                gpu,
                &[
                    (both, uniform(false)),
                    (VERTEX, STORAGE),
                    (VERTEX, STORAGE),
                    (FRAGMENT, texture(true)),
                    (FRAGMENT, SAMPLER),
                ],
            ),
            draw: layout(
                gpu,
                &[
                    (VERTEX, uniform(true)),
                    (VERTEX, STORAGE),
                    (VERTEX, STORAGE),
                ],
            ),
            material: layout(gpu, &material),
            resolve: layout(gpu, &[(FRAGMENT, texture(false))]),
        }
    }
}

/// A buffer with `contents`.
pub(super) fn buffer<T: bytemuck::NoUninit>(
    gpu: &Gpu,
    usage: wgpu::BufferUsages,
    contents: &[T],
) -> wgpu::Buffer {
    gpu.device.create_buffer_init(&BufferInitDescriptor {
        label: None,
        contents: bytemuck::cast_slice(contents),
        usage,
    })
}

/// A storage buffer of at least `words` words: bindings must not be empty.
pub(super) fn storage_buffer<T: bytemuck::NoUninit>(
    gpu: &Gpu,
    contents: &[T],
    words: usize,
) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE;
    if contents.is_empty() {
        buffer(gpu, usage, &vec![0_u32; words])
    } else {
        buffer(gpu, usage, contents)
    }
}

/// Binds `resources` in order from binding 0.
pub(super) fn bind(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    resources: Vec<wgpu::BindingResource<'_>>,
) -> wgpu::BindGroup {
    let entry = |(binding, resource)| wgpu::BindGroupEntry {
        binding: binding as u32,
        resource,
    };
    let entries: Vec<_> = resources.into_iter().enumerate().map(entry).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    })
}

const SAMPLER: wgpu::BindingType = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

const STORAGE: wgpu::BindingType = wgpu::BindingType::Buffer {
    ty: wgpu::BufferBindingType::Storage { read_only: true },
    has_dynamic_offset: false,
    min_binding_size: None,
};

const fn uniform(has_dynamic_offset: bool) -> wgpu::BindingType {
    wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset,
        min_binding_size: None,
    }
}

const fn texture(filterable: bool) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    }
}

fn layout(
    gpu: &Gpu,
    bindings: &[(wgpu::ShaderStages, wgpu::BindingType)],
) -> wgpu::BindGroupLayout {
    let entry = |(binding, &(visibility, ty))| wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility,
        ty,
        count: None,
    };
    let entries: Vec<_> = bindings.iter().enumerate().map(entry).collect();
    let descriptor = wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &entries,
    };
    gpu.device.create_bind_group_layout(&descriptor)
}
