//! Azulejos: tin-glazed tiles painted in cobalt, as a field of four by four tiles and as a frieze.
//!
//! A pattern answers how thick each pigment lies at a point; pigment absorbs light out of the white glaze (Beer and
//! Lambert), so that thin washes turn pale blue and strokes turn deep. Every tile was painted, glazed and set by hand: each
//! has its own small shift, tilt, tint and wear.

use glam::{Vec2, Vec3};

use crate::procedural::{Grain, SurfaceMaps, SurfacePoint, lerp, random, smooth_step};

/// Edge of a tile in metres.
pub(super) const TILE: f32 = 0.125;
/// Tiles along an edge of the field's texture.
pub(super) const FIELD_TILES: f32 = 4.0;

/// Thickness of the pigments at a point, 0 none, around 1 a full stroke.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Paint {
    pub(super) cobalt: f32,
    pub(super) ochre: f32,
}

impl Paint {
    /// Lays a stroke of cobalt over what is there.
    pub(super) fn cobalt(&mut self, thickness: f32, coverage: f32) {
        self.cobalt = lerp(self.cobalt, thickness, coverage);
        self.ochre *= 1.0 - coverage;
    }

    /// Lays ochre of a thickness, 0..1, where `coverage` is, 0..1.
    pub(super) fn ochre(&mut self, thickness: f32, coverage: f32) {
        self.ochre = lerp(self.ochre, thickness, coverage);
        self.cobalt *= 1.0 - coverage;
    }

    /// Scrapes down to the white.
    pub(super) fn white(&mut self, coverage: f32) {
        self.cobalt *= 1.0 - coverage;
        self.ochre *= 1.0 - coverage;
    }

    /// Colour of `glaze` behind both pigments (Beer-Lambert absorption), scaled by `density`.
    pub(super) fn over(self, glaze: Vec3, density: f32) -> Vec3 {
        const COBALT: Vec3 = Vec3::new(2.9, 1.9, 0.62);
        const OCHRE: Vec3 = Vec3::new(0.12, 0.50, 2.1);
        let depth = (COBALT * self.cobalt + OCHRE * self.ochre) * density;
        glaze * Vec3::new((-depth.x).exp(), (-depth.y).exp(), (-depth.z).exp())
    }
}

/// Coverage of what lies inside `distance` <= 0, with an edge of `soft`.
pub(super) fn inside(distance: f32, soft: f32) -> f32 {
    smooth_step(soft, -soft, distance)
}

/// Coverage of a line of half width `half` where `distance` is 0.
pub(super) fn line(distance: f32, half: f32, soft: f32) -> f32 {
    inside(distance.abs() - half, soft)
}

const SOFT: f32 = 0.008;

/// The field's pattern over one block of two by two tiles, `p` in -1..1: a rosette in the middle, another where four
/// blocks meet, stars between them.
fn field_pattern(p: Vec2) -> Paint {
    let mut paint = Paint::default();
    star(&mut paint, p);
    leaves(&mut paint, p);
    rosette(&mut paint, p);
    corner_flower(&mut paint, Vec2::ONE - p.abs());
    paint
}

/// Eight petals around an ochre eye in a ring of white dots.
fn rosette(paint: &mut Paint, p: Vec2) {
    let (r, angle) = (p.length(), p.y.atan2(p.x));
    let scallop = 0.555 + 0.022 * (16.0 * angle).cos().abs();
    paint.white(inside(r - scallop, SOFT));
    paint.cobalt(0.5, line(r - scallop, 0.014, SOFT));
    paint.cobalt(1.5, line(r - 0.455, 0.058, SOFT));
    let around = (angle * 16.0 / std::f32::consts::TAU).fract();
    let around = (around - around.floor() - 0.5) * std::f32::consts::TAU / 16.0 * r;
    paint.white(inside(Vec2::new(around, r - 0.455).length() - 0.026, SOFT));
    let petal = 0.285 + 0.075 * (4.0 * angle).cos().abs();
    paint.cobalt(
        0.42 + 0.5 * smooth_step(0.32, 0.12, r),
        inside(r - petal, SOFT),
    );
    paint.cobalt(1.5, line(r - petal, 0.013, SOFT));
    let seam = (4.0 * angle).cos().abs() * r;
    paint.cobalt(
        1.3,
        inside(seam - 0.022, 0.02) * inside(0.12 - r, SOFT) * inside(r - 0.29, SOFT),
    );
    let vein = (4.0 * angle).sin().abs() * r;
    paint.white(0.7 * inside(vein - 0.02, 0.02) * inside(0.16 - r, SOFT) * inside(r - 0.30, SOFT));
    paint.ochre(0.9, inside(r - 0.105, SOFT));
    paint.cobalt(1.5, line(r - 0.112, 0.014, SOFT));
    paint.cobalt(1.2, inside(r - 0.035, SOFT));
}

