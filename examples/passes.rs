//! Seven passes in WGSL: a shadow map, a scene in high dynamic range with four samples a pixel, a kernel that measures its light,
//! bloom, a tone map, and what each costs on a machine. `cargo run --release --example passes -- OUT.png OUT.azt` also writes a trace, which
//! `azulejo simulate` takes.

use std::error::Error;
use std::io::Write as _;

use azulejo::demo::procedural::{Patch, plane, torus};
use azulejo::gpu::Gpu;
use azulejo::gpu::machine::MachineSpec;
use azulejo::pass::types::{
    AddressMode, Color, CompareFunction, DepthBiasState, DepthStencilState, FilterMode, LoadOp,
    Operations, StoreOp, TextureFormat, VertexAttribute, VertexFormat, VertexStepMode,
};
use azulejo::pass::{
    BindGroup, Binding, BufferId, ColorAttachment, ComputePipeline, DepthStencilAttachment, Device,
    Dispatch, IndexBuffer, Memory, Pass, PassDraw, PassError, RenderPass, RenderPipeline,
    RenderPipelineSpec, Sampler, TextureId, TexturePlace, TextureSpec, TextureView, VertexBuffer,
};
use azulejo::render::output::png;
use azulejo::render::{Picture, SimdLevel};
use azulejo::report::{Simulation, simulation_table};
use azulejo::scene::Primitive;
use azulejo::shader::Module;
use azulejo::trace::{FrameTrace, TraceWriter};
use glam::camera::rh::{proj::directx, view::look_at_mat4};
use glam::{Mat4, Vec2, Vec3};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 360;
const RADIANCE: TextureFormat = TextureFormat::Rgba16Float;
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// Vertices and indices in buffers: positions and normals, three floats each.
struct Mesh(BufferId, BufferId, u32);

impl Mesh {
    fn new(memory: &mut Memory, mesh: &Primitive) -> Result<Self, Box<dyn Error>> {
        let vertices = mesh.positions.iter().zip(&mesh.normals);
        let vertices: Vec<[Vec3; 2]> = vertices
            .map(|(position, normal)| [*position, *normal])
            .collect();
        let vertices = memory.buffer_of(bytemuck::cast_slice(&vertices))?;
        let indices = memory.buffer_of(bytemuck::cast_slice(&mesh.indices))?;
        Ok(Self(vertices, indices, mesh.indices.len() as u32))
    }

    /// Draw of the instance with this number.
    fn draw<'a>(
        &self,
        pipeline: &'a RenderPipeline,
        group: &BindGroup,
        instance: u32,
    ) -> PassDraw<'a> {
        let Self(vertices, buffer, count) = *self;
        PassDraw {
            groups: vec![group.clone()],
            vertex_buffers: vec![Some((vertices, 0))],
            indices: Some(IndexBuffer {
                buffer,
                offset: 0,
                format: Default::default(),
            }),
            instances: instance..instance + 1,
            ..PassDraw::new(pipeline, count)
        }
    }
}

fn cleared<V>(value: V, store: StoreOp) -> Operations<V> {
    Operations {
        load: LoadOp::Clear(value),
        store,
    }
}

/// A pass of one triangle over a target that samples what is in `group`.
fn filter<'a>(
    label: &str,
    pipeline: &'a RenderPipeline,
    target: TextureId,
    group: BindGroup,
) -> Pass<'a> {
    let ops = cleared(Color::BLACK, StoreOp::Store);
    let draw = PassDraw {
        groups: vec![group],
        ..PassDraw::new(pipeline, 3)
    };
    let color = ColorAttachment {
        view: TextureView::of(target),
        ops,
        resolve: None,
    };
    Pass::Render(RenderPass {
        label: label.to_owned(),
        colors: vec![Some(color)],
        draws: vec![draw],
        ..RenderPass::default()
    })
}

/// Matrices and places of the eye and of the light.
fn frame() -> Vec<f32> {
    let eye = Vec3::new(2.6, 2.2, 3.4);
    let towards_light = Vec3::new(0.5, 0.8, 0.3).normalize();
    let view = look_at_mat4(eye, Vec3::new(0.0, 0.2, 0.0), Vec3::Y);
    let projection = directx::perspective(0.8, WIDTH as f32 / HEIGHT as f32, 0.1, 20.0);
    let of_light = directx::orthographic(-3.0, 3.0, -3.0, 3.0, 1.0, 12.0)
        * look_at_mat4(towards_light * 6.0, Vec3::ZERO, Vec3::Y);
    let matrices = [projection * view, of_light].map(|matrix| matrix.to_cols_array());
    let places = [towards_light.extend(0.0), eye.extend(1.0)].map(|place| place.to_array());
    [matrices.as_flattened(), places.as_flattened()].concat()
}

