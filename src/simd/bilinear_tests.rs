//! Bilinear filtering of records: every backend against the scalar twin, blocks against lanes by themselves, and all
//! against double precision.

use proptest::prelude::*;

use super::{BILINEAR_SCALE, BlockSamples, LANES, LaneJob, Lanes, SimdLevel, dispatch, each};

/// A 4x4 block of samples.
#[derive(Debug, Clone)]
struct Samples {
    /// Offset of each column in record numbers (from the left upper record), and its weight.
    columns: [(i32, f32); 4],
    /// Offset of each row in record numbers, and its weight.
    rows: [(i32, f32); 4],
    stride: i32,
    table: Vec<u32>,
}

/// A lane's column and row.
fn place(lane: usize) -> [usize; 2] {
    [lane / 4 % 2 * 2 + lane % 2, lane / 8 * 2 + lane / 2 % 2]
}

impl Samples {
    fn first(&self, lane: usize) -> i32 {
        let [column, row] = place(lane);
        self.columns[column].0.wrapping_add(self.rows[row].0)
    }

    /// The four numbers of a record that lies in the table.
    fn record(&self, number: i64) -> [f64; 4] {
        let at = usize::try_from(number).expect("in the table") * 2;
        let words = [self.table[at], self.table[at + 1]];
        words
            .map(|word| [word & 0xffff, word >> 16].map(|half| f64::from(half ^ 0x8000)))
            .as_flattened()
            .try_into()
            .expect("two numbers a word")
    }

    /// Expected result of a lane, in double precision.
    fn exact(&self, lane: usize) -> [f64; 4] {
        let [column, row] = place(lane);
        let [x, y] = [self.columns[column].1, self.rows[row].1].map(f64::from);
        let (first, stride) = (i64::from(self.first(lane)), i64::from(self.stride));
        let corners = [0, 1, stride, stride + 1].map(|beyond| self.record(first + beyond));
        let weights = [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y];
        std::array::from_fn(|channel| (0..4).map(|k| corners[k][channel] * weights[k]).sum())
    }
}

/// Bits by channel and lane.
type Mixed = [[u32; LANES]; 4];

/// Lanes by themselves, and as a block.
impl LaneJob for &Samples {
    type Output = (Mixed, Mixed);

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let first = l.load_i(&std::array::from_fn(|lane| self.first(lane)));
        let column = l.load_i(&std::array::from_fn(|lane| self.columns[place(lane)[0]].0));
        let row = l.load_i(&std::array::from_fn(|lane| self.rows[place(lane)[1]].0));
        let x = l.load(&std::array::from_fn(|lane| self.columns[place(lane)[0]].1));
        let y = l.load(&std::array::from_fn(|lane| self.rows[place(lane)[1]].1));
        let bits = |mixed: [L::F; 4]| {
            each!(4, k => {
                let mut values = [0.0; LANES];
                l.store(mixed[k], &mut values);
                values.map(f32::to_bits)
            })
        };
        let alone = l.bilinear(&self.table, first, self.stride, [x, y]);
        let (across, down) = (l.across(column, x), l.down(row, y));
        let block = l.bilinear_block(&BlockSamples {
            table: &self.table,
            stride: self.stride,
            across: &across,
            down: &down,
        });
        (bits(alone), bits(block))
    }
}

/// Samples whose records lie in the table, columns in a row with up to one gap, forwards or backwards.
fn in_the_table() -> impl Strategy<Value = Samples> {
    let steps = proptest::array::uniform4(0_i32..3);
    let gap = (0_usize..4, prop_oneof![Just(0), 0_i32..200]);
    let rows = proptest::array::uniform4(0_i32..30);
    let weights = proptest::array::uniform8(0.0_f32..=1.0);
    let numbers = (10_i32..40, prop_oneof![Just(17), 1_i32..60], any::<u32>());
    (steps, gap, any::<bool>(), rows, weights, numbers).prop_map(
        |(steps, (at, gap), backwards, rows, weights, (start, stride, seed))| {
            let mut column = start;
            let mut columns: [_; 4] = std::array::from_fn(|k| {
                column += steps[k] + if k == at { gap } else { 0 };
                (column, weights[k])
            });
            if backwards {
                columns.reverse();
            }
            let rows: [_; 4] = std::array::from_fn(|k| (rows[k] * stride, weights[4 + k]));
            let last = columns.iter().map(|column| column.0).max().unwrap_or(0)
                + rows.iter().map(|row| row.0).max().unwrap_or(0);
            // The table ends with the last record that is read.
            let n_words = 2 * (last + stride + 2) as u32;
            let word = |at: u32| (at ^ seed).wrapping_mul(2_654_435_761);
            Samples {
                columns,
                rows,
                stride,
                table: (0..n_words).map(word).collect(),
            }
        },
    )
}

