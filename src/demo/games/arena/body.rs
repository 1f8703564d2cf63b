//! The fighters' bodies: armour, joints and lights of a boxing robot as three skinned meshes on one skeleton.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::skeleton::{
    CHEST, FOOT, FOREARM, HAND, HEAD, PELVIS, SHIN, SIDE, THIGH, UPPER_ARM, rest,
};
use crate::kit::stage::{Stage, placed};
use crate::procedural::{
    Curve, Patch, append, capsule, ellipsoid, lathe, rounded_box, smooth_step, torus,
};
use azulejo_scene::{MaterialId, MeshId, Primitive};

/// The materials of a fighter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    pub(super) armour: MaterialId,
    pub(super) metal: MaterialId,
    pub(super) glow: MaterialId,
    /// Linear RGB of trims.
    pub(super) trim: Vec3,
    /// Linear RGB of eyes and core.
    pub(super) light: Vec3,
}

/// Builds a fighter; `heavy` gives the broad one with a flat head, else the lean one with a crest.
pub(super) fn fighter(stage: &mut Stage, paint: &Paint, heavy: bool) -> [MeshId; 3] {
    let mut body = Body {
        trim: paint.trim,
        heavy,
        ..Body::default()
    };
    body.chest();
    body.waist();
    body.head();
    for side in [1.0, -1.0] {
        body.arm(side);
        body.glove(side);
        body.leg(side);
    }
    body.lights(paint.light);
    [
        stage.mesh("armour", body.armour.mesh, paint.armour),
        stage.mesh("joints", body.metal.mesh, paint.metal),
        stage.mesh("lights", body.glow.mesh, paint.glow),
    ]
}

/// Which joints move a point at rest.
enum Bound {
    /// One joint alone moves it.
    To(u16),
    /// The first above a height, the second below, both around it.
    Around(u16, u16, f32),
}

impl Bound {
    fn weights(&self, at: Vec3) -> ([u16; 4], Vec4) {
        match *self {
            Self::To(joint) => ([joint, 0, 0, 0], Vec4::X),
            Self::Around(upper, lower, height) => {
                let above = smooth_step(height - 0.08, height + 0.08, at.y);
                (
                    [upper, lower, 0, 0],
                    Vec4::new(above, 1.0 - above, 0.0, 0.0),
                )
            }
        }
    }
}

/// A skinned mesh in the making.
struct Skinned {
    mesh: Primitive,
}

impl Default for Skinned {
    fn default() -> Self {
        let mesh = Primitive {
            tex_coords: vec![Vec::new()],
            joints: vec![Vec::new()],
            weights: vec![Vec::new()],
            ..Primitive::default()
        };
        Self { mesh }
    }
}

impl Skinned {
    /// Adds a part; hollows near the body's middle are darkened.
    fn add(&mut self, part: Primitive, place: Mat4, bound: &Bound, color: Vec3) {
        let mut part = placed(part, place);
        let shade = |normal: &Vec3| 0.78 + 0.22 * normal.y;
        part.colors = (part.normals.iter())
            .map(|normal| (color * shade(normal)).extend(1.0))
            .collect();
        for &at in &part.positions {
            let (joints, weights) = bound.weights(at);
            self.mesh.joints[0].push(joints);
            self.mesh.weights[0].push(weights);
        }
        append(&mut self.mesh, &part);
    }
}

#[derive(Default)]
struct Body {
    armour: Skinned,
    metal: Skinned,
    glow: Skinned,
    trim: Vec3,
    heavy: bool,
}

fn to(x: f32, y: f32, z: f32) -> Mat4 {
    Mat4::from_translation(Vec3::new(x, y, z))
}

fn tilted(at: [f32; 3], pitch: f32, yaw: f32) -> Mat4 {
    let turn = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch);
    Mat4::from_rotation_translation(turn, Vec3::from(at))
}

fn block(half: [f32; 3], radius: f32) -> Primitive {
    rounded_box(Vec3::from(half), radius, 2, 1.6)
}

