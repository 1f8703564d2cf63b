//! Traces of programs that access buffers: lines by hand.

use azulejo_shader::Module;
use azulejo_trace::{BufferAccesses, FrameTrace, InstructionClass};
use wgpu_types::{Color, ColorTargetState, StoreOp, TextureFormat};

use super::{HEIGHT, WIDTH, cleared, colors, device, pipeline, texture};
use crate::{
    BindGroup, Binding, BufferId, Memory, Pass, PassDraw, RenderPass, RenderPipeline,
    RenderPipelineSpec, TextureView,
};

const SOURCE: &str = "
    @group(0) @binding(0) var<storage, read> words: array<u32>;
    @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
    @group(0) @binding(2) var<storage, read_write> written: array<u32>;
    @group(0) @binding(3) var<storage, read> places: array<vec4f>;
    @group(0) @binding(4) var stored: texture_storage_2d<r32float, write>;
    @vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
        return vec4f(f32(v / 2) * 4 - 1, f32(v % 2) * 4 - 1, 0.25, 1);
    }
    @vertex fn placed(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4f {
        return places[3 * i + v];
    }
    @vertex fn third(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
        let at = vec4f(f32(v / 2) * 4 - 1, f32(v % 2) * 4 - 1, 0.25, 1);
        if v == 2 { return at * f32(words[v]); }
        return at;
    }
    @fragment fn white() -> @location(0) vec4f { return vec4f(1); }
    fn pixel(at: vec4f) -> u32 { return u32(at.y) * 40 + u32(at.x); }
    @fragment fn loading(@builtin(position) at: vec4f) -> @location(0) vec4f {
        return vec4f(f32(words[pixel(at)]));
    }
    @fragment fn upper(@builtin(position) at: vec4f) -> @location(0) vec4f {
        if at.y < 8 { return vec4f(f32(words[pixel(at)])); }
        return vec4f(0);
    }
    @fragment fn kept(@builtin(position) at: vec4f) -> @location(0) vec4f {
        if at.x >= 1 { discard; }
        return vec4f(f32(words[pixel(at)]));
    }
    @fragment fn counting(@builtin(position) at: vec4f) -> @location(0) vec4f {
        atomicAdd(&counts[u32(at.x) % 2], 1);
        written[pixel(at)] = words[0];
        return vec4f(0);
    }
    @fragment fn storing(@builtin(position) at: vec4f) -> @location(0) vec4f {
        if at.x < 4 { textureStore(stored, vec2u(at.xy), vec4f(0)); }
        return vec4f(0);
    }
";

const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;

fn program(vertex: &str, fragment: &str) -> RenderPipeline {
    let module = Module::parse(SOURCE).expect("a valid module");
    let code = |entry| module.compile(entry, &[]).expect("it lowers");
    pipeline(RenderPipelineSpec::new(
        code(vertex),
        code(fragment),
        ColorTargetState::from(FORMAT),
    ))
}

/// Buffers by binding: words counted up, and room for what is written.
fn memory() -> (Memory, BindGroup) {
    let mut memory = Memory::default();
    let pixels: Vec<u32> = (0..WIDTH * HEIGHT).collect();
    let mut buffer = |words: &[u32]| memory.buffer_of(bytemuck::cast_slice(words)).expect("room");
    let ids = [buffer(&pixels), buffer(&[0; 2]), buffer(&pixels)];
    let bindings = (0..).zip(ids).map(|(at, id)| (at, Binding::buffer(id)));
    let group = BindGroup(bindings.collect());
    (memory, group)
}

/// Trace of a draw of one triangle over everything, or of its instances.
fn traced(memory: &mut Memory, draw: PassDraw<'_>, frame: u64) -> FrameTrace {
    let target = texture(memory, FORMAT, 1);
    let pass = Pass::Render(RenderPass {
        colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
        draws: vec![draw],
        ..RenderPass::default()
    });
    device().trace(memory, &[pass], frame).expect("traced")
}

fn trace_of(vertex: &str, fragment: &str) -> FrameTrace {
    let (mut memory, group) = memory();
    let program = program(vertex, fragment);
    let groups = vec![group];
    let draw = PassDraw {
        groups,
        ..PassDraw::new(&program, 3)
    };
    traced(&mut memory, draw, 0)
}

/// Executions with their lines.
fn executions(accesses: &BufferAccesses) -> Vec<Vec<u32>> {
    let mut lines = accesses.lines.iter().copied();
    let counts = accesses.counts.iter();
    counts
        .map(|&n| lines.by_ref().take(n.into()).collect())
        .collect()
}

/// Line of a pixel's word, sixteen to a line.
const fn line(x: u32, y: u32) -> u32 {
    (y * WIDTH + x) / 16
}

/// Distinct lines of two rows of two pixels.
fn of_quad([x, y]: [u32; 2]) -> Vec<u32> {
    let mut lines = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]
        .map(|[x, y]| line(x, y))
        .to_vec();
    lines.dedup();
    lines
}

