//! Ledge and wall: large surfaces on fine grids, so that baked light has vertices to live on.

use glam::{Quat, Vec2, Vec3, Vec4};
use std::f32::consts::FRAC_PI_2;

use super::azulejo::{FIELD_TILES, TILE, field_maps, frieze_maps};
use super::masonry::{FLOOR_TILE, FLOOR_TILES, floor_maps, limestone_maps, plaster_maps};
use super::stage::{Stage, placed};
use crate::scene::procedural::{Grain, Patch, SurfaceMaps, plane};
use crate::scene::{Material, MaterialId, Primitive};

/// Where the ledge ends towards the viewer.
pub(super) const LEDGE_FRONT: f32 = 0.42;
/// The wall's plane.
pub(super) const WALL: f32 = -0.44;
/// Half the width of everything.
const HALF_WIDTH: f32 = 1.5;
/// Size of a grid cell, metres.
const CELL: f32 = 0.0125;
/// Rows of tiles in the field.
const ROWS: f32 = 4.0;

/// Adds ledge, front and wall.
pub(super) fn build(stage: &mut Stage, grain: &Grain) {
    let object = stage.object();
    let floor = surface(stage, "terracotta", &floor_maps(grain, 1024));
    let field = surface(stage, "azulejo field", &field_maps(grain, 1024));
    let frieze = surface(stage, "azulejo frieze", &frieze_maps(grain, 1024));
    let plaster = surface(stage, "ochre plaster", &plaster_maps(grain, 512));
    let stone = surface(stage, "limestone", &limestone_maps(grain, 512));
    let mut put = |name: &str, material, mut part: Primitive, at: Vec3, rotation: Quat| {
        part.colors = corners_shaded(&part, at, rotation);
        let mesh = stage.mesh(name, material, part);
        stage.place(mesh, None, placed(at, rotation, 1.0), Some(object));
    };
    let depth = LEDGE_FRONT - 0.03 - WALL;
    let flat = Quat::from_rotation_x(-FRAC_PI_2);
    let ledge = sheet(Vec2::new(2.0 * HALF_WIDTH, depth), FLOOR_TILE * FLOOR_TILES);
    put(
        "ledge",
        floor,
        ledge,
        Vec3::new(0.0, 0.0, WALL + depth / 2.0),
        flat,
    );
    put("ledge nosing", stone, nosing(), Vec3::ZERO, Quat::IDENTITY);
    let height = TILE / 2.0;
    let front = sheet_repeated(
        Vec2::new(2.0 * HALF_WIDTH, height),
        Vec2::new(TILE * FIELD_TILES, height),
    );
    let below = LEDGE_FRONT - 0.012;
    put(
        "ledge frieze",
        frieze,
        front.clone(),
        Vec3::new(0.0, -0.038 - height / 2.0, below),
        Quat::IDENTITY,
    );
    let skirt = sheet(Vec2::new(2.0 * HALF_WIDTH, 0.5), TILE * FIELD_TILES);
    put(
        "ledge front",
        field,
        skirt,
        Vec3::new(0.0, -0.038 - height - 0.25, below),
        Quat::IDENTITY,
    );
    let tiled = ROWS * TILE;
    let wall = sheet(Vec2::new(2.0 * HALF_WIDTH, tiled), TILE * FIELD_TILES);
    put(
        "tiled wall",
        field,
        wall,
        Vec3::new(0.0, tiled / 2.0, WALL),
        Quat::IDENTITY,
    );
    put(
        "wall frieze",
        frieze,
        front,
        Vec3::new(0.0, tiled + height / 2.0, WALL + 0.001),
        Quat::IDENTITY,
    );
    let above = sheet(Vec2::new(2.0 * HALF_WIDTH, 0.8), 1.0);
    put(
        "plaster wall",
        plaster,
        above,
        Vec3::new(0.0, tiled + height + 0.4, WALL - 0.004),
        Quat::IDENTITY,
    );
}

/// How much of the light gets into the corners between the large surfaces, by vertex.
fn corners_shaded(part: &Primitive, at: Vec3, rotation: Quat) -> Vec<Vec4> {
    let shade = |depth: f32, distance: f32, reach: f32| 1.0 - depth * (-distance / reach).exp();
    let vertices = part.positions.iter().zip(&part.normals);
    vertices
        .map(|(position, normal)| {
            let (p, normal) = (at + rotation * *position, rotation * *normal);
            let left = if normal.y > 0.9 {
                shade(0.40, p.z - WALL, 0.06)
            } else if p.y < 0.0 {
                // Under the overhang of the nosing, and on its own lower half.
                let under = if normal.z > 0.99 {
                    shade(0.80, -0.040 - p.y, 0.022)
                } else {
                    1.0
                };
                under * (1.0 + 0.7 * normal.y.min(0.0))
            } else {
                shade(0.40, p.y, 0.05)
            };
            Vec3::splat(left.clamp(0.0, 1.0)).extend(1.0)
        })
        .collect()
}

/// The ledge's stone edge: half round in front.
fn nosing() -> Primitive {
    let patch = Patch::new(240, 16).repeated(6.0, 0.2);
    patch.mesh(|u, v| {
        let x = (u - 0.5) * 2.0 * HALF_WIDTH;
        let length = v * 0.11;
        let radius = 0.022;
        let turn = radius * std::f32::consts::PI;
        let (flat, round) = (length.min(0.032), (length - 0.032).clamp(0.0, turn));
        let (sin, cos) = (round / radius).sin_cos();
        let back = (length - 0.032 - turn).max(0.0);
        Vec3::new(
            x,
            0.0015 - radius + radius * cos,
            LEDGE_FRONT - 0.032 - radius + flat + radius * sin - back,
        )
    })
}

/// A rectangle on a fine grid under a square texture of `span` metres.
fn sheet(size: Vec2, span: f32) -> Primitive {
    sheet_repeated(size, Vec2::splat(span))
}

fn sheet_repeated(size: Vec2, span: Vec2) -> Primitive {
    let cells = (size / CELL).ceil();
    let repeat = size / span;
    plane(
        Patch::new(cells.x as u32, cells.y as u32).repeated(repeat.x, repeat.y),
        size,
    )
}

/// A material with all maps of a surface.
fn surface(stage: &mut Stage, name: &str, maps: &SurfaceMaps) -> MaterialId {
    let base = stage.texture(maps.base_color(name));
    let normal = stage.texture(maps.normal(&format!("{name} relief")));
    let gloss = stage.texture(maps.occlusion_roughness_metallic(&format!("{name} gloss")));
    stage.material(Material {
        name: name.to_owned(),
        base_color_texture: Some(base),
        normal_texture: Some(normal),
        metallic_roughness_texture: Some(gloss),
        occlusion_texture: Some(gloss),
        ..Material::default()
    })
}
