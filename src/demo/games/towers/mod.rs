//! Castle defence: foes come along a winding road, towers beside it shoot. A still camera over a painted land; what moves
//! is small, so that most of the picture outlives a frame.

mod arms;
mod battle;
mod display;
mod foes;
mod icons;
mod look;
mod map;

use glam::{Vec2, Vec3, Vec4, vec2};

use crate::kit::atlas::Sprite;
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease_out, heading, overshoot, wave};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use arms::BREEDS;
use azulejo_scene::{MaterialId, Scene, Wrap};
use battle::{Battle, Event, Foe, METEOR_FALLS, Shot, What};
use map::{GATE, LAND, MILL, PLOTS, Plant, Road};

pub(super) const DEMO: Demo = Demo {
    name: "towers",
    about: "towers defend a castle against waves of foes along a road",
    kind: Kind::Flat,
    camera: "static",
    setting: Setting::AsIs,
    start,
};

#[derive(Debug)]
struct Towers {
    road: Road,
    plants: Vec<Plant>,
    battle: Battle,
    field: look::Field,
    hud: Hud<icons::Icons>,
    materials: Materials,
}

#[derive(Debug)]
struct Materials {
    ground: MaterialId,
    field: MaterialId,
    hud: MaterialId,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("towers");
    let road = Road::new(seed);
    let ground = stage.texture(map::ground(seed, &road), Wrap::ClampToEdge);
    let (field, field_atlas) = look::field();
    let (hud, hud_atlas) = Hud::new("display", 512, icons::Icons::new);
    let materials = Materials {
        ground: stage.material(backdrop("ground", ground)),
        field: stage.atlas("battlefield", &field_atlas),
        hud: stage.atlas("display", &hud_atlas),
    };
    let game = Towers {
        plants: map::plants(seed, &road),
        battle: Battle::fight(seed, &road),
        road,
        field,
        hud,
        materials,
    };
    stage.show(Vec3::ZERO, game)
}

impl Game for Towers {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let wide = screen.units_wide();
        // Wide screens show more of the land's rim than there is: it is magnified.
        let zoom = (wide / LAND.x).max(1.0);
        let origin = (LAND - vec2(wide, Screen::UNITS_HIGH) / zoom) * 0.5;
        let land = builder.layer(origin, zoom);
        let time = self.battle.time(frame);
        let Materials { ground, field, hud } = self.materials;

        let mut soil = Batch::default();
        soil.add(Placed::new(Sprite::WHOLE, LAND * 0.5, 0.0).sized(LAND));
        builder.sprites("ground", soil, ground, land);
        let mut marks = Batch::default();
        self.plots(&mut marks);
        builder.sprites("plots", marks, field, land);
        let mut shadows = Batch::default();
        self.shadows(&mut shadows, time);
        builder.sprites("shadows", shadows, field, land);
        for (name, batch) in self.standing(time) {
            builder.sprites(name, batch, field, land);
        }
        let mut shots = Batch::default();
        self.shots(&mut shots, time);
        builder.sprites("shots", shots, field, land);
        let mut fire = Batch::default();
        self.explosions(&mut fire, time);
        builder.sprites("explosions", fire, field, land);
        let mut lights = Batch::default();
        self.lights(&mut lights, time);
        self.bars(&mut lights, time);
        builder.sprites("lights", lights, hud, land);
        let surface = builder.layer(Vec2::ZERO, 1.0);
        self.display(&mut builder, surface, time, frame);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

/// Upright sprite, with the height by which it is sorted.
type Standing = (f32, Placed);

impl Towers {
    fn plots(&self, batch: &mut Batch) {
        for (plot, _) in PLOTS {
            batch.add(Placed::new(self.field.plot, plot, 58.0));
        }
        for &(kind, at, height) in self.plants.iter().filter(|plant| plant.0 == 5) {
            batch.add(Placed::new(self.field.plants[kind], at, height));
        }
    }

    fn shadows(&self, batch: &mut Batch, time: u32) {
        let mut cast = |at: Vec2, width: f32| {
            let shadow = Placed::new(self.field.shadow, at + vec2(0.1 * width, 0.0), 1.0);
            batch.add(shadow.sized(vec2(width, 0.42 * width)));
        };
        for &(kind, at, height) in self.plants.iter().filter(|plant| plant.0 < 4) {
            cast(at - vec2(0.0, 2.0), height * [0.86, 0.66, 1.6, 1.2][kind]);
        }
        cast(GATE + vec2(0.0, 14.0), 300.0);
        cast(MILL - vec2(0.0, 4.0), 110.0);
        for foe in &self.battle.tick(time).foes {
            let height = BREEDS[foe.kind].height;
            cast(
                foe.at(&self.road),
                if foe.kind == 2 { 36.0 } else { 0.8 * height },
            );
        }
    }

