//! Passes in WebGPU's terms, drawn by azulejo and by the driver: each blend factor, operation, format, test, topology and
//! sampler gives the same texels within what the Vulkan specification leaves open, with one sample a pixel and with four.

mod content;
mod driver;
mod setups;
#[cfg(feature = "model")]
mod traced;
mod twin;

use azulejo::pass::types::{
    Color, ColorTargetState, DepthStencilState, LoadOp, MultisampleState, Operations,
    PrimitiveState, StoreOp, TextureFormat,
};
use azulejo::pass::{
    BindGroup, BufferId, ColorAttachment, DepthStencilAttachment, Device, Memory, Pass, PassDraw,
    RenderPass, RenderPipeline, RenderPipelineSpec, TextureId, TextureSpec, TextureView,
    VertexBuffer,
};
use azulejo::shader::Module;
use azulejo::simd::SimdLevel;

use content::compare;
use driver::Driver;

/// Programs of all setups.
const SOURCE: &str = include_str!("passes.wgsl");

const WIDTH: u32 = 96;
const HEIGHT: u32 = 64;

/// A memory with passes over it.
struct Setup {
    name: String,
    memory: Memory,
    passes: Vec<Pass<'static>>,
}

/// One pass with one pipeline, as most setups are.
struct Plain {
    vertex: &'static str,
    fragment: Option<&'static str>,
    targets: Vec<ColorTargetState>,
    clear: Color,
    depth: Option<DepthStencilState>,
    clear_depth: f32,
    clear_stencil: u32,
    primitive: PrimitiveState,
    multisample: MultisampleState,
    buffers: Vec<VertexBuffer>,
    groups: Vec<BindGroup>,
    vertex_buffers: Vec<Option<(BufferId, u64)>>,
    /// Draws, changed from one of 36 vertices.
    draws: Box<dyn Fn(PassDraw<'static>) -> Vec<PassDraw<'static>>>,
    memory: Memory,
}

impl Default for Plain {
    fn default() -> Self {
        Self {
            vertex: "scattered",
            fragment: Some("colored"),
            targets: vec![TextureFormat::Rgba8Unorm.into()],
            clear: Color {
                r: 0.25,
                g: 0.5,
                b: 0.75,
                a: 0.5,
            },
            depth: None,
            clear_depth: 1.0,
            clear_stencil: 0,
            primitive: PrimitiveState::default(),
            multisample: MultisampleState::default(),
            buffers: Vec::new(),
            groups: Vec::new(),
            vertex_buffers: Vec::new(),
            draws: Box::new(|draw| vec![draw]),
            memory: Memory::default(),
        }
    }
}

/// A program of the source.
fn code(entry: &str) -> azulejo::shader::Code {
    let module = Module::parse(SOURCE).expect("the programs are valid");
    module.compile(entry, &[]).expect("the programs lower")
}

/// A pipeline that lives as long as the test.
fn pipeline(spec: RenderPipelineSpec) -> &'static RenderPipeline {
    Box::leak(Box::new(
        RenderPipeline::new(spec).expect("a lawful pipeline"),
    ))
}

/// A target of a pass, and what it is resolved into.
fn target(
    memory: &mut Memory,
    format: TextureFormat,
    samples: u32,
) -> (TextureId, Option<TextureId>) {
    let spec = TextureSpec::of_2d(format, WIDTH, HEIGHT);
    if samples == 1 {
        return (memory.texture(spec).expect("room"), None);
    }
    let resolved = memory.texture(spec).expect("room");
    let target = memory.texture(TextureSpec { samples, ..spec });
    (target.expect("room"), Some(resolved))
}

const fn cleared<V>(value: V) -> Operations<V> {
    Operations {
        load: LoadOp::Clear(value),
        store: StoreOp::Store,
    }
}