fn ball(radii: [f32; 3]) -> Primitive {
    ellipsoid(Patch::new(20, 14).repeated(0.5, 0.35), Vec3::from(radii))
}

/// A turned part from pairs of radius and height, downwards.
fn turned(profile: &[[f32; 2]], repeat: [f32; 2]) -> Primitive {
    let patch = Patch::new(18, 4 * profile.len() as u32);
    lathe(
        patch.repeated(repeat[0], repeat[1]),
        &Curve::profile(profile),
    )
}

/// A rubber sleeve with ribs between two heights.
fn bellows(radius: f32, [top, bottom]: [f32; 2], ribs: u32) -> Primitive {
    let n = ribs * 2;
    let profile: Vec<[f32; 2]> = (0..=n)
        .map(|k| {
            let out = if k % 2 == 0 { radius } else { radius * 0.86 };
            [out, top + (bottom - top) * k as f32 / n as f32]
        })
        .collect();
    turned(&profile, [2.0, 1.0])
}

const DARK: Vec3 = Vec3::new(0.16, 0.165, 0.18);
const STEEL: Vec3 = Vec3::new(0.75, 0.77, 0.8);

impl Body {
    fn width(&self) -> f32 {
        if self.heavy { 1.12 } else { 1.0 }
    }

    fn chest(&mut self) {
        let wide = self.width();
        let chest = Bound::To(CHEST);
        let (armour, metal) = (&mut self.armour, &mut self.metal);
        armour.add(
            block([0.25 * wide, 0.19, 0.16], 0.1),
            to(0.0, 1.47, -0.01),
            &chest,
            Vec3::ONE,
        );
        for side in [1.0, -1.0] {
            armour.add(
                block([0.115 * wide, 0.095, 0.055], 0.045),
                tilted([side * 0.118 * wide, 1.53, 0.135], -0.15, side * 0.22),
                &chest,
                Vec3::ONE,
            );
            metal.add(
                block([0.05, 0.1, 0.03], 0.02),
                tilted([side * 0.2, 1.36, 0.12], 0.25, side * 0.5),
                &chest,
                self.trim,
            );
            // Exhausts on the back.
            metal.add(
                capsule(Patch::new(12, 12), 0.045, 0.24),
                tilted([side * 0.13, 1.55, -0.18], -0.2, 0.0),
                &chest,
                DARK * 2.0,
            );
        }
        metal.add(
            torus(Patch::new(24, 10).repeated(2.0, 0.4), 0.08, 0.022),
            tilted([0.0, 1.42, 0.168], std::f32::consts::FRAC_PI_2, 0.0),
            &chest,
            self.trim,
        );
        metal.add(
            block([0.2 * wide, 0.035, 0.12], 0.03),
            to(0.0, 1.65, -0.01),
            &chest,
            self.trim,
        );
    }

    fn waist(&mut self) {
        let wide = self.width();
        let (armour, metal) = (&mut self.armour, &mut self.metal);
        let waist = bellows(0.155 * wide, [1.36, 0.98], 5);
        metal.add(
            waist,
            Mat4::from_scale(Vec3::new(1.15, 1.0, 0.85)),
            &Bound::Around(CHEST, PELVIS, 1.16),
            DARK,
        );
        let pelvis = Bound::To(PELVIS);
        armour.add(
            block([0.19 * wide, 0.085, 0.13], 0.06),
            to(0.0, 1.0, 0.0),
            &pelvis,
            Vec3::ONE,
        );
        armour.add(
            block([0.07, 0.1, 0.03], 0.025),
            tilted([0.0, 0.93, 0.115], 0.15, 0.0),
            &pelvis,
            Vec3::ONE,
        );
        metal.add(
            torus(Patch::new(28, 8).repeated(3.0, 0.3), 0.175 * wide, 0.03),
            to(0.0, 1.07, 0.0) * Mat4::from_scale(Vec3::new(1.1, 1.0, 0.8)),
            &pelvis,
            self.trim,
        );
    }

