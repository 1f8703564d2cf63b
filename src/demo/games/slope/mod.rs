//! A snowboarder on an endless piste: turns around gates, kickers, a long view into the valley. After the spirit of the
//! papers' `CrS`: a forward camera, few texels, a panorama and a display that stand still.

mod build;
mod display;
mod look;
mod rider;
mod terrain;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::decal::Decal;
use crate::kit::frame::{FrameBuilder, look_at};
use crate::kit::hud::Hud;
use crate::kit::motion::{ease_out, seconds_of, wave};
use crate::kit::solid::lit;
use crate::kit::sprites::Batch;
use crate::kit::stage::{Stage, Surroundings, baked, haze};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MeshId, Primitive, Scene, ThroughView, View, Wrap};
use build::{CHUNK, LIFT_ASIDE, MASTS, N_CHUNKS};
use terrain::{DROP, LOOP, Ride, Terrain};

pub(super) const DEMO: Demo = Demo {
    name: "slope",
    about: "snowboarder among firs and gates, a valley far below",
    kind: Kind::Solid,
    camera: "forward",
    setting: Setting::AsIs,
    start,
};

/// Riding speed, metres a frame.
const PACE: f32 = 0.26;
/// Chunks that are drawn ahead.
const AHEAD: i64 = 11;
/// Metres of the trail behind the board.
const TRAIL: f32 = 26.0;

#[derive(Debug)]
struct Slope {
    terrain: Terrain,
    chunks: Vec<[MeshId; 3]>,
    riders: [[MeshId; 2]; 2],
    chair: MeshId,
    hud: Hud<look::Icons>,
    around: Surroundings,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("slope");
    let terrain = Terrain::new(seed);
    let (woods, atlas) = look::woods();
    let (hud, hud_atlas) = Hud::new("display", 512, look::Icons::new);
    let texture = stage.texture(atlas.image, Wrap::ClampToEdge);
    let things = stage.material(baked("mountain", texture));
    let shade = stage.material(haze("shadows", texture));
    let worn = stage.material(lit("riders", texture, 0.55));
    let snow = stage.texture(look::snow(seed), Wrap::Repeat);
    let snow = stage.material(lit("snow", snow, 0.9));
    let chunks = (0..N_CHUNKS)
        .map(|number| {
            let chunk = build::chunk(&terrain, &woods, number, seed);
            [
                stage.mesh("snow", chunk.snow, snow),
                stage.mesh("things", chunk.things, things),
                stage.mesh("shadows", chunk.shadows, shade),
            ]
        })
        .collect();
    let around = stage.surroundings(
        "panorama",
        look::panorama(seed),
        Wrap::ClampToEdge,
        hud_atlas,
        "spots",
    );
    let own = seed as usize % rider::N_TEAMS;
    let riders = [own, own + 1].map(|team| {
        [
            rider::board(&mut stage, &woods, team, worn),
            rider::rider(&mut stage, &woods, team, worn),
        ]
    });
    let game = Slope {
        terrain,
        chunks,
        riders,
        chair: stage.mesh("chair", build::chair(&woods), things),
        hud,
        around,
        seed,
    };
    stage.show(Vec3::new(0.5, 0.7, 0.9), game)
}

impl Game for Slope {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let seconds = seconds_of(frame);
        let way = 34.0 + frame as f32 * PACE;
        let ride = self.terrain.ride(way, 0.0);
        let rival = self.rival(way, seconds);
        let camera = self.camera(screen, way, &ride);
        let mut builder = FrameBuilder::new(scene, screen);
        builder.sun(build::SUN, Vec3::new(0.96, 0.8, 0.6));
        builder.sun(Vec3::new(-0.25, 0.93, 0.2), Vec3::new(0.28, 0.4, 0.64));
        builder.sun(Vec3::new(-0.5, -0.1, 0.85), Vec3::new(0.2, 0.25, 0.36));
        let panorama = self.around.sky;
        builder.backdrop("panorama", Sprite::WHOLE, (-4.0, 452.0), panorama);
        for (ride, meshes) in [(&ride, self.riders[0]), (&rival, self.riders[1])] {
            let placed = rider::pose(&self.terrain, ride, seconds, self.seed);
            builder.mesh(meshes[0], placed.board, ThroughView::Camera);
            builder.skinned(meshes[1], &placed.joints);
        }
        self.mountain(&mut builder, way, seconds);
        self.air(&mut builder, [(way, &ride), (-rival.at.z, &rival)], &camera);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let mut batch = Batch::default();
        self.display(&mut batch, screen.units_wide(), way, frame);
        builder.sprites("display", batch, self.around.display, layer);
        builder.finish(camera)
    }
}

