//! Faces of a cube: which one a direction meets, and what lies beyond a face's edge (Vulkan 1.3, 16.5.4).

/// Axis and sign of each face: +x, -x, +y, -y, +z, -z; and, by face, the direction along its columns and rows.
const FACES: [[[i32; 3]; 3]; 6] = [
    [[1, 0, 0], [0, 0, -1], [0, -1, 0]],
    [[-1, 0, 0], [0, 0, 1], [0, -1, 0]],
    [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
    [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
    [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
    [[0, 0, -1], [-1, 0, 0], [0, -1, 0]],
];

/// The face that a direction meets; of equal axes z, then y.
pub(crate) fn face([x, y, z]: [f32; 3]) -> usize {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (axis, part) = if az >= ax && az >= ay {
        (2, z)
    } else if ay >= ax {
        (1, y)
    } else {
        (0, x)
    };
    2 * axis + usize::from(part < 0.0)
}

/// Coordinates of a direction on a face, 0 to 1, and their derivatives from those of the direction.
pub(crate) fn on_face(
    face: usize,
    direction: [f32; 3],
    along: [[f32; 3]; 2],
) -> ([f32; 3], [[f32; 3]; 2]) {
    let part = |vector: [f32; 3], axis: usize| -> f32 {
        (0..3)
            .map(|k| vector[k] * FACES[face][axis][k] as f32)
            .sum()
    };
    let major = part(direction, 0);
    let parts = [part(direction, 1), part(direction, 2)];
    let at = [
        0.5 * parts[0] / major + 0.5,
        0.5 * parts[1] / major + 0.5,
        0.0,
    ];
    let along = along.map(|along| {
        let slope = |k: usize| {
            0.5 * (part(along, k + 1) * major - parts[k] * part(along, 0)) / (major * major)
        };
        [slope(0), slope(1), 0.0]
    });
    (at, along)
}

/// Whether a texel lies beyond two edges of a face at once, where no face has one.
pub(crate) fn is_corner([x, y, _]: [i32; 3], size: u32) -> bool {
    let beyond = |at: i32| at < 0 || at >= size.cast_signed();
    beyond(x) && beyond(y)
}

/// The texel that is meant by one at most one beyond an edge of a face.
pub(crate) fn wrapped(face: u32, [x, y, _]: [i32; 3], size: u32) -> (u32, [u32; 2]) {
    let n = size.cast_signed();
    let (x, y) = (x.clamp(-1, n), y.clamp(-1, n));
    // Centres of texels lie at odd or even multiples of 1/n from the face's middle; the face itself lies at n.
    let [mut column, mut row] = [2 * x + 1 - n, 2 * y + 1 - n];
    let mut major = n;
    if column.abs() > n {
        (column, major) = (column.signum() * n, n - 1);
    } else if row.abs() > n {
        (row, major) = (row.signum() * n, n - 1);
    }
    let [axis, columns, rows] = FACES[face as usize];
    let place: [i32; 3] =
        std::array::from_fn(|k| axis[k] * major + columns[k] * column + rows[k] * row);
    let is_met = |face: &usize| (0..3).map(|k| place[k] * FACES[*face][0][k]).sum::<i32>() == n;
    let met = (0..6).find(is_met).unwrap_or(face as usize);
    let part = |axis: usize| (0..3).map(|k| place[k] * FACES[met][axis][k]).sum::<i32>();
    let texel = |part: i32| ((part + n - 1) / 2).clamp(0, n - 1).cast_unsigned();
    (met as u32, [texel(part(1)), texel(part(2))])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Direction to the centre of a texel.
    fn direction(face: u32, [x, y]: [u32; 2], size: u32) -> [f32; 3] {
        let at = |texel: u32| (2.0 * texel as f32 + 1.0) / size as f32 - 1.0;
        let [axis, columns, rows] = FACES[face as usize];
        std::array::from_fn(|k| axis[k] as f32 + columns[k] as f32 * at(x) + rows[k] as f32 * at(y))
    }

    #[test]
    fn cube_texel_is_met_by_the_direction_to_it() {
        for number in 0..6 {
            for texel in [[0, 0], [3, 1], [7, 7]] {
                let towards = direction(number, texel, 8);
                assert_eq!(face(towards), number as usize, "{towards:?}");
                let (at, _) = on_face(number as usize, towards, [[0.0; 3]; 2]);
                assert_eq!(
                    [0, 1].map(|k| (at[k] * 8.0) as u32),
                    texel,
                    "on face {number}"
                );
            }
        }
    }

    #[test]
    fn cube_texel_beyond_an_edge_is_the_nearest_one_on_the_next_face() {
        for number in 0..6 {
            for k in 0..8 {
                for (beyond, own) in [
                    ([-1, k], [0, k]),
                    ([8, k], [7, k]),
                    ([k, -1], [k, 0]),
                    ([k, 8], [k, 7]),
                ] {
                    let (other, texel) = wrapped(number, [beyond[0], beyond[1], 0], 8);
                    assert_ne!(other, number, "another face");
                    let [here, there] = [
                        direction(number, own.map(|at: i32| at.cast_unsigned()), 8),
                        direction(other, texel, 8),
                    ];
                    let distance: f32 = (0..3).map(|k| (here[k] - there[k]).powi(2)).sum();
                    assert!(
                        distance < 0.04,
                        "{number} {beyond:?} became {other} {texel:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn cube_derivatives_are_those_of_the_coordinates() {
        let from = [0.3, -0.4, -0.9];
        let step = [[1e-3, 2e-3, -1e-3], [-2e-3, 0.0, 3e-3]];
        let met = face(from);
        let (at, along) = on_face(met, from, step);
        for (step, along) in step.iter().zip(along) {
            let (to, _) = on_face(
                met,
                std::array::from_fn(|k| from[k] + step[k]),
                [[0.0; 3]; 2],
            );
            for k in 0..2 {
                assert!((to[k] - at[k] - along[k]).abs() < 1e-5, "axis {k}");
            }
        }
    }
}
