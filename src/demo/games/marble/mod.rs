//! A striped ball is thrown over blocks into a bowl. After the spirit of the papers' `TiB`: a puzzle of physics on a table
//! in a lit room, a camera that waits while one aims and then flies along.

mod course;
mod look;
mod room;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::kit::billboard::{Facing, Spot};
use crate::kit::font::{Align, Style};
use crate::kit::frame::{FrameBuilder, look_at, project};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease, ease_out, overshoot};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::Stage;
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, MeshId, Scene, ThroughView, View};
use course::{BALL, FLIGHT, TEE, Throw, course};
use room::Room;

pub(super) const DEMO: Demo = Demo {
    name: "marble",
    about: "a striped ball flies over blocks into a bowl",
    kind: Kind::Solid,
    camera: "static, then follows the ball",
    setting: Setting::AsIs,
    start,
};

/// Frames of taking aim, of looking at what came of it, of the way back.
const AIM: u64 = 44;
const REST: u64 = 52;
const BACK: u64 = 24;
const TURN: u64 = AIM + FLIGHT + REST + BACK;
/// Frames of the first aim that are over when the show begins.
const AHEAD: u64 = 18;

#[derive(Debug)]
struct Marble {
    levels: Vec<Room>,
    throws: Vec<Throw>,
    /// Camera by throw and frame of its flight: target, and distance from it.
    follows: Vec<Vec<(Vec3, f32)>>,
    wall: MeshId,
    tiger: MeshId,
    small: [MeshId; 4],
    hud: Hud<look::Icons>,
    display: MaterialId,
    glow: MaterialId,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("marble");
    let (hud, atlas) = Hud::new("display", 512, look::Icons::new);
    let (display, glow) = stage.display(atlas, "glow");
    let surfaces = look::surfaces(&mut stage, seed);
    let (levels, throws) = course(seed);
    let game = Marble {
        levels: levels
            .iter()
            .map(|level| Room::new(&mut stage, level, &surfaces))
            .collect(),
        follows: throws.iter().map(follow).collect(),
        throws,
        wall: room::wall(&mut stage, &surfaces),
        tiger: room::ball(&mut stage, surfaces.tiger, Vec3::ONE),
        small: room::COLORS.map(|color| room::ball(&mut stage, surfaces.small, color)),
        hud,
        display,
        glow,
        seed,
    };
    stage.show(Vec3::new(0.1, 0.15, 0.2), game)
}

/// Target of the camera before a throw, and its distance from there.
const WAITS: (Vec3, f32) = (Vec3::new(-0.4, 1.25, 0.0), 8.4);

/// The camera's course along a throw: it runs after the ball with some delay.
fn follow(throw: &Throw) -> Vec<(Vec3, f32)> {
    let (mut target, mut distance) = WAITS;
    let balls = throw.frames.iter().map(|balls| balls[0].at);
    balls
        .map(|ball| {
            let wanted = WAITS.0.lerp(
                ball.clamp(Vec3::new(-5.0, 0.5, -1.5), Vec3::new(5.0, 3.0, 2.0)),
                0.8,
            );
            target += (wanted - target) * 0.07;
            distance += (5.9 - distance) * 0.045;
            (target, distance)
        })
        .collect()
}

/// A moment of the show.
#[derive(Debug, Clone, Copy)]
struct Moment {
    /// Position of the throw in the game.
    number: usize,
    /// Throws since the show began.
    turn: u64,
    /// Share of the aim that is over.
    aim: f32,
    /// Frames since the throw, up to the last of its flight.
    flown: usize,
    /// Frames since the flight ended; negative before.
    after: f32,
    /// Share of the way back.
    back: f32,
}

impl Marble {
    fn moment(&self, frame: u64) -> Moment {
        let frame = frame + AHEAD;
        let turn = frame / TURN;
        let within = frame % TURN;
        let flown = within.saturating_sub(AIM).min(FLIGHT - 1);
        Moment {
            number: (turn % self.throws.len() as u64) as usize,
            turn,
            aim: within as f32 / AIM as f32,
            flown: flown as usize,
            after: within as f32 - (AIM + FLIGHT) as f32,
            back: within.saturating_sub(TURN - BACK) as f32 / BACK as f32,
        }
    }

    /// The throw whose things stand about: on the way back already the next one's.
    fn shown(&self, moment: &Moment) -> (&Throw, usize) {
        if moment.back > 0.5 {
            (&self.throws[(moment.number + 1) % self.throws.len()], 0)
        } else {
            (&self.throws[moment.number], moment.flown)
        }
    }

    fn camera(&self, screen: Screen, moment: &Moment) -> View {
        let (target, distance) = if moment.aim < 1.0 {
            WAITS
        } else {
            let (target, distance) = self.follows[moment.number][moment.flown];
            let t = ease(moment.back);
            (target.lerp(WAITS.0, t), distance + (WAITS.1 - distance) * t)
        };
        let way = Vec3::new(0.05 * target.x, 0.3, 1.0).normalize();
        look_at(screen, target + way * distance, target, 0.74)
    }
}

