//! The mountain's geometry: snow in chunks with the low sun baked in, firs, rocks, huts, gates, kickers, the lift.

use glam::{Mat4, Quat, Vec2, Vec3};

use super::look::Woods;
use super::terrain::{FLIGHT, KICKER, KICKERS, LOOP, TURN, Terrain};
use crate::kit::decal::{self, Decal};
use crate::kit::motion::{Dice, wave};
use crate::kit::paint::rgb;
use crate::kit::solid::{Faces, crate_box, painted, panel, quad, tinted, toned};
use crate::kit::stage::{merged, placed};
use crate::procedural::{Curve, Noise, Patch, ellipsoid, lathe, lerp, smooth_step};
use azulejo_scene::Primitive;

/// Metres of a chunk.
pub(super) const CHUNK: f32 = 24.0;
/// Chunks until the piste repeats.
pub(super) const N_CHUNKS: usize = (LOOP / CHUNK) as usize;
/// Direction to the sun, not normalized.
pub(super) const SUN: Vec3 = Vec3::new(0.8, 0.5, 0.28);
/// Metres from one mast of the lift to the next.
pub(super) const MASTS: f32 = 48.0;
/// Metres of the lift to the right of the middle.
pub(super) const LIFT_ASIDE: f32 = 16.0;

/// A chunk of the piste.
pub(super) struct Chunk {
    pub(super) snow: Primitive,
    pub(super) things: Primitive,
    pub(super) shadows: Primitive,
}

/// sRGB code to linear RGB.
pub(super) fn linear(code: u32) -> Vec3 {
    rgb(code).powf(2.2)
}

/// Light of the low sun and of the sky on matt white.
pub(super) fn daylight(normal: Vec3) -> Vec3 {
    let sun = normal.dot(SUN.normalize()).max(0.0);
    let sky = 0.5 + 0.5 * normal.y;
    Vec3::new(0.98, 0.8, 0.6) * sun * 0.98 + Vec3::new(0.3, 0.43, 0.72) * sky
}

/// Chunk `number`, with what stands on it.
pub(super) fn chunk(terrain: &Terrain, woods: &Woods, number: usize, seed: u32) -> Chunk {
    let mut dice = Dice::new(seed, 0x7000 + number as u32);
    let start = number as f32 * CHUNK;
    let mut parts = Vec::new();
    let mut shadows = Vec::new();
    plant(terrain, woods, start, &mut dice, &mut parts, &mut shadows);
    gates(terrain, woods, start, &mut parts);
    if (start / KICKERS).fract() == 0.0 {
        parts.push(kicker(terrain, woods, start));
        parts.extend(banner(terrain, woods, start + FLIGHT + 4.0));
    }
    if number % 9 == 4 {
        let way = start + CHUNK * 0.5;
        let x = terrain.middle(way) - 19.0;
        parts.push(placed(
            hut(woods),
            Mat4::from_translation(terrain.point(x, way)),
        ));
    }
    if (start / MASTS).fract() == 0.0 {
        parts.extend(mast(terrain, woods, start));
    }
    Chunk {
        snow: snow(terrain, start),
        things: merged(&parts),
        shadows: decal::primitive(&shadows),
    }
}

/// The surface, finer in the middle.
fn snow(terrain: &Terrain, start: f32) -> Primitive {
    let patch = Patch::new(26, 12);
    let aside = |u: f32| {
        let s = 2.0 * u - 1.0;
        s * 16.0 + s * s * s * 74.0
    };
    let mut mesh = patch.mesh(|u, v| {
        let way = start + CHUNK * (1.0 - v);
        terrain.point(terrain.middle(way) + aside(u), way)
    });
    let tracks = Noise::tiling(77, 64);
    mesh.tangents.clear();
    let tint = |p: &Vec3| {
        let off = (p.x - terrain.middle(-p.z)).abs();
        let groomed = smooth_step(11.0, 8.0, off);
        let blue = 0.92 + 0.08 * tracks.value(Vec2::new(p.x, -p.z % LOOP) * 0.15 + 20.0);
        Vec3::splat(lerp(blue, 1.0, groomed)).extend(1.0)
    };
    mesh.colors = mesh.positions.iter().map(tint).collect();
    mesh.tex_coords[0] = mesh
        .positions
        .iter()
        .map(|p| Vec2::new(p.x - 0.3 * p.z, -p.z) / 6.0)
        .collect();
    mesh
}

