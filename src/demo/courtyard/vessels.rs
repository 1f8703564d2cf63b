//! Things turned on a wheel: the painted vase and bowl, the copper jug.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::stage::{Stage, at, placed};
use super::tiles::{Paint, inside, line};
use crate::procedural::{
    Curve, Grain, Patch, SurfaceMaps, SurfacePoint, lathe, lerp, smooth_step, tube,
};
use azulejo_scene::{Material, MaterialId, NodeId, Primitive};

/// Outside of the vase: (radius, height) downwards from the inside of its neck.
const VASE: &[[f32; 2]] = &[
    [0.040, 0.300],
    [0.043, 0.340],
    [0.056, 0.366],
    [0.061, 0.368],
    [0.062, 0.364],
    [0.050, 0.340],
    [0.047, 0.312],
    [0.062, 0.284],
    [0.104, 0.250],
    [0.130, 0.205],
    [0.132, 0.165],
    [0.112, 0.105],
    [0.080, 0.050],
    [0.068, 0.026],
    [0.072, 0.010],
    [0.078, 0.003],
    [0.076, 0.0],
    [0.02, 0.0],
];

/// Inside and outside of the bowl.
const BOWL: &[[f32; 2]] = &[
    [0.0, 0.016],
    [0.040, 0.018],
    [0.090, 0.032],
    [0.130, 0.060],
    [0.156, 0.094],
    [0.163, 0.099],
    [0.167, 0.096],
    [0.163, 0.088],
    [0.138, 0.052],
    [0.098, 0.024],
    [0.068, 0.014],
    [0.062, 0.004],
    [0.058, 0.0],
    [0.02, 0.0],
];

const JUG: &[[f32; 2]] = &[
    [0.046, 0.170],
    [0.048, 0.205],
    [0.058, 0.226],
    [0.062, 0.229],
    [0.063, 0.225],
    [0.052, 0.202],
    [0.049, 0.178],
    [0.058, 0.156],
    [0.082, 0.126],
    [0.095, 0.090],
    [0.093, 0.055],
    [0.078, 0.022],
    [0.066, 0.006],
    [0.060, 0.0],
    [0.02, 0.0],
];

/// Spheres stacked inside a profile: what shades the vessel's neighbours.
pub(super) fn spheres(profile: &[[f32; 2]]) -> Vec<(Vec3, f32)> {
    let top = profile.iter().map(|p| p[1]).fold(0.0, f32::max);
    let steps = (top / 0.018) as usize + 2;
    (0..steps)
        .map(|i| {
            let y = top * (i as f32 + 0.5) / steps as f32;
            // The outermost crossing of the profile with this height.
            let radius = profile.windows(2).fold(0.01, |radius: f32, pair| {
                let ([r0, y0], [r1, y1]) = (pair[0], pair[1]);
                if (y0 - y) * (y1 - y) <= 0.0 && y0 != y1 {
                    radius.max(lerp(r0, r1, (y - y0) / (y1 - y0)))
                } else {
                    radius
                }
            });
            (Vec3::Y * y.max(radius * 0.9), radius * 0.98)
        })
        .collect()
}

/// Adds the big painted vase; returns its node.
pub(super) fn vase(stage: &mut Stage, grain: &Grain, [x, z]: [f32; 2]) -> NodeId {
    let maps = SurfaceMaps::new([1024, 512], Vec2::new(0.75, 0.55), |uv| {
        ceramic(grain, uv, vase_pattern(grain, uv))
    });
    let material = glazed(stage, "vase", &maps);
    let body = lathe(Patch::new(64, 72), &Curve::profile(VASE));
    stand(stage, "painted vase", material, body, VASE, [x, z])
}

