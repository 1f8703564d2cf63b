//! Heat maps: one number a tile, drawn as a picture of the screen with a legend below.
//!
//! The colour is linear in the value from 0 to the frame's maximum, so that a tile twice as bright in [`viridis`]'s scale
//! did twice the work; or, where few tiles dwarf the others, logarithmic. Beneath the colour the frame's picture shines
//! through, dimmed and without its own colours. If numbers are kinds or areas, each has a colour of its own, and a dark
//! line lies between tiles that differ.
//!
//! ```
//! # mod azulejo { pub use azulejo_grid as grid; pub use azulejo_report as report; pub use azulejo_trace as trace; }
//! use azulejo::grid::TileGrid;
//! use azulejo::report::HeatMap;
//! use azulejo::report::heatmap::{TILE_COUNTERS, TileMeasure};
//! use azulejo::trace::TileCounters;
//!
//! let grid = TileGrid { width: 64, height: 32, tile_size: 32 };
//! let tiles = [10, 30].map(|primitives| TileCounters { primitives, ..TileCounters::default() });
//! let measure = TileMeasure::by_name(TILE_COUNTERS, "primitives").ok_or("no such counter")?;
//! let map = HeatMap::of_tiles(grid, &tiles, measure);
//! assert_eq!((map.mean(), map.max()), (20.0, 30.0));
//! let bitmap = map.draw(&[]); // over black; else over the frame's picture
//! assert_eq!(bitmap.width, 64);
//! # Ok::<(), &str>(())
//! ```

mod color_map;
mod counter;
mod legend;
mod measure;

pub use color_map::{distinct, viridis};
pub use counter::{SKIPPED, TILE_COUNTERS, TILE_FACTS};
#[doc(hidden)]
pub use legend::short_number;
pub use legend::{Legend, Swatch};
pub use measure::TileMeasure;

use std::collections::BTreeSet;

use crate::Bitmap;
use azulejo_gpu::{MapKind, TechniqueMap};
use azulejo_grid::{TileGrid, TileId};

/// Map of the screen with a number for each tile.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// Grid of tiles that the screen is cut into.
    pub grid: TileGrid,
    /// Values, one for each tile, by [`TileId`].
    pub values: Vec<f64>,
    /// Counted quantity, as the legend has it.
    pub title: String,
    /// Unit of the values.
    pub unit: String,
    /// Scale from value to colour, of amounts and places.
    pub scale: HeatScale,
    /// Kind of the values, which decides on their colours.
    pub kind: MapKind,
}

/// Scale from value to colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum HeatScale {
    /// Colour in proportion to the value.
    #[default]
    Linear,
    /// Colour by log(1 + value): for counters that span orders of magnitude.
    Logarithmic,
}

impl HeatScale {
    /// Position of a value in 0..=1 on a scale that ends at `max`.
    #[must_use]
    pub fn position(self, value: f64, max: f64) -> f64 {
        if max <= 0.0 {
            return 0.0;
        }
        match self {
            Self::Linear => value / max,
            Self::Logarithmic => value.ln_1p() / max.ln_1p(),
        }
    }
}

/// Share of heat in a pixel's colour; the rest is the picture beneath.
const HEAT_SHARE: f64 = 0.75;
/// Brightness of a pixel on the line between two tiles.
const GRID_LINE: f64 = 0.8;
/// Brightness of a pixel on the line between tiles that do not belong together.
const BORDER: f64 = 0.15;
/// Pixels of a tile's edge for each pixel of such a line.
const TILE_OF_BORDER: u32 = 16;
/// Most colours with a name in a legend.
const MAX_SWATCHES: usize = 8;
/// Tiles smaller than this get no lines: there would be nothing else.
const SMALLEST_TILE_WITH_LINES: u32 = 8;

impl HeatMap {
    /// Map of one measure of a frame's tiles, which come by [`TileId`].
    #[must_use]
    pub fn of_tiles<T>(grid: TileGrid, tiles: &[T], measure: &TileMeasure<T>) -> Self {
        let value = |(id, tile)| measure.value(tile, grid.rect(TileId(id)).area());
        let values: Vec<f64> = (0..).zip(tiles).map(value).collect();
        Self {
            grid,
            values: if measure.ranked {
                ranks(&values)
            } else {
                values
            },
            title: measure.name.replace('_', " "),
            unit: measure.unit.to_owned(),
            scale: HeatScale::Linear,
            kind: measure.kind,
        }
    }

    /// Map of a technique's values for a frame's tiles.
    #[must_use]
    pub fn of_technique(grid: TileGrid, map: &TechniqueMap) -> Self {
        Self {
            grid,
            values: map.values.clone(),
            title: map.spec.name.replace('_', " "),
            unit: map.spec.unit.to_owned(),
            scale: HeatScale::Linear,
            kind: map.spec.kind,
        }
    }

