//! Over the hills: a jeep drives itself across rolling country. After the spirit of the papers' HCR and Jet: a side
//! scroller of many layers at paces of their own, so that hardly a tile outlives a frame.

mod drive;
pub(super) mod land;
mod look;

use glam::{Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::font::{Align, Style};
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease, ease_out, overshoot, wave};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop, sprites};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, Primitive, Scene, ThroughView, Wrap};
use drive::{Car, Ride, Road, WHEEL};

pub(super) const DEMO: Demo = Demo {
    name: "climb",
    about: "jeep over the hills, layers of landscape behind and before it",
    kind: Kind::Flat,
    camera: "scrolling",
    setting: Setting::AsIs,
    start,
};

/// Units of an image of earth, as high as it is.
const EARTH: Vec2 = Vec2::new(480.0, 320.0);
/// Units from one group of coins to the next.
const COINS_EVERY: f32 = 980.0;
/// Coins of a group.
const COINS: i32 = 7;
/// Units from can to can.
const CANS_EVERY: f32 = 4600.0;
/// Units from one column of the ground's vertices to the next.
const COLUMN: f32 = 20.0;
/// Frames that a puff of dust lives.
const DUST_LIVES: usize = 34;

/// A picture of the landscape behind the road.
#[derive(Debug, Clone, Copy)]
struct Layer {
    name: &'static str,
    material: MaterialId,
    /// Scroll speed as a share of the road's.
    pace: f32,
    /// Units to the upper edge.
    top: f32,
    /// Units of one repetition.
    size: Vec2,
}

#[derive(Debug)]
struct Climb {
    ride: Ride,
    layers: Vec<Layer>,
    props: look::Props,
    hud: Hud<look::Instruments>,
    materials: Materials,
    seed: u32,
}

#[derive(Debug)]
struct Materials {
    earth: MaterialId,
    turf: MaterialId,
    props: MaterialId,
    hud: MaterialId,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("climb");
    let layers = layers(&mut stage, seed);
    let (props, props_atlas) = look::props();
    let (hud, hud_atlas) = Hud::new("display", 512, look::Instruments::new);
    let earth = stage.texture(land::earth(seed), Wrap::Repeat);
    let turf = stage.texture(land::turf(seed), Wrap::Repeat);
    let materials = Materials {
        earth: stage.material(backdrop("earth", earth)),
        turf: stage.material(sprites("turf", turf)),
        props: stage.atlas("roadside", &props_atlas),
        hud: stage.atlas("display", &hud_atlas),
    };
    let game = Climb {
        ride: Ride::new(seed),
        layers,
        props,
        hud,
        materials,
        seed,
    };
    stage.show(Vec3::ZERO, game)
}

fn layers(stage: &mut Stage, seed: u32) -> Vec<Layer> {
    let pictures = [
        (
            "sky",
            land::sky(seed),
            0.035,
            -24.0,
            Vec2::new(1440.0, 520.0),
        ),
        (
            "mountains",
            land::mountains(seed),
            0.09,
            150.0,
            Vec2::new(1138.0, 320.0),
        ),
        (
            "woods",
            land::woods(seed),
            0.22,
            226.0,
            Vec2::new(1048.0, 360.0),
        ),
        (
            "fields",
            land::fields(seed),
            0.45,
            262.0,
            Vec2::new(1334.0, 400.0),
        ),
    ];
    let mut layers = Vec::new();
    for (name, picture, pace, top, size) in pictures {
        let texture = stage.texture(picture, Wrap::ClampToEdge);
        let material = match name {
            "sky" => stage.material(backdrop(name, texture)),
            _ => stage.material(sprites(name, texture)),
        };
        layers.push(Layer {
            name,
            material,
            pace,
            top,
            size,
        });
    }
    layers
}

impl Game for Climb {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let cars = self.ride.until(frame, DUST_LIVES);
        let Some(car) = cars.last() else {
            return builder.finish(flat_view(screen, Vec2::ZERO, 1.0));
        };
        let window = Window::new(screen, car.camera);
        for layer in &self.layers {
            self.backdrop(&mut builder, layer, window);
        }
        let world = builder.layer(window.corner, 1.0);
        let mut behind = Batch::default();
        self.roadside(&mut behind, window);
        self.prizes(&mut behind, window, car, frame);
        self.dust(&mut behind, &cars);
        self.car(&mut behind, car, frame);
        builder.sprites("roadside", behind, self.materials.props, world);
        self.ground(&mut builder, window, world);
        let mut tufts = Batch::default();
        self.tufts(&mut tufts, window);
        builder.sprites("grass", tufts, self.materials.props, world);
        let display_layer = builder.layer(Vec2::ZERO, 1.0);
        let mut display = Batch::default();
        self.coins(&mut display, window, car, frame);
        self.display(&mut display, window, car);
        builder.sprites("display", display, self.materials.hud, display_layer);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

/// The part of the world that is to be seen.
#[derive(Debug, Clone, Copy)]
struct Window {
    /// Upper left corner of the window, in units of the land.
    corner: Vec2,
    wide: f32,
}

impl Window {
    fn new(screen: Screen, camera: Vec2) -> Self {
        let wide = screen.units_wide();
        Self {
            corner: camera - Vec2::new(wide * 0.46, 440.0),
            wide,
        }
    }

