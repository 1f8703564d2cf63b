//! Sweets in rows: a match-three board that plays itself. After the spirit of the papers' CCS: layered sprites, translucent
//! effects, a still camera; most of the picture is the same from frame to frame.

mod board;
mod look;

use glam::{Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::font::{Align, Style};
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease, ease_out, heading, overshoot, wave};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, Scene, Wrap};
use board::{Action, Cell, EDGE, Step, Timeline};

pub(super) const DEMO: Demo = Demo {
    name: "match3",
    about: "match-three board of sweets that plays itself",
    kind: Kind::Flat,
    camera: "static",
    setting: Setting::AsIs,
    start,
};

/// Units of a cell's edge.
const CELL: f32 = 78.0;

#[derive(Debug)]
struct Match3 {
    timeline: Timeline,
    hud: Hud,
    sweets: look::Sweets,
    materials: Materials,
    seed: u32,
}

#[derive(Debug)]
struct Materials {
    backdrop: MaterialId,
    sweets: MaterialId,
    hud: MaterialId,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("match3");
    let landscape = stage.texture(look::landscape(seed), Wrap::ClampToEdge);
    let (hud, hud_atlas) = Hud::new("display", 512, |_| ());
    let (sweets, sweet_atlas) = look::sweets();
    let materials = Materials {
        backdrop: stage.material(backdrop("landscape", landscape)),
        sweets: stage.atlas("sweets", &sweet_atlas),
        hud: stage.atlas("display", &hud_atlas),
    };
    let game = Match3 {
        timeline: Timeline::play(seed),
        hud,
        sweets,
        materials,
        seed,
    };
    stage.show(Vec3::ZERO, game)
}

impl Game for Match3 {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut builder = FrameBuilder::new(scene, screen);
        let layer = builder.layer(Vec2::ZERO, 1.0);
        let layout = Layout::new(screen);
        let (step, since) = self.timeline.at(frame);
        let materials = &self.materials;

        let mut landscape = Batch::default();
        let middle = Vec2::new(layout.wide, Screen::UNITS_HIGH) * 0.5;
        let width = layout.wide.max(1280.0);
        landscape.add(
            Placed::new(Sprite::WHOLE, middle, 0.0).sized(Vec2::new(width, width * 9.0 / 16.0)),
        );
        builder.sprites("landscape", landscape, materials.backdrop, layer);

        let mut ground = Batch::default();
        self.board(&mut ground, layout);
        self.mascot(&mut ground, layout, (frame, step, since));
        builder.sprites("board", ground, materials.sweets, layer);

        let mut sweets = Batch::default();
        self.sweets(&mut sweets, layout, step, since);
        builder.sprites("sweets", sweets, materials.sweets, layer);

        let mut effects = Batch::default();
        self.effects(&mut effects, layout, (frame, step, since));
        self.display(&mut effects, layout, (frame, step, since));
        builder.sprites("display", effects, materials.hud, layer);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

/// Layout of the board on a screen.
#[derive(Debug, Clone, Copy)]
struct Layout {
    wide: f32,
    /// Middle of the board's upper left cell.
    first: Vec2,
}

impl Layout {
    fn new(screen: Screen) -> Self {
        let wide = screen.units_wide();
        let left = wide * 0.5 - CELL * EDGE as f32 * 0.5 + 90.0;
        Self {
            wide,
            first: Vec2::new(left, 48.0) + CELL * 0.5,
        }
    }

    fn cell(&self, cell: Cell) -> Vec2 {
        self.first + Vec2::new(cell.column as f32, cell.row as f32) * CELL
    }

    fn board_middle(&self) -> Vec2 {
        self.first + CELL * (EDGE as f32 - 1.0) * 0.5
    }

    /// Middle of the column beside the board.
    fn side(&self) -> f32 {
        (self.first.x - CELL * 0.5) * 0.5
    }
}

impl Match3 {
    fn board(&self, batch: &mut Batch, layout: Layout) {
        let size = Vec2::splat(CELL * EDGE as f32 + 34.0);
        let frame = Placed::new(self.sweets.frame, layout.board_middle(), 1.0).sized(size);
        batch.nine(frame, 56.0, 0.44);
        for cell in Cell::all() {
            let sprite = self.sweets.tiles[(cell.row + cell.column) % 2];
            batch.add(Placed::new(sprite, layout.cell(cell), CELL));
        }
    }

