//! Which channel, bank, row and column an address means. Bit fields only: bits below a burst and above the row are dropped,
//! so that every address is somewhere.

use super::groups::ChannelGroup;
use super::mapping::{AddressField, Mapping};
use super::spec::DramSpec;

/// Location of a burst in the DRAM: channel, rank, bank group, bank, row and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Channel of the DRAM, from 0.
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
    /// The low bits of the column, which lie below every other field, and the rest of them.
    columns: [BitField; 2],
}

impl AddressMap {
    /// Cuts addresses as the (validated) specification says, where all agents share all channels.
    #[must_use]
    pub fn new(spec: &DramSpec) -> Self {
        let s = &spec.structure;
        Self::cut(spec, s.channels, s.mapping, s.interleave)
    }

    /// Cuts addresses for the channels of one group.
    pub(super) fn of_group(spec: &DramSpec, group: &ChannelGroup) -> Self {
        Self::cut(spec, group.channels, group.mapping, group.interleave)
    }

    fn cut(spec: &DramSpec, n_channels: u32, mapping: Mapping, interleave: Option<u32>) -> Self {
        let none = BitField::default();
        let mut map = Self {
            row: none,
            channel: none,
            rank: none,
            bank: none,
            bank_group: none,
            columns: [none; 2],
        };
        let s = &spec.structure;
        let burst_bits = spec.request_bytes().0.trailing_zeros();
        let bursts = s.columns / s.burst_length;
        let together = interleave.map_or(1, |bytes| bytes >> burst_bits);
        map.columns[0] = BitField {
            low: burst_bits,
            mask: together - 1,
        };
        let mut low = burst_bits + together.trailing_zeros();
        for field in mapping.0.iter().rev() {
            let (slot, count) = match field {
                AddressField::Row => (&mut map.row, s.rows),
                AddressField::Channel => (&mut map.channel, n_channels),
                AddressField::Rank => (&mut map.rank, spec.n_ranks()),
                AddressField::Bank => (&mut map.bank, s.banks_per_group),
                AddressField::BankGroup => (&mut map.bank_group, s.bankgroups),
                AddressField::Column => (&mut map.columns[1], bursts / together),
            };
            let mask = count - 1;
            *slot = BitField { low, mask };
            low += count.trailing_zeros();
        }
        map
    }

    /// Locates the byte at `address`.
    #[must_use]
    pub const fn locate(&self, address: u64) -> Location {
        Location {
            channel: self.channel.of(address),
            rank: self.rank.of(address),
            bank_group: self.bank_group.of(address),
            bank: self.bank.of(address),
            row: self.row.of(address),
            column: self.columns[1].of(address) * (self.columns[0].mask + 1)
                + self.columns[0].of(address),
        }
    }
}
