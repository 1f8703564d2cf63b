//! Cut the rope: a candy on ropes, stars on its way, a creature that waits for it. A still camera in a quiet room: only
//! the ropes, the candy and a pair of eyes move.

mod display;
mod level;
mod look;
mod room;

use glam::{Vec2, Vec3, Vec4, vec2};

use crate::kit::atlas::Sprite;
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease, ease_out, heading, overshoot, wave};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop};
use crate::procedural::random;
use crate::{Demo, Frame, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, Scene, Wrap};
use level::{CHEWS, Level, Rope};

pub(super) const DEMO: Demo = Demo {
    name: "rope",
    about: "candy on ropes that are cut one by one, over a hungry creature",
    kind: Kind::Flat,
    camera: "static",
    setting: Setting::AsIs,
    start,
};

#[derive(Debug)]
struct CutTheRope {
    game: level::Game,
    things: look::Things,
    hud: Hud<look::Icons>,
    materials: Materials,
}

#[derive(Debug)]
struct Materials {
    walls: MaterialId,
    things: MaterialId,
    hud: MaterialId,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("rope");
    let walls = stage.texture(room::walls(seed), Wrap::ClampToEdge);
    let (things, things_atlas) = look::things();
    let (hud, hud_atlas) = Hud::new("display", 512, look::Icons::new);
    let materials = Materials {
        walls: stage.material(backdrop("walls", walls)),
        things: stage.atlas("stage", &things_atlas),
        hud: stage.atlas("display", &hud_atlas),
    };
    let game = CutTheRope {
        game: level::Game::play(seed),
        things,
        hud,
        materials,
    };
    stage.show(Vec3::ZERO, game)
}

/// A level at a time.
#[derive(Debug, Clone, Copy)]
struct Now<'a> {
    number: usize,
    level: &'a Level,
    /// Frames since the level began.
    time: usize,
    /// Frame number of the show.
    frame: u64,
}

impl Now<'_> {
    /// Frames since frame `begin` of the level, if that has come.
    fn since(self, begin: usize) -> Option<f32> {
        (self.time >= begin).then(|| (self.time - begin) as f32)
    }

    /// How big what belongs to the level is: it pops up when the level begins and shrinks when it ends.
    fn size(self, number: usize) -> f32 {
        let left = self.level.frames() - self.time;
        let grown = overshoot((self.time as f32 - 3.0 * number as f32) / 16.0);
        grown.max(0.0) * ease(left as f32 / 14.0)
    }
}

impl crate::Game for CutTheRope {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let wide = screen.units_wide();
        let zoom = (wide / 1280.0).max(1.0);
        let origin = (vec2(1280.0, 720.0) - vec2(wide, Screen::UNITS_HIGH) / zoom) * 0.5;
        let room = builder.layer(origin, zoom);
        let (number, level, time) = self.game.at(frame);
        let now = Now {
            number,
            level,
            time,
            frame,
        };
        let Materials { walls, things, hud } = self.materials;

        let mut wall = Batch::default();
        wall.add(Placed::new(Sprite::WHOLE, vec2(640.0, 360.0), 0.0).sized(vec2(1280.0, 720.0)));
        builder.sprites("walls", wall, walls, room);
        let mut decor = Batch::default();
        self.decor(&mut decor, frame);
        builder.sprites("decor", decor, things, room);
        let mut pins = Batch::default();
        self.pins(&mut pins, now);
        builder.sprites("pins", pins, things, room);
        let mut halos = Batch::default();
        self.halos(&mut halos, now);
        builder.sprites("halos", halos, hud, room);
        let mut eater = Batch::default();
        self.creature(&mut eater, now);
        builder.sprites("creature", eater, things, room);
        let mut ropes = Batch::default();
        self.ropes(&mut ropes, now);
        builder.sprites("ropes", ropes, things, room);
        let mut sweets = Batch::default();
        self.candy(&mut sweets, now);
        builder.sprites("candy", sweets, things, room);
        let mut effects = Batch::default();
        self.effects(&mut effects, now);
        builder.sprites("effects", effects, hud, room);
        let surface = builder.layer(Vec2::ZERO, 1.0);
        self.display(&mut builder, surface, now);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

impl CutTheRope {
    fn decor(&self, batch: &mut Batch, frame: u64) {
        let room::Decor {
            window,
            shelf,
            plant,
            picture,
            rug,
            blocks,
            lamp,
            clock,
            pendulum,
        } = self.things.decor;
        let hung = vec2(388.0, 292.0);
        let swing = 0.035 * wave(frame as f32 / 96.7);
        let bob =
            hung + vec2(0.0, 1.0).rotate(Vec2::from_angle(swing * std::f32::consts::TAU)) * 46.0;
        batch.add(Placed::new(pendulum, bob, 96.0).turned(swing));
        batch.add(Placed::new(clock, hung - vec2(0.0, 44.0), 112.0));
        batch.add(Placed::new(window, vec2(196.0, 262.0), 264.0));
        batch.add(Placed::new(picture, vec2(1016.0, 392.0), 118.0));
        batch.add(Placed::new(shelf, vec2(1098.0, 226.0), 142.0));
        batch.add(Placed::new(rug, vec2(640.0, 676.0), 84.0).sized(vec2(760.0, 84.0)));
        let mut stand = |sprite: Sprite, at: Vec2, height: f32| {
            let placed = Placed::new(sprite, at, height).standing();
            let wide = placed.size.x * 1.1;
            let shadow = Placed::new(self.things.shadow, at - vec2(0.0, 4.0), 1.0);
            batch.add(shadow.sized(vec2(wide, 0.26 * wide)));
            batch.add(placed);
        };
        stand(lamp, vec2(1216.0, 654.0), 330.0);
        stand(plant, vec2(64.0, 668.0), 232.0);
        stand(blocks, vec2(1080.0, 690.0), 104.0);
    }

