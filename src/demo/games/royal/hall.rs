//! The hall itself as one very large picture: wallpaper, panels, pillars, arched windows, a marble floor with a carpet.

use glam::{Vec2, Vec3};

use crate::kit::paint::rgb;
use crate::kit::shape::{circle, ellipse, rounded_box, star};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, lerp, smooth_step};
use azulejo_scene::TextureImage;

/// Texels of the picture, two for each unit.
const SIZE: (u32, u32) = (2560, 1440);
/// Units of the picture.
pub(super) const UNITS: Vec2 = Vec2::new(1280.0, 720.0);
/// Boundary of wall and floor, in units of the painting from above.
pub(super) const SKIRTING: f32 = 492.0;

const GOLD: u32 = 0x00e8_b648;

/// Colours of a hall, which follow from the seed.
#[derive(Debug, Clone, Copy)]
struct Scheme {
    paper: Vec3,
    pattern: Vec3,
    wood: Vec3,
}

/// Paints the hall's wall and floor, its colours by seed.
pub(super) fn hall(seed: u32) -> TextureImage {
    let grain = Grain::new(seed ^ 0x0a11);
    let papers = [0x0027_5f8c, 0x006c_2a58, 0x001f_6a5c, 0x0084_3230];
    let paper = rgb(papers[(seed as usize + 3) % papers.len()]);
    let scheme = Scheme {
        paper,
        pattern: paper.lerp(rgb(0x00f4_d890), 0.34),
        wood: rgb(0x007a_4526),
    };
    tiling("hall", SIZE, 1.0, |uv| {
        let p = uv * UNITS;
        let relief = if p.y < SKIRTING {
            wall(&grain, scheme, p)
        } else {
            floor(&grain, p)
        };
        // Light pools in the middle, corners are dim.
        let q = (p - Vec2::new(640.0, 330.0)) / Vec2::new(900.0, 560.0);
        let dim = 1.12 - 0.5 * smooth_step(0.3, 1.0, q.length());
        Relief {
            color: relief.color * dim,
            ..relief
        }
    })
}

/// A colour laid over another where a distance is negative, and its height.
fn over(under: Relief, distance: f32, color: Vec3, height: f32) -> Relief {
    let t = smooth_step(0.6, -0.6, distance);
    Relief {
        color: under.color.lerp(color, t),
        height: lerp(under.height, height, t),
    }
}

/// A rounded strip of gold around a shape's edge.
fn gilded(under: Relief, distance: f32, half: f32, grain: f32) -> Relief {
    let across = (distance / half).clamp(-1.0, 1.0);
    let round = (1.0 - across * across).sqrt();
    let color = rgb(GOLD) * (0.72 + 0.3 * round + 0.1 * grain);
    over(under, distance.abs() - half, color, 0.0022 * round)
}

fn wall(grain: &Grain, scheme: Scheme, p: Vec2) -> Relief {
    let fine = grain.fine.at(p / 320.0);
    let mut relief = wallpaper(scheme, p, fine);
    if p.y > 330.0 {
        relief = panels(grain, scheme, p);
    }
    for x in [330.0, 950.0] {
        relief = window(grain, relief, p - Vec2::new(x, 190.0), fine);
    }
    relief = niche(grain, relief, p - Vec2::new(640.0, 250.0), fine);
    for x in [70.0, 500.0, 780.0, 1210.0] {
        relief = pillar(grain, relief, p - Vec2::new(x, 0.0), fine);
    }
    cornice(relief, p, fine)
}

/// Damask: a lily in every field of a staggered grid.
fn wallpaper(scheme: Scheme, p: Vec2, fine: f32) -> Relief {
    let cell = Vec2::new(44.0, 60.0);
    let row = (p.y / cell.y).floor();
    let q = Vec2::new(p.x + 22.0 * row.rem_euclid(2.0), p.y);
    let q = q - (q / cell).floor() * cell - cell * 0.5;
    let side = Vec2::new(q.x.abs(), q.y);
    let petal = ellipse(q + Vec2::Y * 6.0, Vec2::new(4.5, 15.0));
    let leaf = ellipse(
        Vec2::from_angle(0.7).rotate(side - Vec2::new(8.0, -4.0)),
        Vec2::new(3.6, 11.0),
    );
    let band = rounded_box(q - Vec2::Y * 9.0, Vec2::new(9.0, 1.8), 1.0);
    let foot = ellipse(side - Vec2::new(3.0, 15.0), Vec2::new(2.6, 6.0));
    let mark = petal.min(leaf).min(band).min(foot);
    let base = Relief {
        color: scheme.paper * (0.94 + 0.1 * fine),
        height: 0.0001 * fine,
    };
    over(base, mark, scheme.pattern * (0.95 + 0.1 * fine), 0.0008)
}

