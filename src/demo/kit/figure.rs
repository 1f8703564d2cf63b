//! People: a skinned body of thirteen bones, and poses as angles of limbs that mix and swing.
//!
//! A figure stands on the origin, 1.75 m high, and looks to +z; its left is +x. [`Builder`] makes its mesh out of parts
//! that hang on bones, [`Pose::joints`] turns a pose into the matrices that move them.

use glam::{Mat4, Quat, Vec3, Vec4};

use super::atlas::Sprite;
use super::motion::wave;
use super::solid::painted;
use super::stage::{Stage, placed};
use crate::procedural::{Curve, Patch, append, ellipsoid, lathe, lerp, smooth_step};
use azulejo_scene::{MaterialId, MeshId, Primitive};

/// Bones in the order of the joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Bone {
    /// The pelvis: root of all.
    Hips,
    /// Trunk from the waist up.
    Chest,
    /// Head and neck, from the neck up.
    Head,
    /// Left and right, from the shoulder to the elbow.
    UpperArm(usize),
    /// Left and right, from the elbow to the hand.
    Forearm(usize),
    /// Left and right, from the hip to the knee.
    Thigh(usize),
    /// Left and right, from the knee to the ankle.
    Shin(usize),
    /// Left and right, from the ankle on.
    Foot(usize),
}

/// Number of a figure's bones.
pub(crate) const N_BONES: usize = 13;

/// +1 for the left side (0), -1 for the right one (1).
const SIDES: [f32; 2] = [1.0, -1.0];

impl Bone {
    /// Index of the bone among the joints.
    #[must_use]
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Hips => 0,
            Self::Chest => 1,
            Self::Head => 2,
            Self::UpperArm(side) => 3 + side,
            Self::Forearm(side) => 5 + side,
            Self::Thigh(side) => 7 + side,
            Self::Shin(side) => 9 + side,
            Self::Foot(side) => 11 + side,
        }
    }

    /// Pivot of the bone at rest, mesh space, metres.
    #[must_use]
    pub(crate) fn pivot(self) -> Vec3 {
        match self {
            Self::Hips => Vec3::new(0.0, 0.9, 0.0),
            Self::Chest => Vec3::new(0.0, 1.0, 0.0),
            Self::Head => Vec3::new(0.0, 1.4, 0.0),
            Self::UpperArm(side) => Vec3::new(0.2 * SIDES[side], 1.33, 0.0),
            Self::Forearm(side) => Vec3::new(0.22 * SIDES[side], 1.06, 0.0),
            Self::Thigh(side) => Vec3::new(0.1 * SIDES[side], 0.88, 0.0),
            Self::Shin(side) => Vec3::new(0.1 * SIDES[side], 0.48, 0.0),
            Self::Foot(side) => Vec3::new(0.1 * SIDES[side], 0.09, 0.0),
        }
    }
}

/// Angles of an arm or a leg in radians.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Limb {
    /// Radians by which it swings forwards.
    pub(crate) swing: f32,
    /// Away from the body.
    pub(crate) spread: f32,
    /// Bend of elbow or knee.
    pub(crate) bend: f32,
    /// Toes up; nothing for arms.
    pub(crate) tip: f32,
}

impl Limb {
    /// A limb with straight toes.
    #[must_use]
    pub(crate) const fn new(swing: f32, spread: f32, bend: f32) -> Self {
        Self {
            swing,
            spread,
            bend,
            tip: 0.0,
        }
    }

    fn mix(self, other: Self, t: f32) -> Self {
        Self {
            swing: lerp(self.swing, other.swing, t),
            spread: lerp(self.spread, other.spread, t),
            bend: lerp(self.bend, other.bend, t),
            tip: lerp(self.tip, other.tip, t),
        }
    }
}

/// How a figure holds itself: angles in radians, all 0 at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Pose {
    /// Metres that the hips are raised.
    pub(crate) lift: f32,
    /// The whole body forwards.
    pub(crate) lean: f32,
    /// The whole body to its left.
    pub(crate) tilt: f32,
    /// Chest forwards against the hips.
    pub(crate) fold: f32,
    /// Chest to its left against the hips.
    pub(crate) twist: f32,
    /// Head to its left against the chest.
    pub(crate) look: f32,
    /// Head down against the chest.
    pub(crate) nod: f32,
    /// Left and right arm.
    pub(crate) arms: [Limb; 2],
    /// Left and right leg.
    pub(crate) legs: [Limb; 2],
}

