//! The station's geometry: floors, ceilings, walls, pipes and crates by cell, with the lamps' light baked into the
//! vertices.

use glam::{Mat4, Quat, Vec2, Vec3};

use super::look::Surfaces;
use super::route::{CELL, Cell, Route, SIDES, middle};
use crate::kit::motion::Dice;
use crate::kit::stage::{Stage, bake, merged, placed};
use crate::procedural::{Patch, ellipsoid, rounded_box, smooth_step, torus};
use azulejo_scene::{MaterialId, MeshId, Primitive};

/// Metres from floor to ceiling.
const HIGH: f32 = 3.0;
/// Rooms along the walk, both ways, that a room can be seen from.
const SIGHT: usize = 7;

/// A cell of the station.
#[derive(Debug)]
pub(super) struct Room {
    /// Middle of its floor.
    pub(super) middle: Vec3,
    /// Meshes by material of the station.
    pub(super) meshes: Vec<MeshId>,
    /// Lights on the room's ceiling.
    pub(super) lamps: Vec<Lamp>,
    /// Rooms that may be seen from here.
    pub(super) sees: Vec<usize>,
}

/// A light on a ceiling.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lamp {
    pub(super) at: Vec3,
    /// Colour of the light, linear RGB, 0..1.
    pub(super) color: Vec3,
}

/// The plan: which sides of each cell are open.
struct Plan<'a> {
    route: &'a Route,
    /// Pairs of cells, by their place in the walk, with a window cut between them.
    windows: Vec<[usize; 2]>,
    lamps: Vec<Lamp>,
    seed: u32,
}

/// Builds every cell of the route.
pub(super) fn rooms(stage: &mut Stage, route: &Route, surfaces: &Surfaces, seed: u32) -> Vec<Room> {
    let mut dice = Dice::new(seed, 0x57a7);
    let plan = Plan {
        route,
        windows: windows(route, &mut dice),
        lamps: (0..route.cells.len())
            .map(|number| lamp(route, number, &mut dice))
            .collect(),
        seed,
    };
    (0..route.cells.len())
        .map(|number| {
            let parts = plan.parts(number, surfaces);
            let lamps = if plan.is_lit(number) {
                vec![plan.lamps[number]]
            } else {
                Vec::new()
            };
            Room {
                middle: middle(route.cells[number]),
                meshes: parts
                    .into_iter()
                    .map(|(material, part)| {
                        let lit = if material == surfaces.lamp {
                            bake(part, |_, _| {
                                plan.lamps[number].color.max(Vec3::splat(0.35)) * 1.3
                            })
                        } else {
                            bake(part, |at, normal| plan.light(number, at, normal))
                        };
                        stage.mesh("room", lit, material)
                    })
                    .collect(),
                lamps,
                sees: plan.sees(number),
            }
        })
        .collect()
}

fn lamp(route: &Route, number: usize, dice: &mut Dice) -> Lamp {
    let white = Vec3::new(1.0, 0.9, 0.72);
    let colors = [
        white,
        white,
        Vec3::new(0.5, 0.85, 1.0),
        Vec3::new(1.0, 0.3, 0.16),
        Vec3::new(0.45, 1.0, 0.62),
    ];
    Lamp {
        at: middle(route.cells[number]) + Vec3::Y * (HIGH - 0.12),
        color: colors[dice.below(colors.len())],
    }
}

/// One in four of the walls between passages has an opening.
fn windows(route: &Route, dice: &mut Dice) -> Vec<[usize; 2]> {
    let n = route.cells.len();
    let mut windows = Vec::new();
    for (number, cell) in route.cells.iter().enumerate() {
        for &side in &SIDES[..2] {
            let other = route.cells.iter().position(|c| *c == cell.plus(side, 1));
            let Some(other) = other.filter(|o| (o + 1) % n != number && (number + 1) % n != *o)
            else {
                continue;
            };
            if dice.unit() < 0.25 {
                windows.push([number, other]);
            }
        }
    }
    windows
}