    /// Plants, towers, the castle and foes, from far to near; split where an engine would begin another batch.
    fn standing(&self, time: u32) -> Vec<(&'static str, Batch)> {
        let mut all: Vec<Standing> = Vec::new();
        for &(kind, at, height) in self.plants.iter().filter(|plant| plant.0 != 5) {
            let placed = Placed::new(self.field.plants[kind], at + vec2(0.0, 3.0), height);
            all.push((at.y, placed.standing()));
        }
        let castle = Placed::new(self.field.castle, GATE + vec2(0.0, 24.0), 270.0);
        all.push((GATE.y - 30.0, castle.standing()));
        for (x, turn) in [(-78.0, 0_u32), (0.0, 7), (78.0, 15)] {
            let flutter = self.field.flag[(((time + turn) / 14) % 2) as usize];
            let top = if x == 0.0 { -250.0 } else { -240.0 };
            let flag = Placed::new(flutter, GATE + vec2(x + 16.0, top), 26.0);
            all.push((GATE.y - 29.0, flag));
        }
        let [mill, sails] = self.field.mill;
        all.push((MILL.y, Placed::new(mill, MILL, 118.0).standing()));
        let sails = Placed::new(sails, MILL - vec2(0.0, 78.0), 112.0);
        all.push((MILL.y + 0.1, sails.turned(time as f32 / 620.0)));
        let tick = self.battle.tick(time);
        for (number, (plot, kind)) in PLOTS.into_iter().enumerate() {
            let level = tick.levels[number];
            if level > 0 {
                let height = [124.0, 134.0, 98.0][kind] * (0.94 + 0.05 * level as f32);
                let rise = self.rise(plot, time);
                let mut tower =
                    Placed::new(self.field.towers[kind], plot + vec2(0.0, 17.0), height);
                tower.size.y *= rise;
                all.push((plot.y + 6.0, tower.standing()));
            }
        }
        all.extend(tick.foes.iter().map(|foe| self.foe(foe, time)));
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let rows = [
            ("far", f32::MIN, 300.0),
            ("middle", 300.0, 450.0),
            ("near", 450.0, f32::MAX),
        ];
        let row = |(name, from, to): (&'static str, f32, f32)| {
            let mut batch = Batch::default();
            for (_, placed) in all.iter().filter(|(y, _)| (from..to).contains(y)) {
                batch.add(*placed);
            }
            (name, batch)
        };
        rows.map(row).into()
    }

    /// How high a tower stands that may be in the making.
    fn rise(&self, plot: Vec2, time: u32) -> f32 {
        let built = |(event, _): &(&Event, f32)| event.what == What::Built && event.at == plot;
        let age = self
            .battle
            .events(time)
            .filter(built)
            .last()
            .map_or(99.0, |(_, age)| age);
        overshoot(0.35 + age / 30.0)
    }

    fn foe(&self, foe: &Foe, time: u32) -> Standing {
        let breed = BREEDS[foe.kind];
        let at = foe.at(&self.road);
        let step = foe.way / (0.3 * breed.height);
        let frame = usize::from((step as i32).rem_euclid(2) == 1);
        let (lift, lean) = if foe.kind == 2 {
            (
                34.0 + 4.0 * wave(time as f32 / 50.0 + foe.id as f32 * 0.3),
                0.0,
            )
        } else {
            (2.5 * wave(step * 0.5).abs(), 0.012 * wave(step * 0.5))
        };
        let mut placed = Placed::new(
            self.field.foes[foe.kind][frame],
            at - vec2(0.0, lift),
            breed.height,
        );
        placed = placed.standing().turned(lean);
        if self.road.at(foe.way + 8.0).x < self.road.at(foe.way - 8.0).x - 2.0 {
            placed.size.x = -placed.size.x;
            placed.turns = -lean;
        }
        // A foe that is hit flashes red; a new one fades in at the edge.
        if foe.hurt > 0 && time - foe.hurt < 7 {
            placed.tint = Vec4::new(1.6, 0.55, 0.45, 1.0);
        }
        (at.y, placed)
    }

    fn shots(&self, batch: &mut Batch, time: u32) {
        for (shot, t) in self.battle.shots(time).filter(|(shot, _)| shot.kind != 1) {
            let at = flown(shot, t);
            if shot.kind == 0 {
                let way = flown(shot, t + 0.02) - flown(shot, t - 0.02);
                let turns = way.to_angle() / std::f32::consts::TAU;
                batch.add(Placed::new(self.field.arrow, at, 10.0).turned(turns));
            } else {
                batch.add(Placed::new(self.field.ball, at, 20.0));
            }
        }
    }

