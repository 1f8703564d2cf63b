//! A catapult against castles of beams and stones: the camera rests while it is drawn, flies with the stone, rests on what
//! falls, and comes back. Pieces are rigid bodies; an evening sky of vertex colours stands behind.

mod look;
mod physics;
mod scene;
mod siege;

use glam::{Vec2, Vec3, Vec4, vec2};

use crate::kit::font::{Align, Style};
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{ease, ease_out, heading, overshoot};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop, sprites};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{Material, MaterialId, Scene, Wrap};
use siege::{
    AIM, BACK, Break, FLIGHT, GROUND, Matter, PAN, Piece, SHOT, SHOTS, STONE, Shot, Siege,
};

pub(super) const DEMO: Demo = Demo {
    name: "catapult",
    about: "catapult against castles that collapse",
    kind: Kind::Flat,
    camera: "static, then pan",
    setting: Setting::AsIs,
    start,
};

/// Pivot of the catapult's arm.
const PIVOT: Vec2 = vec2(180.0, 503.0);
/// Distance from there to the stone in its bowl.
const ARM: f32 = 160.0;
/// Radians of the arm when it is drawn and after the throw.
const DRAWN: f32 = -2.85;
const THROWN: f32 = -1.22;

#[derive(Debug)]
struct Catapult {
    siege: Siege,
    pieces: look::Pieces,
    hud: Hud<look::Icons>,
    materials: Materials,
    seed: u32,
}

#[derive(Debug)]
struct Materials {
    sky: MaterialId,
    mountains: MaterialId,
    fields: MaterialId,
    earth: MaterialId,
    turf: MaterialId,
    pieces: MaterialId,
    hud: MaterialId,
}

fn start(seed: u32) -> Show {
    use super::climb::land;
    let mut stage = Stage::new("catapult");
    let mountains = stage.texture(land::mountains(seed), Wrap::ClampToEdge);
    let fields = stage.texture(land::fields(seed), Wrap::ClampToEdge);
    let earth = stage.texture(land::earth(seed), Wrap::Repeat);
    let turf = stage.texture(land::turf(seed), Wrap::Repeat);
    let (pieces, pieces_atlas) = look::pieces();
    let (hud, hud_atlas) = Hud::new("display", 512, look::Icons::new);
    let materials = Materials {
        sky: stage.material(Material {
            base_color_texture: None,
            ..backdrop("sky", mountains)
        }),
        mountains: stage.material(sprites("mountains", mountains)),
        fields: stage.material(sprites("fields", fields)),
        earth: stage.material(backdrop("earth", earth)),
        turf: stage.material(sprites("turf", turf)),
        pieces: stage.atlas("siege", &pieces_atlas),
        hud: stage.atlas("display", &hud_atlas),
    };
    let game = Catapult {
        siege: Siege::fight(seed),
        pieces,
        hud,
        materials,
        seed,
    };
    stage.show(Vec3::ZERO, game)
}

/// A shot at a time, and where the camera is.
#[derive(Debug, Clone, Copy)]
struct Now<'a> {
    shot: &'a Shot,
    /// Frames since the shot began.
    time: usize,
    /// World x of the left edge of a screen of 16 by 9.
    camera: f32,
    wide: f32,
}

impl Now<'_> {
    /// The left edge of this screen in a layer that moves at a share of the camera's pace.
    fn left(self, pace: f32) -> f32 {
        self.camera * pace + 640.0 - 0.5 * self.wide
    }

    fn since(self, begin: usize) -> Option<f32> {
        (self.time >= begin).then(|| (self.time - begin) as f32)
    }
}

/// Horizontal camera offset `time` frames after a shot began.
fn camera(time: usize) -> f32 {
    let there = ease((time as f32 - AIM as f32) / FLIGHT as f32);
    let back = ease((time as f32 - (SHOT - BACK) as f32) / BACK as f32);
    // The drawn arm reaches beyond the world's edge.
    PAN * (there - back) - 56.0
}

impl Game for Catapult {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let (shot, time) = self.siege.at(frame);
        let now = Now {
            shot,
            time,
            camera: camera(time),
            wide: screen.units_wide(),
        };
        self.landscape(&mut builder, now);
        let world = builder.layer(vec2(now.left(1.0), 0.0), 1.0);
        let material = self.materials.pieces;
        let mut engine = Batch::default();
        self.engine(&mut engine, now);
        builder.sprites("catapult", engine, material, world);
        let mut castle = Batch::default();
        self.castle(&mut castle, now);
        builder.sprites("castle", castle, material, world);
        let mut debris = Batch::default();
        self.debris(&mut debris, now);
        builder.sprites("debris", debris, material, world);
        let mut signs = Batch::default();
        self.points(&mut signs, now);
        builder.sprites("points", signs, self.materials.hud, world);
        let surface = builder.layer(Vec2::ZERO, 1.0);
        let mut display = Batch::default();
        self.display(&mut display, now);
        builder.sprites("display", display, self.materials.hud, surface);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

impl Catapult {
    /// The catapult's angle: drawn back slowly, let go in five frames.
    fn angle(time: usize) -> f32 {
        let t = time as f32;
        let drawn = ease((t - 4.0) / 34.0);
        let thrown = ease_out((t - (AIM as f32 - 5.0)) / 6.0);
        let swing = 0.08 * (t - AIM as f32).max(0.0);
        let rings = 0.1 * (swing * 9.0).sin() * (1.0 - swing / 3.0).max(0.0);
        THROWN + (DRAWN - THROWN) * drawn * (1.0 - thrown) + rings
    }

