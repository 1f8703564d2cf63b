//! Lemon branches: stems along curves with leaves on cut-out cards.

use std::f32::consts::{PI, TAU};

use glam::{Mat4, Quat, Vec2, Vec3};

use super::stage::{Stage, placed};
use crate::procedural::{
    Curve, Grain, Patch, SurfaceMaps, SurfacePoint, append, lerp, random, smooth_step, tube,
};
use azulejo_scene::{AlphaMode, Material, MaterialId, NodeId, Primitive};

/// Materials of leaves and bark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foliage {
    leaf: MaterialId,
    bark: MaterialId,
}

/// One branch: a path from its foot, and how many leaves it carries.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) name: &'static str,
    pub(super) path: Vec<Vec3>,
    pub(super) leaves: u32,
    pub(super) seed: u32,
    /// Lies on a table: leaves spread flat.
    pub(super) lying: bool,
}

impl Foliage {
    pub(super) fn new(stage: &mut Stage, grain: &Grain) -> Self {
        let maps = SurfaceMaps::new([256, 512], Vec2::new(0.035, 0.08), |uv| leaf(grain, uv));
        let base = stage.texture(maps.base_color("leaf"));
        let normal = stage.texture(maps.normal("leaf veins"));
        let leaf = stage.material(Material {
            name: "lemon leaf".to_owned(),
            base_color_texture: Some(base),
            normal_texture: Some(normal),
            metallic: 0.0,
            roughness: 0.34,
            // Light that shines through the blade.
            emissive: Vec3::new(0.006, 0.014, 0.001),
            alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
            double_sided: true,
            ..Material::default()
        });
        let bark = stage.material(Material {
            name: "green bark".to_owned(),
            base_color: glam::Vec4::new(0.11, 0.125, 0.045, 1.0),
            metallic: 0.0,
            roughness: 0.7,
            ..Material::default()
        });
        Self { leaf, bark }
    }

    /// Adds a branch under `parent`, its foot at `foot`; returns the node that sways it.
    pub(super) fn branch(
        &self,
        stage: &mut Stage,
        parent: Option<NodeId>,
        foot: Vec3,
        branch: &Branch,
    ) -> NodeId {
        let object = stage.object();
        let path = Curve::through(&branch.path);
        let stem = tube(Patch::new(8, 28), &path, |t| lerp(0.0046, 0.0012, t));
        let mesh = stage.mesh(&format!("{} stem", branch.name), self.bark, stem);
        let node = stage.place(
            mesh,
            parent,
            placed(foot, Quat::IDENTITY, 1.0),
            Some(object),
        );
        let mut blades = Primitive {
            tex_coords: vec![Vec::new()],
            ..Primitive::default()
        };
        let mut shade = Vec::new();
        for i in 0..branch.leaves {
            let world_from_leaf = leaf_place(&path, i, branch);
            append(&mut blades, &blade(world_from_leaf, branch.seed + i));
            let scale = world_from_leaf.x_axis.length();
            for along in [0.3, 0.62] {
                let centre = world_from_leaf.transform_point3(Vec3::new(0.0, along, 0.0));
                shade.push((centre, 0.19 * scale));
            }
        }
        let mesh = stage.mesh(&format!("{} leaves", branch.name), self.leaf, blades);
        stage.place(
            mesh,
            Some(node),
            placed(Vec3::ZERO, Quat::IDENTITY, 1.0),
            Some(object),
        );
        stage.occlude(node, object, &shade, 0.0, Vec3::new(0.1, 0.2, 0.03));
        let first = stage.occluders.len() - shade.len();
        for sphere in &mut stage.occluders[first..] {
            sphere.transmission = Vec3::new(0.16, 0.24, 0.05);
        }
        node
    }
}

/// Pose of leaf `i`: base at the stem, blade along +y, upper side +z, length 1.
fn leaf_place(path: &Curve, i: u32, branch: &Branch) -> Mat4 {
    let own = |salt: i32| random(i as i32, salt, branch.seed);
    let t = lerp(0.26, 1.0, (i as f32 + 0.4 * own(1)) / branch.leaves as f32);
    let along = (path.at(t + 0.01) - path.at(t - 0.01)).normalize_or(Vec3::Y);
    // Leaves follow the golden angle around the stem and reach up, then droop with age.
    let spiral = Quat::from_axis_angle(along, i as f32 * 2.399_963 + 0.5 * own(2));
    let side = spiral * along.any_orthonormal_vector();
    let tip = t.powi(3);
    let direction = (side * lerp(0.95, 0.35, tip)
        + along * lerp(0.35, 0.9, tip)
        + Vec3::Y * lerp(-0.25, 0.25, own(3)))
    .normalize_or(Vec3::Y);
    let direction = if branch.lying {
        Vec3::new(direction.x, 0.10, direction.z).normalize()
    } else {
        direction
    };
    let face = (Vec3::Y * 0.8 + along * 0.35 + Vec3::Z * 0.45).reject_from(direction);
    let face = face.normalize_or(Vec3::Z);
    let across = direction.cross(face);
    let length = lerp(0.075, 0.125, own(4)) * lerp(1.0, 0.60, tip);
    Mat4::from_cols(
        (across * length).extend(0.0),
        (direction * length).extend(0.0),
        (face * length).extend(0.0),
        path.at(t).extend(1.0),
    )
}

