//! Energy of single events: a technology's tables in, with a machine's changes, energies for arrays of any size at the
//! chip's voltage out.

use serde::Deserialize;

use super::link_tables::{InterfaceTable, RequestTable, WireTable};
use super::logic::{Areas, LogicTable, OperationTable, Operations, QueueEntries};
use crate::parameters::{Base, Document, ParameterError, amount, in_range, size};
use azulejo_units::{Bytes, Milliwatts, Picojoules};

/// The technologies that come with the program.
pub const TECHNOLOGIES: [(&str, &str); 2] = [
    (
        "cacti-22nm-lop",
        include_str!("../../../assets/energy/cacti-22nm-lop.toml"),
    ),
    (
        "cacti-32nm-lop",
        include_str!("../../../assets/energy/cacti-32nm-lop.toml"),
    ),
];

/// The TOML text of a technology that comes with the program, if there is one of this name.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static str> {
    let found = TECHNOLOGIES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// One array of a size: energies of its accesses, and its leakage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sram {
    /// Energy of a 64-byte read, in pJ.
    pub read: Picojoules,
    /// Energy of a 64-byte write, in pJ.
    pub write: Picojoules,
    /// Subthreshold and gate leakage of the whole array, in mW.
    pub leakage: Milliwatts,
    /// Area of the whole array, in mm2.
    pub area: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct Row {
    #[serde(
        rename = "size_KiB",
        deserialize_with = "in_range::<1, 1_048_576, _, _>"
    )]
    size_kib: u32,
    #[serde(rename = "read_pJ", deserialize_with = "amount")]
    read: Picojoules,
    #[serde(rename = "write_pJ", deserialize_with = "amount")]
    write: Picojoules,
    #[serde(rename = "leakage_mW", deserialize_with = "amount")]
    leakage: Milliwatts,
    #[serde(rename = "area_mm2", deserialize_with = "amount")]
    area: f64,
}

/// A technology: tables of arrays by size, energies and areas of logic, and the voltages that they hold at.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EnergySpec {
    /// Feature size in nm.
    #[serde(deserialize_with = "in_range::<1, 1000, _, _>")]
    pub node_nm: u32,
    /// Supply voltage of the chip.
    #[serde(rename = "voltage_V", deserialize_with = "amount")]
    voltage: f64,
    /// Voltage that the tables of arrays and the leakage of logic hold at.
    #[serde(rename = "array_voltage_V", deserialize_with = "amount")]
    array_voltage: f64,
    cache: Vec<Row>,
    sequential: Vec<Row>,
    ram: Vec<Row>,
    rom: RomTable,
    operation: OperationTable,
    logic: LogicTable,
    #[serde(deserialize_with = "size")]
    instruction_cache: Bytes,
    queue: QueueEntries,
    request: RequestTable,
    wire: WireTable,
    interface: InterfaceTable,
    clock: ClockTree,
}

/// `[rom]`: constant tables, beside an array of the same size that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct RomTable {
    #[serde(deserialize_with = "amount")]
    leakage_of_ram: f64,
}

/// `[clock]`: the tree's part of the energy of events.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct ClockTree {
    #[serde(deserialize_with = "amount")]
    share: f64,
}

/// Voltages that a chip could have.
const VOLTAGES: std::ops::RangeInclusive<f64> = 0.1..=5.0;
/// The most that a clock tree may take of the energy of events.
const CLOCK_SHARES: std::ops::RangeInclusive<f64> = 0.0..=0.9;

impl EnergySpec {
    /// Reads a machine's `[energy]`: the technology that it names, with what the table says otherwise; none where it says
    /// "none".
    ///
    /// # Errors
    /// If no technology of that name is shipped, or a value has no sense.
    pub fn from_document(document: &Document) -> Result<Option<Self>, ParameterError> {
        let Some(document) = Self::layers(document)? else {
            return Ok(None);
        };
        let spec: Self = document.get()?;
        spec.check(&document)?;
        Ok(Some(spec))
    }

    /// The table over the technology that it names: every key that counts; nothing where it names `none`.
    ///
    /// # Errors
    /// If it names none that there is.
    pub fn layers(document: &Document) -> Result<Option<Document>, ParameterError> {
        match document.text("technology") {
            Some("none") => Ok(None),
            Some(_) => document.based(BASE).map(Some),
            None => Err(document.error("technology", expected_names())),
        }
    }

