//! Racing cars on a circuit through woods and meadows. After the spirit of the papers' `CRa` and BBR: a forward camera that
//! turns with the road, foliage by alpha test, a long view, textures everywhere.

mod car;
mod display;
mod land;
mod look;
mod route;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::decal::Decal;
use crate::kit::frame::{FrameBuilder, look_at};
use crate::kit::hud::Hud;
use crate::kit::motion::{FRAME_RATE, ease_out, seconds_of, wave};
use crate::kit::solid::{cut_out, lit};
use crate::kit::sprites::Batch;
use crate::kit::stage::{Stage, Surroundings, baked};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MeshId, Scene, ThroughView, View, Wrap};
use car::Stance;
use route::Route;

pub(super) const DEMO: Demo = Demo {
    name: "circuit",
    about: "racing cars between woods, kerbs and grandstands",
    kind: Kind::Solid,
    camera: "forward, with the road",
    setting: Setting::AsIs,
    start,
};

/// Speed of the player, metres a frame.
const PACE: f32 = 0.86;
/// View distance ahead, metres.
const SIGHT: f32 = 330.0;
/// How far each rival is ahead at the start, in metres, and on which side of the road it drives.
const RIVALS: [(f32, f32); 5] = [
    (13.0, -2.3),
    (27.0, 1.9),
    (46.0, -1.2),
    (66.0, 2.6),
    (-14.0, 2.8),
];

#[derive(Debug)]
struct Circuit {
    route: Route,
    land: Vec<(Vec3, [MeshId; 2])>,
    roads: Vec<[MeshId; 2]>,
    cars: Vec<MeshId>,
    wheel: MeshId,
    balloon: MeshId,
    hud: Hud<look::Instruments>,
    around: Surroundings,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("circuit");
    let route = Route::new(seed);
    let (boards, boards_atlas) = look::boards(seed);
    let (leaves, leaves_atlas) = look::foliage();
    let (hud, hud_atlas) = Hud::new("display", 512, look::Instruments::new);
    let texture = stage.texture(boards_atlas.image, Wrap::ClampToEdge);
    let beside = stage.material(baked("roadside", texture));
    let lacquer = stage.material(lit("lacquer", texture, 0.3));
    let foliage = stage.texture(leaves_atlas.image, Wrap::ClampToEdge);
    let foliage = stage.material(cut_out("foliage", foliage));
    let meadow = stage.texture(look::meadow(seed), Wrap::Repeat);
    let meadow = stage.material(baked("meadow", meadow));
    let asphalt = stage.texture(look::asphalt(seed), Wrap::Repeat);
    let asphalt = stage.material(baked("asphalt", asphalt));
    let around = stage.surroundings("sky", look::sky(seed), Wrap::Repeat, hud_atlas, "spots");
    let land = land::squares(&route, &leaves, seed)
        .into_iter()
        .map(|square| {
            let ground = stage.mesh("meadow", square.ground, meadow);
            (
                square.middle,
                [ground, stage.mesh("woods", square.foliage, foliage)],
            )
        })
        .collect();
    let roads = (0..land::N_STRETCHES)
        .map(|number| {
            let side = stage.mesh("roadside", land::roadside(&route, &boards, number), beside);
            [
                stage.mesh("road", land::road(&route, number), asphalt),
                side,
            ]
        })
        .collect();
    let game = Circuit {
        land,
        roads,
        cars: (0..car::TEAMS.len())
            .map(|team| stage.mesh("car", car::body(&boards, team), lacquer))
            .collect(),
        wheel: stage.mesh("wheel", car::wheel(&boards), lacquer),
        balloon: stage.mesh("balloon", land::balloon(&boards), beside),
        route,
        hud,
        around,
        seed,
    };
    stage.show(Vec3::new(0.5, 0.7, 0.9), game)
}

