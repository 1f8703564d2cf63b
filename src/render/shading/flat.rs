//! Flat surfaces: a colour, and at most one texture that is filtered linearly, without light. If such a program draws a
//! triangle whose corners have the same w (sprites, panels, text), everything is affine over the screen: terms that all of
//! its pixels share are computed once, no perspective is divided by, and no helper lanes are needed for derivatives.
//!
//! A pixel's colour depends on the triangle and the pixel alone, never on what is shaded beside it; recording and tracing
//! give the same colour.

use super::texture::{
    BlockAlphas, BlockCells, FlatMemo, FlatPlace, FlatSample, FlatTexture, Plane, Reach,
    SlantedTriangle,
};
use azulejo_scene::Alphas;
use azulejo_simd::{LANES, Lanes, each};

/// Computation of a flat program, as data.
#[derive(Debug, Clone, Copy)]
pub struct FlatSurface<'a> {
    /// Linear RGBA that multiplies everything.
    pub(super) base_color: [f32; 4],
    /// Position of the vertex colour among the varyings.
    pub(super) vertex_color: Option<usize>,
    /// Alpha is 1, whatever colour and texture give.
    pub(super) opaque: bool,
    /// Fragments are kept or dropped by their alpha: nothing is blended, and triangles are not drawn by the shorter way.
    pub(super) masked: bool,
    pub(super) texture: Option<FlatTexture<'a>>,
}

/// A triangle over which varyings are affine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AffineTriangle<'a> {
    /// Gradients of the barycentric coordinates of corners 1 and 2, by x and y in pixels.
    pub(crate) gradients: [[f32; 2]; 2],
    /// Width and height of its bounds in pixels.
    pub(crate) extent_px: [f32; 2],
    /// Varyings of the triangle, by corner.
    pub(crate) varyings: [&'a [f32]; 3],
}

/// A flat surface in one triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatTriangle {
    /// Linear RGBA, straight, at corner 0.
    color: [f32; 4],
    /// How much more each channel is a pixel to the right, and a pixel down; `None` where it is the same all over.
    slopes: Option<[[f32; 2]; 4]>,
    /// Bounds of the colour's alpha.
    alphas: Alphas,
    sample: Option<FlatSample>,
}

/// Bounds of the alphas of a triangle with perspective in a tile, where they are not the same everywhere.
#[derive(Debug)]
pub(crate) struct SlantedAlphas<'a> {
    of_color: Alphas,
    of_texels: BlockAlphas<'a>,
}

impl SlantedAlphas<'_> {
    /// Bounds of the alphas of the first `n` of these blocks, which have these numbers in the tile.
    #[inline(always)]
    pub(crate) fn of_blocks<L: Lanes>(
        &self,
        l: L,
        numbers: &[i32; LANES],
        n: usize,
    ) -> [Alphas; LANES] {
        let mut alphas = self.of_texels.of_blocks(l, numbers, n);
        for alphas in &mut alphas[..n] {
            *alphas = alphas.times(self.of_color);
        }
        alphas
    }
}

/// Bounds of alphas between those of three corners.
fn alphas_between([a, b, c]: [[f32; 4]; 3]) -> Alphas {
    if a[3] == b[3] && a[3] == c[3] {
        Alphas::of(a[3])
    } else {
        Alphas::MIXED
    }
}

impl FlatTriangle {
    /// How its texture's coordinates change over a rectangle of pixels with these distances from the first centre to the
    /// last.
    #[inline(always)]
    pub(crate) fn reach(&self, size_px: [f32; 2]) -> Reach {
        match &self.sample {
            Some(sample) => sample.reach(size_px),
            None => Reach::default(),
        }
    }
}

