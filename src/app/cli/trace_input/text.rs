//! Request traces as text: a stream of lines in, requests out, one at a time, so that a trace of any length fits.
//!
//! A line is `0xADDR READ|WRITE CYCLE`, address hexadecimal, cycle decimal. Empty lines mean nothing; the last needs no
//! line end.

use std::io::{self, BufRead, Read};

use azulejo_gpu::access::AccessKind;
use azulejo_gpu::dram::TraceRequest;
use azulejo_units::DramCycles;

/// Longest line that is read; the format needs less than 50 bytes.
const MAX_LINE: u64 = 256;
/// Last cycle that a request may have: about 20 minutes at 1.25 ns.
const MAX_CYCLE: u64 = 1 << 40;

/// Error in a trace of text.
#[derive(Debug, thiserror::Error)]
pub(super) enum TraceTextError {
    /// Read error of the source.
    #[error("after line {line}: {error}")]
    Read {
        /// Complete lines before it.
        line: u64,
        /// Error that the source gave.
        error: io::Error,
    },
    /// Line that is no request.
    #[error(
        "line {line}: expected `0xADDR READ|WRITE CYCLE`, such as `0x1F40 READ 120`; found `{found}`"
    )]
    Line {
        /// Number of the line, from 1.
        line: u64,
        /// The line's beginning, unprintable bytes escaped.
        found: String,
    },
    /// Line that is longer than any of this format.
    #[error(
        "line {line} is longer than {MAX_LINE} bytes; expected `0xADDR READ|WRITE CYCLE`. It starts with `{found}`"
    )]
    TooLong {
        /// Number of the line, from 1.
        line: u64,
        /// The line's beginning, unprintable bytes escaped.
        found: String,
    },
    /// Request too far in the future.
    #[error("line {line}: cycle {cycle}; expected at most {MAX_CYCLE}")]
    Cycle {
        /// Number of the line, from 1.
        line: u64,
        /// Cycle that the line states.
        cycle: u64,
    },
}

/// Reader of requests, line by line. Stops for good after an error.
#[derive(Debug)]
pub(super) struct TraceText<R> {
    source: R,
    line: u64,
    buffer: Vec<u8>,
    is_over: bool,
}

impl<R: BufRead> TraceText<R> {
    /// Reader of a source of (decompressed) text.
    pub(super) const fn new(source: R) -> Self {
        Self {
            source,
            line: 0,
            buffer: Vec::new(),
            is_over: false,
        }
    }

    /// Reads the next line that is not empty; none at the end.
    fn next_line(&mut self) -> Result<Option<&[u8]>, TraceTextError> {
        loop {
            self.buffer.clear();
            let mut limited = self.source.by_ref().take(MAX_LINE + 1);
            let read = limited.read_until(b'\n', &mut self.buffer);
            let line = self.line;
            let n = read.map_err(|error| TraceTextError::Read { line, error })?;
            if n == 0 {
                return Ok(None);
            }
            self.line += 1;
            if self.buffer.trim_ascii().is_empty() && n as u64 <= MAX_LINE {
                continue;
            }
            return if n as u64 > MAX_LINE {
                let (line, found) = (self.line, excerpt(&self.buffer));
                Err(TraceTextError::TooLong { line, found })
            } else {
                Ok(Some(self.buffer.trim_ascii()))
            };
        }
    }

    fn next_request(&mut self) -> Result<Option<TraceRequest>, TraceTextError> {
        let Some(text) = self.next_line()? else {
            return Ok(None);
        };
        let Some(request) = parse(text) else {
            let found = excerpt(text);
            let line = self.line;
            return Err(TraceTextError::Line { line, found });
        };
        if request.cycle.0 > MAX_CYCLE {
            let (line, cycle) = (self.line, request.cycle.0);
            return Err(TraceTextError::Cycle { line, cycle });
        }
        Ok(Some(request))
    }
}

impl<R: BufRead> Iterator for TraceText<R> {
    type Item = Result<TraceRequest, TraceTextError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.next_request().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

fn parse(line: &[u8]) -> Option<TraceRequest> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let (address, kind, cycle) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let digits = address
        .strip_prefix(b"0x")
        .or(address.strip_prefix(b"0X"))?;
    Some(TraceRequest {
        address: number(digits, 16)?,
        kind: match kind {
            b"READ" => AccessKind::Read,
            b"WRITE" => AccessKind::Write,
            _ => return None,
        },
        cycle: DramCycles(number(cycle, 10)?),
    })
}

/// Parses digits only: no sign, no underscore.
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    let text = str::from_utf8(digits).ok()?;
    let all_digits = text.chars().all(|digit| digit.is_digit(radix));
    u64::from_str_radix(text, radix).ok().filter(|_| all_digits)
}

/// First bytes of a line as printable text.
fn excerpt(line: &[u8]) -> String {
    const SHOWN: usize = 40;
    let shown = line.trim_ascii();
    let mut text = shown[..shown.len().min(SHOWN)].escape_ascii().to_string();
    if shown.len() > SHOWN {
        text.push_str("...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Vec<TraceRequest>, TraceTextError> {
        TraceText::new(text).collect()
    }

    #[test]
    fn trace_lines_become_requests() {
        let text = b"0x1F40 READ 0\r\n\n  0X10 WRITE\t7 \n0xffffffffffffffff READ 1099511627776";
        let requests = read(text).expect("well formed");
        let kinds: Vec<_> = requests
            .iter()
            .map(|r| (r.address, r.kind, r.cycle.0))
            .collect();
        let expected = [
            (0x1F40, AccessKind::Read, 0),
            (0x10, AccessKind::Write, 7),
            (u64::MAX, AccessKind::Read, 1 << 40),
        ];
        assert_eq!(kinds, expected, "blanks and line ends of any kind");
        assert_eq!(read(b"").expect("empty").len(), 0, "no requests");
    }

    #[test]
    fn malformed_line_is_named_with_what_was_expected() {
        for line in [
            "1F40 READ 0",
            "0x READ 0",
            "0x1G READ 0",
            "0x+1 READ 0",
            "0x1 read 0",
            "0x1 READ",
            "0x1 READ 1 2",
            "0x1 READ -1",
            "0x1 READ 1.5",
            "0x10000000000000000 READ 0",
            "0x1 READ 99999999999999999999",
            "\u{e9}\u{7f}",
        ] {
            let text = format!("0x0 READ 0\n\n{line}\n0x0 READ 0\n");
            let message = read(text.as_bytes()).expect_err(line).to_string();
            assert!(message.starts_with("line 3: expected `0xADDR"), "{message}");
            assert!(message.is_ascii(), "printable: {message}");
        }
    }

    #[test]
    fn endless_line_is_refused_without_reading_it() {
        let endless = io::BufReader::new(io::repeat(b'x'));
        let first = TraceText::new(endless).next().expect("an answer");
        let message = first.expect_err("no request").to_string();
        assert!(message.contains("line 1 is longer"), "{message}");
        let blank = io::BufReader::new(io::repeat(b' '));
        assert!(
            TraceText::new(blank).next().expect("an answer").is_err(),
            "blanks too"
        );
    }

    #[test]
    fn cycle_beyond_the_limit_is_refused() {
        let message = read(b"0x0 READ 1099511627777").expect_err("too late");
        assert!(
            message.to_string().contains("at most 1099511627776"),
            "{message}"
        );
    }

    #[test]
    fn reader_stops_after_an_error() {
        let mut trace = TraceText::new(&b"junk\n0x0 READ 0"[..]);
        assert!(trace.next().is_some_and(|first| first.is_err()), "the junk");
        assert!(trace.next().is_none(), "and no more");
    }
}
