//! Opens a trace of memory requests: a plain or gzip-compressed file in, its decompressed bytes out as a stream, with a
//! progress bar.

mod text;
mod words;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;

use super::console::Console;
use super::failure::{Failure, Outcome};

pub(super) use text::TraceText;
pub(super) use words::TraceWords;

/// Magic number of every gzip file (RFC 1952, 2.3.1): the identification and the only compression method there is.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// Compressed bytes that are read at a time.
const BLOCK: usize = 1 << 16;

/// Trace that is being read.
pub(super) struct TraceInput {
    /// Bytes of the trace, decompressed.
    pub(super) source: Box<dyn BufRead>,
    /// Bar of the bytes read so far; nothing unless on a terminal.
    pub(super) bar: ProgressBar,
}

/// Test that tells a compressed trace from a plain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    /// By the name or the first bytes: for text, which never starts like gzip.
    ByNameOrContent,
    /// By the name alone, `*.gz`: for words, which may start like anything.
    ByName,
}

/// Opens the regular file at `path`, decompressed where it is a gzip file.
pub(super) fn open(path: &Path, compression: Compression, console: Console) -> Outcome<TraceInput> {
    let unreadable = |error: io::Error| Failure::of_file(path, format!("cannot read it: {error}"));
    // Before it is opened: a pipe without a writer would not open, and a device may never end.
    let kind = std::fs::metadata(path).map_err(unreadable)?;
    if !kind.is_file() {
        let what = if kind.is_dir() {
            "a directory"
        } else {
            "no regular file"
        };
        let problem = format!("is {what}; expected a trace file");
        return Err(Failure::of_file(path, problem));
    }
    let file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let bar = console.reading(length, "reading");
    let mut blocks = BufReader::with_capacity(BLOCK, bar.wrap_read(file));
    let starts_as_gzip = blocks
        .fill_buf()
        .map_err(unreadable)?
        .starts_with(&GZIP_MAGIC);
    let named_gz = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if named_gz && !starts_as_gzip {
        let problem = "is named .gz but is not a gzip file";
        return Err(Failure::of_file(path, problem).hint("rename it, if it is not compressed"));
    }
    let compressed = named_gz || (starts_as_gzip && compression == Compression::ByNameOrContent);
    let source: Box<dyn BufRead> = if compressed {
        let whole = WholeGzip(MultiGzDecoder::new(blocks));
        Box::new(BufReader::with_capacity(BLOCK, whole))
    } else {
        Box::new(blocks)
    };
    Ok(TraceInput { source, bar })
}

/// Reader that turns decompression errors into their meaning for the file.
struct WholeGzip<R>(R);

impl<R: Read> Read for WholeGzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            let problem = match error.kind() {
                io::ErrorKind::UnexpectedEof => "the gzip data end too early: the file is cut",
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                    "the gzip data are damaged"
                }
                _ => return error,
            };
            io::Error::new(error.kind(), problem)
        })
    }
}
