//! Variable-length integers in byte buffers: small numbers and small differences take one byte.

use crate::Program;

/// Appends values to a buffer.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    pub(super) bytes: Vec<u8>,
}

/// How a stream is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    /// Frames say nothing of their binning, which was exact, and draws nothing of the constants that were set for them: all
    /// of them.
    BeforeBinning,
    /// Frames say nothing of the samples of pixels: there was one.
    BeforeSamples,
    /// Quads say nothing of the farthest depth around them.
    BeforeDepths,
    /// The format that is written.
    Newest,
}

/// Layout of a frame's draws and tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) version: Version,
    pub(super) parts: Parts,
}

/// Parts of draws and tiles that are there as programs of the frame ask for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    /// Paths of vertices and quads, as programs branch.
    pub(super) branches: bool,
    /// Lines of buffers, as programs access some.
    pub(super) accesses: bool,
}

impl Parts {
    pub(super) fn of(programs: &[Program]) -> Self {
        let accesses = |program: &Program| program.count_of_buffers() > 0;
        Self {
            branches: programs.iter().any(Program::branches),
            accesses: programs.iter().any(accesses),
        }
    }
}

/// Why a payload does not decode, and what was being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Malformed {
    /// The payload's bytes are not such a thing.
    Content(&'static str),
    /// Decoded it would take more memory than its bytes justify.
    Memory(&'static str),
}

impl Encoder {
    pub(super) fn byte(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// LEB128: seven bits a byte, lowest first.
    pub(super) fn unsigned(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    pub(super) fn count(&mut self, value: usize) {
        self.unsigned(value as u64);
    }

    /// Zigzag: the sign in the lowest bit.
    pub(super) fn signed(&mut self, value: i64) {
        self.unsigned((value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned());
    }

    pub(super) fn flag(&mut self, value: bool) {
        self.byte(u8::from(value));
    }

    pub(super) fn text(&mut self, value: &str) {
        self.count(value.len());
        self.bytes.extend_from_slice(value.as_bytes());
    }

    /// Writes differences between neighbours, the first from 0.
    pub(super) fn deltas(&mut self, values: impl Iterator<Item = u32>) {
        let mut last = 0;
        for value in values {
            self.signed(i64::from(value) - last);
            last = i64::from(value);
        }
    }
}

/// Takes values from the front of a payload, and memory for what it decodes from an allowance.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    /// Bytes of memory that decoded values may still take.
    allowance: u64,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8], allowance: u64) -> Self {
        Self { bytes, allowance }
    }

    /// Bytes left of the allowance.
    pub(super) fn allowance(&self) -> u64 {
        self.allowance
    }

    /// Takes the memory of `count` values from the allowance, before it is allocated.
    pub(super) fn reserve<T>(&mut self, count: usize, what: &'static str) -> Result<(), Malformed> {
        let bytes = (count as u64).checked_mul(size_of::<T>() as u64);
        let left = bytes.and_then(|bytes| self.allowance.checked_sub(bytes));
        self.allowance = left.ok_or(Malformed::Memory(what))?;
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u8], Malformed> {
        let (head, tail) = self
            .bytes
            .split_at_checked(n)
            .ok_or(Malformed::Content(what))?;
        self.bytes = tail;
        Ok(head)
    }

    pub(super) fn byte(&mut self, what: &'static str) -> Result<u8, Malformed> {
        self.take(1, what).map(|bytes| bytes[0])
    }

    pub(super) fn unsigned(&mut self, what: &'static str) -> Result<u64, Malformed> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte(what)?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Malformed::Content(what))
    }

    pub(super) fn small<T: TryFrom<u64>>(&mut self, what: &'static str) -> Result<T, Malformed> {
        T::try_from(self.unsigned(what)?).map_err(|_| Malformed::Content(what))
    }

    /// Number of elements that follow, each of at least `min_bytes` bytes: refused where the payload cannot hold them.
    pub(super) fn count(
        &mut self,
        min_bytes: usize,
        what: &'static str,
    ) -> Result<usize, Malformed> {
        let count: usize = self.small(what)?;
        let needed = count
            .checked_mul(min_bytes)
            .ok_or(Malformed::Content(what))?;
        if needed > self.bytes.len() {
            return Err(Malformed::Content(what));
        }
        Ok(count)
    }

    pub(super) fn signed(&mut self, what: &'static str) -> Result<i64, Malformed> {
        let bits = self.unsigned(what)?;
        Ok((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed())
    }

    pub(super) fn flag(&mut self, what: &'static str) -> Result<bool, Malformed> {
        match self.byte(what)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Malformed::Content(what)),
        }
    }

    pub(super) fn text(&mut self, what: &'static str) -> Result<String, Malformed> {
        let length = self.count(1, what)?;
        self.reserve::<u8>(length, what)?;
        let bytes = self.take(length, what)?.to_vec();
        String::from_utf8(bytes).map_err(|_| Malformed::Content(what))
    }

    pub(super) fn deltas(&mut self, n: usize, what: &'static str) -> Result<Vec<u32>, Malformed> {
        let mut last = 0_i64;
        self.reserve::<u32>(n, what)?;
        let mut values = Vec::with_capacity(n.min(self.bytes.len()));
        for _ in 0..n {
            last = last
                .checked_add(self.signed(what)?)
                .ok_or(Malformed::Content(what))?;
            values.push(u32::try_from(last).map_err(|_| Malformed::Content(what))?);
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_integers_return() {
        let mut encoder = Encoder::default();
        let unsigned = [0, 127, 128, u64::from(u32::MAX), u64::MAX];
        let signed = [0, -1, 1, i64::MIN, i64::MAX];
        for value in unsigned {
            encoder.unsigned(value);
        }
        for value in signed {
            encoder.signed(value);
        }
        let mut decoder = Decoder::new(&encoder.bytes, 0);
        for value in unsigned {
            assert_eq!(decoder.unsigned(""), Ok(value), "unsigned");
        }
        for value in signed {
            assert_eq!(decoder.signed(""), Ok(value), "signed");
        }
        assert!(decoder.is_empty(), "nothing left over");
    }

    #[test]
    fn wire_refuses_counts_beyond_the_payload() {
        let mut encoder = Encoder::default();
        encoder.unsigned(1 << 40);
        let mut decoder = Decoder::new(&encoder.bytes, 0);
        assert_eq!(
            decoder.count(1, "quads"),
            Err(Malformed::Content("quads")),
            "a count of 2^40"
        );
    }

    #[test]
    fn wire_refuses_what_takes_more_memory_than_is_allowed() {
        let mut encoder = Encoder::default();
        encoder.deltas([5; 100].into_iter());
        for (allowance, allowed) in [(400, true), (399, false)] {
            let mut decoder = Decoder::new(&encoder.bytes, allowance);
            let numbers = decoder.deltas(100, "numbers");
            assert_eq!(numbers.is_ok(), allowed, "100 words in {allowance} bytes");
            let left = if allowed { 0 } else { allowance };
            assert_eq!(decoder.allowance(), left, "taken only if granted");
        }
    }

    #[test]
    fn wire_refuses_integers_of_more_than_64_bits() {
        let mut decoder = Decoder::new(&[0xff; 11], 0);
        assert_eq!(
            decoder.unsigned("x"),
            Err(Malformed::Content("x")),
            "77 bits"
        );
    }
}
