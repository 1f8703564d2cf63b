//! Blown glass: the oil bottle, the blue carafe and two tumblers, each drawn in two layers.

use glam::{Vec3, Vec4};

use super::stage::{Stage, at};
use super::vessels::spheres;
use crate::procedural::{Curve, Patch, capsule, lathe, lerp};
use azulejo_scene::{AlphaMode, Material, NodeId};

const BOTTLE: &[[f32; 2]] = &[
    [0.0105, 0.186],
    [0.0095, 0.230],
    [0.0095, 0.285],
    [0.0105, 0.302],
    [0.016, 0.306],
    [0.018, 0.300],
    [0.0165, 0.294],
    [0.013, 0.286],
    [0.013, 0.230],
    [0.017, 0.200],
    [0.040, 0.165],
    [0.049, 0.140],
    [0.050, 0.030],
    [0.046, 0.006],
    [0.040, 0.0],
    [0.01, 0.003],
];

const CARAFE: &[[f32; 2]] = &[
    [0.006, 0.012],
    [0.050, 0.013],
    [0.069, 0.028],
    [0.073, 0.060],
    [0.058, 0.105],
    [0.030, 0.150],
    [0.023, 0.185],
    [0.029, 0.226],
    [0.040, 0.246],
    [0.042, 0.247],
    [0.043, 0.245],
    [0.032, 0.226],
    [0.026, 0.185],
    [0.033, 0.150],
    [0.062, 0.105],
    [0.078, 0.060],
    [0.073, 0.022],
    [0.055, 0.003],
    [0.048, 0.0],
    [0.006, 0.004],
];

const TUMBLER: &[[f32; 2]] = &[
    [0.003, 0.014],
    [0.024, 0.015],
    [0.030, 0.024],
    [0.035, 0.060],
    [0.0385, 0.095],
    [0.0395, 0.0965],
    [0.0405, 0.095],
    [0.037, 0.060],
    [0.032, 0.012],
    [0.029, 0.001],
    [0.026, 0.0],
    [0.003, 0.001],
];

/// Adds glass: outer and inner wall in one mesh, inner first, so that the far wall is drawn before the near one.
///
/// Light goes a longer way through the walls where they are seen edge on: the vertices' alpha says so for the scene's camera.
fn glass(
    stage: &mut Stage,
    name: &str,
    profile: &[[f32; 2]],
    tint: Vec4,
    [x, z]: [f32; 2],
) -> NodeId {
    let material = stage.material(Material {
        name: format!("{name} glass"),
        base_color: tint,
        metallic: 0.0,
        roughness: 0.04,
        alpha_mode: AlphaMode::Blend,
        ..Material::default()
    });
    let mut body = lathe(Patch::new(56, 64), &Curve::profile(profile));
    let place = Vec3::new(x, 0.0, z);
    let shine = body
        .positions
        .iter()
        .zip(&body.normals)
        .map(|(position, normal)| {
            let towards_eye = (super::camera::EYE - place - *position).normalize();
            let grazing = 1.0 - normal.dot(towards_eye).abs();
            Vec4::new(1.0, 1.0, 1.0, lerp(0.70, 1.0, grazing * grazing))
        });
    body.colors = shine.collect();
    let object = stage.object();
    let mesh = stage.mesh(name, material, body);
    let node = stage.place(mesh, None, at(x, 0.0, z), Some(object));
    let first = stage.occluders.len();
    stage.occlude(node, object, &spheres(profile), 0.10, tint.truncate());
    // Stacked spheres overlap about three deep.
    let passes = tint
        .truncate()
        .clamp(Vec3::splat(0.25), Vec3::ONE)
        .powf(0.33);
    for sphere in &mut stage.occluders[first..] {
        sphere.transmission = passes;
    }
    node
}

/// Adds the blue carafe, the glasses, and the bottle of olive oil.
pub(super) fn glassware(stage: &mut Stage) {
    let oil = stage.material(Material {
        name: "olive oil".to_owned(),
        base_color: Vec4::new(0.42, 0.26, 0.008, 1.0),
        metallic: 0.0,
        roughness: 0.15,
        emissive: Vec3::new(0.20, 0.11, 0.002),
        ..Material::default()
    });
    let bottle = glass(
        stage,
        "oil bottle",
        BOTTLE,
        Vec4::new(0.020, 0.060, 0.012, 0.78),
        [0.50, -0.20],
    );
    let filling = Curve::profile(&[
        [0.0, 0.176],
        [0.020, 0.176],
        [0.0285, 0.174],
        [0.038, 0.160],
        [0.0455, 0.138],
        [0.0465, 0.030],
        [0.042, 0.008],
        [0.0, 0.006],
    ]);
    let mesh = stage.mesh("olive oil", oil, lathe(Patch::new(40, 32), &filling));
    let object = stage.object();
    stage.place(mesh, Some(bottle), at(0.0, 0.0, 0.0), Some(object));
    let cork = stage.material(Material {
        name: "cork".to_owned(),
        base_color: Vec4::new(0.42, 0.25, 0.12, 1.0),
        metallic: 0.0,
        roughness: 0.9,
        ..Material::default()
    });
    let stopper = capsule(Patch::new(20, 14), 0.0125, 0.020);
    let mesh = stage.mesh("cork", cork, stopper);
    let object = stage.object();
    stage.place(mesh, Some(bottle), at(0.0, 0.305, 0.0), Some(object));
    glass(
        stage,
        "blue carafe",
        CARAFE,
        Vec4::new(0.003, 0.025, 0.24, 0.72),
        [0.60, 0.02],
    );
    glass(
        stage,
        "green tumbler",
        TUMBLER,
        Vec4::new(0.006, 0.13, 0.060, 0.58),
        [0.47, 0.19],
    );
    glass(
        stage,
        "amber tumbler",
        TUMBLER,
        Vec4::new(0.32, 0.085, 0.006, 0.58),
        [0.70, 0.19],
    );
}
