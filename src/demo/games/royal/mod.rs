//! A castle hall that is furnished piece by piece for a merry king. After the spirit of the papers' `RoM`: one still view
//! painted with very large textures, much of it many texels to a pixel; only small things move.

mod display;
mod hall;
mod heavy;
mod king;
mod look;
mod style;
mod tasks;

use glam::{Vec2, Vec3, Vec4};

use crate::kit::atlas::Sprite;
use crate::kit::frame::{FrameBuilder, flat_view};
use crate::kit::hud::Hud;
use crate::kit::motion::{Dice, arc, ease, ease_out, heading, overshoot, wave};
use crate::kit::sprites::{Batch, Placed};
use crate::kit::stage::{Stage, backdrop};
use crate::procedural::random;
use crate::{Demo, Frame, Game, Kind, Screen, Setting, Show};
use azulejo_scene::{MaterialId, Scene, Wrap};
use hall::UNITS;
use look::Furniture;
use tasks::{FEAST, FLIES, LANDS, Moment, PIECES, Piece, TASK};

pub(super) const DEMO: Demo = Demo {
    name: "royal",
    about: "a king's hall is furnished piece by piece",
    kind: Kind::Isometric,
    camera: "static",
    setting: Setting::AsIs,
    start,
};

#[derive(Debug)]
struct Royal {
    hud: Hud<display::Icons>,
    furniture: Furniture,
    /// Numbers of the pieces in the order in which they come.
    order: Vec<usize>,
    wall: MaterialId,
    sprites: MaterialId,
    display: MaterialId,
    seed: u32,
}

fn start(seed: u32) -> Show {
    let mut stage = Stage::new("royal");
    let (hud, display) = Hud::new("display", 512, display::Icons::new);
    let texture = stage.texture(hall::hall(seed), Wrap::ClampToEdge);
    let (furniture, atlas) = look::furniture(seed);
    let mut dice = Dice::new(seed, 0x201a);
    let mut left: Vec<usize> = (0..PIECES.len()).collect();
    let order = (0..PIECES.len())
        .map(|_| left.remove(dice.below(left.len())))
        .collect();
    let game = Royal {
        hud,
        furniture,
        order,
        wall: stage.material(backdrop("hall", texture)),
        sprites: stage.atlas("furniture", &atlas),
        display: stage.atlas("display", &display),
        seed,
    };
    stage.show(Vec3::ZERO, game)
}

impl Royal {
    fn moment(&self, frame: u64) -> Moment {
        // Four pieces stand when the show begins.
        let frame = frame + 4 * TASK;
        let night = TASK * PIECES.len() as u64 + FEAST;
        let within = frame % night;
        let done = ((within / TASK) as usize).min(PIECES.len());
        Moment {
            frame,
            done,
            since: (within - TASK * done as u64) as f32,
            is_feast: done == PIECES.len(),
            round: frame / night,
        }
    }

    fn sprite(&self, number: usize) -> Sprite {
        let f = &self.furniture;
        [
            f.throne,
            f.hearth,
            f.shelf,
            f.armour,
            f.plant,
            f.portrait,
            f.chandelier,
            f.table,
            f.chest,
        ][number]
    }
}

impl Game for Royal {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let moment = self.moment(frame);
        let mut builder = FrameBuilder::new(scene, screen);
        let wide = screen.units_wide();
        // The hall keeps its middle on screens of any shape and covers them.
        let scale = (wide / UNITS.x).max(1.0);
        let corner = Vec2::new(
            (UNITS.x - wide / scale) * 0.5,
            (UNITS.y - UNITS.y / scale) * 0.5,
        );
        let room = builder.layer(corner, scale);
        let flat = builder.layer(Vec2::ZERO, 1.0);
        let mut wall = Batch::default();
        wall.add(Placed::new(Sprite::WHOLE, UNITS * 0.5, 0.0).sized(UNITS));
        builder.sprites("hall", wall, self.wall, room);
        let mut batch = Batch::default();
        self.furnish(&mut batch, &moment);
        builder.sprites("furniture", batch, self.sprites, room);
        let mut lights = Batch::default();
        self.lights(&mut lights, &moment);
        builder.sprites("lights", lights, self.display, room);
        let mut batch = Batch::default();
        let next = self.order.get(moment.done).map(|&number| PIECES[number]);
        display::display(&self.hud, &mut batch, wide, &moment, next);
        builder.sprites("display", batch, self.display, flat);
        builder.finish(flat_view(screen, Vec2::ZERO, 1.0))
    }
}

