//! From texture coordinates to texel addresses and weights (Vulkan 1.3, chapter 16, "Texel Coordinate Systems", "Scale
//! Factor Operation, LOD Operation and Image Level(s) Selection", "Wrapping Operation", "Texel Filtering").
//!
//! A sample is a weighted sum of the texels of one or two 2x2 footprints, one a mip level. Nearest filtering is the same
//! with weights 1, 0, 0, 0, so that the kind of filter never shows outside this file.

use super::super::vector::{log2, saturate};
use super::shape::TextureShape;
use azulejo_scene::{Filter, MipLevel, Sampler, Wrap};
use azulejo_simd::{LANES, Lanes, map};

/// The texels of one mip level that a sample needs, and their weights in the order of [`Lanes::fetch`].
#[derive(Clone, Copy)]
pub(in crate::shading) struct LevelFootprint<L: Lanes> {
    /// Positions of the four texels in the image's table.
    pub(in crate::shading) texels: [L::I; 4],
    /// How much; the weights of all levels sum to 1.
    pub(in crate::shading) weights: [L::F; 4],
}

/// Texels and weights of a sample: in one level, or in two.
#[derive(Clone, Copy)]
pub(in crate::shading) struct SampleFootprint<L: Lanes> {
    /// The larger level, or the only one.
    pub(in crate::shading) first: LevelFootprint<L>,
    /// The smaller one, unless its weight is zero in all lanes.
    pub(in crate::shading) second: Option<LevelFootprint<L>>,
    /// No lane filters within a level, so that a footprint is its first texel. Unset where reads are watched.
    pub(super) is_one_texel: bool,
}

/// The mip levels that are sampled.
#[derive(Clone, Copy)]
pub(super) struct Levels<L: Lanes> {
    /// Upper (larger) mip level, by lane.
    pub(super) first: L::I,
    /// Lower (smaller) mip level, by lane.
    pub(super) second: L::I,
    /// Weight of the lower level.
    pub(super) fraction: L::F,
    /// Filter within a level.
    linear: Linear<L>,
}

/// Which lanes filter linearly within a level.
#[derive(Clone, Copy)]
enum Linear<L: Lanes> {
    All,
    None,
    Some(L::M),
}

/// The footprint of a sample at `uv`. Derivatives are taken here: all lanes of a quad must hold its coordinates.
#[inline(always)]
pub(super) fn sample_footprint<L: Lanes>(
    l: L,
    shape: &TextureShape,
    uv: [L::F; 2],
) -> SampleFootprint<L> {
    let levels = select_levels(l, shape, uv);
    footprint_in(l, shape, &levels, wrapped(l, shape, uv))
}

/// Coordinates brought into 0..=1 as the sampler says.
#[inline(always)]
pub(super) fn wrapped<L: Lanes>(l: L, shape: &TextureShape, uv: [L::F; 2]) -> [L::F; 2] {
    [
        wrap(l, shape.sampler.wrap_u, uv[0]),
        wrap(l, shape.sampler.wrap_v, uv[1]),
    ]
}

/// Texels and weights at wrapped coordinates in both levels, or in the first where no lane needs the second.
#[inline(always)]
pub(super) fn footprint_in<L: Lanes>(
    l: L,
    shape: &TextureShape,
    levels: &Levels<L>,
    wrapped: [L::F; 2],
) -> SampleFootprint<L> {
    let Levels {
        first,
        second,
        fraction,
        linear,
    } = *levels;
    // A filter that all lanes share is simpler, and gives the same.
    let linear = match linear {
        Linear::Some(mask) if !l.any(mask) => Linear::None,
        Linear::Some(mask) if !l.any(l.not(mask)) => Linear::All,
        _ => linear,
    };
    let mut footprint = SampleFootprint {
        is_one_texel: matches!(linear, Linear::None) && L::COMPUTES && !L::WATCHED,
        first: level_footprint(l, shape, linear, first, wrapped, l.f(1.0) - fraction),
        second: None,
    };
    if l.any(l.lt(l.f(0.0), fraction)) {
        footprint.second = Some(level_footprint(l, shape, linear, second, wrapped, fraction));
    }
    footprint
}