    /// Whole multiples of `every` in the window and `before` units beyond its edges.
    fn marks(self, every: f32, before: f32) -> impl Iterator<Item = i32> {
        let first = ((self.corner.x - before) / every).ceil() as i32;
        let last = ((self.corner.x + self.wide + before) / every).floor() as i32;
        first..last + 1
    }
}

impl Climb {
    fn backdrop(&self, builder: &mut FrameBuilder<'_>, layer: &Layer, window: Window) {
        let rise = (window.corner.y - 60.0) * layer.pace * 0.55;
        let corner = Vec2::new(window.corner.x * layer.pace, rise.clamp(-70.0, 24.0));
        let through = builder.layer(corner, 1.0);
        let first = (corner.x / layer.size.x).floor() as i32;
        let last = ((corner.x + window.wide) / layer.size.x).floor() as i32;
        let mut batch = Batch::default();
        for k in first..=last {
            let left = k as f32 * layer.size.x;
            let at =
                |x: f32, y: f32| Vec2::new(left + x * layer.size.x, layer.top + y * layer.size.y);
            let corners = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
            batch.quad(corners, Sprite::WHOLE, [Vec4::ONE; 4]);
        }
        builder.sprites(layer.name, batch, layer.material, through);
    }

    /// Trees, bushes, rocks and signs, standing a little behind the road's edge.
    fn roadside(&self, batch: &mut Batch, window: Window) {
        for mark in window.marks(148.0, 160.0) {
            let own = |salt: i32| random(mark, salt, self.seed ^ 0x0d5);
            let kind = (own(0) * 6.5) as usize;
            let Some(&sprite) = self.props.roadside.get(kind) else {
                continue;
            };
            let height = [246.0, 262.0, 74.0, 66.0, 110.0][kind] * (0.8 + 0.4 * own(1));
            let x = mark as f32 * 148.0 + 60.0 * own(2);
            let foot = Vec2::new(x, self.ride.road.height(x) + 8.0);
            let mut placed = Placed::new(sprite, foot, height).standing();
            // Crowns sway in the wind.
            if kind < 3 {
                placed.turns = 0.004 * wave(window.corner.x / 900.0 + own(3));
            }
            batch.add(placed);
        }
    }

    /// Petrol cans over the road, those taken fly up.
    fn prizes(&self, batch: &mut Batch, window: Window, car: &Car, frame: u64) {
        for mark in window.marks(CANS_EVERY, 100.0).filter(|&mark| mark > 0) {
            let x = mark as f32 * CANS_EVERY;
            let t = ((car.front.x - x) / 170.0).clamp(0.0, 1.0);
            let float = 6.0 * wave(frame as f32 / 70.0) + 90.0 * ease_out(t);
            let at = Vec2::new(x, self.ride.road.height(x) - 78.0 - float);
            batch.add(Placed::new(self.props.can, at, 64.0 * (1.0 + 0.4 * t)).faded(1.0 - t));
        }
    }

    fn coins(&self, batch: &mut Batch, window: Window, car: &Car, frame: u64) {
        for group in window.marks(COINS_EVERY, 400.0).filter(|&group| group > 0) {
            for k in 0..COINS {
                let (x, lift) = coin(group, k, self.seed);
                let t = ((car.front.x - x) / 130.0).clamp(0.0, 1.0);
                let at = Vec2::new(x, self.ride.road.height(x) - lift - 70.0 * ease_out(t));
                // A coin that turns is as wide as the cosine of its angle.
                let turn = wave(frame as f32 / 80.0 + k as f32 * 0.07);
                let size = Vec2::new(44.0 * (0.25 + 0.75 * turn.abs()), 44.0) * (1.0 + 0.3 * t);
                let placed = Placed::new(self.hud.coin, at - window.corner, 44.0).sized(size);
                batch.add(placed.faded(1.0 - t));
                if t > 0.0 && t < 1.0 {
                    let glint = Placed::new(self.hud.glint, at - window.corner, 90.0 * arc(t));
                    batch.add(glint.turned(t * 0.3).faded(0.9 * (1.0 - t)));
                }
            }
        }
    }

