//! Textures of the models, each a formula that repeats.

use glam::{Vec2, Vec3, vec2};

use crate::kit::pattern::{masonry, planks as grain};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Noise, smooth_step};
use azulejo_scene::TextureImage;

/// Texels of an edge: 4 MiB with a byte for each channel, twice the L2 of the paper's GPU.
const LARGE: (u32, u32) = (1024, 1024);
const SMALL: (u32, u32) = (512, 512);

/// Dark patches on light hide.
pub(super) fn hide(seed: u32) -> TextureImage {
    let (patches, hair) = (Noise::tiling(seed, 8), Noise::tiling(seed + 1, 128));
    tiling("hide", LARGE, 0.6, |at| {
        let patch = smooth_step(0.52, 0.56, patches.value(at * 8.0));
        let hair = hair.value(at * 128.0);
        let light = Vec3::new(0.93, 0.88, 0.8).lerp(Vec3::new(0.22, 0.15, 0.12), patch);
        Relief {
            color: light * (0.85 + 0.15 * hair),
            height: 0.002 * hair,
        }
    })
}

/// Boards of a crate with a frame around them.
pub(super) fn planks(seed: u32) -> TextureImage {
    let stains = Noise::tiling(seed, 16);
    tiling("planks", LARGE, 0.8, |at| {
        let inner = (at - 0.5).abs().max_element() < 0.41;
        let (along, tone) = if inner {
            (at, 1.0)
        } else {
            (vec2(at.y, at.x), 0.8)
        };
        let grain = grain(along * 4.0, 0.5);
        let stain = 0.8 + 0.2 * stains.value(at * 16.0);
        Relief {
            color: Vec3::new(0.72, 0.5, 0.3) * grain * stain * tone,
            height: if inner { 0.0 } else { 0.01 },
        }
    })
}

/// Wood under a chisel.
pub(super) fn carved(seed: u32) -> TextureImage {
    let cuts = Noise::tiling(seed, 32);
    tiling("carved", SMALL, 1.0, |at| {
        let cut = cuts.value(at * vec2(32.0, 8.0));
        let ring = (at.x * 8.0 + 0.6 * cut).fract();
        Relief {
            color: Vec3::new(0.62, 0.4, 0.24) * (0.75 + 0.3 * ring),
            height: 0.006 * cut,
        }
    })
}

/// Blue bands and petals on white.
pub(super) fn glaze(seed: u32) -> TextureImage {
    let cloud = Noise::tiling(seed, 24);
    tiling("glaze", SMALL, 0.3, |at| {
        let cell = (at * vec2(16.0, 8.0)).fract() - 0.5;
        let petal = smooth_step(0.34, 0.3, cell.length());
        let band = smooth_step(0.46, 0.48, (at.y - 0.5).abs());
        let tone = 0.9 + 0.1 * cloud.value(at * 24.0);
        let paint = petal.max(band);
        Relief {
            color: Vec3::new(0.95, 0.94, 0.9).lerp(Vec3::new(0.12, 0.2, 0.6), paint) * tone,
            height: 0.0,
        }
    })
}

/// Masonry in courses of stone blocks.
pub(super) fn stone(seed: u32) -> TextureImage {
    let spots = Noise::tiling(seed, 64);
    tiling("stone", LARGE, 0.7, |at: Vec2| {
        let block = masonry(at, vec2(0.25, 0.125));
        let spot = spots.value(at * 64.0);
        Relief {
            color: Vec3::new(0.7, 0.66, 0.58) * block * (0.82 + 0.18 * spot),
            height: 0.006 * block,
        }
    })
}
