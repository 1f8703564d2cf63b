//! The scene at a time: animations sampled, nodes placed in the world, and the list of what is drawn.

use std::ops::Range;

use glam::{Mat4, Vec3};

use super::changes::set_weight;
use super::{
    AlphaMode, AnimationChoice, Changes, Channel, FrameState, Instance, LightInstance, Material,
    MaterialId, MeshId, Node, NodeId, Primitive, Scene, Skin, Target, ThroughView, Transform,
};

/// Where every node is, and how far every mesh is morphed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pose {
    /// Placement of each of [`Scene::nodes`].
    pub world_from_node: Vec<Mat4>,
    /// Morph weights of each node; empty where its mesh's own hold.
    pub morph_weights: Vec<Vec<f32>>,
    /// Whether each node is hidden, by itself or by one above it.
    pub hidden: Vec<bool>,
    /// What else animations have changed.
    pub changes: Changes,
}

impl Scene {
    /// What is drawn `seconds` after the start of the animations of `choice`.
    ///
    /// Blended instances are in file order; [`FrameState::sort_blended`] brings them into order for an eye.
    #[must_use]
    pub fn state_at(&self, choice: AnimationChoice, seconds: f32) -> FrameState {
        self.state_of(&self.pose_at(choice, seconds))
    }

    /// Placement and weights of all nodes `seconds` after the start of the animations of `choice`.
    #[must_use]
    pub fn pose_at(&self, choice: AnimationChoice, seconds: f32) -> Pose {
        let mut transforms: Vec<Transform> = self.nodes.iter().map(|n| n.transform).collect();
        let mut morph_weights: Vec<Vec<f32>> =
            self.nodes.iter().map(|n| n.morph_weights.clone()).collect();
        let playing = match choice {
            AnimationChoice::None => &[][..],
            AnimationChoice::All => &self.animations,
            AnimationChoice::One(index) => self.animations.get(index..=index).unwrap_or_default(),
        };
        let mut changes = Changes::default();
        for animation in playing {
            let seconds = animation.wrap(seconds);
            for channel in &animation.properties {
                changes.apply(self, channel, seconds);
            }
        }
        changes.settle();
        for animation in playing {
            let seconds = animation.wrap(seconds);
            for channel in &animation.channels {
                let node = channel.node.index();
                let weights = &mut morph_weights[node];
                match channel.target {
                    Target::MorphWeights | Target::MorphWeight(_) => {
                        self.morph(channel, seconds, weights, &changes);
                    }
                    _ => apply(channel, seconds, &mut transforms[node]),
                }
            }
        }
        Pose {
            world_from_node: place(&self.nodes, &transforms),
            morph_weights,
            hidden: hidden(&self.nodes, &changes),
            changes,
        }
    }

    /// Sets the node's morph weights, or one of them, to their value; those of its mesh hold where it has none.
    fn morph(&self, channel: &Channel, seconds: f32, weights: &mut Vec<f32>, changes: &Changes) {
        let keyframes = &channel.keyframes;
        let Target::MorphWeight(target) = channel.target else {
            weights.resize(keyframes.components, 0.0);
            keyframes.sample(seconds, weights);
            return;
        };
        if let (true, Some(id)) = (weights.is_empty(), self.nodes[channel.node.index()].mesh) {
            weights.extend(self.mesh_weights(id, changes));
        }
        let mut value = [0.0];
        keyframes.sample(seconds, &mut value);
        set_weight(weights, target, &value);
    }

    /// Weights of the mesh's morph targets, where its node has none.
    fn mesh_weights<'a>(&'a self, id: MeshId, changes: &'a Changes) -> &'a [f32] {
        let changed = changes.mesh_weights.get(&id);
        changed.unwrap_or(&self.meshes[id.index()].morph_weights)
    }

    /// What is drawn in `pose`, in submission order.
    ///
    /// Instances whose placement is not finite are left out.
    #[must_use]
    pub fn state_of(&self, pose: &Pose) -> FrameState {
        let mut state = FrameState {
            materials: (pose.changes.materials.values())
                .map(Material::without_empty_layers)
                .collect(),
            ..FrameState::default()
        };
        for (index, node) in self.nodes.iter().enumerate() {
            let world_from_node = pose.world_from_node[index];
            if pose.hidden[index] || !world_from_node.is_finite() {
                continue;
            }
            self.add_instances(&mut state, index, pose);
            let light = node.light.map(|light| {
                let changed = pose.changes.lights.get(&light);
                changed.unwrap_or(&self.lights[light as usize])
            });
            state.lights.extend(light.map(|light| {
                LightInstance {
                    kind: light.kind,
                    radiance: light.color * light.intensity,
                    position_world: world_from_node.w_axis.truncate(),
                    direction_world: world_from_node
                        .transform_vector3(Vec3::NEG_Z)
                        .normalize_or(Vec3::NEG_Z),
                    range: light.range.unwrap_or(f32::INFINITY),
                }
            }));
        }
        let mut instances = std::mem::take(&mut state.instances);
        instances.sort_by_key(|instance| submission_rank(self, &state, instance));
        FrameState { instances, ..state }
    }

