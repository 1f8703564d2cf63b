//! What one event costs: a technology's tables in, energies for arrays of any size out.

use serde::Deserialize;

use crate::units::Bytes;

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

/// One array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sram {
    /// Of a 64-byte read, in pJ.
    pub read: f64,
    /// Of a 64-byte write, in pJ.
    pub write: f64,
    /// In mW.
    pub leakage: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(rename = "size_KiB")]
    size_kib: u32,
    #[serde(rename = "read_pJ")]
    read: f64,
    #[serde(rename = "write_pJ")]
    write: f64,
    #[serde(rename = "leakage_mW")]
    leakage: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Operation {
    #[serde(rename = "alu_pJ")]
    alu: f64,
    #[serde(rename = "transcendental_pJ")]
    transcendental: f64,
}

/// A technology.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnergySpec {
    /// Feature size in nm.
    pub node_nm: u32,
    cache: Vec<Row>,
    sequential: Vec<Row>,
    ram: Vec<Row>,
    operation: Operation,
}

impl EnergySpec {
    /// A technology that comes with the program.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (_, text) = TECHNOLOGIES.iter().find(|(known, _)| *known == name)?;
        // The shipped files are tested to parse.
        toml::from_str(text).ok()
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

    /// Arithmetic of one thread, in pJ.
    #[must_use]
    pub const fn alu(&self) -> f64 {
        self.operation.alu
    }

    /// A special function of one thread, in pJ.
    #[must_use]
    pub const fn transcendental(&self) -> f64 {
        self.operation.transcendental
    }
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
                read: 0.0,
                write: 0.0,
                leakage: 0.0,
            },
            scaled,
        ),
        Some(nth) => {
            let (low, high) = (&rows[nth - 1], &rows[nth]);
            let part = (kib - size_of(low)) / (size_of(high) - size_of(low));
            let between = |low: f64, high: f64| low + (high - low) * part;
            Sram {
                read: between(low.read, high.read),
                write: between(low.write, high.write),
                leakage: between(low.leakage, high.leakage),
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
    fn arrays_of_the_table_are_the_table() {
        let spec = EnergySpec::named("cacti-22nm-lop").expect("shipped");
        let l2 = spec.sequential_cache(Bytes(2 << 20));
        assert!(
            (l2.read - 106.357).abs() < 1e-9,
            "2 MiB, sequential: {l2:?}"
        );
        let l1 = spec.cache(Bytes(32 << 10));
        assert!((l1.leakage - 1.7495).abs() < 1e-9, "32 KiB: {l1:?}");
    }

    #[test]
    fn arrays_between_and_outside_the_table_are_monotonic() {
        let spec = EnergySpec::named("cacti-32nm-lop").expect("shipped");
        let mut last = 0.0;
        for kib in [1, 2, 4, 6, 8, 16, 32, 48, 64, 512, 2048, 4096, 8192] {
            let sram = spec.cache(Bytes(kib << 10));
            assert!(sram.read > last, "{kib} KiB: {sram:?}");
            last = sram.read;
        }
    }
}
