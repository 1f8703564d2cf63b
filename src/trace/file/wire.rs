//! Variable-length integers in byte buffers: small numbers and small differences take one byte.

/// Appends values to a buffer.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    pub(super) bytes: Vec<u8>,
}

/// Why a payload does not decode: what was being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

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

    /// Differences between neighbours.
    pub(super) fn deltas(&mut self, values: impl Iterator<Item = u32>) {
        let mut last = 0;
        for value in values {
            self.signed(i64::from(value) - last);
            last = i64::from(value);
        }
    }
}

/// Takes values from the front of a payload.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u8], Malformed> {
        let (head, tail) = self.bytes.split_at_checked(n).ok_or(Malformed(what))?;
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
        Err(Malformed(what))
    }

    pub(super) fn small<T: TryFrom<u64>>(&mut self, what: &'static str) -> Result<T, Malformed> {
        T::try_from(self.unsigned(what)?).map_err(|_| Malformed(what))
    }

    /// Number of elements that follow, each of at least `min_bytes` bytes: refused where the payload cannot hold them.
    pub(super) fn count(
        &mut self,
        min_bytes: usize,
        what: &'static str,
    ) -> Result<usize, Malformed> {
        let count: usize = self.small(what)?;
        let needed = count.checked_mul(min_bytes).ok_or(Malformed(what))?;
        if needed > self.bytes.len() {
            return Err(Malformed(what));
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
            _ => Err(Malformed(what)),
        }
    }

    pub(super) fn text(&mut self, what: &'static str) -> Result<String, Malformed> {
        let length = self.count(1, what)?;
        let bytes = self.take(length, what)?.to_vec();
        String::from_utf8(bytes).map_err(|_| Malformed(what))
    }

    pub(super) fn deltas(&mut self, n: usize, what: &'static str) -> Result<Vec<u32>, Malformed> {
        let mut last = 0_i64;
        let mut values = Vec::with_capacity(n.min(self.bytes.len()));
        for _ in 0..n {
            last = last
                .checked_add(self.signed(what)?)
                .ok_or(Malformed(what))?;
            values.push(u32::try_from(last).map_err(|_| Malformed(what))?);
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
        let mut decoder = Decoder::new(&encoder.bytes);
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
        let mut decoder = Decoder::new(&encoder.bytes);
        assert_eq!(
            decoder.count(1, "quads"),
            Err(Malformed("quads")),
            "a count of 2^40"
        );
    }

    #[test]
    fn wire_refuses_integers_of_more_than_64_bits() {
        let mut decoder = Decoder::new(&[0xff; 11]);
        assert_eq!(decoder.unsigned("x"), Err(Malformed("x")), "77 bits");
    }
}
