//! The display of a builder: stars, coins, lives, the task at hand, the button to the next level.

use glam::{Vec2, Vec3, Vec4};

use super::tasks::{FLIES, LANDS, Moment, PIECES, Piece};
use crate::kit::atlas::{Sheet, Sprite};
use crate::kit::font::{Align, Style};
use crate::kit::hud::Hud;
use crate::kit::motion::{arc, ease, overshoot};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, rounded_box, star};
use crate::kit::sprites::{Batch, Placed};

const GOLD: Vec3 = Vec3::new(1.0, 0.82, 0.3);

/// The display on a screen of `wide` units; `next` is the piece that comes.
pub(super) fn display(
    hud: &Hud<Icons>,
    batch: &mut Batch,
    wide: f32,
    moment: &Moment,
    next: Option<Piece>,
) {
    purse(hud, batch, wide, moment);
    if let Some(piece) = next {
        task(hud, batch, wide, moment, piece);
    }
    buttons(hud, batch, wide);
    let t = (moment.since - LANDS) / 60.0;
    let (word, shown) = if moment.is_feast {
        ("THE HALL IS DONE!", moment.since / 200.0)
    } else {
        (["ROYAL!", "SPLENDID!", "MAGNIFICENT!"][moment.done % 3], t)
    };
    if (0.0..1.0).contains(&shown) {
        let style = Style::new(64.0 * overshoot(shown * 4.0)).colored(GOLD);
        let at = Vec2::new(wide * 0.5, 330.0);
        hud.text(batch, word, at, style.faded(4.0 - 4.0 * shown));
    }
}

fn purse(hud: &Hud<Icons>, batch: &mut Batch, wide: f32, moment: &Moment) {
    let left = PIECES.len() - moment.done - usize::from(!moment.is_feast && moment.since > 4.0);
    let counts = [
        (hud.heart, "5".to_owned(), Vec2::new(70.0, 52.0)),
        (hud.star, left.to_string(), Vec2::new(214.0, 52.0)),
        (
            hud.coin,
            format!("{}", 8420 - 350 * moment.done),
            Vec2::new(wide - 250.0, 52.0),
        ),
    ];
    for (icon, text, at) in counts {
        let size = Vec2::new(if text.len() > 2 { 158.0 } else { 116.0 }, 46.0);
        hud.panel(batch, at + Vec2::X * 26.0, size);
        batch.add(Placed::new(icon, at - Vec2::X * 22.0, 58.0));
        hud.text(batch, &text, at + Vec2::X * 40.0, Style::new(24.0));
    }
    let gear = Vec2::new(wide - 62.0, 54.0);
    hud.button(batch, gear, 74.0, Vec3::new(0.3, 0.5, 0.95), hud.own.gear);
}

/// The card of the task at hand.
fn task(hud: &Hud<Icons>, batch: &mut Batch, wide: f32, moment: &Moment, piece: Piece) {
    let slide = 1.0 - ease((moment.since - 108.0) / 24.0);
    let shown = if moment.since < 108.0 {
        ease(moment.since / 14.0)
    } else {
        slide
    };
    let at = Vec2::new(wide * 0.5, -60.0 + 116.0 * shown);
    batch.nine(
        Placed::new(hud.own.card, at, 1.0).sized(Vec2::new(430.0, 88.0)),
        26.0,
        0.3,
    );
    let title = Style::new(17.0).colored(Vec3::new(0.5, 0.2, 0.08));
    hud.text(batch, piece.name, at + Vec2::new(26.0, -18.0), title);
    let done = ((moment.since - FLIES) / (LANDS - FLIES)).clamp(0.0, 1.0);
    let bar = (at + Vec2::new(14.0, 16.0), Vec2::new(280.0, 22.0));
    hud.bar(batch, bar, done, Vec3::new(0.25, 0.85, 0.2));
    let medal = at - Vec2::X * 172.0;
    batch.add(Placed::new(
        hud.star,
        medal,
        66.0 + 8.0 * arc((moment.since - LANDS) / 20.0),
    ));
    hud.text(batch, "1", medal + Vec2::Y * 3.0, Style::new(20.0));
    if done >= 1.0 {
        batch.add(Placed::new(hud.own.tick, at + Vec2::new(184.0, 12.0), 44.0));
    }
}

