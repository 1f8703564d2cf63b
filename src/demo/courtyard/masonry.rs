//! Unglazed masonry: terracotta floor tiles with inset azulejos, lime plaster, limestone.

use glam::{Vec2, Vec3};

use super::tiles::{inset_pattern, inside};
use crate::procedural::{Grain, SurfaceMaps, SurfacePoint, lerp, random, smooth_step};

/// Edge of a terracotta tile in metres.
pub(super) const FLOOR_TILE: f32 = 0.14;
/// Tiles along an edge of the floor's texture.
pub(super) const FLOOR_TILES: f32 = 4.0;
/// Half the diagonal of an inset, in tiles.
const INSET: f32 = 0.19;

/// Waxed terracotta tiles whose corners are cut for small glazed ones.
pub(super) fn floor_maps(grain: &Grain, edge: u32) -> SurfaceMaps {
    let size = FLOOR_TILE * FLOOR_TILES;
    SurfaceMaps::new([edge; 2], Vec2::splat(size), |uv| {
        let p = uv * FLOOR_TILES + grain.offset(uv * 8.0) * 0.008;
        let cell = |at: Vec2| {
            let wrap = |v: f32| (v as i32).rem_euclid(FLOOR_TILES as i32);
            [wrap(at.x), wrap(at.y)]
        };
        let nearest = (p + 0.5).floor();
        let corner = p - nearest;
        let diamond = corner.x.abs() + corner.y.abs();
        let at = p - p.floor();
        let seam = at.min(1.0 - at).min_element();
        let joint = (INSET - diamond)
            .abs()
            .min(if diamond < INSET { 1.0 } else { seam });
        if joint < 0.011 {
            return mortar(grain, uv);
        }
        if diamond < INSET {
            let turned = Vec2::new(corner.x + corner.y, corner.x - corner.y) / INSET;
            let [x, y] = cell(nearest);
            return inset(grain, uv, turned, random(x, y, 62));
        }
        let [x, y] = cell(p.floor());
        terracotta(
            grain,
            uv,
            joint,
            at,
            [63, 64, 65, 66].map(|seed| random(x, y, seed)),
        )
    })
}

fn mortar(grain: &Grain, uv: Vec2) -> SurfacePoint {
    let fine = grain.fine.at(uv * 2.0);
    let dirt = grain.clouds.at(uv * 4.0);
    SurfacePoint {
        color: Vec3::new(0.27, 0.21, 0.15) * (0.45 + 0.5 * fine + 0.3 * dirt),
        height: -0.0014 + 0.0006 * fine,
        roughness: 0.95,
        occlusion: 0.6,
        ..SurfacePoint::default()
    }
}

fn inset(grain: &Grain, uv: Vec2, turned: Vec2, own: f32) -> SurfacePoint {
    let wash = grain.clouds.at(uv * 12.0 + own);
    let white = Vec3::new(0.68, 0.68, 0.64) * (0.90 + 0.14 * own);
    let pillow = smooth_step(0.80, 1.0, turned.abs().max_element());
    SurfacePoint {
        color: inset_pattern(turned).over(white, 0.75 + 0.5 * wash) * (1.0 - 0.15 * pillow),
        height: 0.0002 - 0.0008 * pillow + 0.0004 * (wash - 0.5),
        roughness: 0.14 + 0.12 * wash,
        ..SurfacePoint::default()
    }
}

/// Fired clay: `joint` = distance to its edge and `at` = position, in tiles; four random numbers of its own.
fn terracotta(grain: &Grain, uv: Vec2, joint: f32, at: Vec2, own: [f32; 4]) -> SurfacePoint {
    let shifted = uv + Vec2::new(own[3], own[2]);
    let clouds = smooth_step(0.28, 0.72, grain.clouds.at(shifted * 2.0));
    let fine = grain.fine.at(uv * 2.0);
    let fire = lerp(own[0], clouds, 0.5);
    let dark = Vec3::new(0.215, 0.060, 0.026);
    let light = Vec3::new(0.45, 0.160, 0.066);
    let worn = smooth_step(0.045, 0.012, joint) * (0.4 + 0.6 * clouds);
    let pit = smooth_step(0.16, 0.05, grain.cells.at(uv * 6.0))
        * smooth_step(0.7, 0.8, grain.ids.nearest(uv * 6.0));
    let mut color = dark.lerp(light, smooth_step(0.1, 0.9, fire)) * (0.85 + 0.3 * fine);
    color = color.lerp(Vec3::new(0.46, 0.24, 0.13), 0.45 * worn) * (1.0 - 0.45 * pit);
    let rounded = (1.0 - inside(0.012 - joint, 0.03)).powi(2);
    let dish = (at - 0.5).length_squared();
    let tilt = (at - 0.5).dot(Vec2::new(own[1] - 0.5, own[2] - 0.5));
    SurfacePoint {
        color,
        height: 0.0018 * tilt + 0.0009 * dish + 0.0010 * (clouds - 0.5) + 0.0003 * fine
            - 0.0009 * rounded
            - 0.0006 * pit,
        roughness: (0.34 + 0.26 * clouds + 0.25 * worn + 0.3 * pit + 0.1 * (own[1] - 0.5)).min(1.0),
        occlusion: 1.0 - 0.3 * pit - 0.2 * rounded,
        ..SurfacePoint::default()
    }
}

/// Lime plaster with ochre wash, brushed on unevenly; spans one metre.
pub(super) fn plaster_maps(grain: &Grain, edge: u32) -> SurfaceMaps {
    SurfaceMaps::new([edge; 2], Vec2::ONE, |uv| {
        let clouds = grain.clouds.at(uv * 2.0);
        let trowel = grain.clouds.at(Vec2::new(uv.x * 4.0, uv.y * 9.0) + 0.5);
        let fine = grain.fine.at(uv);
        let fade = smooth_step(0.50, 0.75, clouds);
        let ochre = Vec3::new(0.60, 0.335, 0.098);
        let bleached = Vec3::new(0.62, 0.42, 0.20);
        SurfacePoint {
            color: ochre.lerp(bleached, fade) * (0.80 + 0.26 * trowel + 0.10 * fine),
            height: 0.006 * (clouds - 0.5) + 0.0025 * trowel + 0.0005 * fine,
            ..SurfacePoint::default()
        }
    })
}

/// Pale limestone, honed: shells and clouds; spans half a metre.
pub(super) fn limestone_maps(grain: &Grain, edge: u32) -> SurfaceMaps {
    SurfaceMaps::new([edge; 2], Vec2::splat(0.5), |uv| {
        let clouds = grain.clouds.at(uv + grain.offset(uv * 2.0) * 0.03);
        let shell = smooth_step(0.28, 0.12, grain.cells.at(uv * 3.0))
            * smooth_step(0.55, 0.75, grain.ids.nearest(uv * 3.0));
        let fine = grain.fine.at(uv * 2.0);
        let stone = Vec3::new(0.44, 0.37, 0.28).lerp(Vec3::new(0.62, 0.56, 0.46), clouds);
        SurfacePoint {
            color: stone * (0.90 + 0.16 * fine) * (1.0 - 0.16 * shell),
            height: 0.0010 * clouds - 0.0003 * shell + 0.0002 * fine,
            ..SurfacePoint::default()
        }
    })
}