/// Places, colours and radiance of the floor, the ring and the lamp within it.
fn bodies() -> Vec<f32> {
    let flat = Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let above = Mat4::from_translation(Vec3::new(0.0, 0.75, 0.0));
    let leaning = above * Mat4::from_rotation_x(0.9);
    let small = above * Mat4::from_scale(Vec3::splat(0.3));
    let lit = [
        (flat, [0.4, 0.4, 0.42, 1.0], [0.0; 4]),
        (leaning, [0.9, 0.3, 0.2, 1.0], [0.0; 4]),
        (small, [1.0; 4], [0.6, 2.5, 5.0, 0.0]),
    ];
    let floats = |(place, color, glow): (Mat4, [f32; 4], [f32; 4])| {
        [place.to_cols_array().as_slice(), &color, &glow].concat()
    };
    lit.into_iter().flat_map(floats).collect()
}

/// Pipelines of the seven passes.
struct Pipelines {
    shadow: RenderPipeline,
    scene: RenderPipeline,
    measure: ComputePipeline,
    bright: RenderPipeline,
    across: RenderPipeline,
    down: RenderPipeline,
    toned: RenderPipeline,
}

fn depth_test(constant: i32, slope_scale: f32) -> Option<DepthStencilState> {
    Some(DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(true),
        depth_compare: Some(CompareFunction::Less),
        stencil: Default::default(),
        bias: DepthBiasState {
            constant,
            slope_scale,
            clamp: 0.0,
        },
    })
}

impl Pipelines {
    fn new() -> Result<Self, Box<dyn Error>> {
        let module = Module::parse(include_str!("../shaders/bloom.wgsl"))?;
        let code = |entry| module.compile(entry, &[]);
        let attribute = |shader_location| VertexAttribute {
            format: VertexFormat::Float32x3,
            offset: 12 * u64::from(shader_location),
            shader_location,
        };
        let vertices = VertexBuffer {
            stride: 24,
            step: VertexStepMode::Vertex,
            attributes: vec![attribute(0), attribute(1)],
        };
        let mut scene = RenderPipelineSpec {
            buffers: vec![vertices],
            depth_stencil: depth_test(0, 0.0),
            ..RenderPipelineSpec::new(code("seen_by_eye")?, code("lit")?, RADIANCE.into())
        };
        let shadow = RenderPipelineSpec {
            vertex: code("seen_by_light")?,
            fragment: None,
            targets: Vec::new(),
            depth_stencil: depth_test(2, 2.0),
            ..scene.clone()
        };
        scene.multisample.count = 4;
        let over = |entry, format: TextureFormat| -> Result<RenderPipeline, Box<dyn Error>> {
            let spec = RenderPipelineSpec::new(code("everywhere")?, code(entry)?, format.into());
            Ok(RenderPipeline::new(spec)?)
        };
        Ok(Self {
            shadow: RenderPipeline::new(shadow)?,
            scene: RenderPipeline::new(scene)?,
            measure: ComputePipeline::new(code("measure")?)?,
            bright: over("bright", RADIANCE)?,
            across: over("across", RADIANCE)?,
            down: over("down", RADIANCE)?,
            toned: over("toned", TextureFormat::Rgba8UnormSrgb)?,
        })
    }
}

/// Targets of the passes.
struct Targets {
    shadow: TextureId,
    samples: TextureId,
    depth: TextureId,
    radiance: TextureId,
    blurred: [TextureId; 2],
    picture: TextureId,
}

impl Targets {
    fn new(memory: &mut Memory) -> Result<Self, Box<dyn Error>> {
        let mut texture = |label, format, [width, height]: [u32; 2], samples| {
            let texture = memory.texture(TextureSpec {
                samples,
                ..TextureSpec::of_2d(format, width, height)
            })?;
            memory.set_label(texture, label)?;
            Ok::<_, PassError>(texture)
        };
        let (whole, quarter) = ([WIDTH, HEIGHT], [WIDTH / 4, HEIGHT / 4]);
        Ok(Self {
            shadow: texture("shadow map", DEPTH, [512; 2], 1)?,
            samples: texture("samples", RADIANCE, whole, 4)?,
            depth: texture("depth", DEPTH, whole, 4)?,
            radiance: texture("radiance", RADIANCE, whole, 1)?,
            blurred: [
                texture("bright", RADIANCE, quarter, 1)?,
                texture("blurred", RADIANCE, quarter, 1)?,
            ],
            picture: texture("picture", TextureFormat::Rgba8UnormSrgb, whole, 1)?,
        })
    }
}

fn smooth() -> Sampler {
    Sampler {
        address_mode_u: AddressMode::ClampToEdge,
        address_mode_v: AddressMode::ClampToEdge,
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        ..Sampler::default()
    }
}

fn texture(texture: TextureId) -> Binding {
    Binding::Texture(TextureView::of(texture))
}

