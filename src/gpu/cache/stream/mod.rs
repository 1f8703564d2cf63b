//! A recorded stream of accesses with marks for frames and tiles, as 32-bit words: events in, words out, and back.
//!
//! A stream is a header of four words, then records. The two low bits of a word say what it is:
//!
//! | low bits | the other 30 |
//! |---|---|
//! | 0 | a read of the line of this number (address / line size) |
//! | 1 | a write of the line of this number |
//! | 2 | what follows is for a tile: its number times 32, plus the Raster Unit |
//! | 3 | a mark by its 3 low bits: 0 a frame, which five words follow (low and high half of its number, width and height of the screen, and edge of a tile, in pixels); 1 what follows is for no tile; 2 the other 27 bits are the high part of all line numbers that follow |
//!
//! A frame begins for no tile, and with a high part of 0. The header is [`STREAM_MAGIC`], the version 1, the bytes of a
//! line, and the number of Raster Units. In files the words are little-endian. The magic is no word that a trace of bare
//! accesses can have.

mod decoder;
mod encoder;

pub use decoder::{StreamDecoder, StreamError};
pub use encoder::StreamEncoder;

use crate::access::AccessKind;
use azulejo_grid::{TileGrid, TileId};
use azulejo_units::Bytes;

/// First word of a stream. Its two low bits are 2, which no access has in a trace of bare accesses.
pub const STREAM_MAGIC: u32 = 0x5332_4C8E;
const VERSION: u32 = 1;
/// Words before the first record.
const HEADER_WORDS: usize = 4;
/// Words that follow a frame's mark.
const FRAME_WORDS: usize = 5;
/// Most Raster Units: five bits of a tile's word.
const MAX_RASTER_UNITS: u32 = 32;
/// Tiles of a frame, at most: 25 bits of a tile's word.
const MAX_TILES: u64 = 1 << 25;
/// Bits of a line number in its own word.
const LOW_BITS: u32 = 30;
/// Bits of a line number in a mark.
const HIGH_BITS: u32 = 27;

const READ: u32 = 0;
const WRITE: u32 = 1;
const TILE: u32 = 2;
const MARK: u32 = 3;

const MARK_FRAME: u32 = 0;
const MARK_NOBODY: u32 = 1;
const MARK_HIGH: u32 = 2;

/// Header of a stream: its line and the machine's Raster Units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamHeader {
    /// Bytes of a line, a power of two from 4 B to 64 KiB.
    pub line: Bytes,
    /// Raster Units of the machine, from 1 to 32.
    pub raster_units: u32,
}

/// Tile and Raster Unit for which an access was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TilePlace {
    /// The tile, of the frame's grid.
    pub tile: TileId,
    /// The Raster Unit that draws it, from 0.
    pub raster_unit: u32,
}

/// An access of a whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamAccess {
    /// Address of the line's first byte, below 2^57 lines.
    pub address: u64,
    /// Direction of the access.
    pub kind: AccessKind,
    /// For which tile, if for one.
    pub place: Option<TilePlace>,
}

/// Events of a stream, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamEvent {
    /// Beginning of a frame, before its accesses.
    Frame {
        /// Number of the frame.
        number: u64,
        /// The screen cut into tiles.
        grid: TileGrid,
    },
    /// A line is accessed.
    Access(StreamAccess),
}

#[cfg(test)]
mod tests;
