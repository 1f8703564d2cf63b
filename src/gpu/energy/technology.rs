//! What one event costs: a technology's tables in, with a machine's changes, energies for arrays of any size out.

use serde::Deserialize;

use crate::gpu::parameters::{Base, Document, ParameterError, amount, in_range};
use crate::units::{Bytes, Milliwatts, Picojoules};

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

/// One array of a size: energies of its accesses, and its leakage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sram {
    /// Of a 64-byte read, in pJ.
    pub read: Picojoules,
    /// Of a 64-byte write, in pJ.
    pub write: Picojoules,
    /// Subthreshold and gate leakage of the whole array, in mW.
    pub leakage: Milliwatts,
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
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct Operation {
    #[serde(rename = "alu_pJ", deserialize_with = "amount")]
    alu: Picojoules,
    #[serde(rename = "transcendental_pJ", deserialize_with = "amount")]
    transcendental: Picojoules,
}

/// A technology: tables by size of array, and energies of arithmetic.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EnergySpec {
    /// Feature size in nm.
    #[serde(deserialize_with = "in_range::<1, 1000, _, _>")]
    pub node_nm: u32,
    cache: Vec<Row>,
    sequential: Vec<Row>,
    ram: Vec<Row>,
    operation: Operation,
}

impl EnergySpec {
    /// Reads a machine's `[energy]`: the technology that it names, with what the table says otherwise; none where it says "none".
    ///
    /// # Errors
    /// If nobody ships the technology, or a value has no sense.
    pub fn from_document(document: &Document) -> Result<Option<Self>, ParameterError> {
        match document.text("technology") {
            Some("none") => return Ok(None),
            Some(_) => {}
            None => return Err(document.error("technology", expected_names())),
        }
        let document = document.based(BASE)?;
        let spec: Self = document.get()?;
        let tables = [
            ("cache", &spec.cache),
            ("sequential", &spec.sequential),
            ("ram", &spec.ram),
        ];
        for (key, rows) in tables {
            if rows.is_empty() || !rows.is_sorted_by(|low, high| low.size_kib < high.size_kib) {
                return Err(document.error(key, "at least one array, by ascending size_KiB"));
            }
        }
        Ok(Some(spec))
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
        interpolate(&self.cache, size)
    }

    /// A cache that reads the tags first: second-level caches.
    #[must_use]
    pub fn sequential_cache(&self, size: Bytes) -> Sram {
        interpolate(&self.sequential, size)
    }

    /// An array without tags.
    #[must_use]
    pub fn ram(&self, size: Bytes) -> Sram {
        interpolate(&self.ram, size)
    }

    /// One arithmetic operation of one thread, in pJ.
    #[must_use]
    pub const fn alu(&self) -> Picojoules {
        self.operation.alu
    }

    /// One special function of one thread, in pJ.
    #[must_use]
    pub const fn transcendental(&self) -> Picojoules {
        self.operation.transcendental
    }
}

/// A machine names its technology; no technology names another.
const BASE: Base<'static> = Base {
    key: "technology",
    find: &shipped,
};

fn shipped(name: &str) -> Result<String, String> {
    let found = TECHNOLOGIES.iter().find(|(known, _)| *known == name);
    let text = found.map(|(_, text)| (*text).to_owned());
    text.ok_or_else(expected_names)
}

fn expected_names() -> String {
    let names: Vec<_> = TECHNOLOGIES.iter().map(|(name, _)| *name).collect();
    format!("one of none, {}", names.join(", "))
}

/// Between two rows linearly in the size. Outside them leakage goes with the size, energy with its square root (the length of the lines).
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
        }
    };
    match above {
        Some(0) => scaled(&rows[0]),
        None => rows.last().map_or(
            Sram {
                read: Picojoules::ZERO,
                write: Picojoules::ZERO,
                leakage: Milliwatts::default(),
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

    #[test]
    fn technology_of_a_machine_takes_changes_and_refuses_nonsense() {
        let read = |text: &str| {
            let none = Base {
                key: "base",
                find: &|_| Err(String::new()),
            };
            EnergySpec::from_document(&Document::read("m", text, none).expect("TOML"))
        };
        let text = "technology = \"cacti-22nm-lop\"\noperation.alu_pJ = 0.5";
        let spec = read(text).expect("valid").expect("a technology");
        assert_eq!(spec.alu(), Picojoules(0.5), "changed");
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
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(error.to_string(), message, "{text}");
        }
    }

    #[test]
    fn arrays_of_the_table_are_the_table() {
        let spec = EnergySpec::named("cacti-22nm-lop").expect("shipped");
        let l2 = spec.sequential_cache(Bytes(2 << 20));
        assert!(
            (l2.read.0 - 106.357).abs() < 1e-9,
            "2 MiB, sequential: {l2:?}"
        );
        let l1 = spec.cache(Bytes(32 << 10));
        assert!((l1.leakage.0 - 1.7495).abs() < 1e-9, "32 KiB: {l1:?}");
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
