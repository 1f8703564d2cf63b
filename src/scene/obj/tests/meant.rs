//! Random contents of an OBJ: what a file is meant to say.

use std::collections::BTreeSet;

use glam::{Vec2, Vec3};

use crate::Topology;

/// Numbers that look like chance and are always the same.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// One time in `n`.
    pub(super) fn is_rare(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Random coordinate from -4 to 4 by 64ths.
    fn coordinate(&mut self) -> f32 {
        self.below(513) as f32 / 64.0 - 4.0
    }

    fn share(&mut self) -> f32 {
        self.below(101) as f32 / 100.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_array([0; 3].map(|_| self.coordinate()))
    }
}

/// Names of groups; the first is of what stands before any.
pub(super) const GROUPS: [&str; 4] = ["", "one", "two three", "four"];

/// Names of materials and their libraries; nothing gives the last.
pub(super) const MATERIALS: [(&str, &str); 4] = [
    ("red", "a.mtl"),
    ("m #2", "b.mtl"),
    ("with space", "my c.mtl"),
    ("nowhere", ""),
];

pub(super) struct Element {
    pub(super) topology: Topology,
    /// Numbers of position, place and normal.
    pub(super) corners: Vec<(usize, Option<usize>, Option<usize>)>,
    pub(super) group: usize,
    /// None before the first `usemtl`.
    pub(super) material: Option<usize>,
    pub(super) smoothing: u32,
}

#[derive(Default)]
pub(super) struct Meant {
    pub(super) positions: Vec<Vec3>,
    pub(super) colors: Vec<Option<Vec3>>,
    pub(super) tex_coords: Vec<Vec2>,
    pub(super) normals: Vec<Vec3>,
    pub(super) elements: Vec<Element>,
    /// Colour, opacity and emission.
    pub(super) materials: Vec<(Vec3, f32, Vec3)>,
}

pub(super) fn meant(random: &mut Random) -> Meant {
    let mut meant = Meant {
        materials: (0..3)
            .map(|_| {
                let [color, emission] =
                    [0; 2].map(|_| Vec3::from_array([0; 3].map(|_| random.share())));
                (color, random.share(), emission)
            })
            .collect(),
        ..Meant::default()
    };
    for _ in 0..=random.below(8) {
        let place = Vec2::new(random.coordinate(), random.share());
        meant.tex_coords.push(place);
        let normal = random.vector();
        meant.normals.push(if normal == Vec3::ZERO {
            Vec3::X
        } else {
            normal
        });
    }
    for _ in 0..6 {
        add_position(&mut meant, random);
    }
    let mut known = BTreeSet::new();
    let (mut group, mut material, mut smoothing) = (0, None, 0);
    for _ in 0..1 + random.below(12) {
        if random.is_rare(3) {
            group = random.below(GROUPS.len());
        }
        if random.is_rare(3) {
            material = Some(random.below(MATERIALS.len()));
        }
        if random.is_rare(3) {
            smoothing = random.one_of(&[0, 1, 2]);
        }
        let (topology, positions) = positions(&mut meant, random);
        if !known.insert(positions.clone()) {
            continue;
        }
        let kind = random.below(5);
        let corner = |position| {
            let is_mixed = kind == 4 && random.is_rare(2);
            let has_place = (kind & 1 == 1) != is_mixed;
            let has_normal = (kind & 2 == 2) != is_mixed && topology == Topology::Triangles;
            let place = has_place.then(|| random.below(meant.tex_coords.len()));
            (
                position,
                place,
                has_normal.then(|| random.below(meant.normals.len())),
            )
        };
        meant.elements.push(Element {
            topology,
            corners: positions.into_iter().map(corner).collect(),
            group,
            material,
            smoothing,
        });
    }
    meant
}

fn add_position(meant: &mut Meant, random: &mut Random) {
    meant.positions.push(random.vector());
    let color = random
        .is_rare(3)
        .then(|| Vec3::from_array([0; 3].map(|_| random.share())));
    meant.colors.push(color);
}

/// Positions of an element: old ones, or new ones around a centre, as faces of many corners must be flat.
fn positions(meant: &mut Meant, random: &mut Random) -> (Topology, Vec<usize>) {
    let some = |n: usize, random: &mut Random| -> Vec<usize> {
        (0..n)
            .map(|_| random.below(meant.positions.len()))
            .collect()
    };
    match random.below(6) {
        0 => (Topology::Lines, some(2 + random.below(4), random)),
        1 => (Topology::Points, some(1 + random.below(4), random)),
        2 => {
            let n = 4 + random.below(4);
            let (centre, first) = (random.vector(), meant.positions.len());
            let (right, up) = random.one_of(&[
                (Vec3::X, Vec3::Y),
                (Vec3::Z, Vec3::Y),
                (Vec3::X, Vec3::NEG_Z),
            ]);
            for at in 0..n {
                let angle = at as f32 / n as f32 * std::f32::consts::TAU;
                add_position(meant, random);
                meant.positions[first + at] = centre + right * angle.cos() + up * angle.sin();
            }
            (Topology::Triangles, (first..first + n).collect())
        }
        _ => {
            let triangle = some(3, random);
            let [a, b, c] = [0, 1, 2].map(|at| meant.positions[triangle[at]]);
            match (b - a).cross(c - a).length() > 1.0 {
                true => (Topology::Triangles, triangle),
                false => (Topology::Points, triangle),
            }
        }
    }
}
