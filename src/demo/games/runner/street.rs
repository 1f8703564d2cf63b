//! The town in pieces of a segment: tracks, what stands beside them, trains and barriers. A segment runs from z = 0 to
//! -SEGMENT; its right-hand side is built, the left-hand one is its mirror image.

use glam::{Mat4, Quat, Vec3};

use super::look::Town;
use super::plan::{MIDDLE, SEGMENT};
use crate::kit::atlas::Sprite;
use crate::kit::motion::Dice;
use crate::kit::paint::rgb;
use crate::kit::solid::{Faces, crate_box, painted, panel, quad, toned};
use crate::kit::stage::{merged, placed};
use crate::procedural::{Curve, Patch, ellipsoid, lathe, smooth_step};
use azulejo_scene::Primitive;

/// Number of the kinds of roadside.
pub(super) const N_SIDES: usize = 6;

/// sRGB code to linear RGB.
pub(super) fn linear(code: u32) -> Vec3 {
    rgb(code).powf(2.2)
}

fn corner_dark(parts: &[Primitive]) -> Primitive {
    toned(merged(parts), |p, n| {
        let low = 0.55 + 0.45 * smooth_step(-0.2, 1.6, p.y);
        Vec3::splat(if n.y > 0.7 { 1.0 } else { low })
    })
}

pub(super) fn box_at(low: [f32; 3], high: [f32; 3], sprite: Sprite, tint: Vec3) -> Vec<Primitive> {
    crate_box(Vec3::from(low), Vec3::from(high), Faces::all(sprite), tint)
}

/// Buildings and walls to the right of the tracks in a segment.
pub(super) fn side(town: &Town, kind: usize, dice: &mut Dice) -> Primitive {
    let mut parts = pavement(town);
    match kind {
        0 => {
            parts.extend(wall(town));
            parts.extend(block(town, 10.0, [2, 1], dice));
            parts.extend(tree(town, Vec3::new(6.9, 0.3, -4.0), 1.0));
            parts.extend(tree(town, Vec3::new(7.2, 0.3, -11.0), 1.25));
        }
        1 => parts.extend(shops(town, dice)),
        2 => parts.extend(station(town, dice)),
        3 => parts.extend(yard(town, dice)),
        4 => {
            parts.extend(block(town, 8.2, [2, 2], dice));
            parts.extend(lamp(town, Vec3::new(4.8, 0.3, -MIDDLE)));
        }
        _ => {
            for (x, z, size) in [
                (6.0, -2.4, 1.2),
                (7.9, -6.2, 1.5),
                (5.9, -9.4, 1.0),
                (7.2, -12.6, 1.35),
            ] {
                parts.extend(tree(town, Vec3::new(x, 0.3, z), size));
            }
            parts.extend(billboard(town));
            parts.extend(block(town, 12.0, [1, 2], dice));
        }
    }
    corner_dark(&parts)
}

fn pavement(town: &Town) -> Vec<Primitive> {
    let down = Vec3::Z * (SEGMENT / 4.0);
    (0..4)
        .map(|k| {
            let corner = Vec3::new(4.2, 0.3, -SEGMENT + down.z * k as f32);
            panel(
                corner,
                [Vec3::X * 16.0, down],
                town.concrete,
                linear(0x00d4_c8b4),
            )
        })
        .collect()
}

/// A wall with a painting along the tracks.
fn wall(town: &Town) -> Vec<Primitive> {
    let grey = Vec3::splat(0.9);
    let mut parts = box_at([5.2, 0.3, -SEGMENT], [5.5, 2.9, 0.0], town.concrete, grey);
    parts.push(panel(
        Vec3::new(5.17, 2.8, -SEGMENT + 0.2),
        [Vec3::Z * (SEGMENT - 0.4), Vec3::NEG_Y * 2.4],
        town.graffiti,
        Vec3::ONE,
    ));
    parts.extend(box_at(
        [5.1, 2.85, -SEGMENT],
        [5.6, 3.05, 0.0],
        town.concrete,
        Vec3::splat(0.75),
    ));
    parts
}

