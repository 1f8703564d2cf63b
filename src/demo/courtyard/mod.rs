//! The built-in scene: a still life on a tiled ledge in a Lisbon courtyard, made of formulas only.
//!
//! It shows what the renderer can do (glaze, metal, leaves cut out, glass in layers, things that move) and gives benches
//! a sensible load. The renderer casts no shadows, so sun and sky are baked into vertex colours, see
//! [`crate::procedural::Illumination`]. Same bytes on every call.

mod butterfly;
mod camera;
mod cloth;
mod foliage;
mod fruit;
mod glass;
mod lantern;
mod masonry;
mod motion;
mod room;
mod stage;
mod swallow;
mod tiles;
mod vessels;

use glam::{Quat, Vec3};

use crate::procedural::{Grain, Illumination, Occluder, lerp, random};
use azulejo_scene::{Light, LightKind, Node, Scene, Transform};
use camera::camera;
use foliage::Foliage;
use fruit::{Citrus, Orchard, heap, leaning};
use stage::{Stage, placed};

/// Direction to the sun; the built-in environment has its disc there.
const TOWARDS_SUN: Vec3 = Vec3::new(-0.68, 0.58, 0.45);
const SUN_COLOR: Vec3 = Vec3::new(1.0, 0.87, 0.68);
/// Lux at exposure 1.
const SUN_INTENSITY: f32 = 6.2;

/// The built-in scene, about 530,000 vertex indices; animated, with a camera and a sun.
#[must_use]
pub fn courtyard() -> Scene {
    let mut stage = Stage::default();
    stage.scene.name = "courtyard".to_owned();
    let grain = Grain::new(2026);
    let mut channels = Vec::new();
    camera(&mut stage);
    sun(&mut stage);

    let orchard = Orchard::new(&mut stage, &grain);
    let bowl = vessels::bowl(&mut stage, &grain, [-0.03, 0.05]);
    for (kind, placement) in heap() {
        orchard.whole(&mut stage, kind, Some(bowl), placement);
    }
    loose_fruit(&mut stage, &orchard);

    let foliage = Foliage::new(&mut stage, &grain);
    let vase = vessels::vase(&mut stage, &grain, [-0.52, -0.12]);
    for (number, branch) in (0..).zip(foliage::bouquet()) {
        let foot = Vec3::Y * 0.345;
        let node = foliage.branch(&mut stage, Some(vase), foot, &branch);
        channels.push(motion::branch(node, number));
        if let Some(hanging) = hanging_lemon(&branch) {
            orchard.whole(&mut stage, Citrus::Lemon, Some(node), hanging);
        }
    }
    foliage.branch(
        &mut stage,
        None,
        Vec3::new(-0.40, 0.0, 0.30),
        &foliage::sprig(),
    );

    vessels::jug(&mut stage, &grain, [0.30, -0.14], -0.35);
    let runner = cloth::runner(&mut stage, &grain, -0.03, room::LEDGE_FRONT);
    channels.push(motion::runner(runner));
    let lantern = lantern::hang(&mut stage, &grain, Vec3::new(0.63, 1.00, -0.18));
    channels.extend(motion::lantern(lantern));
    swallow::flock(&mut stage, room::WALL);
    room::build(&mut stage, &grain);
    let home = Vec3::new(-0.20, 0.30, 0.06);
    let butterfly = butterfly::butterfly(&mut stage, &grain, home);
    channels.extend(motion::butterfly(butterfly, home));
    glass::glassware(&mut stage);

    canopy(&mut stage);
    stage.light(&daylight());
    stage.scene.animations.push(motion::animation(channels));
    stage.scene
}

/// The light that vertex colours are baked for: the sun below and the built-in environment.
fn daylight() -> Illumination {
    use std::f32::consts::PI;
    Illumination {
        towards_sun: TOWARDS_SUN.normalize(),
        sun: SUN_COLOR * SUN_INTENSITY,
        sun_angle: 0.016,
        sharpest: 0.007,
        sky: Vec3::new(0.98, 1.06, 1.28) * PI,
        ground: Vec3::new(0.47, 0.38, 0.30) * PI,
        open: 0.40,
    }
}

