//! Material libraries on their way in: each once, all together of bounded size.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::faults::{Faults, Problem};
use super::lines::{Statement, short, statements, text, without_comment};
use super::mtl::{Material, materials};
use crate::gltf::Resolve;

/// Bytes that are decoded for each of a file or of its libraries, at most: a memory limit allows texts of that share.
pub(super) const GROWTH: u64 = 32;

/// Names of libraries that are looked for.
pub(super) const MOST_LIBRARIES: usize = 1000;

/// Bound on what a material takes beside its texts.
const BYTES_EACH: u64 = 1 << 10;

/// The files that a statement may mean: one whose name has spaces, or several.
pub(super) fn files(names: &str) -> Vec<&str> {
    let several = names.split_whitespace().filter(|name| *name != names);
    std::iter::once(names).chain(several).collect()
}

/// A warning that names the materials that no library gives.
pub(super) fn unknown(names: &BTreeSet<&str>) -> Option<String> {
    const SHOWN: usize = 3;
    let shown = names.iter().take(SHOWN);
    let shown: Vec<_> = shown.map(|name| format!("'{}'", short(name))).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    (!names.is_empty()).then(|| format!("no library gives the material {}{more}", shown.join(", ")))
}

/// Libraries that have been read.
pub(super) struct Libraries<'a> {
    resolve: &'a Resolve<'a>,
    memory_limit: u64,
    left: u64,
    known: BTreeSet<String>,
    pub(super) materials: Vec<Material>,
    /// Numbers of materials by name, comment included, and by name without it.
    by_name: BTreeMap<String, usize>,
    by_short_name: BTreeMap<String, usize>,
    /// Why libraries could not be read.
    pub(super) problems: Vec<String>,
}

impl<'a> Libraries<'a> {
    /// None yet; all that come may take `memory_limit` bytes.
    pub(super) fn new(resolve: &'a Resolve<'a>, memory_limit: u64) -> Self {
        Self {
            resolve,
            memory_limit,
            left: memory_limit / GROWTH,
            known: BTreeSet::new(),
            materials: Vec::new(),
            by_name: BTreeMap::new(),
            by_short_name: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// The number of the material of a name, behind which a comment may stand.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        let short = without_comment(name);
        let number = self.by_name.get(name).or_else(|| self.by_name.get(short));
        number.or_else(|| self.by_short_name.get(short)).copied()
    }

    /// Reads what one statement names: a file whose name has spaces or, where there is none, several. Files that cannot be read become
    /// problems, as statements of theirs become faults.
    pub(super) fn read(
        &mut self,
        statement: &Statement<'_>,
        faults: &mut Faults,
    ) -> Result<(), Problem> {
        let names = statement.file();
        if names.is_empty() {
            return Err("expected `mtllib` and the name of a file".into());
        }
        let files = files(names);
        match self.file(names, faults) {
            Err(Unread::NotThere(_)) if files.len() > 1 => {
                for name in &files[1..] {
                    let read = self.file(name, faults);
                    self.note(name, read);
                }
            }
            read => self.note(names, read),
        }
        Ok(())
    }

    fn note(&mut self, name: &str, read: Result<(), Unread>) {
        if let Err(Unread::NotThere(problem) | Unread::Invalid(problem)) = read {
            self.problems.push(format!("{}: {problem}", called(name)));
        }
    }

    fn file(&mut self, name: &str, faults: &mut Faults) -> Result<(), Unread> {
        // A file may name a library as often as it has lines.
        if self.known.len() > MOST_LIBRARIES || !self.known.insert(name.to_owned()) {
            return Ok(());
        }
        if self.known.len() > MOST_LIBRARIES {
            let problem =
                format!("it and what follows is left out: at most {MOST_LIBRARIES} are read");
            return Err(Unread::Invalid(problem));
        }
        let bytes =
            (self.resolve)(&name.replace('\\', "/")).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Unread::NotThere(error.to_string()),
                _ => Unread::Invalid(error.to_string()),
            })?;
        let left = self.left.checked_sub(bytes.len() as u64);
        let left = left.ok_or_else(|| Unread::Invalid("too large, with all others".to_owned()))?;
        let text = text(&bytes);
        self.check_memory(&text).map_err(Unread::Invalid)?;
        self.left = left;
        let called = called(name);
        for material in materials(&text, |line, problem| faults.add(&called, line, &problem)) {
            let number = self.materials.len();
            let short = without_comment(&material.name);
            if short != material.name {
                self.by_short_name.insert(short.to_owned(), number);
            }
            self.by_name.insert(material.name.clone(), number);
            self.materials.push(material);
        }
        Ok(())
    }

    /// Whether memory suffices for the materials of a library.
    fn check_memory(&self, text: &str) -> Result<(), String> {
        let n = statements(text).filter(|statement| statement.word == "newmtl");
        let (n, most) = (n.count(), self.memory_limit / BYTES_EACH);
        match n as u64 > most {
            true => Err(format!(
                "{n} of its lines begin a material; expected at most {most}"
            )),
            false => Ok(()),
        }
    }
}

/// Why a library gives no materials.
enum Unread {
    NotThere(String),
    Invalid(String),
}

/// Name of a library in messages.
fn called(name: &str) -> String {
    format!("material library '{}'", short(name))
}
