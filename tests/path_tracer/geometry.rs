//! Triangles in world space, and which of them a ray meets.

use azulejo::scene::{FrameState, Instance, MaterialId, Primitive, Scene, Topology};
use glam::{DMat3, DMat4, DVec2, DVec3, DVec4};

/// A vertex in world space.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vertex {
    pub(crate) position: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) tangent: DVec4,
    pub(crate) tex_coords: [DVec2; 4],
    pub(crate) color: DVec4,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) vertices: [u32; 3],
    pub(crate) material: MaterialId,
    /// Whether its placement mirrors, so that its front is where it looks clockwise.
    mirrored: bool,
}

/// Intersection of a ray with a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    pub(crate) distance: f64,
    pub(crate) triangle: u32,
    /// Weights of its second and third vertex.
    pub(crate) at: [f64; 2],
    pub(crate) front: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) from: DVec3,
    pub(crate) along: DVec3,
}

#[derive(Debug, Clone, Copy)]
struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    const NONE: Self = Self {
        low: DVec3::INFINITY,
        high: DVec3::NEG_INFINITY,
    };

    fn with(self, point: DVec3) -> Self {
        Self {
            low: self.low.min(point),
            high: self.high.max(point),
        }
    }

    /// Whether the ray passes through before it has gone `far`.
    fn is_met(&self, ray: &Ray, inverse: DVec3, far: f64) -> bool {
        let (to_low, to_high) = (
            (self.low - ray.from) * inverse,
            (self.high - ray.from) * inverse,
        );
        let near = to_low.min(to_high).max_element().max(0.0);
        near <= to_low.max(to_high).min_element().min(far) * (1.0 + 1e-12)
    }
}

struct Node {
    extent: Extent,
    /// First triangle of a leaf; second child of other nodes, whose first one follows.
    first: u32,
    count: u32,
}

/// All triangles of a frame in a hierarchy of boxes.
pub(crate) struct Geometry {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) triangles: Vec<Triangle>,
    nodes: Vec<Node>,
}

const LEAF: usize = 4;

impl Geometry {
    pub(crate) fn of(scene: &Scene, state: &FrameState) -> Self {
        let mut geometry = Self {
            vertices: Vec::new(),
            triangles: Vec::new(),
            nodes: Vec::new(),
        };
        for instance in &state.instances {
            geometry.add(state.primitive(scene, instance), state, instance);
        }
        if !geometry.triangles.is_empty() {
            let mut triangles = std::mem::take(&mut geometry.triangles);
            geometry.split(&mut triangles, 0);
            geometry.triangles = triangles;
        }
        geometry
    }

    fn add(&mut self, primitive: &Primitive, state: &FrameState, instance: &Instance) {
        if primitive.topology != Topology::Triangles {
            return;
        }
        let placed = instance.world_from_local.as_dmat4();
        let first = self.vertices.len() as u32;
        let n_vertices = primitive.positions.len();
        self.vertices
            .extend((0..n_vertices).map(|at| vertex(primitive, state, instance, &placed, at)));
        let triangle = |corners: &[u32]| Triangle {
            vertices: [0, 1, 2].map(|k| first + corners[k]),
            material: instance.material,
            mirrored: placed.determinant() < 0.0,
        };
        self.triangles
            .extend(primitive.indices.chunks_exact(3).map(triangle));
    }

    fn corners(&self, triangle: &Triangle) -> [DVec3; 3] {
        triangle
            .vertices
            .map(|vertex| self.vertices[vertex as usize].position)
    }