/// Leaves of trees outside the picture, between the sun and the wall: their shade falls on the upper corners.
fn canopy(stage: &mut Stage) {
    let object = stage.object();
    let towards_sun = TOWARDS_SUN.normalize();
    let across = Vec3::Y.cross(towards_sun).normalize();
    let up = towards_sun.cross(across);
    // Place of the shade on the wall, radius of its spread, number of its leaves.
    for (number, (shaded, spread, leaves)) in (0..).zip([
        (Vec3::new(0.95, 0.85, room::WALL), 0.34, 120),
        (Vec3::new(0.45, 0.98, room::WALL), 0.26, 70),
        (Vec3::new(-0.85, 0.40, room::WALL), 0.20, 40),
        (Vec3::new(0.95, 0.35, room::WALL), 0.18, 30),
        (Vec3::new(-0.80, 0.0, 0.36), 0.20, 36),
        (Vec3::new(0.78, 0.0, 0.42), 0.16, 26),
    ]) {
        let centre = shaded + towards_sun * (1.4 + 0.2 * number as f32);
        for leaf in 0..leaves {
            let own = |salt: i32| random(leaf, salt, 211 + number);
            // Denser towards the middle: the product of two random numbers.
            let distance = spread * (own(1) * own(2)).sqrt() * 1.6;
            let (sin, cos) = (own(3) * std::f32::consts::TAU).sin_cos();
            stage.occluders.push(Occluder {
                object,
                centre: centre + (across * cos + up * sin) * distance,
                radius: lerp(0.022, 0.045, own(4)),
                transmission: Vec3::new(0.14, 0.18, 0.05),
                ambient: 0.0,
                bounce: Vec3::ZERO,
            });
        }
    }
}

fn sun(stage: &mut Stage) {
    stage.scene.lights.push(Light {
        name: "sun".to_owned(),
        color: SUN_COLOR,
        intensity: SUN_INTENSITY,
        range: None,
        kind: LightKind::Directional,
    });
    let light = stage.scene.lights.len() as u32 - 1;
    stage.node(Node {
        name: "sun".to_owned(),
        transform: placed(
            TOWARDS_SUN * 3.0,
            Quat::from_rotation_arc(Vec3::Z, TOWARDS_SUN.normalize()),
            1.0,
        ),
        light: Some(light),
        ..Node::default()
    });
}

/// Fruit on the ledge: whole, and one of each cut.
fn loose_fruit(stage: &mut Stage, orchard: &Orchard) {
    let lying = |x: f32, z: f32, turn: f32| {
        let rotation = Quat::from_rotation_y(turn) * Quat::from_rotation_z(1.57);
        placed(Vec3::new(x, 0.0298, z), rotation, 1.0)
    };
    orchard.whole(stage, Citrus::Lemon, None, lying(0.245, 0.17, 0.5));
    orchard.whole(stage, Citrus::Lemon, None, lying(-0.60, 0.19, -0.4));
    let orange = placed(
        Vec3::new(-0.31, 0.0385, 0.16),
        Quat::from_rotation_z(0.5),
        1.0,
    );
    orchard.whole(stage, Citrus::Orange, None, orange);
    orchard.half(
        stage,
        Citrus::Lemon,
        leaning(0.335, 0.024, 0.285, -0.35, 1.05),
    );
    orchard.half(
        stage,
        Citrus::Orange,
        leaning(-0.255, 0.030, 0.285, 0.45, 0.95),
    );
}

/// A lemon that hangs from a branch, for those that carry one.
fn hanging_lemon(branch: &foliage::Branch) -> Option<Transform> {
    let (along, turn) = match branch.name {
        "left branch" => (3, 0.2),
        "right branch" => (4, 0.5),
        _ => return None,
    };
    let stalk = *branch.path.get(along)?;
    let rotation = Quat::from_rotation_y(turn) * Quat::from_rotation_z(0.22);
    Some(placed(stalk - Vec3::Y * 0.055, rotation, 0.95))
}

#[cfg(test)]
mod tests;
