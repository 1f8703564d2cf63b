//! Orders in which the tiles of a grid are visited: a curve over the tiles or over supertiles, forwards, or there and back
//! in turn. Pure functions of the grid and of how many frames were drawn; orders that learn live with their technique.

use std::fmt;
use std::str::FromStr;

use super::cells::{Cell, Extent};
use super::curve::TileCurve;
use super::{Corner, TileGrid, TileId};

/// Blocks of tiles that are visited one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Supertiles {
    /// Tiles of a row of one, at least 1.
    pub width: u16,
    /// Rows of tiles of one, at least 1.
    pub height: u16,
    /// The walk over its tiles.
    pub inner: TileCurve,
}

/// A fixed walk over all tiles.
///
/// As text it is the curve, such as `hilbert`; then, for supertiles, their size, such as `:4x4`, and the curve inside of
/// them where that is another, such as `:s-order`; then `:alternate` if it is walked backwards in every second frame that
/// is drawn; then the corner where it begins, if that is not the top left one, such as `:bottom-left`. `boustrophedonic` is
/// `z-order:alternate`.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(into = "String", try_from = "String")]
pub struct TileOrder {
    /// Over the tiles, or over the supertiles.
    pub curve: TileCurve,
    /// Blocks of tiles, if any; those at the right and at the bottom are cut where the grid ends.
    pub supertiles: Option<Supertiles>,
    /// Walked backwards in every second frame that is drawn.
    pub alternates: bool,
    /// Corner from which columns and rows are counted, and where the walk begins.
    pub corner: Corner,
}

/// Largest edge of a supertile, in tiles.
const MAX_EDGE: u16 = 2048;
/// Suffix of an order that is walked backwards in every second frame.
const ALTERNATE: &str = "alternate";

impl TileOrder {
    /// Row by row, left to right.
    pub const SCAN_LINE: Self = Self::of_curve(TileCurve::ScanLine);
    /// Row by row, every second row from right to left.
    pub const S_ORDER: Self = Self::of_curve(TileCurve::SOrder);
    /// Morton order of the tiles.
    pub const Z_ORDER: Self = Self::of_curve(TileCurve::ZOrder);
    /// Hilbert's curve over the tiles.
    pub const HILBERT: Self = Self::of_curve(TileCurve::Hilbert);
    /// Z-order, backwards in every second frame (Boustrophedonic Frames, PACT 2023, section III-A).
    pub const BOUSTROPHEDONIC: Self = Self::Z_ORDER.alternating();

