//! Storage and area of what techniques add to a chip: each on the machine of its paper, in the paper's terms.
//!
//! The memories are those that the technique itself reports of a frame, whose energy every study charges; sizes follow from
//! the screen's tiles. Types of cores that a technique needs are held against as many cores of the type `baseline`: of what
//! they differ in, texture caches, miss registers and operand collectors are counted. Instruction buffers are not, of whose
//! entries no source tells the size, nor is the register file, which by the sizes that the paper states stays as it is.

use serde::{Deserialize, Serialize};

use super::definition::{
    Findings, Least, MOST_GROUPS, Measures, Needs, Setup, Study, StudyTable, Usual,
};
use super::elimination::StudyError;
use super::error::RunError;
use super::figures::{FigureSpec, FigureTitle, Unit, ratio};
use super::record::Record;
use super::sampling::Sampling;
use azulejo_gpu::machine::MachineSpec;
use azulejo_soc::SocSpec;
use azulejo_technique::{KHEPRI, LIBRA, RE, TE, Technique, check_parameters, machine_with};
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, independent};

/// Techniques that add memories, with the built-in machine of the paper.
pub const ADDED: [(&Technique, &str); 4] = [
    (&RE, "mali450-re"),
    (&TE, "mali450-re"),
    (&LIBRA, "valhall-libra"),
    (&KHEPRI, "valhall-khepri"),
];

/// A memory that a technique adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AddedMemory {
    /// Name in the paper.
    pub name: String,
    /// Bytes of all memories of its kind.
    pub bytes: u64,
    /// Area of all of its kind in mm2; `None` where the machine names no technology.
    pub mm2: Option<f64>,
}

/// Hardware that a technique adds to a machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Hardware {
    /// Name of the machine.
    pub machine: String,
    /// Memories that the technique reports.
    pub memories: Vec<AddedMemory>,
    /// Bytes that its types of cores need less than as many baseline cores.
    pub saved_by_cores: i64,
    /// Area of the L2 in mm2.
    pub l2_mm2: Option<f64>,
    /// Area of cores, caches and tile buffers in mm2.
    pub chip_mm2: Option<f64>,
}

impl Hardware {
    /// Hardware of `technique` on `machine`, by two frames of an empty screen, so that the second has a previous one.
    ///
    /// # Errors
    /// If the machine cannot be built with the technique.
    pub fn of(technique: &Technique, machine: &MachineSpec) -> Result<Self, StudyError> {
        let mut gpu = machine_with(machine, &[technique])?;
        let program = independent(InstructionClass::Alu, 1);
        let screen = CoveredScreen {
            layers: 0,
            ..CoveredScreen::new(machine.screen.grid, program)
        };
        gpu.run_frame(&screen.frame(0))?;
        let report = gpu.run_frame(&screen.frame(1))?;
        let energies = machine.energy.as_ref();
        let added = report.technique(technique.name);
        let memories = added.map_or(&[][..], |added| &added.memories);
        let area = energies.map(|energies| energies.chip_area(machine, &report));
        Ok(Self {
            machine: machine.name.clone(),
            memories: memories
                .iter()
                .map(|memory| AddedMemory {
                    name: memory.name.to_owned(),
                    bytes: memory.size.0 * u64::from(memory.count),
                    mm2: energies.map(|energies| energies.memory_area(memory)),
                })
                .collect(),
            saved_by_cores: saved_by_cores(machine),
            l2_mm2: area.map(|area| area.l2),
            chip_mm2: area.map(|area| area.total()),
        })
    }

    /// Sum of its memories, bytes.
    fn added(&self) -> u64 {
        self.memories.iter().map(|memory| memory.bytes).sum()
    }

    /// Balance in bytes: those saved by cores, less those added; negative where more are added.
    fn saved(&self) -> f64 {
        self.saved_by_cores as f64 - self.added() as f64
    }

    /// Area of its memories, as a share of another.
    fn share(&self, of: Option<f64>) -> Option<f64> {
        let areas = self.memories.iter().map(|memory| memory.mm2);
        ratio(areas.sum::<Option<f64>>()?, of?)
    }
}

