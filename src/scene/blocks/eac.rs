//! EAC with one channel of 11 bits: a block of 8 bytes to the top eight bits of sixteen values (Khronos Data Format 1.4,
//! 24.5).
//!
//! Written here because no crate in pure Rust has it right: `texture2ddecoder` 0.1.2 takes the indices from the wrong end.

/// Modifiers by table and index.
const MODIFIERS: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

/// Values of a block's texels, row by row.
pub(super) fn channel(block: [u8; 8]) -> [u8; 16] {
    let word = u64::from_be_bytes(block);
    let base = i32::from(block[0]) * 8 + 4;
    let scale = match i32::from(block[1] >> 4) {
        0 => 1,
        multiplier => multiplier * 8,
    };
    let modifiers = MODIFIERS[usize::from(block[1] & 15)];
    std::array::from_fn(|texel| {
        // Indices run down the columns, the first in the highest bits.
        let place = texel % 4 * 4 + texel / 4;
        let index = (word >> (45 - 3 * place)) & 7;
        let value = base + modifiers[index as usize] * scale;
        (value.clamp(0, 2047) >> 3) as u8
    })
}
