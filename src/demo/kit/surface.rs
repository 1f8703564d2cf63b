//! Textures that repeat: walls, grounds, wood, metal from a formula of colour and height, lit from the upper left.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::atlas::image_of;
use azulejo_scene::TextureImage;

/// Colour and height of a surface at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Relief {
    /// Colour of the surface, sRGB, 0..1.
    pub(crate) color: Vec3,
    /// Height in texture edges: it casts light and shade, as painters of mobile games bake it in.
    pub(crate) height: f32,
}

/// An image of `width` x `height` texels whose formula repeats with period 1 along both axes; (0, 0) is the upper left
/// corner. `depth` scales the light that falls across the relief.
#[must_use]
pub(crate) fn tiling(
    name: &str,
    (width, height): (u32, u32),
    depth: f32,
    relief: impl Fn(Vec2) -> Relief + Sync,
) -> TextureImage {
    tiling_by(name, (width, height), depth, &relief)
}

/// [`tiling`], compiled once for all formulas.
fn tiling_by(
    name: &str,
    (width, height): (u32, u32),
    depth: f32,
    relief: &(dyn Fn(Vec2) -> Relief + Sync),
) -> TextureImage {
    let size = Vec2::new(width as f32, height as f32);
    let points: Vec<Relief> = (0..width * height)
        .into_par_iter()
        .with_min_len(1024)
        .map(|i| relief((Vec2::new((i % width) as f32, (i / width) as f32) + 0.5) / size))
        .collect();
    let at = |x: u32, y: u32| &points[((y % height) * width + x % width) as usize];
    let texel = |i: u32| {
        let (x, y) = (i % width, i / width);
        let own = at(x, y);
        let slope = Vec2::new(
            at(x + 1, y).height - at(x + width - 1, y).height,
            at(x, y + 1).height - at(x, y + height - 1).height,
        ) * size
            * 0.5
            * depth;
        let normal = (-slope).extend(1.0).normalize();
        let light = normal.dot(Vec3::new(-0.4, -0.6, 0.69));
        let lit = own.color * (0.42 + 0.84 * light.max(0.0));
        let [r, g, b] = lit
            .to_array()
            .map(|v| (v.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
        [r, g, b, 255]
    };
    let rgba: Vec<u8> = (0..width * height)
        .into_par_iter()
        .with_min_len(1024)
        .flat_map_iter(texel)
        .collect();
    image_of(name, width, height, &rgba)
}
