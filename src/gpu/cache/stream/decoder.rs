//! Words to events. Every word is checked against the records that may stand there; nothing is kept but the marks.

use super::{
    FRAME_WORDS, HEADER_WORDS, LOW_BITS, MARK_FRAME, MARK_HIGH, MARK_NOBODY, MAX_RASTER_UNITS,
    MAX_TILES, READ, STREAM_MAGIC, StreamAccess, StreamEvent, StreamHeader, TILE, TilePlace,
    VERSION, WRITE,
};
use crate::access::AccessKind;
use azulejo_grid::{TileGrid, TileId};
use azulejo_units::Bytes;

/// Error of a stream that cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    /// A word that may not stand there.
    #[error("word {at}: {word:#010x}; expected {expected}")]
    Word {
        /// From 0, the header's first.
        at: u64,
        /// Word read at that place.
        word: u32,
        /// Words that may stand there.
        expected: &'static str,
    },
    /// It ends within its header or within the mark of a frame.
    #[error("it ends after word {words}, within {within}")]
    Cut {
        /// How many words there are.
        words: u64,
        /// Part of the stream that is cut off.
        within: &'static str,
    },
}

/// Part of the stream that the next word belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Header,
    Records,
    FrameMark,
}

/// Reads a stream, word by word.
#[derive(Debug, Clone)]
pub struct StreamDecoder {
    stage: Stage,
    /// Words of the header, or after the mark of a frame.
    gathered: [u32; FRAME_WORDS],
    n_gathered: usize,
    header: Option<StreamHeader>,
    grid: Option<TileGrid>,
    place: Option<TilePlace>,
    high: u64,
    words: u64,
}

impl Default for StreamDecoder {
    fn default() -> Self {
        Self {
            stage: Stage::Header,
            gathered: [0; FRAME_WORDS],
            n_gathered: 0,
            header: None,
            grid: None,
            place: None,
            high: 0,
            words: 0,
        }
    }
}

impl StreamDecoder {
    /// Header of the stream, once its four words have been read.
    #[must_use]
    pub const fn header(&self) -> Option<StreamHeader> {
        self.header
    }

    /// Takes the next word; the event that it completes, if it does.
    ///
    /// # Errors
    /// A word that may not stand there. The decoder is of no further use then.
    pub fn push(&mut self, word: u32) -> Result<Option<StreamEvent>, StreamError> {
        let event = match self.stage {
            Stage::Header => self.header_word(word).map(|()| None),
            Stage::FrameMark => self.frame_word(word),
            Stage::Records => self.record(word),
        };
        self.words += 1;
        event
    }

    /// To be asked after the last word.
    ///
    /// # Errors
    /// If something has begun that is not whole.
    pub const fn finish(&self) -> Result<(), StreamError> {
        let within = match self.stage {
            Stage::Records => return Ok(()),
            Stage::Header => "its header of 4 words",
            Stage::FrameMark => "the mark of a frame, which 5 words follow",
        };
        Err(StreamError::Cut {
            words: self.words,
            within,
        })
    }

    const fn refuse(&self, word: u32, expected: &'static str) -> StreamError {
        StreamError::Word {
            at: self.words,
            word,
            expected,
        }
    }

    fn header_word(&mut self, word: u32) -> Result<(), StreamError> {
        let expected = match self.n_gathered {
            0 if word != STREAM_MAGIC => "0x53324c8e, with which streams begin",
            1 if word != VERSION => "version 1",
            2 if !word.is_power_of_two() || !(4..=65536).contains(&word) => {
                "bytes of a line: a power of two from 4 to 65536"
            }
            3 if !(1..=MAX_RASTER_UNITS).contains(&word) => "from 1 to 32 Raster Units",
            _ => {
                self.gather(word);
                if self.n_gathered == HEADER_WORDS {
                    self.header = Some(StreamHeader {
                        line: Bytes(u64::from(self.gathered[2])),
                        raster_units: word,
                    });
                    self.stage = Stage::Records;
                }
                return Ok(());
            }
        };
        Err(self.refuse(word, expected))
    }

    const fn gather(&mut self, word: u32) {
        self.gathered[self.n_gathered] = word;
        self.n_gathered += 1;
    }

    fn record(&mut self, word: u32) -> Result<Option<StreamEvent>, StreamError> {
        if word & 3 == READ || word & 3 == WRITE {
            return self.access(word).map(Some);
        }
        if word & 3 == TILE {
            self.place = Some(self.tile(word)?);
            return Ok(None);
        }
        match word >> 2 & 7 {
            MARK_FRAME if word >> 5 == 0 => {
                self.stage = Stage::FrameMark;
                self.n_gathered = 0;
            }
            MARK_NOBODY if word >> 5 == 0 => self.place = None,
            MARK_HIGH => self.high = u64::from(word >> 5),
            _ => return Err(self.refuse(word, "the mark of a frame, of no tile, or of high lines")),
        }
        Ok(None)
    }

    fn access(&self, word: u32) -> Result<StreamEvent, StreamError> {
        let (Some(header), Some(_)) = (self.header, self.grid) else {
            return Err(self.refuse(word, "the mark of a frame before its accesses"));
        };
        let line = self.high << LOW_BITS | u64::from(word >> 2);
        let Some(address) = line.checked_mul(header.line.0) else {
            return Err(self.refuse(word, "a line whose address has 64 bits"));
        };
        let kind = match word & 3 {
            WRITE => AccessKind::Write,
            _ => AccessKind::Read,
        };
        Ok(StreamEvent::Access(StreamAccess {
            address,
            kind,
            place: self.place,
        }))
    }

    fn tile(&self, word: u32) -> Result<TilePlace, StreamError> {
        let (raster_unit, tile) = (word >> 2 & 31, TileId(word >> 7));
        let n_units = self.header.map_or(0, |header| header.raster_units);
        if raster_unit >= n_units {
            return Err(self.refuse(word, "a Raster Unit that the header counts"));
        }
        if self.grid.is_none_or(|grid| tile.0 >= grid.n_tiles()) {
            return Err(self.refuse(word, "a tile of the frame's grid"));
        }
        Ok(TilePlace { tile, raster_unit })
    }

    /// A word after the mark of a frame.
    fn frame_word(&mut self, word: u32) -> Result<Option<StreamEvent>, StreamError> {
        self.gather(word);
        if self.n_gathered < FRAME_WORDS {
            return Ok(None);
        }
        let [low, high, width, height, tile_size] = self.gathered;
        let is_screen = [width, height, tile_size].iter().all(|edge| *edge > 0);
        let tiles = |edge: u32| u64::from(edge.div_ceil(tile_size.max(1)));
        if !is_screen || tiles(width) * tiles(height) > MAX_TILES {
            let expected = "the edge of a tile, of which the screen has from 1 to 33554432";
            return Err(self.refuse(word, expected));
        }
        let grid = TileGrid {
            width,
            height,
            tile_size,
        };
        self.stage = Stage::Records;
        (self.grid, self.place, self.high) = (Some(grid), None, 0);
        let number = u64::from(high) << 32 | u64::from(low);
        Ok(Some(StreamEvent::Frame { number, grid }))
    }
}
