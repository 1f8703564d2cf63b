//! Passes against what is counted by hand, and faults by name. Their pictures are held against a driver's by the library's
//! tests.

use azulejo_shader::Module;
use azulejo_simd::SimdLevel;
use wgpu_types::{
    Color, ColorTargetState, CompareFunction, DepthBiasState, DepthStencilState, Extent3d, LoadOp,
    Operations, StencilState, StoreOp, TextureFormat, TextureViewDimension,
};

use crate::{
    BindGroup, Binding, ColorAttachment, DepthStencilAttachment, Device, Memory, Pass,
    PassCounters, PassDraw, PassError, RenderPass, RenderPipeline, RenderPipelineSpec, Sampler,
    TextureId, TexturePlace, TextureSpec, TextureView,
};

mod buffers;
mod compute;
mod limits;
mod moves;
mod trace;

const SOURCE: &str = "
    struct Corner { @builtin(position) at: vec4f, @location(0) inside: f32, @location(1) @interpolate(perspective, centroid) covered: f32 }

    // Everything left of and below the diagonal, where `inside` is above zero.
    @vertex fn half(@builtin(vertex_index) v: u32) -> Corner {
        let at = vec2f(f32(v / 2), f32(v % 2)) * 2 - 1;
        let inside = select(0.0, 1.0, v == 0);
        return Corner(vec4f(at, 0.25, 1), inside, inside);
    }
    @vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
        return vec4f(f32(v / 2) * 4 - 1, f32(v % 2) * 4 - 1, 0.25, 1);
    }
    @vertex fn nowhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
        let zero = f32(v) - f32(v);
        return vec4f(zero / zero, f32(v), 1 / zero, zero);
    }
    @fragment fn white() -> @location(0) vec4f { return vec4f(1); }
    @fragment fn at_center(in: Corner) -> @location(0) vec4f { return vec4f(in.inside); }
    @fragment fn at_centroid(in: Corner) -> @location(0) vec4f { return vec4f(in.covered); }
    @group(0) @binding(0) var plane: texture_2d<f32>;
    @group(0) @binding(0) var sky: texture_cube<f32>;
    @group(0) @binding(0) var stored: texture_storage_2d<r32float, write>;
    @group(0) @binding(1) var how: sampler;
    @fragment fn of_plane() -> @location(0) vec4f { return textureSampleLevel(plane, how, vec2f(0), 0); }
    @fragment fn of_sky() -> @location(0) vec4f { return textureSampleLevel(sky, how, vec3f(1), 0); }
    @fragment fn storing() -> @location(0) vec4f { textureStore(stored, vec2u(0), vec4f(0)); return vec4f(0); }
    @compute @workgroup_size(1) fn nothing() {}
    @group(0) @binding(0) var<uniform> bound: u32;
    @fragment fn endless() -> @location(0) vec4f {
        var sum = 0u;
        loop { sum += 1; if sum == bound { break; } continuing { sum *= 2; } }
        return vec4f(f32(sum));
    }
";

const WIDTH: u32 = 40;
const HEIGHT: u32 = 24;
const PIXELS: u64 = (WIDTH * HEIGHT) as u64;

fn spec(vertex: &str, fragment: &str, target: TextureFormat) -> RenderPipelineSpec {
    let module = Module::parse(SOURCE).expect("a valid module");
    let code = |entry| module.compile(entry, &[]).expect("it lowers");
    RenderPipelineSpec::new(code(vertex), code(fragment), ColorTargetState::from(target))
}

fn pipeline(spec: RenderPipelineSpec) -> RenderPipeline {
    RenderPipeline::new(spec).expect("a lawful pipeline")
}

fn texture(memory: &mut Memory, format: TextureFormat, samples: u32) -> TextureId {
    let spec = TextureSpec {
        samples,
        ..TextureSpec::of_2d(format, WIDTH, HEIGHT)
    };
    memory.texture(spec).expect("room")
}

const fn cleared<V>(value: V, store: StoreOp) -> Operations<V> {
    Operations {
        load: LoadOp::Clear(value),
        store,
    }
}

fn colors(view: TextureId, ops: Operations<Color>) -> Vec<Option<ColorAttachment>> {
    let view = TextureView::of(view);
    vec![Some(ColorAttachment {
        view,
        ops,
        resolve: None,
    })]
}

fn device() -> Device {
    Device::new(1, SimdLevel::Auto).expect("threads")
}

/// Runs one pass with one draw.
fn run(
    memory: &mut Memory,
    pipeline: &RenderPipeline,
    pass: RenderPass<'_>,
) -> Result<PassCounters, PassError> {
    let draws = vec![PassDraw::new(pipeline, 3)];
    let pass = Pass::Render(RenderPass { draws, ..pass });
    Ok(device().run(memory, &[pass])?[0])
}

