//! Changes that the papers make to the machine: one file or folder a technique, each against seams of [`azulejo_gpu`].
//!
//! The machine does not depend on this room; [`Technique`]s are handed to it when it is built. [`guide`] shows how to write
//! one.
//!
//! ```
//! # mod azulejo { pub use azulejo_gpu as gpu; pub use azulejo_grid as grid; pub use azulejo_technique as technique; pub use azulejo_trace as trace; }
//! use azulejo::gpu::machine::MachineSpec;
//! use azulejo::grid::TileGrid;
//! use azulejo::technique::{RE, machine_with};
//! use azulejo::trace::InstructionClass;
//! use azulejo::trace::synthetic::{CoveredScreen, independent};
//!
//! let grid = TileGrid { width: 128, height: 64, tile_size: 32 };
//! let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 10));
//! let mut machine = machine_with(&MachineSpec::built_in("mali450-re", &[])?, &[&RE])?;
//! let skipped = [0, 1, 2].map(|number| machine.run_frame(&screen.frame(number)).map(|report| report.tiles_skipped()));
//! let [first, second, third] = skipped;
//! assert_eq!((first?, second?, third?), (0, 0, 8), "the third frame is in the first one's buffer");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc = include_str!("guide.md")]
pub mod guide {}

pub mod boustrophedonic;
pub mod dash;
pub mod dfsl;
pub mod khepri;
pub mod libra;
pub mod memoization;
pub mod rendering_elimination;
pub mod transaction_elimination;

mod crc_tables;
mod history;
mod ranking;

#[cfg(test)]
mod tests;

use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::parameters::ParameterError;
use azulejo_gpu::{BuildError, Gpu, MapSpec, Seams, TechniqueSeams};

use khepri::Khepri;
use libra::{Libra, LibraSpec};
use rendering_elimination::RenderingElimination;
use transaction_elimination::TransactionElimination;

/// A technique: a constructor for seams of a machine, with its names.
#[derive(Debug, Clone, Copy)]
pub struct Technique {
    /// Name on the command line, in machine files and in reports; no spaces, commas, dots or `+`.
    pub name: &'static str,
    /// Name of the technique in papers.
    pub title: &'static str,
    /// Effect of the technique, in a line.
    pub about: &'static str,
    /// Publication that describes it.
    pub paper: &'static str,
    /// Builds its seams for a machine, fresh; reads its parameters from the machine's `[technique.NAME]` and refuses those
    /// that it cannot work with.
    pub build: fn(&MachineSpec) -> Result<Seams, ParameterError>,
    /// Values for every tile of a frame, for pictures of the screen: each name once among all techniques and costs.
    pub maps: &'static [&'static MapSpec],
    /// Part of it that the renderer on the host may do, without a machine.
    pub host: Option<HostHook>,
}

/// Work that a technique lets the renderer on the host leave out. The picture is equal with and without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HostHook {
    /// Keep the pixels of a tile whose inputs are those of the frame that its buffer holds.
    KeepEqualTiles,
}

/// [Rendering Elimination](rendering_elimination): tiles whose inputs did not change are not drawn.
pub const RE: Technique = Technique {
    name: rendering_elimination::NAME,
    title: "Rendering Elimination",
    about: "tiles whose inputs did not change are not drawn",
    paper: "Anglada et al., HPCA 2019",
    build: |spec| {
        let parameters = spec.technique.part(rendering_elimination::NAME).get()?;
        Ok(Seams::of_elider(RenderingElimination::new(parameters)))
    },
    maps: &[],
    host: Some(HostHook::KeepEqualTiles),
};

/// [Transaction Elimination](transaction_elimination): tiles whose colours did not change are not flushed.
pub const TE: Technique = Technique {
    name: transaction_elimination::NAME,
    title: "Transaction Elimination",
    about: "tiles whose colours did not change are not flushed",
    paper: "Arm; as modelled by Anglada et al., HPCA 2019, section IV-C",
    build: |spec| {
        no_parameters(spec, transaction_elimination::NAME)?;
        Ok(Seams::of_elider(TransactionElimination::default()))
    },
    maps: &[],
    host: None,
};

/// [LIBRA](libra): one Raster Unit draws tiles that press on the memory while the others draw those that do not.
pub const LIBRA: Technique = Technique {
    name: libra::NAME,
    title: "LIBRA",
    about: "supertiles by temperature: one Raster Unit from the hot end, the others from the cold end",
    paper: "Tomás et al., LIBRA: Memory Bandwidth- and Locality-Aware Parallel Tile Rendering",
    build: |spec| {
        let table = spec.technique.part(libra::NAME);
        let parameters: LibraSpec = table.get()?;
        if !parameters.has_first_edge() {
            return Err(table.error("first_edge", "0 or one of supertile_edges"));
        }
        Ok(Seams::of_scheduler(Libra::new(&parameters)))
    },
    maps: libra::MAPS,
    host: None,
};