impl Slope {
    /// Another rider ahead, now nearer, now farther.
    fn rival(&self, way: f32, seconds: f32) -> Ride {
        let ahead = 15.0 + 6.0 * wave(seconds / 13.0);
        self.terrain
            .ride(way + ahead, 1.8 * wave(seconds / 17.0 + 0.1))
    }

    /// Camera down the mountain, always in the same direction, so that the panorama stands still.
    fn camera(&self, screen: Screen, way: f32, ride: &Ride) -> View {
        let terrain = &self.terrain;
        let behind = way - 8.4;
        let middle =
            (terrain.line(way - 4.0) + terrain.line(way + 4.0) + terrain.middle(way)) / 3.0;
        let over_snow = ride.at.y - terrain.smooth(way);
        let y = terrain.smooth(behind) + 3.0 + 0.45 * over_snow.max(0.0);
        let eye = Vec3::new(middle, y, -behind);
        look_at(screen, eye, eye + Vec3::new(0.0, -0.24, -1.0), 1.0)
    }

    /// Solid parts: things on the snow, the lift's chairs, the snow, its shadows, each from near to far.
    fn mountain(&self, builder: &mut FrameBuilder<'_>, way: f32, seconds: f32) {
        let here = (way / CHUNK).floor() as i64;
        let seen = || {
            (here - 1..here + AHEAD).map(|number| {
                let rounds = number.div_euclid(N_CHUNKS as i64) as f32;
                let shift = Vec3::new(0.0, -DROP, -1.0) * (LOOP * rounds);
                let chunk = self.chunks[number.rem_euclid(N_CHUNKS as i64) as usize];
                (chunk, Mat4::from_translation(shift))
            })
        };
        for (chunk, place) in seen() {
            builder.mesh(chunk[1], place, ThroughView::Camera);
        }
        self.chairs(builder, way, seconds);
        for layer in [0, 2] {
            for (chunk, place) in seen() {
                builder.mesh(chunk[layer], place, ThroughView::Camera);
            }
        }
    }

    fn chairs(&self, builder: &mut FrameBuilder<'_>, way: f32, seconds: f32) {
        let apart = 16.0;
        for (side, pace) in [(-2.0, 2.4), (2.0, -2.4)] {
            let first = ((way - 10.0 + pace * seconds) / apart).ceil();
            for k in 0..9 {
                let at = (first + k as f32) * apart - pace * seconds;
                // Cables hang straight from mast to mast.
                let (mast, t) = ((at / MASTS).floor(), (at / MASTS).rem_euclid(1.0));
                let end = |number: f32| {
                    let way = number * MASTS;
                    self.terrain
                        .point(self.terrain.middle(way) + LIFT_ASIDE, way)
                };
                let hung = end(mast).lerp(end(mast + 1.0), t) + Vec3::new(side, build::CABLE, 0.0);
                let turn = if pace > 0.0 {
                    0.0
                } else {
                    std::f32::consts::PI
                };
                let sway = Mat4::from_rotation_x(0.06 * wave(seconds * 0.4 + k as f32 * 0.3));
                let place = Mat4::from_translation(hung) * Mat4::from_rotation_y(turn) * sway;
                builder.mesh(self.chair, place, ThroughView::Camera);
            }
        }
    }

    /// Blended layer: trails and shadows on the snow, haze far away, spray.
    fn air(&self, builder: &mut FrameBuilder<'_>, riders: [(f32, &Ride); 2], camera: &View) {
        let mut spots: Vec<Decal> = riders.map(|(_, ride)| self.shade(ride)).to_vec();
        let pale = self.hud.plain();
        let color = crate::kit::paint::rgb(look::HAZE).powf(2.2);
        for (ahead, alpha) in [
            (225.0, 0.45),
            (190.0, 0.3),
            (155.0, 0.22),
            (120.0, 0.15),
            (85.0, 0.1),
        ] {
            // Upright, from below the snow to the tops of the firs there.
            let at = camera.eye_world + Vec3::new(0.0, -DROP * ahead - 6.0, -ahead);
            spots.push(Decal {
                sprite: pale,
                at,
                right: Vec3::X * ahead * 2.4,
                down: Vec3::NEG_Y * 0.22 * ahead,
                tint: color.extend(alpha),
            });
        }
        for (way, _) in riders {
            builder.stream(
                "trail",
                self.trail(way),
                self.around.spots,
                ThroughView::Camera,
            );
        }
        builder.decals("shades", &spots, self.around.spots);
        let sprays: Vec<Decal> = riders
            .iter()
            .flat_map(|(way, ride)| self.spray(*way, ride, camera))
            .collect();
        builder.decals("spray", &sprays, self.around.spots);
    }

