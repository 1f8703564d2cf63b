//! A village on an island of meadows, seen from above a corner: many small buildings, people who walk between them, mines
//! that ask to be emptied. The camera rests and now and then moves on a little way.

mod display;
mod houses;
mod land;
mod people;

use glam::{Vec2, Vec3, Vec4, vec2};

use crate::kit::atlas::{Atlas, Sheet, Sprite, sheet};
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{ease, ease_out, overshoot, wave, whole_seconds};
use crate::kit::scenery;
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop};
use crate::procedural::{random, smooth_step};
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, Scene, Wrap};
use land::{BUILDINGS, FROM, SIZE, WAYS, stroll, world};

pub(super) const DEMO: Demo = Demo {
    name: "village",
    about: "village of many small buildings and people, seen from above a corner",
    kind: Kind::Isometric,
    camera: "static, short pans",
    setting: Setting::AsIs,
    start,
};

/// Frames from one place of the camera to the next, and of the way between them.
const REST: u64 = 840;
const PAN: u64 = 54;
/// Number of walking villagers.
const PEOPLE: usize = 15;
/// Frames from one harvest of a mine to its next.
const HARVEST: u64 = 470;
/// Height of a building's sprite by kind, and where on it the middle of its floor lies, from the top, of its height.
const SHAPES: [(f32, f32); houses::KINDS] = [
    (206.0, 0.71),
    (102.0, 0.68),
    (102.0, 0.68),
    (94.0, 0.68),
    (108.0, 0.75),
    (114.0, 0.7),
    (124.0, 0.83),
    (72.0, 0.68),
    (94.0, 0.67),
    (94.0, 0.62),
    (40.0, 0.71),
    (80.0, 0.5),
    (72.0, 0.75),
];

#[derive(Debug)]
struct Village {
    /// Sprites of the buildings, by kind.
    buildings: [Sprite; houses::KINDS],
    /// An oak, a fir, a bush, a rock.
    plants: [Sprite; 4],
    folk: Folk,
    /// Static sprites, with the height by which they are sorted.
    standing: Vec<(f32, Placed)>,
    grown: Vec<(usize, Vec2, f32)>,
    hud: Hud<people::Icons>,
    materials: Materials,
    seed: u32,
}

/// Sprites of the villagers, and of flags, fires and smoke.
#[derive(Debug)]
struct Folk {
    /// Villagers by kind: two steps.
    people: [[Sprite; 2]; 4],
    /// Flags by colour: two moments.
    flags: [[Sprite; 2]; 2],
    /// A fire: two moments.
    fires: [Sprite; 2],
    smoke: Sprite,
    shadow: Sprite,
}

#[derive(Debug)]
struct Materials {
    ground: MaterialId,
    village: MaterialId,
    people: MaterialId,
    hud: MaterialId,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("village");
    let ground = stage.texture(land::ground(seed), Wrap::ClampToEdge);
    let ((buildings, plants), built) = buildings();
    let (folk, folk_atlas) = folk();
    let (hud, hud_atlas) = Hud::new("display", 512, people::Icons::new);
    let materials = Materials {
        ground: stage.material(backdrop("ground", ground)),
        village: stage.atlas("village", &built),
        people: stage.atlas("people", &folk_atlas),
        hud: stage.atlas("display", &hud_atlas),
    };
    let mut village = Village {
        buildings,
        plants,
        folk,
        standing: Vec::new(),
        grown: land::plants(seed),
        hud,
        materials,
        seed,
    };
    village.standing = village.stand();
    stage.show(Vec3::ZERO, village)
}

/// Buildings by kind, and what grows between them.
fn buildings() -> (([Sprite; houses::KINDS], [Sprite; 4]), Atlas) {
    sheet("village", 512, |s| {
        let plants = |s: &mut Sheet| {
            [
                s.sprite(|| scenery::oak(92)),
                s.sprite(|| scenery::fir(100)),
                s.sprite(|| scenery::bush(36)),
                s.sprite(|| scenery::rock(40)),
            ]
        };
        (houses::buildings(s), plants(s))
    })
}

fn folk() -> (Folk, Atlas) {
    let looks = [
        (0x00e0_5048, 0x0060_3a20),
        (0x0040_80d0, 0x00f0_c04a),
        (0x0058_a848, 0x0028_2024),
        (0x00e0_a030, 0x00b0_5a2c),
    ];
    sheet("people", 256, |s| Folk {
        people: looks.map(|(shirt, hair)| {
            [1.0, -1.0].map(|swing| s.sprite(|| people::villager(shirt, hair, swing)))
        }),
        flags: [0x00e8_3c3c, 0x0040_80e0]
            .map(|color| [0.0, 0.5].map(|phase| s.sprite(|| people::flag(phase, color)))),
        fires: [0.0, 2.4].map(|phase| s.sprite(|| people::fire(phase))),
        smoke: s.sprite(|| scenery::dust(40)),
        shadow: s.sprite(people::shadow),
    })
}

