//! A painter for sprites: shapes with a cartoon's light, outlines and gradients, antialiased, onto a transparent canvas.
//!
//! Space: the canvas is 2 units high, its middle at the origin, y down; its width follows its shape. Colours are sRGB,
//! 0..1, straight alpha, as painters pick them; they are mixed as stored, as painting programs mix them.

use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

/// The signed distance of a point from a shape, in units: negative inside.
type Distance<'a> = &'a (dyn Fn(Vec2) -> f32 + Sync);

/// A colour for a point.
type Paint<'a, Color> = &'a (dyn Fn(Vec2) -> Color + Sync);

/// A picture in the making.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Canvas {
    /// Texels from left to right.
    pub(crate) width: u32,
    /// Texels from top to bottom.
    pub(crate) height: u32,
    /// sRGB times alpha, and alpha.
    pixels: Vec<Vec4>,
}

/// An opaque sRGB colour of `0xRRGGBB`.
#[must_use]
pub(crate) fn rgb(code: u32) -> Vec3 {
    let channel = |shift: u32| ((code >> shift) & 255) as f32 / 255.0;
    Vec3::new(channel(16), channel(8), channel(0))
}

/// How a solid-looking shape is lit: light falls from the upper left onto a cushion whose rim is `bevel` wide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cushion {
    /// Width of the rounded rim in units.
    pub(crate) bevel: f32,
    /// Width of the dark outline, 0 for none.
    pub(crate) outline: f32,
    /// How much the light changes from the lit to the far side.
    pub(crate) contrast: f32,
    /// Strength of the highlight.
    pub(crate) gloss: f32,
}

impl Default for Cushion {
    fn default() -> Self {
        Self {
            bevel: 0.35,
            outline: 0.05,
            contrast: 0.55,
            gloss: 0.5,
        }
    }
}

impl Cushion {
    /// Enamel, plastic, painted metal.
    pub(crate) const PAINTED: Self = Self {
        bevel: 0.22,
        outline: 0.035,
        contrast: 0.65,
        gloss: 0.45,
    };

    /// Cloth, wood, skin, leaves.
    pub(crate) const DULL: Self = Self {
        gloss: 0.04,
        ..Self::PAINTED
    };

    /// Adapts to a shape drawn at `scale` times the usual size: rim and outline grow with it.
    #[must_use]
    pub(crate) const fn scaled(mut self, scale: f32) -> Self {
        self.bevel *= scale;
        self.outline *= scale;
        self
    }

    /// Drops the outline of the shape.
    #[must_use]
    pub(crate) const fn bare(mut self) -> Self {
        self.outline = 0.0;
        self
    }
}

