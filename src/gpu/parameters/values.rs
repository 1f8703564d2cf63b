//! Values with a range or a unit, for `#[serde(deserialize_with = "...")]`: the range stands at the field, and in the message.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};

use azulejo_units::Bytes;

/// An integer from `LOW` to `HIGH`, as a number or as a quantity.
///
/// # Errors
/// If the value is none, or does not fit `T`.
pub fn in_range<'de, const LOW: u64, const HIGH: u64, T: TryFrom<u64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let only_powers = false;
    deserializer.deserialize_u64(Integer::<LOW, HIGH, T> {
        only_powers,
        of: PhantomData,
    })
}

/// As [`in_range`]; the default of `T` where the key is absent.
///
/// # Errors
/// If the value is none, or does not fit `T`.
pub fn in_range_or_default<
    'de,
    const LOW: u64,
    const HIGH: u64,
    T: TryFrom<u64> + Default,
    D: Deserializer<'de>,
>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = Option::<InRange<LOW, HIGH, T>>::deserialize(deserializer)?;
    Ok(value.map_or_else(T::default, |InRange(value)| value))
}

/// True or false; false where the key is absent.
///
/// # Errors
/// If the value is neither.
pub fn flag_or_false<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Option::<bool>::deserialize(deserializer).map(Option::unwrap_or_default)
}

struct InRange<const LOW: u64, const HIGH: u64, T>(T);

impl<'de, const LOW: u64, const HIGH: u64, T: TryFrom<u64>> Deserialize<'de>
    for InRange<LOW, HIGH, T>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        in_range::<LOW, HIGH, T, D>(deserializer).map(Self)
    }
}

/// A power of two from `LOW` to `HIGH`.
///
/// # Errors
/// If the value is none, or does not fit `T`.
pub fn power_of_two<'de, const LOW: u64, const HIGH: u64, T: TryFrom<u64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let only_powers = true;
    deserializer.deserialize_u64(Integer::<LOW, HIGH, T> {
        only_powers,
        of: PhantomData,
    })
}

struct Integer<const LOW: u64, const HIGH: u64, T> {
    only_powers: bool,
    of: PhantomData<T>,
}

impl<const LOW: u64, const HIGH: u64, T: TryFrom<u64>> Visitor<'_> for Integer<LOW, HIGH, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.only_powers {
            true => "a power of two",
            false => "an integer",
        };
        write!(f, "{what} from {LOW} to {HIGH}")
    }

    /// TOML's integers are signed.
    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        let fits = |value: &u64| {
            (LOW..=HIGH).contains(value) && (!self.only_powers || value.is_power_of_two())
        };
        let value_in_range = u64::try_from(value).ok().filter(fits);
        let converted = value_in_range.and_then(|value| T::try_from(value).ok());
        converted.ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
    }
}

/// A number from 0 to a milliard, as a quantity.
///
/// # Errors
/// If the value is none.
pub fn amount<'de, T: From<f64>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let value = f64::deserialize(deserializer)?;
    if (0.0..=1e9).contains(&value) {
        return Ok(T::from(value));
    }
    let expected = &"a number from 0 to 1000000000";
    Err(D::Error::invalid_value(Unexpected::Float(value), expected))
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

/// Bytes of a text such as `64B`, `32KiB` or `65536`.
#[must_use]
pub fn parse_size(text: &str) -> Option<u64> {
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