/// Levels that are sampled at this level of detail.
#[inline(always)]
pub(super) fn levels_at<L: Lanes>(l: L, shape: &TextureShape, level: L::F) -> Levels<L> {
    let sampler = &shape.sampler;
    let clamped = l.min(l.max(level, l.f(0.0)), l.f(shape.last_level as f32));
    let (whole, fraction) = match sampler.mip {
        None => (l.f(0.0), l.f(0.0)),
        Some(Filter::Nearest) => (-l.floor(l.f(0.5) - clamped), l.f(0.0)),
        Some(Filter::Linear) => (l.floor(clamped), clamped - l.floor(clamped)),
    };
    let first = l.to_int(whole);
    let magnified = l.le(level, l.f(0.0));
    Levels {
        first,
        second: l.min_i(first + l.i(1), l.i(shape.last_level)),
        fraction,
        linear: match (sampler.mag, sampler.min) {
            (Filter::Linear, Filter::Linear) => Linear::All,
            (Filter::Nearest, Filter::Nearest) => Linear::None,
            (Filter::Linear, Filter::Nearest) => Linear::Some(magnified),
            (Filter::Nearest, Filter::Linear) => Linear::Some(l.not(magnified)),
        },
    }
}

/// Level of detail by derivatives of the coordinates, along x and along y.
#[inline(always)]
pub(super) fn level_of_detail<L: Lanes>(
    l: L,
    shape: &TextureShape,
    [x, y]: [[L::F; 2]; 2],
) -> L::F {
    let (along_x, along_y) = (squared_length(l, shape, x), squared_length(l, shape, y));
    let longer = l.max(l.max(along_x, l.f(1e-12)), l.max(along_y, l.f(1e-12)));
    let (exponent, rest) = log2(l, l.min(longer, l.f(1e12)));
    (l.to_float(exponent) + rest) * l.f(0.5)
}

/// The square of a derivative's length in texels of level 0.
#[inline(always)]
fn squared_length<L: Lanes>(l: L, shape: &TextureShape, [u, v]: [L::F; 2]) -> L::F {
    let (u, v) = (
        u * l.f(shape.widths[0] as f32),
        v * l.f(shape.heights[0] as f32),
    );
    l.mul_add(u, u, v * v)
}

/// The one level that a texel is read from, brought into its range, and wrapped coordinates of the texel in it.
#[inline(always)]
pub(super) fn level_of_texel<L: Lanes>(
    l: L,
    shape: &TextureShape,
    [x, y]: [L::I; 2],
    level: L::I,
) -> (Levels<L>, [L::F; 2]) {
    let level = l.max_i(l.min_i(level, l.i(shape.last_level)), l.i(0));
    // The middle of a texel is nearest to no other.
    let width = l.to_float(l.lookup(&shape.widths, level));
    let height = l.to_float(l.lookup(&shape.heights, level));
    let middle = [
        saturate(l, (l.to_float(x) + l.f(0.5)) / width),
        saturate(l, (l.to_float(y) + l.f(0.5)) / height),
    ];
    let levels = Levels {
        first: level,
        second: level,
        fraction: l.f(0.0),
        linear: Linear::None,
    };
    (levels, middle)
}

/// Levels that are sampled at a position among them that the program says, clamped to the edge, linear in each and between
/// two.
#[derive(Debug)]
pub(in crate::shading) struct LevelShape(TextureShape);

impl LevelShape {
    /// Shape of these levels, sampled with clamped coordinates.
    pub(in crate::shading) fn new(levels: &[MipLevel]) -> Self {
        Self(TextureShape::of_levels(
            levels,
            Sampler {
                wrap_u: Wrap::ClampToEdge,
                wrap_v: Wrap::ClampToEdge,
                ..Sampler::default()
            },
        ))
    }

    /// The footprint of a sample.
    #[inline(always)]
    pub(in crate::shading) fn footprint<L: Lanes>(
        &self,
        l: L,
        at: [L::F; 2],
        level: L::F,
    ) -> SampleFootprint<L> {
        let shape = &self.0;
        let level = l.min(l.max(level, l.f(0.0)), l.f(shape.last_level as f32));
        let whole = l.floor(level);
        let first = l.to_int(whole);
        let levels = Levels {
            first,
            second: l.min_i(first + l.i(1), l.i(shape.last_level)),
            fraction: level - whole,
            linear: Linear::All,
        };
        footprint_in(l, shape, &levels, [saturate(l, at[0]), saturate(l, at[1])])
    }
}

/// Level-of-detail selection. One level of detail a quad, from the derivatives of its first lane.
#[inline(always)]
pub(super) fn select_levels<L: Lanes>(l: L, shape: &TextureShape, uv: [L::F; 2]) -> Levels<L> {
    let sampler = &shape.sampler;
    let by_level = shape.last_level > 0 && sampler.mip.is_some();
    // With nothing to choose, the scale is not looked at.
    let scale_squared = if by_level || sampler.mag != sampler.min {
        squared_scale(l, shape, uv)
    } else {
        l.f(1.0)
    };
    levels_of_scale(l, shape, scale_squared)
}