    fn engine(&self, batch: &mut Batch, now: Now<'_>) {
        let shadow = Placed::new(self.pieces.shadow, vec2(176.0, GROUND + 3.0), 1.0);
        batch.add(shadow.sized(vec2(360.0, 40.0)));
        let angle = Self::angle(now.time);
        let along = Vec2::from_angle(angle);
        let turns = angle / std::f32::consts::TAU;
        let arm = Placed::new(self.pieces.arm, PIVOT + along * (ARM - 96.0), 62.0);
        let arm = arm.sized(vec2(260.0, -62.0)).turned(turns);
        batch.add(arm);
        if (16..AIM).contains(&now.time) {
            let up = vec2(along.y, -along.x) * -10.0;
            let at = PIVOT + along * ARM + up;
            batch.add(Placed::new(self.pieces.shot, at, 2.0 * STONE));
        }
        batch.add(Placed::new(self.pieces.frame, vec2(170.0, 497.0), 190.0));
        for x in [74.0, 262.0] {
            batch.add(Placed::new(self.pieces.wheel, vec2(x, GROUND - 33.0), 68.0));
        }
        if now.time < AIM {
            let count = now.time.saturating_sub(34) / 2;
            for (number, dot) in now.shot.preview(count.min(9)).enumerate() {
                let size = 15.0 - number as f32;
                let tint = Vec4::new(1.0, 1.0, 1.0, 0.9 - 0.06 * number as f32);
                batch.add(Placed::new(self.pieces.smoke, dot, 1.6 * size).tinted(tint));
            }
        }
    }

    fn castle(&self, batch: &mut Batch, now: Now<'_>) {
        let pieces = now.shot.pieces(now.time);
        for piece in pieces.iter().filter(|piece| piece.at.y > GROUND - 130.0) {
            let wide = 2.4 * piece.half.max_element();
            let at = vec2(piece.at.x + 8.0, GROUND + 3.0);
            batch.add(Placed::new(self.pieces.shadow, at, 1.0).sized(vec2(wide, 18.0)));
        }
        let is_scared = now.since(AIM + 16).is_some_and(|since| since < 130.0);
        for piece in pieces {
            batch.add(self.piece(piece, is_scared));
        }
        if let Some(at) = now.shot.flying(now.time) {
            let turns = 0.012 * (now.time - AIM) as f32;
            batch.add(Placed::new(self.pieces.shot, at, 2.1 * STONE).turned(turns));
        }
        for x in [1420.0, 2150.0] {
            batch.add(Placed::new(self.pieces.flag, vec2(x, GROUND + 6.0), 120.0).standing());
        }
    }

    fn piece(&self, piece: &Piece, is_scared: bool) -> Placed {
        let size = 2.0 * piece.half;
        let turns = piece.angle / std::f32::consts::TAU;
        let placed = |sprite| Placed::new(sprite, piece.at, 1.0).sized(size).turned(turns);
        match piece.matter {
            Matter::Wood if size.y > size.x => placed(self.pieces.beam)
                .sized(vec2(size.y, size.x))
                .turned(turns + 0.25),
            Matter::Wood => placed(self.pieces.beam),
            Matter::Stone => placed(self.pieces.stone),
            Matter::Roof => {
                let up = Vec2::from_angle(piece.angle).rotate(vec2(0.0, -piece.half.y / 3.0));
                let mut roof = placed(self.pieces.roof);
                roof.at += up;
                roof
            }
            Matter::Guard => placed(self.pieces.guard[usize::from(is_scared)]).sized(size * 1.06),
            Matter::Shot => placed(self.pieces.shot).sized(size * 1.05),
        }
    }

    /// Splinters and dust of what has broken.
    fn debris(&self, batch: &mut Batch, now: Now<'_>) {
        for (number, broken) in (0..).zip(&now.shot.breaks) {
            let Some(age) = now.since(broken.born).filter(|age| *age < 56.0) else {
                continue;
            };
            let own = |salt: i32| random(number, salt, self.seed ^ broken.born as u32);
            let color = match broken.matter {
                Matter::Wood => Vec3::new(0.55, 0.28, 0.09),
                Matter::Guard => Vec3::new(0.2, 0.5, 0.08),
                Matter::Roof => Vec3::new(0.7, 0.09, 0.05),
                Matter::Stone | Matter::Shot => Vec3::new(0.45, 0.45, 0.5),
            };
            for bit in 0..7 {
                let speed = heading((bit as f32 + own(bit)) / 7.0) * (2.0 + 3.4 * own(bit + 9))
                    - vec2(0.0, 2.4);
                let at = broken.at + speed * age + vec2(0.0, 0.5 * physics::GRAVITY * age * age);
                let size = 12.0 + 8.0 * own(bit + 20);
                if at.y < GROUND + 4.0 {
                    let splinter = Placed::new(self.pieces.splinter, at, size)
                        .turned(own(bit + 30) + 0.03 * age);
                    batch.add(splinter.tinted(color.extend((2.0 - age / 28.0).min(1.0))));
                }
            }
            self.dust(batch, broken, number, age / 34.0);
        }
    }

