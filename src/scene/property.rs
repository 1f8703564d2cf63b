//! What animations change beside the placement and morphing of nodes: materials, lights, cameras, visibility
//! (`KHR_animation_pointer`). Keyframes in, the changed things of one moment out; the scene itself stays as it is.

use std::collections::BTreeMap;

use glam::{Mat3, Vec2, Vec3};

use super::{Camera, Keyframes, Light, Material, MaterialId, MeshId, NodeId, Scene, TextureRef};

/// One property over time.
#[derive(Debug, Clone)]
pub struct PropertyChannel {
    /// What changes.
    pub property: Property,
    /// Its value at each key.
    pub keyframes: Keyframes,
}

/// A property that is neither placement nor weights of a node. Functions get as many floats as the keyframes have components.
#[derive(Debug, Clone, Copy)]
pub enum Property {
    /// Whether a node, and with it everything below it, is drawn: not 0.
    Visible(NodeId),
    /// Weights of a mesh's morph targets, where its node has none.
    MeshWeights(MeshId),
    /// A factor of a material.
    Material(MaterialId, fn(&mut Material, &[f32])),
    /// A part of the transform of one texture of a material.
    TextureTransform(TextureTransform),
    /// A value of one of [`Scene::lights`].
    Light(u32, fn(&mut Light, &[f32])),
    /// A value of one of [`Scene::cameras`].
    Camera(u32, fn(&mut Camera, &[f32])),
}

/// Which part of which texture's transform.
#[derive(Debug, Clone, Copy)]
pub struct TextureTransform {
    /// Whose texture.
    pub material: MaterialId,
    /// The slot of the texture; nothing happens while it is empty.
    pub slot: fn(&mut Material) -> &mut Option<TextureRef>,
    /// The same number for the same slot of a material.
    pub slot_number: u8,
    /// The transform at rest.
    pub rest: UvTransform,
    /// What of it changes.
    pub part: UvPart,
}

/// `KHR_texture_transform`: scale, then turn (counter-clockwise in the image's y-down plane), then shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UvTransform {
    /// Shift in images.
    pub offset: Vec2,
    /// Turn in radians.
    pub rotation: f32,
    /// Factors of u and v.
    pub scale: Vec2,
}

/// A part of an [`UvTransform`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UvPart {
    /// Two floats.
    Offset,
    /// One float.
    Rotation,
    /// Two floats.
    Scale,
}

impl Default for UvTransform {
    fn default() -> Self {
        Self {
            offset: Vec2::ZERO,
            rotation: 0.0,
            scale: Vec2::ONE,
        }
    }
}

impl UvTransform {
    /// The matrix for (u, v, 1); identity where it would not be finite.
    #[must_use]
    pub fn matrix(&self) -> Mat3 {
        let (sin, cos) = self.rotation.sin_cos();
        let matrix = Mat3::from_cols(
            Vec3::new(cos * self.scale.x, -sin * self.scale.x, 0.0),
            Vec3::new(sin * self.scale.y, cos * self.scale.y, 0.0),
            self.offset.extend(1.0),
        );
        match matrix.is_finite() {
            true => matrix,
            false => Mat3::IDENTITY,
        }
    }

    fn set(&mut self, part: UvPart, values: &[f32]) {
        match (part, values) {
            (UvPart::Offset, &[u, v]) => self.offset = Vec2::new(u, v),
            (UvPart::Scale, &[u, v]) => self.scale = Vec2::new(u, v),
            (UvPart::Rotation, &[angle]) => self.rotation = angle,
            _ => {}
        }
    }
}

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
                if let Some(slot) = material.and_then(|m| (target.slot)(m).as_mut()) {
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
