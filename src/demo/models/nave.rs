//! The inside of a church: a vault on two rows of columns, aisles behind arches, an apse at the end. All of it is one draw under one
//! texture, and every pixel of the screen is covered.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Mat4, Vec2, Vec3};

use super::look;
use crate::kit::frame::{FrameBuilder, look_at};
use crate::kit::stage::{Stage, bake, baked, merged, placed};
use crate::procedural::{Curve, Patch, lathe, plane, random, tube};
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MeshId, Primitive, Scene, ThroughView, Wrap};

pub(super) const DEMO: Demo = Demo {
    name: "nave",
    about: "a walk through a church of stone (as Sibenik)",
    kind: Kind::Solid,
    camera: "forward, turning",
    setting: Setting::AsIs,
    start,
};

/// Metres: half the nave's width, that of the aisles behind, the height at which the vault begins, the length.
const HALF: f32 = 4.0;
const AISLE: f32 = 3.0;
const SPRING: f32 = 7.0;
const LONG: f32 = 36.0;
/// Metres from column to column.
const BAY: f32 = 4.0;
/// Height of the arches' feet.
const CAPITAL: f32 = 4.4;
/// Metres walked in a frame, and frames of the way there and back.
const STEP: f64 = 0.02;
const WAY: f64 = 2800.0;

#[derive(Debug)]
struct Nave {
    mesh: MeshId,
    first: f64,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("nave");
    let texture = stage.texture(look::stone(seed), Wrap::Repeat);
    let material = stage.material(baked("stone", texture));
    let game = Nave {
        mesh: stage.mesh("church", church(), material),
        first: (WAY * f64::from(random(seed as i32, 0, 43))).floor(),
    };
    stage.show(Vec3::new(0.02, 0.02, 0.03), game)
}

impl Game for Nave {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        // There and back again, evenly, looking around on the way.
        let on_way = (self.first + frame as f64) % WAY;
        let walked = on_way.min(WAY - on_way) * STEP;
        let look = on_way / WAY * f64::from(TAU);
        let turn = 0.7 * (3.0 * look).sin() as f32;
        let eye = Vec3::new(0.6 * (5.0 * look).sin() as f32, 1.7, -2.0 - walked as f32);
        let ahead = Vec3::new(turn.sin(), 0.18, -turn.cos());
        let mut builder = FrameBuilder::new(scene, screen);
        builder.mesh(self.mesh, Mat4::IDENTITY, ThroughView::Camera);
        builder.finish(look_at(screen, eye, eye + ahead, 1.1))
    }
}

/// A flat piece seen from the side to which `out` points, `size` wide and high, under a copy of the texture every two metres.
fn wall(middle: Vec3, out: Vec3, size: Vec2) -> Primitive {
    let cells = |edge: f32| (edge / 2.0).ceil().max(1.0) as u32;
    let patch = Patch::new(cells(size.x), cells(size.y)).repeated(size.x / 2.0, size.y / 2.0);
    let up = if out.y.abs() > 0.5 {
        Vec3::NEG_Z
    } else {
        Vec3::Y
    };
    let right = up.cross(out);
    let columns = [right, up, out, middle].map(|axis| axis.extend(0.0));
    let mut place = Mat4::from_cols(columns[0], columns[1], columns[2], columns[3]);
    place.w_axis.w = 1.0;
    placed(plane(patch, size), place)
}

/// Half a tube along the nave, seen from below.
fn vault(middle: f32, radius: f32, height: f32) -> Primitive {
    let patch = Patch::new(18, 36).repeated(radius * PI / 2.0, LONG / 2.0);
    patch.mesh(|u, v| {
        let (sin, cos) = (PI * (1.0 - u)).sin_cos();
        Vec3::new(middle + radius * cos, height + radius * sin, -LONG * v)
    })
}

/// A column, and the arch from it to the next.
fn column(x: f32, z: f32) -> [Primitive; 2] {
    let profile = [
        [0.42, CAPITAL],
        [0.55, CAPITAL - 0.2],
        [0.36, CAPITAL - 0.5],
        [0.36, 3.0],
        [0.36, 1.6],
        [0.36, 0.7],
        [0.55, 0.3],
        [0.6, 0.0],
    ];
    let shaft = lathe(
        Patch::new(20, 18).repeated(1.0, 2.0),
        &Curve::profile(&profile),
    );
    let foot = |nth: u16| {
        let (sin, cos) = (PI * f32::from(nth) / 8.0).sin_cos();
        Vec3::new(x, CAPITAL + 0.5 * BAY * sin, z - 0.5 * BAY * (1.0 - cos))
    };
    let bow: Vec<Vec3> = (0..=8).map(foot).collect();
    let arch = tube(
        Patch::new(10, 20).repeated(1.0, 3.0),
        &Curve::through(&bow),
        |_| 0.36,
    );
    [
        placed(shaft, Mat4::from_translation(Vec3::new(x, 0.0, z))),
        arch,
    ]
}

fn church() -> Primitive {
    let outer = HALF + AISLE;
    let middle = Vec3::new(0.0, 0.0, -0.5 * LONG);
    let mut parts = vec![
        wall(middle, Vec3::Y, Vec2::new(2.0 * outer, LONG)),
        vault(0.0, HALF, SPRING),
        wall(
            middle.with_z(-LONG) + Vec3::Y * 5.5,
            Vec3::Z,
            Vec2::new(2.0 * outer, 11.0),
        ),
        wall(
            middle.with_z(0.0) + Vec3::Y * 5.5,
            Vec3::NEG_Z,
            Vec2::new(2.0 * outer, 11.0),
        ),
    ];
    for side in [-1.0, 1.0] {
        let inward = Vec3::NEG_X * side;
        let at = |x: f32, y: f32| middle + Vec3::new(side * x, y, 0.0);
        parts.push(wall(at(outer, 2.75), inward, Vec2::new(LONG, 5.5)));
        parts.push(vault(side * (HALF + 0.5 * AISLE), 0.5 * AISLE, 5.4));
        // Above the arches, towards the nave.
        let crown = CAPITAL + 0.5 * BAY;
        let high = SPRING - crown;
        parts.push(wall(
            at(HALF, crown + 0.5 * high),
            inward,
            Vec2::new(LONG, high),
        ));
        let mut z = -0.5 * BAY;
        while z > -LONG + 1.5 * BAY {
            parts.extend(column(side * HALF, z));
            z -= BAY;
        }
    }
    // Light from windows in the clerestory, less of it below and far from the middle.
    bake(merged(&parts), |position, normal| {
        let height = (position.y / (SPRING + HALF)).clamp(0.0, 1.0);
        let aisle = if position.x.abs() > HALF + 0.4 {
            0.55
        } else {
            1.0
        };
        let bay = 0.85 + 0.15 * (position.z / BAY * TAU + FRAC_PI_2).sin();
        let facing = 0.65 + 0.2 * normal.y + 0.15 * normal.z;
        Vec3::new(1.0, 0.93, 0.82) * (0.45 + 0.6 * height) * aisle * bay * facing
    })
}
