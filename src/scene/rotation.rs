//! Rotation of a camera: the product of its nodes' rotations, whatever scales stand between them.

use glam::{DMat3, DQuat, DVec3, Mat3, Mat4, Quat, Vec3};

use super::{Node, NodeId, Transform};

/// How far from square, as a part of them, the axes of a matrix may be that scales alone.
const SQUARE: f64 = 1e-4;

/// Rotation and position of a placement, which may also scale, mirror, shear or flatten.
#[must_use]
pub(super) fn rigid(placement: Mat4) -> (Quat, Vec3) {
    let position = placement.w_axis.truncate();
    let linear = Mat3::from_mat4(placement);
    if is_upright(linear.as_dmat3()) && linear.determinant().is_normal() {
        let (_, rotation, _) = placement.to_scale_rotation_translation();
        return (rotation, position);
    }
    (rotation_of(linear.as_dmat3()).as_quat(), position)
}

/// The product of the rotations from a root to a node, where the node's placement tells another or none: below a scale that
/// mirrors, flattens, or is not the same along all axes.
#[must_use]
pub(super) fn rotation_apart(
    nodes: &[Node],
    transforms: &[Transform],
    id: NodeId,
) -> Option<DQuat> {
    let mut above = Some(id);
    let mut rotation = DQuat::IDENTITY;
    let (mut is_apart, mut size) = (false, 1.0);
    while let Some(id) = above {
        let (own, scale) = rotation_and_scale(&transforms[id.index()]);
        rotation = own * rotation;
        is_apart |= !(scale.min_element() > 0.0
            && scale.abs_diff_eq(DVec3::splat(scale.x), SQUARE * scale.x));
        size *= scale.x;
        above = nodes[id.index()].parent;
    }
    // The third power of it must be a number of single precision.
    let is_told = !is_apart && (1e-9..1e9).contains(&size);
    (!is_told && rotation.is_finite()).then(|| rotation.normalize())
}

/// Rotation and factors by axis; all 0 of a matrix that does more than scale and turn.
fn rotation_and_scale(transform: &Transform) -> (DQuat, DVec3) {
    match *transform {
        Transform::Trs {
            rotation, scale, ..
        } => (rotation.as_dquat(), scale.as_dvec3()),
        Transform::FarTrs {
            rotation, scale, ..
        } => (rotation, scale),
        Transform::Matrix(_) | Transform::FarMatrix(_) => {
            let linear = DMat3::from_mat4(transform.parent_from_local());
            let scale = match is_upright(linear) {
                true => DVec3::from(
                    linear
                        .to_cols_array_2d()
                        .map(|axis| DVec3::from(axis).length()),
                ),
                false => DVec3::ZERO,
            };
            (rotation_of(linear), scale)
        }
    }
}

/// Whether a matrix turns and scales by positive factors, and nothing else.
fn is_upright(linear: DMat3) -> bool {
    let axes = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::try_normalize);
    let [Some(x), Some(y), Some(z)] = axes else {
        return false;
    };
    let off = [x.dot(y), y.dot(z), z.dot(x)].map(f64::abs);
    off.iter().all(|off| *off < SQUARE) && x.cross(y).dot(z) > 0.0
}