/// The flower that four blocks share at their common corner; `q` is measured from it.
fn corner_flower(paint: &mut Paint, q: Vec2) {
    let (r, angle) = (q.length(), q.y.atan2(q.x));
    paint.white(inside(r - 0.50, SOFT));
    paint.cobalt(1.4, line(r - 0.485, 0.022, SOFT));
    paint.cobalt(0.5, line(r - 0.425, 0.012, SOFT));
    let petal = 0.15 + 0.21 * (2.0 * angle).cos().abs();
    paint.cobalt(
        1.45 - 0.9 * smooth_step(0.1, 0.36, r),
        inside(r - petal, SOFT),
    );
    paint.cobalt(1.5, line(r - petal, 0.011, SOFT));
    // A leaf in each diagonal between the petals.
    let diagonal = Vec2::new(q.x + q.y, q.x - q.y) * std::f32::consts::FRAC_1_SQRT_2;
    let leaf = diagonal.y.abs() - 0.055 * (1.0 - ((diagonal.x - 0.26) / 0.13).powi(2)).max(0.0);
    let along = inside((diagonal.x - 0.26).abs() - 0.13, SOFT);
    paint.ochre(0.8, inside(leaf, SOFT) * along);
    paint.cobalt(1.2, line(leaf, 0.008, SOFT) * along);
    paint.ochre(0.9, inside(r - 0.075, SOFT));
    paint.cobalt(1.4, line(r - 0.08, 0.013, SOFT));
}

/// Diamonds on the middles of the block's edges.
fn star(paint: &mut Paint, p: Vec2) {
    let folded = p.abs();
    let folded = if folded.x > folded.y {
        folded
    } else {
        Vec2::new(folded.y, folded.x)
    };
    let q = Vec2::new(1.0 - folded.x, folded.y);
    let diamond = q.x * 0.85 + q.y;
    paint.cobalt(0.45, inside(diamond - 0.34, SOFT));
    paint.cobalt(1.4, line(diamond - 0.335, 0.015, SOFT));
    paint.white(inside(diamond - 0.235, SOFT));
    let r = q.length();
    let petal = 0.05 + 0.11 * (2.0 * q.y.atan2(q.x)).cos().abs();
    paint.cobalt(1.4, inside(r - petal, SOFT));
    paint.ochre(0.9, inside(r - 0.04, SOFT));
}

/// A pair of curled leaves on each diagonal, between the rosettes.
fn leaves(paint: &mut Paint, p: Vec2) {
    let folded = p.abs();
    let folded = if folded.x > folded.y {
        folded
    } else {
        Vec2::new(folded.y, folded.x)
    };
    let q = folded - Vec2::new(0.70, 0.42);
    let turned = Vec2::new(q.x * 0.35 + q.y * 0.94, q.x * 0.94 - q.y * 0.35);
    let bent = turned.y - 1.6 * turned.x * turned.x;
    let half = 0.062 * (1.0 - (turned.x / 0.17).powi(2)).max(0.0);
    let leaf = bent.abs() - half;
    let along = inside(turned.x.abs() - 0.17, SOFT);
    paint.cobalt(0.75 + 3.0 * bent, inside(leaf, SOFT) * along);
    paint.cobalt(1.4, line(leaf, 0.008, SOFT) * along);
    let dot = (folded - Vec2::new(0.60, 0.60)).length();
    paint.cobalt(1.3, inside(dot - 0.035, SOFT));
}