impl Game for Circuit {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let seconds = seconds_of(frame);
        let way = self.way(seconds);
        let camera = self.camera(screen, way, seconds);
        let mut builder = FrameBuilder::new(scene, screen);
        builder.sun(Vec3::new(0.45, 0.72, 0.5), Vec3::new(0.95, 0.87, 0.72));
        builder.sun(Vec3::new(-0.2, 0.95, -0.2), Vec3::new(0.32, 0.4, 0.52));
        builder.sun(
            camera.eye_world - self.route.point(way),
            Vec3::new(0.26, 0.27, 0.3),
        );
        self.sky(&mut builder, screen, &camera);
        let cars = self.cars(way, seconds);
        for (number, stance) in cars.iter().enumerate() {
            builder.mesh(self.cars[number], stance.body(), ThroughView::Camera);
            for wheel in stance.wheels() {
                builder.mesh(self.wheel, wheel, ThroughView::Camera);
            }
        }
        self.world(&mut builder, &camera);
        self.air(&mut builder, &cars, seconds, &camera);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let mut batch = Batch::default();
        self.display(&mut batch, screen.units_wide(), way, frame);
        builder.sprites("display", batch, self.around.display, layer);
        builder.finish(camera)
    }
}

impl Circuit {
    /// Metres that the player has driven.
    fn way(&self, seconds: f32) -> f32 {
        30.0 + PACE * FRAME_RATE * seconds + 9.0 * wave(seconds / 11.0)
    }

    /// How many metres a rival is ahead of the player.
    fn lead(&self, rival: usize, seconds: f32) -> f32 {
        let own = random(rival as i32, 3, self.seed);
        RIVALS[rival].0 + 9.0 * wave(seconds / (14.0 + 9.0 * own) + own) - 9.0 * wave(own)
    }

    /// Metres to the right of the middle that the player drives: towards the inside of what comes.
    fn aside(&self, way: f32) -> f32 {
        let bend = self.route.bend(way + 6.0) * 0.6 + self.route.bend(way + 24.0) * 0.4;
        (220.0 * bend).clamp(-3.0, 3.0)
    }

    fn stance(&self, way: f32, aside: impl Fn(f32) -> f32) -> Stance {
        let point = |way: f32| self.route.point(way) + self.route.right(way) * aside(way);
        let ahead = (point(way + 1.2) - point(way - 1.2)).normalize_or(Vec3::X);
        let bend = self.route.bend(way + 3.0);
        // The tail slides outwards in a curve.
        let right = ahead.cross(Vec3::Y);
        Stance {
            at: point(way),
            ahead: (ahead + right * 6.4 * bend).normalize_or(ahead),
            steer: 10.0 * bend,
            roll: -3.2 * bend,
            rolled: way,
        }
    }

    /// Poses of all cars, the player's first.
    fn cars(&self, way: f32, seconds: f32) -> Vec<Stance> {
        let mut cars = vec![self.stance(way, |way| self.aside(way))];
        for (rival, &(_, side)) in RIVALS.iter().enumerate() {
            let lead = self.lead(rival, seconds);
            cars.push(self.stance(way + lead, |way| side + 0.45 * self.aside(way)));
        }
        cars
    }

    fn camera(&self, screen: Screen, way: f32, seconds: f32) -> View {
        let behind = way - 6.4;
        let eye = self.route.point(behind) + self.route.right(behind) * 0.75 * self.aside(way);
        let target =
            self.route.point(way + 11.0) + self.route.right(way + 11.0) * 0.5 * self.aside(way);
        let shake = 0.012 * wave(seconds * 7.3);
        look_at(
            screen,
            eye + Vec3::Y * (2.35 + shake),
            target + Vec3::Y * 0.55,
            0.98,
        )
    }

    /// The part of the sky that lies ahead: it wraps around twice.
    fn sky(&self, builder: &mut FrameBuilder<'_>, screen: Screen, camera: &View) {
        let back = camera.view_from_world.row(2).truncate();
        let yaw = back.x.atan2(back.z) / std::f32::consts::TAU;
        let wide = screen.units_wide();
        let across =
            2.0 * (wide / Screen::UNITS_HIGH * 0.49_f32.tan()).atan() / std::f32::consts::TAU;
        let middle = -2.0 * yaw;
        let sprite = Sprite {
            uv_min: Vec2::new(middle - across, 0.0),
            uv_max: Vec2::new(middle + across, 1.0),
            texels: Vec2::ONE,
        };
        builder.backdrop("sky", sprite, (0.0, 318.0), self.around.sky);
    }

