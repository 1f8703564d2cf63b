//! A boy runs along the tracks of a town, over barriers, below beams and across the roofs of trains. After the spirit of
//! the papers' `SuS` and temple run: forward camera, long street, coins, a display; sky and display stand still.

mod cast;
mod display;
mod facades;
mod look;
mod plan;
mod street;
mod style;
mod tracks;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::decal::Decal;
use crate::kit::frame::{FrameBuilder, look_at};
use crate::kit::hud::Hud;
use crate::kit::motion::{Dice, ease_out, heading, wave};
use crate::kit::solid::lit;
use crate::kit::sprites::Batch;
use crate::kit::stage::{Stage, Surroundings};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MeshId, Scene, ThroughView, View, Wrap};
use plan::{Act, LANE, MIDDLE, Obstacle, Plan, ROOF, SEGMENT, Stand, TRAIN, coins};

pub(super) const DEMO: Demo = Demo {
    name: "runner",
    about: "boy on the tracks of a town: trains, barriers, coins",
    kind: Kind::Solid,
    camera: "forward",
    setting: Setting::AsIs,
    start,
};

/// Running speed, metres a frame.
const PACE: f32 = 0.205;
/// Segments that are drawn ahead.
const AHEAD: i64 = 12;

#[derive(Debug)]
struct Runner {
    plan: Plan,
    meshes: Meshes,
    hud: Hud<look::Icons>,
    around: Surroundings,
    seed: u32,
}

#[derive(Debug)]
struct Meshes {
    runner: MeshId,
    ballast: MeshId,
    rails: MeshId,
    gantry: MeshId,
    sides: Vec<MeshId>,
    trains: Vec<MeshId>,
    ramp: MeshId,
    low: MeshId,
    high: MeshId,
    coin: MeshId,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("runner");
    let (town, atlas) = look::town(seed);
    let (hud, hud_atlas) = Hud::new("display", 512, look::Icons::new);
    let texture = stage.texture(atlas.image, Wrap::ClampToEdge);
    let world = stage.material(lit("town", texture, 0.85));
    let polished = stage.material(lit("gold", texture, 0.35));
    let track = stage.texture(look::track(seed), Wrap::Repeat);
    let track = stage.material(lit("track", track, 1.0));
    let around = stage.surroundings(
        "sky",
        look::sky(seed),
        Wrap::ClampToEdge,
        hud_atlas,
        "spots",
    );
    let mut dice = Dice::new(seed, 0x51de);
    let mut add = |name: &str, primitive| stage.mesh(name, primitive, world);
    let meshes = Meshes {
        rails: add("rails", tracks::rails(&town)),
        gantry: add("gantry", tracks::gantry(&town)),
        sides: (0..2 * street::N_SIDES)
            .map(|k| {
                add(
                    "roadside",
                    street::side(&town, k % street::N_SIDES, &mut dice),
                )
            })
            .collect(),
        trains: (0..tracks::N_LIVERIES)
            .map(|livery| add("train", tracks::train(&town, livery)))
            .collect(),
        ramp: add("ramp", tracks::ramp(&town)),
        low: add("barrier", tracks::low_barrier(&town)),
        high: add("beam", tracks::high_barrier(&town)),
        ballast: stage.mesh("ballast", tracks::ballast(), track),
        coin: stage.mesh("coin", tracks::coin(&town), polished),
        runner: cast::runner(&mut stage, &town, world),
    };
    let game = Runner {
        plan: Plan::new(seed),
        meshes,
        hud,
        around,
        seed,
    };
    stage.show(Vec3::new(0.5, 0.7, 0.9), game)
}

impl Game for Runner {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let stand = self.plan.stand(4.0 + frame as f32 * PACE);
        let camera = camera(screen, &stand);
        let mut builder = FrameBuilder::new(scene, screen);
        // Sun over the left shoulder, light of the sky, light from the street.
        builder.sun(Vec3::new(-0.5, 0.68, 0.53), Vec3::new(0.92, 0.83, 0.66));
        builder.sun(Vec3::new(0.15, 0.95, -0.25), Vec3::new(0.24, 0.3, 0.4));
        builder.sun(Vec3::new(0.62, -0.1, 0.77), Vec3::new(0.26, 0.25, 0.27));
        builder.backdrop("sky", Sprite::WHOLE, (-8.0, 290.0), self.around.sky);
        builder.skinned(self.meshes.runner, &cast::joints(&stand));
        self.street(&mut builder, &stand);
        self.coins(&mut builder, &stand, frame);
        self.air(&mut builder, &stand, &camera, frame);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let mut batch = Batch::default();
        self.display(&mut batch, screen.units_wide(), &stand, frame);
        builder.sprites("display", batch, self.around.display, layer);
        builder.finish(camera)
    }
}