/// The frieze's pattern along `p.x` (one unit a tile), `p.y` in -1..1 across: a guilloche with ochre eyes between bands.
fn frieze_pattern(p: Vec2) -> Paint {
    let mut paint = Paint::default();
    let y = p.y.abs();
    paint.cobalt(1.5, line(y - 0.86, 0.07, 0.02));
    paint.ochre(0.85, line(y - 0.70, 0.055, 0.02));
    paint.cobalt(1.1, line(y - 0.63, 0.018, 0.02));
    let phase = p.x * std::f32::consts::TAU;
    for (sign, thickness) in [(1.0, 0.55), (-1.0, 1.35)] {
        let strand = p.y - sign * 0.36 * phase.cos();
        // Lines of even width need the distance, not the height.
        let slope = 0.36 * phase.sin() * std::f32::consts::PI * 0.5;
        let distance = strand / (1.0 + slope * slope).sqrt();
        paint.white(line(distance, 0.15, 0.02));
        paint.cobalt(thickness, line(distance, 0.115, 0.02));
        paint.cobalt(1.5, line(distance.abs() - 0.115, 0.018, 0.02));
    }
    let along = ((p.x * 2.0).fract() - 0.5) * 0.9;
    let eye = Vec2::new(along, p.y).length();
    paint.ochre(0.9, inside(eye - 0.13, 0.02));
    paint.cobalt(1.4, line(eye - 0.14, 0.022, 0.02));
    paint
}

/// A tile's place in a texture, and how its maker and its setter left it.
#[derive(Debug, Clone, Copy)]
struct Tile {
    /// Position within the tile, 0..1.
    at: Vec2,
    /// Metres from the nearest edge of the tile.
    edge: f32,
    column: i32,
    row: i32,
}

impl Tile {
    /// The tile under `p`, counted in tiles of `size` metres.
    fn under(p: Vec2, size: Vec2) -> Self {
        let cell = p.floor();
        let at = p - cell;
        let edges = at.min(1.0 - at) * size;
        Self {
            at,
            edge: edges.min_element(),
            column: cell.x as i32,
            row: cell.y as i32,
        }
    }

    fn random(self, seed: u32) -> f32 {
        random(self.column, self.row, seed)
    }

    /// A random number of the cell, -1..1.
    fn spread(self, seed: u32) -> f32 {
        2.0 * self.random(seed) - 1.0
    }
}

/// Half the width of the grout between tiles, metres.
const GROUT: f32 = 0.0011;

/// A glazed tile with its grout; `uv` feeds the noise, `seed` makes one kind of tile differ from the next.
fn glazed(grain: &Grain, tile: Tile, paint: Paint, uv: Vec2, seed: u32) -> SurfacePoint {
    let edge = tile.edge + 0.0005 * (grain.clouds.at(uv * 16.0) - 0.5);
    let fine = grain.fine.at(uv * 2.0);
    if edge < GROUT {
        let dirt = grain.clouds.at(uv * 4.0);
        return SurfacePoint {
            color: Vec3::new(0.42, 0.36, 0.28) * (0.55 + 0.5 * fine) * (0.6 + 0.5 * dirt),
            height: -0.0011 + 0.0004 * fine,
            roughness: 0.95,
            occlusion: 0.55,
            ..SurfacePoint::default()
        };
    }
    // Here and there an edge is chipped down to the biscuit.
    let chip = grain.clouds.at(uv * 10.0 + 0.3) - smooth_step(0.0, 0.007, edge - GROUT) * 0.5;
    if chip > 0.58 && tile.random(seed + 9) > 0.55 {
        return SurfacePoint {
            color: Vec3::new(0.55, 0.36, 0.22) * (0.7 + 0.5 * fine),
            height: -0.0007 + 0.0003 * fine,
            roughness: 0.9,
            occlusion: 0.8,
            ..SurfacePoint::default()
        };
    }
    glaze(grain, tile, paint, uv, seed)
}