/// Levels by the square of the scale factor, positive and finite.
#[inline(always)]
pub(super) fn levels_of_scale<L: Lanes>(
    l: L,
    shape: &TextureShape,
    scale_squared: L::F,
) -> Levels<L> {
    let sampler = &shape.sampler;
    let by_level = if shape.last_level > 0 {
        sampler.mip
    } else {
        None
    };
    let one_filter = sampler.mag == sampler.min;
    let linear = if sampler.mag == Filter::Linear {
        Linear::All
    } else {
        Linear::None
    };
    let mut levels = Levels {
        first: l.i(0),
        second: l.i(0),
        fraction: l.f(0.0),
        linear,
    };
    if by_level.is_none() && one_filter {
        return levels;
    }
    if !one_filter {
        let magnified = l.le(scale_squared, l.f(1.0));
        let linear_when_magnified = sampler.mag == Filter::Linear;
        levels.linear = Linear::Some(if linear_when_magnified {
            magnified
        } else {
            l.not(magnified)
        });
    }
    let (exponent, rest) = log2(l, scale_squared);
    let last = l.i(shape.last_level);
    match by_level {
        None => {}
        // Vulkan's preferred rounding: ceil(lod + 1/2) - 1, written with floor.
        Some(Filter::Nearest) => {
            let lod = (l.to_float(exponent) + rest) * l.f(0.5);
            let nearest = l.to_int(-l.floor(l.f(0.5) - lod));
            levels.first = l.min_i(l.max_i(nearest, l.i(0)), last);
        }
        // lod = (exponent + rest) / 2: its whole part is known before its logarithm is.
        Some(Filter::Linear) => {
            let whole = l.sar::<1>(exponent);
            let odd = l.to_float(exponent & l.i(1));
            levels.first = l.min_i(l.max_i(whole, l.i(0)), last);
            levels.second = l.min_i(levels.first + l.i(1), last);
            let between = l.lt_i(l.i(-1), whole) & l.lt_i(whole, last);
            levels.fraction =
                l.select(between, l.mul_add(rest, l.f(0.5), odd * l.f(0.5)), l.f(0.0));
        }
    }
    levels
}

/// The square of the scale factor, which is the longer screen-space derivative of the coordinates in texels of level 0;
/// positive and finite whatever the coordinates.
#[inline(always)]
fn squared_scale<L: Lanes>(l: L, shape: &TextureShape, uv: [L::F; 2]) -> L::F {
    let size = [shape.widths[0] as f32, shape.heights[0] as f32];
    let [u, v] = [uv[0] * l.f(size[0]), uv[1] * l.f(size[1])];
    let [du, dv] = [l.ddx(u), l.ddx(v)];
    let along_x = l.mul_add(du, du, dv * dv);
    let [du, dv] = [l.ddy(u), l.ddy(v)];
    let along_y = l.mul_add(du, du, dv * dv);
    // The second operand of `max` wins over NaN, and the bounds keep log2 in its domain.
    let longer = l.max(l.max(along_x, l.f(1e-12)), l.max(along_y, l.f(1e-12)));
    l.quad_first(l.min(longer, l.f(1e12)))
}

/// A coordinate brought into 0..=1 so that the texel nearest to it is the one that its wrap mode asks for; NaN becomes 0.
#[inline(always)]
pub(super) fn wrap<L: Lanes>(l: L, wrap: Wrap, coordinate: L::F) -> L::F {
    match wrap {
        Wrap::Repeat => saturate(l, coordinate - l.floor(coordinate)),
        Wrap::MirroredRepeat => {
            let half = coordinate * l.f(0.5);
            let odd = l.mul_add(half - l.floor(half), l.f(2.0), l.f(-1.0));
            saturate(l, l.f(1.0) - l.abs(odd))
        }
        Wrap::ClampToEdge => saturate(l, coordinate),
    }
}

/// Texels and weights of one level; `level_weight` is the level's share.
#[inline(always)]
fn level_footprint<L: Lanes>(
    l: L,
    shape: &TextureShape,
    linear: Linear<L>,
    level: L::I,
    wrapped: [L::F; 2],
    level_weight: L::F,
) -> LevelFootprint<L> {
    let sampler = &shape.sampler;
    let (columns, x) = neighbours(
        l,
        linear,
        wrapped[0],
        l.lookup(&shape.widths, level),
        sampler.wrap_u,
    );
    let (rows, y) = neighbours(
        l,
        linear,
        wrapped[1],
        l.lookup(&shape.heights, level),
        sampler.wrap_v,
    );

    let stride = l.lookup(&shape.row_strides, level);
    let offset = l.lookup(&shape.offsets, level);
    let columns = map(
        columns,
        #[inline(always)]
        |column| l.lookup(&COLUMN_IN_TILE, column) + l.shl::<8>(l.shr::<4>(column)),
    );
    let rows = map(
        rows,
        #[inline(always)]
        |row| l.lookup(&ROW_IN_TILE, row) + l.shr::<4>(row) * stride + offset,
    );
    let weights = bilinear(l, [x, y], level_weight);
    let ([left, right_column], [above, below_row]) = (columns, rows);
    LevelFootprint {
        texels: [
            left + above,
            right_column + above,
            left + below_row,
            right_column + below_row,
        ],
        weights,
    }
}

