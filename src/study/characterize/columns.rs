//! Columns of a character: name, heading, form, and value of each, for tables of all kinds and for published targets.

use super::Character;
use azulejo_report::{grouped, percent};

/// Column of a table of characters.
#[derive(Debug, Clone, Copy)]
pub struct CharacterColumn {
    /// Name for programs.
    pub key: &'static str,
    /// Heading for people.
    pub heading: &'static str,
    /// Table that it belongs to, for people.
    pub group: ColumnGroup,
    /// Form of its values.
    pub form: ColumnForm,
    /// Value of a character; `None` where no frame could tell.
    pub of: fn(&Character) -> Option<f64>,
}

/// Table of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnGroup {
    /// Content of frames.
    Content,
    /// Cycles of frames, and tiles.
    Time,
    /// Caches and the DRAM.
    Memory,
    /// Runs on further machines.
    Cores,
}

/// Form of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnForm {
    /// Shares of 1, printed in percent.
    Share,
    /// Bytes, printed in megabytes.
    Megabytes,
    /// Counts, printed whole.
    Whole,
    /// Numbers with so many decimals.
    Decimals(usize),
}

impl ColumnForm {
    /// Value in words.
    #[must_use]
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Share => percent((value * 1e6) as u64, 1_000_000),
            Self::Megabytes => format!("{:.2} MB", value / 1e6),
            Self::Whole => grouped(value.round() as u64),
            Self::Decimals(n) => format!("{value:.n$}"),
        }
    }
}

impl ColumnGroup {
    /// All tables, in their order.
    pub const ALL: [Self; 4] = [Self::Content, Self::Time, Self::Memory, Self::Cores];

    /// Heading of the table.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Content => {
                "of a frame; programs that fragments run, with instructions and texture samples of a fragment"
            }
            Self::Time => {
                "cycles of a frame; memory time is what ideal memory would save, memory-intensive from 25 % on (LIBRA, \
                 Fig. 6a);\nalike: tiles whose DRAM lines differ by less than 20 % from the frame before (LIBRA, Fig. 8); \
                 intensity: DRAM lines an instruction,\nstandard deviation over tiles, of the mean"
            }
            Self::Memory => {
                "a thousand warp instructions: accesses of texture caches that do not hit, lines that they request, those \
                 that the L2 has not,\nlines read from the DRAM; copies: lines that come while another texture cache holds \
                 them; then shares of DRAM lines"
            }
            Self::Cores => {
                "raster speed of eight cores in a unit, of four; of KHEPRI's memory cores, of compute cores; tiles that \
                 prefer memory cores"
            }
        }
    }
}

const fn column(
    key: &'static str,
    heading: &'static str,
    group: ColumnGroup,
    form: ColumnForm,
    of: fn(&Character) -> Option<f64>,
) -> CharacterColumn {
    CharacterColumn {
        key,
        heading,
        group,
        form,
        of,
    }
}

/// Columns in the order of tables; those of older versions first in a file, the others behind them.
pub const CHARACTER_COLUMNS: &[CharacterColumn] = {
    use ColumnForm::{Decimals, Megabytes, Share, Whole};
    use ColumnGroup::{Content, Cores, Memory, Time};
    const PER_KILO: ColumnForm = Decimals(1);
    &[
        column("texture_bytes", "texels", Content, Megabytes, |own| {
            own.texture_bytes
        }),
        column("equal_colors", "equal colours", Content, Share, |own| {
            own.equal_colors
        }),
        column("equal_inputs", "equal inputs", Content, Share, |own| {
            own.equal_inputs
        }),
        column("overdraw", "overdraw", Content, Decimals(2), |own| {
            own.overdraw
        }),
        column("draws", "draws", Content, Whole, |own| own.draws),
        column("primitives", "primitives", Content, Whole, |own| {
            own.primitives
        }),
        column("raster_share", "raster share", Time, Share, |own| {
            own.raster_share
        }),
        column("memory_time", "memory time", Time, Share, |own| {
            own.memory_time
        }),
        column("l1_mpki", "L1 no hit", Memory, PER_KILO, |own| own.l1_mpki),
        column("fps", "fps", Time, Whole, |own| own.fps),
        column("dram_textures", "textures", Memory, Share, |own| {
            own.dram.textures
        }),
        column(
            "dram_parameter_buffer",
            "Parameter Buffer",
            Memory,
            Share,
            |own| own.dram.parameter_buffer,
        ),
        column("dram_colors", "colours", Memory, Share, |own| {
            own.dram.colors
        }),
        column("dram_geometry", "geometry", Memory, Share, |own| {
            own.dram.geometry
        }),
        column("programs", "programs", Content, Decimals(1), |own| {
            own.programs
        }),
        column(
            "fragment_instructions",
            "instructions",
            Content,
            Decimals(1),
            |own| own.fragment_instructions,
        ),
        column("fragment_samples", "samples", Content, Decimals(2), |own| {
            own.fragment_samples
        }),
        column("geometry_cycles", "geometry", Time, Whole, |own| {
            own.geometry_cycles
        }),
        column("raster_cycles", "raster", Time, Whole, |own| {
            own.raster_cycles
        }),
        column("cycles", "frame", Time, Whole, |own| own.cycles),
        column("l1_miss_mpki", "L1 misses", Memory, PER_KILO, |own| {
            own.l1_miss_mpki
        }),
        column("l1_copies", "copies", Memory, Share, |own| own.l1_copies),
        column(
            "l2_texture_mpki",
            "L2 misses, textures",
            Memory,
            PER_KILO,
            |own| own.l2_texture_mpki,
        ),
        column("dram_reads", "DRAM reads", Memory, PER_KILO, |own| {
            own.dram_reads
        }),
        column("tiles_alike", "alike", Time, Share, |own| own.tiles_alike),
        column("intensity_variation", "intensity", Time, Share, |own| {
            own.intensity_variation
        }),
        column(
            "eight_core_speed",
            "eight cores",
            Cores,
            Decimals(2),
            |own| own.eight_core_speed,
        ),
        column(
            "memory_core_speed",
            "memory cores",
            Cores,
            Decimals(2),
            |own| own.memory_core_speed,
        ),
        column("memory_core_tiles", "tiles", Cores, Share, |own| {
            own.memory_core_tiles
        }),
    ]
};

impl PartialEq for CharacterColumn {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl CharacterColumn {
    /// Finds the column of a name.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        CHARACTER_COLUMNS.iter().find(|column| column.key == key)
    }
}