impl Pose {
    /// A share `t` of the way from this pose to another.
    #[must_use]
    pub(crate) fn mix(&self, other: &Self, t: f32) -> Self {
        let t = t.clamp(0.0, 1.0);
        Self {
            lift: lerp(self.lift, other.lift, t),
            lean: lerp(self.lean, other.lean, t),
            tilt: lerp(self.tilt, other.tilt, t),
            fold: lerp(self.fold, other.fold, t),
            twist: lerp(self.twist, other.twist, t),
            look: lerp(self.look, other.look, t),
            nod: lerp(self.nod, other.nod, t),
            arms: [0, 1].map(|side| self.arms[side].mix(other.arms[side], t)),
            legs: [0, 1].map(|side| self.legs[side].mix(other.legs[side], t)),
        }
    }

    /// A run; `phase` counts whole strides (two steps each).
    #[must_use]
    pub(crate) fn run(phase: f32) -> Self {
        let leg = |phase: f32| {
            // The knee folds while the thigh swings forwards.
            let forwards = wave(phase + 0.25).max(0.0);
            Limb {
                swing: 0.25 + 0.85 * wave(phase),
                spread: 0.02,
                bend: 0.25 + 1.45 * forwards * forwards,
                tip: -0.25 + 0.45 * wave(phase + 0.1),
            }
        };
        let arm =
            |phase: f32| Limb::new(0.05 + 0.95 * wave(phase), 0.12, 1.35 + 0.35 * wave(phase));
        Self {
            lift: 0.055 * wave(2.0 * phase + 0.1) - 0.03,
            lean: 0.2,
            twist: -0.22 * wave(phase),
            look: 0.2 * wave(phase),
            nod: -0.12,
            arms: [arm(phase + 0.5), arm(phase)],
            legs: [leg(phase), leg(phase + 0.5)],
            ..Self::default()
        }
    }

    /// `world_from_mesh` of every bone, for a figure placed by `world_from_figure`.
    #[must_use]
    pub(crate) fn joints(&self, world_from_figure: Mat4) -> [Mat4; N_BONES] {
        let mut joints = [Mat4::IDENTITY; N_BONES];
        let mut turn = |bone: Bone, parent: Mat4, rotation: Quat| {
            let pivot = Mat4::from_translation(bone.pivot());
            let joint = parent * pivot * Mat4::from_quat(rotation) * pivot.inverse();
            joints[bone.index()] = joint;
            joint
        };
        let root = world_from_figure * Mat4::from_translation(Vec3::Y * self.lift);
        let body = Quat::from_rotation_z(-self.tilt) * Quat::from_rotation_x(self.lean);
        let hips = turn(Bone::Hips, root, body);
        let waist = Quat::from_rotation_y(self.twist) * Quat::from_rotation_x(self.fold);
        let chest = turn(Bone::Chest, hips, waist);
        let neck = Quat::from_rotation_y(self.look) * Quat::from_rotation_x(self.nod);
        turn(Bone::Head, chest, neck);
        for (side, sign) in SIDES.into_iter().enumerate() {
            let hung = |limb: Limb| {
                Quat::from_rotation_z(limb.spread * sign) * Quat::from_rotation_x(-limb.swing)
            };
            let (arm, leg) = (self.arms[side], self.legs[side]);
            let upper = turn(Bone::UpperArm(side), chest, hung(arm));
            turn(Bone::Forearm(side), upper, Quat::from_rotation_x(-arm.bend));
            let thigh = turn(Bone::Thigh(side), hips, hung(leg));
            let shin = turn(Bone::Shin(side), thigh, Quat::from_rotation_x(leg.bend));
            turn(Bone::Foot(side), shin, Quat::from_rotation_x(-leg.tip));
        }
        joints
    }
}

/// Clothes of a body: linear RGB over a sprite of cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clothes {
    /// Texture of the whole mesh.
    pub(crate) cloth: Sprite,
    /// Colour of face and hands.
    pub(crate) skin: Vec3,
    /// Jacket and its sleeves.
    pub(crate) jacket: Vec3,
    /// Sleeves from the elbow on.
    pub(crate) cuffs: Vec3,
    /// Linear RGB, as all of these.
    pub(crate) trousers: Vec3,
    pub(crate) shoes: Vec3,
    pub(crate) hair: Vec3,
}

