//! Painting of the interface's triangles by the CPU: textured, with premultiplied colours, blended as codes, clipped; edges
//! are as smooth as egui feathers them.

use std::collections::BTreeMap;
use std::ops::Range;

use egui::epaint::{ImageData, ImageDelta, Mesh, Primitive, Vertex};
use egui::{ClippedPrimitive, Color32, Pos2, Rect, TextureId, TexturesDelta};

/// Pixels to paint on, 0x00RRGGBB.
#[derive(Debug)]
pub(super) struct Canvas<'a> {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: &'a mut [u32],
}

/// Painter of triangles, with textures by name.
#[derive(Debug, Default)]
pub(super) struct Painter {
    textures: BTreeMap<TextureId, Texels>,
}

#[derive(Debug, Default)]
struct Texels {
    width: usize,
    height: usize,
    colors: Vec<Color32>,
}

/// Rectangle of pixels that may be touched.
#[derive(Debug, Clone)]
struct Clip {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Painter {
    /// Takes in new and changed textures.
    pub(super) fn update(&mut self, delta: &TexturesDelta) {
        for id in sorted(delta.set.keys()) {
            let texels = self.textures.entry(id).or_default();
            for delta in delta.set.get(&id).into_iter().flatten() {
                texels.change(delta);
            }
        }
    }

    /// Drops textures that nothing is painted with any more.
    pub(super) fn forget(&mut self, delta: &TexturesDelta) {
        for id in sorted(delta.free.iter()) {
            self.textures.remove(&id);
        }
    }

    /// Paints everything, in order.
    pub(super) fn paint(
        &self,
        canvas: &mut Canvas<'_>,
        interface: &[ClippedPrimitive],
        pixels_per_point: f32,
    ) {
        for part in interface {
            let Primitive::Mesh(mesh) = &part.primitive else {
                continue;
            };
            if let Some(texels) = self.textures.get(&mesh.texture_id) {
                let clip = Clip::new(part.clip_rect, pixels_per_point, canvas);
                texels.paint(canvas, &clip, mesh, pixels_per_point);
            }
        }
    }
}

/// Names in order, since sets have none.
pub(super) fn sorted<'a>(ids: impl Iterator<Item = &'a TextureId>) -> Vec<TextureId> {
    let mut ids: Vec<TextureId> = ids.copied().collect();
    ids.sort_unstable();
    ids
}

impl Clip {
    fn new(rect: Rect, pixels_per_point: f32, canvas: &Canvas<'_>) -> Self {
        let edge = |point: f32, most: usize| {
            // Negative and huge values saturate.
            ((point * pixels_per_point).round() as usize).min(most)
        };
        Self {
            columns: edge(rect.min.x, canvas.width)..edge(rect.max.x, canvas.width),
            rows: edge(rect.min.y, canvas.height)..edge(rect.max.y, canvas.height),
        }
    }
}

impl Texels {
    fn change(&mut self, delta: &ImageDelta) {
        let ImageData::Color(image) = &delta.image;
        let [width, height] = image.size;
        let Some([left, top]) = delta.pos else {
            *self = Self {
                width,
                height,
                colors: image.pixels.clone(),
            };
            return;
        };
        let lines = image.pixels.chunks_exact(width.max(1)).enumerate();
        for (line, colors) in lines {
            let start = (top + line) * self.width + left;
            if let Some(place) = self.colors.get_mut(start..start + width) {
                place.copy_from_slice(colors);
            }
        }
    }

    fn paint(&self, canvas: &mut Canvas<'_>, clip: &Clip, mesh: &Mesh, pixels_per_point: f32) {
        for corners in mesh.indices.chunks_exact(3) {
            let mut corners = [0, 1, 2].map(|k| mesh.vertices[corners[k] as usize]);
            for corner in &mut corners {
                corner.pos = (corner.pos.to_vec2() * pixels_per_point).to_pos2();
            }
            self.triangle(canvas, clip, corners);
        }
    }

    fn triangle(&self, canvas: &mut Canvas<'_>, clip: &Clip, mut corners: [Vertex; 3]) {
        let mut area = edge(&corners[0], &corners[1], corners[2].pos.x, corners[2].pos.y);
        if area < 0.0 {
            corners.swap(1, 2);
            area = -area;
        }
        if !area.is_finite() || area == 0.0 {
            return;
        }
        let span = |of: fn(&Vertex) -> f32, most: &Range<usize>| {
            let ends = corners.each_ref().map(of);
            let low = ends.into_iter().fold(f32::INFINITY, f32::min).floor() as usize;
            let high = ends.into_iter().fold(0.0, f32::max).ceil() as usize;
            low.max(most.start)..high.min(most.end)
        };
        let columns = span(|corner| corner.pos.x, &clip.columns);
        let flat = self.flat(&corners);
        for y in span(|corner| corner.pos.y, &clip.rows) {
            for x in columns.clone() {
                let at = Pos2::new(x as f32 + 0.5, y as f32 + 0.5);
                if let Some(shares) = shares(&corners, at, area) {
                    let color = flat.unwrap_or_else(|| self.color(&corners, shares));
                    let pixel = &mut canvas.pixels[y * canvas.width + x];
                    *pixel = over(color, *pixel);
                }
            }
        }
    }

