//! Traces of memory requests: a file in, plain or gzip-compressed, as lines of text, as words, or as a recorded stream with
//! marks of frames; events out, one at a time, with a progress bar. One reader for all commands that run traces.

mod text;
mod words;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;

use super::console::Console;
use super::failure::{Failure, Outcome};
use azulejo_gpu::cache::{StreamAccess, StreamEvent, StreamHeader};
use azulejo_units::DramCycles;
use text::TraceText;
use words::TraceWords;

/// Magic number of every gzip file (RFC 1952, 2.3.1): the identification and the only compression method there is. No text
/// begins so, and no words: the two low bits of a first word are 0, 1 or, in a stream with marks, 2.
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// Compressed bytes that are read at a time.
const BLOCK: usize = 1 << 16;
/// First bytes that tell text from words.
const HEAD: usize = 64;

/// Format of a trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TraceFormat {
    /// By the first 64 bytes: text where all of them are printable
    #[default]
    Auto,
    /// Lines of `0xADDR READ|WRITE CYCLE`
    Text,
    /// Little-endian words of 32 bits, bare or as `simulate --l2-stream` records them
    Words,
}

/// Event of a trace.
#[derive(Debug, Clone, Copy)]
pub(super) struct TraceEvent {
    /// Access, or mark of a frame.
    pub(super) event: StreamEvent,
    /// The first cycle in which an access is offered to a DRAM; 0 in formats that state none.
    pub(super) cycle: DramCycles,
    /// Header of a recorded stream.
    pub(super) header: Option<StreamHeader>,
}

/// Hands each event of the regular file at `path` to `take`, until one is refused.
///
/// # Errors
/// If the file cannot be read or has something else in it; as `take` says.
pub(super) fn replay(
    path: &Path,
    format: TraceFormat,
    console: Console,
    take: impl FnMut(TraceEvent) -> Outcome,
) -> Outcome {
    let (source, bar) = open(path, console)?;
    let outcome = replay_source(path, format, source, take);
    bar.finish_and_clear();
    outcome
}

fn replay_source(
    path: &Path,
    format: TraceFormat,
    mut source: Box<dyn BufRead>,
    mut take: impl FnMut(TraceEvent) -> Outcome,
) -> Outcome {
    let mut head = Vec::with_capacity(HEAD);
    let read = (&mut source).take(HEAD as u64).read_to_end(&mut head);
    read.map_err(|error| Failure::of_file(path, error))?;
    let is_text = match format {
        TraceFormat::Auto => is_text(&head),
        TraceFormat::Text => true,
        TraceFormat::Words => false,
    };
    let source = io::Cursor::new(head).chain(source);
    if is_text {
        for request in TraceText::new(source) {
            let request = request.map_err(|error| Failure::of_file(path, error))?;
            take(TraceEvent {
                event: StreamEvent::Access(StreamAccess {
                    address: request.address,
                    kind: request.kind,
                    place: None,
                }),
                cycle: request.cycle,
                header: None,
            })?;
        }
        return Ok(());
    }
    let mut words = TraceWords::new(source);
    while let Some(event) = words.next() {
        take(TraceEvent {
            event: event.map_err(|error| Failure::of_file(path, error).hint(FORMATS))?,
            cycle: DramCycles(0),
            header: words.header(),
        })?;
    }
    Ok(())
}

/// Formats that are told apart, beside a file in none of them.
const FORMATS: &str = "traces are lines of text (`0x1F40 READ 120`), words of 32 bits, or streams of `simulate --l2-stream`; also \
    as .gz";

/// Whether a trace that begins so is text: words have other bytes among their first sixteen.
fn is_text(head: &[u8]) -> bool {
    let is_printable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    head.iter().all(is_printable)
}

/// Opens the regular file at `path`, decompressed where it is a gzip file; with the bar of the bytes read so far.
fn open(path: &Path, console: Console) -> Outcome<(Box<dyn BufRead>, ProgressBar)> {
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
    let is_gzip = blocks
        .fill_buf()
        .map_err(unreadable)?
        .starts_with(&GZIP_MAGIC);
    let named_gz = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if named_gz && !is_gzip {
        let problem = "is named .gz but is not a gzip file";
        return Err(Failure::of_file(path, problem).hint("rename it, if it is not compressed"));
    }
    let source: Box<dyn BufRead> = if is_gzip {
        let whole = WholeGzip(MultiGzDecoder::new(blocks));
        Box::new(BufReader::with_capacity(BLOCK, whole))
    } else {
        Box::new(blocks)
    };
    Ok((source, bar))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_words_by_what_cannot_be_printed() {
        for text in [&b"0x1F40 READ 0\n"[..], b"1F40 READ 0", b"\n\n  \t", b""] {
            assert!(is_text(text), "{text:?}");
        }
        for words in [[0x40_u32; 2], [0x1000_0041, 0x2040], [0x5332_4C8E, 1]] {
            let bytes = words.map(u32::to_le_bytes).concat();
            assert!(!is_text(&bytes), "{words:x?}");
        }
        assert!(!is_text("0x0 READ 0 \u{e9}".as_bytes()), "ASCII alone");
    }
}
