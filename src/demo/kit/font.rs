//! Lettering for displays: capitals, digits and signs as thick round strokes with an outline, painted once.

use glam::{Vec2, Vec3, Vec4};

use super::atlas::{Sheet, Sprite};
use super::paint::Canvas;
use super::shape::capsule;
use super::sprites::{Batch, Placed};

/// Half a stroke's width, in grid steps; a capital is 6 steps high.
const WEIGHT: f32 = 0.62;
/// Width of the outline in grid steps.
const OUTLINE: f32 = 0.5;
/// Grid steps around a glyph on its canvas.
const MARGIN: f32 = 1.5;
/// Grid steps from a canvas' upper to its lower edge: capitals, margins, a comma's tail.
const CELL: f32 = 6.0 + 2.0 * MARGIN + 0.5;
/// Texels of a glyph's height on its canvas, margins included.
const TEXELS: f32 = 64.0;

/// Signs and their strokes: points on a grid 4 steps wide and 6 high as pairs of digits x y, y down. `~` rounds the
/// corners.
const GLYPHS: &[(char, &str)] = &[
    ('A', "062046 1434"),
    ('B', "0006 ~00303303 ~03434606"),
    ('C', "~414000064645"),
    ('D', "0006 ~00404606"),
    ('E', "40000646 0333"),
    ('F', "400006 0333"),
    ('G', "~4140000646434323"),
    ('H', "0006 4046 0343"),
    ('I', "0006"),
    ('J', "~40460604"),
    ('K', "0006 400346"),
    ('L', "000646"),
    ('M', "0600234046"),
    ('N', "06004640"),
    ('O', "~204046060020"),
    ('P', "0006 ~00404303"),
    ('Q', "~204046060020 2446"),
    ('R', "0006 ~00404303 2346"),
    ('S', "~4140000343460605"),
    ('T', "0040 2026"),
    ('U', "~00064640"),
    ('V', "002640"),
    ('W', "0016223640"),
    ('X', "0046 4006"),
    ('Y', "002340 2326"),
    ('Z', "00400646"),
    ('0', "~204046060020"),
    ('1', "011016"),
    ('2', "~0100404306 0646"),
    ('3', "~0100404313 ~1343460605"),
    ('4', "36300444"),
    ('5', "400003 ~0343460605"),
    ('6', "~41400006464303"),
    ('7', "004026"),
    ('8', "~204043030020 ~234346060323"),
    ('9', "~05064640000343"),
    ('!', "0004 0606"),
    ('?', "~010040432324 2626"),
    ('.', "0606"),
    (',', "0607"),
    (':', "0202 0505"),
    ('+', "2125 0343"),
    ('-', "0333"),
    ('/', "0640"),
    ('%', "0640 0101 4545"),
    ('\'', "0002"),
    ('*', "0145 4105"),
    ('(', "~20000626"),
    (')', "~00202606"),
];

/// A painted alphabet in an atlas.
#[derive(Debug, Clone)]
pub(crate) struct Font {
    /// Glyphs by sign of the table: the sprite, and its width in grid steps.
    glyphs: Vec<(char, Sprite, f32)>,
}

/// Horizontal alignment of a text at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// The point is the left end.
    Left,
    /// The point is the middle.
    Center,
    /// The point is the right end.
    Right,
}

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    /// Height of capitals in units.
    pub(crate) height: f32,
    /// Linear RGBA of the letters; the outline stays dark.
    pub(crate) color: Vec4,
    /// Part of the text that lies at the point.
    pub(crate) align: Align,
}

impl Style {
    /// White letters of a height, centred.
    #[must_use]
    pub(crate) const fn new(height: f32) -> Self {
        Self {
            height,
            color: Vec4::ONE,
            align: Align::Center,
        }
    }

    /// Sets the colour of the letters, linear RGB.
    #[must_use]
    pub(crate) fn colored(mut self, color: Vec3) -> Self {
        self.color = Vec4::new(color.x, color.y, color.z, self.color.w);
        self
    }

