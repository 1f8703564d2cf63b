//! Bilinear samples of a 4x4 block along the axes: what the pixels of a column share, and those of a row
//! ([`super::Lanes::bilinear_block`]). A sampler of many blocks keeps both.

use super::{array::map, each};

/// Pixels of a block, a lane each.
const PIXELS: usize = 16;

/// The first lane of each column of a block, whose quads go row by row.
const COLUMNS: [usize; 4] = [0, 1, 4, 5];

/// The first lane of each row of a block.
pub(super) const ROWS: [usize; 4] = [0, 2, 8, 10];

/// Positions of a block's columns in the table.
#[derive(Debug, Clone, Copy, Default)]
pub struct Across {
    /// Offset of each lane's column in record numbers, from the left upper record.
    pub(super) first: [i32; PIXELS],
    /// Weights of the left and the right records, as halves, by lane.
    pub(super) weights: [i32; PIXELS],
    pub(super) windows: Option<Windows>,
}

/// Positions of a block's rows in the table.
#[derive(Debug, Clone, Copy, Default)]
pub struct Down {
    /// Offset of each lane's row in record numbers, from the left upper record.
    pub(super) first: [i32; PIXELS],
    /// Weight of the lower records, by lane.
    pub(super) y: [f32; PIXELS],
    /// The least and the most that any adds.
    range: [i32; 2],
}

/// Samples of a block.
#[derive(Debug, Clone, Copy)]
pub struct BlockSamples<'a> {
    /// Records, as [`super::Lanes::bilinear`] has them.
    pub table: &'a [u32],
    /// Number of records from a record to the one below it.
    pub stride: i32,
    /// Positions of its columns in the table.
    pub across: &'a Across,
    /// Positions of its rows in the table.
    pub down: &'a Down,
}

/// Records that a window holds.
const WINDOW: i32 = 4;

/// Two windows in each row of records, which hold those of all columns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Windows {
    /// First records of both, but for what the row adds.
    pub(super) starts: [i32; 2],
    /// Positions of the left and the right numbers in the eight records, as halves, by channel and column.
    pub(super) taps: [i32; PIXELS],
    /// Weights of these numbers, in the same order.
    pub(super) weights: [i32; PIXELS],
}

impl Across {
    /// Creates columns of these numbers, and weights of the left and the right records as halves, by lane; `shares`:
    /// whether windows are of use.
    #[inline(always)]
    pub(super) fn new(first: [i32; PIXELS], weights: [i32; PIXELS], shares: bool) -> Self {
        let mut across = Self {
            first,
            weights,
            windows: None,
        };
        if shares {
            across.windows = Windows::of(&across);
        }
        across
    }
}

impl Down {
    /// Creates rows of these numbers and weights of the lower records, by lane.
    #[inline(always)]
    pub(super) fn new(first: [i32; PIXELS], y: [f32; PIXELS]) -> Self {
        let [a, b, c, d] = each!(4, row => first[ROWS[row]]);
        Self {
            first,
            y,
            range: [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))],
        }
    }
}

impl Windows {
    /// Windows for these columns; `None` if they are too far apart.
    #[inline(always)]
    fn of(across: &Across) -> Option<Self> {
        let columns = each!(4, column => across.first[COLUMNS[column]]);
        let [a, b, c, d] = columns;
        let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
        let in_a_row = i64::from(high) - i64::from(low) < i64::from(2 * WINDOW - 1);
        // Else some columns lie before a gap, and the others behind it.
        let second = if in_a_row {
            low.checked_add(WINDOW)?
        } else {
            high.checked_sub(WINDOW - 2)?
        };
        let places = map(
            columns,
            #[inline(always)]
            |column| {
                let (in_first, in_second) = (column.wrapping_sub(low), column.wrapping_sub(second));
                match (in_first, in_second) {
                    (0..WINDOW, _) if in_first < WINDOW - 1 || in_a_row => in_first,
                    (_, 0..WINDOW) => in_second + WINDOW,
                    _ => -1,
                }
            },
        );
        if places.contains(&-1) {
            return None;
        }
        let mut windows = Self {
            starts: [low, second],
            ..Self::default()
        };
        let mut lane = 0;
        while lane < PIXELS {
            let (channel, column) = (lane as i32 / 4, lane % 4);
            let left = places[column] * 4 + channel;
            windows.taps[lane] = left | (left + 4) << 16;
            windows.weights[lane] = across.weights[COLUMNS[column]];
            lane += 1;
        }
        Some(windows)
    }

    /// Whether the table holds both windows in all rows of a block, and the records below.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "AVX-512 alone reads windows")
    )]
    #[inline(always)]
    pub(super) fn lie_in(&self, block: &BlockSamples<'_>) -> bool {
        let BlockSamples {
            table,
            stride,
            down,
            ..
        } = *block;
        let [low, second] = each!(2, window => i64::from(self.starts[window]));
        let [least, most] = each!(2, end => i64::from(down.range[end]));
        // Numbers of records are lanes' integers.
        let n_records = (table.len() / 2).min(i32::MAX as usize) as i64;
        let last = low.max(second) + most + i64::from(stride) + i64::from(WINDOW);
        low.min(second) + least >= 0 && stride >= 0 && last <= n_records
    }
}