impl Plan<'_> {
    fn is_lit(&self, number: usize) -> bool {
        number.is_multiple_of(2) || number % 7 == 3
    }

    /// The room beyond a side: along the walk or through a window.
    fn beyond(&self, number: usize, side: Cell) -> Option<(usize, bool)> {
        let n = self.route.cells.len();
        let to = self.route.cells[number].plus(side, 1);
        let along = [(number + 1) % n, (number + n - 1) % n];
        if let Some(next) = along.into_iter().find(|&next| self.route.cells[next] == to) {
            return Some((next, false));
        }
        let other = |pair: &[usize; 2]| match *pair {
            [a, b] if a == number => Some(b),
            [a, b] if b == number => Some(a),
            _ => None,
        };
        let mut windows = self.windows.iter().filter_map(other);
        windows
            .find(|&other| self.route.cells[other] == to)
            .map(|other| (other, true))
    }

    fn neighbours(&self, number: usize) -> Vec<usize> {
        let sides = SIDES
            .into_iter()
            .filter_map(|side| self.beyond(number, side));
        sides.map(|(other, _)| other).collect()
    }

    /// Rooms within a few doors.
    fn within(&self, number: usize, doors: usize) -> Vec<usize> {
        let mut found = vec![number];
        let mut newest = 0..1;
        for _ in 0..doors {
            for at in newest.clone() {
                for other in self.neighbours(found[at]) {
                    if !found.contains(&other) {
                        found.push(other);
                    }
                }
            }
            newest = newest.end..found.len();
        }
        found
    }

    fn sees(&self, number: usize) -> Vec<usize> {
        self.within(number, SIGHT)
    }

    /// Light of the lamps near a room, with corners darkened: linear RGB that multiplies textures.
    fn light(&self, number: usize, at: Vec3, normal: Vec3) -> Vec3 {
        let near = self.within(number, 2);
        let lamps = near.into_iter().filter(|&room| self.is_lit(room));
        let lit: Vec3 = lamps
            .map(|room| {
                let lamp = self.lamps[room];
                let towards = lamp.at - at;
                let facing = normal.dot(towards.normalize_or(Vec3::Y)) * 0.75 + 0.25;
                lamp.color * (facing.max(0.0) * 4.4 / (towards.length_squared() + 0.9))
            })
            .sum();
        let from_middle = (at - middle(self.route.cells[number])).abs();
        let wall = CELL * 0.5 - from_middle.x.max(from_middle.z);
        let edge = at.y.min(HIGH - at.y).max(0.0);
        let corner = if normal.y.abs() > 0.5 { wall } else { edge };
        let open = 0.45 + 0.55 * smooth_step(0.0, 0.9, corner);
        (lit + Vec3::new(0.045, 0.055, 0.08)) * open
    }

    /// Geometry of a room by material.
    fn parts(&self, number: usize, surfaces: &Surfaces) -> Vec<(MaterialId, Primitive)> {
        let foot = middle(self.route.cells[number]);
        let mut dice = Dice::new(self.seed, 1000 + number as u32);
        let half = CELL * 0.5;
        let floor = quad(
            foot + Vec3::new(-half, 0.0, -half),
            [Vec3::X * CELL, Vec3::Z * CELL],
        );
        let ceiling = quad(
            foot + Vec3::new(-half, HIGH, half),
            [Vec3::X * CELL, Vec3::NEG_Z * CELL],
        );
        let mut walls = Vec::new();
        let mut trims = Vec::new();
        for side in SIDES {
            let out = Vec3::new(side.x as f32, 0.0, side.y as f32);
            match self.beyond(number, side) {
                None => walls.push(wall(foot, out)),
                Some((other, true)) => {
                    walls.extend(parapet(foot, out));
                    if number < other {
                        trims.extend(portal(foot, out, 1.1));
                    }
                }
                // One of the two rooms builds what stands between them: faces in one plane would flicker.
                Some((other, false)) if number < other && (number + other).is_multiple_of(3) => {
                    trims.extend(portal(foot, out, 0.0));
                }
                Some(_) => {}
            }
        }
        trims.extend(pipes(self, number, foot));
        let mut parts = vec![(surfaces.floor, floor), (surfaces.ceiling, ceiling)];
        if !walls.is_empty() {
            parts.push((
                surfaces.walls[dice.below(surfaces.walls.len())],
                merged(&walls),
            ));
        }
        parts.push((surfaces.metal, merged(&trims)));
        if dice.unit() < 0.4 {
            parts.push((surfaces.crate_, crates(foot, &mut dice)));
        }
        if self.is_lit(number) {
            let shape = rounded_box(Vec3::new(0.6, 0.05, 0.18), 0.03, 1, 0.8);
            parts.push((
                surfaces.lamp,
                placed(
                    shape,
                    Mat4::from_translation(foot + Vec3::Y * (HIGH - 0.04)),
                ),
            ));
        }
        parts
    }
}

