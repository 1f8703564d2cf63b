//! A fighter's skeleton: a pose in a few numbers becomes a matrix for every joint, arms and legs by two-bone inverse
//! kinematics.
//!
//! Space of a fighter: metres, feet at the origin, +Y up, +Z towards the opponent, so +X is the left side. At rest arms and
//! legs hang straight down; a bone's frame has its origin in its joint and its -Y along the bone.

use glam::{Mat3, Mat4, Quat, Vec3};

/// Joints by their index in the skin; of pairs the left one comes first, the right one [`SIDE`] later.
pub(super) const PELVIS: u16 = 0;
pub(super) const CHEST: u16 = 1;
pub(super) const HEAD: u16 = 2;
pub(super) const UPPER_ARM: u16 = 3;
pub(super) const FOREARM: u16 = 4;
pub(super) const HAND: u16 = 5;
pub(super) const THIGH: u16 = 9;
pub(super) const SHIN: u16 = 10;
pub(super) const FOOT: u16 = 11;
/// Step from a left joint's number to that of its right twin.
pub(super) const SIDE: u16 = 3;
/// Number of a fighter's joints.
pub(super) const N_JOINTS: usize = 15;

/// Positions of joints at rest; those of pairs on the left.
pub(super) const REST: [(u16, Vec3); 9] = [
    (PELVIS, Vec3::new(0.0, 1.02, 0.0)),
    (CHEST, Vec3::new(0.0, 1.15, 0.0)),
    (HEAD, Vec3::new(0.0, 1.64, 0.0)),
    (UPPER_ARM, Vec3::new(0.31, 1.55, 0.0)),
    (FOREARM, Vec3::new(0.31, 1.23, 0.0)),
    (HAND, Vec3::new(0.31, 0.93, 0.0)),
    (THIGH, Vec3::new(0.14, 1.0, 0.0)),
    (SHIN, Vec3::new(0.14, 0.54, 0.0)),
    (FOOT, Vec3::new(0.14, 0.1, 0.0)),
];

/// Pose of a fighter's body at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pose {
    /// World space, on the floor.
    pub(super) root: Vec3,
    /// Radians about +Y; 0 looks along the world's +Z.
    pub(super) yaw: f32,
    /// The pelvis, from the root.
    pub(super) pelvis: Vec3,
    /// Pitch (forward is positive), yaw, roll of the pelvis in radians.
    pub(super) hips: Vec3,
    /// Pitch, yaw and roll of the chest in radians, from the pelvis.
    pub(super) chest: Vec3,
    /// Pitch, yaw and roll of the head in radians, from the chest.
    pub(super) head: Vec3,
    /// Wrists from the waist, in the chest's frame: left, right.
    pub(super) hands: [Vec3; 2],
    /// Soles in world space: left, right.
    pub(super) feet: [Vec3; 2],
}

impl Pose {
    /// `world_from_root`: the body's place on the floor and its yaw.
    pub(super) fn world_from_root(&self) -> Mat4 {
        Mat4::from_rotation_translation(Quat::from_rotation_y(self.yaw), self.root)
    }

    /// `world_from_mesh` of every joint.
    pub(super) fn joints(&self) -> [Mat4; N_JOINTS] {
        let mut joints = [Mat4::IDENTITY; N_JOINTS];
        let mut set = |joint: u16, world_from_joint: Mat4| {
            joints[usize::from(joint)] = world_from_joint * Mat4::from_translation(-rest(joint));
        };
        let pelvis = self.world_from_root() * Mat4::from_translation(self.pelvis) * turn(self.hips);
        let chest = pelvis * offset(PELVIS, CHEST) * turn(self.chest);
        set(PELVIS, pelvis);
        set(CHEST, chest);
        set(HEAD, chest * offset(CHEST, HEAD) * turn(self.head));
        for (number, side) in [(0, 1.0), (1, -1.0)] {
            let twin = number as u16 * SIDE;
            let shoulder = (chest * offset(CHEST, UPPER_ARM + twin)).w_axis.truncate();
            let wrist = chest.transform_point3(self.hands[number]);
            // Elbows point down, outwards and back.
            let elbow = chest.transform_vector3(Vec3::new(0.55 * side, -0.8, -0.35));
            let arm = two_bones([shoulder, wrist], [0.32, 0.30], elbow);
            set(UPPER_ARM + twin, frame(arm[0], arm[1], -elbow));
            set(FOREARM + twin, frame(arm[1], arm[2], -elbow));
            let hand = frame(arm[1], arm[2], -elbow);
            set(HAND + twin, at(hand, arm[2]));
            let hip = (pelvis * offset(PELVIS, THIGH + twin)).w_axis.truncate();
            let ankle = self.feet[number] + Vec3::Y * rest(FOOT).y;
            let knee = pelvis.transform_vector3(Vec3::new(0.25 * side, 0.0, 1.0));
            let leg = two_bones([hip, ankle], [0.46, 0.44], knee);
            set(THIGH + twin, frame(leg[0], leg[1], knee));
            set(SHIN + twin, frame(leg[1], leg[2], knee));
            let toes = Quat::from_rotation_y(self.yaw + 0.25 * side + 0.5 * self.hips.y);
            set(FOOT + twin, Mat4::from_rotation_translation(toes, leg[2]));
        }
        joints
    }
}