impl Game for Village {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let wide = screen.units_wide();
        let zoom = (wide / 1280.0).max(1.0);
        let origin = self.camera(frame)
            + (vec2(1280.0, 720.0) - vec2(wide, Screen::UNITS_HIGH) / zoom) * 0.5;
        let land = builder.layer(origin, zoom);
        let Materials {
            ground,
            village,
            people,
            hud,
        } = self.materials;

        let mut soil = Batch::default();
        soil.add(Placed::new(Sprite::WHOLE, FROM + SIZE * 0.5, 0.0).sized(SIZE));
        builder.sprites("ground", soil, ground, land);
        let mut shadows = Batch::default();
        self.shadows(&mut shadows, frame);
        builder.sprites("shadows", shadows, people, land);
        self.rows(&mut builder, frame, |builder, name, batch, is_folk| {
            builder.sprites(name, batch, if is_folk { people } else { village }, land);
        });
        let mut air = Batch::default();
        self.smoke(&mut air, frame);
        builder.sprites("smoke", air, people, land);
        let mut signs = Batch::default();
        self.signs(&mut signs, frame);
        builder.sprites("signs", signs, hud, land);
        let surface = builder.layer(Vec2::ZERO, 1.0);
        self.display(&mut builder, surface, frame, self.camera(frame));
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

impl Village {
    /// The world point in the upper left corner of a screen of 16 by 9.
    fn camera(&self, frame: u64) -> Vec2 {
        let place = |number: u64| {
            let own = |axis: i32| random(number as i32, axis, self.seed ^ 0xca3e) * 2.0 - 1.0;
            if number == 0 {
                Vec2::ZERO
            } else {
                vec2(own(0) * 126.0, own(1) * 58.0)
            }
        };
        let (number, since) = (frame / REST, frame % REST);
        let t = since.saturating_sub(REST - PAN) as f32 / PAN as f32;
        place(number).lerp(place(number + 1), ease(t))
    }

    fn stand(&self) -> Vec<(f32, Placed)> {
        let mut all: Vec<(f32, Placed)> = Vec::new();
        let walls = land::walls().into_iter().map(|cell| (10, cell));
        for (kind, cell) in BUILDINGS.into_iter().chain(walls) {
            let (height, floor) = SHAPES[kind];
            let at = world(cell);
            let middle = at - vec2(0.0, (floor - 0.5) * height);
            // Fields lie below people on them.
            let depth = if kind == 11 { at.y - 60.0 } else { at.y };
            all.push((depth, Placed::new(self.buildings[kind], middle, height)));
        }
        for &(kind, foot, height) in &self.grown {
            let plant = Placed::new(self.plants[kind], foot + vec2(0.0, 3.0), height);
            all.push((foot.y, plant.standing()));
        }
        all
    }

    fn shadows(&self, batch: &mut Batch, frame: u64) {
        let mut cast = |at: Vec2, size: Vec2| {
            batch.add(Placed::new(self.folk.shadow, at, 1.0).sized(size));
        };
        for &(kind, foot, height) in &self.grown {
            let wide = height * [0.95, 0.7, 1.7, 1.3][kind];
            cast(foot + vec2(0.1 * wide, -1.0), vec2(wide, 0.4 * wide));
        }
        for (kind, cell) in BUILDINGS
            .into_iter()
            .filter(|(kind, _)| ![9, 11].contains(kind))
        {
            let wide = SHAPES[kind].0
                * [
                    1.15, 1.5, 1.5, 1.6, 1.25, 1.5, 0.75, 1.7, 1.6, 0.0, 0.0, 0.0, 1.1,
                ][kind];
            cast(world(cell) + vec2(0.12 * wide, 3.0), vec2(wide, 0.5 * wide));
        }
        for number in 0..PEOPLE {
            cast(self.person(number, frame).0, vec2(24.0, 11.0));
        }
    }

    /// Position of a villager, whether the walk is to the right, and the step.
    fn person(&self, number: usize, frame: u64) -> (Vec2, bool, usize) {
        let own = |salt: i32| random(number as i32, salt, self.seed ^ 0x9e0);
        let walked = own(1) * 60.0 + frame as f32 * (0.017 + 0.011 * own(2));
        let (cell, ahead) = stroll(WAYS[number % WAYS.len()], walked);
        let side = vec2(own(3) - 0.5, own(4) - 0.5) * 0.7;
        let step = (walked * 3.6) as usize % 2;
        (world(cell + side), ahead.x - ahead.y >= 0.0, step)
    }

