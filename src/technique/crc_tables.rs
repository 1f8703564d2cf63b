//! Tables with which the papers' hardware computes a CRC32 (Anglada et al., HPCA 2019, section III-D and Fig. 11): the
//! memory cost of signing, in any technique that signs.

use azulejo_units::Bytes;

/// Bytes that Compute CRC takes in a cycle (section III-G).
pub(super) const SUBBLOCK: u64 = 8;

/// Tables of the Sign subunit: one for each byte of a sub-block, 256 words of four bytes (section III-D).
pub(super) const SIGN_TABLES: u32 = 8;

/// Tables of each Shift subunit: one for each byte of a CRC, since the other half of its input is zero (Fig. 11).
pub(super) const SHIFT_TABLES: u32 = 4;

/// Bytes of one table: 256 words of four bytes.
pub(super) const TABLE: Bytes = Bytes(1 << 10);
