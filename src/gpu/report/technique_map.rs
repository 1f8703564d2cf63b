//! Maps of a technique's state and decisions for every tile of a frame: numbers by tile, and their meaning, for pictures of
//! the screen. The machine carries them to reports and interprets none of the names.

/// Kind of the numbers of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MapKind {
    /// Amounts: twice as much is twice the number.
    Amounts,
    /// Places in an order, from 0 on: tiles of one place belong together.
    Places,
    /// One of few kinds; by number, what they are called. Kinds without a name go by their number.
    Kinds(&'static [&'static str]),
    /// Numbers of areas: tiles of one number belong together, and the numbers say nothing else.
    Areas,
}

/// Name, unit and kind of a map.
#[derive(Debug, PartialEq, Eq)]
pub struct MapSpec {
    /// As users choose it: lower case, words joined by `_`.
    pub name: &'static str,
    /// Unit that the numbers count, in relation to its reference.
    pub unit: &'static str,
    /// Kind of numbers, which decides how they are drawn.
    pub kind: MapKind,
}

/// A number for each tile of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct TechniqueMap {
    /// Name, unit and kind of the values.
    pub spec: &'static MapSpec,
    /// Value of each tile, by [`azulejo_grid::TileId`].
    pub values: Vec<f64>,
}

impl TechniqueMap {
    /// The map of tiles in groups: each has the number of its group, from 0 on.
    #[must_use]
    pub fn of_groups<'a>(
        spec: &'static MapSpec,
        n_tiles: u32,
        groups: impl IntoIterator<Item = &'a [azulejo_grid::TileId]>,
    ) -> Self {
        let mut values = vec![0.0; n_tiles as usize];
        for (number, group) in groups.into_iter().enumerate() {
            for tile in group {
                values[tile.0 as usize] = number as f64;
            }
        }
        Self { spec, values }
    }
}
