//! A station's corridors through the eyes of a guard who never stops turning. After the spirit of the papers' `CoS`, Maz and
//! modern strike: a first-person view whose every tile changes, lit walls, alpha-blended flashes, a display on top.

mod build;
mod look;
mod route;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use crate::kit::billboard::{Facing, Spot, sort_by_depth};
use crate::kit::font::{Align, Style};
use crate::kit::frame::{FrameBuilder, look_at};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease_out, heading, seconds_of, wave, whole_seconds};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::Stage;
use crate::procedural::{hash, random};
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, MeshId, Scene, ThroughView, View};
use route::{Pose, Route};

pub(super) const DEMO: Demo = Demo {
    name: "corridor",
    about: "first-person patrol through the lit corridors of a station",
    kind: Kind::Solid,
    camera: "always moving and turning",
    setting: Setting::AsIs,
    start,
};

/// Frames between two shots of a burst.
const SHOT: u64 = 9;
/// Frames from one burst to the next, and how many of them are fired in.
const BURST: (u64, u64) = (110, 45);

/// Metres ahead at which a drone has taken its last hit.
const SHOT_DOWN: f32 = 4.0;

#[derive(Debug)]
struct Corridor {
    route: Route,
    rooms: Vec<build::Room>,
    drone: MeshId,
    gun: MeshId,
    hud: Hud<look::Icons>,
    display: MaterialId,
    glow: MaterialId,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("corridor");
    let (hud, atlas) = Hud::new("display", 512, look::Icons::new);
    let (display, glow) = stage.display(atlas, "flashes");
    let route = Route::new(seed);
    let surfaces = look::surfaces(&mut stage, seed);
    let rooms = build::rooms(&mut stage, &route, &surfaces, seed);
    let game = Corridor {
        drone: build::drone(&mut stage, &surfaces),
        gun: build::gun(&mut stage, &surfaces),
        route,
        rooms,
        hud,
        display,
        glow,
        seed,
    };
    stage.show(Vec3::new(0.004, 0.006, 0.01), game)
}

impl Game for Corridor {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let pose = self.route.at(seconds_of(frame));
        let camera = look_at(screen, pose.eye, pose.eye + pose.ahead, 1.05);
        let mut builder = FrameBuilder::new(scene, screen);
        self.weapon(&mut builder, &pose, frame);
        self.station(&mut builder, &pose);
        self.drones(&mut builder, &pose, frame);
        self.lights(&mut builder, &pose, &camera, frame);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let mut batch = Batch::default();
        self.display(&mut batch, screen.units_wide(), &pose, frame);
        builder.sprites("display", batch, self.display, layer);
        builder.finish(camera)
    }
}

/// Frames since the last shot, and how many have been fired before; `None` between bursts.
fn shot(frame: u64) -> Option<(f32, u64)> {
    let (period, firing) = BURST;
    let (burst, within) = (frame / period, frame % period);
    let shots = firing / SHOT;
    (within < firing).then(|| ((within % SHOT) as f32, burst * shots + within / SHOT))
}

impl Corridor {
    /// The gun in the guard's hands: submitted first, since it hides most.
    fn weapon(&self, builder: &mut FrameBuilder<'_>, pose: &Pose, frame: u64) {
        let seconds = seconds_of(frame);
        let kick = shot(frame).map_or(0.0, |(since, _)| (1.0 - since / 6.0).max(0.0));
        let sway = Vec3::new(
            0.012 * wave(seconds * 0.9),
            0.008 * wave(seconds * 1.8 + 0.2),
            0.03 * kick,
        );
        let place = Mat4::from_rotation_translation(
            Quat::from_rotation_y(0.06) * Quat::from_rotation_x(0.05 * kick),
            Vec3::new(0.16, -0.2, -0.46) + sway,
        );
        builder.mesh(self.gun, pose.world_from_eye() * place, ThroughView::Camera);
    }

