//! Blocks of seven kinds fall into a well between floating islands, steered by a magician. After the spirit of the papers'
//! `GrT`: a 3D stage before a camera that never moves, of which only the falling piece changes.

mod game;
mod look;
mod set;

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::decal::Decal;
use crate::kit::font::{Align, Style};
use crate::kit::frame::{FrameBuilder, look_at};
use crate::kit::hud::Hud;
use crate::kit::motion::{ease, ease_out, heading, overshoot};
use crate::kit::solid::lit;
use crate::kit::sprites::Batch;
use crate::kit::stage::{Stage, Surroundings};
use crate::procedural::random;
use crate::{Demo, Frame, Kind, Screen, Setting, Show};
use azulejo_scene::{MeshId, Scene, ThroughView, View, Wrap};
use game::{BURST, Board, Game, HIGH, LOCK, STEER, Turn, WIDE};

pub(super) const DEMO: Demo = Demo {
    name: "blocks",
    about: "blocks fall into a well between islands in the evening sky",
    kind: Kind::Solid,
    camera: "static",
    setting: Setting::AsIs,
    start,
};

/// A piece in its way: cells around a middle, turned.
#[derive(Debug, Clone, Copy)]
struct Falling {
    /// Middle of the piece in world space, metres.
    middle: Vec3,
    /// Rotation about z, radians.
    turn: f32,
}

#[derive(Debug)]
struct Blocks {
    game: Game,
    kinds: Vec<MeshId>,
    flash: MeshId,
    set: MeshId,
    magician: MeshId,
    hud: Hud,
    around: Surroundings,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("blocks");
    let (pieces, atlas) = look::pieces();
    let (hud, hud_atlas) = Hud::new("display", 512, |_| ());
    let texture = stage.texture(atlas.image, Wrap::ClampToEdge);
    let glossy = stage.material(lit("blocks", texture, 0.32));
    let dull = stage.material(lit("stage", texture, 0.7));
    let around = stage.surroundings(
        "evening",
        look::evening(seed),
        Wrap::ClampToEdge,
        hud_atlas,
        "sparks",
    );
    let game = Blocks {
        game: Game::new(seed),
        kinds: (0..game::N_KINDS)
            .map(|kind| stage.mesh("block", set::block(&pieces, kind), glossy))
            .collect(),
        flash: stage.mesh("flash", set::flash(&pieces), dull),
        set: stage.mesh("stage", set::stage_set(&pieces), dull),
        magician: set::magician(&mut stage, &pieces, dull),
        hud,
        around,
        seed,
    };
    stage.show(Vec3::new(0.3, 0.1, 0.3), game)
}

impl crate::Game for Blocks {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let (number, since) = self.game.at(frame);
        let turn = &self.game.turns[number];
        let eye = Vec3::new(-3.2, 12.6, 30.0);
        let camera = look_at(screen, eye, Vec3::new(0.0, 8.9, 0.0), 0.76);
        let mut builder = FrameBuilder::new(scene, screen);
        builder.sun(Vec3::new(-0.6, 0.62, 0.65), Vec3::new(0.95, 0.8, 0.68));
        builder.sun(Vec3::new(0.3, 0.85, 0.45), Vec3::new(0.34, 0.3, 0.48));
        builder.sun(Vec3::new(0.75, -0.15, 0.65), Vec3::new(0.3, 0.2, 0.3));
        let whole = (0.0, Screen::UNITS_HIGH);
        let layer = builder.backdrop("evening", Sprite::WHOLE, whole, self.around.sky);
        self.well(&mut builder, turn, since);
        self.piece(&mut builder, turn, since);
        self.next(&mut builder, number);
        self.player(&mut builder, turn, since);
        builder.mesh(self.set, Mat4::IDENTITY, ThroughView::Camera);
        self.lights(&mut builder, turn, since, &camera);
        let mut batch = Batch::default();
        self.display(&mut batch, screen.units_wide(), turn, since);
        builder.sprites("display", batch, self.around.display, layer);
        builder.finish(camera)
    }
}

impl Turn {
    /// Frames since the piece came to rest, if it has.
    fn since_rest(&self, since: u64) -> Option<u64> {
        since.checked_sub(STEER + self.fall)
    }

    /// Frames since full rows began to burst, if any do.
    fn since_burst(&self, since: u64) -> Option<u64> {
        let rest = self.since_rest(since)?;
        rest.checked_sub(LOCK).filter(|_| !self.full.is_empty())
    }

    /// The well with the landed piece in it.
    fn filled(&self) -> Board {
        let mut board = self.board;
        for (x, y) in self.landed() {
            board[y as usize][x as usize] = Some(self.kind);
        }
        board
    }