/// A house whose front stands at `x`: bays with windows, a cornice, an end wall.
fn block(town: &Town, x: f32, [lowest, more]: [usize; 2], dice: &mut Dice) -> Vec<Primitive> {
    let (bays, high) = (4, 3.1);
    let floors = lowest + dice.below(more);
    let paints = [
        0x00f2_d9a0,
        0x00e8_a58a,
        0x00b8_d4c4,
        0x00f3_ece0,
        0x009c_c4de,
    ];
    let brick = dice.below(2) == 0;
    let (sprite, plain, tint) = if brick {
        (town.brick_window, town.brick, Vec3::ONE)
    } else {
        (
            town.plaster_window,
            town.concrete,
            linear(paints[dice.below(5)]),
        )
    };
    let top = 0.3 + floors as f32 * high;
    let mut parts = Vec::new();
    // The end walls, in squares of the same bricks.
    for floor in 0..floors {
        let y = top - floor as f32 * high;
        for k in 0..2 {
            let across = Vec3::X * 2.5;
            let at = Vec3::new(x + 2.5 * k as f32, y, -0.3);
            parts.push(panel(at, [across, Vec3::NEG_Y * high], plain, tint));
        }
        for bay in 0..bays {
            let wide = (SEGMENT - 0.6) / bays as f32;
            let corner = Vec3::new(x, y, -SEGMENT + 0.3 + wide * bay as f32);
            let ground = floor + 1 == floors;
            let face = if ground && bay % 2 == 1 {
                town.shutter
            } else {
                sprite
            };
            parts.push(panel(
                corner,
                [Vec3::Z * wide, Vec3::NEG_Y * high],
                face,
                tint,
            ));
        }
    }
    parts.extend(trim(town, x, top, dice.unit() < 0.6));
    parts
}

/// Cornice and ledge of a house, perhaps a water tank on its roof.
fn trim(town: &Town, x: f32, top: f32, has_tank: bool) -> Vec<Primitive> {
    let mut parts = Vec::new();
    let stucco = linear(0x00f4_ead8);
    parts.extend(box_at(
        [x - 0.35, top - 0.1, -SEGMENT + 0.2],
        [x + 5.0, top + 0.45, -0.15],
        town.concrete,
        stucco,
    ));
    parts.extend(box_at(
        [x - 0.12, 3.2, -SEGMENT + 0.25],
        [x + 0.1, 3.5, -0.25],
        town.concrete,
        stucco,
    ));
    if has_tank {
        let tank = lathe(
            Patch::new(12, 5),
            &Curve::profile(&[[0.05, 2.6], [1.0, 1.9], [0.95, 1.7], [0.9, 0.6]]),
        );
        let tank = placed(
            tank,
            Mat4::from_translation(Vec3::new(x + 2.0, top + 0.4, -5.0)),
        );
        parts.push(painted(tank, town.metal, linear(0x00b0_7248)));
    }
    parts
}