/// Adds the fruit bowl; returns its node.
pub(super) fn bowl(stage: &mut Stage, grain: &Grain, [x, z]: [f32; 2]) -> NodeId {
    let maps = SurfaceMaps::new([1024, 512], Vec2::new(0.9, 0.4), |uv| {
        ceramic(grain, uv, bowl_pattern(grain, uv))
    });
    let material = glazed(stage, "bowl", &maps);
    let body = lathe(Patch::new(72, 48), &Curve::profile(BOWL));
    let object = stage.object();
    let mesh = stage.mesh("fruit bowl", material, body);
    let node = stage.place(mesh, None, at(x, 0.0, z), Some(object));
    // Low and wide: a ring of spheres instead of a stack.
    let ring: Vec<_> = (0..14)
        .map(|i| {
            let (sin, cos) = (i as f32 * TAU / 14.0).sin_cos();
            (Vec3::new(0.115 * sin, 0.058, 0.115 * cos), 0.042)
        })
        .chain([(Vec3::Y * 0.05, 0.05), (Vec3::Y * 0.035, 0.07)])
        .collect();
    stage.occlude(node, object, &ring, 0.5, Vec3::new(0.4, 0.4, 0.42));
    node
}

/// Places a turned body that shades its neighbours.
fn stand(
    stage: &mut Stage,
    name: &str,
    material: MaterialId,
    body: Primitive,
    profile: &[[f32; 2]],
    [x, z]: [f32; 2],
) -> NodeId {
    let object = stage.object();
    let mesh = stage.mesh(name, material, body);
    let node = stage.place(mesh, None, at(x, 0.0, z), Some(object));
    stage.occlude(node, object, &spheres(profile), 0.35, Vec3::splat(0.3));
    node
}

fn glazed(stage: &mut Stage, name: &str, maps: &SurfaceMaps) -> MaterialId {
    let base = stage.texture(maps.base_color(&format!("{name} paint")));
    let normal = stage.texture(maps.normal(&format!("{name} glaze")));
    stage.material(Material {
        name: format!("glazed {name}"),
        base_color_texture: Some(base),
        normal_texture: Some(normal),
        metallic: 0.0,
        roughness: 0.12,
        ..Material::default()
    })
}

/// Painted and glazed ware: brush marks in the pigment, a glaze that swims.
fn ceramic(grain: &Grain, uv: Vec2, paint: Paint) -> SurfacePoint {
    let wash = grain.clouds.at(uv * Vec2::new(8.0, 12.0));
    let iron = smooth_step(0.10, 0.04, grain.cells.at(uv * 4.0))
        * smooth_step(0.93, 0.96, grain.ids.nearest(uv * 4.0));
    let white = Vec3::new(0.74, 0.74, 0.69) * (0.94 + 0.10 * grain.swells.at(uv * 4.0));
    SurfacePoint {
        color: paint.over(white, 0.6 + 0.8 * wash) * (1.0 - 0.35 * iron),
        height: 0.0016 * grain.swells.at(uv * 4.0 + 0.3) + 0.00008 * paint.cobalt,
        roughness: 0.12,
        ..SurfacePoint::default()
    }
}

/// The vase's ornament: u once around, v down the profile.
fn vase_pattern(grain: &Grain, uv: Vec2) -> Paint {
    const SOFT: f32 = 0.004;
    let mut paint = Paint::default();
    let wobble = grain.offset(uv * 4.0) * 0.004;
    let (u, v) = (uv.x + wobble.x, uv.y + wobble.y);
    for (at, half, thickness) in [
        (0.155, 0.014, 1.4),
        (0.185, 0.004, 0.9),
        (0.285, 0.005, 1.2),
        (0.305, 0.010, 0.5),
        (0.378, 0.008, 1.4),
        (0.655, 0.008, 1.4),
        (0.838, 0.012, 1.4),
        (0.870, 0.004, 0.9),
    ] {
        paint.cobalt(thickness, line(v - at, half, SOFT));
    }
    paint.ochre(0.9, line(v - 0.396, 0.007, SOFT));
    paint.ochre(0.9, line(v - 0.637, 0.007, SOFT));
    neck_and_foot(&mut paint, u, v);
    // Six medallions around the belly; metres along both axes near its widest place.
    let cell = (u * 6.0).fract() - 0.5;
    let p = Vec2::new(cell * 0.125, (v - 0.515) * 0.55);
    medallion(&mut paint, p);
    paint
}

