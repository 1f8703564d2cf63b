//! Noise evaluated once over a square and looked up afterwards: a texture's worth of octaves for the price of four loads.

use glam::Vec2;
use rayon::prelude::*;

use super::noise::Noise;

/// A repeating square of numbers with bilinear lookup.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sheet {
    /// Samples along an edge, a power of two.
    edge: u32,
    samples: Vec<f32>,
}

impl Sheet {
    /// `value` at `edge` x `edge` sample points (`edge` a power of two), the square being 0..1.
    pub(crate) fn new(edge: u32, value: impl Fn(Vec2) -> f32 + Sync + Send) -> Self {
        let [sheet] = Self::together(edge, |at| [value(at)]);
        sheet
    }

    /// Sheets of numbers that are found together.
    fn together<const N: usize>(
        edge: u32,
        values: impl Fn(Vec2) -> [f32; N] + Sync + Send,
    ) -> [Self; N] {
        debug_assert!(edge.is_power_of_two(), "lookups wrap with a mask");
        let found: Vec<[f32; N]> = (0..edge * edge)
            .into_par_iter()
            .with_min_len(1024)
            .map(|i| {
                let at = Vec2::new((i % edge) as f32, (i / edge) as f32) + 0.5;
                values(at / edge as f32)
            })
            .collect();
        std::array::from_fn(|n| Self {
            edge,
            samples: found.iter().map(|values| values[n]).collect(),
        })
    }

    /// The value at `at`, which repeats with period 1; bilinear. Coordinates below -16 are not expected.
    #[must_use]
    pub(crate) fn at(&self, at: Vec2) -> f32 {
        // Sixteen periods keep the coordinates positive, so that a cast rounds down.
        let p = at * self.edge as f32 + (16.0 * self.edge as f32 - 0.5);
        let (x, y) = (p.x as u32, p.y as u32);
        let (across, down) = (p.x - x as f32, p.y - y as f32);
        let row = |y: u32| {
            let start = (y & (self.edge - 1)) * self.edge;
            let sample = |x: u32| self.samples[(start + (x & (self.edge - 1))) as usize];
            let left = sample(x);
            left + (sample(x + 1) - left) * across
        };
        let upper = row(y);
        upper + (row(y + 1) - upper) * down
    }

    /// The sample nearest to `at`, for values that must not be mixed.
    #[must_use]
    pub(crate) fn nearest(&self, at: Vec2) -> f32 {
        let p = at * self.edge as f32 + 16.0 * self.edge as f32;
        let (x, y) = (p.x as u32 & (self.edge - 1), p.y as u32 & (self.edge - 1));
        self.samples[(y * self.edge + x) as usize]
    }
}

/// The sheets that materials are made of. All repeat with period 1, so whole-numbered scales tile.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grain {
    /// Smooth swells: octaves of 4, 8 and 16 lattice steps, 0..1.
    pub(crate) swells: Sheet,
    /// Clouds: octaves of 4 to 128 lattice steps, 0..1.
    pub(crate) clouds: Sheet,
    /// Fine grain: octaves of 128 and 256 lattice steps, 0..1.
    pub(crate) fine: Sheet,
    /// [`Grain::CELLS`] x [`Grain::CELLS`] Worley cells: distance to the nearest point.
    pub(crate) cells: Sheet,
    /// How much farther the second nearest point is: 0 on the cells' borders.
    pub(crate) borders: Sheet,
    /// A number in 0..1 for each cell; look it up with [`Sheet::nearest`].
    pub(crate) ids: Sheet,
}

impl Grain {
    /// Worley cells along an edge of the sheets.
    pub(crate) const CELLS: f32 = 16.0;

    /// The sheets of one seed.
    #[must_use]
    pub(crate) fn new(seed: u32) -> Self {
        const EDGE: u32 = 512;
        let fractal = |seed: u32, period: i32, octaves: u32| {
            let noise = Noise::tiling(seed, period);
            Sheet::new(EDGE, move |at| noise.fractal(at * period as f32, octaves))
        };
        let worley = Noise::tiling(seed ^ 0x1b87_3593, Self::CELLS as i32);
        let [cells, borders, ids] = Sheet::together(EDGE, |at| {
            let cells = worley.cells(at * Self::CELLS);
            [cells.nearest, cells.second - cells.nearest, cells.id]
        });
        Self {
            swells: fractal(seed, 4, 3),
            clouds: fractal(seed ^ 0x7f4a_7c15, 4, 6),
            fine: fractal(seed ^ 0x94d0_49bb, 128, 2),
            cells,
            borders,
            ids,
        }
    }

    /// A displacement in -1..1 by axis.
    #[must_use]
    pub(crate) fn offset(&self, at: Vec2) -> Vec2 {
        let other = self.swells.at(at + Vec2::new(0.37, 0.71));
        Vec2::new(self.swells.at(at), other) * 2.0 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheet_repeats_and_interpolates() {
        let sheet = Sheet::new(4, |at| at.x * 4.0 - 0.5);
        assert!(
            (sheet.at(Vec2::new(0.5, 0.1)) - 1.5).abs() < 1e-3,
            "between samples 1 and 2"
        );
        assert!(
            (sheet.at(Vec2::new(-2.5, 3.0)) - 1.5).abs() < 1e-3,
            "period 1"
        );
        assert!(
            (sheet.at(Vec2::new(0.0, 0.0)) - 1.5).abs() < 1e-3,
            "across the seam: 3 and 0"
        );
        assert_eq!(sheet.nearest(Vec2::new(0.9, 0.0)), 3.0, "last sample");
    }
}