/// Two shops with awnings below flats.
fn shops(town: &Town, dice: &mut Dice) -> Vec<Primitive> {
    let x = 7.4;
    let mut parts = block(town, x, [2, 1], dice);
    for (k, sprite) in town.shops.into_iter().enumerate() {
        let wide = (SEGMENT - 0.6) / 2.0;
        let z = -SEGMENT + 0.3 + wide * k as f32;
        parts.push(panel(
            Vec3::new(x - 0.05, 3.4, z),
            [Vec3::Z * wide, Vec3::NEG_Y * 3.1],
            sprite,
            Vec3::ONE,
        ));
        let colors = [0x00e8_4a3a, 0x002f_9e6a, 0x00f0_a020];
        let awning = [
            Vec3::new(x - 0.05, 2.95, z + 0.4),
            Vec3::new(x - 0.05, 2.95, z + wide - 0.4),
            Vec3::new(x - 1.3, 2.35, z + 0.4),
            Vec3::new(x - 1.3, 2.35, z + wide - 0.4),
        ];
        let color = linear(colors[(k + dice.below(2)) % 3]) * 1.3;
        parts.push(quad(awning, town.awning, color));
        let hem = Vec3::new(x - 1.3, 2.35, z + 0.4);
        parts.push(panel(
            hem,
            [Vec3::Z * (wide - 0.8), Vec3::NEG_Y * 0.3],
            town.awning,
            color * 0.85,
        ));
        // Its end, towards the eye.
        let end = [
            awning[3],
            awning[1],
            awning[3] - Vec3::Y * 0.3,
            awning[1] - Vec3::Y * 0.9,
        ];
        parts.push(quad(end, town.cloth, color * 0.6));
    }
    parts.extend(lamp(town, Vec3::new(4.8, 0.3, -MIDDLE)));
    for z in [-3.0, -11.2] {
        let fruit = linear([0x00e2_4f3a, 0x00f6_b03a][dice.below(2)]);
        parts.extend(box_at(
            [5.4, 0.3, z - 0.7],
            [6.2, 0.95, z + 0.7],
            town.brick,
            linear(0x00c8_9458),
        ));
        for k in 0..5 {
            let ball = placed(
                ellipsoid(Patch::new(7, 5), Vec3::splat(0.17)),
                Mat4::from_translation(Vec3::new(
                    5.6 + 0.2 * (k % 3) as f32,
                    1.02,
                    z - 0.5 + 0.25 * k as f32,
                )),
            );
            parts.push(painted(ball, town.cloth, fruit));
        }
    }
    parts
}

/// A bench on a platform.
fn bench(town: &Town, z: f32) -> Vec<Primitive> {
    let (wood, steel) = (linear(0x00d8_a868), Vec3::splat(0.2));
    let pieces = [
        ([7.4, 1.5, -0.9], [7.9, 1.62, 0.9], town.brick, wood),
        ([7.85, 1.6, -0.9], [7.95, 2.1, 0.9], town.brick, wood),
        ([7.5, 1.1, -0.7], [7.8, 1.5, -0.6], town.metal, steel),
        ([7.5, 1.1, 0.6], [7.8, 1.5, 0.7], town.metal, steel),
    ];
    let at = |[x, y, aside]: [f32; 3]| [x, y, z + aside];
    let boxes = pieces.map(|(low, high, sprite, tint)| box_at(at(low), at(high), sprite, tint));
    boxes.into_iter().flatten().collect()
}

/// A platform below a roof on pillars, a warehouse behind.
fn station(town: &Town, dice: &mut Dice) -> Vec<Primitive> {
    let mut parts = block(town, 11.4, [1, 2], dice);
    parts.extend(box_at(
        [4.7, 0.3, -SEGMENT],
        [9.4, 1.1, 0.0],
        town.concrete,
        linear(0x00d8_cdbc),
    ));
    parts.push(panel(
        Vec3::new(4.7, 1.12, -SEGMENT),
        [Vec3::X * 0.35, Vec3::Z * SEGMENT],
        town.cloth,
        linear(0x00ff_cf3a),
    ));
    for z in [-2.2, -7.2, -12.2] {
        for (low, high, half) in [
            ([6.2, 1.1], [6.48, 4.3], 0.14),
            ([5.6, 3.9], [7.2, 4.1], 0.1),
        ] {
            parts.extend(box_at(
                [low[0], low[1], z - half],
                [high[0], high[1], z + half],
                town.metal,
                linear(0x002f_8a80),
            ));
        }
    }
    let roof = linear(0x00d8_6a4a);
    parts.extend(box_at(
        [5.0, 4.3, -SEGMENT + 0.3],
        [8.4, 4.55, -0.3],
        town.container,
        roof,
    ));
    for z in [-4.7, -9.7] {
        parts.extend(bench(town, z));
    }
    parts.push(panel(
        Vec3::new(5.3, 3.85, -8.4),
        [Vec3::Z * 2.4, Vec3::NEG_Y * 0.8],
        town.poster,
        Vec3::ONE,
    ));
    parts
}

