//! Headlines of the papers: the machines that each compares, its number, and the conclusion that it is quoted for.

use serde::{Deserialize, Serialize};

use crate::figures::{FigureForm, FigureTitle, ratio};
use crate::scheduling::{Contestant, khepri_lineup, libra_lineup};
use crate::stated;
use crate::suites::{self, PaperSuite};
use crate::work_tiles::work_tile_lineup;
use azulejo_gpu::FrameReport;
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::parameters::ParameterError;
use azulejo_technique::{BOUSTRO, RE, Technique};

/// Headline of a paper: one number over games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Headline {
    /// Cycles with Rendering Elimination.
    Re,
    /// Two Raster Units of four cores beside one of eight.
    Ptr,
    /// LIBRA's scheduler beside tiles in turn.
    Libra,
    /// KHEPRI beside a GPU of one type of cores.
    Khepri,
    /// Two types of cores with tiles in Z-order beside one type.
    ZOrder,
    /// Boustrophedonic Frames.
    Boustro,
    /// Work tiles of the best size, which DFSL looks for.
    WorkTiles,
}

/// Sums over the frames of a game that count, on one machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    cycles: u64,
    raster_cycles: u64,
    /// Reads of texels that missed in the L2.
    texel_misses: u64,
}

impl Tally {
    pub(super) fn add(&mut self, report: &FrameReport) {
        self.cycles += report.cycles.0;
        self.raster_cycles += report.raster_cycles.0;
        self.texel_misses += report.l2.read_misses[Traffic::Texture];
    }
}

/// Columns of a headline's figure.
pub(super) const COLUMNS: &[&str] = &["least", "most"];

/// Sizes of work tiles that are compared, positions in their line-up: 1, 2, 4, 6 and 10.
const SIZES: [usize; 5] = [0, 1, 3, 5, 9];