impl Royal {
    /// Pieces that stand, with the share of their way that is over, from the farthest to the nearest.
    fn standing(&self, moment: &Moment) -> Vec<(Piece, f32)> {
        let mut standing: Vec<(Piece, f32)> = self.order[..moment.done]
            .iter()
            .map(|&n| (PIECES[n], 1.0))
            .collect();
        if let Some(&next) = self.order.get(moment.done) {
            let t = (moment.since - FLIES) / (LANDS - FLIES);
            if t > 0.0 {
                standing.push((PIECES[next], t.min(1.0)));
            }
        }
        standing.sort_by(|a, b| {
            a.0.foot
                .y
                .total_cmp(&b.0.foot.y)
                .then(a.0.foot.x.total_cmp(&b.0.foot.x))
        });
        standing
    }

    fn furnish(&self, batch: &mut Batch, moment: &Moment) {
        let throne = Vec2::new(640.0, 520.0);
        self.shadow(batch, throne, 190.0, 1.0);
        batch.add(Placed::new(self.furniture.throne, throne, 268.0).standing());
        let mut king_stands = false;
        for (piece, t) in self.standing(moment) {
            if piece.foot.y > 600.0 && !king_stands {
                self.king(batch, moment);
                king_stands = true;
            }
            let sprite = self.sprite(piece.sprite);
            let width = piece.height * sprite.shape();
            if piece.foot.y > 480.0 {
                self.shadow(batch, piece.foot, width * 1.15, ease(t));
            }
            let drop = (1.0 - ease_out(t).powi(2)) * 130.0;
            let squash = 1.0 - 0.12 * arc((t - 0.7) / 0.3);
            let mut placed = Placed::new(sprite, piece.foot - Vec2::Y * drop, piece.height);
            placed.size *= Vec2::new(2.0 - squash, squash);
            batch.add(placed.standing().faded(t * 4.0));
            if piece.sprite == 1 && t >= 1.0 {
                self.fire(batch, piece.foot, moment.frame);
            }
        }
        if !king_stands {
            self.king(batch, moment);
        }
    }

    fn shadow(&self, batch: &mut Batch, foot: Vec2, width: f32, alpha: f32) {
        let at = foot - Vec2::Y * 5.0;
        let shadow =
            Placed::new(self.furniture.shadow, at, 1.0).sized(Vec2::new(width, width * 0.2 + 12.0));
        batch.add(shadow.faded(alpha));
    }

    /// The tongues of the fire, which change eight times a second.
    fn fire(&self, batch: &mut Batch, foot: Vec2, frame: u64) {
        let beat = frame / 7;
        let sprite = self.furniture.flames[(beat % 2) as usize];
        let own = random(beat as i32, 3, self.seed);
        let at = foot - Vec2::Y * 22.0;
        let mut flame = Placed::new(sprite, at, 62.0 + 16.0 * own).standing();
        flame.size.x *= if own > 0.5 { 1.0 } else { -1.0 };
        batch.add(flame);
    }

    fn king(&self, batch: &mut Batch, moment: &Moment) {
        let foot = Vec2::new(474.0, 668.0);
        let blinks = moment.frame % 160 < 7;
        let joy = moment.since - LANDS;
        let hops = !moment.is_feast && (0.0..44.0).contains(&joy);
        let hop = match () {
            () if hops => 20.0 * arc((joy / 22.0).fract()),
            () if moment.is_feast => 16.0 * arc((moment.since / 26.0).fract()),
            () => 0.0,
        };
        self.shadow(batch, foot, 150.0, 1.0);
        let sprite = self.furniture.king[usize::from(blinks || hops)];
        let mut king = Placed::new(sprite, foot - Vec2::Y * hop, 256.0);
        if !hops && !moment.is_feast && moment.frame % 300 < 40 {
            king.size.y *= 1.0 + 0.008 * wave(moment.frame as f32 / 40.0);
        }
        batch.add(king.standing());
    }

