//! Values with a range or a unit, for `#[serde(deserialize_with = "...")]`: the range stands at the field, and in the message.

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};

use crate::units::{Bytes, Cycles};

/// An integer from `LOW` to `HIGH`.
///
/// # Errors
/// If the value is none.
pub fn integer<'de, const LOW: u64, const HIGH: u64, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<u64, D::Error> {
    deserializer.deserialize_u64(Integer {
        low: LOW,
        high: HIGH,
        only_powers: false,
    })
}

/// The same as a count.
///
/// # Errors
/// If the value is none.
pub fn count<'de, const LOW: u32, const HIGH: u32, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<u32, D::Error> {
    let visitor = Integer {
        low: LOW.into(),
        high: HIGH.into(),
        only_powers: false,
    };
    // Not above HIGH.
    deserializer
        .deserialize_u64(visitor)
        .map(|value| value as u32)
}

/// The same as cycles of the owner's clock.
///
/// # Errors
/// If the value is none.
pub fn cycles<'de, const LOW: u64, const HIGH: u64, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Cycles, D::Error> {
    integer::<LOW, HIGH, D>(deserializer).map(Cycles)
}

/// A power of two from `LOW` to `HIGH`.
///
/// # Errors
/// If the value is none.
pub fn power_of_two<'de, const LOW: u32, const HIGH: u32, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<u32, D::Error> {
    let visitor = Integer {
        low: LOW.into(),
        high: HIGH.into(),
        only_powers: true,
    };
    // Not above HIGH.
    deserializer
        .deserialize_u64(visitor)
        .map(|value| value as u32)
}

struct Integer {
    low: u64,
    high: u64,
    only_powers: bool,
}

impl Visitor<'_> for Integer {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.only_powers {
            true => "a power of two",
            false => "an integer",
        };
        write!(f, "{what} from {} to {}", self.low, self.high)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        let fits = (self.low..=self.high).contains(&value);
        if fits && (!self.only_powers || value.is_power_of_two()) {
            return Ok(value);
        }
        Err(E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }
}

/// Bytes as an integer, or with a binary unit: `64B`, `32KiB`, `2MiB`.
///
/// # Errors
/// If the value is none, or does not fit 64 bits.
pub fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
    deserializer.deserialize_any(Size)
}

struct Size;

impl Visitor<'_> for Size {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a size such as 64B, 32KiB or 2MiB")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Bytes, E> {
        let bytes = u64::try_from(value).map(Bytes);
        bytes.map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        let bytes = parse_size(text).map(Bytes);
        bytes.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].trim() {
        "B" | "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return None,
    };
    let value: u64 = digits.parse().ok()?;
    value.checked_mul(1 << shift)
}

/// One text for all, or a list of them that is not empty.
///
/// # Errors
/// If the value is neither.
pub fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    deserializer.deserialize_any(Texts)
}

struct Texts;

impl<'de> Visitor<'de> for Texts {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<String>, E> {
        Ok(vec![text.to_owned()])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<String>, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = items.next_element()? {
            texts.push(text);
        }
        if texts.is_empty() {
            return Err(A::Error::invalid_value(Unexpected::Seq, &self));
        }
        Ok(texts)
    }
}
