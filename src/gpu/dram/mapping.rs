//! The order of an address's fields, as configuration files write it: a text of six two-letter names in, a list of fields
//! out.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// A field of the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressField {
    /// Row of a bank.
    Row,
    /// Channel of the DRAM.
    Channel,
    /// Rank of a channel.
    Rank,
    /// Bank of a group.
    Bank,
    /// Bank group of a rank.
    BankGroup,
    /// Burst within a row.
    Column,
}

/// Two-letter names, as in DRAMsim3.
const FIELD_NAMES: [(AddressField, &str); 6] = [
    (AddressField::Row, "ro"),
    (AddressField::Channel, "ch"),
    (AddressField::Rank, "ra"),
    (AddressField::Bank, "ba"),
    (AddressField::BankGroup, "bg"),
    (AddressField::Column, "co"),
];

/// Order of the fields from the high end, written as six two-letter names: `rochrababgco`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct Mapping(pub [AddressField; 6]);

/// A mapping that does not name each field once.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "mapping {0:?}: expected ro, ch, ra, ba, bg and co, each once, high to low, such as rochrababgco"
)]
pub struct ParseMappingError(String);

impl FromStr for Mapping {
    type Err = ParseMappingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseMappingError(text.chars().take(40).collect());
        let (names, rest) = text.as_bytes().as_chunks::<2>();
        let names: &[[u8; 2]; 6] = names.try_into().map_err(|_| error())?;
        let mut fields = [AddressField::Row; 6];
        for (at, name) in names.iter().enumerate() {
            let known = FIELD_NAMES
                .iter()
                .find(|(_, known)| known.as_bytes() == name);
            let field = known.ok_or_else(error)?.0;
            if fields[..at].contains(&field) {
                return Err(error());
            }
            fields[at] = field;
        }
        if rest.is_empty() {
            Ok(Self(fields))
        } else {
            Err(error())
        }
    }
}

impl<'de> Deserialize<'de> for Mapping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let expected = "ro, ch, ra, ba, bg and co, each once, high to low, such as rochrababgco";
        let refused = |_| D::Error::invalid_value(Unexpected::Str(&text), &expected);
        text.parse().map_err(refused)
    }
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for field in self.0 {
            let name = FIELD_NAMES.iter().find(|(named, _)| *named == field);
            f.write_str(name.map_or("", |(_, name)| name))?;
        }
        Ok(())
    }
}

impl From<Mapping> for String {
    fn from(mapping: Mapping) -> Self {
        mapping.to_string()
    }
}
