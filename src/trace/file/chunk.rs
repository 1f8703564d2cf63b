//! Chunks: a kind, a checked length, a checksum and a compressed payload.

use std::io::{self, Read, Write};

use super::wire::{Encoder, Malformed};
use crate::InvalidTrace;

/// Why a trace file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TraceFileError {
    /// The operating system says so.
    #[error("cannot read the trace: {0}")]
    Io(#[from] io::Error),
    /// The first bytes are not those of a trace.
    #[error("not an azulejo trace: the file does not begin with 'azulejo\\0'")]
    NotATrace,
    /// Written by a newer program.
    #[error(
        "trace format {found}, but this program reads format {expected}: capture the scene again"
    )]
    Version {
        /// Version of the format that the file says it has.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// The file ends before its end mark.
    #[error(
        "the trace ends inside chunk {chunk} (byte {offset}): the file was cut; its first {frames} frames are whole"
    )]
    Cut {
        /// Whole frames before, which the reader has given out.
        frames: u64,
        /// Number of chunks read before.
        chunk: u64,
        /// Offset of the chunk, in bytes.
        offset: u64,
    },
    /// Bytes are not those that were written.
    #[error("chunk {chunk} (byte {offset}) is damaged: {problem}")]
    Damaged {
        /// Number of chunks read before.
        chunk: u64,
        /// Offset of the chunk, in bytes.
        offset: u64,
        /// Contradiction that was found in it.
        problem: String,
    },
    /// The file goes on behind its end mark, and not with another trace.
    #[error(
        "bytes behind the end of the trace (byte {offset}): expected the end of the file, or another trace"
    )]
    Behind {
        /// Offset of the first such byte.
        offset: u64,
    },
    /// The checksums hold but the content contradicts itself.
    #[error("the trace's frame {frame} (counted from 0), {source}")]
    Invalid {
        /// Number of frames read before.
        frame: u64,
        /// Part at fault, found value and expected one.
        source: InvalidTrace,
    },
    /// Few bytes stand for too much.
    #[error(
        "chunk {chunk} (byte {offset}): {what} would take more memory than the file's size justifies; expected at most \
         {ALLOWANCE_MIB} MiB, and {ALLOWANCE_RATIO} bytes for each byte of the frame in the file"
    )]
    TooLarge {
        /// Number of chunks read before.
        chunk: u64,
        /// Offset of the chunk, in bytes.
        offset: u64,
        /// Part that was being read.
        what: &'static str,
    },
}

/// Memory that any frame may take, in MiB.
pub(super) const ALLOWANCE_MIB: u64 = 512;

/// Bytes of memory that a frame may take beside that for each of its bytes in the file. Compressed runs of equal numbers
/// take the most.
pub(super) const ALLOWANCE_RATIO: u64 = 256;

/// Content of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Frame,
    Behind,
    Resources,
    Programs,
    /// In place of programs where some branch.
    Branching,
    Paths,
    Draw,
    /// Behind the draws of a pass that is not of the usual kind.
    Pass,
    Tiles,
    /// In place of tiles, where a pass computes.
    Dispatches,
    Done,
}

impl Kind {
    const ALL: [(Self, [u8; 4]); 11] = [
        (Self::Frame, *b"FRAM"),
        (Self::Behind, *b"BHND"),
        (Self::Resources, *b"RSRC"),
        (Self::Programs, *b"PROG"),
        (Self::Branching, *b"BRCH"),
        (Self::Paths, *b"PATH"),
        (Self::Draw, *b"DRAW"),
        (Self::Pass, *b"PASS"),
        (Self::Tiles, *b"TILE"),
        (Self::Dispatches, *b"DISP"),
        (Self::Done, *b"DONE"),
    ];

    fn code(self) -> [u8; 4] {
        Self::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or(*b"????", |(_, code)| *code)
    }

    /// Largest payload before compression, in bytes: a megabyte in the file can stand for 255, which take seconds to
    /// unpack.
    pub(super) const fn max_raw(self) -> u32 {
        match self {
            Self::Paths | Self::Draw | Self::Tiles | Self::Dispatches => MAX_RAW,
            Self::Frame | Self::Behind | Self::Resources | Self::Done => MAX_RAW_LISTS,
            Self::Programs | Self::Branching | Self::Pass => MAX_RAW_LISTS,
        }
    }

    fn of(code: [u8; 4]) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == code)
            .map(|(kind, _)| *kind)
    }
}

/// Largest payload before compression. A draw of four million triangles needs some 30 MB.
pub(super) const MAX_RAW: u32 = 1 << 28;

/// Largest payload of other kinds. A million textures need less.
const MAX_RAW_LISTS: u32 = 1 << 24;

/// LZ4 cannot shrink by more than this.
const MAX_RATIO: u64 = 255;

pub(super) fn write(to: &mut impl Write, kind: Kind, payload: &Encoder) -> io::Result<()> {
    let raw = u32::try_from(payload.bytes.len())
        .ok()
        .filter(|&raw| raw <= kind.max_raw());
    let raw = raw.ok_or_else(|| {
        let problem = format!(
            "{kind:?} too large for a trace: more than {} bytes",
            kind.max_raw()
        );
        io::Error::other(problem)
    })?;
    let stored = lz4_flex::block::compress(&payload.bytes);
    let mut header = [0; 16];
    header[..4].copy_from_slice(&kind.code());
    header[4..8].copy_from_slice(&raw.to_le_bytes());
    // At most raw + raw / 255 + 16, which fits.
    header[8..12].copy_from_slice(&(stored.len() as u32).to_le_bytes());
    let sum = checksum(&header[..12], &stored);
    header[12..].copy_from_slice(&sum.to_le_bytes());
    to.write_all(&header)?;
    to.write_all(&stored)
}

