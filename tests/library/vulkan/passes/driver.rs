//! Passes of [`azulejo::pass`] on the driver: the same memory, pipelines and passes through wgpu.

use std::collections::HashMap;

use azulejo::pass::{BindGroup, Binding, Copy, Memory, Pass, PassDraw, RenderPass, RenderPipeline};
use pollster::block_on;

use super::twin::{Content, Twin, extent};

/// A device of the driver, with all that its formats can do.
pub(super) struct Driver {
    pub(super) adapter: wgpu::Adapter,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
}

impl Driver {
    /// The driver that draws on the CPU, if there is one.
    pub(super) fn open() -> Option<Self> {
        super::super::reference()?;
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            flags: wgpu::InstanceFlags::empty(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapters = block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let adapter = adapters
            .into_iter()
            .find(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu)?;
        let wanted = wgpu::Features::TEXTURE_FORMAT_16BIT_NORM
            | wgpu::Features::FLOAT32_FILTERABLE
            | wgpu::Features::DEPTH32FLOAT_STENCIL8
            | wgpu::Features::RG11B10UFLOAT_RENDERABLE
            | wgpu::Features::ADDRESS_MODE_CLAMP_TO_BORDER
            | wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES
            | wgpu::Features::FLOAT32_BLENDABLE;
        let opened = block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: adapter.features() & wanted,
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        }));
        let (device, queue) = opened.expect("a device opens twice");
        Some(Self {
            adapter,
            device,
            queue,
        })
    }

    /// Runs passes whose programs are those of `source`.
    pub(super) fn run(&self, source: &str, memory: &Memory, passes: &[Pass<'_>]) -> Content {
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(source.into()),
            });
        let twin = self.twin(memory);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pipelines = HashMap::new();
        for pass in passes {
            match pass {
                Pass::Render(pass) => {
                    self.render(&mut encoder, &module, &twin, (memory, pass), &mut pipelines)
                }
                Pass::Compute(dispatches) => {
                    for dispatch in dispatches {
                        let code = dispatch.pipeline.code();
                        let pipeline =
                            self.device
                                .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                                    label: None,
                                    layout: None,
                                    module: &module,
                                    entry_point: Some(&code.entry),
                                    compilation_options: wgpu::PipelineCompilationOptions::default(
                                    ),
                                    cache: None,
                                });
                        let mut pass = encoder.begin_compute_pass(&Default::default());
                        pass.set_pipeline(&pipeline);
                        for (number, group) in dispatch.groups.iter().enumerate() {
                            let layout = pipeline.get_bind_group_layout(number as u32);
                            pass.set_bind_group(
                                number as u32,
                                &self.group(&twin, &layout, group),
                                &[],
                            );
                        }
                        let [x, y, z] = dispatch.workgroups;
                        pass.dispatch_workgroups(x, y, z);
                    }
                }
                Pass::Copy(copy) => record_copy(&mut encoder, &twin, copy),
            }
        }
        self.queue.submit([encoder.finish()]);
        self.content(memory, &twin)
    }

    fn group(
        &self,
        twin: &Twin,
        layout: &wgpu::BindGroupLayout,
        group: &BindGroup,
    ) -> wgpu::BindGroup {
        let views: Vec<wgpu::TextureView> = (group.0.iter())
            .filter_map(|(_, binding)| match binding {
                Binding::Texture(view) => Some(twin.view(view)),
                _ => None,
            })
            .collect();
        let samplers: Vec<wgpu::Sampler> = (group.0.iter())
            .filter_map(|(_, binding)| match binding {
                Binding::Sampler(sampler) => {
                    Some(self.device.create_sampler(&sampler.map_label(|()| None)))
                }
                _ => None,
            })
            .collect();
        let (mut views, mut samplers) = (views.iter(), samplers.iter());
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (group.0.iter())
            .map(|(number, binding)| wgpu::BindGroupEntry {
                binding: *number,
                resource: match binding {
                    Binding::Buffer {
                        buffer,
                        offset,
                        size,
                    } => wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: twin.buffer(*buffer),
                        offset: *offset,
                        size: size.and_then(std::num::NonZeroU64::new),
                    }),
                    Binding::Texture(_) => {
                        wgpu::BindingResource::TextureView(views.next().expect("one each"))
                    }
                    Binding::Sampler(_) => {
                        wgpu::BindingResource::Sampler(samplers.next().expect("one each"))
                    }
                },
            })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        })
    }

    fn pipeline(
        &self,
        module: &wgpu::ShaderModule,
        pipeline: &RenderPipeline,
    ) -> wgpu::RenderPipeline {
        let spec = pipeline.spec();
        let buffers: Vec<Option<wgpu::VertexBufferLayout<'_>>> = (spec.buffers.iter())
            .map(|buffer| {
                Some(wgpu::VertexBufferLayout {
                    array_stride: buffer.stride,
                    step_mode: buffer.step,
                    attributes: &buffer.attributes,
                })
            })
            .collect();
        self.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: None,
                layout: None,
                vertex: wgpu::VertexState {
                    module,
                    entry_point: Some(&spec.vertex.entry),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &buffers,
                },
                primitive: spec.primitive,
                depth_stencil: spec.depth_stencil.clone(),
                multisample: spec.multisample,
                fragment: spec.fragment.as_ref().map(|fragment| wgpu::FragmentState {
                    module,
                    entry_point: Some(&fragment.entry),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &spec.targets,
                }),
                multiview_mask: None,
                cache: None,
            })
    }

    fn render(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        module: &wgpu::ShaderModule,
        twin: &Twin,
        (memory, pass): (&Memory, &RenderPass<'_>),
        pipelines: &mut HashMap<*const RenderPipeline, wgpu::RenderPipeline>,
    ) {
        let colors: Vec<_> = (pass.colors.iter())
            .map(|color| {
                color.as_ref().map(|color| {
                    (
                        twin.view(&color.view),
                        color.resolve.as_ref().map(|view| twin.view(view)),
                        color.ops,
                    )
                })
            })
            .collect();
        let colors: Vec<_> = (colors.iter())
            .map(|color| {
                color
                    .as_ref()
                    .map(|(view, resolve, ops)| wgpu::RenderPassColorAttachment {
                        view,
                        depth_slice: None,
                        resolve_target: resolve.as_ref(),
                        ops: *ops,
                    })
            })
            .collect();
        let depth = pass
            .depth_stencil
            .as_ref()
            .map(|depth| (twin.view(&depth.view), depth));
        let mut recorded = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &colors,
            depth_stencil_attachment: depth.as_ref().map(|(view, depth)| {
                wgpu::RenderPassDepthStencilAttachment {
                    view,
                    depth_ops: depth.depth,
                    stencil_ops: depth.stencil,
                }
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        for draw in &pass.draws {
            let key: *const RenderPipeline = draw.pipeline;
            let pipeline = pipelines
                .entry(key)
                .or_insert_with(|| self.pipeline(module, draw.pipeline));
            recorded.set_pipeline(pipeline);
            self.draw(&mut recorded, pipeline, twin, draw);
        }
        let _ = memory;
    }

    fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        twin: &Twin,
        draw: &PassDraw<'_>,
    ) {
        for (number, group) in draw.groups.iter().enumerate() {
            let layout = pipeline.get_bind_group_layout(number as u32);
            pass.set_bind_group(number as u32, &self.group(twin, &layout, group), &[]);
        }
        for (number, buffer) in draw.vertex_buffers.iter().enumerate() {
            if let Some((buffer, offset)) = buffer {
                pass.set_vertex_buffer(number as u32, twin.buffer(*buffer).slice(*offset..));
            }
        }
        if let Some(viewport) = draw.viewport {
            let ([x, y], [width, height], [near, far]) =
                (viewport.origin, viewport.size, viewport.depth);
            pass.set_viewport(x, y, width, height, near, far);
        }
        if let Some([x, y, width, height]) = draw.scissor {
            pass.set_scissor_rect(x, y, width, height);
        }
        pass.set_blend_constant(draw.blend_constant);
        pass.set_stencil_reference(draw.stencil_reference);
        match draw.indices {
            None => pass.draw(draw.elements.clone(), draw.instances.clone()),
            Some(indices) => {
                pass.set_index_buffer(
                    twin.buffer(indices.buffer).slice(indices.offset..),
                    indices.format,
                );
                pass.draw_indexed(
                    draw.elements.clone(),
                    draw.base_vertex,
                    draw.instances.clone(),
                );
            }
        }
    }
}

fn record_copy(encoder: &mut wgpu::CommandEncoder, twin: &Twin, copy: &Copy) {
    match *copy {
        Copy::Buffer { from, to, bytes } => {
            encoder.copy_buffer_to_buffer(
                twin.buffer(from.0),
                from.1,
                twin.buffer(to.0),
                to.1,
                bytes,
            );
        }
        Copy::ToTexture { from, to, size } => encoder.copy_buffer_to_texture(
            wgpu::TexelCopyBufferInfo {
                buffer: twin.buffer(from.0),
                layout: from.1,
            },
            twin.place(to),
            extent(size),
        ),
        Copy::ToBuffer { from, to, size } => encoder.copy_texture_to_buffer(
            twin.place(from),
            wgpu::TexelCopyBufferInfo {
                buffer: twin.buffer(to.0),
                layout: to.1,
            },
            extent(size),
        ),
        Copy::Texture { from, to, size } => {
            encoder.copy_texture_to_texture(twin.place(from), twin.place(to), extent(size));
        }
    }
}
