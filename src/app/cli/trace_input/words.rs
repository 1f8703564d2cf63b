//! Access traces as little-endian words: a stream of bytes in, accesses out, and the marks of frames where there are some.
//!
//! A word of a bare trace is the byte address with its two low bits cleared, plus 1 for a write. A stream with marks, as
//! `azulejo simulate --l2-stream` records it, begins with a word that no bare trace can begin with.

use std::io::{self, BufRead, Read};

use azulejo_gpu::access::AccessKind;
use azulejo_gpu::cache::{
    STREAM_MAGIC, StreamAccess, StreamDecoder, StreamError, StreamEvent, StreamHeader,
};

/// Error in a trace of words.
#[derive(Debug, thiserror::Error)]
pub(super) enum TraceWordsError {
    /// Read error of the source.
    #[error("after {accesses} accesses: {error}")]
    Read {
        /// Complete words before it.
        accesses: u64,
        /// Error that the source gave.
        error: io::Error,
    },
    /// Trace whose length is no multiple of 4 bytes.
    #[error("{left} bytes are left after {accesses} accesses; expected 4 bytes an access")]
    Cut {
        /// Complete words before the cut.
        accesses: u64,
        /// Bytes after the last complete word.
        left: usize,
    },
    /// Word with bit 1 set.
    #[error(
        "access {access}: word {word:#010x}; expected an address that is a multiple of 4, plus 1 for a write"
    )]
    Word {
        /// Number of the access, from 0.
        access: u64,
        /// Word that was read.
        word: u32,
    },
    /// Word that may not be in a stream with marks, or too early an end of one.
    #[error("not a stream of accesses with marks: {0}")]
    Stream(#[from] StreamError),
}

/// Reader of accesses, one by one. Stops for good after an error.
#[derive(Debug)]
pub(super) struct TraceWords<R> {
    source: R,
    /// Words so far, which in a bare trace are accesses.
    accesses: u64,
    /// Decoder of a stream with marks.
    decoder: Option<StreamDecoder>,
    is_over: bool,
}

impl<R: BufRead> TraceWords<R> {
    /// Reader of a source of (decompressed) words.
    pub(super) const fn new(source: R) -> Self {
        Self {
            source,
            accesses: 0,
            decoder: None,
            is_over: false,
        }
    }

    /// Header of a stream with marks, once its first event has been read; nothing of a bare trace.
    pub(super) fn header(&self) -> Option<StreamHeader> {
        self.decoder.as_ref().and_then(StreamDecoder::header)
    }

    fn next_word(&mut self) -> Result<Option<u32>, TraceWordsError> {
        let accesses = self.accesses;
        let error = |error| TraceWordsError::Read { accesses, error };
        // Nearly always the buffer holds a whole word.
        let buffered = self.source.fill_buf().map_err(error)?;
        if let Some(word) = buffered.first_chunk::<4>() {
            let word = u32::from_le_bytes(*word);
            self.source.consume(4);
            return Ok(Some(word));
        }
        let mut bytes = Vec::with_capacity(4);
        let mut source = self.source.by_ref().take(4);
        let left = source.read_to_end(&mut bytes).map_err(error)?;
        match bytes.first_chunk::<4>() {
            Some(word) => Ok(Some(u32::from_le_bytes(*word))),
            None if left == 0 => Ok(None),
            None => Err(TraceWordsError::Cut { accesses, left }),
        }
    }

    fn next_event(&mut self) -> Result<Option<StreamEvent>, TraceWordsError> {
        let Some(word) = self.next_word()? else {
            return Ok(None);
        };
        if self.accesses == 0 && word == STREAM_MAGIC {
            let mut decoder = StreamDecoder::default();
            decoder.push(word)?;
            self.decoder = Some(decoder);
            self.accesses = 1;
            return self.next_of_stream();
        }
        let kind = match word & 3 {
            0 => AccessKind::Read,
            1 => AccessKind::Write,
            _ => {
                let access = self.accesses;
                return Err(TraceWordsError::Word { access, word });
            }
        };
        self.accesses += 1;
        Ok(Some(StreamEvent::Access(StreamAccess {
            address: u64::from(word & !3),
            kind,
            place: None,
        })))
    }

    fn next_of_stream(&mut self) -> Result<Option<StreamEvent>, TraceWordsError> {
        while let Some(word) = self.next_word()? {
            self.accesses += 1;
            let decoder = self.decoder.as_mut();
            if let Some(event) = decoder.map_or(Ok(None), |decoder| decoder.push(word))? {
                return Ok(Some(event));
            }
        }
        let decoder = self.decoder.as_ref();
        decoder.map_or(Ok(()), StreamDecoder::finish)?;
        Ok(None)
    }
}

impl<R: BufRead> Iterator for TraceWords<R> {
    type Item = Result<StreamEvent, TraceWordsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = match self.decoder {
            Some(_) => self.next_of_stream(),
            None => self.next_event(),
        };
        let next = next.transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: u64) -> StreamEvent {
        StreamEvent::Access(StreamAccess {
            address,
            kind: AccessKind::Read,
            place: None,
        })
    }

    #[test]
    fn words_become_accesses_across_buffer_ends() {
        let bytes: Vec<u8> = [0x1000_u32, 0x2001, 0xffff_fffd]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let expected = [
            (0x1000, AccessKind::Read),
            (0x2000, AccessKind::Write),
            (0xffff_fffc, AccessKind::Write),
        ];
        let expected = expected.map(|(address, kind)| {
            StreamEvent::Access(StreamAccess {
                address,
                kind,
                place: None,
            })
        });
        for capacity in 1..9 {
            let source = io::BufReader::with_capacity(capacity, &bytes[..]);
            let accesses: Result<Vec<_>, _> = TraceWords::new(source).collect();
            assert_eq!(
                accesses.expect("whole words"),
                expected,
                "buffer of {capacity}"
            );
        }
    }

    #[test]
    fn cut_word_is_an_error_that_says_where() {
        let mut trace = TraceWords::new(&[0, 0, 0, 0, 4, 0][..]);
        assert!(trace.next().is_some_and(|first| first.is_ok()), "a word");
        let message = trace
            .next()
            .expect("an answer")
            .expect_err("cut")
            .to_string();
        assert!(
            message.contains("2 bytes are left after 1 accesses"),
            "{message}"
        );
        assert!(trace.next().is_none(), "and no more");
    }

    #[test]
    fn words_of_a_stream_with_marks_become_its_events() {
        let words = [STREAM_MAGIC, 1, 64, 1, 3, 9, 0, 32, 32, 32, 5 << 2, 6 << 2];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut trace = TraceWords::new(&bytes[..]);
        let events: Result<Vec<_>, _> = trace.by_ref().collect();
        let events = events.expect("a stream");
        assert_eq!(events[1..], [read(5 * 64), read(6 * 64)], "two accesses");
        assert!(
            matches!(events[0], StreamEvent::Frame { number: 9, .. }),
            "of frame 9"
        );
        let line = trace.header().map(|header| header.line.0);
        assert_eq!(line, Some(64), "and what they are of");
        let cut = TraceWords::new(&bytes[..24]).last();
        let message = cut.expect("an answer").expect_err("cut").to_string();
        assert!(message.contains("ends after word 6"), "{message}");
    }

    #[test]
    fn word_with_bit_1_is_no_access() {
        let first = TraceWords::new(&[2, 0, 0, 0][..]).next();
        assert!(first.is_some_and(|first| first.is_err()), "text, perhaps");
    }
}
