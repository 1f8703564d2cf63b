//! The stream of texture accesses that an L2 saw, in memory: an observer in, a stream to replay out.

use super::observer::{L2Access, L2Observer};
use super::request::Traffic;
use crate::cache::{
    StreamDecoder, StreamEncoder, StreamError, StreamEvent, StreamFull, StreamHeader,
};
use azulejo_grid::TileGrid;

/// Most words of a recording: 512 MiB.
const MAX_WORDS: usize = 1 << 27;

/// Texture accesses of frames, 4 bytes each and some more for marks.
#[derive(Debug, Clone)]
pub struct L2Recording {
    encoder: StreamEncoder,
    words: Vec<u32>,
    max_words: usize,
    is_full: bool,
}

impl L2Recording {
    /// An empty recording for streams with this header.
    #[must_use]
    pub fn new(header: StreamHeader) -> Self {
        let encoder = StreamEncoder::new(header);
        Self {
            encoder,
            words: encoder.header().to_vec(),
            max_words: MAX_WORDS,
            is_full: false,
        }
    }

    /// The words of the stream so far.
    ///
    /// # Errors
    /// If there were more accesses than a recording takes: 2^27 words.
    pub fn words(&self) -> Result<&[u32], StreamFull> {
        match self.is_full {
            true => Err(StreamFull::Recording),
            false => Ok(&self.words),
        }
    }

    /// Events of the stream, in order.
    ///
    /// # Errors
    /// As for [`Self::words`].
    pub fn events(
        &self,
    ) -> Result<impl Iterator<Item = Result<StreamEvent, StreamError>> + '_, StreamFull> {
        let mut decoder = StreamDecoder::default();
        let words = self.words()?.iter();
        Ok(words.filter_map(move |word| decoder.push(*word).transpose()))
    }

    fn push(&mut self, word: u32) {
        if self.words.len() < self.max_words {
            self.words.push(word);
        } else {
            self.is_full = true;
        }
    }
}

impl L2Observer for L2Recording {
    fn begin_frame(&mut self, number: u64, grid: TileGrid) {
        for word in self.encoder.frame(number, grid) {
            self.push(word);
        }
    }

    fn access(&mut self, access: &L2Access) {
        if access.traffic == Traffic::Texture {
            let mut encoder = self.encoder;
            encoder.access(&access.access, |word| self.push(word));
            self.encoder = encoder;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::AccessKind;
    use crate::cache::StreamAccess;
    use azulejo_units::Bytes;

    const GRID: TileGrid = TileGrid {
        width: 32,
        height: 32,
        tile_size: 32,
    };

    fn recording() -> L2Recording {
        L2Recording::new(StreamHeader {
            line: Bytes(64),
            raster_units: 1,
        })
    }

    fn read(address: u64, traffic: Traffic) -> L2Access {
        L2Access {
            access: StreamAccess {
                address,
                kind: AccessKind::Read,
                place: None,
            },
            traffic,
        }
    }

    #[test]
    fn recording_keeps_texture_accesses_alone() {
        let mut recording = recording();
        recording.begin_frame(3, GRID);
        for (address, traffic) in [
            (64, Traffic::Texture),
            (128, Traffic::Vertex),
            (192, Traffic::Texture),
        ] {
            recording.access(&read(address, traffic));
        }
        let events: Result<Vec<_>, _> = recording.events().expect("room").collect();
        let frame = StreamEvent::Frame {
            number: 3,
            grid: GRID,
        };
        let accesses = [64, 192].map(|at| StreamEvent::Access(read(at, Traffic::Texture).access));
        assert_eq!(
            events,
            Ok(vec![frame, accesses[0], accesses[1]]),
            "in order"
        );
    }

    #[test]
    fn recording_that_is_full_gives_nothing() {
        let mut recording = recording();
        recording.max_words = 12;
        recording.begin_frame(0, GRID);
        for line in 0..2 {
            recording.access(&read(64 * line, Traffic::Texture));
        }
        assert_eq!(recording.words().map(<[u32]>::len), Ok(12), "just full");
        recording.access(&read(0, Traffic::Texture));
        let refused = recording.words();
        assert_eq!(refused, Err(StreamFull::Recording), "no part of a stream");
    }
}
