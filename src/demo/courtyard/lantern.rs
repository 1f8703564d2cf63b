//! A brass lantern with amber glass on a chain, a candle burning in it.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3, Vec4};

use super::stage::{Stage, at, placed};
use crate::procedural::{
    Curve, Grain, Patch, SurfaceMaps, SurfacePoint, append, ellipsoid, lathe, torus, tube,
};
use azulejo_scene::{
    AlphaMode, Light, LightKind, Material, MaterialId, MorphTarget, Node, NodeId, Primitive,
};

/// Animated nodes of the lantern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lantern {
    /// Swings: the hook that everything hangs on.
    pub(super) hook: NodeId,
    /// Flickers: its mesh has one morph target.
    pub(super) flame: NodeId,
}

/// Length of the chain from the hook to the lantern's ring.
const CHAIN: f32 = 0.30;

/// Adds the lantern hanging from (x, y, z).
pub(super) fn hang(stage: &mut Stage, grain: &Grain, hook: Vec3) -> Lantern {
    let brass = brass(stage, grain);
    let object = stage.object();
    let hook = stage.joint("lantern hook", None, placed(hook, Quat::IDENTITY, 1.0));
    let body = stage.joint("lantern", Some(hook), at(0.0, -CHAIN, 0.0));
    let part = |stage: &mut Stage, name: &str, material, mesh| {
        let mesh = stage.mesh(name, material, mesh);
        stage.place(mesh, Some(body), at(0.0, 0.0, 0.0), Some(object))
    };
    let mut links = chain();
    links.morph_targets.clear();
    let mesh = stage.mesh("lantern chain", brass, links);
    stage.place(mesh, Some(hook), at(0.0, 0.0, 0.0), Some(object));
    part(stage, "lantern roof", brass, roof());
    part(stage, "lantern cage", brass, cage());
    part(stage, "lantern base", brass, base());
    let flame = candle(stage, body);
    let amber = stage.material(Material {
        name: "amber glass".to_owned(),
        base_color: Vec4::new(0.95, 0.52, 0.14, 0.30),
        metallic: 0.0,
        roughness: 0.06,
        emissive: Vec3::new(0.55, 0.20, 0.03),
        alpha_mode: AlphaMode::Blend,
        ..Material::default()
    });
    // Inside of the far wall first, then the near wall.
    let pane = |radius: f32| {
        Patch::new(40, 6).mesh(move |u, v| {
            let (sin, cos) = (u * TAU).sin_cos();
            Vec3::new(radius * sin, -0.082 - 0.130 * v, radius * cos)
        })
    };
    let mut glass = pane(-0.0505);
    append(&mut glass, &pane(0.052));
    let mesh = stage.mesh("lantern glass", amber, glass);
    stage.place(mesh, Some(body), at(0.0, 0.0, 0.0), None);
    let spheres: Vec<_> = (0..7)
        .map(|i| (Vec3::Y * (-0.06 - 0.025 * i as f32), 0.05))
        .collect();
    stage.occlude(body, object, &spheres, 0.2, Vec3::new(0.4, 0.25, 0.08));
    Lantern { hook, flame }
}

fn brass(stage: &mut Stage, grain: &Grain) -> MaterialId {
    let maps = SurfaceMaps::new([256; 2], Vec2::splat(0.2), |uv| {
        let brushed = grain.clouds.at(Vec2::new(uv.x, uv.y * 8.0));
        let stain = grain.clouds.at(uv * 2.0 + 0.5);
        SurfacePoint {
            color: Vec3::new(0.90, 0.66, 0.30).lerp(Vec3::new(0.50, 0.34, 0.14), stain * stain),
            height: 0.00008 * brushed,
            roughness: 0.18 + 0.15 * brushed + 0.15 * stain,
            metallic: 1.0,
            ..SurfacePoint::default()
        }
    });
    let base = stage.texture(maps.base_color("brass"));
    let normal = stage.texture(maps.normal("brass brushing"));
    let gloss = stage.texture(maps.occlusion_roughness_metallic("brass gloss"));
    stage.material(Material {
        name: "brushed brass".to_owned(),
        base_color_texture: Some(base),
        normal_texture: Some(normal),
        metallic_roughness_texture: Some(gloss),
        ..Material::default()
    })
}

/// Links of the chain, turned a quarter from one to the next.
fn chain() -> Primitive {
    let mut chain = empty();
    let n_links = 22;
    for i in 0..n_links {
        let mut link = torus(Patch::new(14, 7), 0.0062, 0.0015);
        let upright = Quat::from_rotation_y(if i % 2 == 0 { 0.3 } else { 0.3 + TAU / 4.0 })
            * Quat::from_rotation_x(TAU / 4.0);
        let height = -CHAIN * (i as f32 + 0.5) / n_links as f32;
        place(
            &mut link,
            upright,
            Vec3::new(1.0, 1.45, 1.0),
            Vec3::Y * height,
        );
        append(&mut chain, &link);
    }
    chain
}

fn empty() -> Primitive {
    Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    }
}

/// Turns a part, stretches it along the axes and moves it. Normals take the inverse stretch.
fn place(part: &mut Primitive, rotation: Quat, stretch: Vec3, offset: Vec3) {
    for position in &mut part.positions {
        *position = rotation * *position * stretch + offset;
    }
    for normal in &mut part.normals {
        *normal = (rotation * *normal / stretch).normalize();
    }
    for tangent in &mut part.tangents {
        let turned = (rotation * tangent.truncate() * stretch).normalize();
        *tangent = turned.extend(tangent.w);
    }
}

