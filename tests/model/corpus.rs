//! The bodies of the fuzz targets on stable Rust: over the seeds that fuzzing begins with, and over all inputs that it has found. None
//! may panic, and none may take long.

use crate::{bodies, seeds};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Most time for one input, on a machine that is busy with other tests and without optimisation.
const MOST_TIME: Duration = Duration::from_secs(60);

fn folder(kind: &str, target: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("fuzz").join(kind).join(target)
}

/// Files of a folder by name; none if it is absent.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    files
}

/// Runs a target over all inputs of a kind, and says how many there were.
fn replay(kind: &str) -> usize {
    let mut n_inputs = 0;
    for (target, body) in bodies::TARGETS {
        for file in files(&folder(kind, target)) {
            let bytes = std::fs::read(&file).expect("a readable file");
            let start = Instant::now();
            let outcome = std::panic::catch_unwind(|| body(&bytes));
            let time = start.elapsed();
            assert!(outcome.is_ok(), "{} panics", file.display());
            assert!(time < MOST_TIME, "{} took {time:?}", file.display());
            n_inputs += 1;
        }
    }
    n_inputs
}

#[test]
fn corpus_seeds_are_those_that_the_generator_makes() {
    let update = std::env::var_os("UPDATE_CORPUS").is_some();
    let mut expected = Vec::new();
    for seed in seeds::all() {
        let file = folder("seeds", seed.target).join(&seed.name);
        if update {
            std::fs::create_dir_all(folder("seeds", seed.target)).expect("a writable checkout");
            std::fs::write(&file, &seed.bytes).expect("a writable checkout");
        }
        let found = std::fs::read(&file).unwrap_or_default();
        let name = file.display();
        assert!(
            found == seed.bytes,
            "{name} differs: UPDATE_CORPUS=1 writes it anew"
        );
        expected.push(file);
    }
    for (target, _) in bodies::TARGETS {
        let found = files(&folder("seeds", target));
        assert!(!found.is_empty(), "{target} has seeds");
        for file in found {
            assert!(expected.contains(&file), "{} is no seed", file.display());
        }
    }
    assert!(
        !update,
        "the seeds were written anew: look at what changed, and run without UPDATE_CORPUS"
    );
}

#[test]
fn corpus_seeds_run_without_panic() {
    let n_inputs = replay("seeds");
    assert!(n_inputs >= bodies::TARGETS.len(), "{n_inputs} seeds");
}

#[test]
fn corpus_found_inputs_stay_mended() {
    replay("found");
}

/// Mutants of the seeds of each target; more where `AZULEJO_MUTANTS` says how many.
const MUTANTS: u32 = 60;

/// Numbers that look like chance and are always the same (a linear congruential generator; high bits are the better ones).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    /// A byte, mostly at the ends of ranges.
    fn byte(&mut self) -> u8 {
        match self.below(3) {
            0 => [0, 1, 0x7f, 0x80, 0xff, 0xfe, b'0', b'9', b'-'][self.below(9)],
            _ => self.below(256) as u8,
        }
    }

    /// One to six changes: bytes replaced, inserted, cut out, doubled, or a piece of another seed in their place.
    fn mutant(&mut self, seed: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len());
            let end = bytes.len().min(at + 1 + self.below(12));
            match self.below(6) {
                _ if bytes.is_empty() => bytes.push(self.byte()),
                0 | 1 => bytes[at] = self.byte(),
                2 => bytes[at] ^= 1 << self.below(8),
                3 => bytes.insert(at, self.byte()),
                4 => drop(bytes.drain(at..end)),
                _ => {
                    let from = self.below(other.len());
                    let piece = &other[from..other.len().min(from + end - at)];
                    bytes.splice(at..end, piece.iter().copied());
                }
            }
        }
        bytes
    }
}

/// Words that programs are made of, at the ends of ranges and beyond what is allowed.
const WORDS: [&str; 48] = [
    "0",
    "1",
    "-1",
    "3u",
    "5i",
    "2147483647",
    "4294967295u",
    "1e38",
    "0.0",
    "65536",
    "vec4f",
    "vec3u",
    "mat4x4f",
    "i32",
    "u32",
    "f32",
    "bool",
    "true",
    "loop",
    "if",
    "break;",
    "continue;",
    "return;",
    "discard;",
    "{",
    "}",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "==",
    "<",
    "!",
    "max",
    "pow",
    "sqrt",
    "select",
    "dpdx",
    "workgroupBarrier();",
    "@workgroup_size(4096, 64)",
    "array<u32, 100000000>",
    "var<private> huge: array<vec4f, 10000000>;",
    "for (;;) {}",
];

