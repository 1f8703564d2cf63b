//! Sprites of the village's buildings.

use glam::{Vec2, Vec3, vec2, vec3};

use crate::kit::atlas::{Sheet, Sprite};
use crate::kit::isometric::{Block, project};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::pattern::{masonry, planks, shingles};
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box};
use crate::procedural::{random, smooth_step};

/// Number of the kinds of buildings.
pub(super) const KINDS: usize = 13;

/// Paints the buildings' sprites, in the order of their kinds.
pub(super) fn buildings(s: &mut Sheet) -> [Sprite; KINDS] {
    [
        s.sprite(town_hall),
        s.sprite(|| cottage(rgb(0x00e0_5a3c), rgb(0x00f6_e6c6))),
        s.sprite(|| cottage(rgb(0x003c_90c8), rgb(0x00f2_e8d8))),
        s.sprite(mine),
        s.sprite(pump),
        s.sprite(barracks),
        s.sprite(archers),
        s.sprite(cannon),
        s.sprite(store),
        s.sprite(camp),
        s.sprite(wall),
        s.sprite(field),
        s.sprite(well),
    ]
}

const STONE: u32 = 0x00c4_beb6;

fn bricks(p: Vec2) -> f32 {
    masonry(p, vec2(0.14, 0.085))
}

fn roof_tiles(p: Vec2) -> f32 {
    shingles(p, vec2(0.12, 0.1))
}

fn boards(p: Vec2) -> f32 {
    planks(p, 0.09)
}

/// A door of planks in an arch's colour.
fn door(canvas: &mut Canvas, block: Block, origin: Vec2, is_left: bool, at: Vec2, size: Vec2) {
    block.panel(
        canvas,
        origin,
        (is_left, at, size + vec2(0.07, 0.04)),
        |_| rgb(0x006a_5648),
    );
    block.panel(canvas, origin, (is_left, at, size), |uv| {
        rgb(0x0094_5a30) * planks(uv * size, 0.07)
    });
}

fn window(canvas: &mut Canvas, block: Block, origin: Vec2, place: (bool, Vec2)) {
    let size = vec2(0.13, 0.15);
    block.panel(canvas, origin, (place.0, place.1, size), |uv| {
        let bar = (uv - 0.5).abs().min_element();
        rgb(0x0074_4a2a).lerp(rgb(0x00ff_dc84), smooth_step(0.05, 0.09, bar))
    });
}

fn town_hall() -> Canvas {
    let mut canvas = Canvas::new(200, 216);
    let origin = vec2(0.0, 0.42);
    let stone = rgb(STONE);
    Block::around(Vec2::splat(0.52), 0.0, 0.1).paint(&mut canvas, origin, stone * 0.85, bricks);
    let hall = Block::around(vec2(0.46, 0.42), 0.1, 0.52);
    hall.paint(&mut canvas, origin, stone, bricks);
    door(
        &mut canvas,
        hall,
        origin,
        true,
        vec2(0.46, 0.15),
        vec2(0.24, 0.3),
    );
    for x in [0.14, 0.78] {
        window(&mut canvas, hall, origin, (true, vec2(x, 0.24)));
        window(&mut canvas, hall, origin, (false, vec2(x * 0.95, 0.24)));
    }
    hall.hip(
        &mut canvas,
        origin,
        (0.07, 0.4),
        rgb(0x00f0_8a2c),
        roof_tiles,
    );
    let tower = Block::around(Vec2::splat(0.2), 0.52, 0.98);
    tower.paint(&mut canvas, origin, stone * 1.05, bricks);
    window(&mut canvas, tower, origin, (true, vec2(0.2, 0.3)));
    window(&mut canvas, tower, origin, (false, vec2(0.2, 0.3)));
    tower.hip(
        &mut canvas,
        origin,
        (0.06, 0.34),
        rgb(0x00e0_4a34),
        roof_tiles,
    );
    let knob = project(origin, vec3(0.0, 0.0, 1.34));
    canvas.cushion(
        move |p| circle(p - knob, 0.045),
        |_| rgb(0x00ff_d84a),
        Cushion::PAINTED.scaled(0.4),
    );
    canvas
}

