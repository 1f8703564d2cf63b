//! Texture maps from a formula: one function of (u, v) gives colour, height, roughness, ...; out come glTF's images.
//!
//! Normals are the slope of the height, measured between neighbouring texels, so that bump, colour and gloss always agree.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use azulejo_scene::srgb_byte;
use azulejo_scene::{Encoding, TextureImage};

/// Material properties of a surface at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SurfacePoint {
    /// Base colour, linear RGB, 0..1.
    pub(crate) color: Vec3,
    /// Coverage of the surface, 0..1.
    pub(crate) alpha: f32,
    /// Metres above the mesh.
    pub(crate) height: f32,
    /// Perceptual roughness of the surface, 0..1.
    pub(crate) roughness: f32,
    /// 0 dielectric, 1 metal.
    pub(crate) metallic: f32,
    /// 1 open, 0 enclosed.
    pub(crate) occlusion: f32,
}

impl Default for SurfacePoint {
    /// Opaque, flat, white, rough, dielectric.
    fn default() -> Self {
        Self {
            color: Vec3::ONE,
            alpha: 1.0,
            height: 0.0,
            roughness: 1.0,
            metallic: 0.0,
            occlusion: 1.0,
        }
    }
}

/// A surface evaluated at the texel centres of one tile of texture.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceMaps {
    /// Texels from left to right.
    pub(crate) width: u32,
    /// Texels from top to bottom.
    pub(crate) height: u32,
    /// Metres that one texture width and height span on the mesh: turns heights into slopes.
    pub(crate) extent: Vec2,
    /// Row by row from the top.
    pub(crate) points: Vec<SurfacePoint>,
}

impl SurfaceMaps {
    /// `surface` at every texel centre, (u, v) in 0..1 with v downwards.
    pub(crate) fn new(
        [width, height]: [u32; 2],
        extent: Vec2,
        surface: impl Fn(Vec2) -> SurfacePoint + Sync,
    ) -> Self {
        Self::by([width, height], extent, &surface)
    }

    /// [`Self::new`], compiled once for all surfaces.
    fn by(
        [width, height]: [u32; 2],
        extent: Vec2,
        surface: &(dyn Fn(Vec2) -> SurfacePoint + Sync),
    ) -> Self {
        let texel = Vec2::new(1.0 / width as f32, 1.0 / height as f32);
        let points = (0..width * height)
            .into_par_iter()
            .with_min_len(1024)
            .map(|i| {
                let at = Vec2::new((i % width) as f32, (i / width) as f32) + 0.5;
                surface(at * texel)
            })
            .collect();
        Self {
            width,
            height,
            extent,
            points,
        }
    }

    /// Halves the texels along each edge, which must be even: for maps that need less detail.
    #[must_use]
    pub(crate) fn halved(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let corner =
            |i: u32| (i / width * 2) as usize * self.width as usize + (i % width * 2) as usize;
        let points = (0..width * height).map(|i| {
            let at = corner(i);
            let below = at + self.width as usize;
            mean([at, at + 1, below, below + 1].map(|at| self.points[at]))
        });
        Self {
            width,
            height,
            extent: self.extent,
            points: points.collect(),
        }
    }

    /// Base colour (sRGB) with alpha.
    #[must_use]
    pub(crate) fn base_color(&self, name: &str) -> TextureImage {
        self.image(name, Encoding::Srgb, |i| {
            let point = &self.points[i];
            let [r, g, b] = point.color.to_array().map(srgb_byte);
            [r, g, b, byte(point.alpha)]
        })
    }

    /// Occlusion in red, roughness in green, metallic in blue.
    #[must_use]
    pub(crate) fn occlusion_roughness_metallic(&self, name: &str) -> TextureImage {
        self.image(name, Encoding::Linear, |i| {
            let point = &self.points[i];
            [point.occlusion, point.roughness, point.metallic, 1.0].map(byte)
        })
    }