    /// Dust where something broke.
    fn dust(&self, batch: &mut Batch, broken: &Break, number: i32, t: f32) {
        let own = |salt: i32| random(number, salt, self.seed ^ broken.born as u32);
        for puff in 0..4 {
            let away = heading((puff as f32 + own(puff + 40)) / 4.0) * 34.0 * ease_out(t);
            let cloud = Placed::new(
                self.pieces.smoke,
                broken.at + away,
                34.0 + 50.0 * ease_out(t),
            );
            batch.add(cloud.turned(own(puff + 50)).faded(0.8 - 0.8 * t));
        }
    }

    /// Points of each of the king's things that broke, drawn at its place.
    fn points(&self, batch: &mut Batch, now: Now<'_>) {
        for broken in &now.shot.breaks {
            if let Some(age) = now.since(broken.born).filter(|age| *age < 60.0) {
                let t = age / 60.0;
                let is_guard = broken.matter == Matter::Guard;
                let height = if is_guard { 30.0 } else { 17.0 };
                let color = if is_guard {
                    Vec3::new(0.5, 1.0, 0.25)
                } else {
                    Vec3::ONE
                };
                let style = Style::new(height * overshoot(3.0 * t))
                    .colored(color)
                    .faded(2.6 - 2.6 * t);
                let at = broken.at - vec2(0.0, 30.0 + 30.0 * ease_out(t));
                self.hud
                    .text(batch, &broken.matter.points().to_string(), at, style);
            }
        }
    }

    fn display(&self, batch: &mut Batch, now: Now<'_>) {
        let hud = &self.hud;
        let (number, castle) = now.shot.number;
        let broken: Vec<&Break> = now
            .shot
            .breaks
            .iter()
            .filter(|piece| piece.born <= now.time)
            .collect();
        let score = now.shot.score
            + broken
                .iter()
                .map(|piece| piece.matter.points())
                .sum::<u32>();
        self.score(batch, now.wide, score);
        let look::Icons { stone, guard, wall } = hud.own;
        hud.panel(batch, vec2(136.0, 50.0), vec2(236.0, 66.0));
        batch.add(Placed::new(wall, vec2(52.0, 50.0), 46.0));
        hud.text(
            batch,
            &format!("{}", castle + 1),
            vec2(52.0, 51.0),
            Style::new(22.0),
        );
        let left = now
            .shot
            .pieces(now.time)
            .iter()
            .filter(|piece| piece.matter == Matter::Guard)
            .count();
        batch.add(Placed::new(guard, vec2(126.0, 50.0), 44.0));
        hud.text(
            batch,
            &format!("*{left}"),
            vec2(172.0, 52.0),
            Style::new(21.0),
        );
        for k in 0..SHOTS - number - usize::from(now.time >= AIM) {
            batch.add(Placed::new(
                stone,
                vec2(48.0 + 46.0 * k as f32, 116.0),
                40.0,
            ));
        }
        self.praise(batch, now, broken.len());
    }

    fn score(&self, batch: &mut Batch, wide: f32, score: u32) {
        let hud = &self.hud;
        hud.panel(batch, vec2(wide - 202.0, 50.0), vec2(224.0, 66.0));
        hud.text(
            batch,
            "SCORE",
            vec2(wide - 298.0, 36.0),
            Style::new(13.0).aligned(Align::Left),
        );
        hud.text(
            batch,
            &score.to_string(),
            vec2(wide - 106.0, 56.0),
            Style::new(27.0).aligned(Align::Right),
        );
        hud.button(
            batch,
            vec2(wide - 48.0, 50.0),
            66.0,
            Vec3::new(0.9, 0.85, 1.0),
            hud.pause,
        );
    }

    fn praise(&self, batch: &mut Batch, now: Now<'_>, n_broken: usize) {
        let Some(since) = now.since(AIM + FLIGHT + 30).filter(|since| *since < 84.0) else {
            return;
        };
        let word = match n_broken {
            0 => "MISSED!",
            1..=2 => "GOOD SHOT!",
            3..=5 => "GREAT SHOT!",
            _ => "DEVASTATING!",
        };
        let t = since / 84.0;
        let style = Style::new(58.0 * overshoot(4.0 * t)).colored(Vec3::new(1.0, 0.72, 0.12));
        self.hud.text(
            batch,
            word,
            vec2(now.wide * 0.5, 190.0),
            style.faded(4.0 - 4.0 * t),
        );
    }
}