    /// Rooms before the eye, from near to far: what an engine's portals would leave.
    fn station(&self, builder: &mut FrameBuilder<'_>, pose: &Pose) {
        let mut seen: Vec<(f32, MeshId)> = Vec::new();
        for &number in &self.rooms[self.route.cell(pose.distance)].sees {
            let room = &self.rooms[number];
            let towards = room.middle - pose.eye;
            if towards.dot(pose.ahead) > -route::CELL {
                seen.extend(room.meshes.iter().map(|&mesh| (towards.length(), mesh)));
            }
        }
        seen.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, mesh) in seen {
            builder.mesh(mesh, Mat4::IDENTITY, ThroughView::Camera);
        }
    }

    /// Drones that hover along the route ahead: where, a number of their own, and how many metres ahead.
    fn drone_places(&self, pose: &Pose, frame: u64) -> impl Iterator<Item = (Vec3, f32, f32)> {
        let seconds = seconds_of(frame);
        let (near, spacing) = (pose.distance, 7.0);
        let first = (near / spacing).floor() as i32 + 1;
        (first..first + 3).map(move |number| {
            let own = |salt| random(number, salt, self.seed);
            let at = self.route.point(number as f32 * spacing);
            let side = Vec3::new(
                own(1) - 0.5,
                0.25 * wave(seconds * 0.5 + own(2)),
                own(3) - 0.5,
            );
            let ahead = number as f32 * spacing - near;
            (at + side * 1.1 + Vec3::Y * 1.55, own(4), ahead)
        })
    }

    fn drones(&self, builder: &mut FrameBuilder<'_>, pose: &Pose, frame: u64) {
        let seconds = seconds_of(frame);
        for (at, own, ahead) in self.drone_places(pose, frame) {
            if ahead < SHOT_DOWN {
                continue;
            }
            let to_eye = pose.eye - at;
            let turn = to_eye.x.atan2(to_eye.z) + 0.3 * wave(seconds * 0.4 + own);
            let tilt =
                Quat::from_rotation_y(turn) * Quat::from_rotation_z(0.15 * wave(seconds + own));
            let place = Mat4::from_rotation_translation(tilt, at);
            builder.mesh(self.drone, place, ThroughView::Camera);
        }
    }

    /// Halos of lamps and drones, the muzzle's flash, tracers: blended, from far to near, one batch.
    fn lights(&self, builder: &mut FrameBuilder<'_>, pose: &Pose, camera: &View, frame: u64) {
        let mut spots: Vec<Light> = Vec::new();
        for &number in &self.rooms[self.route.cell(pose.distance)].sees {
            let room = &self.rooms[number];
            let strength = if hash(number as i32, (frame / 5) as i32, self.seed).is_multiple_of(23)
            {
                0.35
            } else {
                1.0
            };
            spots.extend(
                room.lamps
                    .iter()
                    .map(|lamp| (lamp.at, 0.9, (lamp.color * strength).extend(0.5 * strength))),
            );
        }
        for (at, own, ahead) in self.drone_places(pose, frame) {
            if ahead < SHOT_DOWN {
                spots.extend(explosion(at, own, SHOT_DOWN - ahead));
                continue;
            }
            let blink = 0.6 + 0.4 * wave(frame as f32 / 40.0 + own);
            let towards = (pose.eye - at).normalize_or(Vec3::Z);
            spots.push((
                at + towards * 0.3,
                0.55,
                Vec4::new(1.0, 0.12, 0.06, 0.8 * blink),
            ));
        }
        let as_spot = |&(at, size, tint): &Light| Spot::new(self.hud.glow, at, size, tint);
        let mut spots: Vec<Spot> = spots.iter().map(as_spot).collect();
        sort_by_depth(&mut spots, camera, 0.3, 40.0);
        if let Some((since, number)) = shot(frame) {
            spots.extend(self.muzzle(pose, since, number).iter().map(as_spot));
        }
        let halos = Facing::view(camera).stream(&spots);
        builder.stream("halos", halos, self.glow, ThroughView::Camera);
    }

    /// The muzzle's flash and a tracer, `since` frames after a shot.
    fn muzzle(&self, pose: &Pose, since: f32, number: u64) -> [Light; 3] {
        let muzzle = pose
            .world_from_eye()
            .transform_point3(Vec3::new(0.12, -0.1, -1.05));
        let size = 0.34 * (0.7 + 0.5 * random(number as i32, 5, self.seed));
        let strength = (1.0 - since / 4.0).max(0.0);
        let tracer = muzzle + pose.ahead * (3.0 + since * 3.2);
        [
            (tracer, 0.16, Vec4::new(1.0, 0.85, 0.4, 0.9)),
            (
                muzzle,
                size * 1.6,
                Vec4::new(1.0, 0.62, 0.2, 0.7 * strength),
            ),
            (muzzle, size * 0.7, Vec4::new(1.0, 0.95, 0.7, strength)),
        ]
    }

    fn display(&self, batch: &mut Batch, wide: f32, pose: &Pose, frame: u64) {
        let hud = &self.hud;
        let fired =
            shot(frame).map_or(frame / BURST.0 * (BURST.1 / SHOT), |(_, number)| number + 1);
        let middle = Vec2::new(wide * 0.5, 360.0);
        let spread = shot(frame).map_or(0.0, |(since, _)| 7.0 * (1.0 - since / SHOT as f32));
        for turns in [0.0, 0.25, 0.5, 0.75] {
            let outward = heading(turns) * (15.0 + spread);
            let tick = Placed::new(hud.filling, middle + outward, 1.0).sized(Vec2::new(12.0, 3.0));
            batch.add(tick.turned(turns).tinted(Vec4::new(0.7, 1.0, 0.85, 0.9)));
        }
        let health = 0.82 - 0.25 * arc((frame % 700) as f32 / 700.0);
        hud.panel(batch, Vec2::new(170.0, 664.0), Vec2::new(300.0, 76.0));
        batch.add(Placed::new(hud.heart, Vec2::new(54.0, 664.0), 52.0));
        let health_bar = (Vec2::new(186.0, 652.0), Vec2::new(200.0, 24.0));
        hud.bar(batch, health_bar, health, Vec3::new(0.85, 0.12, 0.1));
        let shield_bar = (Vec2::new(186.0, 682.0), Vec2::new(200.0, 18.0));
        hud.bar(batch, shield_bar, 0.6, Vec3::new(0.12, 0.5, 0.95));
        hud.panel(
            batch,
            Vec2::new(wide - 150.0, 664.0),
            Vec2::new(260.0, 76.0),
        );
        let magazine = 30 - fired % 30;
        let style = Style::new(38.0).aligned(Align::Right);
        hud.text(
            batch,
            &magazine.to_string(),
            Vec2::new(wide - 176.0, 664.0),
            style,
        );
        let rest = Style::new(20.0)
            .aligned(Align::Left)
            .colored(Vec3::new(0.6, 0.8, 0.75));
        hud.text(batch, "/ 240", Vec2::new(wide - 168.0, 670.0), rest);
        batch.add(Placed::new(
            hud.own.rounds,
            Vec2::new(wide - 58.0, 664.0),
            54.0,
        ));
        let score = format!("{:06}", fired * 35 + (pose.distance as u64) * 4);
        hud.text(batch, &score, Vec2::new(wide * 0.5, 40.0), Style::new(26.0));
        let whole = whole_seconds(frame);
        let minute = format!("{}:{:02}", whole / 60, whole % 60);
        let clock = Style::new(18.0).colored(Vec3::new(0.7, 0.85, 1.0));
        hud.text(batch, &minute, Vec2::new(wide * 0.5, 72.0), clock);
        self.map(batch, wide, pose, frame);
        if shot(frame).is_some_and(|(since, _)| since < 3.0) && frame.is_multiple_of(4) {
            let hit = Placed::new(hud.own.hit, middle, 40.0 * ease_out(0.7));
            batch.add(hit.tinted(Vec4::new(1.0, 0.3, 0.25, 0.9)));
        }
    }

    /// The map in the corner: rooms around the guard, turned with him.
    fn map(&self, batch: &mut Batch, wide: f32, pose: &Pose, frame: u64) {
        let hud = &self.hud;
        let middle = Vec2::new(wide - 100.0, 104.0);
        hud.panel(batch, middle, Vec2::splat(168.0));
        let heading = Vec2::new(pose.ahead.x, pose.ahead.z).normalize_or(Vec2::NEG_Y);
        let turn = Vec2::new(-heading.y, -heading.x);
        let on_map = |p: Vec3| {
            let offset = Vec2::new(p.x - pose.eye.x, p.z - pose.eye.z) * 5.2;
            middle + turn.rotate(offset)
        };
        let inside = |p: Vec2| (p - middle).abs().max_element() < 72.0;
        for room in &self.rooms {
            let at = on_map(room.middle);
            if inside(at) {
                let size = Vec2::splat(route::CELL * 5.2 * 0.96);
                let tile = Placed::new(
                    hud.filling.part(Vec2::splat(0.3), Vec2::splat(0.7)),
                    at,
                    1.0,
                );
                let tile = tile
                    .sized(size)
                    .turned(turn.to_angle() / std::f32::consts::TAU);
                batch.add(tile.tinted(Vec4::new(0.25, 0.7, 0.6, 0.5)));
            }
        }
        for (at, ..) in self.drone_places(pose, frame) {
            let at = on_map(at);
            if inside(at) {
                batch.add(Placed::new(hud.knob, at, 12.0).tinted(Vec4::new(1.0, 0.15, 0.1, 1.0)));
            }
        }
        batch.add(Placed::new(hud.own.guard, middle, 24.0));
    }
}

/// A soft light in the world: position, diameter, linear RGBA.
type Light = (Vec3, f32, Vec4);

/// Fire where a drone was, `since` metres of the walk after it was hit.
fn explosion(at: Vec3, own: f32, since: f32) -> Vec<Light> {
    let t = since / 1.6;
    if t >= 1.0 {
        return Vec::new();
    }
    let core = Vec4::new(1.0, 0.9, 0.6, 1.0 - t);
    let mut spots = vec![(at, 0.7 + 1.3 * ease_out(t), core)];
    for number in 0..14 {
        let around = heading(own + number as f32 * 0.381_966);
        let rise = random(number, 3, 11) - 0.35;
        let out = Vec3::new(around.x, rise, around.y) * (0.25 + 1.1 * ease_out(t));
        let fire = Vec4::new(1.0, 0.45 - 0.3 * t, 0.08, (1.0 - t) * 0.9);
        spots.push((at + out - Vec3::Y * t * t, 0.5 * (1.0 - 0.5 * t), fire));
    }
    spots
}
