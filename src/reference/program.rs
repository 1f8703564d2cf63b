//! Pipelines: everything that a draw is specialised by in, the driver's pipeline out, built once for each.

use std::collections::HashMap;

use super::ReferenceError;
use super::adapter::Gpu;
use super::frame_kind::{DEPTH_FORMAT, FrameKind, PICTURE_FORMAT, RADIANCE_FORMAT};
use super::geometry::VertexStreams;
use super::layouts::Layouts;
use super::shader_text::{Program, halve_text, resolve_text, scene_text, sky_text};
use super::surface::Surface;
use azulejo_grid::SampleCount;
use azulejo_scene::{DepthState, Topology};

/// Pipelines built so far.
#[derive(Debug, Default)]
pub(super) struct Pipelines {
    scene: HashMap<Program, wgpu::RenderPipeline>,
    sky: HashMap<FrameKind, wgpu::RenderPipeline>,
    resolve: HashMap<FrameKind, wgpu::RenderPipeline>,
    halve: HashMap<FrameKind, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub(super) fn scene(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        program: &Program,
    ) -> Result<wgpu::RenderPipeline, ReferenceError> {
        if let Some(known) = self.scene.get(program) {
            return Ok(known.clone());
        }
        let built = build_scene(gpu, layouts, program)?;
        self.scene.insert(program.clone(), built.clone());
        Ok(built)
    }

    pub(super) fn sky(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        frame: FrameKind,
    ) -> wgpu::RenderPipeline {
        let build = || build_sky(gpu, layouts, frame);
        self.sky.entry(frame).or_insert_with(build).clone()
    }

    pub(super) fn resolve(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        frame: FrameKind,
    ) -> wgpu::RenderPipeline {
        let build = || build_resolve(gpu, layouts, frame);
        self.resolve.entry(frame).or_insert_with(build).clone()
    }
}

impl Pipelines {
    /// Fills the smaller levels of what lies behind.
    pub(super) fn halve(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        frame: FrameKind,
    ) -> wgpu::RenderPipeline {
        let build = || build_halve(gpu, layouts, frame);
        self.halve.entry(frame).or_insert_with(build).clone()
    }
}

fn build_scene(
    gpu: &Gpu,
    layouts: &Layouts,
    program: &Program,
) -> Result<wgpu::RenderPipeline, ReferenceError> {
    let attributes = attributes(&program.streams);
    let vertices = wgpu::VertexBufferLayout {
        array_stride: (program.streams.stride() * size_of::<f32>()) as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    };
    let material = program.surface.layout(gpu, layouts)?;
    let mut groups = vec![&layouts.frame, &layouts.draw, material];
    if program.surface.looks_behind() {
        groups.push(&layouts.behind);
    }
    Ok(build(
        gpu,
        Stages {
            text: scene_text(program),
            groups: &groups,
            vertices: Some(vertices),
            primitive: primitive_state(program),
            depth: Some(depth_state(&program.surface)),
            target: wgpu::ColorTargetState {
                format: program.frame.target_format(),
                blend: program
                    .surface
                    .blends()
                    .then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            },
            samples: program.frame.samples,
        },
    ))
}

fn depth_state(surface: &Surface) -> wgpu::DepthStencilState {
    let (compare, write) = match surface.depth {
        DepthState::TestAndWrite => (wgpu::CompareFunction::LessEqual, !surface.blends()),
        DepthState::Test => (wgpu::CompareFunction::LessEqual, false),
        DepthState::Off => (wgpu::CompareFunction::Always, false),
    };
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

fn primitive_state(program: &Program) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
        topology: match program.topology {
            Topology::Points => wgpu::PrimitiveTopology::PointList,
            Topology::Lines => wgpu::PrimitiveTopology::LineList,
            Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
        },
        front_face: if program.mirrored {
            wgpu::FrontFace::Cw
        } else {
            wgpu::FrontFace::Ccw
        },
        cull_mode: (!program.surface.double_sided).then_some(wgpu::Face::Back),
        ..Default::default()
    }
}

/// Vertex attributes at the locations of `Vertex` in the scene shader.
fn attributes(streams: &VertexStreams) -> Vec<wgpu::VertexAttribute> {
    use wgpu::VertexFormat::{Float32x2, Float32x3, Float32x4};
    let mut attributes = Vec::new();
    let mut add = |format, offset: usize, shader_location| {
        attributes.push(wgpu::VertexAttribute {
            format,
            offset: (offset * size_of::<f32>()) as u64,
            shader_location,
        });
    };
    add(Float32x3, 0, 0);
    if streams.normal {
        add(Float32x3, VertexStreams::NORMAL_OFFSET, 1);
    }
    if streams.tangent {
        add(Float32x4, streams.tangent_offset(), 2);
    }
    if streams.color {
        add(Float32x4, streams.color_offset(), 3);
    }
    for set in 0..streams.tex_coords {
        add(Float32x2, streams.tex_coord_offset(set), 4 + set as u32);
    }
    attributes
}

fn build_sky(gpu: &Gpu, layouts: &Layouts, frame: FrameKind) -> wgpu::RenderPipeline {
    build(
        gpu,
        Stages {
            text: sky_text(frame),
            groups: &[&layouts.frame],
            vertices: None,
            primitive: wgpu::PrimitiveState::default(),
            depth: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            target: frame.target_format().into(),
            samples: frame.samples,
        },
    )
}

fn build_resolve(gpu: &Gpu, layouts: &Layouts, frame: FrameKind) -> wgpu::RenderPipeline {
    build(
        gpu,
        Stages {
            text: resolve_text(frame),
            groups: &[&layouts.frame, &layouts.radiance],
            vertices: None,
            primitive: wgpu::PrimitiveState::default(),
            depth: None,
            target: PICTURE_FORMAT.into(),
            samples: SampleCount::One,
        },
    )
}

fn build_halve(gpu: &Gpu, layouts: &Layouts, frame: FrameKind) -> wgpu::RenderPipeline {
    build(
        gpu,
        Stages {
            text: halve_text(frame),
            groups: &[&layouts.radiance],
            vertices: None,
            primitive: wgpu::PrimitiveState::default(),
            depth: None,
            target: RADIANCE_FORMAT.into(),
            samples: SampleCount::One,
        },
    )
}

/// Stages and state of a pipeline, as far as pipelines differ.
struct Stages<'a> {
    text: String,
    groups: &'a [&'a wgpu::BindGroupLayout],
    vertices: Option<wgpu::VertexBufferLayout<'a>>,
    primitive: wgpu::PrimitiveState,
    depth: Option<wgpu::DepthStencilState>,
    target: wgpu::ColorTargetState,
    samples: SampleCount,
}

fn build(gpu: &Gpu, stages: Stages<'_>) -> wgpu::RenderPipeline {
    let device = &gpu.device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(stages.text.into()),
    });
    let groups: Vec<_> = stages.groups.iter().copied().map(Some).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: &groups,
        ..Default::default()
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[stages.vertices],
        },
        primitive: stages.primitive,
        depth_stencil: stages.depth,
        multisample: wgpu::MultisampleState {
            count: stages.samples.get(),
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(stages.target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}