    /// The falling piece: turned and moved first, then let down ever faster.
    fn falling(&self, since: u64) -> Falling {
        let size = set::center(&game::shape(self.kind, self.quarters));
        let target = set::cell(self.column as f32, self.row as f32) + size.extend(0.0);
        let top = HIGH as f32 + 1.2 + size.y;
        let steered = ease(since as f32 / (STEER - 6) as f32);
        let fallen = since.saturating_sub(STEER) as f32 / self.fall as f32;
        let drop = (fallen * fallen * 0.55 + fallen * 0.45).min(1.0);
        let from = Vec3::new(0.0, top, 0.0);
        let above = from.lerp(Vec3::new(target.x, top, 0.0), steered);
        let quarters = if self.quarters == 3 {
            -1
        } else {
            self.quarters
        };
        Falling {
            middle: above.lerp(target, if since < STEER { 0.0 } else { drop }),
            turn: std::f32::consts::FRAC_PI_2 * quarters as f32 * (steered - 1.0),
        }
    }
}

impl Blocks {
    /// Blocks in the well: whole, bursting, or coming down.
    fn well(&self, builder: &mut FrameBuilder<'_>, turn: &Turn, since: u64) {
        let rested = turn.since_rest(since);
        let board = if rested.is_some() {
            turn.filled()
        } else {
            turn.board
        };
        let burst = turn.since_burst(since);
        for (y, row) in board.iter().enumerate() {
            let full = turn.full.contains(&y);
            let below = turn.full.iter().filter(|&&full| full < y).count() as f32;
            let sink = burst.map_or(0.0, |t| {
                let t = t.saturating_sub(BURST) as f32 / game::SETTLE as f32;
                below * (1.0 - overshoot(1.0 - t)).clamp(0.0, 1.0)
            });
            for (x, kind) in row.iter().enumerate() {
                let Some(kind) = *kind else { continue };
                let at = set::cell(x as f32, y as f32 - sink);
                let mut place = Mat4::from_translation(at);
                let mut mesh = self.kinds[kind as usize];
                if let (Some(t), true) = (burst, full) {
                    // From the middle outwards: white, then gone.
                    let late = (x as f32 - 4.5).abs() * 1.6;
                    let t = (t as f32 - late) / (BURST as f32 - 9.0);
                    if t >= 1.0 {
                        continue;
                    }
                    mesh = if t > 0.0 { self.flash } else { mesh };
                    place *= Mat4::from_scale(Vec3::splat(
                        (1.1 - ease((t - 0.4) / 0.6)).clamp(0.05, 1.0),
                    ));
                }
                builder.mesh(mesh, place, ThroughView::Camera);
            }
        }
    }

    fn piece(&self, builder: &mut FrameBuilder<'_>, turn: &Turn, since: u64) {
        if turn.since_rest(since).is_some() {
            return;
        }
        let falling = turn.falling(since);
        let place =
            Mat4::from_rotation_translation(Quat::from_rotation_z(falling.turn), falling.middle);
        self.cells(builder, turn.kind, turn.quarters, place);
    }

    fn cells(&self, builder: &mut FrameBuilder<'_>, kind: u8, quarters: i32, place: Mat4) {
        let cells = game::shape(kind, quarters);
        let middle = set::center(&cells);
        for (x, y) in cells {
            let at = Vec2::new(x as f32, y as f32) - middle;
            let mesh = self.kinds[kind as usize];
            builder.mesh(
                mesh,
                place * Mat4::from_translation(at.extend(0.0)),
                ThroughView::Camera,
            );
        }
    }

    /// The three pieces after this one, on the shelf.
    fn next(&self, builder: &mut FrameBuilder<'_>, number: usize) {
        let turns = &self.game.turns;
        for k in 0..3 {
            let turn = &turns[(number + 1 + k) % turns.len()];
            let at = set::SHELF + Vec3::new(0.0, 14.6 - 4.1 * k as f32, 0.0);
            let place = Mat4::from_scale_rotation_translation(
                Vec3::splat(0.92),
                Quat::from_rotation_y(-0.35),
                at,
            );
            self.cells(builder, turn.kind, 0, place);
        }
    }

    /// The magician points at the piece while it is steered, and leaps when rows burst.
    fn player(&self, builder: &mut FrameBuilder<'_>, turn: &Turn, since: u64) {
        let reach = (turn.column as f32 + 1.0 - 4.5) / 4.5;
        let steered = ease(since as f32 / (STEER - 6) as f32)
            * (1.0 - ease((since as f32 - STEER as f32 - 4.0) / 12.0));
        let joy = turn
            .since_burst(since)
            .map_or(0.0, |t| t as f32 / (BURST + game::SETTLE) as f32);
        let pose = set::gesture(reach * steered, joy);
        builder.skinned(self.magician, &pose.joints(set::on_island()));
    }

