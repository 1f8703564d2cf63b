//! The display of a game: text, bars, panels and icons from one atlas, which every demo packs with its own icons.

use std::ops::Deref;

use glam::{Vec2, Vec3, Vec4};

use super::atlas::{Atlas, Sheet, Sprite, sheet};
use super::font::{Font, Style};
use super::paint::{Canvas, Cushion, rgb};
use super::shape::{capsule, circle, heart, polygon, rounded_box, star, turned};
use super::sprites::{Batch, Placed};

/// Pieces that every display has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pieces {
    /// Dark, translucent, round corners: for [`Batch::nine`] with a share of [`CORNER`].
    pub(crate) panel: Sprite,
    /// Trough of a bar, behind its filling.
    pub(crate) trough: Sprite,
    /// A bar's filling, white, to be tinted.
    pub(crate) filling: Sprite,
    /// A round knob, white, to be tinted.
    pub(crate) knob: Sprite,
    /// A soft white spot.
    pub(crate) glow: Sprite,
    /// A soft dark spot.
    pub(crate) shadow: Sprite,
    /// A white four-pointed glint.
    pub(crate) glint: Sprite,
    /// A gold coin with a rim.
    pub(crate) coin: Sprite,
    /// A red heart: lives.
    pub(crate) heart: Sprite,
    /// A gold five-pointed star.
    pub(crate) star: Sprite,
    /// A blue gem: currency.
    pub(crate) gem: Sprite,
    /// Two upright bars: pause.
    pub(crate) pause: Sprite,
}

/// Corners of panels and bars as a share of their height.
pub(crate) const CORNER: f32 = 0.45;

/// A display's sprites; `Own` are those of the game alone.
#[derive(Debug, Clone)]
pub(crate) struct Hud<Own = ()> {
    /// Letters and digits, from the same atlas.
    pub(crate) font: Font,
    /// The game's own sprites.
    pub(crate) own: Own,
    pieces: Pieces,
}

impl<Own> Deref for Hud<Own> {
    type Target = Pieces;

    fn deref(&self) -> &Pieces {
        &self.pieces
    }
}

impl Pieces {
    fn new(s: &mut Sheet) -> Self {
        Self {
            panel: s.sprite(panel),
            trough: s.sprite(trough),
            filling: s.sprite(filling),
            knob: s.sprite(knob),
            glow: s.sprite(|| spot(Vec3::ONE, 0.95)),
            shadow: s.sprite(|| spot(Vec3::splat(0.02), 0.75)),
            glint: s.sprite(glint),
            coin: s.sprite(coin),
            heart: s.sprite(red_heart),
            star: s.sprite(gold_star),
            gem: s.sprite(gem),
            pause: s.sprite(pause),
        }
    }

    /// White and opaque all over, for sheets and squares of one colour.
    #[must_use]
    pub(crate) fn plain(&self) -> Sprite {
        self.filling
            .part(Vec2::new(0.45, 0.45), Vec2::new(0.55, 0.5))
    }
}

impl<Own> Hud<Own> {
    /// The display and its atlas, `width` texels wide; `own` lays out the sprites of the game.
    #[must_use]
    pub(crate) fn new(name: &str, width: u32, own: impl Fn(&mut Sheet) -> Own) -> (Self, Atlas) {
        sheet(name, width, |s| Self {
            font: Font::new(s),
            pieces: Pieces::new(s),
            own: own(s),
        })
    }

    /// A text; see [`Font::write`].
    pub(crate) fn text(&self, batch: &mut Batch, text: &str, at: Vec2, style: Style) {
        self.font.write(batch, text, at, style);
    }

    /// A dark translucent panel around `at`.
    pub(crate) fn panel(&self, batch: &mut Batch, at: Vec2, size: Vec2) {
        let border = size.min_element().min(52.0) * CORNER;
        batch.nine(Placed::new(self.panel, at, 1.0).sized(size), border, CORNER);
    }

    /// A bar around `at`, filled from the left up to `share` of it with a linear colour.
    pub(crate) fn bar(&self, batch: &mut Batch, (at, size): (Vec2, Vec2), share: f32, color: Vec3) {
        let border = size.y * CORNER;
        let trough = Placed::new(self.trough, at, 1.0).sized(size);
        batch.nine(trough, border, CORNER);
        let inner = size - size.y * 0.28;
        let width = inner.x * share.clamp(0.0, 1.0);
        if width > inner.y * 0.5 {
            let middle = Vec2::new(at.x - (inner.x - width) * 0.5, at.y);
            let filling = Placed::new(self.filling, middle, 1.0).sized(Vec2::new(width, inner.y));
            batch.nine(filling.tinted(color.extend(1.0)), inner.y * CORNER, CORNER);
        }
    }

    /// A round knob with a sprite on it.
    pub(crate) fn button(
        &self,
        batch: &mut Batch,
        at: Vec2,
        height: f32,
        color: Vec3,
        icon: Sprite,
    ) {
        batch.add(Placed::new(self.knob, at, height).tinted(color.extend(1.0)));
        batch.add(Placed::new(icon, at, height * 0.52));
    }
}

