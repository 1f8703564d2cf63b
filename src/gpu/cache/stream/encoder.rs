//! Events to words: the marks that an access needs go before it, and only where something changed.

use super::{
    FRAME_WORDS, HEADER_WORDS, HIGH_BITS, LOW_BITS, MARK, MARK_FRAME, MARK_HIGH, MARK_NOBODY,
    MAX_TILES, READ, STREAM_MAGIC, StreamAccess, StreamHeader, TILE, TilePlace, VERSION, WRITE,
};
use azulejo_grid::TileGrid;

/// Writes a stream, word by word. The decoder reads all of it, for lines below 2^57 and up to 32 Raster Units;
/// accesses for tiles from 2^25 on are written as for no tile.
#[derive(Debug, Clone, Copy)]
pub struct StreamEncoder {
    line_shift: u32,
    raster_units: u32,
    place: Option<TilePlace>,
    high: u32,
}

impl StreamEncoder {
    /// An encoder for a stream with this header, whose line is a power of two.
    #[must_use]
    pub const fn new(header: StreamHeader) -> Self {
        Self {
            line_shift: header.line.0.trailing_zeros(),
            raster_units: header.raster_units,
            place: None,
            high: 0,
        }
    }

    /// The words with which the stream begins.
    #[must_use]
    pub const fn header(&self) -> [u32; HEADER_WORDS] {
        let line = 1 << self.line_shift;
        [STREAM_MAGIC, VERSION, line, self.raster_units]
    }

    /// The words of a frame that begins.
    pub const fn frame(&mut self, number: u64, grid: TileGrid) -> [u32; 1 + FRAME_WORDS] {
        self.place = None;
        self.high = 0;
        #[expect(clippy::cast_possible_truncation, reason = "the halves are meant")]
        let (low, high) = (number as u32, (number >> 32) as u32);
        let mark = MARK | MARK_FRAME << 2;
        [mark, low, high, grid.width, grid.height, grid.tile_size]
    }

    /// Hands the words of an access to `put`: one, and before it up to two marks.
    pub fn access(&mut self, access: &StreamAccess, mut put: impl FnMut(u32)) {
        let place = (access.place).filter(|place| u64::from(place.tile.0) < MAX_TILES);
        if place != self.place {
            self.place = place;
            put(place.map_or(MARK | MARK_NOBODY << 2, |place| {
                TILE | place.raster_unit << 2 | place.tile.0 << 7
            }));
        }
        let line = access.address >> self.line_shift;
        let high = (line >> LOW_BITS & ((1 << HIGH_BITS) - 1)) as u32;
        if high != self.high {
            self.high = high;
            put(MARK | MARK_HIGH << 2 | high << 5);
        }
        let low = (line & ((1 << LOW_BITS) - 1)) as u32;
        put(low << 2 | if access.kind.is_write() { WRITE } else { READ });
    }
}
