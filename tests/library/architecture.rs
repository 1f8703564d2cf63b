//! The rules of the house, checked by reading the sources: which stage of a room may name which, which rooms may touch the
//! outside world, a header in every file, 500 lines at most, `unsafe` in one room only, comments that open with a term, help
//! that fits a line. Planted breaches below prove that each rule bites. Which room may name which stands in each room's
//! `Cargo.toml`, and is the compiler's to check.
//!
//! The reader parses tokens, not types: it follows `crate::`, `azulejo_room::`, `super::`, `self::`, brace groups and inline
//! paths, but not re-exports and not the expansions of another crate's macros.

mod cycles;
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cycles::House;

/// The renderer's stages: each may name itself and the earlier ones; code that they share lies in the wing's root.
const RENDER_STAGES: &[&str] = &["geometry", "tiling", "shading", "raster", "output"];

/// Modules that put the stages together: no stage may name them.
const ABOVE_STAGES: &[&str] = &["elimination", "sink", "renderer", "draw_list"];

/// The built-in content, likewise: formulas, what games are made of, the games.
const DEMO_STAGES: &[&str] = &["procedural", "kit", "games"];

/// Games that may name another one: the castles of `catapult` stand in the hills of `climb`.
const SHARED_GAMES: &[(&str, &str)] = &[("catapult", "climb")];

/// Parts of `std` that reach out of the process, and the rooms that may: results must depend on the input alone.
const OUTSIDE_WORLD: &[(&str, &[&str])] = &[
    ("env", &["app", "main", "build"]),
    ("fs", &["app", "scene"]),
    ("io", &["app", "scene", "trace", "report", "main", "build"]),
    ("net", &[]),
    ("process", &["app", "main", "build"]),
    ("time::Instant", &["app"]),
    ("time::SystemTime", &["app"]),
];

/// Most lines of a file, its test module not counted.
const MAX_LINES: usize = 500;

#[test]
fn house_keeps_its_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let breaches: Vec<String> = ["src", "tests", "examples", "benches", "fuzz"]
        .iter()
        .flat_map(|folder| rust_files(&root.join(folder)))
        .flat_map(|file| {
            let source = std::fs::read_to_string(&file).expect("a source file is readable UTF-8");
            let name = file.strip_prefix(root).expect("below the root");
            breaches(&name.to_string_lossy().replace('\\', "/"), &source)
        })
        .collect();
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

#[test]
fn files_form_layers_without_a_cycle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: PathBuf| {
        let source = std::fs::read_to_string(&file).expect("a source file is readable UTF-8");
        let name = file.strip_prefix(root).expect("below the root");
        (name.to_string_lossy().replace('\\', "/"), source)
    };
    let sources: Vec<_> = rust_files(&root.join("src"))
        .into_iter()
        .map(read)
        .collect();
    assert!(sources.len() > 1, "there are files to look at");
    let house = House::new(&sources);
    let knots = house.knots();
    assert!(knots.is_empty(), "files that reach one another: {knots:#?}");
}

/// All `.rs` files below a folder, sorted, builds left out; none if the folder is absent.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Every broken rule of one file, as `file: sentence`; `name` is relative to the package, with slashes.
fn breaches(name: &str, source: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    if !source.starts_with("//!") {
        found.insert("does not open with a //! header".to_owned());
    }
    if name.starts_with("src/") {
        let lines = lines_without_tests(source);
        if lines > MAX_LINES {
            found.insert(format!(
                "has {lines} lines without tests, more than {MAX_LINES}"
            ));
        }
        found.extend(naming_breaches(name, source));
    }
    found.extend(words::breaches(name, source));
    if !name.starts_with("src/simd/") && tokens(source).iter().any(|token| token == "unsafe") {
        found.insert("says `unsafe` outside src/simd".to_owned());
    }
    found
        .into_iter()
        .map(|sentence| format!("{name}: {sentence}"))
        .collect()
}

/// Lines up to the test module, which by habit closes the file.
fn lines_without_tests(source: &str) -> usize {
    let lines: Vec<&str> = source.lines().collect();
    lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod "))
        .unwrap_or(lines.len())
}