/// Diamonds around the neck, tall leaves up from the foot.
fn neck_and_foot(paint: &mut Paint, u: f32, v: f32) {
    const SOFT: f32 = 0.004;
    let cell = ((u * 14.0).fract() - 0.5).abs() / 14.0;
    let diamond = cell * 1.9 + (v - 0.235).abs() - 0.034;
    paint.cobalt(0.55, inside(diamond, SOFT));
    paint.cobalt(1.4, line(diamond, 0.004, SOFT));
    paint.ochre(0.9, inside(diamond + 0.024, SOFT));
    let shoulder = ((u * 24.0).fract() - 0.5).abs() / 24.0;
    let scale = Vec2::new(shoulder * 1.5, v - 0.335).length() - 0.022;
    paint.cobalt(0.9, inside(scale, SOFT));
    let leaf_u = ((u * 18.0).fract() - 0.5).abs() / 18.0;
    let rise = ((v - 0.67) / 0.16).clamp(0.0, 1.0);
    let leaf = leaf_u - 0.026 * (rise * PI * 0.62).sin().powf(0.7);
    let band = inside(0.668 - v, SOFT) * inside(v - 0.83, SOFT);
    paint.cobalt(0.5 + 0.5 * rise, inside(leaf, SOFT) * band);
    paint.cobalt(1.4, line(leaf, 0.003, SOFT) * band);
    paint.white(0.8 * inside(leaf_u - 0.002, 0.003) * band);
}

/// A rosette in a ring with sprays of leaves; `p` in metres.
fn medallion(paint: &mut Paint, p: Vec2) {
    const SOFT: f32 = 0.0016;
    let (r, angle) = (p.length(), p.y.atan2(p.x));
    paint.cobalt(1.4, line(r - 0.047, 0.0022, SOFT));
    paint.cobalt(0.45, line(r - 0.042, 0.0014, SOFT));
    let petal = 0.019 + 0.013 * (2.5 * angle).cos().abs();
    paint.cobalt(
        0.35 + 1.0 * smooth_step(0.032, 0.008, r),
        inside(r - petal, SOFT),
    );
    paint.cobalt(1.5, line(r - petal, 0.0012, SOFT));
    paint.ochre(0.9, inside(r - 0.008, SOFT));
    paint.cobalt(1.4, line(r - 0.0085, 0.0012, SOFT));
    // Sprays between two medallions: a stem that the leaves alternate on.
    let side = Vec2::new(0.0625 - p.x.abs(), p.y);
    if p.y.abs() < 0.056 {
        paint.cobalt(
            1.2,
            line(side.x - 0.0012 * (p.y * 180.0).sin(), 0.0010, SOFT),
        );
        let cell = (p.y / 0.014).round() * 0.014;
        let q = Vec2::new(side.x - 0.0062, (p.y - cell) - 0.35 * (side.x - 0.0062));
        let leaf = Vec2::new(q.x / 0.0062, q.y / 0.0030).length() - 1.0;
        paint.cobalt(0.8, inside(leaf, 0.25));
    }
}

/// The bowl's ornament: v from the middle of its inside over the rim to the foot.
fn bowl_pattern(grain: &Grain, uv: Vec2) -> Paint {
    const SOFT: f32 = 0.006;
    let mut paint = Paint::default();
    let wobble = grain.offset(uv * 4.0) * 0.005;
    let (u, v) = (uv.x + wobble.x, uv.y + wobble.y);
    paint.cobalt(1.5, line(v - 0.50, 0.018, SOFT));
    for (at, half, thickness) in [
        (0.44, 0.006, 1.0),
        (0.565, 0.006, 1.2),
        (0.745, 0.006, 1.2),
        (0.80, 0.012, 1.4),
    ] {
        paint.cobalt(thickness, line(v - at, half, SOFT));
    }
    // A wave of leaves around the outside.
    let phase = u * TAU * 9.0;
    let wave = v - 0.655 - 0.035 * phase.sin();
    paint.cobalt(1.3, line(wave, 0.006, SOFT));
    let cell = (u * 18.0).fract() - 0.5;
    let flip = if (u * 18.0).floor().rem_euclid(2.0) < 0.5 {
        1.0
    } else {
        -1.0
    };
    let q = Vec2::new(cell / 18.0 * 2.2, v - 0.655 + 0.030 * flip);
    let r = q.length();
    let petal = 0.017 + 0.011 * (2.5 * q.y.atan2(q.x)).cos().abs();
    paint.cobalt(0.7, inside(r - petal, SOFT));
    paint.cobalt(1.4, line(r - petal, 0.0035, SOFT));
    paint.ochre(0.9, inside(r - 0.009, SOFT));
    // The inside: a border of arches.
    let arch = ((u * 24.0).fract() - 0.5).abs() / 24.0 * 2.2;
    let scallop = Vec2::new(arch, v - 0.43).length() - 0.040;
    paint.cobalt(0.6, inside(scallop, SOFT) * inside(v - 0.43, SOFT));
    paint
}