fn red_heart() -> Canvas {
    icon(|c| {
        c.cushion(
            |p| heart(p) * 0.95,
            |_| rgb(0x00f0_3a4e),
            Cushion::default(),
        );
    })
}

fn gold_star() -> Canvas {
    icon(|c| {
        let shape = |p| star(p, 5, 0.86, 0.42) - 0.08;
        c.cushion(shape, |_| rgb(0x00ff_c42e), Cushion::default());
    })
}

fn pause() -> Canvas {
    icon(|c| {
        for x in [-0.3, 0.3] {
            c.flat(
                |p| rounded_box(p - Vec2::X * x, Vec2::new(0.16, 0.55), 0.08),
                Vec3::ONE,
            );
        }
    })
}

fn icon(paint: impl FnOnce(&mut Canvas)) -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    paint(&mut canvas);
    canvas
}

fn panel() -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    let shape = |p| rounded_box(p, Vec2::splat(0.97), 0.6);
    canvas.fill(shape, |p| rgb(0x001c_1a33).extend(0.86 - 0.06 * p.y));
    canvas.fill(|p| shape(p).abs() - 0.03, |_| rgb(0x00c8_c4ff).extend(0.35));
    canvas
}

fn trough() -> Canvas {
    let mut canvas = Canvas::new(96, 48);
    let shape = |p| rounded_box(p, Vec2::new(1.95, 0.95), 0.8);
    canvas.fill(shape, |p| rgb(0x0014_1226).extend(0.9 - 0.1 * p.y));
    canvas.fill(|p| shape(p).abs() - 0.07, |_| rgb(0x00f4_f0ff).extend(0.9));
    canvas
}

fn filling() -> Canvas {
    let mut canvas = Canvas::new(96, 48);
    let shape = |p: Vec2| rounded_box(p, Vec2::new(1.95, 0.95), 0.85);
    canvas.fill(shape, |p| {
        let tone = 0.92 - 0.25 * p.y + 0.2 * f32::from(u8::from(p.y < -0.15));
        Vec3::splat(tone.clamp(0.0, 1.0)).extend(1.0)
    });
    canvas
}

fn knob() -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    canvas.shadow(|p| circle(p, 0.84), Vec2::new(0.0, 0.08), 0.08, 0.5);
    canvas.flat(|p| circle(p, 0.88), Vec3::splat(0.93));
    let look = Cushion {
        bevel: 0.3,
        outline: 0.0,
        contrast: 0.4,
        gloss: 0.35,
    };
    canvas.cushion(
        |p| circle(p, 0.74),
        |p| Vec3::splat(0.75 - 0.12 * p.y),
        look,
    );
    canvas
}

fn spot(color: Vec3, strength: f32) -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    canvas.wash(|p| {
        let t = (1.0 - p.length()).clamp(0.0, 1.0);
        color.extend(strength * t * t * (3.0 - 2.0 * t))
    });
    canvas
}

fn glint() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    canvas.wash(|p| {
        let q = p.abs();
        let rays = (0.02 / (q.x * q.y + 0.012) * (1.0 - q.max_element())).clamp(0.0, 1.0);
        let core = (1.0 - 2.2 * p.length()).clamp(0.0, 1.0);
        Vec3::ONE.extend((rays * (1.0 - p.length()).max(0.0) + core).clamp(0.0, 1.0))
    });
    canvas
}

fn coin() -> Canvas {
    icon(|canvas| {
        let gold = rgb(0x00ff_b81f);
        canvas.cushion(
            |p| circle(p, 0.92),
            |_| gold,
            Cushion {
                bevel: 0.12,
                ..Cushion::default()
            },
        );
        canvas.flat(|p| circle(p, 0.68), rgb(0x00e8_9a10));
        let look = Cushion {
            bevel: 0.12,
            outline: 0.0,
            ..Cushion::default()
        };
        canvas.cushion(
            |p| star(p, 5, 0.56, 0.27) - 0.03,
            |_| rgb(0x00ff_e27a),
            look,
        );
    })
}

fn gem() -> Canvas {
    icon(|canvas| {
        let outer = [
            (-0.5, -0.7),
            (0.5, -0.7),
            (0.92, -0.15),
            (0.0, 0.88),
            (-0.92, -0.15),
        ];
        let outer = outer.map(Vec2::from);
        canvas.flat(|p| polygon(p, &outer) - 0.06, rgb(0x0010_3c78));
        canvas.fill(
            |p| polygon(p, &outer),
            |p| {
                // Facets: flat tones by direction.
                let facet = (turned(p - Vec2::new(0.0, -0.15), 0.04).to_angle() * 1.6).floor();
                let table = if p.y < -0.15 { 0.2 } else { 0.0 };
                let tone = 0.62 + 0.16 * (facet * 2.1).sin() + table;
                (rgb(0x0040_c8ff) * tone).extend(1.0)
            },
        );
        let edge = |p: Vec2| capsule(p, Vec2::new(-0.4, -0.5), Vec2::new(0.1, -0.5), 0.05);
        canvas.fill(edge, |_| Vec4::new(1.0, 1.0, 1.0, 0.8));
    })
}
