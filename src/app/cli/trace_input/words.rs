//! Access traces as words: a stream of bytes in, accesses out. A word is a little-endian u32, the byte address with its two low bits
//! cleared, plus 1 for a write.

use std::io::{self, BufRead, Read};

use crate::gpu::access::AccessKind;

/// What is wrong with a trace.
#[derive(Debug, thiserror::Error)]
pub(in crate::app::cli) enum TraceWordsError {
    /// The source gave an error.
    #[error("after {accesses} accesses: {error}")]
    Read {
        /// Complete words before it.
        accesses: u64,
        /// The source's.
        error: io::Error,
    },
    /// The length is no multiple of 4.
    #[error("{left} bytes are left after {accesses} accesses; expected 4 bytes an access")]
    Cut {
        /// Complete words.
        accesses: u64,
        /// Bytes after them.
        left: usize,
    },
    /// Bit 1 is set.
    #[error(
        "access {access}: word {word:#010x}; expected an address that is a multiple of 4, plus 1 for a write"
    )]
    Word {
        /// From 0.
        access: u64,
        /// What was read.
        word: u32,
    },
}

/// Reads accesses one by one. Stops for good after an error.
#[derive(Debug)]
pub(in crate::app::cli) struct TraceWords<R> {
    source: R,
    accesses: u64,
    is_over: bool,
}

impl<R: BufRead> TraceWords<R> {
    /// Of a source of (decompressed) words.
    pub(in crate::app::cli) const fn new(source: R) -> Self {
        Self {
            source,
            accesses: 0,
            is_over: false,
        }
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

    fn next_access(&mut self) -> Result<Option<(u64, AccessKind)>, TraceWordsError> {
        let Some(word) = self.next_word()? else {
            return Ok(None);
        };
        let kind = match word & 3 {
            0 => AccessKind::Read,
            1 => AccessKind::Write,
            _ => {
                let access = self.accesses;
                return Err(TraceWordsError::Word { access, word });
            }
        };
        self.accesses += 1;
        Ok(Some((u64::from(word & !3), kind)))
    }
}

impl<R: BufRead> Iterator for TraceWords<R> {
    type Item = Result<(u64, AccessKind), TraceWordsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.next_access().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn word_with_bit_1_is_no_access() {
        let first = TraceWords::new(&[2, 0, 0, 0][..]).next();
        assert!(first.is_some_and(|first| first.is_err()), "text, perhaps");
    }
}