    /// The tangent-space normal map of the heights; the texture repeats.
    #[must_use]
    pub(crate) fn normal(&self, name: &str) -> TextureImage {
        let (width, height) = (self.width as usize, self.height as usize);
        let step = 2.0 * self.extent / Vec2::new(self.width as f32, self.height as f32);
        self.image(name, Encoding::Linear, |i| {
            let (x, y) = (i % width, i / width);
            let at = |x: usize, y: usize| self.points[(y % height) * width + x % width].height;
            let along_u = (at(x + 1, y) - at(x + width - 1, y)) / step.x;
            let along_v = (at(x, y + 1) - at(x, y + height - 1)) / step.y;
            // The map's +Y points up the image, against v.
            let normal = Vec3::new(-along_u, along_v, 1.0).normalize() * 0.5 + 0.5;
            [normal.x, normal.y, normal.z, 1.0].map(byte)
        })
    }

    fn image(
        &self,
        name: &str,
        encoding: Encoding,
        texel: impl Fn(usize) -> [u8; 4] + Sync + Send,
    ) -> TextureImage {
        let rgba: Vec<[u8; 4]> = (0..self.points.len())
            .into_par_iter()
            .with_min_len(1024)
            .map(texel)
            .collect();
        let bytes = bytemuck::cast_slice(&rgba);
        TextureImage::from_rgba8(name, encoding, self.width, self.height, bytes)
            .expect("builders ask for edges of 1 to 2048 texels and fill every one")
    }
}

/// The mean of four points.
fn mean(points: [SurfacePoint; 4]) -> SurfacePoint {
    let of = |pick: fn(&SurfacePoint) -> f32| points.iter().map(pick).sum::<f32>() * 0.25;
    SurfacePoint {
        color: points.iter().map(|p| p.color).sum::<Vec3>() * 0.25,
        alpha: of(|p| p.alpha),
        height: of(|p| p.height),
        roughness: of(|p| p.roughness),
        metallic: of(|p| p.metallic),
        occlusion: of(|p| p.occlusion),
    }
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_of_a_flat_surface_point_straight_up() {
        let maps = SurfaceMaps::new([8, 4], Vec2::ONE, |_| SurfacePoint::default());
        assert_eq!(
            maps.normal("flat").texel(0, 3, 2),
            [128, 128, 255, 255],
            "+Z"
        );
        assert_eq!(maps.base_color("white").texel(0, 0, 0), [255; 4], "white");
        let orm = maps.occlusion_roughness_metallic("orm").texel(0, 7, 3);
        assert_eq!(orm, [255, 255, 0, 255], "open, rough, dielectric");
    }

    #[test]
    fn maps_lean_normals_away_from_the_rise() {
        // Heights rise to the right and down the image: normals lean left (-X) and up (+Y).
        let maps = SurfaceMaps::new([16, 16], Vec2::ONE, |uv| SurfacePoint {
            height: 0.2 * uv.x + 0.2 * uv.y,
            ..SurfacePoint::default()
        });
        let [x, y, z, _] = maps.normal("slope").texel(0, 8, 8);
        assert!(x < 112 && y > 144 && z > 200, "normal {x} {y} {z}");
    }

    #[test]
    fn maps_halved_hold_the_means() {
        let maps = SurfaceMaps::new([4, 2], Vec2::ONE, |uv| SurfacePoint {
            roughness: uv.x,
            ..SurfacePoint::default()
        });
        let halved = maps.halved();
        assert_eq!([halved.width, halved.height], [2, 1], "half the edges");
        let roughness: Vec<f32> = halved.points.iter().map(|p| p.roughness).collect();
        assert_eq!(roughness, [0.25, 0.75], "mean of four texels");
    }

    #[test]
    fn maps_decode_to_the_color_given() {
        let maps = SurfaceMaps::new([1, 1], Vec2::ONE, |_| SurfacePoint {
            color: Vec3::new(0.2122, 1.0, 0.0),
            alpha: 0.5,
            ..SurfacePoint::default()
        });
        assert_eq!(
            maps.base_color("c").texel(0, 0, 0),
            [127, 255, 0, 128],
            "sRGB 0.5 and linear alpha"
        );
    }
}
