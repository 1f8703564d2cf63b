//! The lines of an OBJ and of its material libraries, taken apart by `tobj`; errors say at which line it stopped.

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

/// Names of libraries that are looked for.
pub(super) const MOST_LIBRARIES: usize = 1000;

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
    let text = plain(bytes);
    check_numbers(&text)?;
    let n_lines = Cell::new(0);
    let mut reader = Counting {
        rest: text.as_bytes(),
        n_lines: &n_lines,
    };
    let options = tobj::LoadOptions {
        single_index: true,
        triangulate: false,
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
    // Libraries never fail: they give warnings.
    let materials = materials.unwrap_or_default();
    let mut warnings = libraries.warnings.into_inner();
    if warnings.is_empty() {
        warnings.extend(unknown(&text, &materials));
    }
    Ok(Parsed {
        models,
        materials,
        warnings,
    })
}

/// Where a line went on: white space, and the end of a line for who counts them.
const WENT_ON: char = '\x0b';

/// The text as `tobj` knows it: lines in one piece that end in a backslash, no space before their first word, nor tabs behind it. Letters
/// that are none of UTF-8, as comments may have, become replacement characters.
pub(super) fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let whole = line.strip_suffix('\n');
        let line = whole.unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line).trim_start();
        let before = line.strip_suffix('\\').filter(|_| whole.is_some());
        plain.extend(
            before
                .unwrap_or(line)
                .chars()
                .map(|c| if c == '\t' { ' ' } else { c }),
        );
        match (before, whole) {
            (Some(_), _) => plain.extend([' ', WENT_ON]),
            (None, Some(_)) => plain.push('\n'),
            (None, None) => {}
        }
    }
    plain
}

/// The files that a statement may mean: one whose name has spaces, or several.
pub(super) fn libraries(names: &str) -> Vec<&str> {
    let several = names.split_whitespace().filter(|name| *name != names);
    std::iter::once(names).chain(several).collect()
}

/// A warning that names the materials that no library gives.
fn unknown(text: &str, materials: &[tobj::Material]) -> Option<String> {
    const SHOWN: usize = 3;
    let known: BTreeSet<_> = materials.iter().map(|known| known.name.as_str()).collect();
    let used = text.lines().filter_map(|line| line.strip_prefix("usemtl "));
    let unknown: BTreeSet<_> = used
        .map(str::trim)
        .filter(|name| !known.contains(name))
        .collect();
    let shown: Vec<_> = unknown
        .iter()
        .take(SHOWN)
        .map(|name| format!("'{}'", short(name)))
        .collect();
    let more = match unknown.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    (!unknown.is_empty())
        .then(|| format!("no library gives the material {}{more}", shown.join(", ")))
}

/// A name as messages show it.
fn short(name: &str) -> String {
    let start: String = name.chars().take(80).collect();
    start.escape_debug().to_string()
}

/// Refuses faces whose numbers are of vertices that there cannot be: `tobj` computes with them before it looks.
fn check_numbers(text: &str) -> Result<(), LoadError> {
    let most = i64::try_from(text.len()).unwrap_or(i64::MAX);
    let (mut n_lines, mut counts) = (0, [0_i64; 3]);
    for line in text.split('\n') {
        n_lines += 1 + line.matches(WENT_ON).count();
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
    /// The materials of what one statement names: of a file whose name has spaces or, where there is none, of several; none, and
    /// warnings, of those that cannot be read.
    fn read(&self, names: &str) -> tobj::MTLLoadResult {
        let mut all = (Vec::new(), Names::default());
        let files = libraries(names);
        let whole = self.parse(names);
        match whole {
            Err(Unread::NotThere(_)) if files.len() > 1 => {
                for name in &files[1..] {
                    self.add(name, self.parse(name), &mut all);
                }
            }
            whole => self.add(names, whole, &mut all),
        }
        Ok(all)
    }

    fn add(&self, name: &str, read: Result<Library, Unread>, all: &mut Library) {
        match read {
            Ok((materials, names)) => {
                let first = all.0.len();
                all.0.extend(materials);
                all.1
                    .extend(names.into_iter().map(|(name, at)| (name, first + at)));
            }
            Err(Unread::NotThere(problem) | Unread::Invalid(problem)) => {
                let warning = format!("material library '{}': {problem}", short(name));
                self.warnings.borrow_mut().push(warning);
            }
        }
    }

    fn parse(&self, name: &str) -> Result<Library, Unread> {
        // A file may name a library as often as it has lines.
        let mut known = self.known.borrow_mut();
        if known.len() > MOST_LIBRARIES || !known.insert(name.to_owned()) {
            return Ok(Library::default());
        }
        if known.len() > MOST_LIBRARIES {
            let problem =
                format!("it and what follows is left out: at most {MOST_LIBRARIES} are read");
            return Err(Unread::Invalid(problem));
        }
        drop(known);
        let invalid = Unread::Invalid;
        let bytes =
            (self.resolve)(&name.replace('\\', "/")).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Unread::NotThere(error.to_string()),
                _ => invalid(error.to_string()),
            })?;
        let left = self.left.get().checked_sub(bytes.len() as u64);
        let left = left.ok_or_else(|| invalid("too large, with all others".to_owned()))?;
        within(&bytes, |word| word == b"newmtl", self.memory_limit).map_err(invalid)?;
        self.left.set(left);
        let text = with_whole_colors(&plain(&bytes));
        tobj::load_mtl_buf(&mut text.as_bytes()).map_err(|error| invalid(error.to_string()))
    }
}

/// Materials, and their numbers by name.
type Library = (Vec<tobj::Material>, Names);

/// Why a library gives no materials.
enum Unread {
    NotThere(String),
    Invalid(String),
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
        let is_end = |byte: &&u8| [b'\n', WENT_ON as u8].contains(*byte);
        let ends = taken.iter().filter(is_end).count();
        let unended = !taken.is_empty() && rest.is_empty() && !taken.ends_with(b"\n");
        self.n_lines
            .set(self.n_lines.get() + ends + usize::from(unended));
        self.rest = rest;
    }
}
