//! Lemons and oranges, whole and cut.

use std::f32::consts::{PI, TAU};

use glam::{Mat4, Quat, Vec2, Vec3};

use super::stage::{Stage, at, placed};
use crate::procedural::{
    Curve, Grain, Patch, SurfaceMaps, SurfacePoint, append, ellipsoid, lathe, lerp, smooth_step,
};
use azulejo_scene::{Material, MaterialId, NodeId, Primitive, Transform};

/// The materials of citrus fruit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Orchard {
    lemon: MaterialId,
    orange: MaterialId,
    cut_lemon: MaterialId,
    cut_orange: MaterialId,
}

/// A kind of fruit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Citrus {
    Lemon,
    Orange,
}

impl Orchard {
    pub(super) fn new(stage: &mut Stage, grain: &Grain) -> Self {
        let peel = SurfaceMaps::new([512, 256], Vec2::new(0.22, 0.11), |uv| peel(grain, uv));
        let pores = stage.texture(peel.normal("citrus pores"));
        let skin = stage.texture(peel.base_color("citrus skin"));
        let mut whole = |name: &str, color: Vec3| {
            stage.material(Material {
                name: name.to_owned(),
                base_color: color.extend(1.0),
                base_color_texture: Some(skin),
                normal_texture: Some(pores),
                metallic: 0.0,
                roughness: 0.36,
                ..Material::default()
            })
        };
        let lemon = whole("lemon peel", Vec3::new(0.94, 0.66, 0.045));
        let orange = whole("orange peel", Vec3::new(0.92, 0.235, 0.008));
        let mut cut = |name: &str, flesh: Vec3, rind: Vec3, segments: f32| {
            let maps = SurfaceMaps::new([256; 2], Vec2::splat(0.07), |uv| {
                slice(grain, uv, flesh, rind, segments)
            });
            let base = stage.texture(maps.base_color(&format!("{name} flesh")));
            let normal = stage.texture(maps.normal(&format!("{name} cells")));
            stage.material(Material {
                name: name.to_owned(),
                base_color_texture: Some(base),
                normal_texture: Some(normal),
                metallic: 0.0,
                roughness: 0.22,
                ..Material::default()
            })
        };
        Self {
            lemon,
            orange,
            cut_lemon: cut(
                "cut lemon",
                Vec3::new(0.93, 0.74, 0.16),
                Vec3::new(0.94, 0.66, 0.045),
                9.0,
            ),
            cut_orange: cut(
                "cut orange",
                Vec3::new(0.92, 0.33, 0.025),
                Vec3::new(0.92, 0.235, 0.008),
                10.0,
            ),
        }
    }

    /// Adds a whole fruit; its stem points along the placement's +y.
    pub(super) fn whole(
        &self,
        stage: &mut Stage,
        kind: Citrus,
        parent: Option<NodeId>,
        placement: Transform,
    ) -> NodeId {
        let object = stage.object();
        let (name, material, body) = match kind {
            Citrus::Lemon => ("lemon", self.lemon, lemon()),
            Citrus::Orange => ("orange", self.orange, orange()),
        };
        let mesh = stage.mesh(name, material, body);
        let node = stage.place(mesh, parent, placement, Some(object));
        let (spheres, bounce) = spheres(kind);
        stage.occlude(node, object, spheres, 0.7, bounce);
        node
    }

