//! Shapes of elements: lines, points, faces of mixed kinds, colours on some vertices, smoothing groups.

use glam::{Vec2, Vec3, Vec4};

use super::scene;
use crate::{Primitive, Topology};

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

/// The parts of what follows a square's corners, and nothing to warn of.
fn parts(text: &str) -> Vec<Primitive> {
    let scene = scene(&format!("{SQUARE}{text}")).expect("drawn");
    assert_eq!(scene.warnings, Vec::<String>::new(), "{text}");
    let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    parts.cloned().collect()
}

fn only(text: &str) -> Primitive {
    let mut parts = parts(text);
    assert_eq!(parts.len(), 1, "{text}");
    parts.remove(0)
}

/// Positions of the vertices that the indices name.
fn corners(part: &Primitive) -> Vec<Vec3> {
    let corners = part.indices.iter();
    corners.map(|at| part.positions[*at as usize]).collect()
}

/// Values of another stream at the vertices that the indices name.
fn of<T: Copy>(part: &Primitive, stream: &[T]) -> Vec<T> {
    let corners = part.indices.iter();
    corners.map(|at| stream[*at as usize]).collect()
}

#[test]
fn obj_polylines_are_lines_from_corner_to_corner() {
    let [a, b, c, d] = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    for (text, expected) in [
        ("l 1 2\n", vec![a, b]),
        ("l 1 2 3\n", vec![a, b, b, c]),
        ("l 1 2 3 4 1\n", vec![a, b, b, c, c, d, d, a]),
        ("l -4 -3 -2\n", vec![a, b, b, c]),
        ("l 1 \\\n2 3\nl 4 1\n", vec![a, b, b, c, d, a]),
    ] {
        let part = only(text);
        assert_eq!(part.topology, Topology::Lines, "{text}");
        assert_eq!(corners(&part), expected, "{text}");
    }
}

#[test]
fn obj_polylines_keep_their_places_in_the_texture() {
    let part = only("vt 0 0\nvt 1 0.25\nl 1/1 2/2\n");
    let tex_coords = [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.75)];
    assert_eq!(of(&part, &part.tex_coords[0]), tex_coords);
}

#[test]
fn obj_points_are_points() {
    let part = only("p 1 3\np -1\n");
    assert_eq!(part.topology, Topology::Points);
    assert_eq!(
        corners(&part),
        [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]
    );
}

#[test]
fn obj_lines_and_faces_of_one_group_are_both_drawn() {
    let parts = parts("g a\nf 1 2 3\nl 1 2 3\nf 1 3 4\np 1\n");
    let drawn = parts.iter().map(|part| (part.topology, part.indices.len()));
    let expected = [
        (Topology::Triangles, 6),
        (Topology::Lines, 4),
        (Topology::Points, 1),
    ];
    assert_eq!(drawn.collect::<Vec<_>>(), expected);
}