/// Position of a joint at rest, mesh space.
pub(super) fn rest(joint: u16) -> Vec3 {
    let right = (UPPER_ARM + SIDE..THIGH).contains(&joint) || joint >= THIGH + SIDE;
    let left = if right { joint - SIDE } else { joint };
    let found = REST.iter().find(|(known, _)| *known == left);
    let mirror = if right {
        Vec3::new(-1.0, 1.0, 1.0)
    } else {
        Vec3::ONE
    };
    found.map_or(Vec3::ZERO, |(_, at)| *at * mirror)
}

fn offset(from: u16, to: u16) -> Mat4 {
    Mat4::from_translation(rest(to) - rest(from))
}

fn turn(angles: Vec3) -> Mat4 {
    let yaw = Quat::from_rotation_y(angles.y);
    Mat4::from_quat(yaw * Quat::from_rotation_x(angles.x) * Quat::from_rotation_z(angles.z))
}

fn at(mut frame: Mat4, origin: Vec3) -> Mat4 {
    frame.w_axis = origin.extend(1.0);
    frame
}

/// A bone's frame: its -Y runs from `from` to `to`, its +Z as near to `front` as that lets.
fn frame(from: Vec3, to: Vec3, front: Vec3) -> Mat4 {
    let y = (from - to).normalize_or(Vec3::Y);
    let z = front.reject_from_normalized(y).normalize_or(Vec3::Z);
    let axes = Mat3::from_cols(y.cross(z), y, z);
    at(Mat4::from_mat3(axes), from)
}

/// Root, hinge and end of two bones that reach from the first point for the second, bent towards `pole`.
fn two_bones([root, target]: [Vec3; 2], [upper, lower]: [f32; 2], pole: Vec3) -> [Vec3; 3] {
    let way = target - root;
    let along = way.normalize_or(Vec3::NEG_Y);
    let shortest = (upper - lower).abs() + 1e-3;
    let distance = way.length().clamp(shortest, upper + lower - 1e-3);
    // Law of cosines at the root.
    let cosine = (upper * upper + distance * distance - lower * lower) / (2.0 * upper * distance);
    let across = pole.reject_from_normalized(along).normalize_or(Vec3::Z);
    let hinge = root + (along * cosine + across * (1.0 - cosine * cosine).max(0.0).sqrt()) * upper;
    [root, hinge, root + along * distance]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing() -> Pose {
        let sole = |joint| rest(joint) - Vec3::Y * rest(joint).y;
        Pose {
            root: Vec3::ZERO,
            yaw: 0.0,
            pelvis: rest(PELVIS),
            hips: Vec3::ZERO,
            chest: Vec3::ZERO,
            head: Vec3::ZERO,
            hands: [HAND, HAND + SIDE].map(|joint| rest(joint) - rest(CHEST)),
            feet: [FOOT, FOOT + SIDE].map(sole),
        }
    }

    #[test]
    fn skeleton_bones_keep_their_lengths() {
        let mut pose = standing();
        pose.hands[0] = Vec3::new(0.1, 0.5, 0.4);
        pose.feet[1] = Vec3::new(-0.2, 0.2, 0.3);
        let joints = pose.joints();
        let place = |joint: u16| joints[usize::from(joint)].transform_point3(rest(joint));
        let arm = place(UPPER_ARM).distance(place(FOREARM));
        assert!((arm - 0.32).abs() < 1e-4, "upper arm: {arm}");
        let shin = place(SHIN + SIDE).distance(place(FOOT + SIDE));
        assert!((shin - 0.44).abs() < 1e-4, "shin: {shin}");
    }

    #[test]
    fn skeleton_reaches_what_is_within_reach() {
        let mut pose = standing();
        pose.hands[0] = Vec3::new(0.15, 0.45, 0.4);
        let joints = pose.joints();
        let wrist = joints[usize::from(HAND)].transform_point3(rest(HAND));
        let target = rest(CHEST) + pose.hands[0];
        assert!(wrist.distance(target) < 1e-4, "{wrist} for {target}");
    }

    #[test]
    fn skeleton_knees_bend_forwards() {
        let mut pose = standing();
        pose.pelvis.y -= 0.2;
        let joints = pose.joints();
        let knee = joints[usize::from(SHIN)].transform_point3(rest(SHIN));
        assert!(knee.z > 0.1, "knee at {knee}");
    }
}