/// The glassy part of a tile.
fn glaze(grain: &Grain, tile: Tile, paint: Paint, uv: Vec2, seed: u32) -> SurfacePoint {
    let own = Vec2::new(tile.random(seed), tile.random(seed + 1));
    let wash = grain.clouds.at(uv * 8.0 + own);
    let density = (0.66 + 0.68 * wash) * (1.0 + 0.14 * tile.spread(seed + 2));
    let white = Vec3::new(0.72, 0.72, 0.67)
        * (1.0 + 0.07 * tile.spread(seed + 3))
        * (1.0 + Vec3::new(0.03, 0.0, -0.06) * tile.spread(seed + 4));
    let bent = uv * 3.0 + grain.offset(uv * 6.0) * 0.015 + own;
    let aged = smooth_step(0.48, 0.72, grain.swells.at(uv * 4.0 + 0.4));
    let crack = smooth_step(0.035, 0.0, grain.borders.at(bent)) * aged;
    // Glaze draws back from the edges, swims a little, and the tile was not set quite true.
    let pillow = 1.0 - smooth_step(0.0, 0.006, tile.edge - GROUT);
    let pillow = pillow * pillow;
    let tilt = (tile.at - 0.5).dot(Vec2::new(tile.spread(seed + 6), tile.spread(seed + 7)));
    let swim = grain.swells.at(uv * 4.0 + own) - 0.5;
    SurfacePoint {
        color: paint.over(white, density) * (1.0 - 0.22 * crack) * (1.0 - 0.18 * pillow),
        height: -0.0006 * pillow + 0.0022 * tilt + 0.0011 * swim + 0.00003 * paint.cobalt,
        roughness: 0.10 + 0.10 * wash * aged + 0.25 * crack + 0.05 * tile.random(seed + 8),
        occlusion: 1.0 - 0.25 * pillow,
        ..SurfacePoint::default()
    }
}

/// The field: four by four tiles, two by two blocks of the pattern.
pub(super) fn field_maps(grain: &Grain, edge: u32) -> SurfaceMaps {
    let size = TILE * FIELD_TILES;
    SurfaceMaps::new([edge; 2], Vec2::splat(size), |uv| {
        let tile = Tile::under(uv * FIELD_TILES, Vec2::splat(TILE));
        let shift = Vec2::new(tile.spread(21), tile.spread(22)) * 0.010;
        let wobble = grain.offset(uv * 8.0) * 0.012;
        let block = (uv * FIELD_TILES / 2.0).fract() * 2.0 - 1.0;
        glazed(grain, tile, field_pattern(block + shift + wobble), uv, 31)
    })
}

/// The frieze: four tiles side by side, half as high as wide.
pub(super) fn frieze_maps(grain: &Grain, width: u32) -> SurfaceMaps {
    let size = Vec2::new(TILE * FIELD_TILES, TILE / 2.0);
    SurfaceMaps::new([width, width / 8], size, |uv| {
        let p = Vec2::new(uv.x * FIELD_TILES, uv.y);
        let tile = Tile::under(p, Vec2::new(TILE, TILE / 2.0));
        let shift = Vec2::new(tile.spread(41), tile.spread(42) * 2.0) * 0.012;
        let even = Vec2::new(uv.x, uv.y / 8.0);
        let wobble = grain.offset(even * 8.0) * 0.014;
        let across = Vec2::new(p.x, uv.y * 2.0 - 1.0);
        glazed(
            grain,
            tile,
            frieze_pattern(across + shift + wobble),
            even,
            51,
        )
    })
}

/// A small inset tile with a four-leaved flower, `p` in -1..1 along its own axes.
pub(super) fn inset_pattern(p: Vec2) -> Paint {
    let mut paint = Paint::default();
    let (r, angle) = (p.length(), p.y.atan2(p.x));
    let border = p.abs().max_element();
    paint.cobalt(1.4, line(border - 0.80, 0.06, 0.03));
    let petal = 0.18 + 0.46 * (2.0 * angle).cos().abs();
    paint.cobalt(
        0.6 + 0.8 * smooth_step(0.6, 0.1, r),
        inside(r - petal, 0.03),
    );
    paint.cobalt(1.5, line(r - petal, 0.035, 0.03));
    paint.ochre(0.9, inside(r - 0.17, 0.03));
    paint
}
