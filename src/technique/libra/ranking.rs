//! Temperatures of supertiles and their ranking, in the widths of section III-E: costs of the frame before in, hottest
//! first out.

use std::cmp::Reverse;

use crate::ranking::comparisons;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::{FrameReport, MemoryKind, TechniqueMemory};
use azulejo_grid::TileId;
use azulejo_units::{Bytes, Cycles};

/// Bits of an entry: DRAM accesses, instructions, and accesses per instruction; the supertile's number comes on top.
const ACCESS_BITS: u32 = 16;
const INSTRUCTION_BITS: u32 = 24;
const RATIO_BITS: u32 = 15;
/// Cycles of a comparison: two reads, the comparison itself, two writes, a cycle each pair.
const COMPARISON_CYCLES: u64 = 3;
/// Bytes of an entry at the paper's screen.
const ENTRY: u64 = 8;

/// Temperature of each supertile: its ratio of accesses to instructions, as the hardware holds it.
#[derive(Debug)]
pub(super) struct TemperatureTable {
    ratios: Vec<u32>,
}

impl TemperatureTable {
    pub(super) fn new(supertiles: &[Vec<TileId>], previous: &FrameReport) -> Self {
        let ratios = supertiles.iter().map(|tiles| {
            let costs = tiles
                .iter()
                .map(|tile| &previous.tiles[tile.0 as usize].cost);
            let (mut accesses, mut instructions) = (0_u64, 0_u64);
            for cost in costs {
                let lines = Traffic::OF_THE_RASTER_PIPELINE.map(|traffic| cost.dram_lines[traffic]);
                accesses = lines.into_iter().fold(accesses, u64::saturating_add);
                instructions = instructions.saturating_add(cost.instructions);
            }
            ratio(accesses, instructions)
        });
        Self {
            ratios: ratios.collect(),
        }
    }

    /// Puts the supertiles that the table was made of hottest first; equal ones stay as they come.
    pub(super) fn rank(&mut self, supertiles: &mut Vec<Vec<TileId>>) {
        let mut ranked: Vec<_> = supertiles.drain(..).zip(self.ratios.drain(..)).collect();
        ranked.sort_by_key(|(_, ratio)| Reverse(*ratio));
        (*supertiles, self.ratios) = ranked.into_iter().unzip();
    }

    /// DRAM accesses of a supertile for a thousand instructions, as far as the table's bits go; in the order of the table.
    pub(super) fn per_thousand(&self) -> impl Iterator<Item = f64> {
        let one = f64::from(1 << RATIO_BITS);
        self.ratios
            .iter()
            .map(move |ratio| 1000.0 * f64::from(*ratio) / one)
    }
}

/// Accesses per instruction as a fraction of [`RATIO_BITS`] bits. All three numbers stop at the most that their bits hold;
/// accesses without instructions are as hot as can be.
pub(super) fn ratio(accesses: u64, instructions: u64) -> u32 {
    let most = |bits: u32| (1_u64 << bits) - 1;
    let accesses = accesses.min(most(ACCESS_BITS));
    let instructions = instructions.min(most(INSTRUCTION_BITS));
    let ratio = match (accesses, instructions) {
        (0, _) => 0,
        (_, 0) => u64::MAX,
        _ => (accesses << RATIO_BITS) / instructions,
    };
    ratio.min(most(RATIO_BITS)) as u32
}

/// Cycles to rank `n` supertiles: n log2 n comparisons, as the paper estimates them.
pub(super) fn ranking_cycles(n: usize) -> Cycles {
    Cycles(COMPARISON_CYCLES * comparisons(n as u64) as u64)
}

/// Table on the chip: an entry for each of the smallest supertiles, with a number just wide enough. Each comparison reads
/// and may write two entries; counting the frame's accesses and instructions is not in it, as the paper does not say how
/// often the counters are written back.
pub(super) fn memory(entries: u64, ranking_cycles: u64) -> TechniqueMemory {
    let number_bits = entries.next_power_of_two().trailing_zeros();
    let entry_bits = ACCESS_BITS + INSTRUCTION_BITS + RATIO_BITS + number_bits;
    let comparisons = ranking_cycles / COMPARISON_CYCLES;
    TechniqueMemory {
        name: "Temperature Table",
        kind: MemoryKind::Ram,
        size: Bytes((entries * u64::from(entry_bits)).div_ceil(8)),
        count: 1,
        word: Bytes(ENTRY),
        reads: 2 * comparisons,
        writes: 2 * comparisons,
    }
}