impl Canvas {
    /// Creates a transparent canvas of `width` by `height` texels.
    #[must_use]
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            pixels: vec![Vec4::ZERO; (width * height) as usize],
        }
    }

    /// Half the canvas' width in units.
    #[must_use]
    pub(crate) fn half_width(&self) -> f32 {
        self.width as f32 / self.height as f32
    }

    /// Edge of a texel, in units of the canvas.
    #[must_use]
    pub(crate) fn texel(&self) -> f32 {
        2.0 / self.height as f32
    }

    /// Mixes `color`, sRGB with straight alpha, over every texel.
    pub(crate) fn wash(&mut self, color: impl Fn(Vec2) -> Vec4 + Sync) {
        self.wash_by(&color);
    }

    /// Fills a shape; the color may depend on the point.
    pub(crate) fn fill(
        &mut self,
        distance: impl Fn(Vec2) -> f32 + Sync,
        color: impl Fn(Vec2) -> Vec4 + Sync,
    ) {
        self.fill_by(&distance, &color);
    }

    /// Fills a shape with one colour.
    pub(crate) fn flat(&mut self, distance: impl Fn(Vec2) -> f32 + Sync, color: Vec3) {
        self.fill_by(&distance, &|_| color.extend(1.0));
    }

    /// A soft dark copy of a shape below what follows: `offset` away, blurred over `softness`.
    pub(crate) fn shadow(
        &mut self,
        distance: impl Fn(Vec2) -> f32 + Sync,
        offset: Vec2,
        softness: f32,
        strength: f32,
    ) {
        let distance: Distance<'_> = &distance;
        self.wash_within(softness, &|p| distance(p - offset), &|_, distance| {
            let t = (0.5 - distance / (2.0 * softness)).clamp(0.0, 1.0);
            Vec3::splat(0.04).extend(strength * t * t * (3.0 - 2.0 * t))
        });
    }

    /// A soft light around a shape.
    pub(crate) fn glow(
        &mut self,
        distance: impl Fn(Vec2) -> f32 + Sync,
        color: Vec3,
        reach: f32,
        strength: f32,
    ) {
        self.wash_within(reach, &distance, &|_, distance| {
            let t = (1.0 - distance.max(0.0) / reach).clamp(0.0, 1.0);
            color.extend(strength * t * t)
        });
    }

    /// Fills a shape so that it looks solid: a lit cushion with a highlight and a dark outline in its own hue.
    pub(crate) fn cushion(
        &mut self,
        distance: impl Fn(Vec2) -> f32 + Sync,
        color: impl Fn(Vec2) -> Vec3 + Sync,
        look: Cushion,
    ) {
        self.cushion_by(&distance, &color, look);
    }

    // Games paint a thousand shapes. The functions below are compiled once for all of them, not once for each of their closures'
    // types.

    fn wash_by(&mut self, color: Paint<'_, Vec4>) {
        self.wash_within(0.0, &|_| 0.0, &|p, _| color(p));
    }

    /// Mixes a colour of the point and its distance, sRGB with straight alpha, over all texels within `reach` of a shape. A
    /// block of texels whose middle is far away is passed over: distances may grow four times as fast as space.
    fn wash_within(
        &mut self,
        reach: f32,
        distance: Distance<'_>,
        color: &(dyn Fn(Vec2, f32) -> Vec4 + Sync),
    ) {
        let (width, texel, half_width) = (self.width as usize, self.texel(), self.half_width());
        let at = |x: f32, y: f32| Vec2::new(x, y) * texel - Vec2::new(half_width, 1.0);
        let far = reach + 4.0 * std::f32::consts::FRAC_1_SQRT_2 * BLOCK as f32 * texel;
        let bands = self.pixels.par_chunks_mut(width * BLOCK).enumerate();
        bands.for_each(|(band, texels)| {
            let top = band * BLOCK;
            for left in (0..width).step_by(BLOCK) {
                let half = BLOCK as f32 * 0.5;
                if distance(at(left as f32 + half, top as f32 + half)) > far {
                    continue;
                }
                for (y, row) in (top..).zip(texels.chunks_mut(width)) {
                    let columns = left..width.min(left + BLOCK);
                    for (x, under) in columns.clone().zip(&mut row[columns]) {
                        let p = at(x as f32 + 0.5, y as f32 + 0.5);
                        let over = color(p, distance(p));
                        let alpha = over.w.clamp(0.0, 1.0);
                        if alpha > 0.0 {
                            let source = (over.truncate() * alpha).extend(alpha);
                            *under = *under * (1.0 - alpha) + source;
                        }
                    }
                }
            }
        });
    }

    fn fill_by(&mut self, distance: Distance<'_>, color: Paint<'_, Vec4>) {
        let texel = self.texel();
        self.wash_within(0.5 * texel, distance, &|p, distance| {
            let coverage = (0.5 - distance / texel).clamp(0.0, 1.0);
            if coverage == 0.0 {
                return Vec4::ZERO;
            }
            let color = color(p);
            color.truncate().extend(color.w * coverage)
        });
    }

    fn cushion_by(&mut self, distance: Distance<'_>, color: Paint<'_, Vec3>, look: Cushion) {
        let step = self.texel();
        self.fill_by(distance, &|p| {
            let depth = -distance(p);
            let slope = Vec2::new(
                distance(p + Vec2::X * step) - distance(p - Vec2::X * step),
                distance(p + Vec2::Y * step) - distance(p - Vec2::Y * step),
            )
            .normalize_or_zero();
            let base = color(p);
            let lit = lit_cushion(base, slope, depth, look);
            // The outline keeps its hue and loses three quarters of its light.
            let edge = 1.0 - ((depth - look.outline) / step + 0.5).clamp(0.0, 1.0);
            let line = base * base * 0.28;
            lit.lerp(line, if look.outline > 0.0 { edge } else { 0.0 })
                .extend(1.0)
        });
    }

    /// Draws another canvas over this one; `from` gives its point for a point of this one.
    pub(crate) fn stamp(&mut self, other: &Self, from: impl Fn(Vec2) -> Vec2 + Sync) {
        self.wash(|p| other.at(from(p)));
    }

    /// The colour at a point, bilinear, straight alpha; transparent outside.
    #[must_use]
    pub(crate) fn at(&self, p: Vec2) -> Vec4 {
        let q = (p + Vec2::new(self.half_width(), 1.0)) / self.texel() - 0.5;
        let cell = q.floor();
        let t = q - cell;
        let texel = |x: i32, y: i32| {
            let (x, y) = (cell.x as i32 + x, cell.y as i32 + y);
            let inside = (0..self.width.cast_signed()).contains(&x)
                && (0..self.height.cast_signed()).contains(&y);
            if inside {
                self.pixels[(y.cast_unsigned() * self.width + x.cast_unsigned()) as usize]
            } else {
                Vec4::ZERO
            }
        };
        let upper = texel(0, 0).lerp(texel(1, 0), t.x);
        let lower = texel(0, 1).lerp(texel(1, 1), t.x);
        let mixed = upper.lerp(lower, t.y);
        (mixed.truncate() / mixed.w.max(1e-6)).extend(mixed.w)
    }

    /// Straight RGBA8, row by row. Transparent texels take the colour of what is painted near them, so that filtering
    /// brings no dark seams.
    #[must_use]
    pub(crate) fn rgba8(&self) -> Vec<u8> {
        let mut colors = self.pixels.clone();
        let (width, height) = (self.width as usize, self.height as usize);
        for _ in 0..BLEED {
            let known = colors.clone();
            let rows = colors.par_chunks_mut(width).enumerate();
            rows.for_each(|(y, row)| {
                for (x, color) in row.iter_mut().enumerate().filter(|(_, c)| c.w == 0.0) {
                    let near = |dx: isize, dy: isize| {
                        let (x, y) = (x.checked_add_signed(dx), y.checked_add_signed(dy));
                        let at = (x.filter(|x| *x < width), y.filter(|y| *y < height));
                        let (Some(x), Some(y)) = at else {
                            return Vec4::ZERO;
                        };
                        known[y * width + x]
                    };
                    let sum = near(-1, 0) + near(1, 0) + near(0, -1) + near(0, 1);
                    if sum.w > 0.0 {
                        // Hardly there, but with a colour.
                        *color = sum / sum.w * 1e-4;
                    }
                }
            });
        }
        let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        let straight = |c: &Vec4| {
            let color = c.truncate() / c.w.max(1e-6);
            [byte(color.x), byte(color.y), byte(color.z), byte(c.w)]
        };
        colors.iter().flat_map(straight).collect()
    }
}

