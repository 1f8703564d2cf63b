//! A lantern in a cave, and small ones who guard it from what comes out of the dark. After the spirit of the papers'
//! hopeless: most of the picture is black and stays so.

mod look;

use glam::{Vec2, Vec3, Vec4};

use crate::kit::font::{Align, Style};
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease_out, heading, wave};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::Stage;
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, Scene};

pub(super) const DEMO: Demo = Demo {
    name: "lantern",
    about: "small ones guard a lantern against what comes out of the dark",
    kind: Kind::Flat,
    camera: "static",
    setting: Setting::AsIs,
    start,
};

/// Frames from one monster to the next, until it is hit, and until its dust is gone.
const WAVE: u64 = 190;
const HIT: f32 = 150.0;
const DUST: f32 = 30.0;
/// Height of the ground's middle.
const GROUND: f32 = 520.0;

#[derive(Debug)]
struct Lantern {
    hud: Hud,
    cave: look::Cave,
    material: MaterialId,
    display: MaterialId,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("lantern");
    let (hud, display) = Hud::new("display", 512, |_| ());
    let (cave, atlas) = look::cave(seed);
    let game = Lantern {
        hud,
        cave,
        material: stage.atlas("cave", &atlas),
        display: stage.atlas("display", &display),
        seed,
    };
    stage.show(Vec3::new(0.0004, 0.0004, 0.0008), game)
}

impl Game for Lantern {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let middle = screen.units_wide() * 0.5;
        let mut cave = Batch::default();
        self.cave(&mut cave, middle);
        self.monster(&mut cave, middle, frame);
        self.guards(&mut cave, middle, frame);
        builder.sprites("cave", cave, self.material, layer);
        let mut lights = Batch::default();
        self.lights(&mut lights, middle, frame);
        self.display(&mut lights, screen.units_wide(), frame);
        builder.sprites("display", lights, self.display, layer);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

/// The monster of a moment.
struct Monster {
    number: i32,
    /// -1 comes from the left, 1 from the right.
    side: f32,
    /// Frames since it set out.
    since: f32,
    /// Position of its feet, from the middle of the ground.
    at: Vec2,
}

impl Lantern {
    fn monster_at(&self, frame: u64) -> Monster {
        let number = (frame / WAVE) as i32;
        let since = (frame % WAVE) as f32;
        let side = if random(number, 1, self.seed) < 0.5 {
            -1.0
        } else {
            1.0
        };
        let walked = since.min(HIT) / HIT;
        let x = side * (560.0 - 330.0 * walked);
        Monster {
            number,
            side,
            since,
            at: Vec2::new(x, ground(x) - 14.0 * arc((since / 25.0).fract())),
        }
    }

    fn cave(&self, batch: &mut Batch, middle: f32) {
        let glow = Placed::new(self.cave.light, Vec2::new(middle, GROUND - 120.0), 560.0);
        batch.add(glow.sized(Vec2::new(760.0, 560.0)));
        for number in 0..7 {
            let own = |salt| random(number, salt, self.seed ^ 0x57a1);
            let x = middle + (number as f32 - 3.0) * 92.0 + 40.0 * (own(1) - 0.5);
            let size = 90.0 + 90.0 * own(2);
            let dim = 0.5 - 0.12 * (number as f32 - 3.0).abs();
            let stone = Placed::new(self.cave.stalactite, Vec2::new(x, size * 0.5), size);
            batch.add(stone.tinted(Vec4::new(dim, dim, dim, 1.0)));
        }
        let hill = Placed::new(self.cave.hill, Vec2::new(middle, GROUND + 70.0), 1.0);
        batch.add(hill.sized(Vec2::new(900.0, 210.0)));
        for number in 0..9 {
            let own = |salt| random(number, salt, self.seed ^ 0x3f00);
            let x = -300.0 + 75.0 * number as f32 + 30.0 * own(1);
            let foot = Vec2::new(middle + x, GROUND + ground(x) + 8.0 + 22.0 * own(2));
            let tint = Vec4::new(0.5, 0.5, 0.5, 1.0);
            batch.add(
                Placed::new(self.cave.mushroom, foot, 26.0 + 16.0 * own(3))
                    .standing()
                    .tinted(tint),
            );
        }
        let foot = Vec2::new(middle + 26.0, GROUND + 8.0);
        batch.add(Placed::new(self.cave.post, foot, 250.0).standing());
    }

    fn guards(&self, batch: &mut Batch, middle: f32, frame: u64) {
        let monster = self.monster_at(frame);
        for number in 0..5 {
            let x = [-150.0, -84.0, -20.0, 84.0, 156.0][number];
            let own = random(number as i32, 9, self.seed);
            let blinks = (frame + (own * 170.0) as u64) % 170 < 6;
            let scared = monster.at.x.abs() < 300.0 && monster.since < HIT;
            let shiver = if scared && number % 2 == 1 {
                wave(frame as f32 / 6.0) * 1.5
            } else {
                0.0
            };
            let shooter = number == if monster.side < 0.0 { 0 } else { 4 };
            let sprite = if shooter {
                self.cave.gunner
            } else {
                self.cave.guards[usize::from(blinks)]
            };
            let foot = Vec2::new(middle + x + shiver, GROUND + ground(x) + 10.0);
            let mut guard = Placed::new(sprite, foot, 74.0 + 10.0 * own).standing();
            if shooter && monster.side < 0.0 {
                guard.size.x = -guard.size.x;
            }
            batch.add(guard);
        }
    }

