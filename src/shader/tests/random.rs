//! Random programs give the second evaluator's bits, and mutated sources give an answer or an error.

use azulejo_simd::SimdLevel;

use super::super::{Buffer, Module, NoTextures, Resources, Runner};
use super::evaluator::Evaluator;
use super::generator::{Random, program};
use super::run;
use super::value::bits;

#[test]
fn random_programs_equal_the_second_evaluator() {
    let mut random = Random(1);
    let mut compared = 0;
    for number in 0..900 {
        if compared == 300 {
            break;
        }
        let source = program(&mut random, number % 2 == 1);
        let Ok(module) = Module::parse(&source) else {
            continue; // A constant expression that naga refuses, such as a division by zero.
        };
        let Ok(code) = module.compile("main", &[]) else {
            panic!("program {number} does not lower:\n{source}");
        };
        let expected: Option<Vec<u32>> = (0..64)
            .map(|index| {
                let words = Evaluator::run(&module.module, index, 64)?;
                Some(bits(&words[index as usize]))
            })
            .collect();
        let Some(expected) = expected else {
            continue;
        };
        compared += 1;
        for level in SimdLevel::available() {
            let got = run(&code, level, vec![0; 64]);
            let wrong = (0..64).find(|&lane| got[lane] != expected[lane]);
            assert_eq!(wrong, None, "program {number} at {level}, lane: {source}");
        }
    }
    assert!(compared >= 300, "{compared} programs were compared");
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
