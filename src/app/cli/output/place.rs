//! Identity of a file, however its name is written: a path without symbolic links, and the file's own number where it
//! exists.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Symbolic links that are followed, as many as Linux does.
const MAX_LINKS: usize = 40;

/// Kind of file that a name leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// No file as yet.
    Missing,
    /// A regular file, which a new one replaces.
    Regular,
    /// A folder, which no file replaces.
    Directory,
    /// A pipe with a name.
    Pipe,
    /// A character device such as `/dev/null`.
    Device,
    /// Any other kind, such as a socket.
    Other,
}

/// Identity of a file, by path and by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Path from the root, without symbolic links; the file itself need not exist, nor its folder.
    pub(super) path: PathBuf,
    /// Kind of file at the path.
    pub(super) kind: Kind,
    /// Device and number of the file: names that are hard links of each other have it in common.
    id: Option<(u64, u64)>,
}

impl Place {
    /// Resolves `name`. The last part's symbolic link is followed too, as what is written goes to its target.
    ///
    /// # Errors
    /// Those of the system: links in a circle, names too long, folders that may not be looked into.
    pub(super) fn of(name: &Path) -> io::Result<Self> {
        let path = resolved(&followed(name)?)?;
        let (kind, id) = match fs::metadata(&path) {
            Ok(metadata) => (kind(&metadata), identity(&metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Kind::Missing, None),
            Err(error) => return Err(error),
        };
        Ok(Self { path, kind, id })
    }

    /// Whether both are one file.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.path == other.path || (self.id.is_some() && self.id == other.id)
    }
}

/// Follows symbolic links of the last part.
fn followed(name: &Path) -> io::Result<PathBuf> {
    let mut name = name.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&name) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = fs::read_link(&name)?;
                name = name.parent().unwrap_or(Path::new("")).join(target);
            }
            _ => return Ok(name),
        }
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// Resolves the links of folders as far as these exist; the rest stays as it is written.
fn resolved(name: &Path) -> io::Result<PathBuf> {
    let whole = std::path::absolute(name)?;
    let mut existing = whole.as_path();
    let mut path = loop {
        // The last part may be a device that has no path, so only folders are resolved.
        let Some(parent) = existing.parent() else {
            break existing.to_owned();
        };
        existing = parent;
        match fs::canonicalize(existing) {
            Ok(path) => break path,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    };
    let rest = whole.strip_prefix(existing).unwrap_or(Path::new(""));
    for part in rest.components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    Ok(path)
}

fn kind(metadata: &fs::Metadata) -> Kind {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let file_type = metadata.file_type();
        if file_type.is_fifo() {
            return Kind::Pipe;
        }
        if file_type.is_char_device() {
            return Kind::Device;
        }
    }
    if metadata.is_file() {
        Kind::Regular
    } else if metadata.is_dir() {
        Kind::Directory
    } else {
        Kind::Other
    }
}

/// No number on other systems than Unix: the path alone must do.
#[cfg(not(unix))]
fn identity(_metadata: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}
