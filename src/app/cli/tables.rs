//! Tables for programs as files: CSV, and with the feature `parquet` the same beside it as Apache Parquet.

use std::path::{Path, PathBuf};

use super::failure::Outcome;
use super::output::Outputs;
use super::stamp::Provenance;

/// Table to be written, as CSV and its column types.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table<'a> {
    /// Name of its file without ending.
    pub(super) name: &'a str,
    pub(super) csv: &'a str,
    /// Columns that are text whatever they hold.
    #[cfg_attr(
        not(feature = "parquet"),
        expect(dead_code, reason = "cells of CSV have no types")
    )]
    pub(super) texts: &'a [&'a str],
}

/// Names of the files of a table.
pub(super) fn files(name: &str) -> Vec<String> {
    let endings: &[&str] = match cfg!(feature = "parquet") {
        true => &["csv", "parquet"],
        false => &["csv"],
    };
    endings
        .iter()
        .map(|ending| format!("{name}.{ending}"))
        .collect()
}

/// Writes the files of a table into a folder.
///
/// # Errors
/// Those of the system.
pub(super) fn write(
    outputs: &Outputs,
    folder: &Path,
    table: Table<'_>,
    made: &Provenance,
) -> Outcome<Vec<PathBuf>> {
    let mut written = Vec::new();
    for (file, bytes) in files(table.name).iter().zip(contents(table, made)?) {
        written.push(outputs.write(&folder.join(file), &bytes)?);
    }
    Ok(written)
}

#[cfg(feature = "parquet")]
fn contents(table: Table<'_>, made: &Provenance) -> Outcome<Vec<Vec<u8>>> {
    use super::failure::Failure;
    let stamp = serde_json::to_string(made).map_err(Failure::new)?;
    let parquet = azulejo_report::parquet(table.csv, table.texts, &stamp);
    let parquet = parquet.map_err(|error| Failure::new(format!("{}: {error}", table.name)))?;
    Ok(vec![table.csv.as_bytes().to_vec(), parquet])
}

#[cfg(not(feature = "parquet"))]
fn contents(table: Table<'_>, _: &Provenance) -> Outcome<Vec<Vec<u8>>> {
    Ok(vec![table.csv.as_bytes().to_vec()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_sweep::Fingerprint;

    #[test]
    fn table_is_written_once_in_each_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let table = Table {
            name: "a",
            csv: "demo,share\nmatch3,0.5\n",
            texts: &["demo"],
        };
        let made = Provenance::of(Fingerprint(1));
        let written = write(&Outputs::default(), folder.path(), table, &made).expect("written");
        assert_eq!(written.len(), files("a").len());
        let csv = std::fs::read_to_string(folder.path().join("a.csv")).expect("a file");
        assert_eq!(csv, table.csv);
        for file in written {
            let length = std::fs::metadata(&file).expect("a file").len();
            assert!(length > 0, "{}", file.display());
        }
    }
}