/// Firs and rocks beside the piste, each with its shadow.
fn plant(
    terrain: &Terrain,
    woods: &Woods,
    start: f32,
    dice: &mut Dice,
    parts: &mut Vec<Primitive>,
    shadows: &mut Vec<Decal>,
) {
    let dense = 7 + dice.below(9);
    for k in 0..dense {
        let side = if dice.unit() < 0.5 { -1.0 } else { 1.0 };
        let way = start + CHUNK * (k as f32 + dice.unit()) / dense as f32;
        let far = dice.unit();
        let aside = 11.5 + 44.0 * far * far;
        // The lift's lane stays free.
        if side > 0.0 && (aside - LIFT_ASIDE).abs() < 3.2 {
            continue;
        }
        let x = terrain.middle(way) + side * aside;
        let foot = terrain.point(x, way) - Vec3::Y * 0.15;
        let size = dice.between(0.75, 1.45);
        let turn = Quat::from_rotation_y(dice.unit() * 6.0);
        let is_rock = dice.unit() < 0.14;
        let shape = if is_rock {
            rock(woods, dice.below(90) as u32)
        } else {
            fir(woods, dice.unit())
        };
        let place = Mat4::from_scale_rotation_translation(Vec3::splat(size), turn, foot);
        parts.push(lighted(placed(shape, place)));
        let long = if is_rock { 2.6 } else { 8.5 } * size;
        let wide = if is_rock { 2.4 } else { 2.6 } * size;
        shadows.push(cast_shadow(terrain, woods, x, way, wide, long));
    }
}

/// A shadow on the snow, away from the sun.
fn cast_shadow(terrain: &Terrain, woods: &Woods, x: f32, way: f32, wide: f32, long: f32) -> Decal {
    let away = Vec2::new(-SUN.x, SUN.z).normalize();
    let from = terrain.point(x, way);
    let (end_x, end_way) = (x + away.x * long, way + away.y * long);
    let down = terrain.point(end_x, end_way) - from;
    let normal = terrain.normal((x + end_x) * 0.5, (way + end_way) * 0.5);
    let right = down.cross(normal).normalize_or(Vec3::X) * wide;
    Decal {
        sprite: woods.shadow,
        at: from + down * 0.42 + normal * 0.22,
        right,
        down: down * 1.1,
        tint: glam::Vec4::new(0.18, 0.3, 0.66, 0.55),
    }
}

/// A part under the sky's light, its colours multiplied.
fn lighted(part: Primitive) -> Primitive {
    let mut part = toned(part, |_, n| daylight(n));
    part.normals.clear();
    part
}

/// Five tiers of branches with snow on them.
fn fir(woods: &Woods, own: f32) -> Primitive {
    let green = linear(0x003a_8062).lerp(linear(0x0058_9450), own);
    let trunk = Curve::profile(&[[0.12, 1.2], [0.2, 0.0]]);
    let bark = lathe(Patch::new(5, 1), &trunk);
    let mut parts = vec![painted(bark, woods.wood, linear(0x0070_4a38))];
    for tier in 0..4_i16 {
        let t = f32::from(tier) / 3.0;
        let (radius, foot) = (lerp(1.55, 0.62, t), lerp(0.8, 3.9, t));
        let tall = lerp(2.1, 1.75, t);
        let profile = [
            [0.02, foot + tall],
            [radius * 0.42, foot + tall * 0.5],
            [radius, foot],
            [radius * 0.5, foot + 0.12],
        ];
        let cone = lathe(Patch::new(8, 3), &Curve::profile(&profile));
        let cone = painted(cone, woods.needles, Vec3::ONE);
        parts.push(tinted(cone, |p, n| {
            // Snow lies on the outer halves of the branches, more on some than on others.
            let out = Vec2::new(p.x, p.z).length() / radius;
            let branch = wave(p.z.atan2(p.x) * 0.8 + 0.37 * t + own);
            let white = smooth_step(0.35, 0.85, out + 0.18 * branch) * smooth_step(-0.1, 0.3, n.y);
            green.lerp(Vec3::new(0.95, 0.97, 1.0), white.min(1.0))
        }));
    }
    merged(&parts)
}

fn rock(woods: &Woods, seed: u32) -> Primitive {
    let noise = Noise::tiling(seed, 32);
    let mut ball = ellipsoid(Patch::new(9, 6), Vec3::new(1.5, 1.1, 1.3));
    for p in &mut ball.positions {
        *p *= 0.75 + 0.5 * noise.value(Vec2::new(p.x + p.z * 0.6, p.y) * 1.3 + 12.0);
    }
    let stone = painted(ball, woods.stone, Vec3::ONE);
    let grey = linear(0x0086_8a9c);
    tinted(stone, |_, n| {
        grey.lerp(Vec3::new(0.95, 0.97, 1.0), smooth_step(0.4, 0.7, n.y))
    })
}

