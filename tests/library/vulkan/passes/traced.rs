//! Traces of all setups: passes draw what they draw without, facts are those that runs count, machines execute them within
//! their laws, and files keep them.

use azulejo::gpu::Gpu;
use azulejo::gpu::machine::{MachineSpec, Overlay};
use azulejo::pass::types::{Color, TextureFormat};
use azulejo::pass::{
    BindGroup, Binding, BufferId, ColorAttachment, Device, Memory, Pass, PassCounters, PassDraw,
    RenderPass, RenderPipelineSpec, TexturePlace, TextureSpec, TextureView,
};
use azulejo::shader::Module;
use azulejo::simd::SimdLevel;
use azulejo::technique::{TECHNIQUES, machine_with};
use azulejo::trace::{FrameTrace, TraceReader, TraceWriter};

use super::{HEIGHT, Setup, WIDTH, cleared, pipeline, setups, twice};

/// Setups of every kind.
fn all() -> Vec<Setup> {
    [
        twice(setups::colors::blends),
        twice(setups::colors::formats),
        twice(setups::depth::tests),
        twice(setups::primitives::primitives),
        twice(setups::primitives::programs),
        setups::attributes::attributes(),
        setups::textures::textures(),
        setups::sequences::sequences(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Reasons for which a frame has no trace.
const REFUSED: [&str; 2] = ["the last does not draw", "a vertex program that accesses"];

fn contents(memory: &Memory) -> Vec<Vec<u8>> {
    let buffers = memory.buffers().map(|buffer| {
        let bytes = memory.read_buffer(buffer).expect("it is there");
        bytes.to_vec()
    });
    let texels = |texture| {
        let spec = memory.spec(texture).expect("it is there");
        let level = |mip| {
            let place = TexturePlace {
                mip,
                ..TexturePlace::start(texture)
            };
            memory
                .read_texture(place, spec.level(mip))
                .expect("all of it")
        };
        (0..spec.mips).flat_map(level).collect()
    };
    buffers.chain(memory.textures().map(texels)).collect()
}

/// Counts of a pass by its trace, as runs have them: vertices, triangles, entries, fragments, bytes loaded and stored.
fn counted(trace: &FrameTrace) -> [u64; 6] {
    let tiles = trace.tiles.iter();
    let pixels = u64::from(trace.grid.width) * u64::from(trace.grid.height);
    let bytes = |of: fn(&azulejo::trace::TargetInfo) -> bool| {
        let targets = trace.targets.iter().filter(|target| of(target));
        pixels * targets.map(|t| u64::from(t.bytes_per_pixel)).sum::<u64>()
    };
    [
        trace
            .draws
            .iter()
            .map(|draw| draw.vertices.len() as u64)
            .sum(),
        trace.n_primitives(),
        tiles.clone().map(|tile| tile.primitives.len() as u64).sum(),
        tiles.map(|tile| tile.counters().fragments_shaded).sum(),
        bytes(|target| target.load),
        bytes(|target| target.store),
    ]
}

fn expected(counters: &PassCounters) -> [u64; 6] {
    [
        counters.vertices,
        counters.triangles,
        counters.tile_entries,
        counters.fragments,
        counters.loaded_bytes,
        counters.stored_bytes,
    ]
}

/// A machine whose tile buffers hold all that devices draw: tiles of 64 pixels, 32 KiB.
fn machine() -> MachineSpec {
    let size: Overlay = "screen.tile_size=64".parse().expect("KEY=VALUE");
    MachineSpec::built_in("valhall-libra-baseline", &[size]).expect("a shipped machine")
}

#[test]
fn passes_are_traced_as_they_are_drawn() {
    let device = Device::new(2, SimdLevel::Auto).expect("threads");
    let spec = machine();
    let (setups, mut n_refused) = (all(), 0);
    for Setup {
        name,
        memory,
        passes,
    } in &setups
    {
        let (mut drawn, mut traced) = (memory.clone(), memory.clone());
        let trace = match device.trace(&mut traced, passes, 0) {
            Ok(trace) => trace,
            Err(error) => {
                let said = error.to_string();
                assert!(
                    REFUSED.iter().any(|why| said.contains(why)),
                    "{name}: {said}"
                );
                n_refused += 1;
                continue;
            }
        };
        let counters = device.run(&mut drawn, passes).expect("it runs");
        assert_eq!(contents(&drawn), contents(&traced), "{name}: texels");
        for (pass, counters) in trace.passes().zip(&counters) {
            assert_eq!(counted(pass), expected(counters), "{name}: facts");
        }
        let report = Gpu::new(&spec).expect("a valid machine").run_frame(&trace);
        report.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    println!("{} setups, {n_refused} have no trace", setups.len());
    assert!(
        n_refused < setups.len() / 10,
        "{n_refused} of {}",
        setups.len()
    );
}

#[test]
fn trace_of_passes_is_the_same_on_any_threads_and_lanes() {
    let devices = [
        (1, SimdLevel::Auto),
        (3, SimdLevel::Auto),
        (2, SimdLevel::Scalar),
    ];
    let devices = devices.map(|(threads, level)| Device::new(threads, level).expect("threads"));
    let setups = [
        setups::depth::tests(4),
        setups::primitives::programs(4),
        setups::textures::textures(),
    ];
    for setup in setups.iter().flatten() {
        let trace = |device: &Device| device.trace(&mut setup.memory.clone(), &setup.passes, 3);
        let [first, others @ ..] = &devices;
        let first = trace(first);
        for other in others {
            assert!(trace(other) == first, "{}: another trace", setup.name);
        }
        let Ok(first) = first else { continue };
        let mut writer = TraceWriter::new(Vec::new()).expect("memory");
        writer.write(&first).expect("memory");
        let file = writer.finish().expect("memory");
        let mut reader = TraceReader::new(file.as_slice()).expect("a trace");
        let read = reader.next_frame().expect("whole");
        assert!(read.as_ref() == Some(&first), "{}: in a file", setup.name);
    }
}

/// A picture that samples what the pass before has drawn in one shade, as frames of an animation: its own draw never changes.
struct Shaded {
    memory: Memory,
    shade: BufferId,
    passes: Vec<Pass<'static>>,
    device: Device,
}

const SHADED: &str = "
    @group(0) @binding(0) var<uniform> shade: vec4f;
    @group(0) @binding(1) var drawn: texture_2d<f32>;
    @vertex fn everywhere(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f {
        return vec4f(f32(v / 2) * 4 - 1, f32(v % 2) * 4 - 1, 0.25, 1);
    }
    @fragment fn shaded() -> @location(0) vec4f { return shade; }
    @fragment fn copied(@builtin(position) at: vec4f) -> @location(0) vec4f {
        return textureLoad(drawn, vec2u(at.xy), 0);
    }
";

impl Shaded {
    fn new(tile_bytes: u32) -> Self {
        let module = Module::parse(SHADED).expect("valid");
        let code = |entry| module.compile(entry, &[]).expect("it lowers");
        let format = TextureFormat::Rgba8Unorm;
        let over = |entry| {
            let spec = RenderPipelineSpec::new(code("everywhere"), code(entry), format.into());
            pipeline(spec)
        };
        let mut memory = Memory::default();
        let shade = memory.buffer(16).expect("room");
        let mut texture = || memory.texture(TextureSpec::of_2d(format, WIDTH, HEIGHT));
        let [drawn, shown] = [texture(), texture()].map(|texture| texture.expect("room"));
        let pass = |label: &str, target, entry, binding| {
            let color = ColorAttachment {
                view: TextureView::of(target),
                ops: cleared(Color::BLACK),
                resolve: None,
            };
            Pass::Render(RenderPass {
                label: label.to_owned(),
                colors: vec![Some(color)],
                draws: vec![PassDraw {
                    groups: vec![BindGroup(vec![binding])],
                    ..PassDraw::new(over(entry), 3)
                }],
                ..RenderPass::default()
            })
        };
        let passes = vec![
            pass("shade", drawn, "shaded", (0, Binding::buffer(shade))),
            pass(
                "copy",
                shown,
                "copied",
                (1, Binding::Texture(TextureView::of(drawn))),
            ),
        ];
        let device = Device::new(1, SimdLevel::Auto).expect("threads");
        Self {
            memory,
            shade,
            passes,
            device: device.with_tile_bytes(tile_bytes),
        }
    }

    fn frame(&mut self, number: u64, shade: f32) -> FrameTrace {
        let bytes = [shade; 4].map(f32::to_le_bytes);
        let write = (self.memory).write_buffer(self.shade, 0, bytes.as_flattened());
        write.expect("it fits");
        let trace = self.device.trace(&mut self.memory, &self.passes, number);
        trace.expect("it has a trace")
    }
}

#[test]
fn passes_are_eliminated_where_all_that_they_read_is_the_same() {
    let spec = MachineSpec::built_in("mali450-re", &[]).expect("a shipped machine");
    let technique = |name| TECHNIQUES.iter().find(|technique| technique.name == name);
    let mut gpu = machine_with(&spec, &[technique("re").expect("known")]).expect("valid");
    let mut shaded = Shaded::new(spec.tile_bytes());
    let n_tiles = u64::from(shaded.frame(0, 0.0).grid.n_tiles());
    // Two frame buffers: each frame is compared with the one before the last.
    assert_eq!(spec.display.frame_buffers, 2);
    let shades = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let skipped = (0..).zip(shades).map(|(number, shade)| {
        let report = gpu
            .run_frame(&shaded.frame(number, shade))
            .expect("it runs");
        report.tiles_skipped()
    });
    let expected = [0, 0, n_tiles, 0, 0, n_tiles];
    assert_eq!(skipped.collect::<Vec<_>>(), expected);
}

#[test]
fn passes_run_with_every_technique() {
    for technique in TECHNIQUES {
        for name in ["mali450-re", "valhall-libra", "emerald-gpu"] {
            let spec = MachineSpec::built_in(name, &[]).expect("a shipped machine");
            // Some are for machines of their own.
            let Ok(mut gpu) = machine_with(&spec, &[technique]) else {
                continue;
            };
            let mut shaded = Shaded::new(spec.tile_bytes());
            for number in 0..3 {
                let report = gpu.run_frame(&shaded.frame(number, number as f32 / 4.0));
                let report = report.unwrap_or_else(|error| {
                    panic!("{} on {name}: {error}", technique.name);
                });
                assert_eq!(report.passes.len(), 2, "{} on {name}", technique.name);
            }
        }
    }
}
