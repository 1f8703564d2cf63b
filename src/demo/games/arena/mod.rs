//! Two robots box in a hall full of people. After the spirit of the papers' `RSt`: skinned fighters under spot lights, a
//! crowd of transparent sprites, a camera that never stops circling.

mod body;
mod display;
mod fight;
mod hall;
mod look;
mod skeleton;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::billboard::{Facing, Spot, sort_by_depth};
use crate::kit::frame::{FrameBuilder, look_at};
use crate::kit::hud::Hud;
use crate::kit::motion::{FRAME_RATE, ease, ease_out, heading, wave};
use crate::kit::sprites::Batch;
use crate::kit::stage::{Stage, haze};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{LightInstance, LightKind, MaterialId, MeshId, Scene, ThroughView, View, Wrap};
use fight::{Fight, Moment};
use hall::Hall;
use skeleton::{FOOT, HEAD, Pose, SIDE, rest};

pub(super) const DEMO: Demo = Demo {
    name: "arena",
    about: "two robots box under spot lights before a cheering crowd",
    kind: Kind::Solid,
    camera: "slow orbit",
    setting: Setting::AsIs,
    start,
};

#[derive(Debug)]
struct Arena {
    fight: Fight,
    fighters: [[MeshId; 3]; 2],
    hall: Hall,
    people: Vec<[Sprite; 2]>,
    hud: Hud<look::Icons>,
    display: MaterialId,
    glow: MaterialId,
    crowd: MaterialId,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("arena");
    let (hud, atlas) = Hud::new("display", 512, look::Icons::new);
    let (display, glow) = stage.display(atlas, "glow");
    let (people, atlas) = look::people();
    let texture = stage.texture(atlas.image.clone(), Wrap::ClampToEdge);
    let crowd = stage.material(haze("crowd", texture));
    let surfaces = look::surfaces(&mut stage, seed);
    let lights = [Vec3::new(1.0, 0.6, 0.12), Vec3::new(0.25, 0.9, 1.0)];
    let trims = [Vec3::new(0.95, 0.62, 0.18), Vec3::new(0.8, 0.86, 0.95)];
    let fighters = [0, 1].map(|who| {
        let paint = body::Paint {
            armour: surfaces.armour[who],
            metal: surfaces.metal,
            glow: surfaces.plain,
            trim: trims[who],
            light: lights[who],
        };
        body::fighter(&mut stage, &paint, who == 0)
    });
    let game = Arena {
        fight: Fight::new(seed),
        fighters,
        hall: hall::hall(&mut stage, &surfaces, seed),
        people,
        hud,
        display,
        glow,
        crowd,
        seed,
    };
    stage.show(Vec3::new(0.003, 0.003, 0.006), game)
}

/// Radians of the camera around the ring.
fn orbit(frame: f32) -> f32 {
    0.5 + 0.12 * frame / FRAME_RATE
}

impl Game for Arena {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let moment = self.fight.at(frame);
        let poses = fight::poses(&moment, &orbit);
        let camera = self.camera(screen, &moment, &poses, frame);
        let mut builder = FrameBuilder::new(scene, screen);
        self.lights(&mut builder);
        let joints = [0, 1].map(|who| poses[who].joints());
        for (meshes, joints) in self.fighters.iter().zip(&joints) {
            for &mesh in meshes {
                builder.skinned(mesh, joints);
            }
        }
        for &mesh in &self.hall.meshes {
            builder.mesh(mesh, Mat4::IDENTITY, ThroughView::Camera);
        }
        self.crowd(&mut builder, &camera, &moment, frame);
        self.shadows(&mut builder, &joints);
        self.glows(&mut builder, &camera, &moment, frame);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let mut batch = Batch::default();
        self.display(&mut batch, screen, &camera, frame, &moment);
        builder.sprites("display", batch, self.display, layer);
        builder.finish(camera)
    }
}

impl Arena {
    /// Circles the two, comes nearer after a knockout, shakes a little with a hit.
    fn camera(&self, screen: Screen, moment: &Moment, poses: &[Pose; 2], frame: u64) -> View {
        let angle = orbit(frame as f32);
        let down = moment.knocked_out().unwrap_or(0.0);
        let near = ease(down / 70.0) * (1.0 - ease((down - 70.0) / 40.0) * 0.3);
        let middle = (poses[0].root + poses[1].root) * 0.5;
        let beaten = poses[1 - moment.exchange.attacker].root;
        let middle = middle.lerp(beaten, 0.7 * near);
        let distance = 3.15 - 0.25 * near + 0.12 * wave(frame as f32 / 700.0);
        let height = 1.62 + 0.18 * wave(frame as f32 / 900.0) + 0.2 * near;
        let way = Vec3::new(angle.sin(), 0.0, angle.cos());
        let hit =
            (1.0 - moment.landed / 9.0).clamp(0.0, 1.0) * f32::from(u8::from(moment.landed > 0.0));
        let shake = if moment.exchange.damage > 2 {
            Vec3::new(wave(moment.landed / 5.0), wave(moment.landed / 3.7), 0.0) * (0.016 * hit)
        } else {
            Vec3::ZERO
        };
        let eye = middle + way * distance + Vec3::Y * height;
        let target = middle + Vec3::Y * (1.2 - 0.25 * near);
        look_at(screen, eye + shake, target + shake, 0.92)
    }