    fn mascot(&self, batch: &mut Batch, layout: Layout, (frame, step, since): Moment<'_>) {
        let foot = Vec2::new(layout.side() - 10.0, 664.0);
        let blinks = frame % 170 < 7;
        let sprite = self.sweets.mascot[usize::from(blinks)];
        let hop = match step.action {
            Action::Pop { .. } if step.chain > 0 => arc(since / step.frames as f32) * 34.0,
            _ => 0.0,
        };
        batch.add(Placed::new(self.sweets.ground_shadow, foot, 46.0).sized(Vec2::new(220.0, 46.0)));
        let body = Placed::new(sprite, foot - Vec2::Y * hop, 262.0).standing();
        batch.add(body);
    }

    fn sweets(&self, batch: &mut Batch, layout: Layout, step: &Step, since: f32) {
        let t = since / step.frames as f32;
        for cell in Cell::all() {
            let Some(kind) = step.board.kind(cell) else {
                continue;
            };
            let place = layout.cell(cell);
            let sprite = self.sweets.kinds[kind];
            let mut sweet = Placed::new(sprite, place, CELL * 0.96);
            match &step.action {
                Action::Rest => {}
                Action::Swap(a, b) => {
                    let (to, up) = if cell == *a {
                        (layout.cell(*b), 1.08)
                    } else if cell == *b {
                        (layout.cell(*a), 0.92)
                    } else {
                        (place, 1.0)
                    };
                    sweet.at = place.lerp(to, ease(t));
                    sweet.size *= 1.0 + (up - 1.0) * arc(t);
                }
                Action::Pop { cells, .. } if cells.contains(&cell) => {
                    sweet.size *= 1.0 + 0.25 * arc(t * 1.6) - ease(t * 1.3 - 0.3);
                    sweet.tint.w = 1.0 - ease(t * 1.6 - 0.6);
                }
                Action::Pop { .. } => {}
                Action::Fall(drops) => {
                    let drop = drops[cell.column * EDGE + cell.row] as f32;
                    let fallen = fall(since, drop);
                    sweet.at.y -= (drop - fallen) * CELL;
                    if sweet.at.y < layout.first.y - CELL * 0.72 {
                        sweet.tint.w = 0.0;
                    }
                }
            }
            batch.add(sweet);
        }
    }

    /// Flashes, sparks and points where sweets burst; a glint now and then where they rest.
    fn effects(&self, batch: &mut Batch, layout: Layout, (frame, step, since): Moment<'_>) {
        let glint_cell = |period: u64, salt: u32| {
            let turn = (frame / period) as i32;
            let at = (random(turn, 7, self.seed ^ salt) * (EDGE * EDGE) as f32) as usize;
            (Cell::number(at), (frame % period) as f32 / period as f32)
        };
        for salt in 0..2 {
            let (cell, t) = glint_cell(46 + 9 * u64::from(salt), salt);
            let at = layout.cell(cell) + Vec2::new(-16.0, -18.0);
            let glint = Placed::new(self.hud.glint, at, 34.0 * arc(t));
            batch.add(glint.turned(t * 0.25).faded(0.9 * arc(t)));
        }
        let Action::Pop { cells, points } = &step.action else {
            return;
        };
        let t = since / step.frames as f32;
        for (number, &cell) in (0..).zip(cells) {
            let at = layout.cell(cell);
            let color = self.sweets.colors[step.board.kind(cell).unwrap_or(0)];
            let halo = Placed::new(self.hud.glow, at, CELL * (0.9 + 0.9 * ease_out(t)));
            batch.add(halo.tinted(color.lerp(Vec3::ONE, 0.5).extend(0.85 * (1.0 - t))));
            for spark in 0..7 {
                let own = random(number, spark, self.seed ^ step.start as u32);
                let reach = CELL * (0.35 + 0.55 * own) * ease_out(t);
                let flown = heading((spark as f32 + own) / 7.0) * reach + Vec2::Y * 40.0 * t * t;
                let size = (10.0 + 12.0 * own) * (1.0 - t);
                batch.add(Placed::new(self.hud.knob, at + flown, size).tinted(color.extend(0.95)));
            }
        }
        let middle = cells.iter().map(|&cell| layout.cell(cell)).sum::<Vec2>() / cells.len() as f32;
        let style = Style::new(30.0 * overshoot(t * 2.5)).colored(Vec3::new(1.0, 0.86, 0.2));
        let rise = Vec2::Y * 26.0 * ease_out(t);
        self.hud.text(
            batch,
            &format!("+{points}"),
            middle - rise,
            style.faded(2.0 - 1.8 * t),
        );
    }