fn read(memory: &Memory, texture: TextureId) -> Vec<u8> {
    let size = memory.spec(texture).expect("it exists").size;
    let texels = memory.read_texture(TexturePlace::start(texture), size);
    texels.expect("all of it")
}

#[test]
fn pass_bytes_are_pixels_times_format() {
    let (format, black) = (TextureFormat::Rgba16Float, Color::BLACK);
    let plain = pipeline(spec("everywhere", "white", format));
    let mut memory = Memory::default();
    let target = texture(&mut memory, format, 1);
    for (load, store, expected) in [
        (LoadOp::Clear(black), StoreOp::Store, [0, 8 * PIXELS]),
        (LoadOp::Load, StoreOp::Store, [8 * PIXELS, 8 * PIXELS]),
        (LoadOp::Load, StoreOp::Discard, [8 * PIXELS, 0]),
    ] {
        let pass = RenderPass {
            colors: colors(target, Operations { load, store }),
            ..RenderPass::default()
        };
        let counters = run(&mut memory, &plain, pass).expect("it runs");
        assert_eq!(
            [counters.loaded_bytes, counters.stored_bytes],
            expected,
            "{load:?}, {store:?}"
        );
        assert_eq!(counters.fragments, PIXELS, "each pixel once");
    }
}

#[test]
fn pass_bytes_of_samples_stay_in_the_tile_when_resolved() {
    let format = TextureFormat::Rgba8Unorm;
    let mut four = spec("everywhere", "white", format);
    four.multisample.count = 4;
    let mut memory = Memory::default();
    let (samples, resolved) = (
        texture(&mut memory, format, 4),
        texture(&mut memory, format, 1),
    );
    for (store, expected) in [
        (StoreOp::Discard, 4 * PIXELS),
        (StoreOp::Store, (4 + 16) * PIXELS),
    ] {
        let color = ColorAttachment {
            view: TextureView::of(samples),
            ops: cleared(Color::BLACK, store),
            resolve: Some(TextureView::of(resolved)),
        };
        let pass = RenderPass {
            colors: vec![Some(color)],
            ..RenderPass::default()
        };
        let counters = run(&mut memory, &pipeline(four.clone()), pass).expect("it runs");
        assert_eq!(counters.stored_bytes, expected, "samples: {store:?}");
        assert_eq!(counters.samples_written, 4 * PIXELS, "all four of each");
        assert!(
            read(&memory, resolved).iter().all(|byte| *byte == 255),
            "white everywhere"
        );
    }
}

#[test]
fn tile_is_the_largest_whose_pixels_fit() {
    // 32 KiB: 1,024 pixels of 32 bytes, 256 of 128, 64 of 512.
    for (format, n, samples, edge) in [
        (TextureFormat::Rgba8Unorm, 1, 1, 32),
        (TextureFormat::Rgba32Float, 2, 1, 32),
        (TextureFormat::Rgba32Float, 3, 1, 16),
        (TextureFormat::Rgba16Float, 1, 4, 32),
        (TextureFormat::Rgba16Float, 4, 4, 16),
        (TextureFormat::Rgba32Float, 3, 4, 8),
    ] {
        let mut memory = Memory::default();
        let attachment = |memory: &mut Memory| {
            let target = texture(memory, format, samples);
            colors(target, cleared(Color::BLACK, StoreOp::Discard))[0]
        };
        let colors = (0..n).map(|_| attachment(&mut memory)).collect();
        let pass = Pass::Render(RenderPass {
            colors,
            ..RenderPass::default()
        });
        let counters = device().run(&mut memory, &[pass]).expect("it runs");
        assert_eq!(
            counters[0].tile_size, edge,
            "{n} targets of {format:?}, {samples} samples"
        );
    }
}