    fn lights(&self, builder: &mut FrameBuilder<'_>) {
        let spots = [
            (
                Vec3::new(0.6, 5.4, 1.6),
                Vec3::new(1.0, 0.93, 0.82) * 150.0,
                0.62,
            ),
            (
                Vec3::new(-4.6, 4.6, -2.6),
                Vec3::new(0.35, 0.55, 1.0) * 150.0,
                0.42,
            ),
            (
                Vec3::new(4.4, 4.6, -2.2),
                Vec3::new(1.0, 0.34, 0.26) * 130.0,
                0.42,
            ),
        ];
        for (at, radiance, angle) in spots {
            builder.light(LightInstance {
                kind: LightKind::Spot {
                    inner_angle: angle * 0.55,
                    outer_angle: angle,
                },
                radiance,
                position_world: at,
                direction_world: (Vec3::Y * 0.7 - at).normalize_or(Vec3::NEG_Y),
                range: 30.0,
            });
        }
        // Light bounced by the canvas and the crowd's side.
        for (towards, color) in [
            (Vec3::new(0.2, -1.0, 0.1), Vec3::new(0.16, 0.2, 0.34)),
            (Vec3::new(-0.3, 0.5, 1.0), Vec3::new(0.3, 0.3, 0.36)),
        ] {
            builder.sun(towards, color);
        }
    }

    /// People in sight, from the farthest row down; after a hit they jump.
    fn crowd(&self, builder: &mut FrameBuilder<'_>, camera: &View, moment: &Moment, frame: u64) {
        let facing = Facing::upright(camera);
        let ahead = facing.right.cross(Vec3::Y) * -1.0;
        let hit = f32::from(u8::from(moment.exchange.damage > 7));
        let thrill = hit * (1.0 - ease((moment.landed - 20.0) / 40.0)) * ease(moment.landed / 6.0);
        let thrill = thrill.max(moment.knocked_out().map_or(0.0, |since| ease(since / 12.0)));
        let seen = self.hall.spectators.iter().filter(|person| {
            let way = person.at - camera.eye_world;
            way.dot(ahead) > 0.55 * Vec2::new(way.x, way.z).length()
        });
        let spots: Vec<Spot> = seen
            .map(|person| {
                let own = person.own;
                // Each spectator has moods of some seconds: sits, or is up and waves.
                let mood = wave(frame as f32 / (260.0 + 200.0 * own) + own * 7.0);
                let up = mood + 1.7 * thrill * (0.4 + own) > 0.82;
                let jump = (wave(frame as f32 / 38.0 + own)).abs() * if up { 0.13 } else { 0.025 };
                let [sits, waves] = self.people[person.look];
                let sprite = if up { waves } else { sits };
                let light = person.light * (1.0 + 0.5 * thrill);
                Spot {
                    sprite,
                    at: person.at + Vec3::Y * (0.5 + jump),
                    size: Vec2::new(0.86, 1.12),
                    tint: light.extend(1.0),
                }
            })
            .collect();
        builder.stream(
            "crowd",
            facing.stream(&spots),
            self.crowd,
            ThroughView::Camera,
        );
    }

    /// Dark spots under feet and bodies.
    fn shadows(&self, builder: &mut FrameBuilder<'_>, joints: &[[Mat4; skeleton::N_JOINTS]; 2]) {
        let flat = Facing {
            right: Vec3::X,
            up: Vec3::NEG_Z,
        };
        let mut spots = Vec::new();
        for joints in joints {
            let place = |joint: u16| joints[usize::from(joint)].transform_point3(rest(joint));
            let mut add = |at: Vec3, size: f32, alpha: f32| {
                let on_floor = Vec3::new(at.x, 0.012, at.z);
                let tint = Vec4::new(1.0, 1.0, 1.0, alpha);
                spots.push(Spot::new(self.hud.shadow, on_floor, size, tint));
            };
            let body = place(skeleton::PELVIS).midpoint(place(HEAD));
            add(body, 1.7, 0.75);
            add(body + Vec3::new(0.25, 0.0, 0.3), 1.2, 0.5);
            for foot in [FOOT, FOOT + SIDE] {
                let at = place(foot);
                add(at, 0.62, 1.0 - 3.0 * (at.y - 0.1).clamp(0.0, 0.3));
            }
        }
        builder.stream(
            "shadows",
            flat.stream(&spots),
            self.glow,
            ThroughView::Camera,
        );
    }