/// Wood with raised fields below the paper.
fn panels(grain: &Grain, scheme: Scheme, p: Vec2) -> Relief {
    let rings = grain.clouds.at(Vec2::new(p.x / 90.0, p.y / 700.0));
    let pores = grain.fine.at(Vec2::new(p.x / 60.0, p.y / 600.0));
    let wood = scheme.wood * (0.78 + 0.3 * rings + 0.2 * pores);
    let q = Vec2::new((p.x / 86.0).fract() * 86.0 - 43.0, p.y - 412.0);
    let field = rounded_box(q, Vec2::new(33.0, 58.0), 4.0);
    let mut relief = Relief {
        color: wood,
        height: 0.0002 * pores,
    };
    relief = over(relief, field, wood * 1.08, 0.0002 * pores + 0.0016);
    relief = gilded(relief, field + 1.0, 2.2, pores);
    let inner = rounded_box(q, Vec2::new(22.0, 46.0), 3.0);
    relief = over(relief, inner, wood * 1.18, 0.0026);
    let diamond = (q.x.abs() * 1.6 + q.y.abs()) - 20.0;
    relief = gilded(relief, diamond, 1.6, pores);
    relief = gilded(relief, p.y - 336.0, 5.5, pores);
    relief = over(relief, 474.0 - p.y, wood * 0.8, 0.003);
    gilded(relief, p.y - 474.0, 3.0, pores)
}

/// An arched window over a garden, in gold.
fn window(grain: &Grain, under: Relief, q: Vec2, fine: f32) -> Relief {
    if q.x.abs() > 110.0 || q.y.abs() > 170.0 {
        return under;
    }
    let arch = |half: f32| {
        let top = circle(q - Vec2::new(0.0, -50.0), half);
        let lower = rounded_box(q - Vec2::new(0.0, 30.0), Vec2::new(half, 82.0), 1.0);
        top.min(lower)
    };
    let pane = arch(74.0);
    let cloud = smooth_step(
        0.48,
        0.7,
        grain.clouds.at(q / Vec2::new(360.0, 190.0) + 1.3),
    );
    let sky = rgb(0x004f_a8ee).lerp(rgb(0x00e4_f4ff), smooth_step(-120.0, 60.0, q.y));
    let mut view = sky.lerp(Vec3::ONE, 0.85 * cloud);
    let hill = q.y - 34.0 - 9.0 * (q.x / 24.0).sin();
    view = view.lerp(rgb(0x0076_a8a0), smooth_step(-1.0, 1.0, hill));
    let leaves = grain.cells.at(q / 260.0 + 1.1);
    let trees = q.y - 62.0 - 10.0 * (q.x / 15.0 + 1.0).sin() - 8.0 * leaves;
    let green = rgb(0x0038_8a3e).lerp(rgb(0x0092_c850), smooth_step(0.6, 0.1, leaves));
    view = view.lerp(green, smooth_step(-1.0, 1.0, trees));
    let mut relief = over(
        under,
        pane - 13.0,
        rgb(0x00f2_ead8) * (0.95 + 0.1 * fine),
        0.002,
    );
    relief = gilded(relief, pane - 12.0, 3.6, fine);
    relief = over(relief, pane, view * 1.12, 0.0);
    for bar in [q.x.abs() - 26.0, (q.y - 8.0).abs() - 42.0, q.y + 50.0] {
        if pane < 0.0 {
            relief = gilded(relief, bar, 2.0, fine);
        }
    }
    gilded(relief, pane - 1.0, 3.0, fine)
}

/// The niche of the throne with its hangings.
fn niche(grain: &Grain, under: Relief, q: Vec2, fine: f32) -> Relief {
    if q.x.abs() > 124.0 || q.y < -200.0 {
        return under;
    }
    let top = circle(q - Vec2::new(0.0, -70.0), 106.0);
    let shape = top.min(rounded_box(
        q - Vec2::new(0.0, 90.0),
        Vec2::new(106.0, 162.0),
        1.0,
    ));
    let folds = (q.x / 6.5 + 1.6 * grain.swells.at(q / 700.0 + 1.0)).sin();
    let velvet = rgb(0x009c_1426) * (0.66 + 0.3 * folds) * (1.1 - 0.0016 * (q.y + 70.0));
    let mut relief = over(
        under,
        shape - 12.0,
        rgb(0x00ef_e4cc) * (0.95 + 0.1 * fine),
        0.002,
    );
    relief = gilded(relief, shape - 11.0, 4.0, fine);
    relief = over(relief, shape, velvet, 0.0007 * folds);
    let crest = star(q + Vec2::Y * 96.0, 8, 34.0, 20.0);
    relief = gilded(relief, crest, 3.0, fine);
    relief = over(relief, circle(q + Vec2::Y * 96.0, 14.0), rgb(GOLD), 0.003);
    gilded(relief, shape - 1.0, 3.4, fine)
}