    fn check(&self, document: &Document) -> Result<(), ParameterError> {
        let tables = [
            ("cache", &self.cache),
            ("sequential", &self.sequential),
            ("ram", &self.ram),
        ];
        for (key, rows) in tables {
            if rows.is_empty() || !rows.is_sorted_by(|low, high| low.size_kib < high.size_kib) {
                return Err(document.error(key, "at least one array, by ascending size_KiB"));
            }
        }
        let numbers = [
            ("voltage_V", self.voltage, VOLTAGES),
            ("array_voltage_V", self.array_voltage, VOLTAGES),
            ("operation.voltage_V", self.operation.voltage, VOLTAGES),
            ("wire.voltage_V", self.wire.voltage, VOLTAGES),
            ("clock.share", self.clock.share, CLOCK_SHARES),
        ];
        for (key, value, range) in numbers {
            if !range.contains(&value) {
                let expected = format!("a number from {} to {}", range.start(), range.end());
                return Err(document.error(key, expected));
            }
        }
        Ok(())
    }

    /// A technology that comes with the program.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let text = shipped(name).ok()?;
        // The shipped files are tested to be valid.
        Document::read(name, &text, BASE).ok()?.get().ok()
    }

    /// A cache that reads tags and data together: first-level caches.
    #[must_use]
    pub fn cache(&self, size: Bytes) -> Sram {
        self.at_voltage(interpolate(&self.cache, size))
    }

    /// A cache that reads the tags first: second-level caches.
    #[must_use]
    pub fn sequential_cache(&self, size: Bytes) -> Sram {
        self.at_voltage(interpolate(&self.sequential, size))
    }

    /// An array without tags.
    #[must_use]
    pub fn ram(&self, size: Bytes) -> Sram {
        self.at_voltage(interpolate(&self.ram, size))
    }

    /// Subthreshold and gate leakage of a constant table, which is read as an array without tags is.
    #[must_use]
    pub fn rom_leakage(&self, size: Bytes) -> Milliwatts {
        self.ram(size).leakage * self.rom.leakage_of_ram
    }

    /// One arithmetic operation of one thread, in pJ.
    #[must_use]
    pub fn alu(&self) -> Picojoules {
        self.operations().alu
    }

    /// One special function of one thread, in pJ.
    #[must_use]
    pub fn transcendental(&self) -> Picojoules {
        self.operations().transcendental
    }

    /// The clock tree's energy as a multiple of that of all that it drives.
    #[must_use]
    pub fn clock_of_rest(&self) -> f64 {
        self.clock.share / (1.0 - self.clock.share)
    }

    pub(super) fn operations(&self) -> Operations {
        self.operation.at(self.node_nm, self.voltage)
    }

    pub(super) fn areas(&self) -> Areas {
        self.operation.areas_at(self.node_nm)
    }

    pub(super) const fn queue_entries(&self) -> QueueEntries {
        self.queue
    }

    /// Leakage of a mm2 of arithmetic.
    pub(super) fn arithmetic_leakage(&self) -> Milliwatts {
        self.logic.arithmetic * self.leakage_factor()
    }

    /// Leakage of a core's control and its instruction cache.
    pub(super) fn control_leakage(&self) -> Milliwatts {
        self.leakage_of_processor(self.logic.control_area)
    }

    /// Leakage of the command processor, whose instruction cache is as large as a core's.
    pub(super) fn command_leakage(&self) -> Milliwatts {
        self.leakage_of_processor(self.logic.command_area)
    }

    /// A core's control and its instruction cache, in mm2.
    pub(super) fn control_area(&self) -> f64 {
        self.logic.control_area + self.cache(self.instruction_cache).area
    }

    fn leakage_of_processor(&self, area: f64) -> Milliwatts {
        let mut leakage = self.logic.control * (area * self.leakage_factor());
        leakage += self.cache(self.instruction_cache).leakage;
        leakage
    }

    pub(super) const fn requests(&self) -> RequestTable {
        self.request
    }

    /// A bit that may be anything, over a mm of wire.
    pub(super) fn wire_bit(&self) -> Picojoules {
        self.wire.bit_at(self.voltage)
    }

    pub(super) const fn interface(&self) -> &InterfaceTable {
        &self.interface
    }

    /// Energy goes with the square of the voltage; leakage with the voltage, since a device type is made for the same
    /// leakage current at its own supply.
    fn at_voltage(&self, table: Sram) -> Sram {
        let squared = (self.voltage / self.array_voltage).powi(2);
        Sram {
            read: table.read * squared,
            write: table.write * squared,
            leakage: table.leakage * self.leakage_factor(),
            area: table.area,
        }
    }

    fn leakage_factor(&self) -> f64 {
        self.voltage / self.array_voltage
    }
}

