//! Racing cars: a body drawn out of rounded cross-sections, a cabin, a wing, wheels that roll and steer.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Mat3, Mat4, Quat, Vec2, Vec3};

use super::land::linear;
use super::look::Boards;
use crate::kit::atlas::Sprite;
use crate::kit::solid::{Faces, crate_box, painted, tinted, toned};
use crate::kit::stage::{merged, placed};
use crate::procedural::{Curve, Patch, ellipsoid, lathe, lerp, smooth_step};
use azulejo_scene::Primitive;

/// Colours of body and stripes, sRGB codes.
pub(super) const TEAMS: [[u32; 2]; 6] = [
    [0x00f0_3428, 0x00ff_f4e0],
    [0x001c_6ae8, 0x00ff_e03c],
    [0x00ff_b818, 0x0024_2430],
    [0x0028_b060, 0x00f8_f8f8],
    [0x00e8_ecf0, 0x00e0_2c50],
    [0x0090_38d0, 0x0040_f0d0],
];

/// Metres from the middle to the axles, from axle to wheel, a wheel's radius.
const AXLES: [f32; 2] = [1.32, -1.3];
const TRACK: f32 = 0.82;
const WHEEL: f32 = 0.36;

/// A body of a team: it stands on y = 0 and points to +z.
pub(super) fn body(boards: &Boards, team: usize) -> Primitive {
    let [paint, stripe] = TEAMS[team % TEAMS.len()].map(linear);
    let plain = boards.white;
    let mut parts = vec![hull(plain, paint, stripe), cabin(plain, paint, stripe)];
    let solid = |low: [f32; 3], high: [f32; 3], color: Vec3| {
        crate_box(Vec3::from(low), Vec3::from(high), Faces::all(plain), color)
    };
    let dark = Vec3::splat(0.03);
    parts.extend(solid([-0.82, 0.16, -2.0], [0.82, 0.3, 2.0], dark));
    for x in [-0.62, 0.62] {
        parts.extend(solid(
            [x - 0.05, 0.72, -1.95],
            [x + 0.05, 1.08, -1.75],
            dark,
        ));
    }
    parts.extend(solid([-0.88, 1.06, -2.08], [0.88, 1.12, -1.66], paint));
    for x in [-0.88, 0.84] {
        parts.extend(solid([x, 0.94, -2.1], [x + 0.04, 1.22, -1.64], stripe));
    }
    let mut ball = |at: Vec3, radii: Vec3, color: Vec3| {
        let shape = placed(
            ellipsoid(Patch::new(10, 7), radii),
            Mat4::from_translation(at),
        );
        parts.push(painted(shape, plain, color));
    };
    for x in [-0.56, 0.56] {
        ball(
            Vec3::new(x, 0.62, -2.08),
            Vec3::new(0.2, 0.09, 0.06),
            Vec3::new(2.6, 0.16, 0.12),
        );
        ball(
            Vec3::new(x * 1.05, 0.56, 1.98),
            Vec3::new(0.17, 0.09, 0.12),
            Vec3::new(2.0, 1.95, 1.6),
        );
        ball(
            Vec3::new(x * 0.5, 0.3, -2.12),
            Vec3::new(0.08, 0.08, 0.1),
            Vec3::splat(0.25),
        );
        ball(
            Vec3::new(x * 1.72, 0.92, 0.52),
            Vec3::new(0.12, 0.08, 0.07),
            paint,
        );
    }
    ball(
        Vec3::new(0.0, 0.46, -2.1),
        Vec3::new(0.22, 0.08, 0.03),
        Vec3::splat(0.85),
    );
    toned(merged(&parts), |p, _| {
        Vec3::splat(0.55 + 0.45 * smooth_step(0.1, 0.6, p.y))
    })
}

/// A point of a rounded box's cross-section: `turn` whole turns, half its size.
fn section(turn: f32, half: Vec2) -> Vec2 {
    // Against the sun as seen from the nose, so that the outside is the front.
    let (sin, cos) = (-turn * TAU).sin_cos();
    let round = |v: f32| v.signum() * v.abs().powf(0.45);
    Vec2::new(round(sin), round(cos)) * half
}

