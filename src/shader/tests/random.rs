//! Random programs give the second evaluator's bits, and mutated sources give an answer or an error.

use azulejo_simd::SimdLevel;

use super::super::{Buffer, Module, NoTextures, Resources, Runner};
use super::evaluator::Evaluator;
use super::generator::shared::{SHARED_INVOCATIONS, SHARED_WORDS, shared_program};
use super::generator::{Random, program};
use super::run;

/// Programs, unless `AZULEJO_PROGRAMS` says another number when the tests are built; a sixth as many share memory.
fn wanted() -> usize {
    option_env!("AZULEJO_PROGRAMS").map_or(300, |text| text.parse().expect("a number"))
}

/// Compares so many programs with the second evaluator, alternately with and without errors of floats; their buffer has so
/// many words, and its array so many elements.
fn compare(
    wanted: usize,
    write: fn(&mut Random, bool) -> String,
    (words, elements): (usize, usize),
) {
    let mut random = Random(1);
    let (mut compared, mut made) = (0, 0);
    while compared < wanted {
        let source = write(&mut random, made % 2 == 1);
        made += 1;
        let Ok(module) = Module::parse(&source) else {
            continue; // A constant expression that naga refuses, such as a division by zero.
        };
        let Ok(code) = module.compile("main", &[]) else {
            panic!("program {made} does not lower:\n{source}");
        };
        let Some(expected) = Evaluator::run(&module.module, elements) else {
            continue;
        };
        compared += 1;
        for level in SimdLevel::available() {
            let got = run(&code, level, vec![0; words]);
            let wrong = (0..words).find(|&word| got[word] != expected[word]);
            assert_eq!(wrong, None, "program {made} at {level}, word: {source}");
        }
    }
    assert!(
        made <= 10 + wanted + wanted / 10,
        "{made} programs for {wanted} that are valid and end"
    );
}

#[test]
fn random_programs_equal_the_second_evaluator() {
    compare(wanted(), program, (64, 64));
}

#[test]
fn random_programs_that_share_memory_equal_the_second_evaluator() {
    let sizes = (SHARED_WORDS, SHARED_INVOCATIONS);
    compare(wanted() / 6, shared_program, sizes);
}

#[test]
fn mutated_sources_never_panic_or_hang() {
    let mut random = Random(7);
    for _ in 0..300 {
        let mut source = program(&mut random, false).into_bytes();
        for _ in 0..1 + random.below(6) {
            let at = random.below(source.len());
            match random.below(4) {
                0 => source[at] = b"(){};0123456789<>*&+-=ui.fxw"[random.below(28)],
                1 => drop(source.remove(at)),
                2 => {
                    let end = (at + 1 + random.below(30)).min(source.len());
                    let piece: Vec<u8> = source[at..end].to_vec();
                    let to = random.below(source.len());
                    source.splice(to..to, piece);
                }
                _ => {
                    let end = (at + random.below(30)).min(source.len());
                    source.drain(at..end);
                }
            }
        }
        let Ok(source) = String::from_utf8(source) else {
            continue;
        };
        let Ok(code) = Module::parse(&source).and_then(|module| module.compile("main", &[])) else {
            continue;
        };
        let mut words = vec![0; 64];
        let mut resources =
            Resources::new(&code, &NoTextures).with(&code, (0, 0), Buffer::Write(&mut words));
        let backend = SimdLevel::Auto.backend().expect("available");
        if let Ok(runner) = Runner::new(&code, backend, &mut resources) {
            // An error for a loop without an end is as good as an end.
            let _ = runner
                .with_budget(1 << 16)
                .dispatch([1, 1, 1], &mut resources);
        }
    }
}