    /// The star on its way, what sparkles where it lands, glints on gold, sparks of the fire.
    fn lights(&self, batch: &mut Batch, moment: &Moment) {
        let turn = moment.frame / 44;
        let t = (moment.frame % 44) as f32 / 44.0;
        let places = [
            [640.0, 300.0],
            [566.0, 420.0],
            [640.0, 154.0],
            [474.0, 452.0],
            [714.0, 420.0],
        ];
        let place = places[(random(turn as i32, 1, self.seed) * 4.99) as usize];
        let glint = Placed::new(self.hud.glint, Vec2::from(place), 40.0 * arc(t));
        batch.add(glint.turned(0.2 * t).faded(0.9 * arc(t)));
        let Some(&next) = self.order.get(moment.done) else {
            self.confetti(batch, moment);
            return;
        };
        let piece = PIECES[next];
        let middle = piece.foot - Vec2::Y * piece.height * 0.5;
        let t = moment.since / FLIES;
        if t < 1.0 {
            let from = Vec2::new(214.0, 52.0);
            let way = from.lerp(middle, ease(t)) - Vec2::Y * 90.0 * arc(t);
            let star = Placed::new(self.hud.star, way, 64.0 * overshoot(t * 4.0));
            batch.add(Placed::new(self.hud.glow, way, 110.0).tinted(Vec4::new(1.0, 0.8, 0.3, 0.5)));
            batch.add(star.turned(ease(t)));
            return;
        }
        let t = (moment.since - LANDS + 8.0) / 36.0;
        if (0.0..1.0).contains(&t) {
            let flash = Placed::new(
                self.hud.glow,
                middle,
                piece.height * (0.8 + 0.8 * ease_out(t)),
            );
            batch.add(flash.tinted(Vec4::new(1.0, 0.9, 0.6, 0.6 * (1.0 - t))));
            for k in 0..18 {
                let own = random(k, next as i32, self.seed);
                let out = heading((k as f32 + own) / 18.0)
                    * piece.height
                    * (0.35 + 0.5 * own)
                    * ease_out(t);
                let sprite = [self.hud.glint, self.hud.star][k as usize % 2];
                let size = (26.0 + 16.0 * own) * (1.0 - t);
                batch.add(
                    Placed::new(sprite, middle + out + Vec2::Y * 50.0 * t * t, size)
                        .turned(own + t),
                );
            }
        }
    }

    /// Confetti of the feast.
    fn confetti(&self, batch: &mut Batch, moment: &Moment) {
        for k in 0..26 {
            let own = |salt| random(k, salt, self.seed ^ moment.round as u32);
            let fall = (moment.since / (150.0 + 90.0 * own(1)) + own(2)).fract();
            let x = 700.0 * own(3) + 290.0 + 22.0 * wave(fall * 2.0 + own(4));
            let at = Vec2::new(x, -20.0 + 700.0 * fall);
            let hues = [
                [1.0, 0.25, 0.3],
                [0.3, 0.6, 1.0],
                [1.0, 0.8, 0.2],
                [0.4, 0.9, 0.4],
            ];
            let tint = Vec3::from(hues[k as usize % 4]).extend(1.0);
            let paper = self.hud.filling.part(Vec2::splat(0.4), Vec2::splat(0.6));
            let size = Vec2::new(12.0, 7.0 * wave(fall * 9.0 + own(5)));
            batch.add(
                Placed::new(paper, at, 1.0)
                    .sized(size)
                    .turned(fall * 3.0)
                    .tinted(tint),
            );
        }
    }
}
