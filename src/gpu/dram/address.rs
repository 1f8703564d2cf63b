//! Which channel, bank, row and column an address means. Bit fields only: bits below a burst and above the row are dropped, so that
//! every address is somewhere.

use super::mapping::AddressField;
use super::spec::DramSpec;

/// Where an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Channel, from 0.
    pub channel: u32,
    /// Rank of the channel, from 0.
    pub rank: u32,
    /// Bank group of the rank.
    pub bank_group: u32,
    /// Bank of the group, from 0.
    pub bank: u32,
    /// Row of the bank, from 0.
    pub row: u32,
    /// Burst within the row, from 0.
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
