//! Icons of the kingdom's display: faces, goods and tools, each painted once.

use glam::Vec2;

use crate::kit::atlas::{Sheet, Sprite};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};

fn icon(size: u32, paint: impl FnOnce(&mut Canvas)) -> Canvas {
    let mut canvas = Canvas::new(size, size);
    paint(&mut canvas);
    canvas
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    pub(super) ruler: Sprite,
    pub(super) grain: Sprite,
    pub(super) logs: Sprite,
    pub(super) stone: Sprite,
    pub(super) captains: [Sprite; 3],
    pub(super) hammer: Sprite,
    pub(super) shield: Sprite,
    /// Two crossed swords: a battle.
    pub(super) swords: Sprite,
    pub(super) lens: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        let captains = [
            [0x0036_6fd0, 0x00d8_a070, 0x001c_1614],
            [0x008a_3ab0, 0x00f4_cba4, 0x00c8_8a30],
            [0x00b8_4a28, 0x009a_6440, 0x0030_2018],
        ];
        let ruler = [0x002f_a84a, 0x00f0_c09a, 0x005a_3420];
        Self {
            ruler: s.sprite(|| portrait(160, ruler, true)),
            grain: s.sprite(grain),
            logs: s.sprite(logs),
            stone: s.sprite(stone),
            captains: captains.map(|colors| s.sprite(|| portrait(96, colors, false))),
            hammer: s.sprite(hammer),
            shield: s.sprite(shield),
            swords: s.sprite(swords),
            lens: s.sprite(lens),
        }
    }
}

const SOFT: Cushion = Cushion {
    bevel: 0.2,
    outline: 0.05,
    contrast: 0.55,
    gloss: 0.5,
};

fn grain() -> Canvas {
    icon(64, |c| {
        for (x, y) in [
            (-0.4, 0.0),
            (0.0, -0.2),
            (0.4, 0.0),
            (-0.2, 0.4),
            (0.2, 0.4),
        ] {
            let at = Vec2::new(x, y);
            c.cushion(
                move |p| ellipse(p - at, Vec2::new(0.2, 0.42)),
                |_| rgb(0x00f2_c234),
                SOFT,
            );
        }
    })
}

fn logs() -> Canvas {
    icon(64, |c| {
        for (x, y) in [(-0.4, 0.36), (0.4, 0.36), (0.0, -0.28)] {
            let at = Vec2::new(x, y);
            c.cushion(move |p| circle(p - at, 0.42), |_| rgb(0x00c0_8048), SOFT);
            c.flat(
                move |p| (circle(p - at, 0.2)).abs() - 0.04,
                rgb(0x008a_5428),
            );
        }
    })
}

fn stone() -> Canvas {
    icon(64, |c| {
        let rock = [
            (-0.85, 0.5),
            (-0.5, -0.5),
            (0.2, -0.75),
            (0.85, 0.0),
            (0.7, 0.65),
        ]
        .map(Vec2::from);
        c.cushion(
            move |p| polygon(p, &rock) - 0.05,
            |_| rgb(0x00b0_b6be),
            SOFT,
        );
    })
}

fn hammer() -> Canvas {
    icon(80, |c| {
        c.cushion(
            |p| capsule(p, Vec2::new(-0.5, 0.7), Vec2::new(0.3, -0.2), 0.11),
            |_| rgb(0x009a_6a3a),
            SOFT,
        );
        let head = |p: Vec2| {
            let q = Vec2::from_angle(-0.84).rotate(p - Vec2::new(0.34, -0.3));
            rounded_box(q, Vec2::new(0.26, 0.52), 0.08)
        };
        c.cushion(head, |_| rgb(0x00cf_d6de), SOFT);
    })
}

fn shield() -> Canvas {
    icon(64, |c| {
        let outline = [
            (-0.75, -0.75),
            (0.75, -0.75),
            (0.72, 0.1),
            (0.0, 0.9),
            (-0.72, 0.1),
        ]
        .map(Vec2::from);
        c.cushion(
            move |p| polygon(p, &outline) - 0.05,
            |_| rgb(0x0032_5a9c),
            SOFT,
        );
    })
}