    fn head(&mut self) {
        let neck = bellows(0.075, [1.74, 1.58], 3);
        let (armour, metal) = (&mut self.armour, &mut self.metal);
        metal.add(
            neck,
            Mat4::IDENTITY,
            &Bound::Around(HEAD, CHEST, 1.66),
            DARK,
        );
        let head = Bound::To(HEAD);
        let skull = if self.heavy {
            [0.135, 0.12, 0.14]
        } else {
            [0.11, 0.145, 0.135]
        };
        armour.add(block(skull, 0.085), to(0.0, 1.83, 0.0), &head, Vec3::ONE);
        metal.add(
            block([0.075, 0.045, 0.05], 0.03),
            to(0.0, 1.735, 0.105),
            &head,
            STEEL,
        );
        metal.add(
            block([skull[0] * 0.86, 0.04, 0.04], 0.03),
            to(0.0, 1.845, 0.115),
            &head,
            DARK,
        );
        for side in [1.0, -1.0] {
            metal.add(
                ball([0.03, 0.06, 0.06]),
                to(side * (skull[0] + 0.005), 1.82, 0.0),
                &head,
                self.trim,
            );
        }
        if self.heavy {
            for side in [1.0, -1.0] {
                metal.add(
                    block([0.02, 0.075, 0.025], 0.015),
                    tilted([side * 0.11, 1.97, -0.02], -0.3, 0.0),
                    &head,
                    self.trim,
                );
            }
        } else {
            metal.add(
                block([0.016, 0.07, 0.12], 0.014),
                tilted([0.0, 1.975, -0.03], -0.25, 0.0),
                &head,
                self.trim,
            );
        }
    }

    fn arm(&mut self, side: f32) {
        let twin = if side > 0.0 { 0 } else { SIDE };
        let wide = self.width();
        let (armour, metal) = (&mut self.armour, &mut self.metal);
        let x = rest(UPPER_ARM + twin).x;
        let [upper, lower] = [UPPER_ARM, FOREARM].map(|joint| joint + twin);
        metal.add(
            bellows(0.07, [1.56, 1.2], 6),
            to(x, 0.0, 0.0),
            &Bound::Around(upper, lower, 1.23),
            DARK,
        );
        let shoulder = ball([0.145 * wide, 0.135, 0.15]);
        armour.add(
            shoulder,
            to(x + 0.035 * side, 1.58, 0.0),
            &Bound::To(upper),
            Vec3::ONE,
        );
        let ring = torus(Patch::new(24, 8).repeated(2.0, 0.3), 0.13 * wide, 0.02);
        metal.add(
            ring,
            to(x + 0.035 * side, 1.53, 0.0),
            &Bound::To(upper),
            self.trim,
        );
        let sleeve = [[0.08, 1.46], [0.105, 1.42], [0.1, 1.34], [0.075, 1.3]];
        armour.add(
            turned(&sleeve, [1.0, 0.3]),
            to(x, 0.0, 0.0),
            &Bound::To(upper),
            Vec3::ONE,
        );
        metal.add(
            ball([0.08, 0.085, 0.085]),
            to(x, 1.23, -0.01),
            &Bound::To(lower),
            STEEL * 0.6,
        );
    }

    /// A glove and its cuff, from the elbow down.
    fn glove(&mut self, side: f32) {
        let twin = if side > 0.0 { 0 } else { SIDE };
        let wide = self.width();
        let (armour, metal) = (&mut self.armour, &mut self.metal);
        let x = rest(UPPER_ARM + twin).x;
        let [lower, hand] = [FOREARM, HAND].map(|joint| joint + twin);
        let cuff = [
            [0.07, 1.18],
            [0.1 * wide, 1.14],
            [0.115 * wide, 1.02],
            [0.1, 0.95],
            [0.06, 0.93],
        ];
        armour.add(
            turned(&cuff, [1.0, 0.5]),
            to(x, 0.0, 0.0),
            &Bound::To(lower),
            Vec3::ONE,
        );
        metal.add(
            torus(Patch::new(24, 8).repeated(2.0, 0.3), 0.095, 0.022),
            to(x, 0.95, 0.0),
            &Bound::To(lower),
            self.trim,
        );
        let glove = block([0.095 * wide, 0.105, 0.11 * wide], 0.075);
        armour.add(glove, to(x, 0.83, 0.0), &Bound::To(hand), Vec3::splat(1.15));
        armour.add(
            ball([0.04, 0.08, 0.045]),
            tilted([x - 0.085 * side, 0.85, 0.055], 0.3, 0.0),
            &Bound::To(hand),
            Vec3::ONE,
        );
        for knuckle in [-1.0, 0.0, 1.0] {
            metal.add(
                ball([0.06, 0.032, 0.032]),
                to(x, 0.735, 0.065 * knuckle),
                &Bound::To(hand),
                STEEL,
            );
        }
    }