    /// Explosions, smoke and falling meteors.
    fn explosions(&self, batch: &mut Batch, time: u32) {
        for (event, age) in self.battle.events(time) {
            match event.what {
                What::Hit(2) => self.explode(batch, event, age, 84.0),
                What::Meteor if age >= METEOR_FALLS as f32 => {
                    self.explode(batch, event, age - METEOR_FALLS as f32, 150.0);
                }
                What::Meteor => {
                    let t = age / METEOR_FALLS as f32;
                    let sky = event.at + vec2(260.0, -560.0);
                    for tail in (0..5).rev() {
                        let at = sky.lerp(event.at, (t - 0.03 * tail as f32).max(0.0));
                        let size = 70.0 - 9.0 * tail as f32;
                        let fire = Placed::new(self.field.burst, at, size)
                            .turned(0.13 * age + 0.2 * tail as f32);
                        batch.add(fire.faded(1.0 - 0.17 * tail as f32));
                    }
                    batch.add(Placed::new(self.field.ball, sky.lerp(event.at, t), 40.0));
                }
                What::Built => self.puffs(batch, event, age / 44.0, 62.0),
                What::Death(_) => self.puffs(batch, event, age / 26.0, 30.0),
                What::Leak => self.puffs(batch, event, age / 40.0, 44.0),
                What::Hit(_) => {}
            }
        }
    }

    fn explode(&self, batch: &mut Batch, event: &Event, age: f32, size: f32) {
        let t = age / 22.0;
        self.puffs(batch, event, age / 40.0, size * 0.6);
        if t < 1.0 {
            let grown = size * (0.45 + 0.65 * ease_out(t));
            let fire = Placed::new(self.field.burst, event.at - vec2(0.0, 8.0), grown);
            batch.add(
                fire.turned(0.06 * t + 0.1 * (event.born % 10) as f32)
                    .faded(1.6 - 1.6 * t),
            );
        }
    }

    /// Smoke that spreads and thins.
    fn puffs(&self, batch: &mut Batch, event: &Event, t: f32, reach: f32) {
        if t >= 1.0 {
            return;
        }
        for puff in 0..6 {
            let own = |salt: i32| random(puff * 8 + salt, event.born.cast_signed(), 5);
            let away = heading((puff as f32 + own(0)) / 6.0) * vec2(1.0, 0.6);
            let at =
                event.at + away * reach * (0.25 + 0.6 * own(1)) * ease_out(t) - vec2(0.0, 22.0 * t);
            let size = reach * (0.5 + 0.5 * own(2)) * (0.5 + 0.7 * ease_out(t));
            batch.add(
                Placed::new(self.field.smoke, at, size)
                    .turned(own(3))
                    .faded(0.9 * (1.0 - t)),
            );
        }
    }

    fn lights(&self, batch: &mut Batch, time: u32) {
        let hud = &self.hud;
        for (shot, t) in self.battle.shots(time).filter(|(shot, _)| shot.kind == 1) {
            for tail in 0..3 {
                let at = flown(shot, (t - 0.05 * tail as f32).max(0.0));
                let size = 34.0 - 8.0 * tail as f32;
                let color = Vec4::new(0.25, 0.75, 1.0, 0.9 - 0.25 * tail as f32);
                batch.add(Placed::new(hud.glow, at, size).tinted(color));
            }
            batch.add(Placed::new(hud.glint, flown(shot, t), 26.0).turned(t));
        }
        for (event, age) in self.battle.events(time) {
            match event.what {
                What::Hit(1) if age < 14.0 => {
                    let t = age / 14.0;
                    let ring = Placed::new(hud.glow, event.at, 30.0 + 34.0 * t);
                    batch.add(ring.tinted(Vec4::new(0.3, 0.8, 1.0, 0.9 - 0.9 * t)));
                    batch.add(Placed::new(hud.glint, event.at, 60.0 * arc(t)).turned(0.2 * t));
                }
                What::Hit(0) if age < 8.0 => {
                    batch.add(Placed::new(hud.glint, event.at, 26.0 * arc(age / 8.0)));
                }
                _ => {}
            }
        }
    }
}

/// Position of a shot in flight: arrows and balls fly in an arc.
fn flown(shot: &Shot, t: f32) -> Vec2 {
    let high = [34.0, 0.0, 86.0][shot.kind];
    shot.from.lerp(shot.to, t) - vec2(0.0, high * 4.0 * t * (1.0 - t))
}