fn checksum(header: &[u8], stored: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(stored);
    hasher.finalize()
}

/// The next `n` bytes, or those that there are.
pub(super) fn up_to(from: &mut impl Read, n: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(n).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A chunk as it was before compression.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
    /// Bytes in the file.
    pub(super) stored: u64,
}

/// Reads chunks and keeps its position, for messages.
#[derive(Debug)]
pub(super) struct ChunkReader<R> {
    from: R,
    /// Frames read before, for messages.
    pub(super) n_frames: u64,
    chunk: u64,
    /// Offset of the current chunk, in bytes.
    offset: u64,
    /// Offset of the next one, in bytes.
    next: u64,
}

impl<R: Read> ChunkReader<R> {
    /// `position` is the number of bytes already taken from `from`.
    pub(super) fn new(from: R, position: u64) -> Self {
        Self {
            from,
            n_frames: 0,
            chunk: 0,
            offset: position,
            next: position,
        }
    }

    pub(super) fn damaged(&self, problem: impl Into<String>) -> TraceFileError {
        TraceFileError::Damaged {
            chunk: self.chunk.saturating_sub(1),
            offset: self.offset,
            problem: problem.into(),
        }
    }

    pub(super) fn malformed(&self, malformed: Malformed) -> TraceFileError {
        match malformed {
            Malformed::Content(what) => self.damaged(format!("{what} does not decode")),
            Malformed::Memory(what) => TraceFileError::TooLarge {
                chunk: self.chunk.saturating_sub(1),
                offset: self.offset,
                what,
            },
        }
    }

    fn cut_or_io(&self, error: io::Error) -> TraceFileError {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return TraceFileError::Cut {
                frames: self.n_frames,
                chunk: self.chunk.saturating_sub(1),
                offset: self.offset,
            };
        }
        error.into()
    }

    /// Bytes that are no chunk, `n` at most, and where they begin; none at the end of the file.
    pub(super) fn skip(&mut self, n: u64) -> Result<(u64, Vec<u8>), TraceFileError> {
        let bytes = up_to(&mut self.from, n)?;
        let begin = self.next;
        self.next += bytes.len() as u64;
        Ok((begin, bytes))
    }

    /// The next chunk, decompressed.
    pub(super) fn next(&mut self) -> Result<Chunk, TraceFileError> {
        self.offset = self.next;
        self.chunk += 1;
        let mut header = [0; 16];
        self.from
            .read_exact(&mut header)
            .map_err(|error| self.cut_or_io(error))?;
        let word = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let (raw, stored, sum) = (word(4), word(8), word(12));
        let possible = u64::from(stored) * MAX_RATIO + 64;
        let kind = Kind::of([header[0], header[1], header[2], header[3]]);
        let most = kind.map_or(MAX_RAW, Kind::max_raw);
        if raw > most {
            let problem = format!("{raw} bytes in a chunk of its kind; expected at most {most}");
            return Err(self.damaged(problem));
        }
        if u64::from(raw) > possible
            || u64::from(stored) > u64::from(raw) + u64::from(raw) / 128 + 64
        {
            return Err(self.damaged("its length is impossible"));
        }
        let mut payload = Vec::new();
        // `take` reads as far as the file goes: a false length allocates nothing that is not there.
        (&mut self.from)
            .take(u64::from(stored))
            .read_to_end(&mut payload)?;
        if payload.len() as u64 != u64::from(stored) {
            return Err(self.cut_or_io(io::ErrorKind::UnexpectedEof.into()));
        }
        if checksum(&header[..12], &payload) != sum {
            return Err(self.damaged("its checksum does not match"));
        }
        let kind = kind.ok_or_else(|| self.damaged("its kind is unknown"))?;
        let bytes = lz4_flex::block::decompress(&payload, raw as usize)
            .map_err(|error| self.damaged(error.to_string()))?;
        if bytes.len() != raw as usize {
            return Err(self.damaged("it is shorter than it says"));
        }
        self.next += 16 + u64::from(stored);
        Ok(Chunk {
            kind,
            bytes,
            stored: 16 + u64::from(stored),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunk_of_more_bytes_than_its_kind_can_need_is_refused_before_it_is_unpacked() {
        let mut payload = Encoder::default();
        payload.bytes.resize(MAX_RAW_LISTS as usize + 1, 0);
        let refused = write(&mut Vec::new(), Kind::Resources, &payload);
        assert!(refused.is_err(), "nor written");
        let mut bytes = Vec::new();
        write(&mut bytes, Kind::Tiles, &payload).expect("a vector takes all");
        bytes[..4].copy_from_slice(&Kind::Resources.code());
        // Its checksum is not looked at either.
        let error = ChunkReader::new(bytes.as_slice(), 0).next();
        let error = error.expect_err("too large").to_string();
        assert!(error.contains("16777217 bytes"), "{error}");
        assert!(error.contains("at most 16777216"), "{error}");
    }
}
