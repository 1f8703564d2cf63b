//! `--heatmap NAME[=FILE.png]` and `--view NAME[=FILE.png]`: the content of a map, and its file.

use std::path::PathBuf;

use super::parse::png_path;
use crate::cli::likeness::did_you_mean;
use azulejo_gpu::statistics::TileCost;
use azulejo_gpu::{FrameReport, MapSpec, PassReport};
use azulejo_inspect::FrameView;
use azulejo_report::heatmap::{HeatScale, SKIPPED, TILE_COUNTERS, TILE_FACTS, TileMeasure};
use azulejo_report::{HeatMap, TILE_COSTS};
use azulejo_technique::{TECHNIQUES, Technique};
use azulejo_trace::{TileCounters, TileTrace};

/// Content of a map, and its file if one is named.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Mapped<T> {
    pub(in crate::cli) what: T,
    pub(in crate::cli) file: Option<PathBuf>,
}

/// Number of a tile, by its source.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) enum TileMap {
    /// Counter of the renderer, while it draws.
    Counter(&'static TileMeasure<TileCounters>),
    /// Number out of a trace of the frame.
    Fact(&'static TileMeasure<TileTrace>),
    /// Number of a machine that runs the frame.
    Machine(MachineMap),
    /// Tiles that the renderer leaves out, where a technique lets it.
    Skipped,
}

/// Number of a tile that a machine measures.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) enum MachineMap {
    /// Cost of the tile on the machine.
    Cost(&'static TileMeasure<TileCost>),
    /// Value that a technique holds or decides for the tile.
    Technique(&'static Technique, &'static MapSpec),
}

impl MachineMap {
    /// Name of the number, as in CSV.
    pub(in crate::cli) const fn name(self) -> &'static str {
        match self {
            Self::Cost(measure) => measure.name,
            Self::Technique(_, map) => map.name,
        }
    }

    /// Technique without which there is no such map.
    pub(in crate::cli) const fn technique(self) -> Option<&'static Technique> {
        match self {
            Self::Cost(_) => None,
            Self::Technique(technique, _) => Some(technique),
        }
    }

    /// Heat map of a frame; nothing where the technique has said nothing.
    pub(in crate::cli) fn of(self, frame: &FrameReport) -> Option<HeatMap> {
        match self {
            Self::Cost(measure) => Some(HeatMap::of_tiles(frame.grid, &frame.tiles, measure)),
            Self::Technique(technique, map) => {
                let map = frame.technique(technique.name)?.map(map.name)?;
                Some(HeatMap::of_technique(frame.grid, map))
            }
        }
    }

    /// Heat map of one pass of a frame; nothing of techniques, which work on the last.
    pub(in crate::cli) fn of_pass(self, pass: &PassReport) -> Option<HeatMap> {
        match self {
            Self::Cost(measure) => Some(HeatMap::of_tiles(pass.grid, &pass.tiles, measure)),
            Self::Technique(..) => None,
        }
    }

    fn by_name(name: &str) -> Option<Self> {
        let cost = || TileMeasure::by_name(TILE_COSTS, name).map(Self::Cost);
        let known = name.replace('-', "_");
        cost().or_else(|| Technique::of_map(&known).map(|(t, map)| Self::Technique(t, map)))
    }

    /// Names of all costs and of the maps of all techniques.
    fn names() -> impl Iterator<Item = &'static str> {
        let costs = TILE_COSTS.iter().map(|measure| measure.name);
        let maps = TECHNIQUES.iter().flat_map(|technique| technique.maps);
        costs.chain(maps.map(|map| map.name))
    }
}

impl TileMap {
    /// Name of the number, as in JSON or CSV.
    pub(in crate::cli) const fn name(self) -> &'static str {
        match self {
            Self::Counter(measure) => measure.name,
            Self::Fact(measure) => measure.name,
            Self::Machine(map) => map.name(),
            Self::Skipped => SKIPPED,
        }
    }
}

/// Scale by which values become colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum ScaleArg {
    /// In proportion to the value
    #[default]
    Linear,
    /// By the logarithm, for counters that span orders of magnitude
    Log,
}

impl From<ScaleArg> for HeatScale {
    fn from(scale: ScaleArg) -> Self {
        match scale {
            ScaleArg::Linear => Self::Linear,
            ScaleArg::Log => Self::Logarithmic,
        }
    }
}