fn swords() -> Canvas {
    icon(80, |c| {
        for side in [-1.0_f32, 1.0] {
            let (hilt, tip) = (Vec2::new(-0.6 * side, 0.7), Vec2::new(0.62 * side, -0.78));
            c.cushion(
                move |p| capsule(p, hilt, tip, 0.11),
                |_| rgb(0x00d8_e0ea),
                SOFT,
            );
            let guard = hilt.lerp(tip, 0.24);
            let across = (tip - hilt).perp().normalize_or(Vec2::X) * 0.26;
            c.cushion(
                move |p| capsule(p, guard - across, guard + across, 0.08),
                |_| rgb(0x00e8_b030),
                SOFT,
            );
        }
    })
}

fn lens() -> Canvas {
    icon(80, |c| {
        c.cushion(
            |p| capsule(p, Vec2::new(0.3, 0.3), Vec2::new(0.75, 0.78), 0.13),
            |_| rgb(0x008a_5a30),
            SOFT,
        );
        c.cushion(|p| circle(p + 0.14, 0.58), |_| rgb(0x00e8_b848), SOFT);
        c.flat(|p| circle(p + 0.14, 0.4), rgb(0x009a_dcf0));
    })
}

/// A face in a gold ring: coat, skin, hair; a ruler wears a crown.
fn portrait(size: u32, [coat, skin, hair]: [u32; 3], crowned: bool) -> Canvas {
    let look = Cushion {
        bevel: 0.25,
        outline: 0.035,
        contrast: 0.6,
        gloss: 0.2,
    };
    icon(size, |c| {
        c.cushion(
            |p| circle(p, 0.96),
            |_| rgb(0x00f0_b838),
            Cushion {
                bevel: 0.12,
                ..look
            },
        );
        let inner = |p: Vec2| circle(p, 0.8);
        c.fill(inner, |p| {
            rgb(0x0038_4a6a)
                .lerp(rgb(0x0086_a0c4), 0.5 - 0.5 * p.y)
                .extend(1.0)
        });
        let chest =
            move |p: Vec2| ellipse(p - Vec2::new(0.0, 0.86), Vec2::new(0.66, 0.5)).max(inner(p));
        c.cushion(chest, |_| rgb(coat), look);
        c.cushion(
            |p| ellipse(p + Vec2::Y * 0.04, Vec2::new(0.44, 0.5)),
            |_| rgb(hair),
            look,
        );
        c.cushion(
            |p| ellipse(p - Vec2::Y * 0.08, Vec2::new(0.35, 0.42)),
            |_| rgb(skin),
            look,
        );
        let side = |p: Vec2| Vec2::new(p.x.abs() - 0.14, p.y - 0.04);
        c.flat(
            |p| ellipse(side(p), Vec2::new(0.05, 0.065)),
            rgb(0x0020_1814),
        );
        let brow = |p: Vec2| {
            capsule(
                Vec2::new(p.x.abs(), p.y),
                Vec2::new(0.07, -0.09),
                Vec2::new(0.24, -0.12),
                0.025,
            )
        };
        c.flat(brow, rgb(hair));
        let beard = |p: Vec2| ellipse(p - Vec2::Y * 0.38, Vec2::new(0.26, 0.18));
        c.cushion(beard, |_| rgb(hair), look);
        c.flat(
            |p| ellipse(p - Vec2::Y * 0.29, Vec2::new(0.1, 0.03)),
            rgb(0x00b0_5a4a),
        );
        if crowned {
            crown(c, look);
        }
    })
}

fn crown(c: &mut Canvas, look: Cushion) {
    let crown = [
        (-0.42, -0.3),
        (-0.5, -0.72),
        (-0.22, -0.5),
        (0.0, -0.82),
        (0.22, -0.5),
        (0.5, -0.72),
        (0.42, -0.3),
    ];
    let crown = crown.map(Vec2::from);
    c.cushion(
        move |p| polygon(p, &crown) - 0.02,
        |_| rgb(0x00ff_cc3a),
        Cushion { gloss: 0.6, ..look },
    );
    c.flat(|p| star(p + Vec2::Y * 0.46, 4, 0.1, 0.05), rgb(0x00e8_3a3a));
}