    fn leg(&mut self, side: f32) {
        let twin = if side > 0.0 { 0 } else { SIDE };
        let wide = self.width();
        let (armour, metal) = (&mut self.armour, &mut self.metal);
        let x = rest(THIGH + twin).x;
        let [thigh, shin, foot] = [THIGH, SHIN, FOOT].map(|joint| joint + twin);
        metal.add(
            bellows(0.1, [1.02, 0.46], 8),
            to(x, 0.0, 0.0),
            &Bound::Around(thigh, shin, 0.54),
            DARK,
        );
        let plate = [
            [0.1, 0.96],
            [0.14 * wide, 0.9],
            [0.13 * wide, 0.74],
            [0.1, 0.66],
        ];
        armour.add(
            turned(&plate, [1.0, 0.5]),
            to(x + 0.01 * side, 0.0, 0.0),
            &Bound::To(thigh),
            Vec3::ONE,
        );
        metal.add(
            ball([0.085, 0.095, 0.1]),
            to(x, 0.54, 0.03),
            &Bound::To(shin),
            self.trim,
        );
        let greave = [
            [0.08, 0.5],
            [0.115 * wide, 0.42],
            [0.12 * wide, 0.3],
            [0.125, 0.16],
            [0.1, 0.1],
        ];
        armour.add(
            turned(&greave, [1.0, 0.6]),
            to(x, 0.0, 0.0),
            &Bound::To(shin),
            Vec3::ONE,
        );
        armour.add(
            block([0.045, 0.15, 0.04], 0.03),
            tilted([x, 0.3, 0.1], 0.04, 0.0),
            &Bound::To(shin),
            Vec3::splat(1.1),
        );
        armour.add(
            block([0.1 * wide, 0.055, 0.17], 0.05),
            to(x, 0.058, 0.06),
            &Bound::To(foot),
            Vec3::ONE,
        );
        metal.add(
            block([0.105 * wide, 0.03, 0.06], 0.028),
            to(x, 0.045, 0.19),
            &Bound::To(foot),
            self.trim,
        );
    }

    fn lights(&mut self, color: Vec3) {
        let wide = self.width();
        let glow = &mut self.glow;
        let core = ellipsoid(Patch::new(16, 10), Vec3::new(0.07, 0.07, 0.03));
        glow.add(core, to(0.0, 1.42, 0.165), &Bound::To(CHEST), color * 1.4);
        let head = Bound::To(HEAD);
        if self.heavy {
            let visor = block([0.1, 0.016, 0.02], 0.012);
            glow.add(visor, to(0.0, 1.85, 0.142), &head, color * 1.6);
        } else {
            for side in [1.0, -1.0] {
                let eye = ball([0.03, 0.018, 0.02]);
                glow.add(eye, to(side * 0.045, 1.85, 0.146), &head, color * 1.6);
            }
        }
        for side in [1.0, -1.0] {
            let twin = if side > 0.0 { 0 } else { SIDE };
            let strip = block([0.008, 0.06, 0.02], 0.006);
            let x = rest(FOREARM + twin).x + side * 0.118 * wide;
            let bound = Bound::To(FOREARM + twin);
            glow.add(strip, to(x, 1.04, 0.0), &bound, color * 1.3);
        }
        for uv in &mut glow.mesh.tex_coords[0] {
            *uv = Vec2::splat(0.5);
        }
    }
}
