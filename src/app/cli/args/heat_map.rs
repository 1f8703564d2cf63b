//! `--heatmap NAME[=FILE.png]`: what a map shows, and where it goes.

use std::path::PathBuf;

use super::png_path;
use crate::report::heatmap::TileMeasure;

/// `--heatmap` as typed.
#[derive(Debug)]
pub(in crate::app::cli) struct HeatMapArg<T: 'static> {
    pub(in crate::app::cli) measure: &'static TileMeasure<T>,
    pub(in crate::app::cli) file: Option<PathBuf>,
}

// Not derived, because a copy needs none of the tile's record.
impl<T> Clone for HeatMapArg<T> {
    fn clone(&self) -> Self {
        Self {
            measure: self.measure,
            file: self.file.clone(),
        }
    }
}

/// `NAME` or `NAME=FILE.png`, of a table of measures.
pub(in crate::app::cli) fn heat_map<T>(
    table: &'static [TileMeasure<T>],
    text: &str,
) -> Result<HeatMapArg<T>, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(png_path(file)?)),
        None => (text, None),
    };
    let measure = TileMeasure::by_name(table, name)
        .ok_or_else(|| "no such heat map; `azulejo list` names them".to_owned())?;
    Ok(HeatMapArg { measure, file })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::report::heatmap::TILE_COUNTERS;

    #[test]
    fn heat_map_names_a_measure_and_perhaps_a_file() {
        let map = heat_map(TILE_COUNTERS, "quads-shaded=a/b.png").unwrap();
        assert_eq!(map.measure.name, "quads_shaded", "measure");
        assert_eq!(map.file.as_deref(), Some(Path::new("a/b.png")), "file");
        let unnamed = heat_map(TILE_COUNTERS, "overdraw").unwrap();
        assert!(unnamed.file.is_none(), "named after the picture");
        for wrong in ["", "heat", "overdraw=map.jpg"] {
            assert!(heat_map(TILE_COUNTERS, wrong).is_err(), "{wrong}");
        }
    }
}
