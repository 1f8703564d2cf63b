//! Programs in WGSL, run by the driver and by [`azulejo::shader`]: random programs give the same words, built-in functions
//! stay within the error that WGSL allows them.

mod functions;
#[path = "../../../src/shader/tests/generator/mod.rs"]
mod generator;

use azulejo::shader::{Buffer, Module, NoTextures, Resources, Runner};
use azulejo::simd::SimdLevel;
use pollster::block_on;

use functions::{FUNCTIONS, Function, OF_WORDS};
use generator::shared::{ROW, SHARED_INVOCATIONS, SHARED_WORDS, SUMS, shared_program};
use generator::{Random, program};

/// Programs without `AZULEJO_PROGRAMS`; a sixth as many share memory.
const PROGRAMS: usize = 200;

/// Invocations of a workgroup.
const INVOCATIONS: usize = 64;

/// Workgroups that try a function.
const GROUPS: u32 = 64;

/// A device of the driver.
struct Driver {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Driver {
    /// The driver that draws on the CPU, if there is one.
    fn open() -> Option<Self> {
        super::reference()?;
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::VULKAN,
            flags: wgpu::InstanceFlags::empty(),
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapters = block_on(instance.enumerate_adapters(wgpu::Backends::VULKAN));
        let adapter = adapters
            .into_iter()
            .find(|adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu);
        let descriptor = wgpu::DeviceDescriptor::default();
        let opened = block_on(adapter?.request_device(&descriptor));
        let (device, queue) = opened.expect("a device opens twice");
        Some(Self { device, queue })
    }

    /// The buffer's words after a dispatch.
    fn run(&self, source: &str, words: &[u32], groups: u32) -> Vec<u32> {
        let module = self
            .device
            .create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(source.into()),
            });
        let pipeline = self
            .device
            .create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: None,
                module: &module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            });
        let buffer = |usage| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: size_of_val(words) as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let storage = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let mapped = buffer(wgpu::BufferUsages::MAP_READ);
        self.queue
            .write_buffer(&storage, 0, bytemuck::cast_slice(words));
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: storage.as_entire_binding(),
            }],
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(groups, 1, 1);
        drop(pass);
        encoder.copy_buffer_to_buffer(&storage, 0, &mapped, 0, size_of_val(words) as u64);
        self.queue.submit([encoder.finish()]);
        mapped.map_async(wgpu::MapMode::Read, .., |_| {});
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        waited.expect("the driver answers");
        let bytes = mapped.get_mapped_range(..).expect("mapped");
        bytemuck::pod_collect_to_vec(&bytes)
    }
}

/// The buffer's words after our dispatch; nothing for a source that naga refuses, such as one that divides a constant by
/// zero.
fn ours(source: &str, words: &[u32], groups: u32) -> Option<Vec<u32>> {
    let code = Module::parse(source).ok()?.compile("main", &[]);
    let code = code.unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut words = words.to_vec();
    let mut resources =
        Resources::new(&code, &NoTextures).with(&code, (0, 0), Buffer::Write(&mut words));
    let backend = SimdLevel::Auto.backend().expect("available");
    let runner = Runner::new(&code, backend, &mut resources).expect("all is bound");
    let done = runner.dispatch([groups, 1, 1], &mut resources);
    done.unwrap_or_else(|error| panic!("{error}\n{source}"));
    Some(words)
}

fn wanted() -> usize {
    let asked = std::env::var("AZULEJO_PROGRAMS");
    asked.map_or(PROGRAMS, |text| text.parse().expect("a number"))
}

/// Whether a word of ours and the driver's at a place of the buffer are equal, as far as a program fixes it.
type IsSame = fn(usize, u32, u32) -> bool;

/// Compares so many random programs with the driver; their buffer has so many words.
fn compare(
    wanted: usize,
    write: fn(&mut Random, bool) -> String,
    (n_words, is_same): (usize, IsSame),
) {
    let Some(driver) = Driver::open() else { return };
    let mut random = Random(52);
    let (mut compared, mut made) = (0, 0);
    let mut wrong = Vec::new();
    while compared < wanted {
        let source = write(&mut random, true);
        made += 1;
        let words = vec![0; n_words];
        let Some(ours) = ours(&source, &words, 1) else {
            continue;
        };
        compared += 1;
        let theirs = driver.run(&source, &words, 1);
        let differs = (0..n_words).find(|&i| !is_same(i, ours[i], theirs[i]));
        if let Some(i) = differs {
            let (ours, theirs) = (ours[i], theirs[i]);
            wrong.push(format!(
                "word {i}: {ours:#x}, the driver {theirs:#x}\n{source}"
            ));
        }
    }
    println!("{compared} programs of {made}, {} differ", wrong.len());
    assert!(
        made <= 10 + wanted + wanted / 10,
        "{made} programs for {wanted} that are valid"
    );
    let first = wrong.first().map_or("", String::as_str);
    assert!(wrong.is_empty(), "{} of {compared}: {first}", wrong.len());
}

