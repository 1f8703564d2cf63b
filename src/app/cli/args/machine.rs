//! Options that say how the work is done: they change times and counters, never the picture.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};

use crate::cli::likeness::did_you_mean;
use azulejo_grid::{Binning, EXPECTED_TILE_ORDER, TileOrder};
use azulejo_render::SimdLevel;

/// Tile edges to choose from, in pixels.
pub(in crate::cli) const TILE_SIZES: [&str; 5] = ["8", "16", "32", "64", "128"];

/// Instruction sets by name; not each machine has each.
const SIMD_LEVELS: [(&str, SimdLevel); 5] = [
    ("auto", SimdLevel::Auto),
    ("scalar", SimdLevel::Scalar),
    ("avx2", SimdLevel::Avx2),
    ("avx512", SimdLevel::Avx512),
    ("neon", SimdLevel::Neon),
];

/// Options of how the work is done; the picture is the same for each.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Machine (the picture is the same for each of these)")]
pub(in crate::cli) struct MachineArgs {
    /// Raster Units that work in parallel; 0 takes one for each core
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(in crate::cli) threads: u16,
    /// Edge of a tile in pixels
    #[arg(long, value_name = "PIXELS", default_value = "32", value_parser = tile_size_parser())]
    pub(in crate::cli) tile_size: u32,
    /// Test by which tiles list a triangle
    ///
    /// Exact lists it in the tiles that no edge of it excludes, bounding-box in all that its bounding box overlaps.
    #[arg(long, value_name = "TEST", default_value = "exact", value_parser = binning_parser())]
    pub(in crate::cli) binning: Binning,
    /// Order in which tiles are visited; `azulejo list` names the orders
    ///
    /// Perhaps by supertiles, and there and back in turn: hilbert:4x4, s-order:alternate.
    #[arg(long, value_name = "ORDER", default_value = "scanline", value_parser = TileOrderParser)]
    pub(in crate::cli) tile_order: TileOrder,
    /// Instruction set; auto takes the best of this machine
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = simd_parser())]
    pub(in crate::cli) simd: SimdLevel,
}

fn tile_size_parser() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(TILE_SIZES).try_map(|size| size.parse::<u32>())
}

/// Parser of orders as [`TileOrder`] reads them; offers those of one word for completion.
#[derive(Debug, Clone, Copy)]
struct TileOrderParser;

impl TypedValueParser for TileOrderParser {
    type Value = TileOrder;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<TileOrder, clap::Error> {
        let parser = StringValueParser::new().try_map(|text| tile_order(&text));
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = TileOrder::NAMED.into_iter().map(|(_, name)| name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

fn tile_order(text: &str) -> Result<TileOrder, String> {
    let order = text.parse();
    order.map_err(|_| {
        let meant = did_you_mean(text, TileOrder::NAMED.map(|(_, name)| name));
        format!("no such order{meant}; expected {EXPECTED_TILE_ORDER}")
    })
}

fn binning_parser() -> impl TypedValueParser<Value = Binning> {
    PossibleValuesParser::new(Binning::ALL.map(|(_, name)| name))
        .try_map(|name| name.parse::<Binning>())
}

fn simd_parser() -> impl TypedValueParser<Value = SimdLevel> {
    let of_name = |name: String| {
        let found = SIMD_LEVELS.iter().find(|(known, _)| *known == name);
        found.map(|(_, level)| *level).unwrap_or_default()
    };
    PossibleValuesParser::new(SIMD_LEVELS.map(|(name, _)| name)).map(of_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simd_levels_are_named_as_they_print() {
        for (name, level) in SIMD_LEVELS {
            assert_eq!(level.to_string(), name, "one name everywhere");
        }
    }
}