    /// Multiplies the opacity by `alpha`, clamped to 0..1.
    #[must_use]
    pub(crate) fn faded(mut self, alpha: f32) -> Self {
        self.color.w *= alpha.clamp(0.0, 1.0);
        self
    }

    /// Beginning or ending at the point.
    #[must_use]
    pub(crate) const fn aligned(mut self, align: Align) -> Self {
        self.align = align;
        self
    }
}

impl Font {
    /// The font, its glyphs painted on a sheet.
    #[must_use]
    pub(crate) fn new(sheet: &mut Sheet) -> Self {
        let mut painted = |strokes: &str| (sheet.sprite(|| glyph(strokes)), width(strokes));
        let glyphs = GLYPHS.iter().map(|(sign, strokes)| {
            let (sprite, width) = painted(strokes);
            (*sign, sprite, width)
        });
        Self {
            glyphs: glyphs.collect(),
        }
    }

    /// Width of a text whose capitals are `height` high.
    #[must_use]
    pub(crate) fn width(&self, text: &str, height: f32) -> f32 {
        text.chars().map(|sign| self.advance(sign)).sum::<f32>() * height / 6.0
    }

    /// Adds a text to a batch; `at` is the middle of its height. Small letters look like capitals, unknown signs like
    /// blanks.
    pub(crate) fn write(&self, batch: &mut Batch, text: &str, at: Vec2, style: Style) {
        let step = style.height / 6.0;
        let width = self.width(text, style.height);
        let mut x = match style.align {
            Align::Left => at.x,
            Align::Center => at.x - width * 0.5,
            Align::Right => at.x - width,
        };
        for sign in text.chars() {
            let advance = self.advance(sign) * step;
            if let Some((_, sprite, _)) = self.glyph(sign) {
                let size = sprite.texels / TEXELS * CELL * step;
                let middle = Vec2::new(x + advance * 0.5, at.y + step * 0.25);
                batch.add(
                    Placed::new(*sprite, middle, 0.0)
                        .sized(size)
                        .tinted(style.color),
                );
            }
            x += advance;
        }
    }

    fn glyph(&self, sign: char) -> Option<&(char, Sprite, f32)> {
        let sign = sign.to_ascii_uppercase();
        self.glyphs.iter().find(|(known, ..)| *known == sign)
    }

    /// Grid steps from one sign to the next.
    fn advance(&self, sign: char) -> f32 {
        self.glyph(sign)
            .map_or(3.0, |(_, _, width)| width + 2.0 * WEIGHT + 0.55)
    }
}

/// Paints a text into a canvas, whose units `at` and the style's height are in: marks on walls, banners, labels. `at` is
/// the middle of its height; the style's colour is sRGB here.
pub(crate) fn inscribe(canvas: &mut Canvas, text: &str, at: Vec2, style: Style) {
    let step = style.height / 6.0;
    let advance = |sign: char| find(sign).map_or(3.0, |(_, s)| width(s) + 2.0 * WEIGHT + 0.55);
    let total: f32 = text.chars().map(advance).sum();
    let mut x = match style.align {
        Align::Left => 0.0,
        Align::Center => -0.5 * total,
        Align::Right => -total,
    };
    // Strokes in grid steps from `at`, by the columns that they may touch.
    let mut columns: Vec<(f32, f32, Vec<[Vec2; 2]>)> = Vec::new();
    for sign in text.chars() {
        if let Some((_, glyph)) = find(sign) {
            let origin = Vec2::new(x + WEIGHT + 0.275, -3.0);
            let lines = strokes(glyph).flat_map(|line| {
                let pairs = line.windows(2);
                let placed = pairs.map(|pair| [pair[0] + origin, pair[1] + origin]);
                placed.collect::<Vec<_>>()
            });
            columns.push((x - 1.0, x + advance(sign) + 1.0, lines.collect()));
        }
        x += advance(sign);
    }
    let distance = |p: Vec2| {
        let q = (p - at) / step;
        let near = (columns.iter()).filter(|(from, to, _)| (*from..*to).contains(&q.x));
        let lines = near.flat_map(|(.., lines)| lines);
        let apart = |line: &[Vec2; 2]| capsule(q, line[0], line[1], WEIGHT);
        lines.map(apart).fold(4.0, f32::min) * step
    };
    canvas.fill(distance, |_| style.color);
}

