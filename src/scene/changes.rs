//! The scene's properties at one moment: keyframes of materials, lights, cameras and visibility in, what differs from the
//! scene out; the scene itself stays as it is.

use std::collections::BTreeMap;

use super::{
    Camera, Emission, Light, LightKind, Material, MaterialId, MeshId, NodeId, Projection, Property,
    PropertyChannel, Scene, UvTransform,
};

/// Differences from the scene at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Nodes that were switched on or off.
    pub visible: BTreeMap<NodeId, bool>,
    /// Default weights of meshes.
    pub mesh_weights: BTreeMap<MeshId, Vec<f32>>,
    /// Materials in place of [`Scene::materials`].
    pub materials: BTreeMap<MaterialId, Material>,
    /// Lights in place of [`Scene::lights`].
    pub lights: BTreeMap<u32, Light>,
    /// Cameras in place of [`Scene::cameras`].
    pub cameras: BTreeMap<u32, Camera>,
    emissions: BTreeMap<MaterialId, Emission>,
    uv_transforms: BTreeMap<(MaterialId, u8), UvTransform>,
}

impl Changes {
    /// Brings `channel` to its value at `seconds`; what the scene does not have is left alone.
    pub(super) fn apply(&mut self, scene: &Scene, channel: &PropertyChannel, seconds: f32) {
        let keyframes = &channel.keyframes;
        let mut values = vec![0.0; keyframes.components];
        keyframes.sample(seconds, &mut values);
        match channel.property {
            Property::Visible(node) => {
                let visible = values.first().is_none_or(|&visible| visible != 0.0);
                self.visible.insert(node, visible);
            }
            Property::MeshWeights(mesh) => {
                self.mesh_weights.insert(mesh, values);
            }
            Property::MeshWeight(mesh, target) => {
                let Some(rest) = scene.meshes.get(mesh.index()) else {
                    return;
                };
                let weights = self.mesh_weights.entry(mesh);
                let weights = weights.or_insert_with(|| rest.morph_weights.clone());
                set_weight(weights, target, &values);
            }
            Property::Material(id, set) => {
                if let Some(material) = self.material(scene, id) {
                    set(material, &values);
                }
            }
            Property::Emission(target) => {
                let emission = self.emissions.entry(target.material);
                let emission = emission.or_insert(target.rest);
                emission.set(target.part, &values);
                let radiance = emission.radiance();
                if let Some(material) = self.material(scene, target.material) {
                    material.emissive = radiance;
                }
            }
            Property::TextureTransform(target) => {
                let key = (target.material, target.slot_number);
                let transform = self.uv_transforms.entry(key).or_insert(target.rest);
                transform.set(target.part, &values);
                let matrix = transform.matrix();
                let material = self.material(scene, target.material);
                if let Some(slot) = material.and_then(target.slot) {
                    slot.transform = matrix;
                }
            }
            Property::Light(index, set) => {
                if let Some(light) = changed(&mut self.lights, &scene.lights, index) {
                    set(light, &values);
                }
            }
            Property::Camera(index, set) => {
                if let Some(camera) = changed(&mut self.cameras, &scene.cameras, index) {
                    set(camera, &values);
                }
            }
        }
    }

    /// Limits by each other what animations move apart, once all of them have: cones of lights and planes of cameras.
    pub(super) fn settle(&mut self) {
        for light in self.lights.values_mut() {
            if let LightKind::Spot {
                inner_angle,
                outer_angle,
            } = &mut light.kind
            {
                *inner_angle = inner_angle.min(*outer_angle);
            }
        }
        for camera in self.cameras.values_mut() {
            match &mut camera.projection {
                Projection::Perspective {
                    near,
                    far: Some(far),
                    ..
                }
                | Projection::Orthographic { near, far, .. } => *far = beyond(*near, *far),
                Projection::Perspective { far: None, .. } => {}
            }
        }
    }

    fn material(&mut self, scene: &Scene, id: MaterialId) -> Option<&mut Material> {
        let rest = scene.materials.get(id.index())?;
        Some(self.materials.entry(id).or_insert_with(|| rest.clone()))
    }
}

/// A far plane beyond the near one: as it is if it lies there.
fn beyond(near: f32, far: f32) -> f32 {
    if far > near {
        return far;
    }
    near + (near.abs() * 1e-3).max(f32::MIN_POSITIVE)
}

/// Sets the weight of one morph target; the list grows to hold it.
pub(super) fn set_weight(weights: &mut Vec<f32>, target: u32, values: &[f32]) {
    let target = target as usize;
    weights.resize(weights.len().max(target + 1), 0.0);
    weights[target] = values.first().copied().unwrap_or_default();
}

/// The changed form of item `index`, which begins as it is at rest.
fn changed<'a, T: Clone>(
    changes: &'a mut BTreeMap<u32, T>,
    rest: &[T],
    index: u32,
) -> Option<&'a mut T> {
    let rest = rest.get(index as usize)?;
    Some(changes.entry(index).or_insert_with(|| rest.clone()))
}