/// [`IsSame`] for programs that share memory: their rows show signs of zeros, and have words of nothing.
fn is_same_with_rows(place: usize, ours: u32, theirs: u32) -> bool {
    let in_rows = place.checked_sub(SUMS);
    let in_rows = in_rows.filter(|at| *at < ROW.len() * SHARED_INVOCATIONS);
    match in_rows.map(|at| ROW[at % ROW.len()]) {
        Some(b'.') => true,
        Some(b'f') => f32::from_bits(ours) == f32::from_bits(theirs),
        _ => ours == theirs,
    }
}

#[test]
fn programs_give_the_words_of_the_driver() {
    compare(wanted(), program, (INVOCATIONS, |_, a, b| a == b));
}

#[test]
fn programs_that_share_memory_give_the_words_of_the_driver() {
    compare(
        wanted() / 6,
        shared_program,
        (SHARED_WORDS, is_same_with_rows),
    );
}

#[test]
fn functions_stay_within_their_error_as_those_of_the_driver_do() {
    let Some(driver) = Driver::open() else { return };
    let mut random = Random(7);
    let mut broken = Vec::new();
    for function in FUNCTIONS {
        let rows = (0..INVOCATIONS * GROUPS as usize).flat_map(|_| {
            let [x, y, z] = (function.operands)(&mut random).map(f32::to_bits);
            [x, y, z, 0]
        });
        let words: Vec<u32> = rows.collect();
        let source = function_program(function);
        let ours = ours(&source, &words, GROUPS).expect("valid");
        let theirs = driver.run(&source, &words, GROUPS);
        for (side, words) in [("azulejo", ours), ("the driver", theirs)] {
            let worst = worst(function, &words);
            println!(
                "{}: {side} {:.3} of the error allowed",
                function.text, worst.0
            );
            if worst.0 > 1.0 {
                broken.push(format!("{side}: {}: {}", function.text, worst.1));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn operations_on_words_give_those_of_the_driver() {
    let Some(driver) = Driver::open() else { return };
    let mut random = Random(3);
    let words = (0..4 * INVOCATIONS * GROUPS as usize).map(|_| random.next() as u32);
    let words: Vec<u32> = words.collect();
    let mut broken = Vec::new();
    for text in OF_WORDS {
        let source = operation_program(("", text));
        let ours = ours(&source, &words, GROUPS).expect("valid");
        let theirs = driver.run(&source, &words, GROUPS);
        let both = ours
            .as_chunks::<4>()
            .0
            .iter()
            .zip(theirs.as_chunks::<4>().0);
        if let Some((ours, theirs)) = both.into_iter().find(|(ours, theirs)| ours != theirs) {
            broken.push(format!("{text}: {ours:x?}, the driver {theirs:x?}"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A program that puts the function's result behind its operands.
fn function_program(function: &Function) -> String {
    let text = format!("bitcast<u32>({})", function.text);
    operation_program(("bitcast<f32>", &text))
}

/// A program that puts the word of an expression over `x`, `y` and `z` behind theirs.
fn operation_program((operand, result): (&str, &str)) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            let i = id.x * 4u;
            let x = {operand}(words[i]);
            let y = {operand}(words[i + 1u]);
            let z = {operand}(words[i + 2u]);
            words[i + 3u] = {result};
        }}"
    )
}

/// Largest part of the error that a result takes, and the case.
fn worst(function: &Function, words: &[u32]) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for row in words.as_chunks::<4>().0 {
        let [x, y, z, result] = row.map(|word| f64::from(f32::from_bits(word)));
        let exact = (function.exact)([x, y, z]);
        let difference = (result - exact).abs();
        let allowed = (function.error)([x, y, z], exact);
        let part = match (difference.is_nan(), difference > 0.0) {
            (true, _) => f64::INFINITY,
            (_, true) => difference / allowed,
            _ => 0.0,
        };
        if part > worst.0 {
            worst = (part, format!("x {x}, y {y}, z {z}: {result}, not {exact}"));
        }
    }
    worst
}