/// A figure's mesh in the making.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    mesh: Primitive,
}

impl Builder {
    /// A body in clothes, with a face and hair.
    #[must_use]
    pub(crate) fn dressed(clothes: &Clothes) -> Self {
        let mut builder = Self::default();
        builder.torso(clothes);
        builder.head(clothes);
        for side in [0, 1] {
            builder.arm(side, clothes);
            builder.leg(side, clothes);
        }
        builder
    }

    /// Adds a part in the figure's space that moves with a bone.
    pub(crate) fn part(&mut self, bone: Bone, part: &Primitive) {
        self.bent(part, [bone, bone], |_| 0.0);
    }

    /// Adds a part between two bones; `share` is how far a point follows the second.
    pub(crate) fn bent(&mut self, part: &Primitive, bones: [Bone; 2], share: impl Fn(Vec3) -> f32) {
        let mesh = &mut self.mesh;
        for streams in [part.tex_coords.len(), 1] {
            mesh.tex_coords
                .resize(streams.max(mesh.tex_coords.len()), Vec::new());
        }
        append(mesh, part);
        mesh.joints.resize(1, Vec::new());
        mesh.weights.resize(1, Vec::new());
        let [a, b] = bones.map(|bone| bone.index() as u16);
        for &position in &part.positions {
            let share = share(position);
            mesh.joints[0].push([a, b, a, a]);
            mesh.weights[0].push(Vec4::new(1.0 - share, share, 0.0, 0.0));
        }
    }

    /// The mesh, in a scene.
    pub(crate) fn finish(self, stage: &mut Stage, name: &str, material: MaterialId) -> MeshId {
        stage.mesh(name, self.mesh, material)
    }

    fn torso(&mut self, clothes: &Clothes) {
        let profile = Curve::profile(&[
            [0.02, 1.43],
            [0.1, 1.41],
            [0.19, 1.35],
            [0.205, 1.22],
            [0.175, 1.05],
            [0.18, 0.94],
            [0.175, 0.9],
        ]);
        let flat = Mat4::from_scale(Vec3::new(1.0, 1.0, 0.68));
        let jacket = placed(lathe(Patch::new(14, 8), &profile), flat);
        let jacket = painted(jacket, clothes.cloth, clothes.jacket);
        self.bent(&jacket, [Bone::Hips, Bone::Chest], |p| {
            smooth_step(0.95, 1.08, p.y)
        });
        let seat = ellipsoid(Patch::new(12, 8), Vec3::new(0.175, 0.13, 0.13));
        let seat = placed(seat, Mat4::from_translation(Vec3::Y * 0.87));
        self.part(Bone::Hips, &painted(seat, clothes.cloth, clothes.trousers));
    }

    fn head(&mut self, clothes: &Clothes) {
        let mut add = |radii: Vec3, at: Vec3, color: Vec3| {
            let ball = placed(
                ellipsoid(Patch::new(14, 10), radii),
                Mat4::from_translation(at),
            );
            self.part(Bone::Head, &painted(ball, clothes.cloth, color));
        };
        add(
            Vec3::new(0.06, 0.08, 0.06),
            Vec3::new(0.0, 1.42, 0.0),
            clothes.skin,
        );
        add(
            Vec3::new(0.135, 0.155, 0.14),
            Vec3::new(0.0, 1.58, 0.015),
            clothes.skin,
        );
        add(
            Vec3::new(0.148, 0.14, 0.148),
            Vec3::new(0.0, 1.625, -0.02),
            clothes.hair,
        );
        add(
            Vec3::new(0.022, 0.025, 0.03),
            Vec3::new(0.0, 1.555, 0.155),
            clothes.skin,
        );
        for sign in SIDES {
            add(
                Vec3::new(0.025, 0.035, 0.02),
                Vec3::new(0.055 * sign, 1.595, 0.135),
                Vec3::splat(0.9),
            );
            add(
                Vec3::new(0.014, 0.022, 0.012),
                Vec3::new(0.052 * sign, 1.595, 0.151),
                Vec3::splat(0.02),
            );
            add(
                Vec3::new(0.02, 0.035, 0.025),
                Vec3::new(0.137 * sign, 1.575, 0.0),
                clothes.skin,
            );
        }
    }

