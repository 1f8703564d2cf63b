//! Which channel, bank, row and column an address means. Bit fields only: bits below a burst and above the row are dropped, so that
//! every address is somewhere.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

use super::spec::DramSpec;

/// A field of the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressField {
    /// Row of a bank.
    Row,
    /// Channel.
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

/// Where an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Channel.
    pub channel: u32,
    /// Rank of the channel.
    pub rank: u32,
    /// Bank group of the rank.
    pub bank_group: u32,
    /// Bank of the group.
    pub bank: u32,
    /// Row of the bank.
    pub row: u32,
    /// Burst within the row.
    pub column: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct BitField {
    low: u32,
    mask: u32,
}

impl BitField {
    const fn of(self, address: u64) -> u32 {
        // The mask has at most 32 bits.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "bits above the field are dropped"
        )]
        let bits = (address >> self.low) as u32;
        bits & self.mask
    }
}

/// The mapping of one DRAM, ready to use.
#[derive(Debug, Clone, Copy)]
pub struct AddressMap {
    row: BitField,
    channel: BitField,
    rank: BitField,
    bank: BitField,
    bank_group: BitField,
    column: BitField,
}

impl AddressMap {
    /// Cuts addresses as the (validated) specification says.
    #[must_use]
    pub fn new(spec: &DramSpec) -> Self {
        let none = BitField::default();
        let mut map = Self {
            row: none,
            channel: none,
            rank: none,
            bank: none,
            bank_group: none,
            column: none,
        };
        let s = &spec.structure;
        let mut low = spec.request_bytes().0.trailing_zeros();
        for field in s.mapping.0.iter().rev() {
            let (slot, count) = match field {
                AddressField::Row => (&mut map.row, s.rows),
                AddressField::Channel => (&mut map.channel, s.channels),
                AddressField::Rank => (&mut map.rank, spec.n_ranks()),
                AddressField::Bank => (&mut map.bank, s.banks_per_group),
                AddressField::BankGroup => (&mut map.bank_group, s.bankgroups),
                AddressField::Column => (&mut map.column, s.columns / s.burst_length),
            };
            let mask = count - 1;
            *slot = BitField { low, mask };
            low += count.trailing_zeros();
        }
        map
    }

    /// Where the byte at `address` is.
    #[must_use]
    pub const fn locate(&self, address: u64) -> Location {
        Location {
            channel: self.channel.of(address),
            rank: self.rank.of(address),
            bank_group: self.bank_group.of(address),
            bank: self.bank.of(address),
            row: self.row.of(address),
            column: self.column.of(address),
        }
    }
}