impl Game for Marble {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let moment = self.moment(frame);
        let camera = self.camera(screen, &moment);
        let (throw, flown) = self.shown(&moment);
        let room = &self.levels[throw.level];
        let mut builder = FrameBuilder::new(scene, screen);
        builder.sun(Vec3::new(-0.5, 0.75, 0.45), Vec3::new(0.98, 0.9, 0.76));
        builder.sun(Vec3::new(0.7, 0.25, 0.6), Vec3::new(0.2, 0.26, 0.36));
        builder.sun(Vec3::new(-0.2, 0.6, -0.9), Vec3::new(0.16, 0.16, 0.18));
        builder.mesh(self.wall, Mat4::IDENTITY, ThroughView::Camera);
        for &mesh in &room.meshes {
            builder.mesh(mesh, Mat4::IDENTITY, ThroughView::Camera);
        }
        for (number, ball) in throw.frames[flown].iter().enumerate() {
            let place =
                Mat4::from_scale_rotation_translation(Vec3::splat(ball.radius), ball.turn, ball.at);
            let mesh = if number == 0 {
                self.tiger
            } else {
                self.small[number % 4]
            };
            builder.mesh(mesh, place, ThroughView::Camera);
        }
        self.shadows(&mut builder, room, &throw.frames[flown]);
        self.glows(&mut builder, &camera, &moment);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let mut batch = Batch::default();
        self.display(&mut batch, screen, &camera, &moment);
        builder.sprites("display", batch, self.display, layer);
        builder.finish(camera)
    }
}

impl Marble {
    /// Soft shadows below blocks and balls.
    fn shadows(&self, builder: &mut FrameBuilder<'_>, room: &Room, balls: &[course::Ball]) {
        let flat = Facing {
            right: Vec3::X,
            up: Vec3::NEG_Z,
        };
        let mut spots: Vec<Spot> = Vec::new();
        for &(at, size) in &room.shadows {
            spots.push(Spot {
                sprite: self.hud.shadow,
                at,
                size,
                tint: Vec4::new(1.0, 1.0, 1.0, 0.8),
            });
        }
        for ball in balls {
            let ground = room.ground(ball.at, ball.radius);
            let high = (ball.at.y - ball.radius - ground).max(0.0);
            let at = Vec3::new(
                ball.at.x + 0.12 * high,
                ground + 0.012,
                ball.at.z - 0.08 * high,
            );
            let size = ball.radius * (3.0 + 0.8 * high);
            let tint = Vec4::new(1.0, 1.0, 1.0, 0.95 / (1.0 + high));
            spots.push(Spot::new(self.hud.shadow, at, size, tint));
        }
        builder.stream(
            "shadows",
            flat.stream(&spots),
            self.glow,
            ThroughView::Camera,
        );
    }

    /// The dots of the aim, the ball's trail, and what sparkles over a hit.
    fn glows(&self, builder: &mut FrameBuilder<'_>, camera: &View, moment: &Moment) {
        let throw = &self.throws[moment.number];
        let mut spots: Vec<Spot> = Vec::new();
        if moment.aim < 1.0 {
            let shown = (ease(moment.aim * 1.4) * 13.0) as u32;
            for k in 1..=shown {
                let t = 0.055 * k as f32;
                let at = TEE + throw.speed * t - Vec3::Y * (7.0 * t * t);
                let tint = Vec4::new(1.0, 0.98, 0.85, 1.0 - 0.05 * k as f32);
                spots.push(Spot::new(self.hud.knob, at, 0.13 - 0.005 * k as f32, tint));
            }
        } else if moment.after < 0.0 {
            for k in 1..9_usize {
                let Some(at) = moment.flown.checked_sub(k).map(|f| throw.frames[f][0].at) else {
                    break;
                };
                let fade = 1.0 - k as f32 / 9.0;
                let tint = Vec4::new(1.0, 0.75, 0.3, 0.22 * fade);
                spots.push(Spot::new(self.hud.glow, at, BALL * 2.2 * fade, tint));
            }
        }
        let t = moment.after / 40.0;
        if throw.is_hit && (0.0..1.0).contains(&t) {
            let bowl = self.levels[throw.level].bowl + Vec3::Y * 0.7;
            for k in 0..26 {
                let own = |salt| random(k, salt, self.seed ^ moment.turn as u32);
                let way = Vec3::new(own(1) - 0.5, 0.9 + own(2), own(3) - 0.5) * 2.2;
                let at = bowl + way * ease_out(t) - Vec3::Y * (2.4 * t * t);
                let hue = room::COLORS[k as usize % 4] * 1.4 + 0.1;
                let sprite = [self.hud.star, self.hud.knob][k as usize % 2];
                let size = 0.15 * (1.0 - 0.5 * t);
                spots.push(Spot::new(sprite, at, size, hue.extend(1.0 - t * t)));
            }
        }
        let stream = Facing::view(camera).stream(&spots);
        builder.stream("glows", stream, self.glow, ThroughView::Camera);
    }

