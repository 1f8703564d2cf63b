//! The lines of an OBJ and of its material libraries, taken apart by `tobj`; errors say at which line it stopped.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::{self, BufRead, Read};

use crate::scene::gltf::{LoadError, Resolve};

/// What the files say, and what was left out of them.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) models: Vec<tobj::Model>,
    pub(super) materials: Vec<tobj::Material>,
    pub(super) warnings: Vec<String>,
}

/// Of a file's memory limit, what it and its libraries may have in bytes: what is decoded takes at most so many times as many.
pub(super) const GROWTH: u64 = 32;

/// What `tobj` takes for an object, group or material beside its numbers: measured, up to some 800 bytes.
const BYTES_EACH: u64 = 1 << 10;

/// Reads an OBJ; what it says may take `memory_limit` bytes.
pub(super) fn read(
    bytes: &[u8],
    resolve: &Resolve<'_>,
    memory_limit: u64,
) -> Result<Parsed, LoadError> {
    let begins_model = |word: &[u8]| matches!(word, b"o" | b"g" | b"usemtl");
    within(bytes, begins_model, memory_limit).map_err(|problem| LoadError::Invalid {
        element: "OBJ file".to_owned(),
        problem,
    })?;
    let n_lines = Cell::new(0);
    let bytes = joined(bytes);
    check_numbers(&String::from_utf8_lossy(&bytes))?;
    let mut reader = Counting {
        rest: &bytes,
        n_lines: &n_lines,
    };
    let options = tobj::LoadOptions {
        single_index: true,
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
    };
    let libraries = Libraries {
        resolve,
        memory_limit,
        left: Cell::new(memory_limit / GROWTH),
        known: RefCell::default(),
        warnings: RefCell::default(),
    };
    let read = tobj::load_obj_buf(&mut reader, &options, |name| {
        libraries.read(&name.to_string_lossy())
    });
    let (models, materials) = read.map_err(|error| LoadError::Invalid {
        element: format!("OBJ file, line {}", n_lines.get().max(1)),
        problem: explained(error),
    })?;
    Ok(Parsed {
        models,
        // Libraries never fail: they give warnings.
        materials: materials.unwrap_or_default(),
        warnings: libraries.warnings.into_inner(),
    })
}

/// Where a line went on: white space, and the end of a line for who counts them.
const WENT_ON: u8 = b'\x0b';

/// The text with lines in one piece that end in a backslash, which `tobj` does not know to go on.
fn joined(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes
        .windows(2)
        .any(|pair| matches!(pair, b"\\\n" | b"\\\r"))
    {
        return bytes.into();
    }
    let mut joined = bytes.to_vec();
    for at in 1..joined.len() {
        if joined[at] == b'\n' {
            let (line, _) = joined.split_at_mut(at);
            let line = match line.split_last_mut() {
                Some((b'\r', line)) => line,
                _ => &mut joined[..at],
            };
            if let Some(last @ b'\\') = line.last_mut() {
                *last = b' ';
                joined[at] = WENT_ON;
            }
        }
    }
    joined.into()
}

