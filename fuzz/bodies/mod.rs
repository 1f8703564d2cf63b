//! Bodies of the fuzz targets. A body ends without panic, in bounded time and memory, whatever the bytes say; where the
//! bytes are lawful, the results hold the model's laws. The fuzzers and the tests on stable Rust run the same bodies.
#![allow(dead_code, reason = "each fuzzer runs one of the bodies")]

pub(crate) mod choices;
pub(crate) mod compressed;
pub(crate) mod frames;
pub(crate) mod programs;
pub(crate) mod records;

use std::cell::RefCell;
use std::ffi::OsString;

use azulejo::gpu::Gpu;
use azulejo::gpu::access::AccessKind;
use azulejo::gpu::cache::{CachePolicy, CacheReplay, CacheSpec, PolicyReport};
use azulejo::gpu::dram::{DramSpec, Replay, TraceRequest, shipped_names};
use azulejo::gpu::machine::{self, MachineSpec, Overlay, load_machine};
use azulejo::render::{FrameInput, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::scene::gltf::{LoadOptions, load};
use azulejo::scene::{AnimationChoice, Environment, Scene, obj as obj_loader};
use azulejo::technique::{TECHNIQUES, machine_with};
use azulejo::trace::{FrameTrace, TraceReader};
use azulejo::units::{Bytes, DramCycles};

use choices::Choices;

/// A body: bytes to nothing, or to a panic.
pub(crate) type Body = fn(&[u8]);

/// Every target with its name, which is that of its fuzzer and of its folders.
pub(crate) const TARGETS: &[(&str, Body)] = &[
    ("gltf", gltf),
    ("obj", obj),
    ("compressed_mesh", compressed_mesh),
    ("compressed_texture", compressed_texture),
    ("hdr", hdr),
    ("trace", trace),
    ("machine_frames", machine_frames),
    ("machine_toml", machine_toml),
    ("dram_toml", dram_toml),
    ("dram_requests", dram_requests),
    ("dram_trace", dram_trace),
    ("cache_accesses", cache_accesses),
    ("cache_trace", cache_trace),
    ("wgsl", programs::wgsl),
];

thread_local! {
    static RENDERER: RefCell<Option<Renderer>> = const { RefCell::new(None) };
}

/// A .gltf or .glb with nothing beside it, to a picture of 16x16 pixels.
pub(crate) fn gltf(data: &[u8]) {
    let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    if let Ok(scene) = load(data.to_vec(), &nothing_beside, &options()) {
        draw(&scene);
    }
}

/// Separator between the parts of [`obj`]'s bytes: in no text.
pub(crate) const BESIDE: u8 = 0xff;

/// An OBJ, and behind [`BESIDE`] whatever file it asks for beside it, to a picture of 16x16 pixels.
pub(crate) fn obj(data: &[u8]) {
    let mut files = data.splitn(2, |byte| *byte == BESIDE);
    let (text, file) = (files.next().unwrap_or_default(), files.next());
    let beside = |_: &str| {
        file.map(<[u8]>::to_vec)
            .ok_or_else(|| std::io::ErrorKind::NotFound.into())
    };
    if let Ok(scene) = obj_loader::load(text, &beside, &options()) {
        draw(&scene);
    }
}

/// How files are read: bounded well below what a fuzzer may take.
fn options() -> LoadOptions {
    LoadOptions {
        memory_limit: 16 << 20,
        ..LoadOptions::default()
    }
}

/// Draws a scene as small as can be.
fn draw(scene: &Scene) {
    let mut state = scene.state_at(AnimationChoice::All, 0.5);
    let settings = RenderSettings {
        width: 16,
        height: 16,
        ..RenderSettings::default()
    };
    let view = scene.framing_camera(&state, 1.0).view(16, 16);
    state.sort_blended(scene, view.eye_world);
    RENDERER.with_borrow_mut(|renderer| {
        let renderer = renderer.get_or_insert_with(|| {
            Renderer::new(1, SimdLevel::Auto).expect("one thread is always there")
        });
        let input = FrameInput::new(scene, &state, &view, &settings);
        let frame = renderer.draw(&input.draws(), Recording::Counters);
        assert_eq!(frame.picture.pixels.len(), 256, "a pixel for each place");
    });
}

/// A compressed mesh or animation in a .glb that is lawful but for it, to a picture.
pub(crate) fn compressed_mesh(data: &[u8]) {
    gltf(&compressed::mesh_file(data));
}

/// A KTX 2.0 picture in a .glb that is lawful but for it, to a picture.
pub(crate) fn compressed_texture(data: &[u8]) {
    gltf(&compressed::texture_file(data));
}

/// A Radiance picture to an environment. Large ones are left out: their time is not spent on reading.
pub(crate) fn hdr(data: &[u8]) {
    let lines = data.split(|byte| *byte == b'\n').take(64);
    let words = lines.filter_map(|line| std::str::from_utf8(line).ok());
    let sizes = words
        .flat_map(str::split_ascii_whitespace)
        .filter_map(|word| word.parse().ok());
    if sizes
        .filter(|size: &u64| *size <= 8192)
        .any(|size| size > 64)
    {
        return;
    }
    let _ = Environment::from_hdr_bytes(data);
}

/// Work of a machine that a body has time for, in units of about a cycle.
pub(crate) const MOST_WORK: u64 = 300_000;

/// About the cycles that a frame takes.
pub(crate) fn work(frame: &FrameTrace) -> u64 {
    frame.passes().map(work_of_pass).sum()
}

fn work_of_pass(frame: &FrameTrace) -> u64 {
    let mut work = 0;
    let lengths = frame.paths.iter().filter_map(|(program, steps)| {
        let program = &frame.programs[program.0 as usize];
        program.follow(steps, |_| ()).ok()
    });
    let longest_path = lengths.max().unwrap_or(0);
    for draw in &frame.draws {
        let streams = draw.vertex_streams.iter();
        let lines: u64 = streams.map(|stream| 1 + u64::from(stream.bytes) / 64).sum();
        let instructions = |id: u32| {
            let program = &frame.programs[id as usize];
            let length = program.instructions.len() as u64;
            1 + if program.branches() {
                longest_path
            } else {
                length
            }
        };
        work += 200 + u64::from(draw.constant_bytes) / 16;
        work += draw.vertices.len() as u64 * (lines + instructions(draw.vertex_program.0));
        work += draw.indices.map_or(0, |fetch| u64::from(fetch.count));
        work += draw.assembled.len() as u64;
        work += u64::from(draw.n_primitives) * u64::from(draw.n_attributes);
    }
    let longest = frame
        .programs
        .iter()
        .map(|program| program.instructions.len());
    let longest = longest_path.max(longest.max().unwrap_or(0) as u64);
    let pixel_bytes: u64 = (frame.targets.iter())
        .map(|target| u64::from(target.bytes_per_pixel))
        .sum();
    for tile in &frame.tiles {
        work += 20 + tile.primitives.len() as u64;
        work += tile.quads.len() as u64 * (1 + longest) + tile.blocks.len() as u64;
    }
    let pixels = u64::from(frame.grid.width) * u64::from(frame.grid.height);
    work + pixels * (1 + pixel_bytes) / 8
}

/// The frame goes through the machine, ends, and keeps the laws of conservation.
fn run(gpu: &mut Gpu, frame: &FrameTrace) {
    match gpu.run_frame(frame) {
        Ok(report) => assert_eq!(report.check(frame), Ok(()), "conservation"),
        Err(error) => panic!("{error}"),
    }
}

/// Records of a trace, which get right checksums here, through the reader and a machine.
pub(crate) fn trace(data: &[u8]) {
    let file = records::file_of(data);
    let Ok(mut reader) = TraceReader::new(file.as_slice()) else {
        unreachable!("the first bytes are right");
    };
    let spec = MachineSpec::built_in("mali450-re", &[]).expect("it is shipped");
    let mut gpu = None;
    let mut grid = None;
    let mut left = MOST_WORK;
    while let Ok(Some(frame)) = reader.next_frame() {
        let Some(rest) = left.checked_sub(work(&frame)) else {
            return;
        };
        left = rest;
        // Machines keep state by tile: another screen is another run.
        if *grid.get_or_insert(frame.grid) != frame.grid {
            return;
        }
        let gpu = gpu.get_or_insert_with(|| Gpu::new(&spec).expect("it can be built"));
        if frame
            .passes()
            .all(|pass| spec.check_tile_buffers(pass).is_ok())
        {
            run(gpu, &frame);
        } else {
            assert!(gpu.run_frame(&frame).is_err(), "tiles that do not fit");
        }
    }
}

/// Lawful frames through changed machines, with any techniques: all end and conserve.
pub(crate) fn machine_frames(data: &[u8]) {
    let mut choices = Choices(data);
    let grid = frames::grid(&mut choices);
    let Some(spec) = frames::machine(&mut choices, grid) else {
        return;
    };
    let techniques: Vec<_> = TECHNIQUES.iter().filter(|_| choices.flag()).collect();
    let Ok(mut gpu) = machine_with(&spec, &techniques) else {
        return;
    };
    for number in 0..=u64::from(choices.up_to(2)) {
        let frame = frames::frame(&mut choices, grid, number);
        if frame.validate().is_err() || work(&frame) > MOST_WORK {
            return;
        }
        run(&mut gpu, &frame);
        if choices.is_over() {
            return;
        }
    }
}

/// A machine file, which may include shipped ones, to a machine.
pub(crate) fn machine_toml(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let shipped = |name: &str| {
        let text = machine::built_in(name).map(str::to_owned);
        text.ok_or_else(|| "a machine by name".to_owned())
    };
    let screen = ["width", "height"].map(|edge| Overlay {
        key: format!("screen.{edge}"),
        value: "32".to_owned(),
    });
    if let Ok(spec) = load_machine("fuzzed.toml", text, &shipped, &screen) {
        let _ = Gpu::new(&spec);
    }
}

/// A DRAM file to a DRAM that serves a few requests.
pub(crate) fn dram_toml(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(spec) = DramSpec::from_toml("fuzzed.toml", text) else {
        return;
    };
    serve(&spec, &mut Choices(data));
}

/// Requests by decisions through a shipped DRAM.
pub(crate) fn dram_requests(data: &[u8]) {
    let mut choices = Choices(data);
    let spec = DramSpec::named(choices.one_of(shipped_names().as_slice()));
    serve(&spec.expect("it is shipped"), &mut choices);
}

fn serve(spec: &DramSpec, choices: &mut Choices<'_>) {
    let Ok(mut replay) = Replay::new(spec) else {
        return;
    };
    let (mut at, mut n_requests) = (0, 0);
    while !choices.is_over() && n_requests < 200 {
        // Mostly near each other, in place and in time; sometimes far.
        at += u64::from(choices.byte()) << choices.one_of(&[0, 0, 0, 0, 4, 8, 12]);
        let address = u64::from(choices.up_to(0xffff)) << choices.one_of(&[0, 6, 6, 6, 12, 40]);
        replay.offer(&TraceRequest {
            address,
            kind: choices.one_of(&[AccessKind::Read, AccessKind::Write]),
            cycle: DramCycles(at),
        });
        n_requests += 1;
    }
    let outcome = replay.finish();
    assert_eq!(outcome.n_requests, n_requests, "all are served");
}

/// Accesses by decisions through a cache of any shape, under every policy.
pub(crate) fn cache_accesses(data: &[u8]) {
    let mut choices = Choices(data);
    let line = 1 << choices.up_to(17);
    let ways = choices.up_to(64);
    let set_bytes = line * u64::from(ways);
    let spec = CacheSpec {
        size: Bytes(set_bytes * u64::from(choices.up_to(40)) + u64::from(choices.byte() / 250)),
        ways,
        line: Bytes(line),
    };
    let policies = [
        CachePolicy::Lru,
        CachePolicy::Mru,
        CachePolicy::Opt,
        CachePolicy::OptBypass,
    ];
    let Ok(mut replay) = CacheReplay::new(spec, &policies) else {
        return;
    };
    let mut n_accesses = 0;
    while !choices.is_over() && n_accesses < 2000 {
        let address = u64::from(choices.up_to(0xffff)) << choices.one_of(&[0, 0, 6, 48]);
        let kind = choices.one_of(&[AccessKind::Read, AccessKind::Write]);
        if replay.offer(address, kind).is_err() {
            return;
        }
        n_accesses += 1;
    }
    let report = replay.finish().expect("the specification was taken");
    assert_eq!(report.accesses, n_accesses, "all are counted");
    let misses = |policy: Option<PolicyReport>| policy.map_or(0, |policy| policy.misses);
    let best = misses(report.opt);
    for other in [report.lru, report.mru] {
        assert!(
            best <= misses(other),
            "no policy without bypass beats the optimum"
        );
    }
}

/// The file of a DRAM's requests, through the command that reads such files.
pub(crate) fn dram_trace(data: &[u8]) {
    command_over(data, "trace.txt", &["dram"]);
}

/// The file of a cache's accesses, through the commands that read such files.
pub(crate) fn cache_trace(data: &[u8]) {
    command_over(data, "trace.bin", &["cache", "--policy", "lru,opt"]);
    command_over(data, "trace.bin", &["reuse"]);
}

/// Runs a command over a file of these bytes; its output is not looked at, only that it ends with a code of its own.
fn command_over(data: &[u8], name: &str, command: &[&str]) {
    let thread = std::thread::current().id();
    let folder = format!("azulejo-fuzz-{}-{thread:?}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    let file = folder.join(name);
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, data));
    written.expect("a writable temporary folder");
    let program = ["azulejo", "--quiet"]
        .into_iter()
        .chain(command.iter().copied());
    let mut arguments: Vec<OsString> = program.map(OsString::from).collect();
    arguments.push(file.into_os_string());
    let _ = azulejo::app::cli::run(arguments, None);
    std::fs::remove_dir_all(&folder).expect("it was made here");
}
