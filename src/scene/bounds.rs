//! Extents in the world, skinned and morphed vertices included, and the order of blended instances that follows from them.

use glam::{Mat4, Vec3};
use rayon::prelude::*;

use super::pose::submission_rank;
use super::{FrameState, Instance, Primitive, Scene};

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates, in metres.
    pub min: Vec3,
    /// Largest coordinates, in metres.
    pub max: Vec3,
}

impl Bounds {
    /// The smallest box around `points`; `None` if there are none.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let boxes = points.into_iter().map(|point| Self {
            min: point,
            max: point,
        });
        boxes.reduce(Self::union)
    }

    /// The smallest box around two.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The point halfway between the corners.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.min.midpoint(self.max)
    }

    /// Lengths of its edges, metres.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Distance of its farthest corners, metres.
    #[must_use]
    pub fn diagonal(&self) -> f32 {
        self.size().length()
    }

    /// Adds `shift` to both corners, metres: the box as told from another zero.
    #[must_use]
    pub fn shifted(self, shift: Vec3) -> Self {
        Self {
            min: self.min + shift,
            max: self.max + shift,
        }
    }

    /// Corners of the box; bits 0 to 2 of the index pick the larger x, y and z.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|index| {
            let pick = |axis: usize| match index >> axis & 1 {
                0 => self.min[axis],
                _ => self.max[axis],
            };
            Vec3::new(pick(0), pick(1), pick(2))
        })
    }

    /// Distance of `point` from the box; 0 inside.
    #[must_use]
    pub fn distance(&self, point: Vec3) -> f32 {
        point.distance(point.clamp(self.min, self.max))
    }
}

impl Scene {
    /// World bounds of everything that `state` draws; `None` if it draws nothing.
    #[must_use]
    pub fn bounds(&self, state: &FrameState) -> Option<Bounds> {
        let instances = state.instances.par_iter();
        let bounds = instances.filter_map(|instance| self.instance_bounds(state, instance));
        bounds.reduce_with(Bounds::union)
    }

    /// How far what `state` draws reaches along each of `directions`; `None` if it draws nothing.
    pub(super) fn support<const N: usize>(
        &self,
        state: &FrameState,
        directions: &[Vec3; N],
    ) -> Option<[f32; N]> {
        let larger = |a: [f32; N], b: [f32; N]| std::array::from_fn(|i| a[i].max(b[i]));
        let reach = |instance: &Instance| {
            let points = self.positions_world(state, instance);
            points
                .map(|point| directions.map(|direction| point.dot(direction)))
                .reduce(larger)
        };
        state
            .instances
            .par_iter()
            .filter_map(reach)
            .reduce_with(larger)
    }

    fn instance_bounds(&self, state: &FrameState, instance: &Instance) -> Option<Bounds> {
        Bounds::around(self.positions_world(state, instance))
    }

    /// Every vertex of an instance, those left out that are not finite.
    fn positions_world<'a>(
        &'a self,
        state: &'a FrameState,
        instance: &Instance,
    ) -> impl Iterator<Item = Vec3> + 'a {
        let primitive = state.primitive(self, instance);
        let placed = Placed::new(state, instance, primitive);
        let vertices = 0..primitive.positions.len();
        let positions = vertices.map(move |vertex| placed.position_world(vertex));
        positions.filter(|position| position.is_finite())
    }
}

impl FrameState {
    /// Orders blended instances from back to front as `eye_world` sees the middle of each; the others keep their order.
    pub fn sort_blended(&mut self, scene: &Scene, eye_world: Vec3) {
        let blended = self
            .instances
            .partition_point(|instance| submission_rank(scene, self, instance) < 2);
        let distance = |instance: &Instance| {
            let bounds = scene.instance_bounds(self, instance);
            bounds.map_or(0.0, |bounds| bounds.center().distance_squared(eye_world))
        };
        let distances = self.instances[blended..].par_iter().map(distance);
        let distances: Vec<f32> = distances.collect();
        let mut order: Vec<usize> = (0..distances.len()).collect();
        order.sort_by(|&a, &b| distances[b].total_cmp(&distances[a]));
        let instances = self.instances.split_off(blended);
        self.instances
            .extend(order.into_iter().map(|index| instances[index].clone()));
    }
}

/// Primitive with its instance's matrix, joints and weights.
struct Placed<'a> {
    primitive: &'a Primitive,
    world_from_local: Mat4,
    joints: &'a [Mat4],
    weights: &'a [f32],
}

impl<'a> Placed<'a> {
    fn new(state: &'a FrameState, instance: &Instance, primitive: &'a Primitive) -> Self {
        let joints = instance.joints.start as usize..instance.joints.end as usize;
        let weights = instance.morph_weights.start as usize..instance.morph_weights.end as usize;
        Self {
            primitive,
            world_from_local: instance.world_from_local,
            joints: &state.joints[joints],
            weights: &state.morph_weights[weights],
        }
    }

