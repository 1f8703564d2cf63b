//! Normals of corners that name none.
//!
//! In a smoothing group they are the average of the normals of all its faces at the vertex, each weighted by the angle of its corner there:
//! however a surface is cut into faces, they stay the same (Thürmer and Wüthrich 1998, "Computing Vertex Normals from Polygonal Facets").
//! Outside of groups a face that names some normals gets its own for the others; one that names none is left without, and drawn flat.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::ops::Range;

use foldhash::fast::RandomState;
use glam::DVec3;

use super::contents::{Contents, Corner, Element, Kind, NONE};
use super::polygons;

/// Length of an average of unit vectors, by weights of about 1, below which it has no direction.
const NO_DIRECTION: f64 = 1e-6;

/// Adds the normals that are missing, and gives corners their numbers.
pub(super) fn complete(contents: &mut Contents<'_>) {
    let lacks = |corner: &Corner| corner.normal == NONE;
    let corners = &contents.corners;
    let is_smoothed = |element: &&Element| {
        element.kind == Kind::Face
            && element.smoothing != 0
            && corners[element.corners()].iter().any(lacks)
    };
    let sums = match contents
        .elements
        .iter()
        .any(|element| is_smoothed(&element))
    {
        true => sums(contents),
        false => Sums::default(),
    };
    let first = contents.vertices.normals.len();
    let averages = sums
        .list
        .iter()
        .map(|sum| match sum.length() > NO_DIRECTION {
            true => sum.normalize().as_vec3(),
            false => glam::Vec3::NAN,
        });
    contents.vertices.normals.extend(averages);
    for nth in 0..contents.elements.len() {
        let Element {
            kind, smoothing, ..
        } = contents.elements[nth];
        let range = contents.elements[nth].corners();
        if kind != Kind::Face {
            continue;
        }
        if smoothing != 0 {
            for corner in contents.corners[range.clone()]
                .iter_mut()
                .filter(|c| lacks(c))
            {
                let number = sums.numbers.get(&(corner.position, smoothing));
                let number = number.map(|number| first + *number as usize);
                if let Some(number) = number.filter(|at| !contents.vertices.normals[*at].is_nan()) {
                    corner.normal = number as u32;
                }
            }
        }
        let n_lacking = contents.corners[range.clone()].iter().filter(|c| lacks(c));
        if (1..range.len()).contains(&n_lacking.count()) {
            let face = polygons::normal(&places(contents, range.clone()));
            let normal = face.normalize_or(DVec3::Z).as_vec3();
            let number = contents.vertices.normals.len() as u32;
            contents.vertices.normals.push(normal);
            for corner in contents.corners[range].iter_mut().filter(|c| lacks(c)) {
                corner.normal = number;
            }
        }
    }
}

/// Sums of weighted normals, each of a vertex in a smoothing group.
#[derive(Debug, Default)]
struct Sums {
    numbers: HashMap<(u32, u32), u32, RandomState>,
    list: Vec<DVec3>,
}

fn sums(contents: &Contents<'_>) -> Sums {
    let mut sums = Sums::default();
    let faces = contents.elements.iter();
    for face in faces.filter(|face| face.kind == Kind::Face && face.smoothing != 0) {
        let places = places(contents, face.corners());
        let Some(normal) = polygons::normal(&places).try_normalize() else {
            continue;
        };
        for (at, corner) in contents.corners[face.corners()].iter().enumerate() {
            let next = sums.list.len() as u32;
            let number = sums.numbers.entry((corner.position, face.smoothing));
            let number = *number.or_insert(next);
            if number == next {
                sums.list.push(DVec3::ZERO);
            }
            sums.list[number as usize] += normal * angle(&places, at, normal);
        }
    }
    sums
}

fn places(contents: &Contents<'_>, corners: Range<usize>) -> Vec<DVec3> {
    let positions = &contents.vertices.positions;
    let corners = contents.corners[corners].iter();
    corners
        .map(|corner| positions[corner.position as usize].as_dvec3())
        .collect()
}

/// Angle inside a corner of a face, in radians; above half a turn where it turns inwards.
fn angle(places: &[DVec3], at: usize, normal: DVec3) -> f64 {
    let n = places.len();
    let to = |other: usize| places[other % n] - places[at];
    let (next, before) = (to(at + 1), to(at + n - 1));
    let turn = next.cross(before);
    let angle = turn.length().atan2(next.dot(before));
    match turn.dot(normal) < 0.0 {
        true => TAU - angle,
        false => angle,
    }
}
