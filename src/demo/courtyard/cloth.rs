//! A striped linen runner: flat on the ledge, falling over its front edge, fringed.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::stage::{Stage, at};
use crate::procedural::{Grain, Patch, SurfaceMaps, SurfacePoint, lerp, smooth_step};
use azulejo_scene::{AlphaMode, Material, MorphTarget, NodeId};

/// Width of the runner.
const WIDTH: f32 = 0.40;
/// Length on the ledge, from its far end to the bend, and length that hangs.
const LYING: f32 = 0.60;
const HANGING: f32 = 0.15;
/// Radius of the bend over the edge.
const BEND: f32 = 0.016;

/// Adds the runner, centred on `x`, bending down at `front`; its hanging part carries a morph target that flutters it.
pub(super) fn runner(stage: &mut Stage, grain: &Grain, x: f32, front: f32) -> NodeId {
    let maps = SurfaceMaps::new([512, 1024], Vec2::new(WIDTH, LYING + HANGING), |uv| {
        linen(grain, uv)
    });
    let base = stage.texture(maps.base_color("linen"));
    let normal = stage.texture(maps.normal("linen weave"));
    let material = stage.material(Material {
        name: "striped linen".to_owned(),
        base_color_texture: Some(base),
        normal_texture: Some(normal),
        metallic: 0.0,
        roughness: 0.95,
        alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
        double_sided: true,
        ..Material::default()
    });
    let patch = Patch::new(48, 88);
    let mut cloth = patch.mesh(|u, v| drape(u, v, front, 0.0));
    let blown = patch.mesh(|u, v| drape(u, v, front, 1.0));
    let offsets = |to: &[Vec3], from: &[Vec3]| to.iter().zip(from).map(|(a, b)| *a - *b).collect();
    cloth.morph_targets.push(MorphTarget {
        positions: offsets(&blown.positions, &cloth.positions),
        normals: offsets(&blown.normals, &cloth.normals),
        ..MorphTarget::default()
    });
    let object = stage.object();
    let mesh = stage.mesh("linen runner", material, cloth);
    stage.scene.meshes[mesh.index()].morph_weights = vec![0.0];
    stage.place(mesh, None, at(x, 0.0, 0.0), Some(object))
}

/// The cloth's surface; `blow` swings the hanging end out.
fn drape(u: f32, v: f32, front: f32, blow: f32) -> Vec3 {
    let x = (u - 0.5) * WIDTH;
    let length = v * (LYING + HANGING);
    // Ripples run with the cloth; they are flat where things stand on it and deepen where it hangs.
    let bent = length - (LYING - BEND);
    let hang = smooth_step(0.0, 0.10, bent);
    let ripple = 0.0016 * (x * 34.0 + 2.0).sin() * smooth_step(0.12, 0.30, x.abs())
        + 0.0010 * (length * 40.0 + x * 9.0).sin() * smooth_step(0.13, 0.19, x.abs());
    let fold =
        hang * (0.006 + 0.006 * (x * 27.0 + 0.7).sin() + 0.0022 * (x * 61.0 + length * 8.0).sin());
    let quarter = BEND * TAU / 4.0;
    let thickness = 0.0022;
    if bent < 0.0 {
        return Vec3::new(x, thickness + ripple.max(-0.0012), front - BEND + bent);
    }
    let angle = (bent / quarter).min(1.0) * TAU / 4.0;
    let fall = (bent - quarter).max(0.0);
    let out = fold + blow * fall * (0.32 + 0.10 * (x * 17.0).sin());
    let over = BEND + thickness;
    Vec3::new(
        x * (1.0 - 0.10 * hang * fall / HANGING),
        thickness - over + over * angle.cos() + ripple * (1.0 - hang) - fall,
        front - BEND + over * angle.sin() + out.max(0.0),
    )
}

/// Linen: white ground, blue stripes along both sides and across the end, loose threads at the ends.
fn linen(grain: &Grain, uv: Vec2) -> SurfacePoint {
    let metres = uv * Vec2::new(WIDTH, LYING + HANGING);
    let threads = Vec2::new(uv.x * 200.0, uv.y * 375.0);
    // Threads of uneven thickness: noise stretched along each of them.
    let slub = grain.fine.at(Vec2::new(uv.x * 0.78, uv.y * 0.1))
        + grain.fine.at(Vec2::new(uv.x * 0.1, uv.y * 1.46));
    let over = (threads.x.floor() + threads.y.floor()).rem_euclid(2.0) < 0.5;
    let at = threads.fract() - 0.5;
    let round = |t: f32| (1.0 - 4.0 * t * t).max(0.0).sqrt();
    let (warp, weft) = (round(at.x), round(at.y));
    let raised = if over {
        0.7 * warp + 0.3 * weft
    } else {
        0.3 * warp + 0.7 * weft
    };
    let from_edge = metres.x.min(WIDTH - metres.x);
    let from_end = LYING + HANGING - metres.y;
    let stripe =
        |d: f32, at: f32, half: f32| smooth_step(half + 0.0007, half - 0.0007, (d - at).abs());
    let blue = stripe(from_edge, 0.036, 0.012)
        .max(stripe(from_edge, 0.058, 0.003))
        .max(stripe(from_edge, 0.068, 0.0015))
        .max(stripe(from_end, 0.055, 0.007))
        .max(stripe(from_end, 0.070, 0.002));
    let ground = Vec3::new(0.80, 0.765, 0.68) * (0.86 + 0.10 * slub);
    let indigo = Vec3::new(0.045, 0.115, 0.34) * (0.75 + 0.35 * slub);
    let fringe = from_end < 0.022;
    let thread = grain.fine.at(Vec2::new(uv.x * 0.6, uv.y * 0.03));
    SurfacePoint {
        color: ground.lerp(indigo, blue) * lerp(0.72, 1.0, raised),
        alpha: if fringe && thread < 0.45 { 0.0 } else { 1.0 },
        height: 0.00035 * raised + 0.0002 * slub,
        ..SurfacePoint::default()
    }
}