impl Plain {
    fn setup(self, name: impl Into<String>) -> Setup {
        let mut memory = self.memory;
        let samples = self.multisample.count;
        let colors = self.targets.iter().map(|state| {
            let (view, resolve) = target(&mut memory, state.format, samples);
            Some(ColorAttachment {
                view: TextureView::of(view),
                ops: cleared(self.clear),
                resolve: resolve.map(TextureView::of),
            })
        });
        let colors = colors.collect();
        let depth_stencil = self.depth.as_ref().map(|state| {
            let (view, _) = target(&mut memory, state.format, samples);
            DepthStencilAttachment {
                view: TextureView::of(view),
                depth: state
                    .format
                    .has_depth_aspect()
                    .then_some(cleared(self.clear_depth)),
                stencil: state
                    .format
                    .has_stencil_aspect()
                    .then_some(cleared(self.clear_stencil)),
            }
        });
        let pipeline = pipeline(RenderPipelineSpec {
            vertex: code(self.vertex),
            fragment: self.fragment.map(code),
            buffers: self.buffers,
            primitive: self.primitive,
            depth_stencil: self.depth,
            multisample: self.multisample,
            targets: self.targets.into_iter().map(Some).collect(),
        });
        let draw = PassDraw {
            groups: self.groups,
            vertex_buffers: self.vertex_buffers,
            ..PassDraw::new(pipeline, 36)
        };
        let pass = RenderPass {
            label: String::new(),
            colors,
            depth_stencil,
            draws: (self.draws)(draw),
        };
        Setup {
            name: name.into(),
            memory,
            passes: vec![Pass::Render(pass)],
        }
    }
}

/// Draws a setup on both sides.
fn check(driver: &Driver, device: &Device, setup: &Setup) -> Result<(), String> {
    let mut ours = setup.memory.clone();
    device
        .run(&mut ours, &setup.passes)
        .map_err(|error| format!("{}: {error}", setup.name))?;
    let theirs = driver.run(SOURCE, &setup.memory, &setup.passes);
    compare(&setup.name, &ours, &theirs)
}

/// Draws setups on both sides; fails with all that differ.
fn check_all(setups: Vec<Setup>) {
    let Some(driver) = Driver::open() else { return };
    let device = Device::new(0, SimdLevel::Auto).expect("threads");
    let differ: Vec<String> = (setups.iter())
        .filter_map(|setup| check(&driver, &device, setup).err())
        .collect();
    println!("{} setups, {} differ", setups.len(), differ.len());
    assert!(
        differ.is_empty(),
        "{} of {}:\n{}",
        differ.len(),
        setups.len(),
        differ.join("\n")
    );
}

/// Setups with one sample a pixel and with four.
fn twice(setups: impl Fn(u32) -> Vec<Setup>) -> Vec<Setup> {
    let mut all = setups(1);
    all.extend(setups(4).into_iter().map(|setup| Setup {
        name: format!("{}, 4 samples", setup.name),
        ..setup
    }));
    all
}

#[test]
fn passes_blend_as_the_driver_does() {
    check_all(twice(setups::colors::blends));
}

#[test]
fn passes_round_to_formats_as_the_driver_does() {
    check_all(twice(setups::colors::formats));
}

#[test]
fn passes_test_depth_and_stencil_as_the_driver_does() {
    check_all(twice(setups::depth::tests));
}

#[test]
fn passes_assemble_and_rasterise_as_the_driver_does() {
    check_all(twice(setups::primitives::primitives));
}

#[test]
fn passes_run_programs_as_the_driver_does() {
    check_all(twice(setups::primitives::programs));
}

#[test]
fn passes_fetch_attributes_as_the_driver_does() {
    check_all(setups::attributes::attributes());
}

#[test]
fn passes_sample_textures_as_the_driver_does() {
    check_all(setups::textures::textures());
}

#[test]
fn passes_load_compute_and_copy_as_the_driver_does() {
    check_all(setups::sequences::sequences());
}

#[test]
fn passes_are_the_same_on_any_threads_and_lanes() {
    let setups: Vec<Setup> = [
        setups::colors::blends(4),
        setups::depth::tests(4),
        setups::textures::textures(),
        setups::sequences::sequences(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let content = |threads: usize, level: SimdLevel, setup: &Setup| {
        let mut memory = setup.memory.clone();
        let counters =
            Device::new(threads, level).and_then(|device| device.run(&mut memory, &setup.passes));
        let counters = counters.expect("it runs");
        let texels = memory.textures().map(|id| {
            let spec = memory.spec(id).expect("it exists");
            memory
                .read_texture(azulejo::pass::TexturePlace::start(id), spec.size)
                .expect("all of it")
        });
        (texels.collect::<Vec<_>>(), counters)
    };
    for setup in &setups {
        let expected = content(1, SimdLevel::Scalar, setup);
        for (threads, level) in [(3, SimdLevel::Scalar), (2, SimdLevel::Auto)] {
            assert!(
                content(threads, level, setup) == expected,
                "{}: {threads} threads, {level:?}",
                setup.name
            );
        }
    }
}