    fn display(&self, batch: &mut Batch, layout: Layout, (frame, step, since): Moment<'_>) {
        let side = layout.side();
        let hud = &self.hud;
        hud.panel(batch, Vec2::new(side, 118.0), Vec2::new(250.0, 172.0));
        let label = Vec3::new(0.75, 0.72, 1.0);
        hud.text(
            batch,
            "SCORE",
            Vec2::new(side, 58.0),
            Style::new(17.0).colored(label),
        );
        let score = step.score.to_string();
        hud.text(batch, &score, Vec2::new(side, 92.0), Style::new(34.0));
        let share = 0.1 + 0.9 * (step.score % 6000) as f32 / 6000.0;
        let bar = (Vec2::new(side, 134.0), Vec2::new(206.0, 24.0));
        hud.bar(batch, bar, share, Vec3::new(0.3, 0.85, 0.25));
        for (number, goal) in [0.33, 0.66, 0.97].into_iter().enumerate() {
            let reached = share >= goal;
            let tint = if reached {
                Vec4::ONE
            } else {
                Vec4::new(0.12, 0.12, 0.16, 1.0)
            };
            let at = Vec2::new(side - 103.0 + 206.0 * goal, 134.0);
            let star = Placed::new(hud.star, at, 30.0 + 2.0 * number as f32);
            batch.add(star.tinted(tint));
        }
        let level = 1 + step.score / 6000;
        let style = Style::new(15.0).colored(label).aligned(Align::Left);
        hud.text(
            batch,
            &format!("LEVEL {level}"),
            Vec2::new(side - 108.0, 178.0),
            style,
        );
        let moves = format!("MOVES {}", step.moves_left);
        hud.text(
            batch,
            &moves,
            Vec2::new(side + 108.0, 178.0),
            style.aligned(Align::Right),
        );
        self.purse(batch, layout, frame);
        if step.chain > 1 && matches!(step.action, Action::Pop { .. }) {
            let words = ["SWEET!", "TASTY!", "DELICIOUS!"];
            let word = words[(step.chain - 2).min(2)];
            let t = since / step.frames as f32;
            let style = Style::new(62.0 * overshoot(t * 2.0)).colored(Vec3::new(1.0, 0.45, 0.6));
            hud.text(
                batch,
                word,
                layout.board_middle(),
                style.faded(3.0 - 2.9 * t),
            );
        }
    }

    /// Coins, lives, and the buttons of the right edge.
    fn purse(&self, batch: &mut Batch, layout: Layout, frame: u64) {
        let hud = &self.hud;
        let x = (layout.first.x + CELL * (EDGE as f32 - 0.5) + layout.wide) * 0.5;
        for (number, (icon, text)) in [(hud.heart, "5"), (hud.coin, "1250"), (hud.gem, "38")]
            .into_iter()
            .enumerate()
        {
            let at = Vec2::new(x + 8.0, 70.0 + 62.0 * number as f32);
            hud.panel(batch, at, Vec2::new(128.0, 44.0));
            batch.add(Placed::new(icon, at - Vec2::X * 58.0, 50.0));
            hud.text(batch, text, at + Vec2::new(14.0, 0.0), Style::new(20.0));
        }
        let colors = [
            Vec3::new(1.0, 0.3, 0.45),
            Vec3::new(0.3, 0.6, 1.0),
            Vec3::new(0.55, 0.9, 0.3),
        ];
        let icons = [hud.heart, hud.gem, hud.star];
        for (number, color) in colors.into_iter().enumerate() {
            let at = Vec2::new(x, 330.0 + 104.0 * number as f32);
            // The ready booster sways a little, for half a second of every three.
            let ready = number as u64 == frame / 180 % 3 && frame % 180 < 30;
            let sway = if ready {
                wave(frame as f32 / 15.0) * 5.0
            } else {
                0.0
            };
            hud.button(batch, at - Vec2::Y * sway, 88.0, color, icons[number]);
            hud.text(
                batch,
                &format!("*{}", 3 - number),
                at + Vec2::new(30.0, 30.0),
                Style::new(17.0),
            );
        }
        hud.button(
            batch,
            Vec2::new(x, 660.0),
            66.0,
            Vec3::new(0.9, 0.85, 1.0),
            hud.pause,
        );
    }
}

/// Frame, step, and frames since the step began.
type Moment<'a> = (u64, &'a Step, f32);

/// Cells that a sweet has fallen of `drop`, `since` frames after it was let go: free fall, then a small bounce.
fn fall(since: f32, drop: f32) -> f32 {
    let fallen = 0.017 * since * since;
    if fallen < drop {
        return fallen;
    }
    let landed = since - (drop / 0.017).sqrt();
    drop - 0.07 * arc(landed / 7.0)
}