#[test]
fn depth_bias_of_fixed_point_is_whole_steps() {
    let depth = |constant: i32| {
        let bias = DepthBiasState {
            constant,
            slope_scale: 0.0,
            clamp: 0.0,
        };
        let mut biased = spec("everywhere", "white", TextureFormat::R8Unorm);
        biased.depth_stencil = Some(DepthStencilState {
            format: TextureFormat::Depth16Unorm,
            depth_write_enabled: Some(true),
            depth_compare: Some(CompareFunction::Always),
            stencil: StencilState::default(),
            bias,
        });
        let mut memory = Memory::default();
        let target = texture(&mut memory, TextureFormat::R8Unorm, 1);
        let depth = texture(&mut memory, TextureFormat::Depth16Unorm, 1);
        let pass = RenderPass {
            colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
            depth_stencil: Some(DepthStencilAttachment {
                view: TextureView::of(depth),
                depth: Some(cleared(1.0, StoreOp::Store)),
                stencil: None,
            }),
            ..RenderPass::default()
        };
        run(&mut memory, &pipeline(biased), pass).expect("it runs");
        let found = read(&memory, depth);
        i32::from(u16::from_le_bytes([found[0], found[1]]))
    };
    let flat = depth(0);
    assert_eq!(flat, 16384, "a quarter of 65,535, to the nearest step");
    for constant in [-900, 1, 900] {
        assert_eq!(depth(constant) - flat, constant, "bias of {constant} steps");
    }
}

#[test]
fn centroid_lies_within_what_is_covered() {
    // Along the diagonal centres of half covered pixels lie beyond it, where the value is below zero.
    let lowest = |fragment: &str| {
        let format = TextureFormat::R32Float;
        let mut four = spec("half", fragment, format);
        four.multisample.count = 4;
        let mut memory = Memory::default();
        let target = texture(&mut memory, format, 4);
        let pass = RenderPass {
            colors: colors(target, cleared(Color::WHITE, StoreOp::Store)),
            ..RenderPass::default()
        };
        run(&mut memory, &pipeline(four), pass).expect("it runs");
        let texels = read(&memory, target);
        let texels = texels.as_chunks::<4>().0.iter();
        let texels = texels.map(|texel| f32::from_le_bytes(*texel));
        texels.fold(f32::INFINITY, f32::min)
    };
    assert!(lowest("at_center") < 0.0, "centres lie beyond");
    assert!(lowest("at_centroid") >= 0.0, "centroids do not");
}

#[test]
fn positions_that_are_no_numbers_draw_nothing() {
    let format = TextureFormat::Rgba8Unorm;
    let nowhere = pipeline(spec("nowhere", "white", format));
    let mut memory = Memory::default();
    let target = texture(&mut memory, format, 1);
    let pass = RenderPass {
        colors: colors(target, cleared(Color::TRANSPARENT, StoreOp::Store)),
        ..RenderPass::default()
    };
    let counters = run(&mut memory, &nowhere, pass).expect("it runs");
    assert_eq!(counters.fragments, 0, "no fragments");
    assert!(
        read(&memory, target).iter().all(|byte| *byte == 0),
        "as it was cleared"
    );
}

#[test]
fn endless_program_is_an_error_that_names_its_draw() {
    let format = TextureFormat::Rgba8Unorm;
    let endless = pipeline(spec("everywhere", "endless", format));
    let mut memory = Memory::default();
    let target = texture(&mut memory, format, 1);
    let zero = memory.buffer(16).expect("room");
    let draw = PassDraw {
        groups: vec![BindGroup(vec![(0, Binding::buffer(zero))])],
        ..PassDraw::new(&endless, 3)
    };
    let pass = Pass::Render(RenderPass {
        colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
        draws: vec![draw],
        ..RenderPass::default()
    });
    let error = device().run(&mut memory, &[pass]).expect_err("no end");
    let text = error.to_string();
    assert!(text.starts_with("pass 0: draw 0: "), "{text}");
    assert!(text.contains("instructions"), "{text}");
}

#[test]
fn faults_name_pass_draw_and_what_was_expected() {
    let format = TextureFormat::Rgba8Unorm;
    let plain = pipeline(spec("everywhere", "white", format));
    let bound = pipeline(spec("everywhere", "endless", format));
    let fault = |change: &dyn Fn(&mut Memory, &mut RenderPass<'_>)| {
        let mut memory = Memory::default();
        let target = texture(&mut memory, format, 1);
        let mut pass = RenderPass {
            colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
            draws: vec![PassDraw::new(&plain, 3)],
            ..RenderPass::default()
        };
        change(&mut memory, &mut pass);
        let done = device().run(&mut memory, &[Pass::Render(pass)]);
        done.expect_err("not lawful").to_string()
    };
    assert_eq!(
        fault(&|_, pass| pass.colors.clear()),
        "pass 0: no attachment; expected one"
    );
    let other = |memory: &mut Memory, pass: &mut RenderPass<'_>| {
        let target = texture(memory, TextureFormat::R8Unorm, 1);
        pass.colors = colors(target, cleared(Color::BLACK, StoreOp::Store));
    };
    assert_eq!(
        fault(&other),
        "pass 0: draw 0 (`everywhere`): a pipeline for targets [Some(Rgba8Unorm)]; expected [Some(R8Unorm)]"
    );
    let twice = |memory: &mut Memory, pass: &mut RenderPass<'_>| {
        let target = texture(memory, format, 1);
        pass.colors = colors(target, cleared(Color::BLACK, StoreOp::Store)).repeat(2);
    };
    assert_eq!(
        fault(&twice),
        "pass 0: texture 1, level 0, layer 0: two attachments; expected one"
    );
    assert_eq!(
        fault(&|_, pass| pass.draws[0].scissor = Some([30, 0, 11, 1])),
        "pass 0: draw 0 (`everywhere`): scissor 30, 0, 11 x 1; expected within 40 x 24"
    );
    assert_eq!(
        fault(&|_, pass| pass.draws[0].elements = 0..u32::MAX),
        "pass 0: draw 0 (`everywhere`): 4294967295 vertices; expected at most 67108864"
    );
    let mut memory = Memory::default();
    let target = texture(&mut memory, format, 1);
    let pass = RenderPass {
        colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
        ..RenderPass::default()
    };
    let unbound = run(&mut memory, &bound, pass).expect_err("nothing is bound");
    assert_eq!(
        unbound.to_string(),
        "pass 0: draw 0 (`everywhere`): `bound` (group 0, binding 0): nothing is bound"
    );
}