/// A rectangle from its corner along two edges (right, down as seen from its front), finely divided for the light.
fn quad(corner: Vec3, [right, down]: [Vec3; 2]) -> Primitive {
    let cells = |edge: Vec3| (edge.length() / 0.5).ceil().max(1.0) as u32;
    let patch = Patch::new(cells(right), cells(down)).repeated(
        right.length() / CELL,
        down.length() / HIGH.max(down.length()),
    );
    patch.mesh(|u, v| corner + right * u + down * v)
}

/// The wall on the side `out` of a cell.
fn wall(foot: Vec3, out: Vec3) -> Primitive {
    let right = out.cross(Vec3::Y);
    let corner = foot + out * (CELL * 0.5 - 0.05) - right * (CELL * 0.5) + Vec3::Y * HIGH;
    quad(corner, [right * CELL, Vec3::NEG_Y * HIGH])
}

/// A wall with a window: below it and above.
fn parapet(foot: Vec3, out: Vec3) -> [Primitive; 2] {
    let right = out.cross(Vec3::Y);
    let corner = foot + out * (CELL * 0.5 - 0.05) - right * (CELL * 0.5);
    [
        quad(corner + Vec3::Y * 1.1, [right * CELL, Vec3::NEG_Y * 1.1]),
        quad(corner + Vec3::Y * HIGH, [right * CELL, Vec3::NEG_Y * 0.7]),
    ]
}

/// Posts and a lintel around an opening that begins `sill` metres over the floor.
fn portal(foot: Vec3, out: Vec3, sill: f32) -> Vec<Primitive> {
    let right = out.cross(Vec3::Y);
    let plane = foot + out * (CELL * 0.5);
    let turn = Mat4::from_rotation_y((-right.z).atan2(right.x));
    let bar = |middle: Vec3, half: Vec3| {
        placed(
            rounded_box(half, 0.04, 1, 0.5),
            Mat4::from_translation(middle) * turn,
        )
    };
    let mut parts = vec![bar(
        plane + Vec3::Y * (HIGH - 0.6),
        Vec3::new(CELL * 0.5, 0.14, 0.16),
    )];
    for side in [-1.0, 1.0] {
        let middle = plane + right * (side * (CELL * 0.5 - 0.2)) + Vec3::Y * (HIGH * 0.5);
        parts.push(bar(middle, Vec3::new(0.2, HIGH * 0.5, 0.18)));
    }
    if sill > 0.0 {
        parts.push(bar(
            plane + Vec3::Y * sill,
            Vec3::new(CELL * 0.5, 0.06, 0.2),
        ));
    }
    parts
}

/// Pipes under the ceiling and a rail at the foot of each wall.
fn pipes(plan: &Plan<'_>, number: usize, foot: Vec3) -> Vec<Primitive> {
    let mut parts = Vec::new();
    for side in SIDES {
        if plan.beyond(number, side).is_some() {
            continue;
        }
        let out = Vec3::new(side.x as f32, 0.0, side.y as f32);
        let right = out.cross(Vec3::Y);
        let turn = Mat4::from_rotation_y((-right.z).atan2(right.x));
        for (height, reach, radius) in [(2.74, 0.2, 0.1), (2.5, 0.14, 0.06), (0.12, 0.1, 0.12)] {
            let middle = foot + out * (CELL * 0.5 - reach) + Vec3::Y * height;
            let pipe = rounded_box(Vec3::new(CELL * 0.5, radius, radius), radius * 0.98, 2, 0.5);
            parts.push(placed(pipe, Mat4::from_translation(middle) * turn));
        }
    }
    parts
}