/// A pilaster of veined marble on a foot, with a gilded capital.
fn pillar(grain: &Grain, under: Relief, q: Vec2, fine: f32) -> Relief {
    if q.x.abs() > 46.0 {
        return under;
    }
    let flutes = (q.x / 5.2).cos();
    let vein = marble(grain, q / 420.0 + 1.7);
    let stone = rgb(0x00ee_e6d8).lerp(rgb(0x00a8_9c98), vein) * (0.86 + 0.1 * flutes);
    let round = 1.0 - 0.25 * (q.x / 30.0).powi(2);
    let shade = over(under, q.x.abs() - 40.0, under.color * 0.72, under.height);
    let mut relief = over(
        shade,
        q.x.abs() - 30.0,
        stone * round,
        0.0008 * flutes + 0.004,
    );
    for (y, half) in [(78.0, 38.0), (470.0, 39.0)] {
        let block = rounded_box(q - Vec2::new(0.0, y), Vec2::new(half, 22.0), 5.0);
        relief = over(relief, block, rgb(0x00f4_ecdc) * (0.94 + 0.1 * fine), 0.006);
        relief = gilded(relief, block + 4.0, 2.6, fine);
        let leaf = (q.x / 9.0).sin() * 7.0 + q.y - y;
        if block < -7.0 {
            relief = gilded(relief, leaf, 2.2, fine);
        }
    }
    relief
}

/// Mouldings under the ceiling.
fn cornice(under: Relief, p: Vec2, fine: f32) -> Relief {
    let mut relief = over(
        under,
        p.y - 50.0,
        rgb(0x00f2_e8d2) * (0.94 + 0.1 * fine),
        0.005,
    );
    let tooth = ((p.x / 16.0).fract() - 0.5).abs() * 16.0 - 5.0;
    let tooth = tooth.max((p.y - 38.0).abs() - 6.0);
    relief = over(relief, tooth, rgb(0x00d8_c6a0), 0.009);
    for y in [10.0, 25.0, 50.0] {
        relief = gilded(relief, p.y - y, 4.0, fine);
    }
    relief
}

/// Veins: 0 in clear stone, 1 in their middle.
fn marble(grain: &Grain, at: Vec2) -> f32 {
    let warp = grain.swells.at(at) * 0.5 + grain.clouds.at(at * 2.0) * 0.3;
    let vein = (grain.clouds.at(at + warp) - 0.5).abs();
    0.8 * smooth_step(0.05, 0.0, vein) + 0.3 * grain.clouds.at(at * 3.0)
}

/// Marble tiles in perspective, a carpet towards the throne.
fn floor(grain: &Grain, p: Vec2) -> Relief {
    let depth = 260.0 / (p.y - 360.0);
    let on_floor = Vec2::new((p.x - 640.0) * depth / 110.0, 6.0 * depth);
    let tile = on_floor.floor();
    let within = on_floor - tile;
    let edge = within.min(1.0 - within).min_element();
    let dark = (tile.x + tile.y).rem_euclid(2.0) > 0.5;
    let vein = marble(grain, on_floor * 0.21 + tile * 0.37 + 4.0);
    let stone = if dark {
        rgb(0x0042_5262).lerp(rgb(0x00b8_c4cc), 0.7 * vein)
    } else {
        rgb(0x00f0_e8da).lerp(rgb(0x00a8_9888), 0.7 * vein)
    };
    let joint = smooth_step(0.012, 0.03, edge);
    // Windows and lamps mirror softly in the polish.
    let gloss = smooth_step(230.0, 40.0, (p.x - 640.0).abs()) * smooth_step(720.0, 500.0, p.y);
    let mut relief = Relief {
        color: stone * lerp(0.6, 1.0, joint) + Vec3::new(0.14, 0.12, 0.08) * gloss,
        height: 0.0,
    };
    let across = on_floor.x.abs();
    let pile = grain.fine.at(on_floor * Vec2::new(0.9, 0.5) + 3.0);
    let weave = rgb(0x00b0_182c) * (0.8 + 0.3 * pile);
    let rug = (across - 1.16) * 110.0 / depth;
    relief = over(relief, rug - 8.0, relief.color * 0.66, 0.0);
    relief = over(relief, rug, weave, 0.0014 + 0.0004 * pile);
    let border = ((across - 1.0).abs() - 0.055) * 110.0 / depth;
    relief = over(
        relief,
        border,
        rgb(0x00f0_c050) * (0.8 + 0.3 * pile),
        0.0018,
    );
    let beat = (on_floor.y * 1.4).fract() - 0.5;
    let figure = Vec2::new(across * 1.6, beat * 1.3);
    let figure = (figure.x + figure.y.abs() - 0.5) * 70.0 / depth;
    relief = over(
        relief,
        figure,
        rgb(0x00dc_9c34) * (0.8 + 0.3 * pile),
        0.0018,
    );
    over(
        relief,
        figure + 22.0 / depth,
        rgb(0x0086_1024) * (0.8 + 0.3 * pile),
        0.0014,
    )
}