/// Camera behind the runner and above; it follows him to the sides only in part.
fn camera(screen: Screen, stand: &Stand) -> View {
    let height = 0.55 * stand.height + 0.3 * stand.floor;
    let eye = Vec3::new(stand.aside * 0.78, 3.4 + height, -stand.way + 5.5);
    let target = eye + Vec3::new(0.0, -1.55, -11.5);
    look_at(screen, eye, target, 1.02)
}

/// The segment that holds `way`.
fn segment_of(way: f32) -> i64 {
    (way / SEGMENT).floor() as i64
}

impl Runner {
    /// Trains and barriers first, then what is below and beside them, each from near to far.
    fn street(&self, builder: &mut FrameBuilder<'_>, stand: &Stand) {
        let here = segment_of(stand.way);
        let range = here - 1..here + AHEAD;
        let place = |number: i64, x: f32| {
            Mat4::from_translation(Vec3::new(x, 0.0, -(number as f32) * SEGMENT))
        };
        let meshes = &self.meshes;
        for number in range.clone() {
            for (lane, obstacle) in [-1.0, 0.0, 1.0]
                .into_iter()
                .zip(self.plan.segment(number).tracks)
            {
                let at = place(number, lane * LANE);
                let mesh = match obstacle {
                    Obstacle::Nothing => continue,
                    Obstacle::Train(livery) => meshes.trains[livery],
                    Obstacle::Ramp(livery) => {
                        builder.mesh(meshes.ramp, at, ThroughView::Camera);
                        meshes.trains[livery]
                    }
                    Obstacle::Low => meshes.low,
                    Obstacle::High => meshes.high,
                };
                builder.mesh(mesh, at, ThroughView::Camera);
            }
        }
        let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        for number in range.clone() {
            let at = place(number, 0.0);
            for (side, turn) in [Mat4::IDENTITY, mirror].into_iter().enumerate() {
                let own = random(number as i32, side as i32, self.seed ^ 0x70);
                let mesh = meshes.sides[(own * meshes.sides.len() as f32) as usize];
                builder.mesh(mesh, at * turn, ThroughView::Camera);
            }
            if number % 4 == 0 {
                builder.mesh(meshes.gantry, at, ThroughView::Camera);
            }
        }
        for mesh in [meshes.rails, meshes.ballast] {
            for number in range.clone() {
                builder.mesh(mesh, place(number, 0.0), ThroughView::Camera);
            }
        }
    }

    /// Coins before the runner.
    fn coins(&self, builder: &mut FrameBuilder<'_>, stand: &Stand, frame: u64) {
        let here = segment_of(stand.way);
        for number in here..here + 5 {
            let segment = self.plan.segment(number);
            for (at, height) in coins(segment) {
                let way = number as f32 * SEGMENT + at;
                if way < stand.way {
                    continue;
                }
                let turn = (frame as f32 / 75.0 + way * 0.03) * std::f32::consts::TAU;
                let place = Vec3::new(segment.lane as f32 * LANE, height, -way);
                let place = Mat4::from_translation(place) * Mat4::from_rotation_y(turn);
                builder.mesh(self.meshes.coin, place, ThroughView::Camera);
            }
        }
    }

    /// Blended layer: shadows on the ground, haze in the distance, dust, the glitter of coins.
    fn air(&self, builder: &mut FrameBuilder<'_>, stand: &Stand, camera: &View, frame: u64) {
        let mut spots = self.shadows(stand);
        let pale = self.hud.plain();
        let color = crate::kit::paint::rgb(look::HAZE).powf(2.2);
        for (ahead, alpha) in [
            (150.0, 0.5),
            (132.0, 0.3),
            (114.0, 0.24),
            (96.0, 0.2),
            (78.0, 0.15),
            (60.0, 0.1),
        ] {
            let at = Vec3::new(camera.eye_world.x, 8.0, camera.eye_world.z - ahead);
            let sheet = Decal {
                sprite: pale,
                at,
                right: Vec3::X * ahead * 2.4,
                down: Vec3::NEG_Y * 17.0,
                tint: color.extend(alpha),
            };
            spots.push(sheet);
        }
        builder.decals("haze", &spots, self.around.spots);
        let mut sparks = self.dust(stand, camera);
        sparks.extend(self.glitter(stand, camera, frame));
        builder.decals("sparks", &sparks, self.around.spots);
    }

