//! Fingerprint of everything that decides a result: XXH3, 128 bits, over named parts. Equal parts in equal order give equal
//! numbers on every machine; that two different inputs of a sweep of a million points share one has a chance below 1 in
//! 10^26.

use std::fmt;
use std::str::FromStr;

use xxhash_rust::xxh3::Xxh3;

/// Fingerprint of the inputs of a result, XXH3 with 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// Hashes named parts, in their order. Names and contents go in with their lengths, so that no two lists of parts run
    /// together.
    pub fn of<'a>(parts: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut hash = Xxh3::new();
        for (name, content) in parts {
            for bytes in [name.as_bytes(), content] {
                hash.update(&(bytes.len() as u64).to_le_bytes());
                hash.update(bytes);
            }
        }
        Self(hash.digest128())
    }

    /// Little-endian bytes, for [`Self::of`] as a part of another.
    #[must_use]
    pub const fn bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }
}

/// Display as 32 hexadecimal digits: a file's name.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(text, 16).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_is_the_published_hash() {
        // Without parts nothing is hashed: XXH3's 128 bits of an empty input with seed 0, from the specification's
        // reference code.
        let empty = Fingerprint::of([]);
        assert_eq!(empty.to_string(), "99aa06d3014798d86001c324468d497f");
    }

    #[test]
    fn fingerprint_tells_apart_what_reads_alike() {
        let of = |parts: &[(&'static str, &'static str)]| {
            Fingerprint::of(parts.iter().map(|(name, text)| (*name, text.as_bytes())))
        };
        let different = [
            of(&[("a", "bc")]),
            of(&[("ab", "c")]),
            of(&[("a", "b"), ("c", "")]),
            of(&[("c", ""), ("a", "b")]),
            of(&[("a", "")]),
        ];
        let distinct: std::collections::BTreeSet<_> = different.into_iter().collect();
        assert_eq!(distinct.len(), different.len(), "lengths and order count");
    }

    #[test]
    fn fingerprint_comes_back_from_its_text() {
        let print = Fingerprint(0x12_3456);
        assert_eq!(print.to_string().parse(), Ok(print), "with leading zeros");
    }
}
