//! The scene while it is set up: things are placed one by one, then all are lit together.
//!
//! Lighting comes last because everything shades everything: each vertex colour becomes what [`Illumination`] leaves.

use glam::{Mat4, Quat, Vec3};
use rayon::prelude::*;

use crate::procedural::{Illumination, Occluder, Occlusion};
use azulejo_scene::{
    ImageId, Material, MaterialId, Mesh, MeshId, Node, NodeId, Primitive, Sampler, Scene, Texture,
    TextureId, TextureImage, TextureRef, Transform,
};

/// A scene in the making.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) scene: Scene,
    /// Occluder spheres, in world space at rest.
    pub(super) occluders: Vec<Occluder>,
    /// Nodes whose mesh gets baked light, with the object they belong to.
    lit: Vec<(NodeId, u32)>,
    n_objects: u32,
}

/// Transform of a node in its parent: moved, turned and scaled evenly.
pub(super) fn placed(translation: Vec3, rotation: Quat, scale: f32) -> Transform {
    Transform::Trs {
        translation,
        rotation,
        scale: Vec3::splat(scale),
    }
}

/// Transform of a node in its parent, upright and unscaled.
pub(super) fn at(x: f32, y: f32, z: f32) -> Transform {
    placed(Vec3::new(x, y, z), Quat::IDENTITY, 1.0)
}

impl Stage {
    /// A number for a new object: its parts do not shade one another.
    pub(super) fn object(&mut self) -> u32 {
        self.n_objects += 1;
        self.n_objects
    }

    /// An image as a trilinear, repeating texture on the first coordinate set.
    pub(super) fn texture(&mut self, image: TextureImage) -> TextureRef {
        let image_id = ImageId(self.scene.images.len() as u32);
        self.scene.images.push(image);
        let texture = TextureId(self.scene.textures.len() as u32);
        self.scene.textures.push(Texture {
            image: image_id,
            sampler: Sampler::default(),
        });
        TextureRef {
            texture,
            tex_coord: 0,
            transform: glam::Mat3::IDENTITY,
        }
    }

    pub(super) fn material(&mut self, material: Material) -> MaterialId {
        self.scene.materials.push(material);
        MaterialId(self.scene.materials.len() as u32 - 1)
    }

    /// A mesh of one primitive.
    pub(super) fn mesh(&mut self, name: &str, material: MaterialId, part: Primitive) -> MeshId {
        self.scene.meshes.push(Mesh {
            name: name.to_owned(),
            primitives: vec![Primitive {
                material: Some(material),
                ..part
            }]
            .into(),
            morph_weights: Vec::new(),
        });
        MeshId(self.scene.meshes.len() as u32 - 1)
    }

    pub(super) fn node(&mut self, node: Node) -> NodeId {
        self.scene.nodes.push(node);
        NodeId(self.scene.nodes.len() as u32 - 1)
    }

    /// An empty node to hang others on.
    pub(super) fn joint(
        &mut self,
        name: &str,
        parent: Option<NodeId>,
        transform: Transform,
    ) -> NodeId {
        self.node(Node {
            name: name.to_owned(),
            parent,
            transform,
            ..Node::default()
        })
    }

    /// A node that draws `mesh`, with baked light if it belongs to an object.
    pub(super) fn place(
        &mut self,
        mesh: MeshId,
        parent: Option<NodeId>,
        transform: Transform,
        object: Option<u32>,
    ) -> NodeId {
        let node = self.node(Node {
            name: self.scene.meshes[mesh.index()].name.clone(),
            parent,
            transform,
            mesh: Some(mesh),
            ..Node::default()
        });
        self.lit.extend(object.map(|object| (node, object)));
        node
    }

    /// `world_from_local` of a node at rest.
    pub(super) fn world_from_local(&self, node: NodeId) -> Mat4 {
        let own = &self.scene.nodes[node.index()];
        let local = own.transform.parent_from_local().as_mat4();
        own.parent
            .map_or(local, |parent| self.world_from_local(parent) * local)
    }

    /// Adds solid spheres, given in the space of `node`, that hide `ambient` of the sky.
    pub(super) fn occlude(
        &mut self,
        node: NodeId,
        object: u32,
        spheres: &[(Vec3, f32)],
        ambient: f32,
        bounce: Vec3,
    ) {
        let world_from_local = self.world_from_local(node);
        let scale = world_from_local.x_axis.length();
        self.occluders
            .extend(spheres.iter().map(|&(centre, radius)| Occluder {
                object,
                centre: world_from_local.transform_point3(centre),
                radius: radius * scale,
                transmission: Vec3::ZERO,
                ambient,
                bounce,
            }));
    }

    /// Bakes the light into the vertex colours of everything that was placed for it.
    pub(super) fn light(&mut self, light: &Illumination) {
        let occlusion = Occlusion::new(&self.occluders);
        for &(node, object) in &self.lit {
            let world_from_local = self.world_from_local(node);
            let Some(mesh) = self.scene.nodes[node.index()].mesh else {
                continue;
            };
            for part in &mut self.scene.meshes[mesh.index()].primitives {
                let own = std::mem::take(&mut part.colors);
                let vertices = part.positions.par_iter().zip(&part.normals);
                part.colors = vertices
                    .enumerate()
                    .with_min_len(256)
                    .map(|(i, (position, normal))| {
                        let position = world_from_local.transform_point3(*position);
                        let normal = world_from_local.transform_vector3(*normal).normalize();
                        let left = light.remaining(&occlusion, object, position, normal);
                        let own = own.get(i).copied().unwrap_or(glam::Vec4::ONE);
                        own * left.extend(1.0)
                    })
                    .collect();
            }
        }
    }
}
