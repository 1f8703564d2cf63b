//! Bind group layouts of the shaders: the same four groups for every draw, so that pipelines change and bindings stay.

use wgpu::util::{BufferInitDescriptor, DeviceExt};

use super::ReferenceError;
use super::adapter::Gpu;
use super::slots::{ALL_SLOTS, N_SLOTS};

/// Textures that a fragment of a material with layers may sample besides the material's: the environment, and what lies
/// behind.
const OTHER_TEXTURES: usize = 2;

/// Bind group layouts by group of `shaders/reference.wgsl`, and of the resolve pass.
#[derive(Debug)]
pub(super) struct Layouts {
    /// Group 0: the frame.
    pub(super) frame: wgpu::BindGroupLayout,
    /// Group 1: one draw; its uniform at a dynamic offset.
    pub(super) draw: wgpu::BindGroupLayout,
    /// Group 2: one material without layers.
    pub(super) material: wgpu::BindGroupLayout,
    /// Group 2: one material with layers, by the number of its textures; as far as the driver's limits go.
    layered: Vec<wgpu::BindGroupLayout>,
    /// Group 3: what lies behind a surface.
    pub(super) behind: wgpu::BindGroupLayout,
    /// Radiance by pixel: group 1 of the resolve pass, group 0 of the pass that halves a level.
    pub(super) radiance: wgpu::BindGroupLayout,
}

const VERTEX: wgpu::ShaderStages = wgpu::ShaderStages::VERTEX;
const FRAGMENT: wgpu::ShaderStages = wgpu::ShaderStages::FRAGMENT;

impl Layouts {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let both = wgpu::ShaderStages::VERTEX_FRAGMENT;
        let material = |n_textures| {
            let mut bindings = vec![(both, uniform(false))];
            bindings.extend([(FRAGMENT, texture(true)), (FRAGMENT, SAMPLER)].repeat(n_textures));
            layout(gpu, &bindings)
        };
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
                &[(both, uniform(true)), (VERTEX, STORAGE), (VERTEX, STORAGE)],
            ),
            material: material(N_SLOTS),
            layered: (0..=ALL_SLOTS.min(most_textures(&gpu.device.limits())))
                .map(material)
                .collect(),
            behind: layout(gpu, &[(FRAGMENT, texture(true)), (FRAGMENT, SAMPLER)]),
            radiance: layout(gpu, &[(FRAGMENT, texture(false))]),
        }
    }

    /// Group 2 of a material with layers that has `n_textures` textures.
    ///
    /// # Errors
    /// If the driver does not allow as many.
    pub(super) fn layered(
        &self,
        gpu: &Gpu,
        n_textures: usize,
    ) -> Result<&wgpu::BindGroupLayout, ReferenceError> {
        let layout = self.layered.get(n_textures);
        layout.ok_or_else(|| ReferenceError::TooLarge {
            what: "a material with layers, in textures that differ,",
            needed: n_textures as u64,
            limit: most_textures(&gpu.device.limits()) as u64,
        })
    }
}

/// Textures that a driver with these limits allows one material with layers.
fn most_textures(limits: &wgpu::Limits) -> usize {
    let textures = limits.max_sampled_textures_per_shader_stage;
    let allowed = textures.min(limits.max_samplers_per_shader_stage) as usize;
    let by_group = (limits.max_bindings_per_bind_group as usize).saturating_sub(1) / 2;
    allowed.saturating_sub(OTHER_TEXTURES).min(by_group)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_with_layers_has_what_environment_and_background_leave_of_the_least_limits() {
        let least = wgpu::Limits::default();
        assert_eq!(most_textures(&least), 14, "16 a stage by WebGPU");
        let few_samplers = wgpu::Limits {
            max_samplers_per_shader_stage: 8,
            ..least
        };
        assert_eq!(most_textures(&few_samplers), 6, "a sampler each");
    }
}
