//! Programs against a second evaluator, and hand-made cases.

mod cases;
mod draw;
mod evaluator;
mod generator;
mod random;
mod traced;
mod value;

use azulejo_simd::SimdLevel;

use super::{Buffer, Code, Module, NoTextures, Resources, Runner};

/// Words of the buffer at group 0, binding 0 after a dispatch of one workgroup.
fn run(code: &Code, level: SimdLevel, mut words: Vec<u32>) -> Vec<u32> {
    let mut resources =
        Resources::new(code, &NoTextures).with(code, (0, 0), Buffer::Write(&mut words));
    let backend = level.backend().expect("an available level");
    let runner = Runner::new(code, backend, &mut resources).expect("all is bound");
    runner
        .dispatch([1, 1, 1], &mut resources)
        .expect("loops end");
    words
}

/// A compute program of 64 invocations that puts `result`, a `u32`, into word `i`.
fn compute(helpers: &str, body: &str) -> Code {
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n{helpers}\n@compute @workgroup_size(64) \
         fn main(@builtin(local_invocation_index) i: u32) {{\n{body}\n}}"
    );
    let module = Module::parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    module
        .compile("main", &[])
        .unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// Words of a program of [`compute`], the same at each level.
fn words(helpers: &str, body: &str) -> Vec<u32> {
    let code = compute(helpers, body);
    let all = SimdLevel::available()
        .into_iter()
        .map(|level| run(&code, level, vec![0; 64]));
    let all: Vec<Vec<u32>> = all.collect();
    for other in &all[1..] {
        assert_eq!(*other, all[0], "every level gives the same");
    }
    all[0].clone()
}