/// Adds a hammered copper jug with a brass-coloured handle.
pub(super) fn jug(stage: &mut Stage, grain: &Grain, [x, z]: [f32; 2], turn: f32) -> NodeId {
    let maps = SurfaceMaps::new([512, 512], Vec2::new(0.55, 0.40), |uv| hammered(grain, uv));
    let base = stage.texture(maps.base_color("copper patina"));
    let normal = stage.texture(maps.normal("copper hammer marks"));
    let gloss = stage.texture(maps.occlusion_roughness_metallic("copper gloss"));
    let copper = stage.material(Material {
        name: "hammered copper".to_owned(),
        base_color_texture: Some(base),
        normal_texture: Some(normal),
        metallic_roughness_texture: Some(gloss),
        ..Material::default()
    });
    let body = pouring_body();
    let object = stage.object();
    let mesh = stage.mesh("copper jug", copper, body);
    let placement = placed(Vec3::new(x, 0.0, z), glam::Quat::from_rotation_y(turn), 1.0);
    let node = stage.place(mesh, None, placement, Some(object));
    stage.occlude(
        node,
        object,
        &spheres(JUG),
        0.35,
        Vec3::new(0.5, 0.28, 0.18),
    );
    let handle = Curve::through(&[
        Vec3::new(-0.055, 0.208, 0.0),
        Vec3::new(-0.085, 0.222, 0.0),
        Vec3::new(-0.122, 0.196, 0.0),
        Vec3::new(-0.132, 0.145, 0.0),
        Vec3::new(-0.112, 0.100, 0.0),
        Vec3::new(-0.088, 0.084, 0.0),
    ]);
    let bar = tube(Patch::new(14, 40).repeated(0.3, 1.0), &handle, |t| {
        0.0065 + 0.0035 * (2.0 * t - 1.0).powi(4)
    });
    let mesh = stage.mesh("copper jug handle", copper, bar);
    stage.place(mesh, Some(node), at(0.0, 0.0, 0.0), Some(object));
    let knots: Vec<_> = (0..9).map(|i| (handle.at(i as f32 / 8.0), 0.009)).collect();
    stage.occlude(node, object, &knots, 0.3, Vec3::new(0.5, 0.28, 0.18));
    node
}

/// The jug's turned body, its rim drawn out to a spout towards +x.
fn pouring_body() -> Primitive {
    let profile = Curve::profile(JUG);
    Patch::new(80, 56).mesh(|u, v| {
        let at = profile.at(v);
        let (sin, cos) = (u * TAU).sin_cos();
        let height = smooth_step(0.165, 0.229, at.y);
        let towards = (sin.max(0.0)).powi(10) * height;
        let pinch = 1.0 - 0.22 * height * (cos * cos) * smooth_step(-0.2, 0.6, sin);
        Vec3::new(
            at.x * sin + 0.030 * towards,
            at.y + 0.010 * towards,
            at.x * cos * pinch,
        )
    })
}

/// Copper beaten with a round hammer: flat dimples, bright on their ridges, patina between.
fn hammered(grain: &Grain, uv: Vec2) -> SurfacePoint {
    let blow = grain.cells.at(uv * 2.0);
    let ridge = smooth_step(0.14, 0.0, grain.borders.at(uv * 2.0));
    let patina = grain.clouds.at(uv * 2.0);
    let scratch = grain.fine.at(Vec2::new(uv.x, uv.y * 0.25 * 4.0));
    let copper = Vec3::new(0.93, 0.50, 0.33);
    let brown = Vec3::new(0.36, 0.15, 0.08);
    let age = smooth_step(0.40, 0.66, patina) * (1.0 - 0.7 * ridge);
    SurfacePoint {
        color: copper.lerp(brown, 0.8 * age),
        height: 0.0011 * blow * blow + 0.00002 * scratch,
        roughness: 0.15 + 0.20 * age + 0.06 * scratch,
        metallic: 1.0,
        ..SurfacePoint::default()
    }
}