    /// Shadows of trains, barriers and the runner.
    fn shadows(&self, stand: &Stand) -> Vec<Decal> {
        let dark = Vec4::new(0.05, 0.05, 0.12, 1.0);
        let square = self.hud.plain();
        let here = segment_of(stand.way);
        let mut spots = Vec::new();
        for number in (here - 1..here + 7).rev() {
            let start = -(number as f32) * SEGMENT;
            for (lane, obstacle) in [-1.0, 0.0, 1.0]
                .into_iter()
                .zip(self.plan.segment(number).tracks)
            {
                let x = lane * LANE;
                let (at, size) = match obstacle {
                    Obstacle::Nothing => continue,
                    Obstacle::Train(_) | Obstacle::Ramp(_) => {
                        let middle = start - (TRAIN.0 + TRAIN.1) * 0.5 - 0.7;
                        (
                            Vec3::new(x + 1.25, 0.17, middle),
                            (2.0, TRAIN.1 - TRAIN.0 + 0.5),
                        )
                    }
                    Obstacle::Low => (Vec3::new(x + 0.35, 0.17, start - MIDDLE - 0.4), (2.1, 0.7)),
                    Obstacle::High => (Vec3::new(x + 0.9, 0.17, start - MIDDLE - 0.9), (2.4, 0.8)),
                };
                spots.push(Decal::laid(square, at, size).tinted(dark).faded(0.5));
            }
        }
        let (size, strength) = (0.95 + 0.15 * (stand.height - stand.floor), 0.85);
        let roof = self.plan.segment(segment_of(stand.way));
        let within = stand.way - segment_of(stand.way) as f32 * SEGMENT;
        let on_roof = matches!(
            roof.tracks[(roof.lane + 1) as usize],
            Obstacle::Train(_) | Obstacle::Ramp(_)
        ) && (TRAIN.0..TRAIN.1).contains(&within);
        let floor = if on_roof { ROOF } else { stand.floor.max(0.14) };
        let below = Vec3::new(stand.aside + 0.1, floor + 0.04, -stand.way - 0.08);
        spots.push(Decal::laid(self.hud.shadow, below, (size, size)).faded(strength));
        spots
    }

    /// Puffs where the feet struck the ground.
    fn dust(&self, stand: &Stand, camera: &View) -> Vec<Decal> {
        let mut spots = Vec::new();
        let step = 2.7;
        let last = (stand.way / step).floor() as i32;
        for number in (last - 2..=last).filter(|&number| number > 0) {
            let then = self.plan.stand(number as f32 * step);
            if then.act != Act::Runs || then.height > 0.5 {
                continue;
            }
            let age = (stand.way - then.way) / (3.0 * step);
            for k in 0..3 {
                let own = |salt: i32| random(number * 3 + k, salt, self.seed);
                let drift = Vec3::new(own(1) - 0.5, 0.25 + 0.5 * own(2), own(3)) * age;
                let at = Vec3::new(then.aside, then.height + 0.15, -then.way) + drift;
                let puff = Decal::facing(camera, self.hud.glow, at, 0.25 + 0.6 * age, 0.0);
                spots.push(puff.tinted(Vec4::new(0.75, 0.66, 0.55, 0.4 * (1.0 - age))));
            }
        }
        spots
    }

    /// Sparks of coins that have just been taken.
    fn glitter(&self, stand: &Stand, camera: &View, frame: u64) -> Vec<Decal> {
        let mut spots = Vec::new();
        let here = segment_of(stand.way);
        for number in here - 1..=here {
            let segment = self.plan.segment(number);
            for (at, height) in coins(segment) {
                let way = number as f32 * SEGMENT + at;
                let age = (stand.way - way) / 3.2;
                if !(0.0..1.0).contains(&age) {
                    continue;
                }
                // The burst travels with the runner.
                let middle = Vec3::new(
                    stand.aside,
                    height.max(stand.height) + 0.3 * age,
                    -stand.way + 0.6 * age,
                );
                for k in 0..6 {
                    let out = heading(k as f32 / 6.0 + way) * (0.25 + 0.7 * ease_out(age));
                    let at = middle + Vec3::new(out.x, out.y + 0.3, 0.0);
                    let twinkle = 0.7 + 0.3 * wave(frame as f32 / 9.0 + k as f32 * 0.3);
                    let spark = Decal::facing(
                        camera,
                        self.hud.glint,
                        at,
                        0.5 * (1.0 - age) * twinkle,
                        0.1 * k as f32,
                    );
                    spots.push(spark.tinted(Vec4::new(1.0, 0.85, 0.3, 1.0 - age)));
                }
            }
        }
        spots
    }
}