/// Containers in stacks, a lamp.
fn yard(town: &Town, dice: &mut Dice) -> Vec<Primitive> {
    let mut parts = Vec::new();
    let paints = [
        0x00e0_5a3a,
        0x003a_8ec8,
        0x00f0_b440,
        0x004f_a866,
        0x00c8_5a8a,
    ];
    for (x, z) in [(6.2, -3.4), (6.2, -10.6), (9.4, -3.4), (9.4, -10.6)] {
        for level in 0..1 + dice.below(2) {
            let (shift, y) = (dice.between(-0.2, 0.2), 0.3 + 2.5 * level as f32);
            let tint = linear(paints[dice.below(5)]);
            parts.extend(box_at(
                [x + shift, y, z - 3.0],
                [x + 2.5 + shift, y + 2.45, z + 3.0],
                town.container,
                tint,
            ));
        }
    }
    parts.extend(lamp(town, Vec3::new(5.0, 0.3, -MIDDLE)));
    parts
}

fn lamp(town: &Town, foot: Vec3) -> Vec<Primitive> {
    let green = linear(0x0030_5a5c);
    let [x, y, z] = foot.to_array();
    let mut parts = box_at(
        [x - 0.16, y, z - 0.16],
        [x + 0.16, y + 0.5, z + 0.16],
        town.metal,
        green,
    );
    parts.extend(box_at(
        [x - 0.08, y + 0.5, z - 0.08],
        [x + 0.08, y + 5.0, z + 0.08],
        town.metal,
        green,
    ));
    parts.extend(box_at(
        [x - 1.5, y + 5.0, z - 0.09],
        [x + 0.08, y + 5.16, z + 0.09],
        town.metal,
        green,
    ));
    parts.extend(box_at(
        [x - 1.6, y + 4.85, z - 0.2],
        [x - 0.8, y + 5.05, z + 0.2],
        town.cloth,
        Vec3::new(2.0, 1.8, 1.2),
    ));
    parts
}

fn tree(town: &Town, foot: Vec3, size: f32) -> Vec<Primitive> {
    let bark = lathe(
        Patch::new(7, 3),
        &Curve::profile(&[[0.1, 2.4], [0.14, 1.2], [0.24, 0.0]]),
    );
    let mut parts = vec![painted(bark, town.brick, linear(0x0098_6a48))];
    for (number, (x, y, z, r)) in [
        (0.0, 3.3, 0.0, 1.25),
        (0.75, 2.7, 0.3, 0.85),
        (-0.7, 2.75, 0.35, 0.9),
        (0.1, 2.5, 0.75, 0.8),
        (0.0, 2.7, -0.7, 0.85),
    ]
    .into_iter()
    .enumerate()
    {
        let ball = ellipsoid(Patch::new(9, 7), Vec3::new(r, r * 0.88, r));
        let ball = placed(
            ball,
            Mat4::from_rotation_translation(
                Quat::from_rotation_y(number as f32),
                Vec3::new(x, y, z),
            ),
        );
        let leaves = painted(ball, town.leaves, Vec3::ONE);
        parts.push(toned(leaves, |p, n| {
            Vec3::splat((0.55 + 0.16 * (p.y - 2.0)) * (0.75 + 0.25 * n.y))
        }));
    }
    parts
        .into_iter()
        .map(|part| {
            placed(
                part,
                Mat4::from_scale_rotation_translation(Vec3::splat(size), Quat::IDENTITY, foot),
            )
        })
        .collect()
}

fn billboard(town: &Town) -> Vec<Primitive> {
    let dark = Vec3::splat(0.12);
    let mut parts = box_at([5.0, 0.3, -7.6], [5.2, 3.0, -7.4], town.metal, dark);
    parts.extend(box_at([8.0, 0.3, -7.6], [8.2, 3.0, -7.4], town.metal, dark));
    parts.extend(box_at(
        [4.6, 2.9, -7.65],
        [8.6, 5.9, -7.4],
        town.metal,
        dark,
    ));
    parts.push(panel(
        Vec3::new(4.75, 5.75, -7.38),
        [Vec3::X * 3.7, Vec3::NEG_Y * 2.7],
        town.poster,
        Vec3::ONE,
    ));
    parts
}