/// Edge of the blocks of [`Canvas::wash_within`] in texels.
const BLOCK: usize = 8;

/// Texels over which [`Canvas::rgba8`] spreads colours.
const BLEED: usize = 8;

/// The colour of a cushion's surface `depth` inside its edge, where the distance grows towards `slope`.
fn lit_cushion(base: Vec3, slope: Vec2, depth: f32, look: Cushion) -> Vec3 {
    let rim = 1.0 - (depth / look.bevel).clamp(0.0, 1.0);
    // The rim is a quarter circle: its normal leans outwards by as much as it is near the edge.
    let lean = slope * rim;
    let normal = lean.extend((1.0 - lean.length_squared()).max(0.0).sqrt());
    let light = Vec3::new(-0.42, -0.68, 0.6).normalize();
    let facing = normal.dot(light);
    let shade = 1.0 + look.contrast * (facing - 0.55);
    // Darkened colours also turn a little to blue, lit ones to yellow.
    let tint = Vec3::new(1.0, 0.97, 0.9).lerp(Vec3::new(0.86, 0.86, 1.08), 0.5 - 0.5 * facing);
    let half = (light + Vec3::Z).normalize();
    let highlight = look.gloss * normal.dot(half).max(0.0).powi(24);
    (base * shade * tint + highlight).clamp(Vec3::ZERO, Vec3::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::shape::{capsule, circle, ellipse, heart, rounded_box, star};

    /// Shapes that are small, thin, between blocks, and beyond the canvas.
    #[test]
    fn canvas_paints_each_texel_that_a_shape_reaches() {
        let shapes: [&(dyn Fn(Vec2) -> f32 + Sync); 7] = [
            &|p| circle(p - Vec2::new(0.31, -0.47), 0.04),
            &|p| ellipse(p, Vec2::new(1.4, 0.03)),
            &|p| capsule(p, Vec2::new(-1.7, -0.9), Vec2::new(1.6, 0.8), 0.01),
            &|p| star(p * 1.5, 5, 0.9, 0.3),
            &|p| heart(p * 3.0),
            &|p| rounded_box(p - Vec2::new(1.9, 0.9), Vec2::splat(0.4), 0.1),
            &|p| circle(p, 0.2).min(circle(p + Vec2::new(1.2, 0.6), 0.1)),
        ];
        for (number, shape) in shapes.into_iter().enumerate() {
            let mut canvas = Canvas::new(107, 53);
            canvas.flat(shape, Vec3::ONE);
            let texel = canvas.texel();
            for (at, pixel) in canvas.pixels.iter().enumerate() {
                let place = Vec2::new((at % 107) as f32, (at / 107) as f32) + 0.5;
                let p = place * texel - Vec2::new(canvas.half_width(), 1.0);
                let coverage = (0.5 - shape(p) / texel).clamp(0.0, 1.0);
                assert_eq!(pixel.w, coverage, "shape {number}, {place}");
            }
        }
    }

    #[test]
    fn canvas_keeps_a_filled_shape_and_bleeds_its_colour() {
        let mut canvas = Canvas::new(32, 32);
        canvas.flat(|p| circle(p, 0.5), rgb(0x0040_80ff & 0x00ff_ffff));
        let bytes = canvas.rgba8();
        let texel = |x: usize, y: usize| &bytes[(y * 32 + x) * 4..][..4];
        assert_eq!(texel(16, 16), [0x40, 0x80, 0xff, 0xff], "inside");
        assert_eq!(texel(16, 6), [0x40, 0x80, 0xff, 0], "just outside");
        assert_eq!(texel(0, 0)[3], 0, "far outside");
    }
}