/// Samples anywhere, inside the table or beyond it.
fn anywhere() -> impl Strategy<Value = Samples> {
    let number = || prop_oneof![any::<i32>(), -9_i32..300];
    let four = move || proptest::array::uniform4((number(), 0.0_f32..=1.0));
    let table = proptest::collection::vec(any::<u32>(), 0..500);
    (four(), four(), number(), table).prop_map(|(columns, rows, stride, table)| Samples {
        columns,
        rows,
        stride,
        table,
    })
}

fn assert_all_levels_agree(samples: &Samples) -> Result<Mixed, TestCaseError> {
    let (expected, _) = dispatch(SimdLevel::Scalar.backend()?, samples);
    for level in SimdLevel::available() {
        let (alone, block) = dispatch(level.backend()?, samples);
        prop_assert_eq!(alone, expected, "{}", level);
        prop_assert_eq!(block, expected, "{}: block", level);
    }
    Ok(expected)
}

proptest! {
    #[test]
    fn bilinear_equals_double_precision_at_every_level(samples in in_the_table()) {
        let found = assert_all_levels_agree(&samples)?;
        for lane in 0..LANES {
            for (channel, exact) in samples.exact(lane).into_iter().enumerate() {
                let found = f64::from(f32::from_bits(found[channel][lane])) / f64::from(BILINEAR_SCALE);
                let error = (found - exact).abs();
                // Half a step of the weight at most, where neighbours are as far apart as can be.
                prop_assert!(error < 1.02, "channel {channel} of lane {lane} is {error} of 65535 off");
            }
        }
    }

    #[test]
    fn bilinear_agrees_at_every_level_wherever_records_lie(samples in anywhere()) {
        assert_all_levels_agree(&samples)?;
    }
}

#[test]
fn bilinear_of_equal_records_is_exact() {
    for number in [0_u32, 1, 255, 32_769, 65_535] {
        let samples = Samples {
            columns: [0.0, 0.1, 0.7, 1.0].map(|weight| (3, weight)),
            rows: [0.3, 0.6, 1.0, 0.0].map(|weight| (8, weight)),
            stride: 4,
            table: vec![(number | number << 16) ^ 0x8000_8000; 64],
        };
        let (mixed, _) = dispatch(SimdLevel::Scalar.backend().expect("always there"), &samples);
        let scaled = (number * BILINEAR_SCALE.cast_unsigned()) as f32;
        assert_eq!(mixed, [[scaled.to_bits(); LANES]; 4], "{number}");
    }
}

/// Whether windows hold these columns.
struct Shares([i32; 4]);

impl LaneJob for Shares {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let columns = l.load_i(&std::array::from_fn(|lane| self.0[place(lane)[0]]));
        l.across(columns, l.f(0.5)).windows.is_some()
    }
}

#[test]
fn bilinear_block_shares_reads_in_a_row_and_across_a_gap_where_halves_are_permuted() {
    let Ok(backend) = SimdLevel::Avx512.backend() else {
        return;
    };
    for columns in [[4, 5, 6, 7], [9, 7, 5, 3], [14, 15, 800, 801]] {
        assert!(dispatch(backend, Shares(columns)), "{columns:?}");
    }
    assert!(
        !dispatch(backend, Shares([0, 100, 200, 300])),
        "four places are too many for two windows"
    );
}