/// Poles of the slalom within a chunk: where the line swings out.
fn gates(terrain: &Terrain, woods: &Woods, start: f32, parts: &mut Vec<Primitive>) {
    let first = (start / (TURN * 0.5) - 0.5).ceil() as i32;
    for k in first.. {
        let way = (k as f32 + 0.5) * TURN * 0.5;
        if way >= start + CHUNK {
            break;
        }
        let swing = terrain.swing(way);
        if swing.abs() < 0.8 {
            continue;
        }
        let color = if k % 2 == 0 {
            linear(0x00ff_3b30)
        } else {
            linear(0x001f_7af0)
        };
        // The rider passes outside of the inner pole.
        let x = terrain.line(way) - swing.signum() * 1.5;
        for (offset, flag) in [(0.0, true), (swing.signum() * 4.4, true)] {
            let foot = terrain.point(x + offset, way);
            let pole = crate_box(
                Vec3::new(-0.05, 0.0, -0.05),
                Vec3::new(0.05, 2.0, 0.05),
                Faces::all(woods.cloth),
                color,
            );
            let mut gate = pole;
            if flag {
                for side in [-1.0_f32, 1.0] {
                    let corner = Vec3::new(-0.62 * side, 1.9, 0.06 * side);
                    gate.push(panel(
                        corner,
                        [Vec3::X * 1.24 * side, Vec3::NEG_Y * 0.75],
                        woods.flag,
                        color,
                    ));
                }
            }
            parts.push(lighted(placed(merged(&gate), Mat4::from_translation(foot))));
        }
    }
}

/// A kicker of packed snow whose lip is at `way`.
fn kicker(terrain: &Terrain, woods: &Woods, way: f32) -> Primitive {
    let (long, high) = KICKER;
    let at = |side: f32, t: f32, lift: f32| {
        let way = way - long * (1.0 - t);
        terrain.point(terrain.line(way) + side, way) + Vec3::Y * lift
    };
    let mut parts = Vec::new();
    let white = Vec3::new(0.9, 0.95, 1.0);
    for k in 0..4_i16 {
        let (t0, t1) = (f32::from(k) / 4.0, f32::from(k + 1) / 4.0);
        let (h0, h1) = (high * t0 * t0 + 0.02, high * t1 * t1 + 0.02);
        parts.push(quad(
            [
                at(-1.9, t1, h1),
                at(1.9, t1, h1),
                at(-1.9, t0, h0),
                at(1.9, t0, h0),
            ],
            woods.arrows,
            white,
        ));
        for side in [-1.0, 1.0] {
            let (a, b) = (at(1.9 * side, t0, h0), at(1.9 * side, t1, h1));
            let (c, d) = (at(2.6 * side, t0, -0.4), at(2.6 * side, t1, -0.4));
            let corners = if side > 0.0 {
                [a, b, c, d]
            } else {
                [b, a, d, c]
            };
            parts.push(quad(corners, woods.cloth, linear(0x00b8_cdf0)));
        }
    }
    lighted(merged(&parts))
}

/// A banner across the landing.
fn banner(terrain: &Terrain, woods: &Woods, way: f32) -> Vec<Primitive> {
    let x = terrain.middle(way);
    let mut parts = Vec::new();
    let top = terrain.height(x, way) + 7.6;
    for side in [-8.5, 8.5] {
        let foot = terrain.point(x + side, way);
        parts.extend(crate_box(
            Vec3::new(foot.x - 0.18, foot.y - 0.5, foot.z - 0.18),
            Vec3::new(foot.x + 0.18, top + 1.6, foot.z + 0.18),
            Faces::all(woods.wood),
            linear(0x00a8_7850),
        ));
    }
    let corner = Vec3::new(x - 8.3, top + 1.5, -way + 0.05);
    for k in 0..2 {
        let at = corner + Vec3::X * 8.3 * k as f32;
        parts.push(panel(
            at,
            [Vec3::X * 8.3, Vec3::NEG_Y * 2.0],
            woods.banner,
            Vec3::splat(1.1),
        ));
    }
    vec![lighted(merged(&parts))]
}