    /// Dust from the driven wheel.
    fn dust(&self, batch: &mut Batch, cars: &[Car]) {
        for (age, car) in cars.iter().rev().enumerate().filter(|(_, car)| car.grips) {
            // One puff every other unit of distance class, so that puffs stay where they were born.
            let number = car.rear.x.to_bits().cast_signed();
            let own = |salt: i32| random(number, salt, self.seed);
            if own(0) > 0.3 + 0.5 * car.throttle {
                continue;
            }
            let t = age as f32 / DUST_LIVES as f32;
            let born = car.rear - car.up() * (WHEEL - 4.0);
            let flight = Vec2::new(-30.0 - 70.0 * own(1), -16.0 - 46.0 * own(2)) * ease_out(t);
            let puff = Placed::new(self.props.dust, born + flight, 18.0 + 54.0 * ease_out(t));
            batch.add(puff.turned(own(3) + 0.2 * t).faded(0.65 * (1.0 - t)));
        }
    }

    fn car(&self, batch: &mut Batch, car: &Car, frame: u64) {
        let turns = car.turns();
        let shake = if car.grips {
            0.7 * wave(frame as f32 * 0.23)
        } else {
            0.0
        };
        let body = car.middle() + car.up() * (42.0 - car.sag + shake);
        let chassis = Placed::new(self.props.car, body, 132.0).turned(turns + 0.0009 * car.sag);
        batch.add(chassis);
        for wheel in [car.rear, car.front] {
            let placed = Placed::new(self.props.wheel, wheel, 2.0 * WHEEL + 3.0);
            batch.add(placed.turned(car.rolled));
        }
    }

    fn ground(&self, builder: &mut FrameBuilder<'_>, window: Window, world: ThroughView) {
        let bottom = window.corner.y + Screen::UNITS_HIGH + 8.0;
        let earth = strip(&self.ride.road, window, |at, row| {
            let (y, light) = match row {
                0 => (at.y, Vec3::new(1.0, 0.96, 0.9)),
                1 => (at.y + 90.0, Vec3::new(0.62, 0.57, 0.56)),
                _ => (bottom.max(at.y + 100.0), Vec3::new(0.3, 0.27, 0.31)),
            };
            (Vec2::new(at.x, y), Vec2::new(at.x, y) / EARTH, light)
        });
        builder.stream("earth", earth, self.materials.earth, world);
        let turf = strip(&self.ride.road, window, |at, row| {
            let y = at.y - 17.0 + 24.0 * row as f32;
            (
                Vec2::new(at.x, y),
                Vec2::new(at.x / 384.0, 0.01 + 0.49 * row as f32),
                Vec3::ONE,
            )
        });
        builder.stream("turf", turf, self.materials.turf, world);
    }

    /// Grass before the road.
    fn tufts(&self, batch: &mut Batch, window: Window) {
        for mark in window.marks(96.0, 100.0) {
            let own = |salt: i32| random(mark, salt, self.seed ^ 0x9a55);
            if own(0) < 0.45 {
                continue;
            }
            let x = mark as f32 * 96.0 + 50.0 * own(1);
            let foot = Vec2::new(x, self.ride.road.height(x) + 22.0 + 10.0 * own(2));
            let placed = Placed::new(self.props.tuft, foot, 26.0 + 20.0 * own(3)).standing();
            batch.add(placed.turned(self.ride.road.slope(x) * 0.14));
        }
    }

    fn display(&self, batch: &mut Batch, window: Window, car: &Car) {
        let hud = &self.hud;
        let x = car.front.x.max(0.0);
        hud.panel(batch, Vec2::new(152.0, 82.0), Vec2::new(264.0, 124.0));
        let left = Style::new(24.0).aligned(Align::Left);
        batch.add(Placed::new(hud.coin, Vec2::new(54.0, 52.0), 46.0));
        let purse = format!("{}", 1240 + 25 * coins_before(x, self.seed));
        hud.text(batch, &purse, Vec2::new(88.0, 52.0), left);
        batch.add(Placed::new(hud.gem, Vec2::new(54.0, 112.0), 42.0));
        hud.text(batch, "17", Vec2::new(88.0, 112.0), left);
        let middle = window.wide * 0.5;
        let fuel = 1.0 - 0.8 * (x / CANS_EVERY).fract();
        let full = Vec3::new(0.2, 0.75, 0.15);
        let color = Vec3::new(0.95, 0.12, 0.06).lerp(full, ease((fuel - 0.2) * 2.0));
        hud.bar(
            batch,
            (Vec2::new(middle, 44.0), Vec2::new(300.0, 34.0)),
            fuel,
            color,
        );
        hud.text(batch, "FUEL", Vec2::new(middle, 44.0), Style::new(16.0));
        let goal = 1000.0 * (1.0 + (x / 16000.0).floor());
        let way = format!("{}M / {}M", (x / 16.0) as u32, goal as u32);
        hud.text(batch, &way, Vec2::new(middle, 84.0), Style::new(20.0));
        let pause = Vec2::new(window.wide - 58.0, 58.0);
        hud.button(batch, pause, 68.0, Vec3::new(0.9, 0.85, 1.0), hud.pause);
        self.dashboard(batch, window, car);
        self.praise(batch, middle, car);
    }

