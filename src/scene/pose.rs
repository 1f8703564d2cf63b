//! The scene at a time: animations sampled, nodes placed in the world, and the list of what is drawn.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{DMat4, DQuat, DVec3, Mat4, Vec3};

use super::changes::set_weight;
use super::node::is_nearby;
use super::rotation::rotation_apart;
use super::{
    AlphaMode, AnimationChoice, Changes, Channel, FrameState, Instance, LightInstance, Material,
    MaterialId, MeshId, Node, NodeId, Primitive, Scene, Skin, Target, ThroughView, Transform,
};

/// Placement of every node, and morph weights of every mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pose {
    /// Placement of each of [`Scene::nodes`], from the world's own zero.
    pub world_from_node: Vec<DMat4>,
    /// Position in the world of the [`FrameState`]'s zero, metres: zero, unless something far away is looked at
    /// ([`Scene::middle`], [`Scene::look_through`],
    /// [`PlacedCamera::with_origin_near`](super::PlacedCamera::with_origin_near)).
    pub origin_world: DVec3,
    /// Rotation of the nodes with a camera whose placement does not tell it, because scales stand between.
    pub camera_rotations: BTreeMap<NodeId, DQuat>,
    /// Morph weights of each node; empty where its mesh's own hold.
    pub morph_weights: Vec<Vec<f32>>,
    /// Whether each node is hidden, by itself or by one above it.
    pub hidden: Vec<bool>,
    /// Other properties that animations have changed.
    pub changes: Changes,
}