    /// Orders that have a name of one word.
    pub const NAMED: [(Self, &'static str); 5] = [
        (Self::SCAN_LINE, "scanline"),
        (Self::S_ORDER, "s-order"),
        (Self::Z_ORDER, "z-order"),
        (Self::HILBERT, "hilbert"),
        (Self::BOUSTROPHEDONIC, "boustrophedonic"),
    ];

    /// A curve over the tiles, the same in every frame.
    #[must_use]
    pub const fn of_curve(curve: TileCurve) -> Self {
        Self {
            curve,
            supertiles: None,
            alternates: false,
            corner: Corner::TopLeft,
        }
    }

    /// Returns the order, begun at a corner of the screen.
    #[must_use]
    pub const fn from_corner(self, corner: Corner) -> Self {
        Self { corner, ..self }
    }

    /// Returns the order, walked backwards in every second frame.
    #[must_use]
    pub const fn alternating(self) -> Self {
        Self {
            alternates: true,
            ..self
        }
    }

    /// All tiles of `grid`, each exactly once, in walking order. `drawn` counts the frames that the walker drew before this
    /// one, whatever their numbers.
    #[must_use]
    pub fn walk(self, grid: &TileGrid, drawn: u64) -> Vec<TileId> {
        let whole = Extent {
            wide: grid.tiles_wide(),
            high: grid.tiles_high(),
        };
        let mut tiles: Vec<TileId> = match self.supertiles {
            None => (self.curve.walk(whole).into_iter())
                .map(|cell| grid.tile_at(cell.column, cell.row))
                .collect(),
            Some(supertiles) => self.walk_supertiles(grid, whole, supertiles),
        };
        if self.corner != Corner::TopLeft {
            for tile in &mut tiles {
                let (column, row) = self.corner.mirrored(grid, grid.column_row(*tile));
                *tile = grid.tile_at(column, row);
            }
        }
        if self.is_backwards(drawn) {
            tiles.reverse();
        }
        tiles
    }

    /// Whether a frame before which `drawn` others were drawn is walked backwards.
    #[must_use]
    pub const fn is_backwards(self, drawn: u64) -> bool {
        self.alternates && drawn % 2 == 1
    }

    fn walk_supertiles(self, grid: &TileGrid, whole: Extent, size: Supertiles) -> Vec<TileId> {
        let [width, height] = [size.width, size.height].map(|edge| u32::from(edge.max(1)));
        let blocks = self.curve.walk(Extent {
            wide: whole.wide.div_ceil(width),
            high: whole.high.div_ceil(height),
        });
        let mut tiles = Vec::with_capacity(grid.n_tiles() as usize);
        for block in blocks {
            let (left, top) = (block.column * width, block.row * height);
            let inside = size.inner.walk(Extent {
                wide: width.min(whole.wide - left),
                high: height.min(whole.high - top),
            });
            let tile = |cell: Cell| grid.tile_at(left + cell.column, top + cell.row);
            tiles.extend(inside.into_iter().map(tile));
        }
        tiles
    }
}

impl fmt::Display for TileOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, name)) = Self::NAMED.iter().find(|(order, _)| order == self) {
            return f.write_str(name);
        }
        f.write_str(self.curve.name())?;
        if let Some(Supertiles {
            width,
            height,
            inner,
        }) = self.supertiles
        {
            write!(f, ":{width}x{height}")?;
            if inner != self.curve {
                write!(f, ":{}", inner.name())?;
            }
        }
        if self.alternates {
            write!(f, ":{ALTERNATE}")?;
        }
        match self.corner {
            Corner::TopLeft => Ok(()),
            corner => write!(f, ":{}", corner.name()),
        }
    }
}

impl From<TileOrder> for String {
    fn from(order: TileOrder) -> Self {
        order.to_string()
    }
}

/// A text that names no tile order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown tile order '{0}': expected {EXPECTED_TILE_ORDER}")]
pub struct ParseTileOrderError(String);

/// Expected syntax of a tile order, in words.
pub const EXPECTED_TILE_ORDER: &str = "one of scanline, s-order, z-order, hilbert, boustrophedonic, perhaps with supertiles (hilbert:4x4, or \
    z-order:4x4:s-order with a curve of their own, up to 2048x2048 tiles), backwards in every second frame (s-order:alternate) and \
    begun at a corner (z-order:bottom-left)";

impl FromStr for TileOrder {
    type Err = ParseTileOrderError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Long texts are no orders, and would make long messages.
        let refused = || ParseTileOrderError(text.chars().take(80).collect());
        let mut words = text.split(':');
        let first = words.next().unwrap_or_default();
        let named = Self::NAMED.iter().find(|(_, name)| *name == first);
        let (mut order, _) = *named.ok_or_else(refused)?;
        let mut words = words.peekable();
        if let Some((width, height)) = words.peek().and_then(|word| supertile_size(word)) {
            words.next();
            let inner = words.peek().and_then(|word| TileCurve::of_name(word));
            if inner.is_some() {
                words.next();
            }
            order.supertiles = Some(Supertiles {
                width,
                height,
                inner: inner.unwrap_or(order.curve),
            });
        }
        order.alternates |= words.next_if(|word| *word == ALTERNATE).is_some();
        let corner = |word: &&str| {
            let named = Corner::NAMED.iter().find(|(_, name)| name == word);
            named.map(|(corner, _)| *corner)
        };
        if let Some(found) = words.peek().and_then(corner) {
            words.next();
            order.corner = found;
        }
        match words.next() {
            None => Ok(order),
            Some(_) => Err(refused()),
        }
    }
}