fn crates(foot: Vec3, dice: &mut Dice) -> Primitive {
    let side = if dice.unit() < 0.5 { -1.0 } else { 1.0 };
    let end = if dice.unit() < 0.5 { -1.0 } else { 1.0 };
    let corner = foot + Vec3::new(side * 1.4, 0.0, end * 1.4);
    let mut stack = Vec::new();
    for level in 0..1 + dice.below(2) {
        let half = 0.36 - 0.06 * level as f32;
        let at = corner + Vec3::Y * (half + 0.72 * level as f32);
        let place =
            Mat4::from_rotation_translation(Quat::from_rotation_y(dice.between(-0.3, 0.3)), at);
        let mut block = rounded_box(Vec3::splat(half), 0.03, 1, 0.5 / half);
        for uv in &mut block.tex_coords[0] {
            *uv += Vec2::splat(0.5);
        }
        stack.push(placed(block, place));
    }
    merged(&stack)
}

/// Light of things that carry no light map: from above, a little from the sides.
fn studio(normal: Vec3) -> Vec3 {
    let sky = 0.45 + 0.45 * normal.y;
    let side = 0.22 * normal.x.max(0.0);
    Vec3::new(0.8, 0.86, 1.0) * sky + Vec3::new(1.0, 0.7, 0.4) * side + 0.05
}

/// A hovering drone that faces +Z: a shell, a ring, an eye.
pub(super) fn drone(stage: &mut Stage, surfaces: &Surfaces) -> MeshId {
    let shell = ellipsoid(
        Patch::new(28, 18).repeated(2.0, 1.0),
        Vec3::new(0.34, 0.3, 0.32),
    );
    let ring = torus(Patch::new(32, 10).repeated(4.0, 0.5), 0.46, 0.07);
    let eye = ellipsoid(
        Patch::new(16, 10).repeated(0.5, 0.5),
        Vec3::new(0.15, 0.15, 0.1),
    );
    let fins = [-1.0, 1.0].map(|side| {
        let fin = rounded_box(Vec3::new(0.05, 0.2, 0.12), 0.03, 1, 1.0);
        placed(
            fin,
            Mat4::from_translation(Vec3::new(side * 0.5, 0.05, -0.05)),
        )
    });
    let mut parts = vec![
        placed(shell, Mat4::IDENTITY),
        placed(ring, Mat4::IDENTITY),
        placed(eye, Mat4::from_translation(Vec3::new(0.0, 0.0, 0.28))),
    ];
    parts.extend(fins);
    let mesh = bake(merged(&parts), |at, normal| {
        let is_eye = at.z > 0.3 && at.truncate().length() < 0.14;
        if is_eye {
            Vec3::new(4.0, 0.25, 0.15)
        } else {
            studio(normal)
        }
    });
    stage.mesh("drone", mesh, surfaces.drone)
}

/// A carbine that points along -Z.
pub(super) fn gun(stage: &mut Stage, surfaces: &Surfaces) -> MeshId {
    let part = |x: f32, y: f32, z: f32, half: Vec3, radius: f32| {
        placed(
            rounded_box(half, radius, 2, 1.0),
            Mat4::from_translation(Vec3::new(x, y, z)),
        )
    };
    let grip =
        Mat4::from_rotation_translation(Quat::from_rotation_x(-0.35), Vec3::new(0.0, -0.13, 0.16));
    let parts = [
        part(0.0, 0.0, 0.0, Vec3::new(0.045, 0.055, 0.26), 0.015),
        part(0.0, 0.015, -0.36, Vec3::new(0.028, 0.03, 0.16), 0.02),
        part(0.0, 0.015, -0.56, Vec3::new(0.014, 0.014, 0.08), 0.013),
        part(0.0, 0.075, -0.02, Vec3::new(0.018, 0.02, 0.14), 0.008),
        part(0.0, 0.105, -0.1, Vec3::new(0.03, 0.024, 0.05), 0.02),
        part(0.0, -0.12, -0.08, Vec3::new(0.024, 0.09, 0.045), 0.012),
        part(0.0, -0.01, 0.3, Vec3::new(0.03, 0.05, 0.09), 0.02),
        placed(
            rounded_box(Vec3::new(0.028, 0.08, 0.035), 0.02, 2, 1.0),
            grip,
        ),
    ];
    let mesh = bake(merged(&parts), |_, normal| studio(normal));
    stage.mesh("gun", mesh, surfaces.gun)
}