fn cottage(roof: Vec3, wall: Vec3) -> Canvas {
    let mut canvas = Canvas::new(112, 108);
    let origin = vec2(0.0, 0.36);
    let house = Block::around(vec2(0.52, 0.4), 0.0, 0.5);
    let timber = |p: Vec2| {
        let beam = (p.x / 0.34 - (p.x / 0.34).round()).abs() * 0.34;
        let level = (p.y - 0.03).abs().min((p.y - 0.47).abs());
        if beam.min(level) < 0.03 { 0.5 } else { 1.0 }
    };
    house.paint(&mut canvas, origin, wall, timber);
    door(
        &mut canvas,
        house,
        origin,
        true,
        vec2(0.5, 0.17),
        vec2(0.22, 0.34),
    );
    window(&mut canvas, house, origin, (true, vec2(0.18, 0.27)));
    window(&mut canvas, house, origin, (true, vec2(0.86, 0.27)));
    window(&mut canvas, house, origin, (false, vec2(0.4, 0.3)));
    let chimney = Block::around(Vec2::splat(0.085), 0.5, 1.12).at(vec3(-0.2, -0.2, 0.0));
    chimney.paint(&mut canvas, origin, rgb(0x00b0_8a7a), bricks);
    house.gable(&mut canvas, origin, (0.1, 0.46), [roof, wall], roof_tiles);
    canvas
}

fn mine() -> Canvas {
    let mut canvas = Canvas::new(118, 100);
    let rock = |x: f32, y: f32, r: f32| move |p: Vec2| ellipse(p - vec2(x, y), vec2(r, r * 0.8));
    for (x, y, r) in [(-0.55, 0.1, 0.5), (0.55, 0.12, 0.48), (0.0, -0.2, 0.6)] {
        canvas.cushion(
            rock(x, y, r),
            |_| rgb(0x00a8_927c),
            Cushion {
                bevel: 0.4,
                ..Cushion::DULL
            },
        );
    }
    let mouth = |p: Vec2| rounded_box(p - vec2(0.0, 0.34), vec2(0.34, 0.42), 0.3).max(p.y - 0.66);
    canvas.flat(mouth, rgb(0x002a_2020));
    for x in [-0.38, 0.38] {
        canvas.cushion(
            move |p| rounded_box(p - vec2(x, 0.3), vec2(0.07, 0.42), 0.02),
            |p| rgb(0x00b0_7a44) * planks(p, 0.1),
            Cushion::DULL,
        );
    }
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, -0.12), vec2(0.54, 0.08), 0.03),
        |_| rgb(0x00bc_8448),
        Cushion::DULL,
    );
    for nugget in 0..13 {
        let own = |salt: i32| random(nugget, salt, 21);
        let at = vec2(
            -0.85 + 1.7 * own(1),
            0.5 + 0.3 * own(2) - 0.16 * (own(1) - 0.5).abs(),
        );
        canvas.cushion(
            move |p| circle(p - at, 0.1),
            |_| rgb(0x00ff_c62a),
            Cushion::PAINTED.scaled(0.8),
        );
    }
    canvas
}

fn pump() -> Canvas {
    let mut canvas = Canvas::new(108, 116);
    let origin = vec2(0.0, 0.5);
    let base = Block::around(Vec2::splat(0.46), 0.0, 0.16);
    base.paint(&mut canvas, origin, rgb(0x008a_8494), bricks);
    let glass = |p: Vec2| ellipse(p - vec2(0.0, -0.06), vec2(0.52, 0.5));
    canvas.cushion(
        glass,
        |p| {
            let level = -0.12 + 0.02 * (p.x * 9.0).sin();
            rgb(0x00c8_b0f0).lerp(rgb(0x00c0_32d8), smooth_step(-0.02, 0.02, p.y - level))
        },
        Cushion {
            bevel: 0.5,
            gloss: 0.9,
            ..Cushion::PAINTED
        },
    );
    for x in [-0.5, 0.5] {
        let strut = move |p: Vec2| capsule(p, vec2(x, 0.42), vec2(x * 0.92, -0.2), 0.06);
        canvas.cushion(strut, |_| rgb(0x00d8_a040), Cushion::PAINTED.scaled(0.6));
    }
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, -0.56), vec2(0.26, 0.09), 0.05),
        |_| rgb(0x00d8_a040),
        Cushion::PAINTED.scaled(0.6),
    );
    canvas.fill(
        |p| ellipse(p - vec2(-0.22, -0.26), vec2(0.1, 0.16)),
        |_| Vec3::ONE.extend(0.55),
    );
    canvas
}

fn barracks() -> Canvas {
    let mut canvas = Canvas::new(132, 118);
    let origin = vec2(0.0, 0.4);
    let hall = Block::around(vec2(0.58, 0.48), 0.0, 0.42);
    hall.paint(&mut canvas, origin, rgb(0x00b8_8a5c), boards);
    door(
        &mut canvas,
        hall,
        origin,
        true,
        vec2(0.58, 0.15),
        vec2(0.28, 0.3),
    );
    hall.hip(
        &mut canvas,
        origin,
        (0.1, 0.5),
        rgb(0x00c4_3c40),
        roof_tiles,
    );
    let sign = project(origin, vec3(0.2, 0.6, 0.6));
    canvas.cushion(
        move |p| circle(p - sign, 0.17),
        |_| rgb(0x0048_7ad0),
        Cushion::PAINTED.scaled(0.8),
    );
    for side in [-1.0, 1.0] {
        let blade = move |p: Vec2| {
            capsule(
                p,
                sign + vec2(-0.22 * side, 0.2),
                sign + vec2(0.2 * side, -0.24),
                0.025,
            )
        };
        canvas.cushion(blade, |_| rgb(0x00f0_f2f8), Cushion::PAINTED.scaled(0.3));
    }
    canvas
}