/// Every kind of face beside every other, in one group and one material.
#[test]
fn obj_faces_keep_what_they_name_beside_others_that_do_not() {
    let kinds: [fn(u32) -> String; 4] = [
        |at| format!("{at}"),
        |at| format!("{at}/{at}"),
        |at| format!("{at}//1"),
        |at| format!("{at}/{at}/1"),
    ];
    let face = |kind: fn(u32) -> String, at: [u32; 3]| {
        let words = at.map(kind).join(" ");
        format!("f {words}\n")
    };
    for (first, second) in (0..16).map(|nth| (nth / 4, nth % 4)) {
        let text = format!(
            "vt 0.5 1\nvt 0.25 0.5\nvt 0 0\nvt 1 1\nvn 0 1 0\n{}{}",
            face(kinds[first], [1, 2, 3]),
            face(kinds[second], [1, 3, 4])
        );
        let parts = parts(&text);
        assert_eq!(parts.len(), if first == second { 1 } else { 2 }, "{text}");
        let triangles = parts.iter().flat_map(|part| {
            let has_places = !part.tex_coords.is_empty();
            let triangles = part.indices.as_chunks::<3>().0.iter();
            triangles.map(move |[at, ..]| (has_places, part.normals[*at as usize]))
        });
        let expected = [first, second].map(|kind| {
            let normal = if kind >= 2 { Vec3::Y } else { Vec3::Z };
            (kind % 2 == 1, normal)
        });
        assert_eq!(triangles.collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn obj_corners_that_name_less_than_others_of_their_face_get_the_rest() {
    let part = only("vt 0.5 1\nvt 0.25 0.5\nvn 0 1 0\nf 1/1 2 3/2\n");
    let places = [Vec2::new(0.5, 0.0), Vec2::ZERO, Vec2::new(0.25, 0.5)];
    assert_eq!(of(&part, &part.tex_coords[0]), places, "the image's corner");
    let part = only("vn 0 1 0\nf 1//1 2 3//1\n");
    assert_eq!(
        of(&part, &part.normals),
        [Vec3::Y, Vec3::Z, Vec3::Y],
        "the face's normal"
    );
}

#[test]
fn obj_numbers_of_what_the_file_has_none_of_count_for_nothing() {
    let part = only("f 1/1/1 2/2/2 3/3/3\n");
    assert!(part.tex_coords.is_empty(), "no places");
    assert_eq!(part.normals, [Vec3::Z; 3], "flat");
    let part = only("vt 0 0\nf 1/0/0 2/0/0 3/0/0\n");
    assert!(part.tex_coords.is_empty(), "0 is none");
}

#[test]
fn obj_vertices_without_a_colour_are_white_beside_others() {
    let text = "v 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0 0 0.5 0 0.25\nv 2 2 0 1\nv 4 4 0 2\nv 0 1 0 255 0 -3\n\
                f 1 2 3\nf 1 4 5\nf 2 4 6\n";
    let scene = scene(text).expect("drawn");
    assert_eq!(scene.warnings, Vec::<String>::new());
    let part = &scene.meshes[0].primitives[0];
    let (red, green, white) = (
        Vec4::new(1.0, 0.0, 0.0, 1.0),
        Vec4::new(0.0, 0.5, 0.0, 1.0),
        Vec4::ONE,
    );
    let expected = [red, white, green, red, white, white, white, white, red];
    assert_eq!(of(part, &part.colors), expected, "clamped, without opacity");
    let corner = corners(part)[5];
    assert_eq!(corner, Vec3::new(2.0, 2.0, 0.0), "divided by its weight");
}

#[test]
fn obj_parts_without_coloured_vertices_have_no_colours() {
    let parts = parts("v 0 0 1 1 0 0\ng a\nf 1 2 3\ng b\nf 1 2 5\n");
    let has: Vec<_> = parts.iter().map(|part| !part.colors.is_empty()).collect();
    assert_eq!(has, [false, true]);
}

/// Two faces at a right angle: its edge along x in the middle, and the normals of its ends.
const ROOF: &str = "v 0 -1 -1\nv 2 -1 -1\nv 2 0 0\nv 0 0 0\nv 2 1 -1\nv 0 1 -1\n";

/// Normals where the roof's faces meet, one for each corner there.
fn ridge(text: &str) -> Vec<Vec3> {
    let scene = scene(&format!("{ROOF}{text}")).expect("drawn");
    assert_eq!(scene.warnings, Vec::<String>::new(), "{text}");
    let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let corners = parts.flat_map(|part| {
        let corners = part.indices.iter().map(|at| *at as usize);
        corners.map(|at| (part.positions[at], part.normals[at]))
    });
    let ridge = corners.filter(|(position, _)| position.y == 0.0);
    ridge.map(|(_, normal)| normal).collect()
}

#[test]
fn obj_smoothing_groups_average_normals_where_their_faces_meet() {
    for group in ["s 1", "s on", "s 4294967295", "s 7 # roof"] {
        for faces in [
            "f 1 2 3 4\nf 4 3 5 6\n",
            "g a\nf 1 2 3 4\ng b\nf 4 3 5 6\n",
            // However they are cut.
            "f 1 2 3\nf 1 3 4\nf 4 3 5\nf 4 5 6\n",
            "f 1 2 4\nf 2 3 4\nf 4 3 5\nf 4 5 6\n",
        ] {
            let normals = ridge(&format!("{group}\n{faces}"));
            assert!(normals.len() >= 4, "{faces}");
            let is_up = |normal: &Vec3| normal.distance(Vec3::Z) < 1e-6;
            assert!(normals.iter().all(is_up), "{group}\n{faces}{normals:?}");
        }
    }
}

#[test]
fn obj_faces_outside_of_one_smoothing_group_are_flat() {
    for text in [
        "f 1 2 3 4\nf 4 3 5 6\n",
        "s off\nf 1 2 3 4\nf 4 3 5 6\n",
        "s 1\ns 0\nf 1 2 3 4\nf 4 3 5 6\n",
        "s 1\nf 1 2 3 4\ns 2\nf 4 3 5 6\n",
        "s 1\nf 1 2 3 4\ns off\nf 4 3 5 6\n",
    ] {
        for normal in ridge(text) {
            let slope = Vec3::new(0.0, normal.y.signum(), 1.0).normalize();
            assert!(normal.distance(slope) < 1e-6, "{text}: {normal}");
        }
    }
}

#[test]
fn obj_faces_with_normals_keep_them_in_a_smoothing_group() {
    let normals = ridge("vn 1 0 0\ns 1\nf 1//1 2//1 3//1 4//1\nf 4 3 5 6\n");
    let n_given = normals.iter().filter(|normal| **normal == Vec3::X).count();
    let n_average = normals
        .iter()
        .filter(|n| n.distance(Vec3::Z) < 1e-6)
        .count();
    assert_eq!(n_given, n_average, "{normals:?}");
    assert_eq!(n_given + n_average, normals.len(), "{normals:?}");
}

/// Weights by the angle: a corner of three faces, of which one is cut in two.
#[test]
fn obj_smoothing_groups_weigh_by_angle() {
    let cube =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 3 3 0\ns 1\nf 1 3 5\nf 1 5 2\nf 1 4 3\nf 1 2 4\n";
    let scene = scene(cube).expect("drawn");
    let part = &scene.meshes[0].primitives[0];
    let at = part.positions.iter().position(|at| *at == Vec3::ZERO);
    let normal = part.normals[at.expect("there")];
    let expected = Vec3::new(-1.0, -1.0, -1.0).normalize();
    assert!(
        normal.distance(expected) < 1e-6 || normal.distance(-expected) < 1e-6,
        "{normal}"
    );
}

#[test]
fn obj_smoothing_group_of_two_sides_of_a_face_is_flat() {
    let parts = parts("s 1\nf 1 2 3\nf 3 2 1\n");
    let normals = parts.iter().flat_map(|part| &part.normals);
    assert!(
        normals.clone().all(|normal| normal.z.abs() == 1.0),
        "{parts:?}"
    );
    assert_eq!(normals.count(), 6);
}
