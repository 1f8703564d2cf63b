//! Ledge and wall: large surfaces on fine grids, so that baked light has vertices to live on.

use glam::{Quat, Vec2, Vec3, Vec4};
use std::f32::consts::FRAC_PI_2;

use super::masonry::{FLOOR_TILE, FLOOR_TILES, floor_maps, limestone_maps, plaster_maps};
use super::stage::{Stage, placed};
use super::tiles::{FIELD_TILES, TILE, field_maps, frieze_maps};
use crate::procedural::{Grain, Patch, SurfaceMaps, plane};
use azulejo_scene::{Material, MaterialId, Primitive};

/// Front edge of the ledge, world z, metres.
pub(super) const LEDGE_FRONT: f32 = 0.42;
/// Plane of the wall, world z, metres.
pub(super) const WALL: f32 = -0.44;
/// Half the width of everything.
const HALF_WIDTH: f32 = 1.5;
/// Size of a grid cell, metres.
const CELL: f32 = 0.016;
/// Height of the plaster above the tiles.
const PLASTERED: f32 = 0.45;
/// Rows of tiles in the field.
const ROWS: f32 = 4.0;

/// The materials of ledge and wall.
struct Masonry {
    floor: MaterialId,
    field: MaterialId,
    frieze: MaterialId,
    plaster: MaterialId,
    stone: MaterialId,
}

impl Masonry {
    fn new(stage: &mut Stage, grain: &Grain) -> Self {
        Self {
            floor: glossy(stage, "terracotta", &floor_maps(grain, 1024)),
            field: glossy(stage, "azulejo field", &field_maps(grain, 1024)),
            frieze: glossy(stage, "azulejo frieze", &frieze_maps(grain, 1024)),
            plaster: plain(stage, "ochre plaster", &plaster_maps(grain, 512), 0.92),
            stone: plain(stage, "limestone", &limestone_maps(grain, 512), 0.55),
        }
    }
}

/// Adds ledge, front and wall.
pub(super) fn build(stage: &mut Stage, grain: &Grain) {
    let masonry = Masonry::new(stage, grain);
    let object = stage.object();
    let height = TILE / 2.0;
    let size = Vec2::new(2.0 * HALF_WIDTH, height);
    let band = sheet(size, Vec2::new(TILE * FIELD_TILES, height));
    let parts = ledge(&masonry, &band)
        .into_iter()
        .chain(wall(&masonry, band));
    for (name, material, mut part, at, rotation) in parts {
        part.colors = corners_shaded(&part, at, rotation);
        let mesh = stage.mesh(name, material, part);
        stage.place(mesh, None, placed(at, rotation, 1.0), Some(object));
    }
}

/// A large surface: name, material, mesh, place and turn.
type Part = (&'static str, MaterialId, Primitive, Vec3, Quat);

/// The ledge with its edge and front; `band` is the frieze's mesh.
fn ledge(masonry: &Masonry, band: &Primitive) -> [Part; 4] {
    let depth = LEDGE_FRONT - 0.03 - WALL;
    let size = Vec2::new(2.0 * HALF_WIDTH, depth);
    let top = sheet(size, Vec2::splat(FLOOR_TILE * FLOOR_TILES));
    let middle = Vec3::Z * (WALL + depth / 2.0);
    let flat = Quat::from_rotation_x(-FRAC_PI_2);
    let height = TILE / 2.0;
    let front = |y: f32| Vec3::new(0.0, -0.038 - y, LEDGE_FRONT - 0.012);
    let skirt = Vec2::new(2.0 * HALF_WIDTH, 0.5);
    let skirt = plane(Patch::new(24, 4).repeated(6.0, 1.0), skirt);
    let upright = Quat::IDENTITY;
    [
        ("ledge", masonry.floor, top, middle, flat),
        ("ledge nosing", masonry.stone, nosing(), Vec3::ZERO, upright),
        (
            "ledge frieze",
            masonry.frieze,
            band.clone(),
            front(height / 2.0),
            upright,
        ),
        (
            "ledge front",
            masonry.field,
            skirt,
            front(height + 0.25),
            upright,
        ),
    ]
}

/// The wall: tiles, frieze, plaster.
fn wall(masonry: &Masonry, band: Primitive) -> [Part; 3] {
    let height = TILE / 2.0;
    let tiled = ROWS * TILE;
    let at = |y: f32, z: f32| Vec3::new(0.0, y, WALL + z);
    let size = Vec2::new(2.0 * HALF_WIDTH, tiled);
    let tiles = sheet(size, Vec2::splat(TILE * FIELD_TILES));
    let above = sheet(Vec2::new(2.0 * HALF_WIDTH, PLASTERED), Vec2::ONE);
    let middle = at(tiled + height + PLASTERED / 2.0, -0.004);
    let upright = Quat::IDENTITY;
    [
        (
            "tiled wall",
            masonry.field,
            tiles,
            at(tiled / 2.0, 0.0),
            upright,
        ),
        (
            "wall frieze",
            masonry.frieze,
            band,
            at(tiled + height / 2.0, 0.001),
            upright,
        ),
        ("plaster wall", masonry.plaster, above, middle, upright),
    ]
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
    let patch = Patch::new(190, 12).repeated(6.0, 0.2);
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

/// A rectangle on a fine grid under a texture that covers `span` metres.
fn sheet(size: Vec2, span: Vec2) -> Primitive {
    let cells = (size / CELL).ceil();
    let repeat = size / span;
    let patch = Patch::new(cells.x as u32, cells.y as u32);
    plane(patch.repeated(repeat.x, repeat.y), size)
}

/// A dielectric of even roughness.
fn plain(stage: &mut Stage, name: &str, maps: &SurfaceMaps, roughness: f32) -> MaterialId {
    let base = stage.texture(maps.base_color(name));
    let normal = stage.texture(maps.normal(&format!("{name} relief")));
    stage.material(Material {
        name: name.to_owned(),
        base_color_texture: Some(base),
        normal_texture: Some(normal),
        metallic: 0.0,
        roughness,
        ..Material::default()
    })
}

/// A material with all maps of a surface, gloss and occlusion at half the resolution.
fn glossy(stage: &mut Stage, name: &str, maps: &SurfaceMaps) -> MaterialId {
    let gloss = maps
        .halved()
        .occlusion_roughness_metallic(&format!("{name} gloss"));
    let gloss = stage.texture(gloss);
    let material = plain(stage, name, maps, 1.0);
    let surface = &mut stage.scene.materials[material.index()];
    surface.metallic = 1.0;
    surface.metallic_roughness_texture = Some(gloss);
    surface.occlusion_texture = Some(gloss);
    material
}
