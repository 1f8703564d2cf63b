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

/// Reads an OBJ; its material libraries may have `most` bytes together.
pub(super) fn read(bytes: &[u8], resolve: &Resolve<'_>, most: u64) -> Result<Parsed, LoadError> {
    let n_lines = Cell::new(0);
    let mut reader = Counting {
        rest: bytes,
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
        left: Cell::new(most),
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
        self.left.set(left);
        tobj::load_mtl_buf(&mut bytes.as_slice()).map_err(|error| error.to_string())
    }
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
        let ends = taken.iter().filter(|byte| **byte == b'\n').count();
        let unended = !taken.is_empty() && rest.is_empty() && !taken.ends_with(b"\n");
        self.n_lines
            .set(self.n_lines.get() + ends + usize::from(unended));
        self.rest = rest;
    }
}