#[test]
fn accesses_of_fragments_are_lines_of_their_quads() {
    let trace = trace_of("everywhere", "loading");
    let program = &trace.programs[trace.draws[0].fragment_program.0 as usize];
    assert_eq!(program.count(InstructionClass::Load), 1, "one load");
    assert_eq!(trace.draws[0].fragment_buffers, [0], "the first buffer");
    assert_eq!(trace.buffers[0].bytes, u64::from(4 * WIDTH * HEIGHT));
    for (tile, x0) in trace.tiles.iter().zip([0, 32]) {
        let shaded = tile.quads.iter().map(|quad| {
            let [column, row] = [quad.column(), quad.row()];
            of_quad([x0 + 2 * column, 2 * row])
        });
        let expected: Vec<Vec<u32>> = shaded.collect();
        assert_eq!(executions(&tile.accesses), expected, "tile at {x0}");
    }
}

#[test]
fn accesses_in_an_arm_are_those_of_the_quads_that_take_it() {
    let trace = trace_of("everywhere", "upper");
    let quads = trace.tiles.iter().flat_map(|tile| &tile.quads);
    let upper = quads.filter(|quad| quad.row() < 4).count();
    let counts = trace.tiles.iter().map(|tile| tile.accesses.counts.len());
    assert_eq!(counts.sum::<usize>(), upper, "rows 0 to 7");
}

#[test]
fn accesses_of_helpers_touch_no_line() {
    let trace = trace_of("everywhere", "kept");
    let executed = executions(&trace.tiles[0].accesses);
    let rows = (HEIGHT / 2) as usize;
    assert_eq!(executed.len(), rows, "one quad a row has a live lane");
    for (row, lines) in (0..).zip(&executed) {
        let mut expected = vec![line(0, 2 * row), line(0, 2 * row + 1)];
        expected.dedup();
        assert_eq!(*lines, expected, "of pixels in column 0");
    }
}

#[test]
fn accesses_keep_the_order_of_execution_and_their_buffers() {
    let trace = trace_of("everywhere", "counting");
    let draw = &trace.draws[0];
    let program = &trace.programs[draw.fragment_program.0 as usize];
    let classes: Vec<InstructionClass> = (program.instructions.iter())
        .map(|instruction| instruction.class)
        .filter(|class| class.accesses_buffer())
        .collect();
    let expected = [InstructionClass::Atomic, InstructionClass::Store];
    assert_eq!(classes, expected, "what is read at one place is a constant");
    assert_eq!(draw.constant_bytes, 4, "one word");
    let bytes = |at: usize| trace.buffers[draw.fragment_buffers[at] as usize].bytes;
    assert_eq!([bytes(0), bytes(1)], [8, 4 * u64::from(WIDTH * HEIGHT)]);
    let first = executions(&trace.tiles[0].accesses);
    assert_eq!(first[..2], [vec![0], of_quad([0, 0])], "of the first quad");
}