/// Parses `WxH`, the size of a supertile in tiles.
fn supertile_size(word: &str) -> Option<(u16, u16)> {
    let edge = |digits: &str| {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let edge = digits.parse().ok().filter(|_| is_number);
        edge.filter(|edge| (1..=MAX_EDGE).contains(edge))
    };
    let (width, height) = word.split_once('x')?;
    edge(width).zip(edge(height))
}

impl TryFrom<String> for TileOrder {
    type Error = ParseTileOrderError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A grid of so many tiles, the last column and row of which are cut.
    fn grid(wide: u32, high: u32) -> TileGrid {
        TileGrid {
            width: 32 * wide - 5,
            height: 32 * high - 9,
            tile_size: 32,
        }
    }

    fn walk(order: &str, wide: u32, high: u32, drawn: u64) -> Vec<u32> {
        let order: TileOrder = order.parse().expect("an order");
        let tiles = order.walk(&grid(wide, high), drawn);
        tiles.into_iter().map(|tile| tile.0).collect()
    }

    #[test]
    fn orders_of_small_grids_are_as_written_by_hand() {
        for (order, tiles) in [
            ("scanline", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            ("s-order", [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11]),
            ("z-order", [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 10, 11]),
            ("hilbert", [0, 1, 5, 4, 8, 9, 10, 11, 7, 6, 2, 3]),
            ("scanline:2x2", [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 10, 11]),
            ("s-order:2x2", [0, 1, 5, 4, 2, 3, 7, 6, 10, 11, 8, 9]),
            ("scanline:3x1", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            ("scanline:1x3", [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]),
            (
                "scanline:9x2:s-order",
                [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11],
            ),
        ] {
            assert_eq!(walk(order, 4, 3, 0), tiles, "{order}");
        }
        assert_eq!(walk("hilbert", 2, 2, 0), [0, 2, 3, 1], "of first order");
        assert_eq!(walk("hilbert", 2, 3, 0), [0, 2, 4, 5, 3, 1], "around");
    }

    #[test]
    fn order_from_a_corner_counts_columns_and_rows_from_there() {
        for (order, tiles) in [
            ("z-order:top-right", [3, 2, 7, 6, 1, 0, 5, 4, 11, 10, 9, 8]),
            (
                "z-order:bottom-left",
                [8, 9, 4, 5, 10, 11, 6, 7, 0, 1, 2, 3],
            ),
            (
                "scanline:bottom-right",
                [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
            ),
            ("scanline:top-left", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
        ] {
            assert_eq!(walk(order, 4, 3, 0), tiles, "{order}");
        }
        let back = walk("s-order:2x2:alternate:top-right", 7, 5, 1);
        let there: Vec<u32> = back.into_iter().rev().collect();
        assert_eq!(walk("s-order:2x2:top-right", 7, 5, 0), there, "backwards");
        for text in [
            "z-order:bottom-left",
            "hilbert:4x4:s-order:alternate:top-right",
        ] {
            let order: TileOrder = text.parse().expect("an order");
            assert_eq!(order.to_string(), text, "read and written");
        }
    }

    #[test]
    fn alternating_order_is_backwards_in_every_second_frame_that_was_drawn() {
        for (order, name) in TileOrder::NAMED {
            let grid = grid(7, 5);
            let there = order.walk(&grid, 0);
            let mut back = there.clone();
            back.reverse();
            let alternating = order.alternating();
            for drawn in 0..6 {
                let expected = if drawn % 2 == 0 { &there } else { &back };
                assert_eq!(&alternating.walk(&grid, drawn), expected, "{name} {drawn}");
            }
            let same = order.walk(&grid, 1) == there;
            assert_eq!(same, !order.alternates, "{name} by itself");
        }
    }

    #[test]
    fn z_order_of_supertiles_of_a_power_of_two_is_z_order() {
        for (wide, high) in [(60, 34), (75, 48), (7, 3)] {
            let plain = walk("z-order", wide, high, 0);
            for size in ["1x1", "2x2", "4x4", "8x8", "16x16", "64x64"] {
                let order = format!("z-order:{size}");
                assert_eq!(
                    walk(&order, wide, high, 0),
                    plain,
                    "{wide} x {high}, {size}"
                );
            }
            assert_ne!(walk("z-order:3x3", wide, high, 0), plain, "but no other");
        }
    }

    #[test]
    fn order_that_is_none_is_refused() {
        for text in [
            "",
            "spiral",
            "hilbert:",
            "hilbert:4",
            "hilbert:4x",
            "hilbert:0x4",
            "hilbert:4x4096",
            "hilbert:+4x4",
            "hilbert:4x4:spiral",
            "hilbert:alternate:4x4",
            "hilbert:alternate:alternate",
            "hilbert:s-order",
            "Hilbert",
            " hilbert",
        ] {
            let error = text.parse::<TileOrder>().expect_err(text).to_string();
            assert!(error.contains("expected one of scanline"), "{error}");
        }
        let long = "z".repeat(1 << 20).parse::<TileOrder>();
        assert!(long.expect_err("long").to_string().len() < 600, "short");
    }

    #[test]
    fn named_orders_are_their_names() {
        for (order, name) in TileOrder::NAMED {
            assert_eq!(order.to_string(), name, "{order:?}");
        }
        let same = |a: &str, b: &str| assert_eq!(a.parse::<TileOrder>(), b.parse(), "{a} is {b}");
        same("boustrophedonic", "z-order:alternate");
        same("boustrophedonic:2x2", "z-order:2x2:alternate");
        same("s-order:3x3:s-order", "s-order:3x3");
    }

    fn curve() -> impl Strategy<Value = TileCurve> {
        prop::sample::select(TileCurve::ALL.map(|(curve, _)| curve).to_vec())
    }

    fn order() -> impl Strategy<Value = TileOrder> {
        let supertiles =
            (1..20_u16, 1..20_u16, curve()).prop_map(|(width, height, inner)| Supertiles {
                width,
                height,
                inner,
            });
        let corner = prop::sample::select(Corner::NAMED.map(|(corner, _)| corner).to_vec());
        let parts = (curve(), prop::option::of(supertiles), any::<bool>(), corner);
        parts.prop_map(|(curve, supertiles, alternates, corner)| TileOrder {
            curve,
            supertiles,
            alternates,
            corner,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn order_visits_every_tile_once(order in order(), wide in 1..70_u32, high in 1..50_u32, drawn in 0..4_u64) {
            let grid = grid(wide, high);
            let mut tiles = order.walk(&grid, drawn);
            tiles.sort_unstable();
            prop_assert_eq!(tiles, (0..grid.n_tiles()).map(TileId).collect::<Vec<_>>());
        }

        #[test]
        fn order_leaves_a_supertile_when_it_is_done(order in order(), wide in 1..40_u32, high in 1..40_u32) {
            let grid = grid(wide, high);
            let size = order.supertiles.unwrap_or(Supertiles { width: 1, height: 1, inner: TileCurve::ScanLine });
            let block = |tile: &TileId| {
                let (column, row) = order.corner.mirrored(&grid, grid.column_row(*tile));
                (column / u32::from(size.width), row / u32::from(size.height))
            };
            let mut blocks: Vec<_> = order.walk(&grid, 1).iter().map(block).collect();
            blocks.dedup();
            let all = wide.div_ceil(size.width.into()) * high.div_ceil(size.height.into());
            prop_assert_eq!(blocks.len() as u32, all, "each is entered once");
        }

        #[test]
        fn order_is_read_by_the_text_that_it_prints(order in order()) {
            prop_assert_eq!(order.to_string().parse(), Ok(order));
        }
    }
}