    /// Upright sprites, from far to near, in batches as the atlases alternate along rows of the screen.
    fn rows<'a>(
        &self,
        builder: &mut FrameBuilder<'a>,
        frame: u64,
        mut submit: impl FnMut(&mut FrameBuilder<'a>, &'static str, Batch, bool),
    ) {
        let mut all: Vec<(f32, bool, Placed)> = Vec::new();
        all.extend(
            self.standing
                .iter()
                .map(|&(depth, placed)| (depth, false, placed)),
        );
        for number in 0..PEOPLE {
            let (at, is_right, step) = self.person(number, frame);
            let mut placed = Placed::new(
                self.folk.people[number % 4][step],
                at + vec2(0.0, 2.0),
                38.0,
            )
            .standing();
            if !is_right {
                placed.size.x = -placed.size.x;
            }
            all.push((at.y, true, placed));
        }
        self.moving(&mut all, frame);
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        for run in all.chunk_by(|a, b| a.1 == b.1) {
            let mut batch = Batch::default();
            for (_, _, placed) in run {
                batch.add(*placed);
            }
            submit(
                builder,
                if run[0].1 { "people" } else { "buildings" },
                batch,
                run[0].1,
            );
        }
    }

    /// Moving sprites: flags and fires.
    fn moving(&self, all: &mut Vec<(f32, bool, Placed)>, frame: u64) {
        let flutter = |number: u64| ((frame + 5 * number) / 11 % 2) as usize;
        let hall = world(BUILDINGS[0].1);
        let flags = [
            (0, hall + vec2(14.0, -192.0), hall.y),
            (
                1,
                world(BUILDINGS[16].1) + vec2(12.0, -92.0),
                world(BUILDINGS[16].1).y,
            ),
        ];
        for (number, (color, at, depth)) in (0..).zip(flags) {
            let flag = Placed::new(self.folk.flags[color][flutter(number)], at, 34.0);
            all.push((depth + 0.1, true, flag));
        }
        let camps = BUILDINGS.into_iter().filter(|(kind, _)| *kind == 9);
        for (number, (_, cell)) in (0..).zip(camps) {
            let at = world(cell) + vec2(38.0, 10.0);
            let fire = Placed::new(self.folk.fires[flutter(3 + number)], at, 40.0).standing();
            all.push((at.y, true, fire));
        }
    }

    /// Smoke from the chimneys of cottages.
    fn smoke(&self, batch: &mut Batch, frame: u64) {
        let cottages = BUILDINGS
            .into_iter()
            .filter(|(kind, _)| *kind == 1 || *kind == 2);
        for (number, (_, cell)) in (0_u64..)
            .zip(cottages)
            .filter(|(number, _)| number % 2 == 0)
        {
            let top = world(cell) + vec2(0.0, -84.0);
            for puff in 0..4 {
                let t = ((frame + 37 * number + 30 * puff) % 120) as f32 / 120.0;
                let drift = vec2(16.0 * t * t + 3.0 * wave(t + 0.2 * puff as f32), -40.0 * t);
                let size = 9.0 + 17.0 * ease_out(t);
                let cloud = Placed::new(self.folk.smoke, top + drift, size);
                let fade = 0.75 * smooth_step(0.0, 0.12, t) * (1.0 - t);
                batch.add(cloud.tinted(Vec4::new(1.0, 1.0, 1.0, fade)));
            }
        }
    }

    /// Bubbles over what can be emptied, the time that a building still takes.
    fn signs(&self, batch: &mut Batch, frame: u64) {
        let people::Icons {
            drop,
            bubble,
            hammer,
            ..
        } = self.hud.own;
        let mines = BUILDINGS
            .into_iter()
            .filter(|(kind, _)| *kind == 3 || *kind == 4);
        for (number, (kind, cell)) in (0..).zip(mines) {
            let since = harvest(number, frame).1 as f32;
            let at = world(cell) - vec2(0.0, 92.0);
            let size = overshoot((since - 170.0) / 16.0).max(0.0);
            if since > 170.0 {
                batch.add(Placed::new(bubble, at, 58.0 * size));
                let icon = if kind == 3 { self.hud.coin } else { drop };
                batch.add(Placed::new(icon, at - vec2(0.0, 4.0 * size), 34.0 * size));
            }
        }
        // A tower is being raised.
        let at = world(BUILDINGS[23].1) - vec2(0.0, 118.0);
        let left = 5400 - whole_seconds(frame) % 5400;
        let share = 1.0 - left as f32 / 5400.0;
        self.hud.bar(
            batch,
            (at, vec2(84.0, 15.0)),
            0.35 + 0.6 * share,
            Vec3::new(0.2, 0.8, 0.15),
        );
        let text = format!("{}H {}M {}S", left / 3600, left / 60 % 60, left % 60);
        self.hud.text(
            batch,
            &text,
            at - vec2(0.0, 17.0),
            crate::kit::font::Style::new(11.0),
        );
        let blow = (frame % 40) as f32 / 40.0;
        let swing = 0.12 * wave(blow) - 0.06;
        batch.add(Placed::new(hammer, at + vec2(-36.0, 62.0), 30.0).turned(swing));
    }
}

/// How often the mine `number` has been emptied, and frames since then.
fn harvest(number: u64, frame: u64) -> (u64, u64) {
    let shifted = frame + 105 * number + 90;
    (shifted / HARVEST, shifted % HARVEST)
}