    /// Adds half a fruit, its cut face along the placement's +y.
    pub(super) fn half(&self, stage: &mut Stage, kind: Citrus, placement: Transform) -> NodeId {
        let object = stage.object();
        let (name, peel, face, radius) = match kind {
            Citrus::Lemon => ("half lemon", self.lemon, self.cut_lemon, 0.0295),
            Citrus::Orange => ("half orange", self.orange, self.cut_orange, 0.038),
        };
        let depth = radius * if kind == Citrus::Lemon { 1.35 } else { 0.95 };
        let shell = Patch::new(32, 16).repeated(1.0, 0.5).mesh(|u, v| {
            let (sin_u, cos_u) = (u * TAU).sin_cos();
            let (sin_v, cos_v) = ((1.0 + v) * PI / 2.0).sin_cos();
            Vec3::new(
                radius * sin_v * sin_u,
                depth * cos_v,
                radius * sin_v * cos_u,
            )
        });
        let mesh = stage.mesh(name, peel, shell);
        let node = stage.place(mesh, None, placement, Some(object));
        let mesh = stage.mesh(&format!("{name} face"), face, disc(radius));
        stage.place(mesh, Some(node), at(0.0, 0.0, 0.0), Some(object));
        let (_, bounce) = spheres(kind);
        let ball = [(Vec3::Y * (-0.35 * depth), radius * 0.9)];
        stage.occlude(node, object, &ball, 0.7, bounce);
        node
    }
}

/// Occluder spheres of a fruit (middle, radius), and the colour of the light that it bounces.
fn spheres(kind: Citrus) -> (&'static [(Vec3, f32)], Vec3) {
    const LEMON: &[(Vec3, f32)] = &[
        (Vec3::new(0.0, 0.012, 0.0), 0.0275),
        (Vec3::new(0.0, -0.012, 0.0), 0.0275),
        (Vec3::new(0.0, 0.032, 0.0), 0.014),
        (Vec3::new(0.0, -0.032, 0.0), 0.014),
    ];
    const ORANGE: &[(Vec3, f32)] = &[(Vec3::ZERO, 0.0385)];
    match kind {
        Citrus::Lemon => (LEMON, Vec3::new(0.50, 0.36, 0.03)),
        Citrus::Orange => (ORANGE, Vec3::new(0.62, 0.20, 0.015)),
    }
}

/// A lemon of 9 cm, blossom end (the nipple) down.
fn lemon() -> Primitive {
    let profile = Curve::profile(&[
        [0.0, 0.0405],
        [0.004, 0.0412],
        [0.009, 0.0395],
        [0.0185, 0.031],
        [0.0272, 0.016],
        [0.0298, 0.0],
        [0.0275, -0.016],
        [0.0195, -0.031],
        [0.0115, -0.0385],
        [0.0078, -0.0425],
        [0.0052, -0.0465],
        [0.0, -0.048],
    ]);
    lathe(Patch::new(32, 26), &profile)
}

/// An orange of 8 cm, dimpled at the stem, with the stem's star.
fn orange() -> Primitive {
    let mut body = Patch::new(36, 26).mesh(|u, v| {
        let (sin_u, cos_u) = (u * TAU).sin_cos();
        let (sin_v, cos_v) = (v * PI).sin_cos();
        let dimple = 0.10 * smooth_step(0.30, 0.0, v) + 0.04 * smooth_step(0.85, 1.0, v);
        let lumpy = 1.0 + 0.012 * (3.0 * u * TAU).sin() * sin_v;
        let radius = 0.0395 * lumpy;
        Vec3::new(
            radius * sin_v * sin_u,
            0.0385 * cos_v * (1.0 - dimple),
            radius * sin_v * cos_u,
        )
    });
    let mut stem = ellipsoid(Patch::new(10, 6), Vec3::new(0.0035, 0.0022, 0.0035));
    for position in &mut stem.positions {
        position.y += 0.0348;
    }
    append(&mut body, &stem);
    body
}

/// A flat face of `radius` at y = 0 looking up, its texture spread over the square around it.
fn disc(radius: f32) -> Primitive {
    let mut mesh = Patch::new(40, 3).mesh(|u, v| {
        let (sin, cos) = (u * TAU).sin_cos();
        Vec3::new(radius * v * sin, 0.0, radius * v * cos)
    });
    let flat = mesh
        .positions
        .iter()
        .map(|p| Vec2::new(p.x, p.z) / radius * 0.5 + 0.5);
    mesh.tex_coords[0] = flat.collect();
    mesh.normals.fill(Vec3::Y);
    mesh.tangents.fill(Vec3::X.extend(1.0));
    mesh
}