    /// Lights over the well: the landing place of the piece, the glow of landing, sparks of rows that burst.
    fn lights(&self, builder: &mut FrameBuilder<'_>, turn: &Turn, since: u64, camera: &View) {
        let mut spots = Vec::new();
        let square = self.hud.plain();
        let lying = |x: i32, y: i32, size: f32, z: f32| Decal {
            sprite: square,
            at: set::cell(x as f32, y as f32) + Vec3::Z * z,
            right: Vec3::X * size,
            down: Vec3::NEG_Y * size,
            tint: Vec4::ONE,
        };
        let rest = turn.since_rest(since);
        if rest.is_none() && since >= STEER - 8 {
            for (x, y) in turn.landed() {
                spots.push(lying(x, y, 0.86, -0.48).tinted(Vec4::new(0.75, 0.8, 1.0, 0.22)));
            }
        }
        if let Some(t) = rest.filter(|t| *t < LOCK) {
            let alpha = 0.6 * (1.0 - t as f32 / LOCK as f32);
            for (x, y) in turn.landed() {
                spots.push(lying(x, y, 0.98, 0.5).faded(alpha));
            }
        }
        if let Some(t) = turn.since_burst(since).filter(|t| *t < BURST + 10) {
            spots.extend(self.sparks(turn, t as f32 / (BURST + 10) as f32, camera));
        }
        builder.decals("sparks", &spots, self.around.spots);
    }

    fn sparks(&self, turn: &Turn, t: f32, camera: &View) -> Vec<Decal> {
        let mut sparks = Vec::new();
        for &row in &turn.full {
            for k in 0..WIDE as i32 * 2 {
                let own = |salt: i32| random(k + 40 * row as i32, salt, self.seed);
                let from = set::cell(k as f32 * 0.5, row as f32);
                let out = heading(own(1)) * (0.8 + 3.0 * own(2)) * ease_out(t);
                let at = from + Vec3::new(out.x, out.y - 2.6 * t * t, 0.6 + 1.5 * own(3) * t);
                let size = (0.35 + 0.7 * own(4)) * (1.0 - t);
                let spark = Decal::facing(camera, self.hud.glint, at, size, own(5) + t);
                let color = Vec3::new(1.0, 0.6 + 0.4 * own(6), 0.35 + 0.6 * own(7));
                sparks.push(spark.tinted(color.extend(1.0 - t)));
            }
        }
        sparks
    }

    fn display(&self, batch: &mut Batch, wide: f32, turn: &Turn, since: u64) {
        let hud = &self.hud;
        let burst = turn.since_burst(since);
        let (gained, rows) = burst.map_or((0, 0), |_| (turn.gain(), turn.full.len() as u32));
        let label = |color: Vec3| Style::new(17.0).aligned(Align::Left).colored(color);
        let rest = u32::from(turn.since_rest(since).is_some()) * 10;
        let lines = turn.lines + rows;
        let entries = [
            (
                "SCORE",
                format!("{:06}", turn.points + gained + rest),
                Vec3::new(1.0, 0.7, 0.2),
            ),
            (
                "LEVEL",
                format!("{}", 1 + lines / 10),
                Vec3::new(0.35, 0.8, 1.0),
            ),
            ("LINES", format!("{lines}"), Vec3::new(0.5, 1.0, 0.5)),
        ];
        for (k, (name, value, color)) in (0..).zip(entries) {
            let at = Vec2::new(126.0, 62.0 + 84.0 * k as f32);
            hud.panel(batch, at, Vec2::new(208.0, 74.0));
            hud.text(batch, name, at + Vec2::new(-86.0, -18.0), label(color));
            let style = Style::new(28.0).aligned(Align::Left);
            hud.text(batch, &value, at + Vec2::new(-86.0, 12.0), style);
        }
        let pause = Vec2::new(wide - 56.0, 56.0);
        hud.button(batch, pause, 66.0, Vec3::new(0.75, 0.4, 0.95), hud.pause);
        let share = (lines % 10) as f32 / 10.0;
        let bar = (Vec2::new(wide - 138.0, 664.0), Vec2::new(224.0, 30.0));
        hud.bar(batch, bar, share, Vec3::new(1.0, 0.65, 0.15));
        batch.add(crate::kit::sprites::Placed::new(
            hud.star,
            Vec2::new(wide - 250.0, 664.0),
            56.0,
        ));
        self.praise(batch, wide, turn, burst);
    }

    fn praise(&self, batch: &mut Batch, wide: f32, turn: &Turn, burst: Option<u64>) {
        let Some(t) = burst.map(|t| t as f32 / (BURST + game::SETTLE) as f32) else {
            return;
        };
        let words = ["", "NICE!", "DOUBLE!", "TRIPLE!", "TETRA!"][turn.full.len().min(4)];
        let size = (34.0 + 9.0 * turn.full.len() as f32) * overshoot((t * 4.0).min(1.0));
        let fade = 1.0 - ease((t - 0.75) / 0.25);
        let style = Style::new(size.max(1.0))
            .colored(Vec3::new(1.0, 0.75, 0.15))
            .faded(fade);
        let row = turn.full.first().copied().unwrap_or(0) as f32;
        let at = Vec2::new(wide * 0.5, 560.0 - 30.0 * row - 40.0 * ease_out(t));
        self.hud.text(batch, words, at, style);
    }
}
