//! Programs in WGSL by mutation: whatever lowers runs to its end or its bound, in little memory.

use azulejo::shader::{
    BindingKind, Buffer, Code, LANES_OF_BATCH, Module, NoTextures, Resources, Runner, Stage,
    TracedCode,
};
use azulejo::simd::SimdLevel;

/// Words of all buffers that a program is given: one that declares more cannot be run.
const MOST_WORDS: u32 = 1 << 16;

/// Instructions that a batch may execute.
const BUDGET: u64 = 1 << 14;

/// Entry points that are run.
const MOST_ENTRIES: usize = 4;

/// A module in WGSL, each of its programs lowered, traced and run once.
pub(crate) fn wgsl(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(module) = Module::parse(text) else {
        return;
    };
    for entry in module.entry_points().iter().take(MOST_ENTRIES) {
        let Ok(code) = module.compile(&entry.name, &[]) else {
            continue;
        };
        run(&code);
        let traced = TracedCode::new(&code);
        assert_eq!(traced.program().name, code.entry, "of the same code");
        run(traced.code());
    }
}

/// Runs a program over buffers of its size, filled with numbers of every kind.
fn run(code: &Code) {
    let words = code.bindings.iter().map(|binding| match binding.kind {
        BindingKind::Texture | BindingKind::Sampler => 0,
        _ => binding.words,
    });
    let all = words.clone().fold(0, u32::saturating_add);
    if all > MOST_WORDS {
        return;
    }
    let contents = |n: u32| (0..n).map(|at| at.wrapping_mul(0x9e37_79b9) >> (at % 32));
    let mut buffers: Vec<Vec<u32>> = words.map(|n| contents(n).collect()).collect();
    let mut resources = Resources::new(code, &NoTextures);
    for (binding, words) in code.bindings.iter().zip(&mut buffers) {
        let place = (binding.group, binding.binding);
        let buffer = match binding.kind {
            BindingKind::Texture | BindingKind::Sampler => continue,
            BindingKind::Storage => Buffer::Write(words),
            BindingKind::Uniform | BindingKind::ReadStorage => Buffer::Read(words),
        };
        resources = resources.with(code, place, buffer);
    }
    let backend = SimdLevel::Auto.backend().expect("the widest there is");
    let Ok(runner) = Runner::new(code, backend, &mut resources) else {
        return;
    };
    let runner = runner.with_budget(BUDGET);
    // An endless loop is an error, which is as good an end as any.
    let _ = match code.stage {
        Stage::Compute => runner.dispatch([2, 1, 1], &mut resources),
        Stage::Fragment => {
            let lanes = (u64::MAX, u64::MAX / 3);
            runner.run_quads(backend, &mut runner.batch(), lanes, &mut resources)
        }
        Stage::Vertex => {
            let lanes = u64::MAX >> (LANES_OF_BATCH / 2);
            runner.run(&mut runner.batch(), lanes, &mut resources)
        }
    };
}

/// Modules that mutation begins with: every stage, statement and kind of memory.
pub(crate) const MODULES: &[(&str, &str)] = &[
    (
        "branches",
        "@group(0) @binding(0) var<uniform> scale: vec4f;
@vertex fn corner(@builtin(vertex_index) v: u32, @location(0) at: vec2f) -> @builtin(position) vec4f {
    return vec4f(at * scale.xy, f32(v % 2), 1);
}
@fragment fn colored(@builtin(position) at: vec4f, @location(0) uv: vec2f) -> @location(0) vec4f {
    var sum = vec4f(0);
    for (var i = 0u; i < 5u; i++) {
        if uv.x * f32(i) > 2 { continue; }
        sum += vec4f(uv, 1, 0) / max(scale, vec4f(.5));
    }
    switch u32(at.x) { case 1: { sum.x = -1; } case 2, 3: { sum = sqrt(sum); } default: { if at.y < 0 { discard; } } }
    return select(sum, sin(sum), sum.x > dpdx(uv.y));
}
",
    ),
    (
        "shared",
        "struct Item { count: atomic<u32>, cells: array<vec3i, 4> }
@group(0) @binding(0) var<storage, read_write> items: array<Item, 2>;
@group(1) @binding(3) var<storage> given: array<u32, 64>;
var<workgroup> row: array<u32, 64>;
@compute @workgroup_size(8, 4) fn reduce(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) at: vec3u) {
    row[i] = given[i];
    workgroupBarrier();
    var step = 16u;
    loop {
        if step == 0u { break; }
        if i < step { row[i] += row[i + step]; }
        workgroupBarrier();
        continuing { step >>= 1u; }
    }
    let before = atomicAdd(&items[at.x].count, row[i]);
    items[1].cells[i & 3u].y = i32(before) % (1 - i32(i));
}
",
    ),
    (
        "functions",
        "const SIZE = 3;
override gain: f32 = 2;
struct Light { at: vec3f, power: f32 }
@group(0) @binding(0) var<uniform> lights: array<Light, SIZE>;
@group(0) @binding(1) var colors: texture_2d<f32>;
@group(0) @binding(2) var smooth_: sampler;
fn lit(light: Light, n: vec3f) -> f32 {
    let d = distance(light.at, n);
    if d < .1 { return gain; }
    return light.power * max(dot(n, light.at / d), 0) / (d * d);
}
fn swap(a: ptr<function, mat2x2f>, b: ptr<function, vec2f>) { let c = (*a)[1]; (*a)[1] = *b; *b = c; }
@fragment fn shaded(@location(0) n: vec3f, @location(1) uv: vec2f) -> @location(0) vec4f {
    var sum = 0.0;
    var i = 0;
    while i < SIZE { sum += lit(lights[i], normalize(n)); i += 1; }
    var m = mat2x2f(uv, n.xy);
    var v = vec2f(sum);
    swap(&m, &v);
    return textureSample(colors, smooth_, m * v) * vec4f(unpack4x8unorm(pack4x8unorm(vec4f(sum))).xyz, 1);
}
",
    ),
    ("rings", include_str!("../../shaders/rings.wgsl")),
    ("metallic_roughness", include_str!("../../shaders/metallic_roughness.wgsl")),
];