/// Fault of a draw with this fragment program over a texture and a sampler.
fn fault_of(
    fragment: &str,
    spec_of_bound: TextureSpec,
    view: TextureView,
    sampler: Sampler,
) -> String {
    let format = TextureFormat::Rgba8Unorm;
    let sampling = pipeline(spec("everywhere", fragment, format));
    let mut memory = Memory::default();
    let target = texture(&mut memory, format, 1);
    let texture = memory.texture(spec_of_bound).expect("room");
    let view = TextureView { texture, ..view };
    let group = BindGroup(vec![
        (0, Binding::Texture(view)),
        (1, Binding::Sampler(sampler)),
    ]);
    let draw = PassDraw {
        groups: vec![group],
        ..PassDraw::new(&sampling, 3)
    };
    let pass = Pass::Render(RenderPass {
        colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
        draws: vec![draw],
        ..RenderPass::default()
    });
    let done = device().run(&mut memory, &[pass]);
    let text = done.expect_err("not lawful").to_string();
    let place = "pass 0: draw 0 (`everywhere`): ";
    text.strip_prefix(place).expect("it names the draw").into()
}

#[test]
fn textures_of_another_kind_are_faults() {
    let any = TextureView::of(TextureId(0));
    let plain = TextureSpec::of_2d(TextureFormat::Rgba8Unorm, 8, 4);
    let of = |format| TextureSpec { format, ..plain };
    let layered = TextureSpec {
        size: Extent3d {
            width: 8,
            height: 4,
            depth_or_array_layers: 6,
        },
        ..plain
    };
    let cube = TextureView {
        dimension: Some(TextureViewDimension::Cube),
        ..any
    };
    let samples = TextureSpec {
        samples: 4,
        ..plain
    };
    for (fragment, spec, view, expected) in [
        (
            "of_plane",
            layered,
            any,
            "`plane` (group 0, binding 0): a view of D2Array; expected D2",
        ),
        (
            "of_sky",
            layered,
            cube,
            "`sky` (group 0, binding 0): view of texture 1: a cube of 8 x 4 texels; expected squares",
        ),
        (
            "of_plane",
            of(TextureFormat::R8Uint),
            any,
            "`plane` (group 0, binding 0): R8Uint; expected Sampled { scalar: F32, multisampled: false }",
        ),
        (
            "of_plane",
            samples,
            any,
            "`plane` (group 0, binding 0): 4 samples; expected 1",
        ),
        (
            "storing",
            plain,
            any,
            "`stored` (group 0, binding 0): Rgba8Unorm; expected Storage(R32Float)",
        ),
    ] {
        assert_eq!(fault_of(fragment, spec, view, Sampler::default()), expected);
    }
}

#[test]
fn sampler_levels_in_disorder_are_a_fault() {
    let spec = TextureSpec::of_2d(TextureFormat::Rgba8Unorm, 8, 4);
    for (least, most) in [(2.0, 1.0), (-1.0, 1.0), (f32::NAN, 1.0), (0.0, f32::NAN)] {
        let sampler = Sampler {
            lod_min_clamp: least,
            lod_max_clamp: most,
            ..Sampler::default()
        };
        let any = TextureView::of(TextureId(0));
        assert_eq!(
            fault_of("of_plane", spec, any, sampler),
            format!(
                "`how` (group 0, binding 1): levels {least} to {most}; expected from 0 on, the least first"
            )
        );
    }
}