/// Words, numbers and signs of a text, with the spaces between them.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut tokens: Vec<String> = Vec::new();
    for c in text.chars() {
        match tokens.last_mut() {
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    tokens
}

impl Chance {
    /// One to six changes of a text that leave its words whole: more of these still are programs than if bytes change.
    fn mutant_of_tokens(&mut self, seed: &[u8], other: &[u8]) -> Vec<u8> {
        let text = |bytes| tokens(&String::from_utf8_lossy(bytes));
        let (mut tokens, other) = (text(seed), text(other));
        for _ in 0..=self.below(6) {
            let at = self.below(tokens.len());
            let end = tokens.len().min(at + 1 + self.below(12));
            let word = match self.below(3) {
                0 => WORDS[self.below(WORDS.len())].to_owned(),
                1 => other[self.below(other.len())].clone(),
                _ => tokens[self.below(tokens.len())].clone(),
            };
            match self.below(6) {
                0..3 => tokens[at] = word,
                3 => tokens.insert(at, word),
                4 => drop(tokens.splice(at..at, tokens[at..end].to_vec())),
                _ => {
                    let from = self.below(other.len());
                    let piece = &other[from..other.len().min(from + 2 * (end - at))];
                    tokens.splice(at..end, piece.iter().cloned());
                }
            }
        }
        tokens.concat().into_bytes()
    }
}

#[test]
fn corpus_mutants_of_the_seeds_run_without_panic() {
    let asked = std::env::var("AZULEJO_MUTANTS").ok();
    let n_mutants = asked.and_then(|text| text.parse().ok()).unwrap_or(MUTANTS);
    let only = std::env::var("AZULEJO_TARGET").ok();
    for (target, body) in bodies::TARGETS {
        if only.as_ref().is_some_and(|only| only != target) {
            continue;
        }
        let seeds: Vec<_> = seeds::all()
            .into_iter()
            .filter(|seed| seed.target == *target)
            .collect();
        let mut chance = Chance(1);
        for nth in 0..n_mutants {
            let (seed, other) = (
                &seeds[chance.below(seeds.len())],
                &seeds[chance.below(seeds.len())],
            );
            let mutant = match *target {
                "wgsl" if nth % 4 > 0 => chance.mutant_of_tokens(&seed.bytes, &other.bytes),
                _ => chance.mutant(&seed.bytes, &other.bytes),
            };
            let start = Instant::now();
            let outcome = std::panic::catch_unwind(|| body(&mutant));
            let time = start.elapsed();
            if outcome.is_err() || time > MOST_TIME {
                let file = std::env::temp_dir().join(format!("azulejo-{target}-{nth}"));
                std::fs::write(&file, &mutant).expect("a writable temporary folder");
                panic!(
                    "{target}, mutant {nth} of {}, {time:?}: kept as {}",
                    seed.name,
                    file.display()
                );
            }
        }
    }
}

#[test]
fn corpus_has_a_fuzzer_for_each_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    let mut fuzzers: Vec<_> = files(&root)
        .iter()
        .map(|file| {
            file.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let mut targets: Vec<_> = bodies::TARGETS.iter().map(|(name, _)| *name).collect();
    fuzzers.sort();
    targets.sort_unstable();
    assert_eq!(fuzzers, targets, "one file for each");
}

#[test]
fn corpus_seeds_of_each_format_are_lawful() {
    use azulejo::scene::gltf::{LoadOptions, load};
    use azulejo::trace::TraceReader;
    for seed in seeds::all() {
        match seed.target {
            "gltf" => {
                let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
                let scene = load(seed.bytes, &nothing_beside, &LoadOptions::default());
                scene.unwrap_or_else(|error| panic!("{}: {error}", seed.name));
            }
            "obj" => {
                let text = seed.bytes.split(|byte| *byte == bodies::BESIDE).next();
                let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
                let scene = azulejo::scene::obj::load(
                    text.expect("one part at least"),
                    &nothing_beside,
                    &LoadOptions::default(),
                );
                scene.unwrap_or_else(|error| panic!("{}: {error}", seed.name));
            }
            "compressed_mesh" | "compressed_texture" => {
                let file = match seed.target {
                    "compressed_mesh" => bodies::compressed::mesh_file(&seed.bytes),
                    _ => bodies::compressed::texture_file(&seed.bytes),
                };
                let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
                let scene = load(file, &nothing_beside, &LoadOptions::default());
                let scene = scene.unwrap_or_else(|error| panic!("{}: {error}", seed.name));
                assert!(
                    scene.warnings.is_empty(),
                    "{}: {:?}",
                    seed.name,
                    scene.warnings
                );
            }
            "trace" => {
                let file = bodies::records::file_of(&seed.bytes);
                let mut reader = TraceReader::new(file.as_slice()).expect("a trace");
                while reader
                    .next_frame()
                    .unwrap_or_else(|error| panic!("{}: {error}", seed.name))
                    .is_some()
                {}
            }
            "hdr" => {
                let environment = azulejo::scene::Environment::from_hdr_bytes(&seed.bytes);
                environment.unwrap_or_else(|error| panic!("{}: {error}", seed.name));
            }
            _ => {}
        }
    }
}