    /// Beams and lamps, sparks of blows, cameras' flashes among the crowd.
    fn glows(&self, builder: &mut FrameBuilder<'_>, camera: &View, moment: &Moment, frame: u64) {
        builder.stream(
            "beams",
            self.beams(camera, frame),
            self.glow,
            ThroughView::Camera,
        );
        let mut spots = Vec::new();
        for (number, [lamp, _]) in (0_u32..).zip(&self.hall.lamps) {
            let color = beam_color(number);
            spots.push(Spot::new(self.hud.glow, *lamp, 1.5, color.extend(0.55)));
            spots.push(Spot::new(self.hud.glow, *lamp, 0.55, Vec4::ONE));
        }
        let n = self.hall.spectators.len() as f32;
        for slot in 0..7 {
            let turn = (frame + slot * 9) / 7;
            let flash = (frame + slot * 9) % 7;
            let own = random(turn as i32, slot as i32, self.seed ^ 0xf1a5);
            let person = &self.hall.spectators[(own * n) as usize % self.hall.spectators.len()];
            if flash < 3 {
                let at = person.at + Vec3::Y * 0.9;
                let size = [0.5, 0.9, 0.45][flash as usize];
                spots.push(Spot::new(self.hud.glint, at, size * 1.4, Vec4::ONE));
                spots.push(Spot::new(
                    self.hud.glow,
                    at,
                    size,
                    Vec4::new(0.9, 0.95, 1.0, 0.8),
                ));
            }
        }
        self.sparks(&mut spots, moment, frame);
        sort_by_depth(&mut spots, camera, 0.2, 60.0);
        let stream = Facing::view(camera).stream(&spots);
        builder.stream("glows", stream, self.glow, ThroughView::Camera);
    }

    fn beams(&self, camera: &View, frame: u64) -> azulejo_scene::Primitive {
        let mut batch = Batch::default();
        let mut places = Vec::new();
        for (number, [lamp, target]) in (0_u32..)
            .zip(&self.hall.lamps)
            .filter(|(n, _)| n % 5 % 2 == 1)
        {
            let swing =
                heading(frame as f32 / (420.0 + 60.0 * (number % 5) as f32) + number as f32 * 0.3);
            let target = *target + Vec3::new(swing.x, 0.0, swing.y) * 1.6;
            let way = target - *lamp;
            let side = way.cross(camera.eye_world - *lamp).normalize_or(Vec3::X);
            let tint = (beam_color(number) * 1.2).extend(0.26);
            batch.quad([Vec2::ZERO; 4], self.hud.own.beam, [tint; 4]);
            let end = *lamp + way * 0.9;
            places.extend([
                *lamp - side * 0.12,
                *lamp + side * 0.12,
                end + side * 0.6,
                end - side * 0.6,
            ]);
        }
        let mut primitive = batch.into_primitive();
        primitive.positions = places;
        primitive
    }

    /// Sparks at the contact of a blow.
    fn sparks(&self, spots: &mut Vec<Spot>, moment: &Moment, frame: u64) {
        let t = moment.landed / 20.0;
        if !(0.0..1.0).contains(&t) || moment.exchange.damage == 0 {
            return;
        }
        let contact = self.contact(moment, frame);
        let strong = (moment.exchange.damage as f32 / 14.0).clamp(0.25, 1.3);
        let burst = Vec4::new(1.0, 0.85, 0.5, 0.9 * (1.0 - t) * (1.0 - t));
        spots.push(Spot::new(
            self.hud.glow,
            contact,
            (0.5 + 0.7 * ease_out(t)) * strong,
            burst,
        ));
        spots.push(Spot::new(
            self.hud.glint,
            contact,
            0.9 * strong * (1.0 - t),
            burst,
        ));
        for number in 0..22 {
            let own = |salt| random(number, salt, moment.exchange.damage + frame as u32 / 64);
            let around = heading(own(1));
            let out = Vec3::new(around.x, own(2) * 1.4 - 0.4, around.y) * (0.3 + 0.6 * own(3));
            let at = contact + out * (ease_out(t) * strong) - Vec3::Y * (0.7 * t * t);
            let color = Vec3::new(1.0, 0.7 - 0.4 * t, 0.2).extend(1.0 - t);
            spots.push(Spot::new(self.hud.glow, at, 0.075 * (1.0 - 0.6 * t), color));
        }
    }

    /// Contact point of a moment's blow, in world space.
    fn contact(&self, moment: &Moment, frame: u64) -> Vec3 {
        let landing = self.fight.at(frame.saturating_sub(moment.landed as u64));
        let hurt = &fight::poses(&landing, &orbit)[1 - moment.exchange.attacker];
        let face = rest(HEAD) + Vec3::new(0.0, 0.15, 0.2);
        hurt.joints()[usize::from(HEAD)].transform_point3(face)
    }
}

/// Linear RGB of a lamp.
fn beam_color(number: u32) -> Vec3 {
    [
        Vec3::new(1.0, 0.9, 0.75),
        Vec3::new(0.45, 0.65, 1.0),
        Vec3::new(1.0, 0.45, 0.35),
        Vec3::new(0.75, 0.5, 1.0),
    ][number as usize % 4]
}