    /// A rider's shadow, away from the sun by as much as he is over the snow.
    fn shade(&self, ride: &Ride) -> Decal {
        let snow = self.terrain.point(ride.at.x, -ride.at.z);
        let over = (ride.at.y - snow.y).max(0.0);
        let away = Vec3::new(-0.8, 0.0, -0.28) * (0.35 + 0.6 * over);
        let normal = self.terrain.normal(snow.x, -snow.z);
        let right = Vec3::X.reject_from_normalized(normal) * 1.7;
        Decal {
            sprite: self.hud.glow,
            at: self.terrain.point(snow.x + away.x, -snow.z - away.z) + normal * 0.12,
            right,
            down: normal.cross(right),
            tint: Vec4::new(0.1, 0.16, 0.4, 0.7 / (1.0 + 0.25 * over)),
        }
    }

    /// The groove behind the board: a strip on the snow.
    fn trail(&self, way: f32) -> Primitive {
        let mut mesh = Primitive {
            tex_coords: vec![Vec::new()],
            ..Primitive::default()
        };
        let sprite = self.hud.plain();
        let step = 0.8;
        let last = (way / step).floor();
        for k in 0..(TRAIL / step) as u32 {
            let at = if k == 0 {
                way
            } else {
                (last - k as f32 + 1.0) * step
            };
            let x = self.terrain.line(at);
            let bend = self.terrain.ride(at, 0.0).bend;
            let flies = self.terrain.ride(at, 0.0).flight.is_some();
            let fade = 1.0 - (way - at) / TRAIL;
            let alpha = if flies { 0.0 } else { 0.5 * fade };
            for side in [-1.0, 1.0] {
                let half = 0.12 + 0.12 * bend.abs();
                mesh.positions
                    .push(self.terrain.point(x + side * half, at) + Vec3::Y * 0.07);
                mesh.tex_coords[0].push((sprite.uv_min + sprite.uv_max) * 0.5);
                mesh.colors.push(Vec4::new(0.3, 0.44, 0.8, alpha));
            }
            if k > 0 {
                let first = 2 * k - 2;
                mesh.indices
                    .extend([0, 1, 2, 2, 1, 3].map(|corner| first + corner));
            }
        }
        mesh
    }

    /// Snow that the edge throws up in turns and landings throw up at once.
    fn spray(&self, way: f32, ride: &Ride, camera: &View) -> Vec<Decal> {
        let aside = ride.at.x - self.terrain.line(way);
        let mut spots = Vec::new();
        let step = 0.52;
        let last = (way / step).floor() as i32;
        for number in last - 26..=last {
            let born = number as f32 * step;
            let then = self.terrain.ride(born, aside);
            let strength = if then.flight.is_some() {
                0.0
            } else {
                then.bend.abs().max(0.12)
            };
            let age = (way - born) / (27.0 * step);
            for k in 0..3 {
                let own = |salt: i32| random(number * 3 + k, salt, self.seed);
                if own(0) > 0.25 + strength || !(0.0..1.0).contains(&age) {
                    continue;
                }
                let out = -then.bend.signum() * (0.6 + 2.2 * own(1)) * strength;
                let rise = (1.2 + 2.4 * own(2)) * (0.3 + strength);
                let drift = Vec3::new(
                    out * ease_out(age),
                    rise * age - 3.4 * age * age,
                    1.2 * own(3) * age,
                );
                let at = then.at + Vec3::Y * 0.1 + drift;
                let size = (0.14 + 0.75 * age) * (0.5 + 0.6 * strength);
                let puff = Decal::facing(camera, self.hud.glow, at, size, 0.0);
                spots.push(puff.tinted(Vec4::new(
                    0.95,
                    0.98,
                    1.0,
                    0.75 * (1.0 - age) * (0.4 + strength).min(1.0),
                )));
            }
        }
        spots
    }
}