/// Bytes that the cores of a machine with several types need less than as many of the type `baseline`.
fn saved_by_cores(machine: &MachineSpec) -> i64 {
    let raster = &machine.raster;
    let Some(energies) = &machine.energy else {
        return 0;
    };
    let bytes = |core| i64::try_from(energies.core_storage(core).0).unwrap_or(i64::MAX);
    let known = raster.core_types.iter();
    let baseline = known.clone().find(|kind| kind.name == "baseline");
    let is_mixed = raster.units.windows(2).any(|pair| pair[0] != pair[1]);
    let Some(baseline) = baseline.filter(|_| is_mixed) else {
        return 0;
    };
    let types = raster
        .units
        .iter()
        .filter_map(|unit| raster.core_types.get(*unit));
    let saved = types.map(|kind| bytes(&baseline.core) - bytes(&kind.core));
    saved.sum::<i64>() * i64::from(raster.cores_per_unit)
}

const KIB: f64 = 1024.0;

/// Figures of storage and area, of techniques in place of games.
pub const AREA_FIGURES: &[FigureSpec<Hardware>] = &[
    FigureSpec {
        id: "area.storage",
        title: "storage of a technique: its memories, what its types of cores save, and both",
        unit: Unit::Kibibytes,
        columns: &["added", "saved by cores", "saved in all"],
        bars: |hardware| {
            let saved = [
                hardware.added() as f64,
                hardware.saved_by_cores as f64,
                hardware.saved(),
            ];
            saved.map(|bytes| Some(bytes / KIB)).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "area.share",
        title: "area of a technique's memories, of the L2's and of that of cores, caches and tile buffers",
        energy: true,
        columns: &["of the L2", "of the GPU"],
        bars: |hardware| {
            vec![
                hardware.share(hardware.l2_mm2),
                hardware.share(hardware.chip_mm2),
            ]
        },
        ..FigureSpec::BARS
    },
];

/// Storage and area of techniques.
pub const AREA_STUDY: Study = Study {
    title: "Storage and area of what techniques add",
    paper: "storage and area as the papers of the techniques state them",
    about: "memories that techniques report on the machines of their papers",
    usual: Usual {
        machine: "mali450-re",
        machine_in_words: Some("each technique's paper's"),
        frames: 50,
        quick_frames: 5,
        sampling: Sampling::Groups { most: MOST_GROUPS },
    },
    least: Least { frames: 0, why: "" },
    kept_as: |_| "area",
    in_all: true,
    in_numbers: true,
    ..Study::new("area", &AddedHardware)
};

/// Measurement of the hardware that techniques add, each on the machine of its paper or on the named one.
#[derive(Debug)]
struct AddedHardware;

impl Measures for AddedHardware {
    fn figures(&self) -> Vec<FigureTitle> {
        AREA_FIGURES.iter().map(FigureSpec::heading).collect()
    }

    fn needs(&self, _: &[&str]) -> Needs {
        Needs::Machines
    }

    fn measure(&self, setup: &Setup<'_>) -> Result<Findings, RunError> {
        let mut added = Vec::new();
        for (technique, machine) in ADDED {
            let spec = match setup.names_machine {
                true => setup.machine.clone(),
                false => MachineSpec::built_in(machine, setup.changes)?,
            };
            check_parameters(&spec)?;
            SocSpec::of(&spec)?;
            if setup.names_machine && machine_with(&spec, &[technique]).is_err() {
                continue;
            }
            let hardware = Hardware::of(technique, &spec);
            let hardware = hardware.map_err(|error| RunError::Lineup(error.into()))?;
            added.push((technique.name.to_owned(), hardware));
        }
        if added.is_empty() {
            return Err(RunError::NoMemories);
        }
        let find = |id: &&str| AREA_FIGURES.iter().find(|spec| spec.id == *id);
        let figures = setup.figures.iter().filter_map(find);
        let record = |(name, own): &(String, Hardware)| Ok((name.clone(), Record::of(own)?));
        let games = added.iter().map(record).collect::<serde_json::Result<_>>();
        Ok(Findings {
            figures: figures.map(|spec| spec.draw(&added)).collect(),
            decimals: 2,
            trends: Vec::new(),
            samples: Vec::new(),
            tables: vec![memories(&added)],
            games: games.map_err(|error| RunError::Workload(error.into()))?,
        })
    }
}

/// Table of the memories, one by one.
fn memories(added: &[(String, Hardware)]) -> StudyTable {
    let of = |(technique, hardware): &(String, Hardware)| -> Vec<Vec<String>> {
        let row = |memory: &AddedMemory| {
            let area = memory.mm2.map_or("-".to_owned(), |mm2| format!("{mm2:.5}"));
            vec![
                technique.clone(),
                hardware.machine.clone(),
                memory.name.clone(),
                memory.bytes.to_string(),
                area,
            ]
        };
        hardware.memories.iter().map(row).collect()
    };
    StudyTable {
        title: "memories",
        note: "sizes: as the technique reports them on the machine's screen; mm2: CACTI's arrays of the machine's technology, constant \
            tables as memories that can be written; cores: texture caches, miss registers and operand collectors of its types of \
            cores, beside as many of type baseline",
        columns: &["technique", "machine", "memory", "bytes", "mm2"],
        words: 3,
        rows: added.iter().flat_map(of).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(technique: &Technique, machine: &str) -> Hardware {
        let machine = MachineSpec::built_in(machine, &[]).expect("shipped");
        Hardware::of(technique, &machine).expect("it runs")
    }

    /// LIBRA, section III-E: 510 entries of 64 bits. Rendering Elimination, Table I: 3600 tiles of two signatures, sixteen
    /// tables, and the memories that the paper gives no size of.
    #[test]
    fn storage_is_that_of_the_papers() {
        assert_eq!(of(&LIBRA, "valhall-libra").added(), 4080, "4 KB");
        let re = of(&RE, "mali450-re");
        let bytes = |name: &str| {
            let found = re.memories.iter().find(|memory| memory.name == name);
            found.expect("reported").bytes
        };
        assert_eq!(bytes("Signature Buffer"), 3600 * 4 * 2, "28.8 KB");
        assert_eq!(bytes("Compute CRC tables"), 12 << 10, "sign and shift");
        let khepri = of(&KHEPRI, "valhall-khepri");
        let kib = khepri.added() as f64 / KIB;
        assert!(
            (16.4..16.7).contains(&kib),
            "16.4 and the visited tiles: {kib}"
        );
    }

    /// KHEPRI, Table II, four cores each: caches 256 to 160 KiB, miss registers 1024 to 640 of 16 bytes, collectors 96 to
    /// 120 of three operands of sixteen threads.
    #[test]
    fn cores_save_what_their_types_have_less() {
        let saved = of(&KHEPRI, "valhall-khepri").saved_by_cores;
        let expected = (96 << 10) + 384 * 16 - 24 * 3 * 16 * 4;
        assert_eq!(saved, expected, "bytes");
        assert_eq!(of(&LIBRA, "valhall-libra").saved_by_cores, 0, "one type");
    }

    #[test]
    fn shares_are_sums_of_areas() {
        let mut hardware = Hardware {
            memories: [0.01, 0.02]
                .map(|mm2| AddedMemory {
                    name: "a".to_owned(),
                    bytes: 1024,
                    mm2: Some(mm2),
                })
                .to_vec(),
            l2_mm2: Some(0.3),
            chip_mm2: Some(3.0),
            ..Hardware::default()
        };
        let share = hardware.share(hardware.l2_mm2).expect("known");
        assert!((share - 0.1).abs() < 1e-12, "0.03 of 0.3: {share}");
        assert_eq!(hardware.saved(), -2048.0, "it adds");
        hardware.memories[0].mm2 = None;
        assert_eq!(hardware.share(hardware.l2_mm2), None, "not known");
    }
}