/// Paths that lead where the file's room or stage may not go.
fn naming_breaches(name: &str, source: &str) -> Vec<String> {
    let module = module_of(name);
    let Some(room) = module.first().cloned().or_else(|| root_room(name)) else {
        return Vec::new();
    };
    paths(source, &module)
        .into_iter()
        .filter_map(|path| match path.root {
            Root::House => stage_breach(&module, &path.segments),
            Root::Std if !path.in_tests => std_breach(&room, &path.segments),
            Root::Std => None,
        })
        .collect()
}

/// `lib.rs` has no room: it is the map. `main.rs` is treated as one.
fn root_room(name: &str) -> Option<String> {
    (name == "src/main.rs").then(|| "main".to_owned())
}

/// A stage that names what comes after it in its room.
fn stage_breach(module: &[String], path: &[String]) -> Option<String> {
    let room = module.first().filter(|room| path.first() == Some(room))?;
    let stages = match room.as_str() {
        "render" => RENDER_STAGES,
        "demo" => DEMO_STAGES,
        _ => return None,
    };
    let stage_of = |segments: &[String]| {
        let second = segments.get(1)?;
        stages.iter().position(|stage| stage == second)
    };
    let above = path
        .get(1)
        .filter(|part| room == "render" && ABOVE_STAGES.contains(&part.as_str()));
    match (stage_of(module), stage_of(path)) {
        (Some(own), None) => above.map(|part| {
            format!(
                "stage `{}` names `{part}`, which stands above the stages",
                stages[own]
            )
        }),
        (Some(own), Some(other)) if other > own => Some(format!(
            "stage `{}` names the later stage `{}`",
            stages[own], stages[other]
        )),
        (Some(own), Some(other)) if own == other && stages[own] == "games" => {
            game_breach(module, path)
        }
        _ => None,
    }
}

/// A game that names another one.
fn game_breach(module: &[String], path: &[String]) -> Option<String> {
    let (own, other) = (module.get(2)?.as_str(), path.get(2)?.as_str());
    let apart = own != other && !SHARED_GAMES.contains(&(own, other));
    apart.then(|| format!("game `{own}` names the game `{other}`"))
}

fn std_breach(room: &str, path: &[String]) -> Option<String> {
    let named = path.join("::");
    let (part, _) = OUTSIDE_WORLD.iter().find(|(part, rooms)| {
        let reaches = named == *part || named.starts_with(&format!("{part}::"));
        reaches && !rooms.contains(&room)
    })?;
    Some(format!("`{room}` names std::{part}"))
}

/// `src/a/b.rs` and `src/a/b/mod.rs` are module `a::b`, `src/a/lib.rs` is the room `a`.
fn module_of(name: &str) -> Vec<String> {
    let inner = name.trim_start_matches("src/").trim_end_matches(".rs");
    inner
        .split('/')
        .filter(|part| !["mod", "lib", "main"].contains(part))
        .map(str::to_owned)
        .collect()
}

/// Root of a path, which its first segment names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Root {
    House,
    Std,
}

/// A path in the sources: segments from the house, its room first, or from `std`.
#[derive(Debug)]
struct NamedPath {
    root: Root,
    segments: Vec<String>,
    in_tests: bool,
}

/// Every path of a file that begins with `crate`, `super`, `self`, `azulejo`, `azulejo_room` or `std`, resolved against its
/// module.
fn paths(source: &str, module: &[String]) -> Vec<NamedPath> {
    let tokens = tokens(source);
    let mut scopes = Scopes::new(module);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at += scopes.step(&tokens, at);
        let begins = at > 0 && ["::", "."].contains(&tokens[at - 1].as_str());
        let Some(token) = tokens.get(at).filter(|_| !begins) else {
            at += 1;
            continue;
        };
        let base = match token.as_str() {
            "std" => Some((Root::Std, Vec::new())),
            "crate" => Some((Root::House, module.iter().take(1).cloned().collect())),
            "azulejo" => Some((Root::House, Vec::new())),
            "self" | "super" => Some((Root::House, scopes.module.clone())),
            other => other
                .strip_prefix("azulejo_")
                .map(|room| (Root::House, vec![room.to_owned()])),
        };
        let before = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at].as_str());
        let visibility = matches!((before(2), before(1)), ("pub", "(") | ("(", "in"));
        match base {
            Some((root, base)) if !visibility => {
                let start = at + usize::from(token != "super");
                let mut expanded = Vec::new();
                at = expand(&tokens, start, base, &mut expanded);
                let in_tests = scopes.in_tests();
                found.extend(expanded.into_iter().map(|segments| NamedPath {
                    root,
                    segments,
                    in_tests,
                }));
            }
            _ => at += 1,
        }
    }
    found
}