/// Shadow map, and the scene that it falls on: neither samples nor their depths leave the tiles.
fn scene<'a>(
    memory: &mut Memory,
    pipelines: &'a Pipelines,
    targets: &Targets,
) -> Result<[Pass<'a>; 2], Box<dyn Error>> {
    let floor = Mesh::new(memory, &plane(Patch::new(1, 1), Vec2::splat(5.0)))?;
    let ring = Mesh::new(memory, &torus(Patch::new(96, 32), 0.7, 0.25))?;
    let frame = memory.buffer_of(bytemuck::cast_slice(&frame()))?;
    let bodies = memory.buffer_of(bytemuck::cast_slice(&bodies()))?;
    let nearer = Sampler {
        compare: Some(CompareFunction::LessEqual),
        ..smooth()
    };
    let group = BindGroup(vec![
        (0, Binding::buffer(frame)),
        (1, Binding::buffer(bodies)),
        (2, texture(targets.shadow)),
        (3, Binding::Sampler(nearer)),
    ]);
    // The pass that draws the shadow map does not see it.
    let unlit = BindGroup(group.0[..2].to_vec());
    let draws = |pipeline, group: &BindGroup| {
        [(&floor, 0), (&ring, 1), (&ring, 2)]
            .map(|(mesh, body)| mesh.draw(pipeline, group, body))
            .into()
    };
    let depth = |texture, store| {
        Some(DepthStencilAttachment {
            view: TextureView::of(texture),
            depth: Some(cleared(1.0, store)),
            stencil: None,
        })
    };
    let night = Color {
        r: 0.01,
        g: 0.02,
        b: 0.04,
        a: 1.0,
    };
    let color = ColorAttachment {
        view: TextureView::of(targets.samples),
        ops: cleared(night, StoreOp::Discard),
        resolve: Some(TextureView::of(targets.radiance)),
    };
    Ok([
        Pass::Render(RenderPass {
            label: "shadow map".to_owned(),
            depth_stencil: depth(targets.shadow, StoreOp::Store),
            draws: draws(&pipelines.shadow, &unlit),
            ..RenderPass::default()
        }),
        Pass::Render(RenderPass {
            label: "scene".to_owned(),
            colors: vec![Some(color)],
            depth_stencil: depth(targets.depth, StoreOp::Discard),
            draws: draws(&pipelines.scene, &group),
        }),
    ])
}

/// Draws the passes and prints what they cost on LIBRA's baseline, whose tile buffers hold 8 KiB.
fn trace(memory: &mut Memory, passes: &[Pass<'_>]) -> Result<FrameTrace, Box<dyn Error>> {
    let machine = MachineSpec::built_in("valhall-libra-baseline", &[])?;
    let device = Device::new(0, SimdLevel::Auto)?.with_tile_bytes(machine.tile_bytes());
    let frame = device.trace(memory, passes, 0)?;
    let report = Gpu::new(&machine)?.run_frame(&frame)?;
    let sum = Simulation::of_frame(&machine.name, &report);
    let table = simulation_table("seven passes", &sum, &[]);
    std::io::stdout().lock().write_all(table.as_bytes())?;
    Ok(frame)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args().skip(1);
    let out = files.next().ok_or("usage: passes OUT.png [OUT.azt]")?;
    let mut memory = Memory::default();
    let (pipelines, targets) = (Pipelines::new()?, Targets::new(&mut memory)?);
    let [shadow, scene] = scene(&mut memory, &pipelines, &targets)?;
    let [first, second] = targets.blurred;
    let of = |image| vec![(0, texture(image)), (1, Binding::Sampler(smooth()))];
    let light = (3, Binding::buffer(memory.buffer_of(&[0; 4])?));
    let both = vec![(2, texture(first)), light.clone()];
    let both = [of(targets.radiance), both].concat();
    let passes = [
        shadow,
        scene,
        Pass::Compute(vec![Dispatch {
            pipeline: &pipelines.measure,
            groups: vec![BindGroup(vec![(0, texture(targets.radiance)), light])],
            workgroups: [WIDTH.div_ceil(16), HEIGHT.div_ceil(16), 1],
        }]),
        filter(
            "bright",
            &pipelines.bright,
            first,
            BindGroup(of(targets.radiance)),
        ),
        filter("across", &pipelines.across, second, BindGroup(of(first))),
        filter("down", &pipelines.down, first, BindGroup(of(second))),
        filter(
            "tone map",
            &pipelines.toned,
            targets.picture,
            BindGroup(both),
        ),
    ];
    let frame = trace(&mut memory, &passes)?;
    if let Some(file) = files.next() {
        let mut writer = TraceWriter::new(std::fs::File::create(file)?)?;
        writer.write(&frame)?;
        writer.finish()?;
    }

    let size = memory.spec(targets.picture)?.size;
    let pixels = memory.read_texture(TexturePlace::start(targets.picture), size)?;
    let picture = Picture {
        width: WIDTH,
        height: HEIGHT,
        pixels: bytemuck::cast_slice(&pixels).to_vec(),
    };
    std::fs::write(out, png::encode(&picture, &[])?)?;
    Ok(())
}