#[test]
fn accesses_of_vertices_are_in_the_order_of_their_runs() {
    let (mut memory, mut group) = memory();
    // Nine places of sixteen bytes behind one line: vertices of three instances.
    let places: Vec<[f32; 4]> = (0..9)
        .map(|n| match n % 3 {
            0 => [-1.0, -1.0, 0.5, 1.0],
            1 => [3.0, -1.0, 0.5, 1.0],
            _ => [-1.0, 3.0, 0.5, 1.0],
        })
        .collect();
    let content = [vec![[0.0; 4]; 4], places].concat();
    let buffer: BufferId = memory
        .buffer_of(bytemuck::cast_slice(&content))
        .expect("room");
    let binding = Binding::Buffer {
        buffer,
        offset: 64,
        size: None,
    };
    group.0.push((3, binding));
    let program = program("placed", "white");
    let draw = PassDraw {
        groups: vec![group],
        instances: 0..3,
        ..PassDraw::new(&program, 3)
    };
    let trace = traced(&mut memory, draw, 0);
    let draw = &trace.draws[0];
    assert_eq!(draw.vertex_buffers.len(), 1, "one load of four words");
    let expected: Vec<Vec<u32>> = (0..9).map(|n| vec![(64 + 16 * n) / 64]).collect();
    assert_eq!(executions(&draw.vertex_accesses), expected, "behind a line");
}

#[test]
fn accesses_of_vertices_that_part_are_those_of_their_paths() {
    let trace = trace_of("third", "white");
    let draw = &trace.draws[0];
    assert_eq!(draw.vertex_paths.len(), 3);
    assert_eq!(executions(&draw.vertex_accesses), [vec![0]], "the third's");
}

#[test]
fn accesses_are_signed_by_what_is_read_and_never_equal_where_they_write() {
    let digests = |fragment: &str, word: u32, frame: u64| {
        let (mut memory, group) = memory();
        let (_, Binding::Buffer { buffer, .. }) = group.0[0] else {
            panic!("a buffer");
        };
        memory
            .write_buffer(buffer, 0, &word.to_le_bytes())
            .expect("room");
        let program = program("everywhere", fragment);
        let draw = PassDraw {
            groups: vec![group],
            ..PassDraw::new(&program, 3)
        };
        traced(&mut memory, draw, frame).tiles[0].digests.inputs
    };
    let loading = digests("loading", 0, 0);
    assert_eq!(loading, digests("loading", 0, 1), "nothing has changed");
    assert_ne!(loading, digests("loading", 7, 1), "a word has");
    let counting = digests("counting", 0, 0);
    assert_ne!(counting, digests("counting", 0, 1), "it counts each frame");
}

#[test]
fn stores_to_textures_are_counted_by_path_in_blocks() {
    let (mut memory, mut group) = memory();
    let stored = texture(&mut memory, TextureFormat::R32Float, 1);
    group.0.push((4, Binding::Texture(TextureView::of(stored))));
    let program = program("everywhere", "storing");
    let draw = PassDraw {
        groups: vec![group],
        ..PassDraw::new(&program, 3)
    };
    let trace = traced(&mut memory, draw, 0);
    let buffer = trace.draws[0].fragment_buffers[0];
    let texture = trace.buffers[buffer as usize].texture;
    let texture = texture.expect("a texture's storage");
    assert_eq!(trace.textures[texture.0 as usize].name, "texture 0");
    assert!(trace.draws[0].textures.is_empty(), "nothing is sampled");
    let tile = &trace.tiles[0];
    let storing = tile.quads.iter().filter(|quad| quad.column() < 2);
    // Blocks of 4x4 texels, ten in a row of them.
    let expected = storing.map(|quad| vec![quad.row() / 2 * 10]);
    assert_eq!(executions(&tile.accesses), expected.collect::<Vec<_>>());
}