/// The inline modules around a token.
struct Scopes {
    module: Vec<String>,
    depth: usize,
    opened_at: Vec<usize>,
}

impl Scopes {
    fn new(module: &[String]) -> Self {
        Self {
            module: module.to_vec(),
            depth: 0,
            opened_at: Vec::new(),
        }
    }

    fn in_tests(&self) -> bool {
        self.module.last().is_some_and(|name| name == "tests")
    }

    /// Takes in braces and module openings at `at`; returns how many tokens that were.
    fn step(&mut self, tokens: &[String], at: usize) -> usize {
        let text = |offset: usize| tokens.get(at + offset).map_or("", String::as_str);
        match (text(0), text(2)) {
            ("mod", "{") => {
                self.module.push(text(1).to_owned());
                self.opened_at.push(self.depth);
                self.depth += 1;
                3
            }
            ("{", _) => {
                self.depth += 1;
                1
            }
            ("}", _) => {
                self.depth = self.depth.saturating_sub(1);
                if self.opened_at.last() == Some(&self.depth) {
                    self.opened_at.pop();
                    self.module.pop();
                }
                1
            }
            _ => 0,
        }
    }
}

/// Follows `a::b::{c, d::e}` from `at` on, `base` being what stands before; returns the position behind it.
fn expand(
    tokens: &[String],
    mut at: usize,
    mut base: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    let text = |at: usize| tokens.get(at).map_or("", String::as_str);
    loop {
        match text(at) {
            "::" => {
                at += 1;
                continue;
            }
            "{" => return expand_group(tokens, at + 1, &base, found),
            "self" => {}
            "super" => drop(base.pop()),
            word if text(at.wrapping_sub(1)) == "::" && is_word(word) => base.push(word.to_owned()),
            _ => break,
        }
        at += 1;
        if text(at) != "::" {
            break;
        }
    }
    found.push(base);
    at
}

/// The members of a brace group, each a path of its own; returns the position behind the closing brace.
fn expand_group(
    tokens: &[String],
    mut at: usize,
    base: &[String],
    found: &mut Vec<Vec<String>>,
) -> usize {
    while at < tokens.len() {
        match tokens[at].as_str() {
            "}" => return at + 1,
            "," | "as" | "::" => at += 1,
            word if is_word(word) && tokens[at - 1] == "as" => at += 1,
            word if is_word(word) && !["self", "super"].contains(&word) => {
                let mut inner = base.to_vec();
                inner.push(word.to_owned());
                at = expand(tokens, at + 1, inner, found);
            }
            "*" => {
                found.push(base.to_vec());
                at += 1;
            }
            _ => at = expand(tokens, at, base.to_vec(), found).max(at + 1),
        }
    }
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphanumeric() || first == '_')
}

/// Words, `::` and single characters; without comments, literals' contents and lifetimes.
fn tokens(source: &str) -> Vec<String> {
    let speaks = |text: &str| is_word(text) || text == "::" || (text.len() == 1 && text != "'");
    lexemes(source)
        .into_iter()
        .filter(|text| speaks(text) && !text.trim().is_empty() && !text.contains('"'))
        .map(str::to_owned)
        .collect()
}

/// The whole source in pieces: comments up to their line's end, literals, words, `::`, single characters.
fn lexemes(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => block_comment_length(rest),
            _ if rest.starts_with("::") => 2,
            '"' => string_length(rest),
            'r' | 'b' if raw_string_length(rest).is_some() => {
                raw_string_length(rest).unwrap_or_default()
            }
            '\'' => quote_length(rest),
            _ if is_word(rest) => rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (lexeme, after) = rest.split_at(length);
        found.push(lexeme);
        rest = after;
    }
    found
}