    /// Road, roadside, land and woods before the eye, each from near to far.
    fn world(&self, builder: &mut FrameBuilder<'_>, camera: &View) {
        let seen = |at: Vec3, size: f32| {
            let from_eye = camera.view_from_world.transform_point3(at);
            let depth = -from_eye.z;
            let inside = depth > -size && from_eye.x.abs() < depth * 1.05 + 1.5 * size;
            (inside && depth < SIGHT).then_some(depth)
        };
        let length = self.route.length / land::N_STRETCHES as f32;
        let mut stretches: Vec<(f32, [MeshId; 2])> = Vec::new();
        for (number, &meshes) in self.roads.iter().enumerate() {
            let middle = self.route.point((number as f32 + 0.5) * length);
            stretches.extend(seen(middle, length).map(|depth| (depth, meshes)));
        }
        let squares = self.land.iter();
        let mut squares: Vec<(f32, [MeshId; 2])> = squares
            .filter_map(|&(middle, meshes)| seen(middle, 54.0).map(|depth| (depth, meshes)))
            .collect();
        for list in [&mut stretches, &mut squares] {
            list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let mut draw = |list: &[(f32, [MeshId; 2])], part: usize| {
            for (_, meshes) in list {
                builder.mesh(meshes[part], Mat4::IDENTITY, ThroughView::Camera);
            }
        };
        draw(&stretches, 1);
        draw(&stretches, 0);
        draw(&squares, 0);
        draw(&squares, 1);
        for k in 0..3 {
            let own = |salt: i32| random(k, salt, self.seed ^ 0xba11);
            let at = Vec3::new(
                300.0 * own(1) - 150.0,
                44.0 + 26.0 * own(2),
                240.0 * own(3) - 120.0,
            );
            builder.mesh(
                self.balloon,
                Mat4::from_translation(at),
                ThroughView::Camera,
            );
        }
    }

    /// Blended layer: shadows below the cars, haze, smoke of sliding tyres.
    fn air(&self, builder: &mut FrameBuilder<'_>, cars: &[Stance], seconds: f32, camera: &View) {
        let mut shades = Vec::new();
        for stance in cars.iter().rev() {
            let right = stance.ahead.cross(Vec3::Y);
            shades.push(Decal {
                sprite: self.hud.shadow,
                at: stance.at + Vec3::new(-0.25, 0.035, -0.28),
                right: right * 3.3,
                down: -stance.ahead * 6.2,
                tint: Vec4::ONE,
            });
        }
        let pale = self.hud.plain();
        let color = crate::kit::paint::rgb(look::HAZE).powf(2.2);
        let back = camera.view_from_world.row(2).truncate();
        let ahead = Vec3::new(-back.x, 0.0, -back.z).normalize_or(Vec3::X);
        let right = ahead.cross(Vec3::Y);
        for (reach, alpha) in [
            (315.0, 0.4),
            (260.0, 0.26),
            (205.0, 0.18),
            (150.0, 0.12),
            (105.0, 0.08),
        ] {
            shades.push(Decal {
                sprite: pale,
                at: camera.eye_world + ahead * reach + Vec3::Y * 10.0,
                right: right * reach * 2.4,
                down: Vec3::NEG_Y * 36.0,
                tint: color.extend(alpha),
            });
        }
        builder.decals("shades", &shades, self.around.spots);
        builder.decals("smoke", &self.smoke(seconds, camera), self.around.spots);
    }

    /// Smoke of the player's sliding tyres.
    fn smoke(&self, seconds: f32, camera: &View) -> Vec<Decal> {
        let mut smoke = Vec::new();
        for age in (0..16).rev() {
            let then = seconds - age as f32 / 30.0;
            let born = self.way(then);
            let slide = (self.route.bend(born).abs() * 140.0 - 0.5).clamp(0.0, 1.0);
            let stance = self.stance(born, |way| self.aside(way));
            let side = stance.ahead.cross(Vec3::Y) * 0.75;
            let t = (age as f32 + 0.5) / 16.0;
            for (k, wheel) in [side, -side].into_iter().enumerate() {
                let own = random((then * 30.0).round() as i32, k as i32, self.seed);
                let at = stance.at + wheel - stance.ahead * 1.5 + Vec3::Y * (0.15 + 0.9 * t);
                let puff = Decal::facing(camera, self.hud.glow, at, 0.5 + 2.1 * ease_out(t), own);
                smoke.push(puff.tinted(Vec4::new(0.86, 0.86, 0.88, 0.34 * slide * (1.0 - t))));
            }
        }
        smoke
    }
}
