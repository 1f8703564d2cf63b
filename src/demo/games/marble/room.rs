//! The meshes of a puzzle and of the room around it.

use glam::{Mat4, Vec2, Vec3};

use super::course::{Block, Level, Stuff};
use super::look::Surfaces;
use crate::kit::stage::{Stage, bake, merged, placed};
use crate::procedural::{Curve, Patch, ellipsoid, lathe, plane, rounded_box};
use azulejo_scene::{MaterialId, MeshId, Primitive};

/// Linear RGB of the small balls.
pub(super) const COLORS: [Vec3; 4] = [
    Vec3::new(0.85, 0.06, 0.08),
    Vec3::new(0.05, 0.3, 0.85),
    Vec3::new(0.95, 0.6, 0.05),
    Vec3::new(0.12, 0.6, 0.14),
];

/// A puzzle as it is drawn.
#[derive(Debug)]
pub(super) struct Room {
    /// Meshes by material of the room.
    pub(super) meshes: Vec<MeshId>,
    /// Shadows on the table: middle, and metres across and deep.
    pub(super) shadows: Vec<(Vec3, Vec2)>,
    /// Middle of the bowl's floor.
    pub(super) bowl: Vec3,
    blocks: Vec<Block>,
}

impl Room {
    /// Builds the meshes of a puzzle.
    pub(super) fn new(stage: &mut Stage, level: &Level, surfaces: &Surfaces) -> Self {
        let of = |stuff: Stuff| {
            let blocks = level.blocks.iter().filter(|block| block.stuff == stuff);
            blocks.map(solid).collect::<Vec<Primitive>>()
        };
        let mut walnut = of(Stuff::Walnut);
        walnut.push(bowl(level.bowl));
        let parts = [
            ("table", of(Stuff::Table), surfaces.table),
            ("oak", of(Stuff::Oak), surfaces.oak),
            ("walnut", walnut, surfaces.walnut),
            ("paint", of(Stuff::Paint), surfaces.paint),
        ];
        let stands = |block: &&Block| block.at.y - block.half.y < 0.05 && block.half.x < 2.0;
        let shadow = |block: &Block| {
            let at = Vec3::new(block.at.x + 0.16, 0.008, block.at.z - 0.12);
            let size = Vec2::new(block.half.x, block.half.z) * 2.0;
            (at, size * 1.25 + 0.5 + 0.3 * block.half.y)
        };
        Self {
            meshes: parts
                .into_iter()
                .filter(|(_, parts, _)| !parts.is_empty())
                .map(|(name, parts, material)| stage.mesh(name, merged(&parts), material))
                .collect(),
            shadows: level.blocks.iter().filter(stands).map(shadow).collect(),
            bowl: level.bowl,
            blocks: level.blocks.clone(),
        }
    }

    /// Height of what lies below a ball.
    pub(super) fn ground(&self, at: Vec3, radius: f32) -> f32 {
        let below = self.blocks.iter().filter(|block| {
            let local = block.turn.inverse() * (at - block.at);
            local.x.abs() < block.half.x && local.z.abs() < block.half.z
        });
        let tops = below.map(|block| block.at.y + block.half.y);
        tops.filter(|top| *top < at.y - 0.6 * radius)
            .fold(0.0, f32::max)
    }
}

/// A block with soft edges. Painted ones carry a whole picture on each side.
fn solid(block: &Block) -> Primitive {
    let rounding = block.half.min_element().min(0.05);
    let repeat = match block.stuff {
        Stuff::Table => 0.25,
        Stuff::Paint => 0.5 / block.half.max_element(),
        _ => 0.55,
    };
    let mut shape = rounded_box(block.half, rounding, 2, repeat);
    for uv in &mut shape.tex_coords[0] {
        *uv += match block.stuff {
            Stuff::Paint => Vec2::splat(0.5),
            _ => Vec2::new(0.37 * block.at.x, 0.61 * block.at.x + 0.3 * block.at.y),
        };
    }
    let place = Mat4::from_rotation_translation(block.turn, block.at);
    let mut solid = placed(shape, place);
    // Darker towards the table: what stands there takes light away.
    let tone = |at: &Vec3| 0.62 + 0.38 * (at.y / 0.7).clamp(0.0, 1.0);
    let is_table = block.stuff == Stuff::Table;
    solid.colors = (solid.positions.iter())
        .map(|at| Vec3::splat(if is_table { 1.0 } else { tone(at) }).extend(1.0))
        .collect();
    if block.stuff == Stuff::Bowl {
        solid.indices.clear();
    }
    solid
}

/// A bowl, turned on a lathe.
fn bowl(at: Vec3) -> Primitive {
    let profile = [
        [0.001, 0.07],
        [0.3, 0.09],
        [0.46, 0.28],
        [0.62, 0.6],
        [0.66, 0.66],
        [0.71, 0.62],
        [0.58, 0.3],
        [0.42, 0.03],
        [0.3, 0.0],
    ];
    let patch = Patch::new(48, 40).repeated(3.0, 1.4);
    let mut bowl = placed(
        lathe(patch, &Curve::profile(&profile)),
        Mat4::from_translation(at),
    );
    let tone = |p: &Vec3| {
        let out = Vec2::new(p.x - at.x, p.z - at.z).length();
        let inner = (0.35 + 0.65 * (p.y - at.y) / 0.66).clamp(0.3, 1.0);
        Vec3::splat(if out < 0.62 { inner } else { 1.0 }).extend(1.0)
    };
    bowl.colors = bowl.positions.iter().map(tone).collect();
    bowl
}

/// The wall behind the table: a picture that covers all that the camera may see.
pub(super) fn wall(stage: &mut Stage, surfaces: &Surfaces) -> MeshId {
    let flat = plane(Patch::new(2, 2), Vec2::new(25.6, 12.8));
    let back = placed(flat, Mat4::from_translation(Vec3::new(0.0, 2.6, -4.4)));
    stage.mesh("wall", bake(back, |_, _| Vec3::ONE), surfaces.wall)
}

/// A ball of radius 1.
pub(super) fn ball(stage: &mut Stage, material: MaterialId, color: Vec3) -> MeshId {
    let mut ball = ellipsoid(Patch::new(32, 20), Vec3::ONE);
    ball.colors = vec![color.extend(1.0); ball.positions.len()];
    ball.tangents.clear();
    stage.mesh("ball", ball, material)
}