/// Length of a block comment, which may nest.
fn block_comment_length(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let here = &text.as_bytes()[at..];
        let change = match here {
            [b'/', b'*', ..] => 1,
            [b'*', b'/', ..] => -1,
            _ => 0,
        };
        depth += change;
        at += if change == 0 { 1 } else { 2 };
        if depth == 0 {
            break;
        }
    }
    at
}

/// Length of a string literal that starts with its quote.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// Length of `r"..."`, `r#"..."#`, `br"..."`; `None` if it is none.
fn raw_string_length(text: &str) -> Option<usize> {
    let body = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    let inner = body[hashes..].strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(hashes));
    let end = inner
        .find(&closing)
        .map_or(inner.len(), |at| at + closing.len());
    Some(text.len() - inner.len() + end)
}

/// Length of a character literal, or of a lifetime.
fn quote_length(text: &str) -> usize {
    let inner = &text[1..];
    if let Some(escaped) = inner.strip_prefix('\\') {
        let skipped = 2 + escaped.chars().next().map_or(0, char::len_utf8);
        return text[skipped..]
            .find('\'')
            .map_or(text.len(), |at| skipped + at + 1);
    }
    let c = inner.chars().next().map_or(0, char::len_utf8);
    if inner[c..].starts_with('\'') {
        c + 2
    } else {
        1 + inner
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(inner.len())
    }
}

mod planted {
    //! Breaches planted in made-up files, and legal neighbours that must pass.

    use super::breaches;

    #[track_caller]
    fn caught(name: &str, code: &str, expected: &str) {
        let found = breaches(name, &format!("//! Header.\n{code}\n"));
        assert_eq!(found, [format!("{name}: {expected}")], "{code}");
    }

    #[track_caller]
    fn passes(name: &str, code: &str) {
        let found = breaches(name, &format!("//! Header.\n{code}\n"));
        assert!(found.is_empty(), "{code}: {found:?}");
    }

    const TILING_NAMES_RASTER: &str = "stage `tiling` names the later stage `raster`";

    #[test]
    fn use_of_a_later_stage_is_caught() {
        let name = "src/render/tiling/bin.rs";
        caught(name, "use crate::raster::TileBuffers;", TILING_NAMES_RASTER);
        caught(name, "use azulejo_render::raster::X;", TILING_NAMES_RASTER);
        passes(name, "use azulejo_grid::raster::X;");
    }

    #[test]
    fn use_in_a_brace_group_is_caught() {
        let group = "use crate::{geometry::{Chunk, Triangle}, raster::{self, X as M}};";
        caught("src/render/tiling/tile.rs", group, TILING_NAMES_RASTER);
    }

    #[test]
    fn inline_path_is_caught() {
        let inline = "fn f() -> u32 { let x = crate::raster::cycles(); x }";
        caught("src/render/tiling/mod.rs", inline, TILING_NAMES_RASTER);
    }

    #[test]
    fn super_super_is_caught() {
        let climb = "use super::super::raster::X;";
        caught("src/render/tiling/tile.rs", climb, TILING_NAMES_RASTER);
    }

    #[test]
    fn super_in_a_brace_group_is_caught() {
        let group = "use super::{raster, TileOrder};";
        caught("src/render/tiling/mod.rs", group, TILING_NAMES_RASTER);
    }

    #[test]
    fn path_in_a_test_module_is_caught() {
        let tests = "#[cfg(test)]\nmod tests { use super::super::super::raster::X; }";
        caught("src/render/tiling/bin.rs", tests, TILING_NAMES_RASTER);
        let tests =
            "#[cfg(test)]\nmod tests { use super::super::tiling::X; }\nuse super::geometry;";
        passes("src/render/tiling/mod.rs", tests);
    }

    #[test]
    fn path_in_a_macro_is_caught() {
        let rules = "macro_rules! m { () => { $crate::raster::X }; }";
        caught("src/render/tiling/mod.rs", rules, TILING_NAMES_RASTER);
    }

    #[test]
    fn later_stage_is_caught() {
        let expected = "stage `tiling` names the later stage `raster`";
        caught(
            "src/render/tiling/bin.rs",
            "use super::super::raster::X;",
            expected,
        );
        caught(
            "src/render/tiling/mod.rs",
            "use crate::{raster::X, Picture};",
            expected,
        );
        passes(
            "src/render/raster/mod.rs",
            "use super::tiling::X; use crate::Picture;",
        );
    }