impl Headline {
    /// All headlines, in the order of the papers.
    pub const ALL: [Self; 7] = [
        Self::Re,
        Self::Ptr,
        Self::Libra,
        Self::Khepri,
        Self::ZOrder,
        Self::Boustro,
        Self::WorkTiles,
    ];

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Re => "re",
            Self::Ptr => "ptr",
            Self::Libra => "libra",
            Self::Khepri => "khepri",
            Self::ZOrder => "zorder",
            Self::Boustro => "boustro",
            Self::WorkTiles => "worktiles",
        }
    }

    /// Quantity in words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Re => "cycles with RE, of the baseline's",
            Self::Ptr => "raster speed of two Raster Units of four cores, of one of eight",
            Self::Libra => "raster speed of LIBRA, of tiles in turn",
            Self::Khepri => "raster speed of KHEPRI, of the homogeneous GPU's",
            Self::ZOrder => {
                "raster speed of two types of cores in Z-order, of the homogeneous GPU's"
            }
            Self::Boustro => "L2 misses of texels saved there and back, in an L2 of texels alone",
            Self::WorkTiles => "speed of the best work tiles of 1, 2, 4, 6 and 10, of 1",
        }
    }

    /// Built-in machine of the paper.
    #[must_use]
    pub const fn machine(self) -> &'static str {
        match self {
            Self::Re => "mali450-re",
            Self::Ptr | Self::Libra => "valhall-libra-baseline",
            Self::Khepri | Self::ZOrder => "valhall-khepri",
            Self::Boustro => "boustrophedonic",
            Self::WorkTiles => "emerald-gpu",
        }
    }

    /// Games of the paper, or its models.
    #[must_use]
    pub const fn suite(self) -> &'static PaperSuite {
        match self {
            Self::Re => &suites::RE,
            Self::Ptr | Self::Libra => &suites::LIBRA,
            Self::Khepri | Self::ZOrder => &suites::KHEPRI,
            Self::Boustro => &suites::BOUSTRO,
            Self::WorkTiles => &suites::EM2,
        }
    }

    /// Whether a value supports the paper's conclusion.
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::Re | Self::ZOrder => value < 1.0,
            Self::Ptr | Self::Libra | Self::Khepri | Self::WorkTiles => value > 1.0,
            Self::Boustro => value > 0.0,
        }
    }

    /// Mean that the paper states, if it states one of this quantity.
    #[must_use]
    pub fn paper(self) -> Option<f64> {
        let (figure, column): (_, &[&str]) = match self {
            Self::Re => ("re.fig13a", &["total"]),
            Self::Ptr => ("libra.fig11", &["PTR, raster"]),
            Self::Libra => ("libra.fig16", &["LIBRA"]),
            Self::Khepri => ("khepri.fig6", &["raster speed"]),
            Self::ZOrder => ("khepri.fig9", &["Z-order"]),
            Self::Boustro => ("boustro.fig10", &["LRU reversed"]),
            Self::WorkTiles => return None,
        };
        let stated = stated::means(figure, column, &[None], 0);
        stated.first().map(|stated| stated.paper)
    }

    /// Title of its figure.
    pub(super) const fn figure(self) -> FigureTitle {
        let (id, title) = match self {
            Self::Re => (
                "assumptions.re",
                "change of cycles with RE, of the baseline's, by assumption",
            ),
            Self::Ptr => (
                "assumptions.ptr",
                "change of two Raster Units' raster speed, of one's, by assumption",
            ),
            Self::Libra => (
                "assumptions.libra",
                "change of LIBRA's raster speed, of tiles in turn, by assumption",
            ),
            Self::Khepri => (
                "assumptions.khepri",
                "change of KHEPRI's raster speed, of the homogeneous GPU's, by assumption",
            ),
            Self::ZOrder => (
                "assumptions.zorder",
                "change of the raster speed of two types of cores in Z-order, of the homogeneous GPU's, by assumption",
            ),
            Self::Boustro => (
                "assumptions.boustro",
                "change of the L2 misses of texels saved there and back, by assumption",
            ),
            Self::WorkTiles => (
                "assumptions.worktiles",
                "change of the speed of the best work tiles, of the smallest's, by assumption",
            ),
        };
        FigureTitle {
            id,
            title,
            energy: false,
            form: FigureForm::Tornado,
            columns: COLUMNS,
        }
    }

    /// Machines that it compares, made of the paper's.
    ///
    /// # Errors
    /// If the machine lacks parameters of the technique.
    pub(super) fn lineup(self, machine: &MachineSpec) -> Result<Vec<Contestant>, ParameterError> {
        let with = |spec: &MachineSpec, techniques: &[&'static Technique]| Contestant {
            spec: spec.clone(),
            techniques: techniques.to_vec(),
        };
        let chosen = |lineup: Vec<Contestant>, places: &[usize]| -> Vec<Contestant> {
            let found = places.iter().filter_map(|place| lineup.get(*place));
            found.cloned().collect()
        };
        Ok(match self {
            Self::Re => vec![with(machine, &[]), with(machine, &[&RE])],
            Self::Ptr => chosen(libra_lineup(machine)?, &[0, 5]),
            Self::Libra => chosen(libra_lineup(machine)?, &[5, 6]),
            Self::Khepri => chosen(khepri_lineup(machine)?, &[0, 2]),
            Self::ZOrder => chosen(khepri_lineup(machine)?, &[0, 1]),
            Self::Boustro => {
                let mut ideal = machine.clone();
                ideal.ideal.vertex_cache = true;
                ideal.ideal.tile_cache = true;
                vec![with(&ideal, &[]), with(&ideal, &[&BOUSTRO])]
            }
            Self::WorkTiles => chosen(work_tile_lineup(machine)?, &SIZES),
        })
    }

    /// Number of a game, by the sums on its machines.
    pub(super) fn value(self, sums: &[Tally]) -> Option<f64> {
        let [first, .., last] = sums else {
            return None;
        };
        let of = |part: u64, whole: u64| ratio(part as f64, whole as f64);
        match self {
            Self::Re => of(last.cycles, first.cycles),
            Self::Ptr | Self::Libra | Self::Khepri | Self::ZOrder => {
                of(first.raster_cycles, last.raster_cycles)
            }
            Self::Boustro => of(last.texel_misses, first.texel_misses).map(|left| 1.0 - left),
            Self::WorkTiles => {
                let best = sums.iter().map(|sum| sum.cycles).min()?;
                of(first.cycles, best)
            }
        }
    }
}