/// A leaf's card: bent along its length, folded a little along its midrib.
fn blade(place: Mat4, seed: u32) -> Primitive {
    let own = |salt: i32| random(salt, 5, seed);
    let (droop, fold) = (lerp(0.10, 0.45, own(1)), lerp(0.05, 0.28, own(2)));
    let wave = own(3) * TAU;
    Patch::new(4, 6).mesh(|u, v| {
        let along = 1.0 - v;
        let x = (u - 0.5) * 0.46;
        let lift = fold * x.abs() * 1.4 - droop * along * along
            + 0.018 * (along * 9.0 + wave).sin() * (u - 0.5).signum() * x.abs() * 6.0;
        place.transform_point3(Vec3::new(x, along * (1.0 - 0.25 * droop * along), lift))
    })
}

/// The leaf's outline, veins and colours; v = 1 is the stalk.
fn leaf(grain: &Grain, uv: Vec2) -> SurfacePoint {
    let along = 1.0 - uv.y;
    let x = (uv.x - 0.5) * 2.0;
    let outline = ((along - 0.06) / 0.93).clamp(0.0, 1.0);
    let half = 0.92 * (PI * outline.powf(0.82)).sin().max(0.0).powf(0.80);
    let notch = 0.02 * (along * 90.0).sin();
    let stalk = if along < 0.12 { 0.05 } else { 0.0 };
    let width = (half - notch.abs() * half).max(stalk);
    let alpha = smooth_step(0.03, -0.03, x.abs() - width);
    // Side veins leave the midrib at an angle and bend towards the tip.
    let phase = (along - 0.42 * x.abs() + 0.10 * x * x) * 11.0;
    let side =
        smooth_step(0.09, 0.0, (phase - phase.round()).abs()) * smooth_step(0.0, 0.08, along);
    let midrib = smooth_step(0.055, 0.015, x.abs() * (0.6 + 0.9 * along));
    let vein = midrib.max(0.55 * side);
    let blotch = grain.clouds.at(Vec2::new(uv.x * 2.0, uv.y * 4.0));
    let deep = Vec3::new(0.030, 0.105, 0.016);
    let fresh = Vec3::new(0.105, 0.235, 0.026);
    let green = deep.lerp(fresh, smooth_step(0.25, 0.8, blotch));
    let edge = smooth_step(0.14, 0.0, width - x.abs());
    let color = green.lerp(Vec3::new(0.25, 0.36, 0.085), 0.65 * vein);
    SurfacePoint {
        color: color.lerp(Vec3::new(0.24, 0.27, 0.045), 0.35 * edge),
        alpha,
        height: -0.0011 * midrib - 0.0005 * side + 0.0006 * blotch,
        ..SurfacePoint::default()
    }
}

/// The branches in the vase: name, leaves, and the path from the mouth of its neck.
const BOUQUET: &[(&str, u32, &[[f32; 3]])] = &[
    (
        "left branch",
        40,
        &[
            [0.0, -0.10, 0.0],
            [-0.030, 0.05, 0.01],
            [-0.12, 0.20, 0.03],
            [-0.25, 0.30, 0.05],
            [-0.37, 0.33, 0.06],
        ],
    ),
    (
        "middle branch",
        44,
        &[
            [0.01, -0.10, 0.0],
            [0.012, 0.06, -0.01],
            [-0.02, 0.22, -0.02],
            [-0.07, 0.36, 0.0],
            [-0.10, 0.47, 0.02],
        ],
    ),
    (
        "right branch",
        46,
        &[
            [0.015, -0.10, 0.01],
            [0.032, 0.05, 0.01],
            [0.10, 0.19, 0.0],
            [0.21, 0.28, 0.02],
            [0.33, 0.30, 0.05],
            [0.42, 0.26, 0.08],
        ],
    ),
    (
        "front branch",
        26,
        &[
            [0.0, -0.10, 0.015],
            [0.0, 0.03, 0.034],
            [0.05, 0.11, 0.10],
            [0.11, 0.13, 0.16],
            [0.15, 0.09, 0.20],
        ],
    ),
    (
        "back branch",
        36,
        &[
            [0.0, -0.10, -0.01],
            [-0.01, 0.06, -0.03],
            [0.05, 0.22, -0.08],
            [0.13, 0.36, -0.10],
            [0.18, 0.46, -0.10],
        ],
    ),
];

/// The branches in the vase.
pub(super) fn bouquet() -> impl Iterator<Item = Branch> {
    (161..)
        .zip(BOUQUET)
        .map(|(seed, &(name, leaves, path))| Branch {
            name,
            path: path.iter().map(|&p| Vec3::from(p)).collect(),
            leaves,
            seed,
            lying: false,
        })
}

/// A sprig that lies on the table.
pub(super) fn sprig() -> Branch {
    Branch {
        name: "sprig",
        path: vec![
            Vec3::new(0.0, 0.006, 0.0),
            Vec3::new(0.05, 0.008, 0.015),
            Vec3::new(0.11, 0.014, 0.01),
            Vec3::new(0.16, 0.012, -0.005),
        ],
        leaves: 9,
        seed: 171,
        lying: true,
    }
}