fn hull(plain: Sprite, paint: Vec3, stripe: Vec3) -> Primitive {
    let shape = Patch::new(28, 26).mesh(|u, v| {
        let v = v.clamp(0.0, 1.0);
        let z = 2.12 - 4.24 * v;
        // Round ends, a nose that slopes, hips over the wheels.
        let end = (1.0 - (2.0 * v - 1.0).abs().powi(14)).max(0.0).sqrt();
        let nose = smooth_step(0.0, 0.3, v);
        let hips = 0.05 * (1.0 - ((z.abs() - 1.3) / 0.5).powi(2)).max(0.0);
        let half = Vec2::new(lerp(0.76, 0.9, nose) + hips, lerp(0.2, 0.31, nose) + hips) * end;
        let at = section(u, half);
        Vec3::new(at.x, 0.2 + lerp(0.24, 0.34, nose) + at.y, z)
    });
    let painted = painted(shape, plain, paint);
    let mut shape = tinted(painted, |p, n| {
        let striped = (p.x.abs() - 0.24).abs() < 0.11 && n.y > 0.3;
        let low = p.y < 0.34;
        if low {
            paint * 0.3
        } else if striped {
            stripe
        } else {
            paint
        }
    });
    // Arches: what is near a wheel is dark.
    for (color, p) in shape.colors.iter_mut().zip(&shape.positions) {
        let near = AXLES.map(|z| Vec2::new(p.z - z, p.y - WHEEL).length());
        if near[0].min(near[1]) < WHEEL + 0.06 && p.x.abs() > 0.6 {
            *color = Vec3::splat(0.02).extend(1.0);
        }
    }
    shape
}

fn cabin(plain: Sprite, paint: Vec3, stripe: Vec3) -> Primitive {
    let shape = Patch::new(24, 18).mesh(|u, v| {
        let v = v.clamp(0.0, 1.0);
        let z = 0.95 - 2.5 * v;
        let rise = smooth_step(0.0, 0.42, v) * smooth_step(1.0, 0.55, v);
        let half = Vec2::new(0.52 + 0.16 * rise, 0.06 + 0.3 * rise);
        let at = section(u, half);
        // The sides lean inwards.
        let lean = 1.0 - 0.2 * (at.y / half.y * 0.5 + 0.5);
        Vec3::new(at.x * lean, 0.8 + at.y, z)
    });
    let glass = Vec3::new(0.03, 0.05, 0.09);
    tinted(painted(shape, plain, paint), |p, n| {
        let roof = n.y > 0.9 && p.z < 0.25 && p.z > -0.85;
        match (roof, p.x.abs() < 0.35 && p.x.abs() > 0.13) {
            (true, true) => stripe,
            (true, false) => paint,
            _ => glass,
        }
    })
}

/// A wheel about the x axis.
pub(super) fn wheel(boards: &Boards) -> Primitive {
    let tyre = Curve::profile(&[
        [0.2, 0.13],
        [0.32, 0.13],
        [WHEEL, 0.09],
        [WHEEL, -0.09],
        [0.32, -0.13],
        [0.2, -0.13],
    ]);
    let rim = Curve::profile(&[[0.02, 0.1], [0.12, 0.11], [0.21, 0.14], [0.22, 0.0]]);
    let turn = Mat4::from_rotation_z(-FRAC_PI_2);
    let tyre = painted(
        placed(lathe(Patch::new(16, 6), &tyre), turn),
        boards.white,
        Vec3::splat(0.022),
    );
    let spokes = |p: Vec3| {
        let turns = (p.z.atan2(p.y) / TAU * 5.0).rem_euclid(1.0);
        if (turns - 0.5).abs() < 0.27 {
            0.55
        } else {
            0.08
        }
    };
    let rims = [1.0, -1.0].map(|side| {
        let half_turn = if side > 0.0 {
            Mat4::IDENTITY
        } else {
            Mat4::from_rotation_y(std::f32::consts::PI)
        };
        let shape = placed(lathe(Patch::new(20, 4), &rim), half_turn * turn);
        tinted(painted(shape, boards.white, Vec3::ONE), |p, _| {
            Vec3::splat(spokes(p))
        })
    });
    merged(&[tyre, rims[0].clone(), rims[1].clone()])
}

/// Pose of a car.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stance {
    pub(super) at: Vec3,
    /// Driving direction, unit vector.
    pub(super) ahead: Vec3,
    /// Radians to the right: of the front wheels.
    pub(super) steer: f32,
    /// Radians that the body leans to the right.
    pub(super) roll: f32,
    /// Metres that its wheels have rolled.
    pub(super) rolled: f32,
}

impl Stance {
    fn place(&self) -> Mat4 {
        let axes = Mat3::from_cols(Vec3::Y.cross(self.ahead), Vec3::Y, self.ahead);
        Mat4::from_translation(self.at) * Mat4::from_mat3(axes)
    }

    /// Transform of the body, rolled into the turn.
    pub(super) fn body(&self) -> Mat4 {
        self.place() * Mat4::from_rotation_z(-self.roll)
    }

    /// Transforms of the four wheels, front ones first. To the right is -x.
    pub(super) fn wheels(&self) -> [Mat4; 4] {
        let spin = Quat::from_rotation_x(self.rolled / WHEEL);
        let wheel = |side: f32, axle: usize| {
            let turned = if axle == 0 {
                Quat::from_rotation_y(-self.steer)
            } else {
                Quat::IDENTITY
            };
            let at = Vec3::new(TRACK * side, WHEEL, AXLES[axle]);
            self.place() * Mat4::from_rotation_translation(turned * spin, at)
        };
        [wheel(-1.0, 0), wheel(1.0, 0), wheel(-1.0, 1), wheel(1.0, 1)]
    }
}