fn archers() -> Canvas {
    let mut canvas = Canvas::new(80, 128);
    let origin = vec2(0.0, 0.66);
    Block::around(Vec2::splat(0.3), 0.0, 0.1).paint(&mut canvas, origin, rgb(STONE), bricks);
    Block::around(Vec2::splat(0.2), 0.1, 0.72).paint(&mut canvas, origin, rgb(0x00b4_8450), boards);
    let deck = Block::around(Vec2::splat(0.3), 0.72, 0.9);
    deck.paint(&mut canvas, origin, rgb(0x00c8_9458), boards);
    let head = project(origin, vec3(0.0, 0.0, 1.06));
    canvas.cushion(
        move |p| ellipse(p - head - vec2(0.0, 0.12), vec2(0.13, 0.13)),
        |_| rgb(0x00c8_4a8c),
        Cushion::DULL.scaled(0.6),
    );
    canvas.cushion(
        move |p| circle(p - head, 0.1),
        |_| rgb(0x00f6_c8a0),
        Cushion::DULL.scaled(0.5),
    );
    canvas.cushion(
        move |p| circle(p - head, 0.11).max(p.y - head.y + 0.02),
        |_| rgb(0x00f0_70b0),
        Cushion::DULL.scaled(0.5),
    );
    for (x, y) in [(-0.27, 0.27), (0.27, 0.27), (0.27, -0.27)] {
        let (foot, top) = (
            project(origin, vec3(x, y, 0.9)),
            project(origin, vec3(x, y, 1.22)),
        );
        canvas.cushion(
            move |p| capsule(p, foot, top, 0.025),
            |_| rgb(0x008a_5c34),
            Cushion::DULL.scaled(0.4),
        );
    }
    let eaves = Block::around(Vec2::splat(0.3), 1.1, 1.2);
    eaves.hip(
        &mut canvas,
        origin,
        (0.04, 0.3),
        rgb(0x00d0_5a34),
        roof_tiles,
    );
    canvas
}

fn cannon() -> Canvas {
    let mut canvas = Canvas::new(92, 78);
    let origin = vec2(0.0, 0.36);
    Block::around(Vec2::splat(0.56), 0.0, 0.14).paint(
        &mut canvas,
        origin,
        rgb(0x009a_96a0),
        bricks,
    );
    canvas.cushion(
        |p| ellipse(p - vec2(0.0, 0.12), vec2(0.56, 0.34)),
        |p| rgb(0x00a0_7040) * planks(p, 0.16),
        Cushion::DULL,
    );
    let barrel = |p: Vec2| {
        capsule(p, vec2(0.14, -0.06), vec2(-0.56, -0.34), 0.24).min(capsule(
            p,
            vec2(-0.54, -0.33),
            vec2(-0.62, -0.36),
            0.3,
        ))
    };
    canvas.cushion(
        barrel,
        |_| rgb(0x0050_5260),
        Cushion {
            bevel: 0.26,
            gloss: 0.9,
            ..Cushion::PAINTED
        },
    );
    canvas.flat(
        |p| ellipse(p - vec2(-0.74, -0.4), vec2(0.13, 0.19)),
        rgb(0x0014_1216),
    );
    canvas
}

fn store() -> Canvas {
    let mut canvas = Canvas::new(112, 100);
    let origin = vec2(0.0, 0.34);
    let bin = Block::around(Vec2::splat(0.54), 0.0, 0.36);
    bin.paint(&mut canvas, origin, rgb(0x00b0_8050), boards);
    let heap = |p: Vec2| ellipse(p - vec2(0.0, -0.08), vec2(0.72, 0.4));
    canvas.cushion(
        heap,
        |_| rgb(0x00e0_9a18),
        Cushion {
            bevel: 0.4,
            ..Cushion::DULL
        },
    );
    for coin in 0..34 {
        let own = |salt: i32| random(coin, salt, 33);
        let away = vec2(own(1) * 2.0 - 1.0, own(2) * 2.0 - 1.0);
        if away.length() > 1.0 {
            continue;
        }
        let at = vec2(0.0, -0.1) + away * vec2(0.62, 0.32);
        canvas.cushion(
            move |p| ellipse(p - at, vec2(0.1, 0.075)),
            |_| rgb(0x00ff_d23c),
            Cushion::PAINTED.scaled(0.6),
        );
    }
    for (x, y) in [(-0.54, 0.54), (0.54, 0.54), (0.54, -0.54)] {
        let (foot, top) = (
            project(origin, vec3(x, y, 0.0)),
            project(origin, vec3(x, y, 0.5)),
        );
        canvas.cushion(
            move |p| capsule(p, foot, top, 0.06),
            |_| rgb(0x008e_949e),
            Cushion::PAINTED.scaled(0.6),
        );
    }
    canvas
}

