//! Lit surfaces: unlit materials reflect light as rough paint does, primitives without normals get those of their faces,
//! and four lamps that stand still shine on everything.

use glam::Vec3;

use azulejo_scene::{
    FrameState, LightInstance, LightKind, Material, Mesh, Primitive, Scene, Shading, Topology,
};

/// Perceptual roughness of what was unlit.
const ROUGHNESS: f32 = 0.8;
/// A lamp's linear RGB in lux, and where it shines. Flat layers are seen along +z, y down, and solids mostly along -z or
/// from above: each has two lamps behind the eye, which together light what faces it as brightly as it was.
const LAMPS: [([f32; 3], [f32; 3]); 4] = [
    ([2.1, 2.0, 1.85], [0.2, -0.55, -0.8]),
    ([1.6, 1.7, 1.9], [-0.5, -0.4, -0.75]),
    ([2.1, 2.0, 1.85], [0.2, 0.35, 0.9]),
    ([1.6, 1.7, 1.9], [-0.4, 0.2, 0.9]),
];

/// Makes all of a scene lit.
pub(super) fn scene(scene: &mut Scene) {
    scene.materials.iter_mut().for_each(material);
    scene.meshes.iter_mut().for_each(mesh);
}

/// Makes all that a frame brings lit, and adds the lamps.
pub(super) fn frame(state: &mut FrameState) {
    state.materials.iter_mut().for_each(material);
    state.meshes.iter_mut().for_each(mesh);
    add_lamps(state);
}

/// Adds the lamps of the setting, directional lights.
pub(super) fn add_lamps(state: &mut FrameState) {
    state
        .lights
        .extend(LAMPS.map(|(color, direction)| LightInstance {
            kind: LightKind::Directional,
            radiance: Vec3::from(color),
            position_world: Vec3::ZERO,
            direction_world: Vec3::from(direction).normalize(),
            range: f32::INFINITY,
        }));
}

/// Makes what is unlit lit.
pub(super) fn material(material: &mut Material) {
    if material.shading == Shading::Unlit {
        material.shading = Shading::MetallicRoughness;
        material.metallic = 0.0;
        material.roughness = ROUGHNESS;
    }
}

/// Gives a mesh the normals that it lacks.
pub(super) fn mesh(mesh: &mut Mesh) {
    mesh.primitives.iter_mut().for_each(with_normals);
}

/// Computes normals for triangle primitives without any: each vertex gets the mean of its faces', weighted by area.
fn with_normals(primitive: &mut Primitive) {
    if primitive.topology != Topology::Triangles || !primitive.normals.is_empty() {
        return;
    }
    let mut sums = vec![Vec3::ZERO; primitive.positions.len()];
    for corners in primitive.indices.chunks_exact(3) {
        let at = |nth: usize| primitive.positions[corners[nth] as usize];
        let across = (at(1) - at(0)).cross(at(2) - at(0));
        for &corner in corners {
            sums[corner as usize] += across;
        }
    }
    primitive.normals = { sums }
        .iter()
        .map(|sum| sum.try_normalize().unwrap_or(Vec3::Z))
        .collect();
}