/// Weights of four neighbours in the order of [`Lanes::fetch`], from those of the right and the lower ones.
#[inline(always)]
fn bilinear<L: Lanes>(l: L, [x, y]: [L::F; 2], level_weight: L::F) -> [L::F; 4] {
    let y_weight = y * level_weight;
    let both = x * y_weight;
    let right = l.mul_add(x, level_weight, -both);
    let below = y_weight - both;
    [level_weight - right - y_weight, right, below, both]
}

/// The two texels that a coordinate in 0..=1 lies between along an axis of `size` texels, and the weight of the second.
#[inline(always)]
fn neighbours<L: Lanes>(
    l: L,
    linear: Linear<L>,
    coordinate: L::F,
    size: L::I,
    wrap: Wrap,
) -> ([L::I; 2], L::F) {
    match linear {
        Linear::All => around(l, coordinate, size, wrap),
        Linear::None => ([nearest(l, coordinate, size); 2], l.f(0.0)),
        Linear::Some(mask) => {
            let ([first, second], weight) = around(l, coordinate, size, wrap);
            let one = nearest(l, coordinate, size);
            let texels = [l.select_i(mask, first, one), l.select_i(mask, second, one)];
            (texels, l.select(mask, weight, l.f(0.0)))
        }
    }
}

/// The texel that a coordinate lies in. If rounding reaches the far edge, the last texel is meant.
#[inline(always)]
fn nearest<L: Lanes>(l: L, coordinate: L::F, size: L::I) -> L::I {
    l.min_i(l.to_int(coordinate * l.to_float(size)), size - l.i(1))
}

/// The texels whose centres lie before and behind a coordinate, and the weight of the second. They differ by one, but at
/// the edges: there the image repeats, or the edge texel does.
#[inline(always)]
fn around<L: Lanes>(l: L, coordinate: L::F, size: L::I, wrap: Wrap) -> ([L::I; 2], L::F) {
    let (second, weight) = second_of(l, coordinate, size);
    let first = second - l.i(1);
    let last = size - l.i(1);
    let texels = match wrap {
        // As unsigned numbers, -1 and below are larger than any texel.
        Wrap::Repeat => [l.min_u(first, last), l.min_u(second, second - size)],
        _ => [l.max_i(first, l.i(0)), l.min_i(second, last)],
    };
    (texels, weight)
}

/// The texel whose centre lies behind a coordinate in 0..=1, 0 to `size`, and its weight.
#[inline(always)]
pub(super) fn second_of<L: Lanes>(l: L, coordinate: L::F, size: L::I) -> (L::I, L::F) {
    second_of_size(l, coordinate, l.to_float(size))
}

/// [`second_of`] with the size as a float.
#[inline(always)]
pub(super) fn second_of_size<L: Lanes>(l: L, coordinate: L::F, size: L::F) -> (L::I, L::F) {
    // Half a texel is added where the formula subtracts it, so that rounding towards zero gives the second texel.
    let position = l.mul_add(coordinate, size, l.f(0.5));
    let second = l.to_int(position);
    (second, position - l.to_float(second))
}

/// Index within a 16x16 layout tile that a column contributes: its bits 0 and 1 stay, bit 2 becomes 4, bit 3 becomes 6.
const COLUMN_IN_TILE: [i32; LANES] = spread(0, 4, 6);

/// Index within a 16x16 layout tile that a row contributes: its bits 0 and 1 become 2 and 3, bit 2 becomes 5, bit 3
/// becomes 7.
const ROW_IN_TILE: [i32; LANES] = spread(2, 5, 7);

const fn spread(low: u32, bit_2: u32, bit_3: u32) -> [i32; LANES] {
    let mut table = [0; LANES];
    let mut i = 0;
    while i < LANES {
        let texel = i as i32;
        table[i] = (texel & 3) << low | (texel >> 2 & 1) << bit_2 | (texel >> 3 & 1) << bit_3;
        i += 1;
    }
    table
}