fn find(sign: char) -> Option<(char, &'static str)> {
    let sign = sign.to_ascii_uppercase();
    GLYPHS.iter().copied().find(|(known, _)| *known == sign)
}

/// The strokes of a glyph as points of the grid.
fn strokes(text: &str) -> impl Iterator<Item = Vec<Vec2>> {
    text.split(' ').map(|stroke| {
        let digits: Vec<f32> = (stroke.bytes().filter(u8::is_ascii_digit))
            .map(|digit| f32::from(digit - b'0'))
            .collect();
        let points: Vec<Vec2> = digits
            .as_chunks()
            .0
            .iter()
            .map(|&p| Vec2::from_array(p))
            .collect();
        if stroke.starts_with('~') {
            rounded(&points)
        } else {
            points
        }
    })
}

/// Corners cut three times (Chaikin, 1974): a quadratic spline that keeps both ends.
fn rounded(points: &[Vec2]) -> Vec<Vec2> {
    let mut points = points.to_vec();
    for _ in 0..3 {
        let cut = points
            .windows(2)
            .flat_map(|pair| [pair[0].lerp(pair[1], 0.25), pair[0].lerp(pair[1], 0.75)]);
        let ends = [points.first().copied(), points.last().copied()];
        let inner: Vec<Vec2> = cut.collect();
        points = ends[0].into_iter().chain(inner).chain(ends[1]).collect();
    }
    points
}

fn width(text: &str) -> f32 {
    strokes(text).flatten().map(|p| p.x).fold(0.0, f32::max)
}

fn glyph(text: &str) -> Canvas {
    let lines: Vec<Vec<Vec2>> = strokes(text).collect();
    let wide = width(text) + 2.0 * MARGIN;
    let texels = (wide * TEXELS / CELL).round().max(4.0) as u32;
    let mut canvas = Canvas::new(texels, TEXELS as u32);
    let half = Vec2::new(canvas.half_width(), 1.0);
    // Grid steps a unit of the canvas.
    let scale = CELL * 0.5;
    let distance = |p: Vec2| {
        let q = (p + half) * scale - MARGIN;
        let pairs = lines.iter().flat_map(|line| line.windows(2));
        pairs
            .map(|pair| capsule(q, pair[0], pair[1], WEIGHT))
            .fold(f32::MAX, f32::min)
            / scale
    };
    let outline = OUTLINE / scale;
    canvas.shadow(|p| distance(p) - outline, Vec2::new(0.0, 0.06), 0.05, 0.5);
    canvas.flat(|p| distance(p) - outline, Vec3::new(0.09, 0.07, 0.13));
    canvas.fill(distance, |p| {
        // The lower half a little darker: enamel.
        let tone = 1.0 - 0.16 * ((p.y + 0.1) * 6.0).clamp(0.0, 1.0);
        Vec3::splat(tone).extend(1.0)
    });
    canvas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::atlas::sheet;

    #[test]
    fn font_knows_every_sign_of_its_table_once() {
        let signs: std::collections::BTreeSet<char> =
            GLYPHS.iter().map(|(sign, _)| *sign).collect();
        assert_eq!(signs.len(), GLYPHS.len(), "no sign twice");
        for (sign, text) in GLYPHS {
            assert!(
                strokes(text).all(|stroke| stroke.len() >= 2),
                "{sign} has strokes"
            );
        }
    }

    #[test]
    fn font_centres_text() {
        let (font, _) = sheet("test", 512, Font::new);
        let mut batch = Batch::default();
        font.write(&mut batch, "AA", Vec2::ZERO, Style::new(6.0));
        let primitive = batch.into_primitive();
        let sum: f32 = primitive.positions.iter().map(|p| p.x).sum();
        assert!(sum.abs() < 1e-3, "as much to the left as to the right");
    }
}