impl Scene {
    /// Instances and lights `seconds` after the start of the animations of `choice`.
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
        let world_from_node = place(&self.nodes, &transforms);
        let cameras = self.camera_nodes().filter_map(|(id, _)| {
            let rotation = rotation_apart(&self.nodes, &transforms, id)?;
            Some((id, rotation))
        });
        Pose {
            camera_rotations: cameras.collect(),
            origin_world: DVec3::ZERO,
            world_from_node,
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

    /// [`Self::state_at`], told from the [middle](Self::middle) of what is drawn.
    #[must_use]
    pub fn state_from_middle(&self, choice: AnimationChoice, seconds: f32) -> FrameState {
        let mut pose = self.pose_at(choice, seconds);
        pose.origin_world = self.middle(&pose);
        self.state_of(&pose)
    }

    /// The middle of the nodes that draw something if one of them is far from zero, where single precision becomes coarse;
    /// zero otherwise.
    #[must_use]
    pub fn middle(&self, pose: &Pose) -> DVec3 {
        let nodes = self.nodes.iter().zip(&pose.world_from_node);
        let drawn = nodes.filter(|(node, _)| node.mesh.is_some());
        let places = drawn.map(|(_, placement)| placement.w_axis.truncate());
        let span = (places.filter(|place| place.is_finite()))
            .map(|place| (place, place))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        match span {
            Some((min, max)) if !(is_nearby(min) && is_nearby(max)) => min.midpoint(max),
            _ => DVec3::ZERO,
        }
    }

    /// Instances and lights in `pose`, in submission order.
    ///
    /// Instances whose placement is not finite are left out.
    #[must_use]
    pub fn state_of(&self, pose: &Pose) -> FrameState {
        let mut state = FrameState {
            materials: (pose.changes.materials.values())
                .map(Material::without_empty_layers)
                .collect(),
            origin_world: pose.origin_world,
            ..FrameState::default()
        };
        for (index, node) in self.nodes.iter().enumerate() {
            let world_from_node = pose.seen_from_origin(pose.world_from_node[index]);
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

    /// Adds the instances of node `index`.
    fn add_instances(&self, state: &mut FrameState, index: usize, pose: &Pose) {
        let (node, world_from_node) = (&self.nodes[index], pose.world_from_node[index]);
        let placement = pose.seen_from_origin(world_from_node);
        let Some(id) = node.mesh else { return };
        let mesh = &self.meshes[id.index()];
        let skin = node.skin.map(|skin| &self.skins[skin as usize]);
        let joints = match skin.map(|skin| joint_matrices(skin, pose)) {
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
                world_from_local: placement,
                joints: if is_skinned { joints.clone() } else { 0..0 },
                morph_weights: append(&mut state.morph_weights, weights_for(primitive, weights)),
                through: ThroughView::Camera,
            };
            match &node.copies {
                Some(copies) if !is_skinned => {
                    let placed = (copies.iter()).map(|copy| {
                        pose.seen_from_origin(product(world_from_node, copy.as_dmat4()))
                    });
                    state.instances.extend(copies_of(&instance, placed));
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

/// An instance at every one of these placements that is finite.
fn copies_of(
    instance: &Instance,
    placed: impl Iterator<Item = Mat4>,
) -> impl Iterator<Item = Instance> {
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
    let vector = || {
        let mut value = [0.0; 3];
        keyframes.sample(seconds, &mut value);
        Vec3::from_array(value)
    };
    match transform {
        Transform::Matrix(_) | Transform::FarMatrix(_) => {}
        Transform::Trs {
            translation,
            rotation,
            scale,
        } => match channel.target {
            Target::Rotation => *rotation = keyframes.sample_rotation(seconds),
            Target::Translation => *translation = vector(),
            Target::Scale => *scale = vector(),
            Target::MorphWeights | Target::MorphWeight(_) => {}
        },
        Transform::FarTrs {
            translation,
            rotation,
            scale,
        } => match channel.target {
            Target::Rotation => *rotation = keyframes.sample_rotation(seconds).as_dquat(),
            Target::Translation => *translation = vector().as_dvec3(),
            Target::Scale => *scale = vector().as_dvec3(),
            Target::MorphWeights | Target::MorphWeight(_) => {}
        },
    }
}

/// World transforms from local ones; parents come before their children.
fn place(nodes: &[Node], transforms: &[Transform]) -> Vec<DMat4> {
    let mut world_from_node: Vec<DMat4> = Vec::with_capacity(nodes.len());
    for (node, transform) in nodes.iter().zip(transforms) {
        let parent_from_node = transform.parent_from_local();
        let parent = node.parent.map(|parent| world_from_node[parent.index()]);
        world_from_node.push(match parent {
            Some(world_from_parent) => product(world_from_parent, parent_from_node),
            None => parent_from_node,
        });
    }
    world_from_node
}

/// `a` after `b`; in single precision where both are told well by it, as files of ordinary size are drawn everywhere.
fn product(a: DMat4, b: DMat4) -> DMat4 {
    let single = a.as_mat4() * b.as_mat4();
    let are_single = a.as_mat4().as_dmat4() == a && b.as_mat4().as_dmat4() == b;
    let places = [a, b, single.as_dmat4()].map(|matrix| matrix.w_axis.truncate());
    match are_single && places.into_iter().all(is_nearby) {
        true => single.as_dmat4(),
        false => a * b,
    }
}

impl Pose {
    /// Placement of a node as told from [`Self::origin_world`].
    pub(super) fn placement(&self, node: NodeId) -> Option<Mat4> {
        let placement = self.world_from_node.get(node.index())?;
        Some(self.seen_from_origin(*placement))
    }

    /// A placement in the world as told from [`Self::origin_world`].
    fn seen_from_origin(&self, mut placement: DMat4) -> Mat4 {
        placement.w_axis -= self.origin_world.extend(0.0);
        placement.as_mat4()
    }
}

/// `world_from_mesh` by joint (glTF 2.0, 3.7.3.3), unless one of them is not finite.
fn joint_matrices(skin: &Skin, pose: &Pose) -> Option<Vec<Mat4>> {
    let pairs = skin.joints.iter().zip(&skin.inverse_bind);
    let matrix = |(joint, joint_from_mesh): (&NodeId, &Mat4)| {
        let world_from_joint = pose.world_from_node[joint.index()];
        let world_from_mesh = product(world_from_joint, joint_from_mesh.as_dmat4());
        let world_from_mesh = pose.seen_from_origin(world_from_mesh);
        world_from_mesh.is_finite().then_some(world_from_mesh)
    };
    pairs.map(matrix).collect()
}

/// Morph weights, as many as the primitive has targets.
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

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec4};
    use proptest::prelude::*;

    use super::*;
    use crate::{Camera, Mesh, MeshId, Projection};

    /// A mesh and a camera below a node far away, as deep as there are shifts.
    fn far_scene(shifts: &[DVec3], turn: DQuat, eye: DVec3) -> Scene {
        let place = |translation: DVec3, rotation: DQuat| Transform::FarTrs {
            translation,
            rotation,
            scale: DVec3::ONE,
        };
        let below = |parent: usize| Some(NodeId(parent as u32));
        let mut nodes: Vec<Node> = shifts
            .iter()
            .enumerate()
            .map(|(at, shift)| Node {
                parent: at.checked_sub(1).and_then(below),
                transform: place(*shift, turn),
                ..Node::default()
            })
            .collect();
        let parent = below(shifts.len() - 1);
        nodes.push(Node {
            parent,
            mesh: Some(MeshId(0)),
            ..Node::default()
        });
        nodes.push(Node {
            parent,
            transform: place(eye, DQuat::IDENTITY),
            camera: Some(0),
            ..Node::default()
        });
        let primitive = Primitive {
            indices: vec![0],
            positions: vec![Vec3::ZERO],
            material: Some(MaterialId(0)),
            ..Primitive::default()
        };
        Scene {
            nodes,
            meshes: vec![Mesh {
                primitives: vec![primitive].into(),
                ..Mesh::default()
            }],
            materials: vec![Material::default()],
            cameras: vec![Camera {
                name: String::new(),
                projection: Projection::Perspective {
                    y_fov: 1.0,
                    aspect: None,
                    near: 0.1,
                    far: None,
                },
            }],
            ..Scene::default()
        }
    }

    fn shift() -> impl Strategy<Value = DVec3> {
        let part = || prop_oneof![-1e3_f64..1e3, -1e8_f64..1e8];
        [part(), part(), part()].prop_map(DVec3::from_array)
    }

    proptest! {
        #[test]
        fn places_far_away_are_seen_as_nearby(
            shifts in prop::collection::vec(shift(), 1..4),
            axis in [-1.0_f64..1.0, -1.0_f64..1.0, 0.1_f64..1.0], angle in -3.0_f64..3.0,
            eye in [-4.0_f64..4.0, -4.0_f64..4.0, 1.0_f64..4.0],
        ) {
            let eye = DVec3::from_array(eye);
            let turn = DQuat::from_axis_angle(DVec3::from_array(axis).normalize(), angle);
            let scene = far_scene(&shifts, turn, eye);
            let mut pose = scene.pose_at(AnimationChoice::None, 0.0);
            let camera = scene.look_through(&mut pose, NodeId(shifts.len() as u32 + 1)).expect("a camera");
            let state = scene.state_of(&pose);
            prop_assert_eq!(state.origin_world, camera.origin_world);
            // The camera is turned as the mesh is, and sees it where it would see it anywhere.
            let view_from_local = camera.view(8, 8).view_from_world * state.instances[0].world_from_local;
            let off = (view_from_local * Vec4::W).truncate().as_dvec3() + eye;
            prop_assert!(off.length() < 5e-4, "{off} beside its place");
        }
    }

    #[test]
    fn places_far_away_that_cancel_leave_what_is_between_them() {
        let there = DVec3::new(75_235_304.123, -6_378_137.25, 1e7);
        let back = DVec3::new(-75_235_304.0, 6_378_137.0, -1e7);
        let scene = far_scene(&[there, back], DQuat::IDENTITY, DVec3::Z);
        let state = scene.state_from_middle(AnimationChoice::None, 0.0);
        let place = state.instances[0].world_from_local.w_axis.truncate();
        let off = (place - Vec3::new(0.123, -0.25, 0.0)).length();
        assert!(off < 1e-6, "at {place}");
        assert_eq!(state.origin_world, DVec3::ZERO, "where all is nearby");
    }

    #[test]
    fn lights_and_joints_far_away_are_told_from_the_same_place() {
        let far = DVec3::X * 1e7;
        let mut scene = far_scene(&[far], DQuat::IDENTITY, DVec3::ZERO);
        scene.nodes[1].skin = Some(0);
        scene.nodes[1].light = Some(0);
        scene.skins.push(Skin {
            joints: vec![NodeId(0)],
            inverse_bind: vec![Mat4::from_translation(Vec3::Y)],
        });
        scene.lights.push(crate::Light {
            name: String::new(),
            color: Vec3::ONE,
            intensity: 1.0,
            range: None,
            kind: crate::LightKind::Point,
        });
        let mut pose = scene.pose_at(AnimationChoice::None, 0.0);
        pose.origin_world = far - DVec3::Z * 0.125;
        let state = scene.state_of(&pose);
        assert_eq!(state.lights[0].position_world, Vec3::Z * 0.125, "the light");
        let joint = state.joints[0].w_axis.truncate();
        assert_eq!(joint, Vec3::new(0.0, 1.0, 0.125), "the joint");
    }

    #[test]
    fn places_nearby_are_those_of_single_precision() {
        let turn =
            |angle| Mat4::from_rotation_translation(Quat::from_rotation_y(angle), Vec3::splat(0.3));
        let (a, b) = (turn(0.7), turn(2.1));
        assert_eq!(
            product(a.as_dmat4(), b.as_dmat4()),
            (a * b).as_dmat4(),
            "bit for bit"
        );
    }
}
