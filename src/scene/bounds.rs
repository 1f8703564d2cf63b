//! Extents in the world, skinned and morphed vertices included, and the order of blended instances that follows from them.

use glam::{Mat4, Vec3};
use rayon::prelude::*;

use super::{FrameState, Instance, Primitive, Scene};

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates.
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

    /// Its middle.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.min.midpoint(self.max)
    }

    /// Its edges' lengths.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Its eight corners.
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

    fn primitive(&self, instance: &Instance) -> &Primitive {
        &self.meshes[instance.mesh.index()].primitives[instance.primitive as usize]
    }

    fn instance_bounds(&self, state: &FrameState, instance: &Instance) -> Option<Bounds> {
        let primitive = self.primitive(instance);
        let vertices = 0..primitive.positions.len();
        let placed = Placed::new(state, instance, primitive);
        Bounds::around(
            vertices
                .map(|vertex| placed.position_world(vertex))
                .filter(|p| p.is_finite()),
        )
    }
}

impl FrameState {
    /// Orders blended instances from back to front as `eye_world` sees the middle of each; the others keep their order.
    pub fn sort_blended(&mut self, scene: &Scene, eye_world: Vec3) {
        let blended = self
            .instances
            .partition_point(|instance| scene.submission_rank(instance) < 2);
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

/// A primitive where an instance puts it.
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