/// Peel: pores, blotches, greener and browner towards the stem (v = 0).
fn peel(grain: &Grain, uv: Vec2) -> SurfacePoint {
    let even = Vec2::new(uv.x * 2.0, uv.y);
    let pore = smooth_step(0.42, 0.08, grain.cells.at(even * 2.5));
    let blotch = grain.clouds.at(even);
    let stem = smooth_step(0.10, 0.0, uv.y) + 0.6 * smooth_step(0.95, 1.0, uv.y);
    let tone = lerp(0.84, 1.0, blotch) - 0.10 * pore;
    SurfacePoint {
        color: Vec3::new(tone, tone * lerp(0.94, 1.0, blotch), tone)
            .lerp(Vec3::new(0.52, 0.62, 0.45), 0.55 * stem),
        height: -0.00034 * pore + 0.0011 * blotch,
        ..SurfacePoint::default()
    }
}

/// A cut face: rind, pith, and segments of juicy cells.
fn slice(grain: &Grain, uv: Vec2, flesh: Vec3, rind: Vec3, segments: f32) -> SurfacePoint {
    let p = uv * 2.0 - 1.0;
    let wobble = grain.offset(uv * 2.0) * 0.03;
    let (r, angle) = (p.length(), (p + wobble).y.atan2((p + wobble).x));
    let turn = angle / TAU * segments;
    let within = (turn - turn.floor() - 0.5).abs();
    // Metres-free distance to the membrane between two segments.
    let membrane = (0.5 - within) / segments * TAU * r;
    let pulp = Vec2::new(turn * 0.25, r * 0.45) + 2.0;
    let (cell, id) = (grain.cells.at(pulp), grain.ids.nearest(pulp));
    let juice = 0.72 + 0.32 * id - 0.25 * smooth_step(0.25, 0.7, cell);
    let pith = Vec3::new(0.86, 0.80, 0.62);
    let open = smooth_step(0.012, 0.05, membrane)
        * smooth_step(0.84, 0.79, r)
        * smooth_step(0.05, 0.12, r);
    let skin = smooth_step(0.925, 0.945, r);
    let color = pith.lerp(flesh * juice, open).lerp(rind, skin);
    SurfacePoint {
        color,
        height: open * (0.0006 + 0.0012 * (1.0 - cell)) + 0.0006 * (1.0 - skin),
        ..SurfacePoint::default()
    }
}

/// The fruit in the bowl, around its middle at the node's origin: kind, position and turn.
pub(super) fn heap() -> Vec<(Citrus, Transform)> {
    let put = |kind, x: f32, y: f32, z: f32, lean: f32, turn: f32| {
        let rotation = Quat::from_rotation_y(turn) * Quat::from_rotation_z(lean);
        (kind, placed(Vec3::new(x, y, z), rotation, 1.0))
    };
    vec![
        put(Citrus::Orange, -0.066, 0.078, 0.040, 0.7, 0.4),
        put(Citrus::Orange, 0.030, 0.074, 0.072, 0.9, 2.9),
        put(Citrus::Lemon, 0.084, 0.076, -0.006, 1.35, 0.9),
        put(Citrus::Orange, 0.022, 0.076, -0.070, 0.4, 1.2),
        put(Citrus::Lemon, -0.058, 0.074, -0.050, 1.45, 2.2),
        put(Citrus::Orange, -0.010, 0.126, 0.004, 0.35, 5.2),
        put(Citrus::Lemon, 0.052, 0.124, 0.046, 1.2, -0.55),
    ]
}

/// Transform of a half fruit on a table at (x, z), leaning on its rim, its face turned `turn` around y and `lean` from up.
pub(super) fn leaning(x: f32, y: f32, z: f32, turn: f32, lean: f32) -> Transform {
    let matrix = Mat4::from_rotation_y(turn) * Mat4::from_rotation_x(lean);
    placed(Vec3::new(x, y, z), Quat::from_mat4(&matrix), 1.0)
}