    /// Map [`SKIPPED`]: 1 for every tile that was left out, which come by [`TileId`].
    #[must_use]
    pub fn of_skipped(grid: TileGrid, skipped: impl IntoIterator<Item = bool>) -> Self {
        let values = skipped.into_iter();
        Self {
            grid,
            values: values.map(|skipped| f64::from(u8::from(skipped))).collect(),
            title: SKIPPED.to_owned(),
            unit: "1 where the tile kept its pixels".to_owned(),
            scale: HeatScale::Linear,
            kind: MapKind::Amounts,
        }
    }

    /// Returns the map with another scale.
    #[must_use]
    pub fn scaled(self, scale: HeatScale) -> Self {
        Self { scale, ..self }
    }

    /// Returns the legend of the colours.
    #[must_use]
    pub fn legend(&self) -> Legend {
        let title = format!("{}: {}", self.title, self.unit);
        let of_scale = |middle: String| {
            let scale = match self.scale {
                HeatScale::Linear => "",
                HeatScale::Logarithmic => ", logarithmic",
            };
            Legend {
                title: format!("{title}{scale}"),
                scale: Some(["0".to_owned(), middle, short_number(self.max())]),
                kinds: Vec::new(),
            }
        };
        match self.kind {
            MapKind::Amounts => {
                let [mean, min] = [self.mean(), self.min()].map(short_number);
                of_scale(format!("mean {mean}  min {min}"))
            }
            MapKind::Places => of_scale(format!("{} places", self.numbers().len())),
            MapKind::Areas => Legend {
                title: format!("{title}, {} of them", self.numbers().len()),
                ..Legend::default()
            },
            MapKind::Kinds(names) => Legend {
                title,
                kinds: self.swatches(names),
                ..Legend::default()
            },
        }
    }

    /// Swatches of the kinds that there are, at least all with a name.
    fn swatches(&self, names: &[&str]) -> Vec<Swatch> {
        let mut numbers = self.numbers();
        numbers.extend(0..names.len());
        let named = |number: usize| {
            let name = names.get(number).map(|name| (*name).to_owned());
            Swatch {
                color: distinct(number),
                name: name.unwrap_or_else(|| number.to_string()),
            }
        };
        numbers.into_iter().take(MAX_SWATCHES).map(named).collect()
    }

    /// Values as whole numbers, each once.
    fn numbers(&self) -> BTreeSet<usize> {
        self.values.iter().map(|value| *value as usize).collect()
    }

    /// Colours of all tiles, sRGB-encoded, by [`TileId`].
    #[must_use]
    pub fn tile_colors(&self) -> Vec<[u8; 3]> {
        let max = self.max();
        let color = |value: &f64| match self.kind {
            MapKind::Amounts | MapKind::Places => viridis(self.scale.position(*value, max)),
            MapKind::Kinds(_) | MapKind::Areas => distinct(*value as usize),
        };
        self.values.iter().map(color).collect()
    }

    /// Whether two tiles lie on different sides of a border; amounts have none.
    #[must_use]
    pub fn is_border(&self, one: TileId, other: TileId) -> bool {
        let value = |tile: TileId| self.values.get(tile.0 as usize);
        self.kind != MapKind::Amounts && value(one) != value(other)
    }

    /// Largest value over the tiles; 0 if there is none above.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    /// Mean of the values over tiles.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len().max(1) as f64
    }

    /// Smallest value over the tiles.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.values.iter().copied().fold(self.max(), f64::min)
    }

    /// Draws the map over `picture`, the frame's pixels (black where it is shorter than the screen), with a legend below.
    #[must_use]
    pub fn draw(&self, picture: &[[u8; 4]]) -> Bitmap {
        let TileGrid { width, height, .. } = self.grid;
        let colors = self.tile_colors();
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let beneath = picture.get(pixels.len()).copied().unwrap_or_default();
                pixels.push(self.pixel(&colors, x, y, beneath));
            }
        }
        let legend = self.legend().draw(width);
        pixels.extend_from_slice(&legend.pixels);
        Bitmap {
            width,
            height: height + legend.height,
            pixels,
        }
    }

    fn pixel(&self, colors: &[[u8; 3]], x: u32, y: u32, beneath: [u8; 4]) -> [u8; 4] {
        let size = self.grid.tile_size;
        let tile = self.grid.tile_at(x / size, y / size);
        let heat = colors.get(tile.0 as usize).copied().unwrap_or_default();
        let light = self.light(x, y);
        let grey = (1.0 - HEAT_SHARE) * luma(beneath);
        let mixed = heat.map(|channel| light * (HEAT_SHARE * f64::from(channel) + grey));
        let [r, g, b] = mixed.map(|channel| channel.round() as u8);
        [r, g, b, 255]
    }

    /// Brightness of a pixel: lines between tiles lie along their left and upper edges.
    fn light(&self, x: u32, y: u32) -> f64 {
        let size = self.grid.tile_size;
        if size < SMALLEST_TILE_WITH_LINES {
            return 1.0;
        }
        let (column, row) = (x / size, y / size);
        let (inside_x, inside_y) = (x % size, y % size);
        let width = (size / TILE_OF_BORDER).max(1);
        let tile = self.grid.tile_at(column, row);
        let left = column > 0
            && inside_x < width
            && self.is_border(tile, self.grid.tile_at(column - 1, row));
        let above =
            row > 0 && inside_y < width && self.is_border(tile, self.grid.tile_at(column, row - 1));
        if left || above {
            BORDER
        } else if inside_x == 0 || inside_y == 0 {
            GRID_LINE
        } else {
            1.0
        }
    }
}