/// A log hut below a thick white roof.
fn hut(woods: &Woods) -> Primitive {
    let wood = linear(0x00b8_7a4c);
    let mut parts = crate_box(
        Vec3::new(-3.0, -1.0, -2.6),
        Vec3::new(3.0, 2.6, 2.6),
        Faces {
            front: woods.hut,
            side: woods.logs,
            top: woods.logs,
        },
        wood * 1.4,
    );
    let ridge = 5.0;
    for side in [-1.0, 1.0] {
        let (eave, top) = (Vec3::new(3.9 * side, 2.1, 0.0), Vec3::new(0.0, ridge, 0.0));
        let z = Vec3::Z * 3.3 * side;
        parts.push(quad(
            [top + z, top - z, eave + z, eave - z],
            woods.cloth,
            Vec3::new(0.94, 0.97, 1.0),
        ));
        let thick = Vec3::Y * 0.45;
        parts.push(quad(
            [eave + z, eave - z, eave + z - thick, eave - z - thick],
            woods.cloth,
            linear(0x00cc_dcf4),
        ));
        // The gable and the roof's edge.
        let front = Vec3::Z * 2.6 * side;
        let corners = [
            top + front - Vec3::Y * 0.4,
            top + front - Vec3::Y * 0.4,
            Vec3::new(-3.0 * side, 2.5, 0.0) + front,
            Vec3::new(3.0 * side, 2.5, 0.0) + front,
        ];
        parts.push(quad(corners, woods.logs, wood * 1.3));
        for half in [-1.0, 1.0] {
            let edge = Vec3::Z * 3.3 * side;
            let (low, high) = (Vec3::new(3.9 * half, 2.1, 0.0) + edge, top + edge);
            let corners = if half * side > 0.0 {
                [high, low, high - thick, low - thick]
            } else {
                [low, high, low - thick, high - thick]
            };
            parts.push(quad(corners, woods.cloth, linear(0x00dd_e8fa)));
        }
    }
    parts.extend(crate_box(
        Vec3::new(1.2, 3.0, -1.0),
        Vec3::new(2.0, 5.4, -0.2),
        Faces::all(woods.stone),
        linear(0x009a_8a84),
    ));
    lighted(placed(merged(&parts), Mat4::from_rotation_y(0.5)))
}

/// Height of the lift's cable over the snow.
pub(super) const CABLE: f32 = 9.0;

/// A mast of the lift and the cables to the next one.
fn mast(terrain: &Terrain, woods: &Woods, way: f32) -> Vec<Primitive> {
    let foot = terrain.point(terrain.middle(way) + LIFT_ASIDE, way);
    let steel = linear(0x005c_6e86);
    let solid = |low: [f32; 3], high: [f32; 3]| {
        crate_box(
            foot + Vec3::from(low),
            foot + Vec3::from(high),
            Faces::all(woods.cloth),
            steel,
        )
    };
    let mut parts = solid([-0.22, -1.0, -0.22], [0.22, CABLE + 0.3, 0.22]);
    parts.extend(solid([-2.1, CABLE, -0.16], [2.1, CABLE + 0.25, 0.16]));
    for x in [-2.0, 2.0] {
        parts.extend(solid([x - 0.12, CABLE - 0.2, -0.7], [x + 0.12, CABLE, 0.7]));
    }
    let next = terrain.point(terrain.middle(way + MASTS) + LIFT_ASIDE, way + MASTS);
    for x in [-2.0, 2.0] {
        let (a, b) = (
            foot + Vec3::new(x, CABLE, 0.0),
            next + Vec3::new(x, CABLE, 0.0),
        );
        let up = Vec3::Y * 0.09;
        parts.push(quad([b + up, a + up, b, a], woods.cloth, steel * 0.5));
        parts.push(quad([a + up, b + up, a, b], woods.cloth, steel * 0.5));
    }
    vec![lighted(merged(&parts))]
}

/// A chair of the lift, hanging from the origin.
pub(super) fn chair(woods: &Woods) -> Primitive {
    let steel = linear(0x0048_586c);
    let solid = |low: [f32; 3], high: [f32; 3], color: Vec3| {
        crate_box(
            Vec3::from(low),
            Vec3::from(high),
            Faces::all(woods.cloth),
            color,
        )
    };
    let mut parts = solid([-0.06, -1.9, -0.06], [0.06, 0.0, 0.06], steel);
    parts.extend(solid([-0.85, -2.0, -0.06], [0.85, -1.88, 0.06], steel));
    for x in [-0.85, 0.85] {
        parts.extend(solid(
            [x - 0.05, -3.0, -0.05],
            [x + 0.05, -1.9, 0.05],
            steel,
        ));
    }
    let red = linear(0x00e8_4a38);
    parts.extend(solid([-0.9, -3.1, -0.1], [0.9, -2.95, 0.55], red));
    parts.extend(solid([-0.9, -3.0, -0.16], [0.9, -2.3, -0.04], red));
    lighted(merged(&parts))
}
