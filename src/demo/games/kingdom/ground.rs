//! The map's ground as one large picture: meadows, fields' earth, roads, the river with its banks, the shade of woods.

use glam::{Vec2, Vec3};

use super::realm::{MAP, Realm, Site, river, river_width};
use crate::kit::paint::rgb;
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, smooth_step};
use azulejo_scene::TextureImage;

/// Units of a cell of [`Field`].
const CELL: f32 = 8.0;

/// Resolution of the ground texture, texels a unit.
const DENSITY: f32 = 0.85;

/// Numbers over the map, between its points by interpolation.
struct Field {
    across: usize,
    values: Vec<f32>,
}

impl Field {
    fn new(value: f32) -> Self {
        let across = (MAP.x / CELL) as usize + 2;
        let down = (MAP.y / CELL) as usize + 2;
        Self {
            across,
            values: vec![value; across * down],
        }
    }

    /// Changes what lies within `reach` of a point: `mix` gets the old value and the distance.
    fn touch(&mut self, at: Vec2, reach: f32, mix: impl Fn(f32, f32) -> f32) {
        let down = self.values.len() / self.across;
        let low = ((at - reach) / CELL).max(Vec2::ZERO);
        let high = (at + reach) / CELL;
        for y in low.y as usize..=(high.y.max(0.0) as usize).min(down - 1) {
            for x in low.x as usize..=(high.x.max(0.0) as usize).min(self.across - 1) {
                let distance = at.distance(Vec2::new(x as f32, y as f32) * CELL);
                let value = &mut self.values[y * self.across + x];
                *value = mix(*value, distance);
            }
        }
    }

    fn at(&self, p: Vec2) -> f32 {
        let p = (p / CELL).max(Vec2::ZERO);
        let (x, y) = (p.x as usize, p.y as usize);
        let t = p - p.floor();
        let first = (y * self.across + x).min(self.values.len() - self.across - 2);
        let row = |k: usize| self.values[k] + (self.values[k + 1] - self.values[k]) * t.x;
        let (upper, lower) = (row(first), row(first + self.across));
        upper + (lower - upper) * t.y
    }
}

/// Distances to roads, depth of the woods, share of tilled earth.
struct Lie {
    road: Field,
    wood: Field,
    earth: Field,
}

impl Lie {
    fn new(realm: &Realm) -> Self {
        let (mut road, mut wood, mut earth) = (Field::new(60.0), Field::new(0.0), Field::new(0.0));
        for pair in realm.roads.iter().flat_map(|road| road.windows(2)) {
            for t in [0.0, 0.5] {
                road.touch(pair[0].lerp(pair[1], t), 60.0, f32::min);
            }
        }
        for &(at, _, height) in &realm.trees {
            let reach = height * 1.1;
            wood.touch(at, reach, |old, d| old.max(1.0 - d / reach));
        }
        for &(at, height) in &realm.mountains {
            let reach = height * 0.8;
            let foot = at + Vec2::new(14.0, 4.0);
            wood.touch(foot, reach, |old, d| old.max(1.1 - d / reach));
        }
        for place in &realm.places {
            let reach = match place.site {
                Site::Castle(_) => 128.0,
                Site::Village | Site::Camp => 84.0,
                _ => 62.0,
            };
            earth.touch(place.at - Vec2::Y * 20.0, reach, |old, d| {
                old.max(1.0 - d / reach)
            });
        }
        Self { road, wood, earth }
    }
}

/// Paints the ground texture of the whole map.
pub(super) fn ground(realm: &Realm, seed: u32) -> TextureImage {
    let grain = Grain::new(seed ^ 0x6a0d);
    let lie = Lie::new(realm);
    let size = ((MAP.x * DENSITY) as u32, (MAP.y * DENSITY) as u32);
    tiling("ground", size, 1.0, |uv| relief(&grain, &lie, uv * MAP))
}

fn relief(grain: &Grain, lie: &Lie, p: Vec2) -> Relief {
    let broad = grain.clouds.at(p / 1300.0);
    let patches = grain.clouds.at(p / 330.0 + 0.37);
    let blades = grain.fine.at(p / 250.0);
    let meadow = rgb(0x0074_a83c).lerp(rgb(0x009c_bf4c), smooth_step(0.35, 0.65, broad));
    let meadow = meadow.lerp(rgb(0x0058_9236), 0.75 * smooth_step(0.5, 0.68, patches));
    let dry = smooth_step(0.56, 0.74, grain.clouds.at(p / 900.0 + 0.7));
    let mut color = meadow.lerp(rgb(0x00c8_b565), 0.65 * dry) * (0.92 + 0.16 * blades);
    let mut height = 0.0005 * blades + 0.007 * patches + 0.016 * broad;

    let worn = smooth_step(0.15, 0.55, lie.earth.at(p) + 0.5 * (patches - 0.5));
    color = color.lerp(rgb(0x00b7_9558) * (0.88 + 0.24 * blades), 0.72 * worn);
    let shade = lie.wood.at(p);
    color = color.lerp(rgb(0x0032_5a2a), 0.55 * smooth_step(0.1, 0.7, shade));

    let edge = lie.road.at(p) + 6.0 * (blades - 0.5) + 5.0 * (patches - 0.5);
    let road = smooth_step(12.0, 8.5, edge);
    let track = smooth_step(2.6, 1.2, (edge - 4.5).abs());
    let dirt = rgb(0x00d2_b078) * (0.92 + 0.16 * blades) * (1.0 - 0.12 * track);
    color = color
        .lerp(rgb(0x0080_7038), 0.5 * smooth_step(15.0, 11.0, edge))
        .lerp(dirt, road);
    height -= 0.0012 * road;

    let bank = (p.x - river(p.y)).abs() - river_width(p.y) + 10.0 * (patches - 0.5);
    water(grain, p, bank, color, height)
}

/// The river over what the ground is without it; `bank` is the distance from its edge, negative in it.
fn water(grain: &Grain, p: Vec2, bank: f32, color: Vec3, height: f32) -> Relief {
    if bank > 16.0 {
        return Relief { color, height };
    }
    let sand = smooth_step(14.0, 5.0, bank);
    let color = color.lerp(rgb(0x00dc_c88c), 0.85 * sand);
    let deep = smooth_step(0.0, -26.0, bank);
    let wave = grain.swells.at(p * Vec2::new(1.0, 0.5) / 120.0);
    let mut blue = rgb(0x0052_b8d6).lerp(rgb(0x001f_78b4), deep);
    let ripple = smooth_step(0.47, 0.5, wave) * smooth_step(0.54, 0.51, wave);
    blue = blue.lerp(rgb(0x00a6_e6f2), 0.4 * ripple);
    let foam = smooth_step(3.0, 0.5, (bank + 3.0).abs());
    blue = blue.lerp(rgb(0x00e8_f8f8), 0.7 * foam);
    let wet = smooth_step(1.5, -1.5, bank);
    Relief {
        color: color.lerp(blue * 1.12, wet),
        height: height * (1.0 - wet) - 0.004 * smooth_step(6.0, -4.0, bank),
    }
}
