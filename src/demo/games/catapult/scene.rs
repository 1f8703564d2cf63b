//! The land behind and below the siege: sky, clouds, mountains, fields, trees, earth and turf, each at a pace of its own.

use glam::{Vec2, Vec3, Vec4, vec2};

use super::siege::GROUND;
use super::{Catapult, Now};
use crate::Screen;
use crate::kit::atlas::Sprite;
use crate::kit::frame::FrameBuilder;
use crate::kit::sprites::{Batch, Placed};
use crate::procedural::random;

/// Units of an image of earth.
const EARTH: Vec2 = vec2(720.0, 480.0);
/// Share of a picture of the land that what stands before it leaves open.
const SHOWN: f32 = 0.8;
/// Ranges of x with trees, so that catapult and castle stay free.
const GROVES: [(f32, f32); 3] = [(-260.0, 20.0), (420.0, 1360.0), (2180.0, 2700.0)];

impl Catapult {
    pub(super) fn landscape(&self, builder: &mut FrameBuilder<'_>, now: Now<'_>) {
        let surface = builder.layer(Vec2::ZERO, 1.0);
        builder.sprites("sky", sky(now.wide), self.materials.sky, surface);
        let far = builder.layer(vec2(now.left(0.07), 0.0), 1.0);
        builder.sprites("clouds", self.clouds(), self.materials.pieces, far);
        let layers = [
            (
                "mountains",
                0.16,
                244.0,
                vec2(1138.0, 320.0),
                self.materials.mountains,
                Vec4::new(0.98, 0.6, 0.58, 1.0),
            ),
            (
                "fields",
                0.42,
                300.0,
                vec2(1334.0, 400.0),
                self.materials.fields,
                Vec4::new(0.96, 0.66, 0.46, 1.0),
            ),
        ];
        for (name, pace, top, size, material, tint) in layers {
            let left = now.left(pace);
            let through = builder.layer(vec2(left, 0.0), 1.0);
            let first = (left / size.x).floor() as i32;
            let last = ((left + now.wide) / size.x).floor() as i32;
            let mut batch = Batch::default();
            for k in first..=last {
                let shown = size * vec2(1.0, SHOWN);
                let middle = vec2((k as f32 + 0.5) * size.x, top + 0.5 * shown.y);
                let upper = Sprite::WHOLE.part(Vec2::ZERO, vec2(1.0, SHOWN));
                let placed = Placed::new(upper, middle, 1.0).sized(shown);
                batch.add(placed.tinted(tint));
            }
            builder.sprites(name, batch, material, through);
        }
        let world = builder.layer(vec2(now.left(1.0), 0.0), 1.0);
        builder.sprites("groves", self.groves(now), self.materials.pieces, world);
        builder.sprites(
            "earth",
            strip(now, GROUND, Screen::UNITS_HIGH + 4.0, EARTH, [1.0, 0.42]),
            self.materials.earth,
            world,
        );
        let turf = strip(
            now,
            GROUND - 17.0,
            GROUND + 31.0,
            vec2(384.0, 0.0),
            [1.0, 1.0],
        );
        builder.sprites("turf", turf, self.materials.turf, world);
    }

    fn clouds(&self) -> Batch {
        let mut batch = Batch::default();
        for k in 0..7 {
            let own = |salt: i32| random(k, salt, self.seed ^ 0xc10d);
            let at = vec2(
                -300.0 + 300.0 * (k as f32 + 0.6 * own(1)),
                90.0 + 150.0 * own(2),
            );
            let height = 50.0 + 50.0 * own(3);
            batch.add(Placed::new(self.pieces.cloud, at, height).faded(0.85));
        }
        batch
    }

    /// Trees, bushes and rocks on the ground.
    fn groves(&self, now: Now<'_>) -> Batch {
        let mut batch = Batch::default();
        let window = now.left(1.0)..now.left(1.0) + now.wide;
        for mark in -4..36 {
            let own = |salt: i32| random(mark, salt, self.seed ^ 0x90fe);
            let x = 76.0 * (mark as f32 + 0.7 * own(1));
            let is_free = GROVES.iter().any(|&(from, to)| (from..to).contains(&x));
            let near = window.start - 150.0 < x && x < window.end + 150.0;
            let kind = (own(2) * 5.0) as usize;
            if !(is_free && near) {
                continue;
            }
            let height = [230.0, 250.0, 74.0, 66.0, 44.0][kind] * (0.8 + 0.4 * own(3));
            let foot = vec2(x, GROUND + 6.0);
            let tint = Vec4::new(0.96, 0.8, 0.66, 1.0);
            batch.add(
                Placed::new(self.pieces.plants[kind], foot, height)
                    .standing()
                    .tinted(tint),
            );
        }
        batch
    }
}

/// An evening: bands of colour between heights.
fn sky(wide: f32) -> Batch {
    let bands = [
        (0.0, Vec3::new(0.1, 0.19, 0.5)),
        (200.0, Vec3::new(0.42, 0.4, 0.68)),
        (360.0, Vec3::new(1.0, 0.52, 0.4)),
        (470.0, Vec3::new(1.0, 0.78, 0.42)),
        (620.0, Vec3::new(1.0, 0.85, 0.55)),
    ];
    let mut batch = Batch::default();
    for pair in bands.windows(2) {
        let (upper, lower) = (pair[0], pair[1]);
        let corners = [
            (0.0, upper.0),
            (wide, upper.0),
            (wide, lower.0),
            (0.0, lower.0),
        ];
        let tints = [upper.1, upper.1, lower.1, lower.1].map(|color| color.extend(1.0));
        batch.quad(corners.map(Vec2::from), Sprite::WHOLE, tints);
    }
    batch
}

/// A band of a picture that repeats along the ground between two heights, lit by shares at its upper and lower edge. A
/// picture of no height is shown once from edge to edge.
fn strip(now: Now<'_>, upper: f32, lower: f32, size: Vec2, light: [f32; 2]) -> Batch {
    let (left, right) = (now.left(1.0), now.left(1.0) + now.wide);
    let v = if size.y > 0.0 {
        [upper / size.y, lower / size.y]
    } else {
        [0.02, 0.98]
    };
    let part = Sprite {
        uv_min: vec2(left / size.x, v[0]),
        uv_max: vec2(right / size.x, v[1]),
        texels: Vec2::ONE,
    };
    let corners = [(left, upper), (right, upper), (right, lower), (left, lower)];
    let tints = [light[0], light[0], light[1], light[1]]
        .map(|tone| Vec4::new(tone, 0.86 * tone, 0.76 * tone, 1.0));
    let mut batch = Batch::default();
    batch.quad(corners.map(Vec2::from), part, tints);
    batch
}