    fn display(&self, batch: &mut Batch, screen: Screen, camera: &View, moment: &Moment) {
        let wide = screen.units_wide();
        let hud = &self.hud;
        let throw = &self.throws[moment.number];
        hud.panel(batch, Vec2::new(150.0, 60.0), Vec2::new(250.0, 84.0));
        let level = format!("LEVEL {}", 12 + throw.level);
        let left = Align::Left;
        hud.text(
            batch,
            &level,
            Vec2::new(44.0, 44.0),
            Style::new(24.0).aligned(left),
        );
        let hits = self.throws[..moment.number]
            .iter()
            .filter(|throw| throw.is_hit)
            .count();
        for k in 0..3 {
            let won = hits % 4 > k;
            let tint = if won {
                Vec4::ONE
            } else {
                Vec4::new(0.14, 0.14, 0.2, 1.0)
            };
            let at = Vec2::new(58.0 + 36.0 * k as f32, 80.0);
            batch.add(Placed::new(hud.star, at, 34.0).tinted(tint));
        }
        hud.panel(batch, Vec2::new(wide * 0.5, 44.0), Vec2::new(220.0, 58.0));
        for k in 0..3 {
            let at = Vec2::new(wide * 0.5 - 58.0 + 58.0 * k as f32, 44.0);
            let spent = k as u64 <= moment.turn % 3 && moment.aim >= 1.0;
            let tint = if spent {
                Vec4::new(0.15, 0.15, 0.2, 0.8)
            } else {
                Vec4::ONE
            };
            batch.add(Placed::new(hud.own.ball, at, 42.0).tinted(tint));
        }
        hud.panel(batch, Vec2::new(wide - 200.0, 48.0), Vec2::new(140.0, 46.0));
        batch.add(Placed::new(hud.coin, Vec2::new(wide - 262.0, 48.0), 52.0));
        let coins = format!("{}", 1240 + 50 * hits);
        hud.text(
            batch,
            &coins,
            Vec2::new(wide - 186.0, 48.0),
            Style::new(21.0),
        );
        hud.button(
            batch,
            Vec2::new(wide - 70.0, 50.0),
            70.0,
            Vec3::new(0.95, 0.6, 0.25),
            hud.pause,
        );
        self.calls(batch, screen, camera, moment);
    }

    /// The hand that aims, what is called out, and the blink between two throws.
    fn calls(&self, batch: &mut Batch, screen: Screen, camera: &View, moment: &Moment) {
        let wide = screen.units_wide();
        let hud = &self.hud;
        let throw = &self.throws[moment.number];
        if moment.aim < 1.0 {
            let pull = ease(moment.aim * 1.4);
            // The hand never holds quite still.
            let back = -throw.speed.normalize_or(Vec3::X) * (1.15 * pull + 0.04 * moment.aim);
            if let Some(at) = project(screen, camera, TEE + back) {
                let hand = Placed::new(hud.own.hand, at + Vec2::new(12.0, 46.0), 84.0);
                batch.add(hand);
            }
            hud.text(
                batch,
                "DRAG TO AIM",
                Vec2::new(wide * 0.5, 672.0),
                Style::new(26.0),
            );
        }
        let t = moment.after / REST as f32;
        if (0.0..1.0).contains(&t) {
            let (word, color) = if throw.is_hit {
                (
                    ["BULL'S EYE!", "GREAT SHOT!", "PERFECT!"][moment.turn as usize % 3],
                    Vec3::new(1.0, 0.8, 0.2),
                )
            } else {
                (
                    ["ALMOST!", "TRY AGAIN!"][moment.turn as usize % 2],
                    Vec3::new(0.85, 0.92, 1.0),
                )
            };
            let style = Style::new(74.0 * overshoot(t * 4.0))
                .colored(color)
                .faded(5.0 - 5.0 * t);
            hud.text(batch, word, Vec2::new(wide * 0.5, 196.0 - 24.0 * t), style);
        }
        let blink = arc(moment.back);
        if moment.back > 0.0 && blink > 0.4 {
            let all = hud.filling.part(Vec2::splat(0.4), Vec2::splat(0.6));
            let all = Placed::new(all, Vec2::new(wide * 0.5, 360.0), 1.0);
            let color = Vec4::new(0.02, 0.03, 0.06, (blink * 1.6 - 0.6).clamp(0.0, 1.0));
            batch.add(all.sized(Vec2::new(wide, Screen::UNITS_HIGH)).tinted(color));
        }
    }
}