/// [KHEPRI](khepri): each tile is drawn by the type of shader core that suits it.
pub const KHEPRI: Technique = Technique {
    name: khepri::NAME,
    title: "KHEPRI",
    about: "regions of tiles that miss much to memory cores, the others to compute cores",
    paper: "Tomás et al., Design of a GPU with Heterogeneous Cores for Graphics",
    build: |spec| {
        let parameters = spec.technique.part(khepri::NAME);
        Khepri::new(spec, &parameters).map(Seams::of_scheduler)
    },
    maps: khepri::MAPS,
    host: None,
};

/// [Boustrophedonic Frames](boustrophedonic): every second frame goes over its tiles backwards.
pub const BOUSTRO: Technique = Technique {
    name: boustrophedonic::NAME,
    title: "Boustrophedonic Frames",
    about: "every second frame goes over its tiles backwards",
    paper: "Joseph et al., PACT 2023",
    build: |spec| {
        no_parameters(spec, boustrophedonic::NAME)?;
        Ok(boustrophedonic::seams(spec))
    },
    maps: &[],
    host: None,
};

/// [DFSL](dfsl): work tiles of the size that was fastest for the frames before.
pub const DFSL: Technique = Technique {
    name: dfsl::NAME,
    title: "DFSL",
    about: "work tiles of the size that was fastest for the frames before",
    paper: "Gubran and Aamodt, Emerald, ISCA 2019, section 6",
    build: dfsl::seams,
    maps: &[],
    host: None,
};

/// [DASH](dash): the DRAM serves accelerators that are late first, then cores that need little of it.
pub const DASH: Technique = Technique {
    name: dash::NAME,
    title: "DASH",
    about: "the DRAM serves first who is late for a deadline, then cores that need little",
    paper: "Usui et al., TACO 2016; as evaluated by Gubran and Aamodt, ISCA 2019",
    build: dash::seams,
    maps: &[],
    host: None,
};

/// Every technique, in the order in which lists show them.
pub const TECHNIQUES: &[Technique] = &[RE, TE, LIBRA, KHEPRI, BOUSTRO, DFSL, DASH];

impl Technique {
    /// Finds the technique of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        TECHNIQUES.iter().find(|technique| technique.name == name)
    }

    /// Finds the technique that reports the map of a name, and the map's description.
    #[must_use]
    pub fn of_map(name: &str) -> Option<(&'static Self, &'static MapSpec)> {
        let maps = TECHNIQUES
            .iter()
            .flat_map(|technique| technique.maps.iter().map(move |map| (technique, *map)));
        maps.into_iter().find(|(_, map)| map.name == name)
    }
}

/// A machine with techniques, which may be none: they work side by side.
///
/// # Errors
/// If the machine cannot be built, a technique refuses its parameters, or two techniques take the same seam.
pub fn machine_with(spec: &MachineSpec, techniques: &[&Technique]) -> Result<Gpu, BuildError> {
    let seams = techniques.iter().map(|technique| {
        let seams = (technique.build)(spec)?;
        let technique = technique.name;
        Ok(TechniqueSeams { technique, seams })
    });
    let seams = seams.collect::<Result<Vec<_>, ParameterError>>()?;
    Gpu::with_seams(spec, seams)
}

/// Refuses parameters of a technique that has none.
fn no_parameters(spec: &MachineSpec, technique: &str) -> Result<(), ParameterError> {
    let table = spec.technique.part(technique);
    let first = table.keys().next();
    first.map_or(Ok(()), |key| {
        Err(table.error(key, format!("no parameters of technique {technique}")))
    })
}

/// Refuses a machine that has parameters of unknown techniques, or that a technique refuses, whether or not it is switched
/// on: a misspelt name would otherwise go unnoticed.
///
/// # Errors
/// Names file, key, value and what is expected of the first such parameter.
pub fn check_parameters(spec: &MachineSpec) -> Result<(), ParameterError> {
    for name in spec.technique.keys() {
        let technique = Technique::find(name).ok_or_else(|| {
            let known: Vec<_> = TECHNIQUES.iter().map(|technique| technique.name).collect();
            let expected = format!("a technique by name: {}", known.join(", "));
            spec.technique.error(name, expected)
        })?;
        (technique.build)(spec)?;
    }
    Ok(())
}