impl FlatSurface<'_> {
    /// The surface in a triangle, unless coordinates lack digits there.
    #[inline(always)]
    pub(crate) fn triangle<L: Lanes>(
        &self,
        l: L,
        triangle: &AffineTriangle<'_>,
    ) -> Option<FlatTriangle> {
        if self.masked {
            return None;
        }
        let AffineTriangle {
            gradients: [b1, b2],
            extent_px,
            varyings,
        } = *triangle;
        let plane = |[value, to_1, to_2]: [f32; 3]| {
            let (to_1, to_2) = (to_1 - value, to_2 - value);
            Plane {
                value,
                dx: b1[0] * to_1 + b2[0] * to_2,
                dy: b1[1] * to_1 + b2[1] * to_2,
            }
        };
        let [color, second, third] = self.colors(varyings)?;
        let slopes = (color != second || color != third).then(
            #[inline(always)]
            || {
                each!(4, k => {
                    let Plane { dx, dy, .. } = plane([color[k], second[k], third[k]]);
                    [dx, dy]
                })
            },
        );
        let alphas = alphas_between([color, second, third]);
        let sample = match &self.texture {
            None => None,
            Some(texture) => {
                let at = texture.first_varying;
                let corners = each!(3, k => [*varyings[k].get(at)?, *varyings[k].get(at + 1)?]);
                Some(FlatSample::new(l, texture, corners, plane, extent_px)?)
            }
        };
        Some(FlatTriangle {
            color,
            slopes,
            alphas,
            sample,
        })
    }

    /// Fragments are kept or dropped by their alpha: they are dropped at 0, and kept at 1.
    pub(crate) const fn is_masked(&self) -> bool {
        self.masked
    }

    /// Whether bounds of alphas follow from the texture's.
    pub(crate) const fn has_alphas(&self) -> bool {
        !self.opaque && self.texture.is_some()
    }

    /// Bounds of the alphas of a triangle with perspective, by block of a tile.
    pub(crate) fn slanted(&self, triangle: &SlantedTriangle<'_>) -> Option<SlantedAlphas<'_>> {
        let texture = self.texture.as_ref().filter(|_| !self.opaque)?;
        Some(SlantedAlphas {
            of_color: alphas_between(self.colors(triangle.varyings)?),
            of_texels: BlockAlphas::new(texture, triangle)?,
        })
    }

    /// Straight colours by corner, but for the texture.
    #[inline(always)]
    fn colors(&self, varyings: [&[f32]; 3]) -> Option<[[f32; 4]; 3]> {
        let mut corners = [self.base_color; 3];
        if let Some(at) = self.vertex_color {
            for (corner, varyings) in corners.iter_mut().zip(varyings) {
                let factors = varyings.get(at..at + 4)?;
                for (to, factor) in corner.iter_mut().zip(factors) {
                    *to *= factor;
                }
            }
        }
        if self.opaque {
            corners.iter_mut().for_each(|corner| corner[3] = 1.0);
        }
        Some(corners)
    }

    /// Straight colours of a block of the triangle.
    #[inline(always)]
    pub(crate) fn color<L: Lanes>(
        &self,
        l: L,
        triangle: &FlatTriangle,
        place: &FlatPlace<L>,
        memo: &mut FlatMemo,
    ) -> [L::F; 4] {
        let mut color = each!(4, k => l.f(triangle.color[k]));
        if let Some(slopes) = &triangle.slopes {
            let [dx, dy] = place.distance;
            color = each!(4, k => {
                let [by_x, by_y] = slopes[k];
                l.mul_add(l.f(by_x), dx, l.mul_add(l.f(by_y), dy, color[k]))
            });
        }
        let (Some(sample), Some(texture)) = (&triangle.sample, &self.texture) else {
            return color;
        };
        let texel = sample.color(l, texture, place, memo);
        let alpha = if self.opaque {
            color[3]
        } else {
            texel[3] * color[3]
        };
        [
            texel[0] * color[0],
            texel[1] * color[1],
            texel[2] * color[2],
            alpha,
        ]
    }

    /// Bounds of the alphas of the triangle's pixels in a rectangle of this reach, whose first pixel's centre is at this
    /// distance from corner 0.
    #[inline(always)]
    pub(crate) fn alphas(
        &self,
        triangle: &FlatTriangle,
        distance: [f32; 2],
        reach: Reach,
    ) -> Alphas {
        match (&triangle.sample, &self.texture) {
            (Some(sample), Some(texture)) if !self.opaque => {
                let of_texels = sample.alphas(texture, distance, reach);
                triangle.alphas.times(of_texels)
            }
            _ => triangle.alphas,
        }
    }

    /// The cells of the triangle's blocks in a tile, where each is asked for its alphas: see [`FlatSample::block_cells`].
    #[inline(always)]
    pub(crate) fn block_cells(
        &self,
        triangle: &FlatTriangle,
        distance: [f32; 2],
        blocks: [[u32; 2]; 2],
    ) -> Option<BlockCells> {
        match (&triangle.sample, &self.texture) {
            (Some(sample), Some(texture)) if !self.opaque => {
                sample.block_cells(texture, distance, blocks)
            }
            _ => None,
        }
    }

    /// Bounds of the alphas in the triangle's block in this column and row.
    #[inline(always)]
    pub(crate) fn alphas_of_block(
        &self,
        triangle: &FlatTriangle,
        cells: &BlockCells,
        block: [u32; 2],
    ) -> Alphas {
        match (&triangle.sample, &self.texture) {
            (Some(sample), Some(texture)) => {
                let of_texels = sample.alphas_of_block(texture, cells, block);
                triangle.alphas.times(of_texels)
            }
            _ => triangle.alphas,
        }
    }
}