    /// Builds the nodes of these triangles, which stand at `first` of all.
    fn split(&mut self, triangles: &mut [Triangle], first: usize) {
        let middle = |triangle: &Triangle, geometry: &Self| -> DVec3 {
            geometry.corners(triangle).iter().sum()
        };
        let mut extent = Extent::NONE;
        let mut middles = Extent::NONE;
        for triangle in triangles.iter() {
            extent = self
                .corners(triangle)
                .into_iter()
                .fold(extent, Extent::with);
            middles = middles.with(middle(triangle, self));
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            extent,
            first: first as u32,
            count: triangles.len() as u32,
        });
        if triangles.len() <= LEAF {
            return;
        }
        let axis = (middles.high - middles.low).max_position();
        let half = triangles.len() / 2;
        triangles.select_nth_unstable_by(half, |a, b| {
            middle(a, self)[axis].total_cmp(&middle(b, self)[axis])
        });
        let (low, high) = triangles.split_at_mut(half);
        self.split(low, first);
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].count = 0;
        self.split(high, first + half);
    }

    /// The first triangle before `far` that `keep` takes.
    pub(crate) fn meet(
        &self,
        ray: &Ray,
        far: f64,
        mut keep: impl FnMut(&Hit) -> bool,
    ) -> Option<Hit> {
        let inverse = ray.along.recip();
        let mut best: Option<Hit> = None;
        let mut waiting = vec![0_usize];
        while let Some(at) = waiting.pop() {
            let nearest = best.map_or(far, |hit| hit.distance);
            let Some(node) = self.nodes.get(at) else {
                continue;
            };
            if !node.extent.is_met(ray, inverse, nearest) {
                continue;
            }
            if node.count == 0 {
                waiting.extend([at + 1, node.first as usize]);
                continue;
            }
            for triangle in node.first..node.first + node.count {
                let nearest = best.map_or(far, |hit| hit.distance);
                let hit = self.hit(ray, triangle);
                best = hit
                    .filter(|hit| hit.distance < nearest && keep(hit))
                    .or(best);
            }
        }
        best
    }

    /// Möller and Trumbore 1997.
    fn hit(&self, ray: &Ray, number: u32) -> Option<Hit> {
        let triangle = &self.triangles[number as usize];
        let [a, b, c] = self.corners(triangle);
        let (right, up) = (b - a, c - a);
        let p = ray.along.cross(up);
        let determinant = right.dot(p);
        let to = ray.from - a;
        let u = to.dot(p) / determinant;
        let q = to.cross(right);
        let v = ray.along.dot(q) / determinant;
        let distance = up.dot(q) / determinant;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 1e-9).then_some(Hit {
            distance,
            triangle: number,
            at: [u, v],
            front: (determinant > 0.0) != triangle.mirrored,
        })
    }

    /// The unit normal of the plane, to the front.
    pub(crate) fn plane(&self, hit: &Hit) -> DVec3 {
        let triangle = &self.triangles[hit.triangle as usize];
        let [a, b, c] = self.corners(triangle);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if triangle.mirrored { -normal } else { normal }
    }

    /// Vertex interpolated at the hit.
    pub(crate) fn at(&self, hit: &Hit) -> Vertex {
        let [b, c] = hit.at;
        let weights = [1.0 - b - c, b, c];
        let mut sum = Vertex::default();
        let triangle = &self.triangles[hit.triangle as usize];
        for (weight, vertex) in weights.into_iter().zip(triangle.vertices) {
            let vertex = &self.vertices[vertex as usize];
            sum.position += vertex.position * weight;
            sum.normal += vertex.normal * weight;
            sum.tangent += vertex.tangent * weight;
            sum.color += vertex.color * weight;
            for (sum, tex_coord) in sum.tex_coords.iter_mut().zip(vertex.tex_coords) {
                *sum += tex_coord * weight;
            }
        }
        sum
    }
}

/// Morphed, skinned and placed (glTF 2.0, 3.7.2.2 and 3.7.3).
fn vertex(
    primitive: &Primitive,
    state: &FrameState,
    instance: &Instance,
    placed: &DMat4,
    at: usize,
) -> Vertex {
    let mut position = primitive.positions[at].as_dvec3();
    let mut normal = primitive
        .normals
        .get(at)
        .map_or(DVec3::ZERO, |n| n.as_dvec3());
    let tangent = primitive
        .tangents
        .get(at)
        .map_or(DVec4::ZERO, |t| t.as_dvec4());
    let mut along = tangent.truncate();
    let morphs = &state.morph_weights[range(&instance.morph_weights)];
    for (target, &weight) in primitive.morph_targets.iter().zip(morphs) {
        let weight = f64::from(weight);
        let moved = |stream: &[glam::Vec3]| stream.get(at).map_or(DVec3::ZERO, |v| v.as_dvec3());
        position += moved(&target.positions) * weight;
        normal += moved(&target.normals) * weight;
        along += moved(&target.tangents) * weight;
    }
    let mut world = *placed;
    if !instance.joints.is_empty() {
        world = DMat4::ZERO;
        let joints = &state.joints[range(&instance.joints)];
        for (set, weights) in primitive.joints.iter().zip(&primitive.weights) {
            for (joint, weight) in set[at].into_iter().zip(weights[at].to_array()) {
                world += joints[usize::from(joint)].as_dmat4() * f64::from(weight);
            }
        }
    }
    let linear = DMat3::from_mat4(world);
    let tex_coord = |set: usize| {
        let stream = primitive.tex_coords.get(set);
        stream
            .and_then(|set| set.get(at))
            .map_or(DVec2::ZERO, |uv| uv.as_dvec2())
    };
    Vertex {
        position: world.transform_point3(position),
        normal: (linear.inverse().transpose() * normal).normalize_or_zero(),
        tangent: (linear * along).normalize_or_zero().extend(tangent.w),
        tex_coords: [0, 1, 2, 3].map(tex_coord),
        color: primitive
            .colors
            .get(at)
            .map_or(DVec4::ONE, |c| c.as_dvec4()),
    }
}

fn range(range: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    range.start as usize..range.end as usize
}
