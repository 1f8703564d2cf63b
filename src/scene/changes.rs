//! The scene's properties at one moment: keyframes of materials, lights, cameras and visibility in, what differs from the scene
//! out; the scene itself stays as it is.

use std::collections::BTreeMap;

use super::{
    Camera, Light, Material, MaterialId, MeshId, NodeId, Property, PropertyChannel, Scene,
    UvTransform,
};

/// What is different from the scene at one moment.
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
            Property::Material(id, set) => {
                if let Some(material) = self.material(scene, id) {
                    set(material, &values);
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

    fn material(&mut self, scene: &Scene, id: MaterialId) -> Option<&mut Material> {
        let rest = scene.materials.get(id.index())?;
        Some(self.materials.entry(id).or_insert_with(|| rest.clone()))
    }
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