    /// Colour of a triangle that has but one.
    fn flat(&self, [a, b, c]: &[Vertex; 3]) -> Option<Color32> {
        let plain = a.uv == b.uv && b.uv == c.uv && a.color == b.color && b.color == c.color;
        plain.then(|| times(self.texel(a.uv.x, a.uv.y), a.color))
    }

    fn color(&self, corners: &[Vertex; 3], shares: [f32; 3]) -> Color32 {
        let mix = |of: &dyn Fn(&Vertex) -> f32| {
            let parts = corners.iter().zip(shares);
            parts.map(|(corner, share)| of(corner) * share).sum::<f32>()
        };
        let tint = [0, 1, 2, 3].map(|k| mix(&|corner| f32::from(corner.color[k])).round() as u8);
        let [r, g, b, a] = tint;
        let texel = self.texel(mix(&|corner| corner.uv.x), mix(&|corner| corner.uv.y));
        times(texel, Color32::from_rgba_premultiplied(r, g, b, a))
    }

    fn texel(&self, u: f32, v: f32) -> Color32 {
        let at = |part: f32, size: usize| ((part * size as f32) as usize).min(size.max(1) - 1);
        let index = at(v, self.height) * self.width + at(u, self.width);
        self.colors.get(index).copied().unwrap_or_default()
    }
}

/// Twice the signed area of the triangle with this edge and point; positive to its right, y pointing down.
fn edge(from: &Vertex, to: &Vertex, x: f32, y: f32) -> f32 {
    (to.pos.x - from.pos.x) * (y - from.pos.y) - (to.pos.y - from.pos.y) * (x - from.pos.x)
}

/// Barycentric coordinates of a point inside; a point on an edge belongs to the triangle below or to the right of it, so
/// that neighbours do not both paint it.
fn shares(corners: &[Vertex; 3], at: Pos2, area: f32) -> Option<[f32; 3]> {
    let mut shares = [0.0; 3];
    for (k, share) in shares.iter_mut().enumerate() {
        let (from, to) = (&corners[(k + 1) % 3], &corners[(k + 2) % 3]);
        let value = edge(from, to, at.x, at.y);
        let rise = to.pos.y - from.pos.y;
        let owns_edge = rise < 0.0 || (rise == 0.0 && to.pos.x > from.pos.x);
        if value < 0.0 || (value == 0.0 && !owns_edge) {
            return None;
        }
        *share = value / area;
    }
    Some(shares)
}

/// Product of codes, as egui's shader multiplies.
fn times(a: Color32, b: Color32) -> Color32 {
    let [r, g, b, a] =
        [0, 1, 2, 3].map(|k| ((u16::from(a[k]) * u16::from(b[k]) + 127) / 255) as u8);
    Color32::from_rgba_premultiplied(r, g, b, a)
}

/// Blends a premultiplied colour over a pixel.
fn over(color: Color32, pixel: u32) -> u32 {
    let [r, g, b, alpha] = color.to_array();
    if alpha == 255 {
        return u32::from_be_bytes([0, r, g, b]);
    }
    let [_, r_below, g_below, b_below] = pixel.to_be_bytes();
    let keep = 255 - u32::from(alpha);
    let mix = |front: u8, below: u8| {
        (u32::from(front) + (u32::from(below) * keep + 127) / 255).min(255) as u8
    };
    u32::from_be_bytes([0, mix(r, r_below), mix(g, g_below), mix(b, b_below)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::WHITE_UV;
    use egui::pos2;

    fn painted(color: Color32, pixels_per_point: f32) -> Vec<u32> {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_min_max(pos2(1.0, 1.0), pos2(4.0, 3.0)), color);
        assert_eq!(mesh.vertices[0].uv, WHITE_UV, "samples the white texel");
        let mut delta = TexturesDelta::default();
        let white = egui::ColorImage::filled([2, 2], Color32::WHITE);
        delta.push(
            TextureId::default(),
            ImageDelta::full(white, Default::default()),
        );
        let mut painter = Painter::default();
        painter.update(&delta);
        // Handled changes are taken out: egui's checked builds panic over those that are not.
        delta.clear();
        let mut pixels = vec![0x0040_4040; 8 * 6];
        let mut canvas = Canvas {
            width: 8,
            height: 6,
            pixels: &mut pixels,
        };
        let part = ClippedPrimitive {
            clip_rect: Rect::from_min_max(pos2(0.0, 0.0), pos2(3.0, 9.0)),
            primitive: Primitive::Mesh(mesh),
        };
        painter.paint(&mut canvas, &[part], pixels_per_point);
        pixels
    }

    #[test]
    fn paint_fills_each_pixel_once_and_clips() {
        let half = Color32::from_rgba_premultiplied(100, 0, 0, 128);
        let pixels = painted(half, 1.0);
        let touched: Vec<usize> = (0..48).filter(|&at| pixels[at] != 0x0040_4040).collect();
        assert_eq!(touched, [9, 10, 17, 18], "2x2 pixels within the clip");
        let expected = u32::from_be_bytes([0, 100 + 32, 32, 32]);
        for at in touched {
            assert_eq!(pixels[at], expected, "blended once, also on the diagonal");
        }
    }

    #[test]
    fn paint_scales_points_to_pixels() {
        let pixels = painted(Color32::RED, 2.0);
        let red = pixels.iter().filter(|&&pixel| pixel == 0x00ff_0000).count();
        assert_eq!(red, 4 * 4, "from (2, 2) to (6, 6)");
    }
}