    #[test]
    fn what_stands_above_the_stages_is_caught() {
        caught(
            "src/render/tiling/lists.rs",
            "use crate::elimination::Signer;",
            "stage `tiling` names `elimination`, which stands above the stages",
        );
        caught(
            "src/render/raster/trace.rs",
            "use super::super::sink::Tracing;",
            "stage `raster` names `sink`, which stands above the stages",
        );
        passes(
            "src/render/elimination/signer.rs",
            "use crate::tiling::TileLists; use super::signature::Shifts;",
        );
    }

    #[test]
    fn kit_that_names_a_game_is_caught() {
        let expected = "stage `kit` names the later stage `games`";
        let game = "use crate::games::match3::DEMO;";
        caught("src/demo/kit/hud.rs", game, expected);
        let formula = "use super::kit::paint::rgb;";
        let expected = "stage `procedural` names the later stage `kit`";
        caught(
            "src/demo/procedural/noise.rs",
            &formula.replace("super", "super::super"),
            expected,
        );
        passes("src/demo/lib.rs", "use games::DEMOS; use self::kit::frame;");
        passes("src/demo/games/rope/mod.rs", "use crate::kit::hud::Hud;");
    }

    #[test]
    fn game_that_names_another_is_caught() {
        let expected = "game `rope` names the game `slope`";
        let neighbour = "use super::slope::terrain;";
        caught("src/demo/games/rope/mod.rs", neighbour, expected);
        let neighbour = "fn f() { super::super::slope::terrain(); }";
        caught("src/demo/games/rope/level.rs", neighbour, expected);
        passes(
            "src/demo/games/rope/level.rs",
            "use super::room; use crate::Demo;",
        );
        passes("src/demo/games/catapult/mod.rs", "use super::climb::land;");
    }

    #[test]
    fn clock_is_caught_outside_the_edges() {
        caught(
            "src/gpu/lib.rs",
            "use std::{fmt, time::{Duration, Instant}};",
            "`gpu` names std::time::Instant",
        );
        caught(
            "src/gpu/lib.rs",
            "fn f() { std::env::var(X); }",
            "`gpu` names std::env",
        );
        passes("src/app/cli/mod.rs", "use std::time::Instant;");
        passes(
            "src/gpu/lib.rs",
            "#[cfg(test)]\nmod tests { use std::time::Instant; }",
        );
    }

    #[test]
    fn missing_header_is_caught() {
        let found = breaches("src/units/lib.rs", "pub struct Cycles;");
        assert_eq!(
            found,
            ["src/units/lib.rs: does not open with a //! header"],
            "no header"
        );
    }

    #[test]
    fn long_file_is_caught_and_tests_do_not_count() {
        let long = "fn f() {}\n".repeat(500);
        caught(
            "src/units/lib.rs",
            &long,
            "has 502 lines without tests, more than 500",
        );
        let tested = format!("#[cfg(test)]\nmod tests {{\n{long}}}");
        passes("src/units/lib.rs", &tested);
    }

    #[test]
    fn unsafe_is_caught_outside_simd() {
        let code = "fn f() { unsafe { g() } }";
        caught("src/render/lib.rs", code, "says `unsafe` outside src/simd");
        caught("tests/cli.rs", code, "says `unsafe` outside src/simd");
        passes("src/simd/avx2.rs", code);
    }

    #[test]
    fn opening_without_a_term_is_caught() {
        let expected = "line 2 opens a sentence with `What`";
        caught("benches/raster.rs", "/// What is drawn.", expected);
    }

    #[test]
    fn words_in_comments_and_literals_are_no_paths() {
        let quiet = r##"
            // use crate::raster::X; unsafe
            /* crate::raster /* unsafe */ super::raster */
            const A: &str = "crate::raster \" unsafe";
            const B: &str = r#"use crate::raster; " unsafe"#;
            const C: char = '"';
            fn f<'a>(x: &'a str) -> char { '\'' }
            pub(crate) struct X;
            pub(in crate::tiling) struct Y;
        "##;
        passes("src/render/tiling/mod.rs", quiet);
    }
}