    fn pins(&self, batch: &mut Batch, now: Now<'_>) {
        for (number, rope) in self.ropes_of(now).iter().enumerate() {
            batch.add(Placed::new(
                self.things.pin,
                rope.points[0],
                46.0 * now.size(number),
            ));
        }
        for (number, &(at, taken)) in now.level.stars.iter().enumerate() {
            if now.time < taken {
                // Each sways once in a while.
                let beat = (now.frame + 40 * number as u64) % 120;
                let sway = if beat < 24 {
                    0.03 * wave(beat as f32 / 12.0)
                } else {
                    0.0
                };
                let star = Placed::new(self.things.star, at, 74.0 * now.size(3 + number));
                batch.add(star.turned(sway));
            }
        }
    }

    fn ropes_of<'a>(&self, now: Now<'a>) -> &'a [Rope] {
        now.level.tick(now.time).map_or(&[], |tick| &tick.ropes)
    }

    /// Light around what is taken, and around the bubble's place.
    fn halos(&self, batch: &mut Batch, now: Now<'_>) {
        for &(at, taken) in &now.level.stars {
            if let Some(since) = now.since(taken).filter(|since| *since < 22.0) {
                let t = since / 22.0;
                let halo = Placed::new(self.hud.glow, at, 90.0 + 110.0 * ease_out(t));
                batch.add(halo.tinted(Vec4::new(1.0, 0.8, 0.25, 0.9 - 0.9 * t)));
            }
        }
    }

    fn creature(&self, batch: &mut Batch, now: Now<'_>) {
        let mouth = now.level.mouth;
        let grown = now.size(1);
        let seat = Placed::new(
            self.things.crate_box,
            mouth + vec2(0.0, 148.0),
            96.0 * grown,
        )
        .standing();
        let shadow = Placed::new(self.things.shadow, mouth + vec2(0.0, 144.0), 1.0);
        batch.add(shadow.sized(vec2(270.0, 50.0) * grown));
        batch.add(seat);
        let tick = now.level.tick(now.time);
        let candy = tick.map_or(mouth, |tick| tick.candy);
        let (pose, hop) = match now.since(now.level.fed) {
            Some(since) if since < CHEWS as f32 => {
                let chews = ((since / 8.0) as u32).is_multiple_of(2);
                (if chews { 2 } else { 0 }, 0.0)
            }
            Some(since) => (
                0,
                26.0 * arc(((since - CHEWS as f32) / 26.0).fract())
                    * f32::from(u8::from(since < CHEWS as f32 + 104.0)),
            ),
            None if candy.distance(mouth) < 210.0 => (1, 0.0),
            None => (0, 0.0),
        };
        let at = mouth - vec2(0.0, 20.0 + hop);
        let height = 152.0 * grown;
        batch.add(Placed::new(self.things.creature[pose], at, height));
        let blinks =
            (now.frame + 60) % 173 < 7 || (hop > 1.0 && now.since(now.level.fed).is_some());
        if blinks {
            batch.add(Placed::new(self.things.lids, at, height));
        } else {
            let gaze = if now.since(now.level.fed).is_some() {
                vec2(0.0, 60.0)
            } else {
                candy - at
            };
            // In steps of two units, as eyes jump.
            let look = (gaze.normalize_or_zero() * 4.5).round() * 1.8;
            for side in [-1.0, 1.0] {
                let eye = at + (vec2(side * 20.5, -27.0) + look) * grown;
                batch.add(Placed::new(self.things.pupil, eye, 23.0 * grown));
            }
        }
    }

    fn ropes(&self, batch: &mut Batch, now: Now<'_>) {
        if now.time > now.level.fed {
            return;
        }
        for rope in self.ropes_of(now) {
            let fade = rope.cut.map_or(1.0, |(since, _)| 1.0 - since as f32 / 46.0);
            if fade <= 0.0 {
                continue;
            }
            let cut = rope.cut.map(|(_, link)| link);
            let tint = Vec4::new(1.0, 1.0, 1.0, fade * now.size(0).min(1.0));
            let side = |k: usize| {
                let (before, after) = (k.saturating_sub(1), (k + 1).min(rope.points.len() - 1));
                let along = (rope.points[after] - rope.points[before]).normalize_or(Vec2::X);
                vec2(-along.y, along.x) * 6.0
            };
            for k in (0..rope.points.len() - 1).filter(|&k| Some(k) != cut) {
                let (a, b) = (rope.points[k], rope.points[k + 1]);
                let (sa, sb) = (side(k), side(k + 1));
                let part = self.things.link.part(vec2(0.17, 0.0), vec2(0.83, 1.0));
                batch.quad([a - sa, b - sb, b + sb, a + sa], part, [tint; 4]);
            }
        }
    }

    fn candy(&self, batch: &mut Batch, now: Now<'_>) {
        let waits = now.level.bubble.filter(|bubble| now.time < bubble.1);
        if let Some((at, ..)) = waits {
            let rise = 4.0 * wave(now.frame as f32 / 90.0);
            batch.add(Placed::new(
                self.things.bubble,
                at + vec2(0.0, rise),
                104.0 * now.size(2),
            ));
        }
        let Some(tick) = now
            .level
            .tick(now.time)
            .filter(|_| now.time < now.level.fed)
        else {
            return;
        };
        let size = 78.0 * now.size(0);
        batch.add(Placed::new(self.things.candy, tick.candy, size).turned(tick.turns));
        if let Some(since) = tick.floating {
            let wobble = 1.0 + 0.06 * wave(since as f32 / 26.0);
            let bubble = Placed::new(self.things.bubble, tick.candy, 1.0);
            batch.add(bubble.sized(vec2(112.0 * wobble, 112.0 / wobble)));
        }
    }

    /// Swipes that cut, stars and bubbles that burst, crumbs.
    fn effects(&self, batch: &mut Batch, now: Now<'_>) {
        for (number, &(begin, at)) in now.level.cuts.iter().enumerate() {
            if let Some(since) = now
                .since(begin.saturating_sub(6))
                .filter(|since| *since < 20.0)
            {
                self.swipe(batch, at, since, number);
            }
        }
        for (number, &(at, taken)) in (0..).zip(&now.level.stars) {
            if let Some(since) = now.since(taken) {
                self.sparks(batch, at, since / 30.0, number, Vec3::new(1.0, 0.75, 0.15));
            }
        }
        if let Some((_, _, pop)) = now.level.bubble
            && let Some((since, tick)) = now.since(pop).zip(now.level.tick(pop))
        {
            self.sparks(
                batch,
                tick.candy,
                since / 24.0,
                7,
                Vec3::new(0.5, 0.85, 1.0),
            );
        }
        if let Some(since) = now.since(now.level.fed) {
            self.sparks(
                batch,
                now.level.mouth,
                since / 34.0,
                9,
                Vec3::new(1.0, 0.3, 0.3),
            );
        }
    }

    /// The trail of a finger across a rope.
    fn swipe(&self, batch: &mut Batch, at: Vec2, since: f32, number: usize) {
        let trail = self.hud.own.trail;
        let along = heading(0.06 + 0.4 * (number % 2) as f32) * 84.0;
        let (from, to) = (ease_out(since / 20.0 - 0.3), ease_out(since / 9.0));
        let (a, b) = (
            at + along * (2.0 * from - 1.0),
            at + along * (2.0 * to - 1.0),
        );
        let side = vec2(-along.y, along.x).normalize_or_zero();
        let tint = Vec4::new(1.0, 1.0, 1.0, 0.95);
        let corners = [a - side, b - side * 7.0, b + side * 7.0, a + side];
        batch.quad(corners, trail, [tint; 4]);
        let flash = Placed::new(self.hud.glint, at, 96.0 * arc((since - 4.0) / 14.0));
        batch.add(flash.turned(0.02 * since));
    }

    fn sparks(&self, batch: &mut Batch, at: Vec2, t: f32, number: i32, color: Vec3) {
        if t >= 1.0 {
            return;
        }
        for spark in 0..12 {
            let own = random(number, spark, 0x5a);
            let flown = heading((spark as f32 + own) / 12.0) * (40.0 + 70.0 * own) * ease_out(t);
            let fallen = vec2(0.0, 60.0 * t * t);
            let size = (12.0 + 14.0 * own) * (1.0 - t);
            let star = Placed::new(self.hud.star, at + flown + fallen, size);
            batch.add(
                star.turned(own + 0.4 * t)
                    .tinted(color.lerp(Vec3::ONE, 0.4).extend(1.0)),
            );
        }
        let glint = Placed::new(self.hud.glint, at, 150.0 * arc(t));
        batch.add(glint.turned(0.1 * t).faded(0.8));
    }
}