    /// What node `index` draws.
    fn add_instances(&self, state: &mut FrameState, index: usize, pose: &Pose) {
        let (node, world_from_node) = (&self.nodes[index], pose.world_from_node[index]);
        let Some(id) = node.mesh else { return };
        let mesh = &self.meshes[id.index()];
        let skin = node.skin.map(|skin| &self.skins[skin as usize]);
        let joints = match skin.map(|skin| joint_matrices(skin, &pose.world_from_node)) {
            Some(Some(joints)) => append(&mut state.joints, joints),
            Some(None) => return,
            None => 0..0,
        };
        let weights = match pose.morph_weights[index].is_empty() {
            true => self.mesh_weights(id, &pose.changes),
            false => &pose.morph_weights[index],
        };
        for (number, primitive) in (0..).zip(&mesh.primitives) {
            let Some(material) = primitive.material else {
                continue;
            };
            let is_skinned = !primitive.joints.is_empty() && !joints.is_empty();
            let instance = Instance {
                mesh: id,
                primitive: number,
                material: self.material_in(pose, material),
                world_from_local: world_from_node,
                joints: if is_skinned { joints.clone() } else { 0..0 },
                morph_weights: append(&mut state.morph_weights, weights_for(primitive, weights)),
                through: ThroughView::Camera,
            };
            match &node.copies {
                Some(copies) if !is_skinned => {
                    state.instances.extend(copies_of(&instance, copies));
                }
                _ => state.instances.push(instance),
            }
        }
    }

    /// The material as a frame's state numbers it: changed ones follow the scene's.
    fn material_in(&self, pose: &Pose, id: MaterialId) -> MaterialId {
        let mut changed = pose.changes.materials.keys();
        let position = changed.position(|&changed| changed == id);
        position.map_or(id, |at| MaterialId((self.materials.len() + at) as u32))
    }
}

/// Opaque before masked before blended.
pub(super) fn submission_rank(scene: &Scene, state: &FrameState, instance: &Instance) -> u8 {
    let material = state.material(scene, instance.material);
    match material.alpha_mode {
        AlphaMode::Opaque => 0,
        AlphaMode::Mask { .. } => 1,
        AlphaMode::Blend => 2,
    }
}

/// An instance at every placement of `copies` that is finite.
fn copies_of<'a>(
    instance: &'a Instance,
    copies: &'a [Mat4],
) -> impl Iterator<Item = Instance> + 'a {
    let placed = (copies.iter()).map(|copy| instance.world_from_local * *copy);
    let finite = placed.filter(Mat4::is_finite);
    finite.map(|world_from_local| Instance {
        world_from_local,
        ..instance.clone()
    })
}

/// Whether each node is hidden by itself or by one above it; parents come before their children.
fn hidden(nodes: &[Node], changes: &Changes) -> Vec<bool> {
    let mut hidden: Vec<bool> = Vec::with_capacity(nodes.len());
    for (id, node) in (0..).map(NodeId).zip(nodes) {
        let changed = changes.visible.get(&id).map(|visible| !visible);
        let inherited = node.parent.is_some_and(|parent| hidden[parent.index()]);
        hidden.push(inherited || changed.unwrap_or(node.hidden));
    }
    hidden
}

/// Sets the part of a transform that `channel` moves to its value.
fn apply(channel: &Channel, seconds: f32, transform: &mut Transform) {
    let keyframes = &channel.keyframes;
    let Transform::Trs {
        translation,
        rotation,
        scale,
    } = transform
    else {
        return;
    };
    let mut value = [0.0; 3];
    match channel.target {
        Target::Rotation => *rotation = keyframes.sample_rotation(seconds),
        Target::Translation => {
            keyframes.sample(seconds, &mut value);
            *translation = Vec3::from_array(value);
        }
        Target::Scale => {
            keyframes.sample(seconds, &mut value);
            *scale = Vec3::from_array(value);
        }
        Target::MorphWeights | Target::MorphWeight(_) => {}
    }
}

/// World transforms from local ones; parents come before their children.
fn place(nodes: &[Node], transforms: &[Transform]) -> Vec<Mat4> {
    let mut world_from_node: Vec<Mat4> = Vec::with_capacity(nodes.len());
    for (node, transform) in nodes.iter().zip(transforms) {
        let parent_from_node = transform.matrix();
        let parent = node.parent.map(|parent| world_from_node[parent.index()]);
        world_from_node.push(match parent {
            Some(world_from_parent) => world_from_parent * parent_from_node,
            None => parent_from_node,
        });
    }
    world_from_node
}

/// `world_from_mesh` by joint (glTF 2.0, 3.7.3.3), unless one of them is not finite.
fn joint_matrices(skin: &Skin, world_from_node: &[Mat4]) -> Option<Vec<Mat4>> {
    let pairs = skin.joints.iter().zip(&skin.inverse_bind);
    let matrix = |(joint, joint_from_mesh): (&NodeId, &Mat4)| {
        let world_from_mesh = world_from_node[joint.index()] * *joint_from_mesh;
        world_from_mesh.is_finite().then_some(world_from_mesh)
    };
    pairs.map(matrix).collect()
}

/// As many weights as the primitive has targets.
fn weights_for(primitive: &Primitive, weights: &[f32]) -> Vec<f32> {
    let weight = |index| weights.get(index).copied().unwrap_or(0.0);
    (0..primitive.morph_targets.len()).map(weight).collect()
}

/// Appends `items`, and says where they are.
fn append<T>(list: &mut Vec<T>, items: Vec<T>) -> Range<u32> {
    let start = list.len() as u32;
    list.extend(items);
    start..list.len() as u32
}
