//! An orange butterfly: two cut-out wings on hinges and a body.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Quat, Vec2, Vec3, Vec4};

use super::stage::{Stage, at, placed};
use crate::procedural::{Grain, Patch, SurfaceMaps, SurfacePoint, capsule, plane, smooth_step};
use azulejo_scene::{AlphaMode, Material, NodeId};

/// Animated nodes of the butterfly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Butterfly {
    /// Flight path node, parent of the wings.
    pub(super) body: NodeId,
    /// Beat: hinges at the body, left and right.
    pub(super) wings: [NodeId; 2],
}

/// Span of one wing, metres.
const WING: f32 = 0.050;

/// Adds the butterfly, its head towards -z of the body node, wings level.
pub(super) fn butterfly(stage: &mut Stage, grain: &Grain, position: Vec3) -> Butterfly {
    let maps = SurfaceMaps::new([256; 2], Vec2::splat(WING), |uv| wing(grain, uv));
    let base = stage.texture(maps.base_color("butterfly wing"));
    let scales = stage.material(Material {
        name: "butterfly wing".to_owned(),
        base_color_texture: Some(base),
        metallic: 0.0,
        roughness: 0.45,
        alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
        double_sided: true,
        ..Material::default()
    });
    let fur = stage.material(Material {
        name: "butterfly body".to_owned(),
        base_color: Vec4::new(0.03, 0.025, 0.03, 1.0),
        metallic: 0.0,
        roughness: 0.8,
        ..Material::default()
    });
    let body = stage.joint("butterfly", None, placed(position, Quat::IDENTITY, 1.0));
    let trunk = stage.mesh(
        "butterfly body",
        fur,
        capsule(Patch::new(12, 16), 0.0024, 0.022),
    );
    let lying = placed(Vec3::ZERO, Quat::from_rotation_x(FRAC_PI_2), 1.0);
    stage.place(trunk, Some(body), lying, None);
    let sheet = plane(Patch::new(6, 6), Vec2::splat(WING));
    let mesh = stage.mesh("butterfly wing", scales, sheet);
    let wings = [(-1.0, "left wing"), (1.0, "right wing")].map(|(side, name)| {
        let hinge = stage.joint(name, Some(body), at(0.0, 0.001, 0.0));
        // The sheet's u runs out from the body, its top edge forward; the left wing is the mirror image.
        let mut flat = placed(
            Vec3::new(side * WING / 2.0, 0.0, 0.0),
            Quat::from_rotation_x(-FRAC_PI_2),
            1.0,
        );
        if let azulejo_scene::Transform::Trs { scale, .. } = &mut flat {
            scale.x = side;
        }
        stage.place(mesh, Some(hinge), flat, None);
        hinge
    });
    Butterfly { body, wings }
}

/// Fore and hind wing of one side: u = 0 at the body, v = 0 in front.
fn wing(grain: &Grain, uv: Vec2) -> SurfacePoint {
    let p = uv;
    let fore = wing_lobe(p, Vec2::new(0.0, 0.46), Vec2::new(0.97, 0.10), 0.25);
    let hind = wing_lobe(p, Vec2::new(0.0, 0.52), Vec2::new(0.66, 0.93), 0.25);
    let depth = fore.max(hind);
    let from_body = (p - Vec2::new(0.0, 0.48)).length();
    let angle = (p.y - 0.48).atan2(p.x);
    let veins = ((angle * 22.0 / TAU * 2.0).fract() - 0.5).abs();
    let vein = smooth_step(0.06, 0.0, veins) * smooth_step(0.08, 0.25, from_body);
    let border = smooth_step(0.085, 0.05, depth);
    let noise = grain.clouds.at(uv * 4.0);
    let spots = grain.cells.at(uv * 0.6);
    let spot = smooth_step(0.22, 0.16, spots) * border * smooth_step(0.02, 0.04, depth);
    let orange = Vec3::new(0.80, 0.17, 0.008).lerp(
        Vec3::new(0.88, 0.36, 0.03),
        noise * 0.6 + 0.4 * (1.0 - from_body),
    );
    let color = orange.lerp(Vec3::new(0.012, 0.014, 0.03), border.max(0.75 * vein));
    SurfacePoint {
        color: color.lerp(Vec3::new(0.85, 0.85, 0.80), spot),
        alpha: smooth_step(0.0, 0.012, depth),
        roughness: 0.45,
        ..SurfacePoint::default()
    }
}

/// How far inside a wing's lobe from `root` to `tip` a point lies, 0 on its outline.
fn wing_lobe(p: Vec2, root: Vec2, tip: Vec2, width: f32) -> f32 {
    let axis = tip - root;
    let along = (p - root).dot(axis) / axis.length_squared();
    let across = (p - root).perp_dot(axis) / axis.length();
    let half = width
        * (along.clamp(0.0, 1.0).powf(0.7) * TAU / 2.0 * 0.86)
            .sin()
            .max(0.0);
    half - across.abs()
        - if (0.0..=1.0).contains(&along) {
            0.0
        } else {
            1.0
        }
}
