//! Numbers of a tile that a heat map can show, as tables that users choose from by name: one of what the renderer counted, one of
//! what a machine spent.

use crate::gpu::MapKind;

/// A number of a tile, read from a record `T` of it.
#[derive(Debug)]
pub struct TileMeasure<T: 'static> {
    /// As in the JSON or CSV of a tile.
    pub name: &'static str,
    /// What is counted, and in relation to what.
    pub unit: &'static str,
    /// Whether the value is divided by the tile's pixels.
    pub per_pixel: bool,
    /// Whether a tile's place in the order of the values is meant, and not the value.
    pub ranked: bool,
    /// What kind of numbers they are.
    pub kind: MapKind,
    count: fn(&T) -> u64,
}

impl<T> TileMeasure<T> {
    /// A number for the whole tile.
    pub(in crate::report) const fn total(
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

    /// The same for each of the tile's pixels.
    pub(in crate::report) const fn per_pixel(mut self) -> Self {
        self.per_pixel = true;
        self
    }

    /// The tile's place, from 0, in the order of the values.
    pub(in crate::report) const fn ranked(mut self) -> Self {
        self.ranked = true;
        self
    }

    /// Numbers that are kinds, without other names.
    pub(in crate::report) const fn kinds(mut self) -> Self {
        self.kind = MapKind::Kinds(&[]);
        self
    }

    /// The measure of a name in a table; dashes stand for underscores as well.
    #[must_use]
    pub fn by_name<'a>(table: &'a [Self], name: &str) -> Option<&'a Self> {
        let name = name.replace('-', "_");
        table.iter().find(|measure| measure.name == name)
    }

    /// The value for a tile of `pixels` pixels.
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
