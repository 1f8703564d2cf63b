//! Traces of passes: facts counted by hand, and equal to what the passes' own counts say.

use azulejo_shader::Module;
use azulejo_trace::{FrameTrace, QuadSamples, TileTrace};
use wgpu_types::{
    BlendState, Color, ColorTargetState, CompareFunction, DepthStencilState, StoreOp,
    TextureFormat, VertexAttribute, VertexFormat, VertexStepMode,
};

use super::{HEIGHT, PIXELS, WIDTH, cleared, colors, device, pipeline, read, texture};
use crate::{
    BindGroup, Binding, ColorAttachment, DepthStencilAttachment, Memory, Pass, PassDraw,
    RenderPass, RenderPipeline, RenderPipelineSpec, Sampler, TextureId, TextureView, VertexBuffer,
};

const SOURCE: &str = "
    @vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
        return vec4f(f32(v / 2) * 4 - 1, f32(v % 2) * 4 - 1, 0.25, 1);
    }
    @vertex fn placed(@location(0) at: vec2f, @location(1) shift: vec2f) -> @builtin(position) vec4f {
        return vec4f(at + shift, 0.5, 1);
    }
    @group(0) @binding(0) var<uniform> shade: vec4f;
    @fragment fn shaded() -> @location(0) vec4f { return shade; }
    @group(0) @binding(1) var plane: texture_2d<f32>;
    @group(0) @binding(2) var how: sampler;
    @fragment fn copied(@builtin(position) at: vec4f) -> @location(0) vec4f {
        return textureLoad(plane, vec2u(at.xy), 0);
    }
    @fragment fn left(@builtin(position) at: vec4f) -> @location(0) vec4f {
        if at.x < 16 { return textureLoad(plane, vec2u(at.xy), 0); }
        return vec4f(0);
    }
    @fragment fn kept(@builtin(position) at: vec4f) -> @location(0) vec4f {
        if at.y >= 8 { discard; }
        return vec4f(1);
    }
    @vertex fn sampled() -> @builtin(position) vec4f { return textureLoad(plane, vec2u(0), 0); }
";

const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;

fn spec(vertex: &str, fragment: &str, format: TextureFormat) -> RenderPipelineSpec {
    let module = Module::parse(SOURCE).expect("a valid module");
    let code = |entry| module.compile(entry, &[]).expect("it lowers");
    RenderPipelineSpec::new(code(vertex), code(fragment), ColorTargetState::from(format))
}

/// A pass over a target, cleared and stored.
fn over<'a>(label: &str, target: TextureId, draw: PassDraw<'a>) -> Pass<'a> {
    Pass::Render(RenderPass {
        label: label.to_owned(),
        colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
        draws: vec![draw],
        ..RenderPass::default()
    })
}

/// Draw of one triangle over everything with these resources.
fn with<'a>(pipeline: &'a RenderPipeline, bindings: &[(u32, Binding)]) -> PassDraw<'a> {
    PassDraw {
        groups: vec![BindGroup(bindings.to_vec())],
        ..PassDraw::new(pipeline, 3)
    }
}

fn view(texture: TextureId) -> Binding {
    Binding::Texture(TextureView::of(texture))
}

/// Draws a texture in one colour and samples it by a fragment program; the trace, and the picture.
fn shaded_and(entry: &str, shade: [f32; 4]) -> (FrameTrace, Vec<u8>) {
    let mut memory = Memory::default();
    let (first, second) = (
        texture(&mut memory, FORMAT, 1),
        texture(&mut memory, FORMAT, 1),
    );
    memory.set_label(first, "shade").expect("there is one");
    let shade = memory.buffer_of(bytemuck::bytes_of(&shade)).expect("room");
    let shaded = pipeline(spec("everywhere", "shaded", FORMAT));
    let sampled = pipeline(spec("everywhere", entry, FORMAT));
    let passes = [
        over(
            "shade",
            first,
            with(&shaded, &[(0, Binding::buffer(shade))]),
        ),
        over("copy", second, with(&sampled, &[(1, view(first))])),
    ];
    let trace = device().trace(&mut memory, &passes, 7).expect("traced");
    (trace, read(&memory, second))
}