/// Ring, crown and roof.
fn roof() -> Primitive {
    let profile = Curve::profile(&[
        [0.0, -0.004],
        [0.006, -0.006],
        [0.008, -0.012],
        [0.005, -0.018],
        [0.010, -0.024],
        [0.018, -0.034],
        [0.024, -0.048],
        [0.040, -0.058],
        [0.062, -0.068],
        [0.070, -0.074],
        [0.070, -0.078],
        [0.056, -0.081],
        [0.0, -0.081],
    ]);
    let mut roof = lathe(Patch::new(48, 40).repeated(2.0, 1.0), &profile);
    let mut ring = torus(Patch::new(24, 9), 0.011, 0.0022);
    place(
        &mut ring,
        Quat::from_rotation_x(TAU / 4.0),
        Vec3::ONE,
        Vec3::Y * 0.008,
    );
    append(&mut roof, &ring);
    roof
}

/// Eight ribs, two hoops and a band of arches.
fn cage() -> Primitive {
    let mut cage = empty();
    for i in 0..8 {
        let (sin, cos) = ((i as f32 + 0.5) * TAU / 8.0).sin_cos();
        let out = Vec3::new(sin, 0.0, cos);
        let rib = Curve::through(&[
            out * 0.054 + Vec3::Y * -0.078,
            out * 0.0555 + Vec3::Y * -0.12,
            out * 0.0555 + Vec3::Y * -0.17,
            out * 0.054 + Vec3::Y * -0.216,
        ]);
        append(&mut cage, &tube(Patch::new(8, 8), &rib, |_| 0.0024));
    }
    for (height, radius, tube) in [
        (-0.083, 0.055, 0.0032),
        (-0.147, 0.0565, 0.0022),
        (-0.212, 0.055, 0.0034),
    ] {
        let mut hoop = torus(Patch::new(48, 8).repeated(6.0, 1.0), radius, tube);
        place(&mut hoop, Quat::IDENTITY, Vec3::ONE, Vec3::Y * height);
        append(&mut cage, &hoop);
    }
    cage
}

fn base() -> Primitive {
    let profile = Curve::profile(&[
        [0.0, -0.212],
        [0.052, -0.212],
        [0.064, -0.216],
        [0.066, -0.222],
        [0.052, -0.228],
        [0.034, -0.234],
        [0.018, -0.242],
        [0.008, -0.250],
        [0.010, -0.257],
        [0.007, -0.264],
        [0.0, -0.267],
    ]);
    lathe(Patch::new(48, 32).repeated(2.0, 1.0), &profile)
}

/// The candle with its flame and light; returns the flame's node.
fn candle(stage: &mut Stage, lantern: NodeId) -> NodeId {
    let wax = stage.material(Material {
        name: "candle wax".to_owned(),
        base_color: Vec4::new(0.86, 0.78, 0.62, 1.0),
        metallic: 0.0,
        roughness: 0.5,
        emissive: Vec3::new(0.45, 0.22, 0.06),
        ..Material::default()
    });
    let profile = Curve::profile(&[
        [0.0, -0.162],
        [0.014, -0.161],
        [0.0165, -0.164],
        [0.017, -0.21],
    ]);
    let mesh = stage.mesh("candle", wax, lathe(Patch::new(20, 12), &profile));
    stage.place(mesh, Some(lantern), at(0.0, 0.0, 0.0), None);
    let fire = stage.material(Material {
        name: "flame".to_owned(),
        base_color: Vec4::new(0.0, 0.0, 0.0, 1.0),
        metallic: 0.0,
        roughness: 1.0,
        emissive: Vec3::new(9.0, 4.6, 1.4),
        ..Material::default()
    });
    let mut tear = flame_shape(0.0);
    let leaning = flame_shape(1.0);
    let offsets = leaning
        .positions
        .iter()
        .zip(&tear.positions)
        .map(|(a, b)| *a - *b);
    let target = MorphTarget {
        positions: offsets.collect(),
        ..MorphTarget::default()
    };
    tear.morph_targets.push(target);
    let mesh = stage.mesh("flame", fire, tear);
    stage.scene.meshes[mesh.index()].morph_weights = vec![0.0];
    let flame = stage.place(mesh, Some(lantern), at(0.0, -0.140, 0.0), None);
    let light = stage.scene.lights.len() as u32;
    stage.scene.lights.push(Light {
        name: "candlelight".to_owned(),
        color: Vec3::new(1.0, 0.56, 0.22),
        intensity: 0.42,
        range: Some(2.5),
        kind: LightKind::Point,
    });
    stage.node(Node {
        name: "candlelight".to_owned(),
        parent: Some(flame),
        light: Some(light),
        ..Node::default()
    });
    flame
}

/// A drop of fire, 4 cm high; `lean` pulls its tip aside and up.
fn flame_shape(lean: f32) -> Primitive {
    let mut drop = ellipsoid(Patch::new(16, 16), Vec3::new(0.0075, 0.021, 0.0075));
    for position in &mut drop.positions {
        let rise = (position.y / 0.021).clamp(-1.0, 1.0);
        let taper = 1.0 - 0.55 * rise.max(0.0);
        let tip = rise.max(0.0).powi(2);
        position.x = position.x * taper + lean * 0.007 * tip;
        position.z *= taper;
        position.y += lean * 0.007 * tip;
    }
    drop
}
