//! Maps from addresses, for models that look one up with every request: a hash of two instructions. No iteration over them, so that
//! nothing can depend on their order.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from addresses or line numbers.
pub(crate) type ByAddress<T> = HashMap<u64, T, BuildHasherDefault<AddressHasher>>;

/// The bucket of an address where there are so many, a power of two up to 65,536: lines that are neighbours in any direction of a texture
/// come to different ones (Fibonacci hashing).
#[inline]
pub(crate) fn bucket(address: u64, n_buckets: usize) -> usize {
    let hash = address.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
    hash as usize & (n_buckets - 1)
}

/// Multiplies by the golden ratio and folds the halves. Addresses need no protection from an adversary beyond spreading: strides and
/// high bits reach all bits of the hash.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * 0x9E37_79B9_7F4A_7C15;
        #[expect(clippy::cast_possible_truncation, reason = "the halves are meant")]
        let (low, high) = (product as u64, (product >> 64) as u64);
        self.0 = low ^ high;
    }
}
