//! Measures of a tile that a heat map can show, as tables that users choose from by name: one of the renderer's counters,
//! one of a machine's costs.

use azulejo_gpu::MapKind;

/// Measure of a tile, read from a record `T` of it.
#[derive(Debug)]
pub struct TileMeasure<T: 'static> {
    /// Name in the JSON or CSV of a tile.
    pub name: &'static str,
    /// Counted thing, and its relation, in words.
    pub unit: &'static str,
    /// Whether the value is divided by the tile's pixels.
    pub per_pixel: bool,
    /// Whether the map shows a tile's place in the order of the values, and not the value.
    pub ranked: bool,
    /// Kind of the numbers, which decides on their colours.
    pub kind: MapKind,
    count: fn(&T) -> u64,
}

impl<T> TileMeasure<T> {
    /// Measure of the whole tile.
    pub(crate) const fn total(
        name: &'static str,
        unit: &'static str,
        count: fn(&T) -> u64,
    ) -> Self {
        Self {
            name,
            unit,
            per_pixel: false,
            ranked: false,
            kind: MapKind::Amounts,
            count,
        }
    }

    /// Divides the measure by the tile's pixels.
    pub(crate) const fn per_pixel(mut self) -> Self {
        self.per_pixel = true;
        self
    }

    /// Shows the tile's place, from 0, in the order of the values.
    pub(crate) const fn ranked(mut self) -> Self {
        self.ranked = true;
        self
    }

    /// Takes the numbers as kinds, without other names.
    pub(crate) const fn kinds(mut self) -> Self {
        self.kind = MapKind::Kinds(&[]);
        self
    }

    /// Finds the measure of a name in a table; dashes stand for underscores as well.
    #[must_use]
    pub fn by_name<'a>(table: &'a [Self], name: &str) -> Option<&'a Self> {
        let name = name.replace('-', "_");
        table.iter().find(|measure| measure.name == name)
    }

    /// Value for a tile of `pixels` pixels.
    #[must_use]
    pub fn value(&self, tile: &T, pixels: u64) -> f64 {
        let count = (self.count)(tile) as f64;
        if self.per_pixel {
            count / pixels.max(1) as f64
        } else {
            count
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[TileMeasure<u64>] = &[
        TileMeasure::total("quads_shaded", "quads", |tile| *tile),
        TileMeasure::total("overdraw", "fragments / pixel", |tile| *tile).per_pixel(),
    ];

    #[test]
    fn tile_measure_names_take_dashes() {
        let named = |name| TileMeasure::by_name(TABLE, name).map(|measure| measure.name);
        assert_eq!(
            named("quads-shaded"),
            Some("quads_shaded"),
            "as typed by most people"
        );
        assert_eq!(named("quads"), None, "no guessing");
    }

    #[test]
    fn tile_measure_counts_by_tile_or_by_pixel() {
        let values = TABLE.iter().map(|measure| measure.value(&96, 64));
        assert_eq!(values.collect::<Vec<_>>(), [96.0, 1.5], "96 on 64 pixels");
    }
}