    fn position_world(&self, vertex: usize) -> Vec3 {
        let mut position = self.primitive.positions[vertex];
        for (target, weight) in self.primitive.morph_targets.iter().zip(self.weights) {
            if let Some(shift) = target.positions.get(vertex) {
                position += shift * *weight;
            }
        }
        if self.joints.is_empty() {
            return self.world_from_local.transform_point3(position);
        }
        let mut sum = Vec3::ZERO;
        for (joints, weights) in self.primitive.joints.iter().zip(&self.primitive.weights) {
            for (&joint, weight) in joints[vertex].iter().zip(weights[vertex].to_array()) {
                if weight > 0.0 {
                    sum += self.joints[usize::from(joint)].transform_point3(position) * weight;
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AlphaMode, AnimationChoice, Material, MaterialId, Mesh, MeshId, Node, NodeId, Skin,
        Transform,
    };

    /// One point at `position` in each of the nodes, drawn with one material each.
    fn points(position: Vec3, nodes: &[(Vec3, AlphaMode)]) -> Scene {
        let mut scene = Scene::default();
        for (index, &(translation, alpha_mode)) in (0..).zip(nodes) {
            scene.materials.push(Material {
                alpha_mode,
                ..Material::default()
            });
            let primitive = Primitive {
                indices: vec![0],
                positions: vec![position],
                material: Some(MaterialId(index)),
                ..Primitive::default()
            };
            scene.meshes.push(Mesh {
                primitives: vec![primitive].into(),
                ..Mesh::default()
            });
            scene.nodes.push(Node {
                transform: Transform::Matrix(Mat4::from_translation(translation)),
                mesh: Some(MeshId(index)),
                ..Node::default()
            });
        }
        scene
    }

    #[test]
    fn bounds_hold_every_instance() {
        let nodes = [
            (Vec3::ZERO, AlphaMode::Opaque),
            (Vec3::X * 4.0, AlphaMode::Opaque),
        ];
        let scene = points(Vec3::Y, &nodes);
        let bounds = scene.bounds(&scene.state_at(AnimationChoice::None, 0.0));
        let bounds = bounds.expect("two points");
        assert_eq!(
            (bounds.min, bounds.max),
            (Vec3::Y, Vec3::new(4.0, 1.0, 0.0)),
            "box"
        );
        let nothing = Scene::default();
        assert_eq!(
            nothing.bounds(&FrameState::default()),
            None,
            "nothing drawn"
        );
    }

    #[test]
    fn bounds_follow_the_joints_and_not_the_node() {
        let mut scene = points(Vec3::Y, &[(Vec3::splat(100.0), AlphaMode::Opaque)]);
        let primitive = &mut scene.meshes[0].primitives[0];
        primitive.joints = vec![vec![[0, 1, 0, 0]]];
        primitive.weights = vec![vec![glam::Vec4::new(0.5, 0.5, 0.0, 0.0)]];
        for translation in [Vec3::ZERO, Vec3::X * 2.0] {
            let transform = Transform::Matrix(Mat4::from_translation(translation));
            scene.nodes.push(Node {
                transform,
                ..Node::default()
            });
        }
        scene.skins.push(Skin {
            joints: vec![NodeId(1), NodeId(2)],
            inverse_bind: vec![Mat4::IDENTITY, Mat4::from_translation(Vec3::NEG_Y)],
        });
        scene.nodes[0].skin = Some(0);
        let bounds = scene.bounds(&scene.state_at(AnimationChoice::None, 0.0));
        let center = bounds.expect("a point").center();
        assert_eq!(
            center,
            Vec3::new(1.0, 0.5, 0.0),
            "mean of (0, 1, 0) and (2, 0, 0)"
        );
    }

    #[test]
    fn submission_is_opaque_then_masked_then_blended_from_the_back() {
        let mask = AlphaMode::Mask { cutoff: 0.5 };
        let nodes = [
            (Vec3::Z, AlphaMode::Blend),
            (Vec3::Z, mask),
            (Vec3::Z * 3.0, AlphaMode::Blend),
            (Vec3::Z, AlphaMode::Opaque),
            (Vec3::Z * 2.0, AlphaMode::Blend),
        ];
        let scene = points(Vec3::ZERO, &nodes);
        let mut state = scene.state_at(AnimationChoice::None, 0.0);
        let order = |state: &FrameState| -> Vec<u32> {
            state
                .instances
                .iter()
                .map(|instance| instance.mesh.0)
                .collect()
        };
        assert_eq!(
            order(&state),
            [3, 1, 0, 2, 4],
            "file order within each kind"
        );
        state.sort_blended(&scene, Vec3::ZERO);
        assert_eq!(order(&state), [3, 1, 2, 4, 0], "farthest first");
        state.sort_blended(&scene, Vec3::Z * 10.0);
        assert_eq!(order(&state), [3, 1, 0, 4, 2], "seen from the other side");
    }
}