fn camp() -> Canvas {
    let mut canvas = Canvas::new(170, 96);
    canvas.fill(
        |p| ellipse(p - vec2(0.0, 0.24), vec2(1.6, 0.7)),
        |_| rgb(0x00a0_7a48).extend(0.85),
    );
    let tent = [(-1.2, 0.3), (-0.55, -0.72), (-0.2, 0.5)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &tent) - 0.03,
        |p| rgb(0x00e8_d8b0) * planks(vec2(p.x + p.y * 0.4, p.y), 0.3),
        Cushion::DULL,
    );
    let side = [(-0.55, -0.72), (-0.2, 0.5), (0.3, 0.2)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &side) - 0.03,
        |_| rgb(0x00b0_9870),
        Cushion::DULL,
    );
    for angle in [0.3, -0.3] {
        let along = Vec2::from_angle(angle) * 0.3;
        canvas.cushion(
            move |p| capsule(p, vec2(0.8, 0.46) - along, vec2(0.8, 0.46) + along, 0.075),
            |_| rgb(0x007a_4a28),
            Cushion::DULL,
        );
    }
    for (x, y) in [
        (0.46, 0.6),
        (1.14, 0.56),
        (0.62, 0.76),
        (1.0, 0.74),
        (0.5, 0.36),
        (1.12, 0.36),
    ] {
        canvas.cushion(
            move |p| ellipse(p - vec2(x, y), vec2(0.1, 0.075)),
            |_| rgb(0x00b0_aca8),
            Cushion::DULL.scaled(0.7),
        );
    }
    canvas
}

fn wall() -> Canvas {
    let mut canvas = Canvas::new(48, 56);
    let origin = vec2(0.0, 0.42);
    Block::around(Vec2::splat(0.46), 0.0, 0.7).paint(&mut canvas, origin, rgb(0x00cc_c6c0), |p| {
        masonry(p, vec2(0.4, 0.24))
    });
    Block::around(Vec2::splat(0.3), 0.7, 0.92)
        .paint(&mut canvas, origin, rgb(0x00dc_d6cc), |_| 1.0);
    canvas
}

fn field() -> Canvas {
    let mut canvas = Canvas::new(150, 84);
    let origin = vec2(0.0, 0.0);
    Block::around(Vec2::splat(0.94), -0.06, 0.0).paint(
        &mut canvas,
        origin,
        rgb(0x0096_6236),
        |_| 1.0,
    );
    for row in 0..5 {
        for plant in 0..7 {
            let at = project(
                origin,
                vec3(-0.72 + 0.24 * plant as f32, -0.68 + 0.34 * row as f32, 0.05),
            );
            let tone = 0.85 + 0.3 * random(row, plant, 8);
            canvas.cushion(
                move |p| ellipse(p - at, vec2(0.11, 0.1)),
                move |_| rgb(0x0074_b838) * tone,
                Cushion::DULL.scaled(0.7),
            );
            if (row + plant) % 2 == 0 {
                canvas.cushion(
                    move |p| circle(p - at + vec2(0.0, 0.06), 0.05),
                    |_| rgb(0x00ff_8a28),
                    Cushion::PAINTED.scaled(0.5),
                );
            }
        }
    }
    canvas
}

fn well() -> Canvas {
    let mut canvas = Canvas::new(60, 76);
    let origin = vec2(0.0, 0.5);
    let ring = Block::around(Vec2::splat(0.4), 0.0, 0.3);
    ring.paint(&mut canvas, origin, rgb(STONE), bricks);
    canvas.flat(
        |p| ellipse(p - vec2(0.0, 0.2), vec2(0.46, 0.22)),
        rgb(0x0028_5a90),
    );
    for (x, y) in [(-0.34, 0.34), (0.34, -0.34)] {
        let (foot, top) = (
            project(origin, vec3(x, y, 0.3)),
            project(origin, vec3(x, y, 0.95)),
        );
        canvas.cushion(
            move |p| capsule(p, foot, top, 0.045),
            |_| rgb(0x008a_5c34),
            Cushion::DULL.scaled(0.6),
        );
    }
    Block::around(Vec2::splat(0.36), 0.8, 0.9).hip(
        &mut canvas,
        origin,
        (0.08, 0.4),
        rgb(0x00b8_6a3a),
        roof_tiles,
    );
    canvas
}