    /// Pedals in the corners, dials between them.
    fn dashboard(&self, batch: &mut Batch, window: Window, car: &Car) {
        let look::Instruments {
            brake,
            gas,
            dial,
            needle,
        } = self.hud.own;
        let pressed = 0.12 * car.throttle;
        let at = |x: f32| Vec2::new(x, 628.0);
        batch.add(Placed::new(brake, at(84.0), 132.0));
        let down = Placed::new(
            gas,
            at(window.wide - 84.0) + Vec2::Y * 70.0 * pressed,
            142.0,
        );
        batch.add(down.sized(Vec2::new(down.size.x, 142.0 * (1.0 - pressed))));
        let revs = (car.speed / 900.0 + if car.grips { 0.25 * car.throttle } else { 0.4 }).min(1.0);
        let boost = car.throttle;
        let shares = [("RPM", revs), ("BOOST", boost)];
        for (side, (label, share)) in [-1.0, 1.0].into_iter().zip(shares) {
            let at = at(window.wide * 0.5 + side * 86.0);
            batch.add(Placed::new(dial, at, 138.0));
            self.hud
                .text(batch, label, at + Vec2::Y * 36.0, Style::new(11.0));
            let turns = 0.36 + 0.78 * share;
            batch.add(Placed::new(needle, at, 27.0).turned(turns));
        }
    }

    /// Words for a long flight.
    fn praise(&self, batch: &mut Batch, middle: f32, car: &Car) {
        let (flight, since) = car.landed;
        if flight < 24 || since > 70 {
            return;
        }
        let t = since as f32 / 70.0;
        let word = if flight > 44 {
            "INCREDIBLE!"
        } else {
            "AIR TIME!"
        };
        let gold = Vec3::new(1.0, 0.75, 0.1);
        let style = Style::new(46.0 * overshoot(t * 4.0))
            .colored(gold)
            .faded(3.0 - 3.0 * t);
        self.hud.text(batch, word, Vec2::new(middle, 170.0), style);
        let points = Style::new(26.0).faded(3.0 - 3.0 * t);
        self.hud.text(
            batch,
            &format!("+{}", flight * 10),
            Vec2::new(middle, 220.0),
            points,
        );
    }
}

/// Place of coin `k` of a group: x, and height above the road.
fn coin(group: i32, k: i32, seed: u32) -> (f32, f32) {
    let thrown = random(group, 0, seed ^ 0xc01) < 0.5;
    let t = k as f32 / (COINS - 1) as f32;
    let lift = if thrown { 92.0 + 96.0 * arc(t) } else { 62.0 };
    (group as f32 * COINS_EVERY + 58.0 * k as f32, lift)
}

/// Coins that lie before `x`.
fn coins_before(x: f32, seed: u32) -> u32 {
    let group = (x / COINS_EVERY) as i32;
    let begun = (0..COINS)
        .filter(|&k| group > 0 && coin(group, k, seed).0 <= x)
        .count();
    (group - 1).max(0).cast_unsigned() * COINS.cast_unsigned() + begun as u32
}

/// A band along the road in three rows of vertices; `vertex` gives place, texture coordinates and colour of a row's vertex
/// for a point of the road.
fn strip(
    road: &Road,
    window: Window,
    vertex: impl Fn(Vec2, u32) -> (Vec2, Vec2, Vec3),
) -> Primitive {
    let mut primitive = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    for (column, mark) in (0_u32..).zip(window.marks(COLUMN, COLUMN)) {
        let x = mark as f32 * COLUMN;
        for row in 0..3 {
            let (place, uv, color) = vertex(Vec2::new(x, road.height(x)), row);
            primitive.positions.push(place.extend(0.0));
            primitive.tex_coords[0].push(uv);
            primitive.colors.push(color.extend(1.0));
            if column > 0 && row < 2 {
                let [left, right] = [(column - 1) * 3 + row, column * 3 + row];
                primitive
                    .indices
                    .extend([left, right, right + 1, left, right + 1, left + 1]);
            }
        }
    }
    primitive
}