/// The rotation in a matrix: its z axis stays, its y axis as far as a right angle to z allows. An axis that is missing
/// follows from the others. A matrix that mirrors is taken apart so that the rotation is smallest.
fn rotation_of(linear: DMat3) -> DQuat {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::try_normalize);
    let across = |a: Option<DVec3>, b: Option<DVec3>| a?.cross(b?).try_normalize();
    let Some(z) = z
        .or_else(|| across(x, y))
        .or_else(|| Some((x.or(y)?).any_orthonormal_vector()))
    else {
        return DQuat::IDENTITY;
    };
    let beside = |axis: DVec3| (axis - z * axis.dot(z)).try_normalize();
    let up = y.and_then(beside).or_else(|| across(Some(z), x));
    let up = up.unwrap_or_else(|| z.any_orthonormal_vector());
    let right = up.cross(z);
    let mut axes = DMat3::from_cols(right, up, z);
    if x.is_some_and(|x| x.dot(right) < 0.0) {
        // The x axis of a mirrored matrix is -right; one axis, or all three, is to be turned around.
        let mirrored = [-right, up, z];
        let trace = |signs: &[f64; 3]| (0..3).map(|k| signs[k] * mirrored[k][k]).sum::<f64>();
        let ways = [
            [-1.0, 1.0, 1.0],
            [1.0, -1.0, 1.0],
            [1.0, 1.0, -1.0],
            [-1.0; 3],
        ];
        let best = ways
            .into_iter()
            .max_by(|a, b| trace(a).total_cmp(&trace(b)));
        let signs = best.unwrap_or([-1.0, 1.0, 1.0]);
        let turned = |k: usize| mirrored[k] * signs[k];
        axes = DMat3::from_cols(turned(0), turned(1), turned(2));
    }
    DQuat::from_mat3(&axes).normalize()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{AnimationChoice, Camera, Projection, Scene};

    /// A factor that turns, flattens, mirrors or shrinks, or does nothing.
    fn factor() -> impl Strategy<Value = f32> {
        prop_oneof![
            Just(1.0_f32),
            Just(0.0),
            Just(1e-25),
            Just(-1.0),
            -3.0_f32..3.0
        ]
    }

    fn transform() -> impl Strategy<Value = Transform> {
        let scale = prop_oneof![
            factor().prop_map(Vec3::splat),
            [factor(), factor(), factor()].prop_map(Vec3::from_array)
        ];
        let axis = [-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0];
        let shift = [-5.0_f32..5.0, -5.0_f32..5.0, -5.0_f32..5.0];
        (scale, axis, -3.0_f32..3.0, shift).prop_map(|(scale, axis, angle, shift)| {
            let axis = Vec3::from_array(axis).normalize_or(Vec3::Y);
            Transform::Trs {
                translation: Vec3::from_array(shift),
                rotation: Quat::from_axis_angle(axis, angle),
                scale,
            }
        })
    }

    /// A camera below these nodes.
    fn scene(transforms: &[Transform]) -> Scene {
        let lens = Projection::Perspective {
            y_fov: 1.0,
            aspect: None,
            near: 0.1,
            far: None,
        };
        let nodes = (0..).zip(transforms).map(|(at, transform)| Node {
            parent: (at > 0).then(|| NodeId(at - 1)),
            transform: *transform,
            camera: (at + 1 == transforms.len() as u32).then_some(0),
            ..Node::default()
        });
        Scene {
            nodes: nodes.collect(),
            cameras: vec![Camera {
                name: String::new(),
                projection: lens,
            }],
            ..Scene::default()
        }
    }

    proptest! {
        #[test]
        fn camera_turns_with_the_rotations_of_its_nodes_alone(
            transforms in prop::collection::vec(transform(), 1..5),
        ) {
            let scene = scene(&transforms);
            let camera = NodeId(transforms.len() as u32 - 1);
            let pose = scene.pose_at(AnimationChoice::None, 0.0);
            let view = scene.placed_camera(&pose, camera).expect("a camera").view(8, 8);
            // Column by column and point by point, without matrices of four columns.
            let (mut axes, mut eye) = (DMat3::IDENTITY.to_cols_array_2d().map(DVec3::from), DVec3::ZERO);
            for transform in transforms.iter().rev() {
                let Transform::Trs { translation, rotation, scale } = *transform else { unreachable!() };
                axes = axes.map(|axis| rotation.as_dquat().mul_vec3(axis));
                eye = rotation.as_dquat().mul_vec3(eye * scale.as_dvec3()) + translation.as_dvec3();
            }
            let world_from_view = view.view_from_world.as_dmat4().inverse();
            for (k, axis) in axes.into_iter().enumerate() {
                let seen = world_from_view.col(k).truncate();
                prop_assert!((seen - axis).length() < 1e-4, "axis {k} is {seen} instead of {axis}");
            }
            let size = 1.0 + eye.length();
            prop_assert!((world_from_view.w_axis.truncate() - eye).length() < 1e-4 * size, "eye");
            prop_assert!((view.eye_world.as_dvec3() - eye).length() < 1e-4 * size, "eye of the view");
        }
    }

    #[test]
    fn rotation_of_a_mirrored_matrix_is_the_smallest() {
        let turned = DMat3::from_rotation_y(0.4);
        for scale in [
            [1.0, 1.0, -1.0],
            [1.0, -1.0, 1.0],
            [-1.0, 1.0, 1.0],
            [-1.0; 3],
        ] {
            let matrix = turned * DMat3::from_diagonal(DVec3::from(scale) * 3.0);
            let rotation = DMat3::from_quat(rotation_of(matrix));
            assert!(rotation.abs_diff_eq(turned, 1e-12), "{scale:?}: {rotation}");
        }
    }

    #[test]
    fn rotation_of_a_flat_matrix_follows_from_the_axes_that_are_left() {
        let turned = DMat3::from_rotation_y(0.4);
        for scale in [
            [1.0, 1.0, 0.0],
            [1.0, 0.0, 1.0],
            [0.0, 1.0, 1.0],
            [1e-25, 2.0, 3.0],
        ] {
            let matrix = turned * DMat3::from_diagonal(DVec3::from(scale));
            let rotation = DMat3::from_quat(rotation_of(matrix));
            assert!(rotation.abs_diff_eq(turned, 1e-12), "{scale:?}: {rotation}");
        }
        for lost in [DMat3::ZERO, DMat3::from_diagonal(DVec3::X), DMat3::NAN] {
            assert!(rotation_of(lost).is_finite(), "some rotation of {lost}");
        }
    }

    #[test]
    fn view_through_any_matrix_is_rigid() {
        let lens = Projection::Orthographic {
            x_mag: 1.0,
            y_mag: 1.0,
            near: 0.0,
            far: 1.0,
        };
        let sheared = Mat4::from_cols_array(&[
            1., 0., 0., 0., 0.5, 1., 0., 0., 0., 0.3, 1., 0., 1., 2., 3., 1.,
        ]);
        for matrix in [
            sheared,
            Mat4::from_scale(Vec3::new(2.0, 0.0, 1e-30)),
            Mat4::from_scale(-Vec3::ONE),
        ] {
            let view = crate::View::through(&lens, matrix, 4, 4);
            let linear = Mat3::from_mat4(view.view_from_world);
            let square = linear.transpose() * linear;
            assert!(
                square.abs_diff_eq(Mat3::IDENTITY, 1e-5),
                "{matrix}: {linear}"
            );
            assert!(linear.determinant() > 0.0, "{matrix}: not mirrored");
        }
    }
}