/// Refuses faces whose numbers are of vertices that there cannot be: `tobj` computes with them before it looks.
fn check_numbers(text: &str) -> Result<(), LoadError> {
    let most = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let (mut n_lines, mut counts) = (0, [0_i64; 3]);
    for line in text.split('\n') {
        n_lines += 1 + line.matches(char::from(WENT_ON)).count();
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => counts[0] += 1,
            Some("vt") => counts[1] += 1,
            Some("vn") => counts[2] += 1,
            Some("f" | "l" | "p") => {
                // Backwards from here where they are negative.
                let is_beyond = |(number, count): (&str, i64)| {
                    let number = number.parse();
                    number.is_ok_and(|number: i64| number < -count || number > most)
                };
                if words.any(|word| word.split('/').zip(counts).any(is_beyond)) {
                    return Err(LoadError::Invalid {
                        element: format!("OBJ file, line {n_lines}"),
                        problem: "it names a vertex that is not there".to_owned(),
                    });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether memory suffices for what the lines of a file begin: those whose first word `begins` something.
fn within(bytes: &[u8], begins: impl Fn(&[u8]) -> bool, memory_limit: u64) -> Result<(), String> {
    let first_word = |line: &&[u8]| {
        let word = line
            .trim_ascii_start()
            .split(u8::is_ascii_whitespace)
            .next();
        word.is_some_and(&begins)
    };
    let n = bytes
        .split(|byte| *byte == b'\n')
        .filter(first_word)
        .count();
    let most = memory_limit / BYTES_EACH;
    if n as u64 > most {
        return Err(format!(
            "{n} of its lines begin an object, group or material; expected at most {most}"
        ));
    }
    Ok(())
}

/// What was found, and what was expected.
fn explained(error: tobj::LoadError) -> String {
    use tobj::LoadError::{
        FaceColorOutOfBounds, FaceNormalOutOfBounds, FaceParseError, FaceTexCoordOutOfBounds,
        FaceVertexOutOfBounds, NormalParseError, PositionParseError, ReadError, TexcoordParseError,
    };
    let expected = match error {
        PositionParseError => "expected `v X Y Z` with numbers",
        NormalParseError => "expected `vn X Y Z` with numbers",
        TexcoordParseError => "expected `vt U V` with numbers",
        FaceParseError => "expected `f` and vertices such as 1, 1/2 or 1/2/3, numbered from 1",
        FaceVertexOutOfBounds
        | FaceTexCoordOutOfBounds
        | FaceNormalOutOfBounds
        | FaceColorOutOfBounds => {
            "a face of the object that ends here names what no line before it gives"
        }
        ReadError => "expected text in UTF-8",
        _ => "expected a line of the OBJ format",
    };
    format!("{error}: {expected}")
}

/// Material libraries on their way in: each once, all together of bounded size.
struct Libraries<'a> {
    resolve: &'a Resolve<'a>,
    memory_limit: u64,
    left: Cell<u64>,
    known: RefCell<BTreeSet<String>>,
    warnings: RefCell<Vec<String>>,
}

impl Libraries<'_> {
    /// The materials of a library; none, and a warning, where it cannot be read.
    fn read(&self, name: &str) -> tobj::MTLLoadResult {
        // A file may name a library as often as it has lines.
        if !self.known.borrow_mut().insert(name.to_owned()) {
            return Ok((Vec::new(), Default::default()));
        }
        self.parse(name).or_else(|problem| {
            let shown: String = name.chars().take(80).collect();
            let warning = format!("material library '{}': {problem}", shown.escape_debug());
            self.warnings.borrow_mut().push(warning);
            Ok((Vec::new(), Default::default()))
        })
    }

    fn parse(&self, name: &str) -> Result<(Vec<tobj::Material>, Names), String> {
        let bytes = (self.resolve)(&name.replace('\\', "/")).map_err(|error| error.to_string())?;
        let left = self.left.get().checked_sub(bytes.len() as u64);
        let left = left.ok_or("too large, with all others")?;
        within(&bytes, |word| word == b"newmtl", self.memory_limit)?;
        self.left.set(left);
        let text = std::str::from_utf8(&bytes).map_err(|_| "expected text in UTF-8")?;
        let text = with_whole_colors(text);
        tobj::load_mtl_buf(&mut text.as_bytes()).map_err(|error| error.to_string())
    }
}

/// A library whose colours have three parts each. A file may leave out the last two, which are then as the first one; `tobj` panics there.
fn with_whole_colors(library: &str) -> String {
    let mut whole = String::with_capacity(library.len());
    for line in library.split('\n') {
        whole.push_str(line.trim_end());
        let mut words = line.split_whitespace();
        if let Some("Ka" | "Kd" | "Ks" | "Ke") = words.next() {
            let n_parts = words.clone().count();
            for _ in n_parts..3 {
                whole.push(' ');
                // Without any the line is wrong, and stays so.
                whole.push_str(words.clone().last().unwrap_or("?"));
            }
        }
        whole.push('\n');
    }
    whole
}

/// Numbers of materials by name, as `tobj` keeps them.
type Names = std::collections::HashMap<String, usize>;

/// Counts the lines that have been taken.
struct Counting<'a> {
    rest: &'a [u8],
    n_lines: &'a Cell<usize>,
}

impl Read for Counting<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.rest.len().min(into.len());
        into[..n].copy_from_slice(&self.rest[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Counting<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.rest)
    }

    fn consume(&mut self, n: usize) {
        let (taken, rest) = self.rest.split_at(n.min(self.rest.len()));
        let is_end = |byte: &&u8| matches!(**byte, b'\n' | WENT_ON);
        let ends = taken.iter().filter(is_end).count();
        let unended = !taken.is_empty() && rest.is_empty() && !taken.ends_with(b"\n");
        self.n_lines
            .set(self.n_lines.get() + ends + usize::from(unended));
        self.rest = rest;
    }
}