fn buttons(hud: &Hud<Icons>, batch: &mut Batch, wide: f32) {
    let at = Vec2::new(wide - 146.0, 654.0);
    batch.nine(
        Placed::new(hud.own.button, at, 1.0).sized(Vec2::new(240.0, 92.0)),
        30.0,
        0.34,
    );
    hud.text(batch, "LEVEL 248", at - Vec2::Y * 4.0, Style::new(23.0));
    let icons = [
        (hud.own.hammer, Vec3::new(0.95, 0.65, 0.2)),
        (hud.gem, Vec3::new(0.6, 0.4, 0.95)),
    ];
    for (number, (icon, color)) in icons.into_iter().enumerate() {
        let at = Vec2::new(64.0, 560.0 + 96.0 * number as f32);
        hud.button(batch, at, 84.0, color, icon);
    }
    let note = Vec2::new(92.0, 528.0);
    let red = Vec4::new(0.9, 0.08, 0.08, 1.0);
    batch.add(Placed::new(hud.knob, note, 30.0).tinted(red));
    hud.text(batch, "3", note, Style::new(14.0).aligned(Align::Center));
}

fn icon(size: [u32; 2], paint: impl FnOnce(&mut Canvas)) -> Canvas {
    let mut canvas = Canvas::new(size[0], size[1]);
    paint(&mut canvas);
    canvas
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    pub(super) hammer: Sprite,
    pub(super) gear: Sprite,
    /// Parchment in a gold frame, for [`Batch::nine`].
    pub(super) card: Sprite,
    pub(super) tick: Sprite,
    /// A green button, for [`Batch::nine`].
    pub(super) button: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            hammer: s.sprite(hammer),
            gear: s.sprite(gear),
            card: s.sprite(card),
            tick: s.sprite(tick),
            button: s.sprite(button),
        }
    }
}

const SOFT: Cushion = Cushion {
    bevel: 0.2,
    outline: 0.04,
    contrast: 0.55,
    gloss: 0.5,
};

fn hammer() -> Canvas {
    icon([80, 80], |c| {
        c.cushion(
            |p| capsule(p, Vec2::new(-0.55, 0.75), Vec2::new(0.25, -0.2), 0.11),
            |_| rgb(0x00a0_6a38),
            SOFT,
        );
        c.cushion(
            |p| {
                let q = Vec2::from_angle(-0.84).rotate(p - Vec2::new(0.32, -0.3));
                rounded_box(q, Vec2::new(0.27, 0.55), 0.1)
            },
            |_| rgb(0x00e0_e6ee),
            SOFT,
        );
    })
}

fn gear() -> Canvas {
    icon([80, 80], |c| {
        let wheel = |p: Vec2| star(p, 8, 0.95, 0.66) - 0.03;
        c.cushion(
            move |p| wheel(p).max(-circle(p, 0.3)),
            |_| rgb(0x00f4_f2ff),
            SOFT,
        );
    })
}

fn card() -> Canvas {
    icon([160, 96], |c| {
        let card = |p: Vec2| rounded_box(p, Vec2::new(1.6, 0.94), 0.3);
        c.cushion(
            card,
            |_| rgb(0x00f0_b440),
            Cushion {
                bevel: 0.12,
                ..SOFT
            },
        );
        c.cushion(
            move |p| card(p) + 0.12,
            |_| rgb(0x00ff_f0d0),
            Cushion {
                bevel: 0.1,
                outline: 0.02,
                contrast: 0.2,
                gloss: 0.0,
            },
        );
    })
}

fn tick() -> Canvas {
    icon([72, 72], |c| {
        c.cushion(|p| circle(p, 0.94), |_| rgb(0x0044_c23a), SOFT);
        let tick = |p: Vec2| {
            capsule(p, Vec2::new(-0.45, 0.05), Vec2::new(-0.1, 0.4), 0.13).min(capsule(
                p,
                Vec2::new(-0.1, 0.4),
                Vec2::new(0.48, -0.35),
                0.13,
            ))
        };
        c.flat(tick, Vec3::ONE);
    })
}

fn button() -> Canvas {
    icon([180, 96], |c| {
        let plate = |p: Vec2| rounded_box(p, Vec2::new(1.82, 0.94), 0.42);
        c.cushion(plate, |_| rgb(0x0026_8a1e), Cushion { bevel: 0.2, ..SOFT });
        c.cushion(
            |p| rounded_box(p + Vec2::Y * 0.1, Vec2::new(1.74, 0.76), 0.36),
            |_| rgb(0x0058_d83a),
            Cushion {
                bevel: 0.3,
                outline: 0.0,
                ..SOFT
            },
        );
    })
}