/// Ranks of the values, each its place among all, from 0; equal values keep their order.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for (rank, at) in order.into_iter().enumerate() {
        ranks[at] = rank as f64;
    }
    ranks
}

/// Brightness of an encoded pixel over black, 0..=255 (weights of Rec. 709).
fn luma([r, g, b, alpha]: [u8; 4]) -> f64 {
    let [r, g, b] = [r, g, b].map(f64::from);
    (0.2126 * r + 0.7152 * g + 0.0722 * b) * f64::from(alpha) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> HeatMap {
        HeatMap {
            grid: TileGrid {
                width: 160,
                height: 64,
                tile_size: 32,
            },
            values: vec![0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0, 0.0],
            title: "overdraw".to_owned(),
            unit: "fragments / pixel".to_owned(),
            scale: HeatScale::Linear,
            kind: MapKind::Amounts,
        }
    }

    #[test]
    fn heat_map_of_kinds_has_a_colour_and_a_name_for_each() {
        let kinds = HeatMap {
            kind: MapKind::Kinds(&["compute", "memory"]),
            values: vec![0.0, 1.0, 1.0, 3.0, 0.0, 0.0, 1.0, 1.0, 3.0, 0.0],
            ..map()
        };
        let colors = kinds.tile_colors();
        assert_eq!([colors[0], colors[3]], [0, 3].map(distinct), "by number");
        let legend = kinds.legend();
        let names: Vec<_> = legend.kinds.iter().map(|swatch| &*swatch.name).collect();
        assert_eq!(names, ["compute", "memory", "3"], "names, then numbers");
        assert_eq!(legend.scale, None, "no scale");
    }

    #[test]
    fn heat_map_of_areas_has_dark_lines_between_them_alone() {
        let areas = HeatMap {
            kind: MapKind::Areas,
            values: vec![0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
            ..map()
        };
        let light = |x, y| areas.light(x, y);
        assert_eq!(light(64, 16), BORDER, "0 to 1");
        assert_eq!(light(65, 16), BORDER, "two pixels of 32");
        assert_eq!(light(66, 16), 1.0, "no more");
        assert_eq!(light(32, 16), GRID_LINE, "within an area");
        assert_eq!(light(80, 32), BORDER, "above");
        assert_eq!(light(144, 32), GRID_LINE, "the same above");
        assert_eq!(map().light(64, 16), GRID_LINE, "amounts have no borders");
    }

    #[test]
    fn heat_map_is_the_screen_with_a_legend() {
        let bitmap = map().draw(&[]);
        assert_eq!(bitmap.width, 160, "as wide as the screen");
        assert!(bitmap.height > 64, "legend below");
        let pixels = bitmap.width as usize * bitmap.height as usize;
        assert_eq!(bitmap.pixels.len(), pixels, "every pixel once");
    }

    #[test]
    fn heat_map_colours_follow_the_values() {
        let bitmap = map().draw(&[]);
        let centre = |column: usize| luma(bitmap.pixels[16 * 160 + 32 * column + 16]);
        for column in 1..5 {
            assert!(
                centre(column) > centre(column - 1),
                "tile {column} holds more than its left neighbour"
            );
        }
    }

    #[test]
    fn heat_map_scales_meet_at_both_ends() {
        for scale in [HeatScale::Linear, HeatScale::Logarithmic] {
            let ends = [0.0, 1000.0].map(|value| scale.position(value, 1000.0));
            assert_eq!(ends, [0.0, 1.0], "{scale:?}");
            assert_eq!(scale.position(0.0, 0.0), 0.0, "{scale:?}: nothing at all");
        }
        let small = HeatScale::Logarithmic.position(9.0, 999.0);
        assert!((small - 1.0 / 3.0).abs() < 1e-12, "10 of 1000: {small}");
    }

    #[test]
    fn heat_map_of_ranks_has_each_number_once() {
        assert_eq!(
            ranks(&[5.0, 2.0, 5.0, 9.0]),
            [1.0, 0.0, 2.0, 3.0],
            "ties keep order"
        );
    }

    #[test]
    fn heat_map_shows_the_picture_beneath() {
        let white = vec![[255; 4]; 160 * 64];
        let (over_black, over_white) = (map().draw(&[]), map().draw(&white));
        let at = 16 * 160 + 16;
        assert!(
            luma(over_white.pixels[at]) > luma(over_black.pixels[at]) + 30.0,
            "a quarter of white"
        );
    }

    #[test]
    fn heat_map_of_nothing_is_drawn() {
        let mut empty = map();
        empty.values.fill(0.0);
        let bitmap = empty.draw(&[]);
        let lowest = viridis(0.0).map(|channel| (HEAT_SHARE * f64::from(channel)).round() as u8);
        assert_eq!(
            bitmap.pixels[16 * 160 + 16][..3],
            lowest,
            "all at the low end"
        );
    }
}