    fn arm(&mut self, side: usize, clothes: &Clothes) {
        let (shoulder, elbow) = (Bone::UpperArm(side).pivot(), Bone::Forearm(side).pivot());
        let sleeve = Curve::profile(&[
            [0.02, 1.41],
            [0.075, 1.37],
            [0.072, 1.25],
            [0.062, 1.07],
            [0.058, 0.95],
            [0.052, 0.86],
        ]);
        let along = |p: Vec3| (p.y - shoulder.y) / (elbow.y - shoulder.y);
        let hang = |mut part: Primitive| {
            for p in &mut part.positions {
                p.x += lerp(shoulder.x, elbow.x, along(*p));
            }
            part
        };
        let mut sleeve = painted(
            hang(lathe(Patch::new(9, 10), &sleeve)),
            clothes.cloth,
            clothes.jacket,
        );
        for (color, p) in sleeve.colors.iter_mut().zip(&sleeve.positions) {
            if p.y < elbow.y - 0.02 {
                *color = clothes.cuffs.extend(1.0);
            }
        }
        self.bent(&sleeve, [Bone::UpperArm(side), Bone::Forearm(side)], |p| {
            smooth_step(elbow.y + 0.06, elbow.y - 0.06, p.y)
        });
        let hand = ellipsoid(Patch::new(8, 6), Vec3::new(0.042, 0.075, 0.055));
        let hand = hang(placed(hand, Mat4::from_translation(Vec3::Y * 0.82)));
        self.part(
            Bone::Forearm(side),
            &painted(hand, clothes.cloth, clothes.skin),
        );
    }

    fn leg(&mut self, side: usize, clothes: &Clothes) {
        let (knee, ankle) = (Bone::Shin(side).pivot(), Bone::Foot(side).pivot());
        let profile = Curve::profile(&[
            [0.03, 0.95],
            [0.095, 0.88],
            [0.09, 0.7],
            [0.072, 0.5],
            [0.07, 0.3],
            [0.062, 0.1],
        ]);
        let leg = placed(
            lathe(Patch::new(9, 11), &profile),
            Mat4::from_translation(Vec3::X * knee.x),
        );
        let leg = painted(leg, clothes.cloth, clothes.trousers);
        self.bent(&leg, [Bone::Thigh(side), Bone::Shin(side)], |p| {
            smooth_step(knee.y + 0.07, knee.y - 0.07, p.y)
        });
        let shoe = ellipsoid(Patch::new(10, 8), Vec3::new(0.065, 0.065, 0.14));
        let at = ankle + Vec3::new(0.0, -0.03, 0.06);
        let shoe = placed(shoe, Mat4::from_translation(at));
        self.part(
            Bone::Foot(side),
            &painted(shoe, clothes.cloth, clothes.shoes),
        );
        let sole = ellipsoid(Patch::new(10, 4), Vec3::new(0.07, 0.03, 0.148));
        let sole = placed(sole, Mat4::from_translation(at - Vec3::Y * 0.035));
        self.part(
            Bone::Foot(side),
            &painted(sole, clothes.cloth, Vec3::splat(0.8)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_at_rest_stays_where_it_is_put() {
        let place = Mat4::from_translation(Vec3::new(3.0, 0.0, -2.0));
        for joint in Pose::default().joints(place) {
            assert!(joint.abs_diff_eq(place, 1e-5), "no bone moves");
        }
    }

    #[test]
    fn figure_knees_bend_backwards_and_elbows_forwards() {
        let limb = Limb::new(0.0, 0.0, 1.0);
        let pose = Pose {
            arms: [limb; 2],
            legs: [limb; 2],
            ..Pose::default()
        };
        let joints = pose.joints(Mat4::IDENTITY);
        let end = |bone: Bone, tip: Vec3| joints[bone.index()].transform_point3(tip);
        assert!(end(Bone::Shin(0), Bone::Foot(0).pivot()).z < -0.2, "foot");
        let hand = Bone::Forearm(1).pivot() - Vec3::Y * 0.25;
        assert!(end(Bone::Forearm(1), hand).z > 0.1, "hand");
    }

    #[test]
    fn figure_runs_with_opposite_arms_and_legs() {
        let pose = Pose::run(0.25);
        assert!(pose.legs[0].swing > pose.legs[1].swing, "left leg before");
        assert!(pose.arms[0].swing < pose.arms[1].swing, "right arm before");
    }
}