fn blocks(trace: &FrameTrace) -> Vec<u32> {
    let mut all: Vec<u32> = trace
        .tiles
        .iter()
        .flat_map(|tile| &tile.blocks)
        .copied()
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn trace_has_passes_in_order_with_the_last_one_shown() {
    let (trace, picture) = shaded_and("copied", [1.0; 4]);
    assert_eq!(picture, vec![255; 4 * PIXELS as usize], "passes have run");
    let names: Vec<_> = trace
        .passes()
        .map(|pass| (pass.frame, &*pass.name))
        .collect();
    assert_eq!(names, [(7, "shade"), (7, "copy")]);
    let drawn = trace.before[0].targets[0];
    assert_eq!(
        (drawn.bytes_per_pixel, drawn.load, drawn.store),
        (4, false, true)
    );
    let place = drawn.texture.expect("a texture");
    let texture = &trace.before[0].textures[place.texture.0 as usize];
    assert_eq!(
        (&*texture.name, place.first_block),
        ("shade (texture 0)", 0)
    );
    let sampled = trace.draws[0].textures[0];
    assert_eq!(&trace.textures[sampled.0 as usize], texture, "the same one");
    assert_eq!(trace.targets[0].texture, None, "the frame buffer");
}

#[test]
fn trace_has_the_texels_that_fragments_read() {
    let (trace, _) = shaded_and("copied", [1.0; 4]);
    let n_blocks = WIDTH / 4 * HEIGHT / 4;
    assert_eq!(
        blocks(&trace),
        (0..n_blocks).collect::<Vec<_>>(),
        "each of 4x4"
    );
    let quads: usize = trace.tiles.iter().map(TileTrace::n_shaded).sum();
    assert_eq!(quads as u64, PIXELS / 4);
    let counts = trace.tiles.iter().flat_map(|tile| &tile.block_counts);
    assert!(
        counts.eq(std::iter::repeat_n(&1, quads)),
        "one block a quad"
    );
}

#[test]
fn trace_follows_each_quad_through_its_branches() {
    let (trace, _) = shaded_and("left", [1.0; 4]);
    let samples = QuadSamples::new(&trace);
    let mut read = 0;
    for tile in &trace.tiles {
        samples.of_tile(tile, |_, blocks| read += blocks.len());
    }
    assert_eq!(
        read as u32,
        16 * HEIGHT / 4,
        "quads of the left sixteen columns"
    );
    assert_eq!(trace.paths.len(), 2, "one and the other");
    let of_left = (0..HEIGHT / 4).flat_map(|row| (0..4).map(move |x| row * WIDTH / 4 + x));
    assert_eq!(blocks(&trace), of_left.collect::<Vec<_>>());
}

#[test]
fn trace_signs_tiles_by_what_passes_read() {
    let inputs = |shade| {
        let (trace, _) = shaded_and("left", shade);
        let crcs = trace.tiles.iter().map(|tile| tile.digests.input_crc);
        let wide = trace.tiles.iter().map(|tile| tile.digests.inputs);
        (crcs.collect::<Vec<_>>(), wide.collect::<Vec<_>>())
    };
    let (white, grey) = (inputs([1.0; 4]), inputs([0.5; 4]));
    assert_eq!(white, inputs([1.0; 4]), "the same frame again");
    for (tile, (white, grey)) in white.1.iter().zip(&grey.1).enumerate() {
        assert_ne!(white, grey, "tile {tile}: its texture has changed");
    }
    assert!(white.0.iter().zip(&grey.0).all(|(a, b)| a != b), "CRCs too");
}

#[test]
fn trace_of_depth_alone_runs_no_fragments() {
    let mut memory = Memory::default();
    let depth = texture(&mut memory, TextureFormat::Depth32Float, 1);
    let state = DepthStencilState {
        format: TextureFormat::Depth32Float,
        depth_write_enabled: Some(true),
        depth_compare: Some(CompareFunction::Less),
        stencil: Default::default(),
        bias: Default::default(),
    };
    let shadow = pipeline(RenderPipelineSpec {
        fragment: None,
        targets: Vec::new(),
        depth_stencil: Some(state),
        ..spec("everywhere", "shaded", FORMAT)
    });
    let attachment = |store| DepthStencilAttachment {
        view: TextureView::of(depth),
        depth: Some(cleared(1.0, store)),
        stencil: None,
    };
    for store in [StoreOp::Store, StoreOp::Discard] {
        let pass = Pass::Render(RenderPass {
            depth_stencil: Some(attachment(store)),
            draws: vec![PassDraw::new(&shadow, 3)],
            ..RenderPass::default()
        });
        let trace = device().trace(&mut memory, &[pass], 0).expect("traced");
        let quads = trace.tiles.iter().flat_map(|tile| &tile.quads);
        assert!(quads.clone().all(|quad| quad.live() == 0), "none runs");
        assert_eq!(quads.count() as u64, PIXELS / 4, "all are tested");
        assert_eq!(trace.targets[0].store, store == StoreOp::Store);
        assert_eq!(
            (trace.pixel_bytes, trace.targets[0].bytes_per_pixel),
            (4, 4)
        );
    }
}

#[test]
fn trace_of_samples_keeps_them_in_the_tile() {
    let mut memory = Memory::default();
    let (samples, resolved) = (
        texture(&mut memory, FORMAT, 4),
        texture(&mut memory, FORMAT, 1),
    );
    let shade = memory.buffer_of(&[0; 16]).expect("room");
    let mut four = spec("everywhere", "shaded", FORMAT);
    four.multisample.count = 4;
    let four = pipeline(four);
    let color = ColorAttachment {
        view: TextureView::of(samples),
        ops: cleared(Color::BLACK, StoreOp::Discard),
        resolve: Some(TextureView::of(resolved)),
    };
    let pass = Pass::Render(RenderPass {
        colors: vec![Some(color)],
        draws: vec![with(&four, &[(0, Binding::buffer(shade))])],
        ..RenderPass::default()
    });
    let device = device().with_tile_bytes(4096);
    let trace = device.trace(&mut memory, &[pass], 0).expect("traced");
    assert_eq!(trace.grid.tile_size, 16, "16 x 16 pixels of 16 bytes");
    let targets = trace.targets.iter();
    let targets = targets.map(|t| (t.bytes_per_pixel, t.store, t.texture.is_some()));
    let expected = [(4, true, false), (16, false, true)];
    assert_eq!(
        targets.collect::<Vec<_>>(),
        expected,
        "what is resolved first"
    );
}

#[test]
fn trace_has_discarded_fragments_as_killed_late() {
    let mut memory = Memory::default();
    let target = texture(&mut memory, FORMAT, 1);
    let mut kept = spec("everywhere", "kept", FORMAT);
    kept.targets[0].as_mut().expect("one").blend = Some(BlendState::ALPHA_BLENDING);
    let kept = pipeline(kept);
    let passes = [over("", target, PassDraw::new(&kept, 3))];
    let trace = device().trace(&mut memory, &passes, 0).expect("traced");
    let mut counters = azulejo_trace::RasterCounters::default();
    trace
        .tiles
        .iter()
        .for_each(|tile| counters += tile.counters());
    assert_eq!(counters.fragments_shaded, PIXELS);
    assert_eq!(counters.fragments_blended, u64::from(8 * WIDTH));
    assert_eq!(
        counters.fragments_killed_late,
        PIXELS - u64::from(8 * WIDTH)
    );
}

#[test]
fn trace_has_a_vertex_for_each_instance() {
    let mut memory = Memory::default();
    let target = texture(&mut memory, FORMAT, 1);
    let corners: [[f32; 2]; 3] = [[-1.0, -1.0], [0.0, -1.0], [-1.0, 0.0]];
    let shifts: [[f32; 2]; 4] = [[9.0, 9.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let vertices = memory
        .buffer_of(bytemuck::bytes_of(&corners))
        .expect("room");
    let instances = memory.buffer_of(bytemuck::bytes_of(&shifts)).expect("room");
    let shade = memory.buffer_of(&[0; 16]).expect("room");
    let buffer = |shader_location, step| VertexBuffer {
        stride: 8,
        step,
        attributes: vec![VertexAttribute {
            format: VertexFormat::Float32x2,
            offset: 0,
            shader_location,
        }],
    };
    let placed = pipeline(RenderPipelineSpec {
        buffers: vec![
            buffer(0, VertexStepMode::Vertex),
            buffer(1, VertexStepMode::Instance),
        ],
        ..spec("placed", "shaded", FORMAT)
    });
    let draw = PassDraw {
        vertex_buffers: vec![Some((vertices, 0)), Some((instances, 0))],
        instances: 1..4,
        ..with(&placed, &[(0, Binding::buffer(shade))])
    };
    let passes = [over("", target, draw)];
    let trace = device().trace(&mut memory, &passes, 0).expect("traced");
    let draw = &trace.draws[0];
    assert_eq!(
        (draw.instances, draw.vertices.as_slice()),
        (3, &[0, 1, 2].repeat(3)[..])
    );
    let streams = draw
        .vertex_streams
        .iter()
        .map(|s| (s.buffer, s.offset, s.per_instance));
    assert_eq!(streams.collect::<Vec<_>>(), [(0, 0, false), (1, 8, true)]);
    assert_eq!(draw.n_primitives, 3, "each on the screen");
}

#[test]
fn trace_refuses_what_it_has_no_facts_for() {
    let mut memory = Memory::default();
    let target = texture(&mut memory, FORMAT, 1);
    let other = texture(&mut memory, FORMAT, 1);
    let sampled = pipeline(spec("sampled", "kept", FORMAT));
    let draw = with(&sampled, &[(1, view(other))]);
    let refused = |memory: &mut Memory, passes: &[Pass<'_>]| {
        let error = device().trace(memory, passes, 0).expect_err("no facts");
        error.to_string()
    };
    let said = refused(&mut memory, &[over("", target, draw)]);
    let expected = "pass 0: draw 0 (`sampled`): a vertex program that accesses a texture";
    assert!(said.contains(expected), "{said}");
    let said = refused(&mut memory, &[Pass::Compute(Vec::new())]);
    assert!(said.contains("the last does not draw"), "{said}");
    let said = refused(&mut memory, &[]);
    assert!(said.contains("0 passes"), "{said}");
}

#[test]
fn trace_has_a_target_that_the_frame_samples_in_its_texture() {
    let mut memory = Memory::default();
    let target = texture(&mut memory, FORMAT, 1);
    let other = texture(&mut memory, FORMAT, 1);
    let copied = pipeline(spec("everywhere", "copied", FORMAT));
    let passes = [
        over("", other, with(&copied, &[(1, view(target))])),
        over(
            "",
            target,
            with(
                &copied,
                &[(1, view(other)), (2, Binding::Sampler(Sampler::default()))],
            ),
        ),
    ];
    let trace = device().trace(&mut memory, &passes, 0).expect("traced");
    assert!(
        trace.targets[0].texture.is_some(),
        "the first pass reads it"
    );
}

#[test]
fn trace_has_a_target_that_two_passes_draw_in_its_texture() {
    let mut memory = Memory::default();
    let target = texture(&mut memory, FORMAT, 1);
    let kept = pipeline(spec("everywhere", "kept", FORMAT));
    let first = over("first", target, PassDraw::new(&kept, 3));
    let ops = wgpu_types::Operations {
        load: wgpu_types::LoadOp::Load,
        store: StoreOp::Store,
    };
    let second = Pass::Render(RenderPass {
        label: "second".to_owned(),
        colors: colors(target, ops),
        draws: vec![PassDraw::new(&kept, 3)],
        ..RenderPass::default()
    });
    let trace = device()
        .trace(&mut memory, &[first, second], 0)
        .expect("traced");
    let places: Vec<_> = trace.passes().map(|pass| pass.targets[0].texture).collect();
    assert!(places[0].is_some() && places[0] == places[1], "{places:?}");
    assert!(trace.targets[0].load, "it goes on");
}