/// Parses `NAME[=FILE.png]` of a cost on a machine, or of a technique's map.
pub(in crate::cli) fn machine_map(text: &str) -> Result<Mapped<MachineMap>, String> {
    mapped(text, NO_MAP, MachineMap::names(), MachineMap::by_name)
}

/// Parses `NAME[=FILE.png]` of any number of a tile.
pub(in crate::cli) fn tile_map(text: &str) -> Result<Mapped<TileMap>, String> {
    let counters = TILE_COUNTERS.iter().map(|measure| measure.name);
    let facts = TILE_FACTS.iter().map(|measure| measure.name);
    let known = counters.chain(facts).chain(MachineMap::names());
    let known = known.chain([SKIPPED]);
    mapped(text, NO_MAP, known, |name| {
        if name == SKIPPED {
            return Some(TileMap::Skipped);
        }
        let counter = || TileMeasure::by_name(TILE_COUNTERS, name).map(TileMap::Counter);
        let fact = || TileMeasure::by_name(TILE_FACTS, name).map(TileMap::Fact);
        let machine = || MachineMap::by_name(name).map(TileMap::Machine);
        counter().or_else(fact).or_else(machine)
    })
}

/// Parses `NAME[=FILE.png]` of a picture of what lies in every pixel.
pub(in crate::cli) fn frame_view(text: &str) -> Result<Mapped<FrameView>, String> {
    let names = FrameView::ALL.map(|(_, name, _)| name).join(", ");
    mapped(
        text,
        &format!("no such view; there are {names}"),
        FrameView::ALL.map(|(_, name, _)| name),
        FrameView::by_name,
    )
}

const NO_MAP: &str = "no such heat map; `azulejo list` names them";

fn mapped<'a, T>(
    text: &str,
    unknown: &str,
    known: impl IntoIterator<Item = &'a str>,
    find: impl FnOnce(&str) -> Option<T>,
) -> Result<Mapped<T>, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(png_path(file.into())?)),
        None => (text, None),
    };
    let refused = || format!("{unknown}{}", did_you_mean(&name.replace('-', "_"), known));
    let what = find(name).ok_or_else(refused)?;
    Ok(Mapped { what, file })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn heat_map_names_a_measure_and_perhaps_a_file() {
        let map = tile_map("quads-shaded=a/b.png").unwrap();
        assert_eq!(map.what.name(), "quads_shaded", "measure");
        assert_eq!(map.file.as_deref(), Some(Path::new("a/b.png")), "file");
        let unnamed = tile_map("overdraw").unwrap();
        assert!(unnamed.file.is_none(), "named after the picture");
        for wrong in ["", "heat", "overdraw=map.jpg"] {
            assert!(tile_map(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn heat_map_knows_who_tells() {
        let map = |name| tile_map(name).unwrap().what;
        assert!(matches!(map("primitives"), TileMap::Counter(_)), "counter");
        assert!(matches!(map("texture_blocks"), TileMap::Fact(_)), "fact");
        let machine = |name| match map(name) {
            TileMap::Machine(map) => map.technique().map_or("cost", |technique| technique.name),
            _ => "none",
        };
        assert_eq!(machine("dram_texture"), "cost", "cost");
        assert_eq!(machine("temperature"), "libra", "of a technique");
        assert_eq!(machine("core-type"), "khepri", "of another");
        assert!(
            machine_map("primitives").is_err(),
            "no machine counts lists"
        );
        assert!(matches!(map("skipped"), TileMap::Skipped), "the renderer's");
        assert!(
            machine_map("skipped").is_ok(),
            "a machine's, of the same name"
        );
    }

    #[test]
    fn heat_maps_have_names_of_their_own() {
        let mut names: Vec<_> = TILE_COUNTERS.iter().map(|measure| measure.name).collect();
        names.extend(TILE_FACTS.iter().map(|measure| measure.name));
        names.extend(MachineMap::names());
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n, "one meaning a name: {names:?}");
    }

    #[test]
    fn view_unknown_names_the_known_ones() {
        let refused = frame_view("heat").unwrap_err();
        assert!(refused.contains("wireframe, depth"), "{refused}");
    }
}
