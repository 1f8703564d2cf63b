//! Traces of compute passes: paths and lines by hand, and the results of a run.

use azulejo_shader::Module;
use azulejo_trace::{DispatchTrace, FrameTrace, InstructionClass};
use wgpu_types::{Color, StoreOp, TextureFormat};

use super::{cleared, colors, device, pipeline, spec, texture};
use crate::{
    BindGroup, Binding, BufferId, ComputePipeline, Dispatch, Memory, Pass, PassDraw, RenderPass,
    TextureView,
};

const SOURCE: &str = "
    @group(0) @binding(0) var<storage, read> words: array<u32>;
    @group(0) @binding(1) var<storage, read_write> sums: array<atomic<u32>>;
    @group(0) @binding(2) var<storage, read_write> written: array<u32>;
    @group(0) @binding(3) var plane: texture_2d<f32>;
    var<workgroup> part: array<u32, 128>;
    @compute @workgroup_size(128) fn summed(
        @builtin(local_invocation_index) i: u32,
        @builtin(workgroup_id) group: vec3u,
    ) {
        part[i] = words[group.x * 128 + i];
        workgroupBarrier();
        for (var n = 64u; n > 0; n /= 2) {
            if i < n { part[i] += part[i + n]; }
            workgroupBarrier();
        }
        if i == 0 { atomicAdd(&sums[0], part[0]); }
    }
    @compute @workgroup_size(10) fn tenths(@builtin(global_invocation_id) id: vec3u) {
        written[id.x] = id.x;
    }
    @compute @workgroup_size(4, 4) fn texels(@builtin(global_invocation_id) id: vec3u) {
        written[id.y * 8 + id.x] = u32(textureLoad(plane, id.xy, 0).x);
    }
";

fn kernel(entry: &str) -> ComputePipeline {
    let module = Module::parse(SOURCE).expect("a valid module");
    let code = module.compile(entry, &[]).expect("it lowers");
    ComputePipeline::new(code).expect("a compute program")
}

/// Trace of a dispatch before a frame.
fn traced(
    memory: &mut Memory,
    (entry, workgroups): (&str, [u32; 3]),
    bindings: &[(u32, Binding)],
) -> FrameTrace {
    let pipeline_of_frame = pipeline(spec("everywhere", "white", TextureFormat::Rgba8Unorm));
    let target = texture(memory, TextureFormat::Rgba8Unorm, 1);
    let kernel = kernel(entry);
    let passes = [
        Pass::Compute(Vec::new()),
        Pass::Compute(vec![Dispatch {
            pipeline: &kernel,
            groups: vec![BindGroup(bindings.to_vec())],
            workgroups,
        }]),
        Pass::Render(RenderPass {
            colors: colors(target, cleared(Color::BLACK, StoreOp::Store)),
            draws: vec![PassDraw::new(&pipeline_of_frame, 3)],
            ..RenderPass::default()
        }),
    ];
    device().trace(memory, &passes, 3).expect("traced")
}

fn dispatch(trace: &FrameTrace) -> &DispatchTrace {
    assert_eq!(trace.before.len(), 1, "an empty pass is none");
    &trace.before[0].dispatches[0]
}

fn words_of(memory: &Memory, buffer: BufferId) -> Vec<u32> {
    let bytes = memory.read_buffer(buffer).expect("it exists");
    bytemuck::pod_collect_to_vec(bytes)
}

fn buffer(memory: &mut Memory, words: &[u32]) -> BufferId {
    memory.buffer_of(bytemuck::cast_slice(words)).expect("room")
}

#[test]
fn trace_of_a_reduction_has_its_barriers_and_the_paths_of_its_quads() {
    let mut memory = Memory::default();
    let words = buffer(&mut memory, &[3; 256]);
    let sums = buffer(&mut memory, &[0]);
    let bindings = [(0, Binding::buffer(words)), (1, Binding::buffer(sums))];
    let trace = traced(&mut memory, ("summed", [2, 1, 1]), &bindings);
    assert_eq!(words_of(&memory, sums), [3 * 256], "it has run");
    let (pass, dispatch) = (&trace.before[0], dispatch(&trace));
    let program = &pass.programs[dispatch.program.0 as usize];
    let count = |class| program.count(class);
    assert_eq!(count(InstructionClass::Load), 1, "of the words");
    assert_eq!(count(InstructionClass::Atomic), 1, "of the sum");
    assert_eq!(
        count(InstructionClass::Barrier),
        2,
        "before the loop and in it"
    );
    assert!(count(InstructionClass::Shared) >= 4, "of the parts");
    assert_eq!((dispatch.group_threads, dispatch.n_groups), (128, 2));
    assert_eq!(dispatch.paths.len(), 2 * 32, "quads");
    // Quads of 64 invocations that add at first, of 32 that do twice, and so on to the first: its three last sums and the
    // atomic are of some lanes.
    let mut paths = dispatch.paths[..32].to_vec();
    assert_eq!(paths, dispatch.paths[32..], "both workgroups alike");
    paths.dedup();
    assert_eq!(paths.len(), 6, "1, 1, 2, 4, 8 and 16 quads");
    // A load by each quad, four quads to a line, and an atomic by the first of each workgroup.
    let counts = &dispatch.accesses.counts;
    assert_eq!(counts.len(), 2 * (32 + 1));
    let (group, rest) = dispatch.accesses.lines.split_at(33);
    let loads = |first: u32| (0..32).map(move |quad| first + quad / 4);
    let expected = |first: u32| -> Vec<u32> {
        let mut lines: Vec<u32> = loads(first).collect();
        lines.insert(1, 0);
        lines
    };
    assert_eq!(
        group,
        expected(0),
        "the atomic behind the first quad's load"
    );
    assert_eq!(rest, expected(8), "the second workgroup");
}

#[test]
fn trace_of_workgroups_that_are_no_multiple_of_a_quad_has_their_last_in_part() {
    let mut memory = Memory::default();
    let written = buffer(&mut memory, &[7; 40]);
    let bindings = [(2, Binding::buffer(written))];
    let trace = traced(&mut memory, ("tenths", [4, 1, 1]), &bindings);
    let expected: Vec<u32> = (0..40).collect();
    assert_eq!(words_of(&memory, written), expected, "it has run");
    let dispatch = dispatch(&trace);
    assert_eq!(dispatch.group_quads(), 3, "4, 4 and 2 invocations");
    let lines = |quad: u32| {
        let (group, nth) = (quad / 3, quad % 3);
        let first = 10 * group + 4 * nth;
        let last = (first + 3).min(10 * group + 9);
        first / 16..=last / 16
    };
    let expected: Vec<u32> = (0..12).flat_map(lines).collect();
    assert_eq!(dispatch.accesses.lines, expected, "sixteen words each");
}

#[test]
fn trace_of_a_kernel_has_the_texels_that_it_loads() {
    let mut memory = Memory::default();
    let plane = texture(&mut memory, TextureFormat::R32Float, 1);
    let written = buffer(&mut memory, &[7; 64]);
    let bindings = [
        (2, Binding::buffer(written)),
        (3, Binding::Texture(TextureView::of(plane))),
    ];
    let trace = traced(&mut memory, ("texels", [2, 2, 1]), &bindings);
    assert_eq!(words_of(&memory, written), [0; 64], "it has run");
    let dispatch = dispatch(&trace);
    // Blocks of 4x4 texels, one a workgroup, ten in a row of blocks.
    assert_eq!(dispatch.block_counts, [1; 16], "one a quad");
    let expected = [[0; 4], [1; 4], [10; 4], [11; 4]].concat();
    assert_eq!(dispatch.blocks, expected);
}