/// A machine names its technology; no technology names another.
const BASE: Base<'static> = Base {
    key: "technology",
    find: &shipped,
};

fn shipped(name: &str) -> Result<String, String> {
    let text = built_in(name).map(str::to_owned);
    text.ok_or_else(expected_names)
}

fn expected_names() -> String {
    let names: Vec<_> = TECHNOLOGIES.iter().map(|(name, _)| *name).collect();
    format!("one of none, {}", names.join(", "))
}

/// Between two rows linearly in the size. Outside them leakage and area go with the size, energy with its square root (the
/// length of the lines).
fn interpolate(rows: &[Row], size: Bytes) -> Sram {
    let kib = size.0 as f64 / 1024.0;
    let size_of = |row: &Row| f64::from(row.size_kib);
    let above = rows.iter().position(|row| size_of(row) >= kib);
    let scaled = |row: &Row| {
        let ratio = kib / size_of(row);
        Sram {
            read: row.read * ratio.sqrt(),
            write: row.write * ratio.sqrt(),
            leakage: row.leakage * ratio,
            area: row.area * ratio,
        }
    };
    match above {
        Some(0) => scaled(&rows[0]),
        None => rows.last().map_or(
            Sram {
                read: Picojoules::ZERO,
                write: Picojoules::ZERO,
                leakage: Milliwatts::default(),
                area: 0.0,
            },
            scaled,
        ),
        Some(nth) => {
            let (low, high) = (&rows[nth - 1], &rows[nth]);
            let part = (kib - size_of(low)) / (size_of(high) - size_of(low));
            let between = |low: f64, high: f64| low + (high - low) * part;
            Sram {
                read: Picojoules(between(low.read.0, high.read.0)),
                write: Picojoules(between(low.write.0, high.write.0)),
                leakage: Milliwatts(between(low.leakage.0, high.leakage.0)),
                area: between(low.area, high.area),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn technologies_all_parse() {
        for (name, _) in TECHNOLOGIES {
            assert!(EnergySpec::named(name).is_some(), "{name}");
        }
        assert_eq!(EnergySpec::named("7nm"), None, "unknown");
    }

    fn read(text: &str) -> Result<Option<EnergySpec>, ParameterError> {
        let none = Base {
            key: "base",
            find: &|_| Err(String::new()),
        };
        EnergySpec::from_document(&Document::read("m", text, none).expect("TOML"))
    }

    #[test]
    fn technology_of_a_machine_takes_changes_and_refuses_nonsense() {
        let text = "technology = \"cacti-22nm-lop\"\noperation.alu_pJ = 0.5";
        let spec = read(text).expect("valid").expect("a technology");
        // 0.5 pJ at 45 nm and 0.9 V: x 22 / 45 / 0.81 for 22 nm and 1 V.
        assert!((spec.alu().0 - 0.301_783).abs() < 1e-6, "changed: {spec:?}");
        let shipped = EnergySpec::named("cacti-22nm-lop").expect("shipped");
        assert_eq!(
            spec.ram(Bytes(1024)),
            shipped.ram(Bytes(1024)),
            "not changed"
        );
        assert_eq!(read("technology = \"none\""), Ok(None), "no technology");
        for (text, message) in [
            (
                "",
                "m: technology = (missing): expected one of none, cacti-22nm-lop, cacti-32nm-lop",
            ),
            (
                "technology = 5",
                "m: technology = 5: expected one of none, cacti-22nm-lop, cacti-32nm-lop",
            ),
            (
                "technology = \"cacti-22nm-lop\"\noperation.alu_pJ = -1",
                "m: operation.alu_pJ = -1: expected a number from 0 to 1000000000",
            ),
            (
                "technology = \"cacti-22nm-lop\"\nram = []",
                "m: ram = (a list of 0): expected at least one array, by ascending size_KiB",
            ),
            (
                "technology = \"cacti-22nm-lop\"\nclock.share = 1.0",
                "m: clock.share = 1.0: expected a number from 0 to 0.9",
            ),
            (
                "technology = \"cacti-22nm-lop\"\nvoltage_V = 0",
                "m: voltage_V = 0: expected a number from 0.1 to 5",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(error.to_string(), message, "{text}");
        }
    }

    #[test]
    fn arrays_of_the_table_are_the_table_at_the_chips_voltage() {
        let spec = EnergySpec::named("cacti-22nm-lop").expect("shipped");
        let l2 = spec.sequential_cache(Bytes(2 << 20));
        // 106.357 pJ at 0.6 V, at 1 V 25/9 of it.
        assert!((l2.read.0 - 295.436_111).abs() < 1e-6, "2 MiB: {l2:?}");
        let l1 = spec.cache(Bytes(32 << 10));
        // 1.7495 mW at 0.6 V, at 1 V 5/3 of it.
        assert!((l1.leakage.0 - 2.915_833).abs() < 1e-6, "32 KiB: {l1:?}");
    }

    #[test]
    fn wires_and_pins_cost_what_their_sources_say() {
        // Keckler et al.: 256 bits over 10 mm take 310 pJ at 0.9 V.
        let text = "technology = \"cacti-22nm-lop\"\nvoltage_V = 0.9";
        let spec = read(text).expect("valid").expect("a technology");
        let over_10_mm = spec.wire_bit().0 * 256.0 * 10.0;
        assert!((over_10_mm - 310.0).abs() < 5.0, "{over_10_mm}");
        // A bit of LPDDR3-1600, and one of LPDDR4-2400, of which Dally et al. say 4 pJ.
        for (name, beat, picojoules) in [
            ("cacti-32nm-lop", 625.0, 0.96 + 3.24),
            ("cacti-22nm-lop", 415.0, 4.067),
        ] {
            let spec = EnergySpec::named(name).expect("shipped");
            let bit = spec.interface().bit(beat).0;
            assert!((bit - picojoules).abs() < 1e-3, "{name}: {bit}");
        }
    }

    #[test]
    fn operations_are_scaled_to_the_chip() {
        // 4.6 pJ and four passes of it, at 45 nm and 0.9 V: x 32 / 45 / 0.81 and x 22 / 45 / 0.81.
        for (name, alu, transcendental) in [
            ("cacti-32nm-lop", 4.038_409, 16.153_635),
            ("cacti-22nm-lop", 2.776_406, 11.105_624),
        ] {
            let spec = EnergySpec::named(name).expect("shipped");
            assert!(
                (spec.alu().0 - alu).abs() < 1e-6,
                "{name}: {:?}",
                spec.alu()
            );
            let special = spec.transcendental().0;
            assert!((special - transcendental).abs() < 1e-6, "{name}: {special}");
        }
    }

    #[test]
    fn logic_leaks_as_much_as_arrays_of_its_area_within_a_factor_of_three() {
        // CACTI's 2 MiB caches: 103.0 mW on 2.25 mm2 at 22 nm, 150.5 mW on 5.03 mm2 at 32 nm, all at 0.6 V.
        for (name, of_array) in [("cacti-22nm-lop", 45.7), ("cacti-32nm-lop", 29.9)] {
            let spec = EnergySpec::named(name).expect("shipped");
            let ratio = spec.arithmetic_leakage().0 * 0.6 / of_array;
            assert!((1.0 / 3.0..3.0).contains(&ratio), "{name}: {ratio}");
        }
    }

    #[test]
    fn arrays_between_and_outside_the_table_are_monotonic() {
        let spec = EnergySpec::named("cacti-32nm-lop").expect("shipped");
        let mut last = 0.0;
        for kib in [1, 2, 4, 6, 8, 16, 32, 48, 64, 512, 2048, 4096, 8192] {
            let sram = spec.cache(Bytes(kib << 10));
            assert!(sram.read.0 > last, "{kib} KiB: {sram:?}");
            last = sram.read.0;
        }
    }
}