    fn monster(&self, batch: &mut Batch, middle: f32, frame: u64) {
        let monster = self.monster_at(frame);
        let foot = Vec2::new(middle, GROUND) + monster.at + Vec2::Y * 10.0;
        if monster.since < HIT {
            // Light falls on it the nearer it comes.
            let lit = (1.1 - monster.at.x.abs() / 480.0).clamp(0.0, 1.0);
            let stride = usize::from((monster.since / 12.0) as u32 % 2 == 1);
            let mut body = Placed::new(self.cave.monster[stride], foot, 150.0).standing();
            body.size.x *= -monster.side;
            batch.add(body.tinted(Vec4::new(lit, lit, lit, 1.0)));
            let mut eyes = Placed::new(self.cave.eyes, body.at, 150.0);
            eyes.size.x *= -monster.side;
            batch.add(eyes);
        }
    }

    fn lights(&self, batch: &mut Batch, middle: f32, frame: u64) {
        let flame = Vec2::new(middle + 2.0, GROUND - 158.0);
        let flicker = 0.9 + 0.1 * wave(frame as f32 / 17.0) * wave(frame as f32 / 7.0);
        let halo = Placed::new(self.hud.glow, flame, 100.0).tinted(Vec4::new(
            1.0,
            0.72,
            0.3,
            0.8 * flicker,
        ));
        batch.add(halo);
        for number in 0..3 {
            let t = ((frame as f32 + 40.0 * number as f32) / 120.0).fract();
            let drift = 12.0 * wave(t + number as f32 * 0.37);
            let moth = flame + Vec2::new(drift, -60.0 * t);
            let tint = Vec4::new(1.0, 0.6, 0.2, arc(t) * 0.9);
            batch.add(Placed::new(self.hud.glow, moth, 7.0).tinted(tint));
        }
        let monster = self.monster_at(frame);
        let (hit, gun) = (
            Vec2::new(middle, GROUND) + monster.at - Vec2::Y * 60.0,
            Vec2::new(middle + monster.side * 196.0, GROUND + ground(150.0) - 26.0),
        );
        let fired = monster.since - (HIT - 6.0);
        if (0.0..6.0).contains(&fired) {
            batch.add(Placed::new(self.hud.glint, gun, 90.0 * (1.0 - fired / 8.0)));
            let bullet = gun.lerp(hit, fired / 6.0);
            batch.add(Placed::new(self.hud.glow, bullet, 18.0));
        }
        let t = (monster.since - HIT) / DUST;
        if (0.0..1.0).contains(&t) {
            for number in 0..16 {
                let own = random(number, monster.number, self.seed);
                let out =
                    heading(number as f32 / 16.0 + own * 0.1) * (30.0 + 90.0 * own) * ease_out(t);
                let dust = Placed::new(
                    self.hud.glow,
                    hit + out + Vec2::Y * 60.0 * t * t,
                    44.0 * (1.0 - t),
                );
                batch.add(dust.tinted(Vec4::new(0.45, 0.2, 0.7, 0.9 * (1.0 - t))));
            }
            let style = Style::new(26.0)
                .colored(Vec3::new(1.0, 0.8, 0.3))
                .faded(2.0 - 2.0 * t);
            self.hud
                .text(batch, "+50", hit - Vec2::Y * (40.0 + 40.0 * t), style);
        }
    }

    fn display(&self, batch: &mut Batch, wide: f32, frame: u64) {
        let hud = &self.hud;
        let dim = Vec3::new(0.75, 0.62, 0.42);
        let waves = (frame + WAVE - HIT as u64) / WAVE;
        let score = Style::new(30.0).colored(dim).aligned(Align::Left);
        hud.text(
            batch,
            &format!("{}", waves * 50),
            Vec2::new(84.0, 48.0),
            score,
        );
        batch.add(
            Placed::new(hud.star, Vec2::new(48.0, 46.0), 46.0)
                .tinted(Vec4::new(0.6, 0.6, 0.6, 1.0)),
        );
        for life in 0..5 {
            let at = Vec2::new(wide - 44.0 - 42.0 * life as f32, 46.0);
            batch.add(
                Placed::new(self.hud.heart, at, 36.0).tinted(Vec4::new(0.55, 0.55, 0.55, 1.0)),
            );
        }
        let night = Style::new(20.0).colored(dim * 0.6);
        hud.text(
            batch,
            &format!("NIGHT {}", 1 + waves / 10),
            Vec2::new(wide * 0.5, 690.0),
            night,
        );
        let oil = (Vec2::new(wide * 0.5, 655.0), Vec2::new(180.0, 18.0));
        hud.bar(
            batch,
            oil,
            0.35 + 0.6 * (1.0 - (frame / 240 % 20) as f32 / 20.0),
            Vec3::new(0.9, 0.5, 0.1),
        );
    }
}

/// The ground's surface `x` units beside its middle, down from its top.
fn ground(x: f32) -> f32 {
    let x = x / 450.0;
    60.0 * x * x
}
