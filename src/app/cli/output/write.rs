//! Writing one file: to a temporary one in the same folder, which then takes its name; so the name holds the old content or
//! the whole new one at any time. An output that is no regular file (a pipe, a device, standard output) is written as it comes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

use super::infix::with_infix;
use super::place::{Kind, Place};
use crate::cli::interrupt::{all_in_place, temporaries};

/// Bytes that are written at a time.
const BLOCK: usize = 1 << 16;
/// Most partial results of one name.
const MAX_PARTIAL: u32 = 1000;
/// Time that a pipe without a reader is waited for.
const READER_PATIENCE: Duration = Duration::from_secs(5);

/// File that is being written.
#[derive(Debug)]
pub(in crate::cli) enum Growing {
    /// Temporary file beside the place, which gets its name at the end.
    Beside(Temporary),
    /// Stream that is written as it comes.
    Direct(BufWriter<Stream>),
}

/// Stream that has no content to keep.
#[derive(Debug)]
pub(in crate::cli) enum Stream {
    /// Standard output of this process.
    Standard(io::Stdout),
    /// A pipe or a device.
    Open(File),
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Open(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Open(file) => file.flush(),
        }
    }
}

impl Growing {
    /// Begins a file that goes to standard output.
    pub(super) fn standard() -> Self {
        Self::Direct(BufWriter::with_capacity(
            BLOCK,
            Stream::Standard(io::stdout()),
        ))
    }

    /// Begins the file at `place`, whose folder is made if need be.
    ///
    /// # Errors
    /// Those of the system.
    pub(super) fn begin(place: &Place) -> io::Result<Self> {
        match place.kind {
            Kind::Missing | Kind::Regular => Temporary::beside(&place.path).map(Self::Beside),
            Kind::Pipe => Ok(Self::direct(open_pipe(&place.path)?)),
            Kind::Device => {
                let device = OpenOptions::new().write(true).open(&place.path)?;
                Ok(Self::direct(device))
            }
            Kind::Directory | Kind::Other => Err(io::Error::other("it cannot be written")),
        }
    }

    fn direct(file: File) -> Self {
        Self::Direct(BufWriter::with_capacity(BLOCK, Stream::Open(file)))
    }

    /// Gives the file its name, as all is written. `is_last` is asked with that name as soon as the file has it: whether
    /// the run has now written all its files.
    ///
    /// # Errors
    /// Those of the system; the old content is then still there.
    pub(super) fn finish(self, is_last: impl FnOnce(&Path) -> bool) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.take_name(is_last),
            Self::Direct(mut stream) => stream.flush(),
        }
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file) => file.to.write(bytes),
            Self::Direct(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.to.flush(),
            Self::Direct(stream) => stream.flush(),
        }
    }
}

/// Temporary file in the folder of the one that it will be. It goes when it is dropped, and when the program is
/// interrupted.
#[derive(Debug)]
pub(in crate::cli) struct Temporary {
    to: BufWriter<File>,
    /// Handle of the file, taken away only where the name changes.
    file: Option<NamedTempFile>,
    name: PathBuf,
}

impl Temporary {
    fn beside(name: &Path) -> io::Result<Self> {
        let folder = name.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(folder)?;
        let mut files = temporaries();
        let file = builder().tempfile_in(folder)?;
        files.insert(file.path().to_owned());
        drop(files);
        let to = file.reopen()?;
        Ok(Self {
            to: BufWriter::with_capacity(BLOCK, to),
            file: Some(file),
            name: name.to_owned(),
        })
    }

    fn take_name(mut self, is_last: impl FnOnce(&Path) -> bool) -> io::Result<()> {
        self.to.flush()?;
        if let Ok(old) = fs::metadata(&self.name) {
            self.to.get_ref().set_permissions(old.permissions())?;
            // Else a crash of the system could leave neither the old content nor the new. A name that is new has nothing to
            // lose, and a busy disk is not waited for.
            self.to.get_ref().sync_all()?;
        }
        let name = self.name.clone();
        let rename = |file: NamedTempFile| file.persist(&name).map_err(|refused| refused.error);
        self.renamed(rename, || is_last(&name))
    }

    /// Takes the first free of `f.partial.x`, `f.partial-2.x` and on instead, where `file` is `f.x`; returns that name.
    /// Nothing is replaced, so that the disk is not waited for: an interrupt asks for a quick end.
    ///
    /// # Errors
    /// Those of the system, or that none is free.
    pub(in crate::cli) fn finish_partial(mut self, file: &Path) -> io::Result<PathBuf> {
        self.to.flush()?;
        let infixes = (1..=MAX_PARTIAL).map(|number| match number {
            1 => "partial".to_owned(),
            number => format!("partial-{number}"),
        });
        let is_free = |infix: &String| fs::symlink_metadata(with_infix(&self.name, infix)).is_err();
        let infix = { infixes }.find(is_free);
        let infix =
            infix.ok_or_else(|| io::Error::other("too many partial results of this name"))?;
        let name = with_infix(&self.name, &infix);
        let rename = |file: NamedTempFile| {
            file.persist_noclobber(name)
                .map_err(|refused| refused.error)
        };
        // A run that was cut is not done.
        self.renamed(rename, || false)?;
        Ok(with_infix(file, &infix))
    }

    fn renamed(
        &mut self,
        rename: impl FnOnce(NamedTempFile) -> io::Result<File>,
        is_last: impl FnOnce() -> bool,
    ) -> io::Result<()> {
        let mut files = temporaries();
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        files.remove(file.path());
        rename(file)?;
        if is_last() {
            all_in_place(&files);
        }
        Ok(())
    }

    /// Bytes written so far.
    ///
    /// # Errors
    /// Those of the system, also of earlier writes.
    pub(in crate::cli) fn length(&mut self) -> io::Result<u64> {
        self.to.flush()?;
        self.to.stream_position()
    }

    /// Forgets everything after the first `length` bytes, also what could not be written.
    ///
    /// # Errors
    /// Those of the system.
    pub(in crate::cli) fn cut(&mut self, length: u64) -> io::Result<()> {
        let mut file = self.to.get_ref().try_clone()?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        let unwritten = std::mem::replace(&mut self.to, BufWriter::with_capacity(BLOCK, file));
        // The buffer of the old writer must not follow.
        let _ = unwritten.into_parts();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let mut files = temporaries();
            files.remove(file.path());
            drop(file);
        }
    }
}

/// Builder of new files: they have the permissions that the user's mask leaves, like any other.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".azulejo-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// Whether a file can be made in `folder`, by making one.
///
/// # Errors
/// The reason why none can be made.
pub(super) fn probe(folder: &Path) -> io::Result<()> {
    let mut files = temporaries();
    let file = builder().tempfile_in(folder)?;
    files.insert(file.path().to_owned());
    let path = file.path().to_owned();
    let closed = file.close();
    files.remove(&path);
    closed
}

/// Opens a pipe. That waits for the pipe's reader, for ever if none comes: a thread does it, which is given up in the end.
fn open_pipe(path: &Path) -> io::Result<File> {
    let (sender, receiver) = sync_channel(1);
    let name = path.to_owned();
    let open = move || {
        let opened = OpenOptions::new().write(true).open(name);
        // The receiver is gone where the pipe's reader comes too late.
        let _ = sender.send(opened);
    };
    thread::Builder::new().spawn(open)?;
    let late = |_| io::Error::other("it is a pipe and no program reads from it");
    receiver.recv_timeout(READER_PATIENCE).map_err(late)?
}
